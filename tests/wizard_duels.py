"""Duels of Wizard in Training laid by hand, on top of `wizard_scenes`: what each side has, and more ways to look at it.

s = duel(side(field="ant", pool="sword"), side(hand="bee hum"), cards={"ant": fighter(5, 3), "bee": fighter(2, 4)})
play(s, "attack ant", "equip sword", "block bee")
at(s, 0, "ant"), values(s, 0), standing(s, 0)
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from wizard_scenes import DUEL, GAME, Facts, Happened, Scene, character, main, scene, total

from duelbench.envs import dispatch
from duelbench.envs.wizard_in_training import state as layout
from duelbench.envs.wizard_in_training.duels import attack_value, defend_value

ZONES = "deck hand pool field discard cast used held worn".split()
ALL_TAGS = ("weapon", "armour")


class Side(NamedTuple):
    """What a player has, as `scene` takes it for one seat; cards are words with blanks between."""

    hand: list[str]
    pool: list[str]
    field: list[str]
    discard: list[str]
    used: list[str]
    deck: list[str]
    fought: list[str]
    main: tuple[int, int]
    level: int
    earned: int
    waste: int
    rest: int


def side(
    hand: str = "hum",
    pool: str = "",
    field: str = "",
    discard: str = "",
    used: str = "",
    deck: str = "page",
    fought: str = "",
    main: tuple[int, int] = (1, 1),
    level: int = 1,
    earned: int = 0,
    waste: int = 0,
    rest: int = layout.DECK,
) -> Side:
    """By default there is a spell in the hand and a character in the deck: without them, players are not asked."""
    zones = [words.split() for words in (hand, pool, field, discard, used, deck, fought)]
    return Side(*zones, main, level, earned, waste, rest)


def fighter(attack: int, defend: int, level: int = 1) -> Facts:
    """A character that wears every weapon and armour."""
    return character(attack, defend, level, ALL_TAGS)


def duel(
    mine: Side,
    theirs: Side,
    cards: Mapping[str, Facts] | None = None,
    me: int = 0,
    at: int = DUEL,
    rules: Mapping[str, Any] | None = None,
    **laid: Any,
) -> Scene:
    """A scene in the turn of seat `me`, by default with its Duel phase; `mine` is what that seat has."""
    seats = by_seat(me, mine, theirs)
    pairs = {name: (getattr(seats[0], name), getattr(seats[1], name)) for name in Side._fields if name != "main"}
    mains = {f"main {seat}": main(*seats[seat].main) for seat in range(2)}
    return scene(at, me, mains=("main 0", "main 1"), cards={**mains, **(cards or {})}, rules=rules, **{**pairs, **laid})


def by_seat(me: int, mine: Any, theirs: Any) -> tuple[Any, Any]:
    """A pair for both seats in which `mine` is that of `me`."""
    return (mine, theirs) if me == 0 else (theirs, mine)


def at(s: Scene, seat: int, *names: str) -> str:
    """Where the seat's cards of these names are, one word for each name."""
    return " ".join(_zone_of(s, seat, name) for name in names)


def _zone_of(s: Scene, seat: int, name: str) -> str:
    (slot,) = np.flatnonzero(s.state.lists[seat] == s.numbers[name])
    return ZONES[int(s.state.zone[seat, slot])]


def values(s: Scene, seat: int) -> tuple[int, int]:
    """Attack and defend of the seat's fighter, in a duel whose fighters are both named."""
    return int(attack_value(s.table, s.state, seat)), int(defend_value(s.table, s.state, seat))


def standing(s: Scene, seat: int) -> tuple[int, int, int]:
    """Level, counter and total of the seat."""
    return int(s.state.level[seat]), int(s.state.earned[seat]), total(s, seat)


def told(s: Scene, seat: int) -> int:
    """The code of what the last action let the seat learn of the other's choices."""
    return int(s.state.told[seat])


def seen(s: Scene, seat: int) -> bytes:
    """All that a seat is shown as numbers."""
    return GAME.observation(s.table, s.state, seat).tobytes()


def shuffles(s: Scene) -> tuple[int, int]:
    """How often cards have come back to each seat's deck."""
    return int(s.state.shuffles[0]), int(s.state.shuffles[1])


def brief(happened: list[Happened], *wanted: str) -> list[tuple[Any, ...]]:
    """Kind, seat, and card or else value of the events of these kinds."""
    assert set(wanted) <= set(layout.EVENT_IDS), wanted
    return [(e.kind, e.seat, e.card or e.value) for e in happened if e.kind in wanted]


def worlds(s: Scene, observer: int, count: int) -> list[Scene]:
    """Determinizations of the scene's state."""
    states = GAME.new_states(count)
    states[:] = s.state
    for seed in range(count):
        dispatch.determinize(s.table, states[seed], observer, np.uint64(seed))
    return [s._replace(state=states[seed]) for seed in range(count)]
