"""What an agent considered when it decided, where it can tell: the figures of its search, or its probabilities."""

from dataclasses import dataclass
from typing import Any

from duelbench.agents.agent import Agent, Position
from duelbench.agents.catalogue import AgentSpec
from duelbench.agents.policy import Policy
from duelbench.agents.search_agent import ActionReport


@dataclass(frozen=True)
class Considered:
    """One legal action as the agent saw it; a figure that it does not have is None."""

    name: str
    chosen: bool
    share: float | None
    """Its part of the search's visits, or its probability, from 0 to 1."""
    visits: int | None = None
    value: float | None = None
    """What the search expects of it for the agent, from -1 (lost) to 1 (won)."""
    prior: float | None = None
    """How likely it seemed before the search."""


@dataclass(frozen=True)
class Account:
    """One decision; `considered` are the legal actions, likeliest first, and empty where the agent tells nothing."""

    number: int
    """The decision's, as in a replay: from 1 on."""
    action: str
    considered: tuple[Considered, ...]


def account_of(
    number: int, agent: Agent, spec: AgentSpec, position: Position, action: int, before: Any = None
) -> Account:
    """What `agent`, made from `spec`, can tell of its answer `action`.

    Of a search that is its `last_search`, unless this is still `before`: then it decided without one.
    """
    name = position.action_name(action)
    search = getattr(agent, "last_search", None)
    if search and search is not before and isinstance(search[0], ActionReport):
        return Account(number, name, _of_search(search, action))
    if isinstance(getattr(agent, "policy", None), Policy) and len(position.legal_actions) > 1:
        return Account(number, name, _of_policy(agent, spec, position, action))
    return Account(number, name, ())


def _of_search(search: Any, action: int) -> tuple[Considered, ...]:
    total = sum(report.visits for report in search) or 1
    return tuple(
        Considered(
            report.name,
            report.action == action,
            report.visits / total,
            report.visits,
            report.value if report.visits else None,
            report.prior,
        )
        for report in search
    )


def _of_policy(agent: Any, spec: AgentSpec, position: Position, action: int) -> tuple[Considered, ...]:
    temperature = float(spec.parameters.get("temperature") or 1.0)
    chances = agent.policy.probabilities(position.observation, position.mask, temperature)
    ordered = sorted(position.legal_actions, key=lambda legal: (-chances[legal], legal))
    return tuple(Considered(position.action_name(legal), legal == action, float(chances[legal])) for legal in ordered)
