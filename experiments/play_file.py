"""One game in a file: what it was played with, who sat where, and every action. So it can be told and checked later."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from duelbench.envs.decks import RANDOM, SEATS, Deck, deck_data, parse_deck
from duelbench.envs.document import kind_of
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.records import is_whole
from duelbench.envs.registry import load_game
from duelbench.experiments.atomic import write_json

FORMAT = "duelbench game 1"
_KEYS = ("format", "game", "version", "rules", "seats", "deal_seed", "actions", "winner", "reason")

Decks = tuple[Deck | None, Deck | None]
"""What seats 0 and 1 play with; None for a random deck, and in a game without decks."""


@dataclass(frozen=True)
class SavedGame:
    """A game that was played or begun."""

    game: Game
    rules: Mapping[str, Any]
    decks: Decks
    seats: tuple[str, str]
    """Names of who sat on seats 0 and 1."""
    deal_seed: int
    actions: tuple[int, ...]
    winner: int | None
    """The seat or DRAWN; None while the game is not over."""
    reason: str | None
    origin: Mapping[str, Any]
    """What else is known of it, as JSON data: nothing that a replay needs."""

    def table(self) -> np.record:
        return table_of_decks(self.game, self.rules, self.decks)


def table_of_decks(game: Game, rules: Mapping[str, Any], decks: Decks) -> np.record:
    """The table of games with these decks on seats 0 and 1."""
    if game.deck_rules is None:
        return game.table(rules)
    return game.table(rules, decks={seat: deck or RANDOM for seat, deck in zip(SEATS, decks, strict=True)})


def save_game(path: Path, saved: SavedGame) -> None:
    """Write the file, whole or not at all; BadInput where it cannot be written."""
    game = saved.game
    decks = {} if game.deck_rules is None else {"decks": [_deck_as_data(game, deck) for deck in saved.decks]}
    data = {
        "format": FORMAT,
        "game": game.name,
        "version": game.version,
        "rules": dict(saved.rules),
        **decks,
        "seats": list(saved.seats),
        "deal_seed": saved.deal_seed,
        "actions": list(saved.actions),
        "winner": saved.winner,
        "reason": saved.reason,
        "origin": dict(saved.origin),
    }
    write_json(path, data)


def _deck_as_data(game: Game, deck: Deck | None) -> Any:
    return RANDOM if deck is None else {"name": deck.name, **deck_data(game, deck)}


def read_game(path: str | Path) -> SavedGame:
    """The game in the file at `path`; BadInput, beginning with the path, for everything else."""
    data = _read(path)
    game = load_game(str(data["game"]), f"{path}: game")
    if data["version"] != game.version:
        raise BadInput(f"{path}: made with version {data['version']} of {game.name}, which is now at {game.version}")
    seats, actions, seed = data["seats"], data["actions"], data["deal_seed"]
    if not (isinstance(seats, list) and len(seats) == 2 and all(isinstance(name, str) for name in seats)):
        raise BadInput(f"{path}: seats is {kind_of(seats)}; expected the names of two players")
    if not (isinstance(actions, list) and all(map(is_whole, actions))):
        raise BadInput(f"{path}: actions is {kind_of(actions)}; expected a list of whole numbers")
    if not is_whole(seed) or not 0 <= seed < 2**64:
        raise BadInput(f"{path}: deal_seed is {kind_of(seed)}; expected a whole number from 0 to 2**64 - 1")
    return SavedGame(
        game,
        game.resolved_rules(data["rules"], str(path)),
        _read_decks(game, data.get("decks"), f"{path}: decks"),
        (seats[0], seats[1]),
        seed,
        tuple(actions),
        data["winner"],
        data["reason"],
        _read_origin(data.get("origin"), f"{path}: origin"),
    )


def _read(path: str | Path) -> dict[str, Any]:
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise BadInput(f"{path}: neither a run folder nor a saved game") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadInput(f"{path}: neither a run folder nor a saved game (its format is not {FORMAT!r})")
    for key in _KEYS:
        if key not in data:
            raise BadInput(f"{path}: damaged: the key {key!r} is missing")
    return data


def _read_origin(data: Any, where: str) -> dict[str, Any]:
    if data is not None and not isinstance(data, dict):
        raise BadInput(f"{where} is {kind_of(data)}; expected a mapping")
    return data or {}


def _read_decks(game: Game, data: Any, where: str) -> Decks:
    if game.deck_rules is None:
        return None, None
    if not isinstance(data, list) or len(data) != 2:
        raise BadInput(f"{where}: found {kind_of(data)}; expected the decks of two players")
    first, second = (_read_one_deck(game, given, f"{where}[{seat}]") for seat, given in enumerate(data))
    return first, second


def _read_one_deck(game: Game, data: Any, where: str) -> Deck | None:
    if data == RANDOM:
        return None
    if not isinstance(data, dict):
        raise BadInput(f"{where}: found {kind_of(data)}; expected {RANDOM} or a deck")
    return parse_deck(game, {key: value for key, value in data.items() if key != "name"}, where, str(data.get("name")))
