"""Wizard in Training: the layouts of state and table, the actions, and the events."""

import numpy as np

from duelbench.envs.decks import MAX_POOL
from duelbench.envs.dispatch import EVENT
from duelbench.envs.jit import rule
from duelbench.envs.wizard_in_training.cards import (
    ARMOUR,
    CARD,
    DECK_FACTS,
    FIRST_CHARACTER,
    MAX_MODES,
    NUM_CARDS,
    NUM_CHARACTERS,
    NUM_ITEMS,
    NUM_PLAYABLE,
    NUM_SPELLS,
    POTION,
    WEAPON,
)

DECK_SIZE = 29
"""The deck without its main character. Its cards are known by their slots, 0 to 28."""
MAIN_SLOT = DECK_SIZE
"""Stands for the main character as a fighter."""
NO_SLOT = -1
NO_SEAT = 2

HAND_LIMIT = 5
FIELD_LIMIT = 2
FIRST_LEVEL, LAST_LEVEL = 1, 5
THRESHOLDS = (0, 8, 12, 16, 20, 24)
"""By level: the total of dragonteeth from which a player leaves it upwards."""

# --- Where a card is ------------------------------------------------------------------------------------------

DECK, HAND, POOL, FIELD, DISCARD, CAST, USED, HELD, WORN = range(9)
"""CAST: the spell being cast. USED: spells that wait for phase 4. HELD: the item that meets a spell's requirement.
WORN: equipment and potions of a fighter."""

# --- Phases: the decision that is pending ---------------------------------------------------------------------

(
    CASTING,
    CHOOSING_MODE,
    HOLDING,
    COUNTERING,
    PAYING,
    DESTROYING,
    GIVING_UP,
    ATTACKING,
    EQUIPPING,
    BLOCKING,
    DISCARDING,
    FINISHED,
) = range(12)
DECISIONS = "cast mode hold counter pay destroy give_up attack equip block discard finished".split()
(
    TURN_BEGINS,
    NEXT_SPELL,
    DECLARING,
    COUNTER_WINDOW,
    RESOLVING,
    STEALING,
    DESTROYING_NEXT,
    MAKING_DISCARD,
    AFTER_SPELL,
    NEXT_ATTACK,
    EQUIPPING_ATTACKER,
    OFFERING_BLOCK,
    EQUIPPING_DEFENDER,
    FIGHTING,
    REDRAWING,
    REFILLING,
) = range(FINISHED + 1, FINISHED + 17)
"""What `apply` still has to do before the next decision; never seen from outside."""

# --- Actions --------------------------------------------------------------------------------------------------

PASS = 0  # end the phase, do not counter, equip or discard no more
FIGHT_YOURSELF = 1  # attack or block with the main character
MODE = 2  # + mode of the spell that is being cast
CAST_SPELL = MODE + MAX_MODES  # + spell, counted from FIRST_SPELL
COUNTER = CAST_SPELL + NUM_SPELLS  # + spell
ATTACK = COUNTER + NUM_SPELLS  # + character, counted from FIRST_CHARACTER
BLOCK = ATTACK + NUM_CHARACTERS  # + character
EQUIP = BLOCK + NUM_CHARACTERS  # + item: worn, or drunk if it is a potion
HOLD = EQUIP + NUM_ITEMS  # + item: meets the spell's requirement
PAY = HOLD + NUM_ITEMS  # + item or character given up for stolen teeth
DESTROY = PAY + NUM_ITEMS + NUM_CHARACTERS  # + item or character of the other seat
DISCARD_CARD = DESTROY + NUM_ITEMS + NUM_CHARACTERS  # + card of the hand
NUM_ACTIONS = DISCARD_CARD + NUM_PLAYABLE

# --- Why a game ended -----------------------------------------------------------------------------------------

RUNNING, GRADUATION, LEVEL_ZERO, TURN_CAP = range(4)
REASONS = ("running", "graduation", "level 0", "turn cap")

# --- The table ------------------------------------------------------------------------------------------------

TABLE = np.dtype(
    [
        ("cards", CARD, (NUM_CARDS,)),
        ("printed", DECK_FACTS, (NUM_CARDS,)),  # what random decks go by, whatever is changed about cards
        ("wears", np.int8, (NUM_CHARACTERS, NUM_ITEMS)),  # 1: the character may wear the weapon or armour
        ("fits", np.int8, (NUM_SPELLS, NUM_ITEMS)),  # 1: the item meets the spell's requirement
        ("counters", np.int8, (NUM_SPELLS, NUM_SPELLS)),  # 1: the first spell counters the second
        ("pool", np.int16, (2, MAX_POOL, DECK_SIZE)),  # by seat: the decks it may be dealt, as lists of cards
        ("pool_main", np.int16, (2, MAX_POOL)),  # their main characters
        ("pool_spare", np.int16, (2, MAX_POOL)),  # and the spare ones
        ("pool_size", np.int8, (2,)),  # by seat; 0: a random deck
        ("allowed", np.int16, (2, NUM_CARDS)),  # by seat: the cards that random decks consist of, ascending
        ("num_allowed", np.int16, (2,)),
        ("blank", np.int16),  # the card of the blank wizard, of which everybody has one more
        ("recycle", np.int8),  # the rule options of RULES.md, section 15
        ("cap_23", np.int8),
        ("one_duel", np.int8),
        ("attack_vs_defend", np.int8),
        ("double_hit_attacker", np.int8),
        ("tie_defender", np.int8),
        ("main_attack_falls", np.int8),
        ("loser_sum", np.int8),
        ("hidden_equipment", np.int8),
        ("max_turns", np.int16),
    ],
    align=True,
)
WHEN_EMPTY, EVERY_REDRAW, LEVEL_CHANGE = range(3)
"""Values of `recycle`."""

# --- The state ------------------------------------------------------------------------------------------------

MAX_EVENTS = 144

STATE = np.dtype(
    [
        ("mains", np.int16, (2,)),  # the main characters in play
        ("rng", np.uint64),  # the game's dice; hidden from both
        ("lists", np.int16, (2, DECK_SIZE)),  # the open deck lists: the card of each slot
        ("told", np.int16, (2,)),
        ("n_events", np.int16),
        ("over", np.int8),
        ("winner", np.int8),
        ("reason", np.int8),
        ("to_act", np.int8),
        ("phase", np.int8),
        ("active", np.int8),  # whose turn it is
        ("turn_number", np.int16),  # the turn being played, from 1; both seats' turns count
        # where the cards are
        ("zone", np.int8, (2, DECK_SIZE)),  # of each slot
        ("deck", np.int8, (2, DECK_SIZE)),  # slots from bottom to top; NO_SLOT above deck_size
        ("deck_size", np.int8, (2,)),
        ("hand_size", np.int8, (2,)),
        ("field_size", np.int8, (2,)),
        # dragonteeth and levels
        ("level", np.int8, (2,)),
        ("earned", np.int16, (2,)),  # teeth won by spells and duels since the last level change
        ("placed", np.int16, (2,)),  # teeth of the items in the pool, those in use included
        ("waste", np.int16, (2,)),  # teeth of items that do not count (option level5_cap)
        ("gained", np.int8, (2,)),  # 1: this event has brought the seat teeth by a spell or duel
        # facts of the turn
        ("fought", np.int8, (2, DECK_SIZE + 1)),  # 1: this slot has taken part in a duel of this turn as attacker, or
        #   blocked; MAIN_SLOT: the main has attacked
        ("duels", np.int8),  # duels begun this turn
        ("boost", np.int8, (2, 4)),  # by scope (first duel, every duel): attack, defend of the active seat's fighter,
        #   attack, defend of the other's
        # the spell that is being cast
        ("spell", np.int8),  # its slot, or NO_SLOT
        ("mode", np.int8),
        ("held_item", np.int8),  # the slot of the item that meets its requirement, or NO_SLOT
        ("owed", np.int8),  # teeth still to be stolen
        ("stolen", np.int8),  # teeth stolen by it so far
        ("to_give_up", np.int8),  # cards that its victim has still to discard
        # the duel that is being fought
        ("attacker", np.int8),  # slot, MAIN_SLOT or NO_SLOT
        ("blocker", np.int8),  # slot, MAIN_SLOT or NO_SLOT
        ("lots", np.int8, (2,)),  # items that each seat has put to its fighter
        # what a seat knows of the other's hand (section 13). A hand holds one token a card, the earliest drawn first
        ("shuffles", np.int16, (2,)),  # how often cards have come back to the seat's deck
        ("since", np.int16, (2, DECK_SIZE)),  # the slot is unseen since the seat's shuffle of that number
        ("drawn_at", np.int16, (2, DECK_SIZE)),  # by token: the number of the latest shuffle when it was drawn
        ("kept", np.int8, (2,)),  # so many of the first tokens were in hand after an own item phase
        ("events", EVENT, (MAX_EVENTS,)),
    ],
    align=True,
)

FIRST_DUEL, EVERY_DUEL = range(2)
"""Scopes of `boost`."""

# --- Events ---------------------------------------------------------------------------------------------------

EVENT_IDS = (
    "turn_begins places casts takes_mode holds countered counters gains pays pays_teeth steals destroyed gives_up "
    "draws boosts item_back attacks blocks equips reveals no_hit double_hit wins ties spends loses_item dies "
    "rises falls resets recycles jumps spells_leave discards phase_spell phase_duel phase_redraw game_over"
).split()
(
    TURN,
    PLACES,
    CASTS,
    TAKES_MODE,
    HOLDS,
    COUNTERED,
    COUNTERS,
    GAINS,
    PAYS,
    PAYS_TEETH,
    STEALS,
    DESTROYED,
    GIVES_UP,
    DRAWS,
    BOOSTS,
    ITEM_BACK,
    ATTACKS,
    BLOCKS,
    EQUIPS,
    REVEALS,
    NO_HIT,
    DOUBLE_HIT,
    WINS,
    TIES,
    SPENDS,
    LOSES_ITEM,
    DIES,
    RISES,
    FALLS,
    RESETS,
    RECYCLES,
    JUMPS,
    SPELLS_LEAVE,
    DISCARDS,
    SPELL_PHASE,
    DUEL_PHASE,
    REDRAW_PHASE,
    GAME_OVER,
) = range(len(EVENT_IDS))


# --- What lies where ------------------------------------------------------------------------------------------


@rule
def total(game, seat):
    """11.1 The seat's dragonteeth: items, those in use included, and what was earned."""
    return np.int64(game.placed[seat]) + game.earned[seat] - game.waste[seat]


@rule
def find(game, seat, card, zone):
    """The seat's first slot with that card in that zone, or NO_SLOT."""
    for slot in range(DECK_SIZE):
        if game.lists[seat, slot] == card and game.zone[seat, slot] == zone:
            return slot
    return NO_SLOT


@rule
def fighter_card(game, seat, slot):
    """The card of a fighter: the slot's, or the main character."""
    if slot == MAIN_SLOT:
        return np.int64(game.mains[seat])
    return np.int64(game.lists[seat, slot])


@rule
def may_equip(table, game, seat, fighter, slot):
    """9.1 to 9.3 Whether the seat's fighter may take the item of that slot, which lies in the pool, now."""
    item = game.lists[seat, slot]
    if game.zone[seat, slot] != POOL or item >= NUM_ITEMS:
        return False
    subtype = table.cards[item].subtype
    if subtype == POTION:
        return True
    if subtype != WEAPON and subtype != ARMOUR:
        return False
    if fighter != MAIN_SLOT and table.wears[game.lists[seat, fighter] - FIRST_CHARACTER, item] == 0:
        return False
    for other in range(DECK_SIZE):
        if game.zone[seat, other] == WORN and table.cards[game.lists[seat, other]].subtype == subtype:
            return False
    return True
