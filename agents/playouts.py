"""Play-outs that lean towards sensible play, where a game says what that is.

A game's `lean` turns the mask of legal actions into weights (int8, at least 1 for a legal action), larger for what a
sensible player is likely to do; actions are drawn in proportion. It looks at nothing but the table and what the state
holds, and has to be cheap: it is called at every decision of every play-out. Games without one are played out
uniformly at random.
"""

from collections.abc import Callable
from typing import Any

from numba.extending import overload

from duelbench.agents import tommy_playouts
from duelbench.envs.dispatch import apply, legal
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.playout import random_action
from duelbench.envs.tommy_walker.state import STATE as TOMMY_WALKER

_LEANINGS: dict[Any, Callable[..., Any]] = {TOMMY_WALKER.names: tommy_playouts.lean}


@rule
def indifferent(table, state, mask):
    """Every legal action weighs the same."""


def _leaning(dtype: Any) -> Callable[..., Any]:
    return _LEANINGS.get(tuple(dtype.names or dtype.fields), indifferent)


def leans(game: Game) -> bool:
    """Whether the game says what sensible play is."""
    return _leaning(game.state_dtype) is not indifferent


def lean(table, state, mask):
    """Turn `mask`, the legal actions of the state, into weights."""
    _leaning(state.dtype)(table, state, mask)


@overload(lean)
def _lean(table, state, mask):
    function = _leaning(state.dtype)
    return lambda table, state, mask: function(table, state, mask)


@rule
def play_out(table, state, dice, mask, leaning):
    """Play to the end with actions drawn from `dice` (a stream record), by their weights if `leaning`, else uniformly.

    Returns their number.
    """
    decisions = 0
    while state.over == 0:
        legal(table, state, mask)
        if leaning:
            lean(table, state, mask)
        apply(table, state, random_action(dice, mask))
        decisions += 1
    return decisions
