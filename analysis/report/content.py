"""What a report is made of: sections of words, tables and figures, each with what it was counted from."""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import pandas as pd

from duelbench.analysis.report.columns import Column
from duelbench.analysis.report.table_html import Place, box, element, folded, table_html

Figure = dict[str, Any]
"""What plotly.js draws: `data` and `layout`; `narrow` and `print` change the layout there, by dotted keys."""


class Block(Protocol):
    """A piece of a section."""

    def html(self, place: Place) -> str: ...


@dataclass(frozen=True)
class Words:
    """A paragraph; `kind` is "", "soft" (of less weight), "warn" or "lead"."""

    text: str
    kind: str = ""

    def html(self, place: Place) -> str:
        return element("p", self.text, self.kind)


@dataclass(frozen=True)
class Points:
    """A list of sentences."""

    sentences: tuple[str, ...]

    def html(self, place: Place) -> str:
        return f"<ul>{''.join(element('li', sentence) for sentence in self.sentences)}</ul>"


@dataclass(frozen=True)
class Table:
    """A table: the frame that is exported whole, and the columns in which a reader sees it."""

    name: str
    """Of its files below tables/, and of `duelbench.analysis.api.Run.table`; small letters and _."""
    title: str
    frame: pd.DataFrame
    columns: tuple[Column, ...]
    behind: str
    """What it was counted from, as "600 games"."""
    folded: bool = False
    """Whether a reader opens it first, as its numbers stand in a figure too."""
    file: str = ""
    """The file below tables/ that has its lines, if not that of its name; it may have more of them."""

    def html(self, place: Place) -> str:
        whole = table_html(place, self.name, self.path, self.caption, self.frame, self.columns)
        return folded(self.title, whole) if self.folded else whole

    @property
    def path(self) -> str:
        """Below the run folder, without its ending: there are .csv and .parquet."""
        return f"tables/{self.file or self.name}"

    @property
    def caption(self) -> str:
        lines = "1 line" if len(self.frame) == 1 else f"{len(self.frame)} lines"
        return f"{self.title}: {lines} from {self.behind}"


@dataclass(frozen=True)
class Plot:
    """A figure. `label` says what it shows to those who cannot see it."""

    name: str
    label: str
    figure: Figure
    behind: str
    min_width: int = 0
    """On a narrower screen it scrolls sideways instead of shrinking further; in pixels."""

    def html(self, place: Place) -> str:
        identifier, label = place.prefix + self.name, html.escape(self.label)
        size = f"min-width:{self.min_width}px;min-height:{self.figure['layout']['height']}px"
        drawn = f'<div class="plot" id="{identifier}" role="img" aria-label="{label}" style="{size}"></div>'
        hint = '<p class="hint" hidden>scrolls sideways →</p>' if self.min_width else ""
        shown = box(drawn, self.label) if self.min_width else drawn
        return f"<figure>{hint}{shown}<figcaption>{label}. From {html.escape(self.behind)}.</figcaption></figure>"


@dataclass(frozen=True)
class Facts:
    """Names and their values."""

    lines: tuple[tuple[str, str], ...]

    def html(self, place: Place) -> str:
        body = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>" for name, value in self.lines)
        return f'<dl class="facts">{body}</dl>'


@dataclass(frozen=True)
class Code:
    """Commands, or a file, as they are typed."""

    text: str
    title: str = ""
    """With a title a reader opens it first."""

    def html(self, place: Place) -> str:
        whole = element("pre", self.text)
        return folded(self.title, whole) if self.title else whole


@dataclass(frozen=True)
class Section:
    """A part of a report under a heading of its own."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def slug(self) -> str:
        return "about-" + re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")

    def html(self, place: Place) -> str:
        inside = "\n".join(block.html(place) for block in self.blocks)
        heading = f"<{place.heading}>{html.escape(self.title)}</{place.heading}>"
        return f'<section id="{place.prefix}{self.slug}">\n{heading}\n{inside}\n</section>'


def tables(sections: Iterable[Section]) -> Iterator[Table]:
    """All tables, in their order."""
    return (block for section in sections for block in section.blocks if isinstance(block, Table))


def plots(sections: Iterable[Section]) -> Iterator[Plot]:
    """All figures, in their order."""
    return (block for section in sections for block in section.blocks if isinstance(block, Plot))
