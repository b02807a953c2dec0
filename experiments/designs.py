"""Who meets whom: the designs of a run, by name.

    design: round_robin             # every two agents; the default
    design: ladder                  # neighbours in the order in which the agents stand
    design: {one_vs_all: new_bot}   # one agent against each other

`matchups` lists pairs instead. A ladder of n agents has n - 1 matchups, one against all too, a round robin n(n-1)/2.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

from duelbench.envs.document import kind_of
from duelbench.envs.errors import BadInput
from duelbench.envs.game import did_you_mean

ROUND_ROBIN, LADDER, ONE_VS_ALL = "round_robin", "ladder", "one_vs_all"
_KNOWN = f"{ROUND_ROBIN}, {LADDER} or {{{ONE_VS_ALL}: name of an agent}}"


def pairs_of(design: Any, agents: Sequence[str], where: str) -> list[tuple[str, str]]:
    """The matchups of a design, in the order in which they are numbered; a lone agent meets itself.

    Raises BadInput, beginning with `where`, for anything that is no design or names an unknown agent.
    """
    if len(agents) == 1:
        return [(agents[0], agents[0])]
    if design == ROUND_ROBIN:
        return list(combinations(agents, 2))
    if design == LADDER:
        return list(pairwise(agents))
    if not isinstance(design, dict) or list(design) != [ONE_VS_ALL]:
        raise BadInput(f"{where}: found {kind_of(design)}; expected {_KNOWN}")
    one = design[ONE_VS_ALL]
    if one not in agents:
        found = f"unknown agent {one!r}" if isinstance(one, str) else f"found {kind_of(one)}"
        raise BadInput(f"{where}.{ONE_VS_ALL}: {found}{did_you_mean(str(one), agents)}")
    return [(one, other) for other in agents if other != one]
