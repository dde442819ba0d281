"""Ctrl-C while a library reads or writes a file: the call ends first, so that it is not lost.

Libraries clean up while Python collects what is no longer used, and Python drops exceptions there.
A call on a thread of its own never meets an interrupt; the caller, who waits for it, does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["uninterrupted"]

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
        end: Future[_R] = Future()

        def call() -> None:
            try:
                end.set_result(function(*args, **kwargs))
            except BaseException as error:  # raised again where it is waited for
                end.set_exception(error)

        thread = threading.Thread(target=call, name="fangs-file")
        try:
            thread.start()
            return end.result()
        finally:
            if thread.is_alive():
                wait([end])

    return called
