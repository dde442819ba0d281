"""A better allocation than the estimate, met while a report was made; the page warns of it."""

from __future__ import annotations

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
    objective = Objective.of(engine.samples_info, estimate.a)
    met: list[BinaryMatrix] = []
    if path is not None:
        met += [e.matrix for e in path.estimates if e.a == estimate.a]
    if chains is not None:
        met += [e.matrix for e in chains.estimates]
    if not estimate.is_flip_optimal:
        met.append(objective.threshold(alignment.counts))
    totals = [engine.samples_info.weigh(engine.overlaps(matrix)) for matrix in met]
    scores = [objective.score(int(m.sum()), total) for m, total in zip(met, totals, strict=True)]
    given = objective.score(estimate.n_ones, engine.samples_info.weigh(alignment.overlaps))
    if min(scores, default=given) >= given:
        return None
    search = LocalSearch(engine, objective, met[scores.index(min(scores))])
    search.descend()
    return Estimate.of(engine, search.matrix, estimate.a)
