"""A run's results as pandas frames, for notebooks and scripts."""

from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from duelbench.analysis.balance_tables import balance_tables, read_balance_rows
from duelbench.analysis.card_use import card_table
from duelbench.analysis.causal import EFFECT_COLUMNS, rule_variants
from duelbench.analysis.game_results import read_results
from duelbench.analysis.report import RunData, results, stored_sections, tables
from duelbench.analysis.report.columns import card_names
from duelbench.analysis.report.data import told_games
from duelbench.analysis.summary import Summary, summarise
from duelbench.analysis.sweeps import CURVE_COLUMNS, FAIR_COLUMNS
from duelbench.analysis.table_files import stored_tables
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
    ['ratings', 'payoffs', 'superiority', 'nash', 'seats', 'lengths', 'endings', 'draws']

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

    def cards(self, agent: str | None = None, by_agent: bool = False) -> pd.DataFrame:
        """How cards were used and who won with them: `analysis.card_use.card_table`. Every game is replayed."""
        return card_table(self.folder, agent, by_agent=by_agent)

    def variant_effects(self) -> pd.DataFrame:
        """What the variants of the game change: `analysis.variants.variant_effects`; without lines where none vary."""
        return self.summary().effects.copy()

    def effects(self) -> pd.DataFrame:
        """What single cards are worth: `analysis.causal.card_effects`, of a run with a section `balance`."""
        return self._of_balance("card_effects", EFFECT_COLUMNS)

    def sweeps(self) -> pd.DataFrame:
        """The holder's share by the number on its card: `analysis.sweeps.sweep_curves`, of a run with `balance`."""
        return self._of_balance("sweeps", CURVE_COLUMNS)

    def fair_values(self) -> pd.DataFrame:
        """At which number a card is fair: `analysis.sweeps.fair_values`, of a run with `balance`."""
        return self._of_balance("fair_values", FAIR_COLUMNS)

    def _of_balance(self, name: str, columns: list[str]) -> pd.DataFrame:
        """One of the tables of a balance study, without lines where the study did not ask for it."""
        if self._checked.asked is None:
            raise BadInput(f"{self.folder}: its config has no section balance, so it has no {name.replace('_', ' ')}")
        found = balance_tables(read_balance_rows(self.folder), self._checked)
        return found.get(name, pd.DataFrame(columns=columns))

    @cached_property
    def data(self) -> RunData:
        """What the report is made from."""
        open_to = [name for name, spec in self._checked.specs.items() if spec.sees_everything]
        played = read_results(self.folder)
        # Changes of cards have tables of their own.
        results = played if self._checked.asked is None else played.of(rule_variants(self._checked))
        summary = summarise(results, self._checked.named_decks, open_to)
        extra = stored_sections(stored_tables(self.folder), card_names(self.game), told_games(played.rows))
        return RunData(str(self.folder), self.config, self.manifest, results.rows, summary, tuple(extra))
