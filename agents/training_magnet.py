"""A slow copy of the policy that holds it back while it learns (see `MagnetSettings` for the idea and its sources)."""

import copy
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from duelbench.agents.training import MagnetSettings


class Magnet:
    """The copy, and what it asks of the learner.

    The learner's loss has one place for a regularizer, which it takes for an entropy and weighs with `ent_coef`. With
    a magnet that weight is 1, and in the place stands `entropy_weight` * entropy - `settings.weight` * divergence, the
    Kullback-Leibler divergence of the policy from the copy. Both are kept apart in `entropies` and `divergences`.
    """

    def __init__(self, policy: Any, settings: MagnetSettings) -> None:
        self.settings = settings
        self.entropy_weight = 0.0
        self._layers = [copy.deepcopy(part).requires_grad_(False) for part in _parts(policy)]
        self.forget()

    def forget(self) -> None:
        """A new update begins."""
        self.entropies: list[float] = []
        self.divergences: list[float] = []

    def pull(self, distribution: Any, entropy: torch.Tensor, seen: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """The regularizer of every decision, float32[batch]; `distribution` is the policy's own, a `MaskedSoftmax`."""
        trunk, head = self._layers
        divergence = distribution.divergence(head(trunk(seen)), masks)
        self.entropies.append(float(entropy.detach().mean()))
        self.divergences.append(float(divergence.detach().mean()))
        return self.entropy_weight * entropy - self.settings.weight * divergence

    def move(self, policy: Any) -> None:
        """Go `settings.step` of the way to the policy as it is now."""
        with torch.no_grad():
            for own, its in zip(self._parameters(), _parameters(_parts(policy)), strict=True):
                own.lerp_(its, self.settings.step)

    def arrays(self) -> list[np.ndarray]:
        """Copies of the parameters of the copy, for `restore`."""
        return [parameter.numpy().copy() for parameter in self._parameters()]

    def restore(self, arrays: list[np.ndarray]) -> None:
        with torch.no_grad():
            for own, kept in zip(self._parameters(), arrays, strict=True):
                own.copy_(torch.from_numpy(kept))

    def _parameters(self) -> list[torch.Tensor]:
        return _parameters(self._layers)


class HeldPolicy(MaskableActorCriticPolicy):
    """The policy of sb3-contrib, held back by `magnet` if there is one."""

    magnet: Magnet | None = None

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Values, logarithms of chances, and the regularizer in the place of the entropy."""
        values, log_chances, entropy = super().evaluate_actions(obs, actions, action_masks)
        if self.magnet is not None:
            assert entropy is not None
            assert action_masks is not None
            entropy = self.magnet.pull(self.action_dist, entropy, obs, action_masks)
        return values, log_chances, entropy


def _parts(policy: Any) -> list[torch.nn.Module]:
    """What the chances of actions come from: the trunk and the head of the logits."""
    return [policy.features_extractor, policy.action_net]


def _parameters(parts: list[torch.nn.Module]) -> list[torch.Tensor]:
    return [parameter.data for part in parts for parameter in part.parameters()]
