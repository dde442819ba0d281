"""Steepest descent by single flips: the R package's deterministic and double-greedy searches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from fangs._typing import BinaryMatrix
from fangs.alternatives.result import Run
from fangs.check.arguments import as_count, as_seed
from fangs.draws.weights import choose_draws
from fangs.engine import Neighbourhood
from fangs.estimate import Estimate
from fangs.loss import Objective
from fangs.search.algorithm1 import initial_estimate, with_a_column
from fangs.search.record import Start


def deterministic(
    samples: Any,
    *,
    a: float = 1.0,
    n_init: int = 16,
    n_sweet: int = 4,
    seed: int | None = None,
    n_threads: int | None = None,
) -> Estimate:
    """Sweeten the paper's starts by steepest descent.

    This is R's ``fangs(algorithm = "deterministic")``: it has the starts of FANGS, but no random
    proposals. Each step makes the one flip, among all n * K, that lowers the expected loss most,
    until none does. The search stays within the columns of the start, so features can disappear but
    not be born; a start without ones has one empty column.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.
    a
        Price of a one that the estimate has and a draw lacks, between 0 and 2.
    n_init, n_sweet
        Number of starts, each from one draw, and number of the best that are sweetened.
    seed
        Chooses the baselines. None picks one and records it in ``.search.seed``.
    n_threads
        Threads to use; None means all cores.

    Examples
    --------
    >>> deterministic([[[1, 0], [1, 1]], [[0, 1], [1, 1]], [[1], [1]]], seed=1).expected_loss
    0.3333333333333333
    """
    with Run.begin("deterministic", samples, a=a, n_threads=n_threads) as run:
        engine, objective = run.engine, run.objective
        seed = as_seed(seed)
        n_init = as_count(n_init, name="n_init")
        n_sweet = as_count(n_sweet, name="n_sweet")
        rng = np.random.default_rng(seed)
        baselines = choose_draws(run.samples.weights, len(run.samples), n_init, rng)
        starts: list[tuple[Start, BinaryMatrix]] = []
        for draw in baselines.tolist():
            matrix = initial_estimate(engine, engine.draw(draw), objective)
            starts.append((run.start(matrix, draw=draw), matrix))
        starts.sort(key=lambda pair: pair[0].initial_loss)
        ends = [_descended(run, start, with_a_column(matrix)) for start, matrix in starts[:n_sweet]]
        return run.finish(
            min(ends, key=lambda end: end[0].loss or 0.0)[1],
            starts=tuple(start for start, _ in [*ends, *starts[n_sweet:]]),
            seed=seed,
            because="no flip within the starts' columns lowers the expected loss",
        )


def double_greedy(samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Build an estimate from empty columns by steepest descent.

    This is R's ``fangs(algorithm = "double-greedy")``: begin with as many empty columns as the
    widest draw has features, and make the flip that lowers the expected loss most, until none does.
    Nothing is random. In an empty column an item pays as soon as more than a share a/2 of the draws
    have it in any feature. The first flips thus ignore which items belong together, and the search
    often ends far from the optimum.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.
    a
        Price of a one that the estimate has and a draw lacks, between 0 and 2.
    n_threads
        Threads to use; None means all cores.

    Examples
    --------
    >>> double_greedy([[[1, 0], [1, 1]], [[0, 1], [1, 1]], [[1], [1]]]).matrix
    array([[1, 0],
           [1, 1]], dtype=uint8)
    """
    with Run.begin("double_greedy", samples, a=a, n_threads=n_threads) as run:
        samples = run.samples
        nothing = np.zeros((samples.n_items, int(samples.n_features.max())), dtype=np.uint8)
        start, matrix = _descended(run, run.start(nothing, draw=None), nothing)
        because = "no flip within the widest draw's number of columns lowers the expected loss"
        return run.finish(matrix, starts=(start,), because=because)


def steepest_descent(
    nearby: Neighbourhood,
    objective: Objective,
    keep: Callable[[BinaryMatrix, int], None] = lambda matrix, score: None,
) -> int:
    """Make the best flip until none lowers the expected loss; return the number of flips.

    Of equally good flips the first is made, item by item as in R. `keep` is called with where the
    descent stands and its score.
    """
    n_flips = 0
    while True:
        keep(nearby.matrix, objective.score(int(nearby.sizes.sum()), nearby.total_overlap))
        costs = objective.flip_costs(nearby.matrix, nearby.flip_support()).ravel()
        best = int(costs.argmin()) if costs.size else 0
        if costs.size == 0 or costs[best] >= 0:
            return n_flips
        nearby.flip(*np.divmod(best, len(nearby.sizes)), with_support=True)
        n_flips += 1


def _descended(run: Run, start: Start, matrix: BinaryMatrix) -> tuple[Start, BinaryMatrix]:
    """The record of a start with where its descent ended, and the allocation there."""
    nearby = run.engine.neighbourhood(matrix)
    n_flips = steepest_descent(nearby, run.objective, run.keep)
    loss = run.objective.expected_loss(int(nearby.sizes.sum()), nearby.total_overlap)
    n_features = int(np.count_nonzero(nearby.sizes))
    return replace(start, loss=loss, flips=n_flips, n_features=n_features), nearby.matrix
