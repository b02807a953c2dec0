"""What an agent is given, and what it answers."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import ClassVar

import numpy as np

from duelbench.envs import dispatch
from duelbench.envs.batch import Batch
from duelbench.envs.game import Game
from duelbench.envs.rng import next_bits


class Position:
    """What the seat to act may know.

    `root` is a state drawn at random from those that this seat holds possible: everything the seat knows is in
    it, everything else is made up. The true state is nowhere in here, so an agent cannot peek.

    To look ahead, copy the root and play on in the copy:

        worlds = position.game.new_states(1)
        worlds[0] = position.root
        position.game.play(position.table, worlds[0], action)

    `duelbench.envs.dispatch.determinize` redraws the made-up part. The table is everybody's and must not be changed.
    """

    def __init__(self, game: Game, table: np.record, root: np.record) -> None:
        self.game = game
        self.table = table
        self.root = root
        self.seat = int(root.to_act)

    @cached_property
    def observation(self) -> np.ndarray:
        """float32[game.view_size], the seat's observation."""
        return self.game.observation(self.table, self.root, self.seat)

    @cached_property
    def mask(self) -> np.ndarray:
        """int8[game.num_actions], 1 for a legal action."""
        return self.game.mask(self.table, self.root)

    @cached_property
    def legal_actions(self) -> list[int]:
        return [int(action) for action in np.flatnonzero(self.mask)]

    def action_name(self, action: int) -> str:
        return self.game.action_name(self.table, self.root, action)


def position_of(game: Game, table: np.record, state: np.record, seed: int) -> Position:
    """The position of the seat to act in `state`; `seed` (below 2**64) draws the made-up part of its root."""
    roots = game.new_states(1)
    roots[0] = state
    root = roots[0]
    dispatch.determinize(table, root, int(root.to_act), np.uint64(seed))
    return Position(game, table, root)


class OpenPosition(Position):
    """The position of a seat that sees everything: `root` is the true state. For agents that say they cheat."""


class Agent(ABC):
    """A player of one game under one table of rules.

    A config names a class of one's own as `type: "module:Class"`; it is made as `Class(game, table, **parameters)`
    with the parameters of the config. An answer may depend on the position, the stream and the games since `begin`
    alone: never on the clock, on global randomness or on other games.
    """

    sees_everything: ClassVar[bool] = False
    """Whether it is given the true state (`OpenPosition`): a yardstick that cheats, which ratings leave out."""

    def __init__(self, game: Game, table: np.record) -> None:  # noqa: B027  (most agents need neither)
        """`table` holds the cards and rule options of the games to come."""

    def begin(self, seat: int) -> None:  # noqa: B027  (agents without a memory need not care)
        """A new game starts, in which the agent sits on `seat`. Agents with a memory forget it here."""

    @abstractmethod
    def act(self, position: Position, rng: np.record) -> int:
        """A legal action for `position.seat`.

        `rng` is the agent's stream for this game (`duelbench.envs.rng.STREAM`): pass it to `below`, `uniform`,
        `shuffle` or `numpy_generator` of that module, and draw from nothing else.
        """

    def answers(self, batch: Batch, lanes: np.ndarray, streams: np.ndarray) -> np.ndarray:
        """int64[len(lanes)]: what the agent does in these lanes of `batch`, for agents that remember nothing.

        `streams` (STREAM[1]) draws the unseen part of each position, and for the agent. Agents whose play is compiled
        do better than this: one call for all lanes.
        """
        actions = np.zeros(len(lanes), np.int64)
        for n, lane in enumerate(lanes):
            world = int(next_bits(streams[0]))
            actions[n] = self.act(position_of(batch.game, batch.table, batch.states[lane], world), streams[0])
        return actions


def position_for(agent: Agent, game: Game, table: np.record, state: np.record, seed: int) -> Position:
    """What `agent` is given when it is to act in `state`: `position_of`, or for one that sees everything the truth."""
    if not type(agent).sees_everything:  # what was checked when it was loaded, whatever it has set on itself since
        return position_of(game, table, state, seed)
    roots = game.new_states(1)
    roots[0] = state
    return OpenPosition(game, table, roots[0])
