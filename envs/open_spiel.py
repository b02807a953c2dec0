"""The games for OpenSpiel (Lanctot et al. 2019), so that its algorithms run on them. Importing this registers them:

    import pyspiel
    import duelbench.envs.open_spiel

    game = pyspiel.load_game("duelbench_tarot_duel", {"deals": 1000})

Chance is one explicit node at the beginning: one of `deals` deals, all equally likely. Outcome n is the deal seed n of
the rest of this toolkit, and the dice of the whole game come with it, so that after it a game follows from the actions.
OpenSpiel's other way, `SAMPLED_STOCHASTIC`, would hide the dice from it altogether, but its sampling solvers (MCCFR)
walk through chance nodes, and a state has to be rebuilt from its history.

A search must not know the dice. OpenSpiel's IS-MCTS asks `resample_from_infostate`, which is this toolkit's
`determinize` and redraws them too. Searches that play on from the true state, such as OpenSpiel's plain MCTS, peek at
hidden cards and at dice to come.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("OpenSpiel is missing: pip install 'duelbench[openspiel]'", name="pyspiel") from error

from duelbench.envs import dispatch
from duelbench.envs.decks import DeckChoice
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.records import blank, is_whole
from duelbench.envs.registry import game_names, load_game

DEALS = 10_000
"""How many deals there are by default; the outcomes of chance are a list as long as this."""

LONGEST = 10_000
"""OpenSpiel wants a bound on the decisions of a game; the limits on the length are rules, and well below this."""


_games: dict[str, Game] = {}
"""The games that OpenSpiel knows, by their names here."""


class Setting:
    """What all states of a game share. OpenSpiel clones and serializes states with their attributes; this stays one."""

    def __init__(self, game: Game, rules: Mapping[str, Any] | None, decks: DeckChoice, deals: int) -> None:
        self._made_from = game.name, rules, decks, deals
        self.game, self.deals = game, deals
        self.table = game.table(rules, decks=decks)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Setting":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _setting, self._made_from


def _setting(name: str, rules: Mapping[str, Any] | None, decks: DeckChoice, deals: int) -> Setting:
    return Setting(_games[name], rules, decks, deals)


class SpielGame(pyspiel.Game):
    """One game under one table. Loaded by its name in OpenSpiel it has the default rules and random decks."""

    def __init__(
        self,
        game: Game,
        params: Mapping[str, Any] | None = None,
        rules: Mapping[str, Any] | None = None,
        decks: DeckChoice = None,
    ) -> None:
        """`params` may hold `deals`. Raises BadInput for an unusable number of them, unusable rules or decks."""
        deals = (params or {}).get("deals", DEALS)
        if not is_whole(deals) or deals < 1:
            raise BadInput(f"deals is {deals!r}; allowed: a whole number from 1 up")
        super().__init__(game_type(game), _game_info(game, deals), {"deals": deals})
        self.setting = Setting(game, rules, decks, deals)

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SpielObserver":
        if params:
            raise BadInput(f"observers have no parameters; found {params!r}")
        return SpielObserver(self.setting.game, iig_obs_type is not None and iig_obs_type.perfect_recall)


class SpielState(pyspiel.State):
    """A position. Seats are players; before the deal, chance is to act."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.setting: Setting = game.setting
        self._states = blank(1, self.setting.game.state_dtype)
        self._dealt = False
        self._memories = [b"", b""]
        """What each seat has seen and done so far, digested; a seat's next memory follows from its last one."""

    @property
    def record(self) -> np.record:
        """The full state, hidden cards included; the layout is the game's `state_dtype`."""
        state: np.record = self._states[0]
        return state

    def current_player(self) -> int:
        if not self._dealt:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.record.over else int(self.record.to_act)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(deal, 1 / self.setting.deals) for deal in range(self.setting.deals)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.setting.game.legal_actions(self.setting.table, self.record)

    def _apply_action(self, action: int) -> None:
        """Deal, or carry out a legal action; raises IllegalAction for others and changes nothing."""
        if self._dealt:
            player = int(self.record.to_act)
            self.setting.game.play(self.setting.table, self.record, int(action))
            self._memories[player] += b"%d " % action
        else:
            dispatch.deal(self.setting.table, self.record, np.uint64(action))
            self._dealt = True
        for seat in range(2):
            self._memories[seat] = self._digest(self._memories[seat], seat)

    def _digest(self, memory: bytes, seat: int) -> bytes:
        return hashlib.blake2b(memory + self.observation_of(seat).tobytes(), digest_size=16).digest()

    def observation_of(self, seat: int) -> np.ndarray:
        """float32[game.view_size]: what the seat knows now; zeros before the deal."""
        game = self.setting.game
        if not self._dealt:
            return np.zeros(game.view_size, np.float32)
        return game.observation(self.setting.table, self.record, seat)

    def memory_of(self, seat: int) -> str:
        """Equal for two states exactly when the seat has seen and done the same in both (but for hash collisions)."""
        return self._memories[seat].hex()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "SpielState":
        """A state that `player` holds possible, by chance from `sampler` (uniform in [0, 1)).

        The player's memory stays. What the other seat would have seen on the way to the new state is unknown: its
        memory begins with what it sees now, so that it tells nothing of the true state. The history of actions stays,
        too, so a resampled state is to be played on, not rebuilt from its history.
        """
        twin: SpielState = self.clone()
        seed = int(sampler() * 2**32) << 32 | int(sampler() * 2**32)
        dispatch.determinize(self.setting.table, twin.record, player, np.uint64(seed))
        twin._memories[1 - player] = twin._digest(b"", 1 - player)
        return twin

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return self.setting.game.action_name(self.setting.table, self.record, action)

    def is_terminal(self) -> bool:
        return self._dealt and bool(self.record.over)

    def returns(self) -> list[float]:
        winner = int(self.record.winner) if self.is_terminal() else dispatch.DRAWN
        return [0.0, 0.0] if winner == dispatch.DRAWN else [1.0 if seat == winner else -1.0 for seat in range(2)]

    def __str__(self) -> str:
        return self.setting.game.describe(self.setting.table, self.record, None) if self._dealt else "before the deal"


class SpielObserver:
    """What a seat sees: the observation as a tensor with its named pieces; with perfect recall, all it saw, as text."""

    def __init__(self, game: Game, perfect_recall: bool) -> None:
        self._perfect_recall = perfect_recall
        self.tensor = None if perfect_recall else np.zeros(game.view_size, np.float32)
        self.dict = {} if self.tensor is None else _pieces(game, self.tensor)

    def set_from(self, state: SpielState, player: int) -> None:
        if self.tensor is not None:
            self.tensor[:] = state.observation_of(player)

    def string_from(self, state: SpielState, player: int) -> str:
        if self._perfect_recall:
            return f"player_{player} {state.memory_of(player)}"
        return f"player_{player} {hashlib.blake2b(state.observation_of(player).tobytes(), digest_size=16).hexdigest()}"


def _pieces(game: Game, tensor: np.ndarray) -> dict[str, np.ndarray]:
    """The outermost pieces of the observation, each flat, in the memory of `tensor`."""
    fields: Mapping[str, Any] = game.view_dtype.fields or {}
    return {name: tensor[offset // 4 : (offset + piece.itemsize) // 4] for name, (piece, offset, *_) in fields.items()}


def game_type(game: Game) -> Any:
    """What OpenSpiel is told of the game; its name there is `duelbench_` and the name here."""
    kinds = pyspiel.GameType
    return kinds(
        short_name=f"duelbench_{game.name}",
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"deals": DEALS},
    )


def _game_info(game: Game, deals: int) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=game.num_actions,
        max_chance_outcomes=deals,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=LONGEST,
    )


def register(game: Game) -> None:
    """Make the game known to OpenSpiel."""
    _games[game.name] = game

    class Loaded(SpielGame):
        """A class, as OpenSpiel lets go of it only when Python has ended: freeing a mere function then would crash."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, params)

    pyspiel.register_game(game_type(game), Loaded)


for _name in game_names():
    register(load_game(_name))
