"""Tarot Duel cut down to a few cards and turns: the true rules in a game that is small enough to be solved exactly.

The cards that are left out lie among the spare cards. Agents of the full game play it as they are: actions,
observations and rule options are the same. The cards are such that no dice are thrown during play, so that the deal
is all there is of chance, and `openings` lists every one that matters.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np

from duelbench.envs.dispatch import NOTHING_TOLD
from duelbench.envs.events import BOTH, note
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.tarot_duel import GAME, build_table
from duelbench.envs.tarot_duel.cards import CARDS, NO_CARD, NUM_CARDS
from duelbench.envs.tarot_duel.rules import clear, deal_out, gather
from duelbench.envs.tarot_duel.state import FIRST_DRAWER

DICE_THROWERS = ("the_high_priestess", "the_chariot", "wheel_of_fortune", "the_devil", "judgement")
"""Cards whose effects draw from the game's dice."""


def cut_down(cards: Sequence[str], opening_hand: int, turns: int) -> Game:
    """Tarot Duel with these cards (by id) alone; both seats can draw in the first turn.

    Raises ValueError for cards that are unknown, throw dice or are too few.
    """
    numbers = sorted(_number(card) for card in set(cards))
    if not set(cards).isdisjoint(DICE_THROWERS):
        raise ValueError(f"left in: {', '.join(set(cards) & set(DICE_THROWERS))}, whose effects throw dice")
    if len(numbers) < 2 * (opening_hand + 1):
        raise ValueError(f"{len(numbers)} cards are too few for two hands of {opening_hand} and a draw each")

    def build(rules: Mapping[str, Any]) -> np.record:
        table = build_table(rules)
        table.left_out[:] = 1
        table.left_out[numbers] = 0
        table.spare_cards, table.opening_hand, table.turns = 0, opening_hand, turns
        return table

    return dataclasses.replace(
        GAME,
        title="Cut-down Tarot Duel",
        title_ja="小さなタロットデュエル",
        build_table=build,
        patched_cards=None,
        card_fields=(),
    )


def _number(card_id: str) -> int:
    found = [card.number for card in CARDS if card.id == card_id]
    if not found:
        raise ValueError(f"no card is called {card_id!r}")
    return found[0]


def openings(game: Game, table: np.record) -> Iterator[tuple[float, np.record]]:
    """All first decisions of a cut-down game, each with its probability, which add up to 1.

    In which order a seat came to the cards of its first hand is nothing to anybody, so every hand is dealt in one
    order alone. The order of the deck below the hands counts.
    """
    cards = [card for card in range(NUM_CARDS) if not table.left_out[card]]
    held = int(table.opening_hand) + 1
    decks = [_stacked(cards, one, two) for one in combinations(cards, held) for two in _others(cards, one, held)]
    orders = [order for stacks in decks for order in stacks]
    for first in range(2):
        for order in orders:
            states = game.new_states(1)
            deal_stacked(np.array([table]).view(np.recarray), states, first, np.array(order[::-1], np.int8))
            yield 1 / (2 * len(orders)), states[0]


def _others(cards: list[int], taken: tuple[int, ...], held: int) -> Iterator[tuple[int, ...]]:
    return combinations([card for card in cards if card not in taken], held)


def _stacked(cards: list[int], one: tuple[int, ...], two: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The decks, from the top, that give these hands in the order of section 2 and of the first draws."""
    rest = [card for card in cards if card not in one + two]
    hands = one[:-1] + two[:-1] + one[-1:] + two[-1:]
    return [hands + order for order in permutations(rest)]


@rule
def deal_stacked(tables, states, first, deck):
    """Deal in states[0] from `deck`, the cards played with from bottom to top; seat `first` draws first."""
    table, game = tables[0], states[0]
    game.rng = 0
    clear(game)
    game.first = first
    note(game, FIRST_DRAWER, first, NO_CARD, 0, BOTH)
    gather(table, game)
    for i in range(game.deck_size):
        game.deck[i] = deck[i]
    deal_out(table, game)
    game.told[:] = NOTHING_TOLD
