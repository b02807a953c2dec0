"""Sections of a report from made-up frames, one of every kind that needs more than a run's rows."""

import numpy as np
import pandas as pd

from duelbench.analysis.report.columns import card_names
from duelbench.analysis.report.plots import Fair
from duelbench.analysis.report.sections.card_table import card_table
from duelbench.analysis.report.sections.effects import effects
from duelbench.analysis.report.sections.findings import findings
from duelbench.analysis.report.sections.metagame import metagame
from duelbench.analysis.report.sections.sweeps import sweeps
from duelbench.analysis.report.sections.variants import variants
from duelbench.envs.registry import load_game

GAME = load_game("tommy_walker")
CARDS = card_names(GAME)
BIASES = ("Cards that are played late are played in longer games.", "Better players play other cards.")
BEHIND = "2400 games of 1200 deals"


def with_interval(frame, name, half, prefix=""):
    ends = {f"{prefix}low": frame[name] - half, f"{prefix}high": frame[name] + half}
    return frame.assign(**ends)


def used_cards(lines=None):
    """A line for each card of the game (or for as many `lines`): three rates, the second unknown for the first card."""
    rng = np.random.default_rng(3)
    ids = [GAME.card_ids[i % len(GAME.card_ids)] for i in range(lines or len(GAME.card_ids))]
    frame = pd.DataFrame({"card": ids})
    for rate in ("played", "won_when_played", "won_when_drawn"):
        frame[rate] = rng.uniform(0.02, 0.98, len(ids)).round(4)
        frame = with_interval(frame, rate, 0.03, f"{rate}_")
        frame[f"{rate}_deals"] = rng.integers(30, 900, len(ids))
    frame.loc[0, ["won_when_played", "won_when_played_low", "won_when_played_high"]] = np.nan
    frame.loc[0, "won_when_played_deals"] = 0
    return frame


def card_effects():
    """Two changes to twelve cards, as two agents of different strength feel them."""
    rng = np.random.default_rng(4)
    lines = [
        (card, change, agent, rng.normal(0, 0.06), rng.random() ** 3, 600)
        for card in GAME.card_ids[:12]
        for change in ("power +1", "removed")
        for agent in ("ismcts_1000", "heuristic")
    ]
    frame = pd.DataFrame(lines, columns=["card", "change", "agent", "effect", "p", "deals"])
    return with_interval(frame.assign(q=(frame["p"] * 2).clip(upper=1)), "effect", 0.04)


def card_sweeps():
    values = np.arange(1, 7)
    lines = [(card, "power", value, 0.3 + 0.07 * value) for card in GAME.card_ids[:2] for value in values]
    return with_interval(pd.DataFrame(lines, columns=["card", "field", "value", "share"]), "share", 0.04)


def rule_variants():
    names = ("second_player_draws_one_more", "no_revenge_actions", "life_20")
    frame = pd.DataFrame({"variant": names, "effect": [0.031, -0.084, 0.002], "deals": 1000, "note": ""})
    return with_interval(frame, "effect", 0.02)


def mixture():
    return pd.DataFrame({"deck": ["riders", "women", "barriers", "amina"], "weight": [0.52, 0.31, 0.17, 0.0]})


def card_shares():
    frame = pd.DataFrame({"card": list(GAME.card_ids), "share": np.linspace(0.09, 0, len(GAME.card_ids))})
    return with_interval(frame, "share", 0.004)


def deck_matrix():
    decks = ["riders", "women", "barriers", "amina"]
    lines = [(a, b, 0.5 + 0.1 * (i - j), 40) for j, a in enumerate(decks) for i, b in enumerate(decks) if a != b]
    return with_interval(pd.DataFrame(lines, columns=["deck", "against", "share", "deals"]), "share", 0.05)


def all_sections():
    fair = {(GAME.card_ids[0], "power"): Fair(2.86, 2.2, 3.5)}
    sentences = [
        "Seat 0 takes 52.1% of the points (50.3 – 53.9, 1200 deals).",
        "Amina is worth 4.1 points (1.2 – 7.0).",
    ]
    made = (
        findings(sentences),
        variants(rule_variants(), BEHIND),
        card_table(used_cards(), CARDS, BIASES, BEHIND, {"played": "Share of the games in which it was played."}),
        effects(card_effects(), CARDS, BEHIND),
        sweeps(card_sweeps(), CARDS, BEHIND, fair),
        metagame(mixture(), card_shares(), CARDS, BEHIND, deck_matrix()),
    )
    return tuple(section for section in made if section is not None)
