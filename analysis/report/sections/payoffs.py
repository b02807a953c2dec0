"""Who beats whom: the payoff matrix."""

from duelbench.analysis.payoffs import payoff_matrix
from duelbench.analysis.report.columns import PERCENT, deals, interval, number, text, told
from duelbench.analysis.report.content import Plot, Section, Table, Words
from duelbench.analysis.report.data import RunData, told_games
from duelbench.analysis.report.plot_shares import heat_map, heat_map_width
from duelbench.analysis.report.sections.ranking import record
from duelbench.experiments.estimates import MIN_DEALS

WORDS = (
    "Points of the row's agent against the column's, in percent (a draw is half a point), above the 95% interval: "
    f"Wilson's, at the effective number of games that the deals are worth. Below {MIN_DEALS} deals there is none."
)


def payoffs(run: RunData) -> Section | None:
    summary = run.summary
    if not len(summary.payoffs):
        return None
    agents = summary.agents
    place = {agent: i for i, agent in enumerate(agents)}
    ordered = summary.payoffs.sort_values(["agent", "opponent"], key=lambda names: names.map(place))
    squares = (payoff_matrix(summary.payoffs, agents, c) for c in ("score", "low", "high"))
    behind = told_games(run.meetings)
    columns = (
        text("agent", help="The agent whose points these are.", label=True),
        text("opponent", "against", "The agent it met."),
        number("score", "score", "Share of the points that the agent took.", PERCENT),
        interval(),
        deals(),
        told("won – drawn – lost", "Games of the agent; it sorts by those won.", record, "wins"),
    )
    figure = heat_map(agents, agents, *squares)
    return Section(
        "Who beats whom",
        (
            Words(WORDS),
            Plot("payoffs", "Payoff matrix, in percent of the points", figure, behind, heat_map_width(len(agents))),
            Table("payoffs", "All matchups as a table", ordered, columns, behind, folded=True),
        ),
    )
