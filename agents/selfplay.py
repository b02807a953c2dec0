"""Self-play as a vector environment: many games side by side, each lane always seen by the seat to act."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from duelbench.envs.batch import Batch
from duelbench.envs.game import Game


class SelfPlayVecEnv(VecEnv):
    """`lanes` games of one kind under one table, for Stable-Baselines3; the learner plays both seats.

    An observation, its mask and its reward always belong to the seat that decides; `signs` (float32[lanes]) says
    after each step whether the next decision is the same seat's (+1) or the other's (-1), which the rollout buffer
    needs. A game that ends is over, never cut off, so no terminal observations are handed out.
    """

    def __init__(self, game: Game, table: np.record, lanes: int, seed: int) -> None:
        self.render_mode = None
        self.signs = np.ones(lanes, np.float32)
        self._seeds_of_lanes = np.random.SeedSequence(seed).generate_state(lanes, np.uint64)
        self._batch = Batch(game, table, lanes)
        self._lanes = np.arange(lanes)
        self._infos: list[dict[str, Any]] = [{} for _ in range(lanes)]
        seen = spaces.Box(-np.inf, np.inf, (game.view_size,), np.float32)
        super().__init__(lanes, seen, spaces.Discrete(game.num_actions))

    def reset(self) -> np.ndarray:
        """Deal all lanes afresh, always the same games in the same order; returns float32[lanes, view_size]."""
        self._batch.reset(self._seeds_of_lanes)
        return self._observations()

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Observations, rewards, whether the game ended, and empty infos; raises IllegalAction."""
        batch = self._batch
        acted = batch.to_act.copy()
        batch.step(self._actions)
        self.signs[:] = np.where(batch.to_act == acted, 1, -1)
        return self._observations(), batch.rewards[self._lanes, acted], batch.finished != 0, self._infos

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
