"""The Gymnasium vector face plays the engine's games lane by lane, and says truthfully what has ended."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import duelbench.agents.gym_ids  # noqa: F401  # registers the ids
from duelbench.agents.gym_ids import make_vector_env
from duelbench.agents.gym_opponents import AgentsInLanes, CompiledInLanes
from duelbench.agents.policy import Policy
from duelbench.agents.ppo import PPOAgent
from duelbench.agents.random_agent import RandomAgent
from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.gym_vector import DuelVectorEnv
from duelbench.envs.rng import below, new_stream

LANES = 4


class Player:
    """Random moves from a stream for every lane, so that a lane's moves do not depend on the others."""

    def __init__(self, lanes, seed=0):
        self.dice = [new_stream(seed + lane) for lane in range(lanes)]

    def __call__(self, masks):
        allowed = [np.flatnonzero(mask) for mask in masks]
        return np.array([a[below(dice, len(a))] for a, dice in zip(allowed, self.dice, strict=True)])


def played(env, steps, seed=1, player=None):
    """All that is told in so many steps of random play, with the actions in front."""
    observations, infos = env.reset(seed=seed)
    player = player or Player(env.num_envs)
    yield None, observations, None, None, infos
    for _ in range(steps):
        actions = player(infos["action_mask"])
        observations, rewards, ended, cut_off, infos = env.step(actions)
        assert not cut_off.any()
        yield actions, observations, rewards, ended, infos


def lane_story(env, lane, steps=60):
    """What is told about one lane, as bytes and plain values."""
    story = []
    for actions, observations, rewards, ended, infos in played(env, steps):
        over = ended is not None and bool(ended[lane])
        told = [infos["final_info"][key][lane] for key in ("winner", "reason", "seat")] if over else []
        final = infos["final_obs"][lane].tobytes() if over else b""
        reward = None if rewards is None else float(rewards[lane])
        action = None if actions is None else int(actions[lane])
        seen = observations[lane].tobytes(), infos["action_mask"][lane].tobytes(), int(infos["seat"][lane])
        story.append((action, *seen, reward, over, *map(str, told), final))
    return story


def mirror(game, env, steps=120):
    """Every lane played once more by the game's own careful functions from the states of the batch."""
    table = game.table()
    states = None
    for actions, observations, rewards, ended, infos in played(env, steps):
        if states is not None:
            for lane, state in enumerate(states):
                seat = int(state.to_act)
                game.play(table, state, int(actions[lane]))
                assert ended[lane] == state.over
                if state.over:
                    winner = int(state.winner)
                    assert rewards[lane] == (0 if winner < 0 else 1 if winner == seat else -1)
                    assert infos["final_info"]["winner"][lane] == winner
                    assert infos["final_info"]["reason"][lane] == game.reasons[state.reason]
                    assert infos["final_info"]["seat"][lane] == seat
                    np.testing.assert_array_equal(
                        infos["final_obs"][lane], game.observation(table, state, seat), strict=True
                    )
                else:
                    assert rewards[lane] == 0
                    seen = game.observation(table, state, int(state.to_act))
                    np.testing.assert_array_equal(observations[lane], seen, strict=True)
        states = [game.new_states(1) for _ in range(env.num_envs)]
        for lane, copies in enumerate(states):
            copies[0] = env._batch.states[lane]
        states = [copies[0] for copies in states]
        yield infos


def test_in_self_play_it_is_the_engines_game_and_rewards_are_the_acting_seats(game):
    ended = 0
    for infos in mirror(game, DuelVectorEnv(game, LANES)):
        ended += int(np.sum(infos.get("_final_info", 0)))
    assert ended > 0


def test_a_lane_does_not_depend_on_the_others(game):
    for opponent in (None, "random"):
        alone = lane_story(make_vector_env(game, 1, opponent), 0)
        assert alone == lane_story(make_vector_env(game, 3, opponent), 0)
        if opponent is None:
            assert lane_story(make_vector_env(game, 3), 2) == lane_story(make_vector_env(game, 3, threads=2), 2)


def test_against_an_opponent_the_learner_keeps_its_seat_through_a_game(game):
    env = make_vector_env(game, LANES, "random")
    seats, games, told = None, 0, {0: 0, 1: 0}
    for _, _, rewards, ended, infos in played(env, 150):
        if seats is not None:
            np.testing.assert_array_equal(infos["seat"][~ended], seats[~ended])
            assert not rewards[~ended].any()
            for lane in np.flatnonzero(ended):
                final = infos["final_info"]
                assert final["seat"][lane] == seats[lane]
                winner = final["winner"][lane]
                assert rewards[lane] == (0 if winner < 0 else 1 if winner == seats[lane] else -1)
                told[int(seats[lane])] += 1
                games += 1
        seats = infos["seat"].copy()
        assert infos["action_mask"].any(axis=1).all()
    assert games == sum(told.values())
    assert min(told.values()) > 0, "both seats come up"


@pytest.mark.parametrize("seat", [0, 1])
def test_a_fixed_seat_is_kept_in_all_games(game, seat):
    for _, _, _, _, infos in played(make_vector_env(game, LANES, "random", seat=seat), 30):
        assert set(infos["seat"].tolist()) == {seat}


def small_policy(game):
    sizes = np.array([game.view_size, 8, game.num_actions + 1])
    count = int(((sizes[:-1] + 1) * sizes[1:]).sum())
    return Policy(np.random.default_rng(1).normal(size=count).astype(np.float32), sizes, {})


class PolicyAgent(PPOAgent):
    """The agent around a policy that is in no file."""

    def __init__(self, game, policy, temperature):
        self.policy, self.temperature = policy, temperature
        self._work = np.zeros((2, int(policy.sizes[1:].max())), np.float32)
        self._probabilities = np.zeros(game.num_actions)


@pytest.mark.parametrize("temperature", [None, 1.0, 0.0])
def test_compiled_opponents_answer_as_their_agents_do(game, temperature):
    table, policy = game.table(), None if temperature is None else small_policy(game)
    agent = RandomAgent(game, table) if policy is None else PolicyAgent(game, policy, temperature)
    compiled = DuelVectorEnv(game, LANES, CompiledInLanes(game, LANES, policy, temperature or 0.0))
    single = DuelVectorEnv(game, LANES, AgentsInLanes(game, table, LANES, lambda: agent))
    for lane in range(LANES):
        assert lane_story(compiled, lane, 20) == lane_story(single, lane, 20)


def test_a_seeded_reset_repeats_everything_and_an_unseeded_one_goes_on(game):
    env = make_vector_env(game, LANES, "random")
    first = lane_story(env, 1)
    assert first == lane_story(env, 1)
    seen = [env.reset(seed=1)[0], env.reset()[0], env.reset()[0]]
    assert not np.array_equal(seen[0], seen[1])
    assert not np.array_equal(seen[1], seen[2])
    env.reset(seed=1)
    np.testing.assert_array_equal(env.reset()[0], seen[1])


def test_the_mask_may_stand_in_the_observation(game):
    env, plain = make_vector_env(game, LANES, "random", observe_mask=True), make_vector_env(game, LANES, "random")
    ends = 0
    for (_, seen, *_, infos), (_, bare, *_, told) in zip(played(env, 120), played(plain, 120), strict=True):
        assert seen in env.observation_space
        np.testing.assert_array_equal(seen["observation"], bare)
        np.testing.assert_array_equal(seen["action_mask"], infos["action_mask"])
        for lane in np.flatnonzero(infos.get("_final_obs", [])):
            assert infos["final_obs"][lane] in env.single_observation_space
            np.testing.assert_array_equal(infos["final_obs"][lane]["observation"], told["final_obs"][lane])
            ends += 1
    assert ends > 0


def test_only_the_lanes_of_a_reset_mask_are_dealt_anew(game):
    env = make_vector_env(game, LANES)
    *_, (_, before, _, _, _) = played(env, 2)
    after, _ = env.reset(seed=9, options={"reset_mask": np.array([False, True, False, False])})
    np.testing.assert_array_equal(before[[0, 2, 3]], after[[0, 2, 3]])
    np.testing.assert_array_equal(after[1], env.reset(seed=9)[0][1])
    with pytest.raises(BadInput, match="reset_mask"):
        env.reset(options={"reset_mask": [True] * LANES})


def test_an_illegal_action_is_refused_and_no_lane_changes(game):
    env, other = make_vector_env(game, LANES, "random"), make_vector_env(game, LANES, "random")
    _, infos = env.reset(seed=3)
    other.reset(seed=3)
    actions = infos["action_mask"].argmax(axis=1)
    wrong = actions.copy()
    wrong[2] = np.flatnonzero(infos["action_mask"][2] == 0)[0]
    with pytest.raises(IllegalAction, match="lane 2"):
        env.step(wrong)
    for one, same in zip(env.step(actions)[:2], other.step(actions)[:2], strict=True):
        np.testing.assert_array_equal(one, same)


def test_arrays_handed_out_are_copies(game):
    env = make_vector_env(game, LANES)
    kept = list(played(env, 6))
    again = list(played(env, 6))
    for (_, seen, _, _, infos), (_, seen_again, _, _, infos_again) in zip(kept, again, strict=True):
        np.testing.assert_array_equal(seen, seen_again)
        np.testing.assert_array_equal(infos["action_mask"], infos_again["action_mask"])


def test_steps_before_the_first_reset_and_seats_in_self_play_are_refused(game):
    with pytest.raises(ResetNeeded, match="reset"):
        make_vector_env(game, 2).step([0, 0])
    with pytest.raises(BadInput, match="learner has both"):
        make_vector_env(game, 2, seat=1)
    with pytest.raises(BadInput, match="count is 0"):
        make_vector_env(game, 0)


def test_gymnasiums_make_vec_and_wrappers_take_it():
    env = gymnasium.make_vec("duelbench/TarotDuel-v0", num_envs=3, opponent="random")
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.observation_space.shape == (3, env.unwrapped.game.view_size)
    env = DictInfoToList(RecordEpisodeStatistics(env))
    observations, infos = env.reset(seed=1)
    player, finals = Player(3), []
    for _ in range(40):
        assert observations in env.observation_space
        actions = player([info["action_mask"] for info in infos])
        assert actions in env.action_space
        observations, rewards, ended, _, infos = env.step(actions)
        for lane in np.flatnonzero(ended):
            assert infos[lane]["final_obs"] in env.single_observation_space
            assert infos[lane]["episode"]["r"] == rewards[lane]
            finals.append(infos[lane]["final_info"]["winner"])
    assert len(finals) > 5
