"""A binary matrix by the items of each column, which is how sparse draws are packed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fangs._typing import IntArray

__all__ = ["SparseColumns", "rows_at"]


@dataclass(frozen=True)
class SparseColumns:
    """A binary matrix by the items of each column, each item once.

    Attributes
    ----------
    n_items
        Number of rows.
    starts
        (K + 1,): where the items of each column start.
    items
        The items of all columns, one column after the other.
    """

    n_items: int
    starts: IntArray
    items: IntArray

    @property
    def shape(self) -> tuple[int, int]:
        """(n, K)."""
        return self.n_items, len(self.starts) - 1

    def take_rows(self, order: IntArray) -> SparseColumns:
        """The matrix with row ``order[i]`` in place i."""
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return SparseColumns(self.n_items, self.starts, place[self.items])


def rows_at(matrix: Any, order: IntArray) -> Any:
    """A matrix, sparse or not, with row ``order[i]`` in place i."""
    is_sparse = isinstance(matrix, SparseColumns)
    return matrix.take_rows(order) if is_sparse else np.asarray(matrix)[order]
