"""What a study found, in sentences made from its tables: each with its numbers, its interval and its deals.

Only what is told from chance by the table's own rule is called a difference; what is not is said to be open.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from duelbench.experiments.estimates import counted

Tables = Mapping[str, pd.DataFrame]
"""By the names of their files, as `table_files.stored_tables` reads them."""

MOST_OF_A_KIND = 8
"""As many sentences on the effects of one kind of change there are at most; the table has all."""


def sentences(tables: Tables) -> list[str]:
    """The findings of the tables that are there, in the order in which a reader would ask."""
    found: list[str] = []
    for name, write in _WRITERS.items():
        if name in tables:
            found += write(tables[name])
    return found


def _effects(table: pd.DataFrame) -> Iterator[str]:
    """The cards whose change makes a difference at every strength first, then how many there are in all."""
    for change, lines in table.groupby("change", sort=False):
        discovered = lines[lines["discovered"]]
        order = discovered.groupby("card")["effect"].agg(lambda values: values.abs().max()).sort_values(ascending=False)
        for card in order.index[:MOST_OF_A_KIND]:
            yield _one_card(str(change), lines[lines["card"] == card])
        if lines["card"].nunique() > 1:
            by_agent = discovered.groupby("agent").size()
            counts = [f"{by_agent.get(agent, 0)} of {len(own)} at {agent}" for agent, own in lines.groupby("agent")]
            yield f"{_change(str(change))}: told from chance for {', '.join(counts)} (false discoveries controlled)."
        elif discovered.empty:
            yield _one_card(str(change), lines)


def _one_card(change: str, lines: pd.DataFrame) -> str:
    first = lines.iloc[0]
    parts = [_effect(line) for line in lines.to_dict("records")]
    return f"{first['name']} ({first['name_ja']}), {_change(change)}: {'; '.join(parts)}."


def _change(change: str) -> str:
    return {
        "blank": "with its text rather than without it",
        "dealt_to_other": "in hand rather than dealt to the other seat",
        "never played": "free to be played rather than never played",
    }.get(change, f"as configured rather than changed ({change})")


def _effect(line: Mapping[Any, Any]) -> str:
    if line["note"]:
        return f"at {line['agent']} no answer ({line['note']})"
    told = "" if line["discovered"] else ", not told from chance"
    interval = f"{_points(line['low'])} to {_points(line['high'])}"
    share = f"{_percent(line['share_without'])} to {_percent(line['share_with'])}"
    return f"{_points(line['effect'])} points at {line['agent']} ({interval}; {share}; {line['deals']:,} deals{told})"


def _fair(table: pd.DataFrame) -> Iterator[str]:
    for (name, name_ja, field), lines in table.groupby(["name", "name_ja", "field"], sort=False):
        parts = []
        for line in lines.to_dict("records"):
            if math.isnan(line["fair"]):
                why = str(line["note"]).split(";")[0]  # the table has the rest
                parts.append(f"at {line['agent']} no value tried is fair ({why})")
            else:
                ends = f"{_end(line['low'])} to {_end(line['high'])}"
                parts.append(f"{line['fair']:,.4g} at {line['agent']} ({ends}; {line['deals']:,} deals)")
        printed = lines["printed"].iloc[0]
        yield f"{name} ({name_ja}), {field}, printed {printed:,.6g}; fair would be: {'; '.join(parts)}."


def _rules(table: pd.DataFrame) -> Iterator[str]:
    for (matchup, variant), lines in table.groupby(["matchup", "variant"], sort=False):
        matter = lines[lines["matters"]].to_dict("records")
        told = "; ".join(_measure(line) for line in matter) or "no difference told from chance"
        deals = int(lines["deals"].max())
        yield f"Reading {variant} ({matchup}, {counted(deals, 'deal')}): {told}."


def _measure(line: Mapping[Any, Any]) -> str:
    if line["measure"] == "decisions":
        return f"decisions a game {line['base']:.2f} to {line['value']:.2f}"
    interval = f"{_points(line['low'])} to {_points(line['high'])}"
    return f"{line['measure']} {_percent(line['base'])} to {_percent(line['value'])} ({interval} points)"


def _metagame(table: pd.DataFrame) -> Iterator[str]:
    for agent, lines in table.groupby("agent", sort=False):
        beaten = lines[lines["low"] > 0.5]
        worst = lines.loc[lines["share"].idxmin()]
        hardest = f"{worst['deck']} {_percent(worst['share'])} ({_percent(worst['low'])} to {_percent(worst['high'])})"
        yield (
            f"Played by {agent}, the mixture surely takes more than half of the points from {len(beaten)} of "
            f"{counted(len(lines), 'first deck')}; the hardest is {hardest}."
        )


_WRITERS = {
    "metagame_versus": _metagame,
    "card_effects": _effects,
    "restricted_play": _effects,
    "fair_values": _fair,
    "rule_effects": _rules,
}


def _points(value: float) -> str:
    return f"{100 * value:+.1f}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}%"


def _end(value: float) -> str:
    return "beyond the values tried" if math.isinf(value) else f"{value:,.4g}"
