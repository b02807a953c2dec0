"""TorchRL's own loop trains on a game for a moment: collector, masked policy, clipped PPO loss."""

import gymnasium
import pytest
import torch

pytest.importorskip("torchrl", reason="TorchRL is not installed: pip install 'duelbench[outside]'")

from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, DTypeCastTransform, GymWrapper, PettingZooWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import duelbench.agents.gym_ids  # noqa: F401  # registers the ids
from duelbench.envs import tarot_duel_v0

FRAMES, BATCH = 128, 64


def wrapped():
    game = gymnasium.make("duelbench/TarotDuel-v0", opponent="random", observe_mask=True, disable_env_checker=True)
    env = GymWrapper(game, categorical_action_encoding=True)
    return TransformedEnv(env, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])).append_transform(
        ActionMask()
    )


def test_clipped_ppo_of_torchrl_trains_for_a_moment():
    torch.manual_seed(1)
    env = wrapped()
    env.set_seed(1)
    size, actions = env.observation_spec["observation"].shape[-1], env.action_spec.n
    logits = TensorDictModule(nn.Linear(size, actions), in_keys=["observation"], out_keys=["logits"])
    actor = ProbabilisticActor(
        logits,
        in_keys={"logits": "logits", "mask": "action_mask"},
        out_keys=["action"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(nn.Linear(size, 1), in_keys=["observation"])
    loss = ClipPPOLoss(actor, critic)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    before = [parameter.detach().clone() for parameter in logits.parameters()]
    games = 0
    for data in Collector(env, actor, frames_per_batch=BATCH, total_frames=FRAMES):
        assert data["action_mask"].gather(-1, data["action"].unsqueeze(-1)).all(), "only what was allowed was tried"
        games += int(data["next", "done"].sum())
        advantage(data)
        losses = loss(data)
        total = sum(losses[name] for name in ("loss_objective", "loss_critic", "loss_entropy"))
        assert torch.isfinite(total)
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
    assert games > 0
    assert any(not torch.equal(old, new) for old, new in zip(before, logits.parameters(), strict=True))


def test_torchrl_takes_the_pettingzoo_face():
    env = PettingZooWrapper(tarot_duel_v0.env(), use_mask=True, seed=1)
    assert set(env.group_map) == {"player_0", "player_1"}
    rollout = env.rollout(200, break_when_any_done=True)
    rewards = torch.stack([rollout["next", player, "reward"].sum() for player in env.group_map])
    assert rollout["next", "done"].any()
    assert rewards.sum() == 0
