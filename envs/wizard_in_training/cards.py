"""The cards that the game is played with: `cards.csv`, and the card part of a rules table."""

import functools
from importlib import resources

import numpy as np

from duelbench.envs.card_table import Row
from duelbench.envs.errors import BadInput
from duelbench.envs.wizard_in_training.card import (
    ARMOUR,
    CARD,
    CHARACTER,
    CHARACTERS,
    CHARM,
    DECK_FACTS,
    EQUIPMENT_BONUS,
    GENERAL,
    ITEM,
    ITEMS,
    MAIN,
    MAX_LEVEL,
    MAX_MODES,
    MODE,
    NO_LEVEL,
    OTHER,
    POTION,
    SPELL,
    TYPES,
    WEAPON,
    Card,
    Mode,
    is_equipment,
    subtype_code,
)
from duelbench.envs.wizard_in_training.card_rows import read_card_rows
from duelbench.envs.wizard_in_training.pool import (
    BLANK,
    LEVELLESS_SPELLS,
    MAX_COPIES,
    MAX_TEETH,
    MIN_GENERAL,
    TOP_CHARACTERS,
    check_pool,
)

__all__ = [
    "ARMOUR",
    "CARD",
    "CHARACTER",
    "CHARACTERS",
    "CHARM",
    "DECK_FACTS",
    "EQUIPMENT_BONUS",
    "GENERAL",
    "ITEM",
    "ITEMS",
    "LEVELLESS_SPELLS",
    "MAIN",
    "MAX_COPIES",
    "MAX_LEVEL",
    "MAX_MODES",
    "MAX_TEETH",
    "MIN_GENERAL",
    "MODE",
    "NO_LEVEL",
    "OTHER",
    "POTION",
    "SPELL",
    "TOP_CHARACTERS",
    "WEAPON",
    "Card",
    "Mode",
]


def read_cards(text: str, where: str) -> tuple[Card, ...]:
    """The cards in the comma-separated `text`, by type in the order of their codes, else in the order of the rows.

    Raises BadInput, beginning with `where`, for the first thing that is wrong with a row or with the whole.
    """
    read = list(read_card_rows(text, where))
    check_pool([row for row, _ in read], [card for _, card in read], where)
    return tuple(sorted((card for _, card in read), key=lambda card: card.type))


def _text() -> str:
    file = resources.files("duelbench.envs.wizard_in_training").joinpath("cards.csv")
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadInput("cards.csv: found other than UTF-8 text, allowed: UTF-8 text") from None


CARDS = read_cards(_text(), "cards.csv")


@functools.cache
def printed_rows() -> tuple[Row, ...]:
    """The rows of CARDS, in their order; not to be changed."""
    rows = {card.id: row for row, card in read_card_rows(_text(), "cards.csv")}
    return tuple(rows[card.id] for card in CARDS)


NUM_CARDS = NO_CARD = len(CARDS)
"""NO_CARD stands where no card is. Never used as an index without a check."""
NUM_ITEMS, NUM_CHARACTERS, NUM_SPELLS, NUM_MAINS = (
    sum(card.type == code for card in CARDS) for code in sorted(TYPES.values())
)
FIRST_CHARACTER = NUM_ITEMS
FIRST_SPELL = FIRST_CHARACTER + NUM_CHARACTERS
FIRST_MAIN = FIRST_SPELL + NUM_SPELLS
"""Items begin at 0."""
NUM_PLAYABLE = FIRST_MAIN
BLANK_MAIN = next(number for number, card in enumerate(CARDS) if card.id == BLANK)
TERRITORIES = tuple(sorted({card.territory for card in CARDS if card.territory}))
"""Their words; a card's number for its territory is 1 more than the index here."""

_SAME_FIELDS = ("type", "level", "attack", "defend", "teeth", "drink_attack", "drink_defend", "drink_teeth")


def write_cards(table: np.record, cards: tuple[Card, ...] = CARDS) -> None:
    """Fill what a table knows of these cards: `cards`, `wears`, `fits` and `counters`, blank before."""
    for record, card in zip(table.cards, cards, strict=True):
        _write_card(record, card)
    items = cards[:NUM_ITEMS]
    spells = cards[FIRST_SPELL:FIRST_MAIN]
    for i, character in enumerate(cards[FIRST_CHARACTER:FIRST_SPELL]):
        table.wears[i] = [is_equipment(item) and any(map(item.is_called, character.item_ability)) for item in items]
    for i, spell in enumerate(spells):
        table.fits[i] = [bool(spell.requirement) and item.is_called(spell.requirement) for item in items]
        table.counters[i] = [other.id in spell.counters for other in spells]


def write_deck_facts(facts: np.ndarray) -> None:
    """Fill a DECK_FACTS[NUM_CARDS] array with what is printed: patches make no other decks legal."""
    for record, card in zip(facts, CARDS, strict=True):
        record["level"], record["teeth"], record["subtype"] = card.level, card.teeth, subtype_code(card.subtype)


def _write_card(record: np.record, card: Card) -> None:
    for field in _SAME_FIELDS:
        record[field] = getattr(card, field)
    record["territory"] = TERRITORIES.index(card.territory) + 1 if card.territory else 0
    record["subtype"] = subtype_code(card.subtype)
    record["requires"] = bool(card.requirement)
    record["num_modes"] = len(card.modes)
    for mode, values in zip(record["modes"], card.modes, strict=False):
        for field, value in values._asdict().items():
            mode[field] = value
