"""How the share of a card's holder moves with a number on the card, and at which number the card is fair.

Where both seats draw from one deck, a card is fair where its holder wins half of the points. Where they bring decks, it
is fair where the deck does as well with the card as with what could stand in its place, on the same deals.
"""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from duelbench.analysis.causal import Scores
from duelbench.analysis.crossings import Crossing, crossing_of_deals
from duelbench.experiments.balance_changes import StandIns, Sweep
from duelbench.experiments.balance_plan import asked_of, stand_in_of
from duelbench.experiments.config import Pair, RunConfig
from duelbench.experiments.estimates import MIN_DEALS, NAN, interval_of_share, too_few

CURVE_COLUMNS = ["card", "name", "name_ja", "field", "value", "agent", "share", "low", "high", "deals", "note"]
FAIR_COLUMNS = [
    "card",
    "name",
    "name_ja",
    "field",
    "agent",
    "printed",
    "fair",
    "low",
    "high",
    "reference",
    "deals",
    "note",
]
EVEN = 0.5
_TURNS_OFTEN = 0.025


def sweep_curves(rows: pd.DataFrame, config: RunConfig) -> pd.DataFrame:
    """The holder's share of points at every value of every sweep: CURVE_COLUMNS, values ascending.

    The value that the card has as configured is always there.
    """
    scores, lines = Scores(rows, config), []
    for pair in config.pairs:
        for sweep in asked_of(config).sweeps:
            for value, variant in sweep.points:
                played = scores.of_holder(pair, variant, sweep.card)
                e = interval_of_share(played[~np.isnan(played)])
                names = _names(config, sweep.card)
                lines.append((*names, sweep.field, value, pair[0], e.value, e.low, e.high, e.deals, e.note))
    return pd.DataFrame(lines, columns=CURVE_COLUMNS)


def fair_values(rows: pd.DataFrame, config: RunConfig) -> pd.DataFrame:
    """The value at which each card of a sweep would be fair: FAIR_COLUMNS.

    `printed` is the value as configured, `reference` the share of a fair card. `fair` is NaN where the curve does not
    reach the reference within the values tried, and an end of the interval infinite where it lies outside them; `note`
    says so. Only deals count that were played at every value and, in games with decks, with a stand-in.
    """
    return pd.DataFrame(list(_fair_values(rows, config)), columns=FAIR_COLUMNS)


def _fair_values(rows: pd.DataFrame, config: RunConfig) -> Iterator[tuple[object, ...]]:
    scores, asked = Scores(rows, config), asked_of(config)
    with_decks = config.load_game().deck_rules is not None
    stand_ins = {one.card: one for one in asked.stand_ins}
    for pair in config.pairs:
        for sweep in asked.sweeps:
            reference = np.full(config.deals_of(pair), EVEN)
            if with_decks and sweep.card not in stand_ins:
                continue
            if with_decks:
                reference = _reference(scores, config, pair, stand_ins[sweep.card])
            begin = (*_names(config, sweep.card), sweep.field, pair[0], sweep.configured)
            yield *begin, *_fair(sweep, _curve(scores, pair, sweep), reference, None if with_decks else EVEN)


def _curve(scores: Scores, pair: Pair, sweep: Sweep) -> np.ndarray:
    """float64[deals, values]: what the holder scored, NaN where the deal was not played."""
    return np.column_stack([scores.of_holder(pair, variant, sweep.card) for _, variant in sweep.points])


def _reference(scores: Scores, config: RunConfig, pair: Pair, stand_ins: StandIns) -> np.ndarray:
    """float64[deals]: what the card's holder scored with the stand-in of the deal in its place; NaN without one."""
    chosen = stand_in_of(config, pair, stand_ins)
    found = np.full(len(chosen), NAN)
    for i, (_, variant) in enumerate(stand_ins.others):
        mine = chosen == i
        if mine.any():
            found[mine] = scores.of_holder(pair, variant, stand_ins.card)[mine]
    return found


def _fair(sweep: Sweep, curve: np.ndarray, reference: np.ndarray, fixed: float | None) -> tuple[object, ...]:
    """fair, low, high, reference, deals, note."""
    whole = ~np.isnan(curve).any(axis=1) & ~np.isnan(reference)
    deals = int(whole.sum())
    level = float(reference[whole].mean()) if deals else NAN
    if deals < MIN_DEALS:
        return NAN, NAN, NAN, level, deals, too_few(deals)
    values = np.array([value for value, _ in sweep.points], float)
    found = crossing_of_deals(values, curve[whole], reference[whole] if fixed is None else fixed)
    fair = found.value if math.isfinite(found.value) else NAN
    return fair, found.low, found.high, level, deals, _note(found, values, bool(curve[whole].mean() > level))


def _note(found: Crossing, values: np.ndarray, strong: bool) -> str:
    """What a reader must know of a crossing that is not plainly inside the range tried."""
    least, most = (f"{value:g}" for value in (values[0], values[-1]))
    unsure, notes = found.turned > _TURNS_OFTEN, []
    if not math.isfinite(found.value):
        notes.append(f"{'better' if strong else 'worse'} than fair at every value tried")
        if not unsure:
            notes.append(f"fair would lie {f'below {least}' if found.value < 0 else f'above {most}'}, if anywhere")
    elif not (math.isfinite(found.low) and math.isfinite(found.high)):
        notes.append(f"the interval reaches beyond the values tried ({least} to {most})")
    if unsure:
        notes.append("whether more is better is not clear from these deals")
    return "; ".join(notes)


def _names(config: RunConfig, card: str) -> tuple[str, str, str]:
    game = config.load_game()
    at = game.card_ids.index(card)
    return card, game.card_names[at], game.card_names_ja[at]
