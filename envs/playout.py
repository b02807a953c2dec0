"""Uniformly random games: for searches, for speed measurements and for tests."""

import numpy as np

from duelbench.envs.dispatch import apply, deal, legal
from duelbench.envs.jit import rule
from duelbench.envs.rng import below


@rule
def random_action(holder, weights):
    """An action drawn from `holder.rng` in proportion to `weights` (int8, not all zero): a mask makes it uniform."""
    total = np.int64(0)  # in int8 a few weights would be too many for uncompiled code
    for action in range(weights.shape[0]):
        total += weights[action]
    point = below(holder, total)
    action = 0
    point -= weights[0]
    while point >= 0:
        action += 1
        point -= weights[action]
    return action


@rule
def play_out(table, state, dice, mask):
    """Play uniformly random actions to the end; `dice` (a stream record) picks them. Returns their number."""
    decisions = 0
    while state.over == 0:
        legal(table, state, mask)
        apply(table, state, random_action(dice, mask))
        decisions += 1
    return decisions


@rule
def random_games(table, state, dice, mask, first_seed, games, tally):
    """Play the games with seeds first_seed, first_seed + 1, ...

    `tally` (int64[4]) gains: games won by seat 0, by seat 1, drawn, and decisions made.
    """
    for i in range(games):
        deal(table, state, first_seed + np.uint64(i))
        tally[3] += play_out(table, state, dice, mask)
        tally[state.winner if state.winner >= 0 else 2] += 1
