"""What a seat knows in Tommy Walker TGC (section 9 of RULES.md), held against an account that knows no tokens.

Small random scenes are played at random; at every position the lays that `determinize` draws are compared with the
exact set of those that agree with everything the seat has seen. DUELBENCH_SCENES sets how many (default 60 a kind).
"""

import itertools
import os
from collections import Counter

import numpy as np
import pytest
from random_games import FAULTS, fault
from scipy.stats import chisquare
from tommy_scenes import GAME, Scene, card, play, scene
from tommy_worlds import Watcher, deck_of, progress_fault, world_of, worlds_drawn

from duelbench.envs import dispatch
from duelbench.envs.tommy_walker.state import COPY, DECLINE, DRAW, END, ENTRY, EVENT_IDS, PUT_BACK, RETURNING

SCENES = int(os.environ.get("DUELBENCH_SCENES", "60"))
MOST_WORLDS = 1000
"""Up to so many lays all of them must come up; of more, those that do are looked at."""
IMPROBABLE = 1e-6

# Cards from which the small decks are made, by what they bring about.
KINDS = {
    "fetch": "jack_maxim algora hanks german_shark",
    "put back": "hanks hanks algora silver_rain lovelinstar",
    "copy": "renjo himeko hanks hanks jack_maxim",
    "take back": "calist calist hanks german_shark",
    "pay": "amina demonoid reiji hanks calist",
    "misplay": "german_shark lovelinstar hanks algora calist",
}
BOTTOM = {"hanks_returns_to": "bottom"}
LATE = {"deckout_check": "end_of_round"}


def small_scene(kind, seed, rules):
    """Hands, decks, discards, perhaps a barrier and attack stacks, all of few cards; and the hands' seen cards."""
    dice = np.random.default_rng([seed, len(kind)])
    words = KINDS[kind].split()

    def some(fewest, most):
        return [str(name) for name in dice.choice(words, dice.integers(fewest, most + 1))]

    hands, decks, discards = ((some(0, 3), some(0, 3)), (some(2, 5), some(2, 5)), (some(0, 3), some(0, 3)))
    known = tuple(hand[: dice.integers(0, len(hand) + 1)] for hand in hands)
    barrier = (str(dice.choice(["renjo", "himeko", "araki"])), int(dice.integers(2))) if dice.random() < 0.5 else None
    attack = (some(1, 2), some(1, 2)) if dice.random() < 0.4 else None
    table = GAME.table(rules)
    table.cards["stars"] = dice.integers(2)  # games of few cards last longer with little damage
    return scene(hands, decks, discards, attack, barrier, known, table=table), known


RELUCTANT = {DRAW: 0.15, END: 0.3, DECLINE: 0.1}


def random_play(s, dice):
    """A legal action: often one that does something."""
    legal = GAME.legal_actions(s.table, s.state)
    weights = np.array([RELUCTANT.get(action, 1.0) for action in legal])
    return int(dice.choice(legal, p=weights / weights.sum()))


def watched_games(kind, rules, count, most_actions=60):
    """(scene, watchers) at every position of `count` small games."""
    for seed in range(count):
        s, known = small_scene(kind, seed, rules)
        watchers = [Watcher(s, seat, map(card, known[1 - seat])) for seat in range(2)]
        dice = np.random.default_rng(seed)
        for _ in range(most_actions):
            yield s, watchers
            if s.state.over:
                break
            dispatch.apply(s.table, s.state, random_play(s, dice))
            for watcher in watchers:
                watcher.watch(GAME.events(s.state))


def check_worlds(s, watcher, seed):
    """How many lays are drawn that cannot be, and how many that can be are not; the truth must be among the latter."""
    observer, other = watcher.observer, watcher.other
    assert world_of(s.state, other) in watcher.worlds, "the account has lost the truth"
    assert deck_of(s.state, observer) in watcher.own_decks, "the account has lost the truth"
    few = len(watcher.worlds) <= MOST_WORLDS and len(watcher.own_decks) <= MOST_WORLDS
    lays, own_decks = set(), set()
    for batch in range(100):
        for state in worlds_drawn(s, observer, 1000 * seed + 10**6 * batch, 1000):
            lays.add(world_of(state, other))
            own_decks.add(deck_of(state, observer))
            wrong = progress_fault(s, state, other)
            assert wrong is None, wrong
        if not few or (lays >= watcher.worlds and own_decks >= watcher.own_decks):
            break
    assert own_decks <= watcher.own_decks, "an own deck that cannot be"
    if few:
        assert own_decks == watcher.own_decks, "an own deck that never comes up"
    return len(lays - watcher.worlds), len(watcher.worlds - lays) if few else 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rules", [{}, LATE, {"permit_misplay": False}], ids=["default", "late", "no misplays"])
def test_exactly_the_possible_lays_are_drawn(kind, rules):
    for number, (s, watchers) in enumerate(watched_games(kind, rules, SCENES)):
        for watcher in watchers:
            impossible, missing = check_worlds(s, watcher, number)
            assert impossible == 0, (impossible, number, watcher.observer)
            assert missing == 0, (missing, number, watcher.observer)
