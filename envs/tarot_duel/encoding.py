"""What a seat sees, as named pieces over one float32 buffer. Index 0 of every pair is the observer, 1 the other seat.

Cards are planes of 22 entries, one a card by its number in `cards.csv`. "Part" is the rank, from 1, of a group of
mixed cards in the order of its lowest card (see knowledge.py): two cards of one part are indistinguishable to the
observer, and the places of that part hold its cards in some order.
"""

import numpy as np

from duelbench.envs.jit import rule
from duelbench.envs.tarot_duel.cards import NO_CARD, NUM_CARDS
from duelbench.envs.tarot_duel.knowledge import PEEK_SIZE_SHIFT, priestess_sees
from duelbench.envs.tarot_duel.state import (
    DECISIONS,
    DECK,
    DISCARD,
    FIELD,
    HAND,
    KNOWN,
    MAX_PEEKS,
    NO_HIGH,
    SPARE,
    WAITING,
)

CELLS = 17
"""Unseen places of the other hand that are described one by one: all but the five spare cards can be in it."""

_PIECES = (
    ("decision", (len(DECISIONS),), "one-hot: the kind of decision that is pending"),
    ("my_decision", (), "1 when the observer has to decide"),
    ("other_has_set", (), "1 when the other seat has set its card and the observer has not"),
    ("turn", (), "the turn being played, divided by 10"),
    ("turns_left", (), "turns left, divided by 5"),
    ("draws_first", (), "1 when the observer draws first"),
    ("wins", (2,), "wins, divided by 5"),
    ("lead", (), "the observer's wins minus the other's, divided by 5"),
    ("hand_size", (2,), "cards in hand, divided by 10"),
    ("deck_size", (), "cards in the deck, divided by 11"),
    ("takes_left", (), "cards the Hierophant may still take, divided by 2"),
    ("tower_open", (), "1 while the deck lies open"),
    ("must_win", (2,), "an Empress has acted for this seat this turn"),
    ("must_lose", (2,), "a Death of this seat has acted this turn"),
    ("blocked", (2,), "the other side's Emperor keeps this seat from gaining wins this turn"),
    ("doubled", (2,), "this seat's number is doubled this turn"),
    ("claim", (2,), "this seat's Fool or World beats the card it met"),
    ("bonus", (2,), "wins to be added to this seat when the turn is counted"),
    ("spent", (2,), "this seat's card on the field has had its effect and will not wait"),
    ("number", (2,), "this seat's card on the field: number of the table divided by 21; 0 without a card"),
    ("hand", (2, NUM_CARDS), "cards in hand; of the other hand those the observer knows to be there"),
    ("chosen", (NUM_CARDS,), "the card the observer has set face down"),
    ("field", (2, NUM_CARDS), "the cards played this turn, while they lie on the field"),
    ("waiting", (2, NUM_CARDS), "waiting cards"),
    ("discard", (NUM_CARDS,), "discards"),
    ("spare", (NUM_CARDS,), "the five spare cards"),
    ("negated", (NUM_CARDS,), "the card whose effect was cancelled this turn"),
    ("to_come", (NUM_CARDS,), "cards that still act in this reveal sequence"),
    ("top", (2, NUM_CARDS), "the top card of the deck and the one below it, where known"),
    ("depth", (NUM_CARDS,), "cards at a known place of the deck: 1 for the top, falling by 1/22 with each place"),
    ("unseen", (NUM_CARDS,), "cards whose place the observer does not know"),
    ("odds_in_hand", (NUM_CARDS,), "unseen cards: share of the card's part that lies in the other hand"),
    (
        "card_part",
        (NUM_CARDS,),
        "unseen cards: number of their part (cards mixed with one another, rule 6.7) / 10",
    ),
    ("place_part", (NUM_CARDS,), "places of the deck from the top: the part of the card there, divided by 10"),
    ("cell_part", (CELLS,), "unseen places of the other hand, tightest bounds first in each part: part / 10"),
    ("cell_low", (CELLS,), "... the card there stands above this place in the order of numbers, / 22"),
    ("cell_high", (CELLS,), "... and below this one, counted downwards from the highest, / 22"),
    ("top_mixed", (), "1 when the top two places may have been exchanged unseen"),
    ("shown", (NUM_CARDS,), "cards of the observer's hand: how likely the other seat has seen them there"),
    ("seen_by_other", (2,), "the other seat knows the top card of the deck, the one below it"),
)

VIEW = np.dtype([(name, np.float32, shape) if shape else (name, np.float32) for name, shape, _ in _PIECES])
MEANINGS = {name: meaning for name, _, meaning in _PIECES}


@rule
def observe(table, game, seat, view):
    """Write all that `seat` knows; see MEANINGS for each piece."""
    clear_view(view)
    see_numbers(table, game, seat, view)
    see_turn(table, game, seat, view)
    see_cards(game, seat, view)
    see_deck(game, seat, view)
    see_parts(game, seat, view)
    see_what_is_shown(table, game, seat, view)


@rule
def clear_view(view):
    view.decision[:] = 0
    view.chosen[:] = 0
    view.negated[:] = 0
    view.to_come[:] = 0
    view.top[:] = 0
    view.depth[:] = 0
    view.unseen[:] = 0
    view.odds_in_hand[:] = 0
    view.card_part[:] = 0
    view.place_part[:] = 0
    view.cell_part[:] = 0
    view.cell_low[:] = 0
    view.cell_high[:] = 0
    view.shown[:] = 0
    view.seen_by_other[:] = 0


@rule
def see_numbers(table, game, seat, view):
    view.decision[game.phase] = 1
    view.my_decision = game.over == 0 and game.to_act == seat
    view.other_has_set = game.chosen[0] != NO_CARD and seat == 1
    view.turn = game.turn / 10
    view.turns_left = game.turns_left / 5
    view.draws_first = game.first == seat
    view.lead = (game.wins[seat] - game.wins[1 - seat]) / 5
    view.deck_size = game.deck_size / 11
    view.takes_left = game.takes_left / 2
    view.tower_open = game.tower_open


@rule
def see_turn(table, game, seat, view):
    for side in range(2):
        of = seat ^ side
        view.wins[side] = game.wins[of] / 5
        view.must_win[side] = game.must_win[of]
        view.must_lose[side] = game.must_lose[of]
        view.blocked[side] = game.blocked[of]
        view.doubled[side] = game.doubled[of]
        view.claim[side] = game.fool_claim[of] | game.world_claim[of]
        view.bonus[side] = game.bonus[of]
        view.spent[side] = game.spent[of]
        view.number[side] = 0
        card = game.played[of]
        if card != NO_CARD:
            view.number[side] = table.cards[card].number / 21
    if game.negated != NO_CARD:
        view.negated[game.negated] = 1
    for i in range(game.queue_at, game.n_queue):
        if game.queue[i] != NO_CARD:
            view.to_come[game.queue[i]] = 1
    if game.chosen[seat] != NO_CARD:
        view.chosen[game.chosen[seat]] = 1


@rule
def see_cards(game, seat, view):
    """One pass without branches over all planes at once: the compiler turns it into vector instructions."""
    other = 1 - seat
    held, held_by_other = 0, 0
    for card in range(NUM_CARDS):
        zone = game.zone[card]
        view.hand[0, card] = zone == HAND + seat
        view.hand[1, card] = (zone == HAND + other) & (game.label[seat, card] == KNOWN)
        view.field[0, card] = zone == FIELD + seat
        view.field[1, card] = zone == FIELD + other
        view.waiting[0, card] = zone == WAITING + seat
        view.waiting[1, card] = zone == WAITING + other
        view.discard[card] = zone == DISCARD
        view.spare[card] = zone == SPARE
        held += zone == HAND + seat
        held_by_other += zone == HAND + other
    view.hand_size[0] = held / 10
    view.hand_size[1] = held_by_other / 10


@rule
def see_deck(game, seat, view):
    for i in range(game.deck_size):
        card = game.deck[game.deck_size - 1 - i]
        if game.label[seat, card] == KNOWN:
            view.depth[card] = 1 - i / NUM_CARDS
            if i < 2:
                view.top[i, card] = 1
        if i < 2:
            view.seen_by_other[i] = game.label[1 - seat, card] == KNOWN
    view.top_mixed = game.top_mixed[seat]


@rule
def see_parts(game, seat, view):
    """Groups of mixed cards. One whose cards all lie in the other hand is known card by card."""
    done = np.uint32(0)
    part, cells = 0, 0
    for first in range(NUM_CARDS):
        group = game.label[seat, first]
        if group == KNOWN or done & (np.uint32(1) << np.uint32(first)):
            continue
        count, held = 0, 0
        for card in range(first, NUM_CARDS):
            if game.label[seat, card] == group:
                count += 1
                held += game.zone[card] != DECK
                done |= np.uint32(1) << np.uint32(card)
        if count == 1 and held == 0 and see_last_of_group(game, seat, view, first):
            continue
        part += 1
        see_members(game, seat, view, first, group, part, held / count)
        see_places(game, seat, view, group, part)
        if held > 0:
            cells = see_cells(game, seat, view, group, part, cells)


@rule
def see_last_of_group(game, seat, view, card):
    """The last card of a group has a known place, unless it may have been exchanged with another."""
    for i in range(game.deck_size):
        if game.deck[game.deck_size - 1 - i] == card and not (game.top_mixed[seat] and i < 2):
            view.depth[card] = 1 - i / NUM_CARDS
            if i < 2:
                view.top[i, card] = 1
            return True
    return False


@rule
def see_members(game, seat, view, first, group, part, odds):
    for card in range(first, NUM_CARDS):
        if game.label[seat, card] == group:
            view.unseen[card] = 1
            view.odds_in_hand[card] = odds
            view.card_part[card] = part / 10
            if odds == 1:
                view.hand[1, card] = 1


@rule
def see_places(game, seat, view, group, part):
    """Of two top places that may have been exchanged, the first is given the part that comes first."""
    for i in range(game.deck_size):
        if game.label[seat, game.deck[game.deck_size - 1 - i]] == group:
            view.place_part[i] = part / 10
    if game.top_mixed[seat] and view.place_part[1] != 0 and view.place_part[0] > view.place_part[1]:
        view.place_part[0], view.place_part[1] = view.place_part[1], view.place_part[0]


@rule
def see_cells(game, seat, view, group, part, cells):
    """The unseen places of the other hand in an order that does not depend on the cards in them."""
    start = cells
    for card in range(NUM_CARDS):
        if game.zone[card] == HAND + 1 - seat and game.label[seat, card] == group and cells < CELLS:
            low = (game.low[seat, card] + 1) / NUM_CARDS
            high = (NO_HIGH - game.high[seat, card]) / NUM_CARDS
            at = cells
            while at > start and (view.cell_low[at - 1] + view.cell_high[at - 1] < np.float32(low + high)):
                view.cell_low[at], view.cell_high[at] = view.cell_low[at - 1], view.cell_high[at - 1]
                at -= 1
            view.cell_low[at], view.cell_high[at] = low, high
            view.cell_part[cells] = part / 10
            cells += 1
    return cells


@rule
def reaches_deck(game, seat, group):
    """Whether a group of cards that the seat cannot tell apart has a place in the deck; KNOWN is no group."""
    if group != KNOWN:
        for i in range(game.deck_size):
            if game.label[seat, game.deck[i]] == group:
                return True
    return False


@rule
def see_what_is_shown(table, game, seat, view):
    """What the observer can tell of the other seat's knowledge of his hand.

    Cards that the other seat can mix with none of the deck are as good as seen.
    """
    for card in range(NUM_CARDS):
        if game.zone[card] == HAND + seat:
            hidden = np.float32(reaches_deck(game, 1 - seat, game.shown[1 - seat, card]))
            for i in range(MAX_PEEKS):
                peek = game.peeks[seat, i]
                if peek & (np.uint32(1) << np.uint32(card)):
                    hidden *= 1 - priestess_sees(table) / np.float32(peek >> np.uint32(PEEK_SIZE_SHIFT))
            view.shown[card] = 1 - hidden
