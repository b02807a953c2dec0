"""Section 15 of the rules of Wizard in Training: what each option changes, in scenes in which it does and does not."""

import re
from importlib import resources

import pytest
from wizard_duels import at, brief, by_seat, duel, fighter, seen, shuffles, side, standing, told
from wizard_outcomes import FIGHTERS, MEETINGS, RESULTS, check_outcome
from wizard_scenes import (
    DUEL,
    GAME,
    REDRAW,
    SPELLS,
    TURN,
    asked,
    character,
    deck,
    discards,
    legal,
    levels,
    mode,
    of_kind,
    play,
    result,
    spell,
)

from duelbench.envs.errors import BadInput
from duelbench.envs.wizard_in_training.state import DISCARD


def rule(number):
    return pytest.mark.rule("wizard_in_training", number)


both_seats = pytest.mark.parametrize("me", [0, 1])
PEOPLE = {"ant": fighter(3, 1), "bee": fighter(3, 1), "cat": fighter(0, 0), "dog": fighter(0, 0)}


def end_turn(s):
    """Pass up to the turn of the other player; everything that happens."""
    turn, happened = int(s.state.turn_number), []
    while not s.state.over and s.state.turn_number == turn:
        happened += play(s, "pass")
    return happened


# --- The table ------------------------------------------------------------------------------------------------


@rule("3.5")
def test_the_rulebook_lists_every_option_with_its_values_the_default_first():
    text = resources.files("duelbench.envs.wizard_in_training").joinpath("RULES.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `(\w+)` \| (.+?) \| \d+\.\d+ \|$", text, re.MULTILINE))
    assert list(listed) == [option.name for option in GAME.options]
    for option in GAME.options[:-1]:
        words = [str(value).lower() if isinstance(value, bool) else value for value in option.values]
        places = [re.search(rf"(?:^|, ){word}(?:[,:]|$)", listed[option.name]) for word in words]
        assert all(places), option.name
        assert [place.start() for place in places] == sorted(place.start() for place in places)
        assert option.default == option.values[0]
    assert listed["max_turns"].startswith("400; ")
    assert (GAME.options[-1].default, GAME.options[-1].values) == (400, range(1, 1001))


@rule("3.5")
@pytest.mark.parametrize(
    "rules", [{"max_turns": 0}, {"max_turns": 1001}, {"duel_tie": "attacker_wins"}, {"main_attack_leveldown": 1}]
)
def test_other_values_are_refused(rules):
    with pytest.raises(BadInput):
        GAME.table(rules)


# --- Every outcome under every combination --------------------------------------------------------------------

all_fighters = pytest.mark.parametrize("kinds", FIGHTERS, ids="-".join)


@rule("10.3")
@rule("10.4")
@rule("10.5")
@all_fighters
@pytest.mark.parametrize("compared", RESULTS, ids="+".join)
@both_seats
def test_every_outcome_under_what_decides_a_duel(kinds, compared, me):
    for meeting in list(MEETINGS)[me::2]:
        check_outcome(kinds, meeting, compared, me)


@rule("8.1")
@rule("9.8")
@rule("10.7")
@rule("10.10")
@all_fighters
@pytest.mark.parametrize(
    "options",
    [
        ("keeps",),
        ("loser_sum",),
        ("one",),
        ("keeps", "loser_sum", "defender_wins"),
        ("hidden_equipment", "loser_sum", "attack_vs_defend"),
        ("hidden_equipment", "keeps", "one", "attacker_wins"),
        ("hidden_equipment", "keeps", "loser_sum", "one", "attack_vs_defend", "attacker_wins", "defender_wins"),
    ],
    ids="+".join,
)
def test_every_outcome_under_what_a_duel_costs_and_brings(kinds, options):
    for number, meeting in enumerate(MEETINGS):
        check_outcome(kinds, meeting, options, number % 2)


# --- duels_per_phase ------------------------------------------------------------------------------------------


@rule("8.1")
@pytest.mark.parametrize(("rules", "then"), [({}, "attack"), ({"duels_per_phase": "one"}, "discard")])
@both_seats
def test_one_duel_a_phase_ends_it(rules, then, me):
    s = duel(side(field="ant", hand="bee hum"), side(hand="dog hum"), PEOPLE, me, rules=rules)
    assert asked(s) == (me, "attack")
    play(s, "attack ant", "block dog")
    assert asked(s) == (me, then)
    end_turn(s)
    play(s, "pass")
    assert asked(s) == (1 - me, "attack")  # the limit is one for each phase, not for the game


# --- duel_compare ---------------------------------------------------------------------------------------------

AGAINST_DEFEND = {"duel_compare": "attack_vs_defend"}


@rule("10.3")
@pytest.mark.parametrize(
    ("attacker", "defender", "both_ways", "one_way"),
    [
        ((3, 9), (0, 2), "wins 0", "wins 0"),
        ((2, 9), (0, 3), "ties", "wins 1"),
        ((3, 9), (0, 3), "ties", "ties"),
        ((3, 0), (9, 2), "ties", "wins 0"),
        ((3, 0), (9, 3), "wins 1", "ties"),
        ((2, 0), (9, 3), "wins 1", "wins 1"),
    ],
)
@both_seats
def test_only_attack_against_defend(attacker, defender, both_ways, one_way, me):
    for rules, expected in (({}, both_ways), (AGAINST_DEFEND, one_way)):
        cards = {"ant": fighter(*attacker), "dog": fighter(*defender)}
        s = duel(side(field="ant", level=5), side(hand="dog hum", level=5), cards, me, rules=rules)
        happened = of_kind(play(s, "attack ant", "block dog"), "wins", "ties")
        assert [f"{e.kind} {e.seat ^ me}" if e.kind == "wins" else e.kind for e in happened] == [expected]


@rule("10.3")
def test_the_defenders_weapon_and_the_attackers_armour_do_nothing_then():
    cards = {"ant": fighter(3, 3), "dog": fighter(3, 3)}
    for take, take_back, winner in (("cloak", "sword", None), ("sword", "sword", 0), ("cloak", "cloak", 1)):
        s = duel(side(field="ant", pool=take), side(hand="dog hum", pool=take_back), cards, rules=AGAINST_DEFEND)
        happened = play(s, "attack ant", f"equip {take}", "block dog", f"equip {take_back}")
        assert [e.seat for e in of_kind(happened, "wins")] == ([] if winner is None else [winner])


# --- duel_double_hit ------------------------------------------------------------------------------------------


@rule("10.4")
@both_seats
def test_a_double_hit_may_be_the_attackers(me):
    cards = {"ant": fighter(4, 1), "dog": fighter(3, 1)}
    for rules, winner in (({}, None), ({"duel_double_hit": "attacker_wins"}, me)):
        s = duel(side(field="ant"), side(hand="dog hum"), cards, me, rules=rules)
        happened = play(s, "attack ant", "block dog")
        assert ([e.seat for e in of_kind(happened, "wins")], len(of_kind(happened, "double_hit"))) == (
            [] if winner is None else [winner], 1
        )  # fmt: skip
        assert at(s, me, "ant") == ("discard" if winner is None else "field")
        assert (standing(s, me), at(s, 1 - me, "dog")) == ((1, 0, 0) if winner is None else (1, 5, 5), "discard")


@rule("10.4")
def test_that_means_nothing_where_one_side_alone_is_compared():
    cards = {"ant": fighter(1, 1), "dog": fighter(3, 1)}
    for rules in (AGAINST_DEFEND, AGAINST_DEFEND | {"duel_double_hit": "attacker_wins"}):
        s = duel(side(field="ant"), side(hand="dog hum"), cards, rules=rules)
        assert brief(play(s, "attack ant", "block dog"), "ties", "wins", "double_hit") == [("ties", 0, 0)]


# --- duel_tie -------------------------------------------------------------------------------------------------


@rule("10.5")
@both_seats
@pytest.mark.parametrize("numbers", [(2, 2), (3, 2)], ids=["no hit", "double hit"])
def test_a_tie_may_be_a_full_win_of_the_defender(me, numbers):
    you, cards = 1 - me, {"ant": fighter(*numbers), "dog": fighter(*numbers)}
    lot = {"pool": "sword cloak", "level": 3}
    for rules, mine, reward in (({}, "pool", 0), ({"duel_tie": "defender_wins"}, "discard", sum(numbers))):
        s = duel(side(field="ant", **lot), side(hand="dog hum", **lot), cards, me, rules=rules)
        play(s, "attack ant", "equip sword", "equip cloak", "block dog", "equip sword", "equip cloak")
        assert (at(s, me, "sword", "cloak"), at(s, you, "sword", "cloak")) == (f"{mine} {mine}", "pool pool")
        assert (at(s, me, "ant"), at(s, you, "dog")) == ("discard", "field" if rules else "discard")
        assert (s.state.earned[me], s.state.earned[you], levels(s), asked(s)) == (0, reward, (3, 3), (me, "attack"))


@rule("10.5")
@both_seats
@pytest.mark.parametrize("blocker", ["main", "block dog"])
def test_an_attacking_main_falls_by_it(me, blocker):
    for rules, level in (
        ({}, 3),
        ({"duel_tie": "defender_wins"}, 2),
        ({"duel_tie": "defender_wins", "main_attack_leveldown": False}, 3),
    ):
        s = duel(side(level=3), side(hand="dog hum", level=4), {"dog": fighter(1, 1)}, me, rules=rules)
        play(s, "main", blocker)
        assert levels(s) == by_seat(me, level, 4)
        assert asked(s) == (me, "attack" if level == 3 else "discard")


# --- main_attack_leveldown ------------------------------------------------------------------------------------


@rule("10.10")
@both_seats
def test_an_attacking_main_may_keep_its_level_but_not_its_equipment(me):
    rules, you = {"main_attack_leveldown": False}, 1 - me
    mine = side(level=3, earned=2, pool="sword cloak penny", hand="ant hum")
    s = duel(mine, side(hand="dog hum", level=3), PEOPLE | {"dog": fighter(7, 4)}, me, rules=rules)
    happened = play(s, "main", "equip sword", "equip cloak", "block dog")
    assert (at(s, me, "sword", "cloak", "penny"), standing(s, me)) == ("discard discard pool", (3, 2, 3))
    assert (standing(s, you), asked(s)) == ((3, 11, 11), (me, "attack"))
    assert (legal(s), brief(happened, "jumps")) == (["pass", "attack ant"], [])


@rule("10.10")
def test_the_turn_still_jumps_if_the_blockers_player_rises():
    s = duel(side(level=3), side(hand="ant hum", earned=4), PEOPLE, rules={"main_attack_leveldown": False})
    play(s, "main", "block ant")
    assert (levels(s), asked(s)) == ((3, 2), (0, "discard"))


@rule("10.10")
def test_a_defending_main_falls_all_the_same():
    s = duel(side(field="ant"), side(level=3), PEOPLE, rules={"main_attack_leveldown": False})
    play(s, "attack ant", "main")
    assert (levels(s), asked(s)) == ((1, 2), (0, "discard"))


# --- duel_reward ----------------------------------------------------------------------------------------------

LOSERS = {"duel_reward": "loser_sum"}


@rule("10.7")
@both_seats
@pytest.mark.parametrize(("rules", "reward"), [({}, 4), (LOSERS, 2)])
def test_the_reward_may_be_the_beaten_fighters_sum(me, rules, reward):
    cards = {"ant": fighter(3, 1), "dog": character(0, 2, 5)}
    s = duel(side(field="ant"), side(hand="dog hum"), cards, me, rules=rules)
    play(s, "attack ant", "block dog")
    assert (standing(s, me), standing(s, 1 - me)) == ((1, reward, reward), (1, 0, 0))
    s = duel(side(field="cat"), side(hand="ant hum"), {"ant": fighter(3, 1), "cat": fighter(1, 1)}, me, rules=rules)
    play(s, "attack cat", "block ant")
    assert (standing(s, me), standing(s, 1 - me)) == ((1, 0, 0), (1, reward, reward))


@rule("10.7")
@rule("10.8")
def test_so_is_that_of_a_beaten_main_but_a_main_that_wins_earns_nothing():
    s = duel(side(field="ant"), side(main=(1, 2), level=2), {"ant": fighter(3, 3)}, rules=LOSERS)
    play(s, "attack ant", "main")
    assert (standing(s, 0), standing(s, 1)) == ((1, 3, 3), (1, 0, 0))
    s = duel(side(main=(0, 1), level=2), side(hand="ant hum"), {"ant": fighter(3, 1)}, rules=LOSERS)
    play(s, "main", "block ant")
    assert (standing(s, 0), standing(s, 1)) == ((1, 0, 0), (1, 1, 1))
    s = duel(side(main=(5, 5)), side(hand="dog hum"), {"dog": fighter(2, 2)}, rules=LOSERS)
    play(s, "main", "block dog")
    assert (standing(s, 0), at(s, 1, "dog")) == ((1, 0, 0), "discard")


# --- duel_commit ----------------------------------------------------------------------------------------------


@rule("9.6")
@rule("9.8")
@both_seats
@pytest.mark.parametrize(
    ("rules", "questions"),
    [
        ({}, ["equip 0", "block 1", "equip 1"]),
        ({"duel_commit": "hidden_equipment"}, ["block 1", "equip 0", "equip 0", "equip 1", "equip 1"]),
    ],
)
def test_the_order_of_the_questions(rules, questions, me):
    s = duel(side(field="ant", pool="sword"), side(hand="dog hum", pool="cloak"), PEOPLE, me, rules=rules)
    play(s, "attack ant")
    answers = {"block": ["block dog"], "equip": ["equip sword", "pass", "equip cloak", "pass"]}
    if not rules:
        answers["equip"] = ["equip sword", "equip cloak"]
    put = []
    while asked(s)[1] in answers:
        put.append(f"{asked(s)[1]} {asked(s)[0] ^ me}")
        play(s, answers[asked(s)[1]].pop(0))
    assert put == questions


@rule("9.8")
@both_seats
def test_an_open_lot_is_seen_at_once_and_one_face_down_is_not(me):
    you = 1 - me
    for rules, kinds in (({}, 2), ({"duel_commit": "hidden_equipment"}, 1)):
        views, codes = set(), set()
        for name in ("sword", "club"):
            s = duel(side(field="ant", pool="sword club ale"), side(deck="", pool="cloak"), PEOPLE, me, rules=rules)
            play(s, "attack ant", f"equip {name}")
            views.add(seen(s, you))
            codes.add(told(s, you))
        assert (len(views), len(codes)) == (kinds, kinds)


# --- level5_cap -----------------------------------------------------------------------------------------------


@rule("11.9")
@rule("11.11")
@both_seats
@pytest.mark.parametrize(("rules", "after"), [({}, (5, 15, 25)), ({"level5_cap": "cap_23"}, (5, 15, 23))])
def test_items_at_level_5_either_wait_or_are_written_off(rules, after, me):
    """The difference shows after a loss: what was written off does not come back."""
    cards = {"hex": spell(mode(steal=1))}
    mine = side(hand="crown hum", pool="crown", level=5, earned=15)
    s = duel(mine, side(hand="hex hum"), cards, me, TURN, rules)
    assert standing(s, me) == after
    end_turn(s)
    play(s, "cast hex")
    assert standing(s, me) == (5, 15, after[2] - 5)
    assert standing(s, 1 - me) == (1, 1, 1)


# --- recycle --------------------------------------------------------------------------------------------------

RECYCLE = ({}, {"recycle": "every_redraw"}, {"recycle": "level_change"})
EVERY, LEVEL = RECYCLE[1:]


@rule("12.4")
@both_seats
@pytest.mark.parametrize("rules", RECYCLE)
def test_a_draw_from_an_empty_deck_takes_in_the_discards_under_every_value(rules, me):
    mine = side(hand="hex hum", deck="", rest=DISCARD, used="jinx")
    s = duel(mine, side(), {"hex": spell(mode(draw=1)), "jinx": spell()}, me, SPELLS, rules)
    happened = play(s, "cast hex")
    assert [e.kind for e in of_kind(happened, "recycles", "draws")] == ["recycles", "draws"]
    assert (s.state.deck_size[me], discards(s, me), shuffles(s)) == (25, [], by_seat(me, 1, 0))
    assert at(s, me, "hex", "jinx") == "used used"


@rule("12.4")
@rule("12.5")
@both_seats
@pytest.mark.parametrize("cards", ["hum", "hum hum hum hum hum"])
def test_discards_come_back_in_every_own_redraw_phase_only_under_that_option(cards, me):
    for rules in RECYCLE:
        mine = side(hand=f"ant {cards}", discard="cat penny", used="jinx")
        s = duel(mine, side(discard="dog"), PEOPLE | {"jinx": spell()}, me, REDRAW, rules)
        happened = play(s, "discard ant", "pass")
        back = rules == EVERY
        assert brief(happened, "recycles") == ([("recycles", me, 4)] if back else [])
        assert len(of_kind(happened, "draws")) == 5 - len(cards.split())
        assert len(discards(s, me)) == (0 if back else 4)
        assert (discards(s, 1 - me), shuffles(s)) == (["dog"], by_seat(me, int(back), 0))


@rule("12.5")
def test_without_discards_there_is_no_shuffle_and_it_comes_before_the_draw():
    s = duel(side(), side(), at=REDRAW, rules=EVERY)
    before = deck(s, 0)
    happened = play(s, "pass")
    assert (brief(happened, "recycles"), shuffles(s), deck(s, 0)) == ([], (0, 0), before[4:])
    s = duel(side(discard="ant"), side(), PEOPLE, at=REDRAW, rules=EVERY)
    happened = play(s, "pass")
    assert [e.kind for e in of_kind(happened, "recycles", "draws")] == ["recycles"] + ["draws"] * 4


@rule("12.6")
@both_seats
def test_discards_come_back_with_the_items_only_under_level_change(me):
    for rules in RECYCLE:
        cards = PEOPLE | {"hex": spell(mode(gain=8)), "jinx": spell()}
        mine = side(hand="hex hum", pool="penny", discard="cat", used="jinx")
        s = duel(mine, side(discard="dog"), cards, me, SPELLS, rules)
        happened = play(s, "cast hex")
        back = rules == LEVEL
        assert brief(happened, "resets", "recycles") == [("resets", me, 1), ("recycles", me, 1)][: 1 + back]
        assert (at(s, me, "penny", "cat"), discards(s, 1 - me)) == (f"deck {'deck' if back else 'discard'}", ["dog"])
        assert at(s, me, "hex", "jinx") == "discard discard"  # they wait for the phase that the jump has begun
        assert shuffles(s) == by_seat(me, 1 + back, 0)


@rule("12.6")
@both_seats
def test_what_the_event_has_put_there_comes_back_too(me):
    """An attacking main falls; its equipment and its potion have just been lost."""
    for rules in RECYCLE:
        mine = side(level=3, main=(0, 0), pool="sword ale penny", discard="cat")
        s = duel(mine, side(main=(9, 9)), PEOPLE, me, DUEL, rules)
        play(s, "main", "equip sword", "equip ale", "main")
        place = "deck" if rules == LEVEL else "discard"
        assert at(s, me, "sword", "ale", "cat", "penny") == f"{place} {place} {place} deck"
        assert levels(s) == by_seat(me, 2, 1)


@rule("12.6")
def test_without_a_change_of_level_they_stay():
    s = duel(side(hand="hex hum", discard="cat"), side(), PEOPLE | {"hex": spell(mode(gain=7))}, at=SPELLS, rules=LEVEL)
    play(s, "cast hex")
    assert (discards(s, 0), levels(s)) == (["cat"], (1, 1))


# --- max_turns ------------------------------------------------------------------------------------------------


@rule("3.5")
@pytest.mark.parametrize("turn", [19, 20])
@both_seats
def test_the_game_ends_after_the_redraw_of_the_last_turn(turn, me):
    s = duel(side(level=2), side(), me=me, at=REDRAW, rules={"max_turns": 20}, turn=turn)
    play(s, "pass")
    assert (s.state.over, s.state.hand_size[me], s.state.turn_number) == (turn == 20, 5, 20)
    if turn == 20:
        assert result(s) == (me, "turn cap")


@rule("3.5")
@both_seats
@pytest.mark.parametrize(
    ("mine", "theirs", "winner"),
    [
        ({"level": 3}, {"level": 2, "earned": 11}, 0),
        ({"level": 2, "pool": "crown"}, {"level": 3}, 1),
        ({"level": 3, "pool": "crown"}, {"level": 3, "earned": 4}, 0),
        ({"level": 3, "earned": 4}, {"level": 3, "pool": "crown"}, 1),
        ({"level": 3, "earned": 5}, {"level": 3, "pool": "crown"}, None),
        ({"level": 5, "earned": 23}, {"level": 5, "earned": 20, "pool": "crown", "waste": 1}, 1),
        ({"level": 5, "earned": 23}, {"level": 5, "earned": 20, "pool": "crown", "waste": 3}, 0),
    ],
)
def test_then_the_higher_level_wins_and_else_the_higher_total(mine, theirs, winner, me):
    s = duel(side(**mine), side(**theirs), me=me, at=REDRAW, rules={"max_turns": 7}, turn=7)
    assert not s.state.over
    play(s, "pass")
    assert result(s) == (-1 if winner is None else me ^ winner, "turn cap")
