"""Every searching agent in every game of the toolkit: what it may not know, must find, and may use."""

import functools

import numpy as np
import pytest
import tarot_scenes
import tommy_scenes
import wizard_scenes
from conftest import game_called
from search_agents import CHEAP, HONEST, SEARCHES, search_agent

from duelbench.agents.agent import position_for
from duelbench.agents.search_memory import Memory
from duelbench.envs import dispatch
from duelbench.envs.playout import random_action
from duelbench.envs.registry import game_names
from duelbench.envs.rng import new_stream

SIMULATIONS = 24


@functools.cache
def positions(name):
    """True states of a random game in which there is a choice, spread over it; at most eight."""
    game, dice, found = game_called(name), new_stream(99), []
    table, state = game.table(), game.dealt(game.table(), 3)
    while not state.over:
        if game.mask(table, state).sum() > 1:
            found.append(state.copy())
        dispatch.apply(table, state, int(random_action(dice, game.mask(table, state))))
    return table, found[:: len(found) // 8 + 1]


def asked(agent, game, table, state, seed=2):
    return agent.explain(position_for(agent, game, table, state, 1), new_stream(seed))


@pytest.mark.parametrize("name", HONEST)
@pytest.mark.parametrize("game_name", game_names())
def test_what_a_seat_cannot_know_changes_no_answer(game_name, name):
    """Nor anything else that the search reports; the truth is redrawn. It also answers legally, and from its budget."""
    game = game_called(game_name)
    table, states = positions(game_name)
    agent, again = (search_agent(name, game, table, SIMULATIONS) for _ in range(2))
    for state in states:
        found = asked(agent, game, table, state)
        worlds = game.new_states(1)
        worlds[0] = state
        dispatch.determinize(table, worlds[0], int(state.to_act), np.uint64(77))
        again.begin(int(state.to_act))
        agent.begin(int(state.to_act))
        assert asked(again, game, table, worlds[0]) == found
        assert [report.action for report in found if not game.mask(table, state)[report.action]] == []
        assert sum(report.visits for report in found) == SIMULATIONS


@pytest.mark.parametrize("game_name", game_names())
def test_the_oracle_knows_what_a_seat_cannot_know(game_name):
    """With the same stream it reports something else in another world that its seat holds possible."""
    game = game_called(game_name)
    table, states = positions(game_name)
    agent = search_agent("oracle_mcts", game, table, SIMULATIONS)
    differ = 0
    for state in states:
        found = asked(agent, game, table, state)
        worlds = game.new_states(1)
        worlds[0] = state
        dispatch.determinize(table, worlds[0], int(state.to_act), np.uint64(77))
        differ += asked(agent, game, table, worlds[0]) != found
    assert differ > 0


SCENES = {
    "tarot_duel": (
        lambda: tarot_scenes.scene(
            hands=(["The Lovers", "The Tower", "The Hermit"], ["The Devil"]),
            turns_left=1,
            seen=(["The Devil"], []),
        ),
        "play The Tower",
    ),
    "tommy_walker": (
        lambda: tommy_scenes.scene(attack=(["Reiji"], ["Maria"]), decks=([], ["Amina"])),
        "use the AT (10400)",
    ),
    "wizard_in_training": (
        lambda: wizard_scenes.scene(
            at=wizard_scenes.DUEL,
            hand=(["bear"], ["hum"]),
            fought=(["main"], []),
            pool=([], ["crown"]),
            rules={"max_turns": 3},  # this is the third turn, and teeth would decide
            cards={"bear": wizard_scenes.character(5, 4, level=1)},
        ),
        "attack bear",
    ),
}
"""The last chance, and how it is won."""


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("game_name", game_names())
def test_a_win_at_hand_is_taken(game_name, name):
    lay, best = SCENES[game_name]
    s, game = lay(), game_called(game_name)
    found = asked(search_agent(name, game, s.table, 100), game, s.table, s.state)
    text = wizard_scenes.action_text(s, found[0].action) if game_name == "wizard_in_training" else found[0].name
    assert text == best
    assert found[0].value > 0.8


@pytest.mark.parametrize("name", [name for name in SEARCHES if name not in CHEAP - {"ismcts_reuse"}])
@pytest.mark.parametrize("game_name", game_names())
def test_trees_stay_within_what_was_set_aside(game_name, name):
    game = game_called(game_name)
    table, states = positions(game_name)
    agent = search_agent(name, game, table, SIMULATIONS)
    grounds = getattr(agent, "_grounds", [agent])
    for state in states[:4]:
        for _ in range(3):
            asked(agent, game, table, state)
        for tree in [ground.tree if agent is not ground else getattr(agent, "_tree", None) for ground in grounds]:
            if tree is not None:
                assert tree.counts[0].nodes <= len(tree.nodes)
                assert tree.counts[0].edges <= len(tree.edges)
                assert tree.counts[0].simulations < len(tree.logarithm)


# --- Going on with the last search ----------------------------------------------------------------------------


def played_with_reuse(game_name, decisions):
    """For each of the first decisions of a game between two agents that reuse their trees: visits at the root, and
    whether the seat had learned nothing since its last decision."""
    game = game_called(game_name)
    table, found = game.table(), []
    state, streams = game.dealt(table, 1), [new_stream(seat) for seat in range(2)]
    agents = [search_agent("ismcts_reuse", game, table, SIMULATIONS) for _ in range(2)]
    for _ in range(decisions):
        if state.over:
            break
        seat = int(state.to_act)
        position = position_for(agents[seat], game, table, state, 1)
        nothing_new = agents[seat]._memory.told_since(position) is not None
        action = agents[seat].act(position, streams[seat])
        if len(position.legal_actions) > 1:
            found.append((sum(report.visits for report in agents[seat].last_search), nothing_new))
        game.play(table, state, action)
    return found


def test_trees_grow_on_where_a_seat_decides_twice_and_learns_nothing():
    found = played_with_reuse("wizard_in_training", 60)
    assert any(visits > SIMULATIONS for visits, _ in found)
    assert all(visits == SIMULATIONS for visits, nothing_new in found if not nothing_new)
    assert all(visits >= SIMULATIONS for visits, _ in found)


def test_where_every_decision_brings_news_no_tree_is_reused():
    found = played_with_reuse("tarot_duel", 12)
    assert {nothing_new for _, nothing_new in found} == {False}
    assert {visits for visits, _ in found} == {SIMULATIONS}


def test_what_was_remembered_is_forgotten_when_a_game_begins():
    game = game_called("wizard_in_training")
    table = game.table()
    state = game.dealt(table, 1)
    position = position_for(search_agent("ismcts", game, table, 1), game, table, state, 1)
    memory = Memory(game)
    assert memory.told_since(position) is None
    memory.keep(position, position.legal_actions[0])
    memory.forget()
    game.play(table, state, position.legal_actions[0])
    assert memory.told_since(position) is None
