"""How fast a run goes, and when it will be done, from what its games cost."""

import time
from collections import deque
from dataclasses import dataclass

_SECONDS_REMEMBERED = 300.0
_SECONDS_BETWEEN_MARKS = 1.0
_SECONDS_NEEDED = 0.5
"""Before so much time has been watched, a rate would be a guess."""


@dataclass(frozen=True)
class Pace:
    """None where nothing can be said yet."""

    games_per_second: float | None
    seconds_left: float | None


UNKNOWN = Pace(None, None)


class Clock:
    """Watches the last minutes of a run; matchups count by what their games cost (`experiments.costs`)."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, float, float]] = deque()

    def pace(self, games: float, units: float, units_left: float) -> Pace:
        """The pace after `games` games have been played that cost `units`, where `units_left` are still to be played.

        Games that were there before the first call are no part of the rate.
        """
        now = time.monotonic()
        if self._marks and units <= self._marks[0][2]:  # nothing has been played yet: the watch begins with the games
            self._marks.clear()
        if not self._marks or now - self._marks[-1][0] >= _SECONDS_BETWEEN_MARKS:
            self._marks.append((now, games, units))
        while now - self._marks[0][0] > _SECONDS_REMEMBERED and len(self._marks) > 1:
            self._marks.popleft()
        began, games_then, units_then = self._marks[0]
        passed = now - began
        if passed < _SECONDS_NEEDED:
            return UNKNOWN
        return Pace((games - games_then) / passed, units_left * passed / (units - units_then))
