"""`verify` passes on a run as it was played and fails on every kind of damage."""

import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_runs import RUNS, highcard_known, make_highcard_known, plain_config  # noqa: F401

from duelbench.envs.errors import BadInput
from duelbench.experiments.config import make_config
from duelbench.experiments.rows import SCHEMA, part_path, read_row, read_rows
from duelbench.experiments.run import run
from duelbench.experiments.verify import verify

pytestmark = pytest.mark.usefixtures("highcard_known")

GAME = 5  # the row that is altered


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A run of 80 games in three parts."""
    with pytest.MonkeyPatch.context() as patch:
        make_highcard_known(tmp_path_factory.mktemp("site"), patch)
        return run(make_config(plain_config()), tmp_path_factory.mktemp("runs"))


@pytest.fixture
def copy(played, tmp_path):
    return shutil.copytree(played, tmp_path / "copy")


def change(folder, alter):
    """Rewrite the first part with `alter` applied to its list of rows."""
    path = part_path(folder, 0)
    rows = pq.read_table(path).to_pylist()
    alter(rows)
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), path)


def test_a_run_as_it_was_played_verifies(played):
    calls = []
    report = verify(played, lambda done, total: calls.append((done, total)))
    assert report.ok
    assert (report.checked, report.expected, report.bad_games) == (80, 80, 0)
    assert calls == sorted(calls)
    assert calls[0][0] < 80
    assert calls[-1] == (80, 80)
    assert report.lines() == [
        f"{played}: all 80 games replayed, from their deals and actions; every row is as it should be"
    ]


@pytest.mark.parametrize("case", RUNS)
def test_the_agents_give_the_same_answers_again(whole_run, case):
    report = verify(whole_run(case), agents=True)
    assert report.ok, report.lines()
    assert "every agent gave the same answers again" in report.lines()[0]


@pytest.mark.parametrize("case", RUNS)
def test_every_altered_column_is_found(whole_run, tmp_path, case):
    """One column in each of so many rows, to something that the column could hold."""
    columns = [name for name in SCHEMA.names if name != "game"]
    folder = shutil.copytree(whole_run(case), tmp_path / "copy")

    def alter(rows):
        for row, column in zip(rows, columns, strict=False):
            row[column] = another(column, row[column])

    change(folder, alter)
    report = verify(folder)
    assert not report.ok
    assert report.bad_games == len(columns)
    assert [(problem.game, problem.column) for problem in report.problems] == list(enumerate(columns))
    assert all("should be" in line for line in report.lines()[1:-1])


def another(column, value):
    """Another value for the column of a row."""
    if column == "winner":
        return 1 if value == 0 else 0
    if column == "actions":
        return value[:-1]
    return value + 1 if isinstance(value, int) else f"{value}x"


@pytest.mark.parametrize(
    ("alter", "told"),
    [
        (lambda actions: actions.pop(), "the game is not over after all 5 actions"),
        (lambda actions: actions.append(0), "the game is over after 6 of 7 actions"),
        (lambda actions: actions.__setitem__(2, actions[0]), "illegal: player_0 may not"),
        (lambda actions: actions.__setitem__(0, 99), "illegal: player_0 may not take action 99"),
        (lambda actions: actions.clear(), "the game is not over after all 0 actions"),
    ],
)
def test_altered_actions_are_found(copy, alter, told):
    change(copy, lambda rows: alter(rows[GAME]["actions"]))
    report = verify(copy)
    assert [(p.game, p.column) for p in report.problems] == [(GAME, "actions")]
    assert told in str(report.problems[0])


def test_a_game_that_other_agents_might_have_played_is_found_by_asking_them(copy):
    """Seat 1 (random, in game 5) plays its first two cards the other way round: legal, but not what it answered."""

    def alter(rows):
        row = rows[GAME]
        actions = row["actions"]
        actions[1], actions[3] = actions[3], actions[1]
        points = [actions[i] > actions[i + 1] for i in range(0, 6, 2)]
        row["winner"] = 0 if sum(points) >= 2 else 1

    change(copy, alter)
    assert verify(copy).ok
    report = verify(copy, agents=True)
    assert "actions" in {p.column for p in report.problems}
    assert {p.game for p in report.problems} == {GAME}


def test_a_number_given_twice_is_found(copy):
    change(copy, lambda rows: rows[GAME].update(game=GAME - 1))
    told = [str(problem) for problem in verify(copy).problems]
    assert told[0].startswith("1 of 80 games are missing, the first is game 5")
    assert told[1] == "game 4: game: stored twice"


def test_a_number_beyond_the_run_is_found(copy):
    change(copy, lambda rows: rows[GAME].update(game=80))
    assert "game 80: game: no game of this run; its games are 0 to 79" in map(str, verify(copy).problems)


def test_a_missing_part_is_found(copy):
    part_path(copy, 1).unlink()
    report = verify(copy)
    assert str(report.problems[0]).startswith("32 of 80 games are missing, the first is game 32")


def test_a_damaged_part_is_found(copy):
    path = part_path(copy, 1)
    path.write_bytes(path.read_bytes()[:-100])
    told = [str(problem) for problem in verify(copy).problems]
    assert f"{path}: not a readable part file" in told[1]


@pytest.mark.parametrize("column", SCHEMA.names)
def test_a_cell_without_a_value_is_found_and_no_reader_trips_over_it(copy, column):
    change(copy, lambda rows: rows[GAME].update({column: None}))
    told = f"column '{column}' has cells without a value"
    report = verify(copy)
    assert told in str(report.problems)
    for read in (lambda: read_rows(copy), lambda: read_row(copy, GAME)):
        with pytest.raises(BadInput, match=told if column != "game" else r"without a value|has no game"):
            read()


def test_an_action_without_a_value_is_found(copy):
    change(copy, lambda rows: rows[GAME]["actions"].append(None))
    assert "column 'actions' has cells without a value" in str(verify(copy).problems)


def test_a_column_of_another_type_is_found(copy):
    path = part_path(copy, 0)
    table = pq.read_table(path)
    at = table.schema.names.index("winner")
    pq.write_table(table.set_column(at, "winner", pa.array(["a"] * len(table))), path)
    assert "column 'winner' holds string; expected int8" in str(verify(copy).problems)


def test_a_part_with_other_columns_is_found(copy):
    path = part_path(copy, 1)
    pq.write_table(pq.read_table(path).drop_columns("reason"), path)
    assert any("columns are" in str(problem) for problem in verify(copy).problems)


def test_another_config_in_the_folder_is_found(copy):
    text = (copy / "config.yaml").read_text()
    (copy / "config.yaml").write_text(text.replace("seed: 7", "seed: 8"))
    report = verify(copy)
    assert report.bad_games == 80
    assert len(report.problems) == 20


def test_a_folder_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(BadInput, match=r"not a run folder \(it has no config\.yaml\)"):
        verify(tmp_path)


def test_a_run_of_another_version_is_refused(copy):
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps(manifest | {"game_version": 0}))
    with pytest.raises(BadInput, match="made with version 0 of highcard, which is now at 1"):
        verify(copy)
