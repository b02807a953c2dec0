"""The table of Wizard in Training in words, as a seat sees it, and as plain data."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from duelbench.envs.dispatch import DRAWN
from duelbench.envs.records import blank
from duelbench.envs.wizard_in_training.cards import (
    CARDS,
    NO_CARD,
    NUM_ITEMS,
)
from duelbench.envs.wizard_in_training.encoding import PER_COPY, VIEW, face_down, observe, shown_values
from duelbench.envs.wizard_in_training.state import (
    ATTACKING,
    BLOCKING,
    CAST,
    CHOOSING_MODE,
    DISCARD,
    DISCARDING,
    EQUIPPING,
    EVERY_DUEL,
    FIELD,
    FIRST_DUEL,
    FIRST_LEVEL,
    HAND,
    HELD,
    LAST_LEVEL,
    MAIN_SLOT,
    NO_SLOT,
    POOL,
    REASONS,
    THRESHOLDS,
    USED,
    WORN,
    total,
)
from duelbench.envs.wizard_in_training.words import (
    count,
    decision_kind,
    fighter,
    fighter_name,
    question,
    spell_being_cast,
    teeth,
    words_of_mode,
)

# --- Collections ----------------------------------------------------------------------------------------------


def _cards_in(game: np.record, seat: int, zone: int) -> list[int]:
    """The seat's cards there in the order of their numbers: which copy of a card it is says nothing to anybody."""
    return sorted(int(card) for card in game.lists[seat][game.zone[seat] == zone])


def _deck_from_top(game: np.record, seat: int) -> list[int]:
    slots = game.deck[seat, : int(game.deck_size[seat])]
    return [int(game.lists[seat, slot]) for slot in slots[::-1]]


def _names(table: np.record, cards: Iterable[int]) -> str:
    """The cards of a collection; items with their teeth."""
    cards = list(cards)
    return ", ".join(_named(table, card, cards.count(card)) for card in sorted(set(cards))) or "none"


def _named(table: np.record, card: int, copies: int) -> str:
    name = f"{CARDS[card].name} ({table.cards[card].teeth})" if card < NUM_ITEMS else CARDS[card].name
    return name if copies == 1 else f"{name} x{copies}"


def _counted(table: np.record, cards: list[int], words: str = "") -> str:
    return f"{count(len(cards), 'card')}{words}: {_names(table, cards)}" if cards else "no cards"


def _of_plane(plane: np.ndarray) -> list[int]:
    """The cards of a plane of the observation."""
    return [card for card, entry in enumerate(plane) for _ in range(round(float(entry) / PER_COPY))]


# --- The table ------------------------------------------------------------------------------------------------

_PHASES = {ATTACKING: "Duel", EQUIPPING: "Duel", BLOCKING: "Duel", DISCARDING: "Discard/Redraw"}
"""Of a decision; all others fall in the Spell phase."""


def describe(table: np.record, game: np.record, seat: int | None) -> str:
    """The table as `seat` sees it; with everything open for None."""
    lines = [_turn(table, game)]
    for of in range(2):
        lines += _seat(table, game, of, seat)
    lines += [*_spell(table, game), *_duel(table, game, seat), *_changes(game)]
    return "\n".join([*lines, _status(game)])


def _turn(table: np.record, game: np.record) -> str:
    phase = "turn" if game.over else f"{_PHASES.get(int(game.phase), 'Spell')} phase"
    return f"Turn {game.turn_number} of at most {table.max_turns}: the {phase} of player_{game.active}."


def _seat(table: np.record, game: np.record, of: int, seat: int | None) -> list[str]:
    own = seat in (of, None)
    main = int(game.mains[of])
    used = _cards_in(game, of, USED)
    return [
        f"player_{of}",
        f"  main      {CARDS[main].name} ({_strength(table, main)})",
        f"  level     {_level(game, of)}",
        f"  pool      {_names(table, _pool(table, game, of, seat))}",
        f"  field     {_field(table, game, of)}",
        *(_own_cards(table, game, of, seat) if own else _other_cards(table, game, of)),
        *([f"  cast      {_names(table, used)}"] if used else []),
        f"  discards  {_names(table, _cards_in(game, of, DISCARD))}",
    ]


def _strength(table: np.record, card: int) -> str:
    return f"attack {table.cards[card].attack}, defend {table.cards[card].defend}"


def _level(game: np.record, of: int) -> str:
    """11.1 Level and total, and what the total is made of."""
    level, sum_of_teeth = int(game.level[of]), int(total(game, of))
    if not FIRST_LEVEL <= level <= LAST_LEVEL:
        return f"{level}, with {teeth(sum_of_teeth)}"
    parts = [f"{game.placed[of]} in items", f"{game.earned[of]} gained"]
    parts += [f"{game.waste[of]} written off"] if game.waste[of] else []
    return f"{level}, with {sum_of_teeth} of {THRESHOLDS[level]} teeth ({', '.join(parts)})"


def _pool(table: np.record, game: np.record, of: int, seat: int | None) -> list[int]:
    """13.10 What lies face down before the other seat may be any of the items that it has seen in the pool."""
    cards = _cards_in(game, of, POOL)
    if seat is not None and face_down(table, seat, of):
        cards += _cards_in(game, of, WORN)
    return cards


def _field(table: np.record, game: np.record, of: int) -> str:
    slots = sorted(np.flatnonzero(game.zone[of] == FIELD).tolist(), key=lambda slot: int(game.lists[of, slot]))
    return ", ".join(_on_field(table, game, of, slot) for slot in slots) or "none"


def _on_field(table: np.record, game: np.record, of: int, slot: int) -> str:
    card = int(game.lists[of, slot])
    facts = [f"level {table.cards[card].level}"] if table.cards[card].level else []
    facts += [_strength(table, card), *(["has fought"] if game.fought[of, slot] else [])]
    return f"{CARDS[card].name} ({', '.join(facts)})"


def _own_cards(table: np.record, game: np.record, of: int, seat: int | None) -> list[str]:
    """Hand and deck for their owner, or openly for None."""
    deck = _deck_from_top(game, of)
    told = _counted(table, sorted(deck), " in some order")
    if seat is None and deck:
        told = f"{count(len(deck), 'card')} from the top: {', '.join(CARDS[card].name for card in deck)}"
    return [f"  hand      {_counted(table, _cards_in(game, of, HAND))}", f"  deck      {told}"]


def _other_cards(table: np.record, game: np.record, of: int) -> list[str]:
    """Hand and deck as the other seat sees them: what can only be in the deck (13.4, 13.5), and the rest of both."""
    view: np.record = blank(1, VIEW)[0]
    observe(table, game, 1 - of, view)
    kept, hand, deck = int(game.kept[of]), int(game.hand_size[of]), int(game.deck_size[of])
    lines = [f"  hand      {count(hand, 'card')}" + (f", {_these(kept, hand)} no {_item(kept)}" if kept else "")]
    lines.append(f"  deck      {count(deck, 'card')}")
    surely = _of_plane(view.unseen - view.possible)
    lines += [f"  in deck   {_names(table, surely)}"] if surely else []
    return [*lines, f"  unseen    {_names(table, _of_plane(view.possible))}"]


def _these(part: int, whole: int) -> str:
    if part < whole:
        return f"{part} of them"
    return "all" if whole > 1 else "which is"


def _item(number: int) -> str:
    return "item" if number == 1 else "items"


# --- What is going on -----------------------------------------------------------------------------------------


def _spell(table: np.record, game: np.record) -> list[str]:
    """5.4 The declaration is open."""
    if game.spell == NO_SLOT:
        return []
    spell = spell_being_cast(game)
    facts = [words_of_mode(table, spell, int(game.mode))]
    if game.phase == CHOOSING_MODE:
        facts = ["its effect not named yet"]
    if game.held_item != NO_SLOT:
        facts.append(f"{CARDS[int(game.lists[game.active, game.held_item])].name} is held")
    if game.stolen:
        facts.append(f"{teeth(int(game.stolen))} paid so far")
    return [f"spell       {CARDS[spell].name} of player_{game.active}: {'; '.join(facts)}"]


def _duel(table: np.record, game: np.record, seat: int | None) -> list[str]:
    if game.attacker == NO_SLOT:
        return []
    attacking, defending = int(game.active), int(1 - game.active)
    lines = [f"attack      {_fighter(table, game, attacking, seat)}"]
    return lines if game.blocker == NO_SLOT else [*lines, f"defence     {_fighter(table, game, defending, seat)}"]


def _fighter(table: np.record, game: np.record, of: int, seat: int | None) -> str:
    attack, defend = shown_values(table, game, of if seat is None else seat, of)
    told = f"{fighter_name(game, of)} of player_{of}, attack {attack}, defend {defend}"
    if seat is not None and face_down(table, seat, of):
        return f"{told}; face down: {count(int(game.lots[of]), 'item')}" if game.lots[of] else told
    worn = _cards_in(game, of, WORN)
    return f"{told}, with {_names(table, worn)}" if worn else told


def _changes(game: np.record) -> list[str]:
    """7.11 Duel changes of spells that still hold."""
    parts = []
    for scope, words in ((FIRST_DUEL, "in one duel"), (EVERY_DUEL, "in every duel")):
        changes = game.boost[scope].tolist()
        for seat, (attack, defend) in ((int(game.active), changes[:2]), (int(1 - game.active), changes[2:])):
            values = [f"{name} {by:+d}" for name, by in (("attack", attack), ("defend", defend)) if by]
            parts += [f"{' and '.join(values)} for player_{seat} {words}"] if values else []
    return [f"changes     {'; '.join(parts)}"] if parts else []


def _status(game: np.record) -> str:
    if not game.over:
        return f"player_{game.to_act} decides {question(game)}."
    result = "The game is drawn" if game.winner == DRAWN else f"player_{game.winner} wins"
    return f"{result} ({REASONS[int(game.reason)]})."


# --- Plain data -----------------------------------------------------------------------------------------------


def _ids(cards: Iterable[int]) -> list[str]:
    return [CARDS[card].id for card in cards]


_ZONES = {
    "hands": HAND,
    "pools": POOL,
    "fields": FIELD,
    "discards": DISCARD,
    "being_cast": CAST,
    "used_spells": USED,
    "held": HELD,
    "worn": WORN,
}


def zones(game: np.record) -> dict[str, Any]:
    """Everything but the dice and what the seats know, cards by id: by seat, decks from the top."""
    return {
        "turn": int(game.turn_number),
        "turn_of": int(game.active),
        "decision": None if game.over else {"seat": int(game.to_act), "kind": decision_kind(game)},
        "mains": _ids(map(int, game.mains)),
        "decks": [_ids(_deck_from_top(game, seat)) for seat in range(2)],
        **{name: [_ids(_cards_in(game, seat, zone)) for seat in range(2)] for name, zone in _ZONES.items()},
        **_facts(game),
        "result": None if not game.over else {"winner": int(game.winner), "reason": REASONS[int(game.reason)]},
    }


def _facts(game: np.record) -> dict[str, Any]:
    """Levels and teeth by seat, the facts of the turn, and of the spell or duel that is under way."""
    by_seat = ("level", "earned", "placed", "waste", "gained", "lots")
    pending = ("mode", "owed", "stolen", "to_give_up")
    return {
        **{name: [int(number) for number in game[name]] for name in by_seat},
        "fought": [_fought(game, seat) for seat in range(2)],
        "duels": int(game.duels),
        "changes": {"first_duel": game.boost[FIRST_DUEL].tolist(), "every_duel": game.boost[EVERY_DUEL].tolist()},
        **{name: int(game[name]) for name in pending},
        "fighters": [None if card == NO_CARD else CARDS[card].id for card in (fighter(game, 0), fighter(game, 1))],
    }


def _fought(game: np.record, seat: int) -> list[str]:
    """Who has fought in this turn and still stands on the table."""
    slots = np.flatnonzero(game.fought[seat, :MAIN_SLOT].astype(bool) & (game.zone[seat] == FIELD))
    main = [int(game.mains[seat])] if game.fought[seat, MAIN_SLOT] else []
    return _ids([*sorted(int(game.lists[seat, slot]) for slot in slots), *main])
