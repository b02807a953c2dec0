"""Ratios of sums over deals, and differences of two, with intervals whose unit is the deal.

The wins of a card's copies and the number of these copies both vary from deal to deal, and copies of one deal are not
independent. Their ratio R = sum of tops / sum of bottoms has the linearised variance of the mean of (top - R bottom),
deals being the clusters (Cochran 1977, sections 6.3 and 9A; Särndal, Swensson & Wretman 1992, section 5.5). All that is
needed are sums over deals of the measures, their squares and products: memory does not grow with the games.

In simulations with unequal numbers of copies and dependent games, intervals of shares and of differences hold the
truth in 95% of the runs from 30 deals on, those of other means in 94% with 30 deals and 95% with 100.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

from duelbench.experiments.estimates import LEVEL, MIN_DEALS

Floats = np.ndarray
"""float64, one entry a card."""


@dataclass(frozen=True)
class RatioSums:
    """Sums over deals for one ratio: of top, bottom, top**2, top * bottom, bottom**2, and the deals with a bottom."""

    top: Floats
    bottom: Floats
    top2: Floats
    cross: Floats
    bottom2: Floats
    deals: Floats

    @property
    def value(self) -> Floats:
        """The ratio; NaN where there are fewer than MIN_DEALS deals: too little is no number."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.deals >= MIN_DEALS, self.top / self.bottom, np.nan)

    @property
    def variance(self) -> Floats:
        """The linearised variance of `value`."""
        with np.errstate(invalid="ignore", divide="ignore"):
            residual = self.top2 - 2 * self.value * self.cross + self.value**2 * self.bottom2
            return np.maximum(residual, 0) / self.bottom**2 * self.deals / (self.deals - 1)


@dataclass(frozen=True)
class Intervals:
    """Values with the bounds of their intervals; all three NaN where there are fewer than MIN_DEALS deals."""

    value: Floats
    low: Floats
    high: Floats


def _quantile(deals: Floats) -> Floats:
    """Student's t for an interval over so many deals."""
    quantiles: Floats = np.asarray(stdtrit(np.maximum(deals - 1, 1), (1 + LEVEL) / 2), float)
    return quantiles


def mean_interval(sums: RatioSums) -> Intervals:
    """The ratio, of any size, with Student's t interval."""
    half = _quantile(sums.deals) * np.sqrt(sums.variance)
    return Intervals(sums.value, sums.value - half, sums.value + half)


def share_interval(sums: RatioSums) -> Intervals:
    """A ratio in [0, 1] with a Wilson interval at its effective sample size (as `estimates.interval_of_share`).

    The size is value * (1 - value) / variance. Where all was won or all lost there is no variance to estimate from; the
    deals are then worth as many independent ones as their unequal bottoms leave (Kish 1965). A share in between that
    is the same in every deal is so by necessity, as the points of both seats of a game are, and has no width.
    """
    share, t = sums.value, _quantile(sums.deals)
    spread, variance = share * (1 - share), sums.variance
    with np.errstate(invalid="ignore", divide="ignore"):
        inverse_size = np.where(spread > 0, variance / spread, sums.bottom2 / sums.bottom**2)
        shrink = 1 + t**2 * inverse_size
        centre = (share + t**2 / 2 * inverse_size) / shrink
        half = t / shrink * np.sqrt(np.maximum(spread, 0) * inverse_size + (t * inverse_size / 2) ** 2)
    low, high = np.minimum(centre - half, share), np.maximum(centre + half, share)
    return Intervals(share, np.maximum(low, 0), np.minimum(high, 1))


@dataclass(frozen=True)
class DifferenceSums:
    """Two ratios of the same deals, with the sums of the products between them."""

    first: RatioSums
    second: RatioSums
    top_top: Floats
    top_bottom: Floats
    bottom_top: Floats
    bottom_bottom: Floats

    @property
    def deals(self) -> Floats:
        """The deals of the ratio that has fewer."""
        return np.minimum(self.first.deals, self.second.deals)

    @property
    def variance(self) -> Floats:
        """The linearised variance of first - second."""
        one, two, deals = self.first, self.second, self.deals
        with np.errstate(invalid="ignore", divide="ignore"):
            both = self.top_top - two.value * self.top_bottom - one.value * self.bottom_top
            both = (both + one.value * two.value * self.bottom_bottom) / (one.bottom * two.bottom)
            own = sum(s.variance * (s.deals - 1) / s.deals for s in (one, two))
            return np.maximum(own - 2 * both, 0) * deals / (deals - 1)


@dataclass(frozen=True)
class Differences(Intervals):
    """Intervals of differences, and p: how likely one as far from 0 would be if there were none."""

    p: Floats


def difference_interval(sums: DifferenceSums) -> Differences:
    """first - second with Student's t interval and its two-sided test; p is NaN where nothing varies."""
    value: Any = sums.first.value - sums.second.value
    error = np.sqrt(sums.variance)
    half = _quantile(sums.deals) * error
    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2 * stdtr(np.maximum(sums.deals - 1, 1), -np.abs(value / error))
    return Differences(value, value - half, value + half, np.where(error > 0, p, np.nan))
