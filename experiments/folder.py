"""The folder of a run: `config.yaml`, `manifest.json`, `status.json`, `checkpoints/`, `games/part-*.parquet`.

Whoever runs holds a lock on the folder, which the system frees when the process ends in whatever way. Every
file is written whole or not at all, so what a killed run leaves behind is what it had finished.
"""

import fcntl
import json
import os
import time
from pathlib import Path
from typing import Any, Self

import yaml

from duelbench.envs.document import read_document
from duelbench.envs.errors import BadInput
from duelbench.experiments.atomic import cannot_write, make_folder, remove_leftovers, write_bytes, write_json
from duelbench.experiments.config import RunConfig, load_config
from duelbench.experiments.manifest import manifest, now
from duelbench.experiments.plan import Chunk, chunks
from duelbench.experiments.rows import part_path

_TRIES = 5
_SECONDS_BETWEEN_TRIES = 0.05
_MISSING = "nothing"
_WAY_OUT = "Change the run's name, or delete the folder"


def checkpoint_path(folder: Path, training: str) -> Path:
    """Where the result of a training of the config is kept."""
    return folder / "checkpoints" / f"{training}.npz"


def given_checkpoint_path(folder: Path, agent: str) -> Path:
    """Where the checkpoint file that an agent was given is kept, so that the run can be repeated from its folder."""
    return folder / "checkpoints" / "given" / f"{agent}.npz"


def load_run_config(folder: str | Path, agents_play: bool = True) -> RunConfig:
    """The config of an existing run, as `load_config` reads it; BadInput when `folder` is not a run folder."""
    path = Path(folder) / "config.yaml"
    if not path.is_file():
        raise BadInput(f"{folder}: not a run folder (it has no config.yaml)")
    if is_search(path.parent):
        raise BadInput(f"{folder}: a search for decks; its run is {path.parent / 'validation'}")
    return load_config(path, agents_play)


def is_search(folder: Path) -> bool:
    """Whether the folder is of a search for decks, which keeps its run in a folder of its own."""
    return (folder / "decks").is_dir() and not (folder / "games").exists()


def read_json(path: Path) -> dict[str, Any]:
    """A JSON file of a run folder; BadInput when it is missing or damaged."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: cannot be read: {' '.join(str(error).split())}") from None
    if not isinstance(data, dict):
        raise BadInput(f"{path}: expected a mapping")
    return data


def take_lock(folder: Path) -> int:
    """The handle of a lock on the folder, free again when it is closed or the process ends; BadInput when in use."""
    path = folder / ".lock"
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise BadInput(cannot_write(path, error)) from None
    for left in reversed(range(_TRIES)):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except OSError:
            if left:
                time.sleep(_SECONDS_BETWEEN_TRIES)
    else:
        os.close(lock)
        raise BadInput(f"{folder}: in use by another process; wait for it, or change the run's name") from None
    return lock


def is_locked(folder: Path) -> bool:
    """Whether a process works in the folder. Does not disturb it, nor one that is about to begin."""
    try:
        lock = os.open(folder / ".lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)  # others that ask may hold it too; `take_lock` tries again
    except OSError:
        return True
    finally:
        os.close(lock)
    return False


class RunFolder:
    """A run folder while a run works in it: `with RunFolder(root, config, command) as folder`."""

    def __init__(self, root: str | Path, config: RunConfig, command: list[str] | None = None) -> None:
        self.config = config
        self.path = Path(root) / config.name
        self._command = command
        self._lock = -1

    def __enter__(self) -> Self:
        """Take the folder; BadInput when it is in use, was made by another config or cannot be written."""
        for folder in (self.path, self.path / "games", self.path / "checkpoints" / "given"):
            make_folder(folder)
        self._lock = take_lock(self.path)
        try:
            self.clean()
            self._match_config()
            self._match_version()
        except BaseException:
            os.close(self._lock)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._lock)

    def clean(self) -> None:
        """Remove the half-written files of killed processes."""
        for folder in (self.path, self.path / "games", self.path / "checkpoints", self.path / "checkpoints" / "given"):
            remove_leftovers(folder)

    def has_part(self, chunk: Chunk) -> bool:
        return part_path(self.path, chunk.part).exists()

    @property
    def has_manifest(self) -> bool:
        return (self.path / "manifest.json").exists()

    def games_stored(self) -> int:
        return sum(chunk.games for chunk in chunks(self.config) if self.has_part(chunk))

    def has_checkpoint(self, training: str) -> bool:
        return checkpoint_path(self.path, training).exists()

    def write_status(self, state: str, games_done: int, games_total: int, **more: Any) -> None:
        """`state` is running, finished, interrupted or failed."""
        status = {"state": state, "games_done": games_done, "games_total": games_total, "updated": now()}
        write_json(self.path / "status.json", status | more)

    def note_start(self) -> None:
        """Work begins: the first time this makes the manifest, later it adds to the manifest's list `continued`."""
        path = self.path / "manifest.json"
        started = manifest(self.config.load_game(), self.config.resolved(), self._command)
        if path.exists():
            first = read_json(path)
            started = first | {"continued": [*first.get("continued", []), started]}
        write_json(path, started)

    def _match_config(self) -> None:
        path = self.path / "config.yaml"
        wanted = self.config.resolved()
        if not self._holds_results():
            self._forget_start()
            write_bytes(path, _as_yaml(wanted))
            return
        differing = differences(read_document(path).data, wanted)
        if differing:
            raise BadInput(f"{self.path}: made by another config: {'; '.join(differing)}. {_WAY_OUT}")

    def _holds_results(self) -> bool:
        return any(self.path.glob("games/*.parquet")) or any(self.path.glob("checkpoints/*.npz"))

    def _forget_start(self) -> None:
        """A run that failed before its first result must not stand in the way of a corrected config."""
        for path in [self.path / "manifest.json", *self.path.glob("checkpoints/given/*.npz")]:
            path.unlink(missing_ok=True)

    def _match_version(self) -> None:
        path, now_at = self.path / "manifest.json", self.config.load_game().version
        made_with = read_json(path).get("game_version") if path.exists() else now_at
        if made_with != now_at:
            told = f"made with version {made_with} of {self.config.game}, which is now at version {now_at}"
            raise BadInput(f"{self.path}: {told}. {_WAY_OUT}")


def _as_yaml(config: dict[str, Any]) -> bytes:
    try:
        text: str = yaml.safe_dump(config, sort_keys=False, allow_unicode=True)
        return text.encode()
    except yaml.YAMLError as error:  # the default of an agent from elsewhere may be any object
        raise BadInput(f"config: an agent has a parameter that cannot be written down: {error}") from None


def differences(found: Any, wanted: Any, key: str = "") -> list[str]:
    """`key is X there and Y here` for every key in which two resolved configs differ."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        told: list[str] = []
        for name in [*found, *(name for name in wanted if name not in found)]:
            told += differences(
                found.get(name, _MISSING), wanted.get(name, _MISSING), f"{key}.{name}" if key else str(name)
            )
        return told
    if found == wanted and type(found) is type(wanted):
        return []
    return [f"{key} is {_short(found)} there and {_short(wanted)} here"]


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
