"""Patches drawn at random from what a game says about its card fields, and random games that are played with them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from random_games import FAULT, FAULTS, NUM_FIGURES, most_decisions, play_games

from duelbench.envs.decks import DeckChoice
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.patches import BLANK, EXCHANGE
from duelbench.envs.rng import new_stream


def random_value(game: Game, field: str, allowed: str, card: str, dice: np.random.Generator) -> Any:
    """A value out of the words in which the field says what it allows; ends of ranges come often."""
    if field == EXCHANGE:
        return str(dice.choice([other for other in game.card_ids if other != card]))
    if allowed in ("true", "false"):
        return allowed == "true"
    numbers = re.fullmatch(r"whole numbers (-?\d+) to (-?\d+)", allowed)
    if numbers:
        low, high = int(numbers[1]), int(numbers[2])
        return int(dice.choice([low, high, dice.integers(low, high + 1)]))
    return str(dice.choice(allowed.split(", ")))


def random_patches(
    game: Game, dice: np.random.Generator, count: int, texts: Mapping[str, Sequence[str]] | None = None
) -> dict[str, dict[str, Any]]:
    """`count` changes that the game takes, of any cards and fields; `texts` has values for fields that take others
    than numbers and single words."""
    patches: dict[str, dict[str, Any]] = {}
    while sum(map(len, patches.values())) < count:
        card = str(dice.choice(game.card_ids))
        field = game.card_fields[int(dice.integers(len(game.card_fields)))]
        if texts and field.name in texts:
            value = str(dice.choice(texts[field.name]))
        else:
            value = random_value(game, field.name, field.allowed, card, dice)
        tried = patches | {card: patches.get(card, {}) | {field.name: value}}
        try:
            game.check_patches(tried)
        except BadInput:
            continue
        patches = tried
    return patches


def blank_cards(game: Game) -> list[str]:
    """The cards that have a text to lose."""
    found = []
    for card in game.card_ids:
        try:
            game.check_patches({card: {BLANK: True}})
        except BadInput:
            continue
        found.append(card)
    return found


def assert_sound(
    game: Game,
    patches: dict[str, dict[str, Any]],
    games: int,
    rules: dict[str, Any] | None = None,
    decks: DeckChoice = None,
    first_seed: int = 0,
) -> None:
    """Random games with these patches, every state of them examined (see `random_games`)."""
    figures, table = np.zeros(NUM_FIGURES, np.int64), game.table(rules, decks=decks, cards=patches)
    mask = np.zeros(game.num_actions, np.int8)
    dice, longest = new_stream(first_seed), most_decisions(game.name)
    play_games(table, game.new_state(), dice, mask, np.uint64(first_seed), games, figures, longest)
    assert figures[FAULT] == 0, (patches, FAULTS[int(figures[FAULT])])
    assert figures[:3].sum() == games
