"""Numbers and strings of R's serialisation, in its binary and its text form.

A length in the file is only a claim. Both streams read in pieces, so memory grows with what the
file holds.
"""

from __future__ import annotations

import io
import math
import re
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.formats.guard import DamagedError

__all__ = ["ITEM", "LATIN1", "NA_INTEGER", "BinaryStream", "Stream", "TextStream"]

NA_INTEGER = -(1 << 31)
ITEM = 0x2FF
"""The bits of flags that hold the type, and whether attributes follow; strings have none."""

_STRING = 9
LATIN1 = 1 << 14

_NO_STRING = "it has a vector of strings with something else in it"
_PIECE = 1 << 20
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)")
_ESCAPES = {
    b"n": b"\n",
    b"t": b"\t",
    b"v": b"\v",
    b"b": b"\b",
    b"r": b"\r",
    b"f": b"\f",
    b"a": b"\a",
}


class BinaryStream:
    """Formats X (big-endian, the default of R) and B (the byte order of the writer)."""

    def __init__(self, file: io.BufferedReader, order: str) -> None:
        self._read = file.read
        self._one = struct.Struct(f"{order}i").unpack
        self._two = struct.Struct(f"{order}ii").unpack
        self._int, self._double = np.dtype(f"{order}i4"), np.dtype(f"{order}f8")

    def integer(self) -> int:
        """Read a 32-bit integer."""
        try:
            return int(self._one(self._read(4))[0])
        except struct.error:
            raise DamagedError("it ends too early") from None

    def integers(self, n: int) -> npt.NDArray[Any]:
        """Read integers, or logical values."""
        return np.frombuffer(self.string(4 * n), self._int).astype(np.int32)

    def doubles(self, n: int) -> npt.NDArray[Any]:
        """Read floating-point numbers."""
        return np.frombuffer(self.string(8 * n), self._double).astype(np.float64)

    def raw(self, n: int) -> npt.NDArray[Any]:
        """Read a vector of bytes."""
        return np.frombuffer(self.string(n), np.uint8)

    def strings(self, n: int, encoding: str) -> list[str | None]:
        """Read strings: half of all items in most files, so the loop is written out."""
        read, two = self._read, self._two
        found: list[str | None] = []
        try:
            for _ in range(n):
                flags, length = two(read(8))
                if flags & ITEM != _STRING or length < -1:
                    raise DamagedError(_NO_STRING)
                if length < 0:
                    found.append(None)
                    continue
                data = read(length) if length <= _PIECE else self.string(length)
                if len(data) != length:
                    raise DamagedError("it ends too early")
                found.append(data.decode("latin-1" if flags & LATIN1 else encoding, "replace"))
        except struct.error:
            raise DamagedError("it ends too early") from None
        return found

    def string(self, n: int) -> bytes:
        """Read n bytes."""
        data = self._read(min(n, _PIECE))
        if len(data) == n:
            return data
        pieces, left = [data], n - len(data)
        while piece := self._read(min(left, _PIECE)):
            pieces.append(piece)
            left -= len(piece)
        if left > 0:
            raise DamagedError("it ends too early")
        return b"".join(pieces)


class TextStream:
    """Format A: one value per line."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._file = file

    def integer(self) -> int:
        """Read a 32-bit integer."""
        value = self._value(lambda word: NA_INTEGER if word == "NA" else int(word), "an integer")
        if not NA_INTEGER <= value < -NA_INTEGER:
            raise DamagedError(f"{value} is too large for an integer")
        return int(value)

    def integers(self, n: int) -> npt.NDArray[Any]:
        """Read integers, or logical values."""
        return np.array([self.integer() for _ in range(n)], dtype=np.int32)

    def doubles(self, n: int) -> npt.NDArray[Any]:
        """Read floating-point numbers, in decimal or (save with ascii = NA) hexadecimal digits."""
        return np.array([self._value(_as_double, "a number") for _ in range(n)], dtype=np.float64)

    def raw(self, n: int) -> npt.NDArray[Any]:
        """Read a vector of bytes."""
        return np.frombuffer(b"".join(self._value(bytes.fromhex, "a byte") for _ in range(n)), "u1")

    def strings(self, n: int, encoding: str) -> list[str | None]:
        """Read strings."""
        found: list[str | None] = []
        for _ in range(n):
            flags, length = self.integer(), self.integer()
            if flags & ITEM != _STRING or length < -1:
                raise DamagedError(_NO_STRING)
            code = "latin-1" if flags & LATIN1 else encoding
            found.append(None if length < 0 else self.string(length).decode(code, "replace"))
        return found

    def string(self, n: int) -> bytes:
        """Read a string of n bytes."""
        data = _ESCAPE.sub(_unescaped, self._word()) if n else b""
        if len(data) != n:
            raise DamagedError("it has a string of the wrong length")
        return data

    def _value(self, read: Callable[[str], Any], what: str) -> Any:
        word = self._word().decode("latin-1")
        try:
            return read(word)
        except (ValueError, OverflowError):
            raise DamagedError(f"it has {word[:20]!r} in the place of {what}") from None

    def _word(self) -> bytes:
        line = b"\n"
        while line and not line.strip():
            line = self._file.readline()
        if not line:
            raise DamagedError("it ends too early")
        return line.strip()


def _as_double(word: str) -> float:
    if word == "NA":
        return math.nan
    return float.fromhex(word) if "x" in word else float(word)


def _unescaped(escape: re.Match[bytes]) -> bytes:
    code = escape[1]
    return bytes([int(code, 8) & 255]) if code.isdigit() else _ESCAPES.get(code, code)


Stream = BinaryStream | TextStream
