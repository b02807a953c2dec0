"""Tommy Walker positions laid by hand.

    s = scene(hands=(["Amina", "Iska"], ["Ralph"]), decks=(["Ren", "Amon"], ["Maria"]))       # the draw phase
    events = play(s, "draw a card", "set Amina", "set Ralph")
    s = scene(attack=(["Iska", "Premiere"], ["Ralph"]), hands=(["Renjo"], []))                # the attack phase
    s.power(0), s.hand(0), s.discards(1), s.deck(0), s.state, s.table

A card is its id or its name, in any case. Decks are given from the top; a deck that is not given has ten cards of
Molat Hero, so that games do not end before the scene does. A deck list is whatever the scene holds.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from duelbench.envs.registry import load_game
from duelbench.envs.tommy_walker import rules as tommy
from duelbench.envs.tommy_walker.cards import CARDS, NO_CARD, NUM_CARDS
from duelbench.envs.tommy_walker.knowledge import add_token
from duelbench.envs.tommy_walker.power import power
from duelbench.envs.tommy_walker.state import AT_RIDE, BEGINNING, COMPARING

GAME = load_game("tommy_walker")
Cards = Sequence[str]
ENOUGH = ("molat_hero",) * 10


class Scene(NamedTuple):
    table: np.record
    state: np.record

    def power(self, seat: int) -> int:
        return int(power(self.table, self.state, seat))

    def hand(self, seat: int) -> list[str]:
        """The names of the seat's hand in the order of the cards."""
        return names_of(self.state.hand[seat])

    def discards(self, seat: int) -> list[str]:
        """The names of the seat's discards in the order of the cards."""
        return names_of(self.state.discard[seat])

    def deck(self, seat: int) -> list[str]:
        """The names of the seat's deck from the top."""
        return [CARDS[self.state.deck[seat, i]].name for i in range(int(self.state.deck_size[seat]) - 1, -1, -1)]

    def stack(self, seat: int) -> list[str]:
        """The names of the seat's attack stack, the attack card last."""
        return [CARDS[self.state.stack[seat, i]].name for i in range(int(self.state.stack_size[seat]))]

    def barrier(self) -> tuple[str, int] | None:
        """The barrier and who put it down."""
        return None if self.state.barrier == NO_CARD else (CARDS[self.state.barrier].name, int(self.state.barrier_seat))


_BY_NAME = {key.casefold(): number for number, facts in enumerate(CARDS) for key in (facts.id, facts.name)}


def card(name: str) -> int:
    """The card of that id or name; KeyError for an unknown one."""
    return _BY_NAME[name.casefold()]


def names_of(counts: np.ndarray) -> list[str]:
    return [CARDS[number].name for number in range(NUM_CARDS) for _ in range(int(counts[number]))]


def scene(
    hands: tuple[Cards, Cards] = ((), ()),
    decks: tuple[Cards | None, Cards | None] = (None, None),
    discards: tuple[Cards, Cards] = ((), ()),
    attack: tuple[Cards, Cards] | None = None,
    barrier: tuple[str, int] | None = None,
    known: tuple[Cards, Cards] = ((), ()),
    round_number: int = 1,
    seed: int = 0,
    rules: Mapping[str, Any] | None = None,
    table: np.record | None = None,
) -> Scene:
    """Lay out a position and go on to the next decision.

    Without `attack` it begins with the draw phase of round `round_number`. With `attack`, the two attack stacks from
    the lowest card to the attack card, it begins in the attack phase; who has more than one card there has ridden.
    `known[seat]` are cards of the seat's hand that the other has seen. `table` replaces the one made from `rules`.
    """
    table = GAME.table(rules) if table is None else table
    state = GAME.new_state()
    tommy.clear(state)
    state.rng, state.round_number = seed, round_number
    tommy.clear_round(state)
    for seat in range(2):
        lay(state, seat, hands[seat], ENOUGH if decks[seat] is None else decks[seat], discards[seat], known[seat])
    if barrier is not None:
        state.barrier, state.barrier_seat = card(barrier[0]), barrier[1]
        state.lists[barrier[1], card(barrier[0])] += 1
    if attack is None:
        state.round_number -= 1
        state.phase = BEGINNING
    else:
        for seat in range(2):
            stand(state, seat, attack[seat])
        state.entry_at, state.phase = AT_RIDE, COMPARING
    tommy.run_on(table, state)
    return Scene(table, state)


def lay(state: np.record, seat: int, hand: Cards, deck: Cards, discards: Cards, known: Cards) -> None:
    state.deck[seat] = NO_CARD
    state.deck_size[seat] = len(deck)
    state.deck[seat, : len(deck)] = [card(name) for name in reversed(deck)]
    for name in hand:
        state.hand[seat, card(name)] += 1
    for name in discards:
        state.discard[seat, card(name)] += 1
    for name in (*hand, *deck, *discards):
        state.lists[seat, card(name)] += 1
    state.hand_size[seat] = len(hand)
    seen = Counter(card(name) for name in known)
    for name in hand:
        seen[card(name)] -= 1
        add_token(state, seat, card(name) if seen[card(name)] >= 0 else NO_CARD)


def stand(state: np.record, seat: int, stack: Cards) -> None:
    state.stack[seat, : len(stack)] = [card(name) for name in stack]
    state.stack_size[seat] = len(stack)
    state.rode[seat] = len(stack) > 1
    for name in stack:
        state.lists[seat, card(name)] += 1


def patched(name: str, rules: Mapping[str, Any] | None = None, **columns: Any) -> np.record:
    """A table in which some numbers of a card's record are others, for instance patched("Ren", stars=9)."""
    table = GAME.table(rules)
    for column, value in columns.items():
        setattr(table.cards[card(name)], column, value)
    return table


def play(scene: Scene, *actions: str) -> list[dict[str, Any]]:
    """Carry out actions by name, each legal in its turn (BadInput otherwise); returns all that happened, in order.

    An event is the mapping of `Game.event_data`: kind, seat, card (its id), value, seen_by.
    """
    happened = []
    for action in actions:
        GAME.play(scene.table, scene.state, GAME.parse_action(scene.table, scene.state, action))
        happened += [GAME.event_data(event) for event in GAME.events(scene.state)]
    return happened


def legal_names(scene: Scene) -> list[str]:
    return [
        GAME.action_name(scene.table, scene.state, action) for action in GAME.legal_actions(scene.table, scene.state)
    ]
