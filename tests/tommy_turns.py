"""Short ways to play and to read rounds of Tommy Walker TGC in tests."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from tommy_scenes import GAME, Cards, Scene, card, names_of, play, scene

from duelbench.envs import dispatch
from duelbench.envs.tommy_walker.cards import CARDS
from duelbench.envs.tommy_walker.encoding import PER_COPY, VIEW

Event = dict[str, Any]


def by_seat(seat: int, mine: Any, theirs: Any) -> tuple[Any, Any]:
    """A pair for both seats in which `mine` is that of `seat`."""
    return (mine, theirs) if seat == 0 else (theirs, mine)


def name_of(key: str) -> str:
    """The name of the card with that id or name."""
    return CARDS[card(key)].name


def revealed(first: str, second: str, hands: tuple[Cards, Cards] = ((), ()), **laid: Any) -> tuple[Scene, list[Event]]:
    """A scene in which player_0 has set `first` and player_1 `second`, holding `hands` besides, and what happened."""
    s = scene(hands=([first, *hands[0]], [second, *hands[1]]), **laid)
    return s, play(s, f"set {name_of(first)}", f"set {name_of(second)}")


def copied(s: Scene) -> Scene:
    """The same position once more, to be played on by itself."""
    return Scene(s.table, s.state.copy())


def asked(s: Scene) -> tuple[int, str]:
    """The seat that has to decide, and what kind of decision it is."""
    return int(s.state.to_act), GAME.decision_kind(s.state)


def result(s: Scene) -> tuple[int, str]:
    """The winner of the game (-1: drawn) and why it ended."""
    assert s.state.over
    return int(s.state.winner), GAME.reasons[int(s.state.reason)]


def round_number(s: Scene) -> int:
    return int(s.state.round_number)


def sizes(s: Scene) -> tuple[int, int, int, int]:
    """Cards in the decks of both seats and in their hands."""
    decks, hands = s.state.deck_size, s.state.hand_size
    return int(decks[0]), int(decks[1]), int(hands[0]), int(hands[1])


def powers(s: Scene) -> tuple[int, int]:
    return s.power(0), s.power(1)


def last_events(s: Scene) -> list[Event]:
    """What the last action, or the laying of the scene, has caused."""
    return [GAME.event_data(event) for event in GAME.events(s.state)]


def of_kind(events: list[Event], *kinds: str) -> list[Event]:
    return [event for event in events if event["kind"] in kinds]


def kinds_of(events: list[Event]) -> list[str]:
    return [event["kind"] for event in events]


def cards_of(events: list[Event], kind: str) -> list[str]:
    """The ids of the cards in the events of that kind, in order."""
    return [event["card"] for event in events if event["kind"] == kind]


def round_won(events: list[Event]) -> tuple[int, int] | None:
    """Who won the first round told of in `events` and the damage; None if nobody did."""
    for event in of_kind(events, "round_won"):
        return event["seat"], event["value"]
    return None


def seen(s: Scene, seat: int) -> tuple[bytes, str]:
    """All that a seat is shown, as numbers and in words."""
    return GAME.observation(s.table, s.state, seat).tobytes(), GAME.describe(s.table, s.state, seat)


def view(s: Scene, seat: int) -> np.record:
    """The observation with named pieces."""
    record: np.record = GAME.observation(s.table, s.state, seat).view(VIEW).view(np.recarray)[0]
    return record


def on_plane(plane: np.ndarray) -> list[str]:
    """The cards of a plane that holds copies, in the order of the cards."""
    return names_of(np.rint(np.asarray(plane) / PER_COPY).astype(np.int64))


def worlds(s: Scene, observer: int, count: int = 300) -> list[Scene]:
    """Determinizations of the scene's state."""
    states = GAME.new_states(count)
    states[:] = s.state
    for seed in range(count):
        dispatch.determinize(s.table, states[seed], observer, np.uint64(seed))
    return [Scene(s.table, states[seed]) for seed in range(count)]


def lays(s: Scene, observer: int, count: int = 300) -> Counter[tuple[tuple[str, ...], tuple[str, ...]]]:
    """How often each lay of the other seat's hand and deck (from the top) is drawn."""
    other = 1 - observer
    return Counter((tuple(w.hand(other)), tuple(w.deck(other))) for w in worlds(s, observer, count))


def random_plays(games: int, rules: dict[str, Any] | None = None) -> Iterator[Scene]:
    """Every state of some random games with random decks, each after the deal or after an action."""
    table, rng = GAME.table(rules), np.random.default_rng(7)
    for seed in range(games):
        state = GAME.dealt(table, seed)
        yield Scene(table, state)
        while not state.over:
            GAME.play(table, state, int(rng.choice(GAME.legal_actions(table, state))))
            yield Scene(table, state)
