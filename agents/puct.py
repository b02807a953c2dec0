"""Information-set search led by a trained policy: the trees of MO-ISMCTS, the selection and the leaves of AlphaZero.

As in `ismcts` there is one tree a seat, every simulation draws a world that the searching seat holds possible, and
what the other seat has chosen unseen is taken back and chosen again. But which action a simulation goes on with is
decided by PUCT (Silver et al. 2018, "A general reinforcement learning algorithm that masters chess, shogi, and Go
through self-play"), with the policy's probabilities as priors; and a simulation ends at the first decision new to the
trees, where the network's value stands for the outcome, or a part of it beside a play-out.

What has to be different without full information:

- The network is shown what the seat that decides sees in the world of the simulation, never more. In its own world
  each seat so acts on what it would know there.
- A decision (node) of a seat looks alike in many worlds, while the seat's observation, its hand above all, differs.
  A prior is therefore kept for each action, from the first world in which it was legal there: the network runs where a
  node is new and where an action turns up that has no prior yet. That is about one run a simulation instead of one for
  every decision on its way. At the root, where the observation is the same in all worlds, the priors are exact; below
  it they are those of worlds drawn at random, and they do no more than lead the search.
- In a world priors are taken relative to their sum over what is legal in it, and the square root is of the number of
  times the action could have been chosen instead of the visits of the node, as `ismcts` has it in UCB.
- Two seats that choose unseen at the same time must not fall into step: each bonus is weighed by a little chance, as in
  `search_tree.select`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from duelbench.agents.agent import Position
from duelbench.agents.playouts import lean, worth
from duelbench.agents.policy import load_policy, masked_softmax, outputs, pick, workspace
from duelbench.agents.search_agent import SearchAgent
from duelbench.agents.search_tree import (
    NONE,
    ROOT,
    SPREAD,
    back_up,
    begin,
    clear,
    enter,
    expand,
    go_on,
    new_tree,
    tally,
)
from duelbench.envs.dispatch import apply, determinize, legal, observe, rewind
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.playout import random_action
from duelbench.envs.records import blank
from duelbench.envs.rng import next_bits, uniform

UNKNOWN = -1.0
"""The prior of an action that was not legal at its node in any world yet."""
LEAST_PRIOR = 1e-3
"""An action the policy would never take is still one that the search may."""

OPTION = np.dtype([("prior", np.float32), ("available", np.int32)])
"""One action at one node: how likely the policy is to take it, and simulations that came there while it was legal."""

UNIFORM, LEANING, POLICY = range(3)
PLAYOUTS = {"uniform": UNIFORM, "leaning": LEANING, "policy": POLICY}


class Network(NamedTuple):
    """A policy and the room it needs to run."""

    weights: np.ndarray
    sizes: np.ndarray
    temperature: np.ndarray  # float64[1]
    views: np.ndarray  # one record of the game's view type
    seen: np.ndarray  # float32[view_size]: the same memory
    work: np.ndarray  # see `policy.outputs`
    probabilities: np.ndarray  # float64[num_actions]: of the latest decision


class PUCTAgent(SearchAgent):
    """Takes the action that most simulations began with.

    `exploration` is AlphaZero's c_puct; `temperature` sharpens (below 1) or flattens (above 1) the policy; of what a
    new position is worth, `value_weight` is the network's part and a play-out makes up the rest. In play-outs the
    policy itself plays on, or `playouts` of the other searches; after `horizon` decisions (0: never) they are cut and
    the network's value counts.
    """

    kind = "puct"

    def __init__(
        self,
        game: Game,
        table: np.record,
        rules: Mapping[str, Any] | None,
        checkpoint_path: str | Path,
        simulations: int = 200,
        exploration: float = 0.7,
        temperature: float = 1.0,
        value_weight: float = 1.0,
        playouts: str = "policy",
        horizon: int = 0,
        where: str = "puct",
    ) -> None:
        """Load the policy; raises BadInput, beginning with `where`, when it does not fit `game` and `rules`."""
        super().__init__(game, simulations)
        self.policy = load_policy(checkpoint_path, game, rules, where)
        self.exploration = float(exploration)
        self._value_weight = float(value_weight)
        self._playouts = PLAYOUTS[playouts]
        self._horizon = horizon
        views = blank(1, game.view_dtype)
        self._network = Network(
            self.policy.weights,
            self.policy.sizes,
            np.array([float(temperature)]),
            views,
            views.view(np.float32),
            workspace(self.policy.sizes),
            np.zeros(game.num_actions),
        )
        self._tree = new_tree(simulations)
        self._options = blank((simulations + 1) * game.num_actions, OPTION).reshape(simulations + 1, game.num_actions)
        self._states = game.new_states(2)
        self._mask = np.zeros(game.num_actions, np.int8)

    def _search(self, position: Position, rng: np.record) -> int:
        self._states[0] = position.root
        made = search(
            position.table,
            self._states,
            self._tree,
            self._options,
            self._network,
            self._mask,
            self.simulations,
            self.exploration,
            self._value_weight,
            self._playouts,
            self._horizon,
            rng,
        )
        tally(self._tree, self._totals)
        return int(made)

    def _prior(self, position: Position) -> np.ndarray:
        priors = np.where(position.mask, self._options[ROOT]["prior"].astype(np.float64), 0.0)
        return np.asarray(priors / priors.sum())


@rule
def search(
    table, states, tree, options, network, mask, simulations, exploration, value_weight, playouts, horizon, stream
):
    """Search from states[0] for its seat to act; returns the number of decisions made on the way.

    As `ismcts.search`; `options` is OPTION[simulations + 1, num_actions], one row for each node of the tree, and
    `playouts` UNIFORM, LEANING or POLICY.
    """
    observer = states[0].to_act
    clear(tree, observer)
    forget(options, ROOT)
    decisions = 0
    for _ in range(simulations):
        states[1] = states[0]
        determinize(table, states[1], observer, next_bits(stream))
        rewind(table, states[1])
        depth, made, value = descend(table, states[1], tree, options, network, mask, observer, exploration, stream)
        decisions += made
        if states[1].over != 0:
            value = worth(table, states[1])
        elif value_weight < 1:
            decisions += play_on(table, states[1], network, mask, playouts, horizon, stream)
            value = value_weight * value + (1 - value_weight) * outcome(table, states[1], network, mask)
        back_up(tree, depth, value)
    return decisions


@rule
def descend(table, state, tree, options, network, mask, observer, exploration, stream):
    """Play from the root along the trees to the first decision that is new to them, or to the end of the game.

    The choices that were taken back come first. If one of them is new, the policy makes the rest of them and the
    observer still takes one action from his root. Returns the number of edges on the path, of decisions made, and the
    network's value of the decision it came to for seat 0 (0 where the game has ended).
    """
    begin(tree)
    depth, made = 0, 0
    inside, asked = True, False
    while state.over == 0:
        seat = state.to_act
        legal(table, state, mask)
        node, is_new = NONE, False
        if inside or (seat == observer and not asked):
            known = tree.counts[0].nodes
            node = enter(tree, seat)
            is_new = node == known
        if node == NONE or is_new:
            value = consider(table, state, network, mask)
            if is_new:
                forget(options, node)
                note(options, node, network, mask)
            if asked:
                return depth, made, value if seat == 0 else -value
            inside = False
            action = pick(network.probabilities, mask, uniform(stream))
        else:
            asked = asked or seat == observer
            if lacks_prior(options, node, mask):
                consider(table, state, network, mask)
                note(options, node, network, mask)
            edge = select(tree, options, node, seat, mask, exploration, stream)
            tree.path[depth] = edge
            depth += 1
            action = np.int64(tree.edges[edge].action)
        apply(table, state, action)
        made += 1
        if inside:
            go_on(tree, seat, tree.path[depth - 1], state.told)
    return depth, made, 0.0


@rule
def consider(table, state, network, mask):
    """Run the network for the seat to act, whose legal actions are in `mask`; returns its value for that seat.

    The policy's probabilities are then in `network.probabilities`.
    """
    observe(table, state, state.to_act, network.views[0])
    result = outputs(network.weights, network.sizes, network.seen, network.work)
    masked_softmax(result, mask, network.temperature[0], network.probabilities)
    return max(-1.0, min(1.0, np.float64(result[mask.shape[0]])))


@rule
def forget(options, node):
    """A new node: nothing is known of its actions."""
    for action in range(options.shape[1]):
        options[node, action].prior = UNKNOWN
        options[node, action].available = 0


@rule
def lacks_prior(options, node, mask):
    """Whether an action is legal that never was at this node."""
    lacking = False
    for action in range(mask.shape[0]):
        lacking = lacking or (mask[action] != 0 and options[node, action].prior < 0)
    return lacking


@rule
def note(options, node, network, mask):
    """Keep the latest probabilities as priors of those legal actions that have none."""
    for action in range(mask.shape[0]):
        if mask[action] != 0 and options[node, action].prior < 0:
            options[node, action].prior = max(network.probabilities[action], LEAST_PRIOR)


@rule
def select(tree, options, node, seat, mask, exploration, stream):
    """The edge of the legal action with the highest value plus bonus, added to the tree if it is new. Uses `mask` up.

    Where AlphaZero counts an action never tried as drawn, it counts here as the mean of those tried at the node, so
    that in a lost position the search does not try everything once, and in a won one something else.
    """
    edges = tree.edges
    priors, score, visits = 0.0, 0.0, 0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            options[node, action].available += 1
            priors += options[node, action].prior
    best, best_value, best_action = NONE, -np.inf, NONE
    number = tree.nodes[node].first_edge
    while number != NONE:
        edge = edges[number]
        if mask[edge.action] != 0:
            mask[edge.action] = 0
            score += edge.score
            visits += edge.visits
            option = options[node, edge.action]
            edge.available = option.available
            value = edge.score / edge.visits + bonus(option, priors, edge.visits, exploration, stream)
            if value > best_value:
                best, best_value = number, value
        number = edge.next_edge
    mean = score / visits if visits > 0 else 0.0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            value = mean + bonus(options[node, action], priors, 0, exploration, stream)
            if value > best_value:
                best, best_value, best_action = NONE, value, action
    if best != NONE:
        return best
    edge = expand(tree, node, seat, best_action)
    edges[edge].available = options[node, best_action].available
    return edge


@rule
def bonus(option, priors, visits, exploration, stream):
    """c P sqrt(N) / (1 + n), with N the times the action was available and c give or take up to SPREAD of it."""
    weight = exploration * (1 + SPREAD * (2 * uniform(stream) - 1))
    return weight * (option.prior / priors) * np.sqrt(option.available) / (1 + visits)


@rule
def play_on(table, state, network, mask, playouts, horizon, stream):
    """Play to the end, or for `horizon` decisions if that is not 0; returns their number."""
    decisions = 0
    while state.over == 0:
        legal(table, state, mask)
        if playouts == POLICY:
            consider(table, state, network, mask)
            action = pick(network.probabilities, mask, uniform(stream))
        else:
            if playouts == LEANING:
                lean(table, state, mask)
            action = random_action(stream, mask)
        apply(table, state, action)
        decisions += 1
        if decisions == horizon:
            break
    return decisions


@rule
def outcome(table, state, network, mask):
    """What the state is worth for seat 0: how the game ended, or the network's value of the decision to come."""
    if state.over != 0:
        return worth(table, state)
    legal(table, state, mask)
    value = consider(table, state, network, mask)
    return value if state.to_act == 0 else -value
