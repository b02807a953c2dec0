"""The games in words: actions, refusals, tables and events, and what they give away."""

import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tarot_scenes import GAME as TAROT
from tarot_scenes import play, scene

from duelbench.envs import dispatch
from duelbench.envs.errors import IllegalAction
from duelbench.envs.game import Game
from duelbench.envs.registry import load_game
from duelbench.envs.rng import below, new_stream
from duelbench.envs.tarot_duel.state import EVENT_IDS

GAMES_EACH = 40
GOLDEN = Path(__file__).parent / "golden"


def random_states(
    game: Game, games: int = GAMES_EACH, rules: dict | None = None
) -> Iterator[tuple[np.record, np.record]]:
    """(table, state) for every state of some random games, after the deal and after each action."""
    table, dice = game.table(rules), new_stream(5)
    for seed in range(games):
        state = game.dealt(table, seed)
        yield table, state
        while not state.over:
            legal = game.legal_actions(table, state)
            game.play(table, state, legal[below(dice, len(legal))])
            yield table, state


def other_world(game: Game, table: np.record, state: np.record, seat: int, seed: int) -> np.record:
    """What `seat` may just as well believe the state to be; the events of the last action are kept."""
    copy = state.copy()
    dispatch.determinize(table, copy, seat, np.uint64(seed))
    return copy


# --- Actions --------------------------------------------------------------------------------------------------


def test_the_names_of_legal_actions_are_unique_and_read_back(game):
    for table, state in random_states(game):
        legal = game.legal_actions(table, state)
        names = [game.action_name(table, state, action) for action in legal]
        assert len({name.casefold() for name in names}) == len(names)
        assert all(name == name.strip() and name for name in names)
        assert [game.parse_action(table, state, name) for name in names] == legal


def test_an_action_reads_back_in_any_case_with_any_blanks_and_by_its_number(shipped_game):
    table = shipped_game.table()
    state = shipped_game.dealt(table, 3)
    action = shipped_game.legal_actions(table, state)[0]
    name = shipped_game.action_name(table, state, action)
    for text in (name.upper(), f"  {name.replace(' ', '   ')} ", str(action)):
        assert shipped_game.parse_action(table, state, text) == action


def test_a_refusal_says_why_and_nothing_that_the_seat_does_not_know(game):
    refusals = 0
    for number, (table, state) in enumerate(random_states(game, games=10)):
        if state.over:
            continue
        mask = game.mask(table, state)
        world = other_world(game, table, state, int(state.to_act), number)
        for action in np.flatnonzero(mask == 0).tolist():
            reason = game.why_illegal(table, state, action)
            assert reason == reason.strip()
            assert 10 < len(reason) < 100
            assert reason == game.why_illegal(table, world, action)
            assert game.action_name(table, state, action) == game.action_name(table, world, action)
            refusals += 1
    assert refusals > 100


def test_a_finished_game_refuses_everything(game):
    table, state = list(random_states(game, games=1))[-1]
    for action in range(game.num_actions):
        with pytest.raises(IllegalAction, match="the game is over"):
            game.play(table, state, action)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("play The Star", "The Star is not to be had"),  # in the deck
        ("play The Devil", "The Devil is not to be had"),  # in the other hand
        ("play The World", "The World is among the discards"),
        ("play The Tower", "The Tower is waiting before player_1"),
        ("play The Fool", "The Fool is out of play"),
        ("cancel The Tower", "the decision now is which card to play"),
        ("take The World", "the decision now is which card to play"),
        ("discard The Sun", "the decision now is which card to play"),
        ("discard the lowest card", "the decision now is which card to play"),
    ],
)
def test_why_a_card_of_tarot_duel_may_not_be_set(action, reason):
    waiting = ([], ["The Tower"])
    hands = (["The Sun", "The Moon"], ["The Devil", "Death"])
    s = scene(hands=hands, deck=["The Star"], discards=["The World"], waiting=waiting)
    names = [TAROT.action_name(s.table, s.state, number) for number in range(TAROT.num_actions)]
    assert TAROT.why_illegal(s.table, s.state, names.index(action)) == reason


def test_why_a_card_of_tarot_duel_may_not_be_cancelled():
    s = scene(hands=(["The Sun", 3], ["The World", 4]), deck=[5], waiting=(["The Magician"], ["The Tower"]))
    play(s, "play The Sun", "play The World")
    names = [TAROT.action_name(s.table, s.state, number) for number in range(TAROT.num_actions)]
    for name in ("The Magician", "The Tower", "The World"):
        reason = TAROT.why_illegal(s.table, s.state, names.index(f"cancel {name}"))
        assert reason == f"{name} cannot be cancelled there"
    assert TAROT.why_illegal(s.table, s.state, names.index("cancel The Empress")) == "The Empress is in player_0's hand"


# --- Tables ---------------------------------------------------------------------------------------------------


def test_a_description_for_a_seat_tells_nothing_that_the_seat_does_not_know(shipped_game):
    for number, (table, state) in enumerate(random_states(shipped_game, games=30)):
        for seat in range(2):
            world = other_world(shipped_game, table, state, seat, number)
            told = shipped_game.describe(table, state, seat)
            assert told == shipped_game.describe(table, world, seat)


def test_an_open_description_tells_more_than_that_for_a_seat(shipped_game):
    table = shipped_game.table()
    state = shipped_game.dealt(table, 3)
    told = [shipped_game.describe(table, state, seat) for seat in (0, 1, None)]
    assert len(set(told)) == 3
    assert all("{" not in text for text in told)


def copies_in_play(game: Game, state: np.record) -> list[int]:
    """How many copies of each card there are: one, or in a game with decks as many as both lists hold."""
    if game.deck_rules is None:
        return [1] * len(game.card_ids)
    if "mains" in state.dtype.names:  # the lists are cards by slot, and the mains lie beside them
        return np.bincount([*state.lists.ravel(), *state.mains], minlength=len(game.card_ids)).tolist()
    return np.sum(state.lists, axis=0).tolist()


def test_zones_are_plain_data_and_hold_every_card_as_often_as_it_is_in_play(game):
    said_again = ("set", "cancelled", "still_to_act", "entry_of", "fighters", "fought")
    for _, state in random_states(game, games=10):
        zones = game.zones(state)
        assert json.loads(json.dumps(zones)) == zones
        text = json.dumps([value for key, value in zones.items() if key not in said_again])
        assert [text.count(f'"{card}"') for card in game.card_ids] == copies_in_play(game, state)


def test_tarot_duel_described_for_both_seats_and_openly():
    s = scene(
        hands=(["The Moon", "The Empress"], ["The Sun", "The Star", "Death"]),
        deck=["The World", "The Lovers"],
        discards=["Judgement"],
        waiting=([], ["Justice"]),
        wins=(2, 1),
        turns_left=3,
        turn=4,
        seen=(["Death", "The Lovers"], []),
    )
    play(s, "play The Moon")

    def lines(hand_0: str, set_0: str, hand_1: str, deck: str) -> list[str]:
        return [
            "Turn 4, 3 left. Wins 2 : 1.",
            "player_0 (draws first)",
            f"  hand     {hand_0}",
            f"  has set  {set_0}",
            "  field    none",
            "  waiting  none",
            "player_1",
            f"  hand     {hand_1}",
            "  field    none",
            "  waiting  Justice (11)",
            f"deck       {deck}",
            "discards   Judgement (20)",
            "spare      The Fool (0), The Magician (1), The High Priestess (2), The Emperor (4), The Hierophant (5), "
            "The Chariot (7), Strength (8), The Hermit (9), Wheel of Fortune (10), The Hanged Man (12), "
            "Temperance (14), The Devil (15), The Tower (16)",
            "player_1 decides which card to play.",
        ]

    def told(seat: int | None) -> list[str]:
        return TAROT.describe(s.table, s.state, seat).splitlines()

    mine, theirs = "The Empress (3), The Moon (18)", "Death (13), The Star (17), The Sun (19)"
    assert told(None) == lines(mine, "The Moon (18)", theirs, "2 from the top: The World (21), The Lovers (6)")
    assert told(0) == lines(mine, "The Moon (18)", "Death (13), 2 unseen", "2 cards; from the top: The Lovers at 2")
    assert told(1) == lines("2 unseen", "a card, face down", theirs, "2 cards")


# --- Events and cards -----------------------------------------------------------------------------------------


def test_events_are_plain_data_and_sentences(game):
    kinds = set()
    for table, state in random_states(game):
        for event in game.events(state):
            data = game.event_data(event)
            assert json.loads(json.dumps(data)) == data
            assert data.get("card") is None or data["card"] in game.card_ids
            text = game.event_text(table, event)
            assert text == text.strip()
            assert text
            assert "{" not in text
            assert "  " not in text
            kinds.add(data["kind"])
    assert kinds


def test_every_kind_of_event_of_tarot_duel_has_a_sentence():
    event = np.zeros(1, TAROT.state_dtype["events"].base)[0]
    texts = []
    for kind, name in enumerate(EVENT_IDS):
        event["kind"], event["card"], event["value"], event["seen_by"] = kind, 3, 1, 3
        texts.append(TAROT.event_text(TAROT.table(), event))
        assert TAROT.event_data(event) == {
            "kind": name,
            "seat": 0,
            "card": "the_empress",
            "value": 1,
            "seen_by": [0, 1],
        }
    assert all(text.endswith(".") for text in texts)
    assert len(set(texts)) == len(EVENT_IDS)


@pytest.mark.parametrize(("count", "words"), [(1, "1 win"), (2, "2 wins")])
def test_gains_are_counted_in_wins(count, words):
    event = np.zeros(1, TAROT.state_dtype["events"].base)[0]
    event["kind"], event["seat"], event["card"], event["value"] = EVENT_IDS.index("wins_added"), 1, 22, count
    assert TAROT.event_text(TAROT.table(), event) == f"player_1 gains {words}."
    event["kind"] = EVENT_IDS.index("wins_blocked")
    assert TAROT.event_text(TAROT.table(), event) == f"The Emperor keeps player_1 from gaining {words}."


def test_every_card_has_an_id_names_and_a_text(shipped_game):
    columns = (shipped_game.card_ids, shipped_game.card_names, shipped_game.card_names_ja, shipped_game.card_texts)
    for column in columns:
        assert len(column) == len(shipped_game.card_ids)
        assert all(text and text == text.strip() for text in column)
    for column in columns[:-1]:  # two cards may say the same
        assert len(set(column)) == len(column)
    assert all(card.isidentifier() and card == card.lower() for card in shipped_game.card_ids)
    assert all(text.endswith(".") for text in shipped_game.card_texts)
    assert not any(text.isascii() for text in shipped_game.card_names_ja)


def test_every_reason_and_decision_has_a_name(game):
    assert game.reasons[0] == "running"
    assert len(set(game.reasons)) == len(game.reasons)
    kinds = {game.decision_kind(state) for _, state in random_states(game)}
    assert all(kind.isidentifier() for kind in kinds)


# --- Games from beginning to end ------------------------------------------------------------------------------


def told_game(game: Game, seed: int, dice_seed: int, every: int = 1) -> str:
    """A random game as text: the actions by name, everything that happens, and the table for both seats.

    The table is told at every `every`-th decision, and at the end.
    """
    table, dice = game.table(), new_stream(dice_seed)
    state, lines = game.dealt(table, seed), []
    for number in itertools.count():
        lines += [f"    {game.event_text(table, event)}" for event in game.events(state)]
        for seat in range(2) if state.over or number % every == 0 else ():
            lines += ["", f"As player_{seat} sees it:"]
            lines += [f"  {line}" for line in game.describe(table, state, seat).splitlines()]
        if state.over:
            return "\n".join([*lines, ""])
        legal = game.legal_actions(table, state)
        action = legal[below(dice, len(legal))]
        choices = ", ".join(game.action_name(table, state, choice) for choice in legal)
        lines += [
            "",
            f"player_{state.to_act} may: {choices}",
            f"player_{state.to_act}: {game.action_name(table, state, action)}",
        ]
        game.play(table, state, action)
    raise AssertionError("a game without an end")


@pytest.mark.parametrize(
    ("name", "seed", "dice_seed", "every"),
    [("tarot_duel", 1791, 2791, 1), ("tommy_walker", 929, 1929, 1), ("wizard_in_training", 360, 1360, 8)],
)
def test_a_game_is_told_as_it_always_was(name, seed, dice_seed, every):
    """REGENERATE=1 writes the file anew: read it against the rules before it is kept."""
    game = load_game(name)
    path, told = GOLDEN / f"{name}.txt", told_game(game, seed, dice_seed, every)
    if os.environ.get("REGENERATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")
    assert game.reasons[1] in told
