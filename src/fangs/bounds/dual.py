"""The dual bound: prices on the draws' features that bound the score of every allocation.

From each draw a column gains its overlap with one feature less the price of that feature, and each
of its items costs a/2. Prices are feasible if no column makes a profit. By linear programming
duality their total then bounds the score of every allocation. docs/certificates.md has the proofs,
in the same letters. All numbers here are whole, in units of 1/scale of an item.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.loss import Objective
from fangs.posterior.alignment import Alignment

UNITS = 64
"""Units of price per smallest exact step. More make shared prices more even."""
LEVELS = 256
"""Steps in which prices are raised until they are feasible."""
MAX_DENOMINATOR = 1000
"""Largest denominator of `a` for which prices are whole numbers."""


def dual_bound(alignment: Alignment, objective: Objective, *, known: Fraction) -> Fraction | None:
    """Bound the expected loss of every allocation; None where the result does not beat `known`.

    Parameters
    ----------
    alignment
        The draws aligned to a reference, whose columns label their features. The bound holds for
        any reference; one close to the optimum gives a better bound.
    objective
        The expected loss at the wanted penalty.
    known
        A bound that is known already. Work that cannot improve on it is left out.
    """
    a = objective.exact_a
    if a.denominator > MAX_DENOMINATOR:
        # The lowest loss is concave in a, and 0 at a = 0 and a = 2: interpolate.
        below = Fraction(a.numerator * MAX_DENOMINATOR // a.denominator, MAX_DENOMINATOR)
        share = (a - below) * MAX_DENOMINATOR
        ends = [(below, 1 - share), (below + Fraction(1, MAX_DENOMINATOR), share)]
        bound = Fraction(0)
        for end, weight in ends:
            if 0 < end < 2 and weight > 0:
                there = replace(objective, a=float(end))
                bound += weight * (dual_bound(alignment, there, known=Fraction(0)) or 0)
        return bound if bound > known else None
    labelling = Labelling.of(alignment, objective)
    empty_loss = (2 - a) * objective.total_ones  # of the allocation without ones, over all draws
    limit = (empty_loss - known * objective.n_draws) / 2 * labelling.scale
    totals = [labelling.feasible_total(prices, limit) for prices in labelling.shared_prices()]
    lowest = min((total for total in totals if total is not None), default=None)
    if lowest is None:
        return None
    bound = (empty_loss - Fraction(2 * lowest, labelling.scale)) / objective.n_draws
    return bound if bound > known else None


@dataclass(frozen=True, eq=False)
class Labelling:
    """Draws whose features carry the labels of a reference's columns."""

    alignment: Alignment
    scale: int
    """Units per item."""
    half_penalty: int
    """a/2 in these units."""

    @classmethod
    def of(cls, alignment: Alignment, objective: Objective) -> Labelling:
        """Choose units in which all prices are whole and no sum overflows."""
        half, n_items = objective.exact_a / 2, len(alignment.reference)
        room = 2**61 // (max(n_items, 1) * objective.n_draws * half.denominator)
        scale = half.denominator * max(1, min(UNITS, room))
        return cls(alignment, scale, int(half * scale))

    @property
    def labels(self) -> npt.NDArray[np.int32]:
        """(B, K): the feature of each draw that has label j, or -1."""
        return self.alignment.permutations

    @property
    def n_draws(self) -> int:
        """Number of draws."""
        return len(self.labels)

    @cached_property
    def margins(self) -> IntArray:
        """(n, K): draws whose feature labelled j has item i, less the threshold count."""
        return self.scale * self.alignment.counts - self.half_penalty * self.n_draws

    @cached_property
    def columns(self) -> BinaryMatrix:
        """(n, K): e_j, the items whose margin under label j is positive."""
        return (self.margins > 0).astype(np.uint8)

    @cached_property
    def first(self) -> IntArray:
        """(B + 1,): where each draw's features begin in an array over all features."""
        return np.concatenate([[0], np.cumsum(self.alignment.engine.samples_info.n_features)])

    @cached_property
    def safe_prices(self) -> IntArray:
        """(all features,): prices that are feasible for any draws, 1 - a/2 per item."""
        draws = (self.alignment.engine.draw(b) for b in range(self.n_draws))
        sizes = np.concatenate([draw.sum(axis=0, dtype=np.int64) for draw in draws])
        return (self.scale - self.half_penalty) * sizes

    def shared_prices(self) -> Iterator[IntArray]:
        """Prices whose total is the sum of all positive margins, the least that can be feasible.

        The draws that have an item under a label share its margin: evenly, or with full shares
        for draws that lack some label, because their features may take its place.
        """
        complete: npt.NDArray[np.bool] = np.all(self.labels >= 0, axis=1, keepdims=False)
        yield self._share(np.ones_like(complete))
        if not complete.all():
            yield self._share(complete)

    def _share(self, evenly: npt.NDArray[np.bool]) -> IntArray:
        """Give full shares to the unmarked draws; the marked ones share the rest evenly."""
        margins = np.maximum(self.margins, 0)
        takers: IntArray = np.zeros(margins.shape, dtype=np.int64)
        for b in np.flatnonzero(~evenly).tolist():
            takers += self._labelled(b)
        sharers = self.alignment.counts - takers
        # Where full shares exceed the margin, all draws share evenly.
        full = takers * self.scale <= margins
        left = np.where(full, margins - takers * self.scale, margins)
        among = np.where(full, sharers, sharers + takers)
        each, rest = np.divmod(left, np.maximum(among, 1))
        prices = np.zeros(int(self.first[-1]), dtype=np.int64)
        for b in range(self.n_draws):
            has = self._labelled(b) == 1
            sharing = has & (evenly[b] | ~full)
            share = np.where(sharing, each + (rest > 0), np.where(has, self.scale, 0))
            rest = rest - (sharing & (rest > 0))
            share = np.where(self.columns == 1, share, 0).sum(axis=0)
            present = self.labels[b] >= 0
            prices[self.first[b] + self.labels[b][present]] = share[present]
        return prices

    def _labelled(self, b: int) -> IntArray:
        """(n, K): draw b with its features in the order of the labels."""
        draw = np.pad(self.alignment.engine.draw(b), ((0, 0), (0, 1)))
        return draw[:, self.labels[b]].astype(np.int64)

    def feasible_total(self, prices: IntArray, limit: Fraction) -> int | None:
        """The total of these prices, raised until they are feasible; None if not below `limit`."""
        total = int(prices.sum())
        if total >= limit:
            return None

        def raised(level: int) -> IntArray:
            """From `prices` at level 0 towards the safe prices at the last level."""
            return prices + ((self.safe_prices - prices) * level + LEVELS - 1) // LEVELS

        span = int(self.safe_prices.sum()) - total
        high = min(LEVELS - 1, int((limit - total) * LEVELS / max(span, 1)))
        if not self.is_feasible(raised(high)):
            return None
        if self.is_feasible(prices):
            return total
        low = 0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.is_feasible(raised(middle)) else (middle, high)
        return int(raised(high).sum())

    def is_feasible(self, prices: IntArray) -> bool:
        """Whether Theorem 4 proves that no column makes a profit at these prices."""
        engine, n_items = self.alignment.engine, len(self.margins)
        near = engine.gains_near(self.columns, self.labels, prices, self.scale)
        # The least that x flips of a labelled column cost under its own label.
        cheapest = np.cumsum(np.sort(np.abs(self.margins), axis=0), axis=0).T
        costs = np.pad(cheapest, ((0, 0), (1, 0)))
        missing = np.maximum(self.margins, 0).sum(axis=0) - self._prices_by_label(prices)
        excess = missing[:, None] - costs + near
        failing = np.flatnonzero((excess > 0).any(axis=0))
        if len(failing) == 0 and len(excess):
            return True
        far = engine.gains_far(
            self.columns,
            self.labels,
            prices,
            self.scale,
            half_penalty=self.half_penalty,
            apart=int(failing[0]) if len(failing) else 0,
        )
        return bool((far <= self.half_penalty * self.n_draws * np.arange(n_items + 1)).all())

    def _prices_by_label(self, prices: IntArray) -> IntArray:
        """(K,): total price of the features with each label."""
        at = self.first[:-1, None] + self.labels
        absent_last: IntArray = np.append(prices, 0)
        by_label: IntArray = absent_last[np.where(self.labels >= 0, at, -1)].sum(axis=0)
        return by_label
