"""All games of a part: in compiled code where both agents offer that, one by one in Python where not.

Both ways make the same rows to the last bit. An agent with memory, from elsewhere or that sees everything offers
nothing compiled (`agents.compiled`), and plays as `match.play_game` asks it.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from duelbench.agents.compiled import compiled_player
from duelbench.envs.records import blank
from duelbench.envs.rng import STREAM
from duelbench.experiments.bulk_plan import PlannedGames
from duelbench.experiments.compiled_games import GAME, REFUSED, UNFINISHED, play_games, replay_games
from duelbench.experiments.plan import Chunk, games_of, is_mirror, matchup_name, planned_game
from duelbench.experiments.players import Players
from duelbench.experiments.rows import SCHEMA, table_of_rows
from duelbench.experiments.seeds import Names

Listener = Callable[[int, int], None]
"""Told how many games of how many are done."""

GAMES_A_CALL = 256
ACTIONS_A_CALL = 16384
"""The room for actions to begin with; it grows where a game needs more."""


def play_chunk(
    players: Players, chunk: Chunk, report: Listener = lambda done, total: None, room: int = ACTIONS_A_CALL
) -> pa.Table:
    """The rows of the chunk's games, in the columns of `rows.SCHEMA`. Raises what `play_game` raises.

    `room` is how many actions the first buffer holds; it changes nothing about the rows.
    """
    pair = _compiled_pair(players, chunk.pair, chunk.variant)
    if pair is None:
        return _played_in_python(players, chunk, report)
    planned = PlannedGames(players.config, chunk)
    games = _games_to_play(planned)
    if pair.turned:
        games["first_seat"] = 1 - games["first_seat"]
    actions = _played(players, planned, games, pair, report, room)
    return _rows(players, planned, games, actions)


def compile_matchup(players: Players, names: Names) -> None:
    """Compile what a part of the matchup needs, if it is played compiled, so that the workers find it done."""
    pair = _compiled_pair(players, names, players.first_variant)
    if pair is not None:
        tables, no_games = blank(1, players.game.table_dtype), blank(0, GAME)
        _call(players, tables, no_games, pair, np.zeros(1, np.int16))


def replay_chunk(players: Players, chunk: Chunk, actions: pa.ListArray) -> pa.Table | None:
    """The rows that the chunk's games have if they went as `actions` tells; None if one is no whole legal game."""
    planned = PlannedGames(players.config, chunk)
    games = _games_to_play(planned)
    offsets, flat = np.asarray(actions.offsets, np.int64), np.asarray(actions.values, np.int16)
    tables, states, mask = _tables(players, planned), players.game.new_states(2), _mask(players)
    if replay_games(tables, states, games, offsets, flat, mask) < len(games):
        return None
    return _rows(players, planned, games, flat[offsets[0] : offsets[-1]])


class _Pair(NamedTuple):
    """Two compiled players, in the order of their kinds, so that one order is compiled of every two kinds."""

    first: Any
    second: Any
    turned: bool
    """Whether that is not the order of the matchup."""


def _compiled_pair(players: Players, names: Names, variant: str) -> _Pair | None:
    """None where one of the two plays in Python, as whoever is kept from playing a card does."""
    first, second = map(compiled_player, players.pair(names, variant))
    restricted = players.config.variants[variant].never
    if first is None or second is None or restricted:
        return None
    turned = type(first).__name__ > type(second).__name__
    return _Pair(second, first, True) if turned else _Pair(first, second, False)


def _played_in_python(players: Players, chunk: Chunk, report: Listener) -> pa.Table:
    rows = []
    for planned in games_of(players.config, chunk):
        rows.append(players.play(planned))
        report(len(rows), chunk.games)
    return table_of_rows(rows)


def _games_to_play(planned: PlannedGames) -> np.ndarray:
    """GAME[games]; each knows the place of its table among those of `planned.deck_choices`."""
    games = blank(planned.chunk.games, GAME)
    games["deal_seed"], games["table"] = planned.deal_seeds, planned.decks
    games["agent_seeds"], games["world_seeds"] = planned.agent_seeds, planned.world_seeds
    games["first_seat"] = 0 if is_mirror(planned.chunk.pair) else planned.swapped
    games["decisions"] = UNFINISHED
    return games


def _tables(players: Players, planned: PlannedGames) -> np.ndarray:
    """By the place in `planned.deck_choices`; blank where no game of the chunk has these decks."""
    tables = blank(len(planned.deck_choices), players.game.table_dtype)
    for place in np.unique(planned.decks):
        tables[place] = players.table_of(planned.deck_choices[place], planned.chunk.variant)
    return tables


def _mask(players: Players) -> np.ndarray:
    return np.zeros(players.game.num_actions, np.int8)


def _played(
    players: Players, planned: PlannedGames, games: np.ndarray, pair: _Pair, report: Listener, room: int
) -> np.ndarray:
    """Play all `games` and note their ends in them; returns their actions one after the other, int16."""
    tables, actions = _tables(players, planned), np.zeros(max(room, 1), np.int16)
    kept, done = [], 0
    while done < len(games):
        some = games[done : done + GAMES_A_CALL]
        ended = _call(players, tables, some, pair, actions)
        kept.append(actions[: some["decisions"][:ended].sum()].copy())
        done += ended
        if ended < len(some) and some[ended]["decisions"] == REFUSED:
            _raise_refusal(players, planned.numbers[done])
        if ended == 0:
            actions = np.zeros(2 * len(actions), np.int16)
        report(done, len(games))
    return np.concatenate(kept)


def _call(players: Players, tables: np.ndarray, games: np.ndarray, pair: _Pair, actions: np.ndarray) -> int:
    """As `play_games`."""
    states, mask = players.game.new_states(2), _mask(players)
    streams = (blank(2, STREAM), blank(2, STREAM))
    return int(play_games(tables, states, games, pair.first, pair.second, *streams, mask, actions))


def _raise_refusal(players: Players, number: int) -> None:
    """Let the agents play the game in Python, which says what is wrong with their answer."""
    players.play(planned_game(players.config, number))
    raise RuntimeError(f"game {number}: an agent's compiled play is illegal, and its play in Python is not")


def _rows(players: Players, planned: PlannedGames, games: np.ndarray, actions: np.ndarray) -> pa.Table:
    ends = np.concatenate([[0], np.cumsum(games["decisions"])])
    columns = {
        **dict(_planned_columns(planned)),
        "winner": games["winner"],
        "reason": _texts(players.game.reasons, games["reason"]),
        "decisions": games["decisions"].astype(np.int32),
        "actions": pa.ListArray.from_arrays(ends.astype(np.int32), actions),
    }
    return pa.table([columns[name] for name in SCHEMA.names], schema=SCHEMA)


def _planned_columns(planned: PlannedGames) -> Iterator[tuple[str, Any]]:
    """What a row says of a game before it is played."""
    chunk, first_seats = planned.chunk, planned.swapped
    yield "game", np.arange(planned.numbers.start, planned.numbers.stop)
    yield "matchup", _texts([matchup_name(chunk.pair)], 0 * first_seats)
    yield "deal", planned.deals.astype(np.int32)
    yield "deal_seed", planned.deal_seeds
    for seat in range(2):
        yield f"seat{seat}", _texts(chunk.pair, (first_seats + seat) % 2)
        yield f"deck{seat}", _texts([decks[seat] for decks in planned.deck_choices], planned.decks)
    yield "variant", _texts([chunk.variant], 0 * first_seats)


def _texts(known: Any, which: np.ndarray) -> pa.Array:
    return pa.array(known, pa.string()).take(pa.array(which))
