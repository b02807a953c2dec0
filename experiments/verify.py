"""Does a run folder hold exactly the games that its config stands for, played by the rules?

Every game is replayed from its deal seed and its actions. That proves the rows consistent with the rules and the
plan; whether the agents really chose those actions is proved by asking them again (`agents=True`), which takes as
long as the run did.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.experiments.compiled_match import play_chunk, replay_chunk
from duelbench.experiments.config import RunConfig
from duelbench.experiments.folder import load_run_config, read_json
from duelbench.experiments.match import GameRow, finished_row
from duelbench.experiments.plan import Chunk, PlannedGame, chunks, first_game, planned_game, total_games
from duelbench.experiments.players import Players
from duelbench.experiments.rows import part_path, part_paths, read_part, rows_of
from duelbench.experiments.stops import stops_of

_PROBLEMS_KEPT = 20
_GAMES_BETWEEN_REPORTS = 50


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a row; `game` is None when it is not about one game."""

    game: int | None
    column: str
    told: str

    def __str__(self) -> str:
        return self.told if self.game is None else f"game {self.game}: {self.column}: {self.told}"


@dataclass
class VerifyReport:
    """What was found."""

    folder: Path
    expected: int
    """games the config stands for"""
    checked: int = 0
    """rows replayed"""
    bad_games: int = 0
    """rows with at least one problem"""
    problems: list[Problem] = field(default_factory=list)
    """the first ones, in the order of the files"""
    agents_asked: bool = False

    @property
    def ok(self) -> bool:
        return not self.problems

    def lines(self) -> list[str]:
        """The report for people: a verdict, then a line for each problem kept."""
        if self.ok:
            how = "and every agent gave the same answers again" if self.agents_asked else "from their deals and actions"
            return [f"{self.folder}: all {self.checked} games replayed, {how}; every row is as it should be"]
        verdict = f"{self.folder}: does not verify: {self.bad_games} of {self.checked} rows are wrong"
        return [verdict, *map(str, self.problems)]

    def add(self, problem: Problem) -> None:
        if len(self.problems) < _PROBLEMS_KEPT:
            self.problems.append(problem)


def verify(
    run_folder: str | Path, progress: Callable[[int, int], None] | None = None, agents: bool = False
) -> VerifyReport:
    """Replay every game of the run; `progress(games checked, games expected)` is called now and then.

    Raises BadInput when `run_folder` is not a run folder, or its game has changed since.
    """
    folder = Path(run_folder)
    config = load_run_config(folder, agents_play=agents)
    players = Players(folder, config)
    _check_version(folder, players)
    for name in config.specs if agents else ():
        players.agent(name)
    check = _Check(players, VerifyReport(folder, total_games(config), agents_asked=agents), progress)
    planned = {part_path(folder, chunk.part): chunk for chunk in chunks(config)}
    for path in part_paths(folder):
        try:
            table = read_part(path)
        except BadInput as error:
            check.report.add(Problem(None, "file", str(error)))
        else:
            check.part(table, planned.get(path))
    _leave_out_needless(config, folder, check.seen)
    _note_missing(check.report, check.seen)
    check.tell()
    return check.report


def _leave_out_needless(config: RunConfig, folder: Path, seen: np.ndarray) -> None:
    """Games behind the stop of their matchup are not missed."""
    with contextlib.suppress(BadInput):  # an unreadable part has been told of already
        stops = stops_of(config, folder)
        for chunk in chunks(config) if config.stop is not None else ():
            if not stops.needs(chunk):
                first = first_game(config, chunk)
                seen[first : first + chunk.games] = True


class _Check:
    """The comparison of part after part with what they should be."""

    def __init__(self, players: Players, report: VerifyReport, progress: Callable[[int, int], None] | None) -> None:
        self._players = players
        self._progress = progress
        self.report = report
        self.seen = np.zeros(report.expected, np.bool_)
        """By its number, whether a row of the game was there."""

    def part(self, table: pa.Table, chunk: Chunk | None) -> None:
        """Check all rows of a part; one by one, to tell what is wrong, only where not all is as it should be."""
        if chunk is not None and self._is_right(table, chunk):
            first = first_game(self._players.config, chunk)
            self.seen[first : first + chunk.games] = True
            self.report.checked += chunk.games
            self.tell()
            return
        for row in rows_of(table):
            problems = list(self._problems(row))
            for problem in problems:
                self.report.add(problem)
            self.report.bad_games += bool(problems)
            self.report.checked += 1
            if self.report.checked % _GAMES_BETWEEN_REPORTS == 0:
                self.tell()

    def tell(self, more: int = 0) -> None:
        """How many rows are checked, `more` of the present part included."""
        if self._progress is not None:
            self._progress(self.report.checked + more, self.report.expected)

    def _is_right(self, table: pa.Table, chunk: Chunk) -> bool:
        first = first_game(self._players.config, chunk)
        if len(table) != chunk.games or self.seen[first : first + chunk.games].any():
            return False
        try:
            truth = self._truth(table, chunk)
        except IllegalAction:
            return False
        return truth is not None and bool(table.equals(truth))

    def _truth(self, table: pa.Table, chunk: Chunk) -> pa.Table | None:
        if self.report.agents_asked:
            return play_chunk(self._players, chunk, lambda done, _: self.tell(done))
        return replay_chunk(self._players, chunk, table["actions"].combine_chunks())

    def _problems(self, row: GameRow) -> Iterator[Problem]:
        number, expected = row.game, self.report.expected
        if not 0 <= number < expected:
            yield Problem(number, "game", f"no game of this run; its games are 0 to {expected - 1}")
            return
        if self.seen[number]:
            yield Problem(number, "game", "stored twice")
            return
        self.seen[number] = True
        planned = planned_game(self._players.config, number)
        try:
            again = self.report.agents_asked
            truth = self._players.play(planned) if again else replayed(self._players, planned, row.actions)
        except IllegalAction as error:
            yield Problem(number, "actions", f"illegal: {error}")
        except ValueError as error:
            yield Problem(number, "actions", str(error))
        else:
            yield from _differences(row, truth)


def replayed(players: Players, planned: PlannedGame, actions: list[int]) -> GameRow:
    """The row that `actions` lead to; ValueError or IllegalAction when they are not a whole legal game."""
    game, table = players.game, players.table_of(planned.decks, planned.variant)
    state = game.dealt(table, planned.seeds.deal)
    for i, action in enumerate(actions):
        if state.over:
            raise ValueError(f"the game is over after {i} of {len(actions)} actions")
        game.play(table, state, action)
    if not state.over:
        raise ValueError(f"the game is not over after all {len(actions)} actions")
    return finished_row(game, state, planned, actions)


def _check_version(folder: Path, players: Players) -> None:
    made_with = read_json(folder / "manifest.json").get("game_version")
    if made_with != players.game.version:
        game = players.game
        raise BadInput(f"{folder}: made with version {made_with} of {game.name}, which is now at {game.version}")


def _differences(row: GameRow, truth: GameRow) -> Iterator[Problem]:
    for column, found, expected in zip(GameRow._fields, row, truth, strict=True):
        if found != expected:
            yield Problem(row.game, column, f"is {_short(found)}, should be {_short(expected)}")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _note_missing(report: VerifyReport, seen: np.ndarray) -> None:
    missing = np.flatnonzero(~seen)
    if len(missing):
        told = f"{len(missing)} of {report.expected} games are missing, the first is game {missing[0]}"
        report.problems.insert(0, Problem(None, "game", f"{told} (an unfinished run is continued by running it again)"))
