"""Agents by name: what a config writes as `{type: ismcts, simulations: 1000}` becomes a player.

A type is one of `_TYPES`, the name of an entry point in the group `duelbench.agents`, or `module:Class`. A class
from elsewhere derives from `duelbench.agents.agent.Agent`, is made as `Class(game, table, **parameters)`, and the
keyword parameters of its constructor are what a config may set.
"""

import importlib
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from importlib.metadata import entry_points
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from duelbench.agents.search_defaults import SearchDefaults, search_defaults
from duelbench.envs.errors import BadInput

if TYPE_CHECKING:
    import numpy as np

    from duelbench.agents.agent import Agent
    from duelbench.agents.parameters import Parameters
    from duelbench.envs.game import Game

ENTRY_POINTS = "duelbench.agents"

_TYPES = {
    "random": ("plays each legal action with the same probability", "RandomParameters"),
    "heuristic": ("a hand-written player of the game, if it has one", "HeuristicParameters"),
    "ismcts": ("multiple-observer information-set Monte Carlo tree search (Cowling et al. 2012)", "ISMCTSParameters"),
    "ppo": ("plays a policy trained by self-play with maskable PPO", "PPOParameters"),
    "puct": ("ismcts led by a trained policy and its value, as in AlphaZero (Silver et al. 2018)", "PUCTParameters"),
    "soismcts": (
        "single-observer ismcts: one tree, of the searcher's view (Cowling et al. 2012)",
        "SOISMCTSParameters",
    ),
    "pimc": ("drawn worlds searched by UCT as if all were open, votes added up (Ginsberg 2001)", "PIMCParameters"),
    "flat_mc": ("play-outs after each action in drawn worlds, without a tree (Abramson 1990)", "FlatMCParameters"),
    "oracle_mcts": ("cheats: UCT that sees the hidden cards; a yardstick outside the ratings", "OracleMCTSParameters"),
}
_CLASSES = {
    "random": "duelbench.agents.random_agent:RandomAgent",
    "heuristic": "duelbench.agents.heuristic:heuristic_player",
    "ismcts": "duelbench.agents.ismcts:ISMCTSAgent",
    "ppo": "duelbench.agents.ppo:PPOAgent",
    "puct": "duelbench.agents.puct:PUCTAgent",
    "soismcts": "duelbench.agents.soismcts:SOISMCTSAgent",
    "pimc": "duelbench.agents.pimc:PIMCAgent",
    "flat_mc": "duelbench.agents.flat_mc:FlatMCAgent",
    "oracle_mcts": "duelbench.agents.oracle_mcts:OracleMCTSAgent",
}
_WITH_POLICY = ("ppo", "puct")
"""Types that play with a trained policy."""
_SET_BY_GAME = ("ismcts", "soismcts", "pimc", "flat_mc", "oracle_mcts")
"""Types whose parameters named in SearchDefaults have a default of each game."""

RESTRICTIONS = ("never", "always")
"""Keys that any agent may have: cards that it is kept from playing, and that it has to play (`agents.restricted`)."""


@dataclass(frozen=True)
class Parameter:
    """One key that may be set on a type of agent."""

    name: str
    type: str
    default: Any
    meaning: str
    by_game: bool = False
    """Whether the default None stands for a value that each game has for itself."""


@dataclass(frozen=True)
class AgentType:
    """One type of agent, as `duelbench agents` lists it."""

    name: str
    meaning: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class AgentSpec:
    """A checked description of an agent. `where` begins the errors that show only when it is made."""

    type: str
    parameters: Mapping[str, Any]
    """Every parameter with its value, defaults filled in; None where nothing is set or the game's own default holds."""
    where: str = field(default="agent", compare=False)
    never: tuple[str, ...] = ()
    """Ids of cards that the agent is kept from playing (`agents.restricted`), and of those that it has to play."""
    always: tuple[str, ...] = ()

    @property
    def train(self) -> str | None:
        """The train section whose policy the agent plays, None if it needs no training."""
        return self.parameters.get("train") if self.type in _WITH_POLICY else None

    @property
    def checkpoint(self) -> str | None:
        """The file of the policy that the agent plays, None if none is named or it plays none."""
        return self.parameters.get("checkpoint") if self.type in _WITH_POLICY else None

    @property
    def sees_everything(self) -> bool:
        """Whether the agent is given the true state (`agents.agent.OpenPosition`) and so stays out of ratings."""
        return self.type == "oracle_mcts"

    def resolved(self) -> dict[str, Any]:
        """The mapping a config would have to contain to say everything; parameters without a value are left out."""
        set_ones = {name: value for name, value in self.parameters.items() if value is not None}
        limits = {"never": list(self.never), "always": list(self.always)}
        return {"type": self.type} | set_ones | {name: cards for name, cards in limits.items() if cards}

    def for_game(self, name: str) -> "AgentSpec":
        """The same agent with the defaults of the game of that name filled in."""
        if self.type not in _SET_BY_GAME:
            return self
        open_ones = {key for key, value in self.parameters.items() if value is None}
        own = {key: value for key, value in asdict(search_defaults(name)).items() if key in open_ones}
        return replace(self, parameters={**self.parameters, **own})

    def with_checkpoint(self, path: str | Path) -> "AgentSpec":
        """The same agent with its trained policy at hand."""
        return replace(self, parameters={**self.parameters, "checkpoint": str(path), "train": None})


def agent_types() -> list[AgentType]:
    """The types a config may name without a module: ours, then those of installed packages."""
    ours = [AgentType(name, meaning, _described(name)) for name, (meaning, _) in _TYPES.items()]
    theirs = [AgentType(point.name, f"from {point.value}", ()) for point in entry_points(group=ENTRY_POINTS)]
    return ours + sorted(theirs, key=lambda kind: kind.name)


def parse_spec(raw: Any, where: str) -> AgentSpec:
    """Check an agent's mapping from a config; raises BadInput, beginning with `where`, for whatever is wrong."""
    if not isinstance(raw, Mapping):
        raise BadInput(f"{where}: expected a mapping such as {{type: ismcts, simulations: 1000}}, found {raw!r}")
    kind = raw.get("type")
    if not isinstance(kind, str):
        found = f"is {kind!r}" if "type" in raw else "is missing"
        raise BadInput(f"{where}: type {found}; allowed: {', '.join(_known_types())}, or module:Class")
    given = {name: value for name, value in raw.items() if name not in ("type", *RESTRICTIONS)}
    limits = {name: _card_ids(raw[name], f"{where}: {name}") for name in RESTRICTIONS if name in raw}
    if kind in _TYPES:
        return AgentSpec(kind, _checked(kind, given, where), where, **limits)
    return AgentSpec(kind, _checked_by_signature(_foreign_class(kind, where), kind, given, where), where, **limits)


def _card_ids(given: Any, where: str) -> tuple[str, ...]:
    if not isinstance(given, list | tuple) or not given or not all(isinstance(card, str) for card in given):
        raise BadInput(f"{where} is {given!r}; expected a list of card ids")
    return tuple(given)


def make_agent(game: "Game", table: "np.record", rules: Mapping[str, Any], spec: AgentSpec, folder: Path) -> "Agent":
    """The agent, ready to play `game` under `table`, which was built from `rules`.

    Relative paths of checkpoints start from `folder`. Raises BadInput when the agent does not fit the game.
    """
    agent = _unrestricted(game, table, rules, spec, folder)
    if not (spec.never or spec.always):
        return agent
    from duelbench.agents.restricted import restricted

    return restricted(agent, game, spec.never, spec.always, spec.where)


def _unrestricted(game: "Game", table: "np.record", rules: Mapping[str, Any], spec: AgentSpec, folder: Path) -> "Agent":
    if spec.type not in _TYPES:
        return _foreign_agent(game, table, spec)
    make: Callable[..., Agent] = _load(_CLASSES[spec.type])
    if spec.type in _WITH_POLICY:
        return make(game, table, rules, **_policy_parameters(game.name, spec, folder))
    if spec.type == "heuristic":
        return make(game, table, spec.where)
    if spec.type in _SET_BY_GAME:
        return make(game, table, **spec.parameters, where=spec.where)
    return make(game, table, **spec.parameters)


def _policy_parameters(game_name: str, spec: AgentSpec, folder: Path) -> dict[str, Any]:
    from duelbench.agents.policy import policy_file

    parameters = {name: value for name, value in spec.parameters.items() if name not in ("checkpoint", "train")}
    checkpoint = spec.parameters["checkpoint"]
    if checkpoint is None:
        raise BadInput(f"{spec.where}: the policy {spec.train!r} has not been trained yet")
    return {"checkpoint_path": policy_file(checkpoint, game_name, Path(folder)), "where": spec.where, **parameters}


def _load(target: str) -> Any:
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name)


def _known_types() -> list[str]:
    return [*_TYPES, *sorted(point.name for point in entry_points(group=ENTRY_POINTS))]


# --- Parameters of our own types ------------------------------------------------------------------------------


def _model(kind: str) -> type["Parameters"]:
    model: type[Parameters] = _load(f"duelbench.agents.parameters:{_TYPES[kind][1]}")
    return model


def _described(kind: str) -> tuple[Parameter, ...]:
    by_game = {field.name for field in fields(SearchDefaults)} if kind in _SET_BY_GAME else set()
    return tuple(
        Parameter(name, _type_name(facts.annotation), facts.default, facts.description or "", name in by_game)
        for name, facts in _model(kind).model_fields.items()
    )


def _type_name(annotation: Any) -> str:
    if get_origin(annotation) is Literal:
        return " or ".join(get_args(annotation))
    words = {int: "whole number", float: "number", bool: "true or false", str: "text"}
    return words[next(kind for kind in (get_args(annotation) or (annotation,)) if kind is not NoneType)]


def _checked(kind: str, given: Mapping[Any, Any], where: str) -> dict[str, Any]:
    from pydantic import ValidationError

    from duelbench.agents.parameters import number_hint

    model = _model(kind)
    _refuse_unknown(kind, given, list(model.model_fields), where)
    try:
        values = model.model_validate(dict(given)).model_dump()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        wanted = first["msg"].removeprefix("Input ")
        found = f"{kind} {first['loc'][0]} is {first['input']!r}"
        hint = number_hint(first["input"]) if first["type"] in ("int_type", "float_type") else ""
        raise BadInput(f"{where}: {found}; it {wanted}{hint}") from None
    if kind in _WITH_POLICY and (values["checkpoint"] is None) == (values["train"] is None):
        found = "both are given" if values["train"] else "neither is given"
        raise BadInput(f"{where}: {kind} needs either checkpoint or train; {found}")
    return values


def _refuse_unknown(kind: str, given: Mapping[Any, Any], known: list[str], where: str) -> None:
    for name in given:
        if name not in known:
            from duelbench.envs.game import did_you_mean

            hint = did_you_mean(name, known) if known else " (it has none)"
            raise BadInput(f"{where}: {kind} has no parameter {name!r}{hint}")


# --- Types from elsewhere -------------------------------------------------------------------------------------


def _foreign_class(kind: str, where: str) -> type["Agent"]:
    from duelbench.agents.agent import Agent
    from duelbench.envs.game import did_you_mean

    target = kind
    if ":" not in kind:
        targets = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
        if kind not in targets:
            raise BadInput(f"{where}: unknown agent type {kind!r}{did_you_mean(kind, _known_types())}")
        target = targets[kind]
    try:
        found = _load(target)
    except (Exception, SystemExit) as error:  # an import runs foreign code, which may fail in any way
        raise BadInput(f"{where}: agent type {kind!r} cannot be loaded: {_one_line(error)}") from None
    if not (inspect.isclass(found) and issubclass(found, Agent)):
        raise BadInput(f"{where}: agent type {kind!r} is not a class derived from duelbench.agents.agent.Agent")
    if found.sees_everything:  # ratings know by its type alone who cheats
        raise BadInput(f"{where}: agent type {kind!r} asks for the true state; allowed for oracle_mcts alone")
    return found


def _checked_by_signature(found: type["Agent"], kind: str, given: Mapping[Any, Any], where: str) -> dict[str, Any]:
    accepted = list(inspect.signature(found).parameters.values())[2:]  # after game and table
    named = [p for p in accepted if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    if not any(p.kind is p.VAR_KEYWORD for p in accepted):
        _refuse_unknown(kind, given, [p.name for p in named], where)
    if "type" in (p.name for p in named):
        raise BadInput(f"{where}: {kind} has a parameter called 'type', which a config cannot set; rename it")
    missing = [p.name for p in named if p.default is p.empty and p.name not in given]
    if missing:
        raise BadInput(f"{where}: {kind} needs the parameter {missing[0]!r}")
    values = {p.name: p.default for p in named if p.default is not p.empty} | dict(given)
    return {name: _plain(value, f"{where}: {kind} {name}") for name, value in values.items()}


def _plain(value: Any, where: str) -> Any:
    """The value as it comes back from a file; BadInput for what no file can hold, as the run's config must."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        allowed = "text, finite numbers, true, false, and lists and mappings of these"
        raise BadInput(f"{where} is {value!r}; allowed: {allowed}") from None


def _foreign_agent(game: "Game", table: "np.record", spec: AgentSpec) -> "Agent":
    make: Callable[..., Agent] = _foreign_class(spec.type, spec.where)
    try:
        return make(game, table, **spec.parameters)
    except BadInput:
        raise
    except (Exception, SystemExit) as error:  # foreign code again, and perhaps it dislikes its parameters
        raise BadInput(f"{spec.where}: {spec.type} cannot be made: {_one_line(error)}") from None


def _one_line(error: BaseException) -> str:
    """What it says, with its kind where the words alone would not tell."""
    telling = isinstance(error, ImportError | TypeError | ValueError) and str(error)
    return " ".join((str(error) if telling else f"{type(error).__name__}: {error}").split())
