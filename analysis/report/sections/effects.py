"""What a change to a card causes: the forest plot of its effects."""

from collections.abc import Iterator

import pandas as pd

from duelbench.analysis.report.columns import (
    INTERVAL,
    POINTS,
    Cards,
    Unit,
    card,
    card_label,
    deals,
    interval,
    number,
    text,
    told,
)
from duelbench.analysis.report.content import Plot, Section, Table, Words
from duelbench.analysis.report.plots import Mark, dots

RATE = 0.05
"""False discoveries allowed among the effects that are called significant."""

MOST = 20
"""Changes in one figure, so that it fits a printed page."""

CHANCE = Unit(1, 4)


def effects(frame: pd.DataFrame, cards: Cards, behind: str, rate: float = RATE) -> Section:
    """`frame` has a line for each change to a card and agent that played both sides: card (its id), change, agent,
    effect (on the share of points of who holds it), low, high, p, q (adjusted for the number of effects), deals.

    The largest effect comes first; an effect with q below `rate` has a filled dot.
    """
    ordered = _largest_first(frame).assign(found=lambda table: table["q"] < rate)
    ordered["what"] = [f"{card_label(cards, line['card'])}\n{line['change']}" for line in ordered.to_dict("records")]
    columns = (
        card(cards),
        text("change", help="What was changed on it."),
        text("agent", help="The agent that played both sides."),
        number("effect", help="Points that the change brings to who holds the card.", unit=POINTS),
        interval(POINTS),
        told("found", f"Whether q is below {rate:g}.", lambda line: "yes" if line["q"] < rate else "no"),
        number("q", help="p, adjusted for all effects of the table (Benjamini & Hochberg 1995).", unit=CHANCE),
        number("p", help="Chance of an effect at least as far from none, if there were none.", unit=CHANCE),
        deals(),
    )
    words = (
        f"Every change was played on the same deals with and without it. Dots show the effect with its {INTERVAL}; of "
        f"the effects with a filled dot at most {rate:.0%} are expected to be none. Colours are the agents."
    )
    return Section(
        "Effects of cards",
        (
            Words(words),
            *_forest(ordered, behind, Mark("found", f"significant (q < {rate:g})", "not significant")),
            Table("effects", "Effects", ordered.drop(columns=["found", "what"]), columns, behind),
        ),
    )


def _largest_first(frame: pd.DataFrame) -> pd.DataFrame:
    """Changes by their mean effect over the agents, the agents of a change in the order in which they came."""
    changed = frame[["card", "change"]]
    mean = frame.groupby(["card", "change"])["effect"].transform("mean").rename("mean")
    keys = pd.concat([-mean, changed], axis=1).sort_values(["mean", "card", "change"], kind="stable")
    return frame.loc[keys.index]


def _forest(ordered: pd.DataFrame, behind: str, mark: Mark) -> Iterator[Plot]:
    """The forest plot in figures of MOST changes, with the same axis."""
    changes = list(dict.fromkeys(ordered["what"]))
    agents = pd.CategoricalDtype(list(dict.fromkeys(ordered["agent"])))
    ends = ordered[["effect", "low", "high"]]
    margin = 0.05 * (ends.max().max() - ends.min().min())
    span = (ends.min().min() - margin, ends.max().max() + margin)
    for start in range(0, len(changes), MOST):
        lines = ordered[ordered["what"].isin(changes[start : start + MOST])].astype({"agent": agents})
        figure = dots(lines, "what", "effect", "effect on the holder's points", POINTS, 0.0, "agent", mark, span)
        which = f" ({start + 1} to {min(start + MOST, len(changes))} of {len(changes)})" if len(changes) > MOST else ""
        yield Plot(f"effects-{start // MOST}", f"Effects of changes to cards, the largest first{which}", figure, behind)
