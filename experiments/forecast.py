"""What a run would play and about how long it would take, without making its folder.

A few games of every matchup are played and timed; where an agent still has to be trained, the estimate of
`experiments.costs` stands in.
"""

import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from duelbench.experiments.compiled_match import play_chunk
from duelbench.experiments.config import Pair, RunConfig
from duelbench.experiments.costs import game_cost
from duelbench.experiments.plan import Chunk, arms, chunks, matchup_name
from duelbench.experiments.players import Players, keep_given_checkpoints

_SAMPLE_UNITS = 500.0
"""What the games that are timed cost about, for one matchup: half a second."""
_MOST_DEALS = 200


@dataclass(frozen=True)
class Forecast:
    """What one matchup comes to, all its variants taken together."""

    matchup: str
    variants: int
    games: int
    seconds: float
    """of one core, compiling left out"""
    measured: bool
    """whether games were timed, or the costs estimated"""


def forecast(config: RunConfig) -> Iterator[Forecast]:
    """Matchup by matchup; BadInput where an agent cannot be made or does not answer."""
    games, variants = Counter[Pair](), Counter[Pair]()
    for arm in arms(config):
        games[arm.pair] += arm.games
        variants[arm.pair] += 1
    first = {chunk.pair: chunk for chunk in reversed(chunks(config))}
    with tempfile.TemporaryDirectory() as folder:
        players = Players(Path(folder), config)
        (Path(folder) / "checkpoints" / "given").mkdir(parents=True)
        keep_given_checkpoints(players)
        for pair in games:
            measured = not any(config.specs[name].train for name in pair)
            each = _seconds_a_game(players, first[pair]) if measured else _units(config, pair) / 1000
            yield Forecast(matchup_name(pair), variants[pair], games[pair], each * games[pair], measured)


def _seconds_a_game(players: Players, chunk: Chunk) -> float:
    deals = int(_SAMPLE_UNITS / (chunk.games_a_deal * _units(players.config, chunk.pair)))
    sample = replace(chunk, deals=chunk.deals[: max(1, min(deals, _MOST_DEALS))])
    play_chunk(players, replace(chunk, deals=chunk.deals[:1]))  # compiles
    began = time.perf_counter()
    play_chunk(players, sample)
    return (time.perf_counter() - began) / sample.games


def _units(config: RunConfig, pair: Pair) -> float:
    return game_cost(config.game, (config.specs[pair[0]], config.specs[pair[1]]))
