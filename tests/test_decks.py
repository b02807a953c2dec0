"""Decks: the files, what seats may draw from, what is refused and how, and the commands about them."""

import dataclasses
import os
import sys
from types import SimpleNamespace

import highcard
import pytest
import yaml
from typer.testing import CliRunner

from duelbench.analysis.cli import app
from duelbench.envs import registry, tommy_walker_v0
from duelbench.envs.aec import GameEnv
from duelbench.envs.batch import Batch
from duelbench.envs.decks import MAX_POOL, Deck, DeckRules, DeckSource, deck_data, deck_sources, parse_deck, read_deck
from duelbench.envs.document import read_document
from duelbench.envs.errors import BadInput

SIZE = 16
EVERY_CARD = tuple(range(highcard.CARDS))
ADVICE = "(`duelbench games decked` lists all)"


def with_decks(name, check=None):
    """High Card as a game with decks; `told` has the sources that its tables were built from."""
    told = []

    def build_table(rules, sources):
        told.append(sources)
        return highcard.build_table(rules)

    rules = DeckRules(SIZE, check)
    return dataclasses.replace(highcard.GAME, name=name, deck_rules=rules, build_table=build_table), told


GAME, TOLD = with_decks("decked")


def cards(**counts):
    """Card numbers in the order of the arguments: _3=2 stands for two copies of card 3."""
    return tuple(int(card[1:]) for card, count in counts.items() for _ in range(count))


def write(folder, text, name="mine.yaml"):
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text)
    return path


def refusal(tmp_path, text, game=GAME):
    """The line with which a deck file of that text is refused, without the folder it stands in."""
    path = write(tmp_path, text)
    with pytest.raises(BadInput) as caught:
        read_deck(game, path)
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith(str(path))
    return line.replace(f"{tmp_path}/", "")


def refused(decks, game=GAME):
    """The line with which a value of the argument `decks` is refused."""
    with pytest.raises(BadInput) as caught:
        deck_sources(game, decks)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- Deck files -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "- card_3: 2\n- card_1\n- card_7: 13\n",
        "cards:\n  - card_3: 2\n  - card_1\n  - card_7: 13\n",
        "cards: {card_3: 2, card_1: 1, card_7: 13}\n",
        "plan:\ncards: [card_3: 2, card_1: 1, card_7: 13]\n",
    ],
)
def test_a_deck_is_read_in_the_order_of_its_file(tmp_path, text):
    assert read_deck(GAME, write(tmp_path, text)) == Deck("mine", "", cards(_3=2, _1=1, _7=13))


def test_a_deck_file_may_have_a_plan_of_one_line(tmp_path):
    deck = read_deck(GAME, write(tmp_path, "plan: >\n  High cards,\n  late\ncards: {card_1: 16}", "late.high.yaml"))
    assert (deck.name, deck.plan) == ("late.high", "High cards, late")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "mine.yaml: the file is empty, expected a mapping of keys to values or a list"),
        ("hello", "mine.yaml: expected a mapping of keys to values or a list, found 'hello'"),
        ("- card_1: [", "mine.yaml:1: not YAML: "),
        ("[]", "mine.yaml: 0 cards, expected exactly 16"),
        ("- card_1", "mine.yaml:1: 1 card, expected exactly 16"),
        ("\n- card_1: 14\n- card_2", "mine.yaml:2: 15 cards, expected exactly 16"),
        ("plan: x\ncards:\n- card_1: 17", "mine.yaml:2: 17 cards, expected exactly 16"),
        ("- card_1: 1000000000000", "mine.yaml:1: 1000000000000 cards, expected exactly 16"),
        ("plan: x\ncards: 5", "mine.yaml:2: found 5, expected a list of cards"),
        ("cards:", "mine.yaml:1: found null, expected a list of cards"),
        ("plan: x", "mine.yaml: the key 'cards' is missing"),
        ("plan: 5\ncards: {card_1: 16}", "mine.yaml:1: found 5, expected a plan of one line of plain text"),
        ("cards: {card_1: 16}\nplan: |\n  a\n  b\n", "mine.yaml:2: found 'a\\nb\\n', expected a plan of one line"),
        ('plan: "a\\e[1m"\ncards: {card_1: 16}', "mine.yaml:1: found 'a\\x1b[1m', expected a plan of one line"),
        ('plan: "a\\Lb"\ncards: {card_1: 16}', "mine.yaml:1: found 'a\\u2028b', expected a plan of one line"),
        ("cards: {card_1: 16}\nplna: x", "mine.yaml:2: unknown key 'plna' (known: plan, and cards"),
        ("card_1: 16", "mine.yaml:1: unknown key 'card_1' (known: plan, and cards with all cards under it)"),
        ("- card_1: 9\n- card_2: 1\n  card_3: 6", "mine.yaml:2: found 2 cards in one entry, expected one"),
        ("- card_1: 15\n- 7", f"mine.yaml:2: found 7, expected a card id {ADVICE}"),
        ("- card_1: 15\n- [card_2]", f"mine.yaml:2: found a list, expected a card id {ADVICE}"),
        ("- 7: 16", "mine.yaml:1: key 7 is not text"),
    ],
)
def test_what_is_no_deck_is_refused_with_its_line(tmp_path, text, complaint):
    assert refusal(tmp_path, text).startswith(complaint)


@pytest.mark.parametrize(
    ("count", "found"),
    [
        ("0", "0"),
        ("-1", "-1"),
        ("1.5", "1.5"),
        ("2.0", "2.0"),
        ("true", "true"),
        ("'2'", "'2'"),
        ("", "null"),
        ("[2]", "a list"),
    ],
)
def test_a_count_is_a_whole_number_from_1_up(tmp_path, count, found):
    complaint = f"mine.yaml:3: count of 'card_2' is {found}; allowed: whole numbers from 1 up"
    assert refusal(tmp_path, f"cards:\n- card_1: 14\n- card_2: {count}") == complaint
    assert refusal(tmp_path, f"cards:\n  card_1: 14\n  card_2: {count}") == complaint


def test_a_card_listed_twice_is_refused_with_both_lines(tmp_path):
    twice = refusal(tmp_path, "- card_1: 9\n- card_2: 2\n- card_1: 5\n")
    assert twice.startswith("mine.yaml:3: card 'card_1' is listed twice, first at mine.yaml:1;")
    twice = refusal(tmp_path, "cards:\n  card_1: 9\n  card_2: 2\n  card_1: 5\n")
    assert twice == "mine.yaml:4: key 'card_1' is given twice (first on line 2)"


@pytest.mark.parametrize(
    ("written", "meant"),
    [("crad_4", "card_4"), ("Card 4", "card_4"), ("CARD_4", "card_4"), ("札４", "card_4"), ("ard", "card_0")],
)
def test_an_unknown_card_is_refused_with_the_nearest(tmp_path, written, meant):
    assert refusal(tmp_path, f"- card_1\n- {written}: 15") == (
        f"mine.yaml:2: unknown card {written!r}; did you mean {meant!r}? {ADVICE}"
    )


def test_a_name_comes_before_names_that_contain_it(tmp_path):
    names = ("Black Knight", "Knight", "Knight of Cups", *highcard.GAME.card_names[3:])
    game = dataclasses.replace(GAME, card_names=names)
    assert "; did you mean 'card_1'?" in refusal(tmp_path, "- knight", game)
    assert "; did you mean 'card_2'?" in refusal(tmp_path, "- of cups", game)


@pytest.mark.parametrize("written", ["dragon", "七", "''"])
def test_a_card_like_none_is_refused_without_a_guess(tmp_path, written):
    assert refusal(tmp_path, f"- card_1\n- {written}: 15") == (
        f"mine.yaml:2: unknown card {yaml.safe_load(written)!r} {ADVICE}"
    )


def test_where_there_is_no_deck_file_is_said(tmp_path):
    with pytest.raises(BadInput, match=r"nope\.yaml: no such file"):
        read_deck(GAME, tmp_path / "nope.yaml")
    with pytest.raises(BadInput, match="is a directory, expected a YAML file"):
        read_deck(GAME, tmp_path)


def test_a_pipe_is_no_deck_file(tmp_path):
    """Reading it would wait for somebody to write."""
    path = tmp_path / "mine.yaml"
    os.mkfifo(path)
    with pytest.raises(BadInput, match=r"mine\.yaml: neither a file nor a folder$"):
        read_deck(GAME, path)
    assert refused(path) == f"decks: {path}: neither a file nor a folder"
    assert refused(tmp_path) == f"{path}: neither a file nor a folder"


def test_a_game_may_have_more_rules_for_its_decks(tmp_path):
    game, _ = with_decks("decked", lambda cards: "more than 4 copies of card_1" if cards.count(1) > 4 else None)
    assert refusal(tmp_path, "- card_2: 11\n- card_1: 5", game) == "mine.yaml:1: more than 4 copies of card_1"
    assert read_deck(game, write(tmp_path, "- card_2: 12\n- card_1: 4")).cards.count(1) == 4
    assert refused({"card_1": 16}, game) == "decks: more than 4 copies of card_1"
    assert refused(Deck("mine", "", (1,) * SIZE), game) == "decks: deck 'mine': more than 4 copies of card_1"


def test_a_list_is_a_document_only_where_it_is_allowed(tmp_path):
    path = write(tmp_path, "- a\n- {b: 1}\n")
    document = read_document(path, allow_list=True)
    assert document.data == ["a", {"b": 1}]
    assert document.where((1, "b")) == f"{path}:2"
    with pytest.raises(BadInput, match="expected a mapping of keys to values, found a list"):
        read_document(path)


# --- Decks as plain data --------------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", ["", "High cards: late"])
def test_a_deck_comes_back_from_its_data_in_the_same_order(tmp_path, plan):
    deck = Deck("mine", plan, cards(_7=1, _2=3, _5=12))
    data = deck_data(GAME, deck)
    assert parse_deck(GAME, data, "decks", "mine") == deck
    assert read_deck(GAME, write(tmp_path, yaml.safe_dump(data))) == deck


def test_a_deck_whose_copies_stand_apart_has_no_file():
    deck = Deck("mine", "", (1, *cards(_2=14), 1))
    assert deck_sources(GAME, deck)[0].decks == (deck,)
    with pytest.raises(BadInput, match="'mine': cannot be written, as copies of a card do not stand together"):
        deck_data(GAME, deck)


def test_data_in_place_is_refused_with_its_place():
    for data, complaint in (
        ({"card_1": 15, "card_9x": 1}, "decks.a.card_9x: unknown card"),
        (["card_1", {"card_2": 0}], "decks.a[1].card_2: count of 'card_2' is 0"),
        ({"cards": [{"card_1": 8}, {"card_1": 8}]}, "decks.a.cards[1].card_1: card 'card_1' is listed twice, first at"),
        ({"card_1": 15}, "decks.a: 15 cards"),
        ({"plan": "hi"}, "decks.a: the key 'cards' is missing"),
        ({"plan": [], "cards": {}}, "decks.a.plan: found a list, expected a plan"),
        ({"cards": None}, "decks.a.cards: found null, expected a list"),
        (7, "decks.a: found 7"),
    ):
        with pytest.raises(BadInput) as caught:
            parse_deck(GAME, data, "decks.a")
        assert str(caught.value).startswith(complaint)


def test_a_caller_may_name_the_place_in_his_own_way():
    with pytest.raises(BadInput, match=r"^line of \('cards', 0, 'card_9x'\): unknown card"):
        parse_deck(GAME, {"cards": [{"card_9x": 16}]}, lambda location: f"line of {location}")
    with pytest.raises(BadInput, match=r"^line of \('player_1', 0, 'card_1'\): count"):
        deck_sources(GAME, {"player_0": None, "player_1": [{"card_1": 0}]}, lambda location: f"line of {location}")


# --- Spare cards ----------------------------------------------------------------------------------------------

SPARED = dataclasses.replace(GAME, deck_rules=DeckRules(SIZE, spares=(0, 7)))
"""The game with decks, with card 0 or 7 kept beside them."""


@pytest.mark.parametrize("plan", ["", "High cards: late"])
@pytest.mark.parametrize("spare", [None, 0, 7])
def test_a_spare_card_is_read_and_written(tmp_path, spare, plan):
    deck = Deck("mine", plan, cards(_7=1, _2=15), spare)
    data = deck_data(SPARED, deck)
    assert list(data) == ["plan"] * bool(plan) + ["spare"] * (spare is not None) + ["cards"]
    assert parse_deck(SPARED, data, "decks", "mine") == deck
    assert read_deck(SPARED, write(tmp_path, yaml.safe_dump(data))) == deck
    assert deck_sources(SPARED, deck)[0].decks == (deck,)


def test_a_deck_of_cards_and_counts_alone_has_no_spare(tmp_path):
    assert deck_sources(SPARED, {"card_2": 16})[0].decks[0].spare is None
    assert read_deck(SPARED, write(tmp_path, "- card_2: 16")).spare is None
    assert Deck("mine", "", ()).spare is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("cards: {card_1: 16}\nspare: card_5", "mine.yaml:2: 'card_5' cannot be a spare; allowed: card_0, card_7"),
        ("cards: {card_1: 16}\nspare: crad_0", f"mine.yaml:2: unknown card 'crad_0'; did you mean 'card_0'? {ADVICE}"),
        ("cards: {card_1: 16}\nspare:", f"mine.yaml:2: found null, expected a card id {ADVICE}"),
        ("cards: {card_1: 16}\nspare: [card_0]", f"mine.yaml:2: found a list, expected a card id {ADVICE}"),
        (
            "cards: {card_1: 16}\nspares: card_0",
            "mine.yaml:2: unknown key 'spares' (known: plan, spare, and cards with",
        ),
        ("spare: card_0", "mine.yaml: the key 'cards' is missing"),
    ],
)
def test_a_wrong_spare_is_refused_with_its_line(tmp_path, text, complaint):
    assert refusal(tmp_path, text, SPARED).startswith(complaint)


def test_a_wrong_spare_in_place_is_refused_with_its_place():
    for given, complaint in (
        (
            {"spare": "card_5", "cards": {"card_1": 16}},
            "decks.spare: 'card_5' cannot be a spare; allowed: card_0, card_7",
        ),
        ({"spare": "card_0", "card_1": 16}, "decks.card_1: unknown key 'card_1' (known: plan, spare, and cards"),
        (Deck("mine", "", (1,) * SIZE, 5), "decks: deck 'mine': 'card_5' cannot be a spare; allowed: card_0, card_7"),
        (Deck("mine", "", (1,) * SIZE, 8), "decks: deck 'mine': card 8; allowed: numbers from 0 to 7"),
    ):
        assert refused(given, SPARED).startswith(complaint)


def test_a_game_without_spares_does_not_know_the_word(tmp_path):
    text = "cards: {card_1: 16}\nspare: card_0"
    assert refusal(tmp_path, text).startswith("mine.yaml:2: unknown key 'spare' (known: plan, and cards with all")
    assert refused({"spare": 1, "card_1": 15}).startswith("decks.spare: unknown card 'spare'")
    told = "decks: deck 'mine': 'card_0' cannot be a spare; allowed: none, as decks of decked have none"
    assert refused(Deck("mine", "", (1,) * SIZE, 0)) == told


# --- What seats draw from -------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    """A folder with the decks a, b and c, and a file that is none."""
    for number, name in enumerate("bca"):
        write(tmp_path / "pool", f"- card_{number}: 16", f"{name}.yaml")
    write(tmp_path / "pool", "", "README.md")
    return tmp_path / "pool"


@pytest.mark.parametrize("decks", [None, "random"])
def test_decks_are_random_over_all_cards_if_nothing_is_said(decks):
    assert deck_sources(GAME, decks) == (DeckSource(allowed=EVERY_CARD),) * 2
    assert deck_sources(GAME, decks)[0].random


def test_random_decks_may_be_kept_to_some_cards():
    assert deck_sources(GAME, {"random": ["card_5", "card_2"]})[1] == DeckSource(allowed=(2, 5))


def test_a_game_may_refuse_cards_of_which_no_random_deck_is_legal():
    asked = []

    def check_allowed(numbers):
        asked.append(numbers)
        return None if len(numbers) > 1 else "one card is too few"

    game = dataclasses.replace(GAME, deck_rules=DeckRules(SIZE, check_allowed=check_allowed))
    assert deck_sources(game, {"random": ["card_5", "card_2"]})[0].allowed == (2, 5)
    assert refused({"random": ["card_3"]}, game) == "decks.random: one card is too few"
    assert refused({"player_0": None, "player_1": {"random": ["card_3"]}}, game).startswith(
        "decks.player_1.random: one"
    )
    assert asked == [(2, 5), (3,), (3,)]


def test_one_deck_is_a_pool_of_one(folder):
    for decks in (folder / "a.yaml", str(folder / "a.yaml"), {"card_2": 16}, {"cards": [{"card_2": 16}]}):
        one, other = deck_sources(GAME, decks)
        assert one == other
        assert not one.random
        assert [deck.cards for deck in one.decks] == [cards(_2=16)]


def test_a_folder_is_a_pool_in_the_order_of_names(folder):
    source, _ = deck_sources(GAME, str(folder))
    assert [(deck.name, deck.cards[0]) for deck in source.decks] == [("a", 2), ("b", 0), ("c", 1)]


def test_a_list_is_a_pool_in_its_order(folder):
    given = Deck("given", "", cards(_6=16))
    source, _ = deck_sources(GAME, [folder / "c.yaml", given, {"card_7": 16}, str(folder / "a.yaml")])
    assert [deck.cards[0] for deck in source.decks] == [1, 6, 7, 2]
    assert source.decks[1] is given


def test_each_seat_may_have_its_own(folder):
    one, other = deck_sources(GAME, {"player_1": {"random": ["card_3"]}, "player_0": folder})
    assert [deck.name for deck in one.decks] == ["a", "b", "c"]
    assert other == DeckSource(allowed=(3,))


def test_a_pool_has_its_largest_size():
    assert len(deck_sources(GAME, [{"card_1": 16}] * MAX_POOL)[0].decks) == MAX_POOL
    assert refused([{"card_1": 16}] * (MAX_POOL + 1)) == "decks: found 65 decks, allowed: 1 to 64"
    assert refused([]) == "decks: found 0 decks, allowed: 1 to 64"


@pytest.mark.parametrize(
    ("decks", "complaint"),
    [
        ("randm", "decks: randm: no such deck file or folder; did you mean 'random'?"),
        ("Random", "decks: Random: no such deck file or folder; did you mean 'random'?"),
        ("", "decks: found '', expected the path of a deck file or of a folder of them"),
        ([""], "decks[0]: found '', expected the path"),
        ("a" * 5000, f"decks: {'a' * 247}...: cannot be read: File name too long"),
        ("a\0", "decks: a\0: cannot be read: embedded null byte"),
        (__file__ + "/mine.yaml", f"decks: {__file__}/mine.yaml: no such deck file or folder"),
        (["card_1"], "decks[0]: card_1: no such deck file or folder; for a deck in place write {card_1: count, ...}"),
        (5, "decks: found 5; a deck is"),
        (True, "decks: found true; a deck is"),
        ([None], "decks[0]: found null; a deck is"),
        ([["card_1"] * 16], "decks[0]: found a list; a deck is"),
        (["random"], "decks[0]: random decks stand alone, as in `decks: random`"),
        ([{"random": ["card_1"]}], "decks[0]: random decks stand alone"),
        ({"b" * 81: 16}, f"decks.{'b' * 81}: unknown card '{'b' * 77}...' ("),
        ([{"card_1": "b" * 81}], f"decks[0].card_1: count of 'card_1' is '{'b' * 77}...'; allowed"),
        ({}, "decks: 0 cards, expected exactly 16"),
        ({"card_1": 15}, "decks: 15 cards, expected exactly 16"),
        ({"player_0": "random"}, "decks: player_1 is missing; expected decks for both seats"),
        ({"player_2": "random"}, "decks.player_2: unknown seat 'player_2' (known: player_0, player_1)"),
        ({"player_0": "random", "player_1": {"card_1": 3}}, "decks.player_1: 3 cards"),
        ({"player_0": {"player_0": None, "player_1": None}, "player_1": None}, "decks.player_0.player_0: unknown card"),
        ({"random": []}, "decks.random: found an empty list, expected a list of card ids"),
        ({"random": "card_1"}, "decks.random: found 'card_1', expected a list of card ids"),
        ({"random": ["card_1", "crad_2"]}, "decks.random[1]: unknown card 'crad_2'; did you mean 'card_2'?"),
        ({"random": ["card_1", "card_1"]}, "decks.random[1]: card 'card_1' is listed twice"),
        ({"random": ["card_1"], "card_2": 1}, "decks.card_2: found 'card_2' beside 'random'"),
        (Deck("mine", "", (1,) * 15), "decks: deck 'mine': 15 cards, expected exactly 16"),
        (Deck("mine", "", (1,) * 15 + (8,)), "decks: deck 'mine': card 8; allowed: numbers from 0 to 7"),
        (Deck("mine", "", (1,) * 15 + (True,)), "decks: deck 'mine': card True; allowed: numbers from 0 to 7"),
    ],
)
def test_what_nobody_can_draw_from_is_refused(decks, complaint):
    assert refused(decks).startswith(complaint)


def test_only_a_word_close_to_random_is_taken_for_it():
    assert refused("grand") == "decks: grand: no such deck file or folder"


def test_a_fault_in_a_file_of_a_pool_is_told_with_file_and_line(folder):
    path = write(folder, "- card_1: 9\n- card_2: 1.5", "b.yaml")
    assert refused(folder).startswith(f"{path}:2: count of 'card_2' is 1.5")


def test_a_folder_without_decks_is_refused(tmp_path):
    assert refused(tmp_path) == f"decks: {tmp_path}: no *.yaml file in this folder"
    write(tmp_path, "- card_1: 16", "mine.yml")
    ending = "; end the names of deck files in .yaml instead of .yml"
    assert refused(tmp_path) == f"decks: {tmp_path}: no *.yaml file in this folder{ending}"


# --- Games and faces ------------------------------------------------------------------------------------------


def test_a_table_is_built_from_what_both_seats_draw_from():
    for make in (GAME.table, lambda **given: GameEnv(GAME, **given), lambda **given: Batch(GAME, None, 2, **given)):
        TOLD.clear()
        make(decks={"player_0": {"card_2": 16}, "player_1": "random"})
        make()
        fixed, of_all = DeckSource(decks=(Deck("deck", "", cards(_2=16)),)), DeckSource(allowed=EVERY_CARD)
        assert [(fixed, of_all), (of_all, of_all)] == TOLD


@pytest.mark.parametrize(
    ("rules", "complaint"),
    [
        (
            {"max_rounds": "5"},
            "rules.max_rounds is the text '5'; allowed: a whole number from 1 to 1000",
        ),
        ({"max_rounds": None}, "rules.max_rounds is null; allowed: a whole number from 1 to 1000"),
        ({"max_rounds": True}, "rules.max_rounds is true; allowed: a whole number from 1 to 1000"),
        ({"permit_misplay": "yes"}, "rules.permit_misplay is the text 'yes'; allowed: true, false"),
        ({"permit_misplay": [True]}, "rules.permit_misplay is a list; allowed: true, false"),
        (
            {"deckout_check": "immediatly"},
            "rules.deckout_check is the text 'immediatly'; allowed: immediate, end_of_round; did you mean 'immediate'?",
        ),
        ({"deckout_check": "a" * 81}, f"rules.deckout_check is the text '{'a' * 77}...'; allowed: immediate, end_of"),
        ({"max_round": 5}, "rules.max_round: tommy_walker has no rule option 'max_round'; did you mean 'max_rounds'?"),
        (5, "rules: found 5; expected a mapping from rule options to their values"),
    ],
)
def test_rules_that_a_game_does_not_have_are_refused(rules, complaint):
    with pytest.raises(BadInput) as caught:
        tommy_walker_v0.env(rules=rules)
    assert str(caught.value).startswith(complaint)
    assert "\n" not in str(caught.value)


def test_rules_and_decks_go_together():
    assert GAME.table({"rounds": 2}, decks={"card_2": 16}).rounds == 2


def test_a_game_without_decks_takes_none(tmp_path):
    path = write(tmp_path, "- card_1: 16")
    for make in (
        lambda: highcard.GAME.table(decks="random"),
        lambda: GameEnv(highcard.GAME, decks={"card_1": 16}),
        lambda: Batch(highcard.GAME, None, 2, decks={"card_1": 16}),
        lambda: deck_sources(highcard.GAME, None),
        lambda: parse_deck(highcard.GAME, {"card_1": 16}, "decks"),
    ):
        with pytest.raises(BadInput, match=r"^decks: highcard is played without decks$"):
            make()
    with pytest.raises(BadInput, match=r"mine\.yaml: highcard is played without decks"):
        read_deck(highcard.GAME, path)


def test_a_ready_table_has_its_decks_already():
    table = GAME.table()
    assert Batch(GAME, table, 2).count == 2
    with pytest.raises(BadInput, match="decks: a ready table was given"):
        Batch(GAME, table, 2, decks="random")


# --- Tommy Walker ---------------------------------------------------------------------------------------------


def lists_dealt(env, games=30):
    """For each seat the decks that it had in some games, as sorted card ids."""
    seen = [set(), set()]
    for seed in range(games):
        env.reset(seed=seed)
        for seat, counts in enumerate(env.state_record().lists):
            copies = zip(env.game.card_ids, counts.tolist(), strict=True)
            seen[seat].add(tuple(card for card, count in sorted(copies) for _ in range(count)))
    return seen


def test_seats_are_dealt_what_they_draw_from():
    one, two = ("ralph",) * 16, ("maria",) * 4 + ("ralph",) * 12
    env = tommy_walker_v0.env(decks={"player_0": [{"ralph": 16}, {"ralph": 12, "maria": 4}], "player_1": "random"})
    mine, theirs = lists_dealt(env)
    assert mine == {one, two}
    assert len(theirs) == 30
    assert {len(deck) for deck in theirs} == {16}
    env = tommy_walker_v0.env(decks={"player_0": {"random": ["iska", "ralph"]}, "player_1": {"iska": 16}})
    mine, theirs = lists_dealt(env)
    assert {card for deck in mine for card in deck} == {"iska", "ralph"}
    assert theirs == {("iska",) * 16}


def test_the_examples_of_the_environment_are_right(tmp_path, monkeypatch):
    write(tmp_path, "- maria: 16")
    write(tmp_path / "folder", "- maria: 16")
    monkeypatch.chdir(tmp_path)
    lines = [line.strip() for line in tommy_walker_v0.__doc__.splitlines()]
    examples = [line for line in lines if line.startswith(("deck =", "tommy_walker_v0.env("))]
    names = {"tommy_walker_v0": tommy_walker_v0}
    assert len(examples) == 7
    for example in examples:
        exec(example, names)


def test_a_card_is_found_by_its_japanese_name_too(tmp_path):
    game = tommy_walker_v0.env().game
    for word, card in (("カリスト", "calist"), ("清廉騎士・カリスト", "calist"), ("Queen Algora", "algora")):
        assert f"unknown card '{word}'; did you mean '{card}'?" in refusal(tmp_path, f"- {word}: 16", game)


# --- Commands -------------------------------------------------------------------------------------------------


@pytest.fixture
def known(monkeypatch):
    """The only games: High Card without decks, and with."""
    monkeypatch.setitem(sys.modules, "decked", SimpleNamespace(GAME=GAME))
    monkeypatch.setattr(registry, "_MODULES", {"highcard": "highcard", "decked": "decked"})
    return monkeypatch


def also_known(monkeypatch, name):
    """One more game with decks."""
    monkeypatch.setitem(sys.modules, name, SimpleNamespace(GAME=with_decks(name)[0]))
    monkeypatch.setitem(registry._MODULES, name, name)


def call(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def good(tmp_path):
    return write(tmp_path, "plan: Late\ncards: {card_3: 14, card_1: 2}")


@pytest.mark.usefixtures("known")
def test_right_decks_are_called_ok(good, folder):
    result = call("decks", "check", good, folder)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        f"{good}: ok, 16 cards, 2 different: Late",
        *(f"{folder / name}.yaml: ok, 16 cards, 1 different" for name in "abc"),
    ]


@pytest.mark.usefixtures("known")
def test_all_decks_are_checked_though_one_is_wrong(good, folder, tmp_path):
    bad = write(folder, "- card_1", "b.yaml")
    empty = tmp_path / "empty"
    empty.mkdir()
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    result = call("decks", "check", tmp_path / "nope.yaml", folder, empty, "", pipe, "a" * 300, good)
    assert result.exit_code == 2
    assert [line.split(":")[0] for line in result.stdout.splitlines()] == [
        str(folder / "a.yaml"),
        str(folder / "c.yaml"),
        str(good),
    ]
    assert result.stderr.splitlines() == [
        f"duelbench: {tmp_path / 'nope.yaml'}: no such deck file or folder",
        f"duelbench: {bad}:1: 1 card, expected exactly 16",
        f"duelbench: {empty}: no *.yaml file in this folder",
        "duelbench: found '', expected the path of a deck file or of a folder of them",
        f"duelbench: {pipe}: neither a file nor a folder",
        f"duelbench: {'a' * 247}...: cannot be read: File name too long",
    ]


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("random", "no deck can be called 'random', which stands for random decks"),
        ("sp ace", "'sp ace' is not a usable name; allowed: 1 to 64 letters, digits and _ . + -, beginning with"),
        ("a" * 65, f"'{'a' * 65}' is not a usable name; allowed: 1 to 64 letters"),
    ],
)
def test_a_deck_whose_name_no_run_can_use_is_wrong(tmp_path, name, told):
    path = write(tmp_path, "- card_1: 16", f"{name}.yaml")
    result = call("decks", "check", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"duelbench: {path}: {told}")


@pytest.mark.usefixtures("known")
def test_a_deck_is_shown_as_a_table(good):
    lines = call("decks", "show", good).stdout.splitlines()
    assert lines[:2] == ["mine: 16 cards, 2 different", "Late"]
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in lines if line.startswith("│")]
    assert rows == [["14", "card_3", "Card 3", "札3", ""], ["2", "card_1", "Card 1", "札1", ""]]


@pytest.mark.usefixtures("known")
def test_a_wrong_deck_is_not_shown(tmp_path):
    path = write(tmp_path, "- card_1")
    result = call("decks", "show", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"duelbench: {path}:1: 1 card, expected exactly 16\n"


def test_the_game_is_the_one_named_or_the_folder_or_the_only_one(known, tmp_path, good):
    assert call("decks", "show", good).exit_code == 0
    also_known(known, "other")
    result = call("decks", "check", good)
    assert result.exit_code == 2
    assert result.stderr == f"duelbench: {good}: which game is it for? Say so with --game (known: decked, other)\n"
    assert "decked is played" not in call("decks", "check", good, "--game", "decked").output
    assert call("decks", "check", good, "--game", "other").exit_code == 0
    path = write(tmp_path / "other", "- crad_1: 16")
    for given in (path, path.parent):
        assert "`duelbench games other` lists all" in call("decks", "check", given).stderr


@pytest.mark.usefixtures("known")
def test_a_game_that_has_no_decks_is_refused(good):
    assert call("decks", "check", good, "--game", "highcard").stderr == (
        f"duelbench: {good}: highcard is played without decks\n"
    )
    assert "unknown game 'deckd'; did you mean 'decked'?" in call("decks", "show", good, "--game", "deckd").stderr


def test_without_a_game_with_decks_there_is_nothing_to_check(known, good):
    known.delitem(registry._MODULES, "decked")
    assert call("decks", "check", good).stderr == f"duelbench: {good}: there is no game with decks\n"


@pytest.mark.usefixtures("known")
def test_a_game_says_the_size_of_its_decks():
    assert "Decks of exactly 16 cards" in call("games", "decked").stdout
    without = call("games", "highcard")
    assert without.exit_code == 0
    assert "Decks of" not in without.stdout


@pytest.mark.parametrize("command", ["check", "show"])
def test_the_commands_about_decks_explain_themselves(command):
    result = call("decks", command, "--help")
    assert result.exit_code == 0
    assert f"duelbench decks {command} mine.yaml" in result.stdout


def test_the_deck_file_in_the_help_is_one():
    shown = [line for line in call("decks", "--help").stdout.splitlines() if line.startswith("   ")]
    text = "\n".join(line for line in shown if "duelbench" not in line)
    assert yaml.safe_load(text) == {"plan": "Swarm, then one big attack", "cards": [{"knight": 4}, "dragon"]}
