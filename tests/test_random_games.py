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
    DRAWN_GAMES,
    FAULT,
    FAULTS,
    LARGEST_NUMBER,
    LONGEST,
    MOST_EVENTS,
    REASON,
    figures_of,
    fingerprint,
    summary,
)

from duelbench.envs.tarot_duel.state import MAX_EVENTS

GAMES = int(os.environ.get("DUELBENCH_GAMES", "20000"))
PARITY_GAMES = 12


def assert_sound(game, figures, games):
    assert figures[FAULT] == 0, summary(game, figures)
    assert figures[: DRAWN_GAMES + 1].sum() == games
    assert figures[REASON] == 0, "a game is over without a reason"


def test_every_state_of_random_games_is_sound(game, capsys):
    figures = figures_of(game, GAMES)
    assert_sound(game, figures, GAMES)
    with capsys.disabled():
        print(f"\n{summary(game, figures)}")  # noqa: T201


def test_no_number_comes_near_its_limits(game):
    figures = figures_of(game, min(GAMES, 100_000))
    assert figures[MOST_EVENTS] <= MAX_EVENTS // 2
    assert figures[LARGEST_NUMBER] <= 63
    assert figures[LONGEST] < 1000


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
    for rules in settings(game):
        assert_sound(game, figures_of(game, games, rules, first_seed=10**6), games)


def test_every_option_matters(game):
    """Guards the test above: an option that reached no rule would be sound in any pair."""
    for option in game.options:
        value = other_values(option)[0]
        if option.name != "max_turns":
            assert tuple(figures_of(game, 20_000)) != tuple(figures_of(game, 20_000, {option.name: value})), option.name


def test_the_turn_cap_ends_a_game():
    game = game_called("tarot_duel")
    figures = figures_of(game, 5000, {"max_turns": 5})
    assert figures[REASON + game.reasons.index("turn cap")] > 0


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


def broken(change):
    """The fault found in a Tarot Duel state after `change` has spoilt it."""
    game = game_called("tarot_duel")
    table = game.table()
    state = game.dealt(table, 5)
    assert random_games.fault(table, state) == 0
    change(state)
    return random_games.fault(table, state)


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
def test_a_spoilt_state_is_found(change, number):
    assert FAULTS[broken(change)] == FAULTS[number]
