"""What a run asks of whoever does its jobs, and the choice among those that there are."""

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal, Protocol, Self

from duelbench.envs.errors import BadInput
from duelbench.experiments.worker import Job, Message

Hear = Callable[[Job, Message], None]

Kind = Literal["workers", "in-process", "ray"]


class Executor(Protocol):
    """Does jobs one after the other or side by side: `with executor: executor.give(job); executor.listen(hear)`.

    Every job that was given ends with one of the messages Done, Failed and Died. Whoever does a job writes its file
    into the run folder, whole or not at all, and the file is the same whoever it is. When the block is left, nothing
    works on any more, and half-written files may be left.
    """

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    @property
    def idle(self) -> bool:
        """Whether there is somebody to give a job to."""
        ...

    def give(self, job: Job) -> None:
        """Hand `job` to somebody who is idle."""
        ...

    def listen(self, hear: Hear, patience: float = 1.0) -> None:
        """Call `hear` with what is said about the jobs given, waiting `patience` seconds for the first word.

        An executor without processes of its own does its job within this call.
        """
        ...


def make_executor(kind: Kind, folder: Path, workers: int | None, address: str | None = None) -> Executor:
    """The executor of that kind for the run in `folder`.

    `workers` is the most jobs done at a time (None: as many as there are cores), `address` that of a Ray cluster
    (None: the one in RAY_ADDRESS, or one of its own on this machine). Imports only what that kind needs.
    """
    match kind:
        case "in-process":
            from duelbench.experiments.executors.in_process import InProcess

            return InProcess(str(folder))
        case "ray":
            from duelbench.experiments.executors.ray_actors import RayExecutor

            return RayExecutor(folder, workers, address)
        case "workers":
            from duelbench.experiments.executors.local_workers import LocalWorkers

            return LocalWorkers(workers or len(os.sched_getaffinity(0)), str(folder))


def check_choice(kind: str, workers: int | None, address: str | None) -> None:
    """BadInput where such an executor cannot be made, before anything is begun."""
    if kind not in ("workers", "in-process", "ray"):
        raise BadInput(f"executor is {kind!r}; allowed: workers, in-process, ray")
    if workers is not None and workers < 1:
        raise BadInput(f"workers is {workers}; expected at least 1")
    if kind == "in-process" and workers is not None and workers > 1:
        raise BadInput(f"workers is {workers}; the executor in-process has no workers, so leave it out")
    if address is not None and kind != "ray":
        raise BadInput(f"address is {address!r}; only the executor ray has one")
    if kind == "ray" and importlib.util.find_spec("ray") is None:
        raise BadInput("the executor ray needs Ray, which is not installed: pip install 'duelbench[ray]'")
