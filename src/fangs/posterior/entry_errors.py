"""The Monte Carlo error of the share of draws that have each entry, from batches of draws."""

from __future__ import annotations

import numpy as np

from fangs._typing import FloatArray, IntArray
from fangs.draws.info import SamplesInfo
from fangs.posterior.alignment import Alignment
from fangs.posterior.diagnostics import sum_errors

# Batches that a chain is cut into: more take more time, and notice shorter autocorrelation.
_BATCHES = 50
# Relabelled draws are made in blocks of about this many bytes.
_BLOCK = 1 << 24


def entry_errors(alignment: Alignment) -> FloatArray:
    """(n, K): standard error of `Alignment.proportions`; NaN where too few draws can tell.

    Costs a pass that relabels all draws. Each chain is cut into batches of neighbouring draws, and
    the autocorrelation of the sums of the batches counts, so that its cost does not grow with the
    number of draws.
    """
    info = alignment.engine.samples_info
    batches, chains = _batches(info)
    counts, weights = _batch_counts(alignment, batches, len(chains))
    shares = alignment.proportions
    parts = counts - shares.reshape(1, -1) * weights[:, None]
    errors = sum_errors(parts, chains) / info.total_weight
    return errors.reshape(shares.shape)


def _batches(info: SamplesInfo) -> tuple[IntArray, IntArray]:
    """(B,): the batch of each draw, -1 for draws that do not count; and the chain of each batch."""
    codes = np.zeros(info.n_draws, dtype=np.int64) if info.chains is None else info.chain_codes
    batches: IntArray = np.full(info.n_draws, -1, dtype=np.int64)
    chains: list[int] = []
    for chain in np.unique(codes[info.counted]):
        draws = info.counted[codes[info.counted] == chain]
        n_batches = min(len(draws), _BATCHES)
        batches[draws] = len(chains) + np.arange(len(draws)) * n_batches // len(draws)
        chains += [int(chain)] * n_batches
    return batches, np.array(chains)


def _batch_counts(
    alignment: Alignment, batches: IntArray, n_batches: int
) -> tuple[FloatArray, FloatArray]:
    """(M, n K): weight of the draws of each batch that have each entry; (M,): of all its draws."""
    info = alignment.engine.samples_info
    times = np.ones(info.n_draws) if info.weights is None else info.weights.astype(np.float64)
    size = alignment.reference.size
    counts, weights = np.zeros((n_batches, size)), np.zeros(n_batches)
    block = max(1, _BLOCK // max(1, size))
    for first in range(0, info.n_draws, block):
        taken = slice(first, first + block)
        permutations = np.ascontiguousarray(alignment.permutations[taken])
        draws = alignment.engine.relabel(permutations, first).reshape(len(permutations), size)
        for batch in np.unique(batches[taken][batches[taken] >= 0]):
            members = np.flatnonzero(batches[taken] == batch)
            counts[batch] += times[taken][members] @ draws[members]
            weights[batch] += times[taken][members].sum()
    return counts, weights
