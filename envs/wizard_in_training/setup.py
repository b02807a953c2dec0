"""Section 2 of RULES.md: decks, main characters and everything at its start; random decks that are legal."""

import numpy as np

from duelbench.envs.dispatch import DRAWN
from duelbench.envs.jit import rule
from duelbench.envs.rng import below, shuffle
from duelbench.envs.wizard_in_training.card import GENERAL, NO_LEVEL
from duelbench.envs.wizard_in_training.cards import (
    FIRST_CHARACTER,
    FIRST_MAIN,
    FIRST_SPELL,
    NUM_CARDS,
    NUM_ITEMS,
)
from duelbench.envs.wizard_in_training.knowledge import forget_everything
from duelbench.envs.wizard_in_training.pool import (
    DECK_CHARACTERS,
    DECK_ITEMS,
    LEVELLESS_SPELLS,
    MAX_COPIES,
    MAX_TEETH,
    MIN_GENERAL,
    TOP_CHARACTERS,
)
from duelbench.envs.wizard_in_training.state import (
    DECK,
    DECK_SIZE,
    FIRST_LEVEL,
    LAST_LEVEL,
    NO_SLOT,
    RUNNING,
)

TRIES = 200
"""Random item parts that are thrown away before the cheapest one is taken."""


@rule
def set_up(table, game):
    """2.7 The order of chance: the coin for equal mains, both shuffles, the coin for the first player.

    All this comes before the decks are chosen, and slots are shuffled, so another card in a deck changes nothing else.
    """
    clear(game)
    coin = below(game, 2)
    for seat in range(2):
        for slot in range(DECK_SIZE):
            game.deck[seat, slot] = slot
        shuffle(game, game.deck[seat], DECK_SIZE)
    game.active = below(game, 2)
    spares = np.empty(2, np.int64)
    for seat in range(2):
        spares[seat] = choose_deck(table, game, seat)
    part_equal_mains(table, game, coin, spares)


@rule
def clear(game):
    forget_everything(game)
    game.over, game.winner, game.reason = 0, DRAWN, RUNNING
    game.to_act = 0
    game.turn_number = 0
    game.zone[:] = DECK
    game.deck_size[:] = DECK_SIZE
    game.hand_size[:] = 0
    game.field_size[:] = 0
    game.level[:] = FIRST_LEVEL
    game.earned[:] = 0
    game.placed[:] = 0
    game.waste[:] = 0
    game.gained[:] = 0
    game.spell = game.held_item = game.attacker = game.blocker = NO_SLOT
    game.mode = game.owed = game.stolen = game.to_give_up = 0
    game.lots[:] = 0


@rule
def part_equal_mains(table, game, coin, spares):
    """2.5 Two players with the same main character: the coin's loser takes the spare one; if that is the same again,
    the blank. Everybody's blank is another person."""
    if game.mains[0] != game.mains[1] or game.mains[0] == table.blank:
        return
    spare = spares[coin]
    game.mains[coin] = table.blank if spare == game.mains[1 - coin] else spare


@rule
def choose_deck(table, game, seat):
    """Write the seat's list and main character; returns its spare main character."""
    if table.pool_size[seat] > 0:
        chosen = below(game, table.pool_size[seat])
        for slot in range(DECK_SIZE):
            game.lists[seat, slot] = table.pool[seat, chosen, slot]
        game.mains[seat] = table.pool_main[seat, chosen]
        return np.int64(table.pool_spare[seat, chosen])
    random_deck(table, game, seat)
    return np.int64(table.blank)


# --- Random decks ---------------------------------------------------------------------------------------------


@rule
def random_deck(table, game, seat):
    """2.2, 2.3 A deck of the allowed cards that keeps all rules.

    Items are drawn uniformly among those that do, unless so few do that all TRIES fail: then the cheapest are taken.
    """
    cards = np.empty(2 * NUM_CARDS, np.int16)
    part = game.lists[seat]
    count = allowed_between(table, seat, FIRST_MAIN, NUM_CARDS, 1, cards)
    game.mains[seat] = cards[below(game, count)]
    random_items(table, game, seat, cards, part[:DECK_ITEMS])
    count = allowed_between(table, seat, FIRST_CHARACTER, FIRST_SPELL, 1, cards)
    shuffle(game, cards, count)
    take_with_few(table, cards, part[DECK_ITEMS : DECK_ITEMS + DECK_CHARACTERS], LAST_LEVEL, TOP_CHARACTERS)
    count = allowed_between(table, seat, FIRST_SPELL, FIRST_MAIN, 1, cards)
    shuffle(game, cards, count)
    take_with_few(table, cards, part[DECK_ITEMS + DECK_CHARACTERS :], NO_LEVEL, LEVELLESS_SPELLS)


@rule
def allowed_between(table, seat, first, end, copies, cards):
    """Write so many copies of each allowed card from `first` up to `end`; returns how many cards that are."""
    count = 0
    for i in range(table.num_allowed[seat]):
        card = table.allowed[seat, i]
        if first <= card < end:
            for _ in range(copies):
                cards[count] = card
                count += 1
    return count


@rule
def take_with_few(table, cards, part, level, most):
    """Fill the part of the deck with the first cards that go together: at most `most` of them have that level."""
    of_level, taken, i = 0, 0, 0
    while taken < len(part):
        if table.printed[cards[i]].level != level or of_level < most:
            of_level += table.printed[cards[i]].level == level
            part[taken] = cards[i]
            taken += 1
        i += 1


@rule
def random_items(table, game, seat, cards, part):
    """2.2 Random items are thrown away until they keep the rules."""
    count = allowed_between(table, seat, 0, NUM_ITEMS, MAX_COPIES, cards)
    legal, tries = False, 0
    while not legal and tries < TRIES:
        shuffle(game, cards, count)
        legal = items_are_legal(table, cards)
        tries += 1
    if not legal:
        cheapest_items(table, cards, count)
    for i in range(DECK_ITEMS):
        part[i] = cards[i]


@rule
def items_are_legal(table, cards):
    teeth, general = 0, 0
    for i in range(DECK_ITEMS):
        teeth += table.printed[cards[i]].teeth
        general += table.printed[cards[i]].subtype == GENERAL
    return teeth <= MAX_TEETH and general >= MIN_GENERAL


@rule
def cheapest_items(table, cards, count):
    """Move to the front the general items that are asked for and then all others, the ones with few teeth first.

    If any item part is legal, this one is.
    """
    for i in range(DECK_ITEMS):
        best = -1
        for j in range(i, count):
            fits = i >= MIN_GENERAL or table.printed[cards[j]].subtype == GENERAL
            if fits and (best < 0 or table.printed[cards[j]].teeth < table.printed[cards[best]].teeth):
                best = j
        cards[i], cards[best] = cards[best], cards[i]
