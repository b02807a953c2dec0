"""What a seat knows in Wizard in Training (section 13 of RULES.md), held against an account that knows no tokens.

Small random scenes are played at random; at every position the hands that the rules admit for the other seat are
compared with the exact set of those that agree with everything the seat has seen. DUELBENCH_SCENES sets how many
(default 5 a kind).
"""

import os
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chisquare
from test_information import Rules, check_no_leak, check_no_trace, check_told, positions
from wizard_scenes import DUEL, GAME, play, scene
from wizard_worlds import (
    COMES_BACK,
    KINDS,
    LEAVES_HAND,
    TWINS,
    Watcher,
    cards_in,
    hand_of,
    lays_of_tokens,
    small_scene,
    worlds_drawn,
)

from duelbench.envs import dispatch
from duelbench.envs.wizard_in_training import state as layout
from duelbench.envs.wizard_in_training.state import EQUIPPING, HAND, PASS, POOL, WORN

SCENES = int(os.environ.get("DUELBENCH_SCENES", "5"))
IMPROBABLE = 1e-6
"""A p-value below it fails a test of frequencies; the seeds are fixed, so it fails always or never."""
HIDDEN = {"duel_commit": "hidden_equipment"}
OPTIONS = ({}, {"recycle": "every_redraw"}, {"recycle": "level_change"}, HIDDEN)
RELUCTANT = 0.3
"""How likely a seat passes, against any other action."""


def random_play(s, dice):
    actions = GAME.legal_actions(s.table, s.state)
    weights = np.array([RELUCTANT if action == PASS else 1.0 for action in actions])
    return int(dice.choice(actions, p=weights / weights.sum()))


def watched_games(words, rules, count, watcher_type=Watcher, most_actions=80):
    """(scene, watchers) at every position of `count` small games."""
    for seed in range(count):
        s = small_scene(words, seed, rules)
        watchers = [watcher_type(s, seat) for seat in range(2)]
        dice = np.random.default_rng(seed)
        for _ in range(most_actions):
            yield s, watchers
            if s.state.over:
                break
            dispatch.apply(s.table, s.state, random_play(s, dice))
            for watcher in watchers:
                watcher.watch(GAME.events(s.state))


def faults_of_hands(s, watcher):
    """How many hands are admitted that cannot be, and how many that can be are not; the truth must be among these."""
    assert hand_of(s.state, watcher.other) in watcher.hands, "the account has lost the truth"
    admitted = set(lays_of_tokens(s.state, watcher.other))
    return len(admitted - watcher.hands), len(watcher.hands - admitted)


# --- 13.3 to 13.7 What is possible ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rules", OPTIONS, ids=lambda rules: next(iter(rules.values()), "default"))
def test_exactly_the_possible_hands_are_admitted(kind, rules):
    for number, (s, watchers) in enumerate(watched_games(KINDS[kind], rules, SCENES)):
        for watcher in watchers:
            assert faults_of_hands(s, watcher) == (0, 0), (number, watcher.other)


@pytest.mark.parametrize("rules", OPTIONS, ids=lambda rules: next(iter(rules.values()), "default"))
def test_so_are_they_with_copies_of_an_item_of_which_nobody_knows_which_came_back(rules):
    for number, (s, watchers) in enumerate(watched_games(TWINS, rules, 4 * SCENES)):
        for watcher in watchers:
            assert faults_of_hands(s, watcher) == (0, 0), (number, watcher.other)


@pytest.mark.parametrize("overlooked", [*LEAVES_HAND, *COMES_BACK, "draws"])
def test_who_overlooks_something_is_found_out(overlooked):
    """Every kind of event matters, and comes up in the games above."""

    class Inattentive(Watcher):
        def see(self, kind, card):
            if kind != overlooked:
                super().see(kind, card)

    assert found_out(Inattentive)


def test_who_overlooks_that_items_must_be_placed_is_found_out():
    class Inattentive(Watcher):
        def keep(self):
            pass

    assert found_out(Inattentive)


def found_out(watcher_type):
    """Whether such an account comes to other hands, loses the truth, or has a card leave where it sees none."""
    games = (watched_games(words, {}, 15, watcher_type) for words in KINDS.values())
    try:
        return any(
            faults_of_hands(s, watcher) != (0, 0) for game in games for s, watchers in game for watcher in watchers
        )
    except AssertionError:
        return True


# --- 13.9 What is drawn ---------------------------------------------------------------------------------------


def check_equally_likely(drawn, weights):
    """`drawn` has no key but those of `weights`, and comes in proportion to them."""
    assert drawn.keys() <= weights.keys(), "drawn what is not possible"
    keys, total = sorted(weights), sum(weights.values())
    expected = np.array([weights[key] for key in keys]) * sum(drawn.values()) / total
    if len(keys) > 1:
        assert chisquare([drawn[key] for key in keys], expected).pvalue > IMPROBABLE, "the wrong frequencies"


@pytest.mark.rule("wizard_in_training", "13.9")
@pytest.mark.parametrize("kind", KINDS)
def test_every_way_to_lay_the_tokens_is_as_likely(kind):
    looked_at = 0
    for number, (s, watchers) in enumerate(watched_games(KINDS[kind], {}, SCENES)):
        if number % 5 == 0:
            for watcher in watchers:
                weights = lays_of_tokens(s.state, watcher.other)
                worlds = worlds_drawn(s, 1 - watcher.other, 20 * len(weights), first_seed=1000 * number)
                check_equally_likely(Counter(hand_of(world, watcher.other) for world in worlds), weights)
                looked_at += len(set(weights.values())) > 1
    assert looked_at > 0, "nowhere was one hand more likely than another"


@pytest.mark.rule("wizard_in_training", "13.9")
@pytest.mark.parametrize("seat", [0, 1])
def test_every_order_of_both_decks_is_as_likely(seat):
    """Three cards in either deck; those of the other's deck and hand are not known apart."""
    three = ["page", "wolf", "crown"]
    s = scene(active=seat, hand=(["hum"], ["squire"]), deck=(three, three), rest=(layout.DISCARD, layout.DISCARD))
    worlds = worlds_drawn(s, seat, 6000)
    own = Counter(deck_of(world, seat) for world in worlds)
    check_equally_likely(own, dict.fromkeys(permutations(deck_of(s.state, seat)), 1))
    lays = Counter(hand_of(world, 1 - seat) + deck_of(world, 1 - seat) for world in worlds)
    unseen = hand_of(s.state, 1 - seat) + deck_of(s.state, 1 - seat)
    check_equally_likely(lays, dict.fromkeys(permutations(unseen), 1))


def deck_of(state, seat):
    """The seat's deck from the top."""
    slots = state.deck[seat, : int(state.deck_size[seat])][::-1]
    return tuple(int(state.lists[seat, slot]) for slot in slots)


# --- 13.10 Lots that lie face down ----------------------------------------------------------------------------


def lots_shown(s, watcher):
    """Whether a lot lies face down before the observer."""
    return s.state.phase == EQUIPPING and s.state.lots[watcher.other] > 0


def test_exactly_the_possible_lots_are_drawn():
    looked_at = 0
    for number, (s, watchers) in enumerate(watched_games(KINDS["duels"], HIDDEN, 2 * SCENES)):
        for watcher in watchers:
            if lots_shown(s, watcher):
                possible = watcher.lots(s)
                assert cards_in(s.state, watcher.other, WORN) in possible, "the account has lost the truth"
                worlds = worlds_drawn(s, 1 - watcher.other, 20 * len(possible), first_seed=1000 * number)
                drawn = Counter(cards_in(world, watcher.other, WORN) for world in worlds)
                check_equally_likely(drawn, dict.fromkeys(possible, 1))
                looked_at += len(possible) > 1
    assert looked_at > 5


def test_a_lot_of_twins_is_as_likely_as_its_slots():
    """Of two ales and a broth one is taken: every one of the three as often."""
    s = scene(at=DUEL, pool=(["ale", "ale", "broth"], []), rules=HIDDEN)
    play(s, "main", "equip broth")
    ale, broth = s.numbers["ale"], s.numbers["broth"]
    drawn = Counter(cards_in(world, 0, WORN) for world in worlds_drawn(s, 1, 3000))
    check_equally_likely(drawn, {(ale,): 2, (broth,): 1})


class ShowsTheLot(Rules):
    """The observation has the number of an item that lies face down."""

    def observe(self, state, seat):
        view = super().observe(state, seat)
        view[0] += sum(cards_in(state, 1 - seat, WORN)) / 100
        return view


class TellsTheItem(Rules):
    """Who does not see which item is taken is told it."""

    def apply(self, state, action):
        before = state.lots.copy()
        super().apply(state, action)
        if (state.lots > before).any():
            state.told[state.told > 0] = action


class KeepsTheLot(Rules):
    """A determinization leaves the lot of the other as it is."""

    def determinize(self, state, observer, seed):
        phase, state.phase = int(state.phase), HAND
        super().determinize(state, observer, seed)
        state.phase = phase


@pytest.mark.rule("wizard_in_training", "13.10")
@pytest.mark.parametrize(
    ("planted", "check"), [(ShowsTheLot, check_no_leak), (TellsTheItem, check_told), (KeepsTheLot, check_no_trace)]
)
def test_a_lot_that_shows_is_caught(planted, check):
    """The shared checks pass for the rules as they are, and look at what lies face down."""

    def look_through(rules):
        looked_at = 0
        for number, state in enumerate(positions(Rules(GAME, HIDDEN), 3000)):
            if state.phase == EQUIPPING and (state.zone == POOL).any():
                looked_at += 1
                for observer in range(2):
                    check(rules, state, observer, number)
        assert looked_at > 50

    look_through(Rules(GAME, HIDDEN))
    with pytest.raises(AssertionError):
        look_through(planted(GAME, HIDDEN))
