"""The work that is timed: this toolkit's side."""

import itertools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from duelbench.agents.agent import OpenPosition, Position, position_of
from duelbench.agents.catalogue import AgentSpec, make_agent, parse_spec
from duelbench.agents.policy import Policy, fingerprint, save_policy
from duelbench.agents.search_agent import SearchAgent
from duelbench.agents.training import TrainSettings
from duelbench.envs.aec import GameEnv
from duelbench.envs.batch import Batch, random_actions
from duelbench.envs.game import Game
from duelbench.envs.playout import random_action, random_games
from duelbench.envs.rng import new_stream, next_bits, numpy_generator
from duelbench.experiments.bench.timing import Chunk
from duelbench.experiments.bench.whole_games import replayed_chunk, rows_chunk

LANES = 1024
SIMULATIONS = 1000
_PLAYED_GAMES = 200
_BATCH_STEPS = 20
_AEC_GAMES = 10
_SEARCHED_GAMES = 16


def playout_chunk(game: Game) -> Chunk:
    """Random games, dealt and played by one compiled call."""
    table, state, dice = game.table(), game.new_state(), new_stream(1)
    mask, tally = np.zeros(game.num_actions, np.int8), np.zeros(4, np.int64)

    def chunk() -> int:
        before = int(tally[3])
        random_games(table, state, dice, mask, np.uint64(next_bits(dice)), _PLAYED_GAMES, tally)
        return int(tally[3]) - before

    return chunk


def batch_chunk(game: Game) -> Chunk:
    """Steps of a checking batch in one thread; drawing the random actions is part of the work, as for the peer."""
    batch, dice = Batch(game, None, LANES), new_stream(1)
    actions = np.zeros(LANES, np.int64)
    batch.reset(np.arange(LANES))

    def chunk() -> int:
        for _ in range(_BATCH_STEPS):
            random_actions(dice, batch.masks, actions)
            batch.step(actions)
        return _BATCH_STEPS * LANES

    return chunk


def aec_chunk(game: Game) -> Chunk:
    return aec_games(GameEnv(game))


def aec_games(env: Any) -> Chunk:
    """Random games in a PettingZoo environment, by the loop of its manual; the bows after the end are no decisions."""
    env.reset(seed=1)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)

    def chunk() -> int:
        return sum(_aec_game(env) for _ in range(_AEC_GAMES))

    return chunk


def _aec_game(env: Any) -> int:
    decisions = 0
    env.reset()
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
        else:
            env.step(env.action_space(agent).sample(observation["action_mask"]))
            decisions += 1
    return decisions


def search_chunk(game: Game, count: Callable[[SearchAgent], int], kind: str = "ismcts") -> Chunk:
    """One decision of a searching agent; `count` reads the counter of the agent that is measured."""
    table, stream = game.table(), new_stream(1)
    agent = _searcher(game, table, kind)
    positions = searched_positions(game, table)
    if agent.sees_everything:
        positions = [OpenPosition(game, table, position.root) for position in positions]
    upcoming = itertools.cycle(positions)

    def chunk() -> int:
        before = count(agent)
        agent.act(next(upcoming), stream)
        return count(agent) - before

    return chunk


def simulations_chunk(game: Game, kind: str) -> Chunk:
    return search_chunk(game, lambda agent: agent.simulations_made, kind)


def _searcher(game: Game, table: np.record, kind: str) -> SearchAgent:
    """The agent with its defaults; how often it searches is that of `SIMULATIONS`, but for a led search."""
    if kind != "puct":
        spec = parse_spec({"type": kind, "simulations": SIMULATIONS}, kind)
        return _made(game, table, spec)
    with tempfile.TemporaryDirectory(prefix="duelbench-bench-") as folder:
        path = Path(folder) / "policy.npz"
        save_policy(path, _untrained_policy(game))
        return _made(game, table, parse_spec({"type": kind, "checkpoint": str(path)}, kind))


def _made(game: Game, table: np.record, spec: AgentSpec) -> SearchAgent:
    agent = make_agent(game, table, {}, spec.for_game(game.name), Path())
    assert isinstance(agent, SearchAgent)
    return agent


def _untrained_policy(game: Game) -> Policy:
    """A network of the default size with small random weights: what it says matters little to its speed."""
    sizes = np.array([game.view_size, *TrainSettings().layers, game.num_actions + 1], np.int64)
    weights = np.random.default_rng(1).normal(0, 0.05, int(((sizes[:-1] + 1) * sizes[1:]).sum()))
    return Policy(weights.astype(np.float32), sizes, fingerprint(game, game.resolved_rules(None)))


def searched_positions(game: Game, table: np.record) -> list[Position]:
    """Every position of some random games in which there is a choice, shuffled."""
    dice, positions = new_stream(2), []
    for seed in range(_SEARCHED_GAMES):
        state = game.dealt(table, seed)
        while not state.over:
            position = position_of(game, table, state, int(next_bits(dice)))
            if len(position.legal_actions) > 1:
                positions.append(position)
            game.play(table, state, int(random_action(dice, position.mask)))
    return [positions[i] for i in numpy_generator(dice).permutation(len(positions))]


def train_chunk(game: Game) -> Chunk:
    """One rollout and update of PPO with the default settings."""
    import torch

    from duelbench.agents.learner import build_model

    torch.set_num_threads(1)
    settings = TrainSettings()
    model, steps = build_model(game, game.table(), settings, seed=1), settings.lanes * settings.rollout

    def chunk() -> int:
        before = model.num_timesteps
        model.learn(steps, reset_num_timesteps=False)
        return int(model.num_timesteps - before)

    return chunk


CHUNKS: dict[str, Callable[[Game], Chunk]] = {
    "playout_steps": playout_chunk,
    "batch_steps": batch_chunk,
    "aec_steps": aec_chunk,
    "search_simulations": lambda game: simulations_chunk(game, "ismcts"),
    "search_decisions": lambda game: search_chunk(game, lambda agent: agent.decisions_made),
    "soismcts_simulations": lambda game: simulations_chunk(game, "soismcts"),
    "pimc_simulations": lambda game: simulations_chunk(game, "pimc"),
    "flat_mc_simulations": lambda game: simulations_chunk(game, "flat_mc"),
    "oracle_mcts_simulations": lambda game: simulations_chunk(game, "oracle_mcts"),
    "puct_simulations": lambda game: simulations_chunk(game, "puct"),
    "train_steps": train_chunk,
    "random_rows": lambda game: rows_chunk(game, "random"),
    "heuristic_rows": lambda game: rows_chunk(game, "heuristic"),
    "replayed_rows": replayed_chunk,
}
"""Measure -> what makes the chunk to be timed for a game, under its default rules."""
