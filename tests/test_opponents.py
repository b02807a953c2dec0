"""Whom a learner meets: shares of the lanes, past selves, a fixed agent, and what it is told of these games."""

import highcard
import numpy as np
import pytest

from duelbench.agents.agent import Agent
from duelbench.agents.heuristic import heuristic_player
from duelbench.agents.opponents import FIXED, LATEST, MOST_PAST_SELVES, Opponents, Shares
from duelbench.agents.random_agent import RandomAgent
from duelbench.agents.selfplay import SelfPlayVecEnv
from duelbench.envs.batch import Batch
from duelbench.envs.errors import BadInput
from duelbench.envs.registry import load_game

GAME = highcard.GAME
LANES = 12
SIZES = np.array([GAME.view_size, GAME.num_actions + 1])


class HighestCard(Agent):
    def act(self, position, rng):
        return max(position.legal_actions)


def policy_that_prefers(card):
    """A network without hidden layers whose logit of `card` is far above the others."""
    weights = np.zeros(SIZES[0] * SIZES[1] + SIZES[1], np.float32)
    weights[SIZES[0] * SIZES[1] + card] = 50.0
    return weights, SIZES


def lowest(env):
    return env.action_masks().argmax(axis=1)


def against_highest(lanes=LANES, seed=3):
    env = SelfPlayVecEnv(GAME, GAME.table(), lanes, seed, opponent=HighestCard(GAME, GAME.table()))
    env.reset()
    return env


@pytest.mark.parametrize("shares", [(0.5, 0.6, 0.0), (0.5, 0.4, 0.0), (1.5, -0.5, 0.0)])
def test_shares_that_do_not_add_up_to_one_are_refused(shares):
    with pytest.raises(BadInput, match="shares are"):
        Shares(*shares)


def test_lanes_are_dealt_out_by_the_shares_and_the_learner_has_the_rest():
    assert Shares(0.5, 0.25, 0.25).lanes(8) == (4, 2, 2)
    assert Shares(0.9, 0.05, 0.05).lanes(8) == (8, 0, 0)
    assert sum(Shares(0.34, 0.33, 0.33).lanes(10)) == 10


def test_a_share_for_a_hand_written_player_needs_one():
    with pytest.raises(BadInput, match="highcard has no hand-written player"):
        SelfPlayVecEnv(GAME, GAME.table(), 4, 0, opponents=Shares(0.5, 0.0, 0.5))


def test_it_is_always_the_learners_turn_and_its_own_view():
    env = against_highest()
    batch, opponents = env._batch, env._opponents
    for _ in range(20):
        assert (batch.to_act == opponents.seat).all()
        for lane in range(LANES):
            seen = GAME.observation(batch.table, batch.states[lane], int(opponents.seat[lane]))
            assert (batch.observations[lane] == seen).all()
        env.step(lowest(env))
        assert (env.signs == 1).all()
    assert set(opponents.who) == {FIXED}


def test_results_are_those_of_the_learners_seat():
    """Played again by hand from the deals: lowest card against highest card, on the seat that was drawn."""
    env = against_highest()
    batch, opponents = env._batch, env._opponents
    seats_seen, results = set(), set()
    for _ in range(30):
        deals, seats = batch.deal_seeds.copy(), opponents.seat.copy()
        _, rewards, ended, _ = env.step(lowest(env))
        for lane in np.flatnonzero(ended):
            winner = winner_by_hand(int(deals[lane]), int(seats[lane]))
            assert rewards[lane] == (0 if winner < 0 else 1 if winner == seats[lane] else -1)
            seats_seen.add(int(seats[lane]))
            results.add(float(rewards[lane]))
        assert (rewards[~ended] == 0).all()
    assert seats_seen == {0, 1}
    assert len(results) > 1


def winner_by_hand(deal_seed, learner):
    state = GAME.dealt(GAME.table(), deal_seed)
    while not state.over:
        legal = np.flatnonzero(GAME.mask(GAME.table(), state))
        GAME.play(GAME.table(), state, int(legal[0] if state.to_act == learner else legal[-1]))
    return int(state.winner)


def test_a_game_that_ends_with_the_opponents_action_counts_once():
    """On seat 0 the learner never makes the last choice, so its results come with the other's answer."""
    env = against_highest(lanes=1)
    ends = []
    for _ in range(12):
        ends.append(bool(env.step(lowest(env))[2][0]))
    assert ends == [False, False, True] * 4


def test_past_selves_answer_by_their_policy():
    batch = Batch(GAME, GAME.table(), 16)
    opponents = Opponents(batch, Shares(0.0, 1.0, 0.0), None)
    batch.reset(range(16))
    opponents.add_past_self(*policy_that_prefers(5))
    opponents.begin(1)
    lanes = np.arange(16)
    masks = batch.masks.copy()
    answers = opponents.answers(lanes)
    assert (opponents.who == 0).all()
    for lane in lanes:
        assert masks[lane, answers[lane]]
        if masks[lane, 5]:
            assert answers[lane] == 5
    assert masks[:, 5].any()


def test_without_past_selves_the_learner_plays_both_seats():
    env = SelfPlayVecEnv(GAME, GAME.table(), 4, 0, opponents=Shares(0.5, 0.5, 0.0))
    env.reset()
    assert (env._opponents.who == LATEST).all()
    env.add_snapshot(*policy_that_prefers(2))
    for _ in range(6):  # all games end at the sixth decision, and new ones are drawn
        env.step(lowest(env))
    assert env._opponents.who.tolist() == [LATEST, LATEST, 0, 0]


def test_past_selves_are_kept_evenly_over_time():
    """Of many past selves each has the same chance to be kept: about half of those kept are from the first half."""
    batch = Batch(GAME, GAME.table(), 2)
    from_first_half = 0
    for seed in range(20):
        opponents = Opponents(batch, Shares(0.0, 1.0, 0.0), None)
        batch.reset(range(2))
        opponents.begin(seed)
        for number in range(4 * MOST_PAST_SELVES):
            opponents.add_past_self(np.full(SIZES[0] * SIZES[1] + SIZES[1], number, np.float32), SIZES)
        kept = opponents.snapshot()["pool"][:, 0]
        assert len(set(kept)) == MOST_PAST_SELVES
        from_first_half += int((kept < 2 * MOST_PAST_SELVES).sum())
    assert 0.4 < from_first_half / (20 * MOST_PAST_SELVES) < 0.6


def run(env, steps):
    seen = []
    for _ in range(steps):
        observations, rewards, ended, _ = env.step(lowest(env))
        seen.append((observations.copy(), rewards.copy(), ended.copy(), env.signs.copy()))
    return seen


def mixed(seed=5):
    table = GAME.table()
    env = SelfPlayVecEnv(GAME, table, LANES, seed, opponents=Shares(0.5, 0.5, 0.0))
    env.reset()
    env.add_snapshot(*policy_that_prefers(1))
    return env


def same(first, second):
    return all((a == b).all() for x, y in zip(first, second, strict=True) for a, b in zip(x, y, strict=True))


def test_the_same_seed_gives_the_same_games():
    assert same(run(mixed(), 25), run(mixed(), 25))
    assert not same(run(mixed(5), 25), run(mixed(6), 25))


def test_a_restored_environment_goes_on_bit_for_bit():
    env = mixed()
    run(env, 10)
    kept = env.state()
    expected = run(env, 25)
    other = SelfPlayVecEnv(GAME, GAME.table(), LANES, 5, opponents=Shares(0.5, 0.5, 0.0))
    assert (other.restore(kept) == other._batch.observations).all()
    assert same(run(other, 25), expected)


@pytest.mark.parametrize("name", ["tarot_duel", "tommy_walker", "wizard_in_training"])
def test_hand_written_players_answer_in_a_batch_as_one_by_one(name):
    """The one for all lanes and the one for each position agree wherever one action is the best."""
    game = load_game(name)
    table = game.table(None, decks=None if game.deck_rules is None else "random")
    player = heuristic_player(game, table)
    batch = Batch(game, table, 24)
    batch.reset(range(24))
    streams = np.zeros(1, [("rng", np.uint64)]).view(np.recarray)
    lanes = np.arange(0, 24, 2)
    compared = 0
    for _ in range(30):
        masks = batch.masks.copy()
        together, alone = player.answers(batch, lanes, streams), Agent.answers(player, batch, lanes, streams)
        assert masks[lanes, together].all()
        compared += int((together == alone).sum())
        batch.step(RandomAgent.answers(RandomAgent(game, table), batch, np.arange(24), streams))
    assert compared > 0.9 * 30 * len(lanes)
