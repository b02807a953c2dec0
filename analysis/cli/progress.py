"""How far a command is: bars on a terminal, now and then a plain line elsewhere. Both go to stderr."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import typer
from rich.console import Console
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
from rich.table import Column
from rich.text import Text

if TYPE_CHECKING:
    from duelbench.experiments.run import Progress as RunProgress

SECONDS_BETWEEN_LINES = 10.0
WIDE = 110
"""Columns of a terminal from which rates are shown with their unit."""
_UNITS = {"train": "decisions", "games": "games"}


class Display(Protocol):
    """Shows that `done` of `total` are done of the work called `name`."""

    def show(self, name: str, done: int, total: int, unit: str, detail: str = "") -> None: ...


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
        shown.show("games", progress.done, progress.total, _UNITS["games"], progress.label)


class Bars:
    """A bar for each piece of work, with rate and time left. In a narrow terminal bar and detail give way."""

    def __init__(self, console: Console | None = None) -> None:
        console = console or Console(stderr=True)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=28),
            MofNCompleteColumn(table_column=Column(no_wrap=True)),
            _Rate(console),
            TimeRemainingColumn(elapsed_when_finished=True, table_column=Column(no_wrap=True)),
            _Detail(),
            console=console,
        )
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> "Bars":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, name: str, done: int, total: int, unit: str, detail: str = "") -> None:
        if name not in self._tasks:
            # What an earlier start had finished is where the bar begins, so that it does not count as speed.
            self._tasks[name] = self._progress.add_task(name, total=total, completed=done, unit=unit, detail=detail)
        task = self._progress.tasks[self._tasks[name]]
        if done == total:  # a finished piece of work may tell so in other units
            done = total = max(total, int(task.total or 0))
        self._progress.update(self._tasks[name], completed=done, total=total, detail=detail)


class _Rate(ProgressColumn):
    """Units a second."""

    def __init__(self, console: Console) -> None:
        super().__init__(Column(no_wrap=True))
        self._console = console

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        unit = task.fields["unit"]
        unit_shown = f" {unit}" if self._console.width >= WIDE else ""
        return Text(f"{speed:,.0f}{unit_shown}/s" if speed and unit else "")


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

    def show(self, name: str, done: int, total: int, unit: str, detail: str = "") -> None:
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
        pace = f", {rate:,.0f} {unit}/s, {(total - done) / rate:,.0f} s left" if rate and unit else ""
        typer.echo(f"{name}: {done:,} of {total:,}{pace}{f' ({detail})' if detail else ''}", err=True)
