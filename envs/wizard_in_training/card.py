"""What is printed on a card: codes, the records that rules read, and the tuples that people read."""

from typing import NamedTuple

import numpy as np

ITEM, CHARACTER, SPELL, MAIN = range(4)
TYPES = {"item": ITEM, "character": CHARACTER, "spell": SPELL, "main": MAIN}

GENERAL, WEAPON, ARMOUR, CHARM, POTION, OTHER = range(6)
SUBTYPES = {"": GENERAL, "weapon": WEAPON, "armour": ARMOUR, "charm": CHARM, "potion": POTION}
"""The subtypes that rules know; an item with another word is OTHER."""

NO_LEVEL = 0
MAX_LEVEL = 5
MAX_MODES = 3
MAX_TERRITORIES = 4
EQUIPMENT_BONUS = 2
"""What a worn weapon adds to attack, and worn armour to defend."""

ITEMS, CHARACTERS = 1, 2
"""Bits of `destroys`: what the card to be destroyed may be."""

MODE = np.dtype(
    [
        ("steal", np.int8),  # teeth that the other player pays, and the caster gains
        ("gain", np.int8),  # teeth for the caster's counter
        ("draw", np.int8),  # cards that the caster draws
        ("discard", np.int8),  # hand cards that the other player discards
        ("destroys", np.int8),  # bits; one such card of the other player is destroyed, 0 for none
        ("attack", np.int8),  # change of the caster's fighter in the coming Duel phase
        ("defend", np.int8),
        ("other_attack", np.int8),  # change of its enemy; not above 0
        ("other_defend", np.int8),
        ("every_duel", np.int8),  # the changes last for every duel of the phase, not only the first
    ]
)

CARD = np.dtype(
    [
        ("type", np.int8),
        ("territory", np.int8),  # 1 to MAX_TERRITORIES, 0 for none
        ("level", np.int8),  # 1 to MAX_LEVEL, NO_LEVEL for none
        ("attack", np.int8),
        ("defend", np.int8),
        ("teeth", np.int8),  # what the item is worth in the pool
        ("subtype", np.int8),
        ("drink_attack", np.int8),  # what a potion changes for who drinks it
        ("drink_defend", np.int8),
        ("drink_teeth", np.int8),  # teeth that it gives to the drinker's owner
        ("requires", np.int8),  # the spell asks for an item
        ("num_modes", np.int8),
        ("modes", MODE, (MAX_MODES,)),
    ]
)

DECK_FACTS = np.dtype([("level", np.int8), ("teeth", np.int8), ("subtype", np.int8)])
"""What the rules for decks ask about a card: what is printed on it, also where a patch has changed it."""


class Mode(NamedTuple):
    """One of the effects that a spell offers: the fields of MODE."""

    steal: int = 0
    gain: int = 0
    draw: int = 0
    discard: int = 0
    destroys: int = 0
    attack: int = 0
    defend: int = 0
    other_attack: int = 0
    other_defend: int = 0
    every_duel: int = 0


class Card(NamedTuple):
    """A card. Fields that its type does not have are 0 or empty."""

    id: str
    name: str
    name_ja: str
    type: int
    invented: str
    """`yes` for a card of our own, `numbers` for a known name with numbers of our own, empty for a printed card."""
    territory: str
    level: int
    attack: int
    defend: int
    item_ability: tuple[str, ...]
    """Names and subtypes of the weapons and armour that the character may wear."""
    subtype: str
    """The word for it; empty for a general item."""
    teeth: int
    drink_attack: int
    drink_defend: int
    drink_teeth: int
    requirement: str
    """Name or subtype of the item that the spell asks for; empty for none."""
    modes: tuple[Mode, ...]
    counters: tuple[str, ...]
    """Ids of the spells that this one counters."""

    def is_called(self, tag: str) -> bool:
        """Whether the tag of an item ability or a requirement means this item."""
        return self.type == ITEM and tag in (self.name, self.subtype)


def subtype_code(word: str) -> int:
    return SUBTYPES.get(word, OTHER)


def is_equipment(card: Card) -> bool:
    return card.type == ITEM and subtype_code(card.subtype) in (WEAPON, ARMOUR)


def is_general(card: Card) -> bool:
    return card.type == ITEM and subtype_code(card.subtype) == GENERAL
