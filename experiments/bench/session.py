"""One sitting of measurements: each measure in turn, all games and the peer of a measure interleaved."""

from collections.abc import Callable, Sequence

from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.jit import INTERPRETED
from duelbench.experiments.bench import starts
from duelbench.experiments.bench.measures import Measure
from duelbench.experiments.bench.ours import CHUNKS
from duelbench.experiments.bench.rows import Row, row, rows_beside
from duelbench.experiments.bench.timing import one_core, rates_in_turn

Listener = Callable[[str], None]
"""Told, before each piece of work, what is about to be measured."""

_STARTS = {"cold_start": starts.cold_starts, "warm_start": starts.warm_starts}


def measure(
    games: Sequence[Game], measures: Sequence[Measure], runs: int, seconds: float, peers: bool, listener: Listener
) -> list[Row]:
    """Rows for every game and measure, on one core; each of `runs` rounds times every candidate for `seconds`.

    Raises BadInput when the peers are not installed, or when the rules do not run compiled.
    """
    if INTERPRETED:
        raise BadInput(
            "bench: NUMBA_DISABLE_JIT is set, so nothing is compiled and every figure would mislead; unset it"
        )
    if peers:
        from duelbench.experiments.bench.peers import require_peers

        require_peers()
    with one_core():
        return [line for m in measures for line in _measured(games, m, runs, seconds, peers, listener)]


def _measured(
    games: Sequence[Game], measure: Measure, runs: int, seconds: float, peers: bool, listener: Listener
) -> list[Row]:
    def on_run(what: str) -> None:
        listener(f"{measure.name}: {what}")

    if measure.name == "state_bytes":
        return [row(game.name, measure, [game.state_dtype.itemsize]) for game in games]
    if measure.name in _STARTS:
        commands = {game.name: starts.first_game_command(game.name) for game in games}
        return [row(name, measure, _STARTS[measure.name](commands[name], runs, on_run)) for name in commands]
    return _rates(games, measure, runs, seconds, peers, on_run)


def _rates(
    games: Sequence[Game], measure: Measure, runs: int, seconds: float, peers: bool, on_run: Listener
) -> list[Row]:
    on_run("warming up")
    chunks = {game.name: CHUNKS[measure.name](game) for game in games}
    peer = None
    if peers:
        from duelbench.experiments.bench.peers import PEERS

        peer = PEERS.get(measure.name)
    if peer is not None:
        chunks[peer.name] = peer.make_chunk()
    rates = rates_in_turn(chunks, runs, seconds, on_run)
    name = peer.name if peer else None
    return rows_beside(measure, {game.name: rates[game.name] for game in games}, name, rates.get(name or "", ()))
