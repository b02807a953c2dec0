"""Section 13 of RULES.md: what each seat knows of the other's cards, and drawing at random what it does not know.

Deck lists are open, so a seat knows which cards the other's hand and deck hold together; how they are spread is
hidden. What is known beyond that is public, and kept as *tokens*, one for each card of a hand, the earliest drawn
first. A slot is unseen `since` a shuffle of its deck; a card drawn before that shuffle cannot be it. And the first
`kept` tokens have been held through an item phase of their owner, so they are no items. What an earlier token may be,
a later one may be too; so when a card leaves a hand openly, taking it for the earliest token that it may have been
leaves all possible hands possible.

Every way of laying the unseen slots that agrees with the tokens is held equally likely.
"""

import numpy as np

from duelbench.envs.events import forget_events
from duelbench.envs.jit import rule
from duelbench.envs.rng import below, shuffle
from duelbench.envs.wizard_in_training.cards import NUM_ITEMS
from duelbench.envs.wizard_in_training.state import (
    DECK,
    DECK_SIZE,
    EQUIPPING,
    HAND,
    POOL,
    WORN,
    may_equip,
)

# --- 13.4 Tokens ----------------------------------------------------------------------------------------------


@rule
def forget_everything(game):
    """13.3 Nothing has been seen of any hand, and nothing has come back to a deck."""
    game.shuffles[:] = 0
    game.since[:] = 0
    game.drawn_at[:] = 0
    game.kept[:] = 0


@rule
def enter_hand(game, seat, slot):
    """A card is drawn, unseen by the other seat."""
    game.zone[seat, slot] = HAND
    game.drawn_at[seat, game.hand_size[seat]] = game.shuffles[seat]
    game.hand_size[seat] += 1


@rule
def leave_hand(game, seat, slot, zone):
    """A card leaves the hand openly and goes to `zone`."""
    settle_twins(game, seat, slot)
    is_item = game.lists[seat, slot] < NUM_ITEMS
    remove_token(game, seat, game.since[seat, slot], is_item)
    game.zone[seat, slot] = zone


@rule
def keep_hand(game, seat):
    """13.4 All items have been placed: what is still in the hand is none."""
    game.kept[seat] = game.hand_size[seat]


@rule
def remove_token(game, seat, since, is_item):
    """The earliest token that may have been a card unseen since then is no token any more."""
    last = game.hand_size[seat] - 1
    at = game.kept[seat] if is_item else 0
    while game.drawn_at[seat, at] < since:
        at += 1
    if at < game.kept[seat]:
        game.kept[seat] -= 1
    for i in range(at, last):
        game.drawn_at[seat, i] = game.drawn_at[seat, i + 1]
    game.drawn_at[seat, last] = 0
    game.hand_size[seat] = last


@rule
def settle_twins(game, seat, slot):
    """13.6 Two unseen copies of an item are told apart by nobody: which of them is seen now does not matter.

    It is held to be the one that has been unseen for longer. That leaves everything possible: if it was the other, the
    token that it was taken from is one of the later ones, and those can hold what is left of the two as well.
    """
    if game.lists[seat, slot] >= NUM_ITEMS:
        return
    for twin in range(DECK_SIZE):
        if twin != slot and game.lists[seat, twin] == game.lists[seat, slot] and game.zone[seat, twin] <= HAND:
            earlier = min(game.since[seat, slot], game.since[seat, twin])
            game.since[seat, twin] = max(game.since[seat, slot], game.since[seat, twin])
            game.since[seat, slot] = earlier


# --- 13.7 Cards that come back --------------------------------------------------------------------------------


@rule
def take_back(game, seat, zone):
    """All cards of `zone` go back to the seat's deck, which is shuffled if there are any; returns how many."""
    count = 0
    for slot in range(DECK_SIZE):
        if game.zone[seat, slot] == zone:
            game.zone[seat, slot] = DECK
            game.deck[seat, game.deck_size[seat]] = slot
            game.deck_size[seat] += 1
            game.since[seat, slot] = game.shuffles[seat] + 1
            count += 1
    if count > 0:
        game.shuffles[seat] += 1
        shuffle(game, game.deck[seat], game.deck_size[seat])
    return count


# --- 13.9 Drawing what is unknown -----------------------------------------------------------------------------


@rule
def rewind(table, game):
    """No choices are made at the same time: lots that lie face down are known by their number, and drawn anew."""


@rule
def determinize(table, game, observer, seed):
    """Redraw all that `observer` cannot know; keep all he can.

    The unknown slots are taken in their order and laid out at random, so nothing of the true lay remains.
    """
    other = 1 - observer
    game.rng = seed
    forget_events(game)
    lay_deck(game, observer)
    lay_hand(game, other)
    lay_deck(game, other)
    if table.hidden_equipment and game.phase == EQUIPPING:
        draw_lot(table, game, other)


@rule
def lay_deck(game, seat):
    """All slots that are in the deck, in a random order."""
    size = 0
    for slot in range(DECK_SIZE):
        if game.zone[seat, slot] == DECK:
            game.deck[seat, size] = slot
            size += 1
    shuffle(game, game.deck[seat], size)


@rule
def lay_hand(game, seat):
    """The tokens draw from the unseen slots, the earliest first: it has the fewest to draw from."""
    for slot in range(DECK_SIZE):
        if game.zone[seat, slot] == HAND:
            game.zone[seat, slot] = DECK
    for token in range(game.hand_size[seat]):
        candidates = 0
        for slot in range(DECK_SIZE):
            candidates += may_be(game, seat, slot, token)
        skipped = below(game, candidates)
        for slot in range(DECK_SIZE):
            if may_be(game, seat, slot, token):
                if skipped == 0:
                    game.zone[seat, slot] = HAND
                    break
                skipped -= 1


@rule
def may_be(game, seat, slot, token):
    """Whether the token may stand for the slot, which lies in the deck."""
    return (
        game.zone[seat, slot] == DECK
        and game.since[seat, slot] <= game.drawn_at[seat, token]
        and (token >= game.kept[seat] or game.lists[seat, slot] >= NUM_ITEMS)
    )


# --- 13.10 A lot that lies face down --------------------------------------------------------------------------


@rule
def draw_lot(table, game, seat):
    """Of the lots of that size that the seat's fighter may have been given, each is as likely as the others."""
    count = game.lots[seat]
    if count == 0:
        return
    for slot in range(DECK_SIZE):
        if game.zone[seat, slot] == WORN:
            game.zone[seat, slot] = POOL
    while not try_lot(table, game, seat, count):
        for slot in range(DECK_SIZE):
            if game.zone[seat, slot] == WORN:
                game.zone[seat, slot] = POOL


@rule
def try_lot(table, game, seat, count):
    """Put `count` random items of the pool to the fighter; False if not all of them may be there together."""
    fighter = game.attacker if seat == game.active else game.blocker
    items = np.empty(DECK_SIZE, np.int8)
    size = 0
    for slot in range(DECK_SIZE):
        if may_equip(table, game, seat, fighter, slot):
            items[size] = slot
            size += 1
    shuffle(game, items, size)
    for i in range(count):
        if not may_equip(table, game, seat, fighter, items[i]):
            return False
        game.zone[seat, items[i]] = WORN
    return True
