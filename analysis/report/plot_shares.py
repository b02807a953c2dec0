"""Heat maps, histograms and bars."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from duelbench.analysis.report.columns import PERCENT, Unit
from duelbench.analysis.report.content import Figure
from duelbench.analysis.report.plots import (
    LABEL_WIDTH,
    LINE,
    axis_title,
    broken,
    escaped,
    layout_of,
    most_lines,
    numbers,
)

# Orange to blue: told apart with any colour vision, and light enough for dark numbers everywhere.
SCALE = [[0, "#e8913a"], [0.25, "#f5c890"], [0.5, "#f6f6f4"], [0.75, "#abcfeb"], [1, "#62a3d9"]]
CELL_INK = "#16181c"


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


def histogram(occurs: pd.Series, axis: str, of: str) -> Figure:
    """How often the whole numbers of the index occur, in at most about forty bars."""
    width = max(1, int(np.ceil((occurs.index.max() - occurs.index.min() + 1) / 40)))
    counts = occurs.groupby(occurs.index // width * width).sum()
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
    return max(36, 6 + LINE * most_lines(labels))


def _square(share: float, low: float, high: float) -> str:
    if np.isnan(share):
        return ""
    told = "> 99.9" if 99.95 <= share < 100 else "< 0.1" if 0 < share < 0.05 else f"{share:.1f}"
    return escaped(told) if np.isnan(low) else f"<b>{escaped(told)}</b><br>{low:.1f}–{high:.1f}"
