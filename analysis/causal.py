"""What single cards are worth: differences between the same deals played as configured and with a change.

The unit is the deal. Its value in a variant is what the holder of the card scored, the mean over the games of the deal;
so seats, decks and the luck of the cards are the same on both sides of a difference, and a deal counts once, whatever
decks it was played with. Agents are never pooled: each plays at its own strength.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from duelbench.analysis.payoffs import seat0_scores
from duelbench.analysis.variants import variant_effects
from duelbench.experiments.balance_changes import NEVER_PLAYED, CardChange
from duelbench.experiments.balance_plan import asked_of
from duelbench.experiments.config import Pair, RunConfig
from duelbench.experiments.estimates import NAN, interval_of_mean
from duelbench.experiments.holders import NOBODY, starts
from duelbench.experiments.plan import decks_of, games_a_deal, matchup_name
from duelbench.experiments.variants import AS_CONFIGURED

CAUSAL_COLUMNS = [
    "game", "matchup", "deal", "seat0", "seat1", "deck0", "deck1", "variant", "winner", "reason", "decisions"
]  # fmt: skip
"""What is read of the rows."""

EFFECT_COLUMNS = [
    "card",
    "name",
    "name_ja",
    "change",
    "agent",
    "effect",
    "low",
    "high",
    "share_with",
    "share_without",
    "p",
    "q",
    "discovered",
    "deals",
    "games",
    "note",
]


class Scores:
    """What was scored on seat 0 of the first game, deal by deal, in every variant of a run's rows.

    Where decks swap the seats, the second game counts from the other side: the value stands for one player's place.
    """

    def __init__(self, rows: pd.DataFrame, config: RunConfig) -> None:
        """`rows` as `experiments.rows.read_rows` gives them, with CAUSAL_COLUMNS at least, in any order."""
        self._config = config
        self._parts = {
            (str(matchup), str(variant)): part for (matchup, variant), part in rows.groupby(["matchup", "variant"])
        }
        self._kept: dict[tuple[Pair, str], np.ndarray] = {}

    def of(self, pair: Pair, variant: str) -> np.ndarray:
        """float64[deals]: the share of points of the side on seat 0 in the first game; NaN where none was played."""
        if (pair, variant) not in self._kept:
            self._kept[pair, variant] = self._read(pair, variant)
        return self._kept[pair, variant]

    def of_holder(self, pair: Pair, variant: str, card: str) -> np.ndarray:
        """float64[deals]: the same of the card's holder as configured; NaN where it has none."""
        holder = starts(self._config, pair).holder(self._config.load_game().card_ids.index(card))
        score = self.of(pair, variant)
        return np.where(holder == NOBODY, NAN, np.where(holder == 0, score, 1 - score))

    def _read(self, pair: Pair, variant: str) -> np.ndarray:
        found = np.full(self._config.deals_of(pair), NAN)
        part = self._parts.get((matchup_name(pair), variant))
        if part is None:
            return found
        score = seat0_scores(part).to_numpy(float)
        swapped = _swapped(part, self._config, pair)
        values = pd.Series(np.where(swapped, 1 - score, score)).groupby(part["deal"].to_numpy())
        mean, played = values.mean(), values.size()
        whole = played[played == games_a_deal(self._config, pair)].index
        found[whole] = mean[whole]
        return found


def _swapped(part: pd.DataFrame, config: RunConfig, pair: Pair) -> np.ndarray:
    """bool[games]: whether the decks have swapped the seats, as in the second game of a deal."""
    if not config.named_decks:
        return np.zeros(len(part), bool)
    first = {deal: decks_of(config, pair, deal)[0] for deal in part["deal"].unique()}
    return (part["deck0"] != part["deal"].map(first)).to_numpy()


@dataclass(frozen=True)
class Paired:
    """The difference between two values of the same deals."""

    effect: float
    low: float
    high: float
    share_with: float
    share_without: float
    p: float
    deals: int
    note: str


def paired(with_it: np.ndarray, without: np.ndarray) -> Paired:
    """Student's interval of the mean difference over the deals that have both values, and the paired t test.

    Differences that are the same in every deal have no variance. Where all are 0 the change made no difference and
    p is 1; otherwise p is that of the sign test, and the interval a point.
    """
    both = ~np.isnan(with_it) & ~np.isnan(without)
    first, second = with_it[both], without[both]
    difference = first - second
    deals = len(difference)
    shares = (float(first.mean()), float(second.mean())) if deals else (NAN, NAN)
    estimate = interval_of_mean(difference)
    if estimate.note:
        return Paired(estimate.value, NAN, NAN, *shares, NAN, deals, estimate.note)
    if np.ptp(difference) == 0:
        none = difference[0] == 0
        note = "no deal came out differently" if none else "the same difference in every deal"
        return Paired(
            estimate.value, estimate.low, estimate.high, *shares, 1.0 if none else 2.0 ** (1 - deals), deals, note
        )
    p = float(stats.ttest_1samp(difference, 0.0).pvalue)
    return Paired(estimate.value, estimate.low, estimate.high, *shares, p, deals, "")


def card_effects(rows: pd.DataFrame, config: RunConfig) -> pd.DataFrame:
    """What each change of a card costs the card's holder: EFFECT_COLUMNS, the discovered and largest effects first.

    `effect` is the holder's share of points as configured (`share_with`) less its share with the change
    (`share_without`); a card that helps its holder has a positive effect of being made blank. `q` are the p values
    adjusted by Benjamini & Hochberg (1995) over all cards and agents of one kind of change, and `discovered` says where
    they are at most the config's `false_discoveries`. Too few deals are refused with a note.
    """
    return _with_discoveries(pd.DataFrame(list(_effects(rows, config, None)), columns=EFFECT_COLUMNS), config)


def restricted_play(rows: pd.DataFrame, config: RunConfig) -> pd.DataFrame:
    """The lines of `card_effects` that are about cards which their holders never play (Jaffe et al. 2012)."""
    return _with_discoveries(pd.DataFrame(list(_effects(rows, config, NEVER_PLAYED)), columns=EFFECT_COLUMNS), config)


def _effects(rows: pd.DataFrame, config: RunConfig, kind: str | None) -> Iterator[tuple[object, ...]]:
    game, scores = config.load_game(), Scores(rows, config)
    names = dict(zip(game.card_ids, zip(game.card_names, game.card_names_ja, strict=True), strict=True))
    for pair in config.pairs:
        for change in asked_of(config).changes:
            if kind not in (None, change.kind):
                continue
            found = _paired(scores, pair, change)
            values = (found.effect, found.low, found.high, found.share_with, found.share_without, found.p)
            games = 2 * games_a_deal(config, pair) * found.deals
            yield (
                change.card,
                *names[change.card],
                change.kind,
                pair[0],
                *values,
                NAN,
                False,
                found.deals,
                games,
                found.note,
            )


def _paired(scores: Scores, pair: Pair, change: CardChange) -> Paired:
    with_it = scores.of_holder(pair, AS_CONFIGURED, change.card)
    return paired(with_it, scores.of_holder(pair, change.variant, change.card))


def _with_discoveries(effects: pd.DataFrame, config: RunConfig) -> pd.DataFrame:
    """The table with q values, sorted."""
    assert config.balance is not None
    for _, family in effects.groupby("change"):
        tested = family["p"].dropna()
        if len(tested):
            effects.loc[tested.index, "q"] = stats.false_discovery_control(tested, method="bh")
    effects["discovered"] = effects["q"] <= config.balance.false_discoveries
    kinds = {kind: i for i, kind in enumerate(dict.fromkeys(effects["change"]))}
    order = effects.assign(kind=effects["change"].map(kinds), size=-effects["effect"])
    order = order.sort_values(["kind", "agent", "size", "card"], kind="stable", na_position="last")
    return effects.loc[order.index].reset_index(drop=True)


def rule_rows(rows: pd.DataFrame, config: RunConfig) -> pd.DataFrame:
    """The rows of the game as configured and of its other readings: what the general tables of a run are about.

    All deals are played in these variants; those of cards have only the deals in which the card has a holder.
    """
    return rows[rows["variant"].isin(rule_variants(config))]


def rule_variants(config: RunConfig) -> list[str]:
    """The variants of `rule_rows`."""
    return [AS_CONFIGURED, *(rule.variant for rule in asked_of(config).rules)]


def rule_effects(rows: pd.DataFrame, config: RunConfig) -> pd.DataFrame:
    """What the other values of rule options change about the games as a whole: `variants.variant_effects`."""
    return variant_effects(rule_rows(rows, config), AS_CONFIGURED)
