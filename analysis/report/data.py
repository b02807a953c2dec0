"""What the parts of a report are made from: one run's config, manifest, rows and tables."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from duelbench.analysis.deal_kinds import counts_of
from duelbench.analysis.decks import compares_decks
from duelbench.analysis.payoffs import of_variant
from duelbench.analysis.report.columns import Cards, card_names
from duelbench.analysis.report.content import Section
from duelbench.analysis.summary import Summary
from duelbench.envs.game import Game
from duelbench.envs.registry import game_names, load_game
from duelbench.experiments.estimates import counted

Data = dict[str, Any]
"""What is read from YAML and JSON."""


@dataclass(frozen=True)
class RunData:
    """One run: `folder` is how commands name it, `rows` are those of `analysis.game_results.Results`."""

    folder: str
    config: Data
    manifest: Data
    rows: pd.DataFrame
    """of all variants of the game"""
    summary: Summary
    extra: tuple[Section, ...] = ()
    """Sections that need more than the rows, as `stored_sections` makes them; they follow the others."""

    @property
    def name(self) -> str:
        return str(self.config["name"])

    @cached_property
    def game(self) -> Game | None:
        """None for a game that this toolkit does not know (any more)."""
        return load_game(self.config["game"]) if self.config["game"] in game_names() else None

    @property
    def title(self) -> str:
        return f"{self.game.title}（{self.game.title_ja}）" if self.game else str(self.config["game"])

    @property
    def cards(self) -> Cards:
        return card_names(self.game)

    @cached_property
    def base(self) -> pd.DataFrame:
        """The rows of the game as the config has it, which all tables are about that do not say otherwise."""
        return of_variant(self.rows, self.summary.variant)

    @property
    def games(self) -> str:
        """What tables over all games are counted from."""
        return told_games(self.base)

    @property
    def swapped(self) -> str:
        """What was exchanged between the two games of a deal."""
        mirror = compares_decks(self.base)
        if not mirror.any():
            return "seats"
        return "decks" if mirror.all() else "seats (where an agent met itself, the decks)"

    @property
    def meetings(self) -> pd.DataFrame:
        """The games of two different agents."""
        return self.base[~compares_decks(self.base)]

    @property
    def rated(self) -> str:
        """What tables of the rated agents are counted from."""
        games, unrated = self.meetings, self.summary.unrated
        return told_games(games[~(games["seat0"].isin(unrated) | games["seat1"].isin(unrated))])


def told_games(rows: pd.DataFrame) -> str:
    """How many games and deals the rows are."""
    deals = int(counts_of(rows)[~rows.duplicated(["matchup", "deal"])].sum())
    return f"{counted(number_of_games(rows), 'game')} of {counted(deals, 'deal')}"


def number_of_games(rows: pd.DataFrame) -> int:
    """How many games the rows stand for."""
    return int(counts_of(rows).sum())


def inline(value: Any) -> str:
    """Plain data on one line."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {inline(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return " ".join(map(inline, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
