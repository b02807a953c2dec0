"""Section 10 of RULES.md: cards that a config has changed."""

from collections.abc import Mapping

from duelbench.envs import card_patches
from duelbench.envs.card_patches import PatchRules, patch_rows
from duelbench.envs.patches import Patches
from duelbench.envs.tommy_walker.cards import COLUMNS, Card, card_of, printed_rows

_STAYS = ("id", "name", "name_ja")
_NO_TEXT = (*_STAYS, "series", "rarity", "gender", "attributes", "stars", "power")
"""Columns that are no part of a card's text."""

_ONLY = "; where the card has such an ability"
RULES = PatchRules(
    columns=COLUMNS,
    numbers={
        "power": "the printed power",
        "stars": "the printed stars",
        "entry_power": f"the power that its Entry on a ride sets{_ONLY}",
        "entry_return": f"the most hand cards that its Entry puts back{_ONLY}",
        "at_hand": f"the most cards in hand with which its AT holds{_ONLY}",
        "at_power_1": f"the power that its AT sets, for one discard if it is paid for{_ONLY}",
        "at_power_2": f"the same for two discards{_ONLY}",
        "at_power_3": f"the same for three discards{_ONLY}",
        "dmg_beats_stars": f"more stars for beating a card of the kind named{_ONLY}",
        "dmg_riders_stars": f"more stars for beating an enemy that rode{_ONLY}",
        "barrier_power": f"what it adds to its player's power as the barrier{_ONLY}",
        "barrier_enemy_stars": f"what it adds to the enemy's damage as the barrier{_ONLY}",
    },
    words={
        "entry_on_ride": f"the kind of card that its Entry on a ride asks for{_ONLY}",
        "entry_fetch": f"the kind of card that its Entry takes from the discards{_ONLY}",
        "at_enemy": f"the kind of enemy that its AT asks for{_ONLY}",
        "at_cover": f"the kind of covered card that its AT asks for{_ONLY}",
        "at_discard": f"the kind of card that pays for its AT{_ONLY}",
        "dmg_beats": f"the kind of beaten card that brings it more stars{_ONLY}",
        "barrier_enemy": f"the kind of enemy against which it adds power as the barrier{_ONLY}",
    },
    flags={
        "ride_only": "takes its weakness away, where it has one",
        "dmg_return": "takes away that it may come back to the hand, where it does",
    },
    stays=_STAYS,
    text=lambda row: row.filled(column for column in COLUMNS if column not in _NO_TEXT),
    blank_means="all abilities, the weakness and the barrier are gone; stars, power, gender and attributes stay",
    exchange_means="the two cards trade everything but id and names, wherever they lie",
)


def patched_cards(patches: Patches, where: str) -> tuple[Card, ...]:
    """The 36 cards with `patches`; BadInput, beginning with `where`, for what would be no card (10.2 to 10.6)."""
    return tuple(card_of(row) for row in patch_rows(printed_rows(), patches, where, RULES))


def card_numbers(patches: Patches, where: str) -> Mapping[str, Mapping[str, int]]:
    """The numbers on the 36 cards with `patches`; BadInput as `patched_cards`."""
    return card_patches.card_numbers(patch_rows(printed_rows(), patches, where, RULES), RULES)
