"""What the figures share: their layout, their legends and the names beside them, as plotly.js reads them.

A colour written `var(--name)` is one of the page's; it is filled in by the page for light, dark or paper. What stands
under `narrow` and `print` in a figure changes its layout on a phone and on paper, by dotted keys.
"""

import html
import re
from typing import Any

import pandas as pd

from duelbench.analysis.report.columns import missing

SERIES = 6
"""Colours of the page for series of lines, `--series-0` and so on."""

LINE = 17
"""Height of a line of a name beside a figure, in pixels."""

LABEL_WIDTH = 24
"""Longer names beside a figure are broken; in letters."""


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
    return "<br>".join(escaped(line) for part in parts for line in in_lines(part, width))


def in_lines(text: str, width: int) -> list[str]:
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


def line_at(value: float, axis: str = "x") -> dict[str, Any]:
    """A dotted line across the figure at a value of the axis."""
    other = "y" if axis == "x" else "x"
    ends = {f"{axis}0": value, f"{axis}1": value, f"{other}ref": "paper", f"{other}0": 0, f"{other}1": 1}
    return {"type": "line", "line": {"color": "var(--soft)", "dash": "dot", "width": 1.5}} | ends


def numbers(values: pd.Series) -> list[float | None]:
    """For JSON, which has no NaN."""
    return [None if missing(float(value)) else float(value) for value in values]


def add_legend(layout: dict[str, Any], entries: int) -> None:
    """Room for a legend of so many entries above the figure, in the order of its traces."""
    legend = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "itemclick": False}
    layout |= {"showlegend": True, "legend": legend | {"traceorder": "normal", "itemdoubleclick": False}}
    layout["height"] += legend_height(entries, 3)
    layout["margin"]["t"] += legend_height(entries, 3)


def legend_height(entries: int, in_a_line: int) -> int:
    """The height in pixels of a legend of so many entries."""
    return 20 * -(-entries // in_a_line) + 8


def most_lines(labels: list[str]) -> int:
    return max((label.count("<br>") + 1 for label in labels), default=1)
