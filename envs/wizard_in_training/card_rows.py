"""The rows of `cards.csv`: what a cell may hold, and which cells a card of each type has."""

import difflib
import re
from collections.abc import Iterator

from duelbench.envs.card_table import AN_ID, Kind, Row, all_different, matching, one_of, read_rows, same, whole
from duelbench.envs.wizard_in_training.card import (
    CHARACTERS,
    ITEMS,
    MAX_LEVEL,
    MAX_MODES,
    NO_LEVEL,
    SUBTYPES,
    TYPES,
    Card,
    Mode,
)

# --- Kinds of cells -------------------------------------------------------------------------------------------

_MAX_TEETH = 25
"""What all items of a deck may be worth together."""
_MAX_VALUE = 20
_MAX_CHANGE = 9
"""These leave room in an int8 for sums of the usual size."""

_DESTROYS = {"item": ITEMS, "character": CHARACTERS, "any": ITEMS | CHARACTERS}
_EVERY_DUEL = "every_duel: "
_DUEL_CHANGES = {"attack": 1, "defend": 1, "other_attack": -1, "other_defend": -1}
"""The sign that each has."""
_EFFECTS = {
    **{f"{word} {n}": (word, n) for word in ("gain", "steal") for n in range(1, _MAX_VALUE + 1)},
    **{f"{word} {n}": (word, n) for word in ("draw", "discard") for n in range(1, _MAX_CHANGE + 1)},
    **{f"destroy {word}": ("destroys", bits) for word, bits in _DESTROYS.items()},
    **{
        f"{word} {sign * n:+d}": (word, sign * n)
        for word, sign in _DUEL_CHANGES.items()
        for n in range(1, _MAX_CHANGE + 1)
    },
}
"""Every effect as it is written, and the field of a mode that it sets."""
_MODES_ARE = (
    f"one or more different ones, with ' & ' between, of gain N, steal N (N up to {_MAX_VALUE}), draw N, discard N, "
    f"destroy item, destroy character, destroy any, attack +N, defend +N, other_attack -N, other_defend -N "
    f"(N up to {_MAX_CHANGE}); before changes for all duels of a phase {_EVERY_DUEL.strip()}"
)


def _mode(cell: str) -> Mode:
    effects: dict[str, int] = {}
    listed = cell.removeprefix(_EVERY_DUEL)
    for written in listed.split(" & "):
        field, value = _EFFECTS[written]
        if field in effects:
            raise ValueError(cell)
        effects[field] = value
    if listed != cell:
        if not effects.keys() & _DUEL_CHANGES:
            raise ValueError(cell)
        effects["every_duel"] = 1
    return Mode(**effects)


def _subtype(cell: str) -> str:
    """Any word, but not one that looks like a known one with a slip in it, or stands for none."""
    if not re.fullmatch("[a-z]+", cell) or cell in ("general", "item"):
        raise ValueError(cell)
    if cell not in SUBTYPES and difflib.get_close_matches(cell, SUBTYPES, n=1):
        raise ValueError(cell)
    return cell


def _tags(cell: str) -> tuple[str, ...]:
    return _different(cell, "; ")


def _ids(cell: str) -> tuple[str, ...]:
    return _different(cell, " ")


def _different(cell: str, between: str) -> tuple[str, ...]:
    words = tuple(cell.split(between))
    if len(set(words)) != len(words) or not all(word and word.strip() == word for word in words):
        raise ValueError(cell)
    return words


_A_NAME = matching(r"[^\s,;]([^\n,;]*[^\s,;])?", "a name without commas and semicolons and without blanks around it")
_DRINK = whole(-_MAX_CHANGE, _MAX_CHANGE, empty=0)
_VALUE = whole(0, _MAX_VALUE, empty=0)
_MODE = Kind(_mode, _MODES_ARE, empty=Mode())

COLUMNS = {
    "id": AN_ID,
    "name": _A_NAME,
    "name_ja": _A_NAME,
    "type": one_of(TYPES),
    "invented": one_of(same("yes", "numbers"), empty=""),
    "territory": matching("[a-z]+", "a word of small letters a to z", empty=""),
    "level": whole(1, MAX_LEVEL, empty=NO_LEVEL),
    "attack": _VALUE,
    "defend": _VALUE,
    "item_ability": Kind(_tags, "different names or subtypes of items, with '; ' between", empty=()),
    "subtype": Kind(_subtype, "", tuple(word for word in SUBTYPES if word), empty=""),
    "teeth": whole(0, _MAX_TEETH, empty=0),
    "drink_attack": _DRINK,
    "drink_defend": _DRINK,
    "drink_teeth": whole(1, _MAX_CHANGE, empty=0),
    "requirement": matching(r"[^\s,;]([^\n,;]*[^\s,;])?", "one name or subtype of an item", empty=""),
    "mode_1": _MODE,
    "mode_2": _MODE,
    "mode_3": _MODE,
    "counters": Kind(_ids, "different ids of spells, with a blank between", empty=()),
}

# --- Rows -----------------------------------------------------------------------------------------------------

_UNIQUE = ("id", "name", "name_ja")
_EVERY_CARD = ("id", "name", "name_ja", "type", "invented")
_DRINKS = ("drink_attack", "drink_defend", "drink_teeth")
_MODES = tuple(f"mode_{k}" for k in range(1, MAX_MODES + 1))
TEXT_COLUMNS = ("item_ability", "subtype", *_DRINKS, "requirement", *_MODES, "counters")
"""What a card says, beside what are its numbers."""
_MUST_HAVE = {
    "item": ("teeth",),
    "character": ("territory", "attack", "defend"),
    "spell": ("territory", "mode_1", "counters"),
    "main": ("territory", "attack", "defend"),
}
_MAY_HAVE = {
    "item": ("subtype", *_DRINKS),
    "character": ("level", "item_ability"),
    "spell": ("level", "requirement", *_MODES),
    "main": (),
}


def read_card_rows(text: str, where: str) -> Iterator[tuple[Row, Card]]:
    """The cards in the comma-separated `text`, one a row, in its order, with their rows; an empty cell means none.

    Raises BadInput for the first row that is wrong in itself or has the name of another: `where` and the line, the
    card, the column, what was found and what is allowed.
    """
    for row in all_different(read_rows(text, where, COLUMNS), _UNIQUE):
        yield row, card_of(row)


def card_of(row: Row, blank: bool = False) -> Card:
    """The card of a row; `blank` is one whose text a patch took away, so that a spell needs none and does nothing.

    Raises BadInput for the first cell that is wrong in itself or beside others.
    """
    values = row.values()
    word = row.cells["type"]
    for column in COLUMNS:
        needed = column in _MUST_HAVE[word] and not (blank and column in TEXT_COLUMNS)
        row.must_have(column, needed, f"because every {word} has one")
        has = column in (*_EVERY_CARD, *_MUST_HAVE[word], *_MAY_HAVE[word])
        row.may_have(column, has, f"because no {word} has one")
    _check_drinks(row)
    row.may_have("mode_3", bool(row.cells["mode_2"]), "because mode_2 is empty: modes stand without a gap")
    modes = tuple(mode for mode in (values.pop(column) for column in _MODES) if any(mode))
    if blank and word == "spell":
        modes = (Mode(),)
    return Card(**values, modes=modes)


def _check_drinks(row: Row) -> None:
    is_potion = row.cells["subtype"] == "potion"
    for column in _DRINKS:
        row.may_have(column, is_potion, "because drink effects are for potions")
        if row.cells[column] == "0":
            raise row.refusal(column, ", allowed: an empty cell for no effect")
    row.must_have("drink_attack", is_potion and not row.filled(_DRINKS), "because every potion has a drink effect")
