"""Ctrl-C while a library reads or writes a file: the call ends first, so that it is not lost.

Libraries clean up while Python collects what is no longer used, and Python drops exceptions there.
A call on a thread of its own never meets an interrupt; the caller, who waits for it, does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, ParamSpec, TypeVar

__all__ = ["steps_apart", "uninterrupted"]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def uninterrupted(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The same function, run to its end before Ctrl-C is heard; it must be short.

    Examples
    --------
    >>> uninterrupted(sorted)([2, 1])
    [1, 2]
    """

    @wraps(function)
    def called(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        if threading.current_thread() is not threading.main_thread():
            return function(*args, **kwargs)
        found: list[_R] = []
        failed: list[BaseException] = []
        ended = threading.Event()  # a join that was interrupted takes the thread for ended

        def run() -> None:
            try:
                found.append(function(*args, **kwargs))
            except BaseException as error:  # raised again where it is waited for
                failed.append(error)
            finally:
                ended.set()

        thread = threading.Thread(target=run, name="fangs-file")
        try:
            thread.start()
            ended.wait()
        except KeyboardInterrupt:
            if thread.is_alive():
                ended.wait()
            raise
        if failed:
            raise failed[0]
        return found[0]

    return called


def steps_apart(values: Iterator[Any]) -> Iterator[Any]:
    """The same values, each made before Ctrl-C is heard."""
    end = object()
    step = uninterrupted(lambda: next(values, end))
    while (value := step()) is not end:
        yield value
