"""The command `duelbench balance`, and `duelbench run` on the same config."""

import pandas as pd
import pytest
from small_runs import highcard_known, write_config  # noqa: F401
from typer.testing import CliRunner

from duelbench.analysis.cli.app import app

pytestmark = pytest.mark.usefixtures("highcard_known")

BALANCE = {
    "cards": ["card_0", "card_3"],
    "changes": [{"number": 90}, "blank"],
    "sweep": {"card_3": {"number": [0, 9]}},
    "rules": "all",
    "forbid": ["card_7"],
}
STUDY = {"name": "study", "game": "highcard", "deals": 60, "agents": {"rnd": {"type": "random"}}, "balance": BALANCE}


def told(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_dry_tells_the_games_and_the_share_of_deals_of_each_card(tmp_path):
    path = write_config(tmp_path, STUDY)
    shown = told("balance", path, "--dry", "--runs", tmp_path)
    lines = {tuple(cell.strip() for cell in line.split("│")[1:3]): line for line in shown.splitlines() if "│" in line}
    assert "60 │    60" in lines["rnd", "as configured"]
    assert "%" in lines["card_3", "Card 3"]
    assert "Left out of blank: card_0 (has no text)" in shown
    assert not (tmp_path / "study").exists()


def test_a_study_is_played_shown_and_written(tmp_path):
    path = write_config(tmp_path, STUDY)
    shown = told("balance", path, "--runs", tmp_path, "--workers", "1")
    for title in ("number+90: rnd against itself", "never played: rnd", "Sweeps", "Fair values", "Other readings"):
        assert title in shown
    tables = tmp_path / "study" / "tables"
    for name in ("card_effects", "restricted_play", "rule_effects", "sweeps", "fair_values"):
        written, stored = pd.read_csv(tables / f"{name}.csv"), pd.read_parquet(tables / f"{name}.parquet")
        assert list(written.columns) == list(stored.columns)
        assert len(written) == len(stored) > 0
    effects = pd.read_parquet(tables / "card_effects.parquet")
    assert set(effects["change"]) == {"number+90", "blank"}
    assert (tmp_path / "study" / "report.html").exists()


def test_run_plays_the_same_games(tmp_path):
    path = write_config(tmp_path, STUDY)
    told("run", path, "--runs", tmp_path / "run", "--workers", "1", "--no-report")
    told("balance", path, "--runs", tmp_path / "balance", "--workers", "1", "--no-report")
    one, other = (sorted((tmp_path / kind / "study" / "games").iterdir()) for kind in ("run", "balance"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]


def test_a_config_without_the_section_is_refused(tmp_path):
    data = {key: value for key, value in STUDY.items() if key != "balance"} | {
        "agents": {"a": {"type": "random"}, "b": {"type": "random"}}
    }
    result = CliRunner().invoke(app, ["balance", str(write_config(tmp_path, data))])
    assert result.exit_code == 2
    assert "has no section balance; `duelbench balance --help` tells what may stand in it" in result.stderr
