"""Section 6 of RULES.md: what each seat knows, and drawing at random what it does not know.

`label[seat, card]` says what `seat` knows about the place of `card`. KNOWN: he knows where it is. Any other
number names a group: the seat knows the set of cards of the group and the set of places they lie in (places of
the deck, and a number of places in the other hand), and every way of laying these cards into these places is
equally likely. A card keeps its label when it is drawn face down, so the labels need no bookkeeping of their own.

Only three things do not fit into groups, and each has its field: an unseen exchange of the top two cards
(`top_mixed`), a hand from which the highest or lowest card was given away (`low`, `high`), and cards of a hand
of which the other seat has seen some without its holder knowing which (`peeks`, `shown`).
"""

import numpy as np

from duelbench.envs.events import BOTH, forget_events, note
from duelbench.envs.jit import rule
from duelbench.envs.rng import below, shuffle
from duelbench.envs.tarot_duel.cards import NO_CARD, NUM_CARDS, PRIESTESS
from duelbench.envs.tarot_duel.state import (
    BURIES,
    DECK,
    DRAWS,
    FROM_THE_START,
    HAND,
    KNOWN,
    MAX_PEEKS,
    NO_HIGH,
    NO_LOW,
)

PEEK_SIZE_SHIFT = 24  # a peek holds the pool's cards in its low bits and the pool's size when seen above them

# --- 6.1 What is known when the game begins -------------------------------------------------------------------


@rule
def forget_everything(game):
    """6.1 After the opening shuffle no card's place is known to anybody."""
    game.label[:] = FROM_THE_START
    game.shown[:] = KNOWN
    game.low[:] = NO_LOW
    game.high[:] = NO_HIGH
    game.bounded[:] = 0
    game.top_mixed[:] = 0
    game.peeks[:] = 0
    game.labels_used = FROM_THE_START


# --- 6.2 Cards that change their place ------------------------------------------------------------------------


@rule
def draw(game, seat):
    """6.2 The top card goes to the seat's hand: he sees it, the other seat only if he knew it. NO_CARD: empty deck."""
    if game.deck_size == 0:
        return NO_CARD
    card = take_from_top(game)
    other = 1 - seat
    game.zone[card] = HAND + seat
    game.label[seat, card] = KNOWN
    game.shown[other, card] = game.label[other, card]
    note(game, DRAWS, seat, card, 0, BOTH if game.label[other, card] == KNOWN else 1 << seat)
    return card


@rule
def take_from_top(game):
    """Whether the two top cards were exchanged no longer matters: a turn's draws take both before anybody decides."""
    game.deck_size -= 1
    card = game.deck[game.deck_size]
    game.deck[game.deck_size] = NO_CARD
    game.top_mixed[:] = 0
    return card


@rule
def show_from_hand(table, game, seat, card):
    """6.2 A card leaves the seat's hand for all to see."""
    learn(table, game, 1 - seat, card)
    game.shown[1 - seat, card] = KNOWN
    for i in range(MAX_PEEKS):
        pool = game.peeks[seat, i] & ~(np.uint32(1) << np.uint32(card))
        game.peeks[seat, i] = pool if pool & np.uint32((1 << NUM_CARDS) - 1) else np.uint32(0)


@rule
def learn(table, game, seat, card):
    """The seat now knows where the card is."""
    if game.label[seat, card] == KNOWN:
        return
    if game.bounded[seat]:
        leave_tightest_place(table, game, seat, card)
    game.label[seat, card] = KNOWN
    game.low[seat, card] = NO_LOW
    game.high[seat, card] = NO_HIGH


# --- 6.3 Cards put under the deck -----------------------------------------------------------------------------


@rule
def bury(game, count):
    """6.3 The first `count` entries of `deck` are new there and are shuffled: known as a set, not in their order.

    A single card, or any card under an open Tower, has a place known to both.
    """
    shuffle(game, game.deck, count)
    known = count == 1 or game.tower_open == 1
    if not known:
        game.labels_used += 1
    for i in range(count):
        card = game.deck[i]
        game.zone[card] = DECK
        game.label[0, card] = game.label[1, card] = KNOWN if known else game.labels_used
        note(game, BURIES, 0, card, i, BOTH if known else 0)


@rule
def make_room_below(game, count):
    """Shift the deck up by `count` places."""
    for i in range(game.deck_size - 1, -1, -1):
        game.deck[i + count] = game.deck[i]
    game.deck_size += count


# --- 6.4 Cards seen in a hand ---------------------------------------------------------------------------------


@rule
def remember_peek(game, seat, pool, size):
    """6.4 Of the `size` cards in `pool` (a bit set), the seat's hand, the other saw as many as the Priestess shows.

    The seat does not know which. The oldest of more than MAX_PEEKS such looks is forgotten.
    """
    for i in range(MAX_PEEKS - 1, 0, -1):
        game.peeks[seat, i] = game.peeks[seat, i - 1]
    game.peeks[seat, 0] = pool | (np.uint32(size) << np.uint32(PEEK_SIZE_SHIFT))


@rule
def priestess_sees(table):
    """5.2 How many cards she looks at. Somebody must carry her effect."""
    return np.int64(table.cards[table.holder[PRIESTESS]].amount)


# --- 6.5 The deck seen by one seat or by both -----------------------------------------------------------------


@rule
def open_deck(game):
    """6.5 Both see the whole deck in its order."""
    for i in range(game.deck_size):
        game.label[0, game.deck[i]] = KNOWN
        game.label[1, game.deck[i]] = KNOWN
    game.top_mixed[:] = 0


@rule
def see_top(game, seat, count):
    """6.5 `seat` alone has seen the top `count` cards."""
    for i in range(game.deck_size - count, game.deck_size):
        game.label[seat, game.deck[i]] = KNOWN
    game.top_mixed[seat] = 0


@rule
def mix_top_for(game, seat):
    """6.5 `seat` cannot tell whether the top two cards were exchanged.

    If their places belong to one group he has lost nothing. If he knew both, the two are now a group. Else a card
    he knew becomes a group of one, and the two places are marked: each may hold a card of either group.
    """
    top, second = game.deck[game.deck_size - 1], game.deck[game.deck_size - 2]
    if game.label[seat, top] == game.label[seat, second] != KNOWN:
        return
    game.labels_used += 1
    game.top_mixed[seat] = game.label[seat, top] != game.label[seat, second]
    for card in (top, second):
        if game.label[seat, card] == KNOWN:
            game.label[seat, card] = game.labels_used


# --- 6.6 The highest or the lowest card given away ------------------------------------------------------------


@rule
def bound_hand(table, game, seat, card, highest):
    """6.6 The seat gave away `card` as the highest (or lowest) of its hand: the other seat knows the rest is below it
    (or above)."""
    other = 1 - seat
    place = table.cards[card].place_in_order
    for held in range(NUM_CARDS):
        if game.zone[held] == HAND + seat and game.label[other, held] != KNOWN:
            game.bounded[other] = 1
            if highest:
                game.high[other, held] = min(game.high[other, held], place)
            else:
                game.low[other, held] = max(game.low[other, held], place)


@rule
def leave_tightest_place(table, game, seat, card):
    """6.6 `seat` sees `card` leave or lie in the other hand, but not which of its unseen places it had.

    Every unseen place of its group may have been it. Places filled earlier carry all the bounds of later ones, so
    taking away the place with the tightest bounds that admit the card leaves exactly what remains possible.
    """
    place = table.cards[card].place_in_order
    tightest = card
    for held in range(NUM_CARDS):
        same_group = game.zone[held] == game.zone[card] and game.label[seat, held] == game.label[seat, card]
        if same_group and game.low[seat, held] < place < game.high[seat, held]:
            width = game.high[seat, held] - game.low[seat, held]
            if width < game.high[seat, tightest] - game.low[seat, tightest]:
                tightest = held
    game.low[seat, tightest] = game.low[seat, card]
    game.high[seat, tightest] = game.high[seat, card]


# --- 6.7 Drawing what is unknown ------------------------------------------------------------------------------


@rule
def determinize(table, game, observer, seed):
    """6.7 Redraw all that `observer` cannot know; keep all he can.

    Hidden cards are taken in the order of their numbers and laid into the places of their group at random, so
    nothing of the true lay remains. What the other seat knows is rebuilt for the drawn world: he knows his own hand
    and the places he has looked at. Of his knowledge of the observer's hand only two fine points are simplified:
    bounds from rule 6.6 are dropped, and he is taken to know which of his cards the observer has seen.
    """
    other = 1 - observer
    game.rng = seed
    forget_events(game)
    others_labels = np.empty(NUM_CARDS, np.uint8)  # by place in the deck
    for i in range(game.deck_size):
        others_labels[i] = game.label[other, game.deck[i]]
    if game.top_mixed[observer]:
        redraw_top(game, observer)
    redraw_groups(table, game, observer)
    for i in range(game.deck_size):
        game.label[other, game.deck[i]] = others_labels[i]
    redraw_knowledge_of(table, game, other)
    if game.chosen[0] != NO_CARD and observer == 1:
        redraw_chosen(game)


@rule
def redraw_top(game, observer):
    """A coin decides whether the top two were exchanged, starting from a fixed order of their groups."""
    top, second = game.deck_size - 1, game.deck_size - 2
    lower_on_top = game.label[observer, game.deck[top]] < game.label[observer, game.deck[second]]
    if lower_on_top != (below(game, 2) == 0):
        game.deck[top], game.deck[second] = game.deck[second], game.deck[top]


@rule
def redraw_groups(table, game, observer):
    members = np.empty(NUM_CARDS, np.int64)
    drawn = np.uint32(0)
    for first in range(NUM_CARDS):
        group = game.label[observer, first]
        if group == KNOWN or drawn & (np.uint32(1) << np.uint32(first)):
            continue
        count, held = 0, 0
        for card in range(first, NUM_CARDS):
            if game.label[observer, card] == group:
                members[count] = card
                count += 1
                held += game.zone[card] != DECK
                drawn |= np.uint32(1) << np.uint32(card)
        if game.bounded[observer] and held > 0:
            draw_bounded_hand(table, game, observer, members, count, held)
        else:
            shuffle(game, members, count)
        lay_out(game, observer, group, members, count, held)


@rule
def lay_out(game, observer, group, members, count, held):
    """The first `held` members go to the other hand, the others to the group's places in the deck, bottom first."""
    for i in range(held):
        game.zone[members[i]] = HAND + 1 - observer
    next_member = held
    for i in range(game.deck_size):
        if next_member < count and game.label[observer, game.deck[i]] == group:
            game.deck[i] = members[next_member]
            game.zone[members[next_member]] = DECK
            next_member += 1


@rule
def draw_bounded_hand(table, game, observer, members, count, held):
    """Order `members` at random so that the first `held` fit the bounds of the group's places in the other hand.

    Every place draws any card that it admits; if two places drew the same card, all draw again. What comes out is
    uniform over the ways to fill the places. The places are taken tightest first, whatever cards lie in them.
    """
    low, high = np.empty(held, np.int64), np.empty(held, np.int64)
    read_bounds(game, observer, members, count, low, high)
    while True:
        fits = True
        for i in range(held):
            candidates = 0
            for j in range(count):  # the candidates of a place are the members it admits, whether taken or not
                candidates += low[i] < table.cards[members[j]].place_in_order < high[i]
            skipped = below(game, candidates)
            chosen = 0
            for j in range(count):
                if low[i] < table.cards[members[j]].place_in_order < high[i]:
                    if skipped == 0:
                        chosen = j
                    skipped -= 1
            if chosen < i:
                fits = False
                break
            members[i], members[chosen] = members[chosen], members[i]
        if fits:
            break
    for i in range(count - 1, held, -1):
        j = held + below(game, i - held + 1)
        members[i], members[j] = members[j], members[i]
    for i in range(count):
        game.low[observer, members[i]] = low[i] if i < held else NO_LOW
        game.high[observer, members[i]] = high[i] if i < held else NO_HIGH


@rule
def read_bounds(game, observer, members, count, low, high):
    """The bounds of the group's places in the other hand, tightest first."""
    n = 0
    for i in range(count):
        card = members[i]
        if game.zone[card] != DECK:
            at = n
            bottom, top = np.int64(game.low[observer, card]), np.int64(game.high[observer, card])
            while at > 0 and (high[at - 1] - low[at - 1], low[at - 1]) > (top - bottom, bottom):
                low[at], high[at] = low[at - 1], high[at - 1]
                at -= 1
            low[at], high[at] = bottom, top
            n += 1


@rule
def redraw_knowledge_of(table, game, other):
    """The other seat knows his new hand; of the observer's he knows what he was shown and what he may have seen."""
    observer = 1 - other
    for card in range(NUM_CARDS):
        game.low[other, card] = NO_LOW
        game.high[other, card] = NO_HIGH
        if game.zone[card] == HAND + other:
            game.label[other, card] = KNOWN
            game.shown[observer, card] = game.label[observer, card]
        else:
            game.shown[observer, card] = KNOWN
            if game.zone[card] == HAND + observer:
                game.label[other, card] = game.shown[other, card]
    game.bounded[other] = 0
    for i in range(MAX_PEEKS):
        game.peeks[other, i] = 0
        if game.peeks[observer, i]:
            redraw_peek(table, game, observer, game.peeks[observer, i])


@rule
def redraw_peek(table, game, seat, peek):
    """Of the cards that were in the hand any may be those that the other seat saw; some may have left since."""
    size = np.int64(peek >> np.uint32(PEEK_SIZE_SHIFT))
    wanted = priestess_sees(table)
    for card in range(NUM_CARDS):
        if peek & (np.uint32(1) << np.uint32(card)):
            if below(game, size) < wanted:
                game.label[1 - seat, card] = KNOWN
                wanted -= 1
            size -= 1


@rule
def redraw_chosen(game):
    """Seat 0 has set a card unseen: any card of its hand."""
    held = 0
    for card in range(NUM_CARDS):
        held += game.zone[card] == HAND
    skipped = below(game, held)
    for card in range(NUM_CARDS):
        if game.zone[card] == HAND:
            if skipped == 0:
                game.chosen[0] = card
            skipped -= 1
