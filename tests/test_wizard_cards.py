"""The card pool of Wizard in Training: what it holds, what lists are refused, its texts, and what decks are legal."""

import csv
import io
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from importlib import resources
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from duelbench.envs.decks import DeckRules, deck_data, deck_files, deck_sources, parse_deck, read_deck
from duelbench.envs.errors import BadInput
from duelbench.envs.records import blank
from duelbench.envs.registry import load_game
from duelbench.envs.wizard_in_training import cards as numbers
from duelbench.envs.wizard_in_training.card_text import card_text, mode_text
from duelbench.envs.wizard_in_training.cards import CARD, CARDS, MODE, Mode, read_cards, write_cards
from duelbench.envs.wizard_in_training.deck_rules import RULES

GAME = load_game("wizard_in_training")
ROOT = Path(__file__).parents[1]
DECKS = deck_files(ROOT / "configs" / "decks" / "wizard_in_training")

TEXT = resources.files("duelbench.envs.wizard_in_training").joinpath("cards.csv").read_text(encoding="utf-8")
COLUMNS, *LINES = list(csv.reader(TEXT.splitlines()))
ROWS = [dict(zip(COLUMNS, cells, strict=True)) for cells in LINES]
BY_ID = {row["id"]: row for row in ROWS}
NUMBER = {card.id: number for number, card in enumerate(CARDS)}
TYPES = ("item", "character", "spell", "main")
SUBTYPES = ("", "weapon", "armour", "charm", "potion")
MAINS = ["nevin_crisp", "kelli_crisp", "seetha_devi", "kyle_giffen", "phil_yen", "kenzie_taylor"]
BLANK = "blank_wizard"


def rule(number):
    return pytest.mark.rule("wizard_in_training", number)


def of_type(word, rows=ROWS):
    return [row for row in rows if row["type"] == word]


def first(word, **cells):
    """The id of the first card of a type that has these cells, or cells for which a function says yes."""
    return next(
        row["id"]
        for row in of_type(word)
        if all(cell(row[column]) if callable(cell) else row[column] == cell for column, cell in cells.items())
    )


TAGS = {tag for row in ROWS for tag in (*row["item_ability"].split("; "), row["requirement"])}
AN_ITEM, A_WEAPON, AN_ARMOUR, A_CHARM, A_POTION = (
    first("item", subtype=word, name=lambda name: name not in TAGS) for word in SUBTYPES
)
A_CHARACTER = first("character", level="1")
A_SPELL = first("spell", level="1", mode_2=bool, mode_3="", requirement="")


# --- What the pool holds --------------------------------------------------------------------------------------


def test_there_are_enough_cards_of_every_type():
    count = Counter(row["type"] for row in ROWS)
    assert count["character"] >= 24
    assert count["item"] >= 28
    assert count["spell"] >= 30
    assert {row["id"] for row in of_type("main")} == {*MAINS, BLANK}


def test_characters_and_spells_are_spread_over_all_levels():
    for word, least in (("character", 4), ("spell", 3)):
        levels = Counter(row["level"] for row in of_type(word))
        assert all(levels[level] >= least for level in "12345"), (word, levels)
    assert sum(row["level"] == "" for row in of_type("spell")) >= 3


def test_items_of_every_subtype_leave_a_choice():
    subtypes = Counter(row["subtype"] for row in of_type("item"))
    least = {"": 9, "weapon": 5, "armour": 5, "charm": 5, "potion": 6}
    assert all(subtypes[word] >= count for word, count in least.items()), subtypes
    assert set(subtypes) > set(least), "no further subtype"


def test_every_column_is_used():
    assert [column for column in COLUMNS if not any(row[column] for row in ROWS)] == []


def test_every_field_of_a_mode_and_of_a_card_is_used():
    table = written()
    used = [mode for card in table.cards for mode in card["modes"][: card["num_modes"]]]
    assert [field for field in MODE.names if not any(mode[field] for mode in used)] == []
    assert {int(mode["destroys"]) for mode in used} == {0, 1, 2, 3}
    assert [
        field for field in CARD.names if not np.any(table.cards[field].astype(bool) if field != "modes" else 1)
    ] == []
    assert {int(card["num_modes"]) for card in table.cards} == {0, 1, 2, 3}


def test_most_spells_with_two_modes_have_one_for_now_and_one_for_the_duel():
    duel = re.compile("attack|defend")
    kinds = Counter(
        tuple(bool(duel.search(row[mode])) for mode in ("mode_1", "mode_2") if row[mode]) for row in of_type("spell")
    )
    assert kinds[False, True] > len(of_type("spell")) / 2
    assert kinds[False, False] >= 1
    assert kinds[(True,)] >= 1


def test_most_spells_counter_each_other_in_pairs_and_some_do_not():
    counters = {row["id"]: set(row["counters"].split()) for row in of_type("spell")}
    mutual = [spell for spell, others in counters.items() if any(spell in counters[other] for other in others)]
    assert len(counters) / 2 < len(mutual) < len(counters)
    assert any(len(others) == 2 for others in counters.values())


def test_some_spells_ask_for_an_item_by_name_and_some_by_subtype():
    asked = [row["requirement"] for row in of_type("spell") if row["requirement"]]
    names = [tag for tag in asked if tag in {row["name"] for row in of_type("item")}]
    assert len(of_type("spell")) / 5 < len(asked) < len(of_type("spell")) / 2
    assert 0 < len(names) < len(asked)


@rule("14.1")
def test_every_card_says_how_much_of_it_is_invented():
    assert {row["id"] for row in ROWS if row["invented"] == "numbers"} == {*MAINS, BLANK}
    assert {row["invented"] for row in ROWS if row["id"] not in (*MAINS, BLANK)} == {"yes"}
    assert "known: numbers, yes" in refusal(with_cells(AN_ITEM, invented="no"))
    assert card_of(with_cells(AN_ITEM, invented=""), AN_ITEM).invented == ""


# --- From cells to records ------------------------------------------------------------------------------------

TABLE = np.dtype(
    [
        ("cards", CARD, (numbers.NUM_CARDS,)),
        ("wears", np.int8, (numbers.NUM_CHARACTERS, numbers.NUM_ITEMS)),
        ("fits", np.int8, (numbers.NUM_SPELLS, numbers.NUM_ITEMS)),
        ("counters", np.int8, (numbers.NUM_SPELLS, numbers.NUM_SPELLS)),
    ]
)


def written():
    table = blank(1, TABLE)[0]
    write_cards(table)
    return table


EFFECT = re.compile(r"(gain|steal|draw|discard) (\d+)|destroy (\w+)|(attack|defend|other_attack|other_defend) ([+-]\d)")
DESTROYS = {"item": 1, "character": 2, "any": 3}


def effects_of(cell):
    """The fields of MODE that a cell stands for, read in another way than the game does."""
    fields = dict.fromkeys(MODE.names, 0)
    fields["every_duel"] = int("every_duel:" in cell)
    for amount, number, what, change, by in EFFECT.findall(cell):
        fields |= {amount: int(number)} if amount else {}
        fields |= {"destroys": DESTROYS[what]} if what else {}
        fields |= {change: int(by)} if change else {}
    return fields


def fields_of(row):
    """The fields of CARD that the cells of a row stand for."""
    territories = sorted({row["territory"] for row in ROWS} - {""})
    same = ("level", "attack", "defend", "teeth", "drink_attack", "drink_defend", "drink_teeth")
    modes = [row[f"mode_{k}"] for k in (1, 2, 3)]
    return {column: int(row[column] or 0) for column in same} | {
        "type": TYPES.index(row["type"]),
        "territory": territories.index(row["territory"]) + 1 if row["territory"] else 0,
        "subtype": SUBTYPES.index(row["subtype"]) if row["subtype"] in SUBTYPES else 5,
        "requires": int(bool(row["requirement"])),
        "num_modes": sum(map(bool, modes)),
        "modes": [tuple(effects_of(cell).values()) for cell in modes],
    }


def test_cards_are_numbered_by_type_in_the_order_of_the_list():
    assert [card.id for card in CARDS] == [row["id"] for word in TYPES for row in of_type(word)]
    counts = [len(of_type(word)) for word in TYPES]
    assert counts == [numbers.NUM_ITEMS, numbers.NUM_CHARACTERS, numbers.NUM_SPELLS, numbers.NUM_MAINS]
    assert np.cumsum(counts)[:3].tolist() == [numbers.FIRST_CHARACTER, numbers.FIRST_SPELL, numbers.FIRST_MAIN]
    assert numbers.NUM_CARDS == numbers.NO_CARD == sum(counts)
    assert numbers.NUM_PLAYABLE == numbers.FIRST_MAIN
    assert CARDS[numbers.BLANK_MAIN].id == BLANK


def test_the_numbers_of_the_words_are_the_ones_that_the_rules_use():
    codes = [numbers.GENERAL, numbers.WEAPON, numbers.ARMOUR, numbers.CHARM, numbers.POTION, numbers.OTHER]
    assert codes == [0, 1, 2, 3, 4, 5]
    assert [numbers.ITEM, numbers.CHARACTER, numbers.SPELL, numbers.MAIN] == [0, 1, 2, 3]
    assert (numbers.ITEMS, numbers.CHARACTERS, numbers.NO_LEVEL, numbers.MAX_MODES) == (1, 2, 0, 3)


def test_records_have_every_field_of_their_rows():
    table = written()
    for number, card in enumerate(CARDS):
        record = table.cards[number]
        fields = {field: record[field].tolist() for field in CARD.names}
        assert fields == fields_of(BY_ID[card.id]), card.id


def test_records_take_one_byte_a_number():
    assert {CARD[field].base for field in CARD.names if field != "modes"} == {np.dtype(np.int8)}
    assert {MODE[field] for field in MODE.names} == {np.dtype(np.int8)}
    assert Mode._fields == MODE.names


@rule("1.6")
def test_a_tag_means_the_item_of_that_name_or_all_of_that_subtype():
    """And an item ability means weapons and armour alone."""
    table = written()
    items, characters, spells = of_type("item"), of_type("character"), of_type("spell")

    def meant(tags, item):
        return item["name"] in tags or (item["subtype"] in tags and item["subtype"] != "")

    for i, character in enumerate(characters):
        tags = character["item_ability"].split("; ")
        worn = [meant(tags, item) and item["subtype"] in ("weapon", "armour") for item in items]
        assert table.wears[i].tolist() == worn, character["id"]
    for i, spell in enumerate(spells):
        assert table.fits[i].tolist() == [meant([spell["requirement"]], item) for item in items], spell["id"]
        named = [other["id"] in spell["counters"].split() for other in spells]
        assert table.counters[i].tolist() == named, spell["id"]
    assert 0 < table.wears.sum() < table.wears.size
    assert 0 < table.fits.sum() < table.fits.size


def test_an_ability_never_means_what_cannot_be_worn(monkeypatch):
    """Not even a charm that is called like a subtype."""
    charm = NUMBER[A_CHARM]
    before = written().wears
    changed = (*CARDS[:charm], CARDS[charm]._replace(name="weapon"), *CARDS[charm + 1 :])
    monkeypatch.setattr(numbers, "CARDS", changed)
    assert np.array_equal(written().wears, before)


# --- Reading --------------------------------------------------------------------------------------------------


def table_text(rows=ROWS, columns=COLUMNS):
    """`rows` as the text of a file."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def with_cells(card, **cells):
    """The table with other cells for the card of that id."""
    return table_text([row | cells if row["id"] == card else row for row in ROWS])


def card_of(text, card):
    return next(found for found in read_cards(text, "my.csv") if found.id == card)


def refusal(text):
    with pytest.raises(BadInput) as error:
        read_cards(text, "my.csv")
    assert "\n" not in str(error.value)
    return str(error.value)


def place(card):
    return f"my.csv:{[row['id'] for row in ROWS].index(card) + 2}: card {card!r}, "


def told(column, cell):
    return f"column {column}: found {cell!r}" if cell else f"column {column}: found an empty cell"


def test_the_text_that_the_tests_change_is_the_file():
    assert table_text() == TEXT
    assert read_cards(table_text(), "my.csv") == CARDS


def test_columns_and_types_may_stand_in_another_order():
    assert read_cards(table_text(columns=COLUMNS[::-1]), "my.csv") == CARDS
    other = [row for word in TYPES[::-1] for row in of_type(word)]
    assert read_cards(table_text(other), "my.csv") == CARDS


MODE_CELLS = [
    "steal",
    "steal 0",
    "steal 21",
    "steal -1",
    "steal two",
    "steal  2",
    "rob 2",
    "gain 1 & gain 2",
    "gain 1, steal 2",
    "gain 1 &steal 2",
    "draw 10",
    "discard 0",
    "destroy items",
    "destroy",
    "destroy item & destroy character",
    "attack 1",
    "attack +0",
    "attack -1",
    "attack +10",
    "defend 2",
    "other_attack +1",
    "other_attack 1",
    "other_defend -10",
    "every_duel:",
    "every_duel: steal 2",
    "every_duel attack +1",
    "steal 1 & every_duel: attack +1",
    "every_duel:attack +1",
]
BAD_CELLS = [
    (AN_ITEM, "id", "Inkpot", "small letters a to z"),
    (AN_ITEM, "id", "", "small letters a to z"),
    (AN_ITEM, "name", "", "a name"),
    (AN_ITEM, "name", "Ink; Pot", "semicolons"),
    (AN_ITEM, "name_ja", " x", "without blanks"),
    (AN_ITEM, "type", "itme", "did you mean 'item'?"),
    (AN_ITEM, "type", "", "character, item, main, spell"),
    (AN_ITEM, "invented", "maybe", "numbers, yes"),
    (A_CHARACTER, "territory", "Forest", "small letters"),
    (A_CHARACTER, "level", "6", "whole numbers 1 to 5"),
    (A_CHARACTER, "level", "0", "whole numbers 1 to 5"),
    (A_CHARACTER, "attack", "21", "whole numbers 0 to 20"),
    (A_CHARACTER, "attack", "-1", "whole numbers 0 to 20"),
    (A_CHARACTER, "defend", "3.5", "whole numbers 0 to 20"),
    (A_CHARACTER, "item_ability", "weapon;armour", "'weapon;armour' means no weapon or armour"),
    (A_CHARACTER, "item_ability", "weapon; weapon", "different"),
    (A_CHARACTER, "item_ability", "weapon; ", "with '; ' between"),
    (A_WEAPON, "subtype", "wepon", "did you mean 'weapon'?"),
    (A_WEAPON, "subtype", "weapons", "did you mean 'weapon'?"),
    (AN_ARMOUR, "subtype", "armor", "did you mean 'armour'?"),
    (A_CHARM, "subtype", "charms", "did you mean 'charm'?"),
    (A_CHARM, "subtype", "Charm", "did you mean 'charm'?"),
    (A_POTION, "subtype", "poton", "did you mean 'potion'?"),
    (A_CHARM, "subtype", "very odd", "known: armour, charm, potion, weapon"),
    (AN_ITEM, "teeth", "26", "whole numbers 0 to 25"),
    (A_POTION, "drink_attack", "10", "whole numbers -9 to 9"),
    (A_POTION, "drink_attack", "0", "an empty cell for no effect"),
    (A_POTION, "drink_defend", "-10", "whole numbers -9 to 9"),
    (A_POTION, "drink_teeth", "-1", "whole numbers 1 to 9"),
    (A_SPELL, "requirement", " charm", "one name or subtype"),
    (A_SPELL, "requirement", "charm; weapon", "one name or subtype"),
    *((A_SPELL, f"mode_{k}", cell, "with ' & ' between, of gain N") for k in (1, 2, 3) for cell in MODE_CELLS),
    (A_SPELL, "counters", "a, b", "'a,' is no spell"),
    (A_SPELL, "counters", "loose_change  locked_drawer", "with a blank between"),
    (A_SPELL, "counters", "loose_change loose_change", "different"),
]


@pytest.mark.parametrize(("card", "column", "cell", "allowed"), BAD_CELLS)
def test_a_cell_of_another_kind_is_refused_by_row_and_column(card, column, cell, allowed):
    said = refusal(with_cells(card, **{column: cell}))
    begin = place(card).replace(repr(card), repr(cell)) if column == "id" else place(card)
    assert said.startswith(begin + told(column, cell))
    assert allowed in said


def test_every_column_has_its_refused_cells():
    assert {column for _, column, *_ in BAD_CELLS} == set(COLUMNS)


@pytest.mark.parametrize(
    ("cell", "effects"),
    [
        ("steal 20", {"steal": 20}),
        ("draw 9 & gain 1", {"draw": 9, "gain": 1}),
        ("destroy any & discard 2", {"destroys": 3, "discard": 2}),
        ("attack +9 & other_defend -9", {"attack": 9, "other_defend": -9}),
        (
            "every_duel: defend +1 & other_attack -1 & steal 2",
            {"every_duel": 1, "defend": 1, "other_attack": -1} | {"steal": 2},
        ),
    ],
)
def test_a_mode_has_the_effects_that_are_written(cell, effects):
    assert card_of(with_cells(A_SPELL, mode_1=cell), A_SPELL).modes[0] == Mode(**effects)


@rule("14.2")
@pytest.mark.parametrize("column", ["id", "name", "name_ja"])
def test_two_cards_may_not_be_called_alike(column):
    taken = BY_ID[AN_ITEM][column]
    said = refusal(with_cells(A_SPELL, **{column: taken}))
    assert told(column, taken) in said
    assert said.endswith(f"allowed: what no other card has, and {place(AN_ITEM).partition(': card')[0]} has it")


def test_names_that_differ_in_case_alone_are_alike():
    assert "what no other card has" in refusal(with_cells(A_SPELL, name=BY_ID[AN_ITEM]["name"].upper()))


# What cards of a type have and do not have: (type, column) for each.
MUST = {
    "item": ["teeth"],
    "character": ["territory", "attack", "defend"],
    "spell": ["territory", "mode_1", "counters"],
    "main": ["territory", "attack", "defend"],
}
MAY = {
    "item": ["subtype", "drink_attack", "drink_defend", "drink_teeth"],
    "character": ["level", "item_ability"],
    "spell": ["level", "requirement", "mode_2", "mode_3"],
    "main": [],
}
ANY_TYPE = ["id", "name", "name_ja", "type", "invented"]
SOMETHING = {
    "territory": "forest",
    "item_ability": "weapon",
    "subtype": "charm",
    "requirement": "charm",
    "counters": A_SPELL,
} | {f"mode_{k}": "steal 1" for k in (1, 2, 3)}
ONE_OF_TYPE = {"item": AN_ITEM, "character": A_CHARACTER, "spell": A_SPELL, "main": "kelli_crisp"}


@rule("14.3")
@rule("14.4")
@rule("14.7")
@rule("14.10")
@rule("14.12")
@pytest.mark.parametrize(("word", "column"), [(word, column) for word in TYPES for column in MUST[word]])
def test_a_card_without_what_its_type_has_is_refused(word, column):
    card = ONE_OF_TYPE[word]
    said = refusal(with_cells(card, **{column: ""}))
    assert said.startswith(place(card) + told(column, "") + ", allowed: ")
    assert said.endswith(f"because every {word} has one")


@rule("14.3")
@rule("14.4")
@rule("14.7")
@rule("14.10")
@pytest.mark.parametrize(
    ("word", "column"),
    [(w, column) for w in TYPES for column in COLUMNS if column not in (*ANY_TYPE, *MUST[w], *MAY[w])],
)
def test_a_card_with_what_its_type_does_not_have_is_refused(word, column):
    card, cell = ONE_OF_TYPE[word], SOMETHING.get(column, "1")
    said = refusal(with_cells(card, **{column: cell}))
    assert said == place(card) + told(column, cell) + f", allowed: nothing, because no {word} has one"


@rule("14.10")
@pytest.mark.parametrize("card", [A_WEAPON, AN_ARMOUR])
@pytest.mark.parametrize("column", ["attack", "defend", "drink_attack", "drink_defend"])
def test_weapons_and_armour_have_no_numbers_of_their_own(card, column):
    assert "allowed: nothing, because" in refusal(with_cells(card, **{column: "2"}))


@rule("14.11")
def test_potions_have_an_effect_and_no_other_item_has():
    said = refusal(with_cells(A_POTION, drink_attack="", drink_defend="", drink_teeth=""))
    assert said.startswith(place(A_POTION))
    assert said.endswith("because every potion has a drink effect")
    for column in ("drink_attack", "drink_defend", "drink_teeth"):
        for card in (AN_ITEM, A_CHARM, A_WEAPON, AN_ARMOUR):
            said = refusal(with_cells(card, **{column: "1"}))
            assert said == place(card) + told(column, "1") + ", allowed: nothing, because drink effects are for potions"
        only = dict.fromkeys(("drink_attack", "drink_defend", "drink_teeth"), "") | {column: "1"}
        assert getattr(card_of(with_cells(A_POTION, **only), A_POTION), column) == 1


@rule("14.12")
def test_the_teeth_of_an_item_are_0_or_more():
    assert card_of(with_cells(AN_ITEM, teeth="0"), AN_ITEM).teeth == 0
    assert refusal(with_cells(AN_ITEM, teeth="-1")) == (
        place(AN_ITEM) + told("teeth", "-1") + ", allowed: whole numbers 0 to 25"
    )


@rule("14.13")
def test_a_spell_has_one_to_three_modes_without_a_gap():
    assert len(card_of(with_cells(A_SPELL, mode_2=""), A_SPELL).modes) == 1
    assert len(card_of(with_cells(A_SPELL, mode_3="gain 1"), A_SPELL).modes) == 3
    assert told("mode_1", "") in refusal(with_cells(A_SPELL, mode_1=""))
    said = refusal(with_cells(A_SPELL, mode_2="", mode_3="gain 1"))
    assert said.endswith("allowed: nothing, because mode_2 is empty: modes stand without a gap")


# --- The whole list -------------------------------------------------------------------------------------------


def without(*ids):
    """The table without these cards; spells that countered them counter another."""
    spare = [row["id"] for row in of_type("spell") if row["id"] not in ids][:2]
    rows = []
    for row in ROWS:
        if row["id"] not in ids:
            kept = [spell for spell in row["counters"].split() if spell not in ids]
            other = next((spell for spell in spare if spell != row["id"]), "")
            rows.append(row | {"counters": " ".join(kept) or other} if row["type"] == "spell" else row)
    return table_text(rows)


@rule("14.3")
def test_a_fifth_territory_is_refused():
    said = refusal(with_cells(A_SPELL, territory="desert"))
    assert said == "my.csv: found 5 territories (cavern, desert, forest, lake, tower), allowed: at most 4"


@rule("14.5")
@pytest.mark.parametrize("main", [*MAINS, BLANK])
def test_a_list_without_a_known_main_is_refused(main):
    assert refusal(without(main)).startswith(f"my.csv: found no main {main!r}, allowed: all of nevin_crisp, ")


@rule("14.6")
@pytest.mark.parametrize("column", ["attack", "defend"])
def test_a_blank_wizard_with_other_numbers_than_the_first_main_is_refused(column):
    theirs = BY_ID["nevin_crisp"][column]
    said = refusal(with_cells(BLANK, **{column: "9"}))
    assert said == place(BLANK) + told(column, "9") + f", allowed: {theirs}, the number of 'nevin_crisp'"


@rule("14.7")
def test_a_character_may_be_without_level_and_without_abilities():
    card = card_of(with_cells(A_CHARACTER, level="", item_ability=""), A_CHARACTER)
    assert (card.level, card.item_ability) == (0, ())


@rule("14.8")
@pytest.mark.parametrize("level", "12345")
def test_a_list_without_characters_of_a_level_is_refused(level):
    said = refusal(without(*(row["id"] for row in of_type("character") if row["level"] == level)))
    assert said.startswith(f"my.csv: found no character of level {level}, allowed: at least one of every level")


@rule("14.9")
@pytest.mark.parametrize("word", SUBTYPES)
def test_a_list_without_items_of_a_known_subtype_is_refused(word):
    rows = [row | {"item_ability": "", "requirement": ""} for row in ROWS]
    said = refusal(table_text([row for row in rows if row["type"] != "item" or row["subtype"] != word]))
    assert said.startswith(f"my.csv: found no {word or 'general'} item, allowed: at least one of every known subtype")


@rule("14.9")
def test_further_subtypes_are_allowed():
    assert card_of(with_cells(A_CHARM, subtype="banner"), A_CHARM).subtype == "banner"


@rule("14.14")
def test_a_spell_counters_other_spells_of_the_list_only():
    assert told("counters", "") in refusal(with_cells(A_SPELL, counters=""))
    said = refusal(with_cells(A_SPELL, counters=f"loose_chang {A_SPELL}"))
    assert said.startswith(place(A_SPELL) + told("counters", f"loose_chang {A_SPELL}"))
    assert "'loose_chang' is no spell; did you mean 'loose_change'?" in said
    assert f"'{AN_ITEM}' is no spell" in refusal(with_cells(A_SPELL, counters=AN_ITEM))
    assert refusal(with_cells(A_SPELL, counters=A_SPELL)).endswith("as no spell counters itself")


@rule("14.15")
def test_a_requirement_that_no_item_meets_is_refused():
    said = refusal(with_cells(A_SPELL, requirement="charn"))
    assert said.startswith(place(A_SPELL) + told("requirement", "charn"))
    assert "'charn' means no item; did you mean 'charm'? (known: " in said
    for tag in ("charm", BY_ID[AN_ITEM]["name"], "tome"):
        assert card_of(with_cells(A_SPELL, requirement=tag), A_SPELL).requirement == tag


@rule("14.16")
@pytest.mark.parametrize("tag", ["weapn", "charm", "potion", "tome", BY_ID[A_CHARM]["name"], BY_ID[A_POTION]["name"]])
def test_an_item_ability_that_means_no_weapon_or_armour_is_refused(tag):
    said = refusal(with_cells(A_CHARACTER, item_ability=f"armour; {tag}"))
    assert said.startswith(place(A_CHARACTER) + told("item_ability", f"armour; {tag}"))
    assert f"{tag!r} means no weapon or armour" in said.replace('"', "'")


def kept_to(word, level, most):
    """The ids of the cards of a type beyond the first `most` of those of this level, or of any for None."""
    return [row["id"] for row in of_type(word) if level in (None, row["level"])][most:]


@rule("14.17")
def test_a_list_with_too_few_characters_for_a_deck_is_refused():
    one_a_level = {row["level"]: row["id"] for row in of_type("character") if row["level"]}
    others = [row["id"] for row in of_type("character") if row["id"] not in one_a_level.values()]
    assert refusal(without(*others)) == "my.csv: no legal deck can be built: 5 characters, needed: at least 7"
    assert read_cards(without(*others[2:]), "my.csv")
    changed = [row | {"level": "5"} if row["id"] in others else row for row in ROWS]
    ending = "4 characters below level 5, needed: at least 5"
    assert refusal(table_text(changed)) == f"my.csv: no legal deck can be built: {ending}"


@rule("14.18")
def test_a_list_with_too_few_spells_for_a_deck_is_refused():
    assert refusal(without(*kept_to("spell", None, 9))) == (
        "my.csv: no legal deck can be built: 9 spells, needed: at least 10"
    )
    levelled = [row["id"] for row in of_type("spell") if row["level"]][7:]
    changed = [row | {"level": ""} if row["id"] in levelled else row for row in ROWS]
    ending = "7 spells with a level, needed: at least 8"
    assert refusal(table_text(changed)) == f"my.csv: no legal deck can be built: {ending}"


@rule("14.19")
def test_a_list_whose_items_make_no_deck_is_refused():
    plain = [row | {"item_ability": "", "requirement": ""} for row in ROWS]

    def items(count, **cells):
        """One item of every known subtype, then further ones, `count` in all, with these cells."""
        firsts = [AN_ITEM, A_WEAPON, AN_ARMOUR, A_CHARM, A_POTION]
        kept = firsts + [row["id"] for row in of_type("item") if row["id"] not in firsts][: count - len(firsts)]
        return table_text(
            row | (cells if row["type"] == "item" else {})
            for row in plain
            if row["type"] != "item" or row["id"] in kept
        )

    begin = "my.csv: no legal deck can be built: "
    assert refusal(items(5)) == f"{begin}10 items, counting copies, needed: at least 12"
    assert read_cards(items(6), "my.csv")
    assert refusal(items(6, teeth="3")) == f"{begin}12 items bring 36 teeth at least, allowed: at most 25"
    one_general = table_text(row for row in plain if row["subtype"] or row["id"] == AN_ITEM or row["type"] != "item")
    assert refusal(one_general) == f"{begin}2 general items, counting copies, needed: at least 4"


def test_the_cheapest_items_of_a_deck_include_the_general_ones_it_needs():
    general = [row["id"] for row in of_type("item") if not row["subtype"]]
    first_other, *others = [row["id"] for row in of_type("item") if row["subtype"]]

    def list_of(general_teeth, first_teeth, rest=9):
        """If the rest is dear, two copies of four of the other items are in the cheapest deck, of the first too."""
        teeth = dict.fromkeys(general, general_teeth) | {first_other: first_teeth}
        teeth |= dict.fromkeys(others[:3], 1) | dict.fromkeys(others[3:], rest)
        return table_text(row | {"teeth": str(teeth.get(row["id"], ""))} for row in ROWS)

    assert read_cards(list_of(4, 1), "my.csv")  # 4 of 4 teeth and 8 of 1
    assert refusal(list_of(4, 2)).endswith("12 items bring 26 teeth at least, allowed: at most 25")
    assert refusal(list_of(5, 1, rest=1)).endswith("12 items bring 28 teeth at least, allowed: at most 25")


MISSPELT = [*COLUMNS[:-1], "conters"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "my.csv:1: found no column id"),
        (table_text(columns=COLUMNS[:-1]), "my.csv:1: found no column counters"),
        (table_text(columns=MISSPELT), "my.csv:1: unknown column 'conters'; did you mean 'counters'?"),
        (table_text(columns=[*COLUMNS, "id"]), "my.csv:1: found column id 2 times, allowed: once"),
        (TEXT.replace("Nevin Crisp,", "Nevin Crisp,,"), "my.csv:2: found 21 cells, allowed: 20"),
        (TEXT + "\n", f"my.csv:{len(ROWS) + 2}: found 0 cells, allowed: 20"),
        (table_text([]), "my.csv: found no main 'nevin_crisp'"),
    ],
)
def test_a_table_of_another_shape_is_refused(text, said):
    assert refusal(text).startswith(said)


# --- Texts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["spell", "potion"])
def test_no_two_spells_and_no_two_potions_read_alike(word):
    texts = Counter(card_text(card) for card in CARDS if word in (TYPES[card.type], card.subtype))
    assert len(texts) > 5
    assert [text for text, count in texts.items() if count > 1] == []


NUMBER_COLUMNS = ("level", "attack", "defend", "teeth", "drink_attack", "drink_defend", "drink_teeth")
CHANGES = [
    *(
        (A_CHARACTER, column, cell)
        for column in ("attack", "defend")
        for cell in ("0", "17")
        if cell != BY_ID[A_CHARACTER][column]
    ),
    (A_CHARACTER, "level", ""),
    (A_CHARACTER, "item_ability", "Thunder Staff"),
    (A_CHARACTER, "item_ability", ""),
    (A_CHARACTER, "territory", "lake"),
    ("kelli_crisp", "attack", "7"),
    ("kelli_crisp", "defend", "7"),
    ("kelli_crisp", "territory", "lake"),
    (AN_ITEM, "teeth", "0"),
    (AN_ITEM, "teeth", "9"),
    (AN_ITEM, "subtype", "charm"),
    (A_WEAPON, "subtype", "armour"),
    (A_WEAPON, "subtype", "banner"),
    *((A_POTION, column, cell) for column in ("drink_attack", "drink_defend") for cell in ("-3", "7")),
    (A_POTION, "drink_teeth", "7"),
    (A_SPELL, "level", ""),
    (A_SPELL, "level", "5"),
    (A_SPELL, "territory", "lake"),
    (A_SPELL, "requirement", "charm"),
    (A_SPELL, "requirement", "Star Locket"),
    (A_SPELL, "counters", "loose_change"),
    (A_SPELL, "counters", "loose_change locked_drawer"),
    (A_SPELL, "mode_2", ""),
    (A_SPELL, "mode_3", "gain 7"),
]
A_MODE = ["steal 5", "gain 5", "draw 5", "discard 5", "destroy item", "destroy character", "destroy any", "attack +5"]
A_MODE += ["defend +5", "other_attack -5", "other_defend -5", "every_duel: attack +5", "attack +5 & defend +5"]


@pytest.mark.parametrize(("card", "column", "cell"), CHANGES)
def test_a_change_of_the_table_changes_the_text(card, column, cell):
    changed = card_of(with_cells(card, **{column: cell}), card)
    text = card_text(changed)
    assert text != card_text(CARDS[NUMBER[card]])
    if cell and column in NUMBER_COLUMNS:
        assert cell in re.findall(r"-?\d+", text)
    if column in ("requirement", "item_ability", "territory"):
        assert cell in text


def test_every_effect_of_a_mode_has_its_own_words():
    modes = [card_of(with_cells(A_SPELL, mode_1=cell), A_SPELL).modes[0] for cell in A_MODE]
    texts = [mode_text(mode) for mode in modes]
    assert len(set(texts)) == len(A_MODE)
    for cell, text in zip(A_MODE, texts, strict=True):
        assert re.findall(r"[+-]?\d", text) == re.findall(r"[+-]?\d", cell)
    every = card_of(
        with_cells(A_SPELL, mode_1="steal 2 & gain 3 & destroy any & discard 1 & draw 4 & attack +6"), A_SPELL
    )
    order = ["gain 3", "steal 2", "destroy", "discards 1", "draw 4", "attack +6"]
    assert re.findall("|".join(map(re.escape, order)), mode_text(every.modes[0])) == order


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_a_text_says_every_number_of_its_row(card):
    row = BY_ID[card.id]
    cells = " ".join(row[column] for column in (*NUMBER_COLUMNS, "mode_1", "mode_2", "mode_3"))
    said = Counter(number.lstrip("+") for number in re.findall(r"[+-]?\d+", card_text(card)))
    assert Counter(number.lstrip("+") for number in re.findall(r"[+-]?\d+", cells)) - said == Counter()
    for name in [*row["item_ability"].split("; "), row["requirement"], row["territory"], row["subtype"]]:
        assert name in card_text(card)
    for spell in row["counters"].split():
        assert BY_ID[spell]["name"] in card_text(card)


def test_texts_are_one_line_each():
    assert [card.id for card in CARDS if not re.fullmatch(r"[A-Z][^\n]*\.", card_text(card))] == []


# --- Decks ----------------------------------------------------------------------------------------------------


def deck_cards(path):
    return [CARDS[number] for number in read_deck(GAME, path).cards]


@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.stem)
def test_a_shipped_deck_is_legal_and_complete(path):
    deck = read_deck(GAME, path)
    cards = deck_cards(path)
    assert deck.plan
    assert deck.spare in RULES.spares
    assert parse_deck(GAME, deck_data(GAME, deck), "decks", deck.name) == deck
    assert 17 <= sum(card.teeth for card in cards) <= 22
    items = [card for card in cards if card.type == numbers.ITEM]
    for spell in (card for card in cards if card.requirement):
        assert any(item.is_called(spell.requirement) for item in items), spell.id


@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.stem)
def test_a_shipped_deck_can_always_bring_the_last_tooth(path):
    """Items do not win at level 5: spells that steal or gain have to be there, one of them without an item."""
    bringing = [card for card in deck_cards(path) if any(mode.gain or mode.steal for mode in card.modes)]
    assert len(bringing) >= 2
    assert any(not card.requirement for card in bringing)


def test_shipped_decks_differ_in_main_and_in_plan():
    decks = [read_deck(GAME, path) for path in DECKS]
    assert len(decks) == 6
    assert len({deck.plan for deck in decks}) == 6
    assert len({next(card for card in deck.cards if card in RULES.spares) for deck in decks}) == 6
    for one, other in combinations(decks, 2):
        assert len(set(one.cards) & set(other.cards)) < 20, (one.name, other.name)


OWN = {word: [card.id for card in deck_cards(DECKS[0]) if TYPES[card.type] == word] for word in TYPES}


def deck_of(**parts):
    """The card numbers of the first shipped deck, with other ids in place of its own of a type."""
    return tuple(NUMBER[card] for word in TYPES for card in parts.get(word, OWN[word]))


def more(word):
    """One card of a type, for a deck that has none of it."""
    return [next(card for card in ids(word) if card not in OWN[word])]


def ids(word, **fields):
    of_word = [card for card in CARDS if TYPES[card.type] == word]
    return [card.id for card in of_word if all(getattr(card, field) == value for field, value in fields.items())]


def mixed(word, of_them, count):
    """As many cards of a type as a deck has, all different, exactly `count` of them among `of_them`."""
    others = [card for card in ids(word) if card not in of_them]
    return of_them[:count] + others[: len(OWN[word]) - count]


def twelve_items(general, teeth):
    """Item cards of a deck of which exactly so many are general, and that are worth exactly so much."""
    dice, doubled = random.Random(1), ids("item") * 2
    for _ in range(100_000):
        items = dice.sample(doubled, 12)
        if sum(item in GENERAL for item in items) == general and sum(teeth_of(item) for item in items) == teeth:
            return items
    raise AssertionError("no such items")


def teeth_of(card):
    return CARDS[NUMBER[card]].teeth


GENERAL, TOP, LEVELLESS = ids("item", subtype=""), ids("character", level=5), ids("spell", level=0)
CHEAPEST = sorted(GENERAL, key=teeth_of)
BROKEN = [
    ("2.1", deck_of(main=[], spell=OWN["spell"] + more("spell")), "0 mains, expected exactly 1"),
    ("2.1", deck_of(main=MAINS[:2], spell=OWN["spell"][1:]), "2 mains, expected exactly 1"),
    ("2.1", deck_of(item=OWN["item"] + more("item"), spell=OWN["spell"][1:]), "13 items, expected exactly 12"),
    ("2.1", deck_of(item=OWN["item"][1:], spell=OWN["spell"] + more("spell")), "11 items, expected exactly 12"),
    (
        "2.1",
        deck_of(character=OWN["character"] + more("character"), spell=OWN["spell"][1:]),
        "8 characters, expected exactly 7",
    ),
    (
        "2.1",
        deck_of(character=OWN["character"][1:], spell=OWN["spell"] + more("spell")),
        "6 characters, expected exactly 7",
    ),
    ("2.2", deck_of(item=twelve_items(3, 20)), "3 general items, allowed: at least 4"),
    (
        "2.2",
        deck_of(item=[CHEAPEST[0]] * 3 + [card for card in CHEAPEST[1:6] for _ in range(2)][:9]),
        f"3 copies of item {CHEAPEST[0]!r}, allowed: at most 2",
    ),
    ("2.2", deck_of(item=twelve_items(4, 26)), "items are worth 26 teeth together, allowed: at most 25"),
    (
        "2.3",
        deck_of(character=[OWN["character"][0], *OWN["character"][:6]]),
        f"2 copies of character {OWN['character'][0]!r}, allowed: at most 1",
    ),
    (
        "2.3",
        deck_of(spell=[OWN["spell"][0], *OWN["spell"][:9]]),
        f"2 copies of spell {OWN['spell'][0]!r}, allowed: at most 1",
    ),
    ("2.3", deck_of(character=mixed("character", TOP, 3)), "3 characters of level 5, allowed: at most 2"),
    ("2.3", deck_of(spell=mixed("spell", LEVELLESS, 3)), "3 spells without a level, allowed: at most 2"),
]


@rule("2.1")
@rule("2.2")
@rule("2.3")
@pytest.mark.parametrize(("number", "cards", "complaint"), BROKEN, ids=[f"{b[0]} {b[2][:20]}" for b in BROKEN])
def test_a_deck_that_breaks_one_rule_is_refused_by_its_name(number, cards, complaint):
    assert RULES.check(cards) == complaint
    counts = {CARDS[card].id: count for card, count in Counter(cards).items()}
    with pytest.raises(BadInput, match=f"^decks: {re.escape(complaint)}$"):
        deck_sources(GAME, counts)


def test_every_rule_of_decks_is_broken_somewhere():
    assert {number for number, *_ in BROKEN} == {"2.1", "2.2", "2.3"}
    kinds = {re.sub(r"\d+|'\w+'", "#", complaint) for *_, complaint in BROKEN}
    assert len(kinds) == 10


@rule("2.1")
def test_a_deck_has_30_cards():
    assert RULES.size == 30
    counts = Counter(CARDS[card].id for card in deck_of(spell=OWN["spell"][1:]))
    with pytest.raises(BadInput, match=r"^decks: 29 cards, expected exactly 30$"):
        deck_sources(GAME, dict(counts))


@rule("2.2")
@rule("2.3")
def test_decks_at_the_limits_are_legal():
    assert RULES.check(deck_of()) is None
    assert RULES.check(deck_of(item=twelve_items(4, 25))) is None
    assert RULES.check(deck_of(character=mixed("character", TOP, 2))) is None
    assert RULES.check(deck_of(spell=mixed("spell", LEVELLESS, 2))) is None


@rule("2.4")
def test_any_main_may_be_the_spare_one_and_nothing_else():
    assert [CARDS[card].id for card in RULES.spares] == ids("main")
    data = deck_data(GAME, read_deck(GAME, DECKS[0]))
    for main in ids("main"):
        assert parse_deck(GAME, data | {"spare": main}, "decks").spare == NUMBER[main]
    with pytest.raises(BadInput, match=r"^decks\.spare: 'lost_mitten' cannot be a spare; allowed: nevin_crisp, kelli"):
        parse_deck(GAME, data | {"spare": "lost_mitten"}, "decks")


@pytest.mark.parametrize(
    ("left_out", "complaint"),
    [
        (ids("main"), "0 mains, needed: at least 1"),
        (ids("character")[6:], "6 characters, needed: at least 7"),
        ([card for card in ids("character") if card not in TOP][4:], "4 characters below level 5, needed: at least 5"),
        (ids("spell")[9:], "9 spells, needed: at least 10"),
        ([card for card in ids("spell") if card not in LEVELLESS][7:], "7 spells with a level, needed: at least 8"),
        (ids("item")[5:], "10 items, counting copies, needed: at least 12"),
        (GENERAL[1:], "2 general items, counting copies, needed: at least 4"),
    ],
)
def test_random_decks_of_cards_that_make_none_are_refused(left_out, complaint):
    kept = [card.id for card in CARDS if card.id not in left_out]
    with pytest.raises(BadInput, match=f"^decks.random: no legal deck can be built: {complaint}$"):
        deck_sources(GAME, {"random": kept})


def test_random_decks_of_dear_items_are_refused():
    others = sorted(set(ids("item")) - set(GENERAL), key=teeth_of)
    dear = CHEAPEST[-2:] + others[-4:]
    kept = [card.id for card in CARDS if card.type != numbers.ITEM] + dear
    said = rf"12 items bring {2 * sum(map(teeth_of, dear))} teeth at least, allowed: at most 25$"
    with pytest.raises(BadInput, match=said):
        deck_sources(GAME, {"random": kept})
    cheap = CHEAPEST[:2] + others[:4]
    kept = [card for card in kept if card not in dear] + cheap
    assert deck_sources(GAME, {"random": kept})[0].allowed == tuple(sorted(NUMBER[card] for card in kept))


def test_the_rules_of_decks_are_those_of_the_game():
    assert isinstance(GAME.deck_rules, DeckRules)
    assert GAME.deck_rules is RULES


# --- Another list ---------------------------------------------------------------------------------------------

PLAY = """
import numpy as np

from duelbench.envs.playout import random_games
from duelbench.envs.registry import load_game
from duelbench.envs.rng import new_stream

game = load_game("wizard_in_training")
mask, tally = np.zeros(game.num_actions, np.int8), np.zeros(4, np.int64)
random_games(game.table(), game.new_state(), new_stream(1), mask, np.uint64(1), 5, tally)
assert tally[:3].sum() == 5 and tally[3] > 50, tally
print(__import__("duelbench.envs").envs.__file__)
print(len(game.card_ids), *game.card_names, sep="\\n")
"""


def other_list():
    """One more item, one character less, and other names for all cards of our own."""
    names = {row["name"]: f"Other {row['name']}" for row in ROWS if row["invented"] == "yes"}
    rows = []
    for row in ROWS:
        if row["id"] == A_CHARACTER:
            continue
        tags = [names.get(tag, tag) for tag in row["item_ability"].split("; ")]
        changed_cells = {"name": names.get(row["name"], row["name"]), "item_ability": "; ".join(tags)}
        rows.append(row | changed_cells | {"requirement": names.get(row["requirement"], row["requirement"])})
    more = BY_ID[AN_ITEM] | {"id": "one_more", "name": "One More Thing", "name_ja": "もうひとつ"}
    return table_text([*rows, more])


def test_another_list_of_cards_works_without_a_change_of_the_code(tmp_path):
    envs = tmp_path / "duelbench" / "envs"
    shutil.copytree(ROOT / "envs", envs, ignore=shutil.ignore_patterns("__pycache__"))
    text = other_list()
    (envs / "wizard_in_training" / "cards.csv").write_text(text, encoding="utf-8")
    settings = os.environ | {"PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    played = subprocess.run([sys.executable, "-c", PLAY], env=settings, cwd=tmp_path, capture_output=True, text=True)
    assert played.returncode == 0, played.stderr
    place_used, count, *names = played.stdout.splitlines()
    assert place_used.startswith(str(tmp_path))
    assert int(count) == len(CARDS)
    assert names == [card.name for card in read_cards(text, "my.csv")]
    assert "One More Thing" in names
