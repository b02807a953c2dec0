"""The agents of a run, ready to play: made once per process and asked for many games."""

from pathlib import Path

import numpy as np

from duelbench.agents.agent import Agent, position_for
from duelbench.agents.catalogue import AgentSpec, make_agent
from duelbench.agents.policy import policy_file
from duelbench.envs.decks import SEATS
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.rng import new_stream
from duelbench.experiments.atomic import write_bytes
from duelbench.experiments.config import RunConfig
from duelbench.experiments.folder import checkpoint_path, given_checkpoint_path
from duelbench.experiments.match import GameRow, play_game
from duelbench.experiments.plan import PlannedGame


class Players:
    """Game, rules, decks and agents of the run in `folder`.

    `table` has all decks of the run and is what agents are made with: once a game is dealt, all tables are alike.
    """

    def __init__(self, folder: Path, config: RunConfig) -> None:
        self.folder = folder
        self.config = config
        self.game = config.load_game()
        self.table = table_of_all(self.game, config, self.first_variant)
        self._tables: dict[tuple[str, tuple[str, str]], np.record] = {}
        self._agents: dict[tuple[str, int], Agent] = {}
        self._variant = self.first_variant

    @property
    def first_variant(self) -> str:
        return next(iter(self.config.variants))

    def table_of(self, decks: tuple[str, str], variant: str) -> np.record:
        """The table of games of a variant with the decks of these names on seats 0 and 1."""
        if (variant, decks) not in self._tables:
            self._tables[variant, decks] = table_of(self.game, self.config, decks, variant)
        return self._tables[variant, decks]

    def agent(self, name: str, copy: int = 0, variant: str | None = None) -> Agent:
        """The agent called `name`; BadInput when it cannot be made, as with a checkpoint that does not fit.

        Each `copy` is an agent of its own: they may have memories. Agents are made anew for every `variant` (None:
        the first), as they may think about the cards when they are made.
        """
        self._turn_to(self.first_variant if variant is None else variant)
        if (name, copy) not in self._agents:
            # A trained policy must fit the game as configured; in its variants it plays as it was trained.
            spec, rules = playing_spec(self.folder, self.config, name), self.config.rules
            self._agents[name, copy] = make_agent(self.game, self.table, rules, spec, Path())
        return self._agents[name, copy]

    def _turn_to(self, variant: str) -> None:
        if variant != self._variant:
            self._variant = variant
            self.table = table_of_all(self.game, self.config, variant)
            self._agents.clear()
            self._tables.clear()

    def check(self, name: str) -> None:
        """Raise BadInput unless the agent can be made from the config as it stands, before it is in the folder."""
        make_agent(self.game, self.table, self.config.rules, self.config.specs[name], self.config.folder)

    def pair(self, names: tuple[str, str], variant: str) -> tuple[Agent, Agent]:
        """Both agents of a game; two of them where one meets itself."""
        first, second = names
        return self.agent(first, 0, variant), self.agent(second, int(first == second), variant)

    def play(self, planned: PlannedGame) -> GameRow:
        agents = self.pair(planned.seats, planned.variant)
        never = self.config.variants[planned.variant].never
        if never:
            agents = self._restricted(agents, planned, never)
        return play_game(self.game, self.table_of(planned.decks, planned.variant), agents, planned)

    def _restricted(self, agents: tuple[Agent, Agent], planned: PlannedGame, card: str) -> tuple[Agent, Agent]:
        """The agents, the holder of the card kept from playing it; such games are planned where there is a holder."""
        from duelbench.agents.restricted import restricted  # loads the searches

        assert self.game.start_cards is not None, "a config with such a variant is refused for this game"
        table = self.table_of(planned.decks, planned.variant)
        copies = self.game.start_cards(table, self.game.dealt(table, planned.seeds.deal))
        first, second = copies[:, self.game.card_ids.index(card)]
        if first > second:
            return restricted(agents[0], self.game, (card,), (), "balance"), agents[1]
        return agents[0], restricted(agents[1], self.game, (card,), (), "balance")

    def ask_once(self, name: str) -> None:
        """Let the agent answer once, so that everything it needs is compiled; BadInput when it fails."""
        agent = self.agent(name)
        position = position_for(agent, self.game, self.table, self.game.dealt(self.table, 0), 0)
        try:
            agent.begin(position.seat)
            agent.act(position, new_stream(0))
        except (Exception, SystemExit) as error:
            told = " ".join(f"{type(error).__name__}: {error}".split())
            raise BadInput(f"agent {name!r} failed on its first decision: {told}") from error


def table_of(game: Game, config: RunConfig, decks: tuple[str, str], variant: str) -> np.record:
    """The table of games with the decks of these names on seats 0 and 1.

    KeyError where the run has no such decks or no such variant.
    """
    if not config.named_decks:
        if decks != (config.unnamed_deck, config.unnamed_deck):
            raise KeyError(decks)
        return table_of_all(game, config, variant)
    by_seat = {seat: config.named_decks[name] for seat, name in zip(SEATS, decks, strict=True)}
    return game.table(config.rules_of(variant), decks=by_seat, cards=config.cards_of(variant))


def table_of_all(game: Game, config: RunConfig, variant: str) -> np.record:
    """The table of a variant with all decks of the run; KeyError where the run has no such variant."""
    return game.table(config.rules_of(variant), decks=config.deck_choice, cards=config.cards_of(variant))


def playing_spec(folder: Path, config: RunConfig, name: str) -> AgentSpec:
    """The agent's spec with its checkpoint, if it plays one, taken from the run folder."""
    spec = config.specs[name]
    if spec.train is not None:
        return spec.with_checkpoint(checkpoint_path(folder, spec.train))
    if given_checkpoint(spec) is not None:
        return spec.with_checkpoint(given_checkpoint_path(folder, name))
    return spec


def given_checkpoint(spec: AgentSpec) -> str | None:
    """The checkpoint file that the config names for an agent."""
    return spec.checkpoint


def keep_given_checkpoints(players: Players) -> None:
    """Copy the policies that the config names, so that the run stays whole when their files move or change."""
    for name, spec in players.config.specs.items():
        given = given_checkpoint(spec)
        if given is None:
            continue
        source = policy_file(given, players.game.name, players.config.folder)
        kept = given_checkpoint_path(players.folder, name)
        if not kept.exists():
            players.check(name)
            write_bytes(kept, source.read_bytes())
        elif source.is_file() and source.read_bytes() != kept.read_bytes():
            raise BadInput(f"{spec.where}: checkpoint {source} is not the file that this run began with ({kept})")
