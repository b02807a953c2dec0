"""Single-observer information-set Monte Carlo tree search (SO-ISMCTS; Cowling, Powley & Whitehouse 2012).

One tree, of what the searching seat can tell apart; the decisions of both seats lie in it. The other seat's are told
apart by nothing but what both seats know: the actions that either was told of, and how often it has acted. So it is
believed to choose alike whatever it holds and whatever it has set unseen, of which `ismcts` knows better, with a tree
for each seat; in return all its choices are learned in one place.

Like `ismcts`, and beyond the paper, the other seat's decision in the tree does not depend on a choice of the searching
seat that it was not told of; what it has itself chosen unseen in a simultaneous decision is taken back and chosen
again; and what a game says of sensible play guides tree and play-outs.
"""

import numpy as np

from duelbench.agents.agent import Position
from duelbench.agents.playouts import play_out, worth
from duelbench.agents.search_agent import PlayOutSearch
from duelbench.agents.search_tree import back_up, begin, clear, enter, mix, new_tree, take, tally, weigh
from duelbench.envs.dispatch import NOTHING_TOLD, apply, determinize, legal, rewind
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.playout import random_action
from duelbench.envs.rng import next_bits

ACTED = 0
"""What stands for an action of the other seat, whatever it was, in the key of its next decision."""


class SOISMCTSAgent(PlayOutSearch):
    """Takes the action that most simulations began with; the settings: `PlayOutSearch`."""

    kind = "soismcts"

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
        super().__init__(game, table, simulations, exploration, playouts, bias, horizon, where)
        self._states = game.new_states(2)
        self._tree = new_tree(simulations)

    def _search(self, position: Position, rng: np.record) -> int:
        self._states[0] = position.root
        made = search(
            position.table,
            self._states,
            self._tree,
            self._mask,
            self._advice,
            self.simulations,
            self.exploration,
            self._leaning,
            self._bias,
            self.horizon,
            rng,
        )
        tally(self._tree, self._totals)
        return int(made)


@rule
def search(table, states, tree, mask, advice, simulations, exploration, leaning, bias, horizon, stream):
    """Search from states[0] for its seat to act; returns the decisions made on the way. As `ismcts.search`."""
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
    """Play from the root along the tree until an action new to it was taken or the game ends.

    The choices that were taken back come first. If one of them is new, the rest are made at random and the observer
    still takes one action from the root. Returns the number of edges on the path, and of decisions made.
    """
    begin(tree)
    edges, path = tree.edges, tree.path
    depth, made = 0, 0
    inside, asked = True, False
    while state.over == 0 and (inside or not asked):
        seat = state.to_act
        asked = asked or seat == observer
        legal(table, state, mask)
        edge = 0
        if inside or asked:
            node = enter(tree, seat)
            weigh(table, state, tree, node, mask, advice, leaning)
            edge, is_new = take(tree, node, seat, mask, exploration, bias, stream)
            inside = inside and not is_new
            path[depth] = edge
            depth += 1
            action = np.int64(edges[edge].action)
        else:
            action = random_action(stream, mask)
        apply(table, state, action)
        made += 1
        if inside:
            go_on_seen(tree, observer, seat, edge, state.told)
    return depth, made


@rule
def go_on_seen(tree, observer, seat, edge, told):
    """`seat` has taken `edge`, and that told the seats `told` (as in a state).

    The observer's cursor is as in `search_tree.go_on`. The other's stays at the beginning; its key is the whole account
    of what the seats were told of each other, which both know, and of the times that it has acted itself.
    """
    cursors, other = tree.cursors, 1 - observer
    if seat == observer:
        cursors[observer].edge = edge
        cursors[observer].key = 0
    else:
        cursors[other].key = mix(cursors[other].key, ACTED)
    if told[observer] != NOTHING_TOLD:
        cursors[observer].key = mix(cursors[observer].key, told[observer])
    for listener in range(2):
        if told[listener] != NOTHING_TOLD:
            code = 2 * np.int64(told[listener]) + (listener == observer)
            cursors[other].key = mix(cursors[other].key, ACTED + 1 + code)
