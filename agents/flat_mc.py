"""Flat Monte Carlo: every simulation tries one action at the root and plays out; nothing is remembered below it.

Its mean outcomes are Abramson's expected outcomes (1990, "Expected-Outcome: A General Model of Static Evaluation"),
taken over the worlds the seat holds possible: each simulation draws one of them. What the other seat has chosen
unseen in a simultaneous decision is taken back and chosen again as in the play-outs. Simulations go to the actions in
turn, or by UCB1 (Auer, Cesa-Bianchi & Fischer 2002).
"""

import numpy as np

from duelbench.agents.agent import Position
from duelbench.agents.playouts import lean, play_out, worth
from duelbench.agents.search_agent import ActionReport, PlayOutSearch
from duelbench.agents.search_tree import NONE, upper_confidence
from duelbench.envs.dispatch import apply, determinize, legal, rewind
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.playout import random_action
from duelbench.envs.rng import next_bits


class FlatMCAgent(PlayOutSearch):
    """Takes the action with the best mean, or with `allocation` "ucb1" the one tried most.

    "even" tries all actions equally often; `exploration` is for "ucb1" alone. The other settings: `PlayOutSearch`.
    """

    kind = "flat_mc"

    def __init__(
        self,
        game: Game,
        table: np.record,
        simulations: int = 1000,
        allocation: str = "even",
        exploration: float | None = None,
        playouts: str = "leaning",
        horizon: int | None = None,
        where: str = "agent",
    ) -> None:
        super().__init__(game, table, simulations, exploration, playouts, None, horizon, where)
        self._even = allocation == "even"
        self._states = game.new_states(2)

    def _search(self, position: Position, rng: np.record) -> int:
        self._states[0] = position.root
        made = search(
            position.table,
            self._states,
            self._totals,
            self._mask,
            self.simulations,
            self._even,
            self.exploration,
            self._leaning,
            self.horizon,
            rng,
        )
        return int(made)

    def _order(self, report: ActionReport) -> tuple[float, ...]:
        if self._even:
            return report.visits == 0, -report.value, report.action
        return super()._order(report)


@rule
def search(table, states, totals, mask, simulations, even, exploration, leaning, horizon, stream):
    """Try the actions of the seat to act in states[0], as often as `simulations` allow; returns the decisions made.

    `states` is room for two states, `totals` (TOTAL[num_actions], zeroed) holds the result, `mask` int8[num_actions]
    is scratch, `stream` the agent's own.
    """
    observer = states[0].to_act
    decisions = 0
    for _ in range(simulations):
        states[1] = states[0]
        determinize(table, states[1], observer, next_bits(stream))
        rewind(table, states[1])
        decisions += choose_again(table, states[1], observer, mask, leaning, stream)
        legal(table, states[1], mask)
        action = next_to_try(totals, mask, even, exploration)
        apply(table, states[1], action)
        decisions += 1 + play_out(table, states[1], stream, mask, leaning, horizon)
        value = worth(table, states[1])
        totals[action].visits += 1
        totals[action].score += value if observer == 0 else -value
    return decisions


@rule
def choose_again(table, state, observer, mask, leaning, stream):
    """Make the choices that were taken back as in a play-out, until `observer` is to act; returns their number."""
    made = 0
    while state.to_act != observer:
        legal(table, state, mask)
        if leaning:
            lean(table, state, mask)
        apply(table, state, random_action(stream, mask))
        made += 1
    return made


@rule
def next_to_try(totals, mask, even, exploration):
    """The legal action to try now: the one tried least, or by UCB1; the first of equals. Counts what was available."""
    tried = 0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            tried += totals[action].visits
            totals[action].available += 1
    log_tried = np.log(max(tried, 1))
    chosen, best = NONE, -np.inf
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            total = totals[action]
            if even:
                merit = -float(total.visits)
            elif total.visits == 0:
                merit = np.inf
            else:
                merit = upper_confidence(total.score, total.visits, log_tried, exploration)
            if merit > best:
                chosen, best = action, merit
    return chosen
