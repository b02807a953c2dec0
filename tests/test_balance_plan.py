"""Which deals are played in which variant, and that they are the same deals; restricted play."""

import highcard
import numpy as np
import pytest
from conftest import SHIPPED_DECKS
from small_runs import DECKS, highcard_known  # noqa: F401

from duelbench.agents.agent import Agent, position_of
from duelbench.agents.catalogue import make_agent, parse_spec
from duelbench.agents.restricted import restricted
from duelbench.envs.errors import BadInput
from duelbench.envs.registry import game_names, load_game
from duelbench.envs.rng import new_stream
from duelbench.experiments.balance_plan import deals_by_variant, held_deals, stand_in_of
from duelbench.experiments.config import make_config
from duelbench.experiments.holders import NOBODY, Starts, starts
from duelbench.experiments.plan import arms, decks_of, planned_game, total_games
from duelbench.experiments.players import Players
from duelbench.experiments.rows import read_rows
from duelbench.experiments.run import run
from duelbench.experiments.verify import verify

pytestmark = pytest.mark.usefixtures("highcard_known")
PAIR = ("rnd", "rnd")


def study(**more):
    balance = {"changes": [{"number": 2}], "rules": "all", "forbid": ["card_7"]}
    base = {"name": "study", "game": "highcard", "seed": 5, "deals": 40, "agents": {"rnd": {"type": "random"}}}
    return make_config(base | {"balance": balance} | more)


def deck_study(**balance):
    balance = balance or {"changes": [{"number": 2}]}
    return study(game="deckcard", decks=DECKS, balance=balance, deals=30)


# --- Holders --------------------------------------------------------------------------------------------------


def made_up(*copies, deals=4, decks=False):
    return Starts(np.array(copies, np.int8), deals, decks)


def test_the_holder_has_more_copies_and_nobody_holds_what_both_have_alike():
    found = made_up([[2, 0, 1], [0, 1, 1]], [[0, 3, 0], [1, 4, 0]], deals=2)
    assert found.holder(0).tolist() == [0, 1]
    assert found.holder(1).tolist() == [1, 1]
    assert found.holder(2).tolist() == [NOBODY, NOBODY]
    assert found.held(2).tolist() == []


def test_deals_with_named_decks_go_through_the_pairs_of_decks():
    found = made_up([[1, 0], [0, 0]], [[0, 0], [1, 0]], [[1, 1], [1, 0]], deals=7, decks=True)
    assert found.holder(0).tolist() == [0, 1, NOBODY, 0, 1, NOBODY, 0]
    assert found.held(1).tolist() == [2, 5]


def test_stand_ins_take_turns_within_each_pair_of_decks():
    """Card 0 is held in both kinds of deal; of cards 1 to 3 the first is in a deck of the second kind."""
    found = made_up([[4, 0, 0, 0], [0, 0, 0, 0]], [[4, 0, 0, 0], [0, 4, 0, 0]], deals=12, decks=True)
    chosen = found.stand_in(0, [1, 2, 3])
    assert chosen[::2].tolist() == [0, 1, 2, 0, 1, 2]
    assert sorted(chosen[1::2].tolist()) == [1, 1, 1, 2, 2, 2]


def test_no_card_stands_in_that_one_of_the_seats_begins_with():
    found = made_up([[4, 4], [0, 0]], [[4, 0], [0, 4]], [[4, 0], [0, 0]], deals=3)
    assert found.stand_in(0, [1]).tolist() == [NOBODY, NOBODY, 0]


def test_hands_are_those_of_the_deals_that_are_played():
    config = study()
    table = highcard.build_table({"rounds": 3})
    holders = starts(config, PAIR).holder(7)
    for deal in range(40):
        zone = highcard.GAME.dealt(table, planned_game(config, deal).seeds.deal).highcard_zone[7]
        assert holders[deal] == {highcard.IN_HAND: 0, highcard.IN_HAND + 1: 1}.get(zone, NOBODY)


def test_decks_are_those_that_lie_on_the_seats():
    config = deck_study()
    for deal, holder in enumerate(starts(config, PAIR).holder(2)):
        decks = decks_of(config, PAIR, deal)
        assert holder == (decks.index("coral") if "coral" in decks else NOBODY)


def test_what_chance_decides_has_no_holder():
    """Two equal decks of Wizard in Training have one main character; chance says which of the two keeps it."""
    path = str(SHIPPED_DECKS / "wizard_in_training" / "full_cupboard.yaml")
    config = study(game="wizard_in_training", decks={"a": path, "b": path}, balance={"changes": ["blank"]}, deals=6)
    game, table = config.load_game(), Players("unused", config).table_of(("a", "b"), "")
    dealt = [game.start_cards(table, game.dealt(table, seed)) for seed in range(20)]
    assert len({copies.tobytes() for copies in dealt}) == 2
    assert all(not len(starts(config, PAIR).held(card)) for card in range(len(game.card_ids)))


# --- Arms -----------------------------------------------------------------------------------------------------


def test_a_variant_has_the_deals_in_which_it_can_matter():
    config = study()
    deals = {arm.variant: list(arm.deals) for arm in arms(config)}
    assert deals[""] == deals["rounds=1"] == deals["rounds=2"] == list(range(40))
    for card in range(8):
        assert deals[f"card_{card}.number={card + 2}"] == starts(config, PAIR).held(card).tolist()
    assert deals["card_7 never played"] == deals["card_7.number=9"]
    assert total_games(config) == sum(map(len, deals.values()))


def test_stand_ins_share_the_deals_of_the_sweep():
    config = deck_study(sweep={"card_2": {"number": [1, 9]}}, stand_ins={"card_2": ["card_1", "card_3", "card_7"]})
    deals = deals_by_variant(config, PAIR)
    held = held_deals(config, PAIR, "card_2").tolist()
    assert len(held) == 20
    parts = [deals[f"card_2.exchange=card_{other}"].tolist() for other in (1, 3, 7)]
    assert sorted(deal for part in parts for deal in part) == held
    assert [len(part) for part in parts] == [8, 9, 3]  # 10 deals against the deck with card 7 have two to choose from
    for deal in parts[2]:
        assert "amber" not in decks_of(config, PAIR, deal)  # the deck with card 7
    assert (stand_in_of(config, PAIR, config.asked.stand_ins[0]) >= 0).sum() == 20


def test_a_deal_has_the_same_seeds_in_every_variant_and_decks_swap():
    config = deck_study(changes=[{"number": 2}], rules="all")
    games = [planned_game(config, number) for number in range(total_games(config))]
    base = {(g.deal, g.decks): g for g in games if not g.variant}
    assert len(base) == 60
    for game in games:
        same = base[game.deal, game.decks]
        assert (game.seeds, game.seats) == (same.seeds, same.seats)


def test_the_plan_is_the_same_in_another_process():
    one, other = study(), study()
    assert arms(one) == arms(other)
    assert starts(one, PAIR) is not starts(other, PAIR)


def test_random_decks_are_known_by_dealing_them():
    config = study(game="tommy_walker", decks="random", balance={"changes": ["blank"]}, deals=3)
    game = config.load_game()
    table = Players("unused", config).table
    for deal in range(3):
        state = game.dealt(table, planned_game(config, deal).seeds.deal)
        assert (starts(config, PAIR).copies[deal] == game.start_cards(table, state)).all()
    assert {arm.games_a_deal for arm in arms(config)} == {1}


def test_a_study_is_a_run_that_verifies(tmp_path):
    balance = {"cards": ["card_1"], "changes": [{"number": 2}], "forbid": ["card_7"], "rules": "all"}
    folder = run(study(deals=12, balance=balance), tmp_path)
    assert verify(folder, agents=True).ok
    rows = read_rows(folder, ["variant", "decisions", "actions"])
    kept = rows[rows["variant"] == "card_7 never played"]
    assert len(kept)
    assert all(list(actions).index(7) >= 4 for actions in kept["actions"] if 7 in actions)  # the last round at most


# --- Restricted play ------------------------------------------------------------------------------------------


def played(config, variant, tmp_path):
    """The rows of a variant of a study of High Card."""
    players = Players(tmp_path, config)
    planned = [planned_game(config, number) for number in range(total_games(config))]
    return [players.play(one) for one in planned if one.variant == variant]


def test_the_holder_never_plays_a_forbidden_card_while_it_has_another(tmp_path):
    config = study(rules={"rounds": 2}, balance={"forbid": ["card_7"]})
    rows, base = played(config, "card_7 never played", tmp_path), played(config, "", tmp_path)
    assert rows
    assert all(7 not in row.actions for row in rows)
    assert any(7 in row.actions for row in base)


def position_with(*, hand=(0, 3, 7)):
    state = highcard.GAME.dealt(highcard.build_table({"rounds": 3}), 1)
    state.highcard_zone[:] = highcard.STOCK
    others = [card for card in range(8) if card not in hand]
    state.highcard_zone[list(hand)] = highcard.IN_HAND
    state.highcard_zone[others[:3]] = highcard.IN_HAND + 1
    return position_of(highcard.GAME, highcard.build_table({"rounds": 3}), state, 9)


def agent(**spec):
    table = highcard.build_table({"rounds": 3})
    return make_agent(highcard.GAME, table, {}, parse_spec(spec, "agents.a"), ".")


@pytest.mark.parametrize("kind", [{"type": "random"}, {"type": "ismcts", "simulations": 30}])
def test_any_agent_can_be_kept_from_cards_or_made_to_play_them(kind):
    stream, position = new_stream(1), position_with()
    assert {agent(**kind, never=["card_0", "card_7"]).act(position, stream) for _ in range(20)} == {3}
    assert {agent(**kind, always=["card_7"]).act(position, stream) for _ in range(20)} == {7}
    assert 0 not in {agent(**kind, never=["card_0"]).act(position, stream) for _ in range(20)}


def test_a_card_is_played_where_nothing_else_is_legal():
    narrow = agent(type="random", never=["card_0", "card_3", "card_7"])
    assert {narrow.act(position_with(), new_stream(seed)) for seed in range(30)} == {0, 3, 7}


def test_a_search_takes_the_most_visited_of_what_is_allowed():
    search = {"type": "ismcts", "simulations": 60}
    reports = agent(**search).explain(position_with(), new_stream(2))
    best, second = reports[0].action, reports[1].action
    assert agent(**search, never=[f"card_{best}"]).act(position_with(), new_stream(2)) == second


class Stubborn(Agent):
    def act(self, position, rng):
        return 7


def test_an_agent_that_does_not_heed_the_mask_is_found_out():
    kept = restricted(Stubborn(highcard.GAME, None), highcard.GAME, ["card_7"], [], "a")
    with pytest.raises(ValueError, match="Stubborn answered 'play Card 7', which its restriction does not allow"):
        kept.act(position_with(), new_stream(1))
    assert restricted(Stubborn(highcard.GAME, None), highcard.GAME, ["card_1"], [], "a").act(position_with(), 0) == 7


def test_a_cheat_stays_one_when_it_is_restricted():
    assert type(agent(type="oracle_mcts", simulations=5, never=["card_7"])).sees_everything


def test_unknown_cards_and_other_things_are_refused():
    with pytest.raises(BadInput, match=r"agents.a: never: unknown card 'card_9'; did you mean"):
        agent(type="random", never=["card_9"])
    with pytest.raises(BadInput, match=r"agents.a: always is 'card_1'; expected a list of card ids"):
        agent(type="random", always="card_1")


def test_restrictions_are_kept_with_the_agent():
    spec = parse_spec({"type": "random", "never": ["card_1"]}, "agents.a")
    assert spec.resolved() == {"type": "random", "never": ["card_1"]}
    assert parse_spec(spec.resolved(), "agents.a") == spec


@pytest.mark.parametrize("name", game_names())
def test_every_game_tells_which_card_an_action_plays_by_its_name(name):
    """An action that plays a card names the card; the numbers of the cards are those of the game."""
    game = load_game(name)
    table = game.table()
    rng = np.random.default_rng(1)
    seen = set()
    for seed in range(8):
        state = game.dealt(table, seed)
        while not state.over:
            for action in game.legal_actions(table, state):
                card = game.played_card(table, state, action)
                if card >= 0:
                    assert game.card_names[card] in game.action_name(table, state, action)
                    seen.add(card)
            game.play(table, state, int(rng.choice(game.legal_actions(table, state))))
    assert len(seen) > 15


@pytest.mark.parametrize("name", game_names())
def test_the_hand_written_players_can_be_restricted(name):
    game = load_game(name)
    table = game.table()
    player = make_agent(game, table, {}, parse_spec({"type": "heuristic", "never": list(game.card_ids[::2])}, "a"), ".")
    stream, state, kept = new_stream(3), game.dealt(table, 5), 0
    while not state.over:
        position = position_of(game, table, state, 1)
        allowed = player.allowed(position)
        action = player.act(position, stream)
        assert action in allowed
        kept += len(allowed) < len(position.legal_actions)
        game.play(table, state, action)
    assert kept


def test_a_policy_can_be_restricted():
    game = load_game("tarot_duel")
    table = game.table()
    spec = parse_spec({"type": "ppo", "checkpoint": "pretrained", "never": list(game.card_ids[:12])}, "a")
    player = make_agent(game, table, game.resolved_rules({}), spec, ".")
    position = position_of(game, table, game.dealt(table, 5), 1)
    allowed = player.allowed(position)
    assert len(allowed) < len(position.legal_actions)
    assert {player.act(position, new_stream(seed)) for seed in range(30)} <= set(allowed)
