"""Wizard in Training in words: actions, refusals, tables, plain data and events.

Cards of scenes are the tests' own, but for their names: those are of the shipped cards with their numbers.
"""

import numpy as np
import pytest
from wizard_scenes import DUEL, GAME, REDRAW, STOCK, Scene, action_text, item, mode, play, scene, spell

from duelbench.envs.dispatch import DRAWN
from duelbench.envs.events import BOTH
from duelbench.envs.wizard_in_training.cards import CARDS, FIRST_CHARACTER, FIRST_MAIN, FIRST_SPELL, NO_CARD
from duelbench.envs.wizard_in_training.state import EVENT_IDS, NUM_ACTIONS

TWO_MODES = spell(mode(gain=2), mode(steal=1, draw=2))
CARDS_HERE = {
    "hex": spell(mode(steal=3), level=2),
    "jinx": spell(mode(discard=1)),
    "choice": TWO_MODES,
    "rite": spell(mode(gain=1), needs="charm"),
    "shout": spell(mode(gain=1), counters=("hum",)),
    "flood": spell(mode(destroys=1)),
    "plague": spell(mode(destroys=2)),
    **{name: STOCK[name] for name in ("crown", "wolf", "giant")},  # named by tests where they do not lie
}


def laid(**facts) -> Scene:
    return scene(cards=CARDS_HERE, **facts)


def n(s: Scene, name: str) -> str:
    """The name in words of a card of the scene."""
    return CARDS[s.numbers[name]].name


def names(s: Scene) -> list[str]:
    return [GAME.action_name(s.table, s.state, action) for action in GAME.legal_actions(s.table, s.state)]


def refusal(s: Scene, action: str) -> str:
    number = next(number for number in range(NUM_ACTIONS) if action_text(s, number) == action)
    assert number not in GAME.legal_actions(s.table, s.state)
    return GAME.why_illegal(s.table, s.state, number)


def lines(s: Scene, seat: int | None) -> list[str]:
    return GAME.describe(s.table, s.state, seat).splitlines()


def line(s: Scene, seat: int | None, begin: str, of: int = 0) -> str:
    """What stands behind `begin`, the `of`-th time that a line has it."""
    return [told.strip()[len(begin) :].strip() for told in lines(s, seat) if told.strip().startswith(begin)][of]


# --- Actions --------------------------------------------------------------------------------------------------


def test_names_in_the_spell_phase():
    s = laid(hand=(["choice", "hum"], ["shout"]), rest=(2, 0))
    assert names(s) == ["end the Spell phase", f"cast {n(s, 'choice')}", f"cast {n(s, 'hum')}"]
    play(s, "cast choice")
    assert names(s) == ["take effect 1: gain 2 teeth", "take effect 2: steal 1 tooth; draw 2 cards"]


def test_names_of_answers_to_a_spell():
    s = laid(hand=(["hum"], ["shout"]))
    play(s, "cast hum")
    assert names(s) == ["do not counter", f"counter with {n(s, 'shout')}"]
    s = laid(hand=(["flood"], []), pool=([], ["penny", "crown"]))
    play(s, "cast flood")
    assert names(s) == [f"destroy {n(s, 'penny')}", f"destroy {n(s, 'crown')}"]
    s = laid(hand=(["hex"], []), pool=([], ["penny", "crown"]), level=(2, 1))
    play(s, "cast hex")
    assert names(s) == [f"pay with {n(s, 'penny')}", f"pay with {n(s, 'crown')}"]
    s = laid(hand=(["jinx"], ["hum", "jinx"]))
    play(s, "cast jinx")
    assert sorted(names(s)) == sorted([f"discard {n(s, 'hum')}", f"discard {n(s, 'jinx')}"])


def test_names_of_items_that_a_spell_needs():
    s = scene(
        hand=(["rite"], []),
        pool=(["amulet", "locket"], []),
        cards={**CARDS_HERE, "locket": item(2, "charm")},
    )
    play(s, "cast rite")
    assert names(s) == [f"hold {n(s, 'amulet')}", f"hold {n(s, 'locket')}"]


def test_names_in_the_duel_phase():
    s = laid(at=DUEL, hand=(["squire"], ["wolf"]), pool=(["sword", "ale"], []))
    assert names(s) == ["end the Duel phase", f"attack with {n(s, 'nevin')}", f"attack with {n(s, 'squire')}"]
    play(s, "attack squire")
    assert names(s) == ["take no items", f"wear {n(s, 'sword')}", f"drink {n(s, 'ale')}"]
    play(s, "equip ale")
    assert names(s) == ["take no more items", f"wear {n(s, 'sword')}"]
    play(s, "pass")
    assert names(s) == [f"defend with {n(s, 'kelli')}", f"block with {n(s, 'wolf')}"]


def test_names_in_the_discard_redraw_phase():
    s = laid(at=REDRAW, hand=(["wolf"], []))
    assert names(s) == ["keep the hand", f"discard {n(s, 'wolf')}"]


# --- Refusals -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("cast hex", "{hex} is of level 2, and player_0 of level 1"),
        ("cast choice", "{choice} is not in the hand"),
        ("attack wolf", "the decision now is which spell to cast"),
        ("mode 0", "the decision now is which spell to cast"),
    ],
)
def test_why_a_spell_may_not_be_cast(action, reason):
    s = laid(hand=(["hex", "wolf"], ["choice"]))
    assert refusal(s, action) == reason.format(**{name: n(s, name) for name in s.numbers})


def test_5_3_why_a_spell_without_its_item_may_not_be_cast():
    number = next(k for k, card in enumerate(CARDS) if k >= FIRST_SPELL and card.requirement)
    table = GAME.table()
    state = GAME.dealt(table, 1)
    seat = int(state.to_act)
    state.lists[seat, np.flatnonzero(state.zone[seat] == 1)[:1]] = number
    state.level[seat] = 5
    state.zone[seat][state.zone[seat] == 2] = 4
    action = next(k for k in range(NUM_ACTIONS) if GAME.action_name(table, state, k) == f"cast {CARDS[number].name}")
    told = GAME.why_illegal(table, state, action)
    assert told.startswith(f"{CARDS[number].name} asks for ")
    assert CARDS[number].requirement in told
    assert told.endswith(f"which is not in the pool of player_{seat}")


def test_why_a_spell_has_no_such_effect():
    s = laid(hand=(["choice"], []))
    play(s, "cast choice")
    assert refusal(s, "mode 2") == f"{n(s, 'choice')} has 2 effects"


def test_why_an_answer_to_a_spell_is_refused():
    s = laid(hand=(["hum"], ["shout", "jinx"]))
    play(s, "cast hum")
    assert refusal(s, "counter jinx") == f"{n(s, 'jinx')} does not counter {n(s, 'hum')}"
    assert refusal(s, "counter hex") == f"{n(s, 'hex')} is not in the hand"
    assert refusal(s, "pay crown") == f"the decision now is whether to counter {n(s, 'hum')}"


def test_7_6_7_7_why_a_card_is_not_paid_or_destroyed():
    s = laid(hand=(["hex"], []), pool=([], ["penny", "crown", "pebble"]), field=([], ["page"]), level=(2, 1))
    play(s, "cast hex")
    assert refusal(s, "pay pebble") == f"{n(s, 'pebble')} is worth no teeth"
    assert refusal(s, "pay page") == f"{n(s, 'page')} is worth no teeth"
    assert refusal(s, "pay wolf") == f"{n(s, 'wolf')} is neither in the pool nor on the field of player_1"
    assert refusal(s, "destroy crown") == "the decision now is what to pay with, 3 teeth being owed"
    s = laid(hand=(["flood"], []), pool=([], ["penny", "crown"]), field=([], ["page"]))
    play(s, "cast flood")
    assert refusal(s, "destroy page") == f"{n(s, 'flood')} destroys items alone"
    s = laid(hand=(["plague"], []), pool=([], ["penny"]), field=([], ["page", "wolf"]))
    play(s, "cast plague")
    assert refusal(s, "destroy penny") == f"{n(s, 'plague')} destroys characters alone"


def test_8_why_nobody_attacks():
    s = laid(at=DUEL, hand=(["squire", "ogre"], []), field=(["page", "wolf"], []), fought=(["page"], []))
    assert refusal(s, "attack page") == f"{n(s, 'page')} has fought in this turn already"
    assert refusal(s, "attack squire") == f"{n(s, 'squire')} cannot be placed, as 2 characters are on the field"
    assert refusal(s, "attack ogre") == f"{n(s, 'ogre')} is of level 3, and player_0 of level 1"
    assert refusal(s, "attack giant") == f"{n(s, 'giant')} is neither in the hand nor on the field of player_0"
    assert refusal(s, "main") == f"{n(s, 'nevin')} attacks only while no character is on the own field"
    s = laid(at=DUEL, hand=(["squire"], []), fought=(["main"], []))
    assert refusal(s, "main") == f"{n(s, 'nevin')} has attacked in this turn already"


def test_8_why_nobody_blocks():
    s = laid(at=DUEL, hand=([], ["giant"]), field=(["wolf"], ["page", "squire"]), fought=([], ["page"]))
    play(s, "attack wolf")
    assert refusal(s, "block page") == f"{n(s, 'page')} has fought in this turn already"
    assert refusal(s, "block giant") == f"{n(s, 'giant')} cannot be placed, as 2 characters are on the field"


def test_9_why_an_item_is_not_taken():
    s = laid(at=DUEL, field=(["knight"], []), pool=(["sword", "club", "ale", "crown"], ["shield"]), level=(2, 1))
    play(s, "attack knight")
    assert refusal(s, "equip club") == f"{n(s, 'knight')} cannot wear {n(s, 'club')}"
    assert refusal(s, "equip crown") == f"{n(s, 'crown')} can neither be worn nor drunk"
    assert refusal(s, "equip shield") == f"{n(s, 'shield')} is not in the pool of player_0"
    assert refusal(s, "hold sword") == f"the decision now is what to give {n(s, 'knight')}"


def test_9_1_why_a_second_weapon_is_not_taken():
    s = laid(at=DUEL, field=(["squire"], []), pool=(["sword", "club", "ale"], []))
    play(s, "attack squire", "equip sword")
    assert refusal(s, "equip club") == f"{n(s, 'squire')} cannot wear another weapon"


def test_12_2_why_too_many_cards_are_not_kept():
    s = laid(at=REDRAW, hand=(["wolf", "page", "squire", "ogre", "giant", "hum"], []))
    assert refusal(s, "pass") == "the hand holds 6 cards: 5 may be kept"


# --- Tables ---------------------------------------------------------------------------------------------------


def spells_lie() -> Scene:
    return laid(
        hand=(["jinx", "wolf"], ["hum", "shilling"]),
        pool=(["crown", "penny", "penny"], ["florin"]),
        field=([], ["page", "ogre"]),
        discard=(["choice"], []),
        used=(["hum"], []),
        deck=([], ["crown", "giant"]),
        rest=(4, 4),
        earned=(4, 0),
        level=(2, 1),
        fought=([], ["page"]),
    )


def test_the_table_of_a_spell_phase_as_its_player_sees_it():
    s = spells_lie()
    penny, crown = f"{n(s, 'penny')} (1) x2", f"{n(s, 'crown')} (5)"
    pebbles = [f"{n(s, 'pebble')} (0) x{count}" for count in (22, 22)]
    assert lines(s, 0) == [
        "Turn 3 of at most 400: the Spell phase of player_0.",
        "player_0",
        f"  main      {n(s, 'nevin')} (attack 1, defend 3)",
        "  level     2, with 11 of 12 teeth (7 in items, 4 gained)",
        f"  pool      {crown}, {penny}",
        "  field     none",
        f"  hand      2 cards: {n(s, 'wolf')}, {n(s, 'jinx')}",
        "  deck      no cards",
        f"  cast      {n(s, 'hum')}",
        f"  discards  {pebbles[0]}, {n(s, 'choice')}",
        "player_1",
        f"  main      {n(s, 'kelli')} (attack 2, defend 2)",
        "  level     1, with 3 of 8 teeth (3 in items, 0 gained)",
        f"  pool      {n(s, 'florin')} (3)",
        f"  field     {n(s, 'page')} (attack 1, defend 1, has fought), {n(s, 'ogre')} (level 3, attack 6, defend 2)",
        "  hand      2 cards",
        "  deck      2 cards",
        f"  unseen    {n(s, 'shilling')} (2), {crown}, {n(s, 'giant')}, {n(s, 'hum')}",
        f"  discards  {pebbles[1]}",
        "player_0 decides which spell to cast.",
    ]


def test_the_same_table_as_the_other_sees_it_and_openly():
    s = spells_lie()
    assert line(s, 1, "hand") == "2 cards, all no items"
    assert line(s, 1, "hand", 1) == f"2 cards: {n(s, 'shilling')} (2), {n(s, 'hum')}"
    assert line(s, 1, "deck", 1) == f"2 cards in some order: {n(s, 'crown')} (5), {n(s, 'giant')}"
    assert line(s, None, "hand") == f"2 cards: {n(s, 'wolf')}, {n(s, 'jinx')}"
    assert line(s, None, "deck", 1) == f"2 cards from the top: {n(s, 'crown')}, {n(s, 'giant')}"


def test_13_4_items_that_cannot_be_in_a_hand_are_told_apart():
    s = laid(hand=(["hum"], ["wolf", "jinx"]), deck=([], ["crown"]), rest=(0, 4), kept=(0, 2))
    assert line(s, 0, "in deck") == f"{n(s, 'crown')} (5)"
    assert line(s, 0, "unseen") == f"{n(s, 'wolf')}, {n(s, 'jinx')}"
    s = laid(hand=(["hum"], ["wolf", "jinx"]), deck=([], ["crown"]), rest=(0, 4), kept=(0, 1))
    assert line(s, 0, "hand", 1) == "2 cards, 1 of them no item"
    assert line(s, 0, "unseen") == f"{n(s, 'crown')} (5), {n(s, 'wolf')}, {n(s, 'jinx')}"
    s = laid(hand=(["hum"], ["wolf"]), kept=(0, 1))
    assert line(s, 0, "hand", 1) == "1 card, which is no item"


def test_5_4_a_declaration_is_told_to_both():
    s = scene(
        hand=(["rite"], ["shout"]), pool=(["amulet"], []), cards={**CARDS_HERE, "shout": spell(counters=["rite"])}
    )
    play(s, "cast rite")
    for seat in (0, 1, None):
        assert line(s, seat, "spell") == f"{n(s, 'rite')} of player_0: gain 1 tooth; {n(s, 'amulet')} is held"
        assert line(s, seat, "pool") == "none"
        assert lines(s, seat)[-1] == f"player_1 decides whether to counter {n(s, 'rite')}."
    s = laid(hand=(["choice"], []))
    play(s, "cast choice")
    assert line(s, 1, "spell") == f"{n(s, 'choice')} of player_0: its effect not named yet"


def test_a_theft_under_way_is_told():
    s = laid(hand=(["hex"], []), pool=([], ["penny", "shilling", "crown"]), level=(2, 1))
    play(s, "cast hex", "pay penny")
    assert line(s, 0, "spell") == f"{n(s, 'hex')} of player_0: steal 3 teeth; 1 tooth paid so far"
    assert lines(s, 1)[-1] == "player_1 decides what to pay with, 2 teeth being owed."


def test_a_duel_is_told_with_its_values_and_changes():
    boost = spell(mode(attack=2, other_defend=-1), mode(attack=1, every_duel=1))
    s = scene(
        hand=(["boost"], ["ogre"]),
        field=(["squire"], []),
        pool=(["sword", "ale"], ["syrup"]),
        cards={"boost": boost},
    )
    play(s, "cast boost", "mode 0", "attack squire", "equip sword", "pass", "block ogre")
    squire, ogre = n(s, "squire"), n(s, "ogre")
    for seat in (0, 1, None):
        assert line(s, seat, "attack ") == f"{squire} of player_0, attack 6, defend 2, with {n(s, 'sword')} (2)"
        assert line(s, seat, "defence") == f"{ogre} of player_1, attack 5, defend 0"
        assert line(s, seat, "changes") == "attack +2 for player_0 in one duel; defend -1 for player_1 in one duel"
        assert line(s, seat, "field") == f"{squire} (level 1, attack 2, defend 2, has fought)"
    assert lines(s, 0)[-1] == f"player_1 decides what to give {ogre}."


def test_13_10_what_lies_face_down_is_told_to_its_owner_alone():
    s = laid(at=DUEL, pool=(["sword", "ale"], ["shield"]), rules={"duel_commit": "hidden_equipment"})
    nevin, sword, ale = n(s, "nevin"), f"{n(s, 'sword')} (2)", f"{n(s, 'ale')} (1)"
    play(s, "main", "equip sword", "pass")
    assert line(s, 1, "attack ") == f"{nevin} of player_0, attack 1, defend 3; face down: 1 item"
    assert line(s, 1, "pool") == f"{sword}, {ale}"
    for seat in (0, None):
        assert line(s, seat, "attack ") == f"{nevin} of player_0, attack 3, defend 3, with {sword}"
        assert line(s, seat, "pool") == ale


def test_waste_is_told():
    s = laid(level=(5, 1), pool=(["crown"], []), earned=(20, 0), waste=(2, 0), hand=(["hum"], []))
    assert line(s, 0, "level") == "5, with 23 of 24 teeth (5 in items, 20 gained, 2 written off)"


def test_the_end_is_told():
    s = scene(at=DUEL, field=(["dragon"], []), hand=([], []), level=(5, 1))
    play(s, "attack dragon")
    assert line(s, 0, "level", 1) == "0, with no teeth"
    assert lines(s, 0)[-1] == "player_0 wins (level 0)."
    assert lines(s, 0)[0] == "Turn 3 of at most 400: the turn of player_0."


# --- Plain data -----------------------------------------------------------------------------------------------


def test_zones_tell_where_everything_is():
    s = spells_lie()
    zones = GAME.zones(s.state)

    def ids(*names: str) -> list[str]:
        return [CARDS[s.numbers[name]].id for name in names]

    assert zones["hands"] == [ids("wolf", "jinx"), ids("shilling", "hum")]
    assert zones["decks"] == [[], ids("crown", "giant")]
    assert zones["fields"] == [[], ids("page", "ogre")]
    assert zones["used_spells"] == [ids("hum"), []]
    assert zones["fought"] == [[], ids("page")]
    assert zones["mains"] == ids("nevin", "kelli")
    assert (zones["level"], zones["earned"], zones["placed"]) == ([2, 1], [4, 0], [7, 3])
    assert zones["decision"] == {"seat": 0, "kind": "cast"}
    assert zones["fighters"] == [None, None]


def test_zones_tell_who_fights():
    s = laid(at=DUEL, field=(["wolf"], []), pool=(["ale"], []), hand=([], ["page"]))
    play(s, "attack wolf", "equip ale")
    zones = GAME.zones(s.state)
    assert zones["fighters"] == [CARDS[s.numbers["wolf"]].id, None]
    assert zones["worn"] == [[CARDS[s.numbers["ale"]].id], []]
    assert zones["lots"] == [1, 0]


# --- Events ---------------------------------------------------------------------------------------------------


def event_of(kind: str, card: int = NO_CARD, value: int = 0, seat: int = 0, seen_by: int = BOTH) -> np.void:
    event = np.zeros(1, GAME.state_dtype["events"].base)[0]
    event["kind"], event["seat"], event["card"], event["value"] = EVENT_IDS.index(kind), seat, card, value
    event["seen_by"] = seen_by
    return event


def test_every_kind_of_event_has_a_sentence_of_its_own():
    texts = [GAME.event_text(GAME.table(), event_of(kind, FIRST_SPELL, 0)) for kind in EVENT_IDS]
    assert all(text.endswith(".") and "{" not in text for text in texts)
    assert len(set(texts)) == len(EVENT_IDS)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (event_of("turn_begins", value=126, seat=1), "Turn 126 begins, that of player_1."),
        (event_of("turn_begins", value=127), "Another turn begins, that of player_0."),
        (event_of("pays_teeth", value=1), "player_0 pays 1 tooth out of the counter."),
        (event_of("rises", value=5), "player_0 rises to level 5."),
        (event_of("rises", value=6), "player_0 rises from level 5."),
        (event_of("falls", value=1, seat=1), "player_1 falls to level 1."),
        (event_of("falls", value=0), "player_0 falls from level 1."),
        (event_of("resets", value=0), "player_0 begins again at 0 teeth, with no items going back to the deck."),
        (event_of("resets", value=1), "player_0 begins again at 0 teeth, with 1 item going back to the deck."),
        (event_of("recycles", value=2), "player_0 shuffles 2 cards of the discards into the deck."),
        (event_of("blocks", FIRST_MAIN), f"player_0 defends with {CARDS[FIRST_MAIN].name}."),
        (event_of("blocks", FIRST_CHARACTER), f"player_0 blocks with {CARDS[FIRST_CHARACTER].name}."),
        (event_of("game_over", value=3, seat=DRAWN), "The game is drawn (turn cap)."),
        (event_of("game_over", value=1, seat=1), "player_1 wins the game (graduation)."),
    ],
)
def test_what_an_event_says(event, sentence):
    assert GAME.event_text(GAME.table(), event) == sentence


def test_what_is_taken_is_worn_or_drunk():
    s = laid(pool=(["sword", "ale"], []))
    for name, words in (("sword", "worn"), ("ale", "drunk")):
        told = GAME.event_text(s.table, event_of("equips", s.numbers[name]))
        assert told == f"{n(s, name)} is {words} by the fighter of player_0."


def test_effects_in_sentences_are_those_of_the_table():
    s = laid(hand=(["choice"], []))
    event = event_of("takes_mode", s.numbers["choice"], 1)
    assert GAME.event_text(s.table, event) == "player_0 takes the effect: steal 1 tooth; draw 2 cards."


def test_events_as_data_say_who_sees_them():
    event = event_of("draws", FIRST_SPELL, seen_by=1)
    card = CARDS[FIRST_SPELL].id
    assert GAME.event_data(event) == {"kind": "draws", "seat": 0, "card": card, "value": 0, "seen_by": [0]}
    assert GAME.event_data(event_of("ties")) == {"kind": "ties", "seat": 0, "value": 0, "seen_by": [0, 1]}
