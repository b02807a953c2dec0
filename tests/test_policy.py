"""The policy file and the network that plays it without torch."""

import dataclasses
import json
import subprocess
import sys

import highcard
import numpy as np
import pytest

from duelbench.agents import policy as policies
from duelbench.agents.agent import position_of
from duelbench.agents.catalogue import make_agent, parse_spec
from duelbench.agents.policy import (
    Policy,
    best,
    choose,
    fingerprint,
    layout,
    load_policy,
    masked_softmax,
    outputs,
    pick,
    read_provenance,
    save_policy,
    workspace,
)
from duelbench.agents.ppo import PPOAgent
from duelbench.envs import registry
from duelbench.envs.errors import BadInput
from duelbench.envs.rng import new_stream
from duelbench.experiments.config import make_config
from duelbench.experiments.players import Players, keep_given_checkpoints

GAME = highcard.GAME
ACTIONS = GAME.num_actions
DEFAULTS = GAME.resolved_rules(None)


def made_up_policy(game=GAME, rules=None, layers=(7, 5), seed=3):
    """A policy with random weights, described as one for `game` under `rules`."""
    dice = np.random.default_rng(seed)
    sizes = np.array([game.view_size, *layers, game.num_actions + 1], np.int64)
    weights = dice.normal(size=int(((sizes[:-1] + 1) * sizes[1:]).sum())).astype(np.float32)
    return Policy(weights, sizes, fingerprint(game, game.resolved_rules(rules)) | {"seed": seed})


@pytest.fixture
def checkpoint(tmp_path):
    path = tmp_path / "policy.npz"
    save_policy(path, made_up_policy())
    return path


def plain_network(policy, observation):
    """The same network, the way a textbook writes it."""
    values, start = observation.astype(np.float64), 0
    for layer, (inputs, width) in enumerate(zip(policy.sizes[:-1], policy.sizes[1:], strict=True)):
        matrix = policy.weights[start : start + inputs * width].reshape(inputs, width)
        start += inputs * width
        values = (np.maximum(values, 0) if layer else values) @ matrix + policy.weights[start : start + width]
        start += width
    return values


@pytest.mark.parametrize("layers", [(7,), (7, 5), (3, 9, 4)])
def test_network_is_an_mlp_with_relu_between_layers(layers):
    policy = made_up_policy(layers=layers)
    observation = np.random.default_rng(1).normal(size=GAME.view_size).astype(np.float32)
    observation[::3] = 0
    expected = plain_network(policy, observation)
    assert np.allclose(policy.logits(observation), expected[:-1], atol=1e-4)
    assert policy.value(observation) == pytest.approx(expected[-1], abs=1e-4)


def test_network_gives_the_same_bits_with_a_used_workspace():
    policy = made_up_policy()
    work = workspace(policy.sizes)
    ones = np.ones(GAME.view_size, np.float32)
    first = outputs(policy.weights, policy.sizes, ones, work).copy()
    outputs(policy.weights, policy.sizes, -3 * ones, work)
    assert (outputs(policy.weights, policy.sizes, ones, work) == first).all()


def test_softmax_is_over_legal_actions_only():
    logits = np.array([1.0, 99.0, 1.0 + np.log(3.0), -5.0], np.float32)
    chances = np.full(4, 7.0)
    masked_softmax(logits, np.array([1, 0, 1, 0], np.int8), 1.0, chances)
    assert np.allclose(chances, [0.25, 0, 0.75, 0])


def test_temperature_divides_the_logits():
    logits = np.array([0.0, 2.0 * np.log(3.0)], np.float32)
    chances = np.zeros(2)
    masked_softmax(logits, np.ones(2, np.int8), 2.0, chances)
    assert np.allclose(chances, [0.25, 0.75])


def test_softmax_survives_huge_logits():
    chances = np.zeros(3)
    masked_softmax(np.array([-3e38, 3e38, 3e38], np.float32), np.array([1, 1, 0], np.int8), 0.01, chances)
    assert chances.tolist() == [0, 1, 0]
    masked_softmax(np.array([2.0, 2.0, 3e38], np.float32), np.array([1, 1, 0], np.int8), 1.0, chances)
    assert chances.tolist() == [0.5, 0.5, 0]


def test_pick_takes_the_slice_in_which_the_point_lies():
    chances, mask = np.array([0.25, 0.0, 0.5, 0.25]), np.array([1, 0, 1, 1], np.int8)
    points = [0.0, 0.24, 0.25, 0.74, 0.75, 0.999]
    assert [pick(chances, mask, point) for point in points] == [0, 0, 2, 2, 3, 3]


def test_pick_never_falls_off_the_end():
    assert pick(np.array([0.3, 0.3, 0.0]), np.array([1, 1, 0], np.int8), 0.999) == 1


def test_best_is_the_first_of_the_highest_legal_logits():
    assert best(np.array([0.5, 9.0, 2.0, 2.0], np.float32), np.array([1, 0, 1, 1], np.int8)) == 2


def test_only_legal_actions_are_ever_chosen():
    policy = made_up_policy()
    policy.weights[-ACTIONS - 1 :] = np.linspace(-9, 9, ACTIONS + 1)  # the last bias: illegal actions tempt
    dice, stream = np.random.default_rng(5), new_stream(5)
    work, chances = workspace(policy.sizes), np.zeros(ACTIONS)
    for _ in range(5000):
        mask = (dice.random(ACTIONS) < 0.3).astype(np.int8)
        mask[dice.integers(ACTIONS)] = 1
        seen = dice.normal(size=GAME.view_size).astype(np.float32)
        for temperature in (0.0, 1.0, 50.0):
            assert mask[choose(policy.weights, policy.sizes, seen, mask, temperature, stream, work, chances)] == 1


def test_a_single_legal_action_is_taken():
    policy = made_up_policy()
    work, chances, stream = workspace(policy.sizes), np.zeros(ACTIONS), new_stream(1)
    seen = np.ones(GAME.view_size, np.float32)
    for action in range(ACTIONS):
        mask = np.zeros(ACTIONS, np.int8)
        mask[action] = 1
        assert choose(policy.weights, policy.sizes, seen, mask, 1.0, stream, work, chances) == action


def opening(game, seed=0):
    table = game.table()
    return position_of(game, table, game.dealt(table, seed), 1)


def test_agent_draws_in_proportion_to_the_policy(checkpoint):
    agent = PPOAgent(GAME, GAME.table(), None, checkpoint)
    position = opening(GAME)
    expected = agent.policy.probabilities(position.observation, position.mask)
    stream = new_stream(11)
    counts = np.bincount([agent.act(position, stream) for _ in range(4000)], minlength=ACTIONS)
    assert np.abs(counts / 4000 - expected).max() < 0.04  # five standard deviations


def test_agent_that_is_deterministic_takes_the_likeliest(checkpoint):
    agent = PPOAgent(GAME, GAME.table(), None, checkpoint, deterministic=True)
    position = opening(GAME)
    likeliest = int(agent.policy.probabilities(position.observation, position.mask).argmax())
    assert {agent.act(position, new_stream(seed)) for seed in range(20)} == {likeliest}


def test_agent_answers_alike_for_the_same_position_and_stream(checkpoint):
    agent = PPOAgent(GAME, GAME.table(), None, checkpoint)
    position = opening(GAME)
    first, again = new_stream(8), new_stream(8)
    assert [agent.act(position, first) for _ in range(30)] == [agent.act(position, again) for _ in range(30)]


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("nan"), float("inf")])
def test_agent_refuses_an_impossible_temperature(checkpoint, temperature):
    with pytest.raises(BadInput, match=r"agents\.a: temperature is .*; allowed"):
        PPOAgent(GAME, GAME.table(), None, checkpoint, temperature, where="agents.a")


def test_playing_imports_no_torch(checkpoint):
    code = (
        "import sys, highcard\n"
        "from duelbench.agents.agent import position_of\n"
        "from duelbench.agents.ppo import PPOAgent\n"
        "from duelbench.envs.rng import new_stream\n"
        "game = highcard.GAME; table = game.table()\n"
        f"agent = PPOAgent(game, table, None, {str(checkpoint)!r})\n"
        "agent.act(position_of(game, table, game.dealt(table, 1), 1), new_stream(1))\n"
        "import duelbench.agents.training\n"
        "print([name for name in ('torch', 'stable_baselines3', 'sb3_contrib') if name in sys.modules])\n"
    )
    folder = str(highcard.__file__).rsplit("/", 1)[0]
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=True)
    assert run.stdout.strip() == "[]"


def test_file_returns_what_was_saved(checkpoint):
    saved, loaded = made_up_policy(), load_policy(checkpoint, GAME, {"rounds": 3})
    assert (loaded.weights == saved.weights).all()
    assert (loaded.sizes == saved.sizes).all()
    assert loaded.provenance == saved.provenance == read_provenance(checkpoint)
    assert not list(checkpoint.parent.glob("*.partial"))


def test_equal_policies_give_equal_bytes(tmp_path, checkpoint):
    save_policy(tmp_path / "again.npz", made_up_policy())
    assert (tmp_path / "again.npz").read_bytes() == checkpoint.read_bytes()


def test_file_that_cannot_be_written_is_one_clear_line(tmp_path):
    (tmp_path / "a_file").write_text("")
    with pytest.raises(BadInput, match=r"policy\.npz: the policy cannot be written"):
        save_policy(tmp_path / "a_file" / "policy.npz", made_up_policy())


def test_layout_names_nested_pieces():
    seat = np.dtype([("hand", np.float32, (3,)), ("turn", np.float32)])
    view = np.dtype([("seats", seat, (2,)), ("deck", np.float32, (4, 2))])
    assert layout(view) == [["seats", [2]], ["seats.hand", [3]], ["seats.turn", []], ["deck", [4, 2]]]


def refusal(path, game=GAME, rules=None):
    with pytest.raises(BadInput) as caught:
        load_policy(path, game, rules, "agents.learned.checkpoint")
    message = str(caught.value)
    assert message.startswith("agents.learned.checkpoint: ")
    assert str(path) in message
    assert "\n" not in message
    return message


def test_missing_file_is_refused(tmp_path):
    assert "there is no policy file" in refusal(tmp_path / "none.npz")


def test_folder_is_refused(tmp_path):
    assert "there is no policy file" in refusal(tmp_path)


def test_file_of_another_kind_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("no policy")
    assert "not a policy file" in refusal(path)
    path.write_bytes(b"")
    assert "not a policy file" in refusal(path)
    np.save(tmp_path / "array.npy", np.zeros(3))
    assert "not a policy file" in refusal(tmp_path / "array.npy")
    np.savez(tmp_path / "other.npz", something=np.zeros(3))
    assert "not a policy file" in refusal(tmp_path / "other.npz")


def test_bytes_that_break_the_readers_in_unusual_ways_are_refused(tmp_path, checkpoint):
    whole = checkpoint.read_bytes()
    header = whole.index(b"'fortran_order'")
    checkpoint.write_bytes(whole[:header] + b"(" + whole[header + 1 :])  # ends in the middle of a statement
    assert "damaged" in refusal(checkpoint)
    policy = made_up_policy()
    for name, text in {"weights": "[" * 100_000, "sizes": '{"a":' * 100_000}.items():  # JSON nested without end
        np.savez(tmp_path / f"{name}.npz", weights=policy.weights, sizes=policy.sizes, provenance=_bytes(text))
        assert "damaged" in refusal(tmp_path / f"{name}.npz")
    np.savez_compressed(tmp_path / "packed.npz", weights=policy.weights, sizes=policy.sizes, provenance=_bytes("{}"))
    packed = bytearray((tmp_path / "packed.npz").read_bytes())
    packed[60:90] = bytes(range(200, 230))
    (tmp_path / "packed.npz").write_bytes(packed)
    assert "damaged" in refusal(tmp_path / "packed.npz")


def _bytes(text):
    return np.frombuffer(text.encode(), np.uint8)


def test_truncated_file_is_refused(checkpoint):
    whole = checkpoint.read_bytes()
    for part in (1, 30, len(whole) // 2, len(whole) - 1):
        checkpoint.write_bytes(whole[:part])
        assert "damaged" in refusal(checkpoint)


def test_any_flipped_byte_of_the_weights_is_refused(checkpoint):
    whole = bytearray(checkpoint.read_bytes())
    at = whole.index(made_up_policy().weights.tobytes()[:64])
    whole[at + 40] ^= 1
    checkpoint.write_bytes(whole)
    assert "damaged" in refusal(checkpoint)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda a: a | {"weights": a["weights"][:-1]},
        lambda a: a | {"weights": a["weights"].astype(np.float64)},
        lambda a: a | {"weights": np.where(np.arange(len(a["weights"])) == 5, np.nan, a["weights"])},
        lambda a: a | {"sizes": a["sizes"][:1]},
        lambda a: a | {"sizes": a["sizes"] * -1},
        lambda a: a | {"provenance": np.frombuffer(b"{", np.uint8)},
        lambda a: a | {"provenance": np.frombuffer(b"[]", np.uint8)},
        lambda a: a | {"sizes": np.array([3, ACTIONS + 1]), "weights": np.ones(4 * (ACTIONS + 1), np.float32)},
    ],
)
def test_arrays_that_do_not_fit_are_refused(checkpoint, spoil):
    with np.load(checkpoint) as archive:
        arrays = dict(archive)
    np.savez(checkpoint, **spoil(arrays))
    assert "damaged" in refusal(checkpoint)


def saved_as(tmp_path, **changes):
    path = tmp_path / "policy.npz"
    policy = made_up_policy()
    save_policy(path, dataclasses.replace(policy, provenance=policy.provenance | changes))
    return path


def test_policy_of_another_format_is_refused(tmp_path):
    assert "has file format 99; needed here: 1" in refusal(saved_as(tmp_path, format=99))


def test_policy_of_another_game_is_refused(tmp_path):
    assert "has game chess; needed here: highcard" in refusal(saved_as(tmp_path, game="chess"))


def test_policy_of_another_version_is_refused(tmp_path):
    assert "has highcard version 0; needed here: 1" in refusal(saved_as(tmp_path, game_version=0))


def test_policy_of_other_rules_is_refused(checkpoint):
    message = refusal(checkpoint, rules={"rounds": 1})
    assert "was trained with rules.rounds = 3; needed here: 1" in message


def test_policy_of_another_observation_is_refused(checkpoint):
    pieces = [(name, GAME.view_dtype[name]) for name in GAME.view_dtype.names]
    pieces[2] = ("score", pieces[2][1])
    changed = dataclasses.replace(GAME, view_dtype=np.dtype(pieces))
    message = refusal(checkpoint, game=changed)
    assert "another observation: piece 2 was ['points', [2]], is now ['score', [2]]" in message


def test_policy_of_other_actions_is_refused(checkpoint):
    assert "knows 8 actions; the game has 9" in refusal(checkpoint, game=dataclasses.replace(GAME, num_actions=9))


def test_provenance_is_readable_without_this_package(checkpoint):
    with np.load(checkpoint, allow_pickle=False) as archive:
        described = json.loads(archive["provenance"].tobytes())
    assert described["game"] == "highcard"
    assert described["rules"] == DEFAULTS


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The folder of the policies that come with the package, empty."""
    monkeypatch.setattr(policies, "PRETRAINED_FOLDER", tmp_path / "pretrained")
    return tmp_path / "pretrained"


def test_small_files_hold_weights_of_16_bits_and_play_alike_everywhere(tmp_path, checkpoint):
    whole = made_up_policy()
    save_policy(tmp_path / "small.npz", whole, small=True)
    with np.load(tmp_path / "small.npz") as archive:
        assert archive["weights"].dtype == np.float16
    small = load_policy(tmp_path / "small.npz", GAME, None)
    assert small.weights.dtype == np.float32
    assert (small.weights == whole.weights.astype(np.float16).astype(np.float32)).all()
    assert small.provenance == whole.provenance


def test_pretrained_is_the_policy_that_comes_with_the_package(package, tmp_path):
    save_policy(package / "highcard.npz", made_up_policy(), small=True)
    spec = parse_spec({"type": "ppo", "checkpoint": "pretrained"}, "agents.mine")
    agent = make_agent(GAME, GAME.table(), {}, spec, tmp_path / "elsewhere")
    assert agent.act(opening(GAME), new_stream(1)) in opening(GAME).legal_actions


def test_pretrained_is_refused_where_none_comes_with_the_package(package, tmp_path):
    save_policy(package / "chess.npz", made_up_policy())
    spec = parse_spec({"type": "ppo", "checkpoint": "pretrained"}, "agents.mine")
    with pytest.raises(BadInput) as caught:
        make_agent(GAME, GAME.table(), {}, spec, tmp_path)
    told = "agents.mine: no policy for highcard comes with this package (there is one for chess); `duelbench train`"
    assert str(caught.value).startswith(told)


def test_a_run_keeps_the_pretrained_policy_that_it_began_with(package, tmp_path, monkeypatch):
    monkeypatch.setitem(registry._MODULES, "highcard", "highcard")
    save_policy(package / "highcard.npz", made_up_policy(), small=True)
    agents = {"mine": {"type": "ppo", "checkpoint": "pretrained"}, "rnd": {"type": "random"}}
    config = make_config({"name": "small", "game": "highcard", "agents": agents}, tmp_path)
    (tmp_path / "small" / "checkpoints" / "given").mkdir(parents=True)
    keep_given_checkpoints(Players(tmp_path / "small", config))
    kept = tmp_path / "small" / "checkpoints" / "given" / "mine.npz"
    assert kept.read_bytes() == (package / "highcard.npz").read_bytes()
    save_policy(package / "highcard.npz", made_up_policy(seed=4), small=True)
    with pytest.raises(BadInput, match="is not the file that this run began with"):
        keep_given_checkpoints(Players(tmp_path / "small", config))
