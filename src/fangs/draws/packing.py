"""Packs draws into bits, one by one, and refuses what is not 0 and 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs._typing import BinaryMatrix, IntArray
from fangs.check.arguments import as_matrix, not_binary
from fangs.draws.source import DrawSource
from fangs.draws.sparse import SparseColumns

# Types that the core reads; others (half, long double, swapped bytes) are converted first.
_NATIVE = frozenset(np.dtype(t) for t in "?bBhHiIlLqQfd")


def pack(source: DrawSource, name: str = "draws") -> _core.Draws:
    """Check draws one by one and pack each before the next is read."""
    if source.held is not None:
        return source.held
    packed: _core.Draws | None = None
    first_width = 0
    for b, draw in enumerate(source.all()):
        if isinstance(draw, SparseColumns) or (type(draw) is np.ndarray and draw.ndim == 2):
            matrix = draw
        else:
            matrix = as_matrix(draw, name=source.name(b))
        if packed is None:
            if matrix.shape[0] == 0:
                raise ValueError(f"{source.name(b)} has no rows; an allocation needs an item")
            packed, first_width = _core.Draws(matrix.shape[0]), matrix.shape[1]
            packed.reserve(source.n_draws, source.n_features or source.n_draws * first_width)
        elif matrix.shape[0] != packed.n_items:
            turned = matrix.shape[1] == first_width
            hint = f"; if these {first_width} columns are items, transpose" if turned else ""
            raise ValueError(
                f"{source.name(b)} has {matrix.shape[0]} rows, but {source.name(0)} has "
                f"{packed.n_items}; every draw needs one row per item, in the same order{hint}"
            )
        if isinstance(matrix, SparseColumns):
            packed.append_sparse(matrix.starts, matrix.items)
        else:
            _append(packed, matrix, source, b)
    if packed is None:
        raise ValueError(f"{name} is empty; at least one draw is needed")
    packed.shrink_to_fit()
    return packed


def state(draws: _core.Draws) -> tuple[Any, ...]:
    """Everything about packed draws, in arrays that can be pickled."""
    words, kept = draws.state()
    return draws.n_items, words, draws.n_columns(), np.packbits(kept), len(kept)


def restore(packed: tuple[int, npt.NDArray[np.uint64], IntArray, BinaryMatrix, int]) -> _core.Draws:
    """Packed draws as `state` describes them."""
    n_items, words, n_columns, kept, n_kept = packed
    return _core.Draws.restore(n_items, words, n_columns, np.unpackbits(kept, count=n_kept))


def _append(packed: _core.Draws, given: npt.NDArray[Any], source: DrawSource, b: int) -> None:
    """Pack one matrix; a column of nothing but NaN, or nothing but -1, is an absent feature."""
    matrix = given
    if matrix.dtype not in _NATIVE:
        matrix = _to_native(as_matrix(given, name=source.name(b)))
    if not matrix.flags.aligned or any(step % matrix.itemsize for step in matrix.strides):
        matrix = matrix.copy()  # for example a field of records
    bad = packed.append(matrix)
    if bad < 0:
        return
    is_padding = (matrix != matrix) | (matrix == -1)
    absent = is_padding.all(axis=0)
    if absent.any():
        bad = packed.append(np.where(absent, matrix.dtype.type(0), matrix))
    if bad >= 0:
        item, feature = divmod(bad, matrix.shape[1])
        padded = None
        if is_padding[item, feature]:
            padded = int(is_padding[:, feature].sum()), len(matrix)
        value, name = given[item, feature], source.name(b)
        raise not_binary(value, name=name, item=item, feature=feature, padded=padded)


def _to_native(matrix: npt.NDArray[Any]) -> npt.NDArray[Any]:
    with np.errstate(over="ignore"):
        converted = matrix.astype(np.float64)
    # 1 + 1e-19 must not become 1 in the conversion. Infinity is neither a value nor padding.
    changed = (converted != matrix) & (matrix == matrix)
    if changed.any():
        converted[changed] = np.inf
    return converted
