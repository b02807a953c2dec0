"""Tommy Walker TGC in words: actions, refusals, the table as a seat sees it, and what happened."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from duelbench.envs.dispatch import DRAWN, SECRET
from duelbench.envs.records import blank
from duelbench.envs.tommy_walker.cards import CARDS, NO_CARD, NO_LIMIT, NUM_CARDS, attribute_words
from duelbench.envs.tommy_walker.encoding import PER_COPY, VIEW, observe, returned_now
from duelbench.envs.tommy_walker.power import barrier_power, own_value_holds, power
from duelbench.envs.tommy_walker.state import (
    BY_ITSELF,
    COPY,
    DECISIONS,
    DECLINE,
    DISCARD_CARD,
    DRAW,
    DRAWING,
    END,
    ENTRY,
    EVENT_IDS,
    FETCH,
    LAY_BARRIER,
    MAX_PAID,
    NO_SEAT,
    PAY,
    PAYING,
    PUT_BACK,
    REASONS,
    RETURNING,
    REVENGE,
    RIDE,
    SET_CARD,
    TAKING_BACK,
    USE,
    USE_AT,
    shown_deck_size,
    shown_hand_size,
)

# --- Actions --------------------------------------------------------------------------------------------------

_CARD_ACTIONS = (
    (SET_CARD, "set {}"),
    (RIDE, "ride {}"),
    (LAY_BARRIER, "lay {} as the barrier"),
    (DISCARD_CARD, "discard {}"),
    (FETCH, "take {} from the discards"),
    (PUT_BACK, "put {} back"),
)


def _split(action: int) -> tuple[int, int]:
    """The kind of an action (its first number) and its card; of payments the number of cards stands there."""
    if action >= SET_CARD:
        kind, _ = _CARD_ACTIONS[(action - SET_CARD) // NUM_CARDS]
        return kind, action - kind
    return (PAY, action - PAY + 1) if action >= PAY else (action, NO_CARD)


def action_name(table: np.record, game: np.record, action: int) -> str:
    kind, number = _split(action)
    for first, phrase in _CARD_ACTIONS:
        if kind == first:
            return phrase.format(CARDS[number].name)
    if kind == USE:
        return _use_name(table, game)
    if kind == USE_AT:
        return f"use the AT{_in_brackets(_at_power(table, game, 1))}"
    if kind == PAY:
        return f"pay {_count(number, 'card')} for the AT{_in_brackets(_at_power(table, game, number))}"
    if kind == DECLINE:
        return _decline_name(game)
    return "draw a card" if kind == DRAW else "end"


def played_card(table: np.record, game: np.record, action: int) -> int:
    """The card that the action sets, rides with or lays as the barrier; -1 for every other action."""
    kind, card = _split(action)
    return card if kind in (SET_CARD, RIDE, LAY_BARRIER) else -1


def _use_name(table: np.record, game: np.record) -> str:
    verb = "copy" if game.copying else "use"
    if game.source == NO_CARD:
        return f"{verb} the entry"
    ability = table.cards[game.source]
    if ability.entry_on:
        return f"{verb} the entry ({ability.entry_power})"
    return f"{verb} the entry and {'take' if ability.fetch else 'return'} nothing"


def _decline_name(game: np.record) -> str:
    if game.phase == RETURNING:
        return "put no more back"
    if game.phase == TAKING_BACK:
        return f"leave {CARDS[_attack_card(game, int(game.to_act))].name}"
    return "do not copy it" if game.copying else "do not use it"


def _attack_card(game: np.record, seat: int) -> int:
    size = int(game.stack_size[seat])
    return int(game.stack[seat, size - 1]) if size else NO_CARD


def _at_power(table: np.record, game: np.record, count: int) -> int:
    """The power that the AT of the seat to act sets, paid with `count` more cards if it is paid for; 0 for none."""
    seat = int(game.to_act)
    card = _attack_card(game, seat)
    step = int(game.paid[seat]) + count
    return 0 if card == NO_CARD or step > MAX_PAID else int(table.cards[card].at_power[step - 1])


def _in_brackets(number: int) -> str:
    return f" ({number})" if number else ""


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number or 'no'} {thing}s"


# --- Refusals -------------------------------------------------------------------------------------------------

_OFFERED = {
    DRAWING: (DRAW, SET_CARD),
    ENTRY: (USE, DECLINE, FETCH, PUT_BACK),
    COPY: (USE, DECLINE, FETCH, PUT_BACK),
    RETURNING: (DECLINE, PUT_BACK),
    REVENGE: (END, USE_AT, PAY, RIDE, LAY_BARRIER),
    PAYING: (DISCARD_CARD,),
    TAKING_BACK: (DECLINE, DISCARD_CARD),
}
"""The kinds of action by decision."""


def decision_kind(game: np.record) -> str:
    return DECISIONS[int(game.phase)]


def _question(game: np.record) -> str:
    """What the seat to act has to decide."""
    questions = {
        DRAWING: "whether to draw or which card to set",
        RETURNING: "which card to put back",
        REVENGE: "how to take revenge",
        PAYING: f"which card to discard for the AT, {game.owed} of {game.announced} being owed",
    }
    if game.phase in questions:
        return questions[int(game.phase)]
    if game.phase == TAKING_BACK:
        return f"whether to take {CARDS[_attack_card(game, int(game.to_act))].name} back"
    return f"whether to {'copy' if game.copying else 'use'} the entry of {CARDS[int(game.source)].name}"


def why_illegal(table: np.record, game: np.record, action: int) -> str:
    """Why a face refuses the action; told from the own hand and from what lies open."""
    kind, number = _split(action)
    if kind not in _OFFERED[int(game.phase)]:
        return f"the decision now is {_question(game)}"
    if kind == DRAW:
        return "the deck is empty"
    if kind == USE:
        return "it would come to nothing: name a card, or leave it"
    if kind == USE_AT:
        return _why_no_at(table, game)
    if kind == PAY:
        return _why_no_payment(table, game, number)
    if kind == FETCH:
        return _why_not_fetched(table, game, number)
    if kind == PUT_BACK and not table.cards[game.source].returns:
        return f"the entry of {CARDS[int(game.source)].name} puts no cards back"
    if not game.hand[game.to_act, number]:
        return f"{CARDS[number].name} is not in the hand"
    return _why_held_back(table, game, kind, number)


def _why_no_at(table: np.record, game: np.record) -> str:
    seat = int(game.to_act)
    card = _attack_card(game, seat)
    ability, name = table.cards[card], CARDS[card].name
    if ability.at_discard:
        return f"the AT of {name} is paid for: say with how many cards"
    if not ability.at_power[0]:
        return f"{name} has no AT"
    if game.own_power[seat]:
        return f"the AT of {name} is in use already"
    if ability.at_hand != NO_LIMIT:
        return f"the AT of {name} asks for at most {_count(int(ability.at_hand), 'card')} in hand"
    if ability.at_enemy:
        return f"the AT of {name} asks for an enemy that is {_any_of(ability.at_enemy)}"
    return f"the AT of {name} asks for a covered card that is {_any_of(ability.at_cover)}"


def _why_no_payment(table: np.record, game: np.record, count: int) -> str:
    seat = int(game.to_act)
    card = _attack_card(game, seat)
    ability, name, paid = table.cards[card], CARDS[card].name, int(game.paid[seat])
    if not ability.at_discard:
        return f"{name} has no AT that is paid for with cards"
    if table.pay_once and paid:
        return f"the AT of {name} has been paid for already"
    if paid + count > MAX_PAID:
        return f"the AT of {name} takes {MAX_PAID} cards in all, and {paid} of them {_are(paid)} paid"
    return f"the hand does not hold {_count(count, 'card')} of the kind {_any_of(ability.at_discard)}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _any_of(bits: int) -> str:
    return " or ".join(attribute_words(int(bits)))


def _why_not_fetched(table: np.record, game: np.record, card: int) -> str:
    ability, source, name = table.cards[game.source], CARDS[int(game.source)].name, CARDS[card].name
    if not ability.fetch:
        return f"the entry of {source} takes no cards"
    if not table.cards[card].attributes & ability.fetch:
        return f"the entry of {source} takes a card that is {_any_of(ability.fetch)}, and {name} is not"
    return f"{name} is not among the discards of player_{game.to_act}"


def _why_held_back(table: np.record, game: np.record, kind: int, card: int) -> str:
    """Why a card that is in the hand will not do."""
    name = CARDS[card].name
    if kind == LAY_BARRIER:
        return f"{name} is no barrier"
    if kind == DISCARD_CARD:
        at = _attack_card(game, int(game.to_act))
        return f"the AT of {CARDS[at].name} is paid for with {_any_of(table.cards[at].at_discard)}, and {name} is not"
    only = f"{name} may enter by a ride only"
    return f"{only}, and the hand holds no other kind of card" if table.permit_misplay else only


# --- The table ------------------------------------------------------------------------------------------------


def _names(copies: Iterable[int]) -> str:
    """The cards of a collection, given as copies of each card."""
    parts = (_times(card, int(count)) for card, count in enumerate(copies) if count > 0)
    return ", ".join(parts) or "none"


def _times(card: int, count: int) -> str:
    return CARDS[card].name if count == 1 else f"{CARDS[card].name} x{count}"


def _in_order(cards: Iterable[int]) -> str:
    return ", ".join(CARDS[card].name for card in cards) or "none"


def _deck_from_top(game: np.record, seat: int) -> list[int]:
    return [int(game.deck[seat, i]) for i in range(int(game.deck_size[seat]) - 1, -1, -1)]


def _stack_from_top(game: np.record, seat: int) -> list[int]:
    return [int(game.stack[seat, i]) for i in range(int(game.stack_size[seat]) - 1, -1, -1)]


def _copies(plane: np.ndarray) -> list[int]:
    """Copies of each card from a plane of the observation."""
    return [round(float(entry) / PER_COPY) for entry in plane]


def describe(table: np.record, game: np.record, seat: int | None) -> str:
    """The table as `seat` sees it; with everything open for None."""
    view: np.record = blank(1, VIEW)[0]
    if seat is not None:
        observe(table, game, seat, view)
    lines = [f"Round {game.round_number} of at most {table.max_rounds}."]
    for of in range(2):
        lines.append(f"player_{of}")
        lines += _attack(table, game, of)
        lines += _own_cards(table, game, of, seat) if seat in (of, None) else _other_cards(table, game, of, view)
        lines.append(f"  discards  {_names(game.discard[of])}")
    lines.append(f"barrier     {_barrier(game)}")
    lines.append(_status(game))
    return "\n".join(lines)


def _attack(table: np.record, game: np.record, of: int) -> list[str]:
    if not game.stack_size[of]:
        return ["  attack    none"]
    card, *covered = _stack_from_top(game, of)
    facts = [] if game.phase == TAKING_BACK else [f"power {_power(table, game, of)}"]
    facts += [_count(int(table.cards[card].stars), "star")]
    facts += [f"{_count(int(game.paid[of]), 'card')} paid for the AT"] if game.paid[of] else []
    facts += ["misplayed"] if game.promised[of] else []
    kind = " ".join(attribute_words(int(table.cards[card].attributes)))
    lines = [f"  attack    {CARDS[card].name} ({kind}), {', '.join(facts)}"]
    return [*lines, f"  covers    {_in_order(covered)}"] if covered else lines


def _power(table: np.record, game: np.record, of: int) -> str:
    """The current power, and in brackets what makes it another than the printed one."""
    card = _attack_card(game, of)
    current, bonus = int(power(table, game, of)), int(barrier_power(table, game, of))
    own = int(game.own_power[of])
    timing = "entry" if table.cards[card].entry_on else "AT"
    holds = own != 0 and own_value_holds(table, game, of, card)
    copied = game.copied_power[of] and (game.copy_last[of] or not holds)
    parts = [f"printed {current - bonus}"]
    if copied or holds:
        parts = [f"{'copied entry' if copied else timing} {current - bonus}"]
    if bonus:
        parts.append(f"{CARDS[int(game.barrier)].name} +{bonus}")
    if own and not holds:
        parts.append(f"{timing} {own} does not hold now")
    return str(current) if parts == [f"printed {current}"] else f"{current} ({', '.join(parts)})"


def _own_cards(table: np.record, game: np.record, of: int, seat: int | None) -> list[str]:
    """Hand and deck for their owner, or openly for None; the owner knows the order of what was put back alone."""
    lines = [f"  hand      {_count(int(game.hand_size[of]), 'card')}{_after_colon(_names(game.hand[of]))}"]
    if game.chosen[of] != NO_CARD:
        lines.append(f"  has set   {CARDS[int(game.chosen[of])].name}")
    deck = _deck_from_top(game, of)
    size = _count(len(deck), "card")
    if seat is None:
        return [*lines, f"  deck      {size}{_after_colon(_in_order(deck), ' from the top')}"]
    contents = _after_colon(_names(deck.count(card) for card in range(NUM_CARDS)), " in some order")
    known = int(returned_now(table, game, of))
    placed = deck[len(deck) - known :] if table.returns_to_bottom else deck[:known]
    where = "the lowest of them" if table.returns_to_bottom else "from the top"
    return [*lines, f"  deck      {size}{contents}" + (f"; {where}: {_in_order(placed)}" if placed else "")]


def _after_colon(cards: str, words: str = "") -> str:
    return "" if cards == "none" else f"{words}: {cards}"


def _other_cards(table: np.record, game: np.record, of: int, view: np.record) -> list[str]:
    """Hand and deck as the other seat sees them; what is unseen in both together follows from the open deck list."""
    known, loose = _copies(view.known), _copies(view.loose)
    held = int(shown_hand_size(game, of))
    unseen = held - sum(known)
    parts = ([_names(known)] if sum(known) else []) + ([f"{unseen} unseen"] if unseen and sum(known) else [])
    hand = f"  hand      {_count(held, 'card')}{_after_colon(', '.join(parts) or 'none')}"
    if sum(loose):
        hand += f"; there or put back: {_names(loose)}"
    deck = f"  deck      {_count(int(shown_deck_size(game, of)), 'card')}"
    if game.returned[of]:
        deck += f", {game.returned[of]} of them put back {'under it' if table.returns_to_bottom else 'on top'}"
    unplaced = (left - sure for left, sure in zip(_copies(view.unseen), known, strict=True))
    return [hand, deck, f"  unseen    {_names(unplaced)}"]


def _barrier(game: np.record) -> str:
    return "none" if game.barrier == NO_CARD else f"{CARDS[int(game.barrier)].name} of player_{game.barrier_seat}"


def _status(game: np.record) -> str:
    if not game.over:
        return f"player_{game.to_act} decides {_question(game)}."
    result = "The game is drawn" if game.winner == DRAWN else f"player_{game.winner} wins"
    return f"{result} ({REASONS[int(game.reason)]})."


# --- Plain data -----------------------------------------------------------------------------------------------


def _ids(cards: Iterable[int]) -> list[str]:
    return [CARDS[card].id for card in cards]


def _ids_of_collection(copies: np.ndarray) -> list[str]:
    return [CARDS[card].id for card in range(NUM_CARDS) for _ in range(int(copies[card]))]


def _id_or_none(card: int) -> str | None:
    return None if card == NO_CARD else CARDS[card].id


def zones(game: np.record) -> dict[str, Any]:
    """Everything but the dice and what the seats know, cards by id: decks and stacks from the top."""
    barrier = _id_or_none(int(game.barrier))
    return {
        "round": int(game.round_number),
        "decision": None if game.over else {"seat": int(game.to_act), "kind": decision_kind(game)},
        "decks": [_ids(_deck_from_top(game, seat)) for seat in range(2)],
        "hands": [_ids_of_collection(game.hand[seat]) for seat in range(2)],
        "set": [_id_or_none(int(card)) for card in game.chosen],
        "stacks": [_ids(_stack_from_top(game, seat)) for seat in range(2)],
        "barrier": barrier and {"card": barrier, "seat": int(game.barrier_seat)},
        "discards": [_ids_of_collection(game.discard[seat]) for seat in range(2)],
        **_facts(game),
        "result": None if not game.over else {"winner": int(game.winner), "reason": REASONS[int(game.reason)]},
    }


def _facts(game: np.record) -> dict[str, Any]:
    """The facts of the round, by seat, and of the decision that is pending."""
    by_seat = ("drawn", "rode", "own_power", "copied_power", "copy_last", "paid")
    pending = ("copying", "returns_left", "announced", "owed")
    return {
        **{name: [int(number) for number in game[name]] for name in by_seat},
        "round_winner": None if game.round_winner == NO_SEAT else int(game.round_winner),
        "entry_of": _id_or_none(int(game.source)),
        **{name: int(game[name]) for name in pending},
    }


# --- Events ---------------------------------------------------------------------------------------------------


def event_data(event: np.void) -> dict[str, Any]:
    """An event as JSON data. `card` is left out where there is none; `seen_by` lists who sees card and value.

    `secret` stands with events of which the others do not even notice that they happen.
    """
    data: dict[str, Any] = {"kind": EVENT_IDS[int(event["kind"])], "seat": int(event["seat"])}
    if event["card"] != NO_CARD:
        data["card"] = CARDS[int(event["card"])].id
    data["value"] = int(event["value"])
    data["seen_by"] = [seat for seat in range(2) if event["seen_by"] >> seat & 1]
    if event["seen_by"] & SECRET:
        data["secret"] = True
    return data


_SENTENCES = {
    "round_begins": "Round {value} begins.",
    "draws": "{who} draws {card}.",
    "sets": "{who} sets {card} face down.",
    "drew": "{who} has drawn {cards}.",
    "reveals": "{who} reveals {card}.",
    "misplays": "{who} has misplayed: {card} may enter by a ride only.",
    "enters": "{who} uses the entry of {card}{power}.",
    "declines": "{who} does not use the entry of {card}.",
    "copies": "{who} copies the entry of {card}{power}.",
    "fetches": "{who} takes {card} from the discards.",
    "puts_back": "{who} puts {card} back into the deck.",
    "clashes": "The powers are equal: the cards clash.",
    "ats": "{who} uses the AT of {card}{power}.",
    "announces": "{who} will discard {cards} for the AT of {card}.",
    "discards": "{who} discards {card}.",
    "rides": "{who} rides {card}.",
    "lays_barrier": "{who} lays {card} as the barrier.",
    "barrier_leaves": "The barrier {card} goes to the discards of {who}.",
    "ends": "{who} ends the attack phase.",
    "round_won": "{who} wins the round with {card}, for {value} damage.",
    "loses_card": "{who} loses {card} from the deck.",
    "takes_back": "{who} takes {card} back into the hand.",
    "cleans_up": "The attack cards and what they cover are discarded.",
    "stuck": "{who} can neither draw nor set a card.",
    "deck_out": "The deck of {who} is empty.",
}
_SENTENCES_FOR_VALUES = {
    ("declines", 1): "{who} does not copy the entry of {card}.",
    ("enters", 1): "{who} uses the entry of {card} for nothing.",
    ("ends", BY_ITSELF): "{who} can do nothing more: the attack phase is over.",
}
UNSEEN_EVENTS = {"puts_back": "{who} puts a card back into the deck."}
"""For the seat from which the card is hidden; of what is drawn and set it hears nothing."""
_UNCOUNTED = 127
"""From this round on the number that `round_begins` carries grows no more."""


def event_text(table: np.record, event: np.void) -> str:
    """The event in a sentence, told with full knowledge."""
    kind, seat, card, value = EVENT_IDS[int(event["kind"])], int(event["seat"]), int(event["card"]), int(event["value"])
    if kind == "game_over":
        result = "The game is drawn" if seat == DRAWN else f"player_{seat} wins the game"
        return f"{result} ({REASONS[value]})."
    if kind == "round_begins" and value == _UNCOUNTED:
        return "Another round begins."
    sentence = _SENTENCES_FOR_VALUES.get((kind, value), _SENTENCES[kind])
    name = "" if card == NO_CARD else CARDS[card].name
    number = 0
    if kind in ("enters", "copies"):
        number = int(table.cards[card].entry_power)
    elif kind == "ats":
        number = int(table.cards[card].at_power[value - 1])
    cards = _count(value, "card")
    return sentence.format(who=f"player_{seat}", card=name, value=value, cards=cards, power=_in_brackets(number))
