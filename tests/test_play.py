"""Games of a person against an agent: what is shown, what may be typed, and what is kept of them."""

import io
import json
import signal
import subprocess
import sys

import numpy as np
import pytest
from conftest import ALL_GAMES, SHIPPED_DECKS, game_called
from rich.cells import cell_len
from rich.console import Console
from small_runs import highcard_known  # noqa: F401
from typer.testing import CliRunner

from duelbench.agents.agent import Agent
from duelbench.agents.catalogue import parse_spec
from duelbench.agents.policy import Policy, fingerprint, save_policy
from duelbench.analysis.cli import app
from duelbench.analysis.cli.play import _prepare_stdin
from duelbench.analysis.cli.play_entry import Command, action_of, command_of
from duelbench.analysis.cli.play_table import actions_view, counted_alike, table_view, taken_apart
from duelbench.analysis.cli.play_words import CardNames
from duelbench.envs.dispatch import SECRET
from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.registry import game_names, load_game
from duelbench.experiments.play import LiveGame, Setting, ask_again
from duelbench.experiments.play_file import read_game, save_game

MANY = "1\n2\n3\n1\n" * 1500
"""Entries enough for a whole game; where there is no such action, the next one is taken."""
SHORT = {"wizard_in_training": ["--rules", "max_turns=12"]}


@pytest.fixture
def here(tmp_path, monkeypatch, highcard_known):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def call(*arguments, entries=None):
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=entries)


def play(*arguments, entries=MANY):
    """The output of a game on seat 0 that is played with seed 5 and kept in game.json."""
    settings = ("--seed", 5, "--seat", 0, "--save", "game.json")
    result = call("play", *arguments, *settings, entries=entries)
    assert result.exit_code == 0, result.output + repr(result.exception)
    return result.stdout


def one_line(result):
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


def setting(name="highcard", opponent="random", seat=0, seed=5, **rules):
    game = game_called(name)
    spec = parse_spec({"type": opponent}, "test").for_game(name)
    return Setting(game, game.resolved_rules(rules), (None, None), seat, spec, opponent, seed)


def until_my_turn(live):
    while not live.over and not live.my_turn:
        live.opponent_plays()


# --- Whole games -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL_GAMES)
def test_a_whole_game_is_played_through_a_pipe_kept_told_and_verified(here, name):
    shown = play(name, "--against", "random", "--lang", "ja", *SHORT.get(name, []))
    saved = read_game("game.json")
    words = "Drawn" if saved.winner < 0 else "You lose" if saved.winner else "You win"
    assert f"\n{words}: {saved.reason}.\n" in shown
    assert "duelbench replay game.json" in shown
    assert "\x1b" not in shown
    assert saved.seats == ("you", "random")
    told = call("replay", "game.json").stdout.splitlines()
    assert told[-1].endswith(f"{saved.reason} ({len(saved.actions)} decisions).")
    assert "player_0 is you" in "\n".join(told)
    lines = call("replay", "game.json", "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line)["decision"]["action"] for line in lines[1:-1]] == list(saved.actions)
    checked = call("verify", "game.json", "--agents")
    assert checked.exit_code == 0
    assert f"all {len(saved.actions)} decisions replayed, and the opponent gave the same answers" in checked.stdout


def test_a_script_can_play_by_names_in_a_process_of_its_own(here):
    live = LiveGame(setting())
    entries = "nonsense\n? card 3\n" + "".join(f"{name.removeprefix('play ')}\n" for name in live.legal().values())
    command = [sys.executable, "-c", "from duelbench.analysis.cli import main; main()", "play", "highcard"]
    command += ["--against", "random", "--seed", "5", "--seat", "0", "--save", "game.json"]
    done = subprocess.run(command, input=entries, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        "> nonsense\n'nonsense' is none of the actions here; type a number from 1 to 3, or ? for help\n" in done.stdout
    )
    assert "> ? card 3\nCard 3（札3）: no text\n" in done.stdout
    assert list(read_game("game.json").actions[::2]) == list(live.legal())


def test_a_closed_input_is_an_empty_one(here, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    _prepare_stdin()
    with sys.stdin as opened:
        assert opened.read() == ""


def test_the_same_seed_is_the_same_game(here):
    first = play("highcard", "--against", "random")
    again = call("play", "highcard", "--against", "random", "--seed", 5, "--seat", 0, "--save", "b.json", entries=MANY)
    assert again.stdout == first.replace("game.json", "b.json")
    other = call("play", "highcard", "--against", "random", "--seed", 6, "--seat", 0, "--save", "c.json", entries=MANY)
    assert read_game("c.json").deal_seed != read_game("b.json").deal_seed
    assert other.exit_code == 0


def test_a_game_without_a_file_name_is_kept_among_the_games_played(here):
    for name in ("highcard-5.json", "highcard-5-2.json"):
        shown = call("play", "highcard", "--against", "random", "--seed", 5, entries=MANY).stdout
        assert f"runs/played/{name}" in shown
        assert (here / "runs" / "played" / name).is_file()


# --- Leaving -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["", "quit\n"])
def test_whoever_leaves_keeps_what_was_played(here, end):
    shown = play("highcard", "--against", "random", entries=f"1\n{end}")
    saved = read_game("game.json")
    assert "Left before the end." in shown
    assert (len(saved.actions), saved.winner, saved.reason) == (2, None, None)
    assert "it was left before its end" in call("verify", "game.json", "--agents").stdout
    assert call("replay", "game.json").stdout.splitlines()[-1] == (
        "The game was left here, before its end (2 decisions)."
    )
    last = json.loads(call("replay", "game.json", "--format", "jsonl").stdout.splitlines()[-1])
    assert last == {"result": {"winner": None, "reason": None, "decisions": 2}}


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_and_a_closed_terminal_keep_what_was_played(here, monkeypatch, ending, request):
    usual = signal.default_int_handler if ending == signal.SIGINT else signal.SIG_DFL
    started_with = signal.signal(
        ending, usual
    )  # what runs in the background of a shell may have been told to ignore it
    request.addfinalizer(lambda: signal.signal(ending, started_with))
    entries, before = iter(["1"]), signal.getsignal(ending)

    def typed(prompt):
        try:
            return next(entries)
        except StopIteration:
            signal.raise_signal(ending)

    monkeypatch.setattr("builtins.input", typed)
    result = call("play", "highcard", "--against", "random", "--seed", 5, "--seat", 0, "--save", "game.json")
    assert result.exit_code == 130
    assert result.stderr == "duelbench: interrupted\n"
    assert len(read_game("game.json").actions) == 2
    assert signal.getsignal(ending) is before


def test_where_nothing_was_played_nothing_is_kept(here):
    assert "Left before anything was played." in play("highcard", "--against", "random", entries="save\nquit\n")
    assert not (here / "game.json").exists()


def test_an_opponent_that_fails_ends_the_game_in_one_line_and_it_is_kept(here):
    result = call(
        "play", "highcard", "--against", "odd_agents:CrashesAtOnce", "--seat", 0, "--save", "g.json", entries="1\n"
    )
    assert result.exit_code == 2
    assert result.stderr == "duelbench: CrashesAtOnce failed at decision 2: ZeroDivisionError: never thought at all\n"
    assert len(read_game("g.json").actions) == 1


def test_an_illegal_answer_of_the_opponent_is_refused():
    live = LiveGame(setting())
    live.play(next(iter(live.legal())))
    live._opponent.act = lambda position, stream: next(iter(np.flatnonzero(position.mask == 0)))
    with pytest.raises(BadInput, match="random answers with an illegal action: player_1 may not play Card"):
        live.opponent_plays()
    assert len(live.actions) == 1


# --- Who knows what ----------------------------------------------------------------------------------------


class Spy(Agent):
    """Takes the first legal action and keeps what it was given."""

    def __init__(self):
        self.positions = []

    def act(self, position, rng):
        self.positions.append(position)
        return position.legal_actions[0]


@pytest.mark.parametrize("name", ALL_GAMES)
def test_the_opponent_is_given_what_its_seat_may_know(name):
    live = LiveGame(setting(name))
    spy = live._opponent = Spy()
    rng = np.random.default_rng(1)
    for _ in range(30):
        if live.my_turn:
            live.play(int(rng.choice(list(live.legal()))))
        elif not live.over:
            truth = live.state.copy()
            live.opponent_plays()
            root = spy.positions[-1].root
            assert root.rng != truth.rng
            assert (live.game.observation(live.table, root, 1) == spy.positions[-1].observation).all()
    assert spy.positions


UNSEEN_RULES = {"wizard_in_training": {"duel_commit": "hidden_equipment"}}


@pytest.mark.parametrize("name", game_names())
def test_events_that_a_seat_does_not_see_are_told_without_their_card(name):
    game = load_game(name)
    table, rng, unseen = game.table(UNSEEN_RULES.get(name)), np.random.default_rng(2), set()
    for seed in range(25):
        state = game.dealt(table, seed)
        for _ in range(150):
            for event in game.events(state):
                for seat in range(2):
                    told = game.event_told(table, event, seat)
                    if event["seen_by"] >> seat & 1:
                        assert told == game.event_text(table, event)
                    elif event["seen_by"] & SECRET:
                        assert told == ""
                    else:
                        unseen.add(game.event_data(event)["kind"])
                        assert not any(card in told for card in game.card_names)
                        assert told.startswith((f"player_{event['seat']} ", "A card "))
            if state.over:
                break
            game.play(table, state, int(rng.choice(game.legal_actions(table, state))))
    assert unseen == set(game.unseen_events)


def test_what_the_opponent_sets_is_not_told_before_it_comes_to_light():
    live = LiveGame(setting("tarot_duel", seat=1))
    until_my_turn(live)
    assert [step.action for step in live.steps] == [""] * len(live.steps)
    assert live.steps[-1].news == ("player_0 sets a card face down.",)


def test_the_person_may_not_do_what_the_rules_forbid():
    live = LiveGame(setting())
    forbidden = next(action for action in range(8) if action not in live.legal())
    with pytest.raises(IllegalAction):
        live.play(forbidden)
    assert live.actions == []


# --- The screen --------------------------------------------------------------------------------------------


def printed(view, width):
    console = Console(file=io.StringIO(), width=width)
    console.print(view(console) if callable(view) else view)
    return console.file.getvalue()


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("width", [80, 120])
def test_the_table_is_drawn_whole_in_narrow_and_wide_terminals(name, width):
    live = LiveGame(setting(name))
    rng = np.random.default_rng(3)
    for japanese in (False, True) * 8:
        until_my_turn(live)
        if live.over:
            break
        names = CardNames(live.game, japanese)
        shown = printed(table_view(live.described(), 0, ("you", "random"), names), width)
        actions = list(live.legal().values())
        shown += printed(lambda console, actions=actions, names=names: actions_view(console, actions, names), width)
        assert max(map(cell_len, shown.splitlines())) <= width
        assert "…" not in shown
        for action in actions if not japanese else []:
            assert action in " ".join(shown.split())
        held = [name for zone, name in taken_apart(live.described()).zones[0] if zone == "hand"]
        for card in held[0].split(": ")[-1].split(", ") if not japanese else []:
            assert card in shown
        live.play(int(rng.choice(list(live.legal()))))


@pytest.mark.parametrize("name", game_names())
def test_nothing_of_a_description_is_lost(name):
    live = LiveGame(setting(name))
    until_my_turn(live)
    found = taken_apart(live.described())
    assert [len(found.zones[seat]) > 2 for seat in range(2)] == [True, True]
    assert len(found.lines) == 2
    parts = [word for rows in (*found.zones.values(), found.middle) for row in rows for word in " ".join(row).split()]
    lost = set(live.described().split()) - set(parts) - set(" ".join(found.lines).split())
    assert lost <= {"player_0", "player_1", "(draws", "first)"}


def test_news_that_repeat_themselves_are_counted():
    assert counted_alike(("a.", "a.", "b.", "a.")) == ["a. (2 times)", "b.", "a."]
    assert counted_alike(()) == []


def test_card_names_stand_in_both_languages_where_they_are_wanted():
    game = load_game("tarot_duel")
    assert CardNames(game, True).told("player_0 reveals The Fool.") == "player_0 reveals The Fool（愚者）."
    assert CardNames(game, False).told("player_0 reveals The Fool.") == "player_0 reveals The Fool."
    assert CardNames(game, True).told("The Foolish") == "The Foolish"


# --- Entries -----------------------------------------------------------------------------------------------

LEGAL = {7: "play The Sun", 3: "play The Star", 9: "play The Moon", 20: "pass"}
ENTRIES = {
    "1": 7,
    "4": 20,
    "１": 7,
    "sun": 7,
    "  THE   sun ": 7,
    "star": 3,
    "月": 9,
    "pass": 20,
    "the_m": None,
    "moon": 9,
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_action_is_meant_by_its_number_or_a_part_of_its_name(entry):
    names = CardNames(load_game("tarot_duel"), False)
    if ENTRIES[entry] is None:
        with pytest.raises(BadInput):
            action_of(entry, LEGAL, names)
    else:
        assert action_of(entry, LEGAL, names) == ENTRIES[entry]


def test_a_whole_name_is_meant_even_if_it_is_a_part_of_another():
    names = CardNames(load_game("tarot_duel"), False)
    assert action_of("pay", {1: "pay", 2: "pay more"}, names) == 1


REFUSED_ENTRIES = {
    "0": "there is no action 0 here; they are 1 to 4",
    "5": "there is no action 5 here; they are 1 to 4",
    "9" * 5000: "there is no action 999999999 here; they are 1 to 4",
    "-1": "'-1' is none of the actions here",
    "st": "'st' is none",
    "the s": "'the s' could be: play The Sun, play The Star",
    "": "type the number of an action or a part of its name; ? for help",
    "x" * 5000: f"'{'x' * 40}' is none of the actions here; type a number from 1 to 4, or ? for help",
}


@pytest.mark.parametrize("entry", REFUSED_ENTRIES, ids=lambda entry: entry[:9])
def test_an_entry_that_means_nothing_or_several_gets_one_line(entry):
    legal = LEGAL if entry != "st" else {7: "play The Sun"}
    with pytest.raises(BadInput) as refused:
        action_of(entry, legal, CardNames(load_game("tarot_duel"), False))
    assert str(refused.value).startswith(REFUSED_ENTRIES[entry])
    assert "\n" not in str(refused.value)


def test_an_empty_entry_takes_the_only_action():
    assert action_of("", {4: "draw a card"}, CardNames(load_game("tarot_duel"), False)) == 4


def test_commands_are_told_apart_from_actions():
    assert command_of("? the fool") == command_of("?the fool") == Command("?", "the fool")
    assert command_of("HINT 300") == Command("hint", "300")
    assert command_of("why!") == Command("why!", "")
    assert [command_of(entry) for entry in ("", "1", "hints", "play")] == [None] * 4


# --- Advice and accounts -----------------------------------------------------------------------------------

SEARCH = "{type: ismcts, simulations: 40}"


def test_help_and_wrong_commands_leave_the_game_where_it_is(here):
    shown = play("tarot_duel", "--against", "random", entries="?\n? fool\n? xyz\nhint x\nhint 0\nwhy\nquit\n")
    assert "hint [N]" in shown
    assert "The Fool（愚者）: Beats any card" in shown
    assert "no card has 'xyz' in its name" in shown
    assert "hint x: allowed is a whole number from 1 to 1,000,000" in shown
    assert "hint 0: allowed" in shown
    assert "the opponent has decided nothing yet" in shown
    assert shown.count("You: ") == 0


def test_a_hint_shows_every_action_and_changes_nothing(here):
    shown = play("highcard", "--against", SEARCH, entries="hint 50\n1\nhint 50\n1\n1\n")
    table = shown.partition("hint 50")[2].partition("visits: games of")[0]
    rows = [line.split() for line in table.splitlines() if " Card " in line]
    assert sum(int(row[3]) for row in rows) == 50
    assert len(rows) == 3
    assert "█" in table
    hinted = read_game("game.json").actions
    (here / "game.json").unlink()
    play("highcard", "--against", SEARCH, entries="1\n1\n1\n")
    assert read_game("game.json").actions == hinted


def test_what_the_opponent_considered_is_shown_after_a_warning_or_after_the_game(here):
    shown = play("highcard", "--against", SEARCH, entries="1\nwhy\nwhy!\n1\n1\nwhy 2\nwhy 3\nwhy 9\nwhy x\n\n")
    warned, _, rest = shown.partition("> why\n")[2].partition("> why!\n")
    assert warned == "this may show what the opponent holds: why! shows it now, why after the game\n"
    opened, _, ended = rest.partition("You: ")
    after = ended.partition("> why 2\n")[2].partition("> why 3")[0]
    for told in (opened, after):
        assert told.startswith("Decision 2, ismcts: play Card")
        assert told.count("<- taken") == 1
        assert sum(int(line.split("taken")[-1].split()[0]) for line in told.splitlines() if "<- taken" in line) > 0
    assert "decision 3 was yours; the opponent's last one was 6" in shown
    assert "why 9: allowed is a whole number from 1 to 6" in shown


def test_a_policy_tells_its_probabilities(here):
    game = load_game("highcard")
    sizes = np.array([game.view_size, game.num_actions + 1])
    weights = np.zeros((sizes[0] + 1) * sizes[1], np.float32)
    save_policy(here / "p.npz", Policy(weights, sizes, fingerprint(game, game.resolved_rules(None))))
    shown = play("highcard", "--against", "{type: ppo, checkpoint: p.npz}", entries="1\nwhy!\n")
    assert shown.count("33.3%") == 3


def test_an_agent_that_tells_nothing_is_said_to(here):
    assert "random had no choice, or does not tell" in play("highcard", "--against", "random", entries="1\nwhy!\n")


# --- What is given -----------------------------------------------------------------------------------------

REFUSED = {
    "highcrad --against random": "unknown game 'highcrad'; did you mean 'highcard'?",
    "highcard --against rnadom": "--against: unknown agent type 'rnadom'; did you mean 'random'?",
    "highcard --against [a": "--against: '[a' is not YAML",
    "highcard --against 3": "--against: expected a mapping such as {type: ismcts, simulations: 1000}, found 3",
    "highcard --against {type:_ismcts,_simulation:_2}": "--against: ismcts has no parameter 'simulation'",
    "highcard --against {type:_ppo,_train:_x}": "--against: train is for runs; name the trained policy",
    "highcard --against {type:_ppo,_checkpoint:_no.npz}": "--against: there is no policy file no.npz",
    "highcard --against random --rules rounds": "--rules: found 'rounds'; expected OPTION=VALUE",
    "highcard --against random --rules rounds=9": "--rules: rules.rounds is 9; allowed: 3, 1, 2",
    "highcard --against random --rules rounds=1 --rules rounds=2": "--rules: rounds is given twice",
    "highcard --against random --deck x.yaml": "--deck: highcard is played without decks",
    "deckcard --against random --decks nowhere": "nowhere: no such deck file or folder",
    "highcard --against random --save there.json": "--save: there.json exists; name a new file",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_cannot_be_played_is_refused_in_one_line(here, line):
    (here / "there.json").write_text("mine")
    words = [word.replace("_", " ") if word.startswith("{") else word for word in line.split()]
    assert REFUSED[line] in one_line(call("play", *words))
    assert (here / "there.json").read_text() == "mine"
    assert sorted(path.name for path in here.rglob("*.json")) == ["there.json"]


def test_rules_and_a_seat_are_as_they_were_asked_for(here):
    result = call(
        "play",
        "highcard",
        "--against",
        "random",
        "--seat",
        1,
        "--seed",
        1,
        "--rules",
        "rounds=1",
        "--save",
        "g.json",
        entries=MANY,
    )
    saved = read_game("g.json")
    assert "you are player_1, random is player_0. Seed 1." in result.stdout
    assert (dict(saved.rules), len(saved.actions), saved.seats) == ({"rounds": 1}, 2, ("random", "you"))


def test_the_seed_decides_the_seat_where_it_is_random(here):
    seats = set()
    for seed in range(6):
        call("play", "highcard", "--against", "random", "--seed", seed, "--save", f"{seed}.json", entries=MANY)
        seats.add(read_game(f"{seed}.json").seats)
    assert len(seats) == 2


def test_decks_are_drawn_from_what_is_given_for_either_side(here):
    (here / "pool").mkdir()
    for name in ("one", "two", "three"):
        (here / "pool" / f"{name}.yaml").write_text("plan: Be high\ncards: [card_1, card_2]\n")
    (here / "mine.yaml").write_text("cards: {card_3: 2}\n")
    drawn = set()
    for seed in range(8):
        path = f"{seed}.json"
        shown = call(
            "play", "deckcard", "--against", "random", "--seed", seed, "--seat", 1,
            "--deck", "mine.yaml", "--decks", "pool", "--save", path, entries=MANY,
        ).stdout  # fmt: skip
        theirs, mine = read_game(path).decks
        assert (mine.name, mine.cards) == ("mine", (3, 3))
        assert f"player_0 plays the deck {theirs.name}: Be high\nplayer_1 plays the deck mine\n" in shown
        assert f"player_0 is random with the deck {theirs.name}: Be high" in call("replay", path).stdout
        assert call("verify", path, "--agents").exit_code == 0
        drawn.add(theirs.name)
    assert len(drawn) > 1


def test_shipped_decks_are_kept_with_the_game(here):
    files = SHIPPED_DECKS / "wizard_in_training" / "long_fingers.yaml"
    play("wizard_in_training", "--against", "random", "--decks", files, entries="1\n")
    before = read_game("game.json")
    save_game(here / "again.json", before)
    assert read_game("again.json").decks == before.decks
    assert before.decks[0].name == "long_fingers"


# --- The file ----------------------------------------------------------------------------------------------

DAMAGED = {
    "another winner": ({"winner": 5}, "winner and reason are (5, "),
    "no winner": ({"winner": None}, "no winner is noted"),
    "an illegal action": ({"actions": [99]}, "may not take action 99"),
    "too few actions": ({"actions": []}, "the game is not over after all 0 actions"),
}
UNREADABLE = {
    "another format": ({"format": "x"}, "its format is not 'duelbench game 1'"),
    "another version": ({"version": 0}, "made with version 0 of highcard, which is now at 1"),
    "no such game": ({"game": "chess"}, "unknown game 'chess'"),
    "rules": ({"rules": {"rounds": 7}}, "rules.rounds is 7; allowed: 3, 1, 2"),
    "seats": ({"seats": ["you"]}, "seats is a list; expected the names of two players"),
    "actions": ({"actions": [1.5]}, "actions is a list; expected a list of whole numbers"),
    "a seed": ({"deal_seed": -1}, "deal_seed is -1; expected a whole number from 0"),
}


@pytest.fixture
def kept(here):
    play("highcard", "--against", "random")
    return here / "game.json"


def damage(path, changes):
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


@pytest.mark.parametrize("case", DAMAGED)
def test_a_game_that_does_not_hold_is_found(kept, case):
    changes, told = DAMAGED[case]
    damage(kept, changes)
    checked = call("verify", kept)
    assert checked.exit_code == 1
    assert told in checked.stdout
    assert told in call("replay", kept).stderr


@pytest.mark.parametrize("case", UNREADABLE)
def test_a_file_that_is_no_game_is_one_line(kept, case):
    changes, told = UNREADABLE[case]
    damage(kept, changes)
    assert told in one_line(call("verify", kept))
    assert told in one_line(call("replay", kept))


def test_answers_that_the_opponent_does_not_give_are_found(kept):
    saved = read_game(kept)
    other = next(action for action in range(8) if action not in saved.actions)
    damage(kept, {"origin": {**saved.origin, "seed": 6}})
    assert "deal_seed is" in call("verify", kept, "--agents").stdout
    live = LiveGame(setting())
    live.play(saved.actions[0])
    live._opponent.act = lambda position, stream: next(a for a in position.legal_actions if a != saved.actions[1])
    live.opponent_plays()
    assert ask_again(live.saved(), "x") == f"decision 2 is {live.actions[1]}, should be {saved.actions[1]}"
    assert other not in saved.actions


def test_other_files_are_no_games(here):
    (here / "photo").write_bytes(b"\xff\xd8")
    assert "photo: neither a run folder nor a saved game" in one_line(call("replay", "photo"))
    assert "photo: neither a run folder nor a saved game" in one_line(call("verify", "photo"))


def test_a_number_belongs_to_a_run_alone(kept):
    assert "has no number" in one_line(call("replay", kept, "--game", 0))
