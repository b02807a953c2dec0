"""Part files: written from rows or from columns, and read whole, by columns or for one game."""

import pandas as pd
import pyarrow.parquet as pq
import pytest

from duelbench.envs.errors import BadInput
from duelbench.experiments.match import GameRow
from duelbench.experiments.rows import (
    SCHEMA,
    part_bytes,
    part_path,
    read_part,
    read_row,
    read_rows,
    rows_of,
    table_of_rows,
)


def a_row(game):
    """Game number `game`, in which seat 0 wins every second time."""
    seats = ("ann", "bob") if game % 2 == 0 else ("bob", "ann")
    actions = list(range(game % 5))
    return GameRow(
        game, "ann vs bob", game // 2, 2**64 - 1 - game, *seats, "", "", f"x={game % 3}", game % 2, "points", 5, actions
    )


@pytest.fixture
def folder(tmp_path):
    """A run folder of three parts with ten games each; the parts are not in the order of their games."""
    part_path(tmp_path, 0).parent.mkdir()
    for part, first in enumerate([10, 0, 20]):
        part_path(tmp_path, part).write_bytes(part_bytes(a_row(game) for game in range(first, first + 10)))
    return tmp_path


def test_rows_and_their_columns_make_the_same_bytes():
    rows = [a_row(game) for game in range(1000)]
    assert part_bytes(rows) == part_bytes(table_of_rows(rows))
    assert part_bytes(iter(rows)) == part_bytes(rows)


def test_what_was_written_is_read_again(folder):
    assert rows_of(read_part(part_path(folder, 1))) == [a_row(game) for game in range(10)]
    assert read_part(part_path(folder, 1)).schema.equals(SCHEMA)


def test_a_part_is_read_by_other_programs_as_it_is(folder):
    path = part_path(folder, 1)
    assert pd.read_parquet(path)["deal_seed"].tolist() == [2**64 - 1 - game for game in range(10)]
    assert pq.read_table(path)["actions"].to_pylist() == [a_row(game).actions for game in range(10)]


def test_rows_come_in_the_order_of_their_games(folder):
    rows = read_rows(folder)
    assert rows["game"].tolist() == list(range(30))
    assert rows["seat0"].tolist() == [a_row(game).seat0 for game in range(30)]


def test_categories_hold_the_same_texts_whatever_part_they_are_from(folder):
    plain, small = read_rows(folder), read_rows(folder, categories=True)
    texts = [name for name in plain.columns if plain[name].dtype.kind not in "iu" and name != "actions"]
    assert texts == ["matchup", "seat0", "seat1", "deck0", "deck1", "variant", "reason"]
    for name in texts:
        assert isinstance(small[name].dtype, pd.CategoricalDtype)
        assert small[name].tolist() == plain[name].tolist()


@pytest.mark.parametrize("number", [0, 9, 10, 19, 29])
@pytest.mark.parametrize("part", [None, 0, 1, 2, 3])
def test_a_game_is_found_whatever_part_is_named(folder, number, part):
    assert read_row(folder, number, part) == a_row(number)


def test_the_named_part_alone_is_opened(folder):
    part_path(folder, 0).write_bytes(b"no part file")
    assert read_row(folder, 25, part=2) == a_row(25)
    with pytest.raises(BadInput, match=r"part-00000\.parquet: not a readable part file: .*plays its games again"):
        read_row(folder, 25)


def test_a_game_that_no_part_has(folder):
    with pytest.raises(BadInput, match="has no game 30; it has 30 games, numbered 0 to 29"):
        read_row(folder, 30, part=2)
