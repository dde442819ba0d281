"""Alignment: every draw's features matched to those of a reference allocation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs.loss import draw_losses
from fangs.relabel import Unmatched, reordered
from fangs.samples import IntArray, Samples
from fangs.validate import BinaryMatrix, as_allocation, as_penalty, as_samples, as_threads

# Relabelled draws are made in blocks of about this many bytes.
_BLOCK = 1 << 24


@dataclass(frozen=True, eq=False, repr=False)
class Alignment:
    """All draws aligned to a reference so that they overlap with it as much as possible.

    The alignment does not depend on the penalty ``a``, so one pass serves every ``a``. A feature of
    a draw is matched to a column of the reference only where the two share an item: what has
    nothing in common with the reference is `unmatched`, not forced into a free column.
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
        return draw_losses(as_penalty(a), int(self.reference.sum()), self.samples, self.overlaps)

    @property
    def matched(self) -> npt.NDArray[np.bool]:
        """(B, K): whether a feature of draw b stands for column j, sharing at least an item."""
        return self.permutations >= 0

    @property
    def feature_overlaps(self) -> npt.NDArray[np.int32]:
        """(B, K): how many items column j shares with the feature that stands for it."""
        return self._measured[0]

    @property
    def feature_sizes(self) -> npt.NDArray[np.int32]:
        """(B, K): how many items the feature that stands for column j has; 0 where absent."""
        return self._measured[1]

    def apply(self, parameters: Any, *, fill: Any = np.nan, masked: bool = False) -> Any:
        """Put feature-level parameters into the order of the reference's features.

        Parameters
        ----------
        parameters
            One value, or array of values, per feature and draw: a list of (K_b, ...) arrays, or one
            padded (B, K_max, ...) array. Rows belong to the columns of the draws as they were given
            to `Samples`, empty columns included; in a list, a draw's rows may instead leave the
            empty columns out.
        fill
            What stands where a draw has no such feature. The default, NaN, turns whole numbers
            into floating ones.
        masked
            Return a masked array instead, of the type of the parameters, masked where absent.

        Returns
        -------
        array
            (B, K, ...): row j of draw b belongs to the feature aligned to column j of the
            reference. Parameters of features that are aligned to none are given by
            ``unmatched.apply``.

        Examples
        --------
        >>> found = align([[1, 0], [1, 1]], [[[0, 1], [1, 1]], [[1], [1]]])
        >>> found.apply([[2.5, 7.0], [7.5]])
        array([[7. , 2.5],
               [7.5, nan]])
        >>> np.nanmean(found.apply([[2.5, 7.0], [7.5]]), axis=0)
        array([7.25, 2.5 ])
        """
        values = reordered(
            parameters,
            self.samples,
            np.repeat(np.arange(len(self.samples)), self.reference.shape[1]),
            self.permutations.ravel(),
            fill=None if masked else fill,
        )
        values = values.reshape(*self.permutations.shape, *values.shape[1:])
        if not masked:
            return values
        absent = ~self.matched.reshape(*self.matched.shape, *(1,) * (values.ndim - 2))
        return np.ma.MaskedArray(values, mask=np.broadcast_to(absent, values.shape))

    def draws(self) -> BinaryMatrix:
        """All draws relabelled, (B, n, K): one byte per entry, absent features as zeros.

        Their mean is `proportions`; features that stand for no column are in `unmatched`.

        Examples
        --------
        >>> align([[1, 0], [1, 1]], [[[0, 1], [1, 1]], [[1], [1]]]).draws()[1]
        array([[1, 0],
               [1, 0]], dtype=uint8)
        """
        return _core.relabel(self.samples._draws, self.permutations, 0, as_threads(None))

    def iter_draws(self) -> Iterator[BinaryMatrix]:
        """Yield the relabelled draws one by one, (n, K) each, without holding all of them."""
        block = max(1, _BLOCK // max(1, self.reference.size))
        for first in range(0, len(self.samples), block):
            some = np.ascontiguousarray(self.permutations[first : first + block])
            yield from _core.relabel(self.samples._draws, some, first, as_threads(None))

    @cached_property
    def unmatched(self) -> Unmatched:
        """The features of the draws that stand for no column of the reference.

        Examples
        --------
        >>> rest = align([[1], [0]], [[[1, 0], [0, 1]], [[1], [0]]]).unmatched
        >>> rest.draw.tolist(), rest.feature.tolist(), rest.matrix.tolist()
        ([0], [1], [[0], [1]])
        """
        return Unmatched.of(self.samples, self.permutations)

    def __repr__(self) -> str:
        n_items, n_features = self.reference.shape
        return (
            f"<fangs.Alignment: {len(self.samples)} draws to {n_features} features over {n_items} "
            f"items, {len(self.unmatched)} features of draws unmatched>"
        )

    @cached_property
    def _measured(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        return _core.measure(
            self.samples._draws, self.reference, self.permutations, as_threads(None)
        )


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
