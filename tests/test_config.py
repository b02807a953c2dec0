"""Configs: what is accepted, what is refused, and how."""

import os
from pathlib import Path

import pytest
from small_runs import highcard_known, plain_config, write_config  # noqa: F401

from duelbench.envs.errors import BadInput
from duelbench.experiments.config import RunConfig, load_config, make_config
from duelbench.experiments.folder import differences
from duelbench.experiments.metagame_config import load_metagame_config
from duelbench.experiments.plan import chunks, games_of, planned_game, total_games
from duelbench.experiments.training_config import load_training_config

pytestmark = pytest.mark.usefixtures("highcard_known")

CONFIGS = Path(__file__).parent.parent / "configs"

GOOD = """\
name: small
game: highcard
rules:
  rounds: 2
seed: 7
deals: 3
agents:
  rnd: {type: random}
  search:
    type: ismcts
    simulations: 20
  learned: {type: ppo, train: quick}
train:
  quick:
    steps: 1000
matchups:
  - [search, rnd]
  - [learned, rnd]
"""


def refusal(tmp_path, text):
    """The one line with which a file of that text is refused, without the folder it stands in."""
    path = tmp_path / "c.yaml"
    path.write_text(text)
    with pytest.raises(BadInput) as caught:
        load_config(path)
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith(str(path))
    return line.removeprefix(f"{tmp_path}/")


def test_a_good_config_is_read(tmp_path):
    path = tmp_path / "c.yaml"
    path.write_text(GOOD)
    config = load_config(path)
    assert (config.name, config.game, config.seed, config.deals) == ("small", "highcard", 7, 3)
    assert config.pairs == [("search", "rnd"), ("learned", "rnd")]
    assert config.specs["search"].parameters["simulations"] == 20
    assert config.settings["quick"].steps == 1000
    assert config.folder == tmp_path


def test_the_resolved_config_has_every_default_and_loads_to_the_same(tmp_path):
    path = tmp_path / "c.yaml"
    path.write_text(GOOD)
    resolved = load_config(path).resolved()
    assert resolved["agents"]["search"]["exploration"] > 0
    assert resolved["train"]["quick"]["epochs"] >= 1
    assert resolved["rules"] == {"rounds": 2}
    assert load_config(write_config(tmp_path, resolved)).resolved() == resolved


def test_without_matchups_all_agents_meet():
    three = {name: {"type": "random"} for name in "abc"}
    assert make_config(plain_config(agents=three)).pairs == [("a", "b"), ("a", "c"), ("b", "c")]


def test_empty_sections_count_as_absent(tmp_path):
    path = tmp_path / "c.yaml"
    path.write_text("name: x\ngame: highcard\nrules:\ntrain:\nagents:\n  a: {type: random}\n  b: {type: random}\n")
    assert load_config(path).resolved()["rules"] == {"rounds": 3}


def test_every_key_is_described_in_a_sentence():
    for name, field in RunConfig.model_fields.items():
        assert (field.description or "").endswith("."), name


REFUSED = {
    "unknown key": (
        "seed: 7",
        "sede: 7",
        ["c.yaml:5", "'sede'", "mean 'seed'", "known: agents, balance, cards, deals"],
    ),
    "wrong type": ("deals: 3", "deals: three", ["c.yaml:6", "deals is 'three'", "a whole number"]),
    "a truth value is no number": ("deals: 3", "deals: true", ["c.yaml:6", "deals is true", "a whole number"]),
    "too small": ("deals: 3", "deals: 0", ["c.yaml:6", "deals is 0", "at least 1"]),
    "negative seed": ("seed: 7", "seed: -1", ["c.yaml:5", "seed is -1", "at least 0"]),
    "list for a mapping": ("  rounds: 2", "  [rounds]", ["c.yaml:3", "rules is a list", "a mapping"]),
    "missing key": ("game: highcard\n", "", ["c.yaml", "'game' is missing", "agents"]),
    "unknown game": ("highcard", "highcrad", ["c.yaml:2", "game", "'highcrad'", "did you mean 'highcard'", "known"]),
    "unknown option": ("rounds: 2", "round: 2", ["c.yaml:4: rules.round: highcard has no rule option 'round'; did"]),
    "option value": ("rounds: 2", "rounds: 4", ["c.yaml:4: rules.rounds is 4; allowed: 3, 1, 2"]),
    "option as text": ("rounds: 2", "rounds: '2'", ["c.yaml:4: rules.rounds is the text '2'; allowed: 3, 1, 2"]),
    "option without a value": ("rounds: 2", "rounds:", ["c.yaml:4: rules.rounds is null; allowed: 3, 1, 2"]),
    "unknown agent type": (
        "type: random",
        "type: randon",
        ["c.yaml:8", "agents.rnd", "'randon'", "did you mean 'random'"],
    ),
    "agent is text": ("rnd: {type: random}", "rnd: random", ["c.yaml:8", "agents.rnd", "'random'", "mapping"]),
    "unknown parameter": (
        "    simulations",
        "    simulation",
        ["c.yaml:11", "agents.search", "'simulation'", "'simulations'"],
    ),
    "parameter value": (
        "simulations: 20",
        "simulations: lots",
        ["c.yaml:11", "agents.search", "simulations", "'lots'"],
    ),
    "no such class": ("type: random", "type: 'nowhere:Agent'", ["c.yaml:8", "agents.rnd", "nowhere"]),
    "not an agent": ("type: random", "type: 'pathlib:Path'", ["c.yaml:8", "agents.rnd", "pathlib:Path", "Agent"]),
    "no such training": (
        "train: quick",
        "train: quik",
        ["c.yaml:12", "agents.learned", "'quik'", "did you mean 'quick'"],
    ),
    "unknown setting": ("    steps", "    stepz", ["c.yaml:15", "train.quick.stepz", "did you mean 'steps'", "known"]),
    "setting value": ("steps: 1000", "steps: many", ["c.yaml:15", "train.quick.steps is 'many'", "a whole number"]),
    "unknown key without a value": ("seed: 7", "sede:", ["c.yaml:5", "unknown key 'sede'", "did you mean 'seed'"]),
    "an exponent without a point": (
        "steps: 1000",
        "clip: 1e-3",
        ["c.yaml:15", "train.quick.clip is '1e-3'", "a number", "1.0e-3"],
    ),
    "setting bound": ("steps: 1000", "steps: 0", ["c.yaml:15", "train.quick.steps is 0", "at least 1"]),
    "setting choice": (
        "steps: 1000",
        "algorithm: dqn",
        ["c.yaml:15", "train.quick.algorithm is 'dqn'; expected 'ppo'"],
    ),
    "setting list": ("steps: 1000", "layers: []", ["c.yaml:15", "train.quick.layers is a list", "at least 1 of them"]),
    "training is text": ("\n    steps: 1000", " lots", ["c.yaml:14", "train.quick is 'lots'", "a mapping"]),
    "unknown agent in a matchup": ("[search, rnd]", "[serch, rnd]", ["c.yaml:17", "matchups", "'serch'", "'search'"]),
    "three in a matchup": (
        "[search, rnd]",
        "[search, rnd, learned]",
        ["c.yaml:17", "matchups.0 is a list", "at most 2 of them"],
    ),
    "one in a matchup": ("[search, rnd]", "[search]", ["c.yaml:17", "matchups.0 is a list", "at least 2 of them"]),
    "against itself": ("[search, rnd]", "[rnd, rnd]", ["c.yaml:17", "matchups", "'rnd'", "second name"]),
    "the same twice": ("[learned, rnd]", "[rnd, search]", ["c.yaml:18", "matchups", "once"]),
    "unknown agent with fewer deals": (
        "deals: 3",
        "deals_with:\n  rnd: 2\n  serch: 1",
        ["c.yaml:8", "deals_with", "unknown agent 'serch'", "did you mean 'search'"],
    ),
    "no deals with an agent": (
        "deals: 3",
        "deals_with:\n  rnd: 0",
        ["c.yaml:7", "deals_with.rnd is 0", "expected at least 1"],
    ),
    "a share of deals with an agent": (
        "deals: 3",
        "deals_with: {rnd: 0.5}",
        ["c.yaml:6", "deals_with.rnd is 0.5", "a whole number"],
    ),
    "one number of deals for all": ("deals: 3", "deals_with: 2", ["c.yaml:6", "deals_with is 2", "a mapping"]),
    "bad run name": ("name: small", "name: ../up", ["c.yaml:1", "name", "'../up'", "letters, digits"]),
    "bad agent name": ("  rnd:", "  'r n d':", ["c.yaml:8", "agents", "'r n d'", "letters, digits"]),
    "bad training name": ("  quick:", "  q/k:", ["c.yaml:14", "train", "'q/k'", "letters, digits"]),
    "a key twice": ("seed: 7", "name: b", ["c.yaml:5", "'name'", "twice", "line 1"]),
    "a nested key twice": (
        "    type: ismcts",
        "    simulations: 3\n    type: ismcts",
        ["c.yaml:12", "'simulations'", "twice", "line 10"],
    ),
    "a key that is no text": ("seed: 7", "on: 7", ["c.yaml:5", "key on", "text", "quotes"]),
    "broken YAML": ("seed: 7", "seed: [7", ["c.yaml:6", "not YAML"]),
    "an impossible date": ("seed: 7", "seed: 2020-13-45", ["c.yaml", "not YAML"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_line_with_place_and_what_is_allowed(tmp_path, case):
    old, new, fragments = REFUSED[case]
    assert old in GOOD
    line = refusal(tmp_path, GOOD.replace(old, new, 1))
    assert line.startswith(fragments[0])
    for fragment in fragments:
        assert fragment in line, line


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("", "the file is empty"),
        ("# nothing but a remark\n", "the file is empty"),
        ("just a sentence", "expected a mapping"),
        ("- a\n- b\n", "expected a mapping of keys to values, found a list"),
        ("a: 1\n---\nb: 2\n", "not YAML"),
        ("a: \t*x", "not YAML"),
        ("a: !!python/object:os.system x", "not YAML"),
        ("[" * 5000, "not YAML"),
        (GOOD[: GOOD.index("agents:")] + "agents: {rnd: {type: random}}\n", "expected at least two"),
        (GOOD[: GOOD.index("matchups:")] + "matchups: []\n", "expected at least one pair"),
    ],
)
def test_refused_as_a_whole(tmp_path, text, fragment):
    assert fragment in refusal(tmp_path, text)


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "latin").write_bytes(b"name: \xe9\xff")
    for name, told in [("none.yaml", "no such file"), (".", "is a directory"), ("latin", "not UTF-8")]:
        path = tmp_path / name
        with pytest.raises(BadInput) as caught:
            load_config(path)
        assert str(caught.value).startswith(f"{path}: ")
        assert told in str(caught.value)


def test_a_pipe_is_no_config(tmp_path):
    os.mkfifo(tmp_path / "c.yaml")
    with pytest.raises(BadInput, match=r"c\.yaml: neither a file nor a folder$"):
        load_config(tmp_path / "c.yaml")


def test_a_config_given_as_data_is_checked_in_the_same_way():
    with pytest.raises(BadInput, match=r"^config: unknown key 'dealz'; did you mean 'deals'\?"):
        make_config(plain_config(dealz=3))


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_config_of_the_project_is_valid_and_called_like_its_file(path):
    kind = path.stem.split("_")[0]
    load = {"train": load_training_config, "metagame": load_metagame_config}.get(kind, load_config)
    assert load(path).name == path.stem


def test_differences_name_the_keys():
    found = {"deals": 3, "agents": {"a": {"type": "random"}, "b": {}}}
    wanted = {"deals": 4, "agents": {"a": {"type": "ppo"}}}
    told = differences(found, wanted)
    assert told == [
        "deals is 3 there and 4 here",
        "agents.a.type is random there and ppo here",
        "agents.b is {} there and nothing here",
    ]


def test_true_differs_from_one():
    assert differences({"a": 1}, {"a": True}) == ["a is 1 there and True here"]


# --- What a config stands for ------------------------------------------------------------------------------


def test_every_game_is_in_exactly_one_part():
    slow = {"a": {"type": "random"}, "b": {"type": "ismcts"}, "c": {"type": "random"}}
    config = make_config(plain_config(agents=slow, deals=300))
    parts = chunks(config)
    assert [chunk.part for chunk in parts] == list(range(len(parts)))
    numbers = [planned.number for chunk in parts for planned in games_of(config, chunk)]
    assert numbers == list(range(total_games(config))) == list(range(3 * 300 * 2))
    assert max(len(chunk.deals) for chunk in parts if chunk.label == "a vs b") < 100


def test_each_deal_is_played_twice_with_seats_swapped():
    config = make_config(plain_config())
    first, second = planned_game(config, 6), planned_game(config, 7)
    assert first.deal == second.deal == 3
    assert first.seats == ("rnd", "low")
    assert second.seats == ("low", "rnd")
    assert first.seeds.deal == second.seeds.deal
    assert first.matchup == second.matchup == "rnd vs low"


def unequal(**changes):
    """Five deals, three with `slow`, two with `slower`: matchups of 5, 3, 2 deals and so on."""
    agents = {name: {"type": "random"} for name in ("quick", "fast", "slow", "slower")}
    return make_config(plain_config(agents=agents, deals=5, deals_with={"slower": 2, "slow": 3}) | changes)


def test_the_least_number_of_deals_that_applies_counts():
    config = unequal()
    pairs = {"quick fast": 5, "quick slow": 3, "quick slower": 2, "fast slow": 3, "fast slower": 2, "slow slower": 2}
    assert {" ".join(pair): config.deals_of(pair) for pair in config.pairs} == pairs
    assert unequal(deals=1).deals_of(("quick", "slow")) == 1


def test_games_of_unequal_matchups_are_numbered_one_after_the_other():
    config = unequal()
    parts = chunks(config)
    planned = [game for chunk in parts for game in games_of(config, chunk)]
    assert [game.number for game in planned] == list(range(total_games(config))) == list(range(2 * 17))
    assert planned == [planned_game(config, number) for number in range(2 * 17)]
    expected = [(f"{a} vs {b}", deal) for a, b in config.pairs for deal in range(config.deals_of((a, b)))]
    assert [(game.matchup, game.deal) for game in planned[::2]] == expected
    assert [(game.matchup, game.deal) for game in planned[1::2]] == expected
    assert all(game.seats == other.seats[::-1] for game, other in zip(planned[::2], planned[1::2], strict=True))
    with pytest.raises(IndexError):
        planned_game(config, 2 * 17)


def test_fewer_deals_leave_those_that_remain_as_they_were():
    def by_name(config):
        games = (planned_game(config, number) for number in range(total_games(config)))
        return {(game.matchup, game.deal, game.seats): game.seeds for game in games}

    equal, fewer = by_name(unequal(deals_with={})), by_name(unequal())
    assert len(fewer) < len(equal)
    assert fewer.items() <= equal.items()


def test_fewer_deals_are_kept_in_the_resolved_config_and_their_absence_too(tmp_path):
    assert "deals_with" not in unequal(deals_with={}).resolved()
    resolved = unequal().resolved()
    assert resolved["deals_with"] == {"slower": 2, "slow": 3}
    assert load_config(write_config(tmp_path, resolved)).resolved() == resolved


@pytest.mark.parametrize("number", [-1, 80])
def test_there_is_no_game_outside_the_run(number):
    with pytest.raises(IndexError):
        planned_game(make_config(plain_config()), number)
