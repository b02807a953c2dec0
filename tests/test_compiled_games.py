"""Whole games in one call, on High Card: room for actions, refusals, agents from elsewhere, and without compilation."""

from dataclasses import replace
from typing import NamedTuple

import highcard
import numba
import numpy as np
import pytest
from small_runs import deck_config, highcard_known, plain_config  # noqa: F401

from duelbench.agents.agent import Agent
from duelbench.agents.compiled import compiled_player, register
from duelbench.envs.errors import IllegalAction
from duelbench.envs.jit import INTERPRETED
from duelbench.experiments import compiled_match
from duelbench.experiments.compiled_match import GAMES_A_CALL, play_chunk, replay_chunk
from duelbench.experiments.config import make_config
from duelbench.experiments.plan import chunks, games_of
from duelbench.experiments.players import Players
from duelbench.experiments.rows import SCHEMA, part_bytes, rows_of, table_of_rows

pytestmark = [pytest.mark.numba_modes, pytest.mark.usefixtures("highcard_known")]

RANDOM = {"one": {"type": "random"}, "two": {"type": "random"}}
DECISIONS = 6
"""In every game of High Card with three rounds."""


@pytest.fixture
def players(tmp_path):
    return Players(tmp_path, make_config(plain_config(agents=RANDOM)))


def first_chunk(players):
    return chunks(players.config)[0]


def one_by_one(players, chunk):
    return table_of_rows(map(players.play, games_of(players.config, chunk)))


@pytest.mark.parametrize("room", [1, DECISIONS - 1, DECISIONS, DECISIONS + 1, 1000])
def test_rows_do_not_depend_on_the_room_for_actions(players, room):
    chunk = first_chunk(players)
    assert play_chunk(players, chunk, room=room).equals(one_by_one(players, chunk))


def test_a_part_of_several_calls(tmp_path):
    players = Players(tmp_path, make_config(plain_config(agents=RANDOM, deals=GAMES_A_CALL)))
    chunk = replace(first_chunk(players), deals=range(GAMES_A_CALL))
    told = []
    table = play_chunk(players, chunk, lambda done, total: told.append((done, total)))
    assert table.equals(one_by_one(players, chunk))
    assert told == [(GAMES_A_CALL, 2 * GAMES_A_CALL), (2 * GAMES_A_CALL, 2 * GAMES_A_CALL)]


def test_an_agent_from_elsewhere_plays_in_python_and_its_rows_are_alike(tmp_path):
    players = Players(tmp_path, make_config(plain_config()))
    chunk = first_chunk(players)
    assert part_bytes(play_chunk(players, chunk)) == part_bytes(map(players.play, games_of(players.config, chunk)))


def test_an_agent_with_two_decks_meets_itself(tmp_path):
    players = Players(tmp_path, make_config(deck_config(agents=RANDOM, matchups=[["one", "one"]], deals=6)))
    chunk = first_chunk(players)
    assert play_chunk(players, chunk).equals(one_by_one(players, chunk))


# --- Refusals ----------------------------------------------------------------------------------------------


class Rogue(NamedTuple):
    """A player that answers with one action, whatever is allowed."""

    action: int


def rogue(table, state, mask, world, stream, player):
    return player.action


def uncached(function):
    """Compiled for this process alone: no other one has the classes of this file."""
    return function if INTERPRETED else numba.njit(getattr(function, "py_func", function))


register(Rogue, uncached(rogue))


class RogueAgent(Agent):
    def __init__(self, action, honest=False):
        self.action, self.honest = action, honest

    def act(self, position, rng):
        return position.legal_actions[0] if self.honest else self.action

    def compiled(self):
        return Rogue(self.action)


@pytest.fixture
def rogues(players, monkeypatch):
    """rogues(action): the two agents of all games are rogues, and play compiled."""

    def given(action, honest=False):
        pair = (RogueAgent(action, honest), RogueAgent(action, honest))
        monkeypatch.setattr(players, "pair", lambda names, variant: pair)

    monkeypatch.setattr(compiled_match, "compiled_player", lambda agent: agent.compiled())
    monkeypatch.setattr(compiled_match, "play_games", uncached(compiled_match.play_games))
    return given


def test_code_from_elsewhere_never_enters_the_common_cache():
    assert compiled_player(RogueAgent(0)) is None


@pytest.mark.parametrize("action", [-1, highcard.CARDS, 10**6])
def test_an_illegal_answer_is_refused_with_the_words_of_a_game_in_python(players, rogues, action):
    rogues(action)
    with pytest.raises(IllegalAction) as compiled:
        play_chunk(players, first_chunk(players))
    with pytest.raises(IllegalAction) as expected:
        one_by_one(players, first_chunk(players))
    assert str(compiled.value) == str(expected.value)
    assert "answer of agent 'one' in game 0" in str(compiled.value)


def test_compiled_play_that_differs_from_the_agents_own_is_noticed(players, rogues):
    rogues(-1, honest=True)
    with pytest.raises(RuntimeError, match="game 0: an agent's compiled play is illegal"):
        play_chunk(players, first_chunk(players))


# --- Replays -----------------------------------------------------------------------------------------------


def with_actions(table, alter):
    """The column of actions, that of game 5 altered."""
    rows = rows_of(table)
    alter(rows[5].actions)
    return table_of_rows(rows)["actions"].combine_chunks()


def test_a_replay_has_the_same_rows(players):
    table = play_chunk(players, first_chunk(players))
    assert replay_chunk(players, first_chunk(players), table["actions"].combine_chunks()).equals(table)


@pytest.mark.parametrize(
    "alter",
    [
        lambda actions: actions.pop(),
        lambda actions: actions.append(0),
        lambda actions: actions.clear(),
        lambda actions: actions.__setitem__(2, actions[0]),
        lambda actions: actions.__setitem__(0, highcard.CARDS),
        lambda actions: actions.__setitem__(0, -1),
    ],
)
def test_actions_that_are_no_whole_legal_game_have_no_rows(players, alter):
    chunk = first_chunk(players)
    table = play_chunk(players, chunk)
    assert replay_chunk(players, chunk, with_actions(table, alter)) is None


def test_columns_have_the_types_of_a_part(players):
    table = play_chunk(players, first_chunk(players))
    assert table.schema.equals(SCHEMA)
    assert np.asarray(table["decisions"]).tolist() == [DECISIONS] * len(table)
