"""Section 6 of RULES.md: how strong an attack card is, and the conditions that abilities test (1.2, 7.1)."""

import numpy as np

from duelbench.envs.jit import rule
from duelbench.envs.tommy_walker.state import attack_card


@rule
def has(table, card, attributes):
    """1.2 Whether the card has one of the attributes."""
    return (table.cards[card].attributes & attributes) != 0


@rule
def covers(table, game, seat, attributes):
    """Whether the seat's attack card lies directly on a card with one of the attributes."""
    size = game.stack_size[seat]
    return size > 1 and has(table, game.stack[seat, size - 2], attributes)


@rule
def power(table, game, seat):
    """6.1, 6.3 The last value whose condition holds, else the printed power, and what the barrier adds."""
    card = attack_card(game, seat)
    own_holds = game.own_power[seat] != 0 and own_value_holds(table, game, seat, card)
    if game.copied_power[seat] != 0 and (game.copy_last[seat] or not own_holds):
        value = game.copied_power[seat]
    elif own_holds:
        value = game.own_power[seat]
    else:
        value = table.cards[card].power
    return value + barrier_power(table, game, seat)


@rule
def own_value_holds(table, game, seat, card):
    """6.4 An AT counts while its condition holds. 6.5 An entry has none, nor has an AT that was paid for."""
    ability = table.cards[card]
    if ability.at_enemy != 0:
        return has(table, attack_card(game, 1 - seat), ability.at_enemy)
    return ability.at_hand < 0 or game.hand_size[seat] <= ability.at_hand


@rule
def barrier_power(table, game, seat):
    """6.7, 6.8 What the barrier adds to the power of the seat that put it down."""
    if game.barrier_seat != seat:
        return np.int64(0)
    ability = table.cards[game.barrier]
    if ability.barrier_enemy != 0 and not has(table, attack_card(game, 1 - seat), ability.barrier_enemy):
        return np.int64(0)
    return np.int64(ability.barrier_power)
