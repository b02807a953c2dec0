"""The rollout buffer of self-play: credit for decisions that two opponents take in turn."""

from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from stable_baselines3.common.vec_env import VecNormalize


def zero_sum_advantages(
    rewards: np.ndarray,
    values: np.ndarray,
    ended: np.ndarray,
    signs: np.ndarray,
    last_values: np.ndarray,
    gamma: float,
    gae_lambda: float,
) -> np.ndarray:
    """Advantages of decisions, each seen by the seat that took it, in a zero-sum game of two.

    Generalized advantage estimation (Schulman et al. 2016, arXiv 1506.02438) in which whatever comes from the
    next decision changes its sign when that decision is the other seat's:

        delta[t] = rewards[t] + gamma * signs[t] * V[t + 1] - V[t]
        A[t] = delta[t] + gamma * gae_lambda * signs[t] * A[t + 1]

    where the terms of t + 1 are dropped if the game ended with decision t. All arrays but the last are
    [decisions, lanes]: `rewards` and `values` from the view of the seat that decides, `ended` 1 where the decision
    ended the game, `signs` +1 where the same seat decides next and -1 where the other does. `last_values` [lanes]
    belongs to the decisions after the last.
    """
    advantages = np.zeros_like(rewards)
    following, next_values = np.zeros_like(last_values), last_values
    for t in reversed(range(len(rewards))):
        carried = gamma * signs[t] * (1 - ended[t])
        following = rewards[t] + carried * next_values - values[t] + gae_lambda * carried * following
        advantages[t] = following
        next_values = values[t]
    return advantages


class SelfPlayRolloutBuffer(MaskableRolloutBuffer):
    """A maskable rollout buffer that knows which seat decides next.

    `signs` is the float32[lanes] array that the environment keeps up to date: +1 where the seat that has just
    decided decides again, -1 where it is the other's turn.
    """

    def __init__(self, *args: Any, signs: np.ndarray, **kwargs: Any) -> None:
        self._signs_now = signs
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        super().reset()
        self.action_masks = np.ones(self.action_masks.shape, np.bool_)
        self.signs = np.ones((self.buffer_size, self.n_envs), np.float32)

    def add(self, *args: Any, **kwargs: Any) -> None:
        self.signs[self.pos] = self._signs_now
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: torch.Tensor, dones: np.ndarray) -> None:
        ended = np.vstack([self.episode_starts[1:], dones.astype(np.float32)])
        last = last_values.detach().cpu().numpy().flatten()
        self.advantages = zero_sum_advantages(
            self.rewards, self.values, ended, self.signs, last, self.gamma, self.gae_lambda
        )
        self.returns = self.advantages + self.values

    @staticmethod
    def swap_and_flatten(arr: np.ndarray) -> np.ndarray:
        """[decisions, lanes, ...] -> [decisions * lanes, ...]; no swap and so no copy, as it is shuffled anyway."""
        return arr.reshape(arr.shape[0] * arr.shape[1], *(arr.shape[2:] or (1,)))

    def _get_samples(  # type: ignore[override]
        self, batch_inds: np.ndarray, env: VecNormalize | None = None
    ) -> MaskableRolloutBufferSamples:
        rows = torch.from_numpy(batch_inds)
        whole = (self.observations, self.actions, self.values, self.log_probs, self.advantages, self.returns)
        seen, taken, *numbers = (torch.from_numpy(array)[rows] for array in whole)
        values, log_probs, advantages, returns = (column.flatten() for column in numbers)
        masks = torch.from_numpy(self.action_masks)[rows]
        return MaskableRolloutBufferSamples(seen, taken, values, log_probs, advantages, returns, masks)
