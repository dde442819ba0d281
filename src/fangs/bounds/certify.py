"""certify() and lower_bound(): how far an estimate can be from the best allocation."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._extras import frame
from fangs._frozen import Frozen
from fangs._progress import listening
from fangs._validate import as_penalty, as_seconds
from fangs.bounds.column_bound import ColumnBound, column_bound
from fangs.bounds.dual import dual_bound
from fangs.bounds.pairs import item_bound, pair_bound
from fangs.engine import Engine, as_engine
from fangs.estimate import Estimate
from fangs.interop.matrix import matched_allocation
from fangs.loss import Objective
from fangs.posterior.alignment import Alignment
from fangs.posterior.assess import note_on_draws
from fangs.search.clock import Clock
from fangs.search.run import Interrupted
from fangs.search.run import estimate as search_for_estimate
from fangs.search.state import Progress

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Certificate", "certify", "lower_bound"]

METHODS = ("items", "pairs", "dual", "columns")
"""The bounds by name; each method includes those before it, and "auto" means all."""
MAX_SECONDS = 60.0
"""Time granted unless the caller says otherwise; most of it is for column generation."""


@dataclass(frozen=True)
class Certificate(Frozen):
    """A lower bound on the expected loss of all allocations, and what it says of an estimate.

    Attributes
    ----------
    lower_bound
        No allocation has a lower expected loss than this.
    expected_loss
        The expected loss of the estimate.
    a
        The penalty of both.
    is_global_optimum
        Whether the bound proves that no allocation has a lower expected loss than the estimate.
    method
        The method that gave the bound: "items", "pairs", "dual" or "columns".
    bounds
        The bound by each method that was tried; "dual" and "columns" only if they are better than
        those before them.
    n_columns
        Columns of the linear programme of column generation; 0 if it was not used.
    better
        An allocation found on the way with a lower expected loss than the estimate, flip-optimal;
        None if there was none. Its `lower_bound` is set.
    rounds
        Number of columns and loss of the linear programme after each round.
    stopped_because
        Why the work ended before a proof; empty if it did not.
    note
        Says so if the estimate was made from other draws; else empty.
    fingerprint
        Identifies the draws; see ``Samples.fingerprint``.

    Examples
    --------
    >>> import fangs
    >>> samples = fangs.Samples([[[1, 0], [1, 0], [0, 1], [0, 1]]] * 3 + [[[1], [1], [0], [0]]])
    >>> found = fangs.estimate(samples, seed=1)
    >>> print(certify(found, samples))
    Globally optimal: no allocation has an expected loss below 0.5 (proved by items)
    """

    lower_bound: float
    expected_loss: float
    a: float
    is_global_optimum: bool
    method: str
    bounds: Mapping[str, float]
    n_columns: int = 0
    better: Estimate | None = field(default=None, compare=False)
    rounds: tuple[tuple[int, float], ...] = field(default=(), compare=False, repr=False)
    stopped_because: str = ""
    note: str = ""
    fingerprint: str | None = None

    @property
    def gap(self) -> float:
        """The most by which the estimate's expected loss exceeds the lowest possible one."""
        return self.expected_loss - self.lower_bound

    @property
    def gap_percent(self) -> float:
        """The gap in per cent of the estimate's expected loss."""
        return 100.0 * self.gap / self.expected_loss if self.expected_loss > 0 else 0.0

    def attach(self, estimate: Estimate) -> Estimate:
        """Return the estimate with `lower_bound` filled in.

        Examples
        --------
        >>> import fangs
        >>> samples = fangs.datasets.example()
        >>> found = fangs.estimate(samples, seed=1)
        >>> certificate = certify(found, samples, method="pairs")
        >>> certificate.attach(found).lower_bound == certificate.lower_bound
        True
        """
        if estimate.fingerprint is not None and estimate.fingerprint != self.fingerprint:
            raise ValueError(
                "estimate was made from other draws than those of the certificate; attach the "
                "certificate to fangs.assess(estimate, draws, a=a) with its draws and penalty"
            )
        if (estimate.expected_loss, estimate.a) != (self.expected_loss, self.a):
            raise ValueError(
                f"estimate has expected loss {estimate.expected_loss} at a = {estimate.a}, but the "
                f"certificate is for {self.expected_loss} at a = {self.a}; attach it to the "
                "estimate that was certified"
            )
        return replace(estimate, lower_bound=self.lower_bound)

    def of_better(self) -> Certificate:
        """The certificate of `better`; this one if there is none.

        Examples
        --------
        >>> import fangs
        >>> draws = fangs.Samples([[[1], [1], [0], [0]]] * 2 + [[[0], [0], [1], [1]]])
        >>> certificate = certify([[0], [1], [1], [0]], draws)
        >>> certificate.better is not None
        True
        >>> print(certificate.of_better())
        Globally optimal: no allocation has an expected loss below 1.33333 (proved by items)
        """
        if self.better is None:
            return self
        loss, lower = self.better.expected_loss, self.better.lower_bound
        assert lower is not None
        return replace(
            self,
            lower_bound=lower,
            expected_loss=loss,
            is_global_optimum=lower == loss,
            better=None,
            note="",
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the bound by each method as a pandas DataFrame; needs pandas.

        Examples
        --------
        >>> certificate = certify([[1], [1], [0]], [[[1], [1], [0]], [[0], [1], [1]]])
        >>> certificate.to_frame()["percent_of_loss"].tolist()
        [100.0]
        """
        bounds, loss = list(self.bounds.values()), self.expected_loss
        columns = {
            "lower_bound": bounds,
            "percent_of_loss": [100.0 * b / loss if loss > 0 else 100.0 for b in bounds],
        }
        made: pd.DataFrame = frame(columns, index=list(self.bounds), name="method")
        return made

    def _repr_html_(self) -> str:
        from fangs.report.views import certificate_html

        return certificate_html(self)

    def __str__(self) -> str:
        note = f"\nNote: {self.note}" if self.note else ""
        if self.better is not None:
            known = self.better.expected_loss
            proved = self.better.lower_bound == known
            return (
                f"Expected loss {self.expected_loss:.6g}, but an allocation with {known:.6g} was "
                f"found: use .better. "
                + ("It is globally optimal" if proved else "No allocation is below ")
                + ("" if proved else f"{self.lower_bound:.6g}")
                + f" (proved by {self.method}){note}"
            )
        if self.is_global_optimum:
            return (
                "Globally optimal: no allocation has an expected loss below "
                f"{self.expected_loss:.6g} (proved by {self.method}){note}"
            )
        return (
            f"Expected loss {self.expected_loss:.6g}, lower bound {self.lower_bound:.6g} by "
            f"{self.method}: at most {self.gap:.4g} above the optimum, {self.gap_percent:.1f} % of "
            f"the loss{note}"
        )


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
        Time to grant; None for no limit. A clock that cuts makes the bound depend on the machine.
        It ends column generation; a cheaper method that has begun is finished. Ctrl-C ends the
        work at once, and keeps the best bound so far.
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
    method, clock = _as_method(method), Clock(as_seconds(max_seconds, name="max_seconds"))
    alignment = _alignment_to(estimate, samples, n_threads)
    engine = alignment.engine
    objective = Objective.of(engine.samples_info, a)
    ones, overlap = int(alignment.reference.sum()), engine.samples_info.weigh(alignment.overlaps)
    loss = objective.exact_loss(objective.score(ones, overlap))
    bounds: dict[str, Fraction] = {}
    stopped_because = ""
    try:
        for name, bound in _bounds(engine, objective, method, alignment, stop_at=loss):
            bounds[name] = bound
            if clock.is_over:
                stopped_because = "time is over"
                break
    except KeyboardInterrupt as interrupt:
        stopped_because = "interrupted"
        if not bounds:
            raise Interrupted(None) from interrupt
    columns: ColumnBound | None = None
    if method == "columns" and loss not in bounds.values() and not stopped_because:
        with listening(progress) as report:
            columns = column_bound(engine, objective, alignment.reference, clock, report)
        if columns.bound is not None and columns.bound > max(bounds.values()):
            bounds["columns"] = columns.bound
    used = max(bounds, key=lambda name: bounds[name])  # the cheapest, where they agree
    proved = bounds[used] == loss
    # Rounding is monotone, so the rounded loss of the optimum is a bound too.
    lower = float(loss) if proved else _rounded_down(bounds[used])
    better = None
    if columns is not None and columns.better is not None:
        better = Estimate.of(engine, columns.better, objective.a)
        overlap = engine.samples_info.weigh(engine.overlaps(better.matrix))
        exact = objective.exact_loss(objective.score(better.n_ones, overlap))
        known = better.expected_loss
        # Without a proof the two numbers differ, even if the bound is less than an ulp away.
        below = known if bounds[used] == exact else min(lower, math.nextafter(known, -math.inf))
        better = replace(better, lower_bound=below)
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
    if estimate is None and isinstance(samples, Alignment):
        estimate = samples.reference
    engine: Any = samples
    if estimate is None:
        engine = as_engine(samples, n_threads)
        if method in ("items", "pairs"):
            bounds = dict(_bounds(engine, Objective.of(engine.samples_info, a), method))
            return _rounded_down(max(bounds.values()))
        estimate = search_for_estimate(engine, a=a, seed=0)
    return certify(
        estimate, engine, a=a, method=method, max_seconds=max_seconds, n_threads=n_threads
    ).lower_bound


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
    alignment: Alignment | None = None,
    *,
    stop_at: Fraction | None = None,
) -> Iterator[tuple[str, Fraction]]:
    """Exact bounds by each method up to this one but "columns", or until one reaches `stop_at`."""
    best = item_bound(engine, objective)
    yield "items", best
    if method != "items" and best != stop_at:
        bound = pair_bound(engine, objective)
        yield "pairs", bound
        best = max(best, bound)
    if method in ("dual", "columns") and best != stop_at and alignment is not None:
        better = dual_bound(alignment, objective, known=best)
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
