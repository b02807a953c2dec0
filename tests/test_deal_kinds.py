"""Deals alike are counted instead of listed: the tables are those of all rows, and what is kept does not grow."""

import itertools

import numpy as np
import pandas as pd
import pytest
from made_up_results import deck_rows, frame_of, rows_of

from duelbench.analysis import game_results, nash
from duelbench.analysis.deal_kinds import deal_values, kinds_of_deals
from duelbench.analysis.decks import deck_matrix, deck_ranking
from duelbench.analysis.descriptive import draws, endings, game_lengths, seat_advantage
from duelbench.analysis.game_results import read_results, results_of
from duelbench.analysis.payoffs import deal_table, payoffs
from duelbench.analysis.ratings import ratings, separation
from duelbench.analysis.report.data import told_games
from duelbench.analysis.significance import sign_flip_p
from duelbench.analysis.summary import TABLES, summarise
from duelbench.envs.errors import BadInput
from duelbench.experiments.estimates import interval_of_mean, interval_of_share
from duelbench.experiments.rows import part_bytes, part_path

ROUND_ROBIN = {
    ("a", "b"): ["WW", "WL", "DL", "WL", "LL", "DD"] * 20,
    ("a", "c"): ["WW", "WD", "LW"] * 40,
    ("b", "c"): ["WL", "LW", "DD", "WW"] * 30,
}
MIRROR = {("x", "y"): ["WL", "WW", "DW"] * 5, ("x", "z"): ["LL", "DD"] * 8, ("y", "z"): ["WW"] * 12}


def with_decks(rows):
    """The rows with decks that lie on their seats while the agents swap them, and with two ways to end."""
    lying = list(itertools.product("xyz", repeat=2))
    return [
        row._replace(
            deck0=lying[row.deal % 9][0], deck1=lying[row.deal % 9][1], reason="limit" if row.winner < 0 else "won"
        )
        for row in rows
    ]


def mirror_rows():
    """One agent against itself, the deals of all pairs of decks numbered on."""
    rows, start = [], 0
    for decks, deals in MIRROR.items():
        rows += deck_rows({decks: deals}, start=start)
        start += len(deals)
    return rows


PLAYED = {
    "agents": rows_of(ROUND_ROBIN),
    "agents with decks": with_decks(rows_of(ROUND_ROBIN)),
    "decks": mirror_rows(),
    "agents and an agent against itself": [*with_decks(rows_of(ROUND_ROBIN)), *mirror_rows()],
}


@pytest.fixture(params=PLAYED)
def rows(request):
    return [row._replace(game=game) for game, row in enumerate(PLAYED[request.param])]


def assert_same(one, two):
    pd.testing.assert_frame_equal(one, two, check_exact=False, rtol=1e-13, atol=1e-13)


def stored(folder, rows, games_a_part):
    """A run folder with the rows in parts of so many."""
    part_path(folder, 0).parent.mkdir(parents=True, exist_ok=True)
    for part, start in enumerate(range(0, len(rows), games_a_part)):
        part_path(folder, part).write_bytes(part_bytes(rows[start : start + games_a_part]))
    return folder


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch):
    monkeypatch.setattr(nash, "NASH_RESAMPLES", 10)


@pytest.fixture
def small_batches(monkeypatch):
    """A batch is a part, however few games it has."""
    monkeypatch.setattr(game_results, "BATCH", 1)


def test_the_first_deal_of_each_kind_stands_for_all():
    kinds = kinds_of_deals(frame_of({("a", "b"): ["WL", "LW", "WL", "WL"], ("a", "c"): ["WL"]}))
    assert kinds["game"].tolist() == [0, 1, 2, 3, 8, 9]
    assert kinds["count"].tolist() == [3, 3, 1, 1, 1, 1]
    assert kinds["seat0"].tolist() == ["a", "b", "a", "b", "a", "c"]


@pytest.mark.parametrize(
    ("column", "value"), [("reason", "limit"), ("deck1", "x"), ("variant", "open"), ("winner", -1), ("seat1", "c")]
)
def test_one_game_that_differs_makes_another_kind(column, value):
    rows = frame_of({("a", "b"): ["WL"] * 5})
    rows.loc[7, column] = value
    assert kinds_of_deals(rows)["count"].tolist() == [4, 4, 1, 1]


def test_neither_decisions_nor_the_order_of_the_games_make_a_kind():
    rows = frame_of({("a", "b"): ["WL"] * 5})
    rows["decisions"] = range(10)
    assert kinds_of_deals(rows.iloc[[0, 1, 3, 2, 4, 5, 9, 8, 7, 6]])["count"].tolist() == [5, 5]


def test_kinds_of_kinds_are_the_same(rows):
    kinds = kinds_of_deals(pd.DataFrame(rows))
    again = kinds_of_deals(kinds)
    assert again.equals(kinds)
    assert kinds.drop_duplicates(["matchup", "deal"])["count"].sum() == len(rows) / 2
    assert len(kinds) < len(rows)


def test_tables_of_the_kinds_are_those_of_all_rows(rows):
    every = pd.DataFrame(rows)
    kinds = kinds_of_deals(every)
    for table in (seat_advantage, draws, endings, deck_matrix, deck_ranking):
        assert_same(table(kinds), table(every))
    whole, counted = deal_table(every), deal_table(kinds)
    assert (whole["count"] == 1).all()
    assert counted["count"].sum() == len(whole)
    assert_same(payoffs(counted), payoffs(whole))
    assert separation(counted) == separation(whole)
    assert told_games(kinds) == told_games(every)
    if len(whole):
        assert_same(ratings(counted, resamples=50), ratings(whole, resamples=50))


@pytest.mark.parametrize("games_a_part", [40, 100])
def test_a_run_read_part_by_part_has_the_tables_of_its_rows(rows, games_a_part, tmp_path, small_batches):
    read = summarise(read_results(stored(tmp_path, rows, games_a_part)), None, ["c"])
    whole = summarise(pd.DataFrame(rows), None, ["c"])
    for name in TABLES:
        assert_same(getattr(read, name), getattr(whole, name))
    assert (read.notes, read.deck_notes, read.drawn.deals) == (whole.notes, whole.deck_notes, whole.drawn.deals)
    assert read.decisions.to_dict() == pd.DataFrame(rows)["decisions"].value_counts().to_dict()


def test_what_is_kept_of_a_run_does_not_grow_with_its_parts(tmp_path, small_batches):
    sizes = set()
    for times in (1, 4):
        rows = rows_of({pair: deals * times for pair, deals in ROUND_ROBIN.items()})
        results = read_results(stored(tmp_path / str(times), rows, 120))
        sizes.add((len(results.rows), len(results.lengths), len(results.decisions)))
        assert results.decisions["count"].sum() == len(rows)
    assert len(sizes) == 1


@pytest.mark.parametrize("games_a_part", [2, 100])
def test_a_broken_deal_is_refused_by_its_number(games_a_part, tmp_path, small_batches):
    rows = rows_of({("a", "b"): ["WW"] * 12})
    halved = stored(tmp_path / "halved", [row for row in rows if row.game not in (9, 15)], games_a_part)
    with pytest.raises(BadInput, match="deal 4 of a against b has 1 games; every deal needs two, with the seats swapp"):
        summarise(read_results(halved))
    same_seats = [row._replace(seat0="a", seat1="b") if row.game == 9 else row for row in rows]
    with pytest.raises(BadInput, match="deal 4 of a against b has 2 games"):
        summarise(read_results(stored(tmp_path / "seats", same_seats, games_a_part)))


def test_a_broken_deal_of_decks_is_refused_by_its_number(tmp_path, small_batches):
    rows = [row for row in deck_rows({("x", "y"): ["WW"] * 12}) if row.game != 9]
    with pytest.raises(BadInput, match=r"deal 4 of a vs a with the decks x and y has 1 games; .* the decks swapped"):
        summarise(read_results(stored(tmp_path, rows, 4)))


def test_a_part_that_is_there_twice_is_refused(tmp_path, small_batches):
    folder = stored(tmp_path, rows_of({("a", "b"): ["WW"] * 12}), 8)
    part_path(folder, 3).write_bytes(part_path(folder, 1).read_bytes())
    with pytest.raises(BadInput, match="deal 4 of a against b has 4 games"):
        summarise(read_results(folder))


def test_parts_may_cut_deals_in_two_or_come_in_any_order(tmp_path, small_batches):
    rows = rows_of(ROUND_ROBIN)
    cut = stored(tmp_path / "cut", rows, 7)
    swapped = stored(tmp_path / "swapped", rows, 60)
    first, second = part_path(swapped, 0), part_path(swapped, 1)
    one, two = first.read_bytes(), second.read_bytes()
    first.write_bytes(two)
    second.write_bytes(one)
    whole = summarise(pd.DataFrame(rows))
    for folder in (cut, swapped):
        assert_same(summarise(read_results(folder)).payoffs, whole.payoffs)


def test_deals_of_variants_are_kept_one_by_one(tmp_path, small_batches):
    plain = rows_of({("a", "b"): ["WL", "WW", "LL"] * 10})
    changed = rows_of({("a", "b"): ["WW", "WL", "DL"] * 10}, reason="limit")
    rows = [*plain, *(row._replace(variant="open=true", game=60 + row.game) for row in changed)]
    results = read_results(stored(tmp_path, rows, 20))
    assert told_games(results.rows) == "120 games of 30 deals"
    read, whole = summarise(results), summarise(pd.DataFrame(rows))
    assert_same(read.effects, whole.effects)
    assert len(read.effects)
    assert_same(read.variants["open=true"].lengths, whole.variants["open=true"].lengths)
    only = summarise(results.of(["open=true"]))
    assert_same(only.payoffs, summarise(pd.DataFrame(changed)).payoffs)
    assert list(only.endings["reason"]) == ["limit"]


def test_lengths_of_games_from_how_often_each_occurs():
    rows = frame_of({("a", "b"): ["WL"] * 12})
    rows["decisions"] = [4, 6] * 5 + [7, 9] * 4 + [20, 30] * 3
    results = results_of(rows)
    assert results.lengths[["decisions", "count"]].to_numpy().tolist() == [[5, 5], [8, 4], [25, 3]]
    whole = game_lengths(results.lengths, results.decisions).iloc[0]
    expected = interval_of_mean(np.repeat([5.0, 8.0, 25.0], [5, 4, 3]))
    assert (whole["mean"], whole["low"], whole["high"]) == pytest.approx(
        (expected.value, expected.low, expected.high), rel=1e-13
    )
    # 4 4 4 4 4 6 6 6 6 6 7 7 | 7 7 9 9 9 9 20 20 20 30 30 30
    assert (whole.shortest, whole["median"], whole.longest, whole.deals) == (4, 7.0, 30, 12)
    rows.loc[rows["decisions"] == 7, "decisions"] = [7, 7, 8, 8]
    results = results_of(rows)
    assert game_lengths(results.lengths, results.decisions)["median"][0] == 7.5


@pytest.mark.parametrize("scale", [1, 3, 1000])
def test_counted_values_are_worth_their_repetition(scale):
    values, counts = np.array([0.0, 0.25, 0.5, 1.0]), scale * np.array([4, 1, 3, 5])
    every = np.random.default_rng(1).permutation(np.repeat(values, counts))
    for interval in (interval_of_share, interval_of_mean):
        counted, listed = interval(values, counts), interval(every)
        assert counted.deals == listed.deals == 13 * scale
        assert (counted.value, counted.low, counted.high) == pytest.approx(
            (listed.value, listed.low, listed.high), rel=1e-12
        )
    assert sign_flip_p(values - 0.5, counts) == sign_flip_p(every - 0.5)
    found = deal_values(every, np.ones(len(every), np.int64))
    assert (found.values.tolist(), found.counts.tolist()) == (values.tolist(), counts.tolist())
    assert (found.deals, found.mean) == (len(every), every.mean())
