"""What holds for the games whoever plays: the advantage of a seat, their lengths and how they end."""

from duelbench.analysis.report.columns import (
    CHANCE,
    PERCENT,
    PLAIN,
    Unit,
    count,
    deals,
    interval,
    interval_text,
    number,
    text,
)
from duelbench.analysis.report.content import Plot, Section, Table, Words
from duelbench.analysis.report.data import RunData
from duelbench.analysis.report.plot_dots import dots
from duelbench.analysis.report.plot_shares import histogram
from duelbench.experiments.estimates import counted

MATCHUP = text("matchup", help="The two agents that met, or all games.", label=True)


def seats(run: RunData) -> Section:
    words = (
        "Points that seat 0 (player_0) scored, whoever sat there. Both sides of a deal sit there once, so 50% is no "
        "advantage."
    )
    table = run.summary.seats
    share = number("share", help="Share of the points that seat 0 took.", unit=PERCENT)
    q = number("adjusted_p", "q", "Exact two-sided p-value of even seats, adjusted for the matchups.", CHANCE)
    figure = dots(table, "matchup", "share", "points of seat 0", PERCENT, reference=0.5)
    return Section(
        "Seat advantage",
        (
            Words(words),
            Plot("seats", "Share of points for seat 0 by matchup", figure, run.games),
            Table("seats", "Seat 0", table, (MATCHUP, share, interval(), q, deals()), run.games),
        ),
    )


def lengths(run: RunData) -> Section:
    columns = (
        MATCHUP,
        number("mean", help="Decisions of both seats in a game, on average.", unit=PLAIN),
        interval(PLAIN),
        count("shortest", help="Fewest decisions in a game."),
        number("median", help="As many games had fewer decisions as had more.", unit=Unit(1, 1)),
        count("longest", help="Most decisions in a game."),
        deals(),
    )
    figure = histogram(run.summary.decisions, "decisions", "games")
    return Section(
        "Game lengths",
        (
            Words("Decisions of both seats in a game; the interval is of the mean."),
            Plot("lengths", "How many games took how many decisions", figure, run.games),
            Table("lengths", "Lengths by matchup", run.summary.lengths, columns, run.games),
        ),
    )


def endings(run: RunData) -> Section:
    drawn = run.summary.drawn
    line = {"low": drawn.low, "high": drawn.high, "note": drawn.note}
    words = f"Drawn games: {PERCENT.text(drawn.value)} ({interval_text(line)}; {counted(drawn.deals, 'deal')})."
    columns = (
        text("reason", help="Why the game ended.", label=True),
        count("games", help="Games that ended so."),
        number("share", help="Share of all games.", unit=PERCENT),
        interval(),
        deals(),
    )
    draws = (MATCHUP, number("share", help="Share of the games that nobody won.", unit=PERCENT), interval(), deals())
    return Section(
        "How games ended",
        (
            Words(words),
            Table("endings", "Reasons", run.summary.endings, columns, run.games),
            Table("draws", "Drawn games by matchup", run.summary.draws, draws, run.games, folded=True),
        ),
    )
