"""Sections from tables that other commands left in a run folder: nothing is computed for them again."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from duelbench.analysis.report.columns import Cards
from duelbench.analysis.report.content import Section
from duelbench.analysis.report.sections.effects import effects
from duelbench.analysis.report.sections.sweeps import sweeps
from duelbench.envs.errors import BadInput

FOLDER = "tables"
EFFECTS = {"card_effects": "Effects of cards", "restricted_play": "Cards that their holder may not play"}
"""Tables of effects by the names of their files, with the titles of their sections."""


def stored_tables(run_folder: Path) -> dict[str, pd.DataFrame]:
    """The Parquet files in RUN/tables by their names; BadInput for one that cannot be read."""
    return {path.stem: _read(path) for path in sorted((run_folder / FOLDER).glob("*.parquet"))}


def stored_sections(tables: dict[str, pd.DataFrame], cards: Cards, behind: str) -> Iterator[Section]:
    """A section for each kind of table that is known, of those of `stored_tables`."""
    for name, title in EFFECTS.items():
        if name in tables:
            yield effects(tables[name], cards, behind, name, title)
    if "sweeps" in tables:
        fair = tables.get("fair_values", pd.DataFrame(columns=["card", "field"]))
        yield sweeps(tables["sweeps"], fair, cards, behind)


def _read(path: Path) -> pd.DataFrame:
    try:
        return pd.read_parquet(path)
    except (OSError, ValueError) as error:  # pyarrow's errors are of these kinds
        told = " ".join(str(error).split())
        raise BadInput(f"{path}: cannot be read: {told}. Delete it; the command that wrote it does so again") from None
