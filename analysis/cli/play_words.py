"""Card names in what a game tells: found, given in both languages, and looked up from what a person types."""

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duelbench.envs.game import Game


def plain(text: str) -> str:
    """Text as it is compared: without differences of case, width and blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


class CardNames:
    """The names of a game's cards; with `japanese` they stand in both languages wherever the game tells something."""

    def __init__(self, game: "Game", japanese: bool) -> None:
        self._game = game
        self._japanese = japanese
        self._numbers = {name: card for card, name in enumerate(game.card_names)}
        longest_first = sorted(self._numbers, key=lambda name: (-len(name), name))
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")

    def told(self, text: str) -> str:
        """The text as it is shown."""
        return self._pattern.sub(lambda found: self._both(found.group()), text) if self._japanese else text

    def in_both(self, text: str) -> str:
        """The text with both names of every card, for finding what somebody means."""
        return self._pattern.sub(lambda found: self._both(found.group()), text)

    def text_of(self, told: str) -> str:
        """The printed text of the first card that is named in `told`, empty without one."""
        found = self._pattern.search(told)
        return self._game.card_texts[self._numbers[found.group()]] if found else ""

    def found(self, word: str) -> list[int]:
        """The cards that have `word` in an id or a name, or alone the one that is called so."""
        wanted, game = plain(word), self._game
        names = list(zip(game.card_ids, game.card_names, game.card_names_ja, strict=True))
        exact = [card for card, own in enumerate(names) if wanted in map(plain, own)]
        return exact or [card for card, own in enumerate(names) if any(wanted in plain(name) for name in own)]

    def _both(self, name: str) -> str:
        return f"{name}（{self._game.card_names_ja[self._numbers[name]]}）"
