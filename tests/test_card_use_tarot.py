"""What is counted of the cards of Tarot Duel: scenes with their exact counts, and what holds in every game."""

from collections import Counter

import numpy as np
import pytest
from card_uses import COUNTED, Uses
from tarot_scenes import GAME, card, play, scene

from duelbench.envs.card_counts import card_counts

pytestmark = pytest.mark.numba_modes


def uses(s, *actions):
    counted = Uses(GAME, s.table, s.state)
    counted.act(lambda action: play(s, action), *actions)
    return lambda seat, name: counted[seat, card(name)]


def test_a_card_of_the_opening_is_dealt_and_a_later_one_drawn():
    s = scene(hands=(["The Sun"], ["The Moon"]), deck=["The Star", "Justice", "The Devil"], before_draw=True)
    of = uses(s, "play The Star", "play Justice")
    assert of(0, "The Star") == {"dealt": 1, "level": 1, "first_turn": 1, "play": 1, "fired": 1, "won": 1}
    assert of(1, "Justice") == {"dealt": 1, "level": 1, "first_turn": 1, "play": 1}
    assert of(0, "The Devil") == {"drawn": 1}
    assert of(0, "The Sun") == {}


def test_a_play_stands_with_the_wins_before_its_turn_and_the_number_of_the_turn():
    s = scene(hands=(["The World", "The Fool"], ["Death", "The Hermit"]), wins=(1, 2), before_draw=True)
    of = uses(s, "play The World", "play The Hermit", "play The Fool", "play Death")
    assert (of(0, "The World")["behind"], of(1, "The Hermit")["ahead"]) == (1, 1)
    assert (of(0, "The Fool")["level"], of(1, "Death")["level"]) == (1, 1)
    assert (of(0, "The World")["first_turn"], of(0, "The Fool")["first_turn"]) == (1, 2)


def test_a_cancelled_card_is_negated_and_the_magician_has_fired():
    s = scene(hands=(["The Magician"], ["The Sun", "The Moon"]))
    of = uses(s, "play The Magician", "play The Sun", "cancel The Sun")
    assert of(0, "The Magician") == {"fired": 1, "level": 1, "play": 1}
    assert of(1, "The Sun") == {"negated": 1, "won": 1, "level": 1, "play": 1}


def test_the_card_that_is_negated_counts_for_who_played_it():
    s = scene(hands=(["The Magician"], ["The Sun", "The Moon"]))
    of = uses(s, "play The Magician", "play The Sun", "cancel The Sun")
    assert of(0, "The Sun") == {}


def test_a_magician_that_is_kept_has_not_fired():
    s = scene(hands=(["The Magician"], ["The Sun", "The Moon"]))
    of = uses(s, "play The Magician", "play The Sun", "cancel nothing")
    assert of(0, "The Magician") == {"level": 1, "play": 1}


def test_an_effect_that_finds_nothing_is_wasted():
    of = uses(scene(hands=(["Judgement"], ["The Devil"])), "play Judgement", "play The Devil")
    assert of(0, "Judgement") == {"fired": 1, "wasted": 1, "won": 1, "level": 1, "play": 1}
    assert of(1, "The Devil") == {"fired": 1, "wasted": 1, "level": 1, "play": 1}


def test_the_hanged_man_fires_when_it_gains_its_win_and_not_when_it_wins_the_turn():
    lost = uses(scene(hands=(["The Hanged Man"], ["The World"])), "play The Hanged Man", "play The World")
    assert lost(0, "The Hanged Man") == {"fired": 1, "level": 1, "play": 1}
    assert lost(1, "The World") == {"won": 1, "level": 1, "play": 1}
    won = uses(scene(hands=(["The Hanged Man"], ["The Fool"])), "play The Hanged Man", "play The Fool")
    assert won(0, "The Hanged Man") == {"won": 1, "level": 1, "play": 1}


def test_justice_fires_even_in_the_turn_that_it_wins():
    s = scene(hands=(["Justice"], ["The Fool"]), wins=(0, 1), turns_left=1)
    assert uses(s, "play Justice", "play The Fool")(0, "Justice") == {"fired": 1, "won": 1, "behind": 1, "play": 1}


def test_a_win_that_the_emperor_blocks_is_wasted():
    s = scene(hands=(["Justice"], ["The Fool"]), waiting=([], ["The Emperor"]), turns_left=1)
    of = uses(s, "play Justice", "play The Fool")
    assert of(0, "Justice") == {"fired": 1, "wasted": 1, "won": 1, "level": 1, "play": 1}
    assert of(1, "The Emperor") == {"fired": 1}


def test_a_waiting_card_that_acts_has_fired():
    s = scene(hands=(["The Empress", "The Fool"], ["The Moon", "The Star"]))
    of = uses(s, "play The Empress", "play The Star", "play The Fool", "play The Moon")
    assert of(0, "The Empress")["fired"] == 1


def test_what_comes_from_the_discards_or_the_field_is_taken():
    s = scene(hands=(["The Hierophant"], ["Temperance"]), discards=["The World", "Death", "The Fool"])
    of = uses(s, "play The Hierophant", "play Temperance", "take Death", "take The World", "take Temperance back")
    assert (of(0, "Death"), of(0, "The World"), of(0, "The Fool")) == ({"taken": 1}, {"taken": 1}, {})
    assert of(1, "Temperance")["taken"] == 1


# --- What holds in every game ---------------------------------------------------------------------------------


def random_game(table, seed, rng):
    """The actions of a random game, its events as plain data, and its last state."""
    state, actions = GAME.dealt(table, seed), []
    events = [GAME.event_data(event) for event in GAME.events(state)]
    while not state.over:
        actions.append(int(rng.choice(GAME.legal_actions(table, state))))
        GAME.play(table, state, actions[-1])
        events += [GAME.event_data(event) for event in GAME.events(state)]
    return actions, events, state


def kinds_by_card(events, *kinds):
    return Counter((e["seat"], card_number(e)) for e in events if e["kind"] in kinds and "card" in e)


def card_number(event):
    return GAME.card_ids.index(event["card"])


@pytest.mark.parametrize("rules", [{}, {"lone_player_plays": True, "chariot_scope": "hand_and_table"}])
def test_the_counts_of_random_games_are_those_of_their_events(rules):
    table, rng = GAME.table(rules), np.random.default_rng(3)
    names = [*COUNTED, "play"]
    for seed in range(40):
        actions, events, state = random_game(table, seed, rng)
        tally = dict(zip(names, np.moveaxis(card_counts(GAME, table, seed, actions), 1, 0), strict=True))

        def counted(name, tally=tally):
            return Counter({(int(s), int(c)): int(tally[name][s, c]) for s, c in np.argwhere(tally[name])})

        first_set = next(i for i, e in enumerate(events) if e["kind"] == "sets")
        assert counted("dealt") == kinds_by_card(events[:first_set], "draws")
        assert counted("drawn") == kinds_by_card(events[first_set:], "draws")
        assert counted("taken") == kinds_by_card(events, "takes", "returns")
        assert counted("play") == kinds_by_card(events, "plays")
        assert counted("won") == kinds_by_card(events, "turn_won")
        assert tally["negated"].sum() == len([e for e in events if e["kind"] == "negates"])
        assert (tally["dealt"].sum(axis=1) == 4).all()
        assert tally["dealt"].sum(axis=0).max() == 1, "every card is dealt once"
        assert (tally["play"] <= tally["dealt"] + tally["drawn"] + tally["taken"]).all()
        assert (tally["ahead"] + tally["level"] + tally["behind"] == tally["play"]).all()
        assert ((tally["first_turn"] > 0) == (tally["play"] > 0)).all()
        assert tally["first_turn"].max() <= state.turn
        assert (tally["wasted"] <= tally["fired"]).all()
        assert (tally["fired"].sum(axis=0) + tally["negated"].sum(axis=0) <= tally["play"].sum(axis=0)).all()


def test_all_turns_that_were_won_are_wins_or_blocked():
    table, rng = GAME.table(), np.random.default_rng(4)
    for seed in range(20):
        actions, events, _ = random_game(table, seed, rng)
        tally = card_counts(GAME, table, seed, actions)
        gained = [e for e in events if e["kind"] in ("wins_added", "wins_blocked") and "card" in e]
        by_effect = sum(tally[:, COUNTED.index("fired"), card(name)].sum() for name in ("Justice", "The Hanged Man"))
        assert len(gained) == tally[:, COUNTED.index("won")].sum() + by_effect
