"""Every numbered rule of a rulebook has a test that names it, and no test names a rule that is not there."""

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from duelbench.envs.registry import game_names

TESTS = Path(__file__).parent
ENVS = TESTS.parent / "envs"
WITH_RULES = [name for name in game_names() if (ENVS / name / "RULES.md").exists()]


def numbers_in(rulebook: str) -> list[str]:
    """The numbers in bold at the beginning of a paragraph, alone or before a card's name."""
    return re.findall(r"^\*\*(\d+\.\d+)(?: [^*]+)?\*\*", rulebook, re.MULTILINE)


def rules_of(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """The arguments of the `pytest.mark.rule` decorators of a test."""
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule":
            game, number = map(ast.literal_eval, decorator.args)
            yield game, number


def functions_in(source: str) -> Iterator[ast.FunctionDef]:
    """The tests of a file."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def named_rules() -> set[tuple[str, str]]:
    sources = [path.read_text(encoding="utf-8") for path in TESTS.glob("test_*.py")]
    return {rule for source in sources for test in functions_in(source) for rule in rules_of(test)}


def test_numbers_and_markers_are_found_where_they_are():
    assert numbers_in("**1.2** A card\n**5.10 The Wheel (10)**: a coin; see **1.3** and 2.4.\n- **bold**\n") == [
        "1.2",
        "5.10",
    ]
    source = "@pytest.mark.rule('go', '1.2')\n@pytest.mark.rule('go', '3.4')\ndef test_a(): pass\ndef test_b(): pass"
    assert [list(rules_of(test)) for test in functions_in(source)] == [[("go", "1.2"), ("go", "3.4")], []]


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
