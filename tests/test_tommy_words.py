"""Tommy Walker TGC in words: actions, refusals, tables, plain data and events."""

import numpy as np
import pytest
from tommy_scenes import GAME, Scene, card, legal_names, patched, play, scene

from duelbench.envs.dispatch import DRAWN
from duelbench.envs.events import BOTH
from duelbench.envs.tommy_walker.cards import CARDS
from duelbench.envs.tommy_walker.state import (
    DISCARD_CARD,
    DRAW,
    EVENT_IDS,
    FETCH,
    LAY_BARRIER,
    PAY,
    PUT_BACK,
    RIDE,
    SET_CARD,
    USE,
    USE_AT,
)

# --- Actions --------------------------------------------------------------------------------------------------


def test_names_in_the_draw_phase():
    s = scene(hands=(["Amina", "German Shark"], []))
    assert legal_names(s) == ["draw a card", "set Amina", "set German Shark"]


def test_names_of_revenge_actions():
    s = scene(attack=(["Akuroou"], ["Maria"]), hands=(["Renjo", "Ren"], []))
    assert legal_names(s) == ["end", "use the AT (7000)", "ride Renjo", "ride Ren", "lay Renjo as the barrier"]


def test_names_of_payments_tell_the_power_of_all_that_will_be_paid():
    s = scene(attack=(["Amina"], ["Ren"]), hands=(["Iska", "Iska", "Iska"], ["Lovelinstar"]))
    assert legal_names(s)[1:4] == [
        "pay 1 card for the AT (8100)",
        "pay 2 cards for the AT (12000)",
        "pay 3 cards for the AT (15900)",
    ]
    play(s, "pay 1 card for the AT (8100)")
    assert legal_names(s) == ["discard Iska"]
    play(s, "discard Iska", "ride Lovelinstar", "use the AT (9700)")
    assert legal_names(s)[1:3] == ["pay 1 card for the AT (12000)", "pay 2 cards for the AT (15900)"]


def test_names_at_an_entry_on_a_ride_and_at_its_copy():
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Premiere"], []), barrier=("Renjo", 1))
    play(s, "ride Premiere")
    assert set(legal_names(s)) == {"do not use it", "use the entry (6900)"}
    play(s, "use the entry (6900)")
    assert set(legal_names(s)) == {"do not copy it", "copy the entry (6900)"}


def test_names_at_a_fetch():
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Algora"], []), discards=(["Amina", "Ralph"], []))
    play(s, "ride Queen Algora")
    assert set(legal_names(s)) == {"do not use it", "take Amina from the discards"}


def test_an_entry_may_be_used_for_nothing_before_a_copier():
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Jack Maxim"], []), barrier=("Himeko", 1))
    play(s, "ride Jack Maxim")
    assert set(legal_names(s)) == {"do not use it", "use the entry and take nothing"}
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Elder Hanks"], []), barrier=("Himeko", 1))
    play(s, "ride Elder Hanks")
    assert set(legal_names(s)) == {"do not use it", "use the entry and return nothing"}


def test_names_while_cards_are_put_back():
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Elder Hanks", "Iska", "Amon"], []))
    play(s, "ride Elder Hanks")
    assert set(legal_names(s)) == {"do not use it", "put Iska back", "put Amon back"}
    play(s, "put Iska back")
    assert set(legal_names(s)) == {"put no more back", "put Amon back"}


def test_names_when_an_attack_card_may_be_taken_back():
    s = scene(attack=(["Calist"], ["Maria"]), hands=(["Iska"], []))
    play(s, "end")
    assert set(legal_names(s)) == {"leave Calist", "discard Iska"}


# --- Refusals -------------------------------------------------------------------------------------------------


def why_illegal(s: Scene, action: int) -> str:
    assert action not in GAME.legal_actions(s.table, s.state)
    return GAME.why_illegal(s.table, s.state, action)


def drawing(**options: bool) -> Scene:
    return scene(hands=(["German Shark"], []), rules=options)


def emptied() -> Scene:
    return scene(hands=(["Ren"], []), decks=([], None), rules={"deckout_check": "end_of_round"})


SINGLE = {"discard_at_mode": "single"}


def revenge(
    attack: str, enemy: str = "Ren", hand: tuple[str, ...] = ("Iska",), rules: dict[str, str] | None = None
) -> Scene:
    """The attack phase, with `attack` of seat 0 to act: its enemy is as strong as it takes."""
    return scene(attack=([attack], [enemy]), hands=(hand, []), table=patched(enemy, rules, power=30000))


def riding(rider: str, barrier: tuple[str, int] | None = None) -> Scene:
    s = scene(attack=(["Ren"], ["Maria"]), hands=([rider, "Iska"], []), discards=(["Amina"], []), barrier=barrier)
    play(s, f"ride {rider}")
    return s


def paying() -> Scene:
    s = revenge("Amina", hand=("Iska", "Maria"))
    play(s, "pay 1 card for the AT (8100)")
    return s


def paid(rules: dict[str, str] | None = None) -> Scene:
    table = patched("Ren", rules, power=30000)
    s = scene(attack=(["Amina"], ["Ren"]), hands=(["Iska"] * 3, []), table=table)
    play(s, "pay 1 card for the AT (8100)", "discard Iska")
    return s


def in_use() -> Scene:
    s = revenge("Cookberry", enemy="Maria")
    play(s, "use the AT (7400)")
    return s


def taking_back() -> Scene:
    s = scene(attack=(["Calist"], ["Maria"]), hands=(["Iska"], []))
    play(s, "end")
    return s


@pytest.mark.parametrize(
    ("lay", "kind", "name", "reason"),
    [
        (emptied, DRAW, None, "the deck is empty"),
        (drawing, SET_CARD, "Ren", "Ren is not in the hand"),
        (
            drawing,
            SET_CARD,
            "German Shark",
            "German Shark may enter by a ride only, and the hand holds no other kind of card",
        ),
        (lambda: drawing(permit_misplay=False), SET_CARD, "German Shark", "German Shark may enter by a ride only"),
        (drawing, RIDE, "Ren", "the decision now is whether to draw or which card to set"),
        (lambda: revenge("Ren", "Maria"), DRAW, None, "the decision now is how to take revenge"),
        (lambda: revenge("Ren", "Maria"), RIDE, "Maria", "Maria is not in the hand"),
        (lambda: revenge("Ren", "Maria"), LAY_BARRIER, "Iska", "Iska is no barrier"),
        (lambda: revenge("Ren", "Maria"), LAY_BARRIER, "Renjo", "Renjo is not in the hand"),
        (lambda: revenge("Ren", "Maria"), USE_AT, None, "Ren has no AT"),
        (lambda: revenge("Ren", "Maria"), PAY, None, "Ren has no AT that is paid for with cards"),
        (lambda: revenge("Ralph"), USE_AT, None, "the AT of Ralph asks for an enemy that is female"),
        (
            lambda: revenge("Akuroou", hand=("Iska",) * 4),
            USE_AT,
            None,
            "the AT of Akuroou asks for at most 3 cards in hand",
        ),
        (lambda: revenge("Lovelinstar"), USE_AT, None, "the AT of Lovelinstar asks for a covered card that is male"),
        (in_use, USE_AT, None, "the AT of Cookberry is in use already"),
        (lambda: revenge("Amina"), USE_AT, None, "the AT of Amina is paid for: say with how many cards"),
        (lambda: revenge("Amina"), PAY + 1, None, "the hand does not hold 2 cards of the kind P"),
        (lambda: revenge("Amina", rules=SINGLE), PAY + 1, None, "the hand does not hold 2 cards of the kind P"),
        (lambda: revenge("Dahlia", hand=("Ren",)), PAY, None, "the hand does not hold 1 card of the kind female"),
        (paid, PAY + 2, None, "the AT of Amina takes 3 cards in all, and 1 of them is paid"),
        (lambda: paid(SINGLE), PAY, None, "the AT of Amina has been paid for already"),
        (paying, DISCARD_CARD, "Maria", "the AT of Amina is paid for with P, and Maria is not"),
        (paying, DISCARD_CARD, "Ren", "Ren is not in the hand"),
        (paying, RIDE, "Maria", "the decision now is which card to discard for the AT, 1 of 1 being owed"),
        (lambda: riding("Jack Maxim"), USE, None, "it would come to nothing: name a card, or leave it"),
        (lambda: riding("Jack Maxim"), FETCH, "Ren", "Ren is not among the discards of player_0"),
        (lambda: riding("Jack Maxim"), PUT_BACK, "Iska", "the entry of Jack Maxim puts no cards back"),
        (
            lambda: riding("Queen Algora"),
            FETCH,
            "Ren",
            "the entry of Queen Algora takes a card that is S, and Ren is not",
        ),
        (lambda: riding("Elder Hanks"), FETCH, "Amina", "the entry of Elder Hanks takes no cards"),
        (lambda: riding("Elder Hanks"), PUT_BACK, "Amina", "Amina is not in the hand"),
        (lambda: riding("Premiere"), RIDE, "Iska", "the decision now is whether to use the entry of Premiere"),
        (taking_back, DISCARD_CARD, "Ren", "Ren is not in the hand"),
        (taking_back, RIDE, "Iska", "the decision now is whether to take Calist back"),
    ],
)
def test_why_an_action_is_refused(lay, kind, name, reason):
    assert why_illegal(lay(), kind if name is None else kind + card(name)) == reason


def test_while_a_copy_is_offered_nothing_else_is():
    s = riding("Premiere", barrier=("Renjo", 1))
    play(s, "use the entry (6900)")
    assert why_illegal(s, RIDE) == "the decision now is whether to copy the entry of Premiere"


def test_while_cards_are_put_back_nothing_else_is():
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Elder Hanks", "Iska", "Amon"], []))
    play(s, "ride Elder Hanks", "put Iska back")
    assert why_illegal(s, RIDE) == "the decision now is which card to put back"


# --- Tables ---------------------------------------------------------------------------------------------------


def told(s: Scene, seat: int | None) -> list[str]:
    return GAME.describe(s.table, s.state, seat).splitlines()


def attack_lines(s: Scene) -> list[str]:
    return [line.removeprefix("  attack    ") for line in told(s, None) if line.startswith("  attack")]


def test_the_attack_phase_described_for_both_seats_and_openly():
    s = scene(
        attack=(["Premiere", "Iska"], ["Ralph"]),
        hands=(["Amina", "Amina", "Ren"], ["Renjo", "Hina", "Hina"]),
        decks=(["Ren", "Amon"], ["Maria", "Maria", "Jack Maxim"]),
        discards=(["Araki"], []),
        barrier=("Silver Rain", 0),
        known=(["Ren"], ["Hina"]),
        round_number=4,
    )

    def lines(cards_0: list[str], cards_1: list[str]) -> list[str]:
        return [
            "Round 4 of at most 200.",
            "player_0",
            "  attack    Iska (female P), power 4900 (printed 3900, Silver Rain +1000), 2 stars",
            "  covers    Premiere",
            *cards_0,
            "  discards  Araki",
            "player_1",
            "  attack    Ralph (male T), power 2800, 4 stars",
            *cards_1,
            "  discards  none",
            "barrier     Silver Rain of player_0",
            "player_1 decides how to take revenge.",
        ]

    hand_0, hand_1 = "  hand      3 cards: Amina x2, Ren", "  hand      3 cards: Renjo, Hina x2"
    open_0 = [hand_0, "  deck      2 cards from the top: Ren, Amon"]
    open_1 = [hand_1, "  deck      3 cards from the top: Maria, Maria, Jack Maxim"]
    own_0 = [hand_0, "  deck      2 cards in some order: Ren, Amon"]
    own_1 = [hand_1, "  deck      3 cards in some order: Jack Maxim, Maria x2"]
    seen_0 = ["  hand      3 cards: Ren, 2 unseen", "  deck      2 cards", "  unseen    Amina x2, Ren, Amon"]
    seen_1 = [
        "  hand      3 cards: Hina, 2 unseen",
        "  deck      3 cards",
        "  unseen    Jack Maxim, Renjo, Maria x2, Hina",
    ]
    assert told(s, None) == lines(open_0, open_1)
    assert told(s, 0) == lines(own_0, seen_1)
    assert told(s, 1) == lines(seen_0, own_1)


def test_a_running_draw_phase_is_described_to_the_other_seat_as_it_began():
    s = scene(hands=(["Ren"], ["Amina"]), decks=(["Iska", "Maria"], None))
    before = told(s, 1)
    play(s, "draw a card")
    assert told(s, 1) == before
    assert told(s, 0)[3:5] == ["  hand      2 cards: Iska, Ren", "  deck      1 card in some order: Maria"]
    play(s, "set Iska")
    assert told(s, 0)[3:5] == ["  hand      2 cards: Iska, Ren", "  has set   Iska"]
    assert told(s, 1)[:-1] == before[:-1]
    assert "Iska" in told(s, None)[4]


def test_cards_put_back_are_described_in_order_to_their_owner_alone():
    s = scene(
        attack=(["Ren"], ["Maria"]),
        hands=(["Elder Hanks", "Iska", "Amon"], []),
        decks=(["Ralph"], None),
        known=(["Amon"], []),
    )
    play(s, "ride Elder Hanks", "put Amon back")
    assert told(s, 0)[4:6] == [
        "  hand      1 card: Iska",
        "  deck      2 cards in some order: Ralph, Amon; from the top: Amon",
    ]
    assert told(s, 1)[4:7] == [
        "  hand      1 card; there or put back: Amon",
        "  deck      2 cards, 1 of them put back on top",
        "  unseen    Ralph, Iska, Amon",
    ]


def test_cards_put_back_under_the_deck_are_described_so():
    s = scene(
        attack=(["Ren"], ["Maria"]),
        hands=(["Elder Hanks", "Iska", "Amon", "Hina"], []),
        decks=(["Ralph"], None),
        rules={"hanks_returns_to": "bottom"},
    )
    play(s, "ride Elder Hanks", "put Amon back", "put Iska back")
    assert told(s, 0)[5] == "  deck      3 cards in some order: Ralph, Iska, Amon; the lowest of them: Amon, Iska"
    assert told(s, 1)[5] == "  deck      3 cards, 2 of them put back under it"


def test_powers_are_told_with_their_origin():
    s = scene(attack=(["Akuroou"], ["Maria"]), hands=(["Ren", "Premiere"], ["Araki"]), barrier=("Himeko", 1))
    play(s, "use the AT (7000)")
    assert attack_lines(s)[0] == "Akuroou (male T), power 7000 (AT 7000), 2 stars"
    s = scene(attack=(["Ren"], ["Maria"]), hands=(["Premiere"], ["Iska"]))
    play(s, "ride Premiere", "use the entry (6900)")
    assert attack_lines(s)[0] == "Premiere (female P), power 6900 (entry 6900), 2 stars"


def test_an_at_that_is_off_is_told():
    s = scene(attack=(["Cookberry"], ["Maria"]), hands=(["Iska"], ["Ren", "Iska"]))
    play(s, "use the AT (7400)", "ride Ren")
    assert attack_lines(s)[0] == "Cookberry (female P), power 5300 (printed 5300, AT 7400 does not hold now), 2 stars"


def test_a_copied_power_is_told():
    s = scene(attack=(["Amina"], ["Maria"]), hands=(["Renjo"], []))
    s.state.copied_power[0], s.state.copy_last[0] = 8800, 1
    assert attack_lines(s)[0] == "Amina (female S), power 8800 (copied entry 8800), 3 stars"


def test_payments_and_misplays_are_told():
    assert attack_lines(paid())[0] == "Amina (female S), power 8100 (AT 8100), 3 stars, 1 card paid for the AT"
    s = scene(hands=(["Calist", "German Shark"], ["Calist", "Ren"]))
    play(s, "set German Shark", "set Calist")
    assert attack_lines(s) == ["German Shark (male P), 2 stars, misplayed", "Calist (male T S), 3 stars"]


def test_the_end_is_told_with_its_reason():
    s = scene(hands=(["Ren"], ["Ren"]), decks=(["Ren"], None))
    play(s, "draw a card", "set Ren", "set Ren")
    assert told(s, 0)[-1] == "player_1 wins (deck out)."
    s = scene(hands=(["Ren"], ["Ren"]), rules={"max_rounds": 1})
    play(s, "set Ren", "set Ren")
    assert told(s, 0)[-1] == "The game is drawn (round cap)."


# --- Plain data -----------------------------------------------------------------------------------------------


def test_zones_of_the_attack_phase():
    s = scene(
        attack=(["Premiere", "Iska"], ["Ralph"]),
        hands=(["Amina", "Amina"], ["Hina"]),
        decks=(["Ren", "Amon"], ["Maria"]),
        discards=(["Araki"], []),
        barrier=("Silver Rain", 0),
        round_number=4,
    )
    play(s, "use the AT (7900)")
    assert GAME.zones(s.state) == {
        "round": 4,
        "decision": {"seat": 0, "kind": "revenge"},
        "decks": [["ren", "amon"], ["maria"]],
        "hands": [["amina", "amina"], ["hina"]],
        "set": [None, None],
        "stacks": [["iska", "premiere"], ["ralph"]],
        "barrier": {"card": "silver_rain", "seat": 0},
        "discards": [["araki"], []],
        "drawn": [0, 0],
        "rode": [1, 0],
        "own_power": [0, 7900],
        "copied_power": [0, 0],
        "copy_last": [0, 0],
        "paid": [0, 0],
        "round_winner": None,
        "entry_of": None,
        "copying": 0,
        "returns_left": 0,
        "announced": 0,
        "owed": 0,
        "result": None,
    }


def test_zones_of_a_draw_phase_and_of_the_end():
    s = scene(hands=(["Ren"], ["Ren"]), decks=(["Ren"], None))
    play(s, "draw a card", "set Ren")
    zones = GAME.zones(s.state)
    assert (zones["hands"], zones["set"], zones["drawn"]) == ([["ren", "ren"], ["ren"]], ["ren", None], [1, 0])
    play(s, "set Ren")
    assert GAME.zones(s.state)["result"] == {"winner": 1, "reason": "deck out"}
    assert GAME.zones(s.state)["decision"] is None


# --- Events ---------------------------------------------------------------------------------------------------


def event_of(kind: str, name: str | None = None, value: int = 0, seat: int = 0, seen_by: int = BOTH) -> np.void:
    event = np.zeros(1, GAME.state_dtype["events"].base)[0]
    number = len(CARDS) if name is None else card(name)
    event["kind"], event["seat"], event["card"], event["value"] = EVENT_IDS.index(kind), seat, number, value
    event["seen_by"] = seen_by
    return event


def text_of(kind: str, name: str, value: int) -> str:
    return GAME.event_text(GAME.table(), event_of(kind, name, value))


def test_every_kind_of_event_has_a_sentence_of_its_own():
    texts = [text_of(kind, "Amina", 1) for kind in EVENT_IDS]
    assert all(text.endswith(".") for text in texts)
    assert len(set(texts)) == len(EVENT_IDS)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (event_of("round_begins", value=126), "Round 126 begins."),
        (event_of("round_begins", value=127), "Another round begins."),
        (event_of("drew", value=0, seat=1), "player_1 has drawn no cards."),
        (event_of("drew", value=1), "player_0 has drawn 1 card."),
        (event_of("enters", "Premiere"), "player_0 uses the entry of Premiere (6900)."),
        (event_of("enters", "Elder Hanks"), "player_0 uses the entry of Elder Hanks."),
        (event_of("enters", "Elder Hanks", 1), "player_0 uses the entry of Elder Hanks for nothing."),
        (event_of("ends", None, 0), "player_0 ends the attack phase."),
        (event_of("ends", None, 1), "player_0 can do nothing more: the attack phase is over."),
        (event_of("copies", "Premiere", seat=1), "player_1 copies the entry of Premiere (6900)."),
        (event_of("declines", "Premiere", 0), "player_0 does not use the entry of Premiere."),
        (event_of("declines", "Premiere", 1), "player_0 does not copy the entry of Premiere."),
        (event_of("ats", "Amina", 2), "player_0 uses the AT of Amina (12000)."),
        (event_of("announces", "Amina", 2), "player_0 will discard 2 cards for the AT of Amina."),
        (event_of("round_won", "Ralph", 4, seat=1), "player_1 wins the round with Ralph, for 4 damage."),
        (event_of("game_over", None, 3, seat=DRAWN), "The game is drawn (round cap)."),
        (event_of("game_over", None, 1, seat=1), "player_1 wins the game (deck out)."),
    ],
)
def test_what_an_event_says(event, sentence):
    assert GAME.event_text(GAME.table(), event) == sentence


def test_powers_in_sentences_are_those_of_the_table():
    table = patched("Premiere", entry_power=7000)
    assert GAME.event_text(table, event_of("enters", "Premiere")) == "player_0 uses the entry of Premiere (7000)."


def test_events_as_data_say_who_sees_them_and_whether_they_are_noticed():
    s = scene(hands=(["Ren"], []), decks=(["Iska"], None))
    assert play(s, "draw a card") == [
        {"kind": "draws", "seat": 0, "card": "iska", "value": 0, "seen_by": [0], "secret": True}
    ]
    assert GAME.event_data(event_of("drew", value=2)) == {"kind": "drew", "seat": 0, "value": 2, "seen_by": [0, 1]}
