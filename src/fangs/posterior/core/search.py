"""The search for the largest core: peeling draws, adding units, exchanging draws, and a bound.

*Peeling* keeps one draw after another, each time the one that costs the fewest units; all units
that fail in it are lost and charged to it. The next round adds to each draw's cost what it was
charged before. This is the iterated peeling of Boob et al. (2020), *Flowless: extracting densest
subgraphs without flow computations*, on the hypergraph of units over draws. The charges also prove
a bound: in each round every unit is charged to one draw in which it fails. So a set whose failures
lie in few draws has no more units than these draws were charged for, on average over the rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from fangs._typing import IntArray
from fangs.posterior.core.problem import Mask, Problem, holds_together, sum_rows, unpacked


@dataclass(frozen=True, kw_only=True)
class CoreParams:
    """What the search for a core trades against time; tests pass their own.

    Examples
    --------
    >>> CoreParams(max_rounds=1).max_rounds
    1
    """

    max_rounds: int = 100
    """Rounds of peeling at a level. More: larger sets, and bounds nearer to them."""
    curve_rounds: int = 8
    """Rounds over all units, for the curve at all other levels."""
    max_exchanges: int = 200
    """Draws that the best set loses and that an exchange tries to keep."""
    work: int = 100_000_000
    """Draws times units that all rounds, or all exchanges, may visit; at least two of each."""
    max_nodes: int = 2000
    """Nodes of the branch and bound."""
    max_cells: int = 50_000
    """Draws times units up to which there is a branch and bound."""


class Solutions:
    """The sets found: the best one within a budget, and the best weight for each size.

    Attributes
    ----------
    kept
        (all units + 1,): the largest weight of draws found in which so many units hold at once.
    chosen
        The units of the largest set whose failures weigh no more than the budget.
    """

    def __init__(self, n_units: int, total_weight: int, budget: int) -> None:
        self.total_weight, self.budget = total_weight, budget
        self.kept: IntArray = np.zeros(n_units + 1, dtype=np.int64)
        self.kept[0] = total_weight
        self.chosen: Mask = np.zeros(n_units, dtype=bool)
        self.key = (0, total_weight)

    @property
    def size(self) -> int:
        """Number of units of the best set."""
        return self.key[0]

    def offer(self, problem: Problem, chosen: Mask, size: int, lost: int) -> None:
        """Take note of a set of units whose failures weigh `lost`."""
        kept = self.total_weight - lost
        self.kept[size] = max(self.kept[size], kept)
        if lost <= self.budget and (size, kept) > self.key:
            self.chosen = problem.expand(chosen)
            self.key = size, kept

    def curve(self) -> IntArray:
        """(all units + 1,): the same without gaps: a part of a set holds at least as often."""
        curve: IntArray = np.maximum.accumulate(self.kept[::-1])[::-1]
        return curve


class Search:
    """The search for the largest set of one problem; it offers to `solutions` all that it meets."""

    def __init__(
        self, problem: Problem, solutions: Solutions, budget: int, params: CoreParams
    ) -> None:
        self.problem, self.solutions = problem, solutions
        self.budget, self.params = budget, params
        self.bound = int(problem.sizes.sum())
        self.n_rounds = 0
        self.charges: IntArray = np.zeros(problem.n_draws, dtype=np.int64)
        self.shares: IntArray | None = None
        if self.n_cells <= params.max_cells:
            self.shares = np.zeros((problem.n_units, problem.n_draws), dtype=np.int64)
        self._draw_units = sum_rows(problem.units, problem.sizes, problem.n_draws)
        self._unit_draws = sum_rows(problem.draws, problem.weights, problem.n_units)

    @property
    def n_cells(self) -> int:
        """Draws times units."""
        return self.problem.n_draws * self.problem.n_units

    @property
    def is_proved(self) -> bool:
        """Whether no set within the budget is larger than the best one found."""
        return self.solutions.size >= self.bound

    def run(self, max_rounds: int) -> None:
        """Add and peel until the best set is proved, or for as many rounds as are granted."""
        p = self.problem
        self._add(np.zeros(p.n_units, dtype=bool), np.ones(p.n_units, dtype=bool))
        for _ in range(self._affordable(max_rounds)):
            if self.is_proved:
                break
            self._peel()
            self.bound = min(self.bound, self._bound())

    def exchange(self) -> None:
        """Keep one more of the draws that the best set loses, and lose others in its place."""
        p, left, improved = self.problem, self._affordable(self.params.max_exchanges), True
        while improved and not self.is_proved:
            improved, before = False, self.solutions.key
            chosen = self._best()
            for draw in np.flatnonzero(self._lost_draws(chosen)):
                if not left:
                    return
                left -= 1
                holds = unpacked(p.draws[draw], p.n_units) == 0
                self._add(chosen & holds, holds)
                if self.solutions.key > before:
                    improved = True
                    break

    def _affordable(self, number: int) -> int:
        """As many rounds or exchanges of these as the work granted allows."""
        return min(number, max(2, self.params.work // max(1, self.n_cells)))

    def _add(self, chosen: Mask, allowed: Mask) -> None:
        """Add the allowed units one after another, each time the one that loses the fewest draws.

        Ends at the budget.
        """
        p, chosen = self.problem, chosen.copy()
        rest = ~self._lost_draws(chosen)
        lost = int(p.weights[~rest].sum())
        cost = sum_rows(p.draws[rest], p.weights[rest], p.n_units)
        while True:
            chosen |= allowed & (cost == 0)
            self.solutions.offer(p, chosen, int(p.sizes[chosen].sum()), lost)
            others = np.flatnonzero(allowed & ~chosen)
            if not len(others):
                return
            unit = others[(cost[others] / p.sizes[others]).argmin()]
            lost += int(cost[unit])
            if lost > self.budget:
                return
            gone = np.flatnonzero(rest & (unpacked(p.units[unit], p.n_draws) == 1))
            rest[gone] = False
            cost -= sum_rows(p.draws[gone], p.weights[gone], p.n_units)

    def _peel(self) -> None:
        """Keep one draw after another, each time the one that costs the fewest units."""
        p = self.problem
        chosen, rest = np.ones(p.n_units, dtype=bool), np.ones(p.n_draws, dtype=bool)
        units, charged = self._draw_units.copy(), self.charges.copy()
        lost, size = int(p.weights.sum()), int(p.sizes.sum())
        while True:
            free = rest & (units == 0)
            rest &= ~free
            lost -= int(p.weights[free].sum())
            self.solutions.offer(p, chosen, size, lost)
            others = np.flatnonzero(rest)
            if not len(others):
                break
            costs = self.charges[others] + units[others]
            draw = others[(costs / p.weights[others]).argmin()]
            gone = np.flatnonzero(chosen & (unpacked(p.draws[draw], p.n_units) == 1))
            chosen[gone] = False
            size -= int(units[draw])
            charged[draw] += units[draw]
            if self.shares is not None:
                self.shares[gone, draw] += p.sizes[gone]
            units -= sum_rows(p.units[gone], p.sizes[gone], p.n_draws)
        self.charges, self.n_rounds = charged, self.n_rounds + 1

    def _bound(self) -> int:
        """The most units that draws within the budget can have been charged for, as a mean."""
        never_fails = int(self.problem.sizes[self._unit_draws == 0].sum())
        most = most_charged(self.charges, self.problem.weights, self.budget)
        return never_fails + int(most // self.n_rounds)

    def _lost_draws(self, chosen: Mask) -> Mask:
        """The draws in which one of the chosen units fails."""
        p = self.problem
        return ~holds_together(p.draws, chosen)

    def _best(self) -> Mask:
        """The best set, in the units of this problem."""
        p = self.problem
        chosen = np.zeros(p.n_units, dtype=bool)
        chosen[p.unit_of[self.solutions.chosen & (p.unit_of >= 0)]] = True
        return chosen


def most_charged(charges: IntArray, weights: IntArray, budget: int) -> Fraction:
    """Most that draws can be charged whose weight is within the budget; parts of a draw count.

    Any price per weight gives a bound: what is charged above the price, and the budget at that
    price. The price taken is that of the draw with which the budget is used up.

    Examples
    --------
    >>> most_charged(np.array([4, 1, 3]), np.array([1, 1, 2]), 2)
    Fraction(11, 2)
    """
    if not len(charges):
        return Fraction(0)
    order = np.argsort(-charges / weights, kind="stable")
    last = np.searchsorted(np.cumsum(weights[order]), budget, side="right")
    if last == len(order):
        return Fraction(int(charges.sum()))
    price, weight = int(charges[order[last]]), int(weights[order[last]])
    above = np.maximum(charges.astype(object) * weight - weights.astype(object) * price, 0)
    return Fraction(int(above.sum()) + price * budget, weight)
