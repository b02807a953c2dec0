"""A table as HTML: sortable headings, a filter where it is long, its CSV inside the page."""

import html
import urllib.parse
from dataclasses import dataclass

import pandas as pd

from duelbench.analysis.report.columns import Cell, Column, Line
from duelbench.analysis.table_files import csv_text

LONG = 15
"""A table with more lines has a filter and scrolls in a box of its own."""


@dataclass(frozen=True)
class Place:
    """Where on the page something stands: a part's prefix for ids, its level of headings, and its run folder."""

    prefix: str
    heading: str
    run: str


def table_html(
    place: Place, name: str, path: str, caption: str, frame: pd.DataFrame, columns: tuple[Column, ...]
) -> str:
    """The table with its tools; `frame` is what its CSV holds, and its lines are those that are shown.

    `path` is where the run folder has it, without its ending.
    """
    lines = [line_html(line, columns) for line in frame.to_dict("records")]
    head = "".join(_heading(column) for column in columns)
    whole = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    long = len(frame) > LONG
    return (
        f'<figure class="table" id="{place.prefix}table-{name}">'
        f"<figcaption>{element('span', caption)}{_tools(place, name, path, frame, long)}</figcaption>"
        f"{box(whole, caption, 'long' if long else '')}{_meanings(columns)}</figure>"
    )


def box(inside: str, label: str, kind: str = "") -> str:
    """What scrolls sideways where it must, by the keyboard too."""
    classes = f"wide {kind}".strip()
    return f'<div class="{classes}" tabindex="0" role="group" aria-label="{html.escape(label)}">{inside}</div>'


def line_html(line: Line, columns: tuple[Column, ...]) -> str:
    return f"<tr>{''.join(_cell(column.cell(line), column) for column in columns)}</tr>"


def element(tag: str, text: str, kind: str = "") -> str:
    """Plain text in an element of the class `kind`."""
    attribute = f' class="{kind}"' if kind else ""
    return f"<{tag}{attribute}>{html.escape(text)}</{tag}>"


def folded(title: str, inside: str, kind: str = "") -> str:
    """Something to open by clicking on its title."""
    attribute = f' class="{kind}"' if kind else ""
    return f"<details{attribute}>{element('summary', title)}{inside}</details>"


def _tools(place: Place, name: str, path: str, frame: pd.DataFrame, long: bool) -> str:
    file = f"{place.run}/{path}.csv"
    data = urllib.parse.quote(csv_text(frame), safe=" ,:;/()+*!")
    link = (
        f'<a download="{name}.csv" href="data:text/csv;charset=utf-8,{html.escape(data)}" '
        f'title="{html.escape(file)} and .parquet">{html.escape(name)}.csv</a>'
    )
    hint = '<span class="hint" hidden>scrolls sideways →</span>'
    search = '<input type="search" placeholder="Filter" aria-label="Filter the lines"><output></output>' if long else ""
    return f'<div class="tools">{search}{hint}{link}</div>'


def _heading(column: Column) -> str:
    kind = _kind(column)
    button = f'<button type="button" title="{html.escape(column.help)}">{html.escape(column.title)}</button>'
    return f'<th scope="col"{kind}>{button}</th>'


def _cell(cell: Cell, column: Column) -> str:
    tag, scope = ("th", ' scope="row"') if column.label else ("td", "")
    value = cell.text if cell.sort is None and cell.aside and not column.numeric else cell.sort
    sort = "" if value is None else f' data-v="{html.escape(str(value))}"'
    hint = f' title="{html.escape(cell.hint)}"' if cell.hint else ""
    aside = f"<small>{html.escape(cell.aside)}</small>" if cell.aside else ""
    text = html.escape(cell.text)
    shown = text.replace("_", "_<wbr>") if column.label else text
    return f"<{tag}{scope}{_kind(column, cell.remark)}{sort}{hint}>{shown}{aside}</{tag}>"


def _kind(column: Column, remark: bool = False) -> str:
    marks = {"number": column.numeric, "label": column.label, "text": column.wide, "note": remark}
    kinds = " ".join(name for name, has in marks.items() if has)
    return f' class="{kinds}"' if kinds else ""


def _meanings(columns: tuple[Column, ...]) -> str:
    told = [(column.title, column.help) for column in columns if column.help]
    body = "".join(f"<dt>{html.escape(title)}</dt><dd>{html.escape(help)}</dd>" for title, help in told)
    return folded("What the columns mean", f"<dl>{body}</dl>", "meanings") if told else ""
