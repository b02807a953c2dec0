"""Every numbered rule of a rulebook has a test that names it, and no test names a rule that is not there."""

import functools
import importlib.util
import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbench.envs.registry import game_names

TESTS = Path(__file__).parent
ENVS = TESTS.parent / "envs"
WITH_RULES = [name for name in game_names() if (ENVS / name / "RULES.md").exists()]


def numbers_in(rulebook: str) -> list[str]:
    """The numbers in bold at the beginning of a paragraph, alone or before a card's name."""
    return re.findall(r"^\*\*(\d+\.\d+)(?: [^*]+)?\*\*", rulebook, re.MULTILINE)


def rules_of(test: Callable[..., None]) -> list[tuple[str, str]]:
    """The game and number of every `rule` marker of a test."""
    return [mark.args for mark in getattr(test, "pytestmark", []) if mark.name == "rule"]


def read_tests(path: Path) -> list[Callable[..., None]]:
    spec = importlib.util.spec_from_file_location(f"read_by_rulebook_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [value for name, value in vars(module).items() if name.startswith("test_")]


@functools.cache
def named_rules() -> set[tuple[str, str]]:
    marking = [path for path in TESTS.glob("test_*.py") if "mark.rule" in path.read_text() and path != Path(__file__)]
    return {rule for path in marking for test in read_tests(path) for rule in rules_of(test)}


def test_numbers_and_markers_are_found_where_they_are():
    assert numbers_in("**1.2** A card\n**5.10 The Wheel (10)**: a coin; see **1.3** and 2.4.\n- **bold**\n") == [
        "1.2",
        "5.10",
    ]

    @pytest.mark.rule("go", "1.2")
    @pytest.mark.numba_modes
    @pytest.mark.rule("go", "3.4")
    def two_rules():
        pass

    assert sorted(rules_of(two_rules)) == [("go", "1.2"), ("go", "3.4")]
    assert rules_of(test_numbers_and_markers_are_found_where_they_are) == []


@pytest.mark.parametrize("name", WITH_RULES)
def test_the_rules_are_numbered_in_order(name):
    numbers = [
        tuple(map(int, n.split("."))) for n in numbers_in((ENVS / name / "RULES.md").read_text(encoding="utf-8"))
    ]
    assert len(numbers) > 5
    for before, after in itertools.pairwise(numbers):
        follows = after[0] == before[0] and after[1] == before[1] + 1
        assert follows or (after[0] == before[0] + 1 and after[1] <= 1), (before, after)


@pytest.mark.parametrize("name", WITH_RULES)
def test_every_rule_has_a_test_and_every_marker_a_rule(name):
    numbers = set(numbers_in((ENVS / name / "RULES.md").read_text(encoding="utf-8")))
    assert {number for game, number in named_rules() if game == name} == numbers


def test_every_marker_names_a_game_with_rules():
    assert {game for game, _ in named_rules()} == set(WITH_RULES)
