"""The tables of a report as files for other programs: RUN/tables/NAME.csv and NAME.parquet."""

import io
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from duelbench.analysis.report.content import Table
from duelbench.analysis.report.table_html import csv_text
from duelbench.experiments.atomic import make_folder, write_bytes

FOLDER = "tables"


def write_exports(run_folder: Path, tables: Iterable[Table]) -> list[Path]:
    """Write every table below the run folder's `tables/`, each file whole or not at all; returns their paths.

    CSV has six digits, Parquet all of them. Other files there are left alone.
    """
    folder = run_folder / FOLDER
    make_folder(folder)
    written = []
    for table in tables:
        for ending, data in ((".csv", csv_text(table.frame).encode()), (".parquet", _parquet(table.frame))):
            written.append(folder / f"{table.name}{ending}")
            write_bytes(written[-1], data)
    return written


def _parquet(frame: pd.DataFrame) -> bytes:
    sink = io.BytesIO()
    frame.to_parquet(sink, index=False)
    return sink.getvalue()
