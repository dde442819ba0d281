"""The elements of a MATLAB file: a type, a length and that many bytes, one after another.

A length in the file is only a claim: nothing is read beyond the end of what holds it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.io.guard import Budget, DamagedError

__all__ = ["COMPRESSED", "MATRIX", "Element", "elements", "numbers", "unpacked"]

MATRIX, COMPRESSED = 14, 15
_TYPES = ("i1", "u1", "i2", "u2", "i4", "u4", "f4", "", "f8", "", "", "i8", "u8")
_NUMBERS = {kind: name for kind, name in enumerate(_TYPES, start=1) if name}

Element = tuple[int, memoryview]
"""Type and content."""


def elements(data: memoryview, order: str) -> Iterator[Element]:
    """Yield the elements that lie in these bytes, in their order; `order` is < or >."""
    byteorder = "little" if order == "<" else "big"
    at = 0
    while at < len(data):
        if len(data) - at < 8:
            raise DamagedError("it ends too early")
        word = int.from_bytes(data[at : at + 4], byteorder)  # type: ignore[arg-type]
        if word >> 16:  # four bytes or less lie in the tag itself
            kind, n_bytes, start, end = word & 0xFFFF, word >> 16, at + 4, at + 8
            if n_bytes > 4:
                raise DamagedError(f"it has a small element of {n_bytes} bytes")
        else:
            kind, start = word, at + 8
            n_bytes = int.from_bytes(data[at + 4 : at + 8], byteorder)  # type: ignore[arg-type]
            end = start + n_bytes
            if kind != COMPRESSED:
                end += -n_bytes % 8
        if start + n_bytes > len(data):
            raise DamagedError("it ends too early")
        yield kind, data[start : start + n_bytes]
        at = end


def unpacked(data: memoryview, budget: Budget) -> memoryview:
    """The content of a compressed element, in pieces that the budget allows."""
    inflate, pieces = zlib.decompressobj(), []
    rest: bytes | memoryview = data
    try:
        while not inflate.eof:
            piece = inflate.decompress(rest, 1 << 22)
            rest = inflate.unconsumed_tail
            if not piece and not inflate.eof:
                raise DamagedError("its compressed content is cut off")
            budget.spend(len(piece))
            pieces.append(piece)
    except zlib.error as error:
        raise DamagedError(f"it cannot be unpacked: {error}") from error
    return memoryview(b"".join(pieces))


def numbers(element: Element, order: str) -> npt.NDArray[Any]:
    """The numbers of an element, in the byte order of this machine."""
    kind, data = element
    if kind not in _NUMBERS:
        raise DamagedError(f"it has an element of type {kind} in the place of numbers")
    dtype = np.dtype(order + _NUMBERS[kind])
    if len(data) % dtype.itemsize:
        raise DamagedError("it has numbers of which a part is missing")
    return np.frombuffer(data, dtype).astype(dtype.newbyteorder("="), copy=False)
