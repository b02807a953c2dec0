"""How sure it is that one agent is better than another, and how far the agents are from one scale of strength."""

import pandas as pd

from duelbench.analysis.payoffs import payoff_matrix
from duelbench.analysis.report.columns import (
    CHANCE,
    INTERVAL,
    PERCENT,
    Column,
    Line,
    Unit,
    count,
    deals,
    interval_text,
    number,
    text,
    told,
)
from duelbench.analysis.report.content import Block, Plot, Section, Table, Words
from duelbench.analysis.report.data import RunData
from duelbench.analysis.report.plot_shares import bars, heat_map, heat_map_width


def superiority(run: RunData) -> Section | None:
    table = run.summary.superiority
    if not len(table):
        return _refused(run, "Who is better", run.summary.superiority_notes)
    behind = run.rated
    columns = (
        text("agent", help="The agent that the line is about.", label=True),
        text("opponent", "against", "The other agent."),
        number("los", "rated above", "Likelihood of superiority: share of the resamples that rate it higher.", PERCENT),
        told("better", "Whether the games of the two alone say so, at 5% false discoveries.", _better),
        number("direct_p", "p", "Exact two-sided p-value from the games of the two alone.", CHANCE),
        number("adjusted_p", "q", "p, adjusted for all pairs (Benjamini & Hochberg 1995).", CHANCE),
        deals(),
        text("note", "remark", wide=True),
    )
    blocks: list[Block] = [
        Words(
            "How sure it is that the row's agent is better than the column's: the share of the bootstrap's resamples "
            "that rate it higher, from all games; and a test of the games of the two alone, which assumes no scale."
        ),
        *(Words(note, "warn") for note in run.summary.superiority_notes),
    ]
    if table["los"].notna().any():
        blocks.append(_certainty(run.summary.agents, table, behind))
    blocks.append(Table("superiority", "Better, pair by pair", table, columns, behind, folded=True))
    return Section("Who is better", tuple(blocks))


def _certainty(order: list[str], table: pd.DataFrame, behind: str) -> Plot:
    agents = [agent for agent in order if agent in set(table.loc[table["los"].notna(), "agent"])]
    square = payoff_matrix(table, agents, "los")
    nothing = square * float("nan")
    label = "Likelihood in percent that the row's agent is better than the column's"
    return Plot(
        "superiority", label, heat_map(agents, agents, square, nothing, nothing), behind, heat_map_width(len(agents))
    )


def _better(line: Line) -> str:
    return "yes" if line["better"] else ""


def nash(run: RunData) -> Section | None:
    table = run.summary.nash
    if not len(table):
        return _refused(run, "Nash averaging", run.summary.nash_notes)
    behind = run.rated
    shown = table.rename(columns={"mass": "value", "mass_low": "low", "mass_high": "high"})
    figure = bars(shown, "agent", "value", "mass in the mixture")
    columns = (
        text("agent", help="Name of the agent in the config.", label=True),
        number("mass", help="Its part in the most even mixture that no agent scores against.", unit=PERCENT),
        _ends("mass", PERCENT),
        number("skill", help="Its expected points above a half against that mixture.", unit=SKILL),
        _ends("skill", SKILL),
    )
    words = (
        "Nash averaging: what each agent scores against the mixture of agents that cannot be exploited by any of them. "
        "Copies of weak opponents change nothing in it."
    )
    return Section(
        "Nash averaging",
        (
            Words(words),
            Plot("nash", f"Mass of each agent in the mixture, with its {INTERVAL}", figure, behind),
            Table("nash", "Mass and skill", table, columns, behind),
        ),
    )


SKILL = Unit(1, 3, "", signed=True)


def _ends(name: str, unit: Unit) -> Column:
    def tell(line: Line) -> str:
        return interval_text(line, unit, f"{name}_low", f"{name}_high")

    return told(INTERVAL, f"Interval of the {name}; it sorts by its lower end.", tell, f"{name}_low")


def intransitivity(run: RunData) -> Section | None:
    split, cycles = run.summary.decomposition, run.summary.cycles
    if not len(split):
        return _refused(run, "Beating in circles", run.summary.intransitivity_notes)
    behind = run.rated
    line = split.iloc[0].to_dict()
    verdict = "more than" if line["cyclic"] else "no more than"
    words = (
        f"Of the differences between the agents {PERCENT.text(line['share'])} ({interval_text(line)}) is cyclic, which "
        f"no single scale of strength can show: {verdict} noise alone would make (p = {line['p']:.3f}; at least "
        f"{int(line['deals'])} deals a matchup)."
    )
    circles = Table("cycles", "Circles of three", cycles, CYCLE_COLUMNS, behind)
    decomposition = Table("decomposition", "The cyclic share", split, SPLIT_COLUMNS, behind, folded=True)
    none = Words("No three agents beat each other in a circle for sure.")
    return Section("Beating in circles", (Words(words), circles if len(cycles) else none, decomposition))


def _refused(run: RunData, title: str, notes: tuple[str, ...]) -> Section | None:
    """Why there is nothing; no section at all where no two agents met, which the head of the report says."""
    if not (notes and len(run.summary.payoffs)):
        return None
    return Section(title, tuple(Words(note, "warn") for note in notes))


SPLIT_COLUMNS = (
    number("share", help="The cyclic share, less what noise adds.", unit=PERCENT),
    told(INTERVAL, "Interval of the share.", interval_text, "low"),
    number("measured", help="The share as it was measured, noise included.", unit=PERCENT),
    number("expected", help="What noise alone gives where there is no circle.", unit=PERCENT),
    number("floor", help="What noise alone exceeds once in twenty times.", unit=PERCENT),
    number("p", help="Chance of as much without any circle.", unit=CHANCE),
    count("agents"),
    count("deals", help="Of the smallest matchup."),
)
CYCLE_COLUMNS = (
    text("first", label=True),
    text("second", "beats"),
    text("third", "who beats"),
    number("first_second", "first : second", "Share of the points of the first against the second.", PERCENT),
    number("second_third", "second : third", "Share of the points of the second against the third.", PERCENT),
    number("third_first", "third : first", "Share of the points of the third against the first.", PERCENT),
    count("deals", help="Of the smallest of the three matchups."),
)
