"""The most frequent allocation: the estimate under zero-one loss."""

from __future__ import annotations

import warnings
from typing import Any

from fangs.alternatives.result import Run
from fangs.draws.weights import are_equal
from fangs.estimate import Estimate
from fangs.posterior.intervals import Distribution


def map(samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Return the allocation that occurs most often, by weight, in any column order.

    It estimates the maximum a posteriori (MAP) allocation (Gershman et al. 2015, Warr et al. 2022).
    It needs draws that repeat. With more than a few items and features all draws usually differ;
    then the first is returned, which is arbitrary, and a warning says so. Even where draws repeat,
    the most frequent allocation need not lie in the middle of the posterior.

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
        ``search.starts[0].draw`` is the first draw with the allocation, and
        ``search.stopped_because`` says how often it occurs, or what weight it has. Ties go to the
        one that occurs first.

    Warns
    -----
    UserWarning
        If no two draws are the same allocation, and none has more weight than another.

    Examples
    --------
    >>> found = map([[[1], [0]], [[1, 0], [1, 1]], [[0, 1], [1, 1]]])
    >>> found.matrix
    array([[1, 0],
           [1, 1]], dtype=uint8)
    >>> found.search.stopped_because
    'the allocation of draw 1 occurs in 2 of 3 draws'
    """
    run = Run.begin("map", samples, a=a, n_threads=n_threads)
    samples = run.samples
    found = Distribution.of(run.engine.first_equal(), samples.weights)
    draw, count = found.mode, int(found.counts.max())
    if 1 < len(samples) == len(found.values) and are_equal(samples.weights):
        warnings.warn(
            f"no two of the {len(samples):,} draws are the same allocation, so the most frequent "
            "one is arbitrary; use fangs.estimate, which compares allocations by how they differ",
            UserWarning,
            stacklevel=2,
        )
    share = f"occurs in {count:,} of {len(samples):,} draws"
    if samples.weights is not None:
        share = f"has {count / int(samples.weights.sum()):.1%} of the weight of the draws"
    because = f"the allocation of draw {run.number(draw)} {share}"
    return run.finish_with_draw(draw, because=because)
