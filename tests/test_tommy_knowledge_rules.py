"""Section 9 of the rules of Tommy Walker TGC in scenes laid by hand: what each player knows of the other's cards."""

import numpy as np
import pytest
from scipy.stats import chisquare
from tommy_scenes import GAME, card, legal_names, play, scene
from tommy_turns import (
    asked,
    by_seat,
    copied,
    kinds_of,
    lays,
    on_plane,
    random_plays,
    revealed,
    seen,
    view,
    worlds,
)

from duelbench.envs import dispatch
from duelbench.envs.dispatch import NOTHING_TOLD
from duelbench.envs.tommy_walker.state import DECLINE, DISCARD_CARD, PAY

BOTTOM = {"hanks_returns_to": "bottom"}
IMPROBABLE = 1e-6


def rule(number):
    return pytest.mark.rule("tommy_walker", number)


both_seats = pytest.mark.parametrize("seat", [0, 1])


def known(s, seat):
    """Cards that the seat knows to be in the other's hand."""
    return on_plane(view(s, seat).known)


def loose(s, seat):
    """Cards that the seat knows to be in the other's hand or among those that were put back."""
    return on_plane(view(s, seat).loose)


def equally_likely(counts, number):
    """Whether exactly so many different lays were drawn, each about as often."""
    return len(counts) == number and chisquare(list(counts.values())).pvalue > IMPROBABLE


@rule("9.1")
@both_seats
def test_a_player_knows_what_his_deck_holds_and_what_the_others_deck_and_hand_hold_together(seat):
    s = scene(
        attack=by_seat(seat, ["Maria", "Ren"], ["German Shark"]),
        hands=by_seat(seat, ["Hina"], ["Amon", "Iska"]),
        decks=by_seat(seat, ["Ralph", "Zephyr"], ["Leticia"]),
        discards=by_seat(seat, ["Hina"], ["Amon"]),
        barrier=("Araki", 1 - seat),
    )
    mine = view(s, seat)
    assert on_plane(mine.deck_cards) == ["Ralph", "Zephyr"]
    assert on_plane(mine.unseen) == ["Iska", "Amon", "Leticia"]
    assert on_plane(mine.hand) == ["Hina"]


@rule("9.1")
def test_beyond_that_all_arrangements_are_equally_likely():
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Ren"], ["Hina"]), decks=(None, ["Amon", "Iska"]))
    assert equally_likely(lays(s, 0, 300), 6)
    own = {tuple(w.deck(1)) for w in worlds(s, 1, 60)}
    assert own == {("Amon", "Iska"), ("Iska", "Amon")}


@rule("9.2")
@both_seats
def test_who_draws_sees_the_card_and_the_other_does_not(seat):
    s = scene(hands=(["Ren"], ["Ren"]), decks=(["Amon", "Hina", "Iska"],) * 2)
    if seat == 1:
        play(s, "set Ren")
    before = seen(s, 1 - seat)
    play(s, "draw a card")
    assert seen(s, 1 - seat) == before
    assert on_plane(view(s, seat).hand) == ["Ren", "Amon"]


@rule("9.2")
@both_seats
def test_a_fetched_card_is_known_to_both_to_be_in_the_hand(seat):
    discards = by_seat(seat, ["Amon", "Hina"], [])
    s, _ = revealed(*by_seat(seat, "Jack Maxim", "Maria"), hands=(["Ren"], ["Ren"]), discards=discards)
    play(s, "take Amon from the discards")
    assert known(s, 1 - seat) == ["Amon"]
    assert on_plane(view(s, seat).shown) == ["Amon"]
    assert all("Amon" in w.hand(seat) for w in worlds(s, 1 - seat, 40))


@rule("9.2")
def test_calist_taken_back_is_known_and_the_card_given_for_him_seen():
    s = scene(attack=(["Calist"], ["Leticia"]), hands=(["Amon", "Hina"], ["Ren"]))
    play(s, "end", "discard Amon")
    assert known(s, 1) == ["Calist"]
    assert on_plane(view(s, 1).discard[1]) == ["Molat Hero", "Molat Hero", "Amon"]


@rule("9.3")
@pytest.mark.parametrize(
    "way", ["ride Silver Rain", "lay Silver Rain as the barrier", "discard Silver Rain", "set Silver Rain"]
)
def test_it_stays_known_until_the_other_sees_such_a_card_elsewhere(way):
    hand, known_cards = ["Silver Rain", "Ren", "Hina"], (["Silver Rain"], [])
    if way.startswith("set"):
        s = scene(hands=(hand, ["Maria"]), known=known_cards)
    else:
        s = scene(attack=(["Amina"], ["Maria"]), hands=(hand, ["Maria"]), known=known_cards)
    assert known(s, 1) == ["Silver Rain"]
    other = copied(s)
    if way.startswith("discard"):
        play(s, "pay 1 card for the AT (8100)")
        assert known(s, 1) == ["Silver Rain"]
        play(other, "pay 1 card for the AT (8100)")
    play(s, way, *(["set Maria"] if way.startswith("set") else []))
    assert known(s, 1) == []
    # another card that is seen leaves it known
    instead = {"set": "set Ren", "ride": "ride Ren", "discard": "discard Ren"}.get(way.split()[0])
    if instead:
        play(other, instead, *(["set Maria"] if way.startswith("set") else []))
        assert known(other, 1) == ["Silver Rain"]


@rule("9.3")
def test_it_stays_known_over_rounds():
    s = scene(attack=(["Hina"], ["Maria"]), hands=(["Amon", "Ren", "Ren"], ["Maria"]), known=(["Amon"], []))
    play(s, "end", "draw a card", "set Ren", "set Maria")
    assert known(s, 1) == ["Amon"]


@rule("9.3")
def test_of_two_copies_the_one_that_was_seen_is_held_to_have_gone():
    s = scene(attack=(["Hina"], ["German Shark"]), hands=(["Amon", "Amon", "Ren"], ["Maria"]), known=(["Amon"], []))
    play(s, "ride Amon")
    assert known(s, 1) == []
    s = scene(
        attack=(["Hina"], ["German Shark"]), hands=(["Amon", "Amon", "Ren"], ["Maria"]), known=(["Amon", "Amon"], [])
    )
    play(s, "ride Amon")
    assert known(s, 1) == ["Amon"]


def hanks(hand, deck, known_cards=(), rules=None):
    """Seat 0 has set Hanks against Maria and is asked for his entry."""
    s = scene(
        hands=(["Elder Hanks", *hand], ["Maria", "Ren"]), decks=(deck, None), known=(known_cards, []), rules=rules
    )
    play(s, "set Elder Hanks", "set Maria")
    return s


@rule("9.4")
def test_who_puts_cards_back_knows_their_places():
    s = hanks(["Amon", "Hina", "Iska"], ["Ralph", "Zephyr"])
    play(s, "put Hina back", "put Amon back", "put no more back")
    shown = view(s, 0).next_cards
    assert [np.flatnonzero(plane).tolist() for plane in shown] == [[card("Hina")], [card("Amon")], []]
    assert {tuple(w.deck(0)[:2]) for w in worlds(s, 0, 40)} == {("Hina", "Amon")}
    assert {tuple(w.deck(0)[2:]) for w in worlds(s, 0, 40)} == {("Ralph", "Zephyr"), ("Zephyr", "Ralph")}


@rule("9.4")
def test_by_option_he_knows_the_places_under_the_deck():
    s = hanks(["Amon", "Hina", "Iska"], ["Ralph", "Zephyr"], rules=BOTTOM)
    play(s, "put Hina back", "put Amon back", "put no more back")
    assert {tuple(w.deck(0)[2:]) for w in worlds(s, 0, 40)} == {("Hina", "Amon")}
    assert {tuple(w.deck(0)[:2]) for w in worlds(s, 0, 40)} == {("Ralph", "Zephyr"), ("Zephyr", "Ralph")}


@rule("9.4")
def test_the_other_knows_how_many_they_are_and_that_they_come_from_the_hand():
    s = hanks(["Amon", "Hina", "Iska"], ["Ralph", "Zephyr"], known_cards=["Amon", "Hina", "Iska"])
    play(s, "put Hina back", "put no more back")
    assert (view(s, 1).deck_size[1] * 16, view(s, 1).returned[1] * 16) == (3, 1)
    assert (known(s, 1), loose(s, 1)) == ([], ["Iska", "Hina", "Amon"])
    counts = lays(s, 1, 300)
    assert equally_likely(counts, 6)
    for hand, deck in counts:
        assert sorted((*hand, deck[0])) == ["Amon", "Hina", "Iska"]


@rule("9.4")
def test_he_does_not_see_which_cards_they_are():
    one, other = (hanks(["Amon", "Hina", "Iska"], ["Ralph"]) for _ in range(2))
    play(one, "put Hina back")
    play(other, "put Amon back")
    assert seen(one, 1) == seen(other, 1)


@rule("9.4")
@pytest.mark.parametrize("rules", [None, BOTTOM])
def test_a_card_that_was_drawn_before_may_be_put_back_one_in_the_deck_may_not(rules):
    s = hanks(["Amon"], ["Ralph", "Zephyr"], known_cards=["Amon"], rules=rules)
    play(s, "put Amon back")
    place = -1 if rules else 0
    assert asked(s)[1] == "draw_or_set"  # nothing left to do: the round is lost
    s = hanks(["Amon", "Hina"], ["Ralph", "Zephyr"], known_cards=["Amon"], rules=rules)
    play(s, "put Hina back", "put no more back")
    tops = {deck[place] for _, deck in lays(s, 1, 100)}
    assert tops == {"Amon", "Hina", "Ralph", "Zephyr"}
    assert all("Amon" in (*hand, deck[place]) for hand, deck in lays(s, 1, 100))


@rule("9.4")
def test_he_is_told_of_every_card_put_back_that_it_was_done_and_not_which():
    s = hanks(["Amon", "Hina", "Iska"], ["Ralph", "Zephyr"])
    codes = []
    for name in ("Hina", "Amon"):
        play(s, f"put {name} back")
        codes.append(s.state.told.tolist())
    assert codes[0] == codes[1]
    assert codes[0][0] == NOTHING_TOLD < codes[0][1]
    play(s, "put no more back")
    assert s.state.told.tolist() == [NOTHING_TOLD, DECLINE]


@rule("9.2")
@both_seats
def test_the_other_is_told_of_an_open_action(seat):
    hands = (["Ren", "Hina"], ["Ren", "Hina"])
    s = scene(attack=by_seat(seat, ["Amina"], ["German Shark"]), hands=hands)
    for name, action in (("pay 1 card for the AT (8100)", PAY), ("discard Ren", DISCARD_CARD + card("Ren"))):
        play(s, name)
        assert s.state.told.tolist() == list(by_seat(seat, NOTHING_TOLD, action))


@rule("9.5")
def test_when_the_draws_are_shown_the_other_knows_how_many_cards_were_drawn():
    s = scene(hands=(["Ren", "Hina"], ["Ren", "Hina"]))
    play(s, "draw a card", "draw a card", "set Ren", "draw a card", "set Hina")
    for seat in range(2):
        assert view(s, seat).drawn[1] * 16 == (1, 2)[seat]


@rule("9.5")
def test_returned_cards_that_were_drawn_are_in_the_hand_again():
    s = hanks(["Amon", "Hina", "Iska"], ["Ralph", "Zephyr", "Leticia"], known_cards=["Amon", "Hina", "Iska"])
    play(s, "put Hina back", "put Amon back", "put no more back", "end")  # Maria's star takes Hina
    assert (known(s, 1), loose(s, 1)) == ([], ["Iska", "Amon"])
    play(s, "draw a card", "set Iska")
    assert loose(s, 1) == ["Iska", "Amon"]  # not shown yet
    play(s, "set Ren")
    assert (known(s, 1), loose(s, 1)) == (["Amon"], [])
    assert s.hand(0) == ["Amon"]


@rule("9.5")
def test_by_option_the_cards_above_them_are_drawn_first():
    s = hanks(["Amon", "Hina"], ["Ralph", "Zephyr", "Leticia"], known_cards=["Amon", "Hina"], rules=BOTTOM)
    play(s, "put Amon back", "put no more back", "end", "draw a card", "draw a card", "set Hina", "set Ren")
    assert (known(s, 1), loose(s, 1)) == ([], ["Amon"])
    assert s.deck(0) == ["Amon"]


@rule("9.6")
def test_a_lost_card_is_seen_and_if_it_was_put_back_it_came_from_the_hand():
    s = hanks(["Amon", "Hina"], ["Ralph", "Zephyr", "Hina"], known_cards=["Amon", "Hina"])
    play(s, "put Hina back", "put no more back", "end")
    assert s.discards(0) == ["Elder Hanks", "Hina"]
    assert known(s, 1) == ["Amon"]
    assert view(s, 1).returned[1] == 0


@rule("9.6")
def test_a_lost_card_that_was_not_put_back_leaves_the_hand_known():
    s = scene(
        attack=(["Hina"], ["Maria"]), hands=(["Amon"], ["Ren"]), decks=(["Amon", "Ren"], None), known=(["Amon"], [])
    )
    play(s, "end")
    assert (s.discards(0), known(s, 1)) == (["Hina", "Amon"], ["Amon"])


@rule("9.7")
def test_a_draw_phase_not_yet_shown_may_be_thought_of_as_still_to_be_done():
    s = scene(hands=(["Ren", "Amon"], ["Hina", "Maria"]), decks=(["Iska", "Ren", "Akira"], None))
    before = copied(s)
    play(s, "draw a card", "draw a card", "set Iska")
    assert asked(s) == (1, "draw_or_set")
    dispatch.rewind(s.table, s.state)
    assert asked(s) == (0, "draw_or_set")
    assert (s.hand(0), s.deck(0), s.state.chosen.tolist()) == (before.hand(0), before.deck(0), [36, 36])
    assert s.state.drawn.tolist() == [0, 0]
    play(s, "draw a card")
    assert "Iska" in s.hand(0)


@rule("9.7")
def test_the_own_draws_of_the_second_player_stay_and_so_does_a_draw_phase_that_was_shown():
    s = scene(hands=(["Ren", "Amon"], ["Hina", "Maria"]), decks=(None, ["Iska", "Ren", "Akira"]))
    play(s, "draw a card", "set Ren", "draw a card")
    dispatch.rewind(s.table, s.state)
    assert s.hand(1) == ["Iska", "Maria", "Hina"]
    play(s, "set Ren")
    assert asked(s) == (1, "draw_or_set")
    play(s, "set Hina")
    before = s.state.tobytes()
    dispatch.rewind(s.table, s.state)
    assert s.state.tobytes() == before


@rule("9.8")
@both_seats
def test_a_determinization_keeps_everything_the_player_knows(seat):
    for number, s in enumerate(random_plays(4)):
        if s.state.over:
            continue
        mine = seen(s, seat)
        for w in worlds(s, seat, 2 if number % 6 == 0 else 0):
            assert seen(w, seat) == mine
            assert w.hand(seat) == s.hand(seat)
            if w.state.to_act == seat:
                assert legal_names(w) == legal_names(s)


@rule("9.8")
def test_it_keeps_nothing_else():
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Ren"], ["Hina"]), decks=(["Ralph", "Akira"], ["Amon", "Iska"]))
    other = scene(attack=(["Ren"], ["Maria"]), hands=(["Ren"], ["Amon"]), decks=(["Akira", "Ralph"], ["Iska", "Hina"]))
    for a, b in zip(worlds(s, 0, 20), worlds(other, 0, 20), strict=True):
        assert a.state.tobytes() == b.state.tobytes()


@rule("9.9")
def test_a_draw_phase_that_is_not_shown_is_played_anew():
    s = scene(hands=(["Ren", "German Shark"], ["Hina", "Maria"]), decks=(["Iska", "Amon", "Akira"], None))
    play(s, "draw a card", "set Iska")
    drawn, chosen = set(), set()
    for w in worlds(s, 1, 120):
        drawn.add(int(w.state.drawn[0]))
        chosen.add(int(w.state.chosen[0]))
        assert w.state.hand[0, w.state.chosen[0]] > 0
        play(w, "set Hina")
    assert drawn == {0, 1, 2, 3}
    assert chosen == {card(name) for name in ("Ren", "German Shark", "Iska", "Amon", "Akira")}


@rule("9.9")
def test_the_obligation_to_draw_is_kept_and_a_stuck_player_is_possible():
    s = scene(hands=(["German Shark"], ["Hina", "Maria"]), decks=(["Ren", "Lovelinstar"], None))
    play(s, "draw a card", "set Ren")
    for w in worlds(s, 1, 200):
        assert w.state.drawn[0] >= 1 or "Ren" in w.hand(0) or "Lovelinstar" in w.hand(0)
        assert w.state.chosen[0] == 36 or "Ren" in w.hand(0)
    s = scene(hands=([], ["Hina"]), decks=(["German Shark", "Lovelinstar"], None))
    play(s, "draw a card", "draw a card")
    for w in worlds(s, 1, 20):
        assert (int(w.state.drawn[0]), int(w.state.chosen[0])) == (2, 36)


@rule("9.9")
def test_by_option_no_misplay_is_dreamt_up():
    s = scene(
        hands=(["Ren", "German Shark"], ["Hina"]), decks=(["Iska", "Amon"], None), rules={"permit_misplay": False}
    )
    play(s, "draw a card", "set Iska")
    assert {int(w.state.chosen[0]) for w in worlds(s, 1, 200)} == {card(name) for name in ("Ren", "Iska", "Amon")}


@rule("9.10")
def test_who_has_misplayed_holds_a_card_that_is_not_ride_only():
    s = scene(
        hands=(["German Shark", "Ren", "Lovelinstar"], ["Hina", "Maria"]),
        decks=(["German Shark"] * 6 + ["Lovelinstar"] * 3, None),
    )
    events = play(s, "set German Shark", "set Hina")
    assert "misplays" in kinds_of(events)
    assert view(s, 1).promised[1] == 1
    assert all("Ren" in w.hand(0) for w in worlds(s, 1, 40))
    play(s, "set Ren", "set Maria")
    assert view(s, 1).promised[1] == 0


@rule("9.10")
def test_who_has_announced_a_payment_holds_the_cards_for_it():
    s = scene(
        attack=(["Hina"], ["German Shark"]),
        hands=(["Iska", "Maria", "Amon"], ["Ren"]),
        decks=(["Ren"] * 6 + ["Iska"], None),
    )
    play(s, "pay 2 cards for the AT (12600)")
    for w in worlds(s, 1, 40):
        assert len([name for name in w.hand(0) if name in ("Iska", "Maria")]) >= 2
    play(s, "discard Maria")
    for w in worlds(s, 1, 40):
        assert "Iska" in w.hand(0)
    assert GAME.decision_kind(s.state) == "pay"
