"""Runs: the same rows however they come about, and one clear line when they cannot."""

import errno
import fcntl
import json
import multiprocessing
import os
import shutil
import signal
import time
from pathlib import Path

import pytest
from small_runs import (
    RUNS,
    files_of,
    highcard_known,  # noqa: F401
    leftovers,
    plain_config,
    start_run,
    write_config,
)

from duelbench.agents.agent import Agent
from duelbench.analysis.summary import summarise
from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.rng import below
from duelbench.experiments import atomic
from duelbench.experiments.config import load_config, make_config
from duelbench.experiments.folder import read_json
from duelbench.experiments.match import AgentFailed, play_game
from duelbench.experiments.plan import chunks, games_of, planned_game
from duelbench.experiments.players import Players
from duelbench.experiments.replay import replay_text
from duelbench.experiments.rows import SCHEMA, part_bytes, part_path, read_row, read_rows
from duelbench.experiments.run import Progress, run
from duelbench.experiments.seeds import deal_seed, derived_seed, game_seeds, training_seed
from duelbench.experiments.verify import verify

pytestmark = pytest.mark.usefixtures("highcard_known")


@pytest.fixture(scope="module")
def undisturbed(whole_run):
    """The folder of a finished run with search and training."""
    return whole_run("highcard")


def only_line(error):
    line = str(error.value)
    assert "\n" not in line
    return line


# --- The same rows, whatever happens -----------------------------------------------------------------------


@pytest.mark.parametrize("case", RUNS)
def test_two_workers_write_the_same_bytes_as_one(whole_run, tmp_path, monkeypatch, case):
    monkeypatch.setenv("PYTHONHASHSEED", "12345")
    process = start_run(write_config(tmp_path, RUNS[case]), tmp_path / "runs", workers=2)
    assert process.communicate()[1] == ""
    assert process.returncode == 0
    assert files_of(tmp_path / "runs" / "small") == files_of(whole_run(case))


def kill_when(process, wanted):
    """Read the run's progress until `wanted(phase, done)`, then kill -9; returns the pids of its children."""
    for line in process.stdout:
        phase, done, _ = line.split(maxsplit=2)
        if wanted(phase, int(done)):
            break
    else:
        pytest.fail(f"the run ended before it could be killed: {process.stderr.read()}")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.kill()
    process.communicate()
    return [int(pid) for pid in children]


def wait_until_gone(pids):
    """Processes that nobody waits for need a moment to notice that they are not wanted any more."""
    for _ in range(600):
        if not any(running(pid) for pid in pids):
            return
        time.sleep(0.05)
    pytest.fail("a worker outlived its run")


def running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_training_that_is_killed_begins_again(undisturbed, tmp_path):
    config, runs = write_config(tmp_path, RUNS["highcard"]), tmp_path / "runs"
    folder = runs / "small"
    killed = start_run(config, runs, workers=2)
    wait_until_gone(kill_when(killed, lambda phase, done: phase == "train" and done > 0))
    assert not (folder / "checkpoints" / "quick.npz").exists()
    (folder / "checkpoints" / "quick.npz.partial").write_bytes(b"half a policy")
    run(load_config(config), runs, workers=2)
    assert files_of(folder) == files_of(undisturbed)
    assert leftovers(folder) == []


@pytest.mark.parametrize("case", RUNS)
def test_a_killed_run_continues_to_the_same_bytes(whole_run, tmp_path, case):
    config, runs = write_config(tmp_path, RUNS[case]), tmp_path / "runs"
    folder = runs / "small"
    killed = start_run(config, runs, workers=2)
    wait_until_gone(kill_when(killed, lambda phase, done: any(folder.glob("games/part-*.parquet"))))
    parts = len(list(folder.glob("games/*.parquet")))
    assert 0 < parts < len(chunks(load_config(config)))
    (folder / "games" / ".part-00003.parquet.1.tmp").write_bytes(b"half a part")
    run(load_config(config), runs)
    assert files_of(folder) == files_of(whole_run(case))
    assert leftovers(folder) == []
    assert len(read_json(folder / "manifest.json")["continued"]) == 1


@pytest.mark.parametrize("case", RUNS)
def test_a_killed_worker_costs_no_row(whole_run, tmp_path, case):
    victims = []

    def kill_a_worker(progress: Progress):
        if progress.phase == "games" and progress.done > 0 and not victims:
            victims.append(multiprocessing.active_children()[0].pid)
            os.kill(victims[0], signal.SIGKILL)

    folder = run(make_config(RUNS[case]), tmp_path, workers=2, progress=kill_a_worker)
    assert victims
    assert files_of(folder) == files_of(whole_run(case))


def test_ctrl_c_keeps_what_is_finished_and_leaves_no_process(tmp_path):
    config, runs = write_config(tmp_path, plain_config(deals=5_000)), tmp_path / "runs"
    process = start_run(config, runs, workers=2)
    for line in process.stdout:
        if line.startswith("games") and int(line.split()[1]) > 64:
            break
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in errors
    wait_until_gone([int(pid) for pid in children])
    status = read_json(runs / "small" / "status.json")
    assert status["state"] == "interrupted"
    assert 0 < status["games_done"] < status["games_total"] == 10_000
    assert status["games_done"] == len(read_rows(runs / "small"))
    assert leftovers(runs / "small") == []


def test_a_finished_run_is_left_as_it_is(undisturbed):
    before = files_of(undisturbed) | {"manifest": (undisturbed / "manifest.json").read_bytes()}
    told = []
    run(load_config(undisturbed / "config.yaml"), undisturbed.parent, progress=told.append)
    assert files_of(undisturbed) | {"manifest": (undisturbed / "manifest.json").read_bytes()} == before
    assert told == [Progress("games", 360, 360, "search vs learned")]


def test_a_lost_part_is_played_again(tmp_path):
    config = make_config(plain_config())
    folder = run(config, tmp_path)
    whole = files_of(folder)
    (folder / "games" / "part-00001.parquet").unlink()
    run(config, tmp_path)
    assert files_of(folder) == whole


def test_a_run_with_unequal_matchups_is_whole_and_holds(tmp_path):
    """Deals in three parts, of which the last one is lost, verified and told like any other."""
    agents = {"rnd": {"type": "random"}, "low": {"type": "odd_agents:Lowest"}, "other": {"type": "random"}}
    config = make_config(plain_config(agents=agents, deals=20, deals_with={"other": 11}))
    folder = run(config, tmp_path, workers=2)
    whole = files_of(folder)
    part_path(folder, len(chunks(config)) - 1).unlink()
    run(config, tmp_path)
    assert files_of(folder) == whole
    rows = read_rows(folder)
    assert list(rows["game"]) == list(range(2 * (20 + 11 + 11)))
    assert rows.groupby("matchup").size().to_dict() == {"rnd vs low": 40, "rnd vs other": 22, "low vs other": 22}
    report = verify(folder, agents=True)
    assert (report.ok, report.checked, report.expected) == (True, 84, 84)
    assert read_json(folder / "status.json")["games_total"] == 84
    assert next(iter(replay_text(folder, 83))) == "Game 83 of run small: High Card, low vs other, deal 10"
    tables = summarise(rows)
    assert dict(zip(tables.ratings["agent"], tables.ratings["deals"], strict=True)) == {
        "rnd": 31,
        "low": 31,
        "other": 22,
    }
    assert set(tables.payoffs["deals"]) == {20, 11}


def test_a_config_without_unequal_matchups_stays_as_it_was_written(tmp_path):
    folder = run(make_config(plain_config(deals=2)), tmp_path)
    assert "deals_with" not in (folder / "config.yaml").read_text()
    with pytest.raises(BadInput, match=r"deals_with is nothing there and \{'rnd': 1\} here"):
        run(make_config(plain_config(deals=2, deals_with={"rnd": 1})), tmp_path)


def test_a_lost_manifest_of_a_finished_run_is_written_again(tmp_path):
    folder = run(make_config(plain_config()), tmp_path)
    (folder / "manifest.json").unlink()
    run(make_config(plain_config()), tmp_path)
    assert read_json(folder / "manifest.json")["game_version"] == 1


def test_a_command_line_that_is_no_text_is_noted(tmp_path):
    command = ["duelbench", "run", "\udcff.yaml"]  # how Python holds a file name with the byte 0xff
    folder = run(make_config(plain_config()), tmp_path, command=command)
    assert read_json(folder / "manifest.json")["command"] == command


# --- What a folder says of itself --------------------------------------------------------------------------


def test_the_rows(undisturbed):
    rows = read_rows(undisturbed)
    assert list(rows.columns) == SCHEMA.names
    assert list(rows["game"]) == list(range(360))
    assert (rows["decisions"] == rows["actions"].map(len)).all()
    first = rows[rows["deal"] == 5].iloc[:2]
    assert list(first["seat0"]) == ["rnd", "search"]
    assert first["deal_seed"].nunique() == 1
    assert read_row(undisturbed, 11)._asdict() == {**rows.iloc[11], "actions": list(rows["actions"][11])}


def test_there_is_no_other_row(undisturbed, tmp_path):
    with pytest.raises(BadInput) as error:
        read_row(undisturbed, 360)
    assert "has no game 360; it has 360 games, numbered 0 to 359" in only_line(error)
    with pytest.raises(BadInput, match="no game 1000000000000000000000; it has 360"):
        read_row(undisturbed, 10**21)
    with pytest.raises(BadInput, match="holds no games"):
        read_rows(tmp_path)


def test_parts_without_rows_hold_no_games(tmp_path):
    part_path(tmp_path, 0).parent.mkdir()
    part_path(tmp_path, 0).write_bytes(part_bytes([]))
    for read in (lambda: read_rows(tmp_path), lambda: read_row(tmp_path, 0)):
        with pytest.raises(BadInput, match="holds no games"):
            read()


def test_the_manifest_and_the_status(undisturbed):
    manifest = json.loads((undisturbed / "manifest.json").read_text())
    assert manifest["game_version"] == 1
    assert {"python", "numpy", "numba"} <= set(manifest["versions"])
    assert {"commit", "dirty", "command", "started", "platform", "config_hash"} <= set(manifest)
    status = json.loads((undisturbed / "status.json").read_text())
    assert (status["state"], status["games_done"], status["games_total"]) == ("finished", 360, 360)


def test_progress_counts_up_to_everything(tmp_path):
    told = []
    run(make_config(plain_config()), tmp_path, workers=2, progress=told.append)
    assert [(p.done, p.label) for p in told if p.phase == "prepare"] == [(0, "rnd"), (1, "low"), (2, "all agents")]
    played = [p.done for p in told if p.phase == "games"]
    assert played == sorted(played)
    assert played[-1] == 80
    assert {p.total for p in told if p.phase == "games"} == {80}


# --- Refusals ----------------------------------------------------------------------------------------------


def test_another_config_is_refused_with_the_key(undisturbed):
    before = files_of(undisturbed)
    with pytest.raises(BadInput) as error:
        run(make_config(RUNS["highcard"] | {"deals": 61, "rules": {"rounds": 2}}), undisturbed.parent)
    line = only_line(error)
    assert line.startswith(f"{undisturbed}: made by another config: ")
    assert "rules.rounds is 3 there and 2 here; deals is 60 there and 61 here" in line
    assert files_of(undisturbed) == before


def test_another_version_of_the_game_is_refused(tmp_path):
    config = make_config(plain_config())
    folder = run(config, tmp_path)
    manifest = read_json(folder / "manifest.json")
    (folder / "manifest.json").write_text(json.dumps(manifest | {"game_version": 0}))
    with pytest.raises(BadInput) as error:
        run(config, tmp_path)
    assert "made with version 0 of highcard, which is now at version 1" in only_line(error)


def test_a_folder_in_use_is_refused(undisturbed):
    with (undisturbed / ".lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BadInput) as error:
            run(make_config(RUNS["highcard"]), undisturbed.parent)
    assert only_line(error).startswith(f"{undisturbed}: in use by another process")


def test_a_root_that_cannot_be_a_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput) as error:
        run(make_config(plain_config()), tmp_path / "file")
    assert f"{tmp_path}/file/small: cannot be written: Not a directory" in only_line(error)


def test_no_workers_are_refused(tmp_path):
    with pytest.raises(BadInput, match="workers is 0; expected at least 1"):
        run(make_config(plain_config()), tmp_path, workers=0)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("odd_agents:Cheat", "is not in hand (answer of agent 'low' in game"),
        ("odd_agents:Crasher", "agent 'low' failed in game 0 (rnd vs low): ZeroDivisionError: thought too hard"),
        ("odd_agents:CrashesAtOnce", "agent 'low' failed on its first decision: ZeroDivisionError: never thought"),
        ("odd_agents:Deadly", "3 workers died playing rnd vs low, the last with code -9"),
    ],
)
def test_an_agent_that_fails_ends_the_run_in_one_line(tmp_path, kind, told):
    config = make_config(plain_config(agents={"rnd": {"type": "random"}, "low": {"type": kind}}))
    with pytest.raises(BadInput) as error:
        run(config, tmp_path)
    assert told in only_line(error)
    status = read_json(tmp_path / "small" / "status.json")
    assert status["state"] == "failed"
    assert status["error"] == str(error.value)
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("at_once", [True, False])
def test_an_agent_that_ends_the_program_is_an_agent_that_fails(tmp_path, at_once):
    quitter = {"type": "odd_agents:Quitter", "at_once": at_once}
    with pytest.raises(BadInput, match=r"agent 'low' failed .*: SystemExit: 0"):
        run(make_config(plain_config(agents={"rnd": {"type": "random"}, "low": quitter})), tmp_path)


def with_checkpoint(path):
    return plain_config(agents={"rnd": {"type": "random"}, "ppo": {"type": "ppo", "checkpoint": str(path)}})


def test_a_given_checkpoint_is_kept_in_the_folder(undisturbed, tmp_path):
    given = tmp_path / "policy.npz"
    shutil.copy(undisturbed / "checkpoints" / "quick.npz", given)
    config = make_config(with_checkpoint("policy.npz") | {"deals": 251}, tmp_path)
    folder = run(config, tmp_path)
    whole = files_of(folder)
    given.unlink()
    (folder / "games" / "part-00001.parquet").unlink()
    run(config, tmp_path)
    assert files_of(folder) == whole
    given.write_bytes(b"another policy")
    (folder / "games" / "part-00001.parquet").unlink()
    with pytest.raises(
        BadInput, match=r"agents\.ppo: checkpoint .*policy\.npz is not the file that this run began with"
    ):
        run(config, tmp_path)


@pytest.mark.parametrize(
    ("content", "told"), [(None, "there is no policy file"), (b"no policy", "is not a policy file")]
)
def test_a_missing_or_foreign_checkpoint_is_refused(tmp_path, content, told):
    path = tmp_path / "policy.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadInput) as error:
        run(load_config(write_config(tmp_path, with_checkpoint("policy.npz"))), tmp_path)
    line = only_line(error)
    assert line.startswith(f"{tmp_path}/small.yaml:8: agents.ppo: ")
    assert told in line
    assert str(path) in line
    assert not list(tmp_path.glob("small/games/*"))
    assert not list(tmp_path.glob("small/checkpoints/given/*"))


def test_a_run_that_failed_before_its_first_result_does_not_bind(tmp_path):
    with pytest.raises(BadInput):
        run(make_config(with_checkpoint("nowhere.npz")), tmp_path)
    folder = run(make_config(plain_config()), tmp_path)
    assert len(read_rows(folder)) == 80
    assert "continued" not in read_json(folder / "manifest.json")


# --- Disks -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_a_full_or_read_only_disk_leaves_the_old_file(tmp_path, monkeypatch, call, code):
    path = tmp_path / "status.json"
    atomic.write_json(path, {"state": "old"})

    def refuse(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(BadInput) as error:
        atomic.write_json(path, {"state": "new"})
    assert only_line(error).startswith(f"{path}: cannot be written: {os.strerror(code)}")
    assert read_json(path) == {"state": "old"}
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_fills_up_is_told_in_one_line_and_the_run_continues_later(undisturbed, tmp_path):
    config, runs = write_config(tmp_path, plain_config()), tmp_path / "runs"
    process = start_run(config, runs, file_limit=1500)
    _, errors = process.communicate()
    assert process.returncode == 2
    assert errors.count("\n") == 1
    assert f"{runs}/small/games/part-00000.parquet: cannot be written: File too large" in errors
    assert not list((runs / "small" / "games").iterdir())
    assert leftovers(runs / "small") == []
    run(load_config(config), runs)
    assert files_of(runs / "small") == files_of(run(load_config(config), tmp_path / "other"))


# --- One game ----------------------------------------------------------------------------------------------


def played(config, tmp_path, count=10):
    players = Players(tmp_path, config)
    return [players.play(planned_game(config, number)) for number in range(count)]


def test_an_illegal_answer_is_refused_by_name(tmp_path):
    class Stubborn(Agent):
        def act(self, position, rng):
            return 99

    config = make_config(plain_config())
    players = Players(tmp_path, config)
    with pytest.raises(IllegalAction, match=r"player_0 may not take action 99: .*agent 'rnd' in game 0"):
        play_game(players.game, players.table, (Stubborn(players.game, players.table),) * 2, planned_game(config, 0))


def test_an_agent_failing_at_the_start_of_a_game_is_named(tmp_path):
    class Late:
        def begin(self, seat):
            raise RuntimeError("not\nready")

    config = make_config(plain_config())
    players = Players(tmp_path, config)
    with pytest.raises(AgentFailed, match=r"^agent 'rnd' failed in game 0 \(rnd vs low\): RuntimeError: not ready$"):
        play_game(players.game, players.table, (Late(), Late()), planned_game(config, 0))


def test_every_game_is_told_to_both_agents(tmp_path):
    begun = []

    class Noted(Agent):
        def __init__(self, name):
            self.name = name

        def begin(self, seat):
            begun.append((self.name, seat))

        def act(self, position, rng):
            return position.legal_actions[below(rng, len(position.legal_actions))]

    config = make_config(plain_config())
    players = Players(tmp_path, config)
    play_game(players.game, players.table, (Noted("a"), Noted("b")), planned_game(config, 0))
    assert begun == [("a", 0), ("b", 1)]


# --- Seeds -------------------------------------------------------------------------------------------------


def without_number(rows):
    return [row._replace(game=0) for row in rows]


def test_another_agent_changes_no_other_matchup(tmp_path):
    two = plain_config(deals=5)
    three = two | {"agents": {"new": {"type": "random"}, **two["agents"]}}
    config = make_config(three)
    players = Players(tmp_path, config)
    again = [
        players.play(p) for chunk in chunks(config) for p in games_of(config, chunk) if chunk.label == "rnd vs low"
    ]
    assert without_number(again) == without_number(played(make_config(two), tmp_path))


def test_the_order_of_two_agents_changes_no_game(tmp_path):
    def of_order(first, second):
        rows = played(make_config(plain_config(matchups=[[first, second]])), tmp_path)
        return {(row.deal, row.seat0): (row.deal_seed, row.winner, row.actions) for row in rows}

    assert of_order("rnd", "low") == of_order("low", "rnd")


def test_random_numbers_that_an_agent_draws_shift_nothing(tmp_path):
    frugal = plain_config()
    greedy = plain_config(agents={"rnd": {"type": "random"}, "low": {"type": "odd_agents:Lowest", "draws": 5}})
    assert played(make_config(greedy), tmp_path) == played(make_config(frugal), tmp_path)


def test_no_seed_is_used_twice():
    pairs = [("a", "b"), ("b", "a"), ("a", "c"), ("ab", "c"), ("a", "bc")]
    seen = []
    for experiment in range(2):
        for seats in pairs:
            for deal in range(50):
                seeds = game_seeds(experiment, seats, deal)
                seen += [*seeds.agents, *seeds.determinizations]
        seen += [deal_seed(experiment, seats, deal) for seats in pairs[1:] for deal in range(50)]
        seen += [training_seed(experiment, name) for name in "abc"]
    assert len(set(seen)) == len(seen)


def test_both_games_of_a_deal_have_the_same_cards_and_other_streams():
    one, other = game_seeds(1, ("a", "b"), 4), game_seeds(1, ("b", "a"), 4)
    assert one.deal == other.deal == deal_seed(1, ("b", "a"), 4)
    assert len({*one.agents, *other.agents, *one.determinizations, *other.determinizations}) == 8


def test_seeds_never_change():
    """A run that was begun with an older copy of the project goes on with the same games."""
    assert derived_seed(0) == 15793235383387715774
    assert deal_seed(7, ("rnd", "low"), 0) == 18335014727576729031
    assert game_seeds(7, ("rnd", "low"), 0).agents == (253836875022809941, 5911684449476804466)
    assert training_seed(7, "quick") == 6283614828647349848
