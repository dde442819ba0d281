"""How far the chains disagree about an allocation: the share of the variance between them.

`fangs.compare_chains` looks closely, and needs an estimate for each chain. This only asks whether
it should be called, and costs next to nothing while the draws are aligned.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fangs._typing import FloatArray, IntArray
from fangs.draws.info import SamplesInfo

MAX_COUNTS = 2**22
"""Counts of several chains that are held at the same time; those of one chain always are."""


class ChainShare:
    """Share of the variance of the aligned entries that lies between the chains.

    Every entry of the allocation is 0 or 1 in each aligned draw. Its variance over all draws is
    split into that within the chains and that between their means; both are added up over the
    entries. The share is near 0 if all chains sample the same posterior, and 1 if each chain never
    moves and no two agree.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self.counts: IntArray = np.zeros(shape, dtype=np.int64)
        """(n, K): weight of the draws whose feature aligned to column j has item i."""
        self._squares: FloatArray = np.zeros(shape)
        self._weight = 0
        self._n_chains = 0

    def add(self, counts: IntArray, weights: IntArray) -> None:
        """Add the (c, n, K) counts of some chains with these total weights, all above 0."""
        self.counts += counts.sum(axis=0)
        self._squares += np.einsum("cij,cij,c->ij", counts, counts, 1.0 / weights)
        self._weight += int(weights.sum())
        self._n_chains += len(weights)

    @property
    def share(self) -> float | None:
        """The share; None if there are fewer than two chains."""
        if self._n_chains < 2:
            return None
        pooled = self.counts / self._weight
        spread = self.counts * (1.0 - pooled)
        # Entries that never vary take no part, not even by their rounding.
        between = np.where(spread > 0, self._squares - self.counts * pooled, 0.0)
        total = float(spread.sum())
        return min(max(float(between.sum()) / total, 0.0), 1.0) if total > 0 else 0.0


def blocks_of_chains(
    info: SamplesInfo, n_counts: int
) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """The draws of all chains that count, for some chains at a time.

    Yields the draws of the chains, one chain after the other, the number of draws of each, and the
    weight of each. `n_counts` is the number of counts of a chain.
    """
    codes, n_chains = info.chain_codes, len(info.chain_names)
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes, minlength=n_chains)
    weights = sizes
    if info.weights is not None:
        # Sums of weights are below 2^53, so floats hold them exactly.
        weights = np.bincount(codes, weights=info.weights, minlength=n_chains).astype(np.int64)
        order = order[weights[codes[order]] > 0]
        sizes, weights = sizes[weights > 0], weights[weights > 0]
    at_once = max(1, MAX_COUNTS // max(n_counts, 1))
    ends = np.concatenate([[0], np.cumsum(sizes)])
    for first in range(0, len(sizes), at_once):
        some = slice(first, first + at_once)
        last = min(first + at_once, len(sizes))
        yield order[ends[first] : ends[last]], sizes[some], weights[some]
