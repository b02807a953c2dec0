"""A worker process: takes jobs from a pipe, plays games or trains, and writes what it made into the run folder."""

import os
import signal
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from pathlib import Path

from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.experiments.atomic import cannot_write, write_bytes
from duelbench.experiments.compiled_match import play_chunk
from duelbench.experiments.folder import checkpoint_path, load_run_config
from duelbench.experiments.manifest import commit, config_hash
from duelbench.experiments.plan import Chunk
from duelbench.experiments.players import Players
from duelbench.experiments.rows import part_bytes, part_path
from duelbench.experiments.seeds import training_seed

_SECONDS_BETWEEN_REPORTS = 0.1


@dataclass(frozen=True)
class Training:
    """The job of making the checkpoint of one `train` section."""

    name: str


Job = Chunk | Training


@dataclass(frozen=True)
class Report:
    """How much of a job is done: games, or decisions trained on."""

    done: int
    total: int


@dataclass(frozen=True)
class Done:
    """The job's file is written."""


@dataclass(frozen=True)
class Failed:
    """The job cannot be done. `refused`: because of something a person wrote, or the disk."""

    message: str
    trace: str
    refused: bool


@dataclass(frozen=True)
class Died:
    """The worker is gone without an answer (negative codes: the signal that killed it)."""

    exit_code: int | None


Message = Report | Done | Failed | Died


def work(connection: Connection, folder: str) -> None:
    """Do the jobs that come through `connection` for the run in `folder` until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C ends
    threading.Thread(target=_die_with_parent, daemon=True).start()
    players = None
    while True:
        try:
            job: Job = connection.recv()
            answer: Message
            try:
                players = players or Players(Path(folder), load_run_config(folder))
                do(job, players, _Reporter(connection))
                answer = Done()
            except (BrokenPipeError, ConnectionResetError):
                return
            except Exception as error:
                answer = _failure(error, folder)
            connection.send(answer)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return


def do(job: Job, players: Players, report: Callable[[int, int], None]) -> None:
    """Play a chunk or train a policy, and write its file."""
    if isinstance(job, Chunk):
        _play(job, players, report)
    else:
        _train(job, players, report)


def _play(chunk: Chunk, players: Players, report: Callable[[int, int], None]) -> None:
    write_bytes(part_path(players.folder, chunk.part), part_bytes(play_chunk(players, chunk, report)))


def _train(job: Training, players: Players, report: Callable[[int, int], None]) -> None:
    from duelbench.agents.training import train

    config = players.config
    origin = {"run": config.name, "train": job.name, "config_hash": config_hash(config.resolved()), **commit()}
    train(
        players.game,
        config.rules,
        config.settings[job.name],
        training_seed(config.seed, job.name),
        checkpoint_path(players.folder, job.name),
        origin,
        lambda done, total, _measured: report(done, total),
        config.deck_choice,
    )


class _Reporter:
    """Sends reports, but not more than the other side can use."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._last = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN_REPORTS:
            self._last = now
            self._connection.send(Report(done, total))


def _failure(error: Exception, folder: str) -> Failed:
    message = cannot_write(Path(error.filename or folder), error) if isinstance(error, OSError) else str(error)
    refused = isinstance(error, BadInput | IllegalAction | OSError)
    return Failed(message if refused else f"{type(error).__name__}: {message}", traceback.format_exc(), refused)


def _die_with_parent() -> None:
    """A parent that was killed cannot stop its workers, and their work would be for nobody."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
