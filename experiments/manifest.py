"""Where a run comes from: versions, machine, commit, command."""

import hashlib
import importlib.metadata
import json
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from duelbench.envs.game import Game

_PACKAGES = ("duelbench", "numpy", "numba", "pyarrow", "torch", "stable-baselines3", "sb3-contrib")
_SOURCE = Path(__file__).resolve().parent.parent


def manifest(game: Game, config: dict[str, Any], command: list[str] | None) -> dict[str, Any]:
    """What is known about the process that starts a run with the resolved `config`."""
    return {
        "name": config["name"],
        "game": game.name,
        "game_version": game.version,
        "config_hash": config_hash(config),
        "command": command if command is not None else sys.argv,
        "started": now(),
        **commit(),
        "versions": {"python": platform.python_version()} | {name: _version(name) for name in _PACKAGES},
        "platform": platform.platform(),
        "processor": platform.machine(),
    }


def config_hash(config: dict[str, Any]) -> str:
    """Hash of a resolved config, the same in whatever order its keys stand."""
    return hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()[:16]


def commit() -> dict[str, Any]:
    """`commit` and `dirty` of the checkout that the code runs from; both None when it is not one."""
    root = _git("rev-parse", "--show-toplevel")
    if root is None or Path(root).resolve() != _SOURCE:
        return {"commit": None, "dirty": None}
    return {"commit": _git("rev-parse", "HEAD"), "dirty": bool(_git("status", "--porcelain"))}


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _git(*arguments: str) -> str | None:
    try:
        asked = subprocess.run(["git", *arguments], cwd=_SOURCE, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return asked.stdout.strip() if asked.returncode == 0 else None


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
