"""The 22 major arcana: `cards.csv` as tuples, and the card part of a rules table."""

import csv
from importlib import resources
from typing import NamedTuple

import numpy as np

NUM_CARDS = 22

# The effects, in the order of the cards that carry them. A rule asks for an effect, never for a card, so that a
# table may blank a card or exchange two cards' effects.
(
    FOOL,
    MAGICIAN,
    PRIESTESS,
    EMPRESS,
    EMPEROR,
    HIEROPHANT,
    LOVERS,
    CHARIOT,
    STRENGTH,
    HERMIT,
    WHEEL,
    JUSTICE,
    HANGED_MAN,
    DEATH,
    TEMPERANCE,
    DEVIL,
    TOWER,
    STAR,
    MOON,
    SUN,
    JUDGEMENT,
    WORLD,
) = range(NUM_CARDS)
NO_EFFECT = NUM_CARDS
NUM_EFFECTS = NUM_CARDS + 1
NO_CARD = NUM_CARDS
"""Stands where no card is. Never used as an index without a check."""

EFFECT_IDS = (
    "fool magician priestess empress emperor hierophant lovers chariot strength hermit wheel justice "
    "hanged_man death temperance devil tower star moon sun judgement world none"
).split()

AT_REVEAL = frozenset(
    {PRIESTESS, HIEROPHANT, LOVERS, CHARIOT, HERMIT, WHEEL, DEATH, TEMPERANCE, DEVIL, TOWER, STAR, MOON, SUN, JUDGEMENT}
)
"""Effects that act in the reveal sequence of the turn in which their card is played (rule 3.6)."""
NEXT_REVEAL = frozenset({EMPRESS, EMPEROR, STRENGTH})
"""Effects that act in the reveal sequence of the turn after (rule 4.2)."""
WAITS = frozenset({MAGICIAN, EMPRESS, EMPEROR, STRENGTH, JUSTICE, HANGED_MAN, TOWER})
"""Effects whose card waits when its turn is over (rule 4.1)."""

CARD = np.dtype(
    [
        ("number", np.int8),  # the printed number
        ("place_in_order", np.int8),  # 0 for the lowest number ... 21; distinct, so that "highest" is always one card
        ("effect", np.int8),
        ("at_reveal", np.int8),
        ("next_reveal", np.int8),
        ("waits", np.int8),
    ]
)


class Card(NamedTuple):
    number: int
    id: str
    name: str
    name_ja: str
    effect: int
    text: str


def _read_cards() -> tuple[Card, ...]:
    text = resources.files("duelbench.envs.tarot_duel").joinpath("cards.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return tuple(
        Card(int(r["number"]), r["id"], r["name"], r["name_ja"], EFFECT_IDS.index(r["effect"]), r["text"]) for r in rows
    )


CARDS = _read_cards()


def write_cards(cards: np.recarray, numbers: list[int] | None = None, effects: list[int] | None = None) -> None:
    """Fill a CARD[22] array from printed numbers and effects by card; the defaults are those of `cards.csv`.

    Raises ValueError when two cards carry one effect: the rules count on there being one of each.
    """
    numbers = [card.number for card in CARDS] if numbers is None else numbers
    effects = [card.effect for card in CARDS] if effects is None else effects
    carried = [effect for effect in effects if effect != NO_EFFECT]
    if len(set(carried)) != len(carried):
        raise ValueError("two cards carry the same effect")
    order = sorted(range(NUM_CARDS), key=lambda card: (numbers[card], card))
    for card, (number, effect) in enumerate(zip(numbers, effects, strict=True)):
        row = (number, order.index(card), effect, effect in AT_REVEAL, effect in NEXT_REVEAL, effect in WAITS)
        cards[card] = row
