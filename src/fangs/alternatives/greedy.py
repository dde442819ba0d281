"""Steepest descent by single flips: the R package's deterministic and double-greedy searches."""

from __future__ import annotations

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
    until none does. R recomputes the loss for every flip; here one pass over the draws gives all
    changes. The search stays within the columns of the start, so features can disappear but not be
    born; a start without ones has one empty column. `fangs.estimate` has no such limit and makes
    many flips at a time.

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
    run = Run.begin("deterministic", samples, a=a, n_threads=n_threads)
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
    ends: list[tuple[float, BinaryMatrix]] = []
    for at, (start, matrix) in enumerate(starts[:n_sweet]):
        nearby = engine.neighbourhood(with_a_column(matrix))
        n_flips = steepest_descent(nearby, objective)
        ended = _ended(start, nearby, n_flips, objective)
        ends.append((ended.loss or 0.0, nearby.matrix))
        starts[at] = (ended, matrix)
    best = min(ends, key=lambda pair: pair[0])[1]
    return run.finish(
        best,
        starts=tuple(start for start, _ in starts),
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
    run = Run.begin("double_greedy", samples, a=a, n_threads=n_threads)
    samples = run.samples
    nothing = np.zeros((samples.n_items, int(samples.n_features.max())), dtype=np.uint8)
    nearby = run.engine.neighbourhood(nothing)
    n_flips = steepest_descent(nearby, run.objective)
    start = _ended(run.start(nothing, draw=None), nearby, n_flips, run.objective)
    because = "no flip within the widest draw's number of columns lowers the expected loss"
    return run.finish(nearby.matrix, starts=(start,), because=because)


def steepest_descent(nearby: Neighbourhood, objective: Objective) -> int:
    """Make the best flip until none lowers the expected loss; return the number of flips.

    Of equally good flips the first is made, item by item as in R.
    """
    n_flips = 0
    while True:
        costs = objective.flip_costs(nearby.matrix, nearby.flip_support()).ravel()
        best = int(costs.argmin()) if costs.size else 0
        if costs.size == 0 or costs[best] >= 0:
            return n_flips
        nearby.flip(*np.divmod(best, len(nearby.sizes)), with_support=True)
        n_flips += 1


def _ended(start: Start, nearby: Neighbourhood, n_flips: int, objective: Objective) -> Start:
    """The record of a start with where its descent ended."""
    ones = int(nearby.sizes.sum())
    return replace(
        start,
        loss=objective.expected_loss(ones, nearby.total_overlap),
        flips=n_flips,
        n_features=int(np.count_nonzero(nearby.sizes)),
    )
