"""What a game's events say about the use of its cards, and the two compiled functions that statistics of cards need.

Statistics of cards are read from `state.events` (see `duelbench.envs.dispatch.EVENT`), never derived again from the
rules. A game describes its kinds of events once, in a table; `duelbench.envs.card_counts` reads every game with it.

    lead(table, state)                  how far seat 0 is ahead: above 0 ahead, 0 level, below 0 behind
    write_copies(table, state, tally)   after the deal: tally[seat, COPIES, card], and DEALT for cards that lie on the
                                        table from the start
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numba.extending import overload

from duelbench.envs.records import blank

# --- What is counted ------------------------------------------------------------------------------------------

COPIES, DEALT, DRAWN, TAKEN, FIRED, NEGATED, WASTED, WON, AHEAD, LEVEL, BEHIND, FIRST_TURN, WAYS = range(13)
"""Rows of a tally int32[2, WAYS + ways, cards], by seat and card, all for one game. COPIES: in the seat's deck (1 where
both seats draw from one pack). DEALT, DRAWN, TAKEN: copies that came into the hand before the opening was over, later
from the deck, and from elsewhere. FIRED, NEGATED, WASTED: how often the effect acted, was cancelled, and acted in vain.
WON: contests (turns, rounds, duels) that the card won. AHEAD, LEVEL, BEHIND: plays by how its player stood when he
decided. FIRST_TURN: the number of the turn of the first play, 0 without one. WAYS + way: plays in that way."""

# --- What an event means --------------------------------------------------------------------------------------

(
    TURN_BEGINS,  # another turn of the game
    OPENING_ENDS,  # what is drawn from now on is no longer dealt
    DRAWS,  # the card comes from the deck into the seat's hand
    TAKES,  # it comes into the hand from elsewhere
    FIRES,  # its effect acts
    UNFIRES,  # an effect that was counted as acting does not act after all
    NEGATES,  # its effect is cancelled
    WASTES,  # its effect has acted, or it was played, in vain
    WINS,  # it wins a contest
    OWNED,  # the card belongs to the seat that played it last, not to the seat of the event
    AWAITS,  # the card's effect is wasted unless an EFFECT follows before a CLOSES
    EFFECT,
    CLOSES,
) = (1 << bit for bit in range(13))

MEANING = np.dtype(
    [
        ("marks", np.int32),  # the bits above
        ("way", np.int8),  # the card is played in this way; NONE for no play
        ("wasted_value", np.int8),  # an event with this value is wasted too; NONE
        ("unless_after", np.int8),  # it says nothing straight after an event of this kind; NONE
        ("actor_way", np.int8),  # what fires is the card that the seat last played in this way; NONE
    ]
)
NONE = -1


@dataclass(frozen=True)
class Meaning:
    """What an event of one kind says of the card that it names; the fields of MEANING, `way`s by name."""

    marks: int = 0
    way: str = ""
    wasted_value: int = NONE
    unless_after: int = NONE
    actor_way: str = ""


@dataclass(frozen=True, eq=False)
class CardUse:
    """How the use of cards is read from a game's events."""

    meanings: Mapping[int, Meaning]
    """By kind of event; kinds that are left out say nothing of cards."""
    ways: tuple[str, ...]
    """Names of the ways of playing a card: verbs."""
    words: Mapping[str, str]
    """In sentences, what an opening, a turn, being ahead and an effect that acts are in this game, and what no event
    tells."""
    one_pack: bool = False
    """Both seats draw from one pack of different cards: a card is unseen where neither seat had it."""
    actors: Callable[[np.record], Mapping[int, int]] = field(default=lambda table: {})
    """(table): by kind of event, the card of the event's seat that fires with it, whatever card the event names."""

    @property
    def measures(self) -> int:
        """Rows of a tally."""
        return WAYS + len(self.ways)

    @cached_property
    def meaning_table(self) -> np.ndarray:
        """MEANING[128] by kind of event."""
        table = blank(128, MEANING)
        for name in ("way", "wasted_value", "unless_after", "actor_way"):
            table[name] = NONE
        for kind, meaning in self.meanings.items():
            ways = [self.ways.index(way) if way else NONE for way in (meaning.way, meaning.actor_way)]
            table[kind] = (meaning.marks, ways[0], meaning.wasted_value, meaning.unless_after, ways[1])
        return table

    def actor_table(self, table: np.record) -> np.ndarray:
        """int16[128]: `actors` by kind of event, NONE where there is no such card."""
        cards = np.full(128, NONE, np.int16)
        for kind, card in self.actors(table).items():
            cards[kind] = card
        return cards


# --- The compiled functions of the games ----------------------------------------------------------------------

_games: dict[tuple[str, ...], dict[str, Callable[..., Any]]] = {}


def register(state_dtype: np.dtype, lead: Callable[..., Any], write_copies: Callable[..., Any]) -> None:
    """Make the two functions of a game known under its state's layout."""
    _games[state_dtype.names or ()] = {"lead": lead, "write_copies": write_copies}


def _function(dtype: Any, name: str) -> Callable[..., Any]:
    return _games[dtype.names][name]


def lead(table: np.record, state: np.record) -> int:
    """How far seat 0 is ahead, in the game's own measure; 0 for level, below 0 for behind."""
    return int(_function(state.dtype, "lead")(table, state))


def write_copies(table: np.record, state: np.record, tally: np.ndarray) -> None:
    """Write into the tally what the deal alone decides: COPIES, and DEALT of cards that begin on the table."""
    _function(state.dtype, "write_copies")(table, state, tally)


@overload(lead)
def _lead(table, state):
    function = _function(state.dtype, "lead")
    return lambda table, state: function(table, state)


@overload(write_copies)
def _write_copies(table, state, tally):
    function = _function(state.dtype, "write_copies")
    return lambda table, state, tally: function(table, state, tally)
