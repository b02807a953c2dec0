"""A game's table drawn for the person who plays at it, out of the words in which the game describes it."""

import itertools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from duelbench.analysis.cli.play_words import CardNames

if TYPE_CHECKING:
    from duelbench.agents.search_agent import ActionReport
    from duelbench.experiments.play import Step
    from duelbench.experiments.play_account import Account

MINE, THEIRS, DIM, TITLE = "green", "red", "dim", "bold"
_HEADING = re.compile(r"player_([01])(?: \((.*)\))?")
_ENTRY = re.compile(r"( *)(\S+(?: \S+)*) {2,}(\S.*)")
_BAR = 20


@dataclass
class Described:
    """`Game.describe` taken apart; what is not understood stays among the lines as it is."""

    lines: list[str] = field(default_factory=list)
    """Sentences about the whole, such as the turn and the pending decision."""
    middle: list[tuple[str, str]] = field(default_factory=list)
    """What lies between the players: label and contents."""
    headings: dict[int, str] = field(default_factory=dict)
    """By seat, what the game says beside the player."""
    zones: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    """By seat, label and contents."""


def taken_apart(text: str) -> Described:
    found, seat = Described(), None
    for line in text.splitlines():
        heading, entry = _HEADING.fullmatch(line), _ENTRY.fullmatch(line)
        if heading:
            seat = int(heading.group(1))
            found.headings[seat], found.zones[seat] = heading.group(2) or "", []
        elif entry and entry.group(1) and seat is not None:
            found.zones[seat].append((entry.group(2), entry.group(3)))
        elif entry:
            found.middle.append((entry.group(2), entry.group(3)))
        else:
            found.lines.append(line)
    return found


def table_view(text: str, seat: int, seats: tuple[str, str], names: CardNames) -> RenderableType:
    """The table with the opponent above and the person, who sits on `seat`, below."""
    found = taken_apart(text)
    parts: list[RenderableType] = [_coloured(names.told(line), seat, TITLE) for line in found.lines[:-1]]
    parts += [_player(found, 1 - seat, seats, THEIRS, names)] if found.zones else []
    parts += [_grid(found.middle, names, 1)] if found.middle else []
    parts += [_player(found, seat, seats, MINE, names)] if found.zones else []
    return Group(*parts, *(_coloured(names.told(line), seat, TITLE) for line in found.lines[-1:]))


def _coloured(text: str, seat: int, style: str = "") -> Text:
    """The text with the two players in their colours."""
    made = Text(text, style)
    made.highlight_words([f"player_{seat}"], MINE)
    made.highlight_words([f"player_{1 - seat}"], THEIRS)
    return made


def _player(found: Described, seat: int, seats: tuple[str, str], style: str, names: CardNames) -> Panel:
    beside = f" ({found.headings[seat]})" if found.headings[seat] else ""
    title = Text(f"player_{seat}: {seats[seat]}{beside}", f"bold {style}")
    rows = _grid(found.zones[seat], names)
    return Panel(rows, title=title, title_align="left", border_style=style, box=box.ROUNDED, padding=(0, 1))


def _grid(rows: list[tuple[str, str]], names: CardNames, indent: int = 0) -> RenderableType:
    """Labels and contents in two columns; long contents go on below themselves."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style=DIM, no_wrap=True, min_width=9 + 2 * bool(indent))
    grid.add_column(overflow="fold")
    for label, contents in rows:
        grid.add_row(Text(" " * 2 * bool(indent) + label), _Listing(names.told(contents)))
    return grid


class _Listing:
    """Text that is broken at its commas, so that names of cards stay whole."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = [""]
        for piece in re.split(r"(?<=,) ", self._text):
            longer = f"{lines[-1]} {piece}" if lines[-1] else piece
            if lines[-1] and cell_len(longer) > options.max_width:
                lines.append(piece)
            else:
                lines[-1] = longer
        yield Text("\n".join(lines), overflow="fold")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(min(20, options.max_width), min(cell_len(self._text), options.max_width))


def news_view(steps: "list[Step]", seat: int, names: CardNames) -> RenderableType:
    """What happened in these decisions, as the person, who sits on `seat`, may hear of it."""
    lines: list[RenderableType] = []
    for step in steps:
        if step.action:
            lines.append(Text(f"You: {names.told(step.action)}", MINE))
        lines += [_coloured(f"  {names.told(told)}", seat) for told in counted_alike(step.news)]
    return Group(*lines)


def counted_alike(news: tuple[str, ...]) -> list[str]:
    """Sentences that follow each other unchanged stand once, with their number."""
    runs = [(sentence, len(list(alike))) for sentence, alike in itertools.groupby(news)]
    return [sentence if times == 1 else f"{sentence} ({times} times)" for sentence, times in runs]


def actions_view(console: Console, actions: list[str], names: CardNames) -> RenderableType:
    """The legal actions, numbered from 1, each with the text of its card: beside it, or after it in a narrow place."""
    told = [names.told(name) for name in actions]
    beside = max(map(cell_len, told)) <= 0.45 * console.width
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", justify="right", no_wrap=True, min_width=4)
    grid.add_column(overflow="fold", no_wrap=beside)
    if beside:
        grid.add_column(style=DIM, overflow="fold")
    for number, (name, shown) in enumerate(zip(actions, told, strict=True), 1):
        text = Text(names.text_of(name), DIM)
        cells = (Text(shown), text) if beside else (Text.assemble(shown, "  ", text),)
        grid.add_row(str(number), *cells)
    return grid


def hint_view(console: Console, reports: "list[ActionReport]", names: CardNames) -> RenderableType:
    """A search's figures; the bar is its share of the visits."""
    made = _figures(["action", "visits", "", "value"])
    total = sum(report.visits for report in reports) or 1
    for report in reports:
        value = f"{report.value:+.2f}" if report.visits else ""
        made.add_row(Text(names.told(report.name)), str(report.visits), _bar(console, report.visits / total), value)
    return made


def account_view(console: Console, account: "Account", names: CardNames) -> RenderableType:
    """What the opponent considered at one decision; the action that it took is marked."""
    rows = account.considered
    searched = any(row.visits is not None for row in rows)
    prior = any(row.prior is not None for row in rows)
    columns = ["action", *(["visits"] if searched else ["chance"]), ""]
    made = _figures([*columns, *(["value"] if searched else []), *(["prior"] if prior else [])])
    for row in rows:
        cells = [str(row.visits) if searched else f"{100 * (row.share or 0):.1f}%", _bar(console, row.share or 0)]
        cells += [("" if row.value is None else f"{row.value:+.2f}")] if searched else []
        cells += [("" if row.prior is None else f"{100 * row.prior:.1f}%")] if prior else []
        marked = f"{names.told(row.name)} {'<- taken' if row.chosen else ''}".rstrip()
        made.add_row(Text(marked, "bold" if row.chosen else ""), *cells)
    return made


def _figures(columns: list[str]) -> Table:
    made = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for i, column in enumerate(columns):
        made.add_column(column, justify="left" if i == 0 or not column else "right", overflow="fold", no_wrap=i > 0)
    return made


def _bar(console: Console, share: float) -> str:
    return ("#" if console.options.ascii_only else "█") * round(_BAR * share)
