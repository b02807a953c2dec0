"""What a game costs, estimated from the config alone, so that parts take about equally long and the time left is known.

A unit of cost is about a millisecond of one core. The figures are rough measurements of single games; whoever plays
may be several times faster or slower without anything but the size of parts being affected.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duelbench.agents.catalogue import AgentSpec

UNITS_A_PART = 15_000.0
"""A part is what an interruption can cost: some seconds."""
MOST_DEALS_A_PART = 5_000
"""What has to be in memory at once."""


@dataclass(frozen=True)
class _Figures:
    """Of one game."""

    decisions: float
    """of a seat in a game between players that are not bad"""
    simulation: float
    """units that one simulation of a search costs"""
    heuristic: float
    """units that a decision of the hand-written player costs"""


_FIGURES = {
    "tarot_duel": _Figures(decisions=7, simulation=0.0026, heuristic=0.03),
    "tommy_walker": _Figures(decisions=25, simulation=0.0073, heuristic=0.03),
    "wizard_in_training": _Figures(decisions=80, simulation=0.0125, heuristic=0.1),
}
_OTHER_GAME = _Figures(decisions=20, simulation=0.005, heuristic=0.05)

_GAME = 0.1
"""What a game costs without what its players think."""
_DECISION = {"random": 0.005, "ppo": 0.1}
_UNKNOWN_DECISION = 20.0
"""A decision of an agent from elsewhere, which may think as long as it likes."""
_SEARCHES = {"ismcts": 1.0, "soismcts": 1.0, "pimc": 0.9, "flat_mc": 0.8, "oracle_mcts": 0.9, "puct": 3.0}
"""What a simulation of each costs, in those of `ismcts`."""
_TREE = 0.05
"""What it costs to begin a tree, or a world of its own."""


def game_cost(game: str, agents: "tuple[AgentSpec, AgentSpec]") -> float:
    """About how many units one game between these agents costs."""
    figures = _FIGURES.get(game, _OTHER_GAME)
    return _GAME + figures.decisions * sum(_decision_cost(spec.type, spec.parameters, figures) for spec in agents)


def deals_a_part(game: str, agents: "tuple[AgentSpec, AgentSpec]") -> int:
    """How many deals between these agents, of two games each, a part file holds."""
    return max(1, min(MOST_DEALS_A_PART, int(UNITS_A_PART / (2 * game_cost(game, agents)))))


def _decision_cost(kind: str, parameters: Mapping[str, object], figures: _Figures) -> float:
    if kind == "heuristic":
        return figures.heuristic
    if kind in _SEARCHES:
        trees = _count(parameters, "trees") + _count(parameters, "worlds")
        return _SEARCHES[kind] * figures.simulation * _count(parameters, "simulations") + _TREE * trees
    return _DECISION.get(kind, _UNKNOWN_DECISION)


def _count(parameters: Mapping[str, object], name: str) -> int:
    value = parameters.get(name, 0)
    return value if isinstance(value, int) else 0
