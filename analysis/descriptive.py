"""What happened in the games of one variant, whoever won: seats, lengths, endings, draws."""

import numpy as np
import pandas as pd

from duelbench.analysis.deal_kinds import COUNT, DealValues, counts_of, deal_values
from duelbench.analysis.payoffs import deal_keys, seat0_scores
from duelbench.analysis.significance import FDR, adjusted, sign_flip_p
from duelbench.experiments.estimates import MIN_DEALS, interval_of_mean, interval_of_share


def seat_advantage(rows: pd.DataFrame) -> pd.DataFrame:
    """What seat 0 scored, over all games and in each matchup; as seats are swapped, 50% is no advantage.

    Columns: matchup ("all" first), share, low, high, deals, note, p, adjusted_p, uneven. `p` is exact
    (`significance.sign_flip_p`); over the matchups it is adjusted, and `uneven` says where that is below FDR.
    """
    scores = seat0_scores(rows)
    values = [(name, per_deal(part, scores[part.index])) for name, part in _parts(rows)]
    table = _shares(values)
    p = np.array([sign_flip_p(s.values - 0.5, s.counts) if s.deals >= MIN_DEALS else np.nan for _, s in values])
    table["p"], table["adjusted_p"] = p, np.append(p[:1], adjusted(p[1:]))  # "all" is one test by itself
    table["uneven"] = table["adjusted_p"] < FDR
    return table


def draws(rows: pd.DataFrame) -> pd.DataFrame:
    """Share of games drawn: matchup ("all" first), share, low, high, deals, note."""
    return _shares([(name, per_deal(part, part["winner"] == -1)) for name, part in _parts(rows)])


def _shares(values: list[tuple[str, DealValues]]) -> pd.DataFrame:
    lines = [(name, interval_of_share(*deals)) for name, deals in values]
    return pd.DataFrame(
        [(name, e.value, e.low, e.high, e.deals, e.note) for name, e in lines],
        columns=["matchup", "share", "low", "high", "deals", "note"],
    )


def game_lengths(lengths: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Decisions in a game: matchup ("all" first), mean, low, high, shortest, median, longest, deals, note.

    `lengths` are those of deals and `decisions` those of games, as in `game_results.Results`.
    """
    lines = []
    for (name, deals), (_, games) in zip(_parts(lengths), _parts(decisions), strict=True):
        e = interval_of_mean(deals["decisions"].to_numpy(float), deals[COUNT].to_numpy())
        spread = (int(games["decisions"].min()), _median(games), int(games["decisions"].max()))
        lines.append((name, e.value, e.low, e.high, *spread, e.deals, e.note))
    columns = ["matchup", "mean", "low", "high", "shortest", "median", "longest", "deals", "note"]
    return pd.DataFrame(lines, columns=columns)


def _median(games: pd.DataFrame) -> float:
    ordered = games.sort_values("decisions")
    up_to = ordered[COUNT].cumsum().to_numpy()
    middle = np.searchsorted(up_to, [(up_to[-1] - 1) // 2, up_to[-1] // 2], side="right")
    return float(ordered["decisions"].to_numpy()[middle].mean())


def endings(rows: pd.DataFrame) -> pd.DataFrame:
    """How games ended, the commonest first: reason, games, share, low, high, deals, note."""
    lines = []
    for reason, games in counts_of(rows).groupby(rows["reason"]).sum().items():
        e = interval_of_share(*per_deal(rows, rows["reason"] == reason))
        lines.append((str(reason), int(games), e.value, e.low, e.high, e.deals, e.note))
    table = pd.DataFrame(lines, columns=["reason", "games", "share", "low", "high", "deals", "note"])
    return table.sort_values(["games", "reason"], ascending=[False, True], ignore_index=True)


def _parts(rows: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    return [("all", rows), *((str(name), part) for name, part in rows.groupby("matchup", sort=True))]


def per_deal(rows: pd.DataFrame, values: pd.Series) -> DealValues:
    """The mean of `values` (one a game) in every deal."""
    keys = deal_keys(rows)
    return deal_values(values.astype(float).groupby(keys).mean(), counts_of(rows).groupby(keys).first())
