"""Random games of Wizard in Training under every pair of options, each at every value: nothing breaks.

DUELBENCH_GAMES sets how many games each combination has (default 20).
"""

import itertools
import os

import pytest
from random_games import DRAWN_GAMES, FAULT, LENGTH, REASON, figures_of, summary

from duelbench.envs.registry import load_game

GAME = load_game("wizard_in_training")
GAMES = int(os.environ.get("DUELBENCH_GAMES", "20"))
FEW_TURNS, MANY_TURNS = 20, 400
VALUES = {option.name: option.values for option in GAME.options} | {"max_turns": (FEW_TURNS, MANY_TURNS)}


def combinations():
    """Every pair of values of every two options, once: what a pair leaves out keeps its default."""
    defaults = {option.name: option.default for option in GAME.options}
    for first, second in itertools.combinations(VALUES, 2):
        for values in itertools.product(VALUES[first], VALUES[second]):
            yield defaults | dict(zip((first, second), values, strict=True))


COMBINATIONS = {tuple(rules.values()): rules for rules in combinations()}


def test_all_combinations_are_there():
    """11 values that are no default; all pairs of them but the one of two values of `recycle`; the defaults."""
    assert len(COMBINATIONS) == 1 + 11 + (11 * 10 // 2 - 1)
    assert {rules["max_turns"] for rules in COMBINATIONS.values()} == {FEW_TURNS, MANY_TURNS}


@pytest.mark.parametrize("changed", VALUES)
def test_random_games_run_without_a_fault_under_every_pair_of_options(changed):
    """Every combination is played once: with the first option in which it differs from the defaults."""
    for rules in COMBINATIONS.values():
        if first_change(rules) == changed:
            figures = figures_of(GAME, GAMES, rules, first_seed=10**7)
            assert figures[FAULT] == 0, f"{rules}: {summary(GAME, figures)}"
            assert (figures[: DRAWN_GAMES + 1].sum(), figures[REASON]) == (GAMES, 0), rules
            assert figures[LENGTH] <= GAMES * rules["max_turns"], rules


def first_change(rules):
    """The first option that does not have its default; the last one of all if every one has."""
    different = [option.name for option in GAME.options if rules[option.name] != option.default]
    return different[0] if different else GAME.options[-1].name


def test_every_combination_is_another_game():
    """Guards the test above: an option that reached no rule would be sound with any other.

    Double hits exist only if both sides are compared. At random hardly anybody is robbed of items at level 5.
    """
    seen = {}
    for rules in COMBINATIONS.values():
        if rules["level5_cap"] == "event":
            figures = tuple(figures_of(GAME, 500, rules, first_seed=10**8))
            if rules["duel_compare"] == "attack_vs_defend" and rules["duel_double_hit"] == "attacker_wins":
                assert figures == tuple(figures_of(GAME, 500, rules | {"duel_double_hit": "tie"}, first_seed=10**8))
            else:
                assert figures not in seen, (rules, seen[figures])
                seen[figures] = rules
