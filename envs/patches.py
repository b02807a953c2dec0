"""Patches: what a config may change about single cards, and how games say which changes they know.

    cards:
      amina: {at_power_1: 7400}           # one number
      death: {blank: true}                # a card without its text
      the_sun: {exchange: the_moon}       # two cards trade what is printed on them

A patch changes the table, and with it the game of both seats; deck lists, seeds and the places of cards stay as they
are, so that a deal can be played with and without it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from duelbench.envs.document import kind_of
from duelbench.envs.errors import BadInput

Patches = Mapping[str, Mapping[str, Any]]
"""By the id of a card, the fields that are changed and their values."""

BLANK, EXCHANGE = "blank", "exchange"
"""Fields that every game knows: the card loses its text (true); it trades all of it with another card (an id)."""


@dataclass(frozen=True)
class CardField:
    """One thing about a card that a patch may change."""

    name: str
    allowed: str
    """What values it may have, in words: `0 to 30000`, `true`, `the id of another card`."""
    meaning: str


def patch_name(patches: Patches) -> str:
    """Patches on one line, as in `amina.at_power_1=7400, death.blank=true`."""
    return ", ".join(
        f"{card}.{field}={_plain(value)}" for card, fields in patches.items() for field, value in fields.items()
    )


def check_shape(patches: Any, where: str) -> None:
    """Raise BadInput, beginning with `where`, unless `patches` is a mapping of mappings."""
    if not isinstance(patches, Mapping):
        raise BadInput(f"{where}: found {kind_of(patches)}; expected a mapping from card ids to what changes")
    for card, fields in patches.items():
        if not isinstance(fields, Mapping) or not fields:
            found = "an empty mapping" if isinstance(fields, Mapping) else kind_of(fields)
            raise BadInput(f"{where}.{card}: found {found}; expected fields with their values, as in {{{BLANK}: true}}")


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
