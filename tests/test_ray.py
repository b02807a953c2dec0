"""Runs on a Ray cluster: the same bytes, whoever dies or joins meanwhile."""

import os
import shutil
import signal
import subprocess
import sys

import pytest
from small_runs import highcard_known, leftovers, plain_config, write_config  # noqa: F401
from test_run import wait_until_gone
from watched_runs import descendants, desk, expected_parts, parts_of  # noqa: F401

from duelbench.envs.errors import BadInput
from duelbench.experiments.config import load_config, make_config
from duelbench.experiments.executors import ray_actors
from duelbench.experiments.folder import read_json
from duelbench.experiments.run import run

ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")

pytestmark = pytest.mark.usefixtures("highcard_known")

NODE = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 * 2**20}


@pytest.fixture
def cluster(highcard_known, monkeypatch):  # noqa: F811
    """A cluster of one machine with one core; its processes know High Card."""
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    made = Cluster(initialize_head=True, head_node_args=NODE)
    yield made
    ray.shutdown()
    made.shutdown()


def test_a_machine_that_joins_helps_and_no_death_costs_a_row(cluster, desk, tmp_path):  # noqa: F811
    """The first actor is killed, a second machine joins, plays, and is lost in the middle of its part."""
    desk.hold()
    desk.kill_one()
    joined, lost = [], []

    def steer(progress):
        if progress.phase != "games" or not progress.done:
            return
        if not joined:
            joined.append(cluster.add_node(**NODE))
        elif not lost and len(desk.processes()) == 3:
            cluster.remove_node(joined[0])
            lost.append(joined[0])
            desk.let_go()

    folder = run(make_config(desk.config()), tmp_path / "runs", None, steer, executor="ray", address=cluster.address)
    assert desk.killed
    assert lost
    assert parts_of(folder) == expected_parts(tmp_path / "undisturbed")
    assert leftovers(folder) == []
    assert read_json(folder / "status.json")["state"] == "finished"


def test_two_machines_write_the_same_bytes_and_training_too(cluster, tmp_path):
    cluster.add_node(**NODE)
    quick = {"steps": 2048, "lanes": 16, "rollout": 16, "batch_size": 128, "layers": [16]}
    agents = {"rnd": {"type": "random"}, "learned": {"type": "ppo", "train": "quick"}}
    config = plain_config(agents=agents, train={"quick": quick})
    folder = run(make_config(config), tmp_path / "runs", None, executor="ray", address=cluster.address)
    alone = run(make_config(config), tmp_path / "alone")
    assert parts_of(folder) == parts_of(alone)
    assert (folder / "checkpoints" / "quick.npz").read_bytes() == (alone / "checkpoints" / "quick.npz").read_bytes()


def test_a_machine_that_does_not_see_the_folder_is_named(cluster, tmp_path, monkeypatch):
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "config.yaml").write_text("name: small\n")
    monkeypatch.setattr(ray_actors, "SECONDS_UNTIL_VISIBLE", 0.1)
    ray.init(address=cluster.address, log_to_driver=False)

    def listen_without_folder():
        with ray_actors.RayExecutor(folder) as executor:
            shutil.rmtree(folder)
            while True:
                executor.listen(lambda *_: None)

    with pytest.raises(BadInput, match=rf"^node .* sees no config.yaml in {folder}; every node must see"):
        listen_without_folder()
    assert ray.is_initialized(), "a connection that was there before stays"


def test_agents_that_kill_their_actors_end_the_run_in_one_line(cluster, desk, tmp_path):  # noqa: F811
    desk.kill_all()
    with pytest.raises(BadInput, match=r"3 workers died playing rnd vs low, the last in this way: ") as error:
        run(make_config(desk.config()), tmp_path, None, executor="ray", address=cluster.address)
    assert "\n" not in str(error.value)
    assert read_json(tmp_path / "small" / "status.json")["state"] == "failed"


def test_an_address_without_a_cluster_is_one_line(tmp_path):
    with pytest.raises(BadInput, match=r"^no Ray cluster can be reached at address '127.0.0.1:1': [^\n]+$"):
        run(make_config(plain_config()), tmp_path, executor="ray", address="127.0.0.1:1")


def test_ctrl_c_leaves_no_process_of_a_ray_of_its_own(desk, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    desk.hold()
    config = write_config(tmp_path, desk.config(deals=100))
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "from duelbench.analysis.cli import main\nmain()"
    command = [sys.executable, "-c", code, "run", str(config), "--executor", "ray", "--workers", "1"]
    process = subprocess.Popen(
        [*command, "--runs", str(tmp_path)], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    desk.wait_for(2)  # the run itself asks every agent once
    beneath = descendants(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert [line for line in errors.splitlines() if "interrupted" in line] == errors.splitlines()[-1:]
    assert "Traceback" not in errors
    wait_until_gone(beneath)
    assert read_json(tmp_path / "small" / "status.json")["state"] == "interrupted"
    assert leftovers(tmp_path / "small") == []
    desk.let_go()
    run(load_config(config), tmp_path)
    assert parts_of(tmp_path / "small") == expected_parts(tmp_path / "undisturbed", deals=100)
