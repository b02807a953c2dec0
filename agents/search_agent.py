"""What all searching agents share: their settings, and the report on the last search that people can read."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from duelbench.agents.advice import adviser, weights_of
from duelbench.agents.agent import Agent, Position
from duelbench.agents.playouts import judges, lean, leans
from duelbench.agents.search_defaults import search_defaults
from duelbench.agents.search_tree import TOTAL
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.records import blank


@dataclass(frozen=True)
class ActionReport:
    """What a search found out about one legal action."""

    action: int
    name: str
    visits: int
    """Simulations that began with it."""
    available: int
    """Simulations that could have; in an information-set search they are counted from its first visit on."""
    value: float
    """Mean of what its visits came to for the searching seat, from -1 (lost) to 1 (won); 0 without visits."""
    prior: float
    """What the search thought of it beforehand: its share of all weights, or its probability in a trained policy."""


class SearchAgent(Agent):
    """Searches anew at every decision of more than one legal action, and takes what the search likes best."""

    kind: ClassVar[str]
    """Its name in configs."""

    def __init__(self, game: Game, simulations: int) -> None:
        self.game = game
        self.simulations = simulations
        self.simulations_made = 0
        """Simulations since the agent was made."""
        self.decisions_made = 0
        """Decisions inside these simulations, in the tree and after it."""
        self.last_search: list[ActionReport] = []
        """The legal actions of the last searched position, the chosen one first."""
        self._totals = blank(game.num_actions, TOTAL)

    def act(self, position: Position, rng: np.record) -> int:
        if len(position.legal_actions) == 1:
            return position.legal_actions[0]
        return self.explain(position, rng)[0].action

    def explain(self, position: Position, rng: np.record) -> list[ActionReport]:
        """Search, and report on every legal action, the one to choose first: most visits, then value, then number."""
        self._totals.fill(0)
        self.decisions_made += self._search(position, rng)
        self.simulations_made += self.simulations
        prior = self._prior(position)
        reports = [self._report(position, action, float(prior[action])) for action in position.legal_actions]
        self.last_search = sorted(reports, key=self._order)
        return self.last_search

    @abstractmethod
    def _search(self, position: Position, rng: np.record) -> int:
        """Search and fill `_totals` (TOTAL[num_actions], zeroed); returns the number of decisions made on the way."""

    @abstractmethod
    def _prior(self, position: Position) -> np.ndarray:
        """float64[num_actions]: `ActionReport.prior` of the legal actions, after the search."""

    def _order(self, report: ActionReport) -> tuple[float, ...]:
        return -report.visits, -report.value, report.action

    def _report(self, position: Position, action: int, prior: float) -> ActionReport:
        total, name = self._totals[action], position.action_name(action)
        visits = int(total.visits)
        value = float(total.score) / visits if visits else 0.0
        return ActionReport(action, name, visits, int(total.available), value, prior)


class PlayOutSearch(SearchAgent):
    """A search whose simulations end in play-outs.

    `simulations` is the number of games tried per decision. `exploration` weighs the bonus for seldom tried
    actions; outcomes count from -1 to 1, so 1.4 is Cowling's 0.7 for outcomes from 0 to 1.

    Where a game says what sensible play is (`playouts.lean`), games go on "leaning" towards it below the tree, and
    in the tree it adds `bias` to the value of an action, times its weight's share, less with every visit
    (progressive bias; Chaslot et al. 2008). With "uniform" play-outs all this is left out.

    Where a game says what positions are worth (`playouts.judge`), a `horizon` above 0 cuts games short after so many
    decisions below the tree; in other games BadInput, beginning with `where`, refuses it. None stands for the game's
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
        super().__init__(game, simulations)
        defaults = search_defaults(game.name)
        self.exploration = float(defaults.exploration if exploration is None else exploration)
        self.horizon = defaults.horizon if horizon is None else horizon
        if self.horizon > 0 and not judges(game):
            found = f"{self.kind} horizon is {self.horizon}, but {game.name} has no judge of positions"
            raise BadInput(f"{where}: {found}; allowed: 0, to play to the end")
        self._leaning = playouts == "leaning" and leans(game)
        own_bias = defaults.bias if bias is None else bias
        self._bias = float(own_bias) if self._leaning else 0.0
        self._adviser = adviser(game, table) if self._leaning else None
        self._advice = np.zeros(0, np.int8)
        """The weights of the actions at the root (int8[num_actions]), where somebody gives advice; else empty."""
        self._mask = np.zeros(game.num_actions, np.int8)

    def explain(self, position: Position, rng: np.record) -> list[ActionReport]:
        if self._adviser is not None:
            self._advice = weights_of(self._adviser.scores(position))
        return super().explain(position, rng)

    def _prior(self, position: Position) -> np.ndarray:
        weights = position.mask.copy()
        if len(self._advice):
            weights = self._advice
        elif self._leaning:
            lean(position.table, position.root, weights)
        return weights / int(weights.sum())


def shares_of(simulations: int, parts: int) -> list[int]:
    """The simulations in so many parts that differ by one at most, the larger ones first."""
    share, left = divmod(simulations, parts)
    return [share + (part < left) for part in range(parts)]
