"""Wizard in Training, by the sections of RULES.md; section 11 is `levels`, 13 `knowledge`, 8 to 10 `duels`, 2 `setup`.

No rule checks that its caller was entitled to call it: `legal` says what may be done, `apply` does it, and the
public faces refuse everything else. A turn runs until somebody has to decide; `phase` then names the decision and
`to_act` the seat, and `apply` goes on from there.
"""

from duelbench.envs import dispatch
from duelbench.envs.dispatch import NOTHING_TOLD
from duelbench.envs.events import BOTH, note
from duelbench.envs.jit import rule
from duelbench.envs.wizard_in_training.cards import NO_CARD, NUM_ITEMS
from duelbench.envs.wizard_in_training.duels import (
    attack_or_end,
    block,
    equip,
    fight,
    legal_attacks,
    legal_blocks,
    legal_equipment,
    next_attack,
    offer_block,
    offer_equipment,
)
from duelbench.envs.wizard_in_training.encoding import observe
from duelbench.envs.wizard_in_training.knowledge import determinize, keep_hand, leave_hand, rewind
from duelbench.envs.wizard_in_training.levels import end_by_cap, end_item_batch, recycle
from duelbench.envs.wizard_in_training.setup import set_up
from duelbench.envs.wizard_in_training.spells import (
    after_spell,
    answer,
    begin_stealing,
    cast,
    choose_mode,
    declare,
    destroy,
    destroy_next,
    give_up,
    hold,
    legal_counters,
    legal_payments,
    legal_requirements,
    legal_spells,
    legal_targets,
    make_discard,
    next_spell,
    open_window,
    pay,
    steal_next,
)
from duelbench.envs.wizard_in_training.state import (
    AFTER_SPELL,
    ATTACKING,
    BLOCKING,
    CASTING,
    CHOOSING_MODE,
    COUNTER_WINDOW,
    COUNTERING,
    DECK_SIZE,
    DECLARING,
    DESTROYING,
    DESTROYING_NEXT,
    DISCARD,
    DISCARD_CARD,
    DISCARDING,
    DISCARDS,
    EQUIPPING,
    EQUIPPING_ATTACKER,
    EQUIPPING_DEFENDER,
    EVERY_REDRAW,
    FIGHTING,
    FINISHED,
    HAND,
    HAND_LIMIT,
    HOLDING,
    MAKING_DISCARD,
    MODE,
    NEXT_ATTACK,
    NEXT_SPELL,
    OFFERING_BLOCK,
    PASS,
    PAYING,
    PLACES,
    POOL,
    REDRAW_PHASE,
    REDRAWING,
    REFILLING,
    RESOLVING,
    SPELL_PHASE,
    SPELLS_LEAVE,
    STATE,
    STEALING,
    TURN,
    TURN_BEGINS,
    USED,
    find,
)
from duelbench.envs.wizard_in_training.steps import ask, draw, jump

# --- 2. Set-up ------------------------------------------------------------------------------------------------


@rule
def deal(table, game, seed):
    """2. Decks are chosen and shuffled, hands are drawn, and the first turn begins."""
    game.rng = seed
    game.n_events = 0
    game.told[:] = NOTHING_TOLD
    set_up(table, game)
    for seat in range(2):
        for _ in range(HAND_LIMIT):
            draw(game, seat)
    game.phase = TURN_BEGINS
    run_on(table, game)


# --- 3. The turn ----------------------------------------------------------------------------------------------


@rule
def run_on(table, game):
    """Go through the steps of the turn, and of those after it, until a seat has to decide or the game is over."""
    while game.phase > FINISHED:
        if game.phase <= COUNTER_WINDOW:
            run_declaration(table, game)
        elif game.phase <= AFTER_SPELL:
            run_spell(table, game)
        elif game.phase <= FIGHTING:
            run_duel(table, game)
        elif game.phase == REDRAWING:
            begin_redraw(game)
        else:
            refill(table, game)


@rule
def run_declaration(table, game):
    if game.phase == TURN_BEGINS:
        begin_turn(table, game)
    elif game.phase == NEXT_SPELL:
        next_spell(game)
    elif game.phase == DECLARING:
        declare(table, game)
    else:
        open_window(table, game)


@rule
def run_spell(table, game):
    if game.phase == RESOLVING:
        begin_stealing(table, game)
    elif game.phase == STEALING:
        steal_next(table, game)
    elif game.phase == DESTROYING_NEXT:
        destroy_next(table, game)
    elif game.phase == MAKING_DISCARD:
        make_discard(table, game)
    else:
        after_spell(table, game)


@rule
def run_duel(table, game):
    if game.phase == NEXT_ATTACK:
        next_attack(table, game)
    elif game.phase == EQUIPPING_ATTACKER:
        offer_equipment(table, game, game.active)
    elif game.phase == OFFERING_BLOCK:
        offer_block(table, game)
    elif game.phase == EQUIPPING_DEFENDER:
        offer_equipment(table, game, 1 - game.active)
    else:
        fight(table, game)


@rule
def begin_turn(table, game):
    game.turn_number += 1
    game.fought[:] = 0
    game.duels = 0
    game.boost[:] = 0
    note(game, TURN, game.active, NO_CARD, min(game.turn_number, 127), BOTH)
    place_items(table, game, game.active)
    if end_item_batch(table, game, game.active):
        jump(game)
    else:
        note(game, SPELL_PHASE, game.active, NO_CARD, 0, BOTH)
        ask(game, CASTING, game.active)


# --- 4. Item phase --------------------------------------------------------------------------------------------


@rule
def place_items(table, game, seat):
    """4.1 All items of the hand go to the pool at once, wanted or not."""
    for slot in range(DECK_SIZE):
        card = game.lists[seat, slot]
        if game.zone[seat, slot] == HAND and card < NUM_ITEMS:
            leave_hand(game, seat, slot, POOL)
            game.placed[seat] += table.cards[card].teeth
            note(game, PLACES, seat, card, table.cards[card].teeth, BOTH)
    keep_hand(game, seat)


# --- 12. Discard/Redraw ---------------------------------------------------------------------------------------


@rule
def begin_redraw(game):
    """12.1 Used spells go to the discards, then the seat may discard. 7.11 Changes of duels have lapsed."""
    seat = game.active
    game.boost[:] = 0
    note(game, REDRAW_PHASE, seat, NO_CARD, 0, BOTH)
    for slot in range(DECK_SIZE):
        if game.zone[seat, slot] == USED:
            game.zone[seat, slot] = DISCARD
            note(game, SPELLS_LEAVE, seat, game.lists[seat, slot], 0, BOTH)
    ask_to_discard(game, seat)


@rule
def ask_to_discard(game, seat):
    if game.hand_size[seat] > 0:
        ask(game, DISCARDING, seat)
    else:
        game.phase = REFILLING


@rule
def legal_discards(game, seat, mask):
    """12.1 Any cards. 12.2 But a hand above the limit must come down to it."""
    mask[PASS] = game.hand_size[seat] <= HAND_LIMIT
    mark_hand(game, seat, mask)


@rule
def mark_hand(game, seat, mask):
    for slot in range(DECK_SIZE):
        if game.zone[seat, slot] == HAND:
            mask[DISCARD_CARD + game.lists[seat, slot]] = 1


@rule
def discard_or_draw(game, seat, action):
    if action == PASS:
        game.phase = REFILLING
        return
    slot = find(game, seat, action - DISCARD_CARD, HAND)
    leave_hand(game, seat, slot, DISCARD)
    note(game, DISCARDS, seat, game.lists[seat, slot], 0, BOTH)
    ask_to_discard(game, seat)


@rule
def refill(table, game):
    """12.1 Up to five cards in hand. 3.5 Then the turn is over and, after the last one of all, the game."""
    seat = game.active
    if table.recycle == EVERY_REDRAW:
        recycle(game, seat)
    for _ in range(HAND_LIMIT - game.hand_size[seat]):
        draw(game, seat)
    if game.turn_number >= table.max_turns:
        end_by_cap(game)
    else:
        game.active = 1 - seat
        game.phase = TURN_BEGINS


# --- What may be done, and doing it ---------------------------------------------------------------------------


@rule
def legal(table, game, mask):
    """mask[action] = 1 for what the seat to act may do; all zero exactly when the game is over."""
    mask[:] = 0
    seat = game.to_act
    if game.phase == DISCARDING:
        legal_discards(game, seat, mask)
    elif game.phase == CASTING:
        legal_spells(table, game, seat, mask)
    elif game.phase == ATTACKING:
        legal_attacks(table, game, seat, mask)
    elif game.phase == BLOCKING:
        legal_blocks(game, seat, mask)
    elif game.phase == EQUIPPING:
        legal_equipment(table, game, seat, mask)
    elif game.phase == COUNTERING:
        legal_counters(table, game, seat, mask)
    elif game.phase == PAYING:
        legal_payments(table, game, seat, mask)
    elif game.phase != FINISHED:
        legal_in_spell(table, game, seat, mask)


@rule
def legal_in_spell(table, game, seat, mask):
    if game.phase == CHOOSING_MODE:
        spell = table.cards[game.lists[seat, game.spell]]
        for mode in range(spell.num_modes):
            mask[MODE + mode] = 1
    elif game.phase == HOLDING:
        legal_requirements(table, game, seat, mask)
    elif game.phase == DESTROYING:
        legal_targets(table, game, mask)
    else:
        mark_hand(game, seat, mask)


@rule
def apply(table, game, action):
    """Carry out a legal action and everything that follows from it, up to the next decision."""
    seat = game.to_act
    game.n_events = 0
    game.told[seat] = NOTHING_TOLD
    game.told[1 - seat] = action
    if game.phase == DISCARDING:
        discard_or_draw(game, seat, action)
    elif game.phase == CASTING:
        cast(game, seat, action)
    elif game.phase == ATTACKING:
        attack_or_end(table, game, seat, action)
    elif game.phase == BLOCKING:
        block(table, game, seat, action)
    elif game.phase == EQUIPPING:
        equip(table, game, seat, action)
    elif game.phase == COUNTERING:
        answer(table, game, seat, action)
    elif game.phase == PAYING:
        pay(table, game, seat, action)
    else:
        go_on_with_spell(table, game, seat, action)
    run_on(table, game)


@rule
def go_on_with_spell(table, game, seat, action):
    if game.phase == CHOOSING_MODE:
        choose_mode(table, game, seat, action)
    elif game.phase == HOLDING:
        hold(game, seat, action)
    elif game.phase == DESTROYING:
        destroy(table, game, action)
    else:
        give_up(table, game, seat, action)


dispatch.register(STATE, deal=deal, legal=legal, apply=apply, observe=observe, determinize=determinize, rewind=rewind)
