"""Many random games of a game, every state of them examined. `python tests/random_games.py [games]` prints the figures.

`fault` says what is wrong with a state, in compiled code; a new game adds its own examination here.
"""

import hashlib
import sys
from pathlib import Path
from typing import Any

import highcard
import numpy as np
from numba.extending import overload
from tommy_faults import TOMMY_FAULTS, tommy_fault, tommy_largest
from wizard_faults import WIZARD_FAULTS, wizard_fault, wizard_largest, wizard_length

from duelbench.envs.decks import DeckChoice
from duelbench.envs.dispatch import NOTHING_TOLD, apply, deal, determinize, legal, observe
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.playout import random_action
from duelbench.envs.rng import new_stream
from duelbench.envs.tarot_duel.cards import NO_CARD, NUM_CARDS
from duelbench.envs.tarot_duel.state import (
    DECK,
    DISCARD,
    FIELD,
    FINISHED,
    FROM_THE_START,
    HAND,
    KNOWN,
    MAX_EVENTS,
    MAX_PEEKS,
    NO_HIGH,
    NO_LOW,
    NUM_ACTIONS,
    SET,
    SPARE,
    WAITING,
)

# What `play_games` counts.
WON_0, WON_1, DRAWN_GAMES, DECISIONS, LONGEST, FAULT, FAULT_SEED, MOST_EVENTS, LARGEST_NUMBER = range(9)
LENGTH = 9
REASON = 10  # + reason
NUM_FIGURES = 16

FAULTS = {
    0: "sound",
    1: "the mask is empty while the game runs, or names an action when it is over",
    2: "the game does not end",
    3: "the event buffer is full",
    10: "a card is in no place, or the count of a place is wrong",
    11: "deck and places disagree",
    12: "a number is out of its range",
    13: "the phase and the end of the game disagree",
    14: "a face-down card is not in hand, or lies there at the wrong time",
    16: "a seat is told something that is no action",
    15: "a card of this turn is not on the field, or two are on one",
    20: "a seat does not know its own hand or what lies open",
    21: "a label that was never given out",
    22: "a card outside its place's bounds, or bounds on a known card",
    23: "the other seat is thought to know what it does not",
    24: "a look into a hand at cards that are not there",
    25: "the top is called mixed where it is not",
    **TOMMY_FAULTS,
    **WIZARD_FAULTS,
}

ROUND_AND_ROUND = ["jack_maxim", "algora", "hanks", "renjo", "himeko", "calist"]
"""Cards that fetch, return, copy and come back, so that games last."""
DECKS: dict[str, tuple[DeckChoice, ...]] = {
    "tommy_walker": (
        None,
        {"random": ROUND_AND_ROUND},
        {"random": ["jack_maxim"]},
        {"random": ["german_shark", "lovelinstar", "hanks", "calist"]},
    ),
    "wizard_in_training": (None, Path(__file__).parents[1] / "configs" / "decks" / "wizard_in_training"),
}
"""By game: what both seats draw their decks from; other games have no decks."""

MOST_DECISIONS = {"wizard_in_training": 10_000}
"""By game: as in `most_decisions`, where levels that are lost again make random games long."""

# --- Tarot Duel -----------------------------------------------------------------------------------------------


@rule
def tarot_fault(table, game):
    for check in range(4):
        if check == 0:
            found = fault_of_places(game)
        elif check == 1:
            found = fault_of_numbers(table, game)
        elif check == 2:
            found = fault_of_labels(table, game)
        else:
            found = fault_of_guesses(game)
        if found:
            return found
    return 0


@rule
def fault_of_places(game):
    spares, field = 0, 0
    for card in range(NUM_CARDS):
        zone = game.zone[card]
        if zone not in (DECK, HAND, HAND + 1, FIELD, FIELD + 1, WAITING, WAITING + 1, DISCARD, SPARE):
            return 10
        spares += zone == SPARE
        field += zone == FIELD or zone == FIELD + 1
        if (zone == FIELD or zone == FIELD + 1) and game.played[zone - FIELD] != card:
            return 15
    if spares != 5 or field > 2:
        return 10
    return fault_of_deck(game)


@rule
def fault_of_deck(game):
    seen = np.uint32(0)
    for i in range(NUM_CARDS):
        card = game.deck[i]
        if i >= game.deck_size:
            if card != NO_CARD:
                return 11
        elif not 0 <= card < NUM_CARDS or game.zone[card] != DECK or seen & (np.uint32(1) << np.uint32(card)):
            return 11
        else:
            seen |= np.uint32(1) << np.uint32(card)
    for card in range(NUM_CARDS):
        if game.zone[card] == DECK and not seen & (np.uint32(1) << np.uint32(card)):
            return 11
    return 0


@rule
def fault_of_numbers(table, game):
    if game.n_events >= MAX_EVENTS:
        return 3
    if game.turn > table.max_turns or game.turns_left < 0 or game.turns_left > 60 or game.labels_used > 200:
        return 12
    for seat in range(2):
        if not 0 <= game.wins[seat] <= 2 * game.turn or not 0 <= game.bonus[seat] <= 2:
            return 12
    if game.phase > FINISHED or (game.phase == FINISHED) != (game.over == 1) or (game.over == 1) != (game.reason != 0):
        return 13
    for seat in range(2):
        if game.chosen[seat] != NO_CARD and game.zone[game.chosen[seat]] != HAND + seat:
            return 14
    if game.chosen[1] != NO_CARD or (game.chosen[0] != NO_CARD and (game.phase != SET or game.to_act != 1)):
        return 14
    for seat in range(2):
        if not NOTHING_TOLD <= game.told[seat] < NUM_ACTIONS:
            return 16
    return 0


@rule
def fault_of_labels(table, game):
    for seat in range(2):
        for card in range(NUM_CARDS):
            label, zone = game.label[seat, card], game.zone[card]
            in_other_hand = zone == HAND + 1 - seat
            if label != KNOWN and zone != DECK and not in_other_hand:
                return 20
            if label > game.labels_used or (label == KNOWN) != (label < FROM_THE_START):
                return 21
            if game.low[seat, card] != NO_LOW or game.high[seat, card] != NO_HIGH:
                if label == KNOWN or not in_other_hand or not game.bounded[seat]:
                    return 22
                if not game.low[seat, card] < table.cards[card].place_in_order < game.high[seat, card]:
                    return 22
    return 0


@rule
def fault_of_guesses(game):
    for seat in range(2):
        for card in range(NUM_CARDS):
            shown = game.shown[seat, card]
            if game.zone[card] != HAND + 1 - seat:
                if shown != KNOWN:
                    return 23
            elif game.label[seat, card] != KNOWN and game.label[seat, card] != shown:
                return 23
        for i in range(MAX_PEEKS):
            for card in range(NUM_CARDS):
                if game.peeks[seat, i] & (np.uint32(1) << np.uint32(card)) and game.zone[card] != HAND + seat:
                    return 24
        if game.top_mixed[seat]:
            if game.deck_size < 2 or game.tower_open:
                return 25
            top, second = game.deck[game.deck_size - 1], game.deck[game.deck_size - 2]
            if (
                KNOWN in (game.label[seat, top], game.label[seat, second])
                or game.label[seat, top] == game.label[seat, second]
            ):
                return 25
    return 0


@rule
def tarot_largest(game):
    return max(game.wins[0], game.wins[1], game.turns_left, game.turn, np.int64(game.labels_used))


# --- High Card ------------------------------------------------------------------------------------------------


@rule
def highcard_fault(table, state):
    counts = np.zeros(5, np.int64)
    for card in range(state.highcard_zone.shape[0]):
        if not 0 <= state.highcard_zone[card] < 5:
            return 10
        counts[state.highcard_zone[card]] += 1
    if counts[0] != 2 or counts[1] + counts[3] != 3 or counts[2] + counts[4] != 3 or counts[3] != state.rounds_played:
        return 10
    if state.points[0] + state.points[1] > state.rounds_played or state.rounds_played > table.rounds:
        return 12
    if state.face_down != highcard.NOTHING_SET and (state.highcard_zone[state.face_down] != 1 or state.to_act != 1):
        return 14
    for seat in range(2):
        if not NOTHING_TOLD <= state.told[seat] < highcard.CARDS:
            return 16
    return 0


@rule
def highcard_largest(state):
    return np.int64(state.rounds_played)


# --- How long a game has lasted -------------------------------------------------------------------------------


@rule
def tarot_length(game):
    return np.int64(game.turn)


@rule
def highcard_length(state):
    return np.int64(state.rounds_played)


@rule
def tommy_length(game):
    return np.int64(game.round_number)


# --- Any game -------------------------------------------------------------------------------------------------

_CHECKS = {  # by a field of the game's state
    "labels_used": (tarot_fault, tarot_largest, tarot_length),
    "highcard_zone": (highcard_fault, highcard_largest, highcard_length),
    "barrier_seat": (tommy_fault, tommy_largest, tommy_length),
    "held_item": (wizard_fault, wizard_largest, wizard_length),
}


def _checks(dtype: Any) -> Any:
    return next(checks for field, checks in _CHECKS.items() if field in (dtype.names or dtype.fields))


def fault(table, state):
    """A key of FAULTS: what is wrong with the state; 0 if nothing is."""
    return _checks(state.dtype)[0](table, state)


def largest_number(state):
    """The largest of the numbers that a game adds up."""
    return _checks(state.dtype)[1](state)


def length(state):
    """How many turns or rounds the game has lasted."""
    return _checks(state.dtype)[2](state)


@overload(fault)
def _fault(table, state):
    function = _checks(state.dtype)[0]
    return lambda table, state: function(table, state)


@overload(largest_number)
def _largest_number(state):
    function = _checks(state.dtype)[1]
    return lambda state: function(state)


@overload(length)
def _length(state):
    function = _checks(state.dtype)[2]
    return lambda state: function(state)


@rule
def fault_of_mask(state, mask):
    count = 0
    for action in range(mask.shape[0]):
        if mask[action] != 0 and mask[action] != 1:
            return 1
        count += mask[action]
    return 1 if (count > 0) != (state.over == 0) else 0


@rule
def play_on(table, state, dice, mask, figures, longest):
    """Random actions to the end of the game, every state examined; returns the first fault, 0 if there is none."""
    decisions = 0
    while True:
        legal(table, state, mask)
        found = fault(table, state) + fault_of_mask(state, mask)
        figures[MOST_EVENTS] = max(figures[MOST_EVENTS], state.n_events)
        figures[LARGEST_NUMBER] = max(figures[LARGEST_NUMBER], largest_number(state))
        if found or decisions > longest:
            return found if found else 2
        if state.over:
            break
        apply(table, state, random_action(dice, mask))
        decisions += 1
    figures[DECISIONS] += decisions
    figures[LENGTH] += length(state)
    figures[LONGEST] = max(figures[LONGEST], decisions)
    return 0


@rule
def play_games(table, state, dice, mask, first_seed, games, figures, longest):
    """The games with seeds first_seed, first_seed + 1, ...; `figures` (int64[NUM_FIGURES]) gains what they show.

    Stops at the first state with a fault, or when a game takes more than `longest` decisions.
    """
    for i in range(games):
        deal(table, state, first_seed + np.uint64(i))
        found = play_on(table, state, dice, mask, figures, longest)
        if found:
            figures[FAULT] = found
            figures[FAULT_SEED] = np.int64(first_seed) + i
            return
        figures[state.winner if state.winner >= 0 else DRAWN_GAMES] += 1
        figures[REASON + state.reason] += 1


def most_decisions(name: str) -> int:
    """How many decisions a random game may take before it counts as one that does not end."""
    return MOST_DECISIONS.get(name, 1000)


def figures_of(
    game: Game, games: int, rules: dict[str, Any] | None = None, first_seed: int = 0, decks: DeckChoice = None
) -> np.ndarray:
    """int64[NUM_FIGURES]: what `games` random games show."""
    figures, table = np.zeros(NUM_FIGURES, np.int64), game.table(rules, decks=decks)
    mask = np.zeros(game.num_actions, np.int8)
    longest = most_decisions(game.name)
    play_games(table, game.new_state(), new_stream(first_seed), mask, np.uint64(first_seed), games, figures, longest)
    return figures


def summary(game: Game, figures: np.ndarray, decks: DeckChoice = None) -> str:
    """The figures in words."""
    games = int(figures[: DRAWN_GAMES + 1].sum())
    what = ""
    if decks:
        what = f", decks of {', '.join(decks['random'])}" if isinstance(decks, dict) else f", decks in {decks.name}"
    if figures[FAULT]:
        return f"{game.name}{what}: {FAULTS[int(figures[FAULT])]}, seed {figures[FAULT_SEED]}, after {games} games"
    shares = ", ".join(f"{reason} {figures[REASON + i] / games:.3%}" for i, reason in enumerate(game.reasons) if i)
    won_0, won_1, drawn = (f"{figures[result] / games:.2%}" for result in (WON_0, WON_1, DRAWN_GAMES))
    return (
        f"{game.name}{what}: {games} random games, {figures[DECISIONS] / games:.2f} decisions a game "
        f"(longest {figures[LONGEST]}) in {figures[LENGTH] / games:.2f} rounds, "
        f"player_0 wins {won_0}, player_1 {won_1}, drawn {drawn}; ended by: {shares}; "
        f"most events of one action {figures[MOST_EVENTS]}, largest number {figures[LARGEST_NUMBER]}"
    )


def fingerprint(game: Game, games: int, rules: dict[str, Any] | None = None) -> str:
    """Hash of all states of some random games, of both seats' observations, and of a determinization for each."""
    digest, table, dice = hashlib.sha256(), game.table(rules), np.random.default_rng(1)
    view, copy = np.zeros(1, game.view_dtype).view(np.recarray), game.new_states(1)
    for seed in range(games):
        state = game.dealt(table, seed)
        while not state.over:
            digest.update(state.tobytes())
            for seat in range(2):
                observe(table, state, seat, view[0])
                copy[0] = state
                determinize(table, copy[0], seat, np.uint64(seed))
                digest.update(view.tobytes() + copy.tobytes())
            apply(table, state, int(dice.choice(game.legal_actions(table, state))))
        digest.update(state.tobytes())
    return digest.hexdigest()


def main() -> None:
    from conftest import ALL_GAMES, game_called

    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for name in ALL_GAMES:
        game = game_called(name)
        for decks in DECKS.get(name, (None,)):
            sys.stdout.write(summary(game, figures_of(game, games, decks=decks), decks) + "\n")


if __name__ == "__main__":
    main()
