"""Tarot Duel in words: actions, refusals, the table as a seat sees it, and what happened."""

from typing import Any

import numpy as np

from duelbench.envs.dispatch import DRAWN
from duelbench.envs.records import blank
from duelbench.envs.tarot_duel.card_text import card_text
from duelbench.envs.tarot_duel.cards import (
    CARDS,
    EMPEROR,
    HIEROPHANT,
    MAGICIAN,
    MOON,
    NO_CARD,
    NUM_CARDS,
    SUN,
    TEMPERANCE,
)
from duelbench.envs.tarot_duel.encoding import VIEW, observe
from duelbench.envs.tarot_duel.state import (
    AS_HIGHEST,
    AS_LOWEST,
    DECISIONS,
    DECK,
    DISCARD,
    DISCARD_CARD,
    DISCARD_HIGHEST,
    DISCARD_LOWEST,
    DISCARD_MOON,
    DISCARD_SUN,
    EVENT_IDS,
    EXCHANGE,
    FIELD,
    HAND,
    KEEP_ORDER,
    LEAVE_IT,
    NEGATE,
    NEGATE_CARD,
    NEGATE_NOTHING,
    PLAY_CARD,
    REASONS,
    RETURN,
    SET,
    SPARE,
    SWAP,
    TAKE,
    TAKE_BACK,
    TAKE_CARD,
    WAITING,
)

_PLACES = {
    DECK: "in the deck",
    HAND: "in player_0's hand",
    HAND + 1: "in player_1's hand",
    FIELD: "on player_0's field",
    FIELD + 1: "on player_1's field",
    WAITING: "waiting before player_0",
    WAITING + 1: "waiting before player_1",
    DISCARD: "among the discards",
    SPARE: "out of play",
}

_CARD_ACTIONS = (
    (PLAY_CARD, SET, "play {}"),
    (NEGATE_CARD, NEGATE, "cancel {}"),
    (TAKE_CARD, TAKE, "take {}"),
    (DISCARD_CARD, DISCARD_SUN, "discard {}"),
)
_OTHER_ACTIONS = {
    NEGATE_NOTHING: (NEGATE, "cancel nothing"),
    KEEP_ORDER: (SWAP, "keep the order"),
    EXCHANGE: (SWAP, "exchange the top two cards"),
    DISCARD_HIGHEST: (DISCARD_MOON, "discard the highest card"),
    DISCARD_LOWEST: (DISCARD_MOON, "discard the lowest card"),
    LEAVE_IT: (RETURN, "let {temperance} go"),
    TAKE_BACK: (RETURN, "take {temperance} back"),
}
_QUESTIONS = {
    SET: "which card to play",
    NEGATE: "what {magician} cancels",
    TAKE: "what {hierophant} takes",
    SWAP: "the order of the top two cards",
    DISCARD_MOON: "what to give away to {moon}",
    DISCARD_SUN: "what to discard for {sun}",
    RETURN: "whether {temperance} returns",
}
_NAMED_FOR_EFFECT = {"magician": MAGICIAN, "hierophant": HIEROPHANT, "moon": MOON, "sun": SUN, "temperance": TEMPERANCE}


def _carrier(table: np.record, effect: int) -> str:
    """The name of the card that carries an effect; of the one on which it is printed if none does."""
    card = int(table.holder[effect])
    return CARDS[effect if card == NO_CARD else card].name


def _with_carriers(table: np.record, phrase: str) -> str:
    """The phrase with the names of cards, as within a sentence, for their effects."""
    names = {name: _carrier(table, effect) for name, effect in _NAMED_FOR_EFFECT.items()}
    return phrase.format(**{name: text.replace("The ", "the ", 1) for name, text in names.items()})


def _meaning(table: np.record, action: int) -> tuple[int, str, int]:
    """The phase to which an action belongs, its name, and its card (NO_CARD if it names none)."""
    if action in _OTHER_ACTIONS:
        phase, phrase = _OTHER_ACTIONS[action]
        return phase, phrase.format(temperance=_carrier(table, TEMPERANCE)), NO_CARD
    first, phase, phrase = _CARD_ACTIONS[action // NUM_CARDS]
    card = action - first
    return phase, phrase.format(CARDS[card].name), card


def action_name(table: np.record, game: np.record, action: int) -> str:
    return _meaning(table, action)[1]


def played_card(table: np.record, game: np.record, action: int) -> int:
    """The card that the action sets face down; -1 for every other action."""
    card = action - PLAY_CARD
    return card if 0 <= card < NUM_CARDS else -1


def why_illegal(table: np.record, game: np.record, action: int) -> str:
    """Why a face refuses the action. Places that the seat to act cannot see are not given away."""
    phase, _, card = _meaning(table, action)
    if game.phase != phase:
        return f"the decision now is {_question(table, game)}"
    zone = int(game.zone[card])
    if zone in (DECK, HAND + 1 - int(game.to_act)):
        return f"{CARDS[card].name} is not to be had"
    if phase == NEGATE and zone in (FIELD, FIELD + 1, WAITING, WAITING + 1):
        return f"{CARDS[card].name} cannot be cancelled there"
    return f"{CARDS[card].name} is {_PLACES[zone]}"


def _question(table: np.record, game: np.record) -> str:
    return _with_carriers(table, _QUESTIONS[int(game.phase)])


def decision_kind(game: np.record) -> str:
    return DECISIONS[int(game.phase)]


def _names(table: np.record, cards: list[int]) -> str:
    return ", ".join(f"{CARDS[card].name} ({table.cards[card].number})" for card in cards) or "none"


def _cards_in(game: np.record, zone: int) -> list[int]:
    return [card for card in range(NUM_CARDS) if game.zone[card] == zone]


def _deck_from_top(game: np.record) -> list[int]:
    return [int(game.deck[i]) for i in range(int(game.deck_size) - 1, -1, -1)]


def describe(table: np.record, game: np.record, seat: int | None) -> str:
    """The table as `seat` sees it; with everything open for None."""
    lines = [f"Turn {game.turn}, {game.turns_left} left. Wins {game.wins[0]} : {game.wins[1]}."]
    for of in range(2):
        lines.append(f"player_{of}{' (draws first)' if game.first == of else ''}")
        lines.append(f"  hand     {_hand(table, game, of, seat)}")
        if game.chosen[of] != NO_CARD:
            lines.append(
                f"  has set  {_names(table, [int(game.chosen[of])]) if seat in (of, None) else 'a card, face down'}"
            )
        lines.append(f"  field    {_names(table, _cards_in(game, FIELD + of))}")
        lines.append(f"  waiting  {_names(table, _cards_in(game, WAITING + of))}")
    lines.append(f"deck       {_deck(table, game, seat)}")
    lines.append(f"discards   {_names(table, _cards_in(game, DISCARD))}")
    lines.append(f"spare      {_names(table, _cards_in(game, SPARE))}")
    lines += _changed_cards(table)
    lines.append(_status(table, game))
    return "\n".join(lines)


def _changed_cards(table: np.record) -> list[str]:
    """A line for each card that is not as printed, so that whoever plays knows it."""
    lines = []
    for number, card in enumerate(CARDS):
        facts = table.cards[number]
        if (facts.number, facts.effect, facts.amount) != (card.number, card.effect, card.amount):
            text = card_text(int(facts.effect), int(facts.amount)) or "No effect."
            lines.append(f"changed    {_names(table, [number])}: {text}")
    return lines


def _status(table: np.record, game: np.record) -> str:
    if not game.over:
        return f"player_{game.to_act} decides {_question(table, game)}."
    result = "The game is drawn" if game.winner == DRAWN else f"player_{game.winner} wins"
    return f"{result} ({REASONS[int(game.reason)]})."


def _view(table: np.record, game: np.record, seat: int) -> np.record:
    view: np.record = blank(1, VIEW)[0]
    observe(table, game, seat, view)
    return view


def _hand(table: np.record, game: np.record, of: int, seat: int | None) -> str:
    held = _cards_in(game, HAND + of)
    if seat in (of, None):
        return _names(table, held)
    known = [int(card) for card in np.flatnonzero(_view(table, game, int(seat)).hand[1])]
    unseen = len(held) - len(known)
    parts = ([_names(table, known)] if known else []) + ([f"{unseen} unseen"] if unseen or not known else [])
    return ", ".join(parts)


def _deck(table: np.record, game: np.record, seat: int | None) -> str:
    size = int(game.deck_size)
    if seat is None:
        return f"{size} from the top: {_names(table, _deck_from_top(game))}"
    depth = _view(table, game, seat).depth
    seen = {card: i for i, card in enumerate(_deck_from_top(game)) if depth[card] > 0}
    places = ", ".join(f"{CARDS[card].name} at {i + 1}" for card, i in seen.items())
    return f"{size} cards" + (f"; from the top: {places}" if places else "")


def zones(game: np.record) -> dict[str, Any]:
    """Everything but the dice and what the seats know, cards by id; the deck from top to bottom."""

    def ids(cards: list[int]) -> list[str]:
        return [CARDS[card].id for card in cards]

    def id_or_none(card: int) -> str | None:
        return None if card == NO_CARD else CARDS[card].id

    return {
        "turn": int(game.turn),
        "turns_left": int(game.turns_left),
        "draws_first": int(game.first),
        "wins": [int(wins) for wins in game.wins],
        "decision": None if game.over else {"seat": int(game.to_act), "kind": decision_kind(game)},
        "hands": [ids(_cards_in(game, HAND + seat)) for seat in range(2)],
        "set": [id_or_none(int(card)) for card in game.chosen],
        "field": [ids(_cards_in(game, FIELD + seat)) for seat in range(2)],
        "waiting": [ids(_cards_in(game, WAITING + seat)) for seat in range(2)],
        "deck": ids(_deck_from_top(game)),
        "deck_open": bool(game.tower_open),
        "discards": ids(_cards_in(game, DISCARD)),
        "spare": ids(_cards_in(game, SPARE)),
        "cancelled": id_or_none(int(game.negated)),
        "still_to_act": ids([int(c) for c in game.queue[game.queue_at : game.n_queue] if c != NO_CARD]),
        "bonus_wins": [int(bonus) for bonus in game.bonus],
        "result": None if not game.over else {"winner": int(game.winner), "reason": REASONS[int(game.reason)]},
    }


def event_data(event: np.void) -> dict[str, Any]:
    """An event as JSON data. `card` is left out where there is none; `seen_by` lists who sees card and value."""
    data: dict[str, Any] = {"kind": EVENT_IDS[int(event["kind"])], "seat": int(event["seat"])}
    if event["card"] != NO_CARD:
        data["card"] = CARDS[int(event["card"])].id
    data["value"] = int(event["value"])
    data["seen_by"] = [seat for seat in range(2) if event["seen_by"] >> seat & 1]
    return data


_SENTENCES = {
    "turn_begins": "Turn {value} begins.",
    "draws": "{who} draws {card}.",
    "sets": "{who} sets {card} face down.",
    "plays": "{who} reveals {card}.",
    "waiting_acts": "{card}, waiting before {who}, acts.",
    "acts": "{card} of {who} acts.",
    "wasted": "{card} finds nothing to do.",
    "negates": "{who}'s {magician} cancels {card}.",
    "declines": "{who} keeps {the_magician}.",
    "looks": "{who} looks at {card}.",
    "orders": "{who} leaves the top two cards as they are.",
    "takes": "{who} takes {card} from the discards.",
    "discards": "{card} is discarded.",
    "wheel": "The wheel favours {who}.",
    "buries": "{card} goes under the deck, place {place} from the bottom.",
    "deck_opens": "The deck lies open.",
    "deck_closes": "The deck is closed again.",
    "turn_won": "{who} wins the turn.",
    "turn_drawn": "The turn is drawn.",
    "wins_added": "{who} gains {wins}{through}.",
    "wins_blocked": "{emperor} keeps {who} from gaining {wins}{through}.",
    "waits": "{card} waits before {who}.",
    "returns": "{who} takes {card} back.",
    "leaves_play": "{card} is discarded.",
    "no_play": "No cards are played.",
    "turns_left": "Turns left: {value}.",
    "first_drawer": "{who} draws first.",
}


_SENTENCES_FOR_VALUES = {
    ("orders", 1): "{who} exchanges the top two cards.",
    ("discards", AS_HIGHEST): "{who} discards {card} as the highest card.",
    ("discards", AS_LOWEST): "{who} discards {card} as the lowest card.",
}

UNSEEN_EVENTS = {
    "draws": "{who} draws a card.",
    "sets": "{who} sets a card face down.",
    "looks": "{who} looks at a card.",
    "orders": "{who} leaves or exchanges the top two cards.",
    "buries": "A card goes under the deck.",
}
"""For a seat from which card and value are hidden."""


def event_text(table: np.record, event: np.void) -> str:
    """The event in a sentence, told with full knowledge."""
    kind, seat, card, value = EVENT_IDS[int(event["kind"])], int(event["seat"]), int(event["card"]), int(event["value"])
    if kind == "game_over":
        return "The game is drawn." if seat == DRAWN else f"player_{seat} wins the game."
    name = "" if card == NO_CARD else CARDS[card].name
    wins = "1 win" if value == 1 else f"{value} wins"
    sentence = _SENTENCES_FOR_VALUES.get((kind, value), _SENTENCES[kind])
    through = f" through {name}" if name else ""
    magician, emperor = _carrier(table, MAGICIAN), _carrier(table, EMPEROR)
    return sentence.format(
        who=f"player_{seat}",
        card=name,
        value=value,
        place=value + 1,
        wins=wins,
        through=through,
        magician=magician.removeprefix("The "),
        the_magician=magician.replace("The ", "the ", 1),
        emperor=emperor,
    )
