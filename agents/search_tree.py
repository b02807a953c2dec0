"""The trees of an information-set search, one a seat, in the same record arrays; and the steps that read and grow them.

A node is a decision of a seat as that seat can tell it from others: its own actions since the root, and what it was
told of the other seat's after each of them. What the other seat did unseen is not part of it, nor are the cards that
nobody has seen. A seat's tree holds no decisions of the other one. An edge is one action tried at a node; it carries
the statistics. Nodes and edges are numbers into their arrays, NONE is no node or edge:

    node --first_edge--> edge --next_edge--> edge ...   the actions tried here, newest first
    (edge, key) --slots--> node                         the seat's next decision after its action and what it was told

`key` is a hash of 64 bits of all codes that the seat was told since the action, 0 if there were none: two different
accounts would share a node once in 10**19. While a path is walked, `cursors` holds each seat's latest edge and key;
before its first action the edge is `before_all(seat)`.
"""

from typing import NamedTuple

import numpy as np

from duelbench.agents.playouts import lean
from duelbench.envs.dispatch import NOTHING_TOLD
from duelbench.envs.jit import rule
from duelbench.envs.playout import random_action
from duelbench.envs.rng import uniform

NONE = -1
ROOT = 0
"""The first decision of the searching seat, in a tree that was cleared."""
SPREAD = 0.2
"""Share of the exploration weight that is left to chance: enough to break the step, too little to waste visits."""

NODE = np.dtype(
    [
        ("key", np.uint64),  # what the seat was told since its action `after`
        ("after", np.int32),  # the edge of the seat's action before this decision, or before_all(seat)
        ("first_edge", np.int32),  # newest action tried here, or NONE
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("score", np.float64),  # what these visits came to, added up, for the seat that decides at the node
        ("action", np.int32),  # its number
        ("visits", np.int32),  # simulations that took it
        ("available", np.int32),  # simulations that came to the node while it was legal: visits <= available
        ("next_edge", np.int32),  # next action tried at the same node, or NONE
        ("seat", np.int8),  # who decides at the node
    ],
    align=True,
)
CURSOR = np.dtype([("key", np.uint64), ("edge", np.int32)], align=True)
COUNTS = np.dtype([("nodes", np.int32), ("edges", np.int32), ("simulations", np.int32), ("root", np.int32)])
TOTAL = np.dtype([("score", np.float64), ("visits", np.int64), ("available", np.int64)])
"""What one action at the root came to, as in EDGE."""


class Tree(NamedTuple):
    """Room for one search. A simulation adds at most one node and two edges."""

    nodes: np.ndarray  # NODE[capacity + 1]
    edges: np.ndarray  # EDGE[2 * capacity]
    slots: np.ndarray  # int32[power of two]: nodes by the hash of (after, key), NONE where free
    path: np.ndarray  # int32[2 * capacity]: the edges of the current simulation, in the order of play
    cursors: np.ndarray  # CURSOR[2]: where the current simulation stands in each seat's tree
    starts: np.ndarray  # CURSOR[2]: where every simulation begins
    logarithm: np.ndarray  # float64[capacity + 1]: natural logarithm of the index, 0 at 0
    counts: np.ndarray  # COUNTS[1]: how much of `nodes` and `edges` is in use, simulations in the tree, root node


def new_tree(capacity: int) -> Tree:
    """A tree with room for `capacity` simulations."""
    return Tree(
        nodes=np.zeros(capacity + 1, NODE).view(np.recarray),
        edges=np.zeros(2 * capacity, EDGE).view(np.recarray),
        slots=np.full(2 << capacity.bit_length(), NONE, np.int32),  # at most half of it is ever in use
        path=np.zeros(2 * capacity, np.int32),
        cursors=np.zeros(2, CURSOR).view(np.recarray),
        starts=np.zeros(2, CURSOR).view(np.recarray),
        logarithm=np.log(np.maximum(np.arange(capacity + 1), 1)),
        counts=np.zeros(1, COUNTS).view(np.recarray),
    )


# Every function takes the arrays it needs out of the tree once: numba counts references, and in a loop that costs
# more than the work.


@rule
def clear(tree, seat):
    """Forget the last search; what is left is a root at which `seat` decides."""
    counts, starts = tree.counts[0], tree.starts
    counts.nodes = 0
    counts.edges = 0
    counts.simulations = 0
    tree.slots[:] = NONE
    for listener in range(2):
        starts[listener].edge = before_all(listener)
        starts[listener].key = 0
    begin(tree)
    counts.root = enter(tree, seat)


@rule
def has_room(tree, simulations):
    """Whether so many simulations more fit into the tree."""
    return tree.counts[0].simulations + simulations < tree.logarithm.shape[0]


@rule
def resume(tree, seat, action, told):
    """Let the next decision of `seat` after its `action` at the root be the root; False if the tree does not know it.

    `told` (as in a state) is what the action let the seats learn. Nodes that cannot be reached any more stay where
    they are. The new root may be a new node, for which room as for a simulation is reckoned.
    """
    number = tree.nodes[tree.counts[0].root].first_edge
    while number != NONE and tree.edges[number].action != action:
        number = tree.edges[number].next_edge
    if number == NONE:
        return False
    begin(tree)
    go_on(tree, seat, number, told)
    for listener in range(2):
        tree.starts[listener].edge = tree.cursors[listener].edge
        tree.starts[listener].key = tree.cursors[listener].key
    tree.counts[0].root = enter(tree, seat)
    tree.counts[0].simulations += 1
    return True


@rule
def begin(tree):
    """A new simulation: neither seat has acted or been told anything since the root."""
    cursors, starts = tree.cursors, tree.starts
    for seat in range(2):
        cursors[seat].edge = starts[seat].edge
        cursors[seat].key = starts[seat].key


@rule
def before_all(seat):
    """What stands for the seat's latest edge before its first action."""
    return NONE - 1 - seat


@rule
def mix(key, code):
    """The hash of a sequence of numbers: that of all but the last, and the last."""
    bits = key * np.uint64(0x9E3779B97F4A7C15) + np.uint64(np.int64(code) + 1)
    bits = (bits ^ (bits >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return bits ^ (bits >> np.uint64(32))


@rule
def enter(tree, seat):
    """The node of the decision that `seat` has come to, made if it is new."""
    nodes, slots, counts = tree.nodes, tree.slots, tree.counts[0]
    after, key = tree.cursors[seat].edge, tree.cursors[seat].key
    last_slot = slots.shape[0] - 1
    slot = np.int64(mix(key, after - before_all(1)) & np.uint64(last_slot))
    while slots[slot] != NONE:
        node = nodes[slots[slot]]
        if node.after == after and node.key == key:
            return slots[slot]
        slot = (slot + 1) & last_slot
    number = counts.nodes
    slots[slot] = number
    nodes[number].key = key
    nodes[number].after = after
    nodes[number].first_edge = NONE
    counts.nodes += 1
    return number


@rule
def go_on(tree, seat, edge, told):
    """`seat` has taken `edge`, and that told the seats `told` (as in a state)."""
    cursors = tree.cursors
    cursors[seat].edge = edge
    cursors[seat].key = 0
    for listener in range(2):
        if told[listener] != NOTHING_TOLD:
            cursors[listener].key = mix(cursors[listener].key, told[listener])


@rule
def upper_confidence(score, visits, log_available, weight):
    """Cowling, Powley & Whitehouse 2012, section IV: the mean plus a bonus that shrinks with visits.

    Where UCB1 has the visits of the parent stands the number of times the action could have been chosen, so that
    an action that is seldom legal is not taken for a neglected one.
    """
    return score / visits + weight * np.sqrt(log_available / visits)


@rule
def weigh(table, state, tree, node, mask, advice, leaning):
    """Turn the mask of legal actions at `node` into weights: at the root by `advice`, if there is any."""
    if leaning:
        if node == tree.counts[0].root and len(advice) > 0:
            mask[:] = advice
        else:
            lean(table, state, mask)


@rule
def take(tree, node, seat, weights, exploration, bias, stream):
    """The edge that a simulation goes on with: an action never tried at `node`, drawn by its weight, if one is left,
    else the best (see `select`); and whether it is new."""
    edge, untried = select(tree, node, weights, exploration, bias, stream)
    if untried > 0:
        return expand(tree, node, seat, random_action(stream, weights)), True
    return edge, False


@rule
def total_weight(weights):
    total = np.int64(0)  # in int8 a few weights would be too many for uncompiled code
    for action in range(weights.shape[0]):
        total += weights[action]
    return total


@rule
def select(tree, node, weights, exploration, bias, stream):
    """The best tried action (an edge) among those with a weight, NONE if none was tried, and the weight left over.

    All tried actions are struck off: what is left in `weights` (int8) are the legal ones never tried here. An action's
    share of all weights adds to its value, `bias` times for the first visit and less with every further one
    (progressive bias; Chaslot et al. 2008). Each exploration bonus is weighed by `exploration`, give or take up to
    SPREAD of it: where two seats choose without seeing each other's choice, bounds that leave nothing to chance fall
    into step, and one seat seems to know what the other one chooses.
    """
    edges, logarithm = tree.edges, tree.logarithm
    best, best_value = NONE, -np.inf
    left = total_weight(weights)
    bias_per_weight = bias / left
    number = tree.nodes[node].first_edge
    while number != NONE:
        edge = edges[number]
        own_weight = weights[edge.action]
        if own_weight:
            left -= own_weight
            weights[edge.action] = 0
            edge.available += 1
            weight = exploration * (1 + SPREAD * (2 * uniform(stream) - 1))
            value = upper_confidence(edge.score, edge.visits, logarithm[edge.available], weight)
            value += bias_per_weight * own_weight / (edge.visits + 1)
            if value > best_value:
                best, best_value = number, value
        number = edge.next_edge
    return best, left


@rule
def expand(tree, node, seat, action):
    """Add `action` to those tried at `node`, where `seat` decides; returns its edge."""
    counts = tree.counts[0]
    edge = tree.edges[counts.edges]
    edge.action = action
    edge.visits = 0
    edge.available = 1
    edge.score = 0
    edge.seat = seat
    edge.next_edge = tree.nodes[node].first_edge
    tree.nodes[node].first_edge = counts.edges
    counts.edges += 1
    return counts.edges - 1


@rule
def back_up(tree, depth, value):
    """Tell each of the `depth` edges on the path what it came to; `value` (-1 to 1) is that for seat 0."""
    edges, path = tree.edges, tree.path
    tree.counts[0].simulations += 1
    for step in range(depth):
        edge = edges[path[step]]
        edge.visits += 1
        edge.score += value if edge.seat == 0 else -value


@rule
def tally(tree, totals):
    """Add what the actions at the root came to to `totals` (TOTAL[num_actions])."""
    number = tree.nodes[tree.counts[0].root].first_edge
    while number != NONE:
        edge, total = tree.edges[number], totals[tree.edges[number].action]
        total.score += edge.score
        total.visits += edge.visits
        total.available += edge.available
        number = edge.next_edge
