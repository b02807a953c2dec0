"""A search that cheats: UCT in the true world, with the other hand, the decks and the unseen choices open to it.

It is a yardstick for what hidden information is worth, no player: matches and tables take it for what it is
(`Agent.sees_everything`), and ratings leave it out. It is given the true state and knows what lies in it, the order of
the decks too; what dice would still decide (`rng` of the state) is drawn anew in every simulation, as no cheat at a
table could know it. In a simultaneous decision it sees what the other seat has chosen if that has chosen before it,
and expects the other seat to see its own choice too.
"""

import numpy as np

from duelbench.agents.agent import OpenPosition, Position
from duelbench.agents.open_search import search
from duelbench.agents.search_agent import PlayOutSearch
from duelbench.agents.search_tree import new_tree, tally
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game


class OracleMCTSAgent(PlayOutSearch):
    """Takes the action with the most visits; the settings: `PlayOutSearch`. It asks for an OpenPosition."""

    kind = "oracle_mcts"
    sees_everything = True

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
        self._where = where

    def act(self, position: Position, rng: np.record) -> int:
        self._refuse_hidden(position)
        return super().act(position, rng)

    def _search(self, position: Position, rng: np.record) -> int:
        self._refuse_hidden(position)
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
            True,
            rng,
        )
        tally(self._tree, self._totals)
        return int(made)

    def _refuse_hidden(self, position: Position) -> None:
        """Guesses instead of the truth would make it an ordinary player under a name that says otherwise."""
        if not isinstance(position, OpenPosition):
            found = f"{self.kind} sees the true state and plays only where that is given"
            raise BadInput(f"{self._where}: {found}, as in runs")
