"""Ratios over deals: worked examples, and how often their intervals hold what is true."""

import numpy as np
import pytest

from duelbench.analysis.ratios import DifferenceSums, RatioSums, difference_interval, mean_interval, share_interval
from duelbench.experiments.estimates import MIN_DEALS, interval_of_mean, interval_of_share

# Deals stand in columns; a line is one card, or one of many made-up runs.


def ratio_sums(top, bottom):
    products = (top * top, top * bottom, bottom * bottom)
    return RatioSums(top.sum(-1), bottom.sum(-1), *(p.sum(-1) for p in products), (bottom != 0).sum(-1).astype(float))


def difference_sums(top, bottom, other_top, other_bottom):
    between = [(one * two).sum(-1) for one in (top, bottom) for two in (other_top, other_bottom)]
    return DifferenceSums(ratio_sums(top, bottom), ratio_sums(other_top, other_bottom), *between)


def runs_of_copies(rng, runs, deals):
    """Per deal the copies of a card that were seen and the wins of those, and the same of copies that were not.

    The two games of a deal are alike to a degree, a game is won or lost for all copies of it, and the card is worth
    10 points: seen copies win 0.55, others 0.45.
    """
    shape = (runs, deals, 2)
    luck = rng.normal(size=(runs, deals, 1)) + rng.normal(size=shape)
    copies = rng.integers(0, 3, shape)
    seen = rng.binomial(copies, 0.6)
    won_if = {chance: luck < np.sqrt(2) * quantile for chance, quantile in ((0.55, 0.12566135), (0.45, -0.12566135))}
    here = seen > 0
    return (
        (seen * won_if[0.55]).sum(-1),
        seen.sum(-1),
        ((copies - seen) * np.where(here, won_if[0.55], won_if[0.45])).sum(-1),
        (copies - seen).sum(-1),
        ((copies - seen) * here).sum(-1),
    )


def test_with_one_copy_a_game_the_ratio_is_the_mean_over_deals():
    rng = np.random.default_rng(2)
    points = rng.integers(0, 3, 50)
    made = mean_interval(ratio_sums(points.astype(float), np.full(50, 1.0)))
    plain = interval_of_mean(points)
    assert (made.value, made.low, made.high) == pytest.approx((plain.value, plain.low, plain.high))
    made = share_interval(ratio_sums(points / 2, np.full(50, 1.0)))
    plain = interval_of_share(points / 2)
    assert (made.value, made.low, made.high) == pytest.approx((plain.value, plain.low, plain.high))


def test_a_worked_example():
    # Ten deals with 1, 2, 1, 2, ... copies, of which all of the first six deals won: R = 9 / 15.
    bottom = np.array([1.0, 2] * 5)
    top = bottom * (np.arange(10) < 6)
    made = mean_interval(ratio_sums(top, bottom))
    residuals = [0.4, 0.8, 0.4, 0.8, 0.4, 0.8, -0.6, -1.2, -0.6, -1.2]
    error = np.sqrt(sum(r * r for r in residuals) * 10 / 9) / 15
    assert made.value == pytest.approx(0.6)
    assert made.high - made.value == pytest.approx(2.262157 * error, rel=1e-6)


def test_deals_without_the_card_change_nothing():
    bottom = np.array([1.0, 2] * 6)
    top = bottom * (np.arange(12) % 3 > 0)
    padded = [np.concatenate([values, np.zeros(100)]) for values in (top, bottom)]
    for interval in (mean_interval, share_interval):
        plain, with_others = interval(ratio_sums(top, bottom)), interval(ratio_sums(*padded))
        assert (plain.low, plain.value, plain.high) == (with_others.low, with_others.value, with_others.high)


def test_too_few_deals_with_the_card_are_refused():
    enough = np.ones((1, MIN_DEALS))
    few = enough * (np.arange(MIN_DEALS) > 0)
    for interval in (mean_interval, share_interval):
        assert np.isnan([interval(ratio_sums(few, few)).value, interval(ratio_sums(few, few)).low]).all()
        assert interval(ratio_sums(enough, enough)).value == 1
    made = difference_interval(difference_sums(enough, enough, few, few))
    assert np.isnan([made.value, made.low, made.p]).all()


def test_a_card_that_always_won_has_an_interval_and_points_that_must_be_half_have_none():
    won = share_interval(ratio_sums(np.ones((1, 20)), np.ones((1, 20))))
    assert won.high == 1
    assert 0.8 < won.low[0] < 0.9
    half = share_interval(ratio_sums(np.ones((1, 20)), np.full((1, 20), 2.0)))
    assert (half.low, half.value, half.high) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize(("interval", "deals"), [(share_interval, 30), (share_interval, 300), (mean_interval, 300)])
def test_intervals_of_ratios_hold_the_truth_95_percent_of_the_time(interval, deals):
    top, bottom, *_ = runs_of_copies(np.random.default_rng(5), 4000, deals)
    made = interval(ratio_sums(top, bottom))
    assert np.mean((made.low <= 0.55) & (made.high >= 0.55)) == pytest.approx(0.95, abs=0.012)


def test_copies_of_a_deal_are_not_taken_for_independent_ones():
    top, bottom, *_ = runs_of_copies(np.random.default_rng(5), 400, 300)
    made = mean_interval(ratio_sums(top, bottom))
    naive = 2 * 1.96 * np.sqrt(0.55 * 0.45 / bottom.sum(-1))
    assert np.mean(made.high - made.low) > 1.2 * np.mean(naive)


def test_intervals_of_differences_hold_the_truth_95_percent_of_the_time():
    top, bottom, other_top, other_bottom, with_seen = runs_of_copies(np.random.default_rng(6), 4000, 200)
    alike = with_seen.sum() / other_bottom.sum()  # of the unseen copies, those beside a seen one
    truth = 0.55 - (0.55 * alike + 0.45 * (1 - alike))
    made = difference_interval(difference_sums(top, bottom, other_top, other_bottom))
    assert np.mean((made.low <= truth) & (truth <= made.high)) == pytest.approx(0.95, abs=0.012)
    assert np.mean(made.p < 0.05) > 0.15, "the card is worth something"


def test_without_a_difference_5_percent_of_the_tests_say_so():
    rng = np.random.default_rng(8)
    copies = rng.integers(0, 3, (4000, 200, 2))
    seen, won = rng.binomial(copies, 0.6), rng.normal(size=(4000, 200, 1)) + rng.normal(size=(4000, 200, 2)) < 0
    counts = [(n * w).sum(-1) for n in (seen, copies - seen) for w in (won, 1)]
    assert np.mean(difference_interval(difference_sums(*counts)).p < 0.05) == pytest.approx(0.05, abs=0.012)
