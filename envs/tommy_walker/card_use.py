"""How the use of cards is read from the events of Tommy Walker TGC."""

import numpy as np

from duelbench.envs import card_use
from duelbench.envs.card_use import COPIES, CardUse, Meaning
from duelbench.envs.jit import rule
from duelbench.envs.tommy_walker.cards import NUM_CARDS
from duelbench.envs.tommy_walker.state import (
    ATS,
    DISCARDS,
    DRAWS,
    DREW,
    ENTERS,
    FETCHES,
    LAYS_BARRIER,
    MISPLAYS,
    REVEALS,
    RIDES,
    ROUND_BEGINS,
    ROUND_WON,
    STATE,
    TAKES_BACK,
)
from duelbench.envs.tommy_walker.state import (
    COPIES as COPIES_ENTRY,
)

USED_FOR_NOTHING = 1
"""`value` of an ENTERS event."""


@rule
def lead(table, game):
    return np.int64(game.deck_size[0]) - game.deck_size[1]


@rule
def write_copies(table, game, tally):
    for seat in range(2):
        for card in range(NUM_CARDS):
            tally[seat, COPIES, card] = game.lists[seat, card]


CARD_USE = CardUse(
    meanings={
        ROUND_BEGINS: Meaning(card_use.TURN_BEGINS),
        DREW: Meaning(card_use.OPENING_ENDS),
        DRAWS: Meaning(card_use.DRAWS),
        FETCHES: Meaning(card_use.TAKES),
        TAKES_BACK: Meaning(card_use.TAKES),
        REVEALS: Meaning(way="set"),
        RIDES: Meaning(way="ride"),
        LAYS_BARRIER: Meaning(way="barrier"),
        DISCARDS: Meaning(way="pay"),
        MISPLAYS: Meaning(card_use.WASTES),
        ENTERS: Meaning(card_use.FIRES, wasted_value=USED_FOR_NOTHING),
        ATS: Meaning(card_use.FIRES),
        # The event names the enemy's card, whose entry is copied; what acts is the copier's own barrier.
        COPIES_ENTRY: Meaning(actor_way="barrier"),
        ROUND_WON: Meaning(card_use.WINS),
    },
    ways=("set", "ride", "barrier", "pay"),
    words={
        "opening hand": "what is drawn in the draw phase of round 1; how much that is, its player decides",
        "taken": "fetched from the discards, or Calist taken back",
        "pay": "discarded for an AT or for Calist",
        "ahead": "by cards left in the deck, at the decision that brought the card",
        "contest": "the round that the card won as the attack card",
        "fired": "its entry or AT was used, or it copied an entry as a barrier; no event tells what a barrier adds or "
        "takes off, nor the stars of a DMG line",
        "wasted": "an entry used for nothing, or a misplay",
    },
)

card_use.register(STATE, lead=lead, write_copies=write_copies)
