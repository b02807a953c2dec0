"""Runs small enough for tests, on every game and on High Card with and without decks, which the worker processes are
made to know too."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from conftest import SHIPPED_DECKS

from duelbench.envs import registry
from duelbench.envs.decks import deck_data, deck_files, read_deck
from duelbench.experiments import costs
from duelbench.experiments.config import make_config
from duelbench.experiments.run import run

TESTS = Path(__file__).parent
DEALS_A_PART = 16
SITE = f"""
from duelbench.envs import registry
from duelbench.experiments import costs

registry._MODULES |= {{"highcard": "highcard", "deckcard": "deckcard"}}
costs.MOST_DEALS_A_PART = {DEALS_A_PART}
"""
DRIVER = """
import resource, signal, sys
from duelbench.envs.errors import BadInput
from duelbench.experiments.config import load_config
from duelbench.experiments.run import run

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs inherit that it is ignored
config, root, workers, file_limit = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])

def tell(progress):
    print(progress.phase, progress.done, progress.total, progress.label, flush=True)
    if progress.phase == "prepare" and progress.done == progress.total and file_limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))

try:
    run(load_config(config), root, workers, tell)
except KeyboardInterrupt:
    sys.exit(130)
except BadInput as error:
    print(error, file=sys.stderr)
    sys.exit(2)
"""


def make_highcard_known(folder, monkeypatch):
    """In this process, and in every Python process started from now on; parts are small, so that runs have several."""
    (folder / "sitecustomize.py").write_text(SITE)
    before = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), str(TESTS), *([before] if before else [])]))
    monkeypatch.setattr(costs, "MOST_DEALS_A_PART", DEALS_A_PART)
    for name in ("highcard", "deckcard"):
        monkeypatch.setitem(registry._MODULES, name, name)


@pytest.fixture
def highcard_known(tmp_path_factory, monkeypatch):
    make_highcard_known(tmp_path_factory.mktemp("site"), monkeypatch)


def plain_config(**changes):
    """A config without search or training: `random` against an agent from a test module."""
    agents = {"rnd": {"type": "random"}, "low": {"type": "odd_agents:Lowest"}}
    return {"name": "small", "game": "highcard", "seed": 7, "deals": 40, "agents": agents} | changes


DECKS = {"amber": {"card_7": 2}, "blue": {"plan": "High cards", "cards": ["card_0", "card_5"]}, "coral": {"card_2": 2}}


def deck_config(**changes):
    """A config of High Card with decks, without search or training."""
    return plain_config(game="deckcard", decks=DECKS) | changes


def shipped_decks(name, count):
    """The first decks that are shipped for the game of that name, as plain data by their names."""
    game = registry.load_game(name)
    decks = [read_deck(game, path) for path in deck_files(SHIPPED_DECKS / name)[:count]]
    return {deck.name: deck_data(game, deck) for deck in decks}


# --- One whole run of every game ---------------------------------------------------------------------------

LEARNING = {
    "agents": {
        "rnd": {"type": "random"},
        "search": {"type": "ismcts", "simulations": 30},
        "learned": {"type": "ppo", "train": "quick"},
    },
    "train": {"quick": {"steps": 16384, "lanes": 16, "rollout": 16, "batch_size": 128, "layers": [16]}},
}
WITH_DECKS, RANDOM_DECKS = " with decks", " with random decks"


def shipped_run(name, decks):
    """A config of a game of the toolkit: its own player, a search, and with `decks` the search against itself."""
    agents = {"rnd": {"type": "random"}, "own": {"type": "heuristic"}, "search": {"type": "ismcts", "simulations": 20}}
    matchups = [["search", "own"], ["rnd", "search"], *([["search", "search"]] if decks else [])]
    return plain_config(game=name, agents=agents, matchups=matchups, **decks)


def shipped_runs(name):
    """The whole runs of a game of the toolkit: one, or with decks one with named and one with random ones."""
    if registry.load_game(name).deck_rules is None:
        return {name: shipped_run(name, {})}
    return {
        name + WITH_DECKS: shipped_run(name, {"decks": shipped_decks(name, 3)}),
        name + RANDOM_DECKS: shipped_run(name, {}),
    }


RUNS = {
    "highcard": plain_config(deals=60, **LEARNING),
    "deckcard": deck_config(matchups=[["rnd", "search"], ["search", "search"], ["learned", "learned"]], **LEARNING),
}
for _name in registry.game_names():
    RUNS |= shipped_runs(_name)


def finished_copy(case, shared, own):
    """A copy below `own` of the folder of that run of RUNS, brought to its end by one worker without any trouble.

    Of the processes of pytest that share `shared`, the first that asks makes the run there.
    """
    with (shared / f"{case}.lock").open("w") as lock, pytest.MonkeyPatch.context() as patch:
        fcntl.flock(lock, fcntl.LOCK_EX)
        site = own / f"{case} site"
        site.mkdir()
        make_highcard_known(site, patch)
        folder = run(make_config(RUNS[case]), shared / f"{case} runs")
    return Path(shutil.copytree(folder, own / case / folder.name))


# --- Runs in processes of their own ------------------------------------------------------------------------


def write_config(folder, data):
    path = folder / "small.yaml"
    path.write_text(yaml.safe_dump(data, sort_keys=False))
    return path


def start_run(config, root, workers=1, file_limit=0):
    """`run` in a process group of its own, telling its progress on stdout line by line."""
    command = [sys.executable, "-c", DRIVER, str(config), str(root), str(workers), str(file_limit)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def files_of(run_folder):
    """The bytes of everything that has to be the same however the run came about."""
    paths = [*run_folder.glob("games/*"), *run_folder.glob("checkpoints/*.npz"), run_folder / "config.yaml"]
    return {str(path.relative_to(run_folder)): path.read_bytes() for path in sorted(paths)}


def leftovers(run_folder):
    return [path for path in run_folder.rglob("*") if path.name.endswith((".tmp", ".partial"))]
