"""The 22 major arcana: `cards.csv` as tuples, and the card part of a rules table."""

import csv
from collections.abc import Sequence
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
        ("amount", np.int8),  # the number in the effect's text; 0 where it has none
        ("at_reveal", np.int8),
        ("next_reveal", np.int8),
        ("waits", np.int8),
        ("dealt_to_other", np.int8),  # 1: in the dealing it goes to the seat that would not get it (rule 8.5)
    ]
)


class Card(NamedTuple):
    number: int
    id: str
    name: str
    name_ja: str
    effect: int
    amount: int
    """The number in the effect's text: cards, wins, turns; 0 where it has none."""
    text: str
    """What the effect does, with the amount left open; see card_text.py."""
    dealt_to_other: bool = False


def _read_cards() -> tuple[Card, ...]:
    text = resources.files("duelbench.envs.tarot_duel").joinpath("cards.csv").read_text(encoding="utf-8")
    return tuple(_card(row) for row in csv.DictReader(text.splitlines()))


def _card(row: dict[str, str]) -> Card:
    number, effect, amount = int(row["number"]), EFFECT_IDS.index(row["effect"]), int(row["amount"] or 0)
    return Card(number, row["id"], row["name"], row["name_ja"], effect, amount, row["text"])


CARDS = _read_cards()


def write_cards(array: np.recarray, cards: Sequence[Card] = CARDS) -> None:
    """Fill a CARD[22] array from these cards, in the order of `cards.csv`.

    Raises ValueError when two cards carry one effect: the rules count on there being one of each.
    """
    carried = [card.effect for card in cards if card.effect != NO_EFFECT]
    if len(set(carried)) != len(carried):
        raise ValueError("two cards carry the same effect")
    order = sorted(range(NUM_CARDS), key=lambda card: (cards[card].number, card))
    for card, (number, *_, effect, amount, _, dealt_to_other) in enumerate(cards):
        timing = (effect in AT_REVEAL, effect in NEXT_REVEAL, effect in WAITS)
        array[card] = (number, order.index(card), effect, amount, *timing, dealt_to_other)
