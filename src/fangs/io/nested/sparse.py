"""A sparse matrix of R's package Matrix: columns of rows, never made dense for its claimed size."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.interop import SparseColumns
from fangs.io.guard import check_piece
from fangs.io.nested.values import MAX_ENTRIES, Array, List, Other, text_of

__all__ = ["check_claims", "dense", "is_sparse", "row_names", "sparse_matrix"]

_CLASSES = ("dgCMatrix", "lgCMatrix", "ngCMatrix")


def is_sparse(value: Other) -> bool:
    """Whether an object of R is of one of the classes that `sparse_matrix` reads."""
    named = text_of(value.attributes.get("class"))
    return bool(named) and named[0] in _CLASSES


def sparse_matrix(value: Other, place: str) -> SparseColumns | npt.NDArray[Any]:
    """The matrix; a dense one if it has other values than 0 and 1."""
    try:
        return _read(value)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{place} is a sparse matrix that cannot be read: {error}") from error


def row_names(value: Other, n_rows: int) -> tuple[str, ...] | None:
    """Its row names, if there is one for each row."""
    names = value.attributes.get("Dimnames")
    rows = text_of(names.items[0]) if isinstance(names, List) and names.items else ()
    return rows if rows and len(rows) == n_rows else None


def check_claims(matrices: list[npt.NDArray[Any] | SparseColumns]) -> None:
    """Refuse sparse matrices that together would take too much memory, packed into bits."""
    sizes = [m.shape[0] * m.shape[1] for m in matrices if isinstance(m, SparseColumns)]
    check_piece(sum(sizes) // 8, name="the sparse matrices of the file together")


def dense(matrix: SparseColumns) -> npt.NDArray[np.float64]:
    """The same matrix with all its zeros."""
    check_piece(8 * matrix.shape[0] * matrix.shape[1], name="a sparse matrix")
    out = np.zeros(matrix.shape)
    out[matrix.items, np.repeat(np.arange(matrix.shape[1]), np.diff(matrix.starts))] = 1
    return out


def _read(value: Other) -> SparseColumns | npt.NDArray[Any]:
    slots = {name: value.attributes.get(name) for name in ("i", "p", "Dim", "x")}
    arrays = {name: slot.array() for name, slot in slots.items() if isinstance(slot, Array)}
    n_rows, n_columns = (int(size) for size in arrays["Dim"])
    if min(n_rows, n_columns) < 0 or n_rows * n_columns > MAX_ENTRIES:
        raise ValueError("its size is not that of a matrix")
    if arrays["p"].dtype.kind not in "iu" or arrays["i"].dtype.kind not in "iu":
        raise ValueError("its positions are not whole numbers")
    starts, items = arrays["p"].astype(np.int64).ravel(), arrays["i"].astype(np.int64).ravel()
    if len(starts) != n_columns + 1 or starts[0] != 0 or starts[-1] != len(items):
        raise ValueError("its columns do not fit its entries")
    lengths = np.diff(starts)
    if (lengths < 0).any() or ((items < 0) | (items >= n_rows)).any():
        raise ValueError("it has an entry outside its rows or columns")
    columns = np.repeat(np.arange(n_columns), lengths)
    if ((np.diff(items) <= 0) & (np.diff(columns) == 0)).any():
        raise ValueError("its entries are not in the order of rows within a column")
    values = np.broadcast_to(arrays.get("x", np.ones(1)), items.shape)
    ones = values == 1
    if (ones | (values == 0)).all():
        starts = np.searchsorted(columns[ones], np.arange(n_columns + 1))
        return SparseColumns(n_rows, starts.astype(np.int64), np.ascontiguousarray(items[ones]))
    check_piece(8 * n_rows * n_columns, name="it", limit=2**28)
    out = np.zeros((n_rows, n_columns))
    out[items, columns] = values
    return out
