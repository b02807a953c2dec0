"""What games cost, so that parts take about equally long. It follows from the config alone."""

from duelbench.agents.catalogue import AgentSpec

_DEALS_A_PART = 250
_DEALS_A_SLOW_PART = 16
_FAST_TYPES = ("random", "heuristic", "ppo")


def deals_a_part(game: str, agents: tuple[AgentSpec, AgentSpec]) -> int:
    """How many deals of `game` between these agents a part file holds: a part is what an interruption can cost."""
    fast = all(spec.type in _FAST_TYPES for spec in agents)
    return _DEALS_A_PART if fast else _DEALS_A_SLOW_PART
