"""The pool of decks of a search, what they scored against each other, and the file that remembers it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from duelbench.envs.errors import BadInput
from duelbench.experiments.atomic import write_json
from duelbench.experiments.equilibrium import equilibrium
from duelbench.experiments.folder import read_json
from duelbench.experiments.metagame_breeding import Cards


@dataclass
class Pool:
    """Decks in the order in which they came, and the mean share of points of each against each."""

    names: list[str] = field(default_factory=list)
    decks: list[Cards] = field(default_factory=list)
    shares: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    """float64[n, n]: of the row's deck against the column's; 1/2 on the diagonal."""
    rounds: list[dict[str, Any]] = field(default_factory=list)
    """What each round found: name of the deck or empty, its share against the mixture in fresh deals with interval,
    the decks tried, the deals played, and the mixture by name."""

    def __len__(self) -> int:
        return len(self.decks)

    def add(self, name: str, deck: Cards, against: np.ndarray) -> None:
        """`against` float64[n]: the newcomer's share against each deck of the pool."""
        grown = np.full((len(self) + 1,) * 2, 0.5)
        grown[:-1, :-1] = self.shares
        grown[-1, :-1], grown[:-1, -1] = against, 1 - against
        self.names.append(name)
        self.decks.append(deck)
        self.shares = grown

    def mixture(self) -> np.ndarray:
        """float64[n]: the mixture of the pool that no deck in it beats, by the shares so far."""
        return equilibrium(self.shares - 0.5)

    def save(self, path: Path) -> None:
        """Write the pool, whole or not at all."""
        write_json(
            path,
            {"names": self.names, "decks": self.decks, "shares": self.shares.tolist(), "rounds": self.rounds},
        )


def load_pool(path: Path) -> Pool:
    """The pool in the file; an empty one where there is none. BadInput when it is damaged."""
    if not path.exists():
        return Pool()
    data = read_json(path)
    try:
        decks = [tuple(map(int, deck)) for deck in data["decks"]]
        pool = Pool(list(data["names"]), decks, np.array(data["shares"], float), list(data["rounds"]))
        if pool.shares.shape != (len(decks), len(decks)) or len(pool.names) != len(decks):
            raise ValueError("names, decks and shares are not equally many")
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{path}: not the pool of a search: {error}; delete the file to begin anew") from None
    return pool
