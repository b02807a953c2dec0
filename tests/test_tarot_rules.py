"""Sections 1 to 4 and 7 of the rules of Tarot Duel: places, the turn, waiting and cancelling, the end."""

import numpy as np
import pytest
from tarot_scenes import GAME, legal_names, names_in, place, play, scene
from tarot_turns import asked, cards_of, holds, of_kind, random_plays, result, turn, turns_left, whole_turn, wins

from duelbench.envs.errors import BadInput
from duelbench.envs.tarot_duel.cards import CARDS, NUM_CARDS
from duelbench.envs.tarot_duel.state import (
    DECK,
    DISCARD,
    FIELD,
    HAND,
    LAST_TURN_PLAYED,
    MAX_EVENTS,
    NUM_ACTIONS,
    SPARE,
    TURN_CAP,
    WAITING,
)

# --- 1. Cards and places --------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "1.1")
def test_the_cards_are_numbered_from_the_fool_to_the_world_and_each_has_its_own_effect():
    assert [card.number for card in CARDS] == list(range(22))
    assert (CARDS[0].name, CARDS[21].name) == ("The Fool", "The World")
    assert sorted(card.effect for card in CARDS) == list(range(22))
    assert [int(card.number) for card in GAME.table().cards] == list(range(22))


@pytest.mark.rule("tarot_duel", "1.2")
def test_a_card_is_always_in_exactly_one_place():
    for s in random_plays(20):
        deck = s.state.deck[: int(s.state.deck_size)].tolist()
        assert sorted(deck) == [card for card in range(NUM_CARDS) if s.state.zone[card] == DECK]
        assert (s.state.deck[int(s.state.deck_size) :] == NUM_CARDS).all()
        assert all(s.state.zone[s.state.chosen[seat]] == HAND + seat for seat in range(2) if s.state.chosen[seat] < 22)
        assert (s.state.zone == SPARE).sum() == 5


@pytest.mark.rule("tarot_duel", "1.3")
def test_both_see_field_waiting_cards_discards_spare_cards_and_how_many_cards_hands_and_deck_hold():
    s = scene(
        hands=(["The Moon", "The Hermit"], ["Strength", "Justice", "The Star"]),
        deck=["The Sun", "The World"],
        discards=["The Devil"],
        waiting=(["The Hanged Man"], ["The Tower"]),
    )
    turn(s, "The Moon", "Strength")  # player_1 now has to give a card away to the Moon
    size = {name: GAME.view_dtype.fields[name][1] // 4 for name in GAME.view_dtype.names}
    for seat in range(2):
        view = GAME.observation(s.table, s.state, seat)
        mine, other = seat * 22, (1 - seat) * 22
        assert view[size["field"] + mine + 18] == view[size["field"] + other + 8] == 1
        assert view[size["waiting"] + mine + 12] == view[size["waiting"] + other + 16] == 1
        assert view[size["discard"] + 15] == view[size["spare"] + 0] == 1
        hands = [1 / 10, 2 / 10]
        assert view[size["hand_size"]] == pytest.approx(hands[seat])
        assert view[size["hand_size"] + 1] == pytest.approx(hands[1 - seat])
        assert view[size["deck_size"]] == pytest.approx(2 / 11)


@pytest.mark.rule("tarot_duel", "1.4")
def test_every_discard_is_shown_to_both_players():
    for s in random_plays(20):
        for event in map(GAME.event_data, GAME.events(s.state)):
            if event["kind"] in ("discards", "leaves_play"):
                assert event["seen_by"] == [0, 1]


@pytest.mark.rule("tarot_duel", "1.4")
def test_a_card_given_away_from_the_hand_is_shown():
    s = scene(hands=(["The Moon", "The Hermit"], ["Strength", "Justice", "The Star"]), deck=["The Sun"])
    events = turn(s, "The Moon", "Strength", "discard the highest card")
    assert of_kind(events, "discards") == [
        {"kind": "discards", "seat": 1, "card": "the_star", "value": 1, "seen_by": [0, 1]}
    ]


# --- 2. Setup -------------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "2.1")
def test_a_fair_coin_decides_who_draws_first():
    first = [int(GAME.dealt(GAME.table(), seed).first) for seed in range(400)]
    assert set(first) == {0, 1}
    assert 150 < sum(first) < 250


@pytest.mark.rule("tarot_duel", "2.1")
def test_the_drawing_order_holds_for_the_whole_game():
    first = None
    for s in random_plays(10):
        first = int(s.state.first) if s.state.turn == 1 else first
        assert s.state.first == first


@pytest.mark.rule("tarot_duel", "2.2")
def test_five_spare_cards_are_laid_open_and_stay_out_of_play():
    spare = None
    for s in random_plays(20):
        lying = np.flatnonzero(s.state.zone == SPARE).tolist()
        spare = lying if s.state.turn == 1 else spare
        assert len(lying) == 5
        assert lying == spare


@pytest.mark.rule("tarot_duel", "2.2")
def test_no_effect_reaches_the_spare_cards():
    s = scene(hands=(["The Hierophant", "The Hermit"], ["Judgement", "Strength"]), deck=["The Sun"])
    spare = names_in(s, SPARE)
    events = turn(s, "The Hierophant", "Judgement")
    assert [e["card"] for e in of_kind(events, "wasted")] == ["judgement"]
    assert names_in(s, SPARE) == spare
    assert "The Sun" in names_in(s, HAND)  # drawn, for want of discards


@pytest.mark.rule("tarot_duel", "2.3")
def test_each_player_draws_three_cards_and_one_more_in_the_first_turn():
    for seed in range(10):
        state = GAME.dealt(GAME.table(), seed)
        first = int(state.first)
        events = [GAME.event_data(event) for event in GAME.events(state)]
        assert [e["kind"] for e in events] == ["first_drawer", *["draws"] * 6, "turn_begins", "draws", "draws"]
        assert [e["seat"] for e in of_kind(events, "draws")] == [first] * 3 + [1 - first] * 3 + [first, 1 - first]
        assert (state.zone == HAND).sum() == (state.zone == HAND + 1).sum() == 4
        assert state.deck_size == 22 - 5 - 2 * 3 - 2 == 9


@pytest.mark.rule("tarot_duel", "2.4")
def test_a_game_begins_with_five_turns_left_and_no_wins():
    state = GAME.dealt(GAME.table(), 1)
    assert (state.turns_left, state.turn, state.wins.tolist(), state.over) == (5, 1, [0, 0], 0)


# --- 3. The turn ----------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "3.1")
@pytest.mark.parametrize("first", [0, 1])
def test_the_first_drawer_draws_the_top_card_and_the_other_the_next(first):
    s = scene(
        hands=(["Justice"], ["Strength"]), deck=["The Sun", "The Moon", "The Star"], first=first, before_draw=True
    )
    assert place(s, "The Sun") == HAND + first
    assert place(s, "The Moon") == HAND + 1 - first
    assert names_in(s, DECK) == ["The Star"]


@pytest.mark.rule("tarot_duel", "3.1")
@pytest.mark.parametrize("first", [0, 1])
def test_the_last_card_goes_to_the_first_drawer(first):
    s = scene(hands=(["Justice"], ["Strength"]), deck=["The Sun"], first=first, before_draw=True)
    assert place(s, "The Sun") == HAND + first
    assert len(names_in(s, HAND + 1 - first)) == 1


@pytest.mark.rule("tarot_duel", "3.1")
def test_from_an_empty_deck_nobody_draws_nobody_loses_and_the_discards_stay():
    s = scene(hands=(["Justice"], ["Strength"]), discards=["The Sun", "The Moon"], before_draw=True)
    assert (names_in(s, HAND), names_in(s, HAND + 1)) == (["Justice"], ["Strength"])
    assert names_in(s, DISCARD) == ["The Moon", "The Sun"]
    assert asked(s) == (0, "set")
    assert wins(s) == (0, 0)


@pytest.mark.rule("tarot_duel", "3.2")
def test_each_player_must_set_one_card_of_his_hand():
    s = scene(hands=(["Justice", "The Sun"], ["Strength", "The Moon", "Death"]), deck=["The Star"])
    assert asked(s) == (0, "set")
    assert legal_names(s) == ["play Justice", "play The Sun"]
    play(s, "play The Sun")
    assert asked(s) == (1, "set")
    assert legal_names(s) == ["play Strength", "play Death", "play The Moon"]


@pytest.mark.rule("tarot_duel", "3.2")
def test_a_player_with_one_card_must_set_it():
    s = scene(hands=(["Justice"], ["Strength"]), deck=["The Star"])
    assert legal_names(s) == ["play Justice"]


@pytest.mark.rule("tarot_duel", "3.2")
def test_a_hand_has_no_limit():
    s = scene(hands=(["The Lovers", 7, 9, 10, 11, 12, 13], ["Strength", 4]), deck=[14, 15, 16, 17])
    turn(s, "The Lovers", "Strength")
    assert len(names_in(s, HAND)) == 6 + 2 + 1


@pytest.mark.rule("tarot_duel", "3.2")
def test_a_card_that_is_set_stays_in_the_hand_for_the_other_player_until_both_have_chosen():
    views = []
    for choice in ("Justice", "The Sun"):
        s = scene(hands=(["Justice", "The Sun"], ["Strength", "The Moon"]), deck=["The Star"])
        events = play(s, f"play {choice}")
        assert [(e["kind"], e["seen_by"]) for e in events] == [("sets", [0])]
        assert holds(s, HAND, "Justice", "The Sun")
        views.append((GAME.observation(s.table, s.state, 1).tolist(), GAME.describe(s.table, s.state, 1)))
    assert views[0] == views[1]


@pytest.mark.rule("tarot_duel", "3.3")
@pytest.mark.parametrize("hands", [(["Justice", "Death"], []), ([], ["Justice", "Death"]), ([], [])])
def test_if_a_player_has_no_card_neither_sets_one_and_the_turn_is_drawn(hands):
    s = scene(hands=hands, turns_left=1, wins=(2, 2))
    assert s.state.over
    assert wins(s) == (2, 2)
    assert s.state.winner == -1
    assert holds(s, HAND if hands[0] else HAND + 1, *hands[0], *hands[1])
    kinds = [GAME.event_data(event)["kind"] for event in GAME.events(s.state)]
    assert kinds == ["no_play", "turn_drawn", "turns_left", "game_over"]


@pytest.mark.rule("tarot_duel", "3.3")
def test_a_turn_without_play_counts_as_a_turn():
    s = scene(hands=(["Justice"], []), deck=["The Sun", "The Moon"], turns_left=3)
    assert (int(s.state.turn), turns_left(s)) == (2, 2)
    assert (names_in(s, HAND), names_in(s, HAND + 1)) == (["Justice", "The Sun"], ["The Moon"])
    assert asked(s) == (0, "set")


@pytest.mark.rule("tarot_duel", "3.3")
def test_a_waiting_empress_decides_a_turn_without_play():
    s = scene(hands=(["Justice"], []), waiting=([], ["The Empress"]), deck=["The Sun", "The Moon"])
    assert wins(s) == (0, 1)
    assert place(s, "The Empress") == DISCARD


@pytest.mark.rule("tarot_duel", "3.3")
def test_the_end_of_a_turn_without_play_is_played_like_any_other():
    s = scene(waiting=(["The Empress", "Justice"], ["The Hanged Man"]), turns_left=1)
    # the Empress wins the turn, the Hanged Man has lost it, and Justice finds both equal
    assert wins(s) == (2, 1)
    assert holds(s, DISCARD, "The Empress", "Justice", "The Hanged Man")
    assert s.state.winner == 0


LONE = {"lone_player_plays": True}


@pytest.mark.rule("tarot_duel", "3.3")
@pytest.mark.parametrize("seat", [0, 1])
def test_by_option_the_player_with_cards_plays_alone_and_his_card_acts_in_a_drawn_turn(seat):
    cards = ["The Lovers", "The Hermit"]
    s = scene(hands=(cards, []) if seat == 0 else ([], cards), deck=[17, 18, 19, 20], first=seat, rules=LONE)
    assert asked(s) == (seat, "set")
    assert legal_names(s) == ["play The Lovers", "play The Hermit"]
    events = play(s, "play The Lovers")
    assert result(events) == -1
    assert wins(s) == (0, 0)
    assert holds(s, HAND + seat, 17, 18, 19)
    assert place(s, "The Lovers") == DISCARD


@pytest.mark.rule("tarot_duel", "3.3")
def test_by_option_too_nobody_plays_when_both_hands_are_empty():
    s = scene(deck=["The Sun", "The Moon"], rules=LONE)
    assert (int(s.state.turn), turns_left(s), wins(s)) == (2, 4, (0, 0))


@pytest.mark.rule("tarot_duel", "3.3")
def test_a_death_played_alone_loses_the_turn():
    s = scene(hands=(["Death", "The Hermit"], []), deck=[17, 18, 19], rules=LONE)
    events = play(s, "play Death")
    assert result(events) == 1
    assert (wins(s), turns_left(s)) == ((0, 1), 1)


@pytest.mark.rule("tarot_duel", "3.3")
@pytest.mark.parametrize("card", ["The World", "The Fool", "The Tower"])
def test_a_card_played_alone_beats_nothing(card):
    s = scene(hands=([card, "The Hermit"], []), deck=[17, 18, 19], rules=LONE)
    assert result(play(s, f"play {card}")) == -1
    assert wins(s) == (0, 0)


@pytest.mark.rule("tarot_duel", "3.3")
def test_the_empress_decides_a_turn_that_the_other_plays_alone():
    s = scene(hands=(["The World", "The Hermit"], []), waiting=([], ["The Empress"]), deck=[17, 18, 19], rules=LONE)
    assert result(play(s, "play The World")) == 1


@pytest.mark.rule("tarot_duel", "3.3")
def test_a_magician_may_be_used_against_a_card_played_alone():
    s = scene(hands=(["Death", "The Hermit"], []), waiting=([], ["The Magician"]), deck=[17, 18, 19], rules=LONE)
    play(s, "play Death")
    assert asked(s) == (1, "negate")
    assert result(play(s, "cancel Death")) == -1
    assert turns_left(s) == 4


@pytest.mark.rule("tarot_duel", "3.4")
def test_both_cards_are_turned_up_before_anything_acts():
    s = scene(hands=(["The Sun", "The Hermit"], ["The Moon", "Justice"]), deck=[3, 4, 5])
    events = turn(s, "The Sun", "The Moon")
    kinds = [e["kind"] for e in events]
    assert kinds[:5] == ["sets", "sets", "plays", "plays", "acts"]
    assert [e["seen_by"] for e in of_kind(events, "plays")] == [[0, 1], [0, 1]]
    assert (place(s, "The Sun"), place(s, "The Moon")) == (FIELD, FIELD + 1)


@pytest.mark.rule("tarot_duel", "3.4")
def test_what_the_fool_beats_is_settled_by_the_printed_number():
    for name, doubled, winner in (("The Hermit", 18, 1), ("Temperance", 28, 1), ("The Devil", 30, 0)):
        s = scene(
            hands=(["The Fool", "The Hanged Man"], [name, "Justice"]), waiting=([], ["Strength"]), deck=[1, 2, 3, 4, 5]
        )
        events = whole_turn(s, "The Fool", name)
        assert doubled == 2 * [card.name for card in CARDS].index(name)
        assert result(events) == winner


@pytest.mark.rule("tarot_duel", "3.5")
def test_the_magician_may_be_used_before_anything_acts_and_before_any_other_choice():
    s = scene(
        hands=(["The Sun", "The Hermit"], ["The Moon", "Justice"]), waiting=([], ["The Magician"]), deck=[3, 4, 5]
    )
    events = turn(s, "The Sun", "The Moon")
    assert not of_kind(events, "acts")
    assert asked(s) == (1, "negate")
    assert legal_names(s) == ["cancel The Moon", "cancel The Sun", "cancel nothing"]
    events = play(s, "cancel nothing")
    assert of_kind(events, "declines", "acts") == [
        {"kind": "declines", "seat": 1, "card": "the_magician", "value": 0, "seen_by": [0, 1]},
        {"kind": "acts", "seat": 0, "card": "the_sun", "value": 0, "seen_by": [0, 1]},
    ]
    assert asked(s) == (0, "discard_sun")


@pytest.mark.rule("tarot_duel", "3.5")
def test_a_magician_that_is_kept_may_be_used_in_every_later_turn():
    s = scene(hands=(["The Magician", "The Hermit", 4], ["The Devil", "Justice", 7]), deck=[2, 3, 5, 6, 8])
    turn(s, "The Magician", "The Devil", "cancel nothing")
    assert place(s, "The Magician") == WAITING
    for mine, theirs in ((9, 11), (4, 7)):
        events = whole_turn(s, mine, theirs)
        assert cards_of(events, "declines") == ["the_magician"]


@pytest.mark.rule("tarot_duel", "3.5")
def test_nobody_is_asked_about_a_magician_who_can_cancel_nothing():
    for other in ("The World", "The Fool"):
        s = scene(hands=(["The Magician", "The Hermit"], [other, "Justice"]), deck=[2, 3, 5])
        assert result(turn(s, "The Magician", other)) in (0, 1)
        assert place(s, "The Magician") == WAITING
    s = scene(hands=(["The Hermit"], []), waiting=(["The Magician"], []), deck=[2, 3])
    assert int(s.state.turn) == 2  # a turn without play went by


@pytest.mark.rule("tarot_duel", "3.6")
@pytest.mark.parametrize("swapped", [False, True])
def test_cards_act_from_the_highest_number_down_whoever_played_them(swapped):
    pairs = [("Judgement", "The Tower"), ("The Star", "Death"), ("Wheel of Fortune", "The Lovers")]
    for high, low in pairs:
        cards = (low, high) if swapped else (high, low)
        s = scene(hands=([cards[0], 3], [cards[1], 4]), deck=[1, 2, 5, 7, 8], discards=[9])
        events = turn(s, *cards)
        assert cards_of(events, "acts") == [name.lower().replace(" ", "_") for name in (high, low)]


@pytest.mark.rule("tarot_duel", "3.6")
def test_a_waiting_card_acts_at_its_own_number():
    waiting = (["Strength"], ["The Empress", "The Emperor"])
    s = scene(hands=(["Wheel of Fortune", "Justice"], ["The Lovers", "Death"]), waiting=waiting, deck=[14, 15, 16, 17])
    events = turn(s, "Wheel of Fortune", "The Lovers")
    order = [e["card"] for e in of_kind(events, "acts", "waiting_acts")]
    assert order == ["wheel_of_fortune", "strength", "the_lovers", "the_emperor", "the_empress"]


@pytest.mark.rule("tarot_duel", "3.6")
def test_a_doubled_number_changes_nothing_in_the_order():
    s = scene(
        hands=(["The Hermit", "Justice"], ["Wheel of Fortune", "Death"]), waiting=(["Strength"], []), deck=[14, 15, 16]
    )
    events = turn(s, "The Hermit", "Wheel of Fortune", "keep the order")
    assert [e["card"] for e in of_kind(events, "acts")] == ["wheel_of_fortune", "the_hermit"]
    assert result(events) == 0  # 18 against 10


@pytest.mark.rule("tarot_duel", "3.7")
def test_the_larger_number_wins_where_nothing_else_decides():
    for mine, theirs, winner in ((12, 11, 0), (3, 4, 1), (11, 3, 0)):
        s = scene(hands=([mine, 1], [theirs, 2]), deck=[5, 6, 7])
        assert result(turn(s, mine, theirs)) == winner
        assert wins(s) == ((1, 0), (0, 1))[winner]


@pytest.mark.rule("tarot_duel", "3.7")
@pytest.mark.parametrize(
    ("mine", "theirs", "waiting", "winner"),
    [
        ("The Fool", "The World", ([], []), 0),
        ("The Fool", "The World", ([], ["The Empress"]), 0),
        ("The Fool", "The Tower", ([], ["The Empress"]), 0),
        ("The Fool", "The Hanged Man", ([], []), 1),
        ("The Fool", "Death", ([], []), 0),
        ("The Fool", "Death", ([], ["The Empress"]), 1),
        ("The World", "The Tower", ([], ["The Empress"]), 0),
        ("The World", "Death", ([], ["The Empress"]), 0),
        ("The World", "The Tower", ([], ["Strength"]), 0),
        ("Death", "The Emperor", ([], []), 1),
        ("Death", "The Tower", ([], []), 1),
        ("Death", "The Tower", (["The Empress"], []), 0),
        ("Death", "The Tower", ([], ["The Empress"]), 1),
        ("The Emperor", "The Tower", (["The Empress"], []), 0),
    ],
)
def test_fool_before_world_before_empress_and_death_before_the_numbers(mine, theirs, waiting, winner):
    s = scene(hands=([mine, 1], [theirs, 2]), deck=[5, 6, 7], waiting=waiting)
    assert result(turn(s, mine, theirs)) == winner
    assert wins(s) == ((1, 0), (0, 1))[winner]


@pytest.mark.rule("tarot_duel", "3.7")
def test_an_overridden_death_still_makes_the_next_turn_the_last():
    s = scene(hands=(["Death", 1], ["The Tower", 2]), deck=[5, 6, 7], waiting=(["The Empress"], []))
    turn(s, "Death", "The Tower")
    assert (wins(s), turns_left(s)) == ((1, 0), 1)


@pytest.mark.rule("tarot_duel", "3.7")
def test_by_option_the_empress_beats_the_world_but_not_the_fool():
    rules = {"empress_beats_world": True}
    for mine, theirs, winner in (
        ("The World", "The Tower", 1),
        ("The World", "Death", 1),
        ("The Fool", "The World", 0),
    ):
        s = scene(hands=([mine, 1], [theirs, 2]), deck=[5, 6, 7], waiting=([], ["The Empress"]), rules=rules)
        assert result(turn(s, mine, theirs)) == winner
    s = scene(hands=(["The World", 1], ["The Tower", 2]), deck=[5, 6, 7], waiting=(["The Empress"], []), rules=rules)
    assert result(turn(s, "The World", "The Tower")) == 0


@pytest.mark.rule("tarot_duel", "3.8")
@pytest.mark.parametrize(("low", "high"), [("The Hierophant", "Wheel of Fortune"), ("The Lovers", "The Hanged Man")])
def test_equal_numbers_draw_the_turn(low, high):
    s = scene(hands=([low, 1], [high, 2]), deck=[11, 13, 14, 15], waiting=(["Strength"], []), wins=(1, 1))
    events = turn(s, low, high)
    assert result(events) == -1
    gained = sum(e["value"] for e in of_kind(events, "wins_added"))
    assert gained == (1 if high == "Wheel of Fortune" else 0)  # the wheel's own win, not the turn's


@pytest.mark.rule("tarot_duel", "3.9")
def test_the_winner_of_the_turn_gains_one_win_and_one_turn_less_is_left():
    s = scene(hands=([12, 1], [11, 2]), deck=[5, 6], wins=(2, 3), turns_left=4)
    events = turn(s, 12, 11)
    assert (wins(s), turns_left(s)) == ((3, 3), 3)
    assert of_kind(events, "wins_added") == [
        {"kind": "wins_added", "seat": 0, "card": "the_hanged_man", "value": 1, "seen_by": [0, 1]}
    ]


@pytest.mark.rule("tarot_duel", "3.9")
def test_a_blocked_player_wins_the_turn_without_gaining():
    s = scene(hands=([11, 1], [9, 2]), deck=[5, 6, 7], waiting=([], ["The Emperor"]), wins=(2, 2))
    events = turn(s, 11, 9, "keep the order")
    assert result(events) == 0
    assert [e["value"] for e in of_kind(events, "wins_blocked")] == [1]
    assert wins(s) == (2, 2)


@pytest.mark.rule("tarot_duel", "3.9")
def test_the_emperor_does_not_block_his_owner():
    s = scene(hands=([11, 1], [9, 2]), deck=[5, 6, 7], waiting=(["The Emperor"], []))
    turn(s, 11, 9, "keep the order")
    assert wins(s) == (1, 0)


@pytest.mark.rule("tarot_duel", "3.9")
def test_the_loser_of_a_blocked_turn_has_lost_it():
    s = scene(hands=([11, 1], [9, 2]), deck=[5, 6, 7], waiting=([], ["The Emperor", "The Hanged Man"]))
    turn(s, 11, 9, "keep the order")
    assert wins(s) == (0, 1)
    assert place(s, "The Hanged Man") == DISCARD


@pytest.mark.rule("tarot_duel", "3.9")
def test_an_empress_against_an_emperor_wins_the_turn_without_gaining():
    s = scene(hands=([9, 1], [11, 2]), deck=[5, 6, 7], waiting=(["The Empress"], ["The Emperor"]))
    events = turn(s, 9, 11, "keep the order")
    assert (result(events), wins(s)) == (0, (0, 0))


@pytest.mark.rule("tarot_duel", "3.9")
def test_wins_never_fall():
    before = (0, 0)
    for s in random_plays(20):
        after = wins(s)
        before = (0, 0) if s.state.turn == 1 and after == (0, 0) else before
        assert after[0] >= before[0]
        assert after[1] >= before[1]
        before = after


@pytest.mark.rule("tarot_duel", "3.10")
def test_wins_of_the_wheel_are_added_after_the_turns_own():
    s = scene(hands=(["Wheel of Fortune", 1], [11, 2]), deck=[5, 6, 7])
    events = turn(s, "Wheel of Fortune", 11)
    told = [e["kind"] for e in of_kind(events, "turn_won", "wins_added", "turns_left")]
    assert told == ["turn_won", "wins_added", "turns_left", "wins_added"]


@pytest.mark.rule("tarot_duel", "3.10")
def test_temperance_compares_the_wins_from_before_the_turn():
    s = scene(hands=(["Temperance", 1], [11, 2]), deck=[5, 6, 7], wins=(0, 1))
    turn(s, "Temperance", 11)  # wins the turn, and one more for having been behind
    assert wins(s) == (2, 1)
    s = scene(hands=(["Temperance", 1], [16, 2]), deck=[5, 6, 7], wins=(1, 1))
    turn(s, "Temperance", 16)  # loses it: behind only afterwards
    assert asked(s) == (0, "return")
    assert wins(s) == (1, 2)


@pytest.mark.rule("tarot_duel", "3.11")
@pytest.mark.parametrize("justice", [0, 1])
def test_justice_counts_what_the_hanged_man_has_added(justice):
    # player_0 wins the turn and leads by one; the Hanged Man makes it level
    waiting = (["Justice"], ["The Hanged Man"]) if justice == 0 else ([], ["The Hanged Man", "Justice"])
    s = scene(hands=([9, 1], [4, 2]), deck=[5, 6, 7], waiting=waiting, turns_left=1)
    events = turn(s, 9, 4, "keep the order")
    assert cards_of(events, "wins_added") == ["the_hermit", "the_hanged_man", "justice"]
    assert wins(s) == ((2, 1), (1, 2))[justice]


@pytest.mark.rule("tarot_duel", "3.11")
def test_the_hanged_man_may_take_the_tie_away_from_justice():
    s = scene(hands=([9, 1], [4, 2]), deck=[5, 6], waiting=(["Justice"], ["The Hanged Man"]), turns_left=1, wins=(0, 1))
    turn(s, 9, 4, "keep the order")
    assert wins(s) == (1, 2)
    assert place(s, "Justice") == WAITING


@pytest.mark.rule("tarot_duel", "3.12")
def test_the_cards_on_the_field_are_discarded_or_wait():
    s = scene(hands=(["The Hermit", 1], ["The Emperor", 2]), deck=[5, 6, 7])
    turn(s, "The Hermit", "The Emperor", "keep the order")
    assert (place(s, "The Hermit"), place(s, "The Emperor")) == (DISCARD, WAITING + 1)
    assert names_in(s, FIELD) == names_in(s, FIELD + 1) == []


@pytest.mark.rule("tarot_duel", "3.12")
def test_the_field_is_cleared_after_the_end_of_turn_effects():
    s = scene(hands=(["The Hanged Man", 1], ["The Tower", 2]), deck=[5, 6, 7])
    events = turn(s, "The Hanged Man", "The Tower")
    told = [e["kind"] for e in events if e.get("card") == "the_hanged_man"]
    assert told == ["sets", "plays", "wins_added", "leaves_play"]


@pytest.mark.rule("tarot_duel", "3.13")
def test_the_next_turn_begins_while_turns_are_left():
    s = scene(hands=([9, 1], [4, 2]), deck=[5, 6, 7, 8], turns_left=2, turn=4)
    events = turn(s, 9, 4, "keep the order")
    assert [e["value"] for e in of_kind(events, "turn_begins")] == [5]
    assert not s.state.over
    assert asked(s) == (0, "set")
    assert s.state.deck_size == 2


@pytest.mark.rule("tarot_duel", "3.13")
def test_the_game_ends_when_no_turn_is_left():
    s = scene(hands=([9, 1], [4, 2]), deck=[5, 6, 7, 8], turns_left=1)
    events = turn(s, 9, 4, "keep the order")
    assert s.state.over
    assert s.state.reason == LAST_TURN_PLAYED
    assert events[-1] == {"kind": "game_over", "seat": 0, "value": LAST_TURN_PLAYED, "seen_by": [0, 1]}
    assert legal_names(s) == []
    assert s.state.deck_size == 4


@pytest.mark.rule("tarot_duel", "3.13")
@pytest.mark.parametrize("card", ["The Fool", "The World"])
def test_what_won_one_turn_says_nothing_in_the_next(card):
    s = scene(hands=([card, 4, 2], ["The Tower", 6, 10]), deck=[5, 7, 8, 9])
    assert result(turn(s, card, "The Tower")) == 0
    assert result(turn(s, 4, 6)) == 1


@pytest.mark.rule("tarot_duel", "3.13")
def test_wins_of_the_wheel_and_of_temperance_are_added_once():
    s = scene(hands=(["Temperance", 4, 2], ["The Tower", 6, 10]), deck=[5, 7, 8, 9], wins=(0, 1))
    turn(s, "Temperance", "The Tower")
    assert wins(s) == (1, 2)
    turn(s, 4, 6)
    assert wins(s) == (1, 3)


@pytest.mark.rule("tarot_duel", "3.13")
def test_a_temperance_that_returned_is_judged_anew_when_it_is_played_again():
    s = scene(hands=(["Temperance", 4], ["The Tower", "The Star"]), deck=[5, 7, 8, 9])
    turn(s, "Temperance", "The Tower", "take Temperance back")
    turn(s, "Temperance", "The Star")
    assert s.state.turn == 3  # behind by now: one win more, and no return
    assert wins(s) == (1, 2)
    assert place(s, "Temperance") == DISCARD


@pytest.mark.rule("tarot_duel", "3.13")
def test_a_cancelled_card_works_again_when_it_is_played_again():
    hands = (["The Hanged Man", "The Hierophant", 4], ["The Tower", 7, "The Star"])
    s = scene(hands=hands, waiting=([], ["The Magician"]), deck=[2, 3, 6, 8, 9, 10])
    turn(s, "The Hanged Man", "The Tower", "cancel The Hanged Man")
    play(s, "play The Hierophant", "play The Star")
    assert place(s, "The Hanged Man") == HAND
    before = wins(s)
    assert result(whole_turn(s, "The Hanged Man", 7)) == 0
    assert place(s, "The Hanged Man") == WAITING
    assert wins(s) == (before[0] + 1, before[1])


@pytest.mark.rule("tarot_duel", "3.13")
def test_a_card_that_was_used_up_keeps_no_later_card_from_waiting():
    s = scene(hands=(["The Hanged Man", "Justice", 4], ["The Tower", 6, 10]), deck=[5, 7, 8, 9])
    turn(s, "The Hanged Man", "The Tower")
    assert place(s, "The Hanged Man") == DISCARD
    turn(s, "Justice", 6)
    assert place(s, "Justice") == WAITING


# --- 4. Waiting and cancelling --------------------------------------------------------------------------------

WAITERS = ("The Magician", "The Empress", "The Emperor", "Strength", "Justice", "The Hanged Man", "The Tower")


@pytest.mark.rule("tarot_duel", "4.1")
@pytest.mark.parametrize("card", range(NUM_CARDS))
def test_exactly_seven_cards_wait_after_their_turn(card):
    theirs = 6 if card == 2 else 2
    rest = [c for c in (3, 4, 5, 7, 9, 10, 14, 15, 16) if c != card]
    s = scene(hands=([card, rest[0]], [theirs, rest[1]]), deck=rest[2:])
    whole_turn(s, card, theirs)
    expected = WAITING if CARDS[card].name in WAITERS else HAND if CARDS[card].name == "Temperance" else DISCARD
    assert place(s, card) == expected


@pytest.mark.rule("tarot_duel", "4.1")
def test_a_card_that_has_had_its_effect_in_its_own_turn_does_not_wait():
    s = scene(hands=(["The Hanged Man", "Justice"], ["The Tower", 2]), deck=[5, 6, 7])
    turn(s, "The Hanged Man", "The Tower")
    assert place(s, "The Hanged Man") == DISCARD
    s = scene(hands=(["The Magician", "Justice"], ["The Tower", 2]), deck=[5, 6, 7])
    turn(s, "The Magician", "The Tower", "cancel The Tower")
    assert place(s, "The Magician") == DISCARD


@pytest.mark.rule("tarot_duel", "4.1")
@pytest.mark.parametrize("card", [name for name in WAITERS if name != "The Magician"])
def test_a_cancelled_card_does_not_wait(card):
    s = scene(hands=([card, 6], [2, 9]), deck=[7, 10, 13], waiting=([], ["The Magician"]))
    turn(s, card, 2, f"cancel {card}")
    assert holds(s, DISCARD, card, "The Magician")


@pytest.mark.rule("tarot_duel", "4.2")
@pytest.mark.parametrize("card", ["The Empress", "The Emperor", "Strength"])
def test_empress_emperor_and_strength_act_in_the_next_turn_and_only_then(card):
    s = scene(hands=([card, 6, 11], [2, 9, 10]), deck=[7, 13, 14, 15, 16, 17, 18])
    events = turn(s, card, 2)
    assert not of_kind(events, "waiting_acts")
    assert place(s, card) == WAITING
    events = turn(s, 6, 9, "keep the order")
    assert len(of_kind(events, "waiting_acts")) == 1
    assert place(s, card) == DISCARD
    assert not of_kind(turn(s, 11, 10), "waiting_acts", "wins_blocked")
    assert s.state.turn == 4


@pytest.mark.rule("tarot_duel", "4.2")
@pytest.mark.parametrize("card", ["The Empress", "The Emperor", "Strength"])
def test_they_act_in_a_turn_without_play_too(card):
    s = scene(hands=([6, 7], []), deck=[9, 10], waiting=([card], []))
    assert int(s.state.turn) == 2
    assert place(s, card) == DISCARD
    assert wins(s) == ((1, 0) if card == "The Empress" else (0, 0))


ALL_TARGETS = {
    "hands": (["The Tower", "The Sun"], ["The World", "The Moon"]),
    "waiting": (["The Magician", "The Empress", "Justice"], ["The Emperor", "Strength", "The Hanged Man"]),
    "deck": [5, 6, 7, 9],
}


@pytest.mark.rule("tarot_duel", "4.3")
def test_the_magician_may_cancel_any_card_on_the_field_or_waiting_but_himself_fool_and_world():
    s = scene(**ALL_TARGETS)
    turn(s, "The Tower", "The World")
    targets = ["The Empress", "The Emperor", "Strength", "Justice", "The Hanged Man", "The Tower"]
    assert legal_names(s) == [f"cancel {name}" for name in targets] + ["cancel nothing"]


@pytest.mark.rule("tarot_duel", "4.3")
def test_a_magician_on_the_field_may_cancel_the_card_that_he_meets_or_a_waiting_one_but_not_himself():
    s = scene(hands=([1, 4], [13, 10]), waiting=([11], [12]), deck=[5, 6])
    turn(s, "The Magician", "Death")
    assert legal_names(s) == ["cancel Justice", "cancel The Hanged Man", "cancel Death", "cancel nothing"]


@pytest.mark.rule("tarot_duel", "4.3")
@pytest.mark.parametrize("card", ["The Fool", "The World"])
def test_by_option_the_magician_may_cancel_fool_and_world(card):
    for allowed in (False, True):
        rules = {"magician_negates_fool_world": allowed}
        s = scene(hands=([card, 4], [16, 10]), waiting=([], [1]), deck=[5, 6], rules=rules)
        turn(s, card, "The Tower")
        assert (f"cancel {card}" in legal_names(s)) == allowed


@pytest.mark.rule("tarot_duel", "4.3")
@pytest.mark.parametrize(
    ("mine", "theirs", "waiting", "cancelled", "winner"),
    [
        ("The Fool", "The Tower", [], "The Fool", 1),  # 0 against 16
        ("The Fool", "The World", [], "The World", 0),  # the Fool still beats it
        ("The Fool", "The World", [], "The Fool", 1),  # the World claims nothing, but is the larger number
        ("The Fool", "The World", ["The Empress"], "The Fool", 0),  # ... and the Empress comes before numbers
        ("The World", "The Tower", [], "The World", 0),  # 21 against 16
        ("Death", "The World", ["The Empress"], "The World", 0),
    ],
)
def test_a_cancelled_fool_or_world_claims_nothing_and_fights_with_its_number(mine, theirs, waiting, cancelled, winner):
    rules = {"magician_negates_fool_world": True}
    s = scene(hands=([mine, 4], [theirs, 10]), waiting=(waiting, [1]), deck=[5, 6], rules=rules)
    events = turn(s, mine, theirs, f"cancel {cancelled}")
    assert result(events) == winner


@pytest.mark.rule("tarot_duel", "4.3")
def test_the_tower_may_be_cancelled_in_its_own_turn_but_not_once_it_waits():
    s = scene(hands=([16, 4], [5, 10]), waiting=([], [1]), deck=[6, 7, 8])
    events = turn(s, "The Tower", "The Hierophant", "cancel The Tower")
    assert not of_kind(events, "deck_opens")
    assert place(s, "The Tower") == DISCARD
    assert s.state.tower_open == 0
    s = scene(hands=([9, 4], [5, 10]), waiting=([16], [1]), deck=[6, 7, 8])
    turn(s, "The Hermit", "The Hierophant")
    assert legal_names(s) == ["cancel The Hierophant", "cancel The Hermit", "cancel nothing"]


@pytest.mark.rule("tarot_duel", "4.3")
def test_by_option_an_open_tower_may_be_cancelled_and_the_deck_is_hidden_again():
    s = scene(hands=([9, 4], [5, 10]), waiting=([16], [1]), deck=[6, 7, 8], rules={"tower_negatable": True})
    turn(s, "The Hermit", "The Hierophant")
    assert "cancel The Tower" in legal_names(s)
    events = play(s, "cancel The Tower")
    assert len(of_kind(events, "deck_closes")) == 1
    assert s.state.tower_open == 0
    assert holds(s, DISCARD, "The Tower", "The Magician")


@pytest.mark.rule("tarot_duel", "4.4")
def test_the_whole_effect_of_a_cancelled_card_is_gone_but_its_number_fights():
    s = scene(hands=(["Death", 4], ["The Hanged Man", 10]), waiting=([], [1]), deck=[5, 6])
    events = turn(s, "Death", "The Hanged Man", "cancel Death")
    assert result(events) == 0  # 13 against 12: it is not lost any more
    assert turns_left(s) == 4
    assert place(s, "Death") == DISCARD


@pytest.mark.rule("tarot_duel", "4.4")
def test_a_cancelled_waiting_card_is_discarded_at_once():
    s = scene(hands=(["Judgement", 4], [7, 10]), waiting=([11], [1]), deck=[5, 6, 8])
    turn(s, "Judgement", 7, "cancel Justice")
    # Judgement came after it and put Justice, and the used Magician, under the deck
    assert holds(s, DECK, "Justice", "The Magician")


@pytest.mark.rule("tarot_duel", "4.4")
@pytest.mark.parametrize("waiting", ["The Empress", "The Emperor", "Strength"])
def test_a_cancelled_waiting_card_does_not_act(waiting):
    s = scene(hands=([6, 2], [7, 10]), waiting=([waiting], [1]), deck=[5, 9, 11, 12])
    events = turn(s, 6, 7, f"cancel {waiting}")
    assert not of_kind(events, "waiting_acts")
    assert (result(events), wins(s)) == (1, (0, 1))  # 6 against 7
    assert place(s, waiting) == DISCARD


@pytest.mark.rule("tarot_duel", "4.4")
def test_a_cancelled_card_on_the_field_is_discarded_when_the_field_is_cleared():
    s = scene(hands=(["The Hierophant", 4], ["The Lovers", 10]), waiting=([], [1]), deck=[9, 11, 12])
    events = turn(s, "The Hierophant", "The Lovers", "cancel The Lovers")
    # the Hierophant finds the used Magician among the discards, but not the cancelled Lovers
    assert cards_of(events, "takes") == ["the_magician"]
    assert place(s, "The Lovers") == DISCARD


@pytest.mark.rule("tarot_duel", "4.5")
def test_a_waiting_card_that_has_acted_can_be_taken_in_the_same_turn():
    s = scene(hands=(["The Hierophant", 4], ["The Lovers", 10]), waiting=(["Strength"], []), deck=[9, 11, 12, 13, 14])
    events = turn(s, "The Hierophant", "The Lovers")
    assert cards_of(events, "takes") == ["strength"]
    assert result(events) == 0  # doubled to 10 against 6 all the same
    assert place(s, "Strength") == HAND


@pytest.mark.rule("tarot_duel", "4.5")
def test_a_waiting_magician_is_discarded_when_he_is_used_and_one_on_the_field_when_it_is_cleared():
    s = scene(hands=(["Judgement", 4], [7, 10]), waiting=(["The Magician"], []), deck=[5, 6, 8])
    turn(s, "Judgement", 7, "cancel The Chariot")
    assert place(s, "The Magician") == DECK
    s = scene(hands=(["Judgement", 4], [1, 10]), waiting=([11], []), deck=[5, 6, 8])
    turn(s, "Judgement", 1, "cancel Justice")
    assert place(s, "Justice") == DECK
    assert place(s, "The Magician") == DISCARD


@pytest.mark.rule("tarot_duel", "4.5")
def test_a_card_on_the_field_cannot_be_taken_before_the_field_is_cleared():
    s = scene(hands=(["The Hierophant", 4], ["The Star", 10]), deck=[9, 11, 12, 13])
    events = turn(s, "The Hierophant", "The Star")
    assert not of_kind(events, "takes")
    assert place(s, "The Star") == DISCARD


@pytest.mark.rule("tarot_duel", "4.5")
def test_the_devil_reaches_a_magician_that_has_just_been_used_but_not_cards_with_smaller_numbers():
    waiting = (["The Magician", "Strength"], ["The Empress", "The Emperor"])
    s = scene(hands=(["The Devil", 2], [7, 10]), waiting=waiting, deck=[5, 6, 9], turns_left=1)
    turn(s, "The Devil", 7, "cancel The Chariot")
    assert place(s, "The Magician") == DECK
    assert s.state.deck_size == 4
    assert holds(s, DISCARD, "Strength", "The Empress", "The Emperor")


@pytest.mark.rule("tarot_duel", "4.5")
def test_the_hierophant_does_not_reach_an_emperor_or_an_empress_that_acts_in_the_same_turn():
    waiting = (["The Empress"], ["The Emperor"])
    s = scene(hands=(["The Hierophant", 2], [11, 10]), waiting=waiting, deck=[6, 9, 7, 12], turns_left=1)
    events = turn(s, "The Hierophant", 11)
    assert not of_kind(events, "takes")
    assert holds(s, DISCARD, "The Empress", "The Emperor")


# --- 7. The end -----------------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "7.1")
@pytest.mark.parametrize(("before", "winner"), [((0, 0), 0), ((0, 1), -1), ((0, 2), 1), ((3, 3), 0)])
def test_more_wins_win_the_game_and_equal_wins_draw_it(before, winner):
    s = scene(hands=([9, 1], [4, 2]), deck=[5, 6], turns_left=1, wins=before)
    events = turn(s, 9, 4, "keep the order")
    assert s.state.over
    assert s.state.winner == winner
    assert of_kind(events, "game_over")[0]["seat"] == winner


@pytest.mark.rule("tarot_duel", "7.2")
@pytest.mark.parametrize("cap", [5, 30, 60])
def test_the_game_ends_after_the_last_turn_allowed_whatever_is_left(cap):
    def played(number):
        s = scene(hands=([9, 1], [4, 2]), deck=[5, 6], turns_left=4, turn=number, rules={"max_turns": cap})
        turn(s, 9, 4, "keep the order")
        return s

    s = played(cap)
    assert s.state.over
    assert (s.state.reason, s.state.winner) == (TURN_CAP, 0)
    assert not played(cap - 1).state.over


@pytest.mark.rule("tarot_duel", "7.2")
def test_the_cap_is_30_turns_where_nothing_else_is_said():
    assert GAME.table().max_turns == 30
    for bad in (4, 61, True, "5"):
        with pytest.raises(BadInput, match="max_turns"):
            GAME.table({"max_turns": bad})


@pytest.mark.rule("tarot_duel", "7.2")
def test_justice_is_not_tested_when_the_cap_ends_the_game():
    s = scene(hands=([9, 1], [4, 2]), deck=[5, 6], wins=(0, 1), turns_left=2, turn=30, waiting=([11], []))
    turn(s, 9, 4, "keep the order")
    assert s.state.winner == -1
    assert place(s, "Justice") == WAITING


@pytest.mark.rule("tarot_duel", "7.2")
def test_a_last_turn_that_is_also_the_last_one_allowed_ends_as_a_last_turn():
    s = scene(hands=([9, 1], [4, 2]), deck=[5, 6], wins=(0, 1), turns_left=1, turn=30, waiting=([11], []))
    turn(s, 9, 4, "keep the order")
    assert (s.state.reason, wins(s)) == (LAST_TURN_PLAYED, (2, 1))


@pytest.mark.rule("tarot_duel", "7.3")
def test_cards_that_still_wait_at_the_end_have_no_effect():
    s = scene(
        hands=(["The Empress", 1], ["The Emperor", 2]), deck=[5, 6], turns_left=1, waiting=([11], [16]), wins=(0, 1)
    )
    turn(s, "The Empress", "The Emperor")
    assert s.state.over
    assert wins(s) == (0, 2)
    assert holds(s, WAITING, "The Empress", "Justice")
    assert holds(s, WAITING + 1, "The Emperor", "The Tower")


# --- The engine's own promises --------------------------------------------------------------------------------


def test_the_game_that_is_over_allows_nothing_and_every_other_state_something():
    for s in random_plays(20):
        mask = GAME.mask(s.table, s.state)
        assert mask.shape == (NUM_ACTIONS,)
        assert bool(mask.any()) == (not s.state.over)


def test_no_action_causes_more_events_than_can_be_noted():
    assert max(int(s.state.n_events) for s in random_plays(60)) < MAX_EVENTS // 2
    # every card but those in play is a discard: Judgement buries them all, and the next turn begins
    s = scene(hands=([20], [15]), discards=[c for c in range(22) if c not in (20, 15)], waiting=([], []), turns_left=5)
    turn(s, "Judgement", "The Devil")
    assert s.state.n_events < MAX_EVENTS
    # nobody holds a card and the deck is empty: all turns that are left go by at once
    s = scene(turns_left=20, waiting=([1, 3, 8, 11, 16], [4, 12]))
    while not s.state.over:
        play(s, "cancel nothing")
        assert s.state.n_events < MAX_EVENTS
