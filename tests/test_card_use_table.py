"""The table of cards: rates worked out by hand, runs replayed, and what is refused."""

import itertools

import numpy as np
import pandas as pd
import pytest
from conftest import SHIPPED_DECKS
from small_runs import plain_config
from test_cli import call, one_line

from duelbench.analysis.card_columns import BIASES, columns_of, pairs_of, ratios_of, table_of_moments
from duelbench.analysis.card_moments import CardMoments, measure, measures_of
from duelbench.analysis.card_use import CardStatistics, card_table, tables_of_run
from duelbench.analysis.decks import ALL_AGENTS
from duelbench.envs.card_counts import CardCounter, card_counts, use_of
from duelbench.envs.card_use import COPIES, DEALT, DRAWN, FIRED, FIRST_TURN, LEVEL, NEGATED, TAKEN, WASTED, WAYS
from duelbench.envs.errors import BadInput
from duelbench.envs.registry import load_game
from duelbench.experiments import costs
from duelbench.experiments.config import make_config
from duelbench.experiments.estimates import MIN_DEALS
from duelbench.experiments.folder import load_run_config
from duelbench.experiments.players import table_of
from duelbench.experiments.rows import part_bytes, part_path, part_paths, read_part, read_rows, rows_of
from duelbench.experiments.run import run

TAROT, TOMMY = load_game("tarot_duel"), load_game("tommy_walker")
AGENTS = {"rnd": {"type": "random"}, "low": {"type": "odd_agents:Lowest"}}
DECKS = [str(SHIPPED_DECKS / "tommy_walker" / name) for name in ("women.yaml", "riders.yaml")]


# --- Measures of one game, by hand ----------------------------------------------------------------------------


def tally(game, **counts):
    """A tally in which seat 0 has these counts of card 0, and `other` those of seat 1; ways by their numbers."""
    rows = {"copies": COPIES, "dealt": DEALT, "drawn": DRAWN, "taken": TAKEN, "fired": FIRED, "negated": NEGATED}
    rows |= {"wasted": WASTED, "level": LEVEL, "first_turn": FIRST_TURN, "way_0": WAYS, "way_1": WAYS + 1}
    made = np.zeros((2, use_of(game).measures, 1), np.int32)
    for seat, given in enumerate((counts, counts.pop("other", {}))):
        for name, number in given.items():
            made[seat, rows[name], 0] = number
    return made


def measured(game, points=2, seat=0, **counts):
    """The measures of card 0 that are not 0."""
    values = np.zeros((2, len(measures_of(use_of(game)))), np.int64)
    measure(tally(game, **counts), seat, 0, points, use_of(game).one_pack, values)
    return {name: int(value) for name, value in zip(measures_of(use_of(game)), values[seat], strict=True) if value}


def test_of_three_copies_one_dealt_one_drawn_and_played():
    assert measured(TOMMY, copies=3, dealt=1, drawn=1, way_0=1, level=1, first_turn=2) == {
        **{"copies": 3, "dealt": 1, "drawn": 1, "came": 2, "seen": 2, "unseen": 1},
        **{"plays": 1, "played": 1, "sides_played": 1, "first_turn": 2, "level": 1, "set_plays": 1, "set_sides": 1},
        **{"copies_points": 6, "dealt_points": 2, "seen_points": 4, "unseen_points": 2},
        **{"played_points": 2, "set_points": 2},
    }


def test_a_copy_drawn_again_is_not_another_copy():
    made = measured(TOMMY, copies=1, drawn=3, way_0=2, way_1=1)
    assert (made["seen"], made["came"], made["played"], made["plays"]) == (1, 3, 3, 3)
    assert (made["set_plays"], made["ride_plays"], made["set_sides"], made["sides_played"]) == (2, 1, 1, 1)
    assert "unseen" not in made


def test_a_card_that_was_only_taken_is_neither_seen_nor_unseen():
    made = measured(TOMMY, copies=2, taken=1)
    assert (made["came"], made["unseen"]) == (1, 1)
    assert "seen" not in made


def test_more_plays_than_cards_that_came_are_no_more_copies_played():
    assert measured(TOMMY, copies=1, dealt=1, way_0=4)["played"] == 1


def test_a_drawn_game_is_half_a_win_and_a_lost_one_none():
    assert measured(TOMMY, points=1, copies=1, dealt=1)["seen_points"] == 1
    assert "seen_points" not in measured(TOMMY, points=0, copies=1, dealt=1)


def test_in_one_pack_a_card_is_unseen_where_neither_seat_had_it():
    assert measured(TAROT, copies=1)["unseen_points"] == 2
    assert "unseen" not in measured(TAROT, copies=1, other={"copies": 1, "drawn": 1})
    assert "unseen" not in measured(TAROT, copies=1, other={"copies": 1, "taken": 1})
    assert "unseen" not in measured(TAROT, copies=1, drawn=1)


# --- Rates from made-up deals, by hand ------------------------------------------------------------------------


def moments_of(game, deals):
    """Sums of made-up deals of card 0; a deal is a list of games, a game (points of seat 0, counts of seat 0)."""
    moments = CardMoments(game, pairs_of(game))
    group, at = moments.group((ALL_AGENTS, "")), moments.measures
    for games in deals:
        values = [measured(game, points, **counts) for points, counts in games]
        total = {name: sum(value.get(name, 0) for value in values) for name in at}
        for name, m in at.items():
            moments.total.sums[group, 0, m] += total[name]
            moments.total.deals[group, 0, m] += total[name] != 0
            moments.total.games[group, 0, m] += sum(name in value for value in values)
        for (one, other), p in moments.pairs.items():
            moments.total.products[group, 0, p] += total[one] * total[other]
    return moments


HAND = {"copies": 2, "dealt": 1, "way_0": 1, "fired": 1, "level": 1, "first_turn": 2}
"""One copy in the opening hand, set in round 2; its effect acts. The other copy is not seen."""
LATE = {"copies": 2, "drawn": 2, "way_1": 1, "level": 1, "first_turn": 4, "wasted": 1}
"""Both copies are drawn; one is ridden in round 4, in vain."""
AWAY = {"copies": 2}
MADE_UP = [[(2, HAND), (0, LATE)], [(2, HAND), (1, AWAY)], [(0, HAND), (2, LATE)], [(0, AWAY), (2, HAND)]] * 5


def test_the_rates_of_made_up_deals():
    line = table_of_moments(moments_of(TOMMY, MADE_UP)).iloc[0]
    assert (line.card, line["name"], line.name_ja) == ("ralph", "Ralph", "チキンレッグの翔剣士・ラルフ")
    assert (line.agent, line.variant, line.games, line.deals) == (ALL_AGENTS, "", 40, 20)
    assert (line.copies, line.dealt, line.drawn, line.seen, line.unseen) == (80, 20, 20, 40, 40)
    assert line.opening_wr == pytest.approx(3 / 4)
    assert line.gih_wr == pytest.approx((3 + 2) / (4 + 4)), "of eight copies in hand, five were of games won"
    assert line.gns_wr == pytest.approx((3 + 1) / (4 + 4)), "of eight not seen, three, and two of a game drawn"
    assert line.iwd == pytest.approx(5 / 8 - 4 / 8)
    assert line.deck_wr == pytest.approx((6 + 2 + 1) / 16)
    assert line.seen_share == pytest.approx(1 / 2)
    assert line.played_rate == pytest.approx(6 / 8)
    assert line.played_wr == pytest.approx(4 / 6)
    assert (line.set_wr, line.ride_wr) == pytest.approx((3 / 4, 1 / 2))
    assert line.first_turn == pytest.approx((4 * 2 + 2 * 4) / 6)
    assert (line.ahead_share, line.level_share, line.behind_share) == (0, 1, 0)
    assert (line.fired_rate, line.wasted_rate, line.negated_rate) == pytest.approx((4 / 6, 2 / 6, 0))
    assert (line.opening_wr_games, line.opening_wr_deals) == (20, 20)
    assert (line.gih_wr_games, line.gih_wr_deals) == (30, 20)
    assert (line.played_wr_games, line.ride_wr_games, line.ride_wr_deals) == (30, 10, 10)
    assert np.isnan(line.barrier_wr)
    assert line.barrier_wr_games == 0


def test_the_interval_of_the_difference_is_that_of_its_linearised_deals():
    line = table_of_moments(moments_of(TOMMY, MADE_UP)).iloc[0]
    seen, seen_won = np.array([3, 1, 3, 1] * 5), np.array([1, 1, 2, 1] * 5)
    unseen, unseen_won = np.array([1, 3, 1, 3] * 5), np.array([1, 2, 0, 1] * 5)
    of_deal = (seen_won - line.gih_wr * seen) / seen.sum() - (unseen_won - line.gns_wr * unseen) / unseen.sum()
    error = np.sqrt((of_deal**2).sum() * 20 / 19)
    assert line.iwd_high - line.iwd == pytest.approx(2.093024 * error, rel=1e-6)
    assert line.iwd_deals == 20


def test_a_card_with_too_few_deals_has_counts_and_no_rates():
    line = table_of_moments(moments_of(TOMMY, MADE_UP[: MIN_DEALS - 1])).iloc[0]
    assert (line.deals, line.dealt) == (9, 9)
    assert np.isnan([line.opening_wr, line.opening_wr_low, line.iwd, line.iwd_p, line.first_turn]).all()
    assert not line.iwd_flag


def test_flags_find_planted_cards_and_few_others():
    rng, moments = np.random.default_rng(1), CardMoments(TOMMY, pairs_of(TOMMY))
    group, at, deals = moments.group((ALL_AGENTS, "")), moments.measures, 400
    for card in range(len(TOMMY.card_ids)):
        seen, chance = rng.random(deals) < 0.5, 0.8 if card < 3 else 0.5
        won = rng.random(deals) < np.where(seen, chance, 0.5)
        values = {"copies": np.ones(deals), "seen": seen, "unseen": ~seen}
        values |= {"seen_points": 2 * seen * won, "unseen_points": 2 * ~seen * won}
        full = {name: np.asarray(values.get(name, np.zeros(deals)), np.int64) for name in at}
        for name, m in at.items():
            moments.total.sums[group, card, m] = full[name].sum()
            moments.total.deals[group, card, m] = moments.total.games[group, card, m] = (full[name] != 0).sum()
        for (one, other), p in moments.pairs.items():
            moments.total.products[group, card, p] = (full[one] * full[other]).sum()
    table = table_of_moments(moments)
    assert table["iwd_flag"][:3].all()
    assert table["iwd_flag"][3:].sum() <= 1
    assert (table["iwd_q"] >= table["iwd_p"]).all()


# --- Real runs ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tarot_run(tmp_path_factory):
    """80 games of Tarot Duel in three part files."""
    config = make_config(plain_config(game="tarot_duel", agents=AGENTS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(costs, "MOST_DEALS_A_PART", 16)
        return run(config, tmp_path_factory.mktemp("runs"), executor="in-process")


@pytest.fixture(scope="module")
def tommy_run(tmp_path_factory):
    """96 games of Tommy Walker with two decks."""
    config = make_config(plain_config(game="tommy_walker", agents=AGENTS, deals=48, decks=DECKS))
    return run(config, tmp_path_factory.mktemp("runs"))


def sides_by_hand(config, game, rows, agent=None):
    """One line for each seat and card of all games, in plain Python."""
    lines = []
    for row in rows.itertuples():
        table = table_of(game, config, (row.deck0, row.deck1), row.variant)
        made = card_counts(game, table, row.deal_seed, row.actions)
        for seat, card in itertools.product(range(2), range(len(game.card_ids))):
            if agent in (None, (row.seat0, row.seat1)[seat]):
                score = 0.5 if row.winner == -1 else float(row.winner == seat)
                copies, dealt, drawn, taken = (int(made[seat, k, card]) for k in (COPIES, DEALT, DRAWN, TAKEN))
                had = made[:, [DEALT, DRAWN, TAKEN], card].sum()
                lines.append((row.matchup, row.deal, game.card_ids[card], score, copies, dealt, drawn, taken, had))
    columns = ["matchup", "deal", "card", "score", "copies", "dealt", "drawn", "taken", "had"]
    return pd.DataFrame(lines, columns=columns)


def weighted(sides, weight):
    """By card the mean score with these weights and the number of deals with any, where there are enough."""
    by_card = {}
    for card, lines in sides.assign(weight=weight, points=weight * sides["score"]).groupby("card"):
        deals = lines.groupby(["matchup", "deal"])[["points", "weight"]].sum()
        deals = deals[deals["weight"] > 0]
        if len(deals) >= MIN_DEALS:
            by_card[card] = (deals["points"].sum() / deals["weight"].sum(), len(deals))
    return by_card


@pytest.mark.parametrize("agent", [None, "low"])
def test_the_table_of_a_run_is_what_plain_python_makes_of_its_games(tarot_run, agent):
    config, rows = load_run_config(tarot_run), read_rows(tarot_run)
    table = card_table(tarot_run, agent).set_index("card")
    assert set(table["agent"]) == {agent or ALL_AGENTS}
    sides = sides_by_hand(config, TAROT, rows, agent)
    for column, weight in (
        ("opening_wr", sides["dealt"]),
        ("gih_wr", np.minimum(sides["dealt"] + sides["drawn"], 1)),
        ("gns_wr", (sides["had"] == 0).astype(int)),
    ):
        by_hand = weighted(sides, weight)
        assert set(by_hand) == set(table.index[table[column].notna()])
        for card, (rate, deals) in by_hand.items():
            assert table.loc[card, column] == pytest.approx(rate)
            assert table.loc[card, f"{column}_deals"] == deals


def test_the_table_with_decks_has_only_their_cards(tommy_run):
    config = load_run_config(tommy_run)
    table, sides = card_table(tommy_run).set_index("card"), sides_by_hand(config, TOMMY, read_rows(tommy_run))
    assert set(table.index) == set(sides["card"][sides["copies"] > 0])
    by_hand = weighted(sides, sides["copies"])
    assert {card: table.loc[card, "deck_wr"] for card in table.index} == {
        card: pytest.approx(rate) for card, (rate, _) in by_hand.items()
    }
    assert (table["copies"] >= table["seen"]).all()


def test_the_points_of_both_seats_are_all_the_points(tarot_run):
    table = card_table(tarot_run)
    assert (table["copies"] == 2 * 80).all()
    assert (table["games"] == 80).all(), "one game, though both seats could have had the card"
    assert (table["deals"] == 40).all()
    assert table["dealt"].sum() == 80 * 8
    both = card_table(tarot_run, by_agent=True)
    assert list(both["agent"].unique()) == ["low", "rnd"]
    for column in ("copies", "dealt", "drawn", "seen", "plays", "fired", "won"):
        assert (both.groupby("card", sort=False)[column].sum().to_numpy() == table[column].to_numpy()).all()


def gathered(folder, parts, **how):
    statistics = CardStatistics(TAROT, tables_of_run(load_run_config(folder)), **how)
    for part in parts:
        statistics.add(part)
    return statistics


def test_the_table_does_not_depend_on_the_order_of_parts_nor_on_how_they_are_merged(tarot_run):
    parts = [read_part(path) for path in part_paths(tarot_run)]
    assert len(parts) == 3
    whole = gathered(tarot_run, parts, by_agent=True).table()
    rng = np.random.default_rng(1)
    mixed = [part.take(rng.permutation(part.num_rows)) for part in parts[::-1]]
    pd.testing.assert_frame_equal(whole, gathered(tarot_run, mixed, by_agent=True).table(), check_exact=True)
    merged = gathered(tarot_run, parts[1:], by_agent=True)
    merged.merge(gathered(tarot_run, parts[:1], by_agent=True))
    pd.testing.assert_frame_equal(whole, merged.table(), check_exact=True)
    one = gathered(tarot_run, [read_rows(tarot_run)], by_agent=True)
    pd.testing.assert_frame_equal(whole, one.table(), check_exact=True)


def test_variants_are_kept_apart_and_played_with_their_own_tables(tarot_run):
    rows, asked = read_rows(tarot_run), []

    def table_of_variant(variant, decks):
        asked.append((variant, decks))
        return TAROT.table()

    halves = [rows.assign(variant="plain"), rows.assign(variant="other")]
    statistics = CardStatistics(TAROT, table_of_variant)
    for half in halves:
        statistics.add(half)
    table = statistics.table()
    assert sorted(asked) == [("other", ("", "")), ("plain", ("", ""))]
    assert list(table["variant"].unique()) == ["other", "plain"]
    plain = card_table(tarot_run)
    for _, lines in table.groupby("variant"):
        for column in ("games", "deals", "gih_wr", "iwd_low"):
            np.testing.assert_array_equal(lines[column], plain[column])
    both = pd.concat(halves, ignore_index=True)
    together, only = CardStatistics(TAROT, table_of_variant), CardStatistics(TAROT, table_of_variant, variant="other")
    together.add(both)
    pd.testing.assert_frame_equal(table, together.table(), check_exact=True)
    only.add(both)
    assert set(only.table()["variant"]) == {"other"}


def test_variants_of_a_run_are_replayed_with_their_own_rules(tmp_path):
    vary = {"rules": {"death_can_extend": [True, False]}, "cards": {"the_world": {"number": [21, 14]}}}
    folder = run(make_config(plain_config(game="tarot_duel", agents=AGENTS, deals=12, vary=vary)), tmp_path)
    config, table = load_run_config(folder), card_table(folder)
    assert list(table["variant"].unique()) == sorted(config.variants)
    assert len(config.variants) == 4
    assert (table["deals"] == 12).all()
    chosen = max(config.variants)
    alone = card_table(folder, variant=chosen)
    for column in ("games", "dealt", "seen", "gih_wr", "won"):
        np.testing.assert_array_equal(alone[column], table[table["variant"] == chosen][column])
    dealt = table.pivot(index="card", columns="variant", values="dealt")
    assert (dealt.nunique(axis=1) == 1).all(), "all variants have the same deals"


@pytest.mark.parametrize("game", [TAROT, TOMMY, load_game("wizard_in_training")], ids=lambda game: game.name)
def test_what_the_deal_decides_is_what_the_seats_start_with(game):
    for seed in range(5):
        table = game.table()
        state = game.dealt(table, seed)
        tally = CardCounter(game, table, state).tally
        at_start = DEALT if use_of(game).one_pack else COPIES
        np.testing.assert_array_equal(tally[:, at_start], game.start_cards(table, state))


# --- What is refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda row: row._replace(actions=[*row.actions[:-1], 106]), "illegal actions"),
        (lambda row: row._replace(actions=[-5, *row.actions[1:]]), "illegal actions"),
        (lambda row: row._replace(actions=row.actions[:-1]), "no end after all its actions"),
        (lambda row: row._replace(actions=[*row.actions, 0]), "actions after its end"),
        (lambda row: row._replace(winner=-1 if row.winner != -1 else 0), "another winner than"),
    ],
)
def test_a_row_that_is_no_game_is_named(tarot_run, tmp_path, damage, told):
    rows = rows_of(read_part(part_path(tarot_run, 0)))
    rows[3] = damage(rows[3])
    path = tmp_path / "part.parquet"
    path.write_bytes(part_bytes(rows))
    with pytest.raises(BadInput, match=f"game 3 has {told}"):
        gathered(tarot_run, [read_part(path)])


def test_names_that_the_run_does_not_have_are_refused(tarot_run):
    with pytest.raises(BadInput, match="no agent is called 'lwo'; did you mean 'low'"):
        card_table(tarot_run, "lwo")
    with pytest.raises(BadInput, match="no variant is called 'strong'"):
        card_table(tarot_run, variant="strong")


def test_rows_of_a_variant_that_the_run_does_not_have_are_refused(tarot_run):
    with pytest.raises(BadInput, match="the run has no variant 'strong'"):
        gathered(tarot_run, [read_rows(tarot_run).assign(variant="strong")])


def test_a_game_that_does_not_tell_of_cards_is_refused():
    import highcard

    with pytest.raises(BadInput, match="highcard does not say how the use of its cards is read"):
        CardStatistics(highcard.GAME, lambda variant, decks: highcard.GAME.table())


# --- The columns and the command ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [TAROT, TOMMY, load_game("wizard_in_training")], ids=lambda game: game.name)
def test_every_family_of_columns_has_its_biases(game):
    of_ways = {f"{way}_wr" for way in use_of(game).ways}
    families = {"level_share": "ahead_share", "behind_share": "ahead_share"}
    families |= dict.fromkeys(("negated_rate", "wasted_rate", "won_rate"), "fired_rate")
    for ratio in ratios_of(game):
        column = "played_wr" if ratio.column in of_ways else ratio.column
        assert families.get(column, column) in BIASES
    assert set(use_of(game).words) >= {"opening hand", "ahead", "contest", "fired", "wasted"}


def test_the_command_prints_both_tables_and_writes_all_columns(tarot_run, tmp_path):
    result = call("cards", tarot_run, "--sort", "dealt", "--csv", tmp_path / "cards.csv")
    assert result.exit_code == 0, result.output
    assert "What cards were worth" in result.stdout
    assert "How cards were used" in result.stdout
    assert all(text[:40] in result.stdout for text in BIASES.values())
    assert "replay: done" in result.stderr
    table = pd.read_csv(tmp_path / "cards.csv", keep_default_na=False, na_values=[""])
    assert list(table.columns) == columns_of(TAROT)
    assert list(table["dealt"]) == sorted(table["dealt"], reverse=True)
    assert set(table["name_ja"]) == set(TAROT.card_names_ja)


def test_the_command_refuses_what_is_not_there(tarot_run):
    assert "there is no column 'iwdd'; did you mean 'iwd'" in one_line(call("cards", tarot_run, "--sort", "iwdd"))
    assert "no agent is called 'me'" in one_line(call("cards", tarot_run, "--agent", "me"))
