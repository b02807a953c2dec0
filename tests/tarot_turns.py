"""Short ways to play and to read turns of Tarot Duel in tests."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from tarot_scenes import GAME, Card, Scene, card, legal_names, place, play

from duelbench.envs.tarot_duel.cards import CARDS

Event = dict[str, Any]


def turn(s: Scene, first: Card, second: Card, *answers: str) -> list[Event]:
    """player_0 plays `first`, player_1 `second`, then the answers to what is asked; returns all that happened."""
    return play(s, f"play {CARDS[card(first)].name}", f"play {CARDS[card(second)].name}", *answers)


def whole_turn(s: Scene, first: Card, second: Card, *answers: str) -> list[Event]:
    """As `turn`; what is asked beyond the answers cancels nothing, gives the lowest away and takes Temperance back."""
    number = int(s.state.turn)
    events = turn(s, first, second, *answers)
    while not s.state.over and s.state.turn == number:
        events += play(s, legal_names(s)[-1])
    return events


def last_events(s: Scene) -> list[Event]:
    """What the last action, or the laying of the scene, has caused."""
    return [GAME.event_data(event) for event in GAME.events(s.state)]


def described(s: Scene, seat: int) -> str:
    return GAME.describe(s.table, s.state, seat)


def of_kind(events: list[Event], *kinds: str) -> list[Event]:
    return [event for event in events if event["kind"] in kinds]


def cards_of(events: list[Event], kind: str) -> list[str]:
    """The ids of the cards in the events of that kind, in order."""
    return [event["card"] for event in events if event["kind"] == kind]


def result(events: list[Event]) -> int | None:
    """Who won the first turn told of in `events`: a seat, -1 for a drawn turn, None if it was not decided."""
    for event in of_kind(events, "turn_won", "turn_drawn"):
        return event["seat"] if event["kind"] == "turn_won" else -1
    return None


def wins(s: Scene) -> tuple[int, int]:
    return int(s.state.wins[0]), int(s.state.wins[1])


def turns_left(s: Scene) -> int:
    return int(s.state.turns_left)


def asked(s: Scene) -> tuple[int, str]:
    """The seat that has to decide, and what kind of decision it is."""
    return int(s.state.to_act), GAME.decision_kind(s.state)


def holds(s: Scene, zone: int, *names: Card) -> bool:
    return all(place(s, name) == zone for name in names)


def with_dice(s: Scene, actions: list[str], look: Callable[[Scene, list[Event]], Any], throws: int = 400) -> list[Any]:
    """What `look` sees after the actions, for many states of the game's dice from the same scene."""
    seen = []
    for dice in range(throws):
        copy = Scene(s.table, s.state.copy())
        copy.state.rng = np.uint64(dice * 0x9E3779B1)
        seen.append(look(copy, play(copy, *actions)))
    return seen


def shares(outcomes: list[Any]) -> dict[Any, float]:
    """How often each outcome occurred, as a share of all."""
    return {outcome: outcomes.count(outcome) / len(outcomes) for outcome in set(outcomes)}


def random_plays(games: int, rules: dict[str, Any] | None = None) -> Iterator[Scene]:
    """Every state of some random games, each after the deal or after an action."""
    table, rng = GAME.table(rules), np.random.default_rng(7)
    for seed in range(games):
        state = GAME.dealt(table, seed)
        yield Scene(table, state)
        while not state.over:
            GAME.play(table, state, int(rng.choice(GAME.legal_actions(table, state))))
            yield Scene(table, state)
