"""FARO loss, its expectation over draws, and the order of columns that stands for an allocation."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs.engine import Engine, Priced
from fangs.samples import IntArray, Samples
from fangs.validate import BinaryMatrix, as_allocation, as_penalty, as_samples


def faro_loss(estimate: Any, draw: Any, *, a: float = 1.0) -> float:
    """FARO loss of an estimate against one draw.

    The smallest over all column orders of ``a`` times the ones that only the estimate has, plus
    ``2 - a`` times the ones that only the draw has (Dahl et al. 2023, section 3). Note which side
    ``a`` is on: the paper's displayed formula has it the other way round, its text and the authors'
    software as here.

    Parameters
    ----------
    estimate, draw
        0/1 matrices with the same rows; their numbers of columns may differ.
    a
        Price of a one that the estimate has and the draw lacks, between 0 and 2.

    Examples
    --------
    >>> faro_loss([[1, 0], [1, 1]], [[0, 1], [1, 1]])
    0.0
    >>> faro_loss([[1, 1], [1, 1]], [[1], [1]], a=0.5)
    1.0
    """
    ours = as_allocation(estimate, name="estimate")
    theirs = as_allocation(draw, name="draw", n_items=None)
    if ours.shape[0] != theirs.shape[0]:
        raise ValueError(
            f"estimate has {ours.shape[0]} items and draw has {theirs.shape[0]}; "
            "both need one row per item, in the same order"
        )
    # Overlaps are whole numbers far below 2**53, so floating point (and BLAS) is exact here.
    overlap = ours.astype(np.float64).T @ theirs.astype(np.float64)
    total = int(_core.match(np.ascontiguousarray(overlap, dtype=np.int64))[0])
    objective = Objective(as_penalty(a), n_draws=1, total_ones=int(theirs.sum()))
    return objective.expected_loss(int(ours.sum()), total)


def expected_loss(
    estimate: Any, samples: Any, *, a: float = 1.0, n_threads: int | None = None
) -> float:
    """Mean FARO loss of an estimate over the draws.

    Examples
    --------
    >>> expected_loss([[1], [1]], [[[1], [1]], [[1], [0]]])
    0.5
    """
    samples = as_samples(samples)
    engine = Engine(samples, n_threads)
    matrix = as_allocation(estimate, name="estimate", n_items=samples.n_items)
    objective = Objective.of(engine, a)
    return objective.expected_loss(int(matrix.sum()), int(engine.overlaps(matrix).sum()))


def left_ordered(matrix: Any) -> BinaryMatrix:
    """Drop empty columns and sort the others by their binary number, largest first.

    The first item is the most significant digit (Griffiths and Ghahramani 2011). Two matrices are
    the same allocation exactly if their left-ordered forms are equal.

    Examples
    --------
    >>> left_ordered([[0, 0, 1], [1, 0, 1]])
    array([[1, 0],
           [1, 1]], dtype=uint8)
    """
    array = as_allocation(matrix, name="matrix")
    return np.ascontiguousarray(array[:, left_order(array)])


def left_order(matrix: BinaryMatrix) -> list[int]:
    """Which columns the left-ordered form has, in its order."""
    packed = np.packbits(np.ascontiguousarray(matrix.T), axis=1)
    joined, width = packed.tobytes(), packed.shape[1]
    digits = [joined[k * width : (k + 1) * width] for k in range(len(packed))]
    kept = [k for k, number in enumerate(digits) if any(number)]
    return sorted(kept, key=digits.__getitem__, reverse=True)


@lru_cache(maxsize=256)
def as_decimal(a: float) -> Fraction:
    """A penalty as the decimal number that it prints as, so that 0.1 means one tenth."""
    return Fraction(repr(a))


def whole_losses(
    a: float, ones: int, draw_ones: IntArray, overlaps: IntArray
) -> tuple[npt.NDArray[Any], int]:
    """FARO losses as whole numbers over one denominator, so that ties are ties.

    An estimate with so many ones against draws with `draw_ones` ones each and these overlaps. The
    numbers are Python's where they might not fit into a float.
    """
    extra, unit = as_decimal(a).as_integer_ratio()
    missed = 2 * unit - extra
    largest = 2 * unit * (ones + int(draw_ones.max(initial=0)))
    if largest >= 2**53:
        draw_ones, overlaps = draw_ones.astype(object), overlaps.astype(object)
    return missed * draw_ones + (extra * ones - 2 * unit * overlaps), unit


def draw_losses(
    a: float, ones: int, samples: Samples, overlaps: IntArray
) -> npt.NDArray[np.float64]:
    """FARO loss against each draw, correctly rounded, of an estimate with so many ones."""
    whole, denominator = whole_losses(a, ones, samples.n_ones, overlaps)
    return (whole / denominator).astype(np.float64, copy=False)


@dataclass(frozen=True)
class Objective:
    """The expected loss as a function of whole numbers, so that comparisons are exact.

    With `ones` ones in the estimate and total overlap `overlap` over all draws, B times the
    expected loss is ``a * B * ones + (2 - a) * total_ones - 2 * overlap``.
    """

    a: float
    n_draws: int
    total_ones: int

    @classmethod
    def of(cls, engine: Engine, a: float) -> Objective:
        """The objective that an engine's draws define."""
        return cls(as_penalty(a), engine.n_draws, engine.total_ones)

    @cached_property
    def exact_a(self) -> Fraction:
        """The penalty as a fraction."""
        return as_decimal(self.a)

    @cached_property
    def price(self) -> Fraction:
        """Half of a*B: a one must be in more draws than this to be worth having."""
        return self.exact_a * self.n_draws / 2

    @cached_property
    def _limits(self) -> tuple[int, int]:
        """The most draws an entry can be in and not be worth having, the fewest and be worth it."""
        cost, saving = self._weights
        return cost // saving, -(-cost // saving)

    @cached_property
    def _weights(self) -> tuple[int, int]:
        """What a one costs and what an overlap saves, in a score."""
        extra, unit = as_decimal(self.a).as_integer_ratio()
        return extra * self.n_draws, 2 * unit

    def score(self, ones: int, overlap: int) -> int:
        """What varies of the expected loss, as a whole number; lower is better.

        It is in units of B times the denominator of `a`.
        """
        cost, saving = self._weights
        return cost * ones - saving * overlap

    def overlap(self, score: int, matrix: BinaryMatrix) -> int:
        """The total overlap of an allocation that has this score."""
        cost, saving = self._weights
        return (cost * int(matrix.sum()) - score) // saving

    def expected_loss(self, ones: int, overlap: int) -> float:
        """The expected loss, correctly rounded."""
        return self.loss_of_score(self.score(ones, overlap))

    def loss_of_score(self, score: int) -> float:
        """The expected loss that a score stands for, correctly rounded."""
        whole, unit = self._whole_loss(score)
        return whole / unit

    def exact_loss(self, score: int) -> Fraction:
        """The expected loss that a score stands for."""
        return Fraction(*self._whole_loss(score))

    def _whole_loss(self, score: int) -> tuple[int, int]:
        extra, unit = self.exact_a.as_integer_ratio()
        return (2 * unit - extra) * self.total_ones + score, unit * self.n_draws

    def threshold(self, counts: IntArray) -> BinaryMatrix:
        """1 where the share of draws is at least a/2, as in the paper (a tie counts as 1)."""
        _, fewest_on = self._limits
        return (counts >= fewest_on).astype(np.uint8)

    def is_worth_having(self, count: int) -> bool:
        """Whether a one pays that so many draws gain by."""
        most_off, _ = self._limits
        return count > most_off

    def settled(self, matrix: BinaryMatrix, counts: IntArray) -> BinaryMatrix:
        """The matrix after all flips that lower the expected loss, if each were the only one.

        Given a neighbourhood's counts. An entry that costs what it saves stays as it is.
        """
        most_off, fewest_on = self._limits
        if most_off == fewest_on:
            counts = counts + matrix
        return (counts > most_off).view(np.uint8)

    def improves(
        self, matrix: BinaryMatrix, counts: IntArray
    ) -> np.ndarray[Any, np.dtype[np.bool]]:
        """Which flips strictly lower the expected loss, given a neighbourhood's counts."""
        flips: np.ndarray[Any, np.dtype[np.bool]] = self.settled(matrix, counts) != matrix
        return flips

    def is_bottom(self, priced: Priced) -> bool:
        """Whether no flip does, the birth of a feature included."""
        if self.is_worth_having(priced.counts[:, -1].max(initial=0)):
            return False
        return np.array_equal(self.settled(priced.matrix, priced.counts[:, :-1]), priced.matrix)

    def best_first(self, counts: IntArray, flips: IntArray) -> IntArray:
        """Flips that improve (positions in the flattened matrix), the one that gains most first."""
        gains = np.abs(counts.ravel()[flips] - float(self.price))
        return flips[np.argsort(-gains, kind="stable")]
