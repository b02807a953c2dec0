"""What a seat can know of the other's hand in Wizard in Training, by brute force and apart from the rules' own account.

A `Watcher` keeps every hand that the other can hold by all that one seat has seen: each event that it sees strikes out
the hands that it contradicts and changes the others. It follows the places of the other's cards by events alone, and
knows nothing of tokens. `lays_of_tokens` says what the rules' account admits, and how often.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import numpy as np
from wizard_scenes import GAME, REDRAW, SPELLS, STOCK, Scene, character, item, mode, scene, spell

from duelbench.envs.dispatch import determinize
from duelbench.envs.jit import rule
from duelbench.envs.wizard_in_training import state as layout
from duelbench.envs.wizard_in_training.cards import (
    ARMOUR,
    CHARACTER,
    FIRST_CHARACTER,
    FIRST_MAIN,
    ITEM,
    NUM_ITEMS,
    POTION,
    WEAPON,
)

Hand = tuple[int, ...]
"""Cards, ascending."""

TO_DISCARD = ("counters", "gives_up", "discards")
TO_FIELD = ("attacks", "blocks")
LEAVES_HAND = ("places", "casts", *TO_DISCARD, *TO_FIELD)
LEAVES_TABLE = ("pays", "destroyed", "spends", "loses_item", "dies")
COMES_BACK = ("resets", "recycles")

OUT_OF_PLAY = 9
"""A zone that no rule knows: where the cards lie that a small scene does without."""


def without(cards: Hand, card: int) -> Hand:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


class Watcher:
    """What `observer` holds possible in a game that begins with the scene."""

    def __init__(self, s: Scene, observer: int) -> None:
        self.other = 1 - observer
        self.unseen = self.lying(s, layout.DECK) + self.lying(s, layout.HAND)
        self.items = self.lying(s, layout.POOL)
        self.field = self.lying(s, layout.FIELD)
        self.discards = self.lying(s, layout.DISCARD)
        size, kept = int(s.state.hand_size[self.other]), int(s.state.kept[self.other])
        hands = {tuple(sorted(hand)) for hand in combinations(self.unseen.elements(), size)}
        self.hands = {hand for hand in hands if sum(card >= NUM_ITEMS for card in hand) >= kept}

    def lying(self, s: Scene, zone: int) -> Counter[int]:
        return Counter(map(int, s.state.lists[self.other][s.state.zone[self.other] == zone]))

    def watch(self, events: Iterable[np.void]) -> None:
        """Take in what an action has caused; cards that the observer does not see are not looked at."""
        placing = False
        for event in events:
            kind = layout.EVENT_IDS[int(event["kind"])]
            if placing and kind != "places":
                self.keep()
            placing = (placing and kind == "places") or (kind == "turn_begins" and event["seat"] == self.other)
            if event["seat"] == self.other:
                self.see(kind, int(event["card"]))
        if placing:
            self.keep()

    def keep(self) -> None:
        """4.1 All items have been placed."""
        self.hands = {hand for hand in self.hands if all(card >= NUM_ITEMS for card in hand)}

    def see(self, kind: str, card: int) -> None:
        if kind == "draws":
            self.hands = {
                tuple(sorted((*hand, drawn)))
                for hand in self.hands
                for drawn, copies in self.unseen.items()
                if copies > hand.count(drawn)
            }
        elif kind in LEAVES_HAND and card < FIRST_MAIN and not (kind in TO_FIELD and self.field[card]):
            self.leave_hand(kind, card)
        elif kind in LEAVES_TABLE:
            source = self.items if card < NUM_ITEMS else self.field
            assert source[card] > 0, f"{kind} a card that is not there"
            source[card] -= 1
            self.discards[card] += 1
        elif kind in ("countered", "spells_leave"):
            self.discards[card] += 1
        elif kind == "resets":
            self.come_back(self.items)
        elif kind == "recycles":
            self.come_back(self.discards)

    def leave_hand(self, kind: str, card: int) -> None:
        self.unseen[card] -= 1
        self.hands = {without(hand, card) for hand in self.hands if card in hand}
        if kind == "places":
            self.items[card] += 1
        elif kind in TO_FIELD:
            self.field[card] += 1
        elif kind in TO_DISCARD:
            self.discards[card] += 1

    def come_back(self, cards: Counter[int]) -> None:
        self.unseen += cards
        cards.clear()

    def lots(self, s: Scene) -> set[Hand]:
        """9.1 to 9.3 What may lie face down with the fighter of the other, of whom only the number of items is seen."""
        size, state = int(s.state.lots[self.other]), s.state
        slot = int(state.attacker if self.other == state.active else state.blocker)
        fighter = None if slot == layout.MAIN_SLOT else int(state.lists[self.other, slot]) - FIRST_CHARACTER
        lots = {tuple(sorted(lot)) for lot in combinations(self.items.elements(), size)}
        return {lot for lot in lots if may_wear(s.table, fighter, lot)}


def may_wear(table: np.record, fighter: int | None, lot: Hand) -> bool:
    """Whether a main (None) or a character, counted from the first, can have taken all items of the lot."""
    kinds = Counter(int(table.cards[card].subtype) for card in lot)
    if any(kind not in (WEAPON, ARMOUR, POTION) or (count > 1 and kind != POTION) for kind, count in kinds.items()):
        return False
    worn = [card for card in lot if table.cards[card].subtype != POTION]
    return fighter is None or all(table.wears[fighter, card] for card in worn)


# --- What the rules admit -------------------------------------------------------------------------------------


def cards_in(state: np.record, seat: int, zone: int) -> Hand:
    return tuple(sorted(map(int, state.lists[seat][state.zone[seat] == zone])))


def hand_of(state: np.record, seat: int) -> Hand:
    return cards_in(state, seat, layout.HAND)


def lays_of_tokens(state: np.record, seat: int) -> Counter[Hand]:
    """Every hand that the tokens of the seat can be laid to, and in how many ways, copies of a card told apart."""
    cards = state.lists[seat].tolist()
    since, drawn_at = state.since[seat].tolist(), state.drawn_at[seat].tolist()
    slots = [slot for slot in range(layout.DECK_SIZE) if state.zone[seat, slot] <= layout.HAND]
    ways: Counter[frozenset[int]] = Counter({frozenset(): 1})
    for token in range(int(state.hand_size[seat])):
        kept = token < state.kept[seat]
        may_be = [slot for slot in slots if since[slot] <= drawn_at[token] and not (kept and cards[slot] < NUM_ITEMS)]
        longer: Counter[frozenset[int]] = Counter()
        for lay, count in ways.items():
            for slot in may_be:
                if slot not in lay:
                    longer[lay | {slot}] += count
        ways = longer
    hands: Counter[Hand] = Counter()
    for lay, count in ways.items():
        hands[tuple(sorted(cards[slot] for slot in lay))] += count
    return hands


@rule
def draw_worlds(table, state, scratch, observer, first_seed, found):
    """Fill the states `found` with determinizations of `state`, from the seeds first_seed, first_seed + 1, ..."""
    for i in range(found.shape[0]):
        scratch[0] = state
        determinize(table, scratch[0], observer, first_seed + np.uint64(i))
        found[i] = scratch[0]


def worlds_drawn(s: Scene, observer: int, count: int, first_seed: int = 0) -> np.ndarray:
    """`count` determinizations for the observer."""
    found, scratch = GAME.new_states(count), GAME.new_states(1)
    draw_worlds(s.table, s.state, scratch, observer, np.uint64(first_seed), found)
    return found


# --- Small games ----------------------------------------------------------------------------------------------

CARDS = {
    "study": spell(mode(draw=2)),
    "cram": spell(mode(draw=1, gain=2), counters=("study",)),
    "haul": spell(mode(gain=5), mode(discard=1), counters=("cram",)),
    "rob": spell(mode(steal=4), mode(steal=2, discard=1), counters=("haul", "scold")),
    "scold": spell(mode(discard=2), counters=("rob", "study")),
    "smash": spell(mode(destroys=3), needs="weapon", counters=("scold", "drill")),
    "drill": spell(mode(attack=2), mode(draw=1), counters=("smash",)),
    "elixir": item(1, "potion", attack=1),
    "tonic": item(1, "potion", defend=1, drunk=2),
    "rat": character(2, 1),
    "guard": character(1, 3, wears=("weapon", "shield")),
}

KINDS = {
    "levels": "nugget crown florin shilling haul cram study rat page wolf rob",
    "hands": "scold rob haul study cram smash nugget crown sword page guard",
    "duels": "page wolf rat guard squire sword club shield elixir tonic ale crown drill",
    "draws": "study cram drill nugget crown florin scold rob penny wolf",
}
"""Cards of which the small decks are made, no two alike, by what they bring about."""
TWINS = "nugget nugget crown crown florin florin haul cram study scold rat rob"


def place_of(name: str, dice: np.random.Generator) -> str:
    """A place where a card of that name can lie before a turn."""
    kind = {**STOCK, **CARDS}[name]["type"]
    places = {ITEM: ("hand", "deck", "deck", "pool"), CHARACTER: ("hand", "deck", "deck", "field", "discard")}
    return str(dice.choice(places.get(kind, ("hand", "deck", "deck", "discard"))))


def small_scene(words: str, seed: int, rules: dict[str, object]) -> Scene:
    """Nine to eleven of these cards a seat, four or more of them in hand, the other ones anywhere."""
    dice = np.random.default_rng([seed, len(words)])
    zones: dict[str, tuple[list[str], list[str]]] = {
        name: ([], []) for name in ("hand", "deck", "pool", "field", "discard")
    }
    for seat in range(2):
        for at, name in enumerate(map(str, dice.permutation(words.split())[: dice.integers(9, 12)])):
            place = "hand" if at < 4 else place_of(name, dice)
            if place == "field" and len(zones["field"][seat]) == layout.FIELD_LIMIT:
                place = "deck"
            zones[place][seat].append(name)
    levels = (int(dice.integers(2, 5)), int(dice.integers(2, 5)))
    start = int(dice.choice([SPELLS, REDRAW]))
    rest = (OUT_OF_PLAY, OUT_OF_PLAY)
    return scene(at=start, level=levels, rest=rest, cards=CARDS, rules=rules, seed=seed, **zones)
