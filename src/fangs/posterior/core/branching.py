"""Branch and bound: the proof that a core is the largest, or a larger one, for small problems.

A node has units that are in the set, units that are out, and others that are open. It branches on
the open unit that loses the fewest further draws: first in, then out. The bound is that of the
peeling: every open unit is shared out among the draws in which it fails, as it was charged to them
over the rounds. Draws that are lost already give their shares for nothing; the others are paid for
out of what is left of the budget.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.posterior.core.problem import Mask, unpacked
from fangs.posterior.core.search import Search, most_charged


@dataclass(frozen=True, eq=False)
class Node:
    """Some units decided: those neither chosen nor open are out."""

    chosen: Mask
    open: Mask
    lost: Mask
    """(B,): draws in which a chosen unit fails."""
    bound: int
    """No set of this node is larger."""


class Branching:
    """Branch and bound over the units of a search that has peeled, and noted the shares."""

    def __init__(self, search: Search, shares: IntArray) -> None:
        p = search.problem
        self.search, self.problem, self.shares = search, p, shares
        self.fails = unpacked(p.units, p.n_draws) == 1

    def run(self, max_nodes: int) -> None:
        """Visit nodes, and lower the bound of the search to what is proved about all sets."""
        p, solutions = self.problem, self.search.solutions
        nothing = np.zeros(p.n_units, dtype=bool)
        stack = [self._node(nothing, ~nothing, np.zeros(p.n_draws, dtype=bool))]
        for _ in range(max_nodes):
            while stack and stack[-1].bound <= solutions.size:
                stack.pop()
            if not stack:
                break
            stack += self._branches(stack.pop())
        open_bounds = [node.bound for node in stack]
        self.search.bound = min(self.search.bound, max([solutions.size, *open_bounds]))

    def _branches(self, node: Node) -> list[Node]:
        """The nodes without and with the open unit that loses the fewest further draws."""
        if not node.open.any():
            return []
        cost = self._costs(node.lost)
        unit = int(np.where(node.open, cost, cost.max() + 1).argmin())
        further = self.fails[unit] & ~node.lost
        # A set with a unit that fails wherever this one does may as well have this one too.
        implying = self.fails[:, further].all(axis=1)
        out = self._node(node.chosen, node.open & ~implying, node.lost)
        chosen = node.chosen.copy()
        chosen[unit] = True
        return [out, self._node(chosen, node.open, node.lost | further)]

    def _node(self, chosen: Mask, is_open: Mask, lost: Mask) -> Node:
        """A node, with all units in it that lose no further draw, offered as a solution."""
        p, budget = self.problem, self.search.budget
        cost, spent = self._costs(lost), int(p.weights[lost].sum())
        chosen = chosen | (is_open & (cost == 0))
        is_open = is_open & ~chosen & (cost <= budget - spent)
        size = int(p.sizes[chosen].sum())
        self.search.solutions.offer(p, chosen, size, spent)
        return Node(chosen, is_open, lost, size + self._most(is_open, lost, budget - spent))

    def _costs(self, lost: Mask) -> IntArray:
        """(m,): weight of the further draws that each unit loses."""
        found: IntArray = self.fails @ np.where(lost, 0, self.problem.weights)
        return found

    def _most(self, is_open: Mask, lost: Mask, budget: int) -> int:
        """A bound on how many open units a budget adds."""
        shares: npt.NDArray[np.int64] = self.shares[is_open].sum(axis=0)
        bought = most_charged(shares[~lost], self.problem.weights[~lost], budget)
        return int((int(shares[lost].sum()) + bought) // self.search.n_rounds)
