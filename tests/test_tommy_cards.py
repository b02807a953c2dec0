"""The card table of Tommy Walker TGC: number for number what is printed, read strictly, told in words."""

import csv
import io
import json
import re
from collections import Counter
from importlib import resources
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from duelbench.envs.errors import BadInput
from duelbench.envs.records import blank
from duelbench.envs.tommy_walker.card_text import ability_text, card_text
from duelbench.envs.tommy_walker.cards import (
    ANY_CARD,
    CARD,
    CARDS,
    FEMALE,
    MALE,
    NO_CARD,
    NO_LIMIT,
    NONE,
    NUM_CARDS,
    Card,
    P,
    S,
    T,
    attribute_words,
    read_cards,
    write_cards,
)

TEXT = resources.files("duelbench.envs.tommy_walker").joinpath("cards.csv").read_text(encoding="utf-8")
COLUMNS, *LINES = list(csv.reader(TEXT.splitlines()))
ROWS = [dict(zip(COLUMNS, cells, strict=True)) for cells in LINES]
IDS = [row["id"] for row in ROWS]
PRINTED = json.loads((Path(__file__).parent / "golden" / "tommy_walker_printed.json").read_text(encoding="utf-8"))

# What we call the cards. Decks and configs name them so: an id never changes.
CALLED = """
ralph Ralph, premiere Premiere, akuroou Akuroou, tsubame_juusan General Tsubame, iska Iska, orochi Water Orochi,
molat_hero Molat Hero, jack_maxim Jack Maxim, calist Calist, silver_rain Silver Rain, renjo Renjo, zephyr Zephyr,
barrows Barrows, amina Amina, aquerio Aquerio, hanks Elder Hanks, grantram Grantram, maria Maria, dahlia Dahlia,
cookberry Cookberry, algora Queen Algora, reiji Reiji, kadasphia Kadasphia, akira Akira, alexis Alexis, hina Hina,
ren Ren, amon Amon, leticia Leticia, demonoid Demonoid, araki Araki, kizuki Kizuki, david David, himeko Himeko,
german_shark German Shark, lovelinstar Lovelinstar
"""

# --- What is printed, read on its own -------------------------------------------------------------------------

GENDERS = {"男": "male", "女": "female"}
ABILITIES = [
    (r"Weakness: ride only", {"ride_only": "yes"}),
    (r"Entry: on (?P<entry_on_ride>\w+) = (?P<entry_power>\d+)", {}),
    (r"Entry: fetch (?P<entry_fetch>\w+)", {}),
    (r"Entry: return (?P<entry_return>\d)", {}),
    (r"AT: enemy (?P<at_enemy>\w+) = (?P<at_power_1>\d+)", {}),
    (r"AT: cover (?P<at_cover>\w+) = (?P<at_power_1>\d+)", {}),
    (r"AT: hand (?P<at_hand>\d) = (?P<at_power_1>\d+)", {}),
    (r"AT: discard (?P<at_discard>\w+) = (?P<at_power_1>\d+) (?P<at_power_2>\d+) (?P<at_power_3>\d+)", {}),
    (r"DMG: beats (?P<dmg_beats>\w+) \+(?P<dmg_beats_stars>\d)", {}),
    (r"DMG: riders \+(?P<dmg_riders_stars>\d)", {}),
    (r"DMG: return", {"dmg_return": "yes"}),
    (r"Hand: barrier \+(?P<barrier_power>\d+)", {"barrier": "yes"}),
    (r"Hand: barrier enemy (?P<barrier_enemy>\w+) \+(?P<barrier_power>\d+)", {"barrier": "yes"}),
    (r"Hand: barrier enemy stars (?P<barrier_enemy_stars>-\d)", {"barrier": "yes"}),
    (r"Hand: barrier copy", {"barrier": "yes", "barrier_copy": "yes"}),
]
"""The notation of printed abilities: a pattern whose group names are columns, and what else the ability sets."""


def columns_of_ability(ability):
    found = [(re.fullmatch(pattern, ability), more) for pattern, more in ABILITIES]
    ((match, more),) = [(match, more) for match, more in found if match]
    return match.groupdict() | more


def columns_of_print(card):
    """The columns of a printed card, as `cards.csv` has to write them; an empty text where it has nothing."""
    gender, skills = card["attributes"].split("/")
    cells = dict.fromkeys(COLUMNS, "")
    cells |= {"name_ja": card["name"], "series": card["series"], "rarity": card["rarity"]}
    cells |= {"gender": GENDERS[gender], "attributes": " ".join(skills), "power": str(card["power"])}
    cells["stars"] = re.fullmatch(r"☆(\d)", card["stars"])[1]
    for ability in card["abilities"]:
        set_by_it = columns_of_ability(ability)
        assert not any(cells[column] for column in set_by_it if column != "barrier"), "said twice"
        cells |= set_by_it
    return cells


def expected_rows():
    called = [entry.split(maxsplit=1) for entry in " ".join(CALLED.split()).split(", ")]
    return [
        columns_of_print(card) | {"id": key, "name": name}
        for card, (key, name) in zip(PRINTED["cards"], called, strict=True)
    ]


EXPECTED = expected_rows()


def differences(rows):
    """Where `rows` are not what is printed, as (id of the card, column)."""
    return [
        (expected["id"], column)
        for row, expected in zip(rows, EXPECTED, strict=True)
        for column in COLUMNS
        if row[column] != expected[column]
    ]


def test_every_cell_is_what_is_printed():
    assert differences(ROWS) == []


OTHER_VALUES = {
    "number": [str(n) for n in (*range(-2, 10), 1000, 2000, 7000, 12000)],
    "word": ["P", "T", "S", "S T", "T S", "male", "female", "any", "yes", "no", "TW1", "TW2", "TW3", "TW4", *"CUR"],
}


def other_values(cell):
    """Cells that someone might write for `cell` by mistake: for numbers also the neighbours."""
    near = [str(int(cell) + step) for step in (-1000, -100, -10, -1, 1, 10, 100, 1000)] if cell.isdigit() else []
    return [value for value in ("", *near, *OTHER_VALUES["number"], *OTHER_VALUES["word"]) if value != cell]


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("row", range(NUM_CARDS), ids=IDS)
def test_a_change_of_any_one_cell_is_noticed(row, column):
    cells = ROWS[row]
    for value in other_values(cells[column]):
        changed = [*ROWS[:row], cells | {column: value}, *ROWS[row + 1 :]]
        assert differences(changed) == [(IDS[row], column)], value


def test_two_cards_that_changed_places_are_noticed():
    assert {card for card, _ in differences([ROWS[1], ROWS[0], *ROWS[2:]])} == {"ralph", "premiere"}


def test_the_list_has_the_cards_that_the_event_had():
    def count(column):
        return Counter(row[column] for row in ROWS)

    assert len(CARDS) == NUM_CARDS == NO_CARD == 36
    assert count("series") == {"TW1": 2, "TW2": 9, "TW3": 12, "TW4": 13}
    assert count("rarity") == {"C": 25, "U": 4, "R": 7}
    assert count("gender") == {"male": 21, "female": 15}
    assert [count(column)["yes"] for column in ("ride_only", "barrier", "barrier_copy", "dmg_return")] == [2, 8, 2, 1]


# --- From cells to records ------------------------------------------------------------------------------------

BITS = {"": 0, "male": 1, "female": 2, "P": 4, "T": 8, "S": 16, "S T": 24, "any": 31}


def fields_of(row):
    """The fields of CARD that the cells of a row stand for."""

    def number(column):
        return int(row[column] or 0)

    def yes(column):
        return {"": 0, "yes": 1}[row[column]]

    def bits(column):
        return BITS[row[column]]

    return {
        "attributes": bits("gender") + bits("attributes"),
        "stars": number("stars"),
        "power": number("power"),
        "ride_only": yes("ride_only"),
        "entry_on": bits("entry_on_ride"),
        "entry_power": number("entry_power"),
        "fetch": bits("entry_fetch"),
        "returns": number("entry_return"),
        "at_enemy": bits("at_enemy"),
        "at_cover": bits("at_cover"),
        "at_hand": int(row["at_hand"] or -1),
        "at_discard": bits("at_discard"),
        "at_power": [number(f"at_power_{k}") for k in (1, 2, 3)],
        "dmg_beats": bits("dmg_beats"),
        "dmg_beats_stars": number("dmg_beats_stars"),
        "dmg_riders_stars": number("dmg_riders_stars"),
        "dmg_return": yes("dmg_return"),
        "barrier": yes("barrier"),
        "barrier_enemy": bits("barrier_enemy"),
        "barrier_power": number("barrier_power"),
        "barrier_enemy_stars": number("barrier_enemy_stars"),
        "barrier_copy": yes("barrier_copy"),
    }


@pytest.mark.parametrize("card", range(NUM_CARDS), ids=IDS)
def test_a_record_has_every_field_of_its_row(card):
    array = blank(NUM_CARDS, CARD)
    write_cards(array)
    written = {field: np.asarray(array[field][card]).tolist() for field in CARD.names}
    assert written == fields_of(ROWS[card])


@pytest.mark.parametrize("card", range(NUM_CARDS), ids=IDS)
def test_a_card_has_the_words_of_its_row(card):
    words = ("id", "name", "name_ja", "series", "rarity")
    assert [getattr(CARDS[card], word) for word in words] == [ROWS[card][word] for word in words]


def test_the_numbers_of_the_words_are_the_ones_that_the_rules_use():
    assert (NONE, MALE, FEMALE, P, T, S, ANY_CARD) == (0, 1, 2, 4, 8, 16, 31)
    assert NO_LIMIT == -1
    assert attribute_words(ANY_CARD) == ["male", "female", "P", "T", "S"]


def test_every_field_of_a_record_is_a_field_of_a_card():
    assert Card._fields == ("id", "name", "name_ja", "series", "rarity", *CARD.names)


def test_a_record_has_two_bytes_for_a_power_and_one_for_all_else():
    powers = {"power", "entry_power", "at_power", "barrier_power"}
    widths = {field: CARD[field].base for field in CARD.names}
    assert widths == {field: np.dtype(np.int16 if field in powers else np.int8) for field in CARD.names}


@pytest.mark.parametrize("field", CARD.names)
def test_other_cards_can_be_written_and_change_their_field_only(field):
    before, after = blank(NUM_CARDS, CARD), blank(NUM_CARDS, CARD)
    write_cards(before)
    other = (11, 12, 13) if field == "at_power" else 7
    write_cards(after, (*CARDS[:5], CARDS[5]._replace(**{field: other}), *CARDS[6:]))
    assert np.array_equal(after[field][5], other)
    cells = [(row, name) for row in range(NUM_CARDS) for name in CARD.names]
    assert [(row, name) for row, name in cells if np.any(before[name][row] != after[name][row])] == [(5, field)]


def test_numbers_that_do_not_fit_are_refused_and_so_is_another_number_of_cards():
    with pytest.raises(OverflowError):
        write_cards(blank(NUM_CARDS, CARD), (CARDS[0]._replace(power=40_000), *CARDS[1:]))
    with pytest.raises(ValueError, match="shorter"):
        write_cards(blank(NUM_CARDS, CARD), CARDS[:-1])


# --- Reading --------------------------------------------------------------------------------------------------


def table(rows=ROWS, columns=COLUMNS):
    """`rows` as the text of a file."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def with_cells(card, **cells):
    """The table with other cells for the card of that id."""
    return table([row | cells if row["id"] == card else row for row in ROWS])


def refusal(text):
    with pytest.raises(BadInput) as error:
        read_cards(text, "my.csv")
    assert "\n" not in str(error.value)
    return str(error.value)


def test_the_text_that_the_tests_change_is_the_file():
    assert table() == TEXT
    assert read_cards(table(), "my.csv") == CARDS


def test_columns_may_stand_in_another_order():
    assert read_cards(table(columns=COLUMNS[::-1]), "my.csv") == CARDS


BAD_CELLS = [
    ("id", "Iska", "small letters a to z"),
    ("id", "iska2", "small letters a to z"),
    ("id", "iska_", "small letters a to z"),
    ("id", "", "small letters a to z"),
    ("name", "", "a name"),
    ("name", "Iska, the Elder", "without commas"),
    ("name", " Iska", "without blanks"),
    ("name_ja", "", "a name"),
    ("series", "TW5", "did you mean 'TW"),
    ("series", "", "TW1, TW2, TW3, TW4"),
    ("rarity", "SR", "C, R, U"),
    ("rarity", "", "C, R, U"),
    ("gender", "fmale", "did you mean 'female'? (known: female, male)"),
    ("gender", "P", "female, male"),
    ("gender", "", "female, male"),
    ("attributes", "Q", "P, T and S"),
    ("attributes", "male", "P, T and S"),
    ("attributes", "P P", "different"),
    ("attributes", "P,T", "with a blank between"),
    ("attributes", "P  T", "with a blank between"),
    ("attributes", "", "P, T and S"),
    ("stars", "10", "whole numbers 0 to 9"),
    ("stars", "-1", "whole numbers 0 to 9"),
    ("stars", "", "whole numbers 0 to 9"),
    ("power", "30001", "whole numbers 0 to 30000"),
    ("power", "-1", "whole numbers 0 to 30000"),
    ("power", "", "whole numbers 0 to 30000"),
    ("power", "39O0", "whole numbers 0 to 30000"),
    ("power", "3900.0", "whole numbers 0 to 30000"),
    ("power", "3_900", "whole numbers 0 to 30000"),
    ("power", "\uff13\uff19\uff10\uff10", "whole numbers 0 to 30000"),
    ("power", "03900", "whole numbers 0 to 30000"),
    ("power", " 3900", "whole numbers 0 to 30000"),
    ("ride_only", "no", "known: yes"),
    ("entry_on_ride", "any", "S, T, female, male"),
    ("entry_power", "30001", "whole numbers 1 to 30000"),
    ("entry_fetch", "all", "any, female"),
    ("entry_return", "0", "whole numbers 1 to 16"),
    ("entry_return", "17", "whole numbers 1 to 16"),
    ("at_enemy", "P S", "S, T, female, male"),
    ("at_cover", "men", "S, T, female, male"),
    ("at_hand", "17", "whole numbers 0 to 16"),
    ("at_hand", "-1", "whole numbers 0 to 16"),
    ("at_discard", "p", "S, T, female, male"),
    ("at_power_1", "0", "whole numbers 1 to 30000"),
    ("at_power_1", "30001", "whole numbers 1 to 30000"),
    ("at_power_2", "x", "whole numbers 1 to 30000"),
    ("at_power_3", "x", "whole numbers 1 to 30000"),
    ("dmg_beats", "rider", "S, T, female, male"),
    ("dmg_beats_stars", "0", "whole numbers 1 to 9"),
    ("dmg_riders_stars", "10", "whole numbers 1 to 9"),
    ("dmg_return", "1", "known: yes"),
    ("barrier", "Yes", "did you mean 'yes'?"),
    ("barrier_enemy", "any", "S, T, female, male"),
    ("barrier_power", "0", "whole numbers 1 to 30000"),
    ("barrier_enemy_stars", "1", "whole numbers -9 to -1"),
    ("barrier_enemy_stars", "-0", "whole numbers -9 to -1"),
    ("barrier_copy", "true", "known: yes"),
]


@pytest.mark.parametrize(("column", "cell", "allowed"), BAD_CELLS)
def test_a_cell_of_another_kind_is_refused_by_row_and_column(column, cell, allowed):
    said = refusal(with_cells("iska", **{column: cell}))
    card = cell if column == "id" else "iska"
    found = f"found {cell!r}" if cell else "found an empty cell"
    assert said.startswith(f"my.csv:6: card {card!r}, column {column}: {found}")
    assert allowed in said.partition(found)[2]


def test_every_column_has_its_refused_cells():
    assert {column for column, *_ in BAD_CELLS} == set(COLUMNS)


ONE = "one Entry or AT ability a card"
TOGETHER = [
    ("iska", {"at_hand": "3"}, "at_hand", f"because at_enemy is set: {ONE}"),
    ("iska", {"at_cover": "male"}, "at_cover", f"because at_enemy is set: {ONE}"),
    ("akuroou", {"at_discard": "P"}, "at_discard", f"because at_hand is set: {ONE}"),
    ("jack_maxim", {"entry_return": "1"}, "entry_return", f"because entry_fetch is set: {ONE}"),
    ("premiere", {"entry_fetch": "any"}, "entry_fetch", f"because entry_on_ride is set: {ONE}"),
    ("hanks", {"at_hand": "3", "at_power_1": "9"}, "at_hand", f"because entry_return is set: {ONE}"),
    ("iska", {"at_power_1": ""}, "at_power_1", "because the card has an AT ability"),
    ("akuroou", {"at_power_1": ""}, "at_power_1", "because the card has an AT ability"),
    ("amina", {"at_power_1": ""}, "at_power_1", "because the card has an AT ability"),
    ("lovelinstar", {"at_power_1": ""}, "at_power_1", "because the card has an AT ability"),
    ("renjo", {"at_power_1": "9"}, "at_power_1", "because the card has no AT ability"),
    ("iska", {"at_power_2": "9"}, "at_power_2", "because at_discard is empty"),
    ("iska", {"at_power_3": "9"}, "at_power_3", "because at_discard is empty"),
    ("amina", {"at_power_2": ""}, "at_power_2", "because at_discard is set"),
    ("amina", {"at_power_3": ""}, "at_power_3", "because at_discard is set"),
    ("ren", {"entry_power": ""}, "entry_power", "because entry_on_ride is set"),
    ("iska", {"entry_power": "9"}, "entry_power", "because entry_on_ride is empty"),
    ("reiji", {"dmg_beats_stars": ""}, "dmg_beats_stars", "because dmg_beats is set"),
    ("iska", {"dmg_beats_stars": "1"}, "dmg_beats_stars", "because dmg_beats is empty"),
    ("iska", {"barrier_enemy": "P"}, "barrier_enemy", "because barrier is empty"),
    ("iska", {"barrier_power": "9"}, "barrier_power", "because barrier is empty"),
    ("iska", {"barrier_enemy_stars": "-1"}, "barrier_enemy_stars", "because barrier is empty"),
    ("iska", {"barrier_copy": "yes"}, "barrier_copy", "because barrier is empty"),
    ("renjo", {"barrier_enemy": "P"}, "barrier_enemy", "because barrier_power is empty"),
    ("iska", {"barrier": "yes"}, "barrier", "because barrier_power, barrier_enemy_stars, barrier_copy are empty"),
]


@pytest.mark.parametrize(("card", "cells", "column", "reason"), TOGETHER)
def test_cells_that_do_not_go_together_are_refused_by_row_and_column(card, cells, column, reason):
    said = refusal(with_cells(card, **cells))
    found = f"found {cells[column]!r}" if cells[column] else "found an empty cell"
    assert said.startswith(f"my.csv:{IDS.index(card) + 2}: card {card!r}, column {column}: {found}, allowed: ")
    assert said.partition("allowed: ")[2].startswith("nothing" if cells[column] else "whole numbers")
    assert said.endswith(reason)


@pytest.mark.parametrize(
    ("column", "cell"), [("id", "ralph"), ("name", "Ralph"), ("name", "RALPH"), ("name_ja", ROWS[0]["name_ja"])]
)
def test_two_cards_may_not_be_called_alike(column, cell):
    said = refusal(with_cells("iska", **{column: cell}))
    assert said.startswith(f"my.csv:6: card {cell if column == 'id' else 'iska'!r}, column {column}: found {cell!r}")
    assert "my.csv:2 has it" in said


MISSPELT = [*COLUMNS[:-1], "barier_copy"]
ONE_MORE = ROWS[0] | {"id": "more", "name": "More", "name_ja": "More"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "my.csv:1: found no column id"),
        (table(columns=COLUMNS[:-1]), "my.csv:1: found no column barrier_copy"),
        (table(columns=MISSPELT), "my.csv:1: unknown column 'barier_copy'; did you mean 'barrier_copy'?"),
        (table(columns=[*COLUMNS, "notes"]), "my.csv:1: unknown column 'notes'"),
        (table(columns=[*COLUMNS, "id"]), "my.csv:1: found column id 2 times, allowed: once"),
        (table(ROWS[:-1]), "my.csv: found 35 cards, allowed: 36"),
        (table([*ROWS, ONE_MORE]), "my.csv: found 37 cards, allowed: 36"),
        (TEXT.replace("7900,", "7900,,"), "my.csv:2: found 31 cells, allowed: 30"),
        (TEXT.replace("7900,", "7900"), "my.csv:2: found 29 cells, allowed: 30"),
        (TEXT.replace("Ralph", '"Ra"lph'), "my.csv:2: not comma-separated values"),
        (TEXT + "\n", "my.csv:38: found 0 cells, allowed: 30"),
    ],
)
def test_a_table_of_another_shape_is_refused(text, said):
    assert refusal(text).startswith(said)


@pytest.mark.parametrize(("small", "power"), [(0, 0), (9, 30_000)])
def test_the_ends_of_the_ranges_are_allowed(small, power):
    cells = {"stars": small, "power": power, "at_power_1": max(power, 1), "at_hand": small}
    card = read_cards(with_cells("akuroou", **cells), "my.csv")[2]
    assert (card.stars, card.power, card.at_power[0], card.at_hand) == (small, power, max(power, 1), small)


# --- Texts ----------------------------------------------------------------------------------------------------


def test_ids_are_small_words():
    assert [card.id for card in CARDS if not re.fullmatch("[a-z_]+", card.id)] == []


WITHOUT_TEXT = {"id", "name", "name_ja", "series", "rarity"}
ABILITY_COLUMNS = COLUMNS[COLUMNS.index("ride_only") :]


@pytest.mark.parametrize("card", range(NUM_CARDS), ids=IDS)
def test_a_text_says_every_value_of_its_row_as_often_as_the_row(card):
    cells = [word for column in COLUMNS if column not in WITHOUT_TEXT for word in ROWS[card][column].split()]
    said = Counter(re.findall(r"(?<!\w)-?\w+", card_text(CARDS[card]).replace("Male", "male").replace("Fem", "fem")))
    assert Counter(word for word in cells if word != "yes") - said == Counter()


TIMINGS = {"Weakness": "Weakness:", "Entry": "Entry:", "AT": "AT:", "Hand": "Hand (barrier):", "DMG": "DMG:"}


@pytest.mark.parametrize("card", range(NUM_CARDS), ids=IDS)
def test_a_text_has_one_sentence_for_each_printed_ability_with_its_timing(card):
    printed = [TIMINGS[ability.partition(":")[0]] for ability in PRINTED["cards"][card]["abilities"]]
    said = re.findall("|".join(re.escape(timing) for timing in TIMINGS.values()), ability_text(CARDS[card]))
    assert said == printed


def test_cards_have_the_same_words_exactly_if_they_do_the_same():
    does = [tuple(row[column] for column in ABILITY_COLUMNS) for row in ROWS]
    texts = [ability_text(card) for card in CARDS]
    for one, other in combinations(range(NUM_CARDS), 2):
        assert (texts[one] == texts[other]) == (does[one] == does[other]), (IDS[one], IDS[other])
    assert len(set(texts)) == NUM_CARDS - 3  # three barriers add 1000, and two copy


CONDITIONS = ("male", "female", *"PTS")
POWERS = ("0", "1", "30000")
STARS = ("", "1", "2", "9")
VALUES = {
    "gender": ("male", "female"),
    "attributes": ("P", "T", "S", "S T", "P S"),
    "stars": ("1", "2", "5"),
    "power": ("1", "29999"),
    "entry_fetch": ("any", *CONDITIONS),
    "entry_return": ("1", "2", "5"),
    "at_hand": ("0", "1", "2", "5"),
    **dict.fromkeys(("entry_on_ride", "at_enemy", "at_cover", "at_discard", "dmg_beats"), CONDITIONS),
    **dict.fromkeys(("entry_power", "at_power_1", "at_power_2", "at_power_3"), POWERS),
    **dict.fromkeys(("dmg_beats_stars", "dmg_riders_stars"), STARS),
    **dict.fromkeys(("ride_only", "dmg_return", "barrier_copy"), ("", "yes")),
    "barrier_enemy": ("", *CONDITIONS),
    "barrier_power": ("", "1", "1000", "30000"),
    "barrier_enemy_stars": ("", "-1", "-2", "-9"),
}
"""Values for a cell, of which those are tried that the rest of the card allows."""


@pytest.mark.parametrize("column", [column for column in COLUMNS if column not in WITHOUT_TEXT | {"barrier"}])
def test_a_change_of_an_ability_changes_the_text(column):
    changes = 0
    for card, row in enumerate(ROWS):
        texts = {card_text(CARDS[card])}
        for value in VALUES[column]:
            try:
                changed = read_cards(with_cells(row["id"], **{column: value}), "my.csv")[card]
            except BadInput:
                continue
            if value != row[column] and changed != CARDS[card]:
                changes += 1
                assert card_text(changed) not in texts, (row["id"], value)
                assert not value.isdigit() or value in re.findall(r"\d+", card_text(changed)), (row["id"], value)
                texts.add(card_text(changed))
    assert changes


def test_a_card_without_abilities_says_only_what_it_is():
    nothing = dict.fromkeys(ABILITY_COLUMNS, "")
    (plain,) = (c for c in read_cards(with_cells("maria", **nothing), "my.csv") if c.id == "maria")
    assert ability_text(plain) == ""
    assert card_text(plain) == "Female T, 1 star, power 6000."


def test_a_barrier_with_several_effects_says_them_all():
    cells = {"barrier_enemy_stars": "-2", "barrier_copy": "yes"}
    kizuki = next(c for c in read_cards(with_cells("kizuki", **cells), "my.csv") if c.id == "kizuki")
    effects = ["your power +2000 while the enemy is P", "the enemy's stars -2", "you may apply it to yourself"]
    assert [effect for effect in effects if effect not in ability_text(kizuki)] == []
