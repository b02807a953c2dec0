"""What the hand-written Wizard in Training player holds things to be worth, in dragon teeth.

Five levels cost 80 teeth together, so how far a player has come is a number of teeth, and an action is worth what it
changes in the own number and in the other's. Nothing here reads the other's hand or the order of a deck.
"""

import numpy as np

from duelbench.envs.jit import rule
from duelbench.envs.wizard_in_training.cards import (
    ARMOUR,
    EQUIPMENT_BONUS,
    FIRST_CHARACTER,
    FIRST_SPELL,
    NUM_ITEMS,
    POTION,
    WEAPON,
)
from duelbench.envs.wizard_in_training.state import (
    DECK,
    DECK_SIZE,
    EQUIPPING,
    FIELD,
    HAND,
    HAND_LIMIT,
    LAST_LEVEL,
    MAIN_SLOT,
    NO_SLOT,
    POOL,
    THRESHOLDS,
    WORN,
    total,
)

WEIGHTS = {
    "rise": 3.0,  # a level beyond the teeth that it costs: it opens cards, and is one more to lose
    "prize": 50.0,  # the end of the game
    "urgent": 1.5,  # teeth of the other at level 5 count so often
    "gear": 0.3,  # a weapon or armour beyond its teeth
    "brew": 0.3,  # a potion beyond its teeth
    "fighter": 0.25,  # a character, for each point of attack and defend
    "nerve": 0.7,  # how likely the other attacks when it can
    "kept": 1.8,  # how much likelier than another card one that was kept is a certain character
    "later": 0.15,  # cards of the next level, against playable ones
    "much_later": 0.05,  # cards of higher levels
    "theft": 0.9,  # a tooth stolen, when a card is kept for it
    "ruin": 2.0,  # a card destroyed
    "rob": 0.7,  # a hand card that the other discards
    "point": 0.5,  # a point of attack or defend in a duel to come
    "hold": 0.8,  # a spell that is not cast now, against its worth
    "counter": 0.6,  # what a counter in hand will prevent, against the spell's worth
    "again": 0.4,  # an attack in the next turn, against one in this turn
    "second": 0.2,  # a second blocker, against the first
    "exposed": 0.8,  # to stand without a blocker before a sure attack, against a fall
    "draw": 0.7,  # a card drawn by a spell, against the mean of the deck
    "patience": 0.0,  # by how much an attack must pay
}
"""The player's weights, in teeth or as factors; found by play against itself."""
TASTE = np.dtype([(name, np.float64) for name in WEIGHTS])

STEPS = np.array([0, 0, 8, 20, 36, 56, 80], np.int64)
"""By level: the teeth that the levels below it have cost."""
MOST_BREWS = 16
MOST_FOES = 10
REACH = 32
"""Attack and defend numbers above this count as this."""

FOE = np.dtype(
    [
        ("attack", np.int64),
        ("defend", np.int64),
        ("teeth", np.int64),  # what it earns by a victory
        ("worth", np.float64),
        ("open", np.int8),  # 1: it lies on the field
    ]
)
BREW = np.dtype(
    [
        ("potions", np.int64),  # bits by slot
        ("attack", np.int64),
        ("defend", np.int64),
        ("teeth", np.int64),
        ("cost", np.float64),
    ]
)
CELL = np.dtype(
    [
        ("known", np.int8),
        ("falls", np.float64),  # how likely the other's main falls
        ("holds", np.float64),  # its main stops the attacker
        ("wins", np.float64),  # the attacker beats a blocker
        ("ties", np.float64),
        ("loses", np.float64),
        ("won", np.float64),  # the mean worth of what is destroyed, times the chance
        ("tied", np.float64),
        ("earned", np.float64),  # the other's mean reward, times the chance
        ("beaten", np.float64),  # the mean teeth of beaten blockers, times the chance
    ]
)
BOOK = np.dtype(
    [
        ("taste", TASTE),
        ("none", np.float64, MOST_FOES + 1),  # by number of characters: how likely the other holds none of so many
        ("draw", np.float64),  # the worth of a card that is drawn
        ("threat", np.float64),  # how likely the other's next turn brings an attack that fells the own main
        ("guard", np.float64),  # what it costs to be left without a blocker
        ("brews", BREW, (2, MOST_BREWS)),  # by seat: what can be drunk together; the first is nothing
        ("num_brews", np.int64, (2,)),
        ("foes", FOE, MOST_FOES),  # who may block; the last one is the other's main
        ("num_foes", np.int64),
        ("hunters", FOE, MOST_FOES),  # who may attack in the other's turn
        ("num_hunters", np.int64),
        ("cells", CELL, (REACH, REACH)),  # by attack and defend: how an attack goes
        # the best attack that was found
        ("attack_by", np.int64),
        ("weapon", np.int64),
        ("armour", np.int64),
        ("drunk", np.int64),
    ]
)
"""What the player works out before a decision."""


# --- Levels ---------------------------------------------------------------------------------------------------


@rule
def standing(book, level, teeth):
    """How far a player with that level and total has come."""
    if level > LAST_LEVEL:
        return STEPS[LAST_LEVEL + 1] + book.taste.rise * LAST_LEVEL + book.taste.prize
    if level < 1:
        return -book.taste.prize
    return STEPS[level] + book.taste.rise * level + min(teeth, THRESHOLDS[level])


@rule
def gain_worth(game, book, seat, teeth):
    """What the seat has of so many teeth of a spell or duel: a surplus over the level is lost."""
    level, have = np.int64(game.level[seat]), total(game, seat)
    before = standing(book, level, have)
    if teeth > 0 and have + teeth >= THRESHOLDS[level]:
        return standing(book, level + 1, 0) - before
    return standing(book, level, have + teeth) - before


@rule
def rises_by(game, seat, teeth):
    return teeth > 0 and total(game, seat) + teeth >= THRESHOLDS[game.level[seat]]


@rule
def fall_cost(game, book, seat):
    level = np.int64(game.level[seat])
    return standing(book, level, total(game, seat)) - standing(book, level - 1, 0)


@rule
def stealable(table, game, victim):
    """All that the victim could pay."""
    have = np.int64(game.earned[victim])
    for slot in range(DECK_SIZE):
        if game.zone[victim, slot] == POOL or game.zone[victim, slot] == FIELD:
            have += payment(table, game.lists[victim, slot])
    return have


@rule
def payment(table, card):
    """7.4 What the card pays of stolen teeth."""
    return np.int64(table.cards[card].teeth if card < NUM_ITEMS else table.cards[card].level)


@rule
def loss_weight(game, book, seat):
    return book.taste.urgent if game.level[seat] == LAST_LEVEL else 1.0


# --- Cards ----------------------------------------------------------------------------------------------------


@rule
def is_fighter(game, seat, slot):
    return FIRST_CHARACTER <= game.lists[seat, slot] < FIRST_SPELL


@rule
def is_item(game, seat, slot):
    return game.lists[seat, slot] < NUM_ITEMS


@rule
def item_worth(table, book, item):
    """An item of the pool: its teeth, and what else it is good for."""
    card = table.cards[item]
    worth = 1.0 * card.teeth
    if card.subtype == WEAPON or card.subtype == ARMOUR:
        worth += book.taste.gear
    elif card.subtype == POTION:
        worth += book.taste.brew
    return worth


@rule
def fighter_worth(table, book, card):
    return book.taste.fighter * (np.int64(table.cards[card].attack) + table.cards[card].defend)


@rule
def gear_of(table, game, seat, card, subtype):
    """The slot of the cheapest weapon or armour in the seat's pool that the fighter may wear, or NO_SLOT."""
    best = NO_SLOT
    for slot in range(DECK_SIZE):
        item = game.lists[seat, slot]
        if game.zone[seat, slot] == POOL and item < NUM_ITEMS and table.cards[item].subtype == subtype:
            wears = not (FIRST_CHARACTER <= card < FIRST_SPELL) or table.wears[card - FIRST_CHARACTER, item]
            if wears and (best == NO_SLOT or table.cards[item].teeth < table.cards[game.lists[seat, best]].teeth):
                best = slot
    return best


# --- The book -------------------------------------------------------------------------------------------------


@rule
def keep_book(table, game, book):
    """Work out all that does not hang on the decision."""
    me = game.to_act
    you = 1 - me
    if table.hidden_equipment and game.phase == EQUIPPING:
        forget_lot(game, you)
    see_odds(game, you, book)
    list_brews(table, game, me, book)
    list_brews(table, game, you, book)
    list_foes(table, game, you, book)
    see_threat(table, game, book)
    for attack in range(REACH):
        for defend in range(REACH):
            book.cells[attack, defend].known = 0
    book.draw = 0.0


@rule
def forget_lot(game, seat):
    """Items that lie face down are made up: they count as lying in the pool."""
    for slot in range(DECK_SIZE):
        if game.zone[seat, slot] == WORN:
            game.zone[seat, slot] = POOL


@rule
def see_odds(game, you, book):
    """How likely the other's hand holds none of so many unseen characters. Cards that it has kept are no items."""
    unseen, items = 0, 0
    for slot in range(DECK_SIZE):
        if game.zone[you, slot] <= HAND:
            unseen += 1
            items += game.lists[you, slot] < NUM_ITEMS
    kept, held = np.int64(game.kept[you]), np.int64(game.hand_size[you])
    for count in range(MOST_FOES + 1):
        chance = 1.0
        for token in range(held):
            if token < kept:
                share = book.taste.kept * count / max(unseen - items - token, 1)
            else:
                share = 1.0 * count / max(unseen - token, 1)
            chance *= max(1.0 - share, 0.0)
        book.none[count] = chance


@rule
def list_brews(table, game, seat, book):
    """All that the seat's fighter could drink: subsets of its potions, of the first four at most."""
    book.num_brews[seat] = 1
    first = book.brews[seat, 0]
    first.potions = first.attack = first.defend = first.teeth = 0
    first.cost = 0.0
    for slot in range(DECK_SIZE):
        card = game.lists[seat, slot]
        if game.zone[seat, slot] == POOL and card < NUM_ITEMS and table.cards[card].subtype == POTION:
            known = book.num_brews[seat]
            if 2 * known > MOST_BREWS:
                return
            potion = table.cards[card]
            for i in range(known):
                old, new = book.brews[seat, i], book.brews[seat, known + i]
                new.potions = old.potions | (1 << slot)
                new.attack = old.attack + potion.drink_attack
                new.defend = old.defend + potion.drink_defend
                new.teeth = old.teeth + potion.drink_teeth
                new.cost = old.cost + item_worth(table, book, card)
            book.num_brews[seat] = 2 * known


@rule
def write_foe(table, game, book, foe, seat, card, is_open, penalty):
    fighter = table.cards[card]
    weapon = gear_of(table, game, seat, card, WEAPON) != NO_SLOT
    armour = gear_of(table, game, seat, card, ARMOUR) != NO_SLOT
    foe.attack = fighter.attack - penalty + EQUIPMENT_BONUS * weapon
    foe.defend = fighter.defend - penalty + EQUIPMENT_BONUS * armour
    foe.teeth = np.int64(fighter.attack) + fighter.defend
    foe.worth = fighter_worth(table, book, card)
    foe.open = is_open


@rule
def list_foes(table, game, you, book):
    """Who may defend, and who may attack in the other's turn, with the best weapon and armour of the pool."""
    foes, hunters = 0, 0
    level = np.int64(game.level[you])
    for slot in range(DECK_SIZE):
        if not is_fighter(game, you, slot):
            continue
        card, zone = game.lists[you, slot], game.zone[you, slot]
        if zone != FIELD and zone > HAND:
            continue
        above = table.cards[card].level > level
        ready = (zone == FIELD and game.fought[you, slot] == 0) or (zone <= HAND and game.field_size[you] < 2)
        if ready and foes < MOST_FOES - 1:
            write_foe(table, game, book, book.foes[foes], you, card, zone == FIELD, 1 * above)
            foes += 1
        rests = game.active == you and game.fought[you, slot] == 1
        if not above and not rests and hunters < MOST_FOES:
            write_foe(table, game, book, book.hunters[hunters], you, card, zone == FIELD, 0)
            hunters += 1
    write_foe(table, game, book, book.foes[foes], you, game.mains[you], 1, 0)
    book.num_foes, book.num_hunters = foes, hunters


@rule
def result(table, attack, defend, enemy_attack, enemy_defend):
    """10.3, 10.4 Of a duel: 1 if the attacker wins, -1 if the defender does, 0 for a tie."""
    tied = -1 if table.tie_defender else 0
    if table.attack_vs_defend:
        if attack == enemy_defend:
            return tied
        return 1 if attack > enemy_defend else -1
    hit, hit_back = attack > enemy_defend, enemy_attack > defend
    if hit and hit_back:
        return 1 if table.double_hit_attacker else tied
    if hit == hit_back:
        return tied
    return 1 if hit else -1


@rule
def see_threat(table, game, book):
    """How likely the other can fell the own main in its next turn, and what it costs to have no blocker then."""
    me = game.to_act
    you = 1 - me
    main = table.cards[game.mains[me]]
    attack = main.attack + EQUIPMENT_BONUS * (gear_of(table, game, me, game.mains[me], WEAPON) != NO_SLOT)
    defend = main.defend + EQUIPMENT_BONUS * (gear_of(table, game, me, game.mains[me], ARMOUR) != NO_SLOT)
    hidden, shown = 0, False
    for i in range(book.num_hunters):
        hunter = book.hunters[i]
        for b in range(book.num_brews[you]):
            brew = book.brews[you, b]
            if result(table, hunter.attack + brew.attack, hunter.defend + brew.defend, attack, defend) > 0:
                shown |= hunter.open == 1
                hidden += hunter.open == 0
                break
    book.threat = book.taste.nerve * (1.0 if shown else 1.0 - book.none[min(hidden, MOST_FOES)])
    book.guard = book.taste.exposed * book.threat * fall_cost(game, book, me) * no_blocker_drawn(game, me)


@rule
def no_blocker_drawn(game, me):
    """How likely the next cards that the seat draws are no characters, before the other's turn comes."""
    if game.active != me:
        return 1.0
    cards, fighters = 0, 0
    for slot in range(DECK_SIZE):
        cards += game.zone[me, slot] == DECK
        fighters += game.zone[me, slot] == DECK and is_fighter(game, me, slot)
    share = fighters / max(cards, 1)
    drawn = HAND_LIMIT + 1 - game.hand_size[me]
    return (1.0 - share) ** max(drawn, 1)


@rule
def other_fighters(game, me, but):
    """Characters of the seat's hand and field, except the one in that slot."""
    count = 0
    for slot in range(DECK_SIZE):
        if slot != but and is_fighter(game, me, slot):
            count += game.zone[me, slot] == HAND or game.zone[me, slot] == FIELD
    return count


@rule
def fighter_loss(table, game, book, me, slot):
    """What the seat loses with a fighter of its own: the card, and its protection."""
    if slot == MAIN_SLOT:
        return 0.0
    share = 1.0 if other_fighters(game, me, slot) == 0 else book.taste.second
    return fighter_worth(table, book, game.lists[me, slot]) + share * book.guard
