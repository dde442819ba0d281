"""certify() and lower_bound(): how far an estimate can be from the best allocation."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from fangs._typing import BinaryMatrix
from fangs.bounds.certificate import Certificate
from fangs.bounds.columns import INTERRUPTED, ColumnBound, column_bound
from fangs.bounds.dual import dual_bound
from fangs.bounds.pairs import item_bound, pair_bound
from fangs.bounds.protocol import as_bounds_engine
from fangs.check.arguments import as_penalty, as_seconds
from fangs.draws.matrices import matched_allocation
from fangs.engine import Deadline, Engine, OutOfTimeError, as_engine
from fangs.estimate import Estimate
from fangs.loss import Objective
from fangs.posterior.alignment import Alignment
from fangs.posterior.assess import note_on_draws
from fangs.search import Interrupted, SearchSettings, run_search
from fangs.search.progress import listening
from fangs.search.state import Progress

__all__ = ["certify", "lower_bound"]

METHODS = ("items", "pairs", "dual", "columns")
"""The bounds by name; each method includes those before it, and "auto" means all."""
MAX_SECONDS = 60.0
"""Time granted unless the caller says otherwise; most of it is for column generation."""


def certify(
    estimate: Any,
    samples: Any,
    *,
    a: float | None = None,
    method: str = "auto",
    max_seconds: float | None = MAX_SECONDS,
    progress: bool | Callable[[Progress], None] = False,
    n_threads: int | None = None,
) -> Certificate:
    """Bound the expected loss of all allocations from below, and compare the estimate with it.

    Parameters
    ----------
    estimate
        An `Estimate`, or any 0/1 matrix.
    samples
        The draws: `Samples`, or anything it accepts; or an `Alignment` of the draws. If that is to
        the estimate, they are not aligned again.
    a
        The penalty; by default the estimate's own, or 1 for a matrix.
    method
        How far to go; each method includes those before it. "items" is the cheapest and matches no
        draws with each other. "pairs" does, and costs about fourteen alignments of the draws.
        "dual" may take as long as a search or longer; it can prove optimality where features are
        clear. "columns" is column generation: seconds to minutes, and often a proof where there
        are up to 30 items, or up to 100 and few features. "auto", the default, is all of them.
    max_seconds
        Time to grant; None for no limit. When it is over, the best bound so far is returned, and
        depends on the machine; the bound by items then is about as many draws as there was time
        for, but holds for all. One alignment of the draws is made in any case. Ctrl-C raises
        `Interrupted`, whose attribute `partial` is the certificate so far.
    progress
        True shows a bar on stderr; a function is called with a `Progress` after each round.
    n_threads
        Threads to use; None means all cores. An `Alignment` has its own. NumPy's linear algebra
        is limited by ``OPENBLAS_NUM_THREADS`` or its like.

    Returns
    -------
    Certificate
        The bound, the gap, and whether the estimate is proved optimal.

    Examples
    --------
    >>> import fangs
    >>> samples = fangs.datasets.example()
    >>> found = fangs.estimate(samples, seed=1)
    >>> certificate = certify(found, samples, method="dual")
    >>> certificate.lower_bound <= certificate.expected_loss
    True
    >>> certify(found, fangs.align(found, samples), method="dual") == certificate
    True
    """
    if a is None:
        a = estimate.a if isinstance(estimate, Estimate) else 1.0
    method, deadline = _as_method(method), Deadline(as_seconds(max_seconds, name="max_seconds"))
    with listening(progress) as report:
        alignment = _alignment_to(estimate, samples, n_threads)
        found = _certificate(estimate, alignment, a, method, deadline, report)
    if found.stopped_because == INTERRUPTED:
        raise Interrupted(found.better, found)
    return found


def _certificate(
    estimate: Any,
    alignment: Alignment,
    a: float,
    method: str,
    deadline: Deadline,
    report: Callable[[Progress], None] | None = None,
) -> Certificate:
    """What was found until the work ended, time was over, or Ctrl-C was pressed."""
    engine = alignment.engine
    objective = Objective.of(engine.samples_info, a)
    ones, overlap = int(alignment.reference.sum()), engine.samples_info.weigh(alignment.overlaps)
    loss = objective.exact_loss(objective.score(ones, overlap))
    bounds: dict[str, Fraction] = {}
    stopped_because = ""
    try:
        for name, bound in _bounds(engine, objective, method, deadline, alignment, stop_at=loss):
            bounds[name] = bound
    except OutOfTimeError:
        stopped_because = "time is over"
    except KeyboardInterrupt as interrupt:
        stopped_because = INTERRUPTED
        if not bounds:
            raise Interrupted(None) from interrupt
    columns: ColumnBound | None = None
    if method == "columns" and loss not in bounds.values() and not stopped_because:
        columns = column_bound(
            as_bounds_engine(engine), objective, alignment.reference, deadline, report
        )
        if columns.bound is not None and columns.bound > max(bounds.values()):
            bounds["columns"] = columns.bound
    used = max(bounds, key=lambda name: bounds[name])  # the cheapest, where they agree
    proved = bounds[used] == loss
    # Rounding is monotone, so the rounded loss of the optimum is a bound too.
    lower = float(loss) if proved else _rounded_down(bounds[used])
    better = None
    if columns is not None and columns.better is not None:
        better = _estimate_of(columns.better, engine, objective, bounds[used], lower)
    return Certificate(
        lower_bound=lower,
        expected_loss=float(loss),
        a=objective.a,
        is_global_optimum=proved,
        method=used,
        bounds={name: _rounded_down(bound) for name, bound in bounds.items()},
        n_columns=0 if columns is None else columns.n_columns,
        better=better,
        rounds=() if columns is None else columns.rounds,
        stopped_because=stopped_because if columns is None else columns.stopped_because,
        note=note_on_draws(estimate, engine.samples_info),
        fingerprint=engine.samples_info.fingerprint,
    )


def _estimate_of(
    matrix: BinaryMatrix, engine: Engine, objective: Objective, bound: Fraction, lower: float
) -> Estimate:
    """The allocation with its bound; `lower` is what `bound` is rounded to."""
    found = Estimate.of(engine, matrix, objective.a)
    overlap = engine.samples_info.weigh(engine.overlaps(found.matrix))
    exact = objective.exact_loss(objective.score(found.n_ones, overlap))
    known = found.expected_loss
    # Without a proof the two numbers differ, even if the bound is less than an ulp away.
    below = known if bound == exact else min(lower, math.nextafter(known, -math.inf))
    return replace(found, lower_bound=below)


def lower_bound(
    samples: Any,
    *,
    a: float = 1.0,
    estimate: Any = None,
    method: str = "dual",
    max_seconds: float | None = MAX_SECONDS,
    n_threads: int | None = None,
) -> float:
    """Return a lower bound on the expected loss of every allocation.

    Parameters
    ----------
    samples
        The draws, as for `certify`.
    a
        The penalty.
    estimate
        The reference of the dual bound. The bound holds for any; a good estimate at this penalty
        gives a better one. By default the reference of an `Alignment`; without that either, "dual"
        and "columns" search for an estimate.
    method, max_seconds
        As for `certify`; by default "dual", which takes no longer than a search or two.
    n_threads
        Threads to use; None means all cores. An `Alignment` has its own. NumPy's linear algebra
        is limited by ``OPENBLAS_NUM_THREADS`` or its like.

    Examples
    --------
    >>> lower_bound([[[1], [1], [0]], [[0], [1], [1]]])
    1.0
    >>> lower_bound([[[1], [1], [0]], [[0], [1], [1]]], a=0.5)
    0.5
    """
    a, method = as_penalty(a), _as_method(method)
    deadline = Deadline(as_seconds(max_seconds, name="max_seconds"))
    if estimate is None and isinstance(samples, Alignment):
        estimate = samples.reference
    if estimate is None:
        samples = as_engine(samples, n_threads)
        if method in ("items", "pairs"):
            return _bound_without_estimate(samples, a, method, deadline)
        for_search = Deadline(deadline.left / 2)
        estimate = run_search(samples, a, SearchSettings(seed=0), deadline=for_search)
    alignment = _alignment_to(estimate, samples, n_threads)
    found = _certificate(estimate, alignment, a, method, deadline)
    if found.stopped_because == INTERRUPTED:
        raise Interrupted(found.better, found.lower_bound)
    return found.lower_bound


def _bound_without_estimate(engine: Engine, a: float, method: str, deadline: Deadline) -> float:
    """The best bound of those that need no estimate."""
    objective, best = Objective.of(engine.samples_info, a), Fraction(0)
    try:
        for _, bound in _bounds(engine, objective, method, deadline):
            best = max(best, bound)
    except OutOfTimeError:
        pass
    except KeyboardInterrupt as interrupt:
        raise Interrupted(None, _rounded_down(best)) from interrupt
    return _rounded_down(best)


def _alignment_to(estimate: Any, samples: Any, n_threads: int | None) -> Alignment:
    """The draws aligned to the estimate; an alignment to it that is given is taken."""
    given = samples if isinstance(samples, Alignment) else None
    engine = as_engine(samples, n_threads) if given is None else given.engine
    info = engine.samples_info
    matrix = matched_allocation(estimate, name="estimate", n_items=info.n_items, items=info.items)
    if given is not None and np.array_equal(given.reference, matrix):
        return given
    return Alignment.of(engine, matrix)


def _bounds(
    engine: Engine,
    objective: Objective,
    method: str,
    deadline: Deadline,
    alignment: Alignment | None = None,
    *,
    stop_at: Fraction | None = None,
) -> Iterator[tuple[str, Fraction]]:
    """Exact bounds by each method up to this one but "columns", or until one reaches `stop_at`.

    Raises `OutOfTimeError` if time is over after the first.
    """
    best = item_bound(engine, objective, deadline)
    yield "items", best
    if method != "items" and best != stop_at:
        bound = pair_bound(deadline.limit(engine), objective)
        yield "pairs", bound
        best = max(best, bound)
    if method in ("dual", "columns") and best != stop_at and alignment is not None:
        in_time = replace(alignment, engine=deadline.limit(engine))
        better = dual_bound(in_time, objective, deadline, known=best)
        if better is not None:
            yield "dual", better


def _rounded_down(value: Fraction) -> float:
    nearest = float(value)
    return math.nextafter(nearest, -math.inf) if Fraction(nearest) > value else nearest


def _as_method(method: Any) -> str:
    if method == "auto":
        return METHODS[-1]
    if method not in METHODS:
        choices = ", ".join(("auto", *METHODS))
        raise ValueError(f"method = {method!r} is unknown; choose one of {choices}")
    return str(method)
