"""Searches in a run: one led by a policy that the run trains itself, and one that cheats."""

import small_runs
from rich.console import Console

from duelbench.analysis.cli.results import read
from duelbench.analysis.cli.tables import print_summary
from duelbench.analysis.report import write_report
from duelbench.experiments.config import make_config
from duelbench.experiments.folder import checkpoint_path, given_checkpoint_path
from duelbench.experiments.rows import read_rows
from duelbench.experiments.run import run

AGENTS = {
    "rnd": {"type": "random"},
    "seer": {"type": "oracle_mcts", "simulations": 60},
    "led": {"type": "puct", "train": "quick", "simulations": 8},
}
TRAIN = {"quick": {"steps": 512, "lanes": 16, "rollout": 16, "batch_size": 128, "layers": [8]}}


def test_a_run_trains_for_a_led_search_and_gives_no_rating_to_one_that_cheats(tmp_path, monkeypatch):
    small_runs.make_highcard_known(tmp_path, monkeypatch)
    config = make_config(small_runs.plain_config(agents=AGENTS, train=TRAIN, deals=12))
    folder = run(config, tmp_path / "runs")
    assert checkpoint_path(folder, "quick").is_file()

    data = read(folder)
    summary = data.summary
    assert set(summary.ratings["agent"]) == {"led", "rnd"}
    assert summary.agents[-1] == "seer"
    with Console(width=200, record=True) as screen:
        print_summary(screen, summary)
    told = screen.export_text()
    assert "seer sees the hidden cards: a yardstick, which has no rating" in told
    assert any(line.split()[1:3] == ["–", "│"] and "sees the hidden cards" in line for line in told.splitlines())
    page = write_report(folder / "report.html", [data]).read_text(encoding="utf-8")
    assert page.count("sees the hidden cards") == 2
    rows = read_rows(folder)
    assert len(rows) == 3 * 24

    # What a config is given as a file is kept in the folder for such an agent too.
    given = AGENTS | {"led": {"type": "puct", "checkpoint": str(checkpoint_path(folder, "quick")), "simulations": 8}}
    again = make_config(small_runs.plain_config(name="again", agents=given, deals=12))
    kept = run(again, tmp_path / "runs")
    assert given_checkpoint_path(kept, "led").read_bytes() == checkpoint_path(folder, "quick").read_bytes()
    assert read_rows(kept).equals(rows)
