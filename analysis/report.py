"""A run's report: one HTML file that explains itself and needs nothing from the network."""

import math
from pathlib import Path
from typing import Any

import pandas as pd
import yaml
from plotly.offline import get_plotlyjs

from duelbench.analysis import figures
from duelbench.analysis.decks import DecksOfAgent, beaten, by_agent, compares_decks, deals_a_pair, how_compared
from duelbench.analysis.ratings import MEAN_RATING, PRIOR_DRAWS, RESAMPLES
from duelbench.analysis.report_page import element, facts, folded, page, paragraph, plot, section, table
from duelbench.analysis.summary import Summary
from duelbench.envs.document import read_document
from duelbench.envs.game import Game
from duelbench.envs.registry import game_names, load_game
from duelbench.experiments.atomic import write_bytes
from duelbench.experiments.estimates import LEVEL, MIN_DEALS, counted
from duelbench.experiments.folder import read_json

Data = dict[str, Any]
"""What is read from YAML and JSON."""


def write_report(folder: Path, rows: pd.DataFrame, summary: Summary) -> Path:
    """Write report.html into the run folder, whole or not at all; returns its path."""
    config = read_document(folder / "config.yaml").data
    manifest = read_json(folder / "manifest.json")
    path = folder / "report.html"
    write_bytes(path, report_html(config, manifest, rows, summary, str(folder)).encode())
    return path


def report_html(config: Data, manifest: Data, rows: pd.DataFrame, summary: Summary, run: str) -> str:
    """The report as one self-contained document; the same run gives the same bytes. `run` is how commands name it."""
    game = load_game(config["game"]) if config["game"] in game_names() else None
    drawn = {"lengths": figures.lengths_figure(rows["decisions"]), "seats": figures.seats_figure(summary.seats)}
    if len(summary.payoffs):
        drawn["payoffs"] = figures.payoffs_figure(summary)
    if len(summary.ratings):
        drawn["ratings"] = figures.ratings_figure(summary.ratings)
    compared = by_agent(summary.decks, summary.deck_matrix)
    for i, (_, ranking, matrix) in enumerate(compared):
        drawn[f"decks-{i}"] = figures.decks_figure(matrix, list(ranking["deck"]))
    body = "\n".join(
        [
            _head(config, game, rows, summary),
            *([_ranking(summary), _payoffs(summary)] if len(summary.payoffs) else []),
            _decks(config, compared, summary.deck_notes) if compared else "",
            _seats(summary),
            _lengths(summary),
            _endings(summary),
            _agents(config),
            _origin(config, manifest, game, run),
        ]
    )
    return page(f"{config['name']}: {_title(config, game)}", body, drawn, get_plotlyjs())


def _title(config: Data, game: Game | None) -> str:
    return f"{game.title}（{game.title_ja}）" if game else str(config["game"])


def _head(config: Data, game: Game | None, rows: pd.DataFrame, summary: Summary) -> str:
    agents = len(set(rows["seat0"]) | set(rows["seat1"]))
    decks = [counted(summary.decks["deck"].nunique(), "deck")] if len(summary.decks) else []
    pairs, deals = len(summary.seats) - 1, int(summary.seats["deals"].iloc[0])
    parts = [counted(agents, "agent"), *decks, counted(pairs, "matchup"), counted(deals, "deal"), f"{len(rows)} games"]
    lead = (
        f"{', '.join(parts)}. Every deal was played twice with the {_swapped(rows)} swapped. Each interval "
        f"holds the true value in {LEVEL:.0%} of such runs; its unit is the deal, as the two games of a deal are not "
        "independent."
    )
    notice = [game.notice] if game and game.notice else []
    notes = [paragraph(note, "warn") for note in (*notice, *summary.notes)]
    heading = element("h1", _title(config, game))
    return "\n".join([heading, paragraph(f"Run {config['name']}", "soft"), paragraph(lead), *notes])


def _swapped(rows: pd.DataFrame) -> str:
    mirror = compares_decks(rows)
    if not mirror.any():
        return "seats"
    return "decks" if mirror.all() else "seats (where an agent met itself, the decks)"


def _ranking(summary: Summary) -> str:
    if not len(summary.ratings):
        return section("Ranking", paragraph(summary.notes[0], "warn"))
    columns = ["", "agent", "rating", "95% interval", "deals", "won – drawn – lost"]
    lines = [
        (r.rank, r.agent, f"{r.rating:.0f}", f"{r.low:.0f} – {r.high:.0f}", r.deals, record(r))
        for r in summary.ratings.itertuples()
    ]
    lines += [("–", agent, "none", "sees the hidden cards", "", "") for agent in summary.unrated]
    method = (
        f"Bradley–Terry by maximum likelihood on the Elo scale: 400 points are odds of 10 to 1, the mean is "
        f"{MEAN_RATING:.0f}, a draw is half a win. Intervals: {RESAMPLES} bootstrap resamples of the deals of each "
        f"matchup. Every pair that met has {PRIOR_DRAWS:g} made-up drawn game, which keeps ratings finite."
    )
    picture = plot("ratings", "Ratings of the agents with 95% intervals; the table below has the numbers")
    return section("Ranking", picture, table(columns, lines, 2), paragraph(method, "soft"))


def _payoffs(summary: Summary) -> str:
    columns = ["agent", "against", "score", "95% interval", "deals", "won – drawn – lost"]
    place = {agent: i for i, agent in enumerate(summary.agents)}
    ordered = summary.payoffs.sort_values(["agent", "opponent"], key=lambda names: names.map(place))
    lines = [(r.agent, r.opponent, percent(r.score), interval(r), r.deals, record(r)) for r in ordered.itertuples()]
    words = (
        "Points of the row's agent against the column's, in percent (a draw is half a point), above the 95% interval: "
        f"Wilson's, at the effective number of games that the deals are worth. Below {MIN_DEALS} deals there is none."
    )
    picture = plot("payoffs", "Payoff matrix; the table below has the numbers", 85 * len(summary.agents) + 90)
    listing = folded("All matchups as a table", table(columns, lines, 2))
    return section("Who beats whom", paragraph(words), picture, listing)


def _decks(config: Data, compared: list[DecksOfAgent], notes: tuple[str, ...]) -> str:
    plans = {name: deck.get("plan") or "" for name, deck in config["decks"].items()}
    words = (
        "Points of the row's deck against the column's, in percent, above the 95% interval; the best deck comes first. "
        "The share in the table is the mean over all deals against other decks; a deck beats another that it takes "
        "more than half of the points from, and surely so where the whole interval is above 50%."
    )
    parts = [paragraph(words), *(paragraph(note, "warn") for note in notes)]
    for i, (agent, ranking, matrix) in enumerate(compared):
        parts += _decks_of(agent, ranking, matrix, plans, f"decks-{i}")
    return section("Decks", *parts)


def _decks_of(
    agent: str, ranking: pd.DataFrame, matrix: pd.DataFrame, plans: dict[str, str], identifier: str
) -> list[str]:
    place = {deck: i for i, deck in enumerate(ranking["deck"])}
    ordered = matrix.sort_values(["deck", "against"], key=lambda names: names.map(place))
    pairs = [(r.deck, r.against, percent(r.share), interval(r), r.deals) for r in ordered.itertuples()]
    lines = [
        (r.rank, r.deck, plans.get(r.deck, ""), percent(r.share), interval(r), beaten(r), r.deals)
        for r in ranking.itertuples()
    ]
    return [
        paragraph(f"Compared here: {how_compared(agent)}; {deals_a_pair(ranking, matrix)} a pair."),
        plot(identifier, "Deck against deck; the tables below have the numbers", 85 * len(place) + 90),
        table(["", "deck", "plan", "share", "95% interval", "beats", "deals"], lines, 3, "decks"),
        folded("All pairs of decks as a table", table(["deck", "against", "share", "95% interval", "deals"], pairs, 2)),
    ]


def _seats(summary: Summary) -> str:
    lines = [(r.matchup, percent(r.share), interval(r), r.deals) for r in summary.seats.itertuples()]
    words = (
        "Points that seat 0 (player_0) scored, whoever sat there. Both sides of a deal sit there once, so 50% is no "
        "advantage."
    )
    picture = plot("seats", "Share of points for seat 0 by matchup; the table below has the numbers")
    listing = table(["matchup", "share", "95% interval", "deals"], lines)
    return section("Seat advantage", paragraph(words), picture, listing)


def _lengths(summary: Summary) -> str:
    columns = ["matchup", "mean", "95% interval", "shortest", "median", "longest", "deals"]
    lines = [
        (r.matchup, f"{r.mean:.1f}", interval(r, 1.0, ""), r.shortest, f"{r.median:g}", r.longest, r.deals)
        for r in summary.lengths.itertuples()
    ]
    words = "Decisions of both seats in a game; the interval is of the mean."
    picture = plot("lengths", "Histogram of decisions in a game; the table below has the numbers")
    return section("Game lengths", paragraph(words), picture, table(columns, lines))


def _endings(summary: Summary) -> str:
    lines = [(r.reason, r.games, percent(r.share), interval(r), r.deals) for r in summary.endings.itertuples()]
    drawn = summary.drawn
    words = f"Drawn games: {percent(drawn.value)} ({interval(drawn)}; {counted(drawn.deals, 'deal')})."
    columns = ["reason", "games", "share", "95% interval", "deals"]
    return section("How games ended", paragraph(words), table(columns, lines))


def _agents(config: Data) -> str:
    lines = [(name, _inline(agent)) for name, agent in config["agents"].items()]
    trained = [(name, _inline(settings)) for name, settings in (config.get("train") or {}).items()]
    parts = [facts(lines), paragraph("Trained within the run:"), facts(trained)] if trained else [facts(lines)]
    return section("Agents", *parts)


def _origin(config: Data, manifest: Data, game: Game | None, run: str) -> str:
    """What the run was made from, and how to make, check and read it again."""
    meanings = {option.name: option.meaning for option in game.options} if game else {}
    rules = [
        (name, f"{_inline(value)}  ({meanings[name]})" if name in meanings else _inline(value))
        for name, value in (config.get("rules") or {}).items()
    ]
    commands = f"duelbench run {run}/config.yaml --runs again\nduelbench verify {run}\nduelbench replay {run} --game 0"
    settings = yaml.safe_dump(config, sort_keys=False, allow_unicode=True)
    return section(
        "Rules and origin",
        facts(rules) if rules else "",
        facts([(name.replace("_", " "), _inline(value)) for name, value in manifest.items()]),
        paragraph("Play the same games again, check every one of them, or read one:"),
        element("pre", commands),
        folded("The whole config", element("pre", settings)),
    )


def _inline(value: Any) -> str:
    """Plain data on one line."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_inline(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return " ".join(map(_inline, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def record(line: Any) -> str:
    """Games won, drawn and lost."""
    return f"{line.wins} – {line.draws} – {line.losses}"


def percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{100 * share:.1f}%"


def interval(line: Any, scale: float = 100.0, unit: str = "%") -> str:
    """`low – high` of a line that has both (or an Estimate), or why there is none."""
    if line.note:
        return str(line.note)
    return f"{scale * line.low:.1f} – {scale * line.high:.1f}{unit}"
