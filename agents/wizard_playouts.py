"""Sensible play and the worth of a state in Wizard in Training, for play-outs.

Teeth come from items that lie still, from spells and from victories, so a sensible player casts what brings teeth,
attacks where nobody known can stop him, blocks where the main would fall, and throws away what he cannot use soon.
The worth of a state is how far a player is ahead on the way of 80 teeth, with the cards that will bring the next ones.
"""

import numpy as np

from duelbench.envs.jit import rule
from duelbench.envs.wizard_in_training.cards import FIRST_CHARACTER, FIRST_SPELL, NUM_CHARACTERS, NUM_ITEMS, NUM_SPELLS
from duelbench.envs.wizard_in_training.duels import attack_value, defend_value
from duelbench.envs.wizard_in_training.state import (
    ATTACK,
    ATTACKING,
    BLOCK,
    BLOCKING,
    CAST_SPELL,
    CASTING,
    CHOOSING_MODE,
    COUNTER,
    COUNTERING,
    DECK_SIZE,
    DISCARD_CARD,
    DISCARDING,
    EQUIP,
    EQUIPPING,
    FIELD,
    FIGHT_YOURSELF,
    HAND,
    LAST_LEVEL,
    MODE,
    PASS,
    PAY,
    PAYING,
    THRESHOLDS,
    total,
)

ALWAYS, OFTEN, RATHER, SELDOM = 100, 40, 12, 4


@rule
def lean(table, game, mask):
    seat = game.to_act
    if game.phase == DISCARDING:
        lean_in_discarding(table, game, seat, mask)
    elif game.phase == CASTING:
        lean_in_casting(table, game, seat, mask)
    elif game.phase == ATTACKING:
        lean_in_attacking(table, game, seat, mask)
    elif game.phase == BLOCKING:
        lean_in_blocking(table, game, seat, mask)
    elif game.phase == EQUIPPING:
        lean_in_equipping(table, game, seat, mask)
    elif game.phase == CHOOSING_MODE:
        lean_in_mode(table, game, mask)
    elif game.phase == COUNTERING:
        for spell in range(NUM_SPELLS):
            mask[COUNTER + spell] *= RATHER
    elif game.phase == PAYING:
        lean_in_paying(table, game, mask)


@rule
def lean_in_discarding(table, game, seat, mask):
    """Away with what the level does not allow and will not soon; stop when the rest is of use."""
    useless = 0
    for slot in range(DECK_SIZE):
        if game.zone[seat, slot] == HAND:
            card = game.lists[seat, slot]
            if table.cards[card].level > game.level[seat] and card >= NUM_ITEMS:
                mask[DISCARD_CARD + card] = OFTEN
                useless += 1
    if mask[PASS]:
        mask[PASS] = RATHER if useless else OFTEN


@rule
def teeth_of(effects):
    return np.int64(effects.gain) + effects.steal


@rule
def lean_in_casting(table, game, seat, mask):
    """Cast what brings teeth; the spell phase ends when nothing of the kind is left."""
    found = False
    for spell in range(NUM_SPELLS):
        if mask[CAST_SPELL + spell]:
            card = table.cards[FIRST_SPELL + spell]
            best = 0
            for mode in range(card.num_modes):
                best = max(best, teeth_of(card.modes[mode]))
            if best > 0:
                mask[CAST_SPELL + spell] = OFTEN
                found = True
            else:
                mask[CAST_SPELL + spell] = SELDOM
    mask[PASS] = SELDOM if found else OFTEN


@rule
def lean_in_mode(table, game, mask):
    card = table.cards[game.lists[game.active, game.spell]]
    for mode in range(card.num_modes):
        mask[MODE + mode] = 1 + SELDOM * min(teeth_of(card.modes[mode]), 8)


@rule
def lean_in_paying(table, game, mask):
    """Pay with what is worth little beyond the demand."""
    for card in range(NUM_ITEMS + NUM_CHARACTERS):
        if mask[PAY + card]:
            value = table.cards[card].teeth if card < NUM_ITEMS else table.cards[card].level
            mask[PAY + card] = OFTEN // (1 + abs(value - game.owed))


@rule
def lean_in_attacking(table, game, seat, mask):
    """Attack with what beats the other's main and its characters on the field."""
    other = 1 - seat
    main = table.cards[game.mains[other]]
    strongest = np.int64(main.attack)
    guard = np.int64(main.defend)
    for slot in range(DECK_SIZE):
        if game.zone[other, slot] == FIELD and game.fought[other, slot] == 0:
            strongest = max(strongest, table.cards[game.lists[other, slot]].attack)
            guard = max(guard, table.cards[game.lists[other, slot]].defend)
    ready = False
    for character in range(NUM_CHARACTERS):
        if mask[ATTACK + character]:
            card = table.cards[FIRST_CHARACTER + character]
            if card.attack > guard:
                mask[ATTACK + character] = OFTEN if card.defend >= strongest else RATHER
                ready = True
    mask[PASS] = SELDOM if ready else OFTEN


@rule
def lean_in_blocking(table, game, seat, mask):
    """Block with what wins; else with what saves the main; let the main defend where it holds."""
    attacking = 1 - seat
    strength, guard = attack_value(table, game, attacking), defend_value(table, game, attacking)
    main = table.cards[game.mains[seat]]
    main_falls = strength > main.defend and main.attack <= guard
    mask[FIGHT_YOURSELF] = SELDOM if main_falls else OFTEN
    for character in range(NUM_CHARACTERS):
        if mask[BLOCK + character]:
            card = table.cards[FIRST_CHARACTER + character]
            penalty = 1 if card.level > game.level[seat] else 0
            hit = strength > card.defend - penalty
            hit_back = card.attack - penalty > guard
            if hit_back and not hit:
                mask[BLOCK + character] = ALWAYS
            elif main_falls:
                mask[BLOCK + character] = OFTEN


@rule
def lean_in_equipping(table, game, seat, mask):
    """Weapons and armour cost nothing to a winner; potions are spent less often."""
    mask[PASS] = SELDOM
    for item in range(NUM_ITEMS):
        if mask[EQUIP + item]:
            drunk = table.cards[item].drink_attack + table.cards[item].drink_defend + table.cards[item].drink_teeth
            mask[EQUIP + item] = SELDOM if drunk != 0 else RATHER


# --- What a state is worth ------------------------------------------------------------------------------------

STEPS = np.array([0, 0, 8, 20, 36, 56, 80], np.int64)
"""By level: the teeth that all levels below it have cost."""
LEVEL_BONUS = 4.0
"""What a level is worth beyond its teeth: the cards that it opens, and the distance from level 0."""
SCALE = 14.0


@rule
def progress(table, game, seat):
    """How far the seat has come, in teeth."""
    level = np.int64(game.level[seat])
    if level < 1 or level > LAST_LEVEL:
        return 0.0
    have = min(total(game, seat), THRESHOLDS[level] - 1)
    value = STEPS[level] + LEVEL_BONUS * level + 0.8 * have
    for slot in range(DECK_SIZE):
        if game.zone[seat, slot] == FIELD:
            card = table.cards[game.lists[seat, slot]]
            value += 0.3 * (card.attack + card.defend)
    return value


@rule
def judge(table, game):
    """What the state is worth for seat 0, from -1 to 1."""
    lead = progress(table, game, 0) - progress(table, game, 1)
    return np.tanh(lead / SCALE)
