"""Who sits opposite a learner: itself, one of its past selves, or a fixed agent, in stated shares of the lanes.

A learner that meets only itself may go round in circles: it forgets how to beat what it has stopped playing. Past
selves (as in fictitious self-play; Heinrich, Lanctot & Silver 2015) and a hand-written player keep it honest.
"""

from dataclasses import dataclass

import numpy as np

from duelbench.agents.agent import Agent
from duelbench.agents.policy import choose, workspace
from duelbench.envs.batch import Batch
from duelbench.envs.errors import BadInput
from duelbench.envs.jit import rule
from duelbench.envs.records import blank
from duelbench.envs.rng import STREAM, below

LATEST = -1
FIXED = -2
"""Opponents in `Opponents.who`; numbers from 0 up are past selves."""

MOST_PAST_SELVES = 24


@dataclass(frozen=True)
class Shares:
    """Parts of the lanes, adding up to 1, in which the learner plays both seats, or one seat against another."""

    latest: float = 1.0
    history: float = 0.0
    """Against past selves, each game against one drawn from all that are kept."""
    heuristic: float = 0.0
    """Against the hand-written player of the game."""

    def __post_init__(self) -> None:
        shares = (self.latest, self.history, self.heuristic)
        if min(shares) < 0 or abs(sum(shares) - 1) > 1e-6:
            raise BadInput(f"opponents: shares are {shares}; allowed: numbers from 0 up that add up to 1")

    def lanes(self, count: int) -> tuple[int, int, int]:
        """How many of `count` lanes each of the three has, rounded; the learner itself has what is left."""
        history, heuristic = round(self.history * count), round(self.heuristic * count)
        return count - history - heuristic, history, heuristic


@rule
def answer_as_past_selves(pool, sizes, which, lanes, views, masks, streams, work, probabilities, actions):
    """Write into actions[n] what past self which[lanes[n]] of `pool` does in lane lanes[n]."""
    for n in range(lanes.shape[0]):
        lane = lanes[n]
        actions[n] = choose(pool[which[lane]], sizes, views[lane], masks[lane], 1.0, streams[0], work, probabilities)


class Opponents:
    """The other seat of a batch's lanes. Lanes come in the order: the learner itself, past selves, the fixed agent.

    `who` (int64[lanes]) is each lane's opponent and `seat` (int8[lanes]) the learner's seat there, drawn anew for
    every game; where the learner plays both, `seat` says nothing. While there are no past selves, the learner itself
    plays in their lanes. The fixed agent is one for all lanes, so it must not remember games.
    """

    def __init__(self, batch: Batch, shares: Shares, fixed: Agent | None) -> None:
        latest, history, against_fixed = shares.lanes(batch.count)
        if against_fixed and fixed is None:
            raise BadInput("opponents: a share is given to an agent that is not there")
        self.who = np.full(batch.count, LATEST)
        self.seat = np.zeros(batch.count, np.int8)
        self._batch, self._fixed = batch, fixed
        self._kinds = np.repeat([LATEST, 0, FIXED], [latest, history, against_fixed])
        self._streams = blank(1, STREAM)
        self._pool = np.zeros((0, 0), np.float32)
        self._sizes = np.zeros(0, np.int64)
        self._seen = 0
        self._probabilities = np.zeros(batch.game.num_actions)

    def begin(self, seed: int) -> None:
        """New games begin in all lanes; everything drawn from here on comes from `seed`."""
        self._streams["rng"] = seed
        if self._fixed is not None:
            self._fixed.begin(0)
        self.seat_learner(np.arange(len(self.who)))

    def add_past_self(self, weights: np.ndarray, sizes: np.ndarray) -> None:
        """Keep a policy, laid out as in `duelbench.agents.policy`, as an opponent for games to come.

        MOST_PAST_SELVES are kept: after that, each of all that were ever added has the same chance to be among them.
        """
        self._seen += 1
        if len(self._pool) < MOST_PAST_SELVES:
            self._pool = np.vstack([self._pool.reshape(-1, len(weights)), weights[None]]).astype(np.float32)
            self._sizes, self._work = sizes.copy(), workspace(sizes)
            return
        place = int(below(self._streams[0], self._seen))
        if place < MOST_PAST_SELVES:
            self._pool[place] = weights

    def seat_learner(self, lanes: np.ndarray) -> None:
        """New games begin in these lanes: draw who plays them, and on which seat the learner is."""
        stream = self._streams[0]
        for lane in lanes:
            kind = self._kinds[lane]
            self.seat[lane] = below(stream, 2)
            past = len(self._pool)
            self.who[lane] = kind if kind != 0 else below(stream, past) if past else LATEST

    def waiting(self) -> np.ndarray:
        """int64: the lanes in which it is not the learner's turn."""
        return np.flatnonzero((self.who != LATEST) & (self._batch.to_act != self.seat))

    def answers(self, lanes: np.ndarray) -> np.ndarray:
        """int64[len(lanes)]: what the opponents do in these lanes."""
        actions = np.zeros(len(lanes), np.int64)
        fixed = self.who[lanes] == FIXED
        if not fixed.all():
            actions[~fixed] = self._answers_of_past_selves(lanes[~fixed])
        if self._fixed is not None and fixed.any():
            actions[fixed] = self._fixed.answers(self._batch, lanes[fixed], self._streams)
        return actions

    def _answers_of_past_selves(self, lanes: np.ndarray) -> np.ndarray:
        actions = np.zeros(len(lanes), np.int64)
        answer_as_past_selves(
            self._pool,
            self._sizes,
            self.who,
            lanes,
            self._batch.observations,
            self._batch.masks,
            self._streams,
            self._work,
            self._probabilities,
            actions,
        )
        return actions

    def snapshot(self) -> dict[str, np.ndarray]:
        """Copies of all that the draws and answers to come follow from, for `restore`."""
        return {name: np.copy(array) for name, array in self._remembered().items()}

    def restore(self, snapshot: dict[str, np.ndarray]) -> None:
        self.who, self.seat = snapshot["who"].copy(), snapshot["seat"].copy()
        self._streams["rng"] = snapshot["rng"]
        self._pool, self._sizes = snapshot["pool"].copy(), snapshot["sizes"].copy()
        self._seen = int(snapshot["seen"])
        if len(self._pool):
            self._work = workspace(self._sizes)

    def _remembered(self) -> dict[str, np.ndarray]:
        return {
            "who": self.who,
            "seat": self.seat,
            "rng": self._streams["rng"],
            "pool": self._pool,
            "sizes": self._sizes,
            "seen": np.array(self._seen),
        }
