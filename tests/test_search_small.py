"""Every searching agent on High Card, where the best play is known; also uncompiled and with checked array bounds."""

import highcard
import numpy as np
import pytest
from search_agents import CHEAP, HONEST, SEARCHES, checkpoint, policy_of, search_agent
from test_ismcts import matching_pennies, scene

from duelbench.agents.agent import OpenPosition, position_for, position_of
from duelbench.agents.catalogue import agent_types, make_agent, parse_spec
from duelbench.agents.search_agent import shares_of
from duelbench.agents.search_tree import before_all, mix, total_weight
from duelbench.envs.errors import BadInput
from duelbench.envs.jit import INTERPRETED
from duelbench.envs.playout import random_action
from duelbench.envs.rng import new_stream

pytestmark = pytest.mark.numba_modes

GAME = highcard.GAME
MANY = 200 if INTERPRETED else 6000
"""Simulations where a mean must be near its limit; uncompiled the tests are only to run."""
NEAR = 0.3 if INTERPRETED else 0.12


def reports(name, table, state, simulations, seed=1, **more):
    agent = search_agent(name, GAME, table, simulations, **more)
    return agent.explain(position_for(agent, GAME, table, state, seed), new_stream(seed))


def mean_value(found):
    """The mean outcome of all simulations for the searching seat."""
    return sum(report.visits * report.value for report in found) / sum(report.visits for report in found)


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("hand", [(0, 1, 5), (5, 1, 0)])
def test_the_only_winning_card_is_found(name, hand):
    found = reports(name, *scene(hand, (2, 3, 4), rounds=1), 200)
    assert found[0].action == 5
    # Where the network's value counts for a new position, its first visit need not come to 1.
    assert found[0].value == pytest.approx(1.0, abs=0.05 if name == "puct" else 0)
    found = reports(name, *scene((2, 3, 4), hand, rounds=1, face_down=4), 200)
    assert found[0].action == 5


@pytest.mark.parametrize("name", SEARCHES)
def test_a_single_legal_action_is_taken_without_thinking(name):
    table, state = scene([2], [4], rounds_played=2)
    agent, stream = search_agent(name, GAME, table, 100), new_stream(1)
    assert agent.act(position_for(agent, GAME, table, state, 1), stream) == 2
    assert (agent.simulations_made, stream.rng) == (0, 1)


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("simulations", [1, 2, 7, 60])
def test_every_simulation_begins_with_an_action_of_the_seat(name, simulations):
    """In the second seat too, whose simulations begin with the other's choice, made again."""
    for face_down in (None, 4):
        table, state = scene((2, 3, 4), (0, 1, 5), unseen=(6, 7), face_down=face_down)
        agent = search_agent(name, GAME, table, simulations)
        found = agent.explain(position_for(agent, GAME, table, state, 1), new_stream(1))
        assert sum(report.visits for report in found) == simulations == agent.simulations_made
        assert all(0 <= report.visits <= report.available <= simulations for report in found)
        assert sum(report.prior for report in found) == pytest.approx(1)
        assert agent.last_search == found
        assert {report.action for report in found} == set(GAME.legal_actions(table, state))
        assert agent.decisions_made >= simulations


@pytest.mark.parametrize("name", SEARCHES)
def test_two_searches_with_one_seed_are_equal_and_the_second_forgets_the_first(name):
    used = None
    for state_seed in (1, 2):
        table = GAME.table()
        state = GAME.dealt(table, state_seed)
        used = used or search_agent(name, GAME, table, 80)
        fresh = search_agent(name, GAME, table, 80)
        position = position_for(used, GAME, table, state, 1)
        before = position.root.copy()
        assert used.explain(position, new_stream(5)) == fresh.explain(position, new_stream(5))
        if state_seed == 1:  # in the other state every card wins
            assert fresh.explain(position, new_stream(6)) != used.last_search
        assert position.root == before


@pytest.mark.parametrize("name", [name for name in HONEST if name not in CHEAP])
def test_the_card_that_lies_there_changes_nothing(name):
    one, two = (reports(name, *matching_pennies(card), 150) for card in (3, 5))
    assert one == two


def test_the_oracle_sees_the_card_that_lies_there():
    """Seat 1 wins by meeting 3 with 4 and 5 with 6."""
    for card, answer in ((3, 4), (5, 6)):
        found = reports("oracle_mcts", *matching_pennies(card), 300)
        assert found[0].action == answer
        assert found[0].value == pytest.approx(1.0, abs=0.1)


def test_the_oracle_sees_the_hands():
    """Against 0, 1 and 2 any card wins the only round; one who does not know them fears 6 and 7."""
    position = scene((3, 4, 5), (0, 1, 2), unseen=(6, 7), rounds=1)
    assert {report.value for report in reports("oracle_mcts", *position, 60)} == {1.0}
    assert all(report.value < 1 for report in reports("ismcts", *position, 200))


def test_the_oracle_refuses_to_guess():
    table, state = scene((3, 4, 5), (0, 1, 2))
    agent = make_agent(GAME, table, {}, parse_spec({"type": "oracle_mcts"}, "run.yaml:7: agents.seer"), ".")
    with pytest.raises(BadInput, match=r"^run.yaml:7: agents.seer: oracle_mcts sees the true state and plays only"):
        agent.act(position_of(GAME, table, state, 1), new_stream(1))
    position = position_for(agent, GAME, table, state, 1)
    assert isinstance(position, OpenPosition)
    assert position.root == state
    agent.act(position, new_stream(1))
    assert not isinstance(position_for(search_agent("ismcts", GAME, table, 5), GAME, table, state, 1), OpenPosition)


@pytest.mark.parametrize("name", ["ismcts", "ismcts_trees", "soismcts", "puct_play_outs"])
def test_the_reply_is_not_conditioned_on_a_card_set_face_down(name):
    """If the other seat knew the card, it would always pair the cards its way: value -1."""
    assert mean_value(reports(name, *matching_pennies(), MANY)) == pytest.approx(-0.5, abs=NEAR)


def test_worlds_that_are_searched_as_if_open_expect_to_be_read():
    """What is wrong with `pimc`, by its own account."""
    assert mean_value(reports("pimc", *matching_pennies(), 1000)) < -0.8


@pytest.mark.parametrize("name", ["ismcts", "soismcts", "flat_mc", "puct_play_outs"])
@pytest.mark.parametrize("face_down", [3, 5])
def test_the_second_seat_gains_nothing_from_the_card_that_lies_there(name, face_down):
    """It wins half of the time by whichever card, and draws the other half."""
    found = reports(name, *matching_pennies(face_down), MANY)
    assert [report.value for report in found] == [pytest.approx(0.5, abs=NEAR)] * 2


def test_flat_monte_carlo_tries_all_alike_and_takes_the_best_mean():
    found = reports("flat_mc", *scene((0, 1, 5), (2, 3, 4), rounds=1), 100)
    assert sorted(report.visits for report in found) == [33, 33, 34]
    assert [report.action for report in found] == [5, 0, 1]
    fewer = reports("flat_mc", *scene((0, 1, 5), (2, 3, 4), rounds=1), 2)
    assert fewer[-1].visits == 0, "what was never tried comes last, also after what loses"
    skewed = reports("flat_mc_ucb1", *scene((0, 1, 5), (2, 3, 4), rounds=1), 100, exploration=0.5)
    assert skewed[0].visits > 80


def test_weights_may_add_up_to_more_than_an_int8_holds():
    weights = np.array([100, 100, 0, 1], np.int8)
    stream = new_stream(3)
    drawn = [int(random_action(stream, weights)) for _ in range(200)]
    assert total_weight(weights) == 201
    assert min(drawn.count(action) for action in (0, 1)) > 50
    assert drawn.count(2) == 0


def test_the_largest_code_is_told_apart_from_the_others():
    codes = np.array([0x7FFF, 0x3FFF, 0], np.int16)
    assert [int(mix(np.uint64(1), code)) for code in codes] == [int(mix(np.uint64(1), int(code))) for code in codes]


def test_simulations_are_shared_out():
    assert shares_of(10, 4) == [3, 3, 2, 2]
    assert shares_of(3, 3) == [1, 1, 1]
    table, state = scene((0, 1, 5), (2, 3, 4))
    assert sum(r.visits for r in reports("pimc", table, state, 3, worlds=50)) == 3
    assert sum(r.visits for r in reports("ismcts", table, state, 3, trees=50)) == 3


@pytest.mark.skipif(INTERPRETED, reason="threads do not change what is not compiled")
def test_the_number_of_threads_changes_nothing():
    table = GAME.table()
    position = position_of(GAME, table, GAME.dealt(table, 3), 1)
    found = []
    for threads in (1, 2, 5):
        agent = search_agent("ismcts", GAME, table, 501, trees=5)
        agent.threads = threads
        found.append((agent.explain(position, new_stream(2)), agent.decisions_made))
    assert found[0] == found[1] == found[2]


def test_trees_are_different_ones():
    table = GAME.table()
    agent = search_agent("ismcts", GAME, table, 100, trees=2)
    agent.explain(position_of(GAME, table, GAME.dealt(table, 3), 1), new_stream(2))
    one, two = (ground.tree for ground in agent._grounds)
    assert one.counts[0].simulations == two.counts[0].simulations == 50
    assert not np.array_equal(one.edges.score[:50], two.edges.score[:50])


# --- The network that leads the search ------------------------------------------------------------------------


def test_at_the_root_the_prior_is_the_policys_probability():
    table = GAME.table()
    position = position_of(GAME, table, GAME.dealt(table, 3), 1)
    for temperature in (1.0, 0.5):
        agent = search_agent("puct", GAME, table, 30, temperature=temperature)
        expected = policy_of(GAME).probabilities(position.observation, position.mask, temperature)
        for report in agent.explain(position, new_stream(1)):
            assert report.prior == pytest.approx(expected[report.action], abs=1e-5)


@pytest.mark.parametrize("favourite", [1, 5])
def test_the_policys_favourite_is_tried_first_and_gives_way_to_what_is_better(favourite):
    table, state = scene((0, 1, 5), (2, 3, 4), rounds=1)
    path = str(checkpoint(GAME, favourite=favourite))
    assert reports("puct", table, state, 1, checkpoint=path)[0].action == favourite
    assert reports("puct", table, state, 800, checkpoint=path, value_weight=0.0)[0].action == 5


@pytest.mark.parametrize("value", [0.5, -0.25])
def test_a_new_position_counts_as_the_network_has_it_for_the_seat_to_act(value):
    """After seat 0 has set a card it is seat 1's turn; after seat 1 has, and nobody has won yet, seat 0's."""
    path = str(checkpoint(GAME, value=value))
    for face_down in (None, 4):
        table, state = scene((2, 3, 4), (0, 1, 5), unseen=(6, 7), face_down=face_down)
        assert reports("puct", table, state, 1, checkpoint=path)[0].value == pytest.approx(-value)
    last = scene([2, 4], [3], rounds=1)
    assert reports("puct", *last, 40, checkpoint=path)[0].action == 4, "the end of a game counts as it is"


def test_a_value_beyond_certainty_is_cut():
    found = reports("puct", *scene((2, 3, 4), (0, 1, 5)), 1, checkpoint=str(checkpoint(GAME, value=7.0)))
    assert found[0].value == -1.0


def test_value_and_play_out_are_mixed():
    """Seat 0 wins the only round whatever happens; the network thinks that seat 1 does."""
    table, state = scene((5, 6, 7), (0, 1, 2), rounds=1)
    path = str(checkpoint(GAME, value=1.0))
    for weight in (1.0, 0.5, 0.25, 0.0):
        for playouts in ("policy", "leaning", "uniform"):
            found = reports("puct", table, state, 1, checkpoint=path, value_weight=weight, playouts=playouts)
            assert found[0].value == pytest.approx(1 - 2 * weight)


def test_a_play_out_that_is_cut_counts_as_the_network_has_it():
    """One decision after seat 0's card seat 1 has answered and it is seat 0's turn, two after it seat 1's."""
    table, state = scene((2, 3, 4), (0, 1, 5), unseen=(6, 7))
    path = str(checkpoint(GAME, value=0.5))
    for horizon, worth in ((1, 0.5), (2, -0.5)):
        found = reports("puct", table, state, 1, checkpoint=path, value_weight=0.0, horizon=horizon)
        assert found[0].value == pytest.approx(worth)


def test_an_action_new_in_another_world_gets_a_prior_of_its_own():
    """The other seat's hand changes from world to world, so that all five unknown cards turn up in its node."""
    table = GAME.table()
    state = GAME.dealt(table, 3)
    agent = search_agent("puct", GAME, table, 200)
    agent.explain(position_of(GAME, table, state, 1), new_stream(1))
    mine = {card for card in range(highcard.CARDS) if state.highcard_zone[card] == highcard.IN_HAND}
    (node,) = np.flatnonzero(agent._tree.nodes.after == before_all(1))
    priors = agent._options[node]["prior"]
    assert {int(card) for card in np.flatnonzero(priors > 0)} == set(range(highcard.CARDS)) - mine


# --- In the catalogue -----------------------------------------------------------------------------------------


def test_the_new_types_are_listed_with_what_can_be_set():
    kinds = {kind.name: kind for kind in agent_types()}
    for spec in SEARCHES.values():
        kind = kinds[spec["type"]]
        assert "simulations" in [p.name for p in kind.parameters]
        assert all(p.meaning for p in kind.parameters)
        assert kind.name == "puct" or {p.name for p in kind.parameters if p.by_game} >= {"exploration", "horizon"}
    assert "cheats" in kinds["oracle_mcts"].meaning


@pytest.mark.parametrize("kind", ["ismcts", "soismcts", "pimc", "flat_mc", "oracle_mcts", "puct"])
def test_defaults_in_configs_are_those_of_the_class(kind):
    import inspect

    name = next(name for name, spec in SEARCHES.items() if spec == {"type": kind} or spec["type"] == kind)
    in_code = inspect.signature(type(search_agent(name, GAME, GAME.table(), 1))).parameters
    for parameter in {listed.name: listed for listed in agent_types()}[kind].parameters:
        if parameter.name not in ("checkpoint", "train"):
            assert in_code[parameter.name].default == parameter.default


def test_a_policy_for_the_search_is_trained_or_read():
    trained = parse_spec({"type": "puct", "train": "quick"}, "here")
    assert (trained.train, trained.checkpoint) == ("quick", None)
    ready = trained.with_checkpoint("runs/a/policy.npz")
    assert (ready.train, ready.checkpoint) == (None, "runs/a/policy.npz")
    with pytest.raises(BadInput, match=r"^here: puct needs either checkpoint or train; neither is given$"):
        parse_spec({"type": "puct"}, "here")
    with pytest.raises(BadInput, match=r"^here: the policy 'quick' has not been trained yet$"):
        make_agent(GAME, GAME.table(), {}, trained, ".")


def test_only_the_oracle_may_ask_for_the_truth():
    assert parse_spec({"type": "oracle_mcts"}, "here").sees_everything
    assert not parse_spec({"type": "ismcts"}, "here").sees_everything
    greedy = search_agent("flat_mc", GAME, GAME.table(), 1)
    greedy.sees_everything = True
    state = GAME.dealt(GAME.table(), 1)
    assert not isinstance(position_for(greedy, GAME, GAME.table(), state, 1), OpenPosition)
    with pytest.raises(BadInput, match="Peeper' asks for the true state; allowed for oracle_mcts alone"):
        parse_spec({"type": "odd_agents:Peeper"}, "here")
