"""Code that works for every game: six functions that pick the game by the type of the state they are given.

A kernel written once in terms of these functions compiles for each game's record, and its machine code is
cached on disk, because nothing but the types of its arguments decides which game is meant.

    deal(table, state, seed)                    write the opening state
    legal(table, state, mask)                   mask[action] = 1 for what the seat to act may do, else 0
    apply(table, state, action)                 carry out a legal action, and all that follows up to the next decision
    observe(table, state, seat, view)           write what `seat` sees into a record of the game's view type
    determinize(table, state, observer, seed)   redraw whatever `observer` cannot know
    rewind(table, state)                        take back what the seat to act does not know to have been chosen

`table` is one record with the cards and the rule options, `state` one record; both are changed in place.
Every state has at least the fields named in `REQUIRED`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload

from duelbench.envs.jit import INTERPRETED, rule
from duelbench.envs.records import array_around
from duelbench.envs.rng import STREAM

REQUIRED = ("rng", "told", "n_events", "over", "winner", "reason", "to_act", "events")
"""rng u8: the game's dice, hidden from both seats. told i2[2]: what the last action let each seat learn of the other
seat's choices, as the number of the action or any other code from 0 on that stands for what it saw, else NOTHING_TOLD;
an open action is told to the other seat, one that it must not see to nobody, and when choices made at the same time
come to light each seat is told the other's. n_events, events: what the last action caused. over: 1 when the game has
ended. winner: 0, 1, or DRAWN (also while the game runs). reason: why it ended. to_act: the seat to decide."""

NOTHING_TOLD = -1
DRAWN = -1

EVENT = np.dtype([("kind", np.int8), ("seat", np.int8), ("card", np.int16), ("value", np.int8), ("seen_by", np.int8)])
"""One thing that happened. `seen_by` is a bit set: 1 for seat 0, 2 for seat 1. From a seat that is not in it card and
value are hidden; that something of this kind happened is public, unless the bit SECRET is set."""
SECRET = 4
"""The bit of `seen_by` that hides from the seats not in it that the event happened at all."""

_FUNCTIONS = ("deal", "legal", "apply", "observe", "determinize", "rewind")
_games: dict[tuple[str, ...], dict[str, Callable[..., Any]]] = {}


def register(state_dtype: np.dtype, **functions: Callable[..., Any]) -> None:
    """Make the six functions of a game known under its state's layout.

    Raises ValueError when a layout is unusable: a required field is missing, or it is the beginning of another
    game's layout or of an agent's stream (numba takes a record that begins with another's fields for a subtype of it
    and may run the wrong code), or a field has the name of a method of NumPy's records, which plain Python would find
    in its place.
    """
    names = state_dtype.names or ()
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        raise ValueError(f"the state has no field {missing[0]!r}")
    shadowed = [name for name in names if hasattr(np.record, name)]
    if shadowed:
        raise ValueError(f"a state field called {shadowed[0]!r} is shadowed by a method of NumPy's records")
    for other in (*_games, STREAM.names or ()):
        shorter = min(len(other), len(names))
        if other != names and other[:shorter] == names[:shorter]:
            raise ValueError(f"the state's fields {names[:3]}... and those of another record begin alike")
    if sorted(functions) != sorted(_FUNCTIONS):
        raise ValueError(f"a game offers {', '.join(_FUNCTIONS)}; got {', '.join(sorted(functions))}")
    _games[names] = functions


def _function(dtype: Any, name: str) -> Callable[..., Any]:
    return _games[dtype.names][name]


def deal(table, state, seed):
    """Write the opening state of the game that `seed` (uint64) stands for."""
    arrays = _arrays(table, state)
    if arrays is None:
        _function(state.dtype, "deal")(table, state, seed)
    else:
        _deal_first(seed, *arrays)


def legal(table, state, mask):
    """Fill `mask` (int8, one entry an action); it is all zero exactly when the game is over."""
    arrays = _arrays(table, state)
    if arrays is None:
        _function(state.dtype, "legal")(table, state, mask)
    else:
        _legal_first(mask, *arrays)


def apply(table, state, action):
    """Carry out a legal action. Trusts its caller; all chance comes from `state.rng`."""
    arrays = _arrays(table, state)
    if arrays is None:
        _function(state.dtype, "apply")(table, state, action)
    else:
        _apply_first(action, *arrays)


def observe(table, state, seat, view):
    """Write what `seat` knows into `view`, a record of float32 pieces; index 0 is the observer."""
    arrays = _arrays(table, state, view)
    if arrays is None:
        _function(state.dtype, "observe")(table, state, seat, view)
    else:
        _observe_first(seat, *arrays)


def determinize(table, state, observer, seed):
    """Redraw what `observer` cannot know, uniformly from what he holds possible; all he knows stays."""
    arrays = _arrays(table, state)
    if arrays is None:
        _function(state.dtype, "determinize")(table, state, observer, seed)
    else:
        _determinize_first(observer, seed, *arrays)


def rewind(table, state):
    """Take back what the other seat has chosen in a simultaneous decision while the seat to act has not been told.

    Afterwards the other seat is to act and has these choices to make again. Without such choices nothing changes.
    """
    arrays = _arrays(table, state)
    if arrays is None:
        _function(state.dtype, "rewind")(table, state)
    else:
        _rewind_first(*arrays)


@overload(deal)
def _deal(table, state, seed):
    function = _function(state.dtype, "deal")
    return lambda table, state, seed: function(table, state, seed)


@overload(legal)
def _legal(table, state, mask):
    function = _function(state.dtype, "legal")
    return lambda table, state, mask: function(table, state, mask)


@overload(apply)
def _apply(table, state, action):
    function = _function(state.dtype, "apply")
    return lambda table, state, action: function(table, state, action)


@overload(observe)
def _observe(table, state, seat, view):
    function = _function(state.dtype, "observe")
    return lambda table, state, seat, view: function(table, state, seat, view)


@overload(determinize)
def _determinize(table, state, observer, seed):
    function = _function(state.dtype, "determinize")
    return lambda table, state, observer, seed: function(table, state, observer, seed)


@overload(rewind)
def _rewind(table, state):
    function = _function(state.dtype, "rewind")
    return lambda table, state: function(table, state)


# --- Called from Python ---------------------------------------------------------------------------------------
# Compiled code is slow to take single records from Python (see `records.blank`), and fast with arrays of one.


def _arrays(*records: np.record) -> Any:
    """The one-element arrays around all the records; None if one has none, or if nothing is compiled."""
    arrays = [] if INTERPRETED else [array for array in map(array_around, records) if array is not None]
    return arrays if len(arrays) == len(records) else None


@rule
def _deal_first(seed, tables, states):
    deal(tables[0], states[0], seed)


@rule
def _legal_first(mask, tables, states):
    legal(tables[0], states[0], mask)


@rule
def _apply_first(action, tables, states):
    apply(tables[0], states[0], action)


@rule
def _observe_first(seat, tables, states, views):
    observe(tables[0], states[0], seat, views[0])


@rule
def _determinize_first(observer, seed, tables, states):
    determinize(tables[0], states[0], observer, seed)


@rule
def _rewind_first(tables, states):
    rewind(tables[0], states[0])
