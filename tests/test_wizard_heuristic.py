"""The hand-written Wizard in Training player, on scenes in which a sensible player knows what to do."""

from pathlib import Path

import numpy as np
import pytest
from wizard_patched import laid
from wizard_scenes import DUEL, GAME, REDRAW, action_text, asked, character, item, mode, play, scene, spell

from duelbench.agents.agent import Position, position_of
from duelbench.agents.heuristic import heuristic_player
from duelbench.agents.wizard_heuristic import WizardHeuristic
from duelbench.envs import dispatch
from duelbench.envs.playout import random_action
from duelbench.envs.rng import new_stream

DECKS = str(Path(__file__).resolve().parent.parent / "configs" / "decks" / "wizard_in_training")
ALL_OTHER_WAYS = {
    "recycle": "every_redraw",
    "level5_cap": "cap_23",
    "duels_per_phase": "one",
    "duel_double_hit": "attacker_wins",
    "duel_tie": "defender_wins",
    "main_attack_leveldown": False,
    "duel_reward": "loser_sum",
    "duel_commit": "hidden_equipment",
}
SOME_OTHER_WAYS = {"recycle": "level_change", "duel_compare": "attack_vs_defend", "max_turns": 60}
STRONG = {"bear": character(5, 4, level=1), "rock": character(3, 6, level=1), "fort": character(6, 7, level=3)}


def choice(s, *actions):
    """What the player does after `actions`, the same whatever is made up in its position."""
    play(s, *actions)
    agent = WizardHeuristic(GAME, s.table)
    chosen = {agent.act(position_of(GAME, s.table, s.state, seed), new_stream(seed)) for seed in range(4)}
    assert len(chosen) == 1, "what is made up has changed the choice"
    return action_text(s, chosen.pop())


# --- Blocking -------------------------------------------------------------------------------------------------


def test_a_character_is_given_up_rather_than_the_last_level():
    s = scene(at=DUEL, hand=(["ogre"], ["page"]), level=(3, 1))
    assert choice(s, "attack ogre") == "block page"


def test_the_main_defends_where_it_holds():
    s = scene(at=DUEL, hand=(["wolf"], ["page"]), mains=("kelli", "nevin"))
    assert choice(s, "attack wolf") == "main"


def test_a_blocker_that_wins_is_taken_before_one_that_ties():
    s = scene(at=DUEL, hand=(["ogre"], ["rock", "wolf"]), level=(3, 2), cards=STRONG)
    assert choice(s, "attack ogre") == "block rock"


def test_a_tie_kills_a_strong_attacker_and_saves_the_level():
    s = scene(at=DUEL, hand=(["giant"], ["wall", "wolf"]), level=(4, 2), cards={"wall": character(1, 7)})
    assert choice(s, "attack giant") == "block wall"


# --- Attacking ------------------------------------------------------------------------------------------------


def test_an_attack_that_cannot_be_blocked_is_made_and_wins_the_game():
    s = scene(at=DUEL, hand=(["page", "bear"], ["hum"]), cards=STRONG)
    assert choice(s) == "attack bear"


def test_nothing_attacks_into_a_blocker_that_lies_open_and_wins():
    s = scene(at=DUEL, hand=(["wolf"], ["hum"]), field=([], ["rock"]), cards=STRONG)
    assert choice(s) == "pass"


def test_the_other_main_at_level_1_is_worth_a_risk_that_a_few_teeth_are_not():
    for level, best in ((1, "attack bear"), (2, "pass")):
        s = scene(at=DUEL, hand=(["bear"], ["hum"] * 4), deck=([], ["fort"] * 8), level=(1, level), cards=STRONG)
        assert choice(s) == best


def test_the_main_stays_at_home_when_it_could_fall():
    s = scene(at=DUEL, hand=(["hum"], []), pool=(["sword"], []), field=([], ["fort"]), cards=STRONG)
    assert choice(s) == "pass"


# --- Equipment ------------------------------------------------------------------------------------------------


def test_only_what_the_attack_needs_is_worn_and_drunk():
    pool = (["sword", "cloak", "ale"], [])
    s = scene(at=DUEL, hand=(["squire"], ["hum"]), pool=pool, mains=("kelli", "kelli"))
    assert choice(s, "attack squire") == "equip sword"
    assert choice(s, "equip sword") == "pass"


def test_the_cheaper_of_two_weapons_is_worn():
    s = scene(at=DUEL, hand=(["squire"], ["hum"]), pool=(["sword", "club"], []))
    assert choice(s, "attack squire") == "equip club"


def test_an_attacker_that_wins_anyway_takes_nothing():
    s = scene(at=DUEL, hand=(["ogre"], ["hum"]), pool=(["ale"], []), level=(3, 2), deck=([], ["page"]))
    assert choice(s, "attack ogre") == "pass"


def test_the_defender_drinks_what_saves_the_level_and_no_more():
    s = scene(at=DUEL, hand=(["bear"], ["hum"]), pool=([], ["broth", "broth", "ale"]), cards=STRONG)
    assert choice(s, "attack bear") == "equip broth"
    assert choice(s, "equip broth") == "pass"


def test_of_two_drinks_that_save_the_level_the_cheaper_is_taken():
    facts = {**STRONG, "mead": item(3, "potion", defend=3)}
    s = scene(at=DUEL, hand=(["bear"], ["hum"]), pool=([], ["mead", "broth"]), cards=facts)
    assert choice(s, "attack bear") == "equip broth"


def test_a_defender_that_cannot_be_saved_wears_nothing():
    s = scene(at=DUEL, hand=(["giant"], ["hum"]), pool=([], ["cloak"]), level=(4, 2))
    assert choice(s, "attack giant") == "pass"


# --- Spells ---------------------------------------------------------------------------------------------------

THEFT = {"theft": spell(mode(steal=3), mode(attack=2), level=1), "alms": spell(mode(gain=3), level=1)}


def test_a_theft_waits_until_there_is_something_to_steal():
    theft = {"theft": spell(mode(steal=3), level=1)}
    assert choice(scene(hand=(["theft"], []), cards=theft)) == "pass"
    assert choice(scene(hand=(["theft"], []), pool=([], ["florin"]), cards=theft)) == "cast theft"


def test_the_gain_that_graduates_is_cast():
    s = scene(hand=(["alms"], []), level=(5, 5), earned=(22, 23), cards=THEFT)
    assert choice(s) == "cast alms"


def test_the_duel_mode_is_taken_when_it_makes_the_attack_that_wins():
    s = scene(hand=(["theft", "squire"], ["hum"]), pool=([], ["penny"]), mains=("kelli", "nevin"), cards=THEFT)
    assert choice(s, "cast theft") == "mode 1"


def test_a_spell_that_raises_the_level_comes_after_one_that_robs():
    rob = {**THEFT, "rob": spell(mode(discard=2), level=1)}
    s = scene(hand=(["alms", "rob"], ["hum"] * 3), earned=(6, 0), cards=rob)
    assert choice(s) == "cast rob"


def test_the_item_that_is_held_is_the_cheapest():
    charm = {"ring": item(3, "charm"), "bless": spell(mode(gain=2), needs="charm")}
    s = scene(hand=(["bless"], []), pool=(["ring", "amulet"], []), cards=charm)
    assert choice(s, "cast bless") == "hold amulet"


def test_the_worst_spell_is_countered_and_a_harmless_one_is_not():
    facts = {
        "theft": spell(mode(steal=8), level=1),
        "sigh": spell(mode(draw=0, attack=0), level=1),
        "hush": spell(mode(gain=2), level=1, counters=("theft", "sigh")),
    }
    pool = ([], ["crown", "florin"])
    s = scene(hand=(["theft"], ["hush"]), pool=pool, cards=facts)
    assert choice(s, "cast theft") == "counter hush"
    s = scene(hand=(["sigh"], ["hush"]), pool=pool, cards=facts)
    assert choice(s, "cast sigh") == "pass"


def test_the_dearest_item_is_destroyed():
    s = scene(hand=(["bolt"], []), pool=([], ["penny", "crown"]), cards={"bolt": spell(mode(destroys=1))})
    assert choice(s, "cast bolt") == "destroy crown"


def test_what_is_worth_least_is_given_up():
    facts = {"rob": spell(mode(discard=1)), "dream": spell(mode(gain=1), level=5)}
    s = scene(hand=(["rob"], ["crown", "dream"]), cards=facts)
    assert choice(s, "cast rob") == "discard dream"


# --- Payments -------------------------------------------------------------------------------------------------


def paid(pool, owed):
    """Which items of the pool are paid for a theft of that size."""
    facts = {"theft": spell(mode(steal=owed))}
    s = scene(hand=(["theft"], []), pool=([], pool), level=(5, 5), cards=facts)
    play(s, "cast theft")
    before = sorted(pool)
    while asked(s)[1] == "pay":
        play(s, choice(s))
    left = [s.name(int(card)) for card in s.state.lists[1][s.state.zone[1] == 2]]
    for name in left:
        before.remove(name)
    return before


def test_a_debt_is_paid_without_a_tooth_too_much():
    assert paid(["crown", "florin", "shilling", "penny"], 3) == ["florin"]
    assert paid(["crown", "shilling", "penny"], 3) == ["penny", "shilling"]
    assert paid(["crown", "nugget", "florin"], 8) == ["crown", "florin"]
    assert paid(["nugget", "crown"], 3) == ["crown"]


# --- Discards -------------------------------------------------------------------------------------------------


def test_what_cannot_be_played_soon_goes_and_a_blocker_stays():
    facts = {"dream": spell(mode(steal=2), level=5)}
    deck = (["florin", "crown"] * 5, ["wolf"])
    s = scene(at=REDRAW, hand=(["dream", "giant"], ["hum"] * 5), deck=deck, cards=facts)
    assert choice(s) == "discard dream"
    assert choice(s, "discard dream") == "pass"


def test_a_spell_that_brings_teeth_is_kept():
    s = scene(at=REDRAW, hand=(["theft"], []), pool=([], ["florin"]), cards=THEFT)
    assert choice(s) == "pass"


# --- As a whole -----------------------------------------------------------------------------------------------


def positions(rules, decks, games):
    """True states at which somebody decides, reached by playing at random in every other game."""
    table, dice = GAME.table(rules, decks=decks), new_stream(1)
    agent = WizardHeuristic(GAME, table)
    for seed in range(games):
        state = GAME.dealt(table, seed)
        while not state.over:
            yield table, state
            if seed % 2:
                action = random_action(dice, GAME.mask(table, state))
            else:
                action = agent.act(position_of(GAME, table, state, 0), dice)
            dispatch.apply(table, state, action)


@pytest.mark.parametrize("decks", [None, DECKS])
@pytest.mark.parametrize("rules", [{}, ALL_OTHER_WAYS, SOME_OTHER_WAYS])
def test_every_decision_gets_a_finite_score_and_what_is_made_up_changes_none(rules, decks):
    agent = None
    for table, state in positions(rules, decks, 10):
        agent = agent or WizardHeuristic(GAME, table)
        scores = [agent.scores(position_of(GAME, table, state, world)).copy() for world in (1, 2, 3)]
        assert (np.isfinite(scores[0]) == (GAME.mask(table, state) == 1)).all()
        np.testing.assert_array_equal(scores[0], scores[1])
        np.testing.assert_array_equal(scores[0], scores[2])


def test_scores_do_not_depend_on_what_was_scored_before():
    used = None
    for table, state in positions({}, DECKS, 4):
        used = used or WizardHeuristic(GAME, table)
        position = position_of(GAME, table, state, 0)
        np.testing.assert_array_equal(used.scores(position), WizardHeuristic(GAME, table).scores(position))


def test_the_position_is_left_as_it_was():
    for table, state in positions({"duel_commit": "hidden_equipment"}, DECKS, 4):
        position = position_of(GAME, table, state, 0)
        before = position.root.tobytes()
        WizardHeuristic(GAME, table).act(position, new_stream(0))
        assert position.root.tobytes() == before


@pytest.mark.parametrize("decks", [None, DECKS])
def test_random_play_is_beaten_by_far(decks):
    table, dice, games = GAME.table(decks=decks), new_stream(3), 200
    agent, won = heuristic_player(GAME, table), 0
    for game in range(games):
        state = GAME.dealt(table, game // 2)
        while not state.over:
            if state.to_act == game % 2:
                action = agent.act(Position(GAME, table, state), dice)
            else:
                action = random_action(dice, GAME.mask(table, state))
            dispatch.apply(table, state, action)
        won += state.winner == game % 2
    assert won > 0.92 * games


def test_a_changed_spell_is_judged_as_changed():
    hand = (["study_hour", "tooth_collection"], [])
    assert choice(laid({"tooth_collection": {"mode_1": "gain 7"}}, hand=hand)) == "cast tooth_collection"
    changed = {"study_hour": {"mode_2": "gain 7"}, "tooth_collection": {"blank": True}}
    assert choice(laid(changed, hand=hand)) == "cast study_hour"
