"""Deck against deck, and how the decks rank."""

from typing import Any

import pandas as pd

from duelbench.analysis.decks import by_agent, compares_decks, deals_a_pair, how_compared
from duelbench.analysis.payoffs import payoff_matrix
from duelbench.analysis.report.columns import PERCENT, Line, count, deals, interval, number, text, told
from duelbench.analysis.report.content import Block, Plot, Section, Table, Words
from duelbench.analysis.report.data import RunData, told_games
from duelbench.analysis.report.plot_shares import heat_map, heat_map_width

WORDS = (
    "Points of the row's deck against the column's, in percent, above the 95% interval; the best deck comes first. "
    "The share in the table is the mean over all deals against other decks; a deck beats another that it takes "
    "more than half of the points from, and surely so where chance does not explain it (5% false"
    " discoveries over all pairs)."
)


def decks(run: RunData) -> Section | None:
    summary = run.summary
    compared = by_agent(summary.decks, summary.deck_matrix)
    if not compared:
        return None
    parts: list[Block] = [Words(WORDS), *(Words(note, "warn") for note in summary.deck_notes)]
    for i, (agent, ranking, matrix) in enumerate(compared):
        ending = f"_{agent}" if len(compared) > 1 else ""
        parts.append(Words(f"Compared here: {how_compared(agent)}; {deals_a_pair(ranking, matrix)} a pair."))
        parts += _decks_of(run, agent, ranking, matrix, f"decks-{i}", ending)
    return Section("Decks", tuple(parts))


def _decks_of(
    run: RunData, agent: str, ranking: pd.DataFrame, matrix: pd.DataFrame, identifier: str, ending: str
) -> list[Block]:
    order = list(ranking["deck"])
    place = {deck: i for i, deck in enumerate(order)}
    pairs = matrix.sort_values(["deck", "against"], key=lambda names: names.map(place))
    squares = (payoff_matrix(matrix, order, column, ("deck", "against")) for column in ("share", "low", "high"))
    figure, behind = heat_map(order, order, *squares), told_games(_games_of(run.base, agent))
    return [
        Plot(identifier, "Deck against deck, in percent of the points", figure, behind, heat_map_width(len(order))),
        Table(f"decks{ending}", "The decks", ranking, _ranking_columns(run), behind, file="decks"),
        Table(
            f"deck_matrix{ending}", "All pairs of decks as a table", pairs, PAIR_COLUMNS, behind, True, "deck_matrix"
        ),
    ]


def _games_of(rows: pd.DataFrame, agent: str) -> pd.DataFrame:
    """The rows that the comparison by `agent` is made from."""
    mirror = compares_decks(rows)
    compared = mirror & (rows["seat0"] == agent) if mirror.any() else ~mirror
    return rows[compared & (rows["deck0"] != rows["deck1"])]


PAIR_COLUMNS = (
    text("deck", help="The deck whose points these are.", label=True),
    text("against", help="The deck it met."),
    number("share", help="Share of the points that the deck took.", unit=PERCENT),
    interval(),
    deals(),
)


def _ranking_columns(run: RunData) -> tuple[Any, ...]:
    plans = {name: deck.get("plan") or "" for name, deck in (run.config.get("decks") or {}).items()}
    return (
        count("rank", "#", "Place by share."),
        text("deck", help="Name of the deck in the config.", label=True),
        told("plan", "What the deck is meant to do.", lambda line: plans.get(line["deck"], ""), wide=True),
        number("share", help="Mean share of the points over all deals against other decks.", unit=PERCENT),
        interval(),
        told("beats", "Decks it took more than half of the points from; surely: told from chance.", beaten, "beats"),
        deals(),
    )


def beaten(line: Line) -> str:
    return f"{line['beats']} of {line['others']}, {line['beats_surely']} surely"
