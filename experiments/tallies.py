"""How the games of a run ended so far, counted deal by deal: small however many games there are."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from duelbench.envs.errors import BadInput
from duelbench.experiments.estimates import Estimate, interval_of_moments
from duelbench.experiments.plan import Chunk, is_mirror, matchup_name
from duelbench.experiments.rows import part_path


class DealOutcome(NamedTuple):
    """One way in which a deal can end, from the point of view of `first`."""

    matchup: str
    variant: str
    first: str
    second: str
    """The names of the agents, or of their decks where an agent meets itself."""
    decks: bool
    games: int
    """games of a deal"""
    wins: int
    draws: int

    @property
    def losses(self) -> int:
        return self.games - self.wins - self.draws

    @property
    def score(self) -> float:
        """Points of `first` a game, in [0, 1]."""
        return (self.wins + self.draws / 2) / self.games


Tally = Counter[DealOutcome]
"""How many deals ended in which way."""


@dataclass(frozen=True)
class Standing:
    """What an agent, or a deck, has scored so far over all its deals."""

    name: str
    deck: bool
    share: Estimate
    """of the points"""
    games: int
    wins: int
    draws: int
    losses: int


def stored_tally(folder: Path, chunk: Chunk) -> Tally:
    """How the games in the part file of `chunk` ended; reads two or three columns of it.

    Raises BadInput when the file cannot be read or does not hold as many games as the chunk has.
    """
    path, mirror = part_path(folder, chunk.part), is_mirror(chunk.pair)
    swapped = chunk.games_a_deal == 2
    with _readable(path):
        table = pq.ParquetFile(path).read(["winner", *(["deck0", "deck1"] if mirror else [])])
    _check_size(path, chunk, table.num_rows)
    winners = table["winner"].to_numpy().reshape(-1, chunk.games_a_deal)
    seats = np.arange(chunk.games_a_deal)  # that of `first` in each game of a deal
    wins, draws = (winners == seats).sum(axis=1), (winners == -1).sum(axis=1)
    if mirror and swapped:
        names = [table[column].to_pylist()[:: chunk.games_a_deal] for column in ("deck0", "deck1")]
        sides: Iterable[tuple[str, str]] = zip(*names, strict=True)
    else:
        sides = [chunk.pair] * len(winners)
    ends = Counter(zip(sides, wins.tolist(), draws.tolist(), strict=True))
    label = matchup_name(chunk.pair)
    return Counter(
        {
            DealOutcome(label, chunk.variant, *pair, mirror and swapped, chunk.games_a_deal, won, drawn): deals
            for (pair, won, drawn), deals in ends.items()
        }
    )


def check_sizes(folder: Path, chunks: Iterable[Chunk]) -> None:
    """BadInput unless the part files of these chunks hold as many games as the chunks have."""
    for chunk in chunks:
        path = part_path(folder, chunk.part)
        with _readable(path):
            games = pq.read_metadata(path).num_rows
        _check_size(path, chunk, games)


def _check_size(path: Path, chunk: Chunk, games: int) -> None:
    if games != chunk.games:
        raise BadInput(
            f"{path}: holds {games} games, expected {chunk.games}: the games of this run were divided into parts in "
            "another way, as by another version of this toolkit. Change the run's name, or delete the folder"
        )


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeError) as error:
        told = f"{path}: not a readable part file: {' '.join(str(error).split())}".rstrip(".")
        raise BadInput(f"{told}. Delete it; the run then plays its games again") from None


def standings(tally: Tally) -> list[Standing]:
    """The agents, and the decks where agents met themselves, each from the best share of the points on."""
    found: dict[tuple[bool, str], list[tuple[DealOutcome, int]]] = defaultdict(list)
    for outcome, deals in tally.items():
        if outcome.first != outcome.second:
            found[outcome.decks, outcome.first].append((outcome, deals))
            found[outcome.decks, outcome.second].append((_seen_by_second(outcome), deals))
    made = [_standing(deck, name, outcomes) for (deck, name), outcomes in found.items()]
    return sorted(made, key=lambda one: (one.deck, -one.share.value, one.name))


def _seen_by_second(outcome: DealOutcome) -> DealOutcome:
    return outcome._replace(first=outcome.second, second=outcome.first, wins=outcome.losses)


def _standing(deck: bool, name: str, outcomes: list[tuple[DealOutcome, int]]) -> Standing:
    deals = sum(count for _, count in outcomes)
    mean = sum(outcome.score * count for outcome, count in outcomes) / deals
    variance = sum((outcome.score - mean) ** 2 * count for outcome, count in outcomes) / max(1, deals - 1)
    if len({outcome.score for outcome, _ in outcomes}) == 1:
        mean, variance = outcomes[0][0].score, 0.0  # without what rounding would leave of it
    wins, draws, losses = (
        sum(getattr(outcome, what) * count for outcome, count in outcomes) for what in ("wins", "draws", "losses")
    )
    return Standing(name, deck, interval_of_moments(deals, mean, variance), wins + draws + losses, wins, draws, losses)
