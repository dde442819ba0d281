"""Sparse draws: scipy.sparse and pydata sparse, which stay sparse until they are packed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs._validate import not_binary
from fangs.interop.given import SparseColumns, library


def is_sparse(value: Any) -> bool:
    """Whether something is an array of scipy.sparse or of pydata sparse."""
    return library(value) in ("scipy", "sparse") and hasattr(value, "shape")


def sparse_columns(matrix: Any, name: str) -> SparseColumns:
    """A sparse (n, K) matrix by the items of each column; its values must be 0 and 1."""
    if len(matrix.shape) != 2:
        raise ValueError(
            f"{name} has {len(matrix.shape)} dimension(s) and shape {matrix.shape}; "
            "give an (n, K) array with one row per item and one column per feature"
        )
    items, features, values = _entries(matrix)
    return _columns(items, features, values, matrix.shape, name)


def sparse_draws(array: Any) -> Iterator[SparseColumns]:
    """Yield the draws of a sparse (B, n, K) or (chain, draw, n, K) array."""
    *at, items, features, values = _entries(array)
    shape = array.shape
    draw = np.ravel_multi_index(at, shape[:-2]) if len(values) else np.zeros(0, dtype=np.int64)
    order = np.argsort(draw, kind="stable")
    bounds = np.searchsorted(draw[order], np.arange(int(np.prod(shape[:-2])) + 1))
    for b, (first, last) in enumerate(pairwise(bounds)):
        some = order[first:last]
        name = f"draws[{b}]"
        yield _columns(items[some], features[some], values[some], shape[-2:], name)


def _entries(array: Any) -> tuple[npt.NDArray[Any], ...]:
    """Coordinates and values of the entries that are stored, in any order."""
    if library(array) == "sparse":
        coo = array if hasattr(array, "coords") else array.tocoo()
        if getattr(coo, "fill_value", 0) != 0:
            raise ValueError(
                f"draws has the fill value {coo.fill_value}; entries that are not stored must be 0"
            )
        return (*(np.asarray(at, dtype=np.int64) for at in coo.coords), np.asarray(coo.data))
    coo = array.tocoo()
    at = coo.coords if hasattr(coo, "coords") else (coo.row, coo.col)
    return (*(np.asarray(i, dtype=np.int64) for i in at), coo.data)


def _columns(
    items: IntArray,
    features: IntArray,
    values: npt.NDArray[Any],
    shape: tuple[int, ...],
    name: str,
) -> SparseColumns:
    n_items, n_columns = (int(extent) for extent in shape)
    order = np.lexsort((items, features))
    items, features, values = items[order], features[order], values[order]
    same = np.zeros(len(items), dtype=bool)
    same[1:] = (np.diff(items) == 0) & (np.diff(features) == 0)
    if same.any():  # an entry that is stored twice means the sum
        first = np.flatnonzero(~same)
        values = np.add.reduceat(values.astype(np.float64), first)
        items, features = items[first], features[first]
    bad = np.flatnonzero((values != 0) & (values != 1))
    if len(bad):
        value = values[bad[0]]
        raise not_binary(value, name=name, item=int(items[bad[0]]), feature=int(features[bad[0]]))
    ones = values != 0
    starts = np.searchsorted(features[ones], np.arange(n_columns + 1))
    return SparseColumns(n_items, starts.astype(np.int64), np.ascontiguousarray(items[ones]))
