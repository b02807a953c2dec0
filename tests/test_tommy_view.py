"""What a seat of Tommy Walker TGC sees, piece by piece, and the table that a game is played with."""

import numpy as np
import pytest
from tommy_scenes import GAME, Scene, card, patched, play, scene

from duelbench.envs import dispatch
from duelbench.envs.decks import Deck
from duelbench.envs.records import blank
from duelbench.envs.tommy_walker.cards import CARDS, MALE, NO_CARD, NUM_CARDS
from duelbench.envs.tommy_walker.encoding import VIEW
from duelbench.envs.tommy_walker.state import COPY, DRAWING, REVENGE, TAKING_BACK


def seen(s: Scene, seat: int) -> np.record:
    """The observation, over a buffer that held something else before."""
    views = blank(1, VIEW)
    views.view(np.float32)[:] = 7
    view: np.record = views[0]
    dispatch.observe(s.table, s.state, seat, view)
    return view


def copies(plane: np.ndarray) -> dict[str, float]:
    """The entries of a plane that are not 0, by name, in copies of the card."""
    return {CARDS[i].name: float(plane[i]) * 4 for i in np.flatnonzero(plane)}


def ones(plane: np.ndarray) -> list[str]:
    assert set(np.unique(plane)) <= {0, 1}
    return [CARDS[i].name for i in np.flatnonzero(plane)]


def fight() -> Scene:
    s = scene(
        attack=(["Premiere", "Iska"], ["Ralph"]),
        hands=(["Amina", "Amina", "Ren"], ["Renjo", "Hina", "Hina"]),
        decks=(["Ren", "Amon"], ["Maria", "Maria", "Jack Maxim"]),
        discards=(["Araki", "Araki"], ["David"]),
        barrier=("Silver Rain", 0),
        known=(["Ren"], ["Hina"]),
        round_number=4,
    )
    play(s, "use the AT (7900)")
    return s


def test_the_planes_of_the_attack_phase():
    view = seen(fight(), 0)
    assert copies(view.hand) == {"Amina": 2, "Ren": 1}
    assert copies(view.shown) == {"Ren": 1}
    assert copies(view.deck_cards) == {"Ren": 1, "Amon": 1}
    assert copies(view.unseen) == {"Maria": 2, "Jack Maxim": 1, "Renjo": 1, "Hina": 2}
    assert copies(view.known) == {"Hina": 1}
    assert [ones(view.attack[side]) for side in range(2)] == [["Iska"], ["Ralph"]]
    assert [copies(view.covered[side]) for side in range(2)] == [{"Premiere": 1}, {}]
    assert [copies(view.discard[side]) for side in range(2)] == [{"Araki": 2}, {"David": 1}]
    assert ones(view.barrier) == ["Silver Rain"]
    for plane in (view.chosen, view.next_cards, view.loose, view.source):
        assert not plane.any()


def test_the_numbers_of_the_attack_phase_from_both_sides():
    for seat in range(2):
        view = seen(fight(), seat)
        order = slice(None, None, -1 if seat else 1)
        assert np.flatnonzero(view.decision).tolist() == [REVENGE]
        assert view.my_decision == (seat == 0)
        assert view.round_number == pytest.approx(4 / 50)
        assert view.rounds_left == pytest.approx(196 / 200)
        assert view.deck_size[order].tolist() == [2 / 16, 3 / 16]
        assert view.hand_size[order].tolist() == [3 / 16, 3 / 16]
        assert view.power[order].tolist() == pytest.approx([0.49, 0.79])
        assert view.own_power[order].tolist() == pytest.approx([0, 0.79])
        assert view.stars[order].tolist() == [0.5, 1]
        assert view.attributes[order].tolist() == [[0, 1, 1, 0, 0], [1, 0, 0, 1, 0]]
        assert view.rode[order].tolist() == [1, 0]
        assert view.barrier_by[order].tolist() == [1, 0]


def test_a_barrier_of_the_other_seat_is_not_in_its_deck():
    view = seen(fight(), 1)
    assert "Silver Rain" not in copies(view.unseen)
    assert view.barrier_by.tolist() == [0, 1]


def test_9_2_a_running_draw_phase_is_seen_by_the_seat_alone():
    s = scene(hands=(["Ren"], ["Amina"]), decks=(["Iska", "Maria"], None))
    before = seen(s, 1).tobytes()
    play(s, "draw a card")
    assert seen(s, 1).tobytes() == before
    mine = seen(s, 0)
    assert copies(mine.hand) == {"Ren": 1, "Iska": 1}
    assert copies(mine.deck_cards) == {"Maria": 1}
    assert (mine.drawn[0], mine.deck_size[0], mine.hand_size[0]) == (1 / 16, 1 / 16, 2 / 16)
    play(s, "set Iska")
    assert ones(seen(s, 0).chosen) == ["Iska"]
    other = seen(s, 1)
    assert other.my_decision == 1
    assert np.flatnonzero(other.decision).tolist() == [DRAWING]
    other.my_decision = 0
    assert other.tobytes() == before


def test_9_4_own_cards_put_back_are_seen_in_their_places():
    s = scene(
        attack=(["Ren"], ["Maria"]),
        hands=(["Elder Hanks", "Iska", "Amon", "Hina"], ["Ren", "Hina"]),
        decks=(["Ralph", "Ralph"], None),
        known=(["Amon"], []),
    )
    play(s, "ride Elder Hanks", "put Amon back", "put Iska back", "put no more back")
    view = seen(s, 0)
    assert [ones(view.next_cards[i]) for i in range(3)] == [["Amon"], ["Iska"], []]
    assert view.returned.tolist() == [2 / 16, 0]
    assert not view.shown.any()
    other = seen(s, 1)
    assert copies(other.loose) == {"Amon": 1}
    assert not other.known.any()
    assert other.returned.tolist() == [0, 2 / 16]
    play(s, "end")  # Maria's one star takes the top card
    assert [ones(seen(s, 0).next_cards[i]) for i in range(3)] == [["Iska"], [], []]
    play(s, "draw a card")
    assert not seen(s, 0).next_cards.any()
    assert seen(s, 0).returned[0] == 0
    assert seen(s, 1).returned[1] == 1 / 16


def test_9_4_cards_put_back_under_the_deck_are_seen_when_they_come_near():
    s = scene(
        attack=(["Ren"], ["Maria"]),
        hands=(["Elder Hanks", "Iska", "Amon", "Hina"], ["Ren", "Hina"]),
        decks=(["Cookberry", "Kizuki"], None),
        rules={"hanks_returns_to": "bottom"},
    )
    play(s, "ride Elder Hanks", "put Amon back", "put Iska back", "put no more back")
    view = seen(s, 0)
    assert [ones(view.next_cards[i]) for i in range(3)] == [[], [], ["Amon"]]


def test_a_copier_sees_what_it_may_copy():
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Premiere"], []), barrier=("Renjo", 1))
    play(s, "ride Premiere")
    assert (ones(seen(s, 1).source), seen(s, 1).copying) == (["Premiere"], 0)
    play(s, "use the entry (6900)")
    view = seen(s, 1)
    assert (ones(view.source), view.copying, np.flatnonzero(view.decision).tolist()) == (["Premiere"], 1, [COPY])


def test_a_copied_power_is_seen():
    s = scene(attack=(["Amina"], ["Maria"]), hands=(["Renjo"], []))
    s.state.copied_power[0], s.state.copy_last[0] = 5000, 1
    for seat in range(2):
        view = seen(s, seat)
        assert view.copied_power[seat] == pytest.approx(0.5)
        assert view.power[seat] == pytest.approx(0.5)
        assert (view.copy_last[seat], view.copy_last[1 - seat], view.copied_power[1 - seat]) == (1, 0, 0)


def test_a_payment_under_way_is_seen():
    table = patched("Ren", power=30000)
    s = scene(attack=(["Amina"], ["Ren"]), hands=(["Iska"] * 3, []), table=table)
    play(s, "pay 2 cards for the AT (12000)", "discard Iska")
    view = seen(s, 1)
    assert (view.announced, view.owed, view.paid[1]) == (pytest.approx(2 / 3), pytest.approx(1 / 3), 0)
    play(s, "discard Iska")
    assert seen(s, 1).paid[1] == pytest.approx(2 / 3)


def test_8_9_no_power_is_seen_when_one_of_two_calists_is_gone():
    s = scene(attack=(["Calist"], ["Calist"]), hands=(["Iska"], ["Iska"]), barrier=("Silver Rain", 1))
    play(s, "end", "discard Iska")
    assert s.state.phase == TAKING_BACK
    for seat in range(2):
        assert not seen(s, seat).power.any()


# --- The table ------------------------------------------------------------------------------------------------


def test_decks_are_written_into_the_table():
    one, two = (Deck(name, "", (card(name),) * 16) for name in ("Ren", "Iska"))
    table = GAME.table(decks={"player_0": [one, two], "player_1": {"random": ["ralph", "maria"]}})
    assert (table.pool_size.tolist(), table.num_allowed.tolist()) == ([2, 0], [0, 2])
    assert table.pool[0, :3].tolist() == [[card("Ren")] * 16, [card("Iska")] * 16, [NO_CARD] * 16]
    assert table.allowed[1, :3].tolist() == [card("Ralph"), card("Maria"), NO_CARD]


def test_without_decks_every_card_is_allowed():
    assert GAME.table().num_allowed.tolist() == [NUM_CARDS, NUM_CARDS]
    assert GAME.table().allowed[1].tolist() == list(range(NUM_CARDS))


@pytest.mark.parametrize(
    ("option", "field", "values"),
    [
        ("permit_misplay", "permit_misplay", {True: 1, False: 0}),
        ("deckout_check", "deckout_at_once", {"immediate": 1, "end_of_round": 0}),
        ("discard_at_mode", "pay_once", {"cumulative": 0, "single": 1}),
        ("copy_ride_condition", "copy_tests_ride", {"ignored": 0, "tested": 1}),
        ("hanks_returns_to", "returns_to_bottom", {"top": 0, "bottom": 1}),
        ("max_rounds", "max_rounds", {200: 200, 1: 1, 1000: 1000}),
    ],
)
def test_10_an_option_is_a_field_of_the_table_and_its_first_value_the_default(option, field, values):
    assert getattr(GAME.table(), field) == next(iter(values.values()))
    for value, written in values.items():
        assert getattr(GAME.table({option: value}), field) == written


def test_7_12_lovelinstars_at_becomes_an_entry_in_the_table_alone():
    here, there = (GAME.table({"lovelinstar_timing": timing}).cards[card("Lovelinstar")] for timing in ("at", "entry"))
    assert (here.at_cover, here.at_power[0], here.entry_on, here.entry_power) == (MALE, 9700, 0, 0)
    assert (there.at_cover, there.at_power[0], there.entry_on, there.entry_power) == (0, 0, MALE, 9700)
    assert CARDS[card("Lovelinstar")].at_cover == MALE
