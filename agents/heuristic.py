"""The hand-written player of each game."""

import importlib

import numpy as np

from duelbench.agents.agent import Agent
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game

_PLAYERS = {
    "tarot_duel": ("duelbench.agents.tarot_heuristic", "TarotHeuristic"),
    "tommy_walker": ("duelbench.agents.tommy_heuristic", "TommyHeuristic"),
    "wizard_in_training": ("duelbench.agents.wizard_heuristic", "WizardHeuristic"),
}


def heuristic_player(game: Game, table: np.record, where: str = "heuristic") -> Agent:
    """The hand-written player of `game`; raises BadInput, beginning with `where`, for a game without one."""
    if game.name not in _PLAYERS:
        raise BadInput(f"{where}: {game.name} has no hand-written player (there is one for: {', '.join(_PLAYERS)})")
    module, name = _PLAYERS[game.name]
    player: Agent = getattr(importlib.import_module(module), name)(game, table)
    return player
