"""What a change to a card causes: the forest plot of its effects."""

import pandas as pd

from duelbench.analysis.report.columns import (
    CHANCE,
    INTERVAL,
    PERCENT,
    POINTS,
    Cards,
    Line,
    card,
    card_label,
    deals,
    interval,
    number,
    text,
    told,
)
from duelbench.analysis.report.content import Section, Table, Words
from duelbench.analysis.report.plot_dots import Mark
from duelbench.analysis.report.sections.forest import forest

FOUND = Mark("discovered", "discovered (q at most the rate of false discoveries)", "not told from none")


def effects(
    frame: pd.DataFrame, cards: Cards, behind: str, name: str = "card_effects", title: str = "Effects of cards"
) -> Section:
    """`frame` has a line for each change to a card and agent: card (its id), change, agent (who played both sides),
    effect (on the share of points of who holds it), low, high, p, q (adjusted), discovered, deals, note, and maybe
    share_with and share_without. `name` is that of its files.

    The largest effect comes first; where the agents disagree, by their mean.
    """
    ordered = _largest_first(frame)
    what = [f"{card_label(cards, line['card'])}\n{line['change']}" for line in ordered.to_dict("records")]
    shown = ordered.assign(what=what)[ordered["effect"].notna().to_numpy()]
    shares = {
        "share_with": "Points of the holder as configured.",
        "share_without": "Points of the holder with the change.",
    }
    columns = (
        card(cards),
        text("change", help="What was changed on it."),
        text("agent", help="The agent that played both sides."),
        number("effect", help="Points of the holder as configured, less those with the change.", unit=POINTS),
        interval(POINTS),
        told("found", "Whether q is at most the rate of false discoveries.", _found, "q"),
        number("q", help="p, adjusted for all effects of this kind (Benjamini & Hochberg 1995).", unit=CHANCE),
        number("p", help="Chance of an effect at least as far from none, if there were none.", unit=CHANCE),
        *(number(share, share.replace("_", " "), help, PERCENT) for share, help in shares.items() if share in frame),
        deals(),
    )
    words = (
        f"Each change was played on the same deals as the game without it. Dots show the effect with its {INTERVAL}; "
        "the filled ones hold with few false discoveries among them. Colours are the agents: an effect is one at an "
        "agent's strength of play."
    )
    label, axis = f"{title}, the largest first", "effect on the holder's points"
    figures = forest(name, label, behind, shown, "what", "effect", axis, POINTS, "agent", FOUND)
    return Section(title, (Words(words), *figures, Table(name, title, ordered, columns, behind)))


def _largest_first(frame: pd.DataFrame) -> pd.DataFrame:
    """Changes by their mean effect over the agents, the agents of a change in the order in which they came."""
    mean = frame.groupby(["card", "change"])["effect"].transform("mean").rename("mean")
    keys = pd.concat([-mean, frame[["card", "change"]]], axis=1).sort_values(["mean", "card", "change"], kind="stable")
    return frame.loc[keys.index].reset_index(drop=True)


def _found(line: Line) -> str:
    return "yes" if line["discovered"] else "no"
