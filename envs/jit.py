"""The one decorator of every compiled function.

Numba keys its on-disk cache by the file a function is written in, so it does not notice an edit to a
callee in another file and would go on running the old rule. Here the cache folder is named by a hash of
all our sources, which makes a stale rule impossible. Runs with ``NUMBA_BOUNDSCHECK=1`` have a folder of
their own; under ``NUMBA_DISABLE_JIT=1`` the decorator returns the plain function.
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""True when the rules run as plain Python (debugger, coverage, parity tests)."""

_COMPILED_FOLDERS = ("envs", "agents")
_DAYS_KEPT = 14

if INTERPRETED:
    # splitmix64 is defined modulo 2**64; plain NumPy would warn at every wrap-around.
    np.seterr(over="ignore")


def source_digest() -> str:
    """Hash of every source file that can hold compiled code, and of what else changes the machine code."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {numba.config.BOUNDSCHECK}".encode())
    for folder in _COMPILED_FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The folder under which every build of the rules has its own cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    root = Path(base) / "duelbench" / "numba"
    try:
        root.mkdir(parents=True, exist_ok=True)
        usable = os.access(root, os.W_OK)
    except OSError:
        usable = False
    return root if usable else Path(tempfile.gettempdir()) / f"duelbench-numba-{os.getuid()}"


def _cache_folder() -> Path:
    root = cache_root()
    folder = root / source_digest()
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _forget_old_builds(root)
    return folder


def _forget_old_builds(root: Path) -> None:
    oldest = time.time() - _DAYS_KEPT * 86400
    for build in root.iterdir():
        if build.is_dir() and build.stat().st_mtime < oldest:
            shutil.rmtree(build, ignore_errors=True)


CACHE_FOLDER = None if INTERPRETED else _cache_folder()


def rule(function: Function) -> Function:
    """Compile `function` when it is first called: cached on disk, free of the interpreter lock."""
    if INTERPRETED:
        return function
    others = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER)  # read when caching is enabled, so other code keeps its own
    try:
        return numba.njit(function, cache=True, nogil=True)
    finally:
        numba.config.CACHE_DIR = others
