"""A stored game told again: in words for people, or as a transcript that another engine could follow."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from duelbench.envs.decks import RANDOM, deck_data
from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.game import Game
from duelbench.experiments.config import RunConfig
from duelbench.experiments.folder import load_run_config
from duelbench.experiments.match import GameRow
from duelbench.experiments.plan import part_of
from duelbench.experiments.play_file import Decks, read_game
from duelbench.experiments.players import table_of
from duelbench.experiments.rows import read_row


@dataclass(frozen=True)
class _Stored:
    """What is known of a game, with what is needed to play it again."""

    name: str
    heading: str
    origin: dict[str, Any]
    """The first keys of a transcript."""
    details: dict[str, Any]
    """What else a transcript says of where the game comes from."""
    game: Game
    table: np.record
    rules: dict[str, Any]
    seats: tuple[str, str]
    decks: tuple[str, str]
    """Names of the decks, RANDOM for random ones; without a meaning in a game without decks."""
    cards: Decks
    """The decks themselves, None where they have no names."""
    deal_seed: int
    actions: tuple[int, ...]
    result: tuple[int, str] | None
    """Winner and reason; None for a game that was left before its end."""

    def opening(self) -> np.record:
        return self.game.dealt(self.table, self.deal_seed)

    def damaged(self, told: str) -> BadInput:
        """What to raise for a record that is of no such game."""
        return BadInput(f"{self.name} cannot be replayed: {told}")

    def check(self, state: np.record, action: int) -> None:
        """Raise BadInput when a damaged record holds an action that the rules do not allow."""
        try:
            self.game.check_action(self.table, state, action)
        except IllegalAction as error:
            raise self.damaged(str(error)) from None

    def check_result(self, state: np.record) -> None:
        """Raise BadInput unless the game in `state` has ended as the record says, or is left if it says that."""
        if state.over and self.result is None:
            raise self.damaged(f"the game is over after all {len(self.actions)} actions, and no winner is noted")
        if self.result is None:
            return
        if not state.over:
            raise self.damaged(f"the game is not over after all {len(self.actions)} actions")
        played = (int(state.winner), self.game.reasons[int(state.reason)])
        if self.result != played:
            raise self.damaged(f"winner and reason are {self.result}, should be {played}")


def replay_text(place: str | Path, number: int | None = None) -> Iterator[str]:
    """Game `number` of the run in the folder `place`, or the one in a saved file, in English, all laid open."""
    stored = _load(place, number)
    game, table = stored.game, stored.table
    yield stored.heading
    if game.notice:
        yield game.notice
    for seat, name in enumerate(stored.seats):
        yield f"player_{seat} is {name}{_with_deck(stored, seat)}"
    state = stored.opening()
    yield from _told(game, table, state)
    yield ""
    yield from game.describe(table, state, None).splitlines()
    yield ""
    for count, action in enumerate(stored.actions, 1):
        stored.check(state, action)
        seat = int(state.to_act)
        yield f"{count}. player_{seat} ({stored.seats[seat]}): {game.action_name(table, state, action)}"
        game.play(table, state, action)
        yield from _told(game, table, state)
    stored.check_result(state)
    yield ""
    yield _outcome(stored)


def replay_jsonl(place: str | Path, number: int | None = None) -> Iterator[str]:
    """Game `number` of the run in the folder `place`, or the one in a saved file, as JSON lines.

    First the game, its rules, the decks and the opening deal zone by zone; then a line for each decision with who took
    it, what it was, what followed from it (chance included) and the full state after it; last the result. Cards by id,
    decks in the opening and in states from the top.
    """
    stored = _load(place, number)
    game, table = stored.game, stored.table
    state = stored.opening()
    yield _line(_head(stored, state))
    for action in stored.actions:
        stored.check(state, action)
        decision = {
            "seat": int(state.to_act),
            "kind": game.decision_kind(state),
            "action": action,
            "name": game.action_name(table, state, action),
        }
        game.play(table, state, action)
        yield _line({"decision": decision, "events": _events(game, state), "state": game.zones(state)})
    stored.check_result(state)
    winner, reason = stored.result or (None, None)
    yield _line({"result": {"winner": winner, "reason": reason, "decisions": len(stored.actions)}})


def _load(place: str | Path, number: int | None) -> _Stored:
    if Path(place).is_file():
        if number is not None:
            raise BadInput(f"{place}: a saved game is the only one in its file and has no number")
        return _load_saved(Path(place))
    if number is None:
        raise BadInput(f"{place}: which game of the run? Games are numbered from 0")
    return _load_row(place, number)


def _load_row(run_folder: str | Path, number: int) -> _Stored:
    config = load_run_config(run_folder, agents_play=False)
    game, row = config.load_game(), read_row(run_folder, number, part_of(config, number))
    name = f"game {row.game} of run {config.name}"
    variant = {"variant": row.variant} if row.variant else {}
    told = ", ".join([row.matchup, f"deal {row.deal}", *variant.values()])
    try:
        table = table_of(game, config, (row.deck0, row.deck1), row.variant)
    except KeyError:
        raise BadInput(f"{name} cannot be replayed: {_unknown(config, row)}") from None
    return _Stored(
        name,
        f"Game {row.game} of run {config.name}: {game.title}, {told}",
        {"run": config.name, "number": row.game},
        {"matchup": row.matchup, "deal": row.deal} | variant,
        game,
        table,
        game.resolved_rules(config.rules_of(row.variant)),
        (row.seat0, row.seat1),
        (row.deck0, row.deck1),
        (config.named_decks.get(row.deck0), config.named_decks.get(row.deck1)),
        row.deal_seed,
        tuple(row.actions),
        (row.winner, row.reason),
    )


def _unknown(config: RunConfig, row: GameRow) -> str:
    """Which name in the row the run's config does not know."""
    if row.variant not in config.variants:
        return f"its variant is {row.variant!r}; known: {', '.join(map(repr, config.variants))}"
    known = ", ".join(config.named_decks) or repr(config.unnamed_deck)
    return f"its decks are {row.deck0!r} and {row.deck1!r}; known: {known}"


def _load_saved(path: Path) -> _Stored:
    saved = read_game(path)
    first, second = (RANDOM if deck is None else deck.name for deck in saved.decks)
    return _Stored(
        f"the game in {path}",
        f"Game saved in {path.name}: {saved.game.title}, {' vs '.join(saved.seats)}",
        {"file": path.name},
        {},
        saved.game,
        saved.table(),
        dict(saved.rules),
        saved.seats,
        (first, second),
        saved.decks,
        saved.deal_seed,
        saved.actions,
        None if saved.winner is None else (saved.winner, str(saved.reason)),
    )


def _with_deck(stored: _Stored, seat: int) -> str:
    """The end of a sentence that says who sits there."""
    if stored.game.deck_rules is None:
        return ""
    deck = stored.cards[seat]
    if deck is None:
        return " with a random deck"
    return f" with the deck {deck.name}" + (f": {deck.plan}" if deck.plan else "")


def _head(stored: _Stored, state: np.record) -> dict[str, Any]:
    game = stored.game
    decks = {} if game.deck_rules is None else {"decks": [_deck(stored, seat) for seat in range(2)]}
    return {
        **stored.origin,
        "game": game.name,
        "version": game.version,
        "rules": stored.rules,
        **stored.details,
        "deal_seed": stored.deal_seed,
        "seats": list(stored.seats),
        **decks,
        "opening": game.zones(state),
        "events": _events(game, state),
    }


def _deck(stored: _Stored, seat: int) -> dict[str, Any]:
    """A deck with its cards, from the first slot; of a random deck the name alone, as its cards are in the opening."""
    name, deck = stored.decks[seat], stored.cards[seat]
    return {"name": name} if deck is None else {"name": name} | deck_data(stored.game, deck)


def _events(game: Game, state: np.record) -> list[dict[str, Any]]:
    return [game.event_data(event) for event in game.events(state)]


def _told(game: Game, table: np.record, state: np.record) -> Iterator[str]:
    for event in game.events(state):
        yield f"   {game.event_text(table, event)}"


def _outcome(stored: _Stored) -> str:
    decisions = f"{len(stored.actions)} decisions"
    if stored.result is None:
        return f"The game was left here, before its end ({decisions})."
    winner, reason = stored.result
    if winner < 0:
        return f"The game is drawn: {reason} ({decisions})."
    return f"player_{winner} ({stored.seats[winner]}) wins: {reason} ({decisions})."


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)
