"""Records on their way into compiled code."""

import numpy as np
from highcard import STATE

from duelbench.envs import dispatch
from duelbench.envs.records import array_around, blank


def test_blank_records_are_zero_and_have_their_fields_as_attributes():
    state = blank(2, STATE)[1]
    assert state.to_act == 0
    state.to_act = 1
    assert state["to_act"] == 1


def test_a_record_finds_the_array_it_is_alone_in():
    states = blank(1, STATE)
    assert array_around(states[0]) is states


def test_a_record_among_others_or_in_a_recarray_has_no_array_of_its_own():
    assert array_around(blank(2, STATE)[0]) is None
    assert array_around(np.zeros(1, STATE).view(np.recarray)[0]) is None


def test_both_ways_into_compiled_code_do_the_same(game):
    table = game.table()
    alone, among = game.new_states(1), game.new_states(3)
    for states in (alone, among):
        dispatch.deal(table, states[0], np.uint64(5))
        for choice in range(8):
            actions = game.legal_actions(table, states[0])
            if actions:
                dispatch.apply(table, states[0], actions[choice % len(actions)])
    assert alone[0].tobytes() == among[0].tobytes()
    assert among[1].tobytes() == bytes(game.state_dtype.itemsize)
