"""MATLAB files up to version 7, through scipy: arrays, cells and structs as nested values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._extras import require
from fangs.io.inspect import Variable
from fangs.io.nested import (
    MATLAB,
    Array,
    List,
    Other,
    Text,
    Value,
    described,
    samples_in,
    values_in,
)
from fangs.samples import Samples

__all__ = ["describe", "load", "read_mat", "read_values"]

_HDF5 = b"\x89HDF\r\n\x1a\n"
_KINDS = {"b": "logical", "i": "integer", "u": "integer", "f": "double"}


def read_mat(path: Path, variable: str | None) -> Samples:
    """Read draws; `variable` is a place in MATLAB's own syntax."""
    with _naming(path):
        return samples_in(load(path), variable, MATLAB)


def read_values(path: Path, variable: str) -> list[npt.NDArray[Any]]:
    """Read any numbers or names at a place."""
    with _naming(path):
        return values_in(load(path), variable, MATLAB)


def describe(path: Path) -> list[Variable]:
    """What the file holds."""
    with _naming(path):
        return described(load(path), MATLAB, str(path))


def load(path: Path) -> Value:
    """The variables of a file as a list with names."""
    with open(path, "rb") as file:
        head = file.read(520)
        if head[:8] == _HDF5 or head[512:] == _HDF5:
            raise ValueError(
                "it is a MATLAB file of version 7.3; save it in MATLAB with save(..., '-v7')"
            )
    io = require("scipy.io", extra="all")
    try:
        variables = io.loadmat(path, mat_dtype=False, chars_as_strings=True)
    except Exception as error:  # what scipy raises for a damaged file is anything
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise ValueError(f"the file is damaged or not from MATLAB: {reason}") from error
    named = {name: value for name, value in variables.items() if not name.startswith("__")}
    return _record(named)


def _record(fields: dict[str, Any]) -> List:
    values = [_value(value) for value in fields.values()]
    return List(values, {"names": Text(list(fields))})


def _value(given: Any) -> Value:
    if hasattr(given, "toarray"):  # a sparse matrix has as many columns as positions to store
        given = given.toarray()
    if not isinstance(given, np.ndarray):
        return Other(type(given).__name__)
    if given.dtype.names is not None:
        records = [
            _record({name: record[name] for name in given.dtype.names}) for record in _flat(given)
        ]
        return records[0] if len(records) == 1 else List(list(records))
    if given.dtype == object:
        if sum(size > 1 for size in given.shape) > 1:
            shape = " x ".join(map(str, given.shape))
            return Other(
                f"{shape} cell, and not a list; make it one: Z(:) for draws in one list, "
                "num2cell(Z, 2) for a list of draws by row"
            )
        return List([_value(cell) for cell in _flat(given)])
    if given.dtype.kind in "US":
        return Text([str(word) for word in given.ravel()])
    kind = _KINDS.get(given.dtype.kind)
    return Other("complex array") if kind is None else Array(given, kind)


def _flat(array: npt.NDArray[Any]) -> list[Any]:
    return list(array.ravel(order="F"))


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"cannot read {str(path)!r}: {error}") from error
