"""One game between two agents."""

from typing import NamedTuple

import numpy as np

from duelbench.agents.agent import Agent, position_for
from duelbench.envs import dispatch
from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.game import Game
from duelbench.envs.rng import new_stream, next_bits
from duelbench.experiments.plan import PlannedGame


class AgentFailed(BadInput):
    """An agent raised an error instead of answering."""


class GameRow(NamedTuple):
    """What is kept of a game; the columns of the part files, in order."""

    game: int
    matchup: str
    deal: int
    deal_seed: int
    seat0: str
    seat1: str
    deck0: str
    deck1: str
    variant: str
    winner: int
    reason: str
    decisions: int
    actions: list[int]


def play_game(game: Game, table: np.record, agents: tuple[Agent, Agent], planned: PlannedGame) -> GameRow:
    """Play `planned` with the agents on seats 0 and 1.

    Raises IllegalAction for an answer the rules do not allow and AgentFailed for an error inside an agent; both
    name the agent.
    """
    state = game.dealt(table, planned.seeds.deal)
    streams = [new_stream(seed) for seed in planned.seeds.agents]
    worlds = [new_stream(seed) for seed in planned.seeds.determinizations]
    _begin(agents, planned)
    actions: list[int] = []
    while not state.over:
        seat = int(state.to_act)
        position = position_for(agents[seat], game, table, state, int(next_bits(worlds[seat])))
        try:
            action = agents[seat].act(position, streams[seat])
        except (Exception, SystemExit) as error:
            raise _failure(planned, seat, error) from error
        _carry_out(game, table, state, action, planned)
        actions.append(int(action))
    return finished_row(game, state, planned, actions)


def finished_row(game: Game, state: np.record, planned: PlannedGame, actions: list[int]) -> GameRow:
    """The row of a game that has been played to its end in `state`."""
    return GameRow(
        planned.number,
        planned.matchup,
        planned.deal,
        planned.seeds.deal,
        *planned.seats,
        *planned.decks,
        planned.variant,
        int(state.winner),
        game.reasons[int(state.reason)],
        len(actions),
        actions,
    )


def _begin(agents: tuple[Agent, Agent], planned: PlannedGame) -> None:
    for seat, agent in enumerate(agents):
        try:
            agent.begin(seat)
        except (Exception, SystemExit) as error:
            raise _failure(planned, seat, error) from error


def _failure(planned: PlannedGame, seat: int, error: BaseException) -> AgentFailed:
    told = " ".join(f"{type(error).__name__}: {error}".split())
    return AgentFailed(f"agent {planned.seats[seat]!r} failed in game {planned.number} ({planned.matchup}): {told}")


def _carry_out(game: Game, table: np.record, state: np.record, action: int, planned: PlannedGame) -> None:
    try:
        game.check_action(table, state, action)
    except IllegalAction as error:
        answer = f"{error.reason} (answer of agent {planned.seats[error.seat]!r} in game {planned.number})"
        raise IllegalAction(error.seat, error.action_name, answer) from None
    dispatch.apply(table, state, int(action))
