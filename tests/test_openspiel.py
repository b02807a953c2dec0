"""The games in OpenSpiel: its own conformity test, and its own algorithms on them."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from conftest import ALL_GAMES, deck_choices, game_called

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'duelbench[openspiel]'")

from open_spiel.python import policy, rl_environment  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
    random_agent,
)

from duelbench.envs import open_spiel  # noqa: E402
from duelbench.envs.errors import BadInput, IllegalAction  # noqa: E402
from duelbench.envs.rng import below, new_stream, uniform  # noqa: E402

open_spiel.register(game_called("highcard"))


def loaded(name, deals=20):
    return pyspiel.load_game(f"duelbench_{name}", {"deals": deals})


def random_states(game, deal, seed=1):
    """A random game, state by state from the deal to the end; the states are clones."""
    state, dice = game.new_initial_state(), new_stream(seed)
    state.apply_action(deal)
    while not state.is_terminal():
        yield state.clone()
        actions = state.legal_actions()
        state.apply_action(actions[below(dice, len(actions))])
    yield state.clone()


@pytest.mark.parametrize("name", ALL_GAMES)
def test_openspiels_random_simulations_with_serialization(name):
    pyspiel.random_sim_test(loaded(name), num_sims=1, serialize=True, verbose=False)


def same_state(one, other):
    """Whether two states agree in every field; what lies between the fields is nobody's."""
    return all(np.array_equal(one[field], other[field]) for field in one.dtype.names)


@pytest.mark.parametrize("name", ALL_GAMES)
def test_it_is_the_engines_game(name):
    game = game_called(name)
    table = game.table()
    for deal in range(3):
        record = game.dealt(table, deal)
        for state in random_states(loaded(name), deal):
            if len(state.history()) > 1:
                game.play(table, record, state.history()[-1])
            assert same_state(state.record, record)
            if not record.over:
                assert state.current_player() == record.to_act
                assert state.legal_actions() == game.legal_actions(table, record)
                assert state.legal_actions(1 - record.to_act) == []
                action = state.legal_actions()[0]
                assert state.action_to_string(action) == game.action_name(table, record, action)
            for seat in range(2):
                np.testing.assert_array_equal(state.observation_tensor(seat), game.observation(table, record, seat))
        winner = int(record.winner)
        assert state.returns() == [0 if winner < 0 else 1 if winner == seat else -1 for seat in range(2)]


@pytest.mark.parametrize("name", ALL_GAMES)
def test_a_resampled_state_is_another_one_that_the_player_holds_possible(name):
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    different = 0
    for state in random_states(loaded(name), 5):
        if state.is_terminal():
            continue
        player = state.current_player()
        before = state.record.tobytes()
        drawn = [state.resample_from_infostate(player, sampler) for _ in range(2)]
        assert state.record.tobytes() == before
        for twin in drawn:
            assert twin.information_state_string(player) == state.information_state_string(player)
            assert twin.observation_tensor(player) == state.observation_tensor(player)
            assert twin.legal_actions() == state.legal_actions()
            assert twin.record.rng != state.record.rng, "the dice to come are hidden too"
            different += twin.record.tobytes() != before
        assert drawn[0].record.rng != drawn[1].record.rng
    assert different > 0


def new_sampler(seed):
    dice = new_stream(seed)
    return lambda: uniform(dice)


@pytest.mark.parametrize("name", ALL_GAMES)
def test_what_the_other_seat_knows_in_a_resampled_state_tells_nothing_of_the_true_one(name):
    state = next(s for s in random_states(loaded(name), 5) if len(s.history()) > 2 and not s.is_terminal())
    player = state.current_player()
    twin = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    again = twin.resample_from_infostate(player, lambda: 0.25)
    direct = state.resample_from_infostate(player, lambda: 0.25)
    assert same_state(again.record, direct.record)
    assert again.information_state_string(1 - player) == direct.information_state_string(1 - player)
    assert direct.information_state_string(1 - player) != state.information_state_string(1 - player)
    seen = direct.observation_string(1 - player)
    drawn = [state.resample_from_infostate(player, new_sampler(n)) for n in range(30)]
    same = {twin.information_state_string(1 - player) for twin in drawn if twin.observation_string(1 - player) == seen}
    assert same <= {direct.information_state_string(1 - player)}, "it follows from what is seen in the drawn state"


def test_an_information_state_is_what_its_player_saw_and_did():
    game = loaded("highcard", 300)
    texts = {}
    for deal in range(300):
        state = game.new_initial_state()
        state.apply_action(deal)
        before = state.information_state_string(1), state.information_state_string(0)
        texts.setdefault(tuple(state.observation_tensor(0)), set()).add(before[1])
        state.apply_action(state.legal_actions()[deal % 2])
        assert state.information_state_string(0) != before[1], "it remembers what it played"
    assert all(len(same) == 1 for same in texts.values())
    assert len(texts) > 10

    start = game.new_initial_state()
    start.apply_action(1)
    first, second = (start.child(action) for action in start.legal_actions()[:2])
    assert first.information_state_string(1) == second.information_state_string(1), "a face-down card is not seen"
    assert first.information_state_string(0) != second.information_state_string(0)


def test_the_named_pieces_of_an_observation_lie_in_its_tensor():
    game = loaded("highcard")
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False))
    state = next(random_states(game, 1))
    observer.set_from(state, 0)
    assert list(observer.dict) == ["mine", "gone", "points", "waiting"]
    np.testing.assert_array_equal(np.concatenate(list(observer.dict.values())), state.observation_tensor(0))


def test_illegal_actions_are_refused_and_change_nothing():
    for state in random_states(loaded("tarot_duel"), 1):
        before = state.record.tobytes()
        wrong = next(a for a in range(state.num_distinct_actions()) if a not in state.legal_actions())
        with pytest.raises(IllegalAction):
            state.apply_action(wrong)
        assert state.record.tobytes() == before
        break


def test_chance_is_one_of_so_many_equally_likely_deals():
    game = loaded("tarot_duel", 4)
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)]
    assert game.max_chance_outcomes() == 4
    for deals in (0, -1):
        with pytest.raises(BadInput, match=f"deals is {deals}; allowed"):
            open_spiel.SpielGame(game_called("tarot_duel"), {"deals": deals})


def test_rules_and_decks_of_ones_own(game):
    option = game.options[0]
    rules = {option.name: next(value for value in option.values if value != option.default)}
    for decks in deck_choices(game):
        spiel = open_spiel.SpielGame(game, {"deals": 3}, rules, decks)
        assert spiel.setting.table.tobytes() == game.table(rules, decks=decks).tobytes()
        assert pickle.loads(pickle.dumps(spiel.setting)).table.tobytes() == spiel.setting.table.tobytes()
        assert [s.is_terminal() for s in random_states(spiel, 0)][-1]


def test_a_process_that_loaded_a_game_ends_well():
    code = "import pyspiel, duelbench.envs.open_spiel; pyspiel.load_game('duelbench_tarot_duel').new_initial_state()"
    subprocess.run([sys.executable, "-c", code], check=True)


# --- OpenSpiel's algorithms -----------------------------------------------------------------------------------


def test_its_ismcts_bot_plays_a_whole_game():
    game, random = loaded("tarot_duel"), np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game, mcts.RandomRolloutEvaluator(1, random), uct_c=1.4, max_simulations=5, random_state=random
    )
    state = game.new_initial_state()
    state.apply_action(7)
    while not state.is_terminal():
        player = state.current_player()
        state.apply_action(int(bot.step(state)) if player == 0 else state.legal_actions()[0])
    assert sum(state.returns()) == 0


def test_its_mccfr_solver_learns_a_small_game():
    game = open_spiel.SpielGame(game_called("highcard"), {"deals": 8}, {"rounds": 1})
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(100):
        solver.iteration()
    at_random = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    assert exploitability.nash_conv(game, solver.average_policy()) < at_random / 2


def test_its_learning_environment_runs_and_its_agents_play():
    environment = rl_environment.Environment(
        loaded("tommy_walker"), chance_event_sampler=rl_environment.ChanceEventSampler(seed=1)
    )
    size = environment.action_spec()["num_actions"]
    agents = [random_agent.RandomAgent(seat, size) for seat in range(2)]
    step = environment.reset()
    while not step.last():
        step = environment.step([agents[step.observations["current_player"]].step(step).action])
    assert sum(step.rewards) == 0


def test_its_policy_gradient_trains_for_a_moment():
    from open_spiel.python.pytorch import policy_gradient

    environment = rl_environment.Environment(
        loaded("tarot_duel"), chance_event_sampler=rl_environment.ChanceEventSampler(seed=1)
    )
    seen, size = environment.observation_spec()["info_state"][0], environment.action_spec()["num_actions"]
    agents = [
        policy_gradient.PolicyGradient(seat, seen, size, hidden_layers_sizes=[16], num_critic_before_pi=1)
        for seat in (0, 1)
    ]
    for _ in range(8):
        step = environment.reset()
        while not step.last():
            step = environment.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    assert all(np.isfinite(agent.loss[1].item()) for agent in agents)
