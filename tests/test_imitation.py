"""The first lessons: a policy that imitates the hand-written player."""

import highcard
import numpy as np
import pytest

from duelbench.agents import imitation
from duelbench.agents.heuristic import heuristic_player
from duelbench.agents.imitation import DECISIONS_A_LESSON, LANES, Lessons, warm_up
from duelbench.agents.learner import build_model, network
from duelbench.agents.training import TrainSettings
from duelbench.envs.errors import BadInput
from duelbench.envs.registry import load_game

GAME = load_game("tarot_duel")
SMALL = TrainSettings(steps=64, lanes=4, rollout=8, batch_size=16, layers=[32])
LESSON = LANES * DECISIONS_A_LESSON


@pytest.fixture(scope="module")
def table():
    return GAME.table()


def taught(table, decisions, seed=7):
    model = build_model(GAME, table, SMALL, 1)
    warm_up(model, GAME, table, decisions, seed, rate=3e-3, entropy=0.0)
    return model


def agreement(model, lesson):
    """How often the policy's favourite is what the hand-written player chose, where there was a choice."""
    free = lesson["legal"][:-1].sum(-1) > 1
    seen, legal = lesson["seen"][:-1][free], lesson["legal"][:-1][free]
    chosen, _ = model.predict(seen, action_masks=legal, deterministic=True)
    return float((chosen == lesson["choice"][:-1][free]).mean())


def test_a_lesson_shows_what_the_player_chose_there(table):
    lesson = Lessons(GAME, table, 3).next()
    before_last = lesson["legal"][:-1]
    chosen = np.take_along_axis(before_last, lesson["choice"][:-1, :, None], -1)
    assert chosen.all()
    assert not lesson["legal"][-1].any()  # nothing was chosen after the last decision
    assert set(np.unique(lesson["reward"])) <= {-1.0, 0.0, 1.0}
    assert (lesson["reward"][lesson["ended"] == 0] == 0).all()
    assert lesson["ended"].any()


def test_the_player_strays_as_often_as_it_should(table, monkeypatch):
    """What is done differs from what was chosen in about that part of the decisions, and never when it is 0."""
    monkeypatch.setattr(imitation, "STRAYING", 0.5)
    lessons = Lessons(GAME, table, 3)
    choices = heuristic_player(GAME, table).answers(lessons._batch, np.arange(LANES), lessons._streams)
    strayed = (lessons._with_strays(choices) != choices).mean()
    assert 0.2 < strayed < 0.5  # a random action may be the same one
    monkeypatch.setattr(imitation, "STRAYING", 0.0)
    assert (lessons._with_strays(choices) == choices).all()


def test_imitation_brings_the_policy_near_the_player(table):
    unseen = Lessons(GAME, table, 99).next()
    before, after = agreement(taught(table, 0), unseen), agreement(taught(table, 6 * LESSON), unseen)
    assert before < 0.4
    assert after > before + 0.2


def test_imitation_follows_from_its_seed(table):
    first, again, other = (network(taught(table, LESSON, seed).policy)[0] for seed in (7, 7, 8))
    assert (first == again).all()
    assert (first != other).any()


def test_a_game_without_a_hand_written_player_cannot_be_imitated():
    model = build_model(highcard.GAME, highcard.GAME.table(), SMALL, 1)
    with pytest.raises(BadInput, match="highcard has no hand-written player"):
        warm_up(model, highcard.GAME, highcard.GAME.table(), 10, 1, rate=1e-3, entropy=0.0)
