"""Ratings of the agents."""

from duelbench.analysis.ratings import MEAN_RATING, PRIOR_DRAWS, RESAMPLES
from duelbench.analysis.report.columns import DEALS_HELP, INTERVAL, RATING, Line, count, interval, number, text, told
from duelbench.analysis.report.content import Plot, Section, Table, Words
from duelbench.analysis.report.data import RunData
from duelbench.analysis.report.plots import dots

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
    behind = run.games_where(~(run.rows["seat0"].isin(summary.unrated) | run.rows["seat1"].isin(summary.unrated)))
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
            Words(METHOD, "soft"),
        ),
    )


def record(line: Line) -> str:
    """Games won, drawn and lost."""
    return f"{line['wins']} – {line['draws']} – {line['losses']}"
