"""The beginning of a run's part: what was played, and what a reader must know first."""

from duelbench.analysis.report.content import Block, Words
from duelbench.analysis.report.data import RunData, number_of_games
from duelbench.experiments.estimates import LEVEL, counted


def head(run: RunData) -> tuple[Block, ...]:
    notice = [run.game.notice] if run.game and run.game.notice else []
    warnings = [Words(note, "warn") for note in (*notice, *run.summary.notes)]
    return (Words(f"Run {run.name}", "soft"), Words(_lead(run), "lead"), *warnings)


def _lead(run: RunData) -> str:
    summary, rows = run.summary, run.base
    agents = len(set(rows["seat0"]) | set(rows["seat1"]))
    decks = [counted(summary.decks["deck"].nunique(), "deck")] if len(summary.decks) else []
    pairs, deals = len(summary.seats) - 1, int(summary.seats["deals"].iloc[0])
    games = f"{number_of_games(rows)} games"
    parts = [counted(agents, "agent"), *decks, counted(pairs, "matchup"), counted(deals, "deal"), games]
    variants = _variants_told(run)
    return (
        f"{', '.join(parts)}{variants}. {_games_of_a_deal(run, deals)} Each interval holds the true value in "
        f"{LEVEL:.0%} of such runs."
    )


def _games_of_a_deal(run: RunData, deals: int) -> str:
    if number_of_games(run.base) == deals:
        return "Every deal was played once, by an agent against itself; the deal is the unit of every interval."
    return (
        f"Every deal was played twice with the {run.swapped} swapped; it is the unit of every interval, as its two "
        "games are not independent."
    )


def _variants_told(run: RunData) -> str:
    others = len(run.summary.variants)
    if not others:
        return ""
    return f" of the game as configured, and the same deals in {counted(others, 'other variant')} of it"
