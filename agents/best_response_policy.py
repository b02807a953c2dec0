"""What an agent plays, as probabilities of its actions: what an exact best response has to know of it."""

import hashlib

import numpy as np

from duelbench.agents.agent import Agent, Position, position_of
from duelbench.agents.policy import best
from duelbench.agents.ppo import PPOAgent
from duelbench.agents.random_agent import RandomAgent
from duelbench.agents.tarot_heuristic import TarotHeuristic
from duelbench.envs.game import Game
from duelbench.envs.rng import new_stream


class Fixed(Agent):
    """An agent made a fixed strategy: asked about the same information, it always gives the same answer.

    All that the agent draws (its stream, the made-up part of the root) comes from a hash of what it sees and of
    `seed`, and it is begun anew before each answer. So a search, which else answers one way or another, becomes one
    reproducible pure strategy, which can be enumerated and played against.
    """

    def __init__(self, agent: Agent, game: Game, table: np.record, seed: int = 0) -> None:
        self._agent, self._game, self._table, self._seed = agent, game, table, seed
        self._answers: dict[bytes, int] = {}

    def act(self, position: Position, rng: np.record) -> int:
        return self.answer(position)

    def answer(self, position: Position) -> int:
        """The action that the strategy takes; it does not depend on the made-up part of the root."""
        root_seed, stream_seed = self._seeds(position)
        known = position_of(self._game, self._table, position.root, root_seed)
        key = known.root.tobytes()  # all of it follows from what the seat knows
        if key not in self._answers:
            self._agent.begin(position.seat)
            self._answers[key] = int(self._agent.act(known, new_stream(stream_seed)))
        return self._answers[key]

    def _seeds(self, position: Position) -> tuple[int, int]:
        said = position.observation.tobytes() + bytes([position.seat]) + self._seed.to_bytes(8, "little")
        digest = hashlib.sha256(said).digest()
        return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")


def fixed(agent: Agent, game: Game, table: np.record, seed: int = 0) -> Agent:
    """The agent itself where `probabilities` are known as they are, else the agent made `Fixed`."""
    return agent if isinstance(agent, RandomAgent | PPOAgent | TarotHeuristic) else Fixed(agent, game, table, seed)


def probabilities(agent: Agent, position: Position) -> np.ndarray:
    """float64[num_actions]: how likely an agent that `fixed` has returned takes each action."""
    if isinstance(agent, RandomAgent):
        return position.mask / position.mask.sum()
    if isinstance(agent, PPOAgent) and agent.temperature > 0:
        return agent.policy.probabilities(position.observation, position.mask, agent.temperature)
    if isinstance(agent, TarotHeuristic):
        scores = agent.scores(position)
        return (scores == scores.max()) / (scores == scores.max()).sum()
    action = _certain(agent, position)
    return (np.arange(len(position.mask)) == action).astype(float)


def _certain(agent: Agent, position: Position) -> int:
    if isinstance(agent, PPOAgent):
        return int(best(agent.policy.logits(position.observation), position.mask))
    assert isinstance(agent, Fixed)
    return agent.answer(position)
