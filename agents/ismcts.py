"""Multiple-observer information-set Monte Carlo tree search (MO-ISMCTS; Cowling, Powley & Whitehouse 2012).

One tree a seat, for all the worlds the searching seat holds possible. Every simulation draws one of them, walks down
both trees along actions legal in it, each seat choosing by what it has been told itself, adds one action, plays on at
random and tells the actions on its way how the game ended, or what the position is worth where it was cut short.

Beyond the paper, what the other seat has already chosen unseen in a simultaneous decision is not drawn with the world
but taken back and chosen again in the other seat's tree, so that it is expected to have chosen well, not anyhow; and a
little chance in the bounds keeps the two trees from falling into step (`search_tree.select`). What a game says of
sensible play is a progressive bias in the trees (Chaslot et al. 2008) and guides the play-outs; where its hand-written
player scores actions, it has that say at the root.
"""

from dataclasses import dataclass

import numpy as np

from duelbench.agents.advice import adviser, weights_of
from duelbench.agents.agent import Agent, Position
from duelbench.agents.playouts import judges, lean, leans, play_out, worth
from duelbench.agents.search_defaults import search_defaults
from duelbench.agents.search_tree import (
    NONE,
    ROOT,
    Tree,
    back_up,
    begin,
    clear,
    enter,
    expand,
    go_on,
    new_tree,
    select,
)
from duelbench.envs.dispatch import apply, determinize, legal, rewind
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.playout import random_action
from duelbench.envs.rng import next_bits


@dataclass(frozen=True)
class ActionReport:
    """What a search found out about one legal action."""

    action: int
    name: str
    visits: int
    """Simulations that began with it."""
    available: int
    """Simulations that could have."""
    value: float
    """Mean of what its visits came to for the searching seat, from -1 (lost) to 1 (won); 0 without visits."""


class ISMCTSAgent(Agent):
    """Searches anew at every decision and takes the action it visited most.

    `simulations` is the number of games tried per decision. `exploration` weighs the bonus for seldom tried
    actions; outcomes count from -1 to 1, so 1.4 is the paper's 0.7 for outcomes from 0 to 1.

    Where a game says what sensible play is (`playouts.lean`), games go on "leaning" towards it below the trees, and
    in the trees it adds `bias` to the value of an action, times its weight's share, less with every visit. With
    "uniform" play-outs all this is left out.

    Where a game says what positions are worth (`playouts.judge`), a `horizon` above 0 cuts games short after so many
    decisions below the trees; in other games BadInput, beginning with `where`, refuses it. None stands for the game's
    own `exploration`, `bias` and `horizon` (`search_defaults`).
    """

    def __init__(
        self,
        game: Game,
        table: np.record,
        simulations: int = 1000,
        exploration: float | None = None,
        playouts: str = "leaning",
        bias: float | None = None,
        horizon: int | None = None,
        where: str = "agent",
    ) -> None:
        defaults = search_defaults(game.name)
        self.game = game
        self.simulations = simulations
        self.exploration = float(defaults.exploration if exploration is None else exploration)
        self.horizon = defaults.horizon if horizon is None else horizon
        if self.horizon > 0 and not judges(game):
            found = f"ismcts horizon is {self.horizon}, but {game.name} has no judge of positions"
            raise BadInput(f"{where}: {found}; allowed: 0, to play to the end")
        self._leaning = playouts == "leaning" and leans(game)
        own_bias = defaults.bias if bias is None else bias
        self._bias = float(own_bias) if self._leaning else 0.0
        self.simulations_made = 0
        """Simulations since the agent was made."""
        self.decisions_made = 0
        """Decisions inside these simulations, in the tree and after it."""
        self.last_search: list[ActionReport] = []
        """The legal actions of the last searched position, the chosen one first."""
        self._adviser = adviser(game, table) if self._leaning else None
        self._no_advice = np.zeros(0, np.int8)
        self._tree = new_tree(simulations)
        self._states = game.new_states(2)
        self._mask = np.zeros(game.num_actions, np.int8)

    def act(self, position: Position, rng: np.record) -> int:
        if len(position.legal_actions) == 1:
            return position.legal_actions[0]
        return self.explain(position, rng)[0].action

    def explain(self, position: Position, rng: np.record) -> list[ActionReport]:
        """Search, and report on every legal action, the one to choose first: most visits, then value, then number."""
        self._states[0] = position.root
        self.decisions_made += search(
            position.table,
            self._states,
            self._tree,
            self._mask,
            self._advice(position),
            self.simulations,
            self.exploration,
            self._leaning,
            self._bias,
            self.horizon,
            rng,
        )
        self.simulations_made += self.simulations
        reports = _root_reports(self._tree, position)
        self.last_search = sorted(reports, key=lambda report: (-report.visits, -report.value, report.action))
        return self.last_search

    def _advice(self, position: Position) -> np.ndarray:
        return self._no_advice if self._adviser is None else weights_of(self._adviser.scores(position))


def _root_reports(tree: Tree, position: Position) -> list[ActionReport]:
    tried = {}
    edge = tree.nodes[ROOT].first_edge
    while edge != NONE:
        tried[int(tree.edges[edge].action)] = tree.edges[edge]
        edge = tree.edges[edge].next_edge
    return [_report(position, action, tried.get(action)) for action in position.legal_actions]


def _report(position: Position, action: int, edge: np.record | None) -> ActionReport:
    name = position.action_name(action)
    if edge is None:
        return ActionReport(action, name, 0, 0, 0.0)
    return ActionReport(action, name, int(edge.visits), int(edge.available), float(edge.score) / int(edge.visits))


@rule
def search(table, states, tree, mask, advice, simulations, exploration, leaning, bias, horizon, stream):
    """Search from states[0] for its seat to act; returns the number of decisions made on the way.

    `states` is room for two states, `mask` int8[num_actions] scratch, `stream` the agent's own. `advice` is empty or
    holds the weights of the actions at the root. `tree` holds the result; it must have room for `simulations`.
    """
    observer = states[0].to_act
    clear(tree, observer)
    decisions = 0
    for _ in range(simulations):
        states[1] = states[0]
        determinize(table, states[1], observer, next_bits(stream))
        rewind(table, states[1])
        depth, made = descend(table, states[1], tree, mask, advice, observer, exploration, leaning, bias, stream)
        decisions += made + play_out(table, states[1], stream, mask, leaning, horizon)
        back_up(tree, depth, worth(table, states[1]))
    return decisions


@rule
def descend(table, state, tree, mask, advice, observer, exploration, leaning, bias, stream):
    """Play from the root along the trees until an action new to them was taken or the game ends.

    The choices that were taken back come first. If one of them is new, the other seat makes the rest of them at random
    and the observer still takes one action from his root: no simulation is lost to him.
    Returns the number of edges on the path, and of decisions made.
    """
    begin(tree)
    edges, path = tree.edges, tree.path
    depth, made, edge = 0, 0, NONE
    inside, asked = True, False
    while state.over == 0 and (inside or not asked):
        seat = state.to_act
        asked = asked or seat == observer
        legal(table, state, mask)
        if inside or asked:
            node = enter(tree, seat)
            if leaning:
                if node == ROOT and len(advice) > 0:
                    mask[:] = advice
                else:
                    lean(table, state, mask)
            edge, untried = select(tree, node, mask, exploration, bias, stream)
            if untried > 0:
                edge = expand(tree, node, seat, random_action(stream, mask))
                inside = False
            path[depth] = edge
            depth += 1
            action = np.int64(edges[edge].action)
        else:
            action = random_action(stream, mask)
        apply(table, state, action)
        made += 1
        if inside:
            go_on(tree, seat, edge, state.told)
    return depth, made
