"""New decks from known ones: some cards exchanged for others, or the cards of two decks mixed."""

from collections.abc import Sequence

import numpy as np

from duelbench.envs.decks import Deck
from duelbench.envs.game import Game

Cards = tuple[int, ...]
"""A deck's card numbers, ascending: two decks of the same cards are the same."""

_TRIES = 200
"""Children that are thrown away as no decks before a parent is given back unchanged."""


def sorted_cards(deck: Deck) -> Cards:
    return tuple(sorted(deck.cards))


class Breeder:
    """Makes children of decks that keep all rules of the game; every draw comes from `rng`."""

    def __init__(self, game: Game, changes: int, rng: np.random.Generator) -> None:
        assert game.deck_rules is not None
        self._check = game.deck_rules.check
        self._cards = len(game.card_ids)
        self._changes = changes
        self._rng = rng

    def child(self, parents: Sequence[Cards]) -> Cards:
        """A legal deck that is none of the parents, unless none is found: then one of them."""
        first, second = (parents[int(i)] for i in self._rng.integers(len(parents), size=2))
        for _ in range(_TRIES):
            mixed = self._mixed(first, second) if self._rng.random() < 0.3 else first
            found = tuple(sorted(self._changed(mixed)))
            if found not in parents and (self._check is None or self._check(found) is None):
                return found
        return first

    def _mixed(self, first: Cards, second: Cards) -> Cards:
        """Each slot from one or the other: in order of their numbers, cards of one type have the same slots in both."""
        heads = self._rng.random(len(first)) < 0.5
        return tuple(a if head else b for a, b, head in zip(first, second, heads, strict=True))

    def _changed(self, cards: Cards) -> Cards:
        """Up to `changes` slots get the card of another slot or any card of the game: decks like several copies."""
        changed = list(cards)
        for _ in range(int(self._rng.integers(1, self._changes + 1))):
            slot = int(self._rng.integers(len(changed)))
            copied = changed[int(self._rng.integers(len(changed)))]
            changed[slot] = copied if self._rng.random() < 0.4 else int(self._rng.integers(self._cards))
        return tuple(changed)
