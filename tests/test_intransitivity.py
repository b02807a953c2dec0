"""Circles in a field are found where they are, and are not made from noise."""

import itertools

import numpy as np
import pandas as pd
import pytest
from deal_models import MODELS, deals_of, independent, round_robin, split
from made_up_results import frame_of

from duelbench.analysis.intransitivity import hodge, intransitivity, refusal
from duelbench.analysis.ratings import fit_shares
from duelbench.analysis.resamples import resampled
from duelbench.analysis.summary import summarise
from duelbench.analysis.superiority import superiority

LADDER = {"a": 1300.0, "b": 1150.0, "c": 1050.0, "d": 900.0}
RING = {("a", "b"): 0.7, ("b", "c"): 0.7, ("a", "c"): 0.3}


def found_in(scores, resamples=200):
    field = resampled(deals_of(scores), resamples)
    return intransitivity(field, fit_shares(field, field.shares), superiority(field, None))


def test_differences_of_strengths_are_all_transitive_and_a_ring_is_all_cyclic():
    strengths = np.array([3.0, 1.0, -2.0])
    scale = strengths[:, None] - strengths[None, :]
    ring = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]) * 2.0
    transitive, cyclic = hodge(scale + ring)
    assert transitive == pytest.approx(scale)
    assert cyclic == pytest.approx(ring)
    assert np.sum(transitive * cyclic) == pytest.approx(0)


def test_a_ring_is_found_and_named():
    found = found_in({pair: independent(np.random.default_rng(1), share, (200,)) for pair, share in RING.items()})
    line = found.decomposition.iloc[0]
    assert line.cyclic
    assert line.share > 0.9
    assert line.measured > line.floor > line.expected
    assert (line.agents, line.deals) == (3, 200)
    (cycle,) = found.cycles.itertuples(index=False)
    assert cycle[:3] == ("a", "b", "c")
    assert cycle[3:6] == pytest.approx((0.7, 0.7, 0.7), abs=0.06)
    assert cycle.deals == 200


def test_a_ring_the_other_way_round_is_named_in_its_order():
    scores = {pair: 1 - independent(np.random.default_rng(1), share, (200,)) for pair, share in RING.items()}
    (cycle,) = found_in(scores).cycles.itertuples(index=False)
    assert cycle[:3] == ("a", "c", "b")


def test_a_ring_whose_third_edge_is_not_sure_is_no_circle():
    scores = {pair: independent(np.random.default_rng(1), share, (200,)) for pair, share in RING.items()}
    scores["a", "c"] = np.repeat([0.0, 0.5, 1.0], [52, 100, 48])
    assert len(found_in(scores).cycles) == 0


@pytest.mark.parametrize("deals", [20, 100])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("strengths", [LADDER, dict.fromkeys("abcde", 1000.0)])
def test_a_transitive_field_is_hardly_ever_called_cyclic(strengths, model, deals):
    if strengths is LADDER and model is not split and model is not independent:
        strengths = {agent: 1000 + (rating - 1000) / 4 for agent, rating in LADDER.items()}
    rng, repeats = np.random.default_rng(3), 60
    lines = [found_in(round_robin(rng, strengths, deals, model), 100).decomposition.iloc[0] for _ in range(repeats)]
    # 5 % are 3 of 60; four standard deviations are 7 more.
    assert sum(line.cyclic for line in lines) <= 10


def test_fields_of_equals_measure_mostly_noise_and_the_intervals_say_so():
    rng, equals = np.random.default_rng(5), dict.fromkeys("abcde", 0.0)
    lines = [found_in(round_robin(rng, equals, 50)).decomposition.iloc[0] for _ in range(20)]
    assert np.mean([line.measured for line in lines]) > 0.4
    assert np.mean([line.low for line in lines]) < 0.05
    assert np.mean([line.high for line in lines]) > 0.9


def test_shares_are_right_on_average_and_intervals_hold_the_truth():
    ring, rung = 0.6, 0.75
    shares = {("a", "b"): ring, ("b", "c"): ring, ("a", "c"): 1 - ring}
    shares |= {(agent, "weak"): rung for agent in "abc"}
    log_odds = np.zeros((4, 4))
    for (i, a), (j, b) in itertools.combinations(enumerate([*"abc", "weak"]), 2):
        log_odds[i, j] = np.log(shares[a, b] / (1 - shares[a, b]))
    log_odds -= log_odds.T
    truth = (hodge(log_odds)[1] ** 2).sum() / (log_odds**2).sum()
    rng, repeats = np.random.default_rng(6), 200
    found = pd.concat(
        found_in({pair: independent(rng, share, (40,)) for pair, share in shares.items()}).decomposition
        for _ in range(repeats)
    )
    assert truth == pytest.approx(0.12, abs=0.01)
    # The noise of 40 deals adds 3 points, which come off again; the mean of 200 has a standard error of half a point.
    assert found["measured"].mean() > truth + 0.02
    assert found["share"].mean() == pytest.approx(truth, abs=0.015)
    covered = ((found["low"] <= truth) & (truth <= found["high"])).sum()
    assert 0.9 * repeats <= covered <= 0.99 * repeats


def test_it_is_refused_for_two_agents_and_where_not_all_have_met():
    scores = round_robin(np.random.default_rng(1), LADDER, 20)
    two = {("a", "b"): scores["a", "b"]}
    assert refusal(deals_of(two)) == "no test of circles: 2 agents, at least 3 needed"
    assert "b and d never met" in refusal(deals_of({pair: s for pair, s in scores.items() if pair != ("b", "d")}))
    assert refusal(deals_of(scores)) == ""


def test_a_run_has_the_circles_of_its_rated_agents():
    pairs = (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock"))
    ring_rows = frame_of({pair: ["WW", "WL", "WW"] * 10 for pair in pairs})
    found = summarise(ring_rows)
    assert len(found.decomposition) == len(found.cycles) == 1
    assert found.intransitivity_notes == found.nash_notes == ()
    assert list(found.nash["mass"]) == pytest.approx([1 / 3] * 3)
    without = summarise(ring_rows, None, ["paper"])
    assert len(without.decomposition) == len(without.cycles) == 0
    assert without.intransitivity_notes == ("no test of circles: 2 agents, at least 3 needed",)
    assert set(without.nash["agent"]) == set(without.superiority["agent"]) == {"rock", "scissors"}
