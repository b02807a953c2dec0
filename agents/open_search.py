"""UCT in one world in which nothing is hidden (Kocsis & Szepesvári 2006): the search inside `pimc` and `oracle_mcts`.

One tree for both seats, in the arrays of `search_tree`: a node is what has been done since the root, and every choice
is seen by whoever comes after it, also one that is made at the same time. Simulations end in play-outs.
"""

import numpy as np

from duelbench.agents.playouts import play_out, worth
from duelbench.agents.search_tree import back_up, begin, clear, enter, take, weigh
from duelbench.envs.dispatch import apply, legal
from duelbench.envs.jit import rule
from duelbench.envs.rng import next_bits

BOTH = 0
"""The cursor that follows both seats."""


@rule
def search(table, states, tree, mask, advice, simulations, exploration, leaning, bias, horizon, new_dice, stream):
    """Search from states[0] for its seat to act; returns the number of decisions made on the way.

    As in `ismcts.search`, but in the world of states[0] alone. With `new_dice` every simulation draws its own chance
    (`rng` of the state), else all of them meet the one that lies in the state.
    """
    clear(tree, BOTH)
    decisions = 0
    for _ in range(simulations):
        states[1] = states[0]
        if new_dice:
            states[1].rng = next_bits(stream)
        depth = descend(table, states[1], tree, mask, advice, exploration, leaning, bias, stream)
        decisions += depth + play_out(table, states[1], stream, mask, leaning, horizon)
        back_up(tree, depth, worth(table, states[1]))
    return decisions


@rule
def descend(table, state, tree, mask, advice, exploration, leaning, bias, stream):
    """Play from the root until an action new to the tree was taken or the game ends; returns the length of the path."""
    begin(tree)
    edges, path = tree.edges, tree.path
    depth, is_new = 0, False
    while state.over == 0 and not is_new:
        seat = state.to_act
        legal(table, state, mask)
        node = enter(tree, BOTH)
        weigh(table, state, tree, node, mask, advice, leaning)
        edge, is_new = take(tree, node, seat, mask, exploration, bias, stream)
        path[depth] = edge
        depth += 1
        apply(table, state, np.int64(edges[edge].action))
        tree.cursors[BOTH].edge = edge
    return depth
