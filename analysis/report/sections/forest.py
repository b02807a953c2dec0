"""A forest plot in several figures, where it has more lines than fit a printed page."""

from collections.abc import Iterator

import pandas as pd

from duelbench.analysis.report.columns import Unit
from duelbench.analysis.report.content import Plot
from duelbench.analysis.report.plot_dots import Mark, dots

MOST = 20
"""Rows in one figure."""


def forest(
    name: str,
    label: str,
    behind: str,
    frame: pd.DataFrame,
    rows: str,
    value: str,
    axis: str,
    unit: Unit,
    series: str = "",
    mark: Mark | None = None,
    reference: float = 0.0,
) -> Iterator[Plot]:
    """Figures called `name`-0 and so on, of MOST different values of the column `rows` each, with the same axis and
    colours. The other arguments are those of `plot_dots.dots`."""
    all_rows = list(dict.fromkeys(frame[rows]))
    ends = frame[[value, "low", "high"]].astype(float)
    margin = 0.05 * (ends.max().max() - ends.min().min()) or None
    span = None if margin is None else (ends.min().min() - margin, ends.max().max() + margin)
    if series:
        frame = frame.astype({series: pd.CategoricalDtype(list(dict.fromkeys(frame[series])))})
    for start in range(0, len(all_rows), MOST):
        lines = frame[frame[rows].isin(all_rows[start : start + MOST])]
        figure = dots(lines, rows, value, axis, unit, reference, series, mark, span)
        end = min(start + MOST, len(all_rows))
        which = f" ({start + 1} to {end} of {len(all_rows)})" if len(all_rows) > MOST else ""
        yield Plot(f"{name}-{start // MOST}", label + which, figure, behind)
