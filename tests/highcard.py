"""High Card: a game small enough to solve by hand, on which generic code is tested.

Eight cards, 0 to 7; each seat is dealt three and two stay hidden. Three rounds: both seats set a card, seat 0
first and unseen, the higher card scores a point. Rule option `rounds` (1 to 3).
"""

import numpy as np

from duelbench.envs import dispatch
from duelbench.envs.dispatch import DRAWN, EVENT, NOTHING_TOLD
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game, Option
from duelbench.envs.jit import rule
from duelbench.envs.patches import BLANK, EXCHANGE, CardField
from duelbench.envs.records import blank
from duelbench.envs.rng import below, shuffle

CARDS, HAND = 8, 3
STOCK, IN_HAND, PLAYED = 0, 1, 3  # IN_HAND + seat, PLAYED + seat
NOTHING_SET = -1

STATE = np.dtype(
    [
        ("highcard_zone", np.int8, (CARDS,)),
        ("rng", np.uint64),
        ("told", np.int16, (2,)),
        ("n_events", np.int16),
        ("over", np.int8),
        ("winner", np.int8),
        ("reason", np.int8),
        ("to_act", np.int8),
        ("rounds_played", np.int8),
        ("points", np.int8, (2,)),
        ("face_down", np.int8),  # the card that seat 0 has set while seat 1 still chooses, else NOTHING_SET
        ("events", EVENT, (2,)),
    ],
    align=True,
)
TABLE = np.dtype(
    [("rounds", np.int8), ("strength", np.int8, (CARDS,)), ("decks", np.int8, (2, 2))],  # no decks here: deckcard.py
    align=True,
)
VIEW = np.dtype(
    [
        ("mine", np.float32, (CARDS,)),
        ("gone", np.float32, (CARDS,)),
        ("points", np.float32, (2,)),
        ("waiting", np.float32),
    ]
)


@rule
def deal(table, state, seed):
    state.rng = seed
    state.told[:] = NOTHING_TOLD
    state.face_down = NOTHING_SET
    state.n_events = 0
    state.over = 0
    state.winner = DRAWN
    state.reason = 0
    state.to_act = 0
    state.rounds_played = 0
    state.points[:] = 0
    order = np.arange(CARDS)
    shuffle(state, order, CARDS)
    state.highcard_zone[:] = STOCK
    for i in range(2 * HAND):
        state.highcard_zone[order[i]] = IN_HAND + i % 2
    for event in range(2):
        state.events[event].card = 0


@rule
def legal(table, state, mask):
    mask[:] = 0
    if state.over == 0:
        for card in range(CARDS):
            mask[card] = state.highcard_zone[card] == IN_HAND + state.to_act


@rule
def apply(table, state, action):
    state.n_events = 0
    if state.to_act == 0:
        state.told[:] = NOTHING_TOLD
        state.face_down = action
        state.to_act = 1
        return
    mine, theirs = state.face_down, action
    state.told[0], state.told[1] = theirs, mine
    state.face_down = NOTHING_SET
    state.to_act = 0
    state.highcard_zone[mine] = PLAYED
    state.highcard_zone[theirs] = PLAYED + 1
    for seat in range(2):
        state.events[seat].kind = 1
        state.events[seat].seat = seat
        state.events[seat].card = mine if seat == 0 else theirs
        state.events[seat].seen_by = 3
    state.n_events = 2
    if table.strength[mine] > table.strength[theirs]:
        state.points[0] += 1
    elif table.strength[theirs] > table.strength[mine]:
        state.points[1] += 1
    state.rounds_played += 1
    if state.rounds_played == table.rounds:
        state.over = 1
        state.reason = 1
        if state.points[0] != state.points[1]:
            state.winner = 0 if state.points[0] > state.points[1] else 1


@rule
def observe(table, state, seat, view):
    for card in range(CARDS):
        view.mine[card] = state.highcard_zone[card] == IN_HAND + seat
        view.gone[card] = state.highcard_zone[card] >= PLAYED
    view.points[0] = state.points[seat]
    view.points[1] = state.points[1 - seat]
    view.waiting = state.face_down != NOTHING_SET


@rule
def determinize(table, state, observer, seed):
    state.rng = seed
    state.n_events = 0
    unknown = np.zeros(CARDS, np.int64)
    count, held = 0, 0
    for card in range(CARDS):
        zone = state.highcard_zone[card]
        if zone == STOCK or zone == IN_HAND + 1 - observer:
            unknown[count] = card
            count += 1
            held += zone != STOCK
    shuffle(state, unknown, count)
    for i in range(count):
        state.highcard_zone[unknown[i]] = IN_HAND + 1 - observer if i < held else STOCK
    if state.face_down != NOTHING_SET and observer == 1:
        state.face_down = unknown[below(state, held)]
    for event in range(2):
        state.events[event].card = 0


@rule
def rewind(table, state):
    if state.face_down != NOTHING_SET:
        state.face_down = NOTHING_SET
        state.to_act = 0


dispatch.register(STATE, deal=deal, legal=legal, apply=apply, observe=observe, determinize=determinize, rewind=rewind)


STRENGTHS = tuple(range(CARDS))


def build_table(rules, cards=STRENGTHS):
    table = blank(1, TABLE)[0]
    table.rounds = rules["rounds"]
    table.strength[:] = cards
    return table


def patched_cards(patches, where):
    """The strengths of the cards: a number takes the place of one, two cards trade theirs, and blank changes nothing
    but for card 0, which has no text to lose."""
    strengths = list(STRENGTHS)
    for card, fields in patches.items():
        if EXCHANGE in fields:
            one, other = CARD_IDS.index(card), CARD_IDS.index(fields[EXCHANGE])
            strengths[one], strengths[other] = strengths[other], strengths[one]
    for card, fields in patches.items():
        if BLANK in fields and card == "card_0":
            raise BadInput(f"{where}.{card}.blank: has no text")
        if not 0 <= fields.get("number", 0) <= 99:
            raise BadInput(f"{where}.{card}.number: found {fields['number']}, allowed: 0 to 99")
        if "number" in fields:
            strengths[CARD_IDS.index(card)] = fields["number"]
    return tuple(strengths)


def card_numbers(patches, where):
    return {card: {"number": number} for card, number in zip(CARD_IDS, patched_cards(patches, where), strict=True)}


def start_cards(table, state):
    return np.array([np.asarray(state.highcard_zone) == IN_HAND + seat for seat in range(2)], np.int8)


CARD_IDS = tuple(f"card_{c}" for c in range(CARDS))


def zones(state):
    names = {STOCK: "stock", IN_HAND: "hand0", IN_HAND + 1: "hand1", PLAYED: "played0", PLAYED + 1: "played1"}
    return {name: [f"card_{c}" for c in range(CARDS) if state.highcard_zone[c] == zone] for zone, name in names.items()}


def describe(table, state, seat):
    result = f"player_{state.winner} wins" if state.winner >= 0 else "The game is drawn"
    return f"{zones(state)}\n{result} ({REASONS[state.reason]})." if state.over else str(zones(state))


REASONS = ("running", "all rounds played")

GAME = Game(
    name="highcard",
    title="High Card",
    title_ja="ハイカード",
    version=1,
    state_dtype=STATE,
    table_dtype=TABLE,
    view_dtype=VIEW,
    num_actions=CARDS,
    options=(Option("rounds", (3, 1, 2), "how many cards each seat plays"),),
    card_ids=CARD_IDS,
    card_names=tuple(f"Card {c}" for c in range(CARDS)),
    card_names_ja=tuple(f"札{c}" for c in range(CARDS)),
    card_texts=("",) * CARDS,
    reasons=REASONS,
    build_table=build_table,
    action_name=lambda table, state, action: f"play Card {action}",
    why_illegal=lambda table, state, action: f"Card {action} is not in hand",
    decision_kind=lambda state: "play",
    describe=describe,
    zones=zones,
    event_data=lambda event: {"kind": "played", "seat": int(event["seat"]), "card": f"card_{event['card']}"},
    event_text=lambda table, event: f"player_{event['seat']} plays Card {event['card']}",
    view_meanings={
        "mine": "cards in the observer's hand",
        "gone": "cards played",
        "points": "points, the observer's first",
        "waiting": "1 when a card has been set face down",
    },
    patched_cards=patched_cards,
    card_fields=(
        CardField(BLANK, "true", "nothing is lost"),
        CardField("number", "0 to 99", "the strength"),
        CardField(EXCHANGE, "the id of another card", "two cards trade their strengths"),
    ),
    start_cards=start_cards,
    card_numbers=card_numbers,
    played_card=lambda table, state, action: action,
)
