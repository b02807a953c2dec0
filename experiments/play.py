"""A game between a person and an agent, decision by decision. Neither is given more than its seat may know."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duelbench.agents.agent import position_for, position_of
from duelbench.agents.catalogue import AgentSpec, make_agent, parse_spec
from duelbench.agents.ismcts import ISMCTSAgent
from duelbench.agents.search_agent import ActionReport
from duelbench.envs.decks import Deck, DeckSource
from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.game import Game
from duelbench.envs.records import is_whole
from duelbench.envs.rng import below, new_stream, next_bits
from duelbench.experiments.play_account import Account, account_of
from duelbench.experiments.play_file import Decks, SavedGame, table_of_decks
from duelbench.experiments.seeds import derived_seed

PERSON = "you"
"""The name of the person at the table."""


@dataclass(frozen=True)
class Setting:
    """Who plays what. Everything that chance decides follows from `seed`."""

    game: Game
    rules: Mapping[str, Any]
    """Every option with its value."""
    decks: Decks
    seat: int
    """Where the person sits."""
    opponent: AgentSpec
    name: str
    """The opponent's."""
    seed: int
    """Below 2**63."""

    @property
    def seats(self) -> tuple[str, str]:
        return (self.name, PERSON) if self.seat else (PERSON, self.name)


def random_seat(seed: int) -> int:
    return derived_seed(seed, "play", "seat") % 2


def drawn_deck(source: DeckSource, seed: int, seat: int) -> Deck | None:
    """One deck out of the pool that `seat` draws from; None for a random one, which the game itself deals."""
    if source.random:
        return None
    return source.decks[below(new_stream(derived_seed(seed, "play", "deck", seat)), len(source.decks))]


@dataclass(frozen=True)
class Step:
    """A decision that was taken, as the person may hear of it."""

    number: int
    """From 1 on; 0 for the deal."""
    seat: int | None
    """None for the deal."""
    action: str
    """What it was; empty for the deal and for the opponent's, which the person learns of by `news` alone."""
    news: tuple[str, ...]
    """What the person saw happen."""


def setting_of(saved: SavedGame, where: str) -> Setting:
    """The setting that a saved game was played in; BadInput, beginning with `where`, if its origin does not tell."""
    origin = saved.origin
    seed: Any = origin.get("seed")
    seat: Any = origin.get("seat")
    if not (is_whole(seed) and 0 <= seed < 2**63 and is_whole(seat) and seat in (0, 1)):
        raise BadInput(f"{where}: its origin does not tell seed and seat of the person")
    opponent = parse_spec(origin.get("opponent"), f"{where}: opponent").for_game(saved.game.name)
    return Setting(saved.game, saved.rules, saved.decks, seat, opponent, saved.seats[1 - seat], seed)


def ask_again(saved: SavedGame, where: str) -> str:
    """What the opponent of a saved game does otherwise when it is asked again, or an empty string."""
    live = LiveGame(setting_of(saved, where))
    if live.deal_seed != saved.deal_seed:
        return f"deal_seed is {saved.deal_seed}, should be {live.deal_seed}"
    for number, action in enumerate(saved.actions, 1):
        if live.my_turn:
            live.play(action)
            continue
        live.opponent_plays()
        if live.actions[-1] != action:
            return f"decision {number} is {action}, should be {live.actions[-1]}"
    return ""


class LiveGame:
    """The game as it is being played: call `opponent_plays` until it is the person's turn, then `play`."""

    def __init__(self, setting: Setting) -> None:
        """Deal. Raises BadInput when the opponent cannot be made."""
        game, seed = setting.game, setting.seed
        self.setting = setting
        self.game = game
        self.table = table_of_decks(game, setting.rules, setting.decks)
        self.state = game.dealt(self.table, self.deal_seed)
        self.actions: list[int] = []
        self.accounts: list[Account] = []
        """What the opponent considered, for each of its decisions."""
        self.steps: list[Step] = [Step(0, None, "", tuple(self._news()))]
        self._opponent = make_agent(game, self.table, setting.rules, setting.opponent, Path())
        self._stream = new_stream(derived_seed(seed, "play", "agent"))
        self._worlds = new_stream(derived_seed(seed, "play", "determinization"))
        self._opponent.begin(1 - setting.seat)

    @property
    def deal_seed(self) -> int:
        return derived_seed(self.setting.seed, "play", "deal")

    @property
    def over(self) -> bool:
        return bool(self.state.over)

    @property
    def my_turn(self) -> bool:
        return not self.over and int(self.state.to_act) == self.setting.seat

    def described(self) -> str:
        """The table as the person sees it."""
        return self.game.describe(self.table, self.state, self.setting.seat)

    def legal(self) -> dict[int, str]:
        """The person's legal actions with their names."""
        actions = self.game.legal_actions(self.table, self.state)
        return {action: self.game.action_name(self.table, self.state, action) for action in actions}

    def play(self, action: int) -> None:
        """The person's decision; IllegalAction refuses it and changes nothing."""
        self._carry_out(action, self.game.action_name(self.table, self.state, action))

    def opponent_plays(self) -> None:
        """One decision of the opponent. Raises BadInput when it fails or answers with an illegal action."""
        number = len(self.actions) + 1
        seed = int(next_bits(self._worlds))
        position = position_for(self._opponent, self.game, self.table, self.state, seed)
        before = getattr(self._opponent, "last_search", None)
        try:
            action = int(self._opponent.act(position, self._stream))
            self.game.check_action(self.table, self.state, action)
        except IllegalAction as error:
            raise BadInput(f"{self.setting.name} answers with an illegal action: {error}") from None
        except (Exception, SystemExit) as error:
            told = " ".join(f"{type(error).__name__}: {error}".split())
            raise BadInput(f"{self.setting.name} failed at decision {number}: {told}") from error
        self.accounts.append(account_of(number, self._opponent, self.setting.opponent, position, action, before))
        self._carry_out(action, "")

    def hint(self, simulations: int) -> list[ActionReport]:
        """What a search thinks of the person's legal actions, best first. It leaves the game as it is."""
        if not self.my_turn:
            raise ValueError("a hint is for a decision of the person's")
        seed = derived_seed(self.setting.seed, "play", "hint", len(self.actions))
        agent = ISMCTSAgent(self.game, self.table, simulations)
        return agent.explain(position_of(self.game, self.table, self.state, seed), new_stream(seed))

    def saved(self) -> SavedGame:
        """The game so far, for a file."""
        s = self.setting
        origin = {"seed": s.seed, "seat": s.seat, "opponent": s.opponent.resolved()}
        winner = int(self.state.winner) if self.over else None
        reason = self.game.reasons[int(self.state.reason)] if self.over else None
        return SavedGame(s.game, s.rules, s.decks, s.seats, self.deal_seed, tuple(self.actions), winner, reason, origin)

    def _carry_out(self, action: int, told: str) -> None:
        seat = int(self.state.to_act)
        self.game.play(self.table, self.state, action)
        self.actions.append(action)
        self.steps.append(Step(len(self.actions), seat, told, tuple(self._news())))

    def _news(self) -> Iterator[str]:
        for event in self.game.events(self.state):
            told = self.game.event_told(self.table, event, self.setting.seat)
            if told:
                yield told
