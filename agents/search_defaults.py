"""What a search is set to in each game where nothing else is asked for: the values that play the game well."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchDefaults:
    exploration: float = 1.0
    bias: float = 30.0
    horizon: int = 0
    """Above 0 only for games with a judge (`playouts.judges`)."""


_OTHERS = SearchDefaults()
_BY_GAME = {
    "tarot_duel": SearchDefaults(exploration=1.0),
    "tommy_walker": SearchDefaults(exploration=0.3),
    "wizard_in_training": SearchDefaults(exploration=1.0, bias=3.0, horizon=20),
}


def search_defaults(game_name: str) -> SearchDefaults:
    """The settings for the game of this name; a game without any of its own has those of `SearchDefaults`."""
    return _BY_GAME.get(game_name, _OTHERS)


def told_by_game(parameter: str) -> str:
    """The default in every game for people, as in "0.3 in tommy_walker, else 1.0"."""
    usual = getattr(_OTHERS, parameter)
    own = {name: getattr(defaults, parameter) for name, defaults in _BY_GAME.items()}
    return ", ".join([*(f"{value} in {name}" for name, value in own.items() if value != usual), f"else {usual}"])
