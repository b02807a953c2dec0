"""An honest account of what a seat can know in Tarot Duel, made without labels: all histories that look the same to it.

`Histories` starts from every lay of the unseen cards that a scene allows and plays each of them along with the true
game, with every action that the other seat may secretly have taken and many throws of the dice. Whatever shows the
seat anything else than it sees is dropped. What is left are the possible worlds, weighted by their probability against
a player who chooses at random. It serves small scenes only.
"""

import itertools
from typing import Any

import numpy as np

from duelbench.envs.dispatch import apply, determinize, legal
from duelbench.envs.jit import rule
from duelbench.envs.tarot_duel.cards import NUM_CARDS
from duelbench.envs.tarot_duel.state import (
    BURIES,
    DECK,
    DECK_CLOSES,
    DECK_OPENS,
    DRAWS,
    HAND,
    LOOKS,
    NUM_ACTIONS,
    ORDERS,
    SET,
    SETS,
    SWAP,
)

KEY = 2 * NUM_CARDS + 1
MOST_WORLDS = 3000
MOST_BRANCHES = 400_000
FEWEST_HITS = 4
"""A lay that chance brings about must have come up this often, else too few throws were made to trust the account."""


@rule
def same_sight(before_open, a, b, seat):
    """Whether what happened in `a` and `b`, and how they lie now, looks the same to `seat`."""
    if a.n_events != b.n_events or a.phase != b.phase or a.to_act != b.to_act or a.deck_size != b.deck_size:
        return False
    is_open = before_open
    for i in range(a.n_events):
        if not same_event(a.events[i], b.events[i], seat, is_open):
            return False
        if a.events[i].kind == DECK_OPENS:
            is_open = 1
        elif a.events[i].kind == DECK_CLOSES:
            is_open = 0
    for card in range(NUM_CARDS):
        hidden_a = a.zone[card] == DECK or a.zone[card] == HAND + 1 - seat
        hidden_b = b.zone[card] == DECK or b.zone[card] == HAND + 1 - seat
        if hidden_a != hidden_b or (not hidden_a and a.zone[card] != b.zone[card]):
            return False
        if a.tower_open and a.deck[card] != b.deck[card]:
            return False
    return True


@rule
def same_event(a, b, seat, is_open):
    if a.kind != b.kind or a.seat != b.seat:
        return False
    if a.kind == ORDERS:
        return (not is_open and a.seat != seat) or a.value == b.value
    if a.value != b.value:
        return False
    if a.kind == DRAWS:
        secret = not is_open and a.seat != seat
    elif a.kind == LOOKS or a.kind == SETS:
        secret = a.seat != seat
    else:
        secret = a.kind == BURIES and not is_open
    return secret or a.card == b.card


@rule
def branch(table, worlds, action, secret, truth, before_open, seat, throws, mask, scratch, out, source):
    """Play all `worlds` on and keep what looks like `truth`; out[:n] are the results, source[:n] = (world, its share).

    `secret`: the seat does not see which action it was, so every legal one may have been taken. Returns n.
    """
    n = 0
    state = scratch[0]
    for world in range(worlds.shape[0]):
        legal(table, worlds[world], mask)
        choices = 0
        for choice in range(NUM_ACTIONS):
            choices += mask[choice]
        for choice in range(NUM_ACTIONS):
            if not mask[choice] or (choice != action and not secret):
                continue
            share = 1.0 / choices if secret else 1.0
            for throw in range(throws):
                scratch[0] = worlds[world]
                state.rng = np.uint64(throw) * np.uint64(0x5851F42D4C957F2D) + np.uint64(world * 1009 + choice)
                dice = state.rng
                apply(table, state, choice)
                thrown = state.rng != dice
                if same_sight(before_open, truth, state, seat) and n < out.shape[0]:
                    out[n] = scratch[0]
                    source[n, 0] = world
                    source[n, 1] = share / throws if thrown else share
                    source[n, 2] = thrown
                    n += 1
                if not thrown:
                    break
    return n


@rule
def sample(table, state, observer, scratch, first_seed, keys):
    """A row of `keys` for each determinization: the places, the deck, and the card set."""
    for row in range(keys.shape[0]):
        scratch[0] = state
        determinize(table, scratch[0], observer, first_seed + np.uint64(row))
        for card in range(NUM_CARDS):
            keys[row, card] = scratch[0].zone[card]
            keys[row, NUM_CARDS + card] = scratch[0].deck[card]
        keys[row, 2 * NUM_CARDS] = scratch[0].chosen[0]


def keys_of(states: np.ndarray) -> np.ndarray:
    return np.concatenate([states["zone"], states["deck"], states["chosen"][:, :1]], axis=1)


class Histories:
    """The possible worlds of one seat; `alive` turns False when they are too many to be followed exactly."""

    def __init__(self, game: Any, scene: Any, seat: int) -> None:
        self.game, self.table, self.seat = game, scene.table, seat
        self.alive, self.exact = True, True
        self.worlds = self._all_lays(scene.state)
        self.weights = np.full(len(self.worlds), 1 / len(self.worlds))

    def _all_lays(self, state: np.record) -> np.ndarray:
        other, size = HAND + 1 - self.seat, int(state.deck_size)
        held = [card for card in range(NUM_CARDS) if state.zone[card] == other]
        unseen = sorted(held + [int(card) for card in state.deck[:size]])
        lays = [
            (hand, deck)
            for hand in itertools.combinations(unseen, len(held))
            for deck in itertools.permutations([card for card in unseen if card not in hand])
            if not state.tower_open or deck == tuple(state.deck[:size])
        ]
        worlds = self.game.new_states(len(lays))
        worlds[:] = state
        for i, (hand, deck) in enumerate(lays):
            worlds["zone"][i, list(deck)] = DECK
            worlds["zone"][i, list(hand)] = other
            worlds["deck"][i, :size] = deck
        return worlds

    def follow(self, before: np.record, action: int, after: np.record) -> None:
        """The true game went from `before` to `after` by `action`."""
        kinds = [int(event["kind"]) for event in self.game.events(after)]
        if DECK_OPENS in kinds and DECK_CLOSES in kinds:  # what lay open in between is not in the events
            self.alive = False
        if not self.alive:
            return
        secret = int(before.to_act) != self.seat and int(before.phase) in (SET, SWAP)
        throws = int(np.clip(150_000 // len(self.worlds), 8, 2000))
        out, source = self.game.new_states(MOST_BRANCHES), np.empty((MOST_BRANCHES, 3))
        n = branch(
            self.table, self.worlds, action, secret, after, int(before.tower_open), self.seat, throws,
            np.zeros(NUM_ACTIONS, np.int8), self.game.new_states(1), out, source,
        )  # fmt: skip
        self.alive = 0 < n < MOST_BRANCHES
        if self.alive:
            self._merge(out[:n], source[:n])

    def _merge(self, states: np.ndarray, source: np.ndarray) -> None:
        _, first, of = np.unique(keys_of(states), axis=0, return_index=True, return_inverse=True)
        weights = np.bincount(of.ravel(), self.weights[source[:, 0].astype(int)] * source[:, 1])
        self.worlds, self.weights = states[first], weights / weights.sum()
        if source[:, 2].any():
            self.exact = False
            self.alive = bool(np.bincount(of.ravel()).min() >= FEWEST_HITS)
        self.alive = self.alive and len(self.worlds) <= MOST_WORLDS

    def compare(self, state: np.record, draws: int) -> tuple[set[bytes], set[bytes], np.ndarray, np.ndarray]:
        """Impossible worlds that `determinize` drew, possible ones it never drew; drawn shares and true weights."""
        keys = np.zeros((draws, KEY), np.int8)
        sample(self.table, state, self.seat, self.game.new_states(1), np.uint64(1), keys)
        drawn, counts = np.unique(keys, axis=0, return_counts=True)
        possible = {key.tobytes(): weight for key, weight in zip(keys_of(self.worlds), self.weights, strict=True)}
        found = {key.tobytes(): int(count) for key, count in zip(drawn, counts, strict=True)}
        shares = np.array([found.get(key, 0) for key in possible])
        return found.keys() - possible.keys(), possible.keys() - found.keys(), shares, np.array(list(possible.values()))
