"""What each agent scored against each other, with intervals that respect the pairing of games.

A game scores 1 for a win, 1/2 for a draw and 0 for a loss. A deal is played twice with the seats swapped, so
the two games of a deal are not independent: the deal is the unit, and its value the mean score of its two games.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from duelbench.envs.errors import BadInput

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


def interval_of_share(values: np.ndarray) -> Estimate:
    """The mean of per-deal values in [0, 1] with a Wilson score interval at the effective number of games.

    Wilson's interval (1927) stays inside [0, 1] and keeps its width when every deal came out alike. The pairing
    enters through the effective sample size mean * (1 - mean) / variance of the mean, with Student's t in place of
    the normal quantile (Korn & Graubard 1998; compared with its rivals in Franco, Little, Louis & Slud 2019).
    """
    deals = len(values)
    mean = float(np.mean(values)) if deals else NAN
    if deals < MIN_DEALS:
        return Estimate(mean, NAN, NAN, deals, too_few(deals))
    size = _effective_size(values, mean)
    t = float(stdtrit(deals - 1, (1 + LEVEL) / 2))
    shrink = 1 + t**2 / size
    centre = (mean + t**2 / (2 * size)) / shrink
    half = t / shrink * np.sqrt(mean * (1 - mean) / size + t**2 / (4 * size**2))
    # The estimate lies inside by algebra; rounding alone may put a bound a hair past it.
    return Estimate(mean, max(0.0, min(centre - half, mean)), min(1.0, max(centre + half, mean)), deals)


def _effective_size(values: np.ndarray, mean: float) -> float:
    """How many independent games the deals are worth, never less than one a deal.

    Deals that all came out alike have no variance to estimate from. They are given the one they would have had if
    one deal had been won twice and another lost twice, so that the interval is narrow but not a point.
    """
    deals = len(values)
    variance = float(np.var(values, ddof=1))
    if np.ptp(values) == 0:
        variance = (mean**2 + (1 - mean) ** 2) / deals
    return max(float(deals), mean * (1 - mean) * deals / variance)


def interval_of_mean(values: np.ndarray) -> Estimate:
    """The mean of per-deal values of any size (say, decisions) with Student's t interval over deals."""
    deals = len(values)
    mean = float(np.mean(values)) if deals else NAN
    if deals < MIN_DEALS:
        return Estimate(mean, NAN, NAN, deals, too_few(deals))
    half = float(stdtrit(deals - 1, (1 + LEVEL) / 2) * np.std(values, ddof=1) / np.sqrt(deals))
    return Estimate(mean, mean - half, mean + half, deals)


def counted(number: int, what: str) -> str:
    """A number of things: 1 deal, 4 deals."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def too_few(deals: int) -> str:
    return f"too few deals for an interval: {deals}, at least {MIN_DEALS} needed"


def seat0_scores(rows: pd.DataFrame) -> pd.Series:
    """Score of seat 0 in every game: 1 won, 1/2 drawn, 0 lost."""
    return rows["winner"].map({0: 1.0, 1: 0.0, -1: 0.5})


def deal_table(rows: pd.DataFrame) -> pd.DataFrame:
    """One row per deal of two different agents, sorted: first, second, deal, score, wins, draws, losses.

    `first` is the agent whose name sorts first; score (the mean of the two games), wins, draws and losses are its
    own. Raises BadInput for a deal that was not played exactly twice with the seats swapped.
    """
    games = rows[rows["seat0"] != rows["seat1"]]
    ahead = games["seat0"] < games["seat1"]
    score = seat0_scores(games).where(ahead, 1 - seat0_scores(games))
    table = pd.DataFrame(
        {
            "first": games["seat0"].where(ahead, games["seat1"]),
            "second": games["seat1"].where(ahead, games["seat0"]),
            "deal": games["deal"],
            "score": score,
            "wins": (score == 1).astype(int),
            "draws": (score == 0.5).astype(int),
            "losses": (score == 0).astype(int),
            "seat0_first": ahead.astype(int),
        }
    )
    grouped = table.groupby(["first", "second", "deal"], sort=True)
    deals = grouped.agg(
        games=("score", "size"),
        swapped=("seat0_first", "sum"),
        score=("score", "mean"),
        wins=("wins", "sum"),
        draws=("draws", "sum"),
        losses=("losses", "sum"),
    ).reset_index()
    _check_pairs(deals)
    return deals.drop(columns=["games", "swapped"])


def _check_pairs(deals: pd.DataFrame) -> None:
    broken = deals[(deals["games"] != 2) | (deals["swapped"] != 1)]
    if len(broken):
        deal = broken.iloc[0]
        raise BadInput(
            f"deal {deal['deal']} of {deal['first']} against {deal['second']} has {deal['games']} games; "
            "every deal needs two, with the seats swapped"
        )


def payoffs(deals: pd.DataFrame) -> pd.DataFrame:
    """Score of every agent against every opponent it met, from `deal_table`.

    Columns: agent, opponent, score, low, high, deals, games, wins, draws, losses, note. Both directions of a
    matchup are there, and each mirrors the other exactly.
    """
    lines = []
    for (first, second), group in deals.groupby(["first", "second"], sort=True):
        estimate = interval_of_share(group["score"].to_numpy())
        lines += _both_ways(first, second, estimate, *(int(group[k].sum()) for k in ("wins", "draws", "losses")))
    columns = ["agent", "opponent", "score", "low", "high", "deals", "games", "wins", "draws", "losses", "note"]
    return pd.DataFrame(lines, columns=columns).sort_values(["agent", "opponent"], ignore_index=True)


def _both_ways(first: str, second: str, mine: Estimate, wins: int, draws: int, losses: int) -> list[tuple]:
    played = (mine.deals, wins + draws + losses)
    return [
        (first, second, mine.value, mine.low, mine.high, *played, wins, draws, losses, mine.note),
        (second, first, 1 - mine.value, 1 - mine.high, 1 - mine.low, *played, losses, draws, wins, mine.note),
    ]


def payoff_matrix(
    table: pd.DataFrame, order: list[str], column: str = "score", sides: tuple[str, str] = ("agent", "opponent")
) -> pd.DataFrame:
    """`column` of the payoff table as a square: the row's agent against the column's, NaN where they never met.

    `sides` are the columns that hold the two names.
    """
    square = table.pivot(index=sides[0], columns=sides[1], values=column)
    return square.reindex(index=order, columns=order)
