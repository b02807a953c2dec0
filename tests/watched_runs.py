"""Runs of High Card whose processes a test can see, hold and kill, and what they have to come to."""

import os
import time
from pathlib import Path

import pytest
from small_runs import plain_config

from duelbench.experiments.config import make_config
from duelbench.experiments.run import run


class Desk:
    """The folder through which the agent `odd_agents:Watched` is steered."""

    def __init__(self, folder):
        folder.mkdir()
        self.folder = folder

    def config(self, **changes):
        agents = {"rnd": {"type": "random"}, "low": {"type": "odd_agents:Watched", "desk": str(self.folder)}}
        return plain_config(agents=agents) | changes

    def kill_one(self):
        """One process that is not this one dies at its next decision."""
        (self.folder / "kill").write_text(str(os.getpid()))

    def kill_all(self):
        """Every process that is not this one dies at its first decision."""
        (self.folder / "kill_all").write_text(str(os.getpid()))

    def hold(self):
        (self.folder / "hold").touch()

    def let_go(self):
        (self.folder / "hold").unlink()

    @property
    def killed(self):
        return not (self.folder / "kill").exists()

    def processes(self):
        """The processes that have played, this one not counted."""
        return {int(path.name) for path in self.folder.iterdir() if path.name.isdigit()} - {os.getpid()}

    def wait_for(self, count):
        """Wait until so many processes have played."""
        for _ in range(1200):
            if len(self.processes()) >= count:
                return
            time.sleep(0.1)
        pytest.fail(f"only {len(self.processes())} of {count} processes have played")


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path / "desk")


def parts_of(run_folder):
    return {path.name: path.read_bytes() for path in sorted(run_folder.glob("games/*"))}


def expected_parts(root, **changes):
    """The part files of the same run without any trouble, by an agent that plays like the watched one."""
    return parts_of(run(make_config(plain_config(**changes)), root, executor="in-process"))


def descendants(pid):
    """The numbers of all processes that descend from `pid`, itself not counted."""
    found = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            found += [child, *descendants(child)]
    return found
