"""Run a config: train what it needs, play every game that its folder does not hold yet."""

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from duelbench.agents.policy import policy_file
from duelbench.envs.errors import BadInput
from duelbench.experiments.atomic import write_bytes
from duelbench.experiments.compiled_match import compile_matchup
from duelbench.experiments.config import Pair, RunConfig
from duelbench.experiments.folder import RunFolder, given_checkpoint_path
from duelbench.experiments.plan import Chunk, chunks, matchup_name, total_games
from duelbench.experiments.players import Players, given_checkpoint
from duelbench.experiments.pool import Pool
from duelbench.experiments.worker import Died, Done, Failed, Job, Message, Report, Training

_DEATHS_ALLOWED = 3
_SECONDS_BETWEEN_STATUS = 1.0


@dataclass(frozen=True)
class Progress:
    """How far a run is. Phases overlap: games begin while a training that they do not need goes on."""

    phase: str
    """prepare (every agent is asked once, which compiles it), train, or games"""
    done: int
    """agents asked; decisions trained on; games in the folder or played just now"""
    total: int
    label: str
    """the agent asked first, the training, or the matchup that was just played"""


Listener = Callable[[Progress], None]


class RunFailed(RuntimeError):
    """Something broke that no config can mend; carries the trace of the worker."""


def run(
    config: RunConfig,
    root: str | Path = "runs",
    workers: int = 1,
    progress: Listener | None = None,
    command: list[str] | None = None,
) -> Path:
    """Bring the run's folder below `root` to its end and return it; a finished one returns at once.

    The files it writes do not depend on `workers` or on interruptions. `command` is noted in the manifest (default:
    this process's own). Raises BadInput for what a person can mend (the folder is in use or made by another config,
    an agent fails, the disk is full), RunFailed for a broken worker; KeyboardInterrupt passes through. After any of
    them the same call continues.
    """
    if workers < 1:
        raise BadInput(f"workers is {workers}; expected at least 1")
    with RunFolder(root, config, command) as folder:
        session = _Session(folder, progress or (lambda _: None))
        session.work(workers)
    return folder.path


class _Session:
    """One process's work on a run folder."""

    def __init__(self, folder: RunFolder, listener: Listener) -> None:
        self._folder = folder
        self._config = folder.config
        self._listener = listener
        self._total = total_games(folder.config)
        self._jobs = _Jobs(folder)
        self._stored = folder.games_stored()
        self._underway: dict[Job, int] = {}
        self._deaths: Counter[Job] = Counter()
        self._training_sizes: dict[str, int] = {}
        self._next_status = 0.0

    def work(self, workers: int) -> None:
        try:
            if not self._jobs.finished:
                self._folder.note_start()
                self._note("running")
                self._prepare()
                self._work_off(workers)
            elif not self._folder.has_manifest:
                self._folder.note_start()
        except KeyboardInterrupt:
            self._note_end("interrupted")
            raise
        except Exception as error:
            self._note_end("failed", error=str(error))
            raise
        self._note("finished")
        self._tell_games(self._config.pairs[-1])

    def _prepare(self) -> None:
        """Meet every problem that can be met early, and compile, so that the workers need not."""
        players = Players(self._folder.path, self._config)
        _keep_given_checkpoints(players)
        ready = [name for name, spec in self._config.specs.items() if not self._jobs.untrained(spec.train)]
        for done, name in enumerate(ready):
            self._listener(Progress("prepare", done, len(ready), name))
            players.ask_once(name)
        for pair in self._config.pairs:
            if set(pair) <= set(ready):
                compile_matchup(players, pair)
        self._listener(Progress("prepare", len(ready), len(ready), "all agents"))

    def _work_off(self, workers: int) -> None:
        self._tell_games(self._jobs.chunks[0].pair)
        with Pool(workers, str(self._folder.path)) as pool:
            while not self._jobs.finished:
                while pool.idle and (job := self._jobs.take()) is not None:
                    pool.give(job)
                for job, message in pool.messages():
                    self._hear(job, message)
        self._folder.clean()

    def _hear(self, job: Job, message: Message) -> None:
        match message:
            case Report():
                self._hear_report(job, message)
            case Done():
                self._hear_done(job)
            case Died():
                self._hear_death(job, message)
            case Failed():
                if message.refused:
                    raise BadInput(message.message)
                raise RunFailed(f"{self._folder.path}: {message.message}\n{message.trace}")

    def _hear_report(self, job: Job, report: Report) -> None:
        if isinstance(job, Training):
            self._training_sizes[job.name] = report.total
            self._listener(Progress("train", report.done, report.total, job.name))
        else:
            self._underway[job] = report.done
            self._tell_games(job.pair)

    def _hear_done(self, job: Job) -> None:
        self._jobs.done(job)
        if isinstance(job, Training):
            size = self._training_sizes.get(job.name, 1)
            self._listener(Progress("train", size, size, job.name))
        else:
            self._underway.pop(job, None)
            self._stored += job.games
            self._tell_games(job.pair)
        if time.monotonic() >= self._next_status:
            self._note("running")

    def _hear_death(self, job: Job, death: Died) -> None:
        """Another worker takes the job over from its beginning, unless the job itself seems to kill them."""
        self._underway.pop(job, None)
        self._deaths[job] += 1
        self._jobs.put_back(job)
        if self._deaths[job] == _DEATHS_ALLOWED:
            work = f"training {job.name}" if isinstance(job, Training) else f"playing {job.label}"
            raise BadInput(
                f"{self._folder.path}: {_DEATHS_ALLOWED} workers died {work}, the last with code {death.exit_code} "
                "(-9 often means too little memory); what was finished is kept, the same command continues"
            )

    def _tell_games(self, pair: Pair) -> None:
        played = self._stored + sum(self._underway.values())
        self._listener(Progress("games", played, self._total, matchup_name(pair)))

    def _note(self, state: str, **more: str) -> None:
        self._folder.write_status(state, self._stored, self._total, **more)
        self._next_status = time.monotonic() + _SECONDS_BETWEEN_STATUS

    def _note_end(self, state: str, **more: str) -> None:
        """What ended the run may be the very disk that the note would go to."""
        self._folder.clean()
        self._stored = (
            self._folder.games_stored()
        )  # a worker may have finished a part that it could not report any more
        with contextlib.suppress(BadInput):
            self._note(state, **more)


class _Jobs:
    """What is left to do, and in which order."""

    def __init__(self, folder: RunFolder) -> None:
        config = folder.config
        self._config = config
        self.chunks = [chunk for chunk in chunks(config) if not folder.has_part(chunk)]
        needed = _trainings_of(config, self.chunks)
        self._untrained = [name for name in config.train if name in needed and not folder.has_checkpoint(name)]
        self._waiting: list[Job] = [*map(Training, self._untrained), *self.chunks]
        self._given: set[Job] = set()

    @property
    def finished(self) -> bool:
        return not self._waiting and not self._given

    def take(self) -> Job | None:
        """The next job whose needs are met; None when all of those are given out."""
        for job in self._waiting:
            if isinstance(job, Training) or not _trainings_of(self._config, [job]) & set(self._untrained):
                self._waiting.remove(job)
                self._given.add(job)
                return job
        return None

    def untrained(self, training: str | None) -> bool:
        return training in self._untrained

    def put_back(self, job: Job) -> None:
        self._given.remove(job)
        self._waiting.insert(0, job)

    def done(self, job: Job) -> None:
        self._given.remove(job)
        if isinstance(job, Training):
            self._untrained.remove(job.name)


def _trainings_of(config: RunConfig, wanted: Iterable[Chunk]) -> set[str]:
    names = {name for pair in {chunk.pair for chunk in wanted} for name in pair}
    return {training for name in names if (training := config.specs[name].train) is not None}


def _keep_given_checkpoints(players: Players) -> None:
    """Copy the policies that the config names, so that the run stays whole when their files move or change."""
    for name, spec in players.config.specs.items():
        given = given_checkpoint(spec)
        if given is None:
            continue
        source = policy_file(given, players.game.name, players.config.folder)
        kept = given_checkpoint_path(players.folder, name)
        if not kept.exists():
            players.check(name)
            write_bytes(kept, source.read_bytes())
        elif source.is_file() and source.read_bytes() != kept.read_bytes():
            raise BadInput(f"{spec.where}: checkpoint {source} is not the file that this run began with ({kept})")
