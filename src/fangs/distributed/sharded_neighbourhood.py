"""An allocation with its flip support over draws in shards."""

from __future__ import annotations

import uuid

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.distributed import steps
from fangs.distributed.executor import ShardExecutor
from fangs.distributed.steps import PackedMatrix

__all__ = ["ShardedNeighbourhood"]


class ShardedNeighbourhood:
    """A `Neighbourhood` over shards: every round carries the whole allocation."""

    def __init__(self, executor: ShardExecutor, matrix: BinaryMatrix) -> None:
        self._executor = executor
        self._key = uuid.uuid4().hex
        self._matrix = np.array(matrix, dtype=np.uint8, order="C")
        self._sizes: IntArray = self._matrix.sum(axis=0, dtype=np.int64)
        self._total: int | None = None
        self._support: IntArray | None = None
        self._ask(with_support=True)

    @property
    def matrix(self) -> BinaryMatrix:
        """The current allocation (n, K), empty columns included."""
        return self._matrix.copy()

    @property
    def sizes(self) -> IntArray:
        """(K,): number of items of each column."""
        return self._sizes

    @property
    def total_overlap(self) -> int:
        """The total overlap with all draws."""
        if self._total is None:
            self._ask(with_support=False)
        assert self._total is not None
        return self._total

    def flip_support(self) -> IntArray:
        """(n, K): draws whose overlap a flip would raise (entry 0) or lower (entry 1)."""
        if self._support is None:
            self._ask(with_support=True)
        assert self._support is not None
        return self._support

    def flip(
        self, items: npt.ArrayLike, features: npt.ArrayLike, *, with_support: bool = False
    ) -> None:
        """Flip these entries, each named once. The round is made when its result is asked for.

        `with_support` announces that the flip support will be asked for next.
        """
        self._matrix[np.asarray(items), np.asarray(features)] ^= 1
        self._sizes = self._matrix.sum(axis=0, dtype=np.int64)
        self._total = self._support = None
        if with_support:
            self._ask(with_support=True)

    def _ask(self, *, with_support: bool) -> None:
        packed, most = PackedMatrix.of(self._matrix), self._executor.state_bytes
        part = self._executor.run(steps.visit, self._key, packed, with_support, most)
        self._total = int(part.sums[0][0])
        if with_support:
            self._support = part.sums[1].astype(np.int64)
            self._support.setflags(write=False)
