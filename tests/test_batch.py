"""The batch engine plays the games that the engine plays one by one, in every lane and with any number of threads."""

import copy

import numpy as np
import pytest
from conftest import deck_choices

from duelbench.envs import batch as batch_module
from duelbench.envs.batch import Batch, lane_seed, random_actions
from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.rng import new_stream

SEEDS = np.array([0, 1, 2, 77, 2**64 - 1], np.uint64)


def dealt(game, **settings):
    """Five lanes, dealt from SEEDS."""
    batch = Batch(game, None, len(SEEDS), **settings)
    batch.reset(SEEDS)
    return batch


def random_steps(batch, steps, seed=4):
    """Random play; yields the actions before each step is taken."""
    dice, actions = new_stream(seed), np.zeros(batch.count, np.int64)
    for _ in range(steps):
        random_actions(dice, batch.masks, actions)
        yield actions
        batch.step(actions)


def everything(batch):
    """All that is known about a batch, as bytes."""
    records = [array[name].tobytes() for array in (batch._lanes, batch.states) for name in array.dtype.names]
    return [*records, batch.observations.tobytes(), batch.masks.tobytes()]


def steps_to_end_games(batch, games):
    """Play at random until every lane has ended so many games; returns all actions, int64[steps, lanes]."""
    taken = []
    for actions in random_steps(batch, 10**6):
        if batch.games_ended.min() >= games:
            return np.array(taken)
        taken.append(actions.copy())
    raise AssertionError("games without an end")


def splitmix64(state, k):
    """The k-th number of the published generator, in Python's whole numbers."""
    bits = (state + k * 0x9E3779B97F4A7C15) % 2**64
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB % 2**64
    return bits ^ bits >> 31


def test_the_seeds_of_a_lane():
    own = 0x6C616E652D736565
    for first in (0, 1, 2**63, 2**64 - 1, np.uint64(2**64 - 1)):
        assert lane_seed(first, 0) == first
        assert [lane_seed(first, k) for k in range(1, 5)] == [splitmix64(int(first) ^ own, k) for k in range(1, 5)]


def test_finished_games_are_followed_by_the_next_seeds(game):
    batch = dealt(game)
    assert batch.deal_seeds.tolist() == SEEDS.tolist()
    for actions in random_steps(batch, 10**6):
        for first, ended, seed in zip(SEEDS, batch.games_ended, batch.deal_seeds, strict=True):
            assert seed == lane_seed(first, int(ended))
        if batch.games_ended.min() >= 3:
            break
        assert actions.shape == SEEDS.shape


class Single:
    """One lane played by the game's own careful functions."""

    def __init__(self, game, first, decks=None):
        self.game, self.table, self.first, self.ended = game, game.table(decks=decks), first, 0
        self.state = game.dealt(self.table, first)
        self.result = (0, -1, 0, [0.0, 0.0])

    def play(self, action):
        self.game.play(self.table, self.state, action)
        self.result = (0, -1, 0, [0.0, 0.0])
        if self.state.over:
            winner = int(self.state.winner)
            rewards = [0.0, 0.0] if winner < 0 else [1.0 - 2 * winner, 2.0 * winner - 1]
            self.result = (1, winner, int(self.state.reason), rewards)
            self.ended += 1
            self.state = self.game.dealt(self.table, lane_seed(self.first, self.ended))

    def seen(self):
        seat = int(self.state.to_act)
        return seat, self.game.mask(self.table, self.state), self.game.observation(self.table, self.state, seat)


def assert_same(batch, lane, single):
    seat, mask, observation = single.seen()
    assert batch.to_act[lane] == seat
    np.testing.assert_array_equal(batch.masks[lane], mask)
    np.testing.assert_array_equal(batch.observations[lane], observation)
    results = (batch.finished, batch.winners, batch.reasons)
    assert (*(int(array[lane]) for array in results), batch.rewards[lane].tolist()) == single.result
    assert batch.states[lane].tobytes() == single.state.tobytes()


def test_plays_the_same_games_as_the_engine(game):
    for decks in deck_choices(game):
        batch = dealt(game, decks=decks)
        singles = [Single(game, int(seed), decks) for seed in SEEDS]
        for actions in random_steps(batch, 10**6):
            for lane, single in enumerate(singles):
                assert_same(batch, lane, single)
                single.play(int(actions[lane]))
            if min(single.ended for single in singles) > 2:
                break


def test_plays_under_the_rules_it_is_given(game):
    rules = {option.name: next(v for v in option.values if v != option.default) for option in game.options}
    by_rules, by_table = Batch(game, rules, 5), Batch(game, game.table(rules), 5)
    for batch in (by_rules, by_table):
        batch.reset(SEEDS)
        for _ in random_steps(batch, 30):
            pass
    assert everything(by_rules) == everything(by_table)
    assert by_rules._tables[0].tobytes() == game.table(rules).tobytes()


@pytest.mark.parametrize("threads", [2, 3, 5, 64])
def test_threads_change_nothing(game, threads):
    alone, together = dealt(game), dealt(game, threads=threads)
    for batch in (alone, together):
        for _ in random_steps(batch, 40):
            pass
    assert everything(alone) == everything(together)
    together.close()
    for batch in (alone, together):
        for _ in random_steps(batch, 3):
            pass
    assert everything(alone) == everything(together)
    together.close()


def test_a_lane_does_not_depend_on_the_others(game):
    batch = dealt(game)
    actions = steps_to_end_games(batch, 2)
    alone = Batch(game, None, 1)
    alone.reset(SEEDS[3:4])
    for row in actions:
        alone.step(row[3:4])
    np.testing.assert_array_equal(alone.observations[0], batch.observations[3])
    np.testing.assert_array_equal(alone.masks[0], batch.masks[3])
    assert alone.deal_seeds[0] == batch.deal_seeds[3]


def test_masks_are_never_empty(game):
    batch = dealt(game)
    for _ in random_steps(batch, 3000):
        assert batch.masks.any(axis=1).all()
        if batch.games_ended.min() > 0:
            return
    pytest.fail("a lane has not ended a game")


def test_rewards_are_zero_sum_and_only_where_a_game_ended(game):
    batch, results = dealt(game), set()
    for _ in random_steps(batch, 400):
        assert (batch.rewards.sum(axis=1) == 0).all()
        assert not batch.rewards[batch.finished == 0].any()
        assert (batch.winners[batch.finished == 0] == -1).all()
        decided = batch.winners >= 0
        assert (batch.rewards[decided, batch.winners[decided]] == 1).all()
        assert not batch.rewards[~decided].any()
        results.update(batch.winners[batch.finished == 1].tolist())
    assert {0, 1} <= results


@pytest.mark.parametrize("lane", [0, 3, 4])
def test_an_illegal_action_is_refused_and_no_lane_changes(game, lane):
    batch = dealt(game, threads=2)
    for _ in random_steps(batch, 3):
        pass
    legal = batch.masks.argmax(axis=1)
    before = everything(batch)
    forbidden = [int(action) for action in np.flatnonzero(batch.masks[lane] == 0)]
    for wrong in [*forbidden, -1, game.num_actions, 2**62, -(2**63)]:
        actions = legal.copy()
        actions[lane] = wrong
        with pytest.raises(IllegalAction, match=rf"player_{batch.to_act[lane]} .*lane {lane}\)"):
            batch.step(actions)
        assert everything(batch) == before
    batch.step(legal)


def test_the_first_of_several_illegal_actions_is_named(game):
    batch = dealt(game)
    actions = batch.masks.argmax(axis=1)
    actions[[2, 4]] = -1
    with pytest.raises(IllegalAction, match="lane 2"):
        batch.step(actions)


@pytest.mark.parametrize(
    "wrong",
    [[0.0] * 5, [True] * 5, [None] * 5, ["0"] * 5, [0] * 4, [[0] * 5], 0, None, [2**70] * 5],
    ids=repr,
)
def test_anything_but_one_whole_number_a_lane_is_refused(game, wrong):
    batch = dealt(game)
    before = everything(batch)
    with pytest.raises(BadInput, match="5 whole numbers"):
        batch.step(wrong)
    assert everything(batch) == before


@pytest.mark.parametrize("kind", [list, np.int8, np.uint8, np.int32, np.uint64])
def test_actions_of_every_whole_kind_are_taken(game, kind):
    batch, reference = dealt(game), dealt(game)
    actions = batch.masks.argmax(axis=1)
    batch.step(actions.tolist() if kind is list else actions.astype(kind))
    reference.step(actions)
    assert everything(batch) == everything(reference)


def test_trusted_batches_play_the_same_and_do_not_check(game, monkeypatch):
    careful, trusted = dealt(game), dealt(game, trusted=True)
    actions = steps_to_end_games(careful, 1)
    monkeypatch.setattr(batch_module, "_first_refused", None)
    for row in actions:
        trusted.step(row)
    assert everything(trusted) == everything(careful)


def test_without_observations_the_games_are_the_same(game):
    blind, seeing = dealt(game, observe=False), dealt(game)
    for batch in (blind, seeing):
        for _ in random_steps(batch, 30):
            pass
    assert blind.observations.shape == (0, game.view_size)
    np.testing.assert_array_equal(blind.masks, seeing.masks)
    assert blind._lanes.tobytes() == seeing._lanes.tobytes()
    assert blind.states.tobytes() == seeing.states.tobytes()


def test_some_lanes_can_be_dealt_anew(game):
    batch = dealt(game)
    for _ in random_steps(batch, 5):
        pass
    kept = [batch.observations[lane].tobytes() for lane in (0, 2, 4)]
    ended = batch.games_ended.copy()
    batch.reset([10, 2**63], lanes=[3, 1])
    assert [batch.observations[lane].tobytes() for lane in (0, 2, 4)] == kept
    assert batch.games_ended.tolist() == [ended[0], 0, ended[2], 0, ended[4]]
    for lane, seed in ((3, 10), (1, 2**63)):
        assert_same(batch, lane, Single(game, seed))
    before = everything(batch)
    batch.reset([], lanes=[])
    assert everything(batch) == before


def test_a_reset_forgets_what_was(game):
    batch = dealt(game)
    steps_to_end_games(batch, 1)
    batch.reset(SEEDS)
    assert everything(batch) == everything(dealt(game))


def test_arrays_have_the_documented_shapes(game):
    batch = dealt(game)
    expected = {
        "observations": (np.float32, (5, game.view_size)),
        "masks": (np.int8, (5, game.num_actions)),
        "to_act": (np.int8, (5,)),
        "finished": (np.int8, (5,)),
        "winners": (np.int8, (5,)),
        "reasons": (np.int8, (5,)),
        "rewards": (np.float32, (5, 2)),
        "deal_seeds": (np.uint64, (5,)),
        "games_ended": (np.int64, (5,)),
    }
    for name, (kind, shape) in expected.items():
        assert (getattr(batch, name).dtype, getattr(batch, name).shape) == (kind, shape)
    with pytest.raises(ValueError, match="read-only"):
        batch.masks[0, 0] = 1


def test_a_copied_batch_goes_its_own_way(game):
    batch = dealt(game)
    twin = copy.deepcopy(batch, {id(game): game})
    for _ in random_steps(twin, 20):
        pass
    assert everything(batch) == everything(dealt(game))
    for _ in random_steps(batch, 20):
        pass
    assert everything(batch) == everything(twin)


def test_a_batch_that_has_used_its_threads_can_be_pickled(shipped_game):
    batch = Batch(shipped_game, None, 4, threads=2)
    batch.reset(np.arange(4, dtype=np.uint64))
    for _ in random_steps(batch, 3):
        pass
    contents = batch.__getstate__()
    assert contents["_pool"] is None
    twin = Batch.__new__(Batch)
    twin.__setstate__(copy.deepcopy(contents, {id(shipped_game): shipped_game}))
    assert everything(twin) == everything(batch)


@pytest.mark.parametrize("table", ["abc", 3, np.zeros(1), np.zeros(1, [("x", np.int8)])[0]], ids=repr)
def test_what_is_no_table_is_refused(game, table):
    with pytest.raises(BadInput, match="expected a mapping from rule options"):
        Batch(game, table, 4)


@pytest.mark.parametrize("seeds", [[-1] * 5, [2**64] * 5, [0.5] * 5, [1] * 4, 1, ["1"] * 5, [True] * 5], ids=repr)
def test_unusable_seeds_are_refused(game, seeds):
    batch = dealt(game)
    before = everything(batch)
    with pytest.raises(BadInput, match="reset: "):
        batch.reset(seeds)
    assert everything(batch) == before


@pytest.mark.parametrize("lanes", [[-1, 0], [0, 5], [1, 1], [0.0, 1.0], 3, [[0, 1]], [True, False]], ids=repr)
def test_unusable_lanes_are_refused(game, lanes):
    batch = dealt(game)
    before = everything(batch)
    with pytest.raises(BadInput, match="lanes are distinct whole numbers from 0 to 4"):
        batch.reset([1, 2], lanes=lanes)
    assert everything(batch) == before


def test_reset_comes_first(game):
    batch = Batch(game, None, 3)
    with pytest.raises(BadInput, match=r"reset\(\) first"):
        batch.step([0, 0, 0])
    with pytest.raises(BadInput, match="all lanes"):
        batch.reset([1], lanes=[0])


@pytest.mark.parametrize("number", [0, -1, 1.0, True, None, "2"])
def test_counts_are_whole_numbers_from_one(game, number):
    with pytest.raises(BadInput, match="count"):
        Batch(game, None, number)
    with pytest.raises(BadInput, match="threads"):
        Batch(game, None, 2, threads=number)
