"""The player without a plan: the yardstick every other agent must beat."""

from typing import NamedTuple

import numpy as np

from duelbench.agents.agent import Agent, Position
from duelbench.agents.compiled import register
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.playout import random_action


class RandomAgent(Agent):
    """Plays each legal action with the same probability."""

    def __init__(self, game: Game, table: np.record) -> None:
        pass

    def act(self, position: Position, rng: np.record) -> int:
        return int(random_action(rng, position.mask))

    def compiled(self) -> "RandomPlayer":
        return RandomPlayer()


class RandomPlayer(NamedTuple):
    """What compiled games know of the agent."""

    nothing: int = 0  # compiled code takes no tuple without a field


@rule
def decide(table, state, mask, world, stream, player):
    return random_action(stream, mask)


register(RandomPlayer, decide)
