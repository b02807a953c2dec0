"""Many games at once as a Gymnasium vector environment, on the batch engine.

Each lane plays one game after the other. What happens in a lane follows from the seed of the reset, its own number and
its own actions: not from the other lanes, how many there are, or the number of threads.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike

from duelbench.envs.batch import Batch
from duelbench.envs.decks import DeckChoice
from duelbench.envs.dispatch import apply, observe
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.gym import checked_seat, draw_bits, observation_space
from duelbench.envs.jit import rule
from duelbench.envs.records import blank
from duelbench.envs.rng import STREAM, below, next_bits

_SELF_PLAY = -1


class LaneOpponents(Protocol):
    """Who decides for the other seat in the lanes of a batch."""

    def begin(self, lanes: np.ndarray, seats: np.ndarray, seeds: np.ndarray) -> None:
        """New games start in these lanes (int64), with the opponent on seats[n]; its chance there is from seeds[n]."""

    def answers(self, batch: Batch, lanes: np.ndarray) -> np.ndarray:
        """int64[len(lanes)]: a legal action of the seat to act in each of these lanes."""


@rule
def _draw_seats(dice, lanes, choice, seats, seeds):
    """For new games in these lanes: the learner's seats, unless `choice` is 0 or 1, and the opponents' seeds."""
    for n in range(lanes.shape[0]):
        stream = dice[lanes[n]]
        coin = below(stream, 2)
        seats[lanes[n]] = coin if choice < 0 else choice
        seeds[n] = next_bits(stream)


@rule
def _play_to_the_end(tables, states, actions, seats, views):
    """Carry out the last actions of ended games, and write what seats[n] sees then into views[n]."""
    for n in range(states.shape[0]):
        apply(tables[0], states[n], actions[n])
        observe(tables[0], states[n], seats[n], views[n])


class DuelVectorEnv(VectorEnv[Any, np.ndarray, np.ndarray]):
    """`num_envs` games of `game` against `opponents`, or, where that is None, of the learner against itself.

    Observations are float32[num_envs, game.view_size], actions int64[num_envs], rewards float64[num_envs]. Every array
    handed out is a copy to keep. `infos["action_mask"]` (int8[num_envs, game.num_actions]) says what may be done next
    and `infos["seat"]` (int8[num_envs]) who decides. If one action is not allowed, IllegalAction names the lane and
    nothing has changed in any.

    With `observe_mask` observations are dicts of `observation` and `action_mask`, for libraries that look for it there.

    Against opponents the learner has one seat in each game: `seat`, or, where that is None, a fair coin's. In
    self-play an observation, its mask and its reward belong to the seat to act: a reward is that of the seat that has
    just acted, and the other seat of the ended game has the opposite one.

    Lanes restart by themselves in the step that ends their game (`AutoresetMode.SAME_STEP`): where
    `terminations` is true, the reward is the ended game's, observation and mask are the next game's, and
    `infos["final_obs"]` (an array of objects, None in other lanes) and `infos["final_info"]` (`seat`, `winner`,
    `reason`) are the ended game's, each with its mask of lanes under the same name after an underscore.

    `threads` splits the lanes in self-play steps. Raises BadInput for unusable arguments.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: LaneOpponents | None = None,
        seat: int | None = None,
        rules: Mapping[str, Any] | None = None,
        decks: DeckChoice = None,
        threads: int = 1,
        observe_mask: bool = False,
    ) -> None:
        choice = checked_seat("seat", seat)
        if opponents is None and choice is not None:
            raise BadInput(f"seat is {seat}, but without an opponent the learner has both; allowed: None")
        self.game = game
        self._tables = blank(1, game.table_dtype)
        self._tables[0] = game.table(rules, decks=decks)
        self._batch = Batch(game, self._tables[0], num_envs, threads=threads)
        self.num_envs = self._batch.count
        self.single_observation_space = observation_space(game, observe_mask)
        self.single_action_space = spaces.Discrete(game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._observe_mask = observe_mask
        self._opponents = opponents
        self._choice = _SELF_PLAY if choice is None else choice
        self._dice = blank(self.num_envs, STREAM)
        self._seats = np.zeros(self.num_envs, np.int8)  # the learner's, where it has an opponent
        self._all = np.arange(self.num_envs)
        self._before = blank(self.num_envs, game.state_dtype)
        self._last_views = blank(self.num_envs, game.view_dtype)
        self._dealt = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal all lanes afresh; with `options={"reset_mask": bool[num_envs]}`, after a first full reset, only those.

        Everything to come follows from `seed` and the actions. Without it the environment's generator goes on.
        """
        chosen = self._chosen(options)
        super().reset(seed=seed)
        bits = draw_bits(self.np_random, self.num_envs, 2)[chosen]
        self._batch.reset(bits[:, 0], None if len(chosen) == self.num_envs else chosen)
        self._dice["rng"][chosen] = bits[:, 1]
        self._dealt = True
        self._begin(chosen)
        self._let_opponents_act(_Results(self.num_envs))
        return self._seen(), self._infos()

    def step(self, actions: ArrayLike) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Carry out one action a lane, and the opponents' answers."""
        if not self._dealt:
            raise ResetNeeded("step: call reset() first")
        results = _Results(self.num_envs)
        self._carry_out(self._all, np.asarray(actions), results)
        self._let_opponents_act(results)
        infos = self._infos()
        if results.ended.any():
            infos |= results.infos(self.game, self._observe_mask)
        return self._seen(), results.rewards, results.ended, np.zeros_like(results.ended), infos

    def action_masks(self) -> np.ndarray:
        """bool[num_envs, game.num_actions]: what may be done next."""
        return self._batch.masks != 0

    def close_extras(self, **kwargs: Any) -> None:
        self._batch.close()

    def _chosen(self, options: dict[str, Any] | None) -> np.ndarray:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return self._all
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise BadInput(f"reset: reset_mask is {mask!r}; expected a NumPy array of {self.num_envs} truth values")
        return np.flatnonzero(mask)

    def _begin(self, lanes: np.ndarray) -> None:
        """New games have been dealt in these lanes."""
        if self._opponents is None:
            return
        seeds = np.zeros(len(lanes), np.uint64)
        _draw_seats(self._dice, lanes, self._choice, self._seats, seeds)
        self._opponents.begin(lanes, 1 - self._seats[lanes], seeds)

    def _let_opponents_act(self, results: "_Results") -> None:
        """Until the learner is to act in every lane; games that end before its first decision are nobody's."""
        if self._opponents is None:
            return
        while len(lanes := np.flatnonzero(self._batch.to_act != self._seats)):
            self._carry_out(lanes, self._opponents.answers(self._batch, lanes), results)

    def _carry_out(self, lanes: np.ndarray, actions: np.ndarray, results: "_Results") -> None:
        """One action in each of these lanes; the first game of a lane that ends goes into `results`."""
        batch = self._batch
        seats = (batch.to_act if self._opponents is None else self._seats)[lanes].copy()
        _rows(batch.states).take(lanes, axis=0, out=_rows(self._before[: len(lanes)]))
        if len(lanes) == self.num_envs:
            batch.step(actions)
        else:
            batch.step_lanes(lanes, actions)
        over = np.flatnonzero(batch.finished[lanes])
        told = over[~results.ended[lanes[over]]]
        if len(told):
            results.note(batch, lanes[told], seats[told], self._final_views(told, actions, seats))
        if len(over):
            self._begin(lanes[over])

    def _final_views(self, which: np.ndarray, actions: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """float32[len(which), view_size]: what seats[n] saw of the ends that actions[n] brought about."""
        states, views = self._before[which], self._last_views[: len(which)]
        _play_to_the_end(self._tables, states, actions[which].astype(np.int64), seats[which].astype(np.int64), views)
        seen: np.ndarray = views.view(np.float32).reshape(len(which), -1).copy()
        return seen

    def _seen(self) -> Any:
        batch = self._batch
        seen = batch.observations.copy()
        return {"observation": seen, "action_mask": batch.masks.copy()} if self._observe_mask else seen

    def _infos(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self._batch.masks.copy(),
            "_action_mask": everywhere,
            "seat": self._batch.to_act.copy(),
            "_seat": everywhere.copy(),
        }


class _Results:
    """What one step has brought to an end, lane by lane."""

    def __init__(self, count: int) -> None:
        self.rewards = np.zeros(count)
        self.ended = np.zeros(count, np.bool_)
        self._seats = np.zeros(count, np.int8)
        self._winners = np.zeros(count, np.int8)
        self._reasons = np.zeros(count, np.int8)
        self._observations: dict[int, np.ndarray] = {}

    def note(self, batch: Batch, lanes: np.ndarray, seats: np.ndarray, observations: np.ndarray) -> None:
        """The last game of each of these lanes has just ended; the learner's seat in it, and what that saw."""
        self.ended[lanes] = True
        self.rewards[lanes] = batch.rewards[lanes, seats]
        self._seats[lanes] = seats
        self._winners[lanes] = batch.winners[lanes]
        self._reasons[lanes] = batch.reasons[lanes]
        self._observations |= dict(zip(lanes.tolist(), observations, strict=True))

    def infos(self, game: Game, with_mask: bool) -> dict[str, Any]:
        """In the layout in which Gymnasium's own vector environments tell them."""
        final = np.full(len(self.ended), None, object)
        reasons = final.copy()
        for lane, observation in self._observations.items():
            mask = np.zeros(game.num_actions, np.int8)  # nothing may be done any more
            final[lane] = {"observation": observation, "action_mask": mask} if with_mask else observation
            reasons[lane] = game.reasons[self._reasons[lane]]
        told = {"seat": self._seats, "winner": self._winners, "reason": reasons}
        masks = {f"_{name}": self.ended.copy() for name in told}
        return {
            "final_obs": final,
            "_final_obs": self.ended.copy(),
            "final_info": told | masks,
            "_final_info": self.ended.copy(),
        }


def _rows(records: np.ndarray) -> np.ndarray:
    """uint8[len(records), bytes]: copying records as bytes spares NumPy their fields."""
    return records.view(np.uint8).reshape(len(records), -1)
