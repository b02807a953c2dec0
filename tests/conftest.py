"""Fixtures that run one test for every game."""

import highcard
import pytest

from duelbench.envs.registry import game_names, load_game

ALL_GAMES = ["highcard", *game_names()]


def game_called(name):
    return highcard.GAME if name == "highcard" else load_game(name)


@pytest.fixture(params=ALL_GAMES)
def game(request):
    """Every game of the toolkit, and the small one that exists for tests."""
    return game_called(request.param)


@pytest.fixture(params=game_names())
def shipped_game(request):
    """Every game of the toolkit."""
    return load_game(request.param)
