"""What `duelbench bench` measures."""

from collections.abc import Iterable
from dataclasses import dataclass

from duelbench.envs.errors import BadInput
from duelbench.envs.game import did_you_mean


@dataclass(frozen=True)
class Measure:
    name: str
    unit: str
    meaning: str


_ALL = (
    Measure("playout_steps", "steps/s", "decisions in random games played by compiled code"),
    Measure("batch_steps", "steps/s", "decisions in a batch of 1,024 games: random action, step, observation and mask"),
    Measure("aec_steps", "steps/s", "decisions through env.last(), action_space.sample(mask) and env.step()"),
    Measure("search_simulations", "simulations/s", "IS-MCTS simulations, 1,000 for each decision of a random game"),
    Measure("search_decisions", "steps/s", "decisions made inside those simulations"),
    Measure("soismcts_simulations", "simulations/s", "the same for SO-ISMCTS"),
    Measure("pimc_simulations", "simulations/s", "the same for determinized UCT"),
    Measure("flat_mc_simulations", "simulations/s", "the same for flat Monte Carlo"),
    Measure("oracle_mcts_simulations", "simulations/s", "the same for UCT that sees everything"),
    Measure("puct_simulations", "simulations/s", "search led by a network of the default size, 200 for each decision"),
    Measure("train_steps", "steps/s", "decisions that PPO trains on, playing and learning together"),
    Measure("random_rows", "games/s", "games of a run between random agents, played and written as rows"),
    Measure("heuristic_rows", "games/s", "the same between hand-written players"),
    Measure("replayed_rows", "games/s", "games between random agents, replayed from their rows to verify them"),
    Measure("state_bytes", "bytes", "size of a state"),
    Measure("cold_start", "s", "start of the process to the end of its first game, with nothing compiled yet"),
    Measure("warm_start", "s", "the same with the compiled code on disk"),
)
MEASURES = {measure.name: measure for measure in _ALL}


def chosen_measures(names: Iterable[str]) -> list[Measure]:
    """The measures called `names` (all without any), in the order of `MEASURES`; raises BadInput for an unknown one."""
    wanted = set(names) or set(MEASURES)
    for name in sorted(wanted):
        if name not in MEASURES:
            raise BadInput(f"bench --measures: unknown measure {name!r}{did_you_mean(name, MEASURES)}")
    return [measure for measure in MEASURES.values() if measure.name in wanted]
