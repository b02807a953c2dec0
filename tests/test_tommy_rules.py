"""Sections 1 to 5, 8 and 10 of the rules of Tommy Walker TGC: places, the phases of a round, the end, the options."""

import itertools
import re
from collections import Counter
from importlib import resources

import numpy as np
import pytest
from tommy_scenes import GAME, card, legal_names, play, scene
from tommy_turns import (
    asked,
    by_seat,
    cards_of,
    copied,
    kinds_of,
    last_events,
    of_kind,
    on_plane,
    powers,
    random_plays,
    result,
    revealed,
    round_number,
    round_won,
    seen,
    sizes,
    view,
)

from duelbench.envs import dispatch
from duelbench.envs.errors import BadInput
from duelbench.envs.tommy_walker.cards import CARD, CARDS, NUM_CARDS
from duelbench.envs.tommy_walker.state import BY_CHOICE, BY_ITSELF, DECK_SIZE, DRAW, MAX_EVENTS, NUM_ACTIONS, SET_CARD

STRICT = {"permit_misplay": False}
LATE = {"deckout_check": "end_of_round"}


def rule(number):
    return pytest.mark.rule("tommy_walker", number)


both_seats = pytest.mark.parametrize("seat", [0, 1])


def ids(cards):
    return {facts.id for facts in cards}


# --- 1. Cards and places --------------------------------------------------------------------------------------


@rule("1.1")
def test_there_are_36_cards_with_a_power_one_to_four_stars_attributes_and_one_or_two_lines_of_text():
    assert len(set(CARDS)) == 36
    assert {facts.stars for facts in CARDS} == {1, 2, 3, 4}
    assert all(facts.power > 0 and facts.attributes for facts in CARDS)
    lines = Counter(text.count(": ") for text in GAME.card_texts if "AT: discard" not in text)
    assert set(lines) == {1, 2}


@rule("1.1")
def test_series_and_rarity_are_no_part_of_what_the_rules_read():
    assert not {"series", "rarity"} & set(CARD.names)


@rule("1.2")
def test_calist_alone_is_both_s_and_t():
    letters = {facts.name: facts.attributes & 28 for facts in CARDS}
    assert [name for name, bits in letters.items() if bits not in (4, 8, 16)] == ["Calist"]
    assert letters["Calist"] == 8 | 16
    assert {facts.attributes & 3 for facts in CARDS} == {1, 2}


@rule("1.2")
@pytest.mark.parametrize(("name", "meets"), [("Zephyr", True), ("Amon", True), ("Iska", False), ("Ralph", False)])
def test_calist_meets_the_conditions_for_s_and_for_t_and_no_other_letter_or_woman(name, meets):
    s = scene(attack=([name], ["Calist"]), hands=(["Maria"], ["Maria"]), barrier=("Silver Rain", 1))
    assert asked(s) == (0, "revenge")
    assert any(action.startswith("use the AT") for action in legal_names(s)) == meets


@rule("1.2")
def test_algora_takes_calist_as_an_s_and_demonoid_is_paid_with_him_as_a_t():
    s, _ = revealed("Queen Algora", "Maria", discards=(["Calist", "Ren"], []))
    assert legal_names(s) == ["do not use it", "take Calist from the discards"]
    s = scene(attack=(["Demonoid"], ["Maria"]), hands=(["Calist", "Renjo"], []))
    play(s, "pay 1 card for the AT (8500)")
    assert legal_names(s) == ["discard Calist"]


@rule("1.3")
def test_every_ability_has_one_of_four_timings_and_two_cards_are_ride_only_besides():
    weak = [facts for facts in CARDS if facts.ride_only]
    assert ids(weak) == {"german_shark", "lovelinstar"}
    for text in GAME.card_texts:
        timings = re.findall(r"\b(Entry|AT|Hand \(barrier\)|DMG|Weakness):", text)
        assert timings
        assert (timings[0] == "Weakness") == (timings == ["Weakness", "AT"])


@rule("1.3")
@pytest.mark.parametrize("name", ["German Shark", "Lovelinstar"])
def test_a_weakness_is_never_used(name):
    s = scene(attack=(["Ren"], ["Maria"]), hands=([name, "Jack Maxim"] * 2, ["Renjo"]), barrier=("renjo", 1))
    events = play(s, f"ride {name}")
    assert kinds_of(events) == ["rides"]  # nothing to use, nothing to copy
    assert asked(s) == (1, "revenge")


BARRIERS = ["Silver Rain", "Renjo", "Aquerio", "Kadasphia", "Araki", "Kizuki", "David", "Himeko"]


@rule("1.4")
def test_eight_cards_have_a_hand_ability_and_all_of_them_are_barriers():
    for facts in CARDS:
        s = scene(attack=(["Jack Maxim"], ["Maria"]), hands=([facts.id], []))
        lay = f"lay {facts.name} as the barrier"
        assert (lay in legal_names(s)) == (facts.name in BARRIERS)
        if facts.name in BARRIERS:
            assert of_kind(play(s, lay), "lays_barrier")[0]["card"] == facts.id
            assert s.barrier() == (facts.name, 0)


def all_cards_of(s, seat):
    """Copies of each card of a seat, wherever they are."""
    state = s.state
    counts = state.hand[seat].astype(int) + state.discard[seat]
    for pile in (state.deck[seat, : state.deck_size[seat]], state.stack[seat, : state.stack_size[seat]]):
        counts += np.bincount(pile, minlength=NUM_CARDS)
    if state.barrier_seat == seat:
        counts[state.barrier] += 1
    return counts


@rule("1.5")
@pytest.mark.parametrize("rules", [None, LATE | {"hanks_returns_to": "bottom"}])
def test_a_card_is_always_in_exactly_one_place_and_its_owners(rules):
    ends = 0
    for s in random_plays(15, rules):
        for seat in range(2):
            cards = all_cards_of(s, seat)
            assert cards.sum() == DECK_SIZE
            assert (cards == s.state.lists[seat]).all()
            assert s.state.hand_size[seat] == s.state.hand[seat].sum()
        ends += int(s.state.over)
        assert s.state.n_events < MAX_EVENTS
    assert ends == 15


@rule("1.6")
def test_the_top_card_of_a_stack_is_the_attack_card_and_the_covered_ones_are_no_discards():
    s = scene(attack=(["Maria", "Ren", "Jack Maxim"], ["Akira"]), hands=(["Molat Hero"], ["Ren"]))
    assert powers(s) == (1600, 4400)
    assert s.discards(0) == []
    mine = view(s, 0)
    assert on_plane(mine.covered[0]) == ["Maria", "Ren"]
    assert mine.attack[0, card("jack_maxim")] == mine.attack[0].sum() == 1


@rule("1.7")
@both_seats
def test_both_see_deck_lists_discards_the_table_and_the_sizes(seat):
    s = scene(
        attack=(["Maria", "Ren"], ["Akira"]),
        hands=(["Molat Hero", "Amina"], ["Leticia"]),
        decks=(["Ralph", "Hina"], ["Ralph"] * 3),
        discards=(["Amon"], ["Hanks", "Zephyr"]),
        barrier=("Kizuki", 1),
    )
    mine = view(s, seat)
    assert [on_plane(mine.discard[seat]), on_plane(mine.discard[1 - seat])] == [["Amon"], ["Zephyr", "Elder Hanks"]]
    assert mine.attack[seat, card("ren")] == mine.attack[1 - seat, card("akira")] == 1
    assert on_plane(mine.covered[seat]) == ["Maria"]
    assert mine.barrier[card("kizuki")] == 1
    assert mine.barrier_by.tolist() == [(0, 1)[seat], (1, 0)[seat]]
    hands = [sorted(["Molat Hero", "Amina", "Ralph", "Hina"]), sorted(["Leticia", "Ralph", "Ralph", "Ralph"])]
    own = on_plane(mine.hand) + on_plane(mine.deck_cards)
    assert [sorted(own), sorted(on_plane(mine.unseen))] == [hands[seat], hands[1 - seat]]
    assert (mine.deck_size * 16).tolist() == [(2, 3)[seat], (3, 2)[seat]]
    assert (mine.hand_size * 16).tolist() == [(2, 1)[seat], (1, 2)[seat]]


@rule("1.8")
@both_seats
def test_a_hand_is_seen_by_its_holder_alone_and_the_order_of_a_deck_by_nobody(seat):
    def lay(hand, deck):
        hands, decks = by_seat(seat, hand, ["Ren"]), by_seat(seat, deck, ["Hina", "Amon"])
        return scene(attack=(["Maria"], ["Akira"]), hands=hands, decks=decks)

    first, other_hand = lay(["Amina"], ["Leticia", "Zephyr"]), lay(["Zephyr"], ["Amina", "Leticia"])
    assert seen(first, 1 - seat) == seen(other_hand, 1 - seat)
    assert seen(first, seat) != seen(other_hand, seat)
    other_order = lay(["Amina"], ["Zephyr", "Leticia"])
    assert [seen(first, of) for of in range(2)] == [seen(other_order, of) for of in range(2)]


@rule("1.8")
def test_a_card_that_was_set_is_seen_by_its_owner_alone_until_it_is_turned_up():
    views = []
    for choice in ("Ren", "Zephyr"):
        s = scene(hands=(["Ren", "Zephyr"], ["Maria"]))
        (event,) = play(s, f"set {choice}")
        assert event == {"kind": "sets", "seat": 0, "card": choice.lower(), "value": 0, "seen_by": [0], "secret": True}
        assert view(s, 0).chosen[card(choice)] == 1
        views.append(seen(s, 1))
        assert {"kind": "reveals", "seat": 0, "card": choice.lower(), "value": 0, "seen_by": [0, 1]} in play(
            s, "set Maria"
        )
    assert views[0] == views[1]


# --- 2. Decks and set-up --------------------------------------------------------------------------------------


@rule("2.1")
def test_a_deck_has_exactly_16_cards_of_any_kind_and_number():
    for facts in CARDS:
        state = GAME.dealt(GAME.table(decks={facts.id: 16}), 1)
        assert state.lists[:, card(facts.id)].tolist() == [16, 16]
    GAME.table(decks={facts.id: 1 for facts in CARDS[:16]})
    for count in (15, 17):
        with pytest.raises(BadInput, match="exactly 16"):
            GAME.table(decks={"ren": count})


@rule("2.1")
def test_each_player_has_his_own_deck():
    pools = {"player_0": [{"ren": 16}], "player_1": [{"hina": 16}, {"amon": 10, "iska": 6}, {"maria": 16}]}
    dealt = [GAME.dealt(GAME.table(decks=pools), seed).lists for seed in range(40)]
    assert {tuple(np.flatnonzero(lists[0])) for lists in dealt} == {(card("ren"),)}
    assert {tuple(np.flatnonzero(lists[1])) for lists in dealt} == {
        (card("hina"),),
        (card("iska"), card("amon")),
        (card("maria"),),
    }
    random = {"player_0": {"random": ["ren", "amon"]}, "player_1": {"random": ["hina"]}}
    lists = GAME.dealt(GAME.table(decks=random), 1).lists
    assert [lists[0, card("ren")] + lists[0, card("amon")], lists[1, card("hina")]] == [16, 16]


SIXTEEN = {facts.id: 1 for facts in CARDS[:DECK_SIZE]}


@rule("2.2")
def test_every_order_of_both_decks_is_equally_likely():
    table, deals = GAME.table(decks=SIXTEEN), 800
    lies = np.zeros((2, DECK_SIZE, DECK_SIZE), int)
    equal = 0
    for seed in range(deals):
        deck = GAME.dealt(table, seed).deck
        for seat in range(2):
            assert sorted(deck[seat]) == list(range(DECK_SIZE))
            lies[seat, np.arange(DECK_SIZE), deck[seat]] += 1
        equal += int((deck[0] == deck[1]).sum())
    assert lies.min() > 15  # 50 expected, with a standard deviation of 7
    assert lies.max() < 90
    assert 600 < equal < 1000  # nor does one deck depend on the other


@rule("2.3")
def test_nobody_begins_with_a_hand_and_table_and_discards_are_empty():
    for seed in range(20):
        state = GAME.dealt(GAME.table(), seed)
        s = scene(table=GAME.table())._replace(state=state)
        assert sizes(s) == (16, 16, 0, 0)
        assert [s.stack(0), s.stack(1), s.discards(0), s.discards(1), s.barrier()] == [[], [], [], [], None]
        assert (round_number(s), asked(s)) == (1, (0, "draw_or_set"))
        assert legal_names(s) == ["draw a card"]


@rule("2.3")
def test_nothing_of_an_earlier_game_is_left():
    table = GAME.table()
    for s in random_plays(3):
        if s.state.over:
            used = s.state.copy()
            dispatch.deal(table, used, np.uint64(5))
            fresh = GAME.dealt(table, 5)
            for field in fresh.dtype.names:
                if field != "events":  # those beyond n_events mean nothing
                    assert np.array_equal(used[field], fresh[field]), field


@rule("2.4")
def test_there_is_no_first_player_seat_0_is_asked_first_in_every_round():
    s, _ = revealed("Ren", "Ren", hands=(["Ren"], ["Ren"]))
    assert (round_number(s), asked(s)) == (2, (0, "draw_or_set"))
    play(s, "set Ren", "set Ren")
    assert (round_number(s), asked(s)) == (3, (0, "draw_or_set"))


@rule("2.4")
@both_seats
def test_who_is_to_act_does_not_depend_on_the_seat(seat):
    first, second = by_seat(seat, "Ralph", "Maria")
    s, _ = revealed(first, second, hands=(["Ren"], ["Ren"]))
    assert asked(s) == (seat, "revenge")
    assert round_won(play(s, "end")) == (1 - seat, 1)


@rule("2.4")
@pytest.mark.parametrize("copier", [0, 1])
def test_a_copy_comes_before_or_after_the_copiers_own_entry_by_his_seat(copier):
    barrier = ("Renjo", copier)
    s, events = revealed(
        "Jack Maxim", "Queen Algora", discards=(["Leticia", "Amon"], ["Zephyr", "Hina"]), barrier=barrier
    )
    if copier == 1:
        events += play(s, "take Amon from the discards", "take Hina from the discards")  # Jack, and its copy
        events += play(s, "take Zephyr from the discards")
        order = ["enters", "copies", "enters"]
    else:
        events += play(s, "take Amon from the discards", "take Zephyr from the discards")
        events += play(s, "take Leticia from the discards")
        order = ["enters", "enters", "copies"]
    assert kinds_of(of_kind(events, "enters", "copies")) == order


# --- 3. Draw phase --------------------------------------------------------------------------------------------


@rule("3.1")
@both_seats
def test_a_player_draws_the_top_card_which_he_sees(seat):
    s = scene(hands=(["Ren"], ["Ren"]), decks=(["Amon", "Hina", "Iska"],) * 2)
    if seat == 1:
        play(s, "set Ren")
    (event,) = play(s, "draw a card")
    assert event == {"kind": "draws", "seat": seat, "card": "amon", "value": 0, "seen_by": [seat], "secret": True}
    assert (s.hand(seat), s.deck(seat)) == (["Ren", "Amon"], ["Hina", "Iska"])
    assert asked(s) == (seat, "draw_or_set")
    play(s, "draw a card")
    assert s.deck(seat) == ["Iska"]


@rule("3.1")
def test_to_set_a_card_ends_ones_drawing():
    s = scene(hands=(["Ren"], ["Hina"]))
    play(s, "draw a card", "set Ren")
    assert asked(s) == (1, "draw_or_set")
    play(s, "draw a card", "set Hina")
    assert asked(s) == (1, "revenge")
    assert sizes(s) == (9, 9, 1, 1)


@rule("3.1")
def test_each_card_but_the_ride_only_ones_may_be_set_as_the_only_one_in_hand():
    for facts in CARDS:
        s = scene(hands=([facts.id], ["Iska"]))
        assert legal_names(s) == ["draw a card"] + ([] if facts.ride_only else [f"set {facts.name}"])
        if not facts.ride_only:
            assert cards_of(play(s, f"set {facts.name}", "set Iska"), "reveals") == [facts.id, "iska"]


@rule("3.2")
def test_one_may_draw_as_long_as_there_is_a_card_or_not_at_all():
    s = scene(hands=(["Ren"], ["Ren"]), decks=(["Amon", "Hina", "Iska"], ["Maria"]))
    for _ in range(3):
        assert legal_names(s)[0] == "draw a card"
        play(s, "draw a card")
    assert legal_names(s) == ["set Iska", "set Hina", "set Ren", "set Amon"]
    play(s, "set Iska")
    assert legal_names(s) == ["draw a card", "set Ren"]
    play(s, "set Ren")
    assert sizes(s)[1] == 1


@rule("3.3")
@pytest.mark.parametrize("rules", [None, STRICT])
@pytest.mark.parametrize("hand", [[], ["German Shark"], ["German Shark", "Lovelinstar", "Lovelinstar"]])
def test_who_holds_no_card_but_ride_only_ones_must_draw(hand, rules):
    s = scene(hands=(hand, ["Ren"]), decks=(["Lovelinstar", "Maria"], None), rules=rules)
    assert legal_names(s) == ["draw a card"]
    play(s, "draw a card")
    assert legal_names(s) == ["draw a card"]
    play(s, "draw a card")
    assert "set Maria" in legal_names(s)


@rule("3.4")
def test_who_holds_another_card_may_set_a_ride_only_one():
    s = scene(hands=(["German Shark", "Maria", "Lovelinstar"], ["Ren"]))
    assert legal_names(s) == ["draw a card", "set Maria", "set German Shark", "set Lovelinstar"]
    events = play(s, "set Lovelinstar", "set Ren")
    assert cards_of(events, "misplays") == ["lovelinstar"]


@rule("3.4")
def test_by_option_a_ride_only_card_is_never_set():
    s = scene(hands=(["German Shark", "Maria", "Lovelinstar"], ["Ren"]), rules=STRICT)
    assert legal_names(s) == ["draw a card", "set Maria"]
    play(s, "set Maria")
    assert legal_names(s) == ["draw a card", "set Ren"]


def told(s):
    return s.state.told.tolist()


@rule("3.5")
def test_until_both_are_done_nobody_learns_what_the_other_does_in_his_draw_phase():
    s = scene(hands=(["Ren", "Amon"], ["Hina", "Maria"]), decks=(["Iska", "Ren"], ["Ralph", "Akira"]))
    before = seen(s, 1)
    for action in ("draw a card", "draw a card"):
        play(s, action)
        assert told(s) == [-1, -1]
        assert seen(s, 1) == before
    views = set()
    for choice in (["set Iska"], ["set Ren"]):
        play(one := copied(s), *choice)
        assert told(one) == [-1, -1]
        views.add(seen(one, 1))
    assert len(views) == 1
    not_drawn = scene(hands=(["Ren", "Amon"], ["Hina", "Maria"]), decks=(["Iska", "Ren"], ["Ralph", "Akira"]))
    play(not_drawn, "set Amon")
    assert seen(not_drawn, 1) in views


@rule("3.5")
def test_the_first_player_learns_nothing_of_the_others_draws_before_both_are_done():
    s = scene(hands=(["Ren", "Amon"], ["Hina", "Maria"]), decks=(None, ["Ralph", "Akira", "Amina"]))
    play(s, "set Ren")
    before = seen(s, 0)
    for _ in range(2):
        play(s, "draw a card")
        assert seen(s, 0) == before
        assert told(s) == [-1, -1]
    assert (view(s, 0).deck_size * 16).tolist() == [10, 3]


@rule("3.5")
def test_when_both_are_done_the_sizes_and_the_numbers_of_draws_are_shown():
    s = scene(hands=(["Ren", "Amon"], ["Hina", "Maria"]))
    events = play(s, "draw a card", "draw a card", "set Ren", "draw a card", "set Hina")
    assert [e for e in events if e["kind"] == "drew"] == [
        {"kind": "drew", "seat": 0, "value": 2, "seen_by": [0, 1]},
        {"kind": "drew", "seat": 1, "value": 1, "seen_by": [0, 1]},
    ]
    for seat in range(2):
        mine = view(s, seat)
        assert (mine.deck_size * 16).tolist() == [(8, 9)[seat], (9, 8)[seat]]
        assert (mine.hand_size * 16).tolist() == [(3, 2)[seat], (2, 3)[seat]]
        assert (mine.drawn * 16).tolist() == [(2, 1)[seat], (1, 2)[seat]]
    assert told(s) == [SET_CARD + card("Hina") + NUM_ACTIONS, SET_CARD + card("Ren") + 2 * NUM_ACTIONS]


@rule("3.5")
def test_what_a_seat_is_told_tells_all_ways_of_the_other_apart():
    codes = set()
    for drawn, choice in itertools.product(range(4), ("Ren", "Amon", "Molat Hero")):
        s = scene(hands=(["Ren", "Amon", "Molat Hero"], ["Hina"]))
        play(s, *["draw a card"] * drawn, f"set {choice}", "set Hina")
        codes.add(told(s)[1])
    assert len(codes) == 12
    assert min(codes) >= 0


WEAK_DECK = ["German Shark", "Lovelinstar"]


@rule("3.6")
@both_seats
def test_who_must_draw_from_an_empty_deck_is_stuck_and_loses_when_the_other_is_done(seat):
    s = scene(hands=by_seat(seat, [], ["Ren"]), decks=by_seat(seat, WEAK_DECK, ["Maria", "Hina"]))
    if seat == 1:
        play(s, "draw a card", "set Maria")
    assert legal_names(s) == ["draw a card"]
    events = play(s, "draw a card", "draw a card")
    if seat == 0:
        assert of_kind(events, "stuck") == [{"kind": "stuck", "seat": 0, "value": 0, "seen_by": [0], "secret": True}]
        assert asked(s) == (1, "draw_or_set")
        assert not s.state.over
        events += play(s, "draw a card", "set Maria")
    assert result(s) == (1 - seat, "no card to set")
    assert "reveals" not in kinds_of(events)
    assert sizes(s)[1 - seat] == 1


@rule("3.6")
@pytest.mark.parametrize("rules", [None, LATE, STRICT])
def test_a_stuck_player_loses_under_every_option(rules):
    s = scene(hands=([], ["Ren"]), decks=(WEAK_DECK, None), rules=rules)
    play(s, "draw a card", "draw a card", "set Ren")
    assert result(s) == (1, "no card to set")


@rule("3.6")
def test_the_other_does_not_notice_that_a_player_is_stuck():
    s = scene(hands=([], ["Ren"]), decks=(WEAK_DECK, None))
    before = seen(s, 1)
    play(s, "draw a card", "draw a card")
    assert asked(s) == (1, "draw_or_set")
    other = scene(hands=([], ["Ren"]), decks=(["Ren", *WEAK_DECK], None))
    play(other, "draw a card", "set Ren")
    assert view(s, 1).my_decision == view(other, 1).my_decision == 1
    assert view(s, 1).deck_size.tolist() == [10 / 16, 2 / 16]
    assert before != seen(s, 1)  # it is his turn now
    assert told(s) == [-1, -1]


@rule("3.7")
@both_seats
def test_who_has_drawn_his_last_card_has_lost_when_both_are_done(seat):
    s = scene(hands=(["Ren"], ["Maria"]), decks=by_seat(seat, ["Hina"], None))
    play(s, *(["draw a card", "set Ren"] if seat == 0 else ["set Ren", "draw a card"]))
    assert not s.state.over
    events = play(s, "set Maria")
    assert result(s) == (1 - seat, "deck out")
    assert "reveals" not in kinds_of(events)
    assert sizes(s)[2 + seat] == 2


@rule("3.7")
@both_seats
def test_it_is_told_whose_deck_is_empty(seat):
    s = scene(hands=(["Ren"], ["Maria"]), decks=by_seat(seat, ["Hina"], None))
    draws = ["draw a card", "set Hina"]
    events = play(s, *by_seat(seat, draws, ["set Ren"])[0], *by_seat(seat, draws, ["set Maria"])[1])
    assert of_kind(events, "deck_out", "game_over") == [
        {"kind": "deck_out", "seat": seat, "value": 0, "seen_by": [0, 1]},
        {"kind": "game_over", "seat": 1 - seat, "value": 1, "seen_by": [0, 1]},
    ]


@rule("3.7")
def test_one_card_left_in_the_deck_is_enough():
    s = scene(hands=(["Ren"], ["Maria"]), decks=(["Hina", "Hina"], ["Hina"]))
    play(s, "draw a card", "set Ren", "set Maria")
    assert asked(s) == (0, "revenge")


@rule("3.7")
@both_seats
def test_by_option_an_empty_deck_is_played_on_with_until_the_end_of_the_round(seat):
    hands, decks = by_seat(seat, ["Leticia"], ["Maria"]), by_seat(seat, ["Hina"], None)
    s = scene(hands=hands, decks=decks, rules=LATE)
    draws = ["draw a card", "set Leticia"]
    events = play(s, *by_seat(seat, draws, ["set Maria"])[0], *by_seat(seat, draws, ["set Maria"])[1])
    assert "reveals" in kinds_of(events)
    assert asked(s) == (seat, "revenge")
    events = play(s, "end")
    assert round_won(events) == (1 - seat, 1)
    assert "loses_card" not in kinds_of(events)
    assert "cleans_up" in kinds_of(events)
    assert result(s) == (1 - seat, "deck out")


@rule("3.7")
def test_by_option_hanks_can_save_an_empty_deck():
    s = scene(hands=(["Elder Hanks"], ["Ren"]), decks=(["Maria"], None), rules=LATE)
    play(s, "draw a card", "set Elder Hanks", "set Ren", "put Maria back")
    assert result(s) == (1, "deck out")  # lost again by the damage
    s = scene(hands=(["Elder Hanks", "Hina", "Amon"], ["Jack Maxim"]), decks=(["Maria"], None), rules=LATE)
    play(s, "draw a card", "set Elder Hanks", "set Jack Maxim", "put Maria back", "put no more back")
    assert (round_number(s), s.deck(0)) == (2, ["Maria"])


@rule("3.8")
@pytest.mark.parametrize("rules", [None, LATE])
def test_two_empty_decks_draw_the_game(rules):
    s = scene(hands=(["Ren"], ["Ren"]), decks=(["Hina"], ["Hina"]), rules=rules)
    events = play(s, "draw a card", "set Ren", "draw a card", "set Ren")
    assert result(s) == (-1, "deck out")
    assert ("reveals" in kinds_of(events)) == (rules is LATE)


@rule("3.8")
@pytest.mark.parametrize("rules", [None, LATE])
@both_seats
def test_a_stuck_player_and_an_empty_deck_draw_the_game(seat, rules):
    s = scene(hands=by_seat(seat, [], ["Ren"]), decks=by_seat(seat, WEAK_DECK, ["Hina"]), rules=rules)
    stuck, other = ["draw a card", "draw a card"], ["draw a card", "set Hina"]
    play(s, *by_seat(seat, stuck, other)[0])
    play(s, *by_seat(seat, stuck, other)[1])
    assert result(s) == (-1, "deck out")


@rule("3.8")
@pytest.mark.parametrize("rules", [None, LATE])
def test_two_stuck_players_draw_the_game(rules):
    s = scene(decks=(WEAK_DECK, WEAK_DECK), rules=rules)
    play(s, *["draw a card"] * 4)
    assert result(s) == (-1, "deck out")


# --- 4. Reveal ------------------------------------------------------------------------------------------------


@rule("4.1")
def test_both_cards_are_turned_up_together_and_are_the_whole_stacks():
    s, events = revealed("Ren", "Hina", hands=(["Amon"], ["Maria"]))
    turned = of_kind(events, "reveals")
    assert [(e["seat"], e["card"], e["seen_by"]) for e in turned] == [(0, "ren", [0, 1]), (1, "hina", [0, 1])]
    assert kinds_of(events) == ["sets", "sets", "drew", "drew", "reveals", "reveals"]
    assert [s.stack(0), s.stack(1), s.hand(0), s.hand(1)] == [["Ren"], ["Hina"], ["Amon"], ["Maria"]]


@rule("4.1")
def test_one_of_two_copies_stays_in_the_hand():
    s, _ = revealed("Ren", "Maria", hands=(["Ren"], []))
    assert (s.stack(0), s.hand(0)) == (["Ren"], ["Ren"])
    assert s.state.chosen.tolist() == [NUM_CARDS, NUM_CARDS]


@rule("4.2")
@both_seats
def test_a_misplay_gives_the_round_to_the_other(seat):
    cards = by_seat(seat, "German Shark", "Jack Maxim")
    s, events = revealed(*cards, hands=(["Ren"], ["Ren"]), discards=(["Amon"], ["Amon"]))
    assert cards_of(events, "misplays") == ["german_shark"]
    assert round_won(events) == (1 - seat, 4)
    assert not of_kind(events, "enters", "declines", "clashes", "ends")
    assert sizes(s)[:2] == by_seat(seat, 6, 10)
    assert (round_number(s), asked(s)) == (2, (0, "draw_or_set"))


@rule("4.2")
def test_no_clash_test_after_a_misplay():
    table = GAME.table()
    table.cards[card("Ren")].power = 8100
    _, events = revealed("German Shark", "Ren", hands=(["Maria"], []), table=table)
    assert round_won(events) == (1, 2)


@rule("4.3")
def test_two_misplays_leave_the_round_without_a_winner():
    s, events = revealed("German Shark", "Lovelinstar", hands=(["Ren"], ["Hina"]))
    assert cards_of(events, "misplays") == ["german_shark", "lovelinstar"]
    assert round_won(events) is None
    assert "clashes" not in kinds_of(events)
    assert sizes(s) == (10, 10, 1, 1)
    assert [s.discards(0), s.discards(1)] == [["German Shark"], ["Lovelinstar"]]
    assert round_number(s) == 2


@rule("4.4")
def test_entries_are_used_first_by_seat_0_then_by_seat_1():
    s, _ = revealed("Jack Maxim", "Queen Algora", hands=([], ["Ren"]), discards=(["Amon"], ["Leticia"]))
    assert asked(s) == (0, "entry")
    assert legal_names(s) == ["do not use it", "take Amon from the discards"]
    play(s, "take Amon from the discards")
    assert asked(s) == (1, "entry")
    assert legal_names(s) == ["do not use it", "take Leticia from the discards"]
    play(s, "take Leticia from the discards")
    assert (s.hand(0), s.hand(1)) == (["Amon"], ["Ren", "Leticia"])
    assert asked(s) == (0, "revenge")


@rule("4.4")
def test_each_may_leave_his_entry_unused():
    s, _ = revealed("Jack Maxim", "Elder Hanks", hands=(["Ren"], ["Ren"]), discards=(["Amon"], []))
    events = play(s, "do not use it", "do not use it")
    assert [(e["kind"], e["seat"], e["card"]) for e in events] == [
        ("declines", 0, "jack_maxim"),
        ("declines", 1, "hanks"),
    ]
    assert (s.hand(0), s.hand(1), s.discards(0)) == (["Ren"], ["Ren"], ["Amon"])


RIDE_ENTRIES = [facts.name for facts in CARDS if facts.entry_on]


@rule("4.5")
@pytest.mark.parametrize("name", RIDE_ENTRIES)
def test_an_entry_on_a_ride_cannot_be_used_at_the_reveal_and_gives_nothing_to_copy(name):
    s, events = revealed(name, "Jack Maxim", hands=(["Ren"], ["Hina"]), barrier=("Himeko", 1))
    assert not of_kind(events, "enters", "copies", "declines")
    assert asked(s) == (1, "revenge")
    assert s.power(0) == CARDS[card(name)].power


@rule("4.6")
def test_equal_powers_clash_nobody_wins_and_the_clean_up_follows():
    s, events = revealed("Hina", "Araki", hands=(["Ren"], ["Maria"]))
    assert kinds_of(events)[-3:] == ["clashes", "cleans_up", "round_begins"]
    assert round_won(events) is None
    assert sizes(s) == (10, 10, 1, 1)
    assert [s.discards(0), s.discards(1)] == [["Hina"], ["Araki"]]


@rule("4.6")
def test_a_clash_at_the_reveal_skips_calist():
    s, events = revealed("Calist", "Calist", hands=(["Ren"], ["Maria"]))
    assert "clashes" in kinds_of(events)
    assert (round_number(s), asked(s)) == (2, (0, "draw_or_set"))
    assert [s.discards(0), s.discards(1)] == [["Calist"], ["Calist"]]


@rule("4.6")
def test_the_powers_are_compared_after_the_entries():
    s, events = revealed("Elder Hanks", "Elder Hanks", hands=(["Ren"], ["Maria"]))
    assert "clashes" not in kinds_of(events)
    events = play(s, "put Ren back", "do not use it")
    assert "clashes" in kinds_of(events)
    assert sizes(s) == (11, 10, 0, 1)


@rule("4.6")
def test_otherwise_the_attack_phase_begins():
    s, events = revealed("Hina", "Maria", hands=(["Ren"], ["Maria"]))
    assert "clashes" not in kinds_of(events)
    assert asked(s) == (0, "revenge")


# --- 5. Attack phase ------------------------------------------------------------------------------------------


@rule("5.1")
@both_seats
def test_the_lower_side_acts_again_and_again_while_it_is_lower(seat):
    attack = by_seat(seat, ["Jack Maxim"], ["Maria"])
    s = scene(attack=attack, hands=by_seat(seat, ["Ralph", "Renjo", "Ren", "Leticia"], ["Hina"]))
    for action in ("ride Ralph", "lay Renjo as the barrier", "ride Ren"):
        assert asked(s) == (seat, "revenge")
        play(s, action)
    assert asked(s) == (seat, "revenge")
    assert s.stack(seat) == ["Jack Maxim", "Ralph", "Ren"]


@rule("5.2")
def test_as_soon_as_it_is_strictly_higher_the_other_side_is_to_act():
    s = scene(attack=(["Ralph"], ["Maria"]), hands=(["Amon", "Ren"], ["Iska", "Leticia", "Molat Hero"]))
    play(s, "use the AT (7900)")
    assert (powers(s), asked(s)) == ((7900, 6000), (1, "revenge"))
    play(s, "ride Iska")
    assert (powers(s), asked(s)) == ((7900, 3900), (1, "revenge"))  # a woman still
    play(s, "ride Molat Hero")
    assert (powers(s), asked(s)) == ((2800, 4300), (0, "revenge"))
    play(s, "ride Ren")
    assert (powers(s), asked(s)) == ((4600, 4300), (1, "revenge"))


@rule("5.3")
def test_equal_powers_after_an_action_clash():
    s = scene(attack=(["Jack Maxim"], ["Araki"]), hands=(["Ren", "Hina"], ["Maria"]))
    events = play(s, "ride Hina")
    assert kinds_of(events) == ["rides", "clashes", "cleans_up", "round_begins"]
    assert sizes(s) == (10, 10, 1, 1)
    assert s.discards(0) == ["Jack Maxim", "Hina"]


@rule("5.3")
def test_an_at_and_a_barrier_may_lead_to_a_clash():
    table = GAME.table()
    table.cards[card("Maria")].power = 5700
    s = scene(attack=(["Akira"], ["Ren", "Maria"]), hands=([], ["Hina"]), table=table)
    assert round_number(s) == 2  # Maria is no P: nothing to do
    table.cards[card("Iska")].power = 5700
    s = scene(attack=(["Akira"], ["Iska"]), hands=(["Ren"], ["Hina"]), table=table)
    assert "clashes" in kinds_of(play(s, "use the AT (5700)"))
    table.cards[card("Maria")].power = 5600
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Aquerio"], ["Hina"]), table=table)
    assert "clashes" in kinds_of(play(s, "lay Aquerio as the barrier"))


@rule("5.3")
def test_it_is_looked_at_only_when_a_ride_and_its_entry_are_over():
    s = scene(attack=(["Barrows"], ["Ren"]), hands=(["Ren"], ["Maria"]))
    events = play(s, "ride Ren")  # 4600 against 4600 for the moment
    assert "clashes" not in kinds_of(events)
    assert asked(s) == (0, "entry")
    play(s, "use the entry (8800)")
    assert (powers(s), asked(s)) == ((8800, 4600), (1, "revenge"))
    s = scene(attack=(["Barrows"], ["Ren"]), hands=(["Ren"], ["Maria"]))
    assert "clashes" in kinds_of(play(s, "ride Ren", "do not use it"))


@rule("5.3")
def test_it_is_looked_at_only_when_the_copy_is_over():
    # 8800 against 8800 already before the copy, and after it too; the copier draws no profit from asking first
    s = scene(attack=(["Barrows"], ["Maria"]), hands=(["Ren"], ["Hina"]), barrier=("Renjo", 1))
    events = play(s, "ride Ren", "use the entry (8800)")
    assert asked(s) == (1, "copy")
    assert "clashes" not in kinds_of(events)
    assert "clashes" in kinds_of(play(s, "copy the entry (8800)"))
    table = GAME.table()
    table.cards[card("Maria")].power = 8800
    s = scene(attack=(["Barrows"], ["Maria"]), hands=(["Ren"], ["Hina"]), barrier=("Renjo", 1), table=table)
    play(s, "ride Ren", "use the entry (8800)")
    assert asked(s) == (1, "copy")
    assert "clashes" in kinds_of(play(s, "do not copy it"))


@rule("5.3")
def test_it_is_looked_at_only_when_everything_is_paid_for_an_at():
    table = GAME.table()
    table.cards[card("Maria")].power = 8100
    s = scene(attack=(["Amina"], ["Maria"]), hands=(["Ren", "Barrows"], ["Hina"]), table=table)
    events = play(s, "pay 2 cards for the AT (12000)", "discard Ren")
    assert (asked(s), powers(s)) == ((0, "pay"), (4200, 8100))
    events += play(s, "discard Barrows")
    assert "clashes" not in kinds_of(events)
    assert powers(s) == (12000, 8100)


@rule("5.4")
@pytest.mark.parametrize("acted", [False, True])
@both_seats
def test_the_side_to_act_may_end_at_any_time_and_the_other_wins_at_once(acted, seat):
    s = scene(attack=by_seat(seat, ["Ralph"], ["Maria"]), hands=by_seat(seat, ["Hina", "Ren"], ["Premiere"]))
    if acted:
        play(s, "ride Hina")
    assert "end" in legal_names(s)
    events = play(s, "end")
    assert events[0] == {"kind": "ends", "seat": seat, "value": BY_CHOICE, "seen_by": [0, 1]}
    assert kinds_of(events) == ["ends", "round_won", "loses_card", "cleans_up", "round_begins"]
    assert round_won(events) == (1 - seat, 1)
    assert sizes(s) == by_seat(seat, 9, 10) + by_seat(seat, 1 if acted else 2, 1)


@rule("5.4")
def test_the_side_that_has_become_the_lower_one_may_end_too():
    s = scene(attack=(["Ralph"], ["Maria"]), hands=(["Hina"], ["Premiere"]))
    play(s, "use the AT (7900)")
    assert round_won(play(s, "end")) == (0, 4)


@rule("5.5")
@both_seats
def test_without_an_action_left_the_phase_ends_by_itself(seat):
    s = scene(attack=by_seat(seat, ["Jack Maxim"], ["Maria"]), hands=by_seat(seat, [], ["Premiere"]))
    events = last_events(s)
    assert kinds_of(events) == ["ends", "round_won", "loses_card", "cleans_up", "round_begins"]
    assert (events[0]["seat"], events[0]["value"], round_won(events)) == (seat, BY_ITSELF, (1 - seat, 1))


@rule("5.5")
def test_it_ends_by_itself_after_the_last_card_was_ridden():
    s = scene(attack=(["Jack Maxim"], ["Maria"]), hands=(["Hina"], []))
    events = play(s, "ride Hina")
    assert kinds_of(events)[:3] == ["rides", "ends", "round_won"]


@rule("5.5")
def test_an_at_is_an_action_left_while_its_condition_holds_and_it_is_not_in_use():
    s = scene(attack=(["Ralph"], ["Maria"]))
    assert legal_names(s) == ["end", "use the AT (7900)"]
    s = scene(attack=(["Ralph"], ["Akuroou"]))
    assert round_won(last_events(s)) == (1, 2)
    s = scene(attack=(["Akira"], ["German Shark"]))
    events = play(s, "use the AT (5700)")
    assert kinds_of(events)[:2] == ["ats", "ends"]
    s = scene(attack=(["Amina"], ["German Shark"]))  # nothing to pay with
    assert round_won(last_events(s)) == (1, 2)


@rule("5.6")
def test_an_action_may_leave_its_side_lower_or_weaker_than_before():
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Jack Maxim", "Renjo", "Hina", "Hina"], []))
    play(s, "ride Jack Maxim")
    assert (powers(s), asked(s)) == ((1600, 6000), (0, "revenge"))
    play(s, "lay Renjo as the barrier", "ride Hina")
    assert (powers(s), asked(s)) == ((3800, 6000), (0, "revenge"))


@rule("5.6")
def test_a_ride_may_replace_an_at_that_holds():
    s = scene(attack=(["Akira"], ["German Shark"]), hands=(["Hina", "Hina"], []))
    play(s, "use the AT (5700)", "ride Hina")
    assert (powers(s), asked(s)) == ((3800, 8100), (0, "revenge"))


@rule("5.7")
def test_an_at_needs_its_condition_at_its_use():
    s = scene(attack=(["Iska"], ["Maria"]), hands=(["Molat Hero"], ["Ren"]))
    assert legal_names(s) == ["end", "ride Molat Hero"]
    s = scene(attack=(["Iska"], ["German Shark"]), hands=(["Molat Hero"], ["Ren"]))
    assert legal_names(s) == ["end", "use the AT (13350)", "ride Molat Hero"]
    events = play(s, "use the AT (13350)")
    assert events == [{"kind": "ats", "seat": 0, "card": "iska", "value": 1, "seen_by": [0, 1]}]
    assert powers(s) == (13350, 8100)


@rule("5.7")
def test_an_at_that_is_in_use_cannot_be_used_again():
    s = scene(attack=(["Akira"], ["German Shark"]), hands=(["Hina"], []))
    play(s, "use the AT (5700)")
    assert legal_names(s) == ["end", "ride Hina"]


@rule("5.7")
def test_an_at_that_is_in_use_but_off_cannot_be_used_again_either():
    s = scene(attack=(["Akira"], ["Cookberry"]), hands=(["Hina"], ["Molat Hero", "Maria", "Ren"]))
    play(s, "use the AT (5700)", "ride Maria")
    assert (powers(s), asked(s)) == ((4400, 6000), (0, "revenge"))
    assert legal_names(s) == ["end", "ride Hina"]


@rule("5.7")
@both_seats
def test_only_the_lower_side_uses_an_at(seat):
    s = scene(attack=by_seat(seat, ["Ralph"], ["Iska"]), hands=(["Ren"], ["Ren"]))
    play(s, "use the AT (7900)")
    assert asked(s) == (1 - seat, "revenge")
    assert legal_names(s) == ["end", "ride Ren"]


@rule("5.8")
@pytest.mark.parametrize("name", ["Araki", "Renjo", "Himeko", "David", "Kizuki"])
def test_a_barrier_may_be_put_down_that_touches_no_power(name):
    s = scene(attack=(["Ralph"], ["Akuroou"]), hands=([name, "Ren"], ["Maria"]))
    (event,) = play(s, f"lay {name} as the barrier")
    assert event == {"kind": "lays_barrier", "seat": 0, "card": name.lower(), "value": 0, "seen_by": [0, 1]}
    assert (s.barrier(), powers(s), asked(s)) == ((name, 0), (2800, 4000), (0, "revenge"))
    assert s.hand(0) == ["Ren"]


@rule("5.8")
def test_there_is_no_other_time_for_a_barrier():
    s = scene(hands=(["Renjo", "Jack Maxim", "Demonoid"], ["Himeko", "Calist"]), discards=(["Ralph"], []))
    may_lay = {}
    for action in (
        "set Jack Maxim",
        "set Calist",
        "take Ralph from the discards",
        "ride Demonoid",
        "use the AT (5050)",
        "pay 1 card for the AT (8500)",
        "discard Ralph",
        "end",
        "discard Himeko",
    ):
        may_lay.setdefault(asked(s), [name for name in legal_names(s) if "barrier" in name])
        play(s, action)
    assert may_lay == {
        (0, "draw_or_set"): [],
        (1, "draw_or_set"): [],
        (0, "entry"): [],
        (0, "revenge"): ["lay Renjo as the barrier"],
        (0, "pay"): [],
        (1, "revenge"): ["lay Himeko as the barrier"],
        (1, "take_back"): [],
    }


@rule("5.9")
@both_seats
def test_any_card_of_the_hand_may_be_ridden_a_ride_only_or_barrier_card_too(seat):
    hand = ["German Shark", "Renjo", "Lovelinstar", "Hina"]
    s = scene(attack=by_seat(seat, ["Ren"], ["Maria"]), hands=by_seat(seat, hand, ["Zephyr"]))
    rides = [name for name in legal_names(s) if name.startswith("ride")]
    assert rides == ["ride Renjo", "ride Hina", "ride German Shark", "ride Lovelinstar"]
    (event,) = play(s, "ride German Shark")
    assert event == {"kind": "rides", "seat": seat, "card": "german_shark", "value": 0, "seen_by": [0, 1]}
    assert s.stack(seat) == ["Ren", "German Shark"]
    assert s.hand(seat) == ["Renjo", "Hina", "Lovelinstar"]
    assert (s.power(seat), asked(s)) == (8100, (1 - seat, "revenge"))


@rule("5.9")
def test_each_of_the_36_cards_may_be_ridden():
    for facts in CARDS:
        s = scene(
            attack=(["Ren", "Maria"], ["Hina", "Ralph"]), hands=(["Ren"], [facts.id, "Ren"]), barrier=("David", 0)
        )
        event = play(s, f"ride {facts.name}")[0]
        assert event == {"kind": "rides", "seat": 1, "card": facts.id, "value": 0, "seen_by": [0, 1]}
        assert s.stack(1) == ["Hina", "Ralph", facts.name]


@rule("5.9")
def test_one_may_ride_any_number_of_times():
    s = scene(attack=(["Ren"], ["German Shark"]), hands=(["Hina"] * 6, []))
    play(s, *["ride Hina"] * 5)
    assert s.stack(0) == ["Ren"] + ["Hina"] * 5
    assert asked(s) == (0, "revenge")


# --- 8. Damage and clean-up -----------------------------------------------------------------------------------


def damage_of(winner, loser, **laid):
    """The damage when player_1 ends at once; player_0 has `winner` as stack, player_1 `loser`, with these tables."""
    s = scene(attack=(winner, loser), hands=(["Ren"], ["Ren"]), decks=(["Hina"] * 12, ["Hina"] * 12), **laid)
    assert asked(s) == (1, "revenge")
    seat, stars = round_won(play(s, "end"))
    assert (seat, sizes(s)[1]) == (0, 12 - stars)
    return stars


@rule("8.1")
@pytest.mark.parametrize(("winner", "stars"), [("Maria", 1), ("Leticia", 2), ("Lovelinstar", 3), ("Araki", 4)])
def test_the_damage_is_the_number_of_stars_of_the_winners_attack_card(winner, stars):
    assert damage_of([winner], ["Ralph"]) == stars
    assert damage_of(["Molat Hero", winner], ["Ralph"]) == stars


@rule("8.1")
def test_bonus_and_reduction_add_up_and_the_damage_is_never_below_0():
    assert damage_of(["Akira"], ["Silver Rain"], barrier=("Araki", 1)) == 3 + 1 - 1
    assert damage_of(["Maria"], ["Ralph"], barrier=("Araki", 1)) == 0
    table = GAME.table()
    table.cards[card("Maria")].stars = 0
    assert damage_of(["Maria"], ["Ralph"], barrier=("Araki", 1), table=table) == 0


@rule("8.2")
@pytest.mark.parametrize(
    ("winner", "loser", "stars"),
    [
        ("Premiere", "Silver Rain", 3),
        ("Premiere", "Ralph", 2),
        ("Akira", "Silver Rain", 4),
        ("Akira", "Zephyr", 3),
        ("Orochi", "Calist", 3),
        ("Orochi", "Ralph", 2),
        ("Grantram", "Renjo", 3),
        ("Grantram", "Jack Maxim", 2),
        ("Alexis", "Jack Maxim", 4),
    ],
)
def test_a_dmg_line_adds_a_star_against_the_named_kind(winner, loser, stars):
    winner = {"Orochi": "Water Orochi"}.get(winner, winner)
    assert damage_of([winner], [loser]) == stars


@rule("8.2")
def test_reiji_against_a_t_and_alexis_against_an_s():
    for name, enemy, power in (("Reiji", "Amon", 10400), ("Alexis", "Zephyr", 9950)):
        s = scene(attack=([name], [enemy]), hands=(["Ren"], ["Ren"]))
        play(s, f"use the AT ({power})")
        assert round_won(play(s, "end")) == (0, 5)


@rule("8.2")
def test_it_is_the_final_attack_card_of_the_loser_that_counts():
    assert damage_of(["Premiere"], ["Silver Rain", "Ralph"]) == 2
    assert damage_of(["Premiere"], ["Ralph", "Silver Rain"]) == 3


@rule("8.2")
def test_dmg_lines_of_the_loser_and_of_a_covered_card_add_nothing():
    assert damage_of(["Ren"], ["Premiere", "Reiji"]) == 2
    assert damage_of(["Premiere", "Lovelinstar"], ["Ren"]) == 3


@rule("8.3")
def test_orochis_other_line_adds_a_star_if_the_loser_has_ridden_and_both_may_add():
    assert damage_of(["Water Orochi"], ["Ralph"]) == 2
    assert damage_of(["Water Orochi"], ["Silver Rain", "Ralph"]) == 3
    assert damage_of(["Water Orochi"], ["Silver Rain", "Ralph", "Amon"]) == 3
    assert damage_of(["Water Orochi"], ["Silver Rain", "Renjo"]) == 4
    assert damage_of(["Water Orochi"], ["Renjo"]) == 3


@rule("8.3")
def test_her_own_ride_adds_nothing_and_other_cards_have_no_such_line():
    assert damage_of(["Molat Hero", "Water Orochi"], ["Ralph"]) == 2
    assert damage_of(["Maria"], ["Silver Rain", "Ralph"]) == 1


@rule("8.3")
def test_a_ride_of_an_earlier_round_does_not_count():
    s = scene(attack=(["Jack Maxim"], ["Maria"]), hands=(["Ralph", "Hina"], ["Water Orochi"]))
    play(s, "ride Ralph", "end")
    assert round_number(s) == 2
    events = play(s, "set Hina", "set Water Orochi")
    assert round_won(events) == (1, 2)


@rule("8.3")
def test_a_ride_in_this_round_counts():
    s = scene(attack=(["Jack Maxim"], ["Water Orochi"]), hands=(["Ralph", "Hina"], []))
    assert round_won(play(s, "ride Ralph", "end")) == (1, 3)


@rule("8.4")
def test_araki_takes_a_star_from_the_damage_of_the_enemy_of_his_player():
    assert damage_of(["Leticia"], ["Ralph"], barrier=("Araki", 1)) == 1
    assert damage_of(["Leticia"], ["Ralph"], barrier=("Araki", 0)) == 2
    assert damage_of(["Leticia"], ["Ralph"], barrier=("Silver Rain", 1)) == 2


@rule("8.4")
@pytest.mark.parametrize(("owner", "stars"), [(0, 3), (1, 4)])
def test_araki_lessens_the_damage_after_a_misplay_too(owner, stars):
    _, events = revealed("German Shark", "Ralph", hands=(["Ren"], []), barrier=("Araki", owner))
    assert round_won(events) == (1, stars)


@rule("8.5")
@both_seats
def test_the_loser_discards_from_the_top_of_his_deck_openly(seat):
    decks = by_seat(seat, ["Amon", "Hina", "Iska", "Ralph"], None)
    s = scene(attack=by_seat(seat, ["Ren"], ["Lovelinstar"]), hands=(["Maria"], ["Maria"]), decks=decks)
    events = of_kind(play(s, "end"), "loses_card")
    assert [(e["seat"], e["card"], e["seen_by"]) for e in events] == [
        (seat, "amon", [0, 1]),
        (seat, "hina", [0, 1]),
        (seat, "iska", [0, 1]),
    ]
    assert s.deck(seat) == ["Ralph"]
    assert s.discards(seat) == ["Iska", "Hina", "Ren", "Amon"]
    assert len(s.deck(1 - seat)) == 10


@rule("8.5")
def test_if_there_are_fewer_he_discards_what_there_is():
    s = scene(attack=(["Ren"], ["Araki", "Lovelinstar"]), hands=(["Maria"], []), decks=(["Amon", "Hina"], None))
    assert cards_of(play(s, "end"), "loses_card") == ["amon", "hina"]
    assert s.deck(0) == []


@rule("8.6")
@pytest.mark.parametrize("deck", [["Amon"], ["Amon", "Hina"]])
@both_seats
def test_an_empty_deck_loses_at_once_and_nothing_else_happens(seat, deck):
    attack = by_seat(seat, ["Maria", "Calist"], ["Amon", "Leticia"])
    s = scene(attack=attack, hands=(["Ren"], ["Ren"]), decks=by_seat(seat, deck, None))
    events = play(s, "end")
    assert result(s) == (1 - seat, "deck out")
    assert not of_kind(events, "takes_back", "cleans_up", "round_begins")
    assert kinds_of(events)[-2:] == ["deck_out", "game_over"]
    assert (s.stack(0), s.stack(1)) == attack
    assert s.discards(seat) == sorted(deck, reverse=True) or deck == ["Amon", "Hina"]
    assert legal_names(s) == []


@rule("8.6")
def test_the_winners_calist_is_not_asked_either():
    s = scene(attack=(["Ralph"], ["Calist"]), hands=(["Ren"], ["Ren"]), decks=(["Amon"] * 3, None))
    play(s, "end")
    assert (result(s), s.stack(1)) == ((1, "deck out"), ["Calist"])


@rule("8.6")
def test_one_card_left_is_enough():
    s = scene(attack=(["Ralph"], ["Leticia"]), hands=(["Ren"], ["Ren"]), decks=(["Amon"] * 3, None))
    play(s, "end")
    assert (round_number(s), s.deck(0)) == (2, ["Amon"])


@rule("8.6")
def test_by_option_the_round_is_finished_before_the_empty_deck_is_tested():
    s = scene(attack=(["Maria", "Calist"], ["Leticia"]), hands=(["Ren"], ["Ren"]), decks=(["Amon"], None), rules=LATE)
    play(s, "end")
    assert asked(s) == (0, "take_back")
    events = play(s, "discard Ren")
    assert kinds_of(events) == ["discards", "takes_back", "cleans_up", "deck_out", "game_over"]
    assert (result(s), s.hand(0), s.stack(1)) == ((1, "deck out"), ["Calist"], [])


@rule("8.6")
def test_by_option_a_winner_whose_deck_is_empty_loses_after_the_clean_up():
    s = scene(attack=(["Ralph"], ["Leticia"]), hands=(["Ren"], ["Ren"]), decks=(None, []), rules=LATE)
    play(s, "end")
    assert (result(s), sizes(s)[0]) == ((0, "deck out"), 8)


@rule("8.6")
def test_by_option_two_empty_decks_after_the_clean_up_draw_the_game():
    s = scene(attack=(["Ralph"], ["Leticia"]), hands=(["Ren"], ["Ren"]), decks=(["Amon"], []), rules=LATE)
    play(s, "end")
    assert result(s) == (-1, "deck out")


@rule("8.7")
@both_seats
def test_a_misplay_costs_the_winners_stars_and_dmg_lines_against_the_misplayed_card(seat):
    for winner, misplayed, stars in (
        ("Premiere", "German Shark", 3),
        ("Premiere", "Lovelinstar", 2),
        ("Akira", "German Shark", 4),
        ("Alexis", "Lovelinstar", 5),
        ("Water Orochi", "Lovelinstar", 3),
        ("Water Orochi", "German Shark", 2),
        ("Reiji", "German Shark", 4),
    ):
        cards = by_seat(seat, misplayed, winner)
        s, events = revealed(*cards, hands=(["Ren"], ["Ren"]))
        assert round_won(events) == (1 - seat, stars)
        assert sizes(s)[:2] == by_seat(seat, 10 - stars, 10)


@rule("8.7")
def test_damage_for_a_misplay_may_end_the_game():
    s, _ = revealed("German Shark", "Ralph", hands=(["Ren"], []), decks=(["Hina"] * 4, None))
    assert (result(s), s.stack(0)) == ((1, "deck out"), ["German Shark"])


@rule("8.8")
@pytest.mark.parametrize("enemy", ["Leticia", "Ralph"])
@both_seats
def test_calist_may_be_taken_back_for_a_card_after_a_lost_and_after_a_won_round(seat, enemy):
    attack = by_seat(seat, ["Ren", "Hina", "Calist"], [enemy])
    s = scene(attack=attack, hands=by_seat(seat, ["Amon", "Maria"], ["Zephyr"]))
    play(s, "end")
    assert asked(s) == (seat, "take_back")
    assert legal_names(s) == ["leave Calist", "discard Maria", "discard Amon"]
    events = play(s, "discard Maria")
    assert kinds_of(events) == ["discards", "takes_back", "cleans_up", "round_begins"]
    assert [(e["seat"], e.get("card"), e["seen_by"]) for e in events[:2]] == [
        (seat, "maria", [0, 1]),
        (seat, "calist", [0, 1]),
    ]
    assert s.hand(seat) == ["Calist", "Amon"]
    cards = {"Ren", "Hina", "Maria"} | ({"Molat Hero"} if enemy == "Leticia" else set())
    assert set(s.discards(seat)) == cards
    assert s.state.hand_size[seat] == 2


@rule("8.8")
def test_calist_comes_back_round_after_round():
    s = scene(attack=(["Calist"], ["Leticia"]), hands=(["Amon", "Hina", "Ren"], ["Maria", "Maria", "Zephyr"]))
    for name in ("Amon", "Hina"):
        play(s, "end", f"discard {name}")
        assert "Calist" in s.hand(0)
        assert (s.state.stack == NUM_CARDS).all()
        play(s, "set Calist", "set Maria")
        assert powers(s) == (3700, 6000)


@rule("8.8")
def test_calist_may_be_left():
    s = scene(attack=(["Calist"], ["Leticia"]), hands=(["Amon"], ["Zephyr"]))
    play(s, "end", "leave Calist")
    assert (s.hand(0), "Calist" in s.discards(0), round_number(s)) == (["Amon"], True, 2)


@rule("8.8")
def test_it_needs_a_card_in_hand():
    s = scene(attack=(["Ralph"], ["Leticia"]), hands=(["Calist"], ["Zephyr"]))
    play(s, "ride Calist")
    assert (asked(s), s.hand(0)) == ((0, "revenge"), [])
    play(s, "end")
    assert (round_number(s), s.hand(0)) == (2, [])


@rule("8.8")
def test_only_an_attack_card_comes_back():
    s = scene(attack=(["Calist", "Ren"], ["Leticia"]), hands=(["Amon"], ["Zephyr"]))
    play(s, "end")
    assert round_number(s) == 2


@rule("8.8")
def test_calist_comes_back_after_a_misplay_of_the_enemy_too():
    s, _ = revealed("German Shark", "Calist", hands=(["Ren"], ["Amon"]))
    assert asked(s) == (1, "take_back")
    assert sizes(s)[0] == 7
    play(s, "discard Amon")
    assert s.hand(1) == ["Calist"]


@rule("8.8")
def test_calist_does_not_come_back_after_a_clash_in_the_attack_phase():
    table = GAME.table()
    table.cards[card("Hina")].power = 5050
    s = scene(attack=(["Calist"], ["Hina"]), hands=(["Amon"], ["Zephyr"]), table=table)
    events = play(s, "use the AT (5050)")
    assert kinds_of(events) == ["ats", "clashes", "cleans_up", "round_begins"]


@rule("8.9")
@pytest.mark.parametrize("answers", list(itertools.product([True, False], repeat=2)))
def test_of_two_players_with_calist_seat_0_decides_first(answers):
    s = scene(attack=(["Calist"], ["Calist"]), hands=(["Amon"], ["Zephyr"]), barrier=("Silver Rain", 1))
    play(s, "end")
    for seat, back in enumerate(answers):
        assert asked(s) == (seat, "take_back")
        play(s, f"discard {('Amon', 'Zephyr')[seat]}" if back else "leave Calist")
    assert round_number(s) == 2
    for seat, back in enumerate(answers):
        assert s.hand(seat) == (["Calist"] if back else [("Amon", "Zephyr")[seat]])


@rule("8.10")
def test_both_stacks_go_to_their_owners_discards_and_barrier_and_hands_stay():
    hands = (["Amon"] * 12, ["Zephyr"])
    s = scene(
        attack=(["Jack Maxim", "Ren"], ["Hina", "Maria"]),
        hands=hands,
        discards=(["Iska"], ["Ralph"]),
        barrier=("Kizuki", 1),
    )
    play(s, "end")
    assert s.discards(0) == ["Iska", "Molat Hero", "Jack Maxim", "Ren"]
    assert s.discards(1) == ["Ralph", "Maria", "Hina"]
    assert (s.hand(0), s.hand(1)) == (list(hands[0]), list(hands[1]))
    assert s.barrier() == ("Kizuki", 1)
    assert (s.stack(0), s.stack(1)) == ([], [])
    assert (round_number(s), asked(s)) == (2, (0, "draw_or_set"))
    assert s.state.stack.tolist() == [[NUM_CARDS] * DECK_SIZE] * 2


@rule("8.10")
def test_nothing_of_the_old_round_is_left_in_the_next():
    s = scene(attack=(["Hina"], ["Ren"]), hands=(["Hina", "Maria", "Iska", "Amon"], ["Ren"]))
    play(s, "pay 2 cards for the AT (12600)", "discard Maria", "discard Iska", "end")
    play(s, "set Hina", "set Ren")
    assert powers(s) == (3800, 4600)
    state = s.state
    for facts in (state.rode, state.own_power, state.copied_power, state.copy_last, state.paid, state.drawn):
        assert facts.tolist() == [0, 0]


@rule("8.10")
def test_nor_is_anything_left_of_a_copy():
    table = GAME.table()
    table.cards[card("Renjo")].barrier_power = 1  # so that a copy does not end in a clash
    s = scene(
        attack=(["Hina"], ["Maria"]), hands=(["Leticia", "Ren"], ["Ren", "Ren"]), barrier=("Renjo", 1), table=table
    )
    play(s, "ride Leticia", "use the entry (6400)", "copy the entry (6400)")
    assert (s.state.copied_power.tolist(), s.state.copy_last.tolist()) == ([0, 6400], [0, 1])
    play(s, "end")
    assert (s.state.copied_power.tolist(), s.state.copy_last.tolist()) == ([0, 0], [0, 0])
    play(s, "draw a card", "set Ren", "set Ren")
    assert powers(s) == (4600, 4601)


@rule("8.11")
@pytest.mark.parametrize("cap", [1, 3])
def test_after_the_clean_up_of_the_last_round_the_game_is_drawn(cap):
    s = scene(hands=(["Ren"] * 4, ["Ren"] * 4), rules={"max_rounds": cap})
    for number in range(1, cap + 1):
        assert (round_number(s), bool(s.state.over)) == (number, False)
        events = play(s, "set Ren", "set Ren")
    assert result(s) == (-1, "round cap")
    assert kinds_of(events)[-2:] == ["cleans_up", "game_over"]
    assert s.discards(0) == ["Ren"] * cap


@rule("8.11")
def test_a_game_that_ends_in_the_last_round_is_not_drawn():
    last = {"max_rounds": 1}
    s = scene(attack=(["Ralph"], ["Leticia"]), hands=(["Ren"], []), decks=(["Amon"], None), rules=last)
    play(s, "end")
    assert result(s) == (1, "deck out")
    s = scene(attack=(["Ralph"], ["Leticia"]), hands=(["Ren"], []), decks=(["Amon"], None), rules=last | LATE)
    play(s, "end")
    assert result(s) == (1, "deck out")  # tested before the cap


@rule("8.11")
def test_two_players_with_two_jacks_each_go_round_until_the_cap_of_200_and_no_position_ends_earlier():
    s = scene(hands=(["Jack Maxim"], ["Jack Maxim"]), discards=(["Jack Maxim"], ["Jack Maxim"]))
    played = 0
    while not s.state.over:
        play(s, "set Jack Maxim", "set Jack Maxim")
        play(s, "take Jack Maxim from the discards", "take Jack Maxim from the discards")
        played += 1
    assert played == 200
    assert (result(s), sizes(s)) == ((-1, "round cap"), (10, 10, 1, 1))


# --- 10. Options ----------------------------------------------------------------------------------------------


def test_the_options_and_their_values_are_those_of_the_rules():
    rulebook = resources.files("duelbench.envs.tommy_walker").joinpath("RULES.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([\d., ]+) \|$", rulebook, re.MULTILINE)
    assert [name for name, _, _ in rows] == [option.name for option in GAME.options]
    for (name, values, numbers), option in zip(rows, GAME.options, strict=True):
        if option.name == "max_rounds":
            assert (option.default, option.values) == (200, range(1, 1001))
            assert values == "200; any whole number from 1 to 1000"
        else:
            written = [str(value).lower() if isinstance(value, bool) else value for value in option.values]
            assert re.split(r"[:;]", values)[0].split(", ")[: len(written)] == written
            assert option.default == option.values[0]
        for number in numbers.split(", "):
            paragraph = rulebook.split(f"**{number}")[1].split("\n\n")[0]
            assert f"`{name}`" in " ".join(paragraph.split())


def test_what_is_not_legal_is_refused():
    s = scene(hands=(["Ren"], ["Ren"]), decks=(["Ren"], None))
    assert GAME.mask(s.table, s.state).sum() == len(legal_names(s))
    play(s, "draw a card")
    assert not GAME.mask(s.table, s.state)[DRAW]
