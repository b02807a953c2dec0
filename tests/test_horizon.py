"""Play-outs that are cut short and judged, on a High Card with a judge of its own."""

import dataclasses

import highcard
import numpy as np
import pytest

from duelbench.agents import playouts
from duelbench.agents.agent import position_of
from duelbench.agents.ismcts import ISMCTSAgent
from duelbench.agents.playouts import judge, judges, leans, play_out, worth
from duelbench.envs import dispatch
from duelbench.envs.jit import rule
from duelbench.envs.rng import new_stream

pytestmark = pytest.mark.numba_modes

# A layout of its own: code compiled for High Card's, which has no judge, must not be met here, nor this there.
STATE = np.dtype(
    [("opinion", np.float64), *((name, highcard.STATE[name]) for name in highcard.STATE.names)], align=True
)
GAME = dataclasses.replace(highcard.GAME, name="judgedcard", state_dtype=STATE)
FUNCTIONS = ("deal", "legal", "apply", "observe", "determinize", "rewind")
DECISIONS = 6


@rule
def opinion(table, state):
    """What the test wrote into the state, and 1/8 more for each point of seat 0."""
    return state.opinion + state.points[0] / 8


@pytest.fixture(autouse=True)
def judged_game(monkeypatch):
    """The game is known during a test only."""
    monkeypatch.setattr(dispatch, "_games", dict(dispatch._games))
    monkeypatch.setattr(playouts, "_judges", dict(playouts._judges))
    dispatch.register(STATE, **{name: getattr(highcard, name) for name in FUNCTIONS})
    playouts.register(STATE, judge=opinion)


def dealt(value=0.0, *, hands=None, rounds=3, decisions=0):
    """A table and a state that is judged to be worth `value`, after some decisions: the lowest card each time."""
    table, state = GAME.table({"rounds": rounds}), GAME.dealt(GAME.table(), 3)
    state.opinion = value
    if hands is not None:
        state.highcard_zone[:] = highcard.PLAYED
        for seat, cards in enumerate(hands):
            state.highcard_zone[list(cards)] = highcard.IN_HAND + seat
    for _ in range(decisions):
        dispatch.apply(table, state, GAME.legal_actions(table, state)[0])
    return table, state


def searched(table, state, horizon, simulations=200, seed=1):
    agent = ISMCTSAgent(GAME, table, simulations, horizon=horizon)
    return agent, agent.explain(position_of(GAME, table, state, seed), new_stream(seed))


def mean_value(reports):
    return sum(report.visits * report.value for report in reports) / sum(report.visits for report in reports)


@rule
def judged(tables, states):
    return judge(tables[0], states[0])


@rule
def came_to(tables, states):
    return worth(tables[0], states[0])


@rule
def played_out(tables, states, dice, mask, horizon):
    return play_out(tables[0], states[0], dice, mask, False, horizon)


def arrays(table, state):
    """Arrays of one, from which compiled code takes the records."""
    tables, states = np.zeros(1, table.dtype).view(np.recarray), GAME.new_states(1)
    tables[0], states[0] = table, state
    return tables, states


@pytest.mark.parametrize("value", [0.375, -0.25])
def test_a_running_game_is_worth_what_its_judge_says(value):
    table, state = dealt(value)
    state.points[0] = 2
    assert judge(table, state) == judged(*arrays(table, state)) == came_to(*arrays(table, state)) == value + 0.25


@pytest.mark.parametrize(("hands", "value"), [(((7,), (1,)), 1), (((1,), (7,)), -1)])
def test_a_finished_game_is_worth_its_outcome(hands, value):
    table, state = dealt(0.5, hands=hands, rounds=1, decisions=2)
    assert state.over
    assert came_to(*arrays(table, state)) == value


def test_a_drawn_game_is_worth_nothing_whatever_the_judge_says():
    table, state = dealt(0.5, hands=((1, 6), (2, 5)), rounds=2, decisions=4)
    assert (state.over, state.winner) == (1, dispatch.DRAWN)
    assert came_to(*arrays(table, state)) == 0


@pytest.mark.parametrize(("horizon", "made"), [(0, DECISIONS), (1, 1), (2, 2), (5, 5), (6, DECISIONS), (40, DECISIONS)])
def test_a_play_out_stops_after_the_horizon_or_at_the_end(horizon, made):
    tables, states = arrays(*dealt())
    assert played_out(tables, states, new_stream(1), np.zeros(GAME.num_actions, np.int8), horizon) == made
    assert states[0].over == (made == DECISIONS)
    assert states[0].rounds_played == made // 2


@pytest.mark.parametrize("horizon", [0, 1])
def test_a_finished_game_is_not_played_on(horizon):
    tables, states = arrays(*dealt(rounds=1, decisions=2))
    assert played_out(tables, states, new_stream(1), np.zeros(GAME.num_actions, np.int8), horizon) == 0


@pytest.mark.parametrize("horizon", [1, 2, 3])
def test_only_decisions_below_the_trees_count(horizon):
    """The first simulation makes one decision in the tree, and the horizon's many below it."""
    agent, _ = searched(*dealt(), horizon, simulations=1)
    assert agent.decisions_made == 1 + horizon


def test_without_a_horizon_the_judge_is_not_asked():
    agent, reports = searched(*dealt(100.0), 0)
    assert agent.decisions_made == 200 * DECISIONS
    assert -1 <= mean_value(reports) <= 1
    assert reports == searched(*dealt(), 0)[1]


def test_a_horizon_that_is_never_reached_changes_nothing():
    assert searched(*dealt(), DECISIONS)[1] == searched(*dealt(), 0)[1]


@pytest.mark.parametrize(("decisions", "value"), [(0, 0.375), (1, -0.375)])
def test_values_are_those_of_the_judge_from_the_searching_seats_view(decisions, value):
    """Seat 0 never scores, and three simulations do not come to the end of the game."""
    _, reports = searched(*dealt(0.375, hands=((0, 1, 2), (3, 4, 5)), decisions=decisions), 1, simulations=3)
    assert sum(report.visits for report in reports) == 3
    assert {report.value for report in reports if report.visits} == {value}


def test_the_value_reported_is_the_mean_of_what_the_judge_says():
    """6 scores against both cards of the other seat, 4 against one of them: two visits may be judged differently."""
    position = dealt(0.25, hands=((4, 6), (3, 5)))
    reports = [report for seed in range(40) for report in searched(*position, 1, simulations=3, seed=seed)[1]]
    assert {report.value for report in reports if report.action == 6} == {0.375}
    assert {report.value for report in reports if (report.action, report.visits) == (4, 1)} == {0.25, 0.375}
    assert {report.value for report in reports if (report.action, report.visits) == (4, 2)} == {0.25, 0.3125, 0.375}


@pytest.mark.parametrize("horizon", [1, 2])
def test_a_win_inside_the_horizon_is_a_win(horizon):
    """The judge thinks little of the position, but 5 beats every card of the other seat in the only round."""
    table, state = dealt(-0.5, hands=((0, 1, 5), (2, 3, 4)), rounds=1)
    _, reports = searched(table, state, horizon)
    assert (reports[0].action, reports[0].value) == (5, 1.0)
    assert {report.value for report in reports[1:]} == {-1.0}


def test_a_game_can_be_cut_if_it_has_a_judge():
    assert judges(GAME)
    assert not judges(highcard.GAME)
    assert not leans(GAME)
    assert ISMCTSAgent(GAME, GAME.table()).horizon == 0
