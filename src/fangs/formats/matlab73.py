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
)
from fangs.draws.forms.stack import BLOCK_BYTES
from fangs.formats.guard import Budget, DamagedError, check_piece
from fangs.formats.hdf5 import H5Array, opened
from fangs.formats.interrupts import uninterrupted

__all__ = ["open_matlab73"]

_MAX_DEPTH = 60
"""Cells within cells, structs within structs."""

_KINDS = {"i": "integer", "u": "integer", "b": "integer", "f": "double"}


@contextmanager
def open_matlab73(path: Path) -> Iterator[Form]:
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
        if depth > _MAX_DEPTH:
            raise DamagedError(f"it is nested more than {_MAX_DEPTH} levels deep")
        found = uninterrupted(self._read)(place)
        if isinstance(found, H5Array):
            return _numbers(found)
        if isinstance(found, list):
            return List([self.value(inner, depth + 1) for inner in found])
        if isinstance(found, dict):
            return self._record(found, depth)
        value: Value = found
        return value

    def _record(self, places: dict[str, Any], depth: int) -> Value:
        """A struct; or an array of them, whose fields are lists of places."""
        names = {"names": Text(list(places))}
        lists = [inner for inner in places.values() if isinstance(inner, list)]
        if not lists or len(lists) < len(places):
            inside = [self.value(str(inner), depth + 1) for inner in places.values()]
            return List(inside, names)
        return List(
            [
                List([self.value(inner, depth + 1) for inner in record], names)
                for record in zip(*lists, strict=True)
            ]
        )

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
            return {name: self._field(entry[name], h5py) for name in entry}
        shape = tuple(reversed(entry.shape))
        if entry.attrs.get("MATLAB_empty", 0):
            shape = tuple(int(extent) for extent in entry[()])
            if kind in ("cell", "struct"):
                return List([])
            return Text([]) if kind == "char" else Array(np.zeros(shape), "double")
        if kind == "char":
            return _text(entry[()])
        if kind == "cell" and sum(extent > 1 for extent in shape) > 1:
            size = " x ".join(map(str, shape))
            return Other(
                f"{size} cell, and not a list; make it one: Z(:) for draws in one list, "
                "num2cell(Z, 2) for a list of draws by row"
            )
        if kind == "cell":
            return self._places(entry)
        if entry.dtype.kind not in _KINDS or "MATLAB_object_decode" in entry.attrs:
            return Other("complex array" if entry.dtype.names else "function or object")
        return H5Array(entry, self._budget, tuple(reversed(range(entry.ndim))))

    def _field(self, entry: Any, h5py: Any) -> str | list[str]:
        """The place of a field; of an array of structs, its places."""
        is_list = isinstance(entry, h5py.Dataset) and "MATLAB_class" not in entry.attrs
        if is_list and h5py.check_ref_dtype(entry.dtype) is not None:
            return self._places(entry)
        return str(entry.name)

    def _places(self, entry: Any) -> list[str]:
        """The places of what references lead to."""
        return [str(self._file[reference].name) for reference in entry[()].ravel()]

    def _sparse(self, entry: Any) -> Array:
        n_rows, starts = int(entry.attrs["MATLAB_sparse"]), entry["jc"][()].astype(np.int64)
        shape = (n_rows, len(starts) - 1)
        check_piece(math.prod(shape) * 8, name=repr(entry.name))
        matrix = np.zeros(shape)
        if "ir" in entry:
            columns = np.repeat(np.arange(shape[1]), np.diff(starts))
            matrix[entry["ir"][()].astype(np.int64), columns] = entry["data"][()]
        return Array(matrix, "double")


def _numbers(stored: H5Array) -> Array:
    """The values of an array, those of 0 and 1 in one byte each."""
    kind = _KINDS[stored.dtype.kind]
    slab = max(1, BLOCK_BYTES // max(1, math.prod(stored.shape[:-1]) * stored.dtype.itemsize))
    found: npt.NDArray[Any] = np.empty(stored.shape, dtype=np.uint8)
    everything = (slice(None),) * (len(stored.shape) - 1)
    for first in range(0, stored.shape[-1], slab):
        here = (*everything, slice(first, first + slab))
        values = stored[here]
        if not ((values == 0) | (values == 1)).all():
            return Array(np.asarray(stored), kind)
        found[here] = values
    return Array(found, kind)


def _text(codes: npt.NDArray[np.integer[Any]]) -> Text:
    """The rows of a matrix of characters as words."""
    rows = codes.reshape(len(codes), -1).T.astype("<u2")
    return Text([row.tobytes().decode("utf-16-le", "replace") for row in rows])
