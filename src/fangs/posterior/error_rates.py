"""Error rates: which share of an estimate's ones, and of its zeros, is expected to be wrong.

Müller, Parmigiani and Rice (2007), FDR and Bayesian multiple comparisons rules: with v the
posterior probability of an entry, the posterior expected false discovery rate is the mean of 1 - v
over the ones, and the posterior expected false omission rate the mean of v over the zeros. (They
call the second false negative rate.)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from fangs._frozen import Frozen
from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs.allocation import left_order
from fangs.check.text import rounded

_BLOCK = 1 << 15
_PARTS = 2**53
"""Parts that proportions are counted in where they are no shares of a known number of draws."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ErrorRates(Frozen):
    """Posterior expected error rates of the entries of an estimate, as a whole and by feature.

    They count the entries of the estimate's own features. What draws have in features that match
    none of the estimate is in `Summary.unmatched_ones`. A rate over no entries is 0. The arrays are
    read-only.

    Attributes
    ----------
    false_discovery
        Expected share of the ones that are wrong.
    false_omission
        Expected share of the zeros that are wrong.
    feature_false_discovery
        (K,): the former for each feature.
    feature_false_omission
        (K,): the latter for each feature.
    """

    false_discovery: float
    false_omission: float
    feature_false_discovery: FloatArray
    feature_false_omission: FloatArray

    @classmethod
    def of(cls, matrix: BinaryMatrix, proportions: FloatArray) -> ErrorRates:
        """The rates of a matrix whose entries have these posterior probabilities.

        Examples
        --------
        >>> found = ErrorRates.of(np.array([[1, 0], [1, 1]]), np.array([[0.9, 0.2], [0.7, 1.0]]))
        >>> found.feature_false_discovery, found.feature_false_omission
        (array([0.2, 0. ]), array([0. , 0.2]))
        >>> round(found.false_discovery, 4), found.false_omission
        (0.1333, 0.2)
        """
        is_one = np.asarray(matrix) == 1
        wrong_ones = np.where(is_one, 1.0 - proportions, 0.0).sum(axis=0)
        wrong_zeros = np.where(is_one, 0.0, proportions).sum(axis=0)
        ones = is_one.sum(axis=0)
        zeros = len(is_one) - ones
        return cls(
            false_discovery=float(_shares(wrong_ones.sum(), ones.sum())),
            false_omission=float(_shares(wrong_zeros.sum(), zeros.sum())),
            feature_false_discovery=_shares(wrong_ones, ones),
            feature_false_omission=_shares(wrong_zeros, zeros),
        )

    def __str__(self) -> str:
        return describe_errors(self.false_discovery, self.false_omission)


def describe_errors(false_discovery: float, false_omission: float) -> str:
    """Both rates in one line."""
    ones, zeros = _percent(false_discovery), _percent(false_omission)
    return f"Expected errors: {ones} of the ones (false discovery rate), {zeros} of the zeros"


def shares_inside(matrix: BinaryMatrix, proportions: FloatArray) -> tuple[FloatArray, float]:
    """(K,): sum of the proportions over the ones of each feature; and that over the zeros.

    In blocks that stay in the processor's cache, because printing an estimate waits for it.
    """
    n_items, n_features = matrix.shape
    inside, outside = np.zeros(n_features), 0.0
    n_rows = max(1, _BLOCK // max(1, n_features))
    for first in range(0, n_items, n_rows):
        rows = slice(first, first + n_rows)
        inside += (proportions[rows] * matrix[rows]).sum(axis=0)
        outside += float((proportions[rows] * (matrix[rows] == 0)).sum())
    return inside, outside


def largest_within_rate(
    matrix: BinaryMatrix, proportions: FloatArray, total_weight: int, rate: float
) -> BinaryMatrix:
    """The most entries of which at most a share `rate` is expected to be wrong, (n, K) of 0/1.

    These are the entries with the largest proportions (Müller, Parmigiani and Rice 2007), down to
    where the mean of 1 - v would exceed the rate. Of equal proportions, the ones of the matrix come
    first, then earlier items, then features in left-order. Entries that no draw has are left out.

    Sums are of whole numbers: a rate that is just reached counts.

    Examples
    --------
    >>> proportions = np.array([[0.9, 0.2], [0.7, 1.0]])
    >>> largest_within_rate(np.array([[1, 0], [0, 1]], dtype=np.uint8), proportions, 10, 0.1)
    array([[1, 0],
           [0, 1]], dtype=uint8)
    """
    counts, total = _as_counts(proportions, total_weight)
    order = _surest_first(matrix, counts)
    ratio = Fraction(repr(rate))
    wrong = accumulate(total - times for times in counts.ravel()[order].tolist() if times)
    kept = 0
    for size, share in enumerate(wrong, start=1):
        if share * ratio.denominator > ratio.numerator * size * total:
            break
        kept = size
    found = np.zeros(matrix.size, dtype=np.uint8)
    found[order[:kept]] = 1
    return found.reshape(matrix.shape)


def is_within_rate(
    matrix: BinaryMatrix, proportions: FloatArray, total_weight: int, rate: float
) -> bool:
    """Whether at most a share `rate` of the ones is expected to be wrong, in whole numbers.

    Examples
    --------
    >>> is_within_rate(np.array([[1, 1, 1]]), np.array([[0.8, 0.9, 1.0]]), 10, 0.1)
    True
    """
    counts, total = _as_counts(proportions, total_weight)
    times: list[int] = counts[np.asarray(matrix) == 1].tolist()
    ratio, most = Fraction(repr(rate)), len(times) * total
    return (most - sum(times)) * ratio.denominator <= ratio.numerator * most


def _as_counts(proportions: FloatArray, total_weight: int) -> tuple[IntArray, int]:
    """Proportions as whole numbers of draws, by weight, and the number of all."""
    counts = np.rint(proportions * total_weight).astype(np.int64)
    if np.array_equal(counts / total_weight, proportions):
        return counts, total_weight
    return np.rint(proportions * _PARTS).astype(np.int64), _PARTS


def _surest_first(matrix: BinaryMatrix, counts: IntArray) -> IntArray:
    """Positions of the entries by decreasing count; ties as `largest_within_rate` says."""
    n_features = matrix.shape[1]
    ordered = left_order(matrix)
    rank = np.full(n_features, len(ordered))
    rank[ordered] = np.arange(len(ordered))
    items, features = np.divmod(np.arange(matrix.size), max(n_features, 1))
    keys = (rank[features], items, matrix.ravel() == 0, -counts.ravel())
    return np.lexsort(keys)


def _shares(wrong: npt.ArrayLike, total: npt.ArrayLike) -> FloatArray:
    return np.asarray(wrong, dtype=np.float64) / np.maximum(total, 1)


def _percent(share: float) -> str:
    return f"{rounded(100 * share, 2)} %"
