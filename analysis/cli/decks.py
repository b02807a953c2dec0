"""`duelbench decks`: whether deck files are right, and what is in them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duelbench.analysis.cli.errors import fail
from duelbench.envs.errors import BadInput

if TYPE_CHECKING:
    from duelbench.envs.decks import Deck
    from duelbench.envs.game import Game

HELP = """Check deck files, and show what is in them.

A deck file is a YAML file with a list of cards by their ids, which
`duelbench games NAME` lists, each with its number of copies. The name of the
file is the name of the deck.

\b
  plan: Swarm, then one big attack   # one line; may be left out
  cards:
    - knight: 4                      # four copies
    - dragon                         # one copy

In Wizard in Training a line `spare: kelli_crisp` beside them may name the
main character that steps in if both players have the same one.

The order of the cards matters for comparisons only: a seed shuffles the
places of this list, so two decks that differ in one card are dealt alike but
for that card.

\b
Examples:
  duelbench decks check mine.yaml
  duelbench decks check configs/decks/tommy_walker
  duelbench decks show mine.yaml
"""

GameName = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="NAME",
        help="The game; if not given, the one that a folder of the path is called like, or the only one with decks.",
    ),
]

decks = typer.Typer(name="decks", help=HELP, no_args_is_help=True, rich_markup_mode="rich")


@decks.command()
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Deck files, or folders of *.yaml.")],
    game: GameName = None,
) -> None:
    """Say of each deck whether it is right, or what is wrong with it.

    All files are read; the exit code is 2 if any deck is wrong.

    \b
    Examples:
      duelbench decks check mine.yaml other.yaml
      duelbench decks check configs/decks/tommy_walker
      duelbench decks check mine.yaml --game tommy_walker
    """
    exits = [wrong for given in files for wrong in _check(given, game)]
    if exits:
        raise exits[0]


@decks.command()
def show(file: Annotated[Path, typer.Argument(metavar="FILE", help="Deck file.")], game: GameName = None) -> None:
    """Print a deck as a table.

    \b
    Example:
      duelbench decks show mine.yaml
    """
    from duelbench.analysis.cli.tables import stdout_console, table
    from duelbench.envs.decks import read_deck

    played = _game_of(file, game)
    deck = read_deck(played, file)
    console = stdout_console()
    console.print(f"{deck.name}: {_size(deck)}", style="bold")
    if deck.plan:
        console.print(deck.plan)
    if deck.spare is not None:
        console.print(f"spare: {played.card_names[deck.spare]}")
    if played.notice:
        console.print(played.notice, style="yellow")
    console.print(table(played.title, ["count", "id", "name", "Japanese name", "text"], _lines(played, deck), 5))


def _check(given: str, name: str | None) -> list[typer.Exit]:
    """Say what is right and what is wrong about the decks at `given`; one exit for each that is wrong."""
    from duelbench.envs.decks import deck_paths

    try:
        files = deck_paths(given)
    except BadInput as error:
        return [fail(str(error))]
    return [wrong for file in files if (wrong := _check_one(file, _game_of(file, name)))]


def _check_one(file: Path, game: "Game") -> typer.Exit | None:
    from duelbench.envs.decks import read_deck
    from duelbench.experiments.decks import check_deck_name

    try:
        deck = read_deck(game, file)
        check_deck_name(deck.name, str(file))
    except BadInput as error:
        return fail(str(error))
    typer.echo(f"{file}: ok, {_size(deck)}" + (f": {deck.plan}" if deck.plan else ""))
    return None


def _game_of(file: Path, name: str | None) -> "Game":
    """The game called `name`, or the one that a deck file at this place can only be meant for."""
    from duelbench.envs.registry import game_names, load_game

    if name is not None:
        return load_game(name, "--game")
    games = {game.name: game for game in map(load_game, game_names()) if game.deck_rules is not None}
    for folder in reversed(file.absolute().parent.parts):
        if folder in games:
            return games[folder]
    if len(games) == 1:
        return next(iter(games.values()))
    known = f"which game is it for? Say so with --game (known: {', '.join(games)})"
    raise BadInput(f"{file}: {known if games else 'there is no game with decks'}")


def _size(deck: "Deck") -> str:
    return f"{len(deck.cards)} cards, {len(set(deck.cards))} different"


def _lines(game: "Game", deck: "Deck") -> list[tuple[Any, ...]]:
    texts = (game.card_ids, game.card_names, game.card_names_ja, game.card_texts)
    return [(deck.cards.count(card), *(text[card] for text in texts)) for card in dict.fromkeys(deck.cards)]
