"""What a seat can know of the other's cards in Tommy Walker TGC, by brute force and apart from the rules' own account.

A `Watcher` keeps every lay of the hidden cards that agrees with all that one seat has seen: the other's hand and the
order of the other's deck, and the order of its own deck. Each event that the seat sees strikes out the lays that it
contradicts and changes the others. It knows nothing of the draw phase that runs; `progress_fault` judges that.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import permutations

import numpy as np
from tommy_scenes import GAME, Scene

from duelbench.envs.dispatch import SECRET, determinize
from duelbench.envs.jit import rule
from duelbench.envs.tommy_walker.cards import CARDS, NO_CARD, NUM_CARDS
from duelbench.envs.tommy_walker.state import DRAWING, EVENT_IDS, FINISHED, REASONS

World = tuple[tuple[int, ...], tuple[int, ...]]
"""A hand in the order of the cards, and a deck from the top."""

LEAVES_HAND = ("reveals", "discards", "rides", "lays_barrier")
ENTERS_HAND = ("fetches", "takes_back")


def settable(hand: Iterable[int]) -> bool:
    """Rule 3.3: whether one of the cards may be set without a misplay."""
    return any(not CARDS[card].ride_only for card in hand)


def without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


class Watcher:
    """What `observer` holds possible in a game that begins with the scene; `known` of the other's hand it has seen."""

    def __init__(self, scene: Scene, observer: int, known: Iterable[int] = ()) -> None:
        state, other = scene.state, 1 - observer
        self.observer, self.other = observer, other
        self.to_bottom = bool(scene.table.returns_to_bottom)
        seen = Counter(known)
        pool = Counter(cards_of(state.hand[other])) + Counter(deck_of(state, other)) - seen
        unseen = int(state.hand_size[other]) - seen.total()
        self.worlds: set[World] = {
            (tuple(sorted([*seen.elements(), *lay[:unseen]])), lay[unseen:])
            for lay in set(permutations(pool.elements()))
        }
        self.own_decks = set(permutations(deck_of(state, observer)))
        self.put_back = 0

    def watch(self, events: Iterable[np.void]) -> None:
        """Take in what an action has caused, as far as the observer sees it."""
        events = list(events)
        for event in events:
            if event["seen_by"] & (1 << self.observer) or not event["seen_by"] & SECRET:
                kind = EVENT_IDS[int(event["kind"])]
                if event["seat"] == self.observer and kind != "game_over":
                    self.see_own(kind, int(event["card"]))
                else:
                    self.see_other(kind, int(event["card"]), int(event["value"]))
        kinds = {EVENT_IDS[int(event["kind"])]: event for event in events}
        if "game_over" in kinds and "drew" in kinds and "reveals" not in kinds:
            self.see_last_draws(kinds["game_over"])

    def see_own(self, kind: str, card: int) -> None:
        if kind in ("draws", "loses_card"):
            self.own_decks = {deck[1:] for deck in self.own_decks if deck[:1] == (card,)}
        elif kind in ("enters", "copies"):
            self.put_back = 0
        elif kind == "puts_back":
            self.own_decks = {self.with_card(deck, card) for deck in self.own_decks}
            self.put_back += 1

    def with_card(self, deck: tuple[int, ...], card: int) -> tuple[int, ...]:
        """Rule 7.5: below the cards that this use has put on the deck, or under all of it."""
        place = len(deck) if self.to_bottom else self.put_back
        return (*deck[:place], card, *deck[place:])

    def see_other(self, kind: str, card: int, value: int) -> None:
        if kind in LEAVES_HAND:
            self.worlds = {(without(hand, card), deck) for hand, deck in self.worlds if card in hand}
        elif kind in ENTERS_HAND:
            self.worlds = {(tuple(sorted((*hand, card))), deck) for hand, deck in self.worlds}
        elif kind == "drew":
            self.worlds = {drawn(world, value) for world in self.worlds if len(world[1]) >= value}
        elif kind == "misplays":
            self.worlds = {world for world in self.worlds if settable(world[0])}
        elif kind == "announces":
            wanted = CARDS[card].at_discard
            self.worlds = {world for world in self.worlds if payable(world[0], wanted) >= value}
        elif kind == "loses_card":
            self.worlds = {(hand, deck[1:]) for hand, deck in self.worlds if deck[:1] == (card,)}
        elif kind in ("enters", "copies"):
            self.put_back = 0
        elif kind == "puts_back":
            self.worlds = {
                (without(hand, card), self.with_card(deck, card)) for hand, deck in self.worlds for card in set(hand)
            }
            self.put_back += 1

    def see_last_draws(self, end: np.void) -> None:
        """Rules 3.6 to 3.8: the draw phase ended the game. Who was not stuck had a card to set."""
        winner, drawn_game = int(end["seat"]), int(end["seat"]) not in (0, 1)
        stuck = REASONS[int(end["value"])] == "no card to set" and winner == self.observer
        if not drawn_game:
            self.worlds = {world for world in self.worlds if settable(world[0]) != stuck}


def drawn(world: World, count: int) -> World:
    hand, deck = world
    return tuple(sorted(hand + deck[:count])), deck[count:]


def payable(hand: Iterable[int], wanted: int) -> int:
    return sum(1 for card in hand if CARDS[card].attributes & wanted)


# --- States as worlds -----------------------------------------------------------------------------------------


def cards_of(counts: np.ndarray) -> list[int]:
    return [card for card in range(NUM_CARDS) for _ in range(int(counts[card]))]


def deck_of(state: np.record, seat: int, also: int = 0) -> tuple[int, ...]:
    """The seat's deck from the top, with the last `also` cards that were drawn from it."""
    return tuple(int(state.deck[seat, i]) for i in range(int(state.deck_size[seat]) + also - 1, -1, -1))


def world_of(state: np.record, seat: int) -> World:
    """The seat's hand and deck; those at its beginning while a draw phase runs."""
    count = int(state.drawn[seat]) if state.phase == DRAWING else 0
    deck, hand = deck_of(state, seat, count), Counter(cards_of(state.hand[seat]))
    return tuple(sorted((hand - Counter(deck[:count])).elements())), deck


def progress_fault(scene: Scene, state: np.record, seat: int) -> str | None:
    """What rule 3 says against the seat's draws and its set card, in a draw phase that runs or has ended the game."""
    hand, card = cards_of(state.hand[seat]), int(state.chosen[seat])
    if state.phase not in (DRAWING, FINISHED):
        return None if card == NO_CARD else "a card set outside the draw phase"
    if card != NO_CARD:
        if card not in hand or not settable(hand):
            return "set without the right to"
        return None if scene.table.permit_misplay or not CARDS[card].ride_only else "a misplay that is no move"
    if state.phase == FINISHED:
        return None
    if seat == state.to_act:
        return None if settable(hand) or state.deck_size[seat] else "asked, but stuck"
    if seat == 1:
        return "drawn before its time" if state.drawn[1] else None
    return "neither set nor stuck" if settable(hand) or state.deck_size[seat] else None


# --- Determinizations in number -------------------------------------------------------------------------------


@rule
def draw_worlds(table, state, scratch, observer, first_seed, found):
    """Fill the states `found` with determinizations of `state`, from the seeds first_seed, first_seed + 1, ..."""
    for i in range(found.shape[0]):
        scratch[0] = state
        determinize(table, scratch[0], observer, first_seed + np.uint64(i))
        found[i] = scratch[0]


def worlds_drawn(scene: Scene, observer: int, first_seed: int, count: int) -> list[np.record]:
    """`count` determinizations for the observer, of which equal ones are given once."""
    found, scratch = GAME.new_states(count), GAME.new_states(1)
    draw_worlds(scene.table, scene.state, scratch, observer, np.uint64(first_seed), found)
    found["rng"] = 0
    rows = np.unique(np.asarray(found).view(np.dtype((np.void, found.dtype.itemsize))))
    distinct = GAME.new_states(len(rows))
    distinct[:] = rows.view(found.dtype).reshape(-1)
    return list(distinct)
