"""What games are thought to cost, and how large parts become by it."""

import pytest

from duelbench.agents.catalogue import parse_spec
from duelbench.envs.registry import game_names
from duelbench.experiments import costs
from duelbench.experiments.config import make_config
from duelbench.experiments.plan import chunks


def spec(kind, **parameters):
    return parse_spec({"type": kind, **parameters}, "agent")


RANDOM, HEURISTIC, POLICY = spec("random"), spec("heuristic"), spec("ppo", checkpoint="pretrained")


@pytest.mark.parametrize("game", game_names())
def test_ten_million_random_games_are_about_a_thousand_parts(game):
    config = make_config(
        {"name": "many", "game": game, "deals": 5_000_000, "agents": {"a": {"type": "random"}, "b": {"type": "random"}}}
    )
    parts = chunks(config)
    assert 900 < len(parts) < 1_500
    assert sum(chunk.games for chunk in parts) == 10_000_000
    assert max(len(chunk.deals) for chunk in parts) <= costs.MOST_DEALS_A_PART


def test_no_part_holds_more_deals_than_fit_or_none():
    assert costs.deals_a_part("tarot_duel", (RANDOM, RANDOM)) == costs.MOST_DEALS_A_PART
    endless = spec("ismcts", simulations=10_000_000)
    assert costs.deals_a_part("wizard_in_training", (endless, endless)) == 1


@pytest.mark.parametrize("game", [*game_names(), "a game from elsewhere"])
def test_what_thinks_longer_costs_more(game):
    def cost(first, second=RANDOM):
        return costs.game_cost(game, (first, second))

    searches = [spec("ismcts", simulations=simulations) for simulations in (100, 1_000, 10_000)]
    assert 0 < cost(RANDOM) < cost(HEURISTIC) < cost(searches[0]) < cost(searches[1]) < cost(searches[2])
    assert cost(RANDOM) < cost(POLICY) < cost(searches[1])
    assert cost(searches[1], searches[1]) > cost(searches[1])
    assert cost(spec("puct", checkpoint="pretrained", simulations=200)) > cost(spec("ismcts", simulations=200))
    assert cost(spec("ismcts", simulations=100, trees=8)) > cost(searches[0])
    assert cost(HEURISTIC, POLICY) == pytest.approx(cost(POLICY, HEURISTIC))


@pytest.mark.parametrize(
    ("game", "kind", "opponent", "milliseconds"),
    [
        ("tarot_duel", spec("ismcts", simulations=1000), RANDOM, (15, 30)),
        ("tommy_walker", spec("ismcts", simulations=1000), HEURISTIC, (150, 250)),
        ("wizard_in_training", spec("ismcts", simulations=500), HEURISTIC, (400, 1000)),
    ],
)
def test_a_unit_is_about_a_millisecond(game, kind, opponent, milliseconds):
    """Measured on one core, a game of a search and a player that does not search."""
    least, most = milliseconds
    assert least / 1.5 < costs.game_cost(game, (kind, opponent)) < most * 1.5


def test_parts_of_matchups_that_are_not_quick_cost_alike():
    searches = [spec(kind, simulations=300) for kind in ("ismcts", "flat_mc", "pimc", "soismcts", "oracle_mcts")]
    for game in game_names():
        for search in searches:
            cost = costs.game_cost(game, (search, HEURISTIC))
            part = 2 * costs.deals_a_part(game, (search, HEURISTIC)) * cost
            assert costs.UNITS_A_PART - 2 * cost < part <= costs.UNITS_A_PART


def test_an_agent_from_elsewhere_may_be_slow():
    config = make_config(
        {
            "name": "own",
            "game": "tarot_duel",
            "deals": 500,
            "agents": {"rnd": {"type": "random"}, "low": {"type": "odd_agents:Lowest"}},
        }
    )
    assert max(len(chunk.deals) for chunk in chunks(config)) <= 150
