"""Section 9 of RULES.md: what each seat knows of the other's cards, and drawing at random what it does not know.

Deck lists are open, so a seat knows which cards the other's hand and deck hold together; how they are spread is
hidden. What is known beyond that is public, and kept as *tokens*. A seat's tokens stand for the cards of its hand and
for the `returned` cards of its deck that came from the hand: one token each, with the card if it was seen to enter
(fetched from the discards, taken back from the table), else NO_CARD. Returned places are counted in the order in
which they were filled. A token lies in the hand, or in a returned place from `token_from` on, because a card that
came later cannot lie in a place that was filled earlier. Every way of laying the tokens is held equally likely.

Draws and the set card of a running draw phase enter the tokens when they come to light.
"""

import numpy as np

from duelbench.envs.events import forget_events
from duelbench.envs.jit import rule
from duelbench.envs.rng import below, shuffle
from duelbench.envs.tommy_walker.cards import NO_CARD, NUM_CARDS
from duelbench.envs.tommy_walker.state import (
    DECK_SIZE,
    DRAWING,
    FINISHED,
    PAYING,
)

# --- 9.1 Tokens -----------------------------------------------------------------------------------------------


@rule
def forget_everything(game):
    """9.1 Nothing has been seen of any hand."""
    game.returned[:] = 0
    game.tokens[:] = 0
    game.token_card[:] = NO_CARD
    game.token_from[:] = 0
    game.promised[:] = 0


@rule
def add_token(game, seat, card):
    """9.2 A card enters the seat's hand: `card`, or NO_CARD if the other seat does not see which."""
    insert_token(game, seat, card, game.returned[seat])


@rule
def insert_token(game, seat, card, place):
    """Tokens stand in the order of their cards and places, so that equal knowledge is equal bytes."""
    cards, places = game.token_card[seat], game.token_from[seat]
    at = game.tokens[seat]
    while at > 0 and (cards[at - 1] > card or (cards[at - 1] == card and places[at - 1] > place)):
        cards[at] = cards[at - 1]
        places[at] = places[at - 1]
        at -= 1
    cards[at] = card
    places[at] = place
    game.tokens[seat] += 1


@rule
def remove_token(game, seat, card, last_place):
    """9.3 `card` leaves the seat's hand or, from a returned place up to `last_place`, its deck, for all to see.

    Of several tokens that may have been it, the one that is most bound to the hand goes: what remains then admits
    everything that is possible.
    """
    at = latest_token(game, seat, card, last_place)
    if at < 0:
        delete_token(game, seat, latest_token(game, seat, NO_CARD, last_place))
        return
    place = game.token_from[seat, at]
    delete_token(game, seat, at)
    unseen = latest_token(game, seat, NO_CARD, last_place)
    if unseen >= 0 and game.token_from[seat, unseen] > place:
        # It may also be that the unseen card left and the one that was seen is still there: what is left of the two
        # may lie wherever either could. Happens only with cards put back under the deck.
        delete_token(game, seat, unseen)
        insert_token(game, seat, NO_CARD, place)


@rule
def latest_token(game, seat, card, last_place):
    """The last of the tokens of that card that begin at `last_place` or before; -1 if there is none."""
    found = -1
    for at in range(game.tokens[seat]):
        if game.token_card[seat, at] == card and game.token_from[seat, at] <= last_place:
            found = at
    return found


@rule
def delete_token(game, seat, at):
    cards, places = game.token_card[seat], game.token_from[seat]
    last = game.tokens[seat] - 1
    for i in range(at, last):
        cards[i] = cards[i + 1]
        places[i] = places[i + 1]
    cards[last] = NO_CARD
    places[last] = 0
    game.tokens[seat] = last


# --- 9.4 Returned places --------------------------------------------------------------------------------------


@rule
def next_place(table, game, seat, deck_size):
    """The returned place that the top card of a deck of that size lies in, or -1 if it was not returned."""
    if game.returned[seat] == 0:
        return -1
    if table.returns_to_bottom == 0:
        return game.returned[seat] - 1
    return 0 if deck_size <= game.returned[seat] else -1


@rule
def empty_place(table, game, seat):
    """The place of the top card is a place no more. From the top the last one filled goes first, else the first."""
    game.returned[seat] -= 1
    places = game.token_from[seat]
    if table.returns_to_bottom == 0:
        for at in range(game.tokens[seat]):
            places[at] = min(places[at], game.returned[seat])
    else:
        for at in range(game.tokens[seat]):
            places[at] = max(places[at] - 1, 0)


@rule
def show_draws(table, game, seat):
    """9.5 It comes to light how many cards the seat has drawn: returned ones, whose tokens it has, or unseen ones."""
    size = game.deck_size[seat] + game.drawn[seat]
    for i in range(game.drawn[seat]):
        if next_place(table, game, seat, size - i) >= 0:
            empty_place(table, game, seat)
        else:
            add_token(game, seat, NO_CARD)
    for i in range(game.deck_size[seat], size):
        game.deck[seat, i] = NO_CARD


@rule
def show_lost_card(table, game, seat, card):
    """9.6 The top card of the seat's deck, which still counts, is discarded for all to see."""
    place = next_place(table, game, seat, game.deck_size[seat])
    if place >= 0:
        remove_token(game, seat, card, place)
        empty_place(table, game, seat)


# --- 9.7 Taking back what is not told yet ---------------------------------------------------------------------


@rule
def undo_draws(game, seat):
    """The seat's draw phase begins anew: what it drew lies on its deck again, in the old order; nothing is set."""
    for _ in range(game.drawn[seat]):
        card = game.deck[seat, game.deck_size[seat]]
        game.deck_size[seat] += 1
        game.hand[seat, card] -= 1
        game.hand_size[seat] -= 1
    game.drawn[seat] = 0
    game.chosen[seat] = NO_CARD


@rule
def rewind(table, game):
    """While seat 1 draws, the draws and the choice of seat 0 are still to be made."""
    if game.phase == DRAWING and game.to_act == 1:
        undo_draws(game, 0)
        game.to_act = 0


# --- 9.8 Drawing what is unknown ------------------------------------------------------------------------------


@rule
def determinize(table, game, observer, seed):
    """9.8 Redraw all that `observer` cannot know; keep all he can.

    The unknown cards are taken in the order of their numbers and laid out at random, so nothing of the true lay
    remains. A running draw phase of the other seat is played anew: it draws one more card with probability one half,
    as far as the rules let it, and sets one of the cards that it may set, each card of its hand as likely.
    """
    other = 1 - observer
    game.rng = seed
    forget_events(game)
    if game.phase == DRAWING:
        undo_draws(game, other)
    shuffle_own_deck(table, game, observer)
    redraw_other(table, game, other)
    if game.phase == DRAWING:
        draw_anew(table, game, other)
    elif game.chosen[other] != NO_CARD:  # the game ended before it was turned up
        choose_anew(table, game, other)


@rule
def shuffle_own_deck(table, game, seat):
    """The owner knows the cards that he put back and their order, and of the others only which they are."""
    left = game.returned[seat] - (game.drawn[seat] if game.phase == DRAWING and not table.returns_to_bottom else 0)
    known = min(max(left, 0), game.deck_size[seat])
    first = known if table.returns_to_bottom else 0
    count = game.deck_size[seat] - known
    cards = game.deck[seat, first : first + count]
    sort_cards(cards, count)
    shuffle(game, cards, count)


@rule
def sort_cards(cards, count):
    for i in range(1, count):
        card = cards[i]
        at = i
        while at > 0 and cards[at - 1] > card:
            cards[at] = cards[at - 1]
            at -= 1
        cards[at] = card


@rule
def redraw_other(table, game, seat):
    """Lay the seat's unseen cards into its hand, its returned places and the rest of its deck.

    What the seat must hold (an announced payment, the promise of a misplay) is met by trying again: the true lay
    meets it, so some lay does, and each is as likely as before.
    """
    pool = np.empty(DECK_SIZE, np.int8)
    tokens = np.empty(DECK_SIZE, np.int8)
    count = unseen_cards(game, seat, pool)
    while True:
        shuffle(game, pool, count)
        lay_out(table, game, seat, pool, count, tokens)
        if holds_what_it_must(table, game, seat):
            break
        sort_cards(pool, count)


@rule
def unseen_cards(game, seat, pool):
    """Write the cards of the seat that nobody else has seen, in the order of their numbers; returns how many."""
    barrier = game.barrier if game.barrier_seat == seat else NO_CARD
    count = 0
    for card in range(NUM_CARDS):
        left = game.lists[seat, card]
        if left > 0:
            left -= game.discard[seat, card]
            left -= barrier == card
            for i in range(game.stack_size[seat]):
                left -= game.stack[seat, i] == card
            for at in range(game.tokens[seat]):
                left -= game.token_card[seat, at] == card
            for _ in range(left):
                pool[count] = card
                count += 1
    return count


@rule
def lay_out(table, game, seat, pool, count, tokens):
    """The unseen tokens take the first cards of `pool`; then places draw tokens, the hand has the others."""
    held = game.tokens[seat]
    used = 0
    for at in range(held):
        tokens[at] = game.token_card[seat, at]
        if tokens[at] == NO_CARD:
            tokens[at] = pool[used]
            used += 1
    places = game.returned[seat]
    size = game.deck_size[seat]
    fill_places(table, game, seat, tokens, held)
    game.hand[seat, :] = 0
    for at in range(held):
        if tokens[at] != NO_CARD:
            game.hand[seat, tokens[at]] += 1
    first = places if table.returns_to_bottom else 0
    for i in range(size - places):
        game.deck[seat, first + i] = pool[used + i]


@rule
def fill_places(table, game, seat, tokens, held):
    """Every place draws one of the tokens that may lie in it; the place filled first has the fewest to draw from."""
    places = game.returned[seat]
    for place in range(places):
        candidates = 0
        for at in range(held):
            candidates += tokens[at] != NO_CARD and game.token_from[seat, at] <= place
        skipped = below(game, candidates)
        for at in range(held):
            if tokens[at] != NO_CARD and game.token_from[seat, at] <= place:
                if skipped == 0:
                    at_top = game.deck_size[seat] - places + place
                    game.deck[seat, places - 1 - place if table.returns_to_bottom else at_top] = tokens[at]
                    tokens[at] = NO_CARD
                    break
                skipped -= 1


@rule
def holds_what_it_must(table, game, seat):
    """9.10 What an announced payment, the misplay of this round, and a card that was set at last say about the hand."""
    last_set = game.phase == FINISHED and game.chosen[seat] != NO_CARD
    if (game.promised[seat] or last_set) and not holds_settable(table, game, seat):
        return False
    if game.phase == PAYING and game.to_act == seat:
        wanted = table.cards[game.stack[seat, game.stack_size[seat] - 1]].at_discard
        return held_with(table, game, seat, wanted) >= game.owed
    return True


@rule
def holds_settable(table, game, seat):
    """3.3 Whether the seat holds a card that it may set without a misplay."""
    held = 0
    for card in range(NUM_CARDS):
        held += game.hand[seat, card] * (table.cards[card].ride_only == 0)
    return held > 0


@rule
def held_with(table, game, seat, attributes):
    """How many cards with one of the attributes the seat holds."""
    count = 0
    for card in range(NUM_CARDS):
        if table.cards[card].attributes & attributes:
            count += game.hand[seat, card]
    return count


# --- 9.9 A draw phase played anew -----------------------------------------------------------------------------


@rule
def take_top(game, seat):
    """A card from deck to hand; it stays in the deck's array until the draw phase is over (see `undo_draws`)."""
    game.deck_size[seat] -= 1
    card = game.deck[seat, game.deck_size[seat]]
    game.hand[seat, card] += 1
    game.hand_size[seat] += 1
    game.drawn[seat] += 1
    return card


@rule
def draw_anew(table, game, seat):
    """The seat draws; if it is not the one to act it has also finished, by setting a card or by being stuck."""
    finished = game.to_act != seat and seat == 0
    begun = finished or game.to_act == seat
    while begun and game.deck_size[seat] > 0:
        may_stop = not finished or holds_settable(table, game, seat)
        if may_stop and below(game, 2) == 0:
            break
        if not finished and game.deck_size[seat] == 1 and not can_set_after_draw(table, game, seat):
            break
        take_top(game, seat)
    if finished:
        choose_anew(table, game, seat)


@rule
def can_set_after_draw(table, game, seat):
    """Whether the last card of the deck leaves the seat with a card to set; else it would be stuck, not deciding."""
    return holds_settable(table, game, seat) or table.cards[game.deck[seat, 0]].ride_only == 0


@rule
def choose_anew(table, game, seat):
    if not holds_settable(table, game, seat):
        return
    count = 0
    for card in range(NUM_CARDS):
        if table.permit_misplay or table.cards[card].ride_only == 0:
            count += game.hand[seat, card]
    skipped = below(game, count)
    for card in range(NUM_CARDS):
        if table.permit_misplay or table.cards[card].ride_only == 0:
            if skipped < game.hand[seat, card]:
                game.chosen[seat] = card
                return
            skipped -= game.hand[seat, card]
