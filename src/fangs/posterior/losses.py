"""faro_loss(): loss of one allocation to one draw. expected_loss(): its mean over all draws."""

from __future__ import annotations

from typing import Any

from fangs.check.arguments import as_penalty
from fangs.draws.matrices import item_labels, matched_allocation
from fangs.engine import as_engine, match
from fangs.loss import Objective


def faro_loss(estimate: Any, draw: Any, *, a: float = 1.0) -> float:
    """FARO loss of an estimate against one draw.

    A one that only the estimate has costs ``a``; a one that only the draw has costs ``2 - a``. The
    loss is the smallest total cost over all column orders (Dahl et al. 2023, section 3).

    Note which side ``a`` is on. The paper's displayed formula has it the other way round; its text
    and the authors' software have it as here.

    Parameters
    ----------
    estimate, draw
        0/1 matrices with the same rows, or estimates. Their numbers of columns may differ.
    a
        Price of a one that the estimate has and the draw lacks, between 0 and 2.

    Examples
    --------
    >>> faro_loss([[1, 0], [1, 1]], [[0, 1], [1, 1]])
    0.0
    >>> faro_loss([[1, 1], [1, 1]], [[1], [1]], a=0.5)
    1.0
    """
    ours = matched_allocation(estimate, name="estimate")
    items = item_labels(estimate, name="estimate")
    theirs = matched_allocation(draw, name="draw", items=items, other="estimate")
    if ours.shape[0] != theirs.shape[0]:
        raise ValueError(
            f"estimate has {ours.shape[0]} items and draw has {theirs.shape[0]}; "
            "both need one row per item, in the same order"
        )
    total, _ = match(ours, theirs)
    objective = Objective(as_penalty(a), total_weight=1, total_ones=int(theirs.sum()))
    return objective.expected_loss(int(ours.sum()), total)


def expected_loss(
    estimate: Any, samples: Any, *, a: float = 1.0, n_threads: int | None = None
) -> float:
    """Mean FARO loss of an estimate over the draws, by their weights.

    Parameters
    ----------
    estimate
        A 0/1 matrix, or an `Estimate`.
    samples
        The posterior draws: `Samples`, or anything it accepts.
    a
        Price of a one that the estimate has and a draw lacks, between 0 and 2.
    n_threads
        Threads to use; None means all cores.

    Examples
    --------
    >>> expected_loss([[1], [1]], [[[1], [1]], [[1], [0]]])
    0.5
    """
    engine = as_engine(samples, n_threads)
    info = engine.samples_info
    matrix = matched_allocation(estimate, name="estimate", n_items=info.n_items, items=info.items)
    overlap = info.weigh(engine.overlaps(matrix))
    return Objective.of(info, a).expected_loss(int(matrix.sum()), overlap)
