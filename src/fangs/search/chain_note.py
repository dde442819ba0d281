"""Whether the chains disagree about an estimate, at the price of one alignment of the draws.

`fangs.compare_chains` looks closely, and needs an estimate for each chain. This only asks whether
it should be called.
"""

from __future__ import annotations

import numpy as np

from fangs._typing import BinaryMatrix
from fangs.engine import Engine

DISAGREE = 0.25
"""Share of the entries' variance between the chains from which on they are said to disagree.
Chains that agree have about one over the effective number of draws of a chain."""


def between_chains(engine: Engine, matrix: BinaryMatrix) -> float | None:
    """Share of the variance of the aligned entries that lies between the chains; None without.

    Every entry of the matrix is 0 or 1 in each aligned draw. Its variance over all draws is split
    into that within the chains and that between their means; both are added up over the entries.
    The share is near 0 if all chains sample the same posterior, and 1 if each chain never moves
    and no two agree.
    """
    chains = engine.samples_info.chains
    if chains is None or len(labels := np.unique(chains)) < 2:
        return None
    members = [np.flatnonzero(chains == label) for label in labels]
    # weights: totals of the weights of each chain.
    sizes = np.array([len(draws) for draws in members], dtype=np.float64)[:, None, None]
    counts = np.stack([engine.select(draws).align(matrix).counts for draws in members])
    pooled = counts.sum(axis=0) / sizes.sum()
    total = float((pooled * (1.0 - pooled)).sum())
    between = float((sizes * (counts / sizes - pooled) ** 2).sum() / sizes.sum())
    return between / total if total > 0 else 0.0
