"""What rule options and changes to cards do to the games: differences to the game as it stands."""

import pandas as pd

from duelbench.analysis.report.columns import POINTS, Unit, deals, interval, number, text
from duelbench.analysis.report.content import Plot, Section, Table, Words
from duelbench.analysis.report.plots import dots


def variants(
    frame: pd.DataFrame, behind: str, measure: str = "share", unit: Unit = POINTS, base: str = "the base game"
) -> Section:
    """`frame` has a line for each variant and, if it has that column, `what` differs there: variant, effect (its
    difference to `base`, in `unit`), low, high, deals, note. `measure` names what differs where no column does."""
    several = "what" in frame
    figure = dots(frame, "variant", "effect", f"difference in {measure}", unit, 0.0, "what" if several else "")
    columns = (
        text("variant", help="Name of the variant in the config.", label=True),
        *([text("what", help="What is compared.")] if several else []),
        number("effect", "difference", f"Difference of the {measure} to {base}, on the same deals.", unit),
        interval(unit),
        deals(),
    )
    label = f"Difference of each variant to {base}, in {measure}"
    words = f"Every variant was played on the same deals as {base}; the interval is of the difference, deal by deal."
    name = "variants" if measure == "share" else f"variants_{measure.replace(' ', '_')}"
    table = Table(name, "The variants", frame, columns, behind)
    return Section("Variants", (Words(words), Plot(name, label, figure, behind), table))
