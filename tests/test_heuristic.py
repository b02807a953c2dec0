"""The hand-written Tarot Duel player, on scenes in which a sensible player knows what to do."""

import numpy as np
import pytest

from duelbench.agents.agent import Position, position_of
from duelbench.agents.tarot_heuristic import TarotHeuristic
from duelbench.envs import dispatch
from duelbench.envs.playout import random_action
from duelbench.envs.registry import load_game
from duelbench.envs.rng import new_stream
from duelbench.envs.tarot_duel.state import (
    DECK,
    DISCARD,
    FROM_THE_START,
    HAND,
    KNOWN,
    SPARE,
    WAITING,
)

GAME = load_game("tarot_duel")
CARD = {name: card for card, name in enumerate(GAME.card_ids)}


def scene(mine, theirs, *, known=True, waiting=(), you_wait=(), discard=(), lead=0, turns_left=3, rules=None):
    """Seat 0 has to set a card. Cards are named; those named nowhere lie in the deck. `known`: it knows their hand."""
    table = GAME.table(rules)
    state = GAME.dealt(table, 0)
    places = {HAND: mine, HAND + 1: theirs, WAITING: waiting, WAITING + 1: you_wait, DISCARD: discard}
    state.zone[:] = DECK
    for zone, names in places.items():
        state.zone[[CARD[name] for name in names]] = zone
    deck = np.flatnonzero(np.asarray(state.zone) == DECK)
    state.zone[deck[:5]] = SPARE
    state.deck[:] = len(CARD)
    state.deck[: len(deck) - 5] = deck[5:]
    state.deck_size = len(deck) - 5
    mixed = {*deck[5:], *(CARD[name] for name in theirs if not known)}
    for card in range(len(CARD)):
        state.label[:, card] = FROM_THE_START if card in mixed else KNOWN
    state.label[1, [CARD[name] for name in theirs]] = KNOWN
    state.wins[0], state.wins[1] = max(lead, 0), max(-lead, 0)
    state.turns_left = turns_left
    return table, state


def choice(table, state):
    """The name of the action the player takes, the same for any stream."""
    agent = TarotHeuristic(GAME, table)
    position = position_of(GAME, table, state, 1)
    actions = {agent.act(position, new_stream(seed)) for seed in range(5)}
    assert len(actions) == 1, "the scene leaves it open what to do"
    return position.action_name(actions.pop())


def played(table, state, *actions):
    """The state after these actions, by name."""
    for name in actions:
        GAME.play(table, state, GAME.parse_action(table, state, name))
    return table, state


# --- Setting a card -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lead", [-1, 0, 1])
def test_the_last_turn_is_won_with_the_card_that_wins_it(lead):
    scene_ = scene(["the_lovers", "the_tower", "the_hermit"], ["the_devil"], turns_left=1, lead=lead)
    assert choice(*scene_) == "play The Tower"


def test_the_fool_beats_a_high_number():
    assert choice(*scene(["the_fool", "the_moon"], ["the_sun"], turns_left=1)) == "play The Fool"


def test_the_world_is_not_played_into_the_fool():
    assert choice(*scene(["the_world", "the_lovers"], ["the_fool"], turns_left=1)) == "play The Lovers"


def test_the_world_beats_even_a_waiting_empress():
    scene_ = scene(["the_world", "judgement"], ["the_sun"], you_wait=["the_empress"], turns_left=1)
    assert choice(*scene_) == "play The World"


def test_strength_lets_a_middling_card_win_and_the_high_one_stay():
    scene_ = scene(["the_hermit", "judgement"], ["the_tower"], waiting=["strength"])
    assert choice(*scene_) == "play The Hermit"


def test_under_an_empress_the_fight_is_won_anyway_and_the_next_set_up_is_free():
    scene_ = scene(["strength", "the_sun", "judgement"], ["the_moon"], waiting=["the_empress"])
    assert choice(*scene_) == "play Strength"


def test_a_lost_turn_is_the_time_for_a_card_that_works_later():
    assert choice(*scene(["the_empress", "the_tower"], ["the_world"])) == "play The Empress"


def test_the_empress_is_useless_in_the_last_turn():
    assert choice(*scene(["the_empress", "the_hierophant"], ["the_emperor"], turns_left=1)) == "play The Hierophant"


def test_the_hanged_man_makes_good_a_turn_that_is_lost_for_certain():
    scene_ = scene(["the_hanged_man", "justice"], ["the_world"], turns_left=1, lead=-1)
    assert choice(*scene_) == "play The Hanged Man"


def test_justice_decides_a_level_last_turn():
    scene_ = scene(["justice", "the_lovers"], ["the_tower"], turns_left=1, lead=1)
    assert choice(*scene_) == "play Justice"


def test_temperance_makes_up_ground_when_behind():
    scene_ = scene(["temperance", "the_hanged_man"], ["the_hermit"], turns_left=1, lead=-2)
    assert choice(*scene_) == "play Temperance"


def test_the_star_gives_a_lost_game_one_more_turn():
    scene_ = scene(["the_star", "the_moon", "the_world"], ["the_magician"], turns_left=1, lead=-2)
    assert choice(*scene_) == "play The Star"


def test_the_star_is_not_wanted_when_the_win_is_safe():
    scene_ = scene(["the_star", "the_moon"], ["judgement"], turns_left=1, lead=2)
    assert choice(*scene_) == "play The Moon"


def test_death_ends_a_game_that_is_won():
    scene_ = scene(["death", "the_lovers"], ["the_sun", "judgement"], turns_left=4, lead=3)
    assert choice(*scene_) == "play Death"


def test_death_is_kept_when_behind():
    scene_ = scene(["death", "the_devil"], ["temperance"], turns_left=4, lead=-1)
    assert choice(*scene_) == "play The Devil"


def test_a_turn_won_anyway_needs_no_high_card():
    scene_ = scene(["the_lovers", "the_world"], ["the_sun"], waiting=["the_empress"])
    assert choice(*scene_) == "play The Lovers"


def test_the_other_hands_unseen_cards_are_weighed():
    """Of the other hand nothing is known but the cards that are left, among them two from 15 to 18."""
    scene_ = scene(["the_devil", "the_moon"], ["the_lovers"], known=False, turns_left=1)
    assert choice(*scene_) == "play The Moon"


# --- The other decisions --------------------------------------------------------------------------------------


def test_the_magician_cancels_what_would_lose_the_turn():
    scene_ = scene(
        ["the_sun", "the_lovers"], ["the_moon", "the_devil"], waiting=["the_magician"], you_wait=["the_empress"]
    )
    assert choice(*played(*scene_, "play The Sun", "play The Moon")) == "cancel The Empress"


def test_the_magician_is_kept_when_nothing_threatens():
    scene_ = scene(["the_sun", "the_lovers"], ["the_moon", "the_devil"], waiting=["the_magician"])
    assert choice(*played(*scene_, "play The Sun", "play The Moon")) == "cancel nothing"


def test_a_fresh_magician_is_not_wasted_on_a_small_effect():
    scene_ = scene(["the_magician", "the_lovers"], ["the_hermit", "the_devil"])
    assert choice(*played(*scene_, "play The Magician", "play The Hermit")) == "cancel nothing"


def test_the_hierophant_takes_the_best_discards():
    scene_ = scene(
        ["the_hierophant", "the_lovers"], ["the_moon", "the_devil"], discard=["the_world", "death", "the_fool"]
    )
    table, state = played(*scene_, "play The Hierophant", "play The Devil")
    assert choice(table, state) == "take The World"


def test_the_sun_discards_the_worst_card():
    scene_ = scene(["the_sun", "the_world", "the_fool"], ["the_devil", "the_tower"])
    table, state = played(*scene_, "play The Sun", "play The Devil")
    state.zone[np.asarray(state.zone) == HAND] = DISCARD
    state.zone[[CARD["the_world"], CARD["the_fool"]]] = HAND
    assert choice(table, state) == "discard The Fool"


def test_the_moons_victim_keeps_the_better_end_of_his_hand():
    scene_ = scene(["the_devil", "the_fool", "the_world"], ["the_moon", "the_tower"])
    assert "lowest" in choice(*played(*scene_, "play The Devil", "play The Moon"))


@pytest.mark.parametrize(("first", "upper", "wanted"), [(0, "the_world", 0), (0, "the_fool", 1), (1, "the_world", 1)])
def test_the_hermit_lays_the_better_card_where_he_draws_it(first, upper, wanted):
    lower = "the_fool" if upper == "the_world" else "the_world"
    table, state = scene(["the_hermit", "the_lovers"], ["the_moon", "the_devil"])
    state.first = first
    rest = [card for card in np.flatnonzero(np.asarray(state.zone) == DECK) if card not in (CARD[upper], CARD[lower])]
    state.zone[[CARD[upper], CARD[lower]]] = DECK
    order = [*rest, CARD[lower], CARD[upper]]
    state.deck[: len(order)] = order
    state.deck_size = len(order)
    state.label[:, [CARD[upper], CARD[lower]]] = FROM_THE_START
    table, state = played(table, state, "play The Hermit", "play The Devil")
    state.deck_size = len(order)
    state.deck[: len(order)] = order
    state.zone[order] = DECK
    assert (choice(table, state) == "keep the order") == (wanted == 0)


def test_temperance_is_taken_back():
    scene_ = scene(["temperance", "the_lovers"], ["the_hermit", "the_fool"])
    table, state = played(*scene_, "play Temperance", "play The Fool")
    assert choice(table, state) != "leave it"


# --- As a whole -----------------------------------------------------------------------------------------------


def test_only_what_the_seat_sees_counts():
    """The made-up part of the root changes no score."""
    table, dice = GAME.table(), new_stream(1)
    agent = TarotHeuristic(GAME, table)
    for seed in range(20):
        state = GAME.dealt(table, seed)
        while not state.over:
            scores = [agent.scores(position_of(GAME, table, state, world)).copy() for world in (1, 2, 3)]
            np.testing.assert_array_equal(scores[0], scores[1])
            np.testing.assert_array_equal(scores[0], scores[2])
            dispatch.apply(table, state, random_action(dice, GAME.mask(table, state)))


@pytest.mark.parametrize("rules", [{}, {"lone_player_plays": True, "death_can_extend": False}])
def test_every_decision_gets_a_finite_score(rules):
    table, dice = GAME.table(rules), new_stream(2)
    agent = TarotHeuristic(GAME, table)
    for seed in range(100):
        state = GAME.dealt(table, seed)
        while not state.over:
            position = position_of(GAME, table, state, 0)
            assert (np.isfinite(agent.scores(position)) == (position.mask == 1)).all()
            dispatch.apply(table, state, random_action(dice, position.mask))


def test_random_play_is_beaten_clearly():
    table, dice = GAME.table(), new_stream(3)
    agent, points = TarotHeuristic(GAME, table), 0
    for game in range(200):
        state = GAME.dealt(table, game // 2)
        while not state.over:
            if state.to_act == game % 2:
                position = Position(GAME, table, state)
                dispatch.apply(table, state, agent.act(position, dice))
            else:
                dispatch.apply(table, state, random_action(dice, GAME.mask(table, state)))
        points += 0 if state.winner == -1 else 1 if state.winner == game % 2 else -1
    assert points > 100
