"""Whole games in compiled code: dealt, played by two compiled agents (`agents.compiled`), and replayed from actions."""

import numpy as np

from duelbench.agents.compiled import decide
from duelbench.envs.dispatch import apply, deal, legal
from duelbench.envs.jit import rule
from duelbench.envs.rng import next_bits

GAME = np.dtype(
    [
        ("deal_seed", np.uint64),
        ("agent_seeds", np.uint64, (2,)),  # by seat
        ("world_seeds", np.uint64, (2,)),  # by seat: of the worlds in which the agents are asked
        ("table", np.int64),  # index of the table that it is played under
        ("first_seat", np.int64),  # the seat of the first of the two players
        ("winner", np.int8),
        ("reason", np.int8),
        ("decisions", np.int64),  # UNFINISHED until it has been played to its end
    ],
    align=True,
)
"""A game to play and, once it is played, how it ended."""

UNFINISHED = -1
REFUSED = -2
"""As `decisions`: a player chose, or a list of actions holds, what the rules do not allow."""


@rule
def play_games(tables, states, games, first, second, streams, worlds, mask, actions):
    """Play games[0], games[1] and so on, their actions one after the other in `actions`; returns how many ended.

    It stops early where `actions` is too short for a game, which is left UNFINISHED, and at one that is REFUSED.
    `states` (states[2], the last one blank), `streams` and `worlds` (STREAM[2]) and `mask` are scratch space.
    """
    used = 0
    for n in range(games.shape[0]):
        game, table, state = games[n], tables[games[n].table], states[0]
        states[0] = states[1]
        deal(table, state, game.deal_seed)
        for seat in range(2):
            streams[seat].rng = game.agent_seeds[seat]
            worlds[seat].rng = game.world_seeds[seat]
        begun = used
        while state.over == 0:
            if used == actions.shape[0]:
                return n
            to_act = np.int64(state.to_act)
            legal(table, state, mask)
            world = next_bits(worlds[to_act])
            if to_act == game.first_seat:
                action = np.int64(decide(table, state, mask, world, streams[to_act], first))
            else:
                action = np.int64(decide(table, state, mask, world, streams[to_act], second))
            if action < 0 or action >= mask.shape[0] or mask[action] == 0:
                game.decisions = REFUSED
                return n
            apply(table, state, action)
            actions[used] = action
            used += 1
        game.winner, game.reason, game.decisions = state.winner, state.reason, used - begun
    return games.shape[0]


@rule
def replay_games(tables, states, games, offsets, actions, mask):
    """Replay games[n] from actions[offsets[n]] to before actions[offsets[n + 1]]; returns how many are whole games.

    It stops at a game that is REFUSED, as after its end nothing is legal, or UNFINISHED because its actions end first.
    """
    for n in range(games.shape[0]):
        game, table, state = games[n], tables[games[n].table], states[0]
        states[0] = states[1]
        deal(table, state, game.deal_seed)
        for at in range(offsets[n], offsets[n + 1]):
            action = np.int64(actions[at])
            legal(table, state, mask)
            if action < 0 or action >= mask.shape[0] or mask[action] == 0:
                game.decisions = REFUSED
                return n
            apply(table, state, action)
        if state.over == 0:
            return n
        game.winner, game.reason, game.decisions = state.winner, state.reason, offsets[n + 1] - offsets[n]
    return games.shape[0]
