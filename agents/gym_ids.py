"""The Gymnasium ids of the games. Importing this module registers them:

    import gymnasium
    import duelbench.agents.gym_ids

    env = gymnasium.make("duelbench/TarotDuel-v0", opponent={"type": "ismcts", "simulations": 100})
    envs = gymnasium.make_vec("duelbench/TarotDuel-v0", num_envs=1024, opponent="random")

Gymnasium has no plug-ins since its version 1.0; an id with its module in front, as in
`gymnasium.make("duelbench.agents.gym_ids:duelbench/TarotDuel-v0")`, spares the import.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from duelbench.agents.agent import Agent
from duelbench.agents.catalogue import AgentSpec, make_agent, parse_spec
from duelbench.agents.gym_opponents import AgentOpponent, AgentsInLanes, CompiledInLanes
from duelbench.agents.ppo import PPOAgent
from duelbench.envs.decks import DeckChoice
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.gym import DuelEnv
from duelbench.envs.gym_vector import DuelVectorEnv, LaneOpponents
from duelbench.envs.registry import load_game

IDS = {
    "duelbench/TarotDuel-v0": "tarot_duel",
    "duelbench/TommyWalker-v0": "tommy_walker",
    "duelbench/WizardInTraining-v0": "wizard_in_training",
}

OpponentChoice = str | Mapping[str, Any] | Agent
"""The name of a type of agent; what a config says of one, such as {"type": "ismcts", "simulations": 100}; or an
agent. Relative paths of checkpoints start from the current folder."""


def make_env(
    game: Game | str,
    opponent: OpponentChoice = "heuristic",
    seat: int | None = None,
    rules: Mapping[str, Any] | None = None,
    decks: DeckChoice = None,
    render_mode: str | None = None,
    observe_mask: bool = False,
) -> DuelEnv:
    """The environment of one player of `game` against `opponent`; see `DuelEnv` for the rest.

    An agent given as an object should be for this game and these rules alone, and in one environment alone if it
    remembers. Raises BadInput for whatever is wrong with the arguments.
    """
    game = load_game(game) if isinstance(game, str) else game
    table = game.table(rules, decks=decks)
    agent = opponent if isinstance(opponent, Agent) else _agent(game, table, rules, _spec(opponent))
    return DuelEnv(game, AgentOpponent(game, table, agent), seat, rules, decks, render_mode, observe_mask)


def make_vector_env(
    game: Game | str,
    num_envs: int = 1,
    opponent: OpponentChoice | None = None,
    seat: int | None = None,
    rules: Mapping[str, Any] | None = None,
    decks: DeckChoice = None,
    threads: int = 1,
    observe_mask: bool = False,
) -> DuelVectorEnv:
    """Many games of one player against `opponent`, or against itself for None; see `DuelVectorEnv` for the rest.

    The random player and trained policies answer for all lanes in one compiled call, other agents lane after
    lane. An agent given as an object plays in all lanes, so it must not remember. Raises BadInput as `make_env` does.
    """
    game = load_game(game) if isinstance(game, str) else game
    table = game.table(rules, decks=decks)
    opponents = None if opponent is None else _in_lanes(game, table, rules, num_envs, opponent)
    return DuelVectorEnv(game, num_envs, opponents, seat, rules, decks, threads, observe_mask)


def _spec(opponent: Any) -> AgentSpec:
    return parse_spec({"type": opponent} if isinstance(opponent, str) else opponent, "opponent")


def _agent(game: Game, table: np.record, rules: Mapping[str, Any] | None, spec: AgentSpec) -> Agent:
    if spec.train is not None:
        raise BadInput(
            f"opponent: {spec.type} names the training {spec.train!r}, which only a run has; give its checkpoint"
        )
    if spec.sees_everything:
        raise BadInput(f"opponent: {spec.type} sees the true state, which opponents here are not given")
    return make_agent(game, table, game.resolved_rules(rules), spec, Path())


def _in_lanes(
    game: Game, table: np.record, rules: Mapping[str, Any] | None, lanes: int, opponent: OpponentChoice
) -> LaneOpponents:
    if isinstance(opponent, Agent):
        return AgentsInLanes(game, table, lanes, lambda: opponent)
    spec = _spec(opponent)
    if spec.type == "random":
        return CompiledInLanes(game, lanes)
    if spec.type == "ppo":
        agent = _agent(game, table, rules, spec)
        assert isinstance(agent, PPOAgent)
        return CompiledInLanes(game, lanes, agent.policy, agent.temperature)
    return AgentsInLanes(game, table, lanes, lambda: _agent(game, table, rules, spec))


for _id, _name in IDS.items():
    gymnasium.register(
        _id,
        entry_point=f"{__name__}:make_env",
        vector_entry_point=f"{__name__}:make_vector_env",
        kwargs={"game": _name},
    )
