"""The dual bound: prices on the draws' features that bound the score of every allocation.

From each draw a column gains its overlap with one feature less the price of that feature, and each
of its items costs a/2. Prices are feasible if no column makes a profit. By linear programming
duality their total then bounds the score of every allocation. docs/theory-bounds.md has the proofs,
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
from fangs.bounds.protocol import BoundsEngine, as_bounds_engine
from fangs.engine import Deadline
from fangs.loss import Objective
from fangs.posterior.alignment import Alignment

UNITS = 64
"""Units of price per smallest exact step. More make shared prices more even."""
LEVELS = 256
"""Steps in which prices are raised until they are feasible."""
MAX_DENOMINATOR = 1000
"""Largest denominator of `a` for which prices are whole numbers."""


def dual_bound(
    alignment: Alignment, objective: Objective, deadline: Deadline, *, known: Fraction
) -> Fraction | None:
    """Bound the expected loss of every allocation; None where the result does not beat `known`.

    Parameters
    ----------
    alignment
        The draws aligned to a reference, whose columns label their features. The bound holds for
        any reference; one close to the optimum gives a better bound.
    objective
        The expected loss at the wanted penalty.
    deadline
        `OutOfTimeError` is raised once it has passed.
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
                bound += weight * (dual_bound(alignment, there, deadline, known=Fraction(0)) or 0)
        return bound if bound > known else None
    labelling = Labelling.of(alignment, objective, deadline)
    if labelling is None:
        return None
    total_weight = objective.total_weight
    empty_loss = (2 - a) * objective.total_ones  # of the allocation without ones, over all draws
    limit = (empty_loss - known * total_weight) / 2 * labelling.scale
    totals = [priced.feasible_total(limit) for priced in labelling.shared_prices()]
    lowest = min((total for total in totals if total is not None), default=None)
    if lowest is None:
        return None
    bound = (empty_loss - Fraction(2 * lowest, labelling.scale)) / total_weight
    return bound if bound > known else None


@dataclass(frozen=True, eq=False)
class Labelling:
    """Draws whose features carry the labels of a reference's columns."""

    alignment: Alignment
    deadline: Deadline
    scale: int
    """Units per item."""
    half_penalty: int
    """a/2 in these units."""

    @classmethod
    def of(cls, alignment: Alignment, objective: Objective, deadline: Deadline) -> Labelling | None:
        """Choose units in which all prices are whole and no sum overflows; None if there are none.

        Sums go over all draws by weight, and over the items or ones of a draw.
        """
        half, info = objective.exact_a / 2, alignment.engine.samples_info
        most = max(info.n_items, int(info.n_ones.max()))
        room = 2**61 // (most * objective.total_weight * half.denominator)
        if room == 0:
            return None
        scale = half.denominator * min(UNITS, room)
        return cls(alignment, deadline, scale, int(half * scale))

    @property
    def labels(self) -> npt.NDArray[np.int32]:
        """(B, K): the feature of each draw that has label j, or -1."""
        return self.alignment.permutations

    @cached_property
    def weights(self) -> IntArray:
        """(B,): how much each draw counts."""
        weights = self.alignment.engine.samples_info.weights
        return np.ones(len(self.labels), dtype=np.int64) if weights is None else weights

    @property
    def total_weight(self) -> int:
        """Weight of all draws."""
        return self.alignment.engine.samples_info.total_weight

    @cached_property
    def margins(self) -> IntArray:
        """(n, K): weight of draws whose feature labelled j has item i, less the threshold count."""
        return self.scale * self.alignment.counts - self.half_penalty * self.total_weight

    @cached_property
    def columns(self) -> BinaryMatrix:
        """(n, K): e_j, the items whose margin under label j is positive."""
        return (self.margins > 0).astype(np.uint8)

    def shared_prices(self) -> Iterator[PricedDraws]:
        """Prices whose total is the sum of all positive margins, the least that can be feasible.

        The draws that have an item under a label share its margin: evenly, or with full shares
        for draws that lack some label, because their features may take its place.
        """
        complete: npt.NDArray[np.bool_] = np.all(self.labels >= 0, axis=1, keepdims=False)
        yield self._share(np.ones_like(complete))
        if not complete[self.weights > 0].all():
            yield self._share(complete)

    def _share(self, evenly: npt.NDArray[np.bool_]) -> PricedDraws:
        """Give full shares to the unmarked draws; the marked ones share the rest evenly.

        What does not divide goes to the first copies. Where copies of a draw get different shares,
        they become draws of their own.
        """
        margins = np.maximum(self.margins, 0)
        takers: IntArray = np.zeros(margins.shape, dtype=np.int64)
        for b in self.deadline.over(np.flatnonzero(~evenly).tolist()):
            takers += self.weights[b] * self._labelled(b)
        sharers = self.alignment.counts - takers
        # Where full shares exceed the margin, all draws share evenly.
        full = takers * self.scale <= margins
        left = np.where(full, margins - takers * self.scale, margins)
        among = np.where(full, sharers, sharers + takers)
        each, rest = np.divmod(left, np.maximum(among, 1))
        numbers: list[int] = []
        copies: list[int] = []
        prices: list[IntArray] = []
        for b, weight in self.deadline.over(enumerate(self.weights.tolist())):
            has = self._labelled(b) == 1
            sharing = has & (evenly[b] | ~full)
            with_rest = np.where(sharing, np.minimum(rest, weight), 0)  # copies that get one more
            rest = rest - with_rest
            ends = np.unique([*with_rest[(with_rest > 0) & (with_rest < weight)].tolist(), weight])
            present = self.labels[b] >= 0
            begin = 0
            for end in ends.tolist() if weight else ():
                share = np.where(sharing, each + (with_rest > begin), np.where(has, self.scale, 0))
                share = np.where(self.columns == 1, share, 0).sum(axis=0)
                by_feature = np.zeros(self._n_features[b], dtype=np.int64)
                by_feature[self.labels[b][present]] = share[present]
                numbers.append(b)
                copies.append(end - begin)
                prices.append(by_feature)
                begin = end
        return PricedDraws.of(self, np.array(numbers), np.array(copies), np.concatenate(prices))

    @property
    def _n_features(self) -> IntArray:
        return self.alignment.engine.samples_info.n_features

    def _labelled(self, b: int) -> IntArray:
        """(n, K): draw b with its features in the order of the labels."""
        draw = np.pad(self.alignment.engine.draw(b), ((0, 0), (0, 1)))
        return draw[:, self.labels[b]].astype(np.int64)


@dataclass(frozen=True, eq=False)
class PricedDraws:
    """Draws with a price on each of their features."""

    labelling: Labelling
    engine: BoundsEngine
    labels: npt.NDArray[np.int32]
    """(draws, K): the feature of each draw that has label j, or -1."""
    prices: IntArray
    """(all features,): their prices."""

    @classmethod
    def of(
        cls, labelling: Labelling, draws: IntArray, copies: IntArray, prices: IntArray
    ) -> PricedDraws:
        """Prices on these draws of a labelling, each of them that many times."""
        engine = labelling.alignment.engine
        if not np.array_equal(copies, labelling.weights):  # else these are all draws
            engine = engine.select(draws, copies)
        labels = np.ascontiguousarray(labelling.labels[draws])
        return cls(labelling, as_bounds_engine(engine), labels, prices)

    @cached_property
    def first(self) -> IntArray:
        """Where each draw's features begin in an array over all features."""
        return np.concatenate([[0], np.cumsum(self.engine.samples_info.n_features)])

    @cached_property
    def weights(self) -> IntArray | None:
        """(all features,): how much the draw of each feature counts; None if once."""
        info = self.engine.samples_info
        return None if info.weights is None else np.repeat(info.weights, info.n_features)

    @cached_property
    def safe_prices(self) -> IntArray:
        """(all features,): prices that are feasible for any draws, 1 - a/2 per item."""
        numbers = self.labelling.deadline.over(range(self.engine.samples_info.n_draws))
        draws = (self.engine.draw(b) for b in numbers)
        sizes = np.concatenate([draw.sum(axis=0, dtype=np.int64) for draw in draws])
        return (self.labelling.scale - self.labelling.half_penalty) * sizes

    def total(self, prices: IntArray) -> int:
        """The total of these prices, by weight."""
        return int(prices.sum() if self.weights is None else prices @ self.weights)

    def feasible_total(self, limit: Fraction) -> int | None:
        """The total of the prices, raised until they are feasible; None if not below `limit`."""
        total = self.total(self.prices)
        if total >= limit:
            return None

        def raised(level: int) -> IntArray:
            """From the prices at level 0 towards the safe prices at the last level."""
            gap = self.safe_prices - self.prices
            return self.prices + (gap * level + LEVELS - 1) // LEVELS

        span = self.total(self.safe_prices) - total
        high = min(LEVELS - 1, int((limit - total) * LEVELS / max(span, 1)))
        if not self.is_feasible(raised(high)):
            return None
        if self.is_feasible(self.prices):
            return total
        low = 0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.is_feasible(raised(middle)) else (middle, high)
        return self.total(raised(high))

    def is_feasible(self, prices: IntArray) -> bool:
        """Whether Theorem 4 proves that no column makes a profit at these prices."""
        at, margins = self.labelling, self.labelling.margins
        near = self.engine.gains_near(at.columns, self.labels, prices, at.scale)
        # The least that x flips of a labelled column cost under its own label.
        cheapest = np.cumsum(np.sort(np.abs(margins), axis=0), axis=0).T
        costs = np.pad(cheapest, ((0, 0), (1, 0)))
        missing = np.maximum(margins, 0).sum(axis=0) - self._prices_by_label(prices)
        excess = missing[:, None] - costs + near
        failing = np.flatnonzero((excess > 0).any(axis=0))
        if len(failing) == 0 and len(excess):
            return True
        far = self.engine.gains_far(
            at.columns,
            self.labels,
            prices,
            at.scale,
            half_penalty=at.half_penalty,
            apart=int(failing[0]) if len(failing) else 0,
        )
        sizes = np.arange(len(margins) + 1)
        return bool((far <= at.half_penalty * at.total_weight * sizes).all())

    def _prices_by_label(self, prices: IntArray) -> IntArray:
        """(K,): total price of the features with each label, by weight."""
        at = self.first[:-1, None] + self.labels
        absent_last: IntArray = np.append(prices, 0)
        by_label: IntArray = absent_last[np.where(self.labels >= 0, at, -1)]
        weights = self.engine.samples_info.weights
        return by_label.sum(axis=0) if weights is None else weights @ by_label
