"""Wizard in Training (ウィザード・イン・トレーニング): pupils of magic who rise by dragon teeth. See RULES.md."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from duelbench.envs.decks import Deck, DeckSource
from duelbench.envs.game import Game, Option
from duelbench.envs.records import blank
from duelbench.envs.wizard_in_training import deck_rules, event_words, table_words, words
from duelbench.envs.wizard_in_training.card_text import card_text
from duelbench.envs.wizard_in_training.card_use import CARD_USE
from duelbench.envs.wizard_in_training.cards import (
    BLANK_MAIN,
    CARDS,
    FIRST_MAIN,
    NO_CARD,
    NUM_CARDS,
    Card,
    write_cards,
    write_deck_facts,
)
from duelbench.envs.wizard_in_training.encoding import MEANINGS, VIEW
from duelbench.envs.wizard_in_training.patches import RULES as PATCH_RULES
from duelbench.envs.wizard_in_training.patches import card_numbers, patched_cards
from duelbench.envs.wizard_in_training.rules import STATE
from duelbench.envs.wizard_in_training.state import NUM_ACTIONS, REASONS, TABLE

_RECYCLE = ("when_empty", "every_redraw", "level_change")
OPTIONS = (
    Option("recycle", _RECYCLE, "when discards return to the deck, besides the draw that finds it empty"),
    Option("level5_cap", ("event", "cap_23"), "whether items cannot graduate a player, or only count up to 23 teeth"),
    Option("duels_per_phase", ("each_once", "one"), "how often a player may attack in a turn"),
    Option("duel_compare", ("both_ways", "attack_vs_defend"), "whether the defending fighter also hits back"),
    Option("duel_double_hit", ("tie", "attacker_wins"), "what it is when both fighters hit"),
    Option("duel_tie", ("both_destroyed", "defender_wins"), "what a tie is worth"),
    Option("main_attack_leveldown", (True, False), "whether a main that loses its own attack costs a level"),
    Option("duel_reward", ("winner_sum", "loser_sum"), "whose printed numbers a winning character earns in teeth"),
    Option("duel_commit", ("open", "hidden_equipment"), "how equipment and potions are taken"),
    Option("max_turns", range(1, 1001), "turns of both players together after which level and teeth decide", 400),
)


def build_table(rules: Mapping[str, Any], sources: Sequence[DeckSource], cards: tuple[Card, ...] = CARDS) -> np.record:
    """The table for a complete set of option values, what each seat draws its deck from, and the cards."""
    table: np.record = blank(1, TABLE)[0]
    write_cards(table, cards)
    write_deck_facts(table.printed)
    table.blank = BLANK_MAIN
    for seat, source in enumerate(sources):
        _write_source(table, seat, source)
    table.recycle = _RECYCLE.index(rules["recycle"])
    table.cap_23 = rules["level5_cap"] == "cap_23"
    table.one_duel = rules["duels_per_phase"] == "one"
    table.attack_vs_defend = rules["duel_compare"] == "attack_vs_defend"
    table.double_hit_attacker = rules["duel_double_hit"] == "attacker_wins"
    table.tie_defender = rules["duel_tie"] == "defender_wins"
    table.main_attack_falls = rules["main_attack_leveldown"]
    table.loser_sum = rules["duel_reward"] == "loser_sum"
    table.hidden_equipment = rules["duel_commit"] == "hidden_equipment"
    table.max_turns = rules["max_turns"]
    return table


def _write_source(table: np.record, seat: int, source: DeckSource) -> None:
    table.pool[seat] = table.pool_main[seat] = table.pool_spare[seat] = table.allowed[seat] = NO_CARD
    for i, deck in enumerate(source.decks):
        _write_deck(table, seat, i, deck)
    table.pool_size[seat] = len(source.decks)
    table.allowed[seat, : len(source.allowed)] = source.allowed
    table.num_allowed[seat] = len(source.allowed)


def _write_deck(table: np.record, seat: int, i: int, deck: Deck) -> None:
    """2.4 The main lies apart from the other cards, and a spare one beside them: the blank if the deck names none."""
    table.pool[seat, i] = [card for card in deck.cards if card < FIRST_MAIN]
    table.pool_main[seat, i] = next(card for card in deck.cards if card >= FIRST_MAIN)
    table.pool_spare[seat, i] = BLANK_MAIN if deck.spare is None else deck.spare


def start_cards(table: np.record, game: np.record) -> np.ndarray:
    """int8[2, cards]: the copies of each card in each seat's deck, its main in play included."""
    held = np.zeros((2, NUM_CARDS), np.int8)
    for seat in range(2):
        np.add.at(held[seat], np.asarray(game.lists[seat]), 1)
        held[seat, game.mains[seat]] += 1
    return held


_INVENTED = (
    "The cards are invented: the original's card list is not public (only the six main characters' names are known)."
)


def _notice() -> str:
    """What everybody should know who looks at results; nothing once all cards are printed ones."""
    return _INVENTED if any(card.invented for card in CARDS) else ""


GAME = Game(
    name="wizard_in_training",
    title="Wizard in Training",
    title_ja="ウィザード・イン・トレーニング",
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
    describe=table_words.describe,
    zones=table_words.zones,
    event_data=event_words.event_data,
    event_text=event_words.event_text,
    view_meanings=MEANINGS,
    unseen_events=event_words.UNSEEN_EVENTS,
    played_card=words.played_card,
    deck_rules=deck_rules.RULES,
    patched_cards=patched_cards,
    card_fields=PATCH_RULES.fields(),
    start_cards=start_cards,
    card_numbers=card_numbers,
    notice=_notice(),
    card_use=CARD_USE,
)
