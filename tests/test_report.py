"""The report is one file that needs nothing else, and says every figure with its interval and its deals."""

import io
import json
import re
from html.parser import HTMLParser
from urllib.parse import unquote

import pandas as pd
import pytest
from made_up_results import frame_of
from small_runs import highcard_known, plain_config  # noqa: F401
from typer.testing import CliRunner

from duelbench.analysis.cli import app
from duelbench.analysis.report import RunData, report_html, write_report
from duelbench.analysis.report.columns import CHANCE, PLAIN, interval_text, percent
from duelbench.analysis.summary import summarise
from duelbench.envs.registry import load_game
from duelbench.experiments.config import make_config
from duelbench.experiments.run import run

CONFIG = {
    "name": "evening",
    "game": "tarot_duel",
    "rules": {"max_turns": 30},
    "agents": {
        "amy": {"type": "random"},
        "bob": {"type": "ismcts", "simulations": 77},
        "cho": {"type": "ppo", "train": "own"},
    },
    "train": {"own": {"decisions": 5000}},
}
MANIFEST = {"commit": "0123abc", "command": ["duelbench", "run", "evening.yaml"], "versions": {"python": "3.11.7"}}
RESULTS = {
    ("amy", "bob"): ["LL", "WL", "LD"] * 7,
    ("amy", "cho"): ["WL", "LL"] * 8,
    ("bob", "cho"): ["WW", "WL", "LW", "LL"] * 5,
}


class Page(HTMLParser):
    """The page's text, what it would load, its scripts, and the cells of its tables without their asides."""

    def __init__(self, source):
        super().__init__()
        self.loads, self.links, self.ids, self.scripts, self.cells = [], [], [], [], []
        self._tag, self._cell, self.text = "", False, ""
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self._tag = tag
        named = dict(attrs)
        self.links += [named["href"]] if tag == "a" else []
        asks = ("src", "href", "srcset", "data", "action", "poster") if tag != "a" else ()
        self.loads += [value for name, value in attrs if name in asks]
        if tag == "td" or named.get("scope") == "row":
            self._cell = True
            self.cells.append("")
        elif tag != "wbr":
            self._cell = False
        self.ids.append(named.get("id"))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data):
        if self._tag == "script":
            self.scripts[-1] += data
        elif self._tag == "style":
            assert "url(" not in data
            assert "@import" not in data
        else:
            self.text += data
            if self._cell:
                self.cells[-1] += data

    def handle_endtag(self, tag):
        self._tag, self._cell = "", False


def page_of(rows, config=CONFIG, manifest=MANIFEST, folder="runs/evening"):
    return Page(html_of(rows, config, manifest, folder))


def html_of(rows, config=CONFIG, manifest=MANIFEST, folder="runs/evening"):
    return report_html([RunData(folder, config, manifest, rows, summarise(rows, config.get("decks")))])


def figures_of(page):
    return json.loads(next(script for script in page.scripts if script.startswith('{"')))


def interval(line, unit=None):
    """The interval of a line of a frame, as a report shows it."""
    return interval_text(line._asdict(), *([unit] if unit else []))


@pytest.fixture(scope="module")
def rows():
    return frame_of(RESULTS)


@pytest.fixture(scope="module")
def summary(rows):
    return summarise(rows)


@pytest.fixture(scope="module")
def source(rows):
    return html_of(rows)


@pytest.fixture(scope="module")
def report(source):
    return Page(source)


def test_the_report_loads_nothing(report):
    assert report.loads == ["data:,"]
    assert all(link.startswith(("#", "data:text/csv;charset=utf-8,")) for link in report.links)


def test_every_link_inside_the_page_has_its_place(report):
    inside = [link[1:] for link in report.links if link.startswith("#")]
    assert inside
    assert set(inside) <= set(report.ids)


def test_plotly_is_in_it_once(report):
    assert sum("plotly.js v" in script for script in report.scripts) == 1


def test_every_figure_has_its_place_and_every_place_its_figure(report):
    figures = figures_of(report)
    assert set(figures) == {"ratings", "payoffs", "superiority", "nash", "seats", "lengths"}
    assert set(figures) <= set(report.ids)
    assert report.ids.count("ratings") == 1


def test_the_figures_show_what_the_tables_say(report, summary):
    figures = figures_of(report)
    assert figures["ratings"]["data"][0]["x"] == pytest.approx(list(summary.ratings["rating"]))
    line = summary.payoffs.set_index(["agent", "opponent"]).loc[(summary.agents[0], summary.agents[-1])]
    matrix = figures["payoffs"]["data"][0]
    assert matrix["z"][0][-1] == pytest.approx(100 * line["score"])
    assert f"{100 * line['low']:.1f}–{100 * line['high']:.1f}" in matrix["text"][0][-1]
    assert sum(figures["lengths"]["data"][0]["y"]) == 2 * summary.deals["count"].sum()


def test_it_says_what_was_played_and_how_to_play_it_again(report):
    for words in ("Tarot Duel", "タロット", "evening", "0123abc", "python: 3.11.7", "simulations: 77"):
        assert words in report.text
    for command in ("run evening.yaml", "run runs/evening/config.yaml", "verify runs/evening", "replay runs/evening"):
        assert f"duelbench {command}" in report.text


def test_every_rating_has_its_interval_and_deals(report, summary):
    for line in summary.ratings.itertuples():
        i = report.cells.index(line.agent)
        rating, interval = f"{line.rating:.0f}", f"{line.low:.0f} – {line.high:.0f}"
        assert report.cells[i + 1 : i + 4] == [rating, interval, str(line.deals)]


def test_every_score_share_and_length_has_its_interval_and_deals(report, summary):
    text = "|".join(report.cells)
    for r in summary.payoffs.itertuples():
        assert f"{r.agent}|{r.opponent}|{percent(r.score)}|{interval(r)}|{r.deals}|" in text
    for r in summary.seats.itertuples():
        assert f"{r.matchup}|{percent(r.share)}|{interval(r)}|{CHANCE.text(r.adjusted_p)}|{r.deals}" in text
    for r in summary.lengths.itertuples():
        assert f"{r.matchup}|{r.mean:.1f}|{interval(r, PLAIN)}|{r.shortest}|" in text
    for r in summary.draws.itertuples():
        assert f"{r.matchup}|{percent(r.share)}|{interval(r)}|{r.deals}" in text
    for r in summary.endings.itertuples():
        assert f"{r.reason}|{r.games}|{percent(r.share)}|{interval(r)}|{r.deals}" in text
    assert f"Drawn games: {percent(summary.drawn.value)}" in report.text


def test_too_few_deals_show_a_refusal_and_no_ranking():
    rows = frame_of({("amy", "bob"): ["WL"] * 4})
    page = page_of(rows)
    assert "no ratings: amy against bob has 4 deals, at least 10 needed" in page.text
    assert "too few deals for an interval: 4" in page.text
    assert not re.search(r"\bnan\b", page.text, re.I)
    assert "ratings" not in page.ids


def test_the_notice_of_the_game_stands_near_the_top(rows, report):
    config = CONFIG | {"game": "wizard_in_training", "rules": {}}
    text = page_of(rows, config).text
    assert 0 < text.index(load_game("wizard_in_training").notice) < text.index("Ratings of the agents")
    assert "invented" not in report.text


def test_names_and_meanings_cannot_break_the_page():
    rows = frame_of({("</script><i>", "bob"): ["WL"] * 12}, reason="</td>")
    config = CONFIG | {"name": "<b>&</script>", "train": {"own": {"note": '</script><img src="http://a.example/x">'}}}
    page = page_of(rows, config)
    assert page.loads == ["data:,"]
    assert "<b>&</script>" in page.text
    assert {"</script><i>", "</td>"} <= set(page.cells)
    assert len(page.scripts) == 3
    ticks = json.loads(page.scripts[1])["ratings"]["layout"]["yaxis"]["ticktext"]
    assert ticks == ["&lt;/script&gt;&lt;i&gt;", "bob"]  # plotly reads some HTML in its texts


def test_the_same_run_makes_the_same_report(source, rows):
    assert html_of(rows.sample(frac=1, random_state=1)) == source


def test_it_is_made_for_small_screens_and_dark_ones(source):
    assert '<meta name="viewport" content="width=device-width' in source
    assert "prefers-color-scheme: dark" in source
    plain = re.sub(r"<script>.*?</script>", "", source, flags=re.S)
    assert plain.count("<table") == len(re.findall('<div class="wide[^>]*><table', plain)) > 0


def test_the_report_is_written_whole(tmp_path, rows, summary, source):
    path = write_report(tmp_path / "report.html", [RunData("runs/evening", CONFIG, MANIFEST, rows, summary)])
    assert path.read_text(encoding="utf-8") == source
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_every_table_and_figure_is_listed_with_what_it_was_made_from(report, summary):
    text = "|".join(report.cells)
    for what in ("Ratings of the agents with their 95% intervals", "Share of points for seat 0 by matchup"):
        assert f"{what}|figure|114 games of 57 deals|" in text
    lines = len(summary.payoffs)
    payoffs = "runs/evening/tables/payoffs.csv, .parquet"
    assert f"All matchups as a table|table|114 games of 57 deals|{lines}|{payoffs}" in text


def test_each_table_hands_out_its_numbers(report, summary):
    csv = {link for link in report.links if link.startswith("data:")}
    tables = [pd.read_csv(io.StringIO(unquote(link.partition(",")[2]))) for link in csv]
    ratings = next(table for table in tables if "rating" in table)
    pd.testing.assert_frame_equal(ratings, summary.ratings, check_dtype=False, rtol=1e-5)


# --- Several runs ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shared(rows):
    other = CONFIG | {
        "name": "morning",
        "rules": {"max_turns": 20},
        "agents": CONFIG["agents"] | {"amy": {"type": "x"}},
    }
    fewer = frame_of({("amy", "bob"): ["WW"] * 30})
    runs = [
        RunData("runs/evening", CONFIG, MANIFEST, rows, summarise(rows)),
        RunData("runs/morning", other, MANIFEST, fewer, summarise(fewer)),
    ]
    return Page(report_html(runs))


def test_several_runs_have_parts_of_their_own(shared):
    figures = figures_of(shared)
    assert {"run-1-ratings", "run-2-ratings"} <= set(figures)
    assert "run-2-nash" in figures
    assert set(figures) <= set(shared.ids)
    named = [name for name in shared.ids if name]
    assert len(named) == len(set(named))
    assert {link[1:] for link in shared.links if link.startswith("#")} <= set(named)
    assert sum("plotly.js v" in script for script in shared.scripts) == 1


def test_nothing_is_merged_and_what_is_shared_is_told(shared):
    assert "Nothing is merged or averaged over runs" in shared.text
    text = "|".join(shared.cells)
    assert "amy|tarot_duel|evening, morning|different: type: random | type: x" in text
    assert "bob|tarot_duel|evening, morning|the same" in text
    assert "|114|max_turns: 30|runs/evening|" in text
    assert "|60|max_turns: 20|runs/morning|" in text


# --- The command -------------------------------------------------------------------------------------------


def test_one_report_of_several_runs(tmp_path, monkeypatch, highcard_known):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    folders = [run(make_config(plain_config(name=name, deals=12)), tmp_path / "runs") for name in ("one", "two")]
    result = CliRunner().invoke(app, ["report", "one", "two", "--out", "both/page.html"])
    assert (result.exit_code, result.stderr) == (0, "")
    page = Page((tmp_path / "both" / "page.html").read_text(encoding="utf-8"))
    assert "2 runs: one, two" in page.text
    assert "duelbench report runs/one runs/two --out" in page.text
    assert (tmp_path / "both" / "page.html").as_uri() in result.stdout
    assert all((folder / "tables" / "payoffs.parquet").exists() for folder in folders)


def test_a_run_that_is_named_twice_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "runs" / "one"
    folder.mkdir(parents=True)
    for name, text in {"config.yaml": "", "manifest.json": "{}", "status.json": '{"state": "finished"}'}.items():
        (folder / name).write_text(text)
    result = CliRunner().invoke(app, ["report", "one", str(folder)])
    assert result.exit_code == 2
    assert result.stderr == f"duelbench: {folder}: the same run as one; name each run once\n"
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize("command", ["verify", "report", "ranking"])
def test_a_run_whose_config_does_not_load_is_refused(tmp_path, highcard_known, command):  # noqa: F811
    folder = run(make_config(plain_config(deals=1)), tmp_path)
    text = (folder / "config.yaml").read_text()
    (folder / "config.yaml").write_text(text.replace("rounds: 3", "rounds: 4"))
    result = CliRunner().invoke(app, [command, str(folder)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"duelbench: {folder}/config.yaml:4: rules.rounds is 4; allowed: 3, 1, 2")
    assert not (folder / "report.html").exists()
