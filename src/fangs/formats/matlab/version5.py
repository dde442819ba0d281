"""MATLAB files of versions 5 to 7: their bytes as nested values.

Written after "MAT-File Format" (The MathWorks). The reader is our own because those at hand can be
made to crash by a damaged file. No code runs: objects and functions are read past.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fangs.draws.forms.nested import Array, List, Other, Text, Value, filled
from fangs.formats.guard import Budget, DamagedError

__all__ = ["KINDS", "check_depth", "table_of_cells", "version5"]

KINDS = {"i": "integer", "u": "integer", "b": "integer", "f": "double"}
"""What an `Array` is called, by the kind of its numbers."""
_MAX_DEPTH = 60
"""Cells within cells, structs within structs."""

_MATRIX, _COMPRESSED = 14, 15
_TYPES = ("i1", "u1", "i2", "u2", "i4", "u4", "f4", "", "f8", "", "", "i8", "u8")
_NUMBERS = {kind: name for kind, name in enumerate(_TYPES, start=1) if name}
_CELL, _STRUCT, _OBJECT, _CHAR, _SPARSE = 1, 2, 3, 4, 5
_NUMERIC = range(6, 16)
_COMPLEX = 0x0800
_HEADER = 128

_Element = tuple[int, memoryview]
"""Type and content."""


def version5(content: memoryview, budget: Budget) -> dict[str, Value]:
    """The variables of a file, by name."""
    mark = bytes(content[126:_HEADER])
    if mark not in (b"IM", b"MI"):
        raise DamagedError("it does not begin as MATLAB's files do")
    reader = _Reader("little" if mark == b"IM" else "big", budget)
    found: dict[str, Value] = {}
    for kind, data in reader.elements(content[_HEADER:]):
        if kind == _COMPRESSED:
            kind, data = _next(reader.elements(_unpacked(data, budget)))
        name, value = reader.matrix((kind, data))
        if name and not name.startswith("__"):  # others are what functions need
            found[name] = value
    return found


class _Reader:
    """Reads elements: a type, a length and that many bytes, one after another.

    A length is only a claim: nothing is read beyond the end of what holds it.
    """

    def __init__(self, order: Literal["little", "big"], budget: Budget) -> None:
        self._order, self._budget = order, budget
        self._sign = "<" if order == "little" else ">"

    def elements(self, data: memoryview) -> Iterator[_Element]:
        """Yield the elements that lie in these bytes, in their order."""
        at = 0
        while at < len(data):
            word = int.from_bytes(data[at : at + 4], self._order)
            if word >> 16:  # four bytes or less lie in the tag itself
                kind, n_bytes, start, end = word & 0xFFFF, word >> 16, at + 4, at + 8
            else:
                kind, start = word, at + 8
                n_bytes = int.from_bytes(data[at + 4 : at + 8], self._order)
                end = start + n_bytes + (0 if kind == _COMPRESSED else -n_bytes % 8)
            if len(data) - at < 8 or start + n_bytes > min(len(data), end):
                raise DamagedError("it ends too early")
            yield kind, data[start : start + n_bytes]
            at = end

    def matrix(self, element: _Element, depth: int = 0) -> tuple[str, Value]:
        """Name and value of a matrix, which may be a cell, a struct or anything else."""
        kind, data = element
        if kind != _MATRIX:
            raise DamagedError(f"it has an element of type {kind} in the place of a value")
        check_depth(depth)
        if not len(data):  # a cell that was never filled
            return "", Array(np.zeros((0, 0)), "double")
        parts = self.elements(data)
        flags = int(self._whole(parts, name="flags")[0])
        kind = flags & 0xFF
        if kind > _NUMERIC[-1]:
            return "", Other("function or object")
        shape = tuple(int(size) for size in self._whole(parts, name="dimensions"))
        if not 2 <= len(shape) <= 32 or min(shape) < 0:
            raise DamagedError("it has an array of impossible dimensions")
        name = bytes(_next(parts)[1]).partition(b"\0")[0].decode("latin-1")
        return name, self._value(kind, bool(flags & _COMPLEX), parts, shape, depth)

    def _value(
        self,
        kind: int,
        is_complex: bool,
        parts: Iterator[_Element],
        shape: tuple[int, ...],
        depth: int,
    ) -> Value:
        if kind == _CELL:
            cells = (self.matrix(_next(parts), depth + 1)[1] for _ in range(math.prod(shape)))
            return table_of_cells(shape) or List(list(cells))
        if kind in (_STRUCT, _OBJECT):
            if kind == _OBJECT:
                _next(parts)  # the name of its class
            return self._struct(parts, shape, depth)
        if kind == _CHAR:
            return Text(self._rows(_next(parts), shape))
        if is_complex:
            return Other("complex array")
        if kind == _SPARSE:
            rows, starts, values = (self._numbers(_next(parts)) for _ in range(3))
            self._budget.spend(8 * math.prod(shape))
            matrix = filled(rows, starts, values, shape)
            return Array(matrix, KINDS[values.dtype.kind])
        if kind not in _NUMERIC:
            raise DamagedError(f"it has an array of the unknown class {kind}")
        values = self._numbers(_next(parts))
        if len(values) != math.prod(shape):
            raise DamagedError(f"an array of {len(values)} values has dimensions that do not fit")
        return Array(values.reshape(shape, order="F"), KINDS[values.dtype.kind])

    def _struct(self, parts: Iterator[_Element], shape: tuple[int, ...], depth: int) -> Value:
        """A struct; or an array of them, as a list."""
        width = int(self._whole(parts, name="width of names")[0])
        letters = bytes(_next(parts)[1])
        if width < 1 or len(letters) % width:
            raise DamagedError("it has a struct whose fields have no names")
        fields = [letters[at : at + width] for at in range(0, len(letters), width)]
        names = Text([field.partition(b"\0")[0].decode("latin-1") for field in fields])
        records: list[Value] = [
            List([self.matrix(_next(parts), depth + 1)[1] for _ in fields], {"names": names})
            for _ in range(math.prod(shape) if fields else 0)
        ]
        return records[0] if len(records) == 1 else List(records)

    def _rows(self, element: _Element, shape: tuple[int, ...]) -> list[str | None]:
        """The rows of a matrix of characters as words."""
        kind, data = element
        utf16 = f"utf-16-{self._order[0]}e"
        encoding = {4: utf16, 17: utf16, 16: "utf-8"}.get(kind, "latin-1")
        text = bytes(data).decode(encoding, "replace")
        n_rows = shape[0] if len(shape) == 2 else 1
        if n_rows == 1:
            return [text]
        return [text[row::n_rows] for row in range(n_rows if len(text) == math.prod(shape) else 0)]

    def _whole(self, parts: Iterator[_Element], name: str) -> npt.NDArray[Any]:
        found = self._numbers(_next(parts))
        if not len(found) or found.dtype.kind not in "iu":
            raise DamagedError(f"it has an array without {name}")
        return found

    def _numbers(self, element: _Element) -> npt.NDArray[Any]:
        """The numbers of an element, in the byte order of this machine."""
        kind, data = element
        if kind not in _NUMBERS:
            raise DamagedError(f"it has an element of type {kind} in the place of numbers")
        dtype = np.dtype(self._sign + _NUMBERS[kind])
        if len(data) % dtype.itemsize:
            raise DamagedError("it has numbers of which a part is missing")
        return np.frombuffer(data, dtype).astype(dtype.newbyteorder("="), copy=False)


def check_depth(depth: int) -> None:
    """Refuse what is nested too deeply."""
    if depth > _MAX_DEPTH:
        raise DamagedError(f"it is nested more than {_MAX_DEPTH} levels deep")


def table_of_cells(shape: tuple[int, ...]) -> Other | None:
    """What is said of a cell that is no list; None for a list."""
    if sum(size > 1 for size in shape) < 2:
        return None
    size = " x ".join(map(str, shape))
    return Other(
        f"{size} cell, and not a list; make it one: Z(:) for draws in one list, "
        "num2cell(Z, 2) for a list of draws by row"
    )


def _next(parts: Iterator[_Element]) -> _Element:
    found = next(parts, None)
    if found is None:
        raise DamagedError("it ends too early")
    return found


def _unpacked(data: memoryview, budget: Budget) -> memoryview:
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
