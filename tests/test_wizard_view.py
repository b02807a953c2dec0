"""What a seat of Wizard in Training sees, piece by piece, and the table that a game is played with."""

import numpy as np
import pytest
from wizard_scenes import DUEL, GAME, Scene, mode, play, scene, spell

from duelbench.envs import dispatch, wizard_in_training
from duelbench.envs.decks import Deck
from duelbench.envs.records import blank
from duelbench.envs.rng import below, new_stream
from duelbench.envs.wizard_in_training.cards import (
    BLANK_MAIN,
    CARDS,
    FIRST_CHARACTER,
    FIRST_MAIN,
    FIRST_SPELL,
    NO_CARD,
    NUM_CARDS,
    NUM_ITEMS,
)
from duelbench.envs.wizard_in_training.encoding import VIEW
from duelbench.envs.wizard_in_training.state import DECISIONS, DECK_SIZE


def seen(s: Scene, seat: int) -> np.record:
    """The observation, over a buffer that held something else before."""
    views = blank(1, VIEW)
    views.view(np.float32)[:] = 7
    view: np.record = views[0]
    dispatch.observe(s.table, s.state, seat, view)
    return view


def copies(s: Scene, plane: np.ndarray, first: int = 0) -> dict[str | None, float]:
    """The entries of a plane that are not 0, by name, in copies of the card; `first` is the plane's first card."""
    return {s.name(first + int(i)): float(plane[i]) * 2 for i in np.flatnonzero(plane)}


def ones(s: Scene, plane: np.ndarray, first: int = 0) -> list[str | None]:
    assert set(np.unique(plane)) <= {0, 1}
    return [s.name(first + int(i)) for i in np.flatnonzero(plane)]


def by_side(pair: np.ndarray, seat: int) -> list:
    """The entries of a piece in the order of the seats."""
    return pair.tolist()[:: -1 if seat else 1]


def open_table() -> Scene:
    return scene(
        hand=(["hum", "wolf"], ["hex", "shilling"]),
        pool=(["crown", "penny", "penny"], ["florin"]),
        field=(["squire"], ["page", "ogre"]),
        discard=(["club", "club"], ["ale"]),
        used=(["jinx"], []),
        deck=(["giant"], ["crown", "knight"]),
        rest=(4, 4),
        earned=(4, 1),
        level=(2, 1),
        fought=([], ["page"]),
        kept=(2, 1),
        turn=50,
        cards={"jinx": spell(), "hex": spell()},
    )


def test_the_planes_of_the_open_places():
    s = open_table()
    view = seen(s, 0)
    assert copies(s, view.hand) == {"hum": 1, "wolf": 1}
    assert copies(s, view.deck_cards) == {"giant": 1}
    assert copies(s, view.unseen) == {"hex": 1, "shilling": 1, "crown": 1, "knight": 1}
    assert [copies(s, plane) for plane in view.pool] == [{"crown": 1, "penny": 2}, {"florin": 1}]
    assert [ones(s, plane, FIRST_CHARACTER) for plane in view.field] == [["squire"], ["page", "ogre"]]
    assert [ones(s, plane, FIRST_CHARACTER) for plane in view.fought] == [[], ["page"]]
    assert [ones(s, plane, FIRST_SPELL) for plane in view.used] == [["jinx"], []]
    assert copies(s, view.discard[0]) == {"club": 2, "pebble": 19}
    assert copies(s, view.discard[1]) == {"ale": 1, "pebble": 21}
    assert [ones(s, plane, FIRST_MAIN) for plane in view.mains] == [["nevin"], ["kelli"]]
    for plane in (view.worn, view.held, view.fighter, view.spell, view.mode):
        assert not plane.any()


def test_the_numbers_from_both_sides():
    s = open_table()
    for seat in range(2):
        view = seen(s, seat)
        assert np.flatnonzero(view.decision).tolist() == [DECISIONS.index("cast")]
        assert (view.my_decision, view.my_turn) == (seat == 0, seat == 0)
        assert (view.turn_number, view.turns_left) == (pytest.approx(0.5), pytest.approx(350 / 400))
        assert [int(np.flatnonzero(level)[0]) + 1 for level in by_side(view.level, seat)] == [2, 1]
        assert by_side(view.total, seat) == pytest.approx([11 / 24, 4 / 24])
        assert by_side(view.earned, seat) == pytest.approx([4 / 24, 1 / 24])
        assert by_side(view.missing, seat) == pytest.approx([1 / 24, 4 / 24])
        assert by_side(view.deck_size, seat) == pytest.approx([1 / 29, 2 / 29])
        assert by_side(view.hand_size, seat) == pytest.approx([0.2, 0.2])
        assert by_side(view.kept, seat) == pytest.approx([0.2, 0.1])
        assert by_side(view.field_size, seat) == [0.5, 1]
        assert by_side(view.main_attack, seat) == pytest.approx([0.1, 0.2])
        assert by_side(view.main_defend, seat) == pytest.approx([0.3, 0.2])


def test_13_3_hand_and_deck_of_the_other_are_one_collection_and_the_own_deck_has_no_order():
    one, two = (
        scene(hand=(["hum"], ["hex", "wolf"]), deck=(["crown", "florin"], ["giant"]), cards={"hex": spell()})
        for _ in range(2)
    )
    two.state.deck[0, :27] = two.state.deck[0, :27][::-1].copy()
    hand, deck = (int(np.flatnonzero(two.state.zone[1] == zone)[0]) for zone in (1, 0))
    two.state.zone[1, hand], two.state.zone[1, deck] = 0, 1
    assert seen(one, 0).tobytes() == seen(two, 0).tobytes()


def test_13_4_an_item_is_not_possible_where_the_whole_hand_has_been_kept():
    for kept, items in ((1, {}), (0, {"crown": 1})):
        s = scene(hand=(["hum"], ["wolf"]), deck=([], ["crown", "giant"]), rest=(0, 4), kept=(1, kept))
        view = seen(s, 0)
        assert copies(s, view.possible) == {"wolf": 1, "giant": 1} | items
        assert copies(s, view.unseen) == {"wolf": 1, "giant": 1, "crown": 1}


def test_13_5_a_card_that_came_back_after_the_draw_is_not_possible():
    s = scene(hand=(["hum"], ["wolf", "ogre"]), deck=([], ["crown", "giant"]), rest=(0, 4), kept=(1, 0))
    giant = np.flatnonzero(s.state.lists[1] == s.numbers["giant"])
    s.state.shuffles[1] = 1
    s.state.since[1, giant] = 1
    assert copies(s, seen(s, 0).possible) == {"wolf": 1, "ogre": 1, "crown": 1}
    s.state.drawn_at[1, 1] = 1  # one was drawn since
    assert "giant" in copies(s, seen(s, 0).possible)


def test_nothing_is_possible_in_an_empty_hand():
    s = scene(hand=(["hum"], []), deck=([], ["crown", "giant"]), rest=(0, 4))
    assert not seen(s, 0).possible.any()
    assert copies(s, seen(s, 0).unseen) == {"crown": 1, "giant": 1}


def test_a_spell_being_cast_is_seen_by_both():
    cards = {"rite": spell(mode(gain=1), mode(steal=3), needs="charm"), "no": spell(counters=("rite",))}
    s = scene(hand=(["rite"], ["no"]), pool=(["amulet"], ["penny", "florin", "crown"]), cards=cards)
    play(s, "cast rite")
    assert not seen(s, 0).mode.any()
    play(s, "mode 1")
    for seat in range(2):
        view = seen(s, seat)
        assert [ones(s, plane, FIRST_SPELL) for plane in by_side(view.spell, seat)] == [["rite"], []]
        assert [ones(s, plane) for plane in by_side(view.held, seat)] == [["amulet"], []]
        assert view.mode.tolist() == [0, 1, 0]
        assert by_side(view.total, seat)[0] == pytest.approx(1 / 24)
    play(s, "pass", "pay penny")
    view = seen(s, 1)
    assert (view.owed, view.stolen) == (pytest.approx(2 / 24), pytest.approx(1 / 24))


def test_a_forced_discard_is_seen():
    s = scene(hand=(["jinx"], ["wolf", "ogre", "page"]), cards={"jinx": spell(mode(discard=2))})
    play(s, "cast jinx")
    assert seen(s, 0).to_give_up == pytest.approx(2 / 3)
    play(s, "discard wolf")
    assert seen(s, 1).to_give_up == pytest.approx(1 / 3)


def duel_of_boosts(rules: dict | None = None) -> Scene:
    cards = {"boost": spell(mode(attack=2, other_defend=-1), mode(attack=1, other_attack=-2, every_duel=1))}
    return scene(
        hand=(["boost"], ["ogre"]),
        field=(["squire"], []),
        pool=(["sword", "ale"], ["broth", "syrup"]),
        cards=cards,
        rules=rules,
    )


def test_a_duel_is_seen_with_its_values():
    s = duel_of_boosts()
    play(s, "cast boost", "mode 0", "attack squire", "equip sword")
    for seat in range(2):
        view = seen(s, seat)
        assert by_side(view.attack, seat) == pytest.approx([0.6, 0])
        assert by_side(view.defend, seat) == pytest.approx([0.2, 0])
        assert by_side(view.lots, seat) == pytest.approx([0.2, 0])
        assert np.array(by_side(view.boost, seat)) * 10 == pytest.approx(
            np.array([[[2, 0], [0, 0]], [[0, -1], [0, 0]]])
        )
        assert [copies(s, plane) for plane in by_side(view.worn, seat)] == [{"sword": 1}, {}]
        assert [copies(s, plane) for plane in by_side(view.pool, seat)] == [{"ale": 1}, {"broth": 1, "syrup": 1}]
    play(s, "pass", "block ogre")
    for seat in range(2):
        view = seen(s, seat)
        assert [ones(s, p, FIRST_CHARACTER) for p in by_side(view.fighter, seat)] == [["squire"], ["ogre"]]
        assert by_side(view.attack, seat) == pytest.approx([0.6, 0.5])  # 10.2: ogre is above its player's level
        assert by_side(view.defend, seat) == pytest.approx([0.2, 0])
        assert by_side(view.main_fights, seat) == [0, 0]
        assert view.duels == 0.25


def test_changes_for_every_duel_stand_apart():
    s = duel_of_boosts()
    play(s, "cast boost", "mode 1")
    assert seen(s, 1).boost * 10 == pytest.approx(np.array([[[0, 0], [-2, 0]], [[0, 0], [1, 0]]]))


def test_a_main_that_fights_is_seen():
    s = scene(at=DUEL, pool=(["sword"], ["ale"]), hand=(["wolf"], []))
    play(s, "main", "pass")
    view = seen(s, 1)
    assert view.main_fights.tolist() == [1, 1]
    assert view.main_fought.tolist() == [0, 1]
    assert view.attack.tolist() == pytest.approx([0.2, 0.1])


def test_13_10_what_lies_face_down_is_in_the_pool_for_the_other():
    s = duel_of_boosts({"duel_commit": "hidden_equipment"})
    play(s, "cast boost", "mode 0", "attack squire", "block ogre")
    before = seen(s, 1)
    play(s, "equip sword")
    other, mine = seen(s, 1), seen(s, 0)
    assert (mine.attack[0], mine.lots[0], copies(s, mine.worn[0])) == (
        pytest.approx(0.6),
        pytest.approx(0.2),
        {"sword": 1},
    )
    assert copies(s, mine.pool[0]) == {"ale": 1}
    assert other.lots[1] == pytest.approx(0.2)
    other.lots[1] = 0
    assert other.tobytes() == before.tobytes()
    play(s, "pass", "equip broth")
    assert (seen(s, 0).defend[1], seen(s, 1).defend[0]) == (0, pytest.approx(0.3))
    assert copies(s, seen(s, 0).pool[1]) == {"broth": 1, "syrup": 1}


def test_13_10_another_lot_of_the_same_size_looks_the_same():
    views = []
    for given in ("sword", "ale"):
        s = duel_of_boosts({"duel_commit": "hidden_equipment"})
        play(s, "cast boost", "mode 0", "attack squire", "block ogre", f"equip {given}", "pass")
        views.append(seen(s, 1).tobytes())
    assert views[0] == views[1]


def test_11_16_who_has_no_level_any_more_shows_none():
    s = scene(at=DUEL, field=(["dragon"], []), level=(5, 1))
    play(s, "attack dragon")
    assert s.state.over
    view = seen(s, 0)
    assert (view.level[1].any(), view.missing[1], view.my_decision) == (False, 0, 0)


def test_values_stay_in_proportion():
    table, dice = GAME.table(), new_stream(3)
    for seed in range(10):
        state = GAME.dealt(table, seed)
        while not state.over:
            assert all(np.abs(GAME.observation(table, state, seat)).max() <= 2 for seat in range(2))
            legal = GAME.legal_actions(table, state)
            GAME.play(table, state, legal[below(dice, len(legal))])


# --- The table ------------------------------------------------------------------------------------------------


def a_deck(spare: int | None = None) -> Deck:
    """A legal deck of the shipped cards."""
    state = GAME.dealt(GAME.table(), 1)
    return Deck("a", "", (int(state.mains[0]), *map(int, state.lists[0])), spare)


def test_2_4_decks_are_written_into_the_table_without_their_mains():
    deck = a_deck(spare=FIRST_MAIN + 1)
    table = GAME.table(decks={"player_0": [deck, a_deck()], "player_1": "random"})
    assert table.pool_size.tolist() == [2, 0]
    for i in range(2):
        assert table.pool[0, i].tolist() == list(deck.cards[1:])
        assert table.pool_main[0, i] == deck.cards[0]
    assert table.pool_spare[0, :3].tolist() == [FIRST_MAIN + 1, BLANK_MAIN, NO_CARD]
    assert table.pool[0, 2].tolist() == [NO_CARD] * DECK_SIZE


def test_without_decks_every_card_is_allowed():
    assert GAME.table().num_allowed.tolist() == [NUM_CARDS, NUM_CARDS]
    assert GAME.table().allowed[1].tolist() == list(range(NUM_CARDS))
    assert GAME.table().blank == BLANK_MAIN


@pytest.mark.parametrize(
    ("option", "field", "values"),
    [
        ("recycle", "recycle", {"when_empty": 0, "every_redraw": 1, "level_change": 2}),
        ("level5_cap", "cap_23", {"event": 0, "cap_23": 1}),
        ("duels_per_phase", "one_duel", {"each_once": 0, "one": 1}),
        ("duel_compare", "attack_vs_defend", {"both_ways": 0, "attack_vs_defend": 1}),
        ("duel_double_hit", "double_hit_attacker", {"tie": 0, "attacker_wins": 1}),
        ("duel_tie", "tie_defender", {"both_destroyed": 0, "defender_wins": 1}),
        ("main_attack_leveldown", "main_attack_falls", {True: 1, False: 0}),
        ("duel_reward", "loser_sum", {"winner_sum": 0, "loser_sum": 1}),
        ("duel_commit", "hidden_equipment", {"open": 0, "hidden_equipment": 1}),
        ("max_turns", "max_turns", {400: 400, 1: 1, 1000: 1000}),
    ],
)
def test_15_an_option_is_a_field_of_the_table_and_its_first_value_the_default(option, field, values):
    assert getattr(GAME.table(), field) == next(iter(values.values()))
    for value, written in values.items():
        assert getattr(GAME.table({option: value}), field) == written


def test_15_these_are_all_options():
    assert len(GAME.options) == 10


# --- The notice -----------------------------------------------------------------------------------------------


def test_14_the_notice_stands_as_long_as_a_card_is_invented(monkeypatch):
    assert GAME.notice == wizard_in_training._notice()
    assert "\n" not in GAME.notice
    monkeypatch.setattr(wizard_in_training, "CARDS", [card._replace(invented="") for card in CARDS])
    assert wizard_in_training._notice() == ""
    monkeypatch.setattr(wizard_in_training, "CARDS", [card._replace(invented="") for card in CARDS[1:]] + [CARDS[0]])
    assert wizard_in_training._notice() == GAME.notice


def test_the_planes_of_one_type_have_its_size():
    view = blank(1, VIEW)[0]
    assert view.pool.shape == (2, NUM_ITEMS)
    assert view.field.shape == (2, FIRST_SPELL - FIRST_CHARACTER)
    assert view.used.shape == (2, FIRST_MAIN - FIRST_SPELL)
    assert view.mains.shape == (2, NUM_CARDS - FIRST_MAIN)
