"""How each card was drawn and played and who won with it: what was seen, not what it caused."""

from collections.abc import Mapping

import pandas as pd

from duelbench.analysis.report.columns import (
    PERCENT,
    PLAIN,
    POINTS,
    Cards,
    Column,
    card,
    card_label,
    count,
    measured,
    text,
)
from duelbench.analysis.report.content import Block, Facts, Section, Table, Words
from duelbench.analysis.report.plot_dots import Mark
from duelbench.analysis.report.sections.forest import forest

TITLES = {
    "opening_wr": "won, in opening hand",
    "gih_wr": "won, in hand",
    "gns_wr": "won, never seen",
    "iwd": "difference (IWD)",
    "deck_wr": "won, in deck",
    "played_wr": "won, played",
}
"""Headings of the win rates; other columns are called by their own names."""
UNITS = {"iwd": POINTS, "first_turn": PLAIN, "fired_rate": PLAIN}
"""How a column is written that is no share."""
FLAG = Mark("iwd_flag", "not 0 (5% false discoveries)", "not told from 0")


def card_table(frame: pd.DataFrame, cards: Cards, biases: Mapping[str, str], behind: str) -> Section:
    """`frame` has a line for each card (and agent and variant): card (its id), and for every rate its value, and under
    `<rate>_low`, `<rate>_high` and `<rate>_deals` its interval and how many deals it was counted from.

    `biases` say by a rate's name what misleads in it; what belongs to no column is about all. They stand above the
    table and explain its columns.
    """
    rates = [name for name in frame if f"{name}_low" in frame and f"{name}_high" in frame]
    several = [name for name in ("agent", "variant") if name in frame and frame[name].nunique() > 1]
    columns: list[Column] = [card(cards), *(text(name) for name in several)]
    columns += [measured(name, _title(name), biases.get(name, ""), UNITS.get(name, PERCENT)) for name in rates]
    columns += [count(name) for name in ("plays", "copies") if name in frame]
    blocks: list[Block] = [
        Words(
            "This is what happened in the games, not what the cards caused. Each number misleads in its way:", "warn"
        ),
        Facts(tuple((_title(name), words) for name, words in biases.items())),
    ]
    if "iwd" in rates:
        blocks += _differences(frame, cards, several, behind)
    table = Table("cards", "The cards as they were used", frame, tuple(columns), behind)
    return Section("Cards as they were used", (*blocks, table))


def _differences(frame: pd.DataFrame, cards: Cards, several: list[str], behind: str) -> list[Block]:
    """Win rate with the card in hand less that without, the largest first; each variant has rows of its own."""
    known = frame[frame["iwd"].notna()]
    names = [card_label(cards, card_id) for card_id in known["card"]]
    if "variant" in several:
        names = ["\n".join(filter(None, pair)) for pair in zip(names, known["variant"], strict=True)]
    lines = known.assign(name=names, low=known["iwd_low"], high=known["iwd_high"], flag=known.get("iwd_flag", False))
    lines = lines.sort_values("iwd", ascending=False, kind="stable")
    label, axis = "Win rate with the card in hand less without it", "difference of win rates"
    mark = FLAG if "iwd_flag" in frame else None
    return list(
        forest("cards", label, behind, lines, "name", "iwd", axis, POINTS, "agent" if "agent" in several else "", mark)
    )


def _title(name: str) -> str:
    return TITLES.get(name, name.replace("_", " "))
