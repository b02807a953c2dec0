"""Figures as the data and layout that plotly.js draws: intervals, heat maps, histograms, bars and curves.

A colour written `var(--name)` is one of the page's; it is filled in by the page for light, dark or paper. What stands
under `narrow` and `print` in a figure changes its layout on a phone and on paper, by dotted keys.
"""

import html
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from duelbench.analysis.report.columns import PERCENT, Unit, missing
from duelbench.analysis.report.content import Figure

# Orange to blue: told apart with any colour vision, and light enough for dark numbers everywhere.
SCALE = [[0, "#e8913a"], [0.25, "#f5c890"], [0.5, "#f6f6f4"], [0.75, "#abcfeb"], [1, "#62a3d9"]]
CELL_INK = "#16181c"
SERIES = 6
"""Colours of the page for series of lines, `--series-0` and so on."""

LINE = 17
"""Height of a line of a name beside a figure, in pixels."""

INSIDE_WIDTH = 50
"""So many letters fit the width of a phone."""

LABEL_WIDTH = 24
"""Longer names beside a figure are broken; in letters."""


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
    rows = list(dict.fromkeys(frame[label]))
    names = _series(frame[series]) if series else [""]
    place = {row: i for i, row in enumerate(rows)}
    data = []
    for i, name in enumerate(names):
        lines = frame[frame[series] == name] if series else frame
        shift = (i - (len(names) - 1) / 2) * 0.6 / len(names)
        heights = [place[row] + shift for row in lines[label]]
        data.append(_dots(lines, heights, label, value, unit, name, f"var(--series-{i % SERIES})", mark))
    with_legend = bool(series) or mark is not None
    labels = [broken(str(row)) for row in rows]
    height = max(40, 22 * len(names) + 18, 14 + LINE * _most_lines(labels))
    layout = layout_of(height * len(rows) + 80 + 34 * with_legend)
    layout["xaxis"] |= {"title": axis_title(axis), "ticksuffix": unit.after.rstrip()}
    layout["yaxis"] |= {"range": [len(rows) - 0.5, -0.5], "tickvals": list(place.values())}
    layout["yaxis"]["ticktext"] = labels
    if span is not None:
        layout["xaxis"]["range"] = [unit.scale * end for end in span]
    if reference is not None:
        layout["shapes"] = [line_at(unit.scale * reference)]
    if with_legend:
        data += _meanings(mark) if mark else []
        layout |= {"showlegend": True, "legend": LEGEND, "margin": layout["margin"] | {"t": 46}}
    return {
        "data": data,
        "layout": layout,
        "narrow": _names_inside([str(row) for row in rows], height, len(names), layout),
    }


def _series(column: pd.Series) -> list[str]:
    categories = column.cat.categories if isinstance(column.dtype, pd.CategoricalDtype) else column
    return list(dict.fromkeys(categories))


LEGEND = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "itemclick": False}


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


def heat_map(
    rows: Sequence[str], columns: Sequence[str], share: pd.DataFrame, low: pd.DataFrame, high: pd.DataFrame
) -> Figure:
    """Shares with their intervals as squares of frames, in percent, the row against the column."""
    values = [(100 * square.reindex(index=rows, columns=columns)).to_numpy(float) for square in (share, low, high)]
    text = [[_square(*cell) for cell in zip(*line, strict=True)] for line in zip(*values, strict=True)]
    trace = {
        "type": "heatmap",
        "x": list(range(len(columns))),
        "y": list(range(len(rows))),
        "z": [[None if np.isnan(value) else float(value) for value in line] for line in values[0]],
        "text": text,
        "customdata": [[escaped(f"{row} against {column}") for column in columns] for row in rows],
        "texttemplate": "%{text}",
        "textfont": {"color": CELL_INK},
        "hoverongaps": False,
        "hovertemplate": "%{customdata}: %{text}<extra></extra>",
        "colorscale": SCALE,
        "zmin": 0,
        "zmax": 100,
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
    }
    height = 58 * len(rows) + 90
    layout = layout_of(height)
    layout["xaxis"] |= {"side": "top", "showgrid": False} | _ticks(columns, 11)
    layout["yaxis"] |= {"autorange": "reversed", "showgrid": False} | _ticks(rows, 16)
    layout["margin"] |= {"t": 40, "b": 8}
    small = {"font.size": 13 if len(columns) <= 7 else 10}
    return {"data": [trace], "layout": layout, "narrow": {"font.size": 12}, "print": small}


def heat_map_width(columns: int) -> int:
    """The width in pixels below which its cells could not hold their numbers."""
    return 80 * columns + 100


def _ticks(names: Sequence[str], width: int) -> dict[str, Any]:
    return {"ticks": "", "tickvals": list(range(len(names))), "ticktext": [broken(name, width) for name in names]}


def histogram(numbers: pd.Series, axis: str, of: str) -> Figure:
    """How many of the whole `numbers` have each value, in at most about forty bars."""
    width = max(1, int(np.ceil((numbers.max() - numbers.min() + 1) / 40)))
    counts = (numbers // width * width).value_counts().sort_index()
    trace = {
        "type": "bar",
        "x": [int(start) + (width - 1) / 2 for start in counts.index],
        "y": [int(count) for count in counts],
        "width": width,
        "marker": {"color": "var(--mark)", "line": {"color": "var(--paper)", "width": 1}},
        "hovertext": [f"{_span(int(start), width)} {axis}: {count} {of}" for start, count in counts.items()],
        "hoverinfo": "text",
    }
    layout = layout_of(280)
    layout["xaxis"]["title"] = axis_title(axis)
    layout["yaxis"] |= {"title": axis_title(of), "rangemode": "tozero"}
    return {"data": [trace], "layout": layout}


def _span(start: int, width: int) -> str:
    return f"{start}" if width == 1 else f"{start} to {start + width - 1}"


def bars(frame: pd.DataFrame, label: str, value: str, axis: str, unit: Unit = PERCENT) -> Figure:
    """A bar for every line, the first on top, from zero, with its interval where the frame has low and high."""
    rows = [str(row) for row in frame[label]]
    trace: dict[str, Any] = {
        "type": "bar",
        "orientation": "h",
        "x": numbers(unit.scale * frame[value]),
        "y": list(range(len(rows))),
        "marker": {"color": "var(--mark)"},
        "text": [unit.text(share) for share in frame[value]],
        "textposition": "auto",
        "hovertext": [escaped(f"{row}: {unit.text(share)}") for row, share in zip(rows, frame[value], strict=True)],
        "hoverinfo": "text",
    }
    if {"low", "high"} <= set(frame):
        low, high = ((frame[end] - frame[value]).abs() * unit.scale for end in ("low", "high"))
        trace["error_x"] = {"type": "data", "symmetric": False, "array": numbers(high), "arrayminus": numbers(low)}
        trace["error_x"] |= {"color": "var(--ink)", "thickness": 1.5}
        trace["textposition"] = "none"  # it would lie under the interval
    labels, short = ([broken(row, width) for row in rows] for width in (LABEL_WIDTH, 14))
    layout = layout_of(_bar_height(labels) * len(rows) + 80)
    layout["xaxis"] |= {"title": axis_title(axis), "ticksuffix": unit.after.rstrip(), "rangemode": "tozero"}
    layout["yaxis"] |= {"range": [len(rows) - 0.5, -0.5], "tickvals": trace["y"]}
    layout["yaxis"]["ticktext"] = labels
    narrow = {"yaxis.ticktext": short, "height": _bar_height(short) * len(rows) + 80}
    return {"data": [trace], "layout": layout, "narrow": narrow}


def _bar_height(labels: list[str]) -> int:
    return max(36, 6 + LINE * _most_lines(labels))


def _most_lines(labels: list[str]) -> int:
    return max((label.count("<br>") + 1 for label in labels), default=1)


def layout_of(height: int) -> dict[str, Any]:
    axis = {"gridcolor": "var(--grid)", "zeroline": False, "automargin": True, "fixedrange": True}
    return {
        "height": height,
        "margin": {"l": 8, "r": 16, "t": 12, "b": 44},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": "var(--ink)", "size": 13},
        "showlegend": False,
        "hoverlabel": {"bgcolor": "var(--card)", "bordercolor": "var(--line)", "font": {"color": "var(--ink)"}},
        "xaxis": dict(axis),
        "yaxis": dict(axis),
    }


def axis_title(text: str) -> dict[str, Any]:
    return {"text": escaped(text), "font": {"size": 13}}


def broken(label: str, width: int = LABEL_WIDTH) -> str:
    """A name on as many lines as it needs to stay within `width` letters; a matchup on two at least."""
    parts = label.replace(" vs ", "\nvs ").split("\n")
    return "<br>".join(escaped(line) for part in parts for line in _lines(part, width))


def _lines(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` letters where it has spaces, _ or - to break behind."""
    lines = [""]
    for word in re.findall(r"[^ _-]*[ _-]?", text):
        if lines[-1] and len(lines[-1] + word.rstrip()) > width:
            lines.append("")
        lines[-1] += word
    return [line.rstrip() for line in lines]


def escaped(text: str) -> str:
    """A text that plotly, which knows some HTML, shows as it stands."""
    return html.escape(text, quote=False)


def _names_inside(names: list[str], height: int, series: int, layout: dict[str, Any]) -> dict[str, Any]:
    """On a phone the names stand above their intervals instead of beside them, in rows of `height` and a line more."""
    labels = ["<br>".join(map(escaped, _lines(name.replace("\n", ": "), INSIDE_WIDTH))) for name in names]
    more = LINE * _most_lines(labels)
    above = 0.3 * (series - 1) / series * (height + more)  # how far the first of the series is from the row's middle
    return {
        "yaxis.ticktext": labels,
        "yaxis.ticklabelposition": "inside top",
        "yaxis.tickfont": {"size": 12, "color": "var(--ink)"},  # plotly's own choice for names inside is for white
        "yaxis.ticklabelshift": 8 + round(above),
        "height": layout["height"] + more * len(names),
    }


def line_at(value: float, axis: str = "x") -> dict[str, Any]:
    """A dotted line across the figure at a value of the axis."""
    other = "y" if axis == "x" else "x"
    ends = {f"{axis}0": value, f"{axis}1": value, f"{other}ref": "paper", f"{other}0": 0, f"{other}1": 1}
    return {"type": "line", "line": {"color": "var(--soft)", "dash": "dot", "width": 1.5}} | ends


def _square(share: float, low: float, high: float) -> str:
    if np.isnan(share):
        return ""
    told = "> 99.9" if 99.95 <= share < 100 else "< 0.1" if 0 < share < 0.05 else f"{share:.1f}"
    return escaped(told) if np.isnan(low) else f"<b>{escaped(told)}</b><br>{low:.1f}–{high:.1f}"


def numbers(values: pd.Series) -> list[float | None]:
    """For JSON, which has no NaN."""
    return [None if missing(float(value)) else float(value) for value in values]
