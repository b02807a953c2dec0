"""The games by name; a game's rules are imported when it is first asked for."""

import importlib

from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game, did_you_mean

_MODULES = {name: f"duelbench.envs.{name}" for name in ("tarot_duel", "tommy_walker", "wizard_in_training")}


def game_names() -> list[str]:
    return sorted(_MODULES)


def load_game(name: str, where: str = "game") -> Game:
    """The game called `name`; raises BadInput, beginning with `where`, for an unknown one."""
    if name not in _MODULES:
        raise BadInput(f"{where}: unknown game {name!r}{did_you_mean(name, _MODULES)}")
    game: Game = importlib.import_module(_MODULES[name]).GAME
    return game
