"""Section 13 of the rules of Wizard in Training in scenes laid by hand: what each player knows of the other's cards."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from wizard_scenes import (
    DUEL,
    GAME,
    REDRAW,
    TURN,
    asked,
    copied,
    deck,
    mode,
    of_kind,
    play,
    scene,
    spell,
)
from wizard_worlds import OUT_OF_PLAY, cards_in, hand_of, lays_of_tokens, worlds_drawn

from duelbench.envs.wizard_in_training.encoding import PER_COPY, VIEW
from duelbench.envs.wizard_in_training.state import HAND, WORN

BOTH = 3
BARE = (OUT_OF_PLAY, OUT_OF_PLAY)
"""As `rest`: nothing but the named cards is in play."""


def rule(number):
    return pytest.mark.rule("wizard_in_training", number)


both_seats = pytest.mark.parametrize("me", [0, 1])


def by_seat(me, mine, theirs):
    return (mine, theirs) if me == 0 else (theirs, mine)


def view(s, seat):
    """What the seat is shown, by pieces."""
    return GAME.observation(s.table, s.state, seat).view(VIEW).view(np.recarray)[0]


def on_plane(s, plane, first=0):
    """The names of the cards on a plane that begins with card `first`, sorted; pebbles left out."""
    copies = {s.name(first + i): round(float(amount) / PER_COPY) for i, amount in enumerate(plane)}
    return sorted(name for name, count in copies.items() if name not in (None, "pebble") for _ in range(count))


def names(s, cards):
    return tuple(sorted(str(s.name(card)) for card in cards))


def hands_drawn(s, observer, count=300):
    """The hands of the other seat that come up in determinizations, and how often."""
    return Counter(names(s, hand_of(world, 1 - observer)) for world in worlds_drawn(s, observer, count))


def hands_admitted(s, seat):
    """The hands that may be the seat's; they are also those that come up."""
    admitted = {names(s, cards) for cards in lays_of_tokens(s.state, seat)}
    assert hands_drawn(s, 1 - seat).keys() == admitted
    return admitted


def single(*cards):
    """Hands of one card."""
    return {(card,) for card in cards}


# --- 13.1 to 13.3 What lies open ------------------------------------------------------------------------------


@rule("13.1")
@both_seats
def test_each_player_sees_both_tables(me):
    s = scene(
        active=me,
        hand=by_seat(me, ["hum"], ["wolf", "page"]),
        pool=by_seat(me, ["sword"], ["crown", "crown"]),
        field=by_seat(me, ["squire"], ["knight"]),
        discard=by_seat(me, ["ogre"], ["penny", "giant"]),
        level=by_seat(me, 2, 3),
        earned=by_seat(me, 1, 2),
        rest=BARE,
    )
    for seat in range(2):
        seen, mine, other = view(s, seat), int(seat != me), int(seat == me)
        assert on_plane(s, seen.pool[mine]) == ["sword"]
        assert on_plane(s, seen.pool[other]) == ["crown", "crown"]
        assert on_plane(s, seen.discard[mine]) == ["ogre"]
        assert on_plane(s, seen.discard[other]) == ["giant", "penny"]
        assert seen.level[mine].argmax() == 1
        assert seen.level[other].argmax() == 2
        assert seen.hand_size[mine] == pytest.approx(0.1)
        assert seen.hand_size[other] == pytest.approx(0.2)
        assert seen.earned[other] == pytest.approx(2 * seen.earned[mine])


@rule("13.1")
def test_a_spell_is_declared_openly_with_its_mode_and_its_item():
    cards = {"hex": spell(mode(gain=1), mode(gain=2), needs="weapon"), "ward": spell(counters=("hex",))}
    s = scene(hand=(["hex"], ["ward"]), pool=(["sword", "club"], []), cards=cards)
    happened = play(s, "cast hex", "mode 1", "hold club")
    assert asked(s) == (1, "counter")
    shown = view(s, 1)
    assert shown.spell[1].sum() == 1
    assert shown.mode.argmax() == 1
    assert on_plane(s, shown.held[1] * PER_COPY) == ["club"]
    assert all(event.seen_by == BOTH for event in of_kind(happened, "casts", "takes_mode", "holds"))


@rule("13.1")
@both_seats
def test_every_discarded_card_is_seen(me):
    s = scene(at=REDRAW, active=me, hand=by_seat(me, ["wolf", "hum"], []))
    (event,) = of_kind(play(s, "discard wolf"), "discards")
    assert (event.card, event.seen_by) == ("wolf", BOTH)
    assert on_plane(s, view(s, 1 - me).discard[1]) == ["wolf"]


@rule("13.2")
@both_seats
def test_a_drawn_card_is_seen_by_its_holder_alone(me):
    s = scene(
        at=REDRAW, active=me, hand=by_seat(me, ["hum"], ["page"]), deck=(["wolf", "knight", "ogre", "giant"],) * 2
    )
    drawn = of_kind(play(s, "pass"), "draws")
    assert [event.card for event in drawn] == ["wolf", "knight", "ogre", "giant"]
    assert {(event.seat, event.seen_by) for event in drawn} == {(me, 1 << me)}
    assert on_plane(s, view(s, me).hand) == sorted(["hum", "wolf", "knight", "ogre", "giant"])
    assert on_plane(s, view(s, 1 - me).hand) == ["page"]


@rule("13.2")
@both_seats
def test_nobody_knows_the_order_of_a_deck_not_even_his_own(me):
    s = scene(hand=(["hum"], ["hum"]), deck=(["wolf", "knight", "ogre"],) * 2, rest=BARE)
    for seat in range(2):
        orders = {tuple(world.deck[seat, :3]) for world in worlds_drawn(s, me, 200)}
        assert len(orders) == 6 if seat == me else len(orders) == 24  # the other's fourth card is his hand
    assert deck(s, me) == ["wolf", "knight", "ogre"]


@rule("13.3")
@both_seats
def test_what_the_own_deck_holds_and_what_the_others_hand_and_deck_hold_together(me):
    s = scene(
        active=me,
        hand=by_seat(me, ["hum"], ["wolf"]),
        deck=by_seat(me, ["page", "ogre"], ["knight", "crown"]),
        discard=by_seat(me, ["giant"], ["dragon"]),
    )
    seen = view(s, me)
    assert on_plane(s, seen.deck_cards) == ["ogre", "page"]
    assert on_plane(s, seen.unseen) == on_plane(s, seen.possible) == ["crown", "knight", "wolf"]


@rule("13.3")
def test_beyond_that_all_hands_are_possible():
    s = scene(active=1, hand=(["wolf", "hum"], ["hum"]), deck=(["page", "crown"], []), rest=BARE)
    assert hands_admitted(s, 0) == set(combinations(["crown", "hum", "page", "wolf"], 2))


# --- 13.4 to 13.7 What a hand cannot be -----------------------------------------------------------------------

READ = {"read": spell(mode(draw=1))}


@rule("13.4")
@both_seats
def test_what_is_in_the_hand_after_the_item_phase_is_no_item(me):
    mine = by_seat(me, ["crown", "hum"], ["wolf"])
    s = scene(at=TURN, active=me, hand=mine, deck=by_seat(me, ["page", "nugget"], ["page", "florin"]), rest=BARE)
    assert asked(s) == (me, "cast")
    assert hands_admitted(s, me) == single("hum", "page")
    assert on_plane(s, view(s, 1 - me).possible) == ["hum", "page"]
    assert hands_admitted(s, 1 - me) == single("wolf", "page", "florin")


@rule("13.4")
def test_what_is_drawn_later_may_be_an_item_until_the_next_item_phase():
    s = scene(at=TURN, hand=(["read", "wolf"], ["hum"]), deck=(["page", "nugget"], ["hum"] * 9), rest=BARE, cards=READ)
    play(s, "cast read")
    lays = hands_admitted(s, 0)
    assert lays == {("page", "wolf"), ("nugget", "wolf"), ("nugget", "page")}
    assert "nugget" in on_plane(s, view(s, 1).possible)


def lose_a_level(rules=None):
    """Player_1 falls to level 1 in the other's turn: his crown goes back to the deck, his wolf was drawn before."""
    s = scene(
        at=DUEL,
        field=(["dragon"], []),
        level=(5, 2),
        hand=(["hum"], ["wolf"]),
        pool=([], ["crown"]),
        deck=(["hum"] * 9, ["nugget", "page"]),
        discard=([], ["ogre"]),
        rest=BARE,
        rules=rules,
    )
    assert hands_admitted(s, 1) == single("wolf", "nugget", "page")
    play(s, "attack dragon", "main")
    assert s.state.level[1] == 1
    return s


@rule("13.5")
def test_a_card_that_came_back_is_none_that_was_drawn_before():
    s = lose_a_level()
    assert hands_admitted(s, 1) == single("wolf", "nugget", "page")
    assert on_plane(s, view(s, 0).unseen) == ["crown", "nugget", "page", "wolf"]
    assert on_plane(s, view(s, 0).possible) == ["nugget", "page", "wolf"]


@rule("13.5")
def test_discards_that_came_back_are_none_either():
    s = lose_a_level({"recycle": "level_change"})
    assert on_plane(s, view(s, 0).unseen) == ["crown", "nugget", "ogre", "page", "wolf"]
    assert hands_admitted(s, 1) == single("wolf", "nugget", "page")


@rule("13.5")
def test_what_is_drawn_after_it_came_back_may_be_it():
    cards, hands = READ, (["hum"], ["read", "wolf"])
    s = scene(active=1, hand=hands, deck=([], ["page"]), discard=([], ["ogre", "giant"]), rest=BARE, cards=cards)
    play(s, "cast read")  # the deck is used up
    assert hands_admitted(s, 1) == {("page", "wolf")}
    s = scene(active=1, hand=hands, deck=([], []), discard=([], ["ogre", "giant"]), rest=BARE, cards=cards)
    play(s, "cast read")  # the discards have come back first
    assert hands_admitted(s, 1) == {("ogre", "wolf"), ("giant", "wolf")}


def drawn_apart():
    """Player_1 holds two cards: one drawn before the ogre and the dragon came back to his deck, and one after."""
    s = scene(at=REDRAW, active=1, hand=(["hum"], ["wolf", "ogre"]), deck=([], ["page", "dragon"]), rest=BARE)
    state = s.state
    state.shuffles[1] = 1
    state.since[1, [slot for slot in range(4) if s.name(int(state.lists[1, slot])) in ("ogre", "dragon")]] = 1
    state.drawn_at[1, :2] = [0, 1]
    state.kept[1] = 0
    return s


@rule("13.6")
def test_of_those_that_may_have_gone_the_most_narrowly_bound_is_held_to_be_the_one():
    s = drawn_apart()
    assert hands_admitted(s, 1) == {
        ("page", "wolf"),
        ("ogre", "wolf"),
        ("dragon", "wolf"),
        ("ogre", "page"),
        ("dragon", "page"),
    }
    after_ogre = copied(s)
    play(s, "discard wolf")  # it may have been either
    assert hands_admitted(s, 1) == single("page", "ogre", "dragon")
    play(after_ogre, "discard ogre")  # it was drawn later
    assert hands_admitted(after_ogre, 1) == single("page", "wolf")


@rule("13.6")
def test_an_item_that_goes_is_none_that_was_there_in_the_item_phase():
    s = scene(active=1, at=REDRAW, hand=(["hum"], ["wolf", "florin"]), deck=([], ["crown", "page"]), rest=BARE)
    assert s.state.kept[1] == 1
    after_wolf = copied(s)
    play(s, "discard florin")
    assert hands_admitted(s, 1) == single("wolf", "page")
    play(after_wolf, "discard wolf")
    assert hands_admitted(after_wolf, 1) == single("crown", "florin", "page")


def crowns(in_hand, drawn_at):
    """Player_1 holds a crown and a wolf, his deck a crown and the ogre. The ogre and a crown came back to the deck:
    the one of the hand if `in_hand`. `drawn_at` are the times of the hand's cards, 1 after they came back."""
    s = scene(at=REDRAW, active=1, hand=(["hum"], ["crown", "wolf"]), deck=([], ["crown", "ogre"]), rest=BARE)
    s.state.shuffles[1] = 1
    s.state.since[1, [0 if in_hand else 2, 3]] = 1  # the slots are in the order of hand and deck
    s.state.drawn_at[1, :2] = drawn_at
    s.state.kept[1] = 0
    return s


@rule("13.6")
@pytest.mark.parametrize("in_hand", [False, True])
def test_of_two_copies_either_may_have_gone(in_hand):
    """The crown that goes may be the one that never came back, and then the earlier card; so the ogre may be left."""
    s = crowns(in_hand, [0, 1])
    play(s, "discard crown")
    assert hands_admitted(s, 1) == single("crown", "ogre", "wolf")


@rule("13.6")
def test_a_copy_goes_that_can_have_been_in_the_hand():
    """Both cards were drawn before a crown came back, so it is the other one that goes."""
    s = crowns(False, [0, 0])
    play(s, "discard crown")
    assert hands_admitted(s, 1) == single("wolf")


@rule("13.7")
def test_a_card_that_came_back_may_lie_anywhere_in_the_deck():
    s = lose_a_level()
    crown = s.numbers["crown"]
    for observer in range(2):
        worlds = worlds_drawn(s, observer, 300)
        places = {int(np.flatnonzero(w.lists[1, w.deck[1, : w.deck_size[1]]] == crown)[0]) for w in worlds}
        assert places == {0, 1, 2}


@rule("13.7")
def test_its_place_in_the_deck_is_drawn_by_lot():
    places = Counter()
    for seed in range(60):
        s = scene(at=DUEL, field=(["dragon"], []), level=(5, 2), pool=([], ["crown"]), deck=([], ["page", "wolf"]),
                  hand=(["hum"], []), rest=BARE, seed=seed)  # fmt: skip
        play(s, "attack dragon")
        places[deck(s, 1).index("crown")] += 1
    assert sorted(places) == [0, 1, 2]
    assert min(places.values()) > 8


# --- 13.8 Nothing is concluded --------------------------------------------------------------------------------


@rule("13.8")
def test_who_has_not_countered_may_still_hold_the_counter():
    cards = {"hex": spell(mode(gain=1)), "ward": spell(counters=("hex",))}
    s = scene(hand=(["hex", "hum"], ["ward"]), deck=([], ["page", "wolf"]), rest=BARE, cards=cards)
    play(s, "cast hex", "pass")
    assert hands_admitted(s, 1) == single("ward", "page", "wolf")


@rule("13.8")
def test_who_has_not_blocked_or_attacked_may_still_hold_the_character():
    s = scene(at=DUEL, field=(["page"], []), hand=(["hum"], ["wolf"]), deck=([], ["squire", "hum"]), rest=BARE)
    play(s, "attack page", "main")
    assert hands_admitted(s, 1) == single("wolf", "squire", "hum")
    s = scene(at=DUEL, hand=(["wolf"], ["hum"]), deck=(["squire"], []), rest=BARE)
    play(s, "pass")
    assert hands_admitted(s, 0) == single("wolf", "squire")


# --- 13.9, 13.10 What is drawn anew ---------------------------------------------------------------------------


@rule("13.9")
@both_seats
def test_what_a_player_knows_is_kept_and_the_rest_is_drawn_anew(me):
    s = scene(
        at=DUEL,
        hand=(["hum", "wolf"], ["hum", "page"]),
        deck=(["knight", "ogre", "crown"],) * 2,
        pool=(["sword"], ["shield"]),
        field=(["squire"], []),
        earned=(2, 1),
    )
    kept = [name for name in s.state.dtype.names if name not in ("rng", "zone", "deck", "events", "n_events")]
    worlds = worlds_drawn(s, me, 100)
    for world in worlds:
        assert all((world[name] == s.state[name]).all() for name in kept)
        assert (world.zone[me] == s.state.zone[me]).all()
        assert (world.zone[1 - me] > HAND).tolist() == (s.state.zone[1 - me] > HAND).tolist()
        assert hand_of(world, me) == hand_of(s.state, me)
    assert len({hand_of(world, 1 - me) for world in worlds}) > 1
    assert len({tuple(world.deck[me]) for world in worlds}) > 1
    assert len(set(worlds["rng"].tolist())) == 100


@rule("13.9")
def test_lays_that_agree_are_equally_likely():
    """One card was drawn from wolf and page alone, the other from those left and two more: 2 * 3 lays, and no hand of
    the two late ones."""
    counts = hands_drawn(drawn_apart(), 0, 3000)
    shares = {cards: round(count / 500) for cards, count in counts.items()}
    assert shares == {
        ("page", "wolf"): 2,
        ("ogre", "wolf"): 1,
        ("dragon", "wolf"): 1,
        ("ogre", "page"): 1,
        ("dragon", "page"): 1,
    }


@rule("13.10")
def test_a_face_down_lot_is_known_by_its_number_until_it_is_turned_up():
    s = scene(at=DUEL, field=(["squire"], []), pool=(["sword", "club", "ale", "crown"], ["shield"]),
              hand=(["hum"], ["hum"]), rules={"duel_commit": "hidden_equipment"})  # fmt: skip
    play(s, "attack squire")
    other = copied(s)
    play(s, "equip sword", "equip ale", "pass")
    play(other, "equip club", "equip ale", "pass")
    assert asked(s) == (1, "equip")
    assert GAME.observation(s.table, s.state, 1).tobytes() == GAME.observation(other.table, other.state, 1).tobytes()
    assert s.state.told[1] == other.state.told[1]
    lots = {names(s, cards_in(world, 0, WORN)) for world in worlds_drawn(s, 1, 200)}
    assert lots == {("ale", "sword"), ("ale", "club")}  # one weapon, and no use for the crown
    revealed = of_kind(play(s, "pass"), "reveals")
    assert {(event.card, event.seen_by) for event in revealed} == {("sword", BOTH), ("ale", BOTH)}


@rule("13.10")
def test_the_own_lot_is_known():
    s = scene(at=DUEL, field=(["squire"], []), pool=(["sword", "club"], ["shield", "cloak"]),
              hand=(["hum"], ["hum"]), rules={"duel_commit": "hidden_equipment"})  # fmt: skip
    play(s, "attack squire")
    play(s, "equip club")
    assert {names(s, cards_in(world, 0, WORN)) for world in worlds_drawn(s, 0, 50)} == {("club",)}
    assert on_plane(s, view(s, 0).worn[0]) == ["club"]
    assert on_plane(s, view(s, 1).worn[1]) == []
