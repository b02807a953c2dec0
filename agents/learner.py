"""MaskablePPO of sb3-contrib learning by self-play, and the network it leaves behind."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from duelbench.agents.rollout import SelfPlayRolloutBuffer
from duelbench.agents.selfplay import SelfPlayVecEnv
from duelbench.agents.training import Progress, TrainSettings
from duelbench.envs.game import Game

LAST_RATE = 0.05
"""The learning rate falls linearly to this part of itself."""

ILLEGAL = -1e8
"""The logit of an illegal action: its probability is then exactly 0 in float32."""


class Trunk(BaseFeaturesExtractor):
    """The hidden layers, shared by the policy and the value: half the work of two networks."""

    def __init__(self, observation_space: spaces.Box, layers: list[int]) -> None:
        super().__init__(observation_space, layers[-1])
        widths = [observation_space.shape[0], *layers]
        pairs = zip(widths, layers, strict=False)
        self.net = nn.Sequential(*(m for pair in pairs for m in (nn.Linear(*pair), nn.ReLU())))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return self.net(observations)


class MaskedSoftmax(MaskableCategoricalDistribution):
    """The distribution of sb3-contrib in a third of its time: normalized once, after masking, and never checked.

    It is always masked: without a mask there is no distribution to ask.
    """

    def proba_distribution(self, action_logits: torch.Tensor) -> "MaskedSoftmax":
        self._logits = action_logits
        return self

    def apply_masking(self, masks: Any) -> None:
        legal = torch.as_tensor(masks, dtype=torch.bool).reshape(self._logits.shape)
        self._log_chances = torch.log_softmax(self._logits.masked_fill(~legal, ILLEGAL), dim=-1)
        self._chances = self._log_chances.exp()

    def log_prob(self, actions: torch.Tensor) -> torch.Tensor:
        return self._log_chances.gather(-1, actions.unsqueeze(-1)).squeeze(-1)

    def entropy(self) -> torch.Tensor:
        return -(self._chances * self._log_chances).sum(-1)

    def sample(self) -> torch.Tensor:
        """The first action at which the summed chances pass a random point."""
        reached = self._chances.cumsum(-1)
        # The point stays below the last sum also when rounded, so an action of chance 0 is never the first.
        points = torch.rand(len(reached), 1) * (1 - 1e-6) * reached[:, -1:]
        return (reached > points).to(torch.int8).argmax(-1)

    def mode(self) -> torch.Tensor:
        return self._chances.argmax(-1)


class _Reporter(BaseCallback):
    """Tells `on_progress` after every update how far the training is."""

    def __init__(self, total: int, on_progress: Progress) -> None:
        super().__init__()
        self._total, self._on_progress = total, on_progress

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        self._report()

    def _on_training_end(self) -> None:
        self._report()

    def _report(self) -> None:
        names = ("entropy_loss", "value_loss", "approx_kl", "clip_fraction", "explained_variance")
        seen = self.logger.name_to_value
        info = {name: float(seen[f"train/{name}"]) for name in names if f"train/{name}" in seen}
        if "entropy_loss" in info:
            info["entropy"] = -info.pop("entropy_loss")
        self._on_progress(self.num_timesteps, self._total, info)


def build_model(game: Game, table: np.record, settings: TrainSettings, seed: int) -> MaskablePPO:
    """A fresh learner; everything random in it and in its games comes from `seed`."""
    torch_seed, dealer_seed = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    env = SelfPlayVecEnv(game, table, settings.lanes, int(dealer_seed))
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=_falling(settings.learning_rate),
        n_steps=settings.rollout,
        batch_size=settings.batch_size,
        n_epochs=settings.epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        clip_range=settings.clip,
        ent_coef=settings.entropy,
        rollout_buffer_class=SelfPlayRolloutBuffer,
        rollout_buffer_kwargs={"signs": env.signs},
        policy_kwargs={
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"layers": settings.layers},
            "net_arch": {"pi": [], "vf": []},
        },
        seed=int(torch_seed >> np.uint64(32)),  # torch and NumPy take 32 bits
        device="cpu",
    )
    model.policy.action_dist = MaskedSoftmax(game.num_actions)
    return model


def _falling(rate: float) -> Callable[[float], float]:
    return lambda remaining: rate * max(remaining, LAST_RATE)


def total_steps(settings: TrainSettings) -> int:
    """The decisions that will be made: `steps`, rounded up to whole rollouts."""
    rollout = settings.lanes * settings.rollout
    return math.ceil(settings.steps / rollout) * rollout


def learn(
    game: Game, table: np.record, settings: TrainSettings, seed: int, on_progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """Train and return the network as (weights, sizes), laid out as `duelbench.agents.policy` wants it."""
    # A second thread gains little on an idle machine, loses much on a busy one, and changes the order of sums.
    torch.set_num_threads(1)
    model = build_model(game, table, settings, seed)
    total = total_steps(settings)
    model.learn(total, callback=_Reporter(total, on_progress), log_interval=None)  # type: ignore[arg-type]
    return network(model.policy)


def network(policy: Any) -> tuple[np.ndarray, np.ndarray]:
    """The parameters of a learner's policy as (weights, sizes), laid out as `duelbench.agents.policy` wants it."""
    hidden = [layer for layer in policy.features_extractor.net if isinstance(layer, nn.Linear)]
    matrices = [_numpy(layer.weight).T for layer in hidden]
    biases = [_numpy(layer.bias) for layer in hidden]
    heads = (policy.action_net, policy.value_net)
    matrices.append(np.hstack([_numpy(head.weight).T for head in heads]))
    biases.append(np.hstack([_numpy(head.bias) for head in heads]))
    sizes = np.array([matrices[0].shape[0], *(len(bias) for bias in biases)], np.int64)
    parts = [part.ravel() for pair in zip(matrices, biases, strict=True) for part in pair]
    return np.concatenate(parts).astype(np.float32), sizes


def _numpy(parameter: torch.Tensor) -> np.ndarray:
    return parameter.detach().cpu().numpy()
