"""How the use of cards is read from the events of Tarot Duel."""

from collections.abc import Mapping

import numpy as np

from duelbench.envs import card_use
from duelbench.envs.card_use import COPIES, CardUse, Meaning
from duelbench.envs.jit import rule
from duelbench.envs.tarot_duel.cards import MAGICIAN, NO_CARD
from duelbench.envs.tarot_duel.state import (
    ACTS,
    DRAWS,
    NEGATES,
    PLAYS,
    RETURNS,
    SETS,
    STATE,
    TAKES,
    TURN_BEGINS,
    TURN_WON,
    WAITING_ACTS,
    WASTED,
    WINS_ADDED,
    WINS_BLOCKED,
)


@rule
def lead(table, game):
    return np.int64(game.wins[0]) - game.wins[1]


@rule
def write_copies(table, game, tally):
    """Both seats draw from one pack, in which every card exists once."""
    tally[:, COPIES] = 1


def _actors(table: np.record) -> Mapping[int, int]:
    """A NEGATES event names the cancelled card; what acts is the card that carries the Magician's effect."""
    magician = int(table.holder[MAGICIAN])
    return {} if magician == NO_CARD else {NEGATES: magician}


CARD_USE = CardUse(
    meanings={
        TURN_BEGINS: Meaning(card_use.TURN_BEGINS),
        SETS: Meaning(card_use.OPENING_ENDS),
        DRAWS: Meaning(card_use.DRAWS),
        TAKES: Meaning(card_use.TAKES),
        RETURNS: Meaning(card_use.TAKES),
        PLAYS: Meaning(way="play"),
        ACTS: Meaning(card_use.FIRES),
        WAITING_ACTS: Meaning(card_use.FIRES),
        WASTED: Meaning(card_use.WASTES),
        NEGATES: Meaning(card_use.NEGATES | card_use.OWNED),
        TURN_WON: Meaning(card_use.WINS),
        # Wins that name a card come from the Hanged Man or Justice, but for the turn's own, told right after its end.
        WINS_ADDED: Meaning(card_use.FIRES, unless_after=TURN_WON),
        WINS_BLOCKED: Meaning(card_use.FIRES | card_use.WASTES, unless_after=TURN_WON),
    },
    ways=("play",),
    words={
        "opening hand": "the three cards dealt and the draw of turn 1, all before the first decision",
        "never seen": "all game among the spare cards, in the deck or among the discards: neither player ever had it",
        "taken": "picked from the discards for the Hierophant, or Temperance taken back",
        "ahead": "by wins, when the card was set",
        "contest": "the turn in which the card lay on its player's field",
        "fired": "the card acted, a waiting one too; no event tells whether the claim of the Fool or the World held, "
        "so for them only turns won are known",
        "wasted": "it acted and found nothing to do, or its win was blocked",
    },
    one_pack=True,
    actors=_actors,
)

card_use.register(STATE, lead=lead, write_copies=write_copies)
