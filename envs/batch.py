"""Many games at once: each call takes one action for every lane and answers in NumPy arrays.

A lane plays one game after the other. Its game k = 0, 1, 2, ... is dealt from `lane_seed(first, k)`, where `first`
is the seed given to `reset`: game 0 from `first` itself, game k >= 1 from the k-th number of a splitmix64 stream of
the lane's own. So what happens in a lane follows from its first seed and its actions alone, not from the other lanes
and not from the number of threads.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duelbench.envs.decks import DeckChoice
from duelbench.envs.dispatch import DRAWN, apply, deal, legal, observe
from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.playout import random_action
from duelbench.envs.records import blank, is_whole
from duelbench.envs.rng import new_stream, next_bits

LANE = np.dtype(
    [
        ("deal_seed", np.uint64),  # of the game on the table
        ("rng", np.uint64),  # the stream of the deals to come
        ("games_ended", np.int64),  # since reset
        ("to_act", np.int8),  # the seat to decide
        ("finished", np.int8),  # 1 when the last step ended a game; the fields below are about that game
        ("winner", np.int8),  # 0, 1, or DRAWN; DRAWN too when no game ended
        ("reason", np.int8),  # index into game.reasons; 0 when no game ended
        ("rewards", np.float32, (2,)),  # by seat: +1 and -1; zeros when it was drawn or no game ended
    ],
    align=True,
)
"""What is known about a lane beside the state of its game."""

_STREAM_OF_DEALS = 0x6C616E652D736565
"""Keeps the stream of the deals apart from the dice of game 0, which begin at the first seed itself."""


def lane_seed(first: int, k: int) -> int:
    """The deal seed of game `k` = 0, 1, ... of a lane that was reset with the seed `first`."""
    if k == 0:
        return int(first)
    before = (int(first) ^ _STREAM_OF_DEALS) + (k - 1) * 0x9E3779B97F4A7C15
    return int(next_bits(new_stream(before % 2**64)))


@rule
def _show(table, state, lane, mask, views, i, observing):
    lane.to_act = state.to_act
    legal(table, state, mask)
    if observing:
        observe(table, state, state.to_act, views[i])


@rule
def _note_result(state, lane):
    lane.finished = state.over
    lane.winner = state.winner  # DRAWN, as its reason is 0, while the game runs
    lane.reason = state.reason
    lane.rewards[:] = 0
    if lane.winner != DRAWN:
        lane.rewards[lane.winner] = 1
        lane.rewards[1 - lane.winner] = -1


@rule
def _deal(tables, states, lane, i):
    """Deal on a blank state, so that every byte of it follows from the seed and the actions."""
    states[i] = states[states.shape[0] - 1]
    deal(tables[0], states[i], lane.deal_seed)


@rule
def _next_game(tables, states, lane, i):
    lane.games_ended += 1
    lane.deal_seed = next_bits(lane)
    _deal(tables, states, lane, i)


@rule
def _reset_lanes(tables, states, lanes, masks, views, observing, chosen, seeds):
    for n in range(chosen.shape[0]):
        i = chosen[n]
        lane = lanes[i]
        lane.deal_seed = seeds[n]
        lane.rng = seeds[n] ^ np.uint64(_STREAM_OF_DEALS)
        lane.games_ended = 0
        _deal(tables, states, lane, i)
        _note_result(states[i], lane)
        _show(tables[0], states[i], lane, masks[i], views, i, observing)


@rule
def _step_lane(tables, states, lane, masks, views, observing, action, i):
    apply(tables[0], states[i], action)
    _note_result(states[i], lane)
    if states[i].over:
        _next_game(tables, states, lane, i)
    _show(tables[0], states[i], lane, masks[i], views, i, observing)


@rule
def _step_lanes(tables, states, lanes, masks, views, observing, actions, start, stop):
    """Everything a step does in the lanes start .. stop - 1; the other lanes are not touched."""
    for i in range(start, stop):
        _step_lane(tables, states, lanes[i], masks, views, observing, actions[i], i)


@rule
def _step_chosen(tables, states, lanes, masks, views, observing, chosen, actions):
    """The same in the lanes chosen[n], each with actions[n]."""
    for n in range(chosen.shape[0]):
        _step_lane(tables, states, lanes[chosen[n]], masks, views, observing, actions[n], chosen[n])


@rule
def _first_refused(masks, chosen, actions):
    """The first n whose actions[n] the mask of lane chosen[n] forbids, or -1."""
    for n in range(chosen.shape[0]):
        if actions[n] < 0 or actions[n] >= masks.shape[1] or masks[chosen[n], actions[n]] == 0:
            return n
    return -1


@rule
def random_actions(dice, masks, actions):
    """Fill `actions` (int64[lanes]) with uniformly random allowed ones, drawn from the stream `dice`."""
    for i in range(masks.shape[0]):
        actions[i] = random_action(dice, masks[i])


class Batch:
    """`count` lanes of one game under one table.

    The arrays below belong to the batch and are overwritten by the next `reset` or `step`: copy what is to last. After
    a step that ended a lane's game, `finished`, `winners`, `reasons` and `rewards` tell of that game, and all else
    is about the next one, which has been dealt already.

        observations  float32[count, view_size]   what the seat to act knows (no rows with observe=False)
        masks         int8[count, num_actions]    1 for what it may do; never all zero; read-only
        to_act        int8[count]                 the seat to act
        finished      int8[count]                 1 where the last step ended a game
        winners       int8[count]                 its winner: 0, 1, or -1 when drawn (and where none ended)
        reasons       int8[count]                 why it ended, as an index into game.reasons (0 where none ended)
        rewards       float32[count, 2]           by seat, +1 and -1, zeros when drawn (and where none ended)
        deal_seeds    uint64[count]               the seed of the game on the table
        games_ended   int64[count]                games since reset
        states        records[count]              the full states, hidden cards included, for tools
        table         record                      what the games are played under
        tables        records[1]                  the same, for compiled code
        views         records[count]              the observations as records of the game's `view_dtype`, likewise

    `table` is a table of the game, or its rule options (name -> value), or None for the default rules; with these
    two, `decks` says what seats play with (see `duelbench.envs.decks.deck_sources`), while a table has its decks. With
    `threads` > 1 the lanes are split over so many threads. With `trusted`, actions are not checked and a wrong
    one does anything. Raises BadInput for an unusable argument.
    """

    def __init__(
        self,
        game: Game,
        table: np.record | Mapping[str, Any] | None,
        count: int,
        threads: int = 1,
        observe: bool = True,
        trusted: bool = False,
        decks: DeckChoice = None,
    ) -> None:
        self.game = game
        self.count = _at_least_one("count", count)
        self.threads = min(_at_least_one("threads", threads), self.count)
        self.trusted = trusted
        self._observing = bool(observe)
        self._tables = blank(1, game.table_dtype)
        self._tables[0] = _table_of(game, table, decks)
        self._states = blank(self.count + 1, game.state_dtype)  # the last one stays blank
        self._lanes = blank(self.count, LANE)
        self._masks = np.zeros((self.count, game.num_actions), np.int8)
        self._views = blank(self.count if observe else 0, game.view_dtype)
        self._all_lanes = np.arange(self.count)
        self._pool: ThreadPoolExecutor | None = None
        self._dealt = False
        self._name_arrays()

    def _name_arrays(self) -> None:
        self.states = self._states[:-1].view(np.recarray)
        self.table = self._tables[0]
        self.tables = self._tables
        self.views = self._views
        self.observations = self._views.view(np.float32).reshape(-1, self.game.view_size)
        self.masks = self._masks.view()
        self.masks.flags.writeable = False  # legality is read from it
        self.to_act = self._lanes["to_act"]
        self.finished = self._lanes["finished"]
        self.winners = self._lanes["winner"]
        self.reasons = self._lanes["reason"]
        self.rewards = self._lanes["rewards"]
        self.deal_seeds = self._lanes["deal_seed"]
        self.games_ended = self._lanes["games_ended"]

    def __getstate__(self) -> dict[str, Any]:
        """Threads cannot be copied; a copy starts its own."""
        return {**self.__dict__, "_pool": None}

    def __setstate__(self, contents: dict[str, Any]) -> None:
        """A copy needs its own names for its own memory."""
        self.__dict__.update(contents)
        self._name_arrays()

    def reset(self, seeds: ArrayLike, lanes: ArrayLike | None = None) -> None:
        """Deal lane i from seeds[i] (whole numbers from 0 to 2**64 - 1); the games on the table are dropped.

        With `lanes` (distinct lane numbers, after a first full reset) only those, lanes[n] from seeds[n]: so a
        caller can give every game a seed of his own choice. Raises BadInput for an unusable seed or lane.
        """
        chosen = self._all_lanes if lanes is None else self._lane_numbers(lanes, "reset")
        numbers = self._seed_numbers(seeds, len(chosen))
        if lanes is not None and not self._dealt:
            raise BadInput("reset: reset all lanes before some of them")
        _reset_lanes(*self._arrays, chosen, numbers)
        self._dealt = True

    def step(self, actions: ArrayLike) -> None:
        """Carry out actions[i] in every lane i, and deal the next game in each lane whose game ended.

        Raises IllegalAction, which names the first lane with an action that is not allowed there, and BadInput for
        anything but `count` whole numbers; then no lane has changed.
        """
        taken = self._action_numbers(actions, self.count)
        self._check_actions(self._all_lanes, taken)
        if self.threads == 1:
            _step_lanes(*self._arrays, taken, 0, self.count)
        else:
            self._in_threads(lambda start, stop: _step_lanes(*self._arrays, taken, start, stop))

    def step_lanes(self, lanes: ArrayLike, actions: ArrayLike) -> None:
        """As `step`, but only in the lanes lanes[n] (distinct numbers), each with actions[n]; the others stand still.

        What the arrays say of the others stays as it is, `finished` too. Raises the same errors as `step`.
        """
        chosen = self._lane_numbers(lanes, "step_lanes")
        taken = self._action_numbers(actions, len(chosen))
        self._check_actions(chosen, taken)
        _step_chosen(*self._arrays, chosen, taken)

    def _check_actions(self, lanes: np.ndarray, actions: np.ndarray) -> None:
        if not self._dealt:
            raise BadInput("step: call reset() first")
        if not self.trusted:
            refused = _first_refused(self._masks, lanes, actions)
            if refused >= 0:
                self._refuse(int(lanes[refused]), int(actions[refused]))

    def snapshot(self) -> dict[str, np.ndarray]:
        """Copies of all that the games and the deals to come follow from, for `restore`."""
        return {name: array.copy() for name, array in self._remembered().items()} | {"dealt": np.array(self._dealt)}

    def restore(self, snapshot: Mapping[str, np.ndarray]) -> None:
        """Go on from a snapshot of a batch of the same game, table and count."""
        for name, array in self._remembered().items():
            array[...] = snapshot[name]
        self._dealt = bool(snapshot["dealt"])

    def _remembered(self) -> dict[str, np.ndarray]:
        return {"states": self._states, "lanes": self._lanes, "masks": self._masks, "views": self._views}

    def close(self) -> None:
        """End the threads; a later step starts them anew."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    @property
    def _arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, bool]:
        return self._tables, self._states, self._lanes, self._masks, self._views, self._observing

    def _in_threads(self, work: Callable[[int, int], None]) -> None:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="batch")
        cuts = [self.count * n // self.threads for n in range(self.threads + 1)]
        others = self._pool.map(work, cuts[1:-1], cuts[2:])
        work(0, cuts[1])  # the calling thread takes the first share
        list(others)

    def _refuse(self, lane: int, action: int) -> None:
        try:
            self.game.check_action(self._tables[0], self._states[lane], action)
        except IllegalAction as error:
            raise IllegalAction(error.seat, error.action_name, f"{error.reason} (lane {lane})") from None

    @staticmethod
    def _action_numbers(actions: ArrayLike, count: int) -> np.ndarray:
        given = np.asarray(actions)
        if given.shape != (count,) or given.dtype.kind not in "iu":
            raise BadInput(f"step: {_array_words(given)} given; actions are {count} whole numbers, one a lane")
        return np.ascontiguousarray(given, np.int64)

    def _lane_numbers(self, lanes: ArrayLike, caller: str) -> np.ndarray:
        given = np.asarray(lanes)
        whole = given.ndim == 1 and (given.dtype.kind in "iu" or not given.size)
        if not whole or np.any((given < 0) | (given >= self.count)) or len(np.unique(given)) < len(given):
            raise BadInput(f"{caller}: lanes are distinct whole numbers from 0 to {self.count - 1}; found {lanes!r}")
        return given.astype(np.int64)

    @staticmethod
    def _seed_numbers(seeds: ArrayLike, count: int) -> np.ndarray:
        # Python's numbers one by one, as NumPy turns a list with small and very large ones into floats
        given: Any = seeds.tolist() if isinstance(seeds, np.ndarray) else seeds
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != count:
            raise BadInput(f"reset: seeds have to be {count} whole numbers, one a lane")
        for seed in given:
            if not is_whole(seed) or not 0 <= seed < 2**64:
                raise BadInput(f"reset: seed {seed!r} found; allowed: whole numbers from 0 to 2**64 - 1")
        return np.array(given, np.uint64)


def _array_words(given: np.ndarray) -> str:
    return f"an array of {given.dtype} of shape {given.shape}"


def _table_of(game: Game, value: Any, decks: DeckChoice) -> Any:
    if not isinstance(value, np.void) or value.dtype.names != game.table_dtype.names:
        return game.table(value, decks=decks)
    if decks is not None:
        raise BadInput("decks: a ready table was given, which has its decks already; give rule options or None for it")
    return value


def _at_least_one(name: str, value: Any) -> int:
    if is_whole(value) and value >= 1:
        return int(value)
    raise BadInput(f"{name} is {value!r}; allowed: a whole number from 1 up")
