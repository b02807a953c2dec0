"""What a seat cannot know stays hidden, in every game: no leak, no trace of the truth, and nothing impossible.

Every check is a function of a `Rules`, so that rules with a planted leak can be put to it; the last part of this
file does that. What must be known of each game stands in `hidden_parts`. DUELBENCH_POSITIONS sets how many random
positions are examined (default 1,500 for each game).
"""

import itertools
import os
from collections import Counter

import highcard
import numpy as np
import pytest
import random_games
from conftest import ALL_GAMES, game_called
from hidden_parts import ONE_AFTER_THE_OTHER, PARTS, variants
from random_games import FAULTS, NUM_FIGURES, play_on
from scipy.stats import chisquare

from duelbench.envs import dispatch

POSITIONS = int(os.environ.get("DUELBENCH_POSITIONS", "1500"))
IMPROBABLE = 1e-6
"""A p-value below it fails a test of frequencies; the seeds are fixed, so it fails always or never."""


class Rules:
    """The rules of one game with one setting of its options and decks, as the checks use them."""

    def __init__(self, game, rules=None, decks=None):
        self.game = game
        self.parts = PARTS[game.name]
        self.table = game.table(rules, decks=decks)

    def observe(self, state, seat):
        return self.game.observation(self.table, state, seat)

    def legal(self, state):
        return self.game.mask(self.table, state)

    def determinize(self, state, observer, seed):
        dispatch.determinize(self.table, state, observer, np.uint64(seed))

    def apply(self, state, action):
        dispatch.apply(self.table, state, action)

    def world(self, state, observer, seed):
        """A copy of the state, determinized."""
        copy = copied(self.game, state)
        self.determinize(copy, observer, seed)
        return copy


def copied(game, state):
    states = game.new_states(1)
    states[0] = state
    return states[0]


def positions(rules, count):
    """`count` positions of random games, every decision and every end; each is good until the next is drawn."""
    game, table, dice = rules.game, rules.table, np.random.default_rng(count)
    for seed in itertools.count(1000):
        state = game.dealt(table, seed)
        while True:
            yield state
            count -= 1
            if count == 0:
                return
            if state.over:
                break
            dispatch.apply(table, state, int(dice.choice(game.legal_actions(table, state))))


def visible(rules, state, observer):
    """What the people at the table can see: the public places, the sizes of the others, and the observer's hand."""
    zones = rules.game.zones(state)
    return {name: zones[name] for name in rules.parts.public} | rules.parts.seen(zones, observer)


# --- The checks: each raises AssertionError where the rules are wrong -----------------------------------------


def check_no_leak(rules, state, observer, seed):
    """What the observer sees depends on nothing that he cannot know."""
    world = rules.world(state, observer, seed)
    assert rules.observe(world, observer).tobytes() == rules.observe(state, observer).tobytes(), (
        "the observation changed"
    )
    if seed % 10 == 0:  # the words of a state take a hundred times as long as all the rest
        assert visible(rules, world, observer) == visible(rules, state, observer), "something visible changed"
    assert (world.to_act, world.over) == (state.to_act, state.over), "the seat to act changed"
    if observer == state.to_act:
        assert rules.legal(world).tobytes() == rules.legal(state).tobytes(), "the mask changed"


def check_no_trace(rules, state, observer, seed):
    """A determinization holds nothing of the state it was made from, so equal information gives equal results."""
    expected = rules.world(state, observer, seed).tobytes()
    assert rules.world(rules.world(state, observer, seed + 1), observer, seed).tobytes() == expected, (
        "a trace of the truth"
    )
    another = disguised(rules, state, observer, seed)
    assert rules.world(another, observer, seed).tobytes() == expected, "a trace of the truth"


def disguised(rules, state, observer, seed):
    """Another state that looks the same to the observer: hidden cards, dice and past events are all different."""
    another = copied(rules.game, state)
    dispatch.determinize(rules.table, another, observer, np.uint64(seed + 2))
    another.rng = state.rng + np.uint64(1)
    another.n_events = 1
    another.events[0].card = 1 + seed % 5
    return another


def check_played_on(rules, state, observer, seed):
    """A determinized state is sound and plays to a sound end."""
    world = rules.world(state, observer, seed)
    found = random_games.fault(rules.table, world)
    assert found == 0, FAULTS[found]
    figures, mask = np.zeros(NUM_FIGURES, np.int64), np.zeros(rules.game.num_actions, np.int8)
    found = play_on(rules.table, world, random_games.new_stream(seed), mask, figures, 1000)
    assert found == 0, FAULTS[found]


def check_more_worlds(rules, state, observer):
    """Where a card of the other hand is mixed with one of the deck, more than one world is drawn."""
    if rules.parts.mixed(state, observer):
        worlds = {rules.parts.key(rules.world(state, observer, seed)) for seed in range(100)}
        assert len(worlds) > 1, "the same world every time"


def check_frequencies(rules, state, observer, expected, draws=4000):
    """Determinizations have the expected distribution: a mapping of the key of a world to its probability."""
    drawn = Counter(rules.parts.key(rules.world(state, observer, seed)) for seed in range(draws))
    assert drawn.keys() <= expected.keys(), "a world that cannot be"
    assert drawn.keys() == expected.keys(), "a possible world that never comes up"
    counts = [drawn[key] for key in expected]
    assert chisquare(counts, draws * np.array(list(expected.values()))).pvalue > IMPROBABLE, "the wrong frequencies"


def check_told(rules, state, observer, seed):
    """The observer is told no more of the other seat's action than he sees: what looks alike is told alike."""
    told = {}
    for before, action in told_apart(rules, state, observer, seed):
        after = copied(rules.game, before)
        rules.apply(after, action)
        seen = [event for event in rules.game.events(after) if event["seen_by"] & (1 << observer)]
        sight = rules.observe(after, observer).tobytes() + b"".join(event.tobytes() for event in seen)
        assert told.setdefault(sight, after.told[observer]) == after.told[observer], "told what he does not see"


def told_apart(rules, state, observer, seed):
    """(state, action): all the other may do, or one action of the observer's own in several worlds."""
    actions = [int(action) for action in np.flatnonzero(rules.legal(state))]
    if observer != state.to_act:
        return [(state, action) for action in actions]
    own = actions[seed % len(actions) :][:1] if actions else []
    return [(rules.world(state, observer, seed + i), action) for action in own for i in range(6)]


def check_rewind(rules, state, observer, seed):
    """What is taken back can be chosen again, and then nothing has changed; a second time changes nothing more."""
    before, choices = copied(rules.game, state), rules.parts.choices(state)
    dispatch.rewind(rules.table, before)
    assert (before.tobytes() != state.tobytes()) == bool(choices), "not taken back what it should, or without need"
    if not choices:
        return
    assert before.to_act == 1 - state.to_act, "the wrong seat chooses again"
    twice = copied(rules.game, before)
    dispatch.rewind(rules.table, twice)
    assert twice.tobytes() == before.tobytes(), "taken back twice"
    for choice in choices:
        assert rules.legal(before)[choice], "what was chosen may not be chosen again"
        rules.apply(before, choice)
    assert without_events(rules, before) == without_events(rules, state), "more was taken back than the choice"


def without_events(rules, state):
    """The bytes of the state but for what the last action caused, which need not be the last of the choices."""
    copy = copied(rules.game, state)
    copy.n_events = 0
    copy.events[:] = np.zeros(1, copy.events.dtype)
    return copy.tobytes()


CHECKS = (check_no_leak, check_no_trace, check_played_on, check_told, check_rewind)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_random_positions(game, check):
    for setting, decks in variants(game):
        rules = Rules(game, setting, decks)
        for number, state in enumerate(positions(rules, POSITIONS // len(variants(game)))):
            for observer in range(2):
                check(rules, state, observer, number)


# --- Nothing is known that should not be ----------------------------------------------------------------------


@pytest.mark.parametrize("number", range(0, 36, 3))
def test_more_than_one_world_is_drawn(game, number):
    rules = Rules(game)
    state = next(itertools.islice(positions(rules, 40), number, None))
    for observer in range(2):
        check_more_worlds(rules, state, observer)


def test_the_dice_are_redrawn(game):
    """The same action in two determinizations meets different chance."""
    rules = Rules(game)
    state = next(positions(rules, 1))
    assert len({int(rules.world(state, 0, seed).rng) for seed in range(20)}) == 20
    assert int(state.rng) not in {int(rules.world(state, 0, seed).rng) for seed in range(20)}


def test_nothing_that_happened_is_kept(game):
    """Events tell hidden cards, so a determinized state has none."""
    rules = Rules(game)
    for state in positions(rules, 100):
        for observer in range(2):
            assert rules.world(state, observer, 1).n_events == 0


def highcard_worlds(state, observer):
    """Every lay of the cards that the observer holds possible, with its probability, by enumeration."""
    zone = np.array(state.highcard_zone)
    other = highcard.IN_HAND + 1 - observer
    unknown = [card for card in range(highcard.CARDS) if zone[card] in (highcard.STOCK, other)]
    held = int((zone == other).sum())
    worlds = []
    for hand in itertools.combinations(unknown, held):
        zone[unknown] = [other if card in hand else highcard.STOCK for card in unknown]
        set_by_other = observer == 1 and state.face_down != highcard.NOTHING_SET
        worlds += [(tuple(zone), int(card)) for card in (hand if set_by_other else [state.face_down])]
    return {world: 1 / len(worlds) for world in worlds}


@pytest.mark.parametrize("decisions", range(6))
@pytest.mark.parametrize("observer", [0, 1])
def test_highcard_worlds_have_their_exact_frequencies(decisions, observer):
    state = next(itertools.islice(positions(Rules(highcard.GAME), 6), decisions, None))
    check_frequencies(Rules(highcard.GAME), state, observer, highcard_worlds(state, observer))


# --- What is visible is seen ----------------------------------------------------------------------------------


def piece(game, name):
    """The slice of an observation that a named piece fills."""
    dtype, offset = game.view_dtype.fields[name][:2]
    return slice(offset // 4, (offset + dtype.itemsize) // 4)


def test_no_piece_of_an_observation_is_dead(game):
    """Over random positions every piece takes more than one value, for either seat."""
    for seat in range(2):
        seen = np.array([
            rules.observe(state, seat)
            for rules in (Rules(game, *variant) for variant in variants(game))
            for state in positions(rules, 3000)
        ])  # fmt: skip
        assert np.isfinite(seen).all()
        varies = seen.min(axis=0) < seen.max(axis=0)
        rare, one_sided = PARTS[game.name].rare_pieces, PARTS[game.name].one_sided
        for name in game.view_dtype.names:
            if name not in rare:
                assert varies[piece(game, name)].any() == (one_sided.get(name, seat) == seat), (name, seat)


# --- Planted leaks are caught ---------------------------------------------------------------------------------


class SeesAHiddenCard(Rules):
    def observe(self, state, seat):
        view = super().observe(state, seat)
        card = self.parts.unknown_card(state, seat)
        view[0] += 0 if card is None else 0.001 * card
        return view


class SeesTheDice(Rules):
    def observe(self, state, seat):
        return super().observe(state, seat) + np.float32(state.rng % 7)


class SeesTheSetCard(Rules):
    def observe(self, state, seat):
        return super().observe(state, seat) + np.float32(sum(self.parts.choices(state)) if seat == 1 else 0)


class TellsTheSetCard(Rules):
    def apply(self, state, action):
        super().apply(state, action)
        if self.parts.choices(state)[-1:] == [action]:
            state.told[1] = action


class MaskTellsAHiddenCard(Rules):
    def legal(self, state):
        mask = super().legal(state)
        card = self.parts.unknown_card(state, state.to_act)
        if card is not None:
            mask[card] = 1
        return mask


class KeepsTheTruth(Rules):
    def determinize(self, state, observer, seed):
        state.rng = seed


class KeepsTheDice(Rules):
    def determinize(self, state, observer, seed):
        rng = state.rng
        super().determinize(state, observer, seed)
        state.rng = rng


class KeepsTheEvents(Rules):
    def determinize(self, state, observer, seed):
        events = state.events.copy()
        super().determinize(state, observer, seed)
        state.events[:] = events


class StartsFromTheTruth(Rules):
    """Redraws with a seed that the true state has a part in."""

    def determinize(self, state, observer, seed):
        super().determinize(state, observer, seed + 1000 * (self.parts.unknown_card(state, observer) or 0))


class KeepsTheSetCard(Rules):
    def determinize(self, state, observer, seed):
        true = copied(self.game, state)
        super().determinize(state, observer, seed)
        self.parts.put_choice(state, true)


class TellsTheTruthTooOften(Rules):
    """Every tenth world is the true one."""

    def determinize(self, state, observer, seed):
        if seed % 10 == 0:
            state.rng = seed
        else:
            super().determinize(state, observer, seed)


class RedrawsForTheWrongSeat(Rules):
    def determinize(self, state, observer, seed):
        super().determinize(state, 1 - observer, seed)


class MovesAnOwnCard(Rules):
    def determinize(self, state, observer, seed):
        super().determinize(state, observer, seed)
        self.parts.move_own_card(state, observer)


PLANTED = (
    (SeesAHiddenCard, check_no_leak),
    (SeesTheDice, check_no_leak),
    (SeesTheSetCard, check_no_leak),
    (TellsTheSetCard, check_told),
    (MaskTellsAHiddenCard, check_no_leak),
    (RedrawsForTheWrongSeat, check_no_leak),
    (MovesAnOwnCard, check_no_leak),
    (KeepsTheTruth, check_no_trace),
    (KeepsTheTruth, check_more_worlds),
    (KeepsTheDice, check_no_trace),
    (KeepsTheEvents, check_no_trace),
    (StartsFromTheTruth, check_no_trace),
    (KeepsTheSetCard, check_played_on),
    (MovesAnOwnCard, check_played_on),
)


IN_CHOICES = (SeesTheSetCard, TellsTheSetCard, KeepsTheSetCard)
"""Leaks that only a game with choices made at the same time can have."""
PLANTED_IN = [
    (name, planted, check)
    for name in ALL_GAMES
    for planted, check in PLANTED
    if not (planted in IN_CHOICES and name in ONE_AFTER_THE_OTHER)
]


@pytest.mark.parametrize(("name", "planted", "check"), PLANTED_IN)
def test_a_planted_leak_is_caught(name, planted, check):
    game = game_called(name)

    def look_through():
        for number, state in enumerate(positions(Rules(game), 60)):
            for observer in range(2):
                arguments = (state, observer) if check is check_more_worlds else (state, observer, number)
                check(planted(game), *arguments)

    with pytest.raises(AssertionError):
        look_through()


@pytest.mark.parametrize("planted", [KeepsTheTruth, TellsTheTruthTooOften, KeepsTheSetCard])
def test_planted_frequencies_are_caught(planted):
    state = next(itertools.islice(positions(Rules(highcard.GAME), 6), 1, None))
    with pytest.raises(AssertionError):
        check_frequencies(planted(highcard.GAME), state, 1, highcard_worlds(state, 1))


def test_every_game_has_its_checks():
    assert set(ALL_GAMES) == set(PARTS)
    for name in PARTS:
        game = game_called(name)
        assert random_games.fault(game.table(), game.dealt(game.table(), 0)) == 0
