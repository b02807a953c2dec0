"""`duelbench bench`: how fast the toolkit is on this machine, and how its peers do beside it."""

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duelbench.envs.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from duelbench.experiments.bench.rows import Row

_BUSY = 0.5
"""Load average before the start above which other work disturbs the figures."""


def bench(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="all games if none is named")] = None,
    peers: Annotated[bool, typer.Option("--peers", help="measure OpenSpiel and PettingZoo in turn")] = False,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="write the rows as JSON")] = None,
    runs: Annotated[int, typer.Option(help="rounds; the median, least and greatest are shown")] = 5,
    seconds: Annotated[float, typer.Option(help="how long each run of each rate takes")] = 1.0,
    measures: Annotated[list[str] | None, typer.Option(metavar="NAME,...", help="only these measures")] = None,
) -> None:
    """Measure speed on one core.

    Rates are per second of processor time, the peers measured in turn in the
    same run. Random choices are part of the work on both sides. A peer plays its
    own game (Leduc poker, Connect Four), so ratios compare decisions, not rules.

    \b
    Measures:
      playout_steps, batch_steps, aec_steps        rules, batches, PettingZoo loop
      search_simulations, search_decisions         IS-MCTS
      soismcts_simulations, pimc_simulations,      other searches
      flat_mc_simulations, oracle_mcts_simulations,
      puct_simulations                             search led by a network
      train_steps                                  PPO, playing and learning
      random_rows, heuristic_rows, replayed_rows   games of a run, whole
      state_bytes, cold_start, warm_start          size of a state, start-up

    \b
    Example:
      duelbench bench --measures batch_steps,aec_steps --runs 3
    """
    from rich.console import Console

    from duelbench.analysis.cli.tables import stdout_console
    from duelbench.envs.registry import game_names, load_game
    from duelbench.experiments.bench.measures import chosen_measures
    from duelbench.experiments.bench.session import measure

    _check(runs, seconds, json)
    chosen = chosen_measures(name for given in measures or [] for name in given.split(",") if name)
    loaded = [load_game(name, "bench") for name in dict.fromkeys(games or game_names())]
    load = _load()
    with Console(stderr=True).status("bench") as status:
        rows = measure(loaded, chosen, runs, seconds, peers, status.update)
    _print(stdout_console(), rows, [game.name for game in loaded])
    typer.echo(load_words(load, os.cpu_count() or 1))
    if json is not None:
        _write(json, rows)


def _check(runs: int, seconds: float, json: Path | None) -> None:
    if runs < 1:
        raise BadInput(f"bench --runs: {runs} given; allowed: a whole number from 1 up")
    if not 0 < seconds <= 3600:
        raise BadInput(f"bench --seconds: {seconds:g} given; allowed: above 0, up to 3600")
    if json is not None and json.is_dir():
        raise BadInput(f"bench --json: {json} is a folder; name a file")
    if json is not None and json.exists() and not json.is_file():
        raise BadInput(f"bench --json: {json} is no ordinary file, and the one to be written would replace it")
    if json is not None and not json.parent.is_dir():
        raise BadInput(f"bench --json: there is no folder {json.parent}")


def _load() -> float | None:
    """Processes that wanted to run in the last minute, where the system tells."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def _print(console: "Console", rows: "list[Row]", games: list[str]) -> None:
    from duelbench.analysis.cli.tables import table

    numbers = ["median", "min", "max"]
    for game in games:
        lines = [(r.measure, r.unit, *_numbers(r), _ratio(r)) for r in rows if r.game == game]
        console.print(table(f"{game} on one core", ["measure", "unit", *numbers, "x peer"], lines, text_columns=2))
    peers = [(r.game, r.measure, *_numbers(r)) for r in rows if r.game not in games]
    if peers:
        console.print(table("Peers on the same core, in turn", ["peer", "measure", *numbers], peers, text_columns=2))


def _numbers(row: "Row") -> tuple[str, ...]:
    return tuple(number_words(number, row.unit) for number in (row.value, row.min, row.max))


def _ratio(row: "Row") -> str:
    return "" if row.ratio is None else f"{row.ratio:.3g}"


def number_words(value: float, unit: str) -> str:
    """Three digits, with k or M for rates; bytes in full."""
    if unit == "bytes":
        return f"{value:.0f}"
    scale, letter = next((s, letter) for s, letter in ((1e6, "M"), (1e3, "k"), (0, "")) if value >= s)
    digits = value / (scale or 1)
    return f"{digits:.{max(0, 2 - len(str(int(digits))) + 1)}f}{letter}"


def load_words(load: float | None, cores: int) -> str:
    """How busy the machine was before the start, with a warning when that blurs the figures."""
    if load is None:
        return f"{cores} cores; this system does not tell how busy it is"
    words = f"{cores} cores, load {load:.2f} before the start"
    if load <= _BUSY:
        return words
    return f"{words}: the machine was busy, so compare ratios rather than single figures, or repeat when it is idle"


def _write(path: Path, rows: "list[Row]") -> None:
    from duelbench.experiments.atomic import write_json

    write_json(path, [dataclasses.asdict(row) for row in rows])
