"""A partition of the draws: some allocations, and for each draw the one of smallest FARO loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs.allocation import left_ordered
from fangs.check.arguments import as_allocation
from fangs.draws.info import SamplesInfo
from fangs.draws.weights import effective_number
from fangs.engine import Engine
from fangs.loss import as_decimal, whole_losses


@dataclass(frozen=True, eq=False)
class Centre:
    """An allocation with its FARO loss to every draw, as whole numbers over one denominator."""

    matrix: BinaryMatrix
    """(n, K), left-ordered, without empty columns."""
    whole: npt.NDArray[Any]
    """(B,): losses times the denominator of the penalty."""

    @classmethod
    def of(cls, engine: Engine, matrix: BinaryMatrix, a: float) -> Centre:
        """Match all draws to an allocation, in one pass."""
        kept = left_ordered(as_allocation(matrix, name="matrix"))
        ones, draw_ones = int(kept.sum()), engine.samples_info.n_ones
        return cls(kept, whole_losses(a, ones, draw_ones, engine.overlaps(kept))[0])

    @property
    def key(self) -> bytes:
        """Equal for equal allocations."""
        return self.matrix.tobytes()


@dataclass(frozen=True, eq=False)
class Partition:
    """Centres, and the draws shared out among them."""

    info: SamplesInfo
    """Sizes, labels and weights of the draws."""
    a: float
    centres: tuple[Centre, ...]
    whole: npt.NDArray[Any]
    """(B, M): losses times the denominator of the penalty."""
    labels: IntArray
    """(B,): a centre of smallest loss for each draw."""
    total: int
    """Sum over the draws, by weight, of the smallest loss, times the denominator."""

    @classmethod
    def of(cls, info: SamplesInfo, a: float, centres: Sequence[Centre]) -> Partition:
        """Give each draw to the nearest centre; of several, the first."""
        whole = np.stack([centre.whole for centre in centres], axis=1)
        labels = np.argmin(whole, axis=1).astype(np.int64)
        nearest = np.take_along_axis(whole, labels[:, None], axis=1)[:, 0].tolist()
        if info.weights is not None:
            # Python's own numbers: the products may not fit into 64 bits.
            pairs = zip(nearest, info.weights.tolist(), strict=True)
            nearest = [loss * times for loss, times in pairs]
        return cls(info, a, tuple(centres), whole, labels, int(sum(nearest)))

    def with_centres(self, centres: Sequence[Centre]) -> Partition:
        """The same draws given to other centres."""
        return Partition.of(self.info, self.a, centres)

    @property
    def n_modes(self) -> int:
        """Number of centres."""
        return len(self.centres)

    @property
    def counts(self) -> IntArray:
        """(M,): weight of the draws of each centre; their number where there are no weights."""
        return self.count(np.ones(len(self.labels), dtype=bool))

    @property
    def effective_counts(self) -> FloatArray:
        """(M,): effective number of draws of each centre; their number without weights."""
        if self.info.weights is None:
            return self.counts.astype(np.float64)
        weights = [self.info.weights[self.members(mode)] for mode in range(self.n_modes)]
        return np.array([effective_number(its) for its in weights])

    @property
    def expected_loss(self) -> float:
        """Mean over the draws, by weight, of the smallest loss to any centre, correctly rounded."""
        return self.total / (as_decimal(self.a).denominator * self.info.total_weight)

    @property
    def nearest(self) -> npt.NDArray[Any]:
        """(B,): the smallest whole loss of each draw."""
        return np.asarray(self.whole.min(axis=1))

    @property
    def losses(self) -> FloatArray:
        """(B, M): FARO loss of each centre to each draw."""
        return (self.whole / as_decimal(self.a).denominator).astype(np.float64)

    @property
    def farthest(self) -> int:
        """The draw farthest from its centre, of those that count."""
        counted = self.info.counted
        return int(counted[np.argmax(self.nearest[counted])])

    def count(self, chosen: npt.NDArray[np.bool_]) -> IntArray:
        """(M,): weight of the chosen draws of each centre."""
        # Sums of weights are below 2^53, so floats hold them exactly.
        weights = None if self.info.weights is None else self.info.weights[chosen]
        counts = np.bincount(self.labels[chosen], weights=weights, minlength=self.n_modes)
        return counts.astype(np.int64)

    def members(self, mode: int) -> IntArray:
        """The draws of a centre, in increasing order."""
        return np.flatnonzero(self.labels == mode)

    def heaviest_first(self) -> Partition:
        """The same partition with its centres ordered by the weight of their draws."""
        order = np.argsort(-self.counts, kind="stable")
        centres = tuple(self.centres[m] for m in order)
        # Draws keep their centres, even those that have two at the same loss.
        labels = np.argsort(order)[self.labels]
        return Partition(self.info, self.a, centres, self.whole[:, order], labels, self.total)
