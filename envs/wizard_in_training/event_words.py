"""What happens in Wizard in Training, event by event, as plain data and in sentences."""

from typing import Any

import numpy as np

from duelbench.envs.dispatch import DRAWN
from duelbench.envs.wizard_in_training.cards import CARDS, FIRST_MAIN, NO_CARD, POTION
from duelbench.envs.wizard_in_training.state import EVENT_IDS, LAST_LEVEL, REASONS
from duelbench.envs.wizard_in_training.words import count, teeth, words_of_mode


def event_data(event: np.void) -> dict[str, Any]:
    """An event as JSON data. `card` is left out where there is none; `seen_by` lists who sees card and value."""
    data: dict[str, Any] = {"kind": EVENT_IDS[int(event["kind"])], "seat": int(event["seat"])}
    if event["card"] != NO_CARD:
        data["card"] = CARDS[int(event["card"])].id
    data["value"] = int(event["value"])
    data["seen_by"] = [seat for seat in range(2) if event["seen_by"] >> seat & 1]
    return data


_SENTENCES = {
    "turn_begins": "Turn {value} begins, that of {who}.",
    "places": "{who} puts {card} into the pool ({teeth}).",
    "casts": "{who} casts {card}.",
    "takes_mode": "{who} takes the effect: {mode}.",
    "holds": "{who} holds {card} for the spell.",
    "countered": "{card} of {who} is countered.",
    "counters": "{who} counters with {card}.",
    "gains": "{who} gains {teeth}.",
    "pays": "{who} pays {teeth} with {card}.",
    "pays_teeth": "{who} pays {teeth} out of the counter.",
    "steals": "{who} has stolen {teeth}.",
    "destroyed": "{who} loses {card}.",
    "gives_up": "{who} discards {card} for the spell.",
    "draws": "{who} draws {card}.",
    "boosts": "{card} changes the duels to come: {mode}.",
    "item_back": "{card} goes back to the pool of {who}.",
    "attacks": "{who} attacks with {card}.",
    "blocks": "{who} blocks with {card}.",
    "equips": "{card} is worn by the fighter of {who}.",
    "reveals": "{who} turns up {card}.",
    "no_hit": "Neither fighter hits.",
    "double_hit": "Both fighters hit.",
    "wins": "{who} wins the duel with {card}.",
    "ties": "The duel is a tie.",
    "spends": "{who} has used up {card}.",
    "loses_item": "{who} loses {card} with the duel.",
    "dies": "{card} of {who} is destroyed.",
    "rises": "{who} rises to level {value}.",
    "falls": "{who} falls to level {value}.",
    "resets": "{who} begins again at 0 teeth, with {items} going back to the deck.",
    "recycles": "{who} shuffles {cards} of the discards into the deck.",
    "jumps": "The rest of the turn falls away.",
    "spells_leave": "{card} goes to the discards of {who}.",
    "discards": "{who} discards {card}.",
    "phase_spell": "The Spell phase begins.",
    "phase_duel": "The Duel phase begins.",
    "phase_redraw": "The Discard/Redraw phase begins.",
}
_SENTENCES_FOR_VALUES = {
    ("turn_begins", 127): "Another turn begins, that of {who}.",  # from here on the number grows no more
    ("rises", LAST_LEVEL + 1): "{who} rises from level 5.",
    ("falls", 0): "{who} falls from level 1.",
}
UNSEEN_EVENTS = {"draws": "{who} draws a card.", "equips": "{who} takes an item, face down."}
"""For the seat from which the card is hidden."""


def event_text(table: np.record, event: np.void) -> str:
    """The event in a sentence, told with full knowledge."""
    kind, seat, card, value = EVENT_IDS[int(event["kind"])], int(event["seat"]), int(event["card"]), int(event["value"])
    if kind == "game_over":
        result = "The game is drawn" if seat == DRAWN else f"player_{seat} wins the game"
        return f"{result} ({REASONS[value]})."
    return _sentence(table, kind, card, value).format(
        who=f"player_{seat}",
        card="" if card == NO_CARD else CARDS[card].name,
        value=value,
        teeth=teeth(value),
        items=count(value, "item"),
        cards=count(value, "card"),
        mode=words_of_mode(table, card, value) if kind in ("takes_mode", "boosts") else "",
    )


def _sentence(table: np.record, kind: str, card: int, value: int) -> str:
    if kind == "blocks" and card >= FIRST_MAIN:
        return "{who} defends with {card}."
    if kind == "equips" and table.cards[card].subtype == POTION:
        return "{card} is drunk by the fighter of {who}."
    return _SENTENCES_FOR_VALUES.get((kind, value), _SENTENCES[kind])
