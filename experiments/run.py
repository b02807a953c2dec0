"""Run a config: train what it needs, play every game that its folder does not hold yet."""

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from duelbench.envs.errors import BadInput
from duelbench.experiments.compiled_match import compile_matchup
from duelbench.experiments.config import RunConfig
from duelbench.experiments.costs import game_cost
from duelbench.experiments.ending import ended_from_outside
from duelbench.experiments.executors.executor import Executor, Kind, check_choice, make_executor
from duelbench.experiments.folder import RunFolder
from duelbench.experiments.jobs import Jobs
from duelbench.experiments.pace import UNKNOWN, Clock, Pace
from duelbench.experiments.plan import Chunk, chunks
from duelbench.experiments.players import Players, keep_given_checkpoints
from duelbench.experiments.stops import stops_of
from duelbench.experiments.tallies import Tally, check_sizes, stored_tally
from duelbench.experiments.worker import Died, Done, Failed, Job, Message, Report, Training

_DEATHS_ALLOWED = 3
_SECONDS_BETWEEN_STATUS = 2.0


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
    pace: Pace = field(default=UNKNOWN, compare=False)
    """of the games"""
    tally: Tally = field(default_factory=Tally, compare=False)
    """how the games in the folder ended; goes on counting, so whoever wants to keep it copies it"""


Listener = Callable[[Progress], None]


class RunFailed(RuntimeError):
    """Something broke that no config can mend; carries the trace of the worker."""


def run(
    config: RunConfig,
    root: str | Path = "runs",
    workers: int | None = 1,
    progress: Listener | None = None,
    command: list[str] | None = None,
    executor: Kind = "workers",
    address: str | None = None,
) -> Path:
    """Bring the run's folder below `root` to its end and return it; a finished one returns at once.

    `executor` does the work: `workers` (processes on this machine), `in-process` (none) or `ray` (actors of the
    cluster at `address`: auto, HOST:PORT, or None for that of RAY_ADDRESS or else one of its own on this machine).
    `workers` is the most that work side by side; None: as many as there are cores. The files it writes depend neither
    on these nor on interruptions. `command` is noted in the manifest (default: this process's own).

    Raises BadInput for what a person can mend (the folder is in use or made by another config, an agent fails, the
    disk is full), RunFailed for a broken worker; KeyboardInterrupt passes through, and SIGTERM raises
    `ending.Terminated`, which is one. After any of them the same call continues.
    """
    check_choice(executor, workers, address)
    with ended_from_outside(), RunFolder(root, config, command) as folder:
        session = _Session(folder, progress or (lambda _: None))
        session.work(lambda: make_executor(executor, folder.path, workers, address))
    return folder.path


class _Session:
    """One process's work on a run folder."""

    def __init__(self, folder: RunFolder, listener: Listener) -> None:
        self._folder = folder
        self._config = folder.config
        self._listener = listener
        parts = chunks(folder.config)
        self._stops = stops_of(folder.config, folder.path)
        self._stored = [chunk for chunk in parts if folder.has_part(chunk) and self._stops.needs(chunk)]
        missing = [chunk for chunk in parts if not folder.has_part(chunk) and self._stops.needs(chunk)]
        self._total = sum(chunk.games for chunk in (*self._stored, *missing))
        self._jobs = Jobs(
            folder.config, missing, [name for name in folder.config.train if not folder.has_checkpoint(name)]
        )
        self._games = _Games(folder.config, self._stored, missing)
        self._begins_with = missing[0] if missing else parts[-1]
        self._ends_with = parts[-1]
        self._deaths: Counter[Job] = Counter()
        self._training_sizes: dict[str, int] = {}
        self._doing = "checking the agents, and compiling"
        self._next_status = 0.0

    def work(self, make: Callable[[], Executor]) -> None:
        try:
            if not self._jobs.finished:
                self._folder.note_start()
                self._note("running")
                self._prepare()
                self._work_off(make())
            else:
                check_sizes(self._folder.path, self._stored)
                if not self._folder.has_manifest:
                    self._folder.note_start()
        except KeyboardInterrupt:
            self._note_end("interrupted")
            raise
        except Exception as error:
            self._note_end("failed", error=str(error))
            raise
        self._count_what_is_left()
        self._note("finished")
        self._tell_games(self._ends_with)

    def _prepare(self) -> None:
        """Meet every problem that can be met early, and compile, so that the workers need not."""
        for chunk in self._stored:
            self._games.tally.update(stored_tally(self._folder.path, chunk))
        players = Players(self._folder.path, self._config)
        keep_given_checkpoints(players)
        ready = [name for name, spec in self._config.specs.items() if not self._jobs.untrained(spec.train)]
        for done, name in enumerate(ready):
            self._listener(Progress("prepare", done, len(ready), name))
            players.ask_once(name)
        for pair in self._config.pairs:
            if set(pair) <= set(ready):
                compile_matchup(players, pair)
        self._listener(Progress("prepare", len(ready), len(ready), "all agents"))

    def _work_off(self, executor: Executor) -> None:
        self._tell_games(self._begins_with)
        with executor:
            while not self._jobs.finished:
                while executor.idle and (job := self._jobs.take()) is not None:
                    executor.give(job)
                executor.listen(self._hear)
                self._note_now_and_then()
        self._folder.clean()
        self._stops.remove_needless(self._config)

    def _hear(self, job: Job, message: Message) -> None:
        match message:
            case Report():
                self._hear_report(job, message)
            case Done():
                self._hear_done(job, message.tally)
            case Died():
                self._hear_death(job, message)
            case Failed():
                if message.refused:
                    raise BadInput(message.message)
                raise RunFailed(f"{self._folder.path}: {message.message}\n{message.trace}")

    def _hear_report(self, job: Job, report: Report) -> None:
        self._note_now_and_then()
        if isinstance(job, Training):
            self._training_sizes[job.name] = report.total
            self._doing = f"training {job.name}, {report.done / max(1, report.total):.0%}"
            self._listener(Progress("train", report.done, report.total, job.name))
        else:
            self._games.underway(job, report.done)
            self._tell_games(job)

    def _hear_done(self, job: Job, tally: Tally) -> None:
        self._jobs.done(job)
        if isinstance(job, Training):
            size = self._training_sizes.get(job.name, 1)
            self._listener(Progress("train", size, size, job.name))
        else:
            self._games.done(job, tally)
            self._see_whether_enough(job)
            self._tell_games(job)

    def _see_whether_enough(self, chunk: Chunk) -> None:
        """Leave out what a matchup does not need any more by the rule of the config."""
        if self._stops.add(chunk).stop:
            dropped = self._jobs.drop(lambda other: not self._stops.needs(other))
            self._games.dropped(dropped)
            self._total -= sum(left_out.games for left_out in dropped)

    def _hear_death(self, job: Job, death: Died) -> None:
        """Somebody else takes the job over from its beginning, unless the job itself seems to kill them."""
        if isinstance(job, Chunk):
            self._games.underway(job, 0)
        self._deaths[job] += 1
        self._jobs.put_back(job)
        if self._deaths[job] == _DEATHS_ALLOWED:
            work = f"training {job.name}" if isinstance(job, Training) else f"playing {job.label}"
            raise BadInput(
                f"{self._folder.path}: {_DEATHS_ALLOWED} workers died {work}, the last {death.how}; "
                "what was finished is kept, the same command continues"
            )

    def _tell_games(self, chunk: Chunk) -> None:
        games = self._games
        self._doing = f"playing {chunk.label}"
        self._listener(Progress("games", games.played, self._total, chunk.label, games.pace(), games.tally))

    def _note_now_and_then(self) -> None:
        if time.monotonic() >= self._next_status:
            self._note("running")

    def _note(self, state: str, **more: str) -> None:
        pace = self._games.pace() if state == "running" else UNKNOWN
        timing = {"games_per_second": pace.games_per_second, "seconds_left": pace.seconds_left}
        told: dict[str, Any] = {key: round(value, 3) for key, value in timing.items() if value is not None}
        if state == "running":
            told["doing"] = self._doing
        if stopped := self._stops.told(self._config):
            told["stopped"] = stopped
        self._folder.write_status(state, self._games.stored, self._total, **told, **more)
        self._next_status = time.monotonic() + _SECONDS_BETWEEN_STATUS

    def _count_what_is_left(self) -> None:
        """After a stop: parts that were underway then are gone again."""
        if self._config.stop is not None:
            self._total = self._games.stored = self._folder.games_stored()

    def _note_end(self, state: str, **more: str) -> None:
        """What ended the run may be the very disk that the note would go to."""
        self._folder.clean()
        # Somebody may have finished a part without being heard any more.
        self._games.stored = self._folder.games_stored()
        with contextlib.suppress(BadInput):
            self._note(state, **more)


class _Games:
    """How many games there are, stored and underway, what they cost, and how the stored ones ended."""

    def __init__(self, config: RunConfig, stored: list[Chunk], missing: list[Chunk]) -> None:
        self._config = config
        self._clock = Clock()
        self._underway: dict[Chunk, int] = {}
        self.stored = sum(chunk.games for chunk in stored)
        self.played = self.stored
        """games stored or played just now"""
        self._units_played = 0.0
        self._units_wanted = sum(self._cost(chunk, chunk.games) for chunk in missing)
        self.tally = Tally()

    def pace(self) -> Pace:
        return self._clock.pace(self.played, self._units_played, max(0.0, self._units_wanted - self._units_played))

    def underway(self, chunk: Chunk, games: int) -> None:
        """So many games of the chunk have been played."""
        more = games - self._underway.get(chunk, 0)
        self._underway[chunk] = games
        self.played += more
        self._units_played += self._cost(chunk, more)

    def done(self, chunk: Chunk, tally: Tally) -> None:
        self.underway(chunk, chunk.games)
        del self._underway[chunk]
        self.stored += chunk.games
        self.tally.update(tally)

    def dropped(self, chunks: Iterable[Chunk]) -> None:
        """These will not be played."""
        self._units_wanted -= sum(self._cost(chunk, chunk.games) for chunk in chunks)

    def _cost(self, chunk: Chunk, games: int) -> float:
        first, second = (self._config.specs[name] for name in chunk.pair)
        return games * game_cost(self._config.game, (first, second))
