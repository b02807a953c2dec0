"""What is done with a job, whoever does it: games are played or a policy is trained, and its file is written."""

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
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
from duelbench.experiments.tallies import Tally, stored_tally

THREAD_LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""Variables that libraries read when a process starts; where there is a worker for each core, all are 1."""

ReportTo = Callable[[int, int], None]
"""Called with how much of a job is done and how much there is: games, or decisions trained on."""

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
    """The job's file is written. `tally`: how the games in it ended."""

    tally: Tally


@dataclass(frozen=True)
class Failed:
    """The job cannot be done. `refused`: because of something a person wrote, or the disk."""

    message: str
    trace: str
    refused: bool


@dataclass(frozen=True)
class Died:
    """The worker is gone without an answer. `how` completes "the last ...": what is known about its end."""

    how: str


Message = Report | Done | Failed | Died


class Worker:
    """Does jobs of the run in `folder`. Game and agents are made once, when the first job comes."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._players: Players | None = None

    def attempt(self, job: Job, report: ReportTo) -> Done | Failed:
        """Do the job; whatever is wrong with it becomes a message."""
        try:
            if self._players is None:
                self._players = Players(Path(self._folder), load_run_config(self._folder))
            return Done(do(job, self._players, report))
        except Exception as error:
            return _failure(error, self._folder)


def seldom(report: ReportTo) -> ReportTo:
    """`report`, called not more often than somebody can look."""
    last = 0.0

    def report_seldom(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _SECONDS_BETWEEN_REPORTS:
            last = now
            report(done, total)

    return report_seldom


def do(job: Job, players: Players, report: ReportTo) -> Tally:
    """Play a chunk or train a policy, and write its file; returns how the games ended (none in a training)."""
    if isinstance(job, Training):
        _train(job, players, report)
        return Tally()
    _play(job, players, report)
    return stored_tally(players.folder, job)


def _play(chunk: Chunk, players: Players, report: ReportTo) -> None:
    write_bytes(part_path(players.folder, chunk.part), part_bytes(play_chunk(players, chunk, report)))


def _train(job: Training, players: Players, report: ReportTo) -> None:
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


def _failure(error: Exception, folder: str) -> Failed:
    message = cannot_write(Path(error.filename or folder), error) if isinstance(error, OSError) else str(error)
    refused = isinstance(error, BadInput | IllegalAction | OSError)
    return Failed(message if refused else f"{type(error).__name__}: {message}", traceback.format_exc(), refused)
