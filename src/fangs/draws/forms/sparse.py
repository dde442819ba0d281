"""Sparse arrays of SciPy and pydata sparse, which stay sparse until they are packed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.check.arguments import not_binary
from fangs.draws.open import library
from fangs.draws.sparse import SparseColumns

__all__ = ["is_sparse", "sparse_columns", "sparse_draws"]


def is_sparse(value: Any) -> bool:
    """Whether something is an array of scipy.sparse or of pydata sparse."""
    return library(value) in ("scipy", "sparse") and hasattr(value, "shape")


def sparse_columns(matrix: Any, name: str) -> SparseColumns:
    """A sparse (n, K) matrix by the items of each column; its values must be 0 and 1."""
    items, features, values = _entries(matrix, name)
    return _columns(items, features, values, matrix.shape, name)


def sparse_draws(array: Any, positions: IntArray, name: str) -> Iterator[SparseColumns]:
    """Draws of a sparse (B, n, K) or (chain, draw, n, K) array."""
    *at, items, features, values = _entries(array, name)
    shape = array.shape
    draw = np.ravel_multi_index(at, shape[:-2]) if len(values) else np.zeros(0, dtype=np.int64)
    order = np.argsort(draw, kind="stable")
    bounds = np.searchsorted(draw[order], np.arange(int(np.prod(shape[:-2])) + 1))
    ranges = list(pairwise(bounds))
    for b in positions.tolist():
        inside = order[slice(*ranges[b])]
        where = np.unravel_index(b, shape[:-2])
        called = f"{name}[{', '.join(map(str, where))}]"
        yield _columns(items[inside], features[inside], values[inside], shape[-2:], called)


def _entries(array: Any, name: str) -> tuple[npt.NDArray[Any], ...]:
    """Coordinates and values of the entries that are stored, in any order."""
    if library(array) == "sparse":
        coo = array if hasattr(array, "coords") else array.tocoo()
        if getattr(coo, "fill_value", 0) != 0:
            raise ValueError(
                f"{name} has the fill value {coo.fill_value}; entries that are not stored must be 0"
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
