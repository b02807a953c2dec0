"""The report is one file that needs nothing else, and says every figure with its interval and its deals."""

import json
import re
from html.parser import HTMLParser

import pytest
import yaml
from made_up_results import frame_of
from small_runs import highcard_known, plain_config  # noqa: F401
from typer.testing import CliRunner

from duelbench.analysis.cli import app
from duelbench.analysis.report import interval, percent, report_html, write_report
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
    """The page's text, what it would load, and its scripts."""

    def __init__(self, source):
        super().__init__()
        self.loads, self.ids, self.scripts, self.cells, self._tag = [], [], [], [], ""
        self.text = ""
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self._tag = tag
        named = dict(attrs)
        self.loads += [value for name, value in attrs if name in ("src", "href", "srcset", "data", "action", "poster")]
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
            self.cells += [data] if self._tag == "td" else []

    def handle_endtag(self, tag):
        self._tag = ""


@pytest.fixture(scope="module")
def rows():
    return frame_of(RESULTS)


@pytest.fixture(scope="module")
def summary(rows):
    return summarise(rows)


@pytest.fixture(scope="module")
def source(rows, summary):
    return report_html(CONFIG, MANIFEST, rows, summary, "runs/evening")


@pytest.fixture(scope="module")
def report(source):
    return Page(source)


def test_the_report_loads_nothing(report):
    assert report.loads == ["data:,"]


def test_plotly_is_in_it_once(report):
    assert sum("plotly.js v" in script for script in report.scripts) == 1


def test_every_figure_has_its_place_and_every_place_its_figure(report):
    figures = json.loads(next(script for script in report.scripts if script.startswith('{"')))
    assert set(figures) == {"ratings", "payoffs", "seats", "lengths"}
    assert set(figures) <= set(report.ids)
    assert report.ids.count("ratings") == 1


def test_the_figures_show_what_the_tables_say(report, summary):
    figures = json.loads(next(script for script in report.scripts if script.startswith('{"')))
    assert figures["ratings"]["data"][0]["x"] == pytest.approx(list(summary.ratings["rating"]))
    line = summary.payoffs.set_index(["agent", "opponent"]).loc[(summary.agents[0], summary.agents[-1])]
    matrix = figures["payoffs"]["data"][0]
    assert matrix["z"][0][-1] == pytest.approx(100 * line["score"])
    assert f"{100 * line['low']:.1f}–{100 * line['high']:.1f}" in matrix["text"][0][-1]
    assert sum(figures["lengths"]["data"][0]["y"]) == 2 * len(summary.deals)


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
        assert f"{r.matchup}|{percent(r.share)}|{interval(r)}|{r.deals}" in text
    for r in summary.lengths.itertuples():
        assert f"{r.matchup}|{r.mean:.1f}|{r.low:.1f} – {r.high:.1f}|{r.shortest}|" in text
    for r in summary.endings.itertuples():
        assert f"{r.reason}|{r.games}|{percent(r.share)}|{interval(r)}|{r.deals}" in text
    assert f"Drawn games: {percent(summary.drawn.value)}" in report.text


def test_too_few_deals_show_a_refusal_and_no_ranking():
    rows = frame_of({("amy", "bob"): ["WL"] * 4})
    page = Page(report_html(CONFIG, MANIFEST, rows, summarise(rows), "runs/evening"))
    assert "no ratings: amy against bob has 4 deals, at least 10 needed" in page.text
    assert "too few deals for an interval: 4" in page.text
    assert "nan" not in page.text.lower().replace("finance", "")
    assert "ratings" not in page.ids


def test_the_notice_of_the_game_stands_near_the_top(rows, summary, report):
    config = CONFIG | {"game": "wizard_in_training", "rules": {}}
    page = Page(report_html(config, MANIFEST, rows, summary, "runs/evening"))
    assert load_game("wizard_in_training").notice in page.text.partition("Ranking")[0]
    assert "invented" not in report.text


def test_names_and_meanings_cannot_break_the_page():
    rows = frame_of({("</script><i>", "bob"): ["WL"] * 12}, reason="</td>")
    config = CONFIG | {"name": "<b>&</script>", "train": {"own": {"note": '</script><img src="http://a.example/x">'}}}
    page = Page(report_html(config, MANIFEST, rows, summarise(rows), "runs/x"))
    assert page.loads == ["data:,"]
    assert "<b>&</script>" in page.text
    assert {"</script><i>", "</td>"} <= set(page.cells)
    assert len(page.scripts) == 3
    assert json.loads(page.scripts[1])["ratings"]["data"][0]["y"] == ["</script><i>", "bob"]


def test_the_same_run_makes_the_same_report(source, rows, summary):
    assert report_html(CONFIG, MANIFEST, rows, summary, "runs/evening") == source


def test_it_is_made_for_small_screens_and_dark_ones(source):
    assert '<meta name="viewport" content="width=device-width' in source
    assert "prefers-color-scheme: dark" in source
    plain = re.sub(r"<script>.*?</script>", "", source, flags=re.S)
    assert plain.count("<table") == plain.count('<div class="wide"><table')


def test_the_report_is_written_into_the_run_folder(tmp_path, rows, summary):
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(CONFIG))
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST))
    path = write_report(tmp_path, rows, summary)
    assert path == tmp_path / "report.html"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["config.yaml", "manifest.json", "report.html"]
    assert str(tmp_path) in Page(path.read_text(encoding="utf-8")).text


@pytest.mark.parametrize("command", ["verify", "report", "ranking"])
def test_a_run_whose_config_does_not_load_is_refused(tmp_path, highcard_known, command):  # noqa: F811
    folder = run(make_config(plain_config(deals=1)), tmp_path)
    text = (folder / "config.yaml").read_text()
    (folder / "config.yaml").write_text(text.replace("rounds: 3", "rounds: 4"))
    result = CliRunner().invoke(app, [command, str(folder)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"duelbench: {folder}/config.yaml:4: rules.rounds is 4; allowed: 3, 1, 2")
    assert not (folder / "report.html").exists()
