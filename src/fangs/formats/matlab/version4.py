"""MATLAB files of version 4: matrices of numbers or letters, one after the other.

After "MAT-File Format" (The MathWorks), appendix on version 4.
"""

from __future__ import annotations

import math
import struct

import numpy as np

from fangs.draws.forms.nested import Array, Other, Text, Value, filled
from fangs.formats.guard import Budget, DamagedError
from fangs.formats.matlab.version5 import KINDS

__all__ = ["version4"]

_NUMBERS = ("f8", "f4", "i4", "i2", "u2", "u1")
_TEXT, _SPARSE = 1, 2


def version4(content: memoryview, budget: Budget) -> dict[str, Value]:
    """The variables of a file, by name."""
    found: dict[str, Value] = {}
    at = 0
    while at < len(content):
        if len(content) - at < 20:
            raise DamagedError("it ends too early")
        order = "<" if int.from_bytes(content[at : at + 4], "little") < 5000 else ">"
        code, *sizes, is_complex, n_letters = struct.unpack_from(f"{order}5i", content, at)
        number, what = code % 1000 // 10, code % 10
        if code not in range(2000) or number >= len(_NUMBERS) or what > _SPARSE:
            raise DamagedError(f"it has a variable of the unknown type {code}")
        dtype = np.dtype(order + _NUMBERS[number])
        start = at + 20 + n_letters
        n_values = math.prod(sizes)
        at = start + n_values * dtype.itemsize * (2 if is_complex else 1)
        if min(*sizes, n_letters) < 0 or at > len(content):
            raise DamagedError("it ends too early")
        name = bytes(content[start - n_letters : start]).partition(b"\0")[0].decode("latin-1")
        flat = np.frombuffer(content, dtype, n_values, start).astype(dtype.newbyteorder("="))
        matrix = flat.reshape(sizes, order="F")
        if is_complex:
            found[name] = Other("complex array")
        elif what == _TEXT:
            found[name] = Text([bytes(row.astype(np.uint8)).decode("latin-1") for row in matrix])
        elif what == _SPARSE:
            found[name] = Array(_filled(matrix, budget), "double")
        else:
            found[name] = Array(matrix, KINDS[dtype.kind])
    return found


def _filled(entries: np.ndarray, budget: Budget) -> np.ndarray:
    """A sparse matrix: a row for each entry, counted from 1, and one with its size."""
    if entries.shape[0] < 1 or entries.shape[1] != 3 or (np.abs(entries[:, :2]) > 2**31).any():
        raise DamagedError("it has a sparse matrix without a size")
    n_rows, n_columns = (int(size) for size in entries[-1, :2])
    budget.spend(8 * max(n_rows, 0) * max(n_columns, 0))
    rows, columns, values = entries[np.argsort(entries[:-1, 1], kind="stable")].T
    starts = np.searchsorted(columns, np.arange(max(n_columns, 0) + 1) + 1)
    return filled(rows.astype(np.int64) - 1, starts, values, (n_rows, n_columns))
