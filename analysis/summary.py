"""Everything a run's rows say, as tables: payoffs, ratings, decks, seats, lengths and endings."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from duelbench.analysis import decks as dk
from duelbench.analysis import payoffs as pay
from duelbench.analysis import ratings as rate
from duelbench.experiments.atomic import write_bytes
from duelbench.experiments.estimates import Estimate, interval_of_mean, interval_of_share
from duelbench.experiments.rows import read_rows

RATING_COLUMNS = ["rank", "agent", "rating", "low", "high", "deals", "games", "wins", "draws", "losses"]

ROW_COLUMNS = ["game", "matchup", "deal", "seat0", "seat1", "deck0", "deck1", "winner", "reason", "decisions"]
"""What the tables are made from; the action lists stay on the disk."""

_SEES = "sees the hidden cards: a yardstick, which has no rating"
_NO_AGENTS_MET = "no ratings: agents met only themselves, which compares decks and not agents"


@dataclass(frozen=True)
class Summary:
    """The tables of one run. `notes` are the refusals and cautions a reader must see beside them."""

    deals: pd.DataFrame
    """`payoffs.deal_table`"""
    payoffs: pd.DataFrame
    """`payoffs.payoffs`"""
    ratings: pd.DataFrame
    """`ratings.ratings`; without lines where ratings are refused"""
    notes: tuple[str, ...]
    seats: pd.DataFrame
    """share of points for seat 0: matchup ("all" first), share, low, high, deals, note"""
    lengths: pd.DataFrame
    """decisions a game: matchup ("all" first), mean, low, high, shortest, median, longest, deals, note"""
    endings: pd.DataFrame
    """how games ended: reason, games, share, low, high, deals, note"""
    drawn: Estimate
    """share of games drawn"""
    decks: pd.DataFrame
    """`decks.deck_ranking`; without lines, as the next, in a run without named decks"""
    deck_matrix: pd.DataFrame
    """`decks.deck_matrix`"""
    deck_notes: tuple[str, ...]
    """what a reader must see beside the tables of decks"""
    unrated: tuple[str, ...] = ()
    """agents that see everything, by name: they are in all tables but the ratings"""

    @property
    def agents(self) -> list[str]:
        """Best first where there are ratings, and then those without; else by name."""
        return [*self.ratings["agent"], *sorted(set(self.payoffs["agent"]) - set(self.ratings["agent"]))]


def read_results(folder: Path) -> pd.DataFrame:
    """The rows of a run, with ROW_COLUMNS. Raises BadInput where there are none or they cannot be read."""
    return read_rows(folder, ROW_COLUMNS)


def summarise(rows: pd.DataFrame, decks: Iterable[str] | None = None, open_to: Iterable[str] = ()) -> Summary:
    """The tables for a run's rows (`experiments.rows.read_rows`), in whatever order these come.

    `decks` are the names of the run's decks, as some may not have been played; None: those in the rows. `open_to` are
    the agents that the hidden cards were open to, which have no ratings.
    """
    deals = pay.deal_table(rows)
    ranking, matrix = dk.deck_ranking(rows, decks), dk.deck_matrix(rows)
    unrated = sorted(set(open_to) & (set(deals["first"]) | set(deals["second"])))
    rated = rate.rated(deals, unrated)
    refused = _NO_AGENTS_MET if deals.empty and len(matrix) else rate.refusal(rated)
    notes = [refused or rate.separation(rated), *(f"{agent} {_SEES}" for agent in unrated)]
    return Summary(
        deals=deals,
        payoffs=pay.payoffs(deals),
        ratings=pd.DataFrame(columns=RATING_COLUMNS) if refused else rate.ratings(rated),
        notes=tuple(note for note in notes if note),
        seats=seat_advantage(rows),
        lengths=game_lengths(rows),
        endings=endings(rows),
        drawn=interval_of_share(_per_deal(rows, rows["winner"] == -1)),
        decks=ranking,
        deck_matrix=matrix,
        deck_notes=tuple(dk.deck_notes(ranking, matrix)),
        unrated=tuple(unrated),
    )


def write_tables(folder: Path, summary: Summary) -> list[Path]:
    """Write the tables as CSV files into the run folder, each whole or not at all; returns their paths.

    They are payoffs.csv and ratings.csv, and with named decks decks.csv and deck_matrix.csv.
    """
    files = {"payoffs.csv": summary.payoffs, "ratings.csv": summary.ratings}
    if len(summary.decks):
        files |= {"decks.csv": summary.decks, "deck_matrix.csv": summary.deck_matrix}
    for name, table in files.items():
        write_bytes(folder / name, table.to_csv(index=False, float_format="%.6g", lineterminator="\n").encode())
    return [folder / name for name in files]


def seat_advantage(rows: pd.DataFrame) -> pd.DataFrame:
    """What seat 0 scored, over all games and in each matchup; as seats are swapped, 50% is no advantage."""
    scores = pay.seat0_scores(rows)
    lines = [(name, interval_of_share(_per_deal(part, scores[part.index]))) for name, part in _parts(rows)]
    return pd.DataFrame(
        [(name, e.value, e.low, e.high, e.deals, e.note) for name, e in lines],
        columns=["matchup", "share", "low", "high", "deals", "note"],
    )


def game_lengths(rows: pd.DataFrame) -> pd.DataFrame:
    """Decisions in a game, over all games and in each matchup."""
    lines = []
    for name, part in _parts(rows):
        length = part["decisions"]
        e = interval_of_mean(_per_deal(part, length))
        spread = (int(length.min()), float(length.median()), int(length.max()))
        lines.append((name, e.value, e.low, e.high, *spread, e.deals, e.note))
    columns = ["matchup", "mean", "low", "high", "shortest", "median", "longest", "deals", "note"]
    return pd.DataFrame(lines, columns=columns)


def endings(rows: pd.DataFrame) -> pd.DataFrame:
    """How games ended, the commonest first."""
    lines = []
    for reason, games in rows["reason"].value_counts().items():
        e = interval_of_share(_per_deal(rows, rows["reason"] == reason))
        lines.append((str(reason), int(games), e.value, e.low, e.high, e.deals, e.note))
    table = pd.DataFrame(lines, columns=["reason", "games", "share", "low", "high", "deals", "note"])
    return table.sort_values(["games", "reason"], ascending=[False, True], ignore_index=True)


def _parts(rows: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    return [("all", rows), *((str(name), part) for name, part in rows.groupby("matchup", sort=True))]


def _per_deal(rows: pd.DataFrame, values: pd.Series) -> np.ndarray:
    """The mean of `values` (one a game) in every deal."""
    keys = [rows["matchup"], rows["deal"]]
    return np.asarray(values.astype(float).groupby(keys, sort=True).mean())
