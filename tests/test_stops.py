"""Runs whose matchups end when a rule has seen enough."""

import json
import shutil

import numpy as np
import pytest
from small_runs import highcard_known, plain_config  # noqa: F401

from duelbench.analysis.payoffs import deal_table
from duelbench.envs.errors import BadInput
from duelbench.experiments.config import make_config
from duelbench.experiments.plan import chunks
from duelbench.experiments.rows import part_paths, read_rows
from duelbench.experiments.run import run
from duelbench.experiments.status import StatusReader
from duelbench.experiments.stopping import Stop
from duelbench.experiments.stops import Stops
from duelbench.experiments.verify import verify

pytestmark = pytest.mark.usefixtures("highcard_known")

RULE = {"half_width": 0.06, "min_deals": 20, "look_every": 10}
AGENTS = {name: {"type": "random"} for name in ("a", "b", "c")}


def config(**changes):
    """Three matchups; the rule stops each of them somewhere before its 400 deals."""
    return make_config(plain_config(agents=AGENTS, deals=400, stop=RULE) | changes)


def rows_by_part(folder):
    return {path.name: path.read_bytes() for path in part_paths(folder)}


@pytest.fixture
def finished(tmp_path_factory):
    return run(config(), tmp_path_factory.mktemp("stops"), executor="in-process")


def test_each_matchup_has_the_deals_up_to_its_stop_and_no_others(finished):
    """The rule, asked about all deals that there could have been, stops where the run has stopped."""
    stopped = deal_table(read_rows(finished))
    every = deal_table(read_rows(run(config(name="all", stop=None), finished.parent, executor="in-process")))
    for pair, played in stopped.groupby(["first", "second"]):
        could = every[(every["first"] == pair[0]) & (every["second"] == pair[1])].sort_values("deal")
        verdict = Stop(config().stop).verdict(could["score"].to_numpy())
        assert verdict.stop
        assert sorted(played["deal"]) == list(range(verdict.deals))
        assert played.sort_values("deal")["score"].tolist() == could["score"].tolist()[: verdict.deals]
        assert 20 <= verdict.deals < 400


def test_the_status_says_why_and_counts_only_what_is_needed(finished):
    games = len(read_rows(finished))
    status = json.loads((finished / "status.json").read_text())
    assert (status["state"], status["games_done"], status["games_total"]) == ("finished", games, games)
    assert status["stopped"]["a vs b"].startswith("the interval reaches at most 0.06 to either side after ")
    read = StatusReader(finished).read()
    assert (read.games_done, read.games_total) == (games, games)
    assert set(read.stopped) == {"a vs b", "a vs c", "b vs c"}


def test_a_stopped_run_verifies_and_a_needed_part_is_missed(finished, tmp_path):
    assert verify(finished).ok
    copy = tmp_path / "copy"
    shutil.copytree(finished, copy)
    part_paths(copy)[1].unlink()
    assert "games are missing" in str(verify(copy).problems[0])


def test_the_same_parts_come_from_two_workers_and_after_an_interruption(finished, tmp_path):
    seen = []

    def interrupt(progress):
        seen.append(progress)
        if progress.phase == "games" and progress.done > 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(config(), tmp_path, workers=2, progress=interrupt)
    folder = run(config(), tmp_path, workers=2)
    assert rows_by_part(folder) == rows_by_part(finished)


def test_a_gap_keeps_the_rule_from_looking_past_it(finished):
    """Parts that come in another order are only looked at when those before them are there."""
    parts = [chunk for chunk in chunks(config()) if chunk.label == "a vs b"]
    stored = [chunk for chunk in parts if finished / "games" / f"part-{chunk.part:05d}.parquet" in part_paths(finished)]
    stops = Stops(config(), finished)
    for chunk in reversed(stored[1:]):
        assert not stops.add(chunk).stop
    assert stops.add(stored[0]).deals == stored[-1].deals.stop
    assert [stops.needs(chunk) for chunk in parts] == [chunk in stored for chunk in parts]


def test_parts_end_where_the_rule_looks():
    for every in (7, 10, 50):
        cut = config(stop=RULE | {"look_every": every, "min_deals": 10})
        ends = {chunk.deals.stop for chunk in chunks(cut)}
        assert set(np.arange(every, 400, every)) <= ends


@pytest.mark.parametrize(
    ("stop", "said"),
    [
        ({"half_width": 0.6}, "stop.half_width is 0.6; expected less than 0.5"),
        ({}, "one of half_width and sprt"),
        ({"half_width": 0.1, "sprt": {"elo0": 0, "elo1": 5}}, "one of half_width and sprt"),
        ({"half_widht": 0.1}, "unknown key 'stop.half_widht'; did you mean 'half_width'?"),
        ({"sprt": {"elo0": 5, "elo1": 5}}, "elo"),
    ],
)
def test_other_rules_are_refused(stop, said):
    with pytest.raises(BadInput) as caught:
        config(stop=stop)
    assert said in str(caught.value)


def test_an_agent_against_itself_cannot_lead():
    with pytest.raises(BadInput, match=r"stop: .* meets itself"):
        config(
            game="deckcard",
            decks={"low": {"card_0": 2}, "high": {"card_7": 2}},
            matchups=[["a", "a"]],
        )


def test_a_rule_that_would_never_look_is_refused():
    config(stop={"half_width": 0.1, "min_deals": 60, "look_every": 50}, deals=100)
    for changes in ({"deals": 99}, {"deals": 200, "deals_with": {"a": 99}, "matchups": [["a", "b"]]}):
        with pytest.raises(BadInput, match="stop: min_deals 60, look_every 50: never looks within the 99 deals"):
            config(stop={"half_width": 0.1, "min_deals": 60, "look_every": 50}, **changes)
