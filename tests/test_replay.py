"""A stored game told again, in words and as a transcript."""

import json

import highcard
import pytest
from small_runs import RUNS, highcard_known, plain_config  # noqa: F401

from duelbench.envs.decks import deck_data
from duelbench.envs.errors import BadInput
from duelbench.experiments.config import make_config
from duelbench.experiments.folder import RunFolder
from duelbench.experiments.match import GameRow
from duelbench.experiments.plan import chunks, games_of, planned_game
from duelbench.experiments.players import Players
from duelbench.experiments.replay import replay_jsonl, replay_text
from duelbench.experiments.rows import part_bytes, part_path, read_row, read_rows

pytestmark = pytest.mark.usefixtures("highcard_known")


def stored_run(root, data):
    """The folder of a run, played in this process."""
    config = make_config(data)
    with RunFolder(root, config) as folder:
        folder.note_start()
        players = Players(folder.path, config)
        for chunk in chunks(config):
            part_path(folder.path, chunk.part).write_bytes(part_bytes(map(players.play, games_of(config, chunk))))
    return folder.path


@pytest.fixture
def folder(tmp_path):
    return stored_run(tmp_path, plain_config(deals=2))


def test_the_story_of_a_game(folder):
    row = read_row(folder, 3)
    opening = highcard.GAME.zones(highcard.GAME.dealt(highcard.GAME.table(), row.deal_seed))
    a, b, c, d, e, f = row.actions
    winner = "is drawn" if row.winner < 0 else f"{row.winner}"
    assert winner in "01"
    assert list(replay_text(folder, 3)) == [
        "Game 3 of run small: High Card, rnd vs low, deal 1",
        "player_0 is low",
        "player_1 is rnd",
        "",
        str(opening),
        "",
        f"1. player_0 (low): play Card {a}",
        f"2. player_1 (rnd): play Card {b}",
        f"   player_0 plays Card {a}",
        f"   player_1 plays Card {b}",
        f"3. player_0 (low): play Card {c}",
        f"4. player_1 (rnd): play Card {d}",
        f"   player_0 plays Card {c}",
        f"   player_1 plays Card {d}",
        f"5. player_0 (low): play Card {e}",
        f"6. player_1 (rnd): play Card {f}",
        f"   player_0 plays Card {e}",
        f"   player_1 plays Card {f}",
        "",
        f"player_{winner} ({(row.seat0, row.seat1)[row.winner]}) wins: all rounds played (6 decisions).",
    ]


def followed(lines):
    """Play High Card by hand from a transcript, believing nothing but its opening and its action names."""
    head, *steps, last = map(json.loads, lines)
    zones, points, waiting = head["opening"], [0, 0], None
    for i, step in enumerate(steps):
        decision = step["decision"]
        assert (decision["seat"], decision["kind"]) == (i % 2, "play")
        card = decision["name"].replace("play Card ", "card_")
        assert card in zones[f"hand{i % 2}"]
        if waiting is None:
            waiting = card
        else:
            for seat, played in enumerate((waiting, card)):
                zones[f"hand{seat}"].remove(played)
                zones[f"played{seat}"] = sorted([*zones[f"played{seat}"], played])
            points[int(card > waiting)] += 1
            assert [event["card"] for event in step["events"]] == [waiting, card]
            waiting = None
        assert step["state"] == zones
    winner = -1 if points[0] == points[1] else int(points[1] > points[0])
    return head, winner, last["result"], len(steps)


@pytest.mark.parametrize("number", range(4))
def test_another_engine_can_follow_the_transcript(folder, number):
    row = read_row(folder, number)
    head, winner, result, steps = followed(replay_jsonl(folder, number))
    assert result == {"winner": winner, "reason": "all rounds played", "decisions": steps}
    assert winner == row.winner
    assert (head["run"], head["number"], head["game"], head["version"]) == ("small", number, "highcard", 1)
    assert head["rules"] == {"rounds": 3}
    assert (head["seats"], head["deal_seed"]) == ([row.seat0, row.seat1], row.deal_seed)


@pytest.mark.parametrize("case", RUNS)
def test_games_of_every_run_are_told_as_they_were_played(whole_run, case):
    """Every seventh game: its agents, decks, actions and result."""
    folder, config = whole_run(case), make_config(RUNS[case])
    named = {name: deck_data(config.load_game(), deck) for name, deck in config.named_decks.items()}
    for number in range(0, len(read_rows(folder)), 7):
        row = read_row(folder, number)
        head, *steps, last = map(json.loads, replay_jsonl(folder, number))
        assert (head["seats"], head["deal_seed"]) == ([row.seat0, row.seat1], row.deal_seed)
        decks = [{"name": name, **named.get(name, {})} for name in (row.deck0, row.deck1) if name]
        assert head.get("decks", []) == decks
        assert [step["decision"]["action"] for step in steps] == row.actions
        assert last["result"] == {"winner": row.winner, "reason": row.reason, "decisions": row.decisions}
        result = "The game is drawn" if row.winner < 0 else f"player_{row.winner} ({head['seats'][row.winner]}) wins"
        assert list(replay_text(folder, number))[-1] == f"{result}: {row.reason} ({row.decisions} decisions)."


def test_a_drawn_game_is_told_as_drawn(tmp_path):
    folder = stored_run(tmp_path, plain_config(deals=1, rules={"rounds": 2}))
    config = make_config(plain_config(deals=1, rules={"rounds": 2}))
    state = highcard.GAME.dealt(highcard.GAME.table({"rounds": 2}), planned_game(config, 0).seeds.deal)
    mine, theirs = (sorted(c for c in range(8) if state.highcard_zone[c] == 1 + seat) for seat in range(2))
    drawn = next(
        (row for row in _two_rounds(config, mine, theirs) if row.winner == -1),
        None,
    )
    assert drawn is not None, "no drawn game with these hands; use another seed"
    part_path(folder, 0).write_bytes(part_bytes([drawn]))
    assert list(replay_text(folder, 0))[-1] == "The game is drawn: all rounds played (4 decisions)."


def _two_rounds(config, mine, theirs):
    """Rows of all games of two rounds between these hands."""
    planned = planned_game(config, 0)
    for a in mine:
        for c in set(mine) - {a}:
            for b in theirs:
                for d in set(theirs) - {b}:
                    score = (a > b) + (c > d)
                    winner = -1 if score == 1 else int(score == 0)
                    names = (planned.matchup, planned.deal, planned.seeds.deal, *planned.seats, *planned.decks, "")
                    yield GameRow(0, *names, winner, "all rounds played", 4, [a, b, c, d])


def test_a_game_that_is_not_there_is_refused(folder):
    with pytest.raises(BadInput, match="has no game 4; it has 4 games, numbered 0 to 3"):
        list(replay_text(folder, 4))
    with pytest.raises(BadInput, match="not a run folder"):
        list(replay_jsonl(folder / "games", 0))


DAMAGES = {
    "a card played twice": (lambda row: {"actions": [row.actions[0], row.actions[0]]}, "player_1 may not"),
    "no action of the game": (lambda row: {"actions": [9999, *row.actions[1:]]}, "may not take action 9999"),
    "a negative action": (lambda row: {"actions": [-5, *row.actions[1:]]}, "may not take action -5"),
    "too few actions": (lambda row: {"actions": row.actions[:-1]}, "the game is not over after all 5 actions"),
    "another winner": (lambda row: {"winner": 5}, "winner and reason are (5, "),
    "another reason": (lambda row: {"reason": "boredom"}, "winner and reason are"),
}


@pytest.mark.parametrize("told_by", [replay_text, replay_jsonl])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_row_is_refused(folder, damage, told_by):
    change, complaint = DAMAGES[damage]
    row = read_row(folder, 0)
    part_path(folder, 0).write_bytes(part_bytes([row._replace(**change(row))]))
    with pytest.raises(BadInput, match=r"game 0 of run small cannot be replayed: ") as refused:
        list(told_by(folder, 0))
    assert complaint in str(refused.value)
