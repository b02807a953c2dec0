"""What was found, in sentences."""

from collections.abc import Sequence

from duelbench.analysis.report.content import Points, Section

TITLE = "Findings"


def findings(sentences: Sequence[str]) -> Section | None:
    """Sentences with their numbers, as the caller words them; None without any."""
    return Section(TITLE, (Points(tuple(sentences)),)) if sentences else None
