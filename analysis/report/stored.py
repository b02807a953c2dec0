"""Sections from tables that other commands left in a run folder: nothing is computed for them again."""

from collections.abc import Iterator, Mapping

import pandas as pd

from duelbench.analysis.card_columns import BIASES
from duelbench.analysis.findings import sentences
from duelbench.analysis.report.columns import Cards
from duelbench.analysis.report.content import Section
from duelbench.analysis.report.sections.card_table import card_table
from duelbench.analysis.report.sections.effects import effects
from duelbench.analysis.report.sections.findings import findings
from duelbench.analysis.report.sections.metagame import metagame
from duelbench.analysis.report.sections.sweeps import sweeps

EFFECTS = {"card_effects": "Effects of cards", "restricted_play": "Cards that their holder may not play"}
"""Tables of effects by the names of their files, with the titles of their sections."""


def stored_sections(tables: Mapping[str, pd.DataFrame], cards: Cards, behind: str) -> Iterator[Section]:
    """A section for each kind of table that is known, of those of `table_files.stored_tables`: what `duelbench cards`,
    `duelbench balance` and `duelbench metagame` found."""
    told = findings(sentences(tables))
    if told is not None:
        yield told
    for name, title in EFFECTS.items():
        if name in tables:
            yield effects(tables[name], cards, behind, name, title)
    if "sweeps" in tables:
        fair = tables.get("fair_values", pd.DataFrame(columns=["card", "field"]))
        yield sweeps(tables["sweeps"], fair, cards, behind)
    if {"metagame_mixture", "metagame_cards"} <= tables.keys():
        against = tables.get("metagame_versus")
        yield metagame(tables["metagame_mixture"], tables["metagame_cards"], cards, behind, versus=against)
    if "cards" in tables:
        yield card_table(tables["cards"], cards, BIASES, behind)
