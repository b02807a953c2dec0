"""No processes at all: jobs are done where the run was called, as is best for a debugger or a profiler."""

from typing import Self

from duelbench.experiments.executors.executor import Hear
from duelbench.experiments.worker import Job, Report, Worker, seldom


class InProcess:
    """Does one job at a time, in `listen`, where Ctrl-C reaches the game itself."""

    def __init__(self, folder: str) -> None:
        self._worker = Worker(folder)
        self._job: Job | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    @property
    def idle(self) -> bool:
        return self._job is None

    def give(self, job: Job) -> None:
        self._job = job

    def listen(self, hear: Hear, patience: float = 1.0) -> None:
        job = self._job
        if job is None:
            return
        broken: list[Exception] = []

        def tell(done: int, total: int) -> None:
            try:
                hear(job, Report(done, total))
            except Exception as error:  # of the listener: the job has not failed
                broken.append(error)
                raise

        answer = self._worker.attempt(job, seldom(tell))
        self._job = None
        if broken:
            raise broken[0]
        hear(job, answer)
