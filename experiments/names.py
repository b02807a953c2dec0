"""Names that become file names and parts of other names: of runs, agents, trainings and decks."""

import re
from typing import Any

from duelbench.envs.errors import BadInput

_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}")


def check_name(name: Any, where: str) -> None:
    """Raise BadInput, beginning with `where`, for a name that cannot be used everywhere."""
    if not isinstance(name, str) or not _SAFE.fullmatch(name):
        allowed = "1 to 64 letters, digits and _ . + -, beginning with a letter or digit"
        raise BadInput(f"{where}: {name!r} is not a usable name; allowed: {allowed}")
