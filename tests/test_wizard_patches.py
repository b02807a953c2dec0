"""Section 15 of the rules of Wizard in Training: cards that a config has changed.

Scenes are laid with the cards of the game, as changes are made to these; each sets the numbers that it hangs on.
"""

import numpy as np
import pytest
from conftest import SHIPPED_DECKS
from random_patches import assert_sound, blank_cards, random_patches
from wizard_patched import NUMBER, laid
from wizard_scenes import DUEL, GAME, TURN, asked, legal, of_kind, play, total

from duelbench.envs.decks import read_deck
from duelbench.envs.errors import BadInput
from duelbench.envs.jit import INTERPRETED
from duelbench.envs.wizard_in_training import state as layout
from duelbench.envs.wizard_in_training.card import is_general
from duelbench.envs.wizard_in_training.cards import (
    CARDS,
    CHARACTER,
    FIRST_CHARACTER,
    FIRST_SPELL,
    ITEM,
    MAIN,
    NUM_CARDS,
    NUM_ITEMS,
    SPELL,
)

pytestmark = pytest.mark.numba_modes

DECKS = sorted((SHIPPED_DECKS / "wizard_in_training").glob("*.yaml"))
SPEAKING = blank_cards(GAME)
ALL_OTHER_WAYS = {
    "recycle": "every_redraw",
    "level5_cap": "cap_23",
    "duel_reward": "loser_sum",
    "duel_commit": "hidden_equipment",
    "duel_double_hit": "attacker_wins",
}
SHORT = {"max_turns": 20} if INTERPRETED else {}
A_FEW = 1 if INTERPRETED else 10
"""Random games of one kind: without compilation they take long."""

MODES = [
    "steal 20",
    "gain 20",
    "draw 9",
    "discard 9",
    "destroy any & steal 1",
    "other_attack -9 & other_defend -9",
    "every_duel: attack +9 & defend +9",
    "gain 20 & steal 20 & destroy any & discard 9 & draw 9 & attack +9 & defend +9",
]
TEXTS = {f"mode_{k}": MODES for k in (1, 2, 3)}


def rule(number):
    return pytest.mark.rule("wizard_in_training", number)


def table(**patches):
    return GAME.table(cards=patches)


def refusal(**patches):
    with pytest.raises(BadInput) as error:
        GAME.check_patches(patches, "my.yaml")
    assert "\n" not in str(error.value)
    return str(error.value)


# --- Numbers and effects --------------------------------------------------------------------------------------


@rule("15.5")
@pytest.mark.parametrize(("patches", "teeth"), [({}, 2), ({"willow_wand": {"teeth": 7}}, 7)])
def test_an_item_is_worth_its_changed_teeth(patches, teeth):
    s = laid(patches, at=TURN, hand=(["willow_wand"], []))
    assert total(s, 0) == teeth


@rule("15.5")
def test_a_spell_has_its_changed_effect_and_its_other_one_as_printed():
    patches = {"study_hour": {"mode_1": "gain 5 & discard 1"}}
    s = laid(patches, hand=(["study_hour", "loose_change"], ["paper_owl"]))
    gained = of_kind(play(s, "cast study_hour", "mode 0"), "gains", "gives_up")
    assert [(event.kind, event.seat, event.value) for event in gained] == [("gains", 0, 5), ("gives_up", 1, 0)]
    s = laid(patches, hand=(["study_hour", "loose_change"], ["paper_owl"]))
    play(s, "cast study_hour", "mode 1")
    assert total(s, 0) == 2


@rule("15.5")
def test_a_level_says_when_a_spell_and_a_character_may_come():
    hand = (["study_hour", "paper_owl"], [])
    assert "cast study_hour" in legal(laid({}, hand=hand))
    assert "cast study_hour" not in legal(laid({"study_hour": {"level": 2}}, hand=hand))
    assert "attack paper_owl" in legal(laid({}, at=DUEL, hand=hand))
    assert "attack paper_owl" not in legal(laid({"paper_owl": {"level": 2}}, at=DUEL, hand=hand))


@rule("15.5")
@rule("15.1")
@pytest.mark.parametrize(("attack", "winner"), [(2, None), (3, 0)])
def test_a_fighter_has_its_changed_numbers_and_earns_them(attack, winner):
    s = laid({"paper_owl": {"attack": attack, "defend": 3}}, at=DUEL, hand=(["paper_owl"], []))
    won = of_kind(play(s, "attack paper_owl"), "wins", "gains")
    expected = [] if winner is None else [("wins", 0, 0), ("gains", 0, attack + 3)]
    assert [(event.kind, event.seat, event.value) for event in won] == expected


@rule("15.5")
def test_a_main_and_a_potion_have_their_changed_numbers():
    changed = table(kelli_crisp={"attack": 9, "defend": 8}, nettle_tonic={"drink_attack": -3})
    kelli, tonic = changed.cards[NUMBER["kelli_crisp"]], changed.cards[NUMBER["nettle_tonic"]]
    assert (kelli.attack, kelli.defend, tonic.drink_attack, tonic.drink_defend) == (9, 8, -3, 0)


@rule("15.1")
@pytest.mark.parametrize("seat", [0, 1])
def test_a_card_is_changed_for_both_players(seat):
    hands = (["willow_wand"], []) if seat == 0 else ([], ["willow_wand"])
    s = laid({"willow_wand": {"teeth": 7}}, pool=hands)
    assert total(s, seat) == 7


# --- Decks ----------------------------------------------------------------------------------------------------


@rule("15.2")
@pytest.mark.parametrize("decks", [None, {"player_0": str(DECKS[0]), "player_1": str(DECKS[1])}])
def test_the_cards_of_a_deal_lie_where_they_would_without_the_change(decks):
    every_item = {card.id: {"teeth": 25} for card in CARDS if card.type == ITEM}
    every_character = {card.id: {"level": 5} for card in CARDS if card.type == CHARACTER and card.level}
    blank = {card: {"blank": True} for card in SPEAKING if card not in every_item}
    plain = GAME.table(decks=decks)
    for patches in (every_item, every_character, blank, {"willow_wand": {"exchange": "lost_mitten"}}):
        changed = GAME.table(decks=decks, cards=patches)
        for seed in range(12):
            one, other = GAME.dealt(plain, seed), GAME.dealt(changed, seed)
            assert one.lists.tolist() == other.lists.tolist()
            assert one.mains.tolist() == other.mains.tolist()
            assert one.active == other.active
            if patches is not every_item:  # whose teeth may end the first turn at once
                assert one.deck.tolist() == other.deck.tolist()


@rule("15.2")
def test_a_shipped_deck_is_legal_whatever_its_items_are_worth():
    deck = read_deck(GAME, DECKS[0])
    dear = {CARDS[number].id: {"teeth": 25} for number in set(deck.cards) if CARDS[number].type == ITEM}
    state = GAME.dealt(GAME.table(decks=deck, cards=dear), 1)
    assert sorted([*state.lists[0].tolist(), int(state.mains[0])]) == sorted(deck.cards)


# --- Blank cards ----------------------------------------------------------------------------------------------


@rule("15.3")
def test_an_item_without_its_text_is_a_general_one_of_the_same_teeth():
    for number in range(NUM_ITEMS):
        if not is_general(CARDS[number]):
            blank = GAME.check_patches({CARDS[number].id: {"blank": True}})[number]
            assert is_general(blank)
            assert (blank.teeth, blank.drink_attack, blank.drink_defend, blank.drink_teeth) == (
                CARDS[number].teeth,
                *(0, 0, 0),
            )


@rule("15.3")
def test_an_item_without_its_text_is_neither_worn_nor_drunk_and_meets_no_word_but_its_name():
    blank = {"garden_scythe": {"blank": True}, "nettle_tonic": {"blank": True}}
    pool = (["garden_scythe", "nettle_tonic", "willow_wand"], [])
    s = laid(blank, at=DUEL, pool=pool, hand=(["candle_imp"], []))
    play(s, "attack candle_imp")
    assert legal(s) == ["pass", "equip willow_wand"]
    s = laid(blank, pool=pool, hand=(["raid_on_the_vault"], []), level=(4, 1))
    played = play(s, "cast raid_on_the_vault", "mode 0")
    assert [event.card for event in of_kind(played, "item_back")] == ["willow_wand"]
    s = laid(
        blank, pool=(["garden_scythe"], []), hand=(["harvest_by_lamplight", "raid_on_the_vault"], []), level=(4, 1)
    )
    assert legal(s) == ["pass", "cast harvest_by_lamplight"]


@rule("15.3")
def test_a_character_without_its_text_wears_nothing_and_keeps_its_numbers():
    for number in range(FIRST_CHARACTER, FIRST_SPELL):
        if CARDS[number].item_ability:
            changed = GAME.table(cards={CARDS[number].id: {"blank": True}})
            assert not changed.wears[number - FIRST_CHARACTER].any()
            assert np.delete(changed.wears, number - FIRST_CHARACTER, 0).any()
            assert changed.cards.tobytes() == GAME.table().cards.tobytes()


@rule("15.3")
@pytest.mark.parametrize("spell", [card.id for card in CARDS if card.type == SPELL])
def test_a_spell_without_its_text_can_be_cast_and_does_nothing(spell):
    level = max(CARDS[NUMBER[spell]].level, 1)
    pool, field = (["star_locket"], ["star_locket"]), ([], ["paper_owl"])
    s = laid(
        {spell: {"blank": True}},
        hand=([spell, "paper_owl"], ["inkwell_toad"]),
        pool=pool,
        field=field,
        level=(level, 1),
    )
    before = [total(s, 0), total(s, 1), s.state.hand_size[1], s.state.field_size[1], s.state.deck_size.tolist()]
    assert s.table.cards[NUMBER[spell]].num_modes == 1
    happened = play(s, f"cast {spell}")
    assert [event.kind for event in happened] == ["casts"]
    assert asked(s) == (0, "cast")
    assert [total(s, 0), total(s, 1), s.state.hand_size[1], s.state.field_size[1], s.state.deck_size.tolist()] == before
    assert not s.state.boost.any()


@rule("15.3")
def test_a_spell_without_its_text_counters_nothing_and_may_be_countered():
    hand = (["loose_change", "paper_owl"], ["locked_drawer"])
    s = laid({"locked_drawer": {"blank": True}}, hand=hand)
    play(s, "cast loose_change", "mode 0")
    assert asked(s) == (0, "cast")
    s = laid({"loose_change": {"blank": True}}, hand=hand)
    play(s, "cast loose_change")
    assert asked(s) == (1, "counter")
    assert [event.card for event in of_kind(play(s, "counter locked_drawer"), "countered")] == ["loose_change"]


@rule("15.3")
def test_cards_that_say_nothing_cannot_be_blank():
    silent = [card for card in NUMBER if card not in SPEAKING]
    assert {CARDS[NUMBER[card]].type for card in silent} == {ITEM, CHARACTER, MAIN}
    for card in silent:
        facts = CARDS[NUMBER[card]]
        assert facts.type == MAIN or is_general(facts) or (facts.type == CHARACTER and not facts.item_ability)
        assert refusal(**{card: {"blank": True}}) == (
            f"my.yaml: cards.{card}.blank: found true, but the card has no text that it could lose"
        )


def test_every_blank_card_is_played_in_sound_games():
    for number, blank in enumerate(SPEAKING[:: 10 if INTERPRETED else 1]):
        rules = SHORT | (ALL_OTHER_WAYS if number % 2 else {})
        assert_sound(GAME, {blank: {"blank": True}}, A_FEW, rules, first_seed=100 * number)


def test_games_in_which_no_card_says_anything_are_sound():
    assert_sound(GAME, {card: {"blank": True} for card in SPEAKING}, A_FEW, SHORT)


# --- Exchange -------------------------------------------------------------------------------------------------


@rule("15.4")
@pytest.mark.parametrize(
    ("card", "other"),
    [
        ("willow_wand", "lost_mitten"),
        ("paper_owl", "furnace_wyrm"),
        ("study_hour", "last_bell"),
        ("nevin_crisp", "kelli_crisp"),
    ],
)
def test_two_cards_trade_everything_but_what_they_are_called(card, other):
    cards = GAME.check_patches({card: {"exchange": other}})
    one, two = CARDS[NUMBER[card]], CARDS[NUMBER[other]]
    called = {word: getattr(one, word) for word in ("id", "name", "name_ja")}
    assert cards[NUMBER[card]] == two._replace(**called)
    called = {word: getattr(two, word) for word in called}
    assert cards[NUMBER[other]] == one._replace(**called)
    unchanged = [number for number in range(NUM_CARDS) if number not in (NUMBER[card], NUMBER[other])]
    assert [cards[number] for number in unchanged] == [CARDS[number] for number in unchanged]


@rule("15.4")
@rule("15.6")
def test_words_in_texts_go_on_meaning_names_and_the_subtypes_that_there_are_now():
    """The orchard giant wears the card called Garden Scythe, which is no weapon now; the mitten is one."""
    traded = {"garden_scythe": {"exchange": "lost_mitten"}}
    changed = GAME.table(cards=traded)
    giant, imp = NUMBER["orchard_giant"] - FIRST_CHARACTER, NUMBER["candle_imp"] - FIRST_CHARACTER
    scythe, mitten = NUMBER["garden_scythe"], NUMBER["lost_mitten"]
    assert GAME.table().wears[giant, [scythe, mitten]].tolist() == [1, 0]
    assert changed.wears[giant, [scythe, mitten]].tolist() == [0, 0]
    assert changed.wears[imp, [scythe, mitten]].tolist() == [0, 1]
    harvest, raid = NUMBER["harvest_by_lamplight"] - FIRST_SPELL, NUMBER["raid_on_the_vault"] - FIRST_SPELL
    assert changed.fits[harvest, [scythe, mitten]].tolist() == [1, 0]
    assert changed.fits[raid, [scythe, mitten]].tolist() == [0, 1]


@rule("15.6")
def test_a_spell_that_has_traded_with_one_that_it_counters_names_itself():
    changed = GAME.table(cards={"loose_change": {"exchange": "locked_drawer"}})
    change, drawer = NUMBER["loose_change"] - FIRST_SPELL, NUMBER["locked_drawer"] - FIRST_SPELL
    pair = np.ix_([change, drawer], [change, drawer])
    assert GAME.table().counters[pair].tolist() == [[0, 1], [1, 0]]
    assert changed.counters[pair].tolist() == [[1, 0], [0, 1]]


@rule("15.6")
def test_a_spell_whose_tag_nothing_fits_cannot_be_cast():
    blank = {"herbal_compendium": {"blank": True}, "star_almanac": {"blank": True}}
    pool, hand = (["star_almanac"], []), (["bookshelf_barricade"], [])
    assert "cast bookshelf_barricade" in legal(laid({}, pool=pool, hand=hand, level=(3, 1)))
    s = laid(blank, pool=pool, hand=hand, level=(3, 1))
    assert legal(s) == ["pass"]
    action = layout.CAST_SPELL + NUMBER["bookshelf_barricade"] - FIRST_SPELL
    told = "Bookshelf Barricade asks for an item that there is not, which is not in the pool of player_0"
    assert GAME.why_illegal(s.table, s.state, action) == told


# --- Several changes of a card, refusals ----------------------------------------------------------------------


@rule("15.7")
def test_a_card_trades_first_and_loses_its_text_next_and_gets_its_numbers_last():
    cards = GAME.check_patches({"nettle_tonic": {"teeth": 9, "blank": True, "exchange": "thunder_staff"}})
    tonic, staff = cards[NUMBER["nettle_tonic"]], cards[NUMBER["thunder_staff"]]
    assert (tonic.teeth, tonic.subtype, tonic.drink_attack) == (9, "", 0)
    assert (staff.teeth, staff.subtype, staff.drink_attack) == (1, "potion", 2)


REFUSED = [
    ({"wilow_wand": {"blank": True}}, "cards: unknown card 'wilow_wand'; did you mean 'willow_wand'?"),
    ({"willow_wand": {"tooth": 1}}, "cards.willow_wand: unknown field 'tooth'; did you mean 'teeth'? (known: attack"),
    ({"willow_wand": {"exchange": "willow_wand"}}, "cards.willow_wand.exchange: found 'willow_wand', allowed: another"),
    (
        {"willow_wand": {"exchange": "paper_owl"}},
        "cards.willow_wand.exchange: found 'paper_owl', allowed: another item, and that is of type character",
    ),
    (
        {"willow_wand": {"teeth": 26}},
        "cards: card 'willow_wand', column teeth: found '26', allowed: whole numbers 0 to",
    ),
    ({"willow_wand": {"attack": 1}}, "cards.willow_wand.attack: found 1, but willow_wand has no attack to change; it "),
    ({"paper_owl": {"level": 0}}, "cards: card 'paper_owl', column level: found '0', allowed: whole numbers 1 to 5"),
    ({"chalk_homunculus": {"level": 1}}, "cards.chalk_homunculus.level: found 1, but chalk_homunculus has no level to"),
    ({"nettle_tonic": {"drink_attack": 0}}, "cards: card 'nettle_tonic', column drink_attack: found '0', allowed: an "),
    (
        {"study_hour": {"mode_1": "steel 3"}},
        "cards: card 'study_hour', column mode_1: found 'steel 3', allowed: one or",
    ),
    ({"study_hour": {"mode_1": 3}}, "cards.study_hour.mode_1: found 3, allowed: one or more different ones"),
    ({"study_hour": {"mode_3": "gain 1"}}, "cards.study_hour.mode_3: found 'gain 1', but study_hour has no mode_3 to "),
    (
        {"study_hour": {"blank": True, "mode_1": "gain 1"}},
        "cards.study_hour.mode_1: found 'gain 1', but study_hour has no mode_1 to change; it has: level",
    ),
]


@rule("15.7")
@pytest.mark.parametrize(("patches", "said"), REFUSED)
def test_what_would_be_no_card_is_refused_with_card_field_found_and_allowed(patches, said):
    assert refusal(**patches).startswith(f"my.yaml: {said}")


# --- The rest of the toolkit ----------------------------------------------------------------------------------


def test_a_patch_that_says_what_is_printed_changes_nothing():
    printed = GAME.table().tobytes()
    assert GAME.table(cards={"willow_wand": {"teeth": 2}, "study_hour": {"mode_1": "draw 2"}}).tobytes() == printed
    assert GAME.table(cards={"willow_wand": {"teeth": 3}}).tobytes() != printed


def test_cards_of_a_deck_at_the_start():
    decks = [read_deck(GAME, path) for path in DECKS[:2]]
    deal = GAME.table(decks={"player_0": decks[0], "player_1": decks[1]})
    held = GAME.start_cards(deal, GAME.dealt(deal, 1))
    assert (held.dtype, held.shape) == (np.int8, (2, NUM_CARDS))
    for seat, deck in enumerate(decks):
        assert np.repeat(np.arange(NUM_CARDS), held[seat]).tolist() == sorted(deck.cards)


def test_a_blank_spell_is_told():
    s = laid({"loose_change": {"blank": True}}, hand=(["loose_change"], ["locked_drawer"]))
    play(s, "cast loose_change")
    assert "Loose Change of player_0: nothing" in GAME.describe(s.table, s.state, 1)


def test_games_with_random_changes_are_sound():
    dice = np.random.default_rng(3)
    for number in range(3 if INTERPRETED else 100):
        patches = random_patches(GAME, dice, count=1 + number % 40, texts=TEXTS)
        rules = SHORT | (ALL_OTHER_WAYS if number % 2 else {})
        assert_sound(GAME, patches, A_FEW, rules, first_seed=1000 * number)
