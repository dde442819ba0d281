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
    from fangs.bounds.columns import ColumnProof

LEVELS = (0.3, 0.1, 0.03, 0.009, 0.0)
"""Shares of the way to safe prices, by which the bound falls; the last is the programme's own."""
EFFORT = (1, 30, 90, 130, 150)
"""Time of the proof at these levels, relatively: somewhat more than on any draws of 30 items."""
SHARE_OF_TIME = 0.7
"""Part of the time left that a level may take if a coarser one could follow."""
MAX_NODES = 1_000_000
"""Nodes of the proof at one level."""


def raise_prices(
    proof: ColumnProof, prices: IntArray, n_levels: int = len(LEVELS)
) -> tuple[BinaryMatrix, bool]:
    """Lower the proof's bound: first at prices far above, then as near as time allows.

    Returns columns that earn too much at the programme's own prices, and whether all were looked
    at: none and False if there was no time for these prices.
    """
    safe = safe_prices(proof)
    proof.lower(proof.total(safe))
    proved, end = -1, n_levels
    seconds_per_effort = 0.0
    while proved + 1 < end and not proof.clock.is_over:
        level = proved + 1
        for finer in range(level + 1, end if proved >= 0 else 0):
            if seconds_per_effort * EFFORT[finer] <= SHARE_OF_TIME * proof.clock.left:
                level = finer
        raised = np.maximum(prices + np.ceil(LEVELS[level] * (safe - prices)).astype(np.int64), 0)
        proof.pricing.set_prices(raised)
        share = SHARE_OF_TIME if level > proved + 1 else 1.0
        began = perf_counter()
        found, is_complete = proof.explore(MAX_NODES, share * proof.clock.left)
        if LEVELS[level] == 0 and (is_complete or found.shape[1] > 0):
            return found, is_complete
        if is_complete and found.shape[1] == 0:
            proof.lower(proof.total(raised))
            proved, seconds_per_effort = level, (perf_counter() - began) / EFFORT[level]
        else:
            end = level
    return np.zeros((len(proof.columns), 0), dtype=np.uint8), False


def safe_prices(proof: ColumnProof) -> IntArray:
    """Prices that are feasible for any draws: 1 - a/2 per item."""
    sizes = np.concatenate([draw.sum(axis=0, dtype=np.int64) for draw in proof.draws])
    per_item = proof.scale - int(proof.objective.exact_a * proof.scale / 2)
    return per_item * sizes
