"""Means over deals with their intervals.

A deal is played twice with the seats swapped, so its two games are not independent: the deal is the unit, and its
value the mean of its games.
"""

from dataclasses import dataclass

import numpy as np

MIN_DEALS = 10
"""A matchup with fewer deals gets a refusal instead of an interval."""

LEVEL = 0.95
"""Coverage of every interval."""

NAN = float("nan")


@dataclass(frozen=True)
class Estimate:
    """A mean over deals with its interval; `low` and `high` are NaN and `note` says why where there are too few."""

    value: float
    low: float
    high: float
    deals: int
    note: str = ""


def interval_of_share(values: np.ndarray, counts: np.ndarray | None = None) -> Estimate:
    """The mean of per-deal values in [0, 1] with a Wilson score interval at the effective number of games.

    `counts[i]` deals are worth `values[i]`; where it is not given, one is.

    Wilson's interval (1927) stays inside [0, 1] and keeps its width when every deal came out alike. The pairing
    enters through the effective sample size mean * (1 - mean) / variance of the mean, with Student's t in place of
    the normal quantile (Korn & Graubard 1998; compared with its rivals in Franco, Little, Louis & Slud 2019).
    """
    return interval_of_moments(*_moments(values, counts))


def _moments(values: np.ndarray, counts: np.ndarray | None) -> tuple[int, float, float]:
    """The number of deals, the mean of their values and its unbiased variance, NaN where there are too few deals."""
    counts = np.ones(len(values), np.int64) if counts is None else counts
    deals = int(np.sum(counts))
    mean = float(np.sum(values * counts) / deals) if deals else NAN
    if deals < 2:
        return deals, mean, NAN
    return deals, mean, 0.0 if np.ptp(values) == 0 else float(np.sum((values - mean) ** 2 * counts) / (deals - 1))


def interval_of_moments(deals: int, mean: float, variance: float) -> Estimate:
    """As `interval_of_share`, from the number of deals, the mean of their values and its unbiased variance.

    The variance of values that are all alike is given as exactly 0.
    """
    if deals < MIN_DEALS:
        return Estimate(mean, NAN, NAN, deals, too_few(deals))
    size = _effective_size(deals, mean, variance)
    t = _quantile(deals)
    shrink = 1 + t**2 / size
    centre = (mean + t**2 / (2 * size)) / shrink
    half = t / shrink * np.sqrt(mean * (1 - mean) / size + t**2 / (4 * size**2))
    # The estimate lies inside by algebra; rounding alone may put a bound a hair past it.
    return Estimate(mean, max(0.0, min(centre - half, mean)), min(1.0, max(centre + half, mean)), deals)


def _effective_size(deals: int, mean: float, variance: float) -> float:
    """How many independent games the deals are worth, never less than one a deal.

    Deals that all came out alike have no variance to estimate from. They are given the one they would have had if
    one deal had been won twice and another lost twice, so that the interval is narrow but not a point.
    """
    if variance == 0:
        variance = (mean**2 + (1 - mean) ** 2) / deals
    return max(float(deals), mean * (1 - mean) * deals / variance)


def interval_of_mean(values: np.ndarray, counts: np.ndarray | None = None) -> Estimate:
    """The mean of per-deal values of any size (say, decisions) with Student's t interval over deals.

    `counts` as for `interval_of_share`.
    """
    deals, mean, variance = _moments(values, counts)
    if deals < MIN_DEALS:
        return Estimate(mean, NAN, NAN, deals, too_few(deals))
    half = float(_quantile(deals) * np.sqrt(variance) / np.sqrt(deals))
    return Estimate(mean, mean - half, mean + half, deals)


def _quantile(deals: int) -> float:
    """Student's t of so many deals that leaves LEVEL between its negative and itself."""
    from scipy.special import stdtrit  # takes a third of a second to load, which commands without intervals save

    return float(stdtrit(deals - 1, (1 + LEVEL) / 2))


def too_few(deals: int) -> str:
    return f"too few deals for an interval: {deals}, at least {MIN_DEALS} needed"


def counted(number: int, what: str) -> str:
    """A number of things: 1 deal, 4 deals."""
    return f"{number} {what}{'' if number == 1 else 's'}"
