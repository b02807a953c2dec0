"""A report: one HTML file that explains itself and needs nothing from the network."""

import html
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from duelbench.analysis.report.content import Figure, Section, plots
from duelbench.analysis.report.data import RunData
from duelbench.analysis.report.page import page
from duelbench.analysis.report.sections.decks import decks
from duelbench.analysis.report.sections.findings import TITLE as FINDINGS
from duelbench.analysis.report.sections.games import endings, lengths, seats
from duelbench.analysis.report.sections.head import head
from duelbench.analysis.report.sections.origin import agents, contents, origin
from duelbench.analysis.report.sections.overview import overview
from duelbench.analysis.report.sections.payoffs import payoffs
from duelbench.analysis.report.sections.ranking import ranking
from duelbench.analysis.report.sections.superiority import intransitivity, nash, superiority
from duelbench.analysis.report.sections.variants import variants
from duelbench.analysis.report.table_html import Place, element
from duelbench.experiments.atomic import write_bytes

RESULTS: tuple[Callable[[RunData], Section | None], ...] = (
    ranking,
    payoffs,
    superiority,
    nash,
    intransitivity,
    decks,
    variants,
    seats,
    lengths,
    endings,
)
"""What every run's part is made of, in this order; a function returns None where the run has nothing of the kind."""


def results(run: RunData) -> list[Section]:
    """What the run found: all its sections but those on agents, rules and origin.

    Where a study has findings, they and what else is in `RunData.extra` come first, as it was played for them.
    """
    made = [section for make in RESULTS if (section := make(run)) is not None]
    if any(section.title == FINDINGS for section in run.extra):
        return [*run.extra, *made]
    return [*made, *run.extra]


def write_report(path: Path, runs: Sequence[RunData]) -> Path:
    """Write the report of the runs as one HTML file, whole or not at all; returns its path."""
    write_bytes(path, report_html(runs).encode())
    return path


def report_html(runs: Sequence[RunData]) -> str:
    """The report as one self-contained document; the same runs give the same bytes.

    With several runs each is a part, below an overview and a table of contents.
    """
    parts = [_part(run, f"run-{i + 1}-" if len(runs) > 1 else "") for i, run in enumerate(runs)]
    figures = {name: figure for part in parts for name, figure in part.figures().items()}
    if len(parts) == 1:
        (only,) = parts
        pieces = [element("h1", only.run.title), only.beginning(), f"<nav>{only.links()}</nav>", only.html()]
        return page(f"{only.run.name}: {only.run.title}", "\n".join(pieces), figures)
    title = f"{len(runs)} runs: {', '.join(run.name for run in runs)}"
    first = overview(runs)
    links = f'<nav aria-label="Contents">{"".join(part.titled_links() for part in parts)}</nav>'
    pieces = [element("h1", title), links, first.html(Place("", "h2", "")), *(part.as_part() for part in parts)]
    again = shlex.join(["duelbench", "report", *(run.folder for run in runs), "--out", "report.html"])
    return page(title, "\n".join([*pieces, element("h2", "This page again"), element("pre", again)]), figures)


@dataclass(frozen=True)
class _Part:
    """One run on the page."""

    run: RunData
    place: Place
    sections: list[Section]

    def html(self) -> str:
        return "\n".join(section.html(self.place) for section in self.sections)

    def beginning(self) -> str:
        return "\n".join(block.html(self.place) for block in head(self.run))

    def as_part(self) -> str:
        heading = element("h2", f"{self.run.name}: {self.run.title}")
        return f'<div class="part" id="{self.place.prefix}part">{heading}\n{self.beginning()}\n{self.html()}</div>'

    def links(self) -> str:
        lines = (
            f'<li><a href="#{self.place.prefix}{section.slug}">{html.escape(section.title)}</a></li>'
            for section in self.sections
        )
        return f"<ul>{''.join(lines)}</ul>"

    def titled_links(self) -> str:
        title = html.escape(f"{self.run.name}: {self.run.title}")
        return f'<strong><a href="#{self.place.prefix}part">{title}</a></strong>{self.links()}'

    def figures(self) -> dict[str, Figure]:
        return {self.place.prefix + plot.name: plot.figure for plot in plots(self.sections)}


def _part(run: RunData, prefix: str) -> _Part:
    found = results(run)
    return _Part(
        run,
        Place(prefix, "h3" if prefix else "h2", run.folder),
        [*found, agents(run), origin(run), contents(run, found)],
    )
