"""Deals that came out alike are counted instead of listed, so that tables need no memory for each game.

Whatever the tables say depends on how often each thing happened in a deal: who sat where with which deck, who won and
why. Of all deals alike in that one stands for the others, its rows with the column `count`. Such a frame is used like
the rows of a run, of which every deal stands for itself.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

COUNT = "count"
"""The column that says for how many deals alike a line stands."""

ARM = ["variant", "matchup"]
"""Whose deals are numbered together."""

_GAME = ["seat0", "seat1", "deck0", "deck1", "winner", "reason"]
"""In what the games of deals must be alike."""


class DealValues(NamedTuple):
    """What deals are worth one by one, whatever their order: `counts[i]` of them are worth `values[i]`."""

    values: np.ndarray
    """float64[n], ascending and all different"""
    counts: np.ndarray
    """int64[n], none of them 0"""

    @property
    def deals(self) -> int:
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        return float((self.values * self.counts).sum() / self.deals) if self.deals else float("nan")


NO_DEALS = DealValues(np.zeros(0), np.zeros(0, np.int64))


def counts_of(frame: pd.DataFrame) -> pd.Series:
    """For how many deals each line stands: the column `count`, and 1 where there is none."""
    return frame[COUNT] if COUNT in frame else pd.Series(1, index=frame.index, dtype=np.int64, name=COUNT)


def deal_values(values: pd.Series | np.ndarray, counts: pd.Series | np.ndarray) -> DealValues:
    """The different values, where `counts[i]` deals are worth `values[i]`, in any order."""
    different, place = np.unique(np.asarray(values, float), return_inverse=True)
    return DealValues(different, _summed(place, np.asarray(counts), len(different)))


def kinds_of_deals(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of the first deal of every kind, with `count`, in the order of `rows`; these may have counts already.

    All games of a deal must be among the rows. Texts may be categories; in the result they are not. Decisions are
    left out, of which nearly every game may have another number.
    """
    deal, first = _numbered(rows, [*ARM, "deal"])
    kind = _kinds(rows, deal, first)
    _, shown, kind = np.unique(kind, return_index=True, return_inverse=True)
    counts = _summed(kind, counts_of(rows).to_numpy()[first], len(shown))
    kept = rows[np.isin(deal, shown)].drop(columns=["decisions"], errors="ignore")
    kept = with_plain_texts(kept)
    kept[COUNT] = counts[kind[deal[np.isin(deal, shown)]]]
    return kept.reset_index(drop=True)


def _numbered(rows: pd.DataFrame, columns: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
    """int64[rows]: which of the different values of `columns`, sorted, each row has; int64[values]: a row of each."""
    known = [name for name in columns if name in rows]
    number = rows.groupby(known, sort=True, observed=True).ngroup().to_numpy()
    return number, np.unique(number, return_index=True)[1]


def _kinds(rows: pd.DataFrame, deal: np.ndarray, first: np.ndarray) -> np.ndarray:
    """int64[deals]: alike where the arm and the games are, in whatever order these were played."""
    kind = _numbered(rows, ARM)[0][first]
    game, games = _numbered(rows, _GAME)
    order = np.lexsort((game, deal))
    sizes = np.bincount(deal)
    starts = np.cumsum(sizes) - sizes
    for place in range(sizes.max(initial=0)):
        there = sizes > place
        code = np.zeros(len(sizes), np.int64)
        code[there] = 1 + game[order[starts[there] + place]]
        kind = np.unique(kind * (1 + len(games)) + code, return_inverse=True)[1]
    return kind


def with_plain_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame without categories."""
    return frame.astype({name: str for name, kind in frame.dtypes.items() if isinstance(kind, pd.CategoricalDtype)})


def _summed(place: np.ndarray, counts: np.ndarray, places: int) -> np.ndarray:
    """int64[places]; exact, as whole numbers of less than 2 ** 53 are floats."""
    return np.bincount(place, weights=counts, minlength=places).astype(np.int64)
