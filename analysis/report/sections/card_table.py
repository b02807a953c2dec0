"""How often each card was drawn, played and on the winning side: what was seen, not what it caused."""

from collections.abc import Mapping, Sequence

import pandas as pd

from duelbench.analysis.report.columns import PERCENT, Cards, Unit, card, measured
from duelbench.analysis.report.content import Section, Table, Words


def card_table(
    frame: pd.DataFrame,
    cards: Cards,
    biases: Sequence[str],
    behind: str,
    meanings: Mapping[str, str] | None = None,
    units: Mapping[str, Unit] | None = None,
) -> Section:
    """`frame` has a line for each card: `card` (its id) and for every rate its value, and under `<rate>_low`,
    `<rate>_high` and `<rate>_deals` its interval and how many deals it was seen in.

    `meanings` say what a rate is, by its name; `units` how it is written, where it is no share. `biases` are what keeps
    the rates from being effects of the cards: they stand above the table.
    """
    rates = [name for name in frame.columns if f"{name}_low" in frame.columns]
    columns = [
        measured(name, name.replace("_", " "), (meanings or {}).get(name, ""), (units or {}).get(name, PERCENT))
        for name in rates
    ]
    table = Table("card_use", "The cards as they were used", frame, (card(cards), *columns), behind)
    warnings = (Words(bias, "warn") for bias in biases)
    return Section("Cards as they were used", (*warnings, table))
