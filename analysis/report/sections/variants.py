"""What other rules and changed cards do to the games: differences to the game as configured, on the same deals."""

import pandas as pd

from duelbench.analysis.report.columns import (
    CHANCE,
    PERCENT,
    PLAIN,
    POINTS,
    Column,
    Line,
    Unit,
    deals,
    interval_text,
    text,
    told,
)
from duelbench.analysis.report.content import Block, Section, Table, Words
from duelbench.analysis.report.data import RunData, told_games
from duelbench.analysis.report.plot_dots import Mark
from duelbench.analysis.report.plots import SERIES
from duelbench.analysis.report.sections.forest import forest
from duelbench.analysis.variants import DECISIONS

LONGER = Unit(1, 2, "", signed=True)
MATTERS = Mark("matters", "matters (q < 0.05)", "not told from none")
FIGURES = {
    "points": ("Points of an agent or a seat", "difference in points", POINTS),
    "endings": ("How games end", "difference in the share of games", POINTS),
    "length": ("Decisions in a game", "difference in decisions", LONGER),
}


def variants(run: RunData) -> Section | None:
    effects = run.summary.effects
    return variant_effects(effects, told_games(run.rows)) if len(effects) else None


def variant_effects(frame: pd.DataFrame, behind: str, name: str = "effects", title: str = "Variants") -> Section:
    """`frame` has the columns of `analysis.variants.variant_effects`; `name` is that of its files."""
    blocks: list[Block] = [
        Words(
            "Every variant was played on the same deals with the same seeds as the game as configured, so a deal is "
            "compared with itself. Filled dots: a difference that is no chance, with 5% of them mistaken on average. "
            "What all games or none did with and without the change is in the table only."
        )
    ]
    same = (frame["base"] == frame["value"]) & frame["base"].isin([0, 1])
    shown = frame[frame["difference"].notna() & ~same]
    kinds = shown["measure"].map(_kind)
    for kind, (label, axis, unit) in FIGURES.items():
        lines, series = _rows(shown[kinds == kind])
        if len(lines):
            blocks += forest(f"{name}-{kind}", label, behind, lines, "row", "difference", axis, unit, series, MATTERS)
    blocks.append(Table(name, "All differences", frame, COLUMNS, behind))
    return Section(title, tuple(blocks))


def _rows(lines: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The lines with the names of their rows, and the column whose values have colours of their own: the variants, but
    many of them have rows of their own."""
    few = lines["variant"].nunique() <= SERIES
    several = ["measure", *(["matchup"] if lines["matchup"].nunique() > 1 else []), *([] if few else ["variant"])]
    ordered = lines.sort_values(several, kind="stable")
    return ordered.assign(
        row=["\n".join(map(str, row)) for row in ordered[several].to_numpy()]
    ), "variant" if few else ""


def _kind(measure: str) -> str:
    return "length" if measure == DECISIONS else "points" if measure.startswith("share of") else "endings"


def _value(name: str, help: str) -> Column:
    def tell(line: Line) -> str:
        return (PLAIN if line["measure"] == DECISIONS else PERCENT).text(line[name])

    return told(name, help, tell, name)


def _unit(line: Line) -> Unit:
    return LONGER if line["measure"] == DECISIONS else POINTS


COLUMNS = (
    text("variant", help="What is changed about rules or cards.", label=True),
    text("matchup", help="The two agents that met."),
    text("measure", help="What is compared."),
    _value("base", "Mean of the measure in the game as configured."),
    _value("value", "Its mean in the variant, on the same deals."),
    told("difference", "The second less the first.", lambda line: _unit(line).text(line["difference"]), "difference"),
    told("95% interval", "Paired interval of the difference.", lambda line: interval_text(line, _unit(line)), "low"),
    told("matters", "Whether q is below 0.05.", lambda line: "yes" if line["matters"] else "no", "q"),
    told("q", "p, adjusted for the whole table (Benjamini & Hochberg 1995).", lambda line: CHANCE.text(line["q"]), "q"),
    deals(),
)
