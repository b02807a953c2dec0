"""Sections 5 to 7 of the rules of Wizard in Training: casting, countering, and what a mode of a spell does."""

import pytest
from wizard_scenes import (
    TURN,
    asked,
    by_seat,
    character,
    copied,
    counters,
    deck,
    discards,
    events,
    field,
    hand,
    held,
    kinds_of,
    legal,
    levels,
    main,
    mode,
    of_kind,
    play,
    pool,
    scene,
    spell,
    total,
    used,
)

from duelbench.envs.wizard_in_training.cards import CHARACTERS, ITEMS, MODE
from duelbench.envs.wizard_in_training.state import DECK, HELD, NO_SLOT, POOL


def rule(number):
    return pytest.mark.rule("wizard_in_training", number)


both_seats = pytest.mark.parametrize("seat", [0, 1])


def cast(*modes, mine=("hum",), theirs=(), seat=0, needs="", **facts):
    """A scene with `hex`, a spell of these modes, in the hand of `seat`, and the cards `mine` and `theirs` besides."""
    cards = {"hex": spell(*modes, needs=needs)} | facts.pop("cards", {})
    return scene(active=seat, hand=by_seat(seat, ["hex", *mine], list(theirs)), cards=cards, **facts)


# --- 5. Spell phase -------------------------------------------------------------------------------------------


@rule("5.1")
@both_seats
def test_spells_are_cast_one_by_one_and_any_number_of_them(seat):
    names = [f"spell {i}" for i in range(6)]
    s = scene(
        active=seat,
        hand=by_seat(seat, [*names, "page"], ["hum"]),
        cards={name: spell(mode(gain=1)) for name in names},
    )
    for i, name in enumerate(names):
        assert asked(s) == (seat, "cast")
        assert sorted(legal(s)) == sorted(["pass", *(f"cast {other}" for other in names[i:])])
        told = play(s, f"cast {name}")
        assert [(event.kind, event.seat) for event in told] == [("casts", seat), ("gains", seat)]
        assert counters(s) == by_seat(seat, i + 1, 0)
    assert kinds_of(play(s, "pass")) == ["phase_duel"]


@rule("5.1")
def test_a_player_may_stop_with_spells_left():
    s = scene(hand=(["hum", "hum"], []))
    play(s, "cast hum", "pass")
    assert (asked(s), hand(s, 0)) == ((0, "attack"), ["hum"])


@rule("5.1")
def test_a_spell_is_done_with_before_the_next():
    s = cast(mode(gain=4), mine=["hum"], pool=(["florin"], []))
    assert "rises" not in kinds_of(play(s, "cast hex"))
    s = cast(mode(gain=4), mine=["hum"], pool=(["crown"], []))
    play(s, "cast hex")  # the level is tested now, and hum remains
    assert (levels(s), asked(s), hand(s, 0)) == ((2, 1), (0, "discard"), ["hum"])


@rule("5.2")
@pytest.mark.parametrize("level", [1, 2, 5])
def test_the_level_of_a_spell_must_not_exceed_that_of_its_caster(level):
    spells = {f"level {i}": spell(level=i) for i in range(6)}
    s = scene(hand=(list(spells), []), level=(level, 3), cards=spells)
    assert sorted(legal(s)) == [*(f"cast level {i}" for i in range(level + 1)), "pass"]


@rule("5.2")
def test_the_level_is_not_tested_again_after_the_declaration():
    s = scene(hand=(["hex", "hum"], []), level=(2, 1), cards={"hex": spell(mode(gain=1), mode(gain=2), level=2)})
    play(s, "cast hex")
    s.state.level[0] = 1
    play(s, "mode 1")
    assert counters(s) == (2, 0)


@rule("5.3")
@pytest.mark.parametrize(
    ("where", "castable"),
    [
        ({"pool": (["amulet"], [])}, True),
        ({"pool": (["penny", "tome", "sword"], [])}, False),
        ({"pool": ([], ["amulet"])}, False),
        ({"discard": (["amulet"], [])}, False),
        ({"deck": (["amulet"], [])}, False),
        ({"mine": ["hum", "amulet"]}, False),
    ],
)
def test_an_item_that_fits_must_lie_in_the_casters_pool(where, castable):
    s = cast(mode(gain=1), needs="charm", **where)
    assert ("cast hex" in legal(s)) == castable
    assert "cast hum" in legal(s)  # which asks for nothing


ASKING = {"slow": spell(mode(gain=1), needs="weapon"), "stop": spell(counters=["slow"])}


@rule("5.3")
@both_seats
def test_one_item_is_held_by_the_main_and_the_caster_names_it(seat):
    pools = by_seat(seat, ["sword", "club", "club", "shield"], ["sword"])
    s = scene(active=seat, hand=by_seat(seat, ["slow", "hum"], ["stop"]), pool=pools, cards=ASKING)
    play(s, "cast slow")
    assert asked(s) == (seat, "hold")
    assert sorted(legal(s)) == ["hold club", "hold sword"]
    told = play(s, "hold club")
    assert [(event.kind, event.seat, event.card, event.seen_by) for event in told] == [("holds", seat, "club", 3)]
    assert (asked(s), pool(s, seat)) == ((1 - seat, "counter"), ["club", "shield", "sword"])
    assert (s.state.zone == HELD).sum() == 1
    assert total(s, seat) == 6  # what is held counts
    play(s, "pass")
    assert pool(s, seat) == ["club", "club", "shield", "sword"]


@rule("5.4")
def test_the_mode_and_then_the_item_are_chosen_before_the_counter_and_all_lies_open():
    s = scene(
        hand=(["hex", "hum"], ["stop"]),
        pool=(["sword", "club"], []),
        level=(5, 5),
        cards={"hex": spell(mode(gain=1), mode(gain=5), needs="weapon"), "stop": spell(counters=["hex"])},
    )
    told = play(s, "cast hex")
    assert (asked(s), legal(s)) == ((0, "mode"), ["mode 0", "mode 1"])  # no way back
    told += play(s, "mode 1")
    assert (asked(s), sorted(legal(s))) == ((0, "hold"), ["hold club", "hold sword"])
    told += play(s, "hold sword")
    assert asked(s) == (1, "counter")
    assert [(event.kind, event.card, event.value, event.seen_by) for event in told] == [
        ("casts", "hex", 0, 3),
        ("takes_mode", "hex", 1, 3),
        ("holds", "sword", 0, 3),
    ]
    play(s, "pass")
    assert counters(s) == (5, 0)


EFFECTS = {"gain": 2, "steal": 2, "destroys": 3, "discard": 2, "draw": 2, "attack": 1}


@rule("5.4")
@pytest.mark.parametrize("effect", EFFECTS)
def test_a_spell_may_be_cast_though_it_can_have_no_effect(effect):
    s = cast(mode(**{effect: EFFECTS[effect]}), rest=(POOL, DECK))
    assert "cast hex" in legal(s)
    play(s, "cast hex")
    assert (used(s, 0), asked(s), total(s, 1), held(s, 1)) == (["hex"], (0, "cast"), 0, 0)
    assert held(s, 0) == 1


@rule("5.5")
@both_seats
def test_the_item_held_comes_back_and_may_be_held_again_and_the_spell_waits_for_the_redraw(seat):
    cards = {"one": spell(mode(gain=1), needs="charm"), "two": spell(mode(gain=1), needs="amulet")}
    s = scene(
        active=seat, hand=by_seat(seat, ["one", "two", "hum"], []), pool=by_seat(seat, ["amulet"], []), cards=cards
    )
    told = play(s, "cast one")
    assert kinds_of(told) == ["casts", "holds", "gains", "item_back"]
    assert (pool(s, seat), used(s, seat), discards(s, seat)) == (["amulet"], ["one"], [])
    play(s, "cast two")
    assert (pool(s, seat), used(s, seat), discards(s, seat)) == (["amulet"], ["one", "two"], [])
    play(s, "pass")
    assert used(s, seat) == ["one", "two"]  # also in the Duel phase
    play(s, "pass")
    assert (used(s, seat), discards(s, seat), asked(s)) == ([], ["one", "two"], (seat, "discard"))


@rule("5.5")
def test_the_item_held_is_back_before_the_level_test_and_goes_to_the_deck_with_the_others():
    s = cast(mode(gain=7), needs="charm", pool=(["amulet", "pebble"], []))
    told = kinds_of(play(s, "cast hex"))
    assert told[:6] == ["casts", "holds", "gains", "item_back", "rises", "resets"]
    assert of_kind(events(s), "resets")[0].value == 2
    assert (pool(s, 0), "amulet" in deck(s, 0), total(s, 0)) == ([], True, 0)


@rule("5.5")
@pytest.mark.parametrize("answer", ["pass", "counter stop"])
def test_nothing_of_a_spell_is_left_when_it_is_done_with(answer):
    s = cast(mode(), mode(steal=2, discard=1), theirs=["stop", "page"], pool=([], ["penny"]), cards=STOP)
    play(s, "cast hex", "mode 1")
    assert (s.state.spell, s.state.mode) == (0, 1)
    play(s, answer, *(["discard page"] if answer == "pass" else []))
    left = [int(s.state[name]) for name in ("spell", "held_item", "mode", "owed", "stolen", "to_give_up")]
    assert left == [NO_SLOT, NO_SLOT, 0, 0, 0, 0]


@rule("5.5")
def test_the_item_that_was_held_can_be_worn_in_the_same_turn():
    s = cast(mode(attack=1), needs="weapon", mine=["wolf"], pool=(["sword"], []))
    play(s, "cast hex", "pass", "main")
    assert "equip sword" in legal(s)


@rule("5.6")
@pytest.mark.parametrize(
    ("mine", "question"), [(["page"], "cast"), (["pebble"], "cast"), (["hum"], "cast"), ([], "attack")]
)
def test_the_turn_player_is_asked_as_long_as_he_holds_a_card(mine, question):
    s = scene(hand=(mine, ["hum"]))
    assert asked(s) == (0, question)
    assert ("cast hum" in legal(s)) == ("hum" in mine)


@rule("5.6")
@pytest.mark.parametrize("mine", [[], ["penny"]])
def test_the_turn_player_is_asked_once_even_with_an_empty_hand(mine):
    s = scene(at=TURN, hand=(mine, []))
    assert hand(s, 0) == []
    assert asked(s) == (0, "cast")
    assert legal(s) == ["pass"]
    play(s, "pass")
    assert asked(s) == (0, "attack")


@rule("5.6")
def test_with_the_last_card_the_spell_phase_ends():
    s = cast(mode(gain=1), mine=[])
    assert kinds_of(play(s, "cast hex")) == ["casts", "gains", "phase_duel"]
    assert asked(s) == (0, "attack")


# --- 6. Counters ----------------------------------------------------------------------------------------------

STOP = {"stop": spell(mode(gain=2, steal=2, draw=2), counters=["hex"]), "other": spell(counters=["hum"])}


@rule("6.1")
@both_seats
def test_only_a_spell_that_names_the_one_declared_counters_it(seat):
    s = cast(mode(gain=1), theirs=["stop", "other", "hum", "page"], seat=seat, cards=STOP)
    play(s, "cast hex")
    assert (asked(s), legal(s)) == ((1 - seat, "counter"), ["pass", "counter stop"])
    passed = copied(s)
    play(passed, "pass")
    assert (counters(passed), hand(passed, 1 - seat)) == (by_seat(seat, 1, 0), ["hum", "other", "page", "stop"])
    play(s, "counter stop")
    assert (counters(s), hand(s, 1 - seat)) == ((0, 0), ["hum", "other", "page"])


@rule("6.1")
def test_a_spell_may_counter_several_others():
    cards = {"stop": spell(counters=["hex", "hum"])}
    for name in ("hex", "hum"):
        s = cast(mode(gain=1), theirs=["stop"], cards=cards)
        play(s, f"cast {name}")
        assert legal(s) == ["pass", "counter stop"]


@rule("6.1")
def test_to_counter_is_not_mutual():
    cards = {"hex": spell(), "stop": spell(counters=["hex"])}
    for mine, theirs, question in (("hex", "stop", (1, "counter")), ("stop", "hex", (0, "cast"))):
        s = scene(hand=([mine, "hum"], [theirs]), cards=cards)
        play(s, f"cast {mine}")
        assert asked(s) == question


@rule("6.1")
def test_the_caster_cannot_counter_and_a_counter_has_no_other_time():
    s = cast(mode(gain=1), mine=["stop"], theirs=["stop"], cards=STOP)
    assert sorted(legal(s)) == ["cast hex", "cast stop", "pass"]
    play(s, "cast hex")
    assert asked(s) == (1, "counter")
    play(s, "pass")
    assert counters(s) == (1, 0)
    assert (asked(s), legal(s)) == ((0, "cast"), ["pass", "cast stop"])


@rule("6.2")
@both_seats
def test_for_a_counter_level_and_requirement_do_not_matter_and_its_modes_take_no_effect(seat):
    cards = {"stop": spell(mode(gain=3, steal=1, draw=2), mode(discard=1), level=5, needs="charm", counters=["hex"])}
    pools = by_seat(seat, ["crown"], [])
    s = cast(mode(gain=1), theirs=["stop", "page"], seat=seat, pool=pools, cards=cards)
    play(s, "cast hex")
    assert legal(s) == ["pass", "counter stop"]
    told = play(s, "counter stop")
    assert [(event.kind, event.seat, event.card) for event in told] == [
        ("counters", 1 - seat, "stop"),
        ("countered", seat, "hex"),
    ]
    assert (counters(s), hand(s, 1 - seat), pool(s, seat)) == ((0, 0), ["page"], ["crown"])


@rule("6.2")
def test_a_counter_cannot_be_countered_and_there_is_only_one():
    cards = STOP | {"undo": spell(counters=["stop"]), "halt": spell(counters=["hex"])}
    s = cast(mode(gain=1), mine=["undo", "hum"], theirs=["stop", "halt"], cards=cards)
    play(s, "cast hex", "counter stop")
    assert (asked(s), hand(s, 1), hand(s, 0)) == ((0, "cast"), ["halt"], ["hum", "undo"])
    assert counters(s) == (0, 0)


@rule("6.3")
@both_seats
def test_a_countered_spell_and_its_counter_and_the_item_held_are_discarded_at_once(seat):
    pools = by_seat(seat, ["amulet", "crown"], ["shilling"])
    facts = {"seat": seat, "needs": "charm", "pool": pools, "cards": STOP}
    s = cast(mode(gain=1, steal=1), theirs=["stop"], **facts)
    told = play(s, "cast hex")
    assert total(s, seat) == 6
    told += play(s, "counter stop")
    assert kinds_of(told) == ["casts", "holds", "counters", "countered", "destroyed"]
    assert (discards(s, seat), discards(s, 1 - seat)) == (["amulet", "hex"], ["stop"])
    assert (used(s, seat), pool(s, seat), total(s, seat)) == ([], ["crown"], 5)
    assert (total(s, 1 - seat), counters(s)) == (2, (0, 0))


@rule("6.3")
def test_what_is_not_held_stays_when_a_spell_is_countered():
    s = cast(mode(gain=1), theirs=["stop"], pool=(["amulet"], []), cards=STOP)
    assert "destroyed" not in kinds_of(play(s, "cast hex", "counter stop"))
    assert (pool(s, 0), discards(s, 0)) == (["amulet"], ["hex"])


@rule("6.4")
@pytest.mark.parametrize("chosen", ["mode 0", "mode 1", "mode 2"])
def test_any_mode_can_be_countered(chosen):
    s = cast(mode(gain=1), mode(draw=2), mode(attack=2), theirs=["stop"], cards=STOP)
    play(s, "cast hex", chosen, "counter stop")
    assert (counters(s), held(s, 0), s.state.boost.any(), discards(s, 0)) == ((0, 0), 1, False, ["hex"])


@rule("6.4")
@pytest.mark.parametrize(("answer", "level", "question"), [("counter stop", 1, "cast"), ("pass", 2, "discard")])
def test_after_a_countered_spell_no_level_is_tested_and_the_spell_phase_goes_on(answer, level, question):
    s = cast(mode(draw=1), theirs=["stop"], earned=(8, 0), cards=STOP)
    play(s, "cast hex", answer)
    assert (levels(s), asked(s)) == ((level, 1), (0, question))
    if level == 1:
        play(s, "cast hum")
        assert used(s, 0) == []  # the whole spell that was not countered has brought the test, and with it the redraw
        assert levels(s) == (2, 1)


@rule("6.5")
@pytest.mark.parametrize(
    ("theirs", "where", "asks"),
    [
        (["stop"], {}, True),
        (["page"], {"deck": ([], ["stop"])}, True),  # it is not in the hand, but might be
        ([], {"deck": ([], ["stop"])}, False),
        (["page"], {"discard": ([], ["stop"])}, False),
        (["page"], {"deck": (["stop"], [])}, False),
        (["page", "other"], {}, False),
        (["pebble"], {"deck": ([], ["hum", "hum", "hum", "stop"])}, True),
    ],
)
def test_the_other_player_is_asked_by_what_both_can_see(theirs, where, asks):
    s = cast(mode(gain=1), theirs=theirs, cards=STOP, **where)
    play(s, "cast hex")
    assert asked(s) == ((1, "counter") if asks else (0, "cast"))
    if asks:
        assert legal(s) == ["pass", "counter stop"][: 1 + ("stop" in theirs)]


# --- 7. Effects of spells -------------------------------------------------------------------------------------


@rule("7.1")
@both_seats
def test_the_effects_follow_in_a_fixed_order(seat):
    every = mode(draw=1, discard=1, destroys=2, steal=1, gain=1, other_attack=-1)
    s = cast(every, seat=seat, theirs=["hum"], pool=by_seat(seat, [], ["penny"]), field=by_seat(seat, [], ["page"]))
    told = play(s, "cast hex")
    assert [(event.kind, event.seat, event.card, event.value) for event in told] == [
        ("casts", seat, "hex", 0),
        ("gains", seat, None, 1),
        ("pays", 1 - seat, "penny", 1),
        ("steals", seat, None, 1),
        ("gains", seat, None, 1),
        ("destroyed", 1 - seat, "page", 0),
        ("gives_up", 1 - seat, "hum", 0),
        ("draws", seat, "pebble", 0),
        ("boosts", seat, "hex", 0),
    ]


@rule("7.1")
def test_what_was_paid_cannot_be_destroyed_any_more():
    s = cast(mode(destroys=ITEMS, steal=1), pool=([], ["crown"]))
    told = play(s, "cast hex")
    assert kinds_of(told) == ["casts", "pays", "steals", "gains"]
    s = cast(mode(destroys=ITEMS, steal=1), pool=([], ["crown", "penny"]))
    play(s, "cast hex", "pay penny")
    assert (pool(s, 1), total(s, 1), counters(s)) == ([], 0, (1, 0))


def test_every_field_of_a_mode_has_its_rule_here():
    """7.2 to 7.11: whoever adds one has to add its tests."""
    assert set(MODE.names) == {
        *("steal", "gain", "draw", "discard", "destroys"),
        *("attack", "defend", "other_attack", "other_defend", "every_duel"),
    }


@rule("7.2")
@both_seats
@pytest.mark.parametrize("number", [0, 1, 6])
def test_a_gain_is_added_to_the_casters_counter(seat, number):
    s = cast(mode(gain=number), seat=seat, earned=(1, 1), pool=([], []))
    told = play(s, "cast hex")
    assert counters(s) == by_seat(seat, 1 + number, 1)
    assert [event.value for event in of_kind(told, "gains")] == [number] * (number > 0)


@rule("7.3")
@both_seats
@pytest.mark.parametrize(
    ("theirs", "stolen", "left"), [(["florin"], 3, 0), (["penny"], 1, 0), (["crown"], 3, 0), ([], 0, 0)]
)
def test_the_thief_gains_what_was_paid_but_no_more_than_the_number(seat, theirs, stolen, left):
    s = cast(mode(steal=3), seat=seat, pool=by_seat(seat, ["penny"], theirs), earned=by_seat(seat, 2, 0))
    told = play(s, "cast hex")
    assert counters(s) == by_seat(seat, 2 + stolen, 0)
    assert (total(s, seat), total(s, 1 - seat)) == (3 + stolen, left)
    assert [event.value for event in of_kind(told, "steals")] == [stolen] * (stolen > 0)
    assert discards(s, 1 - seat) == theirs


@rule("7.4")
def test_an_item_pays_its_printed_teeth():
    s = cast(mode(steal=5), pool=([], ["sword", "ale", "tome"]))
    play(s, "cast hex")
    assert asked(s) == (1, "pay")
    told = play(s, "pay tome", "pay ale")
    assert [(event.card, event.value) for event in of_kind(told, "pays")] == [("tome", 2), ("ale", 1), ("sword", 2)]
    assert (counters(s), total(s, 1), discards(s, 1)) == ((5, 0), 0, ["ale", "sword", "tome"])


@rule("7.4")
@pytest.mark.parametrize(("name", "level"), [("wolf", 1), ("knight", 2), ("dragon", 5)])
def test_a_character_pays_its_level_and_the_total_does_not_change_by_it(name, level):
    s = cast(mode(steal=6), field=([], [name]), pool=([], []))
    told = play(s, "cast hex")
    assert [(event.card, event.value) for event in of_kind(told, "pays")] == [(name, level)]
    assert (counters(s), total(s, 1), field(s, 1), discards(s, 1)) == ((level, 0), 0, [], [name])
    s = cast(mode(steal=level), field=([], [name]), earned=(0, 4), pool=([], ["penny"]))
    play(s, "cast hex", f"pay {name}")
    assert (total(s, 1), counters(s), pool(s, 1)) == (5, (level, 4), ["penny"])
    assert s.state.field_size[1] == 0


@rule("7.5")
@both_seats
def test_the_victim_pays_card_by_card_as_he_likes(seat):
    fields, pools = by_seat(seat, ["ogre"], ["wolf", "ogre"]), by_seat(seat, ["crown"], ["crown", "penny", "shilling"])
    s = cast(mode(steal=4), seat=seat, level=(5, 5), field=fields, pool=pools, theirs=["florin"])
    play(s, "cast hex")
    assert asked(s) == (1 - seat, "pay")
    assert set(legal(s)) == {"pay wolf", "pay ogre", "pay crown", "pay penny", "pay shilling"}
    cheap, dear = copied(s), copied(s)
    play(cheap, "pay penny", "pay wolf", "pay shilling")  # to the tooth
    assert (counters(cheap), pool(cheap, 1 - seat)) == (by_seat(seat, 4, 0), ["crown"])
    play(dear, "pay crown")  # and here one tooth is lost to both
    assert (counters(dear), total(dear, 1 - seat), asked(dear)) == (by_seat(seat, 4, 0), 3, (seat, "cast"))
    play(s, "pay ogre")  # 3 of 4
    assert (asked(s), set(legal(s))) == (
        (1 - seat, "pay"),
        {"pay wolf", "pay crown", "pay penny", "pay shilling"},
    )
    play(s, "pay crown")
    assert (counters(s), pool(s, 1 - seat), field(s, 1 - seat)) == (
        by_seat(seat, 4, 0),
        ["penny", "shilling"],
        ["wolf"],
    )


@rule("7.5")
def test_the_victim_goes_on_as_long_as_he_has_a_card_of_value():
    s = cast(mode(steal=9), pool=([], ["florin", "penny"]), field=([], ["wolf"]))
    told = play(s, "cast hex", "pay florin", "pay wolf")  # the last card is paid by itself
    assert [event.value for event in of_kind(told, "pays")] == [3, 1, 1]
    assert counters(s) == (5, 0)


@rule("7.6")
def test_cards_without_value_cannot_be_paid():
    s = cast(mode(steal=3), pool=([], ["pebble", "penny", "shilling"]), field=([], ["page"]))
    play(s, "cast hex")
    assert set(legal(s)) == {"pay penny", "pay shilling"}
    play(s, "pay penny")
    assert (counters(s), field(s, 1), (s.state.zone[1] == POOL).sum()) == ((3, 0), ["page"], 1)


@rule("7.6")
@both_seats
@pytest.mark.parametrize(("number", "paid", "left"), [(1, 0, 5), (2, 1, 4), (6, 5, 0), (8, 5, 0)])
def test_the_counter_pays_the_rest_when_no_card_of_value_is_left(seat, number, paid, left):
    facts = {"pool": by_seat(seat, [], ["penny", "pebble"]), "field": by_seat(seat, [], ["page"])}
    s = cast(mode(steal=number), seat=seat, earned=by_seat(seat, 0, 5), level=(5, 5), **facts)
    told = play(s, "cast hex")
    assert counters(s) == by_seat(seat, 1 + paid, left)
    assert [event.value for event in of_kind(told, "pays_teeth")] == [paid] * (paid > 0)
    assert [event.value for event in of_kind(told, "steals")] == [1 + paid]
    assert field(s, 1 - seat) == ["page"]


@rule("7.6")
def test_the_counter_never_pays_before():
    s = cast(mode(steal=3), pool=([], ["florin", "nugget"]), earned=(0, 6), level=(5, 5))
    play(s, "cast hex")
    assert set(legal(s)) == {"pay florin", "pay nugget"}
    told = play(s, "pay nugget")
    assert (of_kind(told, "pays_teeth"), counters(s), pool(s, 1)) == ([], (3, 6), ["florin"])


TARGETS = {"destroy penny", "destroy crown", "destroy wolf", "destroy page", "destroy pebble"}
OF_ITEMS = {"destroy penny", "destroy crown", "destroy pebble"}


@rule("7.7")
@both_seats
@pytest.mark.parametrize(
    ("destroys", "targets"),
    [(ITEMS, OF_ITEMS), (CHARACTERS, TARGETS - OF_ITEMS), (ITEMS | CHARACTERS, TARGETS)],
)
def test_the_caster_chooses_what_is_destroyed_among_what_the_spell_names(seat, destroys, targets):
    pools = by_seat(seat, ["sword"], ["penny", "crown", "pebble"])
    fields = by_seat(seat, ["ogre"], ["wolf", "page"])
    for target in sorted(targets):
        s = cast(mode(destroys=destroys), seat=seat, pool=pools, field=fields, theirs=["florin"])
        play(s, "cast hex")
        assert (asked(s), set(legal(s))) == ((seat, "destroy"), targets)
        (told,) = play(s, target)
        name = target.removeprefix("destroy ")
        assert (told.kind, told.seat, told.card, told.seen_by) == ("destroyed", 1 - seat, name, 3)
        assert discards(s, 1 - seat) == [name] * (name != "pebble")
        assert total(s, 1 - seat) == 6 - {"penny": 1, "crown": 5}.get(name, 0)
        assert s.state.field_size[1 - seat] == 2 - (name in ("wolf", "page")) == len(field(s, 1 - seat))
        assert (counters(s), pool(s, seat), field(s, seat)) == ((0, 0), ["sword"], ["ogre"])


@rule("7.7")
@pytest.mark.parametrize(
    ("destroys", "theirs"),
    [(ITEMS, {"field": (["wolf"], ["page"])}), (CHARACTERS, {"pool": (["penny"], ["crown"])}), (3, {})],
)
def test_without_a_target_nothing_is_destroyed(destroys, theirs):
    s = cast(mode(destroys=destroys, gain=1), theirs=["florin", "wolf"], **theirs)
    assert kinds_of(play(s, "cast hex")) == ["casts", "gains"]
    assert (discards(s, 0), discards(s, 1), asked(s)) == ([], [], (0, "cast"))


@rule("7.8")
@both_seats
def test_the_victim_chooses_what_he_discards(seat):
    s = cast(mode(discard=2), seat=seat, theirs=["page", "hum", "crown", "crown"])
    assert play(s, "cast hex")[1:] == []
    assert (asked(s), set(legal(s))) == ((1 - seat, "give_up"), {"discard page", "discard hum", "discard crown"})
    told = play(s, "discard crown")
    assert [(event.kind, event.seat, event.card, event.seen_by) for event in told] == [
        ("gives_up", 1 - seat, "crown", 3)
    ]
    assert asked(s) == (1 - seat, "give_up")
    play(s, "discard page")
    assert (hand(s, 1 - seat), discards(s, 1 - seat)) == (["crown", "hum"], ["crown", "page"])
    assert (held(s, seat), asked(s)) == (1, (seat, "cast"))


@rule("7.8")
@pytest.mark.parametrize("theirs", [[], ["page"], ["page", "hum"]])
def test_who_holds_no_more_cards_than_named_discards_them_all(theirs):
    s = cast(mode(discard=2), theirs=theirs)
    told = play(s, "cast hex")
    assert len(of_kind(told, "gives_up")) == len(theirs)
    assert (held(s, 1), discards(s, 1), asked(s)) == (0, sorted(theirs), (0, "cast"))


@rule("7.9")
@both_seats
def test_the_caster_draws_one_by_one_even_beyond_five(seat):
    mine = ["hum"] * 5
    decks = by_seat(seat, ["page", "wolf", "ogre"], [])
    s = cast(mode(draw=2), seat=seat, mine=mine, theirs=["page"], deck=decks)
    told = play(s, "cast hex")
    assert [(event.card, event.seat, event.seen_by) for event in of_kind(told, "draws")] == [
        ("page", seat, 1 << seat),
        ("wolf", seat, 1 << seat),
    ]
    assert (held(s, seat), held(s, 1 - seat), deck(s, seat)[0]) == (7, 1, "ogre")


@rule("7.9")
def test_a_draw_in_the_middle_of_the_cards_takes_in_the_discards():
    facts = {"deck": (["page"], []), "discard": (["ogre"], []), "rest": (POOL, DECK)}
    s = cast(mode(draw=3), **facts)
    assert kinds_of(play(s, "cast hex")) == ["casts", "draws", "recycles", "draws"]
    assert hand(s, 0) == ["hum", "ogre", "page"]


# --- 7.10, 7.11 Duel changes ----------------------------------------------------------------------------------


def fought(attacker, blocker, *modes, seat=0):
    """Who is left on the field after a duel with printed (attack, defend) in which these modes have been cast."""
    names = [f"hex {i}" for i in range(len(modes))]
    s = scene(
        active=seat,
        hand=by_seat(seat, [*names, "pebble"], []),
        field=by_seat(seat, ["one"], ["two"]),
        level=(5, 5),
        cards={"one": character(*attacker), "two": character(*blocker)}
        | {name: spell(effects) for name, effects in zip(names, modes, strict=True)},
    )
    play(s, *(f"cast {name}" for name in names), "pass", "attack one", "block two")
    return field(s, seat) + field(s, 1 - seat)


@rule("7.10")
@both_seats
@pytest.mark.parametrize(
    ("attacker", "blocker", "field_name", "least", "winner"),
    [
        ((4, 9), (0, 5), "attack", 2, ["one"]),  # the attacker has to beat 5
        ((9, 3), (5, 0), "defend", 2, ["one"]),  # the blocker must not beat its 3, or both hit
        ((9, 3), (5, 0), "other_attack", -2, ["one"]),
        ((4, 9), (0, 5), "other_defend", -2, ["one"]),
    ],
)
def test_a_change_holds_for_the_attacker_or_for_the_other(seat, attacker, blocker, field_name, least, winner):
    short = least - 1 if least > 0 else least + 1
    assert fought(attacker, blocker, seat=seat) == []
    assert fought(attacker, blocker, mode(**{field_name: short}), seat=seat) == []
    assert fought(attacker, blocker, mode(**{field_name: least}), seat=seat) == winner


@rule("7.10")
def test_no_change_holds_for_another_number_than_its_own():
    """Either duel is turned by the changes of the two numbers on which it hangs, and by no other."""
    duels = {
        "attack": ((4, 9), (0, 4)),  # one more attack wins, for either
        "defend": ((9, 3), (4, 0)),  # one more defend, or one less attack against it
    }
    turned = {"attack": {"attack", "other_defend"}, "defend": {"defend", "other_attack"}}
    for name, fighters in duels.items():
        for change in ("attack", "defend", "other_attack", "other_defend"):
            effect = mode(**{change: -1 if change.startswith("other") else 1})
            assert (fought(*fighters, effect) == ["one"]) == (change in turned[name]), (name, change)


@rule("7.10")
def test_one_mode_may_change_both_fighters():
    assert fought((4, 3), (4, 5), mode(attack=1, defend=1)) == []
    assert fought((4, 3), (4, 5), mode(attack=1, defend=1, other_defend=-1)) == ["one"]


@rule("7.10")
def test_changes_do_not_reach_the_next_turn_nor_the_one_of_the_other_player():
    cards = {"soft": main(0, 5)}
    s = cast(
        mode(attack=4, every_duel=1), mains=("soft", "soft"), field=(["wolf"], ["wolf"]), level=(5, 5), cards=cards
    )
    play(s, "cast hex", "pass", "pass", "pass")  # no duel is fought
    assert not s.state.boost.any()
    while asked(s) != (1, "attack"):
        play(s, "pass")
    play(s, "attack wolf", "main")
    assert levels(s) == (5, 5)  # 3 against 5
    while asked(s) != (0, "attack"):
        play(s, "pass")
    play(s, "attack wolf", "main")
    assert levels(s) == (5, 5)


@rule("7.11")
def test_a_change_holds_for_the_first_duel_of_the_phase_alone():
    """The first duel is a tie of 3 against 3. In the second, the one change would bring the win."""
    s = scene(
        hand=(["hex", "pebble"], []),
        field=(["page"], []),
        mains=("fierce", "soft"),
        level=(5, 5),
        cards={"hex": spell(mode(attack=1)), "page": character(2, 1), "soft": main(0, 3), "fierce": main(3, 1)},
    )
    told = play(s, "cast hex", "pass")
    assert [(event.seat, event.card) for event in of_kind(told, "boosts")] == [(0, "hex")]
    assert s.state.boost.tolist() == [[1, 0, 0, 0], [0, 0, 0, 0]]
    play(s, "attack page")
    assert (levels(s), field(s, 0), s.state.boost.any()) == ((5, 5), [], False)
    play(s, "main")
    assert levels(s) == (5, 5)


@rule("7.11")
@pytest.mark.parametrize(("every", "second"), [(0, 0), (1, 1)])
def test_a_change_holds_for_every_duel_if_the_mode_says_so(every, second):
    s = scene(
        hand=(["hex", "pebble"], []),
        field=(["wolf", "hound"], ["stone", "rock"]),
        level=(5, 5),
        cards={
            "hex": spell(mode(attack=2, every_duel=every)),
            "hound": character(3, 1, level=1),
            "stone": character(0, 4),
            "rock": character(0, 4),
        },
    )
    play(s, "cast hex", "pass", "attack wolf", "block stone")
    assert (field(s, 0), field(s, 1)) == (["hound", "wolf"], ["rock"])
    play(s, "attack hound", "block rock")
    assert ("hound" in field(s, 0)) == bool(second)
    assert field(s, 1) == []


@rule("7.11")
def test_whoever_fights_it_also_a_main():
    facts = {"mains": ("soft", "soft"), "level": (5, 5), "cards": {"soft": main(0, 2)}}
    s = cast(mode(attack=3), **facts)
    play(s, "cast hex", "pass", "main")
    assert levels(s) == (5, 4)
    s = cast(mode(attack=2), **facts)
    play(s, "cast hex", "pass", "main")
    assert levels(s) == (5, 5)


@rule("7.11")
def test_changes_of_several_spells_add_up():
    assert fought((1, 9), (0, 5), mode(attack=2), mode(attack=2)) == []
    assert fought((1, 9), (0, 5), mode(attack=2), mode(attack=3)) == ["one"]
    assert fought((1, 9), (0, 5), mode(attack=2), mode(attack=1, every_duel=1)) == []
    assert fought((1, 9), (0, 5), mode(attack=2), mode(attack=2, every_duel=1), mode(other_defend=-1)) == ["one"]
    assert fought((9, 1), (5, 0), mode(defend=2, every_duel=1), mode(other_attack=-1), mode(defend=1)) == ["one"]


@rule("7.11")
@pytest.mark.parametrize("every", [0, 1])
@pytest.mark.parametrize(
    ("fighters", "change"),
    [
        (((4, 9), (0, 5)), {"attack": 1}),
        (((9, 3), (5, 0)), {"defend": 1}),
        (((9, 3), (5, 0)), {"other_attack": -1}),
        (((4, 9), (0, 5)), {"other_defend": -1}),
    ],
)
def test_equal_changes_of_two_spells_count_twice(fighters, change, every):
    effect = mode(**change, every_duel=every)
    assert fought(*fighters, effect) == []
    assert fought(*fighters, effect, effect) == ["one"]


@rule("7.11")
def test_all_changes_end_with_a_jump():
    s = cast(mode(attack=4, gain=8), mine=["hum"], field=(["wolf"], []))
    play(s, "cast hex")
    assert (levels(s), asked(s), s.state.boost.any()) == ((2, 1), (0, "discard"), False)
    s = cast(mode(attack=4, gain=7), mine=["hum"], field=(["wolf"], []))
    play(s, "cast hex")
    assert s.state.boost.tolist() == [[4, 0, 0, 0], [0, 0, 0, 0]]
    s = cast(mode(attack=4, every_duel=1), field=(["knight"], []), level=(5, 5))
    play(s, "cast hex", "pass", "attack knight")
    assert (levels(s), asked(s), s.state.boost.any()) == ((5, 4), (0, "discard"), False)
