"""A PettingZoo game as the single-agent environment of PettingZoo's tutorial for Stable-Baselines3."""

from typing import Any

import gymnasium
import numpy as np


class SingleAgentEnv(gymnasium.Env[np.ndarray, int]):
    """Whoever is to move sees its own board; the reward is that of the seat that has just moved.

    It is what the tutorial's readers train with, kept to measure its speed. `duelbench.agents.selfplay` is what
    policies are trained with here: it also tells whose turn comes next.
    """

    def __init__(self, env: Any) -> None:
        self._env = env
        first = env.possible_agents[0]
        self.observation_space = env.observation_space(first)["observation"]
        self.action_space = env.action_space(first)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        self._env.reset(seed=seed, options=options)
        return self._observation(), {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        env = self._env
        mover = env.agent_selection
        env.step(action)
        books = env.rewards, env.terminations, env.truncations, env.infos
        return (self._observation(), *(book[mover] for book in books))

    def action_mask(self) -> np.ndarray:
        return self._seen()["action_mask"]

    def _observation(self) -> np.ndarray:
        return self._seen()["observation"]

    def _seen(self) -> dict[str, np.ndarray]:
        return self._env.observe(self._env.agent_selection)


def connect_four() -> SingleAgentEnv:
    from pettingzoo.classic import connect_four_v3

    return SingleAgentEnv(connect_four_v3.env())


def mask_of(env: Any) -> np.ndarray:
    return env.action_mask()
