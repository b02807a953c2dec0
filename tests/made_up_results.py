"""Made-up results for the tests of the analysis: rows as a run stores them."""

import pandas as pd

from duelbench.experiments.match import GameRow

WIN, DRAW, LOSS = "W", "D", "L"
_WINNER = {WIN: 0, DRAW: -1, LOSS: 1}


def rows_of(results, reason="all rounds played"):
    """Rows for {("a", "b"): ["WL", ...]}: per deal what "a" made of its game on seat 0 and of its game on seat 1."""
    games = []
    for (a, b), deals in results.items():
        for deal, (first, second) in enumerate(deals):
            swapped = {WIN: 1, DRAW: -1, LOSS: 0}[second]
            for seats, winner in (((a, b), _WINNER[first]), ((b, a), swapped)):
                decisions = 6 + deal % 3
                played = (winner, reason, decisions, [0] * decisions)
                games.append(GameRow(len(games), f"{a} vs {b}", deal, deal, *seats, "", "", "", *played))
    return games


def frame_of(results, **changes):
    return pd.DataFrame(rows_of(results, **changes))


def deck_rows(results, agent="a", start=0):
    """Rows for {("x", "y"): ["WL", ...]}: `agent` against itself, and per deal what deck "x" made of its game on seat 0
    and of its game on seat 1. Deals are numbered from `start`."""
    games, deal = [], start
    for decks, deals in results.items():
        for first, second in deals:
            swapped = {WIN: 1, DRAW: -1, LOSS: 0}[second]
            for lying, winner in ((decks, _WINNER[first]), (decks[::-1], swapped)):
                played = (winner, "all rounds played", 6, [0] * 6)
                games.append(GameRow(len(games), f"{agent} vs {agent}", deal, deal, agent, agent, *lying, "", *played))
            deal += 1
    return games


def drawn_from_strengths(rng, strengths, deals):
    """Results of a round robin in which the Bradley-Terry model is true; `strengths` on the Elo scale."""
    names, results = list(strengths), {}
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            chance = 1 / (1 + 10 ** ((strengths[b] - strengths[a]) / 400))
            won = rng.random((deals, 2)) < chance
            results[a, b] = ["".join(WIN if game else LOSS for game in deal) for deal in won]
    return results
