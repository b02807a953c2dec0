"""Card tables as comma-separated text: read strictly, row by row, with the place of everything that is wrong."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from duelbench.envs.errors import BadInput
from duelbench.envs.game import did_you_mean


class Kind(NamedTuple):
    """A kind of cell. `read` raises KeyError or ValueError for a cell that is not of it."""

    read: Callable[[str], Any]
    allowed: str
    words: tuple[str, ...] = ()
    """The allowed words, for a hint at the nearest one."""
    empty: Any = None
    """What an empty cell stands for; None if it is not allowed."""


Columns = Mapping[str, Kind]
"""What a cell of each column may hold. One column is `id`: messages call a card by it."""


def one_of(words: Mapping[str, Any], empty: Any = None) -> Kind:
    return Kind(words.__getitem__, "", tuple(words), empty)


def same(*words: str) -> dict[str, str]:
    return {word: word for word in words}


def whole(low: int, high: int, empty: int | None = None) -> Kind:
    def read(cell: str) -> int:
        number = int(cell)
        if str(number) != cell or not low <= number <= high:
            raise ValueError(cell)
        return number

    return Kind(read, f"whole numbers {low} to {high}", empty=empty)


def matching(pattern: str, allowed: str, empty: str | None = None) -> Kind:
    def read(cell: str) -> str:
        if not re.fullmatch(pattern, cell):
            raise ValueError(cell)
        return cell

    return Kind(read, allowed, empty=empty)


AN_ID = matching(r"[a-z]+(_[a-z]+)*", "small letters a to z, with single _ between words")


class Row(NamedTuple):
    """The cells of one card."""

    where: str
    cells: dict[str, str]
    columns: Columns

    def refusal(self, column: str, ending: str) -> BadInput:
        cell = self.cells[column]
        found = f"found {cell!r}" if cell else "found an empty cell"
        return BadInput(f"{self.where}: card {self.cells['id']!r}, column {column}: {found}{ending}")

    def filled(self, columns: Iterable[str]) -> list[str]:
        return [column for column in columns if self.cells[column]]

    def may_have(self, column: str, allowed: bool, reason: str) -> None:
        """Refuse a filled cell in `column` unless it is `allowed`."""
        if self.cells[column] and not allowed:
            raise self.refusal(column, f", allowed: nothing, {reason}")

    def must_have(self, column: str, needed: bool, reason: str) -> None:
        """Refuse an empty cell in `column` if a value is `needed`."""
        if needed and not self.cells[column]:
            kind = self.columns[column]
            raise self.refusal(column, f", allowed: {kind.allowed or ', '.join(kind.words)}, {reason}")

    def pair(self, column: str, partner: str) -> None:
        """Refuse a cell in one of the two columns without one in the other."""
        self.must_have(partner, bool(self.cells[column]), f"because {column} is set")
        self.may_have(partner, bool(self.cells[column]), f"because {column} is empty")

    def values(self) -> dict[str, Any]:
        """What the cells stand for. Raises BadInput for the first one that is not of its column's kind."""
        return {column: self._value(column) for column in self.columns}

    def _value(self, column: str) -> Any:
        kind, cell = self.columns[column], self.cells[column]
        if not cell and kind.empty is not None:
            return kind.empty
        try:
            return kind.read(cell)
        except (KeyError, ValueError):
            ending = did_you_mean(cell, kind.words) if kind.words else f", allowed: {kind.allowed}"
            raise self.refusal(column, ending) from None


def read_rows(table: str, where: str, columns: Columns) -> Iterator[Row]:
    """The rows of a table that has exactly these columns, in any order.

    Raises BadInput, beginning with `where` and the line, where it has another shape.
    """
    reader = csv.reader(table.splitlines(), strict=True)
    try:
        header = next(reader, [])
        _check_header(header, f"{where}:1", columns)
        for cells in reader:
            line = f"{where}:{reader.line_num}"
            if len(cells) != len(header):
                raise BadInput(f"{line}: found {len(cells)} cells, allowed: {len(header)}, one for each column")
            yield Row(line, dict(zip(header, cells, strict=True)), columns)
    except csv.Error as error:
        raise BadInput(f"{where}:{reader.line_num}: not comma-separated values: {error}") from None


def _check_header(header: Sequence[str], where: str, columns: Columns) -> None:
    for column in header:
        if column not in columns:
            raise BadInput(f"{where}: unknown column {column!r}{did_you_mean(column, columns)}")
        if header.count(column) > 1:
            raise BadInput(f"{where}: found column {column} {header.count(column)} times, allowed: once")
    missing = [column for column in columns if column not in header]
    if missing:
        raise BadInput(f"{where}: found no column {missing[0]}, allowed: all of {', '.join(columns)}")


def all_different(rows: Iterable[Row], unique: Sequence[str]) -> Iterator[Row]:
    """The rows one by one. Raises BadInput for one that has the same as an earlier one in a column of `unique`."""
    taken: dict[tuple[str, str], str] = {}
    for row in rows:
        yield row
        for column in unique:
            key = (column, row.cells[column].casefold())
            if key in taken:
                raise row.refusal(column, f", allowed: what no other card has, and {taken[key]} has it")
            taken[key] = row.where
