"""Games in compiled code have the rows that they have when their agents are asked one by one."""

import pytest
from small_runs import shipped_decks

from duelbench.agents.catalogue import make_agent, parse_spec
from duelbench.agents.compiled import compiled_player
from duelbench.agents.policy import policy_file
from duelbench.agents.random_agent import RandomAgent
from duelbench.envs.registry import game_names, load_game
from duelbench.experiments.compiled_match import play_chunk, replay_chunk
from duelbench.experiments.config import make_config
from duelbench.experiments.folder import given_checkpoint_path
from duelbench.experiments.plan import chunks, games_of
from duelbench.experiments.players import Players
from duelbench.experiments.rows import part_bytes, table_of_rows

AGENTS = {
    "drawn": {"type": "random"},
    "written": {"type": "heuristic"},
    "learned": {"type": "ppo", "checkpoint": "pretrained", "temperature": 0.7},
}
VARIED = {
    "tarot_duel": {"rules": {"death_can_extend": [True, False]}},
    "tommy_walker": {"rules": {"deckout_check": ["immediate", "end_of_round"]}},
    "wizard_in_training": {"rules": {"recycle": ["when_empty", "every_redraw"]}},
}


def games_with_decks():
    return [name for name in game_names() if load_game(name).deck_rules is not None]


def players_of(folder, **data):
    """The players of a run that is not there, but for the policies."""
    config = make_config({"name": "both_ways", "seed": 3} | data)
    for name in config.agents:
        if config.specs[name].checkpoint is not None:
            kept = given_checkpoint_path(folder, name)
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(policy_file("pretrained", config.game, folder).read_bytes())
    return Players(folder, config)


def played_one_by_one(players, chunk):
    return table_of_rows(map(players.play, games_of(players.config, chunk)))


def assert_both_ways_agree(players):
    for chunk in chunks(players.config):
        assert None not in map(compiled_player, players.pair(chunk.pair, chunk.variant))
        compiled, expected = play_chunk(players, chunk), played_one_by_one(players, chunk)
        assert compiled.to_pylist() == expected.to_pylist()
        assert part_bytes(compiled) == part_bytes(expected)
        again = replay_chunk(players, chunk, expected["actions"].combine_chunks())
        assert again.equals(expected)


@pytest.mark.parametrize("name", game_names())
def test_all_kinds_of_agents_meet_in_all_variants(name, tmp_path):
    assert_both_ways_agree(players_of(tmp_path, game=name, agents=AGENTS, deals=4, vary=VARIED[name]))


@pytest.mark.parametrize("name", games_with_decks())
def test_decks_of_either_seat(name, tmp_path):
    matchups = [["written", "written"], ["written", "drawn"]]
    data = {"agents": AGENTS, "decks": shipped_decks(name, 3), "matchups": matchups, "deals": 10}
    assert_both_ways_agree(players_of(tmp_path, game=name, **data))


def test_a_policy_that_takes_the_best_action(tmp_path):
    best = AGENTS["learned"] | {"deterministic": True}
    agents = {"best": best, "drawn": AGENTS["drawn"]}
    assert_both_ways_agree(players_of(tmp_path, game="tarot_duel", agents=agents, deals=10))


class AlsoRandom(RandomAgent):
    """Might act otherwise than the class it is derived from."""


def test_only_a_class_that_says_so_itself_plays_compiled():
    game = load_game("tarot_duel")
    table = game.table()
    assert compiled_player(RandomAgent(game, table)) is not None
    assert compiled_player(AlsoRandom(game, table)) is None
    assert compiled_player(make_agent(game, table, {}, parse_spec({"type": "ismcts"}, "agent"), None)) is None
