"""Deck against deck: one agent plays both, every deal twice with the decks on exchanged seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from duelbench.agents.agent import Agent
from duelbench.agents.catalogue import make_agent
from duelbench.envs.decks import SEATS, Deck
from duelbench.experiments.match import play_game
from duelbench.experiments.metagame_breeding import Cards
from duelbench.experiments.metagame_config import MetagameConfig, make_metagame_config
from duelbench.experiments.plan import PlannedGame
from duelbench.experiments.seeds import GameSeeds, derived_seed

PLAYER = "player"


@dataclass(frozen=True)
class Meeting:
    """Deals of two decks. Deals of the same `purpose` and number have the same seeds, whichever decks meet."""

    first: Cards
    second: Cards
    purpose: str
    deals: range


class Table:
    """The agent on both seats, ready to play any two decks; made once per process."""

    def __init__(self, config: MetagameConfig) -> None:
        self._config = config
        self._game = config.load_game()
        self._names = {sorted_: deck for deck in config.first_decks if (sorted_ := tuple(sorted(deck.cards)))}
        table = self._game.table(config.rules, decks=list(config.first_decks), cards=config.cards)
        self._agents: tuple[Agent, Agent] = tuple(  # type: ignore[assignment]
            make_agent(self._game, table, config.rules, config.spec, config.folder) for _ in range(2)
        )

    def points(self, meeting: Meeting) -> np.ndarray:
        """float64[deals]: the first deck's share of the points of each deal."""
        shares = np.zeros(len(meeting.deals))
        for swapped in range(2):
            decks = (meeting.second, meeting.first) if swapped else (meeting.first, meeting.second)
            table = self._table(decks)
            for i, deal in enumerate(meeting.deals):
                winner = play_game(self._game, table, self._agents, self._planned(meeting, deal, swapped)).winner
                shares[i] += 0.25 if winner < 0 else 0.5 * (winner == swapped)
        return shares

    def _table(self, decks: tuple[Cards, Cards]) -> np.record:
        by_seat = {seat: self._deck(cards) for seat, cards in zip(SEATS, decks, strict=True)}
        return self._game.table(self._config.rules, decks=by_seat, cards=self._config.cards)

    def _deck(self, cards: Cards) -> Deck:
        known = self._names.get(cards)
        return Deck(PLAYER, "", cards, None if known is None else known.spare)

    def _planned(self, meeting: Meeting, deal: int, swapped: int) -> PlannedGame:
        seed, about = self._config.seed, ("metagame", meeting.purpose, deal)
        first, second, third, fourth = (
            derived_seed(seed, *about, role, seat, swapped)
            for role in ("agent", "determinization")
            for seat in range(2)
        )
        seeds = GameSeeds(derived_seed(seed, *about, "deal"), (first, second), (third, fourth))
        return PlannedGame(2 * deal + swapped, meeting.purpose, deal, (PLAYER, PLAYER), ("", ""), seeds)


_tables: dict[str, Table] = {}


def play_in_worker(given: tuple[str, dict[str, Any], str, Meeting]) -> np.ndarray:
    """`Table.points` for a config given as plain data, in a process that keeps the table for the next meeting."""
    key, data, folder, meeting = given
    if key not in _tables:
        _tables[key] = Table(make_metagame_config(data, Path(folder)))
    return _tables[key].points(meeting)


def pieces(meetings: Sequence[Meeting], size: int) -> list[tuple[int, Meeting]]:
    """The meetings in pieces of at most `size` deals, each with the number of its meeting."""
    return [
        (number, Meeting(m.first, m.second, m.purpose, m.deals[start : start + size]))
        for number, m in enumerate(meetings)
        for start in range(0, len(m.deals), size)
    ]
