"""Sections 8, 9 and 10 of the rules of Wizard in Training: attacking and blocking, equipment, the outcome of a duel."""

import pytest
from wizard_duels import at, brief, by_seat, duel, fighter, seen, side, standing, told, values, worlds
from wizard_outcomes import FIGHTERS, MEETINGS, check_outcome
from wizard_scenes import (
    GAME,
    SPELLS,
    asked,
    character,
    copied,
    discards,
    field,
    item,
    kinds_of,
    legal,
    levels,
    mode,
    of_kind,
    play,
    pool,
    spell,
    total,
)

from duelbench.envs.errors import IllegalAction
from duelbench.envs.wizard_in_training.cards import EQUIPMENT_BONUS, FIRST_CHARACTER
from duelbench.envs.wizard_in_training.state import ATTACK, BLOCK, EQUIP, PASS

HIDDEN = {"duel_commit": "hidden_equipment"}
BOTH = 3


def rule(number):
    return pytest.mark.rule("wizard_in_training", number)


both_seats = pytest.mark.parametrize("me", [0, 1])

PEOPLE = {name: fighter(4, 4) for name in ("ant", "bee", "cat", "dog")}
"""Characters of level 1 that tie with each other."""
STRONG = {"ant": fighter(2, 1), "bee": fighter(3, 1), "cat": fighter(2, 2)}
"""Characters that beat a main of 1/1, and WEAK ones, and stay on the field; two wins of them do not raise a level."""
WEAK = {"cat": fighter(0, 0), "dog": fighter(0, 0)}


def with_levels(**levels):
    return {name: fighter(5, 3, level) for name, level in levels.items()}


def choices(s):
    """What may be done but to pass, sorted."""
    return sorted(name for name in legal(s) if name != "pass")


# --- 8. Attacking and blocking --------------------------------------------------------------------------------


@rule("8.1")
def test_one_fighter_attacks_after_the_other_and_each_once():
    s = duel(side(field="ant bee", level=3), side(level=5, hand="cat hum"), cards=STRONG | WEAK)
    assert (asked(s), choices(s)) == ((0, "attack"), ["attack ant", "attack bee"])
    events = play(s, "attack bee", "block cat")
    assert [e.card for e in of_kind(events, "wins", "dies")] == ["bee", "cat"]
    assert (asked(s), choices(s)) == ((0, "attack"), ["attack ant"])
    play(s, "attack ant")
    assert asked(s) == (1, "block")  # page may be in the hand
    play(s, "main")
    assert (levels(s), asked(s)) == ((3, 4), (0, "discard"))


@rule("8.1")
def test_the_phase_ends_when_all_have_attacked_and_none_can_be_placed():
    s = duel(side(field="ant bee"), side(hand="cat dog"), cards=STRONG | WEAK)
    play(s, "attack ant", "block cat", "attack bee", "block dog")
    assert (field(s, 0), discards(s, 1), asked(s)) == (["ant", "bee"], ["cat", "dog"], (0, "discard"))


@rule("8.1")
@pytest.mark.parametrize("before", [[], ["attack ant", "block cat"]])
def test_the_player_need_not_attack_and_may_end_the_phase_before_every_attack(before):
    s = duel(side(field="ant bee", level=3), side(hand="cat dog"), cards=STRONG | WEAK)
    play(s, *before)
    assert (legal(s)[0], asked(s)) == ("pass", (0, "attack"))
    play(s, "pass")
    assert (asked(s), field(s, 0)) == ((0, "discard"), ["ant", "bee"])


@rule("8.2")
@pytest.mark.parametrize(("place", "other"), [("field", "hand"), ("hand", "field")])
def test_an_attacker_comes_from_the_field_or_the_hand_and_is_placed_by_the_attack(place, other):
    s = duel(side(**{"hand": "hum", place: "ant hum" if place == "hand" else "ant"}), side(), cards=STRONG)
    assert at(s, 0, "ant") == place
    assert "attack ant" in legal(s)
    play(s, "attack ant")
    assert (at(s, 0, "ant"), asked(s)) == ("field", (1, "block"))


@rule("8.2")
@pytest.mark.parametrize("place", ["field", "hand"])
@pytest.mark.parametrize(("level", "may"), [(0, True), (2, True), (3, True), (4, False), (5, False)])
def test_the_level_of_an_attacker_must_not_exceed_that_of_its_player(place, level, may):
    s = duel(
        side(**{place: "ant"} | ({"hand": "ant hum"} if place == "hand" else {}), level=3),
        side(),
        cards=with_levels(ant=level),
    )
    assert ("attack ant" in legal(s)) == may


def asked_to_attack(s):
    return asked(s) == (0, "attack")


@rule("8.3")
def test_a_player_is_asked_for_what_may_be_in_the_hand_whether_or_not_it_is():
    field_of_one = {"field": "ant", "fought": "ant"}
    for mine in (side(**field_of_one, hand="hum", deck="bee"), side(**field_of_one, hand="bee", deck="hum")):
        s = duel(mine, side(), cards=STRONG)
        assert asked_to_attack(s)
        assert choices(s) == (["attack bee"] if "bee" in mine.hand else [])


@rule("8.3")
def test_he_is_not_asked_if_no_character_that_could_attack_is_in_hand_and_deck():
    for cards, asks in ((with_levels(ant=1, bee=2), False), (with_levels(ant=1, bee=1), True)):
        s = duel(side(field="ant", fought="ant", deck="bee"), side(), cards=cards)
        assert asked_to_attack(s) == asks


@rule("8.3")
def test_he_is_not_asked_with_an_empty_hand_or_a_full_field_of_those_that_cannot_attack():
    s = duel(side(hand="", field="ant", fought="ant", deck="bee", pool="sword"), side(), cards=STRONG)
    assert asked(s) == (1, "cast")  # the turn is over without a further question
    s = duel(side(field="ant bee", fought="ant bee", deck="cat"), side(), cards=STRONG)
    assert asked(s) == (0, "discard")
    s = duel(side(field="ant bee", deck="cat"), side(), cards=with_levels(ant=2, bee=5, cat=1))
    assert asked(s) == (0, "discard")
    s = duel(side(field="ant bee", fought="ant", deck="cat"), side(), cards=STRONG)
    assert (asked_to_attack(s), choices(s)) == (True, ["attack bee"])


@rule("8.3")
def test_he_is_asked_as_long_as_his_main_can_attack():
    s = duel(side(hand="", deck=""), side())
    assert (asked_to_attack(s), legal(s)) == (True, ["pass", "main"])
    s = duel(side(hand="hum", deck="", fought="main"), side())
    assert asked(s) == (0, "discard")


@rule("8.4")
def test_a_full_field_takes_no_attacker_from_the_hand():
    for there, may in (("", True), ("bee", True), ("bee cat", False)):
        s = duel(side(field=there, hand="ant hum"), side(), cards=STRONG)
        assert ("attack ant" in legal(s)) == may


@rule("8.4")
def test_a_full_field_takes_no_blocker_from_the_hand():
    for there, may in (("", True), ("bee", True), ("bee cat", False)):
        s = duel(side(hand="dog hum"), side(field=there, hand="ant hum"), cards=STRONG | PEOPLE)
        play(s, "attack dog")
        assert asked(s) == (1, "block")
        assert ("block ant" in legal(s)) == may


@rule("8.4")
def test_a_placed_character_is_on_the_field_from_the_declaration_on():
    s = duel(side(hand="ant hum", field="bee", pool="sword"), side(hand="cat hum", pool="sword"), cards=STRONG)
    play(s, "attack ant")
    assert (asked(s), field(s, 0), s.state.field_size[0]) == ((0, "equip"), ["ant", "bee"], 2)
    play(s, "pass", "block cat")
    assert (asked(s), field(s, 1), s.state.field_size[1]) == ((1, "equip"), ["cat"], 1)


@rule("8.4")
def test_when_one_has_died_the_field_takes_another_one():
    s = duel(side(field="ant bee", hand="cat hum"), side(hand="dog hum"), cards=PEOPLE)
    assert "attack cat" not in legal(s)
    play(s, "attack ant", "block dog")
    assert (field(s, 0), choices(s)) == (["bee"], ["attack bee", "attack cat"])


@rule("8.5")
def test_a_survivor_does_not_attack_again_in_the_phase():
    s = duel(side(hand="ant bee", level=4), side(hand="cat dog"), cards=STRONG | WEAK)
    play(s, "attack ant", "block cat")
    assert (at(s, 0, "ant"), choices(s)) == ("field", ["attack bee"])


@rule("8.5")
def test_a_blocker_that_has_won_blocks_no_other_attack_of_the_phase():
    s = duel(side(hand="cat dog"), side(field="ant", hand="bee", level=4), cards=STRONG | WEAK)
    play(s, "attack cat", "block ant")
    assert (at(s, 0, "cat"), at(s, 1, "ant")) == ("discard", "field")
    play(s, "attack dog")
    assert legal(s) == ["main", "block bee"]


@rule("8.5")
def test_one_that_has_blocked_attacks_in_its_own_turn_and_one_that_has_attacked_blocks_in_the_next():
    s = duel(side(hand="cat dog"), side(field="ant", hand="hum", level=4), cards=STRONG | WEAK)
    play(s, "attack cat", "block ant", "pass", "pass")
    assert asked(s) == (1, "cast")
    play(s, "pass")
    assert "attack ant" in legal(s)
    s = duel(side(hand="ant hum", deck=""), side(hand="dog cat"), cards=STRONG | WEAK)
    play(s, "attack ant", "block dog", "pass")
    assert asked(s) == (1, "cast")
    play(s, "pass", "attack cat")
    assert choices(s) == ["block ant", "main"]


@rule("8.6")
def test_a_main_attacks_while_the_own_field_is_empty_whatever_is_in_the_hand():
    s = duel(side(hand="ant hum"), side(), cards=STRONG)
    assert "main" in legal(s)
    s = duel(side(field="ant"), side(), cards=STRONG)
    assert "main" not in legal(s)


@rule("8.6")
def test_a_character_that_could_not_attack_hinders_the_main():
    s = duel(side(field="ant", deck="bee"), side(), cards=with_levels(ant=4, bee=1))
    assert (asked_to_attack(s), legal(s)) == (True, ["pass"])


@rule("8.6")
def test_a_main_attacks_once_and_characters_may_attack_after_it():
    s = duel(side(hand="ant hum"), side(hand="dog hum"), cards=STRONG | {"dog": fighter(0, 1)})
    play(s, "main")
    assert asked(s) == (1, "block")
    play(s, "block dog")
    assert (at(s, 1, "dog"), levels(s), legal(s)) == ("discard", (1, 1), ["pass", "attack ant"])


@rule("8.6")
def test_a_main_may_attack_after_a_character_placed_in_this_phase_has_died():
    s = duel(side(hand="dog hum"), side(hand="ant hum"), cards=STRONG | {"dog": fighter(0, 1)})
    play(s, "attack dog")
    play(s, "block ant")
    assert (at(s, 0, "dog"), at(s, 1, "ant"), legal(s)) == ("discard", "field", ["pass", "main"])


@rule("8.6")
def test_in_the_next_turn_the_main_attacks_again():
    s = duel(side(deck=""), side(deck=""), level=(1, 1))
    play(s, "main")
    assert (asked(s), levels(s)) == ((0, "discard"), (1, 1))
    play(s, "pass", "pass", "pass", "pass", "pass")
    assert (asked(s), legal(s)) == ((0, "attack"), ["pass", "main"])


@rule("8.7")
def test_characters_of_the_other_field_are_neither_targets_nor_touched():
    s = duel(side(field="ant"), side(field="dog", level=3), cards=STRONG | WEAK)
    assert legal(s) == ["pass", "attack ant"]
    play(s, "attack ant")
    play(s, "main")
    assert (at(s, 1, "dog"), levels(s)) == ("field", (1, 2))


@rule("8.8")
def test_the_defender_blocks_with_one_character_of_field_or_hand_or_his_main_defends():
    s = duel(side(field="ant"), side(field="bee", hand="cat hum"), cards=PEOPLE)
    play(s, "attack ant")
    assert (asked(s), choices(s)) == ((1, "block"), ["block bee", "block cat", "main"])
    once = copied(s)
    events = play(once, "block cat")
    assert (at(once, 1, "cat", "bee"), at(once, 0, "ant")) == ("discard field", "discard")
    assert brief(events, "blocks") == [("blocks", 1, "cat")]
    events = play(s, "main")
    assert (brief(events, "blocks"), at(s, 1, "bee", "cat")) == ([("blocks", 1, "main 1")], "field hand")


@rule("8.8")
@pytest.mark.parametrize("level", [0, 1, 2, 5])
@pytest.mark.parametrize("place", ["field", "hand"])
def test_the_level_of_a_blocker_does_not_matter(level, place):
    s = duel(side(hand="ant hum"), side(**{place: "dog"}), cards=STRONG | with_levels(dog=level))
    play(s, "attack ant")
    assert legal(s) == ["main", "block dog"]


@rule("8.8")
def test_a_main_defends_every_attack_of_the_phase():
    s = duel(side(field="cat dog"), side(deck="", main=(1, 9)), cards=PEOPLE)
    for name in ("cat", "dog"):
        events = play(s, f"attack {name}")
        assert brief(events, "blocks", "no_hit", "ties") == [("blocks", 1, "main 1"), ("no_hit", 0, 0), ("ties", 0, 0)]
    assert levels(s) == (1, 1)


@rule("8.8")
def test_a_main_may_defend_also_if_a_character_could_block():
    s = duel(side(main=(1, 3)), side(field="ant", fought="ant", hand="bee", deck=""), cards=STRONG)
    play(s, "main")
    assert legal(s) == ["main", "block bee"]


@rule("8.9")
def test_the_defender_is_asked_for_what_may_be_in_the_hand_whether_or_not_it_is():
    for theirs in (side(hand="hum", deck="dog"), side(hand="dog", deck="hum")):
        s = duel(side(field="ant"), theirs, cards=STRONG | PEOPLE)
        play(s, "attack ant")
        assert asked(s) == (1, "block")
        assert legal(s) == ["main", "block dog"][: 1 + ("dog" in theirs.hand)]


@rule("8.9")
@pytest.mark.parametrize("theirs", [{"hand": "dog"}, {"field": "dog"}, {"deck": "dog"}])
def test_he_is_asked_also_for_one_above_his_level(theirs):
    s = duel(side(field="ant"), side(**{"deck": ""} | theirs), cards=STRONG | with_levels(dog=5))
    play(s, "attack ant")
    assert asked(s) == (1, "block")


@rule("8.9")
@pytest.mark.parametrize(
    "theirs",
    [
        {"hand": "", "deck": "dog"},
        {"hand": "hum", "deck": ""},
        {"hand": "dog", "field": "ant bee", "fought": "ant bee"},
        {"hand": "", "field": "dog", "fought": "dog"},
    ],
)
def test_he_is_not_asked_if_both_see_that_no_character_can_block(theirs):
    s = duel(side(field="cat", level=3), side(**theirs), cards=STRONG | PEOPLE | {"cat": fighter(1, 1)})
    events = play(s, "attack cat")
    assert brief(events, "blocks", "ties") == [("blocks", 1, "main 1"), ("ties", 0, 0)]


@rule("8.9")
def test_he_is_asked_if_one_of_a_full_field_has_not_fought():
    s = duel(side(field="cat"), side(hand="dog", field="ant bee", fought="ant"), cards=STRONG | PEOPLE)
    play(s, "attack cat")
    assert (asked(s), legal(s)) == ((1, "block"), ["main", "block bee"])


@rule("8.10")
def test_attacks_and_blocks_are_open_and_not_taken_back():
    arms = {name: fighter(2, 1) for name in ("ant", "dog")}
    s = duel(side(hand="ant hum", pool="sword"), side(hand="dog hum", pool="sword"), cards=arms)
    (event,) = of_kind(play(s, "attack ant"), "attacks")
    assert (event.seat, event.card, event.seen_by) == (0, "ant", BOTH)
    assert (told(s, 0), told(s, 1) - ATTACK) == (-1, s.numbers["ant"] - FIRST_CHARACTER)
    assert (asked(s), legal(s)) == ((0, "equip"), ["pass", "equip sword"])
    play(s, "pass")
    (event,) = of_kind(play(s, "block dog"), "blocks")
    assert (event.seat, event.card, event.seen_by) == (1, "dog", BOTH)
    assert (told(s, 1), told(s, 0) - BLOCK) == (-1, s.numbers["dog"] - FIRST_CHARACTER)
    assert (asked(s), legal(s)) == ((1, "equip"), ["pass", "equip sword"])


# --- 9. Equipment and potions ---------------------------------------------------------------------------------


@rule("9.1")
@both_seats
def test_a_weapon_adds_to_attack_and_an_armour_to_defend_and_they_leave_the_pool(me):
    assert EQUIPMENT_BONUS == 2
    s = duel(side(field="ant", pool="sword cloak"), side(hand="bee hum", pool="cloak ale"), PEOPLE, me)
    play(s, "attack ant", "equip sword", "equip cloak", "block bee")
    assert (values(s, me), values(s, 1 - me)) == ((6, 6), (4, 4))
    assert (at(s, me, "sword", "cloak"), pool(s, me)) == ("worn worn", [])
    play(s, "equip cloak")
    assert (values(s, 1 - me), at(s, 1 - me, "cloak", "ale")) == ((4, 6), "worn pool")


@rule("9.1")
@pytest.mark.parametrize("attacker", ["attack ant", "main"])
def test_one_weapon_and_one_armour_for_each_fighter(attacker):
    s = duel(side(hand="ant hum", pool="sword club shield cloak"), side(pool="sword"), PEOPLE)
    play(s, attacker)
    assert choices(s) == ["equip cloak", "equip club", "equip shield", "equip sword"]
    play(s, "equip club")
    assert choices(s) == ["equip cloak", "equip shield"]
    play(s, "equip shield")
    assert (asked(s), at(s, 0, "sword", "club", "shield", "cloak")) == ((1, "block"), "pool worn worn pool")
    play(s, "main")
    assert choices(s) == ["equip sword"]


@rule("9.2")
@pytest.mark.parametrize(
    ("tags", "may"),
    [
        ((), []),
        (("weapon",), ["equip club", "equip sword"]),
        (("armour",), ["equip shield"]),
        (("club", "armour"), ["equip club", "equip shield"]),
        (("amulet", "charm", "tome"), []),
    ],
)
@pytest.mark.parametrize("role", ["attack", "block"])
def test_a_character_wears_what_its_abilities_name_a_main_everything(tags, may, role):
    cards = {"ant": character(4, 4, 1, tags), "bee": fighter(4, 4)}
    stuff = "sword club shield amulet tome ale"
    mine, theirs = side(field="ant", pool=stuff), side(field="bee")
    if role == "attack":
        s = duel(mine, theirs, cards)
        play(s, "attack ant")
    else:
        s = duel(theirs, mine, cards)
        play(s, "attack bee", "block ant")
    assert choices(s) == sorted([*may, "equip ale"])


@rule("9.2")
def test_a_main_wears_any_weapon_and_any_armour():
    s = duel(side(pool="sword club shield amulet tome"), side(pool="sword shield tome"))
    play(s, "main")
    assert choices(s) == ["equip club", "equip shield", "equip sword"]
    play(s, "pass", "main")
    assert (asked(s), choices(s)) == ((1, "equip"), ["equip shield", "equip sword"])


@rule("9.3")
@pytest.mark.parametrize("attacker", ["attack ant", "main"])
def test_a_fighter_drinks_any_number_of_potions_from_its_owners_pool(attacker):
    s = duel(side(hand="ant hum", pool="ale ale broth"), side(pool="ale"), {"ant": character(1, 1, 1)})
    play(s, attacker, "equip ale", "equip broth")
    assert choices(s) == ["equip ale"]
    play(s, "equip ale")
    assert asked(s) == (1, "block")
    play(s, "main")
    assert (values(s, 0), values(s, 1)) == ((1 + 3 + 3, 1 + 3), (1, 1))


@rule("9.4")
def test_potions_add_up_also_of_one_name_and_with_weapon_and_armour():
    cards = PEOPLE | {"ale": item(1, "potion", attack=3, defend=-1), "broth": item(1, "potion", defend=2)}
    s = duel(side(field="ant", pool="ale ale sword cloak broth"), side(pool="ale sword"), cards)
    play(s, "attack ant", "equip ale", "equip ale", "equip sword", "equip cloak", "equip broth", "main")
    assert (values(s, 0), values(s, 1)) == ((4 + 3 + 3 + 2, 4 - 1 - 1 + 2 + 2), (1, 1))
    play(s, "equip ale")
    assert values(s, 1) == (4, 0)


@rule("9.4")
def test_a_potion_changes_only_the_one_who_drinks_it_and_only_this_duel():
    cards = {"ant": fighter(5, 5), "bee": fighter(5, 5), "dog": fighter(0, 0)}
    s = duel(side(field="ant bee", level=4, pool="ale sword"), side(hand="dog hum", level=4, pool="sword"), cards)
    play(s, "attack ant", "equip ale", "pass", "block dog")
    assert (values(s, 0), values(s, 1)) == ((8, 5), (0, 0))
    play(s, "pass", "attack bee", "pass", "main")
    assert (values(s, 0), values(s, 1)) == ((5, 5), (1, 1))


@rule("9.4")
@both_seats
@pytest.mark.parametrize(
    ("numbers", "reward"), [((9, 9), "mine"), ((4, 4), "none"), ((0, 0), "theirs")], ids=["won", "tied", "lost"]
)
def test_teeth_of_potions_come_with_the_reward_whoever_has_won(me, numbers, reward):
    cards = {"ant": fighter(*numbers), "bee": fighter(3, 5), "syrup": item(1, "potion", drunk=4)}
    cards["broth"] = item(1, "potion", drunk=1)
    if reward == "none":
        cards["ant"] = fighter(4, 4)
    s = duel(side(field="ant", pool="syrup", level=5), side(field="bee", pool="broth", level=5), cards, me)
    play(s, "attack ant", "equip syrup", "block bee")
    assert s.state.earned.tolist() == [0, 0]
    events = play(s, "equip broth")
    mine, theirs = {"mine": (18 + 4, 1), "none": (4, 1), "theirs": (4, 8 + 1)}[reward]
    assert s.state.earned.tolist() == list(by_seat(me, mine, theirs))
    assert kinds_of(events).index("spends") < kinds_of(events).index("gains")
    assert (at(s, me, "syrup"), at(s, 1 - me, "broth")) == ("discard", "discard")


@rule("9.5")
@pytest.mark.parametrize("useless", ["amulet", "tome", "crown", "pebble"])
def test_charms_general_items_and_further_subtypes_have_no_use_in_a_duel(useless):
    s = duel(side(hand="hum", pool=useless, main=(1, 3)), side(pool=useless))
    events = play(s, "main")
    assert asked(s) == (1, "block")
    events += play(s, "main")
    assert brief(events, "equips", "ties") == [("ties", 0, 0)]


@rule("9.6")
def test_the_attacker_takes_items_openly_before_the_block_and_the_defender_after_it():
    s = duel(side(field="ant", pool="sword ale broth"), side(hand="bee hum", pool="sword ale broth"), PEOPLE)
    play(s, "attack ant")
    assert asked(s) == (0, "equip")
    (event,) = of_kind(play(s, "equip sword"), "equips")
    assert (event.seat, event.card, event.seen_by, told(s, 1) - EQUIP) == (0, "sword", BOTH, s.numbers["sword"])
    assert asked(s) == (0, "equip")
    play(s, "pass")
    assert asked(s) == (1, "block")
    play(s, "block bee")
    assert asked(s) == (1, "equip")
    (event,) = of_kind(play(s, "equip ale"), "equips")
    assert (event.seat, event.card, event.seen_by, told(s, 0) - EQUIP) == (1, "ale", BOTH, s.numbers["ale"])
    events = play(s, "pass")
    assert kinds_of(events)[:2] == ["double_hit", "ties"]  # 6 against 4, 7 against 4; nobody is asked for more
    assert at(s, 0, "ale", "broth") == "pool pool"


@rule("9.7")
def test_items_are_taken_one_by_one_in_any_order_and_the_player_may_stop():
    s = duel(side(field="ant", pool="sword cloak ale"), side(), PEOPLE)
    for order in (["sword", "cloak", "ale"], ["ale", "cloak", "sword"], ["cloak"], []):
        once = copied(s)
        play(once, "attack ant")
        for name in order:
            assert (asked(once), legal(once)[0]) == ((0, "equip"), "pass")
            play(once, f"equip {name}")
        if len(order) < 3:
            play(once, "pass")
        assert asked(once) == (1, "block")
        assert once.state.lots.tolist() == [len(order), 0]


@rule("9.7")
def test_what_is_worn_is_neither_exchanged_nor_taken_off():
    s = duel(side(field="ant", pool="sword club ale"), side(), PEOPLE)
    play(s, "attack ant", "equip club")
    assert legal(s) == ["pass", "equip ale"]
    for name in ("club", "sword"):
        with pytest.raises(IllegalAction):
            GAME.play(s.table, s.state, EQUIP + s.numbers[name])


@rule("9.7")
def test_who_has_nothing_that_his_fighter_can_use_is_not_asked():
    naked = {"ant": character(4, 4, 1), "bee": character(4, 4, 1)}
    s = duel(side(field="ant", pool="sword cloak"), side(field="bee", pool="sword amulet"), naked)
    play(s, "attack ant")
    assert asked(s) == (1, "block")
    events = play(s, "block bee")
    assert kinds_of(events)[:2] == ["blocks", "no_hit"]


# --- 9.8 and 13.10: lots that lie face down -------------------------------------------------------------------


def hidden(me=0, mine="sword club ale", theirs="sword club ale", cards=PEOPLE):
    return duel(side(field="ant", pool=mine), side(hand="bee hum", pool=theirs), cards, me, rules=HIDDEN)


@rule("9.8")
@both_seats
def test_face_down_lots_come_after_the_block_and_are_turned_up_together(me):
    s = hidden(me)
    you = 1 - me
    play(s, "attack ant")
    assert asked(s) == (you, "block")
    play(s, "block bee")
    assert asked(s) == (me, "equip")
    play(s, "equip sword", "equip ale", "pass")
    assert asked(s) == (you, "equip")
    play(s, "equip club")
    assert s.state.lots.tolist() == list(by_seat(me, 2, 1))
    events = play(s, "pass")
    assert kinds_of(events)[:5] == ["reveals", "reveals", "reveals", "double_hit", "ties"]  # 9 and 6 against 4
    assert s.state.lots.tolist() == [0, 0]
    assert {(e.seat, e.card, e.seen_by) for e in of_kind(events, "reveals")} == {
        (me, "sword", BOTH), (me, "ale", BOTH), (you, "club", BOTH)
    }  # fmt: skip


@rule("9.8")
@rule("13.10")
@both_seats
def test_of_a_lot_the_other_sees_the_number_alone_until_it_is_turned_up(me):
    you = 1 - me
    views, codes = {}, {}
    for lot in (["sword"], ["club"], ["ale"], ["sword", "ale"], ["ale", "sword"], ["ale", "club"]):
        s = hidden(me)
        play(s, "attack ant", "block bee")
        for name in lot:
            (event,) = of_kind(play(s, f"equip {name}"), "equips")
            assert (event.seen_by, told(s, you), told(s, me)) == (1 << me, EQUIP, -1)
        views.setdefault(len(lot), set()).add(seen(s, you))
        play(s, "pass")
        assert (told(s, you), asked(s)) == (PASS, (you, "equip"))
        views.setdefault(len(lot), set()).add(seen(s, you))
        events = play(s, "equip club")
        assert (of_kind(events, "equips")[0].seen_by, told(s, me)) == (1 << you, EQUIP)
        events = play(s, "pass")
        assert {e.card for e in of_kind(events, "reveals") if e.seat == me} == set(lot)
        codes.setdefault(frozenset(lot), set()).add((told(s, you), told(s, me)))
    assert {size: len(kinds) for size, kinds in views.items()} == {1: 2, 2: 2}  # asked, and after the owner's end
    assert all(len(pair) == 1 for pair in codes.values())  # the order does not come to light
    own = {told_you for pair in codes.values() for told_you, _ in pair}
    theirs = {told_me for pair in codes.values() for _, told_me in pair}
    assert (len(own), len(theirs)) == (len(codes), 1)


@rule("9.8")
@both_seats
def test_a_seat_is_asked_again_even_if_nothing_more_fits(me):
    s = hidden(me, mine="sword club", theirs="ale")
    you = 1 - me
    play(s, "attack ant", "block bee", "equip sword")
    assert (asked(s), legal(s)) == ((me, "equip"), ["pass"])
    play(s, "pass", "equip ale")
    assert (asked(s), legal(s)) == ((you, "equip"), ["pass"])


@rule("9.8")
def test_it_is_not_asked_at_all_if_the_pool_shows_that_nothing_fits():
    s = hidden(mine="amulet", theirs="tome")
    play(s, "attack ant")
    events = play(s, "block bee")
    assert kinds_of(events)[:3] == ["blocks", "no_hit", "ties"]
    s = hidden(mine="amulet", theirs="ale")
    play(s, "attack ant", "block bee")
    assert asked(s) == (1, "equip")


@rule("13.10")
def test_the_owner_sees_his_own_lot():
    views = set()
    for name in ("sword", "club"):
        s = hidden()
        play(s, "attack ant", "block bee", f"equip {name}")
        views.add(seen(s, 0))
    assert len(views) == 2


@rule("13.10")
def test_an_imagined_lot_has_the_right_number_and_may_be_any_that_fits():
    s = hidden()
    play(s, "attack ant", "block bee", "equip sword", "equip ale", "pass")
    lots = set()
    for world in worlds(s, 1, 60):
        worn = frozenset(name for name in ("sword", "club", "ale") if at(world, 0, name) == "worn")
        lots.add(worn)
    assert lots == {frozenset({"sword", "ale"}), frozenset({"club", "ale"})}


# --- 10. The outcome ------------------------------------------------------------------------------------------


@rule("10.1")
def test_all_changes_add_up():
    cards = PEOPLE | {"hex": spell(mode(attack=3, defend=1, other_attack=-1, other_defend=-2))}
    cards |= {"bee": fighter(4, 4, 3), "ale": item(1, "potion", attack=2, defend=-1)}
    mine, theirs = side(hand="hex hum", field="ant", pool="sword shield ale"), side(field="bee", pool="club cloak")
    s = duel(mine, theirs, cards, at=SPELLS)
    play(s, "cast hex", "pass", "attack ant", "equip sword", "equip shield", "equip ale", "block bee")
    assert values(s, 0) == (4 + 3 + 2 + 2, 4 + 1 + 2 - 1)
    assert values(s, 1) == (4 - 1 - 1, 4 - 2 - 1)
    play(s, "equip club", "equip cloak")
    assert at(s, 1, "bee") == "discard"


@rule("10.1")
@pytest.mark.parametrize(("other_defend", "expected"), [(-5, 1), (-6, 0), (-7, 0), (-9, 0)])
def test_below_0_counts_as_0_when_all_are_added_up(other_defend, expected):
    cards = PEOPLE | {"hex": spell(mode(other_attack=-9, other_defend=other_defend))}
    s = duel(side(hand="hex hum", field="ant"), side(field="bee", pool="cloak ale"), cards, at=SPELLS)
    play(s, "cast hex", "pass", "attack ant", "block bee")
    assert values(s, 1) == (0, max(4 + other_defend, 0))
    play(s, "equip cloak")
    assert values(s, 1) == (0, expected)
    play(s, "equip ale")
    assert at(s, 1, "bee") == "discard"


@rule("10.1")
def test_an_attack_of_0_does_not_hit_a_defend_below_0():
    cards = {"ant": fighter(0, 3), "bee": fighter(1, 1), "hex": spell(mode(other_defend=-5))}
    s = duel(side(hand="hex hum", field="ant"), side(field="bee"), cards, at=SPELLS)
    play(s, "cast hex", "pass", "attack ant")
    assert kinds_of(play(s, "block bee"))[:3] == ["blocks", "no_hit", "ties"]


@rule("7.11")
@rule("10.1")
@both_seats
@pytest.mark.parametrize(("every", "second"), [(0, ((2, 1), (0, 0))), (1, ((7, 3), (0, 0)))])
def test_changes_by_spells_are_for_the_first_duel_or_for_every_one(me, every, second):
    cards = STRONG | WEAK | {"hex": spell(mode(attack=5, defend=2, every_duel=every))}
    s = duel(side(hand="hex hum", field="bee ant"), side(hand="cat dog", pool="ale"), cards, me, SPELLS)
    play(s, "cast hex", "pass", "attack bee", "block cat")
    assert (values(s, me), values(s, 1 - me)) == ((8, 3), (0, 0))
    play(s, "pass", "attack ant", "block dog")
    assert (values(s, me), values(s, 1 - me)) == second


@rule("10.2")
@pytest.mark.parametrize("place", ["field", "hand"])
@pytest.mark.parametrize(("level", "penalty"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 1), (5, 1)])
def test_a_defender_above_its_players_level_has_1_less_in_both_by_however_much(place, level, penalty):
    cards = {"ant": fighter(4, 4), "bee": fighter(4, 4, level)}
    s = duel(side(field="ant"), side(**{place: "bee"}, level=2, pool="ale"), cards)
    play(s, "attack ant", "block bee")
    assert (values(s, 0), values(s, 1)) == ((4, 4), (4 - penalty, 4 - penalty))
    assert brief(play(s, "pass"), "wins", "ties") == [("wins", 0, "ant") if penalty else ("ties", 0, 0)]


@rule("10.2")
def test_neither_a_main_nor_an_attacker_has_it():
    s = duel(side(level=1, main=(3, 3), pool="ale"), side(level=1, main=(3, 3), pool="ale"))
    play(s, "main", "pass", "main")
    assert (values(s, 0), values(s, 1)) == ((3, 3), (3, 3))
    s = duel(side(field="ant", level=2), side(pool="ale", level=1), {"ant": fighter(4, 4, 2)})
    play(s, "attack ant", "main")
    assert values(s, 0) == (4, 4)


# --- 10.3 to 10.13 --------------------------------------------------------------------------------------------

all_fighters = pytest.mark.parametrize("kinds", FIGHTERS, ids="-".join)
all_meetings = pytest.mark.parametrize("meeting", MEETINGS)


@rule("10.3")
@rule("10.4")
@rule("10.5")
@rule("10.9")
@rule("10.10")
@rule("10.12")
@both_seats
@all_fighters
@all_meetings
def test_every_outcome_of_every_pair_of_fighters(kinds, meeting, me):
    check_outcome(kinds, meeting, (), me)


@rule("9.8")
@all_fighters
@all_meetings
def test_face_down_lots_change_no_outcome(kinds, meeting):
    check_outcome(kinds, meeting, ("hidden_equipment",), 1)


def fought(attacker, defender, mine=None, theirs=None, rules=None):
    """A duel of two characters with these numbers, from the field and from the hand, at level 4."""
    mine = side(**{"field": "ant", "level": 4} | (mine or {}))
    theirs = side(**{"hand": "bee hum", "level": 4} | (theirs or {}))
    s = duel(mine, theirs, {"ant": fighter(*attacker), "bee": fighter(*defender)}, rules=rules)
    return s, play(s, "attack ant", *["pass"] * bool(mine.pool), "block bee", *["pass"] * bool(theirs.pool))


@rule("10.3")
@pytest.mark.parametrize(
    ("attacker", "defender", "result"),
    [
        ((4, 4), (4, 4), []),
        ((5, 4), (4, 4), [("wins", 0, "ant")]),
        ((4, 4), (5, 4), [("wins", 1, "bee")]),
        ((4, 3), (4, 4), [("wins", 1, "bee")]),
        ((4, 4), (4, 3), [("wins", 0, "ant")]),
        ((5, 4), (5, 4), []),
    ],
)
def test_a_fighter_hits_with_more_attack_than_the_other_has_defend(attacker, defender, result):
    _, events = fought(attacker, defender)
    assert brief(events, "wins") == result


@rule("10.4")
def test_none_or_both_hit_is_a_tie_and_told_apart():
    for numbers, kind in (((4, 4), "no_hit"), ((5, 4), "double_hit")):
        _, events = fought(numbers, numbers)
        assert [e.kind for e in of_kind(events, "no_hit", "double_hit", "wins", "ties")] == [kind, "ties"]


@rule("10.5")
@rule("10.8")
def test_after_a_tie_characters_are_destroyed_and_a_main_stays():
    s, _ = fought((4, 4), (4, 4))
    assert (at(s, 0, "ant"), at(s, 1, "bee"), s.state.field_size.tolist()) == ("discard", "discard", [0, 0])
    assert (standing(s, 0), standing(s, 1), asked(s)) == ((4, 0, 0), (4, 0, 0), (0, "attack"))
    s = duel(side(field="ant bee"), side(main=(4, 4)), PEOPLE)
    play(s, "attack ant", "main")
    assert (at(s, 0, "ant"), levels(s), choices(s)) == ("discard", (1, 1), ["attack bee"])


@rule("10.6")
@pytest.mark.parametrize("place", ["field", "hand"])
def test_the_loser_is_destroyed_wherever_it_came_from_and_the_winner_stays_on_the_field(place):
    there = {"hand": "ant hum" if place == "hand" else "hum", "field": "ant" if place == "field" else ""}
    s, events = fought((3, 3), (4, 4), there)
    assert (at(s, 0, "ant"), field(s, 1), brief(events, "dies")) == ("discard", ["bee"], [("dies", 0, "ant")])
    s, events = fought((4, 4), (3, 3), there)
    assert (field(s, 0), at(s, 1, "bee"), brief(events, "dies")) == (["ant"], "discard", [("dies", 1, "bee")])
    assert s.state.field_size.tolist() == [1, 0]


@rule("10.6")
def test_all_others_of_the_field_stay():
    s = duel(side(field="ant cat"), side(field="bee dog"), PEOPLE)
    play(s, "attack ant", "block bee")
    assert (field(s, 0), field(s, 1)) == (["cat"], ["dog"])


@rule("10.7")
def test_the_reward_is_what_is_printed_on_the_winning_character():
    cards = {"ant": fighter(6, 3), "bee": fighter(1, 1), "ale": item(1, "potion", attack=2, defend=2)}
    s = duel(side(field="ant", pool="sword cloak ale", level=4), side(hand="bee hum"), cards)
    events = play(s, "attack ant", "equip sword", "equip cloak", "equip ale", "block bee")
    assert (brief(events, "gains"), standing(s, 0)) == ([("gains", 0, 9)], (4, 9, 9 + 3))
    assert standing(s, 1) == (1, 0, 0)


@rule("10.7")
def test_a_blocker_earns_in_the_other_players_turn_and_its_penalty_takes_nothing_off():
    cards = {"ant": fighter(1, 1), "bee": fighter(4, 3, 5)}
    s = duel(side(field="ant"), side(hand="bee hum", level=2), cards)
    events = play(s, "attack ant", "block bee")
    assert (brief(events, "gains"), standing(s, 0), standing(s, 1)) == ([("gains", 1, 7)], (1, 0, 0), (2, 7, 7))


@rule("10.8")
def test_a_main_that_wins_earns_nothing():
    for attacker in (0, 1):
        numbers = by_seat(attacker, (9, 9), (1, 1))
        s = duel(side(main=numbers[0], level=3), side(main=numbers[1], level=3))
        events = play(s, "main", "main")
        assert (brief(events, "gains"), total(s, attacker)) == ([], 0)
    s = duel(side(main=(9, 9)), side(hand="bee hum"), {"bee": fighter(2, 2)})
    assert brief(play(s, "main", "block bee"), "wins", "gains") == [("wins", 0, "main 0")]


@rule("10.9")
def test_a_main_that_defended_in_vain_costs_a_level_and_the_attacker_is_rewarded_all_the_same():
    s = duel(side(field="ant", level=2, earned=1), side(level=3, earned=7, pool="crown"), STRONG)
    events = play(s, "attack ant", "main")
    assert brief(events, "wins", "gains", "falls") == [("wins", 0, "ant"), ("gains", 0, 3), ("falls", 1, 2)]
    assert (standing(s, 0), standing(s, 1), asked(s)) == ((2, 4, 4), (2, 0, 0), (0, "discard"))


@rule("10.9")
def test_a_character_that_defended_in_vain_costs_none():
    s = duel(side(field="ant", level=2), side(hand="dog hum", level=3, earned=7), STRONG | WEAK)
    play(s, "attack ant", "block dog")
    assert (standing(s, 1), asked(s)) == ((3, 7, 7), (0, "attack"))


@rule("10.10")
@pytest.mark.parametrize("blocker", ["main", "block bee"])
def test_a_main_that_attacked_in_vain_costs_a_level(blocker):
    s = duel(side(level=3, earned=7), side(hand="bee hum", level=3, main=(5, 5)), {"bee": fighter(5, 5)})
    play(s, "main", blocker)
    assert (standing(s, 0), asked(s)) == ((2, 0, 0), (0, "discard"))
    assert standing(s, 1) == (3, 10 if blocker == "block bee" else 0, 10 if blocker == "block bee" else 0)


@rule("10.10")
def test_a_character_that_attacked_in_vain_costs_none():
    s, _ = fought((1, 1), (5, 5), {"earned": 7})
    assert (standing(s, 0), asked(s)) == ((4, 7, 7), (0, "attack"))


@rule("10.11")
@pytest.mark.parametrize(("numbers", "after"), [((5, 5), (3, 2)), ((1, 1), (2, 3)), ((3, 3), (3, 3))])
def test_main_against_main_nobody_earns_and_the_loser_falls(numbers, after):
    s = duel(side(main=numbers, level=3, earned=1), side(main=(3, 3), level=3, earned=1))
    events = play(s, "main", "main")
    assert (levels(s), brief(events, "gains")) == (after, [])
    assert s.state.earned.tolist() == [1 if level == 3 else 0 for level in after]
    assert asked(s) == (0, "attack" if after == (3, 3) else "discard")


@rule("10.12")
@pytest.mark.parametrize(
    ("attacker", "defender", "mine", "theirs"),
    [((9, 9), (1, 1), "pool", "discard"), ((1, 1), (9, 9), "discard", "pool"), ((4, 4), (4, 4), "pool", "pool")],
    ids=["won", "lost", "tied"],
)
def test_weapon_and_armour_of_the_loser_are_lost_and_all_potions(attacker, defender, mine, theirs):
    cards = {"ant": fighter(*attacker), "bee": fighter(*defender)}
    lots = "sword cloak ale broth"
    s = duel(side(field="ant", pool=f"{lots} club", level=5), side(field="bee", pool=f"{lots} club", level=5), cards)
    takes = [f"equip {name}" for name in lots.split()]
    events = play(s, "attack ant", *takes, "block bee", *takes)
    for seat, place in ((0, mine), (1, theirs)):
        assert at(s, seat, *lots.split(), "club") == f"{place} {place} discard discard pool"
        assert len([e for e in of_kind(events, "spends") if e.seat == seat]) == 2
        lost = {(e.kind, e.card) for e in of_kind(events, "loses_item", "item_back") if e.seat == seat}
        kind = "item_back" if place == "pool" else "loses_item"
        assert lost == {(kind, "sword"), (kind, "cloak")}
        assert s.state.placed[seat] == 1 + (3 if place == "pool" else 0)


@rule("10.13")
def test_items_are_settled_before_teeth_are_added_and_levels_tested():
    """With the sword that is lost, the teeth of the potion would be enough for level 2."""
    cards = {"syrup": item(0, "potion", drunk=1), "dog": fighter(0, 0), "ant": fighter(3, 3)}
    for earned, after in ((5, (1, 6, 6)), (7, (2, 0, 0))):
        s = duel(side(field="dog", earned=earned, pool="sword syrup"), side(hand="ant hum"), cards)
        play(s, "attack dog", "equip sword", "equip syrup", "block ant")
        assert (at(s, 0, "sword"), standing(s, 0)) == ("discard", after)


@rule("10.13")
def test_equipment_that_is_back_in_the_pool_goes_on_to_the_deck_when_the_level_changes():
    s = duel(side(field="ant", earned=6, pool="club cloak"), side(hand="dog hum"), STRONG | WEAK)
    events = play(s, "attack ant", "equip club", "equip cloak", "block dog")
    order = ["item_back", "item_back", "dies", "gains", "rises", "resets", "jumps"]
    assert [e.kind for e in of_kind(events, *order)] == order
    assert (at(s, 0, "club", "cloak", "ant"), standing(s, 0)) == ("deck deck field", (2, 0, 0))
    s = duel(side(field="ant", pool="club cloak"), side(hand="dog hum"), STRONG | WEAK)
    play(s, "attack ant", "equip club", "equip cloak", "block dog")
    assert (at(s, 0, "club", "cloak", "ant"), standing(s, 0)) == ("pool pool field", (1, 3, 5))
