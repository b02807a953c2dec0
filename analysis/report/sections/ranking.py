"""Ratings of the agents."""

import pandas as pd

from duelbench.analysis.ratings import MEAN_RATING, PRIOR_DRAWS, RESAMPLES
from duelbench.analysis.report.columns import (
    DEALS_HELP,
    INTERVAL,
    RATING,
    Column,
    Line,
    count,
    interval,
    number,
    text,
    told,
)
from duelbench.analysis.report.content import Plot, Section, Table, Words
from duelbench.analysis.report.data import RunData, told_games
from duelbench.analysis.report.plot_dots import dots

AS_CONFIGURED = "as configured"

METHOD = (
    "Bradley–Terry by maximum likelihood on the Elo scale: 400 points are odds of 10 to 1, the mean is "
    f"{MEAN_RATING:.0f}, a draw is half a win. Intervals: {RESAMPLES} bootstrap resamples of the deals of each "
    f"matchup. Every pair that met has {PRIOR_DRAWS:g} made-up drawn game, which keeps ratings finite."
)


def ranking(run: RunData) -> Section | None:
    summary = run.summary
    if not len(summary.payoffs):
        return None
    if not len(summary.ratings):
        return Section("Ranking", (Words(summary.notes[0], "warn"),))
    behind = run.rated
    columns = (
        count("rank", "#", "Place by rating."),
        text("agent", help="Name of the agent in the config.", label=True),
        number("rating", help="Bradley–Terry rating on the Elo scale.", unit=RATING),
        interval(RATING),
        count("deals", "deals", DEALS_HELP),
        told("won – drawn – lost", "Games; it sorts by those won.", record, "wins"),
    )
    unrated = [Words(f"{agent}: none, as it sees the hidden cards", "soft") for agent in summary.unrated]
    figure = dots(summary.ratings, "agent", "rating", "rating (Elo scale)", RATING)
    return Section(
        "Ranking",
        (
            Plot("ratings", f"Ratings of the agents with their {INTERVAL}s", figure, behind),
            Table("ratings", "Ratings", summary.ratings, columns, behind),
            *unrated,
            *_by_variant(run, columns),
            Words(METHOD, "soft"),
        ),
    )


def _by_variant(run: RunData, columns: tuple[Column, ...]) -> tuple[Table, ...]:
    """The ratings in every variant of the game, if there are several; they are comparable within a variant only."""
    parts = {AS_CONFIGURED: run.summary, **run.summary.variants}
    if len(parts) == 1:
        return ()
    frame = pd.concat([part.ratings.assign(variant=variant) for variant, part in parts.items() if len(part.ratings)])
    variant = text("variant", help="What is changed about the game; ratings compare within a variant only.")
    title = "Ratings in every variant of the game"
    return (Table("ratings_by_variant", title, frame, (variant, *columns), told_games(run.rows), True, "ratings"),)


def record(line: Line) -> str:
    """Games won, drawn and lost."""
    return f"{line['wins']} – {line['draws']} – {line['losses']}"
