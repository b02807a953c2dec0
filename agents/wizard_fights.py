"""How the hand-written Wizard in Training player weighs duels: attacks on all who may block, and its own defence."""

import numpy as np

from duelbench.agents.wizard_worth import (
    REACH,
    fall_cost,
    fighter_loss,
    fighter_worth,
    gain_worth,
    gear_of,
    is_fighter,
    item_worth,
    loss_weight,
    result,
)
from duelbench.envs.jit import rule
from duelbench.envs.wizard_in_training.cards import ARMOUR, EQUIPMENT_BONUS, NUM_ITEMS, POTION, WEAPON
from duelbench.envs.wizard_in_training.duels import attack_value, defend_value
from duelbench.envs.wizard_in_training.state import (
    DECK_SIZE,
    EVERY_DUEL,
    FIELD,
    FIELD_LIMIT,
    FIRST_DUEL,
    HAND,
    MAIN_SLOT,
    NO_SLOT,
    WORN,
    fighter_card,
    may_equip,
)

# --- What comes of an attack ----------------------------------------------------------------------------------


@rule
def best_result(table, game, book, attack, defend, foe):
    """The duel's result if the foe drinks what serves it best; its weapon and armour are counted in."""
    you = 1 - game.to_act
    best = 1
    for i in range(book.num_brews[you]):
        brew = book.brews[you, i]
        best = min(best, result(table, attack, defend, foe.attack + brew.attack, foe.defend + brew.defend))
    return best


@rule
def cell_of(table, game, book, attack, defend):
    """How an attack with these numbers goes, as a cell of the book; worked out once for a decision."""
    attack, defend = max(min(attack, REACH - 1), 0), max(min(defend, REACH - 1), 0)
    cell = book.cells[attack, defend]
    if cell.known == 0:
        cell.known = 1
        fill_cell(table, game, book, attack, defend, cell)
    return cell


@rule
def fill_cell(table, game, book, attack, defend, cell):
    """The other blocks with a winner, else lets its main hold, else ties, else gives a blocker up for the main.

    Blockers of the field are there; of the unseen ones the hand holds none with the chance of the book.
    """
    counts = np.zeros(3, np.int64)  # by result, -1, 0, 1: unseen characters
    shown = np.zeros(3, np.int64)
    teeth = np.zeros(3)
    worths = np.zeros(3)
    for i in range(book.num_foes):
        foe = book.foes[i]
        kind = best_result(table, game, book, attack, defend, foe) + 1
        if foe.open:
            shown[kind] += 1
        else:
            counts[kind] += 1
        teeth[kind] += foe.teeth
        worths[kind] += foe.worth
    left = 1.0
    beaten = 0
    main = best_result(table, game, book, attack, defend, book.foes[book.num_foes])
    chances = np.zeros(3)
    for kind in range(3):
        if kind == 1 and main < 1:
            break
        beaten += counts[kind]
        after = 0.0 if shown[kind] else min(book.none[beaten], left)
        chances[kind] = left - after
        left = after
    cell.holds = left if main < 1 else 0.0
    cell.falls = left if main == 1 else 0.0
    cell.loses, cell.ties, cell.wins = chances[0], chances[1], chances[2]
    cell.earned = chances[0] * teeth[0] / max(counts[0] + shown[0], 1)
    cell.tied = chances[1] * worths[1] / max(counts[1] + shown[1], 1)
    cell.won = chances[2] * worths[2] / max(counts[2] + shown[2], 1)
    cell.beaten = chances[2] * teeth[2] / max(counts[2] + shown[2], 1)


@rule
def printed_teeth(table, card):
    return np.int64(table.cards[card].attack) + table.cards[card].defend


@rule
def attack_worth(table, game, book, slot, attack, defend, gear, brew):
    """What the attack with these numbers is worth to the seat to act; `gear`: what weapon and armour are worth."""
    me = game.to_act
    you = 1 - me
    cell = cell_of(table, game, book, attack, defend)
    is_main = slot == MAIN_SLOT
    for_fall = 0 if is_main else printed_teeth(table, game.lists[me, slot])
    for_win = for_fall
    if table.loser_sum:
        for_fall = printed_teeth(table, game.mains[you])
        for_win = np.int64(cell.beaten / max(cell.wins, 1e-9))
    drunk = np.int64(brew.teeth)
    nothing = gain_worth(game, book, me, drunk)
    own = fighter_loss(table, game, book, me, slot)
    weight = loss_weight(game, book, you)
    value = cell.falls * (weight * fall_cost(game, book, you) + gain_worth(game, book, me, for_fall + drunk))
    value += cell.wins * gain_worth(game, book, me, for_win + drunk) + cell.won
    value += (cell.holds + cell.ties) * (nothing - own) + cell.tied
    lost = own + gear
    if cell.loses > 0:
        lost += weight * gain_worth(game, book, you, np.int64(round(cell.earned / cell.loses)))
        if is_main and table.main_attack_falls:
            lost += fall_cost(game, book, me)
    return value + cell.loses * (nothing - lost) - brew.cost


# --- Attacking ------------------------------------------------------------------------------------------------


@rule
def boost_of(game, side):
    return np.int64(game.boost[FIRST_DUEL, side]) + game.boost[EVERY_DUEL, side]


@rule
def may_attack(table, game, me, slot):
    """8.2, 8.4 to 8.6"""
    if slot == MAIN_SLOT:
        return game.field_size[me] == 0 and game.fought[me, slot] == 0
    if not is_fighter(game, me, slot) or table.cards[game.lists[me, slot]].level > game.level[me]:
        return False
    if game.zone[me, slot] == HAND:
        return game.field_size[me] < FIELD_LIMIT
    return game.zone[me, slot] == FIELD and game.fought[me, slot] == 0


@rule
def best_attack(table, game, book, attack, defend, other_attack, other_defend):
    """The worth of the seat's best attack in its Duel phase, with further changes by spells; 0 for none.

    Writes its fighter into the book, or NO_SLOT.
    """
    me = game.to_act
    best = 0.0
    book.attack_by = NO_SLOT
    if table.one_duel and game.duels > 0:
        return best
    for slot in range(DECK_SIZE + 1):
        if may_attack(table, game, me, slot):
            value = worth_of_attacker(table, game, book, slot, attack, defend, other_attack, other_defend)
            value -= book.taste.patience
            if value > best:
                best = value
                book.attack_by = slot
    return best


@rule
def worth_of_attacker(table, game, book, slot, attack, defend, other_attack, other_defend):
    me = game.to_act
    card = fighter_card(game, me, slot)
    strength = table.cards[card].attack + attack + boost_of(game, 0)
    guard = table.cards[card].defend + defend + boost_of(game, 1)
    other_attack += boost_of(game, 2)
    other_defend += boost_of(game, 3)
    weapon = gear_of(table, game, me, card, WEAPON)
    armour = gear_of(table, game, me, card, ARMOUR)
    return best_plan(table, game, book, slot, strength, guard, other_attack, other_defend, weapon, armour)


@rule
def gear_worth(table, game, book, slot):
    return 0.0 if slot == NO_SLOT else item_worth(table, book, game.lists[game.to_act, slot])


@rule
def best_plan(table, game, book, slot, strength, guard, other_attack, other_defend, weapon, armour):
    """The worth of the attack with the best choice among these weapon and armour slots and all drinks.

    Writes the choice into the book. What a spell takes off the other's numbers is put upon the own ones.
    """
    me = game.to_act
    best = -np.inf
    for i in range(4):
        arms, shields = i & 1, i >> 1
        if (arms and weapon == NO_SLOT) or (shields and armour == NO_SLOT):
            continue
        gear = arms * gear_worth(table, game, book, weapon) + shields * gear_worth(table, game, book, armour)
        for b in range(book.num_brews[me]):
            brew = book.brews[me, b]
            attack = max(strength + EQUIPMENT_BONUS * arms + brew.attack, 0) - other_defend
            defend = max(guard + EQUIPMENT_BONUS * shields + brew.defend, 0) - other_attack
            value = attack_worth(table, game, book, slot, attack, defend, gear, brew) - 0.01 * (arms + shields)
            if value > best:
                best = value
                book.weapon = weapon if arms else NO_SLOT
                book.armour = armour if shields else NO_SLOT
                book.drunk = brew.potions
    return best


# --- Equipment ------------------------------------------------------------------------------------------------


@rule
def free_gear(table, game, me, fighter, subtype):
    """The slot of the cheapest weapon or armour that the fighter may still take, or NO_SLOT."""
    best = NO_SLOT
    for slot in range(DECK_SIZE):
        item = game.lists[me, slot]
        if not may_equip(table, game, me, fighter, slot) or table.cards[item].subtype != subtype:
            continue
        if best == NO_SLOT or table.cards[item].teeth < table.cards[game.lists[me, best]].teeth:
            best = slot
    return best


@rule
def choose_equipment(table, game, book):
    """Write into the book what the seat's fighter should still take."""
    me = game.to_act
    fighter = np.int64(game.attacker if me == game.active else game.blocker)
    weapon = free_gear(table, game, me, fighter, WEAPON)
    armour = free_gear(table, game, me, fighter, ARMOUR)
    if me == game.active:
        show_blocker(table, game, book)
        strength, guard = attack_value(table, game, me), defend_value(table, game, me)
        other_attack, other_defend = boost_of(game, 2), boost_of(game, 3)
        best_plan(table, game, book, fighter, strength, guard, other_attack, other_defend, weapon, armour)
    else:
        strength, guard = attack_value(table, game, me), defend_value(table, game, me)
        best_defence(table, game, book, fighter, strength, guard, weapon, armour)


@rule
def show_blocker(table, game, book):
    """9.8 Under face-down equipment the attacker's player knows the blocker: it is the only foe."""
    you = 1 - game.to_act
    if game.blocker == NO_SLOT:
        return
    last = book.foes[book.num_foes]
    if game.blocker == MAIN_SLOT:
        book.foes[0].attack, book.foes[0].defend = last.attack, last.defend
        book.num_foes = 0
        return
    card = game.lists[you, game.blocker]
    fighter = table.cards[card]
    penalty = 1 * (fighter.level > game.level[you])
    foe = book.foes[0]
    foe.attack = fighter.attack - penalty + EQUIPMENT_BONUS * (gear_of(table, game, you, card, WEAPON) != NO_SLOT)
    foe.defend = fighter.defend - penalty + EQUIPMENT_BONUS * (gear_of(table, game, you, card, ARMOUR) != NO_SLOT)
    foe.teeth = printed_teeth(table, card)
    foe.worth = fighter_worth(table, book, card)
    foe.open = 1
    book.num_foes = 1
    # The main no longer takes part: whatever does not lose to the attacker holds it.
    book.foes[1].attack, book.foes[1].defend = foe.attack, foe.defend


# --- Defence --------------------------------------------------------------------------------------------------


@rule
def expected_attack(table, game):
    """The attacker's numbers: what lies open, and what may be face down or still be taken."""
    you = game.active
    attack, defend = attack_value(table, game, you), defend_value(table, game, you)
    if table.hidden_equipment:
        card = fighter_card(game, you, np.int64(game.attacker))
        most = np.int64(game.lots[you]) if game.blocker != NO_SLOT else 2
        if most > 0 and gear_of(table, game, you, card, WEAPON) != NO_SLOT:
            attack += EQUIPMENT_BONUS
            most -= 1
        if most > 0 and gear_of(table, game, you, card, ARMOUR) != NO_SLOT:
            defend += EQUIPMENT_BONUS
    return attack, defend


@rule
def worn_worth(table, game, book, seat):
    """Weapon and armour that the seat's fighter wears."""
    worth = 0.0
    for slot in range(DECK_SIZE):
        item = game.lists[seat, slot]
        if game.zone[seat, slot] == WORN and item < NUM_ITEMS and table.cards[item].subtype != POTION:
            worth += item_worth(table, book, item)
    return worth


@rule
def best_defence(table, game, book, fighter, strength, guard, weapon, armour):
    """The worth of defending with that fighter and the best of these slots and drinks, which the book then holds."""
    me = game.to_act
    attack, defend = expected_attack(table, game)
    worn = worn_worth(table, game, book, me)
    best = -np.inf
    for i in range(4):
        arms, shields = i & 1, i >> 1
        if (arms and weapon == NO_SLOT) or (shields and armour == NO_SLOT):
            continue
        gear = arms * gear_worth(table, game, book, weapon) + shields * gear_worth(table, game, book, armour) + worn
        for b in range(book.num_brews[me]):
            brew = book.brews[me, b]
            own_attack = max(strength + EQUIPMENT_BONUS * arms + brew.attack, 0)
            own_defend = max(guard + EQUIPMENT_BONUS * shields + brew.defend, 0)
            outcome = result(table, attack, defend, own_attack, own_defend)
            value = defence_worth(table, game, book, fighter, outcome, gear, brew.teeth) - brew.cost
            value -= 0.01 * (arms + shields)
            if value > best:
                best = value
                book.weapon = weapon if arms else NO_SLOT
                book.armour = armour if shields else NO_SLOT
                book.drunk = brew.potions
    return best


@rule
def defence_worth(table, game, book, fighter, outcome, gear, drunk):
    """What that result is worth to the defending seat."""
    me, you = 1 - game.active, np.int64(game.active)
    enemy = fighter_card(game, you, np.int64(game.attacker))
    own = fighter_card(game, me, fighter)
    weight = loss_weight(game, book, you)
    if outcome > 0:
        reward = 0 if game.attacker == MAIN_SLOT else printed_teeth(table, enemy)
        if table.loser_sum:
            reward = printed_teeth(table, own)
        theirs = weight * gain_worth(game, book, you, reward)
        if fighter == MAIN_SLOT:
            return -fall_cost(game, book, me) - gear - theirs
        return gain_worth(game, book, me, drunk) - fighter_loss(table, game, book, me, fighter) - gear - theirs
    killed = 0.0 if game.attacker == MAIN_SLOT else fighter_worth(table, book, enemy)
    if outcome == 0:
        return gain_worth(game, book, me, drunk) - fighter_loss(table, game, book, me, fighter) + killed
    reward = 0 if fighter == MAIN_SLOT else printed_teeth(table, own)
    if table.loser_sum:
        reward = printed_teeth(table, enemy)
    if game.attacker == MAIN_SLOT and table.main_attack_falls:
        killed += weight * fall_cost(game, book, you)
    return gain_worth(game, book, me, reward + drunk) + killed + worn_worth(table, game, book, you)


@rule
def block_worth(table, game, book, slot):
    """The worth of defending with the main or that character of hand or field, equipped as well as can be."""
    me = game.to_act
    card = fighter_card(game, me, slot)
    penalty = 1 if slot != MAIN_SLOT and table.cards[card].level > game.level[me] else 0
    strength = table.cards[card].attack - penalty + boost_of(game, 2)
    guard = table.cards[card].defend - penalty + boost_of(game, 3)
    weapon = gear_of(table, game, me, card, WEAPON)
    armour = gear_of(table, game, me, card, ARMOUR)
    return best_defence(table, game, book, slot, strength, guard, weapon, armour)
