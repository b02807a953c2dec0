"""Safe: the smallest game in which both seats make two choices unseen, one after the other.

Seat 0 sets two digits, 0 or 1, then seat 1 does, then the dials are uncovered. `table.outcome[code of seat 0, code of
seat 1]` says who wins; a code is twice the first digit plus the second. It has no words: only searches play it.
"""

import numpy as np

from duelbench.envs import dispatch
from duelbench.envs.dispatch import DRAWN, EVENT, NOTHING_TOLD
from duelbench.envs.jit import rule
from duelbench.envs.rng import below

DIGITS, CODES = 2, 4
UNSET = -1

STATE = np.dtype(
    [
        ("safe_digits", np.int8, (2, DIGITS)),
        ("rng", np.uint64),
        ("told", np.int16, (2,)),
        ("n_events", np.int16),
        ("over", np.int8),
        ("winner", np.int8),
        ("reason", np.int8),
        ("to_act", np.int8),
        ("events", EVENT, (1,)),
    ],
    align=True,
)
TABLE = np.dtype([("outcome", np.int8, (CODES, CODES))], align=True)
VIEW = np.dtype([("mine", np.float32, (DIGITS,))])


@rule
def deal(table, state, seed):
    state.rng = seed
    state.safe_digits[:] = UNSET
    state.told[:] = NOTHING_TOLD
    state.n_events = state.over = state.reason = state.to_act = 0
    state.winner = DRAWN


@rule
def legal(table, state, mask):
    mask[:] = 1 - state.over


@rule
def apply(table, state, action):
    seat = state.to_act
    state.told[:] = NOTHING_TOLD
    if state.safe_digits[seat, 0] == UNSET:
        state.safe_digits[seat, 0] = action
        return
    state.safe_digits[seat, 1] = action
    if seat == 0:
        state.to_act = 1
    else:
        uncover(table, state)


@rule
def uncover(table, state):
    code_0, code_1 = code(state, 0), code(state, 1)
    state.told[0], state.told[1] = code_1, code_0
    state.over = state.reason = 1
    if table.outcome[code_0, code_1] != 0:
        state.winner = 0 if table.outcome[code_0, code_1] > 0 else 1


@rule
def code(state, seat):
    return 2 * state.safe_digits[seat, 0] + state.safe_digits[seat, 1]


@rule
def observe(table, state, seat, view):
    for digit in range(DIGITS):
        view.mine[digit] = state.safe_digits[seat, digit]


@rule
def determinize(table, state, observer, seed):
    state.rng = seed
    for digit in range(DIGITS):
        if state.safe_digits[1 - observer, digit] != UNSET:
            state.safe_digits[1 - observer, digit] = below(state, 2)


@rule
def rewind(table, state):
    if state.to_act == 1:
        state.safe_digits[0, :] = UNSET
        state.to_act = 0


dispatch.register(STATE, deal=deal, legal=legal, apply=apply, observe=observe, determinize=determinize, rewind=rewind)
