"""Worker processes that may die: each has its own pipe, so the others and the parent never hang on a dead one."""

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Self

from duelbench.experiments.worker import Died, Done, Failed, Job, Message, work

_THREAD_LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
_PATIENCE = 5.0


class _Worker:
    """One process and what it is doing."""

    def __init__(self, folder: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=work, args=(theirs, folder), daemon=True)
        self.job: Job | None = None
        with _one_thread_each(), _interrupts_kept_from_children():
            self.process.start()
        theirs.close()

    def stop(self) -> int | None:
        """End the process at once; returns its exit code."""
        self.connection.close()
        self.process.terminate()
        self.process.join(_PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join(_PATIENCE)
        return self.process.exitcode


class Pool:
    """Up to `count` workers on one run folder, started when first needed: `with Pool(count, folder) as pool`."""

    def __init__(self, count: int, folder: str) -> None:
        self._count = count
        self._folder = folder
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()

    @property
    def idle(self) -> bool:
        return len(self._workers) < self._count or any(worker.job is None for worker in self._workers)

    def give(self, job: Job) -> None:
        """Hand `job` to an idle worker."""
        worker = next((worker for worker in self._workers if worker.job is None), None)
        if worker is None:
            worker = _Worker(self._folder)
            self._workers.append(worker)
        worker.job = job
        with contextlib.suppress(OSError):  # a dead worker is noticed where its messages are read
            worker.connection.send(job)

    def messages(self, patience: float = 1.0) -> Iterator[tuple[Job, Message]]:
        """What the busy workers say now, waiting `patience` seconds for the first word."""
        busy = {worker.connection: worker for worker in self._workers if worker.job is not None}
        for connection in wait(list(busy), patience):
            assert isinstance(connection, Connection)
            worker = busy[connection]
            job, message = worker.job, self._hear(worker)
            assert job is not None
            yield job, message

    def _hear(self, worker: _Worker) -> Message:
        try:
            message: Message = worker.connection.recv()
        except (EOFError, OSError):
            self._workers.remove(worker)
            return Died(worker.stop())
        if isinstance(message, Done | Failed):
            worker.job = None
        return message


@contextlib.contextmanager
def _one_thread_each() -> Iterator[None]:
    """One process per core is the fastest; libraries read these variables when a process starts."""
    before = {name: os.environ.get(name) for name in _THREAD_LIMITS}
    os.environ.update(dict.fromkeys(_THREAD_LIMITS, "1"))
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
