"""What would be played: the mixture of decks that no deck beats, and the cards in it."""

import pandas as pd

from duelbench.analysis.payoffs import payoff_matrix
from duelbench.analysis.report.columns import (
    INTERVAL,
    PERCENT,
    PLAIN,
    Cards,
    Column,
    card,
    card_label,
    deals,
    interval,
    number,
    text,
)
from duelbench.analysis.report.content import Block, Plot, Section, Table, Words
from duelbench.analysis.report.plot_dots import dots
from duelbench.analysis.report.plot_shares import bars, heat_map, heat_map_width

SHOWN = 20
"""As many decks or cards a figure has at most; the tables have all."""


def metagame(
    mixture: pd.DataFrame,
    shares: pd.DataFrame,
    cards: Cards,
    behind: str,
    matrix: pd.DataFrame | None = None,
    versus: pd.DataFrame | None = None,
) -> Section:
    """`mixture` has a line for each deck: deck, weight (its part of the mixture), maybe list (its cards in words).
    `shares` has one for each card: card (its id), share (of the cards of the mixture), maybe copies, in_decks and
    share_before. `matrix` has the columns of `analysis.decks.deck_matrix`, for the decks of one agent; `versus` those
    of `analysis.metagame.VERSUS_COLUMNS`: what the mixture scores against other decks."""
    decks = mixture.sort_values("weight", ascending=False, kind="stable")
    used = shares.sort_values("share", ascending=False, kind="stable")
    figure = bars(decks.head(SHOWN), "deck", "weight", "weight in the mixture")
    blocks: list[Block] = [
        Words(
            "The mixture of the pool's decks from which no deck of the pool took more than half of the points in the "
            "games of the search, and the cards it plays. Against other decks, and in other deals, it may do worse."
        ),
        Plot("mixture", "Weight of each deck in the mixture", figure, behind),
        Table("metagame_mixture", "The mixture", decks, _mixture_columns(decks), behind),
    ]
    if versus is not None and len(versus):
        blocks += _versus(versus, behind)
    if matrix is not None and len(matrix):
        blocks.append(_payoffs(list(decks["deck"].head(SHOWN)), matrix, behind))
    shown = used.head(SHOWN)
    figure = bars(
        shown.assign(name=[card_label(cards, card_id) for card_id in shown["card"]]),
        "name",
        "share",
        "share of the mixture's cards",
    )
    blocks += [
        Plot("card-shares", "Share of each card in the mixture, the commonest", figure, behind),
        Table("metagame_cards", "The cards of the mixture", used, _card_columns(used, cards), behind),
    ]
    return Section("Metagame", tuple(blocks))


def _mixture_columns(decks: pd.DataFrame) -> tuple[Column, ...]:
    listed = [text("list", "cards", "Its cards.", wide=True)] if "list" in decks else []
    return (text("deck", label=True), number("weight", help="Its part of the mixture.", unit=PERCENT), *listed)


def _versus(versus: pd.DataFrame, behind: str) -> list[Block]:
    figure = dots(versus, "deck", "share", "points of the mixture", PERCENT, 0.5, "agent")
    columns = (
        text("deck", "against", "The deck that the mixture met.", label=True),
        text("agent", help="The agent that played both sides."),
        number("share", help="Share of the points that the mixture took.", unit=PERCENT),
        interval(),
        deals(),
    )
    label = f"Points of the mixture against each deck, with their {INTERVAL}s"
    table = Table("metagame_versus", "The mixture against each deck", versus, columns, behind)
    return [Plot("versus", label, figure, behind), table]


def _payoffs(order: list[str], matrix: pd.DataFrame, behind: str) -> Plot:
    squares = (payoff_matrix(matrix, order, column, ("deck", "against")) for column in ("share", "low", "high"))
    label = "Deck against deck, in percent of the points, the heaviest in the mixture first"
    return Plot("metagame-payoffs", label, heat_map(order, order, *squares), behind, heat_map_width(len(order)))


def _card_columns(used: pd.DataFrame, cards: Cards) -> tuple[Column, ...]:
    known = {
        "share": number("share", help="Its share of all cards in the mixture.", unit=PERCENT),
        "copies": number("copies", help="Mean number of copies in a deck.", unit=PLAIN),
        "in_decks": number("in_decks", "in decks", "Weight of the decks that have it.", PERCENT),
        "share_before": number("share_before", "share before", "Its share in the decks at the start.", PERCENT),
    }
    return (card(cards), *(column for name, column in known.items() if name in used))
