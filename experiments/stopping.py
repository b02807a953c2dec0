"""When a matchup has had enough deals.

    stop: {half_width: 0.02, min_deals: 100}
    stop: {sprt: {elo0: 0, elo1: 10, alpha: 0.05, beta: 0.05}}

A rule looks at the results of the first `look_every` deals, of twice as many, and so on, from `min_deals` on. It goes
through all its looks in order, whenever it is asked, so the answer depends on nothing but the scores in the order of
the deals: not on how many are there, on workers or interruptions. What counts is `Verdict.deals`, the look at which
it stopped; deals played past it belong to no result.

Stopping at a look that pleases can spoil the interval of the deals up to there. Simulated (`tests/test_stopping.py`),
the 95 % interval holds the true share

    in 94 to 96 % after `half_width`: how wide the interval is says next to nothing of which side it errs to, so it
    may be used as it is;
    in 91 to 95 % after `sprt`: a test stops because the share has strayed far enough. The verdict keeps its error
    rates, but the share tends to lie too far out, and its interval is a little too narrow.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from duelbench.experiments.estimates import MIN_DEALS, interval_of_share
from duelbench.experiments.sprt import ACCEPT_H0, ACCEPT_H1, DEAL_SCORES, Sprt, SprtSettings

if TYPE_CHECKING:
    pass


class StopSettings(BaseModel):
    """The key `stop` of a config: one rule, and when it looks."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    half_width: Annotated[
        float | None,
        Field(gt=0, lt=0.5, description="Stop when the interval of the share is at most this wide on either side."),
    ] = None
    sprt: Annotated[
        SprtSettings | None, Field(description="Stop when a sequential test of two Elo leads has decided.")
    ] = None
    min_deals: Annotated[int, Field(ge=MIN_DEALS, le=10**8, description="Never stop before so many deals.")] = 100
    look_every: Annotated[int, Field(ge=1, le=10**8, description="Look after every so many deals only.")] = 50

    @model_validator(mode="after")
    def _one_rule(self) -> Self:
        if (self.half_width is None) == (self.sprt is None):
            raise ValueError("one of half_width and sprt")
        return self


@dataclass(frozen=True)
class Verdict:
    """Whether a matchup has had enough deals."""

    stop: bool
    why: str
    """for people; empty while it goes on"""
    deals: int = 0
    """the number of deals at which the rule stopped; 0 while it goes on"""


GO_ON = Verdict(False, "")


@dataclass(frozen=True)
class Stop:
    """A rule that decides from the scores of one matchup when to stop."""

    settings: StopSettings

    def verdict(self, scores: np.ndarray) -> Verdict:
        """What the rule says of the deals so far.

        `scores` float64[deals] are the first agent's mean scores of deals 0, 1, 2, ..., without gaps.
        """
        looks = self.looks(len(scores))
        if not looks:
            return GO_ON
        if self.settings.sprt is not None:
            return _tested(Sprt(**self.settings.sprt.model_dump()), scores, looks)
        return _narrow(self.settings.half_width or 0.0, scores, looks)

    def looks(self, deals: int) -> range:
        """The numbers of deals, up to `deals`, at which the rule looks."""
        every = self.settings.look_every
        first = -(-self.settings.min_deals // every) * every
        return range(first, deals + 1, every)


def _tested(test: Sprt, scores: np.ndarray, looks: range) -> Verdict:
    occurred = np.rint(4 * scores[:, None]) == np.arange(len(DEAL_SCORES))
    ratios = test.llr(np.cumsum(occurred, axis=0)[np.array(looks) - 1])
    low, high = test.bounds
    crossed = np.flatnonzero((ratios <= low) | (ratios >= high))
    if not len(crossed):
        return GO_ON
    first = crossed[0]
    better = bool(ratios[first] >= high)
    kept, dropped = (test.elo1, test.elo0) if better else (test.elo0, test.elo1)
    why = f"{ACCEPT_H1 if better else ACCEPT_H0}: a lead of {kept:g} Elo rather than {dropped:g}"
    return Verdict(True, f"{why} after {looks[first]} deals", looks[first])


def _narrow(half_width: float, scores: np.ndarray, looks: range) -> Verdict:
    for deals in looks:
        e = interval_of_share(scores[:deals])
        if (e.high - e.low) / 2 <= half_width:
            return Verdict(
                True, f"the interval reaches at most {half_width:g} to either side after {deals} deals", deals
            )
    return GO_ON
