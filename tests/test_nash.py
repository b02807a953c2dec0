"""Nash averaging on games whose equilibria are known, and against every equilibrium found by trying all supports."""

import itertools

import numpy as np
import pytest
from deal_models import deals_of, independent, round_robin

from duelbench.analysis.nash import equilibrium, nash, refusal
from duelbench.analysis.resamples import resampled

ROCK_PAPER_SCISSORS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / 2


def antisymmetric(rng, n, draw):
    upper = np.triu(draw((n, n)), 1)
    return upper - upper.T


def corner_equilibria(payoff):
    """Every equilibrium that is the only one on its support, by solving each support."""
    found, n = [], len(payoff)
    for size in range(1, n + 1):
        for support in itertools.combinations(range(n), size):
            system = np.vstack([payoff[np.ix_(support, support)], np.ones(size)])
            if np.linalg.matrix_rank(system, tol=1e-9) < size:
                continue
            mass = np.zeros(n)
            mass[list(support)] = np.linalg.lstsq(system, np.append(np.zeros(size), 1.0), rcond=None)[0]
            if (mass >= -1e-9).all() and abs(mass.sum() - 1) < 1e-9 and (payoff @ mass <= 1e-9).all():
                found.append(mass)
    return found


def entropy(mass):
    return -np.sum(mass[mass > 0] * np.log(mass[mass > 0]))


def test_a_field_that_one_agent_beats_is_all_its_own():
    dominated = np.array([[0, 0.1, 0.2], [-0.1, 0, 0.3], [-0.2, -0.3, 0]])
    assert list(equilibrium(dominated)) == [1, 0, 0]


def test_rock_paper_scissors_is_shared_and_uneven_stakes_shift_it():
    assert equilibrium(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)
    # Each gets the stake of the pair that it is not in.
    rock_paper, paper_scissors, scissors_rock = 0.1, 0.3, 0.2
    uneven = np.array(
        [[0, -rock_paper, scissors_rock], [rock_paper, 0, -paper_scissors], [-scissors_rock, paper_scissors, 0]]
    )
    assert equilibrium(uneven) == pytest.approx(np.array([paper_scissors, scissors_rock, rock_paper]) / 0.6)


def test_copies_of_an_agent_share_what_one_had():
    order = [0, 0, 1, 2]
    assert equilibrium(ROCK_PAPER_SCISSORS[np.ix_(order, order)]) == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3])


def test_agents_that_are_all_equal_share_evenly():
    assert equilibrium(np.zeros((4, 4))) == pytest.approx([1 / 4] * 4)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_the_equilibrium_is_the_only_one(n):
    rng = np.random.default_rng(n)
    for _ in range(25):
        payoff = antisymmetric(rng, n, lambda shape: rng.uniform(-0.5, 0.5, shape))
        (only,) = corner_equilibria(payoff)
        assert equilibrium(payoff) == pytest.approx(only, abs=1e-7)


def test_of_many_equilibria_it_is_the_most_even():
    rng, many = np.random.default_rng(1), 0
    for _ in range(60):
        payoff = antisymmetric(rng, 5, lambda shape: rng.integers(-1, 2, shape) / 4)
        corners, mass = corner_equilibria(payoff), equilibrium(payoff)
        assert (payoff @ mass).max() < 1e-6
        mixtures = rng.dirichlet(np.full(len(corners), 0.5), 300) @ np.array(corners)
        assert max(map(entropy, mixtures)) <= entropy(mass) + 1e-6
        many += len(corners) > 1
    assert many > 10


def field_of(scores, resamples=200):
    return resampled(deals_of(scores), resamples)


def test_skill_is_the_loss_to_the_equilibrium_with_an_interval():
    scores = {
        ("a", "b"): 0.8,
        ("b", "c"): 0.8,
        ("a", "c"): 0.2,
        ("a", "weak"): 0.9,
        ("b", "weak"): 0.8,
        ("c", "weak"): 0.7,
    }
    rng = np.random.default_rng(2)
    table = nash(field_of({pair: independent(rng, share, (400,)) for pair, share in scores.items()})).set_index("agent")
    assert list(table.loc[["a", "b", "c"], "mass"]) == pytest.approx([1 / 3] * 3, abs=0.06)
    assert table.loc["weak", "mass"] == table.loc["weak", "mass_high"] == 0
    assert list(table.loc[["a", "b", "c"], "skill"]) == [0, 0, 0]
    # It loses 0.4, 0.3 and 0.2 to the three.
    assert table.loc["weak", "skill"] == pytest.approx(-0.3, abs=0.03)
    assert table.loc["weak", "skill_low"] < -0.3 < table.loc["weak", "skill_high"] < -0.2
    assert table.index[-1] == "weak"


def test_intervals_hold_the_true_skills():
    true = {"b": 0.5 - 1 / (1 + 10 ** (-120 / 400)), "c": 0.5 - 1 / (1 + 10 ** (-240 / 400))}
    rng, covered, repeats = np.random.default_rng(3), 0, 100
    for _ in range(repeats):
        table = nash(field_of(round_robin(rng, {"a": 240.0, "b": 120.0, "c": 0.0}, 60), 100)).set_index("agent")
        covered += sum(
            table.loc[agent, "skill_low"] <= skill <= table.loc[agent, "skill_high"] for agent, skill in true.items()
        )
    assert 0.9 * 2 * repeats <= covered <= 0.99 * 2 * repeats


def test_weak_agents_added_to_the_field_change_nothing():
    rng = np.random.default_rng(4)
    few = round_robin(rng, {"a": 200.0, "b": 0.0}, 80)
    weak = {(agent, f"weak{i}"): np.full(80, 0.75) for agent in "ab" for i in range(3)}
    among = {(f"weak{i}", f"weak{j}"): np.full(80, 0.5) for i, j in itertools.combinations(range(3), 2)}
    small, large = (nash(field_of(scores)).set_index("agent") for scores in (few, few | weak | among))
    for agent in "ab":
        assert small.loc[agent, ["mass", "skill"]].tolist() == large.loc[agent, ["mass", "skill"]].tolist()


def test_it_is_refused_where_not_all_have_met_or_deals_are_few():
    rng = np.random.default_rng(5)
    scores = round_robin(rng, {"a": 0.0, "b": 0.0, "c": 0.0, "d": 0.0}, 20)
    assert refusal(deals_of(scores)) == ""
    apart = {pair: values for pair, values in scores.items() if pair not in (("a", "b"), ("c", "d"))}
    assert refusal(deals_of(apart)) == (
        "no Nash averaging: a and b never met, nor did 1 other pair; all agents must have met each other"
    )
    few = scores | {("b", "d"): np.full(9, 0.5)}
    assert refusal(deals_of(few)) == "no Nash averaging: b against d has 9 deals, at least 10 needed"
