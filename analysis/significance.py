"""Tests of one mean over deals, and what many such tests side by side are worth."""

import numpy as np
from scipy import stats

FDR = 0.05
"""Of all differences that are flagged as real, the share that may be mistaken, on average."""

_MOST_CONVOLVED = 4000


def sign_flip_p(values: np.ndarray, counts: np.ndarray | None = None) -> float:
    """Two-sided p-value of the hypothesis that per-deal `values`, multiples of 1/4, lie evenly around 0.

    If two agents are alike, swapping their names changes nothing, so a deal's lead is as likely as the same lead of the
    other: every sign is a fair coin (Fisher 1935), and the distribution of the sum is known exactly. It is computed by
    convolving that of each size of lead. If leads are uneven but their mean is 0, the test holds for many deals only.
    `counts[i]` deals are worth `values[i]`; where it is not given, one is.
    """
    counts = np.ones(len(values), np.int64) if counts is None else counts
    sizes = np.rint(4 * np.abs(values)).astype(int)
    total = abs(int(np.rint(4 * np.sum(values * counts))))
    if total == 0:
        return 1.0
    if np.sum(counts[sizes > 0]) > _MOST_CONVOLVED:
        # Half a step of the sum, which moves in steps of two, is taken off, as the normal law knows no steps.
        spread = float(np.sqrt(np.sum(counts * sizes**2.0)))
        return float(min(1.0, 2 * stats.norm.sf((total - 1) / spread)))
    chances = _chances_of_sums(np.bincount(sizes, weights=counts).astype(int))
    return float(min(1.0, 2 * chances[len(chances) // 2 + total :].sum()))


def _chances_of_sums(counts: np.ndarray) -> np.ndarray:
    """float64[2 r + 1]: chances of the sums -r ... r of `counts[size]` signed steps of each size."""
    chances = np.ones(1)
    for size, count in enumerate(counts[1:], 1):
        steps = np.zeros(2 * size * count + 1)
        steps[:: 2 * size] = stats.binom.pmf(np.arange(count + 1), count, 0.5)
        chances = np.convolve(chances, steps)
    return chances


def adjusted(p: np.ndarray) -> np.ndarray:
    """p-values adjusted so that flagging those below FDR controls it (Benjamini & Hochberg 1995); NaN stays NaN.

    They need to be independent or positively dependent, as those of matchups with an agent in common are taken to be.
    """
    p = np.asarray(p, float)
    known = ~np.isnan(p)
    result = np.full(len(p), np.nan)
    if known.any():
        result[known] = stats.false_discovery_control(p[known])
    return result
