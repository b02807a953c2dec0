"""Tommy Walker TGC, by the sections of RULES.md; section 6 is `power`, section 9 `knowledge`.

No rule checks that its caller was entitled to call it: `legal` says what may be done, `apply` does it, and the
public faces refuse everything else. A round runs until somebody has to decide; `phase` then names the decision and
`to_act` the seat, and `apply` goes on from there.
"""

import numpy as np

from duelbench.envs import dispatch
from duelbench.envs.dispatch import DRAWN, NOTHING_TOLD, SECRET
from duelbench.envs.events import BOTH, note
from duelbench.envs.jit import rule
from duelbench.envs.rng import below, shuffle
from duelbench.envs.tommy_walker.cards import NO_CARD, NUM_CARDS
from duelbench.envs.tommy_walker.encoding import observe
from duelbench.envs.tommy_walker.knowledge import (
    add_token,
    determinize,
    forget_everything,
    held_with,
    holds_settable,
    remove_token,
    rewind,
    show_draws,
    show_lost_card,
    take_top,
)
from duelbench.envs.tommy_walker.power import covers, has, power
from duelbench.envs.tommy_walker.state import (
    AFTER_DAMAGE,
    ANNOUNCES,
    AT_RIDE,
    ATS,
    BARRIER_LEAVES,
    BEGINNING,
    BY_CHOICE,
    BY_ITSELF,
    CLASHES,
    CLEANING,
    CLEANS_UP,
    COMPARING,
    COPIES,
    COPY,
    DAMAGING,
    DECK_OUT,
    DECK_SIZE,
    DECLINE,
    DECLINES,
    DISCARD_CARD,
    DISCARDS,
    DRAW,
    DRAWING,
    DRAWS,
    DREW,
    END,
    ENDS,
    ENTERING,
    ENTERS,
    ENTRY,
    FETCH,
    FETCHES,
    FINISHED,
    GAME_OVER,
    GETS_STUCK,
    LAY_BARRIER,
    LAYS_BARRIER,
    LOSES_CARD,
    MAX_PAID,
    MISPLAYS,
    NO_SEAT,
    NUM_ACTIONS,
    PAY,
    PAYING,
    PUT_BACK,
    PUTS_BACK,
    RETURNING,
    REVEALING,
    REVEALS,
    REVENGE,
    RIDE,
    RIDES,
    ROUND_BEGINS,
    ROUND_CAP,
    ROUND_WON,
    RUNNING,
    RUNS_OUT,
    SECOND_DRAWS,
    SET_CARD,
    SETS,
    STATE,
    STUCK,
    TAKES_BACK,
    TAKING_BACK,
    USE,
    USE_AT,
    attack_card,
)

# --- 1. Cards and places --------------------------------------------------------------------------------------


@rule
def leave_hand(game, seat, card):
    """A card leaves the hand openly; where it goes is the caller's matter."""
    game.hand[seat, card] -= 1
    game.hand_size[seat] -= 1
    remove_token(game, seat, card, game.returned[seat])


@rule
def enter_hand(game, seat, card):
    """A card comes to the hand openly."""
    game.hand[seat, card] += 1
    game.hand_size[seat] += 1
    add_token(game, seat, card)


@rule
def discard_from_hand(game, seat, card):
    leave_hand(game, seat, card)
    game.discard[seat, card] += 1
    note(game, DISCARDS, seat, card, 0, BOTH)


# --- 2. Decks and set-up --------------------------------------------------------------------------------------


@rule
def deal(table, game, seed):
    """2. The decks are chosen and shuffled; nobody has a hand before the first draw phase."""
    game.rng = seed
    clear(game)
    order = np.empty((2, DECK_SIZE), np.int8)
    for seat in range(2):
        # The places are shuffled, not the cards, and before the decks are chosen: another list of cards, or another
        # card in a list, changes nothing else.
        for i in range(DECK_SIZE):
            order[seat, i] = i
        shuffle(game, order[seat], DECK_SIZE)
    for seat in range(2):
        chosen = below(game, max(table.pool_size[seat], 1))
        for i in range(DECK_SIZE):
            if table.pool_size[seat] > 0:
                card = table.pool[seat, chosen, i]
            else:
                card = table.allowed[seat, below(game, table.num_allowed[seat])]
            game.deck[seat, order[seat, i]] = card
            game.lists[seat, card] += 1
    game.phase = BEGINNING
    run_on(table, game)


@rule
def clear(game):
    forget_everything(game)
    game.n_events = 0
    game.told[:] = NOTHING_TOLD
    game.over, game.winner, game.reason = 0, DRAWN, RUNNING
    game.round_number = 0
    game.lists[:] = 0
    game.deck_size[:] = DECK_SIZE
    game.hand[:] = 0
    game.hand_size[:] = 0
    game.discard[:] = 0
    game.stack[:] = NO_CARD
    game.stack_size[:] = 0
    game.barrier, game.barrier_seat = NO_CARD, NO_SEAT
    game.chosen[:] = NO_CARD
    game.drawn[:] = 0


@rule
def run_on(table, game):
    """Go through the steps of the round, and of those after it, until a seat has to decide or the game is over."""
    while game.phase > FINISHED:
        if game.phase == COMPARING:
            compare(table, game)
        elif game.phase == BEGINNING:
            begin_round(table, game)
        elif game.phase == SECOND_DRAWS:
            ask_to_draw(table, game, 1)
        elif game.phase == REVEALING:
            reveal(table, game)
        elif game.phase == ENTERING:
            next_entry(table, game)
        elif game.phase == DAMAGING:
            deal_damage(table, game)
        elif game.phase == AFTER_DAMAGE:
            next_take_back(table, game)
        else:
            clean_up(table, game)


@rule
def ask(game, phase, seat):
    game.phase = phase
    game.to_act = seat


@rule
def finish(game, winner, reason):
    """8.6 The game is over, and the table stays as it is."""
    game.over, game.winner, game.reason = 1, winner, reason
    game.phase = FINISHED
    note(game, GAME_OVER, winner, NO_CARD, reason, BOTH)


# --- 3. The draw phase ----------------------------------------------------------------------------------------


@rule
def begin_round(table, game):
    game.round_number += 1
    clear_round(game)
    note(game, ROUND_BEGINS, 0, NO_CARD, min(game.round_number, 127), BOTH)
    ask_to_draw(table, game, 0)


@rule
def clear_round(game):
    game.chosen[:] = NO_CARD
    game.drawn[:] = 0
    game.rode[:] = 0
    game.own_power[:] = 0
    game.copied_power[:] = 0
    game.copy_last[:] = 0
    game.paid[:] = 0
    game.round_winner = NO_SEAT
    game.entry_at = game.take_back_at = 0
    game.source = NO_CARD
    game.copying = game.returns_left = game.owed = game.announced = 0


@rule
def ask_to_draw(table, game, seat):
    """3.5 Seat 0 draws and sets first, unseen. 3.6 A seat that can neither draw nor set is stuck."""
    if game.deck_size[seat] > 0 or holds_settable(table, game, seat):
        ask(game, DRAWING, seat)
    else:
        note(game, GETS_STUCK, seat, NO_CARD, 0, (1 << seat) | SECRET)
        finish_drawing(game, seat)


@rule
def finish_drawing(game, seat):
    game.phase = SECOND_DRAWS if seat == 0 else REVEALING


@rule
def draw_or_set(table, game, seat, action):
    """3.1 One more card, or a card face down, which ends the seat's drawing. 3.5 The other seat notices neither."""
    game.told[:] = NOTHING_TOLD
    if action == DRAW:
        card = take_top(game, seat)
        note(game, DRAWS, seat, card, 0, (1 << seat) | SECRET)
        ask_to_draw(table, game, seat)
    else:
        game.chosen[seat] = action - SET_CARD
        note(game, SETS, seat, game.chosen[seat], 0, (1 << seat) | SECRET)
        finish_drawing(game, seat)


@rule
def legal_draws(table, game, seat, mask):
    """3.3 To set takes a card that is not ride-only. 3.4 With one in hand, a ride-only card may be set too."""
    mask[DRAW] = game.deck_size[seat] > 0
    if holds_settable(table, game, seat):
        for card in range(NUM_CARDS):
            if game.hand[seat, card] > 0 and (table.permit_misplay or table.cards[card].ride_only == 0):
                mask[SET_CARD + card] = 1


# --- 4. The reveal --------------------------------------------------------------------------------------------


@rule
def reveal(table, game):
    """3.5 What was drawn comes to light. 4.1 Unless that ends the game, the cards are turned up."""
    for seat in range(2):
        game.told[seat] = NUM_ACTIONS * np.int64(game.drawn[1 - seat])
        game.promised[seat] = 0
        show_draws(table, game, seat)
        note(game, DREW, seat, NO_CARD, game.drawn[seat], BOTH)
    if ended_by_draws(table, game):
        return
    for seat in range(2):
        card = game.chosen[seat]
        game.told[1 - seat] += SET_CARD + card
        game.chosen[seat] = NO_CARD
        leave_hand(game, seat, card)
        game.stack[seat, 0] = card
        game.stack_size[seat] = 1
        note(game, REVEALS, seat, card, 0, BOTH)
    judge_misplays(table, game)


@rule
def ended_by_draws(table, game):
    """3.6, 3.7 Whoever is stuck or has emptied his deck has lost. 3.8 With both decks empty the game is drawn."""
    out_0, out_1 = is_out(table, game, 0), is_out(table, game, 1)
    if not out_0 and not out_1:
        return False
    if game.deck_size[0] == 0 and game.deck_size[1] == 0:
        lose_by_empty_deck(game, NO_SEAT, DECK_OUT)
    else:
        loser = 0 if out_0 else 1
        lose_by_empty_deck(game, loser, STUCK if game.chosen[loser] == NO_CARD else DECK_OUT)
    return True


@rule
def is_out(table, game, seat):
    return game.chosen[seat] == NO_CARD or (table.deckout_at_once != 0 and game.deck_size[seat] == 0)


@rule
def lose_by_empty_deck(game, loser, reason):
    """The loser, or NO_SEAT when both decks are empty and the game is drawn."""
    for seat in range(2):
        if game.deck_size[seat] == 0:
            note(game, RUNS_OUT, seat, NO_CARD, 0, BOTH)
    finish(game, DRAWN if loser == NO_SEAT else 1 - loser, reason)


@rule
def judge_misplays(table, game):
    """4.2 A misplay loses the round. 4.3 Two of them end it."""
    wrong_0 = table.cards[game.stack[0, 0]].ride_only
    wrong_1 = table.cards[game.stack[1, 0]].ride_only
    if not wrong_0 and not wrong_1:
        game.phase = ENTERING
        return
    for seat in range(2):
        if (wrong_0 if seat == 0 else wrong_1) != 0:
            game.promised[seat] = 1
            note(game, MISPLAYS, seat, game.stack[seat, 0], 0, BOTH)
    if wrong_0 and wrong_1:
        game.phase = CLEANING
    else:
        game.round_winner = 1 if wrong_0 else 0
        game.phase = DAMAGING


@rule
def next_entry(table, game):
    """4.4 Entries at the reveal, seat 0's first."""
    if game.entry_at == 2:
        game.entry_at = AT_RIDE
        game.phase = COMPARING
        return
    seat = game.entry_at
    game.entry_at += 1
    offer_entry(table, game, seat)


# --- 5. The attack phase --------------------------------------------------------------------------------------


@rule
def compare(table, game):
    """4.6, 5.3 Equal powers are a clash. 5.1 Else the lower side is to act; 5.5 if it cannot, the phase is over."""
    power_0, power_1 = power(table, game, 0), power(table, game, 1)
    game.source = NO_CARD
    game.copying = 0
    if power_0 == power_1:
        note(game, CLASHES, 0, NO_CARD, 0, BOTH)
        game.phase = CLEANING
        return
    lower = 0 if power_0 < power_1 else 1
    if game.hand_size[lower] > 0 or may_use_at(table, game, lower):
        ask(game, REVENGE, lower)
    else:
        end_attack(game, lower, BY_ITSELF)


@rule
def end_attack(game, seat, how):
    """5.4, 5.5 The other side wins the round."""
    note(game, ENDS, seat, NO_CARD, how, BOTH)
    game.round_winner = 1 - seat
    game.phase = DAMAGING


@rule
def legal_revenge(table, game, seat, mask):
    """5.4 The end, 5.7 an AT, 5.8 a barrier, 5.9 a ride."""
    mask[END] = 1
    mask[USE_AT] = may_use_at(table, game, seat)
    payable = most_payable(table, game, seat)
    for count in range(payable):
        mask[PAY + count] = 1
    for card in range(NUM_CARDS):
        if game.hand[seat, card] > 0:
            mask[RIDE + card] = 1
            mask[LAY_BARRIER + card] = table.cards[card].barrier


@rule
def take_revenge(table, game, seat, action):
    if action == END:
        end_attack(game, seat, BY_CHOICE)
    elif action == USE_AT:
        use_at(table, game, seat, 1)
    elif action < PAY + MAX_PAID:
        announce(game, seat, action - PAY + 1)
    elif action < LAY_BARRIER:
        ride(table, game, seat, action - RIDE)
    else:
        lay_barrier(game, seat, action - LAY_BARRIER)


@rule
def ride(table, game, seat, card):
    """5.9 A card of the hand becomes the attack card. 6.6 What the covered card had in use is gone."""
    leave_hand(game, seat, card)
    game.stack[seat, game.stack_size[seat]] = card
    game.stack_size[seat] += 1
    game.own_power[seat] = game.copied_power[seat] = 0
    game.copy_last[seat] = game.paid[seat] = 0
    game.rode[seat] = 1
    note(game, RIDES, seat, card, 0, BOTH)
    game.phase = COMPARING
    offer_entry(table, game, seat)


# --- 7. Abilities: AT -----------------------------------------------------------------------------------------


@rule
def may_use_at(table, game, seat):
    """5.7 An AT that is not in use yet and whose condition holds now. Those that are paid for: `most_payable`."""
    ability = table.cards[attack_card(game, seat)]
    if game.own_power[seat] != 0:
        return False
    if ability.at_enemy != 0:
        return has(table, attack_card(game, 1 - seat), ability.at_enemy)
    if ability.at_hand >= 0:
        return game.hand_size[seat] <= ability.at_hand
    return ability.at_cover != 0 and covers(table, game, seat, ability.at_cover)


@rule
def most_payable(table, game, seat):
    """7.9, 7.10 For how many cards the seat may use its AT now: three in all, all of them in hand."""
    wanted = table.cards[attack_card(game, seat)].at_discard
    paid = game.paid[seat]
    if wanted == 0 or (table.pay_once and paid > 0):
        return 0
    return min(MAX_PAID - paid, held_with(table, game, seat, wanted))


@rule
def use_at(table, game, seat, step):
    card = attack_card(game, seat)
    game.own_power[seat] = table.cards[card].at_power[step - 1]
    game.copy_last[seat] = 0
    note(game, ATS, seat, card, step, BOTH)
    game.phase = COMPARING


@rule
def announce(game, seat, count):
    """7.10 So many cards will be discarded for the AT."""
    game.announced = game.owed = count
    note(game, ANNOUNCES, seat, attack_card(game, seat), count, BOTH)
    ask(game, PAYING, seat)


@rule
def pay(table, game, seat, card):
    """7.11 One by one; the value counts when all is paid."""
    discard_from_hand(game, seat, card)
    game.owed -= 1
    if game.owed == 0:
        game.paid[seat] += game.announced
        game.announced = 0
        use_at(table, game, seat, game.paid[seat])


# --- 7. Abilities: barriers -----------------------------------------------------------------------------------


@rule
def lay_barrier(game, seat, card):
    """7.13 The one barrier on the table; the old one goes to its owner's discards."""
    leave_hand(game, seat, card)
    if game.barrier_seat != NO_SEAT:
        game.discard[game.barrier_seat, game.barrier] += 1
        note(game, BARRIER_LEAVES, game.barrier_seat, game.barrier, 0, BOTH)
    game.barrier, game.barrier_seat = card, seat
    note(game, LAYS_BARRIER, seat, card, 0, BOTH)
    game.phase = COMPARING


# --- 7. Abilities: entries and their copies -------------------------------------------------------------------


@rule
def faces_copier(table, game, seat):
    """Whether the enemy's barrier may copy the seat's entries."""
    return game.barrier_seat == 1 - seat and table.cards[game.barrier].barrier_copy != 0


@rule
def can_fetch(table, game, seat, attributes):
    """7.3 Whether one of the seat's own discards has one of the attributes."""
    found = 0
    for card in range(NUM_CARDS):
        found += game.discard[seat, card] * has(table, card, attributes)
    return found > 0


@rule
def offer_entry(table, game, seat):
    """7.2 The seat is asked whether it uses its attack card's entry, unless that could not do anything (4.5, 7.4, 7.6).

    An entry that can only come to nothing is asked for all the same when the enemy could copy it.
    """
    card = attack_card(game, seat)
    ability = table.cards[card]
    if ability.entry_on != 0:
        wanted = covers(table, game, seat, ability.entry_on)
    elif ability.fetch != 0:
        wanted = faces_copier(table, game, seat) or can_fetch(table, game, seat, ability.fetch)
    else:
        wanted = ability.returns > 0 and (faces_copier(table, game, seat) or game.hand_size[seat] > 0)
    if wanted:
        game.source = card
        game.copying = 0
        ask(game, ENTRY, seat)


@rule
def legal_entry(table, game, seat, mask):
    """7.2 Use it, or not. 7.4, 7.6 On one of these cards or, where that can matter, for nothing."""
    ability = table.cards[game.source]
    mask[DECLINE] = 1
    if ability.entry_on != 0:
        mask[USE] = 1
        return
    mask[USE] = not game.copying and faces_copier(table, game, seat)
    if ability.fetch != 0:
        for card in range(NUM_CARDS):
            if game.discard[seat, card] > 0 and has(table, card, ability.fetch):
                mask[FETCH + card] = 1
    else:
        legal_returns(game, seat, mask)


@rule
def legal_returns(game, seat, mask):
    for card in range(NUM_CARDS):
        if game.hand[seat, card] > 0:
            mask[PUT_BACK + card] = 1


@rule
def use_entry(table, game, seat, action):
    """7.2 The seat's own entry. 7.15 Or a copy: the enemy's, with the seat's own cards."""
    game.phase = ENTERING if game.entry_at != AT_RIDE else COMPARING
    if action == DECLINE:
        note(game, DECLINES, seat, game.source, game.copying, BOTH)
        return
    for_nothing = action == USE and table.cards[game.source].entry_on == 0
    note(game, COPIES if game.copying else ENTERS, seat, game.source, for_nothing, BOTH)
    if action == USE:
        set_power(table, game, seat)
    elif action < PUT_BACK:
        fetch(game, seat, action - FETCH)
    else:
        game.returns_left = table.cards[game.source].returns
        put_back(table, game, seat, action - PUT_BACK)
    if game.phase != RETURNING:
        offer_copy(table, game, seat)


@rule
def set_power(table, game, seat):
    """7.1, 7.17 The value of an entry on a ride. A fetch or return that was used for nothing has none."""
    value = table.cards[game.source].entry_power
    if game.copying:
        game.copied_power[seat] = value
        game.copy_last[seat] = 1
    elif table.cards[game.source].entry_on != 0:
        game.own_power[seat] = value
        game.copy_last[seat] = 0


@rule
def fetch(game, seat, card):
    game.discard[seat, card] -= 1
    enter_hand(game, seat, card)
    note(game, FETCHES, seat, card, 0, BOTH)


@rule
def put_back(table, game, seat, card):
    """7.5 One card of the hand onto the deck, unseen, below those that this use has put there (option: under all)."""
    game.hand[seat, card] -= 1
    game.hand_size[seat] -= 1
    size = game.deck_size[seat]
    above = size if table.returns_to_bottom else table.cards[game.source].returns - game.returns_left
    for i in range(size, size - above, -1):
        game.deck[seat, i] = game.deck[seat, i - 1]
    game.deck[seat, size - above] = card
    game.deck_size[seat] += 1
    game.returned[seat] += 1
    game.told[1 - seat] = PUT_BACK
    note(game, PUTS_BACK, seat, card, 0, 1 << seat)
    game.returns_left -= 1
    if game.returns_left > 0 and game.hand_size[seat] > 0:
        ask(game, RETURNING, seat)
    else:
        game.returns_left = 0


@rule
def go_on_returning(table, game, seat, action):
    game.phase = ENTERING if game.entry_at != AT_RIDE else COMPARING
    if action == DECLINE:
        game.returns_left = 0
    else:
        put_back(table, game, seat, action - PUT_BACK)
    if game.phase != RETURNING:
        offer_copy(table, game, seat)


@rule
def offer_copy(table, game, user):
    """7.15 The enemy's barrier may copy an entry that was used (7.16, 7.17). 7.18 Nothing copies a copy."""
    if game.copying or not faces_copier(table, game, user):
        return
    copier = 1 - user
    ability = table.cards[game.source]
    if ability.entry_on != 0:
        wanted = not table.copy_tests_ride or covers(table, game, copier, ability.entry_on)
    elif ability.fetch != 0:
        wanted = can_fetch(table, game, copier, ability.fetch)
    else:
        wanted = game.hand_size[copier] > 0
    if wanted:
        game.copying = 1
        ask(game, COPY, copier)


# --- 8. Damage and clean-up -----------------------------------------------------------------------------------


@rule
def damage(table, game, winner):
    """8.1 The stars of the attack card, 8.2, 8.3 its DMG lines, 8.4 and what the loser's barrier takes off."""
    loser = 1 - winner
    ability = table.cards[attack_card(game, winner)]
    stars = ability.stars
    if ability.dmg_beats != 0 and has(table, attack_card(game, loser), ability.dmg_beats):
        stars += ability.dmg_beats_stars
    if game.rode[loser]:
        stars += ability.dmg_riders_stars
    if game.barrier_seat == loser:
        stars += table.cards[game.barrier].barrier_enemy_stars
    return max(stars, 0)


@rule
def deal_damage(table, game):
    """8.5 The loser discards so many cards from the top of his deck, or all. 8.6 An empty deck loses at once."""
    loser = 1 - game.round_winner
    stars = damage(table, game, game.round_winner)
    note(game, ROUND_WON, game.round_winner, attack_card(game, game.round_winner), stars, BOTH)
    for _ in range(min(stars, game.deck_size[loser])):
        card = game.deck[loser, game.deck_size[loser] - 1]
        show_lost_card(table, game, loser, card)
        game.deck_size[loser] -= 1
        game.deck[loser, game.deck_size[loser]] = NO_CARD
        game.discard[loser, card] += 1
        note(game, LOSES_CARD, loser, card, 0, BOTH)
    if table.deckout_at_once and game.deck_size[loser] == 0:
        lose_by_empty_deck(game, loser, DECK_OUT)
    else:
        game.phase = AFTER_DAMAGE


@rule
def next_take_back(table, game):
    """8.8 After the damage Calist may come back to hand for another card. 8.9 Seat 0 is asked first."""
    if game.take_back_at == 2:
        game.phase = CLEANING
        return
    seat = game.take_back_at
    game.take_back_at += 1
    if table.cards[attack_card(game, seat)].dmg_return and game.hand_size[seat] > 0:
        ask(game, TAKING_BACK, seat)


@rule
def take_back(game, seat, action):
    game.phase = AFTER_DAMAGE
    if action == DECLINE:
        return
    discard_from_hand(game, seat, action - DISCARD_CARD)
    card = attack_card(game, seat)
    game.stack_size[seat] -= 1
    game.stack[seat, game.stack_size[seat]] = NO_CARD
    enter_hand(game, seat, card)
    note(game, TAKES_BACK, seat, card, 0, BOTH)


@rule
def clean_up(table, game):
    """8.10 Both stacks go to the discards. Option `deckout_check`, 8.11: an empty deck or the cap may end the game."""
    for seat in range(2):
        for i in range(game.stack_size[seat]):
            game.discard[seat, game.stack[seat, i]] += 1
            game.stack[seat, i] = NO_CARD
        game.stack_size[seat] = 0
    note(game, CLEANS_UP, 0, NO_CARD, 0, BOTH)
    empty_0, empty_1 = game.deck_size[0] == 0, game.deck_size[1] == 0
    if empty_0 or empty_1:
        lose_by_empty_deck(game, NO_SEAT if empty_0 and empty_1 else (0 if empty_0 else 1), DECK_OUT)
    elif game.round_number >= table.max_rounds:
        finish(game, DRAWN, ROUND_CAP)
    else:
        game.phase = BEGINNING


# --- What may be done, and doing it ---------------------------------------------------------------------------


@rule
def legal(table, game, mask):
    """mask[action] = 1 for what the seat to act may do; all zero exactly when the game is over."""
    mask[:] = 0
    seat = game.to_act
    if game.phase == REVENGE:
        legal_revenge(table, game, seat, mask)
    elif game.phase == DRAWING:
        legal_draws(table, game, seat, mask)
    elif game.phase == ENTRY or game.phase == COPY:
        legal_entry(table, game, seat, mask)
    elif game.phase == RETURNING:
        mask[DECLINE] = 1
        legal_returns(game, seat, mask)
    elif game.phase == PAYING:
        legal_discards(table, game, seat, table.cards[attack_card(game, seat)].at_discard, mask)
    elif game.phase == TAKING_BACK:
        mask[DECLINE] = 1
        legal_discards(table, game, seat, -1, mask)


@rule
def legal_discards(table, game, seat, attributes, mask):
    """Cards of the hand with one of the attributes; -1 stands for all of them."""
    for card in range(NUM_CARDS):
        if game.hand[seat, card] > 0 and has(table, card, attributes):
            mask[DISCARD_CARD + card] = 1


@rule
def apply(table, game, action):
    """Carry out a legal action and everything that follows from it, up to the next decision."""
    seat = game.to_act
    game.n_events = 0
    game.told[seat] = NOTHING_TOLD
    game.told[1 - seat] = action
    if game.phase == REVENGE:
        take_revenge(table, game, seat, action)
    elif game.phase == DRAWING:
        draw_or_set(table, game, seat, action)
    elif game.phase == ENTRY or game.phase == COPY:
        use_entry(table, game, seat, action)
    elif game.phase == RETURNING:
        go_on_returning(table, game, seat, action)
    elif game.phase == PAYING:
        pay(table, game, seat, action - DISCARD_CARD)
    else:
        take_back(game, seat, action)
    run_on(table, game)


dispatch.register(STATE, deal=deal, legal=legal, apply=apply, observe=observe, determinize=determinize, rewind=rewind)
