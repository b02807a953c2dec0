"""Values with their intervals as dots in rows: rankings and forest plots."""

from typing import Any, NamedTuple

import pandas as pd

from duelbench.analysis.report.columns import Unit, missing
from duelbench.analysis.report.content import Figure
from duelbench.analysis.report.plots import (
    LINE,
    SERIES,
    add_legend,
    axis_title,
    broken,
    escaped,
    in_lines,
    layout_of,
    legend_height,
    line_at,
    most_lines,
    numbers,
)

INSIDE_WIDTH = 50
"""So many letters fit the width of a phone."""


class Mark(NamedTuple):
    """How the dots of a figure are told apart besides their colour: filled where a column is true, else open."""

    column: str
    filled: str
    """What a filled dot means, for the legend."""
    open: str


def dots(
    frame: pd.DataFrame,
    label: str,
    value: str,
    axis: str,
    unit: Unit,
    reference: float | None = None,
    series: str = "",
    mark: Mark | None = None,
    span: tuple[float, float] | None = None,
) -> Figure:
    """A dot with its interval (columns low, high) for every line, the first on top; without an interval the dot alone.

    Lines of the same `label` share a row, where those of different `series` (a column) have colours of their own, in
    the order of its categories if it has such.
    `reference` is where a line stands for no difference. `span` are the ends of the axis, for figures to be compared.
    """
    rows = [str(row) for row in dict.fromkeys(frame[label])]
    names = _series(frame[series]) if series else [""]
    place = {row: i for i, row in enumerate(rows)}
    data = []
    for i, name in enumerate(names):
        lines = frame[frame[series] == name] if series else frame
        shift = (i - (len(names) - 1) / 2) * SPREAD / len(names)
        heights = [place[str(row)] + shift for row in lines[label]]
        data.append(_dots(lines, heights, label, value, unit, name, f"var(--series-{i % SERIES})", mark))
    data += _meanings(mark) if mark else []
    layout, narrow = _layout_of_rows(rows, len(names), (len(names) if series else 0) + (2 if mark else 0))
    layout["xaxis"] |= {"title": axis_title(axis), "ticksuffix": unit.after.rstrip()}
    if span is not None:
        layout["xaxis"]["range"] = [unit.scale * end for end in span]
    if reference is not None:
        layout["shapes"] = [line_at(unit.scale * reference)]
    return {"data": data, "layout": layout, "narrow": narrow}


SPREAD = 0.6
"""The part of a row over which its series are spread."""


def _layout_of_rows(rows: list[str], series: int, entries: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The layout of `dots` and its changes on a phone; `entries` are those of the legend."""
    labels = [broken(row) for row in rows]
    height = max(40, 22 * series + 18, 14 + LINE * most_lines(labels))
    layout = layout_of(height * len(rows) + 80)
    layout["yaxis"] |= {"range": [len(rows) - 0.5, -0.5], "tickvals": list(range(len(rows))), "ticktext": labels}
    narrow = _names_inside(rows, height, series)
    narrow["height"] = layout["height"] + LINE * most_lines(narrow["yaxis.ticktext"]) * len(rows)
    if entries:
        add_legend(layout, entries)
        narrow |= {"height": narrow["height"] + legend_height(entries, 1)}
        narrow["margin.t"] = layout["margin"]["t"] + legend_height(entries, 1) - legend_height(entries, 3)
    return layout, narrow


def _series(column: pd.Series) -> list[str]:
    categories = column.cat.categories if isinstance(column.dtype, pd.CategoricalDtype) else column
    return list(dict.fromkeys(categories))


def _dots(
    lines: pd.DataFrame,
    heights: list[float],
    label: str,
    value: str,
    unit: Unit,
    name: str,
    colour: str,
    mark: Mark | None,
) -> dict[str, Any]:
    at = unit.scale * lines[value].astype(float)
    low, high = (unit.scale * lines[end].astype(float) for end in ("low", "high"))
    filled = lines[mark.column].astype(bool) if mark else pd.Series(True, index=lines.index)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": escaped(str(name)),
        "showlegend": bool(name),
        "x": numbers(at),
        "y": heights,
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": numbers((high - at).fillna(0)),
            "arrayminus": numbers((at - low).fillna(0)),
            "color": colour,
            "thickness": 2,
            "width": 5,
        },
        "marker": {"size": 9, "color": colour, "symbol": ["circle" if full else "circle-open" for full in filled]},
        "text": [_told(line, label, value, unit, name) for line in lines.to_dict("records")],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _told(line: dict[Any, Any], label: str, value: str, unit: Unit, name: str) -> str:
    what = ": ".join(str(part) for part in (line[label], name) if part).replace("\n", ": ")
    unsure = missing(line["low"]) or missing(line["high"])
    between = "" if unsure else f" ({unit.between(line['low'], line['high'])})"
    return escaped(f"{what}: {unit.text(line[value])}{between}")


def _meanings(mark: Mark) -> list[dict[str, Any]]:
    """Empty traces that tell filled from open in the legend."""
    shapes = ((mark.filled, "circle"), (mark.open, "circle-open"))
    marker = {"size": 9, "color": "var(--soft)"}
    return [
        {"type": "scatter", "mode": "markers", "x": [None], "y": [None], "name": name, "marker": marker | {"symbol": s}}
        for name, s in shapes
    ]


def _names_inside(names: list[str], height: int, series: int) -> dict[str, Any]:
    """On a phone the names stand above their intervals instead of beside them, in rows of `height` and their lines."""
    labels = ["<br>".join(map(escaped, in_lines(name.replace("\n", ": "), INSIDE_WIDTH))) for name in names]
    lines = most_lines(labels)
    above = SPREAD / 2 * (series - 1) / series * (height + LINE * lines)  # from the row's middle to its first series
    return {
        "yaxis.ticktext": labels,
        "yaxis.ticklabelposition": "inside top",
        "yaxis.tickfont": {"size": 12, "color": "var(--ink)"},  # plotly's own choice for names inside is for white
        "yaxis.ticklabelshift": 8 + round(above) + (lines - 1) * LINE // 2,
    }
