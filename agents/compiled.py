"""Agents whose play is compiled: they take part in whole games without a step through Python.

An agent that remembers nothing between its decisions may offer `compiled()`: a named tuple with all it needs, settings
and scratch space. The class of the tuple stands for the kind of agent, and `register` says how that kind decides.
Compiled code that is given such a tuple finds the function by the tuple's type, as the rules of a game are found by the
type of its state (`envs.dispatch`), so it is cached on disk and no agent is named in it.

That cache is named by the sources of this package and holds the classes by their names. Code from elsewhere would spoil
it for everybody who does not have that code, and be run in its old form once it is edited, so it plays in Python.
"""

from collections.abc import Callable
from typing import Any

from numba.extending import overload

from duelbench.agents.agent import Agent

_PACKAGE = __name__.rpartition(".")[0]
_deciders: dict[type, Callable[..., Any]] = {}


def register(kind: type, function: Callable[..., Any]) -> None:
    """Let `decide` be `function` for players of the named tuple `kind`, which must have at least one field."""
    _deciders[kind] = function


def compiled_player(agent: Agent) -> Any:
    """The agent's named tuple, or None when it plays in Python.

    The class itself has to be of this package and to say that its play is compiled: one derived from it may act in
    other ways.
    """
    own = vars(type(agent)).get("compiled")
    ours = type(agent).__module__.rpartition(".")[0] == _PACKAGE
    return own(agent) if ours and own is not None else None


def decide(table, state, mask, world, stream, player):
    """The action that `player` takes in `state`, exactly what its agent answers there.

    `mask` is the seat's. `state` is the true one: before a player looks at anything else than what an observation
    holds, it redraws in a copy what the seat to act cannot know, with the seed `world`. `stream` is the agent's own.
    """
    return _deciders[type(player)](table, state, mask, world, stream, player)


@overload(decide)
def _decide(table, state, mask, world, stream, player):
    function = _deciders[player.instance_class]
    return lambda table, state, mask, world, stream, player: function(table, state, mask, world, stream, player)
