"""Play-outs that lean towards sensible play, and may be cut short, where a game says what is sensible and what is good.

A game's `lean` turns the mask of legal actions into weights (int8, at least 1 for a legal action), larger for what a
sensible player is likely to do; actions are drawn in proportion. It looks at nothing but the table and what the state
holds, and has to be cheap: it is called at every decision of every play-out. Games without one are played out
uniformly at random.

A game's `judge` says what a state of a running game is worth for seat 0, from -1 (lost) to 1 (won). It too looks at
nothing but the table and the state. Play-outs of games without one go on to the end.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload

from duelbench.agents import tommy_playouts, wizard_playouts
from duelbench.envs.dispatch import DRAWN, apply, legal
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.playout import random_action
from duelbench.envs.tommy_walker.state import STATE as TOMMY_WALKER
from duelbench.envs.wizard_in_training.state import STATE as WIZARD

_leanings: dict[tuple[str, ...], Callable[..., Any]] = {}
_judges: dict[tuple[str, ...], Callable[..., Any]] = {}


def register(
    state_dtype: np.dtype, lean: Callable[..., Any] | None = None, judge: Callable[..., Any] | None = None
) -> None:
    """Make known what a game, by its state's layout, says of play and positions; what it says nothing of stays as is.

    Has to happen before the game's first search: compiled code, on disk too, keeps what was known when it was made.
    """
    names = state_dtype.names or ()
    if lean is not None:
        _leanings[names] = lean
    if judge is not None:
        _judges[names] = judge


register(TOMMY_WALKER, lean=tommy_playouts.lean)
register(WIZARD, lean=wizard_playouts.lean, judge=wizard_playouts.judge)


@rule
def indifferent(table, state, mask):
    """Every legal action weighs the same."""


@rule
def undecided(table, state):
    """Every state is worth the same."""
    return 0.0


def _leaning(dtype: Any) -> Callable[..., Any]:
    return _leanings.get(_names(dtype), indifferent)


def _judge(dtype: Any) -> Callable[..., Any]:
    return _judges.get(_names(dtype), undecided)


def _names(dtype: Any) -> tuple[str, ...]:
    """The fields of a layout, NumPy's or numba's."""
    return tuple(dtype.names or dtype.fields)


def leans(game: Game) -> bool:
    """Whether the game says what sensible play is."""
    return _leaning(game.state_dtype) is not indifferent


def judges(game: Game) -> bool:
    """Whether the game says what a state is worth, so that play-outs can be cut."""
    return _judge(game.state_dtype) is not undecided


def lean(table, state, mask):
    """Turn `mask`, the legal actions of the state, into weights."""
    _leaning(state.dtype)(table, state, mask)


@overload(lean)
def _lean(table, state, mask):
    function = _leaning(state.dtype)
    return lambda table, state, mask: function(table, state, mask)


def judge(table, state):
    """What the state of a running game is worth for seat 0, from -1 to 1."""
    return _judge(state.dtype)(table, state)


@overload(judge)
def _judged(table, state):
    function = _judge(state.dtype)
    return lambda table, state: function(table, state)


@rule
def worth(table, state):
    """What the state is worth for seat 0: 1, 0 or -1 at the end of a game, before it what the game's judge says."""
    if state.over == 0:
        return judge(table, state)
    if state.winner == DRAWN:
        return 0.0
    return 1.0 if state.winner == 0 else -1.0


@rule
def play_out(table, state, dice, mask, leaning, horizon):
    """Play on with actions drawn from `dice` (a stream record), by their weights if `leaning`, else uniformly.

    It stops at the end of the game or after `horizon` actions; 0 stands for no such limit. Returns their number.
    """
    decisions = 0
    while state.over == 0:
        legal(table, state, mask)
        if leaning:
            lean(table, state, mask)
        apply(table, state, random_action(dice, mask))
        decisions += 1
        if decisions == horizon:  # never, if that is 0
            break
    return decisions
