"""The draw whose adjacency matrix is closest to the mean one: least squares on pairs of items."""

from __future__ import annotations

from typing import Any

import numpy as np

from fangs._typing import BinaryMatrix
from fangs.alternatives.result import NotApplicableError, Run
from fangs.check.text import rounded
from fangs.estimate import Estimate
from fangs.posterior.similarity import blocks_of_draws, check_fits, shared_features

MAX_ENTRIES = 2**23
"""Pairs of items that are looked at together: 64 MB."""


def pairwise(samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Return the draw whose adjacency matrix is closest to the pairwise similarity matrix.

    The adjacency matrix ``Z @ Z.T`` counts the features that two items share. The pairwise
    similarity matrix (PSM) is its mean over the draws. The estimate is the draw with the smallest
    sum of squared differences between the two: least squares (Lui et al. 2021, after Dahl 2006 for
    partitions).

    Different allocations, even with different numbers of features, can share one adjacency matrix
    (Dahl et al. 2023, Figure 1), and this method cannot tell them apart.

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
    """
    run = Run.begin("pairwise", samples, a=a, n_threads=n_threads)
    samples = run.samples
    try:
        check_fits(samples.n_items)
    except ValueError as error:
        raise NotApplicableError(str(error)) from error
    # W |ZZ' - P/W|^2 is W |ZZ'|^2 - 2 <ZZ', P> and a constant, where P is the sum of all ZZ' by
    # weight W. P is used some rows at a time. All are whole numbers, and floating point is exact
    # below 2**53; else they are Python's own.
    n_items, distinct = samples.n_items, np.unique(run.engine.first_equal())
    total_weight, of_distinct = run.engine.samples_info.total_weight, run.engine.select(distinct)
    largest = int(run.engine.item_counts().max(initial=0))  # of P, on its diagonal
    is_large = n_items * largest * int(samples.n_ones.max()) >= 2**53
    scores = [total_weight * _squared(samples[b]) for b in distinct.tolist()]
    squared_total = 0.0
    n_rows = max(1, MAX_ENTRIES // max(n_items, 1))
    for first in range(0, n_items, n_rows):
        rows = slice(first, min(first + n_rows, n_items))
        total = shared_features(run.engine, rows)
        squared_total += float(np.square(total, dtype=np.float64).sum())
        if is_large:
            total = total.astype(np.int64).astype(object)
        for draws, block in blocks_of_draws(of_distinct, widest=4096):
            whole = block.astype(np.int64).astype(object) if is_large else block
            with_total = ((total @ whole) * whole[rows]).sum(axis=0)
            ends = np.cumsum(of_distinct.samples_info.n_features[draws])
            for b, own in enumerate(np.split(with_total, ends[:-1]), start=draws.start):
                scores[b] -= 2 * int(own.sum())
    best = min(range(len(scores)), key=scores.__getitem__)
    squares = (scores[best] + squared_total / total_weight) / total_weight
    draw = int(distinct[best])
    because = (
        f"draw {run.number(draw)} is closest to the pairwise similarities: "
        f"sum of squares {rounded(squares, 6)}"
    )
    return run.finish_with_draw(draw, because=because)


def _squared(draw: BinaryMatrix) -> int:
    """|ZZ'|^2, by Z'Z, a smaller matrix."""
    ones = draw.astype(np.float64)
    return int(np.square((ones.T @ ones).astype(np.int64)).sum())
