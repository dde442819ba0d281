"""The draw whose adjacency matrix is closest to the mean one: least squares on pairs of items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.alternatives.result import Run
from fangs.estimate import Estimate
from fangs.posterior.similarity import shared_features
from fangs.samples import Samples

FloatMatrix = npt.NDArray[np.float64]


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
    total_weight = run.engine.samples_info.total_weight
    total = shared_features(run.engine)  # P, the sum of all ZZ' by weight W
    # W |ZZ' - P/W|^2 is W |ZZ'|^2 - 2 <ZZ', P> and a constant. |ZZ'| = |Z'Z|, a smaller matrix.
    # All are whole numbers, and floating point is exact below 2**53; else they are Python's own.
    most = samples.n_items * int(total.max()) * int(samples.n_ones.max())
    is_large = most >= 2**53
    if is_large:
        total = total.astype(np.int64).astype(object)
    scores: dict[int, int] = {}
    for some, block in _side_by_side(samples, np.unique(run.engine.first_equal())):
        whole = block.astype(np.int64).astype(object) if is_large else block
        with_total = ((total @ whole) * whole).sum(axis=0)
        ends = np.cumsum(samples.n_features[some])
        for b, end in zip(some, ends.tolist(), strict=True):
            mine = slice(end - int(samples.n_features[b]), end)
            own = int(np.square(block[:, mine].T @ block[:, mine]).sum())
            scores[b] = total_weight * own - 2 * int(with_total[mine].sum())
    draw = min(scores, key=lambda b: (scores[b], b))
    squares = (scores[draw] + float(np.square(total).sum()) / total_weight) / total_weight
    because = (
        f"draw {run.number(draw)} is closest to the pairwise similarities: "
        f"sum of squares {squares:.6g}"
    )
    return run.finish_with_draw(draw, because=because)


def _side_by_side(samples: Samples, draws: IntArray) -> Iterator[tuple[list[int], FloatMatrix]]:
    """Put draws side by side in blocks of some thousand columns, for few large products."""
    some: list[int] = []
    for b in draws.tolist():
        some.append(b)
        if b == draws[-1] or samples.n_features[some].sum() > 4096:
            yield some, np.hstack([samples[c] for c in some]).astype(np.float64)
            some = []
