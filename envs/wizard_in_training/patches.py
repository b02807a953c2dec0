"""Section 15 of RULES.md: cards that a config has changed."""

from collections.abc import Mapping

from duelbench.envs import card_patches
from duelbench.envs.card_patches import PatchRules, patch_rows
from duelbench.envs.card_table import Row
from duelbench.envs.patches import BLANK, Patches
from duelbench.envs.wizard_in_training.card_rows import COLUMNS, TEXT_COLUMNS, card_of
from duelbench.envs.wizard_in_training.cards import CARDS, Card, printed_rows


def _may_exchange(row: Row, other: Row) -> str:
    word = row.cells["type"]
    return "" if other.cells["type"] == word else f"another {word}, and that is of type {other.cells['type']}"


_POTION = ", where the potion changes it; not 0"
RULES = PatchRules(
    columns=COLUMNS,
    numbers={
        "teeth": "what an item is worth",
        "level": "the level of a character or spell that has one",
        "attack": "the printed attack of a character or main",
        "defend": "the printed defend of a character or main",
        "drink_attack": f"what a potion adds to the attack of its drinker{_POTION}",
        "drink_defend": f"what a potion adds to the defend of its drinker{_POTION}",
        "drink_teeth": "the teeth that a potion brings; where it does",
    },
    words={f"mode_{k}": f"effect {k} of a spell, where it has so many, written as in cards.csv" for k in (1, 2, 3)},
    flags={},
    stays=("id", "name", "name_ja"),
    text=lambda row: row.filled(TEXT_COLUMNS),
    blank_means=(
        "an item is a general one of the same teeth, a character wears nothing, a spell asks for nothing, does nothing "
        "and counters nothing; all keep their numbers"
    ),
    exchange_means="two cards of one type trade everything but id and names, wherever they lie",
    may_exchange=_may_exchange,
)


def patched_cards(patches: Patches, where: str) -> tuple[Card, ...]:
    """All cards with `patches`; BadInput, beginning with `where`, for what would be no card (15.1 to 15.7)."""
    printed = printed_rows()
    rows = patch_rows(printed, patches, where, RULES)
    return tuple(
        card if row.cells == before.cells else card_of(row, blank=BLANK in patches.get(card.id, {}))
        for card, before, row in zip(CARDS, printed, rows, strict=True)
    )


def card_numbers(patches: Patches, where: str) -> Mapping[str, Mapping[str, int]]:
    """The numbers on the cards with `patches`; BadInput as `patched_cards`."""
    return card_patches.card_numbers(patch_rows(printed_rows(), patches, where, RULES), RULES)
