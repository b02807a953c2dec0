"""How the use of cards is read from the events of Wizard in Training."""

import numpy as np

from duelbench.envs import card_use
from duelbench.envs.card_use import COPIES, DEALT, CardUse, Meaning
from duelbench.envs.jit import rule
from duelbench.envs.wizard_in_training.state import (
    ATTACKS,
    BLOCKS,
    BOOSTS,
    CASTS,
    COUNTERED,
    COUNTERS,
    DECK_SIZE,
    DESTROYED,
    DRAWS,
    DUEL_PHASE,
    EQUIPS,
    GAINS,
    GAME_OVER,
    GIVES_UP,
    HOLDS,
    PAYS,
    PAYS_TEETH,
    PLACES,
    REDRAW_PHASE,
    STATE,
    STEALS,
    TURN,
    WINS,
    total,
)

LEVEL_WEIGHT = 1000
"""More than any total of teeth: a level counts before all teeth."""


@rule
def lead(table, game):
    levels = np.int64(game.level[0]) - game.level[1]
    return LEVEL_WEIGHT * levels + total(game, 0) - total(game, 1)


@rule
def write_copies(table, game, tally):
    """The main character lies on the table from the start."""
    for seat in range(2):
        for slot in range(DECK_SIZE):
            tally[seat, COPIES, game.lists[seat, slot]] += 1
        tally[seat, COPIES, game.mains[seat]] = tally[seat, DEALT, game.mains[seat]] = 1


_EFFECT = Meaning(card_use.EFFECT)
_CLOSES = Meaning(card_use.CLOSES)

CARD_USE = CardUse(
    meanings={
        TURN: Meaning(card_use.TURN_BEGINS | card_use.OPENING_ENDS),
        DRAWS: Meaning(card_use.DRAWS | card_use.EFFECT),
        PLACES: Meaning(way="place"),
        # A spell that is not countered takes effect; in vain if nothing comes of it before the next one or phase.
        CASTS: Meaning(card_use.FIRES | card_use.CLOSES | card_use.AWAITS, way="cast"),
        COUNTERED: Meaning(card_use.NEGATES | card_use.UNFIRES | card_use.EFFECT | card_use.CLOSES),
        COUNTERS: Meaning(card_use.FIRES, way="counter"),
        GAINS: _EFFECT,
        STEALS: _EFFECT,
        PAYS: _EFFECT,
        PAYS_TEETH: _EFFECT,
        DESTROYED: _EFFECT,
        GIVES_UP: _EFFECT,
        BOOSTS: _EFFECT,
        DUEL_PHASE: _CLOSES,
        REDRAW_PHASE: _CLOSES,
        GAME_OVER: _CLOSES,
        HOLDS: Meaning(way="hold"),
        ATTACKS: Meaning(way="attack"),
        BLOCKS: Meaning(way="block"),
        EQUIPS: Meaning(way="equip"),
        WINS: Meaning(card_use.WINS),
    },
    ways=("place", "cast", "counter", "hold", "attack", "block", "equip"),
    words={
        "opening hand": "the five cards dealt, and the main character, which lies on the table",
        "place": "items go to the pool without being asked for",
        "block": "a main character that defends blocks",
        "turn": "the turns of both players are counted together",
        "ahead": "by levels, then by teeth, at the decision that brought the card",
        "contest": "the duel that the card won as a fighter",
        "fired": "a spell was cast and not countered, or it countered; items and characters have no effect to fire",
        "wasted": "a spell that was not countered and changed nothing",
    },
)

card_use.register(STATE, lead=lead, write_copies=write_copies)
