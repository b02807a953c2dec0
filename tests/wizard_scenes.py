"""Wizard in Training positions laid by hand, with cards of the tests' own, so that no test hangs on `cards.csv`.

    s = scene(hand=(["hex"], []), pool=([], ["crown"]), cards={"hex": spell(mode(steal=2), level=1)})
    events = play(s, "cast hex")                        # the Spell phase of player_0 has begun; nothing else is asked
    s = scene(at=DUEL, active=1, field=(["wolf"], ["knight"]), pool=([], ["sword"]), level=(1, 2))
    play(s, "attack knight", "equip sword", "block wolf")       # or "main" to attack or block with the main
    asked(s), legal(s), total(s, 0), hand(s, 0), pool(s, 0), field(s, 0), discards(s, 0), used(s, 0), deck(s, 0)

An action is named by what it does and the card: "pass", "main", "mode 1", "cast hex", "hold sword", "counter hex",
"pay crown", "destroy crown", "discard hex", "attack ogre", "block wolf", "equip sword".

Cards are those of `STOCK` and those that a scene adds or replaces by `cards`. What is not named are pebbles: general
items without teeth, which fill a seat up to its 29 cards. They lie in the deck, below the cards named there, or where
`rest` says. Every number of the table is of these cards; the options are those of `rules`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from duelbench.envs import dispatch
from duelbench.envs.registry import load_game
from duelbench.envs.wizard_in_training import cards as kinds
from duelbench.envs.wizard_in_training import rules as wizard
from duelbench.envs.wizard_in_training import state as layout
from duelbench.envs.wizard_in_training.setup import clear

GAME = load_game("wizard_in_training")
TURN, SPELLS, DUEL, REDRAW = layout.TURN_BEGINS, layout.NEXT_SPELL, layout.NEXT_ATTACK, layout.REDRAWING
"""Where a scene may begin: the turn with its Item phase, the Spell phase, the Duel phase, the Discard/Redraw phase."""

Names = Sequence[str]
Pair = tuple[Names, Names]
Facts = dict[str, Any]

# --- Cards ----------------------------------------------------------------------------------------------------

_SUBTYPES = {
    "": kinds.GENERAL,
    "weapon": kinds.WEAPON,
    "armour": kinds.ARMOUR,
    "charm": kinds.CHARM,
    "potion": kinds.POTION,
}


def item(teeth: int = 0, kind: str = "", attack: int = 0, defend: int = 0, drunk: int = 0) -> Facts:
    """An item with so many teeth; the numbers are those of a potion, `drunk` the teeth that it brings."""
    return {"type": kinds.ITEM, "teeth": teeth, "word": kind, "drink": (attack, defend, drunk)}


def character(attack: int, defend: int, level: int = 0, wears: Names = ()) -> Facts:
    """Level 0 is none; `wears` are names and subtype words of weapons and armours."""
    return {"type": kinds.CHARACTER, "attack": attack, "defend": defend, "level": level, "tags": wears}


def mode(**effects: int) -> Mapping[str, int]:
    """Fields of MODE: gain, steal, destroys, discard, draw, attack, defend, other_attack, other_defend, every_duel."""
    return effects


def spell(*modes: Mapping[str, int], level: int = 0, needs: str = "", counters: Names = ()) -> Facts:
    """Level 0 is none; `needs` is the name or subtype word of an item; without modes one that does nothing."""
    return {"type": kinds.SPELL, "level": level, "modes": modes or (mode(),), "tags": (needs,), "counters": counters}


def main(attack: int, defend: int) -> Facts:
    return {"type": kinds.MAIN, "attack": attack, "defend": defend}


STOCK: dict[str, Facts] = {
    "pebble": item(0),
    "penny": item(1),
    "shilling": item(2),
    "florin": item(3),
    "crown": item(5),
    "nugget": item(9),
    "sword": item(2, "weapon"),
    "club": item(1, "weapon"),
    "shield": item(2, "armour"),
    "cloak": item(1, "armour"),
    "amulet": item(1, "charm"),
    "tome": item(2, "tome"),
    "ale": item(1, "potion", attack=3),
    "broth": item(1, "potion", defend=3),
    "syrup": item(1, "potion", drunk=4),
    "page": character(1, 1),
    "wolf": character(3, 1, level=1),
    "squire": character(2, 2, level=1, wears=("weapon", "armour")),
    "knight": character(4, 3, level=2, wears=("sword", "armour")),
    "ogre": character(6, 2, level=3),
    "giant": character(7, 4, level=4),
    "dragon": character(9, 5, level=5),
    "hum": spell(),
    "nevin": main(1, 3),
    "kelli": main(2, 2),
    "blank": main(1, 3),
}
FILLER = "pebble"
_FIRST = {
    kinds.ITEM: 0,
    kinds.CHARACTER: kinds.FIRST_CHARACTER,
    kinds.SPELL: kinds.FIRST_SPELL,
    kinds.MAIN: kinds.FIRST_MAIN,
}
_LAST = {
    kinds.ITEM: kinds.FIRST_CHARACTER,
    kinds.CHARACTER: kinds.FIRST_SPELL,
    kinds.SPELL: kinds.FIRST_MAIN,
    kinds.MAIN: kinds.NUM_CARDS,
}


def numbered(facts: Mapping[str, Facts], used: Names) -> dict[str, int]:
    """The numbers that the used cards have in a scene, and what they counter; KeyError for an unknown one."""
    numbers: dict[str, int] = {"blank": kinds.BLANK_MAIN}
    free = {code: [n for n in range(_FIRST[code], _LAST[code]) if n != kinds.BLANK_MAIN] for code in _FIRST}
    waiting = [FILLER, *used]
    while waiting:
        name = waiting.pop(0)
        if name not in numbers:
            numbers[name] = free[facts[name]["type"]].pop(0)
            waiting += facts[name].get("counters", ())
    return numbers


def write_facts(table: np.record, facts: Mapping[str, Facts], numbers: Mapping[str, int]) -> None:
    """Blank all cards of the table, and write those that have a number."""
    types = table.cards["type"].copy()
    for part in (table.cards, table.wears, table.fits, table.counters):
        part[...] = np.zeros((), part.dtype)
    table.cards["type"] = types
    for name, number in numbers.items():
        write_record(table.cards[number], facts[name])
        tags = facts[name].get("tags", ())
        matching = [other for other, n in numbers.items() if n < kinds.NUM_ITEMS and is_called(facts, other, tags)]
        if facts[name]["type"] == kinds.CHARACTER:
            worn = [other for other in matching if facts[other]["word"] in ("weapon", "armour")]
            table.wears[number - kinds.FIRST_CHARACTER, [numbers[other] for other in worn]] = 1
        elif facts[name]["type"] == kinds.SPELL:
            own = number - kinds.FIRST_SPELL
            table.fits[own, [numbers[other] for other in matching]] = 1
            table.counters[own, [numbers[other] - kinds.FIRST_SPELL for other in facts[name]["counters"]]] = 1


def is_called(facts: Mapping[str, Facts], name: str, tags: Names) -> bool:
    return any(tag and tag in (name, facts[name]["word"]) for tag in tags)


def write_record(record: np.record, facts: Facts) -> None:
    for field in ("level", "attack", "defend", "teeth"):
        record[field] = facts.get(field, 0)
    if facts["type"] == kinds.ITEM:
        record["subtype"] = _SUBTYPES.get(facts["word"], kinds.OTHER)
        record["drink_attack"], record["drink_defend"], record["drink_teeth"] = facts["drink"]
    elif facts["type"] == kinds.SPELL:
        record["requires"] = facts["tags"] != ("",)
        record["num_modes"] = len(facts["modes"])
        for written, effects in zip(record["modes"], facts["modes"], strict=False):
            for field, value in effects.items():
                written[field] = value


# --- Laying a position ----------------------------------------------------------------------------------------


_NAMED_ZONES = (layout.HAND, layout.POOL, layout.FIELD, layout.DISCARD, layout.USED, layout.DECK)


class Scene(NamedTuple):
    table: np.record
    state: np.record
    numbers: dict[str, int]

    def name(self, number: int) -> str | None:
        """The name of the card of that number; None for no card."""
        return next((name for name, other in self.numbers.items() if other == number), None)


def scene(
    at: int = SPELLS,
    active: int = 0,
    hand: Pair = ((), ()),
    pool: Pair = ((), ()),
    field: Pair = ((), ()),
    discard: Pair = ((), ()),
    used: Pair = ((), ()),
    deck: Pair = ((), ()),
    rest: tuple[int, int] = (layout.DECK, layout.DECK),
    mains: tuple[str, str] = ("nevin", "kelli"),
    level: tuple[int, int] = (1, 1),
    earned: tuple[int, int] = (0, 0),
    waste: tuple[int, int] = (0, 0),
    fought: Pair = ((), ()),
    kept: tuple[int, int] | None = None,
    turn: int = 3,
    seed: int = 0,
    rules: Mapping[str, Any] | None = None,
    cards: Mapping[str, Facts] | None = None,
) -> Scene:
    """Lay out a position and go on from `at` to the next decision.

    active: whose turn it is. deck: from the top, other cards of the deck being pebbles. rest: the zone of the pebbles
    that fill a seat up. fought: who has fought in this turn; "main" stands for the main. kept: how many of a hand's
    earliest cards are known to be no items; by default none, or with `at` after the Item phase those of the turn
    player that are none. turn: the number of the turn. cards: further cards, or others in the place of stock.
    """
    facts = {**STOCK, **(cards or {})}
    zones = dict(zip(_NAMED_ZONES, (hand, pool, field, discard, used, deck), strict=True))
    named = [name for pair in zones.values() for names in pair for name in names]
    s = Scene(GAME.table(rules), GAME.new_state(), numbered(facts, [*named, *mains, *(cards or {})]))
    write_facts(s.table, facts, s.numbers)
    clear(s.state)
    s.state.rng, s.state.active, s.state.turn_number = seed, active, turn
    s.state.told[:] = dispatch.NOTHING_TOLD
    for seat in range(2):
        lay(s, seat, [(zone, name) for zone, pair in zones.items() for name in pair[seat]], rest[seat])
        count(s, seat)
        s.state.mains[seat] = s.numbers[mains[seat]]
        s.state.level[seat], s.state.earned[seat], s.state.waste[seat] = level[seat], earned[seat], waste[seat]
        for name in fought[seat]:
            slot = layout.MAIN_SLOT if name == "main" else layout.find(s.state, seat, s.numbers[name], layout.FIELD)
            s.state.fought[seat, slot] = 1
        no_items = sum(facts[name]["type"] != kinds.ITEM for name in hand[seat])
        s.state.kept[seat] = kept[seat] if kept else no_items * (seat == active and at != TURN)
    begin(s, at)
    return s


def lay(s: Scene, seat: int, cards: Sequence[tuple[int, str]], rest: int) -> None:
    """Slots in the order of the cards, then pebbles; the deck so that its first named card is on top."""
    filled = [*cards, *[(rest, FILLER)] * (layout.DECK_SIZE - len(cards))]
    assert len(filled) == layout.DECK_SIZE, f"{len(cards)} cards for one seat"
    for slot, (zone, name) in enumerate(filled):
        s.state.lists[seat, slot], s.state.zone[seat, slot] = s.numbers[name], zone
    in_deck = [slot for slot, (zone, _) in enumerate(filled) if zone == layout.DECK]
    s.state.deck[seat] = layout.NO_SLOT
    s.state.deck[seat, : len(in_deck)] = in_deck[::-1]


def count(s: Scene, seat: int) -> None:
    """Every number that follows from where the cards are."""
    state, zone = s.state, s.state.zone[seat]
    state.deck_size[seat] = (zone == layout.DECK).sum()
    state.hand_size[seat] = (zone == layout.HAND).sum()
    state.field_size[seat] = (zone == layout.FIELD).sum()
    state.placed[seat] = s.table.cards["teeth"][state.lists[seat][zone == layout.POOL]].sum()


def begin(s: Scene, at: int) -> None:
    if at == TURN:
        s.state.turn_number -= 1
    s.state.duels = s.state.fought[s.state.active].sum()
    s.state.phase = at
    s.state.n_events = 0
    wizard.run_on(s.table, s.state)


def by_seat(seat: int, mine: Any, theirs: Any) -> tuple[Any, Any]:
    """A pair for both seats in which `mine` is that of `seat`."""
    return (mine, theirs) if seat == 0 else (theirs, mine)


def copied(s: Scene) -> Scene:
    """The same position once more, to be played on by itself."""
    state = GAME.new_states(1)
    state[0] = s.state
    return s._replace(state=state[0])


# --- Playing --------------------------------------------------------------------------------------------------

_WITH_CARD = (
    ("cast", layout.CAST_SPELL, kinds.FIRST_SPELL),
    ("counter", layout.COUNTER, kinds.FIRST_SPELL),
    ("attack", layout.ATTACK, kinds.FIRST_CHARACTER),
    ("block", layout.BLOCK, kinds.FIRST_CHARACTER),
    ("equip", layout.EQUIP, 0),
    ("hold", layout.HOLD, 0),
    ("pay", layout.PAY, 0),
    ("destroy", layout.DESTROY, 0),
    ("discard", layout.DISCARD_CARD, 0),
)
"""Verb, first action and first card."""


class Happened(NamedTuple):
    """An event; `card` is its name or None, `seen_by` a bit for each seat."""

    kind: str
    seat: int
    card: str | None
    value: int
    seen_by: int


def action_text(s: Scene, action: int) -> str:
    if action in (layout.PASS, layout.FIGHT_YOURSELF):
        return "pass" if action == layout.PASS else "main"
    if action < layout.CAST_SPELL:
        return f"mode {action - layout.MODE}"
    verb, first, first_card = next(row for row in reversed(_WITH_CARD) if row[1] <= action)
    return f"{verb} {s.name(action - first + first_card)}"


def legal(s: Scene) -> list[str]:
    """What the seat to act may do, in the order of the actions' numbers."""
    return [action_text(s, action) for action in GAME.legal_actions(s.table, s.state)]


def play(s: Scene, *actions: str) -> list[Happened]:
    """Carry out actions, each legal in its turn; returns all that happened, in order."""
    happened = []
    for text in actions:
        allowed = {action_text(s, action): action for action in GAME.legal_actions(s.table, s.state)}
        assert text in allowed, f"{text!r} is not legal; {', '.join(allowed) or 'the game is over'}"
        dispatch.apply(s.table, s.state, allowed[text])
        happened += events(s)
    return happened


def events(s: Scene) -> list[Happened]:
    """What the last action, or the beginning of the scene, has caused."""
    return [
        Happened(layout.EVENT_IDS[e.kind], int(e.seat), s.name(int(e.card)), int(e.value), int(e.seen_by))
        for e in s.state.events[: int(s.state.n_events)]
    ]


def of_kind(happened: Sequence[Happened], *wanted: str) -> list[Happened]:
    assert set(wanted) <= set(layout.EVENT_IDS), wanted
    return [event for event in happened if event.kind in wanted]


def kinds_of(happened: Sequence[Happened]) -> list[str]:
    return [event.kind for event in happened]


# --- Reading a position ---------------------------------------------------------------------------------------


def asked(s: Scene) -> tuple[int, str]:
    """The seat that has to decide and the kind of decision: cast, mode, hold, counter, pay, destroy, give_up, attack,
    equip, block, discard or finished."""
    return int(s.state.to_act), layout.DECISIONS[int(s.state.phase)]


def result(s: Scene) -> tuple[int, str]:
    """The winner (-1: drawn) and why the game ended."""
    assert s.state.over
    return int(s.state.winner), layout.REASONS[int(s.state.reason)]


def lying(s: Scene, seat: int, zone: int) -> list[str]:
    """The names of the seat's cards in that zone, sorted, but for the pebbles."""
    cards = [s.name(int(card)) for card in s.state.lists[seat][s.state.zone[seat] == zone]]
    return sorted(name for name in cards if name and name != FILLER)


def hand(s: Scene, seat: int) -> list[str]:
    return lying(s, seat, layout.HAND)


def pool(s: Scene, seat: int) -> list[str]:
    return lying(s, seat, layout.POOL)


def field(s: Scene, seat: int) -> list[str]:
    return lying(s, seat, layout.FIELD)


def discards(s: Scene, seat: int) -> list[str]:
    return lying(s, seat, layout.DISCARD)


def used(s: Scene, seat: int) -> list[str]:
    return lying(s, seat, layout.USED)


def deck(s: Scene, seat: int) -> list[str]:
    """The whole deck from the top, pebbles too."""
    slots = s.state.deck[seat, : int(s.state.deck_size[seat])][::-1]
    return [str(s.name(int(s.state.lists[seat, slot]))) for slot in slots]


def held(s: Scene, seat: int) -> int:
    """Cards in the seat's hand, pebbles too."""
    return int(s.state.hand_size[seat])


def total(s: Scene, seat: int) -> int:
    return int(layout.total(s.state, seat))


def levels(s: Scene) -> tuple[int, int]:
    return int(s.state.level[0]), int(s.state.level[1])


def counters(s: Scene) -> tuple[int, int]:
    """Teeth gained by spells and duels."""
    return int(s.state.earned[0]), int(s.state.earned[1])
