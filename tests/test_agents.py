"""Agents by name, and what holds for every agent."""

import builtins
import datetime
import inspect
import subprocess
import sys

import numpy as np
import pytest
from conftest import game_called

from duelbench.agents.agent import Agent, position_of
from duelbench.agents.catalogue import agent_types, make_agent, parse_spec
from duelbench.agents.heuristic import heuristic_player
from duelbench.agents.ismcts import ISMCTSAgent
from duelbench.agents.playouts import judges
from duelbench.agents.search_defaults import search_defaults
from duelbench.envs import dispatch
from duelbench.envs.errors import BadInput
from duelbench.envs.playout import random_action
from duelbench.envs.rng import new_stream


class Stubborn(Agent):
    """A player from elsewhere: always the legal action nearest to its favourite number."""

    def __init__(self, game, table, favourite: int, stubbornness: float = 0.5) -> None:
        if favourite < 0:
            raise ValueError("favourite is\nnegative")
        self.favourite = favourite

    def act(self, position, rng):
        return min(position.legal_actions, key=lambda action: abs(action - self.favourite))


class Adjustable(Agent):
    """A player from elsewhere whose constructor takes anything, and may do anything with it."""

    def __init__(self, game, table, widths=(1, 2), failure=None, **more) -> None:
        if failure is not None:
            raise getattr(builtins, failure)("no luck")
        self.widths = widths

    def act(self, position, rng):
        return position.legal_actions[0]


class Typed(Adjustable):
    def __init__(self, game, table, type: str = "a") -> None:
        pass


class NoAgent:
    pass


HERE = f"{__name__}:Stubborn"
ADJUSTABLE = f"{__name__}:Adjustable"
CIRCULAR: list = []
CIRCULAR.append(CIRCULAR)


def agents_for(game):
    """Every agent that can play `game` without being trained first."""
    specs = [{"type": "random"}, {"type": "ismcts", "simulations": 50}]
    if game.name != "highcard":
        specs.append({"type": "heuristic"})
    return [make_agent(game, game.table(), {}, parse_spec(spec, "test"), ".") for spec in specs]


def positions(game, games):
    """True states at which somebody decides, from random games."""
    table, dice = game.table(), new_stream(99)
    for seed in range(games):
        state = game.dealt(table, seed)
        while not state.over:
            yield table, state
            dispatch.apply(table, state, random_action(dice, game.mask(table, state)))


def test_an_agent_answers_with_a_legal_action(game):
    for table, state in positions(game, 5):
        position = position_of(game, table, state, 1)
        for agent in agents_for(game):
            assert position.mask[agent.act(position, new_stream(2))] == 1


def test_what_a_seat_cannot_know_changes_no_answer(game):
    agents = agents_for(game)
    for table, state in positions(game, 10):
        answers = [agent.act(position_of(game, table, state, 1), new_stream(2)) for agent in agents]
        worlds = game.new_states(1)
        worlds[0] = state
        dispatch.determinize(table, worlds[0], int(state.to_act), np.uint64(77))
        again = [agent.act(position_of(game, table, worlds[0], 1), new_stream(2)) for agent in agents]
        assert again == answers


def test_one_stream_gives_one_answer_also_after_other_games(game):
    used, fresh = agents_for(game), agents_for(game)
    for table, state in positions(game, 3):
        for old, new in zip(used, fresh, strict=True):
            position = position_of(game, table, state, 5)
            old.act(position, new_stream(1))
            assert old.act(position, new_stream(3)) == new.act(position, new_stream(3))


def test_random_plays_every_legal_action_equally_often(game):
    table, state = next(iter(positions(game, 1)))
    position = position_of(game, table, state, 0)
    agent, dice = agents_for(game)[0], new_stream(4)
    counts = np.bincount([agent.act(position, dice) for _ in range(4000)], minlength=game.num_actions)
    expected = 4000 / len(position.legal_actions)
    assert counts.sum() == counts[position.legal_actions].sum()
    assert np.abs(counts[position.legal_actions] - expected).max() < 5 * np.sqrt(expected)


# --- The catalogue --------------------------------------------------------------------------------------------


def test_defaults_are_filled_in():
    spec = parse_spec({"type": "ismcts", "exploration": 2}, "here")
    wanted = {"type": "ismcts", "simulations": 1000, "exploration": 2.0, "playouts": "leaning"}
    wanted |= {"trees": 1, "reuse": False}
    assert spec.resolved() == wanted
    assert parse_spec(spec.resolved(), "here") == spec
    assert spec.for_game("tommy_walker").resolved() == wanted | {"bias": 30.0, "horizon": 0}


@pytest.mark.parametrize("open_ones", [{}, {"exploration": None, "horizon": None}])
def test_what_a_game_has_for_itself_is_filled_in_for_the_game(open_ones):
    spec = parse_spec({"type": "ismcts", **open_ones}, "here")
    for name, exploration, horizon in [("tarot_duel", 1.0, 0), ("tommy_walker", 0.3, 0), ("highcard", 1.0, 0)]:
        resolved = spec.for_game(name).resolved()
        assert (resolved["exploration"], resolved["horizon"]) == (exploration, horizon)
        assert parse_spec(resolved, "here") == spec.for_game(name) == spec.for_game(name).for_game("tarot_duel")


def test_other_agents_are_the_same_for_every_game():
    for raw in ({"type": "random"}, {"type": "ppo", "train": "a"}, {"type": HERE, "favourite": 3}):
        spec = parse_spec(raw, "here")
        assert spec.for_game("tommy_walker") == spec


def test_an_agent_whose_settings_are_left_open_has_those_of_its_game(game):
    agent = make_agent(game, game.table(), {}, parse_spec({"type": "ismcts"}, "here"), ".")
    own = search_defaults(game.name)
    assert (agent.exploration, agent.horizon) == (own.exploration, own.horizon)


def test_a_game_that_cuts_play_outs_by_default_can_judge(game):
    assert judges(game) or search_defaults(game.name).horizon == 0


@pytest.mark.parametrize("name", ["highcard", "tarot_duel", "tommy_walker"])
def test_play_outs_of_a_game_without_a_judge_cannot_be_cut(name):
    game = game_called(name)
    spec = parse_spec({"type": "ismcts", "horizon": 3}, "run.yaml:7: agents.strong")
    told = f"run.yaml:7: agents.strong: ismcts horizon is 3, but {name} has no judge of positions"
    with pytest.raises(BadInput, match=rf"^{told}; allowed: 0, to play to the end$"):
        make_agent(game, game.table(), {}, spec, ".")


def test_defaults_in_configs_are_those_of_the_class():
    in_code = inspect.signature(ISMCTSAgent).parameters
    for parameter in {kind.name: kind for kind in agent_types()}["ismcts"].parameters:
        assert in_code[parameter.name].default == parameter.default
        assert (parameter.default is None) == parameter.by_game


def test_parameters_reach_the_agent(game):
    spec = parse_spec({"type": "ismcts", "simulations": 7, "exploration": 0.25}, "here")
    agent = make_agent(game, game.table(), {}, spec, ".")
    assert (agent.simulations, agent.exploration) == (7, 0.25)


def test_every_listed_parameter_is_explained():
    kinds = {kind.name: kind for kind in agent_types()}
    assert list(kinds)[:4] == ["random", "heuristic", "ismcts", "ppo"]
    assert [p.name for p in kinds["ppo"].parameters] == ["checkpoint", "train", "temperature", "deterministic"]
    assert all(p.meaning and p.type for kind in kinds.values() for p in kind.parameters)
    meanings = {p.name: p.meaning for p in kinds["ismcts"].parameters if p.by_game}
    assert "0.3 in tommy_walker" in meanings["exploration"]
    assert meanings["exploration"].endswith("else 1.0")
    assert meanings["horizon"].endswith("else 0")
    assert not [p for p in kinds["ppo"].parameters if p.by_game]


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        ({"type": "ismtcs"}, "unknown agent type 'ismtcs'; did you mean 'ismcts'?"),
        ({"simulations": 3}, "type is missing; allowed: random, heuristic, ismcts, ppo"),
        ({"type": 3}, "type is 3; allowed"),
        ("ismcts", "expected a mapping"),
        ({"type": "ismcts", "simulation": 3}, "no parameter 'simulation'; did you mean 'simulations'?"),
        ({"type": "random", "seed": 3}, "random has no parameter 'seed' (it has none)"),
        ({"type": "ismcts", 7: 3}, "no parameter 7"),
        ({"type": "ismcts", "simulations": 0}, "ismcts simulations is 0; it should be greater than or equal to 1"),
        ({"type": "ismcts", "simulations": "1000"}, "is '1000'; it should be a valid integer; a number has"),
        ({"type": "ismcts", "exploration": "1e-3"}, "1e-3 is written 1.0e-3"),
        ({"type": "ismcts", "simulations": True}, "simulations is True"),
        ({"type": "ismcts", "exploration": -1}, "exploration is -1"),
        ({"type": "ismcts", "exploration": float("nan")}, "exploration is nan"),
        ({"type": "ismcts", "exploration": True}, "exploration is True; it should be a valid number"),
        ({"type": "ismcts", "horizon": -1}, "ismcts horizon is -1; it should be greater than or equal to 0"),
        ({"type": "ismcts", "horizon": 2.5}, "horizon is 2.5; it should be a valid integer"),
        ({"type": "ismcts", "horizon": "40"}, "horizon is '40'; it should be a valid integer; a number has"),
        ({"type": "ppo"}, "ppo needs either checkpoint or train; neither is given"),
        ({"type": "ppo", "train": "a", "checkpoint": "b"}, "both are given"),
        ({"type": "ppo", "train": "a", "temperature": 0}, "ppo temperature is 0"),
        ({"type": "ppo", "train": "a", "deterministic": 1}, "ppo deterministic is 1"),
        ({"type": "no_such_module:Class"}, "cannot be loaded: No module named 'no_such_module'"),
        ({"type": "math:Class"}, "cannot be loaded"),
        ({"type": ":"}, "cannot be loaded"),
        ({"type": f"{__name__}:NoAgent"}, "is not a class derived from duelbench.agents.agent.Agent"),
        ({"type": HERE}, "needs the parameter 'favourite'"),
        ({"type": HERE, "favorite": 3}, "no parameter 'favorite'; did you mean 'favourite'?"),
        ({"type": ADJUSTABLE, "x": float("nan")}, "Adjustable x is nan; allowed: text, finite numbers"),
        ({"type": ADJUSTABLE, "x": datetime.date(2020, 1, 2)}, "x is datetime.date(2020, 1, 2); allowed: text"),
        ({"type": ADJUSTABLE, "x": CIRCULAR}, "x is [[...]]; allowed: text"),
        ({"type": f"{__name__}:Typed"}, "a parameter called 'type', which a config cannot set"),
    ],
)
def test_a_wrong_mapping_is_refused_in_one_line(raw, complaint):
    with pytest.raises(BadInput) as refusal:
        parse_spec(raw, "run.yaml:7: agents.strong")
    assert str(refusal.value).startswith("run.yaml:7: agents.strong: ")
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_agent_from_elsewhere(game):
    spec = parse_spec({"type": HERE, "favourite": 3}, "here")
    assert spec.resolved() == {"type": HERE, "favourite": 3, "stubbornness": 0.5}
    agent = make_agent(game, game.table(), {}, spec, ".")
    table, state = next(iter(positions(game, 1)))
    position = position_of(game, table, state, 0)
    assert agent.act(position, new_stream(0)) in position.legal_actions


def test_what_a_foreign_constructor_dislikes_is_told_in_one_line(game):
    spec = parse_spec({"type": HERE, "favourite": -1}, "run.yaml: agents.strong")
    with pytest.raises(BadInput, match=r"^run.yaml: agents.strong: .* cannot be made: favourite is negative$"):
        make_agent(game, game.table(), {}, spec, ".")


@pytest.mark.parametrize("failure", ["KeyError", "RuntimeError", "AssertionError", "SystemExit"])
def test_a_constructor_that_fails_in_any_way_is_told_in_one_line(game, failure):
    spec = parse_spec({"type": ADJUSTABLE, "failure": failure}, "run.yaml: agents.strong")
    with pytest.raises(BadInput, match=rf"^run.yaml: agents.strong: .* cannot be made: {failure}: .*no luck"):
        make_agent(game, game.table(), {}, spec, ".")


def test_a_module_that_ends_the_program_when_imported_is_refused(tmp_path, monkeypatch):
    (tmp_path / "a_script.py").write_text("import sys\nsys.exit(3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BadInput, match=r"agent type 'a_script:Player' cannot be loaded: SystemExit: 3"):
        parse_spec({"type": "a_script:Player"}, "here")


def test_parameters_are_the_same_before_and_after_they_were_written_down():
    resolved = parse_spec({"type": ADJUSTABLE}, "here").resolved()
    assert resolved == {"type": ADJUSTABLE, "widths": [1, 2]}
    assert parse_spec(resolved, "here").resolved() == resolved


def test_a_policy_is_trained_or_read():
    trained = parse_spec({"type": "ppo", "train": "quick"}, "here")
    assert trained.train == "quick"
    ready = trained.with_checkpoint("runs/a/policy.npz")
    assert ready.train is None
    assert ready.resolved()["checkpoint"] == "runs/a/policy.npz"
    assert "train" not in ready.resolved()
    assert parse_spec({"type": "ismcts"}, "here").train is None


def test_a_policy_that_was_not_trained_is_said_so(game):
    spec = parse_spec({"type": "ppo", "train": "quick"}, "run.yaml: agents.p")
    with pytest.raises(BadInput, match=r"^run.yaml: agents.p: the policy 'quick' has not been trained yet$"):
        make_agent(game, game.table(), {}, spec, ".")


def test_a_missing_checkpoint_is_one_line(game, tmp_path):
    spec = parse_spec({"type": "ppo", "checkpoint": "gone.npz"}, "run.yaml: agents.p")
    with pytest.raises(BadInput, match=r"^run.yaml: agents.p: .*gone.npz"):
        make_agent(game, game.table(), {}, spec, tmp_path)


def test_a_game_without_a_hand_written_player_is_told():
    import highcard

    known = "tarot_duel, tommy_walker, wizard_in_training"
    with pytest.raises(BadInput, match=rf"^here: highcard has no hand-written player \(there is one for: {known}\)$"):
        heuristic_player(highcard.GAME, highcard.GAME.table(), "here")


def test_listing_agents_loads_neither_numba_nor_torch():
    script = (
        "import sys, duelbench.agents.catalogue as c; light = 'pydantic' not in sys.modules; c.agent_types();"
        "c.parse_spec({'type': 'ismcts'}, 'here');"
        "sys.exit(not light or bool({'numba', 'torch'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
