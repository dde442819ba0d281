"""assess(): everything said of our estimates, said of someone else's matrix."""

from __future__ import annotations

from typing import Any

from fangs.engine import Engine
from fangs.loss import Objective, draw_losses, left_ordered
from fangs.result import Estimate
from fangs.validate import as_allocation, as_samples


def assess(matrix: Any, samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Say of any matrix what `fangs.estimate` says of its own.

    Costs one pass over the draws, which aligns them and prices every single flip.

    Parameters
    ----------
    matrix
        A 0/1 matrix, or an `Estimate`; brought into left-ordered form, its empty columns dropped.
    samples
        The posterior draws: `Samples`, or anything it accepts.
    a
        Price of a one that the matrix has and a draw lacks, between 0 and 2.
    n_threads
        Threads to use; None means all cores.

    Returns
    -------
    Estimate
        With ``search`` None, and ``is_flip_optimal`` found by looking at every flip, the birth of
        a feature included.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> ours = fangs.estimate(draws, seed=1)
    >>> theirs = assess(draws[0], draws)
    >>> ours.expected_loss, theirs.expected_loss, theirs.is_flip_optimal
    (24.8825, 28.1025, False)
    """
    samples = as_samples(samples)
    allocation = left_ordered(as_allocation(matrix, name="matrix", n_items=samples.n_items))
    engine = Engine(samples, n_threads)
    objective = Objective.of(engine, a)
    priced = engine.price(allocation)
    aligned, ones = priced.aligned, int(allocation.sum())
    return Estimate(
        matrix=allocation,
        expected_loss=objective.expected_loss(ones, aligned.total_overlap),
        a=objective.a,
        proportions=aligned.counts / len(samples),
        losses=draw_losses(objective.a, ones, samples, aligned.overlaps),
        items=samples.items if samples.items is not None else getattr(matrix, "items", None),
        is_flip_optimal=objective.is_bottom(priced),
    )
