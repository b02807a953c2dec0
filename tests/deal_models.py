"""Made-up scores of deals whose true share is known: how the two games of a deal may depend on each other."""

import itertools

import numpy as np
import pandas as pd


def independent(rng, share, shape):
    """Two games that have nothing in common."""
    return (rng.random((*shape, 2)) < share).mean(axis=-1)


def split(rng, share, shape):
    """The cards favour a seat so strongly that each agent wins on it, but for what one is stronger."""
    luck = rng.random(shape)
    return ((luck < share) * 1.0 + (1 - luck < share)) / 2


def alike(rng, share, shape):
    """Both games of most deals go the same way."""
    first, second, same = rng.random(shape) < share, rng.random(shape) < share, rng.random(shape) < 0.7
    return (first * 1.0 + np.where(same, first, second)) / 2


def drawn(rng, share, shape):
    """Three games of five are drawn."""
    wins = share - 0.3
    luck = rng.random((*shape, 2))
    return np.where(luck < wins, 1.0, np.where(luck < wins + 0.6, 0.5, 0.0)).mean(axis=-1)


MODELS = (independent, split, alike, drawn)


def deals_of(scores):
    """What `payoffs.deal_table` would hold for {("a", "b"): scores of "a" by deal}, without the games."""
    parts = [
        pd.DataFrame({"first": a, "second": b, "deal": range(len(values)), "score": values})
        for (a, b), values in scores.items()
    ]
    return pd.concat(parts, ignore_index=True).assign(wins=0, draws=0, losses=0)


def share_of_lead(lead):
    return 1 / (1 + 10 ** (-lead / 400))


def round_robin(rng, strengths, deals, model=independent):
    """Scores by pair of a field in which the Bradley-Terry model is true; `strengths` by name, on the Elo scale."""
    pairs = itertools.combinations(sorted(strengths), 2)
    return {(a, b): model(rng, share_of_lead(strengths[a] - strengths[b]), (deals,)) for a, b in pairs}
