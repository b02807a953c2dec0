"""Agents as compiled code that another search can ask for their next action, at either seat and in any state.

Each is a named tuple of what it needs; `answer` picks the code by its type. Given a state of which the seat to act
knows a part, an agent looks at that part alone: at the observation, or at a state in which all else was drawn anew.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from duelbench.agents import tarot_heuristic, tommy_heuristic, wizard_heuristic
from duelbench.agents.agent import Agent
from duelbench.agents.choosing import one_of_the_best
from duelbench.agents.policy import choose, pick, workspace
from duelbench.agents.ppo import PPOAgent
from duelbench.agents.random_agent import RandomAgent
from duelbench.agents.search_tree import mix
from duelbench.agents.tarot_heuristic import TarotHeuristic
from duelbench.agents.tommy_heuristic import MAX_TRIES, TommyHeuristic
from duelbench.agents.wizard_heuristic import WizardHeuristic
from duelbench.agents.wizard_worth import WEIGHTS
from duelbench.envs.dispatch import determinize, observe
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.playout import random_action
from duelbench.envs.records import blank
from duelbench.envs.rng import next_bits, uniform


class Uniform(NamedTuple):
    """Every legal action alike."""

    nothing: np.ndarray


class Network(NamedTuple):
    """A trained policy (see `duelbench.agents.policy`)."""

    weights: np.ndarray
    sizes: np.ndarray
    temperature: float
    views: np.ndarray  # one record of the game's view
    observations: np.ndarray  # float32[1, view_size], the same memory
    work: np.ndarray
    probabilities: np.ndarray


class TarotPlayer(NamedTuple):
    views: np.ndarray
    scores: np.ndarray


class TommyPlayer(NamedTuple):
    tables: np.ndarray
    tries: np.ndarray
    first: np.ndarray
    books: np.ndarray
    mask: np.ndarray
    scores: np.ndarray


class WizardPlayer(NamedTuple):
    tables: np.ndarray
    games: np.ndarray
    books: np.ndarray
    mask: np.ndarray
    scores: np.ndarray


class Tabular(NamedTuple):
    """A strategy written out for everything that a seat may observe, in a game small enough for that."""

    keys: np.ndarray  # uint64[power of two]: `key_of_seen` of an observation, 0 where free
    rows: np.ndarray  # int64, alike: its row of `chances`
    chances: np.ndarray  # float64[observations, num_actions]
    views: np.ndarray
    numbers: np.ndarray  # float32[view_size], the same memory


Known = Uniform | Network | TarotPlayer | TommyPlayer | WizardPlayer | Tabular


def known(game: Game, table: np.record, agent: Agent) -> Known | None:
    """The agent as compiled code; None for one whose play is not compiled."""
    if type(agent) is RandomAgent:
        return Uniform(np.zeros(0))
    if type(agent) is PPOAgent:
        return _network(game, agent)
    make = _HEURISTICS.get(type(agent))
    return None if make is None else make(game, table)


def _network(game: Game, agent: PPOAgent) -> Network:
    views = blank(1, game.view_dtype)
    observations = views.view(np.float32).reshape(1, -1)
    weights, sizes = agent.policy.weights, agent.policy.sizes
    work, probabilities = workspace(sizes), np.zeros(game.num_actions)
    return Network(weights, sizes, agent.temperature, views, observations, work, probabilities)


def _tarot(game: Game, table: np.record) -> TarotPlayer:
    return TarotPlayer(blank(1, game.view_dtype), np.zeros(game.num_actions))


def _tommy(game: Game, table: np.record) -> TommyPlayer:
    tries, books = game.new_states(MAX_TRIES), blank(1, tommy_heuristic.BOOK)
    mask, scores = np.zeros(game.num_actions, np.int8), np.zeros(game.num_actions)
    return TommyPlayer(_one(table), tries, np.zeros(MAX_TRIES, np.int64), books, mask, scores)


def _wizard(game: Game, table: np.record) -> WizardPlayer:
    books = blank(1, wizard_heuristic.BOOK)
    for name, weight in WEIGHTS.items():
        books[0].taste[name] = weight
    mask, scores = np.zeros(game.num_actions, np.int8), np.zeros(game.num_actions)
    return WizardPlayer(_one(table), game.new_states(1), books, mask, scores)


def tabular(game: Game, observations: list[tuple[int, np.ndarray]], chances: np.ndarray) -> Tabular:
    """A strategy as a player: `chances` (float64[observations, num_actions]) by seat and observation.

    Raises ValueError when one observation of a seat is played in two ways.
    """
    slots = 2 << len(observations).bit_length()
    keys, rows = np.zeros(slots, np.uint64), np.zeros(slots, np.int64)
    for row, (seat, seen) in enumerate(observations):
        key = np.uint64(key_of_seen(np.uint64(seat + 1), seen))
        slot = slot_of(keys, key)
        if keys[slot] != 0 and not np.array_equal(chances[rows[slot]], chances[row]):
            raise ValueError(f"what seat {seat} observes is not all that the strategy goes by")
        keys[slot], rows[slot] = key, row
    views = blank(1, game.view_dtype)
    return Tabular(keys, rows, chances, views, views.view(np.float32).ravel())


@rule
def key_of_seen(key, numbers):
    """The hash of 64 bits of `key` and an observation."""
    for i in range(numbers.shape[0]):
        if numbers[i] != 0:
            key = mix(key, np.int64(i * 4096.0 + numbers[i] * 1024.0))
    return key


@rule
def slot_of(keys, key):
    """Where `key` stands, or where it is to be put."""
    last = keys.shape[0] - 1
    slot = np.int64(key & np.uint64(last))
    while keys[slot] != 0 and keys[slot] != key:
        slot = (slot + 1) & last
    return slot


def _one(table: np.record) -> np.ndarray:
    tables = blank(1, table.dtype)
    tables[0] = table
    return tables


_HEURISTICS: dict[type[Agent], Callable[[Game, np.record], Known]] = {
    TarotHeuristic: _tarot,
    TommyHeuristic: _tommy,
    WizardHeuristic: _wizard,
}


def answer(player: Any, table: Any, state: Any, mask: Any, stream: Any) -> Any:
    """What the player does at the decision of `state`; `mask` (int8) has its legal actions, `stream` draws for it."""
    return _CODE[type(player)](player, table, state, mask, stream)


@overload(answer)
def _answer(player, table, state, mask, stream):
    function = _CODE[player.instance_class]
    return lambda player, table, state, mask, stream: function(player, table, state, mask, stream)


@rule
def answer_uniformly(player, table, state, mask, stream):
    return random_action(stream, mask)


@rule
def answer_by_network(player, table, state, mask, stream):
    observe(table, state, state.to_act, player.views[0])
    seen, work, chances = player.observations[0], player.work, player.probabilities
    return choose(player.weights, player.sizes, seen, mask, player.temperature, stream, work, chances)


@rule
def answer_in_tarot(player, table, state, mask, stream):
    observe(table, state, state.to_act, player.views[0])
    tarot_heuristic.score_actions(table, player.views[0], mask, player.scores)
    return one_of_the_best(player.scores, stream)


@rule
def answer_in_tommy(player, table, state, mask, stream):
    player.tries[0] = state
    determinize(table, player.tries[0], state.to_act, next_bits(stream))
    scratch = player.scores
    tommy_heuristic.score_actions(player.tables, player.tries, player.first, player.books, player.mask, scratch)
    return one_of_the_best(scratch, stream)


@rule
def answer_in_wizard(player, table, state, mask, stream):
    player.games[0] = state
    determinize(table, player.games[0], state.to_act, next_bits(stream))
    wizard_heuristic.score_actions(player.tables, player.games, player.books, player.mask, player.scores)
    return player.scores.argmax()


@rule
def answer_by_table(player, table, state, mask, stream):
    observe(table, state, state.to_act, player.views[0])
    key = key_of_seen(np.uint64(state.to_act + 1), player.numbers)
    return pick(player.chances[player.rows[slot_of(player.keys, key)]], mask, uniform(stream))


_CODE: dict[type, Callable[..., Any]] = {
    Uniform: answer_uniformly,
    Network: answer_by_network,
    TarotPlayer: answer_in_tarot,
    TommyPlayer: answer_in_tommy,
    WizardPlayer: answer_in_wizard,
    Tabular: answer_by_table,
}
