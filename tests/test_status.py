"""`duelbench status`, and what it reads: how far a run is and who leads, without disturbing it."""

import dataclasses
import fcntl
import io
import json
import os
import time

import numpy as np
import pytest
from rich.console import Console
from small_runs import deck_config, highcard_known, plain_config  # noqa: F401
from typer.testing import CliRunner

from duelbench.analysis.cli import app
from duelbench.analysis.cli.progress import Bars, Lines, duration
from duelbench.experiments.atomic import write_json
from duelbench.experiments.config import make_config
from duelbench.experiments.estimates import interval_of_share
from duelbench.experiments.folder import is_locked, read_json, take_lock
from duelbench.experiments.match import GameRow
from duelbench.experiments.pace import UNKNOWN, Clock
from duelbench.experiments.plan import chunks, games_of
from duelbench.experiments.rows import part_bytes, part_path
from duelbench.experiments.run import run
from duelbench.experiments.status import StatusReader
from duelbench.experiments.tallies import DealOutcome, Tally, standings, stored_tally

pytestmark = pytest.mark.usefixtures("highcard_known")


@pytest.fixture
def half(tmp_path):
    """The folder of a run of 40 deals of which the last of three parts is missing, and its last word `running`."""
    folder = run(make_config(plain_config()), tmp_path, executor="in-process")
    part_path(folder, 2).unlink()
    write_status(folder, state="running", doing="playing rnd vs low", games_per_second=8.0, seconds_left=61.2)
    return folder


def write_status(folder, **changes):
    kept = {key: value for key, value in read_json(folder / "status.json").items() if key != "error"}
    write_json(folder / "status.json", kept | changes)


def call(*arguments):
    return CliRunner().invoke(app, ["status", *map(str, arguments)])


def as_data(*arguments):
    return json.loads(call(*arguments, "--json").stdout)


def shown(folder):
    """What is printed, in words one blank apart."""
    result = call(folder)
    return result.exit_code, " ".join(result.stdout.split())


# --- States ------------------------------------------------------------------------------------------------


def test_a_run_whose_lock_is_held_is_running(half):
    with (half / ".lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        code, told = shown(half)
        data = as_data(half)
    assert code == 0
    assert f"{half}: running" in told
    assert "Games 64 of 80 (80%)" in told
    assert "Pace 8 games/s, about 0:01:01 left" in told
    assert "Now playing rnd vs low" in told
    assert "Continue" not in told
    assert (data["state"], data["games_done"], data["games_total"]) == ("running", 64, 80)
    assert (data["games_per_second"], data["seconds_left"], data["continues_with"]) == (8.0, 61.2, None)


def test_a_run_that_says_running_but_holds_no_lock_was_killed(half):
    code, told = shown(half)
    assert code == 1
    assert f"{half}: killed" in told
    assert f"Continue duelbench run {half}/config.yaml --runs {half.parent}" in told
    assert "Pace" not in told
    assert as_data(half)["continues_with"].startswith("duelbench run ")


@pytest.mark.parametrize(("state", "code"), [("interrupted", 1), ("failed", 1), ("finished", 0)])
def test_other_states_are_those_that_the_run_gave_itself(half, state, code):
    write_status(half, state=state, **({"error": "the disk is full"} if state == "failed" else {}))
    found, told = shown(half)
    assert found == code
    assert f"{half}: {state}" in told
    assert ("Error the disk is full" in told) == (state == "failed")
    assert (as_data(half)["error"] == "the disk is full") == (state == "failed")


def test_an_unknown_run_is_the_usual_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = call("nope")
    assert result.exit_code == 2
    assert result.stderr == "duelbench: nope: no such run; looked for nope and runs/nope\n"


def test_asking_takes_the_lock_from_nobody(half, monkeypatch):
    """Others may ask at the same time, and a run that begins just then waits a moment instead of giving up."""
    assert not is_locked(half)
    asking = (half / ".lock").open()
    fcntl.flock(asking, fcntl.LOCK_SH)
    assert not is_locked(half)
    monkeypatch.setattr(time, "sleep", lambda _: asking.close())
    lock = take_lock(half)
    assert asking.closed
    assert is_locked(half)
    os.close(lock)


def test_asking_makes_no_lock_where_there_is_none(tmp_path):
    assert not is_locked(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_looking_writes_nothing(half):
    def files():
        return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in half.rglob("*") if path.is_file()}

    before = files()
    call(half)
    call(half, "--json")
    assert files() == before


def test_watching_ends_with_the_run_and_counts_what_was_added(half, monkeypatch):
    part = part_bytes_of(half, 2)
    lock = take_lock(half)

    def finish(_):
        part_path(half, 2).write_bytes(part)
        write_status(half, state="finished")
        os.close(lock)

    monkeypatch.setattr(time, "sleep", finish)
    result = call(half, "--watch", "--json")
    assert result.exit_code == 0
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(one["state"], one["games_done"]) for one in found] == [("running", 64), ("finished", 80)]


def part_bytes_of(folder, part):
    """The bytes of a part of the run, as it would be written."""
    again = run(make_config(plain_config()), folder.parent / "again", executor="in-process")
    return part_path(again, part).read_bytes()


def test_games_are_counted_by_matchup(tmp_path):
    agents = {"rnd": {"type": "random"}, "low": {"type": "odd_agents:Lowest"}, "other": {"type": "random"}}
    config = make_config(plain_config(agents=agents, deals=20, matchups=[["rnd", "low"], ["low", "other"]]))
    folder = run(config, tmp_path, executor="in-process")
    part_path(folder, 3).unlink()
    assert StatusReader(folder).read().matchups == {"rnd vs low": (40, 40), "low vs other": (32, 40)}


# --- Tallies -----------------------------------------------------------------------------------------------


def made_up_part(folder, config, part, winners):
    """Write a part in which the games were won as said: by seat, -1 for a drawn game."""
    chunk = chunks(config)[part]
    rows = []
    for game, winner in zip(games_of(config, chunk), winners, strict=True):
        facts = (game.number, game.matchup, game.deal, game.seeds.deal, *game.seats, *game.decks, game.variant)
        rows.append(GameRow(*facts, winner, "points", 1, [0]))
    path = part_path(folder, part)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(part_bytes(rows))
    return chunk


def test_deals_are_counted_from_the_first_agents_side(tmp_path):
    """In the second game of a deal the agents have swapped the seats."""
    config = make_config(plain_config(deals=4))
    chunk = made_up_part(tmp_path, config, 0, [0, 1, 0, 0, -1, 1, 1, 0])
    both, one_each, drawn_and_won, none = ((2, 0), (1, 0), (1, 1), (0, 0))
    assert stored_tally(tmp_path, chunk) == Tally(
        {
            DealOutcome("rnd vs low", "", "rnd", "low", False, 2, *end): 1
            for end in (both, one_each, drawn_and_won, none)
        }
    )


def test_where_an_agent_meets_itself_the_decks_are_counted(tmp_path):
    config = make_config(deck_config(matchups=[["low", "low"]], deals=3))
    chunk = made_up_part(tmp_path, config, 0, [0, 1, 0, 1, -1, -1])
    found = {
        (one.name, one.deck): (one.wins, one.draws, one.losses) for one in standings(stored_tally(tmp_path, chunk))
    }
    first, second, third = [game.decks for game in games_of(config, chunk)][::2]
    assert (first, second, third) == (("amber", "blue"), ("blue", "coral"), ("coral", "amber"))
    assert found == {("amber", True): (2, 2, 0), ("blue", True): (2, 0, 2), ("coral", True): (0, 2, 2)}


def test_standings_are_best_first_with_the_interval_of_the_tables():
    ends = {(2, 0): 30, (1, 1): 5, (1, 0): 11, (0, 0): 4}
    tally = Tally({DealOutcome("a vs b", "", "a", "b", False, 2, *end): deals for end, deals in ends.items()})
    worse, better = standings(tally)[::-1]
    assert (better.name, worse.name) == ("a", "b")
    scores = np.repeat([1.0, 0.75, 0.5, 0.0], [30, 5, 11, 4])
    expected = interval_of_share(scores)
    assert dataclasses.astuple(better.share) == pytest.approx((*dataclasses.astuple(expected)[:4], ""))
    assert worse.share.value == pytest.approx(1 - expected.value)
    assert (better.games, better.wins, better.draws, better.losses) == (100, 76, 5, 19)
    assert (worse.wins, worse.draws, worse.losses) == (19, 5, 76)


def test_a_run_tells_the_tally_of_all_parts_those_of_an_earlier_start_included(half):
    told = []
    run(make_config(plain_config()), half.parent, progress=told.append, executor="in-process")
    assert sum(outcome.games * deals for outcome, deals in told[-1].tally.items()) == 80
    assert told[-1].tally == sum((stored_tally(half, chunk) for chunk in chunks(make_config(plain_config()))), Tally())


# --- Pace --------------------------------------------------------------------------------------------------


def test_the_time_left_is_that_of_the_costs_not_of_the_games(monkeypatch):
    clock, now = Clock(), iter([10.0, 100.0, 110.0])
    monkeypatch.setattr("time.monotonic", lambda: next(now))
    clock.pace(games=500, units=0.0, units_left=2_000.0)  # 90 seconds pass before the first game
    assert clock.pace(games=500, units=0.0, units_left=2_000.0) == UNKNOWN
    pace = clock.pace(games=900, units=200.0, units_left=1_800.0)
    assert (pace.games_per_second, pace.seconds_left) == (40.0, 90.0)


def test_a_pace_forgets_what_was_minutes_ago(monkeypatch):
    clock, now = Clock(), 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    units = 0.0
    for second in range(2_000):
        now = float(second)
        units += 1.0 if second < 1_000 else 10.0
        pace = clock.pace(units, units, 1_000.0)
    assert pace.seconds_left == pytest.approx(100.0, rel=0.01)


def test_a_duration_is_hours_minutes_and_seconds():
    assert [duration(seconds) for seconds in (0, 61.2, 36_000)] == ["0:00:00", "0:01:01", "10:00:00"]


LEADING = Tally({DealOutcome("a vs b", "", "weak", "strong", False, 2, 0, 0): 50})


def test_a_terminal_shows_who_leads_below_the_bars():
    screen = io.StringIO()
    with Bars(Console(file=screen, width=100, force_terminal=True, color_system=None)) as bars:
        bars.show("games", 100, 12_000, "games", "a vs b", 3_600)
        bars.stand(LEADING)
    shown = screen.getvalue()
    assert "1:00:00" in shown
    assert shown.index("strong") < shown.index("weak")


def test_elsewhere_a_line_tells_it_now_and_then(monkeypatch, capsys):
    clock = iter([0.0, 30.0, 61.0, 62.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    lines = Lines()
    for _ in range(4):
        lines.stand(LEADING)
    assert capsys.readouterr().err == "points so far: strong 100.0%, weak 0.0%\n"
