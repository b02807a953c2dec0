"""What a card says, in words made from its numbers alone, so that a changed number changes the text."""

from collections.abc import Iterable, Iterator

from duelbench.envs.wizard_in_training.card import (
    CHARACTERS,
    EQUIPMENT_BONUS,
    ITEM,
    ITEMS,
    MAIN,
    NO_LEVEL,
    SPELL,
    SUBTYPES,
    WEAPON,
    Card,
    Mode,
    is_equipment,
    subtype_code,
)
from duelbench.envs.wizard_in_training.cards import CARDS

_NAMES = {card.id: card.name for card in CARDS}
_DESTROYED = {
    ITEMS: "one item of the other player's pool",
    CHARACTERS: "one character of the other player's field",
    ITEMS | CHARACTERS: "one item of the other player's pool or one character of the other player's field",
}


def card_text(card: Card) -> str:
    """The card as one line: its type and numbers, then what it does."""
    if card.type == ITEM:
        return _item(card)
    if card.type == SPELL:
        return " ".join(
            [f"Spell{_level(card)}, {card.territory}.", *_requirement(card), *_modes(card), *_counters(card)]
        )
    if card.type == MAIN:
        return f"Main, {card.territory}, attack {card.attack}, defend {card.defend}."
    numbers = f"Character{_level(card)}, {card.territory}, attack {card.attack}, defend {card.defend}."
    return f"{numbers} Wears {_or(map(_tag, card.item_ability))}." if card.item_ability else f"{numbers} Wears nothing."


def mode_text(mode: Mode) -> str:
    """The effects of a mode, in the order in which they happen, without a full stop."""
    return "; ".join([*_immediate(mode), *_duel(mode)])


def _level(card: Card) -> str:
    return " without level" if card.level == NO_LEVEL else f" of level {card.level}"


def _item(card: Card) -> str:
    kind = f"Item ({card.subtype})" if card.subtype else "General item"
    numbers = f"{kind}, {_count(card.teeth, 'tooth', 'teeth')}."
    if is_equipment(card):
        changed = "attack" if subtype_code(card.subtype) == WEAPON else "defend"
        return f"{numbers} Worn: {changed} {EQUIPMENT_BONUS:+d}."
    drink = [*_changes("attack", card.drink_attack), *_changes("defend", card.drink_defend)]
    if card.drink_teeth:
        drink.append(f"gain {_count(card.drink_teeth, 'tooth', 'teeth')}")
    return f"{numbers} Drunk: {', '.join(drink)}." if drink else numbers


def _requirement(card: Card) -> Iterator[str]:
    if card.requirement:
        yield f"Needs {_tag(card.requirement)}."


def _modes(card: Card) -> Iterator[str]:
    if len(card.modes) == 1:
        yield f"Effect: {mode_text(card.modes[0])}."
    else:
        yield f"One of: {' / '.join(f'({i}) {mode_text(mode)}' for i, mode in enumerate(card.modes, 1))}."


def _counters(card: Card) -> Iterator[str]:
    if card.counters:
        yield f"Counters {_and([_NAMES.get(spell, spell) for spell in card.counters])}."


def _immediate(mode: Mode) -> Iterator[str]:
    if mode.gain:
        yield f"gain {_count(mode.gain, 'tooth', 'teeth')}"
    if mode.steal:
        yield f"steal {_count(mode.steal, 'tooth', 'teeth')}"
    if mode.destroys:
        yield f"destroy {_DESTROYED[mode.destroys]}"
    if mode.discard:
        yield f"the other player discards {_count(mode.discard, 'hand card', 'hand cards')}"
    if mode.draw:
        yield f"draw {_count(mode.draw, 'card', 'cards')}"


def _duel(mode: Mode) -> Iterator[str]:
    own = [*_changes("attack", mode.attack), *_changes("defend", mode.defend)]
    other = [*_changes("attack", mode.other_attack), *_changes("defend", mode.other_defend)]
    fighters = [f"your fighter has {', '.join(own)}"] * bool(own) + [f"its opponent has {', '.join(other)}"] * bool(
        other
    )
    if fighters:
        scope = "in every duel" if mode.every_duel else "in the first duel"
        yield f"{scope} of this turn {' and '.join(fighters)}"


def _changes(what: str, change: int) -> Iterator[str]:
    if change:
        yield f"{what} {change:+d}"


def _tag(tag: str) -> str:
    """A subtype word as `any weapon`, a name as it is."""
    is_word = tag in SUBTYPES or any(card.subtype == tag for card in CARDS)
    return f"any {tag}" if is_word else tag


def _or(words: Iterable[str]) -> str:
    return " or ".join(words)


def _and(words: Iterable[str]) -> str:
    return " and ".join(words)


def _count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"
