"""From a config to a finished run folder, its tables and its report."""

import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from duelbench.analysis.cli.progress import display, show_run
from duelbench.analysis.cli.tables import print_summary, stdout_console

if TYPE_CHECKING:
    import pandas as pd

    from duelbench.analysis.summary import Summary
    from duelbench.experiments.config import RunConfig
    from duelbench.experiments.executors.executor import Kind


def play(
    settings: "RunConfig",
    runs: Path,
    workers: int | None,
    executor: "Kind" = "workers",
    address: str | None = None,
) -> Path:
    """Play what is missing of the run and show how far it is; returns its folder."""
    from duelbench.experiments.run import run

    with display() as shown:
        command = ["duelbench", *sys.argv[1:]]
        return run(settings, runs, workers, lambda now: show_run(shown, now), command, executor, address)


def read(folder: Path) -> "tuple[pd.DataFrame, Summary]":
    """The rows of a run and their tables; BadInput where the rows or the config cannot be read."""
    from duelbench.analysis.summary import read_results, summarise
    from duelbench.experiments.folder import load_run_config

    config = load_run_config(folder, agents_play=False)
    open_to = [name for name, spec in config.specs.items() if spec.sees_everything]
    rows = read_results(folder)
    return rows, summarise(rows, config.named_decks, open_to)


def write(folder: Path, report: bool) -> "Summary":
    """Write the tables as CSV files and, if wanted, report.html; returns the tables."""
    from duelbench.analysis.summary import write_tables

    rows, summary = read(folder)
    write_tables(folder, summary)
    if report:
        from duelbench.analysis.report import write_report

        write_report(folder, rows, summary)
    return summary


def show_tables(folder: Path, summary: "Summary") -> None:
    from duelbench.experiments.folder import load_run_config

    game = load_run_config(folder, agents_play=False).load_game()
    print_summary(stdout_console(), summary, game.notice)


def show_files(folder: Path, report: bool) -> None:
    """Where the results are and what can be done with them."""
    typer.echo(f"\nRun folder  {folder}")
    typer.echo(f"Tables      {folder / 'payoffs.csv'}  {folder / 'ratings.csv'}")
    if (folder / "decks.csv").exists():
        typer.echo(f"Decks       {folder / 'decks.csv'}  {folder / 'deck_matrix.csv'}")
    if report:
        typer.echo(f"Report      {(folder / 'report.html').resolve().as_uri()}")
    place, command = shlex.quote(str(folder)), _own_name()
    typer.echo(f"Check it    {command} verify {place}")
    typer.echo(f"Read a game {command} replay {place} --game 0")


def _own_name() -> str:
    """What to type for `duelbench`: its path where it was called by it and would not be found without."""
    called = Path(sys.argv[0])
    return shlex.quote(str(called)) if called.name == "duelbench" and not shutil.which("duelbench") else "duelbench"
