"""Findings in sentences, from tables made by hand."""

import math

import pandas as pd

from duelbench.analysis.causal import EFFECT_COLUMNS
from duelbench.analysis.findings import MOST_OF_A_KIND, sentences
from duelbench.analysis.sweeps import FAIR_COLUMNS
from duelbench.analysis.variants import EFFECT_COLUMNS as RULE_COLUMNS


def effect(card, agent, value, discovered, change="blank", note=""):
    names = (card, card.title(), "札")
    numbers = (value, value - 0.02, value + 0.02, 0.5 + value, 0.5, 0.001, 0.002)
    return (*names, change, agent, *numbers, discovered, 1200, 2400, note)


def effects(*lines):
    return {"card_effects": pd.DataFrame(lines, columns=EFFECT_COLUMNS)}


def test_one_card_is_told_at_every_strength_with_its_numbers():
    told = sentences(effects(effect("death", "low", -0.05, True), effect("death", "high", -0.01, False)))
    assert told == [
        "Death (札), with its text rather than without it: -5.0 points at low (-7.0 to -3.0; 50.0% to 45.0%; 1,200 "
        "deals); -1.0 points at high (-3.0 to +1.0; 50.0% to 49.0%; 1,200 deals, not told from chance)."
    ]


def test_of_many_cards_the_largest_effects_are_told_and_all_are_counted():
    cards = [f"c{i:02d}" for i in range(MOST_OF_A_KIND + 3)]
    told = sentences(effects(*(effect(card, "low", 0.01 * (i + 1), i > 0) for i, card in enumerate(cards))))
    assert len(told) == MOST_OF_A_KIND + 1
    assert told[0].startswith("C10 (札)")
    assert told[-1] == (
        "with its text rather than without it: told from chance for 10 of 11 at low (false discoveries controlled)."
    )


def test_a_refusal_is_told_as_one():
    told = sentences(effects(effect("death", "low", math.nan, False, note="too few deals for an interval: 3")))
    assert "at low no answer (too few deals for an interval: 3)" in told[0]


def test_fair_values_are_told_with_their_interval_or_why_there_is_none():
    lines = [
        ("amina", "Amina", "アミナ", "at_power_1", "low", 8100, 7421.0, 7300.0, math.inf, 0.47, 900, ""),
        ("amina", "Amina", "アミナ", "at_power_1", "high", 8100, math.nan, math.nan, math.nan, 0.47, 900, "too strong"),
    ]
    told = sentences({"fair_values": pd.DataFrame(lines, columns=FAIR_COLUMNS)})
    assert told == [
        "Amina (アミナ), at_power_1, printed 8,100; fair would be: 7,421 at low (7,300 to beyond the values tried; 900 "
        "deals); at high no value tried is fair (too strong)."
    ]


def test_a_reading_that_changes_nothing_is_said_to_change_nothing():
    line = ("a vs a", "x=false", "drawn", 0.1, 0.1, 0.0, -0.01, 0.01, 0.9, 0.9, False, 300, "")
    other = ("a vs a", "y=2", "decisions", 14.5, 13.25, -1.25, -1.5, -1.0, 0.0, 0.0, True, 300, "")
    told = sentences({"rule_effects": pd.DataFrame([line, other], columns=RULE_COLUMNS)})
    assert told == [
        "Reading x=false (a vs a, 300 deals): no difference told from chance.",
        "Reading y=2 (a vs a, 300 deals): decisions a game 14.50 to 13.25.",
    ]


def test_the_metagame_counts_the_decks_that_are_surely_beaten():
    columns = ["agent", "deck", "share", "low", "high", "deals", "games", "note"]
    lines = [("p", "weak", 0.7, 0.66, 0.74, 100, 200, ""), ("p", "strong", 0.52, 0.49, 0.55, 100, 200, "")]
    told = sentences({"metagame_versus": pd.DataFrame(lines, columns=columns)})
    assert told == [
        "Played by p, the mixture surely takes more than half of the points from 1 of 2 first decks; the hardest is "
        "strong 52.0% (49.0% to 55.0%)."
    ]


def test_tables_of_other_kinds_are_passed_over():
    assert sentences({"ratings": pd.DataFrame({"agent": ["a"]})}) == []
