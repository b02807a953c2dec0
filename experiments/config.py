"""What a run is told: a YAML file, validated before anything starts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from duelbench.agents.catalogue import AgentSpec, parse_spec
from duelbench.agents.training import TrainSettings
from duelbench.envs.decks import RANDOM, Deck, DeckChoice, DeckSource
from duelbench.envs.document import Document, Location, read_document
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game, did_you_mean
from duelbench.envs.patches import Patches
from duelbench.envs.registry import load_game
from duelbench.experiments.balance_changes import Asked, asked
from duelbench.experiments.balance_config import Balance
from duelbench.experiments.config_parts import check_cards, check_rules, complaint, decks_of_config
from duelbench.experiments.decks import NO_DECKS, deck_choice, decks_as_data
from duelbench.experiments.designs import ROUND_ROBIN, pairs_of
from duelbench.experiments.names import check_name
from duelbench.experiments.stopping import Stop, StopSettings
from duelbench.experiments.variants import Variant, read_variants, with_patches

Pair = tuple[str, str]


class RunConfig(BaseModel):
    """A round robin: which agents play which game, with which decks, on how many deals."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: Annotated[str, Field(description="Name of the run and of its folder.")]
    game: Annotated[str, Field(description="The game that is played, as listed by `duelbench games`.")]
    rules: Annotated[dict[str, Any], Field(description="Rule options that differ from their defaults.")] = {}
    cards: Annotated[
        dict[str, dict[str, Any]],
        Field(description="Cards by their ids, with what is changed about them, as listed by `duelbench games NAME`."),
    ] = {}
    vary: Annotated[
        dict[str, Any] | None,
        Field(description="Rules and cards with lists of values; the deals are played in every combination."),
    ] = None
    balance: Annotated[
        Balance | None,
        Field(description="What is asked about single cards and rules, each agent playing against itself."),
    ] = None
    decks: Annotated[
        Any,
        Field(description="For games with decks: random, a list of deck files and folders, or decks by their names."),
    ] = None
    seed: Annotated[int, Field(ge=0, lt=2**63, description="Number from which every seed of the run is derived.")] = 0
    deals: Annotated[
        int, Field(ge=1, le=10**8, description="Deals per matchup; each is played twice, with the seats swapped.")
    ] = 100
    deals_with: Annotated[
        dict[str, Annotated[int, Field(ge=1, le=10**8)]],
        Field(description="By the name of an agent, the most deals that a matchup with it has; the least one counts."),
    ] = {}
    stop: Annotated[
        StopSettings | None,
        Field(description="When a matchup has had enough deals before all are played: half_width, or sprt."),
    ] = None
    agents: Annotated[dict[str, Any], Field(description="Agents by name, each with its type and parameters.")]
    train: Annotated[dict[str, Any], Field(description="Trainings by name, whose results agents may refer to.")] = {}
    design: Annotated[
        Any,
        Field(description="Who meets whom: round_robin, ladder (neighbours in the list), or {one_vs_all: NAME}."),
    ] = None
    matchups: Annotated[
        list[Annotated[list[str], Field(min_length=2, max_length=2)]] | None,
        Field(description="Pairs of agents that meet (with named decks also one and itself); without it, all pairs."),
    ] = None

    _specs: dict[str, AgentSpec] = PrivateAttr(default_factory=dict)
    _settings: dict[str, TrainSettings] = PrivateAttr(default_factory=dict)
    _decks: DeckSource | None = PrivateAttr(default=None)
    _folder: Path = PrivateAttr(default=Path())
    _variants: dict[str, Variant] = PrivateAttr(default_factory=lambda: {"": Variant()})
    _asked: Asked | None = PrivateAttr(default=None)
    _kept: dict[str, object] = PrivateAttr(default_factory=dict)

    @property
    def specs(self) -> dict[str, AgentSpec]:
        """The agents, parsed."""
        return self._specs

    @property
    def settings(self) -> dict[str, TrainSettings]:
        """The trainings, parsed."""
        return self._settings

    @property
    def named_decks(self) -> dict[str, Deck]:
        """The decks by name, in the order of their names; empty for random decks and games without decks."""
        return {deck.name: deck for deck in self._decks.decks} if self._decks else {}

    @property
    def unnamed_deck(self) -> str:
        """What stands for a deck where there are no named ones."""
        return NO_DECKS if self._decks is None else RANDOM

    @property
    def deck_choice(self) -> DeckChoice:
        """All decks of the run, for `Game.table`."""
        return deck_choice(self.load_game(), self._decks)

    @property
    def variants(self) -> dict[str, Variant]:
        """The variants of the game by name, in the order in which they are played."""
        return self._variants

    def rules_of(self, variant: str) -> dict[str, Any]:
        """The rule options of a variant that differ from their defaults."""
        return {**self.rules, **self._variants[variant].rules}

    def cards_of(self, variant: str) -> Patches:
        """What is changed about cards in a variant."""
        one = self._variants[variant]
        kept = {card: fields for card, fields in self.cards.items() if card != one.replaced}
        return with_patches(kept, one.cards)

    @property
    def asked(self) -> Asked | None:
        """What the section `balance` asks for; None without one."""
        return self._asked

    @property
    def kept(self) -> dict[str, object]:
        """Where what follows from the config alone may be kept, so that it is made once."""
        return self._kept

    @property
    def folder(self) -> Path:
        """Where relative paths in the config start: the folder of its file."""
        return self._folder

    @property
    def pairs(self) -> list[Pair]:
        """The matchups in the order in which they are numbered."""
        if self.matchups is None and self.balance is not None:
            return [(name, name) for name in self.agents]
        if self.matchups is None:
            return pairs_of(ROUND_ROBIN if self.design is None else self.design, list(self.agents), "design")
        return [(first, second) for first, second in self.matchups]

    def deals_of(self, pair: Pair) -> int:
        """How many deals the matchup has: `deals`, or fewer with an agent that `deals_with` names."""
        return min([self.deals, *(self.deals_with[name] for name in pair if name in self.deals_with)])

    def load_game(self) -> Game:
        return load_game(self.game)

    def resolved(self) -> dict[str, Any]:
        """The config as plain data with every default filled in; as YAML it loads to the same config."""
        game = self.load_game()
        decks = {} if self._decks is None else {"decks": decks_as_data(game, self._decks)}
        fewer = {"deals_with": dict(self.deals_with)} if self.deals_with else {}
        return {
            "name": self.name,
            "game": self.game,
            "rules": game.resolved_rules(self.rules),
            **({"cards": {card: dict(fields) for card, fields in self.cards.items()}} if self.cards else {}),
            **({"vary": self.vary} if self.vary else {}),
            **({"balance": self.balance.resolved()} if self.balance else {}),
            **decks,
            "seed": self.seed,
            "deals": self.deals,
            **fewer,
            **({"stop": self.stop.model_dump(mode="json", exclude_none=True)} if self.stop else {}),
            "agents": {name: spec.resolved() for name, spec in self._specs.items()},
            "train": {name: settings.model_dump(mode="json") for name, settings in self._settings.items()},
            "matchups": [list(pair) for pair in self.pairs],
        }


def load_config(path: str | Path, agents_play: bool = True) -> RunConfig:
    """The config in the YAML file at `path`; BadInput names file, line, key and what is allowed.

    Where the agents are not to play, those from other modules are taken as they stand and their code is not run.
    """
    return _checked(read_document(path), Path(path).parent, agents_play)


def make_config(data: Mapping[str, Any], folder: str | Path = ".") -> RunConfig:
    """The config given as plain data, checked like a file; relative paths in it start at `folder`."""
    return _checked(Document("config", dict(data), {}), Path(folder))


def _checked(document: Document, folder: Path, agents_play: bool = True) -> RunConfig:
    fields = RunConfig.model_fields
    given = {key: value for key, value in document.data.items() if value is not None or key not in fields}
    try:
        config = RunConfig.model_validate(given)
    except ValidationError as error:
        raise BadInput(complaint(document, RunConfig, error, ())) from None
    config._folder = folder.resolve()
    _check_names(document, config)
    check_rules(document, config.game, config.rules)
    check_cards(document, config.game, config.cards)
    config._asked = _read_balance(document, config)
    config._variants = dict(config._asked.variants) if config._asked else _read_variants(document, config)
    config._decks = decks_of_config(document, config.load_game(), config.decks, folder)
    _check_number_of_agents(document, config)
    config._settings = _parse_trainings(document, config)
    config._specs = _parse_agents(document, config, agents_play)
    _check_variants(document, config)
    _check_deals_with(document, config)
    _check_stop(document, config)
    _check_matchups(document, config)
    return config


def _check_names(document: Document, config: RunConfig) -> None:
    check_name(config.name, f"{document.where(('name',))}: name")
    for section in ("agents", "train"):
        for name in getattr(config, section):
            check_name(name, f"{document.where((section, name))}: {section}")


def _read_variants(document: Document, config: RunConfig) -> dict[str, Variant]:
    def where(location: Location) -> str:
        return f"{document.where(('vary', *location))}: {'.'.join(map(str, ('vary', *location)))}"

    return {one.name: one for one in read_variants(config.load_game(), config.vary, where)}


def _read_balance(document: Document, config: RunConfig) -> Asked | None:
    def where(location: Location) -> str:
        return f"{document.where(('balance', *location))}: {'.'.join(map(str, ('balance', *location)))}"

    if config.balance is None:
        return None
    if config.vary is not None:
        raise BadInput(f"{document.where(('vary',))}: vary: found beside balance, which has variants of its own")
    return asked(config.load_game(), config.rules, config.cards, config.balance, where)


def _check_number_of_agents(document: Document, config: RunConfig) -> None:
    if config.balance is not None and len(config.named_decks) == 1:
        where = document.where(("decks",))
        raise BadInput(f"{where}: decks: found one deck, which cannot swap seats; expected two or more, or random")
    if len(config.agents) < (1 if len(config.named_decks) > 1 or config.balance else 2):
        decks = "" if config.load_game().deck_rules is None else ", or one and two named decks to compare"
        where = document.where(("agents",))
        told = f"expected at least two{decks}, or a section balance"
        raise BadInput(f"{where}: agents: found {len(config.agents)}, {told}")


def _parse_trainings(document: Document, config: RunConfig) -> dict[str, TrainSettings]:
    parsed = {}
    for name, raw in config.train.items():
        try:
            parsed[name] = TrainSettings.model_validate(raw)
        except ValidationError as error:
            raise BadInput(complaint(document, TrainSettings, error, ("train", name))) from None
    return parsed


def _parse_agents(document: Document, config: RunConfig, agents_play: bool) -> dict[str, AgentSpec]:
    specs = {}
    for name, raw in config.agents.items():
        kind = raw.get("type") if isinstance(raw, dict) else None
        if not agents_play and isinstance(kind, str) and ":" in kind:
            parameters = {key: value for key, value in raw.items() if key != "type"}
            specs[name] = AgentSpec(kind, parameters, _agent_at(document, name))
            continue
        specs[name] = _parse_agent(document, name, raw).for_game(config.game)
        training = specs[name].train
        if training is not None and training not in config.train:
            where = _agent_at(document, name, "train")
            raise BadInput(f"{where}: no train section {training!r}{did_you_mean(training, config.train)}")
    return specs


def _parse_agent(document: Document, name: str, raw: Any) -> AgentSpec:
    try:
        return parse_spec(raw, _agent_at(document, name))
    except BadInput as error:
        if isinstance(raw, dict):
            _blame_one_key(document, name, raw, str(error).removeprefix(_agent_at(document, name)))
        raise


def _blame_one_key(document: Document, name: str, raw: dict[str, Any], complaint: str) -> None:
    """Raise the complaint with the line of the key that causes it alone, if there is one."""
    for key in raw:
        where = _agent_at(document, name, key)
        try:
            parse_spec({"type": raw.get("type"), key: raw[key]}, where)
        except BadInput as error:
            if str(error) == where + complaint:
                raise


def _agent_at(document: Document, name: str, *key: str) -> str:
    return f"{document.where(('agents', name, *key))}: agents.{name}"


def _check_deals_with(document: Document, config: RunConfig) -> None:
    for name in config.deals_with:
        if name not in config.agents:
            where = f"{document.where(('deals_with', name))}: deals_with"
            raise BadInput(f"{where}: unknown agent {name!r}{did_you_mean(name, config.agents)}")


def _check_variants(document: Document, config: RunConfig) -> None:
    """What a variant changes has to go together with what the config changes anyway."""
    game = config.load_game()
    for variant in config.variants.values() if config.cards else ():
        if variant.cards:
            game.check_patches(config.cards_of(variant.name), f"{document.where(('cards',))}: with {variant.name}")


def _check_stop(document: Document, config: RunConfig) -> None:
    if config.stop is None:
        return
    where = f"{document.where(('stop',))}: stop"
    if config.balance is not None:
        raise BadInput(f"{where}: stands beside balance, whose variants play the same deals; allowed: one of them")
    for first, second in config.pairs:
        if first == second:
            raise BadInput(f"{where}: {first!r} meets itself; allowed: matchups of two agents, one of which may lead")
    most = max(config.deals_of(pair) for pair in config.pairs)
    if not Stop(config.stop).looks(most):
        looks = f"min_deals {config.stop.min_deals}, look_every {config.stop.look_every}"
        raise BadInput(f"{where}: {looks}: never looks within the {most} deals of a matchup; expected fewer")


def _check_matchups(document: Document, config: RunConfig) -> None:
    if config.design is not None:
        where = f"{document.where(('design',))}: design"
        if config.matchups is not None:
            raise BadInput(f"{where}: stands beside matchups; allowed: one of them")
        pairs_of(config.design, list(config.agents), where)
    if config.matchups == []:
        raise BadInput(f"{document.where(('matchups',))}: matchups: found none, expected at least one pair of agents")
    seen = set()
    for i, (first, second) in enumerate(config.matchups or []):
        where = f"{document.where(('matchups', i))}: matchups"
        for name in (first, second):
            if name not in config.agents:
                raise BadInput(f"{where}: unknown agent {name!r}{did_you_mean(name, config.agents)}")
        if config.balance is not None and first != second:
            raise BadInput(f"{where}: {first!r} and {second!r}; beside balance an agent plays against itself")
        if first == second and len(config.named_decks) < 2 and config.balance is None:
            only = "" if config.load_game().deck_rules is None else " is for comparing two named decks or more"
            raise BadInput(f"{where}: {first!r} against itself{only}; give the same agent a second name instead")
        if frozenset((first, second)) in seen:
            raise BadInput(f"{where}: {first!r} and {second!r} meet twice; allowed: each pair once, in either order")
        seen.add(frozenset((first, second)))
