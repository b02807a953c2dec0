"""What a seat sees, as named pieces over one float32 buffer. Index 0 of every pair is the observer, 1 the other seat.

Cards are planes of 36 entries, one a card by its number in `cards.csv`. Both deck lists are open, so what lies in no
open place and not in the own hand is known as a collection. While the draw phase lasts, nothing here tells what the
other seat has drawn or set in it (RULES.md, section 9).
"""

import numpy as np

from duelbench.envs.jit import rule
from duelbench.envs.tommy_walker.cards import NO_CARD, NUM_CARDS
from duelbench.envs.tommy_walker.power import power
from duelbench.envs.tommy_walker.state import (
    DECISIONS,
    DRAWING,
    TAKING_BACK,
    attack_card,
    shown_deck_size,
    shown_hand_size,
)

AHEAD = 3
"""Cards on top of the own deck that are described one by one where known: as many as one entry puts back."""
ATTRIBUTES = 5
PER_COPY = 0.25
"""What one copy of a card adds to its entry of a plane."""

MANY_ROUNDS = 50
MOST_ROUNDS = 200

_PIECES = (
    ("decision", (len(DECISIONS),), "one-hot: the kind of decision that is pending"),
    ("my_decision", (), "1 when the observer has to decide"),
    ("round_number", (), f"the round being played, divided by {MANY_ROUNDS}; at most 1"),
    ("rounds_left", (), f"rounds that may follow it, divided by {MOST_ROUNDS}; at most 1"),
    ("deck_size", (2,), "cards in the deck as far as the observer knows, divided by 16"),
    ("hand_size", (2,), "cards in hand, a set card included, as far as the observer knows, divided by 16"),
    ("returned", (2,), "cards of the deck that were put back from the hand, divided by 16"),
    ("drawn", (2,), "cards drawn in this round's draw phase, divided by 16; the other's once both have set"),
    ("power", (2,), "current power of the attack card, divided by 10000; 0 without one and after the damage"),
    ("stars", (2,), "printed stars of the attack card, divided by 4"),
    ("attributes", (2, ATTRIBUTES), "the attack card is male, female, P, T, S"),
    ("own_power", (2,), "power that the attack card's own entry or AT sets, divided by 10000; 0 when not used"),
    ("copied_power", (2,), "power that a copied entry sets, divided by 10000; 0 without one"),
    ("copy_last", (2,), "1 when the copied power is the more recent of the two"),
    ("paid", (2,), "cards discarded for the AT of the attack card, divided by 3"),
    ("rode", (2,), "1 when this seat has ridden this round"),
    ("promised", (2,), "1 when this seat misplayed at the last reveal, so that it holds a card that it could have set"),
    ("barrier_by", (2,), "1 for the seat that put the barrier down"),
    ("copying", (), "1 while the copier of an entry is asked"),
    ("returns_left", (), "cards that may still be put back, divided by 3"),
    ("announced", (), "cards for which an AT has been announced, divided by 3"),
    ("owed", (), "cards still to be discarded for it, divided by 3"),
    ("hand", (NUM_CARDS,), "copies in the observer's hand, divided by 4"),
    ("shown", (NUM_CARDS,), "copies there that the other seat knows of, divided by 4"),
    ("chosen", (NUM_CARDS,), "the card the observer has set face down"),
    ("deck_cards", (NUM_CARDS,), "copies in the observer's deck, divided by 4"),
    ("next_cards", (AHEAD, NUM_CARDS), "the top card of the observer's deck and the two below it, where known"),
    ("unseen", (NUM_CARDS,), "copies in the other's hand and deck together, divided by 4"),
    ("known", (NUM_CARDS,), "copies known to be in the other's hand, divided by 4"),
    ("loose", (NUM_CARDS,), "copies known to be in the other's hand or among the cards it put back, divided by 4"),
    ("attack", (2, NUM_CARDS), "the attack card"),
    ("covered", (2, NUM_CARDS), "copies under the attack card, divided by 4"),
    ("discard", (2, NUM_CARDS), "copies among the discards, divided by 4"),
    ("barrier", (NUM_CARDS,), "the barrier on the table"),
    ("source", (NUM_CARDS,), "the card whose entry is being used or copied"),
)

VIEW = np.dtype([(name, np.float32, shape) if shape else (name, np.float32) for name, shape, _ in _PIECES])
MEANINGS = {name: meaning for name, _, meaning in _PIECES}


@rule
def observe(table, game, seat, view):
    """Write all that `seat` knows; see MEANINGS for each piece."""
    clear_view(view)
    see_numbers(table, game, seat, view)
    see_collections(game, seat, view)
    for side in range(2):
        see_side(table, game, seat ^ side, side, view)
        see_stack(game, seat ^ side, side, view)
    see_single_cards(game, seat, view)
    see_deck_top(table, game, seat, view)
    see_tokens(game, seat, view)


@rule
def clear_view(view):
    """Only what the other functions do not write in any case."""
    view.decision[:] = 0
    view.chosen[:] = 0
    view.shown[:] = 0
    view.next_cards[:] = 0
    view.known[:] = 0
    view.loose[:] = 0
    view.attack[:] = 0
    view.covered[:] = 0
    view.barrier[:] = 0
    view.source[:] = 0


@rule
def see_numbers(table, game, seat, view):
    other = 1 - seat
    view.decision[game.phase] = 1
    view.my_decision = game.over == 0 and game.to_act == seat
    view.round_number = min(game.round_number / MANY_ROUNDS, 1)
    view.rounds_left = min((table.max_rounds - game.round_number) / MOST_ROUNDS, 1)
    view.deck_size[0] = game.deck_size[seat] / 16
    view.deck_size[1] = shown_deck_size(game, other) / 16
    view.hand_size[0] = game.hand_size[seat] / 16
    view.hand_size[1] = shown_hand_size(game, other) / 16
    view.returned[0] = returned_now(table, game, seat) / 16
    view.returned[1] = game.returned[other] / 16
    view.drawn[0] = game.drawn[seat] / 16
    view.drawn[1] = 0 if game.phase == DRAWING else game.drawn[other] / 16
    view.copying = game.copying
    view.returns_left = game.returns_left / 3
    view.announced = game.announced / 3
    view.owed = game.owed / 3


@rule
def returned_now(table, game, seat):
    """Cards of its deck that the seat knows the places of; the state counts those at the start of a draw phase."""
    if game.phase != DRAWING:
        return np.int64(game.returned[seat])
    if table.returns_to_bottom:
        return np.int64(min(game.returned[seat], game.deck_size[seat]))
    return np.int64(max(game.returned[seat] - game.drawn[seat], 0))


@rule
def see_collections(game, seat, view):
    """One pass without branches over the planes that hold whole collections; `see_stack` takes off what is laid."""
    other = 1 - seat
    for card in range(NUM_CARDS):
        view.hand[card] = game.hand[seat, card] * PER_COPY
        view.discard[0, card] = game.discard[seat, card] * PER_COPY
        view.discard[1, card] = game.discard[other, card] * PER_COPY
        view.deck_cards[card] = (game.lists[seat, card] - game.hand[seat, card] - game.discard[seat, card]) * PER_COPY
        view.unseen[card] = (game.lists[other, card] - game.discard[other, card]) * PER_COPY


@rule
def see_side(table, game, of, side, view):
    """What is public about the attack card of seat `of`."""
    attributes, stars, current = np.int64(0), 0.0, 0.0
    if game.stack_size[of] > 0:
        card = table.cards[attack_card(game, of)]
        attributes = np.int64(card.attributes)
        stars = card.stars / 4
        if game.phase != TAKING_BACK:  # with one Calist gone there may be no enemy any more
            current = power(table, game, of) / 10000
    for i in range(ATTRIBUTES):
        view.attributes[side, i] = (attributes >> i) & 1
    view.power[side] = current
    view.stars[side] = stars
    view.own_power[side] = game.own_power[of] / 10000
    view.copied_power[side] = game.copied_power[of] / 10000
    view.copy_last[side] = game.copy_last[of]
    view.paid[side] = game.paid[of] / 3
    view.rode[side] = game.rode[of]
    view.promised[side] = game.promised[of]
    view.barrier_by[side] = game.barrier_seat == of


@rule
def see_stack(game, of, side, view):
    """The seat's cards on the table, which are in its deck or hand no more."""
    for i in range(game.stack_size[of]):
        card = game.stack[of, i]
        take_off(view, side, card)
        if i == game.stack_size[of] - 1:
            view.attack[side, card] = 1
        else:
            view.covered[side, card] += PER_COPY
    if game.barrier_seat == of:
        take_off(view, side, game.barrier)
        view.barrier[game.barrier] = 1


@rule
def take_off(view, side, card):
    if side == 0:
        view.deck_cards[card] -= PER_COPY
    else:
        view.unseen[card] -= PER_COPY


@rule
def see_single_cards(game, seat, view):
    if game.chosen[seat] != NO_CARD:
        view.chosen[game.chosen[seat]] = 1
    if game.source != NO_CARD:
        view.source[game.source] = 1


@rule
def see_deck_top(table, game, seat, view):
    """Cards that the seat put back itself lie on top of its deck, or all at the bottom; it knows their order."""
    known = returned_now(table, game, seat)
    size = game.deck_size[seat]
    for i in range(min(AHEAD, size)):
        place = size - 1 - i
        if place < known if table.returns_to_bottom else i < known:
            view.next_cards[i, game.deck[seat, place]] = 1


@rule
def see_tokens(game, seat, view):
    """Cards that were seen to enter a hand: surely still there, or perhaps put back into the deck since."""
    other = 1 - seat
    for i in range(game.tokens[other]):
        card = game.token_card[other, i]
        if card != NO_CARD:
            if game.token_from[other, i] >= game.returned[other]:
                view.known[card] += PER_COPY
            else:
                view.loose[card] += PER_COPY
    for i in range(game.tokens[seat]):
        card = game.token_card[seat, i]
        if card != NO_CARD and game.token_from[seat, i] >= game.returned[seat]:
            view.shown[card] += PER_COPY
