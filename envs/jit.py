"""The one decorator of every compiled function.

Numba keys its on-disk cache by the file a function is written in, so it does not notice an edit to a
callee in another file and would go on running the old rule. Here the cache folder is named by a hash of
all our sources, which makes a stale rule impossible. Runs with ``NUMBA_BOUNDSCHECK=1`` have a folder of
their own; under ``NUMBA_DISABLE_JIT=1`` the decorator returns the plain function.
"""

import functools
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

_ROOT = Path(__file__).resolve().parent.parent
_DAYS_KEPT = 14

if INTERPRETED:
    # splitmix64 is defined modulo 2**64; plain NumPy would warn at every wrap-around.
    np.seterr(over="ignore")


@functools.cache
def source_digest(folders: tuple[str, ...]) -> str:
    """Hash of every source file in `folders`, card lists included, and of what else changes the machine code."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {numba.config.BOUNDSCHECK}".encode())
    for folder in folders:
        for path in sorted([*(_ROOT / folder).rglob("*.py"), *(_ROOT / folder).rglob("*.csv")]):
            digest.update(str(path.relative_to(_ROOT)).encode() + b"\0" + path.read_bytes())
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


@functools.cache
def cache_folder(folders: tuple[str, ...]) -> Path:
    """The cache folder of code that depends on the sources in `folders` alone."""
    root = cache_root()
    folder = root / source_digest(folders)
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _forget_old_builds(root)
    return folder


def _forget_old_builds(root: Path) -> None:
    oldest = time.time() - _DAYS_KEPT * 86400
    for build in root.iterdir():
        if build.is_dir() and build.stat().st_mtime < oldest:
            shutil.rmtree(build, ignore_errors=True)


def _depends_on(function: Callable[..., Any]) -> tuple[str, ...]:
    """Games call nothing of the agents, so editing an agent need not recompile them."""
    is_game_code = Path(function.__code__.co_filename).resolve().is_relative_to(_ROOT / "envs")
    return ("envs",) if is_game_code else ("envs", "agents")


def rule(function: Function) -> Function:
    """Compile `function` when it is first called: cached on disk, free of the interpreter lock."""
    if INTERPRETED:
        return function
    others = numba.config.CACHE_DIR
    # Read when caching is enabled, and put back afterwards: other people's code keeps its own folder.
    numba.config.CACHE_DIR = str(cache_folder(_depends_on(function)))
    try:
        dispatcher = numba.njit(function, cache=True, nogil=True, no_cfunc_wrapper=True)
    finally:
        numba.config.CACHE_DIR = others
    _share_specializations(dispatcher)
    return dispatcher


def _share_specializations(dispatcher: Any) -> None:
    """Let compiled callers pass every whole number as a 64-bit one.

    Numba would compile a function anew for each constant and each width of integer that a caller happens to hold;
    with one version of each rule a cold start takes about two thirds of the time.
    """
    original = dispatcher.get_call_template

    def get_call_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return original(tuple(_widened(a) for a in args), {name: _widened(a) for name, a in kws.items()})

    dispatcher.get_call_template = get_call_template


def _widened(kind: Any) -> Any:
    kind = numba.types.unliteral(kind)
    if isinstance(kind, numba.types.Integer):
        return numba.types.int64 if kind.signed else numba.types.uint64
    return kind
