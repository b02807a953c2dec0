"""What is left to do of a run, and in which order."""

import heapq
from collections import defaultdict
from collections.abc import Callable, Sequence

from duelbench.experiments.config import RunConfig
from duelbench.experiments.plan import Chunk
from duelbench.experiments.worker import Job, Training


class Jobs:
    """Trainings first, then the chunks in the order of their numbers; a chunk waits for the policies it plays with."""

    def __init__(self, config: RunConfig, missing: Sequence[Chunk], untrained: Sequence[str]) -> None:
        """`missing` are the chunks without a part file, `untrained` the trainings without a checkpoint."""
        self._config = config
        needed = {name for pair in {chunk.pair for chunk in missing} for name in self._trainings_of(pair)}
        self._untrained = [name for name in untrained if name in needed]
        self._given: set[Job] = set()
        self._ready: list[tuple[int, Job]] = []
        self._blocked: dict[frozenset[str], list[Chunk]] = defaultdict(list)
        for name in self._untrained:
            self._put(Training(name))
        for chunk in missing:
            self._put(chunk)

    @property
    def finished(self) -> bool:
        return not self._ready and not self._given and not self._blocked

    def take(self) -> Job | None:
        """The next job whose needs are met; None when all of those are given out."""
        if not self._ready:
            return None
        _, job = heapq.heappop(self._ready)
        self._given.add(job)
        return job

    def untrained(self, training: str | None) -> bool:
        return training in self._untrained

    def put_back(self, job: Job) -> None:
        """The job was not done after all."""
        self._given.remove(job)
        self._put(job)

    def done(self, job: Job) -> None:
        self._given.remove(job)
        if isinstance(job, Training):
            self._untrained.remove(job.name)
            waiting, self._blocked = self._blocked, defaultdict(list)
            for chunk in (chunk for chunks in waiting.values() for chunk in chunks):
                self._put(chunk)

    def drop(self, needless: Callable[[Chunk], bool]) -> list[Chunk]:
        """Forget the chunks that nobody plays yet and nobody needs; returns them."""
        waiting = [job for _, job in self._ready if isinstance(job, Chunk)]
        waiting += [chunk for chunks in self._blocked.values() for chunk in chunks]
        dropped = [chunk for chunk in waiting if needless(chunk)]
        gone = set(dropped)
        self._ready = [entry for entry in self._ready if entry[1] not in gone]
        heapq.heapify(self._ready)
        left = {needs: [c for c in blocked if c not in gone] for needs, blocked in self._blocked.items()}
        self._blocked = defaultdict(list, {needs: blocked for needs, blocked in left.items() if blocked})
        return dropped

    def _put(self, job: Job) -> None:
        if isinstance(job, Training):
            heapq.heappush(self._ready, (-1 - len(self._config.train) + self._place_of(job), job))
            return
        needs = self._trainings_of(job.pair) & set(self._untrained)
        if needs:
            self._blocked[frozenset(needs)].append(job)
        else:
            heapq.heappush(self._ready, (job.part, job))

    def _place_of(self, job: Training) -> int:
        return list(self._config.train).index(job.name)

    def _trainings_of(self, pair: tuple[str, str]) -> set[str]:
        trainings = (self._config.specs[name].train for name in pair)
        return {training for training in trainings if training is not None}
