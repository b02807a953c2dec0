"""Rates of pieces of work that take turns on one core."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

Chunk = Callable[[], int]
"""Does a few milliseconds of work or more and returns how many units it did."""


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process and its children on one core, where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def rate(chunk: Chunk, seconds: float, clock: Callable[[], float] = time.process_time) -> float:
    """Units per second, over as many chunks as fill `seconds`.

    The seconds are those the processor spent on this process, with all its threads, so that other work on the
    machine does not count; on an idle core they are the clock's.
    """
    done, start = 0, clock()
    while True:
        done += chunk()
        spent = clock() - start
        if spent >= seconds:
            return done / spent


def rates_in_turn(
    chunks: Mapping[str, Chunk], runs: int, seconds: float, on_run: Callable[[str], None]
) -> dict[str, list[float]]:
    """Rates of each chunk, one a round: in every round each runs once, so that all see the same machine."""
    rates: dict[str, list[float]] = {name: [] for name in chunks}
    for chunk in chunks.values():
        chunk()  # compiles, fills caches
    for _ in range(runs):
        for name, chunk in chunks.items():
            on_run(name)
            rates[name].append(rate(chunk, seconds))
    return rates
