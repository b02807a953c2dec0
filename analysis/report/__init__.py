"""The report: sections of tables and figures from one run or several, on one HTML page, and the tables as files.

A section is a function that returns a `content.Section`; a table is a frame with its `columns`; a figure is what the
modules `plot_...` make of a frame. What is counted from the rows alone stands in `build.RESULTS`; the rest is given as
`RunData.extra`.
"""

from duelbench.analysis.report.build import report_html, results, write_report
from duelbench.analysis.report.content import Plot, Section, Table, tables
from duelbench.analysis.report.data import RunData
from duelbench.analysis.report.stored import stored_sections

__all__ = [
    "Plot",
    "RunData",
    "Section",
    "Table",
    "report_html",
    "results",
    "stored_sections",
    "tables",
    "write_report",
]
