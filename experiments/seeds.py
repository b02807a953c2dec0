"""Every seed of a run, derived from the experiment's one number.

A seed is NumPy's `SeedSequence` of the experiment's seed, keyed by what the seed is for:

    deal             (matchup, deal)                  shuffles the decks; the same for both games of a deal
    agent            (matchup, deal, agent, seat)     the private stream of an agent in one game
    determinization  (matchup, deal, agent, seat)     draws the worlds in which an agent is asked
    training         (name of the training)

Where decks have names, the deal's place in a key is taken by those of the decks on seats 0 and 1 and the number of the
deal among those of the matchup with these decks. A deal of an agent against itself has the names of its two decks in
alphabetical order instead, as it is one deal whichever deck lies where.

A matchup enters as the hash of its two names in alphabetical order. So a game depends on nothing but the
experiment's seed and these names: agents and decks may be added, left out or listed in another order, games may be
played in any order or by any number of processes, and every game stays what it was. An agent that draws more
random numbers than another never shifts the deck, because their streams have nothing in common.
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

Names = tuple[str, str]
"""Of two agents or decks, on seats 0 and 1."""


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
        words += words_of(part) if isinstance(part, str) else [part]
    return int(np.random.SeedSequence(experiment, spawn_key=tuple(words)).generate_state(1, np.uint64)[0])


def matchup_key(first: str, second: str) -> str:
    """The same for both orders of two agents; names cannot contain the line break between them."""
    return "\n".join(sorted((first, second)))


def game_seeds(experiment: int, seats: Names, deal: int, decks: Names | None = None) -> GameSeeds:
    """The seeds of the game in which the agents called `seats` sit on seats 0 and 1, with `decks` if these have names.

    `deal` numbers the deals of the matchup, or those with these decks.
    """
    matchup = matchup_key(*seats)

    def of_seat(role: str) -> tuple[int, int]:
        keys = ((role, matchup, *(decks or ()), deal, seats[seat], seat) for seat in range(2))
        first, second = (derived_seed(experiment, *key) for key in keys)
        return first, second

    return GameSeeds(deal_seed(experiment, seats, deal, decks), of_seat("agent"), of_seat("determinization"))


def deal_seed(experiment: int, pair: Names, deal: int, decks: Names | None = None) -> int:
    """The seed of the cards; whoever sits where, and for an agent against itself whichever deck lies where."""
    known = tuple(sorted(decks)) if decks and pair[0] == pair[1] else decks or ()
    return derived_seed(experiment, "deal", matchup_key(*pair), *known, deal)


def training_seed(experiment: int, name: str) -> int:
    return derived_seed(experiment, "training", name)


@lru_cache(maxsize=1024)
def words_of(text: str) -> list[int]:
    """128 bits of a hash that, unlike Python's own, is the same in every process."""
    return [int(word) for word in np.frombuffer(hashlib.sha256(text.encode()).digest()[:16], "<u4")]
