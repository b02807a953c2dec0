"""The information-set search, on scenes of High Card whose best play is known."""

import highcard
import numpy as np
import pytest

from duelbench.agents.agent import position_of
from duelbench.agents.ismcts import ISMCTSAgent, search
from duelbench.agents.search_tree import (
    NONE,
    ROOT,
    back_up,
    clear,
    enter_child,
    expand,
    new_tree,
    select,
    upper_confidence,
)
from duelbench.envs import dispatch
from duelbench.envs.dispatch import NOTHING_HIDDEN
from duelbench.envs.rng import new_stream

GAME = highcard.GAME


def scene(hand_0, hand_1, *, unseen=(), points=(0, 0), rounds=3, rounds_played=0, hidden=None):
    """A table and a state: two hands, cards nobody holds but the others may think so, and the rest played."""
    table, state = GAME.table({"rounds": rounds}), GAME.dealt(GAME.table(), 0)
    state.highcard_zone[:] = highcard.PLAYED
    for place, cards in [(highcard.STOCK, unseen), (highcard.IN_HAND, hand_0), (highcard.IN_HAND + 1, hand_1)]:
        state.highcard_zone[list(cards)] = place
    state.points[:] = points
    state.rounds_played = rounds_played
    if hidden is not None:
        dispatch.apply(table, state, hidden)
    return table, state


def matching_pennies(hidden=None):
    """Two rounds to go, level. Seat 1 wins by meeting 3 with 4 and 5 with 6, and the other pairing is a draw."""
    return scene([3, 5], [4, 6], rounds_played=1, hidden=hidden)


def searched(table, state, simulations=2000, seed=1, exploration=1.0):
    agent = ISMCTSAgent(GAME, table, simulations, exploration)
    reports = agent.explain(position_of(GAME, table, state, seed), new_stream(seed))
    return agent, reports


def tree_of(table, state, simulations=500, seed=1):
    tree, states = new_tree(simulations), GAME.new_states(2)
    states[0] = position_of(GAME, table, state, seed).root
    search(table, states, tree, np.zeros(GAME.num_actions, np.int8), simulations, 1.0, new_stream(seed))
    return tree


def edges_at(tree, node):
    edge = tree.nodes[node].first_edge
    while edge != NONE:
        yield tree.edges[edge]
        edge = tree.edges[edge].next_edge


def chain(tree, node):
    while node != NONE:
        yield node
        node = int(tree.nodes[node].sibling)


def children(tree, node):
    """Every node below `node`, with the edge that led there (None behind a hidden choice)."""
    yield from ((None, child) for child in chain(tree, int(tree.nodes[node].blind_child)))
    for edge in edges_at(tree, node):
        yield from ((edge, child) for child in chain(tree, int(edge.first_child)))


def outline(tree, node=ROOT, depth=0):
    """The tree as text: below each node its actions with visits/available and score."""
    lines = []
    for edge in sorted(edges_at(tree, node), key=lambda edge: edge.action):
        indent = "  " * depth
        counts = f"{edge.visits}/{edge.available} {edge.score:+d}"
        lines.append(f"{indent}seat {tree.nodes[node].seat} plays {edge.action}: {counts}")
        for child in sorted(chain(tree, int(edge.first_child)), key=lambda child: tree.nodes[child].revealed):
            lines.append(f"{indent}  against {tree.nodes[child].revealed}:")
            lines += outline(tree, child, depth + 2)
    for child in chain(tree, int(tree.nodes[node].blind_child)):
        lines.append("  " * depth + "whatever was played:")
        lines += outline(tree, child, depth + 1)
    return lines


# --- The choice -----------------------------------------------------------------------------------------------


def test_a_single_legal_action_is_taken_without_thinking():
    table, state = scene([2], [4], rounds_played=2)
    agent = ISMCTSAgent(GAME, table, 1000)
    stream = new_stream(1)
    assert agent.act(position_of(GAME, table, state, 1), stream) == 2
    assert (agent.simulations_made, stream.rng) == (0, 1)


@pytest.mark.parametrize("hand", [(0, 1, 5), (5, 1, 0), (1, 5, 0)])
def test_the_only_winning_card_is_found(hand):
    table, state = scene(hand, (2, 3, 4), rounds=1)
    agent, reports = searched(table, state, 300)
    assert agent.act(position_of(GAME, table, state, 3), new_stream(3)) == 5
    assert reports[0].action == 5
    assert reports[0].value == 1.0


def test_the_second_seat_finds_its_only_winning_card():
    table, state = scene((2, 3, 4), (0, 1, 5), rounds=1, hidden=4)
    _, reports = searched(table, state, 300)
    assert (reports[0].action, reports[0].value) == (5, 1.0)
    assert {report.value for report in reports[1:]} == {-1.0}


def test_in_one_round_against_unknown_cards_the_highest_is_best():
    """Exact values: the other seat plays its best card, the highest of three from five unknown ones."""
    table, state = scene((1, 4, 6), (0, 2, 3), unseen=(5, 7), rounds=1)
    _, reports = searched(table, state, 20000)
    assert reports[0].action == 6
    # 7 is among the three of {0, 2, 3, 5, 7} with probability 3/5 and then beats 6; else 6 wins: 2/5 - 3/5.
    assert reports[0].value == pytest.approx(-0.2, abs=0.05)


def test_most_visits_decide_then_value_then_the_lower_number():
    table, state = scene((0, 1, 2), (5, 6, 7), rounds=1)  # every card loses
    _, reports = searched(table, state, 3)
    assert [(report.visits, report.value) for report in reports] == [(1, -1.0)] * 3
    assert [report.action for report in reports] == [0, 1, 2]


def test_actions_that_were_never_tried_are_reported_as_such():
    table, state = scene((0, 1, 5), (2, 3, 4), rounds=1)
    agent, reports = searched(table, state, 1)
    assert sorted(report.visits for report in reports) == [0, 0, 1]
    assert [report.value for report in reports if report.visits == 0] == [0.0, 0.0]
    assert agent.last_search == reports
    assert {report.name for report in reports} == {"play Card 0", "play Card 1", "play Card 5"}


def test_no_exploration_sticks_to_what_looked_best():
    table, state = scene((0, 1, 5), (2, 3, 4), rounds=1)
    _, reports = searched(table, state, 100, exploration=0.0)
    assert [report.visits for report in reports] == [98, 1, 1]


# --- Hidden choices -------------------------------------------------------------------------------------------


def test_the_reply_is_not_conditioned_on_a_card_set_face_down():
    """With a node behind each face-down card the other seat would always pair the cards its way: value -1."""
    _, reports = searched(*matching_pennies(), 20000)
    value = sum(report.visits * report.value for report in reports) / 20000
    assert value == pytest.approx(-0.5, abs=0.1)


@pytest.mark.parametrize("hidden", [3, 5])
def test_a_searching_second_seat_does_not_know_the_card_either(hidden):
    _, reports = searched(*matching_pennies(hidden), 20000)
    assert [report.value for report in reports] == [pytest.approx(0.5, abs=0.1)] * 2


def test_all_face_down_cards_lead_to_one_node():
    tree = tree_of(*matching_pennies())
    (behind,) = chain(tree, int(tree.nodes[ROOT].blind_child))
    assert tree.nodes[behind].seat == 1
    assert {int(edge.action) for edge in edges_at(tree, ROOT)} == {3, 5}
    assert all(edge.first_child == NONE for edge in edges_at(tree, ROOT))
    assert {int(edge.action) for edge in edges_at(tree, behind)} == {4, 6}


def test_once_turned_over_the_cards_part_the_ways():
    tree = tree_of(*matching_pennies())
    behind = int(tree.nodes[ROOT].blind_child)
    for edge in edges_at(tree, behind):
        known = [int(tree.nodes[node].revealed) for node in chain(tree, int(edge.first_child))]
        assert sorted(known) == [3, 5]


def test_the_root_itself_may_be_a_reply_to_a_hidden_card():
    tree = tree_of(*matching_pennies(hidden=3))
    assert tree.nodes[ROOT].blind_child == NONE
    for edge in edges_at(tree, ROOT):
        assert sorted(int(tree.nodes[node].revealed) for node in chain(tree, int(edge.first_child))) == [3, 5]


# --- The tree -------------------------------------------------------------------------------------------------


def opening(seed=3):
    table = GAME.table()
    return table, GAME.dealt(table, seed)


@pytest.mark.parametrize("simulations", [1, 2, 50, 2000])
def test_every_simulation_begins_at_the_root(simulations):
    _, reports = searched(*opening(), simulations)
    assert sum(report.visits for report in reports) == simulations
    assert all(report.available <= simulations for report in reports)


def test_an_action_is_visited_only_while_it_is_available():
    tree = tree_of(*opening())
    edges = tree.edges[: tree.counts[0].edges]
    assert (edges.visits >= 1).all()
    assert (edges.visits <= edges.available).all()
    assert (np.abs(edges.score) <= edges.visits).all()
    for node in range(tree.counts[0].nodes):
        visits = sum(int(edge.visits) for edge in edges_at(tree, node))
        assert all(edge.available <= visits for edge in edges_at(tree, node))


def test_availability_counts_the_worlds_in_which_an_action_is_legal():
    """The seat to reply holds three of five unknown cards: each is available in 3/5 of the simulations."""
    tree = tree_of(*opening(), simulations=5000)
    behind = int(tree.nodes[ROOT].blind_child)
    visits = sum(int(edge.visits) for edge in edges_at(tree, behind))
    shares = [edge.available / visits for edge in edges_at(tree, behind)]
    assert shares == [pytest.approx(0.6, abs=0.03)] * 5


def test_a_node_is_visited_as_often_as_the_ways_to_it_less_the_one_that_made_them():
    tree = tree_of(*opening())
    for node in range(tree.counts[0].nodes):
        below = {}
        for edge, child in children(tree, node):
            visits = sum(int(e.visits) for e in edges_at(tree, child))
            way = None if edge is None else int(edge.action)
            below[way] = below.get(way, 0) + visits
        for edge in edges_at(tree, node):
            if int(edge.action) in below and edge.first_child != NONE:
                assert below[int(edge.action)] <= edge.visits - 1


def test_the_tree_grows_by_at_most_one_node_and_one_edge_a_simulation():
    for simulations in (1, 5, 300):
        counts = tree_of(*opening(), simulations).counts[0]
        assert counts.edges <= simulations
        assert counts.nodes <= simulations + 1
    assert tree_of(*opening(), 5).counts[0].edges == 5


def test_a_second_search_forgets_the_first():
    agent = ISMCTSAgent(GAME, GAME.table(), 500)
    for table, state in (opening(1), opening(2)):
        used = agent.explain(position_of(GAME, table, state, 1), new_stream(1))
        assert used == ISMCTSAgent(GAME, table, 500).explain(position_of(GAME, table, state, 1), new_stream(1))


def test_the_position_is_left_as_it_was():
    table, state = opening()
    position = position_of(GAME, table, state, 1)
    before = position.root.copy()
    ISMCTSAgent(GAME, table, 200).act(position, new_stream(1))
    assert position.root == before


def test_work_is_counted():
    """High Card has six decisions, and two fewer after the first round."""
    table, state = opening()
    agent = ISMCTSAgent(GAME, table, 40)
    agent.act(position_of(GAME, table, state, 1), new_stream(1))
    assert (agent.simulations_made, agent.decisions_made) == (40, 240)
    for _ in range(2):
        dispatch.apply(table, state, GAME.legal_actions(table, state)[0])
    agent.act(position_of(GAME, table, state, 1), new_stream(1))
    assert (agent.simulations_made, agent.decisions_made) == (80, 400)


def test_searches_run_in_every_game(game):
    table = game.table()
    agent = ISMCTSAgent(game, table, 100)
    reports = agent.explain(position_of(game, table, game.dealt(table, 1), 1), new_stream(1))
    assert sum(report.visits for report in reports) == 100
    assert len({report.name for report in reports}) == len(reports)


@pytest.mark.parametrize(("winner", "scores"), [(0, [1, 1, -1]), (1, [-1, -1, 1]), (-1, [0, 0, 0])])
def test_outcomes_count_for_the_seat_that_moved(winner, scores):
    """Seat 0 moves twice, then seat 1; a drawn game counts for nobody."""
    tree = new_tree(3)
    clear(tree, 0)
    node = ROOT
    for step, next_seat in enumerate([0, 1, 0]):
        tree.path[step] = expand(tree, node, step)
        node = enter_child(tree, tree.path[step], NOTHING_HIDDEN, NOTHING_HIDDEN, next_seat)
    back_up(tree, 3, winner)
    assert [int(tree.edges[edge].score) for edge in tree.path] == scores
    assert [int(tree.edges[edge].visits) for edge in tree.path] == [1, 1, 1]


def test_one_action_after_which_either_seat_may_decide_has_a_node_for_each():
    tree = new_tree(3)
    clear(tree, 0)
    edge = expand(tree, ROOT, 4)
    first, second = (enter_child(tree, edge, NOTHING_HIDDEN, NOTHING_HIDDEN, seat) for seat in (0, 1))
    assert first != second
    assert enter_child(tree, edge, NOTHING_HIDDEN, NOTHING_HIDDEN, 0) == first


def test_the_bound_is_that_of_the_paper():
    """Cowling, Powley & Whitehouse 2012: mean + c sqrt(ln(available) / visits)."""
    assert upper_confidence(2, 4, np.log(9), 0.7) == pytest.approx(0.5 + 0.7 * np.sqrt(np.log(9) / 4))


def test_the_best_known_action_is_selected_and_the_unknown_ones_are_left():
    tree = new_tree(10)
    clear(tree, 0)
    for action, score in [(1, 1), (2, 3), (3, -1)]:
        edge = tree.edges[expand(tree, ROOT, action)]
        edge.visits, edge.score, edge.available = 3, score, 9
    mask = np.array([0, 1, 0, 1, 1], np.int8)  # 2 would be best, but is not legal in this world
    chosen = select(tree, ROOT, mask, 0.5)
    assert tree.edges[chosen].action == 1
    assert list(mask) == [0, 0, 0, 0, 1]
    assert [int(edge.available) for edge in tree.edges[:3]] == [10, 9, 10]


def test_a_small_tree_move_by_move():
    tree = tree_of(*scene([2, 6], [1, 5], unseen=[3], rounds_played=1), simulations=14, seed=5)
    assert outline(tree) == GOLDEN.strip("\n").split("\n")


GOLDEN = """
seat 0 plays 2: 7/13 +1
seat 0 plays 6: 7/14 +1
whatever was played:
  seat 1 plays 1: 2/8 -1
    against 2:
      seat 0 plays 6: 1/1 +1
  seat 1 plays 3: 6/7 +0
    against 2:
      seat 0 plays 6: 2/2 +0
      whatever was played:
        seat 1 plays 1: 1/1 +0
    against 6:
      seat 0 plays 2: 3/3 +0
      whatever was played:
        seat 1 plays 5: 2/2 +0
          against 2:
  seat 1 plays 5: 4/8 -1
    against 2:
      seat 0 plays 6: 2/2 +0
      whatever was played:
        seat 1 plays 1: 1/1 +0
    against 6:
      seat 0 plays 2: 1/1 +1
"""
