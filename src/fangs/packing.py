"""Packs draws into bits, one by one, and refuses what is not 0 and 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs._typing import BinaryMatrix, IntArray
from fangs._validate import as_matrix, not_binary
from fangs.interop.given import Given, SparseColumns, matched_order

if TYPE_CHECKING:
    from fangs.samples import Samples

# Types that the core reads; other numeric types (half, long double) are converted first.
_NATIVE = frozenset(np.dtype(t) for t in "?bBhHiIlLqQfd")


def pack(given: Given, name: str = "draws") -> _core.Draws:
    """Check draws one by one and pack each before the next is read."""
    packed: _core.Draws | None = None
    first_width = 0
    for b, draw in enumerate(given.draws):
        if isinstance(draw, SparseColumns) or (type(draw) is np.ndarray and draw.ndim == 2):
            matrix = draw
        else:
            matrix = as_matrix(draw, name=given.name(b))
        if packed is None:
            if matrix.shape[0] == 0:
                raise ValueError(f"{given.name(b)} has no rows; an allocation needs an item")
            packed, first_width = _core.Draws(matrix.shape[0]), matrix.shape[1]
            n_draws, n_features = given.size
            packed.reserve(n_draws, n_features or n_draws * matrix.shape[1])
        elif matrix.shape[0] != packed.n_items:
            turned = matrix.shape[1] == first_width
            hint = f"; if these {first_width} columns are items, transpose" if turned else ""
            raise ValueError(
                f"{given.name(b)} has {matrix.shape[0]} rows, but {given.name(0)} has "
                f"{packed.n_items}; every draw needs one row per item, in the same order{hint}"
            )
        if isinstance(matrix, SparseColumns):
            packed.append_sparse(matrix.starts, matrix.items)
        else:
            _append(packed, matrix, given, b)
    if packed is None:
        raise ValueError(f"{name} is empty; at least one draw is needed")
    packed.shrink_to_fit()
    return packed


def join(parts: list[Samples], names: list[str]) -> _core.Draws:
    """All draws of several samples, their rows in the order of the first."""
    first = parts[0]
    joined = _core.Draws(first.n_items)
    joined.reserve(sum(len(part) for part in parts), sum(int(p.n_features.sum()) for p in parts))
    for part, name in zip(parts, names, strict=True):
        if part.n_items != first.n_items:
            raise ValueError(
                f"{name} has {part.n_items} items, but {names[0]} has {first.n_items}; all need "
                "the same items"
            )
        if (part.items is None) != (first.items is None):
            without = name if part.items is None else names[0]
            raise ValueError(f"{without} has no item labels, but others have; label all or none")
        if part.items == first.items or part.items is None or first.items is None:
            joined.extend(part._draws)
            continue
        order = matched_order(part.items, first.items, name=name, other=names[0])
        for b, draw in enumerate(part):
            wide = np.zeros((part.n_items, int(part.n_columns[b])), dtype=np.uint8)
            wide[:, part.columns(b)] = draw[order]
            joined.append(wide)
    joined.shrink_to_fit()
    return joined


def state(draws: _core.Draws) -> tuple[Any, ...]:
    """Everything about packed draws, in arrays that can be pickled."""
    words, kept = draws.state()
    return draws.n_items, words, draws.n_columns(), np.packbits(kept), len(kept)


def restore(packed: tuple[int, npt.NDArray[np.uint64], IntArray, BinaryMatrix, int]) -> _core.Draws:
    """Packed draws as `state` describes them."""
    n_items, words, n_columns, kept, n_kept = packed
    return _core.Draws.restore(n_items, words, n_columns, np.unpackbits(kept, count=n_kept))


def _append(packed: _core.Draws, given: npt.NDArray[Any], source: Given, b: int) -> None:
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
        has_padding = bool(is_padding[item, feature])
        n_padded = int(is_padding[:, feature].sum()) if has_padding else 0
        raise not_binary(
            given[item, feature],
            name=source.name(b),
            item=item,
            feature=feature,
            padded=(n_padded, len(matrix)) if has_padding else None,
        )


def _to_native(matrix: npt.NDArray[Any]) -> npt.NDArray[Any]:
    wanted = matrix.dtype.newbyteorder("=") if matrix.dtype.itemsize <= 8 else np.dtype(np.float64)
    if wanted not in _NATIVE:
        wanted = np.dtype(np.float32)
    with np.errstate(over="ignore"):
        converted = matrix.astype(wanted)
    # 1 + 1e-19 must not become 1 in the conversion. Infinity is neither a value nor padding.
    changed = (converted != matrix) & (matrix == matrix)
    if changed.any():
        converted[changed] = np.inf
    return converted
