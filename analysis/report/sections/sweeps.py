"""What a card's number is worth: its holder's points as the number changes, and where they are fair."""

from collections.abc import Mapping

import pandas as pd

from duelbench.analysis.report.columns import PERCENT, Cards, Unit, card, card_label, interval, number, text
from duelbench.analysis.report.content import Block, Plot, Section, Table, Words
from duelbench.analysis.report.plots import Fair, curve

VALUE = Unit(1, 2)


def sweeps(
    frame: pd.DataFrame,
    cards: Cards,
    behind: str,
    fair: Mapping[tuple[str, str], Fair] | None = None,
    reference: float = 0.5,
) -> Section:
    """`frame` has a line for each value that was tried: card (its id), field (what was changed on it), value, share (of
    the points of who holds it), low, high. `fair` is by (card, field) where the share crosses `reference`."""
    fair = fair or {}
    blocks: list[Block] = [
        Words(
            "Points of who holds the card as one of its numbers is changed, with the band of the intervals. The dotted "
            f"line is fair ({PERCENT.text(reference)}); the diamond is the fair value, with its interval shaded."
        )
    ]
    for (card_id, field), lines in frame.groupby(["card", "field"], sort=False):
        english, _ = cards.get(card_id, (card_id, ""))
        axes = (f"{field} of {english}", "points of the holder")
        figure = curve(lines, "value", "share", axes, reference, fair.get((card_id, field)))
        label = f"{card_label(cards, card_id)}: points of its holder by {field}{_fair_told(fair.get((card_id, field)))}"
        blocks.append(Plot(f"sweep-{card_id}-{field}", label, figure, behind))
    columns = (
        card(cards),
        text("field", help="What was changed on the card."),
        number("value", help="What it was changed to.", unit=Unit(1, 0)),
        number("share", help="Share of the points of who holds it.", unit=PERCENT),
        interval(),
    )
    blocks.append(Table("sweeps", "All values that were tried", frame, columns, behind))
    return Section("What a number is worth", tuple(blocks))


def _fair_told(fair: Fair | None) -> str:
    if fair is None or pd.isna(fair.value):
        return "; no value tried is fair"
    if pd.isna(fair.low) or pd.isna(fair.high):
        return f"; fair at {VALUE.text(fair.value)}"
    return f"; fair at {VALUE.text(fair.value)} ({VALUE.between(fair.low, fair.high)})"
