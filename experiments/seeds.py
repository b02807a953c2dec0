"""Every seed of a run, derived from the experiment's one number.

A seed is NumPy's `SeedSequence` of the experiment's seed, keyed by what the seed is for:

    deal             (matchup, deal)                  shuffles the decks; the same for both games of a deal
    agent            (matchup, deal, agent, seat)     the private stream of an agent in one game
    determinization  (matchup, deal, agent, seat)     draws the worlds in which an agent is asked
    training         (name of the training)

A matchup enters as the hash of its two names in alphabetical order. So a game depends on nothing but the
experiment's seed and the two names: agents may be added, left out or listed in another order, games may be
played in any order or by any number of processes, and every game stays what it was. An agent that draws more
random numbers than another never shifts the deck, because their streams have nothing in common.
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np


@dataclass(frozen=True)
class GameSeeds:
    """The seeds of one game (integers in [0, 2**64)); pairs are by seat."""

    deal: int
    agents: tuple[int, int]
    determinizations: tuple[int, int]


def derived_seed(experiment: int, *key: str | int) -> int:
    """An integer in [0, 2**64) that depends on the experiment's seed and the whole key; numbers below 2**32."""
    words: list[int] = []
    for part in key:
        words += _words(part) if isinstance(part, str) else [part]
    return int(np.random.SeedSequence(experiment, spawn_key=tuple(words)).generate_state(1, np.uint64)[0])


def matchup_key(first: str, second: str) -> str:
    """The same for both orders of two agents; names cannot contain the line break between them."""
    return "\n".join(sorted((first, second)))


def game_seeds(experiment: int, seats: tuple[str, str], deal: int) -> GameSeeds:
    """The seeds of the game on `deal` in which the agents called `seats` sit on seats 0 and 1."""
    matchup = matchup_key(*seats)

    def of_seat(role: str) -> tuple[int, int]:
        first, second = (derived_seed(experiment, role, matchup, deal, seats[seat], seat) for seat in range(2))
        return first, second

    return GameSeeds(deal_seed(experiment, seats, deal), of_seat("agent"), of_seat("determinization"))


def deal_seed(experiment: int, pair: tuple[str, str], deal: int) -> int:
    """The seed of the cards; whoever sits where."""
    return derived_seed(experiment, "deal", matchup_key(*pair), deal)


def training_seed(experiment: int, name: str) -> int:
    return derived_seed(experiment, "training", name)


@lru_cache(maxsize=1024)
def _words(text: str) -> list[int]:
    """128 bits of a hash that, unlike Python's own, is the same in every process."""
    return [int(word) for word in np.frombuffer(hashlib.sha256(text.encode()).digest()[:16], "<u4")]
