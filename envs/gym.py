"""A game as a Gymnasium environment for one player: whoever sits opposite moves inside `step` and `reset`.

There is no rule in here and no agent: the books are those of `duelbench.envs.aec`, and the other seat is anything that
answers like an `Opponent`. `duelbench.agents.gym_ids` makes both and registers the ids for `gymnasium.make`.
"""

import sys
from collections.abc import Mapping
from typing import Any, Protocol

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from duelbench.envs.aec import PLAYERS, RENDER_MODES, GameEnv
from duelbench.envs.decks import DeckChoice
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game, did_you_mean
from duelbench.envs.records import is_whole


class Opponent(Protocol):
    """Who decides for the other seat."""

    def begin(self, seat: int, seed: int) -> None:
        """A new game starts, in which it sits on `seat`; all its chance comes from `seed` (below 2**64)."""

    def answer(self, state: np.record) -> int:
        """A legal action for the seat to act in `state`, the true state: it is for the opponent not to peek."""


class DuelEnv(gymnasium.Env[Any, int]):
    """A game of `game` against `opponent`, seen by one seat.

    | | |
    |---|---|
    | Observation | Box, float32[game.view_size]: what the own seat knows, index 0 being itself |
    | Action | Discrete(game.num_actions) |
    | Mask | `info["action_mask"]` (int8), also by `action_masks()` (bool): what may be done now; all zero at the end |
    | Reward | 0 until the game ends, then +1 won, -1 lost, 0 drawn |
    | Info | `action_mask`, `seat` (one's own, 0 or 1); at the end also `winner` (0, 1, or -1 drawn) and `reason` |

    With `observe_mask` an observation is a dict of `observation` and `action_mask`, as in the PettingZoo face: for
    libraries that look for the mask there.

    `seat` is 0, 1, or None for a fair coin before each game. Games terminate and are never truncated. Sample with the
    mask, `env.action_space.sample(info["action_mask"])`: an action that is not allowed raises IllegalAction and changes
    nothing. `step` before the first `reset` or after the end raises ResetNeeded.

    `reset(seed=n)` makes everything to come follow from n and the actions: deals, seats and the opponent's chance.
    A game that the opponent ends before the own seat's first decision is nobody's; another one is dealt.

    Rendering (`render_mode` "ansi" returns text, "human" prints it after every reset and step) shows the table as the
    own seat sees it, and everything once the game is over.

    Raises BadInput for an unknown render mode, seat, rule option or value, and for unusable decks.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: Game,
        opponent: Opponent,
        seat: int | None = None,
        rules: Mapping[str, Any] | None = None,
        decks: DeckChoice = None,
        render_mode: str | None = None,
        observe_mask: bool = False,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadInput(f"render_mode: {render_mode!r} is unknown{did_you_mean(render_mode, RENDER_MODES)}")
        self.game = game
        self.render_mode = render_mode
        self.observation_space = observation_space(game, observe_mask)
        self.action_space = spaces.Discrete(game.num_actions)  # type: ignore[assignment]  # of NumPy's whole numbers
        self._seat_choice = checked_seat("seat", seat)
        self._observe_mask = observe_mask
        self._opponent = opponent
        self._table = GameEnv(game, rules, decks=decks)
        self._seat = 0
        self._over = False

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal a new game and let the opponent play until it is one's own turn.

        `options` may say `deal_seed` (0 to 2**64 - 1: exactly the deal that it stands for, as in a row of a run) and
        `seat` (0 or 1) for this game. Raises BadInput for other values, and for a deal that the opponent ends before
        the own seat's first decision.
        """
        deal_seed, seat = _reset_options(options)
        super().reset(seed=seed)
        while True:
            drawn_deal, opponents_seed = (int(bits) for bits in draw_bits(self.np_random, 2))
            coin = int(self.np_random.integers(2))
            choice = self._seat_choice if seat is None else seat
            self._seat = coin if choice is None else choice
            self._table.reset(options={"deal_seed": drawn_deal if deal_seed is None else deal_seed})
            self._opponent.begin(1 - self._seat, opponents_seed)
            self._let_opponent_act()
            if not self._over:
                break
            if deal_seed is not None:
                raise BadInput(f"reset: deal_seed {deal_seed}: the game ends before seat {self._seat} has a decision")
        if self.render_mode == "human":
            self.render()
        return self._told()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out one's own action and the opponent's answers, up to one's next decision or the end."""
        if self._over:
            raise ResetNeeded("step: the game is over; call reset() for a new one")
        self._table.step(action)
        self._let_opponent_act()
        if self.render_mode == "human":
            self.render()
        observation, info = self._told()
        return observation, float(self._table.rewards[self._player]), self._over, False, info

    def action_masks(self) -> np.ndarray:
        """bool[game.num_actions]: what may be done now. The name is the one that MaskablePPO asks for."""
        mask: np.ndarray = self._table.observe(self._player)["action_mask"] != 0
        return mask

    def render(self) -> str | None:
        """The table as text ("ansi"), or print it ("human"); see the class for whose view it is."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode; choose 'ansi' or 'human'")
            return None
        text = self._table.describe(None if self._over else self._player)
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text + "\n")
        return None

    @property
    def seat(self) -> int:
        """One's own seat in the game on the table."""
        return self._seat

    @property
    def deal_seed(self) -> int:
        """The seed of the game on the table; it gives the whole deal away."""
        return self._table.deal_seed

    @property
    def rules(self) -> dict[str, Any]:
        """Every rule option with its value."""
        return self._table.rules

    @property
    def _player(self) -> str:
        return PLAYERS[self._seat]

    def _let_opponent_act(self) -> None:
        """Up to one's own next decision or the end of the game."""
        table, player = self._table, self._player
        while table.agent_selection != player and not table.terminations[player]:
            table.step(self._opponent.answer(table.state_record()))
        self._over = table.terminations[player]

    def _told(self) -> tuple[Any, dict[str, Any]]:
        seen = self._table.observe(self._player)
        info = {"action_mask": seen["action_mask"].copy(), "seat": self._seat, **self._table.infos[self._player]}
        return seen if self._observe_mask else seen["observation"], info


def observation_space(game: Game, with_mask: bool) -> spaces.Space[Any]:
    """What one seat sees: a Box, or a Dict of it and the mask."""
    seen = spaces.Box(-np.inf, np.inf, (game.view_size,), np.float32)
    if not with_mask:
        return seen
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8)})


def checked_seat(where: str, seat: Any) -> int | None:
    """The seat; BadInput, beginning with `where`, for anything but 0, 1 and None."""
    if seat is None or (is_whole(seat) and seat in (0, 1)):
        return None if seat is None else int(seat)
    raise BadInput(f"{where} is {seat!r}; allowed: 0, 1, or None for a fair coin before each game")


def draw_bits(generator: np.random.Generator, *shape: int) -> np.ndarray:
    """uint64 numbers of that shape, all values equally likely."""
    return generator.integers(0, 2**64 - 1, shape, np.uint64, endpoint=True)


def _reset_options(options: Mapping[str, Any] | None) -> tuple[int | None, int | None]:
    """The deal and the seat asked for; options that others may be meant by are left alone, as Gymnasium does."""
    if options is not None and not isinstance(options, Mapping):
        raise BadInput(f"reset: options is {options!r}; expected a mapping, for instance {{'deal_seed': 1}}")
    given = options or {}
    deal_seed = given.get("deal_seed")
    if deal_seed is not None and not (is_whole(deal_seed) and 0 <= deal_seed < 2**64):
        raise BadInput(f"reset: deal_seed is {deal_seed!r}; allowed: a whole number from 0 to 2**64 - 1")
    return deal_seed, checked_seat("reset: seat", given.get("seat"))
