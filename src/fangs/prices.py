"""The labelled bound: prices on the draws' features that no column of any allocation can beat.

docs/certificates.md has the proofs; the letters here are the same. Everything is a whole number, in
units of 1/scale of an item.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs.engine import Engine
from fangs.loss import Objective
from fangs.samples import IntArray, Samples
from fangs.validate import BinaryMatrix

FINEST = 64  # units of price per smallest exact step
LEVELS = 256  # steps in which prices are raised until they suffice
COARSEST = 1000  # largest denominator of a for which prices are whole numbers


def labelled_bound(
    engine: Engine, objective: Objective, reference: BinaryMatrix, *, known: Fraction
) -> Fraction | None:
    """Bound the expected loss of every allocation by prices; None where that does not beat `known`.

    Parameters
    ----------
    reference
        An allocation near the optimum; the draws are labelled by their alignment to it. Any will
        do, a good one gives a better bound.
    known
        A bound that is already there: work that cannot lead beyond it is not done.
    """
    a = objective.exact_a
    if a.denominator > COARSEST:
        # The lowest loss is concave in a, and 0 at a = 0 and a = 2: interpolate.
        below = Fraction(a.numerator * COARSEST // a.denominator, COARSEST)
        share = (a - below) * COARSEST
        ends = [(below, 1 - share), (below + Fraction(1, COARSEST), share)]
        bound = Fraction(0)
        for end, weight in ends:
            if 0 < end < 2 and weight > 0:
                there = replace(objective, a=float(end))
                bound += weight * (labelled_bound(engine, there, reference, known=Fraction(0)) or 0)
        return bound if bound > known else None
    labelling = Labelling.by(engine, objective, reference)
    ones = (2 - a) * objective.total_ones
    useful = (ones - known * objective.n_draws) / 2 * labelling.scale
    totals = [labelling.cheapest(core, useful, engine) for core in labelling.sharings()]
    lowest = min((total for total in totals if total is not None), default=None)
    if lowest is None:
        return None
    bound = (ones - Fraction(2 * lowest, labelling.scale)) / objective.n_draws
    return bound if bound > known else None


@dataclass(frozen=True)
class Labelling:
    """Draws whose features carry the labels of a reference's columns."""

    samples: Samples
    columns: BinaryMatrix
    """(n, K): e_j, the items that are worth having under label j."""
    labels: npt.NDArray[np.int32]
    """(B, K): the feature of each draw with label j, or -1."""
    worth: IntArray
    """(n, K): the draws whose feature labelled j has item i, less the price of a one."""
    scale: int
    half_penalty: int
    first: IntArray
    """(B + 1,): where each draw's features begin in an array over all features."""
    sizes: IntArray
    """(all features,): how many items each has."""

    @classmethod
    def by(cls, engine: Engine, objective: Objective, reference: BinaryMatrix) -> Labelling:
        """Label the draws by their alignment to a reference."""
        samples = engine.samples
        half = objective.exact_a / 2
        room = 2**61 // (max(samples.n_items, 1) * len(samples) * half.denominator)
        scale = half.denominator * max(1, min(FINEST, room))
        half_penalty = int(half * scale)
        # One pass for both, so that the counts are those of these labels and no others.
        _, labels, counts = _core.align(samples._draws, reference, True, True, engine.n_threads)
        worth = scale * counts - half_penalty * len(samples)
        first = np.concatenate([[0], np.cumsum(samples.n_features)])
        sizes = [draw.sum(axis=0, dtype=np.int64) for draw in samples]
        return cls(
            samples=samples,
            columns=(worth > 0).astype(np.uint8),
            labels=labels,
            worth=worth,
            scale=scale,
            half_penalty=half_penalty,
            first=first,
            sizes=np.concatenate(sizes),
        )

    def sharings(self) -> Iterator[IntArray]:
        """Prices that together make up exactly what the labelled columns are worth.

        The worth of an item under a label is shared by the draws that have it: evenly, or with the
        full share for draws that lack some label (their features are wanted elsewhere).
        """
        complete: npt.NDArray[np.bool] = np.all(self.labels >= 0, axis=1, keepdims=False)
        yield self._share(np.ones_like(complete))
        if not complete.all():
            yield self._share(complete)

    def _share(self, evenly: npt.NDArray[np.bool]) -> IntArray:
        """Draws marked share evenly what the others, taking all they can, leave of the worth."""
        worth = np.maximum(self.worth, 0)
        takers: IntArray = np.zeros(worth.shape, dtype=np.int64)
        for b in np.flatnonzero(~evenly).tolist():
            takers += self._labelled(b)
        sharers = (self.worth + self.half_penalty * len(self.samples)) // self.scale - takers
        # Where there are too many takers, they too can only share.
        full = takers * self.scale <= worth
        left = np.where(full, worth - takers * self.scale, worth)
        among = np.where(full, sharers, sharers + takers)
        each, rest = np.divmod(left, np.maximum(among, 1))
        prices = np.zeros(len(self.sizes), dtype=np.int64)
        for b in range(len(self.samples)):
            has = self._labelled(b) == 1
            sharing = has & (evenly[b] | ~full)
            share = np.where(sharing, each + (rest > 0), np.where(has, self.scale, 0))
            rest = rest - (sharing & (rest > 0))
            share = np.where(self.columns == 1, share, 0).sum(axis=0)
            known = self.labels[b] >= 0
            prices[self.first[b] + self.labels[b][known]] = share[known]
        return prices

    def _labelled(self, b: int) -> IntArray:
        """(n, K): draw b with its features in the order of the labels."""
        draw = np.pad(self.samples[b], ((0, 0), (0, 1)))
        return draw[:, self.labels[b]].astype(np.int64)

    def cheapest(self, core: IntArray, useful: Fraction, engine: Engine) -> int | None:
        """The lowest total found of prices that suffice, from `core` up to `useful`, or None."""
        ample = (self.scale - self.half_penalty) * self.sizes

        def at(level: int) -> IntArray:
            """Prices from `core` (level 0) to `ample`, which suffice for any draws."""
            return core + ((ample - core) * level + LEVELS - 1) // LEVELS

        if int(core.sum()) >= useful:
            return None
        span = int(ample.sum() - core.sum())
        high = min(LEVELS - 1, int((useful - int(core.sum())) * LEVELS / max(span, 1)))
        if not self.suffice(at(high), engine):
            return None
        if self.suffice(core, engine):
            return int(core.sum())
        low = 0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.suffice(at(middle), engine) else (middle, high)
        return int(at(high).sum())

    def suffice(self, prices: IntArray, engine: Engine) -> bool:
        """Whether it is proved that no column exceeds the prices."""
        draws, n_threads = self.samples._draws, engine.n_threads
        n_items, n_draws = self.samples.n_items, len(self.samples)
        near = _core.gains_near(draws, self.columns, self.labels, prices, self.scale, n_threads)
        # What flipping x items of a labelled column costs at least, under its own label.
        cheapest = np.cumsum(np.sort(np.abs(self.worth), axis=0), axis=0).T
        costs = np.pad(cheapest, ((0, 0), (1, 0)))
        missing = np.maximum(self.worth, 0).sum(axis=0) - self._prices_by_label(prices)
        excess = missing[:, None] - costs + near
        failing = np.flatnonzero((excess > 0).any(axis=0))
        if len(failing) == 0 and len(excess):
            return True
        apart = int(failing[0]) if len(failing) else 0
        far = _core.gains_far(
            draws,
            self.columns,
            self.labels,
            prices,
            self.scale,
            self.half_penalty,
            apart,
            n_threads,
        )
        return bool((far <= self.half_penalty * n_draws * np.arange(n_items + 1)).all())

    def _prices_by_label(self, prices: IntArray) -> IntArray:
        """(K,): what the features of each label cost together."""
        at = self.first[:-1, None] + self.labels
        absent_last: IntArray = np.append(prices, 0)
        by_label: IntArray = absent_last[np.where(self.labels >= 0, at, -1)].sum(axis=0)
        return by_label
