"""The decks of a run: what the key `decks` of a config may hold, and how the config in a run folder holds it.

    decks: random                        # as without the key: every deal has random decks of its own
    decks: {random: [knight, dragon]}    # random decks of these cards
    decks: [mine.yaml, more_decks]       # deck files, and folders of them; a deck is called like its file
    decks:                               # decks by name: a file, or the deck in place
      swarm: mine.yaml
      big: {plan: Dragons, cards: [{knight: 6}, {dragon: 10}]}
      mixed: {knight: 8, dragon: 8}

Paths start at the folder of the config. However decks are listed, a run has them in the order of their names.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from duelbench.envs.decks import (
    RANDOM,
    RANDOM_ALONE,
    Deck,
    DeckChoice,
    DeckSource,
    deck_data,
    deck_paths,
    deck_sources,
    means_random,
    parse_deck,
    read_deck,
)
from duelbench.envs.document import Location, is_folder, kind_of
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.records import is_whole
from duelbench.experiments.names import check_name

NO_DECKS = ""
"""Stands for the name of a deck in a game that is played without decks."""

Where = Callable[[Location], str]
"""How a message begins, from the location of the fault below the key `decks`."""

_FOUND_IN_LIST = "a list holds deck files and folders; a deck in place has a name, as in {name: {card id: count}}"
_NEEDS_A_NAME = "; a deck in place needs a name, as in `decks: {{my_deck: {}}}`"


def read_decks(game: Game, data: Any, folder: Path, where: Where) -> DeckSource:
    """What the decks of a run are, from the value of its key `decks`; relative paths start at `folder`.

    Raises BadInput for everything else; it begins with `where`, or with file and line of a deck file.
    """
    if data is None or means_random(data) or game.deck_rules is None:
        return deck_sources(game, data, where)[0]
    decks: dict[str, Deck] = {}
    origins: dict[str, str] = {}
    for deck, origin, at in _named(game, data, folder, where):
        check_deck_name(deck.name, at if origin == at else f"{at}: {origin}")
        if deck.name in decks:
            twice = f"two decks are called {deck.name!r} ({origins[deck.name]} and {origin})"
            raise BadInput(f"{at}: {twice}; write a mapping of names to files instead")
        decks[deck.name], origins[deck.name] = deck, origin
    return deck_sources(game, [decks[name] for name in sorted(decks)], where)[0]


def decks_as_data(game: Game, source: DeckSource) -> Any:
    """The value of the key `decks` that `read_decks` reads back without any file."""
    if source.decks:
        return {deck.name: deck_data(game, deck) for deck in source.decks}
    if len(source.allowed) == len(game.card_ids):
        return RANDOM
    return {RANDOM: [game.card_ids[card] for card in source.allowed]}


def deck_choice(game: Game, source: DeckSource | None) -> DeckChoice:
    """The same for `Game.table`: both seats draw from the source; None for a game without decks."""
    return None if source is None else list(source.decks) or decks_as_data(game, source)


def _named(game: Game, data: Any, folder: Path, where: Where) -> Iterator[tuple[Deck, str, str]]:
    """Each deck with where it comes from, in words, and what a message about it begins with."""
    if isinstance(data, Mapping):
        yield from (_by_name(game, name, data[name], folder, where) for name in data)
    elif isinstance(data, str):
        yield from _from_path(game, data, folder, where(()))
    elif isinstance(data, list | tuple):
        for i, item in enumerate(data):
            _check_not_random(item, where((i,)))
            if not isinstance(item, str):
                raise BadInput(f"{where((i,))}: found {kind_of(item)}; {_FOUND_IN_LIST}")
            yield from _from_path(game, item, folder, where((i,)))
    else:
        allowed = f"expected {RANDOM}, a list of deck files and folders, or a mapping of names to decks"
        raise BadInput(f"{where(())}: found {kind_of(data)}; {allowed}")


def _by_name(game: Game, name: Any, given: Any, folder: Path, where: Where) -> tuple[Deck, str, str]:
    at = where((name,))
    _check_not_random(given, at)
    if isinstance(given, str):
        deck = read_deck(game, _one_file(given, folder, at, name))
    elif isinstance(given, Mapping | list | tuple):
        deck = parse_deck(game, given, lambda location: where((name, *location)), name)
    else:
        hint = _NEEDS_A_NAME.format(f"{{{name}: {given}, ...}}") if is_whole(given) else ""
        raise BadInput(f"{at}: found {kind_of(given)}; expected a deck file, or {{card id: count}}{hint}")
    return replace(deck, name=name), at, at


def _one_file(given: str, folder: Path, at: str, name: str) -> Path:
    hint = _NEEDS_A_NAME.format("{plan: ..., cards: ...}") if name == "plan" else ""
    files = deck_paths(given, at, folder, hint)
    if is_folder(folder / given):
        raise BadInput(f"{at}: {folder / given} is a folder; a name stands for one deck, a list may hold folders")
    return files[0]


def _from_path(game: Game, given: str, folder: Path, at: str) -> Iterator[tuple[Deck, str, str]]:
    yield from ((read_deck(game, file), str(file), at) for file in deck_paths(given, at, folder))


def _check_not_random(given: Any, at: str) -> None:
    if means_random(given):
        raise BadInput(f"{at}: {RANDOM_ALONE}")


def check_deck_name(name: Any, where: str) -> None:
    """Raise BadInput, beginning with `where`, for a name that no deck of a run can have."""
    check_name(name, where)
    if name == RANDOM:
        raise BadInput(f"{where}: no deck can be called {RANDOM!r}, which stands for random decks")
