"""Is one agent stronger than another: the sequential probability ratio test on deals.

Wald's test (1945) adds up evidence for one of two hypotheses until there is enough. The hypotheses here are Elo
differences, that is, expected shares of the points, and say nothing of how often a deal is split or drawn; so the
generalised test is used, in which each hypothesis is as likely as its likeliest distribution of deal scores makes the
results (M. Van den Bergh, "A practical introduction to the GSPRT", the test of Stockfish's fishtest). The deal is the
unit, so it does not matter how the two games of a deal depend on each other: a deal has one of five scores (the
pentanomial model), 0, 1/4, 1/2, 3/4 or 1.

The elo differences may lie anywhere, both far above 0 too; "elo0: 100, elo1: 150" asks for a lead of about 150.
"""

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

DEAL_SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""What the first agent can have made of a deal: the mean score of its two games."""

EMPTY_CELL = 1e-3
"""Deals made up for a score that did not occur, as in fishtest: a hypothesis may need it, and logarithms do."""

_HALVINGS = 64

ACCEPT_H0, ACCEPT_H1, UNDECIDED = "accept_h0", "accept_h1", ""


class SprtSettings(BaseModel):
    """The two hypotheses of a test and how often each may be missed."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    elo0: Annotated[float, Field(ge=-2000, le=2000, description="Elo lead of the first agent under H0.")]
    elo1: Annotated[float, Field(ge=-2000, le=2000, description="Elo lead of the first agent under H1.")]
    alpha: Annotated[float, Field(gt=0, lt=0.5, description="How often H1 may be accepted where H0 is true.")] = 0.05
    beta: Annotated[float, Field(gt=0, lt=0.5, description="How often H0 may be accepted where H1 is true.")] = 0.05

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.elo0 >= self.elo1:
            raise ValueError(f"elo0 below elo1 (found {self.elo0:g} and {self.elo1:g})")
        return self


@dataclass(frozen=True)
class Sprt:
    """The test of H0, a lead of `elo0`, against H1, a lead of `elo1` > `elo0`, of the first agent over the second.

    Wald's bounds are kept by tests that look after every deal; with rarer looks they are overshot, and the errors are
    rarer than `alpha` and `beta`.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """H0 is accepted at or below the first log-likelihood ratio, H1 at or above the second."""
        return float(np.log(self.beta / (1 - self.alpha))), float(np.log((1 - self.beta) / self.alpha))

    def llr(self, counts: np.ndarray) -> np.ndarray:
        """The log-likelihood ratio of H1 to H0, float64[...], for `pair_counts` int[..., 5]; 0 without deals.

        It is exact for any number of deals (about a millisecond). A normal approximation would need the variance
        of the scores, which few deals, or many that all came out alike, do not give.
        """
        filled = np.where(np.asarray(counts) == 0, EMPTY_CELL, counts)
        logs = [_log_tilt(filled, share_of_elo(elo)) for elo in (self.elo0, self.elo1)]
        played = np.sum(counts, axis=-1) > 0
        return np.asarray(np.where(played, np.sum(filled * (logs[1] - logs[0]), axis=-1), 0.0))

    def verdict(self, counts: np.ndarray) -> str:
        """ACCEPT_H0, ACCEPT_H1 or UNDECIDED for the deals so far, int[5]."""
        low, high = self.bounds
        ratio = float(self.llr(counts))
        return ACCEPT_H0 if ratio <= low else ACCEPT_H1 if ratio >= high else UNDECIDED


def share_of_elo(elo: float) -> float:
    """The expected share of the points of an agent that leads by `elo`."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def pair_counts(scores: np.ndarray, counts: np.ndarray | None = None) -> np.ndarray:
    """int64[5]: how many of the deals had each of DEAL_SCORES; `counts[i]` had `scores[i]`, or one where not given."""
    return np.bincount(np.rint(4 * np.asarray(scores)).astype(int), weights=counts, minlength=5).astype(np.int64)


def likeliest(counts: np.ndarray, mean: float) -> np.ndarray:
    """float64[..., 5]: of the distributions of deal scores with this mean, the one that makes `counts` likeliest.

    `counts` float[..., 5] are all positive, `mean` is in (0, 1).
    """
    observed = counts / counts.sum(axis=-1, keepdims=True)
    return np.asarray(observed * np.exp(_log_tilt(counts, mean)))


def _log_tilt(counts: np.ndarray, mean: float) -> np.ndarray:
    """float64[..., 5]: the logarithm of likeliest / observed frequency of each score.

    With Lagrange's multiplier x it is -log(1 + x (a - mean)) for the score a, where x solves
    sum of p (a - mean) / (1 + x (a - mean)) = 0 over the observed frequencies p (Van den Bergh, proposition 1.1).
    The sum falls in x, from plus to minus infinity between its poles; so it is halved until it is found.
    """
    away = DEAL_SCORES - mean
    shape = (*np.shape(counts)[:-1], 1)
    low, high = np.full(shape, -1 / away[-1]), np.full(shape, -1 / away[0])
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        above = np.sum(counts * away / (1 + middle * away), axis=-1, keepdims=True) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(-np.log1p((low + high) / 2 * away))
