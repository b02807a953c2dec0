"""What is counted of the cards of Tommy Walker TGC: scenes with their exact counts, and what holds in every game."""

from collections import Counter

import numpy as np
import pytest
from card_uses import COUNTED, Uses
from tommy_scenes import GAME, card, play, scene

from duelbench.envs.card_counts import card_counts

pytestmark = pytest.mark.numba_modes


def uses(s, *actions):
    counted = Uses(GAME, s.table, s.state)
    counted.act(lambda action: play(s, action), *actions)
    return lambda seat, name: counted[seat, card(name)]


def test_what_is_drawn_in_round_1_is_dealt_and_later_cards_are_drawn():
    s = scene(decks=(["Premiere", "Orochi", "Ren", *["Amon"] * 6], ["Ralph", "Maria", *["Amon"] * 7]))
    of = uses(s, "draw a card", "draw a card", "set Premiere", "draw a card", "set Ralph", "end", "draw a card")
    assert of(0, "Premiere") == {"dealt": 1, "behind": 1, "first_turn": 1, "set": 1, "won": 1}
    assert (of(0, "Water Orochi"), of(1, "Maria")) == ({"dealt": 1}, {})
    assert of(1, "Ralph") == {"dealt": 1, "ahead": 1, "first_turn": 1, "set": 1}
    assert of(0, "Ren") == {"drawn": 1}


def test_a_ride_a_barrier_and_a_payment_are_ways_of_playing():
    s = scene(attack=(["Ralph"], ["Maria"]), hands=(["Silver Rain", "Amina", "Iska"], []))
    of = uses(s, "lay Silver Rain as the barrier", "ride Amina", "pay 1 card for the AT (8100)", "discard Iska")
    assert of(0, "Silver Rain") == {"level": 1, "barrier": 1}
    assert of(0, "Amina") == {"level": 1, "ride": 1, "fired": 1, "won": 1}
    assert of(0, "Iska") == {"level": 1, "pay": 1}


def test_an_at_that_is_used_fires_and_wins_the_round():
    s = scene(attack=(["Ralph"], ["Maria"]), hands=([], []))
    of = uses(s, "use the AT (7900)")
    assert of(0, "Ralph") == {"fired": 1, "won": 1}


def test_an_entry_fires_when_it_is_used_and_not_when_it_is_left():
    s = scene(attack=(["Iska"], ["Maria"]), hands=(["Premiere"], []), decks=(["Amon"] * 3, ["Amon"] * 3))
    used = uses(s, "ride Premiere", "use the entry (6900)")
    assert used(0, "Premiere") == {"level": 1, "ride": 1, "fired": 1, "won": 1}
    s = scene(attack=(["Iska"], ["Maria"]), hands=(["Premiere"], []), decks=(["Amon"] * 3, ["Amon"] * 3))
    assert uses(s, "ride Premiere", "do not use it")(0, "Premiere") == {"level": 1, "ride": 1}


def test_an_entry_for_nothing_is_wasted_and_its_copy_fires_the_barrier():
    s = scene(attack=(["Ralph"], ["Maria"]), hands=(["Renjo", "Amon"], ["Queen Algora"]), discards=(["Zephyr"], []))
    copy = "take Zephyr from the discards"
    answers = ("ride Queen Algora", "use the entry and take nothing", copy)
    of = uses(s, "lay Renjo as the barrier", "use the AT (7900)", *answers)
    assert of(1, "Queen Algora") == {"level": 1, "ride": 1, "fired": 1, "wasted": 1}
    assert of(0, "Renjo") == {"level": 1, "barrier": 1, "fired": 1}
    assert of(0, "Zephyr") == {"taken": 1}
    assert of(0, "Queen Algora") == {}


def test_a_misplay_is_wasted():
    s = scene(hands=(["German Shark", "Ren"], ["Ralph"]))
    of = uses(s, "set German Shark", "set Ralph")
    assert of(0, "German Shark") == {"wasted": 1, "level": 1, "first_turn": 1, "set": 1}
    assert of(1, "Ralph") == {"won": 1, "level": 1, "first_turn": 1, "set": 1}


def test_calist_taken_back_is_taken():
    s = scene(attack=(["Calist"], ["Maria"]), hands=(["Ren"], []))
    of = uses(s, "end", "discard Ren")
    assert of(0, "Calist") == {"taken": 1}
    assert of(0, "Ren") == {"behind": 1, "pay": 1}, "a card was lost before"


# --- What holds in every game ---------------------------------------------------------------------------------


def test_the_counts_of_random_games_are_those_of_their_events():
    names, rng = [*COUNTED, *GAME.card_use.ways], np.random.default_rng(5)
    table = GAME.table(decks={"random": ["jack_maxim", "renjo", "hanks", "calist", "amina", "german_shark"]})
    for seed in range(25):
        state, actions = GAME.dealt(table, seed), []
        happened = Counter((e["kind"], e["seat"]) for e in map(GAME.event_data, GAME.events(state)))
        while not state.over:
            actions.append(int(rng.choice(GAME.legal_actions(table, state))))
            GAME.play(table, state, actions[-1])
            happened.update((e["kind"], e["seat"]) for e in map(GAME.event_data, GAME.events(state)))
        tally = dict(zip(names, np.moveaxis(card_counts(GAME, table, seed, actions), 1, 0), strict=True))
        played = sum(tally[way] for way in GAME.card_use.ways)
        for seat in range(2):
            of = {name: int(counts[seat].sum()) for name, counts in tally.items()}
            assert of["copies"] == 16
            assert of["dealt"] + of["drawn"] == happened["draws", seat]
            assert of["taken"] == happened["fetches", seat] + happened["takes_back", seat]
            assert of["set"], of["ride"] == (happened["reveals", seat], happened["rides", seat])
            assert (of["barrier"], of["pay"]) == (happened["lays_barrier", seat], happened["discards", seat])
            assert of["won"] == happened["round_won", seat]
            assert of["fired"] == happened["enters", seat] + happened["ats", seat] + happened["copies", seat]
        assert (played <= tally["dealt"] + tally["drawn"] + tally["taken"]).all()
        assert (tally["copies"] == state.lists).all()
        assert (tally["ahead"] + tally["level"] + tally["behind"] == played).all()
