"""What a config may change about single cards: section 8 of RULES.md."""

from collections.abc import Callable, Mapping
from typing import Any

from duelbench.envs.document import kind_of
from duelbench.envs.errors import BadInput
from duelbench.envs.game import did_you_mean
from duelbench.envs.patches import BLANK, EXCHANGE, CardField, Patches
from duelbench.envs.tarot_duel.cards import (
    CARDS,
    DEATH,
    DEVIL,
    FOOL,
    HANGED_MAN,
    HIEROPHANT,
    JUSTICE,
    LOVERS,
    NO_EFFECT,
    PRIESTESS,
    STAR,
    STRENGTH,
    TEMPERANCE,
    WHEEL,
    Card,
)

NUMBERS = range(43)
"""Printed numbers: up to twice the highest one of the list, so that all products with Strength fit the table."""

AMOUNTS = {
    FOOL: NUMBERS,  # the lowest number that the Fool beats
    PRIESTESS: range(1, 9),  # cards seen
    HIEROPHANT: range(1, 5),  # cards taken
    LOVERS: range(1, 6),  # cards drawn
    STRENGTH: range(1, 4),  # what the number is multiplied by
    WHEEL: range(1, 4),  # wins, as for the next three and Temperance
    JUSTICE: range(1, 4),
    HANGED_MAN: range(1, 4),
    TEMPERANCE: range(1, 4),
    DEATH: range(4),  # turns after this one
    DEVIL: range(11),  # cards of the deck
    STAR: range(1, 4),  # turns
}
"""By effect: the amounts that its text may have. What is not listed has none that can be changed (rule 8.4)."""

NUMBER, AMOUNT, DEALT_TO_OTHER = "number", "amount", "dealt_to_other"


def _span(values: range) -> str:
    return f"{values[0]} to {values[-1]}"


_SPANS = ", ".join(f"{card.id} {_span(AMOUNTS[card.effect])}" for card in CARDS if card.effect in AMOUNTS)

FIELDS = (
    CardField(
        NUMBER,
        _span(NUMBERS),
        "the printed number; observations show it while the card lies on the field, else only which card it is",
    ),
    CardField(
        AMOUNT,
        _SPANS,
        "the number in the card's text: cards, wins, turns, a factor, or from where the Fool beats; no observation "
        "shows it",
    ),
    CardField(BLANK, "true", "the card has no effect and keeps its number; no observation shows it"),
    CardField(
        EXCHANGE,
        "the id of another card",
        "the two cards trade effects, amounts included; numbers stay; no observation shows it",
    ),
    CardField(
        DEALT_TO_OTHER,
        "true",
        "dealt into an opening hand or as a first draw, it trades places with the card that the other seat gets as "
        "the same one of its draws; nobody knows of it",
    ),
)


def patched_cards(patches: Patches, where: str) -> tuple[Card, ...]:
    """The 22 cards with `patches`: numbers and texts are changed first, then texts trade places.

    Raises BadInput, beginning with `where`, the card and the field, for an unknown field, a value that is not allowed,
    and patches that contradict each other.
    """
    cards = {card.id: card for card in CARDS}
    partner: dict[str, str] = {}
    for id_, fields in patches.items():
        for field, value in fields.items():
            at = f"{where}.{id_}.{field}"
            if field == EXCHANGE:
                _pair(partner, id_, value, at)
            elif field in _CHANGES:
                cards[id_] = _CHANGES[field](cards[id_], value, at)
            else:
                known = [known.name for known in FIELDS]
                raise BadInput(f"{where}.{id_}: a card has no field {kind_of(field)}{did_you_mean(field, known)}")
        if BLANK in fields and AMOUNT in fields:
            raise BadInput(f"{where}.{id_}.{AMOUNT}: found beside {BLANK}: true; a card without a text has no amount")
    return tuple(_with_text_of(cards[card.id], cards[partner.get(card.id, card.id)]) for card in CARDS)


def card_numbers(patches: Patches, where: str) -> Mapping[str, Mapping[str, int]]:
    """The numbers on the 22 cards with `patches`, amounts by the card on which a patch sets them; BadInput as above."""
    patched_cards(patches, where)
    return {card.id: _numbers(card, patches.get(card.id, {})) for card in CARDS}


def _numbers(card: Card, fields: Mapping[str, Any]) -> dict[str, int]:
    numbers = {NUMBER: fields.get(NUMBER, card.number)}
    if card.effect in AMOUNTS and BLANK not in fields:
        numbers[AMOUNT] = fields.get(AMOUNT, card.amount)
    return numbers


def _with_text_of(card: Card, other: Card) -> Card:
    return card._replace(effect=other.effect, amount=other.amount, text=other.text)


def _pair(partner: dict[str, str], card: str, other: Any, at: str) -> None:
    """Note that two cards trade their texts; said of both it is the same trade."""
    ids = [known.id for known in CARDS if known.id != card]
    if other not in ids:
        hint = did_you_mean(other, ids) if isinstance(other, str) and other != card else ""
        raise BadInput(f"{at}: found {kind_of(other)}; allowed: the id of another card{hint}")
    for one, two in ((card, other), (other, card)):
        if partner.setdefault(one, two) != two:
            raise BadInput(f"{at}: found {other}; {one} trades its text with {partner[one]} already")


def _blanked(card: Card, value: Any, at: str) -> Card:
    _check_true(value, at)
    return card._replace(effect=NO_EFFECT, amount=0, text="")


def _renumbered(card: Card, value: Any, at: str) -> Card:
    _check_in(NUMBERS, value, at)
    return card._replace(number=value)


def _with_amount(card: Card, value: Any, at: str) -> Card:
    printed = next(known for known in CARDS if known.id == card.id)
    if printed.effect not in AMOUNTS:
        raise BadInput(f"{at}: found {kind_of(value)}; this card has no amount to change; allowed: {_SPANS}")
    _check_in(AMOUNTS[printed.effect], value, at)
    return card._replace(amount=value)


def _dealt_to_other(card: Card, value: Any, at: str) -> Card:
    _check_true(value, at)
    return card._replace(dealt_to_other=True)


_CHANGES: Mapping[str, Callable[[Card, Any, str], Card]] = {
    BLANK: _blanked,
    NUMBER: _renumbered,
    AMOUNT: _with_amount,
    DEALT_TO_OTHER: _dealt_to_other,
}


def _check_in(allowed: range, value: Any, at: str) -> None:
    if type(value) is not int or value not in allowed:
        raise BadInput(f"{at}: found {kind_of(value)}; allowed: a whole number from {_span(allowed)}")


def _check_true(value: Any, at: str) -> None:
    if value is not True:
        raise BadInput(f"{at}: found {kind_of(value)}; allowed: true")
