"""What is counted of the cards of Wizard in Training: scenes with their exact counts, and what holds in every game."""

from collections import Counter

import numpy as np
import pytest
from card_uses import COUNTED, Uses
from wizard_scenes import DUEL, GAME, TURN, mode, play, scene, spell

from duelbench.envs.card_counts import card_counts

pytestmark = pytest.mark.numba_modes

CARDS = {
    "hex": spell(mode(steal=2), level=1),
    "bless": spell(mode(gain=1)),
    "ward": spell(mode(gain=1), counters=("hex",)),
    "focus": spell(mode(gain=1), needs="charm"),
    "rally": spell(mode(attack=1)),
    "letter": spell(mode(draw=1)),
}


def uses(s, *actions):
    counted = Uses(GAME, s.table, s.state)
    counted.act(lambda action: play(s, action), *actions)
    return lambda seat, name: counted[seat, s.numbers[name]]


def test_a_spell_that_takes_effect_has_fired():
    s = scene(hand=(["bless", "rally", "letter"], []), cards=CARDS)
    of = uses(s, "cast bless", "cast rally", "cast letter", "pass")
    for name in ("rally", "letter"):
        assert of(0, name) == {"fired": 1, "ahead": 1, "cast": 1}, "one tooth ahead by the first spell"
    assert of(0, "bless") == {"fired": 1, "level": 1, "cast": 1}


def test_a_theft_that_finds_nothing_is_wasted():
    s = scene(hand=(["hex", "bless"], []), cards=CARDS)
    assert uses(s, "cast hex", "cast bless")(0, "hex") == {"fired": 1, "wasted": 1, "level": 1, "cast": 1}
    robbed = scene(hand=(["hex", "bless"], []), pool=([], ["crown"]), cards=CARDS)
    assert uses(robbed, "cast hex", "cast bless")(0, "hex") == {"fired": 1, "behind": 1, "cast": 1}


def test_a_countered_spell_is_negated_and_its_counter_fires():
    s = scene(hand=(["hex", "bless"], ["ward"]), pool=([], ["crown"]), cards=CARDS)
    of = uses(s, "cast hex", "counter ward", "cast bless")
    assert of(0, "hex") == {"negated": 1, "behind": 1, "cast": 1}
    assert of(1, "ward") == {"fired": 1, "ahead": 1, "counter": 1}


def test_an_item_is_placed_held_and_worn():
    s = scene(at=TURN, hand=(["amulet", "sword", "focus", "squire"], []), cards=CARDS)
    of = uses(s, "cast focus", "pass", "attack squire", "equip sword")
    assert of(0, "amulet") == {"level": 1, "ahead": 1, "first_turn": 1, "place": 1, "hold": 1}
    assert of(0, "sword") == {"level": 1, "ahead": 1, "first_turn": 1, "place": 1, "equip": 1}
    assert of(0, "focus") == {"fired": 1, "ahead": 1, "first_turn": 1, "cast": 1}


def test_who_wins_a_duel_has_won_a_contest():
    s = scene(at=DUEL, field=(["wolf"], ["page"]))
    of = uses(s, "attack wolf", "block page")
    assert of(0, "wolf") == {"won": 1, "level": 1, "attack": 1}
    assert of(1, "page") == {"level": 1, "block": 1}


def test_the_level_counts_before_the_teeth():
    s = scene(at=DUEL, field=(["wolf"], ["page"]), level=(2, 1), earned=(0, 7))
    of = uses(s, "attack wolf", "block page")
    assert (of(0, "wolf")["ahead"], of(1, "page")["behind"]) == (1, 1)


def test_the_main_character_is_there_from_the_start():
    s = scene(at=DUEL)
    of = uses(s, "main")
    assert of(0, "nevin") == {"dealt": 1, "level": 1, "attack": 1}
    assert of(1, "kelli") == {"dealt": 1, "level": 1, "block": 1}


# --- What holds in every game ---------------------------------------------------------------------------------


def test_the_counts_of_random_games_are_those_of_their_events():
    names, rng, table = [*COUNTED, *GAME.card_use.ways], np.random.default_rng(6), GAME.table()
    by_kind = dict(zip(GAME.card_use.ways, "places casts counters holds attacks blocks equips".split(), strict=True))
    for seed in range(12):
        state, actions = GAME.dealt(table, seed), []
        happened = Counter((e["kind"], e["seat"]) for e in map(GAME.event_data, GAME.events(state)))
        while not state.over:
            actions.append(int(rng.choice(GAME.legal_actions(table, state))))
            GAME.play(table, state, actions[-1])
            happened.update((e["kind"], e["seat"]) for e in map(GAME.event_data, GAME.events(state)))
        tally = dict(zip(names, np.moveaxis(card_counts(GAME, table, seed, actions), 1, 0), strict=True))
        for seat in range(2):
            of = {name: int(counts[seat].sum()) for name, counts in tally.items()}
            assert of["copies"] == 30
            assert of["dealt"] == 5 + 1
            assert of["dealt"] + of["drawn"] == happened["draws", seat] + 1
            assert {way: of[way] for way in by_kind} == {way: happened[kind, seat] for way, kind in by_kind.items()}
            assert of["negated"] == happened["countered", seat]
            assert of["fired"] + of["negated"] == happened["casts", seat] + happened["counters", seat]
            assert of["won"] == happened["wins", seat]
        assert (tally["wasted"] <= tally["fired"]).all()
        assert (tally["place"] <= tally["dealt"] + tally["drawn"]).all()
        assert (tally["cast"] + tally["counter"] <= tally["dealt"] + tally["drawn"]).all()
