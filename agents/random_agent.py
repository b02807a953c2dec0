"""The player without a plan: the yardstick every other agent must beat."""

import numpy as np

from duelbench.agents.agent import Agent, Position
from duelbench.envs.game import Game
from duelbench.envs.playout import random_action


class RandomAgent(Agent):
    """Plays each legal action with the same probability."""

    def __init__(self, game: Game, table: np.record) -> None:
        pass

    def act(self, position: Position, rng: np.record) -> int:
        return int(random_action(rng, position.mask))
