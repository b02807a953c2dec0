"""A hand-written Tommy Walker player: it values cards as life, and weighs what an exchange costs against what it saves.

Everything is measured in cards of a deck, since a deck is a life. In the draw phase the player fills his hand to a
size that depends on his deck, and sets the card that does best on average against what the other may set. After the
reveal it tries its own actions one after the other, as far as its own side is to act, and judges the ends of these
lines: how likely the other can strike back with the cards that it may hold, and whether it could answer that.

It reads nothing but its own cards and what lies open, so what is made up in the position's root cannot sway it: the
tries end where the other has to decide, and judge cards that were lost from a deck by their number alone.
"""

from typing import NamedTuple

import numpy as np

from duelbench.agents.agent import Agent, Position
from duelbench.agents.choosing import one_of_the_best
from duelbench.agents.compiled import register
from duelbench.envs.batch import Batch
from duelbench.envs.dispatch import determinize
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.records import blank
from duelbench.envs.rng import next_bits
from duelbench.envs.tommy_walker.cards import NO_CARD, NUM_CARDS
from duelbench.envs.tommy_walker.power import barrier_power, has, power
from duelbench.envs.tommy_walker.rules import apply, damage, legal, may_use_at
from duelbench.envs.tommy_walker.state import (
    COPY,
    DECK_SIZE,
    DECLINE,
    DISCARD_CARD,
    DRAW,
    DRAWING,
    END,
    ENTRY,
    MAX_PAID,
    PAYING,
    PUT_BACK,
    RETURNING,
    REVENGE,
    SET_CARD,
    TAKING_BACK,
    USE,
    attack_card,
    shown_deck_size,
    shown_hand_size,
)

MAX_TRIES = 128
"""Positions that one decision tries at most; lines that would need more are cut short."""
HANDS_WANTED = np.array([0, 1, 9, 9, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6], np.int64)
"""By cards left in the deck: the size to which the hand is filled before a card is set. Choice wins rounds, and where
the next lost round is the last one anyway, a card in the deck is worth nothing."""
FEW_LEFT = 4
"""From so few cards in the deck on the hand is filled even if that puts an AT out of use."""
HAND_LIMIT_COUNTS_FROM = 0.25
"""From this share of the deck list on, cards whose AT asks for a small hand keep the hand small."""
USUAL_HAND = 3
"""Cards that the other is expected to hold when it sets one."""
CARD_WORTH = 0.9
"""What a card in the other's hand is worth, in cards of its deck."""
SLOTS_WORTH = np.cumsum([0.0, 1.0, 0.95, 0.85, 0.6, 0.45, 0.35, 0.3] + [0.25] * (DECK_SIZE - 7))
"""By the size of a hand: how many of its cards count. There is a use for a few in a round, and more come for a draw."""
STRIKE_HOLDS = 0.6
"""How likely the round is won by a strike that answers the other's answer."""
A_STEP = 1e-6
"""What an action costs beyond its cards, so that none is taken for nothing."""


class TommyHeuristic(Agent):
    """Plays the action with the best outlook; equal ones are chosen among at random."""

    def __init__(self, game: Game, table: np.record) -> None:
        self._tables = blank(1, table.dtype)
        self._tables[0] = table
        self._tries = game.new_states(MAX_TRIES)
        self._first = np.zeros(MAX_TRIES, np.int64)
        self._mask = np.zeros(game.num_actions, np.int8)
        self._scores = np.zeros(game.num_actions)
        self._books = blank(1, BOOK)

    def act(self, position: Position, rng: np.record) -> int:
        return int(one_of_the_best(self.scores(position), rng))

    def scores(self, position: Position) -> np.ndarray:
        """float64[num_actions]: the outlook after each legal action, -inf for the others."""
        self._tries[0] = position.root
        score_actions(self._tables, self._tries, self._first, self._books, self._mask, self._scores)
        return self._scores

    def answers(self, batch: Batch, lanes: np.ndarray, streams: np.ndarray) -> np.ndarray:
        """int64[len(lanes)]: what the player does in these lanes of a batch; `streams` (STREAM[1]) draws for it."""
        actions = np.zeros(len(lanes), np.int64)
        scratch = (self._tries, self._first, self._books, self._mask, self._scores)
        answer_lanes(self._tables, batch.states, lanes, streams, *scratch, actions)
        return actions

    def compiled(self) -> "TommyPlayer":
        return TommyPlayer(self._tables, self._tries, self._first, self._books, self._mask, self._scores)


class TommyPlayer(NamedTuple):
    """What compiled games know of the agent: its cards and scratch space, as `score_actions` takes them."""

    tables: np.ndarray
    tries: np.ndarray
    first: np.ndarray
    books: np.ndarray
    mask: np.ndarray
    scores: np.ndarray


@rule
def decide(table, state, mask, world, stream, player):
    player.tries[0] = state
    determinize(table, player.tries[0], state.to_act, world)
    score_actions(player.tables, player.tries, player.first, player.books, player.mask, player.scores)
    return one_of_the_best(player.scores, stream)


register(TommyPlayer, decide)


BOOK = np.dtype(
    [
        ("mine", np.int8, DECK_SIZE),  # the cards on the own list
        ("num_mine", np.int64),
        ("yours", np.int8, DECK_SIZE),  # the cards that the other may hold
        ("num_yours", np.int64),
        ("worth", np.float64, NUM_CARDS),  # own cards: what one in hand is worth, in cards of a deck
        ("barrier", np.float64, (2, NUM_CARDS)),  # by seat: what it is worth to have that barrier on the table
        ("chance", np.float64, NUM_CARDS),  # the other's cards: how likely one is in its hand
    ]
)
"""What the player works out about the cards before a decision."""


@rule
def answer_lanes(tables, states, lanes, streams, tries, first, books, mask, scores, actions):
    for n in range(lanes.shape[0]):
        tries[0] = states[lanes[n]]
        determinize(tables[0], tries[0], tries[0].to_act, next_bits(streams[0]))
        score_actions(tables, tries, first, books, mask, scores)
        actions[n] = one_of_the_best(scores, streams[0])


@rule
def score_actions(tables, tries, first, books, mask, scores):
    """Write the outlook after each legal action of tries[0], from -1, lost, to 1, won; -inf for illegal ones.

    The other entries of `tries`, `first` and `books` are scratch.
    """
    table, game, book = tables[0], tries[0], books[0]
    scores[:] = -np.inf
    keep_book(table, game, book)
    if game.phase == DRAWING:
        legal(table, game, mask)
        score_draws(table, tries, book, mask, scores)
    else:
        try_lines(table, tries, first, book, mask, scores)


# --- What the cards are worth ---------------------------------------------------------------------------------


@rule
def keep_book(table, game, book):
    me = game.to_act
    you = 1 - me
    drawing = game.phase == DRAWING
    held = max(shown_hand_size(game, you), USUAL_HAND) if drawing else game.hand_size[you]
    see_chances(game, you, held, book)
    book.num_mine = book.num_yours = 0
    for card in range(NUM_CARDS):
        if game.lists[me, card] > 0:
            book.mine[book.num_mine] = card
            book.num_mine += 1
            book.worth[card] = worth(table, game, me, card)
        if book.chance[card] > 0:
            book.yours[book.num_yours] = card
            book.num_yours += 1
        if table.cards[card].barrier != 0:
            book.barrier[me, card] = barrier_worth(table, game, card, you)
            book.barrier[you, card] = barrier_worth(table, game, card, me)


@rule
def unseen(game, seat, card):
    """Copies that lie in the seat's hand and deck together; its list is open."""
    left = game.lists[seat, card] - game.discard[seat, card]
    for i in range(game.stack_size[seat]):
        left -= game.stack[seat, i] == card
    return left - (game.barrier_seat == seat and game.barrier == card)


@rule
def see_chances(game, seat, held, book):
    """How likely each card is in a hand of so many cards, of which some have been seen."""
    book.chance[:] = 0
    seen = 0
    for at in range(game.tokens[seat]):
        card = game.token_card[seat, at]
        if card != NO_CARD and game.token_from[seat, at] >= game.returned[seat]:
            book.chance[card] = 1
            seen += 1
    hidden = -seen
    for card in range(NUM_CARDS):
        if game.lists[seat, card] > 0:
            hidden += unseen(game, seat, card)
    missing = 1 - min(max(held - seen, 0) / max(hidden, 1), 1)
    for card in range(NUM_CARDS):
        if game.lists[seat, card] > 0 and book.chance[card] == 0:
            book.chance[card] = 1 - missing ** unseen(game, seat, card)


@rule
def worth(table, game, me, card):
    """More for a card that beats much of what the other may bring, and for its stars."""
    you = 1 - me
    beaten, met = 0.0, 0.0
    for theirs in range(NUM_CARDS):
        if game.lists[you, theirs] > 0:
            copies = game.lists[you, theirs]
            beaten += copies * (usual_power(table, card, theirs) > usual_power(table, theirs, card))
            met += copies
    extra = 0.1 if table.cards[card].barrier != 0 else 0.0
    return 0.5 + 0.35 * beaten / max(met, 1.0) + 0.04 * table.cards[card].stars + extra


@rule
def usual_power(table, card, enemy):
    """The power that a card usually comes to against that enemy."""
    ability = table.cards[card]
    if ability.entry_on != 0:
        return (np.int64(ability.power) + ability.entry_power) // 2
    if ability.at_enemy != 0:
        return ability.at_power[0] if has(table, enemy, ability.at_enemy) else ability.power
    return max(ability.power, ability.at_power[0])


@rule
def barrier_worth(table, game, card, enemy):
    """What the barrier is worth against what is on the enemy's list, in cards."""
    ability = table.cards[card]
    total = 1.0 * -ability.barrier_enemy_stars + ability.barrier_power / 1000.0
    if ability.barrier_enemy != 0:
        total *= share(table, game, enemy, ability.barrier_enemy)
    if ability.barrier_copy != 0:
        total += 0.3
    return total


@rule
def share(table, game, seat, attributes):
    """How much of the seat's list has one of the attributes."""
    found, size = 0, 0
    for card in range(NUM_CARDS):
        copies = game.lists[seat, card]
        size += copies
        if copies > 0 and has(table, card, attributes):
            found += copies
    return found / max(size, 1)


@rule
def hand_worth(game, me, book):
    total, size = 0.0, np.int64(game.hand_size[me])
    if size == 0:
        return 0.0
    for i in range(book.num_mine):
        total += game.hand[me, book.mine[i]] * book.worth[book.mine[i]]
    return total * SLOTS_WORTH[size] / size


@rule
def reserves(game, seat, me, book):
    """What the seat has besides its deck: hand and barrier."""
    total = hand_worth(game, me, book) if seat == me else CARD_WORTH * SLOTS_WORTH[shown_hand_size(game, seat)]
    if game.barrier_seat == seat:
        total += book.barrier[seat, game.barrier]
    return total


@rule
def balance(my_deck, my_reserves, your_deck, your_reserves):
    """From -1, lost, to 1, won: the decks are lives, and the fewer are left, the more each counts."""
    if my_deck <= 0:
        return 0.0 if your_deck <= 0 else -1.0
    if your_deck <= 0:
        return 1.0
    mine, yours = my_deck + my_reserves, your_deck + your_reserves
    return (mine - yours) / (mine + yours)


# --- Setting a card -------------------------------------------------------------------------------------------


@rule
def score_draws(table, tries, book, mask, scores):
    """Draw until the hand has the size that is wanted; then set the card that does best."""
    game = tries[0]
    me = game.to_act
    draws = mask[DRAW] and game.hand_size[me] < hand_wanted(table, game, me)
    if mask[DRAW]:
        scores[DRAW] = 2.0 if draws else -1.5
    for card in range(NUM_CARDS):
        if mask[SET_CARD + card]:
            wrong = draws or table.cards[card].ride_only
            scores[SET_CARD + card] = -2.0 if wrong else score_of_setting(table, tries, book, card)


@rule
def hand_wanted(table, game, me):
    """The size to fill the hand to; with an AT that asks for a small hand, one card more than that, as one is set."""
    wanted = HANDS_WANTED[game.deck_size[me]]
    if game.deck_size[me] <= FEW_LEFT:
        return wanted
    limited, size, limit = 0, 0, 0
    for card in range(NUM_CARDS):
        copies = game.lists[me, card]
        size += copies
        if copies > 0 and table.cards[card].at_hand >= 0:
            limited += copies
            limit = max(limit, table.cards[card].at_hand)
    return min(wanted, limit + 1) if limited >= HAND_LIMIT_COUNTS_FROM * size else wanted


@rule
def score_of_setting(table, tries, book, card):
    """The mean over the cards that the other may set, by how likely it holds them."""
    tries[1] = tries[0]
    game = tries[1]
    me = game.to_act
    you = 1 - me
    game.deck_size[you] = shown_deck_size(game, you)
    game.hand_size[you] = max(shown_hand_size(game, you), USUAL_HAND) - 1
    game.drawn[:] = 0
    game.phase = REVENGE
    lay_from_hand(game, me, card)
    game.stack_size[you] = 1
    total, chances = 0.0, 0.0
    for i in range(book.num_yours):
        theirs = book.yours[i]
        chance = book.chance[theirs]
        if table.cards[theirs].ride_only == 0:
            game.stack[you, 0] = theirs
            total += chance * meeting(table, tries, book)
            chances += chance
    return total / max(chances, 1e-9) + entry_bonus(table, tries[0], me, card) / 32


@rule
def lay_from_hand(game, seat, card):
    game.hand[seat, card] -= 1
    game.hand_size[seat] -= 1
    game.stack[seat, game.stack_size[seat]] = card
    game.stack_size[seat] += 1


@rule
def entry_bonus(table, game, me, card):
    """What the card's entry brings at the reveal, in cards."""
    ability = table.cards[card]
    if ability.fetch != 0:
        for other in range(NUM_CARDS):
            if game.discard[me, other] > 0 and has(table, other, ability.fetch):
                return CARD_WORTH
    return 0.4 if ability.returns > 0 and game.hand_size[me] > 2 else 0.0


@rule
def meeting(table, tries, book):
    """How it stands when these two attack cards meet, each using its AT while that is free."""
    game = tries[1]
    me = game.to_act
    game.own_power[:] = 0
    while True:
        mine, yours = power(table, game, me), power(table, game, 1 - me)
        if mine == yours:
            return standing(game, me, book)
        lower = me if mine < yours else 1 - me
        if not may_use_at(table, game, lower):
            break
        game.own_power[lower] = table.cards[attack_card(game, lower)].at_power[0]
    return behind(table, tries, book) if lower == me else ahead(table, game, me, book)


@rule
def behind(table, tries, book):
    """The player is the lower side: it concedes, or lays the least of the cards that take it past the other."""
    game = tries[1]
    me = game.to_act
    enemy = attack_card(game, 1 - me)
    bar = power(table, game, 1 - me)
    found = NO_CARD
    for i in range(book.num_mine):
        card = book.mine[i]
        cheaper = game.hand[me, card] > 0 and (found == NO_CARD or book.worth[card] < book.worth[found])
        if cheaper and reach(table, game, me, card, enemy, 1) > bar:
            found = card
    conceding = conceded(table, game, me, book)
    if found == NO_CARD:
        return conceding
    tries[2] = game
    after = tries[2]
    value = reach(table, game, me, found, enemy, 1) - barrier_power(table, game, me)
    lay_from_hand(after, me, found)
    after.own_power[me] = value
    return max(conceding, ahead(table, after, me, book))


# --- How an exchange stands -----------------------------------------------------------------------------------


@rule
def standing(game, me, book):
    """Between two rounds."""
    you = 1 - me
    yours = shown_deck_size(game, you)
    return balance(game.deck_size[me], reserves(game, me, me, book), yours, reserves(game, you, me, book))


@rule
def conceded(table, game, me, book):
    """The other wins the round as it stands."""
    you = 1 - me
    left = game.deck_size[me] - damage(table, game, you)
    return balance(left, reserves(game, me, me, book), game.deck_size[you], reserves(game, you, me, book))


@rule
def reach(table, game, seat, card, enemy, spare):
    """The power of the seat after riding `card` and using all that is free, against that enemy.

    An AT that is paid for counts with one card if the hand then holds `spare` others.
    """
    ability = table.cards[card]
    covered = attack_card(game, seat)
    left = game.hand_size[seat] - 1
    value = np.int64(ability.power)
    if ability.entry_on != 0:
        works, gain = has(table, covered, ability.entry_on), ability.entry_power
    elif ability.at_enemy != 0:
        works, gain = has(table, enemy, ability.at_enemy), ability.at_power[0]
    elif ability.at_cover != 0:
        works, gain = has(table, covered, ability.at_cover), ability.at_power[0]
    elif ability.at_hand >= 0:
        works, gain = left <= ability.at_hand, ability.at_power[0]
    else:
        works, gain = ability.at_discard != 0 and left >= spare, ability.at_power[0]
    if works and gain > value:
        value = np.int64(gain)
    return value + bonus(table, game, seat, game.barrier, enemy) * (game.barrier_seat == seat)


@rule
def bonus(table, game, seat, barrier, enemy):
    """What that barrier, laid by the seat, adds against that enemy."""
    if barrier == NO_CARD:
        return np.int64(0)
    ability = table.cards[barrier]
    if ability.barrier_enemy != 0 and not has(table, enemy, ability.barrier_enemy):
        return np.int64(0)
    return np.int64(ability.barrier_power)


@rule
def power_against(table, game, me, enemy):
    """The player's power as it would be against that enemy."""
    ability = table.cards[attack_card(game, me)]
    now = power(table, game, me) - barrier_power(table, game, me)
    if ability.at_enemy != 0 and game.own_power[me] != 0:
        now = game.own_power[me] if has(table, enemy, ability.at_enemy) else ability.power
    return now + bonus(table, game, me, game.barrier, enemy) * (game.barrier_seat == me)


@rule
def ahead(table, game, me, book):
    """The player is the higher side: the other concedes, or strikes back if it can and if that is better for it."""
    you = 1 - me
    mine, yours = reserves(game, me, me, book), reserves(game, you, me, book)
    won = balance(game.deck_size[me], mine, game.deck_size[you] - damage(table, game, me), yours)
    card = attack_card(game, you)
    high = power(table, game, me)
    if may_use_at(table, game, you):
        strength = table.cards[card].at_power[0] + barrier_power(table, game, you)
        if strength >= high:
            return min(won, struck(table, game, me, book, card, strength, high, 0))
    failing, total, weight = 1.0, 0.0, 0.0
    if game.hand_size[you] > 0:
        for i in range(book.num_yours):
            theirs = book.yours[i]
            chance = book.chance[theirs]
            answer = min(ridden(table, game, me, book, theirs), barred(table, game, me, book, theirs))
            if answer < won:
                failing *= 1 - chance
                total += chance * answer
                weight += chance
        chance, answer = paid(table, game, me, book, high)
        if answer < won:
            failing *= 1 - chance
            total += chance * answer
            weight += chance
    if weight == 0:
        return won
    return failing * won + (1 - failing) * total / weight


@rule
def ridden(table, game, me, book, theirs):
    """How it stands if the other rides that card; 2 if that does not take it past the player."""
    strength = reach(table, game, 1 - me, theirs, attack_card(game, me), 2)
    return struck(table, game, me, book, theirs, strength, power_against(table, game, me, theirs), 1)


@rule
def barred(table, game, me, book, theirs):
    """How it stands if the other lays that card as the barrier; 2 if that does not take it past the player."""
    if table.cards[theirs].barrier == 0:
        return 2.0
    you = 1 - me
    card = attack_card(game, you)
    strength = power(table, game, you) - barrier_power(table, game, you)
    strength += bonus(table, game, you, theirs, attack_card(game, me))
    high = power(table, game, me) - barrier_power(table, game, me)
    return struck(table, game, me, book, card, strength, high, 1)


@rule
def paid(table, game, me, book, high):
    """How likely the other can pay for the AT of its attack card, and how it stands then; 2 if that is not enough."""
    you = 1 - me
    card = attack_card(game, you)
    ability = table.cards[card]
    if ability.at_discard == 0 or (table.pay_once and game.paid[you] > 0):
        return 0.0, 2.0
    lacking = 1.0
    for i in range(book.num_yours):
        if has(table, book.yours[i], ability.at_discard):
            lacking *= 1 - book.chance[book.yours[i]]
    extra = barrier_power(table, game, you)
    for count in range(1, min(MAX_PAID - game.paid[you], game.hand_size[you]) + 1):
        strength = ability.at_power[game.paid[you] + count - 1] + extra
        if strength >= high:
            return (1 - lacking) ** count, struck(table, game, me, book, card, strength, high, count)
    return 0.0, 2.0


@rule
def struck(table, game, me, book, card, strength, high, spent):
    """How it stands when the other comes to that strength, for so many cards of its hand; 2 if it stays below."""
    if strength < high:
        return 2.0
    if strength > high:
        return answered(table, game, me, book, card, strength, spent)
    you = 1 - me
    yours = reserves(game, you, me, book) - CARD_WORTH * spent
    return balance(game.deck_size[me], reserves(game, me, me, book), game.deck_size[you], yours)


@rule
def answered(table, game, me, book, card, strength, spent):
    """How it stands when the other has struck back with that attack card, for so many cards of its hand.

    The player concedes, or strikes once more with what it has.
    """
    you = 1 - me
    own = attack_card(game, me)
    mine = reserves(game, me, me, book)
    yours = reserves(game, you, me, book) - CARD_WORTH * spent
    beaten = game.deck_size[me] - stars(table, game, you, card, own, game.rode[me])
    best = balance(beaten, mine, game.deck_size[you], yours)
    ability = table.cards[own]
    extra = bonus(table, game, me, game.barrier, card) * (game.barrier_seat == me)
    if has(table, card, ability.at_enemy) and ability.at_power[0] + extra > strength:
        hit = game.deck_size[you] - stars(table, game, me, own, card, 1)
        won = balance(game.deck_size[me], mine, hit, yours)
        best = max(best, STRIKE_HOLDS * won + (1 - STRIKE_HOLDS) * best)
    for i in range(book.num_mine):
        other = book.mine[i]
        if game.hand[me, other] > 0 and reach(table, game, me, other, card, 1) > strength:
            rest = mine - book.worth[other]
            won = balance(game.deck_size[me], rest, game.deck_size[you] - stars(table, game, me, other, card, 1), yours)
            lost = balance(beaten, rest, game.deck_size[you], yours)
            best = max(best, STRIKE_HOLDS * won + (1 - STRIKE_HOLDS) * lost)
    return best


@rule
def stars(table, game, winner, card, beaten, rode):
    """The damage if the winner's attack card beats that card, whose side has ridden or not."""
    ability = table.cards[card]
    total = np.int64(ability.stars) + ability.dmg_riders_stars * rode
    if ability.dmg_beats != 0 and has(table, beaten, ability.dmg_beats):
        total += ability.dmg_beats_stars
    if game.barrier_seat == 1 - winner:
        total += table.cards[game.barrier].barrier_enemy_stars
    return max(total, 0)


# --- Trying lines of one's own --------------------------------------------------------------------------------


@rule
def try_lines(table, tries, first, book, mask, scores):
    """Follow all lines in which the player alone decides, shorter ones first, and score how they begin."""
    me = tries[0].to_act
    made, at, steps, last_of_step = 1, 0, 1, 0
    while at < made:
        if at > last_of_step:
            steps += 1
            last_of_step = made - 1
        legal(table, tries[at], mask)
        cheapest = cheapest_card(tries[at], me, book, mask) if at > 0 else NO_CARD
        for action in range(mask.shape[0]):
            if mask[action] == 0 or (at > 0 and is_skipped(tries[at], action, cheapest)):
                continue
            slot = min(made, MAX_TRIES - 1)
            tries[slot] = tries[at]
            apply(table, tries[slot], action)
            pass_by(table, tries[slot], me)
            start = action if at == 0 else first[at]
            outcome = outlook(table, tries[slot], me, book) - A_STEP * steps
            scores[start] = max(scores[start], outcome)
            if slot == made and made < MAX_TRIES - 1 and goes_on(tries[slot], me):
                first[slot] = start
                made += 1
        at += 1


@rule
def goes_on(game, me):
    return game.over == 0 and game.to_act == me and game.phase != DRAWING


@rule
def cheapest_card(game, me, book, mask):
    """Of the cards to give up or to put back, the one that is worth least."""
    found = NO_CARD
    kind = PUT_BACK if game.phase in (RETURNING, ENTRY, COPY) else DISCARD_CARD
    for card in range(NUM_CARDS):
        if mask[kind + card] and (found == NO_CARD or book.worth[card] < book.worth[found]):
            found = card
    return found


@rule
def is_skipped(game, action, cheapest):
    """Later on in a line: to end is scored without trying it, and only the least card is given up or put back."""
    if game.phase == REVENGE:
        return action == END
    if action >= PUT_BACK:
        return action - PUT_BACK != cheapest
    return (
        (game.phase == PAYING or game.phase == TAKING_BACK)
        and action >= DISCARD_CARD
        and (action - DISCARD_CARD != cheapest)
    )


@rule
def pass_by(table, game, me):
    """Choices of the other that come in between: it copies a power, for that ends the fight, and else does nothing."""
    while game.over == 0 and game.to_act != me and game.phase != DRAWING and game.phase != REVENGE:
        if game.phase == PAYING:
            return
        copies = game.phase == COPY and table.cards[game.source].entry_on != 0
        apply(table, game, USE if copies else DECLINE)


@rule
def outlook(table, game, me, book):
    if game.over:
        return 0.0 if game.winner == -1 else 1.0 if game.winner == me else -1.0
    if game.phase != REVENGE:
        return standing(game, me, book)
    return conceded(table, game, me, book) if game.to_act == me else ahead(table, game, me, book)
