"""A binary matrix by the items of each column, which is how sparse draws are packed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fangs._typing import IntArray

__all__ = ["SparseColumns"]


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

    def dense(self) -> np.ndarray:
        """The same matrix with all its zeros."""
        out = np.zeros(self.shape, dtype=np.uint8)
        out[self.items, np.repeat(np.arange(self.shape[1]), np.diff(self.starts))] = 1
        return out
