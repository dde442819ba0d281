"""Distributions of whole numbers over the draws, and intervals that hold a share of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import frame
from fangs._frozen import Frozen, read_only
from fangs._typing import FloatArray, IntArray
from fangs.check.text import rounded

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Distribution(Frozen):
    """How a whole number, such as the number of features, is distributed over the draws.

    The arrays are read-only.

    Attributes
    ----------
    values
        The distinct values, in increasing order.
    counts
        Number of draws with each value, or their weight.
    """

    values: IntArray
    counts: IntArray

    @classmethod
    def of(cls, numbers: npt.ArrayLike, weights: IntArray | None = None) -> Distribution:
        """Count how often each value occurs, given one number per draw, and weights or None.

        Examples
        --------
        >>> print(Distribution.of([3, 4, 4, 4, 5, 5]))
        mean 4.17, 95 % from 3 to 5, most often 4 (50 %)
        """
        numbers = np.asarray(numbers, dtype=np.int64)
        if weights is None:
            values, counts = np.unique(numbers, return_counts=True)
            return cls(values, counts.astype(np.int64))
        counted = weights > 0
        values, which = np.unique(numbers[counted], return_inverse=True)
        total: IntArray = np.zeros(len(values), dtype=np.int64)
        np.add.at(total, which, weights[counted])
        return cls(values, total)

    @property
    def probabilities(self) -> FloatArray:
        """Share of draws with each value."""
        return read_only(np.asarray(self.counts / self.counts.sum(), dtype=np.float64))

    @property
    def strengths(self) -> FloatArray:
        """The probabilities as shares of the highest: how strongly a picture shades each value."""
        return read_only(np.asarray(self.counts / self.counts.max(), dtype=np.float64))

    @property
    def mean(self) -> float:
        """The mean over the draws."""
        return float((self.values * self.counts).sum() / self.counts.sum())

    @property
    def mode(self) -> int:
        """The most frequent value; of several, the smallest."""
        return int(self.values[self.counts.argmax()])

    def interval(self, level: float = 0.95) -> tuple[int, int]:
        """Both ends of the equal-tailed interval; see `equal_tailed`."""
        low, high = equal_tailed(self.values, level, self.counts)
        return int(low), int(high)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with the count and share of each value; needs pandas.

        Examples
        --------
        >>> Distribution.of([3, 4, 4, 5]).to_frame()["probability"].tolist()
        [0.25, 0.5, 0.25]
        """
        columns = {"count": self.counts, "probability": self.probabilities}
        return frame(columns, index=self.values.tolist(), name="value")

    def __str__(self) -> str:
        return self.describe(0.95)

    def describe(self, level: float) -> str:
        """The mean, an interval and the mode in one line."""
        low, high = self.interval(level)
        if len(self.values) == 1:
            return f"{low} in every draw"
        most = 100 * self.counts.max() / self.counts.sum()
        return (
            f"mean {rounded(self.mean)}, {100 * level:.4g} % from {low} to {high}, "
            f"most often {self.mode} ({most:.0f} %)"
        )


def rank(share: Fraction, count: int) -> int:
    """Position, from 0, in `count` sorted values of the first that has this share up to it."""
    return max(-(-share * count // 1) - 1, 0)


def exact_share(level: float) -> Fraction:
    """The level as the decimal number that it prints as: 0.95 means 95/100."""
    return Fraction(repr(float(level)))


def quantile(values: npt.NDArray[Any], weights: IntArray | None, share: Fraction) -> Any:
    """The lowest of the values with at least this share of the weight at or below it.

    Examples
    --------
    >>> quantile(np.array([7, 3]), np.array([1, 9]), Fraction(9, 10))
    np.int64(3)
    """
    if weights is None:
        return np.sort(values)[rank(share, len(values))]
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    at = np.searchsorted(reached, rank(share, int(reached[-1])), side="right")
    return values[order[at]]


def equal_tailed(
    values: npt.NDArray[Any], level: float, weights: IntArray | None = None
) -> tuple[Any, Any]:
    """Lowest and highest value, with at most (1 - level)/2 of the values beyond either.

    Both ends are values that occur, so the interval holds at least the share `level`. For whole
    numbers it often holds more.

    Examples
    --------
    >>> equal_tailed(np.arange(1, 101), 0.9)
    (np.int64(5), np.int64(95))
    """
    tail = (1 - exact_share(level)) / 2
    return quantile(values, weights, tail), quantile(values, weights, 1 - tail)
