"""Training by self-play: credit, masks, and that it learns."""

import highcard
import numpy as np
import pytest
import torch
from pydantic import ValidationError
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution

from duelbench.agents import rollout
from duelbench.agents.agent import position_of
from duelbench.agents.learner import MaskedSoftmax, Trunk, build_model, learn, network, set_network
from duelbench.agents.policy import Policy, load_policy
from duelbench.agents.ppo import PPOAgent
from duelbench.agents.rollout import SelfPlayRolloutBuffer, zero_sum_advantages
from duelbench.agents.selfplay import SelfPlayVecEnv
from duelbench.agents.training import MagnetSettings, OpponentShares, TrainSettings, total_steps, train
from duelbench.agents.training_magnet import Magnet
from duelbench.agents.training_schedules import entropy_weight, falls_due, learning_rate
from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.jit import INTERPRETED
from duelbench.envs.playout import random_action
from duelbench.envs.rng import new_stream

GAME = highcard.GAME
TINY = TrainSettings(steps=600, lanes=16, rollout=8, batch_size=64, epochs=2, layers=[16, 12], learning_rate=1e-3)


def column(*numbers):
    return np.array(numbers, np.float32).reshape(-1, 1)


# One lane, four decisions by seats A, A, B, A, the last of which wins the game for A.
REWARDS = column(0, 0, 0, 1)
VALUES = column(0.5, 0.25, -0.5, 0.75)
ENDED = column(0, 0, 0, 1)
SIGNS = column(1, -1, -1, 1)
LAST = np.array([9.0], np.float32)  # belongs to the next game and must not matter
# By hand, gamma 1 and lambda 0.5:
#   A[3] = 1 - 0.75                                        =  0.25
#   A[2] = 0 + (-1)( 0.75) - (-0.50) + 0.5 (-1)( 0.25)     = -0.375
#   A[1] = 0 + (-1)(-0.50) -   0.25  + 0.5 (-1)(-0.375)    =  0.4375
#   A[0] = 0 + (+1)( 0.25) -   0.50  + 0.5 (+1)( 0.4375)   = -0.03125
BY_HAND = [-0.03125, 0.4375, -0.375, 0.25]


def test_credit_changes_sign_with_the_seat_and_only_then():
    found = zero_sum_advantages(REWARDS, VALUES, ENDED, SIGNS, LAST, 1.0, 0.5)
    assert found.ravel().tolist() == BY_HAND


def test_credit_is_wrong_without_the_signs():
    found = zero_sum_advantages(REWARDS, VALUES, ENDED, np.ones_like(SIGNS), LAST, 1.0, 0.5)
    assert found.ravel().tolist() != BY_HAND


def test_credit_beyond_the_last_decision_comes_from_its_value():
    # The lane is cut: the other seat is to decide and holds its position worth 0.5.
    found = zero_sum_advantages(column(0), column(0.25), column(0), column(-1), np.array([0.5], np.float32), 1.0, 0.9)
    assert found.ravel().tolist() == [-0.75]


def test_credit_is_discounted_by_decisions():
    found = zero_sum_advantages(column(0, 1), column(0, 0), column(0, 1), column(-1, 1), LAST, 0.5, 1.0)
    assert found.ravel().tolist() == [-0.5, 1.0]


def buffer_for(signs, steps):
    env = SelfPlayVecEnv(GAME, GAME.table(), 1, 0)
    return SelfPlayRolloutBuffer(
        steps, env.observation_space, env.action_space, "cpu", gae_lambda=0.5, gamma=1.0, n_envs=1, signs=signs
    )


def test_buffer_gives_the_credit_worked_out_by_hand():
    signs = np.ones(1, np.float32)
    buffer = buffer_for(signs, 4)
    for t in range(4):
        signs[:] = SIGNS[t]
        buffer.add(
            np.zeros((1, GAME.view_size)),
            np.array([0]),
            REWARDS[t],
            ENDED[t - 1] if t else np.ones(1),
            torch.tensor(VALUES[t]),
            torch.zeros(1),
            action_masks=np.ones((1, 8)),
        )
    buffer.compute_returns_and_advantage(torch.tensor(LAST), ENDED[-1] != 0)
    assert buffer.advantages.ravel().tolist() == BY_HAND
    assert buffer.returns.ravel().tolist() == (np.array(BY_HAND) + VALUES.ravel()).tolist()


def followed_games(model, monkeypatch):
    """Collect one rollout at lambda 1 and follow its games beside the learner.

    Returns float[decisions, 2], for every decision whose game ended: what the game brought the seat that decided,
    less the learner's value, which is the advantage worked out by brute force; and the advantage in the buffer.
    """
    env, results, seats = model.env, {}, []
    batch = env._batch

    def noting(method):
        def call(*arguments):
            method(*arguments)
            lanes = arguments[0] if method.__name__ == "step_lanes" else range(batch.count)
            for lane in lanes:
                if batch.finished[lane]:
                    results.setdefault((len(seats) - 1, int(lane)), int(batch.winners[lane]))

        return call

    def step_async(actions):
        seats.append(batch.to_act.copy())
        type(env).step_async(env, actions)

    monkeypatch.setattr(batch, "step", noting(batch.step))
    monkeypatch.setattr(batch, "step_lanes", noting(batch.step_lanes))
    monkeypatch.setattr(env, "step_async", step_async)
    _, callback = model._setup_learn(1, None)
    model.collect_rollouts(env, callback, model.rollout_buffer, model.n_steps)
    found = []
    for t, lane in np.ndindex(model.n_steps, batch.count):
        ends = [later for later in range(t, model.n_steps) if (later, lane) in results]
        if ends:
            winner = results[ends[0], lane]
            outcome = 0 if winner < 0 else 1 if winner == seats[t][lane] else -1
            found.append((outcome - model.rollout_buffer.values[t, lane], model.rollout_buffer.advantages[t, lane]))
    return np.array(found)


def model_with(opponents):
    settings = TrainSettings(
        lanes=24, rollout=24, batch_size=64, layers=[8], gae_lambda=1.0, opponents=OpponentShares(**opponents)
    )
    model = build_model(GAME, GAME.table({"rounds": 2}), settings, 1)
    model.env.add_snapshot(*network(model.policy))
    return model


ITSELF, MIXED = {}, {"latest": 0.5, "history": 0.5}


@pytest.mark.parametrize("opponents", [ITSELF, MIXED], ids=["itself", "past selves too"])
def test_credit_is_what_following_every_game_gives(opponents, monkeypatch):
    found = followed_games(model_with(opponents), monkeypatch)
    assert len(found) > 400
    assert np.abs(found[:, 0] - found[:, 1]).max() < 1e-5
    assert {-1, 1} <= set(np.sign(found[:, 0]))


def wrong_seat(env_class, monkeypatch):
    right = env_class.step_wait

    def step_wait(env):
        seen, rewards, ended, infos = right(env)
        return seen, -rewards, ended, infos

    monkeypatch.setattr(env_class, "step_wait", step_wait)


def never_a_change(env_class, monkeypatch):
    right = env_class.step_wait

    def step_wait(env):
        answer = right(env)
        env.signs[:] = 1
        return answer

    monkeypatch.setattr(env_class, "step_wait", step_wait)


def always_a_change(env_class, monkeypatch):
    right = env_class.step_wait

    def step_wait(env):
        answer = right(env)
        env.signs[:] = -1
        return answer

    monkeypatch.setattr(env_class, "step_wait", step_wait)


@pytest.mark.parametrize(
    ("bug", "opponents"),
    [(wrong_seat, ITSELF), (wrong_seat, MIXED), (never_a_change, ITSELF), (always_a_change, MIXED)],
)
def test_a_planted_bug_of_credit_is_seen_by_following_the_games(bug, opponents, monkeypatch):
    bug(SelfPlayVecEnv, monkeypatch)
    found = followed_games(model_with(opponents), monkeypatch)
    assert np.abs(found[:, 0] - found[:, 1]).max() > 0.5


def test_samples_keep_the_pieces_of_a_decision_together():
    signs = np.ones(2, np.float32)
    env = SelfPlayVecEnv(GAME, GAME.table(), 2, 0)
    buffer = SelfPlayRolloutBuffer(3, env.observation_space, env.action_space, "cpu", n_envs=2, signs=signs)
    for t in range(3):
        ids = np.array([2 * t, 2 * t + 1])
        seen = np.repeat(ids[:, None], GAME.view_size, 1)
        masks = np.arange(8)[None, :] == ids[:, None]
        ids_too = torch.tensor(ids, dtype=torch.float32)
        buffer.add(seen, ids, ids, np.zeros(2), ids_too, ids_too, action_masks=masks)
    buffer.advantages[:] = buffer.values
    buffer.returns[:] = buffer.values
    for batch in buffer.get(2):
        ids = batch.actions[:, 0].tolist()
        assert batch.observations[:, 0].tolist() == ids
        for numbers in (batch.old_values, batch.old_log_prob, batch.advantages, batch.returns):
            assert numbers.tolist() == ids
        assert batch.action_masks.float().argmax(1).tolist() == ids


def test_lanes_show_the_seat_to_act_and_reward_the_seat_that_acted():
    table = GAME.table({"rounds": 1})
    env = SelfPlayVecEnv(GAME, table, 64, 4)
    seen = env.reset()
    mover = np.zeros(64)
    set_first = np.zeros(64)
    wins = 0
    for step in range(6):
        assert (seen[:, -1] == mover).all()  # "waiting" is 1 exactly for seat 1
        hands = seen[:, :8] != 0
        assert (np.stack(env.env_method("action_masks")) == hands).all()
        highest = 7 - hands[:, ::-1].argmax(1)
        seen, rewards, ended, _ = env.step(highest)
        assert (ended == (mover == 1)).all()
        assert (env.signs == -1).all()
        if step % 2:
            assert (rewards == np.where(highest > set_first, 1, -1)).all()
            wins += (rewards > 0).sum()
        else:
            assert (rewards == 0).all()
        set_first, mover = highest, 1 - mover
    assert 0 < wins < 192


def test_lanes_refuse_an_illegal_action():
    env = SelfPlayVecEnv(GAME, GAME.table(), 3, 4)
    env.reset()
    actions = np.stack(env.env_method("action_masks")).argmax(1)
    actions[1] = np.flatnonzero(~env.action_masks()[1])[0]
    with pytest.raises(IllegalAction):
        env.step(actions)


def test_lanes_are_dealt_alike_after_every_reset():
    env = SelfPlayVecEnv(GAME, GAME.table(), 8, 9)
    first = env.reset()
    for _ in range(20):
        env.step(env.action_masks().argmax(1))
    assert (env.reset() == first).all()
    assert (SelfPlayVecEnv(GAME, GAME.table(), 8, 10).reset() != first).any()


def test_learner_samples_legal_actions_only():
    model = build_model(GAME, GAME.table(), TINY, 1)
    with torch.no_grad():
        model.policy.action_net.bias[:] = torch.linspace(-30, 30, 8)  # illegal actions tempt
    seen = torch.randn(4000, GAME.view_size)
    masks = torch.rand(4000, 8) < 0.3
    masks[torch.arange(4000), torch.randint(8, (4000,))] = True
    for deterministic in (False, True):
        actions, _, log_probs = model.policy(seen, deterministic=deterministic, action_masks=masks)
        assert masks[torch.arange(4000), actions].all()
        assert torch.isfinite(log_probs).all()


def test_masked_softmax_agrees_with_sb3():
    """Probabilities, entropy and gradients agree with the distribution that MaskablePPO brings."""
    masks = np.array([[1, 0, 1, 1], [0, 0, 1, 0]], bool)
    found = []
    for kind in (MaskedSoftmax, MaskableCategoricalDistribution):
        logits = torch.tensor([[0.5, 3.0, -1.0, 0.1], [1.0, 2.0, 3.0, 4.0]], requires_grad=True)
        distribution = kind(4).proba_distribution(logits)
        distribution.apply_masking(masks)
        log_prob = distribution.log_prob(torch.tensor([2, 2]))
        (log_prob + distribution.entropy()).sum().backward()
        found.append((log_prob.detach(), distribution.entropy().detach(), logits.grad, distribution.mode()))
    for ours, theirs in zip(*found, strict=True):
        assert torch.allclose(ours, theirs, atol=1e-6)


def test_masked_softmax_draws_by_the_chances():
    torch.manual_seed(3)
    distribution = MaskedSoftmax(4).proba_distribution(torch.log(torch.tensor([[0.2, 0.3, 0.1, 0.4]])).repeat(20000, 1))
    distribution.apply_masking(np.array([[1, 0, 1, 1]], bool).repeat(20000, 0))
    counts = torch.bincount(distribution.sample(), minlength=4) / 20000
    assert torch.allclose(counts, torch.tensor([2, 0, 1, 4]) / 7, atol=0.02)
    assert counts[1] == 0


def test_exported_network_equals_torch():
    model = build_model(GAME, GAME.table(), TINY, 2)
    for parameter in model.policy.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    policy = Policy(*network(model.policy), {})
    seen = np.random.default_rng(3).normal(size=(50, GAME.view_size)).astype(np.float32)
    with torch.no_grad():
        hidden = model.policy.extract_features(torch.tensor(seen))
        logits, values = model.policy.action_net(hidden).numpy(), model.policy.value_net(hidden).numpy()
    for i in range(50):
        assert np.abs(policy.logits(seen[i]) - logits[i]).max() < 1e-4
        assert abs(policy.value(seen[i]) - values[i, 0]) < 1e-4


def test_both_heads_stand_on_one_trunk():
    model = build_model(GAME, GAME.table(), TINY, 2)
    assert isinstance(model.policy.features_extractor, Trunk)
    assert sum(p.numel() for p in model.policy.parameters()) == len(network(model.policy)[0])


def trained(path, seed=5, settings=TINY, rules=None, game=GAME):
    train(game, rules, settings, seed, path, {"commit": "abc", "command": "a test"})
    return path.read_bytes()


def test_same_seed_same_bytes(game, tmp_path):
    first = trained(tmp_path / "first.npz", game=game)
    np.random.default_rng().random()  # what else draws at random must not matter
    torch.rand(3)
    assert trained(tmp_path / "second.npz", game=game) == first
    assert trained(tmp_path / "third.npz", seed=6, game=game) != first


def test_file_says_where_it_comes_from(tmp_path):
    trained(tmp_path / "policy.npz", rules={"rounds": 2})
    found = load_policy(tmp_path / "policy.npz", GAME, {"rounds": 2}).provenance
    assert found["rules"] == {"rounds": 2}
    assert found["settings"]["layers"] == [16, 12]
    assert found["seed"] == 5
    assert found["steps"] == 640
    assert found["made_by"] == {"commit": "abc", "command": "a test"}
    assert found["packages"]["torch"] == torch.__version__


def test_progress_runs_from_nothing_to_all():
    seen = []
    learn(GAME, GAME.table(), TINY, 1, lambda done, total, info: seen.append((done, total, info)))
    assert [done for done, _, _ in seen] == [0, 128, 256, 384, 512, 640]
    assert {total for _, total, _ in seen} == {total_steps(TINY)} == {640}
    assert seen[0][2] == {}
    assert seen[-1][2]["entropy"] > 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"stepz": 1},
        {"steps": 0},
        {"layers": []},
        {"layers": [0]},
        {"entropy": -1.0},
        {"algorithm": "dqn"},
        {"magnet": {"wait": 1}},
        {"opponents": {"latest": 0.5}},
        {"opponents": {"history": 0.5}},
        {"opponents": {"latest": 0.5, "history": 0.5, "random": 0.0}},
    ],
)
def test_settings_refuse_what_they_do_not_know(wrong):
    with pytest.raises(ValidationError):
        TrainSettings(**wrong)


def test_a_place_that_cannot_be_written_is_refused_before_training(tmp_path):
    (tmp_path / "a_file").write_text("")
    endless = TrainSettings(steps=10**12)
    with pytest.raises(BadInput, match=r"policy\.npz: the policy cannot be written"):
        trained(tmp_path / "a_file" / "policy.npz", settings=endless)


def test_unknown_rules_are_refused_before_training(tmp_path):
    with pytest.raises(BadInput, match="no rule option"):
        trained(tmp_path / "policy.npz", rules={"round": 1})


def test_schedules_are_lines_between_their_ends():
    settings = TrainSettings(learning_rate=0.01, final_learning_rate=0.002, entropy=0.1, final_entropy=0.3)
    assert [learning_rate(settings)(left) for left in (1.0, 0.5, 0.0)] == pytest.approx([0.01, 0.006, 0.002])
    assert [entropy_weight(settings)(left) for left in (1.0, 0.5, 0.0)] == pytest.approx([0.1, 0.2, 0.3])


def test_schedules_without_an_end_of_their_own():
    settings = TrainSettings(learning_rate=0.01, entropy=0.1)
    assert [learning_rate(settings)(left) for left in (1.0, 0.5, 0.04, 0.0)] == pytest.approx([0.01, 5e-3, 5e-4, 5e-4])
    assert {entropy_weight(settings)(left) for left in (1.0, 0.5, 0.0)} == {0.1}


def test_what_happens_every_so_often_happens_once_each_time():
    assert [n for n in range(0, 1001, 100) if falls_due(250, n, 100)] == [0, 300, 500, 800, 1000]
    assert all(falls_due(30, n, 100) for n in range(0, 1001, 100))


def divergence_by_hand(policy, seen, masks, other):
    chances = [np.exp(m.logits(seen)) * masks for m in (policy, other)]
    own, its = (c / c.sum() for c in chances)
    return (own[masks] * np.log(own[masks] / its[masks])).sum()


def test_magnet_pays_for_the_divergence_from_its_copy():
    model = build_model(GAME, GAME.table(), TINY, 2)
    model.policy.magnet = magnet = Magnet(model.policy, MagnetSettings(weight=0.5))
    before = Policy(*network(model.policy), {})
    for parameter in model.policy.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    after = Policy(*network(model.policy), {})
    dice = np.random.default_rng(3)
    seen = dice.normal(size=(20, GAME.view_size)).astype(np.float32)
    masks = dice.random((20, 8)) < 0.6
    masks[:, 2] = True
    magnet.entropy_weight = 0.1
    arguments = torch.tensor(seen), torch.full((20,), 2), torch.tensor(masks)
    with torch.no_grad():
        _, _, regularizer = model.policy.evaluate_actions(*arguments)
        model.policy.magnet = None
        _, _, entropy = model.policy.evaluate_actions(*arguments)
    for i in range(20):
        expected = 0.1 * float(entropy[i]) - 0.5 * divergence_by_hand(after, seen[i], masks[i], before)
        assert float(regularizer[i]) == pytest.approx(expected, abs=1e-4)
    assert magnet.entropies == [pytest.approx(float(entropy.mean()), abs=1e-5)]


def test_magnet_moves_its_part_of_the_way_and_only_then():
    model = build_model(GAME, GAME.table(), TINY, 2)
    magnet = Magnet(model.policy, MagnetSettings(weight=0.5, step=0.25))
    before = magnet.arrays()
    with torch.no_grad():
        for parameter in model.policy.parameters():
            parameter += 1.0
    assert all((now == then).all() for now, then in zip(magnet.arrays(), before, strict=True))
    magnet.move(model.policy)
    assert all(np.allclose(now, then + 0.25) for now, then in zip(magnet.arrays(), before, strict=True))


def test_magnet_holds_the_policy_back():
    """The stronger the magnet, the less a training moves away from where it began."""
    found = []
    for weight in (1e-9, 10.0):
        magnet = MagnetSettings(weight=weight, every=10**9)
        settings = TINY.model_copy(update={"magnet": magnet, "entropy": 0.0, "learning_rate": 0.01, "steps": 2560})
        seen = []
        learn(GAME, GAME.table(), settings, 1, lambda _done, _total, info, seen=seen: seen.append(info))
        found.append(seen[-1]["magnet_divergence"])
    assert found[1] < found[0] / 4


LESSON = TrainSettings(steps=40_000, lanes=128, rollout=16, batch_size=512, epochs=4, layers=[32], learning_rate=5e-3)


def games_won(agent, rules, deals):
    """Points (win 1, draw 1/2) of `agent` against a random player; each deal is played on both seats."""
    table, stream, points = GAME.table(rules), new_stream(77), 0.0
    for deal in range(deals):
        for seat in range(2):
            state = GAME.dealt(table, deal)
            while not state.over:
                if state.to_act == seat:
                    action = agent.act(position_of(GAME, table, state, deal), stream)
                else:
                    action = random_action(stream, GAME.mask(table, state))
                GAME.play(table, state, action)
            points += 0.5 if state.winner < 0 else float(state.winner == seat)
    return points / (2 * deals)


slow_without_compiler = pytest.mark.skipif(INTERPRETED, reason="a minute each without the compiler")


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    """A policy that has learned to play one card."""
    path = tmp_path_factory.mktemp("lesson") / "policy.npz"
    trained(path, settings=LESSON, rules={"rounds": 1})
    return path


@slow_without_compiler
def test_learns_that_the_highest_card_is_best(lesson):
    rules = {"rounds": 1}
    table, policy = GAME.table(rules), load_policy(lesson, GAME, rules)
    chances = []
    for seed in range(200):
        state = GAME.dealt(table, seed)
        mask = GAME.mask(table, state)
        chances.append(policy.probabilities(GAME.observation(table, state, 0), mask)[np.flatnonzero(mask)[-1]])
    assert np.mean(chances) > 0.65  # a random player: 0.33


@slow_without_compiler
def test_what_it_has_learned_beats_random(lesson):
    agent = PPOAgent(GAME, GAME.table({"rounds": 1}), {"rounds": 1}, lesson)
    assert games_won(agent, {"rounds": 1}, 400) > 0.58


@slow_without_compiler
def test_value_of_a_learned_policy_sees_good_hands(lesson):
    policy = load_policy(lesson, GAME, {"rounds": 1})
    strong, weak = np.zeros(GAME.view_size, np.float32), np.zeros(GAME.view_size, np.float32)
    strong[[5, 6, 7]] = 1
    weak[[0, 1, 2]] = 1
    assert policy.value(strong) > 0.3 > -0.3 > policy.value(weak)


@slow_without_compiler
def test_without_the_change_of_sign_the_value_is_wrong(tmp_path, monkeypatch):
    """The same lesson with the bug planted: the first seat then holds its worst hand for a good one."""

    def planted(rewards, values, ended, signs, *rest):
        return zero_sum_advantages(rewards, values, ended, np.ones_like(signs), *rest)

    monkeypatch.setattr(rollout, "zero_sum_advantages", planted)
    trained(tmp_path / "bug.npz", settings=LESSON, rules={"rounds": 1})
    with pytest.raises(AssertionError):
        test_value_of_a_learned_policy_sees_good_hands(tmp_path / "bug.npz")
    with pytest.raises(AssertionError):
        test_learns_that_the_highest_card_is_best(tmp_path / "bug.npz")


def test_a_network_put_back_is_the_same_one():
    table = GAME.table()
    first, second = (build_model(GAME, table, TINY, seed) for seed in (1, 2))
    weights, sizes = network(first.policy)
    assert (network(second.policy)[0] != weights).any()
    set_network(second.policy, weights)
    assert (network(second.policy)[0] == weights).all()
    seen = torch.rand(5, int(sizes[0]))
    assert torch.equal(first.policy.predict_values(seen), second.policy.predict_values(seen))


def test_weights_for_other_layers_are_refused():
    model = build_model(GAME, GAME.table(), TINY, 1)
    with pytest.raises(ValueError, match="1 weights too many"):
        set_network(model.policy, np.zeros(len(network(model.policy)[0]) + 1, np.float32))
