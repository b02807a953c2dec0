"""A stored game told again: in words for people, or as a transcript that another engine could follow."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from duelbench.envs.decks import deck_data
from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.game import Game
from duelbench.experiments.config import RunConfig
from duelbench.experiments.decks import NO_DECKS
from duelbench.experiments.folder import load_run_config
from duelbench.experiments.match import GameRow
from duelbench.experiments.players import table_of
from duelbench.experiments.rows import read_row


@dataclass(frozen=True)
class _Stored:
    """A row with what is needed to play it again."""

    config: RunConfig
    row: GameRow
    game: Game
    table: np.record

    @property
    def seats(self) -> tuple[str, str]:
        return self.row.seat0, self.row.seat1

    @property
    def decks(self) -> tuple[str, str]:
        return self.row.deck0, self.row.deck1

    def opening(self) -> np.record:
        return self.game.dealt(self.table, self.row.deal_seed)

    def check(self, state: np.record, action: int) -> None:
        """Raise BadInput when a damaged row holds an action that the rules do not allow."""
        try:
            self.game.check_action(self.table, state, action)
        except IllegalAction as error:
            raise damaged(self.config, self.row, str(error)) from None

    def check_result(self, state: np.record) -> None:
        """Raise BadInput unless the game in `state` is over, and as the row says."""
        if not state.over:
            raise damaged(self.config, self.row, f"the game is not over after all {len(self.row.actions)} actions")
        found, played = (self.row.winner, self.row.reason), (int(state.winner), self.game.reasons[int(state.reason)])
        if found != played:
            raise damaged(self.config, self.row, f"winner and reason are {found}, should be {played}")


def damaged(config: RunConfig, row: GameRow, told: str) -> BadInput:
    """What to raise for a row that is not of this run."""
    return BadInput(f"game {row.game} of run {config.name} cannot be replayed: {told}")


def replay_text(run_folder: str | Path, number: int) -> Iterator[str]:
    """Game `number` of the run in lines of English, with everything laid open."""
    stored = _load(run_folder, number)
    game, table, row = stored.game, stored.table, stored.row
    yield f"Game {row.game} of run {stored.config.name}: {game.title}, {row.matchup}, deal {row.deal}"
    if game.notice:
        yield game.notice
    for seat, name in enumerate(stored.seats):
        yield f"player_{seat} is {name}{_with_deck(stored, seat)}"
    state = stored.opening()
    yield from _told(game, table, state)
    yield ""
    yield from game.describe(table, state, None).splitlines()
    yield ""
    for count, action in enumerate(row.actions, 1):
        stored.check(state, action)
        seat = int(state.to_act)
        yield f"{count}. player_{seat} ({stored.seats[seat]}): {game.action_name(table, state, action)}"
        game.play(table, state, action)
        yield from _told(game, table, state)
    stored.check_result(state)
    yield ""
    yield _outcome(stored)


def replay_jsonl(run_folder: str | Path, number: int) -> Iterator[str]:
    """Game `number` of the run as JSON lines.

    First the game, its rules, the decks and the opening deal zone by zone; then a line for each decision with who took
    it, what it was, what followed from it (chance included) and the full state after it; last the result. Cards by id,
    decks in the opening and in states from the top.
    """
    stored = _load(run_folder, number)
    game, table, row = stored.game, stored.table, stored.row
    state = stored.opening()
    yield _line(_head(stored, state))
    for action in row.actions:
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
    yield _line({"result": {"winner": row.winner, "reason": row.reason, "decisions": row.decisions}})


def _load(run_folder: str | Path, number: int) -> _Stored:
    config = load_run_config(run_folder, agents_play=False)
    game, row = config.load_game(), read_row(run_folder, number)
    try:
        table = table_of(game, config, (row.deck0, row.deck1))
    except KeyError:
        known = ", ".join(config.named_decks) or repr(config.unnamed_deck)
        raise damaged(config, row, f"its decks are {row.deck0!r} and {row.deck1!r}; known: {known}") from None
    return _Stored(config, row, game, table)


def _with_deck(stored: _Stored, seat: int) -> str:
    """The end of a sentence that says who sits there."""
    name = stored.decks[seat]
    if name == NO_DECKS:
        return ""
    deck = stored.config.named_decks.get(name)
    if deck is None:
        return " with a random deck"
    return f" with the deck {name}" + (f": {deck.plan}" if deck.plan else "")


def _head(stored: _Stored, state: np.record) -> dict[str, Any]:
    row, game = stored.row, stored.game
    decks = {} if game.deck_rules is None else {"decks": [_deck(stored, name) for name in stored.decks]}
    return {
        "run": stored.config.name,
        "number": row.game,
        "game": game.name,
        "version": game.version,
        "rules": game.resolved_rules(stored.config.rules),
        "matchup": row.matchup,
        "deal": row.deal,
        "deal_seed": row.deal_seed,
        "seats": list(stored.seats),
        **decks,
        "opening": game.zones(state),
        "events": _events(game, state),
    }


def _deck(stored: _Stored, name: str) -> dict[str, Any]:
    """A deck with its cards, from the first slot; of a random deck the name alone, as its cards are in the opening."""
    deck = stored.config.named_decks.get(name)
    return {"name": name} if deck is None else {"name": name} | deck_data(stored.game, deck)


def _events(game: Game, state: np.record) -> list[dict[str, Any]]:
    return [game.event_data(event) for event in game.events(state)]


def _told(game: Game, table: np.record, state: np.record) -> Iterator[str]:
    for event in game.events(state):
        yield f"   {game.event_text(table, event)}"


def _outcome(stored: _Stored) -> str:
    row = stored.row
    if row.winner < 0:
        return f"The game is drawn: {row.reason} ({row.decisions} decisions)."
    return f"player_{row.winner} ({stored.seats[row.winner]}) wins: {row.reason} ({row.decisions} decisions)."


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)
