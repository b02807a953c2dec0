"""How long it takes from starting a process to the end of its first game, on the clock."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from duelbench.experiments.bench.first_game import FINISHED

_COLD_RUNS = 3
"""Compiling takes long and varies little, so that more runs are not worth their time."""


def start_seconds(command: list[str], cache: str) -> float:
    """Seconds until `command` says that it has finished a game, with `cache` as the folder for compiled code."""
    environment = os.environ | {"XDG_CACHE_HOME": cache}
    start = time.perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        spent = time.perf_counter() - start
    if said.strip() != FINISHED:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode} before it had finished a game")
    return spent


def first_game_command(game: str) -> list[str]:
    return [sys.executable, "-P", "-m", "duelbench.experiments.bench.first_game", game]


def cold_starts(command: list[str], runs: int, on_run: Callable[[str], None]) -> list[float]:
    """At most three starts, each with an empty folder for compiled code."""
    return [_cold_start(command, on_run) for _ in range(min(runs, _COLD_RUNS))]


def _cold_start(command: list[str], on_run: Callable[[str], None]) -> float:
    on_run("cold start")
    with tempfile.TemporaryDirectory(prefix="duelbench-") as cache:
        return start_seconds(command, cache)


def warm_starts(command: list[str], runs: int, on_run: Callable[[str], None]) -> list[float]:
    """Starts that find the compiled code on disk."""
    with tempfile.TemporaryDirectory(prefix="duelbench-") as cache:
        start_seconds(command, cache)
        seconds = []
        for _ in range(runs):
            on_run("warm start")
            seconds.append(start_seconds(command, cache))
    return seconds
