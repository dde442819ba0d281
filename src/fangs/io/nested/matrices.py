"""What counts as one matrix: a two-dimensional array, a data frame, or a sparse matrix of R."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.interop import SparseColumns
from fangs.io.nested.dialect import Dialect
from fangs.io.nested.sparse import is_sparse, row_names, sparse_matrix
from fangs.io.nested.values import NA_INTEGER, Array, List, Other, Text, Value, text_of
from fangs.io.nested.walk import Found, kind_of

__all__ = ["Matrix", "is_matrix", "matrix_of"]

_NUMERIC = ("logical", "integer", "double")


@dataclass(slots=True)
class Matrix:
    """A matrix with the names of its rows."""

    values: npt.NDArray[Any] | SparseColumns
    items: tuple[str, ...] | None
    place: str


def is_matrix(value: Value) -> bool:
    """Whether `matrix_of` has a matrix for it; the values are not looked at."""
    if isinstance(value, Array):
        return value.kind in _NUMERIC and "levels" not in value.attributes and _n_dims(value) == 2
    if isinstance(value, List):
        return value.is_frame and all(map(_is_column, value.items))
    return isinstance(value, Other) and is_sparse(value)


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
    values = sparse_matrix(value, str(found))
    return Matrix(values, row_names(value, values.shape[0]), str(found))


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
