"""Sections 6 and 7 of the rules of Tommy Walker TGC: power, entries, ATs, barriers and copies."""

import pytest
from tommy_scenes import card, legal_names, patched, play, scene
from tommy_turns import (
    asked,
    by_seat,
    cards_of,
    kinds_of,
    of_kind,
    powers,
    revealed,
    round_number,
    round_won,
)

from duelbench.envs.tommy_walker.cards import CARDS, NO_CARD

ONCE = {"discard_at_mode": "single"}
ENTRY = {"lovelinstar_timing": "entry"}
TESTED = {"copy_ride_condition": "tested"}
BOTTOM = {"hanks_returns_to": "bottom"}


def rule(number):
    return pytest.mark.rule("tommy_walker", number)


both_seats = pytest.mark.parametrize("seat", [0, 1])
both_copiers = pytest.mark.parametrize("copier", ["Renjo", "Himeko"])


def offered(s, start):
    """The actions that may be taken now and whose names begin so."""
    return [name for name in legal_names(s) if name.startswith(start)]


def card_id(name):
    return CARDS[card(name)].id


def pay(count, value):
    return f"pay {count} card{'s' if count > 1 else ''} for the AT ({value})"


# --- 6. Power -------------------------------------------------------------------------------------------------


@rule("6.1")
def test_power_is_the_printed_number_or_the_value_and_what_the_barrier_adds():
    s = scene(attack=(["Iska"], ["Cookberry"]), hands=(["Silver Rain", "Ren"], ["Ren"]))
    assert powers(s) == (3900, 5300)
    play(s, "lay Silver Rain as the barrier")
    assert powers(s) == (4900, 5300)
    play(s, "use the AT (13350)")
    assert powers(s) == (14350, 5300)


@rule("6.2")
def test_a_value_takes_the_place_of_the_printed_number():
    s = scene(attack=(["Barrows"], ["Maria"]), hands=(["Ren"], ["Ren"]))
    play(s, "ride Ren", "use the entry (8800)")
    assert s.power(0) == 8800


@rule("6.2")
def test_it_does_so_even_if_it_is_smaller():
    s = copier_ahead((["Renjo"], ["German Shark"]), (["Grantram", "Ren"], ["Hina"]))
    play(s, "ride Grantram", "use the entry (6100)", "copy the entry (6100)")
    assert powers(s) == (6100, 6101)


def copier_ahead(attack, hands):
    """Seat 1 has Renjo as the barrier, who adds 1 here so that a copied value does not end the round in a clash."""
    return scene(attack=attack, hands=hands, barrier=("Renjo", 1), table=patched("Renjo", barrier_power=1))


@rule("6.3")
def test_a_copied_value_counts_instead_of_an_older_at():
    s = copier_ahead((["Cookberry"], ["Iska"]), (["Premiere", "Ren"], ["Ren"]))
    play(s, "use the AT (13350)")
    assert powers(s) == (5300, 13351)
    play(s, "ride Premiere", "use the entry (6900)", "copy the entry (6900)")
    assert powers(s) == (6900, 6901)


@rule("6.3")
def test_an_at_that_is_used_later_counts_instead_of_a_copied_value_even_a_smaller_one():
    s = copier_ahead((["Hina"], ["Akira"]), (["Leticia", "German Shark", "Ren"], ["Ren"]))
    play(s, "ride Leticia", "use the entry (6400)", "copy the entry (6400)", "ride German Shark")
    assert powers(s) == (8100, 6401)
    play(s, "use the AT (5700)")
    assert powers(s) == (8100, 5701)


@rule("6.3")
def test_when_the_newest_value_does_not_hold_the_one_before_counts():
    s = copier_ahead((["Hina"], ["Iska"]), (["Leticia", "German Shark", "Ralph", "Ren"], ["Ren"]))
    play(s, "ride Leticia", "use the entry (6400)", "copy the entry (6400)", "ride German Shark")
    play(s, "use the AT (13350)")
    assert powers(s) == (8100, 13351)
    play(s, "ride Ralph")
    assert powers(s) == (2800, 6401)


@rule("6.3")
def test_a_condition_that_comes_true_again_makes_no_value_newer():
    s = copier_ahead((["Cookberry"], ["Iska"]), (["Leticia", "German Shark", "Ren"], ["Ren"]))
    play(s, "use the AT (13350)", "ride Leticia", "use the entry (6400)", "copy the entry (6400)")
    assert powers(s) == (6400, 6401)
    play(s, "ride German Shark")  # a P again
    assert (powers(s), asked(s)) == ((8100, 6401), (1, "revenge"))


@rule("6.3")
def test_to_pay_more_for_an_at_makes_its_value_newer():
    s = copier_ahead((["Cookberry"], ["Hina"]), (["Leticia", "German Shark", "Ren"], ["Iska", "Maria", "Ren"]))
    play(s, pay(1, 8200), "discard Iska", "ride Leticia", "use the entry (6400)", "copy the entry (6400)")
    assert powers(s) == (6400, 6401)
    play(s, "ride German Shark")
    assert powers(s) == (8100, 6401)
    play(s, pay(1, 12600), "discard Maria")
    assert powers(s) == (8100, 12601)


@rule("6.4")
def test_an_at_goes_off_and_on_by_itself():
    hands = (["Silver Rain", "Hina"], ["Molat Hero", "Ren", "Amon", "Ren"])
    s = scene(attack=(["Iska"], ["Cookberry"]), hands=hands)
    play(s, "use the AT (13350)")
    assert powers(s) == (13350, 5300)
    play(s, "ride Molat Hero")
    assert (powers(s), asked(s)) == ((3900, 4300), (0, "revenge"))
    assert offered(s, "use") == []
    play(s, "lay Silver Rain as the barrier")
    assert (powers(s), asked(s)) == ((4900, 4300), (1, "revenge"))
    play(s, "ride Ren")
    assert (powers(s), asked(s)) == ((14350, 4600), (1, "revenge"))
    play(s, "ride Amon")
    assert powers(s) == (4900, 2800)


@rule("6.4")
def test_an_at_of_the_hand_goes_off_and_on_with_the_hand():
    s = scene(
        attack=(["Akuroou"], ["Maria"]),
        hands=(["Ren", "Ren", "Silver Rain"], ["Jack Maxim", "German Shark"]),
        discards=(["Iska"], []),
        barrier=("Himeko", 0),
    )
    play(s, "use the AT (7000)")
    assert (powers(s), asked(s)) == ((7000, 6000), (1, "revenge"))
    play(s, "ride Jack Maxim", "use the entry and take nothing", "take Iska from the discards", "ride German Shark")
    assert (powers(s), asked(s)) == ((4000, 8100), (0, "revenge"))
    assert offered(s, "use") == []
    play(s, "lay Silver Rain as the barrier")
    assert powers(s) == (8000, 8100)


@rule("6.5")
def test_the_value_of_an_entry_holds_without_condition():
    s = scene(attack=(["Barrows"], ["Cookberry"]), hands=(["Ren"], ["German Shark", "Ren"]))
    play(s, "ride Ren", "use the entry (8800)", "ride German Shark")
    assert powers(s) == (8800, 8100)


@rule("6.5")
def test_so_does_that_of_a_copied_one_until_the_copier_rides():
    s = copier_ahead((["Barrows"], ["Maria"]), (["Ren", "German Shark"], ["Hina", "Zephyr"]))
    play(s, "ride Ren", "use the entry (8800)", "copy the entry (8800)", "ride German Shark")
    assert (powers(s), asked(s)) == ((8100, 8801), (0, "revenge"))
    s = copier_ahead((["Hina"], ["Maria"]), (["Leticia", "German Shark"], ["Hina", "Zephyr"]))
    play(s, "ride Leticia", "use the entry (6400)", "copy the entry (6400)", "ride German Shark", "ride Zephyr")
    assert powers(s) == (8100, 3501)
    assert s.state.copied_power[1] == s.state.copy_last[1] == 0


@rule("6.6")
def test_with_a_ride_the_value_of_the_covered_card_is_gone():
    s = scene(attack=(["Iska"], ["Cookberry"]), hands=(["Hina", "Ren"], ["Barrows", "Lovelinstar", "Ren"]))
    play(s, "use the AT (13350)", "ride Lovelinstar", "ride Hina")
    assert (powers(s), asked(s)) == ((3800, 7300), (0, "revenge"))
    s = scene(attack=(["Barrows"], ["Maria"]), hands=(["Ren", "Hina", "Hina"], ["German Shark", "Iska"]))
    play(s, "ride Ren", "use the entry (8800)", "ride Iska", "use the AT (13350)", "ride Hina")
    assert powers(s) == (3800, 3900)


@rule("6.6")
def test_the_same_card_once_more_starts_afresh():
    s = scene(attack=(["Akira"], ["German Shark"]), hands=(["Akira", "Hina"], ["Ren"]))
    play(s, "use the AT (5700)", "ride Akira")
    assert (powers(s), asked(s)) == ((4400, 8100), (0, "revenge"))
    play(s, "use the AT (5700)")
    assert powers(s) == (5700, 8100)


@rule("6.6")
@pytest.mark.parametrize("rules", [None, ONCE])
def test_what_was_paid_for_the_covered_card_is_gone(rules):
    hands = (["Dahlia", "Maria", "Iska", "Hina", "Ren"], ["Ren"])
    s = scene(attack=(["Dahlia"], ["German Shark"]), hands=hands, rules=rules)
    play(s, "pay 2 cards for the AT (6000)", "discard Maria", "discard Iska", "ride Dahlia")
    assert powers(s) == (4000, 8100)
    assert offered(s, "pay") == ["pay 1 card for the AT (5000)"]
    play(s, "pay 1 card for the AT (5000)", "discard Hina")
    assert powers(s) == (5000, 8100)


@rule("6.6")
def test_the_dmg_lines_of_the_covered_card_are_gone():
    s = scene(attack=(["Premiere", "Lovelinstar"], ["Ren"]), hands=([], ["Hina"]))
    assert round_won(play(s, "end")) == (0, 3)


@rule("6.7")
@pytest.mark.parametrize("name", ["Silver Rain", "Aquerio", "Kadasphia"])
@both_seats
def test_three_barriers_add_1000_for_their_player_alone(name, seat):
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Ren"], ["Ren"]), barrier=(name, seat))
    assert powers(s) == (4600 + (seat == 0) * 1000, 6000 + (seat == 1) * 1000)


@rule("6.7")
def test_they_count_in_the_comparison_of_the_reveal_and_in_every_round():
    s, events = revealed("Iska", "Demonoid", hands=(["Hina", "Ren"], ["Ren", "Ren"]), barrier=("Aquerio", 0))
    assert (powers(s), asked(s)) == ((4900, 4000), (1, "revenge"))
    play(s, "end")
    events = play(s, "set Ren", "set Ren")
    assert "clashes" not in kinds_of(events)
    assert (powers(s), asked(s)) == ((5600, 4600), (1, "revenge"))


@rule("6.7")
def test_they_can_make_a_clash_at_the_reveal():
    _, events = revealed("Amon", "Araki", hands=(["Ren"], ["Ren"]), barrier=("Silver Rain", 0))
    assert "clashes" in kinds_of(events)


@rule("6.8")
@pytest.mark.parametrize(
    ("barrier", "enemy", "added"),
    [
        ("Kizuki", "Ren", 2000),
        ("Kizuki", "Iska", 2000),
        ("Kizuki", "Maria", 0),
        ("David", "Maria", 2000),
        ("David", "Iska", 2000),
        ("David", "Ren", 0),
        ("David", "Calist", 0),
    ],
)
@both_seats
def test_kizuki_and_david_add_2000_against_the_named_kind(barrier, enemy, added, seat):
    attack = by_seat(seat, ["Amon"], [enemy])
    s = scene(attack=attack, hands=(["Ren"], ["Ren"]), barrier=(barrier, seat))
    assert s.power(seat) == 2800 + added
    assert s.power(1 - seat) == CARDS[card(enemy)].power
    other = scene(attack=attack, hands=(["Ren"], ["Ren"]), barrier=(barrier, 1 - seat))
    assert other.power(seat) == 2800


@rule("6.8")
def test_the_attack_card_of_the_moment_counts():
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["David", "Hina"], ["Molat Hero", "Amon", "Iska", "Ren"]))
    play(s, "lay David as the barrier")
    assert powers(s) == (6600, 6000)
    play(s, "ride Molat Hero")
    assert powers(s) == (4600, 4300)
    play(s, "ride Iska")
    assert powers(s) == (6600, 3900)


@rule("6.9")
@pytest.mark.parametrize("name", ["Silver Rain", "Aquerio", "Kadasphia", "Kizuki", "David"])
def test_a_barrier_card_that_is_an_attack_card_adds_nothing(name):
    s = scene(attack=([name], ["Iska"]), hands=(["Ren"], ["Ren"]))
    assert s.power(0) == CARDS[card(name)].power
    s = scene(attack=(["Jack Maxim"], ["Iska"]), hands=([name, "Ren"], ["Ren"]))
    play(s, f"ride {name}")
    assert (s.power(0), s.barrier()) == (CARDS[card(name)].power, None)


@rule("6.9")
def test_nor_does_it_do_anything_as_a_barrier():
    s = scene(attack=(["Barrows"], ["Himeko", "Maria"]), hands=(["Ren"], ["Ren"]))
    play(s, "ride Ren", "use the entry (8800)")
    assert asked(s) == (1, "revenge")
    s = scene(attack=(["Barrows"], ["Araki", "Renjo"]), hands=(["Ren"], ["Ren"]))
    assert round_won(play(s, "end")) == (0, 2)
    s = scene(attack=(["Ren"], ["Araki"]), hands=(["Ren"], ["Ren"]))
    assert round_won(play(s, "end")) == (0, 2)


# --- 7. Abilities: entries ------------------------------------------------------------------------------------

RIDES = [
    ("Premiere", 6900, "Iska", "Maria"),
    ("Molat Hero", 6700, "Amon", "Maria"),
    ("Grantram", 6100, "Zephyr", "Ralph"),
    ("Maria", 7500, "Amon", "Iska"),
    ("Ren", 8800, "Barrows", "Ralph"),
    ("Leticia", 6400, "Hina", "Amon"),
]


@rule("7.1")
@pytest.mark.parametrize(("name", "value", "fits", "fits_not"), RIDES)
@both_seats
def test_an_entry_on_a_ride_gives_its_value_on_the_kind_named(name, value, fits, fits_not, seat):
    s = scene(attack=by_seat(seat, [fits], ["German Shark"]), hands=by_seat(seat, [name, "Ren"], ["Ren"]))
    play(s, f"ride {name}")
    assert asked(s) == (seat, "entry")
    assert legal_names(s) == [f"use the entry ({value})", "do not use it"]
    (event, *_) = play(s, f"use the entry ({value})")
    assert event == {"kind": "enters", "seat": seat, "card": card_id(name), "value": 0, "seen_by": [0, 1]}
    assert s.power(seat) == value
    s = scene(attack=by_seat(seat, [fits_not], ["German Shark"]), hands=by_seat(seat, [name, "Hina"], ["Ren"]))
    play(s, f"ride {name}")
    assert asked(s) == (seat, "revenge")
    assert s.power(seat) == CARDS[card(name)].power


@rule("7.1")
def test_only_the_card_directly_beneath_counts():
    s = scene(attack=(["Barrows", "Hina"], ["German Shark"]), hands=(["Ren", "Hina"], ["Ren"]))
    play(s, "ride Ren")
    assert asked(s) == (0, "revenge")
    s = scene(attack=(["Hina", "Barrows"], ["German Shark"]), hands=(["Ren", "Hina"], ["Ren"]))
    play(s, "ride Ren")
    assert asked(s) == (0, "entry")


@rule("7.1")
def test_the_enemys_attack_card_does_not_count():
    s = scene(attack=(["Hina"], ["German Shark"]), hands=(["Premiere", "Hina"], ["Ren"]))
    play(s, "ride Premiere")
    assert asked(s) == (0, "revenge")


@rule("7.2")
def test_nobody_has_to_use_an_entry_and_it_cannot_be_used_later():
    s = scene(attack=(["Barrows"], ["German Shark"]), hands=(["Ren", "Silver Rain", "Hina"], ["Ren"]))
    (event,) = play(s, "ride Ren", "do not use it")[1:]
    assert event == {"kind": "declines", "seat": 0, "card": "ren", "value": 0, "seen_by": [0, 1]}
    assert (powers(s), asked(s)) == ((4600, 8100), (0, "revenge"))
    assert offered(s, "use") == []
    play(s, "lay Silver Rain as the barrier")
    assert (powers(s), asked(s)) == ((5600, 8100), (0, "revenge"))
    assert offered(s, "use") == []


@rule("7.2")
def test_the_entry_of_the_reveal_cannot_be_used_later():
    s, _ = revealed("Jack Maxim", "Maria", hands=(["Ren"], ["Ren"]), discards=(["Amon"], []))
    play(s, "do not use it")
    assert legal_names(s) == ["end", "ride Ren"]


@rule("7.3")
@both_seats
def test_jack_takes_any_card_and_algora_an_s_from_the_own_discards_openly(seat):
    mine, theirs = ["Amon", "German Shark", "Calist", "Zephyr", "Silver Rain"], ["Leticia", "Hina"]
    for name, may in (("Jack Maxim", mine), ("Queen Algora", ["Calist", "Zephyr"])):
        discards = by_seat(seat, mine, theirs)
        s, _ = revealed(*by_seat(seat, name, "Maria"), hands=(["Ren"], ["Ren"]), discards=discards)
        assert asked(s) == (seat, "entry")
        assert sorted(offered(s, "take")) == sorted(f"take {card} from the discards" for card in may)
        events = play(s, "take Zephyr from the discards")
        assert of_kind(events, "fetches") == [
            {"kind": "fetches", "seat": seat, "card": "zephyr", "value": 0, "seen_by": [0, 1]}
        ]
        assert s.hand(seat) == sorted(["Ren", "Zephyr"], key=card)
        assert "Zephyr" not in s.discards(seat)
        assert s.discards(1 - seat) == sorted(theirs, key=card)
        assert s.state.hand_size[seat] == 2


@rule("7.3")
def test_jack_takes_each_of_the_36_cards():
    for facts in CARDS:
        s = scene(attack=(["Ren"], ["Maria"]), hands=(["Jack Maxim"], []), discards=([facts.id], []))
        play(s, "ride Jack Maxim", f"take {facts.name} from the discards")
        assert (s.hand(0), s.discards(0), asked(s)) == ([facts.name], [], (0, "revenge"))


@rule("7.3")
def test_a_card_that_was_fetched_on_a_ride_can_be_ridden_at_once():
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Jack Maxim"], ["Ren"]), discards=(["German Shark"], []))
    play(s, "ride Jack Maxim", "take German Shark from the discards", "ride German Shark")
    assert powers(s) == (8100, 6000)


@rule("7.3")
def test_the_cards_under_the_attack_card_cannot_be_fetched():
    s = scene(
        attack=(["Zephyr", "Ren"], ["Maria"]), hands=(["Jack Maxim", "Algora", "Ren"], []), discards=(["Amon"], [])
    )
    play(s, "ride Jack Maxim")
    assert offered(s, "take") == ["take Amon from the discards"]
    play(s, "do not use it", "ride Queen Algora")
    assert asked(s) == (0, "revenge")


@rule("7.4")
def test_a_fetch_names_a_card_or_is_not_used():
    s, _ = revealed("Jack Maxim", "Maria", hands=(["Ren"], ["Ren"]), discards=(["Amon"], []), barrier=("Renjo", 0))
    assert legal_names(s) == ["do not use it", "take Amon from the discards"]  # one's own Renjo copies nothing


@rule("7.4")
@both_copiers
def test_against_a_copier_a_fetch_may_be_used_to_take_nothing(copier):
    hands = (["Ren"], ["Ren"])
    s, _ = revealed("Jack Maxim", "Maria", hands=hands, discards=(["Amon"], []), barrier=(copier, 1))
    assert legal_names(s) == ["use the entry and take nothing", "do not use it", "take Amon from the discards"]
    (event,) = play(s, "use the entry and take nothing")
    assert (event["kind"], event["value"]) == ("enters", 1)
    assert (s.hand(0), s.discards(0), powers(s)) == (["Ren"], ["Amon"], (1600, 6000))
    s, _ = revealed("Jack Maxim", "Maria", hands=hands, barrier=(copier, 1))
    assert legal_names(s) == ["use the entry and take nothing", "do not use it"]


@rule("7.4")
@pytest.mark.parametrize("barrier", [None, ("Silver Rain", 1), ("Himeko", 0)])
@pytest.mark.parametrize(("name", "discards"), [("Jack Maxim", []), ("Queen Algora", ["Amon", "Ren"])])
def test_without_a_card_to_take_and_a_copier_nobody_is_asked(name, discards, barrier):
    s, _ = revealed(name, "Maria", hands=(["Ren"], ["Ren"]), discards=(discards, ["Zephyr"]), barrier=barrier)
    assert asked(s) == (0, "revenge")


def hanks(hand, deck, **laid):
    """Seat 0 has set Hanks against Maria and is asked for his entry."""
    s, _ = revealed("Elder Hanks", "Maria", hands=(hand, laid.pop("enemy", ["Ren"])), decks=(deck, None), **laid)
    return s


@rule("7.5")
def test_hanks_puts_up_to_three_cards_on_the_deck_the_first_one_uppermost():
    s = hanks(["Ren", "Amon", "Hina", "Iska"], ["Zephyr", "Ralph"])
    assert asked(s) == (0, "entry")
    assert legal_names(s) == ["do not use it", *(f"put {name} back" for name in ("Iska", "Hina", "Ren", "Amon"))]
    events = play(s, "put Amon back")
    assert asked(s) == (0, "put_back")
    assert legal_names(s) == ["put no more back", *(f"put {name} back" for name in ("Iska", "Hina", "Ren"))]
    play(s, "put Iska back", "put Ren back")
    assert asked(s) == (0, "revenge")
    assert s.deck(0) == ["Amon", "Iska", "Ren", "Zephyr", "Ralph"]
    assert (s.hand(0), int(s.state.hand_size[0])) == (["Hina"], 1)
    assert kinds_of(events) == ["enters", "puts_back"]
    assert (events[1]["card"], events[1]["seen_by"]) == ("amon", [0])


@rule("7.5")
def test_the_first_card_put_back_is_the_first_to_be_drawn():
    s = hanks(["Ren", "Amon", "Hina"], ["Zephyr", "Ralph"])
    play(s, "put Amon back", "put Ren back", "put no more back", "end")
    assert s.deck(0) == ["Ren", "Zephyr", "Ralph"]  # Maria's star has taken Amon
    assert cards_of(play(s, "draw a card", "draw a card"), "draws") == ["ren", "zephyr"]


@rule("7.5")
@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_he_may_stop_at_any_time_and_the_deck_is_larger_by_them(count):
    s = hanks(["Ren"] * 4, ["Zephyr"])
    play(s, *(["put Ren back"] * count or ["do not use it"]))
    if 0 < count < 3:
        play(s, "put no more back")
    assert asked(s) == (0, "revenge")
    assert (s.deck(0), s.hand(0)) == (["Ren"] * count + ["Zephyr"], ["Ren"] * (4 - count))


@rule("7.5")
def test_each_of_the_36_cards_may_be_put_back_first_or_later():
    for facts in CARDS:
        s = hanks([facts.id, facts.id, "Ren"], ["Zephyr"])
        play(s, f"put {facts.name} back", f"put {facts.name} back", "put no more back")
        assert (s.deck(0), s.hand(0)) == ([facts.name, facts.name, "Zephyr"], ["Ren"])


@rule("7.5")
def test_he_stops_when_the_hand_is_empty():
    s = scene(
        attack=(["Hina"], ["Maria"]), hands=(["Elder Hanks", "Ren", "Amon"], ["Ren"]), decks=(["Zephyr"] * 3, None)
    )
    events = play(s, "ride Elder Hanks", "put Ren back", "put Amon back")
    assert round_won(events) == (1, 1)
    assert s.deck(0) == ["Amon", "Zephyr", "Zephyr", "Zephyr"]


@rule("7.5")
@pytest.mark.parametrize("rules", [None, BOTTOM])
def test_two_uses_one_after_the_other(rules):
    hand = ["Elder Hanks", "Ren", "Amon", "Hina", "Iska", "Ralph", "Leticia"]
    s = scene(
        attack=(["Jack Maxim"], ["Maria"]),
        hands=([*hand, "Elder Hanks"], ["Ren"]),
        decks=(["Zephyr"], None),
        rules=rules,
    )
    play(s, "ride Elder Hanks", "put Ren back", "put Amon back", "put Hina back")
    play(s, "ride Elder Hanks", "put Iska back", "put Ralph back", "put no more back")
    top, bottom = ["Iska", "Ralph", "Ren", "Amon", "Hina", "Zephyr"], ["Zephyr", "Ren", "Amon", "Hina", "Iska", "Ralph"]
    assert s.deck(0) == (bottom if rules else top)


@rule("7.5")
def test_by_option_each_card_goes_under_the_deck():
    s = hanks(["Ren", "Amon", "Hina"], ["Zephyr", "Ralph"], rules=BOTTOM)
    play(s, "put Amon back", "put Hina back", "put no more back")
    assert s.deck(0) == ["Zephyr", "Ralph", "Amon", "Hina"]


@rule("7.6")
@both_copiers
@pytest.mark.parametrize("hand", [[], ["Ren"]])
def test_against_a_copier_hanks_may_be_used_to_put_nothing_back(copier, hand):
    s = hanks(hand, ["Zephyr"] * 4, barrier=(copier, 1))
    assert legal_names(s) == [
        "use the entry and return nothing",
        "do not use it",
        *(f"put {name} back" for name in hand),
    ]
    events = play(s, "use the entry and return nothing")
    assert kinds_of(events) == ["enters"]
    assert (asked(s), s.hand(0), s.deck(0)) == ((1, "copy"), hand, ["Zephyr"] * 4)


@rule("7.6")
def test_with_an_empty_hand_and_without_a_copier_nobody_is_asked():
    s = scene(attack=(["Hina"], ["Maria"]), hands=(["Elder Hanks"], ["Ren"]), barrier=("Renjo", 0))
    assert kinds_of(play(s, "ride Elder Hanks"))[:3] == ["rides", "ends", "round_won"]
    s = hanks(["Ren"], None)
    assert legal_names(s) == ["do not use it", "put Ren back"]


# --- 7. Abilities: ATs ----------------------------------------------------------------------------------------

BY_ENEMY = [
    ("Ralph", 7900, "Maria", "Ren"),
    ("Cookberry", 7400, "Maria", "German Shark"),
    ("Iska", 13350, "German Shark", "Maria"),
    ("Akira", 5700, "German Shark", "Maria"),
    ("Barrows", 12300, "Maria", "German Shark"),
    ("Reiji", 10400, "Maria", "German Shark"),
    ("Amon", 14950, "Maria", "German Shark"),
    ("Zephyr", 12500, "Lovelinstar", "Maria"),
    ("Alexis", 9950, "Lovelinstar", "Maria"),
]


@rule("7.7")
@pytest.mark.parametrize(("name", "value", "fits", "fits_not"), BY_ENEMY)
@both_seats
def test_an_at_by_the_enemy_asks_for_the_kind_of_the_enemys_attack_card(name, value, fits, fits_not, seat):
    s = scene(attack=by_seat(seat, [name], [fits_not, fits]), hands=(["Hina"], ["Hina"]))
    assert legal_names(s)[:2] == ["end", f"use the AT ({value})"]
    play(s, f"use the AT ({value})")
    assert s.power(seat) == value
    s = scene(attack=by_seat(seat, [name], [fits, fits_not]), hands=(["Hina"], ["Hina"]))
    assert (asked(s), offered(s, "use")) == ((seat, "revenge"), [])


BY_HAND = [("Akuroou", 7000), ("General Tsubame", 7020), ("Calist", 5050), ("German Shark", 9700)]


@rule("7.8")
@pytest.mark.parametrize(("name", "value"), BY_HAND)
@both_seats
def test_an_at_by_the_hand_asks_for_three_cards_or_fewer(name, value, seat):
    table = patched("Maria", power=9000)
    for held in range(1, 6):
        hands = by_seat(seat, ["Hina"] * held, ["Ren"] * 5)
        s = scene(attack=by_seat(seat, [name], ["Maria"]), hands=hands, table=table)
        assert offered(s, "use") == ([f"use the AT ({value})"] if held <= 3 else [])
    s = scene(attack=by_seat(seat, [name], ["Maria"]), hands=by_seat(seat, [], ["Ren"]), table=table)
    play(s, f"use the AT ({value})")


@rule("7.8")
@pytest.mark.parametrize(("name", "value"), BY_HAND)
def test_the_hand_is_counted_after_what_the_action_has_cost(name, value):
    table = patched("Maria", power=9900)
    s = scene(attack=([name], ["Maria"]), hands=(["Renjo", "Ren", "Hina", "Hina"], ["Ren"]), table=table)
    assert offered(s, "use") == []
    play(s, "lay Renjo as the barrier")
    assert offered(s, "use") == [f"use the AT ({value})"]
    s = scene(attack=(["Hina"], ["Maria"]), hands=([name, "Ren", "Hina", "Hina"], ["Ren"]), table=table)
    play(s, f"ride {name}")
    assert offered(s, "use") == [f"use the AT ({value})"]


@rule("7.8")
@pytest.mark.parametrize("limit", [0, 1])
def test_a_card_may_have_another_limit_even_none_at_all(limit):
    table = patched("Akuroou", at_hand=limit)
    for held in range(3):
        hands = (["Queen Algora"] * held + ["Akuroou"], ["Ren"])
        s = scene(attack=(["Hina"], ["German Shark"]), hands=hands, discards=(["Zephyr"], []), table=table)
        play(s, "ride Akuroou")
        assert (asked(s) == (0, "revenge") and offered(s, "use") != []) == (held <= limit)
    s = scene(
        attack=(["Akuroou"], ["Maria"]),
        hands=([], ["Jack Maxim", "Ren"]),
        discards=(["Zephyr"] * 2, []),
        barrier=("Renjo", 0),
        table=table,
    )
    play(s, "use the AT (7000)", "ride Jack Maxim", "use the entry and take nothing", "take Zephyr from the discards")
    assert s.power(0) == (7000 if limit else 4000)


@rule("7.8")
def test_a_fetch_that_makes_four_cards_takes_the_value_away():
    s = scene(
        attack=(["Akuroou"], ["Iska", "Maria"]),
        hands=(["Ren"] * 3, ["Queen Algora", "Ren"]),
        discards=(["Zephyr"], []),
        barrier=("Renjo", 0),
    )
    play(s, "use the AT (7000)", "ride Queen Algora", "use the entry and take nothing")
    assert powers(s) == (7000, 4800)
    play(s, "take Zephyr from the discards")
    assert (powers(s), asked(s)) == ((4000, 4800), (0, "revenge"))
    play(s, "ride Ren")
    assert s.state.own_power[0] == 0


BY_DISCARDS = [
    ("Amina", (8100, 12000, 15900), ["Ren", "Iska", "David"], ["Hina", "Zephyr", "Amon"]),
    ("Dahlia", (5000, 6000, 7000), ["Iska", "Hina", "Zephyr"], ["Ren", "Amon", "Renjo"]),
    ("Hina", (8200, 12600, 17000), ["Iska", "Hina", "Lovelinstar"], ["Ren", "Amon", "Renjo"]),
    ("Demonoid", (8500, 13000, 17500), ["Calist", "Hina", "Amon"], ["Ren", "Renjo", "Iska"]),
]


@rule("7.9")
@pytest.mark.parametrize(("name", "values", "fits", "fits_not"), BY_DISCARDS)
@both_seats
def test_an_at_by_discards_gives_a_value_by_their_number(name, values, fits, fits_not, seat):
    table = patched("Maria", power=20000)
    for count in range(1, 4):
        s = scene(attack=by_seat(seat, [name], ["Maria"]), hands=by_seat(seat, fits + fits_not, ["Ren"]), table=table)
        assert offered(s, "pay") == [pay(n, values[n - 1]) for n in (1, 2, 3)]
        play(s, pay(count, values[count - 1]), *(f"discard {card}" for card in fits[:count]))
        assert s.power(seat) == values[count - 1]
        assert s.discards(seat) == sorted(fits[:count], key=card)
        assert len(s.hand(seat)) == 6 - count == s.state.hand_size[seat]


HIGH = patched("Maria", power=20000)
HIGH_ONCE = patched("Maria", ONCE, power=20000)


@rule("7.9")
@pytest.mark.parametrize("steps", [(1, 1, 1), (1, 2), (2, 1), (3,), (1, 1), (2,)])
def test_more_may_be_paid_later_and_the_value_is_that_of_the_sum(steps):
    values = (8200, 12600, 17000)
    s = scene(attack=(["Hina"], ["Maria"]), hands=(["Iska"] * 6, ["Ren"]), table=HIGH)
    paid = 0
    for count in steps:
        assert offered(s, "pay") == [pay(n, values[paid + n - 1]) for n in range(1, 4 - paid)]
        play(s, pay(count, values[paid + count - 1]), *["discard Iska"] * count)
        paid += count
        assert powers(s) == (values[paid - 1], 20000)
    assert len(s.hand(0)) == 6 - paid
    assert len(offered(s, "pay")) == 3 - paid


@rule("7.9")
def test_up_to_three_in_all():
    s = scene(attack=(["Hina"], ["Maria"]), hands=(["Iska"] * 6, ["Ren"]), table=HIGH)
    play(s, pay(3, 17000), *["discard Iska"] * 3)
    assert legal_names(s) == ["end", "ride Iska"]


@rule("7.9")
def test_by_option_an_at_by_discards_is_used_once():
    s = scene(attack=(["Hina"], ["Maria"]), hands=(["Iska"] * 6, ["Ren"]), table=HIGH_ONCE)
    assert offered(s, "pay") == [pay(1, 8200), pay(2, 12600), pay(3, 17000)]
    play(s, pay(1, 8200), "discard Iska")
    assert s.power(0) == 8200
    assert legal_names(s) == ["end", "ride Iska"]
    s = scene(attack=(["Hina"], ["Maria"]), hands=(["Iska"] * 6, ["Ren"]), table=HIGH_ONCE)
    play(s, pay(2, 12600), *["discard Iska"] * 2)
    assert (s.power(0), offered(s, "pay")) == (12600, [])


@rule("7.10")
@pytest.mark.parametrize("held", [0, 1, 2, 3])
@pytest.mark.parametrize("rules", [None, ONCE])
def test_one_must_hold_as_many_of_the_kind_named_as_one_announces(held, rules):
    table = patched("Maria", rules, power=20000)
    s = scene(attack=(["Amina"], ["Maria"]), hands=(["Ren"] * held + ["Hina"] * 3, ["Ren"] * 3), table=table)
    assert offered(s, "pay") == [pay(n, (8100, 12000, 15900)[n - 1]) for n in range(1, held + 1)]


@rule("7.10")
def test_the_announcement_is_open_and_costs_nothing_yet():
    s = scene(attack=(["Amina"], ["Maria"]), hands=(["Ren", "Iska", "Hina"], ["Ren"]), table=HIGH)
    (event,) = play(s, pay(2, 12000))
    assert event == {"kind": "announces", "seat": 0, "card": "amina", "value": 2, "seen_by": [0, 1]}
    assert (len(s.hand(0)), s.discards(0), powers(s)) == (3, [], (4200, 20000))


@rule("7.11")
def test_the_cards_are_discarded_one_by_one_openly_and_the_value_counts_when_all_is_paid():
    s = scene(attack=(["Amina"], ["Maria"]), hands=(["Ren", "Iska", "Iska", "Hina"], ["Ren"]), table=HIGH)
    play(s, pay(3, 15900))
    for name, left in (("Iska", ["discard Iska", "discard Ren"]), ("Ren", ["discard Iska"])):
        (event,) = play(s, f"discard {name}")
        assert event == {"kind": "discards", "seat": 0, "card": name.lower(), "value": 0, "seen_by": [0, 1]}
        assert (asked(s), legal_names(s), s.power(0)) == ((0, "pay"), left, 4200)
    events = play(s, "discard Iska")
    assert kinds_of(events) == ["discards", "ats"]
    assert events[1]["value"] == 3
    assert (asked(s), s.power(0), s.discards(0)) == ((0, "revenge"), 15900, ["Iska", "Iska", "Ren"])
    assert s.hand(0) == ["Hina"]


@rule("7.11")
def test_while_more_is_being_paid_the_old_value_counts():
    s = scene(attack=(["Hina"], ["Maria"]), hands=(["Iska"] * 4, ["Ren"]), table=HIGH)
    play(s, pay(1, 8200), "discard Iska", pay(2, 17000), "discard Iska")
    assert s.power(0) == 8200
    play(s, "discard Iska")
    assert (s.power(0), int(s.state.paid[0]), int(s.state.announced)) == (17000, 3, 0)


@rule("7.12")
@pytest.mark.parametrize(
    ("covered", "may"), [(["Ren"], True), (["Hina"], False), (["Ren", "Hina"], False), (["Hina", "Ren"], True)]
)
def test_lovelinstars_at_asks_for_a_man_directly_beneath(covered, may):
    s = scene(attack=(covered, ["Maria"]), hands=(["Lovelinstar", "Hina"], ["Ren"]), table=HIGH)
    play(s, "ride Lovelinstar")
    assert asked(s) == (0, "revenge")
    assert (s.power(0), offered(s, "use")) == (7300, ["use the AT (9700)"] if may else [])


@rule("7.12")
@both_copiers
def test_it_takes_an_action_of_its_own_and_cannot_be_copied(copier):
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Lovelinstar", "Hina"], ["Ren"]), barrier=(copier, 1), table=HIGH)
    play(s, "ride Lovelinstar")
    events = play(s, "use the AT (9700)")
    assert kinds_of(events) == ["ats"]
    assert (asked(s), powers(s)) == ((0, "revenge"), (9700, 20000))
    assert offered(s, "use") == []


@rule("7.12")
def test_who_is_higher_after_the_ride_cannot_use_it():
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Lovelinstar", "Hina"], ["Ren"]))
    play(s, "ride Lovelinstar")
    assert (powers(s), asked(s)) == ((7300, 6000), (1, "revenge"))


@rule("7.12")
def test_the_man_she_covers_keeps_the_at_on_when_the_enemy_rides():
    s = scene(attack=(["Ren"], ["German Shark"]), hands=(["Lovelinstar", "Hina"], ["Ren", "Hina"]))
    play(s, "ride Lovelinstar", "use the AT (9700)", "ride Ren", "use the entry (8800)")
    assert powers(s) == (9700, 8800)


@rule("7.12")
def test_by_option_it_is_an_entry_used_with_the_ride():
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Lovelinstar", "Hina"], ["Ren"]), rules=ENTRY)
    play(s, "ride Lovelinstar")
    assert asked(s) == (0, "entry")
    assert legal_names(s) == ["use the entry (9700)", "do not use it"]
    play(s, "use the entry (9700)")
    assert powers(s) == (9700, 6000)
    s = scene(attack=(["Hina"], ["Maria"]), hands=(["Lovelinstar", "Hina"], ["Ren"]), rules=ENTRY)
    play(s, "ride Lovelinstar")
    assert (powers(s), asked(s)) == ((7300, 6000), (1, "revenge"))


@rule("7.12")
def test_by_option_no_action_of_its_own_is_left():
    s = scene(
        attack=(["Ren"], ["Maria"]), hands=(["Lovelinstar", "Hina"], ["Ren"]), table=patched("Maria", ENTRY, power=9800)
    )
    play(s, "ride Lovelinstar", "do not use it")
    assert legal_names(s) == ["end", "ride Hina"]


@rule("7.12")
@both_copiers
def test_by_option_it_can_be_copied(copier):
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Lovelinstar", "Hina"], ["Ren"]), barrier=(copier, 1), rules=ENTRY)
    play(s, "ride Lovelinstar", "use the entry (9700)")
    assert asked(s) == (1, "copy")
    assert "clashes" in kinds_of(play(s, "copy the entry (9700)"))


# --- 7. Abilities: barriers -----------------------------------------------------------------------------------


@rule("7.13")
@pytest.mark.parametrize("owner", [0, 1])
def test_a_new_barrier_sends_the_old_one_to_its_owners_discards(owner):
    s = scene(attack=(["Jack Maxim"], ["Maria"]), hands=(["Silver Rain", "Ren"], ["Ren"]), barrier=("Aquerio", owner))
    before = powers(s)
    events = play(s, "lay Silver Rain as the barrier")
    assert [(e["kind"], e["seat"], e["card"]) for e in events] == [
        ("barrier_leaves", owner, "aquerio"),
        ("lays_barrier", 0, "silver_rain"),
    ]
    assert s.barrier() == ("Silver Rain", 0)
    assert (s.discards(owner), s.discards(1 - owner)) == (["Aquerio"], [])
    assert powers(s) == ((2600, 6000))
    assert before == ((2600, 6000) if owner == 0 else (1600, 7000))


@rule("7.13")
def test_a_barrier_may_replace_a_copy_of_itself():
    s = scene(attack=(["Jack Maxim"], ["Maria"]), hands=(["Kizuki", "Ren"], ["Ren"]), barrier=("Kizuki", 1))
    play(s, "lay Kizuki as the barrier")
    assert (s.barrier(), s.discards(1)) == (("Kizuki", 0), ["Kizuki"])


@rule("7.13")
def test_to_replace_the_enemys_barrier_may_turn_the_round():
    s = scene(attack=(["Ren"], ["Zephyr"]), hands=(["Renjo", "Ren"], ["Ren"]), barrier=("Kizuki", 1))
    assert (powers(s), asked(s)) == ((4600, 5500), (0, "revenge"))
    play(s, "lay Renjo as the barrier")
    assert (powers(s), asked(s)) == ((4600, 3500), (1, "revenge"))


@rule("7.14")
@both_seats
def test_a_barrier_stays_through_rides_clean_up_and_rounds(seat):
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Hina"] * 6, ["Maria"] * 6), barrier=("Silver Rain", seat))
    play(s, "ride Hina")
    for number in (2, 3, 4):
        play(s, "end")
        assert (round_number(s), s.barrier()) == (number, ("Silver Rain", seat))
        play(s, "set Hina", "set Maria")
        assert s.power(seat) == (3800, 6000)[seat] + 1000


# --- 7. Abilities: copies -------------------------------------------------------------------------------------


@rule("7.15")
@both_copiers
@both_seats
def test_an_entry_that_was_used_on_a_ride_may_be_copied_at_once(copier, seat):
    attack, hands = by_seat(seat, ["Barrows"], ["Maria"]), by_seat(seat, ["Ren", "Hina"], ["Hina"])
    s = scene(attack=attack, hands=hands, barrier=(copier, 1 - seat))
    play(s, "ride Ren", "use the entry (8800)")
    assert asked(s) == (1 - seat, "copy")
    assert legal_names(s) == ["copy the entry (8800)", "do not copy it"]
    (event,) = play(s, "do not copy it")
    assert event == {"kind": "declines", "seat": 1 - seat, "card": "ren", "value": 1, "seen_by": [0, 1]}
    assert (s.power(seat), s.power(1 - seat), asked(s)) == (8800, 6000, (1 - seat, "revenge"))


@rule("7.15")
@both_copiers
@both_seats
def test_one_that_was_used_at_the_reveal_may_be_copied(copier, seat):
    s, _ = revealed(
        *by_seat(seat, "Jack Maxim", "Maria"),
        hands=(["Hina"], ["Hina"]),
        discards=(["Amon"], ["Ralph"]),
        barrier=(copier, 1 - seat),
    )
    took, copied = by_seat(seat, "Amon", "Ralph")
    play(s, f"take {took} from the discards")
    assert asked(s) == (1 - seat, "copy")
    assert legal_names(s) == ["do not copy it", f"take {copied} from the discards"]
    events = play(s, f"take {copied} from the discards")
    assert [(e["kind"], e["seat"], e["card"]) for e in events] == [
        ("copies", 1 - seat, "jack_maxim"),
        ("fetches", 1 - seat, card_id(copied)),
    ]
    assert copied in s.hand(1 - seat)
    assert asked(s) == (seat, "revenge")
    assert (int(s.state.copying), int(s.state.source)) == (0, NO_CARD)


@rule("7.15")
def test_one_that_was_not_used_cannot_be_copied():
    s = scene(attack=(["Barrows"], ["Maria"]), hands=(["Ren", "Hina"], ["Hina"]), barrier=("Renjo", 1))
    play(s, "ride Ren", "do not use it")
    assert asked(s) == (0, "revenge")
    s, _ = revealed("Jack Maxim", "Maria", hands=(["Ren"], []), discards=(["Amon"], ["Ralph"]), barrier=("Renjo", 1))
    play(s, "do not use it")
    assert asked(s) == (0, "revenge")


@rule("7.15")
def test_one_whose_condition_is_not_met_cannot_be_copied():
    s = scene(attack=(["Hina"], ["Maria"]), hands=(["Ren", "Hina"], ["Hina"]), barrier=("Renjo", 1))
    play(s, "ride Ren")
    assert asked(s) == (0, "revenge")


@rule("7.15")
def test_an_at_and_a_barrier_cannot_be_copied():
    s = scene(attack=(["Ralph"], ["Maria"]), hands=(["Ren"], ["Hina"]), barrier=("Renjo", 1))
    play(s, "use the AT (7900)")
    assert asked(s) == (1, "revenge")
    s = scene(attack=(["Hina"], ["Maria"]), hands=(["Iska", "Ren"], ["Hina"]), barrier=("Renjo", 1))
    play(s, pay(1, 8200), "discard Iska")
    assert asked(s) == (1, "revenge")
    s = scene(attack=(["Hina"], ["Maria"]), hands=(["David", "Ren"], ["Hina"]), barrier=("Renjo", 1))
    play(s, "lay David as the barrier")
    assert asked(s) == (0, "revenge")


@rule("7.15")
def test_ones_own_entries_and_other_barriers_copy_nothing():
    for barrier in (("Renjo", 0), ("Silver Rain", 1), ("Araki", 1), ("David", 1), None):
        s = scene(attack=(["Barrows"], ["Maria"]), hands=(["Ren", "Hina"], ["Hina"]), barrier=barrier)
        play(s, "ride Ren", "use the entry (8800)")
        assert asked(s) == (1, "revenge")


@rule("7.16")
@both_seats
def test_a_copied_fetch_takes_place_in_the_copiers_own_discards(seat):
    discards = by_seat(seat, ["Zephyr", "Leticia"], ["Calist", "Amon", "Lovelinstar"])
    s = scene(
        attack=by_seat(seat, ["Ren"], ["Maria"]),
        hands=by_seat(seat, ["Queen Algora"], ["Hina"]),
        discards=discards,
        barrier=("Himeko", 1 - seat),
    )
    play(s, "ride Queen Algora", "take Zephyr from the discards")
    assert legal_names(s) == ["do not copy it", "take Calist from the discards", "take Lovelinstar from the discards"]
    play(s, "take Calist from the discards")
    assert s.hand(1 - seat) == ["Calist", "Hina"]
    assert s.discards(1 - seat) == ["Amon", "Lovelinstar"]
    assert (s.hand(seat), s.discards(seat)) == (["Zephyr"], ["Leticia"])


@rule("7.16")
def test_he_may_copy_though_the_enemy_has_taken_nothing_and_he_may_decline():
    def used_for_nothing(discards):
        s, _ = revealed("Jack Maxim", "Maria", hands=(["Ren"], ["Hina"]), discards=discards, barrier=("Renjo", 1))
        play(s, "use the entry and take nothing")
        return s

    for mine in ([], ["Amon"]):
        s = used_for_nothing((mine, ["Ralph"]))
        assert legal_names(s) == ["do not copy it", "take Ralph from the discards"]
        play(s, "take Ralph from the discards")
        assert (s.hand(1), s.discards(0)) == (["Ralph", "Hina"], mine)
        s = used_for_nothing((mine, ["Ralph"]))
        play(s, "do not copy it")
        assert (s.hand(1), asked(s)) == (["Hina"], (0, "revenge"))


@rule("7.16")
def test_without_a_card_to_take_he_is_not_asked():
    s, _ = revealed("Jack Maxim", "Maria", hands=(["Ren"], ["Hina"]), discards=(["Amon"], []), barrier=("Renjo", 1))
    play(s, "take Amon from the discards")
    assert asked(s) == (0, "revenge")
    discards = (["Zephyr"], ["Amon", "Hina"])
    s, _ = revealed("Queen Algora", "Maria", hands=(["Ren"], ["Hina"]), discards=discards, barrier=("Renjo", 1))
    play(s, "take Zephyr from the discards")
    assert asked(s) == (0, "revenge")


@rule("7.16")
@pytest.mark.parametrize("rules", [None, BOTTOM])
def test_a_copied_hanks_puts_cards_of_the_copiers_hand_on_his_deck(rules):
    s, _ = revealed(
        "Elder Hanks",
        "Maria",
        hands=(["Ren"], ["Hina", "Amon", "Iska", "Ralph"]),
        decks=(["Zephyr"] * 3, ["Leticia"]),
        barrier=("Renjo", 1),
        rules=rules,
    )
    play(s, "put Ren back")
    assert asked(s) == (1, "copy")
    assert legal_names(s) == ["do not copy it", *(f"put {name} back" for name in ("Ralph", "Iska", "Hina", "Amon"))]
    events = play(s, "put Hina back", "put Ralph back")
    assert legal_names(s) == ["put no more back", "put Iska back", "put Amon back"]
    assert kinds_of(events) == ["copies", "puts_back", "puts_back"]
    assert [e["seen_by"] for e in events] == [[0, 1], [1], [1]]
    play(s, "put Amon back")
    returned = ["Hina", "Ralph", "Amon"]
    assert (s.hand(1), s.deck(1)) == (["Iska"], ["Leticia", *returned] if rules else [*returned, "Leticia"])
    # Hanks' player has no card any more and loses the round
    assert round_number(s) == 2


@rule("7.16")
def test_hanks_may_be_copied_after_he_was_stopped_and_the_copier_may_stop_too():
    s, _ = revealed("Elder Hanks", "Maria", hands=(["Ren", "Ren"], ["Hina", "Amon"]), barrier=("Renjo", 1))
    play(s, "put Ren back", "put no more back")
    assert asked(s) == (1, "copy")
    play(s, "put Hina back", "put no more back")
    assert (asked(s), s.hand(1)) == ((0, "revenge"), ["Amon"])


@rule("7.16")
def test_with_an_empty_hand_he_is_not_asked_to_copy_hanks():
    s, _ = revealed("Elder Hanks", "Maria", hands=(["Ren", "Hina"], []), barrier=("Renjo", 1))
    play(s, "put Ren back", "put no more back")
    assert asked(s) == (0, "revenge")


@rule("7.16")
def test_hanks_used_for_nothing_may_be_copied():
    s, _ = revealed("Elder Hanks", "Maria", hands=(["Ren"], ["Hina", "Amon"]), barrier=("Renjo", 1))
    play(s, "use the entry and return nothing", "put Amon back", "put Hina back")
    assert (s.deck(1)[:2], s.hand(1), asked(s)) == (["Amon", "Hina"], [], (0, "revenge"))


@rule("7.16")
def test_both_seats_may_return_cards_at_the_same_reveal():
    s, _ = revealed("Elder Hanks", "Elder Hanks", hands=(["Ren", "Ren"], ["Hina", "Amon"]), barrier=("Silver Rain", 1))
    play(s, "put Ren back", "put no more back", "put Hina back")
    assert asked(s) == (1, "put_back")
    play(s, "put no more back")
    assert (s.deck(0)[0], s.deck(1)[0], asked(s)) == ("Ren", "Hina", (0, "revenge"))


@rule("7.17")
@pytest.mark.parametrize(("name", "value", "fits", "fits_not"), RIDES)
@both_seats
def test_a_copied_entry_on_a_ride_gives_the_same_value_whatever_the_copier_covers(name, value, fits, fits_not, seat):
    table = patched("Himeko", barrier_power=1)  # so that the cards do not clash
    for stack in (["German Shark"], ["Hina", "German Shark"]):
        s = scene(
            attack=by_seat(seat, [fits], stack),
            hands=by_seat(seat, [name, "Hina", "Hina"], ["Ren"]),
            barrier=("Himeko", 1 - seat),
            table=table,
        )
        play(s, f"ride {name}", f"use the entry ({value})", f"copy the entry ({value})")
        assert (s.power(seat), s.power(1 - seat)) == (value, value + 1)


@rule("7.17")
@both_copiers
@pytest.mark.parametrize(("name", "value", "fits", "fits_not"), RIDES)
def test_the_powers_are_then_equal_and_the_cards_clash(copier, name, value, fits, fits_not):
    s = scene(attack=([fits], ["German Shark"]), hands=([name, "Hina"], ["Ren"]), barrier=(copier, 1))
    events = play(s, f"ride {name}", f"use the entry ({value})", f"copy the entry ({value})")
    assert kinds_of(events) == ["rides", "enters", "copies", "clashes", "cleans_up", "round_begins"]
    assert round_won(events) is None


@rule("7.17")
@pytest.mark.parametrize(("name", "value", "fits", "fits_not"), RIDES)
def test_by_option_the_copier_must_cover_the_kind_named_himself(name, value, fits, fits_not):
    for stack, may in (
        (["German Shark"], False),
        ([fits, "German Shark"], True),
        ([fits_not, "German Shark"], False),
        ([fits, fits_not, "German Shark"], False),
        ([fits_not, fits, "German Shark"], True),
    ):
        s = scene(attack=([fits], stack), hands=([name, "Hina"], ["Ren"]), barrier=("Renjo", 1), rules=TESTED)
        play(s, f"ride {name}", f"use the entry ({value})")
        assert (asked(s) == (1, "copy")) == may
        if may:
            assert "clashes" in kinds_of(play(s, f"copy the entry ({value})"))


@rule("7.17")
def test_the_option_does_not_touch_fetches_and_hanks():
    discards = (["Amon"], ["Ralph"])
    s, _ = revealed(
        "Jack Maxim", "Maria", hands=(["Ren"], ["Hina"]), discards=discards, barrier=("Renjo", 1), rules=TESTED
    )
    play(s, "take Amon from the discards")
    assert asked(s) == (1, "copy")


@rule("7.18")
@pytest.mark.parametrize("first", [0, 1])
def test_a_copy_is_not_a_use_and_nothing_copies_it(first):
    s, _ = revealed(
        *by_seat(first, "Jack Maxim", "Maria"),
        hands=(["Ren"], ["Hina"]),
        discards=(["Amon", "Iska"], ["Ralph", "Akira"]),
        barrier=("Renjo", 1 - first),
    )
    took, copied = by_seat(first, "Amon", "Ralph")
    events = play(s, f"take {took} from the discards", f"take {copied} from the discards")
    assert kinds_of(events) == ["enters", "fetches", "copies", "fetches"]
    assert asked(s) == (first, "revenge")
    assert s.barrier() == ("Renjo", 1 - first)


@rule("7.18")
def test_a_copied_hanks_is_not_copied_again():
    s, _ = revealed("Elder Hanks", "Maria", hands=(["Ren", "Iska"], ["Hina", "Amon"]), barrier=("Renjo", 1))
    play(s, "use the entry and return nothing", "put Amon back", "put no more back")
    assert asked(s) == (0, "revenge")


@rule("7.18")
def test_the_next_entry_may_be_copied_again():
    s = scene(
        attack=(["Ren"], ["Maria"]),
        hands=(["Jack Maxim", "Queen Algora"], ["Hina"]),
        discards=(["Amon"], ["Zephyr", "Amon"]),
        barrier=("Renjo", 1),
    )
    play(s, "ride Jack Maxim", "use the entry and take nothing", "take Amon from the discards")
    play(s, "ride Queen Algora", "use the entry and take nothing", "take Zephyr from the discards")
    assert s.hand(1) == ["Zephyr", "Hina", "Amon"]
