"""A training as a product: its config, its folder, and that it goes on bit for bit after an interruption."""

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import highcard
import numpy as np
import pytest
import yaml
from small_runs import make_highcard_known
from typer.testing import CliRunner

from duelbench.agents.policy import PRETRAINED_FOLDER, load_policy, read_provenance
from duelbench.agents.training import TrainSettings, train
from duelbench.analysis.cli import app
from duelbench.analysis.cli.train import detail
from duelbench.envs import registry
from duelbench.envs.errors import BadInput
from duelbench.experiments import manifest, training_panel, training_run
from duelbench.experiments.estimates import interval_of_share
from duelbench.experiments.training_config import load_training_config, make_training_config
from duelbench.experiments.training_run import run_training

GAME = highcard.GAME
ROLLOUT = 16 * 8
PANEL = {"rnd": {"type": "random"}, "low": {"type": "odd_agents:Lowest"}}
SMALL = {"steps": 10 * ROLLOUT, "lanes": 16, "rollout": 8, "batch_size": 64, "layers": [12], "learning_rate": 1e-3}
EVALUATION = {"every": 5 * ROLLOUT, "deals": 12, "agents": PANEL}
# Everything that has a memory of its own: a magnet between two moves, past selves, schedules.
MEMORIES = {
    "magnet": {"weight": 0.1, "every": 3 * ROLLOUT, "step": 0.5},
    "opponents": {"latest": 0.5, "history": 0.5},
    "history_every": 2 * ROLLOUT,
    "final_learning_rate": 1e-4,
    "final_entropy": 0.0,
}


def prepare(patch):
    """The toolkit knows High Card, and the commit of its code does not change while tests run."""
    patch.setitem(registry._MODULES, "highcard", "highcard")
    patch.setattr(manifest, "commit", lambda: {"commit": "abc", "dirty": False})


@pytest.fixture(autouse=True)
def prepared(monkeypatch):
    prepare(monkeypatch)


def config(**changes):
    plain = {"name": "small", "game": "highcard", "seed": 3, "evaluation": EVALUATION, "checkpoint_every": ROLLOUT}
    return make_training_config(plain | SMALL | changes)


def trained(root, listener=None, resume=False, **changes):
    return run_training(config(**changes), root, resume, listener, ["duelbench", "train", "small.yaml"])


def policy_bytes(folder):
    return (folder / "policy.npz").read_bytes()


def lines(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


class Stop(Exception):
    """Stands for whatever ends a process."""


def stop_at(decisions):
    def listener(now):
        if now.done >= decisions and now.opponent is None:
            raise Stop

    return listener


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The folder of a training with all that has a memory, made in one go."""
    with pytest.MonkeyPatch.context() as patch:
        prepare(patch)
        return trained(tmp_path_factory.mktemp("whole"), **MEMORIES)


# --- The folder ---------------------------------------------------------------------------------------------


def test_the_folder_holds_what_it_says(undisturbed):
    found = {path.relative_to(undisturbed).as_posix() for path in undisturbed.rglob("*.*")}
    every = {f"checkpoints/policy-{n * ROLLOUT:010d}.npz" for n in (0, 5, 10)}
    files = {"config.yaml", "manifest.json", "status.json", "policy.npz", "evaluations.csv", "curve.csv"}
    assert files | every | {"checkpoints/state.npz"} <= found
    status = json.loads((undisturbed / "status.json").read_text())
    assert (status["state"], status["decisions_done"]) == ("finished", SMALL["steps"])
    assert not [name for name in found if name.endswith((".tmp", ".partial"))]


def test_the_policy_says_where_it_comes_from(undisturbed):
    said = load_policy(undisturbed / "policy.npz", GAME, None).provenance
    assert said["settings"] == config(**MEMORIES).settings.model_dump()
    assert (said["seed"], said["steps"]) == (3, SMALL["steps"])
    assert said["made_by"]["command"] == "duelbench train small.yaml"
    assert said["made_by"]["commit"] == "abc"


def test_every_update_is_a_line_of_the_curve(undisturbed):
    curve = lines(undisturbed / "curve.csv")
    assert [int(line["decisions"]) for line in curve] == [n * ROLLOUT for n in range(1, 11)]
    assert all(0 < float(line["entropy"]) <= np.log(8) for line in curve)
    assert all(float(line["magnet_divergence"]) >= 0 for line in curve)
    weights = [float(line["entropy_weight"]) for line in curve]
    assert weights == pytest.approx([0.03 * (1 - n / 10) for n in range(1, 11)], abs=1e-6)
    rates = [float(line["learning_rate"]) for line in curve]
    assert rates == pytest.approx([1e-4 + 9e-4 * (1 - n / 10) for n in range(1, 11)], rel=1e-4)


def test_every_evaluation_has_a_line_for_each_opponent(undisturbed):
    found = lines(undisturbed / "evaluations.csv")
    assert [(int(line["decisions"]), line["opponent"]) for line in found] == [
        (n * ROLLOUT, name) for n in (0, 5, 10) for name in PANEL
    ]
    assert all(0 <= float(line["low"]) <= float(line["score"]) <= float(line["high"]) <= 1 for line in found)
    assert {line["deals"] for line in found} == {"12"}


def test_points_and_interval_are_those_of_the_games(undisturbed, monkeypatch, tmp_path):
    """The panel's games, played again by hand: the policy has its points whichever seat it sits on."""
    played = []

    def kept(game, table, agents, planned):
        row = real(game, table, agents, planned)
        played.append((planned.seats, planned.deal, row))
        return row

    real = training_panel.play_game
    monkeypatch.setattr(training_panel, "play_game", kept)
    panel = training_panel.Panel(config())
    results = panel.evaluate(undisturbed / "policy.npz", 7, lambda: 1.0, lambda name: None)
    shares = {"rnd": np.zeros(12), "low": np.zeros(12)}
    for seats, deal, row in played:
        opponent = next(name for name in seats if name != "policy")
        winner = "draw" if row.winner < 0 else seats[row.winner]
        shares[opponent][deal] += {"draw": 0.25, "policy": 0.5}.get(winner, 0.0)
    for result in results:
        expected = interval_of_share(shares[result.opponent])
        assert (result.score, result.low, result.high) == (expected.value, expected.low, expected.high)
    assert {seats[0] for seats, _, _ in played} == {"policy", "rnd", "low"}
    seeds = {(seats[0] == "policy", deal): row.deal_seed for seats, deal, row in played if "rnd" in seats}
    assert all(seeds[True, deal] == seeds[False, deal] for deal in range(12)), "both seats play the same deal"


def test_the_last_policy_is_the_one_of_the_last_evaluation(undisturbed):
    last = undisturbed / "checkpoints" / f"policy-{SMALL['steps']:010d}.npz"
    assert last.read_bytes() == policy_bytes(undisturbed)


def test_tensorboard_reads_the_curve_and_the_points(undisturbed):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    events = accumulator.EventAccumulator(str(undisturbed / "tensorboard"))
    events.Reload()
    assert {"train/entropy", "train/value_loss", "points/rnd", "points/low"} <= set(events.Tags()["scalars"])
    curve = lines(undisturbed / "curve.csv")
    found = [(event.step, event.value) for event in events.Scalars("train/entropy")]
    assert found == [(int(line["decisions"]), pytest.approx(float(line["entropy"]), rel=1e-4)) for line in curve]


# --- Interruptions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [MEMORIES, {"checkpoint_every": 4 * ROLLOUT}], ids=["memories", "defaults"])
def test_a_training_that_is_left_and_resumed_ends_with_the_same_bytes(changes, tmp_path, undisturbed):
    whole = undisturbed if changes is MEMORIES else trained(tmp_path / "whole", **changes)
    for decisions in (6 * ROLLOUT, 9 * ROLLOUT):  # it is left twice
        with pytest.raises(Stop):
            trained(tmp_path, stop_at(decisions), resume=True, **changes)
    np.random.default_rng(0).random()
    folder = trained(tmp_path, resume=True, **changes)
    assert policy_bytes(folder) == policy_bytes(whole)
    for path in whole.glob("checkpoints/policy-*"):
        assert (folder / "checkpoints" / path.name).read_bytes() == path.read_bytes()
    for name in ("curve.csv", "evaluations.csv"):
        strip = [
            [{k: v for k, v in line.items() if k != "seconds"} for line in lines(f / name)] for f in (whole, folder)
        ]
        assert strip[0] == strip[1]


def test_resuming_does_not_begin_again(tmp_path):
    with pytest.raises(Stop):
        trained(tmp_path, stop_at(8 * ROLLOUT))
    seen = []
    trained(tmp_path, lambda now: seen.append(now.done), resume=True)
    assert min(seen) == 8 * ROLLOUT


@pytest.mark.parametrize("part", ["network", "optimizer", "magnet", "random", "lanes"])
def test_a_checkpoint_without_one_of_its_parts_is_noticed(part, tmp_path, undisturbed, monkeypatch):
    """Whatever is not restored makes another policy, or is refused: so none of it is there for nothing."""
    from duelbench.agents import training_checkpoint

    def fresh_instead(training, arrays):
        new = training_checkpoint.training_arrays(training)
        real(training, arrays | {name: new[name] for name in arrays if name.startswith(f"{part}/") and name in new})

    with pytest.raises(Stop):
        trained(tmp_path, stop_at(6 * ROLLOUT), **MEMORIES)
    real = training_checkpoint.restore_arrays
    monkeypatch.setattr(training_checkpoint, "restore_arrays", fresh_instead)
    if part in ("optimizer", "lanes"):  # a fresh optimizer has no moments yet; the lanes must show what was seen last
        monkeypatch.setattr(training_checkpoint, "_restore_optimizer", lambda *_: None)
    if part == "lanes":
        with pytest.raises(BadInput, match="damaged"):
            trained(tmp_path, resume=True, **MEMORIES)
    else:
        assert policy_bytes(trained(tmp_path, resume=True, **MEMORIES)) != policy_bytes(undisturbed)


def test_same_seed_same_bytes_other_seed_other_bytes(tmp_path, undisturbed):
    assert policy_bytes(trained(tmp_path, **MEMORIES)) == policy_bytes(undisturbed)
    assert policy_bytes(trained(tmp_path / "other", seed=4, **MEMORIES)) != policy_bytes(undisturbed)


def test_evaluations_do_not_disturb_the_training(tmp_path):
    quiet = {"evaluation": EVALUATION | {"agents": {}}}
    noisy = {"evaluation": EVALUATION | {"every": ROLLOUT, "agents": {"noisy": {"type": "odd_agents:Noisy"}}}}
    weights = [
        load_policy(trained(tmp_path / name, **how) / "policy.npz", GAME, None).weights
        for name, how in (("quiet", quiet), ("noisy", noisy))
    ]
    assert (weights[0] == weights[1]).all()


def test_a_run_trains_with_the_same_code(tmp_path):
    """The policy of a `train` section equals that of a training with the same settings and seed."""
    settings = TrainSettings(**SMALL | MEMORIES)
    train(GAME, None, settings, 3, tmp_path / "section.npz", {})
    alone = load_policy(trained(tmp_path, **MEMORIES) / "policy.npz", GAME, None)
    assert (load_policy(tmp_path / "section.npz", GAME, None).weights == alone.weights).all()


KILLED = """
import sys
from duelbench.experiments.training_config import load_training_config
from duelbench.experiments.training_run import run_training

def tell(now):
    print(now.done, flush=True)

run_training(load_training_config(sys.argv[1]), sys.argv[2], False, tell, ["duelbench", "train", "small.yaml"])
"""


def test_a_training_killed_at_any_moment_can_be_resumed(tmp_path, tmp_path_factory, monkeypatch):
    make_highcard_known(tmp_path_factory.mktemp("site"), monkeypatch)
    longer = {"steps": 100 * ROLLOUT, "checkpoint_every": 10 * ROLLOUT, "evaluation": EVALUATION | {"every": 10**6}}
    path = tmp_path / "small.yaml"
    path.write_text(yaml.safe_dump(config(**MEMORIES | longer).resolved()))
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path), str(tmp_path / "killed")], stdout=subprocess.PIPE, text=True
    )
    for line in process.stdout:
        if int(line) >= 15 * ROLLOUT:
            os.kill(process.pid, signal.SIGKILL)
            break
    process.wait()
    assert process.returncode == -signal.SIGKILL
    killed = tmp_path / "killed" / "small"
    assert not (killed / "policy.npz").exists()
    first = load_training_config(path)
    kept = run_training(first, tmp_path / "killed", True, None, ["duelbench"])
    whole = run_training(first, tmp_path / "whole", False, None, ["duelbench", "train", "small.yaml"])
    assert (
        load_policy(kept / "policy.npz", GAME, None).weights == load_policy(whole / "policy.npz", GAME, None).weights
    ).all()
    assert not list(killed.rglob("*.tmp"))


# --- The config ---------------------------------------------------------------------------------------------

WRITTEN = """\
name: mine
game: highcard
steps: 1000
evaluation:
  agents:
    rnd: {type: random}
"""


def written(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    return path


def test_a_resolved_config_loads_to_itself(tmp_path):
    first = load_training_config(written(tmp_path, WRITTEN))
    again = load_training_config(written(tmp_path, yaml.safe_dump(first.resolved())))
    assert again.resolved() == first.resolved()
    assert first.settings == TrainSettings(steps=1000)
    assert set(first.panel) == {"rnd"}


def test_a_panel_is_given_by_default():
    panel = make_training_config({"name": "mine", "game": "tarot_duel"}).panel
    assert list(panel) == ["random", "heuristic", "ismcts"]
    assert panel["ismcts"].parameters["simulations"] == 100


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (WRITTEN + "stepz: 3\n", "mine.yaml:7: unknown key 'stepz'"),
        (WRITTEN.replace("steps: 1000", "steps: many"), "mine.yaml:3: steps is 'many'; expected a whole number"),
        (WRITTEN.replace("highcard", "highcord"), "mine.yaml:2: game: unknown game 'highcord'"),
        (WRITTEN + "rules: {round: 2}\n", "mine.yaml:7: "),
        (WRITTEN + "magnet: {wait: 1}\n", "mine.yaml:7: key 'magnet.weight' is missing"),
        (WRITTEN + "magnet: {wait: 1}\n", "(known: every, step, weight)"),
        (WRITTEN + "opponents: {histery: 1}\n", "'opponents.histery'; did you mean 'history'? (known: he"),
        (WRITTEN.replace("steps: 1000", "steps: 1" + 12 * "0" + "1"), "3: steps is 10000000000001; expected at most"),
        (WRITTEN + "opponents: {latest: 0.5}\n", "7: opponents is a mapping; expected shares that add up to 1, not"),
        (WRITTEN.replace("random", "rondom"), "mine.yaml:6: evaluation.agents.rnd: unknown agent type 'rondom'"),
        (WRITTEN.replace("{type: random}", "{type: ppo, train: quick}"), "a training has no train sections"),
        (WRITTEN.replace("evaluation:", "evaluation:\n  deals: 3"), "5: evaluation.deals is 3; expected at least 10"),
        (WRITTEN.replace("name: mine", "name: ../mine"), "mine.yaml:1: name: '../mine' is not a usable name"),
    ],
)  # fmt: skip
def test_what_a_config_cannot_say_is_one_line_with_its_place(text, complaint, tmp_path):
    with pytest.raises(BadInput) as caught:
        load_training_config(written(tmp_path, text))
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_key_without_a_value_has_its_default(tmp_path):
    read = load_training_config(written(tmp_path, WRITTEN + "rules:\nlayers:\n"))
    assert (read.rules, read.layers) == ({}, [128, 128])


# --- The folder of somebody else ----------------------------------------------------------------------------


def test_a_training_that_is_there_is_not_begun_again(undisturbed):
    before = policy_bytes(undisturbed)
    with pytest.raises(BadInput, match="holds a training of that name; --resume continues it"):
        trained(undisturbed.parent, **MEMORIES)
    assert policy_bytes(trained(undisturbed.parent, resume=True, **MEMORIES)) == before


def test_another_config_does_not_go_on(undisturbed):
    with pytest.raises(BadInput, match=r"made by another config: seed is 3 there and 4 here"):
        trained(undisturbed.parent, resume=True, **MEMORIES | {"seed": 4})


def test_the_folder_of_a_run_is_left_alone(tmp_path):
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "config.yaml").write_text("name: small\nagents: {}\n")
    with pytest.raises(BadInput, match="holds a run, not a training"):
        trained(tmp_path)


def test_a_damaged_checkpoint_is_one_line(tmp_path):
    with pytest.raises(Stop):
        trained(tmp_path, stop_at(2 * ROLLOUT))
    state = tmp_path / "small" / "checkpoints" / "state.npz"
    state.write_bytes(state.read_bytes()[:-100])
    with pytest.raises(BadInput, match=r"state\.npz: not a checkpoint of this training, or it is damaged"):
        trained(tmp_path, resume=True)
    assert json.loads((tmp_path / "small" / "status.json").read_text())["state"] == "failed"


# --- The command --------------------------------------------------------------------------------------------


def call(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def small_config(tmp_path, monkeypatch):
    """The file of a small training, in an empty folder to call commands in."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "small.yaml"
    path.write_text(yaml.safe_dump(config().resolved()))
    return path


def test_the_command_trains_shows_points_and_exports(small_config, tmp_path):
    result = call("train", "small.yaml", "--export", "out.npz")
    assert result.exit_code == 0, result.output
    for words in ("Points of the trained policy", "rnd", "low", "runs/small/policy.npz", "curve.csv"):
        assert words in result.stdout
    assert "train small: done" in result.stderr
    whole, small = (load_policy(tmp_path / name, GAME, None) for name in ("runs/small/policy.npz", "out.npz"))
    assert small.provenance == whole.provenance
    assert (small.weights == whole.weights.astype(np.float16).astype(np.float32)).all()
    again = call("train", "small.yaml")
    assert again.exit_code == 2
    assert again.stderr.count("\n") == 1
    assert call("train", "small.yaml", "--resume").stdout.splitlines()[:5] == result.stdout.splitlines()[:5]


@pytest.mark.parametrize("place", [".", "small.yaml/out.npz"])
def test_an_export_that_cannot_be_written_is_refused_before_the_training(small_config, tmp_path, place):
    refused = call("train", "small.yaml", "--export", place)
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1), refused.output
    assert [path.name for path in tmp_path.iterdir()] == ["small.yaml"]


def test_an_interrupted_training_says_what_is_kept(small_config, monkeypatch):
    def interrupted(self, training, path):
        if training.decisions == 5 * ROLLOUT:
            raise KeyboardInterrupt
        save_policy(self, training, path)

    save_policy = training_run._Session._save_policy
    monkeypatch.setattr(training_run._Session, "_save_policy", interrupted)
    monkeypatch.setattr(sys, "argv", ["/usr/bin/duelbench", "train", "small.yaml"])
    result = call("train", "small.yaml")
    assert result.exit_code == 130
    assert f"the first {4 * ROLLOUT} decisions are kept in runs/small" in result.stderr
    assert result.stderr.endswith("this continues: duelbench train small.yaml --resume\n")
    assert json.loads(Path("runs/small/status.json").read_text())["state"] == "interrupted"


def test_progress_tells_entropy_and_points():
    result = training_panel.Result(500, 1.0, "ismcts", 0.354, 0.3, 0.4, 100)
    now = training_run.TrainingProgress(900, 1000, 0.523, [result], None)
    assert detail(now) == "entropy 0.52, ismcts 35%"


# --- The policies that come with the package ----------------------------------------------------------------

SHIPPED = sorted(path.stem for path in PRETRAINED_FOLDER.glob("*.npz"))


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_policy_is_small_fits_its_game_and_beats_random(name):
    path = PRETRAINED_FOLDER / f"{name}.npz"
    assert path.stat().st_size < 1_000_000
    made_by = read_provenance(path)["made_by"]
    assert "duelbench train" in made_by["command"]
    data = {"name": "panel", "game": name, "evaluation": {"deals": 150, "agents": {"random": {"type": "random"}}}}
    (result,) = training_panel.Panel(make_training_config(data)).evaluate(path, 0, lambda: 0.0, lambda _: None)
    assert result.low > 0.6
