"""What a search for decks came to: the mixture, what it scores against each first deck, and the cards in it.

The mixture was chosen by the search's own games; all shares here come from the validation run, whose deals the search
never saw, so that choosing the best does not flatter it.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from duelbench.analysis.decks import deck_deals
from duelbench.analysis.table_files import write_table
from duelbench.envs.decks import Deck
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.experiments.config import RunConfig
from duelbench.experiments.estimates import LEVEL, MIN_DEALS, NAN, Estimate, too_few
from duelbench.experiments.folder import load_run_config, read_json
from duelbench.experiments.metagame_run import VALIDATION
from duelbench.experiments.rows import read_rows

MIXTURE_COLUMNS = ["deck", "weight", "found", "list"]
VERSUS_COLUMNS = ["agent", "deck", "share", "low", "high", "deals", "games", "note"]
CARD_COLUMNS = ["card", "name", "name_ja", "share", "copies", "in_decks", "share_before"]
ROUND_COLUMNS = ["round", "deck", "share", "low", "high", "deals", "tried", "support"]
_ROW_COLUMNS = ["matchup", "deal", "seat0", "seat1", "deck0", "deck1", "winner"]


@dataclass(frozen=True)
class Metagame:
    """The tables of one search."""

    mixture: pd.DataFrame
    """the decks of the mixture, heaviest first: deck, weight, found (by the search), list (its cards in words)"""
    versus: pd.DataFrame
    """the mixture's share of points against each deck that the search began with, agent by agent, hardest first"""
    cards: pd.DataFrame
    """by card: its share of all cards in the mixture, mean copies a deck, weight of the decks with it, and its share
    of all cards in the decks that the search began with"""
    rounds: pd.DataFrame
    """what each round found: the best deck tried (empty deck: it did not prove itself) in fresh deals"""


def read_metagame(folder: str | Path) -> Metagame:
    """The tables of the finished search in `folder`; BadInput where it is not one."""
    folder = Path(folder)
    if not (folder / "mixture.json").exists():
        raise BadInput(f"{folder}: holds no finished search for decks (it has no mixture.json)")
    weights = {name: float(weight) for name, weight in read_json(folder / "mixture.json").items()}
    config = load_run_config(folder / VALIDATION)
    pool = read_json(folder / "pool.json")
    first = [name for name in config.named_decks if name not in {told["name"] for told in pool["rounds"]}]
    deals = deck_deals(
        read_rows(folder / VALIDATION, ["matchup", "deal", "seat0", "seat1", "deck0", "deck1", "winner"])
    )
    return Metagame(
        mixture=mixture_table(config, weights, first),
        versus=versus(deals, weights, first),
        cards=card_shares(config.load_game(), config.named_decks, weights, first),
        rounds=rounds_table(pool["rounds"]),
    )


def write_metagame(folder: str | Path, found: Metagame) -> list[Path]:
    """Write the tables into those of the validation run, as CSV and Parquet; returns the paths of the CSV files."""
    paths = []
    for name in ("mixture", "versus", "cards", "rounds"):
        paths += write_table(Path(folder) / VALIDATION, f"metagame_{name}", getattr(found, name))
    return [path for path in paths if path.suffix == ".csv"]


def mixture_table(config: RunConfig, weights: Mapping[str, float], first: list[str]) -> pd.DataFrame:
    game, decks = config.load_game(), config.named_decks
    lines = [(name, weight, name not in first, _in_words(game, decks[name])) for name, weight in weights.items()]
    table = pd.DataFrame(lines, columns=MIXTURE_COLUMNS)
    return table.sort_values(["weight", "deck"], ascending=[False, True], ignore_index=True)


def versus(deals: pd.DataFrame, weights: Mapping[str, float], first: list[str]) -> pd.DataFrame:
    """`deals` as `decks.deck_deals` returns them. A deck of the mixture scores 1/2 against itself, without error."""
    values = _by_pair(deals)
    lines = []
    for agent in sorted(set(deals["agent"])):
        for deck in first:
            e = mixture_share(
                {name: values.get((agent, name, deck)) for name in weights if name != deck}, weights, deck
            )
            lines.append((agent, deck, e.value, e.low, e.high, e.deals, 2 * e.deals, e.note))
    return pd.DataFrame(lines, columns=VERSUS_COLUMNS).sort_values(["agent", "share", "deck"], ignore_index=True)


def mixture_share(values: Mapping[str, np.ndarray | None], weights: Mapping[str, float], against: str) -> Estimate:
    """The weighted mean of the shares of each deck's deals with its interval.

    Strata are the decks of the mixture; Student's t at Welch and Satterthwaite's degrees of freedom.
    """
    mean = 0.5 * weights.get(against, 0.0)
    variances, sizes = [], []
    for name, shares in values.items():
        if shares is None or len(shares) < MIN_DEALS:
            deals = 0 if shares is None else len(shares)
            return Estimate(NAN, NAN, NAN, deals, f"{name}: {too_few(deals)}")
        mean += weights[name] * float(np.mean(shares))
        variances.append(weights[name] ** 2 * float(np.var(shares, ddof=1)) / len(shares))
        sizes.append(len(shares))
    total = sum(variances)
    if total == 0:
        return Estimate(mean, mean, mean, sum(sizes))
    freedom = total**2 / sum(v**2 / (n - 1) for v, n in zip(variances, sizes, strict=True))
    half = float(stdtrit(freedom, (1 + LEVEL) / 2)) * float(np.sqrt(total))
    return Estimate(mean, max(0.0, mean - half), min(1.0, mean + half), sum(sizes))


def card_shares(game: Game, decks: Mapping[str, Deck], weights: Mapping[str, float], first: list[str]) -> pd.DataFrame:
    """Every card of the mixture or of a first deck, the commonest in the mixture first."""
    copies, with_it, old = np.zeros((3, len(game.card_ids)))
    for name, weight in weights.items():
        for card in decks[name].cards:
            copies[card] += weight
        for card in set(decks[name].cards):
            with_it[card] += weight
    for name in first:
        for card in decks[name].cards:
            old[card] += 1 / len(first)
    size = len(next(iter(decks.values())).cards)
    lines = [
        (
            game.card_ids[card],
            game.card_names[card],
            game.card_names_ja[card],
            copies[card] / size,
            copies[card],
            with_it[card],
            old[card] / size,
        )
        for card in np.flatnonzero(copies + old)
    ]
    table = pd.DataFrame(lines, columns=CARD_COLUMNS)
    return table.sort_values(["share", "share_before", "card"], ascending=[False, False, True], ignore_index=True)


def rounds_table(rounds: list[dict[str, Any]]) -> pd.DataFrame:
    lines = [
        (
            i + 1,
            told["name"],
            told["share"],
            told["low"],
            told["high"],
            told["deals"],
            told["tried"],
            len(told["mixture"]),
        )
        for i, told in enumerate(rounds)
    ]
    return pd.DataFrame(lines, columns=ROUND_COLUMNS)


def _by_pair(deals: pd.DataFrame) -> dict[tuple[str, str, str], np.ndarray]:
    """By (agent, deck, against) the deck's share of each deal, both directions of a pair."""
    found: dict[tuple[str, str, str], np.ndarray] = {}
    for (agent, first, second), group in deals.groupby(["agent", "first", "second"], sort=True):
        shares = group["share"].to_numpy()
        found[str(agent), str(first), str(second)] = shares
        found[str(agent), str(second), str(first)] = 1 - shares
    return found


def _in_words(game: Game, deck: Deck) -> str:
    counts = Counter(deck.cards)
    return ", ".join(f"{count} {game.card_names[card]}" for card, count in counts.most_common())
