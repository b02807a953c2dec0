"""What a training is told: a YAML file, validated before anything starts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, PrivateAttr, ValidationError

from duelbench.agents.catalogue import AgentSpec, parse_spec
from duelbench.agents.policy import PRETRAINED
from duelbench.agents.training import SettingsPart, TrainSettings
from duelbench.envs.decks import DeckChoice, DeckSource
from duelbench.envs.document import Document, read_document
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.registry import load_game
from duelbench.experiments.config_parts import check_rules, complaint, decks_of_config
from duelbench.experiments.decks import deck_choice, decks_as_data
from duelbench.experiments.estimates import MIN_DEALS
from duelbench.experiments.names import check_name

PANEL: dict[str, Any] = {
    "random": {"type": "random"},
    "heuristic": {"type": "heuristic"},
    "ismcts": {"type": "ismcts", "simulations": 100},
}


class EvaluationSettings(SettingsPart):
    """How the policy is measured while it learns."""

    every: int = Field(1_000_000, ge=1, description="decisions between two evaluations; there is one at either end too")
    deals: int = Field(
        100, ge=MIN_DEALS, le=10**6, description="deals against each opponent, always the same, played on both seats"
    )
    agents: dict[str, Any] = Field(PANEL, description="the opponents by name, each with its type and parameters")


class TrainingConfig(TrainSettings):
    """One training: the settings of a `train` section, and what it is about."""

    name: Annotated[str, Field(description="Name of the training and of its folder.")]
    game: Annotated[str, Field(description="The game that is learned, as listed by `duelbench games`.")]
    rules: dict[str, Any] = Field({}, description="Rule options that differ from their defaults.")
    decks: Annotated[Any, Field(description="For games with decks: what both seats draw from, as for a run.")] = None
    seed: Annotated[int, Field(ge=0, lt=2**63, description="Number from which everything random is derived.")] = 0
    evaluation: Annotated[EvaluationSettings, Field(description="How the policy is measured while it learns.")] = (
        EvaluationSettings()
    )
    checkpoint_every: Annotated[
        int, Field(ge=1, description="Decisions between two checkpoints: what an interruption can cost.")
    ] = 200_000

    _specs: dict[str, AgentSpec] = PrivateAttr(default_factory=dict)
    _decks: DeckSource | None = PrivateAttr(default=None)
    _folder: Path = PrivateAttr(default=Path())

    @property
    def settings(self) -> TrainSettings:
        """The settings of the learner alone."""
        return TrainSettings(**{name: getattr(self, name) for name in TrainSettings.model_fields})

    @property
    def panel(self) -> dict[str, AgentSpec]:
        """The opponents of the evaluations, parsed."""
        return self._specs

    @property
    def deck_choice(self) -> DeckChoice:
        """What both seats draw their decks from, for `Game.table`."""
        return deck_choice(self.load_game(), self._decks)

    @property
    def folder(self) -> Path:
        """Where relative paths in the config start: the folder of its file."""
        return self._folder

    def load_game(self) -> Game:
        return load_game(self.game)

    def resolved(self) -> dict[str, Any]:
        """The config as plain data with every default filled in; as YAML it loads to the same config."""
        game = self.load_game()
        decks = {} if self._decks is None else {"decks": decks_as_data(game, self._decks)}
        evaluation = self.evaluation.model_dump(mode="json")
        evaluation["agents"] = {name: spec.resolved() for name, spec in self._specs.items()}
        return {
            "name": self.name,
            "game": self.game,
            "rules": game.resolved_rules(self.rules),
            **decks,
            "seed": self.seed,
            **self.settings.model_dump(mode="json"),
            "evaluation": evaluation,
            "checkpoint_every": self.checkpoint_every,
        }


def load_training_config(path: str | Path) -> TrainingConfig:
    """The config in the YAML file at `path`; BadInput names file, line, key and what is allowed."""
    return _checked(read_document(path), Path(path).parent)


def make_training_config(data: Mapping[str, Any], folder: str | Path = ".") -> TrainingConfig:
    """The config given as plain data, checked like a file; relative paths in it start at `folder`."""
    return _checked(Document("config", dict(data), {}), Path(folder))


def _checked(document: Document, folder: Path) -> TrainingConfig:
    fields = TrainingConfig.model_fields
    given = {key: value for key, value in document.data.items() if value is not None or key not in fields}
    try:
        config = TrainingConfig.model_validate(given)
    except ValidationError as error:
        raise BadInput(complaint(document, TrainingConfig, error)) from None
    config._folder = folder.resolve()
    check_name(config.name, f"{document.where(('name',))}: name")
    check_rules(document, config.game, config.rules)
    config._decks = decks_of_config(document, config.load_game(), config.decks, folder)
    config._specs = {name: _opponent(document, config, name, raw) for name, raw in config.evaluation.agents.items()}
    return config


def _opponent(document: Document, config: TrainingConfig, name: str, raw: Any) -> AgentSpec:
    where = f"{document.where(('evaluation', 'agents', name))}: evaluation.agents"
    check_name(name, where)
    spec = parse_spec(raw, f"{where}.{name}").for_game(config.game)
    if spec.train is not None:
        raise BadInput(f"{where}.{name}: a training has no train sections; name the file of a policy as checkpoint")
    if spec.checkpoint is None or spec.checkpoint == PRETRAINED:
        return spec
    return spec.with_checkpoint(config.folder / spec.checkpoint)  # the config is read again in another folder
