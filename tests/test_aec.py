"""The PettingZoo face: PettingZoo's own tests, and what they leave out."""

import copy
import dataclasses
import functools
import importlib
import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import deck_choices, game_called
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, seed_test

from duelbench.envs.aec import PLAYERS, GameEnv
from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.rng import below, new_stream


def pick(mask, dice):
    """A uniformly random allowed action."""
    allowed = np.flatnonzero(mask)
    return int(allowed[below(dice, len(allowed))])


def play_on(env, dice, decisions=10**6):
    """Random play in PettingZoo's way, up to the end or for so many decisions; yields (agent, observation, action)."""
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated or decisions == 0:
            return
        decisions -= 1
        action = pick(observation["action_mask"], dice)
        yield agent, observation, action
        env.step(action)


def played(game, decisions=10**6, seed=3, rules=None):
    """An environment after so many random decisions, or at the end of its game."""
    env = GameEnv(game, rules)
    env.reset(seed=seed)
    for _ in play_on(env, new_stream(seed), decisions):
        pass
    return env


def situation(env):
    """All that an action could change, as bytes and plain values."""
    seen = [env.observe(player)[part].tobytes() for player in PLAYERS for part in ("observation", "action_mask")]
    books = (env.agents, env.agent_selection, env.rewards, env.terminations, env.truncations, env.infos)
    return env.state_record().tobytes(), seen, copy.deepcopy(books), env.last()[1]


def transcript(name, games=4):
    """Seeded play in words: a game, a second seeded reset, and games from the environment's own generator."""
    env, told = GameEnv(game_called(name)), []
    for number in range(games):
        env.reset(seed=11 if number < 2 else None)
        dice = new_stream(number // 2)
        told.append(f"deal {env.deal_seed}")
        for agent, observation, action in play_on(env, dice):
            told.append(f"{agent} {action} {observation['observation'].tobytes().hex()}")
        told.append(str(env.infos))
    return "\n".join(told)


@pytest.mark.filterwarnings("ignore")  # it warns about every environment with masks that is not on its list
def test_pettingzoo_api_test(game):
    for decks in deck_choices(game):
        api_test(GameEnv(game, decks=decks), num_cycles=200)


def test_pettingzoo_seed_test(game):
    for decks in deck_choices(game):
        seed_test(functools.partial(GameEnv, game, decks=decks), num_cycles=200)


def test_same_game_in_processes_with_different_hash_seeds(game):
    code = "import sys; sys.path.insert(0, sys.argv[1]); import test_aec; print(test_aec.transcript(sys.argv[2]))"
    command = [sys.executable, "-W", "ignore", "-c", code, str(Path(__file__).parent), game.name]
    told = [
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True)
        for seed in ("1", "2")
    ]
    assert told[0].stdout == told[1].stdout
    assert told[0].stdout.rstrip("\n") == transcript(game.name)


def test_a_seeded_reset_repeats_the_game_and_an_unseeded_one_goes_on(game):
    first, second, third, _ = transcript(game.name).split("deal ")[1:]
    assert first == second
    assert first != third


def test_plays_the_same_game_as_the_engine(game):
    for decks, seed in itertools.product(deck_choices(game), range(5)):
        env, table = GameEnv(game, decks=decks), game.table(decks=decks)
        env.reset(options={"deal_seed": seed})
        state = game.dealt(table, seed)
        for agent, observation, action in play_on(env, new_stream(seed)):
            assert agent == PLAYERS[state.to_act]
            assert env.state_record().tobytes() == state.tobytes()
            np.testing.assert_array_equal(observation["action_mask"], game.mask(table, state))
            for seat, player in enumerate(PLAYERS):
                np.testing.assert_array_equal(env.observe(player)["observation"], game.observation(table, state, seat))
            game.play(table, state, action)
        assert state.over
        assert env.infos["player_0"] == {"winner": state.winner, "reason": game.reasons[state.reason]}
        assert env.state_record().tobytes() == state.tobytes()


def test_only_the_seat_to_act_has_a_mask(game):
    env = GameEnv(game)
    for seed in range(10):
        env.reset(seed=seed)
        for agent, observation, _ in play_on(env, new_stream(seed)):
            other = PLAYERS[1 - PLAYERS.index(agent)]
            assert observation["action_mask"].any()
            assert not env.observe(other)["action_mask"].any()
        assert not any(env.observe(player)["action_mask"].any() for player in PLAYERS)


def test_observations_of_both_seats_lie_in_their_spaces_to_the_end(game):
    env = GameEnv(game)
    for seed in range(5):
        env.reset(seed=seed)
        for _ in play_on(env, new_stream(seed)):
            assert all(env.observation_space(player).contains(env.observe(player)) for player in PLAYERS)
            assert all(np.isfinite(env.observe(player)["observation"]).all() for player in PLAYERS)
        assert all(env.observation_space(player).contains(env.observe(player)) for player in PLAYERS)


def test_both_seats_are_told_the_result_once_and_the_game_is_zero_sum(game):
    env = GameEnv(game)
    winners = set()
    for seed in range(40):
        env.reset(seed=seed)
        for _ in play_on(env, new_stream(seed)):
            assert set(env.rewards.values()) == {0}
            assert env.last()[1] == 0
        winner = int(env.state_record().winner)
        winners.add(winner)
        told = {}
        for agent in env.agent_iter():
            _, told[agent], terminated, truncated, info = env.last()
            assert (terminated, truncated) == (True, False)
            assert info["winner"] == winner
            env.step(None)
        assert told == {player: 0 if winner < 0 else 1 if seat == winner else -1 for seat, player in enumerate(PLAYERS)}
        assert env.agents == []
    assert {0, 1} <= winners


def test_a_state_follows_byte_for_byte_from_the_seed_and_the_actions(game):
    env = played(game)
    env.reset(options={"deal_seed": 1})
    assert env.state_record().tobytes() == game.dealt(game.table(), 1).tobytes()


def test_leaving_half_way_does_not_disturb_the_next_game(game):
    env = played(game)
    env.step(None)
    env.reset(seed=3)
    assert env.agents == list(PLAYERS)
    assert env.agent_selection == PLAYERS[env.state_record().to_act]
    again = played(game)
    for _ in play_on(env, new_stream(3)):
        pass
    assert situation(env) == situation(again)
    assert [env.step(None) for _ in env.agent_iter()] == [None, None]


@pytest.mark.parametrize(
    "wrong",
    [None, 0.0, np.float32(1), float("nan"), True, np.True_, -1, -(10**30), 10**30, "0", [0], np.zeros(1, int)],
    ids=repr,
)
@pytest.mark.parametrize("decisions", [0, 3])
def test_anything_but_an_action_is_refused_and_changes_nothing(game, wrong, decisions):
    env = played(game, decisions)
    before = situation(env)
    with pytest.raises(IllegalAction, match=env.agent_selection):
        env.step(wrong)
    assert situation(env) == before


def test_every_action_outside_the_mask_is_refused_and_changes_nothing(game):
    env = played(game, 2)
    before = situation(env)
    mask = env.last()[0]["action_mask"]
    forbidden = [*np.flatnonzero(mask == 0), game.num_actions, np.int8(-1)]
    for action in forbidden:
        with pytest.raises(IllegalAction, match=env.agent_selection):
            env.step(action)
        assert situation(env) == before


def test_an_action_after_the_end_is_refused_and_both_seats_still_hear_the_result(game):
    env = played(game)
    before = situation(env)
    with pytest.raises(IllegalAction):
        env.step(0)
    assert situation(env) == before
    assert len([env.step(None) for _ in env.agent_iter()]) == 2


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint16])
def test_whole_numbers_of_every_kind_are_actions(game, kind):
    env, other = played(game, 1), played(game, 1)
    action = int(np.flatnonzero(env.last()[0]["action_mask"])[0])
    env.step(kind(action))
    other.step(action)
    assert situation(env) == situation(other)


def test_arrays_handed_out_are_copies(game):
    env = played(game, 1)
    kept = [env.observe(player) for player in PLAYERS]
    before = copy.deepcopy(kept)
    mask = env.last()[0]["action_mask"]
    forbidden = int(np.flatnonzero(mask == 0)[0])
    mask[:] = 1
    with pytest.raises(IllegalAction):
        env.step(forbidden)
    for _ in play_on(env, new_stream(1)):
        pass
    for then, now in zip(before, kept, strict=True):
        np.testing.assert_array_equal(then["observation"], now["observation"])
        np.testing.assert_array_equal(then["action_mask"], now["action_mask"])


def test_a_copied_environment_goes_its_own_way(game):
    env, reference = played(game, 1), played(game, 1)
    twin = copy.deepcopy(env, {id(game): game})
    steps = [list(play_on(one, new_stream(8))) for one in (twin, reference)]
    assert [(agent, action) for agent, _, action in steps[0]] == [(agent, action) for agent, _, action in steps[1]]
    assert situation(twin) == situation(reference)
    assert situation(env) == situation(played(game, 1))


def test_a_deal_seed_leaves_the_generator_alone(game):
    env, other = GameEnv(game), GameEnv(game)
    env.reset(seed=5)
    other.reset(seed=5)
    env.reset(options={"deal_seed": 2**64 - 1})
    assert env.deal_seed == 2**64 - 1
    env.reset()
    other.reset()
    assert env.deal_seed == other.deal_seed


def test_without_any_seed_environments_differ(game):
    env, other = GameEnv(game), GameEnv(game)
    env.reset()
    other.reset()
    assert env.deal_seed != other.deal_seed


def other_rules(game):
    """For every option one value that is not its default."""
    return {option.name: next(v for v in option.values if v != option.default) for option in game.options}


def test_rules_last_over_resets_and_reach_the_game(game):
    env = GameEnv(game, other_rules(game))
    table = game.table(other_rules(game))
    for seed in range(3):
        env.reset(seed=seed)
        state = game.dealt(table, env.deal_seed)
        for _, _, action in play_on(env, new_stream(seed)):
            game.play(table, state, action)
        assert env.state_record().tobytes() == state.tobytes()
    assert env.rules == game.resolved_rules(other_rules(game))


def test_before_reset_everything_says_so(game):
    env = GameEnv(game, render_mode="ansi")
    calls = [
        lambda: env.step(0),
        lambda: env.observe("player_0"),
        env.render,
        env.describe,
        env.state_record,
        lambda: env.deal_seed,
        lambda: next(env.agent_iter()),
    ]
    for call in calls:
        with pytest.raises(ResetNeeded, match="reset"):
            call()
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"):
        with pytest.raises(AttributeError, match=rf"{name} .*reset"):
            getattr(env, name)


def test_after_the_end_step_says_so(game):
    env = played(game)
    for _ in PLAYERS:
        env.step(None)
    with pytest.raises(ResetNeeded, match="over"):
        env.step(None)


def test_a_loop_that_forgets_to_step_is_stopped(game):
    env = played(game, 1)
    turns = env.agent_iter()
    next(turns)
    env.last()
    with pytest.raises(RuntimeError, match=r"step\(\)"):
        next(turns)


def test_unknown_settings_are_refused_with_what_is_allowed(game):
    with pytest.raises(BadInput, match="did you mean 'human'"):
        GameEnv(game, render_mode="humam")
    option = game.options[0].name
    with pytest.raises(BadInput, match=f"did you mean '{option}'"):
        GameEnv(game, {option + "x": 1})
    env = GameEnv(game)
    for seed in (-1, 2**64, 1.0, True, "1"):
        with pytest.raises(BadInput, match="whole number from 0"):
            env.reset(seed=seed)
        with pytest.raises(BadInput, match="deal_seed"):
            env.reset(options={"deal_seed": seed})


def test_settings_and_agents_of_the_wrong_kind_are_refused(game):
    with pytest.raises(BadInput, match="expected a mapping from rule options"):
        GameEnv(game, rules="death_can_extend")
    env = played(game, 1)
    with pytest.raises(BadInput, match="options is 'abc'; expected a mapping"):
        env.reset(options="abc")
    with pytest.raises(BadInput, match="'nobody' does not play; agents: player_0, player_1"):
        env.observe("nobody")
    with pytest.raises(BadInput, match="'nobody' does not play"):
        env.describe("nobody")


def test_a_refused_reset_leaves_the_game_alone(game):
    env = played(game, 1)
    before = situation(env)
    with pytest.raises(BadInput):
        env.reset(seed=7, options={"deal_seed": -1})
    assert situation(env) == before
    env.reset()
    other = played(game, 1)
    other.reset()
    assert env.deal_seed == other.deal_seed


def with_plain_words(game):
    return dataclasses.replace(game, describe=lambda table, state, seat: f"as seen by {seat}")


def test_rendering_shows_what_the_seat_to_act_sees_and_everything_at_the_end(game):
    env = GameEnv(with_plain_words(game), render_mode="ansi")
    env.reset(seed=1)
    for agent, _, _ in play_on(env, new_stream(1)):
        assert env.render() == f"as seen by {PLAYERS.index(agent)}"
        assert env.describe("player_1") == "as seen by 1"
        assert env.describe() == "as seen by None"
    assert env.render() == "as seen by None"


def test_at_the_end_the_table_says_once_who_won_and_why(game):
    env = GameEnv(game, render_mode="ansi")
    env.reset(seed=1)
    for _ in play_on(env, new_stream(1)):
        assert "(" + game.reasons[1] not in env.render()
    winner, reason = env.infos["player_0"]["winner"], env.infos["player_0"]["reason"]
    result = "The game is drawn" if winner < 0 else f"player_{winner} wins"
    assert env.render().count(f"{result} ({reason}).") == 1
    assert env.render().count(reason) == 1


def test_human_mode_prints_after_reset_and_after_every_step(game, capsys):
    env = GameEnv(with_plain_words(game), render_mode="human")
    env.reset(seed=1)
    seats = [agent for agent, _, _ in play_on(env, new_stream(1))]
    printed = capsys.readouterr().out.splitlines()
    assert printed == [*(f"as seen by {PLAYERS.index(agent)}" for agent in seats), "as seen by None"]


def test_every_game_has_its_face(shipped_game):
    face = importlib.import_module(f"duelbench.envs.{shipped_game.name}_v0")
    for make in (face.env, face.raw_env):
        env = make(render_mode="ansi", rules=other_rules(shipped_game))
        assert env.game is shipped_game
        assert str(env) == env.metadata["name"] == f"{shipped_game.name}_v0"
        assert env.metadata["render_modes"] == ["ansi", "human"]
        assert env.rules == shipped_game.resolved_rules(other_rules(shipped_game))
        env.reset(seed=0)
        assert env.render()
