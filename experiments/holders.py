"""Who holds which card when the deals of a matchup begin.

The holder of a card is the seat with more copies of it: in its deck, or, where both draw from one deck, in its hand
(`Game.start_cards`). A card of which both have equally many has no holder, and what happens to it should matter to
both alike.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from duelbench.experiments.bulk_seeds import derived_seeds
from duelbench.experiments.config import Pair, RunConfig
from duelbench.experiments.plan import deck_pairs, is_mirror
from duelbench.experiments.players import table_of
from duelbench.experiments.seeds import matchup_key
from duelbench.experiments.variants import AS_CONFIGURED

NOBODY = -1
_DEALS_OF_DECKS = 16


@dataclass(frozen=True, eq=False)
class Starts:
    """What both seats begin with in the deals of a matchup, in the game as configured."""

    copies: np.ndarray
    """int8[kinds, 2, cards] by kind of deal: one for each pair of named decks, or each deal one of its own."""
    deals: int
    kinds_are_decks: bool
    """Whether deals of one kind are alike in what both seats begin with, as they have the same named decks."""

    @property
    def kinds(self) -> np.ndarray:
        """int64[deals]: the kind of each deal."""
        return np.arange(self.deals) % len(self.copies)

    def holder(self, card: int) -> np.ndarray:
        """int8[deals]: the seat that holds the card in the first game of each deal, or NOBODY."""
        first, second = self.copies[:, 0, card], self.copies[:, 1, card]
        by_kind = np.where(first == second, NOBODY, np.where(first > second, 0, 1)).astype(np.int8)
        return by_kind[self.kinds]

    def held(self, card: int) -> np.ndarray:
        """int64[n]: the deals in which the card has a holder, ascending."""
        return np.flatnonzero(self.holder(card) != NOBODY)

    def stand_in(self, card: int, others: Sequence[int]) -> np.ndarray:
        """int64[deals]: which of `others` (an index) stands in for the card in each deal, NOBODY for none.

        Only a card that neither seat begins with can stand in: then an exchange changes the decks that hold the card
        and nothing else. The deals in which the card is held go through these cards in turn, for each pair of named
        decks by itself, so that every stand-in meets every pair of decks as often as the others.
        """
        held, kinds = self.holder(card) != NOBODY, self.kinds
        absent = self.copies.sum(axis=1)[:, list(others)] == 0
        chosen = np.full(self.deals, NOBODY)
        turns = np.arange(len(self.copies)) if self.kinds_are_decks else np.zeros(1, np.int64)
        for deal in np.flatnonzero(held):
            kind = kinds[deal]
            fitting = np.flatnonzero(absent[kind])
            turn = kind if self.kinds_are_decks else 0
            if len(fitting):
                chosen[deal] = fitting[turns[turn] % len(fitting)]
                turns[turn] += 1
        return chosen


def starts(config: RunConfig, pair: Pair) -> Starts:
    """What the seats begin with in all deals of a matchup of an agent with itself; made once for a config object."""
    kept = config.kept.setdefault("starts", {})
    assert isinstance(kept, dict)
    if pair not in kept:
        kept[pair] = _with_decks(config, pair) if config.named_decks else _dealt(config, pair)
    found: Starts = kept[pair]
    return found


def _with_decks(config: RunConfig, pair: Pair) -> Starts:
    """Decks are known before they are shuffled: a few deals of each pair of decks tell.

    What chance decides, as which of two equal main characters is replaced, has no holder.
    """
    game, start_cards = config.load_game(), _start_cards(config)
    copies = []
    for decks in deck_pairs(tuple(config.named_decks), is_mirror(pair)):
        table = table_of(game, config, decks, AS_CONFIGURED)
        deals = np.array([start_cards(table, game.dealt(table, seed)) for seed in range(_DEALS_OF_DECKS)])
        copies.append(np.where(np.ptp(deals, axis=0).any(axis=0), 0, deals[0]))
    return Starts(np.array(copies, np.int8), config.deals_of(pair), True)


def _dealt(config: RunConfig, pair: Pair) -> Starts:
    game, start_cards = config.load_game(), _start_cards(config)
    table = table_of(game, config, (config.unnamed_deck, config.unnamed_deck), AS_CONFIGURED)
    deals = config.deals_of(pair)
    seeds = derived_seeds(config.seed, "deal", matchup_key(*pair), np.arange(deals))  # as in `seeds.deal_seed`
    copies = [start_cards(table, game.dealt(table, int(seed))) for seed in seeds]
    return Starts(np.array(copies, np.int8), deals, False)


def _start_cards(config: RunConfig) -> Callable[[np.record, np.record], np.ndarray]:
    start_cards = config.load_game().start_cards
    assert start_cards is not None, "a config with questions about cards is refused for such a game"
    return start_cards
