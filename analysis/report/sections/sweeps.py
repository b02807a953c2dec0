"""What a card's number is worth: its holder's points as the number changes, and where they are fair."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from duelbench.analysis.report.columns import (
    INTERVAL,
    PERCENT,
    Cards,
    Line,
    Unit,
    card,
    card_label,
    deals,
    interval,
    missing,
    number,
    text,
    told,
)
from duelbench.analysis.report.content import Block, Plot, Section, Table, Words
from duelbench.analysis.report.plot_curves import Fair, curves

VALUE = Unit(1, 2)


def sweeps(frame: pd.DataFrame, fair: pd.DataFrame, cards: Cards, behind: str) -> Section:
    """`frame` has a line for each value that was tried: card (its id), field (what was changed on it), value, agent,
    share (of the points of who holds it), low, high, deals, note. `fair` has one for each card, field and agent:
    printed (the value as configured), fair (NaN where none was found), low, high (infinite outside the values tried),
    reference (the share of a fair card), deals, note; it may be without lines."""
    blocks: list[Block] = [
        Words(
            "Points of who holds the card as one of its numbers is changed, with the band of the intervals. A dotted "
            "line is what a fair card takes; a diamond is the value at which it would be fair, with its interval."
        )
    ]
    for (card_id, field), lines in frame.groupby(["card", "field"], sort=False):
        english, _ = cards.get(card_id, (card_id, ""))
        found = fair[(fair["card"] == card_id) & (fair["field"] == field)].to_dict("records")
        axes = (f"{field.replace('_', ' ')} of {english}", "points of the holder")
        figure = curves(lines, axes, {line["agent"]: Fair(*(line[name] for name in FAIR)) for line in found})
        label = f"{card_label(cards, card_id)}: points of its holder by {field}{_fair_told(found)}"
        blocks.append(Plot(f"sweep-{card_id}-{field}", label, figure, behind))
    if len(fair):
        blocks.append(Table("fair_values", "Fair values", fair, _fair_columns(cards), behind))
    columns = (
        card(cards),
        text("field", help="What was changed on the card."),
        number("value", help="What it was changed to.", unit=Unit(1, 0)),
        text("agent", help="The agent that played both sides."),
        number("share", help="Share of the points of who holds it.", unit=PERCENT),
        interval(),
        deals(),
    )
    blocks.append(Table("sweeps", "All values that were tried", frame, columns, behind, folded=True))
    return Section("What a number is worth", tuple(blocks))


FAIR = ("fair", "low", "high", "reference")


def _fair_columns(cards: Cards) -> tuple[Any, ...]:
    return (
        card(cards),
        text("field", help="The number on the card."),
        text("agent", help="The agent that played both sides."),
        number("printed", help="The number as configured.", unit=Unit(1, 0)),
        number("fair", help="The number at which its holder takes what a fair card takes.", unit=VALUE),
        told(INTERVAL, "Interval of the fair number; open where it leaves the values tried.", _ends, "low"),
        number("reference", "fair share", "What the holder of a fair card takes.", PERCENT),
        deals(),
        text("note", "remark", wide=True),
    )


def _ends(line: Line) -> str:
    if missing(line["low"]) or missing(line["high"]):
        return "none"
    low, high = line["low"], line["high"]
    if math.isinf(low) and math.isinf(high):
        return "anything"
    if math.isinf(low):
        return f"up to {VALUE.text(high)}"
    return f"from {VALUE.text(low)}" if math.isinf(high) else VALUE.between(low, high)


def _fair_told(found: list[Mapping[Any, Any]]) -> str:
    told_of = [
        f"{line['agent']}: no value tried is fair" if missing(line["fair"]) else
        f"{line['agent']}: fair at {VALUE.text(line['fair'])} ({_ends(line)})"
        for line in found
    ]  # fmt: skip
    return "".join(f"; {told}" for told in told_of)
