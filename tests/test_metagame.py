"""The search for decks: its mixture, its children, its rounds with results made by hand, and whole searches."""

import json
import os
import signal

import numpy as np
import pandas as pd
import pytest
from conftest import SHIPPED_DECKS
from small_runs import DECKS, highcard_known  # noqa: F401

from duelbench.agents.compiled import compiled_player
from duelbench.analysis import open_run
from duelbench.analysis.metagame import mixture_share, read_metagame, versus
from duelbench.envs.decks import Deck, read_deck
from duelbench.envs.errors import BadInput
from duelbench.envs.registry import load_game
from duelbench.experiments.ending import Terminated
from duelbench.experiments.equilibrium import equilibrium
from duelbench.experiments.metagame_breeding import Breeder, sorted_cards
from duelbench.experiments.metagame_config import make_metagame_config
from duelbench.experiments.metagame_play import Meeting, Table, pieces
from duelbench.experiments.metagame_pool import Pool, load_pool
from duelbench.experiments.metagame_run import mixture_of, run_metagame, validation_config
from duelbench.experiments.metagame_search import begin, finished, play_round
from duelbench.experiments.rows import read_rows

pytestmark = pytest.mark.usefixtures("highcard_known")

ROCK, PAPER, SCISSORS = (0, 0), (1, 1), (2, 2)


def config(**changes):
    small = {
        "name": "hunt",
        "game": "deckcard",
        "seed": 5,
        "decks": DECKS,
        "agent": {"type": "random"},
        "rounds": 2,
        "search": {"population": 4, "generations": 2, "deals": 10, "changes": 1},
        "pool_deals": 10,
        "confirm_deals": 20,
        "validation_deals": 10,
    }
    return make_metagame_config(small | changes)


# --- Mixtures -------------------------------------------------------------------------------------------------


def test_rock_paper_scissors_is_mixed_equally():
    wins = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / 2
    assert equilibrium(wins) == pytest.approx([1 / 3] * 3)


def test_where_one_win_counts_double_the_others_are_played_more():
    # a - b: +2, b - c: +1, c - a: +1; against weights (1/4, 1/4, 1/2) everyone comes to 0
    payoffs = np.array([[0, 2, -1], [-2, 0, 1], [1, -1, 0]], float)
    assert equilibrium(payoffs) == pytest.approx([0.25, 0.25, 0.5])


def test_what_beats_everything_is_played_alone():
    payoffs = np.array([[0, -0.1, 0.2], [0.1, 0, 0.3], [-0.2, -0.3, 0]])
    assert equilibrium(payoffs) == pytest.approx([0, 1, 0])


# --- Children -------------------------------------------------------------------------------------------------


def test_children_are_legal_differ_from_their_parents_and_follow_from_the_seed():
    game = load_game("wizard_in_training")
    parents = [sorted_cards(read_deck(game, SHIPPED_DECKS / "wizard_in_training" / "still_room.yaml"))]
    broods = []
    for _ in range(2):
        breeder = Breeder(game, 3, np.random.default_rng(11))
        broods.append([breeder.child(parents) for _ in range(30)])
    assert broods[0] == broods[1]
    for child in broods[0]:
        assert game.deck_rules.check(child) is None
        assert len(set(range(30)) & {i for i in range(30) if child[i] != parents[0][i]}) >= 1
        assert child not in parents
    assert len(set(broods[0])) > 10


# --- Rounds ---------------------------------------------------------------------------------------------------


def made_up(strength):
    """Plays meetings by a function of two decks: the first one's share, the same in every deal."""

    def play(meetings, what):
        return [np.full(len(m.deals), strength(m.first, m.second)) for m in meetings]

    return play


def by_sum(first, second):
    return 0.5 if sum(first) == sum(second) else float(sum(first) > sum(second))


def test_the_pool_begins_with_the_decks_of_the_config_and_what_they_score():
    pool = Pool()
    begin(config(), pool, made_up(by_sum))
    assert pool.names == ["amber", "blue", "coral"]  # sums 14, 5 and 4
    assert pool.shares.tolist() == [[0.5, 1, 1], [0, 0.5, 1], [0, 0, 0.5]]
    assert mixture_of(pool) == {"amber": 1.0}


def test_a_round_adds_the_deck_that_beats_the_mixture():
    found = config(decks={"low": {"card_0": 2}, "lower": {"card_0": 1, "card_1": 1}})
    pool = Pool()
    begin(found, pool, made_up(by_sum))
    play_round(found, pool, made_up(by_sum))
    assert pool.names[2] == "found_01"
    assert sum(pool.decks[2]) > 1
    assert pool.shares[2].tolist() == [1, 1, 0.5]
    told = pool.rounds[0]
    assert (told["name"], told["share"], told["deals"]) == ("found_01", 1.0, 20)
    assert told["mixture"] == {"lower": 1.0}


def test_a_deck_that_does_not_prove_itself_is_not_added_and_patience_ends_the_search():
    found = config(patience=1)
    pool = Pool()
    begin(found, pool, made_up(by_sum))
    assert not finished(found, pool)
    play_round(found, pool, made_up(by_sum))  # nothing has more than 14
    assert pool.rounds[0]["name"] == ""
    assert len(pool) == 3
    assert finished(found, pool)


def test_pieces_cut_meetings_without_losing_a_deal():
    meetings = [Meeting(ROCK, PAPER, "x", range(5, 12)), Meeting(ROCK, SCISSORS, "x", range(3))]
    cut = [(number, piece.deals) for number, piece in pieces(meetings, 4)]
    assert cut == [(0, range(5, 9)), (0, range(9, 12)), (1, range(3))]


def test_compiled_games_end_as_those_in_python():
    table = Table(config())
    meeting = Meeting((7, 7), (0, 5), "any", range(3, 63))
    players = [compiled_player(agent) for agent in table._agents]
    for swapped in range(2):
        slow = table._winners_in_python(meeting, swapped)
        assert table._winners(meeting, swapped, players).tolist() == slow.tolist()
        assert set(slow) == {0, 1}, "games that either deck won"


# --- What the mixture scores ----------------------------------------------------------------------------------


def test_the_mixtures_share_is_the_weighted_mean_with_the_weighted_error():
    half = np.tile([0.0, 1.0], 50)
    good = np.tile([0.5, 1.0], 50)
    e = mixture_share({"a": half, "b": good}, {"a": 0.25, "b": 0.75}, "c")
    assert e.value == pytest.approx(0.25 * 0.5 + 0.75 * 0.75)
    error = np.sqrt(0.25**2 * np.var(half, ddof=1) / 100 + 0.75**2 * np.var(good, ddof=1) / 100)
    assert (e.high - e.low) / 2 == pytest.approx(1.97 * error, rel=0.01)
    assert e.deals == 200


def test_a_deck_of_the_mixture_scores_half_against_itself():
    e = mixture_share({"a": np.tile([0.0, 1.0], 50)}, {"a": 0.5, "c": 0.5}, "c")
    assert e.value == pytest.approx(0.5)
    assert mixture_share({}, {"c": 1.0}, "c").value == 0.5


def test_too_few_deals_are_refused():
    e = mixture_share({"a": np.array([0.0, 1.0, 0.5])}, {"a": 1.0}, "c")
    assert np.isnan(e.low)
    assert e.note == "a: too few deals for an interval: 3, at least 10 needed"


def test_shares_are_taken_from_either_direction_of_a_pair():
    deals = pd.DataFrame(
        {"agent": "p", "first": "a", "second": "b", "matchup": "p vs p", "deal": range(20), "share": [0.25, 0.75] * 10}
    ).assign(share=lambda t: t["share"] + 0.1)
    table = versus(deals, {"b": 1.0}, ["a", "b"])
    assert table.set_index("deck")["share"].to_dict() == pytest.approx({"a": 0.4, "b": 0.5})


# --- Whole searches -------------------------------------------------------------------------------------------


def results(folder):
    parts = sorted(folder.glob("validation/games/*.parquet"))
    return [
        (folder / "pool.json").read_bytes(),
        (folder / "mixture.json").read_bytes(),
        *(p.read_bytes() for p in parts),
    ]


def test_a_search_is_the_same_with_any_number_of_workers_and_goes_on_after_an_interruption(tmp_path):
    alone = run_metagame(config(), tmp_path / "one", 1)
    assert results(alone)[2:], "the validation run has parts"

    def interrupt(progress):
        if progress.what.startswith("round 2"):
            os.kill(os.getpid(), signal.SIGTERM)

    with pytest.raises(Terminated):
        run_metagame(config(), tmp_path / "two", 2, interrupt)
    status = json.loads((tmp_path / "two" / "hunt" / "status.json").read_text())
    assert (status["state"], status["rounds"]) == ("interrupted", 1)
    assert results(run_metagame(config(), tmp_path / "two", 2)) == results(alone)
    found = read_metagame(alone)
    assert found.mixture["weight"].sum() == pytest.approx(1)
    assert found.cards["share"].sum() == pytest.approx(1)
    assert set(found.versus["deck"]) == set(DECKS)
    with pytest.raises(BadInput, match=r"a search for decks; its run is .*validation"):
        open_run(alone)
    assert len(open_run(alone / "validation").rows(["game"])) == len(read_rows(alone / "validation", ["game"]))


def test_a_folder_of_another_search_is_refused(tmp_path):
    run_metagame(config(rounds=1), tmp_path, 1)
    with pytest.raises(BadInput, match=r"made by another config: .*seed is 5 there and 6 here"):
        run_metagame(config(rounds=1, seed=6), tmp_path, 1)


def test_a_damaged_pool_is_refused(tmp_path):
    path = tmp_path / "pool.json"
    path.write_text('{"names": ["a"], "decks": [], "shares": [], "rounds": []}')
    with pytest.raises(BadInput, match=r"pool.json: not the pool of a search"):
        load_pool(path)


def test_the_validation_plays_fresh_deals_with_all_decks_of_the_mixture():
    pool = Pool()
    begin(config(), pool, made_up(lambda first, second: 0.5))
    pool.add("found_01", (3, 3), np.array([1.0, 1.0, 1.0]))
    validation = validation_config(config(check_with={"two": {"type": "random"}}), pool)
    assert set(validation.named_decks) == {*DECKS, "found_01"}
    assert validation.named_decks["found_01"] == Deck("found_01", "", (3, 3))
    assert validation.pairs == [("player", "player"), ("two", "two")]
    assert validation.deals == 6 * 10
    assert validation.seed != config().seed


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"decks": "random"}, "decks: found random decks, expected at least two named decks to begin with"),
        ({"game": "highcard", "decks": None}, "game: highcard is played without decks"),
        ({"agent": {"type": "randm"}}, "did you mean 'random'"),
        ({"search": {"populaton": 3}}, "unknown key 'search.populaton'; did you mean 'population'?"),
        ({"pool_deals": 3}, "pool_deals is 3; expected at least 10"),
        ({"agent": {"type": "ppo", "train": "x"}}, "a search has no train sections"),
    ],
)
def test_what_is_wrong_with_a_config_is_said_in_one_line(changes, said):
    with pytest.raises(BadInput) as caught:
        config(**changes)
    assert said in str(caught.value)
