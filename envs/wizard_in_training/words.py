"""Wizard in Training in words: actions, refusals, and what kind of decision is pending."""

import numpy as np

from duelbench.envs.wizard_in_training.card import Mode
from duelbench.envs.wizard_in_training.card_text import mode_text
from duelbench.envs.wizard_in_training.cards import (
    ARMOUR,
    CARDS,
    FIRST_CHARACTER,
    FIRST_MAIN,
    FIRST_SPELL,
    NO_CARD,
    NUM_ITEMS,
    POTION,
    WEAPON,
)
from duelbench.envs.wizard_in_training.state import (
    ATTACK,
    ATTACKING,
    BLOCK,
    BLOCKING,
    CAST_SPELL,
    CASTING,
    CHOOSING_MODE,
    COUNTER,
    COUNTERING,
    DECISIONS,
    DESTROY,
    DESTROYING,
    DISCARD_CARD,
    DISCARDING,
    EQUIP,
    EQUIPPING,
    FIELD,
    FIELD_LIMIT,
    FIGHT_YOURSELF,
    FINISHED,
    GIVING_UP,
    HAND,
    HAND_LIMIT,
    HOLD,
    HOLDING,
    MAIN_SLOT,
    MODE,
    NO_SLOT,
    NUM_ACTIONS,
    PASS,
    PAY,
    PAYING,
    POOL,
)

# --- Actions --------------------------------------------------------------------------------------------------

_CARD_ACTIONS = {
    CAST_SPELL: (FIRST_SPELL, "cast {}"),
    COUNTER: (FIRST_SPELL, "counter with {}"),
    ATTACK: (FIRST_CHARACTER, "attack with {}"),
    BLOCK: (FIRST_CHARACTER, "block with {}"),
    EQUIP: (0, "wear {}"),
    HOLD: (0, "hold {}"),
    PAY: (0, "pay with {}"),
    DESTROY: (0, "destroy {}"),
    DISCARD_CARD: (0, "discard {}"),
}
"""By the first number of a kind: the card that stands there, and the words."""
_KINDS = (PASS, FIGHT_YOURSELF, MODE, *_CARD_ACTIONS)
_PASSES = {
    CASTING: "end the Spell phase",
    COUNTERING: "do not counter",
    ATTACKING: "end the Duel phase",
    DISCARDING: "keep the hand",
}
_OWN_FIGHTS = {ATTACKING: "attack with {}", BLOCKING: "defend with {}"}


def _split(action: int) -> tuple[int, int]:
    """The kind of an action (its first number), and its card or the number of its mode."""
    kind = max(first for first in _KINDS if first <= action)
    offset, _ = _CARD_ACTIONS.get(kind, (0, ""))
    return kind, action - kind + offset


_PARTS = tuple(map(_split, range(NUM_ACTIONS)))


def action_name(table: np.record, game: np.record, action: int) -> str:
    kind, number = _PARTS[action]
    if kind == PASS:
        return _pass_name(game)
    if kind == FIGHT_YOURSELF:
        main = CARDS[int(game.mains[game.to_act])].name
        return _OWN_FIGHTS.get(int(game.phase), "fight with {}").format(main)
    if kind == MODE:
        return _mode_name(table, game, number)
    if kind == EQUIP and table.cards[number].subtype == POTION:
        return f"drink {CARDS[number].name}"
    _, words = _CARD_ACTIONS[kind]
    return words.format(CARDS[number].name)


def played_card(table: np.record, game: np.record, action: int) -> int:
    """The card that the action casts, counters, attacks, blocks or equips with, or holds for a spell; -1 for others."""
    kind, card = _PARTS[action]
    return card if kind in (CAST_SPELL, COUNTER, ATTACK, BLOCK, EQUIP, HOLD) else -1


def _pass_name(game: np.record) -> str:
    if game.phase == EQUIPPING:
        return "take no more items" if game.lots[game.to_act] else "take no items"
    return _PASSES.get(int(game.phase), "pass")


def _mode_name(table: np.record, game: np.record, mode: int) -> str:
    """Modes are numbered, as nothing keeps two of them from being alike."""
    name = f"take effect {mode + 1}"
    if game.phase != CHOOSING_MODE or mode >= table.cards[spell_being_cast(game)].num_modes:
        return name
    return f"{name}: {words_of_mode(table, spell_being_cast(game), mode)}"


def spell_being_cast(game: np.record) -> int:
    return int(game.lists[game.active, game.spell])


def needs(table: np.record, spell: int) -> str:
    """What the spell asks to be held for it: its tag or, where patches make other items fit, all of these."""
    fits = np.asarray(table.fits[spell - FIRST_SPELL]).tolist()
    tag = CARDS[spell].requirement
    if fits == [bool(tag) and card.is_called(tag) for card in CARDS[:NUM_ITEMS]]:
        return f"any {tag}" if any(card.subtype == tag for card in CARDS) else tag
    return " or ".join(CARDS[item].name for item in range(NUM_ITEMS) if fits[item]) or "an item that there is not"


def words_of_mode(table: np.record, spell: int, mode: int) -> str:
    return mode_text(Mode(*map(int, table.cards[spell].modes[mode]))) or "nothing"


def count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number or 'no'} {thing}s"


def teeth(number: int) -> str:
    return "1 tooth" if number == 1 else f"{number or 'no'} teeth"


# --- Decisions ------------------------------------------------------------------------------------------------


def decision_kind(game: np.record) -> str:
    return DECISIONS[int(game.phase)]


def question(game: np.record) -> str:
    """What the seat to act has to decide."""
    phase = int(game.phase)
    if phase in _QUESTIONS:
        return _QUESTIONS[phase]
    if phase == PAYING:
        return f"what to pay with, {teeth(int(game.owed))} being owed"
    if phase == GIVING_UP:
        return f"which card to discard, {count(int(game.to_give_up), 'card')} being asked for"
    if phase == EQUIPPING:
        return f"what to give {fighter_name(game, int(game.to_act))}"
    if phase == BLOCKING:
        return f"who defends against {fighter_name(game, int(game.active))}"
    return _SPELL_QUESTIONS[phase].format(CARDS[spell_being_cast(game)].name)


_QUESTIONS = {
    CASTING: "which spell to cast",
    ATTACKING: "whether to attack, and with whom",
    DISCARDING: "which cards to discard",
}
_SPELL_QUESTIONS = {
    CHOOSING_MODE: "which effect {} has",
    HOLDING: "which item is held for {}",
    COUNTERING: "whether to counter {}",
    DESTROYING: "what {} destroys",
}


def fighter(game: np.record, seat: int) -> int:
    """The card of the seat's fighter in the duel that is being fought; NO_CARD without one."""
    slot = int(game.attacker if seat == game.active else game.blocker)
    if game.attacker == NO_SLOT or slot == NO_SLOT:
        return NO_CARD
    return int(game.mains[seat] if slot == MAIN_SLOT else game.lists[seat, slot])


def fighter_name(game: np.record, seat: int) -> str:
    return CARDS[fighter(game, seat)].name


# --- Refusals -------------------------------------------------------------------------------------------------

_OFFERED = {
    CASTING: (PASS, CAST_SPELL),
    CHOOSING_MODE: (MODE,),
    HOLDING: (HOLD,),
    COUNTERING: (PASS, COUNTER),
    PAYING: (PAY,),
    DESTROYING: (DESTROY,),
    GIVING_UP: (DISCARD_CARD,),
    ATTACKING: (PASS, FIGHT_YOURSELF, ATTACK),
    EQUIPPING: (PASS, EQUIP),
    BLOCKING: (FIGHT_YOURSELF, BLOCK),
    DISCARDING: (PASS, DISCARD_CARD),
    FINISHED: (),
}
"""The kinds of action by decision."""
_WORN = {WEAPON: "weapon", ARMOUR: "armour"}


def why_illegal(table: np.record, game: np.record, action: int) -> str:
    """Why a face refuses the action; told from the own hand and from what lies open."""
    kind, number = _PARTS[action]
    if kind not in _OFFERED[int(game.phase)]:
        return f"the decision now is {question(game)}"
    if kind == PASS:
        return f"the hand holds {count(int(game.hand_size[game.to_act]), 'card')}: {HAND_LIMIT} may be kept"
    if kind == FIGHT_YOURSELF:
        return _why_no_own_attack(game)
    if kind == MODE:
        spell = spell_being_cast(game)
        return f"{CARDS[spell].name} has {count(int(table.cards[spell].num_modes), 'effect')}"
    if kind in (ATTACK, BLOCK):
        return _why_no_fight(table, game, kind, number)
    if kind in (HOLD, EQUIP):
        return _why_not_used(table, game, kind, number)
    if kind in (PAY, DESTROY):
        return _why_not_given(game, kind, number)
    return _why_not_played(table, game, kind, number)


def _lies_in(game: np.record, seat: int, card: int, zone: int) -> bool:
    return bool(((game.lists[seat] == card) & (game.zone[seat] == zone)).any())


def _why_no_own_attack(game: np.record) -> str:
    name = CARDS[int(game.mains[game.to_act])].name
    if game.fought[game.to_act, MAIN_SLOT]:
        return f"{name} has attacked in this turn already"
    return f"{name} attacks only while no character is on the own field"


def _why_no_fight(table: np.record, game: np.record, kind: int, card: int) -> str:
    seat, name = int(game.to_act), CARDS[card].name
    in_hand = _lies_in(game, seat, card, HAND)
    if not in_hand and not _lies_in(game, seat, card, FIELD):
        return f"{name} is neither in the hand nor on the field of player_{seat}"
    if kind == ATTACK and table.cards[card].level > game.level[seat]:
        return _too_high(table, game, card)
    if in_hand:
        return f"{name} cannot be placed, as {FIELD_LIMIT} characters are on the field"
    return f"{name} has fought in this turn already"


def _too_high(table: np.record, game: np.record, card: int) -> str:
    seat = int(game.to_act)
    return f"{CARDS[card].name} is of level {table.cards[card].level}, and player_{seat} of level {game.level[seat]}"


def _why_not_used(table: np.record, game: np.record, kind: int, item: int) -> str:
    seat, name = int(game.to_act), CARDS[item].name
    if not _lies_in(game, seat, item, POOL):
        return f"{name} is not in the pool of player_{seat}"
    if kind == HOLD:
        spell = spell_being_cast(game)
        return f"{CARDS[spell].name} asks for {needs(table, spell)}, and {name} will not do"
    if table.cards[item].subtype not in _WORN:
        return f"{name} can neither be worn nor drunk"
    wearer = fighter(game, seat)
    wears = wearer >= FIRST_MAIN or table.wears[wearer - FIRST_CHARACTER, item]
    what = f"another {_WORN[int(table.cards[item].subtype)]}" if wears else name
    return f"{fighter_name(game, seat)} cannot wear {what}"


def _why_not_given(game: np.record, kind: int, card: int) -> str:
    """7.6 What is worth nothing cannot be paid; 7.7 a spell says what it destroys."""
    of, name = int(1 - game.active), CARDS[card].name
    if not _lies_in(game, of, card, POOL if card < NUM_ITEMS else FIELD):
        return f"{name} is neither in the pool nor on the field of player_{of}"
    if kind == PAY:
        return f"{name} is worth no teeth"
    return f"{CARDS[spell_being_cast(game)].name} destroys {'characters' if card < NUM_ITEMS else 'items'} alone"


def _why_not_played(table: np.record, game: np.record, kind: int, card: int) -> str:
    """Why a card will not do that is cast, counters or is discarded out of the hand."""
    seat, name = int(game.to_act), CARDS[card].name
    if not _lies_in(game, seat, card, HAND):
        return f"{name} is not in the hand"
    if kind == COUNTER:
        return f"{name} does not counter {CARDS[spell_being_cast(game)].name}"
    if table.cards[card].level > game.level[seat]:
        return _too_high(table, game, card)
    return f"{name} asks for {needs(table, card)}, which is not in the pool of player_{seat}"
