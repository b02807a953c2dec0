"""Deck against deck: one agent plays both, every deal twice with the decks on exchanged seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from duelbench.agents.agent import Agent
from duelbench.agents.catalogue import make_agent
from duelbench.agents.compiled import compiled_player
from duelbench.envs.decks import SEATS, Deck
from duelbench.envs.records import blank
from duelbench.envs.rng import STREAM
from duelbench.experiments.bulk_seeds import derived_seeds
from duelbench.experiments.compiled_games import GAME, play_games
from duelbench.experiments.match import play_game
from duelbench.experiments.metagame_breeding import Cards
from duelbench.experiments.metagame_config import MetagameConfig, make_metagame_config
from duelbench.experiments.plan import PlannedGame
from duelbench.experiments.seeds import GameSeeds, derived_seed

PLAYER = "player"
_ACTIONS_A_GAME = 200
_MOST_ACTIONS = 10**7
"""Room for the actions of games, which are not kept: to begin with, and where a game is given up."""


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
        players = [compiled_player(agent) for agent in self._agents]
        winners = [
            self._winners_in_python(meeting, swapped) if None in players else self._winners(meeting, swapped, players)
            for swapped in range(2)
        ]
        shares = [np.where(won < 0, 0.5, won == swapped) for swapped, won in enumerate(winners)]
        return np.asarray((shares[0] + shares[1]) / 2)

    def _winners(self, meeting: Meeting, swapped: int, players: list[Any]) -> np.ndarray:
        """int8[deals], in compiled code; the same as in Python."""
        deals = np.asarray(meeting.deals)
        games = blank(len(deals), GAME)
        games["deal_seed"] = derived_seeds(self._config.seed, *_about(meeting), deals, "deal")
        for seat in range(2):
            for role, field in (("agent", "agent_seeds"), ("determinization", "world_seeds")):
                seeds = derived_seeds(self._config.seed, *_about(meeting), deals, role, seat, swapped)
                games[field][:, seat] = seeds
        tables = blank(1, self._game.table_dtype)
        tables[0] = self._table(_seated(meeting, swapped))
        first, second = players
        states, streams, worlds = self._game.new_states(2), blank(2, STREAM), blank(2, STREAM)
        mask = np.zeros(self._game.num_actions, np.int8)
        room, done = _ACTIONS_A_GAME * len(deals), 0
        while done < len(games):
            actions = np.zeros(room, np.int16)
            left = games[done:]
            ended = int(play_games(tables, states, left, first, second, streams, worlds, mask, actions))
            assert ended or room < _MOST_ACTIONS, "a compiled agent answered what the rules do not allow"
            done, room = done + ended, 2 * room
        return np.asarray(games["winner"])

    def _winners_in_python(self, meeting: Meeting, swapped: int) -> np.ndarray:
        table = self._table(_seated(meeting, swapped))
        planned = (self._planned(meeting, deal, swapped) for deal in meeting.deals)
        return np.array([play_game(self._game, table, self._agents, game).winner for game in planned], np.int8)

    def _table(self, decks: tuple[Cards, Cards]) -> np.record:
        by_seat = {seat: self._deck(cards) for seat, cards in zip(SEATS, decks, strict=True)}
        return self._game.table(self._config.rules, decks=by_seat, cards=self._config.cards)

    def _deck(self, cards: Cards) -> Deck:
        known = self._names.get(cards)
        return Deck(PLAYER, "", cards, None if known is None else known.spare)

    def _planned(self, meeting: Meeting, deal: int, swapped: int) -> PlannedGame:
        seed, about = self._config.seed, (*_about(meeting), deal)
        first, second, third, fourth = (
            derived_seed(seed, *about, role, seat, swapped)
            for role in ("agent", "determinization")
            for seat in range(2)
        )
        seeds = GameSeeds(derived_seed(seed, *about, "deal"), (first, second), (third, fourth))
        return PlannedGame(2 * deal + swapped, meeting.purpose, deal, (PLAYER, PLAYER), ("", ""), seeds)


def _about(meeting: Meeting) -> tuple[str, str]:
    """How the keys of its seeds begin."""
    return "metagame", meeting.purpose


def _seated(meeting: Meeting, swapped: int) -> tuple[Cards, Cards]:
    return (meeting.second, meeting.first) if swapped else (meeting.first, meeting.second)


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
