"""Perfect-information Monte Carlo with a UCT tree in each world, also called determinized UCT.

Some worlds are drawn from those the seat holds possible; each is searched as if everybody saw everything in it, its
chance to come included, and the visits at the roots are added up (Ginsberg 2001 in bridge; with UCT in each world
Bjarnason, Fern & Tadepalli 2009). Such a search believes that it will know later which world it is in, and that the
other seat knows it now; where that hurts and where not: Long, Sturtevant, Buro & Furtak 2010.

A choice that the other seat has made unseen in a simultaneous decision is drawn with the world, so it too is known in
each tree and unknown over all of them.
"""

import numpy as np

from duelbench.agents.agent import Position
from duelbench.agents.open_search import search
from duelbench.agents.search_agent import PlayOutSearch, shares_of
from duelbench.agents.search_tree import new_tree, tally
from duelbench.envs.dispatch import determinize
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.rng import next_bits


class PIMCAgent(PlayOutSearch):
    """Takes the action with the most visits over all worlds; the settings but `worlds`: `PlayOutSearch`.

    `worlds` is the number of determinizations, which share the simulations; never more than there are simulations.
    """

    kind = "pimc"

    def __init__(
        self,
        game: Game,
        table: np.record,
        simulations: int = 1000,
        worlds: int = 20,
        exploration: float | None = None,
        playouts: str = "leaning",
        bias: float | None = None,
        horizon: int | None = None,
        where: str = "agent",
    ) -> None:
        super().__init__(game, table, simulations, exploration, playouts, bias, horizon, where)
        self._shares = np.array(shares_of(simulations, min(worlds, simulations)))
        self._states = game.new_states(3)
        self._tree = new_tree(int(self._shares[0]))

    def _search(self, position: Position, rng: np.record) -> int:
        self._states[2] = position.root
        made = search_worlds(
            position.table,
            self._states,
            self._tree,
            self._totals,
            self._mask,
            self._advice,
            self._shares,
            self.exploration,
            self._leaning,
            self._bias,
            self.horizon,
            rng,
        )
        return int(made)


@rule
def search_worlds(table, states, tree, totals, mask, advice, shares, exploration, leaning, bias, horizon, stream):
    """Search worlds of states[2] for its seat to act, each with its share of simulations; returns the decisions made.

    `states` is room for three states; `totals` (TOTAL[num_actions], zeroed) gains the result; `tree` is scratch with
    room for the largest share. The rest as in `open_search.search`.
    """
    decisions = 0
    for world in range(shares.shape[0]):
        states[0] = states[2]
        determinize(table, states[0], states[0].to_act, next_bits(stream))
        decisions += search(
            table, states, tree, mask, advice, shares[world], exploration, leaning, bias, horizon, False, stream
        )
        tally(tree, totals)
    return decisions
