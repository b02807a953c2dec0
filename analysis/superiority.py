"""Which agent is better than which: from all games by way of the ratings, and from the games of the two alone.

The likelihood of superiority is the share of the resamples in which one agent is rated above the other. It borrows
from the games with third agents, and is as good as the single scale on which it puts them all. The direct test knows
nothing but the matchup; its p-value is exact (`significance.sign_flip_p`), and as there is one for every pair, the
flag `better` is given so that of all flags no more than 5 % are mistaken on average.
"""

import numpy as np
import pandas as pd

from duelbench.analysis.deal_kinds import NO_DEALS
from duelbench.analysis.resamples import Field
from duelbench.analysis.significance import FDR, adjusted, sign_flip_p
from duelbench.experiments.estimates import MIN_DEALS, too_few

SUPERIORITY_COLUMNS = [
    "agent", "opponent", "los", "direct_p", "adjusted_p", "better", "deals", "games", "note"
]  # fmt: skip

_NEVER_MET = "never met: known from the games with others only"


def refusal(deals: pd.DataFrame, unrated: bool) -> str:
    """What `superiority` cannot say of these deals (`payoffs.deal_table`), or an empty string.

    `unrated`: whether ratings are refused.
    """
    if deals.empty:
        return "no superiority: no two different agents met"
    return "no likelihood of superiority, as there are no ratings; the direct tests stand" if unrated else ""


def superiority(field: Field, spread: np.ndarray | None) -> pd.DataFrame:
    """Every agent against every other, with SUPERIORITY_COLUMNS, sorted by the names.

    `spread` are `ratings.resampled_ratings` of the same field, or None where ratings are refused: there `los`, the
    likelihood of superiority, is NaN. `direct_p` (two-sided) and `adjusted_p` are NaN for pairs that have no or too
    few deals; the others are adjusted together. `better` is true where `adjusted_p` is below FDR and the agent is the
    one ahead.
    """
    played = dict(zip(field.pairs, field.scores, strict=True))
    agents = field.agents
    pairs = [(a, b) for i, a in enumerate(agents) for b in agents[i + 1 :] if spread is not None or (a, b) in played]
    scores = [played.get(pair, NO_DEALS) for pair in pairs]
    p = np.array([sign_flip_p(s.values - 0.5, s.counts) if s.deals >= MIN_DEALS else np.nan for s in scores])
    lines = []
    for pair, s, direct, corrected in zip(pairs, scores, p, adjusted(p), strict=True):
        los = np.nan if spread is None else _likelihood(*(spread[:, agents.index(name)] for name in pair))
        ahead = np.sign(s.mean - 0.5) if s.deals else 0
        note = _NEVER_MET if not s.deals else "" if s.deals >= MIN_DEALS else too_few(s.deals)
        for (agent, other), chance, side in ((pair, los, 1), (pair[::-1], 1 - los, -1)):
            better = bool(corrected < FDR and ahead == side)
            lines.append((agent, other, chance, direct, corrected, better, s.deals, 2 * s.deals, note))
    return pd.DataFrame(lines, columns=SUPERIORITY_COLUMNS).sort_values(["agent", "opponent"], ignore_index=True)


def _likelihood(mine: np.ndarray, theirs: np.ndarray) -> float:
    """The share of the resamples in which mine is higher, equal ones counted half, and never quite 0 or 1.

    One made-up resample is counted half to either side: so many resamples cannot tell a rarer reversal from none.
    """
    above = np.count_nonzero(mine > theirs) + np.count_nonzero(mine == theirs) / 2
    return float((above + 0.5) / (len(mine) + 1))
