"""Patches of a card table: what a config changes, written into the rows, so that the table's reader checks them too.

The order does not depend on how a config is written: first cards trade their texts, then cards lose theirs, then
single values are set on what is left.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from duelbench.envs.card_table import Columns, Row
from duelbench.envs.document import kind_of
from duelbench.envs.errors import BadInput
from duelbench.envs.game import did_you_mean
from duelbench.envs.patches import BLANK, EXCHANGE, CardField, Patches
from duelbench.envs.records import is_whole


@dataclass(frozen=True)
class PatchRules:
    """What patches may change about the cards of one table."""

    columns: Columns
    numbers: dict[str, str]
    """Columns with a whole number, and what each means."""
    words: dict[str, str]
    """Columns with a text."""
    flags: dict[str, str]
    """Columns that say `yes`, which a patch may take back with `false`."""
    stays: tuple[str, ...]
    """Columns that stay with their card when two cards trade: what the card is called."""
    text: Callable[[Row], Sequence[str]]
    """The filled columns that a card loses when it is made blank."""
    blank_means: str
    exchange_means: str
    may_exchange: Callable[[Row, Row], str] = lambda row, other: ""
    """Why the two cards cannot trade, in a few words; empty if they can."""

    def fields(self) -> tuple[CardField, ...]:
        """What `Game.card_fields` says about them."""
        values = (self.numbers | self.words | self.flags).items()
        return (
            CardField(BLANK, "true", self.blank_means),
            CardField(EXCHANGE, "the id of another card", self.exchange_means),
            *(CardField(name, self.allowed(name), meaning) for name, meaning in values),
        )

    def allowed(self, field: str) -> str:
        kind = self.columns[field]
        return "false" if field in self.flags else kind.allowed or ", ".join(kind.words)


def patch_rows(rows: Sequence[Row], patches: Patches, where: str, rules: PatchRules) -> list[Row]:
    """The rows with `patches`, whose cards are all in the table; each says `where` in place of its file.

    Raises BadInput, beginning with `where`, for a field that there is not or that the card does not have, and for a
    value of another kind than the field's. What a cell may hold beyond that is the reader's matter.
    """
    patched = {row.cells["id"]: Row(where, dict(row.cells), row.columns) for row in rows}
    names = [field.name for field in rules.fields()]
    for card, fields in patches.items():
        for field in fields:
            if field not in names:
                raise BadInput(f"{where}.{card}: unknown field {kind_of(field)}{did_you_mean(field, names)}")
    _exchange(patched, patches, where, rules)
    for card, fields in patches.items():
        if BLANK in fields:
            _blank(patched[card], fields[BLANK], where, rules)
    for card, fields in patches.items():
        for field, value in fields.items():
            if field not in (BLANK, EXCHANGE):
                _set(patched[card], field, value, where, rules)
    return list(patched.values())


def card_numbers(rows: Sequence[Row], rules: PatchRules) -> dict[str, dict[str, int]]:
    """By the id of a card, the numbers on it that a patch can change."""
    return {row.cells["id"]: {name: int(row.cells[name]) for name in rules.numbers if row.cells[name]} for row in rows}


def _exchange(rows: dict[str, Row], patches: Patches, where: str, rules: PatchRules) -> None:
    taken: dict[str, str] = {}
    for card, fields in patches.items():
        if EXCHANGE not in fields:
            continue
        other, at = fields[EXCHANGE], f"{where}.{card}.{EXCHANGE}"
        if not isinstance(other, str) or other not in rows:
            raise BadInput(f"{at}: found {kind_of(other)}, allowed: the id of another card{did_you_mean(other, rows)}")
        if other == card:
            raise BadInput(f"{at}: found {other!r}, allowed: another card, as a card has nothing to trade with itself")
        complaint = rules.may_exchange(rows[card], rows[other])
        if complaint:
            raise BadInput(f"{at}: found {other!r}, allowed: {complaint}")
        if taken.get(card) == other:
            continue  # said of both, it is the same trade
        for one, partner in ((card, other), (other, card)):
            if one in taken:
                raise BadInput(f"{at}: {one} is exchanged with {taken[one]} already, allowed: one exchange a card")
            taken[one] = partner
        one_row, other_row = rows[card].cells, rows[other].cells
        for column in rules.columns:
            if column not in rules.stays:
                one_row[column], other_row[column] = other_row[column], one_row[column]


def _blank(row: Row, value: Any, where: str, rules: PatchRules) -> None:
    at = f"{where}.{row.cells['id']}.{BLANK}"
    if value is not True:
        raise BadInput(f"{at}: found {kind_of(value)}, allowed: true")
    lost = rules.text(row)
    if not lost:
        raise BadInput(f"{at}: found true, but the card has no text that it could lose")
    for column in lost:
        row.cells[column] = ""


def _set(row: Row, field: str, value: Any, where: str, rules: PatchRules) -> None:
    card = row.cells["id"]
    at = f"{where}.{card}.{field}"
    if not row.cells[field]:
        known = rules.numbers | rules.words | rules.flags
        has = ", ".join(name for name in known if row.cells[name])
        raise BadInput(f"{at}: found {kind_of(value)}, but {card} has no {field} to change; it has: {has or 'none'}")
    fits = is_whole(value) if field in rules.numbers else isinstance(value, str) and value != ""
    if field in rules.flags:
        fits = value is False
    if not fits:
        raise BadInput(f"{at}: found {kind_of(value)}, allowed: {rules.allowed(field)}")
    row.cells[field] = "" if field in rules.flags else str(value)
