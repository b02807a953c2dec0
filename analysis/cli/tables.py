"""The tables that commands print."""

import math
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    import pandas as pd

    from duelbench.analysis.summary import Summary

WIDTH_OF_FILES = 200
LONG_NAME = 30


def stdout_console() -> Console:
    """Plain text without control codes, and wide, where stdout is not a terminal."""
    terminal = sys.stdout.isatty()
    width = None if terminal else WIDTH_OF_FILES
    return Console(force_terminal=terminal, width=width, markup=False, highlight=False, emoji=False)


def print_summary(console: Console, summary: "Summary", notice: str = "") -> None:
    """Ranking, payoff matrix, decks, seat advantage and whatever a reader must be told beside them.

    `notice` is that of the game.
    """
    from duelbench.experiments.estimates import counted

    if summary.variants:
        others = counted(len(summary.variants), "other variant")
        which = f"the variant {summary.variant}" if summary.variant else "the game as configured"
        console.print(f"These tables are of {which}; the {others} and what they change are in the report.")
    if len(summary.ratings):
        console.print(ranking_table(summary))
    if len(summary.payoffs):
        console.print(payoff_table(summary))
    _print_decks(console, summary)
    whole, drawn = summary.seats.iloc[0], summary.drawn
    deals = counted(whole.deals, "deal")
    console.print(f"Seat 0 scored {_share(whole.share, whole.low, whole.high)} of the points ({deals}).")
    console.print(f"Drawn: {_share(drawn.value, drawn.low, drawn.high)} of the games ({deals}).")
    for note in filter(None, (*summary.notes, *summary.deck_notes, notice)):
        console.print(f"Note: {note}", style="yellow")


def ranking_table(summary: "Summary") -> Table:
    columns = ["", "agent", "rating", "95% interval", "deals", "won", "drawn", "lost"]
    lines = [
        (r.rank, r.agent, f"{r.rating:.0f}", f"{r.low:.0f} – {r.high:.0f}", r.deals, r.wins, r.draws, r.losses)
        for r in summary.ratings.itertuples()
    ]
    lines += [("–", agent, "none", "sees the hidden cards", "", "", "", "") for agent in summary.unrated]
    return table("Ranking (Bradley–Terry, Elo scale)", columns, lines, text_columns=2)


def payoff_table(summary: "Summary") -> Table:
    """The payoff matrix; every cell has score, interval and number of deals."""
    from duelbench.experiments.estimates import counted

    cells = {
        (r.agent, r.opponent): f"{_percent(r.score)} {_interval(r.low, r.high)}\n{counted(r.deals, 'deal')}"
        for r in summary.payoffs.itertuples()
    }
    lines = [(a, *(cells.get((a, b), "") for b in summary.agents)) for a in summary.agents]
    return table("Points of the row against the column, with their 95% intervals", ["", *summary.agents], lines)


def _print_decks(console: Console, summary: "Summary") -> None:
    """For each agent that compares decks, the decks from the best on, and all against all."""
    from duelbench.analysis.decks import by_agent, how_compared

    for agent, ranking, matrix in by_agent(summary.decks, summary.deck_matrix):
        console.print(deck_ranking_table(f"Decks ({how_compared(agent)})", ranking))
        square = deck_matrix_table(ranking, matrix)
        if _natural_width(console, square) <= console.width:
            console.print(square)
        else:
            console.print("Deck against deck is too wide for this screen: see deck_matrix.csv or the report.")
    if len(summary.decks):
        console.print("A deck beats those from which it took over half of the points, surely if chance would not do.")


def _natural_width(console: Console, made: Table) -> int:
    """The width at which nothing in the table is broken."""
    return console.measure(made, options=console.options.update(max_width=10_000)).maximum


def deck_ranking_table(title: str, ranking: "pd.DataFrame") -> Table:
    from duelbench.analysis.decks import beaten

    columns = ["", "deck", "share", "95% interval", "beats", "deals"]
    lines = (
        (r.rank, r.deck, _percent(r.share), _interval(r.low, r.high) or r.note, beaten(r), r.deals)
        for r in ranking.itertuples()
    )
    return table(title, columns, lines, text_columns=2)


def deck_matrix_table(ranking: "pd.DataFrame", matrix: "pd.DataFrame") -> Table:
    """All against all in whole percents, the columns numbered as the decks rank, so that many fit side by side."""
    from duelbench.analysis.decks import deals_a_pair

    pairs = matrix.itertuples()
    cells = {(r.deck, r.against): f"{100 * r.share:.0f}%\n{_interval(r.low, r.high, 0)}" for r in pairs}
    decks = list(ranking["deck"])
    lines = [(rank, a, *(cells.get((a, b), "") for b in decks)) for rank, a in enumerate(decks, 1)]
    deals = deals_a_pair(ranking, matrix)
    title = f"Points of the row's deck against the column's, with their 95% intervals ({deals} a pair)"
    return table(title, ["", "deck", *map(str, ranking["rank"])], lines, text_columns=2)


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
    return "–" if math.isnan(value) else f"{100 * value:.1f}%"


def _interval(low: float, high: float, digits: int = 1) -> str:
    return "" if math.isnan(low) else f"{100 * low:.{digits}f}–{100 * high:.{digits}f}"
