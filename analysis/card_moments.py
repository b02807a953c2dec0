"""Sums over deals of what cards did, from which every statistic of cards is made; see `ratios`.

Sums of whole numbers, points being counted in half wins: the same games make the same sums in whatever order and in
however many pieces they are added.
"""

from typing import NamedTuple

import numpy as np

from duelbench.envs.card_counts import FAULTS, READER, count_game, use_of
from duelbench.envs.card_use import (
    AHEAD,
    BEHIND,
    COPIES,
    DEALT,
    DRAWN,
    FIRED,
    FIRST_TURN,
    LEVEL,
    NEGATED,
    TAKEN,
    WASTED,
    WAYS,
    WON,
    CardUse,
)
from duelbench.envs.dispatch import DRAWN as DRAWN_GAME
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.records import blank

# --- Measures -------------------------------------------------------------------------------------------------

_NAMES = (
    "copies dealt drawn taken came seen unseen plays played sides_played first_turn ahead level behind fired negated "
    "wasted won copies_points dealt_points seen_points unseen_points played_points"
).split()
(
    M_COPIES,
    M_DEALT,
    M_DRAWN,
    M_TAKEN,
    M_CAME,  # copies that came into the hand in whatever way, each time anew
    M_SEEN,  # copies dealt or drawn, at most those of the deck
    M_UNSEEN,  # copies that never were in hand
    M_PLAYS,
    M_PLAYED,  # copies played, at most those that came
    M_SIDES_PLAYED,  # 1 if the card was played at all
    M_FIRST_TURN,
    M_AHEAD,
    M_LEVEL,
    M_BEHIND,
    M_FIRED,
    M_NEGATED,
    M_WASTED,
    M_WON,
    M_COPIES_POINTS,  # half wins of the seat, once for each copy that the measure of this name counts
    M_DEALT_POINTS,
    M_SEEN_POINTS,
    M_UNSEEN_POINTS,
    M_PLAYED_POINTS,
    M_WAYS,  # then for each way: plays, 1 if it was played so at all, points in that case
) = range(len(_NAMES) + 1)
_BY_WAY = ("plays", "sides", "points")


def measures_of(use: CardUse) -> tuple[str, ...]:
    """The names of the measures of a game, in order; those of a way are `set_plays`, `set_sides`, `set_points`."""
    return (*_NAMES, *(f"{way}_{what}" for way in use.ways for what in _BY_WAY))


@rule
def measure(tally, seat, card, points, one_pack, values):
    """Write the measures of one seat and card in one game into values[seat]; `points`: 2 won, 1 drawn, 0 lost.

    Arrays are indexed and not sliced: in compiled code each slice costs more than what is computed here.
    """
    copies, dealt, taken = tally[seat, COPIES, card], tally[seat, DEALT, card], tally[seat, TAKEN, card]
    from_deck = dealt + tally[seat, DRAWN, card]
    seen = min(from_deck, copies)
    unseen = copies - max(seen, min(taken, copies))
    if one_pack:
        had = from_deck + taken
        for place in (DEALT, DRAWN, TAKEN):
            had += tally[1 - seat, place, card]
        unseen = 1 if had == 0 else 0
    plays = 0
    for way in range(tally.shape[1] - WAYS):
        count = tally[seat, WAYS + way, card]
        used, at = min(count, 1), M_WAYS + 3 * way
        values[seat, at], values[seat, at + 1], values[seat, at + 2] = count, used, points * used
        plays += count
    played = min(plays, 1)
    values[seat, M_COPIES], values[seat, M_DEALT], values[seat, M_DRAWN] = copies, dealt, from_deck - dealt
    values[seat, M_TAKEN], values[seat, M_CAME] = taken, from_deck + taken
    values[seat, M_SEEN], values[seat, M_UNSEEN] = seen, unseen
    values[seat, M_PLAYS], values[seat, M_PLAYED] = plays, min(plays, from_deck + taken)
    values[seat, M_SIDES_PLAYED], values[seat, M_FIRST_TURN] = played, tally[seat, FIRST_TURN, card]
    values[seat, M_AHEAD], values[seat, M_LEVEL] = tally[seat, AHEAD, card], tally[seat, LEVEL, card]
    values[seat, M_BEHIND], values[seat, M_WON] = tally[seat, BEHIND, card], tally[seat, WON, card]
    values[seat, M_FIRED], values[seat, M_NEGATED] = tally[seat, FIRED, card], tally[seat, NEGATED, card]
    values[seat, M_WASTED] = tally[seat, WASTED, card]
    values[seat, M_COPIES_POINTS], values[seat, M_DEALT_POINTS] = points * copies, points * dealt
    values[seat, M_SEEN_POINTS], values[seat, M_UNSEEN_POINTS] = points * seen, points * unseen
    values[seat, M_PLAYED_POINTS] = points * played


# --- Sums -----------------------------------------------------------------------------------------------------


class Games(NamedTuple):
    """Some games, those of a deal side by side: arrays with one entry a game unless said otherwise."""

    which: np.ndarray
    """int64, index of the game's table"""
    seeds: np.ndarray
    """uint64, of the deals"""
    actions: np.ndarray
    """int16, of all games, one after the other"""
    starts: np.ndarray
    """int64[games + 1], where the actions of each begin"""
    winners: np.ndarray
    """int8, as stored"""
    groups: np.ndarray
    """int64[games, 2], the group that each seat counts for, LEFT_OUT for none"""
    new_deal: np.ndarray
    """int8, 1 for the first game of a deal"""


LEFT_OUT = -1
WRONG_WINNER = len(FAULTS)


class Sums(NamedTuple):
    """Sums by group and card, int64."""

    sums: np.ndarray
    """[groups, cards, measures]"""
    products: np.ndarray
    """[groups, cards, pairs], sums over deals of the products of two measures"""
    games: np.ndarray
    """[groups, cards, measures], games in which the measure is not 0"""
    deals: np.ndarray
    """[groups, cards, measures], deals in which it is not 0"""
    totals: np.ndarray
    """[groups, 2], games and deals of the group"""


class _Scratch(NamedTuple):
    reader: np.ndarray
    last_played: np.ndarray
    player: np.ndarray
    mask: np.ndarray
    tally: np.ndarray
    values: np.ndarray  # [2, measures]
    of_deal: np.ndarray  # [groups, cards, measures]
    games_of_deal: np.ndarray  # [groups]


@rule
def _add_games(tables, states, games, meanings, actors, one_pack, pairs, total, scratch):
    """Replay the games and add them; returns the game that is faulty, with its fault, or (-1, 0)."""
    for i in range(games.seeds.shape[0]):
        if games.new_deal[i]:
            _close_deal(pairs, total, scratch)
        which = games.which[i]
        fault = count_game(
            tables[which],
            states[0],
            games.seeds[i],
            games.actions[games.starts[i] : games.starts[i + 1]],
            meanings,
            actors[which],
            scratch.reader[0],
            scratch.last_played,
            scratch.player,
            scratch.mask,
            scratch.tally,
        )
        if fault == 0 and states[0].winner != games.winners[i]:
            fault = WRONG_WINNER
        if fault != 0:
            return i, fault
        _add_game(games.groups[i], games.winners[i], one_pack, total, scratch)
    _close_deal(pairs, total, scratch)
    return -1, 0


@rule
def _add_game(groups, winner, one_pack, total, scratch):
    """A game in which both seats count for one group and have the card is still one game."""
    for seat in range(2):
        group = groups[seat]
        if group != LEFT_OUT and (seat == 0 or groups[0] != group):
            total.totals[group, 0] += 1
            scratch.games_of_deal[group] += 1
    tally, values, of_deal, games = scratch.tally, scratch.values, scratch.of_deal, total.games
    one, two = groups[0], groups[1]
    for card in range(tally.shape[2]):
        for seat in range(2):
            measure(tally, seat, card, 1 if winner == DRAWN_GAME else 2 * (winner == seat), one_pack, values)
        for m in range(values.shape[1]):
            first, second = values[0, m], values[1, m]
            if one != LEFT_OUT and first != 0:
                of_deal[one, card, m] += first
                games[one, card, m] += 1
            if two != LEFT_OUT and second != 0:
                of_deal[two, card, m] += second
                games[two, card, m] += one != two or first == 0


@rule
def _close_deal(pairs, total, scratch):
    """A deal is complete: add what it brought, and the products of it."""
    of_deal, sums, products, deals = scratch.of_deal, total.sums, total.products, total.deals
    for group in range(of_deal.shape[0]):
        if scratch.games_of_deal[group] == 0:
            continue
        scratch.games_of_deal[group] = 0
        total.totals[group, 1] += 1
        for card in range(of_deal.shape[1]):
            for p in range(pairs.shape[0]):
                products[group, card, p] += of_deal[group, card, pairs[p, 0]] * of_deal[group, card, pairs[p, 1]]
            for m in range(of_deal.shape[2]):
                sums[group, card, m] += of_deal[group, card, m]
                deals[group, card, m] += of_deal[group, card, m] != 0
                of_deal[group, card, m] = 0


class CardMoments:
    """The sums for some groups of seats, added game by game; `pairs` are the measures whose products are wanted."""

    def __init__(self, game: Game, pairs: list[tuple[str, str]]) -> None:
        self.game = game
        self.measures = {name: m for m, name in enumerate(measures_of(use_of(game)))}
        self.pairs = {pair: p for p, pair in enumerate(dict.fromkeys(pairs))}
        self.groups: dict[tuple[str, ...], int] = {}
        self.total = self._blank(0)

    def group(self, key: tuple[str, ...]) -> int:
        """The number of a group, which begins with nothing when it is first asked for."""
        if key not in self.groups:
            self.groups[key] = len(self.groups)
            self.total = Sums(*(np.concatenate(both) for both in zip(self.total, self._blank(1), strict=True)))
        return self.groups[key]

    def add(self, tables: list[np.record], games: Games, names: list[str]) -> None:
        """Replay the games and add them. Raises BadInput for one that is no game, by its name in `names`."""
        use, stacked = use_of(self.game), blank(len(tables), self.game.table_dtype)
        for i, table in enumerate(tables):
            stacked[i] = table
        actors = np.stack([use.actor_table(table) for table in tables])
        states, scratch, pairs = self.game.new_states(1), self._scratch(use), self._pair_numbers()
        at, fault = _add_games(
            stacked, states, games, use.meaning_table, actors, use.one_pack, pairs, self.total, scratch
        )
        if fault:
            told = (*FAULTS, f"another winner than {games.winners[at]}")[fault]
            raise BadInput(f"{names[at]} has {told}; `duelbench verify` tells more")

    def merge(self, other: "CardMoments") -> None:
        """Add the sums of other deals of the same game, with the same pairs."""
        for key, theirs in other.groups.items():
            mine = self.group(key)
            for own, added in zip(self.total, other.total, strict=True):
                own[mine] += added[theirs]

    def _blank(self, groups: int) -> Sums:
        cards, measures = len(self.game.card_ids), len(self.measures)
        by_measure = [np.zeros((groups, cards, measures), np.int64) for _ in range(3)]
        products = np.zeros((groups, cards, len(self.pairs)), np.int64)
        return Sums(by_measure[0], products, by_measure[1], by_measure[2], np.zeros((groups, 2), np.int64))

    def _pair_numbers(self) -> np.ndarray:
        numbers = [(self.measures[a], self.measures[b]) for a, b in self.pairs]
        return np.array(numbers, np.int64).reshape(-1, 2)

    def _scratch(self, use: CardUse) -> _Scratch:
        cards, measures, groups = len(self.game.card_ids), len(self.measures), len(self.groups)
        return _Scratch(
            reader=blank(1, READER),
            last_played=np.zeros((2, len(use.ways)), np.int16),
            player=np.zeros(cards, np.int8),
            mask=np.zeros(self.game.num_actions, np.int8),
            tally=np.zeros((2, use.measures, cards), np.int32),
            values=np.zeros((2, measures), np.int64),
            of_deal=np.zeros((groups, cards, measures), np.int64),
            games_of_deal=np.zeros(groups, np.int64),
        )
