"""What makes a game's layout usable, and what is refused."""

import highcard
import numpy as np
import pytest

from duelbench.envs import dispatch
from duelbench.envs.layout import layout_page, pieces

FUNCTIONS = {name: getattr(highcard, name) for name in ("deal", "legal", "apply", "observe", "determinize", "rewind")}


def fields_of(dtype):
    return [(name, dtype.fields[name][0]) for name in dtype.names]


def test_a_layout_that_begins_with_another_games_is_refused():
    longer = np.dtype([*fields_of(highcard.STATE), ("more", np.int8)])
    with pytest.raises(ValueError, match="begin alike"):
        dispatch.register(longer, **FUNCTIONS)


def test_a_layout_that_begins_with_an_agents_stream_is_refused():
    first = [field for field in fields_of(highcard.STATE) if field[0] == "rng"]
    rest = [field for field in fields_of(highcard.STATE) if field[0] != "rng"]
    with pytest.raises(ValueError, match="begin alike"):
        dispatch.register(np.dtype(first + rest), **FUNCTIONS)


@pytest.mark.parametrize("name", dispatch.REQUIRED)
def test_every_required_field_is_required(name):
    without = np.dtype([("first", np.int8)] + [field for field in fields_of(highcard.STATE) if field[0] != name])
    with pytest.raises(ValueError, match=f"no field '{name}'"):
        dispatch.register(without, **FUNCTIONS)


def test_a_field_that_plain_python_cannot_read_is_refused():
    shadowed = np.dtype([("round", np.int8), *fields_of(highcard.STATE)])
    with pytest.raises(ValueError, match="'round' is shadowed"):
        dispatch.register(shadowed, **FUNCTIONS)


def test_all_six_functions_are_needed():
    with pytest.raises(ValueError, match="a game offers deal, legal, apply, observe, determinize, rewind"):
        dispatch.register(np.dtype([("start", np.int8), *fields_of(highcard.STATE)]), deal=highcard.deal)


def test_the_pieces_of_an_observation_cover_it_without_gap(game):
    last = 0
    for piece in pieces(game):
        assert piece.start == last
        assert piece.meaning
        last = piece.stop
    assert last == game.view_size == len(game.observation(game.table(), game.dealt(game.table(), 1), 0))


def test_the_page_of_an_observation_is_up_to_date(shipped_game):
    from importlib import resources

    page = resources.files(f"duelbench.envs.{shipped_game.name}").joinpath("OBSERVATION.md").read_text(encoding="utf-8")
    assert page == layout_page(shipped_game)


def test_a_state_is_small(shipped_game):
    assert shipped_game.state_dtype.itemsize <= 2048
