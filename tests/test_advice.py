"""What a hand-written player's opinion does to a search: it is tried first, and gives way to what the search finds."""

import highcard
import numpy as np
import pytest
from test_ismcts import scene

from duelbench.agents.advice import MOST_WEIGHT, SOFTNESS, adviser, weights_of
from duelbench.agents.agent import position_of
from duelbench.agents.ismcts import search
from duelbench.agents.search_tree import NONE, ROOT, new_tree
from duelbench.envs.records import blank
from duelbench.envs.registry import load_game
from duelbench.envs.rng import new_stream

GAME = highcard.GAME


def visits(advice, simulations, bias=30.0):
    """By action at the root of the last round, in which seat 0 wins with 5 and loses with 2."""
    table, state = scene([2, 5], [3, 4], rounds_played=2)
    tree, states = new_tree(simulations), blank(2, state.dtype)
    states[0] = state
    mask = np.zeros(GAME.num_actions, np.int8)
    search(table, states, tree, mask, np.array(advice, np.int8), simulations, 1.0, True, bias, 0, new_stream(1))
    found, edge = np.zeros(GAME.num_actions, np.int64), tree.nodes[ROOT].first_edge
    while edge != NONE:
        found[tree.edges[edge].action] = tree.edges[edge].visits
        edge = tree.edges[edge].next_edge
    return found


def advice_for(weights):
    advice = np.zeros(GAME.num_actions, np.int8)
    for action, weight in weights.items():
        advice[action] = weight
    return advice


def test_the_best_score_has_the_most_weight_and_what_is_not_legal_none():
    scores = np.array([-np.inf, 4.0, 4.0 - SOFTNESS, -1000.0, 4.0])
    assert weights_of(scores).tolist() == [0, MOST_WEIGHT, 1 + round((MOST_WEIGHT - 1) / np.e), 1, MOST_WEIGHT]
    assert weights_of(scores).dtype == np.int8


@pytest.mark.parametrize("favourite", [2, 5])
def test_the_advice_draws_the_first_simulations(favourite):
    other = 7 - favourite
    found = visits(advice_for({favourite: MOST_WEIGHT, other: 1}), 12, bias=100.0)
    assert found[favourite] > found[other] > 0


def test_advice_is_for_the_root_alone():
    """Weights of 0 below the root would leave nothing to choose from."""
    found = visits(advice_for({2: 1, 5: 1}), 200)
    assert found[2] + found[5] == 200


def test_bad_advice_gives_way_to_what_the_search_finds():
    found = visits(advice_for({2: MOST_WEIGHT, 5: 1}), 3000, bias=3.0)
    assert found[5] > found[2]


def test_only_players_that_score_actions_advise():
    assert adviser(GAME, GAME.table()) is None
    wizard = load_game("wizard_in_training")
    table = wizard.table()
    player = adviser(wizard, table)
    position = position_of(wizard, table, wizard.dealt(table, 1), 1)
    assert player is not None
    assert np.flatnonzero(weights_of(player.scores(position))).tolist() == position.legal_actions
