"""The end of a run's part: its agents, its rules, where it comes from, and how to make, check and read it again."""

import shlex
from collections.abc import Iterable

import pandas as pd
import yaml

from duelbench.analysis.report.columns import count, text
from duelbench.analysis.report.content import Block, Code, Facts, Section, Table, Words, plots, tables
from duelbench.analysis.report.data import RunData, inline


def agents(run: RunData) -> Section:
    blocks: list[Block] = [Facts(tuple((name, inline(agent)) for name, agent in run.config["agents"].items()))]
    trained = tuple((name, inline(settings)) for name, settings in (run.config.get("train") or {}).items())
    if trained:
        blocks += [Words("Trained within the run:"), Facts(trained)]
    return Section("Agents", tuple(blocks))


def origin(run: RunData) -> Section:
    rules, place = _rules(run), shlex.quote(run.folder)
    settings = yaml.safe_dump(run.config, sort_keys=False, allow_unicode=True)
    commands = (
        f"duelbench run {shlex.quote(run.folder + '/config.yaml')} --runs again",
        f"duelbench verify {place}",
        f"duelbench replay {place} --game 0",
        f"duelbench report {place}",
    )
    return Section(
        "Rules and origin",
        (
            *([Facts(rules)] if rules else []),
            Facts(tuple((name.replace("_", " "), inline(value)) for name, value in run.manifest.items())),
            Words("Play the same games again, check every one of them, read one, or make this report again:"),
            Code("\n".join(commands)),
            Code(settings, "The whole config"),
        ),
    )


def _rules(run: RunData) -> tuple[tuple[str, str], ...]:
    meanings = {option.name: option.meaning for option in run.game.options} if run.game else {}
    values = (run.config.get("rules") or {}).items()
    return tuple(
        (name, f"{inline(value)}  ({meanings[name]})" if name in meanings else inline(value)) for name, value in values
    )


def contents(run: RunData, sections: Iterable[Section]) -> Section:
    """Every table and figure with the rows it was made from, and the table's files."""
    sections = list(sections)
    lines: list[tuple[object, ...]] = [("figure", plot.label, plot.behind, None, "") for plot in plots(sections)]
    lines += [
        ("table", table.title, table.behind, len(table.frame), f"{run.folder}/{table.path}.csv, .parquet")
        for table in tables(sections)
    ]
    frame = pd.DataFrame(lines, columns=["kind", "what", "made_from", "lines", "files"])
    columns = (
        text("what", help="Title of the table or figure.", label=True),
        text("kind"),
        text("made_from", "made from", "The rows of the run behind it."),
        count("lines", help="Lines of the table."),
        text("files", help="The table for other programs.", wide=True),
    )
    return Section("Tables and figures", (Table("contents", "All tables and figures", frame, columns, run.games),))
