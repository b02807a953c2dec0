"""The agents of a run, ready to play: made once per process and asked for many games."""

from pathlib import Path

from duelbench.agents.agent import Agent, position_of
from duelbench.agents.catalogue import AgentSpec, make_agent
from duelbench.envs.errors import BadInput
from duelbench.envs.rng import new_stream
from duelbench.experiments.config import RunConfig
from duelbench.experiments.folder import checkpoint_path, given_checkpoint_path
from duelbench.experiments.match import GameRow, play_game
from duelbench.experiments.plan import PlannedGame


class Players:
    """Game, rules and agents of the run in `folder`."""

    def __init__(self, folder: Path, config: RunConfig) -> None:
        self.folder = folder
        self.config = config
        self.game = config.load_game()
        self.table = self.game.table(config.rules)
        self._agents: dict[str, Agent] = {}

    def agent(self, name: str) -> Agent:
        """The agent called `name`; BadInput when it cannot be made, as with a checkpoint that does not fit."""
        if name not in self._agents:
            spec = playing_spec(self.folder, self.config, name)
            self._agents[name] = make_agent(self.game, self.table, self.config.rules, spec, Path())
        return self._agents[name]

    def check(self, name: str) -> None:
        """Raise BadInput unless the agent can be made from the config as it stands, before it is in the folder."""
        make_agent(self.game, self.table, self.config.rules, self.config.specs[name], self.config.folder)

    def play(self, planned: PlannedGame) -> GameRow:
        first, second = (self.agent(name) for name in planned.seats)
        return play_game(self.game, self.table, (first, second), planned)

    def ask_once(self, name: str) -> None:
        """Let the agent answer once, so that everything it needs is compiled; BadInput when it fails."""
        agent = self.agent(name)
        position = position_of(self.game, self.table, self.game.dealt(self.table, 0), 0)
        try:
            agent.begin(position.seat)
            agent.act(position, new_stream(0))
        except (Exception, SystemExit) as error:
            told = " ".join(f"{type(error).__name__}: {error}".split())
            raise BadInput(f"agent {name!r} failed on its first decision: {told}") from error


def playing_spec(folder: Path, config: RunConfig, name: str) -> AgentSpec:
    """The agent's spec with its checkpoint, if it plays one, taken from the run folder."""
    spec = config.specs[name]
    if spec.train is not None:
        return spec.with_checkpoint(checkpoint_path(folder, spec.train))
    if given_checkpoint(spec) is not None:
        return spec.with_checkpoint(given_checkpoint_path(folder, name))
    return spec


def given_checkpoint(spec: AgentSpec) -> str | None:
    """The checkpoint file that the config names for an agent."""
    return spec.parameters["checkpoint"] if spec.type == "ppo" else None
