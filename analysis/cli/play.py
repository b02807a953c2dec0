"""`duelbench play`: a game of one's own against an agent."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duelbench.analysis.cli import folders
from duelbench.envs.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from duelbench.agents.catalogue import AgentSpec
    from duelbench.envs.decks import DeckSource
    from duelbench.envs.game import Game
    from duelbench.experiments.play import Setting
    from duelbench.experiments.play_file import Decks

PLAYED = folders.RUNS / "played"


class Seat(StrEnum):
    """Where the person sits."""

    first = "0"
    second = "1"
    random = "random"


class Language(StrEnum):
    """Of the cards' names."""

    en = "en"
    ja = "ja"


def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, as in `duelbench games`.")],
    against: Annotated[str, typer.Option(metavar="AGENT", help="A type of agent, or its mapping as in a config.")],
    seat: Annotated[Seat, typer.Option(help="Your seat; random follows from the seed.")] = Seat.random,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=2**63 - 1, help="The same seed deals the same game; else a new one."),
    ] = None,
    rules: Annotated[list[str] | None, typer.Option(metavar="OPTION=VALUE", help="A rule option; repeatable.")] = None,
    deck: Annotated[str | None, typer.Option(metavar="PATH", help="Your deck: a file, or a folder of them.")] = None,
    decks: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="The opponent's, and yours without --deck; else random."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the game is kept; a new file in runs/played otherwise.")
    ] = None,
    lang: Annotated[Language, typer.Option(help="ja shows Japanese card names beside the English ones.")] = Language.en,
) -> None:
    """Play a game yourself against an agent.

    You see what your seat may know, and so does the agent. Type the number of
    an action or a part of its name; ? lists what else can be asked, such as a
    hint. However you leave, what was played is kept in a file that `replay`
    tells and `verify` checks.

    \b
    Examples:
      duelbench play tarot_duel --against heuristic
      duelbench play tarot_duel --against "{type: ismcts, simulations: 2000}"
      duelbench play tarot_duel --against random --seat 0 --seed 7 --lang ja
      duelbench play tarot_duel --against heuristic --rules death_can_extend=false
      duelbench play tarot_duel --against "{type: puct, checkpoint: pretrained}"
      duelbench play tommy_walker --against heuristic --deck mine.yaml
      duelbench play tommy_walker --against ismcts \\
          --decks configs/decks/tommy_walker
      duelbench replay runs/played/tarot_duel-7.json
    """
    from duelbench.analysis.cli.play_session import Session
    from duelbench.analysis.cli.play_words import CardNames
    from duelbench.envs.registry import load_game
    from duelbench.experiments.play import LiveGame

    played = load_game(game)
    setting = _setting(played, against, seat, _new_seed() if seed is None else seed, rules or [], deck, decks)
    path = _file(save, f"{played.name}-{setting.seed}")
    console = _console()
    with _preparing(console):
        live = LiveGame(setting)
    _prepare_stdin()
    with _ended_as_left():
        Session(live, console, CardNames(played, lang is Language.ja), path).run()


def _setting(
    game: "Game", against: str, seat: Seat, seed: int, rules: list[str], deck: str | None, decks: str | None
) -> "Setting":
    from duelbench.experiments.play import Setting, random_seat

    place = random_seat(seed) if seat is Seat.random else int(seat)
    opponent = _opponent(against, game)
    return Setting(
        game, _rules(game, rules), _decks(game, deck, decks, place, seed), place, opponent, _name(opponent), seed
    )


def _new_seed() -> int:
    """A short one, as people copy it."""
    import numpy as np

    return int(np.random.SeedSequence().generate_state(1)[0])


def verify_file(path: Path, agents: bool) -> None:
    """Say whether a saved game holds; exit code 1 if not."""
    from duelbench.experiments.play import ask_again
    from duelbench.experiments.play_file import read_game
    from duelbench.experiments.replay import replay_jsonl

    saved = read_game(path)
    try:
        decisions = sum(1 for _ in replay_jsonl(path)) - 2  # the first line is the deal, the last one the result
        problem = ask_again(saved, str(path)) if agents else ""
    except BadInput as error:
        problem = str(error)
    if problem:
        typer.echo(f"{path}: does not verify: {problem}")
        raise typer.Exit(1)
    how = "and the opponent gave the same answers again" if agents else "from the deal and its actions"
    end = "" if saved.winner is not None else "; it was left before its end"
    typer.echo(f"{path}: all {decisions} decisions replayed, {how}; the game is as it should be{end}")


# --- What is given --------------------------------------------------------------------------------------------


def _opponent(against: str, game: "Game") -> "AgentSpec":
    """The agent that a type or a mapping stands for."""
    from duelbench.agents.catalogue import parse_spec

    given = _yaml(against, "--against")
    spec = parse_spec({"type": given} if isinstance(given, str) else given, "--against").for_game(game.name)
    if spec.train is not None:
        raise BadInput("--against: train is for runs; name the trained policy: {type: ppo, checkpoint: FILE}")
    return spec


def _name(spec: "AgentSpec") -> str:
    return spec.type.rpartition(":")[2]


def _rules(game: "Game", given: list[str]) -> dict[str, Any]:
    rules = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"--rules: found {text!r}; expected OPTION=VALUE (`duelbench games {game.name}` lists them)")
        if name in rules:
            raise BadInput(f"--rules: {name} is given twice")
        rules[name] = _yaml(value, f"--rules: {name}")
    return game.resolved_rules(rules, "--rules")


def _yaml(text: str, where: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        raise BadInput(f"{where}: {text!r} is not YAML; expected a word, or a mapping as in a config") from None


def _decks(game: "Game", deck: str | None, decks: str | None, seat: int, seed: int) -> "Decks":
    """What seats 0 and 1 play with: of a folder one deck, drawn by the seed."""
    from duelbench.experiments.play import drawn_deck

    if game.deck_rules is None and deck is None and decks is None:
        return None, None
    mine = _source(game, decks, "--decks") if deck is None else _source(game, deck, "--deck")
    theirs = mine if deck is None else _source(game, decks, "--decks")
    first, second = (mine, theirs) if seat == 0 else (theirs, mine)
    return drawn_deck(first, seed, 0), drawn_deck(second, seed, 1)


def _source(game: "Game", path: str | None, where: str) -> "DeckSource":
    from duelbench.envs.decks import deck_sources

    return deck_sources(game, path, where)[0]


def _file(given: Path | None, name: str) -> Path:
    """Where the game will be kept; refused before the game, if it cannot be there."""
    from duelbench.experiments.atomic import make_folder

    if given is None:
        tries = (PLAYED / f"{name}{'' if i == 1 else f'-{i}'}.json" for i in range(1, 10**6))
        path = next(path for path in tries if not path.exists())
    else:
        path = given
    if path.exists():
        raise BadInput(f"--save: {path} exists; name a new file")
    make_folder(path.parent)
    return path


# --- The terminal ---------------------------------------------------------------------------------------------


def _console() -> "Console":
    """As wide as the terminal, or 80 columns (or COLUMNS) without colour where there is none."""
    from rich.console import Console

    return Console(force_terminal=sys.stdout.isatty(), markup=False, highlight=False, emoji=False)


@contextmanager
def _preparing(console: "Console") -> Iterator[None]:
    if not console.is_terminal:
        yield
        return
    with console.status("preparing the table; the first time this compiles the rules ..."):
        yield


@contextmanager
def _ended_as_left() -> Iterator[None]:
    """Whoever closes the terminal, or ends the process, leaves the table as with Ctrl-C, and the game is kept."""
    endings = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [signal.signal(ending, signal.default_int_handler) for ending in endings]
    try:
        yield
    finally:
        for ending, handler in zip(endings, before, strict=True):
            signal.signal(ending, handler or signal.SIG_DFL)


def _prepare_stdin() -> None:
    """Keys such as Backspace and the arrows work, and bytes that are no text do not end the game.

    Where the shell has closed the input, there is an empty one.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115  (open to the end of the process)
    with suppress(ImportError):
        import readline  # noqa: F401  (input() uses it once it is loaded)
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
