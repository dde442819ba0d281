"""What one allocation is: a 0/1 matrix up to column order, where empty columns mean nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from fangs._typing import BinaryMatrix, IntArray
from fangs.draws.matrices import matched_allocation


def left_ordered(matrix: Any) -> BinaryMatrix:
    """Drop empty columns and sort the others by their binary number, largest first.

    The first item is the most significant digit (Griffiths and Ghahramani 2011). Two matrices are
    the same allocation exactly if their left-ordered forms are equal.

    Examples
    --------
    >>> left_ordered([[0, 0, 1], [1, 0, 1]])
    array([[1, 0],
           [1, 1]], dtype=uint8)
    """
    array = matched_allocation(matrix, name="matrix")
    return np.take(array, np.array(left_order(array), dtype=np.int64), axis=1)


def left_order(matrix: BinaryMatrix) -> list[int]:
    """Positions of the columns that the left-ordered form has, in its order."""
    packed = np.packbits(np.ascontiguousarray(matrix.T), axis=1)
    joined, width = packed.tobytes(), packed.shape[1]
    digits = [joined[k * width : (k + 1) * width] for k in range(len(packed))]
    kept = [k for k, number in enumerate(digits) if any(number)]
    return sorted(kept, key=digits.__getitem__, reverse=True)


def without_empty(matrix: BinaryMatrix) -> BinaryMatrix:
    """Keep the columns that have an item."""
    return np.ascontiguousarray(matrix[:, matrix.any(axis=0)])


def with_empty(matrix: BinaryMatrix, n_empty: int = 1) -> BinaryMatrix:
    """Keep the columns that have an item and append `n_empty` empty ones."""
    kept = without_empty(matrix)
    padded = np.zeros((len(kept), kept.shape[1] + n_empty), dtype=np.uint8)
    padded[:, : kept.shape[1]] = kept
    return padded


def order_as_given(matrix: BinaryMatrix) -> IntArray:
    """Positions in the left-ordered form of the columns of a matrix, empty ones left out.

    ``left_ordered(matrix)[:, order_as_given(matrix)]`` is the matrix without its empty columns.

    Examples
    --------
    >>> order_as_given(np.array([[0, 0, 1], [1, 0, 1]], dtype=np.uint8))
    array([1, 0])
    """
    return np.argsort(np.array(left_order(matrix), dtype=np.int64))
