"""Section 2 of RULES.md: what makes 30 cards a deck."""

from collections import Counter
from collections.abc import Iterator, Sequence

from duelbench.envs.decks import DeckRules
from duelbench.envs.wizard_in_training.card import (
    CHARACTER,
    ITEM,
    MAIN,
    MAX_LEVEL,
    NO_LEVEL,
    SPELL,
    TYPES,
    Card,
    is_general,
)
from duelbench.envs.wizard_in_training.cards import CARDS, FIRST_MAIN, NUM_CARDS
from duelbench.envs.wizard_in_training.pool import (
    DECK_CHARACTERS,
    DECK_ITEMS,
    DECK_MAINS,
    DECK_SPELLS,
    LEVELLESS_SPELLS,
    MAX_COPIES,
    MAX_TEETH,
    MIN_GENERAL,
    TOP_CHARACTERS,
    no_deck,
)

_COUNTS = {MAIN: DECK_MAINS, ITEM: DECK_ITEMS, CHARACTER: DECK_CHARACTERS, SPELL: DECK_SPELLS}
_WORDS = {code: word for word, code in TYPES.items()}


def _check(numbers: tuple[int, ...]) -> str | None:
    return next(_complaints([CARDS[number] for number in numbers]), None)


def _complaints(cards: Sequence[Card]) -> Iterator[str]:
    """Every rule that the cards break, in the order of the rules."""
    for code, count in _COUNTS.items():
        found = sum(card.type == code for card in cards)
        if found != count:
            yield f"{_count(found, _WORDS[code])}, expected exactly {count}"
    yield from _item_complaints([card for card in cards if card.type == ITEM])
    characters = [card for card in cards if card.type == CHARACTER]
    spells = [card for card in cards if card.type == SPELL]
    yield from _copies(characters + spells, 1)
    top = sum(card.level == MAX_LEVEL for card in characters)
    if top > TOP_CHARACTERS:
        yield f"{top} characters of level {MAX_LEVEL}, allowed: at most {TOP_CHARACTERS}"
    levelless = sum(card.level == NO_LEVEL for card in spells)
    if levelless > LEVELLESS_SPELLS:
        yield f"{levelless} spells without a level, allowed: at most {LEVELLESS_SPELLS}"


def _item_complaints(items: Sequence[Card]) -> Iterator[str]:
    general = sum(map(is_general, items))
    if general < MIN_GENERAL:
        yield f"{_count(general, 'general item')}, allowed: at least {MIN_GENERAL}"
    yield from _copies(items, MAX_COPIES)
    teeth = sum(item.teeth for item in items)
    if teeth > MAX_TEETH:
        yield f"items are worth {teeth} teeth together, allowed: at most {MAX_TEETH}"


def _copies(cards: Sequence[Card], most: int) -> Iterator[str]:
    """Copies are cards of one printed name."""
    named = {card.name: card for card in reversed(cards)}
    for name, copies in Counter(card.name for card in cards).items():
        if copies > most:
            card = named[name]
            yield f"{copies} copies of {_WORDS[card.type]} {card.id!r}, allowed: at most {most}"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _check_allowed(numbers: tuple[int, ...]) -> str | None:
    return no_deck([CARDS[number] for number in numbers])


RULES = DeckRules(
    size=sum(_COUNTS.values()), check=_check, spares=tuple(range(FIRST_MAIN, NUM_CARDS)), check_allowed=_check_allowed
)
