"""Ends the ``fangs`` program in one line where Ctrl-C comes while it is still loading.

Its script, and ``python -m fangs``, import the package before any code of the program runs, so that
the program could not catch the exception. The package therefore imports this module first; within
other programs it does nothing.
"""

from __future__ import annotations

import os
import signal
import sys

__all__ = ["release"]


def _guard() -> None:
    """Make Ctrl-C end this process, if it is the program: there is nothing yet to be lost."""
    if _is_program() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def release() -> None:
    """Make Ctrl-C an exception again; the program is loaded."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_program() -> bool:
    name, words = (getattr(sys, "argv", None) or [""])[0], sys.orig_argv
    if name == "-m":  # while Python looks for the module
        return ["-m", "fangs"] in (words[i : i + 2] for i in range(len(words)))
    return str(os.path.basename(name)).removesuffix(".exe") == "fangs"


def _end(*_: object) -> None:
    # Not by an exception: libraries that are half imported turn it into errors of their own.
    os.write(2, b"fangs: interrupted\n")
    os._exit(130)


_guard()
