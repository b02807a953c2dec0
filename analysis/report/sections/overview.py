"""The beginning of a page with several runs: which they are, and what they have in common without being merged."""

from collections import defaultdict
from collections.abc import Sequence

import pandas as pd

from duelbench.analysis.report.columns import count, text
from duelbench.analysis.report.content import Block, Section, Table, Words
from duelbench.analysis.report.data import RunData, inline, number_of_games

SEPARATE = (
    "Every run is a part of its own, with its own tables. Nothing is merged or averaged over runs, and ratings of "
    "different runs are not comparable: each run's mean is its own."
)


def overview(runs: Sequence[RunData]) -> Section:
    lines = [
        (
            run.name,
            run.folder,
            run.title,
            run.base["matchup"].nunique(),
            _deals(run),
            number_of_games(run.base),
            _rules(run, runs),
        )
        for run in runs
    ]
    frame = pd.DataFrame(lines, columns=["run", "folder", "game", "matchups", "deals", "games", "rules"])
    columns = (
        text("run", label=True),
        text("game"),
        count("matchups"),
        count("deals"),
        count("games"),
        text("rules", "rules that differ", "Rule options in which runs of the same game differ.", wide=True),
        text("folder"),
    )
    behind = f"{len(runs)} run folders"
    blocks: list[Block] = [Words(SEPARATE), Table("runs", "The runs", frame, columns, behind)]
    shared = _shared(runs)
    if len(shared):
        told = "These agents have the same name and game in several runs; their results stay apart."
        of_agents = (
            text("agent", label=True),
            text("game"),
            text("runs"),
            text("settings", help="Whether the configs give the agent the same type and parameters.", wide=True),
        )
        blocks += [Words(told), Table("shared_agents", "Agents in several runs", shared, of_agents, behind)]
    return Section("The runs", tuple(blocks))


def _deals(run: RunData) -> int:
    return int(run.summary.seats["deals"].iloc[0])


def _rules(run: RunData, runs: Sequence[RunData]) -> str:
    alike = [other.config.get("rules") or {} for other in runs if other.config["game"] == run.config["game"]]
    rules = run.config.get("rules") or {}
    names = sorted({name for other in alike for name in other})
    differing = [name for name in names if any(other.get(name) != rules.get(name) for other in alike)]
    return inline({name: rules.get(name, "its default") for name in differing})


def _shared(runs: Sequence[RunData]) -> pd.DataFrame:
    """Agents of the same name and game in more than one run."""
    found = defaultdict(list)
    for run in runs:
        for agent in run.config["agents"]:
            found[run.config["game"], agent].append(run)
    lines = []
    for (game, agent), where in found.items():
        if len(where) > 1:
            settings = {inline(run.config["agents"][agent]) for run in where}
            told = "the same" if len(settings) == 1 else f"different: {' | '.join(sorted(settings))}"
            lines.append((agent, game, ", ".join(run.name for run in where), told))
    return pd.DataFrame(lines, columns=["agent", "game", "runs", "settings"])
