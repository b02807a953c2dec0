"""The games of a part as columns: what `plan.games_of` lists one by one, made at once for all of them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from duelbench.experiments.bulk_seeds import derived_seeds, names
from duelbench.experiments.config import RunConfig
from duelbench.experiments.plan import Chunk, arms, deck_pairs, first_game, is_mirror
from duelbench.experiments.seeds import Names, matchup_key


@dataclass(frozen=True, eq=False)
class PlannedGames:
    """The games of one chunk; all arrays are by game, in the order of their numbers."""

    config: RunConfig
    chunk: Chunk

    @cached_property
    def numbers(self) -> range:
        first = first_game(self.config, self.chunk)
        return range(first, first + self.chunk.games)

    @cached_property
    def deals(self) -> np.ndarray:
        """int64: the numbers of the deals within the matchup."""
        known = arms(self.config)[self.chunk.arm].deals
        return np.repeat([known[place] for place in self.chunk.deals], self.chunk.games_a_deal)

    @cached_property
    def swapped(self) -> np.ndarray:
        """int64: 1 in the second game of a deal."""
        return np.arange(self.chunk.games) % self.chunk.games_a_deal

    @cached_property
    def deck_choices(self) -> list[Names]:
        """The decks on seats 0 and 1, for each way in which the deals of the matchup have them."""
        if not self.config.named_decks:
            return [(self.config.unnamed_deck, self.config.unnamed_deck)]
        pairs = deck_pairs(tuple(self.config.named_decks), is_mirror(self.chunk.pair))
        return [*pairs, *((second, first) for first, second in pairs)] if is_mirror(self.chunk.pair) else pairs

    @cached_property
    def decks(self) -> np.ndarray:
        """int64: which of `deck_choices` a game is played with."""
        if not is_mirror(self.chunk.pair) or not self.config.named_decks:
            return self.deals % len(self.deck_choices)
        pairs = len(self.deck_choices) // 2
        return self.deals % pairs + pairs * self.swapped

    @cached_property
    def deal_seeds(self) -> np.ndarray:
        """uint64: as `seeds.deal_seed`."""
        known: list[np.ndarray] = []
        if self.config.named_decks:
            both = self.deck_choices
            known = self._deck_names([(min(d), max(d)) for d in both] if is_mirror(self.chunk.pair) else both)
        return self._seeds("deal", *known, self._rounds)

    @cached_property
    def agent_seeds(self) -> np.ndarray:
        """uint64[games, 2]: by seat."""
        return self._seeds_of_seats("agent")

    @cached_property
    def world_seeds(self) -> np.ndarray:
        """uint64[games, 2]: by seat."""
        return self._seeds_of_seats("determinization")

    @property
    def _rounds(self) -> np.ndarray:
        """The number of each deal among those of the matchup with the same decks."""
        if not self.config.named_decks:
            return self.deals
        return self.deals // len(deck_pairs(tuple(self.config.named_decks), is_mirror(self.chunk.pair)))

    def _deck_names(self, choices: list[Names]) -> list[np.ndarray]:
        return [names([choice[seat] for choice in choices], self.decks) for seat in range(2)]

    def _seeds_of_seats(self, role: str) -> np.ndarray:
        known = self._deck_names(self.deck_choices) if self.config.named_decks else []
        sitting = (names(self.chunk.pair, self.swapped), names(self.chunk.pair, 1 - self.swapped))
        return np.stack([self._seeds(role, *known, self._rounds, sitting[seat], seat) for seat in range(2)], axis=1)

    def _seeds(self, role: str, *key: np.ndarray | int) -> np.ndarray:
        return derived_seeds(self.config.seed, role, matchup_key(*self.chunk.pair), *key)
