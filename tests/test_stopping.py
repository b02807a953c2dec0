"""Rules that stop a matchup: when they look, what they answer, and what stopping does to the interval."""

import numpy as np
import pytest
from deal_models import alike, drawn, independent
from made_up_results import rows_of
from pydantic import ValidationError

from duelbench.experiments.estimates import interval_of_share
from duelbench.experiments.plan import Chunk
from duelbench.experiments.rows import part_bytes, part_path
from duelbench.experiments.sprt import share_of_elo
from duelbench.experiments.stopping import GO_ON, Stop, StopSettings
from duelbench.experiments.stops import scores_of

NARROW = Stop(StopSettings(half_width=0.05, min_deals=100, look_every=50))
TEST = Stop(StopSettings.model_validate({"sprt": {"elo0": 0, "elo1": 30}, "min_deals": 100}))


def test_it_looks_at_fixed_numbers_of_deals_from_the_least_on():
    rule = Stop(StopSettings(half_width=0.05, min_deals=70, look_every=50))
    assert list(rule.looks(260)) == [100, 150, 200, 250]
    assert list(rule.looks(99)) == []


@pytest.mark.parametrize("rule", [NARROW, TEST])
def test_nothing_is_decided_before_the_least_number_of_deals(rule):
    assert rule.verdict(np.full(99, 1.0)) == GO_ON
    assert rule.verdict(np.full(100, 1.0)).deals == 100


@pytest.mark.parametrize("rule", [NARROW, TEST])
def test_what_was_played_past_the_stop_changes_nothing(rule):
    scores = independent(np.random.default_rng(3), 0.55, (3000,))
    stopped = rule.verdict(scores)
    assert stopped.stop
    assert stopped.deals % 50 == 0
    changed = np.concatenate([scores[: stopped.deals], 1 - scores[stopped.deals :]])
    assert rule.verdict(changed) == rule.verdict(scores[: stopped.deals]) == stopped
    assert rule.verdict(scores[: stopped.deals - 1]) == GO_ON


def test_the_interval_is_as_narrow_as_was_asked_and_was_not_a_look_before():
    scores = independent(np.random.default_rng(3), 0.55, (1000,))
    deals = NARROW.verdict(scores).deals
    half = [(e.high - e.low) / 2 for e in (interval_of_share(scores[:n]) for n in (deals - 50, deals))]
    assert half[0] > 0.05 >= half[1]


def test_the_reason_names_the_hypothesis_and_the_deals():
    assert TEST.verdict(np.tile([0.5, 1.0], 100)).why == "accept_h1: a lead of 30 Elo rather than 0 after 100 deals"
    assert TEST.verdict(np.tile([0.0, 0.5], 100)).why == "accept_h0: a lead of 0 Elo rather than 30 after 100 deals"
    assert "0.05 to either side after 100 deals" in NARROW.verdict(np.full(200, 0.5)).why


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "one of half_width and sprt"),
        ({"half_width": 0.02, "sprt": {"elo0": 0, "elo1": 10}}, "one of half_width and sprt"),
        ({"half_width": 0.0}, "greater than 0"),
        ({"half_width": "0.02"}, "valid number"),
        ({"sprt": {"elo0": 10, "elo1": 10}}, "elo0 below elo1"),
        ({"sprt": {"elo0": 0, "elo1": 10, "alpha": 0.5}}, "less than 0.5"),
        ({"sprt": {"elo0": 0, "elo1": 10, "gamma": 1}}, "Extra inputs"),
        ({"half_width": 0.02, "min_deals": 9}, "greater than or equal to 10"),
        ({"half_width": 0.02, "seconds": 9}, "Extra inputs"),
    ],
)
def test_settings_that_make_no_rule_are_refused(given, told):
    with pytest.raises(ValidationError, match=told):
        StopSettings.model_validate(given)


def test_scores_of_a_stored_part_are_in_the_order_of_the_deals(tmp_path):
    # Per deal what "zoe" made of her two games; deals are numbered 0 to 4.
    rows = rows_of({("zoe", "amy"): ["WW", "WL", "DL", "LL", "WD"]})
    (tmp_path / "games").mkdir()
    part_path(tmp_path, 0).write_bytes(part_bytes(rows[::-1]))

    def scores(*pair):
        return list(scores_of(tmp_path, Chunk(0, 0, pair, "", range(5), 2)))

    assert scores("zoe", "amy") == [1.0, 0.5, 0.25, 0.0, 0.75]
    assert scores("amy", "zoe") == [0.0, 0.5, 0.75, 1.0, 0.25]


def stopped_coverage(rule, model, share, runs, most):
    """In how many of `runs` matchups the interval of the deals up to the stop holds the true share."""
    covered = 0
    for scores in model(np.random.default_rng(11), share, (runs, most)):
        verdict = rule.verdict(scores)
        assert verdict.stop
        e = interval_of_share(scores[: verdict.deals])
        covered += e.low <= share <= e.high
    return covered / runs


@pytest.mark.parametrize("model", [independent, alike, drawn])
def test_stopping_at_a_width_leaves_the_interval_what_it_is(model):
    rule = Stop(StopSettings(half_width=0.06, min_deals=10, look_every=10))
    # Two standard deviations of 800 matchups are 1.5 %.
    assert 0.93 <= stopped_coverage(rule, model, 0.5, 800, 400) <= 0.975


def test_stopping_at_a_verdict_makes_the_interval_a_little_too_narrow():
    rule = Stop(StopSettings.model_validate({"sprt": {"elo0": 0, "elo1": 50}, "min_deals": 10, "look_every": 10}))
    for share in (0.5, share_of_elo(50)):
        assert 0.895 <= stopped_coverage(rule, independent, share, 800, 1500) <= 0.95
