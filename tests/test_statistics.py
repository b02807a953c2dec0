"""Estimates, intervals and ratings on results whose truth is known."""

import itertools
import math

import numpy as np
import pytest
from made_up_results import drawn_from_strengths, frame_of, rows_of

from duelbench.analysis.game_results import read_results
from duelbench.analysis.payoffs import deal_table, payoff_matrix, payoffs
from duelbench.analysis.ratings import fit, ratings, refusal, separation
from duelbench.analysis.summary import summarise, write_tables
from duelbench.envs.errors import BadInput
from duelbench.experiments.estimates import MIN_DEALS, interval_of_mean, interval_of_share
from duelbench.experiments.rows import part_bytes, part_path


def split_deals(rng, deals):
    """A against itself where the cards favour a seat: the games of a deal go opposite ways more often than not."""
    favour = rng.beta(0.5, 0.5, size=deals)
    return ((rng.random(deals) < favour) * 1.0 + (rng.random(deals) > favour)) / 2


def alike_deals(rng, deals):
    """A against itself where a deal suits one of them: the games of a deal go the same way more often than not."""
    luck = rng.beta(0.5, 0.5, size=deals)
    return ((rng.random(deals) < luck) * 1.0 + (rng.random(deals) < luck)) / 2


@pytest.mark.parametrize("simulate", [split_deals, alike_deals])
def test_the_interval_of_a_against_a_covers_one_half_95_percent_of_the_time(simulate):
    rng = np.random.default_rng(7)
    found = [interval_of_share(simulate(rng, 80)) for _ in range(2000)]
    covered = sum(e.low <= 0.5 <= e.high for e in found)
    # Four standard deviations of a binomial around 1900.
    assert 1860 <= covered <= 1940


@pytest.mark.parametrize("chance", [0.9, 0.98])
def test_the_interval_of_a_lopsided_matchup_covers_too(chance):
    rng = np.random.default_rng(11)
    found = [interval_of_share((rng.random((100, 2)) < chance).mean(axis=1)) for _ in range(2000)]
    covered = sum(e.low <= chance <= e.high for e in found)
    # Scores next to the edge take few values, so the coverage moves in steps; it may err to the safe side.
    assert 1850 <= covered <= 1985


def test_the_same_games_are_worth_less_when_the_two_of_a_deal_agree():
    agreeing, opposite = np.repeat([0.0, 1.0], 50), np.repeat([0.5, 0.5, 0.0, 1.0], [49, 49, 1, 1])
    wide, narrow = interval_of_share(agreeing), interval_of_share(opposite)
    assert wide.value == narrow.value == 0.5
    assert wide.high - wide.low > 3 * (narrow.high - narrow.low)


def test_an_interval_of_deals_that_are_wins_or_losses_is_wilsons_with_a_deal_as_the_unit():
    # 75 of 100 deals won twice: each deal is worth one game; t(99) is 1.98422.
    e = interval_of_share(np.repeat([1.0, 0.0], [75, 25]))
    t, n, p = 1.984217, 100, 0.75
    centre = (p + t * t / (2 * n)) / (1 + t * t / n)
    half = t * math.sqrt(p * (1 - p) / n + t * t / (4 * n * n)) / (1 + t * t / n)
    assert (e.low, e.high) == (pytest.approx(centre - half, abs=1e-6), pytest.approx(centre + half, abs=1e-6))


def test_a_clean_sweep_keeps_an_honest_width():
    e = interval_of_share(np.ones(100))
    # Wilson's lower bound for 100 of 100 is n / (n + t * t).
    assert (e.value, e.high) == (1.0, 1.0)
    assert e.low == pytest.approx(100 / (100 + 1.984217**2), abs=1e-6)


def test_deals_that_are_all_split_are_narrow_but_no_point():
    e = interval_of_share(np.full(100, 0.5))
    assert 0.45 < e.low < 0.5 < e.high < 0.55


@pytest.mark.parametrize("value", [0.0, 0.25, 0.5, 1.0])
def test_intervals_hold_the_estimate_and_mirror(value):
    scores = np.append(np.full(30, value), [0.5, 1.0])
    mine, theirs = interval_of_share(scores), interval_of_share(1 - scores)
    assert 0 <= mine.low <= mine.value <= mine.high <= 1
    assert (theirs.low, theirs.high) == (pytest.approx(1 - mine.high), pytest.approx(1 - mine.low))


@pytest.mark.parametrize("interval", [interval_of_share, interval_of_mean])
def test_too_few_deals_are_refused(interval):
    values = np.arange(MIN_DEALS) % 2 * 1.0
    refused, given = interval(values[:-1]), interval(values)
    assert math.isnan(refused.low)
    assert math.isnan(refused.high)
    assert str(MIN_DEALS - 1) in refused.note
    assert str(MIN_DEALS) in refused.note
    assert given.note == ""
    assert given.low < given.value < given.high


def test_an_interval_of_a_mean_is_students():
    # Ten values with mean 4.5 and variance 82.5 / 9; t(9) is 2.262157.
    e = interval_of_mean(np.arange(10.0))
    half = 2.262157 * math.sqrt(82.5 / 9 / 10)
    assert (e.value, e.low, e.high) == (4.5, pytest.approx(4.5 - half, abs=1e-5), pytest.approx(4.5 + half, abs=1e-5))


def test_payoffs_count_from_the_view_of_either_agent():
    table = payoffs(deal_table(frame_of({("zoe", "amy"): ["WW"] * 6 + ["WL"] * 3 + ["DL"]})))
    amy, zoe = table.iloc[0], table.iloc[1]
    assert (zoe.agent, zoe.opponent, zoe.deals, zoe.games) == ("zoe", "amy", 10, 20)
    assert (zoe.wins, zoe.draws, zoe.losses) == (15, 1, 4)
    assert zoe.score == pytest.approx(15.5 / 20)
    assert (amy.wins, amy.draws, amy.losses) == (4, 1, 15)
    assert amy.score == pytest.approx(1 - zoe.score)
    assert (amy.low, amy.high) == (pytest.approx(1 - zoe.high), pytest.approx(1 - zoe.low))


def test_the_payoff_matrix_is_the_row_against_the_column():
    table = payoffs(deal_table(frame_of({("a", "b"): ["WW"] * 10, ("b", "c"): ["WL"] * 10})))
    matrix = payoff_matrix(table, ["c", "b", "a"])
    assert list(matrix.index) == list(matrix.columns) == ["c", "b", "a"]
    assert (matrix.loc["a", "b"], matrix.loc["b", "a"], matrix.loc["b", "c"]) == (1.0, 0.0, 0.5)
    assert math.isnan(matrix.loc["a", "c"])
    assert math.isnan(matrix.loc["a", "a"])


def test_a_deal_without_its_second_game_is_refused():
    rows = frame_of({("a", "b"): ["WW"] * 12})
    with pytest.raises(BadInput, match="deal 4 of a against b has 1 games"):
        deal_table(rows.drop(index=9))


def test_a_deal_whose_seats_were_not_swapped_is_refused():
    rows = frame_of({("a", "b"): ["WW"] * 12})
    rows.loc[9, ["seat0", "seat1"]] = ["a", "b"]
    with pytest.raises(BadInput, match="deal 4 of a against b"):
        deal_table(rows)


def test_two_agents_are_rated_by_the_odds_of_their_points():
    # 30 of 40 points, and the made-up draw: odds of 30.5 to 10.5.
    results = {("a", "b"): ["WW"] * 12 + ["WL"] * 4 + ["DD"] * 2 + ["LL"] * 2}
    table = ratings(deal_table(frame_of(results)), resamples=20)
    assert list(table["agent"]) == ["a", "b"]
    assert table["rating"].mean() == pytest.approx(1000)
    assert table["rating"][0] - table["rating"][1] == pytest.approx(400 * math.log10(30.5 / 10.5), abs=1e-4)


def test_the_fit_gives_back_strengths_from_their_expected_scores():
    strengths = np.array([1350.0, 1100.0, 950.0, 600.0])
    places = np.array(list(itertools.combinations(range(4), 2)))
    gap = strengths[places[:, 1]] - strengths[places[:, 0]]
    games = np.full(6, 1e9)
    found = fit(4, places, games / (1 + 10 ** (gap / 400)), games)
    assert found == pytest.approx(strengths, abs=0.01)


def test_ratings_recover_planted_strengths():
    truth = {"best": 1250.0, "good": 1100.0, "fair": 950.0, "poor": 700.0}
    table = ratings(deal_table(frame_of(drawn_from_strengths(np.random.default_rng(3), truth, 1000))), resamples=100)
    assert list(table["agent"]) == list(truth)
    assert list(table["rank"]) == [1, 2, 3, 4]
    assert list(table["rating"]) == pytest.approx(list(truth.values()), abs=25)


def test_rating_intervals_cover_planted_strengths():
    truth = {"a": 1120.0, "b": 1000.0, "c": 880.0}
    rng, covered = np.random.default_rng(5), 0
    for seed in range(40):
        table = ratings(deal_table(frame_of(drawn_from_strengths(rng, truth, 60))), resamples=100, seed=seed)
        covered += sum(line.low <= truth[line.agent] <= line.high for line in table.itertuples())
    # 120 intervals at 95%: 114 expected; those of one table are not independent.
    assert 105 <= covered <= 119


def unequal_deals(rng, truth, counts):
    """Results of a round robin with as many deals per matchup as `counts` says, from the Bradley-Terry model."""
    results = drawn_from_strengths(rng, truth, max(counts.values()))
    return deal_table(frame_of({pair: deals[: counts[pair]] for pair, deals in results.items()}))


def test_ratings_from_unequal_numbers_of_deals_recover_planted_strengths():
    truth = {"best": 1200.0, "good": 1080.0, "fair": 940.0, "slow": 780.0}
    counts = dict.fromkeys(itertools.combinations(truth, 2), 3000) | {("best", "slow"): 60, ("good", "slow"): 200}
    table = ratings(unequal_deals(np.random.default_rng(4), truth, counts), resamples=50)
    assert list(table["agent"]) == list(truth)
    assert list(table["rating"]) == pytest.approx(list(truth.values()), abs=25)
    assert dict(zip(table["agent"], table["deals"], strict=True))["slow"] == 3260


def test_rating_intervals_cover_planted_strengths_with_unequal_numbers_of_deals():
    truth = {"a": 1120.0, "b": 1000.0, "c": 880.0}
    counts = {("a", "b"): 300, ("a", "c"): 30, ("b", "c"): 30}
    rng, covered = np.random.default_rng(6), 0
    widths = np.zeros(3)
    for seed in range(40):
        table = ratings(unequal_deals(rng, truth, counts), resamples=100, seed=seed).set_index("agent")
        covered += sum(table.loc[agent, "low"] <= truth[agent] <= table.loc[agent, "high"] for agent in truth)
        widths += (table["high"] - table["low"]).loc[list(truth)].to_numpy()
    # 120 intervals at 95%: 114 expected; those of one table are not independent.
    assert 105 <= covered <= 119
    # The agent of few deals is the one that is known least.
    assert widths[2] > 1.2 * widths[:2].max()


def test_rating_intervals_respect_the_pairing():
    agreeing = ratings(deal_table(frame_of({("a", "b"): ["WW", "LL"] * 50})), resamples=200)
    opposite = ratings(deal_table(frame_of({("a", "b"): ["WL"] * 98 + ["WW", "LL"]})), resamples=200)
    wide, narrow = (table["high"] - table["low"] for table in (agreeing, opposite))
    assert (wide > 3 * narrow).all()
    assert (narrow > 0).all()


def test_ratings_and_payoffs_do_not_depend_on_the_order_of_rows_or_names_of_matchups():
    results = drawn_from_strengths(np.random.default_rng(1), {"a": 1200.0, "b": 1000.0, "c": 800.0}, 40)
    rows = frame_of(results)
    other = rows.sample(frac=1, random_state=2).reset_index(drop=True)
    other["matchup"] = other["matchup"].replace({"a vs b": "b vs a"})
    one, two = summarise(rows), summarise(other)
    assert one.ratings.to_csv() == two.ratings.to_csv()
    assert one.payoffs.to_csv() == two.payoffs.to_csv()


def test_an_agent_that_never_drops_a_point_is_rated_with_a_caution():
    results = {("god", "a"): ["WW"] * 50, ("god", "b"): ["WW"] * 50, ("a", "b"): ["WL", "WW", "DL"] * 20}
    deals = deal_table(frame_of(results))
    table = ratings(deals, resamples=200)
    assert list(table["agent"]) == ["god", "a", "b"]
    assert np.isfinite(table[["rating", "low", "high"]].to_numpy()).all()
    assert (table["high"] - table["low"] > 1).all()
    assert "god > a, b" in separation(deals)


def test_a_clean_sweep_is_rated_with_the_width_of_some_exceptions():
    table = ratings(deal_table(frame_of({("god", "a"): ["WW"] * 50})))
    # The gap after k lost deals of 50, the made-up draw included; a bootstrap of the deals alone would know k = 0 only.
    gaps = [400 * math.log10((100 - 2 * k + 0.5) / (2 * k + 0.5)) for k in range(5)]
    assert table["rating"][0] - table["rating"][1] == pytest.approx(gaps[0], abs=0.01)
    assert gaps[4] - 0.01 <= table["low"][0] - table["high"][1] <= gaps[2] + 0.01


def test_one_dropped_point_is_no_separation():
    deals = deal_table(frame_of({("god", "a"): ["WW"] * 49 + ["WD"], ("a", "b"): ["WL", "WW"] * 20}))
    assert separation(deals) == ""


def test_a_ring_of_one_sided_matchups_is_no_separation():
    ring = {pair: ["WW"] * 10 for pair in (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock"))}
    deals = deal_table(frame_of(ring))
    assert separation(deals) == ""
    assert list(ratings(deals, resamples=10)["rating"]) == pytest.approx([1000] * 3, abs=0.01)


def test_ratings_are_refused_where_a_matchup_has_too_few_deals():
    rows = frame_of({("a", "b"): ["WL"] * 20, ("b", "c"): ["WL"] * (MIN_DEALS - 1)})
    assert f"b against c has {MIN_DEALS - 1} deals" in refusal(deal_table(rows))
    found = summarise(rows)
    assert len(found.ratings) == 0
    assert len(found.notes) == 1
    assert found.agents == ["a", "b", "c"]


def test_ratings_are_refused_for_agents_that_no_games_link():
    deals = deal_table(frame_of({("a", "b"): ["WL"] * 20, ("c", "d"): ["WL"] * 20}))
    assert "a, b | c, d" in refusal(deals)


def test_seat_advantage_is_told_apart_from_strength():
    found = summarise(frame_of({("a", "b"): ["WL"] * 30, ("a", "c"): ["WW"] * 30}))
    share = found.seats.set_index("matchup")["share"]
    assert (share["a vs b"], share["a vs c"], share["all"]) == (1.0, 0.5, 0.75)
    assert list(found.seats["deals"]) == [60, 30, 30]
    payoff = payoff_matrix(found.payoffs, ["a", "b", "c"])
    assert (payoff.loc["a", "b"], payoff.loc["a", "c"]) == (0.5, 1.0)


def test_an_uneven_seat_has_to_stand_out_among_all_matchups():
    # Seat 0 won both games of 8 deals, and the other deals gave each seat a game.
    leading, even = ["WL"] * 8 + ["WW"] * 12, ["WW"] * 20
    alone = summarise(frame_of({("a", "b"): leading})).seats.set_index("matchup")
    pairs = {pair: leading if pair == ("a", "b") else even for pair in itertools.combinations("abcdef", 2)}
    among = summarise(frame_of(pairs)).seats.set_index("matchup")
    assert alone.loc["a vs b", "p"] == among.loc["a vs b", "p"] == pytest.approx(2 / 2**8)
    assert alone.loc["a vs b", "adjusted_p"] == pytest.approx(2 / 2**8)
    assert among.loc["a vs b", "adjusted_p"] == pytest.approx(15 * 2 / 2**8)
    assert [alone.loc["a vs b", "uneven"], among.loc["a vs b", "uneven"]] == [True, False]
    # All matchups together are one test, which the others do not touch.
    assert among.loc["all", "adjusted_p"] == among.loc["all", "p"] == pytest.approx(2 / 2**8)


def test_draws_are_told_matchup_by_matchup():
    found = summarise(frame_of({("a", "b"): ["DD", "WL"] * 10, ("a", "c"): ["WL"] * 20})).draws.set_index("matchup")
    assert found["share"].to_dict() == {"all": 0.25, "a vs b": 0.5, "a vs c": 0.0}
    assert found.loc["a vs b", "low"] < 0.5 < found.loc["a vs b", "high"]


def test_lengths_endings_and_draws_are_counted():
    rows = frame_of({("a", "b"): ["DD", "WL", "WL"] * 10})
    rows.loc[rows["winner"] == -1, "reason"] = "turn limit"
    found = summarise(rows)
    assert found.drawn.value == pytest.approx(1 / 3)
    assert list(found.endings["reason"]) == ["all rounds played", "turn limit"]
    assert list(found.endings["games"]) == [40, 20]
    whole = found.lengths.iloc[0]
    assert (whole["mean"], whole.shortest, whole["median"], whole.longest) == (7.0, 6, 7.0, 8)


def test_tables_are_written_from_the_stored_rows(tmp_path):
    results = {("a", "b"): ["WW", "WL"] * 20}
    part_path(tmp_path, 0).parent.mkdir()
    part_path(tmp_path, 0).write_bytes(part_bytes(rows_of(results)))
    written = write_tables(tmp_path, summarise(read_results(tmp_path)))
    first, second = (path.read_text() for path in written[:2])
    assert first.splitlines()[1].startswith("a,b,0.75,")
    assert second.splitlines()[0].startswith("rank,agent,rating,low,high")
    assert second.splitlines()[1].startswith("1,a,")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games", "payoffs.csv", "ratings.csv", "tables"]


def test_an_agent_that_sees_everything_is_in_all_tables_but_has_no_rating():
    results = {("a", "b"): ["WL"] * 20, ("a", "seer"): ["LL"] * 20, ("b", "seer"): ["LL"] * 20}
    found, without = summarise(frame_of(results), None, ["seer"]), summarise(frame_of({("a", "b"): ["WL"] * 20}))
    assert found.ratings.equals(without.ratings)
    assert found.unrated == ("seer",)
    assert found.agents == ["a", "b", "seer"]
    assert set(found.payoffs["agent"]) == {"a", "b", "seer"}
    assert found.notes == ("seer sees the hidden cards: a yardstick, which has no rating",)
    assert len(found.seats) == 4


def test_two_agents_of_which_one_sees_everything_have_no_ratings():
    found = summarise(frame_of({("a", "seer"): ["LL"] * 20}), None, ["seer"])
    assert not len(found.ratings)
    assert found.notes[0] == "no ratings: no two different agents met"
    assert found.agents == ["a", "seer"]
