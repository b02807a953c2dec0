"""What play-outs of Tommy Walker lean towards: weights of actions in positions laid by hand."""

import numpy as np
import pytest
from test_words import random_states
from tommy_scenes import GAME, scene

from duelbench.agents.playouts import lean, leans
from duelbench.agents.tommy_playouts import ALWAYS, WANTED_HAND
from duelbench.envs.registry import load_game

pytestmark = pytest.mark.numba_modes
FIVE = ["Amina", "Iska", "Ralph", "Ren", "Amon"]


def weights(s):
    """The weight of every legal action, by its name."""
    mask = GAME.mask(s.table, s.state)
    lean(s.table, s.state, mask)
    return {GAME.action_name(s.table, s.state, action): int(mask[action]) for action in np.flatnonzero(mask)}


def test_every_legal_action_has_a_weight_and_no_other(game):
    for table, state in random_states(game, games=20):
        mask = game.mask(table, state)
        weighed = mask.copy()
        lean(table, state, weighed)
        assert ((weighed > 0) == (mask > 0)).all()
        assert leans(game) or (weighed == mask).all()


def test_which_games_say_what_sensible_play_is():
    assert leans(load_game("tommy_walker"))
    assert not leans(load_game("tarot_duel"))


def test_cards_are_drawn_up_to_the_wanted_hand():
    below = weights(scene(hands=(FIVE, [])))
    assert len(FIVE) < WANTED_HAND
    assert below["draw a card"] == ALWAYS
    assert sum(below.values()) - ALWAYS == len(FIVE)
    full = weights(scene(hands=([*FIVE, "Maria"], [])))
    assert full["draw a card"] == min(full.values())


def test_the_last_card_of_a_deck_is_hardly_drawn():
    told = weights(scene(hands=(["Amina"], ["Ralph"]), decks=(["Ren"], None)))
    assert told["draw a card"] < told["set Amina"]


def test_strong_cards_are_set_rather_than_weak_ones_and_misplays_hardly_ever():
    told = weights(scene(hands=([*FIVE, "Maria", "German Shark"], [])))
    assert told["set Maria"] > told["set Ralph"] > told["set German Shark"]


def test_an_at_that_overtakes_is_all_but_taken():
    told = weights(scene(attack=(["Ralph"], ["Iska"]), hands=(["Ren"], [])))
    assert told["use the AT (7900)"] == max(told.values()) == ALWAYS
    assert told["end"] < told["ride Ren"]


def test_the_cheapest_payment_that_overtakes_is_preferred():
    """8100 does not beat German Shark's 8100, 12000 does, and 15900 costs one card more for nothing."""
    attack = (["Amina"], ["Ralph", "German Shark"])
    told = weights(scene(attack=attack, hands=(["Iska", "Ren", "Premiere"], [*FIVE])))
    payments = (("1 card", 8100), ("2 cards", 12000), ("3 cards", 15900))
    paid = [told[f"pay {cards} for the AT ({value})"] for cards, value in payments]
    assert paid[0] < paid[2] < paid[1]


def test_who_can_overtake_by_a_ride_rarely_ends():
    """Ren covers a P for 8800; Alexis would need an S to strike."""
    told = weights(scene(attack=(["Jack Maxim"], ["Maria"]), hands=(["Ren", "Alexis"], [])))
    assert told["ride Ren"] > told["end"] > told["ride Alexis"]


def test_who_cannot_overtake_mostly_ends():
    told = weights(scene(attack=(["Jack Maxim"], ["Maria"]), hands=(["Alexis", "Zephyr"], [])))
    assert told["end"] > sum(told.values()) / 2


def test_a_barrier_is_laid_where_it_overtakes():
    """Orochi's 4700 against Grantram's 5200: Silver Rain adds 1000, Kizuki 2000 against a P, David against women."""
    told = weights(scene(attack=(["Orochi"], ["Grantram"]), hands=(["Silver Rain", "Kizuki", "David"], [])))
    for card, overtakes in (("Silver Rain", True), ("Kizuki", True), ("David", False)):
        assert (told[f"lay {card} as the barrier"] > told["end"]) == overtakes, card
