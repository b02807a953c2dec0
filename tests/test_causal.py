"""Effects of cards, sweeps and fair values: by hand, on made-up rows, and where a card is planted in real games."""

import numpy as np
import pandas as pd
import pytest
from conftest import SHIPPED_DECKS
from small_runs import DECKS, highcard_known  # noqa: F401

from duelbench.analysis.causal import card_effects, paired, restricted_play, rule_effects, rule_rows
from duelbench.analysis.crossings import crossing, crossing_of_deals
from duelbench.analysis.sweeps import fair_values, sweep_curves
from duelbench.experiments.config import make_config
from duelbench.experiments.holders import starts
from duelbench.experiments.match import GameRow
from duelbench.experiments.plan import arms, decks_of, planned_game, total_games
from duelbench.experiments.players import Players

pytestmark = pytest.mark.usefixtures("highcard_known")
PAIR = ("rnd", "rnd")


def study(balance, **more):
    base = {"name": "study", "game": "highcard", "seed": 5, "deals": 60, "agents": {"rnd": {"type": "random"}}}
    return make_config(base | {"balance": balance} | more)


def deck_study(balance, **more):
    return study(balance, game="deckcard", decks=DECKS, **more)


def rows_of(config, winner):
    """A row for every game of the plan; `winner(planned)` says who won it."""
    rows = []
    for number in range(total_games(config)):
        p = planned_game(config, number)
        rows.append(
            GameRow(number, p.matchup, p.deal, 0, *p.seats, *p.decks, p.variant, winner(p), "over", 2, [0, 0])._asdict()
        )
    return pd.DataFrame(rows)


def played(config, folder):
    """The rows of a study, played in this process."""
    players = Players(folder, config)
    return pd.DataFrame([players.play(planned_game(config, n))._asdict() for n in range(total_games(config))])


def by_card(table):
    return {line.card: line for line in table.itertuples()}


# --- Effects by hand ------------------------------------------------------------------------------------------


def test_the_effect_is_what_the_holder_scores_less():
    """Card 2 is in the deck coral. Seat 0 wins every game as configured; with the change the other deck always wins."""
    config = deck_study({"cards": ["card_2"], "changes": [{"number": 1}]}, deals=30)

    def winner(game):
        return 0 if not game.variant else 1 - game.decks.index("coral")

    (line,) = card_effects(rows_of(config, winner), config).itertuples()
    assert (line.share_with, line.share_without, line.effect) == (0.5, 0.0, 0.5)
    assert (line.deals, line.games) == (20, 80)
    assert (line.name, line.name_ja, line.change, line.agent) == ("Card 2", "札2", "number+1", "rnd")
    assert line.note == "the same difference in every deal"
    assert line.discovered


def test_a_draw_is_half_a_point_and_the_deal_is_the_unit():
    """With the change the holder draws its second game of each deal instead of losing it, in every other deal."""
    config = deck_study({"cards": ["card_2"], "changes": [{"number": 1}]}, deals=60)

    def winner(game):
        holder = game.decks.index("coral") if "coral" in game.decks else 0
        first = game.decks == decks_of(config, PAIR, game.deal)
        if first:
            return holder
        return -1 if game.variant and game.deal // 3 % 2 else 1 - holder

    (line,) = card_effects(rows_of(config, winner), config).itertuples()
    differences = np.array([0.0, -0.25] * 20)
    half = 2.022690920 * differences.std(ddof=1) / np.sqrt(40)  # Student's t with 39 degrees of freedom
    assert line.deals == 40
    assert (line.effect, line.low, line.high) == pytest.approx((-0.125, -0.125 - half, -0.125 + half))


def test_a_card_in_hand_counts_for_its_seat_in_the_one_game_of_a_deal():
    config = study({"cards": ["card_4"], "changes": [{"number": 1}]})
    holders = starts(config, PAIR).holder(4)
    rows = rows_of(config, lambda game: int(holders[game.deal]) if game.variant else -1)
    (line,) = card_effects(rows, config).itertuples()
    assert (line.effect, line.deals, line.games) == (-0.5, (holders >= 0).sum(), 2 * (holders >= 0).sum())


def test_agents_and_kinds_of_change_stay_apart():
    agents = {"a": {"type": "random"}, "b": {"type": "random"}}
    config = study({"cards": ["card_1", "card_4"], "changes": [{"number": 1}, {"number": 2}]}, agents=agents)
    rows = rows_of(config, lambda game: game.deal % 2)
    assert list(zip(*[card_effects(rows, config)[name] for name in ("change", "agent")], strict=True)) == [
        (change, agent) for change in ("number+1", "number+2") for agent in "ab" for _ in range(2)
    ]


def test_what_makes_no_difference_is_exactly_nothing_and_never_discovered():
    config = study({"changes": ["blank"]})
    table = card_effects(rows_of(config, lambda game: game.deal % 3 - 1), config)
    assert (table["effect"] == 0).all()
    assert (table["p"] == 1).all()
    assert (table["q"] == 1).all()
    assert not table["discovered"].any()
    assert set(table["note"]) == {"no deal came out differently"}


def test_few_deals_are_refused_and_stay_out_of_the_adjustment():
    config = deck_study({"cards": ["card_2", "card_4"], "changes": [{"number": 1}]}, deals=12)
    lines = by_card(card_effects(rows_of(config, lambda game: 0), config))
    assert (lines["card_2"].deals, lines["card_4"].deals) == (8, 0)
    for line in lines.values():
        assert np.isnan([line.low, line.p, line.q]).all()
        assert line.note.startswith("too few deals")
        assert not line.discovered


def test_a_deal_of_which_a_game_is_missing_does_not_count():
    config = deck_study({"cards": ["card_2"], "changes": [{"number": 1}]}, deals=30)
    rows = rows_of(config, lambda game: 0)
    held = rows[(rows["variant"] != "")].index
    (line,) = card_effects(rows.drop(held[0]), config).itertuples()
    assert line.deals == 19


def test_the_order_of_the_rows_does_not_matter():
    config = deck_study({"changes": [{"number": 1}]})
    rows = rows_of(config, lambda game: (game.deal * 7 + len(game.variant)) % 2)
    pd.testing.assert_frame_equal(card_effects(rows, config), card_effects(rows.sample(frac=1, random_state=1), config))


def test_restricted_play_is_a_kind_of_its_own():
    config = study({"changes": [{"number": 1}], "forbid": ["card_7"]})
    holders = starts(config, PAIR).holder(7)
    rows = rows_of(config, lambda game: int(1 - holders[game.deal]) if "never" in game.variant else -1)
    (line,) = restricted_play(rows, config).itertuples()
    assert (line.card, line.change, line.effect) == ("card_7", "never played", 0.5)


def test_rules_are_compared_on_all_deals_without_the_changes_of_cards():
    config = study({"changes": [{"number": 1}], "rules": {"rounds": [1]}})
    rows = rows_of(config, lambda game: 0 if game.variant == "rounds=1" else game.deal % 2)
    assert set(rule_rows(rows, config)["variant"]) == {"", "rounds=1"}
    lines = {line.measure: line for line in rule_effects(rows, config).itertuples()}
    assert (lines["share of seat 0"].difference, lines["share of seat 0"].deals) == (0.5, 60)


# --- Tests of many cards --------------------------------------------------------------------------------------


def test_the_p_value_is_that_of_the_paired_t_test():
    """Differences 1, 0, 0, ... : mean 1/10, deviation sqrt(1/10), so t is exactly 1 with 9 degrees of freedom."""
    found = paired(np.array([1.0] + [0.5] * 9), np.array([0.0] + [0.5] * 9))
    assert found.p == pytest.approx(0.3434363)
    assert (found.effect, found.deals) == (pytest.approx(0.1), 10)


def test_where_nothing_matters_a_study_seldom_discovers_anything():
    """Benjamini & Hochberg: with no true effect, in 5% of the studies; 8 cards are far from independent here."""
    config = study({"changes": [{"number": 1}]}, deals=80)
    rows, rng, wrong = rows_of(config, lambda game: 0), np.random.default_rng(3), 0
    for _ in range(80):
        rows["winner"] = rng.integers(0, 2, len(rows))
        wrong += card_effects(rows, config)["discovered"].any()
    assert wrong <= 10  # over 99% of binomial(80, 0.05)


def test_the_threshold_is_that_of_the_config():
    rng = np.random.default_rng(4)
    found = []
    for share in (0.05, 0.6):
        config = study({"changes": [{"number": 1}], "false_discoveries": share})
        rows = rows_of(config, lambda game: 0)
        rows["winner"] = np.where(rng.random(len(rows)) < 0.5 + 0.06 * (rows["variant"] != ""), 0, 1)
        table = card_effects(rows, config)
        assert (table["discovered"] == (table["q"] <= share)).all()
        found.append(table["discovered"].sum())
    assert found[0] < found[1]


# --- Crossings ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "reference", "found"),
    [
        ([0.2, 0.4, 0.8], 0.5, 2.5),  # a quarter of the way from 2 to 4
        ([0.8, 0.4, 0.2], 0.5, 1.75),
        ([0.2, 0.5, 0.8], 0.5, 2.0),
        ([0.2, 0.5, 0.5], 0.5, 3.0),  # equal from 2 to 4
        ([0.4, 0.2, 0.9], 0.3, 1.5),  # the first two are pooled at 0.3
        ([0.6, 0.7, 0.8], 0.5, -np.inf),
        ([0.2, 0.3, 0.4], 0.5, np.inf),
        ([0.8, 0.7, 0.6], 0.5, np.inf),
        ([0.4, 0.3, 0.2], 0.5, -np.inf),
    ],
)
def test_crossings_by_hand(shares, reference, found):
    assert crossing(np.array([1.0, 2.0, 4.0]), np.array(shares), reference) == pytest.approx(found)


VALUES = np.array([4.0, 6.0, 8.0, 10.0])


def made_up_deals(rng, deals, reference=0.5):
    """Scores of deals whose expected share is 0.1 v - 0.2 at the value v; a lucky deal is lucky at every value."""
    luck = rng.random((deals, 2))
    curve = np.stack([(luck < 0.1 * v - 0.2).mean(axis=1) for v in VALUES], axis=1)
    return curve, (rng.random((deals, 2)) < reference).mean(axis=1)


def test_a_known_crossing_is_recovered():
    curve, reference = made_up_deals(np.random.default_rng(1), 4000)
    fixed, measured = crossing_of_deals(VALUES, curve, 0.5), crossing_of_deals(VALUES, curve, reference)
    assert fixed.low < 7 < fixed.high
    assert measured.low < 7 < measured.high
    assert measured.high - measured.low > fixed.high - fixed.low
    assert fixed.high - fixed.low < 0.5
    assert measured.turned == 0


def test_intervals_of_crossings_cover_as_often_as_they_say():
    rng, covered = np.random.default_rng(2), 0
    for _ in range(60):
        curve, reference = made_up_deals(rng, 150)
        found = crossing_of_deals(VALUES, curve, reference)
        covered += found.low <= 7 <= found.high
    assert covered >= 52  # over 99% of binomial(60, 0.95)


# --- Sweeps and fair values -----------------------------------------------------------------------------------

SWEEP = {"sweep": {"card_2": {"number": [1, 4, 6]}}, "stand_ins": {"card_2": ["card_1", "card_3"]}}


def strong(config, share):
    """Rows in which the holder of card 2 wins the share that `share(variant)` says of the games of held deals."""
    rows, rng = rows_of(config, lambda game: 0), np.random.default_rng(6)
    luck = dict(zip(range(len(rows)), rng.random(len(rows)), strict=True))
    holder = np.where(rows["deck0"] == "coral", 0, 1)
    wins = [luck[deal] < share(variant) for deal, variant in zip(rows["deal"], rows["variant"], strict=True)]
    return rows.assign(winner=np.where(wins, holder, 1 - holder))


SHARES = {"": 0.4, "card_2.number=1": 0.3, "card_2.number=4": 0.6, "card_2.number=6": 0.8}


def test_a_sweep_has_a_share_for_every_value():
    config = deck_study(SWEEP, deals=900)
    curve = sweep_curves(strong(config, lambda variant: SHARES.get(variant, 0.5)), config)
    assert list(curve["value"]) == [1, 2, 4, 6]
    assert curve["share"].tolist() == pytest.approx([0.3, 0.4, 0.6, 0.8], abs=0.05)
    assert set(curve["deals"]) == {600}
    assert ((curve["low"] < curve["share"]) & (curve["share"] < curve["high"])).all()


def test_fair_is_where_the_card_does_as_well_as_its_stand_ins():
    config = deck_study(SWEEP, deals=900)
    (line,) = fair_values(strong(config, lambda variant: SHARES.get(variant, 0.5)), config).itertuples()
    assert (line.card, line.field, line.agent, line.printed, line.deals) == ("card_2", "number", "rnd", 2, 600)
    assert line.reference == pytest.approx(0.5, abs=0.05)
    assert line.low < 3 < line.high
    assert line.fair == pytest.approx(3, abs=0.4)
    assert line.note == ""


def test_a_fair_value_outside_the_values_tried_is_said_to_lie_there():
    config = deck_study(SWEEP, deals=300)
    (line,) = fair_values(strong(config, lambda variant: SHARES.get(variant, 0.1)), config).itertuples()
    assert np.isnan(line.fair)
    assert line.low == -np.inf
    assert line.note == "better than fair at every value tried; fair would lie below 1, if anywhere"


def test_a_number_that_does_nothing_has_no_sure_direction():
    config = deck_study(SWEEP, deals=300)
    (line,) = fair_values(rows_of(config, lambda game: game.deal % 2), config).itertuples()
    assert line.reference == 0.5
    rows = rows_of(config, lambda game: 0)
    rows["winner"] = np.random.default_rng(8).integers(0, 2, len(rows))
    (line,) = fair_values(rows, config).itertuples()
    assert line.note.endswith("whether more is better is not clear from these deals")
    assert "if anywhere" not in line.note


def test_too_few_deals_have_no_fair_value():
    config = deck_study(SWEEP, deals=12)
    (line,) = fair_values(rows_of(config, lambda game: 0), config).itertuples()
    assert np.isnan([line.fair, line.low, line.high]).all()
    assert line.note == "too few deals for an interval: 8, at least 10 needed"


def test_a_sweep_of_a_deck_game_without_stand_ins_has_a_curve_alone():
    config = deck_study({"sweep": SWEEP["sweep"]})
    rows = rows_of(config, lambda game: 0)
    assert len(sweep_curves(rows, config)) == 4
    assert fair_values(rows, config).empty


# --- Planted cards --------------------------------------------------------------------------------------------


def test_the_size_of_an_effect_and_a_fair_number_are_those_that_can_be_computed(tmp_path):
    """High Card of one round at random: the holder plays card 3 in a third of the games and then beats 3 of the 7 other
    cards. Above all others it beats 7: 1/3 * 4/7 more. Otherwise both sides play one of the other cards at random, so
    the card is fair where it beats as many as it loses to, between 3 and 4."""
    balance = {"cards": ["card_3"], "changes": [{"number": 90}, "blank"], "sweep": {"card_3": {"number": [0, 6, 9]}}}
    config = study(balance, rules={"rounds": 1}, deals=1500)
    rows = played(config, tmp_path)
    strong, blank = card_effects(rows, config).itertuples()
    assert strong.low < -4 / 21 < strong.high < 0
    assert strong.discovered
    assert (blank.effect, blank.p, blank.discovered) == (0, 1, False)
    (fair,) = fair_values(rows, config).itertuples()
    assert fair.low < 3.5 < fair.high
    assert fair.high - fair.low < 3


PLANTED = {
    "tarot_duel": ({"the_magician": {"number": 42}}, "the_magician", {"number": -41}),
    "tommy_walker": ({"ralph": {"power": 30000}}, "ralph", {"power": -29000}),
    "wizard_in_training": ({"candle_imp": {"attack": 20, "defend": 20}}, "candle_imp", {"attack": -20}),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_card_that_is_planted_too_strong_is_found(name, tmp_path):
    cards, card, change = PLANTED[name]
    folder = SHIPPED_DECKS / name
    decks = {} if name == "tarot_duel" else {"decks": [str(path) for path in sorted(folder.glob("*.yaml"))[:4]]}
    balance = {"cards": [card], "changes": [change]}
    agents = {"rnd": {"type": "heuristic"}}
    config = study(balance, game=name, cards=cards, deals=120, agents=agents, **decks)
    (line,) = card_effects(played(config, tmp_path), config).itertuples()
    assert line.deals >= 10
    assert line.low > 0
    assert line.discovered
    assert len(list(arms(config))) == 2
