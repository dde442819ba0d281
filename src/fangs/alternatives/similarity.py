"""The draw whose adjacency matrix is closest to the mean one: least squares on pairs of items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.alternatives.result import NotApplicableError, Run
from fangs.check.text import rounded
from fangs.draws.samples import Samples
from fangs.estimate import Estimate
from fangs.posterior.similarity import check_fits, shared_features

FloatMatrix = npt.NDArray[np.float64]
MAX_ENTRIES = 2**23
"""Pairs of items, and entries of draws, that are looked at together: 64 MB."""


def pairwise(samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Return the draw whose adjacency matrix is closest to the pairwise similarity matrix.

    The adjacency matrix ``Z @ Z.T`` counts the features that two items share. The pairwise
    similarity matrix (PSM) is its mean over the draws. The estimate is the draw with the smallest
    sum of squared differences between the two: least squares (Lui et al. 2021, after Dahl 2006 for
    partitions).

    An adjacency matrix determines a partition, but not a feature allocation. Different allocations,
    even with different numbers of features, can share one adjacency matrix (Dahl et al. 2023,
    Figure 1), and this method cannot tell them apart.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.
    a
        Penalty of the FARO loss that is reported; the choice ignores it.
    n_threads
        Threads to use; None means all cores.

    Returns
    -------
    Estimate
        ``search.starts[0].draw`` is the position of the draw; ties go to the first.

    Raises
    ------
    NotApplicableError
        If there are so many items that their pairs take more than the memory of this machine.

    Examples
    --------
    >>> pairwise([[[1], [0]], [[1], [1]], [[1], [1]]]).search.starts[0].draw
    1

    Two allocations with the same adjacency matrix; whichever comes first is chosen:

    >>> three = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0]])
    >>> four = np.array([[0, 0, 1, 1], [0, 1, 1, 0], [1, 0, 1, 0]])
    >>> np.array_equal(three @ three.T, four @ four.T)
    True
    >>> pairwise([three, four]).search.starts[0].draw
    0
    >>> pairwise([four, three]).search.starts[0].draw
    0
    """
    run = Run.begin("pairwise", samples, a=a, n_threads=n_threads)
    samples = run.samples
    try:
        check_fits(samples.n_items)
    except ValueError as error:
        raise NotApplicableError(str(error)) from error
    total_weight = run.engine.samples_info.total_weight
    # W |ZZ' - P/W|^2 is W |ZZ'|^2 - 2 <ZZ', P> and a constant, where P is the sum of all ZZ' by
    # weight W. |ZZ'| = |Z'Z|, a smaller matrix. P is used some rows at a time.
    # All are whole numbers, and floating point is exact below 2**53; else they are Python's own.
    n_items, distinct = samples.n_items, np.unique(run.engine.first_equal())
    largest = int(run.engine.item_counts().max(initial=0))  # of P, on its diagonal
    is_large = n_items * largest * int(samples.n_ones.max()) >= 2**53
    scores: dict[int, int] = dict.fromkeys(distinct.tolist(), 0)
    squared_total = 0.0
    n_rows = max(1, MAX_ENTRIES // max(n_items, 1))
    for first in range(0, n_items, n_rows):
        rows = slice(first, min(first + n_rows, n_items))
        total = shared_features(run.engine, rows)
        squared_total += float(np.square(total, dtype=np.float64).sum())
        if is_large:
            total = total.astype(np.int64).astype(object)
        for some, block in _side_by_side(samples, distinct):
            whole = block.astype(np.int64).astype(object) if is_large else block
            with_total = ((total @ whole) * whole[rows]).sum(axis=0)
            ends = np.cumsum(samples.n_features[some])
            for b, end in zip(some, ends.tolist(), strict=True):
                mine = slice(end - int(samples.n_features[b]), end)
                scores[b] -= 2 * int(with_total[mine].sum())
                if first == 0:
                    shared = (block[:, mine].T @ block[:, mine]).astype(np.int64)
                    own = int(np.square(shared).sum())  # may be 2**53 or more
                    scores[b] += total_weight * own
    draw = min(scores, key=lambda b: (scores[b], b))
    squares = (scores[draw] + squared_total / total_weight) / total_weight
    because = (
        f"draw {run.number(draw)} is closest to the pairwise similarities: "
        f"sum of squares {rounded(squares, 6)}"
    )
    return run.finish_with_draw(draw, because=because)


def _side_by_side(samples: Samples, draws: IntArray) -> Iterator[tuple[list[int], FloatMatrix]]:
    """Put draws side by side in blocks of some thousand columns, for few large products."""
    width = min(4096, max(1, MAX_ENTRIES // max(samples.n_items, 1)))
    some: list[int] = []
    for b in draws.tolist():
        some.append(b)
        if b == draws[-1] or samples.n_features[some].sum() > width:
            yield some, np.hstack([samples[c] for c in some]).astype(np.float64)
            some = []
