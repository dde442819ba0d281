"""The labelled bound: prices on the draws' features that no column of any allocation can beat.

docs/certificates.md has the proofs; the letters here are the same. Everything is a whole number, in
units of 1/scale of an item.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs.engine import Engine
from fangs.loss import Objective
from fangs.samples import IntArray, Samples
from fangs.validate import BinaryMatrix

FINEST = 64  # units of price per smallest exact step
STEPS = 8  # halvings of the interval in which the best price level lies


def best_labelled_score(engine: Engine, objective: Objective, reference: BinaryMatrix) -> Fraction:
    """Return a number that ``overlap - price * ones`` of no allocation exceeds.

    Parameters
    ----------
    reference
        An allocation near the optimum; the draws are labelled by their alignment to it. Any will
        do, a good one gives a better bound.
    """
    labelling = Labelling.by(engine, objective, reference)
    lowest: int | None = None
    for core in labelling.sharings():
        total = labelling.cheapest(core, engine)
        lowest = total if lowest is None else min(lowest, total)
    assert lowest is not None
    return Fraction(lowest, labelling.scale)


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
        counts = engine.align(reference).counts
        worth = scale * counts - half_penalty * len(samples)
        first = np.concatenate([[0], np.cumsum(samples.n_features)])
        sizes = [draw.sum(axis=0, dtype=np.int64) for draw in samples]
        return cls(
            samples=samples,
            columns=(worth > 0).astype(np.uint8),
            labels=engine.permutations(reference),
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
        complete = (self.labels >= 0).all(axis=1)
        yield self._share(np.ones(len(self.samples), dtype=bool))
        if not complete.all():
            yield self._share(complete)

    def _share(self, evenly: npt.NDArray[np.bool]) -> IntArray:
        """The draws marked share evenly what the others, taking all they can, leave of the worth."""
        worth = np.maximum(self.worth, 0)
        takers = np.zeros_like(worth)
        for b in np.flatnonzero(~evenly):
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

    def cheapest(self, core: IntArray, engine: Engine) -> int:
        """The lowest total found of prices between `core` and prices that surely suffice."""
        ample = (self.scale - self.half_penalty) * self.sizes
        best = int(ample.sum())
        if self.suffice(core, engine):
            return int(core.sum())
        low, high = 0, 2**STEPS
        while high - low > 1:
            middle = (low + high) // 2
            prices = core + ((ample - core) * middle + 2**STEPS - 1) // 2**STEPS
            if self.suffice(prices, engine):
                high, best = middle, min(best, int(prices.sum()))
            else:
                low = middle
        return best

    def suffice(self, prices: IntArray, engine: Engine) -> bool:
        """Whether it is proved that no column exceeds the prices."""
        draws, n_threads = self.samples._draws, engine.n_threads
        n_items, n_draws = self.samples.n_items, len(self.samples)
        near = _core.gains_near(
            draws, self.columns, self.labels, prices, self.scale, n_threads
        )
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
            draws, self.columns, self.labels, prices, self.scale, self.half_penalty, apart, n_threads
        )
        return bool((far <= self.half_penalty * n_draws * np.arange(n_items + 1)).all())

    def _prices_by_label(self, prices: IntArray) -> IntArray:
        """(K,): what the features of each label cost together."""
        at = self.first[:-1, None] + self.labels
        return np.where(self.labels >= 0, prices[np.where(self.labels >= 0, at, 0)], 0).sum(axis=0)
