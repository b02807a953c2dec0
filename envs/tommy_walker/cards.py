"""The 36 cards: `cards.csv`, read strictly into tuples, and the card part of a rules table."""

import functools
from collections.abc import Iterator
from importlib import resources
from typing import NamedTuple

import numpy as np

from duelbench.envs.card_table import AN_ID, Kind, Row, all_different, matching, one_of, read_rows, same, whole
from duelbench.envs.errors import BadInput

NUM_CARDS = 36
NO_CARD = NUM_CARDS
"""Stands where no card is. Never used as an index without a check."""

NONE = 0
MALE, FEMALE, P, T, S = 1, 2, 4, 8, 16
ANY_CARD = MALE | FEMALE | P | T | S
NO_LIMIT = -1
"""`at_hand` of a card whose AT does not ask for a small hand."""

GENDERS = {"male": MALE, "female": FEMALE}
SKILLS = {"P": P, "T": T, "S": S}
ATTRIBUTES = GENDERS | SKILLS
"""What a card can be, and what a condition can ask for: a word and its bit."""

CARD = np.dtype(
    [
        ("attributes", np.int8),  # bits of its gender and of one or more of P, T and S
        ("stars", np.int8),
        ("power", np.int16),
        ("ride_only", np.int8),  # the weakness: it may enter by a ride only
        ("entry_on", np.int8),  # bits; Entry on a ride onto such a card sets the power, 0 for no such ability
        ("entry_power", np.int16),
        ("fetch", np.int8),  # bits; Entry takes such a card from the own discards, 0 for no such ability
        ("returns", np.int8),  # Entry puts up to so many hand cards back into the deck, 0 for no such ability
        ("at_enemy", np.int8),  # bits; AT holds while the enemy is such a card, 0 for no such ability
        ("at_cover", np.int8),  # bits; AT holds if it covers such a card, 0 for no such ability
        ("at_hand", np.int8),  # AT holds while the own hand has at most so many cards, NO_LIMIT for no such ability
        ("at_discard", np.int8),  # bits; AT asks for such cards from the own hand, 0 for no such ability
        ("at_power", np.int16, 3),  # the power that AT sets; of `at_discard`: for one, two and three cards
        ("dmg_beats", np.int8),  # bits; DMG for beating such a card, 0 for no such ability
        ("dmg_beats_stars", np.int8),
        ("dmg_riders_stars", np.int8),  # more stars for beating an enemy that rode
        ("dmg_return", np.int8),  # after the damage it may come back to the hand for one discarded card
        ("barrier", np.int8),  # has a Hand ability; all of these are barriers
        ("barrier_enemy", np.int8),  # bits; `barrier_power` counts only against such a card, 0 for always
        ("barrier_power", np.int16),  # added to the power of its owner's attack card
        ("barrier_enemy_stars", np.int8),  # added to the damage of its owner's enemy; not above 0
        ("barrier_copy", np.int8),  # its owner may apply the enemy's Entry abilities too
    ]
)


class Card(NamedTuple):
    """A card: what people call it, and then the fields of CARD under their names and in their units."""

    id: str
    name: str
    name_ja: str
    series: str
    rarity: str
    attributes: int
    stars: int
    power: int
    ride_only: bool
    entry_on: int
    entry_power: int
    fetch: int
    returns: int
    at_enemy: int
    at_cover: int
    at_hand: int
    at_discard: int
    at_power: tuple[int, int, int]
    dmg_beats: int
    dmg_beats_stars: int
    dmg_riders_stars: int
    dmg_return: bool
    barrier: bool
    barrier_enemy: int
    barrier_power: int
    barrier_enemy_stars: int
    barrier_copy: bool


def attribute_words(bits: int) -> list[str]:
    """The words for a bit set of attributes, gender first."""
    return [word for word, bit in ATTRIBUTES.items() if bits & bit]


# --- What a cell may hold -------------------------------------------------------------------------------------

_MAX_POWER = 30_000
"""Fits an int16; the rules add up in wider numbers."""
_MAX_HAND = 16
"""A deck has no more cards."""


def _skills(cell: str) -> int:
    words = cell.split(" ")
    if len(set(words)) != len(words):
        raise ValueError(cell)
    return sum(SKILLS[word] for word in words)


_YES = one_of({"yes": True}, empty=False)
_CONDITION = one_of(ATTRIBUTES, empty=NONE)
_SETS_POWER = whole(1, _MAX_POWER, empty=0)
"""Not 0, which stands in a state for a value that is not in use."""
_MORE_STARS = whole(1, 9, empty=0)
_A_NAME = matching(r"[^\s,]([^\n,]*[^\s,])?", "a name without commas and without blanks around it")

COLUMNS = {
    "id": AN_ID,
    "name": _A_NAME,
    "name_ja": _A_NAME,
    "series": one_of(same("TW1", "TW2", "TW3", "TW4")),
    "rarity": one_of(same("C", "U", "R")),
    "gender": one_of(GENDERS),
    "attributes": Kind(_skills, "one or more different ones of P, T and S, with a blank between"),
    "stars": whole(0, 9),
    "power": whole(0, _MAX_POWER),
    "ride_only": _YES,
    "entry_on_ride": _CONDITION,
    "entry_power": _SETS_POWER,
    "entry_fetch": one_of(ATTRIBUTES | {"any": ANY_CARD}, empty=NONE),
    "entry_return": whole(1, _MAX_HAND, empty=0),
    "at_enemy": _CONDITION,
    "at_cover": _CONDITION,
    "at_hand": whole(0, _MAX_HAND, empty=NO_LIMIT),
    "at_discard": _CONDITION,
    "at_power_1": _SETS_POWER,
    "at_power_2": _SETS_POWER,
    "at_power_3": _SETS_POWER,
    "dmg_beats": _CONDITION,
    "dmg_beats_stars": _MORE_STARS,
    "dmg_riders_stars": _MORE_STARS,
    "dmg_return": _YES,
    "barrier": _YES,
    "barrier_enemy": _CONDITION,
    "barrier_power": whole(1, _MAX_POWER, empty=0),
    "barrier_enemy_stars": whole(-9, -1, empty=0),
    "barrier_copy": _YES,
}

# --- Reading --------------------------------------------------------------------------------------------------

_UNIQUE = ("id", "name", "name_ja")
_ENTRIES = ("entry_on_ride", "entry_fetch", "entry_return")
_ATS = ("at_enemy", "at_cover", "at_hand", "at_discard")
_AT_POWERS = ("at_power_1", "at_power_2", "at_power_3")
_BARRIER_EFFECTS = ("barrier_power", "barrier_enemy_stars", "barrier_copy")
_FIELD_OF = {"entry_on_ride": "entry_on", "entry_fetch": "fetch", "entry_return": "returns"}
"""The fields of a card that are not called as their column."""


def read_cards(text: str, where: str) -> tuple[Card, ...]:
    """The cards in the comma-separated `text`, one a row, in its order; an empty cell means none.

    Raises BadInput for the first thing that is wrong: `where` and the line, the card, the column, what was found
    and what is allowed.
    """
    cards = [card_of(row) for row in _rows(text, where)]
    if len(cards) != NUM_CARDS:
        raise BadInput(f"{where}: found {len(cards)} cards, allowed: {NUM_CARDS}")
    return tuple(cards)


def _rows(text: str, where: str) -> Iterator[Row]:
    return all_different(read_rows(text, where, COLUMNS), _UNIQUE)


def card_of(row: Row) -> Card:
    """The card of a row of the table. Raises BadInput for the first cell that is wrong in itself or beside others."""
    values = row.values()
    _check_entry_and_at(row)
    _check_dmg_and_barrier(row)
    values["attributes"] |= values.pop("gender")
    values["at_power"] = tuple(values.pop(column) for column in _AT_POWERS)
    return Card(**{_FIELD_OF.get(column, column): value for column, value in values.items()})


def _check_entry_and_at(row: Row) -> None:
    """The rules rely on one Entry ability or one AT ability a card, and never on both."""
    kinds = row.filled(_ENTRIES + _ATS)
    if len(kinds) > 1:
        raise row.refusal(kinds[1], f", allowed: nothing, because {kinds[0]} is set: one Entry or AT ability a card")
    row.pair("entry_on_ride", "entry_power")
    has_at, discards = bool(row.filled(_ATS)), bool(row.cells["at_discard"])
    row.must_have("at_power_1", has_at, "because the card has an AT ability")
    row.may_have("at_power_1", has_at, "because the card has no AT ability")
    for column in _AT_POWERS[1:]:
        row.must_have(column, discards, "because at_discard is set")
        row.may_have(column, discards, "because at_discard is empty")


def _check_dmg_and_barrier(row: Row) -> None:
    row.pair("dmg_beats", "dmg_beats_stars")
    has_barrier = bool(row.cells["barrier"])
    for column in ("barrier_enemy", *_BARRIER_EFFECTS):
        row.may_have(column, has_barrier, "because barrier is empty")
    row.may_have("barrier_enemy", bool(row.cells["barrier_power"]), "because barrier_power is empty")
    if not row.filled(_BARRIER_EFFECTS):
        row.may_have("barrier", False, f"because {', '.join(_BARRIER_EFFECTS)} are empty")


def _text() -> str:
    return resources.files("duelbench.envs.tommy_walker").joinpath("cards.csv").read_text(encoding="utf-8")


CARDS = read_cards(_text(), "cards.csv")


@functools.cache
def printed_rows() -> tuple[Row, ...]:
    """The rows of CARDS, in their order; not to be changed."""
    return tuple(_rows(_text(), "cards.csv"))


def write_cards(cards_array: np.ndarray, cards: tuple[Card, ...] = CARDS) -> None:
    """Fill a CARD[36] array; raises ValueError for another number of cards, OverflowError for a number too large."""
    for record, card in zip(cards_array, cards, strict=True):
        for field in CARD.names or ():
            record[field] = getattr(card, field)
