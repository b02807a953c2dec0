"""One row per game, in Parquet: the only thing a run needs to keep."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute
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
        ("deck0", pa.string()),  # names of their decks; "random" for random ones, "" in a game without decks
        ("deck1", pa.string()),
        ("variant", pa.string()),  # what is changed about rules or cards; "" for the game as the config has it
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
    except (pa.ArrowException, OSError, UnicodeError) as error:
        raise BadInput(f"{path}: not a readable part file: {_one_line(error)}") from None
    if table.schema.names != SCHEMA.names:
        raise BadInput(f"{path}: columns are {table.schema.names}; expected {SCHEMA.names}")
    for found, wanted in zip(table.schema, SCHEMA, strict=True):
        if found.type != wanted.type:
            raise BadInput(f"{path}: column {found.name!r} holds {found.type}; expected {wanted.type}")
    _refuse_gaps(table, str(path))
    return [GameRow(**row) for row in table.to_pylist()]


def read_rows(run_folder: str | Path, columns: list[str] | None = None) -> "pd.DataFrame":
    """The rows that a run has so far as a table sorted by game; `columns` leaves out the others."""
    frame = _scan(run_folder, columns=columns or SCHEMA.names).to_pandas()
    if frame.empty:
        raise BadInput(f"{run_folder}: holds no games; its part files are empty")
    return frame.sort_values("game", ignore_index=True) if "game" in frame else frame


def read_row(run_folder: str | Path, number: int) -> GameRow:
    """The row of game `number`; BadInput when the run does not have it."""
    wanted = pyarrow.dataset.field("game") == min(number, 2**63 - 1)
    found: list[dict[str, Any]] = _scan(run_folder, filter=wanted).to_pylist()
    if not found:
        raise BadInput(f"{run_folder}: has no game {number}; {_numbers(run_folder)}")
    return GameRow(**found[0])


def _numbers(run_folder: str | Path) -> str:
    numbers = read_rows(run_folder, ["game"])["game"]
    return f"it has {len(numbers)} games, numbered {numbers.min()} to {numbers.max()}"


def _scan(run_folder: str | Path, **how: Any) -> pa.Table:
    """A table from all part files; `how` as for `pyarrow.dataset.Dataset.to_table`."""
    paths = part_paths(Path(run_folder))
    if not paths:
        raise BadInput(f"{run_folder}: holds no games (expected {run_folder}/games/part-00000.parquet and so on)")
    try:
        dataset = pyarrow.dataset.dataset([str(path) for path in paths], schema=SCHEMA, format="parquet")
        table = dataset.to_table(**how)
    except (pa.ArrowException, OSError, UnicodeError) as error:
        told = f"{run_folder}: part files cannot be read: {_one_line(error)}"
        raise BadInput(f"{told.rstrip('.')}. Delete the damaged file; the run then plays its games again") from None
    _refuse_gaps(table, f"{run_folder}: part files")
    return table


def _refuse_gaps(table: pa.Table, where: str) -> None:
    for name in table.schema.names:
        if table[name].null_count or (name == "actions" and pyarrow.compute.list_flatten(table[name]).null_count):
            raise BadInput(f"{where}: column {name!r} has cells without a value")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
