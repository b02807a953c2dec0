"""Restricted play: an agent that is kept from playing some cards, or made to play others as soon as it may.

What a card is worth to a player shows in what is lost by never playing it (Jaffe, Miller, Andersen, Liu, Karlin &
Popovic, "Evaluating Competitive Game Balance with Restricted Play", AIIDE 2012).
"""

from collections.abc import Sequence

import numpy as np

from duelbench.agents.agent import Agent, Position
from duelbench.agents.choosing import one_of_the_best
from duelbench.agents.search_agent import SearchAgent
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game, did_you_mean


class RestrictedAgent(Agent):
    """Another agent's choice among what is allowed to it.

    An action that plays one of the cards of `never` is left out unless nothing else is legal; where an action plays
    one of `always`, only such ones are allowed. A search thinks as it would without any restriction, and its most
    visited allowed action is taken; of an agent that scores its actions the best allowed one; any other is given a
    mask of the allowed ones. Where all is allowed, the agent answers as if there were no restriction.
    """

    def __init__(
        self, agent: Agent, game: Game, never: Sequence[str] = (), always: Sequence[str] = (), where: str = "agent"
    ) -> None:
        """BadInput, beginning with `where`, for an unknown card, and for a game that does not tell what is played."""
        if game.played_card is None:
            raise BadInput(f"{where}: {game.name} does not tell which action plays which card")
        self._agent = agent
        self._played_card = game.played_card
        self._never = _numbers(game, never, f"{where}: never")
        self._always = _numbers(game, always, f"{where}: always")

    def begin(self, seat: int) -> None:
        self._agent.begin(seat)

    def act(self, position: Position, rng: np.record) -> int:
        allowed = self.allowed(position)
        if len(allowed) == len(position.legal_actions):
            return self._agent.act(position, rng)
        if len(allowed) == 1:
            return allowed[0]
        if isinstance(self._agent, SearchAgent):
            return next(report.action for report in self._agent.explain(position, rng) if report.action in allowed)
        if hasattr(self._agent, "scores"):
            return int(one_of_the_best(_only(self._agent.scores(position), allowed), rng))
        return self._asked_with_mask(position, rng, allowed)

    def allowed(self, position: Position) -> list[int]:
        """The legal actions that the restrictions leave, ascending; all of them where none would be left."""
        played = {a: self._played_card(position.table, position.root, a) for a in position.legal_actions}
        left = [action for action, card in played.items() if card not in self._never] or list(played)
        return [action for action in left if played[action] in self._always] or left

    def _asked_with_mask(self, position: Position, rng: np.record, allowed: list[int]) -> int:
        narrowed = type(position)(position.game, position.table, position.root)
        mask = np.zeros_like(position.mask)
        mask[allowed] = 1
        narrowed.__dict__["mask"] = mask  # where the cached property keeps it
        action = int(self._agent.act(narrowed, rng))
        if action not in allowed:
            told = f"answered {position.action_name(action)!r}, which its restriction does not allow"
            raise ValueError(f"{type(self._agent).__name__} {told}: it does not heed position.mask")
        return action


class OpenRestrictedAgent(RestrictedAgent):
    """The same around an agent that sees everything."""

    sees_everything = True


def restricted(agent: Agent, game: Game, never: Sequence[str], always: Sequence[str], where: str) -> Agent:
    """The agent with these restrictions, as `RestrictedAgent` takes them."""
    kind = OpenRestrictedAgent if type(agent).sees_everything else RestrictedAgent
    return kind(agent, game, never, always, where)


def _numbers(game: Game, cards: Sequence[str], where: str) -> frozenset[int]:
    for card in cards:
        if card not in game.card_ids:
            raise BadInput(f"{where}: unknown card {card!r}{did_you_mean(card, game.card_ids)}")
    return frozenset(game.card_ids.index(card) for card in cards)


def _only(scores: np.ndarray, allowed: list[int]) -> np.ndarray:
    left = np.full_like(scores, -np.inf)
    left[allowed] = scores[allowed]
    return left
