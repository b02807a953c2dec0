"""The sequential test on deals: its ratio against calculations by other means, and its errors by simulation."""

import math

import numpy as np
import pytest
from deal_models import MODELS, alike, drawn, independent
from scipy import optimize

from duelbench.experiments.sprt import (
    ACCEPT_H0,
    ACCEPT_H1,
    DEAL_SCORES,
    EMPTY_CELL,
    UNDECIDED,
    Sprt,
    likeliest,
    pair_counts,
    share_of_elo,
)

COUNTS = np.array([12, 40, 100, 55, 20])


def likeliest_by_search(counts, mean):
    """The likeliest distribution with that mean, by a general optimiser over the probabilities themselves."""
    found = optimize.minimize(
        lambda p: -np.sum(counts * np.log(p)),
        np.full(5, 0.2),
        jac=lambda p: -counts / p,
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ DEAL_SCORES - mean},
        ],
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    return found.x


@pytest.mark.parametrize("mean", [0.3, 0.5, 0.52, 0.8])
def test_the_likeliest_distribution_is_what_an_optimiser_finds(mean):
    found = likeliest(COUNTS, mean)
    assert (found.sum(), found @ DEAL_SCORES) == (pytest.approx(1), pytest.approx(mean))
    assert found == pytest.approx(likeliest_by_search(COUNTS, mean), abs=1e-5)


def test_the_ratio_compares_the_two_likeliest_distributions():
    first, second = (likeliest_by_search(COUNTS, share_of_elo(elo)) for elo in (0, 40))
    assert Sprt(0, 40).llr(COUNTS) == pytest.approx(np.sum(COUNTS * np.log(second / first)), abs=1e-3)


def test_deals_that_are_won_or_lost_give_the_classical_ratio():
    # Only two scores occur: a hypothesis leaves no choice but its share, as in Wald's test of a coin. (The made-up
    # thousandths of deals in the three other cells shift it a little.)
    won, lost = 60, 40
    share = share_of_elo(50)
    coin = won * math.log(share / 0.5) + lost * math.log((1 - share) / 0.5)
    assert Sprt(0, 50).llr(np.array([lost, 0, 0, 0, won])) == pytest.approx(coin, abs=5 * EMPTY_CELL)


def test_exchanging_agents_and_hypotheses_turns_the_ratio_round():
    assert Sprt(-30, 10).llr(COUNTS) == pytest.approx(-Sprt(-10, 30).llr(COUNTS[::-1]))


def test_there_is_a_verdict_at_walds_bounds():
    test = Sprt(0, 20, alpha=0.05, beta=0.1)
    assert test.bounds == (pytest.approx(math.log(0.1 / 0.95)), pytest.approx(math.log(0.9 / 0.05)))
    even, ahead = np.array([0, 0, 10, 0, 0]), np.array([0, 0, 80, 0, 20])
    assert test.verdict(np.zeros(5, int)) == test.verdict(even) == UNDECIDED
    assert test.verdict(30 * even) == ACCEPT_H0
    assert test.verdict(ahead) == ACCEPT_H1


def test_deals_all_won_or_all_lost_decide_for_the_hypothesis_that_is_nearer():
    test = Sprt(100, 150)
    assert test.verdict(np.array([0, 0, 0, 0, 200])) == ACCEPT_H1
    assert test.verdict(np.array([200, 0, 0, 0, 0])) == ACCEPT_H0


def test_counts_are_of_deal_scores():
    assert list(pair_counts(np.array([0.0, 1.0, 0.5, 0.5, 0.25, 1.0]))) == [1, 1, 2, 0, 2]


def sequential(model, elo, test, look, runs, seed=0, most=20_000):
    """(share of H0, share of H1, mean deals) of `runs` tests where the true lead is `elo`."""
    rng, (low, high) = np.random.default_rng(seed), test.bounds
    counts, deals, ratios, live = np.zeros((runs, 5), int), np.zeros(runs, int), np.zeros(runs), np.arange(runs)
    while len(live) and deals.max() < most:
        scores = np.rint(4 * model(rng, share_of_elo(elo), (len(live), look)))
        counts[live] += (scores[:, :, None] == np.arange(5)).sum(axis=1)
        deals[live] += look
        ratios[live] = test.llr(counts[live])
        live = live[(ratios[live] > low) & (ratios[live] < high)]
    return (ratios <= low).mean(), (ratios >= high).mean(), deals.mean()


@pytest.mark.parametrize("model", MODELS)
def test_neither_error_is_commoner_than_allowed(model):
    test, runs = Sprt(0, 30), 1500
    right = sequential(model, 0, test, 20, runs)[0], sequential(model, 30, test, 20, runs)[1]
    # Allowed are 5 %; two standard deviations of 1,500 tests are 1.1 %.
    assert min(right) >= 0.95 - 0.011


def test_unequal_agents_are_tested_as_well():
    test, runs = Sprt(300, 350), 1500
    right = sequential(independent, 300, test, 20, runs)[0], sequential(independent, 350, test, 20, runs)[1]
    assert min(right) >= 0.95 - 0.011


def test_a_test_takes_about_as_many_deals_as_wald_says():
    # Under H1 the ratio grows by (s1 - s0)**2 / (2 variance) a deal, and has to come to 0.9 * 2.944 on average.
    shares = share_of_elo(30), share_of_elo(0)
    variance = shares[0] * (1 - shares[0]) / 2
    expected = 0.9 * math.log(19) * 2 * variance / (shares[0] - shares[1]) ** 2
    deals = sequential(independent, 30, Sprt(0, 30), 5, 1500)[2]
    assert expected == pytest.approx(357, abs=5)
    # It starts a little late, for want of the variance, and ends up to a look late.
    assert 0.95 * expected <= deals <= 1.2 * expected


def test_deals_that_agree_take_more_deals_and_drawn_games_fewer():
    test = Sprt(0, 30)
    agreeing, plain, quiet = (sequential(model, 30, test, 20, 400)[2] for model in (alike, independent, drawn))
    assert agreeing > 1.4 * plain > 2 * quiet
