"""MATLAB files of versions 5 to 7: their bytes as nested values.

Written after "MAT-File Format" (The MathWorks). The reader is our own because those at hand can be
made to crash by a damaged file. No code runs: objects and functions are read past.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fangs.io.guard import MAX_LABEL_BYTES, Budget, DamagedError, check_piece
from fangs.io.matlab.elements import (
    COMPRESSED,
    MATRIX,
    Element,
    elements,
    numbers,
    unpacked,
)
from fangs.io.nested.values import Array, List, Other, Text, Value

__all__ = ["MAX_DEPTH", "variables"]

MAX_DEPTH = 60
"""Cells within cells, structs within structs."""

_CELL, _STRUCT, _OBJECT, _CHAR, _SPARSE = 1, 2, 3, 4, 5
_NUMERIC = range(6, 16)
_COMPLEX = 0x0800
_KINDS = {"i": "integer", "u": "integer", "f": "double"}
_HEADER = 128


def variables(path: Path) -> dict[str, Value]:
    """The variables of a file, by name."""
    with open(path, "rb") as file:
        content = memoryview(file.read())
    mark = bytes(content[126:_HEADER])
    if mark not in (b"IM", b"MI"):
        raise DamagedError("it does not begin as MATLAB's files do")
    reader = _Reader("<" if mark == b"IM" else ">", Budget(path), len(content))
    found: dict[str, Value] = {}
    for kind, data in elements(content[_HEADER:], reader.order):
        if kind == COMPRESSED:
            inside = elements(unpacked(data, reader.budget), reader.order)
            kind, data = _next(inside)
        if kind != MATRIX:
            raise DamagedError(f"it has an element of type {kind} in the place of a variable")
        name, value = reader.matrix(data, depth=0)
        if name and not name.startswith("__"):  # others are what functions need
            found[name] = value
    return found


class _Reader:
    def __init__(self, order: str, budget: Budget, n_bytes: int) -> None:
        self.order, self.budget = order, budget
        self.claimed, self.most_claimed = 0, max(MAX_LABEL_BYTES, 100 * n_bytes)

    def matrix(self, data: memoryview, depth: int) -> tuple[str, Value]:
        """Name and value of a matrix, which may be a cell, a struct or anything else."""
        if depth > MAX_DEPTH:
            raise DamagedError(f"it is nested more than {MAX_DEPTH} levels deep")
        if not len(data):  # a cell that was never filled
            return "", Array(np.zeros((0, 0)), "double")
        parts = elements(data, self.order)
        flags = int(self._whole(parts, name="flags")[0])
        kind = flags & 0xFF
        if kind > _NUMERIC[-1]:
            return "", Other("function or object")
        shape = self._shape(parts)
        name = _letters(_next(parts))
        if kind == _CELL:
            return name, self._cell(parts, shape, depth)
        if kind in (_STRUCT, _OBJECT):
            if kind == _OBJECT:
                _next(parts)  # the name of its class
            return name, self._struct(parts, shape, depth)
        if kind == _CHAR:
            return name, Text(_rows(_next(parts), shape, self.order))
        if flags & _COMPLEX:
            return name, Other("complex array")
        if kind == _SPARSE:
            return name, self._sparse(parts, shape)
        if kind not in _NUMERIC:
            raise DamagedError(f"it has an array of the unknown class {kind}")
        values = numbers(_next(parts), self.order)
        if len(values) != math.prod(shape):
            raise DamagedError(f"an array of {len(values)} values has dimensions that do not fit")
        return name, Array(values.reshape(shape, order="F"), _KINDS[values.dtype.kind])

    def _cell(self, parts: Iterator[Element], shape: tuple[int, ...], depth: int) -> Value:
        cells = self._inner(parts, math.prod(shape), depth)
        if sum(size > 1 for size in shape) > 1:
            size = " x ".join(map(str, shape))
            return Other(
                f"{size} cell, and not a list; make it one: Z(:) for draws in one list, "
                "num2cell(Z, 2) for a list of draws by row"
            )
        return List(cells)

    def _struct(self, parts: Iterator[Element], shape: tuple[int, ...], depth: int) -> Value:
        width = int(self._whole(parts, name="width of names")[0])
        letters = bytes(_next(parts)[1])
        if width < 1 or len(letters) % width:
            raise DamagedError("it has a struct whose fields have no names")
        fields = [
            letters[at : at + width].partition(b"\0")[0].decode("latin-1")
            for at in range(0, len(letters), width)
        ]
        n_records = math.prod(shape) if fields else 0
        values = self._inner(parts, n_records * len(fields), depth)
        names = Text(list(fields))
        records = [
            List(values[at * len(fields) : (at + 1) * len(fields)], {"names": names})
            for at in range(n_records)
        ]
        return records[0] if len(records) == 1 else List(list(records))

    def _inner(self, parts: Iterator[Element], count: int, depth: int) -> list[Value]:
        values: list[Value] = []
        for _ in range(count):
            kind, data = _next(parts)
            if kind != MATRIX:
                raise DamagedError(f"it has an element of type {kind} in the place of a value")
            values.append(self.matrix(data, depth + 1)[1])
        return values

    def _sparse(self, parts: Iterator[Element], shape: tuple[int, ...]) -> Array:
        rows, starts, values = (numbers(_next(parts), self.order) for _ in range(3))
        n_rows, n_columns = shape if len(shape) == 2 else (0, -1)
        whole = rows.dtype.kind in "iu" and starts.dtype.kind in "iu"
        if not whole or len(starts) != n_columns + 1 or starts[0] != 0:
            raise DamagedError("it has a sparse matrix whose columns do not fit")
        starts = starts.astype(np.int64)
        n_entries = int(starts[-1])
        is_sound = (np.diff(starts) >= 0).all() and n_entries <= min(len(rows), len(values))
        rows, values = rows[: max(n_entries, 0)], values[: max(n_entries, 0)]
        if not is_sound or ((rows < 0) | (rows >= n_rows)).any():
            raise DamagedError("it has a sparse matrix whose entries do not fit")
        if ((values == 0) | (values == 1)).all():
            values = values.astype(np.uint8)
        # A few bytes can claim any size: all such matrices together may take a limited one.
        self.claimed += n_rows * n_columns * values.dtype.itemsize
        check_piece(self.claimed, name="its sparse matrices together", limit=self.most_claimed)
        self.budget.spend(n_rows * n_columns * values.dtype.itemsize)
        matrix = np.zeros(shape, dtype=values.dtype)
        matrix[rows, np.repeat(np.arange(n_columns), np.diff(starts))] = values
        return Array(matrix, _KINDS[values.dtype.kind])

    def _whole(self, parts: Iterator[Element], name: str) -> np.ndarray:
        found = numbers(_next(parts), self.order)
        if not len(found) or found.dtype.kind not in "iu":
            raise DamagedError(f"it has an array without {name}")
        return found

    def _shape(self, parts: Iterator[Element]) -> tuple[int, ...]:
        sizes = tuple(int(size) for size in self._whole(parts, name="dimensions"))
        if not 2 <= len(sizes) <= 32 or min(sizes) < 0:
            raise DamagedError("it has an array of impossible dimensions")
        return sizes


def _next(parts: Iterator[Element]) -> Element:
    found = next(parts, None)
    if found is None:
        raise DamagedError("it ends too early")
    return found


def _letters(element: Element) -> str:
    return bytes(element[1]).partition(b"\0")[0].decode("latin-1")


def _rows(element: Element, shape: tuple[int, ...], order: str) -> list[str | None]:
    """The rows of a matrix of characters as words."""
    kind, data = element
    utf16 = "utf-16-le" if order == "<" else "utf-16-be"
    encoding = {4: utf16, 17: utf16, 16: "utf-8"}.get(kind, "latin-1")
    text = bytes(data).decode(encoding, "replace")
    n_rows = shape[0] if len(shape) == 2 else 1
    if n_rows == 1:
        return [text]
    if not text or len(text) != math.prod(shape):
        return []
    return [text[row::n_rows] for row in range(n_rows)]
