"""What play-outs of Wizard in Training lean towards, and what a state is worth, in positions laid by hand."""

import numpy as np
import pytest
from wizard_patched import laid
from wizard_scenes import DUEL, GAME, REDRAW, action_text, by_seat, character, mode, play, scene, spell

from duelbench.agents.playouts import judges, lean, leans
from duelbench.agents.wizard_playouts import judge

pytestmark = pytest.mark.numba_modes


def weights(s):
    """The weight of every legal action, by its short name."""
    mask = GAME.mask(s.table, s.state)
    lean(s.table, s.state, mask)
    return {action_text(s, int(action)): int(mask[action]) for action in np.flatnonzero(mask)}


def worth(**facts):
    s = scene(**facts)
    return float(judge(s.table, s.state))


def test_the_game_says_what_is_sensible_and_what_a_state_is_worth():
    assert leans(GAME)
    assert judges(GAME)


def test_spells_that_bring_teeth_are_cast_before_others_and_before_the_end():
    tricks = {"rob": spell(mode(steal=2)), "push": spell(mode(attack=2))}
    found = weights(scene(hand=(["rob", "push"], []), cards=tricks))
    assert found["cast rob"] > found["cast push"]
    assert found["cast rob"] > found["pass"]
    alone = weights(scene(hand=(["push"], []), cards=tricks))
    assert alone["pass"] > alone["cast push"]


def test_a_changed_spell_is_likely_for_what_it_brings_now():
    hand = (["study_hour", "borrowed_muscles"], [])
    printed = weights(laid({}, hand=hand, level=(2, 1)))
    assert printed["cast study_hour"] > printed["cast borrowed_muscles"]
    changed = {"study_hour": {"blank": True}, "borrowed_muscles": {"mode_1": "steal 4"}}
    found = weights(laid(changed, hand=hand, level=(2, 1)))
    assert found["cast study_hour"] < found["cast borrowed_muscles"]


def test_the_mode_that_brings_more_teeth_is_likelier():
    two = {"two": spell(mode(gain=1), mode(gain=4))}
    s = scene(hand=(["two"], []), cards=two)
    play(s, "cast two")
    found = weights(s)
    assert found["mode 1"] > found["mode 0"]


def test_cards_above_the_level_are_thrown_away():
    found = weights(scene(at=REDRAW, hand=(["dragon", "wolf"], []), level=(1, 1)))
    assert found["discard dragon"] > found["pass"] > found["discard wolf"]


def test_an_attack_that_the_main_can_stop_is_left_alone():
    strong = weights(scene(at=DUEL, hand=(["knight"], []), level=(2, 2), mains=("nevin", "kelli")))
    assert strong["attack knight"] > strong["pass"]
    weak = {"moth": character(1, 1)}
    found = weights(scene(at=DUEL, hand=(["moth"], []), cards=weak))
    assert found["pass"] > found["attack moth"]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_main_that_would_fall_is_protected(seat):
    s = scene(at=DUEL, active=seat, hand=by_seat(seat, ["ogre"], ["page"]), level=(3, 3))
    play(s, "attack ogre")
    found = weights(s)
    assert found["block page"] > found["main"]


def test_the_worth_is_that_of_seat_0_and_the_other_way_round():
    assert worth(level=(2, 1)) > 0 > worth(level=(1, 2))
    assert worth(level=(2, 1)) == pytest.approx(-worth(level=(1, 2)))
    assert worth() == 0


@pytest.mark.parametrize(
    "better",
    [{"level": (3, 2)}, {"earned": (6, 2)}, {"pool": (["crown"], ["penny"])}, {"field": (["wolf"], [])}],
    ids=str,
)
def test_levels_teeth_and_characters_on_the_field_are_worth_something(better):
    assert 0 < worth(**{"level": (2, 2), **better}) < 1


def test_a_level_is_worth_more_than_all_teeth_of_the_one_below():
    assert worth(level=(2, 1), earned=(0, 7)) > 0
