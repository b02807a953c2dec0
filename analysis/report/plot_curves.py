"""Figures of a share over a number, with its band, and where it is fair."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from duelbench.analysis.report.columns import PERCENT, missing
from duelbench.analysis.report.content import Figure
from duelbench.analysis.report.plots import SERIES, add_legend, axis_title, escaped, layout_of, line_at, numbers


class Fair(NamedTuple):
    """Where a curve crosses the share of a fair card, `reference`; NaN where it does not, infinite ends outside it."""

    value: float
    low: float
    high: float
    reference: float


def curves(frame: pd.DataFrame, axes: tuple[str, str], fair: Mapping[str, Fair]) -> Figure:
    """Shares in percent over numbers, from lines with value, agent, share, low and high; a colour for each agent.

    `fair` is by agent. A dotted line stands at its reference, a diamond with an interval where the curve crosses it.
    """
    agents = list(dict.fromkeys(frame["agent"]))
    ends = (float(frame["value"].min()), float(frame["value"].max()))
    data: list[dict[str, Any]] = []
    layout = layout_of(340)
    layout["shapes"] = [
        line_at(100 * reference, "y")
        for reference in sorted({f.reference for f in fair.values()})
        if reference == reference
    ]
    for i, agent in enumerate(agents):
        colour = f"var(--series-{i % SERIES})"
        data += _curve(frame[frame["agent"] == agent].sort_values("value"), agent, colour)
        if agent in fair and not missing(fair[agent].value):
            data.append(_fair_point(agent, fair[agent], ends, colour))
    layout["xaxis"] |= {"title": axis_title(axes[0])}
    layout["yaxis"] |= {"title": axis_title(axes[1]), "ticksuffix": "%"}
    if len(agents) > 1:
        add_legend(layout, len(agents))
    return {"data": data, "layout": layout}


def _curve(lines: pd.DataFrame, agent: str, colour: str) -> list[dict[str, Any]]:
    across = numbers(lines["value"])
    share, low, high = (numbers(100 * lines[name]) for name in ("share", "low", "high"))
    edge = {"type": "scatter", "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    told = [
        f"{agent}, {line['value']:g}: {PERCENT.text(line['share'])}"
        + ("" if missing(line["low"]) else f" ({PERCENT.between(line['low'], line['high'])})")
        for line in lines.to_dict("records")
    ]
    return [
        edge | {"x": across, "y": low},
        edge | {"x": across, "y": high, "fill": "tonexty", "fillcolor": f"{colour[:-1]}-band)"},
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": escaped(agent),
            "x": across,
            "y": share,
            "line": {"color": colour, "width": 2},
            "marker": {"size": 7, "color": colour},
            "text": [escaped(words) for words in told],
            "hovertemplate": "%{text}<extra></extra>",
        },
    ]


def _fair_point(agent: str, fair: Fair, ends: tuple[float, float], colour: str) -> dict[str, Any]:
    """The diamond; an interval that leaves the values tried is drawn to their end."""
    low, high = (min(max(end, ends[0]), ends[1]) for end in (fair.low, fair.high))
    known = not (missing(fair.low) or missing(fair.high))
    tells = f" ({fair.low:.2f} – {fair.high:.2f})".replace("inf", "∞").replace("-", "−") if known else ""
    point: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "showlegend": False,
        "x": [float(fair.value)],
        "y": [100 * fair.reference],
        "marker": {"size": 13, "symbol": "diamond", "color": colour, "line": {"color": "var(--paper)", "width": 1.5}},
        "text": [escaped(f"{agent}: fair at {fair.value:.2f}{tells}")],
        "hovertemplate": "%{text}<extra></extra>",
    }
    if known and math.isfinite(high - low):
        point["error_x"] = {
            "type": "data",
            "symmetric": False,
            "array": [high - fair.value],
            "arrayminus": [fair.value - low],
            "color": colour,
            "thickness": 3,
            "width": 7,
        }
    return point
