"""The agent that plays a trained policy. Playing needs no torch."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from duelbench.agents.agent import Agent, Position
from duelbench.agents.compiled import register
from duelbench.agents.policy import choose, load_policy, workspace
from duelbench.envs.batch import Batch
from duelbench.envs.dispatch import observe
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.records import blank


class PPOAgent(Agent):
    """Draws its actions from a policy trained by PPO.

    In a game of hidden information a player who always takes the likeliest action can be read, so the default
    is to draw: `temperature` sharpens (below 1) or flattens (above 1) the policy, `deterministic` takes the
    likeliest action.
    """

    def __init__(
        self,
        game: Game,
        table: np.record,
        rules: Mapping[str, Any] | None,
        checkpoint_path: str | Path,
        temperature: float = 1.0,
        deterministic: bool = False,
        where: str = "ppo",
    ) -> None:
        """Load the policy; raises BadInput, beginning with `where`, when it does not fit `game` and `rules`."""
        if not 0.01 <= temperature <= 100.0:
            raise BadInput(f"{where}: temperature is {temperature}; allowed: 0.01 to 100")
        self.policy = load_policy(checkpoint_path, game, rules, where)
        self._view_dtype = game.view_dtype
        self.temperature = 0.0 if deterministic else float(temperature)
        self._work = workspace(self.policy.sizes)
        self._probabilities = np.zeros(game.num_actions)

    def act(self, position: Position, rng: np.record) -> int:
        policy = self.policy
        return int(
            choose(
                policy.weights,
                policy.sizes,
                position.observation,
                position.mask,
                self.temperature,
                rng,
                self._work,
                self._probabilities,
            )
        )

    def answers(self, batch: Batch, lanes: np.ndarray, streams: np.ndarray) -> np.ndarray:
        """As in `Agent`; the observations are at hand, so no position is made."""
        policy, scratch = self.policy, (self._work, self._probabilities)
        actions = np.zeros(len(lanes), np.int64)
        for n, lane in enumerate(lanes):
            seen, mask = batch.observations[lane], batch.masks[lane]
            actions[n] = choose(policy.weights, policy.sizes, seen, mask, self.temperature, streams[0], *scratch)
        return actions

    def compiled(self) -> "PPOPlayer":
        views = blank(1, self._view_dtype)
        scratch = (views, views.view(np.float32), self._work, self._probabilities)
        return PPOPlayer(self.policy.weights, self.policy.sizes, self.temperature, *scratch)


class PPOPlayer(NamedTuple):
    """What compiled games know of the agent: its network and temperature, and scratch space."""

    weights: np.ndarray
    sizes: np.ndarray
    temperature: float
    views: np.ndarray  # one record of the game's view
    observation: np.ndarray  # the same memory as float32[view_size]
    work: np.ndarray
    probabilities: np.ndarray


@rule
def decide(table, state, mask, world, stream, player):
    observe(table, state, state.to_act, player.views[0])
    return choose(
        player.weights,
        player.sizes,
        player.observation,
        mask,
        player.temperature,
        stream,
        player.work,
        player.probabilities,
    )


register(PPOPlayer, decide)
