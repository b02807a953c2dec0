"""What a reading of the rules changes: deals are compared with themselves, and never mixed up between variants."""

import math

import numpy as np
import pandas as pd
import pytest
from made_up_results import deck_rows, frame_of

from duelbench.analysis.payoffs import deal_table
from duelbench.analysis.summary import TABLES, summarise, write_tables
from duelbench.analysis.variants import EFFECT_COLUMNS, variant_effects
from duelbench.envs.errors import BadInput

PLAIN = {("a", "b"): ["WW", "WL", "LL", "DL"] * 20, ("a", "c"): ["WL"] * 80}


def both(base, changed, variant="no_magic=true"):
    return pd.concat([base.assign(variant=""), changed.assign(variant=variant)], ignore_index=True)


def line_of(effects, matchup, measure):
    (line,) = effects[(effects["matchup"] == matchup) & (effects["measure"] == measure)].itertuples()
    return line


def test_a_changed_deal_is_compared_with_itself():
    # Every fourth deal, split before, is won twice by "a" now.
    effects = variant_effects(both(frame_of(PLAIN), frame_of(PLAIN | {("a", "b"): ["WW", "WW", "LL", "DL"] * 20})))
    share = line_of(effects, "a vs b", "share of a")
    assert (share.base, share.value, share.difference) == (pytest.approx(0.4375), pytest.approx(0.5625), 0.125)
    # t(79) is 1.99045; the differences are 1/2 in 20 deals of 80 and 0 in the others, with variance 80/79 * 3/64.
    half = 1.99045 * math.sqrt(80 / 79 * 3 / 64 / 80)
    assert (share.low, share.high) == (pytest.approx(0.125 - half, abs=1e-5), pytest.approx(0.125 + half, abs=1e-5))
    assert share.p == pytest.approx(2 / 2**20)
    assert share.matters
    assert share.deals == 80
    seat = line_of(effects, "a vs b", "share of seat 0")
    assert (seat.base, seat.value) == (pytest.approx(0.6875), pytest.approx(0.5625))


def test_what_no_deal_changes_does_not_matter_and_has_the_width_of_an_exception():
    effects = variant_effects(both(frame_of(PLAIN), frame_of(PLAIN)))
    assert not effects["matters"].any()
    assert (effects["difference"] == 0).all()
    share = line_of(effects, "a vs c", "share of a")
    # One deal more and one less of 80: the mean has a standard error of sqrt(2 / 79 / 80).
    assert share.high == -share.low == pytest.approx(1.99045 * math.sqrt(2 / 79 / 80), abs=1e-5)
    decisions = line_of(effects, "a vs b", "decisions")
    assert decisions.note == "no deal differs"
    assert math.isnan(decisions.low)


def test_the_same_deals_tell_more_than_as_many_others():
    rng = np.random.default_rng(2)
    deals = ["".join(rng.choice(["W", "L"], 2)) for _ in range(200)]
    changed = [deal if i % 10 else "WW" for i, deal in enumerate(deals)]
    line = line_of(
        variant_effects(both(frame_of({("a", "b"): deals}), frame_of({("a", "b"): changed}))), "a vs b", "share of a"
    )
    apart = 1.97 * math.sqrt(2 * 0.125 / 200)
    assert (line.high - line.low) / 2 < apart / 2


def test_lengths_draws_and_endings_are_compared():
    base, changed = frame_of(PLAIN), frame_of(PLAIN)
    changed.loc[changed["deal"] % 2 == 0, "decisions"] += 1
    changed.loc[(changed["deal"] % 4 == 0) & (changed["matchup"] == "a vs c"), ["winner", "reason"]] = [
        -1,
        "turn limit",
    ]
    effects = variant_effects(both(base, changed))
    assert line_of(effects, "a vs b", "decisions").difference == pytest.approx(0.5)
    assert line_of(effects, "a vs b", "decisions").matters
    for measure, difference in (("drawn", 0.25), ("ended: turn limit", 0.25), ("ended: all rounds played", -0.25)):
        line = line_of(effects, "a vs c", measure)
        assert (line.difference, line.matters) == (pytest.approx(difference), True)
    assert not len(effects[(effects["matchup"] == "a vs b") & (effects["measure"] == "ended: turn limit")])


def test_only_deals_that_both_have_are_compared():
    base, changed = frame_of({("a", "b"): ["WL"] * 30}), frame_of({("a", "b"): ["WW"] * 12})
    line = line_of(variant_effects(both(base, changed)), "a vs b", "share of a")
    assert (line.deals, line.base, line.value) == (12, 0.5, 1.0)
    few = line_of(variant_effects(both(base, changed[changed["deal"] < 9])), "a vs b", "share of a")
    assert (few.deals, few.difference) == (9, 0.5)
    assert math.isnan(few.low)
    assert math.isnan(few.p)
    assert not few.matters
    assert "at least 10" in few.note


def test_a_variant_that_changes_nothing_is_seldom_said_to_matter():
    rng, lines = np.random.default_rng(3), []
    for _ in range(40):
        deals, others = (["".join(deal) for deal in rng.choice(["W", "L", "D"], (40, 2))] for _ in range(2))
        lines.append(variant_effects(both(frame_of({("a", "b"): deals}), frame_of({("a", "b"): others}))))
    # Every such flag is mistaken: 5 % of the tables, 2, may have one, and chance adds 5 at most.
    assert sum(effects["matters"].any() for effects in lines) <= 7
    small = np.mean([(effects["p"] < 0.05).mean() for effects in lines])
    assert small < 0.09


@pytest.mark.parametrize(("turned", "matters"), [(6, False), (8, True)])
def test_a_difference_has_to_stand_out_among_all_measures(turned, matters):
    # Lost deals that are won twice now: the share of "a" has a p-value of 2 / 2**turned, the four other measures of 1.
    base, changed = ["LL"] * 40, ["WW"] * turned + ["LL"] * (40 - turned)
    share = line_of(
        variant_effects(both(frame_of({("a", "b"): base}), frame_of({("a", "b"): changed}))), "a vs b", "share of a"
    )
    assert (share.p, share.q) == (pytest.approx(2 / 2**turned), pytest.approx(5 * 2 / 2**turned))
    assert share.p < 0.05
    assert share.matters == matters


def test_an_agent_against_itself_has_no_share_of_its_own():
    base, changed = (
        pd.DataFrame(deck_rows({("x", "y"): ["WL"] * 20})),
        pd.DataFrame(deck_rows({("x", "y"): ["WW"] * 20})),
    )
    effects = variant_effects(both(base, changed))
    assert set(effects["measure"]) == {"share of seat 0", "drawn", "decisions", "ended: all rounds played"}


def test_results_of_one_variant_have_no_effects_and_a_missing_base_is_named():
    rows = frame_of(PLAIN)
    for one in (rows, rows.assign(variant="")):
        effects = variant_effects(one)
        assert list(effects.columns) == EFFECT_COLUMNS
        assert len(effects) == 0
    with pytest.raises(BadInput, match="variant 'z' is not in the results, which have 'x', 'y'"):
        variant_effects(both(rows, rows, "y").replace({"variant": {"": "x"}}), "z")


def test_tables_are_of_one_variant_each():
    changed = frame_of({("a", "b"): ["LL"] * 80, ("a", "c"): ["WW"] * 80})
    found, alone = summarise(both(frame_of(PLAIN), changed)), summarise(frame_of(PLAIN))
    assert found.variant == ""
    assert list(found.variants) == ["no_magic=true"]
    for name in (*TABLES, "deals"):
        assert getattr(found, name).equals(getattr(alone, name)), name
        assert getattr(found.variants["no_magic=true"], name).equals(getattr(summarise(changed), name)), name
    assert found.effects.equals(variant_effects(both(frame_of(PLAIN), changed)))


def test_deals_of_two_variants_are_not_taken_for_one_table():
    with pytest.raises(BadInput, match="several variants cannot be one table: '', 'no_magic=true'"):
        deal_table(both(frame_of(PLAIN), frame_of(PLAIN)))


def test_every_table_is_written_twice_with_its_variant(tmp_path):
    changed = frame_of({("a", "b"): ["LL"] * 80, ("a", "c"): ["WW"] * 80})
    found = summarise(both(frame_of(PLAIN), changed))
    written = write_tables(tmp_path, found)
    files = {path.relative_to(tmp_path).as_posix() for path in written}
    assert files == {
        "payoffs.csv", "ratings.csv",
        *(f"tables/{name}.{ending}" for name in (*TABLES, "effects") for ending in ("csv", "parquet")),
    }  # fmt: skip
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {path.name for path in written[2:]}
    for name in (*TABLES, "effects"):
        text = pd.read_csv(tmp_path / "tables" / f"{name}.csv", keep_default_na=False)
        stored = pd.read_parquet(tmp_path / "tables" / f"{name}.parquet")
        assert list(text.columns) == list(stored.columns), name
        assert len(text) == len(stored), name
    payoffs = pd.read_parquet(tmp_path / "tables" / "payoffs.parquet")
    assert list(payoffs["variant"]) == [""] * 4 + ["no_magic=true"] * 4
    assert payoffs.drop(columns="variant")[:4].equals(found.payoffs)
    assert (
        pd.read_csv(tmp_path / "payoffs.csv", keep_default_na=False)["score"].tolist()
        == found.payoffs["score"].tolist()
    )


def test_where_the_game_as_configured_is_not_played_the_variant_that_comes_first_is_the_base():
    yes = frame_of(PLAIN).assign(variant="magic=true")
    no = frame_of(PLAIN).assign(variant="magic=false", game=lambda rows: rows["game"] + len(yes))
    found = summarise(pd.concat([no, yes]))
    assert (found.variant, list(found.variants)) == ("magic=true", ["magic=false"])
    assert set(found.effects["variant"]) == {"magic=false"}
