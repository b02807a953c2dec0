"""From rows to answers: payoffs, ratings, reports, and the command line on top."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duelbench.analysis.api import Run


def open_run(folder: str | Path) -> "Run":
    """The results of the run in `folder` for pandas, as `duelbench.analysis.api.Run` describes them.

    Raises BadInput where it is not a run folder.
    """
    from duelbench.analysis.api import Run  # pandas and numba take a second, which help and other commands do not have

    return Run(folder)
