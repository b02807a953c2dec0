"""Which games a run consists of, how they are numbered, and in which parts they are stored.

Games are numbered matchup by matchup, deal by deal, with the two seatings of a deal side by side; matchups may have
different numbers of deals. All of this follows from the config alone, so the parts are the same whoever plays them.

The deals of a matchup go through the pairs of the run's named decks, one after the other and from the beginning again.
Between two agents these are all ordered pairs, equal decks too; the decks stay on their seats while the agents swap
them. In a matchup of an agent with itself they are all pairs of different decks, and the decks swap the seats.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from duelbench.experiments.config import Pair, RunConfig
from duelbench.experiments.seeds import GameSeeds, game_seeds

_DEALS_A_PART = 250
_DEALS_A_SLOW_PART = 16
_FAST_TYPES = ("random", "heuristic", "ppo")


@dataclass(frozen=True)
class PlannedGame:
    """One game of a run, before it is played."""

    number: int
    matchup: str
    deal: int
    seats: tuple[str, str]
    """Names of the agents on seats 0 and 1."""
    decks: tuple[str, str]
    """Names of their decks, or twice what stands for decks without a name."""
    seeds: GameSeeds


@dataclass(frozen=True)
class Chunk:
    """The games that one part file holds: some deals of one matchup."""

    part: int
    matchup: int
    pair: Pair
    deals: range

    @property
    def games(self) -> int:
        return 2 * len(self.deals)

    @property
    def label(self) -> str:
        return matchup_name(self.pair)


def matchup_name(pair: Pair) -> str:
    return f"{pair[0]} vs {pair[1]}"


def total_games(config: RunConfig) -> int:
    return 2 * sum(map(config.deals_of, config.pairs))


def first_games(config: RunConfig) -> list[int]:
    """The number of the first game of each matchup, and behind them the number of all games."""
    return [0, *accumulate(2 * config.deals_of(pair) for pair in config.pairs)]


def chunks(config: RunConfig) -> list[Chunk]:
    """All parts of a run, in the order of their numbers."""
    found: list[Chunk] = []
    for matchup, pair in enumerate(config.pairs):
        size, count = _deals_a_part(config, pair), config.deals_of(pair)
        for first in range(0, count, size):
            deals = range(first, min(first + size, count))
            found.append(Chunk(len(found), matchup, pair, deals))
    return found


def _deals_a_part(config: RunConfig, pair: Pair) -> int:
    """Small parts where games are slow: a part is what an interruption can cost."""
    fast = all(config.specs[name].type in _FAST_TYPES for name in pair)
    return _DEALS_A_PART if fast else _DEALS_A_SLOW_PART


def games_of(config: RunConfig, chunk: Chunk) -> Iterator[PlannedGame]:
    first = first_games(config)[chunk.matchup]
    for number in range(first + 2 * chunk.deals.start, first + 2 * chunk.deals.stop):
        yield planned_game(config, number)


def planned_game(config: RunConfig, number: int) -> PlannedGame:
    """The game of that number; IndexError unless it is in [0, total_games)."""
    starts = first_games(config)
    if not 0 <= number < starts[-1]:
        raise IndexError(number)
    matchup = bisect_right(starts, number) - 1
    deal, swapped = divmod(number - starts[matchup], 2)
    pair = config.pairs[matchup]
    seats = (pair[1], pair[0]) if swapped else pair
    label = matchup_name(pair)
    if not config.named_decks:
        decks = (config.unnamed_deck, config.unnamed_deck)
        return PlannedGame(number, label, deal, seats, decks, game_seeds(config.seed, seats, deal))
    pairs = deck_pairs(tuple(config.named_decks), mirror=is_mirror(pair))
    round_, at = divmod(deal, len(pairs))
    decks = pairs[at][::-1] if swapped and is_mirror(pair) else pairs[at]
    return PlannedGame(number, label, deal, seats, decks, game_seeds(config.seed, seats, round_, decks))


def is_mirror(pair: Pair) -> bool:
    """Whether the matchup is of an agent with itself, and so compares decks."""
    return pair[0] == pair[1]


@lru_cache(maxsize=16)
def deck_pairs(names: tuple[str, ...], mirror: bool) -> list[tuple[str, str]]:
    """The pairs of decks, that of seat 0 first, which the deals of a matchup go through.

    They go round: of every so many pairs as there are decks, each deck has one on either seat, so that a few deals are
    spread over all decks. Pairs of equal decks come last; a mirror matchup has none, and every other pair once.
    """
    count = len(names)
    rounds = [(step, count) for step in (*range(1, count), 0)]
    if mirror:
        rounds = [(step, count // 2 if 2 * step == count else count) for step in range(1, count // 2 + 1)]
    return [(names[i], names[(i + step) % count]) for step, length in rounds for i in range(length)]
