"""The bytes of files that may be packed with gzip, bzip2 or xz."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fangs.formats.guard import Budget

__all__ = ["open_unpacked"]

_PACKERS: dict[bytes, Callable[[Path], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
    b"\x5d\x00\x00": lzma.open,
}
"""How packed files begin, and what unpacks them."""


def open_unpacked(path: Path) -> io.BufferedReader:
    """Open a file for reading; it is unpacked if need be, and to no more than its budget allows."""
    with open(path, "rb") as file:
        start = file.read(6)
    for magic, unpack in _PACKERS.items():
        if start.startswith(magic):
            return io.BufferedReader(_Counted(unpack(path), Budget(path)), 2**16)
    return open(path, "rb")


class _Counted(io.RawIOBase):
    """The bytes of a packed file, counted."""

    def __init__(self, file: Any, budget: Budget) -> None:
        self._file, self._budget = file, budget

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        n_bytes = int(self._file.readinto(buffer))
        self._budget.spend(n_bytes)
        return n_bytes

    def close(self) -> None:
        self._file.close()
        super().close()
