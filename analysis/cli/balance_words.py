"""What `duelbench balance` prints: effects, restricted play, sweeps and fair values, and what would be played."""

import math
from typing import TYPE_CHECKING, Any

from duelbench.analysis.cli.tables import table

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console

    from duelbench.experiments.config import RunConfig

FOUND = "*"
_EFFECT = "effect: the holder's share as configured less its share with the change, in points of percent"


def print_tables(console: "Console", tables: "dict[str, pd.DataFrame]", config: "RunConfig") -> None:
    """Every table that there is, for each kind of change and agent by itself."""
    for name in ("card_effects", "restricted_play"):
        if name in tables:
            for (change, agent), part in tables[name].groupby(["change", "agent"], sort=False):
                console.print(effects_table(f"{change}: {agent} against itself", part))
    if {"card_effects", "restricted_play"} & tables.keys():
        assert config.balance is not None
        console.print(_EFFECT)
        level = f"{100 * config.balance.false_discoveries:g}%"
        console.print(
            f"{FOUND} discovered: q, the p value adjusted over all cards and agents of one change, is at most"
        )
        console.print(
            f"  {level}, so that about so large a share of the marked ones may be false (Benjamini–Hochberg)."
        )
    if "rule_effects" in tables:
        console.print(_rules_table(tables["rule_effects"]))
    if "sweeps" in tables:
        console.print(_sweeps_table(tables["sweeps"]))
    if "fair_values" in tables:
        console.print(_fair_table(tables["fair_values"]))


def effects_table(title: str, part: "pd.DataFrame") -> Any:
    columns = ["", "card", "effect", "95% interval", "as configured", "changed", "p", "q", "deals", "note"]
    lines = [
        (
            FOUND if r.discovered else "",
            f"{r.name_of} {r.name_ja}",
            _points(r.effect),
            "" if math.isnan(r.low) else f"{_points(r.low)} – {_points(r.high)}",
            _percent(r.share_with),
            _percent(r.share_without),
            _small(r.p),
            _small(r.q),
            r.deals,
            r.note,
        )
        for r in part.rename(columns={"name": "name_of"}).itertuples()
    ]
    return table(title, columns, lines, text_columns=2)


def _rules_table(effects: "pd.DataFrame") -> Any:
    columns = [
        "agent",
        "rule",
        "measure",
        "as configured",
        "changed",
        "difference",
        "95% interval",
        "q",
        "deals",
        "note",
    ]
    lines = []
    for r in effects.itertuples():
        told = _plain if r.measure == "decisions" else _percent
        ends = "" if math.isnan(r.low) else f"{told(r.low)} – {told(r.high)}"
        agent, mark = r.matchup.partition(" vs ")[0], FOUND if r.matters else ""
        figures = (told(r.base), told(r.value), told(r.difference), ends, f"{_small(r.q)}{mark}")
        lines.append((agent, r.variant, r.measure, *figures, r.deals, r.note))
    return table("Other readings of the rules, on the same deals", columns, lines, text_columns=3)


def _sweeps_table(curves: "pd.DataFrame") -> Any:
    columns = ["card", "number", "agent", "value", "holder's share", "95% interval", "deals", "note"]
    lines = [
        (r.card, r.field, r.agent, r.value, _percent(r.share), _interval(r.low, r.high), r.deals, r.note)
        for r in curves.itertuples()
    ]
    return table("Sweeps: the holder's share of points by the number on its card", columns, lines, text_columns=3)


def _fair_table(fair: "pd.DataFrame") -> Any:
    columns = ["card", "number", "agent", "printed", "fair", "95% interval", "fair share", "deals", "note"]
    lines = [
        (
            r.card,
            r.field,
            r.agent,
            r.printed,
            "none" if math.isnan(r.fair) else f"{r.fair:.4g}",
            "" if math.isnan(r.low) else f"{_end(r.low)} – {_end(r.high)}",
            _percent(r.reference),
            r.deals,
            r.note,
        )
        for r in fair.itertuples()
    ]
    title = "Fair values: where the holder does as well as with a fair card"
    return table(title, columns, lines, text_columns=3)


# --- What would be played -------------------------------------------------------------------------------------


def print_plan(console: "Console", config: "RunConfig") -> None:
    """Games by agent and kind of change, and in what share of the deals each card has a holder."""
    from duelbench.experiments.plan import total_games

    console.print(_arms_table(config))
    console.print(f"{total_games(config):,} games in all. `deals` is the number of deals as configured; each change is")
    console.print("played on those of them in which its card has a holder, the seat with more copies at the start.")
    asked = config.asked
    if asked is not None and asked.holds_cards:
        console.print(_holders_table(config))
    for (kind, why), cards in _left_out(config).items():
        console.print(f"Left out of {kind}: {', '.join(cards)} ({why})")


def _left_out(config: "RunConfig") -> dict[tuple[str, str], list[str]]:
    """By kind of change and reason, the cards that cannot have it."""
    found: dict[tuple[str, str], list[str]] = {}
    for card, kind, why in config.asked.left_out if config.asked else ():
        found.setdefault((kind, why), []).append(card)
    return found


def _arms_table(config: "RunConfig") -> Any:
    from duelbench.experiments.plan import arms

    kinds = _kinds(config)
    counts: dict[tuple[str, str], list[int]] = {}
    for arm in arms(config):
        line = counts.setdefault((arm.pair[0], kinds[arm.variant]), [0, 0, 0])
        for i, more in enumerate((1, len(arm.deals), arm.games)):
            line[i] += more
    lines = [(agent, kind, *(f"{number:,}" for number in line)) for (agent, kind), line in counts.items()]
    return table("What would be played", ["agent", "change", "variants", "deals", "games"], lines, text_columns=2)


def _kinds(config: "RunConfig") -> dict[str, str]:
    """By variant, what it is for; where it has several uses, the first of these."""
    assert config.asked is not None
    found = {"": "as configured"}
    for change in config.asked.changes:
        found.setdefault(change.variant, change.kind)
    for sweep in config.asked.sweeps:
        for _, variant in sweep.points:
            found.setdefault(variant, f"sweep of {sweep.card}.{sweep.field}")
    for stand_ins in config.asked.stand_ins:
        for _, variant in stand_ins.others:
            found.setdefault(variant, f"stand-ins of {stand_ins.card}")
    for rule in config.asked.rules:
        found.setdefault(rule.variant, f"rule {rule.option}")
    return found


def _holders_table(config: "RunConfig") -> Any:
    from duelbench.experiments.balance_plan import held_deals

    assert config.asked is not None
    game = config.load_game()
    parts = (config.asked.changes, config.asked.sweeps, config.asked.stand_ins)
    wanted = {one.card for part in parts for one in part}
    cards = [card for card in game.card_ids if card in wanted]
    lines = []
    for card in cards:
        shares = []
        for pair in config.pairs:
            held = len(held_deals(config, pair, card))
            shares.append(f"{held:,} ({_percent(held / config.deals_of(pair))})")
        at = game.card_ids.index(card)
        lines.append((card, game.card_names[at], game.card_names_ja[at], *shares))
    columns = ["card", "name", "Japanese name", *(pair[0] for pair in config.pairs)]
    return table("Deals in which a card has a holder", columns, lines, text_columns=3)


# --- Figures --------------------------------------------------------------------------------------------------


def _percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{100 * share:.1f}%"


def _plain(number: float) -> str:
    return "–" if math.isnan(number) else f"{number:.2f}"


def _points(difference: float) -> str:
    return "–" if math.isnan(difference) else f"{100 * difference:+.1f}"


def _interval(low: float, high: float) -> str:
    return "" if math.isnan(low) else f"{100 * low:.1f}–{100 * high:.1f}"


def _small(p: float) -> str:
    return "–" if math.isnan(p) else f"{p:.3f}" if p >= 0.001 else f"{p:.0e}"


def _end(value: float) -> str:
    return "…" if math.isinf(value) else f"{value:.4g}"
