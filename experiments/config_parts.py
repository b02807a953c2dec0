"""What the configs of runs and of trainings have in common: complaints with their line, rules, decks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from duelbench.agents.parameters import number_hint
from duelbench.envs.decks import DeckSource
from duelbench.envs.document import Document, Location, kind_of
from duelbench.envs.game import Game, did_you_mean
from duelbench.envs.patches import Patches
from duelbench.envs.registry import load_game
from duelbench.experiments.decks import read_decks

_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "list_type": "a list",
    "model_type": "a mapping",
}
_BOUNDS = {
    "ge": "at least {}",
    "gt": "more than {}",
    "le": "at most {}",
    "lt": "less than {}",
    "min_length": "at least {} of them",
    "max_length": "at most {} of them",
    "expected": "{}",
}


def check_rules(document: Document, game_name: str, rules: Mapping[str, Any]) -> None:
    """BadInput, with the line, unless there is such a game and it has such rules."""
    game = load_game(game_name, f"{document.where(('game',))}: game")
    for option, value in rules.items():  # one at a time, so that each has its own line
        game.resolved_rules({option: value}, document.where(("rules", option)))


def check_cards(document: Document, game_name: str, cards: Patches) -> None:
    """BadInput, with the line, unless the game has these cards and they can be changed so, alone and together."""
    game = load_game(game_name)
    for card, fields in cards.items():
        for name, value in fields.items():
            game.check_patches({card: {name: value}}, document.where(("cards", card, name)))
    if cards:
        game.check_patches(cards, document.where(("cards",)))


def decks_of_config(document: Document, game: Game, data: Any, folder: Path) -> DeckSource | None:
    """What stands under the key `decks`, as `read_decks` reads it; None for a game that is played without."""

    def where(location: Location) -> str:
        path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
        return f"{document.where(('decks', *location))}: decks{path}"

    if game.deck_rules is None and data is None:
        return None
    return read_decks(game, data, folder, where)


def complaint(document: Document, model: type[BaseModel], error: ValidationError, prefix: tuple[str, ...] = ()) -> str:
    """The first problem pydantic found, in one line of ours."""
    problem = error.errors()[0]
    location = (*prefix, *problem["loc"])
    where, key = document.where(location), ".".join(map(str, location))
    if problem["type"] == "extra_forbidden":
        return f"{where}: unknown key {key!r}{did_you_mean(str(location[-1]), _fields_at(model, problem['loc']))}"
    if problem["type"] == "missing":
        known = did_you_mean("", _fields_at(model, problem["loc"]))
        return f"{where}: key {key!r} is missing{known}"
    return f"{where}: {key} is {kind_of(problem['input'])}; expected {_expected(problem)}"


def _fields_at(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """The keys that may stand beside the last one of `location`, whose other ones are sections of `model`."""
    for key in location[:-1]:
        annotation = model.model_fields[str(key)].annotation
        kinds = get_args(annotation) or (annotation,)  # a section that may be left out is one of two
        model = next(kind for kind in kinds if issubclass(kind, BaseModel))
    return list(model.model_fields)


def _expected(problem: Any) -> str:
    if problem["type"] in ("int_type", "float_type"):
        return _EXPECTED[problem["type"]] + number_hint(problem["input"])
    if problem["type"] in _EXPECTED:
        return _EXPECTED[problem["type"]]
    context = problem.get("ctx", {})
    for bound, words in _BOUNDS.items():
        if bound in context:
            return words.format(context[bound])
    return " ".join(str(problem["msg"]).removeprefix("Value error, ").split())
