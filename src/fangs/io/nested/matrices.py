"""What counts as one matrix: a two-dimensional array, a data frame, or a sparse matrix of R."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.io.nested.dialect import Dialect
from fangs.io.nested.values import MAX_ENTRIES, NA_INTEGER, Array, List, Other, Text, Value, text_of
from fangs.io.nested.walk import Found, kind_of

__all__ = ["Matrix", "is_matrix", "matrix_of"]

_NUMERIC = ("logical", "integer", "double")
_SPARSE = ("dgCMatrix", "lgCMatrix", "ngCMatrix")


@dataclass(slots=True)
class Matrix:
    """A matrix with the names of its rows."""

    values: npt.NDArray[Any]
    items: tuple[str, ...] | None
    place: str


def is_matrix(value: Value) -> bool:
    """Whether `matrix_of` has a matrix for it; the values are not looked at."""
    if isinstance(value, Array):
        return value.kind in _NUMERIC and "levels" not in value.attributes and _n_dims(value) == 2
    if isinstance(value, List):
        return value.is_frame and all(map(_is_column, value.items))
    return isinstance(value, Other) and _sparse_class(value) is not None


def matrix_of(found: Found, dialect: Dialect) -> Matrix:
    """The matrix, or a complaint about what is there instead."""
    value = found.value
    if not is_matrix(value):
        remedy = ""
        if isinstance(value, Array) and _n_dims(value) == 1 and dialect.language == "R":
            remedy = ": R makes a vector of a single column unless one writes drop = FALSE"
        raise ValueError(f"{found} is {kind_of(value)}, not a matrix of 0 and 1{remedy}")
    if isinstance(value, Array):
        return Matrix(value.array(), value.labels[0], str(found))
    if isinstance(value, List):
        return Matrix(_of_frame(value, str(found)), _row_names(value), str(found))
    assert isinstance(value, Other)
    return _of_sparse(value, str(found))


def _n_dims(value: Array) -> int:
    dim = value.attributes.get("dim")
    if isinstance(dim, Array):
        return len(dim.data)
    return value.data.ndim if isinstance(value.data, np.ndarray) else 1


def _is_column(value: Value) -> bool:
    return (
        isinstance(value, Array)
        and value.kind in _NUMERIC
        and not {"levels", "dim"} & set(value.attributes)
    )


def _of_frame(frame: List, place: str) -> npt.NDArray[Any]:
    columns = [column.array() for column in frame.items if isinstance(column, Array)]
    if not columns:
        return np.zeros((_n_rows(frame), 0))
    if len({len(column) for column in columns}) != 1:
        raise ValueError(f"{place} is a data frame with columns of different lengths")
    return np.stack(columns, axis=1)


def _n_rows(frame: List) -> int:
    names = frame.attributes.get("row.names")
    if not isinstance(names, Array | Text):
        return 0
    is_short = isinstance(names, Array) and len(names.data) == 2 and names.data[0] == NA_INTEGER
    return abs(int(names.data[1] or 0)) if is_short else len(names.data)  # c(NA, -n) means 1:n


def _row_names(frame: List) -> tuple[str, ...] | None:
    names = frame.attributes.get("row.names")  # numbers are R's default, and no labels
    return text_of(names) if isinstance(names, Text) else None


def _sparse_class(value: Other) -> str | None:
    named = text_of(value.attributes.get("class"))
    return named[0] if named and named[0] in _SPARSE else None


def _of_sparse(value: Other, place: str) -> Matrix:
    """A matrix of R's package Matrix, by columns: rows of the entries, and where columns begin."""
    slots = {name: value.attributes.get(name) for name in ("i", "p", "Dim", "x")}
    arrays = {name: slot.array() for name, slot in slots.items() if isinstance(slot, Array)}
    try:
        n_rows, n_columns = (int(size) for size in arrays["Dim"])
        if min(n_rows, n_columns) < 0 or n_rows * n_columns > MAX_ENTRIES:
            raise ValueError("its size is not that of a matrix")
        dense = np.zeros((n_rows, n_columns))
        if arrays["p"].dtype.kind not in "iu" or arrays["i"].dtype.kind not in "iu":
            raise ValueError("its positions are not whole numbers")
        columns = np.repeat(np.arange(n_columns), arrays["p"][1:] - arrays["p"][:-1])
        dense[arrays["i"], columns] = arrays.get("x", 1.0)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{place} is a sparse matrix that cannot be read: {error}") from error
    names = value.attributes.get("Dimnames")
    rows = text_of(names.items[0]) if isinstance(names, List) and names.items else ()
    return Matrix(dense, rows if len(rows) == n_rows else None, place)
