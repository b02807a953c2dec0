"""The uses of every card in a game, counted while it is replayed; one kernel for all games (see `card_use`)."""

from collections.abc import Iterable

import numpy as np

from duelbench.envs.card_use import (
    AHEAD,
    AWAITS,
    BEHIND,
    CLOSES,
    DEALT,
    DRAWN,
    DRAWS,
    EFFECT,
    FIRED,
    FIRES,
    FIRST_TURN,
    LEVEL,
    NEGATED,
    NEGATES,
    NONE,
    OPENING_ENDS,
    OWNED,
    TAKEN,
    TAKES,
    TURN_BEGINS,
    UNFIRES,
    WASTED,
    WASTES,
    WAYS,
    WINS,
    WON,
    CardUse,
    lead,
    write_copies,
)
from duelbench.envs.dispatch import apply, deal, legal
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.records import blank

SOUND, ILLEGAL, OVER_EARLY, NOT_OVER = range(4)
FAULTS = ("", "illegal actions", "actions after its end", "no end after all its actions")
"""What a stored game may hold that is wrong."""

READER = np.dtype(
    [
        ("read_turn", np.int32),  # the turn, from 1
        ("opening", np.int8),  # 1 until the opening is over
        ("last_kind", np.int8),  # of the event before this one
        ("awaiting", np.int16),  # the card whose effect is awaited, or NONE
        ("awaiting_seat", np.int8),
        ("awaited", np.int8),  # 1: it has come
    ],
    align=True,
)
"""What has to be remembered from event to event."""


@rule
def begin_reading(table, state, reader, last_played, player, tally):
    """Blank everything for a game that has just been dealt."""
    reader.read_turn = 0
    reader.opening = 1
    reader.last_kind = reader.awaiting = NONE
    last_played[:] = NONE
    player[:] = NONE
    tally[:] = 0
    write_copies(table, state, tally)


@rule
def read_events(state, ahead, meanings, actors, reader, last_played, player, tally):
    """Count what the last action caused; `ahead` is the lead of seat 0 before it."""
    for i in range(state.n_events):
        event = state.events[i]
        meaning = meanings[event.kind]
        if meaning.unless_after == NONE or meaning.unless_after != reader.last_kind:
            read_flow(meaning.marks, event.card, event.seat, reader, tally)
            if 0 <= event.card < tally.shape[2]:
                read_card(meaning, event, ahead, reader, last_played, player, tally)
            read_actor(meaning, event.seat, actors[event.kind], last_played, tally)
        reader.last_kind = event.kind


@rule
def read_flow(marks, card, seat, reader, tally):
    """Turns, the end of the opening, and effects that are awaited."""
    if marks & TURN_BEGINS:
        reader.read_turn += 1
    if marks & OPENING_ENDS:
        reader.opening = 0
    if marks & EFFECT:
        reader.awaited = 1
    if marks & CLOSES and reader.awaiting != NONE:
        if reader.awaited == 0:
            tally[reader.awaiting_seat, WASTED, reader.awaiting] += 1
        reader.awaiting = NONE
    if marks & AWAITS:
        reader.awaiting, reader.awaiting_seat, reader.awaited = card, seat, 0


@rule
def read_card(meaning, event, ahead, reader, last_played, player, tally):
    """What the event says of the card that it names."""
    marks, card, seat = meaning.marks, event.card, np.int64(event.seat)
    if marks & OWNED:
        seat = np.int64(player[card])
        if seat == NONE:
            return
    if marks & DRAWS:
        tally[seat, DEALT if reader.opening else DRAWN, card] += 1
    if marks & TAKES:
        tally[seat, TAKEN, card] += 1
    if meaning.way != NONE:
        note_play(meaning.way, card, seat, ahead if seat == 0 else -ahead, reader, tally)
        last_played[seat, meaning.way] = card
        player[card] = seat
    if marks & FIRES:
        tally[seat, FIRED, card] += 1
    if marks & UNFIRES:
        tally[seat, FIRED, card] -= 1
    if marks & NEGATES:
        tally[seat, NEGATED, card] += 1
    if marks & WASTES or (meaning.wasted_value != NONE and meaning.wasted_value == event.value):
        tally[seat, WASTED, card] += 1
    if marks & WINS:
        tally[seat, WON, card] += 1


@rule
def note_play(way, card, seat, standing, reader, tally):
    tally[seat, WAYS + way, card] += 1
    if standing > 0:
        tally[seat, AHEAD, card] += 1
    elif standing == 0:
        tally[seat, LEVEL, card] += 1
    else:
        tally[seat, BEHIND, card] += 1
    if tally[seat, FIRST_TURN, card] == 0:
        tally[seat, FIRST_TURN, card] = reader.read_turn


@rule
def read_actor(meaning, seat, actor, last_played, tally):
    """The card that fires with an event which names another one."""
    card = np.int64(actor)
    if meaning.actor_way != NONE:
        card = np.int64(last_played[seat, meaning.actor_way])
    if card != NONE:
        tally[seat, FIRED, card] += 1


@rule
def count_game(table, state, seed, actions, meanings, actors, reader, last_played, player, mask, tally):
    """Replay the game and count; returns what is wrong with it, SOUND for nothing. Every action is checked."""
    deal(table, state, seed)
    begin_reading(table, state, reader, last_played, player, tally)
    read_events(state, 0, meanings, actors, reader, last_played, player, tally)
    for action in actions:
        if state.over:
            return OVER_EARLY
        legal(table, state, mask)
        if not 0 <= action < mask.shape[0] or mask[action] == 0:
            return ILLEGAL
        ahead = lead(table, state)
        apply(table, state, action)
        read_events(state, ahead, meanings, actors, reader, last_played, player, tally)
    return SOUND if state.over else NOT_OVER


@rule
def _read_first(tables, states, ahead, opening, meanings, actors, readers, last_played, player, tally):
    if opening:
        begin_reading(tables[0], states[0], readers[0], last_played, player, tally)
    read_events(states[0], ahead, meanings, actors, readers[0], last_played, player, tally)


@rule
def _lead_first(tables, states):
    return lead(tables[0], states[0])


def use_of(game: Game) -> CardUse:
    """The game's `card_use`; BadInput for a game without one."""
    if game.card_use is None:
        raise BadInput(f"{game.name} does not say how the use of its cards is read from its events")
    return game.card_use


class CardCounter:
    """Counts the uses of cards in one game while it is played: `tally` is int32[2, measures, cards] of `card_use`.

    Give it the state after the deal, and then, for every action, the lead before it and the state after it.
    """

    def __init__(self, game: Game, table: np.record, state: np.record) -> None:
        use, cards = use_of(game), len(game.card_ids)
        self.tally = np.zeros((2, use.measures, cards), np.int32)
        self._fixed = (use.meaning_table, use.actor_table(table))
        self._memory = (blank(1, READER), np.zeros((2, len(use.ways)), np.int16), np.zeros(cards, np.int8))
        self._tables = blank(1, game.table_dtype)
        self._tables[0] = table
        self._states = game.new_states(1)
        self._read(state, 0, True)

    def lead(self, state: np.record) -> int:
        """How far seat 0 is ahead in `state`."""
        self._states[0] = state
        return int(_lead_first(self._tables, self._states))

    def read(self, state: np.record, ahead: int) -> None:
        """Count the events of the last action; `ahead` is what `lead` said before it."""
        self._read(state, ahead, False)

    def _read(self, state: np.record, ahead: int, opening: bool) -> None:
        self._states[0] = state
        _read_first(self._tables, self._states, ahead, opening, *self._fixed, *self._memory, self.tally)


def card_counts(game: Game, table: np.record, deal_seed: int, actions: Iterable[int]) -> np.ndarray:
    """The tally int32[2, measures, cards] of one whole game; IllegalAction for an action that is not allowed."""
    state = game.dealt(table, deal_seed)
    counter = CardCounter(game, table, state)
    for action in actions:
        ahead = counter.lead(state)
        game.play(table, state, action)
        counter.read(state, ahead)
    return counter.tally
