"""One matching of two sets of features, for single losses."""

from __future__ import annotations

import numpy as np

from fangs import _core
from fangs._typing import BinaryMatrix, IntArray


def match(one: BinaryMatrix, other: BinaryMatrix) -> tuple[int, IntArray]:
    """Largest total overlap of two allocations, and which feature of `other` each of `one` gets.

    A feature that shares no item with any partner gets -1.

    Examples
    --------
    >>> match(np.array([[1, 0], [1, 1]]), np.array([[0, 1], [1, 1]]))
    (3, array([1, 0]))
    """
    # Overlaps are whole numbers far below 2**53, so floating point (and BLAS) is exact here.
    overlaps = one.astype(np.float64).T @ other.astype(np.float64)
    total, partners, *_ = _core.match(np.ascontiguousarray(overlaps, dtype=np.int64))
    return total, partners
