"""The report's figures, as the data and layout that plotly.js draws.

A colour written `var(--name)` is one of the page's; it is filled in by the page for light or dark.
"""

from typing import Any

import numpy as np
import pandas as pd

from duelbench.analysis.payoffs import payoff_matrix
from duelbench.analysis.summary import Summary

Figure = dict[str, Any]

# Orange to blue: told apart with any colour vision, and light enough for dark numbers everywhere.
SCALE = [[0, "#e8913a"], [0.25, "#f5c890"], [0.5, "#f6f6f4"], [0.75, "#abcfeb"], [1, "#62a3d9"]]
CELL_INK = "#16181c"


def ratings_figure(table: pd.DataFrame) -> Figure:
    """Ratings with their intervals, the best on top."""
    return _dots(table, "agent", "rating", "rating (Elo scale)", "%{x:.0f}")


def seats_figure(table: pd.DataFrame) -> Figure:
    """Share of points for seat 0, with a line at no advantage."""
    shares = table.assign(**{column: 100 * table[column] for column in ("share", "low", "high")})
    figure = _dots(shares, "matchup", "share", "points of seat 0 in percent", "%{x:.1f}%")
    line = {"type": "line", "x0": 50, "x1": 50, "yref": "paper", "y0": 0, "y1": 1}
    figure["layout"]["shapes"] = [line | {"line": {"color": "var(--soft)", "dash": "dot", "width": 1.5}}]
    return figure


def payoffs_figure(summary: Summary) -> Figure:
    """The payoff matrix as a heat map, in percent of the points, the row against the column."""
    agents = summary.agents
    return _heat_map(agents, *(payoff_matrix(summary.payoffs, agents, c) for c in ("score", "low", "high")))


def decks_figure(matrix: pd.DataFrame, order: list[str]) -> Figure:
    """The lines of one agent in `decks.deck_matrix` as a heat map like that of the payoffs."""
    return _heat_map(order, *(payoff_matrix(matrix, order, c, ("deck", "against")) for c in ("share", "low", "high")))


def _heat_map(order: list[str], *squares: pd.DataFrame) -> Figure:
    """Shares and their intervals (share, low, high) in percent, the row against the column."""
    share, low, high = (100 * square.to_numpy(float) for square in squares)
    text = [[_cell(*cell) for cell in zip(*row, strict=True)] for row in zip(share, low, high, strict=True)]
    names = [_broken(name) for name in order]
    trace = {
        "type": "heatmap",
        "x": names,
        "y": names,
        "z": [[None if np.isnan(value) else float(value) for value in row] for row in share],
        "text": text,
        "texttemplate": "%{text}",
        "textfont": {"color": CELL_INK},
        "hoverongaps": False,
        "hovertemplate": "%{y} against %{x}: %{text}<extra></extra>",
        "colorscale": SCALE,
        "zmin": 0,
        "zmax": 100,
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
    }
    layout = _layout(70 * len(order) + 60)
    layout["xaxis"] |= {"side": "top", "showgrid": False, "type": "category"}
    layout["yaxis"] |= {"autorange": "reversed", "showgrid": False, "type": "category"}
    layout["margin"] |= {"t": 40, "b": 8}
    return {"data": [trace], "layout": layout}


def lengths_figure(decisions: pd.Series) -> Figure:
    """How many games took how many decisions, in at most about forty bars."""
    width = max(1, int(np.ceil((decisions.max() - decisions.min() + 1) / 40)))
    counts = (decisions // width * width).value_counts().sort_index()
    trace = {
        "type": "bar",
        "x": [int(start) + (width - 1) / 2 for start in counts.index],
        "y": [int(count) for count in counts],
        "width": width,
        "marker": {"color": "var(--mark)", "line": {"color": "var(--paper)", "width": 1}},
        "hovertext": [_bar_text(int(start), width, int(count)) for start, count in counts.items()],
        "hoverinfo": "text",
    }
    layout = _layout(280)
    layout["xaxis"]["title"] = {"text": "decisions in the game"}
    layout["yaxis"]["title"] = {"text": "games"}
    return {"data": [trace], "layout": layout}


def _bar_text(start: int, width: int, count: int) -> str:
    decisions = f"{start}" if width == 1 else f"{start} to {start + width - 1}"
    return f"{decisions} decisions: {count} games"


def _dots(table: pd.DataFrame, label: str, value: str, title: str, hover: str) -> Figure:
    """One dot a line with its interval; lines without an interval show the dot alone."""
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": [float(x) for x in table[value]],
        "y": [_broken(name) for name in table[label]],
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [float(gap) for gap in (table["high"] - table[value]).fillna(0)],
            "arrayminus": [float(gap) for gap in (table[value] - table["low"]).fillna(0)],
            "color": "var(--mark)",
            "thickness": 2,
            "width": 6,
        },
        "marker": {"size": 9, "color": "var(--mark)"},
        "hovertemplate": f"%{{y}}: {hover}<extra></extra>",
    }
    layout = _layout(44 * len(table) + 80)
    layout["xaxis"]["title"] = {"text": title}
    layout["yaxis"] |= {"autorange": "reversed", "type": "category"}
    return {"data": [trace], "layout": layout}


def _layout(height: int) -> Figure:
    axis = {"gridcolor": "var(--grid)", "zeroline": False, "automargin": True, "fixedrange": True}
    return {
        "height": height,
        "margin": {"l": 8, "r": 12, "t": 12, "b": 44},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": "var(--ink)", "size": 13},
        "showlegend": False,
        "xaxis": dict(axis),
        "yaxis": dict(axis),
    }


def _cell(score: float, low: float, high: float) -> str:
    if np.isnan(score):
        return ""
    return f"{score:.1f}" if np.isnan(low) else f"<b>{score:.1f}</b><br>{low:.1f}–{high:.1f}"


def _broken(label: str) -> str:
    """A matchup on two lines, so that it fits beside a plot on a phone."""
    return label.replace(" vs ", "<br>vs ")
