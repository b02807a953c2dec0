"""Section 5 of the rules of Tarot Duel: what each of the 22 cards does, and what becomes of it among the others."""

from itertools import combinations, permutations

import pytest
from tarot_scenes import legal_names, names_in, place, play, scene
from tarot_turns import (
    asked,
    cards_of,
    described,
    holds,
    last_events,
    of_kind,
    result,
    shares,
    turn,
    turns_left,
    whole_turn,
    wins,
    with_dice,
)

from duelbench.envs.tarot_duel.cards import CARDS
from duelbench.envs.tarot_duel.state import DECK, DISCARD, FIELD, HAND, LAST_TURN_PLAYED, WAITING

# --- The Fool (0) ---------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.0")
@pytest.mark.parametrize("other", range(1, 22))
def test_the_fool_beats_the_numbers_from_15_up_and_loses_to_the_others(other):
    rest = [c for c in (3, 4, 6, 7, 8, 9, 11, 12) if c != other]
    s = scene(hands=(["The Fool", rest[0]], [other, rest[1]]), deck=rest[2:])
    events = whole_turn(s, "The Fool", other)
    fool_wins = other >= 15 or CARDS[other].name == "Death"  # Death loses of its own accord
    assert result(events) == (0 if fool_wins else 1)


@pytest.mark.rule("tarot_duel", "5.0")
@pytest.mark.parametrize("seat", [0, 1])
def test_the_fool_wins_whatever_effects_say(seat):
    hands = (["The Fool", 4], ["The Sun", 6])
    waiting = ([], ["The Empress", "Strength"])
    s = scene(hands=hands[:: 1 - 2 * seat], waiting=waiting[:: 1 - 2 * seat], deck=[7, 9, 10])
    events = whole_turn(s, *[hand[0] for hand in hands[:: 1 - 2 * seat]])
    assert result(events) == seat


@pytest.mark.rule("tarot_duel", "5.0")
def test_the_fool_wins_the_turn_but_gains_nothing_under_the_emperor():
    s = scene(hands=(["The Fool", 3], ["The Star", 6]), waiting=([], ["The Emperor"]), deck=[7, 9])
    events = turn(s, "The Fool", "The Star")
    assert (result(events), wins(s)) == (0, (0, 0))


@pytest.mark.rule("tarot_duel", "5.0")
def test_a_doubled_fool_is_still_nothing():
    s = scene(hands=(["The Fool", 3], ["The High Priestess", 6]), waiting=(["Strength"], []), deck=[7, 9])
    assert result(turn(s, "The Fool", "The High Priestess")) == 1


# --- The Magician (1) -----------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.1")
def test_the_magician_cancels_a_card_in_the_turn_in_which_he_is_played():
    s = scene(hands=(["The Magician", 3], ["The Star", 6]), deck=[7, 9])
    turn(s, "The Magician", "The Star")
    assert asked(s) == (0, "negate")
    assert legal_names(s) == ["cancel The Star", "cancel nothing"]
    events = play(s, "cancel The Star")
    assert of_kind(events, "negates") == [
        {"kind": "negates", "seat": 0, "card": "the_star", "value": 0, "seen_by": [0, 1]}
    ]
    assert not of_kind(events, "acts")
    assert (result(events), turns_left(s)) == (1, 4)
    assert holds(s, DISCARD, "The Magician", "The Star")


@pytest.mark.rule("tarot_duel", "5.1")
def test_the_magician_waits_until_he_is_used_and_is_gone_afterwards():
    s = scene(hands=(["The Magician", 3, 7], ["The Star", "The Tower", 6]), deck=[9, 10, 11, 12])
    turn(s, "The Magician", "The Star", "cancel nothing")
    assert place(s, "The Magician") == WAITING
    turn(s, 3, "The Tower", "cancel The Tower")
    assert holds(s, DISCARD, "The Magician", "The Tower")
    assert turns_left(s) == 4  # the Star has worked
    events = turn(s, 7, 6)
    assert not of_kind(events, "declines", "negates")


@pytest.mark.rule("tarot_duel", "5.1")
def test_the_magician_may_cancel_his_owners_own_card():
    s = scene(hands=(["Death", 3], ["The Hanged Man", 6]), waiting=(["The Magician"], []), deck=[9, 10])
    events = turn(s, "Death", "The Hanged Man", "cancel Death")
    assert (result(events), turns_left(s)) == (0, 4)


@pytest.mark.rule("tarot_duel", "5.1")
def test_the_magician_may_be_used_in_a_turn_without_play():
    s = scene(hands=([6, 7], []), waiting=(["The Magician"], ["The Empress"]), deck=[9, 10])
    assert asked(s) == (0, "negate")
    assert legal_names(s) == ["cancel The Empress", "cancel nothing"]
    assert result(play(s, "cancel The Empress")) == -1
    assert holds(s, DISCARD, "The Magician", "The Empress")


@pytest.mark.rule("tarot_duel", "5.1")
def test_the_magician_in_the_last_turn_cancels_a_waiting_justice():
    s = scene(hands=([9, 3], [7, 6]), waiting=(["The Magician"], ["Justice"]), deck=[4], wins=(0, 1), turns_left=1)
    turn(s, 9, 7, "cancel Justice")
    assert wins(s) == (1, 1)
    assert s.state.winner == -1


# --- The High Priestess (2) -----------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.2")
def test_the_high_priestess_sees_three_random_cards_of_a_larger_hand():
    s = scene(hands=(["The High Priestess", 3], [8, 4, 6, 7, 10, 12]), deck=[9, 11])
    hand = ["the_emperor", "the_lovers", "the_chariot", "wheel_of_fortune", "the_hanged_man"]

    def look(copy, events):
        looks = of_kind(events, "looks")
        assert all(event["seen_by"] == [0] for event in looks)
        return tuple(event["card"] for event in looks)

    seen = shares(with_dice(s, ["play The High Priestess", "play Strength"], look, throws=500))
    assert set(seen) == set(combinations(hand, 3))
    assert all(0.05 < share < 0.16 for share in seen.values())  # each about a tenth


@pytest.mark.rule("tarot_duel", "5.2")
@pytest.mark.parametrize("held", [1, 2, 3])
def test_the_high_priestess_sees_the_whole_of_a_hand_of_three_or_fewer(held):
    hand = [4, 6, 7][:held]
    s = scene(hands=(["The High Priestess", 3], [8, *hand]), deck=[9, 11])
    events = turn(s, "The High Priestess", "Strength")
    assert cards_of(events, "looks") == [CARDS[card].id for card in hand]
    assert all(event["seen_by"] == [0] for event in of_kind(events, "looks"))


@pytest.mark.rule("tarot_duel", "5.2")
def test_the_high_priestess_looks_after_almost_everything_else():
    s = scene(hands=(["The High Priestess", 3], ["The Lovers", 4]), deck=[9, 11, 12, 13])
    events = turn(s, "The High Priestess", "The Lovers")
    assert cards_of(events, "looks") == ["the_emperor", "the_hermit", "justice"]


@pytest.mark.rule("tarot_duel", "5.2")
def test_the_high_priestess_finds_nothing_in_an_empty_hand():
    s = scene(hands=(["The High Priestess", 3], [8]), deck=[9, 11])
    events = turn(s, "The High Priestess", 8)
    assert not of_kind(events, "looks")
    assert cards_of(events, "wasted") == ["the_high_priestess"]


@pytest.mark.rule("tarot_duel", "5.2")
def test_a_cancelled_high_priestess_sees_nothing():
    s = scene(hands=(["The High Priestess", 3], [8, 4]), waiting=([], [1]), deck=[9, 11])
    assert not of_kind(turn(s, "The High Priestess", 8, "cancel The High Priestess"), "looks")


# --- The Empress (3) ------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.3")
def test_the_empress_wins_the_next_turn_for_her_owner_and_no_other():
    s = scene(hands=(["The Empress", 4, 6], [8, "The Tower", 7]), deck=[9, 11, 12, 13])
    events = turn(s, "The Empress", 8)
    assert result(events) == 1
    assert place(s, "The Empress") == WAITING
    events = turn(s, 4, "The Tower")
    assert result(events) == 0
    assert wins(s) == (1, 1)
    assert place(s, "The Empress") == DISCARD
    assert result(turn(s, 6, 7)) == 1


@pytest.mark.rule("tarot_duel", "5.3")
def test_an_empress_played_in_the_last_turn_does_nothing():
    s = scene(hands=(["The Empress", 4], [8, "The Tower"]), deck=[9], turns_left=1)
    turn(s, "The Empress", 8)
    assert wins(s) == (0, 1)
    assert place(s, "The Empress") == WAITING


@pytest.mark.rule("tarot_duel", "5.3")
def test_a_cancelled_empress_wins_nothing():
    s = scene(hands=(["The Empress", 4], [8, "The Tower"]), waiting=([], [1]), deck=[9, 11, 12])
    turn(s, "The Empress", 8, "cancel The Empress")
    assert result(turn(s, 4, "The Tower")) == 1


# --- The Emperor (4) ------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.4")
def test_the_emperor_keeps_the_other_from_gaining_in_the_next_turn_alone():
    s = scene(hands=(["The Emperor", 6, 2], [8, "The Tower", "The Star"]), deck=[9, 11, 13, 14, 5, 7, 10])
    turn(s, "The Emperor", 8)
    assert wins(s) == (0, 1)
    assert result(turn(s, 6, "The Tower")) == 1
    assert wins(s) == (0, 1)
    assert place(s, "The Emperor") == DISCARD
    assert result(turn(s, 2, "The Star")) == 1
    assert wins(s) == (0, 2)


@pytest.mark.rule("tarot_duel", "5.4")
def test_the_emperor_blocks_every_gain_of_the_turn():
    # the other wins the turn, gains by Temperance, and would be helped by Justice
    waiting = (["The Emperor"], ["Justice"])
    s = scene(hands=([3, 2], ["Temperance", 12]), deck=[9], waiting=waiting, wins=(1, 0), turns_left=1)
    events = turn(s, 3, "Temperance")
    assert result(events) == 1
    assert [e["value"] for e in of_kind(events, "wins_blocked")] == [1, 1]
    assert wins(s) == (1, 0)
    s = scene(hands=([9, 2], ["The Chariot", 6]), deck=[10, 14], waiting=(["The Emperor"], ["The Hanged Man"]))
    events = turn(s, 9, "The Chariot", "keep the order")
    assert cards_of(events, "wins_blocked") == ["the_hanged_man"]
    assert (wins(s), place(s, "The Hanged Man")) == ((1, 0), DISCARD)


@pytest.mark.rule("tarot_duel", "5.4")
def test_the_emperor_blocks_the_wheel_for_the_other_only():
    s = scene(hands=(["Wheel of Fortune", 2], [11, 6]), deck=[9, 14], waiting=(["The Emperor"], []))
    outcomes = shares(with_dice(s, ["play Wheel of Fortune", "play Justice"], lambda copy, _: wins(copy)))
    assert set(outcomes) == {(1, 0), (0, 0)}  # 10 against 11 wins nothing either
    assert 0.35 < outcomes[1, 0] < 0.65


# --- The Hierophant (5) ---------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.5")
def test_the_hierophant_takes_two_discards_one_after_the_other():
    s = scene(hands=(["The Hierophant", 4], [8, 3]), deck=[9, 11], discards=["The Sun", "Death", "The Moon"])
    turn(s, "The Hierophant", 8)
    assert asked(s) == (0, "take")
    assert legal_names(s) == ["take Death", "take The Moon", "take The Sun"]
    events = play(s, "take The Moon")
    assert of_kind(events, "takes") == [{"kind": "takes", "seat": 0, "card": "the_moon", "value": 0, "seen_by": [0, 1]}]
    assert asked(s) == (0, "take")
    assert legal_names(s) == ["take Death", "take The Sun"]
    play(s, "take Death")
    assert holds(s, HAND, "The Moon", "Death", 4)
    assert place(s, "The Sun") == DISCARD
    assert s.state.turn == 2


@pytest.mark.rule("tarot_duel", "5.5")
@pytest.mark.parametrize(
    ("discards", "deck", "taken", "drawn"),
    [
        (["The Sun", "Death"], [9, 11], ["death", "the_sun"], []),
        (["The Sun"], [9, 11], ["the_sun"], ["the_hermit"]),
        ([], [9, 11, 12], [], ["the_hermit", "justice"]),
        ([], [9], [], ["the_hermit"]),
    ],
)
def test_two_or_fewer_discards_are_taken_without_asking_and_the_missing_cards_drawn(discards, deck, taken, drawn):
    s = scene(hands=(["The Hierophant", 4], [8, 3]), deck=deck, discards=discards, turns_left=1)
    events = turn(s, "The Hierophant", 8)
    assert (cards_of(events, "takes"), cards_of(events, "draws")) == (taken, drawn)
    assert not of_kind(events, "wasted")
    assert len(names_in(s, HAND)) == 1 + len(taken) + len(drawn)


@pytest.mark.rule("tarot_duel", "5.5")
def test_the_hierophant_finds_nothing_without_discards_and_deck():
    s = scene(hands=(["The Hierophant", 4], [8, 3]), turns_left=1)
    assert cards_of(turn(s, "The Hierophant", 8), "wasted") == ["the_hierophant"]


@pytest.mark.rule("tarot_duel", "5.5")
def test_the_hierophant_may_take_what_was_discarded_in_the_same_turn_but_not_from_the_field():
    s = scene(hands=(["The Hierophant", 4], ["The Sun", 3]), deck=[9, 11, 12], discards=[14, 15], turns_left=1)
    turn(s, "The Hierophant", "The Sun", "discard The Empress")
    assert legal_names(s) == ["take The Empress", "take Temperance", "take The Devil"]


@pytest.mark.rule("tarot_duel", "5.5")
def test_a_cancelled_hierophant_takes_nothing():
    s = scene(
        hands=(["The Hierophant", 4], [8, 3]), deck=[9, 11], discards=[14, 15, 16], waiting=([], [1]), turns_left=1
    )
    events = turn(s, "The Hierophant", 8, "cancel The Hierophant")
    assert not of_kind(events, "takes", "draws")


# --- The Lovers (6) -------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.6")
@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_the_lovers_draw_two_cards_or_as_many_as_there_are(size):
    deck = [9, 11, 12][:size]
    s = scene(hands=(["The Lovers", 4], [8, 3]), deck=deck, turns_left=1)
    events = turn(s, "The Lovers", 8)
    assert cards_of(events, "draws") == [CARDS[card].id for card in deck[:2]]
    assert all(event["seen_by"] == [0] for event in of_kind(events, "draws"))
    assert cards_of(events, "wasted") == (["the_lovers"] if size == 0 else [])
    assert len(names_in(s, HAND)) == 1 + min(size, 2)


@pytest.mark.rule("tarot_duel", "5.6")
def test_cancelled_lovers_draw_nothing():
    s = scene(hands=(["The Lovers", 4], [8, 3]), deck=[9, 11], waiting=([], [1]), turns_left=1)
    assert not of_kind(turn(s, "The Lovers", 8, "cancel The Lovers"), "draws")


@pytest.mark.rule("tarot_duel", "5.6")
def test_the_lovers_draw_what_judgement_has_put_into_an_empty_deck():
    s = scene(hands=(["The Lovers", 4], ["Judgement", 3]), discards=[9, 11], turns_left=1)
    events = turn(s, "The Lovers", "Judgement")
    assert sorted(cards_of(events, "draws")) == ["justice", "the_hermit"]


# --- The Chariot (7) ------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.7")
def test_the_chariot_discards_any_card_of_the_other_hand_with_equal_chances():
    waiting = ([], ["The Empress", "The Tower"])
    s = scene(hands=(["The Chariot", 4], [8, 6, 9, 12]), waiting=waiting, deck=[10, 11])

    def look(copy, events):
        assert [e["seen_by"] for e in of_kind(events, "discards")] == [[0, 1]]
        return tuple(cards_of(events, "discards"))

    hit = shares(with_dice(s, ["play The Chariot", "play Strength"], look))
    assert set(hit) == {("the_lovers",), ("the_hermit",), ("the_hanged_man",)}
    assert all(0.24 < share < 0.43 for share in hit.values())


@pytest.mark.rule("tarot_duel", "5.7")
def test_the_chariot_finds_nothing_in_an_empty_hand():
    s = scene(hands=(["The Chariot", 4], [8]), waiting=([], [12]), deck=[10, 11])
    events = turn(s, "The Chariot", 8)
    assert cards_of(events, "wasted") == ["the_chariot"]
    assert not of_kind(events, "discards")


@pytest.mark.rule("tarot_duel", "5.7")
def test_a_cancelled_chariot_discards_nothing():
    s = scene(hands=(["The Chariot", 4], [8, 6]), waiting=([], [1]), deck=[10, 11])
    assert not of_kind(turn(s, "The Chariot", 8, "cancel The Chariot"), "discards")


WIDE = {"chariot_scope": "hand_and_table"}


@pytest.mark.rule("tarot_duel", "5.7")
def test_by_option_the_chariot_hits_hand_field_and_waiting_cards_of_the_other_alike():
    waiting = ([12], ["The Magician", "The Tower"])
    s = scene(hands=(["The Chariot", 4], [10, 6]), waiting=waiting, deck=[9, 11], rules=WIDE)
    actions = ["play The Chariot", "play Wheel of Fortune", "cancel nothing"]
    hit = shares(with_dice(s, actions, lambda _, events: tuple(cards_of(events, "discards"))))
    assert set(hit) == {("the_lovers",), ("wheel_of_fortune",), ("the_magician",), ("the_tower",)}
    assert all(0.17 < share < 0.33 for share in hit.values())


def only_hit(played, waiting=(), **more):
    """A wide Chariot of player_0 with one or two things to hit before player_1, who has no other card in hand."""
    return scene(hands=(["The Chariot", 4], [played]), waiting=([], waiting), deck=[9, 11, 6], rules=WIDE, **more)


@pytest.mark.rule("tarot_duel", "5.7")
def test_a_field_card_that_is_hit_fights_on_but_does_nothing_any_more():
    s = only_hit("The Hierophant")
    events = turn(s, "The Chariot", "The Hierophant")
    assert cards_of(events, "discards") == ["the_hierophant"]
    assert cards_of(events, "acts") == ["the_chariot"]
    assert not of_kind(events, "takes")
    assert result(events) == 0
    s = only_hit("The Hanged Man", turns_left=1)
    events = turn(s, "The Chariot", "The Hanged Man")
    assert result(events) == 1  # 12 against 7
    assert place(s, "The Hanged Man") == DISCARD
    s = only_hit("The Empress")
    turn(s, "The Chariot", "The Empress")
    assert place(s, "The Empress") == DISCARD


@pytest.mark.rule("tarot_duel", "5.7")
def test_a_hanged_man_that_is_hit_gains_nothing_at_the_end_of_the_turn():
    s = scene(hands=(["The Chariot", 4], [2]), waiting=([], ["The Hanged Man"]), deck=[9, 11], rules=WIDE)
    outcomes = shares(
        with_dice(
            s, ["play The Chariot", "play The High Priestess"], lambda c, e: (cards_of(e, "discards")[0], wins(c))
        )
    )
    assert set(outcomes) == {("the_hanged_man", (1, 0)), ("the_high_priestess", (1, 1))}


@pytest.mark.rule("tarot_duel", "5.7")
def test_a_temperance_that_is_hit_does_not_return():
    s = only_hit("Temperance")
    events = turn(s, "The Chariot", "Temperance")
    assert s.state.turn == 2
    assert place(s, "Temperance") == DISCARD
    assert result(events) == 1


@pytest.mark.rule("tarot_duel", "5.7")
def test_what_the_world_and_the_fool_claim_stands_when_they_are_hit():
    s = only_hit("The World")
    assert result(turn(s, "The Chariot", "The World")) == 1
    assert place(s, "The World") == DISCARD


@pytest.mark.rule("tarot_duel", "5.7")
def test_a_waiting_empress_that_is_hit_does_not_act():
    s = only_hit(2, ["The Empress"])
    outcomes = shares(
        with_dice(
            s, ["play The Chariot", "play The High Priestess"], lambda _, e: (cards_of(e, "discards")[0], result(e))
        )
    )
    assert set(outcomes) == {("the_empress", 0), ("the_high_priestess", 1)}


@pytest.mark.rule("tarot_duel", "5.7")
def test_what_a_card_has_done_before_it_is_hit_stands():
    s = only_hit("Wheel of Fortune")
    outcomes = shares(with_dice(s, ["play The Chariot", "play Wheel of Fortune"], lambda c, _: wins(c), throws=50))
    assert set(outcomes) == {(1, 1), (0, 2)}  # 10 against 7, and the win of the wheel
    s = only_hit("Temperance", wins=(1, 0))
    turn(s, "The Chariot", "Temperance")
    assert wins(s) == (1, 2)
    assert place(s, "Temperance") == DISCARD


@pytest.mark.rule("tarot_duel", "5.7")
def test_a_tower_that_is_hit_hides_the_deck_again():
    s = only_hit("The Tower")
    events = turn(s, "The Chariot", "The Tower")
    assert [e["kind"] for e in of_kind(events, "deck_opens", "deck_closes")] == ["deck_opens", "deck_closes"]
    assert s.state.tower_open == 0
    assert place(s, "The Tower") == DISCARD


# --- Strength (8) ---------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.8")
@pytest.mark.parametrize(("mine", "theirs", "winner"), [(9, 17, 0), (9, 19, 1), (4, 7, 0), (4, 9, 1), (0, 2, 1)])
def test_strength_doubles_the_number_of_its_owners_next_card(mine, theirs, winner):
    s = scene(hands=([8, mine], [5, theirs]), deck=[10, 11, 12, 13, 14, 15], turns_left=3)
    turn(s, 8, 5)
    assert place(s, "Strength") == WAITING
    assert result(whole_turn(s, mine, theirs)) == winner
    assert place(s, "Strength") == DISCARD


@pytest.mark.rule("tarot_duel", "5.8")
def test_strength_does_not_double_in_its_own_turn_nor_later_than_the_next():
    s = scene(hands=([8, 4, 6], [9, 5, 7]), deck=[10, 11, 12, 13, 14, 15])
    assert result(turn(s, 8, 9, "keep the order")) == 1
    assert result(whole_turn(s, 4, 5)) == 0
    assert result(whole_turn(s, 6, 7)) == 1


@pytest.mark.rule("tarot_duel", "5.8")
def test_strength_is_lost_in_a_turn_in_which_its_owner_plays_nothing():
    s = scene(hands=([], [4, 6]), waiting=(["Strength"], []), deck=[9, 10])
    assert int(s.state.turn) == 2
    assert place(s, "Strength") == DISCARD
    assert cards_of(last_events(s), "wasted") == ["strength"]
    assert result(whole_turn(s, 9, 6)) == 0
    assert s.state.doubled.tolist() == [0, 0]


@pytest.mark.rule("tarot_duel", "5.8")
def test_a_cancelled_strength_doubles_nothing():
    s = scene(hands=([8, 4], [6, 5]), waiting=([], [1]), deck=[10, 11, 12, 13])
    turn(s, 8, 6, "cancel Strength")
    assert place(s, "Strength") == DISCARD
    assert result(whole_turn(s, 4, 5)) == 1


# --- The Hermit (9) -------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.9")
@pytest.mark.parametrize("answer", ["keep the order", "exchange the top two cards"])
def test_the_hermit_looks_at_the_top_two_cards_and_may_exchange_them(answer):
    s = scene(hands=(["The Hermit", 4], [8, 6]), deck=["The Sun", "The Moon", "Death"])
    events = turn(s, "The Hermit", 8)
    looks = of_kind(events, "looks")
    assert [(e["card"], e["value"], e["seen_by"]) for e in looks] == [("the_sun", 0, [0]), ("the_moon", 1, [0])]
    assert asked(s) == (0, "swap")
    assert legal_names(s) == ["keep the order", "exchange the top two cards"]
    events = play(s, answer)
    kept = answer == "keep the order"
    assert of_kind(events, "orders") == [{"kind": "orders", "seat": 0, "value": 0 if kept else 1, "seen_by": [0]}]
    assert place(s, "The Sun") == (HAND if kept else HAND + 1)
    assert place(s, "The Moon") == (HAND + 1 if kept else HAND)
    assert names_in(s, DECK) == ["Death"]


@pytest.mark.rule("tarot_duel", "5.9")
def test_a_single_card_is_only_looked_at_and_none_is_nothing():
    s = scene(hands=(["The Hermit", 4], [8, 6]), deck=["The Sun"])
    events = turn(s, "The Hermit", 8)
    assert cards_of(events, "looks") == ["the_sun"]
    assert s.state.turn == 2
    s = scene(hands=(["The Hermit", 4], [8, 6]))
    events = turn(s, "The Hermit", 8)
    assert cards_of(events, "wasted") == ["the_hermit"]
    assert s.state.turn == 2


@pytest.mark.rule("tarot_duel", "5.9")
def test_the_other_learns_of_an_exchange_only_in_an_open_deck():
    s = scene(hands=(["The Hermit", 4], [8, 6]), deck=["The Sun", "The Moon"], waiting=([], ["The Tower"]))
    events = turn(s, "The Hermit", 8, "exchange the top two cards")
    assert of_kind(events, "orders")[0]["seen_by"] == [0, 1]


@pytest.mark.rule("tarot_duel", "5.9")
def test_a_cancelled_hermit_sees_nothing():
    s = scene(hands=(["The Hermit", 4], [8, 6]), deck=["The Sun", "The Moon"], waiting=([], [1]))
    events = turn(s, "The Hermit", 8, "cancel The Hermit")
    assert not of_kind(events, "looks")
    assert s.state.turn == 2


# --- Wheel of Fortune (10) ------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.10")
@pytest.mark.parametrize("seat", [0, 1])
def test_the_wheel_gives_a_win_to_either_player_by_a_fair_coin(seat):
    cards = ["Wheel of Fortune", "Justice"][:: 1 - 2 * seat]
    s = scene(hands=([cards[0], 4], [cards[1], 6]), deck=[7, 8])
    outcomes = shares(with_dice(s, [f"play {card}" for card in cards], lambda copy, _: wins(copy)))
    by_turn = (0, 1)[:: 1 - 2 * seat]  # Justice wins it, 11 against 10
    assert set(outcomes) == {(by_turn[0] + 1, by_turn[1]), (by_turn[0], by_turn[1] + 1)}
    assert all(0.4 < share < 0.6 for share in outcomes.values())


@pytest.mark.rule("tarot_duel", "5.10")
def test_a_cancelled_wheel_gives_nothing():
    s = scene(hands=(["Wheel of Fortune", 4], [11, 6]), waiting=([], [1]), deck=[7, 8])
    events = turn(s, "Wheel of Fortune", 11, "cancel Wheel of Fortune")
    assert not of_kind(events, "wheel")
    assert wins(s) == (0, 1)


@pytest.mark.rule("tarot_duel", "5.10")
def test_the_wheel_of_the_last_turn_counts_before_justice():
    s = scene(hands=(["Wheel of Fortune", 4], [12, 6]), waiting=(["Justice"], []), deck=[7], turns_left=1)
    outcomes = shares(with_dice(s, ["play Wheel of Fortune", "play The Hanged Man"], lambda copy, _: wins(copy)))
    assert set(outcomes) == {(0, 2), (2, 1)}  # level at 1 : 1, Justice gives one more


# --- Justice (11) ---------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.11")
@pytest.mark.parametrize("seat", [0, 1])
def test_justice_waits_and_gives_a_win_at_the_end_of_the_last_turn_if_both_are_level(seat):
    waiting = (["Justice"], []) if seat == 0 else ([], ["Justice"])
    s = scene(hands=([5, 4, 10], [3, 6, 12]), waiting=waiting, deck=[7, 8, 13, 14], wins=(0, 1), turns_left=2)
    events = turn(s, 5, 3)
    assert wins(s) == (1, 1)
    assert place(s, "Justice") == WAITING + seat
    assert not of_kind(events, "game_over")
    s = scene(hands=([5, 4], [3, 6]), waiting=waiting, deck=[7, 8], wins=(0, 1), turns_left=1)
    turn(s, 5, 3)
    assert wins(s) == ((2, 1), (1, 2))[seat]
    assert s.state.winner == seat
    assert place(s, "Justice") == DISCARD


@pytest.mark.rule("tarot_duel", "5.11")
def test_justice_gives_nothing_where_one_is_ahead():
    s = scene(hands=([5, 4], [3, 6]), waiting=(["Justice"], []), deck=[7, 8], wins=(0, 2), turns_left=1)
    turn(s, 5, 3)
    assert wins(s) == (1, 2)
    assert place(s, "Justice") == WAITING


@pytest.mark.rule("tarot_duel", "5.11")
def test_justice_played_in_the_last_turn_works_at_once():
    s = scene(hands=(["Justice", 4], [3, 6]), deck=[7, 8], wins=(0, 1), turns_left=1)
    turn(s, "Justice", 3)
    assert wins(s) == (2, 1)
    assert place(s, "Justice") == DISCARD


@pytest.mark.rule("tarot_duel", "5.11")
def test_a_justice_blocked_by_the_emperor_is_used_up():
    s = scene(hands=(["Justice", 6], [7, 9]), waiting=([], ["The Emperor"]), deck=[3], wins=(1, 1), turns_left=1)
    events = turn(s, "Justice", 7)
    assert cards_of(events, "wins_blocked") == ["justice", "justice"]  # the turn that it won, and its effect
    assert wins(s) == (1, 1)
    assert place(s, "Justice") == DISCARD


@pytest.mark.rule("tarot_duel", "5.11")
def test_a_cancelled_justice_gives_nothing():
    s = scene(hands=(["Justice", 4], [3, 6]), deck=[7, 8], waiting=([], [1]), wins=(0, 1), turns_left=1)
    turn(s, "Justice", 3, "cancel Justice")
    assert wins(s) == (1, 1)
    assert place(s, "Justice") == DISCARD


# --- The Hanged Man (12) --------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.12")
def test_the_hanged_man_gives_a_win_for_the_turn_that_he_lost():
    s = scene(hands=(["The Hanged Man", 4], ["The Tower", 6]), deck=[7, 8])
    events = turn(s, "The Hanged Man", "The Tower")
    assert (result(events), wins(s)) == (1, (1, 1))
    assert place(s, "The Hanged Man") == DISCARD


@pytest.mark.rule("tarot_duel", "5.12")
def test_the_hanged_man_waits_for_the_first_turn_that_his_owner_loses():
    s = scene(hands=(["The Hanged Man", 9, 4], [2, 6, 5]), deck=[8, 10, 13, 14, 15, 16, 17, 18, 19])
    for mine, theirs in ((12, 2), (9, 6)):
        assert result(whole_turn(s, mine, theirs)) == 0
        assert place(s, "The Hanged Man") == WAITING
    assert wins(s) == (2, 0)
    assert result(whole_turn(s, 4, 5)) == 1
    assert wins(s) == (3, 1)
    assert place(s, "The Hanged Man") == DISCARD


@pytest.mark.rule("tarot_duel", "5.12")
def test_a_drawn_turn_is_not_lost():
    s = scene(hands=([6, 4], ["The Hanged Man", 7]), waiting=(["Strength"], []), deck=[9, 10, 11, 13])
    assert result(turn(s, 6, "The Hanged Man")) == -1
    assert wins(s) == (0, 0)
    assert place(s, "The Hanged Man") == WAITING + 1


@pytest.mark.rule("tarot_duel", "5.12")
@pytest.mark.parametrize(("waits", "expected"), [(True, WAITING), (False, DISCARD)])
def test_by_option_the_hanged_man_is_discarded_after_the_turn_in_which_he_was_played(waits, expected):
    s = scene(hands=(["The Hanged Man", 4], [7, 6]), deck=[8, 9], rules={"hanged_man_waits": waits})
    turn(s, "The Hanged Man", 7)
    assert place(s, "The Hanged Man") == expected
    s = scene(hands=(["The Hanged Man", 4], [16, 6]), deck=[8, 9], rules={"hanged_man_waits": waits})
    turn(s, "The Hanged Man", 16)
    assert wins(s) == (1, 1)
    assert place(s, "The Hanged Man") == DISCARD


@pytest.mark.rule("tarot_duel", "5.12")
def test_a_cancelled_hanged_man_gives_nothing():
    s = scene(hands=(["The Hanged Man", 4], ["The Tower", 6]), waiting=([], [1]), deck=[7, 8])
    turn(s, "The Hanged Man", "The Tower", "cancel The Hanged Man")
    assert wins(s) == (0, 1)


@pytest.mark.rule("tarot_duel", "5.12")
def test_the_hanged_man_works_in_the_last_turn():
    s = scene(hands=(["The Hanged Man", 4], ["The Tower", 6]), deck=[7, 8], turns_left=1, wins=(1, 1))
    turn(s, "The Hanged Man", "The Tower")
    assert (wins(s), int(s.state.winner)) == ((2, 2), -1)


# --- Death (13) -----------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.13")
@pytest.mark.parametrize("left", [5, 4, 3, 2])
def test_death_loses_the_turn_and_makes_the_next_one_the_last(left):
    s = scene(hands=(["Death", 10], [4, 3]), deck=[7, 8, 9], turns_left=left)
    events = turn(s, "Death", 4)
    assert result(events) == 1
    assert [e["value"] for e in of_kind(events, "turns_left")] == [2, 1]
    assert turns_left(s) == 1
    assert result(turn(s, 10, 3)) == 0  # lost that turn alone
    assert s.state.over
    assert s.state.reason == LAST_TURN_PLAYED


@pytest.mark.rule("tarot_duel", "5.13")
@pytest.mark.parametrize("extends", [True, False])
def test_death_in_the_last_turn_adds_one_or_by_option_none(extends):
    s = scene(hands=(["Death", 10], [4, 3]), deck=[7, 8], turns_left=1, rules={"death_can_extend": extends})
    turn(s, "Death", 4)
    assert bool(s.state.over) != extends
    assert turns_left(s) == (1 if extends else 0)


@pytest.mark.rule("tarot_duel", "5.13")
@pytest.mark.parametrize("left", [5, 3, 2])
def test_death_shortens_a_game_under_either_option(left):
    s = scene(hands=(["Death", 10], [4, 3]), deck=[7, 8], turns_left=left, rules={"death_can_extend": False})
    turn(s, "Death", 4)
    assert turns_left(s) == 1


@pytest.mark.rule("tarot_duel", "5.13")
@pytest.mark.parametrize("left", [5, 1])
def test_death_has_the_last_word_over_the_star(left):
    s = scene(hands=(["Death", 10], ["The Star", 3]), deck=[7, 8], turns_left=left)
    events = turn(s, "Death", "The Star")
    assert [e["value"] for e in of_kind(events, "turns_left")] == [left + 1, 2, 1]


@pytest.mark.rule("tarot_duel", "5.13")
def test_the_turn_after_death_is_the_last_one_for_justice():
    s = scene(hands=(["Death", 10], [4, 3]), waiting=(["Justice"], []), deck=[7, 8], wins=(1, 0), turns_left=1)
    turn(s, "Death", 4)
    assert wins(s) == (1, 1)  # level, but a turn is left
    assert place(s, "Justice") == WAITING


@pytest.mark.rule("tarot_duel", "5.13")
def test_a_cancelled_death_does_nothing():
    s = scene(hands=(["Death", 10], [4, 3]), waiting=([], [1]), deck=[7, 8])
    events = turn(s, "Death", 4, "cancel Death")
    assert (result(events), turns_left(s)) == (0, 4)


# --- Temperance (14) ------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.14")
def test_temperance_gives_a_win_to_a_player_who_is_behind():
    s = scene(hands=(["Temperance", 10], ["The Tower", 3]), deck=[7, 8], wins=(0, 1))
    events = turn(s, "Temperance", "The Tower")
    assert (result(events), wins(s)) == (1, (1, 2))
    assert place(s, "Temperance") == DISCARD
    assert s.state.turn == 2


@pytest.mark.rule("tarot_duel", "5.14")
@pytest.mark.parametrize("before", [(0, 0), (1, 0)])
@pytest.mark.parametrize(("answer", "where"), [("take Temperance back", HAND), ("let Temperance go", DISCARD)])
def test_temperance_may_return_to_the_hand_of_a_player_who_is_not_behind(before, answer, where):
    s = scene(hands=(["Temperance", 10], ["The Tower", 3]), deck=[7, 8], wins=before)
    turn(s, "Temperance", "The Tower")
    assert asked(s) == (0, "return")
    assert place(s, "Temperance") == FIELD
    assert legal_names(s) == ["let Temperance go", "take Temperance back"]
    assert wins(s) == (before[0], before[1] + 1)  # the turn has been counted
    events = play(s, answer)
    assert place(s, "Temperance") == where
    assert [e["seen_by"] for e in of_kind(events, "returns")] == ([[0, 1]] if where == HAND else [])


@pytest.mark.rule("tarot_duel", "5.14")
def test_the_other_player_may_take_temperance_back_as_well():
    s = scene(hands=([10, 4], ["Temperance", 3]), deck=[7, 8])
    turn(s, 10, "Temperance")
    assert asked(s) == (1, "return")
    play(s, "take Temperance back")
    assert place(s, "Temperance") == HAND + 1


@pytest.mark.rule("tarot_duel", "5.14")
def test_a_cancelled_temperance_neither_gains_nor_returns():
    for before in ((0, 0), (0, 2)):
        s = scene(hands=(["Temperance", 10], ["The Tower", 3]), waiting=([], [1]), deck=[7, 8], wins=before)
        turn(s, "Temperance", "The Tower", "cancel Temperance")
        assert s.state.turn == 2
        assert wins(s) == (0, before[1] + 1)
        assert place(s, "Temperance") == DISCARD


@pytest.mark.rule("tarot_duel", "5.14")
def test_the_return_is_asked_even_after_the_last_turn():
    s = scene(hands=(["Temperance", 10], ["The Tower", 3]), deck=[7, 8], turns_left=1)
    turn(s, "Temperance", "The Tower")
    assert asked(s) == (0, "return")
    play(s, "take Temperance back")
    assert s.state.over
    assert place(s, "Temperance") == HAND


# --- The Devil (15) -------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.15")
def test_the_devil_discards_the_surplus_of_the_deck_from_the_top():
    s = scene(hands=(["The Devil", 10], [8, 3]), deck=[1, 2, 4, 5, 6, 7, 9], turns_left=1)
    events = turn(s, "The Devil", 8)
    assert cards_of(events, "discards") == ["the_magician", "the_high_priestess"]
    assert all(event["seen_by"] == [0, 1] for event in of_kind(events, "discards"))
    assert names_in(s, DECK) == [CARDS[card].name for card in (4, 5, 6, 7, 9)]
    assert holds(s, DISCARD, 1, 2)


@pytest.mark.rule("tarot_duel", "5.15")
def test_the_devil_fills_the_deck_up_with_random_discards_from_below():
    s = scene(hands=(["The Devil", 10], [8, 3]), deck=[1, 2, 4], discards=[5, 6, 7], turns_left=1)

    def look(copy, _):
        assert names_in(copy, DECK)[:3] == ["The Magician", "The High Priestess", "The Emperor"]
        return tuple(names_in(copy, DECK)[3:])

    decks = shares(with_dice(s, ["play The Devil", "play Strength"], look))
    assert set(decks) == set(permutations(["The Hierophant", "The Lovers", "The Chariot"], 2))
    assert all(0.09 < share < 0.25 for share in decks.values())


@pytest.mark.rule("tarot_duel", "5.15")
def test_the_devil_stops_when_the_discards_run_out():
    s = scene(hands=(["The Devil", 10], [8, 3]), deck=[1], discards=[5, 6], turns_left=1)
    turn(s, "The Devil", 8)
    assert names_in(s, DECK)[0] == "The Magician"
    assert holds(s, DECK, 5, 6)
    assert s.state.deck_size == 3
    assert holds(s, DISCARD, "The Devil")


@pytest.mark.rule("tarot_duel", "5.15")
@pytest.mark.parametrize(("deck", "discards"), [([1, 2, 4, 5, 6], [7, 9]), ([1, 2], []), ([], [])])
def test_the_devil_finds_nothing_to_do_with_a_deck_of_five_or_without_discards(deck, discards):
    s = scene(hands=(["The Devil", 10], [8, 3]), deck=deck, discards=discards, turns_left=1)
    assert cards_of(turn(s, "The Devil", 8), "wasted") == ["the_devil"]
    assert names_in(s, DECK) == [CARDS[card].name for card in deck]


@pytest.mark.rule("tarot_duel", "5.15")
def test_a_cancelled_devil_leaves_the_deck_alone():
    s = scene(hands=(["The Devil", 10], [8, 3]), deck=[2, 4, 5, 6, 7, 9], waiting=([], [1]), turns_left=1)
    turn(s, "The Devil", 8, "cancel The Devil")
    assert s.state.deck_size == 6


# --- The Tower (16) -------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.16")
def test_the_tower_opens_the_deck_to_both_players_for_good():
    s = scene(hands=(["The Tower", 10], [8, 3]), deck=[1, 2, 4, 5, 6])
    events = turn(s, "The Tower", 8)
    assert len(of_kind(events, "deck_opens")) == 1
    assert place(s, "The Tower") == WAITING
    assert s.state.tower_open
    for seat in range(2):
        assert "The Emperor at 1, The Hierophant at 2, The Lovers at 3" in described(s, seat)
    assert [e["seen_by"] for e in of_kind(events, "draws")] == [[0, 1], [0, 1]]


@pytest.mark.rule("tarot_duel", "5.16")
def test_what_is_put_into_an_open_deck_is_seen_too():
    s = scene(
        hands=(["Judgement", 10], [8, 3]), deck=[1, 2, 4], discards=[5, 6, 7], waiting=([], ["The Tower"]), turns_left=1
    )
    events = turn(s, "Judgement", 8)
    assert [e["seen_by"] for e in of_kind(events, "buries")] == [[0, 1]] * 3
    order = ", ".join(f"{name} at {i + 1}" for i, name in enumerate(names_in(s, DECK)))
    for seat in range(2):
        assert order in described(s, seat)


@pytest.mark.rule("tarot_duel", "5.16")
def test_the_deck_lies_open_before_lower_cards_act():
    s = scene(hands=(["The Tower", 10], ["The Lovers", 3]), deck=[1, 2, 4, 5, 7], turns_left=1)
    events = turn(s, "The Tower", "The Lovers")
    assert [(e["card"], e["seen_by"]) for e in of_kind(events, "draws")] == [
        ("the_magician", [0, 1]),
        ("the_high_priestess", [0, 1]),
    ]


@pytest.mark.rule("tarot_duel", "5.16")
def test_a_cancelled_tower_opens_nothing():
    s = scene(hands=(["The Tower", 10], [8, 3]), deck=[2, 4, 5], waiting=([], [1]))
    events = turn(s, "The Tower", 8, "cancel The Tower")
    assert [e["seen_by"] for e in of_kind(events, "draws")] == [[0], [1]]
    assert not s.state.tower_open


# --- The Star (17) --------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.17")
def test_the_star_adds_a_turn():
    s = scene(hands=(["The Star", 10], [8, 3]), deck=[2, 4], turns_left=5)
    events = turn(s, "The Star", 8)
    assert [e["value"] for e in of_kind(events, "turns_left")] == [6, 5]
    assert turns_left(s) == 5


@pytest.mark.rule("tarot_duel", "5.17")
def test_the_star_in_the_last_turn_makes_another_the_last():
    s = scene(hands=(["The Star", 10], [8, 3]), deck=[2, 4], turns_left=1, waiting=(["Justice"], []), wins=(0, 1))
    turn(s, "The Star", 8)
    assert not s.state.over
    assert turns_left(s) == 1
    assert wins(s) == (1, 1)  # level, but not the last turn any more
    assert place(s, "Justice") == WAITING


@pytest.mark.rule("tarot_duel", "5.17")
def test_a_cancelled_star_adds_nothing():
    s = scene(hands=(["The Star", 10], [8, 3]), deck=[2, 4], turns_left=1, waiting=([], [1]))
    turn(s, "The Star", 8, "cancel The Star")
    assert s.state.over


# --- The Moon (18) --------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.18")
@pytest.mark.parametrize(
    ("answer", "gone", "said"),
    [("discard the highest card", "The World", 1), ("discard the lowest card", "The Fool", 2)],
)
def test_the_moon_lets_the_other_give_away_his_highest_or_lowest_card_and_draw(answer, gone, said):
    s = scene(hands=(["The Moon", 10], [8, "The World", 5, "The Fool"]), deck=[2, 4], turns_left=1)
    turn(s, "The Moon", 8)
    assert asked(s) == (1, "discard_moon")
    assert legal_names(s) == ["discard the highest card", "discard the lowest card"]
    events = play(s, answer)
    assert place(s, gone) == DISCARD
    assert [(e["value"], e["seen_by"]) for e in of_kind(events, "discards")] == [(said, [0, 1])]
    assert [(e["card"], e["seen_by"]) for e in of_kind(events, "draws")] == [("the_high_priestess", [1])]
    assert len(names_in(s, HAND + 1)) == 3


@pytest.mark.rule("tarot_duel", "5.18")
def test_a_single_card_goes_to_the_moon_without_a_question():
    s = scene(hands=([8, 5], ["The Moon", 10]), deck=[2, 4], turns_left=1)
    events = turn(s, 8, "The Moon")
    assert cards_of(events, "discards") == ["the_hierophant"]
    assert names_in(s, HAND) == ["The High Priestess"]


@pytest.mark.rule("tarot_duel", "5.18")
def test_the_moon_lets_a_player_without_cards_draw():
    s = scene(hands=(["The Moon", 10], [8]), deck=[2, 4], turns_left=1)
    events = turn(s, "The Moon", 8)
    assert not of_kind(events, "discards", "wasted")
    assert names_in(s, HAND + 1) == ["The High Priestess"]


@pytest.mark.rule("tarot_duel", "5.18")
def test_the_moon_finds_nothing_when_there_is_neither_hand_nor_deck():
    s = scene(hands=(["The Moon", 10], [8]), turns_left=1)
    assert cards_of(turn(s, "The Moon", 8), "wasted") == ["the_moon"]
    s = scene(hands=(["The Moon", 10], [8, 5]), turns_left=1)
    events = turn(s, "The Moon", 8)
    assert cards_of(events, "discards") == ["the_hierophant"]
    assert not of_kind(events, "draws", "wasted")


@pytest.mark.rule("tarot_duel", "5.18")
def test_a_cancelled_moon_takes_nothing():
    s = scene(hands=(["The Moon", 10], [8, 5]), deck=[2, 4], waiting=([], [1]), turns_left=1)
    assert not of_kind(turn(s, "The Moon", 8, "cancel The Moon"), "discards", "draws")


# --- The Sun (19) ---------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.19")
@pytest.mark.parametrize("gone", ["The Emperor", "Wheel of Fortune", "The High Priestess"])
def test_the_sun_draws_a_card_and_discards_any_card_of_the_hand(gone):
    s = scene(hands=(["The Sun", 10, 4], [8, 5]), deck=[2, 7], turns_left=1)
    events = turn(s, "The Sun", 8)
    assert cards_of(events, "draws") == ["the_high_priestess"]
    assert asked(s) == (0, "discard_sun")
    assert legal_names(s) == ["discard The High Priestess", "discard The Emperor", "discard Wheel of Fortune"]
    play(s, f"discard {gone}")
    assert place(s, gone) == DISCARD
    assert len(names_in(s, HAND)) == 2


@pytest.mark.rule("tarot_duel", "5.19")
def test_the_sun_discards_a_single_card_without_asking():
    s = scene(hands=(["The Sun"], [8, 5]), deck=[2, 7], turns_left=1)
    assert cards_of(turn(s, "The Sun", 8), "discards") == ["the_high_priestess"]
    s = scene(hands=(["The Sun", 10], [8, 5]), turns_left=1)
    assert cards_of(turn(s, "The Sun", 8), "discards") == ["wheel_of_fortune"]


@pytest.mark.rule("tarot_duel", "5.19")
def test_the_sun_discards_from_the_hand_though_the_deck_is_empty():
    s = scene(hands=(["The Sun", 10, 4], [8, 5]), turns_left=1)
    turn(s, "The Sun", 8)
    assert legal_names(s) == ["discard The Emperor", "discard Wheel of Fortune"]


@pytest.mark.rule("tarot_duel", "5.19")
def test_the_sun_finds_nothing_without_hand_and_deck():
    s = scene(hands=(["The Sun"], [8, 5]), turns_left=1)
    events = turn(s, "The Sun", 8)
    assert cards_of(events, "wasted") == ["the_sun"]
    assert not of_kind(events, "discards")


@pytest.mark.rule("tarot_duel", "5.19")
def test_a_cancelled_sun_does_nothing():
    s = scene(hands=(["The Sun", 4], [8, 5]), deck=[2], waiting=([], [1]), turns_left=1)
    assert not of_kind(turn(s, "The Sun", 8, "cancel The Sun"), "draws", "discards")


# --- Judgement (20) -------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.20")
def test_judgement_shuffles_all_discards_and_puts_them_under_the_deck():
    waiting = (["Justice"], [])
    s = scene(hands=(["Judgement", 4], [8, 3]), deck=[1, 2], discards=[5, 6, 7], waiting=waiting, turns_left=1)

    def look(copy, events):
        assert names_in(copy, DECK)[:2] == ["The Magician", "The High Priestess"]
        assert [e["seen_by"] for e in of_kind(events, "buries")] == [[]] * 3
        assert (names_in(copy, WAITING), names_in(copy, DISCARD)) == (["Justice"], ["Judgement"])
        return tuple(names_in(copy, DECK)[2:])

    orders = shares(with_dice(s, ["play Judgement", "play Strength"], look))
    assert set(orders) == set(permutations(["The Hierophant", "The Lovers", "The Chariot"]))
    assert all(0.09 < share < 0.25 for share in orders.values())


@pytest.mark.rule("tarot_duel", "5.20")
def test_judgement_finds_nothing_without_discards():
    s = scene(hands=(["Judgement", 4], [8, 3]), deck=[1, 2], turns_left=1)
    assert cards_of(turn(s, "Judgement", 8), "wasted") == ["judgement"]
    assert s.state.deck_size == 2


@pytest.mark.rule("tarot_duel", "5.20")
def test_judgement_gives_the_devil_a_larger_deck_to_cut():
    s = scene(hands=(["Judgement", 4], ["The Devil", 3]), deck=[1, 2], discards=[5, 6, 7, 9], turns_left=1)
    events = turn(s, "Judgement", "The Devil")
    assert cards_of(events, "discards") == ["the_magician"]
    assert s.state.deck_size == 5


@pytest.mark.rule("tarot_duel", "5.20")
def test_a_cancelled_judgement_leaves_the_discards():
    s = scene(hands=(["Judgement", 4], [8, 3]), deck=[2], discards=[5, 6], waiting=([], [1]), turns_left=1)
    turn(s, "Judgement", 8, "cancel Judgement")
    assert holds(s, DISCARD, 5, 6)


# --- The World (21) -------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "5.21")
@pytest.mark.parametrize("other", range(21))
def test_the_world_beats_every_card_but_the_fool(other):
    rest = [c for c in (3, 4, 6, 7, 8, 9, 11, 12) if c != other]
    s = scene(hands=(["The World", rest[0]], [other, rest[1]]), deck=rest[2:])
    assert result(whole_turn(s, "The World", other)) == (1 if other == 0 else 0)


@pytest.mark.rule("tarot_duel", "5.21")
def test_the_world_beats_a_doubled_number_and_a_waiting_empress():
    waiting = ([], ["The Empress", "Strength"])
    s = scene(hands=(["The World", 4], ["The Star", 5]), waiting=waiting, deck=[6, 7])
    assert result(turn(s, "The World", "The Star")) == 0
    assert holds(s, DISCARD, "The Empress", "Strength")  # they have had their turn


@pytest.mark.rule("tarot_duel", "5.21")
@pytest.mark.parametrize("beats", [False, True])
def test_by_option_a_waiting_empress_beats_the_world(beats):
    s = scene(
        hands=(["The World", 4], ["Death", 5]),
        waiting=([], ["The Empress"]),
        deck=[6, 7],
        rules={"empress_beats_world": beats},
    )
    assert result(turn(s, "The World", "Death")) == (1 if beats else 0)


@pytest.mark.rule("tarot_duel", "5.21")
def test_the_world_wins_the_turn_but_gains_nothing_under_the_emperor():
    s = scene(hands=(["The World", 3], [8, 5]), waiting=([], ["The Emperor"]), deck=[6, 7])
    events = turn(s, "The World", 8)
    assert (result(events), wins(s)) == (0, (0, 0))


@pytest.mark.rule("tarot_duel", "5.21")
def test_the_world_cannot_be_cancelled():
    s = scene(hands=(["The World", 3], [20, 5]), waiting=([], [1]), deck=[6, 7])
    turn(s, "The World", "Judgement")
    assert legal_names(s) == ["cancel Judgement", "cancel nothing"]
    assert result(play(s, "cancel nothing")) == 0
