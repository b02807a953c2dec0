"""The columns of the table of cards: which measures they divide, what their intervals are, and how they mislead."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from duelbench.analysis.card_moments import CardMoments
from duelbench.analysis.ratios import (
    DifferenceSums,
    Intervals,
    RatioSums,
    difference_interval,
    mean_interval,
    share_interval,
)
from duelbench.analysis.significance import FDR, adjusted
from duelbench.envs.card_counts import use_of
from duelbench.envs.game import Game


class Ratio(NamedTuple):
    """A column that divides the sums of two measures."""

    column: str
    top: str
    bottom: str
    unit: float = 1.0
    """What the ratio is multiplied by: points are counted in half wins."""
    share: bool = True
    """It lies in [0, 1] and has Wilson's interval; else Student's."""


_WIN_RATES = (
    Ratio("opening_wr", "dealt_points", "dealt", 0.5),
    Ratio("gih_wr", "seen_points", "seen", 0.5),
    Ratio("gns_wr", "unseen_points", "unseen", 0.5),
)
_DECK_WR = Ratio("deck_wr", "copies_points", "copies", 0.5)
_USES = (
    Ratio("seen_share", "seen", "copies"),
    Ratio("played_rate", "played", "came"),
    Ratio("played_wr", "played_points", "sides_played", 0.5),
    Ratio("first_turn", "first_turn", "sides_played", share=False),
    Ratio("ahead_share", "ahead", "plays"),
    Ratio("level_share", "level", "plays"),
    Ratio("behind_share", "behind", "plays"),
    Ratio("fired_rate", "fired", "plays", share=False),
    Ratio("negated_rate", "negated", "plays"),
    Ratio("wasted_rate", "wasted", "plays"),
    Ratio("won_rate", "won", "plays"),
)
_IWD = ("seen_points", "seen", "unseen_points", "unseen")
COUNTS = ("copies", "dealt", "drawn", "taken", "seen", "unseen", "plays")
EFFECTS = ("fired", "negated", "wasted", "won")

BIASES = {
    "opening_wr": "Win rate of copies in the opening hand: nobody has chosen yet, so it is the least biased of the "
    "win rates, but it has the fewest copies and is noisy. It tells of a card as these agents use it.",
    "gih_wr": "Win rate of copies in hand at any time (opening hand or drawn): long games see more cards, so cards "
    "that are good when games are long look better; and who lives longer or draws more sees more of them.",
    "gns_wr": "Win rate of copies that were never in hand: such games are shorter than others, so whatever wins "
    "quickly raises it for every card.",
    "iwd": "In-hand minus never-seen win rate: it takes out how good deck and player are as a whole, but not that long "
    "and short games differ, nor that survivors draw more, and cards that draw cards are favoured. Compare cards with "
    "each other rather than with 0. Of the lines that are flagged, at most 5% are expected to be so by chance.",
    "deck_wr": "Win rate of copies in the deck: it is mostly about the rest of the deck and the agent that plays it; "
    "with random decks it is clean, but weak.",
    "played_wr": "Win rate of games in which the card was played (in that way): cards that are played when one is "
    "winning look good, and those that one falls back on look bad, whatever they do.",
    "played_rate": "Copies played of those that came into the hand: low where games end first, and where agents do not "
    "know what a card is good for.",
    "seen_share": "Copies seen of those in the deck: it grows with the length of games and with drawing, not with "
    "strength.",
    "first_turn": "Mean turn of the first play, of the games that had one: games that ended before do not count, which "
    "pulls it down.",
    "ahead_share": "Plays by how their player stood (ahead, level, behind): it tells when a card is wanted, not what "
    "it brings about; strong players are ahead more often.",
    "fired_rate": "Effects that acted, were cancelled, acted in vain, and contests won, each per play: several may "
    "come from one play. They tell what happened, not what it was worth.",
    "agents": "All numbers are about these agents: a card that they misplay looks weak. Where an agent meets itself, "
    "what one seat wins the other loses, so averages over all cards are near 50% whatever the cards are.",
}
"""By column, or the first column of a family, what is known to mislead in it; `agents` is about them all."""


def ratios_of(game: Game) -> tuple[Ratio, ...]:
    """The ratios of a game's table, in order; `deck_wr` only where seats bring decks."""
    ways = [Ratio(f"{way}_wr", f"{way}_points", f"{way}_sides", 0.5) for way in _named_ways(game)]
    return (*_WIN_RATES, *([_DECK_WR] if game.deck_rules is not None else []), *_USES, *ways)


def _named_ways(game: Game) -> tuple[str, ...]:
    """The ways that have columns of their own: all where there are several."""
    ways = use_of(game).ways
    return ways if len(ways) > 1 else ()


def pairs_of(game: Game) -> list[tuple[str, str]]:
    """The pairs of measures whose products the intervals of a game's table need."""
    pairs = [p for r in ratios_of(game) for p in ((r.top, r.top), (r.top, r.bottom), (r.bottom, r.bottom))]
    return pairs + [(one, other) for one in _IWD[:2] for other in _IWD[2:]]


def columns_of(game: Game) -> list[str]:
    """The columns of the table."""
    ratios = [f"{r.column}{end}" for r in ratios_of(game) for end in ("", "_low", "_high", "_games", "_deals")]
    iwd = [f"iwd{end}" for end in ("", "_low", "_high", "_deals", "_p", "_q", "_flag")]
    counts = [*COUNTS, *(f"{way}_plays" for way in _named_ways(game)), *EFFECTS]
    return ["agent", "variant", "card", "name", "name_ja", "games", "deals", *counts, *iwd, *ratios]


def table_of_moments(moments: CardMoments) -> pd.DataFrame:
    """One line for each group (agent, variant) and card that it could have had, sorted, with `columns_of` the game.

    `iwd_q` are the p-values adjusted over all lines (`significance.adjusted`); `iwd_flag` says where that is below FDR.
    """
    parts = [_lines(moments, key, group) for key, group in sorted(moments.groups.items())]
    columns = columns_of(moments.game)
    if not parts:
        return pd.DataFrame(columns=columns)
    table = pd.concat(parts, ignore_index=True)
    table["iwd_q"] = adjusted(table["iwd_p"].to_numpy())
    table["iwd_flag"] = table["iwd_q"] < FDR
    return table[columns]


def _lines(moments: CardMoments, key: tuple[str, ...], group: int) -> pd.DataFrame:
    game, total, at = moments.game, moments.total, moments.measures
    data: dict[str, object] = dict(zip(("agent", "variant"), key, strict=True))
    data |= {"card": game.card_ids, "name": game.card_names, "name_ja": game.card_names_ja}
    data |= {"games": total.games[group, :, at["copies"]], "deals": total.deals[group, :, at["copies"]]}
    counts = (*COUNTS, *(f"{way}_plays" for way in _named_ways(game)), *EFFECTS)
    data |= {name: total.sums[group, :, at[name]] for name in counts}
    for ratio in ratios_of(game):
        data |= _columns_of_ratio(moments, group, ratio)
    data |= _columns_of_iwd(moments, group)
    table = pd.DataFrame(data)
    return table[table["games"] > 0]


def _columns_of_ratio(moments: CardMoments, group: int, ratio: Ratio) -> dict[str, object]:
    sums = _ratio_sums(moments, group, ratio.top, ratio.bottom, ratio.unit)
    made = share_interval(sums) if ratio.share else mean_interval(sums)
    games = moments.total.games[group, :, moments.measures[ratio.bottom]]
    tail = {f"{ratio.column}_games": games, f"{ratio.column}_deals": sums.deals.astype(np.int64)}
    return _bounds(ratio.column, made) | tail


def _bounds(column: str, made: Intervals) -> dict[str, object]:
    return {column: made.value, f"{column}_low": made.low, f"{column}_high": made.high}


def _columns_of_iwd(moments: CardMoments, group: int) -> dict[str, object]:
    top, bottom, other_top, other_bottom = _IWD
    units = {(top, other_top): 0.25, (top, other_bottom): 0.5, (bottom, other_top): 0.5, (bottom, other_bottom): 1.0}
    between = [units[pair] * _product(moments, group, *pair) for pair in units]
    first = _ratio_sums(moments, group, top, bottom, 0.5)
    second = _ratio_sums(moments, group, other_top, other_bottom, 0.5)
    sums = DifferenceSums(first, second, *between)
    made = difference_interval(sums)
    return _bounds("iwd", made) | {"iwd_deals": sums.deals.astype(np.int64), "iwd_p": made.p}


def _ratio_sums(moments: CardMoments, group: int, top: str, bottom: str, unit: float) -> RatioSums:
    sums, at = moments.total.sums[group].astype(float), moments.measures
    return RatioSums(
        top=unit * sums[:, at[top]],
        bottom=sums[:, at[bottom]],
        top2=unit**2 * _product(moments, group, top, top),
        cross=unit * _product(moments, group, top, bottom),
        bottom2=_product(moments, group, bottom, bottom),
        deals=moments.total.deals[group, :, at[bottom]].astype(float),
    )


def _product(moments: CardMoments, group: int, one: str, other: str) -> np.ndarray:
    products: np.ndarray = moments.total.products[group, :, moments.pairs[one, other]].astype(float)
    return products
