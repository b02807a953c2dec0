"""Multiple-observer information-set Monte Carlo tree search (MO-ISMCTS; Cowling, Powley & Whitehouse 2012).

One tree a seat, for all the worlds the searching seat holds possible. Every simulation draws one of them, walks down
both trees along actions legal in it, each seat choosing by what it has been told itself, adds one action, plays on at
random and tells the actions on its way how the game ended, or what the position is worth where it was cut short.

Beyond the paper, what the other seat has already chosen unseen in a simultaneous decision is not drawn with the world
but taken back and chosen again in the other seat's tree, so that it is expected to have chosen well, not anyhow; and a
little chance in the bounds keeps the two trees from falling into step (`search_tree.select`). What a game says of
sensible play is a progressive bias in the trees (Chaslot et al. 2008) and guides the play-outs; where its hand-written
player scores actions, it has that say at the root.

Several pairs of trees may be grown side by side, each from its own share of the simulations, and their visits added up
(root parallelization; Chaslot, Winands & van den Herik 2008, "Parallel Monte-Carlo Tree Search").
"""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from duelbench.agents.agent import Position
from duelbench.agents.playouts import play_out, worth
from duelbench.agents.search_agent import ActionReport, PlayOutSearch, shares_of
from duelbench.agents.search_memory import Memory
from duelbench.agents.search_tree import (
    NONE,
    Tree,
    back_up,
    begin,
    clear,
    enter,
    go_on,
    has_room,
    new_tree,
    resume,
    take,
    tally,
    weigh,
)
from duelbench.envs.dispatch import apply, determinize, legal, rewind
from duelbench.envs.game import Game
from duelbench.envs.jit import INTERPRETED, rule
from duelbench.envs.playout import random_action
from duelbench.envs.rng import new_stream, next_bits

ROOM = 4
"""With `reuse` a tree may hold so many times the simulations of one decision before it is begun anew."""


class Ground(NamedTuple):
    """What one pair of trees needs to grow on its own."""

    tree: Tree
    states: np.ndarray  # two states: the root and the world of the current simulation
    mask: np.ndarray  # int8[num_actions], scratch


class ISMCTSAgent(PlayOutSearch):
    """Takes the action that most simulations began with; for the settings it shares with others see `PlayOutSearch`.

    `trees` is the number of pairs of trees, which share the simulations and grow on as many threads as the machine
    has cores. Their streams are drawn from the agent's in a fixed order, so the threads do not change the result.

    With `reuse` the trees of one decision are grown further at the next where the seat has learned nothing in between
    (`Memory`). The simulations of the earlier search that went through its action then have begun in
    the same worlds, with the same chances, as those to come, so that their statistics count alike.
    """

    kind = "ismcts"

    def __init__(
        self,
        game: Game,
        table: np.record,
        simulations: int = 1000,
        exploration: float | None = None,
        playouts: str = "leaning",
        bias: float | None = None,
        horizon: int | None = None,
        trees: int = 1,
        reuse: bool = False,
        where: str = "agent",
    ) -> None:
        super().__init__(game, table, simulations, exploration, playouts, bias, horizon, where)
        self._shares = shares_of(simulations, min(trees, simulations))
        room = ROOM if reuse else 1
        self._grounds = [self._ground(room * self._shares[0]) for _ in self._shares]
        self.threads = 1 if INTERPRETED else min(len(self._shares), os.cpu_count() or 1)
        self._memory = Memory(game) if reuse else None

    def _ground(self, capacity: int) -> Ground:
        return Ground(new_tree(capacity), self.game.new_states(2), np.zeros(self.game.num_actions, np.int8))

    def begin(self, seat: int) -> None:
        if self._memory is not None:
            self._memory.forget()

    def _search(self, position: Position, rng: np.record) -> int:
        streams = [rng]
        if len(self._grounds) > 1:
            streams = [new_stream(int(next_bits(rng))) for _ in self._grounds]
        resumed = self._resumed(position)

        def grown(part: int) -> int:
            return self._grow(self._grounds[part], position, self._shares[part], resumed[part], streams[part])

        parts = range(len(self._grounds))
        if self.threads == 1:
            made = [grown(part) for part in parts]
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                made = list(pool.map(grown, parts))
        for ground in self._grounds:
            tally(ground.tree, self._totals)
        return sum(made)

    def explain(self, position: Position, rng: np.record) -> list[ActionReport]:
        reports = super().explain(position, rng)
        if self._memory is not None:
            self._memory.keep(position, reports[0].action)
        return reports

    def _resumed(self, position: Position) -> list[bool]:
        """Whether each pair of trees goes on from where its root's action led, and has its root moved there."""
        told = None if self._memory is None else self._memory.told_since(position)
        if self._memory is None or told is None:
            return [False for _ in self._grounds]
        pairs = zip(self._grounds, self._shares, strict=True)
        return [
            bool(has_room(ground.tree, share + 1) and resume(ground.tree, position.seat, self._memory.action, told))
            for ground, share in pairs
        ]

    def _grow(self, ground: Ground, position: Position, simulations: int, resumed: bool, stream: np.record) -> int:
        ground.states[0] = position.root
        run = grow if resumed else search
        made = run(
            position.table,
            ground.states,
            ground.tree,
            ground.mask,
            self._advice,
            simulations,
            self.exploration,
            self._leaning,
            self._bias,
            self.horizon,
            stream,
        )
        return int(made)


@rule
def search(table, states, tree, mask, advice, simulations, exploration, leaning, bias, horizon, stream):
    """Search from states[0] for its seat to act; returns the number of decisions made on the way.

    `states` is room for two states, `mask` int8[num_actions] scratch, `stream` the agent's own. `advice` is empty or
    holds the weights of the actions at the root. `tree` holds the result; it must have room for `simulations`.
    """
    clear(tree, states[0].to_act)
    return grow(table, states, tree, mask, advice, simulations, exploration, leaning, bias, horizon, stream)


@rule
def grow(table, states, tree, mask, advice, simulations, exploration, leaning, bias, horizon, stream):
    """The simulations of `search` in a tree that has been cleared or resumed."""
    observer = states[0].to_act
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
            go_on(tree, seat, edge, state.told)
    return depth, made
