"""Sections 1 to 4 and 7 of the rules of Tarot Duel: places, the turn, waiting and cancelling, the end."""

import numpy as np
import pytest
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
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
from tarot_scenes import GAME, Scene, legal_names, names_in, place, play, scene
from tarot_turns import asked, finish_turn, of_kind, random_plays, result, turn, turns_left, wins

# --- 1. Cards and places --------------------------------------------------------------------------------------


@pytest.mark.rule("tarot_duel", "1.1")
def test_the_cards_are_numbered_from_the_fool_to_the_world_and_each_has_its_own_effect():
    assert [card.number for card in CARDS] == list(range(22))
    assert (CARDS[0].name, CARDS[21].name) == ("The Fool", "The World")
    assert sorted(card.effect for card in CARDS) == list(range(22))
    assert GAME.table().cards.number.tolist() == list(range(22))


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
        {"kind": "discards", "seat": 1, "card": "the_star", "value": 0, "seen_by": [0, 1]}
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


@pytest.mark.rule("tarot_duel", "2.4")
def test_a_game_without_effects_takes_five_turns_and_leaves_one_card_in_the_deck():
    hands = (["The Hermit", 8, 3], ["Temperance", 4, 12])
    s = scene(hands=hands, deck=[21, 20, 19, 18, 17, 16, 15, 13, 10, 7, 6], turn=1, before_draw=True)
    for i in range(5):
        assert turns_left(s) == 5 - i
        for seat in range(2):  # set cards only: nothing acts
            s.state.zone[names_to_cards(s, HAND + seat)[0]] = SPARE
        s.state.turns_left -= 1
        if i < 4:
            s.state.phase = 8  # the next turn begins
            from duelbench.envs.tarot_duel.rules import run_on

            run_on(s.table, s.state)
    assert s.state.deck_size == 1
