"""Sections 1 to 4 and 12 of the rules of Wizard in Training: cards, set-up, the turn, the Item phase, the redraw."""

from collections import Counter

import numpy as np
import pytest
from wizard_scenes import (
    DUEL,
    GAME,
    REDRAW,
    TURN,
    Scene,
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
    result,
    scene,
    spell,
    total,
    used,
)

from duelbench.envs import dispatch
from duelbench.envs.rng import below, new_stream, shuffle
from duelbench.envs.wizard_in_training.card import (
    CHARACTER,
    ITEM,
    MAIN,
    SPELL,
    is_general,
)
from duelbench.envs.wizard_in_training.cards import CARDS, FIRST_CHARACTER, FIRST_MAIN, FIRST_SPELL, NUM_ITEMS
from duelbench.envs.wizard_in_training.state import (
    CAST,
    DECK,
    DECK_SIZE,
    DISCARD,
    FIELD,
    FINISHED,
    HAND,
    HELD,
    NO_SLOT,
    POOL,
    USED,
    WORN,
)


def rule(number):
    return pytest.mark.rule("wizard_in_training", number)


both_seats = pytest.mark.parametrize("seat", [0, 1])

GAIN = {"gain": spell(mode(gain=3))}


def real(table, state):
    """A scene with the cards of the list, called by their ids."""
    return Scene(table, state, {card.id: number for number, card in enumerate(CARDS)})


def dealt(seed, table=None):
    table = GAME.table() if table is None else table
    return real(table, GAME.dealt(table, seed))


def random_states(games, rules=None, most=150):
    """Every state of some random games, each cut off after so many decisions; always the same record."""
    dice = np.random.default_rng(1)
    for seed in range(games):
        s = dealt(seed, GAME.table(rules))
        for _ in range(most):
            yield s
            if s.state.over:
                break
            dispatch.apply(s.table, s.state, int(dice.choice(GAME.legal_actions(s.table, s.state))))


def sizes(s):
    """Cards in the hands and decks of both seats."""
    return [*map(int, s.state.hand_size), *map(int, s.state.deck_size)]


# --- 1. Cards and places --------------------------------------------------------------------------------------


@rule("1.1")
def test_cards_are_items_characters_spells_or_mains():
    types = [card.type for card in CARDS]
    assert sorted(set(types)) == [ITEM, CHARACTER, SPELL, MAIN]
    assert types == sorted(types)
    assert [types.index(code) for code in (CHARACTER, SPELL, MAIN)] == [FIRST_CHARACTER, FIRST_SPELL, FIRST_MAIN]


@rule("1.2")
def test_a_main_has_two_numbers_and_outlives_every_duel():
    cards = {"fierce": main(4, 0), "meek": main(0, 3), "off": spell(mode(defend=1))}
    s = scene(at=DUEL, mains=("fierce", "meek"), level=(3, 3), cards=cards)
    play(s, "main")  # 4 against 3
    assert levels(s) == (3, 2)
    assert of_kind(events(s), "dies") == []
    assert [s.name(number) for number in s.state.mains] == ["fierce", "meek"]
    play(s, "pass")
    assert asked(s) == (1, "attack")  # and can attack in its own turn; neither player held a card
    s = scene(at=DUEL, mains=("fierce", "meek"), level=(3, 3), cards=cards | {"meek": main(0, 4)})
    play(s, "main")
    assert levels(s) == (3, 3)


@rule("1.2")
def test_mains_stay_throughout_a_game():
    mains = None
    for s in random_states(1):
        mains = mains or s.state.mains.tolist()
        assert s.state.mains.tolist() == mains
        assert (s.state.lists < FIRST_MAIN).all()


@rule("1.3")
def test_a_character_without_a_level_counts_as_level_0():
    s = scene(at=DUEL, hand=(["page", "wolf", "knight"], []))
    assert legal(s) == ["pass", "main", "attack page", "attack wolf"]
    s = scene(field=([], ["page"]), hand=(["hum", "theft"], []), cards={"theft": spell(mode(steal=1))})
    play(s, "cast theft")
    assert (field(s, 1), total(s, 0)) == (["page"], 0)


@rule("1.3")
def test_item_abilities_say_what_a_character_wears():
    items = ["sword", "club", "shield", "amulet"]
    takes = {"page": [], "knight": ["sword", "shield"], "squire": ["sword", "club", "shield"]}
    for name, worn in takes.items():
        s = scene(at=DUEL, field=([name], []), pool=(items, []), level=(2, 1))
        play(s, f"attack {name}")
        if worn:
            assert sorted(legal(s)) == sorted(["pass"] + [f"equip {thing}" for thing in worn])
        else:
            assert asked(s) != (0, "equip")


@rule("1.4")
def test_an_item_without_a_subtype_is_general_and_one_with_a_further_subtype_is_not():
    card = CARDS[0]
    assert is_general(card._replace(subtype=""))
    for word in ("weapon", "armour", "charm", "potion", "tome", "musical instrument"):
        assert not is_general(card._replace(subtype=word))
    assert not is_general(CARDS[FIRST_CHARACTER])
    assert all(card.teeth >= 0 for card in CARDS[:NUM_ITEMS])


@rule("1.4")
def test_the_teeth_of_an_item_are_what_it_adds_in_the_pool():
    s = scene(at=TURN, hand=(["shilling", "crown", "pebble"], []))
    assert total(s, 0) == 2 + 5 + 0


@rule("1.5")
def test_a_spell_has_modes_of_which_one_is_used():
    cards = {"one": spell(mode(gain=1)), "three": spell(mode(gain=1), mode(gain=2), mode(gain=4))}
    for chosen, gained in enumerate((1, 2, 4)):
        s = scene(hand=(["hum", "three"], []), cards=cards)
        play(s, "cast three")
        assert (asked(s), legal(s)) == ((0, "mode"), ["mode 0", "mode 1", "mode 2"])
        play(s, f"mode {chosen}")
        assert (counters(s), asked(s)) == ((gained, 0), (0, "cast"))
    s = scene(hand=(["hum", "one"], []), cards=cards)
    play(s, "cast one")
    assert (counters(s), asked(s)) == ((1, 0), (0, "cast"))


@rule("1.6")
def test_a_tag_fits_by_name_or_by_subtype():
    cards = {"by_name": spell(needs="sword"), "by_word": spell(needs="weapon"), "bookish": spell(needs="tome")}
    castable = {"sword": ["by_name", "by_word"], "club": ["by_word"], "shield": [], "tome": ["bookish"], "penny": []}
    for name, spells in castable.items():
        s = scene(hand=(list(cards), []), pool=([name], []), cards=cards)
        assert sorted(legal(s)) == sorted(["pass"] + [f"cast {wanted}" for wanted in spells])


@rule("1.6")
def test_the_table_knows_what_the_tags_of_the_list_fit():
    table = GAME.table()
    for number, card in enumerate(CARDS):
        for i, thing in enumerate(CARDS[:NUM_ITEMS]):
            if card.type == SPELL:
                fits = bool(card.requirement) and card.requirement in (thing.name, thing.subtype)
                assert table.fits[number - FIRST_SPELL, i] == fits
            elif card.type == CHARACTER:
                worn = thing.subtype in ("weapon", "armour")
                worn = worn and bool({thing.name, thing.subtype} & set(card.item_ability))
                assert table.wears[number - FIRST_CHARACTER, i] == worn


@rule("1.7")
def test_territories_have_no_effect():
    table, blind = GAME.table(), GAME.table()
    for i, card in enumerate(CARDS):
        assert (table.cards[i].territory in (1, 2, 3, 4)) == (card.type != ITEM)
    blind.cards["territory"] = 0
    ends = []
    for rules in (table, blind):
        dice, s = np.random.default_rng(3), dealt(5, rules)
        for _ in range(60):
            if not s.state.over:
                dispatch.apply(rules, s.state, int(dice.choice(GAME.legal_actions(rules, s.state))))
        ends.append(s.state.tobytes())
    assert ends[0] == ends[1]


PLACES = {
    ITEM: (DECK, HAND, POOL, DISCARD, HELD, WORN),
    CHARACTER: (DECK, HAND, FIELD, DISCARD),
    SPELL: (DECK, HAND, DISCARD, CAST, USED),
}


@rule("1.8")
@pytest.mark.parametrize("rules", [None, {"recycle": "level_change", "duel_commit": "hidden_equipment"}])
def test_a_card_is_always_in_exactly_one_place_of_its_owner(rules):
    lists = None
    for s in random_states(2, rules, most=120):
        state = s.state
        lists = state.lists.copy() if state.turn_number == 1 or lists is None else lists
        assert (state.lists == lists).all()
        for seat in range(2):
            in_deck = state.deck[seat, : state.deck_size[seat]]
            assert sorted(in_deck) == np.flatnonzero(state.zone[seat] == DECK).tolist()
            assert (state.deck[seat, state.deck_size[seat] :] == NO_SLOT).all()
            assert state.hand_size[seat] == (state.zone[seat] == HAND).sum()
            assert state.field_size[seat] == (state.zone[seat] == FIELD).sum() <= 2
            assert (state.zone[seat] == CAST).sum() == (state.spell != NO_SLOT and seat == state.active)
            for slot in range(DECK_SIZE):
                assert state.zone[seat, slot] in PLACES[CARDS[state.lists[seat, slot]].type]
            table_items = np.isin(state.zone[seat], (POOL, HELD, WORN))
            assert state.placed[seat] == s.table.cards["teeth"][state.lists[seat][table_items]].sum()


@rule("1.8")
@both_seats
def test_whatever_goes_goes_to_its_owners_discards(seat):
    cards = {
        "theft": spell(mode(steal=2, discard=1, destroys=2)),
        "ward": spell(counters=["hex"]),
        "hex": spell(needs="charm"),
    }
    hands = by_seat(seat, ["theft", "hex", "hum"], ["page", "page", "ward"])
    pools = by_seat(seat, ["amulet"], ["crown"])
    s = scene(active=seat, hand=hands, pool=pools, field=by_seat(seat, [], ["wolf"]), cards=cards)
    play(s, "cast theft", "pay crown", "discard page", "cast hex", "counter ward")
    assert discards(s, seat) == ["amulet", "hex"]
    assert discards(s, 1 - seat) == ["crown", "page", "ward", "wolf"]


@rule("1.9")
def test_a_character_takes_no_lasting_damage_and_nothing_of_a_duel_stays():
    cards = {"boost": spell(mode(attack=4, defend=4)), "wall": main(0, 6), "rival": character(2, 6)}
    s = scene(hand=(["boost", "knight"], []), field=([], ["rival"]), mains=("nevin", "wall"), level=(5, 5), cards=cards)
    play(s, "cast boost", "pass", "attack knight", "block rival")  # 8 against 6
    assert (field(s, 0), field(s, 1), counters(s)) == (["knight"], [], (7, 0))
    while asked(s) != (0, "attack"):
        play(s, "pass")
    play(s, "attack knight")  # 4 against 6, and has fought in the turn before
    assert (field(s, 0), counters(s)) == ([], (7, 0))


@rule("1.9")
def test_what_was_worn_once_is_worn_anew():
    s = scene(at=DUEL, field=(["knight"], []), pool=(["sword", "shield"], []), level=(5, 5))
    play(s, "attack knight", "equip sword", "pass")
    assert (pool(s, 0), levels(s)) == (["shield", "sword"], (5, 4))
    while asked(s) != (0, "attack"):
        play(s, "pass")
    play(s, "attack knight")
    assert sorted(legal(s)) == ["equip shield", "equip sword", "pass"]


# --- 2. Decks and set-up --------------------------------------------------------------------------------------


@rule("2.1")
@rule("2.2")
@rule("2.3")
def test_random_decks_keep_the_rules_of_decks():
    table = GAME.table()
    for seed in range(25):
        state = GAME.dealt(table, seed)
        for seat in range(2):
            cards = [CARDS[number] for number in (*state.lists[seat], state.mains[seat])]
            assert Counter(card.type for card in cards) == {ITEM: 12, CHARACTER: 7, SPELL: 10, MAIN: 1}
            items = [card for card in cards if card.type == ITEM]
            others = [card.name for card in cards if card.type in (CHARACTER, SPELL)]
            assert sum(map(is_general, items)) >= 4
            assert max(Counter(card.name for card in items).values()) <= 2
            assert sum(card.teeth for card in items) <= 25
            assert len(set(others)) == 17
            assert sum(card.type == CHARACTER and card.level == 5 for card in cards) <= 2
            assert sum(card.type == SPELL and card.level == 0 for card in cards) <= 2


@rule("2.1")
def test_random_decks_are_not_all_alike():
    states = [GAME.dealt(GAME.table(), seed) for seed in range(30)]
    assert len({tuple(sorted(state.lists[seat])) for state in states for seat in range(2)}) == 60
    for code, first, end in ((ITEM, 0, FIRST_CHARACTER), (CHARACTER, FIRST_CHARACTER, FIRST_SPELL)):
        seen = {int(card) for state in states for card in state.lists.flat if first <= card < end}
        assert len(seen) == sum(card.type == code for card in CARDS)
    assert any(len(set(state.lists[0, :12])) < 12 for state in states)


def dealt_items(items, teeth, deals=12):
    """The items of decks drawn at random from two copies of each of these, which have so many teeth."""
    table = GAME.table()
    table.printed["teeth"][items] = teeth
    allowed = sorted({*items, *range(NUM_ITEMS, len(CARDS))})
    table.allowed[:, : len(allowed)], table.num_allowed[:] = allowed, len(allowed)
    lists = [GAME.dealt(table, seed).lists for seed in range(deals)]
    return table, [pair[seat, :12] for pair in lists for seat in range(2)]


GENERAL = [number for number in range(NUM_ITEMS) if is_general(CARDS[number])]
SPECIAL = [number for number in range(NUM_ITEMS) if number not in GENERAL]


@rule("2.2")
def test_random_items_have_25_teeth_at_most():
    table, decks = dealt_items([*GENERAL[:2], *SPECIAL[:5]], [2, 2, 2, 2, 2, 2, 3])
    assert max(int(table.printed["teeth"][items].sum()) for items in decks) == 25


@rule("2.2")
def test_four_random_items_at_least_are_general():
    _, decks = dealt_items([*GENERAL[:2], *SPECIAL[:5]], 1)
    assert {int(np.isin(items, GENERAL).sum()) for items in decks} == {4}
    _, decks = dealt_items([*GENERAL[:3], *SPECIAL[:4]], 1)
    assert {int(np.isin(items, GENERAL).sum()) for items in decks} == {4, 5, 6}


@rule("2.3")
def test_a_random_deck_takes_two_characters_of_level_5_and_two_spells_without_a_level_at_most():
    table = GAME.table()
    table.printed["level"][FIRST_CHARACTER + 6 : FIRST_SPELL] = 5
    table.printed["level"][FIRST_SPELL + 8 : FIRST_MAIN] = 0
    table.printed["level"][FIRST_CHARACTER : FIRST_CHARACTER + 6] = 0  # which is no bar to a character
    table.printed["level"][FIRST_SPELL : FIRST_SPELL + 8] = 5  # nor this to a spell
    for seed in range(3):
        levels = table.printed["level"][GAME.dealt(table, seed).lists]
        assert sorted((levels[:, 12:19] == 5).sum(axis=1)) in ([1, 1], [1, 2], [2, 2])
        assert (levels[:, 19:] == 0).sum(axis=1).tolist() == [2, 2]


@rule("2.2")
def test_random_items_keep_the_rules_where_chance_hardly_finds_a_way():
    table = GAME.table()
    table.printed["teeth"][:NUM_ITEMS] = 9
    cheap = [*GENERAL[:2], *SPECIAL[:5]]
    table.printed["teeth"][cheap] = [4, 4, 1, 1, 1, 1, 1]  # four general ones and eight others are 24 together
    lists = GAME.dealt(table, 1).lists
    for seat in range(2):
        taken = Counter(lists[seat, :12].tolist())
        assert [taken[number] for number in GENERAL[:2]] == [2, 2]
        assert set(taken) <= set(cheap)
        assert max(taken.values()) == 2


def table_of(mains, spares):
    """A table on which the seats play one deck each, with these mains and spare mains, by number from FIRST_MAIN."""
    table = GAME.table()
    lists = GAME.dealt(table, 1).lists
    table.pool_size[:] = 1
    table.pool[:, 0] = lists
    table.pool_main[:, 0], table.pool_spare[:, 0] = mains, spares
    return table


BLANK = int(GAME.table().blank)
A, B, C = [number for number in range(FIRST_MAIN, len(CARDS)) if number != BLANK][:3]


def mains_of(mains, spares, seeds=20):
    """The mains in play, over some games."""
    table = table_of(mains, spares)
    return {tuple(map(int, GAME.dealt(table, seed).mains)) for seed in range(seeds)}


@rule("2.4")
def test_the_main_is_put_on_the_table_and_the_other_29_cards_are_the_deck():
    table = table_of((A, B), (C, C))
    state = GAME.dealt(table, 3)
    assert state.mains.tolist() == [A, B]
    assert (state.lists == table.pool[:, 0]).all()
    assert (state.lists < FIRST_MAIN).all()
    assert state.lists.shape == (2, 29)


@rule("2.4")
@rule("2.5")
def test_different_mains_stay_whatever_the_spares_are():
    assert mains_of((A, B), (B, A)) == {(A, B)}
    assert mains_of((A, BLANK), (C, C)) == {(A, BLANK)}


@rule("2.5")
def test_a_coin_says_which_of_two_equal_mains_gives_way_to_the_spare():
    assert mains_of((A, A), (B, C)) == {(A, C), (B, A)}
    assert mains_of((A, A), (BLANK, C)) == {(A, C), (BLANK, A)}


@rule("2.5")
def test_who_has_the_same_main_as_spare_takes_the_blank_wizard():
    assert mains_of((A, A), (A, B)) == {(A, B), (BLANK, A)}
    assert mains_of((A, A), (A, A)) == {(A, BLANK), (BLANK, A)}


@rule("2.5")
def test_two_blank_wizards_are_never_the_same():
    assert mains_of((BLANK, BLANK), (A, B)) == {(BLANK, BLANK)}


@rule("2.5")
def test_the_coin_for_the_mains_is_fair():
    table = table_of((A, A), (B, C))
    kept = sum(int(GAME.dealt(table, seed).mains[0] == A) for seed in range(200))
    assert 70 < kept < 130


@rule("2.6")
def test_every_order_of_both_decks_is_equally_likely():
    table, deals = table_of((A, B), (C, C)), 400
    tops = np.zeros((2, DECK_SIZE), int)
    bottoms = np.zeros((2, DECK_SIZE), int)
    first = 0
    for seed in range(deals):
        state = GAME.dealt(table, seed)
        first += int(state.active)
        for seat in range(2):
            bottoms[seat, state.deck[seat, 0]] += 1
            tops[seat, state.deck[seat, state.deck_size[seat] - 1]] += 1
    for lies in (tops, bottoms):
        assert lies.min() > 1  # 14 expected, with a standard deviation of 3.6
        assert lies.max() < 32
    assert 150 < first < 250


@rule("2.6")
def test_each_draws_five_cards_and_the_first_player_has_a_whole_turn_with_them():
    for seed in range(10):
        s = dealt(seed)
        first = int(s.state.active)
        told = kinds_of(events(s))
        assert told[:10] == ["draws"] * 5 + ["draws"] * 5
        assert [event.seat for event in events(s)[:10]] == [0] * 5 + [1] * 5
        assert [event.seen_by for event in events(s)[:10]] == [1] * 5 + [2] * 5
        assert told[10] == "turn_begins"
        assert s.state.turn_number == 1
        assert s.state.deck_size.tolist() == [24, 24]
        assert held(s, 1 - first) == 5
        placed = len(of_kind(events(s), "places"))
        assert held(s, first) == 5 - placed
        assert asked(s)[0] == first
        if placed < 5 and levels(s) == (1, 1):
            assert asked(s) == (first, "cast")  # nobody is asked for another hand


@rule("2.7")
@pytest.mark.parametrize("mains", [(A, A), (A, B)])
def test_the_order_of_chance(mains):
    table = table_of(mains, (B, C))
    for seed in range(12):
        state = GAME.dealt(table, seed)
        stream = new_stream(seed)
        coin = below(stream, 2)
        orders = np.zeros((2, DECK_SIZE), np.int8)
        for seat in range(2):
            orders[seat] = np.arange(DECK_SIZE)
            shuffle(stream, orders[seat], DECK_SIZE)
        assert state.active == below(stream, 2)
        for seat in range(2):
            assert (state.deck[seat, :24] == orders[seat, :24]).all()
            assert (state.zone[seat, orders[seat, 24:]] != DECK).all()
        if mains == (A, A):
            assert state.mains[coin] == (B, C)[coin]
            assert state.mains[1 - coin] == A


@rule("2.7")
def test_other_mains_change_no_other_chance():
    equal, different = table_of((A, A), (B, C)), table_of((A, B), (B, C))
    for seed in range(10):
        one, other = GAME.dealt(equal, seed), GAME.dealt(different, seed)
        for name in ("deck", "zone", "active", "rng"):
            assert np.array_equal(one[name], other[name])


@rule("2.8")
def test_everybody_begins_at_level_1_without_teeth_and_with_an_empty_table():
    for seed in range(20):
        s = dealt(seed)
        first = int(s.state.active)
        if levels(s) != (1, 1):
            continue  # the items of the first hand were enough
        assert counters(s) == (0, 0)
        assert s.state.waste.tolist() == [0, 0]
        assert not np.isin(s.state.zone, (FIELD, DISCARD, CAST, USED, HELD, WORN)).any()
        assert (s.state.zone[1 - first] != POOL).all()
        assert (s.state.zone[first] == POOL).sum() == len(of_kind(events(s), "places"))
        assert total(s, 1 - first) == 0


@rule("2.8")
@pytest.mark.parametrize("filled_with", [0, 1, 7])
def test_nothing_of_what_was_before_is_left(filled_with):
    table = GAME.table()
    for seed in (5, 6):
        fresh, spent = GAME.dealt(table, seed), GAME.new_state()
        for name in spent.dtype.names:
            if name != "events":  # those beyond n_events mean nothing
                spent[name] = filled_with
        dispatch.deal(table, spent, np.uint64(seed))
        for name in fresh.dtype.names:
            if name != "events":
                assert np.array_equal(spent[name], fresh[name]), name


# --- 3. The turn ----------------------------------------------------------------------------------------------


@rule("3.1")
@both_seats
def test_a_turn_has_four_phases_and_nothing_is_drawn_at_its_beginning(seat):
    hands = by_seat(seat, ["penny", "hum", "wolf"], ["hum"])
    s = scene(at=TURN, active=seat, hand=hands, turn=7)
    assert kinds_of(events(s)) == ["turn_begins", "places", "phase_spell"]
    assert (events(s)[0].seat, events(s)[0].value) == (seat, 7)
    assert (asked(s), hand(s, seat), pool(s, seat)) == ((seat, "cast"), ["hum", "wolf"], ["penny"])
    assert kinds_of(play(s, "pass")) == ["phase_duel"]
    assert asked(s) == (seat, "attack")
    assert kinds_of(play(s, "pass")) == ["phase_redraw"]
    assert asked(s) == (seat, "discard")
    told = play(s, "pass")
    assert kinds_of(told) == ["draws"] * 3 + ["turn_begins", "phase_spell"]
    assert [event.seat for event in told] == [seat] * 3 + [1 - seat] * 2
    assert (asked(s), s.state.turn_number, held(s, 1 - seat)) == ((1 - seat, "cast"), 8, 1)


def jumped(s):
    """Whether the turn player's Discard/Redraw phase has begun in the last action."""
    return "phase_redraw" in kinds_of(events(s)) and asked(s) == (s.state.active, "discard")


@rule("3.2")
@pytest.mark.parametrize(("item", "changed"), [("florin", True), ("shilling", False)])
def test_a_change_of_level_by_items_ends_the_turn(item, changed):
    s = scene(at=TURN, hand=([item, "hum", "wolf"], []), pool=(["crown"], []))
    assert (levels(s), jumped(s)) == ((2, 1), True) if changed else ((1, 1), False)
    assert asked(s) == (0, "discard" if changed else "cast")
    told = [event.kind for event in events(s) if event.kind in ("jumps", "phase_spell", "phase_duel", "phase_redraw")]
    assert told == (["jumps", "phase_redraw"] if changed else ["phase_spell"])


@rule("3.2")
@pytest.mark.parametrize(("pool_teeth", "changed"), [(["crown"], True), (["shilling"], False)])
def test_a_change_of_level_by_a_spell_ends_the_turn(pool_teeth, changed):
    s = scene(hand=(["gain", "hum", "wolf"], []), pool=(pool_teeth, []), cards=GAIN)
    play(s, "cast gain")
    assert (levels(s), jumped(s)) == ((2, 1), True) if changed else ((1, 1), False)
    assert asked(s) == (0, "discard" if changed else "cast")


@rule("3.2")
@pytest.mark.parametrize(("guard", "changed"), [(3, True), (4, False)])
def test_a_change_of_the_other_players_level_ends_the_turn_too(guard, changed):
    s = scene(
        at=DUEL,
        hand=(["wolf", "hum"], []),
        field=(["knight"], []),
        mains=("nevin", "foe"),
        level=(2, 2),
        cards={"foe": main(0, guard)},
    )
    play(s, "attack knight")
    assert (levels(s), jumped(s)) == (((2, 1), True) if changed else ((2, 2), False))
    assert asked(s) == (0, "discard" if changed else "attack")


@rule("3.2")
def test_the_change_waits_for_the_end_of_the_event():
    s = scene(
        hand=(["all", "hum"], ["hum"]), pool=(["crown"], []), cards={"all": spell(mode(gain=9, discard=1, draw=2))}
    )
    told = kinds_of(play(s, "cast all"))
    assert told == [
        "casts",
        "gains",
        "gives_up",
        "draws",
        "draws",
        "rises",
        "resets",
        "jumps",
        "phase_redraw",
        "spells_leave",
    ]


@rule("3.3")
@both_seats
def test_after_a_jump_the_turn_player_redraws_and_the_other_does_nothing(seat):
    """The blocker's win lifts its player, in the turn of the other."""
    s = scene(
        at=DUEL,
        active=seat,
        hand=by_seat(seat, ["hum", "wolf"], ["hum", "hum"]),
        field=by_seat(seat, ["page"], ["knight"]),
        level=(2, 2),
        earned=by_seat(seat, 0, 5),
    )
    play(s, "attack page", "block knight")  # the knight earns 7
    assert levels(s) == by_seat(seat, 2, 3)
    assert field(s, 1 - seat) == ["knight"]
    assert asked(s) == (seat, "discard")
    theirs = (held(s, 1 - seat), int(s.state.deck_size[1 - seat]), discards(s, 1 - seat))
    told = play(s, "pass")
    assert [event.seat for event in of_kind(told, "draws")] == [seat] * 3
    assert (held(s, 1 - seat), int(s.state.deck_size[1 - seat]), discards(s, 1 - seat)) == theirs
    assert asked(s) == (1 - seat, "cast")


@rule("3.3")
def test_after_a_jump_characters_stay_on_the_field_and_do_not_fight():
    s = scene(at=DUEL, hand=(["hum", "squire"], []), field=(["knight", "wolf"], ["page"]), level=(2, 2))
    play(s, "attack knight", "main")
    assert levels(s) == (2, 1)
    assert (field(s, 0), field(s, 1)) == (["knight", "wolf"], ["page"])
    assert legal(s) == ["pass", "discard squire", "discard hum"]
    assert counters(s) == (7, 0)


@rule("3.3")
def test_a_spell_left_after_a_jump_stays_in_the_hand():
    s = scene(hand=(["gain", "hum"], []), pool=(["crown"], []), cards=GAIN)
    play(s, "cast gain", "pass")
    assert "hum" in hand(s, 0)
    assert s.state.active == 1


@rule("3.4")
@pytest.mark.parametrize(
    ("theirs", "question"),
    [(["crown"], None), (["crown", "crown"], None), (["crown", "florin"], "pay"), (["crown", "pebble"], None)],
)
def test_a_single_distinct_payment_is_not_asked_for(theirs, question):
    s = scene(hand=(["theft", "hum"], []), pool=([], theirs), cards={"theft": spell(mode(steal=1))})
    play(s, "cast theft")
    assert asked(s) == ((1, question) if question else (0, "cast"))


@rule("3.4")
@pytest.mark.parametrize(
    ("theirs", "question"),
    [(["crown"], None), (["crown", "crown"], None), (["crown", "pebble"], "destroy"), ([], None)],
)
def test_a_single_distinct_target_is_not_asked_for(theirs, question):
    s = scene(hand=(["blast", "hum"], []), pool=([], theirs), cards={"blast": spell(mode(destroys=3))})
    play(s, "cast blast")
    assert asked(s) == (0, question or "cast")
    assert len(pool(s, 1)) == len([name for name in theirs if name != "pebble"]) - (not question and bool(theirs))


@rule("3.4")
@pytest.mark.parametrize(
    ("mine", "question"), [(["sword"], None), (["sword", "sword", "shield"], None), (["sword", "club"], "hold")]
)
def test_a_single_distinct_item_that_fits_is_not_asked_for(mine, question):
    s = scene(hand=(["spin", "hum"], []), pool=(mine, []), cards={"spin": spell(needs="weapon")})
    play(s, "cast spin")
    assert asked(s) == (0, question or "cast")


WARD = {"hex": spell(counters=["ward"]), "ward": spell(counters=["hex"]), "theft": spell(mode(discard=1))}
HIDDEN = [
    # where it begins, what is done, who is asked what, whose card is swapped with one of his deck
    ("cast", {}, [], (0, "cast"), 0, "ward", "pebble"),
    ("counter", {"hand": (["hex"], [])}, ["cast hex"], (1, "counter"), 1, "ward", "pebble"),
    ("attack", {"at": DUEL, "field": (["ogre"], [])}, [], (0, "attack"), 0, "wolf", "pebble"),
    ("block", {"at": DUEL, "field": (["wolf"], [])}, ["attack wolf"], (1, "block"), 1, "page", "pebble"),
    ("discard", {"at": REDRAW}, [], (0, "discard"), 0, "hum", "pebble"),
]


@rule("3.4")
@pytest.mark.parametrize(
    ("facts", "actions", "question", "seat", "first", "second"), [h[1:] for h in HIDDEN], ids=[h[0] for h in HIDDEN]
)
def test_being_asked_does_not_hang_on_what_one_holds(facts, actions, question, seat, first, second):
    for in_hand, in_deck in ((first, second), (second, first)):
        hands = [list(names) for names in facts.get("hand", ([], []))]
        hands[seat].append(in_hand)
        s = scene(**facts | {"hand": tuple(hands), "deck": by_seat(seat, [in_deck], [])}, cards=WARD)
        play(s, *actions)
        assert asked(s) == question


@rule("3.5")
@pytest.mark.parametrize(
    ("level", "earned", "pools", "winner"),
    [
        ((2, 1), (0, 7), ([], ["crown"]), 0),
        ((1, 4), (7, 0), ([], []), 1),
        ((3, 3), (4, 3), ([], []), 0),
        ((3, 3), (4, 3), ([], ["shilling"]), 1),
        ((3, 3), (4, 2), ([], ["shilling"]), -1),
    ],
)
def test_after_the_last_turn_the_level_and_then_the_total_decide(level, earned, pools, winner):
    s = scene(at=REDRAW, hand=(["hum"], []), level=level, earned=earned, pool=pools, turn=9, rules={"max_turns": 9})
    assert asked(s) == (0, "discard")
    told = play(s, "pass")
    assert kinds_of(told) == ["draws"] * 4 + ["game_over"]
    assert result(s) == (winner, "turn cap")
    assert (legal(s), s.state.phase, held(s, 0)) == ([], FINISHED, 5)


@rule("3.5")
def test_the_game_goes_on_before_the_last_turn():
    s = scene(at=REDRAW, hand=(["hum"], ["hum"]), level=(2, 1), turn=8, rules={"max_turns": 9})
    play(s, "pass")
    assert (s.state.over, s.state.turn_number, asked(s)) == (0, 9, (1, "cast"))
    play(s, "pass", "pass", "pass")
    assert result(s) == (0, "turn cap")
    assert GAME.table().max_turns == 400


@rule("3.5")
def test_who_graduates_in_the_last_turn_has_won_by_that():
    facts = {"level": (5, 5), "earned": (21, 23), "turn": 9, "rules": {"max_turns": 9}, "cards": GAIN}
    s = scene(hand=(["gain", "hum"], []), **facts)
    play(s, "cast gain")
    assert result(s) == (0, "graduation")
    s = scene(hand=(["gain", "hum"], []), **facts | {"earned": (20, 22)})
    play(s, "cast gain", "pass", "pass", "pass")
    assert result(s) == (0, "turn cap")  # 23 against 22


@rule("3.5")
def test_waste_does_not_count_in_the_total_that_decides():
    rules = {"max_turns": 9, "level5_cap": "cap_23"}
    facts = {"at": REDRAW, "level": (5, 5), "pool": (["nugget"], []), "turn": 9, "rules": rules, "hand": (["hum"], [])}
    for waste, winner in ((1, 0), (2, -1), (3, 1)):
        s = scene(**facts, earned=(0, 7), waste=(waste, 0))
        play(s, "pass")
        assert result(s) == (winner, "turn cap")


# --- 4. Item phase --------------------------------------------------------------------------------------------


@rule("4.1")
@both_seats
def test_all_items_of_the_turn_players_hand_go_into_his_pool(seat):
    mine = ["pebble", "penny", "ale", "sword", "sword", "hum", "page"]
    s = scene(at=TURN, active=seat, hand=by_seat(seat, mine, ["florin", "hum"]), level=(5, 5))
    assert pool(s, seat) == ["ale", "penny", "sword", "sword"]
    assert hand(s, seat) == ["hum", "page"]
    told = of_kind(events(s), "places")
    assert [(event.card, event.value) for event in told] == [
        ("pebble", 0),
        ("penny", 1),
        ("ale", 1),
        ("sword", 2),
        ("sword", 2),
    ]
    assert {(event.seat, event.seen_by) for event in told} == {(seat, 3)}
    assert total(s, seat) == 6
    assert (hand(s, 1 - seat), pool(s, 1 - seat), total(s, 1 - seat)) == (["florin", "hum"], [], 0)
    assert asked(s) == (seat, "cast")


@rule("4.1")
def test_items_go_in_together_and_levels_are_tested_once_when_the_last_lies_there():
    s = scene(at=TURN, hand=(["crown", "nugget", "nugget", "hum"], []))
    assert kinds_of(events(s))[:6] == ["turn_begins", "places", "places", "places", "rises", "resets"]
    assert levels(s) == (2, 1)
    assert (pool(s, 0), total(s, 0)) == ([], 0)
    assert sorted(name for name in deck(s, 0) if name != "pebble") == ["crown", "nugget", "nugget"]


@rule("4.1")
def test_items_are_placed_also_if_that_is_of_no_use():
    s = scene(at=TURN, hand=(["pebble", "pebble"], ["hum"]))
    assert (held(s, 0), total(s, 0)) == (0, 0)
    assert (s.state.zone[0] == POOL).sum() == 2
    assert asked(s) == (0, "cast")


DRAWING = {"study": spell(mode(draw=1)), "spin": spell(needs="sword")}


@rule("4.2")
def test_an_item_drawn_later_stays_in_the_hand_until_the_owners_next_item_phase():
    s = scene(hand=(["study", "spin"], []), deck=(["sword"], []), cards=DRAWING)
    play(s, "cast study")
    assert (hand(s, 0), pool(s, 0), total(s, 0)) == (["spin", "sword"], [], 0)
    assert legal(s) == ["pass"]  # it meets no requirement yet
    play(s, "pass", "pass", "pass")  # the turn of player_1, who holds no card, has begun
    assert s.state.active == 1
    assert "sword" in hand(s, 0)
    while s.state.active == 1:
        play(s, "pass")
    assert (pool(s, 0), total(s, 0)) == (["sword"], 2)
    assert legal(s) == ["pass", "cast spin"]


@rule("4.2")
def test_an_item_of_the_hand_may_be_discarded():
    s = scene(at=REDRAW, hand=(["sword", "hum"], []))
    play(s, "discard sword")
    assert (discards(s, 0), hand(s, 0)) == (["sword"], ["hum"])


@rule("4.2")
def test_items_drawn_in_the_redraw_wait_for_the_next_own_turn():
    s = scene(at=REDRAW, hand=(["hum"], ["hum"]), deck=(["florin", "crown"], []))
    play(s, "pass")
    assert (hand(s, 0), pool(s, 0), held(s, 0)) == (["crown", "florin", "hum"], [], 5)
    play(s, "pass", "pass", "pass")
    assert levels(s) == (2, 1)  # 8 together


# --- 12. Discard/Redraw and recycling -------------------------------------------------------------------------


@rule("12.1")
@both_seats
def test_used_spells_leave_first_then_cards_are_discarded_then_the_hand_is_filled_up(seat):
    mine = ["hum", "page", "wolf"]
    s = scene(
        at=REDRAW, active=seat, hand=by_seat(seat, mine, ["hum"]), used=by_seat(seat, ["spin"], []), cards=DRAWING
    )
    assert [(event.kind, event.card, event.seen_by) for event in events(s)] == [
        ("phase_redraw", None, 3),
        ("spells_leave", "spin", 3),
    ]
    assert (discards(s, seat), used(s, seat), asked(s)) == (["spin"], [], (seat, "discard"))
    assert sorted(legal(s)) == ["discard hum", "discard page", "discard wolf", "pass"]
    told = play(s, "discard hum")
    assert [(event.kind, event.seat, event.card, event.seen_by) for event in told] == [("discards", seat, "hum", 3)]
    assert asked(s) == (seat, "discard")
    told = play(s, "discard wolf", "pass")
    assert kinds_of(told) == ["discards"] + ["draws"] * 4 + ["turn_begins", "phase_spell"]
    assert {event.seen_by for event in of_kind(told, "draws")} == {1 << seat}
    assert discards(s, seat) == ["hum", "spin", "wolf"]
    assert (held(s, seat), hand(s, seat)) == (5, ["page"])


@rule("12.1")
def test_nothing_need_be_discarded_and_all_may_be():
    s = scene(at=REDRAW, hand=(["hum", "page"], []))
    kept = copied(s)
    play(kept, "pass")
    assert (hand(kept, 0), held(kept, 0), discards(kept, 0)) == (["hum", "page"], 5, [])
    told = play(s, "discard page", "discard hum")  # with an empty hand there is nothing to ask
    assert len(of_kind(told, "draws")) == 5
    assert (discards(s, 0), held(s, 0), s.state.active) == (["hum", "page"], 5, 1)


@rule("12.1")
def test_cards_are_drawn_from_the_top_of_the_deck():
    s = scene(at=REDRAW, hand=(["hum"], []), deck=(["page", "wolf", "ogre", "giant", "dragon"], []))
    told = play(s, "pass")
    assert [event.card for event in of_kind(told, "draws")] == ["page", "wolf", "ogre", "giant"]
    assert deck(s, 0)[0] == "dragon"


@rule("12.2")
def test_a_hand_above_five_must_come_down_to_five():
    s = scene(at=REDRAW, hand=(["hum"] * 2 + ["page"] * 2 + ["wolf"] * 3, []))
    for left in (7, 6):
        assert held(s, 0) == left
        assert set(legal(s)) == {"discard hum", "discard page", "discard wolf"}
        play(s, "discard wolf")
    assert "pass" in legal(s)
    more = copied(s)
    assert of_kind(play(s, "pass"), "draws") == []
    assert held(s, 0) == 5
    play(more, "discard wolf")  # and may go on
    assert held(more, 0) == 4
    assert len(of_kind(play(more, "pass"), "draws")) == 1


@rule("12.2")
@pytest.mark.parametrize(("mine", "question"), [(["pebble"], (0, "discard")), ([], (1, "cast"))])
def test_who_holds_a_card_is_asked_whatever_it_is(mine, question):
    s = scene(at=REDRAW, hand=(mine, ["hum"]))
    assert asked(s) == question
    assert held(s, 0) == (1 if mine else 5)


@rule("12.3")
@both_seats
def test_the_other_player_neither_discards_nor_draws(seat):
    hands, spent = by_seat(seat, ["hum"], ["page"] * 7), by_seat(seat, [], ["wolf"])
    s = scene(at=REDRAW, active=seat, hand=hands, discard=spent)
    told = play(s, "pass")
    assert {event.seat for event in of_kind(told, "draws", "discards")} == {seat}
    assert (held(s, 1 - seat), discards(s, 1 - seat)) == (7, ["wolf"])
    assert asked(s) == (1 - seat, "cast")


@rule("12.3")
def test_a_hand_is_filled_up_at_no_other_time():
    s = scene(hand=(["fine", "hum"], ["page", "page"]), cards={"fine": spell(mode(discard=2))})
    play(s, "cast fine", "cast hum")
    assert [held(s, 0), held(s, 1)] == [0, 0]
    play(s, "pass")  # the Duel phase; the redraw asks nothing
    assert [held(s, 0), held(s, 1)] == [5, 0]
    assert asked(s) == (1, "cast")


@rule("12.4")
def test_an_empty_deck_takes_in_the_discards_also_those_of_just_before():
    facts = {"at": REDRAW, "rest": (POOL, DECK)}
    s = scene(hand=(["hum", "page", "wolf"], []), discard=(["ogre"], []), deck=(["giant"], []), **facts)
    told = play(s, "discard hum", "pass")
    assert kinds_of(told)[:6] == ["discards", "draws", "recycles", "draws", "draws", "turn_begins"]
    assert of_kind(told, "recycles")[0].value == 2
    assert (hand(s, 0), discards(s, 0), deck(s, 0)) == (["giant", "hum", "ogre", "page", "wolf"], [], [])


@rule("12.4")
def test_without_an_empty_deck_the_discards_stay():
    s = scene(at=REDRAW, hand=(["hum"] * 4, []), discard=(["ogre"], []), deck=(["giant"], []), rest=(POOL, DECK))
    told = play(s, "pass")  # the last card of the deck is drawn, and no more is wanted
    assert of_kind(told, "recycles") == []
    assert (discards(s, 0), deck(s, 0), held(s, 0)) == (["ogre"], [], 5)


@rule("12.4")
def test_the_discards_are_shuffled():
    orders = set()
    for seed in range(12):
        facts = {"discard": (["ogre", "giant", "dragon"], []), "rest": (POOL, DECK), "seed": seed}
        s = scene(hand=(["study", "hum"], []), cards=DRAWING, **facts)
        play(s, "cast study")
        assert (len(deck(s, 0)), discards(s, 0)) == (2, [])
        orders.add((*hand(s, 0), *deck(s, 0)))
    assert len(orders) >= 4


@rule("12.4")
def test_spells_being_cast_or_used_are_not_among_the_discards():
    cards = {"study": spell(mode(draw=3)), "spin": spell()}
    s = scene(hand=(["study", "hum"], []), used=(["spin"], []), discard=(["ogre"], []), rest=(POOL, DECK), cards=cards)
    told = play(s, "cast study")
    assert [event.card for event in of_kind(told, "draws")] == ["ogre"]
    assert (used(s, 0), hand(s, 0), deck(s, 0)) == (["spin", "study"], ["hum", "ogre"], [])
    told = play(s, "pass", "pass")
    assert sorted(event.card for event in of_kind(told, "spells_leave")) == ["spin", "study"]
    told = play(s, "pass")  # by now they are discards
    assert sorted(event.card for event in of_kind(told, "draws")) == ["spin", "study"]


@rule("12.4")
def test_without_any_card_to_draw_nothing_happens_and_it_costs_nothing():
    s = scene(at=REDRAW, hand=(["hum"], ["hum"]), rest=(POOL, DECK), level=(2, 3), earned=(1, 0))
    told = play(s, "pass")
    assert kinds_of(told) == ["turn_begins", "phase_spell"]
    assert (held(s, 0), levels(s), counters(s), s.state.over) == (1, (2, 3), (1, 0), 0)
    assert s.state.shuffles.tolist() == [0, 0]


REDRAWS = {"recycle": "every_redraw"}


@rule("12.5")
@both_seats
def test_under_every_redraw_the_turn_players_discards_return_before_he_draws(seat):
    hands, spent = by_seat(seat, ["hum", "page"], ["hum"]), by_seat(seat, ["ogre"], ["giant"])
    facts = {"at": REDRAW, "active": seat, "hand": hands, "discard": spent, "used": by_seat(seat, ["spin"], [])}
    s = scene(**facts, rules=REDRAWS, cards=DRAWING)
    told = play(s, "discard page", "pass")
    assert kinds_of(told) == ["discards", "recycles"] + ["draws"] * 4 + ["turn_begins", "phase_spell"]
    assert (of_kind(told, "recycles")[0].seat, of_kind(told, "recycles")[0].value) == (seat, 3)
    assert (discards(s, seat), discards(s, 1 - seat)) == ([], ["giant"])
    assert sorted(name for name in deck(s, seat) + hand(s, seat) if name != "pebble") == ["hum", "ogre", "page", "spin"]
    s = scene(**facts, cards=DRAWING)  # and not by default
    play(s, "discard page", "pass")
    assert discards(s, seat) == ["ogre", "page", "spin"]


@rule("12.5")
def test_under_every_redraw_they_return_also_if_nothing_is_drawn():
    s = scene(at=REDRAW, hand=(["hum"] * 5, []), discard=(["ogre"], []), rules=REDRAWS)
    assert kinds_of(play(s, "pass"))[:2] == ["recycles", "turn_begins"]
    assert (discards(s, 0), deck(s, 0).count("ogre")) == ([], 1)


@rule("12.5")
def test_under_every_redraw_a_deck_that_got_nothing_is_not_shuffled():
    s = scene(at=REDRAW, hand=(["hum"] * 5, ["hum"]), deck=(["page", "wolf", "ogre"], []), rules=REDRAWS, seed=4)
    order = deck(s, 0)
    assert kinds_of(play(s, "pass")) == ["turn_begins", "phase_spell"]
    assert (deck(s, 0), int(s.state.rng), int(s.state.shuffles[0])) == (order, 4, 0)


LEVELS = {"recycle": "level_change"}


@rule("12.6")
@both_seats
def test_under_level_change_the_discards_return_with_the_items(seat):
    facts = {
        "active": seat,
        "hand": by_seat(seat, ["gain", "hum"], []),
        "pool": by_seat(seat, ["crown"], []),
        "discard": by_seat(seat, ["ogre", "page"], ["giant"]),
        "used": by_seat(seat, ["spin"], []),
        "cards": GAIN | DRAWING,
    }
    s = scene(**facts, rules=LEVELS)
    told = play(s, "cast gain")
    assert levels(s) == by_seat(seat, 2, 1)
    assert of_kind(told, "recycles")[0].value == 2
    assert sorted(name for name in deck(s, seat) if name != "pebble") == ["crown", "ogre", "page"]
    assert discards(s, seat) == ["gain", "spin"]  # used spells became discards only in the redraw that follows
    assert discards(s, 1 - seat) == ["giant"]
    for recycle in ("when_empty", "every_redraw"):
        s = scene(**facts, rules={"recycle": recycle})
        play(s, "cast gain")
        assert discards(s, seat) == ["gain", "ogre", "page", "spin"]
        assert sorted(name for name in deck(s, seat) if name != "pebble") == ["crown"]


@rule("12.6")
def test_under_level_change_what_the_event_has_put_there_returns_too():
    s = scene(
        at=DUEL,
        field=(["knight"], []),
        pool=(["sword"], ["shield", "ale"]),
        level=(3, 3),
        mains=("nevin", "foe"),
        cards={"foe": main(0, 3)},
        rules=LEVELS,
        discard=(["ogre"], ["wolf"]),
    )
    play(s, "attack knight", "equip sword", "equip shield", "equip ale")  # 6 against 5
    assert levels(s) == (3, 2)
    assert sorted(name for name in deck(s, 1) if name != "pebble") == ["ale", "shield", "wolf"]
    assert discards(s, 1) == []
    assert (discards(s, 0), pool(s, 0)) == (["ogre"], ["sword"])


@rule("12.6")
def test_under_level_change_a_turn_without_one_leaves_the_discards():
    s = scene(hand=(["gain", "hum"], []), discard=(["ogre"], []), cards=GAIN, rules=LEVELS)
    play(s, "cast gain", "pass", "pass", "pass")
    assert discards(s, 0) == ["gain", "ogre"]


@rule("12.6")
@pytest.mark.parametrize("recycle", ["when_empty", "every_redraw", "level_change"])
def test_under_every_value_an_empty_deck_takes_in_the_discards(recycle):
    facts = {"discard": (["ogre"], []), "rest": (POOL, DECK), "rules": {"recycle": recycle}}
    s = scene(hand=(["study", "hum"], []), cards=DRAWING, **facts)
    told = play(s, "cast study")
    assert of_kind(told, "recycles")[0].value == 1
    assert hand(s, 0) == ["hum", "ogre"]
