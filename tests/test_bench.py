"""The benchmark measures what it says, and says what it measured. How fast anything is, no test asks."""

import dataclasses
import json
import os
import sys

import highcard
import pytest
from small_runs import highcard_known  # noqa: F401
from typer.testing import CliRunner

from duelbench.agents.ismcts import ISMCTSAgent
from duelbench.analysis.cli import app
from duelbench.analysis.cli import bench as command
from duelbench.envs.aec import GameEnv
from duelbench.envs.errors import BadInput
from duelbench.experiments.bench import ours, session, starts, timing
from duelbench.experiments.bench.measures import MEASURES, chosen_measures
from duelbench.experiments.bench.rows import Row, row, rows_beside

KEYS = ["game", "measure", "value", "min", "max", "unit", "peer", "ratio"]
GAME = highcard.GAME
STEPS = MEASURES["playout_steps"]


def quiet(_):
    pass


def test_a_row_has_the_median_and_the_extremes():
    assert row("chess", STEPS, [4.0, 1.0, 2.0]) == Row("chess", "playout_steps", 2.0, 1.0, 4.0, "steps/s", None, None)


def test_the_ratio_is_the_median_of_the_rounds_own_ratios():
    rows = rows_beside(STEPS, {"chess": [10.0, 40.0, 30.0]}, "rival", [1.0, 20.0, 6.0])
    assert rows == [
        Row("chess", "playout_steps", 30.0, 10.0, 40.0, "steps/s", "rival", 5.0),  # of 10, 2 and 5
        Row("rival", "playout_steps", 6.0, 1.0, 20.0, "steps/s", None, None),
    ]


def test_rounds_of_the_two_sides_must_match():
    with pytest.raises(ValueError, match="shorter"):
        rows_beside(STEPS, {"chess": [1.0, 2.0]}, "rival", [1.0])


def test_a_rate_is_units_over_the_time_they_took():
    times = iter([100.0, 100.4, 101.0])
    assert timing.rate(lambda: 30, seconds=0.9, clock=lambda: next(times)) == 60.0


def test_candidates_take_turns_after_a_warming_up():
    calls = []
    chunks = {name: lambda name=name: calls.append(name) or 1 for name in ("ours", "theirs")}
    told = []
    rates = timing.rates_in_turn(chunks, runs=3, seconds=0.0, on_run=told.append)
    assert calls == ["ours", "theirs"] * 4
    assert told == ["ours", "theirs"] * 3
    assert {name: len(found) for name, found in rates.items()} == {"ours": 3, "theirs": 3}


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system cannot keep a process on one core")
def test_measuring_happens_on_one_core_and_gives_the_others_back():
    before = os.sched_getaffinity(0)
    with timing.one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_a_chunk_of_play_outs_counts_every_decision():
    assert ours.playout_chunk(GAME)() == 200 * 6


def test_a_chunk_of_the_batch_is_a_decision_in_every_lane():
    assert ours.batch_chunk(GAME)() == 20 * ours.LANES


def test_the_aec_loop_counts_decisions_and_not_the_bows_after_the_end():
    assert ours.aec_games(GameEnv(GAME))() == 10 * 6


def test_a_searched_decision_counts_what_the_agent_counted():
    made = []

    def simulations(agent):
        made.append(agent)
        return agent.simulations_made

    assert ours.search_chunk(GAME, simulations)() == ours.SIMULATIONS
    assert isinstance(made[0], ISMCTSAgent)
    assert ours.search_chunk(GAME, lambda agent: agent.decisions_made)() >= ours.SIMULATIONS


@pytest.mark.parametrize("kind", ["soismcts", "pimc", "flat_mc", "oracle_mcts", "puct"])
def test_every_search_is_measured_by_its_simulations(kind):
    assert ours.CHUNKS[f"{kind}_simulations"](GAME)() == (200 if kind == "puct" else ours.SIMULATIONS)


@pytest.mark.usefixtures("highcard_known")
@pytest.mark.parametrize("measure", ["random_rows", "replayed_rows"])
def test_a_chunk_of_rows_counts_games(measure):
    assert ours.CHUNKS[measure](GAME)() == 2 * 2000  # deals, each with both seatings


def test_searched_positions_leave_a_choice():
    positions = ours.searched_positions(GAME, GAME.table())
    assert len(positions) == 16 * 4  # with three and with two cards in hand, both seats
    assert {len(position.legal_actions) for position in positions} == {2, 3}


@pytest.fixture
def plain_chunks(monkeypatch):
    """Chunks that only count, and starts that take a known time."""
    monkeypatch.setattr(session, "CHUNKS", dict.fromkeys(ours.CHUNKS, lambda game: lambda: 1))
    kinds = {"cold_start": lambda command, runs, on_run: [3.0], "warm_start": lambda command, runs, on_run: [1.0]}
    monkeypatch.setattr(session, "_STARTS", kinds)


def measured(peers=False, names=()):
    return session.measure([GAME], chosen_measures(names), runs=2, seconds=0.0, peers=peers, listener=quiet)


@pytest.mark.usefixtures("plain_chunks")
def test_every_measure_of_a_game_has_a_row():
    rows = measured()
    assert [(r.game, r.measure, r.unit) for r in rows] == [("highcard", m.name, m.unit) for m in MEASURES.values()]
    assert all(r.min <= r.value <= r.max for r in rows)
    assert all(r.peer is None and r.ratio is None for r in rows)
    assert [r.value for r in rows[-3:]] == [GAME.state_dtype.itemsize, 3.0, 1.0]


@pytest.mark.usefixtures("plain_chunks")
def test_a_peer_has_a_row_and_the_game_a_ratio(monkeypatch):
    peers = pytest.importorskip("duelbench.experiments.bench.peers")
    monkeypatch.setattr(peers, "require_peers", lambda: None)
    monkeypatch.setattr(peers, "PEERS", {"aec_steps": peers.Peer("rival", lambda: lambda: 1)})
    rows = measured(peers=True, names=["aec_steps", "batch_steps"])
    assert [(r.game, r.measure, r.peer) for r in rows] == [
        ("highcard", "batch_steps", None),
        ("highcard", "aec_steps", "rival"),
        ("rival", "aec_steps", None),
    ]
    assert rows[1].ratio > 0


def test_missing_peers_are_named_with_the_way_to_get_them(monkeypatch):
    peers = pytest.importorskip("duelbench.experiments.bench.peers")
    monkeypatch.setattr(peers, "_NEEDED", {"json": "json", "chess_club": "no_such_module"})
    with pytest.raises(BadInput, match=r"not installed: chess_club; install with: make install EXTRAS=dev,peers$"):
        measured(peers=True, names=["state_bytes"])


def test_interpreted_rules_are_not_measured(monkeypatch):
    monkeypatch.setattr(session, "INTERPRETED", True)
    with pytest.raises(BadInput, match="NUMBA_DISABLE_JIT"):
        measured(names=["state_bytes"])


@pytest.mark.parametrize("name", ["playout_steps", "batch_steps", "aec_steps", "search_simulations", "train_steps"])
def test_a_peer_makes_progress(name):
    peers = pytest.importorskip("duelbench.experiments.bench.peers")
    try:
        peers.require_peers()
    except BadInput as missing:
        pytest.skip(str(missing))
    assert peers.PEERS[name].make_chunk()() > 0


SAYING = "import os; print('{}', flush=True); open(os.environ['XDG_CACHE_HOME'] + '/x', 'a')"


def test_a_start_ends_with_the_first_game():
    command = [sys.executable, "-c", SAYING.format("finished")]
    cold = starts.cold_starts(command, 9, quiet)
    assert len(cold) == 3
    assert len(starts.warm_starts(command, 2, quiet)) == 2
    assert min(cold) > 0


def test_cold_starts_find_an_empty_cache_and_warm_ones_a_full_one():
    fails_if_used = f"import os; assert not os.listdir(os.environ['XDG_CACHE_HOME']); {SAYING.format('finished')}"
    assert len(starts.cold_starts([sys.executable, "-c", fails_if_used], 2, quiet)) == 2
    with pytest.raises(RuntimeError, match="before it had finished a game"):
        starts.warm_starts([sys.executable, "-c", fails_if_used], 1, quiet)


def test_the_first_game_is_played_and_said(capsys):
    from duelbench.experiments.bench.first_game import play_first_game

    play_first_game(GAME)
    assert capsys.readouterr().out == "finished\n"


@pytest.fixture
def bench(monkeypatch):
    """Runs `duelbench bench`; what would be measured is given instead."""

    def given(games, measures, runs, seconds, peers, listener):
        rows = [Row(games[0].name, m.name, 1234.5, 1000.0, 2e6, m.unit, "rival", 2.5) for m in measures]
        return [*rows, Row("rival", measures[0].name, 0.5, 0.25, 1.0, "s")]

    monkeypatch.setattr(session, "measure", given)
    return lambda *arguments: CliRunner().invoke(app, ["bench", *map(str, arguments)])


def test_the_help_names_every_measure(bench):
    told = bench("--help").stdout
    assert [name for name in MEASURES if name not in told] == []


def test_json_has_a_row_for_each_measure_with_these_keys(bench, tmp_path):
    file = tmp_path / "rows.json"
    done = bench("tarot_duel", "--json", file, "--measures", "aec_steps,state_bytes", "--measures", "cold_start")
    assert done.exit_code == 0, done.output
    rows = json.loads(file.read_text())
    assert [r["measure"] for r in rows] == ["aec_steps", "state_bytes", "cold_start", "aec_steps"]
    assert all(list(r) == KEYS for r in rows)
    assert rows[0] | {"game": ""} == dataclasses.asdict(
        Row("", "aec_steps", 1234.5, 1000.0, 2e6, "steps/s", "rival", 2.5)
    )
    assert os.listdir(tmp_path) == ["rows.json"]


def test_the_table_shows_figures_ratios_and_how_busy_the_machine_was(bench):
    text = bench("--measures", "aec_steps").output
    for words in ("aec_steps", "1.23k", "1.00k", "2.00M", "2.5", "rival", "0.50", "cores"):
        assert words in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "unknown game 'chess'"),
        (["--measures", "aec_step"], "did you mean 'aec_steps'?"),
        (["--runs", "0"], "bench --runs: 0 given"),
        (["--seconds", "-1"], "bench --seconds: -1 given"),
        (["--seconds", "nan"], "bench --seconds: nan given"),
        (["--json", "/no/such/folder/rows.json"], "no folder /no/such/folder"),
        (["--json", "/"], "/ is a folder"),
        (["--json", "/dev/null"], "/dev/null is no ordinary file"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(bench, arguments, words):
    done = bench(*arguments)
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (3_187_100, "steps/s", "3.19M"),
        (791_612, "steps/s", "792k"),
        (11_972, "steps/s", "12.0k"),
        (0.456, "s", "0.46"),
        (12.34, "s", "12.3"),
        (712, "bytes", "712"),
        (1712, "bytes", "1712"),
    ],
)
def test_numbers_are_shown_with_three_digits(value, unit, words):
    assert command.number_words(value, unit) == words


def test_a_busy_machine_is_warned_of():
    assert "busy" not in command.load_words(0.2, 2)
    assert "the machine was busy" in command.load_words(1.5, 2)
    assert "does not tell" in command.load_words(None, 2)
