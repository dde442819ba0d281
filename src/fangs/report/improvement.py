"""A better allocation than the estimate, met while a report was made; the page warns of it."""

from __future__ import annotations

from collections.abc import Iterator

from fangs._typing import BinaryMatrix
from fangs.estimate import Estimate
from fangs.loss import Objective
from fangs.path.sparsity import SparsityPath
from fangs.posterior.alignment import Alignment
from fangs.posterior.chains import ChainComparison
from fangs.search.local_search import LocalSearch


def better_estimate(
    estimate: Estimate,
    alignment: Alignment,
    *,
    path: SparsityPath | None = None,
    chains: ChainComparison | None = None,
) -> Estimate | None:
    """The best of all allocations that a report meets, descended from; None if none is better."""
    engine = alignment.engine
    weigh = engine.samples_info.weigh
    objective = Objective.of(engine.samples_info, estimate.a)
    best = objective.score(estimate.n_ones, weigh(alignment.overlaps))
    found: BinaryMatrix | None = None
    for matrix in _met(estimate, alignment, objective, path, chains):
        score = objective.score(int(matrix.sum()), weigh(engine.overlaps(matrix)))
        if score < best:
            best, found = score, matrix
    if found is None:
        return None
    search = LocalSearch(engine, objective, found)
    search.descend()
    return Estimate.of(engine, search.matrix, estimate.a)


def _met(
    estimate: Estimate,
    alignment: Alignment,
    objective: Objective,
    path: SparsityPath | None,
    chains: ChainComparison | None,
) -> Iterator[BinaryMatrix]:
    """Allocations that were met."""
    if path is not None:
        yield from (e.matrix for e in path.estimates if e.a == estimate.a)
    if chains is not None:
        yield from (e.matrix for e in chains.estimates)
    if not estimate.is_flip_optimal:
        yield objective.threshold(alignment.counts)
