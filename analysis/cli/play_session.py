"""A person at the table: what is shown, asked and answered until the game is over or left."""

import contextlib
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from duelbench.analysis.cli.play_entry import Command, action_of, command_of
from duelbench.analysis.cli.play_table import (
    DIM,
    TITLE,
    account_view,
    actions_view,
    hint_view,
    news_view,
    table_view,
)
from duelbench.analysis.cli.play_words import CardNames
from duelbench.envs.errors import BadInput
from duelbench.experiments.play_file import save_game

if TYPE_CHECKING:
    from duelbench.experiments.play import LiveGame

PROMPT = "> "
HINT_SIMULATIONS = 2000
MOST_SIMULATIONS = 1_000_000
_CARDS_SHOWN = 8

HELP = """\
3           takes action 3 of the list; Enter takes the only one
the fool    takes the action with this part in its name, if it is one alone
? NAME      what a card does, as in: ? fool
table       draws the table again
hint [N]    asks a search of 2000 games, or of N, what it would do in your place
why [N]     what the opponent considered at its last decision, or at decision N
            of the game; during the game this gives away its hand, so it asks
            you to type why! instead
save        writes the game so far into its file
quit        leaves and keeps what was played, as do Ctrl-D and Ctrl-C"""


class Left(Exception):
    """The person has left the table."""


class Session:
    """`run` plays the game to its end on the console. The file at `path` then holds it, also when it was left."""

    def __init__(self, live: "LiveGame", console: Console, names: CardNames, path: Path) -> None:
        self._live = live
        self._console = console
        self._names = names
        self._path = path
        self._told = 0
        """The number of steps that the person has been told of."""

    def run(self) -> None:
        """Raises BadInput when the opponent fails and KeyboardInterrupt at Ctrl-C, after saving in either case."""
        try:
            self._open()
            while not self._live.over:
                self._one_turn()
            self._close()
        except (Left, EOFError):
            pass
        finally:
            self._leave()

    # --- The game ---

    def _open(self) -> None:
        live = self._live
        s = live.setting
        title = f"{live.game.title}（{live.game.title_ja}）"
        self._say(f"{title}: you are player_{s.seat}, {s.name} is player_{1 - s.seat}. Seed {s.seed}.", TITLE)
        if live.game.notice:
            self._say(live.game.notice, "yellow")
        if s.opponent.sees_everything:
            self._say(f"{s.name} cheats: it is shown your hand and the decks.", "yellow")
        for seat, deck in enumerate(s.decks):
            if deck is not None:
                plan = f": {deck.plan}" if deck.plan else ""
                self._say(f"player_{seat} plays the deck {deck.name}{plan}")
        self._say("? for help", DIM)

    def _one_turn(self) -> None:
        live = self._live
        if live.my_turn:
            self._show()
            live.play(self._ask_for_action())
            return
        with self._waiting(f"{live.setting.name} thinks"):
            live.opponent_plays()

    def _show(self) -> None:
        self._tell_news()
        self._draw()
        self._console.print(actions_view(self._console, list(self._live.legal().values()), self._names))

    def _tell_news(self) -> None:
        new = self._live.steps[self._told :]
        self._told = len(self._live.steps)
        self._say("")
        self._console.print(news_view(new, self._live.setting.seat, self._names))

    def _draw(self) -> None:
        setting = self._live.setting
        self._say("")
        self._console.print(table_view(self._live.described(), setting.seat, setting.seats, self._names))

    def _close(self) -> None:
        """The result, and time to ask how it came about."""
        self._tell_news()
        self._draw()
        self._say(self._result(), TITLE)
        self._save()
        self._say("")
        self._tell_where()
        self._say("Enter leaves; why [N] shows what the opponent considered.", DIM)
        while entry := self._ask():
            command = command_of(entry)
            if command is None:
                self._complain("the game is over; Enter leaves, why [N] shows what the opponent considered")
            else:
                self._obey(command)

    def _result(self) -> str:
        state, seat = self._live.state, self._live.setting.seat
        reason = self._live.game.reasons[int(state.reason)]
        if state.winner < 0:
            return f"Drawn: {reason}."
        return f"You {'win' if state.winner == seat else 'lose'}: {reason}."

    # --- Entries ---

    def _ask_for_action(self) -> int:
        while True:
            entry = self._ask()
            command = command_of(entry)
            if command is not None:
                self._obey(command)
                continue
            try:
                return action_of(entry, self._live.legal(), self._names)
            except BadInput as error:
                self._complain(str(error))

    def _ask(self) -> str:
        """One line from the person; EOFError where there are no more."""
        entry = input(PROMPT).strip()
        if not sys.stdin.isatty():  # a terminal shows what is typed into it
            self._say(entry)
        return entry

    def _obey(self, command: Command) -> None:
        """Raises Left; whatever else is wrong with a command is told in a line."""
        try:
            self._answer(command)
        except BadInput as error:
            self._complain(str(error))

    def _answer(self, command: Command) -> None:
        match command.word:
            case "?" | "help":
                self._help(command.argument)
            case "table":
                self._draw() if self._live.over else self._show()
            case "hint":
                self._hint(command.argument)
            case "why" | "why!":
                self._why(command.argument, self._live.over or command.word == "why!")
            case "save":
                self._save_on_request()
            case _:
                raise Left

    def _help(self, word: str) -> None:
        if not word:
            self._say(HELP)
            return
        game, cards = self._live.game, self._names.found(word)
        if not cards:
            raise BadInput(f"no card has {word!r} in its name")
        for card in cards[:_CARDS_SHOWN]:
            self._say(f"{game.card_names[card]}（{game.card_names_ja[card]}）: {game.card_texts[card] or 'no text'}")
        if len(cards) > _CARDS_SHOWN:
            self._say(f"and {len(cards) - _CARDS_SHOWN} more")

    def _hint(self, wanted: str) -> None:
        if self._live.over:
            raise BadInput("the game is over")
        simulations = _number(wanted, HINT_SIMULATIONS, MOST_SIMULATIONS, "hint")
        with self._waiting("a search thinks (the first time its code is compiled)"):
            reports = self._live.hint(simulations)
        self._console.print(hint_view(self._console, reports, self._names))
        self._say("visits: games of the search that began so; value: what they came to, from -1 lost to +1 won", DIM)

    def _why(self, wanted: str, open_: bool) -> None:
        numbers = [account.number for account in self._live.accounts]
        if not numbers:
            raise BadInput("the opponent has decided nothing yet")
        if not open_:
            raise BadInput("this may show what the opponent holds: why! shows it now, why after the game")
        number = _number(wanted, numbers[-1], len(self._live.actions), "why")
        if number not in numbers:
            raise BadInput(f"decision {number} was yours; the opponent's last one was {numbers[-1]}")
        self._show_account(number)

    def _show_account(self, number: int) -> None:
        account = next(account for account in self._live.accounts if account.number == number)
        name = self._live.setting.name
        self._say(f"Decision {number}, {name}: {self._names.told(account.action)}", TITLE)
        if account.considered:
            self._console.print(account_view(self._console, account, self._names))
        else:
            self._say(f"{name} had no choice, or does not tell what it considers.")

    # --- Keeping ---

    def _save_on_request(self) -> None:
        if not self._save():
            raise BadInput("nothing has been played yet")
        self._tell_where()

    def _leave(self) -> None:
        saved = self._save()
        if not self._live.over:
            self._say("")
            self._say("Left before the end." if saved else "Left before anything was played.")
            if saved:
                self._tell_where()

    def _tell_where(self) -> None:
        place = shlex.quote(str(self._path))
        self._say(f"Saved in    {self._path}", whole=True)
        self._say(f"In words    duelbench replay {place}", whole=True)

    def _save(self) -> bool:
        if not self._live.actions:
            return False
        save_game(self._path, self._live.saved())
        return True

    # --- The console ---

    def _say(self, text: str, style: str = "", whole: bool = False) -> None:
        """A paragraph, or with `whole` a line that is not broken, for what is copied from it."""
        self._console.print(Text(text, style), soft_wrap=whole)

    def _complain(self, text: str) -> None:
        self._say(" ".join(text.split()), "yellow")

    @contextlib.contextmanager
    def _waiting(self, words: str) -> Iterator[None]:
        if not self._console.is_terminal:
            yield
            return
        with self._console.status(f"{words} ..."):
            yield


def _number(text: str, default: int, most: int, what: str) -> int:
    """The whole number from 1 to `most` in the text; `default` where there is none."""
    if not text:
        return default
    if not (text.isdecimal() and len(text) < 10 and 1 <= int(text) <= most):
        raise BadInput(f"{what} {text}: allowed is a whole number from 1 to {most:,}")
    return int(text)
