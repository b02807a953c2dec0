"""One row per game, in Parquet: the only thing a run needs to keep."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq

from duelbench.envs.errors import BadInput
from duelbench.experiments.match import GameRow

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = pa.schema(
    [
        ("game", pa.int64()),  # number in the run: matchup by matchup, deal by deal, seat swap by seat swap
        ("matchup", pa.string()),  # "a vs b"
        ("deal", pa.int32()),  # number of the deal within the matchup
        ("deal_seed", pa.uint64()),
        ("seat0", pa.string()),  # names of the agents
        ("seat1", pa.string()),
        ("winner", pa.int8()),  # the seat, or -1 for a drawn game
        ("reason", pa.string()),  # why the game ended
        ("decisions", pa.int32()),  # length of `actions`
        ("actions", pa.list_(pa.int16())),  # action numbers of both seats, in order
    ]
)


def part_path(folder: Path, part: int) -> Path:
    return folder / "games" / f"part-{part:05d}.parquet"


def part_paths(folder: Path) -> list[Path]:
    """The part files that there are, in order."""
    return sorted((folder / "games").glob("part-*.parquet"))


def part_bytes(rows: Iterable[GameRow]) -> bytes:
    """The part file with `rows`; the same rows make the same bytes."""
    table = pa.Table.from_pylist([row._asdict() for row in rows], SCHEMA)
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    data: bytes = sink.getvalue().to_pybytes()
    return data


def read_part(path: Path) -> list[GameRow]:
    """The rows of one part file; BadInput when it is not one."""
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise BadInput(f"{path}: not a readable part file: {_one_line(error)}") from None
    if table.schema.names != SCHEMA.names:
        raise BadInput(f"{path}: columns are {table.schema.names}; expected {SCHEMA.names}")
    return [GameRow(**row) for row in table.to_pylist()]


def iterate_rows(run_folder: str | Path) -> Iterator[GameRow]:
    """All rows of a run, one part at a time in memory."""
    for path in part_paths(Path(run_folder)):
        yield from read_part(path)


def read_rows(run_folder: str | Path, columns: list[str] | None = None) -> "pd.DataFrame":
    """The rows that a run has so far as a table sorted by game; `columns` leaves out the others."""
    dataset = _dataset(Path(run_folder))
    try:
        frame = dataset.to_table(columns=columns or SCHEMA.names).to_pandas()
    except (pa.ArrowException, OSError) as error:
        raise BadInput(f"{run_folder}: part files cannot be read: {_one_line(error)}") from None
    return frame.sort_values("game", ignore_index=True) if "game" in frame else frame


def read_row(run_folder: str | Path, number: int) -> GameRow:
    """The row of game `number`; BadInput when the run does not have it."""
    dataset = _dataset(Path(run_folder))
    try:
        found: list[dict[str, Any]] = dataset.to_table(filter=pyarrow.dataset.field("game") == number).to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise BadInput(f"{run_folder}: part files cannot be read: {_one_line(error)}") from None
    if not found:
        raise BadInput(f"{run_folder}: has no game {number}; {_numbers(run_folder)}")
    return GameRow(**found[0])


def _numbers(run_folder: str | Path) -> str:
    numbers = read_rows(run_folder, ["game"])["game"]
    return f"it has {len(numbers)} games, numbered {numbers.min()} to {numbers.max()}"


def _dataset(folder: Path) -> "pyarrow.dataset.Dataset":
    paths = part_paths(folder)
    if not paths:
        raise BadInput(f"{folder}: holds no games (expected {folder}/games/part-00000.parquet and so on)")
    return pyarrow.dataset.dataset([str(path) for path in paths], schema=SCHEMA, format="parquet")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
