"""Steepest descent by single flips: the R package's deterministic and double-greedy searches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fangs.alternatives.result import Run
from fangs.engine import Neighbourhood
from fangs.loss import Objective
from fangs.result import Estimate, Start
from fangs.starts import from_baseline
from fangs.sweeten import Sweetened
from fangs.validate import BinaryMatrix, as_count, as_seed


def deterministic(
    samples: Any,
    *,
    a: float = 1.0,
    n_init: int = 16,
    n_sweet: int = 4,
    seed: int | None = None,
    n_threads: int | None = None,
) -> Estimate:
    """Sweeten the paper's starts by always making the best flip of all.

    What R's ``fangs(algorithm = "deterministic")`` does: the starts of FANGS, but in the place of
    random proposals the one flip, among all n * K, that lowers the expected loss most, until none
    does. There each step recomputes the loss for every flip; here all changes come from one pass
    over the draws. The search keeps to the start's columns, so that features can disappear but not
    be born; `fangs.estimate` lifts that and takes many flips at a time.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.
    a
        Price of a one that the estimate has and a draw lacks, between 0 and 2.
    n_init, n_sweet
        How many draws are used as baselines for starts, and how many of the best are sweetened.
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
    n_init = min(as_count(n_init, name="n_init"), engine.n_draws)
    n_sweet = as_count(n_sweet, name="n_sweet")
    baselines = np.random.default_rng(seed).choice(engine.n_draws, size=n_init, replace=False)
    starts: list[tuple[Start, BinaryMatrix]] = []
    for draw in baselines.tolist():
        matrix = from_baseline(engine, draw, objective).matrix
        starts.append((run.start(matrix, draw=draw), matrix))
    starts.sort(key=lambda pair: pair[0].initial_loss)
    ends: list[tuple[int, BinaryMatrix]] = []
    for at, (start, matrix) in enumerate(starts[:n_sweet]):
        end = steepest_descent(engine.neighbourhood(matrix), objective)
        ends.append((end.score, end.matrix))
        starts[at] = (_ended(start, end, objective), matrix)
    best = min(ends, key=lambda pair: pair[0])[1]
    return run.finish(
        best,
        starts=tuple(start for start, _ in starts),
        seed=seed,
        because="no flip within the starts' columns lowers the expected loss",
    )


def double_greedy(samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Build an estimate from nothing by always making the best flip of all.

    What R's ``fangs(algorithm = "double-greedy")`` does: begin with as many empty columns as the
    widest draw has features, and make the flip that lowers the expected loss most, until none does.
    Nothing is random. An item is worth switching on in an empty column as soon as more than a share
    a/2 of the draws have it anywhere, so the first ones say nothing of which items belong together,
    and the search often ends far from the best.

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
    end = steepest_descent(run.engine.neighbourhood(nothing), run.objective)
    start = _ended(run.start(nothing, draw=None), end, run.objective)
    because = "no flip within the widest draw's number of columns lowers the expected loss"
    return run.finish(end.matrix, starts=(start,), because=because)


def steepest_descent(neighbourhood: Neighbourhood, objective: Objective) -> Sweetened:
    """Make the flip that lowers the expected loss most, again and again, until none lowers it.

    Among equally good flips the first is made, item by item as R does.
    """
    n_flips = 0
    while True:
        matrix, counts = neighbourhood.matrix, neighbourhood.counts()
        better = objective.improves(matrix, counts)
        if not better.any():
            score = objective.score(int(matrix.sum()), neighbourhood.total_overlap)
            return Sweetened(matrix, score, n_flips)
        flip = objective.best_first(counts, np.flatnonzero(better))[0]
        neighbourhood.flip(*np.divmod(flip, matrix.shape[1]))
        n_flips += 1


def _ended(start: Start, end: Sweetened, objective: Objective) -> Start:
    return replace(
        start,
        loss=objective.loss_of_score(end.score),
        flips=end.n_flips,
        n_features=int(end.matrix.any(axis=0).sum()),
    )
