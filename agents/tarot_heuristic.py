"""A hand-written Tarot Duel player: it weighs every action by how the game would stand after the turn.

It knows the rules, as they are without options, and counts cards, but looks no further than the turn. Numbers, effects
and amounts are those of the table, so it plays changed cards as what they are. Everything is measured in wins: the
lead after the turn, plus what the cards that stay behind (waiting, in hand) are worth in wins to come. It reads
nothing but the table and the observation, so what is made up in the position's root cannot sway it.
"""

from typing import NamedTuple

import numpy as np

from duelbench.agents.agent import Agent, Position
from duelbench.agents.choosing import one_of_the_best
from duelbench.agents.compiled import register
from duelbench.envs.batch import Batch
from duelbench.envs.dispatch import observe
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.records import blank
from duelbench.envs.tarot_duel.cards import (
    CARDS,
    CHARIOT,
    DEATH,
    EMPEROR,
    EMPRESS,
    FOOL,
    HANGED_MAN,
    HERMIT,
    HIEROPHANT,
    JUSTICE,
    LOVERS,
    MAGICIAN,
    MOON,
    NO_CARD,
    NO_EFFECT,
    NUM_CARDS,
    NUM_EFFECTS,
    PRIESTESS,
    STAR,
    STRENGTH,
    SUN,
    TEMPERANCE,
    WHEEL,
    WORLD,
)
from duelbench.envs.tarot_duel.encoding import VIEW
from duelbench.envs.tarot_duel.state import (
    DISCARD_CARD,
    DISCARD_HIGHEST,
    DISCARD_LOWEST,
    EXCHANGE,
    NEGATE_CARD,
    NEGATE_NOTHING,
    PLAY_CARD,
    TAKE_BACK,
    TAKE_CARD,
)

ME, YOU = 0, 1
"""Index of the observer and of the other seat in what is seen."""
WON, DRAWN, LOST = 1, 0, -1

_WORTH_WHEN_PLAYED = {
    EMPRESS: 0.9,  # the next turn is won, whatever is played: nearly the swing from even to won
    EMPEROR: 0.5,  # the next turn cannot be lost
    HANGED_MAN: 0.5,  # the next lost turn costs nothing
    STRENGTH: 0.4,  # a middling card wins the next turn
    HIEROPHANT: 0.35,  # the two best cards so far
    MAGICIAN: 0.3,  # undoes one of the above when it hurts most
    JUSTICE: 0.25,  # one more win if the game is level at the end
    LOVERS: 0.25,  # more choice
    SUN: 0.15,  # a better choice
    CHARIOT: 0.15,  # less choice for the other
    MOON: 0.1,
    HERMIT: 0.1,
    PRIESTESS: 0.05,
}
EFFECT_WORTH = tuple(_WORTH_WHEN_PLAYED.get(effect, 0.0) for effect in range(NUM_EFFECTS))
"""By effect: what a card does for later turns, in wins, with the amount that is printed on it."""
PRINTED_AMOUNT = tuple(card.amount for card in sorted(CARDS, key=lambda card: card.effect))
"""By effect; 0 for one without an amount."""
WORLD_WORTH, FOOL_WORTH = 1.0, -0.2
HAND_SHARE = 0.4
"""How much of the worth of the cards kept counts: some will meet better ones, and each draw brings new ones."""
TRUST = 1.0
"""How surely a lead of one win with one turn to go is kept, as the factor inside a hyperbolic tangent."""


class TarotHeuristic(Agent):
    """Plays the action with the best outlook; equal ones are chosen among at random."""

    def __init__(self, game: Game, table: np.record) -> None:
        self._scores = np.zeros(game.num_actions)

    def act(self, position: Position, rng: np.record) -> int:
        return int(one_of_the_best(self.scores(position), rng))

    def scores(self, position: Position) -> np.ndarray:
        """float64[num_actions]: the outlook after each legal action, -inf for the others."""
        view = position.observation.view(VIEW).view(np.recarray)[0]
        score_actions(position.table, view, position.mask, self._scores)
        return self._scores

    def answers(self, batch: Batch, lanes: np.ndarray, streams: np.ndarray) -> np.ndarray:
        """int64[len(lanes)]: what the player does in these lanes of a batch; `streams` (STREAM[1]) draws for it."""
        actions = np.zeros(len(lanes), np.int64)
        answer_lanes(batch.tables, batch.views, batch.masks, lanes, streams, self._scores, actions)
        return actions

    def compiled(self) -> "TarotPlayer":
        return TarotPlayer(blank(1, VIEW), self._scores)


class TarotPlayer(NamedTuple):
    """What compiled games know of the agent: scratch space."""

    views: np.ndarray  # VIEW[1]
    scores: np.ndarray  # float64[num_actions]


@rule
def decide(table, state, mask, world, stream, player):
    observe(table, state, state.to_act, player.views[0])
    score_actions(table, player.views[0], mask, player.scores)
    return one_of_the_best(player.scores, stream)


register(TarotPlayer, decide)


@rule
def answer_lanes(tables, views, masks, lanes, streams, scores, actions):
    for n in range(lanes.shape[0]):
        score_actions(tables[0], views[lanes[n]], masks[lanes[n]], scores)
        actions[n] = one_of_the_best(scores, streams[0])


@rule
def score_actions(table, view, mask, scores):
    """Write the score of each legal action; scores of different kinds of decision are not comparable."""
    for action in range(mask.shape[0]):
        scores[action] = score(table, view, action) if mask[action] else -np.inf


@rule
def score(table, view, action):
    if action < NEGATE_CARD:
        return score_of_playing(table, view, action - PLAY_CARD)
    if action < TAKE_CARD:
        return score_of_cancelling(table, view, action - NEGATE_CARD)
    if action < DISCARD_CARD:
        return worth(table, action - TAKE_CARD)
    if action < NEGATE_NOTHING:
        return -worth(table, action - DISCARD_CARD)
    if action == NEGATE_NOTHING:
        return score_of_cancelling(table, view, NO_CARD)
    if action == EXCHANGE:
        return score_of_exchanging(table, view)
    if action in (DISCARD_HIGHEST, DISCARD_LOWEST):
        return -worth(table, extreme_in_hand(table, view, action == DISCARD_HIGHEST))
    return 1.0 if action == TAKE_BACK else 0.0  # Temperance fights with 14 once more; keeping the deck's order is 0


# --- Decisions ------------------------------------------------------------------------------------------------


@rule
def score_of_playing(table, view, card):
    """The mean outlook over the cards that the other seat may set, by how likely it holds each."""
    total, chances = 0.0, 0.0
    for theirs in range(NUM_CARDS):
        chance = likelihood(table, view, theirs)
        if chance > 0:
            total += chance * outlook(table, view, card, theirs, NO_CARD)
            chances += chance
    return total / chances if chances > 0 else -worth(table, card)


@rule
def likelihood(table, view, card):
    """How likely the other seat is to set the card: that it holds it, and more for high numbers than for low ones."""
    held = max(view.hand[YOU, card], view.unseen[card] * view.odds_in_hand[card])
    return held * (1.0 + table.cards[card].number / 21.0)


@rule
def score_of_cancelling(table, view, target):
    """The outlook of the turn, both cards being known; a Magician kept back is worth something in later turns."""
    mine, theirs = on_field(view, ME), on_field(view, YOU)
    return outlook(table, view, mine, theirs, target)


@rule
def score_of_exchanging(table, view):
    """Who draws first gets the upper of the two top cards, the other seat the lower one."""
    upper, lower = first_in(view.top[0]), first_in(view.top[1])
    gain = worth(table, lower) - worth(table, upper)
    return gain if view.draws_first > 0 else -gain


@rule
def first_in(cards):
    for card in range(NUM_CARDS):
        if cards[card] > 0:
            return card
    return NO_CARD


@rule
def on_field(view, side):
    return first_in(view.field[side])


@rule
def extreme_in_hand(table, view, highest):
    found = NO_CARD
    for card in range(NUM_CARDS):
        if view.hand[ME, card] > 0:
            place = table.cards[card].place_in_order
            if found == NO_CARD or (place > table.cards[found].place_in_order) == highest:
                found = card
    return found


# --- The outlook after a turn ---------------------------------------------------------------------------------


@rule
def outlook(table, view, mine, theirs, cancelled):
    """How the game stands after a turn in which these cards meet (NO_CARD: none) and one effect is cancelled.

    From -1, lost, to 1, won.
    """
    turns = turns_after(table, view, mine, theirs, cancelled)
    outcome = fight(table, view, mine, theirs, cancelled)
    lead = lead_after(table, view, mine, theirs, cancelled, outcome)
    if turns > 0:
        lead += HAND_SHARE * hand_worth(table, view, mine, theirs, cancelled, turns)
        for side, card in ((ME, mine), (YOU, theirs)):
            sign = 1 if side == ME else -1
            lost = outcome == -sign
            lead += sign * stays_behind(table, view, side, card, cancelled, lost)
    elif lead == 0:
        for side, card in ((ME, mine), (YOU, theirs)):
            if in_force(table, view, side, card, JUSTICE, cancelled):
                lead += amount_of(table, JUSTICE) if side == ME else -amount_of(table, JUSTICE)
    if WHEEL in (effect_of(table, mine, cancelled), effect_of(table, theirs, cancelled)):
        return mean_of_the_wheel(table, view, lead, turns, cancelled)
    return standing(lead, turns)


@rule
def standing(lead, turns):
    """Chance of winning minus chance of losing: a lead counts less the more turns may still undo it."""
    return np.tanh(TRUST * lead / np.sqrt(turns + 0.2))


@rule
def mean_of_the_wheel(table, view, lead, turns, cancelled):
    wins = amount_of(table, WHEEL)
    mine = 0 if blocked(table, view, ME, cancelled) else wins
    theirs = 0 if blocked(table, view, YOU, cancelled) else wins
    return 0.5 * (standing(lead + mine, turns) + standing(lead - theirs, turns))


@rule
def effect_of(table, card, cancelled):
    """The effect of a card on the field."""
    if card in (NO_CARD, cancelled):
        return NO_EFFECT
    return np.int64(table.cards[card].effect)


@rule
def amount_of(table, effect):
    """The number in the text of the effect, which some card must carry."""
    return np.int64(table.cards[table.holder[effect]].amount)


@rule
def waits(table, view, side, effect, cancelled):
    """Whether the card with this effect waits before the side and is not cancelled."""
    card = table.holder[effect]
    return card != NO_CARD and card != cancelled and view.waiting[side, card] > 0


@rule
def in_force(table, view, side, card, effect, cancelled):
    """Whether the side has the effect on the field, with `card`, or waiting."""
    return effect_of(table, card, cancelled) == effect or waits(table, view, side, effect, cancelled)


@rule
def blocked(table, view, side, cancelled):
    """Whether the Emperor of the other side keeps this one from gaining wins this turn."""
    return waits(table, view, 1 - side, EMPEROR, cancelled)


@rule
def fight(table, view, mine, theirs, cancelled):
    """WON, DRAWN or LOST: Fool, World, Empress, Death and then the numbers, as the rules have it."""
    my_effect, your_effect = effect_of(table, mine, cancelled), effect_of(table, theirs, cancelled)
    if mine != NO_CARD and theirs != NO_CARD:
        if my_effect == FOOL and table.cards[theirs].number >= amount_of(table, FOOL):
            return WON
        if your_effect == FOOL and table.cards[mine].number >= amount_of(table, FOOL):
            return LOST
        if my_effect == WORLD and your_effect != FOOL:
            return WON
        if your_effect == WORLD and my_effect != FOOL:
            return LOST
    forced = forced_outcome(table, view, my_effect, your_effect, cancelled)
    if forced != DRAWN:
        return forced
    if mine == NO_CARD or theirs == NO_CARD:
        return DRAWN
    return np.sign(number_of(table, view, ME, mine, cancelled) - number_of(table, view, YOU, theirs, cancelled))


@rule
def forced_outcome(table, view, my_effect, your_effect, cancelled):
    """What Empress and Death make of the turn, DRAWN without them; the lower one of two that contradict."""
    by_empress, by_death = DRAWN, DRAWN
    for side, sign in ((ME, WON), (YOU, LOST)):
        if waits(table, view, side, EMPRESS, cancelled):
            by_empress = sign
        if (my_effect if side == YOU else your_effect) == DEATH:
            by_death = sign
    if by_empress == DRAWN or by_death == DRAWN:
        return by_empress + by_death
    empress, death = table.cards[table.holder[EMPRESS]], table.cards[table.holder[DEATH]]
    return by_empress if empress.place_in_order < death.place_in_order else by_death


@rule
def number_of(table, view, side, card, cancelled):
    number = np.int64(table.cards[card].number)
    return number * amount_of(table, STRENGTH) if waits(table, view, side, STRENGTH, cancelled) else number


@rule
def turns_after(table, view, mine, theirs, cancelled):
    """Star and Death act in the order of their numbers, the higher one first."""
    turns = int(np.rint(view.turns_left * 5)) - 1
    mine_first = mine == NO_CARD or (
        theirs != NO_CARD and table.cards[mine].place_in_order > table.cards[theirs].place_in_order
    )
    for card in (mine, theirs) if mine_first else (theirs, mine):
        effect = effect_of(table, card, cancelled)
        if effect == STAR:
            turns += amount_of(table, STAR)
        elif effect == DEATH and (table.death_can_extend or turns > amount_of(table, DEATH)):
            turns = amount_of(table, DEATH)
    return turns


@rule
def lead_after(table, view, mine, theirs, cancelled, outcome):
    """My wins minus the other's when the turn has been counted; what hangs on the Wheel or on Justice left out."""
    lead = np.rint(view.lead * 5)
    now = lead
    if not blocked(table, view, ME, cancelled):
        lead += gained(table, view, ME, mine, cancelled, outcome, now)
    if not blocked(table, view, YOU, cancelled):
        lead -= gained(table, view, YOU, theirs, cancelled, -outcome, -now)
    return lead


@rule
def gained(table, view, side, card, cancelled, outcome, lead):
    """Wins that a side gains this turn by the outcome (WON ... from its view), Temperance and the Hanged Man."""
    wins = 1 if outcome == WON else 0
    if effect_of(table, card, cancelled) == TEMPERANCE and lead < 0:
        wins += amount_of(table, TEMPERANCE)
    if outcome == LOST and in_force(table, view, side, card, HANGED_MAN, cancelled):
        wins += amount_of(table, HANGED_MAN)
    return wins


# --- What is left for later turns -----------------------------------------------------------------------------


@rule
def worth(table, card):
    """What holding a card is worth in wins: how it fights the average card, and what it does."""
    effect = table.cards[card].effect
    if effect == WORLD:
        return WORLD_WORTH
    if effect == FOOL:  # one that beats everything is a World
        share = 1.0 - amount_of(table, FOOL) / PRINTED_AMOUNT[FOOL]
        return FOOL_WORTH + (WORLD_WORTH - FOOL_WORTH) * share
    return (table.cards[card].number - 10.5) / 12.0 + effect_worth(table, effect)


@rule
def effect_worth(table, effect):
    """What an effect that some card carries does for later turns: twice as much with twice the amount."""
    if effect == NO_EFFECT:
        return 0.0
    if effect == STRENGTH:
        return EFFECT_WORTH[effect] * (amount_of(table, effect) - 1)
    if PRINTED_AMOUNT[effect] == 0:
        return EFFECT_WORTH[effect]
    return EFFECT_WORTH[effect] * (amount_of(table, effect) / PRINTED_AMOUNT[effect])


@rule
def hand_worth(table, view, mine, theirs, cancelled, turns):
    """The worth of the best cards left in hand, one for each turn to come."""
    total, counted = 0.0, 0
    keeps_temperance = effect_of(table, mine, cancelled) == TEMPERANCE and view.lead >= 0
    for _ in range(turns):
        best = NO_CARD
        for card in range(NUM_CARDS):
            held = view.hand[ME, card] > 0 and (card != mine or keeps_temperance) and not counted & (1 << card)
            if held and (best == NO_CARD or worth(table, card) > worth(table, best)):
                best = card
        if best != NO_CARD:
            counted |= 1 << best
            total += worth(table, best)
    return total


@rule
def stays_behind(table, view, side, card, cancelled, lost):
    """The worth, for its owner, of what a side's card has done and of the cards that go on waiting."""
    effect = effect_of(table, card, cancelled)
    total = 0.0 if effect in (MAGICIAN, HANGED_MAN, JUSTICE) else effect_worth(table, effect)
    if in_force(table, view, side, card, MAGICIAN, cancelled) and cancelled == NO_CARD:
        total += effect_worth(table, MAGICIAN)
    if in_force(table, view, side, card, HANGED_MAN, cancelled) and not lost:
        total += effect_worth(table, HANGED_MAN)
    if in_force(table, view, side, card, JUSTICE, cancelled):
        total += effect_worth(table, JUSTICE)
    return total
