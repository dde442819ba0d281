"""The neighbourhood of an allocation in this process: matchings of all draws, ready for flips."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs._typing import BinaryMatrix, IntArray
from fangs.engine.distinct_draws import DistinctDraws


class ThreadedNeighbourhood:
    """A `Neighbourhood` in this process."""

    def __init__(self, merged: DistinctDraws, matrix: BinaryMatrix, threads: _core.Threads) -> None:
        self._core = _core.Neighbourhood(merged.draws, merged.weights, matrix, True, threads)
        self._sizes: IntArray | None = None

    @property
    def matrix(self) -> BinaryMatrix:
        """The current allocation (n, K), empty columns included."""
        return self._core.matrix

    @property
    def sizes(self) -> IntArray:
        """(K,): number of items of each column."""
        if self._sizes is None:
            self._sizes = self._core.sizes
            self._sizes.setflags(write=False)
        return self._sizes

    @property
    def total_overlap(self) -> int:
        """The total overlap with all draws, by weight."""
        return self._core.total_overlap

    @property
    def n_bytes(self) -> int:
        """Memory that the matchings (and the overlaps, where kept) take."""
        return self._core.n_bytes

    def flip_support(self) -> IntArray:
        """(n, K): weight of draws whose overlap a flip would raise (entry 0) or lower (1)."""
        return self._core.flip_support()

    def flip(
        self, items: npt.ArrayLike, features: npt.ArrayLike, *, with_support: bool = False
    ) -> None:
        """Flip these entries, each named once, and repair every matching.

        `with_support` finds the flip support in the same pass, for a look at it afterwards.
        """
        self._sizes = None
        self._core.flip(
            np.atleast_1d(np.asarray(items, dtype=np.int64)),
            np.atleast_1d(np.asarray(features, dtype=np.int64)),
            with_support,
        )
