"""Which deals a balance study plays in which variant.

Every agent plays all deals against itself as configured, and each variant only on the deals in which it can matter:
those in which a changed card has a holder, a share of them where it stands in for a card, all of them where a rule is
changed. Deals and seeds are the same in all variants (common random numbers).
"""

from array import array
from collections.abc import Iterator

import numpy as np

from duelbench.experiments.balance_changes import Asked, StandIns
from duelbench.experiments.config import Pair, RunConfig
from duelbench.experiments.holders import starts
from duelbench.experiments.plan import Arm, games_a_deal
from duelbench.experiments.variants import AS_CONFIGURED


def balance_arms(config: RunConfig) -> Iterator[Arm]:
    """The arms of a config with a section `balance`: for each agent the game as configured, then every change."""
    for pair in config.pairs:
        by_variant = deals_by_variant(config, pair)
        for name in config.variants:
            deals = by_variant[name]
            if len(deals):
                whole = len(deals) == config.deals_of(pair)
                numbers = range(len(deals)) if whole else array("q", deals.tolist())  # there may be millions
                yield Arm(pair, name, numbers, games_a_deal(config, pair))


def deals_by_variant(config: RunConfig, pair: Pair) -> dict[str, np.ndarray]:
    """By variant, the numbers of the deals that are played in it, ascending."""
    asked = asked_of(config)
    every = np.arange(config.deals_of(pair))
    found: dict[str, list[np.ndarray]] = {name: [] for name in config.variants}
    found[AS_CONFIGURED].append(every)
    for rule in asked.rules:
        found[rule.variant].append(every)
    for change in asked.changes:
        found[change.variant].append(held_deals(config, pair, change.card))
    for sweep in asked.sweeps:
        for _, variant in sweep.points:
            found[variant].append(held_deals(config, pair, sweep.card))
    for stand_ins in asked.stand_ins:
        chosen = stand_in_of(config, pair, stand_ins)
        for i, (_, variant) in enumerate(stand_ins.others):
            found[variant].append(np.flatnonzero(chosen == i))
    return {name: np.unique(np.concatenate([np.zeros(0, np.int64), *deals])) for name, deals in found.items()}


def held_deals(config: RunConfig, pair: Pair, card: str) -> np.ndarray:
    """int64[n]: the deals of the matchup in which the card has a holder, ascending."""
    return starts(config, pair).held(config.load_game().card_ids.index(card))


def stand_in_of(config: RunConfig, pair: Pair, stand_ins: StandIns) -> np.ndarray:
    """int64[deals]: which of `stand_ins.others` replaces the card in each deal, -1 for none."""
    ids = config.load_game().card_ids
    others = [ids.index(other) for other, _ in stand_ins.others]
    return starts(config, pair).stand_in(ids.index(stand_ins.card), others)


def asked_of(config: RunConfig) -> Asked:
    """What the config's section `balance` asks for; for configs that have one."""
    assert config.asked is not None, "the config has no section balance"
    return config.asked
