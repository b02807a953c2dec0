"""Who is better: exact p-values, likelihoods of superiority and flags on results whose truth is known."""

import itertools
import math

import numpy as np
import pytest
from deal_models import alike, deals_of, drawn, independent, round_robin, split
from made_up_results import frame_of

from duelbench.analysis.ratings import fit_shares, resampled_ratings
from duelbench.analysis.resamples import resampled
from duelbench.analysis.significance import adjusted, sign_flip_p
from duelbench.analysis.summary import summarise
from duelbench.analysis.superiority import superiority


def flips(values):
    """The two-sided p-value by trying all signs."""
    sums = [abs(np.dot(signs, values)) for signs in itertools.product((-1, 1), repeat=len(values))]
    return np.mean(np.array(sums) >= abs(np.sum(values)) - 1e-9)


@pytest.mark.parametrize(
    "values", [[0.5] * 6, [0.25, 0.5, 0.5, -0.25, 0, 0], [0.25] * 5 + [-0.5] * 2, [1, 0.75, -0.25, 0.5], [0.5, -0.5]]
)
def test_the_p_value_is_that_of_all_sign_flips(values):
    assert sign_flip_p(np.array(values)) == pytest.approx(flips(values))


def test_deals_that_are_split_say_nothing():
    lead = np.array([0.5] * 8)
    assert sign_flip_p(np.append(lead, np.zeros(100))) == pytest.approx(sign_flip_p(lead)) == pytest.approx(2 / 2**8)


def test_very_many_deals_go_by_the_normal_law_and_meet_the_exact_value():
    def p_value(pairs):
        return sign_flip_p(np.repeat([0.5, -0.5, 0.25], [1000 + pairs, 900, 3900 - 1900 - pairs]))

    exact, normal = p_value(0), sign_flip_p(np.repeat([0.5, -0.5, 0.25], [1000, 900, 2101]))
    assert exact == pytest.approx(normal, rel=0.15)
    assert p_value(0) > p_value(20)


def test_p_values_are_adjusted_as_benjamini_and_hochberg_say():
    # Sorted, the i-th of m is multiplied by m / i, and none may be above a later one.
    found = adjusted(np.array([0.04, np.nan, 0.01, 0.03, 0.5]))
    assert found[[0, 2, 3, 4]] == pytest.approx([0.04 * 4 / 3, 0.01 * 4, 0.04 * 4 / 3, 0.5])
    assert math.isnan(found[1])


@pytest.mark.parametrize("model", [independent, split, alike, drawn])
def test_equal_agents_have_small_p_values_no_oftener_than_they_say(model):
    share = 0.5 if model is not split else 0.501
    p = np.array([sign_flip_p(scores - 0.5) for scores in model(np.random.default_rng(2), share, (2000, 40))])
    for level in (0.01, 0.05, 0.2):
        assert (p <= level).mean() <= level + 3 * math.sqrt(level * (1 - level) / 2000)


def table_of(scores, seed=0, resamples=400):
    field = resampled(deals_of(scores), resamples, seed)
    return superiority(field, resampled_ratings(field)).set_index(["agent", "opponent"])


def test_both_directions_of_a_pair_mirror():
    table = table_of(round_robin(np.random.default_rng(1), {"a": 1200.0, "b": 1000.0, "c": 990.0}, 60))
    for a, b in itertools.combinations("abc", 2):
        one, other = table.loc[a, b], table.loc[b, a]
        assert one.los + other.los == pytest.approx(1)
        assert one.direct_p == other.direct_p
        assert not (one.better and other.better)
    assert table.loc["a", "b"].better
    assert table.loc["a", "b"].los > 0.99


def test_a_pair_that_never_met_is_judged_by_its_games_with_others():
    rng = np.random.default_rng(1)
    table = table_of({("a", "b"): independent(rng, 0.8, (60,)), ("b", "c"): independent(rng, 0.8, (60,))})
    line = table.loc["a", "c"]
    assert line.los > 0.99
    assert math.isnan(line.direct_p)
    assert not line.better
    assert "never met" in line.note


def test_resamples_never_make_superiority_certain():
    table = table_of({("a", "b"): np.ones(50)}, resamples=99)
    assert table.loc["a", "b"].los == pytest.approx(1 - 0.005)


def test_the_likelihood_of_superiority_of_equal_agents_is_spread_evenly():
    rng, found = np.random.default_rng(8), []
    for seed in range(400):
        found.append(table_of(round_robin(rng, dict.fromkeys("abc", 0.0), 40), seed, 200).loc["a", "b"].los)
    los = np.array(found)
    for level in (0.05, 0.2, 0.5, 0.8, 0.95):
        # Four standard deviations of 400, and a resample in 200.
        assert (los <= level).mean() == pytest.approx(level, abs=4 * math.sqrt(level * (1 - level) / 400) + 0.005)


def test_the_likelihood_of_superiority_is_how_often_the_one_is_better():
    rng, found, true = np.random.default_rng(9), [], []
    for seed in range(400):
        strengths = dict(zip("abc", rng.normal(0, 100, 3), strict=True))
        table = table_of(round_robin(rng, strengths, 30), seed, 200)
        ahead = table[table["los"] >= 0.5]["los"]
        found += list(ahead)
        true += [strengths[a] > strengths[b] for a, b in ahead.index]
    los, right = np.array(found), np.array(true)
    for low, high in ((0.5, 0.7), (0.7, 0.9), (0.9, 1.0)):
        some = (los >= low) & (los < high)
        assert some.sum() > 80
        assert right[some].mean() == pytest.approx(los[some].mean(), abs=4 * 0.5 / math.sqrt(some.sum()))


def flags_of(rng, strengths, deals):
    return table_of(round_robin(rng, strengths, deals), resamples=2)["better"]


def test_in_a_field_of_equals_hardly_any_field_has_a_flag():
    rng, equals = np.random.default_rng(4), dict.fromkeys("abcdef", 0.0)
    flagged = sum(flags_of(rng, equals, 60).any() for _ in range(300))
    # Where all are equal every flag is mistaken: 5 % of the fields, 15, may have one, and chance adds 11 at most.
    assert flagged <= 26


def test_of_all_flags_few_are_mistaken_and_real_leads_are_found():
    rng, wrong, found = np.random.default_rng(6), [], 0
    strengths = {"a": 150.0, "b": 150.0, "c": 0.0, "d": 0.0, "e": 0.0, "f": 0.0}
    for _ in range(200):
        flags = flags_of(rng, strengths, 60)
        flagged = [pair for pair, better in flags.items() if better]
        mistaken = [(a, b) for a, b in flagged if strengths[a] <= strengths[b]]
        wrong.append(len(mistaken) / max(1, len(flagged)))
        found += len(flagged) - len(mistaken)
    assert np.mean(wrong) <= 0.05
    assert found > 0.9 * 200 * 8


def test_the_fits_of_all_resamples_at_once_are_those_one_by_one():
    strengths = {"a": 2900.0, "b": 1500.0, "c": 1000.0, "d": 100.0}
    field = resampled(deals_of(round_robin(np.random.default_rng(3), strengths, 60)), resamples=12)
    one_by_one = np.stack([fit_shares(field, shares) for shares in field.drawn])
    assert resampled_ratings(field) == pytest.approx(one_by_one, abs=1e-5)


def test_without_ratings_the_direct_tests_stand():
    found = summarise(frame_of({("a", "b"): ["WW"] * 20, ("c", "d"): ["WL"] * 9}))
    table = found.superiority.set_index(["agent", "opponent"])
    assert table["los"].isna().all()
    assert table.loc["a", "b"].better
    assert (math.isnan(table.loc["c", "d"].direct_p), "9" in table.loc["c", "d"].note) == (True, True)
    assert "no likelihood of superiority" in found.superiority_notes[0]
    assert ("a", "c") not in table.index
