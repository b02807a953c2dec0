"""A search that knows the other player: single-agent information-set Monte Carlo tree search.

Against a known policy a game of two is a decision problem of one, in which the other seat belongs to the chances
(Timbers et al. 2022, "Approximate exploitability", arXiv 2004.09677, learn a best response in such a search; here it
has nothing to learn from and counts on its simulations). There is one tree, the searcher's. The other seat acts by its
policy in every simulation, in the tree and below it; below the tree so does the searcher, whose play there is then at
least as good as the other's.

What the searcher believes of the hidden cards are worlds from `determinize`, which knows the rules but not the other's
habits. They are sifted by what the other did (a particle filter): worlds of the last decision are played on by the
policy, and those are kept in which the searcher sees what it does see. Few survive where much is drawn from decks; with
fewer than MIN_WORLDS the sieve starts again from worlds of the last decision that are drawn afresh, and so forgets what
was observed before that, and with fewer even then the search believes all worlds alike.
"""

from typing import NamedTuple

import numpy as np

from duelbench.agents.agent import Agent, Position
from duelbench.agents.best_response_known import Known, answer, key_of_seen
from duelbench.agents.playouts import worth
from duelbench.agents.search_defaults import search_defaults
from duelbench.agents.search_tree import (
    NONE,
    ROOT,
    back_up,
    before_all,
    begin,
    clear,
    enter,
    go_on,
    new_tree,
    take,
)
from duelbench.envs.dispatch import apply, determinize, legal, observe, rewind
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.records import blank
from duelbench.envs.rng import below, next_bits

MIN_WORLDS = 32
"""Fewer worlds than these are no belief."""
TRIES_A_WORLD = 8
"""Worlds that are tried for each one that is wanted."""


class Scratch(NamedTuple):
    """What the compiled parts write into."""

    world: np.ndarray  # one state: the world of the current simulation
    mask: np.ndarray  # int8[num_actions]
    views: np.ndarray  # one record of the game's view
    numbers: np.ndarray  # float32[view_size], the same memory


class BestResponseSearch(Agent):
    """Plays against the agent that `player` (see `best_response_known.known`) is, and gains what it can find.

    `simulations` are made at each decision, `worlds` is how many the belief consists of at most (0: no sieve).
    `exploration` weighs the bonus for seldom tried actions. `horizon` is as for ismcts; None stands for the game's own.
    """

    def __init__(
        self,
        game: Game,
        table: np.record,
        player: Known,
        simulations: int = 1000,
        worlds: int = 500,
        exploration: float = 0.7,
        horizon: int | None = None,
        by_observation: bool = True,
    ) -> None:
        self._player, self._simulations, self._exploration = player, simulations, exploration
        self._horizon = search_defaults(game.name).horizon if horizon is None else horizon
        self._by_observation = by_observation
        self._tree = new_tree(simulations)
        views = blank(1, game.view_dtype)
        mask = np.zeros(game.num_actions, np.int8)
        self._scratch = Scratch(game.new_states(1), mask, views, views.view(np.float32).ravel())
        self._roots = game.new_states(1)
        self._worlds, self._next = game.new_states(worlds), game.new_states(worlds)
        self.begin(0)

    def begin(self, seat: int) -> None:
        self._count = 0
        self._action = NONE

    def act(self, position: Position, rng: np.record) -> int:
        self._sift(position, rng)
        self._roots[0] = position.root
        self._action = position.legal_actions[0]
        if len(position.legal_actions) > 1:
            self._action = self._search(position, rng)
        return self._action

    def believed(self) -> np.ndarray:
        """The worlds that the last decision was searched in; none where all worlds were believed alike."""
        return self._worlds[: self._count]

    def _search(self, position: Position, rng: np.record) -> int:
        believed = self.believed()
        settings = (self._simulations, self._exploration, self._horizon, self._by_observation)
        search(self._player, position.table, self._roots, believed, self._tree, self._scratch, *settings, rng)
        return int(favourite(self._tree))

    def _sift(self, position: Position, rng: np.record) -> None:
        """Bring the believed worlds from the last decision, whose root is still at hand, to this one."""
        if self._action == NONE or len(self._worlds) == 0:
            return
        what = (self._action, position.observation, self._next, self._scratch, rng)
        found = sift(self._player, position.table, self._roots, self.believed(), *what)
        if found < MIN_WORLDS and self._count > 0:
            found = sift(self._player, position.table, self._roots, self._worlds[:0], *what)
        self._worlds, self._next = self._next, self._worlds
        self._count = found if found >= MIN_WORLDS else 0


@rule
def imagine(player, table, roots, believed, scratch, stream):
    """A world at the decision of roots[0]: a believed one, or one drawn afresh where none is believed."""
    world = scratch.world[0]
    observer = roots[0].to_act
    if believed.shape[0] > 0:
        scratch.world[0] = believed[below(stream, believed.shape[0])]
        world.rng = next_bits(stream)
        return
    scratch.world[0] = roots[0]
    determinize(table, world, observer, next_bits(stream))
    rewind(table, world)
    let_other_act(player, table, world, observer, scratch.mask, stream)


@rule
def let_other_act(player, table, world, observer, mask, stream):
    """Until the observer has to decide or the game is over."""
    while world.over == 0 and world.to_act != observer:
        legal(table, world, mask)
        apply(table, world, answer(player, table, world, mask, stream))


@rule
def sift(player, table, roots, believed, action, seen, kept, scratch, stream):
    """Play `action` at the last decision in world after world, and keep those in which `seen` is observed next.

    The worlds go into `kept`, which is filled if TRIES_A_WORLD times as many tries suffice. Returns their number.
    """
    observer, count = roots[0].to_act, 0
    for _ in range(TRIES_A_WORLD * kept.shape[0]):
        imagine(player, table, roots, believed, scratch, stream)
        world = scratch.world[0]
        apply(table, world, action)
        let_other_act(player, table, world, observer, scratch.mask, stream)
        if world.over == 0:
            observe(table, world, observer, scratch.views[0])
            if equal(scratch.numbers, seen):
                kept[count] = world
                count += 1
                if count == kept.shape[0]:
                    break
    return count


@rule
def equal(one, other):
    different = 0
    for i in range(one.shape[0]):
        different += one[i] != other[i]
    return different == 0


@rule
def search(player, table, roots, believed, tree, scratch, simulations, exploration, horizon, by_observation, stream):
    """Search from roots[0] for its seat to act; `tree` holds the result and has room for `simulations`."""
    clear(tree, roots[0].to_act)
    for _ in range(simulations):
        imagine(player, table, roots, believed, scratch, stream)
        observer, world = roots[0].to_act, scratch.world[0]
        depth = descend(player, table, world, tree, scratch, observer, exploration, by_observation, stream)
        finish(player, table, world, scratch.mask, horizon, stream)
        back_up(tree, depth, worth(table, world))


@rule
def descend(player, table, world, tree, scratch, observer, exploration, by_observation, stream):
    """Play along the tree until the searcher took an action new to it or the game ends; returns the path's length."""
    begin(tree)
    mask, depth, edge, is_new = scratch.mask, 0, NONE, False
    while world.over == 0 and not is_new:
        seat = world.to_act
        legal(table, world, mask)
        if seat == observer:
            if by_observation and depth > 0:
                see(table, world, tree, observer, scratch)
            edge, is_new = take(tree, enter(tree, seat), seat, mask, exploration, 0.0, stream)
            tree.path[depth] = edge
            depth += 1
            action = np.int64(tree.edges[edge].action)
        else:
            edge = before_all(seat)
            action = np.int64(answer(player, table, world, mask, stream))
        apply(table, world, action)
        go_on(tree, seat, edge, world.told)
    return depth


@rule
def see(table, world, tree, observer, scratch):
    """Let the searcher's next node depend on all it sees, its own new cards too."""
    observe(table, world, observer, scratch.views[0])
    tree.cursors[observer].key = key_of_seen(tree.cursors[observer].key, scratch.numbers)


@rule
def finish(player, table, world, mask, horizon, stream):
    """Both seats play on by the known policy, to the end or for `horizon` decisions (0: no such limit)."""
    decisions = 0
    while world.over == 0:
        legal(table, world, mask)
        apply(table, world, answer(player, table, world, mask, stream))
        decisions += 1
        if decisions == horizon:  # never, if that is 0
            break


@rule
def favourite(tree):
    """The action with the most visits at the root, of equal ones that with the better mean, then the lower number."""
    best = NONE
    number = tree.nodes[ROOT].first_edge
    while number != NONE:
        edge = tree.edges[number]
        if best == NONE or is_better(edge, tree.edges[best]):
            best = number
        number = edge.next_edge
    return tree.edges[best].action


@rule
def is_better(one, other):
    if one.visits != other.visits:
        return one.visits > other.visits
    if one.score != other.score:
        return one.score > other.score
    return one.action < other.action
