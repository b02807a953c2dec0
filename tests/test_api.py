"""A run's results for pandas: what the docstrings promise, and what is refused."""

import doctest
import subprocess
import sys

import pandas as pd
import pytest
from made_up_sections import CARDS, all_sections, card_effects, card_sweeps, fair_values, mixture, used_cards
from small_runs import highcard_known, plain_config  # noqa: F401

from duelbench.analysis import api, open_run
from duelbench.analysis.report import stored_sections
from duelbench.analysis.report.content import tables
from duelbench.analysis.table_files import stored_tables, write_table
from duelbench.envs.errors import BadInput
from duelbench.experiments.config import make_config
from duelbench.experiments.run import run as play


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The run that the docstrings speak of: two agents in Tarot Duel."""
    agents = {"heuristic": {"type": "heuristic"}, "random": {"type": "random"}}
    config = make_config(plain_config(name="quickstart", game="tarot_duel", deals=12, agents=agents))
    return play(config, tmp_path_factory.mktemp("api") / "runs")


@pytest.fixture(scope="module")
def run(folder):
    return open_run(folder)


def test_the_examples_hold(folder, monkeypatch):
    monkeypatch.chdir(folder.parent.parent)
    found = doctest.testmod(api)
    assert found.attempted > 5
    assert found.failed == 0


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, duelbench.analysis; print({'pandas', 'numba', 'plotly'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-P", "-c", code], text=True) == "set()\n"


def test_frames_are_the_callers_own(run):
    for frame in (run.payoffs(), run.table("payoffs")):
        frame["score"] = 7
    assert run.payoffs()["score"].between(0, 1).all()


def test_rows_have_the_columns_that_are_asked_for(run):
    assert len(run.rows()) == 24
    with pytest.raises(BadInput, match="rows have no column 'winer'; did you mean 'winner'"):
        run.rows(["winer"])


def test_config_and_manifest_are_those_of_the_folder(run):
    assert list(run.config["agents"]) == ["heuristic", "random"]
    assert run.manifest["game"] == run.game.name == "tarot_duel"


def test_an_unknown_table_is_refused_with_those_there_are(run):
    with pytest.raises(BadInput, match="no table 'rating'; did you mean 'ratings'"):
        run.table("rating")


def test_a_table_that_another_command_left_is_among_them(run, folder):
    frame = pd.DataFrame({"card": ["fool"], "share": [0.123456789]})
    paths = write_table(folder, "made_up", frame)
    pd.testing.assert_frame_equal(run.table("made_up"), frame)
    assert paths[0].read_text() == "card,share\nfool,0.123457\n"
    paths[1].write_bytes(b"no table")
    with pytest.raises(BadInput, match=r"made_up\.parquet: cannot be read"):
        run.table("made_up")
    paths[1].unlink()


def test_a_run_without_a_study_has_no_effects(run):
    with pytest.raises(BadInput, match="config has no section balance, so it has no card effects"):
        run.effects()
    assert run.variant_effects().empty


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(BadInput, match="not a run folder"):
        open_run(tmp_path)


# --- Sections from stored tables ---------------------------------------------------------------------------


def test_stored_tables_become_sections(tmp_path):
    stored = {"card_effects": card_effects(), "sweeps": card_sweeps(), "fair_values": fair_values()}
    stored |= {"cards": used_cards(), "unknown": mixture()}
    for name, frame in stored.items():
        write_table(tmp_path, name, frame)
    found = list(stored_sections(stored_tables(tmp_path), CARDS, "80 games"))
    titles = ["Findings", "Effects of cards", "What a number is worth", "Cards as they were used"]
    assert [section.title for section in found] == titles
    assert {table.name for table in tables(found)} == stored.keys() - {"unknown"}


def test_the_largest_effect_comes_first_and_the_rest_in_order():
    frame = next(table.frame for table in tables(all_sections()) if table.name == "card_effects")
    means = frame.groupby(["card", "change"], sort=False)["effect"].mean()
    assert list(means) == sorted(means, reverse=True)
    assert len(frame) == len(card_effects())
