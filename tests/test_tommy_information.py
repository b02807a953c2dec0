"""What a seat knows in Tommy Walker TGC (section 9 of RULES.md), held against an account that knows no tokens.

Small random scenes are played at random; at every position the lays that `determinize` draws are compared with the
exact set of those that agree with everything the seat has seen. DUELBENCH_SCENES sets how many (default 5 a kind).
"""

import os
from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.stats import chisquare
from tommy_scenes import GAME, card, play, scene
from tommy_worlds import ENTERS_HAND, LEAVES_HAND, Watcher, deck_of, progress_fault, world_of, worlds_drawn

from duelbench.envs import dispatch
from duelbench.envs.tommy_walker.state import DECLINE, DRAW, END

SCENES = int(os.environ.get("DUELBENCH_SCENES", "5"))
MORE_SCENES = max(SCENES, 15)
"""How many where fewer could miss what is looked for."""
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


def watched_games(kind, rules, count, watcher_type=Watcher, most_actions=60):
    """(scene, watchers) at every position of `count` small games."""
    for seed in range(count):
        s, known = small_scene(kind, seed, rules)
        watchers = [watcher_type(s, seat, map(card, known[1 - seat])) for seat in range(2)]
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
    lays, own_decks, draws = set(), set(), 100 + 5 * min(len(watcher.worlds), MOST_WORLDS)
    for batch in range(100):
        for state in worlds_drawn(s, observer, 10**5 * (100 * seed + batch), draws):
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


# --- Small games at random ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rules", [{}, LATE, {"permit_misplay": False}], ids=["default", "late", "no misplays"])
def test_exactly_the_possible_lays_are_drawn(kind, rules):
    for number, (s, watchers) in enumerate(watched_games(kind, rules, SCENES)):
        for watcher in watchers:
            impossible, missing = check_worlds(s, watcher, number)
            assert (impossible, missing) == (0, 0), (number, watcher.observer)


@pytest.mark.parametrize("kind", KINDS)
def test_under_the_deck_every_possible_lay_is_drawn_and_seldom_another(kind):
    """With cards put under the deck it is not always kept which of two lay deeper, so a few more lays are admitted."""
    positions = with_others = 0
    for number, (s, watchers) in enumerate(watched_games(kind, BOTTOM, MORE_SCENES)):
        for watcher in watchers:
            impossible, missing = check_worlds(s, watcher, number)
            assert missing == 0, (number, watcher.observer)
            positions += 1
            with_others += impossible > 0
    assert with_others < positions / 10


OVERLOOKED = (*LEAVES_HAND, *ENTERS_HAND, "drew", "misplays", "announces", "loses_card", "puts_back")
LIKELY_IN = {
    "takes_back": "take back",
    "announces": "pay",
    "discards": "pay",
    "misplays": "misplay",
    "lays_barrier": "copy",
}
"""Kinds of scenes to look at first."""


@pytest.mark.parametrize("overlooked", OVERLOOKED)
def test_who_overlooks_something_is_found_out(overlooked):
    """Every kind of event matters, and comes up in the games above."""

    class Inattentive(Watcher):
        def see_other(self, kind, card, value):
            if kind != overlooked:
                super().see_other(kind, card, value)

    def differs(s, watcher, number):
        try:
            return check_worlds(s, watcher, number) != (0, 0)
        except AssertionError:
            return True

    assert any(
        differs(s, watcher, number)
        for kind in sorted(KINDS, key=lambda kind: kind != LIKELY_IN.get(overlooked))
        for number, (s, watchers) in enumerate(watched_games(kind, {}, MORE_SCENES, Inattentive))
        for watcher in watchers
    )


# --- Scenes ---------------------------------------------------------------------------------------------------


def lays_drawn(s, observer, draws=3000):
    """How often each lay of the other's hand and deck comes up in determinizations."""
    lays = Counter()
    for seed in range(draws):
        state = GAME.new_states(1)
        state[0] = s.state
        dispatch.determinize(s.table, state[0], observer, np.uint64(seed))
        lays[world_of(state[0], 1 - observer)] += 1
    return lays


def check_equally_likely(counts, expected):
    """`counts` has exactly the `expected` keys (a mapping to their weights), in proportion to them."""
    assert counts.keys() == expected.keys()
    total = sum(expected.values())
    drawn, weights = zip(*((counts[key], expected[key]) for key in expected), strict=True)
    assert chisquare(drawn, np.array(weights) * sum(drawn) / total).pvalue > IMPROBABLE


def numbers(*names):
    return tuple(card(name) for name in names)


@pytest.mark.rule("tommy_walker", "9.8")
@pytest.mark.parametrize("rules", [{}, BOTTOM], ids=["top", "bottom"])
def test_every_card_of_the_hand_is_as_likely_to_have_been_put_back(rules):
    """Two of four cards, one of them seen: every ordered pair of them is as likely in the two places."""
    hand = ("Amina", "Ren", "Maria", "Iska")
    s = scene((["hanks", *hand], ["Ralph"]), (["Orochi"], None), known=(["Amina"], []), rules=rules)
    play(s, "set Elder Hanks", "set Ralph", "put Ren back", "put Iska back")
    held, expected = numbers(*hand), Counter()
    for unseen in combinations(numbers("Ren", "Maria", "Iska", "Orochi"), 3):
        (rest,) = set(numbers("Ren", "Maria", "Iska", "Orochi")) - set(unseen)
        for first, second in permutations((held[0], *unseen), 2):
            deck = (rest, first, second) if rules else (first, second, rest)
            expected[tuple(sorted({held[0], *unseen} - {first, second})), deck] += 1
    check_equally_likely(lays_drawn(s, observer=1), expected)


@pytest.mark.rule("tommy_walker", "9.4")
def test_a_card_that_came_after_the_first_return_is_not_in_the_first_place():
    """Hanks, a fetch, and Hanks again: the fetched card is in the hand or in the second place only."""
    s = scene(
        (["hanks", "Jack Maxim", "Amina", "hanks", "Akira"], ["Ralph", "Iska"]),
        (["Orochi"], ["Ren"] * 9),
        discards=(["Maria"], []),
        table=weak_table(),
    )
    watcher = Watcher(s, 1)
    for actions in (
        ("set Elder Hanks", "set Iska", "put Amina back", "put no more back"),
        ("ride Jack Maxim", "take Maria from the discards"),
        ("ride Elder Hanks", "put Maria back", "put no more back"),
    ):
        for action in actions:
            play(s, action)
            watcher.watch(GAME.events(s.state))
    assert check_worlds(s, watcher, 0) == (0, 0)
    assert s.state.returned[0] == 2
    lays = lays_drawn(s, observer=1)
    assert {deck[1] == card("Maria") for _, deck in lays} == {False}
    assert {deck[0] == card("Maria") for _, deck in lays} == {False, True}


def weak_table(stars=0):
    """Everybody is weaker than Iska, so that the attack phase lasts; her stars are given."""
    table = GAME.table()
    table.cards["power"] = 1
    table.cards["power"][card("Iska")] = 20_000
    table.cards["stars"] = stars
    return table


@pytest.mark.rule("tommy_walker", "9.6")
def test_damage_goes_through_the_cards_that_were_put_back():
    """Two of three cards were put back and one of them is lost: the seen Amina, or the other while she is there."""
    hands, decks = (["hanks", "Amina", "Amina", "Ren"], ["Iska"]), (["Orochi", "Orochi"], None)
    s = scene(hands, decks, known=(["Amina"], []), table=weak_table(stars=1))
    watcher = Watcher(s, 1, numbers("Amina"))
    actions = ("set Elder Hanks", "set Iska", "put Amina back", "put Ren back", "put no more back", "end")
    for action in actions:
        play(s, action)
        watcher.watch(GAME.events(s.state))
    assert s.discards(0) == ["Amina", "Elder Hanks"]
    assert check_worlds(s, watcher, 0) == (0, 0)
    assert set(lays_drawn(s, observer=1)) == watcher.worlds
    assert len(watcher.worlds) == 12  # two of four for hand and top, the other two below in either order


@pytest.mark.rule("tommy_walker", "3.5")
def test_a_game_that_ends_with_the_draws_leaves_the_set_card_hidden():
    """No card is turned up: the winner's may be any that he could have set, and the loser's too."""
    s = scene((["Amina", "German Shark", "Ren"], ["Ralph"]), (["Orochi", "Maria"], ["Iska"]))
    play(s, "set Ren", "draw a card", "set Ralph")
    assert s.state.over
    chosen, lays = set(), set()
    for seed in range(2000):
        state = GAME.new_states(1)
        state[0] = s.state
        dispatch.determinize(s.table, state[0], 1, np.uint64(seed))
        assert progress_fault(s, state[0], 0) is None
        chosen.add(int(state[0].chosen[0]))
        lays.add(world_of(state[0], 0))
    assert chosen == set(numbers("Amina", "German Shark", "Ren", "Orochi", "Maria"))
    assert len(lays) == 10 * 2


@pytest.mark.rule("tommy_walker", "9.9")
def test_every_legal_course_of_a_hidden_draw_phase_comes_up():
    """How often the first player drew and what he set is open: all that rule 3 allows, being stuck included."""
    s = scene((["German Shark"], ["Ralph"]), (["Lovelinstar", "Amina"], None))
    play(s, "draw a card", "draw a card", "set Amina")
    courses = set()
    for seed in range(3000):
        state = GAME.new_states(1)
        state[0] = s.state
        dispatch.determinize(s.table, state[0], 1, np.uint64(seed))
        assert progress_fault(s, state[0], 0) is None
        (hand,), deck = world_of(state[0], 0)
        courses.add((hand, deck, int(state[0].drawn[0]), int(state[0].chosen[0])))
    shark, star, amina = numbers("German Shark", "Lovelinstar", "Amina")
    assert courses == {
        *((amina, deck, 0, amina) for deck in ((shark, star), (star, shark))),
        *((amina, deck, 1, it) for deck in ((shark, star), (star, shark)) for it in (amina, deck[0])),
        *((amina, deck, 2, it) for deck in ((shark, star), (star, shark)) for it in (amina, *deck)),
        *((own, (amina, rest), 1, it) for own, rest in ((shark, star), (star, shark)) for it in (own, amina)),
        *(
            (own, deck, 2, it)
            for own, rest in ((shark, star), (star, shark))
            for deck in ((amina, rest), (rest, amina))
            for it in (own, *deck)
        ),
    }
