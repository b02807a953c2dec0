"""The work that is timed: other libraries, each used the way its own manual shows."""

import importlib.util
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from duelbench.envs.errors import BadInput
from duelbench.experiments.bench.ours import SIMULATIONS, aec_games
from duelbench.experiments.bench.timing import Chunk

_NEEDED = {"open_spiel": "pyspiel", "pettingzoo[classic]": "rlcard", "pygame-ce": "pygame"}
_LEDUC_GAMES = 100
_SEARCHED_GAMES = 64
_PPO_ENVS, _PPO_STEPS, _PPO_BATCH = 8, 2048, 256


@dataclass(frozen=True)
class Peer:
    name: str
    make_chunk: Callable[[], Chunk]


def require_peers() -> None:
    """Raise BadInput with the way to install the peers unless they are there."""
    missing = [name for name, module in _NEEDED.items() if importlib.util.find_spec(module) is None]
    if missing:
        raise BadInput(
            f"bench --peers: not installed: {', '.join(missing)}; install with: make install EXTRAS=dev,peers"
        )


def _leduc(decide: Callable[[Any, random.Random], None]) -> Chunk:
    """Games of OpenSpiel's Leduc poker; `decide` takes a decision, chance is drawn here."""
    import pyspiel

    game, rng = pyspiel.load_game("leduc_poker"), random.Random(1)

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                decide(state, rng)
                decisions += 1
        return decisions

    return lambda: sum(play() for _ in range(_LEDUC_GAMES))


def _decide(state: Any, rng: random.Random) -> None:
    state.apply_action(rng.choice(state.legal_actions()))


def _look_and_decide(state: Any, rng: random.Random) -> None:
    """Build what a learner is shown, as arrays: the information state of the seat to act, and its mask."""
    seat = state.current_player()
    np.asarray(state.information_state_tensor(seat), np.float32)
    np.asarray(state.legal_actions_mask(seat), np.int8)
    _decide(state, rng)


def _leduc_search() -> Chunk:
    """OpenSpiel's own IS-MCTS in C++, with one random play-out a simulation, on positions of random games."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.ISMCTSBot(1, evaluator, 1.4, SIMULATIONS)
    positions: list[Any] = []
    rng = random.Random(2)

    def keep(state: Any, rng: random.Random) -> None:
        positions.append(state.clone())
        _decide(state, rng)

    _leduc(keep)()
    rng.shuffle(positions)
    upcoming = itertools.cycle(positions)

    def chunk() -> int:
        bot.step(next(upcoming))
        return SIMULATIONS

    return chunk


def _leduc_holdem() -> Chunk:
    from pettingzoo.classic import leduc_holdem_v4

    return aec_games(leduc_holdem_v4.env())


def _maskable_ppo() -> Chunk:
    """MaskablePPO on Connect Four, wrapped as PettingZoo's tutorial does, in eight environments.

    Its batches are four times the default, which suits eight environments and is faster.
    """
    import torch
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.wrappers import ActionMasker
    from stable_baselines3.common.vec_env import DummyVecEnv

    from duelbench.experiments.bench.single_agent import connect_four, mask_of

    torch.set_num_threads(1)
    envs = DummyVecEnv([lambda: ActionMasker(connect_four(), mask_of) for _ in range(_PPO_ENVS)])
    model = MaskablePPO("MlpPolicy", envs, n_steps=_PPO_STEPS // _PPO_ENVS, batch_size=_PPO_BATCH, seed=1, device="cpu")

    def chunk() -> int:
        before = model.num_timesteps
        model.learn(_PPO_STEPS, reset_num_timesteps=False)
        return int(model.num_timesteps - before)

    return chunk


PEERS = {
    "playout_steps": Peer("OpenSpiel leduc_poker", lambda: _leduc(_decide)),
    "batch_steps": Peer("OpenSpiel leduc_poker, tensor and mask", lambda: _leduc(_look_and_decide)),
    "aec_steps": Peer("PettingZoo leduc_holdem_v4", _leduc_holdem),
    "search_simulations": Peer("OpenSpiel leduc_poker, ISMCTSBot", _leduc_search),
    "train_steps": Peer("MaskablePPO, 8 x PettingZoo connect_four_v3", _maskable_ppo),
}
"""Measure -> what it is compared with."""
