"""A better allocation, met while a report was made: found, and adopted if the page is about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fangs._typing import BinaryMatrix
from fangs.bounds import Certificate
from fangs.check.text import rounded
from fangs.estimate import Estimate, Start
from fangs.loss import Objective
from fangs.path.sparsity import SparsityPath
from fangs.posterior.alignment import Alignment
from fangs.posterior.chains import ChainComparison
from fangs.search.local_search import LocalSearch

OURS = frozenset(
    {"template", "baseline", "subsample", "neighbour", "chain", "proportions", "columns"}
)
"""Starts of the default search, and those that reports add."""


def better_estimate(
    estimate: Estimate,
    alignment: Alignment,
    *,
    path: SparsityPath | None = None,
    chains: ChainComparison | None = None,
    certificate: Certificate | None = None,
    given: Estimate | None = None,
) -> Estimate | None:
    """The best of all allocations that a report meets, descended from; None if none is better.

    Parameters
    ----------
    estimate
        What the report is about so far, over the draws of the alignment.
    alignment
        The draws aligned to it. Its proportions give an allocation of their own.
    path, chains, certificate
        What else was computed.
    given
        What the report was asked to be about; by default `estimate`.
    """
    engine = alignment.engine
    weigh = engine.samples_info.weigh
    objective = Objective.of(engine.samples_info, estimate.a)
    best = objective.score(estimate.n_ones, weigh(alignment.overlaps))
    found: tuple[str, BinaryMatrix] | None = None
    for method, matrix in _met(estimate, alignment, objective, path, chains, certificate):
        score = objective.score(int(matrix.sum()), weigh(engine.overlaps(matrix)))
        if score < best:
            best, found = score, (method, matrix)
    if found is None:
        return None
    method, matrix = found
    search = LocalSearch(engine, objective, matrix)
    search.descend()
    better = Estimate.of(
        engine,
        search.matrix,
        estimate.a,
        note="found while the report was made; the estimate that the report began with has the "
        f"expected loss {rounded((given or estimate).expected_loss, 6)}",
    )
    start = Start(
        method=method,
        draw=None,
        initial_loss=objective.loss_of_score(best),
        loss=better.expected_loss,
        flips=search.n_flips,
        n_features=better.n_features,
        n_draws=better.n_draws,
    )
    record = estimate.search
    if record is None:
        return better
    starts = (*record.starts, start)
    return better.with_search(replace(record, starts=starts, flips=record.flips + start.flips))


def is_to_be_best(estimate: Estimate) -> bool:
    """Whether an estimate is meant to be the best: the default search over these draws found it.

    The result of another method, or someone's matrix, is a subject of its own. So is one that was
    made from other draws.
    """
    record = estimate.search
    if record is None or record.n_iter is not None:
        return False
    return {start.method for start in record.starts} <= OURS


def _met(
    estimate: Estimate,
    alignment: Alignment,
    objective: Objective,
    path: SparsityPath | None,
    chains: ChainComparison | None,
    certificate: Certificate | None,
) -> Iterator[tuple[str, BinaryMatrix]]:
    """Allocations that were met, with how a search from them is called."""
    if path is not None:
        yield from (("neighbour", e.matrix) for e in path.estimates if e.a == estimate.a)
    if chains is not None:
        yield from (("chain", e.matrix) for e in chains.estimates)
    if certificate is not None and certificate.better is not None:
        yield "columns", certificate.better.matrix
    if not estimate.is_flip_optimal:
        yield "proportions", objective.threshold(alignment.counts)
