"""What each agent scored against each other, with intervals that respect the pairing of games.

A game scores 1 for a win, 1/2 for a draw and 0 for a loss. A deal is played twice with the seats swapped, so
the two games of a deal are not independent: the deal is the unit, and its value the mean score of its two games.
"""

from typing import cast

import pandas as pd

from duelbench.analysis.deal_kinds import COUNT, counts_of
from duelbench.envs.errors import BadInput
from duelbench.experiments.estimates import Estimate, interval_of_share
from duelbench.experiments.variants import AS_CONFIGURED


def variants_of(rows: pd.DataFrame) -> list[str]:
    """The variants of the game in the rows: the game as the config has it first, then in the order of their games.

    Rows without the column are all of the game as the config has it.
    """
    if "variant" not in rows:
        return [AS_CONFIGURED]
    first_games = rows.groupby("variant")["game"].min()
    return sorted(first_games.index, key=lambda variant: (variant != AS_CONFIGURED, first_games[variant], variant))


def of_variant(rows: pd.DataFrame, variant: str) -> pd.DataFrame:
    """The rows of one variant: all deals of a table must be of one, as a deal is played in each."""
    return cast(pd.DataFrame, rows[rows["variant"] == variant]) if "variant" in rows else rows


def deal_keys(rows: pd.DataFrame) -> list[pd.Series]:
    """What tells the deals of one variant apart, to group by."""
    return [rows["matchup"], rows["deal"]]


def seat0_scores(rows: pd.DataFrame) -> pd.Series:
    """Score of seat 0 in every game: 1 won, 1/2 drawn, 0 lost."""
    return rows["winner"].map({0: 1.0, 1: 0.0, -1: 0.5})


def deal_table(rows: pd.DataFrame) -> pd.DataFrame:
    """One line per deal of two different agents, sorted: first, second, deal, score, wins, draws, losses, count.

    `first` is the agent whose name sorts first; score (the mean of the two games), wins, draws and losses are its
    own in each of `count` deals, which is 1 unless the rows are `deal_kinds.kinds_of_deals`. Raises BadInput for a deal
    that was not played exactly twice with the seats swapped, and for rows of more than one variant (`of_variant`).
    """
    if len(found := variants_of(rows)) > 1:
        raise BadInput(f"results of several variants cannot be one table: {', '.join(map(repr, found))}")
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
            COUNT: counts_of(games),
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
        count=(COUNT, "first"),
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
        counts = counts_of(group)
        estimate = interval_of_share(group["score"].to_numpy(), counts.to_numpy())
        games = (int((counts * group[k]).sum()) for k in ("wins", "draws", "losses"))
        lines += _both_ways(first, second, estimate, *games)
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
