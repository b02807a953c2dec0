"""Seeds made for whole columns of keys are those that NumPy derives one by one."""

import numpy as np
import pytest
from small_runs import DECKS, deck_config, highcard_known, plain_config  # noqa: F401

from duelbench.experiments.bulk_plan import PlannedGames
from duelbench.experiments.bulk_seeds import derived_seeds, names
from duelbench.experiments.config import make_config
from duelbench.experiments.plan import chunks, games_of
from duelbench.experiments.seeds import derived_seed

TEXTS = ["deal", "a vs b", "トミー", ""]


def numpys(experiment, words):
    return int(np.random.SeedSequence(experiment, spawn_key=tuple(words)).generate_state(1, np.uint64)[0])


@pytest.mark.parametrize("length", range(1, 24))
def test_keys_of_every_length_give_numpys_seeds(length):
    dice = np.random.default_rng(length)
    for experiment in (0, 1, 2**32 - 1, 2**32, int(dice.integers(0, 2**63)), 2**63 - 1):
        columns = [dice.integers(0, 2**32, 40, np.uint32) for _ in range(length)]
        columns[-1][:3] = 0, 1, 2**32 - 1
        expected = [numpys(experiment, map(int, words)) for words in zip(*columns, strict=True)]
        assert derived_seeds(experiment, *columns).tolist() == expected


def test_texts_and_numbers_that_all_keys_share_stand_beside_columns():
    dice = np.random.default_rng(1)
    which, deals = dice.integers(0, len(TEXTS), 300), dice.integers(0, 10**8, 300)
    found = derived_seeds(7, "agent", "x\ny", names(TEXTS, which), deals, 1)
    assert found.dtype == np.uint64
    assert found.tolist() == [
        derived_seed(7, "agent", "x\ny", TEXTS[text], int(deal), 1) for text, deal in zip(which, deals, strict=True)
    ]


def test_a_key_without_columns_gives_one_seed():
    assert derived_seeds(5, "training", 3).tolist() == [derived_seed(5, "training", 3)]


VARIED = {"vary": {"rules": {"rounds": [1, 3]}}}
PLANS = {
    "two agents": plain_config(**VARIED),
    "decks": deck_config(deals=50),
    "decks against each other": deck_config(deals=50, matchups=[["low", "low"], ["low", "rnd"]]),
    "two decks": deck_config(decks={name: DECKS[name] for name in ("amber", "coral")}, matchups=[["rnd", "rnd"]]),
    "random decks": deck_config(decks=None, deals=20),
}


@pytest.mark.usefixtures("highcard_known")
@pytest.mark.parametrize("case", PLANS)
def test_the_columns_of_a_part_say_what_its_games_say(case):
    config = make_config(PLANS[case])
    for chunk in chunks(config):
        found, expected = PlannedGames(config, chunk), list(games_of(config, chunk))
        assert list(found.numbers) == [game.number for game in expected]
        assert found.deals.tolist() == [game.deal for game in expected]
        assert [found.deck_choices[place] for place in found.decks] == [game.decks for game in expected]
        assert [chunk.pair[second] for second in found.swapped] == [game.seats[0] for game in expected]
        assert found.deal_seeds.tolist() == [game.seeds.deal for game in expected]
        assert found.agent_seeds.tolist() == [list(game.seeds.agents) for game in expected]
        assert found.world_seeds.tolist() == [list(game.seeds.determinizations) for game in expected]
