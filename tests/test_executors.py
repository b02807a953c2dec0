"""Who does the jobs of a run makes no difference to what comes out."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time

import pytest
from small_runs import deck_config, files_of, highcard_known, leftovers, plain_config, write_config  # noqa: F401
from test_run import wait_until_gone
from watched_runs import descendants, desk, expected_parts, parts_of  # noqa: F401

from duelbench.envs.errors import BadInput
from duelbench.experiments.config import load_config, make_config
from duelbench.experiments.ending import Terminated, ended_from_outside
from duelbench.experiments.executors import executor as executors
from duelbench.experiments.folder import read_json
from duelbench.experiments.jobs import Jobs
from duelbench.experiments.plan import chunks
from duelbench.experiments.rows import part_path
from duelbench.experiments.run import run
from duelbench.experiments.worker import Training

pytestmark = pytest.mark.usefixtures("highcard_known")

LEARNING = {
    "agents": {"rnd": {"type": "random"}, "learned": {"type": "ppo", "train": "quick"}},
    "train": {"quick": {"steps": 2048, "lanes": 16, "rollout": 16, "batch_size": 128, "layers": [16]}},
}


@pytest.mark.parametrize("config", [plain_config(), deck_config(**LEARNING)], ids=["plain", "decks and training"])
def test_this_process_writes_the_same_bytes_as_workers(tmp_path, config):
    folders = [
        run(make_config(config), tmp_path / "here", None, executor="in-process"),
        run(make_config(config), tmp_path / "one", 1),
        run(make_config(config), tmp_path / "two", 2),
    ]
    assert len(parts_of(folders[0])) == 3
    assert files_of(folders[0]) == files_of(folders[1]) == files_of(folders[2])


def test_this_process_starts_no_other_and_tells_of_every_game(tmp_path):
    told = []

    def listen(progress):
        assert multiprocessing.active_children() == []
        told.append(progress.done)

    run(make_config(plain_config()), tmp_path, progress=listen, executor="in-process")
    assert told[-1] == 80


def test_an_error_of_the_listener_is_no_error_of_the_job(tmp_path):
    def listen(progress):
        if progress.phase == "games" and 0 < progress.done < 32:
            raise BrokenPipeError("nobody reads this")

    with pytest.raises(BrokenPipeError, match="nobody reads this"):
        run(make_config(plain_config()), tmp_path, progress=listen, executor="in-process")


def test_a_killed_worker_costs_no_row(desk, tmp_path):  # noqa: F811
    desk.kill_one()
    folder = run(make_config(desk.config()), tmp_path / "runs", 2)
    assert desk.killed
    assert parts_of(folder) == expected_parts(tmp_path / "undisturbed")
    assert leftovers(folder) == []


# --- Endings -----------------------------------------------------------------------------------------------

MAIN = """
import signal
from duelbench.analysis.cli import main

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs inherit that it is ignored
main()
"""


@pytest.mark.parametrize("how", ["in-process", "workers"])
@pytest.mark.parametrize(("ending", "code", "word"), [("SIGINT", 130, "interrupted"), ("SIGTERM", 143, "terminated")])
def test_a_run_that_is_ended_says_so_in_one_line_and_leaves_nothing(desk, tmp_path, how, ending, code, word):  # noqa: F811
    """The signal comes twice, while games wait in the middle, and the run continues to the same bytes afterwards."""
    desk.hold()
    config = write_config(tmp_path, desk.config())
    command = [sys.executable, "-c", MAIN, "run", str(config), "--executor", how, "--runs", str(tmp_path)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    desk.wait_for(1 if how == "in-process" else 2)
    while not (tmp_path / "small" / "status.json").exists():
        pass
    beneath = descendants(process.pid)
    for _ in range(2):
        os.killpg(process.pid, getattr(signal, ending)) if ending == "SIGINT" else process.terminate()
    _, errors = process.communicate()
    assert process.returncode == code
    assert [line for line in errors.splitlines() if word in line] == errors.splitlines()[-1:]
    assert "Traceback" not in errors
    wait_until_gone(beneath)
    assert read_json(tmp_path / "small" / "status.json")["state"] == "interrupted"
    assert leftovers(tmp_path / "small") == []
    desk.let_go()
    run(load_config(config), tmp_path, executor="in-process")
    assert parts_of(tmp_path / "small") == expected_parts(tmp_path / "undisturbed")


def test_a_second_signal_does_not_disturb_the_cleaning_up():
    def handlers():
        return [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    before = handlers()
    cleaned = []

    @ended_from_outside()
    def end_twice():
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)
            cleaned.append(True)

    with pytest.raises(Terminated):
        end_twice()
    assert cleaned
    assert handlers() == before


def test_a_signal_while_machine_code_is_made_is_noticed_afterwards():
    """There an exception would be swallowed, and the compilation fail for no reason that anybody understands."""
    made = []
    compiler = {"__name__": "llvmlite.binding.executionengine", "signal": signal, "made": made}
    callback = "def _raw_object_cache_notify(): signal.raise_signal(signal.SIGTERM); made.append(True)"
    exec(callback, compiler)

    @ended_from_outside()
    def compile_and_go_on():
        compiler["_raw_object_cache_notify"]()
        for _ in range(1000):
            time.sleep(0.01)
        pytest.fail("the signal has been forgotten")

    with pytest.raises(Terminated):
        compile_and_go_on()
    assert made


# --- Choices -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ({"executor": "cloud"}, "executor is 'cloud'; allowed: workers, in-process, ray"),
        ({"executor": "in-process", "workers": 2}, "the executor in-process has no workers, so leave it out"),
        ({"address": "auto"}, "address is 'auto'; only the executor ray has one"),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused_before_anything_is_begun(tmp_path, choice, told):
    with pytest.raises(BadInput, match=told):
        run(make_config(plain_config()), tmp_path, **choice)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_ray_is_one_line_that_says_how_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setattr(executors.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"not installed: pip install 'duelbench\[ray\]'$"):
        run(make_config(plain_config()), tmp_path, executor="ray")


# --- What is left to do ------------------------------------------------------------------------------------


def test_chunks_wait_for_the_policies_they_play_with_and_trainings_come_first():
    agents = {**LEARNING["agents"], "low": {"type": "odd_agents:Lowest"}}
    config = make_config(plain_config(**LEARNING | {"agents": agents}, deals=20))
    parts = chunks(config)
    ready = [chunk for chunk in parts if chunk.label == "rnd vs low"]
    jobs = Jobs(config, parts, ["quick"])
    taken = [jobs.take() for _ in range(1 + len(ready))]
    assert taken == [Training("quick"), *ready]
    assert jobs.take() is None
    jobs.put_back(ready[1])
    assert jobs.take() == ready[1]
    jobs.done(Training("quick"))
    for chunk in ready:
        jobs.done(chunk)
    waiting = [chunk for chunk in parts if chunk not in ready]
    assert [jobs.take() for _ in waiting] == waiting
    assert not jobs.finished
    for chunk in waiting:
        jobs.done(chunk)
    assert jobs.finished


def test_parts_that_were_divided_in_another_way_are_refused(tmp_path, monkeypatch):
    config = plain_config(deals=32, agents={"rnd": {"type": "random"}, "other": {"type": "random"}})
    folder = run(make_config(config), tmp_path, executor="in-process")
    monkeypatch.setattr("duelbench.experiments.costs.MOST_DEALS_A_PART", 32)
    told = r"part-00000.parquet: holds 32 games, expected 64: the games of this run were divided into parts in another"
    with pytest.raises(BadInput, match=told):
        run(make_config(config), tmp_path)
    monkeypatch.setattr("duelbench.experiments.costs.MOST_DEALS_A_PART", 8)
    part_path(folder, 1).unlink()
    with pytest.raises(BadInput, match="holds 32 games, expected 16"):
        run(make_config(config), tmp_path)
