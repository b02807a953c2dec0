"""A hand-written Wizard in Training player: it counts in dragon teeth, and knows what a level and a blocker are worth.

Every decision is scored by what it brings in teeth, own ones and the other's (`wizard_worth`). Attacks are weighed
against all characters that the other may hold, and blocks against the main's fall (`wizard_fights`). Of the hand it
keeps what is worth more than the card that would be drawn instead.

It reads nothing but its own cards and what lies open, so what is made up in the position's root cannot sway it.
"""

from typing import NamedTuple

import numpy as np

from duelbench.agents.agent import Agent, Position
from duelbench.agents.compiled import register
from duelbench.agents.wizard_fights import (
    best_attack,
    block_worth,
    choose_equipment,
    worth_of_attacker,
)
from duelbench.agents.wizard_worth import (
    BOOK,
    WEIGHTS,
    fall_cost,
    fighter_worth,
    gain_worth,
    is_fighter,
    is_item,
    item_worth,
    keep_book,
    loss_weight,
    other_fighters,
    payment,
    rises_by,
    stealable,
)
from duelbench.envs.batch import Batch
from duelbench.envs.dispatch import determinize
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.records import blank
from duelbench.envs.rng import next_bits
from duelbench.envs.wizard_in_training.cards import (
    CHARACTERS,
    FIRST_CHARACTER,
    FIRST_SPELL,
    ITEMS,
    NUM_CHARACTERS,
    NUM_ITEMS,
    NUM_SPELLS,
)
from duelbench.envs.wizard_in_training.rules import legal
from duelbench.envs.wizard_in_training.state import (
    ATTACK,
    ATTACKING,
    BLOCK,
    BLOCKING,
    CAST_SPELL,
    CASTING,
    CHOOSING_MODE,
    COUNTER,
    COUNTERING,
    DECK,
    DECK_SIZE,
    DESTROY,
    DESTROYING,
    DISCARD,
    DISCARD_CARD,
    DISCARDING,
    EQUIP,
    EQUIPPING,
    FIELD,
    FIGHT_YOURSELF,
    GIVING_UP,
    HAND,
    HOLD,
    HOLDING,
    MAIN_SLOT,
    MODE,
    NO_SLOT,
    PAY,
    PAYING,
    POOL,
)

FIRST = 1000.0
"""Puts an action before all others."""


class WizardHeuristic(Agent):
    """Plays the action that scores best; of equal ones the first."""

    def __init__(self, game: Game, table: np.record) -> None:
        self._tables = blank(1, table.dtype)
        self._tables[0] = table
        self._games = game.new_states(1)
        self._books = blank(1, BOOK)
        for name, weight in WEIGHTS.items():
            self._books[0].taste[name] = weight
        self._mask = np.zeros(game.num_actions, np.int8)
        self._scores = np.zeros(game.num_actions)

    def act(self, position: Position, rng: np.record) -> int:
        return int(self.scores(position).argmax())

    def scores(self, position: Position) -> np.ndarray:
        """float64[num_actions]: what each legal action is worth, -inf for the others. The array is used again."""
        self._games[0] = position.root
        score_actions(self._tables, self._games, self._books, self._mask, self._scores)
        return self._scores

    def answers(self, batch: Batch, lanes: np.ndarray, streams: np.ndarray) -> np.ndarray:
        """int64[len(lanes)]: what the player does in these lanes of a batch; `streams` (STREAM[1]) draws the unseen."""
        actions = np.zeros(len(lanes), np.int64)
        scratch = (self._games, self._books, self._mask, self._scores)
        answer_lanes(self._tables, batch.states, lanes, streams, *scratch, actions)
        return actions

    def compiled(self) -> "WizardPlayer":
        return WizardPlayer(self._tables, self._games, self._books, self._mask, self._scores)


class WizardPlayer(NamedTuple):
    """What compiled games know of the agent: its cards and scratch space, as `score_actions` takes them."""

    tables: np.ndarray
    games: np.ndarray
    books: np.ndarray
    mask: np.ndarray
    scores: np.ndarray


@rule
def decide(table, state, mask, world, stream, player):
    player.games[0] = state
    determinize(table, player.games[0], state.to_act, world)
    score_actions(player.tables, player.games, player.books, player.mask, player.scores)
    return player.scores.argmax()


register(WizardPlayer, decide)


@rule
def answer_lanes(tables, states, lanes, streams, games, books, mask, scores, actions):
    for n in range(lanes.shape[0]):
        games[0] = states[lanes[n]]
        determinize(tables[0], games[0], games[0].to_act, next_bits(streams[0]))
        score(tables[0], games[0], books[0], mask, scores)
        actions[n] = scores.argmax()


@rule
def score_actions(tables, games, books, mask, scores):
    """Write the worth of each action that is legal in games[0], -inf for the others; `books` and `mask` are scratch."""
    score(tables[0], games[0], books[0], mask, scores)


@rule
def score(table, game, book, mask, scores):
    legal(table, game, mask)
    scores[:] = -np.inf
    for action in range(mask.shape[0]):
        if mask[action]:
            scores[action] = 0.0
    keep_book(table, game, book)
    if game.phase == DISCARDING or game.phase == GIVING_UP:
        score_discards(table, game, book, mask, scores)
    elif game.phase == CASTING:
        score_spells(table, game, book, mask, scores)
    elif game.phase == ATTACKING:
        score_attacks(table, game, book, mask, scores)
    elif game.phase == BLOCKING:
        score_blocks(table, game, book, mask, scores)
    elif game.phase == EQUIPPING:
        score_equipment(table, game, book, scores)
    elif game.phase == COUNTERING:
        score_counters(table, game, book, mask, scores)
    elif game.phase == PAYING:
        score_payments(table, game, book, scores)
    elif game.phase == DESTROYING:
        score_targets(table, game, book, mask, scores)
    elif game.phase == CHOOSING_MODE:
        score_modes(table, game, book, mask, scores)
    elif game.phase == HOLDING:
        for item in range(NUM_ITEMS):
            if mask[HOLD + item]:
                scores[HOLD + item] = -item_worth(table, book, item)


# --- What cards of the hand are worth -------------------------------------------------------------------------


@rule
def readiness(table, game, book, card):
    """How soon the seat can play a card of that level, from 0 to 1."""
    above = table.cards[card].level - game.level[game.to_act]
    if above <= 0:
        return 1.0
    return book.taste.later if above == 1 else book.taste.much_later


@rule
def has_requirement(table, game, me, spell):
    """How likely an item that the spell asks for will be there."""
    if table.cards[spell].requires == 0:
        return 1.0
    best = 0.1
    for slot in range(DECK_SIZE):
        item = game.lists[me, slot]
        if item < NUM_ITEMS and table.fits[spell - FIRST_SPELL, item]:
            zone = game.zone[me, slot]
            if zone == POOL or zone == HAND:
                return 1.0
            if zone == DECK:
                best = 0.4
    return best


@rule
def usual_worth(table, game, book, effects):
    """What a mode usually brings, whatever lies on the table."""
    taste = book.taste
    value = 1.0 * effects.gain + taste.theft * effects.steal
    value += taste.ruin * (effects.destroys != 0) + taste.rob * effects.discard + taste.draw * effects.draw
    points = np.int64(effects.attack) + effects.defend - effects.other_attack - effects.other_defend
    return value + taste.point * points * (1.5 if effects.every_duel else 1.0)


@rule
def spell_prospect(table, game, book, spell):
    """A spell in the own hand: the mode that usually brings most, and what it may counter."""
    card = table.cards[spell]
    best = 0.0
    for mode in range(card.num_modes):
        best = max(best, usual_worth(table, game, book, card.modes[mode]))
    best *= readiness(table, game, book, spell) * has_requirement(table, game, game.to_act, spell)
    return best + counter_prospect(table, game, book, spell)


@rule
def counter_prospect(table, game, book, spell):
    """What the spell may prevent: what the other can cast soon and this one counters."""
    you = 1 - game.to_act
    value = 0.0
    for slot in range(DECK_SIZE):
        card = game.lists[you, slot]
        if game.zone[you, slot] > HAND or card < FIRST_SPELL or table.cards[card].level > game.level[you]:
            continue
        if table.counters[spell - FIRST_SPELL, card - FIRST_SPELL]:
            worst = 0.0
            for mode in range(table.cards[card].num_modes):
                worst = max(worst, usual_worth(table, game, book, table.cards[card].modes[mode]))
            value += worst * (1.0 - book.none[1])
    return book.taste.counter * value


@rule
def fighter_prospect(table, game, book, slot):
    """A character in the own hand: as a blocker, and as an attacker in the next turn."""
    me = game.to_act
    card = game.lists[me, slot]
    others = other_fighters(game, me, slot)
    value = fighter_worth(table, book, card) * (1.0 if others == 0 else 0.5)
    value += book.guard * (1.0 if others == 0 else book.taste.second**others)
    if table.cards[card].level <= game.level[me]:
        value += book.taste.again * max(worth_of_attacker(table, game, book, slot, 0, 0, 0, 0), 0.0)
    return value


@rule
def prospect(table, game, book, slot):
    """What a card of the own hand is worth if it is kept."""
    card = game.lists[game.to_act, slot]
    if card < NUM_ITEMS:
        return item_worth(table, book, card)
    if card < FIRST_SPELL:
        return fighter_prospect(table, game, book, slot)
    return spell_prospect(table, game, book, card)


@rule
def usual_card(table, game, book, card):
    """What a card that is drawn will be worth."""
    if card < NUM_ITEMS:
        return item_worth(table, book, card)
    if card < FIRST_SPELL:
        return fighter_worth(table, book, card)
    return spell_prospect(table, game, book, card)


@rule
def see_draw(table, game, book):
    """The mean worth of the cards of the own deck; of the discards, if the deck is empty."""
    me = game.to_act
    zone = DECK if game.deck_size[me] > 0 else DISCARD
    worth, cards = 0.0, 0
    for slot in range(DECK_SIZE):
        if game.zone[me, slot] == zone:
            worth += usual_card(table, game, book, game.lists[me, slot])
            cards += 1
    book.draw = worth / max(cards, 1)


@rule
def score_discards(table, game, book, mask, scores):
    """Away with what is worth less than a card drawn instead, the least first."""
    see_draw(table, game, book)
    me = game.to_act
    for slot in range(DECK_SIZE):
        if game.zone[me, slot] == HAND:
            scores[DISCARD_CARD + game.lists[me, slot]] = book.draw - prospect(table, game, book, slot)


# --- Spells ---------------------------------------------------------------------------------------------------


@rule
def teeth_of(table, game, effects):
    """The teeth that the mode brings its caster, who is the seat to act, now."""
    return np.int64(effects.gain) + min(np.int64(effects.steal), stealable(table, game, 1 - game.to_act))


@rule
def mode_worth(table, game, book, effects, attack_now):
    """What the mode brings now; `attack_now` is what an attack in this turn is worth without it."""
    me = game.to_act
    you = 1 - me
    teeth = teeth_of(table, game, effects)
    value = gain_worth(game, book, me, teeth) + loss_weight(game, book, you) * (teeth - effects.gain)
    value += best_target(table, game, book, effects.destroys)
    value += book.taste.rob * min(effects.discard, game.hand_size[you])
    value += book.taste.draw * book.draw * effects.draw
    if rises_by(game, me, teeth):
        return value - attack_now
    if effects.attack or effects.defend or effects.other_attack or effects.other_defend:
        value += (
            best_attack(table, game, book, effects.attack, effects.defend, effects.other_attack, effects.other_defend)
            - attack_now
        )
    return value


@rule
def target_worth(table, game, book, card):
    you = 1 - game.to_act
    if card < NUM_ITEMS:
        return loss_weight(game, book, you) * item_worth(table, book, card)
    return fighter_worth(table, book, card) + 0.5


@rule
def best_target(table, game, book, destroys):
    you = 1 - game.to_act
    best = 0.0
    for slot in range(DECK_SIZE):
        zone = game.zone[you, slot]
        if (zone == POOL and destroys & ITEMS) or (zone == FIELD and destroys & CHARACTERS):
            best = max(best, target_worth(table, game, book, game.lists[you, slot]))
    return best


@rule
def score_targets(table, game, book, mask, scores):
    for card in range(NUM_ITEMS + NUM_CHARACTERS):
        if mask[DESTROY + card]:
            scores[DESTROY + card] = target_worth(table, game, book, card)


@rule
def counter_risk(table, game, book, spell):
    """How likely the other counters the spell."""
    you = 1 - game.to_act
    if game.hand_size[you] == 0:
        return 0.0
    known = 0
    for slot in range(DECK_SIZE):
        card = game.lists[you, slot]
        if game.zone[you, slot] <= HAND and card >= FIRST_SPELL:
            known += table.counters[card - FIRST_SPELL, spell - FIRST_SPELL]
    return 0.8 * (1.0 - book.none[min(known, 8)])


@rule
def held_worth(table, game, book, spell):
    """The least worth of an item of the own pool that the spell can hold."""
    me = game.to_act
    best = 99.0
    for slot in range(DECK_SIZE):
        item = game.lists[me, slot]
        if game.zone[me, slot] == POOL and item < NUM_ITEMS and table.fits[spell - FIRST_SPELL, item]:
            best = min(best, item_worth(table, book, item))
    return best if best < 99.0 else 0.0


@rule
def score_spells(table, game, book, mask, scores):
    """What each spell brings now beyond what it would be worth later; 0 to cast no more."""
    see_draw(table, game, book)
    attack_now = best_attack(table, game, book, 0, 0, 0, 0)
    for spell in range(NUM_SPELLS):
        if mask[CAST_SPELL + spell]:
            scores[CAST_SPELL + spell] = casting_worth(table, game, book, FIRST_SPELL + spell, attack_now)


@rule
def casting_worth(table, game, book, spell, attack_now):
    """The worth of the spell's best mode. One that hurts the other, and does not end the turn, goes before others."""
    me = game.to_act
    card = table.cards[spell]
    risk = counter_risk(table, game, book, spell)
    cost = max(book.taste.hold * spell_prospect(table, game, book, spell) - book.draw, 0.0)
    if card.requires:
        cost += risk * held_worth(table, game, book, spell)
    best = -np.inf
    for mode in range(card.num_modes):
        effects = card.modes[mode]
        value = (1.0 - risk) * mode_worth(table, game, book, effects, attack_now) - cost
        teeth = teeth_of(table, game, effects)
        own = (1.0 - risk) * gain_worth(game, book, me, teeth)
        if value > 0 and value > own and not rises_by(game, me, teeth):
            value += FIRST
        best = max(best, value)
    return best


@rule
def score_modes(table, game, book, mask, scores):
    see_draw(table, game, book)
    attack_now = best_attack(table, game, book, 0, 0, 0, 0)
    card = table.cards[game.lists[game.active, game.spell]]
    for mode in range(card.num_modes):
        scores[MODE + mode] = mode_worth(table, game, book, card.modes[mode], attack_now)


@rule
def danger(table, game, book, effects):
    """What the mode, cast by the other seat, costs the seat to act."""
    me = game.to_act
    you = 1 - me
    taken = min(np.int64(effects.steal), stealable(table, game, me))
    value = loss_weight(game, book, you) * gain_worth(game, book, you, effects.gain + taken) + taken
    value += book.taste.ruin * (effects.destroys != 0) + book.taste.rob * min(effects.discard, game.hand_size[me])
    value += book.taste.draw * effects.draw
    points = np.int64(effects.attack) + effects.defend - effects.other_attack - effects.other_defend
    if points > 0 and other_fighters(game, me, NO_SLOT) == 0:
        value += 0.5 * fall_cost(game, book, me)
    return value + book.taste.point * points * (1.5 if effects.every_duel else 1.0)


@rule
def score_counters(table, game, book, mask, scores):
    """Counter what costs more than the counter would bring later."""
    see_draw(table, game, book)
    spell = table.cards[game.lists[game.active, game.spell]]
    cost = danger(table, game, book, spell.modes[game.mode])
    if game.held_item != NO_SLOT:
        cost += item_worth(table, book, game.lists[game.active, game.held_item])
    for counter in range(NUM_SPELLS):
        if mask[COUNTER + counter]:
            kept = max(spell_prospect(table, game, book, FIRST_SPELL + counter) - book.draw, 0.0)
            scores[COUNTER + counter] = cost - kept


# --- Payments -------------------------------------------------------------------------------------------------


@rule
def payment_cost(table, game, book, slot):
    me = game.to_act
    card = game.lists[me, slot]
    if card < NUM_ITEMS:
        return item_worth(table, book, card)
    share = 1.0 if other_fighters(game, me, slot) == 0 else book.taste.second
    return fighter_worth(table, book, card) + share * book.guard


@rule
def score_payments(table, game, book, scores):
    """Of the cards that pay the debt together and cost least, the dearest goes first."""
    me = game.to_act
    owed = np.int64(game.owed)
    least = np.full(owed + 1, 1e6)
    first = np.full(owed + 1, NO_SLOT)
    least[0] = 0.0
    for slot in range(DECK_SIZE):
        pays = payment(table, game.lists[me, slot])
        if (game.zone[me, slot] != POOL and game.zone[me, slot] != FIELD) or pays == 0:
            continue
        cost = payment_cost(table, game, book, slot)
        for debt in range(owed, 0, -1):
            through = least[max(debt - pays, 0)] + cost
            if through < least[debt]:
                least[debt] = through
                first[debt] = slot
        scores[PAY + game.lists[me, slot]] = -cost
    if first[owed] != NO_SLOT:
        scores[PAY + game.lists[me, first[owed]]] += FIRST


# --- Duels ----------------------------------------------------------------------------------------------------


@rule
def score_attacks(table, game, book, mask, scores):
    me = game.to_act
    for slot in range(DECK_SIZE + 1):
        if slot == MAIN_SLOT:
            action = FIGHT_YOURSELF
        elif is_fighter(game, me, slot):
            action = ATTACK + game.lists[me, slot] - FIRST_CHARACTER
        else:
            continue
        zone = HAND if slot == MAIN_SLOT else game.zone[me, slot]
        if mask[action] and (zone == HAND or zone == FIELD):
            scores[action] = worth_of_attacker(table, game, book, slot, 0, 0, 0, 0) - book.taste.patience


@rule
def score_blocks(table, game, book, mask, scores):
    me = game.to_act
    scores[FIGHT_YOURSELF] = block_worth(table, game, book, MAIN_SLOT)
    for slot in range(DECK_SIZE):
        if is_fighter(game, me, slot) and mask[BLOCK + game.lists[me, slot] - FIRST_CHARACTER]:
            scores[BLOCK + game.lists[me, slot] - FIRST_CHARACTER] = block_worth(table, game, book, slot)


@rule
def score_equipment(table, game, book, scores):
    """One item of the best choice after the other."""
    choose_equipment(table, game, book)
    me = game.to_act
    for slot in range(DECK_SIZE):
        chosen = slot == book.weapon or slot == book.armour or (book.drunk >> slot) & 1
        if chosen and is_item(game, me, slot):
            scores[EQUIP + game.lists[me, slot]] = 1.0
