"""How far a field of agents is from a single scale of strength, and which agents beat each other in a circle.

The log-odds of the points (on the Elo scale) of all against all are split into a transitive part, differences of one
number for each agent, and a cyclic part, what is left (the combinatorial Hodge decomposition: Jiang, Lim, Yao & Ye
2011; Balduzzi et al. 2018). The two are orthogonal, so each has a share of the sum of squares. A cyclic part says that
one scale does not do, not that anyone is beaten in a circle: an agent may be better than the scale says against some
and worse against others. The circles themselves are listed beside it.

Chance alone makes circles: with few deals, or agents that are nearly equal, most of what is measured is cyclic. So
the cyclic share is shown twice, as measured and less what the noise adds to both sums on average, and it is held
against a floor: the 95 % quantile of the cyclic sum that the same numbers of deals show where every matchup follows
the ratings. In the simulation each matchup keeps the spread of its deal scores (splits, draws) as far as the new mean
allows.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from duelbench.analysis.payoffs import payoff_matrix
from duelbench.analysis.ratings import ELO, PRIOR_DRAWS
from duelbench.analysis.resamples import BOOTSTRAP_SEED, Field, not_all_met
from duelbench.experiments.estimates import LEVEL
from duelbench.experiments.sprt import DEAL_SCORES, likeliest, pair_counts

DECOMPOSITION_COLUMNS = ["measured", "share", "low", "high", "expected", "floor", "p", "cyclic", "agents", "deals"]
CYCLE_COLUMNS = ["first", "second", "third", "first_second", "second_third", "third_first", "deals"]

LEAST_AGENTS = 3
ALPHA = 1 - LEVEL


@dataclass(frozen=True)
class Intransitivity:
    """What is cyclic in a field."""

    decomposition: pd.DataFrame
    """One line with DECOMPOSITION_COLUMNS: the cyclic share as `measured`; the `share` less its noise, with its
    interval; the sums that a transitive field would show by chance as shares of the same whole, `expected` on average
    and `floor` at the 95 % quantile; the p-value of a transitive field, and whether it is below 5 % (`cyclic`); the
    number of agents, and that of deals in the smallest matchup"""
    cycles: pd.DataFrame
    """Circles of three with CYCLE_COLUMNS: first beats second, who beats third, who beats first, and by which shares
    of the points; all three are flagged as better in `superiority.superiority`. `deals` are those of the smallest
    matchup"""


def refusal(deals: pd.DataFrame) -> str:
    """Why these deals (`payoffs.deal_table`) cannot be split into transitive and cyclic, or an empty string."""
    return not_all_met(deals, "test of circles", LEAST_AGENTS)


def intransitivity(field: Field, ratings: np.ndarray, better: pd.DataFrame) -> Intransitivity:
    """What is cyclic in the field; call `refusal` before.

    `ratings` float64[agents] are those of the field, `better` its `superiority.superiority`.
    """
    return Intransitivity(_decomposed(field, ratings), _cycles(field, better))


def hodge(log_odds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The transitive and the cyclic part of antisymmetric float64[..., n, n]; their sum is the whole."""
    scale = log_odds.mean(axis=-1)
    transitive = scale[..., :, None] - scale[..., None, :]
    return transitive, log_odds - transitive


def _decomposed(field: Field, ratings: np.ndarray) -> pd.DataFrame:
    whole, cyclic = _sums(field, field.shares)
    resampled = _log_odds(field, field.drawn)
    deviation = resampled - _log_odds(field, field.shares)
    noise = np.array([part.mean() for part in (_square_sum(deviation), _square_sum(hodge(deviation)[1]))])
    share = _ratio(cyclic - noise[1], whole - noise[0])
    again = _sums(field, field.drawn)  # resamples have the noise of the deals, and once more that of drawing them
    spread = _ratio(again[1] - 2 * noise[1], again[0] - 2 * noise[0])
    low, high = np.quantile(spread, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    chance = _sums(field, _transitive_shares(field, ratings))[1]
    p = (1 + np.count_nonzero(chance >= cyclic)) / (1 + len(chance))
    measured, *floor = (float(_ratio(part, whole)) for part in (cyclic, chance.mean(), np.quantile(chance, LEVEL)))
    sizes = (len(field.agents), int(field.deals.min()))
    line = (measured, float(share), float(min(low, share)), float(max(high, share)), *floor, p, p < ALPHA, *sizes)
    return pd.DataFrame([line], columns=DECOMPOSITION_COLUMNS)


def _log_odds(field: Field, shares: np.ndarray) -> np.ndarray:
    """float64[..., agents, agents] on the Elo scale; PRIOR_DRAWS keeps them finite, as in the ratings."""
    games = 2.0 * field.deals
    odds = (shares * games + PRIOR_DRAWS / 2) / ((1 - shares) * games + PRIOR_DRAWS / 2)
    return field.square(ELO * np.log(odds))


def _sums(field: Field, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sums of squares of the whole and of the cyclic part, float64[...] each, from float64[..., pairs]."""
    log_odds = _log_odds(field, shares)
    return _square_sum(log_odds), _square_sum(hodge(log_odds)[1])


def _square_sum(matrices: np.ndarray) -> np.ndarray:
    return np.asarray((matrices**2).sum(axis=(-2, -1)))


def _ratio(cyclic: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """The share in [0, 1]. Where noise is all there is, nothing is left of the whole; then it is all or nothing."""
    return np.asarray(np.clip(np.where(whole > 0, cyclic / np.where(whole > 0, whole, 1.0), cyclic > 0), 0.0, 1.0))


def _transitive_shares(field: Field, ratings: np.ndarray) -> np.ndarray:
    """float64[simulations, pairs]: shares of the points as the ratings expect them, with the noise of as many deals."""
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    lead = ratings[field.places[:, 0]] - ratings[field.places[:, 1]]
    columns = []
    for scores, share in zip(field.scores, 1 / (1 + 10 ** (-lead / 400)), strict=True):
        # One made-up deal of two independent games: no score may be impossible.
        independent = np.array([(1 - share) ** 2, 0, 2 * share * (1 - share), 0, share**2])
        counts = np.maximum(pair_counts(*scores) + independent, np.finfo(float).tiny)
        times = rng.multinomial(scores.deals, _summing_to_one(likeliest(counts, share)), size=len(field.drawn))
        columns.append(times @ DEAL_SCORES / scores.deals)
    return np.stack(columns, axis=1)


def _summing_to_one(chances: np.ndarray) -> np.ndarray:
    return np.asarray(chances / chances.sum())


def _cycles(field: Field, better: pd.DataFrame) -> pd.DataFrame:
    shares = 0.5 + field.square(field.shares - 0.5)
    deals = np.abs(field.square(field.deals.astype(float)))
    beats = payoff_matrix(better, field.agents, "better").eq(True).to_numpy()
    lines = []
    for a, b, c in combinations(range(len(field.agents)), 3):
        for ring in ((a, b, c), (a, c, b)):
            edges = [(ring[i], ring[(i + 1) % 3]) for i in range(3)]
            if all(beats[edge] for edge in edges):
                names = (field.agents[i] for i in ring)
                lines.append((*names, *(shares[edge] for edge in edges), int(min(deals[edge] for edge in edges))))
    return pd.DataFrame(lines, columns=CYCLE_COLUMNS)
