"""Where a curve that was measured at a few values crosses a reference, with an interval from resampled deals.

The curve is fitted by monotone (isotonic) regression and joined by straight lines. A share of points need not follow a
logistic curve in a number: rules compare it with other numbers, so it moves in steps, and only that it never turns back
may be taken for granted. At a handful of values of many deals each the fit is the measured means themselves wherever
these are in order, so that the bootstrap is sound (it is not for isotonic fits of one observation a place).
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import isotonic_regression

from duelbench.experiments.estimates import LEVEL

RESAMPLES = 2000
BOOTSTRAP_SEED = 2012
_ROUNDING = 1e-12
_A_TIME = 200
"""Resamples drawn at once, which bounds the memory."""


@dataclass(frozen=True)
class Crossing:
    """A crossing with its interval. Infinite: below or above all values that were measured."""

    value: float
    low: float
    high: float
    turned: float
    """Share of the resamples in which the curve went the other way, up instead of down or down instead of up."""


def crossing(values: np.ndarray, shares: np.ndarray, reference: float) -> float:
    """Where the monotone fit of `shares` (float64[values]) over ascending `values` equals `reference`.

    -inf or inf where it does so below or above all values, if it goes on as it does; the middle where it is equal over
    a stretch.
    """
    up = goes_up(values, shares)
    above = isotonic_regression(shares, increasing=up).x - reference
    if not up:
        above = -above
    equal = np.flatnonzero(np.abs(above) < _ROUNDING)
    if len(equal):
        return float(values[equal[0]] + values[equal[-1]]) / 2
    if above[0] > 0:
        return -np.inf
    if above[-1] < 0:
        return np.inf
    last = int(np.flatnonzero(above < 0)[-1])
    part = -above[last] / (above[last + 1] - above[last])
    return float(values[last] + part * (values[last + 1] - values[last]))


def goes_up(values: np.ndarray, shares: np.ndarray) -> bool:
    """Whether the straight line through the shares rises."""
    return bool(np.dot(values - values.mean(), shares) >= 0)


def crossing_of_deals(values: np.ndarray, scores: np.ndarray, reference: np.ndarray | float) -> Crossing:
    """The crossing of the means over deals, with its percentile interval from RESAMPLES bootstraps of the deals.

    `scores` is float64[deals, values]; `reference` a fixed share, or float64[deals]: then a deal is drawn with both its
    scores and its reference, as these have the same cards.
    """
    fixed = np.ndim(reference) == 0
    columns = scores if fixed else np.column_stack([scores, reference])
    means = _resampled_means(columns)
    references = np.full(len(means), reference) if fixed else means[:, -1]
    curves = means[:, : len(values)]
    own = scores.mean(axis=0)
    found = np.array([crossing(values, curve, level) for curve, level in zip(curves, references, strict=True)])
    turned = np.mean([goes_up(values, curve) != goes_up(values, own) for curve in curves])
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(found, tail, method="lower"), np.quantile(found, 1 - tail, method="higher")
    value = crossing(values, own, float(np.mean(reference)))
    return Crossing(value, float(low), float(high), float(turned))


def _resampled_means(columns: np.ndarray) -> np.ndarray:
    """float64[RESAMPLES, columns]: the means of as many rows, drawn with replacement."""
    rng, deals = np.random.default_rng(BOOTSTRAP_SEED), len(columns)
    alike = np.full(deals, 1 / deals)
    drawn = [rng.multinomial(deals, alike, size=_A_TIME) @ columns / deals for _ in range(RESAMPLES // _A_TIME)]
    return np.concatenate(drawn)
