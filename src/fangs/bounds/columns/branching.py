"""Branching over a list of columns, where the linear programme alone leaves a gap.

Each node says how often some columns are used, at least or exactly. Its bound needs no solver to be
valid: with prices at which no free column of the list makes a profit, no allocation of the node has
a larger value than the total of the prices plus what the columns that it must use earn.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs.bounds.columns.programme import solve

if TYPE_CHECKING:
    from fangs.bounds.columns.proof import ColumnProof


class Branching:
    """Best-first branch and bound over the multiplicities of the listed columns.

    Parameters
    ----------
    proof
        Where the best allocation and the bound are kept.
    columns
        (n, C): every column that an allocation better than the best one can have.
    """

    def __init__(self, proof: ColumnProof, columns: BinaryMatrix) -> None:
        self.proof = proof
        self.columns = np.ascontiguousarray(columns)
        known = {column.tobytes() for column in proof.columns.T}
        self.is_active = np.array([column.tobytes() in known for column in self.columns.T])
        self.sizes: IntArray = self.columns.sum(axis=0, dtype=np.int64)

    def run(self) -> None:
        """Lower the bound of the proof until it meets the best value, or time is over."""
        proof, n_columns = self.proof, self.columns.shape[1]
        if n_columns == 0:
            proof.upper = proof.best
            return
        assert proof.upper is not None
        count = 0
        root = np.zeros(n_columns, dtype=np.int64), np.zeros(n_columns, dtype=np.bool_)
        waiting = [(-proof.upper, count, *root)]
        while waiting:
            top, _, least, is_fixed = heapq.heappop(waiting)
            proof.upper = min(proof.upper, max(-top, proof.best))
            if proof.is_proved:
                return
            if count >= proof.params.max_branches or proof.deadline.is_over:
                return
            # Rough prices first: most nodes are closed or branched on before they are fine.
            gap = (-top - proof.best) / proof.scale
            rough = max(proof.params.branch_gap * gap, proof.tolerance)
            for tolerance in (rough, proof.tolerance):
                bound, multiplicities = self._solve(least, is_fixed, tolerance)
                bound = min(bound, -top)
                pick = self._fractional(multiplicities, is_fixed)
                if bound <= proof.best or pick is not None:
                    break
            if bound <= proof.best:
                continue
            if pick is None:
                proof.stopped_because = "prices are rounded, which leaves a small gap"
                return
            more = least.copy()
            more[pick] += 1
            exactly = is_fixed.copy()
            exactly[pick] = True
            for child in ((least, exactly), (more, is_fixed)):
                count += 1
                heapq.heappush(waiting, (-bound, count, *child))
        proof.upper = proof.best

    def _solve(
        self, least: IntArray, is_fixed: npt.NDArray[np.bool_], tolerance: float
    ) -> tuple[int, FloatArray]:
        """A valid bound for a node, and the multiplicities of its programme."""
        proof = self.proof
        is_out = is_fixed & (least == 0)
        free = ~is_fixed
        self.is_active |= least > 0
        while True:
            used = np.flatnonzero(self.is_active & ~is_out)
            columns = np.ascontiguousarray(self.columns[:, used])
            solved = solve(
                proof.pricing,
                columns,
                tolerance=tolerance,
                enough=proof.enough,
                seconds=proof.deadline.left,
                least=least[used],
                is_fixed=is_fixed[used],
            )
            multiplicities = np.zeros(len(least))
            multiplicities[used] = solved.multiplicities
            prices = proof.whole_prices(solved)
            proof.pricing.set_prices(prices)
            profits = proof.pricing.profits(self.columns)
            missing = free & ~self.is_active & (profits > 0)
            if not missing.any():
                break
            order = np.flatnonzero(missing)[np.argsort(-profits[missing], kind="stable")]
            self.is_active[order[: proof.params.listed_per_round]] = True
        proof.try_rounding(solved, columns)
        if bool((profits[free] > 0).any()):
            return 2**62, multiplicities  # not feasible for some column: no bound
        return proof.floor(proof.total(prices) + int(least @ profits)), multiplicities

    def _fractional(
        self, multiplicities: FloatArray, is_fixed: npt.NDArray[np.bool_]
    ) -> int | None:
        """The free column that is farthest from whole; if all are whole, one that is used."""
        distance = np.abs(multiplicities - np.round(multiplicities))
        distance[is_fixed] = -1.0
        pick = int(distance.argmax())
        if distance[pick] > self.proof.params.whole:
            return pick
        used = np.flatnonzero(~is_fixed & (multiplicities > 0.5))
        return int(used[0]) if len(used) else None
