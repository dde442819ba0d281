"""The most frequent allocation: the estimate under zero-one loss."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from fangs import _core
from fangs.alternatives.result import Run
from fangs.result import Estimate


def map(samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Return the allocation that occurs most often among the draws, whatever its column order.

    This is the maximum a posteriori allocation as far as draws can tell, as used by Gershman et al.
    (2015) and Warr et al. (2022). It makes sense only where draws repeat: with more than a few
    items and features every draw is usually different, and then it is an arbitrary one (the first)
    and a warning says so. Nor need the most frequent allocation lie in the middle of the posterior.

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
        ``search.starts[0].draw`` is the first draw that has the allocation, and
        ``search.stopped_because`` says how many have it. Ties go to the one that occurs first.

    Warns
    -----
    UserWarning
        If no two draws are the same allocation.

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
    draws, counts = np.unique(_core.first_equal(samples._draws), return_counts=True)
    most = int(counts.argmax())
    draw, count = int(draws[most]), int(counts[most])
    if count == 1 and len(samples) > 1:
        warnings.warn(
            f"no two of the {len(samples):,} draws are the same allocation, so the most frequent "
            "one is arbitrary; use fangs.estimate, which compares allocations by how they differ",
            UserWarning,
            stacklevel=2,
        )
    because = f"the allocation of draw {draw} occurs in {count:,} of {len(samples):,} draws"
    return run.finish_with_draw(draw, because=because)
