"""The panel of a training: agents that the policy meets now and then, so that progress shows as points."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from duelbench.agents.agent import Agent
from duelbench.agents.catalogue import make_agent
from duelbench.agents.ppo import PPOAgent
from duelbench.experiments.decks import NO_DECKS
from duelbench.experiments.estimates import interval_of_share
from duelbench.experiments.match import play_game
from duelbench.experiments.plan import PlannedGame
from duelbench.experiments.seeds import derived_seed, game_seeds
from duelbench.experiments.training_config import TrainingConfig

LEARNER = "policy"
"""The name of the policy in the seeds of its games and in messages."""


@dataclass(frozen=True)
class Result:
    """A line of evaluations.csv: the share of points against one opponent, with its 95 % interval over deals."""

    decisions: int
    seconds: float
    """of training up to this evaluation, evaluations included"""
    opponent: str
    score: float
    low: float
    high: float
    deals: int


class Panel:
    """The opponents, made once.

    A deal has the same seeds in every evaluation, so that two evaluations differ by the policy alone. All of them
    are the training's own: no evaluation draws from a stream that the learner draws from.
    """

    def __init__(self, config: TrainingConfig) -> None:
        """Raises BadInput for an opponent that cannot be made."""
        self._config = config
        self._game = config.load_game()
        self._table = self._game.table(config.rules, decks=config.deck_choice)
        self._seed = derived_seed(config.seed, "evaluation")
        self._opponents = {
            name: make_agent(self._game, self._table, config.rules, spec, config.folder)
            for name, spec in config.panel.items()
        }

    def evaluate(
        self, policy: Path, decisions: int, clock: Callable[[], float], tell: Callable[[str], None]
    ) -> list[Result]:
        """Play the policy in that file against everyone; `tell` hears whose turn it is."""
        player = PPOAgent(self._game, self._table, self._config.rules, policy)
        results = []
        for name, opponent in self._opponents.items():
            tell(name)
            share = interval_of_share(self._points(player, name, opponent))
            results.append(Result(decisions, clock(), name, share.value, share.low, share.high, share.deals))
        return results

    def _points(self, player: Agent, name: str, opponent: Agent) -> np.ndarray:
        """float64[deals]: the policy's mean score of the two games of each deal."""
        points = np.zeros(self._config.evaluation.deals)
        for deal in range(len(points)):
            for seat in range(2):
                seats = (LEARNER, name) if seat == 0 else (name, LEARNER)
                agents = (player, opponent) if seat == 0 else (opponent, player)
                seeds = game_seeds(self._seed, seats, deal)
                planned = PlannedGame(2 * deal + seat, f"{LEARNER} vs {name}", deal, seats, (NO_DECKS, NO_DECKS), seeds)
                winner = play_game(self._game, self._table, agents, planned).winner
                points[deal] += 0.25 if winner < 0 else (winner == seat) / 2
        return points
