"""Section 10 of the rules of Tommy Walker TGC: cards that a config has changed."""

import numpy as np
import pytest
from random_patches import assert_sound, blank_cards, random_patches
from tommy_scenes import GAME, card, legal_names, play, scene
from tommy_turns import kinds_of, powers

from duelbench.agents.playouts import lean
from duelbench.envs.errors import BadInput
from duelbench.envs.jit import INTERPRETED
from duelbench.envs.tommy_walker.cards import CARDS

pytestmark = pytest.mark.numba_modes

ENTRY = {"lovelinstar_timing": "entry"}
ALL_OTHER_WAYS = {
    "permit_misplay": False,
    "deckout_check": "end_of_round",
    "discard_at_mode": "single",
    "lovelinstar_timing": "entry",
    "copy_ride_condition": "tested",
    "hanks_returns_to": "bottom",
}
A_FEW = 1 if INTERPRETED else 20
"""Random games of one kind: without compilation they take long."""


def rule(number):
    return pytest.mark.rule("tommy_walker", number)


def table(rules=None, **patches):
    return GAME.table(rules, cards=patches)


def refusal(**patches):
    with pytest.raises(BadInput) as error:
        GAME.check_patches(patches, "my.yaml")
    assert "\n" not in str(error.value)
    return str(error.value)


# --- Numbers and conditions -----------------------------------------------------------------------------------


@rule("10.4")
@pytest.mark.parametrize(("patches", "value"), [({}, 8100), ({"amina": {"at_power_1": 7400}}, 7400)])
def test_a_value_of_an_at_counts_as_changed_and_the_others_as_printed(patches, value):
    s = scene(attack=(["Amina"], ["Maria"]), hands=(["Ren", "Iska"], ["Hina"]), table=table(**patches))
    play(s, f"pay 1 card for the AT ({value})", "discard Ren")
    assert powers(s) == (value, 6000)
    s = scene(attack=(["Amina"], ["Maria"]), hands=(["Ren", "Iska"], ["Hina"]), table=table(**patches))
    play(s, "pay 2 cards for the AT (12000)", "discard Ren", "discard Iska")
    assert powers(s) == (12000, 6000)


@rule("10.1")
@pytest.mark.parametrize("seat", [0, 1])
def test_a_card_is_changed_for_both_players(seat):
    attack = (["Iska"], ["Ren"]) if seat == 0 else (["Ren"], ["Iska"])
    s = scene(attack=attack, hands=(["Hina"], ["Hina"]), table=table(iska={"power": 4500}))
    assert s.power(seat) == 4500


@rule("10.4")
def test_conditions_can_be_others():
    s = scene(attack=(["Cookberry"], ["German Shark"]), hands=(["Hina"], []), table=table(cookberry={"at_enemy": "P"}))
    assert "use the AT (7400)" in legal_names(s)
    s = scene(attack=(["Cookberry"], ["Lovelinstar"]), hands=(["Hina"], []), table=table(cookberry={"at_enemy": "P"}))
    assert "use the AT (7400)" not in legal_names(s)


@rule("10.4")
def test_stars_and_what_raises_and_lowers_them():
    changed = table(grantram={"stars": 5, "dmg_beats_stars": 3}, araki={"barrier_enemy_stars": -2})
    s = scene(attack=(["Grantram"], ["Zephyr"]), hands=([], ["Hina"]), barrier=("Araki", 1), table=changed)
    assert [event["value"] for event in play(s, "end") if event["kind"] == "round_won"] == [6]


@rule("10.4")
def test_a_barrier_may_be_worth_so_much_that_sums_pass_sixteen_bits():
    changed = table(silver_rain={"barrier_power": 30_000}, ren={"power": 30_000})
    s = scene(attack=(["Ren"], ["Maria"]), hands=([], ["Hina"]), barrier=("Silver Rain", 0), table=changed)
    assert powers(s) == (60_000, 6000)


@rule("10.4")
def test_hanks_may_put_back_more_cards():
    hand = ["Hanks", "Ren", "Ren", "Iska", "Maria", "Amon"]
    s = scene(hands=(hand, ["Hina"]), table=table(hanks={"entry_return": 4}))
    play(s, "set Elder Hanks", "set Hina", "put Ren back", "put Iska back", "put Maria back", "put Amon back")
    assert s.deck(0)[:5] == ["Ren", "Iska", "Maria", "Amon", "Molat Hero"]
    assert s.hand(0) == ["Ren"]


@rule("10.4")
def test_a_weakness_can_be_taken_away_alone():
    s = scene(hands=(["German Shark"], ["Hina"]), table=table(german_shark={"ride_only": False}))
    events = play(s, "set German Shark", "set Hina")
    assert "misplays" not in kinds_of(events)
    assert GAME.table(cards={"german_shark": {"ride_only": False}}).cards[card("german_shark")].at_power[0] == 9700


@rule("10.4")
def test_the_way_back_to_the_hand_can_be_taken_away():
    s = scene(attack=(["Calist"], ["Ren"]), hands=(["Hina"], []), table=table(calist={"dmg_return": False}))
    assert "takes_back" not in legal_names(s)
    play(s, "end")
    assert GAME.decision_kind(s.state) == "draw_or_set"


@rule("10.4")
@pytest.mark.parametrize(("patch", "covered"), [({}, "Ren"), ({"at_cover": "female", "at_power_1": 9000}, "Iska")])
def test_the_option_that_makes_an_at_an_entry_works_on_changed_cards(patch, covered):
    changed = table(ENTRY, lovelinstar=patch) if patch else table(ENTRY)
    value = patch.get("at_power_1", 9700)
    s = scene(attack=([covered], ["German Shark"]), hands=(["Lovelinstar", "Hina"], ["Ren"]), table=changed)
    play(s, "ride Lovelinstar", f"use the entry ({value})")
    assert powers(s) == (value, 8100)


# --- Blank cards ----------------------------------------------------------------------------------------------


@rule("10.2")
def test_a_blank_card_keeps_power_stars_and_attributes_and_nothing_else():
    for number, printed in enumerate(CARDS):
        record = GAME.table(cards={printed.id: {"blank": True}}).cards[number]
        assert (record.power, record.stars, record.attributes) == (printed.power, printed.stars, printed.attributes)
        rest = {name: np.asarray(record[name]).tolist() for name in record.dtype.names}
        left = {name: value for name, value in rest.items() if np.any(value)}
        assert left.keys() == {"power", "stars", "attributes", "at_hand"}, printed.id
        assert left["at_hand"] == -1


@rule("10.2")
def test_a_ride_only_card_without_its_text_may_be_set():
    blank = table({"permit_misplay": False}, german_shark={"blank": True})
    s = scene(hands=(["German Shark"], ["Hina", "Ren"]), table=blank)
    assert "set German Shark" in legal_names(s)
    play(s, "set German Shark", "set Hina")
    assert powers(s) == (8100, 3800)


@rule("10.2")
def test_a_barrier_without_its_text_cannot_be_laid():
    hands = (["Silver Rain", "Aquerio"], [])
    s = scene(attack=(["Iska"], ["Ren"]), hands=hands, table=table(silver_rain={"blank": True}))
    assert [name for name in legal_names(s) if name.startswith("lay")] == ["lay Aquerio as the barrier"]


@rule("10.2")
def test_a_card_without_its_text_has_no_at_and_no_entry():
    changed = table(reiji={"blank": True}, jack_maxim={"blank": True})
    hands, discards = (["Jack Maxim", "Iska"], []), (["Ren"], [])
    s = scene(attack=(["Reiji"], ["Maria"]), hands=hands, discards=discards, table=changed)
    assert legal_names(s) == ["end", "ride Iska", "ride Jack Maxim"]
    play(s, "ride Jack Maxim")
    assert GAME.decision_kind(s.state) == "revenge"


@pytest.mark.parametrize("rules", [None, ALL_OTHER_WAYS])
def test_every_card_can_be_blank_and_games_are_sound(rules):
    cards = blank_cards(GAME)
    assert cards == list(GAME.card_ids)
    for number, blank in enumerate(cards):
        others = ["german_shark", "hanks", "renjo", "calist", "amina", "ralph"]
        decks = {"random": sorted({blank, *others})}
        assert_sound(GAME, {blank: {"blank": True}}, A_FEW, rules, decks, first_seed=100 * number)


def test_a_deck_of_nothing_but_blank_ride_only_cards_is_played():
    both = {"german_shark": {"blank": True}, "lovelinstar": {"blank": True}}
    assert_sound(GAME, both, A_FEW, {"permit_misplay": False}, {"random": list(both)})


# --- Exchange -------------------------------------------------------------------------------------------------


@rule("10.3")
def test_two_cards_trade_everything_but_what_they_are_called():
    cards = GAME.check_patches({"amina": {"exchange": "iska"}})
    amina, iska = cards[card("amina")], cards[card("iska")]
    called = ("id", "name", "name_ja")
    assert [getattr(amina, word) for word in called] == [getattr(CARDS[card("amina")], word) for word in called]
    assert amina._replace(**{word: getattr(iska, word) for word in called}) == CARDS[card("iska")]
    assert iska._replace(**{word: getattr(amina, word) for word in called}) == CARDS[card("amina")]
    assert cards[: card("iska")] == CARDS[: card("iska")]
    assert GAME.check_patches({"iska": {"exchange": "amina"}}) == cards
    assert GAME.check_patches({"iska": {"exchange": "amina"}, "amina": {"exchange": "iska"}}) == cards


@rule("10.3")
def test_traded_cards_play_as_each_other():
    s = scene(attack=(["Iska"], ["Maria"]), hands=(["Ren"], ["Hina"]), table=table(amina={"exchange": "iska"}))
    assert powers(s) == (4200, 6000)
    play(s, "pay 1 card for the AT (8100)", "discard Ren")
    assert powers(s) == (8100, 6000)
    s = scene(attack=(["Amina"], ["Ren"]), hands=(["Ren"], ["Hina"]), table=table(amina={"exchange": "iska"}))
    assert powers(s) == (3900, 4600)
    play(s, "use the AT (13350)")
    assert powers(s) == (13350, 4600)


@rule("10.3")
@rule("10.1")
def test_nothing_else_of_a_deal_changes():
    changed = table(amina={"exchange": "iska"}, hanks={"blank": True}, ren={"power": 1})
    for seed in range(5):
        printed, other = GAME.dealt(table(), seed), GAME.dealt(changed, seed)
        assert printed.tobytes() == other.tobytes()


# --- Several changes of a card --------------------------------------------------------------------------------


@rule("10.5")
def test_a_card_trades_first_and_loses_its_text_next_and_gets_its_numbers_last():
    text = {"at_power_2": 11_000, "exchange": "iska", "power": 100}
    with pytest.raises(
        BadInput, match=r"amina has no at_power_2 to change; it has: power, stars, at_power_1, at_enemy"
    ):
        GAME.check_patches({"amina": text})
    cards = GAME.check_patches({"iska": {"power": 50, "at_power_2": 11_000}, "amina": {"exchange": "iska"}})
    iska, amina = cards[card("iska")], cards[card("amina")]
    assert (iska.power, iska.at_power, amina.power) == (50, (8100, 11_000, 15_900), 3900)
    cards = GAME.check_patches({"amina": {"power": 50, "blank": True, "exchange": "iska"}})
    amina, iska = cards[card("amina")], cards[card("iska")]
    assert (amina.power, amina.at_power, amina.stars) == (50, (0, 0, 0), 2)
    assert iska.at_power == (8100, 12_000, 15_900)


# --- Refusals -------------------------------------------------------------------------------------------------

REFUSED = [
    ({"amnia": {"blank": True}}, "cards: unknown card 'amnia'; did you mean 'amina'?"),
    ({"amina": {"at_powr_1": 7400}}, "cards.amina: unknown field 'at_powr_1'; did you mean 'at_power_1'? (known: at_"),
    ({"amina": {"name": "Anna"}}, "cards.amina: unknown field 'name'"),
    ({"amina": {}}, "cards.amina: found an empty mapping"),
    ({"amina": {"blank": False}}, "cards.amina.blank: found false, allowed: true"),
    ({"amina": {"blank": 1}}, "cards.amina.blank: found 1, allowed: true"),
    ({"amina": {"exchange": "amina"}}, "cards.amina.exchange: found 'amina', allowed: another card"),
    ({"amina": {"exchange": "iksa"}}, "cards.amina.exchange: found 'iksa', allowed: the id of another card; did you"),
    ({"amina": {"exchange": 5}}, "cards.amina.exchange: found 5, allowed: the id of another card"),
    (
        {"amina": {"exchange": "iska"}, "ren": {"exchange": "amina"}},
        "cards.ren.exchange: amina is exchanged with iska already, allowed: one exchange a card",
    ),
    ({"amina": {"power": "5000"}}, "cards.amina.power: found '5000', allowed: whole numbers 0 to 30000"),
    ({"amina": {"power": True}}, "cards.amina.power: found true, allowed: whole numbers 0 to 30000"),
    ({"amina": {"power": 4200.5}}, "cards.amina.power: found 4200.5, allowed: whole numbers 0 to 30000"),
    (
        {"amina": {"power": 30_001}},
        "cards: card 'amina', column power: found '30001', allowed: whole numbers 0 to 30000",
    ),
    (
        {"amina": {"at_power_3": 0}},
        "cards: card 'amina', column at_power_3: found '0', allowed: whole numbers 1 to 30000",
    ),
    ({"amina": {"at_discard": "Q"}}, "cards: card 'amina', column at_discard: found 'Q' (known: P, S, T, female"),
    ({"amina": {"at_discard": 4}}, "cards.amina.at_discard: found 4, allowed: male, female, P, T, S"),
    ({"amina": {"barrier_power": 100}}, "cards.amina.barrier_power: found 100, but amina has no barrier_power to chan"),
    ({"amina": {"ride_only": False}}, "cards.amina.ride_only: found false, but amina has no ride_only to change"),
    ({"german_shark": {"ride_only": True}}, "cards.german_shark.ride_only: found true, allowed: false"),
]


@rule("10.6")
@pytest.mark.parametrize(("patches", "said"), REFUSED)
def test_what_would_be_no_card_is_refused_with_card_field_found_and_allowed(patches, said):
    assert refusal(**patches).startswith(f"my.yaml: {said}")


def test_every_card_field_is_known_and_says_what_it_allows():
    for field in GAME.card_fields:
        said = refusal(amina={field.name: {}})
        assert "unknown field" not in said
        assert field.allowed in said or "to change" in said


# --- The rest of the toolkit ----------------------------------------------------------------------------------


def test_a_patch_that_says_what_is_printed_changes_nothing():
    printed = GAME.table().tobytes()
    assert GAME.table(cards={"amina": {"at_power_1": 8100, "at_discard": "P"}}).tobytes() == printed
    assert GAME.table(cards={"amina": {"power": 4201}}).tobytes() != printed


def test_cards_of_a_deck_at_the_start():
    decks = [{"amina": 10, "ren": 6}, {"german_shark": 16}]
    deal = GAME.table(decks={"player_0": decks[0], "player_1": decks[1]})
    held = GAME.start_cards(deal, GAME.dealt(deal, 1))
    assert (held.dtype, held.shape) == (np.int8, (2, len(CARDS)))
    for seat, deck in enumerate(decks):
        assert {CARDS[number].id: int(held[seat, number]) for number in np.flatnonzero(held[seat])} == deck


@pytest.mark.parametrize(("patches", "likely"), [({}, True), ({"at_power_1": 5000}, False)])
def test_play_outs_know_the_changed_card(patches, likely):
    changed = table(reiji=patches) if patches else table()
    s = scene(attack=(["Reiji"], ["Maria"]), hands=(["Iska"], []), table=changed)
    mask = GAME.mask(s.table, s.state)
    lean(s.table, s.state, mask)
    weights = {GAME.action_name(s.table, s.state, action): int(mask[action]) for action in np.flatnonzero(mask)}
    assert (max(weights, key=weights.get) == f"use the AT ({patches.get('at_power_1', 10400)})") == likely


def test_games_with_random_changes_are_sound():
    dice = np.random.default_rng(3)
    for number in range(10 if INTERPRETED else 100):
        patches = random_patches(GAME, dice, count=1 + number % 40)
        assert_sound(GAME, patches, A_FEW, ALL_OTHER_WAYS if number % 2 else None, first_seed=1000 * number)
