"""What a search for decks is told: a YAML file, validated before anything starts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from duelbench.agents.catalogue import AgentSpec, parse_spec
from duelbench.agents.policy import PRETRAINED
from duelbench.envs.decks import Deck, DeckSource
from duelbench.envs.document import Document, read_document
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.registry import load_game
from duelbench.experiments.config_parts import check_cards, check_rules, complaint, decks_of_config
from duelbench.experiments.decks import decks_as_data
from duelbench.experiments.estimates import MIN_DEALS
from duelbench.experiments.names import check_name

_Deals = Annotated[int, Field(ge=MIN_DEALS, le=10**6)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SearchSettings(_Section):
    """How a round looks for a deck that beats the mixture."""

    population: Annotated[int, Field(ge=4, le=10_000, description="decks that a generation begins with")] = 32
    generations: Annotated[int, Field(ge=1, le=1000, description="generations of a round")] = 4
    deals: Annotated[_Deals, Field(description="deals of a newcomer against the mixture")] = 40
    changes: Annotated[int, Field(ge=1, le=30, description="the most cards in which a child differs")] = 3


class MetagameConfig(_Section):
    """A growing pool of decks, played by one agent on both sides, and the mixture that no deck of it beats."""

    name: Annotated[str, Field(description="Name of the search and of its folder.")]
    game: Annotated[str, Field(description="A game with decks, as listed by `duelbench games`.")]
    rules: Annotated[dict[str, Any], Field(description="Rule options that differ from their defaults.")] = {}
    cards: Annotated[dict[str, dict[str, Any]], Field(description="What is changed about cards.")] = {}
    decks: Annotated[Any, Field(description="The decks that the pool begins with: files, folders, or by name.")]
    seed: Annotated[int, Field(ge=0, lt=2**63, description="Number from which everything random is derived.")] = 0
    agent: Annotated[dict[str, Any], Field(description="The agent that plays all decks, with its parameters.")]
    rounds: Annotated[int, Field(ge=1, le=1000, description="The most rounds; each may add one deck.")] = 10
    patience: Annotated[int, Field(ge=1, le=1000, description="Rounds without a better deck that end the search.")] = 2
    search: Annotated[SearchSettings, Field(description="How a round looks for a better deck.")] = SearchSettings()
    pool_deals: Annotated[_Deals, Field(description="Deals between any two decks of the pool.")] = 200
    confirm_deals: Annotated[_Deals, Field(description="Fresh deals that a new deck has to prove itself in.")] = 400
    validation_deals: Annotated[_Deals, Field(description="Fresh deals of any two decks in the final table.")] = 400
    check_with: Annotated[
        dict[str, Any], Field(description="Further agents by name that play the final table, with their parameters.")
    ] = {}
    check_deals: Annotated[_Deals, Field(description="Deals of any two decks that each of them plays there.")] = 30

    _spec: AgentSpec | None = PrivateAttr(default=None)
    _decks: tuple[Deck, ...] = PrivateAttr(default=())
    _folder: Path = PrivateAttr(default=Path())

    @property
    def spec(self) -> AgentSpec:
        """The agent, parsed."""
        assert self._spec is not None
        return self._spec

    @property
    def first_decks(self) -> tuple[Deck, ...]:
        """What the pool begins with, in the order of their names."""
        return self._decks

    @property
    def folder(self) -> Path:
        """Where relative paths in the config start: the folder of its file."""
        return self._folder

    def load_game(self) -> Game:
        return load_game(self.game)

    def resolved(self) -> dict[str, Any]:
        """The config as plain data with every default filled in; as YAML it loads to the same config."""
        game, data = self.load_game(), self.model_dump(mode="json")
        data["rules"] = game.resolved_rules(self.rules)
        data["decks"] = _as_data(game, self._decks)
        data["agent"] = self.spec.resolved()
        return data


def load_metagame_config(path: str | Path) -> MetagameConfig:
    """The config in the YAML file at `path`; BadInput names file, line, key and what is allowed."""
    return _checked(read_document(path), Path(path).parent)


def make_metagame_config(data: Mapping[str, Any], folder: str | Path = ".") -> MetagameConfig:
    """The config given as plain data, checked like a file; relative paths in it start at `folder`."""
    return _checked(Document("config", dict(data), {}), Path(folder))


def _checked(document: Document, folder: Path) -> MetagameConfig:
    try:
        config = MetagameConfig.model_validate(document.data)
    except ValidationError as error:
        raise BadInput(complaint(document, MetagameConfig, error)) from None
    config._folder = folder.resolve()
    check_name(config.name, f"{document.where(('name',))}: name")
    check_rules(document, config.game, config.rules)
    check_cards(document, config.game, config.cards)
    config._decks = _decks(document, config, folder)
    config._spec = _agent(document, config, config.agent, ("agent",))
    for name, raw in config.check_with.items():
        check_name(name, f"{document.where(('check_with', name))}: check_with")
        _agent(document, config, raw, ("check_with", name))
    return config


def _decks(document: Document, config: MetagameConfig, folder: Path) -> tuple[Deck, ...]:
    where = f"{document.where(('decks',))}: decks"
    game = config.load_game()
    if game.deck_rules is None:
        raise BadInput(f"{document.where(('game',))}: game: {game.name} is played without decks")
    source = decks_of_config(document, game, config.decks, folder)
    if source is None or len(source.decks) < 2:
        found = "random decks" if source is None or source.random else "one deck"
        raise BadInput(f"{where}: found {found}, expected at least two named decks to begin with")
    return source.decks


def _agent(document: Document, config: MetagameConfig, raw: Any, place: tuple[str, ...]) -> AgentSpec:
    where = f"{document.where(place)}: {'.'.join(place)}"
    spec = parse_spec(raw, where).for_game(config.game)
    if spec.train is not None:
        raise BadInput(f"{where}: a search has no train sections; name the file of a policy as checkpoint")
    if spec.checkpoint is None or spec.checkpoint == PRETRAINED:
        return spec
    return spec.with_checkpoint(config.folder / spec.checkpoint)


def _as_data(game: Game, decks: tuple[Deck, ...]) -> Any:
    return decks_as_data(game, DeckSource(decks=decks))
