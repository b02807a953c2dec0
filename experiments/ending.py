"""How a run is ended from outside: Ctrl-C, or the signal that systems send to processes that are to end."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SECONDS_TO_CLEAN_UP = 10.0
_SECONDS_TO_GET_OUT = 0.05
_COMPILER = "llvmlite.binding.executionengine"


class Terminated(KeyboardInterrupt):
    """SIGTERM has come; what follows is the same as after Ctrl-C."""


@contextmanager
def ended_from_outside() -> Iterator[None]:
    """SIGTERM raises Terminated as Ctrl-C raises KeyboardInterrupt; a second signal does not disturb the cleaning up.

    Signals that the process ignores stay ignored. Outside the main thread, which alone is told of signals, this does
    nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    last = -_SECONDS_TO_CLEAN_UP

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal last
        if _called_by_compiler(frame):
            again = threading.Timer(_SECONDS_TO_GET_OUT, os.kill, (os.getpid(), number))
            again.daemon = True
            again.start()
            return
        now = time.monotonic()
        if now - last < _SECONDS_TO_CLEAN_UP:
            return
        last = now
        raise Terminated if number == signal.SIGTERM else KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    handled = [number for number, handler in before.items() if handler not in (signal.SIG_IGN, None)]
    for number in handled:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, before[number])


def _called_by_compiler(frame: FrameType | None) -> bool:
    """Whether machine code is just being made, and its maker has called back.

    An exception would be printed and forgotten there, and the compilation fail for another reason. As most of the
    time of a compilation is spent in between, this is where a signal usually is noticed.
    """
    while frame is not None:
        if frame.f_globals.get("__name__") == _COMPILER and frame.f_code.co_name.startswith("_raw_"):
            return True
        frame = frame.f_back
    return False
