"""Section 11 of the rules of Wizard in Training: teeth, levels, and how a game ends."""

import pytest
from wizard_duels import at, brief, by_seat, duel, fighter, shuffles, side, standing
from wizard_scenes import (
    REDRAW,
    SPELLS,
    TURN,
    asked,
    copied,
    deck,
    discards,
    events,
    field,
    hand,
    item,
    legal,
    levels,
    mode,
    of_kind,
    play,
    pool,
    result,
    spell,
    total,
    used,
)

CAP_23 = {"level5_cap": "cap_23"}
NEEDED = {1: 8, 2: 12, 3: 16, 4: 20, 5: 24}


def rule(number):
    return pytest.mark.rule("wizard_in_training", number)


both_seats = pytest.mark.parametrize("me", [0, 1])
every_level = pytest.mark.parametrize("level", [1, 2, 3, 4])


def gains(teeth):
    return {"hex": spell(mode(gain=teeth))}


def steals(teeth):
    return {"hex": spell(mode(steal=teeth))}


STRONG = {"ant": fighter(3, 1), "bee": fighter(3, 1)}
"""A reward of 4; they beat a main of 1/1, and cat and dog."""
WEAK = {"cat": fighter(0, 0), "dog": fighter(0, 0)}
PEOPLE = STRONG | WEAK


def cast_hex(cards, mine=None, theirs=None, me=0, rules=None):
    """The turn player casts "hex"; nobody holds a counter."""
    s = duel(side(**{"hand": "hex hum"} | (mine or {})), side(**theirs or {}), cards, me, SPELLS, rules)
    return s, play(s, "cast hex")


def begin_turn(mine=None, theirs=None, cards=None, me=0, rules=None):
    """The turn player's Item phase is over."""
    s = duel(side(**mine or {}), side(**theirs or {}), cards, me, TURN, rules)
    return s, events(s)


# --- Totals and tests -----------------------------------------------------------------------------------------


@rule("11.1")
def test_a_total_is_the_printed_teeth_of_the_pool_and_the_counter_and_no_characters():
    cards = STRONG | {"crown": item(5), "club": item(2, "weapon")}
    s = duel(side(pool="crown crown club", earned=3, field="ant", hand="crown", level=5), side(pool="penny"), cards)
    assert (standing(s, 0), standing(s, 1)) == ((5, 3, 15), (1, 0, 1))


@rule("11.2")
def test_an_item_in_use_still_counts_and_nothing_is_tested_meanwhile():
    cards = PEOPLE | {"sword": item(5, "weapon"), "syrup": item(2, "potion", drunk=0, attack=1)}
    s = duel(side(field="ant", pool="sword syrup", level=2), side(hand="dog hum"), cards)
    play(s, "attack ant", "equip sword", "equip syrup")
    assert (at(s, 0, "sword", "syrup"), total(s, 0)) == ("worn worn", 7)
    play(s, "block dog")
    assert total(s, 0) == 5 + 4


@rule("11.2")
def test_an_item_held_for_a_spell_still_counts():
    cards = {"hex": spell(mode(gain=3), needs="amulet"), "amulet": item(5, "charm"), "ward": spell(counters=["hex"])}
    s = duel(side(hand="hex hum", pool="amulet"), side(hand="ward"), cards, at=SPELLS)
    play(s, "cast hex")
    assert (asked(s), at(s, 0, "amulet"), standing(s, 0)) == ((1, "counter"), "held", (1, 0, 5))
    lost = copied(s)
    play(lost, "counter ward")
    assert (at(lost, 0, "amulet"), standing(lost, 0)) == ("discard", (1, 0, 0))
    play(s, "pass")
    assert (at(s, 0, "amulet"), standing(s, 0)) == ("deck", (2, 0, 0))  # back in the pool before the test


@rule("11.3")
def test_levels_are_tested_when_a_spell_is_over_and_not_between_its_effects():
    cards = {"hex": spell(mode(gain=8, steal=2, destroys=1, discard=1, draw=1))}
    s, _ = cast_hex(cards, theirs={"hand": "hum hum", "pool": "penny shilling florin", "field": ""})
    assert (asked(s), standing(s, 0)) == ((1, "pay"), (1, 8, 8))
    play(s, "pay shilling")
    assert (asked(s), standing(s, 0)) == ((0, "destroy"), (1, 10, 10))
    play(s, "destroy penny")
    assert (asked(s), levels(s)) == ((1, "give_up"), (1, 1))
    happened = play(s, "discard hum")
    assert [e.kind for e in of_kind(happened, "draws", "rises")] == ["draws", "rises"]
    assert standing(s, 0) == (2, 0, 0)


@rule("11.3")
def test_a_countered_spell_is_no_event():
    cards = {"hex": spell(mode(gain=3)), "ward": spell(counters=["hex"])}
    s = duel(side(hand="hex hum", earned=9), side(hand="ward", earned=9), cards, at=SPELLS)
    play(s, "cast hex", "counter ward")
    assert (levels(s), asked(s)) == ((1, 1), (0, "cast"))


@rule("11.3")
def test_a_duel_is_tested_as_a_whole():
    """The attacker's reward and the teeth of his potion make one total, and one level."""
    cards = STRONG | {"syrup": item(0, "potion", drunk=4)}
    s = duel(side(field="ant", pool="syrup", level=1, earned=0), side(deck="", level=2), cards)
    happened = play(s, "attack ant", "equip syrup")
    assert brief(happened, "gains", "rises", "falls") == [
        ("gains", 0, 4), ("gains", 0, 4), ("rises", 0, 2), ("falls", 1, 1)
    ]  # fmt: skip


@rule("11.3")
@pytest.mark.parametrize("at_phase", [SPELLS, REDRAW])
def test_nothing_else_is_tested(at_phase):
    s = duel(side(earned=9, hand="hum"), side(earned=9), at=at_phase)
    while asked(s)[1] != "discard":
        play(s, "pass")
    assert (levels(s), asked(s)) == ((1, 1), (0, "discard"))
    happened = play(s, "pass")
    last = [(e.kind, e.seat) for e in of_kind(happened, "draws", "turn_begins", "rises")][-2:]
    assert (last, levels(s)) == ([("turn_begins", 1), ("rises", 1)], (1, 2))


@rule("11.4")
@both_seats
def test_after_the_item_phase_the_turn_player_alone_is_tested(me):
    s, _ = begin_turn({"earned": 8}, {"earned": 8}, me=me)
    assert levels(s) == by_seat(me, 2, 1)


@rule("11.4")
@both_seats
def test_after_a_spell_the_caster_is_tested_and_then_the_other(me):
    """Both totals are high enough; a spell without effect is an event all the same."""
    s, happened = cast_hex({"hex": spell()}, {"earned": 8}, {"earned": 8}, me)
    assert [(e.kind, e.seat) for e in of_kind(happened, "rises", "resets")] == [
        ("rises", me), ("rises", 1 - me), ("resets", me), ("resets", 1 - me)
    ]  # fmt: skip
    assert levels(s) == (2, 2)


@rule("11.4")
@both_seats
@pytest.mark.parametrize("attacker_wins", [True, False])
def test_after_a_duel_the_winner_is_tested_and_then_the_loser(me, attacker_wins):
    cards = PEOPLE if attacker_wins else {"ant": fighter(0, 0), "dog": fighter(3, 1)}
    s = duel(side(field="ant", earned=8), side(hand="dog hum", earned=8), cards, me)
    happened = play(s, "attack ant", "block dog")
    first = me if attacker_wins else 1 - me
    assert [(e.kind, e.seat) for e in of_kind(happened, "rises", "resets")] == [
        ("rises", first), ("rises", 1 - first), ("resets", first), ("resets", 1 - first)
    ]  # fmt: skip


@rule("11.4")
@both_seats
def test_after_a_tie_the_attacker_is_tested_and_then_the_defender(me):
    s = duel(side(field="cat", earned=8), side(hand="dog hum", earned=8), PEOPLE, me)
    happened = play(s, "attack cat", "block dog")
    assert [(e.kind, e.seat) for e in of_kind(happened, "ties", "rises")] == [
        ("ties", me), ("rises", me), ("rises", 1 - me)
    ]  # fmt: skip


@rule("11.5")
@every_level
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_the_teeth_that_a_level_needs_by_items(level, more):
    cards = {"crown": item(NEEDED[level] - 3 + more)}
    s, _ = begin_turn({"level": level, "earned": 2, "hand": "crown hum", "pool": "penny"}, cards=cards)
    assert standing(s, 0) == ((level, 2, NEEDED[level] - 1) if more < 0 else (level + 1, 0, 0))


@rule("11.5")
@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("more", [-1, 0, 1])
@both_seats
def test_the_teeth_that_a_level_needs_by_spells(level, more, me):
    s, _ = cast_hex(gains(2), {"level": level, "earned": NEEDED[level] - 3 + more, "pool": "penny"}, me=me)
    if more < 0:
        assert standing(s, me) == (level, NEEDED[level] - 2, NEEDED[level] - 1)
    elif level < 5:
        assert standing(s, me) == (level + 1, 0, 0)
    else:
        assert (levels(s)[me], result(s)) == (6, (me, "graduation"))


@rule("11.5")
@every_level
def test_a_player_rises_in_the_other_players_turn_too(level):
    s = duel(side(field="cat"), side(hand="ant hum", level=level, earned=NEEDED[level] - 4), PEOPLE)
    play(s, "attack cat", "block ant")
    assert (standing(s, 1), asked(s)) == ((level + 1, 0, 0), (0, "discard"))


@rule("11.6")
def test_a_player_rises_one_level_in_an_event_and_what_is_more_is_lost():
    s, _ = begin_turn({"hand": "nugget nugget nugget", "earned": 3})
    assert standing(s, 0) == (2, 0, 0)
    s, _ = cast_hex(gains(40), {"pool": "crown"})
    assert standing(s, 0) == (2, 0, 0)
    s = duel(side(field="ant"), side(hand="dog hum"), PEOPLE | {"ant": fighter(30, 30)})
    play(s, "attack ant", "block dog")
    assert standing(s, 0) == (2, 0, 0)


@rule("11.7")
@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_a_total_below_the_number_of_an_earlier_level_changes_nothing(level):
    s, _ = cast_hex(steals(5), theirs={"level": level, "pool": "crown penny", "earned": 1})
    play(s, "pay crown")
    assert standing(s, 1) == (level, 1, 2)
    s, _ = cast_hex(steals(5), theirs={"level": level, "earned": 3})
    assert standing(s, 1) == (level, 0, 0)


@rule("11.8")
@both_seats
def test_who_falls_is_not_tested_for_a_rise_and_what_he_has_gained_is_lost(me):
    """The potion of the defender brings enough for the next level."""
    cards = STRONG | {"syrup": item(1, "potion", drunk=9)}
    s = duel(side(field="ant", level=3), side(deck="", level=2, earned=9, pool="syrup"), cards, me)
    happened = play(s, "attack ant", "equip syrup")
    assert ("gains", 1 - me, 9) in brief(happened, "gains")
    assert brief(happened, "rises", "falls") == [("falls", 1 - me, 1)]
    assert (standing(s, me), standing(s, 1 - me)) == ((3, 4, 4), (1, 0, 0))


@rule("11.8")
def test_a_loser_who_does_not_fall_is_tested():
    cards = PEOPLE | {"syrup": item(1, "potion", drunk=9)}
    s = duel(side(field="ant", level=3), side(hand="dog hum", level=2, earned=3, pool="syrup"), cards)
    play(s, "attack ant", "block dog", "equip syrup")
    assert (standing(s, 0), standing(s, 1)) == ((3, 4, 4), (3, 0, 0))
    s = duel(side(main=(0, 0), level=2, earned=3, pool="syrup"), side(hand="ant hum"), cards,
             rules={"main_attack_leveldown": False})  # fmt: skip
    play(s, "main", "equip syrup", "block ant")
    assert (standing(s, 0), standing(s, 1)) == ((3, 0, 0), (1, 4, 4))


@rule("11.8")
@both_seats
def test_both_levels_may_change_in_one_event(me):
    s = duel(side(field="ant", earned=4), side(deck="", level=4, earned=7), STRONG, me)
    play(s, "attack ant")
    assert (standing(s, me), standing(s, 1 - me), asked(s)) == ((2, 0, 0), (3, 0, 0), (me, "discard"))
    s = duel(side(level=4, main=(0, 0)), side(hand="ant hum", level=2, earned=8), STRONG, me)
    play(s, "main", "block ant")
    assert (standing(s, me), standing(s, 1 - me), asked(s)) == ((3, 0, 0), (3, 0, 0), (me, "discard"))


# --- Level 5 --------------------------------------------------------------------------------------------------


@rule("11.9")
@both_seats
def test_items_alone_do_not_graduate_but_count_when_the_next_gain_comes(me):
    s, _ = begin_turn({"level": 5, "earned": 20, "hand": "nugget hex hum"}, cards=gains(1), me=me)
    assert (standing(s, me), asked(s)) == ((5, 20, 29), (me, "cast"))
    play(s, "cast hex")
    assert result(s) == (me, "graduation")


@rule("11.9")
def test_at_level_4_items_alone_are_enough():
    s, _ = begin_turn({"level": 4, "earned": 20, "hand": "nugget hum"})
    assert standing(s, 0) == (5, 0, 0)


@rule("11.9")
@rule("11.10")
@pytest.mark.parametrize("teeth", [0, 1])
def test_a_gain_of_one_tooth_by_a_spell_is_one_and_none_is_not(teeth):
    s, _ = cast_hex(gains(teeth), {"level": 5, "pool": "nugget nugget nugget"})
    assert (s.state.over, levels(s)[0]) == (teeth, 5 + teeth)


@rule("11.10")
@pytest.mark.parametrize(("theirs", "over"), [({}, 0), ({"pool": "penny"}, 1), ({"earned": 1}, 1)])
def test_a_theft_that_brought_nothing_is_no_gain(theirs, over):
    s, _ = cast_hex(steals(3), {"level": 5, "pool": "nugget nugget nugget"}, theirs)
    assert s.state.over == over


@rule("11.10")
@pytest.mark.parametrize(("numbers", "over"), [((0, 0), 0), ((1, 0), 1)])
def test_a_reward_of_0_is_no_gain(numbers, over):
    cards = {"ant": fighter(*numbers), "dog": fighter(0, 0)}
    s = duel(side(level=5, pool="nugget nugget nugget sword", hand="ant hum"), side(field="dog"), cards)
    happened = play(s, "attack ant", "equip sword", "block dog")
    assert (brief(happened, "wins"), s.state.over) == ([("wins", 0, "ant")], over)


@rule("11.10")
@pytest.mark.parametrize(("drunk", "over"), [(0, 0), (1, 1)])
def test_teeth_of_a_potion_are_a_gain_even_after_a_tie(drunk, over):
    cards = PEOPLE | {"syrup": item(0, "potion", drunk=drunk)}
    s = duel(side(level=5, pool="nugget nugget nugget syrup", field="cat"), side(hand="dog hum"), cards)
    happened = play(s, "attack cat", "equip syrup", "block dog")
    assert (len(of_kind(happened, "ties")), s.state.over) == (1, over)


@rule("11.10")
def test_a_gain_of_the_other_player_is_none():
    rich = {"level": 5, "pool": "nugget nugget nugget"}
    s, _ = cast_hex(gains(3), theirs=rich)
    assert (standing(s, 0), standing(s, 1), asked(s)) == ((1, 3, 3), (5, 0, 27), (0, "cast"))
    s = duel(side(field="ant"), side(hand="dog hum", **rich), PEOPLE)
    play(s, "attack ant", "block dog")
    assert (standing(s, 0), standing(s, 1)) == ((1, 4, 4), (5, 0, 27))


@rule("11.10")
def test_a_gain_of_an_earlier_event_is_none():
    s = duel(side(hand="hex hum", level=5, pool="nugget nugget", earned=2), side(), gains(1), at=SPELLS)
    play(s, "cast hex")
    assert standing(s, 0) == (5, 3, 21)
    s.state.placed[0] += 9  # as if items had come
    play(s, "cast hum")
    assert standing(s, 0) == (5, 3, 30)


@rule("11.11")
@pytest.mark.parametrize(
    ("earned", "placed", "waste"), [(0, "nugget nugget crown", 0), (1, "nugget nugget crown", 1), (20, "nugget", 6)]
)
def test_what_items_bring_above_23_at_level_5_is_written_off_the_counter_included(earned, placed, waste):
    s, _ = begin_turn({"level": 5, "earned": earned, "hand": placed}, rules=CAP_23)
    assert (s.state.waste[0], standing(s, 0)) == (waste, (5, earned, 23))
    s, _ = begin_turn({"level": 5, "earned": earned, "hand": placed})
    assert (s.state.waste[0], standing(s, 0)) == (0, (5, earned, 23 + waste))


@rule("11.11")
def test_every_total_of_24_graduates_then():
    s, _ = begin_turn({"level": 5, "earned": 20, "hand": "nugget hex hum"}, cards=gains(1), rules=CAP_23)
    assert standing(s, 0) == (5, 20, 23)
    play(s, "cast hex")
    assert result(s) == (0, "graduation")


@rule("11.11")
def test_each_batch_adds_to_the_waste():
    s, _ = begin_turn({"level": 5, "earned": 20, "pool": "crown", "waste": 2, "hand": "nugget"}, rules=CAP_23)
    assert (s.state.waste[0], standing(s, 0)) == (11, (5, 20, 23))


@rule("11.11")
def test_items_placed_before_level_5_make_none_and_the_other_player_none():
    s, _ = begin_turn({"level": 4, "earned": 10, "hand": "nugget"}, {"level": 5, "pool": "nugget nugget nugget"},
                      rules=CAP_23)  # fmt: skip
    assert (s.state.waste.tolist(), standing(s, 0), standing(s, 1)) == ([0, 0], (4, 10, 19), (5, 0, 27))
    s, _ = begin_turn({"level": 4, "earned": 20, "hand": "nugget"}, rules=CAP_23)
    assert (s.state.waste.tolist(), standing(s, 0)) == ([0, 0], (5, 0, 0))


def wasteful(earned, items, waste, spells, me=0):
    """The turn player casts `hex` upon one of level 5 with waste."""
    theirs = {"level": 5, "earned": earned, "pool": items, "waste": waste}
    return cast_hex(spells, {"level": 2}, theirs, me, CAP_23)


@rule("11.11")
@both_seats
def test_the_waste_is_never_more_than_the_items_left_and_earned_teeth_are_never_eaten(me):
    destroys = {"hex": spell(mode(destroys=1))}
    s, _ = wasteful(20, "nugget crown", 11, destroys, me)
    you = 1 - me
    assert standing(s, you) == (5, 20, 23)
    smaller = copied(s)
    play(smaller, "destroy crown")  # 9 are left, and all of them wasted
    assert (smaller.state.waste[you], standing(smaller, you)) == (9, (5, 20, 20))
    play(s, "destroy nugget")  # 5 are left
    assert (s.state.waste[you], standing(s, you)) == (5, (5, 20, 20))


@rule("11.11")
def test_an_item_lost_costs_its_teeth_as_long_as_the_waste_is_covered():
    s, _ = wasteful(10, "nugget crown", 1, {"hex": spell(mode(destroys=1))})
    play(s, "destroy nugget")
    assert (s.state.waste[1], standing(s, 1)) == (1, (5, 10, 14))


@rule("11.11")
def test_a_stolen_item_pays_its_full_printed_teeth():
    s, _ = wasteful(20, "nugget crown", 11, steals(9))
    play(s, "pay nugget")
    assert (standing(s, 0), standing(s, 1), s.state.waste[1]) == ((2, 9, 9), (5, 20, 20), 5)
    s, _ = wasteful(20, "nugget", 6, steals(9))
    assert (standing(s, 0), standing(s, 1), s.state.waste[1]) == ((2, 9, 9), (5, 20, 20), 0)


@rule("11.11")
def test_items_in_use_are_items_he_still_has_and_equipment_that_is_lost_is_not():
    cards = {"sword": item(9, "weapon"), "dog": fighter(0, 0), "ant": fighter(3, 3)}
    s = duel(side(field="dog", level=5, earned=18, pool="sword", waste=4), side(hand="ant hum"), cards, rules=CAP_23)
    play(s, "attack dog", "equip sword")
    assert (s.state.waste[0], standing(s, 0)) == (4, (5, 18, 23))
    play(s, "block ant")
    assert (at(s, 0, "sword"), s.state.waste[0], standing(s, 0)) == ("discard", 0, (5, 18, 18))


@rule("11.11")
@both_seats
def test_the_waste_is_0_again_when_the_level_changes(me):
    s = duel(side(field="ant"), side(deck="", level=5, earned=18, pool="nugget", waste=4), PEOPLE, me, rules=CAP_23)
    play(s, "attack ant")
    assert (standing(s, 1 - me), s.state.waste[1 - me]) == ((4, 0, 0), 0)


@rule("11.11")
def test_waste_counts_against_a_new_batch_that_stays_below_23():
    s, _ = begin_turn({"level": 5, "earned": 10, "pool": "crown", "waste": 5, "hand": "crown"}, rules=CAP_23)
    assert (s.state.waste[0], standing(s, 0)) == (5, (5, 10, 15))


# --- The end, and resets --------------------------------------------------------------------------------------


@rule("11.12")
@both_seats
def test_levels_change_before_the_resets_come(me):
    s = duel(side(field="ant", earned=4, pool="penny"), side(deck="", level=2, pool="shilling penny"), STRONG, me)
    happened = play(s, "attack ant")
    assert brief(happened, "rises", "falls", "resets") == [
        ("rises", me, 2), ("falls", 1 - me, 1), ("resets", me, 1), ("resets", 1 - me, 2)
    ]  # fmt: skip


@rule("11.12")
@both_seats
def test_the_end_is_seen_after_all_levels_have_changed_and_before_any_reset(me):
    s = duel(side(field="ant", level=5, earned=20, pool="penny"), side(deck="", level=3, pool="penny"), STRONG, me)
    happened = play(s, "attack ant")
    assert brief(happened, "rises", "falls", "resets", "game_over") == [
        ("rises", me, 6), ("falls", 1 - me, 2), ("game_over", me, 1)
    ]  # fmt: skip
    assert (levels(s), result(s)) == (by_seat(me, 6, 2), (me, "graduation"))


@rule("11.13")
@both_seats
def test_who_falls_from_level_1_has_lost(me):
    s = duel(side(field="ant", level=3), side(deck="", level=1), STRONG, me)
    play(s, "attack ant")
    assert (levels(s), result(s)) == (by_seat(me, 3, 0), (me, "level 0"))
    s = duel(side(main=(0, 0)), side(main=(5, 5), deck=""), STRONG, me)
    play(s, "main")
    assert (levels(s), result(s)) == (by_seat(me, 0, 1), (1 - me, "level 0"))


@rule("11.13")
@both_seats
def test_who_rises_from_level_5_has_won_also_in_the_others_turn(me):
    s = duel(side(field="cat"), side(hand="ant hum", level=5, earned=20), PEOPLE, me)
    play(s, "attack cat", "block ant")
    assert (levels(s), result(s)) == (by_seat(me, 1, 6), (1 - me, "graduation"))


@rule("11.13")
@both_seats
def test_a_graduate_who_throws_the_other_from_level_1_wins(me):
    s = duel(side(field="ant", level=5, earned=20), side(deck="", level=1), STRONG, me)
    play(s, "attack ant")
    assert (levels(s), result(s)) == (by_seat(me, 6, 0), (me, "graduation"))
    s = duel(side(main=(0, 0)), side(hand="ant hum", level=5, earned=20), STRONG, me)
    play(s, "main", "block ant")
    assert (levels(s), int(s.state.winner)) == (by_seat(me, 0, 6), 1 - me)


@rule("11.13")
@both_seats
@pytest.mark.parametrize("wins", ["attack", "block", "none"])
def test_of_two_graduates_of_one_duel_the_attacker_wins(me, wins):
    cards = WEAK | {"ant": fighter(0, 0), "syrup": item(0, "potion", drunk=1)}
    cards |= {"attack": {"ant": fighter(3, 1)}, "block": {"dog": fighter(3, 1)}, "none": {}}[wins]
    rich = {"level": 5, "earned": 23, "pool": "syrup"}
    s = duel(side(field="ant", **rich), side(hand="dog hum", **rich), cards, me)
    play(s, "attack ant", "equip syrup", "block dog", "equip syrup")
    assert (levels(s), result(s)) == ((6, 6), (me, "graduation"))


@rule("11.13")
@both_seats
def test_of_two_graduates_of_one_spell_the_caster_wins(me):
    """Nothing in the pool gives the other player teeth; were he to gain some, the caster would come first."""
    s = duel(side(hand="hex hum", level=5, earned=23), side(level=5, earned=30), gains(1), me, SPELLS)
    s.state.gained[1 - me] = 1
    play(s, "cast hex")
    assert (levels(s), result(s)) == ((6, 6), (me, "graduation"))


@rule("11.14")
@both_seats
def test_a_rise_returns_all_items_of_the_pool_and_the_counter(me):
    mine = {"pool": "crown penny sword", "earned": 3, "field": "ant", "discard": "club cat", "hand": "hex bee hum"}
    theirs = {"pool": "crown", "earned": 2, "field": "dog", "hand": "hum", "discard": "club"}
    s, happened = cast_hex(gains(1) | PEOPLE, mine, theirs, me)
    assert (standing(s, me), pool(s, me), at(s, me, "crown", "penny", "sword")) == ((2, 0, 0), [], "deck deck deck")
    assert brief(happened, "resets") == [("resets", me, 3)]
    assert (field(s, me), hand(s, me), discards(s, me)) == (["ant"], ["bee", "hum"], ["cat", "club", "hex"])
    you = 1 - me
    assert (standing(s, you), pool(s, you), field(s, you)) == ((1, 2, 7), ["crown"], ["dog"])
    assert (hand(s, you), discards(s, you)) == (["hum"], ["club"])


@rule("11.14")
@both_seats
def test_a_fall_returns_them_too(me):
    theirs = side(deck="", level=3, earned=2, pool="crown penny", hand="dog hum", field="bee cat", fought="bee cat")
    s = duel(side(field="ant", pool="crown", earned=1, level=3), theirs, PEOPLE, me)
    play(s, "attack ant")
    you = 1 - me
    assert (standing(s, you), at(s, you, "crown", "penny"), field(s, you)) == ((2, 0, 0), "deck deck", ["bee", "cat"])
    assert (hand(s, you), standing(s, me), pool(s, me)) == (["dog", "hum"], (3, 5, 10), ["crown"])


@rule("11.15")
@pytest.mark.parametrize("items", ["", "penny"])
def test_a_deck_is_shuffled_if_cards_have_come_back_and_only_then(items):
    people = "page ant bee cat dog wolf squire knight ogre giant"
    s = duel(side(earned=8, pool=items, hand="hex hum", deck=people), side(), gains(0) | PEOPLE, at=SPELLS)
    before, dice = deck(s, 0), int(s.state.rng)
    play(s, "cast hex")
    assert levels(s) == (2, 1)
    assert (shuffles(s), int(s.state.rng) == dice) == ((len(items.split()), 0), not items)
    assert ((deck(s, 0) == before), sorted(deck(s, 0))) == (not items, sorted(before + items.split()))


@rule("11.15")
@both_seats
def test_who_has_fallen_is_shuffled_last(me):
    """In a duel that the defender of seat 0 or 1 loses, and in one that the attacker loses."""
    s = duel(side(field="ant", earned=4, pool="penny"), side(deck="", level=2, pool="penny"), STRONG, me)
    happened = play(s, "attack ant")
    assert [e.seat for e in of_kind(happened, "resets")] == [me, 1 - me]
    s = duel(side(main=(0, 0), level=2, pool="penny"), side(hand="ant hum", earned=4, pool="penny"), STRONG, me)
    happened = play(s, "main", "block ant")
    assert [e.seat for e in of_kind(happened, "resets")] == [1 - me, me]
    assert shuffles(s) == (1, 1)


@rule("11.15")
@both_seats
def test_otherwise_decks_are_shuffled_in_the_order_of_the_tests(me):
    s, happened = cast_hex({"hex": spell()}, {"earned": 8, "pool": "penny"}, {"earned": 8, "pool": "penny"}, me)
    assert ([e.seat for e in of_kind(happened, "resets")], shuffles(s)) == ([me, 1 - me], (1, 1))


@rule("11.16")
@both_seats
def test_when_the_game_is_over_everything_stays_as_it_is(me):
    mine = {"level": 5, "earned": 20, "pool": "crown penny", "hand": "hex hum"}
    s, happened = cast_hex(gains(5), mine, {"pool": "crown"}, me)
    assert brief(happened, "resets", "jumps", "phase_redraw", "draws", "spells_leave") == []
    assert (standing(s, me), pool(s, me)) == ((6, 25, 31), ["crown", "penny"])
    assert (hand(s, me), used(s, me)) == (["hum"], ["hex"])
    assert (shuffles(s), legal(s), asked(s)[1], pool(s, 1 - me)) == ((0, 0), [], "finished", ["crown"])


@rule("11.16")
def test_a_level_of_0_stays_as_it_is():
    s = duel(side(field="ant bee"), side(deck="", earned=2, pool="crown", hand="hum"), STRONG)
    play(s, "attack ant")
    assert (standing(s, 1), pool(s, 1), shuffles(s), legal(s)) == ((0, 2, 7), ["crown"], (0, 0), [])


# --- The jump (3.2, 3.3) --------------------------------------------------------------------------------------


@rule("3.2")
@rule("3.3")
@both_seats
def test_after_a_rise_by_items_nobody_casts_or_fights_in_this_turn(me):
    s, happened = begin_turn({"hand": "nugget hex ant hum", "field": "bee"}, {}, gains(1) | PEOPLE, me)
    assert brief(happened, "phase_spell", "phase_duel") == []
    assert (asked(s), levels(s), field(s, me)) == ((me, "discard"), by_seat(me, 2, 1), ["bee"])
    s, _ = begin_turn({"hand": "crown hex ant hum", "field": "bee"}, {}, gains(1) | PEOPLE, me)
    assert asked(s) == (me, "cast")


@rule("3.2")
@rule("3.3")
@both_seats
@pytest.mark.parametrize("riser", [0, 1])
def test_after_a_spell_with_a_change_of_level_no_other_is_cast(me, riser):
    """Whoever has risen: the Discard/Redraw phase is the turn player's, and the other one keeps a short hand."""
    cards = {"hex": spell(mode(attack=2)), "jinx": spell()}
    rich = by_seat(riser, {"earned": 8}, {})
    s, _ = cast_hex(cards, {"hand": "hex jinx hum", "field": ""} | rich[0], {"hand": "hum"} | rich[1], me)
    assert (asked(s), discards(s, me), used(s, me)) == ((me, "discard"), ["hex"], [])
    assert s.state.boost.tolist() == [[0] * 4] * 2
    play(s, "pass")
    assert (s.state.hand_size.tolist(), asked(s)) == (list(by_seat(me, 5, 1)), (1 - me, "cast"))


@rule("3.2")
@rule("3.3")
@both_seats
@pytest.mark.parametrize("change", ["attacker rises", "attacker falls", "defender rises", "defender falls", "none"])
def test_after_a_duel_with_a_change_of_level_no_other_is_fought(me, change):
    cards = PEOPLE | {"ant": fighter(3, 1), "dog": fighter(3, 1)}
    mine, theirs = {"hand": "bee cat hum"}, {"hand": "dog hum", "level": 3}
    if change == "attacker rises":
        s = duel(side(**mine, earned=8, field="ant"), side(**theirs), cards | WEAK, me)
        play(s, "attack ant", "block dog")
    elif change == "attacker falls":
        s = duel(side(**mine, level=2), side(**theirs), cards, me)
        play(s, "main", "block dog")
    elif change == "defender rises":
        s = duel(side(**mine), side(**theirs, earned=15), cards, me)
        play(s, "attack cat", "block dog")
    elif change == "defender falls":
        s = duel(side(**mine, field="ant"), side(**theirs), cards, me)
        play(s, "attack ant", "main")
    else:
        s = duel(side(**mine), side(**theirs), cards, me)
        play(s, "attack cat", "block dog")
    assert asked(s) == (me, "attack" if change == "none" else "discard")
    if change != "none":
        mine_now, theirs_now = field(s, me), field(s, 1 - me)
        play(s, "pass")
        assert s.state.hand_size.tolist()[1 - me] == len(hand(s, 1 - me))  # no card drawn
        assert (s.state.hand_size[me], asked(s)) == (5, (1 - me, "cast"))
        assert (field(s, me), field(s, 1 - me)) == (mine_now, theirs_now)
        assert "dog" in theirs_now if change in ("attacker falls", "defender rises") else mine_now == ["ant"]


@rule("3.2")
def test_duel_changes_end_with_the_jump():
    cards = STRONG | {"hex": spell(mode(attack=3, every_duel=1)), "jinx": spell(mode(gain=8))}
    s = duel(side(hand="hex jinx hum"), side(), cards, at=SPELLS)
    play(s, "cast hex")
    assert s.state.boost[1].tolist() == [3, 0, 0, 0]
    play(s, "cast jinx")
    assert (levels(s), s.state.boost.any(), discards(s, 0)) == ((2, 1), False, ["hex", "jinx"])
