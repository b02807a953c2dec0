"""The games of a run as the work that is timed: planned, played, and made into the bytes of a part file."""

from dataclasses import replace
from pathlib import Path

from duelbench.envs.game import Game
from duelbench.experiments import plan
from duelbench.experiments.bench.timing import Chunk
from duelbench.experiments.compiled_match import play_chunk, replay_chunk
from duelbench.experiments.config import make_config
from duelbench.experiments.players import Players
from duelbench.experiments.rows import part_bytes

_DEALS = {"random": 2000, "heuristic": 50}


def rows_chunk(game: Game, kind: str) -> Chunk:
    """A part of games between two agents of one type."""
    players, part = _part(game, kind)

    def chunk() -> int:
        part_bytes(play_chunk(players, part))
        return part.games

    return chunk


def replayed_chunk(game: Game) -> Chunk:
    """The rows of such a part, of random agents, made again from their actions, as `duelbench verify` does."""
    players, part = _part(game, "random")
    actions = play_chunk(players, part)["actions"].combine_chunks()

    def chunk() -> int:
        replay_chunk(players, part, actions)
        return part.games

    return chunk


def _part(game: Game, kind: str) -> tuple[Players, plan.Chunk]:
    agents = {"one": {"type": kind}, "two": {"type": kind}}
    config = make_config({"name": "bench", "game": game.name, "agents": agents, "deals": _DEALS[kind]})
    return Players(Path(), config), replace(plan.chunks(config)[0], deals=range(_DEALS[kind]))
