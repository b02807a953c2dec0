"""Tarot Duel, section by section as in RULES.md.

No rule checks that its caller was entitled to call it: `legal` says what may be done, `apply` does it, and the
public faces refuse everything else. A turn runs until somebody has to decide; `phase` then names the decision and
`to_act` the seat, and `apply` goes on from there.
"""

import numpy as np

from duelbench.envs import dispatch
from duelbench.envs.dispatch import DRAWN, NOTHING_TOLD
from duelbench.envs.events import BOTH, note
from duelbench.envs.jit import rule
from duelbench.envs.rng import below, shuffle
from duelbench.envs.tarot_duel.cards import (
    CHARIOT,
    DEATH,
    DEVIL,
    EMPEROR,
    EMPRESS,
    FOOL,
    HANGED_MAN,
    HERMIT,
    HIEROPHANT,
    JUDGEMENT,
    JUSTICE,
    LOVERS,
    MAGICIAN,
    MOON,
    NO_CARD,
    NUM_CARDS,
    PRIESTESS,
    STAR,
    STRENGTH,
    SUN,
    TEMPERANCE,
    TOWER,
    WHEEL,
    WORLD,
)
from duelbench.envs.tarot_duel.encoding import observe
from duelbench.envs.tarot_duel.knowledge import (
    bound_hand,
    bury,
    determinize,
    draw,
    forget_everything,
    learn,
    make_room_below,
    mix_top_for,
    open_deck,
    remember_peek,
    see_top,
    show_from_hand,
    take_from_top,
)
from duelbench.envs.tarot_duel.state import (
    ACTS,
    AS_HIGHEST,
    AS_LOWEST,
    BEGINNING,
    DECK,
    DECK_CLOSES,
    DECK_OPENS,
    DECLINES,
    DISCARD,
    DISCARD_CARD,
    DISCARD_HIGHEST,
    DISCARD_LOWEST,
    DISCARD_MOON,
    DISCARD_SUN,
    DISCARDS,
    EXCHANGE,
    FIELD,
    FINISHED,
    FIRST_DRAWER,
    GAME_OVER,
    HAND,
    KEEP_ORDER,
    KNOWN,
    LAST_TURN_PLAYED,
    LEAVE_IT,
    LEAVES_PLAY,
    LOOKS,
    MAX_QUEUE,
    NEGATE,
    NEGATE_CARD,
    NEGATE_NOTHING,
    NEGATES,
    NO_PLAY,
    NO_SEAT,
    ORDERS,
    PLAY_CARD,
    PLAYS,
    RESOLVING,
    RETURN,
    RETURNS,
    REVEALING,
    RUNNING,
    SET,
    SETS,
    SPARE,
    STATE,
    SWAP,
    TAKE,
    TAKE_BACK,
    TAKE_CARD,
    TAKES,
    TURN_BEGINS,
    TURN_CAP,
    TURN_DRAWN,
    TURN_WON,
    TURNS_LEFT,
    WAITING,
    WAITING_ACTS,
    WAITS_ON,
    WASTED,
    WHEEL_TURNS,
    WINS_ADDED,
    WINS_BLOCKED,
)

SPARE_CARDS, OPENING_HAND, TURNS = 5, 3, 5
MOST_WINS = 100

# --- 1. Places ------------------------------------------------------------------------------------------------


@rule
def count_in(game, zone):
    """1.2 How many cards lie in a place."""
    count = 0
    for card in range(NUM_CARDS):
        count += game.zone[card] == zone
    return count


@rule
def card_in(game, zone, skipped):
    """The card of the place that comes after `skipped` others, by number of card."""
    for card in range(NUM_CARDS):
        if game.zone[card] == zone:
            if skipped == 0:
                return card
            skipped -= 1
    return NO_CARD


@rule
def owner(game, card):
    """1.3 The seat before whom the card lies, on the field or waiting; NO_SEAT if it is in neither place."""
    zone = game.zone[card]
    if zone == FIELD or zone == WAITING:
        return 0
    if zone == FIELD + 1 or zone == WAITING + 1:
        return 1
    return NO_SEAT


@rule
def is_waiting(game, card):
    return game.zone[card] == WAITING or game.zone[card] == WAITING + 1


@rule
def discard_from_hand(table, game, seat, card, said):
    """1.4 Every discard is public, and so is what is `said` of it (5.18)."""
    show_from_hand(table, game, seat, card)
    game.zone[card] = DISCARD
    note(game, DISCARDS, seat, card, said, BOTH)


@rule
def leave_play(game, seat, card):
    game.zone[card] = DISCARD
    note(game, LEAVES_PLAY, seat, card, 0, BOTH)


# --- 2. Setup -------------------------------------------------------------------------------------------------


@rule
def deal(table, game, seed):
    """2. The dice are seeded, the drawing order is thrown for, and the cards are dealt."""
    game.rng = seed
    clear(game)
    game.first = below(game, 2)  # 2.1
    note(game, FIRST_DRAWER, game.first, NO_CARD, 0, BOTH)
    gather(table, game)
    shuffle(game, game.deck, game.deck_size)
    deal_to_other(table, game)
    deal_out(table, game)


@rule
def gather(table, game):
    """The cards that are played with are the deck, in the order of their numbers."""
    game.deck_size = 0
    for card in range(NUM_CARDS):
        if table.left_out[card]:
            lay_open(game, card)
        else:
            game.deck[game.deck_size] = card
            game.deck_size += 1
    game.deck[game.deck_size :] = NO_CARD


@rule
def deal_to_other(table, game):
    """8.5 Of two cards that the seats would get as the same one of their first draws, either may trade their places."""
    top, hand = game.deck_size - 1 - table.spare_cards, table.opening_hand
    for i in range(hand + 1):
        to_first = top - i if i < hand else top - 2 * hand
        to_second = to_first - hand if i < hand else to_first - 1
        one, two = game.deck[to_first], game.deck[to_second]
        if table.cards[one].dealt_to_other or table.cards[two].dealt_to_other:
            game.deck[to_first], game.deck[to_second] = two, one


@rule
def deal_out(table, game):
    """2.2 to 2.4, and on to the first decision, from a deck whose order is settled, as is who draws first."""
    for _ in range(table.spare_cards):  # 2.2
        lay_open(game, take_from_top(game))
    for i in range(2):
        for _ in range(table.opening_hand):  # 2.3
            draw(game, game.first ^ i)
    game.turns_left = table.turns  # 2.4
    game.phase = BEGINNING
    run_on(table, game)


@rule
def lay_open(game, card):
    game.zone[card] = SPARE
    game.label[0, card] = game.label[1, card] = KNOWN


@rule
def clear(game):
    forget_everything(game)
    game.n_events = 0
    game.over, game.winner, game.reason = 0, DRAWN, RUNNING
    game.turn = 0
    game.wins[:] = 0
    game.zone[:] = DECK
    game.deck_size = NUM_CARDS
    game.tower_open = 0
    game.played[:] = NO_CARD
    game.chosen[:] = NO_CARD
    game.told[:] = NOTHING_TOLD


# --- 3. The turn ----------------------------------------------------------------------------------------------


@rule
def run_on(table, game):
    """Go through the steps of the turn, and of the turns after it, until a seat has to decide or the game is over."""
    while game.phase > FINISHED:
        if game.phase == BEGINNING:
            begin_turn(table, game)
        elif game.phase == REVEALING:
            reveal(table, game)
        else:
            resolve(table, game)


@rule
def begin_turn(table, game):
    """3.1 The first drawer draws one card, then the other seat; from an empty deck nobody draws."""
    game.turn += 1
    note(game, TURN_BEGINS, 0, NO_CARD, game.turn, BOTH)
    clear_turn(game)
    draw(game, game.first)
    draw(game, 1 - game.first)
    ask_for_cards(table, game)


@rule
def clear_turn(game):
    game.chosen[:] = NO_CARD
    game.played[:] = NO_CARD
    game.negated = NO_CARD
    game.queue[:] = NO_CARD
    game.n_queue = game.queue_at = game.takes_left = 0
    game.may_return = NO_SEAT
    for seat in range(2):
        game.fool_claim[seat] = game.world_claim[seat] = 0
        game.must_win[seat] = game.must_lose[seat] = 0
        game.blocked[seat] = game.doubled[seat] = 0
        game.bonus[seat] = game.spent[seat] = 0


@rule
def ask(game, phase, seat):
    game.phase = phase
    game.to_act = seat


@rule
def ask_for_cards(table, game):
    """3.2 Both must set a card. 3.3 If one cannot, neither does (option `lone_player_plays`: the other still plays)."""
    can_0, can_1 = count_in(game, HAND) > 0, count_in(game, HAND + 1) > 0
    if can_0 and can_1:
        ask(game, SET, 0)
    elif table.lone_player_plays and (can_0 or can_1):
        ask(game, SET, 0 if can_0 else 1)
    else:
        note(game, NO_PLAY, 0, NO_CARD, 0, BOTH)
        game.phase = REVEALING


@rule
def set_card(table, game, seat, card):
    """3.2 The card stays in hand, for everybody else's eyes, until both have chosen."""
    game.chosen[seat] = card
    note(game, SETS, seat, card, 0, 1 << seat)
    if seat == 0 and count_in(game, HAND + 1) > 0:
        game.told[1] = NOTHING_TOLD
        ask(game, SET, 1)
    else:
        game.phase = REVEALING


@rule
def reveal(table, game):
    """3.4 The cards are turned up together; what the Fool and the World claim is settled by the printed cards."""
    for seat in range(2):
        card = game.chosen[seat]
        if card != NO_CARD:
            game.told[1 - seat] = PLAY_CARD + card
            show_from_hand(table, game, seat, card)
            game.zone[card] = FIELD + seat
            game.played[seat] = card
            game.chosen[seat] = NO_CARD
            note(game, PLAYS, seat, card, 0, BOTH)
    if game.played[0] != NO_CARD and game.played[1] != NO_CARD:
        for seat in range(2):
            claim(table, game, seat, game.played[seat], game.played[1 - seat])
    line_up(table, game)
    ask_magician(table, game)


@rule
def claim(table, game, seat, card, against):
    """5.0 The Fool beats printed numbers from 15. 5.21 The World beats all but the Fool."""
    effect = table.cards[card].effect
    if effect == FOOL:
        game.fool_claim[seat] = table.cards[against].number >= table.cards[card].amount
    elif effect == WORLD:
        game.world_claim[seat] = table.cards[against].effect != FOOL


@rule
def line_up(table, game):
    """3.6 The field cards that act at the reveal and the waiting ones whose turn it is, highest number first."""
    for seat in range(2):
        card = game.played[seat]
        if card != NO_CARD and table.cards[card].at_reveal:
            enqueue(table, game, card)
    for effect in (EMPRESS, EMPEROR, STRENGTH):
        card = table.holder[effect]
        if card != NO_CARD and is_waiting(game, card):
            enqueue(table, game, card)


@rule
def enqueue(table, game, card):
    at = game.n_queue
    while at > 0 and table.cards[game.queue[at - 1]].place_in_order < table.cards[card].place_in_order:
        game.queue[at] = game.queue[at - 1]
        at -= 1
    game.queue[at] = card
    game.n_queue += 1


@rule
def strike_out(game, card):
    """The card will not act any more in this reveal sequence."""
    for i in range(game.queue_at, MAX_QUEUE):
        if game.queue[i] == card:
            game.queue[i] = NO_CARD


@rule
def resolve(table, game):
    """3.6 The cards act one by one, until one of them asks for a decision."""
    while game.queue_at < game.n_queue:
        card = game.queue[game.queue_at]
        game.queue_at += 1
        if card != NO_CARD:
            act(table, game, card)
            if game.phase != RESOLVING:
                return
    conclude(table, game)


@rule
def conclude(table, game):
    """3.7 Decide the turn, 3.9 count it, 3.10 add bonuses, 3.11 let end-of-turn cards act, 3.12 clear the field."""
    winner = turn_winner(table, game)
    if winner == DRAWN:
        note(game, TURN_DRAWN, 0, NO_CARD, 0, BOTH)
    else:
        note(game, TURN_WON, winner, game.played[winner], 0, BOTH)
        add_wins(game, winner, 1, game.played[winner])
    game.turns_left -= 1
    note(game, TURNS_LEFT, 0, NO_CARD, game.turns_left, BOTH)
    for seat in range(2):
        if game.bonus[seat] > 0:
            add_wins(game, seat, game.bonus[seat], NO_CARD)
    end_of_turn(table, game, winner)
    card = table.holder[TEMPERANCE]
    if game.may_return != NO_SEAT and game.zone[card] == FIELD + game.may_return:
        ask(game, RETURN, game.may_return)
    else:
        clean_up(table, game)


@rule
def turn_winner(table, game):
    """3.7 The first that applies: the Fool's claim, the World's, Empress or Death (the smaller number), the numbers."""
    for seat in range(2):
        if game.fool_claim[seat]:
            return seat
    for seat in range(2):
        if game.world_claim[seat] and not (table.empress_beats_world and game.must_win[1 - seat]):
            return seat
    forced = forced_winner(table, game)
    if forced != NO_SEAT:
        return forced
    if game.played[0] == NO_CARD or game.played[1] == NO_CARD:
        return DRAWN
    return compare(table, game)


@rule
def forced_winner(table, game):
    """3.7 Of an Empress and a Death that contradict each other the one with the smaller number counts."""
    by_empress, by_death = NO_SEAT, NO_SEAT
    for seat in range(2):
        if game.must_win[seat]:
            by_empress = seat
        if game.must_lose[seat]:
            by_death = 1 - seat
    if by_empress == NO_SEAT or by_death == NO_SEAT:
        return min(by_empress, by_death)
    empress, death = table.cards[table.holder[EMPRESS]], table.cards[table.holder[DEATH]]
    return by_empress if empress.place_in_order < death.place_in_order else by_death


@rule
def compare(table, game):
    """3.8 The larger number wins, doubled or not; equal numbers draw."""
    number_0 = fighting_number(table, game, 0)
    number_1 = fighting_number(table, game, 1)
    if number_0 == number_1:
        return DRAWN
    return 0 if number_0 > number_1 else 1


@rule
def fighting_number(table, game, seat):
    number = np.int64(table.cards[game.played[seat]].number)
    return number * table.cards[table.holder[STRENGTH]].amount if game.doubled[seat] else number


@rule
def add_wins(game, seat, count, card):
    """3.9 Under the other player's Emperor nothing raises a seat's wins in that turn. 8.4 There is a limit to wins."""
    if game.blocked[seat]:
        note(game, WINS_BLOCKED, seat, card, count, BOTH)
    else:
        game.wins[seat] = min(game.wins[seat] + count, MOST_WINS)
        note(game, WINS_ADDED, seat, card, count, BOTH)


@rule
def end_of_turn(table, game, winner):
    """3.11 The Hanged Man and Justice act, the higher number first."""
    hanged, justice = table.holder[HANGED_MAN], table.holder[JUSTICE]
    justice_first = (
        hanged != NO_CARD
        and justice != NO_CARD
        and table.cards[justice].place_in_order > table.cards[hanged].place_in_order
    )
    if justice_first:
        act_justice(table, game, justice)
        act_hanged_man(table, game, hanged, winner)
    else:
        act_hanged_man(table, game, hanged, winner)
        act_justice(table, game, justice)


@rule
def clean_up(table, game):
    """3.12 The cards of the field are discarded or begin to wait. 3.13 The game ends or the next turn begins."""
    for seat in range(2):
        card = game.played[seat]
        if card == NO_CARD or game.zone[card] != FIELD + seat:
            continue
        if waits_on(table, game, seat, card):
            game.zone[card] = WAITING + seat
            note(game, WAITS_ON, seat, card, 0, BOTH)
        else:
            leave_play(game, seat, card)
    if game.turns_left == 0:
        finish(game, LAST_TURN_PLAYED)
    elif game.turn >= table.max_turns:
        finish(game, TURN_CAP)
    else:
        game.phase = BEGINNING


@rule
def finish(game, reason):
    """7.1 More wins win the game, equal wins draw it. 7.2 It also ends when `max_turns` turns have been played."""
    game.over = 1
    game.reason = reason
    game.winner = DRAWN
    if game.wins[0] != game.wins[1]:
        game.winner = 0 if game.wins[0] > game.wins[1] else 1
    game.to_act = 0
    game.phase = FINISHED
    note(game, GAME_OVER, game.winner, NO_CARD, reason, BOTH)


# --- 4. Waiting and cancelling --------------------------------------------------------------------------------


@rule
def waits_on(table, game, seat, card):
    """4.1 A card waits when its turn is over if its effect is still to come and was not cancelled."""
    facts = table.cards[card]
    if facts.effect == HANGED_MAN and not table.hanged_man_waits:
        return False
    return facts.waits == 1 and card != game.negated and not game.spent[seat]


@rule
def ask_magician(table, game):
    """3.5 Whoever has the Magician on the field or waiting may use it now, if there is anything to cancel."""
    magician = table.holder[MAGICIAN]
    seat = owner(game, magician) if magician != NO_CARD else NO_SEAT
    if seat != NO_SEAT:
        for card in range(NUM_CARDS):
            if may_negate(table, game, card):
                ask(game, NEGATE, seat)
                return
    game.phase = RESOLVING


@rule
def decide_negation(table, game, seat, action):
    if action == NEGATE_NOTHING:
        note(game, DECLINES, seat, table.holder[MAGICIAN], 0, BOTH)
    else:
        negate(table, game, seat, action - NEGATE_CARD)


@rule
def may_negate(table, game, card):
    """4.3 Any card on the field or waiting, of either side, but Magician, Fool, World and an open Tower (options)."""
    if owner(game, card) == NO_SEAT:
        return False
    effect = table.cards[card].effect
    if effect == FOOL or effect == WORLD:
        return table.magician_negates_fool_world == 1
    if effect == TOWER and is_waiting(game, card):
        return table.tower_negatable == 1
    return effect != MAGICIAN


@rule
def negate(table, game, seat, card):
    """4.4 The card's whole effect is cancelled. A waiting card is discarded at once, and so is a waiting Magician."""
    note(game, NEGATES, seat, card, 0, BOTH)
    use_up(game, table.holder[MAGICIAN])
    strike_out(game, card)
    effect = table.cards[card].effect
    holder = owner(game, card)
    if is_waiting(game, card):
        leave_play(game, holder, card)
        if effect == TOWER:
            close_deck(game)
        return
    game.negated = card
    if effect == FOOL:
        game.fool_claim[holder] = 0
    elif effect == WORLD:
        game.world_claim[holder] = 0


@rule
def use_up(game, card):
    """4.5 A waiting card that has had its effect is discarded at once, one on the field when the turn is cleared."""
    seat = owner(game, card)
    if is_waiting(game, card):
        leave_play(game, seat, card)
    else:
        game.spent[seat] = 1


# --- 5. The cards ---------------------------------------------------------------------------------------------


@rule
def act(table, game, card):
    """5. What a card does when its number comes up in the reveal sequence."""
    seat = owner(game, card)
    if is_waiting(game, card):
        note(game, WAITING_ACTS, seat, card, 0, BOTH)
        leave_play(game, seat, card)
    else:
        note(game, ACTS, seat, card, 0, BOTH)
    effect = table.cards[card].effect
    if effect == PRIESTESS:
        act_priestess(table, game, seat, card)
    elif effect == EMPRESS:
        game.must_win[seat] = 1  # 5.3
    elif effect == EMPEROR:
        game.blocked[1 - seat] = 1  # 5.4
    elif effect == HIEROPHANT:
        act_hierophant(table, game, seat, card)
    elif effect == LOVERS:
        act_lovers(table, game, seat, card)
    elif effect == CHARIOT:
        act_chariot(table, game, seat, card)
    elif effect == STRENGTH:
        act_strength(game, seat, card)
    elif effect == HERMIT:
        act_hermit(game, seat, card)
    elif effect == WHEEL:
        act_wheel(table, game, card)
    elif effect == DEATH:
        act_death(table, game, seat, card)
    elif effect == TEMPERANCE:
        act_temperance(table, game, seat, card)
    elif effect == DEVIL:
        act_devil(table, game, card, seat)
    elif effect == TOWER:
        act_tower(game, seat, card)
    elif effect == STAR:
        game.turns_left += table.cards[card].amount  # 5.17
        note(game, TURNS_LEFT, seat, card, game.turns_left, BOTH)
    elif effect == MOON:
        act_moon(table, game, seat, card)
    elif effect == SUN:
        act_sun(table, game, seat, card)
    elif effect == JUDGEMENT:
        act_judgement(game, card, seat)


@rule
def wasted(game, seat, card):
    """The card's effect found nothing to work on."""
    note(game, WASTED, seat, card, 0, BOTH)


@rule
def act_priestess(table, game, seat, card):
    """5.2 Look at three random cards of the other hand, at all of it if it holds three or fewer."""
    other = 1 - seat
    held = count_in(game, HAND + other)
    if held == 0:
        wasted(game, seat, card)
    pool = np.uint32(0)
    sees = np.int64(table.cards[card].amount)
    wanted, left = min(held, sees), held
    for seen in range(NUM_CARDS):
        if game.zone[seen] == HAND + other:
            pool |= np.uint32(1) << np.uint32(seen)
            if below(game, left) < wanted:
                wanted -= 1
                note(game, LOOKS, seat, seen, 0, 1 << seat)
                learn(table, game, seat, seen)
                if held <= sees:
                    game.shown[seat, seen] = KNOWN
            left -= 1
    if held > sees:
        remember_peek(game, other, pool, held)


@rule
def act_hierophant(table, game, seat, card):
    """5.5 Take two discards; two or fewer are all taken without asking, and what is missing is drawn."""
    discards, takes = count_in(game, DISCARD), table.cards[card].amount
    if discards > takes:
        game.takes_left = takes
        ask(game, TAKE, seat)
        return
    drawn = 0
    for _ in range(discards):
        take(game, seat, card_in(game, DISCARD, 0))
    for _ in range(takes - discards):
        drawn += draw(game, seat) != NO_CARD
    if discards + drawn == 0:
        wasted(game, seat, card)


@rule
def take(game, seat, card):
    game.zone[card] = HAND + seat
    note(game, TAKES, seat, card, 0, BOTH)


@rule
def decide_take(game, seat, card):
    take(game, seat, card)
    game.takes_left -= 1
    if game.takes_left > 0:
        ask(game, TAKE, seat)


@rule
def act_lovers(table, game, seat, card):
    """5.6 Draw two cards, or what there is."""
    if game.deck_size == 0:
        wasted(game, seat, card)
    for _ in range(table.cards[card].amount):
        draw(game, seat)


@rule
def act_chariot(table, game, seat, card):
    """5.7 Discard a random card of the other hand (option: of his hand, field and waiting cards)."""
    other = 1 - seat
    targets = 0
    for target in range(NUM_CARDS):
        targets += chariot_may_hit(table, game, other, target)
    if targets == 0:
        wasted(game, seat, card)
        return
    skipped = below(game, targets)
    for target in range(NUM_CARDS):
        if chariot_may_hit(table, game, other, target):
            if skipped == 0:
                run_over(table, game, other, target)
                return
            skipped -= 1


@rule
def chariot_may_hit(table, game, victim, card):
    in_hand = game.zone[card] == HAND + victim
    return in_hand or (table.chariot_hits_table == 1 and owner(game, card) == victim)


@rule
def run_over(table, game, victim, card):
    """5.7 A card hit on the table is gone at once: its number still fights, but nothing of it happens any more."""
    if game.zone[card] == HAND + victim:
        discard_from_hand(table, game, victim, card, 0)
        return
    strike_out(game, card)
    game.zone[card] = DISCARD
    note(game, DISCARDS, victim, card, 0, BOTH)
    if table.cards[card].effect == TOWER:
        close_deck(game)


@rule
def act_strength(game, seat, card):
    """5.8 The number of the seat's card of this turn is doubled; without one the effect is lost."""
    game.doubled[seat] = 1
    if game.played[seat] == NO_CARD:
        wasted(game, seat, card)


@rule
def act_hermit(game, seat, card):
    """5.9 Look at the top two cards; the decision to exchange them follows. A single card is only looked at."""
    seen = min(game.deck_size, 2)
    if seen == 0:
        wasted(game, seat, card)
    for i in range(seen):
        top = game.deck[game.deck_size - 1 - i]
        note(game, LOOKS, seat, top, i, 1 << seat)
    see_top(game, seat, seen)
    if seen == 2:
        ask(game, SWAP, seat)


@rule
def decide_order(game, seat, exchange):
    """5.9 The other seat does not learn which was done, unless the deck is open."""
    seen_by = BOTH if game.tower_open else 1 << seat
    if exchange:
        top = game.deck_size - 1
        game.deck[top], game.deck[top - 1] = game.deck[top - 1], game.deck[top]
    note(game, ORDERS, seat, NO_CARD, exchange, seen_by)
    if not game.tower_open:
        game.told[1 - seat] = KEEP_ORDER  # whichever it was
        mix_top_for(game, 1 - seat)


@rule
def act_wheel(table, game, card):
    """5.10 A fair coin gives one more win to one of the two."""
    winner = below(game, 2)
    game.bonus[winner] += table.cards[card].amount
    note(game, WHEEL_TURNS, winner, card, 0, BOTH)


@rule
def act_justice(table, game, card):
    """5.11 At the end of the last turn, if both have equally many wins: one more. Blocked, it counts as used."""
    if card == NO_CARD or game.turns_left != 0 or game.wins[0] != game.wins[1]:
        return
    seat = owner(game, card)
    if seat != NO_SEAT and card != game.negated:
        add_wins(game, seat, table.cards[card].amount, card)
        use_up(game, card)


@rule
def act_hanged_man(table, game, card, winner):
    """5.12 At the end of a turn its owner lost: one more win. A drawn turn is not lost."""
    if card == NO_CARD or winner == DRAWN:
        return
    if owner(game, card) == 1 - winner and card != game.negated:
        add_wins(game, 1 - winner, table.cards[card].amount, card)
        use_up(game, card)


@rule
def act_death(table, game, seat, card):
    """5.13 This turn is lost and the next one is the last: two are left until this one is counted off."""
    game.must_lose[seat] = 1
    left = table.cards[card].amount + 1
    if table.death_can_extend or game.turns_left > left:
        game.turns_left = left
    note(game, TURNS_LEFT, seat, card, game.turns_left, BOTH)


@rule
def act_temperance(table, game, seat, card):
    """5.14 Behind in wins: one more, added in 3.10. Otherwise it may return to the hand when the field is cleared."""
    if game.wins[1 - seat] > game.wins[seat]:
        game.bonus[seat] += table.cards[card].amount
    else:
        game.may_return = seat


@rule
def decide_return(table, game, seat, takes_back):
    """5.14 Taken back, the card is in the hand for all to know."""
    if takes_back:
        card = table.holder[TEMPERANCE]
        game.zone[card] = HAND + seat
        note(game, RETURNS, seat, card, 0, BOTH)
    clean_up(table, game)


@rule
def act_devil(table, game, card, seat):
    """5.15 The deck is made five: discarded from the top, or filled up at the bottom with random discards."""
    size = table.cards[card].amount
    missing = min(size - game.deck_size, count_in(game, DISCARD))
    if missing == 0:
        wasted(game, seat, card)
    while game.deck_size > size:
        top = take_from_top(game)
        game.zone[top] = DISCARD
        game.label[0, top] = game.label[1, top] = KNOWN
        note(game, DISCARDS, seat, top, 0, BOTH)
    if missing > 0:
        put_discards_under(game, missing)


@rule
def put_discards_under(game, count):
    """`count` random discards, in random order, under the deck."""
    make_room_below(game, count)
    for i in range(count):
        card = card_in(game, DISCARD, below(game, count_in(game, DISCARD)))
        game.zone[card] = DECK
        game.deck[i] = card
    bury(game, count)


@rule
def act_tower(game, seat, card):
    """5.16 The deck lies open from now on, whatever is put into it later, until the Tower leaves the table."""
    game.tower_open = 1
    open_deck(game)
    note(game, DECK_OPENS, seat, card, 0, BOTH)


@rule
def close_deck(game):
    """5.16 What has been seen stays known; what is put into the deck from now on is not."""
    if game.tower_open:
        game.tower_open = 0
        note(game, DECK_CLOSES, 0, NO_CARD, 0, BOTH)


@rule
def act_moon(table, game, seat, card):
    """5.18 The other player gives away the highest or the lowest card in hand and draws one, even if he had none."""
    victim = 1 - seat
    held = count_in(game, HAND + victim)
    if held > 1:
        ask(game, DISCARD_MOON, victim)
        return
    if held == 1:
        discard_from_hand(table, game, victim, card_in(game, HAND + victim, 0), 0)
    if draw(game, victim) == NO_CARD and held == 0:
        wasted(game, seat, card)


@rule
def extreme_card(table, game, seat, highest):
    best = NO_CARD
    for card in range(NUM_CARDS):
        if game.zone[card] != HAND + seat:
            continue
        place = table.cards[card].place_in_order
        if best == NO_CARD or (place > table.cards[best].place_in_order) == highest:
            best = card
    return best


@rule
def give_away(table, game, victim, highest):
    """5.18 He says which of the two it is, so the other knows where the rest of the hand stands."""
    card = extreme_card(table, game, victim, highest)
    discard_from_hand(table, game, victim, card, AS_HIGHEST if highest else AS_LOWEST)
    bound_hand(table, game, victim, card, highest)
    draw(game, victim)


@rule
def act_sun(table, game, seat, card):
    """5.19 Draw one card, then discard one of the hand; a single one without being asked."""
    draw(game, seat)
    held = count_in(game, HAND + seat)
    if held == 0:
        wasted(game, seat, card)
    elif held == 1:
        discard_from_hand(table, game, seat, card_in(game, HAND + seat, 0), 0)
    else:
        ask(game, DISCARD_SUN, seat)


@rule
def act_judgement(game, card, seat):
    """5.20 All discards are shuffled and put under the deck."""
    count = count_in(game, DISCARD)
    if count == 0:
        wasted(game, seat, card)
    else:
        put_discards_under(game, count)


# --- The interface every game offers --------------------------------------------------------------------------


@rule
def legal(table, game, mask):
    """Set mask[action] for every action the seat to act may take."""
    mask[:] = 0
    phase, seat = game.phase, game.to_act
    if phase == SET:
        allow_cards_in(game, mask, PLAY_CARD, HAND + seat)
    elif phase == NEGATE:
        mask[NEGATE_NOTHING] = 1
        for card in range(NUM_CARDS):
            mask[NEGATE_CARD + card] = may_negate(table, game, card)
    elif phase == TAKE:
        allow_cards_in(game, mask, TAKE_CARD, DISCARD)
    elif phase == SWAP:
        mask[KEEP_ORDER] = mask[EXCHANGE] = 1
    elif phase == DISCARD_MOON:
        mask[DISCARD_HIGHEST] = mask[DISCARD_LOWEST] = 1
    elif phase == DISCARD_SUN:
        allow_cards_in(game, mask, DISCARD_CARD, HAND + seat)
    elif phase == RETURN:
        mask[LEAVE_IT] = mask[TAKE_BACK] = 1


@rule
def allow_cards_in(game, mask, first_action, zone):
    for card in range(NUM_CARDS):
        mask[first_action + card] = game.zone[card] == zone


@rule
def apply(table, game, action):
    """Carry out a legal action and all that follows from it, up to the next decision."""
    game.n_events = 0
    phase, seat = game.phase, game.to_act
    game.told[seat], game.told[1 - seat] = NOTHING_TOLD, action
    game.phase = RESOLVING
    if phase == SET:
        set_card(table, game, seat, action - PLAY_CARD)
    elif phase == NEGATE:
        decide_negation(table, game, seat, action)
    elif phase == TAKE:
        decide_take(game, seat, action - TAKE_CARD)
    elif phase == SWAP:
        decide_order(game, seat, action == EXCHANGE)
    elif phase == DISCARD_MOON:
        give_away(table, game, seat, action == DISCARD_HIGHEST)
    elif phase == DISCARD_SUN:
        discard_from_hand(table, game, seat, action - DISCARD_CARD, 0)
    elif phase == RETURN:
        decide_return(table, game, seat, action == TAKE_BACK)
    run_on(table, game)


@rule
def rewind(table, game):
    """3.2 The card that seat 0 has set, while seat 1 still chooses."""
    if game.phase == SET and game.chosen[0] != NO_CARD:
        game.chosen[0] = NO_CARD
        game.to_act = 0


dispatch.register(STATE, deal=deal, legal=legal, apply=apply, observe=observe, determinize=determinize, rewind=rewind)
