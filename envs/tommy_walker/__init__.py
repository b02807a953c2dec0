"""Tommy Walker TGC (トミーウォーカーTGC): decks of 16 cards that are also the life of their players. See RULES.md."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from duelbench.envs.decks import DeckRules, DeckSource
from duelbench.envs.game import Game, Option
from duelbench.envs.records import blank
from duelbench.envs.tommy_walker import words
from duelbench.envs.tommy_walker.card_text import card_text
from duelbench.envs.tommy_walker.card_use import CARD_USE
from duelbench.envs.tommy_walker.cards import CARDS, NO_CARD, NONE, Card, write_cards
from duelbench.envs.tommy_walker.encoding import MEANINGS, VIEW
from duelbench.envs.tommy_walker.patches import RULES as PATCH_RULES
from duelbench.envs.tommy_walker.patches import card_numbers, patched_cards
from duelbench.envs.tommy_walker.rules import STATE
from duelbench.envs.tommy_walker.state import DECK_SIZE, NUM_ACTIONS, REASONS, TABLE

OPTIONS = (
    Option("permit_misplay", (True, False), "a player who could set another card may set a ride-only one"),
    Option("deckout_check", ("immediate", "end_of_round"), "when a player whose deck is empty loses"),
    Option("discard_at_mode", ("cumulative", "single"), "whether an AT paid with discards may be paid further later"),
    Option("lovelinstar_timing", ("at", "entry"), "Lovelinstar's power for covering a male card: an AT or an Entry"),
    Option("copy_ride_condition", ("ignored", "tested"), "whether a copied Entry on a ride asks for the copier's ride"),
    Option("hanks_returns_to", ("top", "bottom"), "where in the deck Hanks puts cards back"),
    Option("max_rounds", range(1, 1001), "rounds after which the game is drawn", default=200),
)


def build_table(rules: Mapping[str, Any], sources: Sequence[DeckSource], cards: tuple[Card, ...] = CARDS) -> np.record:
    """The table for a complete set of option values, what each seat draws its deck from, and the cards."""
    table: np.record = blank(1, TABLE)[0]
    write_cards(table.cards, cards)
    if rules["lovelinstar_timing"] == "entry":
        _enter_instead_of_at(table.cards)
    for seat, source in enumerate(sources):
        _write_source(table, seat, source)
    table.permit_misplay = rules["permit_misplay"]
    table.deckout_at_once = rules["deckout_check"] == "immediate"
    table.pay_once = rules["discard_at_mode"] == "single"
    table.copy_tests_ride = rules["copy_ride_condition"] == "tested"
    table.returns_to_bottom = rules["hanks_returns_to"] == "bottom"
    table.max_rounds = rules["max_rounds"]
    return table


def _enter_instead_of_at(cards: np.ndarray) -> None:
    """Every AT that asks for a covered card becomes an Entry on a ride with the same condition and power."""
    for card in cards:
        if card.at_cover:
            card.entry_on, card.entry_power = card.at_cover, card.at_power[0]
            card.at_cover, card.at_power[:] = NONE, 0


def _write_source(table: np.record, seat: int, source: DeckSource) -> None:
    table.pool[seat] = table.allowed[seat] = NO_CARD
    for i, deck in enumerate(source.decks):
        table.pool[seat, i] = deck.cards
    table.pool_size[seat] = len(source.decks)
    table.allowed[seat, : len(source.allowed)] = source.allowed
    table.num_allowed[seat] = len(source.allowed)


def start_cards(table: np.record, game: np.record) -> np.ndarray:
    """int8[2, 36]: the copies of each card on each seat's deck list."""
    return np.array(game.lists, np.int8)


GAME = Game(
    name="tommy_walker",
    title="Tommy Walker TGC",
    title_ja="トミーウォーカーTGC",
    version=1,
    state_dtype=STATE,
    table_dtype=TABLE,
    view_dtype=VIEW,
    num_actions=NUM_ACTIONS,
    options=OPTIONS,
    card_ids=tuple(card.id for card in CARDS),
    card_names=tuple(card.name for card in CARDS),
    card_names_ja=tuple(card.name_ja for card in CARDS),
    card_texts=tuple(card_text(card) for card in CARDS),
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
    deck_rules=DeckRules(size=DECK_SIZE),
    patched_cards=patched_cards,
    card_fields=PATCH_RULES.fields(),
    start_cards=start_cards,
    card_numbers=card_numbers,
    played_card=words.played_card,
    card_use=CARD_USE,
)
