"""Fixtures that run one test for every game, and the finished runs that many tests look at."""

import functools
from pathlib import Path

import highcard
import pytest

from duelbench.envs.decks import SEATS, deck_files
from duelbench.envs.registry import game_names, load_game

ALL_GAMES = ["highcard", *game_names()]
SHIPPED_DECKS = Path(__file__).parents[1] / "configs" / "decks"


def game_called(name):
    return highcard.GAME if name == "highcard" else load_game(name)


def deck_choices(game):
    """What is played with where it matters: the default, and in a game with decks also a deck for each seat."""
    if game.deck_rules is None:
        return [None]
    return [None, dict(zip(SEATS, deck_files(SHIPPED_DECKS / game.name), strict=False))]


@pytest.fixture(params=ALL_GAMES)
def game(request):
    """Every game of the toolkit, and the small one that exists for tests."""
    return game_called(request.param)


@pytest.fixture(params=game_names())
def shipped_game(request):
    """Every game of the toolkit."""
    return load_game(request.param)


@pytest.fixture(scope="session")
def whole_run(tmp_path_factory, request):
    """whole_run(case): the folder of that run of `small_runs.RUNS`, finished; made when first asked for."""
    from small_runs import finished_copy  # loads much that most tests do without

    own = tmp_path_factory.mktemp("whole")
    shared = tmp_path_factory.getbasetemp().parent if hasattr(request.config, "workerinput") else own
    return functools.cache(lambda case: finished_copy(case, shared, own))
