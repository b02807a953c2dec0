"""How far a command is: bars on a terminal, now and then a plain line elsewhere. Both go to stderr."""

import math
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import typer
from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Column, Table
from rich.text import Text

if TYPE_CHECKING:
    from duelbench.experiments.run import Progress as RunProgress
    from duelbench.experiments.tallies import Standing, Tally

SECONDS_BETWEEN_LINES = 10.0
SECONDS_BETWEEN_STANDINGS = 60.0
_SECONDS_BETWEEN_TABLES = 1.0
WIDE = 110
"""Columns of a terminal from which rates are shown with their unit."""
_UNITS = {"train": "decisions", "games": "games"}


class Display(Protocol):
    """Shows how far work is, and how a run stands meanwhile."""

    def show(
        self, name: str, done: int, total: int, unit: str, detail: str = "", seconds_left: float | None = None
    ) -> None:
        """`done` of `total` are done of the work called `name`; `seconds_left` where it is known better."""
        ...

    def stand(self, tally: "Tally") -> None:
        """So the games of a run have ended so far."""
        ...


@contextmanager
def display() -> Iterator[Display]:
    """Bars where both outputs are terminals, else lines."""
    if not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield Lines()
        return
    with Bars() as bars:
        yield bars


def show_run(shown: Display, progress: "RunProgress") -> None:
    """Show what a run tells of itself."""
    if progress.phase == "prepare":
        shown.show("prepare", progress.done, progress.total, "", "checking, and compiling what is not compiled yet")
    elif progress.phase == "train":
        shown.show(f"train {progress.label}", progress.done, progress.total, _UNITS["train"])
    else:
        left = progress.pace.seconds_left
        shown.show("games", progress.done, progress.total, _UNITS["games"], progress.label, left)
        shown.stand(progress.tally)


class Bars:
    """A bar for each piece of work, with rate and time left. In a narrow terminal bar and detail give way."""

    def __init__(self, console: Console | None = None) -> None:
        console = console or Console(stderr=True)
        self._progress = _WithTable(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=28),
            MofNCompleteColumn(table_column=Column(no_wrap=True)),
            _Rate(console),
            _TimeLeft(elapsed_when_finished=True, table_column=Column(no_wrap=True)),
            _Detail(),
            console=console,
        )
        self._tasks: dict[str, TaskID] = {}
        self._next_table = 0.0

    def __enter__(self) -> "Bars":
        self._progress.start()
        return self

    def __exit__(self, error: object, *_: object) -> None:
        if error is None:  # the ranking comes in its place
            self._progress.below = None
        self._progress.stop()

    def show(
        self, name: str, done: int, total: int, unit: str, detail: str = "", seconds_left: float | None = None
    ) -> None:
        if name not in self._tasks:
            # What an earlier start had finished is where the bar begins, so that it does not count as speed.
            self._tasks[name] = self._progress.add_task(name, total=total, completed=done, unit=unit, detail=detail)
        task = self._progress.tasks[self._tasks[name]]
        if done == total:  # a finished piece of work may tell so in other units
            done = total = max(total, int(task.total or 0))
        self._progress.update(self._tasks[name], completed=done, total=total, detail=detail, seconds_left=seconds_left)

    def stand(self, tally: "Tally") -> None:
        if tally and time.monotonic() >= self._next_table:
            from duelbench.experiments.tallies import standings

            self._next_table = time.monotonic() + _SECONDS_BETWEEN_TABLES
            self._progress.below = standings_table(standings(tally))
            self._progress.refresh()


class _WithTable(Progress):
    """Bars with something below them."""

    below: RenderableType | None = None

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from super().get_renderables()
        if self.below is not None:
            yield self.below


class _TimeLeft(TimeRemainingColumn):
    """The time left by what is known about it, if something is, instead of by the bar."""

    def render(self, task: Task) -> Text:
        seconds = task.fields.get("seconds_left")
        if seconds is None or task.finished:
            return super().render(task)
        return Text(duration(seconds), style="progress.remaining")


class _Rate(ProgressColumn):
    """Units a second."""

    def __init__(self, console: Console) -> None:
        super().__init__(Column(no_wrap=True))
        self._console = console

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        unit = task.fields["unit"]
        unit_shown = f" {unit}" if self._console.width >= WIDE else ""
        return Text(f"{rounded(speed)}{unit_shown}/s" if speed and unit else "")


class _Detail(ProgressColumn):
    """What is being done just now, cut to the room there is."""

    def render(self, task: Task) -> Text:
        return Text(task.fields["detail"], style="dim", no_wrap=True, overflow="ellipsis")


class Lines:
    """A line when a piece of work begins, every ten seconds, and when it ends."""

    def __init__(self) -> None:
        self._begun: dict[str, tuple[float, int]] = {}
        self._told: dict[str, float] = {}
        self._ended: set[str] = set()
        self._next_standings: float | None = None

    def show(
        self, name: str, done: int, total: int, unit: str, detail: str = "", seconds_left: float | None = None
    ) -> None:
        now = time.monotonic()
        began = self._begun.setdefault(name, (now, done))
        silent = now - self._told.get(name, -SECONDS_BETWEEN_LINES)
        if name in self._ended or (done < total and silent < SECONDS_BETWEEN_LINES):
            return
        self._told[name] = now
        if done == total:
            self._ended.add(name)
            typer.echo(f"{name}: done in {now - began[0]:.0f} s", err=True)
            return
        rate = (done - began[1]) / (now - began[0]) if now > began[0] else 0.0
        left = (total - done) / rate if rate and seconds_left is None else seconds_left
        pace = f", {rounded(rate)} {unit}/s, {left:,.0f} s left" if rate and unit else ""
        typer.echo(f"{name}: {done:,} of {total:,}{pace}{f' ({detail})' if detail else ''}", err=True)

    def stand(self, tally: "Tally") -> None:
        now = time.monotonic()
        if self._next_standings is None:
            self._next_standings = now + SECONDS_BETWEEN_STANDINGS
        if tally and now >= self._next_standings:
            from duelbench.experiments.tallies import standings

            self._next_standings = now + SECONDS_BETWEEN_STANDINGS
            told = ", ".join(f"{one.name} {one.share.value:.1%}" for one in standings(tally))
            typer.echo(f"points so far: {told}", err=True)


def standings_table(found: "list[Standing]") -> Table:
    """The agents' points, the decks' below them."""
    made = Table(title="Points so far, with 95% intervals", title_justify="left", title_style="bold")
    made.add_column("", no_wrap=True)
    for column in ("points", "interval", "games"):
        made.add_column(column, justify="right", no_wrap=True)
    for one in found:
        low, high = one.share.low, one.share.high
        interval = "" if math.isnan(low) else f"{100 * low:.1f}–{100 * high:.1f}"
        made.add_row(Text(one.name), f"{one.share.value:.1%}", interval, f"{one.games:,}")
    return made


def rounded(rate: float) -> str:
    """A rate to two digits at least."""
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


def duration(seconds: float) -> str:
    """Hours, minutes and seconds, as the bars have them."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:d}:{minutes:02d}:{rest:02d}"
