"""skrl's own trainer trains PPO on many lanes of a game for a moment."""

import gymnasium
import pytest
import torch

pytest.importorskip("skrl", reason="skrl is not installed: pip install 'duelbench[outside]'")

from skrl.agents.torch.ppo import PPO, PPO_CFG
from skrl.envs.wrappers.torch import wrap_env
from skrl.memories.torch import RandomMemory
from skrl.models.torch import CategoricalMixin, DeterministicMixin, Model
from skrl.trainers.torch import SequentialTrainer
from skrl.utils.spaces.torch import unflatten_tensorized_space
from torch import nn

import duelbench.agents.gym_ids  # noqa: F401  # registers the ids

LANES, STEPS = 8, 48


def parts(model, inputs):
    return unflatten_tensorized_space(model.observation_space, inputs["observations"])


class Policy(CategoricalMixin, Model):
    """Logits of the allowed actions alone."""

    def __init__(self, **spaces):
        Model.__init__(self, **spaces)
        CategoricalMixin.__init__(self)
        self.net = nn.Linear(self.observation_space["observation"].shape[0], self.num_actions)

    def compute(self, inputs, role):
        seen = parts(self, inputs)
        return self.net(seen["observation"]).masked_fill(seen["action_mask"] == 0, -1e8), {}


class Value(DeterministicMixin, Model):
    def __init__(self, **spaces):
        Model.__init__(self, **spaces)
        DeterministicMixin.__init__(self)
        self.net = nn.Linear(self.observation_space["observation"].shape[0], 1)

    def compute(self, inputs, role):
        return self.net(parts(self, inputs)["observation"]), {}


def test_ppo_of_skrl_trains_for_a_moment(tmp_path):
    torch.manual_seed(1)
    env = wrap_env(
        gymnasium.make_vec("duelbench/TarotDuel-v0", num_envs=LANES, opponent="random", observe_mask=True),
        wrapper="gymnasium",
        verbose=False,
    )
    spaces = {"observation_space": env.observation_space, "action_space": env.action_space, "device": env.device}
    models = {"policy": Policy(**spaces), "value": Value(**spaces)}
    before = models["policy"].net.weight.detach().clone()
    cfg = PPO_CFG(rollouts=16, learning_epochs=1, mini_batches=2)
    cfg.experiment.directory, cfg.experiment.write_interval, cfg.experiment.checkpoint_interval = str(tmp_path), 0, 0
    memory = RandomMemory(memory_size=16, num_envs=LANES, device=env.device)
    agent = PPO(models=models, memory=memory, cfg=cfg, **spaces)
    settings = {"timesteps": STEPS, "headless": True, "disable_progressbar": True, "close_environment_at_exit": False}
    SequentialTrainer(env=env, agents=agent, cfg=settings).train()
    assert torch.isfinite(models["policy"].net.weight).all()
    assert not torch.equal(before, models["policy"].net.weight)
