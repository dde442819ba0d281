"""The numbers behind pictures of matrices: plots and reports shade the same ones.

They lie between -1 and 1: positive is drawn in blue, negative in orange, 0 not at all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, FloatArray
from fangs.modes.aligned import aligned_matrices


def signed(matrix: npt.ArrayLike, shares: npt.ArrayLike) -> FloatArray:
    """Shares of draws: positive where the matrix has the entry, negative elsewhere."""
    shares = np.asarray(shares, dtype=np.float64)
    return np.where(np.asarray(matrix) == 1, shares, -shares)


def with_gaps(blocks: Sequence[FloatArray], *, gap: int = 1) -> FloatArray:
    """Matrices next to each other, with empty columns between them."""
    between = np.zeros((len(blocks[0]), gap))
    first, *others = blocks
    return np.hstack([first, *(part for block in others for part in (between, block))])


def highest_shared(similarity: FloatArray) -> float:
    """The most features that two different items share: where the strongest colour begins.

    An item shares all its features with itself, often far more, so the diagonal would hide all
    other differences.
    """
    apart = similarity[~np.eye(len(similarity), dtype=bool)]
    return float(apart.max(initial=0.0)) or float(similarity.max(initial=0.0)) or 1.0


def side_by_side(first: BinaryMatrix, second: BinaryMatrix) -> list[BinaryMatrix]:
    """Align the columns of the second matrix to the first, and pad both to one width.

    Examples
    --------
    >>> side_by_side(np.array([[1], [0]]), np.array([[0, 1], [1, 1]]))[1]
    array([[1, 0],
           [1, 1]], dtype=uint8)
    """
    found = aligned_matrices([first, second[:, second.any(axis=0)]])
    return found if found[0].shape[1] else [np.zeros((len(first), 1), dtype=np.uint8)] * 2
