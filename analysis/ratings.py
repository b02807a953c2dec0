"""Bradley-Terry ratings of the agents, with intervals from a bootstrap over deals.

The model (Bradley & Terry 1952) says that a beats b with odds 10 ** ((rating a - rating b) / 400), the scale of
Elo; a drawn game counts as half a win for either. It is fitted by maximum likelihood (evalica, Newman's 2023
iteration), so unlike Elo's updates it does not depend on the order of games.
"""

import itertools
from collections.abc import Collection

import evalica
import numpy as np
import pandas as pd

from duelbench.experiments.estimates import LEVEL, MIN_DEALS, counted

MEAN_RATING = 1000.0
"""The mean of all agents' ratings; only differences mean anything."""

PRIOR_DRAWS = 1.0
"""Made-up drawn games between any two agents that met: half a win for either, which keeps ratings finite."""

RESAMPLES = 1000
"""Size of the bootstrap."""

BOOTSTRAP_SEED = 1952
TOLERANCE, ITERATIONS = 1e-9, 100_000


def rated(deals: pd.DataFrame, unrated: Collection[str]) -> pd.DataFrame:
    """The deals of `payoffs.deal_table` in which none of the agents `unrated` took part."""
    return deals[~(deals["first"].isin(unrated) | deals["second"].isin(unrated))]


def refusal(deals: pd.DataFrame) -> str:
    """Why no ratings can be given for these deals (`payoffs.deal_table`), or an empty string."""
    if deals.empty:
        return "no ratings: no two different agents met"
    for (first, second), group in deals.groupby(["first", "second"], sort=True):
        if len(group) < MIN_DEALS:
            found = counted(len(group), "deal")
            return f"no ratings: {first} against {second} has {found}, at least {MIN_DEALS} needed"
    apart = _islands(_agents(deals), set(zip(deals["first"], deals["second"], strict=True)))
    if len(apart) > 1:
        groups = " | ".join(", ".join(island) for island in apart)
        return f"no ratings: these groups of agents never met each other: {groups}"
    return ""


def ratings(deals: pd.DataFrame, resamples: int = RESAMPLES, seed: int = BOOTSTRAP_SEED) -> pd.DataFrame:
    """The agents, best first, from `payoffs.deal_table`; call `refusal` before.

    Columns: rank, agent, rating, low, high, deals, games, wins, draws, losses. `low` and `high` are percentiles of
    the bootstrap. The same deals in any order give the same table.
    """
    agents = _agents(deals)
    pairs = sorted(set(zip(deals["first"], deals["second"], strict=True)))
    places = np.array([(agents.index(first), agents.index(second)) for first, second in pairs])
    scores = {pair: group.to_numpy() for pair, group in deals.groupby(["first", "second"], sort=True)["score"]}
    played = np.array([2 * len(scores[pair]) for pair in pairs], float)
    points = np.array([2 * scores[pair].sum() for pair in pairs])
    rng = np.random.default_rng(seed)
    drawn = np.stack([_resampled_points(scores[pair], resamples, rng) for pair in pairs], axis=1)
    spread = np.stack([fit(len(agents), places, row, played) for row in drawn])
    low, high = np.quantile(spread, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    table = _records(deals, agents)
    table.insert(1, "rating", fit(len(agents), places, points, played))
    table.insert(2, "low", low)
    table.insert(3, "high", high)
    table = table.sort_values(["rating", "agent"], ascending=[False, True], ignore_index=True)
    table.insert(0, "rank", range(1, len(table) + 1))
    return table


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
    elo = 400 * np.log10(result.scores.sort_index().to_numpy())
    return np.asarray(elo - elo.mean() + MEAN_RATING)


def _resampled_points(scores: np.ndarray, resamples: int, rng: np.random.Generator) -> np.ndarray:
    """float64[resamples]: points of as many deals as there are, drawn from them with replacement.

    Deals that all came out alike would always give the same, as if nothing were uncertain; one deal won and one
    lost are put among them, which leaves about the width of one exception in as many deals.
    """
    pool = np.append(scores, [0.0, 1.0]) if np.ptp(scores) == 0 else scores
    values, counts = np.unique(pool, return_counts=True)
    times = rng.multinomial(len(scores), counts / counts.sum(), size=resamples)
    return np.asarray(2 * times @ values)


def separation(deals: pd.DataFrame) -> str:
    """Which agents never dropped a point to the rest, or an empty string.

    There the likelihood alone would put the gap at infinity: the prior decides it, and it is a lower bound.
    """
    agents = _agents(deals)
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


def _agents(deals: pd.DataFrame) -> list[str]:
    return sorted(set(deals["first"]) | set(deals["second"]))


def _records(deals: pd.DataFrame, agents: list[str]) -> pd.DataFrame:
    """agent, deals, games, wins, draws, losses over all its games, in the order of `agents`."""
    other = deals.rename(columns={"first": "second", "second": "first", "wins": "losses", "losses": "wins"})
    sides = pd.concat([deals, other]).groupby("first")
    table = sides[["wins", "draws", "losses"]].sum().astype(int).reindex(agents)
    table.insert(0, "deals", sides.size())
    table.insert(1, "games", 2 * sides.size())
    return table.rename_axis("agent").reset_index()
