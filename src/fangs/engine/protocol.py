"""What the rest of fangs may ask of the draws: the passes over all of them.

The search, the path, the posterior summaries and the bounds receive an `Engine` and know nothing
else of the draws. All results are sums of integers over draws, so any engine that provides them
(threads, a cluster) leads to the same estimate, to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.draws.info import SamplesInfo

if TYPE_CHECKING:
    from fangs.engine.chain_separation import ChainSeparation


@dataclass(frozen=True, eq=False)
class Aligned:
    """All draws aligned to one allocation, summed up."""

    counts: IntArray
    """(n, K): weight of the draws whose feature aligned to column j has item i."""
    overlaps: IntArray
    """(B,): total overlap of each draw with the allocation."""
    weights: IntArray | None = None
    """(B,): how much each draw counts; None if each counts once."""

    @cached_property
    def total_overlap(self) -> int:
        """The total overlap over all draws, by weight."""
        return int(self.overlaps.sum() if self.weights is None else self.overlaps @ self.weights)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One allocation with all draws aligned to it and the exact effect of every single flip."""

    matrix: BinaryMatrix
    aligned: Aligned
    flip_support: IntArray
    """(n, K): weight of draws whose overlap a flip would raise (entry 0) or lower (entry 1)."""
    birth_support: IntArray
    """(n,): the same for the entries of one more, empty column."""


class Neighbourhood(Protocol):
    """An allocation with the matching of every draw, kept up to date through flips."""

    @property
    def matrix(self) -> BinaryMatrix:
        """The current allocation (n, K), empty columns included."""

    @property
    def sizes(self) -> IntArray:
        """(K,): number of items of each column."""

    @property
    def total_overlap(self) -> int:
        """The total overlap with all draws, by weight."""

    def flip_support(self) -> IntArray:
        """(n, K): weight of draws whose overlap a flip would raise (entry 0) or lower (1)."""

    def flip(
        self, items: npt.ArrayLike, features: npt.ArrayLike, *, with_support: bool = False
    ) -> None:
        """Flip these entries, each named once, and repair every matching.

        `with_support` announces that the flip support will be asked for next.
        """


class Engine(Protocol):
    """The passes over all draws."""

    @property
    def samples_info(self) -> SamplesInfo:
        """Sizes and labels of the draws."""

    @property
    def chain_separation(self) -> ChainSeparation | None:
        """Whether chains are in different modes, looked at once; None without chains."""

    def overlaps(self, matrix: BinaryMatrix) -> IntArray:
        """(B,): total overlap of the matrix with each draw."""

    def align(self, matrix: BinaryMatrix) -> Aligned:
        """Align every draw to the matrix."""

    def place(self, matrix: BinaryMatrix, n_columns: int) -> IntArray:
        """Align every draw and give each of its features a column: counts (n, n_columns).

        Features that are aligned to no column of the matrix go into the columns that are free, both
        in their own order.
        """

    def evaluate(self, matrix: BinaryMatrix) -> Evaluation:
        """Align every draw and find the support of all flips, in one pass."""

    def neighbourhood(self, matrix: BinaryMatrix) -> Neighbourhood:
        """Match every draw to the matrix, ready for flips."""

    def select(self, draws: IntArray, weights: IntArray | None = None) -> Engine:
        """An engine over these draws, given by their numbers; with these weights or their own."""

    def limited(self, seconds: float) -> Engine:
        """The same engine, whose passes raise `OutOfTimeError` once these seconds are over.

        An engine that cannot end a pass early returns itself.
        """

    def subsample(self, n_draws: int, rng: np.random.Generator) -> LocalEngine:
        """An engine over some draws, picked at random by weight; over all if there are no more."""

    def draw(self, b: int) -> BinaryMatrix:
        """One draw (n, K_b)."""

    def permutations(self, matrix: BinaryMatrix) -> tuple[npt.NDArray[np.int32], Aligned]:
        """Align every draw; also (B, K): the draw's feature aligned to each column, or -1."""

    def relabel(self, permutations: npt.NDArray[np.int32], first: int = 0) -> BinaryMatrix:
        """(b, n, K): draws from `first` on, their features in the order of the permutations."""

    def measure(
        self, matrix: BinaryMatrix, permutations: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """(B, K) each: items shared with, and items of, the feature aligned to each column."""

    def item_counts(self) -> IntArray:
        """(n,): number of features with each item, over all draws by weight."""

    def first_equal(self) -> IntArray:
        """(B,): for each draw the first draw that is the same allocation."""

    def pair_overlaps(self, first: IntArray, second: IntArray) -> IntArray:
        """Total overlap between the draws `first[p]` and `second[p]`."""


class LocalEngine(Engine, Protocol):
    """An engine whose draws are in this process, so that single draws are cheap to visit."""

    def limited(self, seconds: float) -> LocalEngine:
        """The same engine, whose passes raise `OutOfTimeError` once these seconds are over."""

    @property
    def draw_numbers(self) -> IntArray:
        """(B,): number of each draw among the draws that this is a subsample of."""

    def subsample_items(self, n_items: int, rng: np.random.Generator) -> LocalEngine:
        """An engine over some items, picked at random; over all if there are no more."""

    def count_aligned(self, permutations: npt.NDArray[np.int32]) -> IntArray:
        """(n, K): weight of the draws whose feature aligned to column j has item i."""

    def grow_templates(self, walks: list[IntArray]) -> list[IntArray]:
        """Grow one template per walk through the draws; (n, K) counts each."""
