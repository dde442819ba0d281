"""The order of an allocation's features: left-ordered, by size, or as another allocation has them.

Features that nothing tells apart by size, or that match no feature of the other allocation, stay in
left-ordered form among themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fangs._typing import BinaryMatrix, IntArray
from fangs.allocation import left_order
from fangs.draws.matrices import matched_allocation
from fangs.engine.matching import match

ORDERS = ("left", "size")


def feature_order(
    matrix: BinaryMatrix, by: Any = "left", *, items: Sequence[str] | None = None
) -> IntArray:
    """Positions of the features of an allocation without empty columns, in the order wanted.

    That is `by` "left" for left-ordered form; by "size" for the features with most items first; or
    by another allocation: the features that match its first, second, ... feature come first, all
    others last. Its rows are matched by name where `items` labels those of the matrix.

    Examples
    --------
    >>> matrix = np.array([[1, 1, 0], [0, 1, 1], [0, 0, 1]], dtype=np.uint8)
    >>> feature_order(matrix).tolist(), feature_order(matrix, "size").tolist()
    ([1, 0, 2], [1, 2, 0])
    >>> feature_order(matrix, [[0, 1], [1, 1], [1, 0]]).tolist()
    [2, 1, 0]
    """
    left: IntArray = np.array(left_order(matrix), dtype=np.int64)
    if isinstance(by, str):
        if by not in ORDERS:
            raise ValueError(
                f'by = {by!r} is unknown; choose "left" or "size", or give another estimate'
            )
        if by == "left":
            return left
        sizes = matrix.sum(axis=0, dtype=np.int64)[left]
        return left[np.argsort(-sizes, kind="stable")]
    other = matched_allocation(
        by, name="by", n_items=len(matrix), items=items, other="the estimate"
    )
    partners = match(other, np.ascontiguousarray(matrix[:, left]))[1]
    found = partners[partners >= 0].astype(np.int64)
    matched_first: IntArray = left[np.append(found, np.setdiff1d(np.arange(len(left)), found))]
    return matched_first
