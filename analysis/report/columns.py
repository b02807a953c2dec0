"""How the columns of a table are shown: from a line of its frame to the text of a cell and the value it sorts by."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from duelbench.envs.game import Game
from duelbench.experiments.estimates import LEVEL

Line = Mapping[str, Any]
"""One line of a frame, by the names of its columns."""

Cards = Mapping[str, tuple[str, str]]
"""The English and the Japanese name of every card, by its id."""

NOTHING = "–"


class Cell(NamedTuple):
    """What stands in a cell."""

    text: str
    sort: float | str | None = None
    """A number, or a text that sorts otherwise than it reads; None: by the text, in a column of numbers last."""
    aside: str = ""
    """A smaller second line: an interval, a Japanese name."""
    hint: str = ""
    """What is shown when the pointer rests on it."""
    remark: bool = False
    """Whether words stand where a number is missing."""


@dataclass(frozen=True)
class Column:
    """A column of a table: its heading, what it means in a sentence, and how a line's cell is made."""

    title: str
    help: str
    cell: Callable[[Line], Cell]
    numeric: bool = True
    label: bool = False
    """Whether it names the line: it then stays in sight while the others scroll."""
    wide: bool = False
    """Whether it holds sentences, which need room."""


class Unit(NamedTuple):
    """How a number is written: `scale` times the value, with `digits` behind the point, and `after` it."""

    scale: float = 1.0
    digits: int = 1
    after: str = ""
    signed: bool = False
    least: bool = False
    """Whether what rounds to zero is told to be less than the last digit can show."""

    def text(self, value: float | None) -> str:
        if value is None or missing(value):
            return NOTHING
        smallest = 10.0**-self.digits
        if self.least and self.scale * value < smallest / 2:
            return f"< {smallest:.{self.digits}f}{self.after}"
        return self.bare(value) + self.after

    def bare(self, value: Any) -> str:
        """Without what comes after it, and with a true minus sign."""
        rounded = round(self.scale * float(value), self.digits) + 0.0  # no minus before what rounds to zero
        return f"{rounded:{'+' if self.signed else ''}.{self.digits}f}".replace("-", "−")

    def between(self, low: float, high: float) -> str:
        return f"{self.bare(low)} {'to' if self.signed else '–'} {self.bare(high)}{self.after}"


PERCENT = Unit(100, 1, "%")
POINTS = Unit(100, 1, " pp", signed=True)
"""Differences of shares, in percentage points."""
RATING = Unit(1, 0)
PLAIN = Unit()
CHANCE = Unit(1, 4, least=True)
"""p-values and what is made of them."""

INTERVAL = f"{LEVEL:.0%} interval"
INTERVAL_HELP = f"Such an interval holds the true value in {LEVEL:.0%} of such runs; its unit is the deal."
DEALS_HELP = "Deals behind the line; each was played twice, with what is compared swapped."


def missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def percent(share: float) -> str:
    return PERCENT.text(share)


def interval_text(line: Line, unit: Unit = PERCENT, low: str = "low", high: str = "high") -> str:
    """`low – high` of a line that has both, or why there is none."""
    if line.get("note"):
        return str(line["note"])
    return NOTHING if missing(line[low]) or missing(line[high]) else unit.between(line[low], line[high])


def text(name: str, title: str = "", help: str = "", label: bool = False, wide: bool = False) -> Column:
    def cell(line: Line) -> Cell:
        return Cell("" if missing(line[name]) else str(line[name]))

    return Column(title or name, help, cell, numeric=False, label=label, wide=wide)


def told(title: str, help: str, tell: Callable[[Line], str], sort: str = "", wide: bool = False) -> Column:
    """What `tell` makes of a line; it sorts as a number by the frame's column `sort`, if that is given."""

    def cell(line: Line) -> Cell:
        return Cell(tell(line), _number(line[sort]) if sort else None)

    return Column(title, help, cell, numeric=bool(sort), wide=wide)


def number(name: str, title: str = "", help: str = "", unit: Unit = PLAIN) -> Column:
    return Column(title or name, help, lambda line: Cell(unit.text(line[name]), _number(line[name])))


def count(name: str, title: str = "", help: str = "") -> Column:
    def cell(line: Line) -> Cell:
        value = line[name]
        return Cell(NOTHING) if missing(value) else Cell(str(int(value)), float(value))

    return Column(title or name, help, cell)


def deals(name: str = "deals") -> Column:
    return count(name, "deals", DEALS_HELP)


def interval(unit: Unit = PERCENT, low: str = "low", high: str = "high") -> Column:
    """The interval merged from the columns of its ends; where there is none, the line's `note` says why."""

    def cell(line: Line) -> Cell:
        return Cell(interval_text(line, unit, low, high), _number(line[low]), remark=bool(line.get("note")))

    return Column(INTERVAL, f"{INTERVAL_HELP} It sorts by its lower end.", cell)


def measured(name: str, title: str = "", help: str = "", unit: Unit = PERCENT, behind: str = "deals") -> Column:
    """A value with its interval and what it was counted from beneath: the columns name, name_low, name_high and
    name_deals (`behind`). For tables of many rates; where there is but one, its interval has a column of its own."""

    def cell(line: Line) -> Cell:
        low, high, of = (cast(Any, line.get(f"{name}_{part}")) for part in ("low", "high", behind))
        if missing(line[name]):
            return Cell(NOTHING)
        between = "no interval" if missing(low) or missing(high) else unit.between(low, high)
        counted = "" if missing(of) else f" · {int(of)}"
        return Cell(unit.text(line[name]), _number(line[name]), between + counted)

    return Column(title or name, f"{help} Beneath: its {INTERVAL} and the number of {behind}.".strip(), cell)


def card(cards: Cards, name: str = "card", title: str = "card", label: bool = True) -> Column:
    """A card by its English name with the Japanese one beneath; the frame has its id."""

    def cell(line: Line) -> Cell:
        english, japanese = cards.get(line[name], (str(line[name]), ""))
        return Cell(english, None, japanese, str(line[name]))

    return Column(title, "The card; its id shows when the pointer rests on it.", cell, numeric=False, label=label)


def card_label(cards: Cards, card_id: str) -> str:
    """Both names of a card on one line, for a figure."""
    return " ".join(cards.get(card_id, (card_id, ""))).strip()


def card_names(game: Game | None) -> Cards:
    if game is None:
        return {}
    names = zip(game.card_names, game.card_names_ja, strict=True)
    return dict(zip(game.card_ids, names, strict=True))


def _number(value: Any) -> float | None:
    return None if missing(value) else float(value)
