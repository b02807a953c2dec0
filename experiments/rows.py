"""One row per game, in Parquet: the only thing a run needs to keep."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq  # reading with pyarrow.dataset, or through NumPy, would import pandas

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

_COUNTING_UP = ("game", "deal")
"""Stored as differences, which are nearly all the same."""
_FEW_VALUES = [name for name in SCHEMA.names if name not in (*_COUNTING_UP, "deal_seed", "actions")]
"""Stored, like actions, as a list of the values and small numbers that point into it."""


def part_path(folder: Path, part: int) -> Path:
    return folder / "games" / f"part-{part:05d}.parquet"


def part_paths(folder: Path) -> list[Path]:
    """The part files that there are, in order."""
    return sorted((folder / "games").glob("part-*.parquet"))


def table_of_rows(rows: Iterable[GameRow]) -> pa.Table:
    """The rows as columns with SCHEMA."""
    return pa.Table.from_pylist([row._asdict() for row in rows], SCHEMA)


def part_bytes(rows: Iterable[GameRow] | pa.Table) -> bytes:
    """The part file with `rows`, which may be in columns already; the same rows make the same bytes."""
    table = rows if isinstance(rows, pa.Table) else table_of_rows(rows)
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=max(len(table), 1),
        compression="zstd",
        compression_level=3,
        use_dictionary=[*_FEW_VALUES, "actions.list.element"],
        column_encoding=dict.fromkeys(_COUNTING_UP, "DELTA_BINARY_PACKED"),
    )
    data: bytes = sink.getvalue().to_pybytes()
    return data


def read_part(path: Path, columns: list[str] | None = None) -> pa.Table:
    """The rows of one part file as columns with SCHEMA, or these `columns` of it; BadInput when it is not one."""
    with _opened(path) as file:
        return _read(file, path, columns)


def rows_of(table: pa.Table) -> list[GameRow]:
    return [GameRow(**row) for row in table.to_pylist()]


def read_rows(run_folder: str | Path, columns: list[str] | None = None, categories: bool = False) -> "pd.DataFrame":
    """The rows that a run has so far as a table sorted by game; `columns` leaves out the others.

    With `categories` texts are categories, so that each takes a byte or two a game: for runs of millions of games.
    """
    tables = [_read_for_frame(path, columns or SCHEMA.names, categories) for path in _existing_parts(run_folder)]
    frame = _frame_of(tables)
    if not len(frame):
        raise _without_games(run_folder)
    if "game" not in frame or frame["game"].is_monotonic_increasing:
        return frame
    return frame.sort_values("game", ignore_index=True)


def read_batches(run_folder: str | Path, columns: list[str], games: int) -> "Iterator[pd.DataFrame]":
    """The rows of whole parts, one part after another, texts as categories: `games` at a time or a part more."""
    tables: list[pa.Table] = []
    found = waiting = 0
    for path in _existing_parts(run_folder):
        tables.append(_read_for_frame(path, columns, categories=True))
        waiting += len(tables[-1])
        if waiting >= games:
            yield _frame_of(tables)
            found, waiting, tables = found + waiting, 0, []
    if waiting:
        yield _frame_of(tables)
    elif not found:
        raise _without_games(run_folder)


def _frame_of(tables: list[pa.Table]) -> "pd.DataFrame":
    table = pa.concat_tables(tables).unify_dictionaries()
    frame: pd.DataFrame = table.to_pandas(split_blocks=True, self_destruct=True)
    return frame


def _without_games(run_folder: str | Path) -> BadInput:
    return BadInput(f"{run_folder}: holds no games; its part files are empty")


def read_row(run_folder: str | Path, number: int, part: int | None = None) -> GameRow:
    """The row of game `number`; BadInput when the run does not have it.

    `part` is the part file in which it is looked for first; without it, or where it is not there, all are searched.
    """
    paths = _existing_parts(run_folder)
    if part is not None and part_path(Path(run_folder), part) in paths:
        paths = [part_path(Path(run_folder), part), *paths]
    for path in paths:
        found = _row_in(path, number)
        if found is not None:
            return found
    raise BadInput(f"{run_folder}: has no game {number}; {_numbers(run_folder)}")


def _row_in(path: Path, number: int) -> GameRow | None:
    with _opened(path) as file:
        if not _may_hold(file.metadata, number):
            return None
        table = _read(file, path)
    numbers = table["game"].to_pylist()
    return rows_of(table.slice(numbers.index(number), 1))[0] if number in numbers else None


def _may_hold(metadata: pq.FileMetaData, number: int) -> bool:
    """Whether the game may be in the file, by the least and the greatest number that each group of its rows tells."""
    at = SCHEMA.names.index("game")
    for group in range(metadata.num_row_groups):
        told = metadata.row_group(group).column(at).statistics
        if told is None or not told.has_min_max or told.min <= number <= told.max:
            return True
    return False


def _numbers(run_folder: str | Path) -> str:
    numbers = read_rows(run_folder, ["game"])["game"]
    return f"it has {len(numbers)} games, numbered {numbers.min()} to {numbers.max()}"


def _existing_parts(run_folder: str | Path) -> list[Path]:
    paths = part_paths(Path(run_folder))
    if not paths:
        raise BadInput(f"{run_folder}: holds no games (expected {run_folder}/games/part-00000.parquet and so on)")
    return paths


def _opened(path: Path, **how: Any) -> pq.ParquetFile:
    """The part file, its columns checked; `how` as for ParquetFile."""
    try:
        file = pq.ParquetFile(path, **how)
    except (pa.ArrowException, OSError, UnicodeError) as error:
        raise _damaged(path, error) from None
    if file.schema_arrow.names != SCHEMA.names:
        raise BadInput(f"{path}: columns are {file.schema_arrow.names}; expected {SCHEMA.names}")
    return file


def _read(file: pq.ParquetFile, path: Path, columns: list[str] | None = None) -> pa.Table:
    try:
        table = file.read(columns)
    except (pa.ArrowException, OSError, UnicodeError) as error:
        raise _damaged(path, error) from None
    for found in table.schema:
        kind = found.type.value_type if pa.types.is_dictionary(found.type) else found.type
        if kind != SCHEMA.field(found.name).type:
            raise BadInput(f"{path}: column {found.name!r} holds {kind}; expected {SCHEMA.field(found.name).type}")
        column = table[found.name]
        if column.null_count or (found.name == "actions" and any(c.values.null_count for c in column.chunks)):
            raise BadInput(f"{path}: column {found.name!r} has cells without a value")
    return table


def _read_for_frame(path: Path, columns: list[str], categories: bool) -> pa.Table:
    texts = [name for name in columns if SCHEMA.field(name).type == pa.string()]
    with _opened(path, read_dictionary=texts if categories else None) as file:
        return _read(file, path, columns)


def _damaged(path: Path, error: Exception) -> BadInput:
    told = " ".join(str(error).split()).rstrip(".")
    return BadInput(
        f"{path}: not a readable part file: {told}. Delete the damaged file; the run then plays its games again"
    )
