"""A stored game told again: in words for people, or as a transcript that another engine could follow."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.game import Game
from duelbench.experiments.config import RunConfig
from duelbench.experiments.folder import load_run_config
from duelbench.experiments.match import GameRow
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

    def opening(self) -> np.record:
        return self.game.dealt(self.table, self.row.deal_seed)

    def check(self, state: np.record, action: int) -> None:
        """Raise BadInput when a damaged row holds an action that the rules do not allow."""
        try:
            self.game.check_action(self.table, state, action)
        except IllegalAction as error:
            raise self._damaged(str(error)) from None

    def check_result(self, state: np.record) -> None:
        """Raise BadInput unless the game in `state` is over, and as the row says."""
        if not state.over:
            raise self._damaged(f"the game is not over after all {len(self.row.actions)} actions")
        found, played = (self.row.winner, self.row.reason), (int(state.winner), self.game.reasons[int(state.reason)])
        if found != played:
            raise self._damaged(f"winner and reason are {found}, should be {played}")

    def _damaged(self, told: str) -> BadInput:
        return BadInput(f"game {self.row.game} of run {self.config.name} cannot be replayed: {told}")


def replay_text(run_folder: str | Path, number: int) -> Iterator[str]:
    """Game `number` of the run in lines of English, with everything laid open."""
    stored = _load(run_folder, number)
    game, table, row = stored.game, stored.table, stored.row
    yield f"Game {row.game} of run {stored.config.name}: {game.title}, {row.matchup}, deal {row.deal}"
    for seat, name in enumerate(stored.seats):
        yield f"player_{seat} is {name}"
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

    First the game, its rules and the opening deal zone by zone; then a line for each decision with who took it, what
    it was, what followed from it (chance included) and the full state after it; last the result. Cards by id,
    decks from the top.
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
    game = config.load_game()
    return _Stored(config, read_row(run_folder, number), game, game.table(config.rules))


def _head(stored: _Stored, state: np.record) -> dict[str, Any]:
    row, game = stored.row, stored.game
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
        "opening": game.zones(state),
        "events": _events(game, state),
    }


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
