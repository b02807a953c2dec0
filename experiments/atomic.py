"""Files that are there whole or not at all, whatever happens while they are written."""

import json
import os
from pathlib import Path
from typing import Any
from uuid import uuid4

from duelbench.envs.errors import BadInput

_ENDING = ".tmp"
_LEFTOVERS = (f".*{_ENDING}", "*.partial")  # ours, and those of policy files


def write_bytes(path: Path, data: bytes) -> None:
    """Write `path` through a temporary file beside it. Raises BadInput when the disk is full or read-only."""
    temporary = path.with_name(f".{path.name}.{uuid4().hex}{_ENDING}")  # others may be on other machines
    try:
        try:
            _write_through(temporary, data)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except OSError as error:
        raise BadInput(cannot_write(path, error)) from None


def write_json(path: Path, data: Any) -> None:
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    write_bytes(path, text.encode(errors="backslashreplace"))  # a file name may be no text; JSON has the same escape


def make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(cannot_write(path, error)) from None


def remove_leftovers(folder: Path) -> None:
    """Delete the temporary files of writers that were killed. Nobody may be writing there."""
    for pattern in _LEFTOVERS:
        for path in folder.glob(pattern):
            path.unlink(missing_ok=True)


def cannot_write(path: Path, error: OSError) -> str:
    return f"{path}: cannot be written: {error.strerror or error}; what was finished before is kept"


def _write_through(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
