"""All tables of a balance study, and their files."""

from pathlib import Path

import pandas as pd

from duelbench.analysis.causal import CAUSAL_COLUMNS, card_effects, restricted_play, rule_effects
from duelbench.analysis.sweeps import fair_values, sweep_curves
from duelbench.analysis.table_files import write_table
from duelbench.experiments.balance_changes import NEVER_PLAYED
from duelbench.experiments.config import RunConfig
from duelbench.experiments.rows import read_rows

Tables = dict[str, pd.DataFrame]
"""By the names of their files, such as card_effects and fair_values; those without lines are left out."""


def read_balance_rows(folder: Path) -> pd.DataFrame:
    """The rows of a run with what the tables need of them."""
    return read_rows(folder, CAUSAL_COLUMNS)


def balance_tables(rows: pd.DataFrame, config: RunConfig) -> Tables:
    """The tables of a run whose config has a section `balance`."""
    effects = card_effects(rows, config)
    found = {
        "card_effects": effects[effects["change"] != NEVER_PLAYED].reset_index(drop=True),
        "restricted_play": restricted_play(rows, config),
        "rule_effects": rule_effects(rows, config),
        "sweeps": sweep_curves(rows, config),
        "fair_values": fair_values(rows, config),
    }
    return {name: table for name, table in found.items() if len(table)}


def write_balance_tables(folder: Path, tables: Tables) -> list[Path]:
    """Write each table as CSV and Parquet below RUN/tables, whole or not at all; returns the paths of the CSV files."""
    written = [path for name, table in tables.items() for path in write_table(folder, name, table)]
    return [path for path in written if path.suffix == ".csv"]
