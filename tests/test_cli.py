"""The `duelbench` command: what it prints, how it fails, and how fast it can answer."""

import dataclasses
import io
import json
import shutil
import subprocess
import sys

import highcard
import pytest
from conftest import SHIPPED_DECKS
from made_up_results import frame_of, rows_of
from rich.console import Console
from small_runs import make_highcard_known, plain_config, write_config
from typer.testing import CliRunner

from duelbench.analysis.cli import app, results
from duelbench.analysis.cli.progress import Bars, Lines
from duelbench.analysis.cli.tables import print_summary
from duelbench.analysis.summary import summarise
from duelbench.envs.errors import BadInput
from duelbench.envs.registry import load_game
from duelbench.experiments import run as running
from duelbench.experiments import verify as verifying
from duelbench.experiments.rows import part_bytes, part_path, part_paths

COMMANDS = [
    "run",
    "train",
    "verify",
    "replay",
    "report",
    "status",
    "ranking",
    "games",
    "agents",
    "cards",
    "play",
    "exploit",
    "decks",
    "bench",
]
HEAVY = "numba numpy torch pandas pyarrow pydantic plotly scipy evalica yaml gymnasium pettingzoo".split()


def call(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def one_line(result):
    """The line on stderr of a command that refused what it was given."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("duelbench: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture(scope="module")
def first_run(tmp_path_factory):
    """The result of `duelbench run` on 40 deals of High Card, and the folder in which it was called."""
    folder = tmp_path_factory.mktemp("first")
    with pytest.MonkeyPatch.context() as patch:
        make_highcard_known(tmp_path_factory.mktemp("site"), patch)
        patch.chdir(folder)
        return call("run", write_config(folder, plain_config()), "--workers", 1, "--no-report"), folder


@pytest.fixture
def here(tmp_path, tmp_path_factory, monkeypatch):
    """An empty folder to call commands in."""
    make_highcard_known(tmp_path_factory.mktemp("site"), monkeypatch)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def finished(here, first_run):
    """The folder of the finished run `small`, to be spoilt at will."""
    shutil.copytree(first_run[1] / "runs", here / "runs")
    return here / "runs" / "small"


def test_a_run_is_played_ranked_and_shown(first_run):
    result, folder = first_run
    assert result.exit_code == 0, result.output
    for words in ("Ranking", "rnd", "low", "40 deals", "Seat 0 scored", "ratings.csv", "duelbench verify runs/small"):
        assert words in result.stdout
    assert "games: done" in result.stderr
    assert {"payoffs.csv", "ratings.csv"} <= {path.name for path in (folder / "runs" / "small").iterdir()}


def test_no_report_means_no_report(first_run):
    assert "report.html" not in first_run[0].stdout
    assert not (first_run[1] / "runs" / "small" / "report.html").exists()


def test_the_ranking_is_shown_again(finished, first_run):
    again = call("ranking", "small")
    assert again.exit_code == 0
    assert first_run[0].stdout.startswith(again.stdout)


def test_a_finished_run_verifies(finished):
    result = call("verify", "runs/small")
    assert result.exit_code == 0
    assert "all 80 games" in result.stdout


def test_a_game_is_replayed_in_words_and_as_a_transcript(finished):
    told = call("replay", "small", "--game", 3)
    assert told.exit_code == 0
    assert "Game 3 of run small" in told.stdout
    lines = call("replay", finished, "--game", 3, "--format", "jsonl").stdout.splitlines()
    assert json.loads(lines[0])["number"] == 3
    assert set(json.loads(lines[-1])) == {"result"}


def test_output_that_is_no_terminal_has_no_control_codes(finished):
    result = call("ranking", "small")
    assert "\x1b" not in result.output
    assert "\r" not in result.output


def test_a_report_is_made_again(finished):
    (finished / "ratings.csv").unlink()
    result = call("report", "small")
    assert result.exit_code == 0
    assert (finished / "report.html").resolve().as_uri() in result.stdout
    assert (finished / "ratings.csv").exists()


def test_a_row_altered_by_hand_is_named_and_the_exit_code_is_1(finished, monkeypatch):
    found = verifying.VerifyReport(finished, 80, checked=80, bad_games=1)
    found.add(verifying.Problem(17, "winner", "is 1, should be 0"))
    monkeypatch.setattr(verifying, "verify", lambda folder, progress, agents: found)
    result = call("verify", "small")
    assert result.exit_code == 1
    assert "game 17: winner: is 1, should be 0" in result.stdout


def test_a_missing_run_is_one_line_with_those_there_are(finished):
    assert "nope: no such run; looked for nope and runs/nope; there are: small" in one_line(call("ranking", "nope"))


def test_a_folder_that_is_no_run_is_one_line(here):
    (here / "photos").mkdir()
    assert "photos: not a run folder (it has no config.yaml)" in one_line(call("verify", "photos"))


def test_a_file_in_place_of_a_run_is_one_line(here):
    (here / "photo").write_text("")
    assert "photo: not a run folder but a file" in one_line(call("report", "photo"))


@pytest.mark.parametrize("command", ["verify", "report", "ranking"])
def test_an_unfinished_run_is_one_line_with_the_command_that_continues_it(finished, command):
    status = json.loads((finished / "status.json").read_text())
    (finished / "status.json").write_text(json.dumps(status | {"state": "interrupted", "games_done": 12}))
    line = one_line(call(command, "small"))
    assert "not finished (12 of 80 games" in line
    assert "`duelbench run runs/small/config.yaml`" in line


def test_a_game_that_the_run_does_not_have_is_one_line(finished):
    assert "no game 80" in one_line(call("replay", "small", "--game", 80))


def test_a_config_with_an_unknown_key_is_one_line_that_names_it(here):
    line = one_line(call("run", write_config(here, plain_config(colour="red"))))
    assert "small.yaml" in line
    assert "colour" in line
    assert not (here / "runs").exists()


def test_a_config_that_is_not_there_is_one_line(here):
    assert "nowhere.yaml: no such file" in one_line(call("run", "nowhere.yaml"))


NEAR_MISSES = [("games", "tarot_dual", "tarot_duel"), ("agents", "ismct", "ismcts")]


@pytest.mark.parametrize(("command", "name", "near"), NEAR_MISSES)
def test_an_unknown_name_gets_the_nearest_known_one(command, name, near):
    assert f"did you mean '{near}'?" in one_line(call(command, name))


@pytest.mark.parametrize("line", ["", "nonsense", "run", "replay x --game first", "run x --workers 0"])
def test_a_wrong_command_line_ends_with_2(line):
    assert call(*line.split()).exit_code == 2


def failing_with(error):
    def run(*_, **__):
        raise error

    return run


@pytest.mark.parametrize("closed", ["1>&-", "2>&-"])
def test_a_closed_stream_is_no_error(closed):
    program = f'{sys.executable} -c "from duelbench.analysis.cli import main; main()" agents ismcts {closed}'
    assert subprocess.run(program, shell=True, check=False).returncode == 0


def test_agents_are_found_in_the_current_folder(here):
    (here / "beside.py").write_text("from odd_agents import Lowest\n\n\nclass Mine(Lowest):\n    pass\n")
    agents = {"rnd": {"type": "random"}, "mine": {"type": "beside:Mine"}}
    config = write_config(here, plain_config(agents=agents, deals=1))
    program = "from duelbench.analysis.cli import main; main()"
    command = [sys.executable, "-P", "-c", program, "run", str(config), "--workers", "1", "--no-report"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_games_are_replayed_and_verified_without_the_code_of_foreign_agents(finished):
    config = finished / "config.yaml"
    config.write_text(config.read_text().replace("odd_agents:Lowest", "gone_agents:Lowest"))
    assert call("replay", "small", "--game", 3).exit_code == 0
    assert "all 80 games" in call("verify", "small").stdout
    assert "'gone_agents:Lowest' cannot be loaded" in one_line(call("verify", "small", "--agents"))


def test_a_full_disk_is_one_line(here, monkeypatch):
    monkeypatch.setattr(running, "run", failing_with(OSError(28, "No space left on device", "runs/small/x")))
    assert "runs/small/x: No space left on device" in one_line(call("run", write_config(here, plain_config())))


def test_bad_input_on_many_lines_is_still_one(here, monkeypatch):
    monkeypatch.setattr(running, "run", failing_with(BadInput("first\n  second")))
    assert one_line(call("run", write_config(here, plain_config()))) == "duelbench: first second\n"


def test_an_interruption_that_comes_wrapped_is_one(monkeypatch):
    error = RuntimeError("Error calling __set_name__")
    error.__cause__ = KeyboardInterrupt()
    monkeypatch.setattr("duelbench.envs.registry.load_game", failing_with(error))
    result = call("games", "tarot_duel")
    assert (result.exit_code, result.stderr) == (130, "duelbench: interrupted\n")


def test_an_interrupted_run_says_how_to_continue(here, monkeypatch):
    monkeypatch.setattr(running, "run", failing_with(KeyboardInterrupt()))
    monkeypatch.setattr(sys, "argv", ["/usr/bin/duelbench", "run", "small.yaml"])
    result = call("run", write_config(here, plain_config()))
    assert result.exit_code == 130
    assert result.stderr.endswith("the same command continues: duelbench run small.yaml\n")


def test_an_error_of_ours_is_not_dressed_up(here, monkeypatch):
    monkeypatch.setattr(running, "run", failing_with(ZeroDivisionError()))
    assert isinstance(call("run", write_config(here, plain_config())).exception, ZeroDivisionError)


def test_too_few_deals_are_said_and_no_error(finished):
    for path in part_paths(finished):
        path.unlink()
    part_path(finished, 0).write_bytes(part_bytes(rows_of({("rnd", "low"): ["WL"] * 3})))
    result = call("ranking", "small")
    assert result.exit_code == 0
    assert "Note: no ratings: low against rnd has 3 deals, at least 10 needed" in result.stdout
    assert "Ranking" not in result.stdout


def test_games_and_agents_are_listed_with_their_options():
    assert "タロット" in call("games").stdout
    described = call("games", "tarot_duel").stdout
    assert "max_turns" in described
    assert "the_fool" in described
    assert "(section `cards`)" in described
    assert "dealt_to_other" in described
    assert "heuristic" in call("agents").stdout
    assert "simulations" in call("agents", "ismcts").stdout
    assert "gae_lambda" in call("agents", "ppo").stdout
    assert "{type: puct, checkpoint: pretrained}" in call("agents", "puct").stdout


NOTICE = "These cards are made up."


def test_the_notice_of_a_game_stands_beside_all_that_shows_it(finished, monkeypatch):
    monkeypatch.setattr(highcard, "GAME", dataclasses.replace(highcard.GAME, notice=NOTICE))
    assert f"highcard: {NOTICE}\n" in call("games").stdout
    assert f"\n{NOTICE}\n" in call("games", "highcard").stdout
    assert f"\nNote: {NOTICE}\n" in call("ranking", "small").stdout
    assert call("replay", "small", "--game", 3).stdout.splitlines()[1] == NOTICE
    call("report", "small")
    assert NOTICE in (finished / "report.html").read_text(encoding="utf-8").partition("<h2>")[0]


def test_the_notice_of_a_game_stands_beside_its_decks():
    notice = load_game("wizard_in_training").notice
    assert notice.startswith("The cards are invented")
    deck = SHIPPED_DECKS / "wizard_in_training" / "long_fingers.yaml"
    assert f"\n{notice}\n" in call("decks", "show", deck).stdout
    assert "invented" not in call("decks", "show", SHIPPED_DECKS / "tommy_walker" / "riders.yaml").stdout


def test_a_game_without_a_notice_shows_none(finished):
    assert "highcard:" not in call("games").stdout
    assert "Note: \n" not in call("ranking", "small").stdout
    assert call("replay", "small", "--game", 3).stdout.splitlines()[1].startswith("player_0 is ")


def test_the_version_is_said():
    result = call("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("duelbench ")


def test_help_names_every_command_and_imports_nothing_heavy():
    program = (
        "import sys\n"
        "from duelbench.analysis.cli import app\n"
        "try: app(['--help'])\n"
        "except SystemExit as end: code = end.code\n"
        f"print(code, [name for name in {HEAVY} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "0 []\n"
    for command in COMMANDS:
        assert f" {command} " in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command):
    result = call(command, "--help")
    assert result.exit_code == 0
    assert "Usage: duelbench" in result.stdout


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("run", "decks: [FILE, FOLDER]"),
        ("balance", "changes: [blank, "),
        ("balance", "dealt_to_other]"),
        ("balance", "{CARD: {FIELD: [values]}}"),
        ("balance", "forbid: [ids] "),
        ("metagame", "decks: [decks/tommy_walker] "),
    ],
)
def test_lists_in_a_help_text_keep_their_brackets(command, written):
    assert written in call(command, "--help").stdout


def test_lines_of_progress_come_at_the_begin_now_and_then_and_at_the_end(monkeypatch, capsys):
    clock = iter([100.0, 101.0, 111.0, 112.0, 120.0, 121.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    lines = Lines()
    for done in (50, 60, 160, 170, 250, 250):  # 50 were there before: they are no part of the rate
        lines.show("games", done, 250, "games", "a vs b")
    assert capsys.readouterr().err.splitlines() == [
        "games: 50 of 250 (a vs b)",
        "games: 160 of 250, 10 games/s, 9 s left (a vs b)",
        "games: done in 20 s",
    ]


@pytest.mark.parametrize("width", [80, 120])
def test_bars_fit_the_terminal_and_keep_their_numbers(width):
    screen = io.StringIO()
    with Bars(Console(file=screen, width=width, force_terminal=True, color_system=None)) as bars:
        bars.show("train the_long_one", 1_000_000, 8_000_000, "decisions")
        bars.show("games", 1234, 12_000, "games", "one_long_name vs another_long_name")
    shown = screen.getvalue().rpartition("train")[2]
    assert "1000000/8000000" in shown
    assert "1234/12000" in shown
    assert "one_lo" in shown


def test_tables_are_not_cut_off_in_a_narrow_terminal():
    names = ["strong_search", "weak_search", "heuristic", "learner", "mine"]
    pairs = {(a, b): ["WL"] * 12 for i, a in enumerate(names) for b in names[i + 1 :]}
    screen = io.StringIO()
    print_summary(Console(file=screen, width=80), summarise(frame_of(pairs)))
    assert "…" not in screen.getvalue()
    assert "│ strong_search │" in screen.getvalue()


def test_a_run_names_the_command_by_its_path_where_it_would_not_be_found(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [".venv/bin/duelbench", "run"])
    monkeypatch.setenv("PATH", str(tmp_path))
    results.show_files(tmp_path, report=False)
    assert f".venv/bin/duelbench verify {tmp_path}" in capsys.readouterr().out
