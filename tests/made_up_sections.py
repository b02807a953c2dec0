"""Sections of a report from made-up frames, one of every kind that needs more than a run's rows."""

import numpy as np
import pandas as pd

from duelbench.analysis.report.columns import card_names
from duelbench.analysis.report.sections.card_table import card_table
from duelbench.analysis.report.sections.effects import effects
from duelbench.analysis.report.sections.findings import findings
from duelbench.analysis.report.sections.metagame import metagame
from duelbench.analysis.report.sections.sweeps import sweeps
from duelbench.analysis.report.sections.variants import variant_effects
from duelbench.envs.registry import load_game

GAME = load_game("tommy_walker")
CARDS = card_names(GAME)
BIASES = {"gih_wr": "Long games see more cards.", "agents": "A card that the agents misplay looks weak."}
BEHIND = "2400 games of 1200 deals"


def with_interval(frame, name, half, prefix=""):
    ends = {f"{prefix}low": frame[name] - half, f"{prefix}high": frame[name] + half}
    return frame.assign(**ends)


def used_cards(lines=None):
    """A line for each card of the game (or as many `lines`): three rates, the second unknown for the first card, and
    the difference that says what a card is worth."""
    rng = np.random.default_rng(3)
    ids = [GAME.card_ids[i % len(GAME.card_ids)] for i in range(lines or len(GAME.card_ids))]
    frame = pd.DataFrame({"card": ids})
    for rate in ("played_rate", "played_wr", "gih_wr"):
        frame[rate] = rng.uniform(0.02, 0.98, len(ids)).round(4)
        frame = with_interval(frame, rate, 0.03, f"{rate}_")
        frame[f"{rate}_deals"] = rng.integers(30, 900, len(ids))
    frame.loc[0, ["played_wr", "played_wr_low", "played_wr_high"]] = np.nan
    frame.loc[0, "played_wr_deals"] = 0
    frame["iwd"] = rng.normal(0, 0.05, len(ids))
    frame["iwd_flag"] = frame["iwd"].abs() > 0.04
    frame = with_interval(frame, "iwd", 0.04, "iwd_")
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
    frame = frame.assign(q=(frame["p"] * 2).clip(upper=1), note="", share_with=0.5 + frame["effect"], share_without=0.5)
    frame = frame.assign(discovered=frame["q"] <= 0.05, name=frame["card"], name_ja="札")
    return with_interval(frame, "effect", 0.04)


def card_sweeps():
    """A number of two cards from 1 to 6, as two agents of different strength feel it."""
    lines = [
        (card, "power", value, agent, 0.3 + 0.07 * value + better, 300, "")
        for card in GAME.card_ids[:2]
        for agent, better in (("ismcts_1000", 0.05), ("heuristic", 0.0))
        for value in range(1, 7)
    ]
    columns = ["card", "field", "value", "agent", "share", "deals", "note"]
    return with_interval(pd.DataFrame(lines, columns=columns), "share", 0.04)


def fair_values():
    """One that is fair within the values tried, one that may be fair below them, and one that is not."""
    first, second = GAME.card_ids[:2]
    lines = [
        (first, "power", "heuristic", 4, 2.86, 2.2, 3.5, 0.5, 300, ""),
        (first, "power", "ismcts_1000", 4, 2.14, -np.inf, 2.9, 0.5, 300, "its low end lies below the values tried"),
        (second, "power", "heuristic", 3, np.nan, np.nan, np.nan, 0.9, 300, "not within the values tried"),
    ]
    columns = ["card", "field", "agent", "printed", "fair", "low", "high", "reference", "deals", "note"]
    frame = pd.DataFrame(lines, columns=columns)
    return frame.assign(name=frame["card"], name_ja="札")


def rule_effects():
    """Two variants against the base in four measures, as `analysis.variants` has them."""
    measures = {"share of seat 0": 0.031, "drawn": -0.012, "decisions": 4.1, "ended: deck out": -0.084}
    lines = [
        ("a vs b", variant, measure, 0.5, 0.5 + change, change * sign, 0.01, 0.02, change > 0, 400, "")
        for variant, sign in (("second_player_draws=2", 1), ("no_revenge=true", -1))
        for measure, change in measures.items()
    ]
    columns = ["matchup", "variant", "measure", "base", "value", "difference", "p", "q", "matters", "deals", "note"]
    return with_interval(pd.DataFrame(lines, columns=columns), "difference", 0.02)


def mixture():
    return pd.DataFrame({"deck": ["riders", "women", "barriers", "amina"], "weight": [0.52, 0.31, 0.17, 0.0]})


def card_shares():
    return pd.DataFrame({"card": list(GAME.card_ids), "share": np.linspace(0.09, 0, len(GAME.card_ids))})


def versus():
    frame = pd.DataFrame(
        {"agent": "ismcts", "deck": ["copycats", "women"], "share": [0.61, 0.5], "deals": 80, "note": ""}
    )
    return with_interval(frame, "share", 0.06)


def deck_matrix():
    decks = ["riders", "women", "barriers", "amina"]
    lines = [(a, b, 0.5 + 0.1 * (i - j), 40) for j, a in enumerate(decks) for i, b in enumerate(decks) if a != b]
    return with_interval(pd.DataFrame(lines, columns=["deck", "against", "share", "deals"]), "share", 0.05)


def all_sections():
    sentences = [
        "Seat 0 takes 52.1% of the points (50.3 – 53.9, 1200 deals).",
        "Amina is worth 4.1 points (1.2 – 7.0).",
    ]
    made = (
        findings(sentences),
        variant_effects(rule_effects(), BEHIND, "rule_effects", "Other readings of the rules"),
        card_table(used_cards(), CARDS, BIASES, BEHIND),
        effects(card_effects(), CARDS, BEHIND),
        sweeps(card_sweeps(), fair_values(), CARDS, BEHIND),
        metagame(mixture(), card_shares(), CARDS, BEHIND, deck_matrix(), versus()),
    )
    return tuple(section for section in made if section is not None)
