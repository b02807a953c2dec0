"""What a run would play, told before it is played."""

import pytest
from small_runs import highcard_known, plain_config  # noqa: F401

from duelbench.envs.errors import BadInput
from duelbench.experiments.config import make_config
from duelbench.experiments.forecast import forecast

pytestmark = pytest.mark.usefixtures("highcard_known")


def test_every_matchup_has_its_games_in_all_variants():
    agents = {name: {"type": "random"} for name in ("a", "b", "c")}
    vary = {"rules": {"rounds": [1, 2, 3]}}
    config = make_config(plain_config(agents=agents, deals=30, deals_with={"c": 10}, vary=vary))
    found = {one.matchup: one for one in forecast(config)}
    assert {name: one.games for name, one in found.items()} == {"a vs b": 180, "a vs c": 60, "b vs c": 60}
    assert all(one.variants == 3 and one.measured and one.seconds > 0 for one in found.values())


def test_what_is_still_to_be_trained_is_estimated():
    agents = {"rnd": {"type": "random"}, "learned": {"type": "ppo", "train": "short"}}
    config = make_config(plain_config(agents=agents, train={"short": {"steps": 1000}}))
    (only,) = forecast(config)
    assert not only.measured
    assert only.seconds > 0


def test_an_agent_that_cannot_play_is_refused_as_in_the_run(tmp_path):
    agents = {"rnd": {"type": "random"}, "learned": {"type": "ppo", "checkpoint": "absent.npz"}}
    config = make_config(plain_config(agents=agents), tmp_path)
    with pytest.raises(BadInput, match=r"absent\.npz"):
        list(forecast(config))
