"""Several allocations with their features in one order, so that they can be put side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fangs._typing import BinaryMatrix, IntArray
from fangs.engine import match


def aligned_columns(matrices: Sequence[BinaryMatrix]) -> list[IntArray]:
    """For each allocation, (W,): which of its features belongs in each column, -1 where none does.

    The first keeps its columns. The features of each further one are matched to the columns so
    far; what matches none gets a column of its own at the end.

    Examples
    --------
    >>> first, second = np.array([[1, 0], [1, 0], [0, 1]]), np.array([[0, 1], [0, 1], [1, 1]])
    >>> [columns.tolist() for columns in aligned_columns([first, second])]
    [[0, 1], [1, 0]]
    """
    columns = np.zeros((len(matrices[0]), 0), dtype=np.uint8)
    orders = []
    for matrix in matrices:
        partners = match(columns, matrix)[1]
        alone = np.setdiff1d(np.arange(matrix.shape[1]), partners)
        columns = np.hstack([columns, matrix[:, alone]])
        orders.append(np.concatenate([partners, alone]).astype(np.int64))
    width = columns.shape[1]
    return [np.pad(order, (0, width - len(order)), constant_values=-1) for order in orders]


def aligned_matrices(matrices: Sequence[BinaryMatrix]) -> list[BinaryMatrix]:
    """The same allocations, all (n, W): like features in like columns, zeros where one is absent.

    Examples
    --------
    >>> first, second = np.array([[1, 0], [1, 0], [0, 1]]), np.array([[0, 1], [0, 1], [1, 1]])
    >>> aligned_matrices([first, second])[1].tolist()
    [[1, 0], [1, 0], [1, 1]]
    """
    wide = []
    for matrix, order in zip(matrices, aligned_columns(matrices), strict=True):
        padded = np.pad(matrix, ((0, 0), (0, 1)))  # order -1 is the empty column at the end
        wide.append(np.ascontiguousarray(padded[:, order], dtype=np.uint8))
    return wide
