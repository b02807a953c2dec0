"""What the tests of hidden information must know of each game: where hidden things lie, and what shows of them.

A new game adds a class here, with the same functions, and its name to `PARTS`.
"""

from itertools import product
from typing import Any, ClassVar

import highcard
import numpy as np
from random_games import ROUND_AND_ROUND

from duelbench.envs.game import Game
from duelbench.envs.tarot_duel.state import DECK, FROM_THE_START, HAND, KNOWN
from duelbench.envs.tommy_walker import state as tommy
from duelbench.envs.tommy_walker.cards import NO_CARD
from duelbench.envs.wizard_in_training import state as wizard
from duelbench.envs.wizard_in_training.cards import NUM_ITEMS


class HighCardParts:
    public = ("played0", "played1")
    """What both seats see of `Game.zones`."""
    rare_pieces: tuple[str, ...] = ()
    """Of an observation; too seldom of interest for random positions, scenes of the game's own tests show them."""
    one_sided: ClassVar[dict[str, int]] = {}
    """Pieces that only one of the seats can be in the position to see, and which."""

    @staticmethod
    def seen(zones: dict[str, Any], observer: int) -> dict[str, Any]:
        """What the observer sees of the zones besides: his hand, sizes, and what else lies open at times."""
        return {"hand": zones[f"hand{observer}"], "sizes": [len(cards) for cards in zones.values()]}

    @staticmethod
    def key(state: np.record) -> tuple:
        """The part of a state that no seat sees as a whole, hashable."""
        return tuple(state.highcard_zone), int(state.face_down)

    @staticmethod
    def mixed(state: np.record, observer: int) -> bool:
        """Whether the observer must hold more than one lay of the other's cards possible."""
        return bool((state.highcard_zone == highcard.IN_HAND + 1 - observer).any())

    @staticmethod
    def choices(state: np.record) -> list[int]:
        """What seat 0 has chosen, as actions, while seat 1 has not been told of it."""
        return [] if state.face_down == highcard.NOTHING_SET else [int(state.face_down)]

    @staticmethod
    def put_choice(state: np.record, true: np.record) -> None:
        """Seat 0 has set the card that it has set in the true state."""
        state.face_down = true.face_down

    @staticmethod
    def unknown_card(state: np.record, observer: int) -> int | None:
        """A card of the other hand that the observer does not know, or None."""
        cards = np.flatnonzero(state.highcard_zone == highcard.IN_HAND + 1 - observer)
        return int(cards[0]) if len(cards) else None

    @staticmethod
    def move_own_card(state: np.record, observer: int) -> None:
        """A card of the observer's hand goes elsewhere."""
        state.highcard_zone[np.flatnonzero(state.highcard_zone == highcard.IN_HAND + observer)[:1]] = highcard.STOCK


class TarotParts:
    public = (
        "turn turns_left draws_first wins decision field waiting deck_open discards spare cancelled still_to_act "
        "bonus_wins result"
    ).split()
    rare_pieces = ("top_mixed", "spent")
    one_sided: ClassVar[dict[str, int]] = {"other_has_set": 1, "chosen": 0}

    @staticmethod
    def seen(zones: dict[str, Any], observer: int) -> dict[str, Any]:
        sizes = [len(zones["deck"]), *map(len, zones["hands"])]
        shown = {"deck": zones["deck"]} if zones["deck_open"] else {}
        return shown | {"hand": zones["hands"][observer], "sizes": sizes, "set": zones["set"][observer]}

    @staticmethod
    def key(state: np.record) -> tuple:
        return tuple(state.zone), tuple(state.deck), tuple(state.chosen)

    @staticmethod
    def mixed(state: np.record, observer: int) -> bool:
        unseen = state.zone[state.label[observer] == FROM_THE_START]
        return bool((unseen == DECK).any() and (unseen != DECK).any() and not state.bounded[observer])

    @staticmethod
    def choices(state: np.record) -> list[int]:
        return [int(state.chosen[0])] if state.chosen[0] < len(state.zone) else []

    @staticmethod
    def put_choice(state: np.record, true: np.record) -> None:
        state.chosen[0] = true.chosen[0]

    @staticmethod
    def unknown_card(state: np.record, observer: int) -> int | None:
        cards = np.flatnonzero((state.zone == HAND + 1 - observer) & (state.label[observer] != KNOWN))
        return int(cards[0]) if len(cards) else None

    @staticmethod
    def move_own_card(state: np.record, observer: int) -> None:
        state.zone[np.flatnonzero(state.zone == HAND + observer)[:1]] = DECK


class TommyParts:
    public = (
        "round decision stacks barrier discards rode own_power copied_power copy_last paid round_winner entry_of "
        "copying returns_left announced owed result"
    ).split()
    rare_pieces = ("copied_power", "copy_last")  # the cards clash at once
    one_sided: ClassVar[dict[str, int]] = {}

    @staticmethod
    def seen(zones: dict[str, Any], observer: int) -> dict[str, Any]:
        other = 1 - observer
        drawing = zones["decision"] is not None and zones["decision"]["kind"] == "draw_or_set"
        secret = zones["drawn"][other] if drawing else 0
        return {
            "hand": zones["hands"][observer],
            "set": zones["set"][observer],
            "drawn": [zones["drawn"][observer], zones["drawn"][other] - secret],
            "own deck": len(zones["decks"][observer]),
            "other's sizes": [len(zones["hands"][other]) - secret, len(zones["decks"][other]) + secret],
        }

    @staticmethod
    def key(state: np.record) -> tuple:
        decks = tuple(tuple(state.deck[seat, : state.deck_size[seat]]) for seat in range(2))
        return decks, tuple(state.hand.ravel()), tuple(state.drawn), tuple(state.chosen)

    @staticmethod
    def mixed(state: np.record, observer: int) -> bool:
        other = 1 - observer
        return state.returned[other] == 0 and len(set(state.deck[other, : state.deck_size[other]].tolist())) > 1

    @staticmethod
    def choices(state: np.record) -> list[int]:
        if state.phase != tommy.DRAWING or state.to_act == 0:
            return []
        card = int(state.chosen[0])
        return [tommy.DRAW] * int(state.drawn[0]) + [tommy.SET_CARD + card] * (card != NO_CARD)

    @staticmethod
    def put_choice(state: np.record, true: np.record) -> None:
        state.chosen[0] = true.chosen[0]

    @staticmethod
    def unknown_card(state: np.record, observer: int) -> int | None:
        left = np.array(state.hand[1 - observer])
        for card in state.token_card[1 - observer]:
            if card != NO_CARD:
                left[card] -= 1
        cards = np.flatnonzero(left > 0)
        return int(cards[0]) if len(cards) else None

    @staticmethod
    def move_own_card(state: np.record, observer: int) -> None:
        cards = np.flatnonzero(state.hand[observer])[:1]
        state.hand[observer, cards] -= 1
        state.hand_size[observer] -= len(cards)


class WizardParts:
    public = (
        "turn turn_of decision mains discards fields being_cast used_spells held level earned placed waste gained lots "
        "fought duels changes mode owed stolen to_give_up fighters result"
    ).split()
    rare_pieces: tuple[str, ...] = ()
    one_sided: ClassVar[dict[str, int]] = {}

    @staticmethod
    def seen(zones: dict[str, Any], observer: int) -> dict[str, Any]:
        other = 1 - observer
        return {
            "hand": zones["hands"][observer],
            "own items": [zones[place][observer] for place in ("pools", "worn")],
            "other's items": sorted(zones["pools"][other] + zones["worn"][other]),  # which are worn may lie face down
            "sizes": [len(zones[place][seat]) for place in ("hands", "decks", "pools", "worn") for seat in range(2)],
        }

    @staticmethod
    def key(state: np.record) -> tuple:
        """Hands and lots; the orders of the decks are looked at by the game's own tests."""
        return tuple(state.zone.ravel())

    @staticmethod
    def mixed(state: np.record, observer: int) -> bool:
        """Whether the last card that the other has drawn can be another one."""
        other = 1 - observer
        size = int(state.hand_size[other])
        if size == 0:
            return False
        unseen = (state.zone[other] == wizard.DECK) | (state.zone[other] == wizard.HAND)
        may_be = unseen & (state.since[other] <= state.drawn_at[other, size - 1])
        if state.kept[other] == size:
            may_be &= state.lists[other] >= NUM_ITEMS
        return int(may_be.sum()) > size

    @staticmethod
    def choices(state: np.record) -> list[int]:
        return []

    @staticmethod
    def put_choice(state: np.record, true: np.record) -> None:
        """No two choices are made at the same time."""

    @staticmethod
    def unknown_card(state: np.record, observer: int) -> int | None:
        slots = np.flatnonzero(state.zone[1 - observer] == wizard.HAND)
        return int(state.lists[1 - observer, slots[0]]) if len(slots) else None

    @staticmethod
    def move_own_card(state: np.record, observer: int) -> None:
        state.zone[observer, np.flatnonzero(state.zone[observer] == wizard.HAND)[:1]] = wizard.DECK


PARTS = {
    "highcard": HighCardParts,
    "tarot_duel": TarotParts,
    "tommy_walker": TommyParts,
    "wizard_in_training": WizardParts,
}

ONE_AFTER_THE_OTHER = ("wizard_in_training",)
"""Games in which no two choices are made at the same time, so that there is nothing to take back."""

DECKS = {"tommy_walker": (None, {"random": ROUND_AND_ROUND})}
"""By game: the decks that random positions are taken from; other games have no decks."""


def variants(game: Game) -> list[tuple[dict[str, Any], Any]]:
    """(rules, decks) to look at: the default rules, and every option at its last value, with all of its decks."""
    last = {option.name: option.values[-1] for option in game.options}
    return list(product(({}, last), DECKS.get(game.name, (None,))))
