"""Worker processes that may die: each has its own pipe, so the others and the parent never hang on a dead one."""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from multiprocessing import parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Self

from duelbench.experiments.executors.executor import Hear
from duelbench.experiments.worker import THREAD_LIMITS, Died, Done, Failed, Job, Message, Report, Worker, seldom

_PATIENCE = 5.0


class _Process:
    """One process and what it is doing."""

    def __init__(self, folder: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_work, args=(theirs, folder), daemon=True)
        self.job: Job | None = None
        with _one_thread_each(), _interrupts_kept_from_children():
            self.process.start()
        theirs.close()

    def end(self) -> None:
        """Ask the process to end at once."""
        self.connection.close()
        self.process.terminate()

    def wait(self) -> int | None:
        """Wait until the process that was asked to end is gone; returns its exit code."""
        self.process.join(_PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join(_PATIENCE)
        return self.process.exitcode


class LocalWorkers:
    """Up to `count` worker processes on one run folder, started when first needed."""

    def __init__(self, count: int, folder: str) -> None:
        self._count = count
        self._folder = folder
        self._workers: list[_Process] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.end()
        for worker in self._workers:
            worker.wait()

    @property
    def idle(self) -> bool:
        return len(self._workers) < self._count or any(worker.job is None for worker in self._workers)

    def give(self, job: Job) -> None:
        worker = next((worker for worker in self._workers if worker.job is None), None)
        if worker is None:
            worker = _Process(self._folder)
            self._workers.append(worker)
        worker.job = job
        with contextlib.suppress(OSError):  # a dead worker is noticed where its messages are read
            worker.connection.send(job)

    def listen(self, hear: Hear, patience: float = 1.0) -> None:
        busy = {worker.connection: worker for worker in self._workers if worker.job is not None}
        for connection in wait(list(busy), patience):
            assert isinstance(connection, Connection)
            worker = busy[connection]
            job, message = worker.job, self._message_of(worker)
            assert job is not None
            hear(job, message)

    def _message_of(self, worker: _Process) -> Message:
        try:
            message: Message = worker.connection.recv()
        except (EOFError, OSError):
            self._workers.remove(worker)
            worker.end()
            return Died(_how(worker.wait()))
        if isinstance(message, Done | Failed):
            worker.job = None
        return message


def _how(exit_code: int | None) -> str:
    hint = " (-9 often means too little memory)" if exit_code == -signal.SIGKILL else ""
    return f"with code {exit_code}{hint}"


@contextlib.contextmanager
def _one_thread_each() -> Iterator[None]:
    """One process per core is the fastest; libraries read these variables when a process starts."""
    before = {name: os.environ.get(name) for name in THREAD_LIMITS}
    os.environ.update(dict.fromkeys(THREAD_LIMITS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _interrupts_kept_from_children() -> Iterator[None]:
    """Ctrl-C reaches the whole process group; the parent alone shall act on it. Children inherit the mask."""
    resource_tracker.ensure_running()  # the first child would start it, which takes the mask away again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(connection: Connection, folder: str) -> None:
    """Do the jobs that come through `connection` for the run in `folder` until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C ends
    threading.Thread(target=die_with_parent, daemon=True).start()
    worker = Worker(folder)
    report = seldom(lambda done, total: connection.send(Report(done, total)))
    while True:
        try:
            connection.send(worker.attempt(connection.recv(), report))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return


def die_with_parent() -> None:
    """A parent that was killed cannot stop its workers, and their work would be for nobody."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
