"""Tommy Walker TGC: the layouts of state and table, the actions, and the events."""

import numpy as np

from duelbench.envs.dispatch import EVENT
from duelbench.envs.jit import rule
from duelbench.envs.tommy_walker.cards import CARD, NUM_CARDS

DECK_SIZE = 16
NO_SEAT = 2

# --- Phases: the decision that is pending ---------------------------------------------------------------------

DRAWING, ENTRY, COPY, RETURNING, REVENGE, PAYING, TAKING_BACK, FINISHED = range(8)
DECISIONS = ("draw_or_set", "entry", "copy", "put_back", "revenge", "pay", "take_back", "finished")
BEGINNING, SECOND_DRAWS, REVEALING, ENTERING, COMPARING, DAMAGING, AFTER_DAMAGE, CLEANING = range(
    FINISHED + 1, FINISHED + 9
)
"""What `apply` still has to do before the next decision; never seen from outside."""

# --- Actions --------------------------------------------------------------------------------------------------

END, DRAW, USE, DECLINE, USE_AT, PAY = 0, 1, 2, 3, 4, 5  # PAY + n - 1: the AT that is paid with n discards
MAX_PAID = 3
SET_CARD = PAY + MAX_PAID  # + card: set it face down (section 3)
RIDE = SET_CARD + NUM_CARDS  # + card: cover the attack card with it
LAY_BARRIER = RIDE + NUM_CARDS  # + card: put it down as the barrier
DISCARD_CARD = LAY_BARRIER + NUM_CARDS  # + card: pay with it, or give it up to take the attack card back
FETCH = DISCARD_CARD + NUM_CARDS  # + card: take it from the discards
PUT_BACK = FETCH + NUM_CARDS  # + card: from hand to the deck
NUM_ACTIONS = PUT_BACK + NUM_CARDS

# --- Why a game ended -----------------------------------------------------------------------------------------

RUNNING, DECK_OUT, STUCK, ROUND_CAP = range(4)
REASONS = ("running", "deck out", "no card to set", "round cap")

# --- The table ------------------------------------------------------------------------------------------------

MAX_POOL = 64

TABLE = np.dtype(
    [
        ("cards", CARD, (NUM_CARDS,)),
        ("pool", np.int8, (2, MAX_POOL, DECK_SIZE)),  # by seat: the decks it may be dealt, as lists of cards
        ("pool_size", np.int8, (2,)),  # by seat; 0: a random deck
        ("allowed", np.int8, (2, NUM_CARDS)),  # by seat: the cards that random decks consist of, first ones in use
        ("num_allowed", np.int8, (2,)),
        ("permit_misplay", np.int8),  # the rule options of RULES.md, section 10
        ("deckout_at_once", np.int8),
        ("pay_once", np.int8),
        ("copy_tests_ride", np.int8),
        ("returns_to_bottom", np.int8),
        ("max_rounds", np.int16),
    ],
    align=True,
)

# --- The state ------------------------------------------------------------------------------------------------

MAX_EVENTS = 64

STATE = np.dtype(
    [
        ("lists", np.int8, (2, NUM_CARDS)),  # the open deck lists: copies of each card
        ("rng", np.uint64),  # the game's dice; hidden from both
        ("told", np.int16, (2,)),
        ("n_events", np.int16),
        ("round_number", np.int16),  # the round being played, from 1
        ("over", np.int8),
        ("winner", np.int8),
        ("reason", np.int8),
        ("to_act", np.int8),
        ("phase", np.int8),
        # where the cards are
        ("deck", np.int8, (2, DECK_SIZE)),  # from bottom to top. Above deck_size NO_CARD; but while a draw phase lasts
        #   the cards that the seat has drawn in it still stand there, so that they can be put back
        ("deck_size", np.int8, (2,)),
        ("hand", np.int8, (2, NUM_CARDS)),  # copies of each card
        ("hand_size", np.int8, (2,)),
        ("discard", np.int8, (2, NUM_CARDS)),  # copies of each card
        ("stack", np.int8, (2, DECK_SIZE)),  # the attack card and the cards it covers, lowest first; else NO_CARD
        ("stack_size", np.int8, (2,)),
        ("barrier", np.int8),  # the one barrier on the table, or NO_CARD
        ("barrier_seat", np.int8),  # who put it down, or NO_SEAT
        # facts of the round
        ("chosen", np.int8, (2,)),  # set face down, still counted as in hand; NO_CARD; seen by its owner alone
        ("drawn", np.int8, (2,)),  # cards drawn in this round's draw phase; public once both have set
        ("rode", np.int8, (2,)),  # 1 when the seat has ridden this round
        ("own_power", np.int16, (2,)),  # the value that the attack card's own entry or AT gives it; 0: not used
        ("copied_power", np.int16, (2,)),  # the value of a copied entry; 0: none
        ("copy_last", np.int8, (2,)),  # 1 when the copied value is the more recent
        ("paid", np.int8, (2,)),  # cards discarded for the AT of the attack card
        ("round_winner", np.int8),  # NO_SEAT until the attack phase is over
        # the decision that is pending
        ("entry_at", np.int8),  # the next seat whose entry is due at the reveal; AT_RIDE inside a ride
        ("source", np.int8),  # the card whose entry is being used or copied, or NO_CARD
        ("copying", np.int8),  # 1 while the copier of an entry is asked
        ("returns_left", np.int8),  # cards that may still be put back
        ("owed", np.int8),  # cards still to be discarded for an announced AT
        ("announced", np.int8),  # cards for which the AT was announced
        ("take_back_at", np.int8),  # the next seat that may take its attack card back
        # what a seat knows of the other's cards (section 9). `returned` cards of the deck came from the hand; hand and
        # these together hold the `tokens`: a card that was seen to enter them, or NO_CARD for one that was not
        ("returned", np.int8, (2,)),
        ("tokens", np.int8, (2,)),  # how many; while a draw phase lasts, as at its beginning
        ("token_card", np.int8, (2, DECK_SIZE)),
        ("token_from", np.int8, (2, DECK_SIZE)),  # the token lies in the hand, or in a returned place from this one on
        ("promised", np.int8, (2,)),  # 1: the seat misplayed this round, so it holds a card that it could have set
        ("events", EVENT, (MAX_EVENTS,)),
    ],
    align=True,
)

AT_RIDE = 3

# --- Events ---------------------------------------------------------------------------------------------------

EVENT_IDS = (
    "round_begins draws sets drew reveals misplays enters declines copies fetches puts_back clashes ats "
    "announces discards rides lays_barrier barrier_leaves ends round_won loses_card takes_back cleans_up stuck "
    "deck_out game_over"
).split()
(
    ROUND_BEGINS,
    DRAWS,
    SETS,
    DREW,
    REVEALS,
    MISPLAYS,
    ENTERS,
    DECLINES,
    COPIES,
    FETCHES,
    PUTS_BACK,
    CLASHES,
    ATS,
    ANNOUNCES,
    DISCARDS,
    RIDES,
    LAYS_BARRIER,
    BARRIER_LEAVES,
    ENDS,
    ROUND_WON,
    LOSES_CARD,
    TAKES_BACK,
    CLEANS_UP,
    GETS_STUCK,
    RUNS_OUT,
    GAME_OVER,
) = range(len(EVENT_IDS))
BY_CHOICE, BY_ITSELF = 0, 1
"""`value` of an ENDS event. That of an ENTERS event is 1 when the entry was used for nothing."""


# --- What lies where ------------------------------------------------------------------------------------------


@rule
def attack_card(game, seat):
    """The card on top of the seat's stack; the stack must not be empty."""
    return game.stack[seat, game.stack_size[seat] - 1]


@rule
def shown_hand_size(game, seat):
    """The size of the seat's hand as the other seat knows it: draws are secret until both have set."""
    return game.hand_size[seat] - (game.drawn[seat] if game.phase == DRAWING else 0)


@rule
def shown_deck_size(game, seat):
    """The size of the seat's deck as the other seat knows it."""
    return game.deck_size[seat] + (game.drawn[seat] if game.phase == DRAWING else 0)
