"""Deck against deck, on results whose truth is known: the tables, the report and what a terminal shows."""

import io
import itertools
import math

import numpy as np
import pandas as pd
import pytest
from made_up_results import deck_rows, frame_of, rows_of
from rich.console import Console
from small_runs import deck_config, highcard_known  # noqa: F401
from test_report import CONFIG, Page, figures_of, html_of, interval, page_of

from duelbench.analysis.cli.results import read
from duelbench.analysis.cli.tables import print_summary
from duelbench.analysis.decks import ALL_AGENTS, deck_matrix, deck_notes, deck_ranking
from duelbench.analysis.report.columns import percent
from duelbench.analysis.summary import summarise, write_tables
from duelbench.envs.errors import BadInput
from duelbench.experiments.config import make_config
from duelbench.experiments.estimates import MIN_DEALS, interval_of_share
from duelbench.experiments.run import run

PLANTED = {("ace", "mid"): 0.7, ("ace", "low"): 0.7, ("mid", "low"): 0.5}


def planted(rng, chances, deals):
    """Results of a run in which the first deck of each pair wins a game with its chance."""
    drawn = {pair: rng.random((deals, 2)) < chance for pair, chance in chances.items()}
    return {pair: ["".join("W" if game else "L" for game in deal) for deal in won] for pair, won in drawn.items()}


def frame(*rows):
    return pd.DataFrame(list(itertools.chain(*rows)))


def of_pair(matrix, deck, against):
    (line,) = matrix[(matrix["deck"] == deck) & (matrix["against"] == against)].itertuples()
    return line


def test_a_deck_that_wins_seven_of_ten_is_found():
    rows = frame(deck_rows(planted(np.random.default_rng(4), PLANTED, 1000)))
    line = of_pair(deck_matrix(rows), "ace", "mid")
    assert line.low < 0.7 < line.high
    assert line.high - line.low == pytest.approx(2 * 1.96 * math.sqrt(0.7 * 0.3 / 2000), rel=0.05)
    assert (line.deals, line.games, line.note, line.agent) == (1000, 2000, "", "a")
    best = deck_ranking(rows).iloc[0]
    assert (best["rank"], best.deck, best.beats, best.beats_surely, best.others) == (1, "ace", 2, 2, 2)
    assert best.low < 0.7 < best.high
    assert (best.deals, best.games) == (2000, 4000)


def test_the_interval_of_a_pair_covers_the_truth_95_percent_of_the_time():
    rng, covered = np.random.default_rng(9), 0
    for _ in range(300):
        line = of_pair(deck_matrix(frame(deck_rows(planted(rng, {("x", "y"): 0.7}, 60)))), "x", "y")
        covered += line.low <= 0.7 <= line.high
    # Four standard deviations of a binomial around 285.
    assert 269 <= covered <= 299


def test_a_share_is_counted_by_deals_and_draws_are_halves():
    rows = frame(deck_rows({("y", "x"): ["WW"] * 6 + ["WL"] * 3 + ["DL"]}))
    matrix = deck_matrix(rows)
    y, x = of_pair(matrix, "y", "x"), of_pair(matrix, "x", "y")
    expected = interval_of_share(np.array([1.0] * 6 + [0.5] * 3 + [0.25]))
    assert (y.share, y.low, y.high) == pytest.approx((expected.value, expected.low, expected.high))
    assert (x.share, x.low, x.high) == pytest.approx((1 - y.share, 1 - y.high, 1 - y.low))
    assert len(matrix) == 2


def test_a_seat_that_always_wins_makes_no_deck_better():
    line = of_pair(deck_matrix(frame(deck_rows({("x", "y"): ["WL"] * 50}))), "x", "y")
    assert line.share == 0.5
    assert line.high - line.low < 0.1


def test_too_few_deals_are_refused():
    rows = frame(deck_rows({("x", "y"): ["WW"] * (MIN_DEALS - 1), ("x", "z"): ["WW"] * MIN_DEALS}))
    matrix = deck_matrix(rows)
    refused = of_pair(matrix, "x", "y")
    assert math.isnan(refused.low)
    assert math.isnan(refused.high)
    assert "too few deals" in refused.note
    assert deck_ranking(rows).iloc[0].beats_surely == 1
    note, unequal = deck_notes(deck_ranking(rows), matrix)
    assert unequal.startswith("decks met unequally often")
    assert "multiples of 3 a matchup" in unequal
    told = "too few deals for an interval: 2 of 3 pairs of decks (a against itself); 30 deals a matchup would do"
    assert note == told


def test_a_lead_that_would_stand_alone_is_not_sure_among_many():
    # 8 of 8 decided deals have a p-value of 1/128: sure for one pair of decks, and not for the least of 15 pairs.
    leading = ["WW"] * 8 + ["WL"] * 12
    alone = frame(deck_rows({("a", "b"): leading}))
    pairs = {pair: leading if pair == ("a", "b") else ["WL"] * 20 for pair in itertools.combinations("abcdef", 2)}
    among = frame(deck_rows(pairs))
    assert of_pair(deck_matrix(alone), "a", "b").adjusted_p == pytest.approx(1 / 128)
    assert of_pair(deck_matrix(among), "a", "b").adjusted_p == pytest.approx(15 / 128)
    assert [deck_ranking(rows).iloc[0].beats_surely for rows in (alone, among)] == [1, 0]


def test_decks_that_met_no_other_are_there_and_say_so():
    """One deal of three decks, in which only x and y met."""
    found = summarise(frame(deck_rows({("x", "y"): ["WW"]})), ["x", "y", "z"])
    assert list(found.decks["deck"]) == ["x", "y", "z"]
    last = found.decks.iloc[2]
    assert math.isnan(last.share)
    assert (last.note, last.others, last.deals, last.games) == ("met no other deck", 0, 0, 0)
    assert found.deck_notes == (
        "too few deals for an interval: 3 of 3 pairs of decks (a against itself); 30 deals a matchup would do",
    )
    text = shown(found, 200)
    assert "(0 to 1 deals a pair)" in " ".join(text.split())
    assert "(1 deal)" in text
    (line,) = (line for line in text.splitlines() if "met no other deck" in line)
    cells = [cell.strip() for cell in line.split("│")[1:-1]]
    assert cells == ["3", "z", "–", "met no other deck", "0 of 0, 0 surely", "0"]


def test_decks_of_which_no_two_met_are_there_too():
    rows = frame(with_decks({("a", "b"): ["WW"] * 12}, [("x", "x")]))
    found = summarise(rows, ["x", "y"])
    assert list(found.decks["note"]) == ["met no other deck"] * 2
    assert "1 of 1 pair of decks; more deals would do" in found.deck_notes[1]
    assert "(0 deals a pair)" in " ".join(shown(found, 200).split())
    page = page_of(rows, CONFIG | {"decks": {"x": {}, "y": {}}})
    assert page.cells[page.cells.index("y") :][:4] == ["y", "", "–", "met no other deck"]
    assert "whoever played them; 0 deals a pair." in page.text
    assert not len(summarise(rows, ["x"]).decks)


def test_a_run_of_one_deal_tells_of_all_its_decks(tmp_path, highcard_known):  # noqa: F811
    folder = run(make_config(deck_config(deals=1, matchups=[["rnd", "rnd"]])), tmp_path)
    found = read(folder).summary
    assert list(found.decks["deck"][2:]) == ["coral"]
    assert set(found.decks["deck"]) == {"amber", "blue", "coral"}
    assert "3 of 3 pairs" in found.deck_notes[0]


def test_each_agent_that_meets_itself_has_a_matrix_of_its_own():
    rows = frame(
        deck_rows({("x", "y"): ["WW"] * 20}, "a"),
        deck_rows({("x", "y"): ["LL"] * 20}, "b"),
        with_decks({("a", "b"): ["WW"] * 20}, [("x", "y")]),
    )
    matrix, ranking = deck_matrix(rows), deck_ranking(rows)
    assert list(matrix["agent"]) == ["a", "a", "b", "b"]
    assert list(zip(ranking["agent"], ranking["rank"], ranking["deck"], strict=True)) == [
        ("a", 1, "x"),
        ("a", 2, "y"),
        ("b", 1, "y"),
        ("b", 2, "x"),
    ]
    assert set(ranking["deals"]) == {20}
    assert deck_notes(ranking, matrix) == []


def with_decks(results, pairs):
    """Rows of different agents (as `rows_of`) whose deals go through these pairs of decks."""
    rows = rows_of(results)
    return [row._replace(deck0=pairs[row.deal % len(pairs)][0], deck1=pairs[row.deal % len(pairs)][1]) for row in rows]


def test_without_an_agent_against_itself_all_games_are_taken_together():
    """Agent a always wins but where b has the deck x on seat 0 against y."""
    pairs = list(itertools.product("xy", repeat=2))
    rows = frame(with_decks({("a", "b"): ["WW", "WL", "WW", "WW"] * 20}, pairs))
    matrix = deck_matrix(rows)
    line = of_pair(matrix, "x", "y")
    # Of the 20 deals with x on seat 0 it wins both games, of the 20 with x on seat 1 one game each.
    assert (line.agent, line.deals, line.games) == (ALL_AGENTS, 40, 80)
    assert line.share == pytest.approx(0.75)
    assert "x" not in set(matrix[matrix["deck"] == matrix["against"]]["deck"])
    (note,) = deck_notes(deck_ranking(rows), matrix)
    assert "different agents" in note


@pytest.mark.parametrize("deck", ["", "random"])
def test_without_named_decks_there_is_nothing_to_compare(deck):
    rows = frame_of({("a", "b"): ["WL"] * 20}).assign(deck0=deck, deck1=deck)
    assert len(deck_matrix(rows)) == len(deck_ranking(rows)) == 0
    assert deck_notes(deck_ranking(rows), deck_matrix(rows)) == []
    assert len(summarise(rows).decks) == len(summarise(rows, []).decks) == 0


def test_a_deal_without_its_second_game_is_refused():
    rows = frame(deck_rows({("x", "y"): ["WW"] * 12}))
    with pytest.raises(BadInput, match="deal 4 of a vs a with the decks x and y has 1 games"):
        deck_matrix(rows.drop(index=9))


def test_a_deal_whose_decks_were_not_swapped_is_refused():
    rows = frame(deck_rows({("x", "y"): ["WW"] * 12}))
    rows.loc[9, ["deck0", "deck1"]] = ["x", "y"]
    with pytest.raises(BadInput, match=r"deal 4 of a vs a .* every deal needs two, with the decks swapped"):
        deck_matrix(rows)


def test_the_order_of_rows_changes_nothing():
    rows = frame(deck_rows(planted(np.random.default_rng(2), PLANTED, 30)))
    other = rows.sample(frac=1, random_state=3).reset_index(drop=True)
    assert deck_matrix(other).to_csv() == deck_matrix(rows).to_csv()
    assert deck_ranking(other).to_csv() == deck_ranking(rows).to_csv()


# --- The summary -------------------------------------------------------------------------------------------


def test_games_of_an_agent_against_itself_leave_ratings_and_payoffs_as_they_are():
    agents = with_decks({("a", "b"): ["WW", "WL"] * 20}, [("x", "y"), ("y", "x")])
    alone, beside = summarise(frame(agents)), summarise(frame(agents, deck_rows({("x", "y"): ["LL"] * 30})))
    assert beside.ratings.to_csv() == alone.ratings.to_csv()
    assert beside.payoffs.to_csv() == alone.payoffs.to_csv()
    assert list(beside.seats["matchup"]) == ["all", "a vs a", "a vs b"]
    assert list(beside.seats["deals"]) == [70, 30, 40]
    assert beside.endings["games"].sum() == 140
    assert beside.lengths["deals"].iloc[0] == 70


@pytest.fixture(scope="module")
def mirror_rows():
    return frame(deck_rows(planted(np.random.default_rng(4), PLANTED, 40)))


@pytest.fixture(scope="module")
def mirror(mirror_rows):
    return summarise(mirror_rows)


def test_an_agent_that_met_only_itself_is_not_rated(mirror):
    assert len(mirror.ratings) == len(mirror.payoffs) == 0
    assert mirror.notes == ("no ratings: agents met only themselves, which compares decks and not agents",)
    assert mirror.decks["deck"][0] == "ace"


def test_the_tables_of_decks_are_written(tmp_path, mirror):
    names = [path.name for path in write_tables(tmp_path, mirror)]
    assert names[:4] == ["payoffs.csv", "ratings.csv", "decks.csv", "deck_matrix.csv"]
    ranking, matrix = ((tmp_path / name).read_text().splitlines() for name in names[2:4])
    assert ranking[0] == "agent,rank,deck,share,low,high,beats,beats_surely,others,deals,games,note"
    assert ranking[1].startswith("a,1,ace,0.")
    assert matrix[0] == "agent,deck,against,share,low,high,deals,games,note,adjusted_p,better"
    assert len(matrix) == 7


def shown(summary, width=100):
    screen = io.StringIO()
    print_summary(Console(file=screen, width=width, markup=False, highlight=False), summary)
    return screen.getvalue()


def test_a_terminal_shows_the_decks_from_the_best_on(mirror):
    text = shown(mirror)
    best = mirror.decks.iloc[0]
    for words in (
        "Decks (a against itself",
        percent(best.share),
        "2 of 2, 2 surely",
        "(40 deals a pair)",
        "Note: no ratings",
    ):
        assert words in text
    assert text.index("ace") < text.index("mid")
    assert "Points of the row against the column" not in text


def test_a_matrix_that_does_not_fit_is_not_squeezed(mirror):
    line = of_pair(mirror.deck_matrix, "ace", "low")
    interval_shown = f"{100 * line.low:.0f}–{100 * line.high:.0f}"
    wide, narrow = shown(mirror, 60), shown(mirror, 30)
    assert interval_shown in wide
    assert "too wide for this screen" not in wide
    assert interval_shown not in narrow
    assert "too wide for this screen: see deck_matrix.csv or the report" in " ".join(narrow.split())


def test_a_terminal_says_what_blurs_the_comparison():
    rows = frame(with_decks({("a", "b"): ["WW", "WL"] * 20}, [("x", "y"), ("y", "x")]))
    text = " ".join(shown(summarise(rows), 300).split())
    assert "Decks (all games between different decks, whoever played them)" in text
    assert "Note: decks are compared over the games of different agents" in text


# --- The report --------------------------------------------------------------------------------------------


DECKS = {
    "ace": {"plan": "Win <b>early</b>", "cards": [{"card_1": 2}]},
    "mid": {"cards": [{"card_2": 2}]},
    "low": {"cards": [{"card_3": 2}]},
}
CONFIG_WITH_DECKS = CONFIG | {"decks": DECKS, "agents": {"a": {"type": "random"}}, "train": {}}


@pytest.fixture(scope="module")
def source(mirror_rows):
    return html_of(mirror_rows, CONFIG_WITH_DECKS)


@pytest.fixture(scope="module")
def report(source):
    return Page(source)


def test_the_report_has_a_heat_map_of_decks_the_best_first(report, mirror):
    figures = figures_of(report)
    assert set(figures) == {"lengths", "seats", "decks-0"}
    assert set(figures) <= set(report.ids)
    heat = figures["decks-0"]["data"][0]
    order = list(mirror.decks["deck"])
    assert [figures["decks-0"]["layout"][f"{axis}axis"]["ticktext"] for axis in "xy"] == [order, order]
    line = of_pair(mirror.deck_matrix, order[0], order[2])
    assert heat["z"][0][2] == pytest.approx(100 * line.share)
    assert f"{100 * line.low:.1f}–{100 * line.high:.1f}" in heat["text"][0][2]
    assert heat["z"][1][1] is None


def test_every_deck_and_pair_has_its_interval_and_deals(report, mirror):
    text = "|".join(report.cells)
    assert "|ace|Win <b>early</b>|" in text
    for r in mirror.decks.itertuples():
        beaten = f"{r.beats} of 2, {r.beats_surely} surely"
        assert f"|{percent(r.share)}|{interval(r)}|{beaten}|{r.deals}" in text[text.index(f"|{r.deck}|") :]
    for r in mirror.deck_matrix.itertuples():
        assert f"{r.deck}|{r.against}|{percent(r.share)}|{interval(r)}|{r.deals}" in text


def test_the_report_says_what_was_compared(report):
    assert "a against itself, the decks swapped between the two games of a deal" in report.text
    assert "1 agent, 3 decks, 1 matchup, 120 deals, 240 games. Every deal was played twice with the decks swapped;" in (
        report.text
    )
    assert "Who beats whom" not in report.text
    assert report.text.count("no ratings: agents met only themselves") == 1


def test_a_report_of_agents_with_decks_has_both_comparisons(mirror_rows):
    rows = frame(with_decks({("a", "b"): ["WW", "WL"] * 20}, [("x", "y"), ("y", "x")]))
    decks = {name: {"cards": [{"card_1": 2}]} for name in "xy"}
    page = page_of(rows, CONFIG | {"decks": decks})
    assert {"ratings", "payoffs", "decks-0"} <= set(figures_of(page))
    assert "decks are compared over the games of different agents" in page.text
    assert "played twice with the seats swapped;" in page.text


def test_the_same_run_makes_the_same_report(source, mirror_rows):
    assert html_of(mirror_rows, CONFIG_WITH_DECKS) == source
