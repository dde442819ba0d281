"""A bound where the proof is too long: prices raised a little, at which it is shorter.

Safe prices, 1 - a/2 per item, need no proof, but the bound that they give is 0. On the way from the
programme's prices to them the bound falls in proportion, and the proof becomes shorter.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from fangs._typing import BinaryMatrix, IntArray

if TYPE_CHECKING:
    from fangs.bounds.columns.proof import ColumnProof


def raise_prices(
    proof: ColumnProof, prices: IntArray, n_levels: int | None = None
) -> tuple[BinaryMatrix, bool]:
    """Lower the proof's bound: first at prices far above, then as near as time allows.

    Returns columns that earn too much at the programme's own prices, and whether all were looked
    at: none and False if there was no time for these prices.
    """
    params, safe = proof.params, safe_prices(proof)
    levels, effort = params.levels, params.effort
    proof.lower(proof.total(safe))
    proved, end = -1, len(levels) if n_levels is None else n_levels
    seconds_per_effort = 0.0
    while proved + 1 < end and not proof.deadline.is_over:
        level = proved + 1
        for finer in range(level + 1, end if proved >= 0 else 0):
            if seconds_per_effort * effort[finer] <= params.level_share * proof.deadline.left:
                level = finer
        raised = np.maximum(prices + np.ceil(levels[level] * (safe - prices)).astype(np.int64), 0)
        proof.pricing.set_prices(raised)
        share = params.level_share if level > proved + 1 else 1.0
        began = perf_counter()
        found, is_complete = proof.explore(params.max_nodes, share * proof.deadline.left)
        if levels[level] == 0 and (is_complete or found.shape[1] > 0):
            return found, is_complete
        if is_complete and found.shape[1] == 0:
            proof.lower(proof.total(raised))
            proved, seconds_per_effort = level, (perf_counter() - began) / effort[level]
        else:
            end = level
    return np.zeros((len(proof.columns), 0), dtype=np.uint8), False


def safe_prices(proof: ColumnProof) -> IntArray:
    """Prices that are feasible for any draws: 1 - a/2 per item."""
    sizes = np.concatenate([draw.sum(axis=0, dtype=np.int64) for draw in proof.draws])
    per_item = proof.scale - int(proof.objective.exact_a * proof.scale / 2)
    return per_item * sizes
