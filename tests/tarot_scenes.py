"""Tarot Duel positions laid by hand.

    s = scene(hands=(["The Moon", 3], ["sun", "the_star"]), deck=["The World"], wins=(1, 0))
    events = play(s, "play The Moon", "play The Sun", "discard the highest card")
    place(s, "The Moon"), names_in(s, DISCARD), s.state.wins, s.table

A card is its number or its name, in any case, with or without "The", with blanks or underscores. Cards that are
named nowhere are spare. A scene begins when both seats have drawn and have to set a card (or, where one of them
has none, after all that follows from it); with `before_draw` it begins with the draws of the turn.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from duelbench.envs.patches import Patches
from duelbench.envs.registry import load_game
from duelbench.envs.tarot_duel import rules as tarot
from duelbench.envs.tarot_duel.cards import CARDS, NO_CARD, NUM_CARDS, TOWER
from duelbench.envs.tarot_duel.state import DECK, DISCARD, FROM_THE_START, HAND, KNOWN, SPARE, WAITING

GAME = load_game("tarot_duel")
Card = int | str


class Scene(NamedTuple):
    table: np.record
    state: np.record


def _plain(name: str) -> str:
    return name.replace("_", " ").casefold().removeprefix("the ")


_BY_NAME = {_plain(card.name): number for number, card in enumerate(CARDS)}


def card(name: Card) -> int:
    """The card of that number or name; KeyError for an unknown one."""
    return _BY_NAME[_plain(name)] if isinstance(name, str) else int(name)


def scene(
    hands: tuple[Sequence[Card], Sequence[Card]] = ((), ()),
    deck: Sequence[Card] = (),
    discards: Iterable[Card] = (),
    waiting: tuple[Iterable[Card], Iterable[Card]] = ((), ()),
    wins: tuple[int, int] = (0, 0),
    turns_left: int = 5,
    first: int = 0,
    turn: int = 1,
    seed: int = 0,
    seen: tuple[Iterable[Card], Iterable[Card]] = ((), ()),
    before_draw: bool = False,
    rules: Mapping[str, Any] | None = None,
    cards: Patches | None = None,
) -> Scene:
    """Lay out a position; `deck` from the top, `first` the seat that draws first, `seed` of the game's dice.

    Each seat knows its hand, what lies open, and the cards in `seen[seat]` (of the deck or of the other hand, which
    then knows it too). The places of all other cards are mixed for it, as after the opening shuffle. A waiting Tower
    opens the deck. `cards` says what is changed about cards. Raises ValueError when a card is named twice.
    """
    table, state = GAME.table(rules, cards=cards), GAME.new_state()
    tarot.clear(state)
    state.rng, state.first, state.turn, state.turns_left, state.wins[:] = seed, first, turn, turns_left, wins
    state.zone[:] = SPARE
    places = {
        HAND: hands[0],
        HAND + 1: hands[1],
        WAITING: waiting[0],
        WAITING + 1: waiting[1],
        DISCARD: discards,
        DECK: deck,
    }
    laid = [(card(name), zone) for zone, names in places.items() for name in names]
    if len({number for number, _ in laid}) != len(laid):
        raise ValueError("a card is named twice")
    for number, zone in laid:
        state.zone[number] = zone
    state.deck[:] = NO_CARD
    state.deck_size = len(deck)
    state.deck[: len(deck)] = [card(name) for name in reversed(deck)]
    state.tower_open = state.zone[TOWER] in (WAITING, WAITING + 1)
    _know(state, [{card(name) for name in names} for names in seen])
    tarot.clear_turn(state)
    if before_draw:
        state.turn -= 1
        state.phase = tarot.BEGINNING
    else:
        tarot.ask_for_cards(table, state)
    tarot.run_on(table, state)
    return Scene(table, state)


def _know(state: np.record, seen: list[set[int]]) -> None:
    for seat in range(2):
        for number in range(NUM_CARDS):
            zone = state.zone[number]
            unseen = (zone == DECK and not state.tower_open) or zone == HAND + 1 - seat
            state.label[seat, number] = FROM_THE_START if unseen and number not in seen[seat] else KNOWN
            state.shown[seat, number] = state.label[seat, number] if zone == HAND + 1 - seat else KNOWN


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


def place(scene: Scene, name: Card) -> int:
    """Where the card is: a place (DECK, HAND + seat, ...) of duelbench.envs.tarot_duel.state."""
    return int(scene.state.zone[card(name)])


def names_in(scene: Scene, zone: int) -> list[str]:
    """The cards of a place: the deck from the top, any other place in the order of the cards."""
    if zone == DECK:
        return [CARDS[scene.state.deck[i]].name for i in range(int(scene.state.deck_size) - 1, -1, -1)]
    return [facts.name for number, facts in enumerate(CARDS) if scene.state.zone[number] == zone]
