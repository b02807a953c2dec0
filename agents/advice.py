"""What a hand-written player thinks of the actions at the root of a search."""

import importlib
from typing import Protocol

import numpy as np

from duelbench.agents.agent import Position
from duelbench.envs.game import Game

_ADVISERS = {"wizard_in_training": ("duelbench.agents.wizard_heuristic", "WizardHeuristic")}

MOST_WEIGHT = 100
SOFTNESS = 2.0
"""In the units of the scores: an action that is worse by so much weighs a third."""


class Adviser(Protocol):
    def scores(self, position: Position) -> np.ndarray:
        """float64[num_actions]: the worth of each legal action, -inf for the others; read before the next call."""


def adviser(game: Game, table: np.record) -> Adviser | None:
    """The player of the game that scores actions, or None if it has none."""
    if game.name not in _ADVISERS:
        return None
    module, name = _ADVISERS[game.name]
    player: Adviser = getattr(importlib.import_module(module), name)(game, table)
    return player


def weights_of(scores: np.ndarray) -> np.ndarray:
    """int8[num_actions]: MOST_WEIGHT for the best score, less for others, 1 at least; 0 for what is not legal."""
    shares = np.exp((scores - scores.max()) / SOFTNESS)
    return np.where(np.isneginf(scores), 0, 1 + np.rint((MOST_WEIGHT - 1) * shares)).astype(np.int8)
