"""The Gymnasium face for one player: Gymnasium's own check, and what it leaves out."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from conftest import deck_choices
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from duelbench.agents.gym_ids import IDS, make_env
from duelbench.agents.random_agent import RandomAgent
from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.rng import below, new_stream


class NextLegal(gymnasium.ActionWrapper):
    """Gymnasium's check acts without looking at masks: what may not be done stands for the next thing that may."""

    def action(self, action):
        mask = self.unwrapped.action_masks()
        return next((a for i in range(len(mask)) if mask[a := (int(action) + i) % len(mask)]), action)


def played(env, dice, **reset):
    """A game of random moves: all that is told about it, step by step."""
    observation, info = env.reset(**reset)
    told = [(None, observation, 0.0, False, info)]
    while not told[-1][3]:
        allowed = np.flatnonzero(info["action_mask"])
        action = int(allowed[below(dice, len(allowed))])
        observation, reward, over, truncated, info = env.step(action)
        assert truncated is False
        told.append((action, observation, reward, over, info))
    return told


def as_text(told):
    return [
        (action, seen.tobytes(), reward, over, {**info, "action_mask": info["action_mask"].tobytes()})
        for action, seen, reward, over, info in told
    ]


@pytest.mark.filterwarnings("ignore:.*(infinity|unwrapped)")
def test_gymnasium_check_env(game):
    for decks in deck_choices(game):
        for observe_mask in (False, True):
            env = make_env(game, "random", decks=decks, observe_mask=observe_mask)
            check_env(NextLegal(env), skip_render_check=True)


def test_the_mask_may_stand_in_the_observation(game):
    env, plain = make_env(game, "random", observe_mask=True), make_env(game, "random")
    for seed in range(3):
        (seen, info), (bare, _) = env.reset(seed=seed), plain.reset(seed=seed)
        np.testing.assert_array_equal(seen["observation"], bare)
        np.testing.assert_array_equal(seen["action_mask"], info["action_mask"])
        seen["action_mask"][:] = 2
        assert info["action_mask"].max() == 1


def test_the_ids_are_there_once_their_module_is_imported():
    code = """
import gymnasium
for name in ("TarotDuel", "TommyWalker", "WizardInTraining"):
    env = gymnasium.make(f"duelbench.agents.gym_ids:duelbench/{name}-v0", opponent="random", disable_env_checker=True)
    assert env.unwrapped.spec.id == f"duelbench/{name}-v0"
    assert env.reset(seed=1)[1]["action_mask"].any()
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_rendering_passes_gymnasiums_check(shipped_game, capsys):
    name = next(key for key, game in IDS.items() if game == shipped_game.name)
    for mode in ("ansi", "human"):
        env = gymnasium.make(name, opponent="random", render_mode=mode)
        env.reset(seed=1)
        text = env.render()
        printed = capsys.readouterr().out
        assert (text is None) == (mode == "human")
        assert "player_0" in (text or printed)


@pytest.mark.parametrize("opponent", ["heuristic", {"type": "ismcts", "simulations": 2}, {"type": "random"}], ids=str)
def test_opponents_are_named_as_in_a_config(opponent):
    told = played(make_env("tarot_duel", opponent), new_stream(1), seed=1)
    assert told[-1][2] in (-1.0, 0.0, 1.0)


class Spy(RandomAgent):
    """Writes down what it is given."""

    def __init__(self):
        self.begun, self.positions, self.answers = [], [], []

    def begin(self, seat):
        self.begun.append(seat)

    def act(self, position, rng):
        self.positions.append(position)
        self.answers.append(super().act(position, rng))
        return self.answers[-1]


def test_it_is_the_engines_game_and_the_opponent_is_asked_on_its_turn_alone(game):
    for seed in range(10):
        spy = Spy()
        env = make_env(game, spy)
        told = played(env, new_stream(seed), seed=seed)
        table = game.table()
        state = game.dealt(table, env.deal_seed)
        mine, theirs = iter(told), iter(zip(spy.positions, spy.answers, strict=True))
        seat = told[0][4]["seat"]
        before = next(mine)
        while not state.over:
            if state.to_act == seat:
                np.testing.assert_array_equal(before[1], game.observation(table, state, seat))
                np.testing.assert_array_equal(before[4]["action_mask"], game.mask(table, state))
                assert (before[2], before[3]) == (0.0, False)
                before = next(mine)
                action = before[0]
            else:
                position, action = next(theirs)
                assert position.seat == 1 - seat
                np.testing.assert_array_equal(position.observation, game.observation(table, state, 1 - seat))
            game.play(table, state, action)
        assert next(mine, None) is None
        assert next(theirs, None) is None
        np.testing.assert_array_equal(before[1], game.observation(table, state, seat))
        winner = int(state.winner)
        assert before[2] == (0 if winner < 0 else 1 if winner == seat else -1)
        assert before[4]["winner"] == winner
        assert before[4]["reason"] == game.reasons[state.reason]
        assert not before[4]["action_mask"].any()
        assert spy.begun == [1 - seat] * len(spy.begun)


def test_the_opponent_is_not_given_the_true_state(game):
    """What it is shown is true, what it cannot know is drawn anew, from the seed of the reset."""
    spy = Spy()
    env = make_env(game, spy, seat=1)
    others = 0
    for deal_seed in [*range(8), *range(8)]:
        spy.positions.clear()
        env.reset(seed=0, options={"deal_seed": deal_seed})
        if not spy.positions:  # the learner is to act first
            continue
        position = spy.positions[0]
        true = game.dealt(position.table, deal_seed)
        assert position.root.rng != true.rng
        np.testing.assert_array_equal(position.observation, game.observation(position.table, true, 0))
        others += game.zones(position.root) != game.zones(true)
        env.reset(seed=0, options={"deal_seed": deal_seed})
        assert game.zones(spy.positions[-1].root) == game.zones(spy.positions[len(spy.positions) // 2 - 1].root)
    assert others > 0


def test_a_seeded_reset_repeats_deals_seats_and_the_opponents_chance(game):
    env = make_env(game, "random")
    first = [as_text(played(env, new_stream(5), seed=5)), *(as_text(played(env, new_stream(i))) for i in range(4))]
    again = [as_text(played(env, new_stream(5), seed=5)), *(as_text(played(env, new_stream(i))) for i in range(4))]
    assert first == again
    assert first == [
        as_text(played(other, new_stream(i), **how))
        for other in [make_env(game, "random")]
        for i, how in [(5, {"seed": 5}), *((i, {}) for i in range(4))]
    ]
    assert len({str(told) for told in first}) == 5


def test_the_opponents_chance_is_drawn_from_the_seed(game):
    spy = Spy()
    env = make_env(game, spy, seat=1)

    def answers(seed):
        spy.answers.clear()
        played(env, new_stream(1), seed=seed, options={"deal_seed": 7})
        return tuple(spy.answers)

    assert answers(1) == answers(1)
    assert len({answers(seed) for seed in range(10)}) > 1


def test_the_seat_is_a_coins_or_the_one_asked_for(game):
    env = make_env(game, "random")
    seats = [env.reset(seed=None if i else 3)[1]["seat"] for i in range(200)]
    assert 60 < sum(seats) < 140
    for seat in (0, 1):
        fixed = make_env(game, "random", seat=seat)
        assert {fixed.reset(seed=i)[1]["seat"] for i in range(10)} == {seat}
        assert {env.reset(options={"seat": seat})[1]["seat"] for _ in range(10)} == {seat}
        assert env.unwrapped.seat == seat


def test_a_deal_seed_deals_that_game(game):
    env = make_env(game, "random", seat=0)
    for seed in (0, 2**64 - 1):
        observation, _ = env.reset(options={"deal_seed": seed})
        assert env.deal_seed == seed
        table = game.table()
        state = game.dealt(table, seed)
        if state.to_act == 0:
            np.testing.assert_array_equal(observation, game.observation(table, state, 0))


def test_an_illegal_action_is_refused_and_changes_nothing(game):
    env, other = make_env(game, "random"), make_env(game, "random")
    _, info = env.reset(seed=1)
    other.reset(seed=1)
    mask = info["action_mask"]
    info["action_mask"][:] = 1
    for action in [*np.flatnonzero(other.action_masks() == 0), -1, game.num_actions, 0.0, None, True]:
        with pytest.raises(IllegalAction, match=f"player_{env.seat}"):
            env.step(action)
    np.testing.assert_array_equal(env.action_masks(), other.action_masks())
    action = int(np.flatnonzero(other.action_masks())[0])
    assert as_text([(0, *step[:3], step[4]) for step in [env.step(action)]]) == as_text(
        [(0, *step[:3], step[4]) for step in [other.step(action)]]
    )
    assert mask.all()


def test_steps_out_of_turn_say_so(game):
    env = make_env(game, "random")
    for call in (lambda: env.step(0), env.action_masks, lambda: env.deal_seed):
        with pytest.raises(ResetNeeded, match="reset"):
            call()
    played(env, new_stream(1), seed=1)
    with pytest.raises(ResetNeeded, match="over"):
        env.step(0)
    assert not env.action_masks().any()
    env.reset()
    assert env.action_masks().any()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"opponent": "heuristik"}, "opponent: unknown agent type 'heuristik'; did you mean 'heuristic'"),
        ({"opponent": {"type": "ismcts", "simulation": 1}}, "opponent: ismcts has no parameter 'simulation'"),
        ({"opponent": {"type": "ppo", "train": "short"}}, "opponent: ppo names the training 'short'"),
        ({"opponent": 7}, "opponent: expected a mapping"),
        ({"opponent": "oracle_mcts"}, "opponent: oracle_mcts sees the true state"),
        ({"seat": 2}, "seat is 2; allowed: 0, 1, or None"),
        ({"seat": True}, "seat is True"),
        ({"render_mode": "humam"}, "did you mean 'human'"),
        ({"rules": {"death": 1}}, "no rule option"),
    ],
    ids=str,
)
def test_bad_arguments_are_refused(arguments, words):
    with pytest.raises(BadInput, match=words):
        make_env("tarot_duel", **arguments)


def test_bad_options_of_a_reset_are_refused_and_leave_the_game_alone(game):
    env = make_env(game, "random")
    observation, _ = env.reset(seed=1)
    deal = env.deal_seed
    for options in ({"deal_seed": -1}, {"deal_seed": 1.0}, {"seat": 2}, "abc"):
        with pytest.raises(BadInput, match="reset: "):
            env.reset(seed=2, options=options)
    assert env.deal_seed == deal
    assert observation in env.observation_space


def test_the_own_view_is_rendered_and_everything_at_the_end(game):
    env = make_env(game, "random", seat=1, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env._table.describe("player_1")
    dice = new_stream(1)
    over = False
    while not over:
        allowed = np.flatnonzero(env.action_masks())
        over = env.step(int(allowed[below(dice, len(allowed))]))[2]
    assert env.render() == env._table.describe(None)
