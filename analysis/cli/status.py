"""`duelbench status`: how far a run is and how it stands, while it goes on or afterwards."""

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duelbench.analysis.cli import folders

if TYPE_CHECKING:
    from rich.console import RenderableType

    from duelbench.experiments.status import RunStatus

SECONDS_BETWEEN_LOOKS = 2.0
STANDS_STILL = 1
"""Exit code for a run that nobody works on although it is not finished."""


def status(
    run: Annotated[str, typer.Argument(help="Run folder, or its name under runs/.")],
    watch: Annotated[bool, typer.Option("--watch", help="Look again every 2 seconds until nobody plays.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON for scripts.")] = False,
) -> None:
    """Show how far a run is, how fast it goes, when it will be done and who leads.

    Reads the run folder alone, so it may be asked while another process plays.
    The state is running, finished, interrupted, failed or killed; the exit code
    is 0 for the first two and 1 for a run that stands still unfinished.

    \b
    Examples:
      duelbench status quickstart
      duelbench status quickstart --watch
      duelbench status quickstart --json
    """
    folder = folders.find_run(run)
    from duelbench.experiments.status import StatusReader

    reader = StatusReader(folder)
    found = reader.read()
    if watch and not as_json and sys.stdout.isatty():
        found = _watch_screen(folder, reader, found)
    else:
        _print(folder, found, as_json)
        while watch and found.state == "running":
            time.sleep(SECONDS_BETWEEN_LOOKS)
            found = reader.read()
            _print(folder, found, as_json)
    if found.stands_still:
        raise typer.Exit(STANDS_STILL)


def _watch_screen(folder: Path, reader: Any, found: "RunStatus") -> "RunStatus":
    """Show it in one place, anew until nobody plays."""
    from rich.live import Live

    from duelbench.analysis.cli.tables import stdout_console

    with Live(_shown(folder, found), console=stdout_console(), auto_refresh=False) as screen:
        while found.state == "running":
            time.sleep(SECONDS_BETWEEN_LOOKS)
            found = reader.read()
            screen.update(_shown(folder, found), refresh=True)
    return found


def _print(folder: Path, found: "RunStatus", as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(as_data(folder, found), ensure_ascii=False))
        return
    from duelbench.analysis.cli.tables import stdout_console

    stdout_console().print(_shown(folder, found))


def as_data(folder: Path, found: "RunStatus") -> dict[str, Any]:
    """The status as plain data; what is not known is null."""
    from duelbench.experiments.tallies import standings

    return {
        "run": str(folder),
        "state": found.state,
        "games_done": found.games_done,
        "games_total": found.games_total,
        "games_per_second": found.games_per_second,
        "seconds_left": found.seconds_left,
        "doing": found.doing or None,
        "updated": found.updated,
        "error": found.error or None,
        "continues_with": folders.continuation(folder) if found.stands_still else None,
        "stopped": found.stopped,
        "matchups": [{"matchup": name, "done": done, "total": total} for name, (done, total) in found.matchups.items()],
        "standings": [
            {
                "name": one.name,
                "kind": "deck" if one.deck else "agent",
                "share": one.share.value,
                "low": _number(one.share.low),
                "high": _number(one.share.high),
                "games": one.games,
                "wins": one.wins,
                "draws": one.draws,
                "losses": one.losses,
            }
            for one in standings(found.tally)
        ],
    }


def _number(value: float) -> float | None:
    return value if value == value else None  # JSON has no NaN


def _shown(folder: Path, found: "RunStatus") -> "RenderableType":
    from rich.console import Group
    from rich.text import Text

    from duelbench.analysis.cli.progress import standings_table
    from duelbench.analysis.cli.tables import table
    from duelbench.experiments.tallies import standings

    matchups = [
        (name, f"{done:,}", f"{total:,}", f"{done / total:.0%}") for name, (done, total) in found.matchups.items()
    ]
    parts: list[RenderableType] = [Text(line, overflow="fold") for line in _lines(folder, found)]
    parts.append(table("Games by matchup", ["", "done", "of", ""], matchups))
    if found.tally:
        parts.append(standings_table(standings(found.tally)))
    return Group(*parts)


def _lines(folder: Path, found: "RunStatus") -> list[str]:
    from duelbench.analysis.cli.progress import duration, rounded

    share = found.games_done / found.games_total
    lines = [f"{folder}: {found.state}", f"Games       {found.games_done:,} of {found.games_total:,} ({share:.0%})"]
    if found.games_per_second is not None:
        left = "" if found.seconds_left is None else f", about {duration(found.seconds_left)} left"
        lines.append(f"Pace        {rounded(found.games_per_second)} games/s{left}")
    if found.doing:
        lines.append(f"Now         {found.doing}")
    lines.append(f"Updated     {found.updated}")
    lines += [f"Stopped     {matchup}: {why}" for matchup, why in found.stopped.items()]
    if found.error:
        lines.append(f"Error       {found.error}")
    if found.stands_still:
        lines.append(f"Continue    {folders.continuation(folder)}")
    return lines
