"""Does a reading of the rules matter: what changes when the same deals are played under another.

The rows of a run may hold several variants of the game (column `variant`, "" for the game as the config has it). All
play the same deals with the same seeds, so a deal is compared with itself: the unit is the difference of the mean of
its games in a variant from that in the base, and most of the luck of the cards cancels out.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import stats

from duelbench.analysis.payoffs import deal_keys, of_variant, seat0_scores, variants_of
from duelbench.analysis.significance import FDR, adjusted, sign_flip_p
from duelbench.envs.errors import BadInput
from duelbench.experiments.estimates import MIN_DEALS, Estimate, interval_of_mean
from duelbench.experiments.variants import AS_CONFIGURED

EFFECT_COLUMNS = [
    "matchup", "variant", "measure", "base", "value", "difference", "low", "high", "p", "q", "matters", "deals", "note"
]  # fmt: skip

DECISIONS = "decisions"
"""The measure that is no share: the mean number of decisions in a game."""

ALIKE = "no deal differs"
"""Note of a measure that came out the same in every deal."""


def variant_effects(rows: pd.DataFrame, base: str = AS_CONFIGURED) -> pd.DataFrame:
    """What each variant changes against `base`, by matchup and measure, with EFFECT_COLUMNS.

    Measures are "share of A" (the agent of the matchup whose name sorts first; none for an agent against itself),
    "share of seat 0", "drawn", DECISIONS, and "ended: R" for every reason that occurs on either side. `base` and
    `value` are means over the deals that both have, `low` and `high` a paired t interval of their difference. `p` is
    exact for shares (`significance.sign_flip_p`) and of the paired t test for decisions; `q` is adjusted over the whole
    table, and `matters` says where it is below FDR. The table has no lines where there is one variant only.

    Raises BadInput where the rows hold other variants but not `base`.
    """
    others = [variant for variant in variants_of(rows) if variant != base]
    if others and base not in variants_of(rows):
        raise BadInput(f"variant {base!r} is not in the results, which have {', '.join(map(repr, others))}")
    lines: list[tuple] = []
    for variant in others:
        before, after = (dict(list(of_variant(rows, one).groupby("matchup"))) for one in (base, variant))
        for matchup in sorted(before.keys() & after.keys()):
            lines += _effects(matchup, variant, before[matchup], after[matchup])
    table = pd.DataFrame(lines, columns=[name for name in EFFECT_COLUMNS if name not in ("q", "matters")])
    q = adjusted(table["p"].to_numpy())
    table.insert(EFFECT_COLUMNS.index("q"), "q", q)
    table.insert(EFFECT_COLUMNS.index("matters"), "matters", q < FDR)
    return table.sort_values(["matchup", "variant"], kind="stable", ignore_index=True)


def _effects(matchup: str, variant: str, base: pd.DataFrame, changed: pd.DataFrame) -> Iterator[tuple]:
    reasons = sorted(set(base["reason"]) | set(changed["reason"]))
    for (measure, before), (_, after) in zip(_measures(base, reasons), _measures(changed, reasons), strict=True):
        paired = pd.concat([_by_deal(base, before), _by_deal(changed, after)], axis=1, join="inner").sort_index()
        values = paired.to_numpy(float)
        if not len(values):
            yield (matchup, variant, measure, *[np.nan] * 6, 0, "no deal was played in both")
            continue
        difference = values[:, 1] - values[:, 0]
        e = _paired(difference, measure != DECISIONS)
        means = (*values.mean(axis=0), e.value, e.low, e.high)
        yield (matchup, variant, measure, *means, _p_value(difference, measure != DECISIONS), e.deals, e.note)


def _measures(games: pd.DataFrame, reasons: list[str]) -> Iterator[tuple[str, pd.Series]]:
    """Every measure with its value in each game."""
    seat0 = seat0_scores(games)
    first = min(games["seat0"].iloc[0], games["seat1"].iloc[0])
    if (games["seat0"] != games["seat1"]).all():
        yield f"share of {first}", seat0.where(games["seat0"] == first, 1 - seat0)
    yield "share of seat 0", seat0
    yield "drawn", games["winner"] == -1
    yield DECISIONS, games["decisions"]
    for reason in reasons:
        yield f"ended: {reason}", games["reason"] == reason


def _by_deal(games: pd.DataFrame, values: pd.Series) -> pd.Series:
    return values.astype(float).groupby(deal_keys(games)).mean()


def _paired(difference: np.ndarray, share: bool) -> Estimate:
    """The mean difference with its interval.

    Where no deal differs in a share, the interval is as wide as if one deal had gained all of it and another lost it.
    """
    e = interval_of_mean(difference)
    if e.note or np.ptp(difference) > 0:
        return e
    if not share:
        return Estimate(e.value, np.nan, np.nan, e.deals, ALIKE if e.value == 0 else "every deal differs alike")
    half = interval_of_mean(np.append(np.zeros(e.deals - 2), [-1.0, 1.0])).high
    return Estimate(e.value, max(-1.0, e.value - half), min(1.0, e.value + half), e.deals)


def _p_value(difference: np.ndarray, share: bool) -> float:
    if len(difference) < MIN_DEALS:
        return float("nan")
    if share:
        return sign_flip_p(difference)
    if np.ptp(difference) == 0:
        return 1.0 if difference[0] == 0 else 0.0
    return float(stats.ttest_1samp(difference, 0.0).pvalue)
