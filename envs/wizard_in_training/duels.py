"""Duels, sections 8 to 10 of RULES.md: attacking, blocking, equipment, and what comes of it."""

import numpy as np

from duelbench.envs.events import BOTH, note
from duelbench.envs.jit import rule
from duelbench.envs.wizard_in_training.cards import (
    ARMOUR,
    EQUIPMENT_BONUS,
    FIRST_CHARACTER,
    FIRST_SPELL,
    NO_CARD,
    POTION,
    WEAPON,
)
from duelbench.envs.wizard_in_training.knowledge import leave_hand
from duelbench.envs.wizard_in_training.levels import gain, lose_item, settle
from duelbench.envs.wizard_in_training.state import (
    ATTACK,
    ATTACKING,
    ATTACKS,
    BLOCK,
    BLOCKING,
    BLOCKS,
    DECK_SIZE,
    DIES,
    DISCARD,
    DOUBLE_HIT,
    EQUIP,
    EQUIPPING,
    EQUIPPING_ATTACKER,
    EQUIPPING_DEFENDER,
    EQUIPS,
    EVERY_DUEL,
    FIELD,
    FIELD_LIMIT,
    FIGHT_YOURSELF,
    FIGHTING,
    FIRST_DUEL,
    HAND,
    ITEM_BACK,
    LAST_LEVEL,
    LOSES_ITEM,
    MAIN_SLOT,
    NEXT_ATTACK,
    NO_HIT,
    NO_SEAT,
    NO_SLOT,
    OFFERING_BLOCK,
    PASS,
    POOL,
    REDRAWING,
    REVEALS,
    SPENDS,
    TIES,
    WINS,
    WORN,
    fighter_card,
    find,
    may_equip,
)
from duelbench.envs.wizard_in_training.steps import ask, jump

OVER_LEVEL_PENALTY = 1
"""Off both values of a character that defends a player below its level."""
MOST_TOLD = 0x7FFF
"""The largest code that a state can hold for what a seat is told."""

# --- 8. Attacking and blocking --------------------------------------------------------------------------------


@rule
def is_character(game, seat, slot):
    return FIRST_CHARACTER <= game.lists[seat, slot] < FIRST_SPELL


@rule
def next_attack(table, game):
    """8.3 The seat is asked as long as, by what lies open, it may have something to attack with."""
    seat = game.active
    may = game.duels == 0 or not table.one_duel
    if may and (may_attack_itself(game, seat) or may_have_fighter(table, game, seat, game.level[seat])):
        ask(game, ATTACKING, seat)
    else:
        game.phase = REDRAWING


@rule
def may_attack_itself(game, seat):
    """8.6 The main attacks only while the own field is empty, and once a turn."""
    return game.field_size[seat] == 0 and game.fought[seat, MAIN_SLOT] == 0


@rule
def may_place(game, seat):
    """8.4 A full field takes no other character."""
    return game.hand_size[seat] > 0 and game.field_size[seat] < FIELD_LIMIT


@rule
def may_have_fighter(table, game, seat, level):
    """8.3, 8.9 Whether, by what lies open, the seat may have a character up to that level that can fight."""
    placing = may_place(game, seat)
    for slot in range(DECK_SIZE):
        if is_character(game, seat, slot) and table.cards[game.lists[seat, slot]].level <= level:
            zone = game.zone[seat, slot]
            if (zone <= HAND and placing) or (zone == FIELD and game.fought[seat, slot] == 0):
                return True
    return False


@rule
def legal_attacks(table, game, seat, mask):
    """8.2 A character of the field, or of the hand, which is placed for it, up to the own level; 8.6 or the main."""
    mask[PASS] = 1
    mask[FIGHT_YOURSELF] = may_attack_itself(game, seat)
    placing = may_place(game, seat)
    for slot in range(DECK_SIZE):
        if is_character(game, seat, slot):
            card = game.lists[seat, slot]
            zone = game.zone[seat, slot]
            ready = (zone == HAND and placing) or (zone == FIELD and game.fought[seat, slot] == 0)
            if ready and table.cards[card].level <= game.level[seat]:
                mask[ATTACK + card - FIRST_CHARACTER] = 1


@rule
def attack_or_end(table, game, seat, action):
    if action == PASS:
        game.phase = REDRAWING
        return
    slot = MAIN_SLOT
    if action != FIGHT_YOURSELF:
        slot = step_forward(game, seat, action - ATTACK + FIRST_CHARACTER)
    game.attacker = slot
    game.blocker = NO_SLOT
    game.fought[seat, slot] = 1
    game.duels += 1
    note(game, ATTACKS, seat, fighter_card(game, seat, slot), 0, BOTH)
    game.phase = OFFERING_BLOCK if table.hidden_equipment else EQUIPPING_ATTACKER


@rule
def step_forward(game, seat, card):
    """The slot of a character that fights; one of the hand is placed on the field first."""
    slot = find(game, seat, card, HAND)
    if slot == NO_SLOT:
        return find(game, seat, card, FIELD)
    leave_hand(game, seat, slot, FIELD)
    game.field_size[seat] += 1
    return slot


@rule
def offer_block(table, game):
    """8.8 One character of the field or the hand may block, else the main defends. 8.9 Asked if there may be one."""
    seat = 1 - game.active
    if may_have_fighter(table, game, seat, LAST_LEVEL):
        ask(game, BLOCKING, seat)
    else:
        block(table, game, seat, FIGHT_YOURSELF)


@rule
def legal_blocks(game, seat, mask):
    """8.8 Of any level; the main may always defend. 8.5 Not one that has fought in this phase."""
    mask[FIGHT_YOURSELF] = 1
    placing = may_place(game, seat)
    for slot in range(DECK_SIZE):
        if is_character(game, seat, slot):
            zone = game.zone[seat, slot]
            if (zone == HAND and placing) or (zone == FIELD and game.fought[seat, slot] == 0):
                mask[BLOCK + game.lists[seat, slot] - FIRST_CHARACTER] = 1


@rule
def block(table, game, seat, action):
    game.blocker = MAIN_SLOT
    if action != FIGHT_YOURSELF:
        game.blocker = step_forward(game, seat, action - BLOCK + FIRST_CHARACTER)
        game.fought[seat, game.blocker] = 1
    note(game, BLOCKS, seat, fighter_card(game, seat, game.blocker), 0, BOTH)
    game.phase = EQUIPPING_ATTACKER if table.hidden_equipment else EQUIPPING_DEFENDER


# --- 9. Equipment and potions ---------------------------------------------------------------------------------


@rule
def fighter_of(game, seat):
    return np.int64(game.attacker if seat == game.active else game.blocker)


@rule
def offer_equipment(table, game, seat):
    """9.6 The attacker takes items before the block, the defender after it. (Option `duel_commit`, 9.8: both after.)
    9.7 Without anything to take, the seat is not asked."""
    if not ask_for_equipment(table, game, seat):
        end_equipping(table, game, seat)


@rule
def ask_for_equipment(table, game, seat):
    fighter = fighter_of(game, seat)
    for slot in range(DECK_SIZE):
        if may_equip(table, game, seat, fighter, slot):
            ask(game, EQUIPPING, seat)
            return True
    return False


@rule
def end_equipping(table, game, seat):
    if seat != game.active:
        game.phase = FIGHTING
    else:
        game.phase = EQUIPPING_DEFENDER if table.hidden_equipment else OFFERING_BLOCK


@rule
def legal_equipment(table, game, seat, mask):
    """9.1 One weapon and one armour 9.2 that the fighter may wear; 9.3 any number of potions."""
    mask[PASS] = 1
    fighter = fighter_of(game, seat)
    for slot in range(DECK_SIZE):
        if may_equip(table, game, seat, fighter, slot):
            mask[EQUIP + game.lists[seat, slot]] = 1


@rule
def equip(table, game, seat, action):
    """9.7 One item after the other. 9.8 Of one that lies face down the other seat sees only that it is there; so the
    seat is asked again even if nothing more would fit."""
    if action == PASS:
        end_equipping(table, game, seat)
        return
    slot = find(game, seat, action - EQUIP, POOL)
    game.zone[seat, slot] = WORN
    game.lots[seat] += 1
    hidden = table.hidden_equipment
    note(game, EQUIPS, seat, action - EQUIP, 0, 1 << seat if hidden else BOTH)
    if hidden:
        game.told[1 - seat] = EQUIP
    elif not ask_for_equipment(table, game, seat):
        end_equipping(table, game, seat)


# --- 10. The outcome ------------------------------------------------------------------------------------------


@rule
def attack_value(table, game, seat):
    """10.1 Printed attack, weapon, potions, changes by spells and the penalty; never below 0."""
    side = 0 if seat == game.active else 2
    value = fighter_value(table, game, seat, table.cards[fighter_card(game, seat, fighter_of(game, seat))].attack)
    value += game.boost[FIRST_DUEL, side] + game.boost[EVERY_DUEL, side]
    for slot in range(DECK_SIZE):
        if game.zone[seat, slot] == WORN:
            item = table.cards[game.lists[seat, slot]]
            value += EQUIPMENT_BONUS if item.subtype == WEAPON else item.drink_attack
    return max(value, 0)


@rule
def defend_value(table, game, seat):
    """10.1 The same with armour instead of the weapon."""
    side = 1 if seat == game.active else 3
    value = fighter_value(table, game, seat, table.cards[fighter_card(game, seat, fighter_of(game, seat))].defend)
    value += game.boost[FIRST_DUEL, side] + game.boost[EVERY_DUEL, side]
    for slot in range(DECK_SIZE):
        if game.zone[seat, slot] == WORN:
            item = table.cards[game.lists[seat, slot]]
            value += EQUIPMENT_BONUS if item.subtype == ARMOUR else item.drink_defend
    return max(value, 0)


@rule
def fighter_value(table, game, seat, printed):
    """10.2 A character that defends a player below its level has both values lowered."""
    level = table.cards[fighter_card(game, seat, fighter_of(game, seat))].level
    penalty = OVER_LEVEL_PENALTY if seat != game.active and level > game.level[seat] else 0
    return np.int64(printed) - penalty


@rule
def winner_of_duel(table, game):
    """10.3 A fighter hits with an attack above the other's defend; one hit alone wins. 10.4 Else it is a tie. (Options
    `duel_compare`, `duel_double_hit`, `duel_tie`.) Returns NO_SEAT for a tie."""
    attacking, defending = game.active, 1 - game.active
    tied = defending if table.tie_defender else NO_SEAT
    strength, guard = attack_value(table, game, attacking), defend_value(table, game, defending)
    if table.attack_vs_defend:
        if strength == guard:
            return tied
        return attacking if strength > guard else defending
    hit = strength > guard
    hit_back = attack_value(table, game, defending) > defend_value(table, game, attacking)
    if hit and hit_back:
        note(game, DOUBLE_HIT, attacking, NO_CARD, 0, BOTH)
        return attacking if table.double_hit_attacker else tied
    if not hit and not hit_back:
        note(game, NO_HIT, attacking, NO_CARD, 0, BOTH)
        return tied
    return attacking if hit else defending


@rule
def fight(table, game):
    """10.13 Characters and items are settled, then teeth are added, then levels are tested."""
    attacking = game.active
    if table.hidden_equipment:
        reveal_lots(game)
    winner = winner_of_duel(table, game)
    if winner == NO_SEAT:
        note(game, TIES, attacking, NO_CARD, 0, BOTH)
    else:
        note(game, WINS, winner, fighter_card(game, winner, fighter_of(game, winner)), 0, BOTH)
    reward = reward_of(table, game, winner)
    drunk_0, drunk_1 = clear_equipment(table, game, 0, winner), clear_equipment(table, game, 1, winner)
    for seat in range(2):
        if seat != winner:
            lose_character(game, seat)
    if winner != NO_SEAT:
        gain(game, winner, reward)
    gain(game, 0, drunk_0)
    gain(game, 1, drunk_1)
    faller = fallen(table, game, winner)
    game.boost[FIRST_DUEL] = 0
    game.attacker = game.blocker = NO_SLOT
    game.lots[:] = 0
    first = attacking if winner == NO_SEAT else winner
    if settle(table, game, first, 1 - first, faller):
        jump(game)
    else:
        game.phase = NEXT_ATTACK


@rule
def reveal_lots(game):
    """9.8 Both lots are turned up at once: each seat is told the other's, beside what it has just been told."""
    for seat in range(2):
        code = np.int64(0)
        for slot in range(DECK_SIZE):
            if game.zone[seat, slot] == WORN:
                card = np.int64(game.lists[seat, slot])
                note(game, REVEALS, seat, card, 0, BOTH)
                code += (card + 1) * (card + 3) * 7919
        if code > 0:
            told = np.int64(game.told[1 - seat])
            game.told[1 - seat] = (code + (told + 2) * 251) & MOST_TOLD


@rule
def reward_of(table, game, winner):
    """10.7 The printed sum of the character that has won. 10.8 A main wins nothing. (Option `duel_reward`: the printed
    sum of the fighter that has lost.)"""
    if winner == NO_SEAT or fighter_of(game, winner) == MAIN_SLOT:
        return np.int64(0)
    of = 1 - winner if table.loser_sum else winner
    card = table.cards[fighter_card(game, of, fighter_of(game, of))]
    return np.int64(card.attack) + card.defend


@rule
def clear_equipment(table, game, seat, winner):
    """10.12 Potions are spent; weapon and armour of a loser are lost, others return to the pool. Returns the teeth
    that the potions bring (9.4)."""
    teeth = 0
    for slot in range(DECK_SIZE):
        if game.zone[seat, slot] == WORN:
            item = game.lists[seat, slot]
            if table.cards[item].subtype == POTION:
                teeth += table.cards[item].drink_teeth
                lose_item(table, game, seat, slot)
                note(game, SPENDS, seat, item, 0, BOTH)
            elif winner == 1 - seat:
                lose_item(table, game, seat, slot)
                note(game, LOSES_ITEM, seat, item, 0, BOTH)
            else:
                game.zone[seat, slot] = POOL
                note(game, ITEM_BACK, seat, item, 0, BOTH)
    return np.int64(teeth)


@rule
def lose_character(game, seat):
    """10.5, 10.6 A character that has not won is destroyed; a main stays."""
    slot = fighter_of(game, seat)
    if slot != MAIN_SLOT:
        game.zone[seat, slot] = DISCARD
        game.field_size[seat] -= 1
        note(game, DIES, seat, game.lists[seat, slot], 0, BOTH)


@rule
def fallen(table, game, winner):
    """10.9 Whose defending main has lost falls a level; 10.10 the attacking one too. (Option `main_attack_leveldown`.)
    NO_SEAT if nobody falls."""
    if winner == NO_SEAT or fighter_of(game, 1 - winner) != MAIN_SLOT:
        return NO_SEAT
    if 1 - winner == game.active and not table.main_attack_falls:
        return NO_SEAT
    return 1 - winner
