"""Section 8 of the rules of Tarot Duel: changed cards, each in a scene laid by hand."""

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare
from tarot_scenes import GAME, card, legal_names, names_in, place, play, scene
from tarot_turns import asked, cards_of, described, of_kind, result, turn, turns_left, whole_turn, wins

from duelbench.agents.agent import position_of
from duelbench.agents.tarot_heuristic import TarotHeuristic
from duelbench.envs import dispatch
from duelbench.envs.errors import BadInput
from duelbench.envs.jit import INTERPRETED
from duelbench.envs.tarot_duel.cards import CARDS, NO_EFFECT, NUM_CARDS
from duelbench.envs.tarot_duel.cut_down import cut_down
from duelbench.envs.tarot_duel.encoding import VIEW
from duelbench.envs.tarot_duel.patches import AMOUNTS, NUMBERS
from duelbench.envs.tarot_duel.rules import MOST_WINS
from duelbench.envs.tarot_duel.state import DECK, DISCARD, HAND, KNOWN, MAX_EVENTS, SPARE, STATE, WAITING

pytestmark = pytest.mark.numba_modes

IMPROBABLE = 1e-6
IDS = GAME.card_ids


def rule(number):
    return pytest.mark.rule("tarot_duel", number)


def amount(id_, value):
    return {id_: {"amount": value}}


def view(s, seat):
    return GAME.observation(s.table, s.state, seat).view(VIEW).view(np.recarray)[0]


KEPT = ["Hermit", "Emperor", "Chariot", "Empress"]
"""Cards that do nothing from the hand."""


def duel(first, second, cards=None, **laid):
    """Both play a card and keep one for the next turn; returns the scene and what happened."""
    kept = [name for name in KEPT if name not in (first, second, *itertools.chain(*laid.get("waiting", ())))]
    s = scene(hands=([first, kept[0]], [second, kept[1]]), cards=cards, **laid)
    return s, turn(s, first, second)


def worlds(s, observer, count):
    states = GAME.new_states(count)
    states[:] = s.state
    for seed in range(count):
        dispatch.determinize(s.table, states[seed], observer, np.uint64(seed))
    return states


def copy_of(state):
    copies = GAME.new_states(1)
    copies[0] = state
    return copies[0]


# --- 8.1 Numbers ----------------------------------------------------------------------------------------------


@rule("8.1")
def test_a_card_fights_with_its_changed_number():
    assert result(duel("Lovers", "Judgement")[1]) == 1
    assert result(duel("Lovers", "Judgement", {"the_lovers": {"number": 21}})[1]) == 0
    assert result(duel("Lovers", "Judgement", {"judgement": {"number": 5}})[1]) == 0


@rule("8.1")
def test_equal_numbers_draw_the_turn():
    assert result(duel("Judgement", "Lovers", {"the_lovers": {"number": 20}})[1]) == -1


@rule("8.1")
@pytest.mark.parametrize(("number", "order"), [(15, ["the_tower", "the_star"]), (16, ["the_star", "the_tower"])])
def test_cards_act_in_the_order_of_changed_numbers_and_the_later_one_of_two_equal_ones_first(number, order):
    assert cards_of(duel("Star", "Tower", {"the_star": {"number": number}})[1], "acts") == order


@rule("8.1")
@pytest.mark.parametrize(("number", "winner"), [(14, 1), (15, 0)])
def test_the_fool_beats_by_changed_numbers(number, winner):
    assert result(duel("Fool", "Lovers", {"the_lovers": {"number": number}})[1]) == winner


@rule("8.1")
@pytest.mark.parametrize(("empress", "winner"), [(12, 0), (14, 1)])
def test_of_empress_and_death_the_smaller_changed_number_counts(empress, winner):
    cards = {"the_empress": {"number": empress}}
    assert result(duel("Death", "Sun", cards, waiting=(["Empress"], []))[1]) == winner


@rule("8.1")
@pytest.mark.parametrize(("justice", "end"), [(11, (2, 1)), (13, (2, 2))])
def test_hanged_man_and_justice_act_in_the_order_of_changed_numbers(justice, end):
    """The turn makes it 1 : 1. Justice gains if it acts now; otherwise the Hanged Man has made it 2 : 1."""
    waiting = (["Hanged Man"], ["Justice"])
    s, _ = duel("Lovers", "Star", {"justice": {"number": justice}, "the_star": {"blank": True}}, waiting=waiting,
                turns_left=1, wins=(1, 0))  # fmt: skip
    assert wins(s) == end


@rule("8.1")
@pytest.mark.parametrize(("which", "given"), [("highest", "Chariot"), ("lowest", "Lovers")])
def test_of_equal_numbers_the_later_card_is_the_higher_one(which, given):
    s = scene(hands=(["Moon", "Fool"], ["Justice", "Lovers", "Chariot"]), cards={"the_lovers": {"number": 7}})
    turn(s, "Moon", "Justice", f"discard the {which} card")
    assert set(names_in(s, DISCARD)) == {"The Moon", f"The {given}"}


@rule("8.1")
def test_the_largest_number_multiplied_most_fits():
    cards = {"the_lovers": {"number": NUMBERS[-1]}, "the_chariot": {"number": NUMBERS[-1]}, **amount("strength", 3)}
    assert NUMBERS[-1] * 3 <= np.iinfo(np.int8).max
    assert result(duel("Chariot", "Lovers", cards, waiting=(["Strength"], []))[1]) == 0
    assert result(duel("Chariot", "Lovers", cards, waiting=([], ["Strength"]))[1]) == 1


# --- 8.2 Blanks -----------------------------------------------------------------------------------------------


@rule("8.2")
def test_a_blank_card_keeps_its_number_and_does_nothing():
    s, events = duel("Death", "Justice", {"death": {"blank": True}})
    assert result(events) == 0
    assert turns_left(s) == 4
    assert not of_kind(events, "acts")


@rule("8.2")
def test_the_world_beats_a_blank_fool():
    assert result(duel("Fool", "World")[1]) == 0
    blank = {"the_fool": {"blank": True}}
    assert result(duel("Fool", "World", blank)[1]) == 1
    assert result(duel("Fool", "World", blank | {"the_world": {"number": 0}})[1]) == 1


@rule("8.2")
@pytest.mark.parametrize("name", ["Magician", "Empress", "Emperor", "Strength", "Justice", "Hanged Man", "Tower"])
def test_a_blank_card_does_not_wait(name):
    cards = {CARDS[card(name)].id: {"blank": True}}
    s, events = duel(name, "World", cards)
    assert place(s, name) == DISCARD
    assert asked(s)[1] == "set"
    assert not of_kind(events, "negates", "acts", "waits", "deck_opens")


# --- 8.3 Exchanges --------------------------------------------------------------------------------------------


@rule("8.3")
def test_exchanged_cards_do_what_is_printed_on_the_other():
    cards = {"the_sun": {"exchange": "death"}}
    s, events = duel("Sun", "Justice", cards, deck=["Moon", "Star", "World"])
    assert result(events) == 1
    assert turns_left(s) == 1
    s, events = duel("Death", "Justice", cards, deck=["Moon", "Star", "World"])
    assert asked(s) == (0, "discard_sun")
    assert place(s, "Moon") == HAND
    assert turns_left(s) == 5


@rule("8.3")
def test_an_effect_acts_at_the_number_of_the_card_that_carries_it():
    cards = {"the_lovers": {"exchange": "judgement"}}
    assert cards_of(duel("Lovers", "Devil", deck=["Moon"])[1], "acts") == ["the_devil", "the_lovers"]
    s, events = duel("Judgement", "Devil", cards, deck=["Moon"])
    assert cards_of(events, "acts") == ["judgement", "the_devil"]
    assert place(s, "Moon") == HAND


@rule("8.3")
def test_an_exchange_moves_the_amount_and_the_blank():
    cards = {**amount("the_lovers", 4), "the_star": {"exchange": "the_lovers"}}
    s, _ = duel("Star", "Fool", cards, deck=["Moon", "Sun", "World", "Tower", "Devil"], turns_left=1)
    assert {"The Moon", "The Sun", "The World", "The Tower"} < set(names_in(s, HAND))
    assert "The Devil" in names_in(s, DECK)
    table = GAME.table(cards={"the_lovers": {"blank": True}, "the_star": {"exchange": "the_lovers"}})
    assert (table.cards[card("Star")].effect, table.cards[card("Star")].amount) == (NO_EFFECT, 0)
    assert table.cards[card("Lovers")].effect == card("Star")
    assert table.cards[card("Lovers")].amount == 1


@rule("8.3")
def test_an_exchange_may_be_said_of_both_cards():
    once = GAME.table(cards={"the_sun": {"exchange": "the_moon"}})
    twice = GAME.table(cards={"the_sun": {"exchange": "the_moon"}, "the_moon": {"exchange": "the_sun"}})
    assert once.tobytes() == twice.tobytes() != GAME.table().tobytes()


@rule("8.3")
def test_a_waiting_card_with_an_exchanged_effect_waits_and_acts():
    cards = {"the_empress": {"exchange": "the_sun"}}
    s = scene(hands=(["Sun", "Lovers"], ["Justice", "World"]), deck=["Star", "Tower"], cards=cards)
    whole_turn(s, "Sun", "Justice")
    assert place(s, "Sun") == WAITING
    assert result(turn(s, "Lovers", "World")) == 1
    s = scene(hands=(["Lovers", "Fool"], ["Moon", "Magician"]), waiting=(["Sun"], []), cards=cards)
    assert result(whole_turn(s, "Lovers", "Moon")) == 0
    assert place(s, "Sun") == DISCARD


# --- 8.4 Amounts ----------------------------------------------------------------------------------------------


@rule("8.4")
@pytest.mark.parametrize(("least", "winner"), [(10, 0), (11, 1), (0, 0), (42, 1)])
def test_the_fool_beats_numbers_from_his_amount(least, winner):
    assert result(duel("Fool", "Wheel of Fortune", amount("the_fool", least))[1]) == winner


@rule("8.4")
def test_a_world_that_the_fool_does_not_beat_wins_by_its_number():
    assert result(duel("Fool", "World", amount("the_fool", 22))[1]) == 1
    assert result(duel("Fool", "World", amount("the_fool", 22), waiting=(["Empress"], []))[1]) == 0


@rule("8.4")
@pytest.mark.parametrize(("sees", "held"), [(1, 3), (2, 4), (4, 4), (5, 3), (8, 4)])
def test_the_priestess_looks_at_as_many_cards(sees, held):
    hand = ["Star", "Lovers", "Chariot", "Death"][:held]
    s = scene(hands=(["High Priestess", "Fool"], ["Justice", *hand]), deck=["Moon", "Sun", "World", "Tower"],
              cards=amount("the_high_priestess", sees))  # fmt: skip
    events = turn(s, "High Priestess", "Justice")
    assert len(of_kind(events, "looks")) == min(sees, held)
    assert (np.asarray(s.state.label[0])[[card(name) for name in hand]] == KNOWN).sum() == min(sees, held)
    for name in hand:
        assert view(s, 1).shown[card(name)] == pytest.approx(min(1, sees / held))


@rule("8.4")
@rule("8.6")
def test_any_two_of_a_hand_may_be_those_that_a_priestess_for_two_has_seen():
    hand = ["Star", "Lovers", "Chariot", "Death"]
    s = scene(hands=(["High Priestess", "Fool"], ["Justice", *hand]), deck=["Tower", "Moon", "Sun"],
              cards=amount("the_high_priestess", 2))  # fmt: skip
    turn(s, "High Priestess", "Justice")
    drawn = worlds(s, 1, 600)
    known = Counter(frozenset(n for n in hand if world.label[0, card(n)] == KNOWN) for world in drawn)
    assert known.keys() == {frozenset(two) for two in itertools.combinations(hand, 2)}
    assert chisquare(list(known.values())).pvalue > IMPROBABLE
    seen = np.flatnonzero(s.state.label[0] == KNOWN)
    assert all((world.zone[seen] == s.state.zone[seen]).all() for world in worlds(s, 0, 50))


@rule("8.4")
@pytest.mark.parametrize("takes", [1, 2, 3, 4])
def test_the_hierophant_takes_as_many_discards(takes):
    discards = ["Death", "Justice", "Chariot", "Hermit", "Emperor"]
    s = scene(hands=(["Hierophant"], ["Star"]), discards=discards, cards=amount("the_hierophant", takes))
    turn(s, "Hierophant", "Star")
    for taken in range(takes):
        assert asked(s) == (0, "take")
        play(s, f"take {CARDS[card(discards[taken])].name}")
    assert asked(s)[1] != "take"
    assert len(names_in(s, HAND)) == takes


@rule("8.4")
def test_the_hierophant_draws_what_is_missing_to_his_amount():
    s = scene(hands=(["Hierophant"], ["Judgement"]), discards=["Death", "Justice"], deck=["Moon", "Sun", "World"],
              turns_left=1, cards=amount("the_hierophant", 4) | {"judgement": {"blank": True}})  # fmt: skip
    events = turn(s, "Hierophant", "Judgement")
    assert cards_of(events, "takes") == ["justice", "death"]
    assert cards_of(events, "draws") == ["the_moon", "the_sun"]


@rule("8.4")
@pytest.mark.parametrize(("draws", "size", "drawn"), [(1, 4, 1), (3, 4, 3), (5, 3, 3)])
def test_the_lovers_draw_as_many_cards_or_what_there_is(draws, size, drawn):
    deck = ["Moon", "Sun", "World", "Tower"][:size]
    s = scene(hands=(["Lovers", "Fool"], ["Star", "Magician"]), deck=deck, cards=amount("the_lovers", draws))
    events = turn(s, "Lovers", "Star")
    ended = next(i for i, event in enumerate(events) if event["kind"] == "turn_drawn" or event["kind"] == "turn_won")
    assert len(of_kind(events[:ended], "draws")) == drawn


@rule("8.4")
@pytest.mark.parametrize(("factor", "winner"), [(1, 1), (2, 1), (3, 0)])
def test_strength_multiplies_by_its_amount(factor, winner):
    assert result(duel("Chariot", "Judgement", amount("strength", factor), waiting=(["Strength"], []))[1]) == winner


@rule("8.4")
def test_the_wheel_gives_its_amount_of_wins():
    s, _ = duel("Wheel of Fortune", "Lovers", amount("wheel_of_fortune", 3), turns_left=1)
    assert wins(s) in [(4, 0), (1, 3)]


@rule("8.4")
def test_justice_gives_its_amount_of_wins():
    s, _ = duel("Justice", "Lovers", amount("justice", 3), turns_left=1, wins=(0, 1))
    assert wins(s) == (4, 1)


@rule("8.4")
def test_the_hanged_man_gives_its_amount_of_wins():
    s, _ = duel("Hanged Man", "Sun", amount("the_hanged_man", 2))
    assert wins(s) == (2, 1)


@rule("8.4")
def test_temperance_gives_its_amount_of_wins():
    s, _ = duel("Temperance", "Lovers", amount("temperance", 2), wins=(0, 1))
    assert wins(s) == (3, 1)


@rule("8.4")
@pytest.mark.parametrize("more", [2, 3])
def test_the_star_leaves_as_many_more_turns(more):
    s, _ = duel("Star", "Lovers", amount("the_star", more), turns_left=3)
    assert turns_left(s) == 3 - 1 + more


@rule("8.4")
@pytest.mark.parametrize(("left", "left_before", "extends", "after"), [
    (0, 5, True, 0), (2, 5, True, 2), (3, 1, True, 3), (3, 1, False, 0), (3, 5, False, 3), (0, 1, False, 0),
])  # fmt: skip
def test_death_leaves_as_many_turns(left, left_before, extends, after):
    rules = {"death_can_extend": extends}
    s, events = duel("Death", "Lovers", amount("death", left), turns_left=left_before, rules=rules)
    assert result(events) == 1
    counted = [event["value"] for event in of_kind(events, "turns_left")]
    assert counted[1] == after
    assert bool(s.state.over) == (after == 0)


@rule("8.4")
@pytest.mark.parametrize(("size", "left"), [(0, 0), (2, 2), (4, 4), (7, 7), (10, 8)])
def test_the_devil_makes_the_deck_as_large_as_discards_allow(size, left):
    s = scene(hands=(["Devil"], ["Strength"]), deck=["Moon", "Sun", "World", "Tower"], turns_left=1,
              discards=["Death", "Justice", "Chariot", "Hermit"], cards=amount("the_devil", size))  # fmt: skip
    turn(s, "Devil", "Strength")
    assert s.state.deck_size == left
    assert len(names_in(s, DECK)) == left
    assert names_in(s, DECK)[: min(left, 4)] == ["The Moon", "The Sun", "The World", "The Tower"][4 - min(left, 4) :]


@rule("8.4")
def test_wins_have_a_limit():
    s, events = duel("World", "Lovers", wins=(MOST_WINS, 0))
    assert result(events) == 0
    assert wins(s) == (MOST_WINS, 0)


# --- 8.5 The other seat's card --------------------------------------------------------------------------------


def draws_of_deal(table, seed):
    """The cards of the deal in the order in which they are drawn, with the seats."""
    state = GAME.dealt(table, seed)
    events = [GAME.event_data(event) for event in GAME.events(state)]
    return state, [(event["card"], event["seat"]) for event in of_kind(events, "draws")]


@rule("8.5")
@pytest.mark.parametrize("marked", [["the_world"], ["the_fool"], ["the_world", "the_fool", "death", "the_star"]])
def test_a_card_dealt_to_the_other_seat_trades_places_with_the_same_draw(marked):
    printed, changed = GAME.table(), GAME.table(cards={id_: {"dealt_to_other": True} for id_ in marked})
    seen = Counter()
    for seed in range(60):
        before, drawn = draws_of_deal(printed, seed)
        after, others = draws_of_deal(changed, seed)
        expected = list(drawn)
        for i, j in ((0, 3), (1, 4), (2, 5), (6, 7)):
            if drawn[i][0] in marked or drawn[j][0] in marked:
                expected[i], expected[j] = (drawn[j][0], drawn[i][1]), (drawn[i][0], drawn[j][1])
                seen["traded"] += 1
        assert others == expected
        assert (after.rng, after.first) == (before.rng, before.first)
        size = int(before.deck_size)
        assert (after.deck[:size] == before.deck[:size]).all()
        assert ((after.zone == SPARE) == (before.zone == SPARE)).all()
        seen["same"] += expected == drawn
    assert seen["traded"] > 2
    assert seen["same"] > 2 or len(marked) > 1


@rule("8.5")
def test_nothing_is_known_or_told_of_a_card_dealt_to_the_other_seat():
    table = GAME.table(cards={"the_world": {"dealt_to_other": True}})
    printed = GAME.table()
    for seed in range(40):
        state, _ = draws_of_deal(table, seed)
        assert (state.label[0] == KNOWN).sum() == (state.label[1] == KNOWN).sum() == 9
        assert GAME.describe(table, state, 0) == GAME.describe(printed, state, 0)


@rule("8.5")
def test_start_cards_are_the_hands_at_the_first_decision():
    for cards in (None, {"the_world": {"dealt_to_other": True}}):
        table = GAME.table(cards=cards)
        state = GAME.dealt(table, 4)
        held = GAME.start_cards(table, state)
        assert (held.dtype, held.shape) == (np.int8, (2, NUM_CARDS))
        assert held.sum(axis=1).tolist() == [4, 4]
        for seat in range(2):
            assert [CARDS[number].name for number in np.flatnonzero(held[seat])] == names_in_hand(state, seat)


def names_in_hand(state, seat):
    return [facts.name for number, facts in enumerate(CARDS) if state.zone[number] == HAND + seat]


# --- 8.6 What is known and said -------------------------------------------------------------------------------


@rule("8.6")
def test_an_observation_has_the_changed_number_on_the_field_and_nothing_else():
    hands, cards = (["Hermit", "Lovers"], ["Star", "Chariot"]), {"the_hermit": {"number": 42}, **amount("the_star", 3)}
    deck = ["Moon", "Sun", "World", "Tower"]
    printed, changed = scene(hands=hands, deck=deck), scene(hands=hands, deck=deck, cards=cards)
    assert view(printed, 0).tobytes() == view(changed, 0).tobytes()
    turn(changed, "Hermit", "Star")
    assert asked(changed) == (0, "swap")
    assert view(changed, 1).number[1] == 2


@rule("8.6")
def test_the_words_show_changed_cards():
    cards = {"the_star": {"exchange": "temperance"}, "the_sun": {"blank": True, "number": 3}, **amount("death", 0)}
    s = scene(hands=(["Star", "Sun"], ["Death", "Lovers"]), deck=["Moon", "World"], cards=cards)
    text = described(s, 0)
    assert "hand     The Star (17), The Sun (3)" in text
    assert "changed    The Sun (3): No effect." in text
    assert "changed    Death (13): You lose this turn, and this turn is the last." in text
    assert "changed    Temperance (14): One more turn is left." in text
    turn(s, "Star", "Death")
    assert legal_names(s) == ["let The Star go", "take The Star back"]
    assert "player_0 decides whether the Star returns." in described(s, 0)
    assert "changed" not in described(scene(hands=(["Star"], ["Sun"])), 0)


@rule("8.6")
@pytest.mark.parametrize(
    ("hand", "theirs", "waiting", "cards", "good"),
    [
        (["Fool", "Moon"], "Devil", [], None, ["Fool", "Moon"]),
        (["Fool", "Moon"], "Devil", [], amount("the_fool", 16), ["Moon"]),
        (["Fool", "Lovers"], "Devil", [], {"the_lovers": {"number": 16}, "the_devil": {"number": 14}}, ["Lovers"]),
        (["Fool", "Lovers"], "Devil", [], {"the_lovers": {"exchange": "the_fool"}}, ["Lovers"]),
        (["Emperor", "Chariot"], "Moon", ["Strength"], None, []),
        (["Emperor", "Chariot"], "Moon", ["Strength"], amount("strength", 3), ["Chariot"]),
        (["Temperance", "Lovers"], "World", [], None, []),
        (["Temperance", "Lovers"], "World", [], amount("temperance", 3), ["Temperance"]),
        (["Death", "Lovers"], "Star", ["Empress"], amount("death", 0), ["Death", "Lovers"]),
        (["Death", "Lovers"], "Star", ["Empress"], amount("death", 0) | {"the_empress": {"number": 14}}, ["Lovers"]),
        (["Fool", "Lovers"], "World", ["Empress"], amount("the_fool", 22), ["Fool"]),
    ],
)
def test_the_hand_written_player_reads_the_changed_cards(hand, theirs, waiting, cards, good):
    """In the last turn, one win behind, against a card that it knows: what does not lose the game."""
    s = scene(hands=(hand, [theirs]), seen=([theirs], []), waiting=(waiting, []), turns_left=1, wins=(0, 1),
              cards=cards)  # fmt: skip
    scores = TarotHeuristic(GAME, s.table).scores(position_of(GAME, s.table, s.state, 1))
    assert [name for name in hand if scores[card(name)] >= 0] == good


@rule("8.6")
@pytest.mark.parametrize(("left", "settled"), [(1, False), (0, True)])
def test_the_hand_written_player_counts_the_turns_that_a_changed_death_leaves(left, settled):
    """Two wins ahead it ends the game at once, if Death does."""
    s = scene(hands=(["Death", "Lovers"], ["World"]), seen=(["World"], []), turns_left=3, wins=(2, 0),
              cards=amount("death", left))  # fmt: skip
    scores = TarotHeuristic(GAME, s.table).scores(position_of(GAME, s.table, s.state, 1))
    assert (scores[card("Death")] > 0.9) == settled


# --- Refusals -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "parts"),
    [
        ({"the_sn": {"number": 3}}, ["cards:", "'the_sn'", "did you mean 'the_sun'"]),
        ({"the_sun": {"nmber": 3}}, ["cards.the_sun:", "'nmber'", "did you mean 'number'", "dealt_to_other"]),
        ({"the_sun": {"number": 43}}, ["cards.the_sun.number", "found 43", "0 to 42"]),
        ({"the_sun": {"number": True}}, ["cards.the_sun.number", "found true", "0 to 42"]),
        ({"the_sun": {"number": "9"}}, ["cards.the_sun.number", "found '9'", "0 to 42"]),
        ({"the_sun": {"blank": False}}, ["cards.the_sun.blank", "found false", "allowed: true"]),
        ({"the_sun": {"dealt_to_other": 1}}, ["cards.the_sun.dealt_to_other", "found 1", "allowed: true"]),
        ({"the_sun": {"exchange": "the_sun"}}, ["cards.the_sun.exchange", "found 'the_sun'", "another card"]),
        ({"the_sun": {"exchange": "the_mon"}}, ["cards.the_sun.exchange", "'the_mon'", "did you mean 'the_moon'"]),
        ({"the_sun": {"exchange": 18}}, ["cards.the_sun.exchange", "found 18", "another card"]),
        ({"the_sun": {"amount": 1}}, ["cards.the_sun.amount", "no amount", "the_lovers 1 to 5"]),
        ({"the_hermit": {"amount": 2}}, ["cards.the_hermit.amount", "no amount"]),
        ({"death": {"amount": 4}}, ["cards.death.amount", "found 4", "0 to 3"]),
        ({"death": {"amount": 1, "blank": True}}, ["cards.death.amount", "blank"]),
        (
            {"the_sun": {"exchange": "the_moon"}, "the_star": {"exchange": "the_moon"}},
            ["cards.the_star.exchange", "found the_moon", "the_sun already"],
        ),
    ],
)
def test_what_cannot_be_changed_is_refused_in_one_line(cards, parts):
    with pytest.raises(BadInput) as refusal:
        GAME.table(cards=cards)
    message = str(refusal.value)
    assert "\n" not in message
    for part in parts:
        assert part in message


@pytest.mark.parametrize("cards", [{"the_sun": {"number": 19}}, amount("the_fool", 15), {}, None])
def test_what_is_printed_changes_nothing(cards):
    assert GAME.table(cards=cards).tobytes() == GAME.table().tobytes()


def test_the_cut_down_game_has_its_own_cards():
    small = cut_down(["the_fool", "the_lovers", "the_sun", "the_moon", "the_star", "the_tower"], 2, 3)
    with pytest.raises(BadInput, match="cannot be changed"):
        small.table(cards={"the_sun": {"number": 3}})


# --- Random games ---------------------------------------------------------------------------------------------


def random_patches(dice):
    """One to eight changes that go together."""
    fields = {id_: {} for id_ in IDS}
    ids = [str(id_) for id_ in dice.permutation(IDS)]
    for id_ in ids[: dice.integers(1, 4)]:
        fields[id_]["number"] = int(dice.integers(NUMBERS[-1] + 1))
    for one, two in zip(ids[4:10:2], ids[5:10:2], strict=True):
        if dice.integers(2):
            fields[one]["exchange"] = two
    for id_ in dice.permutation(ids)[:3]:
        allowed = AMOUNTS.get(CARDS[card(id_)].effect)
        if allowed is not None:
            fields[id_]["amount"] = int(dice.choice(allowed))
        elif dice.integers(2):
            fields[id_]["blank"] = True
    fields[ids[-1]]["dealt_to_other"] = True
    return {id_: changed for id_, changed in fields.items() if changed}


def assert_whole(state):
    """Every card is in one place, the deck as its list says, and what adds up is within its bounds."""
    size = int(state.deck_size)
    assert sorted(state.deck[:size]) == np.flatnonzero(state.zone == DECK).tolist()
    assert (state.deck[size:] == NUM_CARDS).all()
    assert state.n_events < MAX_EVENTS
    assert 0 <= min(state.wins) <= max(state.wins) <= MOST_WINS
    assert 0 <= state.turns_left <= 40


def assert_same_information(table, state, observer, seed):
    """Section 6: a world drawn for a seat looks the same to it, and keeps nothing of the truth."""
    world, again = copy_of(state), copy_of(state)
    dispatch.determinize(table, world, observer, np.uint64(seed))
    assert GAME.observation(table, world, observer).tobytes() == GAME.observation(table, state, observer).tobytes()
    if observer == state.to_act:
        assert (GAME.mask(table, world) == GAME.mask(table, state)).all()
    dispatch.determinize(table, again, observer, np.uint64(seed + 1))
    dispatch.determinize(table, again, observer, np.uint64(seed))
    assert again.tobytes() == world.tobytes()
    assert_whole(world)


@rule("8.6")
def test_random_games_with_random_changes_end_and_keep_what_is_known():
    dice = np.random.default_rng(8)
    for seed in range(40 if INTERPRETED else 1000):
        table = GAME.table(cards=random_patches(dice))
        state = GAME.dealt(table, seed)
        while not state.over:
            assert_whole(state)
            if seed % 5 == 0:
                for observer in range(2):
                    assert_same_information(table, state, observer, seed)
            dispatch.apply(table, state, int(dice.choice(GAME.legal_actions(table, state))))
        assert_whole(state)
        assert state.reason > 0
        assert state.turn <= 30
        assert not GAME.legal_actions(table, state)


def test_the_layout_of_a_state_is_as_it_was():
    """Changed cards are a matter of the table alone, so that stored states and compiled code stay usable."""
    assert "amount" not in STATE.names
