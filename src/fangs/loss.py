"""The expected FARO loss as exact arithmetic on whole numbers.

An allocation with `ones` ones and total overlap `overlap` with draws of total weight W has W times
the expected loss ``a * W * ones + (2 - a) * total_ones - 2 * overlap``. Without weights W is the
number of draws. docs/how-the-search-works.md derives it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs.check.arguments import as_penalty
from fangs.draws.info import SamplesInfo


@lru_cache(maxsize=256)
def as_decimal(a: float) -> Fraction:
    """A penalty as the decimal number that it prints as, so that 0.1 means one tenth."""
    return Fraction(repr(a))


@dataclass(frozen=True)
class Objective:
    """The expected loss as a function of whole numbers, so that comparisons are exact."""

    a: float
    total_weight: int
    """W: weight of all draws together; their number where there are no weights."""
    total_ones: int
    """Ones of all draws together, by weight."""

    @classmethod
    def of(cls, info: SamplesInfo, a: float) -> Objective:
        """The objective that these draws define."""
        return cls(as_penalty(a), info.total_weight, info.total_ones)

    @cached_property
    def exact_a(self) -> Fraction:
        """The penalty as a fraction."""
        return as_decimal(self.a)

    @cached_property
    def threshold_count(self) -> Fraction:
        """Half of a*W: a one lowers the loss if draws of more weight than this support it."""
        return self.exact_a * self.total_weight / 2

    @cached_property
    def weights(self) -> tuple[int, int]:
        """How much a one adds to a score, and how much an overlap takes off."""
        extra, unit = self.exact_a.as_integer_ratio()
        return extra * self.total_weight, 2 * unit

    @cached_property
    def _limits(self) -> tuple[int, int]:
        """The largest count at which a one does not pay, and the smallest that is no loss.

        The two are equal where a count can be exactly at the threshold.
        """
        cost, saving = self.weights
        return cost // saving, -(-cost // saving)

    def score(self, ones: int, overlap: int) -> int:
        """The part of the expected loss that varies, as a whole number; lower is better.

        Its unit is 1 / (W * denominator of `a`).
        """
        cost, saving = self.weights
        return cost * ones - saving * overlap

    def overlap_of(self, score: int, ones: int) -> int:
        """The total overlap of an allocation with this score and number of ones."""
        cost, saving = self.weights
        return (cost * ones - score) // saving

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
        return (2 * unit - extra) * self.total_ones + score, unit * self.total_weight

    def threshold(self, counts: IntArray) -> BinaryMatrix:
        """1 where the share of draws is at least a/2, as in the paper (a tie counts as 1)."""
        _, fewest_on = self._limits
        return (counts >= fewest_on).astype(np.uint8)

    def pays(self, count: int) -> bool:
        """Whether it lowers the loss to switch on an entry that draws of weight `count` support."""
        most_off, _ = self._limits
        return count > most_off

    def flip_costs(self, matrix: BinaryMatrix, flip_support: IntArray) -> npt.NDArray[Any]:
        """(n, K): exact change of the score by each single flip; negative ones lower the loss."""
        cost, saving = self.weights
        if saving * self.total_weight + cost >= 2**62:
            flip_support = flip_support.astype(object)
        # In place: at a million entries fresh memory takes longer than arithmetic.
        costs = flip_support * -saving
        costs += cost
        return np.negative(costs, out=costs, where=matrix != 0)

    def judge_flips(self, matrix: BinaryMatrix, flip_support: IntArray) -> tuple[bool, int]:
        """Whether no single flip lowers the loss, and how many would leave it as it is.

        A one is right where the support is above the threshold, a zero where it is below. Some
        rows at a time, which stay in the cache.
        """
        most_off, fewest_on = self._limits
        is_optimal, n_ties = True, 0
        n_rows = max(1, 2**16 // max(matrix.shape[1], 1))
        for first in range(0, len(matrix), n_rows):
            ones, support = matrix[first : first + n_rows], flip_support[first : first + n_rows]
            should_be_one = support > most_off
            if most_off == fewest_on:  # a count can be exactly at the threshold
                ties = support == most_off
                n_ties += int(np.count_nonzero(ties))
                should_be_one |= ties & (ones != 0)
            is_optimal = is_optimal and bool(np.array_equal(should_be_one, ones))
        return is_optimal, n_ties


def whole_losses(
    a: float, ones: int, draw_ones: IntArray, overlaps: IntArray
) -> tuple[npt.NDArray[Any], int]:
    """FARO losses to each draw as whole numbers over one denominator, so that ties are ties.

    The numbers are Python's own where they might not fit into a float.
    """
    extra, unit = as_decimal(a).as_integer_ratio()
    missed = 2 * unit - extra
    largest = 2 * unit * max(ones + int(draw_ones.max(initial=0)), 1)
    if largest >= 2**53:
        draw_ones, overlaps = draw_ones.astype(object), overlaps.astype(object)
    return missed * draw_ones + (extra * ones - 2 * unit * overlaps), unit


def draw_losses(a: float, ones: int, draw_ones: IntArray, overlaps: IntArray) -> FloatArray:
    """FARO loss to each draw, correctly rounded, of an allocation with `ones` ones."""
    whole, denominator = whole_losses(a, ones, draw_ones, overlaps)
    return (whole / denominator).astype(np.float64, copy=False)
