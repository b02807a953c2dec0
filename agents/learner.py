"""MaskablePPO of sb3-contrib learning by self-play, and the network it leaves behind."""

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

from duelbench.agents.agent import Agent
from duelbench.agents.imitation import ILLEGAL, warm_up
from duelbench.agents.opponents import Shares
from duelbench.agents.rollout import SelfPlayRolloutBuffer
from duelbench.agents.selfplay import SelfPlayVecEnv
from duelbench.agents.training import Progress, TrainSettings, total_steps
from duelbench.agents.training_magnet import HeldPolicy, Magnet
from duelbench.agents.training_schedules import Schedule, entropy_weight, falls_due, learning_rate
from duelbench.envs.game import Game

_MEASURED = ("value_loss", "approx_kl", "clip_fraction", "explained_variance", "learning_rate")


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
        self._log_chances = _log_chances(self._logits, masks)
        self._chances = self._log_chances.exp()

    def log_prob(self, actions: torch.Tensor) -> torch.Tensor:
        return self._log_chances.gather(-1, actions.unsqueeze(-1)).squeeze(-1)

    def entropy(self) -> torch.Tensor:
        return -(self._chances * self._log_chances).sum(-1)

    def divergence(self, logits: torch.Tensor, masks: Any) -> torch.Tensor:
        """The Kullback-Leibler divergence of this distribution from the one with these logits and the same masks."""
        return (self._chances * (self._log_chances - _log_chances(logits, masks))).sum(-1)

    def sample(self) -> torch.Tensor:
        """The first action at which the summed chances pass a random point."""
        reached = self._chances.cumsum(-1)
        # The point stays below the last sum also when rounded, so an action of chance 0 is never the first.
        points = torch.rand(len(reached), 1) * (1 - 1e-6) * reached[:, -1:]
        return (reached > points).to(torch.int8).argmax(-1)

    def mode(self) -> torch.Tensor:
        return self._chances.argmax(-1)


def _log_chances(logits: torch.Tensor, masks: Any) -> torch.Tensor:
    legal = torch.as_tensor(masks, dtype=torch.bool).reshape(logits.shape)
    return torch.log_softmax(logits.masked_fill(~legal, ILLEGAL), dim=-1)


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO whose entropy weight has a schedule, and whose policy may be held back by a magnet."""

    entropy_at: Schedule
    policy: HeldPolicy

    def train(self) -> None:
        weight, magnet = self.entropy_at(self._current_progress_remaining), self.policy.magnet
        if magnet is None:
            self.ent_coef = weight
            super().train()
            return
        self.ent_coef, magnet.entropy_weight = 1.0, weight
        magnet.forget()
        super().train()
        self.logger.record("train/entropy_loss", -float(np.mean(magnet.entropies)))
        self.logger.record("train/magnet_divergence", float(np.mean(magnet.divergences)))
        if falls_due(magnet.settings.every, self.num_timesteps, self.n_steps * self.n_envs):
            magnet.move(self.policy)


def build_model(
    game: Game, table: np.record, settings: TrainSettings, seed: int, opponent: Agent | None = None
) -> SelfPlayPPO:
    """A fresh learner; everything random in it and in its games comes from `seed`.

    With an `opponent`, all its games are against that one.
    """
    torch_seed, dealer_seed = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    shares = Shares(**settings.opponents.model_dump())
    env = SelfPlayVecEnv(game, table, settings.lanes, int(dealer_seed), opponents=shares, opponent=opponent)
    model = SelfPlayPPO(
        HeldPolicy,
        env,
        learning_rate=learning_rate(settings),
        n_steps=settings.rollout,
        batch_size=settings.batch_size,
        n_epochs=settings.epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        clip_range=settings.clip,
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
    model.entropy_at = entropy_weight(settings)
    model.policy.action_dist = MaskedSoftmax(game.num_actions)
    return model


Pause = Callable[["Training"], None]
"""Called before the first rollout, between any two, and after the last update."""


class Training:
    """A training from its first decision to its last, which may be left and taken up again between two rollouts."""

    def __init__(
        self, game: Game, table: np.record, settings: TrainSettings, seed: int, opponent: Agent | None = None
    ) -> None:
        # A second thread gains little on an idle machine, loses much on a busy one, and changes the order of sums.
        torch.set_num_threads(1)
        self.game, self.table, self.settings, self.seed = game, table, settings, seed
        self.total = total_steps(settings)
        self.model = build_model(game, table, settings, seed, opponent)
        self._set_magnet()
        self._resumed_at: int | None = None

    @property
    def decisions(self) -> int:
        """How many decisions the learner has made."""
        return int(self.model.num_timesteps)

    @property
    def env(self) -> SelfPlayVecEnv:
        env = self.model.env
        assert isinstance(env, SelfPlayVecEnv)
        return env

    def network(self) -> tuple[np.ndarray, np.ndarray]:
        """What has been learned, as (weights, sizes) laid out as `duelbench.agents.policy` wants it."""
        return network(self.model.policy)

    def measured(self) -> dict[str, float]:
        """What the last update said of itself, by name; nothing before the first."""
        seen = {name.removeprefix("train/"): value for name, value in self.model.logger.name_to_value.items()}
        if "entropy_loss" not in seen:
            return {}
        told = {"entropy": -seen["entropy_loss"], "entropy_weight": self.model.entropy_at(self._remaining())}
        names = (*_MEASURED, "magnet_divergence") if self.settings.magnet else _MEASURED
        return {name: float(value) for name, value in (told | {name: seen[name] for name in names}).items()}

    def run(self, pause: Pause) -> None:
        """Train to the end, or on to the end after `resumed_at`."""
        fresh = self._resumed_at is None
        if fresh:
            self._begin()
        self.model.learn(
            self.total - self.decisions,
            callback=_Pauses(self, pause),
            log_interval=None,  # type: ignore[arg-type]
            reset_num_timesteps=fresh,
        )

    def resumed_at(self, decisions: int) -> None:
        """The model has been restored as it was after so many decisions; `run` goes on from there."""
        self._resumed_at = self.model.num_timesteps = decisions

    def is_resumed_here(self) -> bool:
        """Whether nothing has happened since the training was taken up again."""
        return self._resumed_at == self.decisions

    def remember_self(self) -> None:
        """The policy joins the past selves, if these are played against."""
        if self.settings.opponents.history > 0:
            self.env.add_snapshot(*self.network())

    def _begin(self) -> None:
        if self.settings.warm_up:
            self._warm_up()
        self.remember_self()

    def _warm_up(self) -> None:
        settings = self.settings
        (seed,) = np.random.SeedSequence(self.seed, spawn_key=(1,)).generate_state(1, np.uint64)
        rate, entropy = settings.learning_rate, settings.entropy
        warm_up(self.model, self.game, self.table, settings.warm_up, int(seed), rate=rate, entropy=entropy)
        self._set_magnet()

    def _set_magnet(self) -> None:
        if self.settings.magnet is not None:
            self.model.policy.magnet = Magnet(self.model.policy, self.settings.magnet)

    def _remaining(self) -> float:
        return 1.0 - self.decisions / self.total


class _Pauses(BaseCallback):
    """Lets the training pause wherever it can be left."""

    def __init__(self, training: Training, pause: Pause) -> None:
        super().__init__()
        self._training, self._pause = training, pause

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        training, settings = self._training, self._training.settings
        if training.is_resumed_here():
            return
        if training.decisions and falls_due(
            settings.history_every, training.decisions, settings.lanes * settings.rollout
        ):
            training.remember_self()
        self._pause(training)

    def _on_training_end(self) -> None:
        if not self._training.is_resumed_here():
            self._pause(self._training)


def learn(
    game: Game,
    table: np.record,
    settings: TrainSettings,
    seed: int,
    on_progress: Progress,
    opponent: Agent | None = None,
    start: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Train and return the network as (weights, sizes), laid out as `duelbench.agents.policy` wants it.

    By self-play, or against the fixed `opponent`; from random weights, or from those of `start`, whose layers have to
    be those of the settings.
    """
    training = Training(game, table, settings, seed, opponent)
    if start is not None:
        set_network(training.model.policy, start)
    training.run(lambda now: on_progress(now.decisions, now.total, now.measured()))
    return training.network()


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


def set_network(policy: Any, weights: np.ndarray) -> None:
    """The reverse of `network`: give a learner's policy these weights, as `duelbench.agents.policy` has them."""
    flat = torch.from_numpy(weights.astype(np.float32))
    with torch.no_grad():
        for layer in policy.features_extractor.net:
            if isinstance(layer, nn.Linear):
                flat = _fill(flat, [layer])
        flat = _fill(flat, [policy.action_net, policy.value_net])
    if len(flat):
        raise ValueError(f"{len(flat)} weights too many for the layers")


def _fill(flat: torch.Tensor, layers: list[nn.Linear]) -> torch.Tensor:
    """Take the weights and biases of layers that lie side by side from the front; returns the rest."""
    widths = [layer.out_features for layer in layers]
    inputs, outputs = layers[0].in_features, sum(widths)
    matrix, biases = flat[: inputs * outputs].reshape(inputs, outputs), flat[inputs * outputs :][:outputs]
    for layer, columns, bias in zip(layers, matrix.split(widths, 1), biases.split(widths), strict=True):
        layer.weight.copy_(columns.T)
        layer.bias.copy_(bias)
    return flat[(inputs + 1) * outputs :]


def _numpy(parameter: torch.Tensor) -> np.ndarray:
    return parameter.detach().cpu().numpy()
