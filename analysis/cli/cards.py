"""`duelbench cards`: how the cards of a run were used, and what they were worth."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duelbench.analysis.cli import folders
from duelbench.envs.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console

    from duelbench.envs.game import Game


def cards(
    run: Annotated[str, typer.Argument(help="Run folder, or its name under runs/.")],
    agent: Annotated[str | None, typer.Option(metavar="NAME", help="Count the seats of this agent alone.")] = None,
    variant: Annotated[str | None, typer.Option(metavar="NAME", help="Only games with this variant.")] = None,
    by_agent: Annotated[bool, typer.Option("--by-agent", help="A line for each agent and card.")] = False,
    sort: Annotated[str, typer.Option(metavar="COLUMN", help="Column to sort by, the highest first.")] = "iwd",
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all columns to this file.")] = None,
) -> None:
    """Print what each card was worth in a finished run, and how it was used.

    Win rates of copies in the opening hand, in hand at any time and never seen,
    how often and when cards were played, and what came of them. Every game is
    replayed. The file has more columns, each number with its 95% interval and
    the games and deals behind it. Without --agent and --variant the table is also
    kept in RUN/tables, where `duelbench report` finds it.

    \b
    Examples:
      duelbench cards quickstart
      duelbench cards quickstart --agent heuristic --sort opening_wr
      duelbench cards quickstart --by-agent --csv cards.csv
    """
    folder = folders.find_finished_run(run)
    from duelbench.analysis.card_use import card_table
    from duelbench.analysis.cli.progress import display
    from duelbench.analysis.cli.tables import stdout_console
    from duelbench.analysis.table_files import write_table
    from duelbench.experiments.folder import load_run_config

    game = load_run_config(folder, agents_play=False).load_game()
    _check_column(sort, game)
    with display() as shown:
        table = card_table(
            folder, agent, variant, by_agent, lambda done, total: shown.show("replay", done, total, "games")
        )
    table = table.sort_values([sort, "card"], ascending=[False, True], ignore_index=True)
    if csv is not None:
        _write(csv, table)
    if agent is None and variant is None:
        write_table(folder, "cards", table)
    print_cards(stdout_console(), game, table)


def print_cards(console: "Console", game: "Game", table: "pd.DataFrame") -> None:
    """The two tables, what their words mean in the game, and how their columns mislead."""
    from duelbench.analysis.card_columns import BIASES
    from duelbench.analysis.cli.tables import table as plain_table
    from duelbench.envs.card_counts import use_of
    from duelbench.experiments.estimates import MIN_DEALS

    keys, named = _keys(table)
    worth = ["opening hand", "in hand", "never seen", "difference (IWD)", "flag", "deals"]
    if "deck_wr" in table:
        worth.insert(3, "in deck")
    title = "What cards were worth: win rates of their copies, with 95% intervals"
    console.print(plain_table(title, [*keys, *worth], (_worth(named, line) for line in _lines(table)), len(keys)))
    used = ["seen", "played", "won when played", "first turn", "ahead/level/behind", *_OF_EFFECTS, "contests won"]
    title = "How cards were used (the last four: per play)"
    console.print(plain_table(title, [*keys, *used], (_used(named, line) for line in _lines(table)), len(keys)))
    console.print(
        f"–: fewer than {MIN_DEALS} deals with such copies or plays, or no event. *: the difference is not 0."
    )
    for name, meaning in use_of(game).words.items():
        console.print(f"{name}: {meaning}")
    console.print("\nHow the columns, by their names in the file and for --sort, can mislead", style="bold")
    for column, text in BIASES.items():
        console.print(f"{column}: {text}")
    if game.notice:
        console.print(f"Note: {game.notice}", style="yellow")


_OF_EFFECTS = ("fired", "negated", "wasted")
"""Columns that say nothing of a card of whose effect no event tells."""


def _keys(table: "pd.DataFrame") -> tuple[list[str], list[str]]:
    """The headings of the first columns and the columns themselves: agent and variant where there are several."""
    several = [column for column in ("agent", "variant") if table[column].nunique() > 1]
    return ["card", *several], ["name", *several]


def _lines(table: "pd.DataFrame") -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = table.to_dict("records")
    return lines


def _worth(named: list[str], line: dict[str, Any]) -> tuple[Any, ...]:
    rates = [_with_interval(line, column) for column in ("opening_wr", "gih_wr", "gns_wr", "deck_wr") if column in line]
    iwd = _with_interval(line, "iwd", sign="+")
    return (*(line[name] for name in named), *rates, iwd, "*" if line["iwd_flag"] else "", line["deals"])


def _used(named: list[str], line: dict[str, Any]) -> tuple[Any, ...]:
    standing = "/".join(_percent(line[f"{how}_share"]) for how in ("ahead", "level", "behind"))
    shares = [_percent(line["seen_share"]), _percent(line["played_rate"]), _with_interval(line, "played_wr")]
    first = "–" if line["first_turn"] != line["first_turn"] else f"{line['first_turn']:.1f}"
    acts = any(line[what] for what in _OF_EFFECTS)
    effects = [_percent(line[f"{what}_rate"]) if acts else "–" for what in _OF_EFFECTS]
    return (*(line[name] for name in named), *shares, first, standing, *effects, _percent(line["won_rate"]))


def _percent(value: float, sign: str = "") -> str:
    return "–" if value != value else f"{100 * value:{sign}.1f}%"


def _with_interval(line: dict[str, Any], column: str, sign: str = "") -> str:
    value, low, high = (line[f"{column}{end}"] for end in ("", "_low", "_high"))
    return "–" if value != value else f"{_percent(value, sign)} ({100 * low:{sign}.1f} – {100 * high:{sign}.1f})"


def _check_column(sort: str, game: "Game") -> None:
    from duelbench.analysis.card_columns import columns_of
    from duelbench.envs.game import did_you_mean

    if sort not in columns_of(game):
        raise BadInput(f"--sort: there is no column {sort!r}{did_you_mean(sort, columns_of(game))}")


def _write(path: Path, table: "pd.DataFrame") -> None:
    from duelbench.experiments.atomic import write_bytes

    write_bytes(path, table.to_csv(index=False, float_format="%.6g", lineterminator="\n").encode())
