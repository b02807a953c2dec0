"""What cards did in a scene, or in a whole game, by the names of what is counted."""

from typing import Any

import numpy as np

from duelbench.envs.card_counts import CardCounter, use_of
from duelbench.envs.game import Game

COUNTED = "copies dealt drawn taken fired negated wasted won ahead level behind first_turn".split()
"""The rows of a tally before the ways of playing."""


class Uses:
    """Counts the uses of cards from the state that is given on; `uses[seat, card]` are those that are not 0."""

    def __init__(self, game: Game, table: np.record, state: np.record) -> None:
        self.game, self.state = game, state
        self.counter = CardCounter(game, table, state)
        self.names = [*COUNTED, *use_of(game).ways]

    def act(self, carry_out: Any, *actions: str) -> None:
        """Count each action, which `carry_out(action)` takes on the state."""
        for action in actions:
            ahead = self.counter.lead(self.state)
            carry_out(action)
            self.counter.read(self.state, ahead)

    def __getitem__(self, key: tuple[int, int]) -> dict[str, int]:
        """What the card of that number did for the seat, without its copies."""
        seat, card = key
        counted = zip(self.names[1:], self.counter.tally[seat, 1:, card], strict=True)
        return {name: int(number) for name, number in counted if number}

    def total(self, name: str) -> int:
        """Of all cards of both seats."""
        return int(self.counter.tally[:, self.names.index(name)].sum())
