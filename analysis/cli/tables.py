"""The tables that commands print."""

import math
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from duelbench.analysis.summary import Summary

WIDTH_OF_FILES = 200
LONG_NAME = 30


def stdout_console() -> Console:
    """Plain text without control codes, and wide, where stdout is not a terminal."""
    terminal = sys.stdout.isatty()
    width = None if terminal else WIDTH_OF_FILES
    return Console(force_terminal=terminal, width=width, markup=False, highlight=False, emoji=False)


def print_summary(console: Console, summary: "Summary") -> None:
    """Ranking, payoff matrix, seat advantage and whatever a reader must be told beside them."""
    if len(summary.ratings):
        console.print(ranking_table(summary))
    console.print(payoff_table(summary))
    whole = summary.seats.iloc[0]
    console.print(f"Seat 0 scored {_share(whole.share, whole.low, whole.high)} of the points ({whole.deals} deals).")
    drawn = summary.drawn
    console.print(f"Drawn: {_share(drawn.value, drawn.low, drawn.high)} of the games ({drawn.deals} deals).")
    for note in summary.notes:
        console.print(f"Note: {note}", style="yellow")


def ranking_table(summary: "Summary") -> Table:
    columns = ["", "agent", "rating", "95% interval", "deals", "won", "drawn", "lost"]
    lines = (
        (r.rank, r.agent, f"{r.rating:.0f}", f"{r.low:.0f} – {r.high:.0f}", r.deals, r.wins, r.draws, r.losses)
        for r in summary.ratings.itertuples()
    )
    return table("Ranking (Bradley–Terry, Elo scale)", columns, lines, text_columns=2)


def payoff_table(summary: "Summary") -> Table:
    """The payoff matrix; every cell has score, interval and number of deals."""
    pairs = summary.payoffs.itertuples()
    cells = {(r.agent, r.opponent): f"{_percent(r.score)} {_interval(r.low, r.high)}\n{r.deals} deals" for r in pairs}
    lines = [(a, *(cells.get((a, b), "") for b in summary.agents)) for a in summary.agents]
    return table("Points of the row against the column, with their 95% intervals", ["", *summary.agents], lines)


def table(title: str, columns: list[str], lines: Iterable[tuple[Any, ...]], text_columns: int = 1) -> Table:
    """Plain cells; all but the first `text_columns` are set to the right, as numbers are.

    In a narrow terminal cells are broken but never cut off; names in the first column stay whole unless very long.
    """
    rows = [[str(cell) for cell in line] for line in lines]
    whole = max((len(row[0]) for row in rows), default=0) <= LONG_NAME
    made = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    for i, column in enumerate(columns):
        side: Literal["left", "right"] = "left" if i < text_columns else "right"
        made.add_column(column, justify=side, overflow="fold", no_wrap=whole and i == 0)
    for row in rows:
        made.add_row(*row)
    return made


def _share(value: float, low: float, high: float) -> str:
    interval = _interval(low, high)
    return f"{_percent(value)} ({interval})" if interval else _percent(value)


def _percent(value: float) -> str:
    return f"{100 * value:.1f}%"


def _interval(low: float, high: float) -> str:
    return "" if math.isnan(low) else f"{100 * low:.1f}–{100 * high:.1f}"
