"""Spells, sections 5 to 7 of RULES.md: casting, the counter window, and the effects one after the other."""

from duelbench.envs.events import BOTH, note
from duelbench.envs.jit import rule
from duelbench.envs.wizard_in_training.cards import CHARACTERS, FIRST_SPELL, ITEMS, NO_CARD, NUM_ITEMS
from duelbench.envs.wizard_in_training.knowledge import leave_hand
from duelbench.envs.wizard_in_training.levels import gain, lose_item, settle
from duelbench.envs.wizard_in_training.state import (
    AFTER_SPELL,
    BOOSTS,
    CAST,
    CAST_SPELL,
    CASTING,
    CASTS,
    CHOOSING_MODE,
    COUNTER,
    COUNTER_WINDOW,
    COUNTERED,
    COUNTERING,
    COUNTERS,
    DECK_SIZE,
    DECLARING,
    DESTROY,
    DESTROYED,
    DESTROYING,
    DESTROYING_NEXT,
    DISCARD,
    DISCARD_CARD,
    DUEL_PHASE,
    EVERY_DUEL,
    FIELD,
    FIRST_DUEL,
    GIVES_UP,
    GIVING_UP,
    HAND,
    HELD,
    HOLD,
    HOLDING,
    HOLDS,
    ITEM_BACK,
    MAKING_DISCARD,
    MODE,
    NEXT_ATTACK,
    NEXT_SPELL,
    NO_SEAT,
    NO_SLOT,
    PASS,
    PAY,
    PAYING,
    PAYS,
    PAYS_TEETH,
    POOL,
    RESOLVING,
    STEALING,
    STEALS,
    TAKES_MODE,
    USED,
    find,
)
from duelbench.envs.wizard_in_training.steps import ask, draw, jump

# --- 5. Casting -----------------------------------------------------------------------------------------------


@rule
def next_spell(game):
    """5.1 One spell after the other. 5.6 After the first the seat is asked as long as it holds a card."""
    if game.hand_size[game.active] > 0:
        ask(game, CASTING, game.active)
    else:
        begin_duels(game)


@rule
def begin_duels(game):
    note(game, DUEL_PHASE, game.active, NO_CARD, 0, BOTH)
    game.phase = NEXT_ATTACK


@rule
def legal_spells(table, game, seat, mask):
    """5.2 A spell's level must not be above the seat's. 5.3 A required item must lie in the own pool."""
    mask[PASS] = 1
    for slot in range(DECK_SIZE):
        card = game.lists[seat, slot]
        if game.zone[seat, slot] == HAND and card >= FIRST_SPELL and table.cards[card].level <= game.level[seat]:
            mask[CAST_SPELL + card - FIRST_SPELL] = (
                table.cards[card].requires == 0 or items_that_fit(table, game, seat, card) > 0
            )


@rule
def items_that_fit(table, game, seat, spell):
    """How many different items of the seat's pool meet the spell's requirement."""
    count = 0
    for slot in range(DECK_SIZE):
        item = game.lists[seat, slot]
        if game.zone[seat, slot] == POOL and item < NUM_ITEMS and table.fits[spell - FIRST_SPELL, item]:
            count += find(game, seat, item, POOL) == slot
    return count


@rule
def cast(game, seat, action):
    """5.1 A spell is declared, or the spell phase ends."""
    if action == PASS:
        begin_duels(game)
        return
    card = action - CAST_SPELL + FIRST_SPELL
    game.spell = find(game, seat, card, HAND)
    leave_hand(game, seat, game.spell, CAST)
    note(game, CASTS, seat, card, 0, BOTH)
    game.phase = DECLARING


@rule
def declare(table, game):
    """5.4 Mode and item belong to the declaration. 3.4 What leaves no choice is not asked."""
    card = game.lists[game.active, game.spell]
    if table.cards[card].num_modes > 1:
        ask(game, CHOOSING_MODE, game.active)
    else:
        name_item(table, game)


@rule
def choose_mode(table, game, seat, action):
    game.mode = action - MODE
    note(game, TAKES_MODE, seat, game.lists[seat, game.spell], game.mode, BOTH)
    name_item(table, game)


@rule
def name_item(table, game):
    """5.3 One item that fits is held while the spell is cast."""
    seat = game.active
    card = game.lists[seat, game.spell]
    game.phase = COUNTER_WINDOW
    if table.cards[card].requires:
        if items_that_fit(table, game, seat, card) > 1:
            ask(game, HOLDING, seat)
        else:
            for slot in range(DECK_SIZE):
                item = game.lists[seat, slot]
                if game.zone[seat, slot] == POOL and item < NUM_ITEMS and table.fits[card - FIRST_SPELL, item]:
                    hold_slot(game, seat, slot)
                    return


@rule
def hold_slot(game, seat, slot):
    game.held_item = slot
    game.zone[seat, slot] = HELD
    note(game, HOLDS, seat, game.lists[seat, slot], 0, BOTH)


@rule
def hold(game, seat, action):
    hold_slot(game, seat, find(game, seat, action - HOLD, POOL))
    game.phase = COUNTER_WINDOW


@rule
def legal_requirements(table, game, seat, mask):
    spell = game.lists[seat, game.spell] - FIRST_SPELL
    for slot in range(DECK_SIZE):
        item = game.lists[seat, slot]
        if game.zone[seat, slot] == POOL and item < NUM_ITEMS and table.fits[spell, item]:
            mask[HOLD + item] = 1


# --- 6. Counters ----------------------------------------------------------------------------------------------


@rule
def open_window(table, game):
    """6.5 The other seat is asked when, by what lies open, it may hold a counter."""
    other = 1 - game.active
    game.phase = RESOLVING
    if game.hand_size[other] == 0:
        return
    spell = game.lists[game.active, game.spell] - FIRST_SPELL
    for slot in range(DECK_SIZE):
        card = game.lists[other, slot]
        if game.zone[other, slot] <= HAND and card >= FIRST_SPELL and table.counters[card - FIRST_SPELL, spell]:
            ask(game, COUNTERING, other)
            return


@rule
def legal_counters(table, game, seat, mask):
    """6.1 A spell that names the one being cast. 6.2 Its own level and requirement do not matter."""
    mask[PASS] = 1
    spell = game.lists[1 - seat, game.spell] - FIRST_SPELL
    for slot in range(DECK_SIZE):
        card = game.lists[seat, slot]
        if game.zone[seat, slot] == HAND and card >= FIRST_SPELL and table.counters[card - FIRST_SPELL, spell]:
            mask[COUNTER + card - FIRST_SPELL] = 1


@rule
def answer(table, game, seat, action):
    """6.3 Both spells are discarded at once, and the held item with them. 6.4 No level is tested."""
    if action == PASS:
        game.phase = RESOLVING
        return
    card = action - COUNTER + FIRST_SPELL
    note(game, COUNTERS, seat, card, 0, BOTH)
    leave_hand(game, seat, find(game, seat, card, HAND), DISCARD)
    caster = game.active
    note(game, COUNTERED, caster, game.lists[caster, game.spell], 0, BOTH)
    game.zone[caster, game.spell] = DISCARD
    if game.held_item != NO_SLOT:
        lose_item(table, game, caster, game.held_item)
        note(game, DESTROYED, caster, game.lists[caster, game.held_item], 0, BOTH)
    forget_spell(game)
    game.phase = NEXT_SPELL


@rule
def forget_spell(game):
    game.spell = game.held_item = NO_SLOT
    game.mode = game.owed = game.stolen = game.to_give_up = 0


# --- 7. Effects -----------------------------------------------------------------------------------------------


@rule
def mode_of(table, game):
    """The effects of the spell that is being cast, in the mode that was chosen."""
    return table.cards[game.lists[game.active, game.spell]].modes[game.mode]


@rule
def begin_stealing(table, game):
    """7.1 Effects come in a fixed order; teeth first."""
    effects = mode_of(table, game)
    gain(game, game.active, effects.gain)
    game.owed = effects.steal
    game.stolen = 0
    game.phase = STEALING


@rule
def can_pay(table, game, seat, slot):
    """7.4 Items of the pool and characters on the field pay. 7.6 What is worth nothing cannot."""
    if game.zone[seat, slot] == POOL or game.zone[seat, slot] == FIELD:
        return worth(table, game.lists[seat, slot]) > 0
    return False


@rule
def worth(table, card):
    return table.cards[card].teeth if card < NUM_ITEMS else table.cards[card].level


@rule
def steal_next(table, game):
    """7.5 The victim chooses with what it pays, card by card. 7.6 Its counter pays only when nothing else is left."""
    victim = 1 - game.active
    if game.owed > 0:
        only = NO_SLOT
        for slot in range(DECK_SIZE):
            if can_pay(table, game, victim, slot):
                if only != NO_SLOT and game.lists[victim, only] != game.lists[victim, slot]:
                    ask(game, PAYING, victim)
                    return
                only = slot
        if only != NO_SLOT:
            pay_with(table, game, victim, only)
        else:
            pay_teeth(game, victim)
        return
    if game.stolen > 0:
        note(game, STEALS, game.active, NO_CARD, game.stolen, BOTH)
        gain(game, game.active, game.stolen)
    game.phase = DESTROYING_NEXT


@rule
def pay_with(table, game, victim, slot):
    """7.5 What is paid beyond the demand is lost. 7.3 The thief gains what was demanded."""
    card = game.lists[victim, slot]
    value = worth(table, card)
    game.stolen += min(value, game.owed)
    game.owed = max(game.owed - value, 0)
    note(game, PAYS, victim, card, value, BOTH)
    give_away(table, game, victim, slot)


@rule
def give_away(table, game, seat, slot):
    """An item of the pool or a character on the field goes to the discards."""
    if game.zone[seat, slot] == POOL:
        lose_item(table, game, seat, slot)
    else:
        game.zone[seat, slot] = DISCARD
        game.field_size[seat] -= 1


@rule
def pay_teeth(game, victim):
    paid = min(game.owed, game.earned[victim])
    game.earned[victim] -= paid
    game.stolen += paid
    game.owed = 0
    if paid > 0:
        note(game, PAYS_TEETH, victim, NO_CARD, paid, BOTH)


@rule
def legal_payments(table, game, seat, mask):
    for slot in range(DECK_SIZE):
        if can_pay(table, game, seat, slot):
            mask[PAY + game.lists[seat, slot]] = 1


@rule
def pay(table, game, seat, action):
    card = action - PAY
    pay_with(table, game, seat, find(game, seat, card, POOL if card < NUM_ITEMS else FIELD))
    game.phase = STEALING


@rule
def can_destroy(table, game, victim, slot):
    """7.7 Any item of the pool, also one without teeth, or any character on the field: as the spell says."""
    destroys = mode_of(table, game).destroys
    if game.zone[victim, slot] == POOL:
        return destroys & ITEMS != 0
    return game.zone[victim, slot] == FIELD and destroys & CHARACTERS != 0


@rule
def destroy_next(table, game):
    """7.7 The caster chooses one card of the other seat; without one nothing happens."""
    game.phase = MAKING_DISCARD
    if mode_of(table, game).destroys == 0:
        return
    victim, only = 1 - game.active, NO_SLOT
    for slot in range(DECK_SIZE):
        if can_destroy(table, game, victim, slot):
            if only != NO_SLOT and game.lists[victim, only] != game.lists[victim, slot]:
                ask(game, DESTROYING, game.active)
                return
            only = slot
    if only != NO_SLOT:
        destroy_slot(table, game, victim, only)


@rule
def destroy_slot(table, game, victim, slot):
    note(game, DESTROYED, victim, game.lists[victim, slot], 0, BOTH)
    give_away(table, game, victim, slot)


@rule
def legal_targets(table, game, mask):
    victim = 1 - game.active
    for slot in range(DECK_SIZE):
        if can_destroy(table, game, victim, slot):
            mask[DESTROY + game.lists[victim, slot]] = 1


@rule
def destroy(table, game, action):
    card, victim = action - DESTROY, 1 - game.active
    destroy_slot(table, game, victim, find(game, victim, card, POOL if card < NUM_ITEMS else FIELD))
    game.phase = MAKING_DISCARD


@rule
def make_discard(table, game):
    """7.8 The victim chooses what it discards, unless it is all of its hand."""
    victim = 1 - game.active
    game.to_give_up = min(mode_of(table, game).discard, game.hand_size[victim])
    if game.to_give_up == game.hand_size[victim]:
        for slot in range(DECK_SIZE):
            if game.zone[victim, slot] == HAND:
                give_up_slot(game, victim, slot)
    if game.to_give_up > 0:
        ask(game, GIVING_UP, victim)
    else:
        last_effects(table, game)


@rule
def give_up_slot(game, seat, slot):
    leave_hand(game, seat, slot, DISCARD)
    note(game, GIVES_UP, seat, game.lists[seat, slot], 0, BOTH)
    game.to_give_up -= 1


@rule
def give_up(table, game, seat, action):
    give_up_slot(game, seat, find(game, seat, action - DISCARD_CARD, HAND))
    if game.to_give_up == 0:
        last_effects(table, game)


@rule
def last_effects(table, game):
    """7.9 The caster draws, and then the duel changes are put down."""
    effects = mode_of(table, game)
    for _ in range(effects.draw):
        draw(game, game.active)
    boost(game, effects)
    game.phase = AFTER_SPELL


@rule
def boost(game, effects):
    """7.11 Duel changes add up; they hold for the first duel of the phase or for every one."""
    if effects.attack == 0 and effects.defend == 0 and effects.other_attack == 0 and effects.other_defend == 0:
        return
    scope = EVERY_DUEL if effects.every_duel else FIRST_DUEL
    game.boost[scope, 0] += effects.attack
    game.boost[scope, 1] += effects.defend
    game.boost[scope, 2] += effects.other_attack
    game.boost[scope, 3] += effects.other_defend
    note(game, BOOSTS, game.active, game.lists[game.active, game.spell], game.mode, BOTH)


@rule
def after_spell(table, game):
    """5.5 The item returns to the pool, the spell waits for phase 4; then levels are tested."""
    caster = game.active
    game.zone[caster, game.spell] = USED
    if game.held_item != NO_SLOT:
        game.zone[caster, game.held_item] = POOL
        note(game, ITEM_BACK, caster, game.lists[caster, game.held_item], 0, BOTH)
    forget_spell(game)
    if settle(table, game, caster, 1 - caster, NO_SEAT):
        jump(game)
    else:
        game.phase = NEXT_SPELL
