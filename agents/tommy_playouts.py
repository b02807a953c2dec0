"""What a sensible Tommy Walker player is likely to do, as weights of actions for play-outs.

Cards are drawn up to a small hand and hardly beyond it, misplays are rare, whoever can overtake does so rather cheaply
than dearly, and who cannot mostly concedes the round.
"""

from duelbench.envs.jit import rule
from duelbench.envs.tommy_walker.cards import NUM_CARDS
from duelbench.envs.tommy_walker.power import barrier_power, has, power
from duelbench.envs.tommy_walker.state import (
    COPY,
    DECLINE,
    DRAW,
    DRAWING,
    END,
    ENTRY,
    LAY_BARRIER,
    MAX_PAID,
    PAY,
    RETURNING,
    REVENGE,
    RIDE,
    SET_CARD,
    USE,
    USE_AT,
    attack_card,
)

WANTED_HAND = 6
ALWAYS, OFTEN, RATHER, SELDOM = 100, 40, 12, 4


@rule
def lean(table, game, mask):
    if game.phase == REVENGE:
        lean_in_revenge(table, game, game.to_act, mask)
    elif game.phase == DRAWING:
        lean_in_drawing(table, game, game.to_act, mask)
    elif game.phase == ENTRY or game.phase == COPY:
        mask[USE] *= RATHER
    elif game.phase == RETURNING and game.hand_size[game.to_act] <= WANTED_HAND:
        mask[DECLINE] *= RATHER


@rule
def lean_in_drawing(table, game, seat, mask):
    """Draw up to the wanted hand, but not the last card; then set strong cards rather than weak, and hardly misplay."""
    if mask[DRAW] and game.hand_size[seat] < WANTED_HAND and game.deck_size[seat] > 1:
        mask[DRAW] = ALWAYS
        return
    for card in range(NUM_CARDS):
        if mask[SET_CARD + card] and table.cards[card].ride_only == 0:
            mask[SET_CARD + card] = SELDOM + table.cards[card].power // 1024


@rule
def lean_in_revenge(table, game, seat, mask):
    """Overtake if that is possible, for few cards rather than many; else end."""
    other = 1 - seat
    enemy = attack_card(game, other)
    to_beat = power(table, game, other)
    added = barrier_power(table, game, seat)
    ability = table.cards[attack_card(game, seat)]
    overtaking = False
    if mask[USE_AT] and ability.at_power[0] + added > to_beat:
        mask[USE_AT] = ALWAYS
        overtaking = True
    for count in range(MAX_PAID):
        if mask[PAY + count] and ability.at_power[game.paid[seat] + count] + added > to_beat:
            mask[PAY + count] = SELDOM if overtaking else OFTEN
            overtaking = True
    own = power(table, game, seat)
    for card in range(NUM_CARDS):
        if game.hand[seat, card]:
            if reach(table, game, seat, card, enemy) + added > to_beat:
                mask[RIDE + card] = RATHER
                overtaking = True
            if mask[LAY_BARRIER + card] and turns(table, game, seat, card, enemy, own - added, to_beat):
                mask[LAY_BARRIER + card] = RATHER
                overtaking = True
    mask[END] *= SELDOM if overtaking else OFTEN


@rule
def reach(table, game, seat, card, enemy):
    """The power that the card has if the seat rides it now and uses what it has, without paying."""
    ability = table.cards[card]
    best = ability.power
    if ability.entry_on != 0 and has(table, attack_card(game, seat), ability.entry_on):
        best = max(best, ability.entry_power)
    if ability.at_enemy != 0 and has(table, enemy, ability.at_enemy):
        best = max(best, ability.at_power[0])
    if ability.at_hand >= 0 and game.hand_size[seat] - 1 <= ability.at_hand:
        best = max(best, ability.at_power[0])
    if ability.at_cover != 0 and has(table, attack_card(game, seat), ability.at_cover):
        best = max(best, ability.at_power[0])
    return best


@rule
def turns(table, game, seat, card, enemy, own, to_beat):
    """Whether the card as the barrier lets the seat overtake; the enemy loses what its own barrier gave."""
    ability = table.cards[card]
    gained = ability.barrier_power
    if ability.barrier_enemy != 0 and not has(table, enemy, ability.barrier_enemy):
        gained = 0
    return own + gained > to_beat - barrier_power(table, game, 1 - seat)
