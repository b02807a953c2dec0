"""Actors of a Ray cluster, on one machine or many that share the run folder.

An actor holds one core and does one job at a time; only jobs and short messages travel, as every actor writes its
parts into the run folder itself. Actors are added while the cluster has free cores, so machines that join are used,
and are never restarted: one that dies, alone or with its machine, is noticed by the job that it does not finish.
"""

import contextlib
import hashlib
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from duelbench.envs.errors import BadInput
from duelbench.envs.jit import source_digest
from duelbench.experiments.executors.executor import Hear
from duelbench.experiments.worker import THREAD_LIMITS, Died, Done, Failed, Job, Message, Report, Worker

SECONDS_UNTIL_VISIBLE = 10.0
"""How long a shared folder may take to show a new file on another machine."""
_SECONDS_BETWEEN_QUESTIONS = 1.0
_SECONDS_BETWEEN_LOOKS = 2.0
_SECONDS_TO_STOP = 5.0
_SECONDS_TO_CONNECT = 10.0
_SECONDS_OF_PATIENCE = 60.0
_STARTS_ALLOWED = 3
_STORE_BYTES = 100 * 2**20
"""Of a Ray of our own, whose objects are short messages."""
_CALLS_AT_ONCE = 3
"""Beside its job an actor answers how far it is, and is told to stop."""
_RUN_FILES = ("config.yaml", "manifest.json")
_ENVIRONMENT = dict.fromkeys(THREAD_LIMITS, "1") | {"CUDA_VISIBLE_DEVICES": ""}
_SOURCES = ("envs", "agents", "experiments")


class _Stopped(BaseException):
    """The run has ended, and nobody waits for this job any more."""


class Actor:
    """What lives in a process of the cluster."""

    def __init__(self, folder: str, search_path: list[str]) -> None:
        # As where the run was called, agents from elsewhere included; Ray itself puts the current folder first.
        sys.path[:] = [*(entry for entry in sys.path if entry not in search_path), *search_path]
        self._folder = folder
        self._worker = Worker(folder)
        self._report: Report | None = None
        self._stopped = False

    def problem(self, digests: dict[str, str], sources: str, patience: float) -> str | None:
        """Why jobs cannot be done here, if they cannot: the folder is another one, or the code is."""
        here = f"node {socket.gethostname()} of the Ray cluster"
        if source_digest(_SOURCES) != sources:
            return f"{here} has another version of duelbench, or of numba or NumPy, than this machine"
        deadline = time.monotonic() + patience
        while folder_digests(self._folder) != digests:
            if time.monotonic() > deadline:
                seen = "another config.yaml" if (Path(self._folder) / "config.yaml").is_file() else "no config.yaml"
                return f"{here} sees {seen} in {self._folder}; every node must see the same run folder at that path"
            time.sleep(0.2)
        return None

    def do(self, job: Job) -> Done | Failed:
        self._report = None
        try:
            return self._worker.attempt(job, self._note)
        except _Stopped:
            return Failed("stopped", "", refused=False)

    def report(self) -> Report | None:
        """How far the job is."""
        return self._report

    def stop(self) -> None:
        """Leave the job at its next report."""
        self._stopped = True

    def _note(self, done: int, total: int) -> None:
        self._report = Report(done, total)
        if self._stopped:
            raise _Stopped


def folder_digests(folder: str | Path) -> dict[str, str]:
    """Hashes of the files by which a run folder is known, those that are there."""
    paths = [Path(folder) / name for name in _RUN_FILES]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths if path.is_file()}


@dataclass(eq=False)
class _Member:
    """An actor as the run sees it. What it has been asked and has not answered yet is a reference of Ray."""

    actor: Any
    check: Any = None
    job: Job | None = None
    answer: Any = None
    question: Any = None
    next_question: float = field(default=0.0)


class RayExecutor:
    """Up to `most` actors (None: one for each free core of the cluster) for the run in `folder`.

    `address` is auto or HOST:PORT of a cluster that is there, None that of RAY_ADDRESS or, without one, a Ray of its
    own on this machine, which ends with the run. A Ray that this process is connected to already is used as it is.
    """

    def __init__(self, folder: Path, most: int | None = None, address: str | None = None) -> None:
        self._folder = str(folder.resolve())
        self._most = most
        self._address = address or os.environ.get("RAY_ADDRESS") or "local"
        self._members: list[_Member] = []
        self._failed_starts = 0
        self._next_look = 0.0
        self._complain_at = float("inf")
        self._connected = False

    def __enter__(self) -> Self:
        import ray

        if not ray.is_initialized():
            with _signals_kept():
                self._connect(ray)
            self._connected = True
        self._ray = ray
        self._complain_at = time.monotonic() + _SECONDS_OF_PATIENCE
        self._digests = folder_digests(self._folder)
        self._search_path = [os.path.abspath(entry) for entry in sys.path]
        self._make: Any = ray.remote(Actor).options(
            num_cpus=1,
            max_restarts=0,
            max_task_retries=0,
            max_concurrency=_CALLS_AT_ONCE,
            runtime_env={"env_vars": _ENVIRONMENT},
        )
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(self._ray.exceptions.RayError):
            self._stop_members()
        if self._connected:
            self._ray.shutdown()

    @property
    def idle(self) -> bool:
        return any(_is_idle(member) for member in self._members)

    def give(self, job: Job) -> None:
        member = next(filter(_is_idle, self._members))
        member.job, member.answer, member.question = job, member.actor.do.remote(job), None

    def listen(self, hear: Hear, patience: float = 1.0) -> None:
        self._grow()
        self._complain()
        self._ask_how_far()
        waiting: dict[Any, _Member] = {}
        for member in self._members:
            waiting |= {asked: member for asked in (member.check, member.answer, member.question) if asked is not None}
        if not waiting:
            time.sleep(patience)
            return
        self._ray.wait(list(waiting), timeout=patience)
        for asked in self._ray.wait(list(waiting), num_returns=len(waiting), timeout=0)[0]:
            member = waiting[asked]
            if asked == member.check:
                self._admit(member)
            elif asked == member.answer:
                job, message = member.job, self._answer_of(member)
                assert job is not None
                hear(job, message)
            elif asked == member.question:
                report = self._report_of(member)
                if report is not None and member.job is not None:
                    hear(member.job, report)

    def _connect(self, ray: Any) -> None:
        self._check_address()
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        own = {"include_dashboard": False, "object_store_memory": _STORE_BYTES} if self._address == "local" else {}
        try:
            ray.init(address=self._address, log_to_driver=False, logging_level=logging.ERROR, **own)
        except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
            told = str(error).strip().splitlines()[0]
            raise BadInput(f"no Ray cluster can be reached at address {self._address!r}: {told}") from None

    def _check_address(self) -> None:
        """Ray itself would try for minutes to reach a host that does not answer."""
        host, _, port = self._address.removeprefix("ray://").rpartition(":")
        if not host:
            return
        try:
            socket.create_connection((host, int(port)), _SECONDS_TO_CONNECT).close()
        except (OSError, ValueError, OverflowError) as error:
            raise BadInput(f"no Ray cluster can be reached at address {self._address!r}: {error}") from None

    def _grow(self) -> None:
        """Add an actor for each free core. One that finds no room after all waits for it, and is the last."""
        if time.monotonic() < self._next_look or any(member.check is not None for member in self._members):
            return
        self._next_look = time.monotonic() + _SECONDS_BETWEEN_LOOKS
        free = int(self._ray.available_resources().get("CPU", 0))
        wanted = free if self._most is None else min(free, self._most - len(self._members))
        for _ in range(wanted):
            actor = self._make.remote(self._folder, self._search_path)
            check = actor.problem.remote(self._digests, source_digest(_SOURCES), SECONDS_UNTIL_VISIBLE)
            self._members.append(_Member(actor, check))

    def _complain(self) -> None:
        """Say once that nothing goes on because the cluster is full, or has lost all its machines."""
        if any(member.check is None for member in self._members):
            self._complain_at = time.monotonic() + _SECONDS_OF_PATIENCE
        elif time.monotonic() > self._complain_at:
            logging.getLogger(__name__).warning("waiting for a free core of the Ray cluster")
            self._complain_at = float("inf")

    def _admit(self, member: _Member) -> None:
        """Take a new actor into service; BadInput where it cannot serve."""
        try:
            problem = self._ray.get(member.check)
        except self._ray.exceptions.RayActorError as error:
            self._members.remove(member)
            self._failed_starts += 1
            in_service = any(other.check is None for other in self._members)
            if self._failed_starts >= _STARTS_ALLOWED and not in_service:
                told = f"{self._failed_starts} actors of Ray died when they were started, the last"
                raise BadInput(f"{self._folder}: {told} {_how(error)}") from None
            return
        except self._ray.exceptions.RayError as error:
            raise BadInput(f"an actor of Ray cannot be started: {_last_line(error)}") from None
        if problem is not None:
            raise BadInput(problem)
        self._failed_starts = 0
        member.check = None

    def _ask_how_far(self) -> None:
        now = time.monotonic()
        for member in self._members:
            if member.job is not None and member.question is None and now >= member.next_question:
                member.question = member.actor.report.remote()
                member.next_question = now + _SECONDS_BETWEEN_QUESTIONS

    def _report_of(self, member: _Member) -> Report | None:
        question, member.question = member.question, None
        try:
            report: Report | None = self._ray.get(question)
        except self._ray.exceptions.RayError:  # its answer says so too
            return None
        return report

    def _answer_of(self, member: _Member) -> Message:
        try:
            message: Message = self._ray.get(member.answer)
        except self._ray.exceptions.RayError as error:
            self._members.remove(member)
            with contextlib.suppress(self._ray.exceptions.RayError):
                self._ray.kill(member.actor)  # it may only be out of reach
            return Died(_how(error))
        member.job = member.answer = member.question = None
        return message

    def _stop_members(self) -> None:
        """Let every actor leave its job, so that no half-written file stays, and end it."""
        for member in self._members:
            member.actor.stop.remote()
        busy = [member.answer for member in self._members if member.answer is not None]
        if busy:
            self._ray.wait(busy, num_returns=len(busy), timeout=_SECONDS_TO_STOP)
        for member in self._members:
            self._ray.kill(member.actor)


def _is_idle(member: _Member) -> bool:
    return member.check is None and member.job is None


def _how(error: Exception) -> str:
    """What Ray knows about the end of an actor, in one line."""
    known = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line for line in known if "exit" in line.lower() or "node" in line.lower()]
    return f"in this way: {(causes or known or [type(error).__name__])[0]}"


def _last_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[-1]


@contextlib.contextmanager
def _signals_kept() -> Iterator[None]:
    """Ray has a way of its own to end a process at SIGTERM; a run has another."""
    try:
        before = signal.getsignal(signal.SIGTERM)
        yield
    finally:
        with contextlib.suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGTERM, before)
