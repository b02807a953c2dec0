"""A run's results as pandas frames, for notebooks and scripts."""

from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from duelbench.analysis.causal import rule_rows
from duelbench.analysis.report import RunData, results, stored_sections, stored_tables, tables
from duelbench.analysis.report.columns import card_names
from duelbench.analysis.report.data import told_games
from duelbench.analysis.summary import Summary, read_results, summarise
from duelbench.envs.document import read_document
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game, did_you_mean
from duelbench.experiments.folder import load_run_config, read_json
from duelbench.experiments.rows import SCHEMA, read_rows


class Run:
    """A run folder. The run need not be finished: what it has so far is read.

    >>> from duelbench.analysis import open_run
    >>> run = open_run("runs/quickstart")
    >>> run.config["game"]
    'tarot_duel'
    >>> run.rows(["seat0", "seat1", "winner"]).columns.tolist()
    ['seat0', 'seat1', 'winner']
    >>> run.ratings().columns.tolist()[:5]
    ['rank', 'agent', 'rating', 'low', 'high']
    >>> run.payoffs().pivot(index="agent", columns="opponent", values="score").shape
    (2, 2)
    >>> run.table("endings").columns.tolist()
    ['reason', 'games', 'share', 'low', 'high', 'deals', 'note']
    >>> list(run.tables())
    ['ratings', 'payoffs', 'seats', 'lengths', 'endings']

    All of it raises BadInput where what it needs is missing or damaged. The frames are the caller's own.
    """

    def __init__(self, folder: str | Path) -> None:
        """Open the run in `folder`; BadInput where it is none, or its config does not load."""
        self.folder = Path(folder)
        self._checked = load_run_config(self.folder, agents_play=False)

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r})"

    @cached_property
    def config(self) -> dict[str, Any]:
        """The resolved config, as plain data."""
        return dict(read_document(self.folder / "config.yaml").data)

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """Where the run comes from: versions, machine, commit, command."""
        return read_json(self.folder / "manifest.json")

    @property
    def game(self) -> Game:
        """The game that was played, with its cards and rule options."""
        return self._checked.load_game()

    def rows(self, columns: list[str] | None = None) -> pd.DataFrame:
        """One row a game, as `experiments.rows.SCHEMA` lists the columns; `columns` leaves out the others."""
        unknown = [name for name in columns or () if name not in SCHEMA.names]
        if unknown:
            raise BadInput(f"{self.folder}: rows have no column {unknown[0]!r}{did_you_mean(unknown[0], SCHEMA.names)}")
        return read_rows(self.folder, columns)

    def summary(self) -> Summary:
        """All tables that come from the rows alone, with the notes that belong beside them."""
        return self.data.summary

    def payoffs(self) -> pd.DataFrame:
        """What each agent scored against each other: `analysis.payoffs.payoffs`."""
        return self.summary().payoffs.copy()

    def ratings(self) -> pd.DataFrame:
        """The agents by rating: `analysis.ratings.ratings`. Without lines where `summary().notes` say why."""
        return self.summary().ratings.copy()

    def seats(self) -> pd.DataFrame:
        """What seat 0 scored, over all games and in each matchup: `analysis.summary.seat_advantage`."""
        return self.summary().seats.copy()

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables of the run's report by their names, and all others that commands left in RUN/tables."""
        return stored_tables(self.folder) | {table.name: table.frame.copy() for table in tables(results(self.data))}

    def table(self, name: str) -> pd.DataFrame:
        """The table called `name`; BadInput lists those there are."""
        found = self.tables()
        if name not in found:
            raise BadInput(f"{self.folder}: no table {name!r}{did_you_mean(name, found)}")
        return found[name]

    @cached_property
    def data(self) -> RunData:
        """What the report is made from."""
        open_to = [name for name, spec in self._checked.specs.items() if spec.sees_everything]
        rows = read_results(self.folder)
        if self._checked.asked is not None:  # changes of cards have tables of their own
            rows = rule_rows(rows, self._checked)
        summary = summarise(rows, self._checked.named_decks, open_to)
        extra = stored_sections(stored_tables(self.folder), card_names(self.game), told_games(rows))
        return RunData(str(self.folder), self.config, self.manifest, rows, summary, tuple(extra))
