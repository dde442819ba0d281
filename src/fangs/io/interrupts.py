"""Ctrl-C while a library reads a file: held back for a moment, so that it is not lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any


@contextmanager
def held_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back until the block ends, which must be soon.

    Libraries clean up while Python collects what is no longer used, and Python drops exceptions
    there. An interrupt that came then would be lost.
    """
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    pressed: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if pressed:
            raise KeyboardInterrupt


def held_steps(values: Iterator[Any]) -> Iterator[Any]:
    """The same values; Ctrl-C is held back while each of them is made."""
    end = object()
    step = held_interrupts()(partial(next, values, end))
    while (value := step()) is not end:
        yield value
