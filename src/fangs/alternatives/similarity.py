"""The draw whose adjacency matrix is closest to the mean one: least squares on pairs of items."""

from __future__ import annotations

from typing import Any

import numpy as np

from fangs import _core
from fangs.alternatives.result import Run
from fangs.engine import Engine
from fangs.result import Estimate
from fangs.samples import IntArray, Samples
from fangs.validate import as_penalty


def pairwise(samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Return the draw whose adjacency matrix is closest to the pairwise similarity matrix.

    The adjacency matrix ``Z @ Z.T`` counts the features that two items share, and the pairwise
    similarity matrix is its mean over the draws; the sum of squared differences between the two is
    made smallest over the draws (Lui et al. 2021, after Dahl 2006 for partitions).

    For partitions an adjacency matrix determines the partition. For feature allocations it does
    not: allocations that differ, even in their number of features, can share one adjacency matrix
    (Dahl et al. 2023, Figure 1), and this method cannot tell them apart.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.
    a
        Penalty of the FARO loss that is reported; it has no part in the choice.
    n_threads
        Threads to use; None means all cores.

    Returns
    -------
    Estimate
        ``search.starts[0].draw`` is the position of the draw; ties go to the first.

    Examples
    --------
    >>> pairwise([[[1], [0]], [[1], [1]], [[1], [1]]]).search.starts[0].draw
    1

    Different allocations with one adjacency matrix, so that the first is as good as the second:

    >>> three = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0]])
    >>> four = np.array([[0, 0, 1, 1], [0, 1, 1, 0], [1, 0, 1, 0]])
    >>> np.array_equal(three @ three.T, four @ four.T)
    True
    >>> pairwise([three, four]).search.starts[0].draw
    0
    >>> pairwise([four, three]).search.starts[0].draw
    0
    """
    run = Run(Engine(samples, n_threads), as_penalty(a), "pairwise")
    samples = run.engine.samples
    total = similarity_counts(samples)
    n_draws = len(samples)
    scores = {}
    for b in np.unique(_core.first_equal(samples._draws)).tolist():
        Z = samples[b].astype(np.float64)
        # |ZZ' - P/B|^2 times B, but for a constant; |ZZ'| = |Z'Z|, which is smaller. All are whole
        # numbers below 2**53.
        own = int(np.square(Z.T @ Z).sum())
        scores[b] = n_draws * own - 2 * int(((total @ Z) * Z).sum())
    draw = min(scores, key=lambda b: (scores[b], b))
    squares = (scores[draw] + int(np.square(total).sum()) / n_draws) / n_draws
    because = f"draw {draw} is closest to the pairwise similarities: sum of squares {squares:.6g}"
    return run.finish(samples[draw], draw=draw, because=because)


def similarity_counts(samples: Samples) -> IntArray:
    """(n, n): how many features two items share, summed over the draws."""
    total = np.zeros((samples.n_items, samples.n_items))
    pending: list[np.ndarray[Any, np.dtype[np.float32]]] = []
    for b in range(len(samples)):
        pending.append(samples[b].astype(np.float32))
        # Many thin products make one thick one; 2**24 is where float32 stops counting.
        if b + 1 == len(samples) or sum(Z.shape[1] for Z in pending) > 4096:
            block = np.hstack(pending)
            total += block @ block.T
            pending.clear()
    return total.astype(np.int64)
