"""Steps that all phases of a turn share: asking a seat, jumping to the last phase, and drawing a card."""

from duelbench.envs.events import BOTH, note
from duelbench.envs.jit import rule
from duelbench.envs.wizard_in_training.cards import NO_CARD
from duelbench.envs.wizard_in_training.knowledge import enter_hand
from duelbench.envs.wizard_in_training.levels import recycle
from duelbench.envs.wizard_in_training.state import DRAWS, JUMPS, NO_SLOT, REDRAWING


@rule
def ask(game, phase, seat):
    game.phase = phase
    game.to_act = seat


@rule
def jump(game):
    """3.2 A level has changed: unless that has ended the game, what is left of the turn falls away."""
    if game.over == 0:
        note(game, JUMPS, game.active, NO_CARD, 0, BOTH)
        game.phase = REDRAWING


@rule
def draw(game, seat):
    """12.4 The top card of the deck. An empty deck takes in the discards first; without any there is no card."""
    if game.deck_size[seat] == 0:
        recycle(game, seat)
    if game.deck_size[seat] == 0:
        return
    game.deck_size[seat] -= 1
    slot = game.deck[seat, game.deck_size[seat]]
    game.deck[seat, game.deck_size[seat]] = NO_SLOT
    enter_hand(game, seat, slot)
    note(game, DRAWS, seat, game.lists[seat, slot], 0, 1 << seat)
