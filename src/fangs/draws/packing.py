"""Packs draws into bits, one by one, and refuses what is not 0 and 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs._typing import IntArray
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
    if source.n_ones is not None:
        _check_ones(packed, source, source.n_ones)
    return packed


def _check_ones(packed: _core.Draws, source: DrawSource, counted: IntArray) -> None:
    """Refuse draws that have other ones than the source has counted."""
    found = packed.n_ones().view(np.int64)
    for b in np.flatnonzero(found != counted)[:1].tolist():
        raise ValueError(
            f"{source.name(b)} has {found[b]} ones, but its source says itself (n_ones) that there "
            f"are {counted[b]}: it is damaged, or was changed without its counts"
        )


class PackedPieces:
    """Packed draws as pickle writes them: a list of numbers, whose bytes are some draws each.

    Numbers, because pickle holds all else that it has written until it ends: a copy of the draws.
    """

    def __init__(self, draws: _core.Draws) -> None:
        self._draws = draws
        self.sizes = draws.n_items, int(draws.n_features().sum()), draws.n_columns()
        """What `restore` needs besides."""

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (), None, self._numbers()

    def _numbers(self) -> Iterator[int]:
        for first, last in _pieces(*self.sizes):
            words, kept = self._draws.select(np.arange(first, last), 1).state()
            content = np.packbits(kept).tobytes() + words.tobytes()
            yield int.from_bytes(content + b"\1", "little")  # so that no zeros at its end are lost


def restore(pieces: list[int], n_items: int, n_features: int, n_columns: IntArray) -> _core.Draws:
    """Packed draws from their pieces, which are used up."""
    packed = _core.Draws(n_items)
    packed.reserve(len(n_columns), n_features)
    pieces.reverse()
    for first, last in _pieces(n_items, n_features, n_columns):
        number, widths = pieces.pop(), n_columns[first:last]
        content = number.to_bytes(number.bit_length() // 8 + 1, "little")[:-1]
        n_marks = int(widths.sum())
        at = -(-n_marks // 8)
        kept = np.unpackbits(np.frombuffer(content[:at], np.uint8), count=n_marks)
        words = np.frombuffer(content[at:], np.uint64)
        packed.extend(_core.Draws.restore(n_items, words, widths, kept))
    packed.shrink_to_fit()
    return packed


def _pieces(n_items: int, n_features: int, n_columns: IntArray) -> Iterator[tuple[int, int]]:
    """The first and last draw of each piece, of about 100 kB."""
    n_draws = len(n_columns)
    step = max(1, 2**20 * n_draws // max(1, n_items * n_features))
    return ((first, min(first + step, n_draws)) for first in range(0, n_draws, step))


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
