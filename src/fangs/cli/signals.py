"""Signals that end the work as Ctrl-C does: a request to terminate, a terminal that is closed."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from typing import Any

__all__ = ["interrupts_ignored", "release", "signals_as_interrupt"]

TOGETHER = 1.0
"""Seconds within which a second signal says nothing new, and must not stop the writing."""

_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def signals_as_interrupt() -> Iterator[list[int]]:
    """Take SIGTERM and SIGHUP for Ctrl-C in the block, unless they are ignored, as by nohup.

    Of signals that come together the first counts: a terminal that closes sends SIGHUP, its shell
    sends it again, and the end of a session sends both. Yields the list of those that count.
    """
    received: list[int] = []
    last = -inf
    if threading.current_thread() is not threading.main_thread():
        yield received  # only the main thread may set handlers
        return
    terminals = [one for one in (sys.stdout, sys.stderr) if one is not None and one.isatty()]

    def interrupt(number: int, frame: Any) -> None:
        nonlocal last
        first, last = last, time.monotonic()
        if last - first < TOGETHER:
            return
        received.append(number)
        for terminal in terminals:
            if not terminal.isatty():  # it is gone, and writing to it would fail
                _discard(terminal)
        raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, interrupt)
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _discard(stream: Any) -> None:
    """Let a stream lead nowhere from now on."""
    with suppress(OSError, ValueError), open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def release(*streams: Any) -> None:
    """Let go of streams that nobody reads, so that the end of the program does not fail."""
    for stream in streams:
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            _discard(stream)


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Start processes in the block that hear neither Ctrl-C nor the end of the terminal."""
    numbers = [signal.SIGINT, *(one for one in _SIGNALS if one != signal.SIGTERM)]
    before = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
