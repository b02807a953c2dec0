"""What each deck scored against each other deck, and how the decks rank.

Where an agent met itself, its two games of a deal are alike but for the decks, which swap the seats: those games alone
are compared, agent by agent. Otherwise all games between different decks are taken together; there the decks stay on
their seats while the agents swap them, and every two decks lie either way round in as many deals, give or take one.

The deal is the unit in both cases, its value the mean score of a deck in its two games.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from duelbench.analysis.deal_kinds import COUNT, NO_DEALS, DealValues, counts_of, deal_values
from duelbench.analysis.payoffs import seat0_scores
from duelbench.analysis.significance import FDR, adjusted, sign_flip_p
from duelbench.envs.errors import BadInput
from duelbench.experiments.estimates import MIN_DEALS, counted, interval_of_share

ALL_AGENTS = "all agents"
"""Stands for the agent where the games of all are taken together; no agent can be called so."""

NEVER_MET = "met no other deck"

MATRIX_COLUMNS = [
    "agent", "deck", "against", "share", "low", "high", "deals", "games", "note", "adjusted_p", "better"
]  # fmt: skip
RANKING_COLUMNS = [
    "agent", "rank", "deck", "share", "low", "high", "beats", "beats_surely", "others", "deals", "games", "note"
]  # fmt: skip

DecksOfAgent = tuple[str, pd.DataFrame, pd.DataFrame]
"""An agent, or ALL_AGENTS, with its lines of `deck_ranking` and of `deck_matrix`."""

_PAIR = ["agent", "first", "second"]


def compares_decks(rows: pd.DataFrame) -> pd.Series:
    """Which rows are games of an agent against itself."""
    return rows["seat0"] == rows["seat1"]


def deck_deals(rows: pd.DataFrame) -> pd.DataFrame:
    """One line per deal of two different decks, sorted: agent, first, second, matchup, deal, share, count.

    `first` is the deck whose name sorts first, `share` its score in both games, the mean, in each of `count` deals,
    which is 1 unless the rows are `deal_kinds.kinds_of_deals`. There are none in a run without named decks. Raises
    BadInput for a deal that was not played exactly twice, with what should be swapped.
    """
    mirror = bool(compares_decks(rows).any())
    games = rows[compares_decks(rows)] if mirror else rows
    games = games[games["deck0"] != games["deck1"]]
    if games.empty:
        return pd.DataFrame(columns=[*_PAIR, "matchup", "deal", "share", COUNT])
    ahead = games["deck0"] < games["deck1"]
    score = seat0_scores(games)
    table = pd.DataFrame(
        {
            "agent": games["seat0"] if mirror else ALL_AGENTS,
            "first": games["deck0"].where(ahead, games["deck1"]),
            "second": games["deck1"].where(ahead, games["deck0"]),
            "matchup": games["matchup"],
            "deal": games["deal"],
            "share": score.where(ahead, 1 - score),
            "arrangement": ahead if mirror else games["seat0"],  # what the other game of the deal has otherwise
            COUNT: counts_of(games),
        }
    )
    grouped = table.groupby([*_PAIR, "matchup", "deal"], sort=True)
    deals = grouped.agg(
        games=("share", "size"),
        arrangements=("arrangement", "nunique"),
        share=("share", "mean"),
        count=(COUNT, "first"),
    ).reset_index()
    _check_pairs(deals, "decks" if mirror else "seats")
    return deals.drop(columns=["games", "arrangements"])


def _check_pairs(deals: pd.DataFrame, swapped: str) -> None:
    broken = deals[(deals["games"] != 2) | (deals["arrangements"] != 2)]
    if len(broken):
        deal = broken.iloc[0]
        decks = f"{deal['first']} and {deal['second']}"
        raise BadInput(
            f"deal {deal['deal']} of {deal['matchup']} with the decks {decks} has {deal['games']} games; "
            f"every deal needs two, with the {swapped} swapped"
        )


def deck_matrix(rows: pd.DataFrame) -> pd.DataFrame:
    """The share of points of every deck against every other, with MATRIX_COLUMNS, both directions of a pair.

    `agent` is the one that played both sides, or ALL_AGENTS; without lines in a run without named decks. `adjusted_p`
    is that of `significance.sign_flip_p`, adjusted over all pairs of decks of the agent, and NaN where there are too
    few deals; `better` says where it is below FDR and the deck is the one ahead.
    """
    lines: list[tuple] = []
    for agent, deals in deck_deals(rows).groupby("agent", sort=True):
        pairs = [(pair, _values(group)) for pair, group in deals.groupby(["first", "second"], sort=True)]
        p = [sign_flip_p(s.values - 0.5, s.counts) if s.deals >= MIN_DEALS else np.nan for _, s in pairs]
        for ((first, second), shares), q in zip(pairs, adjusted(np.array(p)), strict=True):
            e = interval_of_share(*shares)
            tail = (e.deals, 2 * e.deals, e.note, q)
            ahead, behind = (bool(q < FDR and side * e.value > side * 0.5) for side in (1, -1))
            lines.append((agent, first, second, e.value, e.low, e.high, *tail, ahead))
            lines.append((agent, second, first, 1 - e.value, 1 - e.high, 1 - e.low, *tail, behind))
    return pd.DataFrame(lines, columns=MATRIX_COLUMNS).sort_values(["agent", "deck", "against"], ignore_index=True)


def deck_ranking(rows: pd.DataFrame, decks: Iterable[str] | None = None) -> pd.DataFrame:
    """The decks, best first by their mean share against all others, with RANKING_COLUMNS, agent by agent.

    Of the `others` that a deck met it `beats` those from which it took more than half of the points, and
    `beats_surely` those where it is `better` in `deck_matrix`, so that few of all such claims are mistaken. `decks` are
    the names of the run's decks (None: those in the rows); the ones that met no other come last, without a share.
    """
    matrix, values = deck_matrix(rows), _values_of_decks(deck_deals(rows))
    names = {*rows["deck0"], *rows["deck1"]} | set(decks or ())
    lines = []
    for agent in _compared_by(matrix) if len(names) > 1 else ():
        for deck in names:
            against = matrix[(matrix["agent"] == agent) & (matrix["deck"] == deck)]
            e = interval_of_share(*values.get((agent, deck), NO_DEALS))
            beaten = (int((against["share"] > 0.5).sum()), int(against["better"].sum()), len(against))
            note = e.note if e.deals else NEVER_MET
            lines.append((agent, 0, deck, e.value, e.low, e.high, *beaten, e.deals, 2 * e.deals, note))
    table = pd.DataFrame(lines, columns=RANKING_COLUMNS)
    table = table.sort_values(["agent", "share", "deck"], ascending=[True, False, True], ignore_index=True)
    table["rank"] = table.groupby("agent").cumcount() + 1
    return table


def _compared_by(matrix: pd.DataFrame) -> list[str]:
    return sorted(set(matrix["agent"])) or [ALL_AGENTS]


def _values_of_decks(deals: pd.DataFrame) -> dict[tuple[str, str], DealValues]:
    """By (agent, deck) its share in each of its deals, whatever the other deck."""
    other = deals.assign(first=deals["second"], second=deals["first"], share=1 - deals["share"])
    both = pd.concat([deals, other])
    return {(str(agent), str(deck)): _values(group) for (agent, deck), group in both.groupby(["agent", "first"])}


def _values(deals: pd.DataFrame) -> DealValues:
    return deal_values(deals["share"], counts_of(deals))


def deck_notes(ranking: pd.DataFrame, matrix: pd.DataFrame) -> list[str]:
    """What a reader must know beside `deck_ranking` and `deck_matrix`: how far they are from a clean comparison."""
    notes = []
    if (ranking["agent"] == ALL_AGENTS).any():
        notes.append(
            "decks are compared over the games of different agents, whose strengths blur the differences; "
            "an agent against itself compares decks alone (matchups: [[name, name]])"
        )
    for agent, decks, lines in by_agent(ranking, matrix):
        pairs = len(decks) * (len(decks) - 1) // 2
        few = pairs - int((lines["note"] == "").sum()) // 2
        if few:
            enough = "more deals" if agent == ALL_AGENTS else f"{MIN_DEALS * pairs} deals a matchup"
            who = "" if agent == ALL_AGENTS else f" ({agent} against itself)"
            told = f"too few deals for an interval: {few} of {counted(pairs, 'pair')} of decks"
            notes.append(f"{told}{who}; {enough} would do")
        if lines["deals"].nunique() > 1:
            all_pairs = len(decks) ** 2 if agent == ALL_AGENTS else pairs
            told = "decks met unequally often, so their shares are not against the same opponents"
            notes.append(f"{told}; deals in multiples of {all_pairs} a matchup make them equal")
    return notes


def by_agent(ranking: pd.DataFrame, matrix: pd.DataFrame) -> list[DecksOfAgent]:
    """`deck_ranking` and `deck_matrix` taken apart: a comparison of decks for each agent that made one."""
    return [(str(agent), lines, matrix[matrix["agent"] == agent]) for agent, lines in ranking.groupby("agent")]


def deals_a_pair(ranking: pd.DataFrame, matrix: pd.DataFrame) -> str:
    """How many deals the decks of one agent had with each other, or the least and the most."""
    all_met = len(matrix) == len(ranking) * (len(ranking) - 1)
    least, most = int(matrix["deals"].min()) if all_met else 0, int(max(matrix["deals"], default=0))
    return counted(most, "deal") if least == most else f"{least} to {most} deals"


def how_compared(agent: str) -> str:
    """Whose games a comparison is made from."""
    if agent == ALL_AGENTS:
        return "all games between different decks, whoever played them"
    return f"{agent} against itself, the decks swapped between the two games of a deal"


def beaten(line: Any) -> str:
    """How many decks the one of a line of `deck_ranking` beats."""
    return f"{line.beats} of {line.others}, {line.beats_surely} surely"
