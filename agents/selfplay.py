"""Self-play as a vector environment: many games side by side, each lane always seen by the seat to act."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from duelbench.agents.agent import Agent
from duelbench.agents.heuristic import heuristic_player
from duelbench.agents.opponents import LATEST, Opponents, Shares
from duelbench.envs.batch import Batch
from duelbench.envs.game import Game


class SelfPlayVecEnv(VecEnv):
    """`lanes` games of one kind under one table, for Stable-Baselines3.

    In the lanes of the share `opponents.latest` the learner plays both seats: an observation, its mask and its reward
    always belong to the seat that decides, and `signs` (float32[lanes]) says after each step whether the next
    decision is the same seat's (+1) or the other's (-1), which the rollout buffer needs. In the other lanes it plays
    one seat, drawn for each game, its opponent decides unseen in between, and `signs` stays at +1. With an
    `opponent` (an agent that remembers nothing from game to game) all lanes are against that one.

    A game that ends is over, never cut off, so no terminal observations are handed out.
    """

    def __init__(
        self,
        game: Game,
        table: np.record,
        lanes: int,
        seed: int,
        opponents: Shares | None = None,
        opponent: Agent | None = None,
    ) -> None:
        self.render_mode = None
        self.signs = np.ones(lanes, np.float32)
        shares = opponents or Shares()
        if opponent is not None:
            shares = Shares(latest=0, heuristic=1)
        elif shares.lanes(lanes)[2]:
            opponent = heuristic_player(game, table)
        self._seeds_of_lanes = np.random.SeedSequence(seed).generate_state(lanes, np.uint64)
        (self._seed_of_opponents,) = np.random.SeedSequence((seed, lanes)).generate_state(1, np.uint64)
        self._batch = Batch(game, table, lanes)
        self._opponents = Opponents(self._batch, shares, opponent)
        self._lanes = np.arange(lanes)
        self._infos: list[dict[str, Any]] = [{} for _ in range(lanes)]
        seen = spaces.Box(-np.inf, np.inf, (game.view_size,), np.float32)
        super().__init__(lanes, seen, spaces.Discrete(game.num_actions))

    def reset(self) -> np.ndarray:
        """Deal all lanes afresh, always the same games in the same order; returns float32[lanes, view_size]."""
        self._batch.reset(self._seeds_of_lanes)
        self._opponents.begin(int(self._seed_of_opponents))
        self._let_opponents_act(np.zeros(len(self._lanes), np.float32), np.ones(len(self._lanes), np.bool_))
        return self._observations()

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Observations, rewards, whether the game ended, and empty infos; raises IllegalAction."""
        batch = self._batch
        acted = batch.to_act.copy()
        alone = self._opponents.who == LATEST
        batch.step(self._actions)
        rewards, ended = batch.rewards[self._lanes, acted], batch.finished != 0
        self._opponents.seat_learner(self._lanes[ended])
        self._let_opponents_act(rewards, ended)
        self.signs[:] = np.where(alone & (batch.to_act != acted), -1, 1)
        return self._observations(), rewards, ended, self._infos

    def _let_opponents_act(self, rewards: np.ndarray, ended: np.ndarray) -> None:
        """Until it is the learner's turn in every lane; its results go into `rewards` and `ended`.

        A game that an opponent ends before the learner's first decision in it is nobody's.
        """
        batch, opponents = self._batch, self._opponents
        while len(lanes := opponents.waiting()):
            batch.step_lanes(lanes, opponents.answers(lanes))
            over = lanes[batch.finished[lanes] != 0]
            told = over[~ended[over]]
            rewards[told] = batch.rewards[told, opponents.seat[told]]
            ended[told] = True
            opponents.seat_learner(over)

    def add_snapshot(self, weights: np.ndarray, sizes: np.ndarray) -> None:
        """A past self to play against, laid out as in `duelbench.agents.policy`."""
        self._opponents.add_past_self(weights, sizes)

    def state(self) -> dict[str, np.ndarray]:
        """All that the games to come follow from beside the learner's actions, for `restore`."""
        parts = {"batch": self._batch.snapshot(), "opponents": self._opponents.snapshot()}
        return {f"{part}.{name}": array for part, arrays in parts.items() for name, array in arrays.items()}

    def restore(self, state: dict[str, np.ndarray]) -> np.ndarray:
        """Go on from what `state` gave; returns the observations, float32[lanes, view_size]."""
        for part, owner in (("batch", self._batch), ("opponents", self._opponents)):
            start = f"{part}."
            owner.restore({name.removeprefix(start): a for name, a in state.items() if name.startswith(start)})
        return self._observations()

    def _observations(self) -> np.ndarray:
        # Memory of torch's own is aligned alike in every process; the order of its sums can depend on that.
        return torch.tensor(self._batch.observations).numpy()

    def action_masks(self) -> np.ndarray:
        """bool[lanes, num_actions]: what the seat to act may do in each lane."""
        return self._batch.masks != 0

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> list[Any]:
        """The rows of `action_masks`, one a lane: the only method that learners ask for."""
        if method_name != "action_masks":
            raise AttributeError(method_name)
        masks = self.action_masks()
        return [masks[lane] for lane in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        raise AttributeError(f"{attr_name} cannot be set: the lanes share one engine")

    def env_is_wrapped(self, wrapper_class: Any, indices: VecEnvIndices = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        self._batch.close()
