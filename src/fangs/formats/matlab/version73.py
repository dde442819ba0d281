"""MATLAB files of version 7.3, which are HDF5: axes reversed, cells and structs as references."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._extras import require
from fangs.draws.form import Form
from fangs.draws.forms.nested import (
    MATLAB,
    WORKSPACE,
    Array,
    List,
    NestedForm,
    Other,
    Text,
    Value,
    filled,
)
from fangs.draws.forms.stack import BLOCK_BYTES
from fangs.formats.guard import Budget
from fangs.formats.hdf5 import H5Array, opened
from fangs.formats.interrupts import uninterrupted
from fangs.formats.matlab.version5 import KINDS, check_depth, table_of_cells

__all__ = ["open_version73"]


@contextmanager
def open_version73(path: Path) -> Iterator[Form]:
    """The variables of a file; places are written in MATLAB's own syntax."""
    with opened(path) as file:
        reader = _Reader(file, Budget(path))
        names = [name for name in uninterrupted(list)(file) if not name.startswith("#")]
        attributes = {"names": Text(list(names)), "class": Text([WORKSPACE])}
        root = List([reader.value(f"/{name}") for name in names], attributes)
    yield NestedForm(root, MATLAB, repr(str(path)))


class _Reader:
    """Turns objects of the file into values; each is opened by its place, and kept no longer."""

    def __init__(self, file: Any, budget: Budget) -> None:
        self._file, self._budget = file, budget

    def value(self, place: str, depth: int = 0) -> Value:
        """The value at a place."""
        check_depth(depth)
        found = uninterrupted(self._read)(place)
        if isinstance(found, H5Array):
            return _numbers(found)
        if isinstance(found, list):  # a cell
            return List([self.value(inner, depth + 1) for inner in found])
        if isinstance(found, dict):  # a struct; in an array of them each field is a list of places
            is_array = bool(found) and all(isinstance(field, list) for field in found.values())
            records = zip(*found.values(), strict=True) if is_array else [found.values()]
            names = {"names": Text(list(found))}
            made: list[Value] = [
                List([self.value(str(inner), depth + 1) for inner in record], names)
                for record in records
            ]
            return List(made) if is_array else made[0]
        value: Value = found
        return value

    def _read(self, place: str) -> Any:
        """A value; or, for a cell or a struct, the places of what is in it."""
        h5py = require("h5py", extra="files")
        entry = self._file[place]
        kind = entry.attrs.get("MATLAB_class", b"")
        kind = kind.decode() if isinstance(kind, bytes) else str(kind)
        if "MATLAB_sparse" in entry.attrs:
            return self._sparse(entry)
        if isinstance(entry, h5py.Group):
            if kind != "struct":
                return Other("function or object")
            return {name: self._field(entry[name]) for name in entry}
        shape = tuple(reversed(entry.shape))
        if entry.attrs.get("MATLAB_empty", 0):
            if kind in ("cell", "struct"):
                return List([])
            return Text([]) if kind == "char" else Array(np.zeros(entry[()].astype(int)), "double")
        if kind == "char":
            rows = entry[()].reshape(len(entry), -1).T.astype("<u2")
            return Text([row.tobytes().decode("utf-16-le", "replace") for row in rows])
        if kind == "cell":
            return table_of_cells(shape) or self._places(entry)
        if entry.dtype.kind not in KINDS or "MATLAB_object_decode" in entry.attrs:
            return Other("complex array" if entry.dtype.names else "function or object")
        return H5Array(entry, self._budget)

    def _field(self, entry: Any) -> str | list[str]:
        """The place of a field; of an array of structs, its places."""
        is_array = hasattr(entry, "dtype") and entry.dtype.kind == "O"
        is_list = is_array and "MATLAB_class" not in entry.attrs
        return self._places(entry) if is_list else str(entry.name)

    def _places(self, entry: Any) -> list[str]:
        """The places of what references lead to."""
        return [str(self._file[reference].name) for reference in entry[()].ravel()]

    def _sparse(self, entry: Any) -> Array:
        starts, rows, values = entry["jc"][()], np.zeros(0, dtype=np.int64), np.zeros(0)
        if "ir" in entry:
            rows, values = entry["ir"][()], entry["data"][()]
        shape = (int(entry.attrs["MATLAB_sparse"]), len(starts) - 1)
        self._budget.spend(8 * math.prod(shape))
        return Array(filled(rows, starts, values, shape), "double")


def _numbers(stored: H5Array) -> Array:
    """The values of an array, those of 0 and 1 in one byte each."""
    kind = KINDS[stored.dtype.kind]
    step = max(1, BLOCK_BYTES // max(1, math.prod(stored.shape[1:]) * stored.dtype.itemsize))
    found: npt.NDArray[Any] = np.empty(stored.shape, dtype=np.uint8)
    for first in range(0, stored.shape[0], step):
        values = stored[first : first + step]
        if not ((values == 0) | (values == 1)).all():
            return Array(np.asarray(stored).T, kind)
        found[first : first + step] = values
    return Array(found.T, kind)
