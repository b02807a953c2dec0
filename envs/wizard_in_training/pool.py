"""What all cards together have to be, so that decks can be built and rules rely on what they find."""

from collections.abc import Sequence

from duelbench.envs.card_table import Row
from duelbench.envs.errors import BadInput
from duelbench.envs.game import did_you_mean
from duelbench.envs.wizard_in_training.card import (
    CHARACTER,
    ITEM,
    MAIN,
    MAX_LEVEL,
    MAX_TERRITORIES,
    NO_LEVEL,
    SPELL,
    SUBTYPES,
    Card,
    is_equipment,
    is_general,
)

KNOWN_MAINS = ("nevin_crisp", "kelli_crisp", "seetha_devi", "kyle_giffen", "phil_yen", "kenzie_taylor")
BLANK = "blank_wizard"
"""The main character that people name after themselves; it has the numbers of the first known one."""

DECK_ITEMS, DECK_CHARACTERS, DECK_SPELLS, DECK_MAINS = 12, 7, 10, 1
MIN_GENERAL = 4
MAX_COPIES = 2
MAX_TEETH = 25
TOP_CHARACTERS = 2
"""As many characters of MAX_LEVEL may be in a deck."""
LEVELLESS_SPELLS = 2
"""As many spells without a level may be in a deck."""


def check_pool(rows: Sequence[Row], cards: Sequence[Card], where: str) -> None:
    """Raises BadInput for the first thing that is wrong with these cards, read from these rows, as a whole."""
    _check_tags(rows, cards)
    _check_counters(rows, cards)
    _check_mains(rows, cards, where)
    complaint = _too_few_kinds(cards) or no_deck(cards)
    if complaint:
        raise BadInput(f"{where}: {complaint}")


def _check_tags(rows: Sequence[Row], cards: Sequence[Card]) -> None:
    items = [card for card in cards if card.type == ITEM]
    equipment = [item for item in items if is_equipment(item)]
    for row, card in zip(rows, cards, strict=True):
        for tag in card.item_ability:
            _check_tag(row, "item_ability", tag, equipment, "weapon or armour")
        if card.requirement:
            _check_tag(row, "requirement", card.requirement, items, "item")


def _check_tag(row: Row, column: str, tag: str, items: Sequence[Card], kind: str) -> None:
    if not any(item.is_called(tag) for item in items):
        known = {word for item in items for word in (item.name, item.subtype) if word}
        raise row.refusal(column, f": {tag!r} means no {kind}{did_you_mean(tag, known)}")


def _check_counters(rows: Sequence[Row], cards: Sequence[Card]) -> None:
    spells = {card.id for card in cards if card.type == SPELL}
    for row, card in zip(rows, cards, strict=True):
        for spell in card.counters:
            if spell not in spells:
                raise row.refusal("counters", f": {spell!r} is no spell{did_you_mean(spell, spells)}")
            if spell == card.id:
                raise row.refusal("counters", ", allowed: other spells, as no spell counters itself")


def _check_mains(rows: Sequence[Row], cards: Sequence[Card], where: str) -> None:
    mains = {card.id: card for card in cards if card.type == MAIN}
    for main in (*KNOWN_MAINS, BLANK):
        if main not in mains:
            raise BadInput(f"{where}: found no main {main!r}, allowed: all of {', '.join((*KNOWN_MAINS, BLANK))}")
    model = mains[KNOWN_MAINS[0]]
    row = rows[cards.index(mains[BLANK])]
    for column in ("attack", "defend"):
        if getattr(mains[BLANK], column) != getattr(model, column):
            raise row.refusal(column, f", allowed: {getattr(model, column)}, the number of {model.id!r}")


def _too_few_kinds(cards: Sequence[Card]) -> str | None:
    territories = sorted({card.territory for card in cards if card.territory})
    if len(territories) > MAX_TERRITORIES:
        named = ", ".join(territories)
        return f"found {len(territories)} territories ({named}), allowed: at most {MAX_TERRITORIES}"
    levels = {card.level for card in cards if card.type == CHARACTER}
    for level in range(1, MAX_LEVEL + 1):
        if level not in levels:
            return f"found no character of level {level}, allowed: at least one of every level 1 to {MAX_LEVEL}"
    subtypes = {card.subtype for card in cards if card.type == ITEM}
    for word in SUBTYPES:
        if word not in subtypes:
            return f"found no {word or 'general'} item, allowed: at least one of every known subtype and one without"
    return None


def no_deck(cards: Sequence[Card]) -> str | None:
    """Why no legal deck can be built from these different cards, in a few words, or None if one can."""
    of_type = {code: [card for card in cards if card.type == code] for code in (ITEM, CHARACTER, SPELL, MAIN)}
    characters, spells = of_type[CHARACTER], of_type[SPELL]
    below = [card for card in characters if card.level < MAX_LEVEL]
    levelled = [card for card in spells if card.level != NO_LEVEL]
    general = [card for card in of_type[ITEM] if is_general(card)]
    for found, what, needed in (
        (len(of_type[MAIN]), "mains", DECK_MAINS),
        (len(characters), "characters", DECK_CHARACTERS),
        (len(below), f"characters below level {MAX_LEVEL}", DECK_CHARACTERS - TOP_CHARACTERS),
        (len(spells), "spells", DECK_SPELLS),
        (len(levelled), "spells with a level", DECK_SPELLS - LEVELLESS_SPELLS),
        (len(of_type[ITEM]) * MAX_COPIES, "items, counting copies", DECK_ITEMS),
        (len(general) * MAX_COPIES, "general items, counting copies", MIN_GENERAL),
    ):
        if found < needed:
            return f"no legal deck can be built: {found} {what}, needed: at least {needed}"
    least = _least_teeth(of_type[ITEM])
    if least > MAX_TEETH:
        return (
            f"no legal deck can be built: {DECK_ITEMS} items bring {least} teeth at least, allowed: at most {MAX_TEETH}"
        )
    return None


def _least_teeth(items: Sequence[Card]) -> int:
    """What the cheapest items of a deck are worth together, if there are enough items."""
    copies = sorted([item for item in items for _ in range(MAX_COPIES)], key=lambda item: item.teeth)
    needed = [item for item in copies if is_general(item)][:MIN_GENERAL]
    rest = copies.copy()
    for item in needed:
        rest.remove(item)
    return sum(item.teeth for item in needed + rest[: DECK_ITEMS - MIN_GENERAL])
