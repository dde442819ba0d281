"""Column generation: the best bound of all, and often a proof that an estimate is optimal.

Solve the linear programme over a few columns, look for columns that earn more than they cost at its
prices, add them, repeat. Branch and bound over all item sets then proves that no column is missing.
docs/theory-bounds.md has the theorems. A value is scale * S(E), a whole number; higher is better.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from fangs._typing import BinaryMatrix, IntArray
from fangs.bounds.columns.branching import Branching
from fangs.bounds.columns.params import ColumnParams
from fangs.bounds.columns.programme import Solved, solve
from fangs.bounds.columns.protocol import PricingEngine
from fangs.bounds.columns.raised_prices import raise_prices, safe_prices
from fangs.draws.info import SamplesInfo
from fangs.engine import Deadline, Engine
from fangs.loss import Objective
from fangs.search.local_search import LocalSearch


class ColumnProof:
    """Bounds the score of every allocation; what is known so far can be read at any time.

    Parameters
    ----------
    engine, objective
        The draws and the expected loss.
    matrix
        A good allocation: its columns come first, its value is the one to beat.
    deadline
        The time granted.
    on_round
        Called after each round with the number of columns and the loss of the programme.
    params
        What it trades against time.
    """

    def __init__(
        self,
        engine: PricingEngine,
        objective: Objective,
        matrix: BinaryMatrix,
        deadline: Deadline,
        on_round: Callable[[int, float], None] = lambda n_columns, loss: None,
        params: ColumnParams | None = None,
    ) -> None:
        self.params = params or ColumnParams()
        if objective.exact_a.denominator > self.params.max_denominator:
            raise ValueError(f"a = {objective.a} has too many digits for whole numbers")
        self.engine, self.objective, self.deadline, self.on_round = (
            engine,
            objective,
            deadline,
            on_round,
        )
        members, self.weights = _distinct_draws(engine)
        self.draws = [engine.draw(b) for b in deadline.over(members.tolist())]
        self.scale, self.item_cost = _units(objective, engine.samples_info)
        self.grid = math.gcd(self.scale, self.item_cost)
        """The value of every allocation is a multiple of this."""
        self.pricing = engine.pricing(
            members, self.weights, scale=self.scale, item_cost=self.item_cost
        )
        self.best_matrix = np.ascontiguousarray(matrix)
        self.best = self.value_of(matrix)
        self.columns = _distinct(matrix[:, matrix.any(axis=0)])
        self.upper: int | None = None
        """No allocation has a larger value; None while nothing is proved."""
        self.rounds: list[tuple[int, float]] = []
        """Columns and loss of the programme, after each round."""
        self.n_nodes = 0
        self.stopped_because = "the proof takes too many nodes"
        """Said where neither a proof nor the deadline ended it."""

    @property
    def is_proved(self) -> bool:
        """Whether no allocation is better than `best_matrix`."""
        return self.upper is not None and self.upper <= self.best

    def bound(self) -> Fraction | None:
        """The proved bound on the expected loss."""
        return None if self.upper is None else self.loss(self.upper)

    def run(self) -> None:
        """Generate columns, prove that none is missing, branch if the programme is fractional."""
        if self.best < 0:  # worse than no features at all
            self.best, self.best_matrix = 0, self.best_matrix[:, :0].copy()
        if self.n_features == 0:
            self.upper = 0
            return
        solved, prices, is_complete = self._generate()
        if not is_complete:
            return
        self.lower(self.total(prices))
        self.try_rounding(solved, self.columns)
        if self.is_proved or self.deadline.is_over:
            return
        # A better allocation has no column that loses more than the gap at these prices.
        missing = self.best + self.grid - self.total(prices)
        self.pricing.set_prices(prices)
        listed, _, nodes, is_complete = self.pricing.explore(
            missing - 1,
            list_all=True,
            max_nodes=self.params.max_nodes,
            max_found=self.params.max_listed,
            seconds=self.deadline.left,
        )
        self.n_nodes += nodes
        if is_complete:
            Branching(self, listed).run()

    def loss(self, value: float) -> Fraction:
        """The expected loss that a value stands for."""
        objective = self.objective
        whole = (2 - objective.exact_a) * objective.total_ones
        return (whole - 2 * Fraction(value) / self.scale) / objective.total_weight

    def value_of(self, matrix: BinaryMatrix) -> int:
        """The value of an allocation."""
        overlaps = self.engine.overlaps(np.ascontiguousarray(matrix))
        overlap = self.engine.samples_info.weigh(overlaps)
        return self.scale * overlap - self.item_cost * int(matrix.sum())

    def whole_prices(self, solved: Solved) -> IntArray:
        """(all features,): prices rounded up, in units of 1/scale."""
        prices = np.ceil(solved.prices * self.scale)
        whole: IntArray = np.maximum(prices, 0).astype(np.int64)
        return whole

    def try_rounding(self, solved: Solved, columns: BinaryMatrix) -> None:
        """Round the multiplicities, descend, and keep the allocation if it is better."""
        times = np.round(solved.multiplicities).astype(np.int64)
        for some in (times, np.ceil(solved.multiplicities - 1e-3).astype(np.int64)):
            matrix = np.ascontiguousarray(np.repeat(columns, some, axis=1))
            search = LocalSearch(self.engine, self.objective, matrix)
            search.descend()
            value = self.value_of(search.matrix)
            if value > self.best:
                self.best, self.best_matrix = value, search.matrix

    @property
    def tolerance(self) -> float:
        """Gap of the programme that can complete a proof: a part of the smallest step."""
        return 0.25 * self.grid / self.scale

    @property
    def enough(self) -> float:
        """Value of the programme below which its prices, rounded up, prove the best allocation."""
        return (self.best + 0.75 * self.grid) / self.scale

    def _generate(self) -> tuple[Solved, IntArray, bool]:
        """Solve and add columns until none is missing; False if that is not proved in time.

        Without that proof, prices that are raised a little can still give a bound.
        """
        starts = self._frequent_features()
        is_fine, fine = False, self.tolerance
        half = self.deadline.left / 2
        while True:
            if self.n_features * self.columns.shape[1] > self.params.max_variables:
                self.stopped_because = "the linear programme is too large"
                return Solved.nothing(self.n_features), safe_prices(self), False
            rough = max(fine, self.params.rough_gap * abs(self.best) / self.scale)
            solved = solve(
                self.pricing,
                self.columns,
                tolerance=fine if is_fine else rough,
                seconds=self.deadline.left,
            )
            prices = self.whole_prices(solved)
            total = self.total(prices)
            self.rounds.append((self.columns.shape[1], float(self.loss(total))))
            self.on_round(*self.rounds[-1])
            if self.deadline.is_over:
                return solved, prices, False
            self.pricing.set_prices(prices)
            found = self._climb(starts)
            if found.shape[1] == 0:
                if not is_fine and self.floor(total) > self.best and solved.gap > fine:
                    is_fine = True
                    continue
                found, is_complete = self._missing(prices)
                if found.shape[1] == 0:
                    return solved, prices, is_complete
            elif self.deadline.left < half and self.upper is None:  # a bound in case time is short
                raise_prices(self, prices, len(self.params.levels) - 1)
            self.columns = _distinct(np.concatenate([self.columns, found], axis=1))

    def _missing(self, prices: IntArray) -> tuple[BinaryMatrix, bool]:
        """Columns that earn too much, by branch and bound; whether it is proved if none is found.

        A bound from raised prices comes first where the proof is long.
        """
        seconds = self.params.first_share * self.deadline.left
        found, is_complete = self.explore(self.params.first_nodes, seconds)
        if found.shape[1] == 0 and not is_complete:
            found, is_complete = raise_prices(self, prices)
        if found.shape[1] > 0:
            found, _ = self.pricing.climb(found)
        return _distinct(found)[:, : self.params.columns_per_round], is_complete

    def explore(self, max_nodes: int, seconds: float) -> tuple[BinaryMatrix, bool]:
        """Some columns that earn too much, if there are any; True if all were looked at."""
        found, _, nodes, is_complete = self.pricing.explore(
            0, list_all=False, max_nodes=max_nodes, max_found=self.params.n_climbs, seconds=seconds
        )
        self.n_nodes += nodes
        return found, is_complete

    def _climb(self, starts: BinaryMatrix) -> BinaryMatrix:
        """Columns that earn too much, found by local search."""
        starts = _distinct(np.concatenate([starts, self.columns], axis=1))
        first = np.argsort(-self.pricing.profits(starts), kind="stable")[: self.params.n_climbs]
        columns, profits = self.pricing.climb(np.ascontiguousarray(starts[:, first]))
        order = np.argsort(-profits, kind="stable")
        columns = columns[:, order[profits[order] > 0]]
        _, where = np.unique(columns, axis=1, return_index=True)
        return np.ascontiguousarray(columns[:, np.sort(where)[: self.params.columns_per_round]])

    def _frequent_features(self) -> BinaryMatrix:
        features, counts = np.unique(np.concatenate(self.draws, axis=1), axis=1, return_counts=True)
        chosen = np.argsort(-counts, kind="stable")[: self.params.n_starts]
        return np.ascontiguousarray(features[:, chosen])

    @property
    def n_features(self) -> int:
        """Number of features of all distinct draws."""
        return self.pricing.n_features

    def total(self, prices: IntArray) -> int:
        """The total of the prices, each draw counted with its weight."""
        times = np.repeat(self.weights, [draw.shape[1] for draw in self.draws])
        return int(times @ prices)

    def floor(self, value: int) -> int:
        """The largest value of an allocation that is possible at or below this one."""
        return value - value % self.grid

    def lower(self, value: int) -> None:
        """Note that no allocation has a larger value."""
        value = max(self.floor(value), 0)
        self.upper = value if self.upper is None else min(self.upper, value)


def largest_scale(info: SamplesInfo) -> int:
    """Most units per item with which no sum overflows; 0 if there are none."""
    most = max(info.n_items, int(info.n_ones[info.counted].max()))
    # A discount is a 32-bit number; a total of prices is a sum over all draws by weight.
    return int(min(2**30 // max(info.n_items, 1), 2**60 // (max(most, 1) * info.total_weight)))


def _distinct_draws(engine: Engine) -> tuple[IntArray, IntArray]:
    """The first of equal draws, and their total weight; draws of weight 0 are left out."""
    info = engine.samples_info
    counted = info.counted
    _, first, group = np.unique(
        engine.first_equal()[counted], return_index=True, return_inverse=True
    )
    members, place = np.unique(counted[first[group]], return_inverse=True)
    weights: IntArray = np.zeros(len(members), dtype=np.int64)
    np.add.at(weights, place, 1 if info.weights is None else info.weights[counted])
    return members.astype(np.int64), weights


def _units(objective: Objective, info: SamplesInfo) -> tuple[int, int]:
    """Units per item, and what an item costs in them.

    Rounding all prices up costs less than a step of the loss, except with very large weights.
    """
    cost, saving = objective.weights
    step = Fraction(math.gcd(cost, saving), saving)
    smallest = 2 * objective.exact_a.denominator
    wanted = math.ceil(8 * info.weigh(info.n_features) / step / smallest)
    scale = smallest * max(1, min(wanted, largest_scale(info) // smallest))
    return scale, int(objective.exact_a * objective.total_weight * scale / 2)


def _distinct(columns: BinaryMatrix) -> BinaryMatrix:
    return np.ascontiguousarray(np.unique(columns, axis=1))
