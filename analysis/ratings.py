"""Bradley-Terry ratings of the agents, with intervals from a bootstrap over deals.

The model (Bradley & Terry 1952) says that a beats b with odds 10 ** ((rating a - rating b) / 400), the scale of
Elo; a drawn game counts as half a win for either. It is fitted by maximum likelihood (evalica, Newman's 2023
iteration), so unlike Elo's updates it does not depend on the order of games.

Davidson's model (1970) with a parameter for ties is left out on purpose. It makes the share of draws a function of the
two ratings, while here draws come from the rules (a limit of turns, both sides falling at once) and from how two
agents play each other; and its ratings order the agents by the same points, as half a win for a draw is just what a
draw is worth in the payoffs. How often games are drawn is told matchup by matchup instead (`summary.draws`).
"""

import itertools
from collections.abc import Collection

import evalica
import numpy as np
import pandas as pd
from scipy.special import expit

from duelbench.analysis.deal_kinds import counts_of
from duelbench.analysis.resamples import BOOTSTRAP_SEED, RESAMPLES, Field, agents_of, resampled, too_few_deals
from duelbench.experiments.estimates import LEVEL

MEAN_RATING = 1000.0
"""The mean of all agents' ratings; only differences mean anything."""

PRIOR_DRAWS = 1.0
"""Made-up drawn games between any two agents that met: half a win for either, which keeps ratings finite."""

ELO = 400 / np.log(10)
"""Elo points of one unit of log-odds."""

TOLERANCE, ITERATIONS = 1e-9, 100_000
NEWTON_STEPS, LONGEST_STEP = 500, 1.0


def rated(deals: pd.DataFrame, unrated: Collection[str]) -> pd.DataFrame:
    """The deals of `payoffs.deal_table` in which none of the agents `unrated` took part."""
    return deals[~(deals["first"].isin(unrated) | deals["second"].isin(unrated))]


def refusal(deals: pd.DataFrame) -> str:
    """Why no ratings can be given for these deals (`payoffs.deal_table`), or an empty string."""
    if few := too_few_deals(deals, "ratings"):
        return few
    apart = _islands(agents_of(deals), set(zip(deals["first"], deals["second"], strict=True)))
    if len(apart) > 1:
        groups = " | ".join(", ".join(island) for island in apart)
        return f"no ratings: these groups of agents never met each other: {groups}"
    return ""


def ratings(deals: pd.DataFrame, resamples: int = RESAMPLES, seed: int = BOOTSTRAP_SEED) -> pd.DataFrame:
    """The agents, best first, from `payoffs.deal_table`; call `refusal` before.

    Columns: rank, agent, rating, low, high, deals, games, wins, draws, losses. `low` and `high` are percentiles of
    the bootstrap. The same deals in any order give the same table.
    """
    field = resampled(deals, resamples, seed)
    return rating_table(deals, field, resampled_ratings(field))


def resampled_ratings(field: Field) -> np.ndarray:
    """float64[resamples, agents]: the ratings that each resample of the deals gives, as `fit` would give them.

    All are fitted at once by Newton's method from the ratings of the deals as played, in steps of at most LONGEST_STEP;
    the likelihood is concave, and PRIOR_DRAWS keep its top at finite ratings.
    """
    design = _design(field)
    games = 2.0 * field.deals + PRIOR_DRAWS
    points = 2.0 * field.deals * field.drawn + PRIOR_DRAWS / 2
    strengths = np.tile((fit_shares(field, field.shares) - MEAN_RATING) / ELO, (len(points), 1))
    for _ in range(NEWTON_STEPS):
        expected = expit(strengths @ design.T)
        weights = games * expected * (1 - expected)
        curvature = np.einsum("pi,rp,pj->rij", design, weights, design) + 1 / len(field.agents)  # mean 0 is kept
        slope = (points - games * expected) @ design
        step = np.linalg.solve(curvature, slope[..., None])[..., 0]
        strengths += np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        if np.abs(step).max() < TOLERANCE:
            return np.asarray(ELO * (strengths - strengths.mean(axis=1, keepdims=True)) + MEAN_RATING)
    raise ArithmeticError(f"the Bradley-Terry fits of the resamples did not settle in {NEWTON_STEPS} steps")


def _design(field: Field) -> np.ndarray:
    """float64[pairs, agents]: 1 for the first agent of each pair and -1 for the second."""
    design = np.zeros((len(field.pairs), len(field.agents)))
    pairs = np.arange(len(field.pairs))
    design[pairs, field.places[:, 0]], design[pairs, field.places[:, 1]] = 1, -1
    return design


def rating_table(deals: pd.DataFrame, field: Field, spread: np.ndarray) -> pd.DataFrame:
    """The table of `ratings` from the field of the same deals and its `resampled_ratings`."""
    low, high = np.quantile(spread, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    table = _records(deals, field.agents)
    table.insert(1, "rating", fit_shares(field, field.shares))
    table.insert(2, "low", low)
    table.insert(3, "high", high)
    table = table.sort_values(["rating", "agent"], ascending=[False, True], ignore_index=True)
    table.insert(0, "rank", range(1, len(table) + 1))
    return table


def fit_shares(field: Field, shares: np.ndarray) -> np.ndarray:
    games = 2.0 * field.deals
    return fit(len(field.agents), field.places, shares * games, games)


def fit(count: int, places: np.ndarray, points: np.ndarray, games: np.ndarray) -> np.ndarray:
    """Maximum-likelihood ratings float64[count] with mean MEAN_RATING.

    `places` int[pairs, 2] are the agents of each pair, `points` what the first of them scored in `games` games.
    """
    pairs = len(places)
    winners = np.repeat([evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw], pairs)
    result = evalica.bradley_terry(
        xs=np.tile(places[:, 0], 3).tolist(),
        ys=np.tile(places[:, 1], 3).tolist(),
        winners=[evalica.Winner(winner) for winner in winners],
        index=pd.RangeIndex(count),
        weights=np.concatenate([points, games - points, np.full(pairs, PRIOR_DRAWS)]).tolist(),
        tolerance=TOLERANCE,
        limit=ITERATIONS,
    )
    if result.iterations >= ITERATIONS:
        raise ArithmeticError(f"the Bradley-Terry fit did not settle in {ITERATIONS} iterations")
    elo = ELO * np.log(result.scores.sort_index().to_numpy())
    return np.asarray(elo - elo.mean() + MEAN_RATING)


def separation(deals: pd.DataFrame) -> str:
    """Which agents never dropped a point to the rest, or an empty string.

    There the likelihood alone would put the gap at infinity: the prior decides it, and it is a lower bound.
    """
    agents = agents_of(deals)
    totals = deals.groupby(["first", "second"])["score"].agg(["min", "max"])
    gained = {pair for pair, most in totals["max"].items() if most > 0}
    gained |= {(second, first) for (first, second), least in totals["min"].items() if least < 1}
    reach = _reachable(agents, gained)
    tops = {tuple(sorted(b for b in agents if (a, b) in reach and (b, a) in reach)) for a in agents}
    if len(tops) < 2:
        return ""
    ordered = sorted(tops, key=lambda group: (-sum((group[0], b) in reach for b in agents), group))
    chain = " > ".join(", ".join(group) for group in ordered)
    return f"one side scored every point between these groups, so the gap between them is only a lower bound: {chain}"


def _reachable(agents: list[str], edges: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The transitive and reflexive closure of `edges`."""
    closed = edges | {(agent, agent) for agent in agents}
    for middle, start, end in itertools.product(agents, repeat=3):
        if (start, middle) in closed and (middle, end) in closed:
            closed.add((start, end))
    return closed


def _islands(agents: list[str], met: set[tuple[str, str]]) -> list[list[str]]:
    """Groups of agents linked by the pairs that met."""
    linked = _reachable(agents, met | {(second, first) for first, second in met})
    return sorted(map(list, {tuple(b for b in agents if (a, b) in linked) for a in agents}))


def _records(deals: pd.DataFrame, agents: list[str]) -> pd.DataFrame:
    """agent, deals, games, wins, draws, losses over all its games, in the order of `agents`."""
    mine = deals[["first", "second"]].assign(deals=counts_of(deals), games=2 * counts_of(deals))
    mine = mine.assign(**{k: deals[k] * counts_of(deals) for k in ("wins", "draws", "losses")})
    other = mine.rename(columns={"first": "second", "second": "first", "wins": "losses", "losses": "wins"})
    sides = pd.concat([mine, other]).groupby("first")
    table = sides[["deals", "games", "wins", "draws", "losses"]].sum().astype(int).reindex(agents)
    return table.rename_axis("agent").reset_index()
