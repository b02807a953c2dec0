"""Whether a seat has learned anything between two of its decisions: what lets a search go on where it had stopped."""

import numpy as np

from duelbench.agents.agent import Position
from duelbench.envs import dispatch
from duelbench.envs.game import Game

WORLDS = 8
"""Worlds in which the same must have come of the action; what would show in one of two worlds escapes 1 time in 128."""


class Memory:
    """The last searched position and the action taken there.

    The seat has learned nothing if its action leads to the very position it is in now, as it sees it, in all of
    WORLDS worlds that it held possible, without a word of the other seat's choices. A card drawn, a choice come to
    light or a move of the other seat would tell the worlds apart.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._roots, self._worlds = game.new_states(1), game.new_states(1)
        self.action = 0
        """The action that was taken."""
        self._kept = False

    def forget(self) -> None:
        self._kept = False

    def keep(self, position: Position, action: int) -> None:
        self._roots[0] = position.root
        self.action = action
        self._kept = True

    def told_since(self, position: Position) -> np.ndarray | None:
        """int16[2], what the action let each seat learn (`told` of a state); None if this seat has learned anything."""
        if not self._kept or self._roots[0].to_act != position.seat or _choices_are_open(position):
            return None
        ends = [self._end(position, seed) for seed in range(WORLDS)]
        return ends[0] if all(end is not None for end in ends) else None

    def _end(self, position: Position, seed: int) -> np.ndarray | None:
        """What the action told in one world, None if the seat can tell its end from the position."""
        self._worlds[0] = self._roots[0]
        world, seat = self._worlds[0], position.seat
        dispatch.determinize(position.table, world, seat, np.uint64(seed))
        dispatch.apply(position.table, world, self.action)
        if world.over or world.to_act != seat or world.told[seat] != dispatch.NOTHING_TOLD:
            return None
        same = np.array_equal(self._game.observation(position.table, world, seat), position.observation)
        return world.told.copy() if same else None


def _choices_are_open(position: Position) -> bool:
    """Whether the other seat has chosen something that this seat has not been told."""
    states = position.game.new_states(1)
    states[0] = position.root
    dispatch.rewind(position.table, states[0])
    return int(states[0].to_act) != position.seat
