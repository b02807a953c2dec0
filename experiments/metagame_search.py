"""Policy-space response oracles over decks (Lanctot et al. 2017), with an evolutionary search as the oracle.

The pool begins with given decks. Each round finds the mixture that no deck of the pool beats, looks for a deck that
beats this mixture, and adds it if it proves itself in fresh deals. What remains is a mixture that the search could
not beat: an upper bound for how settled the metagame is, not a proof that nothing beats it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from duelbench.experiments.estimates import Estimate, interval_of_share
from duelbench.experiments.metagame_breeding import Breeder, Cards, sorted_cards
from duelbench.experiments.metagame_config import MetagameConfig
from duelbench.experiments.metagame_play import Meeting
from duelbench.experiments.metagame_pool import Pool
from duelbench.experiments.seeds import derived_seed

Play = Callable[[Sequence[Meeting], str], list[np.ndarray]]
"""Plays meetings, told what for: the first deck's share of each deal."""

_KEPT = 0.25
"""Share of a generation that becomes the parents of the next one."""


@dataclass(frozen=True)
class _Scored:
    deck: Cards
    share: float


def begin(config: MetagameConfig, pool: Pool, play: Play) -> None:
    """Put the config's decks into the empty pool, everyone having met everyone."""
    for deck in config.first_decks:
        _admit(config, pool, deck.name, sorted_cards(deck), play)


def finished(config: MetagameConfig, pool: Pool) -> bool:
    """Whether the rounds are used up, or `patience` of them in a row found nothing."""
    found = [bool(told["name"]) for told in pool.rounds]
    return len(found) >= config.rounds or (len(found) >= config.patience and not any(found[-config.patience :]))


def play_round(config: MetagameConfig, pool: Pool, play: Play) -> None:
    """Search for a deck that beats the pool's mixture; add it and note how it went."""
    number, mixture = len(pool.rounds), pool.mixture()
    best, tried = _search(config, pool, mixture, play)
    opponents = _opponents(pool, mixture, config.confirm_deals)
    values = np.concatenate(play(_meetings(best, opponents, f"confirm {number}"), f"round {number + 1}: confirming"))
    proof = interval_of_share(values)
    accepted = proof.low > 0.5 and best not in pool.decks
    name = f"found_{number + 1:02d}" if accepted else ""
    pool.rounds.append(_told(pool, mixture, name, proof, tried))
    if accepted:
        _admit(config, pool, name, best, play)


def _told(pool: Pool, mixture: np.ndarray, name: str, proof: Estimate, tried: int) -> dict[str, object]:
    weights = {deck: float(weight) for deck, weight in zip(pool.names, mixture, strict=True) if weight > 0}
    return {
        "name": name,
        "share": proof.value,
        "low": proof.low,
        "high": proof.high,
        "deals": proof.deals,
        "tried": tried,
        "mixture": weights,
    }


def _admit(config: MetagameConfig, pool: Pool, name: str, deck: Cards, play: Play) -> None:
    meetings = [Meeting(deck, other, "pool", range(config.pool_deals)) for other in pool.decks]
    pool.add(name, deck, np.array([shares.mean() for shares in play(meetings, f"{name} against the pool")]))


def _search(config: MetagameConfig, pool: Pool, mixture: np.ndarray, play: Play) -> tuple[Cards, int]:
    """The best deck found against the mixture, and how many were tried.

    Every generation plays its own deals, all its decks the same ones, and the parents play on: what was lucky in one
    generation has to be good again in the next.
    """
    settings, number = config.search, len(pool.rounds)
    rng = np.random.default_rng(derived_seed(config.seed, "breeding", number))
    breeder = Breeder(config.load_game(), settings.changes, rng)
    opponents = _opponents(pool, mixture, settings.deals)
    parents = [deck for deck, weight in zip(pool.decks, mixture, strict=True) if weight > 0]
    totals: dict[Cards, list[float]] = {}
    tried: set[Cards] = set()
    for generation in range(settings.generations):
        decks = list(dict.fromkeys([*parents, *(breeder.child(parents) for _ in range(settings.population))]))
        what = f"round {number + 1}: generation {generation + 1} of {settings.generations}"
        for scored in _scores(decks, opponents, f"search {number} {generation}", play, what):
            totals.setdefault(scored.deck, []).append(scored.share)
        tried.update(decks)
        alive = sorted(decks, key=lambda deck: (-_shrunk(totals[deck]), deck))
        parents = alive[: max(2, int(_KEPT * len(alive)))]
    return parents[0], len(tried)


def _shrunk(shares: list[float]) -> float:
    """A mean over generations that counts one more, even one: a newcomer's luck counts less than a proven deck."""
    return (sum(shares) + 0.5) / (len(shares) + 1)


def _scores(
    decks: Sequence[Cards], opponents: list[tuple[Cards, range]], purpose: str, play: Play, what: str
) -> Iterable[_Scored]:
    meetings = [meeting for deck in decks for meeting in _meetings(deck, opponents, purpose)]
    played, each = play(meetings, what), len(opponents)
    for i, deck in enumerate(decks):
        yield _Scored(deck, float(np.concatenate(played[i * each : (i + 1) * each]).mean()))


def _meetings(deck: Cards, opponents: list[tuple[Cards, range]], purpose: str) -> list[Meeting]:
    return [Meeting(deck, other, purpose, deals) for other, deals in opponents]


def _opponents(pool: Pool, mixture: np.ndarray, deals: int) -> list[tuple[Cards, range]]:
    """The mixture's decks with their share of the deals, rounded by largest remainders."""
    exact = mixture * deals
    counts = np.floor(exact).astype(int)
    for i in np.argsort(-(exact - counts), kind="stable")[: deals - counts.sum()]:
        counts[i] += 1
    ends = np.cumsum(counts)
    return [
        (deck, range(int(end - count), int(end)))
        for deck, count, end in zip(pool.decks, counts, ends, strict=True)
        if count
    ]
