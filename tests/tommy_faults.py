"""What can be wrong with a state of Tommy Walker TGC, in compiled code, for the random games."""

import numpy as np

from duelbench.envs.dispatch import DRAWN, NOTHING_TOLD
from duelbench.envs.jit import rule
from duelbench.envs.tommy_walker.cards import NO_CARD, NUM_CARDS
from duelbench.envs.tommy_walker.state import (
    COPY,
    DECK_SIZE,
    DRAWING,
    ENTRY,
    FINISHED,
    MAX_EVENTS,
    MAX_PAID,
    NO_SEAT,
    NUM_ACTIONS,
    PAYING,
    RETURNING,
    TAKING_BACK,
    attack_card,
    shown_deck_size,
    shown_hand_size,
)

TOMMY_FAULTS = {
    40: "a card of a deck list is in no place, or in two",
    41: "the size of a hand, deck or stack is wrong, or a card lies beyond it",
    42: "the cards drawn in the running draw phase are not those that lie above the deck",
    43: "the barrier has no owner, an owner no barrier, or it is no barrier",
    44: "an attack stack is there at the wrong time, or missing",
    45: "a power or payment that does not belong to the attack card",
    46: "what belongs to a pending decision is there without it, or missing",
    50: "more or fewer tokens than cards in hand and returned places",
    51: "tokens out of order or out of their places",
    52: "no way to lay the tokens agrees with the hand and the deck",
    53: "a misplay promised a card that is not in hand",
}


@rule
def tommy_fault(table, game):
    """A key of FAULTS: what is wrong with the state; 0 if nothing is."""
    for seat in range(2):
        found = fault_of_sizes(game, seat)
        if found == 0:
            found = fault_of_cards(game, seat)
        if found == 0:
            found = fault_of_attack(table, game, seat)
        if found == 0:
            found = fault_of_knowledge(table, game, seat)
        if found:
            return found
    found = fault_of_numbers(table, game)
    return found if found else fault_of_decision(table, game)


# --- Cards ----------------------------------------------------------------------------------------------------


@rule
def fault_of_sizes(game, seat):
    held = 0
    for card in range(NUM_CARDS):
        if game.hand[seat, card] < 0 or game.discard[seat, card] < 0:
            return 40
        held += game.hand[seat, card]
    if held != game.hand_size[seat] or not 0 <= game.deck_size[seat] <= DECK_SIZE:
        return 41
    end_of_deck = shown_deck_size(game, seat)
    for i in range(DECK_SIZE):
        if not is_card(game.deck[seat, i], i < end_of_deck):
            return 41
        if not is_card(game.stack[seat, i], i < game.stack_size[seat]):
            return 41
    return fault_of_draws(game, seat)


@rule
def is_card(card, expected):
    return 0 <= card < NUM_CARDS if expected else card == NO_CARD


@rule
def fault_of_draws(game, seat):
    """Cards above the deck have been drawn in the running draw phase, so they are in hand."""
    if not 0 <= game.drawn[seat] <= DECK_SIZE:
        return 12
    for i in range(game.deck_size[seat], shown_deck_size(game, seat)):
        copies = 0
        for j in range(game.deck_size[seat], shown_deck_size(game, seat)):
            copies += game.deck[seat, i] == game.deck[seat, j]
        if copies > game.hand[seat, game.deck[seat, i]]:
            return 42
    return 0


@rule
def fault_of_cards(game, seat):
    """Every copy of the deck list is in exactly one place."""
    left = np.zeros(NUM_CARDS, np.int64)
    for card in range(NUM_CARDS):
        left[card] = game.lists[seat, card] - game.hand[seat, card] - game.discard[seat, card]
    for i in range(game.deck_size[seat]):
        left[game.deck[seat, i]] -= 1
    for i in range(game.stack_size[seat]):
        left[game.stack[seat, i]] -= 1
    if game.barrier_seat == seat:
        left[game.barrier] -= 1
    for card in range(NUM_CARDS):
        if left[card] != 0:
            return 40
    return 0


# --- Numbers and the decision ---------------------------------------------------------------------------------


@rule
def fault_of_numbers(table, game):
    if game.n_events >= MAX_EVENTS:
        return 3
    if not 1 <= game.round_number <= table.max_rounds or not 0 <= game.to_act <= 1:
        return 12
    if game.phase > FINISHED or (game.phase == FINISHED) != (game.over == 1) or (game.over == 1) != (game.reason != 0):
        return 13
    if not DRAWN <= game.winner <= 1 or (game.over == 0 and game.winner != DRAWN):
        return 13
    for seat in range(2):
        if not NOTHING_TOLD <= game.told[seat] < (DECK_SIZE + 1) * NUM_ACTIONS:
            return 16
    if (game.barrier == NO_CARD) != (game.barrier_seat == NO_SEAT):
        return 43
    if game.barrier != NO_CARD and not table.cards[game.barrier].barrier:
        return 43
    return 0


@rule
def fault_of_decision(table, game):
    for seat in range(2):
        if game.chosen[seat] != NO_CARD and game.hand[seat, game.chosen[seat]] == 0:
            return 14
    asked = game.phase == DRAWING and game.to_act == 1
    if game.phase != FINISHED and (game.chosen[1] != NO_CARD or (game.chosen[0] != NO_CARD and not asked)):
        return 14
    entering = game.phase == ENTRY or game.phase == COPY or game.phase == RETURNING
    if (game.source != NO_CARD) != entering or (game.copying != 0 and not entering):
        return 46
    if (game.phase == ENTRY and game.copying) or (game.phase == COPY and not game.copying):
        return 46
    if (game.returns_left > 0) != (game.phase == RETURNING) or (game.owed > 0) != (game.phase == PAYING):
        return 46
    if not 0 <= game.owed <= game.announced <= MAX_PAID or (game.announced > 0) != (game.owed > 0):
        return 46
    if game.phase != FINISHED and (game.round_winner != NO_SEAT) != (game.phase == TAKING_BACK):
        return 46
    return 0


@rule
def fault_of_attack(table, game, seat):
    """A stack lies from the reveal to the clean-up, and what was paid for belongs to its attack card."""
    lies = game.stack_size[seat] > 0
    if game.phase != FINISHED and game.phase != TAKING_BACK and lies == (game.phase == DRAWING):
        return 44
    if game.phase == TAKING_BACK or game.phase == FINISHED:
        return 0  # Calist may have gone by now, and left what belonged to him
    if not lies:
        return 45 if game.own_power[seat] or game.copied_power[seat] or game.paid[seat] or game.rode[seat] else 0
    ability = table.cards[attack_card(game, seat)]
    paid = game.paid[seat]
    if not 0 <= paid <= MAX_PAID or (paid > 0 and ability.at_discard == 0):
        return 45
    step = max(paid, 1) - 1
    value = game.own_power[seat]
    if value != ability.at_power[step] and (paid > 0 or (value != 0 and value != ability.entry_power)):
        return 45
    return 45 if game.copy_last[seat] and game.copied_power[seat] == 0 else 0


# --- Knowledge ------------------------------------------------------------------------------------------------


@rule
def fault_of_knowledge(table, game, seat):
    """Tokens stand for the hand and the returned places, while a draw phase lasts as they were at its beginning."""
    count = game.tokens[seat]
    if game.returned[seat] < 0 or game.returned[seat] > shown_deck_size(game, seat):
        return 50
    if count != shown_hand_size(game, seat) + game.returned[seat]:
        return 50
    cards, places = game.token_card[seat], game.token_from[seat]
    for at in range(count, DECK_SIZE):
        if cards[at] != NO_CARD or places[at] != 0:
            return 51
    for at in range(count):
        if not 0 <= cards[at] <= NO_CARD or not 0 <= places[at] <= game.returned[seat]:
            return 51
        if at > 0 and (cards[at - 1], places[at - 1]) > (cards[at], places[at]):
            return 51
    hand = game.hand[seat].copy()
    for i in range(game.deck_size[seat], shown_deck_size(game, seat)):
        hand[game.deck[seat, i]] -= 1
    if game.promised[seat] and not settable_among(table, hand):
        return 53
    return 0 if tokens_fit(table, game, seat, hand) else 52


@rule
def settable_among(table, hand):
    held = 0
    for card in range(NUM_CARDS):
        held += hand[card] * (table.cards[card].ride_only == 0)
    return held > 0


@rule
def tokens_fit(table, game, seat, hand):
    """Whether some way to lay the tokens yields this hand and these returned places.

    Places take their tokens in the order in which they were filled, each a seen one if it can: whatever that one
    could have served later, an unseen one can serve too.
    """
    cards = game.token_card[seat].copy()
    for place in range(game.returned[seat]):
        found = -1
        for at in range(game.tokens[seat]):
            fits = cards[at] == NO_CARD or cards[at] == card_in_place(table, game, seat, place)
            if fits and game.token_from[seat, at] <= place and (found < 0 or cards[found] == NO_CARD):
                found = at
        if found < 0:
            return False
        cards[found] = -1
    for at in range(game.tokens[seat]):
        if 0 <= cards[at] < NUM_CARDS:
            hand[cards[at]] -= 1
            if hand[cards[at]] < 0:
                return False
    return True


@rule
def card_in_place(table, game, seat, place):
    if table.returns_to_bottom:
        return game.deck[seat, game.returned[seat] - 1 - place]
    return game.deck[seat, shown_deck_size(game, seat) - game.returned[seat] + place]


@rule
def tommy_largest(game):
    """The largest of the numbers of cards; a deck's size bounds them all."""
    return np.int64(max(game.deck_size.max(), game.hand_size.max(), game.tokens.max(), game.drawn.max()))
