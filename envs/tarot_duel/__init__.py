"""Tarot Duel (タロットデュエル): 22 major arcana, simultaneous play, an effect on every card. See RULES.md."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from duelbench.envs.game import Game, Option
from duelbench.envs.records import blank
from duelbench.envs.tarot_duel import words
from duelbench.envs.tarot_duel.card_text import card_text
from duelbench.envs.tarot_duel.card_use import CARD_USE
from duelbench.envs.tarot_duel.cards import CARDS, NO_CARD, NUM_CARDS, NUM_EFFECTS, Card, write_cards
from duelbench.envs.tarot_duel.encoding import MEANINGS, VIEW
from duelbench.envs.tarot_duel.patches import FIELDS, card_numbers, patched_cards
from duelbench.envs.tarot_duel.rules import OPENING_HAND, SPARE_CARDS, STATE, TURNS
from duelbench.envs.tarot_duel.state import HAND, NUM_ACTIONS, REASONS, TABLE

OPTIONS = (
    Option("death_can_extend", (True, False), "Death in the last turn adds a turn, instead of only shortening a game"),
    Option("empress_beats_world", (False, True), "a waiting Empress wins even against the World"),
    Option("magician_negates_fool_world", (False, True), "the Magician may cancel the Fool and the World"),
    Option("lone_player_plays", (False, True), "a player still plays when the other has no card left"),
    Option("hanged_man_waits", (True, False), "the Hanged Man waits for a lost turn, instead of for one turn only"),
    Option("tower_negatable", (False, True), "the Magician may cancel an open Tower, which hides the deck again"),
    Option("chariot_scope", ("hand", "hand_and_table"), "whether the Chariot also hits field and waiting cards"),
    Option("max_turns", range(5, 61), "turns after which the game ends whatever is left", default=30),
)


def build_table(rules: Mapping[str, Any], cards: Sequence[Card] = CARDS) -> np.record:
    """The table for a complete set of option values; the default are the cards of `cards.csv`."""
    table: np.record = blank(1, TABLE)[0]
    write_cards(table.cards, cards)
    table.holder[:] = NO_CARD
    for card in range(NUM_CARDS):
        if table.cards[card].effect < NUM_EFFECTS - 1:
            table.holder[table.cards[card].effect] = card
    for name in ("death_can_extend", "empress_beats_world", "magician_negates_fool_world", "lone_player_plays"):
        setattr(table, name, rules[name])
    for name in ("hanged_man_waits", "tower_negatable", "max_turns"):
        setattr(table, name, rules[name])
    table.chariot_hits_table = rules["chariot_scope"] == "hand_and_table"
    table.spare_cards, table.opening_hand, table.turns = SPARE_CARDS, OPENING_HAND, TURNS
    return table


def start_cards(table: np.record, state: np.record) -> np.ndarray:
    """int8[2, 22]: 1 for the cards of each seat's hand at the first decision, the first draw among them."""
    hands = [np.asarray(state.zone) == HAND + seat for seat in range(2)]
    return np.array(hands, np.int8)


GAME = Game(
    name="tarot_duel",
    title="Tarot Duel",
    title_ja="タロットデュエル",
    version=1,
    state_dtype=STATE,
    table_dtype=TABLE,
    view_dtype=VIEW,
    num_actions=NUM_ACTIONS,
    options=OPTIONS,
    card_ids=tuple(card.id for card in CARDS),
    card_names=tuple(card.name for card in CARDS),
    card_names_ja=tuple(card.name_ja for card in CARDS),
    card_texts=tuple(card_text(card.effect, card.amount) for card in CARDS),
    reasons=REASONS,
    build_table=build_table,
    action_name=words.action_name,
    why_illegal=words.why_illegal,
    decision_kind=words.decision_kind,
    describe=words.describe,
    zones=words.zones,
    event_data=words.event_data,
    event_text=words.event_text,
    view_meanings=MEANINGS,
    unseen_events=words.UNSEEN_EVENTS,
    patched_cards=patched_cards,
    card_fields=FIELDS,
    start_cards=start_cards,
    card_numbers=card_numbers,
    played_card=words.played_card,
    card_use=CARD_USE,
)
