"""What a seat sees, as named pieces over one float32 buffer. Index 0 of every pair is the observer, 1 the other seat.

Cards are planes in the order of the card numbers: of all cards but mains, or of one type alone. Both deck lists are
open, so what lies in no open place and not in the own hand is known as a collection. Nothing here tells the order of
a deck, and nothing tells which items lie face down (RULES.md, 13.10): to the other seat they still lie in the pool.
"""

import numpy as np

from duelbench.envs.jit import rule
from duelbench.envs.wizard_in_training.cards import (
    FIRST_CHARACTER,
    FIRST_MAIN,
    FIRST_SPELL,
    MAX_MODES,
    NUM_CHARACTERS,
    NUM_ITEMS,
    NUM_MAINS,
    NUM_PLAYABLE,
    NUM_SPELLS,
)
from duelbench.envs.wizard_in_training.duels import attack_value, defend_value, fighter_of, fighter_value
from duelbench.envs.wizard_in_training.state import (
    CAST,
    CHOOSING_MODE,
    DECISIONS,
    DECK,
    DECK_SIZE,
    DISCARD,
    EVERY_DUEL,
    FIELD,
    FIRST_DUEL,
    HAND,
    HAND_LIMIT,
    HELD,
    LAST_LEVEL,
    MAIN_SLOT,
    NO_SLOT,
    POOL,
    THRESHOLDS,
    USED,
    fighter_card,
    total,
)

PER_COPY = 0.5
"""What one copy of a card adds to its entry of a plane."""
MANY_TURNS = 100
MOST_TURNS = 400
MOST_TEETH = THRESHOLDS[LAST_LEVEL]
MUCH = 10
"""A large attack or defend."""

_PIECES = (
    ("decision", (len(DECISIONS),), "one-hot: the kind of decision that is pending"),
    ("my_decision", (), "1 when the observer has to decide"),
    ("my_turn", (), "1 when it is the observer's turn"),
    ("turn_number", (), f"the turn being played, divided by {MANY_TURNS}; at most 1"),
    ("turns_left", (), f"turns that may follow it, divided by {MOST_TURNS}; at most 1"),
    ("level", (2, LAST_LEVEL), "one-hot: levels 1 to 5"),
    ("total", (2,), f"dragon teeth in all, divided by {MOST_TEETH}"),
    ("earned", (2,), f"dragon teeth in the counter, divided by {MOST_TEETH}"),
    ("missing", (2,), f"dragon teeth missing to the next level, divided by {MOST_TEETH}; 0 when none is"),
    ("deck_size", (2,), f"cards in the deck, divided by {DECK_SIZE}"),
    ("hand_size", (2,), f"cards in hand, divided by {2 * HAND_LIMIT}"),
    ("kept", (2,), f"cards in hand that both seats know to be no items, divided by {2 * HAND_LIMIT}"),
    ("field_size", (2,), "characters on the field, divided by 2"),
    ("main_attack", (2,), f"printed attack of the main, divided by {MUCH}"),
    ("main_defend", (2,), f"printed defend of the main, divided by {MUCH}"),
    ("main_fought", (2,), "1 when the main has attacked in this turn"),
    ("duels", (), "duels begun in this turn, divided by 4"),
    ("boost", (2, 2, 2), f"changes of a fighter's attack and defend in the next duel, and in all, divided by {MUCH}"),
    ("attack", (2,), f"current attack of the fighter in a duel, without what lies face down, divided by {MUCH}"),
    ("defend", (2,), f"current defend of the fighter in a duel, without what lies face down, divided by {MUCH}"),
    ("main_fights", (2,), "1 when the main is the fighter in a duel"),
    ("lots", (2,), "items that the fighter in a duel has been given, divided by 5"),
    ("mode", (MAX_MODES,), "one-hot: the mode of the spell being cast, once it is named"),
    ("owed", (), f"dragon teeth still to be stolen by it, divided by {MOST_TEETH}"),
    ("stolen", (), f"dragon teeth stolen by it, divided by {MOST_TEETH}"),
    ("to_give_up", (), "hand cards that its victim has still to discard, divided by 3"),
    ("mains", (2, NUM_MAINS), "mains, one-hot: the main"),
    ("hand", (NUM_PLAYABLE,), "all but mains: copies in the observer's hand, divided by 2"),
    ("deck_cards", (NUM_PLAYABLE,), "all but mains: copies in the observer's deck, divided by 2"),
    ("unseen", (NUM_PLAYABLE,), "all but mains: copies in the other's hand and deck together, divided by 2"),
    ("possible", (NUM_PLAYABLE,), "all but mains: copies of these that may be in the hand, divided by 2"),
    (
        "pool",
        (2, NUM_ITEMS),
        "items: copies in the pool, those that lie face down before the other included, divided by 2",
    ),
    ("worn", (2, NUM_ITEMS), "items: copies that the fighter in a duel has been given, as far as seen, divided by 2"),
    ("held", (2, NUM_ITEMS), "items: the one that is held for the spell being cast"),
    ("field", (2, NUM_CHARACTERS), "characters: those on the field"),
    ("fought", (2, NUM_CHARACTERS), "characters: those on the field that have fought in this turn"),
    ("fighter", (2, NUM_CHARACTERS), "characters: the fighter in a duel"),
    ("spell", (2, NUM_SPELLS), "spells: the one being cast"),
    ("used", (2, NUM_SPELLS), "spells: those cast in this turn, without countered ones"),
    ("discard", (2, NUM_PLAYABLE), "all but mains: copies among the discards, divided by 2"),
)

VIEW = np.dtype([(name, np.float32, shape) if shape else (name, np.float32) for name, shape, _ in _PIECES])
MEANINGS = {name: meaning for name, _, meaning in _PIECES}


@rule
def observe(table, game, seat, view):
    """Write all that `seat` knows; see MEANINGS for each piece."""
    clear_view(view)
    see_situation(table, game, seat, view)
    see_spell(game, view)
    for side in range(2):
        of = seat ^ side
        see_seat(table, game, of, side, view)
        see_boosts(game, of, side, view)
        see_duel(table, game, seat, of, side, view)
        see_open_cards(table, game, of, side, view)
    see_own_cards(game, seat, view)
    see_unseen_cards(game, 1 - seat, view)


@rule
def clear_view(view):
    """Only what the other functions do not write in any case."""
    view.decision[:] = 0
    view.level[:] = 0
    view.main_fights[:] = 0
    view.mode[:] = 0
    view.mains[:] = 0
    view.hand[:] = 0
    view.deck_cards[:] = 0
    view.unseen[:] = 0
    view.possible[:] = 0
    view.pool[:] = 0
    view.worn[:] = 0
    view.held[:] = 0
    view.field[:] = 0
    view.fought[:] = 0
    view.fighter[:] = 0
    view.spell[:] = 0
    view.used[:] = 0
    view.discard[:] = 0


@rule
def see_situation(table, game, seat, view):
    view.decision[game.phase] = 1
    view.my_decision = game.over == 0 and game.to_act == seat
    view.my_turn = game.active == seat
    view.turn_number = min(game.turn_number / MANY_TURNS, 1)
    view.turns_left = min((table.max_turns - game.turn_number) / MOST_TURNS, 1)
    view.duels = game.duels / 4


@rule
def see_spell(game, view):
    if game.spell != NO_SLOT and game.phase != CHOOSING_MODE:
        view.mode[game.mode] = 1
    view.owed = game.owed / MOST_TEETH
    view.stolen = game.stolen / MOST_TEETH
    view.to_give_up = game.to_give_up / 3


@rule
def see_seat(table, game, of, side, view):
    """Numbers of seat `of` that lie open; one that has graduated or fallen from level 1 has no level."""
    level = game.level[of]
    teeth = total(game, of)
    view.missing[side] = 0
    if 1 <= level <= LAST_LEVEL:
        view.level[side, level - 1] = 1
        view.missing[side] = max(THRESHOLDS[level] - teeth, 0) / MOST_TEETH
    view.total[side] = teeth / MOST_TEETH
    view.earned[side] = game.earned[of] / MOST_TEETH
    view.deck_size[side] = game.deck_size[of] / DECK_SIZE
    view.hand_size[side] = game.hand_size[of] / (2 * HAND_LIMIT)
    view.kept[side] = game.kept[of] / (2 * HAND_LIMIT)
    view.field_size[side] = game.field_size[of] / 2
    main = game.mains[of]
    view.mains[side, main - FIRST_MAIN] = 1
    view.main_attack[side] = table.cards[main].attack / MUCH
    view.main_defend[side] = table.cards[main].defend / MUCH
    view.main_fought[side] = game.fought[of, MAIN_SLOT]


@rule
def see_boosts(game, of, side, view):
    first = 0 if of == game.active else 2
    for scope in range(2):
        view.boost[side, scope, 0] = game.boost[scope, first] / MUCH
        view.boost[side, scope, 1] = game.boost[scope, first + 1] / MUCH


@rule
def see_duel(table, game, seat, of, side, view):
    """The fighter of seat `of` and its values; zeros without a duel, and before somebody defends."""
    view.lots[side] = game.lots[of] / 5
    view.attack[side] = view.defend[side] = 0
    if game.attacker == NO_SLOT:
        return
    fighter = fighter_of(game, of)
    if fighter == NO_SLOT:
        return
    if fighter == MAIN_SLOT:
        view.main_fights[side] = 1
    else:
        view.fighter[side, game.lists[of, fighter] - FIRST_CHARACTER] = 1
    attack, defend = shown_values(table, game, seat, of)
    view.attack[side] = attack / MUCH
    view.defend[side] = defend / MUCH


@rule
def face_down(table, seat, of):
    """13.10 Whether the items that seat `of` has given its fighter are hidden from `seat`."""
    return table.hidden_equipment == 1 and seat != of


@rule
def shown_values(table, game, seat, of):
    """Attack and defend of the fighter of seat `of` as `seat` sees them: without what lies face down."""
    if not face_down(table, seat, of):
        return attack_value(table, game, of), defend_value(table, game, of)
    card = table.cards[fighter_card(game, of, fighter_of(game, of))]
    first = 0 if of == game.active else 2
    attack = fighter_value(table, game, of, card.attack)
    defend = fighter_value(table, game, of, card.defend)
    attack += game.boost[FIRST_DUEL, first] + game.boost[EVERY_DUEL, first]
    defend += game.boost[FIRST_DUEL, first + 1] + game.boost[EVERY_DUEL, first + 1]
    return max(attack, 0), max(defend, 0)


@rule
def see_open_cards(table, game, of, side, view):
    """What lies in no hand and no deck. Items in use that the observer does not see still count as in the pool."""
    hidden = face_down(table, 0, side)
    for slot in range(DECK_SIZE):
        zone = game.zone[of, slot]
        if zone <= HAND:
            continue
        card = game.lists[of, slot]
        if zone == POOL:
            view.pool[side, card] += PER_COPY
        elif zone == DISCARD:
            view.discard[side, card] += PER_COPY
        elif zone == FIELD:
            view.field[side, card - FIRST_CHARACTER] = 1
            view.fought[side, card - FIRST_CHARACTER] = game.fought[of, slot]
        elif zone == USED:
            view.used[side, card - FIRST_SPELL] = 1
        elif zone == CAST:
            view.spell[side, card - FIRST_SPELL] = 1
        elif zone == HELD:
            view.held[side, card] = 1
        elif hidden:
            view.pool[side, card] += PER_COPY
        else:
            view.worn[side, card] += PER_COPY


@rule
def see_own_cards(game, seat, view):
    for slot in range(DECK_SIZE):
        zone = game.zone[seat, slot]
        if zone == DECK:
            view.deck_cards[game.lists[seat, slot]] += PER_COPY
        elif zone == HAND:
            view.hand[game.lists[seat, slot]] += PER_COPY


@rule
def see_unseen_cards(game, other, view):
    """13.3 What hand and deck of the other hold together; 13.4, 13.5 which of it may be in the hand.

    The card of the hand that was drawn last is the least bound: what it cannot be, none of them can.
    """
    size = game.hand_size[other]
    latest = np.int64(game.drawn_at[other, size - 1]) if size > 0 else np.int64(-1)
    items = size > game.kept[other]
    for slot in range(DECK_SIZE):
        if game.zone[other, slot] <= HAND:
            card = game.lists[other, slot]
            view.unseen[card] += PER_COPY
            if game.since[other, slot] <= latest and (items or card >= NUM_ITEMS):
                view.possible[card] += PER_COPY
