"""How the cards of a run were used and what they were worth, from the games that it has kept.

    table = card_table("runs/my_first")                       # all agents together
    table = card_table("runs/my_first", by_agent=True)        # a line for every agent and card

Every game is replayed, part file by part file, so the memory needed does not grow with the number of games.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from duelbench.analysis.card_columns import pairs_of, table_of_moments
from duelbench.analysis.card_moments import LEFT_OUT, CardMoments, Games
from duelbench.analysis.decks import ALL_AGENTS
from duelbench.envs.card_counts import use_of
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game, did_you_mean
from duelbench.experiments import players
from duelbench.experiments.config import RunConfig
from duelbench.experiments.folder import load_run_config, read_json
from duelbench.experiments.rows import part_paths, read_part
from duelbench.experiments.variants import AS_CONFIGURED

TableOf = Callable[[str, tuple[str, str]], np.record]
"""(variant, names of the decks on seats 0 and 1): the table that such games are played with."""
_ROW_COLUMNS = ["game", "matchup", "deal", "deal_seed", "seat0", "seat1", "deck0", "deck1", "winner"]


class CardStatistics:
    """Statistics of cards, gathered from rows of games.

    Rows of one deal (variant, matchup and deal) have to come in one piece; the pieces may come in any order. Seats
    count for groups: all agents together, each agent by itself (`by_agent`), or one of them (`agent`). Variants of the
    cards are never mixed, and `variant` leaves out all others.
    """

    def __init__(
        self,
        game: Game,
        table_of: TableOf,
        agent: str | None = None,
        variant: str | None = None,
        by_agent: bool = False,
    ) -> None:
        use_of(game)
        self._table_of = table_of
        self._tables: dict[tuple[str, tuple[str, str]], np.record] = {}
        self._agent, self._variant, self._by_agent = agent, variant, by_agent or agent is not None
        self.moments = CardMoments(game, pairs_of(game))

    def add(self, rows: pa.Table | pd.DataFrame) -> None:
        """Replay the rows, with the columns of `experiments.rows.SCHEMA`, and add them.

        Raises BadInput for a row that is no game by the rules and tables given.
        """
        columns, actions = self._chosen(rows)
        if columns.empty:
            return
        variants, decks = columns["variant"], zip(columns["deck0"], columns["deck1"], strict=True)
        keys = list(zip(variants, decks, strict=True))
        places = {key: i for i, key in enumerate(dict.fromkeys(keys))}
        flat, starts = _flattened(actions)
        deal = columns[["variant", "matchup", "deal"]]
        games = Games(
            which=np.array([places[key] for key in keys], np.int64),
            seeds=columns["deal_seed"].to_numpy(np.uint64),
            actions=flat,
            starts=starts,
            winners=columns["winner"].to_numpy(np.int8),
            groups=self._groups(columns),
            new_deal=(deal != deal.shift()).any(axis=1).to_numpy(np.int8),
        )
        names = [f"game {number}" for number in columns["game"]]
        self.moments.add([self._table(key) for key in places], games, names)

    def merge(self, other: "CardStatistics") -> None:
        """Add what another one, for the same groups, has gathered from other deals."""
        self.moments.merge(other.moments)

    def table(self) -> pd.DataFrame:
        """`card_columns.table_of_moments` of what has been added so far."""
        return table_of_moments(self.moments)

    def _chosen(self, rows: pa.Table | pd.DataFrame) -> tuple[pd.DataFrame, pa.ListArray]:
        """The rows that count, deal by deal, and their actions."""
        table = rows if isinstance(rows, pa.Table) else pa.Table.from_pandas(rows, preserve_index=False)
        with_variant = ["variant"] if "variant" in table.column_names else []
        columns = table.select([*_ROW_COLUMNS, *with_variant]).to_pandas()
        if not with_variant:
            columns["variant"] = AS_CONFIGURED
        wanted = columns
        if self._agent is not None:
            wanted = wanted[(wanted["seat0"] == self._agent) | (wanted["seat1"] == self._agent)]
        if self._variant is not None:
            wanted = wanted[wanted["variant"] == self._variant]
        wanted = wanted.sort_values(["variant", "matchup", "deal", "game"], kind="stable")
        actions = table["actions"].take(pa.array(wanted.index.to_numpy()))
        return wanted.reset_index(drop=True), actions.combine_chunks()

    def _table(self, key: tuple[str, tuple[str, str]]) -> np.record:
        if key not in self._tables:
            self._tables[key] = self._table_of(*key)
        return self._tables[key]

    def _groups(self, columns: pd.DataFrame) -> np.ndarray:
        groups = np.full((len(columns), 2), LEFT_OUT, np.int64)
        for seat in range(2):
            for (agent, variant), places in columns.groupby([f"seat{seat}", "variant"], sort=True).indices.items():
                if self._agent in (None, agent):
                    groups[places, seat] = self.moments.group((agent if self._by_agent else ALL_AGENTS, variant))
        return groups


def _flattened(actions: pa.ListArray | pa.ChunkedArray) -> tuple[np.ndarray, np.ndarray]:
    """All actions one after the other, int16, and int64[rows + 1], where those of each row begin."""
    lists = actions.combine_chunks() if isinstance(actions, pa.ChunkedArray) else actions
    starts = np.zeros(len(lists) + 1, np.int64)
    np.cumsum(lists.value_lengths().to_numpy(zero_copy_only=False), out=starts[1:])
    return lists.flatten().to_numpy(zero_copy_only=False).astype(np.int16), starts


def card_table(
    run_folder: str | Path,
    agent: str | None = None,
    variant: str | None = None,
    by_agent: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """The table of cards of a run: `card_columns.columns_of`, a line for each group and card.

    Without `agent` and `by_agent` the seats of all agents count together. `progress(games replayed, games to replay)`
    is called after every part file. Raises BadInput for a folder without games, games of an older version, rows that
    are no games, and names that the run does not have.
    """
    folder = Path(run_folder)
    config = load_run_config(folder, agents_play=False)
    game = config.load_game()
    _check_version(folder, game)
    if agent is not None and agent not in config.agents:
        raise BadInput(f"{folder}: no agent is called {agent!r}{did_you_mean(agent, config.agents)}")
    if variant is not None and variant not in config.variants:
        raise BadInput(f"{folder}: no variant is called {variant!r}{did_you_mean(variant, config.variants)}")
    gathered = CardStatistics(game, tables_of_run(config), agent, variant, by_agent)
    paths, done = part_paths(folder), 0
    if not paths:
        raise BadInput(f"{folder}: holds no games")
    for part, path in enumerate(paths):
        rows = read_part(path)
        try:
            gathered.add(rows)
        except BadInput as error:
            raise BadInput(f"{path}: {error}") from None
        done += rows.num_rows
        if progress is not None:
            progress(done, done if part + 1 == len(paths) else round(done * len(paths) / (part + 1)))
    if not gathered.moments.groups:
        raise BadInput(f"{folder}: holds no such games")
    return gathered.table()


def tables_of_run(config: RunConfig) -> TableOf:
    """The tables of a run's games, each made when it is first asked for."""
    game = config.load_game()

    def table_of(variant: str, decks: tuple[str, str]) -> np.record:
        if variant not in config.variants:
            raise BadInput(f"the run has no variant {variant!r}")
        try:
            return players.table_of(game, config, decks, variant)
        except KeyError:
            raise BadInput(f"the run has no decks called {decks[0]!r} and {decks[1]!r}") from None

    return table_of


def _check_version(folder: Path, game: Game) -> None:
    made_with = read_json(folder / "manifest.json").get("game_version")
    if made_with != game.version:
        raise BadInput(f"{folder}: made with version {made_with} of {game.name}, which is now at {game.version}")
