"""Tarot Duel: the layouts of state and table, the actions, and the events."""

import numpy as np

from duelbench.envs.dispatch import EVENT
from duelbench.envs.tarot_duel.cards import CARD, NUM_CARDS, NUM_EFFECTS

# --- Places of a card (zone) ----------------------------------------------------------------------------------

DECK, HAND, FIELD, WAITING, DISCARD, SPARE = 0, 1, 3, 5, 7, 8
"""HAND, FIELD and WAITING are followed by the same place of seat 1: HAND + seat."""

# --- Phases: the decision that is pending ---------------------------------------------------------------------

SET, NEGATE, TAKE, SWAP, DISCARD_MOON, DISCARD_SUN, RETURN, FINISHED = range(8)
DECISIONS = ("set", "negate", "take", "swap", "discard_moon", "discard_sun", "return", "finished")
BEGINNING, REVEALING, RESOLVING = range(FINISHED + 1, FINISHED + 4)
"""What `apply` still has to do before the next decision; never seen from outside."""

# --- Actions --------------------------------------------------------------------------------------------------

PLAY_CARD = 0  # + card: set it face down
NEGATE_CARD = PLAY_CARD + NUM_CARDS  # + card: the Magician cancels it
TAKE_CARD = NEGATE_CARD + NUM_CARDS  # + card: the Hierophant takes it from the discards
DISCARD_CARD = TAKE_CARD + NUM_CARDS  # + card: the Sun discards it
NEGATE_NOTHING = DISCARD_CARD + NUM_CARDS
KEEP_ORDER, EXCHANGE = NEGATE_NOTHING + 1, NEGATE_NOTHING + 2
DISCARD_HIGHEST, DISCARD_LOWEST = EXCHANGE + 1, EXCHANGE + 2
LEAVE_IT, TAKE_BACK = DISCARD_LOWEST + 1, DISCARD_LOWEST + 2
NUM_ACTIONS = TAKE_BACK + 1

# --- Why a game ended -----------------------------------------------------------------------------------------

RUNNING, LAST_TURN_PLAYED, TURN_CAP = range(3)
REASONS = ("running", "last turn played", "turn cap")

# --- The table ------------------------------------------------------------------------------------------------

TABLE = np.dtype(
    [
        ("cards", CARD, (NUM_CARDS,)),
        ("holder", np.int8, (NUM_EFFECTS,)),  # the card that carries an effect, NO_CARD if none does
        ("death_can_extend", np.int8),  # the rule options of RULES.md, section 9
        ("empress_beats_world", np.int8),
        ("magician_negates_fool_world", np.int8),
        ("lone_player_plays", np.int8),
        ("hanged_man_waits", np.int8),
        ("tower_negatable", np.int8),
        ("chariot_hits_table", np.int8),
        ("max_turns", np.int8),
        # the setup (section 2)
        ("left_out", np.int8, (NUM_CARDS,)),  # 1: lies among the spare cards in every game
        ("spare_cards", np.int8),  # further spare cards, drawn at random
        ("opening_hand", np.int8),
        ("turns", np.int8),
    ],
    align=True,
)

# --- The state ------------------------------------------------------------------------------------------------

MAX_EVENTS = 80
MAX_PEEKS = 4
MAX_QUEUE = 6  # two played cards and the three effects that act one turn later

STATE = np.dtype(
    [
        ("peeks", np.uint32, (2, MAX_PEEKS)),  # [seat, i]: a bit set of cards of the seat's hand; the other seat has
        #   seen some of them, the seat does not know which (rule 6.4); 0 where there is none
        ("rng", np.uint64),  # the game's dice; hidden from both
        ("told", np.int16, (2,)),  # the action of the other seat that the last action let each seat see; NOTHING_TOLD
        ("n_events", np.int16),
        ("over", np.int8),
        ("winner", np.int8),
        ("reason", np.int8),
        ("to_act", np.int8),
        ("phase", np.int8),
        ("turn", np.int8),  # the turn being played, from 1
        ("turns_left", np.int8),  # counting the one being played, until it is counted off (rule 3.9)
        ("first", np.int8),  # the seat that draws first
        ("wins", np.int8, (2,)),
        ("zone", np.int8, (NUM_CARDS,)),  # the place of every card
        ("deck", np.int8, (NUM_CARDS,)),  # the deck from bottom to top; NO_CARD above deck_size
        ("deck_size", np.int8),
        ("tower_open", np.int8),  # 1 while the Tower shows the deck to both
        # facts of the turn being played
        ("chosen", np.int8, (2,)),  # set face down, still counted as in hand; NO_CARD; seen by its owner alone
        ("played", np.int8, (2,)),  # the seat's card on the field this turn; NO_CARD
        ("negated", np.int8),  # the card whose effect was cancelled this turn; NO_CARD
        ("queue", np.int8, (MAX_QUEUE,)),  # cards that act in this reveal sequence, in order; NO_CARD: struck out
        ("n_queue", np.int8),
        ("queue_at", np.int8),  # the next entry to act
        ("takes_left", np.int8),  # cards the Hierophant may still take
        ("fool_claim", np.int8, (2,)),  # this seat's Fool met a card that it beats
        ("world_claim", np.int8, (2,)),  # this seat's World met a card other than the Fool
        ("must_win", np.int8, (2,)),  # this seat's Empress acted
        ("must_lose", np.int8, (2,)),  # this seat's Death acted
        ("blocked", np.int8, (2,)),  # the other seat's Emperor acted: no wins are added
        ("doubled", np.int8, (2,)),  # this seat's Strength acted
        ("bonus", np.int8, (2,)),  # wins to add in rule 3.10
        ("spent", np.int8, (2,)),  # the seat's field card has had its effect and will not wait
        ("may_return", np.int8),  # the seat that may take Temperance back, NO_SEAT
        # what each seat knows; first index: the seat that knows
        ("label", np.uint8, (2, NUM_CARDS)),  # KNOWN, or the group of cards among whose places this card's is mixed
        ("shown", np.uint8, (2, NUM_CARDS)),  # `label` as the card's holder can tell it (cards of the other hand only)
        ("low", np.int8, (2, NUM_CARDS)),  # a card in this place of the other hand stands above `low` in the order
        ("high", np.int8, (2, NUM_CARDS)),  # ... and below `high` (rule 6.6)
        ("bounded", np.int8, (2,)),  # whether any low or high says anything
        ("top_mixed", np.int8, (2,)),  # the top two places of the deck may have been exchanged unseen (rule 6.5)
        ("labels_used", np.uint8),
        ("events", EVENT, (MAX_EVENTS,)),
    ],
    align=True,
)

NO_SEAT = 2
KNOWN = 0
FROM_THE_START = 1
"""The label of the cards that nobody has seen since the opening shuffle."""
NO_LOW, NO_HIGH = -1, NUM_CARDS

# --- Events ---------------------------------------------------------------------------------------------------

EVENT_IDS = (
    "turn_begins draws sets plays waiting_acts acts wasted negates declines looks orders takes "
    "discards wheel buries deck_opens deck_closes turn_won turn_drawn wins_added wins_blocked waits returns "
    "leaves_play no_play turns_left game_over first_drawer"
).split()
(
    TURN_BEGINS,
    DRAWS,
    SETS,
    PLAYS,
    WAITING_ACTS,
    ACTS,
    WASTED,
    NEGATES,
    DECLINES,
    LOOKS,
    ORDERS,
    TAKES,
    DISCARDS,
    WHEEL_TURNS,
    BURIES,
    DECK_OPENS,
    DECK_CLOSES,
    TURN_WON,
    TURN_DRAWN,
    WINS_ADDED,
    WINS_BLOCKED,
    WAITS_ON,
    RETURNS,
    LEAVES_PLAY,
    NO_PLAY,
    TURNS_LEFT,
    GAME_OVER,
    FIRST_DRAWER,
) = range(len(EVENT_IDS))

AS_HIGHEST, AS_LOWEST = 1, 2
"""`value` of the discard for the Moon; 0 for others. The value of an ORDERS event is 1 if the cards were exchanged."""
