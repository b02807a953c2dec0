"""What would be played: the mixture of decks that no deck beats, and the cards in it."""

import pandas as pd

from duelbench.analysis.payoffs import payoff_matrix
from duelbench.analysis.report.columns import INTERVAL, PERCENT, Cards, Column, card, card_label, interval, number, text
from duelbench.analysis.report.content import Block, Plot, Section, Table, Words
from duelbench.analysis.report.plots import bars, heat_map, heat_map_width

SHOWN = 30
"""As many decks or cards a figure has at most; the tables have all."""


def metagame(
    mixture: pd.DataFrame, shares: pd.DataFrame, cards: Cards, behind: str, matrix: pd.DataFrame | None = None
) -> Section:
    """`mixture` has a line for each deck: deck, weight (its part of the mixture), and low and high if known. `shares`
    has one for each card: card (its id), share (of the cards of the mixture), low and high if known. `matrix` has the
    columns of `analysis.decks.deck_matrix`, for the decks of one agent."""
    decks = mixture.sort_values("weight", ascending=False, kind="stable")
    used = shares.sort_values("share", ascending=False, kind="stable")
    shown = used.head(SHOWN).assign(name=[card_label(cards, card_id) for card_id in used["card"].head(SHOWN)])
    blocks: list[Block] = [
        Words("The mixture of decks against which no deck takes more than half of the points, and the cards it plays."),
        Plot("mixture", _titled("Weight of each deck in the mixture", decks), _mixture(decks), behind),
        Table("mixture", "The mixture", decks, (text("deck", label=True), *_values("weight", decks)), behind),
    ]
    if matrix is not None:
        blocks.append(_payoffs(list(decks["deck"].head(SHOWN)), matrix, behind))
    figure = bars(shown, "name", "share", "share of the mixture's cards")
    blocks += [
        Plot("card-shares", _titled("Share of each card in the mixture", used), figure, behind),
        Table("card_shares", "The cards of the mixture", used, (card(cards), *_values("share", used)), behind),
    ]
    return Section("Metagame", tuple(blocks))


def _mixture(decks: pd.DataFrame) -> dict:
    return bars(decks.head(SHOWN), "deck", "weight", "weight in the mixture")


def _payoffs(order: list[str], matrix: pd.DataFrame, behind: str) -> Plot:
    squares = (payoff_matrix(matrix, order, column, ("deck", "against")) for column in ("share", "low", "high"))
    label = "Deck against deck, in percent of the points, the heaviest in the mixture first"
    return Plot("metagame-payoffs", label, heat_map(order, order, *squares), behind, heat_map_width(len(order)))


def _values(name: str, frame: pd.DataFrame) -> tuple[Column, ...]:
    return (number(name, unit=PERCENT), *([interval()] if _has_interval(frame) else []))


def _titled(title: str, frame: pd.DataFrame) -> str:
    return f"{title}, with its {INTERVAL}" if _has_interval(frame) else title


def _has_interval(frame: pd.DataFrame) -> bool:
    return {"low", "high"} <= set(frame)
