"""Agents as opponents of the Gymnasium environments."""

from collections.abc import Callable

import numpy as np

from duelbench.agents.agent import Agent, position_of
from duelbench.agents.policy import Policy, choose, workspace
from duelbench.envs.batch import Batch
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.playout import random_action
from duelbench.envs.records import blank
from duelbench.envs.rng import STREAM, new_stream, next_bits


class AgentOpponent:
    """One agent in one game after the other (an `Opponent`); it never sees the true state, only positions."""

    def __init__(self, game: Game, table: np.record, agent: Agent) -> None:
        self._game, self._table, self._agent = game, table, agent

    def begin(self, seat: int, seed: int) -> None:
        first = new_stream(seed)
        self._stream = new_stream(int(next_bits(first)))
        self._worlds = new_stream(int(next_bits(first)))
        self._agent.begin(seat)

    def answer(self, state: np.record) -> int:
        position = position_of(self._game, self._table, state, int(next_bits(self._worlds)))
        return self._agent.act(position, self._stream)


class AgentsInLanes:
    """An agent for every lane, asked one after the other (`LaneOpponents`); `make` is called once a lane."""

    def __init__(self, game: Game, table: np.record, lanes: int, make: Callable[[], Agent]) -> None:
        self._players = [AgentOpponent(game, table, make()) for _ in range(lanes)]

    def begin(self, lanes: np.ndarray, seats: np.ndarray, seeds: np.ndarray) -> None:
        for lane, seat, seed in zip(lanes.tolist(), seats.tolist(), seeds.tolist(), strict=True):
            self._players[lane].begin(seat, seed)

    def answers(self, batch: Batch, lanes: np.ndarray) -> np.ndarray:
        return np.array([self._players[lane].answer(batch.states[lane]) for lane in lanes.tolist()], np.int64)


@rule
def _begin_streams(streams, firsts, lanes, seeds):
    """As `AgentOpponent.begin` has it: the agent's stream starts at the first number drawn from the seed."""
    for n in range(lanes.shape[0]):
        firsts[0].rng = seeds[n]
        streams[lanes[n]].rng = next_bits(firsts[0])


@rule
def _random_answers(streams, masks, lanes, actions):
    for n in range(lanes.shape[0]):
        actions[n] = random_action(streams[lanes[n]], masks[lanes[n]])


@rule
def _policy_answers(streams, masks, views, lanes, weights, sizes, temperature, work, probabilities, actions):
    for n in range(lanes.shape[0]):
        lane = lanes[n]
        stream = streams[lane]
        actions[n] = choose(weights, sizes, views[lane], masks[lane], temperature, stream, work, probabilities)


class CompiledInLanes:
    """The random player, or a trained policy, in all lanes at once: answers as `AgentsInLanes` would.

    An observation and its mask tell nothing but what the seat knows, so no world has to be drawn for these two.
    """

    def __init__(self, game: Game, lanes: int, policy: Policy | None = None, temperature: float = 1.0) -> None:
        """`policy` None plays at random; a temperature of 0 takes the policy's likeliest action."""
        self._policy, self._temperature = policy, temperature
        self._work = None if policy is None else workspace(policy.sizes)
        self._probabilities = np.zeros(game.num_actions)
        self._streams = blank(lanes, STREAM)
        self._firsts = blank(1, STREAM)

    def begin(self, lanes: np.ndarray, seats: np.ndarray, seeds: np.ndarray) -> None:
        _begin_streams(self._streams, self._firsts, lanes, seeds)

    def answers(self, batch: Batch, lanes: np.ndarray) -> np.ndarray:
        actions = np.zeros(len(lanes), np.int64)
        policy = self._policy
        if policy is None:
            _random_answers(self._streams, batch.masks, lanes, actions)
        else:
            seen, masks = batch.observations, batch.masks
            network = policy.weights, policy.sizes, self._temperature, self._work, self._probabilities
            _policy_answers(self._streams, masks, seen, lanes, *network, actions)
        return actions
