"""What each of the 36 Tommy Walker cards does, and when it does not: scenes with the numbers printed on the cards."""

from collections import Counter

import pytest
from tommy_scenes import card, legal_names, patched, play, scene

from duelbench.envs.tommy_walker.cards import CARDS

WAITS = "himeko"
"""A hand card that keeps its seat from being out of actions, and does nothing where these scenes end."""

PRINTED = {
    "ralph": (2800, 4, "male T"),
    "premiere": (5100, 2, "female P"),
    "akuroou": (4000, 2, "male T"),
    "tsubame_juusan": (3600, 3, "male P"),
    "iska": (3900, 2, "female P"),
    "orochi": (4700, 2, "female T"),
    "molat_hero": (4300, 3, "male S"),
    "jack_maxim": (1600, 4, "male P"),
    "calist": (3700, 3, "male S T"),
    "silver_rain": (3500, 2, "male P"),
    "renjo": (3300, 3, "male S"),
    "zephyr": (3500, 3, "female S"),
    "barrows": (4200, 2, "male P"),
    "amina": (4200, 3, "female S"),
    "aquerio": (3800, 4, "male T"),
    "hanks": (3900, 2, "male T"),
    "grantram": (5200, 2, "male P"),
    "maria": (6000, 1, "female T"),
    "dahlia": (4000, 4, "female T"),
    "cookberry": (5300, 2, "female P"),
    "algora": (4800, 2, "female P"),
    "reiji": (2300, 4, "male T"),
    "kadasphia": (2000, 4, "male P"),
    "akira": (4400, 3, "female T"),
    "alexis": (2300, 4, "male P"),
    "hina": (3800, 2, "female T"),
    "ren": (4600, 2, "male P"),
    "amon": (2800, 3, "male T"),
    "leticia": (5600, 2, "female S"),
    "demonoid": (4000, 3, "male P"),
    "araki": (3800, 4, "male T"),
    "kizuki": (3400, 4, "female T"),
    "david": (3400, 2, "male P"),
    "himeko": (2300, 4, "female T"),
    "german_shark": (8100, 2, "male P"),
    "lovelinstar": (7300, 3, "female S"),
}
"""Power, stars and attributes as they are printed."""


def damage_in(events):
    """The damage of the round that was won; None without one."""
    return next((event["value"] for event in events if event["kind"] == "round_won"), None)


def ends(s, *actions):
    """Play `actions` and end the attack phase; the damage, and the decks' sizes then."""
    events = play(s, *actions, "end")
    return damage_in(events), tuple(int(size) for size in s.state.deck_size)


def uses_of_at(s):
    return [name for name in legal_names(s) if name.startswith(("use the AT", "pay "))]


def decision(s):
    return int(s.state.to_act), legal_names(s)


# --- What is printed on every card ----------------------------------------------------------------------------


@pytest.mark.rule("tommy_walker", "6.1")
@pytest.mark.rule("tommy_walker", "8.1")
@pytest.mark.parametrize("name", PRINTED)
def test_power_and_stars_are_the_printed_ones(name):
    power, stars, _ = PRINTED[name]
    loser = "jack_maxim" if name == "reiji" else "himeko"  # Reiji has a line against T
    s = scene(attack=([name], [loser]), hands=([], [WAITS]), barrier=("Silver Rain", 0))
    assert (s.power(0), s.power(1)) == (power + 1000, PRINTED[loser][0])
    assert s.state.to_act == 1
    assert ends(s) == (stars, (10, 10 - stars))


@pytest.mark.rule("tommy_walker", "1.2")
@pytest.mark.parametrize("name", PRINTED)
def test_the_attributes_are_the_printed_ones_and_no_others(name):
    asks = {"female": "ralph", "P": "iska", "T": "barrows", "S": "zephyr"}
    met, weaker = set(), ("Silver Rain", 1)
    for attribute, tester in asks.items():
        s = scene(attack=([tester], [name]), table=patched(tester, power=1), hands=([WAITS], []), barrier=weaker)
        met |= {attribute} if uses_of_at(s) else set()
    s = scene(attack=([name, "lovelinstar"], ["ralph"]), table=patched("lovelinstar", power=1), hands=([WAITS], []))
    met |= {"male"} if uses_of_at(s) else set()
    assert met == set(PRINTED[name][2].split())


# --- AT while the enemy is of a kind --------------------------------------------------------------------------

AT_BY_ENEMY = {  # value, an enemy of the kind, one that is not
    "ralph": (7900, "cookberry", "grantram"),
    "cookberry": (7400, "maria", "german_shark"),
    "iska": (13350, "cookberry", "maria"),
    "akira": (5700, "cookberry", "maria"),
    "barrows": (12300, "maria", "cookberry"),
    "reiji": (10400, "maria", "cookberry"),
    "amon": (14950, "maria", "cookberry"),
    "zephyr": (12500, "leticia", "cookberry"),
    "alexis": (9950, "leticia", "cookberry"),
}


@pytest.mark.rule("tommy_walker", "7.7")
@pytest.mark.parametrize("name", AT_BY_ENEMY)
def test_at_against_an_enemy_of_the_kind(name):
    value, enemy, _ = AT_BY_ENEMY[name]
    s = scene(attack=([name], [enemy]), hands=([WAITS], [WAITS]))
    assert s.power(0) == PRINTED[name][0]
    assert uses_of_at(s) == [f"use the AT ({value})"]
    play(s, f"use the AT ({value})")
    assert (s.power(0), s.power(1), s.state.to_act) == (value, PRINTED[enemy][0], 1)


@pytest.mark.rule("tommy_walker", "7.7")
@pytest.mark.parametrize("name", AT_BY_ENEMY)
def test_no_at_against_another_enemy(name):
    _, _, other = AT_BY_ENEMY[name]
    s = scene(attack=([name], [other]), hands=([WAITS], [WAITS]))
    assert decision(s) == (0, ["end", "ride Himeko", "lay Himeko as the barrier"])
    assert s.power(0) == PRINTED[name][0]


@pytest.mark.rule("tommy_walker", "6.4")
@pytest.mark.parametrize("name", AT_BY_ENEMY)
def test_at_goes_off_when_the_enemy_rides_another_kind_and_on_again(name):
    value, enemy, other = AT_BY_ENEMY[name]
    s = scene(attack=([name], [enemy]), hands=([WAITS], [other, enemy]))
    play(s, f"use the AT ({value})", f"ride {CARDS[card(other)].name}")
    assert s.power(0) == PRINTED[name][0]
    if s.state.to_act == 1:  # the other kind is weak enough to go on
        play(s, f"ride {CARDS[card(enemy)].name}")
        assert s.power(0) == value
    else:
        assert uses_of_at(s) == []  # it is in use


@pytest.mark.rule("tommy_walker", "7.7")
@pytest.mark.parametrize(
    ("name", "value"), [("barrows", 12300), ("reiji", 10400), ("amon", 14950), ("zephyr", 12500), ("alexis", 9950)]
)
def test_calist_is_s_and_t_at_once_for_the_at_of(name, value):
    s = scene(attack=([name], ["calist"]), hands=([WAITS], [WAITS]), barrier=("Aquerio", 1))
    play(s, f"use the AT ({value})")
    assert s.power(0) == value


# --- AT with a small hand -------------------------------------------------------------------------------------

AT_BY_HAND = {"akuroou": 7000, "tsubame_juusan": 7020, "calist": 5050, "german_shark": 9700}


@pytest.mark.rule("tommy_walker", "7.8")
@pytest.mark.parametrize("held", [0, 1, 3])
@pytest.mark.parametrize("name", AT_BY_HAND)
def test_at_with_three_cards_in_hand_or_fewer(name, held):
    value = AT_BY_HAND[name]
    s = scene(attack=([name], ["german_shark"]), hands=([WAITS] * held, [WAITS]), barrier=("Silver Rain", 1))
    assert s.power(0) == PRINTED[name][0]
    assert uses_of_at(s) == [f"use the AT ({value})"]
    events = play(s, f"use the AT ({value})")
    assert (events[0]["kind"], events[0]["card"]) == ("ats", name)
    if held:  # with an empty hand the weaker ones have nothing left to do, and the round is over
        assert s.power(0) == value


@pytest.mark.rule("tommy_walker", "7.8")
@pytest.mark.parametrize("name", AT_BY_HAND)
def test_no_at_with_four_cards_in_hand(name):
    s = scene(attack=([name], ["german_shark"]), hands=([WAITS] * 4, [WAITS]), barrier=("Silver Rain", 1))
    assert uses_of_at(s) == []
    assert s.power(0) == PRINTED[name][0]


@pytest.mark.rule("tommy_walker", "7.8")
@pytest.mark.parametrize("name", AT_BY_HAND)
def test_a_barrier_that_leaves_the_hand_makes_it_small_enough(name):
    hand = ["araki", WAITS, WAITS, WAITS]
    s = scene(attack=([name], ["lovelinstar", "german_shark"]), hands=(hand, [WAITS]), barrier=("Kadasphia", 1))
    play(s, "lay Araki as the barrier")
    if name != "german_shark":  # the sharks have clashed
        play(s, f"use the AT ({AT_BY_HAND[name]})")
        assert s.power(0) == AT_BY_HAND[name]
    else:
        assert s.state.round_number == 2


# --- AT paid with discards ------------------------------------------------------------------------------------

AT_BY_DISCARDS = {  # values for one, two and three cards; a card of the kind, one that is not
    "amina": ((8100, 12000, 15900), "ren", "maria"),
    "dahlia": ((5000, 6000, 7000), "leticia", "ren"),
    "hina": ((8200, 12600, 17000), "leticia", "ren"),
    "demonoid": ((8500, 13000, 17500), "amon", "ren"),
}


def paying(value, count, with_card):
    plural = "card" if count == 1 else "cards"
    return [f"pay {count} {plural} for the AT ({value})", *[f"discard {CARDS[card(with_card)].name}"] * count]


@pytest.mark.rule("tommy_walker", "7.9")
@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("name", AT_BY_DISCARDS)
def test_at_paid_with_cards_of_the_kind(name, count):
    values, payer, other = AT_BY_DISCARDS[name]
    s = scene(attack=([name], ["german_shark"]), hands=([payer] * 3 + [other], [WAITS]), barrier=("Aquerio", 1))
    assert s.power(0) == PRINTED[name][0]
    play(s, *paying(values[count - 1], count, payer))
    assert s.power(0) == values[count - 1]
    assert s.discards(0) == [CARDS[card(payer)].name] * count
    assert len(s.hand(0)) == 4 - count


@pytest.mark.rule("tommy_walker", "7.10")
@pytest.mark.parametrize("name", AT_BY_DISCARDS)
def test_no_at_without_cards_of_the_kind(name):
    values, payer, other = AT_BY_DISCARDS[name]
    s = scene(attack=([name], ["german_shark"]), hands=([other] * 3, [WAITS]))
    assert uses_of_at(s) == []
    s = scene(attack=([name], ["german_shark"]), hands=([payer, other, other], [WAITS]))
    assert uses_of_at(s) == [f"pay 1 card for the AT ({values[0]})"]
    play(s, f"pay 1 card for the AT ({values[0]})")
    assert legal_names(s) == [f"discard {CARDS[card(payer)].name}"]


@pytest.mark.rule("tommy_walker", "7.9")
@pytest.mark.parametrize("name", AT_BY_DISCARDS)
def test_more_may_be_paid_later_up_to_three_in_all(name):
    values, payer, other = AT_BY_DISCARDS[name]
    table = patched("german_shark", power=20000)
    s = scene(attack=([name], ["german_shark"]), hands=([payer] * 4 + [other], [WAITS]), table=table)
    play(s, *paying(values[0], 1, payer))
    assert s.power(0) == values[0]
    assert uses_of_at(s) == [f"pay 1 card for the AT ({values[1]})", f"pay 2 cards for the AT ({values[2]})"]
    play(s, *paying(values[2], 2, payer))
    assert s.power(0) == values[2]
    assert uses_of_at(s) == []


# --- Entry on a ride ------------------------------------------------------------------------------------------

ENTRY_ON_RIDE = {  # value, a card of the kind to cover, one that is not
    "premiere": (6900, "ren", "ralph"),
    "molat_hero": (6700, "ralph", "cookberry"),
    "grantram": (6100, "amina", "ralph"),
    "maria": (7500, "ralph", "amina"),
    "ren": (8800, "cookberry", "ralph"),
    "leticia": (6400, "amina", "ralph"),
}


def riding(name, covered, *more, **places):
    """Seat 0 has ridden `name` onto `covered`, and holds another card; the enemy is stronger than anything."""
    table = patched("german_shark", power=20000)
    s = scene(attack=([covered], ["german_shark"]), hands=([name, WAITS, *more], [WAITS]), table=table, **places)
    play(s, f"ride {CARDS[card(name)].name}")
    return s


@pytest.mark.rule("tommy_walker", "7.1")
@pytest.mark.parametrize("name", ENTRY_ON_RIDE)
def test_entry_on_a_card_of_the_kind(name):
    value, covered, _ = ENTRY_ON_RIDE[name]
    s = riding(name, covered)
    assert decision(s) == (0, [f"use the entry ({value})", "do not use it"])
    play(s, f"use the entry ({value})")
    assert s.power(0) == value


@pytest.mark.rule("tommy_walker", "7.1")
@pytest.mark.parametrize("name", ENTRY_ON_RIDE)
def test_no_entry_on_another_card(name):
    _, covered, other = ENTRY_ON_RIDE[name]
    s = riding(name, other)
    assert "end" in legal_names(s)
    assert s.power(0) == PRINTED[name][0]
    s = scene(attack=([covered, other], ["german_shark"]), hands=([name, WAITS], [WAITS]))  # only what it covers counts
    play(s, f"ride {CARDS[card(name)].name}")
    assert "end" in legal_names(s)


@pytest.mark.rule("tommy_walker", "7.2")
@pytest.mark.parametrize("name", ENTRY_ON_RIDE)
def test_an_entry_on_a_ride_that_is_not_used_gives_nothing(name):
    s = riding(name, ENTRY_ON_RIDE[name][1])
    play(s, "do not use it")
    assert s.power(0) == PRINTED[name][0]


@pytest.mark.rule("tommy_walker", "4.5")
@pytest.mark.parametrize("name", ENTRY_ON_RIDE)
def test_a_card_that_was_set_has_no_entry_on_a_ride(name):
    s = scene(hands=([name, WAITS], ["lovelinstar", "jack_maxim"]))
    events = play(s, f"set {CARDS[card(name)].name}", "set Jack Maxim")
    assert decision(s)[0] == 1
    assert "enters" not in [event["kind"] for event in events]
    assert s.power(0) == PRINTED[name][0]


# --- DMG lines ------------------------------------------------------------------------------------------------

DMG = [  # winner, the loser's stack, what is played before the loser ends, the damage
    ("premiere", ["iska"], [], 3),
    ("premiere", ["ralph"], [], 2),
    ("akira", ["iska"], [], 4),
    ("akira", ["ralph"], [], 3),
    ("reiji", ["maria"], ["use the AT (10400)"], 5),
    ("reiji", ["calist"], ["use the AT (10400)"], 5),
    ("reiji", ["jack_maxim"], [], 4),
    ("alexis", ["zephyr"], ["use the AT (9950)"], 5),
    ("alexis", ["calist"], ["use the AT (9950)"], 5),
    ("alexis", ["jack_maxim"], [], 4),
    ("grantram", ["amina"], [], 3),
    ("grantram", ["ralph"], [], 2),
    ("orochi", ["amina"], [], 3),
    ("orochi", ["calist"], [], 3),
    ("orochi", ["amina", "ralph"], [], 3),  # has ridden, and is no S
    ("orochi", ["ralph", "amina"], [], 4),
    ("orochi", ["ralph"], [], 2),
]


@pytest.mark.rule("tommy_walker", "8.2")
@pytest.mark.rule("tommy_walker", "8.3")
@pytest.mark.parametrize(
    ("name", "loser", "actions", "stars"), DMG, ids=[f"{name}-{'-'.join(loser)}" for name, loser, _, _ in DMG]
)
def test_dmg_lines_add_a_star_against_their_kind(name, loser, actions, stars):
    s = scene(attack=([name], loser), hands=([WAITS], [WAITS]))
    assert ends(s, *actions) == (stars, (10, 10 - stars))


@pytest.mark.rule("tommy_walker", "8.2")
@pytest.mark.parametrize(
    ("name", "winner"),
    [
        ("premiere", "german_shark"),
        ("akira", "cookberry"),
        ("reiji", "maria"),
        ("alexis", "leticia"),
        ("grantram", "leticia"),
        ("orochi", "leticia"),
    ],
)
def test_dmg_lines_of_the_loser_add_nothing(name, winner):
    s = scene(attack=(["ralph", name], [winner]), hands=([WAITS], [WAITS]))
    assert ends(s)[0] == PRINTED[winner][1]


# --- Barriers -------------------------------------------------------------------------------------------------

ADDS_1000 = ["silver_rain", "aquerio", "kadasphia"]


def laying(name, mine="ralph", yours="ren", **places):
    s = scene(attack=([mine], [yours]), hands=([name, WAITS], [WAITS, "maria"]), **places)
    play(s, f"lay {CARDS[card(name)].name} as the barrier")
    return s


@pytest.mark.rule("tommy_walker", "6.7")
@pytest.mark.parametrize("name", ADDS_1000)
def test_barrier_adds_1000_to_its_player_alone(name):
    s = laying(name, "grantram", "leticia")
    assert s.barrier() == (CARDS[card(name)].name, 0)
    assert (s.power(0), s.power(1), s.state.to_act) == (6200, 5600, 1)


@pytest.mark.rule("tommy_walker", "6.7")
@pytest.mark.parametrize("name", ADDS_1000)
def test_barrier_adds_1000_to_a_value_and_in_the_comparison_of_the_reveal(name):
    s = scene(attack=(["ralph"], ["cookberry"]), hands=([WAITS], [WAITS]), barrier=(name, 0))
    play(s, "use the AT (7900)")
    assert s.power(0) == 8900
    s = scene(hands=(["ren", WAITS], ["leticia", WAITS]), barrier=(name, 0))
    events = play(s, "set Ren", "set Leticia")  # 4600 and 1000 more meet 5600
    assert "clashes" in [event["kind"] for event in events]


@pytest.mark.rule("tommy_walker", "6.9")
@pytest.mark.parametrize("name", [*ADDS_1000, "kizuki", "david"])
def test_barrier_card_adds_nothing_in_the_attack_stack_or_hand(name):
    s = scene(attack=([name], ["cookberry"]), hands=([name, WAITS], [WAITS]))  # a woman and P
    assert (s.power(0), s.power(1)) == (PRINTED[name][0], 5300)


@pytest.mark.rule("tommy_walker", "6.8")
@pytest.mark.parametrize(
    ("name", "enemy", "other"), [("kizuki", "ren", "maria"), ("david", "cookberry", "german_shark")]
)
def test_barrier_adds_2000_against_its_kind_alone_at_any_moment(name, enemy, other):
    s = scene(attack=(["molat_hero"], [enemy]), hands=([name, WAITS], [other, enemy]))
    play(s, f"lay {CARDS[card(name)].name} as the barrier")
    assert (s.power(0), s.power(1), s.state.to_act) == (6300, PRINTED[enemy][0], 1)
    play(s, f"ride {CARDS[card(other)].name}")
    assert (s.power(0), s.state.to_act) == (4300, 0)


@pytest.mark.rule("tommy_walker", "6.8")
@pytest.mark.parametrize(("name", "kind"), [("kizuki", "ren"), ("david", "cookberry")])
def test_barrier_adds_2000_by_the_enemys_card_and_not_by_the_own(name, kind):
    s = scene(attack=([kind], ["molat_hero"]), hands=([WAITS], [WAITS]), barrier=(name, 0))
    assert (s.power(0), s.power(1)) == (PRINTED[kind][0], 4300)


@pytest.mark.rule("tommy_walker", "8.4")
def test_araki_takes_a_star_from_the_enemys_damage():
    s = laying("araki")
    assert ends(s) == (1, (9, 10))  # Ren has two
    s = laying("araki", yours="maria")
    assert ends(s) == (0, (10, 10))
    s = laying("araki", yours="maria", table=patched("maria", stars=0))
    assert ends(s) == (0, (10, 10))  # and never less
    s = laying("araki", yours="orochi", mine="jack_maxim")
    assert damage_in(play(s, "ride Himeko")) == 2  # and one more for the ride


@pytest.mark.rule("tommy_walker", "8.4")
def test_araki_takes_nothing_from_the_damage_of_his_own_player():
    s = scene(attack=(["grantram"], ["ralph"]), hands=([], [WAITS]), barrier=("Araki", 0))
    assert ends(s) == (2, (10, 8))


@pytest.mark.rule("tommy_walker", "8.4")
def test_araki_takes_nothing_as_attack_card_or_once_replaced():
    s = scene(attack=(["araki"], ["ren"]), hands=(["araki"], []))
    assert ends(s) == (2, (8, 10))
    s = scene(attack=(["araki"], ["cookberry"]), hands=(["silver_rain", WAITS], []), barrier=("Araki", 0))
    assert ends(s, "lay Silver Rain as the barrier") == (2, (8, 10))


# --- Renjo and Himeko -----------------------------------------------------------------------------------------

COPIERS = ["renjo", "himeko"]


@pytest.mark.rule("tommy_walker", "7.15")
@pytest.mark.rule("tommy_walker", "7.17")
@pytest.mark.parametrize("name", COPIERS)
def test_barrier_copies_the_power_of_an_entry(name):
    s = scene(attack=(["ralph"], ["ren"]), hands=(["maria", WAITS], [WAITS]), barrier=(name, 1))
    play(s, "ride Maria", "use the entry (7500)")
    assert decision(s) == (1, ["copy the entry (7500)", "do not copy it"])
    events = play(s, "copy the entry (7500)")
    assert [event["kind"] for event in events][:2] == ["copies", "clashes"]
    assert damage_in(events) is None
    assert s.barrier() == (CARDS[card(name)].name, 1)


@pytest.mark.rule("tommy_walker", "7.15")
@pytest.mark.parametrize("name", COPIERS)
def test_barrier_need_not_copy(name):
    s = scene(attack=(["ralph"], ["ren"]), hands=(["maria", WAITS], [WAITS]), barrier=(name, 1))
    play(s, "ride Maria", "use the entry (7500)", "do not copy it")
    assert (s.power(0), s.power(1), s.state.to_act) == (7500, 4600, 1)


@pytest.mark.rule("tommy_walker", "7.16")
@pytest.mark.parametrize("name", COPIERS)
def test_barrier_copies_a_fetch_for_its_player(name):
    s = scene(hands=(["jack_maxim", WAITS], ["ren", WAITS]), discards=(["iska"], ["ralph", "maria"]), barrier=(name, 1))
    play(s, "set Jack Maxim", "set Ren", "take Iska from the discards")
    assert decision(s) == (1, ["do not copy it", "take Ralph from the discards", "take Maria from the discards"])
    play(s, "take Ralph from the discards")
    assert (s.hand(1), s.discards(1)) == (["Ralph", "Himeko"], ["Maria"])


@pytest.mark.rule("tommy_walker", "7.15")
@pytest.mark.parametrize("name", COPIERS)
def test_barrier_copies_nothing_else(name):
    own = scene(attack=(["ralph"], ["ren"]), hands=(["maria", WAITS], [WAITS]), barrier=(name, 0))
    play(own, "ride Maria", "use the entry (7500)")
    assert (own.power(0), own.state.to_act) == (7500, 1)  # an entry of the barrier's own player
    assert "end" in legal_names(own)
    at = scene(attack=(["ralph"], ["cookberry"]), hands=([WAITS], [WAITS]), barrier=(name, 1))
    play(at, "use the AT (7900)")
    assert (at.state.to_act, at.power(1)) == (1, 5300)
    assert "end" in legal_names(at)
    unused = scene(attack=(["ralph"], ["ren"]), hands=(["maria", WAITS], [WAITS]), barrier=(name, 1))
    play(unused, "ride Maria", "do not use it")
    assert "end" in legal_names(unused)


@pytest.mark.rule("tommy_walker", "6.9")
@pytest.mark.parametrize("name", COPIERS)
def test_barrier_card_copies_nothing_in_the_attack_stack(name):
    s = scene(attack=(["ralph"], [name, "ren"]), hands=(["maria", WAITS], [name]))
    play(s, "ride Maria", "use the entry (7500)")
    assert (s.power(0), s.state.to_act) == (7500, 1)
    assert "end" in legal_names(s)


# --- Fetch: Jack Maxim and Queen Algora -----------------------------------------------------------------------


@pytest.mark.rule("tommy_walker", "7.3")
def test_jack_maxim_takes_any_card_from_the_own_discards():
    s = scene(hands=(["jack_maxim"], ["ren"]), discards=(["iska", "zephyr", "ralph"], ["maria"]))
    play(s, "set Jack Maxim", "set Ren")
    takes = ["take Ralph from the discards", "take Iska from the discards", "take Zephyr from the discards"]
    assert decision(s) == (0, ["do not use it", *takes])
    play(s, "take Iska from the discards")
    assert (s.hand(0), s.discards(0)) == (["Iska"], ["Ralph", "Zephyr"])
    assert s.discards(1) == ["Maria"]


@pytest.mark.rule("tommy_walker", "7.3")
def test_jack_maxim_takes_a_card_when_he_is_ridden():
    s = scene(attack=(["ralph"], ["ren"]), hands=(["jack_maxim"], [WAITS]), discards=(["iska"], []))
    play(s, "ride Jack Maxim", "take Iska from the discards")
    assert (s.hand(0), s.stack(0)) == (["Iska"], ["Ralph", "Jack Maxim"])


@pytest.mark.rule("tommy_walker", "7.4")
def test_jack_maxim_finds_nothing_without_discards_of_his_own():
    s = scene(hands=(["jack_maxim", WAITS], ["ren"]), discards=([], ["maria"]))
    play(s, "set Jack Maxim", "set Ren")
    assert decision(s) == (0, ["end", "ride Himeko", "lay Himeko as the barrier"])


@pytest.mark.rule("tommy_walker", "7.3")
def test_algora_takes_an_s_from_the_own_discards():
    s = scene(hands=(["algora"], ["ren", WAITS]), discards=(["iska", "zephyr", "calist", "ralph"], ["leticia"]))
    play(s, "set Queen Algora", "set Ren")
    assert decision(s) == (0, ["do not use it", "take Calist from the discards", "take Zephyr from the discards"])
    play(s, "take Calist from the discards")
    assert (s.hand(0), s.discards(0)) == (["Calist"], ["Ralph", "Iska", "Zephyr"])


@pytest.mark.rule("tommy_walker", "7.4")
def test_algora_finds_nothing_among_p_and_t():
    s = scene(hands=(["algora"], ["ren", WAITS]), discards=(["iska", "ralph"], ["leticia"]))
    play(s, "set Queen Algora", "set Ren")
    assert decision(s) == (1, ["end", "ride Himeko", "lay Himeko as the barrier"])
    assert s.discards(0) == ["Ralph", "Iska"]


@pytest.mark.rule("tommy_walker", "7.3")
def test_algora_may_leave_the_discards_alone():
    s = scene(hands=(["algora"], ["ren", WAITS]), discards=(["zephyr"], []))
    play(s, "set Queen Algora", "set Ren", "do not use it")
    assert (s.hand(0), s.discards(0)) == ([], ["Zephyr"])


# --- Elder Hanks ----------------------------------------------------------------------------------------------


@pytest.mark.rule("tommy_walker", "7.5")
def test_hanks_puts_up_to_three_cards_back_in_the_order_he_likes():
    hand = ["hanks", "iska", "ralph", "maria", "zephyr"]
    s = scene(hands=(hand, ["ren"]), decks=(["amon", "amina"], None))
    play(s, "set Elder Hanks", "set Ren", "put Maria back", "put Ralph back", "put Iska back")
    assert s.deck(0) == ["Maria", "Ralph", "Iska", "Amon", "Amina"]
    assert s.hand(0) == ["Zephyr"]
    assert "end" in legal_names(s)


@pytest.mark.rule("tommy_walker", "7.5")
def test_hanks_may_stop_after_a_card_and_may_be_left_unused():
    s = scene(attack=(["ralph"], ["ren"]), hands=(["hanks", "iska", "maria"], ["ren"]), decks=(["amon"], None))
    play(s, "ride Elder Hanks", "put Maria back", "put no more back")
    assert (s.deck(0), s.hand(0)) == (["Maria", "Amon"], ["Iska"])
    s = scene(attack=(["ralph"], ["ren"]), hands=(["hanks", "iska", "maria"], ["ren"]), decks=(["amon"], None))
    play(s, "ride Elder Hanks", "do not use it")
    assert (s.deck(0), s.hand(0)) == (["Amon"], ["Iska", "Maria"])


@pytest.mark.rule("tommy_walker", "7.6")
def test_hanks_has_nothing_to_put_back_with_an_empty_hand():
    s = scene(hands=(["hanks"], ["algora", WAITS]), decks=(["amon"] * 5, None))
    events = play(s, "set Elder Hanks", "set Queen Algora")
    assert "enters" not in [event["kind"] for event in events]
    assert s.state.deck_size[0] == 3  # the round is lost: there is nothing he could do


# --- Calist ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("tommy_walker", "8.8")
@pytest.mark.parametrize(("enemy", "winner"), [("ren", 1), ("ralph", 0)])
def test_calist_comes_back_for_a_card_of_the_hand_after_a_round_won_or_lost(enemy, winner):
    s = scene(attack=(["molat_hero", "calist"], [enemy]), hands=(["iska", "ralph"], [WAITS]))
    events = play(s, "end")
    assert events[1]["seat"] == winner
    assert decision(s) == (0, ["leave Calist", "discard Ralph", "discard Iska"])
    play(s, "discard Iska")
    assert s.hand(0) == ["Ralph", "Calist"]
    lost = ["Molat Hero", "Molat Hero"] if winner == 1 else []  # Ren has two stars
    assert s.discards(0) == sorted(["Iska", "Molat Hero", *lost])


@pytest.mark.rule("tommy_walker", "8.8")
def test_calist_may_be_left():
    s = scene(attack=(["calist"], ["ren"]), hands=(["iska"], [WAITS]))
    play(s, "end", "leave Calist")
    assert (s.hand(0), s.state.round_number) == (["Iska"], 2)
    assert "Calist" in s.discards(0)


@pytest.mark.rule("tommy_walker", "8.8")
def test_calist_does_not_come_back_with_an_empty_hand_covered_or_after_a_clash():
    s = scene(attack=(["calist"], ["ralph"]), hands=([], [WAITS]))
    play(s, "end")
    assert (s.state.round_number, s.discards(0)) == (2, ["Calist"])
    s = scene(attack=(["calist", "ren"], ["ralph"]), hands=(["iska"], [WAITS]))
    play(s, "end")
    assert (s.state.round_number, s.hand(0)) == (2, ["Iska"])
    s = scene(attack=(["calist"], ["calist"]), hands=(["iska"], ["iska"]))
    assert (s.state.round_number, s.discards(0)) == (2, ["Calist"])


# --- German Shark and Lovelinstar -----------------------------------------------------------------------------

RIDE_ONLY = ["german_shark", "lovelinstar"]


@pytest.mark.rule("tommy_walker", "4.2")
@pytest.mark.parametrize("name", RIDE_ONLY)
def test_weakness_makes_setting_it_a_lost_round(name):
    s = scene(hands=([name, "ren"], ["ralph", WAITS]))
    events = play(s, f"set {CARDS[card(name)].name}", "set Ralph")
    assert [event["kind"] for event in events if event["kind"] in ("misplays", "ends", "enters")] == ["misplays"]
    assert damage_in(events) == 4
    assert tuple(s.state.deck_size) == (6, 10)


@pytest.mark.rule("tommy_walker", "5.9")
@pytest.mark.parametrize("name", RIDE_ONLY)
def test_weakness_does_not_forbid_a_ride(name):
    s = scene(attack=(["cookberry"], ["maria"]), hands=([name], [WAITS]))
    play(s, f"ride {CARDS[card(name)].name}")
    assert (s.power(0), s.state.to_act) == (PRINTED[name][0], 1)
    assert s.stack(0) == ["Cookberry", CARDS[card(name)].name]


@pytest.mark.rule("tommy_walker", "7.12")
def test_lovelinstar_has_9700_on_a_man():
    s = scene(attack=(["ralph"], ["german_shark"]), hands=(["lovelinstar", WAITS], [WAITS]))
    play(s, "ride Lovelinstar")
    assert s.power(0) == 7300
    assert uses_of_at(s) == ["use the AT (9700)"]
    play(s, "use the AT (9700)")
    assert (s.power(0), s.power(1), s.state.to_act) == (9700, 8100, 1)


@pytest.mark.rule("tommy_walker", "7.12")
def test_lovelinstar_has_no_at_on_a_woman_even_with_a_man_below():
    s = scene(attack=(["ralph", "cookberry"], ["german_shark"]), hands=(["lovelinstar", WAITS], [WAITS]))
    play(s, "ride Lovelinstar")
    assert (s.power(0), uses_of_at(s)) == (7300, [])


# --- All of them ----------------------------------------------------------------------------------------------

COMMON = ("test_power_and_stars_are_the_printed_ones", "test_the_attributes_are_the_printed_ones_and_no_others")


def scenes_of_cards():
    """How many scenes name a card, in the name of the test or in its parameter, apart from what all cards have."""
    found = Counter()
    for test, function in globals().items():
        if not test.startswith("test_") or test in COMMON:
            continue
        found.update(facts.id for facts in CARDS if test.startswith(f"test_{facts.id}_"))
        for mark in getattr(function, "pytestmark", []):
            if mark.name == "parametrize" and "name" in mark.args[0]:
                found.update(values if isinstance(values, str) else values[0] for values in mark.args[1])
    return found


def test_every_card_has_scenes_of_its_own():
    found = scenes_of_cards()
    assert set(PRINTED) == {facts.id for facts in CARDS}
    assert {facts.id: found[facts.id] for facts in CARDS if found[facts.id] < 2} == {}
