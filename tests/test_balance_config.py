"""The section `balance` of a config: what it asks for, and what is said of everything else."""

import pytest
import yaml
from small_runs import DECKS, highcard_known, write_config  # noqa: F401

from duelbench.envs.errors import BadInput
from duelbench.experiments.balance_changes import AS_CONFIGURED, CardChange, Sweep
from duelbench.experiments.config import load_config, make_config

pytestmark = pytest.mark.usefixtures("highcard_known")


def study(balance, **more):
    return {
        "name": "study",
        "game": "highcard",
        "deals": 20,
        "agents": {"rnd": {"type": "random"}},
        "balance": balance,
    } | more


def kinds(config):
    return list(dict.fromkeys(change.kind for change in config.asked.changes))


def test_each_agent_plays_itself():
    config = make_config(study({"changes": ["blank"]}, agents={"b": {"type": "random"}, "a": {"type": "random"}}))
    assert config.pairs == [("b", "b"), ("a", "a")]


def test_a_change_becomes_a_variant_of_every_card_that_can_have_it():
    config = make_config(study({"changes": ["blank"]}))
    assert list(config.variants) == [AS_CONFIGURED, *(f"card_{c}.blank=true" for c in range(1, 8))]
    assert config.asked.left_out == (("card_0", "blank", "has no text"),)
    assert config.variants["card_3.blank=true"].cards == {"card_3": {"blank": True}}


def test_numbers_of_changes_are_added_to_those_as_configured():
    config = make_config(study({"changes": [{"number": 2}, {"number": -2}]}, cards={"card_1": {"number": 50}}))
    assert kinds(config) == ["number+2", "number-2"]
    assert config.cards_of("card_1.number=52")["card_1"] == {"number": 52}
    assert config.cards_of("card_7.number=5") == {"card_1": {"number": 50}, "card_7": {"number": 5}}
    assert [(card, kind) for card, kind, _ in config.asked.left_out] == [("card_0", "number-2")]


def test_only_the_listed_cards_are_changed_in_the_order_of_the_game():
    config = make_config(study({"cards": ["card_5", "card_2"], "changes": [{"exchange": "card_2"}]}))
    assert config.asked.changes == (CardChange("card_5", "exchange=card_2", "card_5.exchange=card_2"),)


def test_cards_that_the_config_changes_itself_are_not_exchanged():
    config = make_config(study({"changes": [{"exchange": "card_2"}]}, cards={"card_1": {"number": 50}}))
    assert {card for card, _, _ in config.asked.left_out} == {"card_1", "card_2"}


def test_a_sweep_has_the_number_as_configured_which_is_played_once():
    config = make_config(study({"sweep": {"card_3": {"number": [9, 3, 0]}}}))
    assert config.asked.sweeps == (
        Sweep("card_3", "number", 3, ((0, "card_3.number=0"), (3, AS_CONFIGURED), (9, "card_3.number=9"))),
    )
    without = make_config(study({"sweep": {"card_3": {"number": [9, 0]}}}))
    assert without.asked.sweeps == config.asked.sweeps


def test_rules_are_tried_at_every_other_value():
    config = make_config(study({"rules": "all"}))
    assert list(config.variants) == [AS_CONFIGURED, "rounds=1", "rounds=2"]
    assert list(make_config(study({"rules": ["rounds"]}, rules={"rounds": 2})).variants) == ["", "rounds=3", "rounds=1"]
    assert list(make_config(study({"rules": {"rounds": [2, 3]}})).variants) == ["", "rounds=2"]


def test_forbidden_cards_leave_the_game_as_it_is():
    config = make_config(study({"forbid": ["card_7"]}))
    variant = config.variants["card_7 never played"]
    assert (variant.never, dict(variant.cards), dict(variant.rules)) == ("card_7", {}, {})


def test_one_variant_serves_several_questions():
    config = make_config(study({"cards": ["card_3"], "changes": [{"number": 2}], "sweep": {"card_3": {"number": [5]}}}))
    assert list(config.variants) == ["", "card_3.number=5"]


def test_stand_ins_are_all_other_cards():
    balance = {"sweep": {"card_3": {"number": [0, 9]}}, "stand_ins": {"card_3": "all"}}
    (found,) = make_config(study(balance, game="deckcard", decks=DECKS)).asked.stand_ins
    assert [card for card, _ in found.others] == [f"card_{c}" for c in range(8) if c != 3]


def test_the_resolved_config_is_the_same_config(tmp_path):
    balance = {"changes": ["blank", {"number": 1}], "rules": {"rounds": [1]}, "forbid": "all", "false_discoveries": 0.1}
    config = make_config(study(balance))
    path = tmp_path / "again.yaml"
    path.write_text(yaml.safe_dump(config.resolved()))
    again = load_config(path)
    assert again.resolved() == config.resolved()
    assert again.variants == config.variants


BAD = [
    ({}, "7: balance: found nothing that is asked"),
    ({"cards": "all"}, "7: balance: found nothing that is asked"),
    ({"change": ["blank"]}, "8: unknown key 'balance.change'; did you mean 'changes'?"),
    ({"changes": ["blanc"]}, "9: balance.changes.0: unknown change 'blanc'; did you mean 'blank'?"),
    ({"changes": [{"number": 1, "blank": True}]}, "9: balance.changes.0: found"),
    (
        {"changes": [{"number": 200}]},
        "9: balance.changes.0: no card can have 'number+200': found 200, allowed: 0 to 99",
    ),
    ({"changes": ["blank", {"blank": True}]}, "10: balance.changes.1: found 'blank' twice; expected different ones"),
    ({"cards": ["card_9"], "changes": ["blank"]}, "9: balance.cards.0: unknown card 'card_9'; did you mean"),
    ({"cards": ["card_1", "card_1"], "changes": ["blank"]}, "10: balance.cards.1: found 'card_1' twice"),
    ({"cards": "every", "changes": ["blank"]}, "8: balance.cards: found 'every'; expected all, or a list"),
    ({"sweep": {"card_1": {"number": [1, 1]}}}, "10: balance.sweep.card_1.number: found a value twice"),
    ({"sweep": {"card_1": {"number": [1, 100]}}}, "10: balance.sweep.card_1.number: found 100, allowed: 0 to 99"),
    ({"sweep": {"card_1": {"number": [1]}}}, "7: balance: found nothing that differs from the game as configured"),
    (
        {"sweep": {"card_1": {"teeth": [1]}}},
        "10: balance.sweep.card_1.teeth: card_1 has no teeth; its numbers are: number",
    ),
    ({"sweep": {"card_1": {"number": ["x"]}}}, "11: balance.sweep.card_1.number.0 is 'x'; expected a whole number"),
    ({"sweep": {"card_9": {"number": [1]}}}, "9: balance.sweep.card_9: unknown card 'card_9'"),
    ({"stand_ins": {"card_1": "all"}}, "9: balance.stand_ins.card_1: highcard is played without decks"),
    ({"rules": ["rond"]}, "9: balance.rules.0: unknown rule option 'rond'; did you mean 'rounds'?"),
    ({"rules": {"rounds": [4]}}, "10: balance.rules.rounds.0 is 4; allowed: 3, 1, 2"),
    ({"rules": ["rounds", "rounds"]}, "10: balance.rules.1: found 'rounds' twice; expected different ones"),
    ({"rules": {"rounds": [1, 2, 1]}}, "12: balance.rules.rounds.2: found 1 twice; expected different ones"),
    ({"rules": "some"}, "8: balance.rules: found 'some'; expected all, a list of options, or {option: [values]}"),
    ({"forbid": ["card_9"]}, "9: balance.forbid.0: unknown card 'card_9'"),
    ({"changes": ["blank"], "false_discoveries": 0.0}, "10: balance.false_discoveries is 0.0; expected more than 0"),
]


@pytest.mark.parametrize(("balance", "said"), BAD, ids=[said[:45] for _, said in BAD])
def test_what_is_refused_with_its_line(balance, said, tmp_path):
    data = study(balance)
    data = {key: data[key] for key in ("name", "game", "deals", "agents", "balance")}
    path = write_config(tmp_path, data)
    with pytest.raises(BadInput) as error:
        load_config(path)
    assert str(error.value).startswith(f"{path}:{said}"), error.value


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"vary": {"rules": {"rounds": [1, 2]}}}, "vary: found beside balance"),
        ({"matchups": [["rnd", "low"]]}, "matchups: 'rnd' and 'low'; beside balance an agent plays against itself"),
        ({"game": "deckcard", "decks": {"amber": {"card_7": 2}}}, "decks: found one deck, which cannot swap seats"),
    ],
)
def test_what_cannot_stand_beside_it(more, said):
    agents = {"rnd": {"type": "random"}, "low": {"type": "odd_agents:Lowest"}}
    with pytest.raises(BadInput, match=said.replace("(", r"\(")):
        make_config(study({"changes": [{"number": 1}]}, agents=agents) | more)


def test_stand_ins_need_a_sweep_to_be_compared_with():
    with pytest.raises(BadInput, match=r"stand_ins\.card_1: found no sweep of 'card_1'"):
        make_config(study({"stand_ins": {"card_1": "all"}}, game="deckcard", decks=DECKS))


def test_a_stand_in_takes_the_place_of_a_card_whatever_the_config_changes_about_it():
    changed = {"card_2": {"number": 5}, "card_6": {"number": 9}}
    balance = {"sweep": {"card_2": {"number": [2, 5]}}, "stand_ins": {"card_2": "all"}}
    config = make_config(study(balance, game="deckcard", decks=DECKS, cards=changed))
    (stand_ins,) = config.asked.stand_ins
    names = dict(stand_ins.others)
    assert config.cards_of(names["card_4"]) == {"card_6": {"number": 9}, "card_2": {"exchange": "card_4"}}
    assert config.cards_of("card_2.number=2") == {"card_2": {"number": 2}, "card_6": {"number": 9}}
    assert "card_6" not in names, "its own changes would not move with it"
