"""Random games without end: nothing breaks, whatever the rule options. DUELBENCH_GAMES sets how many (default 20,000).

`python tests/random_games.py 1000000` prints the figures of a million games of each game.
"""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import random_games
from conftest import ALL_GAMES, game_called
from random_games import (
    DECKS,
    DRAWN_GAMES,
    FAULT,
    FAULTS,
    LARGEST_NUMBER,
    LENGTH,
    LONGEST,
    MOST_EVENTS,
    REASON,
    figures_of,
    fingerprint,
    most_decisions,
    summary,
)
from tommy_scenes import card as tommy_card
from tommy_scenes import play as tommy_play
from tommy_scenes import scene as tommy_scene

from duelbench.envs import dispatch
from duelbench.envs.tommy_walker.cards import CARDS
from duelbench.envs.tommy_walker.state import NO_SEAT, NUM_ACTIONS
from duelbench.envs.wizard_in_training import state as wizard
from duelbench.envs.wizard_in_training.cards import FIRST_CHARACTER, FIRST_SPELL

GAMES = int(os.environ.get("DUELBENCH_GAMES", "20000"))
PARITY_GAMES = 12


def assert_sound(game, figures, games, decks=None):
    assert figures[FAULT] == 0, summary(game, figures, decks)
    assert figures[: DRAWN_GAMES + 1].sum() == games
    assert figures[REASON] == 0, "a game is over without a reason"


def test_every_state_of_random_games_is_sound(game, capsys):
    for decks in DECKS.get(game.name, (None,)):
        figures = figures_of(game, GAMES, decks=decks)
        assert_sound(game, figures, GAMES, decks)
        with capsys.disabled():
            print(f"\n{summary(game, figures, decks)}")  # noqa: T201


def test_no_number_comes_near_its_limits(game):
    for decks in DECKS.get(game.name, (None,)):
        figures = figures_of(game, min(GAMES, 100_000), decks=decks)
        assert figures[MOST_EVENTS] <= max(len(game.new_state().events) // 2, 2)
        assert figures[LARGEST_NUMBER] <= 63
        assert figures[LONGEST] < most_decisions(game.name) // 2


def other_values(option):
    if isinstance(option.values, range):
        return [value for value in (option.values[0], option.values[-1]) if value != option.default]
    return [value for value in option.values if value != option.default]


def settings(game):
    """Every option at each of its other values, and every pair of such."""
    singles = [{option.name: value} for option in game.options for value in other_values(option)]
    pairs = [a | b for a, b in itertools.combinations(singles, 2) if a.keys() != b.keys()]
    everything = {option.name: other_values(option)[0] for option in game.options}
    return [*singles, *pairs, everything]


def test_every_option_and_every_pair_of_options_is_sound(game):
    games = max(GAMES // 10, 100)
    for number, rules in enumerate(settings(game)):
        every_second = DECKS.get(game.name, (None,))[: 1 + number % 2]
        for decks in every_second:
            assert_sound(game, figures_of(game, games, rules, first_seed=10**6, decks=decks), games, decks)


def test_every_option_matters(game):
    """Guards the test above: an option that reached no rule would be sound in any pair."""
    figures = tuple(figures_of(game, 20_000))
    for option in game.options:
        if not isinstance(option.values, range):
            assert figures != tuple(figures_of(game, 20_000, {option.name: other_values(option)[0]})), option.name


@pytest.mark.parametrize(
    ("name", "option", "reason"),
    [
        ("tarot_duel", "max_turns", "turn cap"),
        ("tommy_walker", "max_rounds", "round cap"),
        ("wizard_in_training", "max_turns", "turn cap"),
    ],
)
def test_the_cap_ends_a_game(name, option, reason):
    game = game_called(name)
    for cap in (5, 6):
        figures = figures_of(game, 5000, {option: cap})
        assert_sound(game, figures, 5000)
        assert figures[REASON + game.reasons.index(reason)] > 0
        assert figures[LENGTH] <= 5000 * cap


def interpreted(name, rules):
    """The fingerprint that the rules leave when they run as plain Python, in a process of its own."""
    code = (
        "from conftest import game_called; from random_games import fingerprint; "
        f"print(fingerprint(game_called({name!r}), {PARITY_GAMES}, {rules!r}))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(random_games.__file__).parent)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


@pytest.mark.parametrize("name", ALL_GAMES)
def test_compiled_and_interpreted_rules_play_the_same_games(name):
    game = game_called(name)
    for rules in ({}, {option.name: other_values(option)[0] for option in game.options}):
        assert interpreted(name, rules) == fingerprint(game, PARITY_GAMES, rules)


# --- What is wrong is found -----------------------------------------------------------------------------------


def broken(state, table, change):
    """The fault found in a sound state after `change` has spoilt it."""
    assert random_games.fault(table, state) == 0
    change(state)
    return FAULTS[random_games.fault(table, state)]


def lose_a_card(state):
    state.zone[state.deck[0]] = 9


def copy_a_card(state):
    state.deck[0] = state.deck[1]


def stack_a_hand_card(state):
    state.deck[0] = int(np.flatnonzero(state.zone == 1)[0])


def forget_own_hand(state):
    state.label[0, np.flatnonzero(state.zone == 1)[0]] = 1


def invent_a_label(state):
    state.label[0, state.deck[0]] = 9


def show_a_deck_card(state):
    state.shown[0, state.deck[0]] = 1


def look_at_a_deck_card(state):
    state.peeks[0, 0] = 1 << int(state.deck[0])


def mix_one_group(state):
    state.top_mixed[0] = 1


def bound_without_notice(state):
    state.low[0, np.flatnonzero(state.zone == 2)[0]] = 21


def too_many_wins(state):
    state.wins[0] = 100


def set_a_deck_card(state):
    state.chosen[0] = int(state.deck[0])


def set_too_early(state):
    state.chosen[0] = int(np.flatnonzero(state.zone == 1)[0])


def tell_nonsense(state):
    state.told[1] = 1000


@pytest.mark.parametrize(
    ("change", "number"),
    [
        (lose_a_card, 10),
        (copy_a_card, 11),
        (stack_a_hand_card, 11),
        (too_many_wins, 12),
        (set_a_deck_card, 14),
        (set_too_early, 14),
        (tell_nonsense, 16),
        (forget_own_hand, 20),
        (invent_a_label, 21),
        (bound_without_notice, 22),
        (show_a_deck_card, 23),
        (look_at_a_deck_card, 24),
        (mix_one_group, 25),
    ],
)
def test_a_spoilt_state_of_tarot_duel_is_found(change, number):
    game = game_called("tarot_duel")
    table = game.table()
    assert broken(game.dealt(table, 5), table, change) == FAULTS[number]


# Tommy Walker: two hands, the discards and returned places of seat 0, and a barrier.


def draw_phase():
    hands = (["Amina", "Amina", "Elder Hanks"], ["Lovelinstar", "Lovelinstar"])
    discards = (["Maria", "Ren"], [])
    s = tommy_scene(hands, discards=discards, known=(["Amina"], []), barrier=("Renjo", 1))
    tommy_play(s, "draw a card", "draw a card", "set Elder Hanks", "draw a card")
    return s


def attack_phase():
    return tommy_scene((["Amina", "Ren"], ["Maria"]), attack=(["Hina"], ["Iska"]), discards=(["Maria"], []))


def put_back_phase():
    s = tommy_scene((["Elder Hanks", "Amina", "Ren", "Maria"], ["Ralph"]), known=(["Amina", "Ren"], []))
    tommy_play(s, "set Elder Hanks", "set Ralph", "put Amina back", "put Maria back")
    return s


def a_card_too_many(state):
    state.discard[0, tommy_card("Amina")] += 1


def a_hand_card_twice(state):
    state.hand[0, tommy_card("Amina")] += 1
    state.hand_size[0] += 1


def a_hand_of_the_wrong_size(state):
    state.hand_size[0] += 1


def a_card_beyond_the_deck(state):
    state.deck[0, 15] = tommy_card("Ren")


def a_gap_in_the_deck(state):
    state.deck[0, 0] = len(CARDS)


def a_draw_of_another_card(state):
    state.deck[0, state.deck_size[0]] = tommy_card("Iska")


def a_barrier_of_nobody(state):
    state.lists[1, state.barrier] -= 1
    state.barrier_seat = NO_SEAT


def an_attack_card_as_barrier(state):
    state.lists[1, state.barrier] -= 1
    state.barrier = tommy_card("Ralph")
    state.lists[1, state.barrier] += 1


def set_what_is_not_in_hand(state):
    state.chosen[0] = tommy_card("Iska")


def set_by_the_last_to_set(state):
    state.chosen[1] = tommy_card("Ralph")


def over_without_an_end(state):
    state.over = 1


def won_before_the_end(state):
    state.winner = 0


def a_round_too_many(state):
    state.round_number = 201


def tell_of_too_many_draws(state):
    state.told[0] = 17 * NUM_ACTIONS


def a_stack_in_the_draw_phase(state):
    state.stack[0, 0] = tommy_card("Ren")
    state.stack_size[0] = 1
    state.discard[0, tommy_card("Ren")] -= 1


def no_attack_card(state):
    state.stack[0, 0] = len(CARDS)
    state.stack_size[0] = 0
    state.discard[0, tommy_card("Hina")] += 1


def a_power_of_another_card(state):
    state.own_power[0] = 8100


def a_power_not_paid_for(state):
    state.own_power[0] = 12600
    state.paid[0] = 1


def ridden_without_a_stack(state):
    state.rode[0] = 1


def a_copy_without_its_power(state):
    state.copy_last[1] = 1


def owed_for_nothing(state):
    state.owed = state.announced = 1


def an_entry_without_its_card(state):
    state.source = len(CARDS)


def won_in_the_draw_phase(state):
    state.round_winner = 1


def a_token_too_few(state):
    state.tokens[0] -= 1


def a_place_too_many(state):
    state.returned[1] = 1


def tokens_out_of_order(state):
    state.token_card[0, :2] = state.token_card[0, 1::-1].copy()


def a_token_in_a_place_that_is_not(state):
    state.token_from[0, 0] = 3


def a_token_of_a_card_elsewhere(state):
    state.token_card[0, 0] = 0


def a_token_that_came_too_late(state):
    state.token_from[0, :3] = 1  # all but one after the first place was filled


def a_promise_not_kept(state):
    state.promised[1] = 1


@pytest.mark.parametrize(
    ("lay", "change", "number"),
    [
        (draw_phase, a_card_too_many, 40),
        (draw_phase, a_hand_card_twice, 40),
        (draw_phase, a_hand_of_the_wrong_size, 41),
        (draw_phase, a_card_beyond_the_deck, 41),
        (draw_phase, a_gap_in_the_deck, 41),
        (draw_phase, a_draw_of_another_card, 42),
        (draw_phase, a_barrier_of_nobody, 43),
        (draw_phase, an_attack_card_as_barrier, 43),
        (draw_phase, set_what_is_not_in_hand, 14),
        (draw_phase, set_by_the_last_to_set, 14),
        (draw_phase, over_without_an_end, 13),
        (draw_phase, won_before_the_end, 13),
        (draw_phase, a_round_too_many, 12),
        (draw_phase, tell_of_too_many_draws, 16),
        (draw_phase, a_stack_in_the_draw_phase, 44),
        (attack_phase, no_attack_card, 44),
        (attack_phase, a_power_of_another_card, 45),
        (attack_phase, a_power_not_paid_for, 45),
        (draw_phase, ridden_without_a_stack, 45),
        (attack_phase, a_copy_without_its_power, 45),
        (attack_phase, owed_for_nothing, 46),
        (put_back_phase, an_entry_without_its_card, 46),
        (draw_phase, won_in_the_draw_phase, 46),
        (draw_phase, a_token_too_few, 50),
        (draw_phase, a_place_too_many, 50),
        (draw_phase, tokens_out_of_order, 51),
        (put_back_phase, a_token_in_a_place_that_is_not, 51),
        (put_back_phase, a_token_of_a_card_elsewhere, 52),
        (put_back_phase, a_token_that_came_too_late, 52),
        (draw_phase, a_promise_not_kept, 53),
    ],
)
def test_a_spoilt_state_of_tommy_walker_is_found(lay, change, number):
    scene = lay()
    assert broken(scene.state, scene.table, change) == FAULTS[number]


# Wizard in Training: states of random games, by the decision that is pending.


def wizard_state(phase, rules=None, wanted=lambda state: True):
    """The first state of random games with that decision pending, and its table."""
    game = game_called("wizard_in_training")
    table, dice = game.table(rules), np.random.default_rng(0)
    for seed in itertools.count():
        state = game.dealt(table, seed)
        while not state.over:
            if state.phase == phase and wanted(state):
                return table, state
            dispatch.apply(table, state, int(dice.choice(game.legal_actions(table, state))))
        if state.phase == phase and wanted(state):
            return table, state


def some_slot(state, seat, zone):
    return int(np.flatnonzero(state.zone[seat] == zone)[0])


def has_in(zone):
    return lambda state: (state.zone[0] == zone).any()


def three_copies(state):
    state.lists[0, :3] = state.lists[0, 0]


def no_main(state):
    state.mains[1] = 0


def a_spell_in_the_pool(state):
    state.zone[0, np.flatnonzero((state.zone[0] == wizard.HAND) & (state.lists[0] >= FIRST_SPELL))[0]] = wizard.POOL


def two_slots_for_one(state):
    state.deck[0, 0] = state.deck[0, 1]


def a_slot_beyond_the_deck(state):
    state.deck[0, state.deck_size[0]] = 3


def one_card_more_in_hand(state):
    state.hand_size[1] += 1


def a_tooth_more(state):
    state.placed[0] += 1


def waste_without_a_cap(state):
    state.waste[0] = 1


def teeth_for_two_levels(state):
    state.earned[0] += 24


def gained_for_nothing(state):
    state.gained[1] = 1


def the_loser_wins(state):
    state.winner = 1 - state.winner


def ask_the_other(state):
    state.to_act = 1 - state.to_act


def owe_nothing(state):
    state.owed = 0


def owe_too_much(state):
    state.owed += 5


def forget_the_spell(state):
    state.spell = wizard.NO_SLOT


def another_mode(state):
    state.mode = 3


def hold_nothing(state):
    state.zone[state.active, state.held_item] = wizard.POOL
    state.held_item = wizard.NO_SLOT


def give_up_all(state):
    state.to_give_up = state.hand_size[state.to_act]


def no_attacker(state):
    state.attacker = wizard.NO_SLOT


def a_lot_too_many(state):
    state.lots[state.to_act] += 1


def an_attacker_that_has_not_fought(state):
    state.fought[state.active, state.attacker] = 0


def one_duel_more(state):
    state.duels += 1


def a_change_left_over(state):
    state.boost[1, 2] = 1


def keep_more_than_there_are(state):
    state.kept[0] = state.hand_size[0] + 1


def a_token_too_many(state):
    state.drawn_at[0, state.hand_size[0]] = 1


def tokens_in_the_wrong_order(state):
    state.shuffles[0] += 1
    state.drawn_at[0, 0] = state.shuffles[0]


def unseen_since_the_future(state):
    state.since[0, 5] = state.shuffles[0] + 1


def a_hand_card_that_came_back(state):
    state.shuffles[0] += 1
    state.since[0, some_slot(state, 0, wizard.HAND)] = state.shuffles[0]


def keep_an_item(state):
    state.kept[0] = state.hand_size[0]


def an_item_in_hand(state):
    return state.active == 1 and ((state.zone[0] == wizard.HAND) & (state.lists[0] < FIRST_CHARACTER)).any()


def a_spell_in_hand(state):
    return ((state.zone[0] == wizard.HAND) & (state.lists[0] >= FIRST_SPELL)).any()


def a_held_item(state):
    return state.held_item != wizard.NO_SLOT


def two_tokens(state):
    return state.hand_size[0] > 1


def a_character_attacks(state):
    return state.attacker != wizard.MAIN_SLOT


WIZARD_SPOILT = [
    (wizard.CASTING, three_copies, 60, None),
    (wizard.CASTING, no_main, 60, None),
    (wizard.CASTING, a_spell_in_the_pool, 61, a_spell_in_hand),
    (wizard.CASTING, two_slots_for_one, 62, None),
    (wizard.ATTACKING, a_slot_beyond_the_deck, 62, None),
    (wizard.DISCARDING, one_card_more_in_hand, 63, None),
    (wizard.CASTING, a_tooth_more, 64, None),
    (wizard.CASTING, waste_without_a_cap, 64, has_in(wizard.POOL)),
    (wizard.CASTING, teeth_for_two_levels, 65, None),
    (wizard.ATTACKING, gained_for_nothing, 65, None),
    (wizard.FINISHED, the_loser_wins, 66, None),
    (wizard.CASTING, ask_the_other, 67, None),
    (wizard.BLOCKING, ask_the_other, 67, None),
    (wizard.COUNTERING, ask_the_other, 67, None),
    (wizard.PAYING, owe_nothing, 68, None),
    (wizard.PAYING, owe_too_much, 68, None),
    (wizard.CHOOSING_MODE, forget_the_spell, 61, None),
    (wizard.CHOOSING_MODE, another_mode, 68, None),
    (wizard.COUNTERING, hold_nothing, 68, a_held_item),
    (wizard.GIVING_UP, give_up_all, 68, None),
    (wizard.BLOCKING, no_attacker, 69, None),
    (wizard.EQUIPPING, a_lot_too_many, 69, None),
    (wizard.BLOCKING, an_attacker_that_has_not_fought, 70, a_character_attacks),
    (wizard.ATTACKING, one_duel_more, 71, None),
    (wizard.DISCARDING, a_change_left_over, 71, None),
    (wizard.CASTING, keep_more_than_there_are, 72, None),
    (wizard.CASTING, a_token_too_many, 72, None),
    (wizard.CASTING, tokens_in_the_wrong_order, 72, two_tokens),
    (wizard.CASTING, unseen_since_the_future, 72, None),
    (wizard.CASTING, a_hand_card_that_came_back, 73, two_tokens),
    (wizard.CASTING, keep_an_item, 73, an_item_in_hand),
]


@pytest.mark.parametrize(("phase", "change", "number", "wanted"), WIZARD_SPOILT)
def test_a_spoilt_state_of_wizard_in_training_is_found(phase, change, number, wanted):
    table, state = wizard_state(phase, wanted=wanted or (lambda state: True))
    assert broken(state, table, change) == FAULTS[number]
