"""The passes over all draws that everything else is built on, run over threads.

The search knows only this interface; anything that provides it (a cluster, say) gives the same
integers and hence the same estimate.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs.samples import IntArray, Samples
from fangs.validate import BinaryMatrix, as_samples, as_threads


@dataclass(frozen=True)
class Aligned:
    """All draws aligned to one allocation, summed up."""

    counts: IntArray
    """(n, K): in how many draws the feature aligned to column j has item i."""
    overlaps: IntArray
    """(B,): the total overlap of each draw."""

    @cached_property
    def total_overlap(self) -> int:
        """The total overlap over all draws."""
        return int(self.overlaps.sum())


@dataclass(frozen=True)
class Priced:
    """An allocation with all draws aligned to it and the exact worth of its single flips."""

    matrix: BinaryMatrix
    aligned: Aligned
    counts: IntArray
    """(n, K + 1): as `Neighbourhood.counts`, with an empty feature at the end."""
    n_anew: int
    """How many draws were matched to it anew; all others are matched as to what it is a variant of,
    have no other choice, and so give the same counts."""


class Neighbourhood(Protocol):
    """An allocation with the exact worth of each of its single flips."""

    @property
    def matrix(self) -> BinaryMatrix:
        """The allocation as it stands (n, K), empty columns included."""

    @property
    def sizes(self) -> IntArray:
        """(K,): how many items each feature has."""

    @property
    def total_overlap(self) -> int:
        """The total overlap with all draws."""

    def counts(self) -> IntArray:
        """(n, K): the draws whose overlap a flip would raise (entry 0) or lower (entry 1)."""

    def changes(self) -> tuple[IntArray, IntArray]:
        """`counts` taken apart: gains of switching on, losses of switching off, 0 elsewhere."""

    def flip(self, items: npt.ArrayLike, features: npt.ArrayLike) -> None:
        """Flip these entries, each named once, and repair every matching."""


class Engine:
    """The passes over the draws held in this process."""

    def __init__(self, samples: Any, n_threads: int | None = None) -> None:
        self.samples: Samples = as_samples(samples)
        self.n_threads = as_threads(n_threads)

    @property
    def n_draws(self) -> int:
        """How many draws there are."""
        return len(self.samples)

    @cached_property
    def total_ones(self) -> int:
        """How many ones all draws have together."""
        return int(self.samples.n_ones.sum())

    def align(self, matrix: BinaryMatrix) -> Aligned:
        """Align every draw to the matrix."""
        overlaps, _, counts = _core.align(self.samples._draws, matrix, False, True, self.n_threads)
        return Aligned(counts, overlaps)

    def price(self, matrix: BinaryMatrix) -> Priced:
        """Align every draw to the matrix, which has no empty columns, and price all its flips."""
        return self.price_variants(matrix, [(matrix, np.arange(matrix.shape[1]))])[0]

    def price_variants(
        self, reference: BinaryMatrix, variants: list[tuple[BinaryMatrix, IntArray]]
    ) -> list[Priced]:
        """The same for several variants of a matrix; quick for draws that match all of them alike.

        With each variant comes the column of the reference that each of its own was.
        """
        *arrays, n_anew = _core.price_variants(
            self.samples._draws, reference, variants, self.n_threads
        )
        return [
            Priced(matrix, Aligned(counts, overlaps), worth, n)
            for (matrix, _), overlaps, counts, worth, n in zip(
                variants, *arrays, n_anew.tolist(), strict=True
            )
        ]

    def overlaps(self, matrix: BinaryMatrix) -> IntArray:
        """Total overlap of the matrix with each draw."""
        return _core.align(self.samples._draws, matrix, False, False, self.n_threads)[0]

    def permutations(self, matrix: BinaryMatrix) -> npt.NDArray[np.int32]:
        """(B, K): the feature of each draw aligned to each column, -1 where there is none."""
        return _core.align(self.samples._draws, matrix, True, False, self.n_threads)[1]

    def grow_templates(self, walks: list[IntArray]) -> list[IntArray]:
        """For each walk (n, K): counts of mean features, grown while walking through its draws."""
        return _core.grow_templates(self.samples._draws, walks, 2, self.n_threads)

    def select(self, draws: IntArray) -> Engine:
        """An engine over some of the draws."""
        return Engine(self.samples.select(draws), self.n_threads)

    def some(self, n_draws: int, rng: np.random.Generator) -> Engine:
        """An engine over so many of the draws, picked at random; over all if there are no more."""
        if n_draws >= self.n_draws:
            return self
        return self.select(np.sort(rng.choice(self.n_draws, size=n_draws, replace=False)))

    def neighbourhood(self, matrix: BinaryMatrix) -> Neighbourhood:
        """Match every draw to the matrix, ready to price and make flips."""
        return ThreadedNeighbourhood(self.samples, matrix, self.n_threads)


class ThreadedNeighbourhood:
    """A `Neighbourhood` in this process."""

    def __init__(self, samples: Samples, matrix: BinaryMatrix, n_threads: int) -> None:
        self._core = _core.Neighbourhood(samples._draws, matrix, n_threads)
        self._sizes: IntArray | None = None
        self._counts: IntArray | None = None

    @property
    def matrix(self) -> BinaryMatrix:
        """The allocation as it stands (n, K), empty columns included."""
        return self._core.matrix

    @property
    def sizes(self) -> IntArray:
        """(K,): how many items each feature has."""
        if self._sizes is None:
            self._sizes = self._core.sizes
            self._sizes.setflags(write=False)
        return self._sizes

    @property
    def total_overlap(self) -> int:
        """The total overlap with all draws."""
        return self._core.total_overlap

    @property
    def n_bytes(self) -> int:
        """How much memory the matchings (and the overlaps, where kept) take."""
        return self._core.n_bytes

    def counts(self) -> IntArray:
        """(n, K): the draws whose overlap a flip would raise (entry 0) or lower (entry 1)."""
        if self._counts is None:
            self._counts = self._core.changes()
            self._counts.setflags(write=False)
        return self._counts

    def changes(self) -> tuple[IntArray, IntArray]:
        """`counts` taken apart: gains of switching on, losses of switching off, 0 elsewhere."""
        counts, matrix = self.counts(), self.matrix
        return np.where(matrix == 0, counts, 0), np.where(matrix == 1, counts, 0)

    def flip(self, items: npt.ArrayLike, features: npt.ArrayLike) -> None:
        """Flip these entries, each named once, and repair every matching."""
        self._sizes = self._counts = None
        self._core.flip(
            np.atleast_1d(np.asarray(items, dtype=np.int64)),
            np.atleast_1d(np.asarray(features, dtype=np.int64)),
        )
