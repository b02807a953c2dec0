"""What a person types at the table: the number or a part of the name of an action, or a word of command."""

from dataclasses import dataclass

from duelbench.analysis.cli.play_words import CardNames, plain
from duelbench.envs.errors import BadInput

COMMANDS = ("?", "help", "table", "hint", "why", "why!", "save", "quit")
_MOST_NAMED = 6


@dataclass(frozen=True)
class Command:
    word: str
    argument: str


def command_of(entry: str) -> Command | None:
    """The command that the entry is, or None; `?the fool` needs no blank."""
    words = entry.split()
    if not words:
        return None
    if words[0].startswith("?") and words[0] != "?":
        words = ["?", words[0][1:], *words[1:]]
    word = plain(words[0])
    return Command(word, " ".join(words[1:])) if word in COMMANDS else None


def action_of(entry: str, legal: dict[int, str], names: CardNames) -> int:
    """The action that is meant, by its place in the list from 1 on or by a part of its name in either language.

    An empty entry takes the only legal action. Raises BadInput with one line where none is meant, or several are.
    """
    actions, wanted = list(legal), plain(entry)
    if not wanted:
        if len(actions) == 1:
            return actions[0]
        raise BadInput("type the number of an action or a part of its name; ? for help")
    if wanted.isdecimal():
        if 1 <= int(wanted[:9]) <= len(actions):
            return actions[int(wanted[:9]) - 1]
        known = f"they are 1 to {len(actions)}" if len(actions) > 1 else "there is 1 alone"
        raise BadInput(f"there is no action {wanted[:9]} here; {known}")
    return _named(entry, wanted, legal, names)


def _named(entry: str, wanted: str, legal: dict[int, str], names: CardNames) -> int:
    known = {action: (plain(name), plain(names.in_both(name))) for action, name in legal.items()}
    exact = [action for action, own in known.items() if wanted in own]
    meant = exact or [action for action, own in known.items() if any(wanted in name for name in own)]
    shown = " ".join(entry.split())[:40]
    if not meant:
        raise BadInput(f"{shown!r} is none of the actions here; type a number from 1 to {len(legal)}, or ? for help")
    if len(meant) > 1:
        first = ", ".join(names.told(legal[action]) for action in meant[:_MOST_NAMED])
        more = ", ..." if len(meant) > _MOST_NAMED else ""
        raise BadInput(f"{shown!r} could be: {first}{more}")
    return meant[0]
