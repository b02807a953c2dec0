"""The tables of a run as files for other programs: RUN/tables/NAME.csv and NAME.parquet."""

from pathlib import Path

import pandas as pd

from duelbench.envs.errors import BadInput
from duelbench.experiments.atomic import make_folder, write_bytes

FOLDER = "tables"


def csv_text(frame: pd.DataFrame) -> str:
    """A table as CSV: six digits, lines that end with a line feed."""
    return str(frame.to_csv(index=False, float_format="%.6g", lineterminator="\n"))


def write_table(run_folder: Path, name: str, frame: pd.DataFrame) -> list[Path]:
    """Write the table as CSV and as Parquet, which keeps all digits, each whole or not at all; returns the paths."""
    folder = run_folder / FOLDER
    make_folder(folder)
    files = {
        folder / f"{name}.csv": csv_text(frame).encode(),
        folder / f"{name}.parquet": frame.to_parquet(index=False),
    }
    for path, data in files.items():
        write_bytes(path, data)
    return list(files)


def stored_tables(run_folder: Path) -> dict[str, pd.DataFrame]:
    """The Parquet files in RUN/tables by their names; BadInput for one that cannot be read."""
    return {path.stem: _read(path) for path in sorted((run_folder / FOLDER).glob("*.parquet"))}


def _read(path: Path) -> pd.DataFrame:
    try:
        return pd.read_parquet(path)
    except (OSError, ValueError) as error:  # pyarrow's errors are of these kinds
        told = " ".join(str(error).split())
        raise BadInput(f"{path}: cannot be read: {told}. Delete it; the command that wrote it does so again") from None
