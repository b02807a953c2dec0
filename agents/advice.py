"""What a hand-written player thinks of the actions at the root of a search."""

from typing import Any, Protocol

import numpy as np

from duelbench.agents.agent import Position
from duelbench.agents.heuristic import heuristic_player
from duelbench.envs.game import Game

_ADVISED = ("wizard_in_training",)
"""The games whose hand-written player scores actions."""

MOST_WEIGHT = 100
SOFTNESS = 2.0
"""In the units of the scores: an action that is worse by so much weighs a third."""


class Adviser(Protocol):
    def scores(self, position: Position) -> np.ndarray:
        """float64[num_actions]: the worth of each legal action, -inf for the others; read before the next call."""


def adviser(game: Game, table: np.record) -> Adviser | None:
    """The player of the game that scores actions, or None if it has none."""
    player: Any = heuristic_player(game, table) if game.name in _ADVISED else None
    return player


def weights_of(scores: np.ndarray) -> np.ndarray:
    """int8[num_actions]: MOST_WEIGHT for the best score, less for others, 1 at least; 0 for what is not legal."""
    shares = np.exp((scores - scores.max()) / SOFTNESS)
    return np.where(np.isneginf(scores), 0, 1 + np.rint((MOST_WEIGHT - 1) * shares)).astype(np.int8)
