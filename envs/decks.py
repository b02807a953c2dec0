"""Decks: the files they are written in, and what a seat may draw its deck from.

A deck file is YAML, either a list of entries or a mapping with a plan and the cards:

    plan: Swarm, then one big attack   # one line, may be left out
    cards:
      - knight: 4                      # four copies
      - dragon                         # one copy

`cards` may also be a mapping, `{knight: 4, dragon: 1}`. The order of the entries is the order of the deck's slots.
Games that ask for a card beside the deck also know the key `spare` with its card id.
"""

import difflib
import itertools
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from duelbench.envs.document import Location, is_folder, kind_of, read_document
from duelbench.envs.errors import BadInput
from duelbench.envs.records import is_whole

if TYPE_CHECKING:  # a game needs this module for its own fields
    from duelbench.envs.game import Game

MAX_POOL = 64
"""The most decks that a seat may draw from."""

RANDOM = "random"
RANDOM_ALONE = f"random decks stand alone, as in `decks: {RANDOM}`"
SEATS = ("player_0", "player_1")

DeckChoice: TypeAlias = Any
"""What `deck_sources` understands."""

Where: TypeAlias = str | Callable[[Location], str]
"""How a message begins: a text, or a function from the location of the fault in the data to a text."""


@dataclass(frozen=True)
class DeckRules:
    """What makes a list of cards a deck of a game."""

    size: int
    """The exact number of cards."""
    check: Callable[[tuple[int, ...]], str | None] | None = None
    """Further rules: what is wrong with these card numbers, in a few words, or None. Random decks do not pass it;
    they are dealt, and so kept to the rules, by the game itself."""
    spares: tuple[int, ...] = ()
    """The card numbers that a deck may keep beside it as its spare; empty if decks have none."""
    check_allowed: Callable[[tuple[int, ...]], str | None] | None = None
    """Why no random deck of these card numbers, ascending, could be legal, in a few words, or None if one can."""


@dataclass(frozen=True)
class Deck:
    """A deck: `cards` are card numbers, one per copy. Shuffles permute the slots of this list, so order matters."""

    name: str
    plan: str
    """How it means to win, in one line; may be empty."""
    cards: tuple[int, ...]
    spare: int | None = None
    """A card kept beside the deck, if the game asks for one and the deck names it."""


@dataclass(frozen=True)
class DeckSource:
    """What a seat's deck is drawn from before a game: a pool, or random decks."""

    decks: tuple[Deck, ...] = ()
    """1 to MAX_POOL decks, each as likely as the others; empty for random decks."""
    allowed: tuple[int, ...] = ()
    """For random decks: the card numbers, ascending, of which every slot gets one, uniformly and by itself."""

    @property
    def random(self) -> bool:
        return not self.decks


# --- One deck -------------------------------------------------------------------------------------------------


def read_deck(game: "Game", path: str | Path) -> Deck:
    """The deck in the YAML file at `path`, named after the file.

    Raises BadInput with one line that begins with the file, and the line in it, for everything that is no deck.
    """
    _rules(game, str(path))
    document = read_document(path, allow_list=True)

    def where(location: Location) -> str:
        return document.where(location or ((0,) if isinstance(document.data, list) else ()))

    if isinstance(document.data, Mapping):
        return _read_mapping(game, document.data, where, Path(path).stem)
    return _read_cards(game, document.data, where, Path(path).stem)


def parse_deck(game: "Game", data: Any, where: Where, name: str = "deck") -> Deck:
    """The deck called `name` that plain data stands for: what a file may hold, or card id -> count.

    Messages of BadInput begin with `where`. A function there gets the location in `data`, such as ("cards", 2, "id").
    """
    _rules(game, where if isinstance(where, str) else where(()))
    at = _placed(where)
    if isinstance(data, Mapping) and any(key in data for key in _keys(game)):
        return _read_mapping(game, data, at, name)
    return _read_cards(game, data, at, name)


def deck_data(game: "Game", deck: Deck) -> dict[str, Any]:
    """The deck as plain data that `parse_deck` reads back, order included; its name is left out.

    Raises BadInput when copies of a card do not stand together, as no file can say that.
    """
    entries = [{game.card_ids[card]: len(list(copies))} for card, copies in itertools.groupby(deck.cards)]
    if len(entries) > len(set(deck.cards)):
        raise BadInput(f"deck {deck.name!r}: cannot be written, as copies of a card do not stand together")
    data: dict[str, Any] = {"plan": deck.plan} if deck.plan else {}
    if deck.spare is not None:
        data["spare"] = game.card_ids[deck.spare]
    return data | {"cards": entries}


def _keys(game: "Game") -> tuple[str, ...]:
    """The keys of a deck that is written as a mapping with its cards under one of them."""
    return ("plan", "spare", "cards") if game.deck_rules and game.deck_rules.spares else ("plan", "cards")


def _read_mapping(game: "Game", data: Mapping[Any, Any], where: Callable[[Location], str], name: str) -> Deck:
    keys = _keys(game)
    for key in data:
        if key not in keys:
            known = f"(known: {', '.join(keys[:-1])}, and cards with all cards under it)"
            raise BadInput(f"{where((key,))}: unknown key {kind_of(key)} {known}")
    plan = data.get("plan")
    if plan is not None and (not isinstance(plan, str) or _has_control_characters(plan.strip())):
        raise BadInput(f"{where(('plan',))}: found {kind_of(plan)}, expected a plan of one line of plain text")
    if "cards" not in data:
        raise BadInput(f"{where(())}: the key 'cards' is missing")
    spare = _card_number(game, data["spare"], where(("spare",))) if "spare" in data else None
    _check_spare(game, spare, where(("spare",)))
    deck = _read_cards(game, data["cards"], _under(where, "cards"), name)
    return Deck(name, plan.strip() if plan else "", deck.cards, spare)


def _check_spare(game: "Game", spare: int | None, where: str) -> None:
    spares = _rules(game, where).spares
    if spare is not None and spare not in spares:
        allowed = ", ".join(game.card_ids[card] for card in spares) or f"none, as decks of {game.name} have none"
        raise BadInput(f"{where}: {game.card_ids[spare]!r} cannot be a spare; allowed: {allowed}")


def _has_control_characters(text: str) -> bool:
    return any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in text)


def _read_cards(game: "Game", data: Any, where: Callable[[Location], str], name: str) -> Deck:
    if not isinstance(data, list | tuple | Mapping):
        raise BadInput(f"{where(())}: found {kind_of(data)}, expected a list of cards, such as `- id: count`")
    counts: dict[int, int] = {}
    first: dict[int, Location] = {}
    for location, card, count in _entries(data, where):
        number = _card_number(game, card, where(location))
        if number in counts:
            places = f"{where(location)}: card {card!r} is listed twice, first at {where(first[number])}"
            raise BadInput(f"{places}; give it once with its number of copies")
        if not is_whole(count) or count < 1:
            told = f"count of {card!r} is {kind_of(count)}; allowed: whole numbers from 1 up"
            raise BadInput(f"{where(location)}: {told}")
        counts[number], first[number] = int(count), location
    _check_size(game, sum(counts.values()), where(()))  # before copies are spelt out: a count may be huge
    deck = Deck(name, "", tuple(card for card, count in counts.items() for _ in range(count)))
    _check_further(game, deck, where(()))
    return deck


def _entries(data: Any, where: Callable[[Location], str]) -> Iterator[tuple[Location, Any, Any]]:
    """(location, card, count) as written, one after the other."""
    if isinstance(data, Mapping):
        yield from (((card,), card, count) for card, count in data.items())
        return
    for i, entry in enumerate(data):
        if not isinstance(entry, Mapping):
            yield (i,), entry, 1
        elif len(entry) == 1:
            yield from (((i, card), card, count) for card, count in entry.items())
        else:
            raise BadInput(f"{where((i,))}: found {len(entry)} cards in one entry, expected one")


def _card_number(game: "Game", card: Any, where: str) -> int:
    if isinstance(card, str):
        if card in game.card_ids:
            return game.card_ids.index(card)
        near = _nearest_id(game, card)
        hint = f"; did you mean {near!r}?" if near else ""
        raise BadInput(f"{where}: unknown card {kind_of(card)}{hint} (`duelbench games {game.name}` lists all)")
    raise BadInput(f"{where}: found {kind_of(card)}, expected a card id (`duelbench games {game.name}` lists all)")


def _nearest_id(game: "Game", word: str) -> str | None:
    """The id of the card whose id, English or Japanese name `word` is, is a part of, or resembles."""
    wanted = _plain(word)
    known: dict[str, str] = {}
    for names in (game.card_ids, game.card_names, game.card_names_ja):
        for name, card in zip(names, game.card_ids, strict=True):
            known.setdefault(_plain(name), card)
    containing = [name for name in known if len(wanted) > 1 and wanted in name]
    near = sorted(containing, key=len) or difflib.get_close_matches(wanted, known, n=1)
    return known[near[0]] if near else None


def _plain(name: str) -> str:
    """Without what people write in different ways: case, width, blanks and marks."""
    return "".join(c for c in unicodedata.normalize("NFKC", name).casefold() if c.isalnum())


def _check_size(game: "Game", count: int, where: str) -> None:
    size = _rules(game, where).size
    if count != size:
        raise BadInput(f"{where}: {count} card{'s' if count != 1 else ''}, expected exactly {size}")


def _check_further(game: "Game", deck: Deck, where: str) -> None:
    check = _rules(game, where).check
    complaint = check(deck.cards) if check else None
    if complaint:
        raise BadInput(f"{where}: {complaint}")


def _rules(game: "Game", where: str) -> DeckRules:
    if game.deck_rules is None:
        raise BadInput(f"{where}: {game.name} is played without decks")
    return game.deck_rules


# --- What seats draw from -------------------------------------------------------------------------------------


def deck_sources(game: "Game", decks: DeckChoice, where: Where = "decks") -> tuple[DeckSource, DeckSource]:
    """What each seat draws its deck from. `decks` is one of

    - None or "random": every slot any card of the game, uniformly; {"random": [ids]}: any of these cards;
    - one deck: the path of a deck file, card id -> count, {"plan": ..., "cards": ...}, or a Deck; a spare card is
      named in a file, in the longer mapping or in a Deck, nowhere else;
    - a pool of 1 to MAX_POOL decks: a list of such decks, or the path of a folder (its *.yaml files by name);
    - {"player_0": ..., "player_1": ...} with any of these for each seat.

    A text is a path unless it is "random". Raises BadInput for everything else, beginning with `where`, or with file
    and line where the fault is in a deck file; a function there gets the location of the fault in `decks`.
    """
    at = _placed(where)
    _rules(game, at(()))
    if not isinstance(decks, Mapping) or not any(str(key).startswith("player") for key in decks):
        source = _source(game, decks, at)
        return source, source
    for key in decks:
        if key not in SEATS:
            raise BadInput(f"{at((key,))}: unknown seat {kind_of(key)} (known: {', '.join(SEATS)})")
    for seat in SEATS:
        if seat not in decks:
            raise BadInput(f"{at(())}: {seat} is missing; expected decks for both seats")
    one, other = (_source(game, decks[seat], _under(at, seat)) for seat in SEATS)
    return one, other


def _source(game: "Game", given: Any, where: Callable[[Location], str]) -> DeckSource:
    if given is None or _is_random(given):
        return DeckSource(allowed=tuple(range(len(game.card_ids))))
    if isinstance(given, Mapping) and RANDOM in given:
        return DeckSource(allowed=_allowed(game, given, where))
    if isinstance(given, list | tuple):
        pool = [deck for i, item in enumerate(given) for deck in _decks(game, item, _under(where, i))]
    else:
        pool = _decks(game, given, where)
    if not 1 <= len(pool) <= MAX_POOL:
        raise BadInput(f"{where(())}: found {len(pool)} decks, allowed: 1 to {MAX_POOL}")
    return DeckSource(decks=tuple(pool))


def _is_random(given: Any) -> bool:
    return isinstance(given, str) and given == RANDOM


def _allowed(game: "Game", given: Mapping[str, Any], where: Callable[[Location], str]) -> tuple[int, ...]:
    for key in given:
        if key != RANDOM:
            told = f"found {kind_of(key)} beside 'random'; random decks are {{random: [card ids]}}"
            raise BadInput(f"{where((key,))}: {told}")
    cards, at = given[RANDOM], _under(where, RANDOM)
    if not isinstance(cards, list | tuple) or not cards:
        found = "an empty list" if isinstance(cards, list | tuple) else kind_of(cards)
        raise BadInput(f"{at(())}: found {found}, expected a list of card ids")
    numbers = [_card_number(game, card, at((i,))) for i, card in enumerate(cards)]
    for i, number in enumerate(numbers):
        if number in numbers[:i]:
            raise BadInput(f"{at((i,))}: card {cards[i]!r} is listed twice")
    allowed = tuple(sorted(numbers))
    check = _rules(game, at(())).check_allowed
    complaint = check(allowed) if check else None
    if complaint:
        raise BadInput(f"{at(())}: {complaint}")
    return allowed


def _decks(game: "Game", given: Any, where: Callable[[Location], str]) -> list[Deck]:
    if isinstance(given, Deck):
        return [_checked(game, given, where(()))]
    if means_random(given):
        raise BadInput(f"{where(())}: {RANDOM_ALONE}")
    if isinstance(given, Mapping):
        return [parse_deck(game, given, where)]
    if isinstance(given, str | Path):
        hint = f"; for a deck in place write {{{given}: count, ...}}" if str(given) in game.card_ids else ""
        return [read_deck(game, file) for file in deck_paths(given, where(()), hint=hint)]
    raise BadInput(f"{where(())}: found {kind_of(given)}; a deck is a file, a folder of files, or {{card id: count}}")


def means_random(given: Any) -> bool:
    """Whether a value of `decks`, or an entry in it, asks for random decks."""
    return _is_random(given) or (isinstance(given, Mapping) and RANDOM in given)


def deck_paths(given: str | Path, where: str = "", start: Path = Path(), hint: str = "") -> list[Path]:
    """The deck files that a path below `start` stands for: itself, or those of a folder.

    Raises BadInput, beginning with `where`, where there are none; `hint` ends the message that nothing is there.
    """
    begin = f"{where}: " if where else ""
    if str(given) == "":
        raise BadInput(f"{begin}found '', expected the path of a deck file or of a folder of them")
    path = start / given
    if not is_folder(path, where, "no such deck file or folder" + (hint or _random_hint(str(given)))):
        return [path]
    files = deck_files(path)
    if not files:
        others = "; end the names of deck files in .yaml instead of .yml" if any(path.glob("*.yml")) else ""
        raise BadInput(f"{begin}{path}: no *.yaml file in this folder{others}")
    return files


def _random_hint(word: str) -> str:
    return f"; did you mean {RANDOM!r}?" if difflib.get_close_matches(word.casefold(), [RANDOM], cutoff=0.8) else ""


def deck_files(folder: str | Path) -> list[Path]:
    """The deck files of a folder in the order in which they make a pool."""
    return sorted(Path(folder).glob("*.yaml"))


def _checked(game: "Game", deck: Deck, where: str) -> Deck:
    where = f"{where}: deck {deck.name!r}"
    for card in deck.cards if deck.spare is None else (*deck.cards, deck.spare):
        if not is_whole(card) or not 0 <= card < len(game.card_ids):
            raise BadInput(f"{where}: card {card!r}; allowed: numbers from 0 to {len(game.card_ids) - 1}")
    _check_spare(game, deck.spare, where)
    _check_size(game, len(deck.cards), where)
    _check_further(game, deck, where)
    return deck


# --- Messages -------------------------------------------------------------------------------------------------


def _placed(where: Where) -> Callable[[Location], str]:
    """A text becomes a path into the data: `decks.player_0[2]`."""
    if not isinstance(where, str):
        return where
    return lambda location: where + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)


def _under(where: Callable[[Location], str], *steps: str | int) -> Callable[[Location], str]:
    return lambda location: where((*steps, *location))
