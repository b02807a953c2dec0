"""Everything a run's rows say, as tables: payoffs, ratings and what follows from them, decks, seats, endings.

A run may play its deals in several variants of the game. Tables are of one variant each: those of the summary itself
are of the game as the config has it (where it is not played, of the variant that comes first), and every other
variant has a summary of its own within it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from duelbench.analysis import decks as dk
from duelbench.analysis import intransitivity as circles
from duelbench.analysis import nash as na
from duelbench.analysis import payoffs as pay
from duelbench.analysis import ratings as rate
from duelbench.analysis import superiority as sup
from duelbench.analysis.deal_kinds import COUNT, kinds_of_deals
from duelbench.analysis.descriptive import draws, endings, game_lengths, per_deal, seat_advantage
from duelbench.analysis.game_results import Results, results_of
from duelbench.analysis.resamples import resampled
from duelbench.analysis.table_files import FOLDER, csv_text, write_table
from duelbench.analysis.variants import EFFECT_COLUMNS, variant_effects
from duelbench.experiments.atomic import remove_leftovers, write_bytes
from duelbench.experiments.estimates import Estimate, interval_of_share
from duelbench.experiments.variants import AS_CONFIGURED

RATING_COLUMNS = ["rank", "agent", "rating", "low", "high", "deals", "games", "wins", "draws", "losses"]

TABLES = [
    "payoffs", "ratings", "superiority", "nash", "decomposition", "cycles", "seats", "lengths", "endings", "draws",
    "decks", "deck_matrix",
]  # fmt: skip
"""The tables that are written for every variant, each into a file of its name."""

_SEES = "sees the hidden cards: a yardstick, which has no rating"
_NO_AGENTS_MET = "no ratings: agents met only themselves, which compares decks and not agents"


@dataclass(frozen=True)
class Summary:
    """The tables of one run. `notes` are the refusals and cautions a reader must see beside them."""

    deals: pd.DataFrame
    """`payoffs.deal_table` of the kinds of deals"""
    payoffs: pd.DataFrame
    """`payoffs.payoffs`"""
    ratings: pd.DataFrame
    """`ratings.ratings`; without lines where ratings are refused"""
    notes: tuple[str, ...]
    """on the ratings and the agents without"""
    superiority: pd.DataFrame
    """`superiority.superiority` of the rated agents"""
    superiority_notes: tuple[str, ...]
    nash: pd.DataFrame
    """`nash.nash` of the rated agents; without lines where it is refused"""
    nash_notes: tuple[str, ...]
    decomposition: pd.DataFrame
    """`intransitivity.Intransitivity.decomposition` of the rated agents; without a line where it is refused"""
    cycles: pd.DataFrame
    """`intransitivity.Intransitivity.cycles`"""
    intransitivity_notes: tuple[str, ...]
    seats: pd.DataFrame
    """share of points for seat 0: `descriptive.seat_advantage`"""
    lengths: pd.DataFrame
    """decisions a game: `descriptive.game_lengths`"""
    decisions: pd.Series
    """int64, by number of decisions: how many games took so many"""
    endings: pd.DataFrame
    """how games ended: `descriptive.endings`"""
    draws: pd.DataFrame
    """share of games drawn: `descriptive.draws`"""
    drawn: Estimate
    """share of all games drawn"""
    decks: pd.DataFrame
    """`decks.deck_ranking`; without lines, as the next, in a run without named decks"""
    deck_matrix: pd.DataFrame
    """`decks.deck_matrix`"""
    deck_notes: tuple[str, ...]
    """what a reader must see beside the tables of decks"""
    unrated: tuple[str, ...] = ()
    """agents that see everything, by name: they are in no table of the rated agents"""
    variant: str = AS_CONFIGURED
    """the variant of the game that the tables are of"""
    variants: Mapping[str, "Summary"] = field(default_factory=dict)
    """the other variants of the game by name, each with tables of its own"""
    effects: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=EFFECT_COLUMNS))
    """`variants.variant_effects`: what the other variants change against the one of the tables"""

    @property
    def agents(self) -> list[str]:
        """Best first where there are ratings, and then those without; else by name."""
        return [*self.ratings["agent"], *sorted(set(self.payoffs["agent"]) - set(self.ratings["agent"]))]


def summarise(
    played: Results | pd.DataFrame, decks: Iterable[str] | None = None, open_to: Iterable[str] = ()
) -> Summary:
    """The tables for a run's results, or for its rows (`experiments.rows.read_rows`), in whatever order these come.

    `decks` are the names of the run's decks, as some may not have been played; None: those in the rows. `open_to` are
    the agents that the hidden cards were open to, which have no ratings.
    """
    decks, open_to = None if decks is None else list(decks), list(open_to)
    results = played if isinstance(played, Results) else results_of(played)
    base, *others = pay.variants_of(results.rows)
    whole = _summary_of(results.of([base]), base, decks, open_to)
    if not others:
        return whole
    variants = {variant: _summary_of(results.of([variant]), variant, decks, open_to) for variant in others}
    return replace(whole, variants=variants, effects=variant_effects(results.rows, base))


def _summary_of(results: Results, variant: str, decks: list[str] | None, open_to: list[str]) -> Summary:
    rows = kinds_of_deals(results.rows)
    deals = pay.deal_table(rows)
    ranking, matrix = dk.deck_ranking(rows, decks), dk.deck_matrix(rows)
    unrated = sorted(set(open_to) & (set(deals["first"]) | set(deals["second"])))
    rated = rate.rated(deals, unrated)
    refused = _NO_AGENTS_MET if deals.empty and len(matrix) else rate.refusal(rated)
    notes = [refused or rate.separation(rated), *(f"{agent} {_SEES}" for agent in unrated)]
    return Summary(
        deals=deals,
        payoffs=pay.payoffs(deals),
        notes=tuple(note for note in notes if note),
        **_of_rated(rated, refused),
        seats=seat_advantage(rows),
        lengths=game_lengths(results.lengths, results.decisions),
        decisions=results.decisions.groupby("decisions")[COUNT].sum(),
        endings=endings(rows),
        draws=draws(rows),
        drawn=interval_of_share(*per_deal(rows, rows["winner"] == -1)),
        decks=ranking,
        deck_matrix=matrix,
        deck_notes=tuple(dk.deck_notes(ranking, matrix)),
        unrated=tuple(unrated),
        variant=variant,
    )


def _of_rated(rated: pd.DataFrame, refused: str) -> dict[str, Any]:
    """What is said of the rated agents, from one bootstrap: ratings, superiority, Nash averaging, circles."""
    found: dict[str, Any] = {
        "ratings": pd.DataFrame(columns=RATING_COLUMNS),
        "superiority": pd.DataFrame(columns=sup.SUPERIORITY_COLUMNS),
        "superiority_notes": _notes(sup.refusal(rated, bool(refused))),
        "nash": pd.DataFrame(columns=na.NASH_COLUMNS),
        "nash_notes": _notes(na.refusal(rated)),
        "decomposition": pd.DataFrame(columns=circles.DECOMPOSITION_COLUMNS),
        "cycles": pd.DataFrame(columns=circles.CYCLE_COLUMNS),
        "intransitivity_notes": _notes(circles.refusal(rated)),
    }
    if rated.empty:
        return found
    agents = resampled(rated)
    spread = None if refused else rate.resampled_ratings(agents)
    found["superiority"] = sup.superiority(agents, spread)
    if spread is not None:
        found["ratings"] = rate.rating_table(rated, agents, spread)
    if not found["nash_notes"]:
        found["nash"] = na.nash(agents)
    if not found["intransitivity_notes"]:
        ratings = found["ratings"].set_index("agent")["rating"].reindex(agents.agents).to_numpy()
        split = circles.intransitivity(agents, ratings, found["superiority"])
        found |= {"decomposition": split.decomposition, "cycles": split.cycles}
    return found


def _notes(note: str) -> tuple[str, ...]:
    return (note,) if note else ()


def write_tables(folder: Path, summary: Summary) -> list[Path]:
    """Write the tables into the run folder, each file whole or not at all; returns their paths.

    payoffs.csv and ratings.csv, and with named decks decks.csv and deck_matrix.csv, are of the variant of the
    summary. Under tables/ all tables are as CSV and as Parquet, with the variant of the game in their first column.
    """
    files = {"payoffs.csv": summary.payoffs, "ratings.csv": summary.ratings}
    if len(summary.decks):
        files |= {"decks.csv": summary.decks, "deck_matrix.csv": summary.deck_matrix}
    for name, table in files.items():
        write_bytes(folder / name, csv_text(table).encode())
    remove_leftovers(folder / FOLDER)
    return [*(folder / name for name in files), *_write_all(folder, summary)]


def _write_all(folder: Path, summary: Summary) -> list[Path]:
    written = []
    every = {summary.variant: summary, **summary.variants}
    for name in TABLES:
        parts = {variant: getattr(one, name) for variant, one in every.items()}
        filled = {variant: part for variant, part in parts.items() if len(part)} or {
            summary.variant: parts[summary.variant]
        }
        table = pd.concat([part.assign(variant=variant) for variant, part in filled.items()], ignore_index=True)
        table.insert(0, "variant", table.pop("variant"))
        written += write_table(folder, name, table)
    return [*written, *write_table(folder, "effects", summary.effects)]
