"""The field of agents as numbers, and one bootstrap of its deals that everything said of the field shares.

The deals of a matchup are resampled from those of that matchup; as the deals of different matchups have nothing in
common, the matchups are independent of each other.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from duelbench.analysis.deal_kinds import DealValues, counts_of, deal_values
from duelbench.experiments.estimates import MIN_DEALS, counted

RESAMPLES = 1000
"""Size of the bootstrap."""

BOOTSTRAP_SEED = 1952


@dataclass(frozen=True)
class Field:
    """The agents, the pairs of them that met, and what the first of each pair scored."""

    agents: list[str]
    """sorted"""
    pairs: list[tuple[str, str]]
    """sorted, the first name of each before the second"""
    places: np.ndarray
    """int[pairs, 2]: the two agents of each pair"""
    scores: list[DealValues]
    """by pair the mean score of the first agent in the two games of each deal"""
    drawn: np.ndarray
    """float64[resamples, pairs]: the mean of as many deals, drawn with replacement"""

    @property
    def deals(self) -> np.ndarray:
        """int[pairs]"""
        return np.array([scores.deals for scores in self.scores])

    @property
    def shares(self) -> np.ndarray:
        """float64[pairs]: the mean score of the first agent."""
        return np.array([scores.mean for scores in self.scores])

    @property
    def all_met(self) -> bool:
        return 2 * len(self.pairs) == len(self.agents) * (len(self.agents) - 1)

    def square(self, values: np.ndarray) -> np.ndarray:
        """Antisymmetric float64[..., agents, agents] from a value for each pair, float64[..., pairs]."""
        square = np.zeros((*values.shape[:-1], len(self.agents), len(self.agents)))
        first, second = self.places.T
        square[..., first, second] = values
        square[..., second, first] = -values
        return square


def resampled(deals: pd.DataFrame, resamples: int = RESAMPLES, seed: int = BOOTSTRAP_SEED) -> Field:
    """The field of `payoffs.deal_table`, which must not be empty. The same deals in any order give the same field."""
    agents = agents_of(deals)
    scores = {
        pair: deal_values(group["score"], counts_of(group))
        for pair, group in deals.groupby(["first", "second"], sort=True)
    }
    pairs = sorted(scores)
    places = np.array([(agents.index(first), agents.index(second)) for first, second in pairs])
    rng = np.random.default_rng(seed)
    drawn = np.stack([_resampled_means(scores[pair], resamples, rng) for pair in pairs], axis=1)
    return Field(agents, pairs, places, [scores[pair] for pair in pairs], drawn)


def agents_of(deals: pd.DataFrame) -> list[str]:
    return sorted(set(deals["first"]) | set(deals["second"]))


def too_few_deals(deals: pd.DataFrame, what: str) -> str:
    """Why there is no `what` (ratings, say) for lack of deals, or an empty string."""
    if deals.empty:
        return f"no {what}: no two different agents met"
    for (first, second), group in deals.groupby(["first", "second"], sort=True):
        if (met := int(counts_of(group).sum())) < MIN_DEALS:
            found = counted(met, "deal")
            return f"no {what}: {first} against {second} has {found}, at least {MIN_DEALS} needed"
    return ""


def not_all_met(deals: pd.DataFrame, what: str, least: int = 2) -> str:
    """Why there is no `what` that needs all of `least` agents or more to have met, or an empty string."""
    if few := too_few_deals(deals, what):
        return few
    agents, met = agents_of(deals), set(zip(deals["first"], deals["second"], strict=True))
    if len(agents) < least:
        return f"no {what}: {counted(len(agents), 'agent')}, at least {least} needed"
    strangers = [(a, b) for i, a in enumerate(agents) for b in agents[i + 1 :] if (a, b) not in met]
    if not strangers:
        return ""
    (a, b), more = strangers[0], len(strangers) - 1
    others = f", nor did {counted(more, 'other pair')}" if more else ""
    return f"no {what}: {a} and {b} never met{others}; all agents must have met each other"


def _resampled_means(scores: DealValues, resamples: int, rng: np.random.Generator) -> np.ndarray:
    """float64[resamples]: the mean of as many deals as there are, drawn from them with replacement.

    Deals that all came out alike would always give the same, as if nothing were uncertain; one deal won and one
    lost are put among them, which leaves about the width of one exception in as many deals.
    """
    alike = len(scores.values) == 1
    pool = deal_values(np.append(scores.values, [0.0, 1.0]), np.append(scores.counts, [1, 1])) if alike else scores
    times = rng.multinomial(scores.deals, pool.counts / pool.deals, size=resamples)
    return np.asarray(times @ pool.values) / scores.deals
