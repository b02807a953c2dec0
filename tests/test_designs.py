"""Who meets whom in a run, by its design."""

import pytest
from small_runs import highcard_known, plain_config  # noqa: F401

from duelbench.envs.errors import BadInput
from duelbench.experiments.config import make_config

pytestmark = pytest.mark.usefixtures("highcard_known")

AGENTS = {name: {"type": "random"} for name in ("a", "b", "c", "d")}


def pairs(**design):
    return make_config(plain_config() | {"agents": AGENTS, "train": {}, "matchups": None} | design).pairs


def test_without_a_design_every_two_agents_meet():
    assert pairs() == [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    assert pairs(design="round_robin") == pairs()


def test_on_a_ladder_neighbours_meet():
    assert pairs(design="ladder") == [("a", "b"), ("b", "c"), ("c", "d")]


def test_one_against_all_has_that_one_first():
    assert pairs(design={"one_vs_all": "c"}) == [("c", "a"), ("c", "b"), ("c", "d")]


def test_a_resolved_config_lists_the_matchups_of_its_design():
    config = make_config(plain_config() | {"agents": AGENTS, "train": {}, "matchups": None, "design": "ladder"})
    again = make_config(config.resolved())
    assert again.pairs == config.pairs
    assert "design" not in config.resolved()


@pytest.mark.parametrize(
    ("design", "said"),
    [
        ("laddder", "design: found 'laddder'; expected round_robin, ladder or {one_vs_all: name of an agent}"),
        ({"one_vs_all": "cc"}, "design.one_vs_all: unknown agent 'cc'; did you mean 'c'? (known: a, b, c, d)"),
        ({"one_vs_all": ["a"]}, "design.one_vs_all: found a list"),
        ({"one": "a"}, "design: found a mapping"),
        (3, "design: found 3"),
    ],
)
def test_other_designs_are_refused_with_what_is_allowed(design, said):
    with pytest.raises(BadInput) as caught:
        pairs(design=design)
    assert said in str(caught.value)


def test_a_design_beside_matchups_is_refused():
    with pytest.raises(BadInput, match="design: stands beside matchups"):
        pairs(design="ladder", matchups=[["a", "b"]])
