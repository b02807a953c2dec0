"""What the games of a run came to, read part by part: the memory it takes does not grow with the games."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from duelbench.analysis.deal_kinds import ARM, COUNT, counts_of, kinds_of_deals, with_plain_texts
from duelbench.experiments.rows import read_batches, read_rows

ROW_COLUMNS = [
    "game", "matchup", "deal", "seat0", "seat1", "deck0", "deck1", "variant", "winner", "reason", "decisions"
]  # fmt: skip
"""What the tables are made from; the action lists stay on the disk."""

BATCH = 250_000
"""So many games, or one part file if it has more, are in memory at a time."""


@dataclass(frozen=True)
class Results:
    """The games of a run, in frames that tell nothing of single games unless deals are compared between variants."""

    rows: pd.DataFrame
    """rows with ROW_COLUMNS, or `deal_kinds.kinds_of_deals` of them"""
    lengths: pd.DataFrame
    """variant, matchup, decisions (mean of the games of a deal), count (of such deals)"""
    decisions: pd.DataFrame
    """variant, matchup, decisions, count (of games that took so many)"""

    def of(self, variants: Collection[str]) -> "Results":
        """The results of these variants alone; all of them where the rows know no variants."""
        if "variant" not in self.rows:
            return self
        frames = (self.rows, self.lengths, self.decisions)
        return Results(*(frame[frame["variant"].isin(variants)] for frame in frames))


def results_of(rows: pd.DataFrame) -> Results:
    """The results of these rows, in whatever order they come; all games of a deal must be among them."""
    arm = [name for name in ARM if name in rows]
    deals = rows.groupby([*arm, "deal"], observed=True)["decisions"].mean().reset_index()
    return Results(rows, _added([deals]), _added([rows[[*arm, "decisions"]]]))


def _added(frames: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """How often each line occurs, from several frames of such lines with or without a count."""
    lines = pd.concat([with_plain_texts(_counted(frame)) for frame in frames], ignore_index=True)
    return _counted(lines)


def _counted(frame: pd.DataFrame) -> pd.DataFrame:
    keys = [name for name in (*ARM, "decisions") if name in frame]
    return frame.assign(**{COUNT: counts_of(frame)}).groupby(keys, observed=True)[COUNT].sum().reset_index()


def read_results(folder: Path) -> Results:
    """The results of the run in `folder`. Raises BadInput where there are no rows or they cannot be read.

    All rows are kept where there are several variants, whose deals are compared one by one, and where the games of a
    deal do not stand together.
    """
    found: Results | None = None
    last_deals: dict[str, int] = {}
    for rows in read_batches(folder, ROW_COLUMNS, BATCH):
        if not _one_variant_in_order(rows, found, last_deals):
            return results_of(read_rows(folder, ROW_COLUMNS))
        found = _together(found, results_of(rows))
    assert found is not None, "a run without rows is refused"
    return found


def _one_variant_in_order(rows: pd.DataFrame, before: Results | None, last_deals: dict[str, int]) -> bool:
    """Whether the rows are of the same variant as those before, and all their deals come after those of these.

    `last_deals` by matchup are brought up to date.
    """
    known = set() if before is None else set(before.rows["variant"])
    if len(known | set(rows["variant"].unique())) > 1:
        return False
    deals = rows.groupby("matchup", observed=True)["deal"].agg(["min", "max"])
    if any(first <= last_deals.get(matchup, -1) for matchup, first in deals["min"].items()):
        return False
    last_deals |= deals["max"].to_dict()
    return True


def _together(before: Results | None, more: Results) -> Results:
    kinds = kinds_of_deals(more.rows)
    if before is None:
        return Results(kinds, more.lengths, more.decisions)
    return Results(
        kinds_of_deals(pd.concat([before.rows, kinds], ignore_index=True)),
        _added([before.lengths, more.lengths]),
        _added([before.decisions, more.decisions]),
    )
