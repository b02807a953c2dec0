"""The information-set search, on scenes of High Card and of Safe whose best play is known."""

import highcard
import numpy as np
import pytest
import safe

from duelbench.agents.agent import position_of
from duelbench.agents.ismcts import ISMCTSAgent, grow, search
from duelbench.agents.search_tree import (
    NONE,
    ROOT,
    TOTAL,
    back_up,
    before_all,
    begin,
    clear,
    enter,
    expand,
    go_on,
    has_room,
    mix,
    new_tree,
    resume,
    select,
    tally,
    upper_confidence,
)
from duelbench.envs import dispatch
from duelbench.envs.dispatch import NOTHING_TOLD
from duelbench.envs.records import blank
from duelbench.envs.rng import new_stream

GAME = highcard.GAME
NO_ADVICE = np.zeros(0, np.int8)


def scene(hand_0, hand_1, *, unseen=(), points=(0, 0), rounds=3, rounds_played=0, face_down=None):
    """A table and a state: two hands, cards nobody holds but the others may think so, and the rest played."""
    table, state = GAME.table({"rounds": rounds}), GAME.dealt(GAME.table(), 0)
    state.highcard_zone[:] = highcard.PLAYED
    for place, cards in [(highcard.STOCK, unseen), (highcard.IN_HAND, hand_0), (highcard.IN_HAND + 1, hand_1)]:
        state.highcard_zone[list(cards)] = place
    state.points[:] = points
    state.rounds_played = rounds_played
    if face_down is not None:
        dispatch.apply(table, state, face_down)
    return table, state


def matching_pennies(face_down=None):
    """Two rounds to go, level. Seat 1 wins by meeting 3 with 4 and 5 with 6, and the other pairing is a draw."""
    return scene([3, 5], [4, 6], rounds_played=1, face_down=face_down)


def searched(table, state, simulations=2000, seed=1, exploration=1.0):
    agent = ISMCTSAgent(GAME, table, simulations, exploration)
    reports = agent.explain(position_of(GAME, table, state, seed), new_stream(seed))
    return agent, reports


def mean_value(reports):
    """The mean outcome of all simulations for the searching seat."""
    return sum(report.visits * report.value for report in reports) / sum(report.visits for report in reports)


def tree_of(table, state, simulations=500, seed=1):
    """The trees of a search from `state` as it is, cards and choices that its seat must not know included."""
    tree, states = new_tree(simulations), blank(2, state.dtype)
    states[0] = state
    mask = np.zeros(GAME.num_actions, np.int8)
    search(table, states, tree, mask, NO_ADVICE, simulations, 1.0, False, 0.0, 0, new_stream(seed))
    return tree


def edges_at(tree, node):
    edge = tree.nodes[node].first_edge
    while edge != NONE:
        yield tree.edges[edge]
        edge = tree.edges[edge].next_edge


def numbers_at(tree, node):
    """The numbers of the edges of `node`."""
    edge = int(tree.nodes[node].first_edge)
    while edge != NONE:
        yield edge
        edge = int(tree.edges[edge].next_edge)


def nodes_after(tree, edge):
    """The next decisions of a seat after its action `edge`."""
    return [int(node) for node in np.flatnonzero(tree.nodes.after[: tree.counts[0].nodes] == edge)]


def root_of(tree, seat):
    """The first decision of the seat; it must be one, about which it was told nothing."""
    (node,) = nodes_after(tree, before_all(seat))
    assert tree.nodes[node].key == 0
    return node


def told_of(*actions):
    """The key of a seat that was told of these actions, one after the other."""
    key = np.uint64(0)
    for action in actions:
        key = np.uint64(mix(key, action))
    return key


def outline(tree, node, depth=0):
    """A seat's tree as text: below each node its actions with visits/available and score."""
    lines, indent = [], "  " * depth
    for number in sorted(numbers_at(tree, node), key=lambda number: tree.edges[number].action):
        edge = tree.edges[number]
        lines.append(f"{indent}play {edge.action}: {edge.visits}/{edge.available} {edge.score:+g}")
        known = {told_of(card): card for card in range(highcard.CARDS)}
        for child in sorted(nodes_after(tree, number), key=lambda child: known[tree.nodes[child].key]):
            lines.append(f"{indent}  against {known[tree.nodes[child].key]}:")
            lines += outline(tree, child, depth + 2)
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
    table, state = scene((2, 3, 4), (0, 1, 5), rounds=1, face_down=4)
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


# --- Choices that the other seat does not see -----------------------------------------------------------------


def test_the_reply_is_not_conditioned_on_a_card_set_face_down():
    """If the other seat knew the card, it would always pair the cards its way: value -1."""
    _, reports = searched(*matching_pennies(), 20000)
    assert mean_value(reports) == pytest.approx(-0.5, abs=0.1)


@pytest.mark.parametrize("face_down", [3, 5])
def test_a_searching_second_seat_does_not_know_the_card_either(face_down):
    _, reports = searched(*matching_pennies(face_down), 20000)
    assert [report.value for report in reports] == [pytest.approx(0.5, abs=0.1)] * 2


def test_the_card_that_lies_there_changes_nothing_in_the_second_seats_search():
    """Not even in a search that is given the true state."""
    one, two = (outline(tree, root_of(tree, 1)) for tree in (tree_of(*matching_pennies(card)) for card in (3, 5)))
    assert one == two


def two_rounds_to_go():
    """Seat 0 leads by a point, has 0, 1 and 4, and has set a card; seat 1 has 2, 3 and 5; a card will be left over.

    Also the outcome for seat 0 by its card and the answer. In the last round each does best with its highest card.
    """
    mine, theirs = (0, 1, 4), (2, 3, 5)
    outcome = np.zeros((3, 3))
    for i, card in enumerate(mine):
        for j, answer in enumerate(theirs):
            last = max(set(mine) - {card}) - max(set(theirs) - {answer})
            outcome[i, j] = np.sign(1 + np.sign(card - answer) + np.sign(last))
    return scene(mine, theirs, points=(1, 0), rounds_played=1, face_down=0), outcome


def test_the_second_seat_expects_a_card_that_was_chosen_well():
    """Against a card set anyhow 5 is the worst answer and 2 or 3 win a third of a game. But seat 0 does best to set 4
    half the time, so that every answer is worth 0."""
    position, outcome = two_rounds_to_go()
    assert outcome.mean(axis=0) == pytest.approx([-1 / 3, -1 / 3, 1 / 3])
    assert np.array([0, 0.5, 0.5]) @ outcome == pytest.approx([0, 0, 0])
    _, reports = searched(*position, 20000)
    assert [report.value for report in reports] == [pytest.approx(0, abs=0.1)] * 3


def test_the_second_seats_answers_are_sound_against_every_card():
    """Its visits, taken for a mix of answers, give seat 0 hardly more than the value of the game, 0."""
    position, outcome = two_rounds_to_go()
    assert (outcome @ [0, 0.5, 0.5]).max() == 0
    _, reports = searched(*position, 20000)
    visits = {report.action: report.visits for report in reports}
    answers = np.array([visits[card] for card in (2, 3, 5)]) / 20000
    assert (outcome @ answers).max() == pytest.approx(0, abs=0.1)


def test_the_second_seat_has_one_first_decision_whatever_was_set():
    for face_down in (None, 3):
        tree = tree_of(*matching_pennies(face_down))
        assert {int(edge.action) for edge in edges_at(tree, root_of(tree, 0))} == {3, 5}
        assert {int(edge.action) for edge in edges_at(tree, root_of(tree, 1))} == {4, 6}
        assert root_of(tree, 0 if face_down is None else 1) == ROOT


def test_once_turned_over_the_cards_part_the_ways():
    tree = tree_of(*matching_pennies())
    for seat, others in [(0, (4, 6)), (1, (3, 5))]:
        for edge in numbers_at(tree, root_of(tree, seat)):
            keys = {tree.nodes[node].key for node in nodes_after(tree, edge)}
            assert keys == {told_of(card) for card in others}


def test_every_simulation_comes_to_the_second_seats_own_choice():
    """Those too in which a card is new that the first seat may have set."""
    for simulations in (1, 2, 5, 100):
        _, reports = searched(*scene((2, 3, 4), (0, 1, 5), unseen=(6, 7), face_down=4), simulations)
        assert sum(report.visits for report in reports) == simulations


# --- Several choices in a row ---------------------------------------------------------------------------------


def safe_search(outcome, *digits, simulations=4000, seed=1):
    """The visits of digits 0 and 1 and the mean outcome for the seat to act, after some digits have been set."""
    table, states = blank(1, safe.TABLE)[0], blank(2, safe.STATE)
    table.outcome[:] = outcome
    dispatch.deal(table, states[0], np.uint64(seed))
    for digit in digits:
        dispatch.apply(table, states[0], digit)
    tree = new_tree(simulations)
    search(table, states, tree, np.zeros(2, np.int8), NO_ADVICE, simulations, 1.0, False, 0.0, 0, new_stream(seed))
    edges = {int(edge.action): edge for edge in edges_at(tree, ROOT)}
    visits = [int(edges[digit].visits) for digit in range(2)]
    assert sum(visits) == simulations
    return visits, sum(float(edge.score) for edge in edges.values()) / simulations


def test_two_unseen_choices_in_a_row_are_found():
    """1 then 0 wins, 1 then 1 loses, anything else draws: the first digit alone says nothing."""
    outcome = np.array([[0], [0], [1], [-1]])
    visits, value = safe_search(outcome)
    assert visits[1] > 10 * visits[0]
    assert value > 0.9
    visits, value = safe_search(outcome, 1)
    assert visits[0] > 10 * visits[1]


@pytest.mark.parametrize("code", range(safe.CODES))
def test_the_second_seat_learns_neither_of_two_unseen_choices(code):
    """It wins by setting the same code: one time in four."""
    visits, value = safe_search(1 - 2 * np.eye(safe.CODES), code // 2, code % 2, simulations=20000)
    assert value == pytest.approx(-0.5, abs=0.1)
    assert (visits, value) == safe_search(1 - 2 * np.eye(safe.CODES), 0, 0, simulations=20000)


def test_two_unseen_choices_are_expected_to_be_good_ones():
    """Seat 0 does best with 1, 0, against which 0, 1 draws and all else loses; it had set something else."""
    outcome = np.array([[-1, 0, 1, 1], [-1, 0, 1, 1], [1, 0, 1, 1], [-1, 0, 1, 1]])
    assert outcome.mean(axis=0).argmin() == 0, "against a code set anyhow 0, 0 would be best"
    visits, _ = safe_search(outcome, 0, 0)
    assert visits[0] > visits[1]
    visits, value = safe_search(outcome, 0, 0, 0)
    assert visits[1] > 5 * visits[0]
    assert value == pytest.approx(0, abs=0.1)


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
    edges = list(edges_at(tree, root_of(tree, 1)))
    visits = sum(int(edge.visits) for edge in edges)
    assert [edge.available / visits for edge in edges] == [pytest.approx(0.6, abs=0.03)] * 5


@pytest.mark.parametrize("replies", [0, 1])
def test_what_follows_an_action_is_visited_less_often_than_the_action(replies):
    """The simulation that tried it first ended its way through the trees there."""
    table, state = opening()
    for _ in range(replies):
        dispatch.apply(table, state, GAME.legal_actions(table, state)[0])
    tree = tree_of(table, state)
    for number in range(tree.counts[0].edges):
        below = sum(int(edge.visits) for node in nodes_after(tree, number) for edge in edges_at(tree, node))
        assert below <= tree.edges[number].visits - 1


def test_a_simulation_adds_at_most_one_node_and_one_edge():
    for simulations in (1, 5, 300):
        counts = tree_of(*opening(), simulations).counts[0]
        assert counts.edges <= simulations
        assert counts.nodes <= simulations + 1
    assert tree_of(*opening(), 5).counts[0].edges == 5


def test_where_choices_are_made_again_a_simulation_may_add_an_edge_for_each_seat():
    table, state = scene((2, 3, 4), (0, 1, 5), unseen=(6, 7), face_down=4)
    counts = tree_of(table, state, 1).counts[0]
    assert (counts.edges, counts.nodes) == (2, 2)
    counts = tree_of(table, state, 300).counts[0]
    assert counts.edges <= 600
    assert counts.nodes <= 301


def test_a_second_search_forgets_the_first():
    agent = ISMCTSAgent(GAME, GAME.table(), 500)
    for table, state in (opening(1), opening(2)):
        used = agent.explain(position_of(GAME, table, state, 1), new_stream(1))
        assert used == ISMCTSAgent(GAME, table, 500).explain(position_of(GAME, table, state, 1), new_stream(1))


def test_two_searches_with_one_seed_are_equal():
    for table, state in (opening(), matching_pennies(3)):
        one, two = (searched(table, state, 500, seed=7)[1] for _ in range(2))
        assert one == two
        assert one != searched(table, state, 500, seed=8)[1]


def test_the_position_is_left_as_it_was():
    table, state = opening()
    position = position_of(GAME, table, state, 1)
    before = position.root.copy()
    ISMCTSAgent(GAME, table, 200).act(position, new_stream(1))
    assert position.root == before


def test_work_is_counted():
    """High Card has six decisions, and two fewer after the first round; one that is made again counts."""
    table, state = opening()
    agent = ISMCTSAgent(GAME, table, 40)
    agent.act(position_of(GAME, table, state, 1), new_stream(1))
    assert (agent.simulations_made, agent.decisions_made) == (40, 240)
    for work in (480, 640):
        dispatch.apply(table, state, GAME.legal_actions(table, state)[0])
        agent.act(position_of(GAME, table, state, 1), new_stream(1))
        assert agent.decisions_made == work
    assert agent.simulations_made == 120


def test_searches_run_in_every_game(game):
    table = game.table()
    agent = ISMCTSAgent(game, table, 100)
    reports = agent.explain(position_of(game, table, game.dealt(table, 1), 1), new_stream(1))
    assert sum(report.visits for report in reports) == 100
    assert len({report.name for report in reports}) == len(reports)


def test_a_tree_goes_on_from_where_the_action_led():
    """In Safe 1 then 0 wins, 1 then 1 loses, anything else draws; nobody is told of the first digit."""
    table, states, mask = blank(1, safe.TABLE)[0], blank(2, safe.STATE), np.zeros(2, np.int8)
    table.outcome[:] = np.array([[0], [0], [1], [-1]])
    dispatch.deal(table, states[0], np.uint64(1))
    tree, settings = new_tree(1001), (1.0, False, 0.0, 0, new_stream(1))
    search(table, states, tree, mask, NO_ADVICE, 500, *settings)
    (first,) = (number for number in numbers_at(tree, ROOT) if tree.edges[number].action == 1)
    (node,) = nodes_after(tree, first)
    known = sum(int(edge.visits) for edge in edges_at(tree, node))
    assert known > 300
    assert has_room(tree, 501)
    assert not has_room(tree, 502)
    assert resume(tree, 0, 1, np.full(2, NOTHING_TOLD, np.int16))
    assert tree.counts[0].root == node
    dispatch.apply(table, states[0], 1)
    grow(table, states, tree, mask, NO_ADVICE, 500, *settings)
    visits = {int(edge.action): int(edge.visits) for edge in edges_at(tree, node)}
    assert sum(visits.values()) == known + 500
    assert visits[0] > 20 * visits[1]
    totals = blank(2, TOTAL)
    tally(tree, totals)
    assert totals["visits"].tolist() == [visits[0], visits[1]]


def test_a_tree_does_not_go_on_after_an_action_it_never_tried():
    tree = new_tree(3)
    clear(tree, 0)
    assert not resume(tree, 0, 1, np.full(2, NOTHING_TOLD, np.int16))
    assert tree.counts[0].root == ROOT


@pytest.mark.parametrize("value", [1.0, -1.0, 0.0, 0.375])
def test_what_a_simulation_came_to_counts_for_the_seat_that_moved(value):
    """Seat 0 moves twice, then seat 1; a drawn game counts for nobody."""
    tree = new_tree(3)
    clear(tree, 0)
    for step, seat in enumerate([0, 0, 1]):
        tree.path[step] = expand(tree, enter(tree, seat), seat, step)
        go_on(tree, seat, tree.path[step], np.full(2, NOTHING_TOLD, np.int16))
    for visits in (1, 2):
        back_up(tree, 3, value)
        assert [float(tree.edges[edge].score) for edge in tree.path[:3]] == [
            visits * value,
            visits * value,
            -visits * value,
        ]
        assert [int(tree.edges[edge].visits) for edge in tree.path[:3]] == [visits] * 3


def told(action):
    """As in a state: what seat 0 was told, and seat 1 was not."""
    return np.array([action, NOTHING_TOLD], np.int16)


def decision_after(tree, *steps, seat=0):
    """The node of `seat` after these steps, each (seat, edge, told) of `go_on`."""
    begin(tree)
    for step in steps:
        go_on(tree, *step)
    return enter(tree, seat)


def test_a_decision_is_known_by_the_last_own_action_and_by_what_was_told_since():
    tree = new_tree(20)
    clear(tree, 0)
    nothing, this, that = told(NOTHING_TOLD), told(4), told(5)
    other_seat_acts = [
        [],
        [(1, 7, this)],
        [(1, 7, that)],
        [(1, 7, this), (1, 8, that)],
        [(1, 7, that), (1, 8, this)],
        [(1, 7, this), (1, 8, this)],
        [(0, 3, nothing)],
        [(0, 3, this)],
        [(0, 3, nothing), (1, 7, that)],
        [(0, 4, nothing)],
    ]
    nodes = [decision_after(tree, *steps) for steps in other_seat_acts]
    assert nodes == list(range(len(nodes)))
    assert nodes == [decision_after(tree, *steps) for steps in other_seat_acts]
    assert nodes[0] == ROOT


def test_what_a_seat_does_unseen_and_what_was_told_before_its_own_action_make_no_difference():
    tree = new_tree(20)
    clear(tree, 0)
    nothing, this, that = told(NOTHING_TOLD), told(4), told(5)
    assert decision_after(tree, (1, 7, nothing)) == decision_after(tree, (1, 9, nothing)) == ROOT
    node = decision_after(tree, (1, 7, this), (0, 3, nothing))
    assert node == decision_after(tree, (1, 7, that), (0, 3, nothing)) == decision_after(tree, (0, 3, nothing))


def test_the_seats_have_trees_of_their_own():
    tree = new_tree(20)
    clear(tree, 1)
    assert decision_after(tree, seat=1) == ROOT
    assert decision_after(tree, seat=0) != ROOT
    assert decision_after(tree, (1, 5, told(4)), seat=0) != decision_after(tree, (1, 5, told(4)), seat=1)


def test_the_bound_is_that_of_the_paper():
    """Cowling, Powley & Whitehouse 2012: mean + c sqrt(ln(available) / visits)."""
    assert upper_confidence(2, 4, np.log(9), 0.7) == pytest.approx(0.5 + 0.7 * np.sqrt(np.log(9) / 4))


def tried(*scores):
    """A tree at whose root actions 1, 2, ... were taken three times each with these scores."""
    tree = new_tree(10)
    clear(tree, 0)
    for action, score in enumerate(scores, start=1):
        edge = tree.edges[expand(tree, ROOT, 0, action)]
        edge.visits, edge.score, edge.available = 3, score, 9
    return tree


def test_the_best_known_action_is_selected_and_the_unknown_ones_are_left():
    tree = tried(1, 3, -1)
    mask = np.array([0, 1, 0, 1, 1], np.int8)  # 2 would be best, but is not legal in this world
    chosen, untried = select(tree, ROOT, mask, 0.1, 0.0, new_stream(1))
    assert untried == 1
    assert tree.edges[chosen].action == 1
    assert list(mask) == [0, 0, 0, 0, 1]
    assert [int(edge.available) for edge in tree.edges[:3]] == [10, 9, 10]


@pytest.mark.parametrize(("visits", "chosen"), [(3, 2), (300, 1)])
def test_a_weighty_action_is_preferred_until_it_was_tried_often(visits, chosen):
    """Action 1 scored 0.2 a visit more; action 2 has three quarters of the weight: 0.5 * 10 / (visits + 1) more."""
    tree = tried(0, 0)
    for edge, mean in zip(tree.edges[:2], (0.3, 0.1), strict=True):
        edge.visits, edge.score = visits, round(mean * visits)
    weights = np.array([0, 25, 75], np.int8)
    found, untried = select(tree, ROOT, weights, 0.0, 10.0, new_stream(1))
    assert untried == 0
    assert tree.edges[found].action == chosen
    assert not weights.any()


def test_actions_that_look_alike_are_selected_in_no_order():
    """Two seats that take turns in the same order would always meet, or always miss, each other's choices."""
    stream, counts = new_stream(1), np.zeros(4, int)
    for _ in range(3000):
        tree = tried(1, 1, 1)
        counts[tree.edges[select(tree, ROOT, np.ones(4, np.int8), 0.5, 0.0, stream)[0]].action] += 1
    assert counts[1:] / 3000 == pytest.approx([1 / 3] * 3, abs=0.04)


def test_small_trees_move_by_move():
    tree = tree_of(*scene([2, 6], [1, 5], unseen=[3], rounds_played=1), simulations=14, seed=5)
    assert outline(tree, root_of(tree, 0)) == TREE_0.strip("\n").split("\n")
    assert outline(tree, root_of(tree, 1)) == TREE_1.strip("\n").split("\n")


TREE_0 = """
play 2: 6/13 +2
  against 1:
    play 6: 1/1 +1
  against 3:
    play 6: 1/1 +0
  against 5:
    play 6: 2/2 +0
play 6: 8/14 +4
  against 3:
    play 2: 3/3 +1
  against 5:
    play 2: 2/2 +2
"""
TREE_1 = """
play 1: 2/7 -2
play 3: 5/8 -2
  against 6:
    play 1: 1/1 -1
    play 5: 1/1 +0
play 5: 5/8 -2
  against 2:
    play 1: 1/1 +0
  against 6:
    play 1: 1/1 -1
"""
