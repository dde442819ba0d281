"""Relabelling: every draw's features put into the order of a reference allocation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs.samples import IntArray, Samples
from fangs.validate import BinaryMatrix, as_allocation, as_penalty, as_samples, as_threads


@dataclass(frozen=True, eq=False)
class Alignment:
    """All draws aligned to a reference so that they overlap with it as much as possible.

    The alignment does not depend on the penalty ``a``, so one pass serves every ``a``.
    """

    reference: BinaryMatrix
    """(n, K): what the draws are aligned to."""
    samples: Samples
    permutations: npt.NDArray[np.int32]
    """(B, K): which feature of draw b stands for column j, or -1 where the draw has none."""
    proportions: npt.NDArray[np.float64]
    """(n, K): share of draws whose aligned feature has the item."""
    overlaps: IntArray
    """(B,): total overlap of each draw with the reference."""

    def losses(self, a: float = 1.0) -> npt.NDArray[np.float64]:
        """FARO loss of the reference against each draw."""
        a = as_penalty(a)
        ones = int(self.reference.sum())
        return a * ones + (2.0 - a) * self.samples.n_ones - 2.0 * self.overlaps


def align(reference: Any, samples: Any, *, n_threads: int | None = None) -> Alignment:
    """Align every draw to a reference, an estimate say.

    Where several alignments are best, one is chosen by a fixed rule, the same on every machine and
    for any number of threads.

    Examples
    --------
    >>> found = align([[1, 0], [1, 1]], [[[0, 1], [1, 1]], [[1], [1]]])
    >>> found.permutations
    array([[ 1,  0],
           [ 0, -1]], dtype=int32)
    >>> found.proportions
    array([[1. , 0. ],
           [1. , 0.5]])
    >>> found.losses(a=0.5)
    array([0. , 0.5])
    """
    samples = as_samples(samples)
    matrix = as_allocation(reference, name="reference", n_items=samples.n_items)
    overlaps, permutations, counts = _core.align(
        samples._draws, matrix, True, True, as_threads(n_threads)
    )
    return Alignment(matrix, samples, permutations, counts / len(samples), overlaps)
