"""High Card with decks of two cards: the rest of the toolkit sees a game that is played with decks.

The first card of seat 0's deck and both of seat 1's say how strong the eight cards are, the same for both seats. So
a game comes out differently with other decks, with the decks swapped, and with their cards in another order.
"""

import dataclasses

import highcard
import numpy as np

from duelbench.envs.decks import DeckRules

SIZE = 2


def build_table(rules, sources, cards=highcard.STRENGTHS):
    """Where a seat draws from a pool, only the first deck counts; random decks count as card 0 alone. What patches
    make a card stronger is added at the end."""
    table = highcard.build_table(rules)
    first, second = (source.decks[0].cards if source.decks else (0,) * SIZE for source in sources)
    strength = np.roll(np.arange(highcard.CARDS) ^ first[0], second[0])
    table.strength[:] = strength * (2 * second[1] + 1) % highcard.CARDS
    table.strength[:] += np.subtract(cards, highcard.STRENGTHS, dtype=np.int8)
    table.decks[:] = first, second
    return table


def start_cards(table, state):
    """The decks, which the table keeps beside what it makes of them."""
    return np.array([[list(deck).count(card) for card in range(highcard.CARDS)] for deck in table.decks], np.int8)


GAME = dataclasses.replace(
    highcard.GAME,
    name="deckcard",
    title="Deck Card",
    deck_rules=DeckRules(SIZE),
    build_table=build_table,
    start_cards=start_cards,
)
