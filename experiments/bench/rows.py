"""A benchmark's results, one row a game and measure."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from duelbench.experiments.bench.measures import Measure


@dataclass(frozen=True)
class Row:
    """`value`, `min` and `max`: median and extremes of the runs.

    `peer` and `ratio`: what the game was compared with, and the median over the rounds of the game's rate divided by
    the peer's in the same round; None without a peer. A peer has rows of its own, with its name for the game.
    """

    game: str
    measure: str
    value: float
    min: float
    max: float
    unit: str
    peer: str | None = None
    ratio: float | None = None


def row(game: str, measure: Measure, samples: Sequence[float]) -> Row:
    return Row(game, measure.name, statistics.median(samples), min(samples), max(samples), measure.unit)


def rows_beside(
    measure: Measure, samples: dict[str, list[float]], peer: str | None, peer_samples: Sequence[float]
) -> list[Row]:
    """A row for each game of `samples` (game -> one rate a round) and, if there is a `peer`, one for it at the end."""
    if peer is None:
        return [row(game, measure, rates) for game, rates in samples.items()]
    rows = [_compared(row(game, measure, rates), peer, rates, peer_samples) for game, rates in samples.items()]
    return [*rows, row(peer, measure, peer_samples)]


def _compared(plain: Row, peer: str, rates: Sequence[float], peer_rates: Sequence[float]) -> Row:
    ratio = statistics.median(ours / theirs for ours, theirs in zip(rates, peer_rates, strict=True))
    return Row(plain.game, plain.measure, plain.value, plain.min, plain.max, plain.unit, peer, ratio)
