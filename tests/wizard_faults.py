"""What can be wrong with a state of Wizard in Training, in compiled code, for the random games."""

import numpy as np

from duelbench.envs.dispatch import DRAWN, NOTHING_TOLD
from duelbench.envs.jit import rule
from duelbench.envs.wizard_in_training.cards import (
    ARMOUR,
    CHARACTERS,
    FIRST_CHARACTER,
    FIRST_MAIN,
    FIRST_SPELL,
    GENERAL,
    ITEMS,
    NUM_CARDS,
    NUM_ITEMS,
    POTION,
    WEAPON,
)
from duelbench.envs.wizard_in_training.state import (
    ATTACKING,
    BLOCKING,
    CAST,
    CASTING,
    CHOOSING_MODE,
    COUNTERING,
    DECK,
    DECK_SIZE,
    DESTROYING,
    DISCARD,
    DISCARDING,
    EQUIPPING,
    FIELD,
    FIELD_LIMIT,
    FINISHED,
    FIRST_DUEL,
    GIVING_UP,
    GRADUATION,
    HAND,
    HELD,
    HOLDING,
    LAST_LEVEL,
    LEVEL_ZERO,
    MAIN_SLOT,
    MAX_EVENTS,
    NO_SLOT,
    NUM_ACTIONS,
    PAYING,
    POOL,
    THRESHOLDS,
    TURN_CAP,
    USED,
    WORN,
    total,
)

WIZARD_FAULTS = {
    60: "a deck list that no deck can have, or a main that is none",
    61: "a card in a place where its kind cannot be, or not now",
    62: "deck and places disagree",
    63: "the size of a hand, field or deck is wrong",
    64: "the teeth placed are not those of the items in pool and in use, or too many are written off",
    65: "a level or total that cannot be while nothing is decided",
    66: "the end, its reason, the winner and the levels disagree",
    67: "the wrong seat is asked, or without a choice",
    68: "what belongs to a spell being cast is there without it, missing, or of another spell",
    69: "what belongs to a duel is there without it, or missing",
    70: "a fighter that cannot fight, or wears what it cannot",
    71: "duels, fighters and changes of the turn disagree",
    72: "tokens out of order or out of their bounds",
    73: "no way to lay the tokens yields the hand",
}

LARGEST_TOLD = 1 << 15
"""Lots that are turned up are told as a number below it."""


@rule
def wizard_fault(table, game):
    """A key of FAULTS: what is wrong with the state; 0 if nothing is."""
    for seat in range(2):
        found = fault_of_list(table, game, seat)
        if found == 0:
            found = fault_of_places(game, seat)
        if found == 0:
            found = fault_of_deck(game, seat)
        if found == 0:
            found = fault_of_teeth(table, game, seat)
        if found == 0:
            found = fault_of_tokens(game, seat)
        if found:
            return found
    for check in range(4):
        if check == 0:
            found = fault_of_end(table, game)
        elif check == 1:
            found = fault_of_spell(table, game)
        elif check == 2:
            found = fault_of_duel(table, game)
        else:
            found = fault_of_question(table, game)
        if found:
            return found
    return 0


# --- Cards ----------------------------------------------------------------------------------------------------


@rule
def fault_of_list(table, game, seat):
    """Section 2 of the rules, but for the levels of characters and spells."""
    copies = np.zeros(NUM_CARDS, np.int64)
    items, characters, general, teeth = 0, 0, 0, 0
    for slot in range(DECK_SIZE):
        card = game.lists[seat, slot]
        if not 0 <= card < FIRST_MAIN:
            return 60
        copies[card] += 1
        if copies[card] > (2 if card < NUM_ITEMS else 1):
            return 60
        items += card < NUM_ITEMS
        characters += FIRST_CHARACTER <= card < FIRST_SPELL
        general += card < NUM_ITEMS and table.printed[card].subtype == GENERAL
        teeth += table.printed[card].teeth if card < NUM_ITEMS else 0
    if items != 12 or characters != 7 or general < 4 or teeth > 25:
        return 60
    return 0 if FIRST_MAIN <= game.mains[seat] < NUM_CARDS else 60


@rule
def may_lie(game, seat, slot):
    """Whether the zone of the slot takes cards of its kind, at this time."""
    card, zone = game.lists[seat, slot], game.zone[seat, slot]
    if zone == DECK or zone == HAND or zone == DISCARD:
        return True
    if zone == POOL:
        return card < NUM_ITEMS
    if zone == FIELD:
        return FIRST_CHARACTER <= card < FIRST_SPELL
    if zone == CAST:
        return slot == game.spell and seat == game.active and card >= FIRST_SPELL
    if zone == USED:
        return seat == game.active and card >= FIRST_SPELL and game.phase != DISCARDING
    if zone == HELD:
        return slot == game.held_item and seat == game.active and card < NUM_ITEMS
    return zone == WORN and game.attacker != NO_SLOT and card < NUM_ITEMS


@rule
def fault_of_places(game, seat):
    hand, field, worn = 0, 0, 0
    for slot in range(DECK_SIZE):
        if not may_lie(game, seat, slot):
            return 61
        hand += game.zone[seat, slot] == HAND
        field += game.zone[seat, slot] == FIELD
        worn += game.zone[seat, slot] == WORN
    if hand != game.hand_size[seat] or field != game.field_size[seat] or field > FIELD_LIMIT:
        return 63
    return 0 if worn == game.lots[seat] else 69


@rule
def fault_of_deck(game, seat):
    """Each slot that is in the deck lies there once, and no other; nothing lies above."""
    size = game.deck_size[seat]
    if not 0 <= size <= DECK_SIZE:
        return 63
    seen = np.zeros(DECK_SIZE, np.int64)
    for i in range(DECK_SIZE):
        slot = game.deck[seat, i]
        if i >= size:
            if slot != NO_SLOT:
                return 62
        elif not 0 <= slot < DECK_SIZE or seen[slot] or game.zone[seat, slot] != DECK:
            return 62
        else:
            seen[slot] = 1
    for slot in range(DECK_SIZE):
        if (game.zone[seat, slot] == DECK) != (seen[slot] == 1):
            return 62
    return 0


# --- Teeth, levels and the end --------------------------------------------------------------------------------


@rule
def fault_of_teeth(table, game, seat):
    placed = 0
    for slot in range(DECK_SIZE):
        zone = game.zone[seat, slot]
        if zone == POOL or zone == HELD or zone == WORN:
            placed += table.cards[game.lists[seat, slot]].teeth
    waste = game.waste[seat]
    if placed != game.placed[seat] or not 0 <= waste <= placed:
        return 64
    if waste > 0 and (table.cap_23 == 0 or (game.level[seat] < LAST_LEVEL and game.over == 0)):
        return 64
    return 65 if game.earned[seat] < 0 else 0


@rule
def in_spell(game):
    """Whether a spell is being cast, as far as the phase tells."""
    return CHOOSING_MODE <= game.phase <= GIVING_UP


@rule
def fault_of_end(table, game):
    if game.n_events >= MAX_EVENTS:
        return 3
    if not 1 <= game.turn_number <= table.max_turns or not 0 <= game.to_act <= 1 or not 0 <= game.active <= 1:
        return 12
    for seat in range(2):
        if not NOTHING_TOLD <= game.told[seat] < max(LARGEST_TOLD, NUM_ACTIONS):
            return 16
    if not 0 <= game.phase <= FINISHED:
        return 13
    if (game.phase == FINISHED) != (game.over == 1) or (game.over == 1) != (game.reason != 0):
        return 13
    if game.over:
        return fault_of_result(table, game)
    return fault_of_levels(table, game) if game.winner == DRAWN else 13


@rule
def fault_of_levels(table, game):
    """11.5, 11.9 Whoever has enough teeth has risen, unless the spell that brought them is not over."""
    for seat in range(2):
        level = game.level[seat]
        if not 1 <= level <= LAST_LEVEL:
            return 65
        gaining = in_spell(game) and seat == game.active
        if game.gained[seat] != 0 and not gaining:
            return 65
        bound = level < LAST_LEVEL or table.cap_23 == 1
        if bound and not gaining and total(game, seat) >= THRESHOLDS[level]:
            return 65
    return 0


@rule
def fault_of_result(table, game):
    winner, active = game.winner, game.active
    if game.gained[0] or game.gained[1] or not DRAWN <= winner <= 1:
        return 66
    if game.reason == TURN_CAP:
        lead = np.int64(game.level[0]) - game.level[1]
        if lead == 0:
            lead = total(game, 0) - total(game, 1)
        expected = DRAWN if lead == 0 else (0 if lead > 0 else 1)
        inside = min(game.level[0], game.level[1]) >= 1 and max(game.level[0], game.level[1]) <= LAST_LEVEL
        return 0 if inside and winner == expected and game.turn_number == table.max_turns else 66
    if winner == DRAWN:
        return 66
    if game.reason == GRADUATION:
        first = game.level[active] <= LAST_LEVEL or winner == active
        return 0 if game.level[winner] == LAST_LEVEL + 1 and first else 66
    if game.reason != LEVEL_ZERO or game.level[1 - winner] != 0:
        return 66
    risen = game.level[winner] == LAST_LEVEL + 1 and winner != active
    return 0 if risen or 1 <= game.level[winner] <= LAST_LEVEL else 66


# --- A spell that is being cast -------------------------------------------------------------------------------


@rule
def fault_of_spell(table, game):
    if (game.spell != NO_SLOT) != in_spell(game):
        return 68
    if game.spell == NO_SLOT:
        clear = game.held_item == NO_SLOT and game.mode == 0 and game.owed == 0
        return 0 if clear and game.stolen == 0 and game.to_give_up == 0 else 68
    if not 0 <= game.spell < DECK_SIZE or game.zone[game.active, game.spell] != CAST:
        return 68
    card = game.lists[game.active, game.spell]
    spell = table.cards[card]
    if spell.level > game.level[game.active] or not 0 <= game.mode < spell.num_modes:
        return 68
    if game.phase == CHOOSING_MODE and game.mode != 0:
        return 68
    chosen = game.phase != CHOOSING_MODE and game.phase != HOLDING
    if (game.held_item != NO_SLOT) != (chosen and spell.requires == 1):
        return 68
    if game.held_item != NO_SLOT and not fits(table, game, card):
        return 68
    return fault_of_effects(table, game, spell.modes[game.mode])


@rule
def fits(table, game, spell):
    if not 0 <= game.held_item < DECK_SIZE or game.zone[game.active, game.held_item] != HELD:
        return False
    return table.fits[spell - FIRST_SPELL, game.lists[game.active, game.held_item]] == 1


@rule
def fault_of_effects(table, game, effects):
    if (game.owed > 0) != (game.phase == PAYING) or (game.to_give_up > 0) != (game.phase == GIVING_UP):
        return 68
    if game.owed < 0 or game.stolen < 0 or game.owed + game.stolen > effects.steal:
        return 68
    if game.phase == PAYING and game.owed + game.stolen != effects.steal:
        return 68
    begun = game.phase == PAYING or game.phase == DESTROYING or game.phase == GIVING_UP
    if game.stolen > 0 and not begun:
        return 68
    if game.phase == DESTROYING and effects.destroys == 0:
        return 68
    most = min(np.int64(effects.discard), np.int64(game.hand_size[1 - game.active]) - 1)
    return 68 if game.to_give_up < 0 or (game.phase == GIVING_UP and game.to_give_up > most) else 0


# --- A duel, and what has been fought -------------------------------------------------------------------------


@rule
def fault_of_duel(table, game):
    if (game.attacker != NO_SLOT) != (game.phase == EQUIPPING or game.phase == BLOCKING):
        return 69
    if game.attacker == NO_SLOT:
        return 69 if game.blocker != NO_SLOT else fault_of_turn(table, game)
    active, other = game.active, 1 - game.active
    if (game.blocker != NO_SLOT) != blocked_by_now(table, game):
        return 69
    if game.lots[other] > 0 and (game.phase != EQUIPPING or game.to_act == active):
        return 69
    if game.lots[active] > 0 and game.phase == BLOCKING and table.hidden_equipment:
        return 69
    if not may_fight(game, active, game.attacker) or not wears_rightly(table, game, active, game.attacker):
        return 70
    if game.attacker != MAIN_SLOT and table.cards[game.lists[active, game.attacker]].level > game.level[active]:
        return 70
    if game.attacker == MAIN_SLOT and game.field_size[active] > 0:
        return 70
    if game.blocker == NO_SLOT:
        return fault_of_turn(table, game)
    if not may_fight(game, other, game.blocker) or not wears_rightly(table, game, other, game.blocker):
        return 70
    return fault_of_turn(table, game)


@rule
def blocked_by_now(table, game):
    return game.phase == EQUIPPING and (table.hidden_equipment == 1 or game.to_act != game.active)


@rule
def may_fight(game, seat, slot):
    """A main, or a character of the field that counts as having fought."""
    if slot == MAIN_SLOT:
        return seat != game.active or game.fought[seat, slot] == 1
    return 0 <= slot < DECK_SIZE and game.zone[seat, slot] == FIELD and game.fought[seat, slot] == 1


@rule
def wears_rightly(table, game, seat, fighter):
    weapons, armours = 0, 0
    for slot in range(DECK_SIZE):
        if game.zone[seat, slot] == WORN:
            item = game.lists[seat, slot]
            subtype = table.cards[item].subtype
            if subtype == POTION:
                continue
            if fighter != MAIN_SLOT and table.wears[game.lists[seat, fighter] - FIRST_CHARACTER, item] == 0:
                return False
            if subtype != WEAPON and subtype != ARMOUR:
                return False
            weapons += subtype == WEAPON
            armours += subtype == ARMOUR
    return weapons <= 1 and armours <= 1


@rule
def fault_of_turn(table, game):
    """Each duel has one attacker, and at most one blocker; changes hold from a spell to the end of the Duel phase."""
    attacks, blocks = 0, 0
    for slot in range(DECK_SIZE + 1):
        for seat in range(2):
            if not 0 <= game.fought[seat, slot] <= 1:
                return 71
        attacks += game.fought[game.active, slot]
        blocks += game.fought[1 - game.active, slot]
    if attacks != game.duels or blocks > game.duels or game.fought[1 - game.active, MAIN_SLOT]:
        return 71
    if table.one_duel and game.duels > 1:
        return 71
    in_duels = game.phase == ATTACKING or game.attacker != NO_SLOT
    if game.duels > 0 and (in_spell(game) or game.phase == CASTING):
        return 71
    if game.phase == ATTACKING and game.duels > 0 and any_change(game, FIRST_DUEL):
        return 71
    after = not in_duels and game.phase == DISCARDING
    return 71 if after and (any_change(game, 0) or any_change(game, 1)) else 0


@rule
def any_change(game, scope):
    changes = 0
    for side in range(4):
        changes += game.boost[scope, side] != 0
    return changes > 0


# --- The question that is asked -------------------------------------------------------------------------------


@rule
def fault_of_question(table, game):
    phase, active = game.phase, game.active
    if phase == FINISHED:
        return 0
    of_other = phase == COUNTERING or phase == PAYING or phase == GIVING_UP or phase == BLOCKING
    if phase != EQUIPPING and (game.to_act != active) != of_other:
        return 67
    if game.hand_size[game.to_act] == 0:
        # 5.6 The first spell of a turn is asked for in any case.
        again = phase == CASTING and has_used(game, active)
        if again or phase == DISCARDING or phase == COUNTERING or phase == GIVING_UP:
            return 67
    if phase == CHOOSING_MODE:
        return 67 if table.cards[game.lists[active, game.spell]].num_modes < 2 else 0
    if phase == HOLDING or phase == PAYING or phase == DESTROYING:
        return 67 if different_answers(table, game) < 2 else 0
    return 0


@rule
def has_used(game, seat):
    count = 0
    for slot in range(DECK_SIZE):
        count += game.zone[seat, slot] == USED
    return count > 0


@rule
def different_answers(table, game):
    """3.4 How many different cards can be held, paid with or destroyed."""
    of = game.active if game.phase == HOLDING else 1 - game.active
    answers = np.zeros(FIRST_MAIN, np.int64)
    for slot in range(DECK_SIZE):
        if is_answer(table, game, of, slot):
            answers[game.lists[of, slot]] = 1
    return answers.sum()


@rule
def is_answer(table, game, of, slot):
    card, zone = game.lists[of, slot], game.zone[of, slot]
    spell = game.lists[game.active, game.spell]
    if game.phase == HOLDING:
        return zone == POOL and table.fits[spell - FIRST_SPELL, card] == 1
    if game.phase == PAYING:
        return (zone == POOL and table.cards[card].teeth > 0) or (zone == FIELD and table.cards[card].level > 0)
    destroys = table.cards[spell].modes[game.mode].destroys
    return (zone == POOL and destroys & ITEMS != 0) or (zone == FIELD and destroys & CHARACTERS != 0)


# --- Knowledge ------------------------------------------------------------------------------------------------


@rule
def fault_of_tokens(game, seat):
    count, shuffles = game.hand_size[seat], game.shuffles[seat]
    if shuffles < 0 or not 0 <= game.kept[seat] <= count:
        return 72
    for at in range(DECK_SIZE):
        drawn_at = game.drawn_at[seat, at]
        if at >= count:
            if drawn_at != 0:
                return 72
        elif not 0 <= drawn_at <= shuffles or (at > 0 and drawn_at < game.drawn_at[seat, at - 1]):
            return 72
        if not 0 <= game.since[seat, at] <= shuffles:
            return 72
    return 0 if tokens_fit(game, seat) else 73


@rule
def tokens_fit(game, seat):
    """Whether the tokens can stand for the cards of the hand, one each: each token taken, from the last to the first,
    by the card that needs a later one most."""
    taken = np.zeros(DECK_SIZE, np.int64)
    for token in range(game.hand_size[seat] - 1, -1, -1):
        best, most = NO_SLOT, -1
        for slot in range(DECK_SIZE):
            if game.zone[seat, slot] == HAND and taken[slot] == 0:
                first = first_token(game, seat, slot)
                if first <= token and first > most:
                    best, most = slot, first
        if best == NO_SLOT:
            return False
        taken[best] = 1
    return True


@rule
def first_token(game, seat, slot):
    """The earliest token that may stand for the slot; every later one may, too."""
    at = game.kept[seat] if game.lists[seat, slot] < NUM_ITEMS else 0
    while at < game.hand_size[seat] and game.drawn_at[seat, at] < game.since[seat, slot]:
        at += 1
    return at


@rule
def wizard_largest(game):
    """The largest of the numbers that add up: teeth, cards, changes of a duel."""
    teeth = max(game.placed[0], game.placed[1], game.earned[0], game.earned[1])
    return np.int64(max(teeth, game.hand_size[0], game.hand_size[1], np.abs(game.boost).max()))


@rule
def wizard_length(game):
    return np.int64(game.turn_number)
