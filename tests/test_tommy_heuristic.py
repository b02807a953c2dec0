"""The hand-written Tommy Walker player, on scenes in which a sensible player knows what to do."""

from pathlib import Path

import numpy as np
import pytest
from tommy_scenes import GAME, play, scene

from duelbench.agents.agent import Position, position_of
from duelbench.agents.tommy_heuristic import TommyHeuristic
from duelbench.envs import dispatch
from duelbench.envs.playout import random_action
from duelbench.envs.rng import new_stream
from duelbench.envs.tommy_walker.state import DRAW, SET_CARD

DECKS = Path(__file__).resolve().parent.parent / "configs" / "decks" / "tommy_walker"
ALL_OTHER_WAYS = {
    "permit_misplay": False,
    "deckout_check": "end_of_round",
    "discard_at_mode": "single",
    "lovelinstar_timing": "entry",
    "copy_ride_condition": "tested",
    "hanks_returns_to": "bottom",
}


def choice(s, *actions):
    """The name of the action that the player takes after `actions`, the same for any stream and any made-up part."""
    play(s, *actions)
    agent = TommyHeuristic(GAME, s.table)
    chosen = {
        position.action_name(agent.act(position, new_stream(seed)))
        for seed in range(3)
        for position in [position_of(GAME, s.table, s.state, seed)]
    }
    assert len(chosen) == 1, "the scene leaves it open what to do"
    return chosen.pop()


# --- Drawing and setting --------------------------------------------------------------------------------------


def test_a_small_hand_is_filled_and_a_full_one_is_not():
    assert choice(scene(hands=(["Iska"], []))) == "draw a card"
    assert choice(scene(hands=(["Iska"] * 6, []))) == "set Iska"


def test_a_hand_for_small_hands_is_kept_small():
    few = ["General Tsubame", "Iska", "Iska", "Iska"]
    tsubames, iskas = (["General Tsubame"] * 8, ["Iska"] * 8)
    assert choice(scene(hands=(few, []), decks=(iskas, None))) == "draw a card"
    assert choice(scene(hands=(few, []), decks=(tsubames, None))).startswith("set")


def test_the_last_card_of_the_deck_is_left_there():
    assert choice(scene(hands=(["Iska"], ["Iska"]), decks=(["Maria"], None))) == "set Iska"


def test_the_card_is_set_that_beats_what_the_other_may_set():
    hand = ["Iska", "Zephyr", "Amon", "Reiji", "Himeko", "Renjo"]
    against = {"Iska": ["Premiere", "Iska", "Ren"] * 3, "Zephyr": ["Amina", "Leticia", "Zephyr"] * 3}
    for best, deck in against.items():
        assert choice(scene(hands=(hand, []), decks=(["Maria"] * 5, deck))) == f"set {best}"


def test_a_ride_only_card_is_not_set():
    hand = ["German Shark"] * 5 + ["Jack Maxim"]
    assert choice(scene(hands=(hand, []), decks=(None, ["Maria"] * 6))) == "set Jack Maxim"


# --- Revenge --------------------------------------------------------------------------------------------------


def test_a_free_at_that_wins_comes_before_a_card():
    s = scene(attack=(["Reiji"], ["Maria"]), hands=(["Leticia", "German Shark"], []))
    assert choice(s) == "use the AT (10400)"


def test_a_changed_card_is_judged_as_changed():
    weak = GAME.table(cards={"reiji": {"at_power_1": 5000}})
    s = scene(attack=(["Reiji"], ["Maria"]), hands=(["Leticia", "German Shark"], []), table=weak)
    assert choice(s) == "ride German Shark"


def test_no_more_is_paid_than_the_fight_needs():
    s = scene(attack=(["Amina"], ["Cookberry"]), hands=(["Ren", "Ren", "Ren"], []))
    assert choice(s) == "pay 1 card for the AT (8100)"
    s = scene(attack=(["Amina"], ["Ren", "Iska", "German Shark"]), hands=(["Jack Maxim"] * 3, []))
    assert choice(s) == "pay 2 cards for the AT (12000)"


def test_the_card_that_is_worth_least_pays():
    hand, decks = ["Iska", "Jack Maxim", "German Shark"], (None, ["Cookberry"] * 9)
    s = scene(attack=(["Amina"], ["Cookberry"]), hands=(hand, []), decks=decks)
    assert choice(s, "pay 1 card for the AT (8100)") == "discard Jack Maxim"


def test_a_ride_that_wins_is_taken_and_its_entry_used():
    s = scene(attack=(["Reiji"], ["Cookberry", "Lovelinstar"]), hands=(["Maria"], []))
    assert choice(s) == "ride Maria"
    assert choice(s, "ride Maria") == "use the entry (7500)"


def test_two_rides_are_found_if_the_second_one_wins():
    s = scene(attack=(["Zephyr"], ["Maria", "German Shark"]), hands=(["Barrows", "Ren"], []))
    assert choice(s) == "ride Barrows"
    assert choice(s, "ride Barrows") == "ride Ren"


def test_a_barrier_that_turns_the_fight_is_laid():
    s = scene(attack=(["Aquerio"], ["Akira"]), hands=(["Silver Rain", "Jack Maxim"], []))
    assert choice(s) == "lay Silver Rain as the barrier"


def test_what_cannot_be_caught_is_let_go():
    assert choice(scene(attack=(["Reiji"], ["Ren"]), hands=(["Jack Maxim"], ["Iska"]))) == "end"


def test_the_last_life_is_defended_with_whatever_there_is():
    last = scene(
        attack=(["Reiji"], ["Ren"]), hands=(["Jack Maxim"] * 4 + ["Grantram"], ["Iska"]), decks=(["Iska"], None)
    )
    assert choice(last) == "ride Grantram"


# --- Entries, copies and Calist -------------------------------------------------------------------------------


def test_jack_takes_the_card_that_wins():
    s = scene(
        hands=(["Jack Maxim"], ["Cookberry"]),
        discards=(["Ralph", "Reiji", "Elder Hanks", "Amon"], []),
        decks=(["Maria"] * 5, ["Cookberry"] * 9),
    )
    assert choice(s, "set Jack Maxim", "set Cookberry") == "take Ralph from the discards"


def test_hanks_keeps_the_card_that_wins_and_returns_others():
    s = scene(
        hands=(["Elder Hanks", "Ralph", "Himeko", "Reiji"], ["Cookberry"]),
        decks=(["Maria"] * 5, ["Cookberry"] * 9),
    )
    play(s, "set Elder Hanks", "set Cookberry")
    returned = []
    while GAME.decision_kind(s.state) in ("entry", "put_back"):
        returned.append(choice(s))
        play(s, returned[-1])
    assert "put Himeko back" in returned
    assert "put Ralph back" not in returned


def test_a_power_is_copied_if_nothing_better_saves_the_round():
    for hand, best in (["Jack Maxim"], "copy the entry (7500)"), (["Ren"], "do not copy it"):  # he has 8800 on a P
        s = scene(attack=(["Reiji"], ["Ren"]), hands=(["Maria"], hand), barrier=("Renjo", 1))
        assert choice(s, "ride Maria", "use the entry (7500)") == best


def test_calist_comes_back_for_a_poor_card_and_not_for_a_good_one():
    weak = (None, ["Iska"] * 9)
    poor = scene(attack=(["Calist"], ["Ren"]), hands=(["Himeko", "Himeko"], []), decks=weak)
    assert choice(poor, "end") == "discard Himeko"
    good = scene(attack=(["Calist"], ["Ren"]), hands=(["Leticia", "Maria"], []))
    assert choice(good, "end") == "leave Calist"


# --- As a whole -----------------------------------------------------------------------------------------------


def positions(rules, decks, games):
    """True states at which somebody decides, reached by playing at random in every other game."""
    table, dice = GAME.table(rules, decks=decks), new_stream(1)
    agent = TommyHeuristic(GAME, table)
    for seed in range(games):
        state = GAME.dealt(table, seed)
        while not state.over:
            yield table, state
            if seed % 2:
                action = random_action(dice, GAME.mask(table, state))
            else:
                action = agent.act(position_of(GAME, table, state, 0), dice)
            dispatch.apply(table, state, action)


@pytest.mark.parametrize("decks", [None, str(DECKS), {"random": ["hanks", "renjo", "jack_maxim", "calist", "amina"]}])
@pytest.mark.parametrize("rules", [{}, ALL_OTHER_WAYS])
def test_every_decision_gets_a_finite_score_and_what_is_made_up_changes_none(rules, decks):
    agent = None
    for table, state in positions(rules, decks, 12):
        agent = agent or TommyHeuristic(GAME, table)
        scores = [agent.scores(position_of(GAME, table, state, world)).copy() for world in (1, 2, 3)]
        assert (np.isfinite(scores[0]) == (GAME.mask(table, state) == 1)).all()
        np.testing.assert_array_equal(scores[0], scores[1])
        np.testing.assert_array_equal(scores[0], scores[2])


def test_scores_do_not_depend_on_what_was_scored_before():
    used = None
    for table, state in positions({}, None, 4):
        used = used or TommyHeuristic(GAME, table)
        position = position_of(GAME, table, state, 0)
        np.testing.assert_array_equal(used.scores(position), TommyHeuristic(GAME, table).scores(position))


def share_won(decks, games):
    """The share of games that the player wins against random play, drawn ones counting half."""
    table, dice = GAME.table(decks=decks), new_stream(3)
    agent, points = TommyHeuristic(GAME, table), 0.0
    for game in range(games):
        state = GAME.dealt(table, game // 2)
        while not state.over:
            if state.to_act == game % 2:
                action = agent.act(Position(GAME, table, state), dice)
            else:
                action = random_action(dice, GAME.mask(table, state))
            dispatch.apply(table, state, action)
        points += 0.5 if state.winner == -1 else state.winner == game % 2
    return points / games


@pytest.mark.parametrize("decks", [None, str(DECKS)])
def test_random_play_is_beaten_by_far(decks):
    assert share_won(decks, 200) > 0.9


def test_the_shipped_decks_are_ten_different_ones_with_a_plan():
    decks = [GAME.table(decks=str(file)).pool[0, 0] for file in sorted(DECKS.glob("*.yaml"))]
    assert len({tuple(sorted(deck)) for deck in decks}) == 10
    assert all("plan: " in file.read_text(encoding="utf-8") for file in DECKS.glob("*.yaml"))


def test_drawing_is_scored_apart_from_setting():
    """The score of a draw says only whether the hand is large enough."""
    s = scene(hands=(["Iska"] * 6, []))
    scores = TommyHeuristic(GAME, s.table).scores(position_of(GAME, s.table, s.state, 0))
    assert scores[DRAW] < scores[SET_CARD:].max()
