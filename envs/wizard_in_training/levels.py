"""Dragonteeth and levels, section 11 of RULES.md: what an event is worth, who rises or falls, and how the game ends."""

import numpy as np

from duelbench.envs.dispatch import DRAWN
from duelbench.envs.events import BOTH, note
from duelbench.envs.jit import rule
from duelbench.envs.wizard_in_training.cards import NO_CARD
from duelbench.envs.wizard_in_training.knowledge import take_back
from duelbench.envs.wizard_in_training.state import (
    DISCARD,
    FALLS,
    FINISHED,
    GAINS,
    GAME_OVER,
    GRADUATION,
    LAST_LEVEL,
    LEVEL_CHANGE,
    LEVEL_ZERO,
    NO_SEAT,
    POOL,
    RECYCLES,
    RESETS,
    RISES,
    THRESHOLDS,
    TURN_CAP,
    total,
)

CAPPED_TOTAL = 23
"""Option `level5_cap`, cap_23: items count at level 5 only up to this total."""


@rule
def gain(game, seat, teeth):
    """11.1 Teeth gained by a spell or duel, counted apart from the items."""
    if teeth > 0:
        game.earned[seat] += teeth
        game.gained[seat] = 1
        note(game, GAINS, seat, NO_CARD, teeth, BOTH)


@rule
def lose_item(table, game, seat, slot):
    """The item goes to the discards; its teeth count no more. 11.11 Waste is never more than what is left."""
    game.zone[seat, slot] = DISCARD
    game.placed[seat] -= table.cards[game.lists[seat, slot]].teeth
    game.waste[seat] = min(game.waste[seat], game.placed[seat])


@rule
def cap_items(table, game, seat):
    """11.11 (Option `level5_cap`) What a batch of items at level 5 brings beyond 23 does not count."""
    if table.cap_23 and game.level[seat] == LAST_LEVEL:
        game.waste[seat] += max(total(game, seat) - CAPPED_TOTAL, 0)


@rule
def rises(game, seat):
    """11.5 Whether the seat's total lifts it a level. 11.9 From level 5, only with teeth gained in this event."""
    if total(game, seat) < THRESHOLDS[game.level[seat]]:
        return False
    return game.level[seat] < LAST_LEVEL or game.gained[seat] == 1


@rule
def end_item_batch(table, game, seat):
    """11.4 The event of the item phase is over; returns whether the level has changed."""
    cap_items(table, game, seat)
    return settle(table, game, seat, NO_SEAT, NO_SEAT)


@rule
def settle(table, game, first, second, faller):
    """11.3, 11.12 An event is over: levels change, then the game may end, then totals are reset.

    11.4 The seats are tested in this order. 11.8 `faller` has lost a duel with its main: it falls and is not tested.
    Returns whether a level has changed.
    """
    first_rises = first != NO_SEAT and first != faller and rises(game, first)
    second_rises = second != NO_SEAT and second != faller and rises(game, second)
    game.gained[:] = 0
    if first_rises:
        change_level(game, first, 1)
    if second_rises:
        change_level(game, second, 1)
    if faller != NO_SEAT:
        change_level(game, faller, -1)
    if not (first_rises or second_rises or faller != NO_SEAT):
        return False
    end_by_level(game, game.active)
    end_by_level(game, 1 - game.active)
    if game.over == 0:
        if first_rises:
            reset(table, game, first)
        if second_rises:
            reset(table, game, second)
        if faller != NO_SEAT:
            reset(table, game, faller)
    return True


@rule
def change_level(game, seat, step):
    game.level[seat] += step
    note(game, RISES if step > 0 else FALLS, seat, NO_CARD, game.level[seat], BOTH)


@rule
def end_by_level(game, seat):
    """11.13 Level 6 is the graduation, level 0 the end of the studies; the caster or attacker comes first."""
    if game.over:
        return
    if game.level[seat] > LAST_LEVEL:
        finish(game, seat, GRADUATION)
    elif game.level[seat] == 0:
        finish(game, 1 - seat, LEVEL_ZERO)


@rule
def reset(table, game, seat):
    """11.14 The total begins at 0 again: items return to the deck, gained teeth are gone. 12.6 So may the discards."""
    returned = take_back(game, seat, POOL)
    game.placed[seat] = game.earned[seat] = game.waste[seat] = 0
    note(game, RESETS, seat, NO_CARD, returned, BOTH)
    if table.recycle == LEVEL_CHANGE:
        recycle(game, seat)


@rule
def recycle(game, seat):
    """The seat's discards go back into its deck."""
    count = take_back(game, seat, DISCARD)
    if count > 0:
        note(game, RECYCLES, seat, NO_CARD, count, BOTH)


@rule
def end_by_cap(game):
    """3.5 The last turn is over: the higher level wins, then the higher total."""
    lead = np.int64(game.level[0]) - game.level[1]
    if lead == 0:
        lead = total(game, 0) - total(game, 1)
    winner = DRAWN
    if lead != 0:
        winner = 0 if lead > 0 else 1
    finish(game, winner, TURN_CAP)


@rule
def finish(game, winner, reason):
    """11.16 Everything stays as it is."""
    game.over, game.winner, game.reason = 1, winner, reason
    game.phase = FINISHED
    note(game, GAME_OVER, winner, NO_CARD, reason, BOTH)
