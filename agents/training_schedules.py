"""What changes in the course of a training: learning rate and entropy weight, and what happens every so often."""

from collections.abc import Callable

from duelbench.agents.training import TrainSettings

Schedule = Callable[[float], float]
"""The value, from the part of the training that remains: 1 at the start, 0 at the end."""

LAST_RATE = 0.05
"""Where no last learning rate is given, it falls towards 0 and stops at this part of itself."""


def learning_rate(settings: TrainSettings) -> Schedule:
    first, last = settings.learning_rate, settings.final_learning_rate
    return line(first, last) if last is not None else lambda remaining: first * max(remaining, LAST_RATE)


def entropy_weight(settings: TrainSettings) -> Schedule:
    last = settings.final_entropy
    return line(settings.entropy, settings.entropy if last is None else last)


def line(first: float, last: float) -> Schedule:
    """From `first` at the start to `last` at the end."""
    return lambda remaining: last + (first - last) * remaining


def falls_due(every: int, decisions: int, rollout: int) -> bool:
    """Whether something that happens every so many decisions happens at `decisions`, a whole number of rollouts.

    It does at 0 and at the first end of a rollout at or after each multiple of `every`.
    """
    return decisions // every > (decisions - rollout) // every
