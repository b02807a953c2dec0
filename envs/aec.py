"""One PettingZoo environment for every game: seats take turns, one decision at a time (Terry et al. 2021, AEC).

There is no rule in here. Legality, chance and results come from the game; this file only keeps PettingZoo's books.
"""

import secrets
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from gymnasium import logger, spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv

from duelbench.envs.decks import DeckChoice
from duelbench.envs.dispatch import apply, deal, legal, observe
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game, did_you_mean
from duelbench.envs.jit import rule
from duelbench.envs.records import blank, is_whole
from duelbench.envs.rng import STREAM, next_bits

PLAYERS = ("player_0", "player_1")
RENDER_MODES = ("ansi", "human")

_OVER = -1
_BOOKS = frozenset({"agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"})

Observation = dict[str, np.ndarray]


@rule
def _show(tables, states, views, mask):
    """Write the mask and, into views[0], what the seat to act sees; returns that seat, or _OVER."""
    table, state = tables[0], states[0]
    legal(table, state, mask)
    observe(table, state, state.to_act, views[0])
    return np.int64(_OVER if state.over else state.to_act)


@rule
def _begin(tables, states, views, mask, seed):
    deal(tables[0], states[0], seed)
    return _show(tables, states, views, mask)


@rule
def _advance(tables, states, views, mask, action):
    apply(tables[0], states[0], action)
    return _show(tables, states, views, mask)


@rule
def _look(tables, states, views, seat):
    observe(tables[0], states[0], seat, views[1])


@rule
def _draw(dice):
    return next_bits(dice[0])


class GameEnv(AECEnv[str, Observation, int | None]):
    """A game of two players, `player_0` and `player_1`.

    Observations are dicts of `observation` (float32[game.view_size], what that seat knows, index 0 being itself)
    and `action_mask` (int8[game.num_actions]). Only the seat to act has a mask; the other's is all zero, and so are
    both after the end. Every array handed out is a copy to keep. Rewards are 0 until the game ends, then +1 for the
    winner and -1 for the loser, or 0 for both in a drawn game. A limit on the length is a rule of a game, so games
    terminate and are never truncated. While the game runs `infos` are empty; in the end both say
    `winner` (0, 1, or -1 for a drawn game) and `reason`.

    An action that is not allowed raises IllegalAction and changes nothing. `step`, `observe`, `render` and the
    books (`agents`, `rewards`, ...) raise a clear error before the first `reset`, `step` also after the end, so
    PettingZoo's wrappers, which would more than double the time of a step, are not needed.

    Rendering (`render_mode` "ansi" returns text, "human" prints it after every reset and step) shows the table as
    the seat to act sees it, and everything once the game is over. Whoever watches all of a game so learns both
    hands. `describe` gives the view of one seat, for a person who plays, or everything, for debugging.

    `decks`, for a game with decks, says what the seats play with: None for random ones, or files, mappings and pools
    of them as `duelbench.envs.decks.deck_sources` has it. Every reset draws from them anew.

    Raises BadInput for an unknown `render_mode`, rule option or value, and for unusable decks.
    """

    metadata = {"name": "duel", "render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: Game,
        rules: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        name: str | None = None,
        decks: DeckChoice = None,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadInput(f"render_mode: {render_mode!r} is unknown{did_you_mean(render_mode, RENDER_MODES)}")
        self.metadata = {**GameEnv.metadata, "name": name or game.name}
        self.game = game
        self.rules = game.resolved_rules(rules)
        self.render_mode = render_mode
        self.possible_agents = list(PLAYERS)
        self.observation_spaces = {player: _observation_space(game) for player in PLAYERS}
        self.action_spaces = {player: spaces.Discrete(game.num_actions) for player in PLAYERS}
        self._tables = blank(1, game.table_dtype)
        self._tables[0] = game.table(rules, decks=decks)
        self._states = blank(1, game.state_dtype)
        self._views = blank(2, game.view_dtype)  # of the seat to act; of any other
        self._seen = self._views.view(np.float32).reshape(2, -1)
        self._mask = np.zeros(game.num_actions, np.int8)
        self._dice = blank(1, STREAM)
        self._dice["rng"] = secrets.randbits(64)
        self._deal_seed = 0
        self._dealt = False
        self._calls = 0
        self._running = False

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a new game; rules, decks to draw from and render mode stay.

        `seed` (0 to 2**64 - 1) starts the environment's own generator anew, from which every deal is drawn: the
        same seed and actions give the same games everywhere. Without it the generator goes on.
        `options={"deal_seed": n}` deals exactly the game that `n` stands for, for instance one row of a run, and
        leaves the generator alone. Other options are ignored. Raises BadInput for a number out of range.
        """
        if options is not None and not isinstance(options, Mapping):
            raise BadInput(f"reset: options is {options!r}; expected a mapping, for instance {{'deal_seed': 1}}")
        chosen = (options or {}).get("deal_seed")
        if chosen is not None:
            chosen = _seed_number("deal_seed", chosen)
        if seed is not None:
            self._dice["rng"] = _seed_number("seed", seed)
        self._deal_seed = int(_draw(self._dice)) if chosen is None else chosen
        self._dealt = True
        self._states.view(np.uint8).fill(0)  # so that every byte of a state follows from the seed and the actions
        seat = _begin(self._tables, self._states, self._views, self._mask, np.uint64(self._deal_seed))
        self.agents = list(PLAYERS)
        self.rewards = dict.fromkeys(PLAYERS, 0.0)
        self._cumulative_rewards = dict.fromkeys(PLAYERS, 0.0)
        self.terminations = dict.fromkeys(PLAYERS, False)
        self.truncations = dict.fromkeys(PLAYERS, False)
        self.infos: dict[str, dict[str, Any]] = {player: {} for player in PLAYERS}
        self._go_on(seat)

    def step(self, action: int | None) -> None:
        """Carry out the action of `agent_selection`: a whole number, or None once the game is over.

        Raises IllegalAction for anything else, and changes nothing; ResetNeeded before `reset` and after the end.
        """
        if not self._running:
            self._leave(action)
            return
        if not self._allowed(action):
            self.game.check_action(self._tables[0], self._states[0], action)  # type: ignore[arg-type]  # it tells why
        seat = _advance(self._tables, self._states, self._views, self._mask, int(action))  # type: ignore[arg-type]
        self._go_on(seat)

    def observe(self, agent: str) -> Observation:
        """What `agent` sees now, as fresh arrays."""
        if self._running and agent == self.agent_selection:
            return {"observation": self._seen[0].copy(), "action_mask": self._mask.copy()}
        self._need_reset("observe")
        _look(self._tables, self._states, self._views, self._seat_of(agent))
        return {"observation": self._seen[1].copy(), "action_mask": np.zeros_like(self._mask)}

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agents in the order in which they are due; every turn of the loop has to call `step` (or `reset`)."""
        self._need_reset("agent_iter")
        for _ in range(max_iter):
            if not self.agents:
                return
            calls = self._calls
            yield self.agent_selection
            if self._calls == calls:
                raise RuntimeError("call step() or reset() in every turn of a loop over agent_iter()")

    def render(self) -> str | None:
        """The table as text ("ansi"), or print it ("human"); see the class for whose view it is."""
        if self.render_mode is None:
            logger.warn("render() does nothing without a render_mode; choose 'ansi' or 'human'")
            return None
        text = self.describe(self.agent_selection if self._running else None)
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text + "\n")
        return None

    def close(self) -> None:
        """There is nothing to release."""

    def describe(self, agent: str | None = None) -> str:
        """The table in words as `agent` sees it, or everything for None, and the result if there is one."""
        self._need_reset("describe")
        seat = None if agent is None else self._seat_of(agent)
        return self.game.describe(self._tables[0], self._states[0], seat)

    @property
    def deal_seed(self) -> int:
        """The seed of the game on the table; it gives the whole deal away."""
        self._need_reset("deal_seed")
        return self._deal_seed

    def state_record(self) -> np.record:
        """A copy of the full state, hidden cards included, for tools; the layout is `game.state_dtype`."""
        self._need_reset("state_record")
        copies = self.game.new_states(1)  # not .copy(), which leaves the gaps between fields undefined
        copies[0] = self._states[0]
        record: np.record = copies[0]
        return record

    def __setstate__(self, contents: dict[str, Any]) -> None:
        """A copy or an unpickled environment has to have its own two names for the memory of its views."""
        self.__dict__.update(contents)
        self._seen = self._views.view(np.float32).reshape(2, -1)

    def __getattr__(self, name: str) -> Any:
        if name in _BOOKS:  # reached only while they do not exist
            raise AttributeError(f"{name} exists from the first reset() on")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _seat_of(self, agent: str) -> int:
        if agent not in PLAYERS:
            raise BadInput(f"{agent!r} does not play; agents: {', '.join(PLAYERS)}")
        return PLAYERS.index(agent)

    def _allowed(self, action: Any) -> bool:
        return is_whole(action) and 0 <= action < self.game.num_actions and self._mask[action] == 1

    def _go_on(self, seat: int) -> None:
        """The seat that has the next decision, or _OVER, is known: bring the books up to date."""
        self._calls += 1
        self._running = seat != _OVER
        if self._running:
            self.agent_selection = PLAYERS[seat]
        else:
            self._finish()
        if self.render_mode == "human":
            self.render()

    def _finish(self) -> None:
        winner, reason = int(self._states["winner"][0]), self.game.reasons[self._states["reason"][0]]
        for seat, player in enumerate(PLAYERS):
            self.rewards[player] = 0.0 if winner not in (0, 1) else (1.0 if seat == winner else -1.0)
            self.terminations[player] = True
            self.infos[player] = {"winner": winner, "reason": reason}
        self._accumulate_rewards()
        self.agent_selection = PLAYERS[0]

    def _leave(self, action: Any) -> None:
        """After the end each seat takes one step with None and is gone."""
        self._need_reset("step")
        if not self.agents:
            raise ResetNeeded("step(): the game is over; call reset() for a new one")
        if action is not None:
            self.game.check_action(self._tables[0], self._states[0], action)
        self._calls += 1
        self._was_dead_step(None)

    def _need_reset(self, what: str) -> None:
        if not self._dealt:
            raise ResetNeeded(f"{what}: call reset() first")


def _observation_space(game: Game) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(-np.inf, np.inf, (game.view_size,), np.float32),
            "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
        }
    )


def _seed_number(name: str, value: Any) -> int:
    if is_whole(value) and 0 <= value < 2**64:
        return int(value)
    raise BadInput(f"reset: {name} is {value!r}; allowed: a whole number from 0 to 2**64 - 1")
