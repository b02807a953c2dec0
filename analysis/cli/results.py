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
    from duelbench.analysis.report import RunData
    from duelbench.analysis.summary import Summary
    from duelbench.experiments.config import RunConfig
    from duelbench.experiments.executors.executor import Kind

REPORT = "report.html"


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


def read(folder: Path) -> "RunData":
    """The rows of a run and their tables; BadInput where the rows or the config cannot be read."""
    from duelbench.analysis.api import Run

    return Run(folder).data


def write(folder: Path, report: bool) -> "Summary":
    """Write the tables as CSV and Parquet files and, if wanted, report.html; returns the tables."""
    data = write_tables(folder)
    if report:
        from duelbench.analysis.report import write_report

        write_report(folder / REPORT, [data])
    return data.summary


def write_tables(folder: Path) -> "RunData":
    """Write the tables of a run into its folder, and return what they are made from."""
    from duelbench.analysis import summary

    data = read(folder)
    summary.write_tables(folder, data.summary)
    return data


def write_shared_report(folders: list[Path], out: Path | None) -> Path:
    """Write the tables of every run into its folder and one report of all; returns the report's path.

    Without `out` it is report.html, of one run in its folder and of several in the current one.
    """
    from duelbench.analysis.report import write_report
    from duelbench.experiments.atomic import make_folder

    path = out or (folders[0] / REPORT if len(folders) == 1 else Path(REPORT))
    runs = [write_tables(folder) for folder in folders]
    make_folder(path.parent)
    return write_report(path, runs)


def show_tables(folder: Path, summary: "Summary") -> None:
    from duelbench.experiments.folder import load_run_config, read_json

    game = load_run_config(folder, agents_play=False).load_game()
    print_summary(stdout_console(), summary, game.notice)
    for matchup, why in read_json(folder / "status.json").get("stopped", {}).items():
        typer.echo(f"Stopped: {matchup}: {why}")


def show_forecast(settings: "RunConfig", workers: int) -> None:
    """What the config would play and about how long, with a line for each matchup."""
    from duelbench.analysis.cli.progress import duration
    from duelbench.analysis.cli.tables import table
    from duelbench.experiments.forecast import forecast

    found = list(forecast(settings))
    lines = [
        (one.matchup, one.variants, f"{one.games:,}", _each(one.seconds, one.games), duration(one.seconds / workers))
        for one in found
    ]
    columns = ["matchup", "variants", "games", "ms a game", f"time, {workers} at work"]
    stdout_console().print(table("What would be played", columns, lines))
    games, seconds = sum(one.games for one in found), sum(one.seconds for one in found)
    at_most = " at most: the key `stop` ends matchups earlier" if settings.stop else ""
    typer.echo(f"{games:,} games{at_most}, about {duration(seconds / workers)} with {workers} at work.")
    typer.echo("A few games of each matchup were timed just now; compiling and other work on the machine come on top.")
    if not all(one.measured for one in found):
        typer.echo("Matchups of agents that are still to be trained are estimated, and their training is left out.")


def _each(seconds: float, games: int) -> str:
    return f"{1000 * seconds / games:.3g}"


def show_files(folder: Path, report: bool) -> None:
    """Where the results are and what can be done with them."""
    typer.echo(f"\nRun folder  {folder}")
    typer.echo(f"Tables      {folder / 'payoffs.csv'}  {folder / 'ratings.csv'}")
    if (folder / "decks.csv").exists():
        typer.echo(f"Decks       {folder / 'decks.csv'}  {folder / 'deck_matrix.csv'}")
    if (folder / "tables").exists():
        typer.echo(f"All tables  {folder / 'tables'}  (CSV and Parquet)")
    if report:
        show_report(folder / REPORT)
    place, command = shlex.quote(str(folder)), _own_name()
    typer.echo(f"Check it    {command} verify {place}")
    typer.echo(f"Read a game {command} replay {place} --game 0")


def show_report(path: Path) -> None:
    typer.echo(f"Report      {path.resolve().as_uri()}")


def _own_name() -> str:
    """What to type for `duelbench`: its path where it was called by it and would not be found without."""
    called = Path(sys.argv[0])
    return shlex.quote(str(called)) if called.name == "duelbench" and not shutil.which("duelbench") else "duelbench"
