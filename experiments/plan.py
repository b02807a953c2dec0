"""Which games a run consists of, how they are numbered, and in which parts they are stored.

A run is a list of arms: deals of one matchup, played in one variant of the game. Games are numbered arm by arm, deal
by deal, with the two seatings of a deal side by side. All of this follows from the config alone, so the parts are the
same whoever plays them.

The deals of a matchup go through the pairs of the run's named decks, one after the other and from the beginning again.
Between two agents these are all ordered pairs, equal decks too; the decks stay on their seats while the agents swap
them. In a matchup of an agent with itself they are all pairs of different decks, and the decks swap the seats. Where
there are no decks, an agent plays each deal against itself once: nothing could be swapped.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from duelbench.experiments.config import Pair, RunConfig
from duelbench.experiments.costs import deals_a_part
from duelbench.experiments.seeds import GameSeeds, game_seeds


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
    variant: str = ""
    """Name of the variant of the game; empty for the game as the config has it."""


@dataclass(frozen=True)
class Arm:
    """Deals of one matchup in one variant."""

    pair: Pair
    variant: str
    deals: Sequence[int]
    """Numbers of the deals within the matchup, ascending; a deal has the same number and seeds in every variant."""
    games_a_deal: int

    @property
    def games(self) -> int:
        return self.games_a_deal * len(self.deals)


@dataclass(frozen=True)
class Chunk:
    """The games that one part file holds: some deals of one arm."""

    part: int
    arm: int
    pair: Pair
    variant: str
    deals: range
    """Their places among the deals of the arm."""
    games_a_deal: int

    @property
    def games(self) -> int:
        return self.games_a_deal * len(self.deals)

    @property
    def label(self) -> str:
        name = matchup_name(self.pair)
        return f"{name} ({self.variant})" if self.variant else name


def matchup_name(pair: Pair) -> str:
    return f"{pair[0]} vs {pair[1]}"


def arms(config: RunConfig) -> tuple[Arm, ...]:
    """All arms of a run, in the order in which their games are numbered."""
    return _plan(config).arms


def total_games(config: RunConfig) -> int:
    return _plan(config).starts[-1]


def chunks(config: RunConfig) -> list[Chunk]:
    """All parts of a run, in the order of their numbers."""
    found: list[Chunk] = []
    for number, arm in enumerate(arms(config)):
        first, second = (config.specs[name] for name in arm.pair)
        size, count = _deals_a_part(config, deals_a_part(config.game, (first, second))), len(arm.deals)
        for start in range(0, count, size):
            places = range(start, min(start + size, count))
            found.append(Chunk(len(found), number, arm.pair, arm.variant, places, arm.games_a_deal))
    return found


def _deals_a_part(config: RunConfig, cheap: int) -> int:
    """At most `cheap`; where a rule looks at the results now and then, its looks fall on the ends of parts."""
    if config.stop is None:
        return cheap
    every = config.stop.look_every
    return next(size for size in range(min(cheap, every), 0, -1) if every % size == 0)


def first_game(config: RunConfig, chunk: Chunk) -> int:
    """The number of the first game of the chunk; the others follow it."""
    return _plan(config).starts[chunk.arm] + chunk.games_a_deal * chunk.deals.start


def part_of(config: RunConfig, number: int) -> int | None:
    """The part that holds the game of that number; None where there is no such game."""
    for chunk in chunks(config):
        if 0 <= number - first_game(config, chunk) < chunk.games:
            return chunk.part
    return None


def games_of(config: RunConfig, chunk: Chunk) -> Iterator[PlannedGame]:
    first = first_game(config, chunk)
    for number in range(first, first + chunk.games):
        yield planned_game(config, number)


def planned_game(config: RunConfig, number: int) -> PlannedGame:
    """The game of that number; IndexError unless it is in [0, total_games)."""
    plan = _plan(config)
    if not 0 <= number < plan.starts[-1]:
        raise IndexError(number)
    at = bisect_right(plan.starts, number) - 1
    arm = plan.arms[at]
    place, swapped = divmod(number - plan.starts[at], arm.games_a_deal)
    deal, pair = arm.deals[place], arm.pair
    seats = (pair[1], pair[0]) if swapped else pair
    decks = decks_of(config, pair, deal, bool(swapped))
    round_ = deal // len(deck_pairs(tuple(config.named_decks), is_mirror(pair))) if config.named_decks else deal
    seeds = game_seeds(config.seed, seats, round_, decks if config.named_decks else None)
    return PlannedGame(number, matchup_name(pair), deal, seats, decks, seeds, arm.variant)


def decks_of(config: RunConfig, pair: Pair, deal: int, swapped: bool = False) -> tuple[str, str]:
    """The names of the decks on seats 0 and 1 in a deal of a matchup; `swapped`: in the second game of the deal."""
    if not config.named_decks:
        return config.unnamed_deck, config.unnamed_deck
    pairs = deck_pairs(tuple(config.named_decks), mirror=is_mirror(pair))
    decks = pairs[deal % len(pairs)]
    return (decks[1], decks[0]) if swapped and is_mirror(pair) else decks


def is_mirror(pair: Pair) -> bool:
    """Whether the matchup is of an agent with itself, and so compares decks or cards."""
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


@dataclass(frozen=True)
class _Plan:
    arms: tuple[Arm, ...]
    starts: tuple[int, ...]
    """The number of the first game of each arm, and behind them the number of all games."""


def _plan(config: RunConfig) -> _Plan:
    """Made once for each config object."""
    found = config.kept.get("plan")
    if not isinstance(found, _Plan):
        listed = tuple(_arms(config))
        found = config.kept["plan"] = _Plan(listed, (0, *accumulate(arm.games for arm in listed)))
    return found


def _arms(config: RunConfig) -> Iterator[Arm]:
    if config.asked is not None:
        from duelbench.experiments.balance_plan import balance_arms  # it plans by what this file says

        yield from balance_arms(config)
        return
    for pair in config.pairs:
        for name in config.variants:
            yield Arm(pair, name, range(config.deals_of(pair)), games_a_deal(config, pair))


def games_a_deal(config: RunConfig, pair: Pair) -> int:
    """2, as what is compared swaps the seats; 1 where an agent meets itself and there are no decks to swap."""
    return 1 if is_mirror(pair) and not config.named_decks else 2
