"""A learner's first lessons: it imitates the hand-written player of its game before it plays against itself.

Behavioural cloning with a value on the side: the hand-written player plays both seats, now and then with a random
action so that the learner sees what follows mistakes, and the network learns to name the player's choice and to
expect the result. Self-play then begins where the hand-written player stands, not at random play.
"""

from typing import Any

import numpy as np
import torch
from torch.nn.functional import cross_entropy, mse_loss

from duelbench.agents.heuristic import heuristic_player
from duelbench.agents.rollout import zero_sum_advantages
from duelbench.envs.batch import Batch, random_actions
from duelbench.envs.game import Game
from duelbench.envs.records import blank
from duelbench.envs.rng import STREAM

LANES = 256
DECISIONS_A_LESSON = 64
"""In each lane, before the network learns from them."""
BATCH_SIZE = 1024
STRAYING = 0.1
"""How often an action is random."""
LAMBDA = 0.95
VALUE_WEIGHT = 0.5
ILLEGAL = -1e8
"""The logit of an illegal action: its probability is then exactly 0 in float32."""


class Lessons:
    """Games of the hand-written player, lesson by lesson; everything random comes from `seed`."""

    def __init__(self, game: Game, table: np.record, seed: int) -> None:
        self._player = heuristic_player(game, table)
        self._batch = Batch(game, table, LANES)
        deals, dice = np.random.SeedSequence(seed).spawn(2)
        self._batch.reset(deals.generate_state(LANES, np.uint64))
        self._streams = blank(2, STREAM)
        self._streams["rng"] = dice.generate_state(2, np.uint64)
        self._strays = np.random.default_rng(dice)
        self._all = np.arange(LANES)

    def next(self) -> dict[str, np.ndarray]:
        """One lesson, arrays of [DECISIONS_A_LESSON + 1, LANES, ...]; of the last row only `seen` counts."""
        batch, shape = self._batch, (DECISIONS_A_LESSON + 1, LANES)
        lesson = {
            "seen": np.zeros((*shape, batch.game.view_size), np.float32),
            "legal": np.zeros((*shape, batch.game.num_actions), np.bool_),
            "choice": np.zeros(shape, np.int64),
            "reward": np.zeros(shape, np.float32),
            "ended": np.zeros(shape, np.float32),
            "sign": np.ones(shape, np.float32),
        }
        for t in range(DECISIONS_A_LESSON):
            lesson["seen"][t], lesson["legal"][t] = batch.observations, batch.masks
            lesson["choice"][t] = self._player.answers(batch, self._all, self._streams[:1])
            acted = batch.to_act.copy()
            batch.step(self._with_strays(lesson["choice"][t]))
            lesson["reward"][t] = batch.rewards[self._all, acted]
            lesson["ended"][t] = batch.finished
            lesson["sign"][t] = np.where(batch.to_act == acted, 1, -1)
        lesson["seen"][-1] = batch.observations
        return lesson

    def _with_strays(self, choices: np.ndarray) -> np.ndarray:
        anything = np.zeros(LANES, np.int64)
        random_actions(self._streams[1], self._batch.masks, anything)
        return np.where(self._strays.random(LANES) < STRAYING, anything, choices)


def warm_up(model: Any, game: Game, table: np.record, decisions: int, seed: int, rate: float, entropy: float) -> None:
    """Let the policy of `model` (a MaskablePPO with our network) imitate the hand-written player.

    `decisions` is rounded up to whole lessons; `rate` is Adam's learning rate, which falls linearly to a tenth;
    `entropy` weighs the bonus that keeps the policy from being too sure. Raises BadInput for a game without such a
    player.
    """
    lessons = Lessons(game, table, seed)
    optimizer = torch.optim.Adam(model.policy.parameters(), lr=rate)
    shuffler = np.random.default_rng(seed)
    count = -(-decisions // (LANES * DECISIONS_A_LESSON))
    for number in range(count):
        optimizer.param_groups[0]["lr"] = rate * (1 - 0.9 * number / count)
        _learn(model.policy, optimizer, _examples(model.policy, lessons.next()), shuffler, entropy)


def _examples(policy: Any, lesson: dict[str, np.ndarray]) -> list[torch.Tensor]:
    """What was seen, what was legal, what was chosen and what it came to, one row a decision."""
    with torch.no_grad():
        rows = torch.from_numpy(lesson["seen"].reshape(-1, lesson["seen"].shape[-1]))
        values = policy.predict_values(rows).numpy().reshape(lesson["seen"].shape[:2])
    rewards, ended, signs = (lesson[name][:-1] for name in ("reward", "ended", "sign"))
    advantages = zero_sum_advantages(rewards, values[:-1], ended, signs, values[-1], 1.0, LAMBDA)
    columns = [lesson["seen"][:-1], lesson["legal"][:-1], lesson["choice"][:-1], advantages + values[:-1]]
    return [torch.from_numpy(column.reshape(-1, *column.shape[2:])) for column in columns]


def _learn(
    policy: Any,
    optimizer: torch.optim.Adam,
    examples: list[torch.Tensor],
    shuffler: np.random.Generator,
    entropy: float,
) -> None:
    order = torch.from_numpy(shuffler.permutation(len(examples[0])))
    for rows in order.split(BATCH_SIZE):
        seen, legal, choice, results = (column[rows] for column in examples)
        features = policy.extract_features(seen)
        logits = policy.action_net(features).masked_fill(~legal, ILLEGAL)
        log_chances = torch.log_softmax(logits, dim=-1)
        surprise = -(log_chances.exp() * log_chances).sum(-1).mean()
        loss = cross_entropy(logits, choice) - entropy * surprise
        loss = loss + VALUE_WEIGHT * mse_loss(policy.value_net(features).flatten(), results.float())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        optimizer.step()
