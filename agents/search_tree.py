"""The tree of an information-set search: two record arrays, and the steps that read and grow them.

A node stands for what the searching seat can tell apart: the actions taken since the root, not the cards nobody
has seen. An edge is one action tried at a node; it carries the statistics. Nodes and edges are numbers into
their arrays, NONE is no node or edge, and lists are chains of such numbers:

    node --first_edge--> edge --next_edge--> edge ...          the actions tried here, newest first
    edge --first_child-> node --sibling----> node ...          what an action led to
    node --blind_child-> node --sibling----> node ...          what every action hidden from the other seat led to

A choice made face down must not steer the reply: all of them lead to the same node, hung on the parent node
itself, and only when a later action turns the choice over do the ways part, by the action `revealed`.
"""

from typing import NamedTuple

import numpy as np

from duelbench.envs.dispatch import NOTHING_HIDDEN
from duelbench.envs.jit import rule

NONE = -1
ROOT = 0

NODE = np.dtype(
    [
        ("first_edge", np.int32),  # newest action tried here, or NONE
        ("blind_child", np.int32),  # newest node behind the actions that were hidden here, or NONE
        ("sibling", np.int32),  # next node hung on the same edge, or beside the same blind child, or NONE
        ("revealed", np.int16),  # the hidden action that came to light on the way here, or NOTHING_HIDDEN
        ("seat", np.int8),  # who decides here
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("node", np.int32),  # where the action was tried
        ("action", np.int32),  # its number
        ("visits", np.int32),  # simulations that took it
        ("available", np.int32),  # simulations that came to the node while it was legal: visits <= available
        ("score", np.int32),  # wins minus losses of these visits, for the seat that decides at the node
        ("first_child", np.int32),  # newest node it led to, or NONE
        ("next_edge", np.int32),  # next action tried at the same node, or NONE
    ],
    align=True,
)
COUNTS = np.dtype([("nodes", np.int32), ("edges", np.int32)])


class Tree(NamedTuple):
    """Room for one search. A simulation adds at most one node and one edge."""

    nodes: np.ndarray  # NODE[capacity + 1]
    edges: np.ndarray  # EDGE[capacity]
    path: np.ndarray  # int32[capacity]: the edges of the current simulation, root first
    logarithm: np.ndarray  # float64[capacity + 1]: natural logarithm of the index, 0 at 0
    counts: np.ndarray  # COUNTS[1]: how much of `nodes` and `edges` is in use


def new_tree(capacity: int) -> Tree:
    """A tree with room for `capacity` simulations."""
    return Tree(
        nodes=np.zeros(capacity + 1, NODE).view(np.recarray),
        edges=np.zeros(capacity, EDGE).view(np.recarray),
        path=np.zeros(capacity, np.int32),
        logarithm=np.log(np.maximum(np.arange(capacity + 1), 1)),
        counts=np.zeros(1, COUNTS).view(np.recarray),
    )


# Every function takes the arrays it needs out of the tree once: numba counts references, and in a loop that costs
# more than the work.


@rule
def add_node(tree, seat, revealed, sibling):
    """A node without edges, first in the chain before `sibling`; returns its number."""
    counts = tree.counts[0]
    node = tree.nodes[counts.nodes]
    node.first_edge = NONE
    node.blind_child = NONE
    node.sibling = sibling
    node.revealed = revealed
    node.seat = seat
    counts.nodes += 1
    return counts.nodes - 1


@rule
def clear(tree, seat):
    """Forget the last search; what is left is a root at which `seat` decides."""
    tree.counts[0].nodes = 0
    tree.counts[0].edges = 0
    add_node(tree, seat, NOTHING_HIDDEN, NONE)


@rule
def upper_confidence(score, visits, log_available, exploration):
    """Cowling, Powley & Whitehouse 2012, section IV: the mean plus a bonus that shrinks with visits.

    Where UCB1 has the visits of the parent stands the number of times the action could have been chosen, so that
    an action that is seldom legal is not taken for a neglected one.
    """
    return score / visits + exploration * np.sqrt(log_available / visits)


@rule
def select(tree, node, mask, exploration):
    """The best tried action (an edge) among those `mask` allows, NONE if none was tried; strikes all tried ones off.

    What is left in `mask` are the legal actions that were never tried here.
    """
    edges, logarithm = tree.edges, tree.logarithm
    best, best_value = NONE, -np.inf
    number = tree.nodes[node].first_edge
    while number != NONE:
        edge = edges[number]
        if mask[edge.action]:
            mask[edge.action] = 0
            edge.available += 1
            value = upper_confidence(edge.score, edge.visits, logarithm[edge.available], exploration)
            if value > best_value:
                best, best_value = number, value
        number = edge.next_edge
    return best


@rule
def expand(tree, node, action):
    """Add `action` to those tried at `node`; returns its edge."""
    counts = tree.counts[0]
    edge = tree.edges[counts.edges]
    edge.node = node
    edge.action = action
    edge.visits = 0
    edge.available = 1
    edge.score = 0
    edge.first_child = NONE
    edge.next_edge = tree.nodes[node].first_edge
    tree.nodes[node].first_edge = counts.edges
    counts.edges += 1
    return counts.edges - 1


@rule
def find_child(tree, first, seat, revealed):
    """The node for (seat to act, action that came to light) in the chain that begins with `first`, or NONE."""
    nodes = tree.nodes
    node = first
    while node != NONE and (nodes[node].seat != seat or nodes[node].revealed != revealed):
        node = nodes[node].sibling
    return node


@rule
def enter_child(tree, edge, hidden_before, hidden, seat):
    """The node that `edge` led to, made if it is new; `hidden` and `seat` (to act) are those after the action."""
    parent, origin = tree.nodes[tree.edges[edge].node], tree.edges[edge]
    hides = hidden_before == NOTHING_HIDDEN and hidden != NOTHING_HIDDEN
    revealed = hidden_before if hidden == NOTHING_HIDDEN else NOTHING_HIDDEN
    first = parent.blind_child if hides else origin.first_child
    node = find_child(tree, first, seat, revealed)
    if node == NONE:
        node = add_node(tree, seat, revealed, first)
        if hides:
            parent.blind_child = node
        else:
            origin.first_child = node
    return node


@rule
def back_up(tree, depth, winner):
    """Tell each of the `depth` edges on the path how the game ended, from the view of the seat that chose it."""
    nodes, edges, path = tree.nodes, tree.edges, tree.path
    for step in range(depth):
        edge = edges[path[step]]
        edge.visits += 1
        if winner >= 0:
            edge.score += 1 if nodes[edge.node].seat == winner else -1
