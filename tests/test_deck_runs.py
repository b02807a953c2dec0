"""Runs with decks: what a config may say of them, which games that stands for, and that these are the same however
they come about."""

import itertools
import json

import deckcard
import numpy as np
import pytest
import yaml
from small_runs import DECKS, deck_config, highcard_known, make_highcard_known, plain_config  # noqa: F401

from duelbench.agents.agent import Agent
from duelbench.agents.policy import load_policy
from duelbench.agents.training import TrainSettings, train
from duelbench.envs.decks import MAX_POOL
from duelbench.envs.errors import BadInput
from duelbench.experiments.config import load_config, make_config
from duelbench.experiments.folder import differences
from duelbench.experiments.match import GameRow
from duelbench.experiments.plan import chunks, deck_pairs, games_of, total_games
from duelbench.experiments.players import Players
from duelbench.experiments.replay import replay_jsonl, replay_text
from duelbench.experiments.rows import part_bytes, part_path, read_row, read_rows
from duelbench.experiments.run import run
from duelbench.experiments.seeds import deal_seed, game_seeds
from duelbench.experiments.verify import verify

pytestmark = pytest.mark.usefixtures("highcard_known")

NAMES = ["amber", "blue", "coral"]
MIRROR = [["rnd", "rnd"]]
PLAIN = """\
name: small
game: deckcard
deals: 4
agents:
  rnd: {type: random}
  low: {type: 'odd_agents:Lowest'}
"""


def load(tmp_path, decks, start=PLAIN):
    (tmp_path / "c.yaml").write_text(start + decks)
    return load_config(tmp_path / "c.yaml")


def write_decks(folder, **texts):
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text)


def refusal(tmp_path, decks, start=PLAIN):
    """The line with which the config is refused, without the folder it stands in."""
    with pytest.raises(BadInput) as caught:
        load(tmp_path, decks, start)
    line = str(caught.value).replace(f"{tmp_path}/", "")
    assert "\n" not in line
    return line


# --- The key `decks` ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("decks", ["", "decks:\n", "decks: random\n"])
def test_without_a_word_decks_are_random(tmp_path, decks):
    config = load(tmp_path, decks)
    assert config.named_decks == {}
    assert config.deck_choice == config.resolved()["decks"] == "random"


def test_random_decks_of_some_cards(tmp_path):
    config = load(tmp_path, "decks: {random: [card_6, card_2]}\n")
    assert config.deck_choice == config.resolved()["decks"] == {"random": ["card_2", "card_6"]}


def test_files_and_folders_are_named_after_the_files(tmp_path):
    write_decks(tmp_path, zeta="plan: Last\ncards: [card_1: 2]\n")
    write_decks(tmp_path / "more", beta="- card_3\n- card_4\n", alpha="- card_5: 2\n")
    config = load(tmp_path, "decks:\n  - zeta.yaml\n  - more\n")
    assert [(d.name, d.plan, d.cards) for d in config.named_decks.values()] == [
        ("alpha", "", (5, 5)),
        ("beta", "", (3, 4)),
        ("zeta", "Last", (1, 1)),
    ]
    assert load(tmp_path, "decks: more\n").named_decks.keys() == {"alpha", "beta"}


def test_a_mapping_gives_names_to_files_and_decks_in_place(tmp_path):
    write_decks(tmp_path, long_name="- card_1: 2\n")
    decks = "decks:\n  x: {card_3: 1, card_0: 1}\n  file: long_name.yaml\n  a: {plan: All in, cards: [card_4: 2]}\n"
    named = load(tmp_path, decks).named_decks
    assert {name: deck.cards for name, deck in named.items()} == {"a": (4, 4), "file": (1, 1), "x": (3, 0)}
    assert [deck.name for deck in named.values()] == ["a", "file", "x"]
    assert named["a"].plan == "All in"


def test_paths_start_at_the_folder_of_the_config(tmp_path, monkeypatch):
    write_decks(tmp_path / "sub", own="- card_1: 2\n")
    (tmp_path / "sub" / "c.yaml").write_text(PLAIN + "decks: [own.yaml]\n")
    monkeypatch.chdir(tmp_path)
    assert list(load_config("sub/c.yaml").named_decks) == ["own"]
    assert list(make_config(deck_config(decks=["own.yaml"]), "sub").named_decks) == ["own"]


def test_the_run_folder_holds_the_decks_themselves(tmp_path):
    write_decks(tmp_path, b="plan: 計画\ncards: [card_5, card_1]\n", a="- card_2: 2\n")
    config = load(tmp_path, "decks: [b.yaml, a.yaml]\n")
    folder = run(config, tmp_path / "runs")
    for name in "ab":
        (tmp_path / f"{name}.yaml").unlink()
    again = load_config(folder / "config.yaml")
    assert again.named_decks == config.named_decks
    assert again.resolved() == config.resolved()
    assert yaml.safe_load((folder / "config.yaml").read_text())["decks"] == {
        "a": {"cards": [{"card_2": 2}]},
        "b": {"plan": "計画", "cards": [{"card_5": 1}, {"card_1": 1}]},
    }
    assert run(again, tmp_path / "runs") == folder


def test_another_deck_of_the_same_name_is_another_config(tmp_path):
    one, other = make_config(deck_config()), make_config(deck_config(decks=DECKS | {"blue": {"card_1": 2}}))
    told = differences(one.resolved(), other.resolved())
    assert len(told) == 2
    assert told[0].startswith("decks.blue.plan is High cards there")
    run(one, tmp_path)
    with pytest.raises(BadInput, match=r"made by another config: decks\.blue"):
        run(other, tmp_path)


def test_the_order_in_which_decks_are_listed_changes_nothing():
    backwards = dict(reversed(DECKS.items()))
    assert json.dumps(make_config(deck_config(decks=backwards)).resolved()) == json.dumps(
        make_config(deck_config()).resolved()
    )


REFUSED = {
    "a number": ("decks: 3\n", ["c.yaml:7: decks: found 3; expected random, a list", "a mapping"]),
    "no decks": ("decks: []\n", ["c.yaml:7: decks: found 0 decks, allowed: 1 to 64"]),
    "no file": ("decks:\n  - none.yaml\n", ["c.yaml:8: decks[0]: none.yaml: no such deck file or folder"]),
    "no file by name": ("decks:\n  a: none.yaml\n", ["c.yaml:8: decks.a: none.yaml: no such deck file or folder"]),
    "a folder by name": ("decks:\n  a: good\n", ["c.yaml:8: decks.a: good is a folder; a name stands for one deck"]),
    "an empty folder": ("decks: [empty]\n", ["c.yaml:7: decks[0]: empty: no *.yaml file in this folder"]),
    "a deck in a list": ("decks:\n- {card_1: 2}\n", ["c.yaml:8: decks[0]: found a mapping; a list holds deck files"]),
    "nothing": ("decks: ''\n", ["c.yaml:7: decks: found '', expected the path of a deck file or of a folder"]),
    "nothing in a list": ("decks: ['']\n", ["c.yaml:7: decks[0]: found '', expected the path"]),
    "nothing by name": ("decks: {a: ''}\n", ["c.yaml:7: decks.a: found '', expected the path"]),
    "null in a list": ("decks: [null]\n", ["c.yaml:7: decks[0]: found null; a list holds"]),
    "true by name": ("decks: {a: true}\n", ["c.yaml:7: decks.a: found true; expected a deck file"]),
    "too long a path": (
        f"decks: ['{'a' * 300}.yaml']\n",
        ["c.yaml:7: decks[0]: ", "cannot be read: File name too long"],
    ),
    "random in a list": ("decks: [random]\n", ["c.yaml:7: decks[0]: random decks stand alone, as in `decks: random`"]),
    "random beside a file": ("decks:\n- good/own.yaml\n- random\n", ["c.yaml:9: decks[1]: random decks stand alone"]),
    "random by name": ("decks: {x: random}\n", ["c.yaml:7: decks.x: random decks stand alone"]),
    "random cards by name": ("decks: {x: {random: [card_1]}}\n", ["c.yaml:7: decks.x: random decks stand alone"]),
    "nearly random": ("decks: Random\n", ["c.yaml:7: decks: Random: no such deck", "; did you mean 'random'?"]),
    "a deck without a name": (
        "decks:\n  card_1: 1\n  card_2: 1\n",
        [
            "c.yaml:8: decks.card_1: found 1; ",
            "a deck in place needs a name, as in `decks: {my_deck: {card_1: 1, ...}}`",
        ],
    ),
    "a plan without a name": (
        "decks: {plan: All in, cards: {card_1: 2}}\n",
        ["c.yaml:7: decks.plan: All in: no such", "needs a name, as in `decks: {my_deck: {plan: ..., cards: ...}}`"],
    ),
    "no cards in place": ("decks: {x: {plan: hi}}\n", ["c.yaml:7: decks.x: the key 'cards' is missing"]),
    "a plan in place": ("decks: {x: {plan: 3, cards: {card_1: 2}}}\n", ["c.yaml:7: decks.x.plan: found 3, expected"]),
    "a fault in a file": ("decks: [bad]\n", ["bad/bent.yaml:2: unknown card 'card_8'"]),
    "a card in place": ("decks:\n  a:\n    card_8: 2\n", ["c.yaml:9: decks.a.card_8: unknown card 'card_8'"]),
    "a count in place": (
        "decks:\n  a:\n    cards:\n    - card_1: none\n",
        ["c.yaml:10: decks.a.cards[0].card_1: count of 'card_1' is 'none'"],
    ),
    "a size in place": ("decks:\n  a: {card_1: 3}\n", ["c.yaml:8: decks.a: 3 cards, expected exactly 2"]),
    "two files of a name": (
        "decks: [good, good/own.yaml]\n",
        ["c.yaml:7: decks[1]: two decks are called 'own' (good/own.yaml and good/own.yaml)", "a mapping of names"],
    ),
    "an unusable file name": ("decks: [odd]\n", ["c.yaml:7: decks[0]: odd/my deck.yaml: 'my deck' is not a usable"]),
    "an unusable name": ("decks:\n  a/b: good/own.yaml\n", ["c.yaml:8: decks.a/b: 'a/b' is not a usable name"]),
    "the name of random decks": ("decks: [bad/random.yaml]\n", ["c.yaml:7: decks[0]: bad/random.yaml: no deck can be"]),
    "random and others": ("decks:\n  random: [card_1]\n  a: good/own.yaml\n", ["c.yaml:9: decks.a: found 'a' beside"]),
    "unknown random card": (
        "decks:\n  random:\n  - card_1\n  - card_9\n",
        ["c.yaml:10: decks.random[1]: unknown card 'card_9'"],
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_line_with_its_place(tmp_path, case):
    write_decks(tmp_path / "good", own="- card_1: 2\n")
    write_decks(tmp_path / "bad", bent="- card_1\n- card_8\n", random="- card_1: 2\n")
    write_decks(tmp_path / "odd", **{"my deck": "- card_1: 2\n"})
    write_decks(tmp_path / "empty")
    decks, fragments = REFUSED[case]
    line = refusal(tmp_path, decks)
    assert line.startswith(fragments[0])
    for fragment in fragments:
        assert fragment in line


def test_more_decks_than_a_seat_can_draw_from_are_refused(tmp_path):
    many = "".join(f"  d{i}: {{card_1: 2}}\n" for i in range(MAX_POOL + 1))
    assert refusal(tmp_path, f"decks:\n{many}") == "c.yaml:7: decks: found 65 decks, allowed: 1 to 64"


@pytest.mark.parametrize("decks", ["decks: random\n", "decks: [own.yaml]\n", "decks: {a: {card_1: 2}}\n"])
def test_a_game_without_decks_takes_none(tmp_path, decks):
    line = refusal(tmp_path, decks, PLAIN.replace("deckcard", "highcard"))
    assert line == "c.yaml:7: decks: highcard is played without decks"


def test_a_config_of_a_game_without_decks_is_what_it_was():
    assert "decks" not in make_config(plain_config()).resolved()


# --- An agent against itself -------------------------------------------------------------------------------


TWO_DECKS = "decks: {a: {card_1: 2}, b: {card_2: 2}}\n"
ONE_AGENT = PLAIN.replace("  low: {type: 'odd_agents:Lowest'}\n", "")


def test_an_agent_may_meet_itself_to_compare_two_decks(tmp_path):
    assert load(tmp_path, TWO_DECKS + "matchups: [[low, low]]\n").pairs == [("low", "low")]


def test_a_single_agent_meets_itself(tmp_path):
    config = load(tmp_path, TWO_DECKS, ONE_AGENT)
    assert config.pairs == [("rnd", "rnd")]
    assert config.resolved()["matchups"] == [["rnd", "rnd"]]


@pytest.mark.parametrize("decks", ["", "decks: {a: {card_1: 2}}\n"])
def test_one_deck_is_nothing_to_compare(tmp_path, decks):
    line = refusal(tmp_path, f"matchups:\n- [rnd, rnd]\n{decks}")
    told = "'rnd' against itself is for comparing two named decks or more; give the same agent a second name instead"
    assert line == f"c.yaml:8: matchups: {told}"
    told = "agents: found 1, expected at least two, or one and two named decks to compare, or a section balance"
    assert refusal(tmp_path, decks, ONE_AGENT) == f"c.yaml:4: {told}"


def test_an_agent_meets_itself_once(tmp_path):
    line = refusal(tmp_path, f"matchups:\n- [rnd, rnd]\n- [rnd, rnd]\n{TWO_DECKS}")
    assert line.startswith("c.yaml:9: matchups: 'rnd' and 'rnd' meet twice")


# --- Which games are played --------------------------------------------------------------------------------


def planned(config):
    return [game for chunk in chunks(config) for game in games_of(config, chunk)]


def test_deals_between_two_agents_go_through_all_ordered_pairs_of_decks():
    games = planned(make_config(deck_config(deals=20)))
    assert len(games) == 40
    a, b, c = NAMES
    pairs = [(a, b), (b, c), (c, a), (a, c), (b, a), (c, b), (a, a), (b, b), (c, c)]
    for deal in range(20):
        one, other = games[2 * deal : 2 * deal + 2]
        assert one.decks == other.decks == pairs[deal % 9]
        assert (one.seats, other.seats) == (("rnd", "low"), ("low", "rnd"))
        assert one.seeds.deal == other.seeds.deal


def test_the_two_games_of_a_deal_against_itself_swap_the_decks():
    games = planned(make_config(deck_config(deals=7, matchups=MIRROR)))
    pairs = [("amber", "blue"), ("blue", "coral"), ("coral", "amber")]
    for deal in range(7):
        one, other = games[2 * deal : 2 * deal + 2]
        assert one.decks == pairs[deal % 3]
        assert other.decks == one.decks[::-1]
        assert one.seats == other.seats == ("rnd", "rnd")
        assert one.seeds.deal == other.seeds.deal
        assert len({*one.seeds.agents, *other.seeds.agents}) == 4


@pytest.mark.parametrize("count", [2, 3, 4, 5, 10])
def test_a_few_deals_are_spread_over_all_decks(count):
    """Every so many pairs as there are decks have each deck once on either seat; no pair comes twice."""
    names = tuple("abcdefghij"[:count])
    pairs = deck_pairs(names, mirror=False)
    assert sorted(pairs) == sorted(itertools.product(names, repeat=2))
    for first in range(0, len(pairs), count):
        for seat in range(2):
            assert {pair[seat] for pair in pairs[first : first + count]} == set(names)
    mirrored = deck_pairs(names, mirror=True)
    assert sorted(map(sorted, mirrored)) == sorted(map(list, itertools.combinations(names, 2)))
    if count > 2:
        assert {pair[0] for pair in mirrored[:count]} == {pair[1] for pair in mirrored[:count]} == set(names)


def test_decks_without_names_are_told_apart_from_no_decks():
    assert {game.decks for game in planned(make_config(deck_config(decks=None)))} == {("random", "random")}
    assert {game.decks for game in planned(make_config(plain_config()))} == {("", "")}


@pytest.mark.parametrize("decks", [None, {"random": ["card_1", "card_2"]}])
def test_without_named_decks_seeds_are_those_of_a_game_without_decks(decks):
    with_decks, without = planned(make_config(deck_config(decks=decks))), planned(make_config(plain_config()))
    assert [game.seeds for game in with_decks] == [game.seeds for game in without]


def test_no_seed_is_used_twice():
    seen = []
    for seats in [("a", "b"), ("b", "a"), ("a", "a")]:
        for decks in [None, ("x", "y"), ("y", "x"), ("x", "x"), ("xy", "x"), ("x", "yx")]:
            for deal in range(20):
                seeds = game_seeds(1, seats, deal, decks)
                seen += [*seeds.agents, *seeds.determinizations]
                if seats != ("b", "a") and not (seats == ("a", "a") and decks == ("y", "x")):
                    seen.append(seeds.deal)
    assert len(set(seen)) == len(seen)
    assert deal_seed(1, ("a", "a"), 3, ("x", "y")) == deal_seed(1, ("a", "a"), 3, ("y", "x"))
    assert deal_seed(1, ("a", "b"), 3, ("x", "y")) == deal_seed(1, ("b", "a"), 3, ("x", "y"))


def test_seeds_never_change():
    """A run that was begun with an older copy of the project goes on with the same games."""
    assert deal_seed(7, ("rnd", "low"), 0, ("amber", "blue")) == 11023368704138550561
    assert deal_seed(7, ("rnd", "rnd"), 0, ("blue", "amber")) == 2224974270692829172
    assert game_seeds(7, ("rnd", "low"), 0, ("amber", "blue")).agents[0] == 14223414908026986740


def played(data, tmp_path):
    """All rows of a run, by what does not depend on the other games of it, and its place among those alike."""
    config, rows, found = make_config(data), [], {}
    players = Players(tmp_path, config)
    for game in planned(config):
        rows.append(players.play(game))
    for row in rows:
        key = (row.matchup, row.deck0, row.deck1, row.seat0)
        found[(*key, sum(other[:4] == key for other in found))] = row._replace(game=0, deal=0)
    assert len(found) == total_games(config)
    return found


MATCHUPS = [["rnd", "low"], ["rnd", "rnd"]]


@pytest.mark.parametrize("change", ["deck", "deals", "agent"])
def test_what_is_added_leaves_every_other_game_as_it_was(tmp_path, change):
    before = played(deck_config(deals=18, matchups=MATCHUPS), tmp_path)
    data = deck_config(deals=18, matchups=MATCHUPS)
    if change == "deck":  # with twice the pairs, each as often as before
        data = data | {"decks": {"aaa": {"card_1": 2}, **DECKS}, "deals": 36}
    elif change == "deals":
        data = data | {"deals": 25}
    else:
        data = data | {"agents": {"new": {"type": "random"}, **data["agents"]}, "matchups": [["new", "low"], *MATCHUPS]}
    after = played(data, tmp_path)
    assert len(after) > len(before)
    assert {key: after[key] for key in before} == before


def test_games_are_played_with_the_decks_that_the_rows_name(tmp_path):
    config = make_config(deck_config(deals=9))
    players = Players(tmp_path, config)
    for game in planned(config):
        row = players.play(game)
        decks = {f"player_{seat}": DECKS[name] for seat, name in enumerate((row.deck0, row.deck1))}
        table = deckcard.GAME.table(decks=decks)
        state = deckcard.GAME.dealt(table, row.deal_seed)
        for action in row.actions:
            deckcard.GAME.play(table, state, action)
        assert (int(state.winner), game.decks) == (row.winner, (row.deck0, row.deck1))


class Remembers(Agent):
    """Fails when a game that it is asked in is not the one it was told of last."""

    def __init__(self, game, table):
        self.seat = None

    def begin(self, seat):
        self.seat = seat

    def act(self, position, rng):
        assert position.seat == self.seat
        return position.legal_actions[0]


def test_an_agent_against_itself_is_two_agents(tmp_path):
    config = make_config(deck_config(agents={"a": {"type": "test_deck_runs:Remembers"}}, deals=3))
    players = Players(tmp_path, config)
    assert len([players.play(game) for game in planned(config)]) == 6


# --- Whole runs --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def undisturbed(whole_run):
    """The folder of a finished run with search and training."""
    return whole_run("deckcard")


def test_the_rows_name_the_decks(undisturbed):
    rows = read_rows(undisturbed)
    assert list(rows.columns[4:8]) == ["seat0", "seat1", "deck0", "deck1"]
    mirror = rows[rows["matchup"] == "search vs search"]
    assert list(mirror["deck0"][:4]) == ["amber", "blue", "blue", "coral"]
    assert list(mirror["deck1"][:4]) == ["blue", "amber", "coral", "blue"]


def test_random_decks_are_called_so(tmp_path):
    rows = read_rows(run(make_config(deck_config(decks=None, deals=2)), tmp_path))
    assert set(rows["deck0"]) == set(rows["deck1"]) == {"random"}


def test_other_decks_in_the_config_of_a_run_are_found(tmp_path):
    folder = run(make_config(deck_config(matchups=MIRROR)), tmp_path)
    text = (folder / "config.yaml").read_text()
    (folder / "config.yaml").write_text(text.replace("card_7: 2", "card_5: 2"))
    found = verify(folder)
    assert found.bad_games
    assert {problem.column for problem in found.problems} == {"winner"}
    (folder / "config.yaml").write_text(text.replace("coral:", "dune:"))
    assert not verify(folder).ok


def test_a_policy_is_trained_with_the_decks_and_says_so(tmp_path):
    settings = TrainSettings(steps=64, lanes=4, rollout=8, batch_size=16, layers=[4])
    policies = []
    for number, decks in enumerate([{"card_7": 2}, {"card_2": 2}]):
        path = tmp_path / f"{number}.npz"
        train(deckcard.GAME, None, settings, 1, path, {}, decks=decks)
        policies.append(load_policy(path, deckcard.GAME, None))
    assert policies[0].provenance["decks"] == [[{"name": "deck", "plan": "", "cards": ["card_7", "card_7"]}]] * 2
    assert not np.array_equal(policies[0].weights, policies[1].weights)


def test_a_training_of_a_run_has_all_its_decks(undisturbed):
    kept = load_policy(undisturbed / "checkpoints" / "quick.npz", deckcard.GAME, None).provenance["decks"]
    assert [deck["name"] for deck in kept[0]] == NAMES
    assert kept[0][1] == {"name": "blue", "plan": "High cards", "cards": ["card_0", "card_5"]}


def test_a_training_without_decks_says_what_random_ones_are_made_of(tmp_path):
    settings = TrainSettings(steps=8, lanes=2, rollout=4, batch_size=4, layers=[4])
    train(deckcard.GAME, None, settings, 1, tmp_path / "p.npz", {}, decks={"random": ["card_3", "card_1"]})
    provenance = load_policy(tmp_path / "p.npz", deckcard.GAME, None).provenance
    assert provenance["decks"] == [{"random": ["card_1", "card_3"]}] * 2


# --- A stored game told again ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def mirror(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        make_highcard_known(tmp_path_factory.mktemp("site"), patch)
        return run(make_config(deck_config(matchups=MIRROR, deals=12)), tmp_path_factory.mktemp("runs"))


def test_a_replay_says_which_decks_were_played(mirror):
    assert list(replay_text(mirror, 1))[:3] == [
        "Game 1 of run small: Deck Card, rnd vs rnd, deal 0",
        "player_0 is rnd with the deck blue: High cards",
        "player_1 is rnd with the deck amber",
    ]
    assert json.loads(next(replay_jsonl(mirror, 1)))["decks"] == [
        {"name": "blue", "plan": "High cards", "cards": [{"card_0": 1}, {"card_5": 1}]},
        {"name": "amber", "cards": [{"card_7": 2}]},
    ]


def test_a_replay_of_random_decks_says_so(tmp_path):
    folder = run(make_config(deck_config(decks=None, deals=1)), tmp_path)
    assert list(replay_text(folder, 0))[1] == "player_0 is rnd with a random deck"
    assert json.loads(next(replay_jsonl(folder, 0)))["decks"] == [{"name": "random"}] * 2


@pytest.mark.parametrize("decks", [None, DECKS])
def test_a_row_with_a_deck_that_the_run_does_not_have_is_refused(tmp_path, decks):
    folder = run(make_config(deck_config(decks=decks, deals=1)), tmp_path)
    row: GameRow = read_row(folder, 0)._replace(deck1="dune")
    part_path(folder, 0).write_bytes(part_bytes([row]))
    known = "amber, blue, coral" if decks else "'random'"
    with pytest.raises(
        BadInput, match=rf"game 0 of run small cannot .*: its decks are '\w+' and 'dune'; known: {known}$"
    ):
        list(replay_text(folder, 0))
