"""certify() and lower_bound(): how far an estimate can be from the best allocation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

from fangs._validate import as_penalty
from fangs.bounds.dual import dual_bound
from fangs.bounds.pairs import item_bound, pair_bound
from fangs.engine import Engine, as_engine
from fangs.estimate import Estimate
from fangs.interop.matrix import matched_allocation
from fangs.loss import Objective
from fangs.posterior.alignment import Alignment
from fangs.posterior.assess import note_on_draws
from fangs.search.run import estimate as search_for_estimate

__all__ = ["Certificate", "certify", "lower_bound"]

EFFORTS = ("items", "pairs", "dual")
"""The bounds by name, the cheapest first."""


@dataclass(frozen=True)
class Certificate:
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
        The method that gave the bound: "items", "pairs" or "dual".
    bounds
        The bound by each method that was tried; "dual" only if it is better than the others.
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
        >>> certificate = certify(found, samples, effort="pairs")
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

    def __str__(self) -> str:
        note = f"\nNote: {self.note}" if self.note else ""
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
    effort: str = "dual",
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
    effort
        How far to go; each effort includes those before it. "items" is the cheapest and matches no
        draws with each other. "pairs" does, and costs about fourteen alignments of the draws.
        "dual" may take as long as a search or longer; it can prove optimality where features are
        clear.
    n_threads
        Threads to use; None means all cores. An `Alignment` has its own.

    Returns
    -------
    Certificate
        The bound, the gap, and whether the estimate is proved optimal.

    Examples
    --------
    >>> import fangs
    >>> samples = fangs.datasets.example()
    >>> found = fangs.estimate(samples, seed=1)
    >>> certificate = certify(found, samples)
    >>> certificate.lower_bound <= certificate.expected_loss
    True
    >>> certify(found, fangs.align(found, samples)) == certificate
    True
    """
    if a is None:
        a = estimate.a if isinstance(estimate, Estimate) else 1.0
    effort = _as_effort(effort)
    alignment = _alignment_to(estimate, samples, n_threads)
    engine = alignment.engine
    objective = Objective.of(engine.samples_info, a)
    ones, overlap = int(alignment.reference.sum()), engine.samples_info.weigh(alignment.overlaps)
    loss = objective.exact_loss(objective.score(ones, overlap))
    bounds = _bounds(engine, objective, effort, alignment, stop_at=loss)
    method = max(bounds, key=lambda name: bounds[name])  # the cheapest, where they agree
    proved = bounds[method] == loss
    return Certificate(
        # Rounding is monotone, so the rounded loss of the optimum is a bound too.
        lower_bound=float(loss) if proved else _rounded_down(bounds[method]),
        expected_loss=float(loss),
        a=objective.a,
        is_global_optimum=proved,
        method=method,
        bounds=MappingProxyType({name: _rounded_down(bound) for name, bound in bounds.items()}),
        note=note_on_draws(estimate, engine.samples_info),
        fingerprint=engine.samples_info.fingerprint,
    )


def lower_bound(
    samples: Any,
    *,
    a: float = 1.0,
    estimate: Any = None,
    effort: str = "dual",
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
        gives a better one. By default the reference of an `Alignment`; without that either, effort
        "dual" searches for an estimate.
    effort
        "items", "pairs" or "dual", as for `certify`.
    n_threads
        Threads to use; None means all cores. An `Alignment` has its own.

    Examples
    --------
    >>> lower_bound([[[1], [1], [0]], [[0], [1], [1]]])
    1.0
    >>> lower_bound([[[1], [1], [0]], [[0], [1], [1]]], a=0.5)
    0.5
    """
    a, effort = as_penalty(a), _as_effort(effort)
    if estimate is None and isinstance(samples, Alignment):
        estimate = samples.reference
    if estimate is not None:
        return certify(estimate, samples, a=a, effort=effort, n_threads=n_threads).lower_bound
    engine = as_engine(samples, n_threads)
    if effort == "dual":
        estimate = search_for_estimate(engine, a=a, seed=0)
        return certify(estimate, engine, effort=effort).lower_bound
    bounds = _bounds(engine, Objective.of(engine.samples_info, a), effort)
    return _rounded_down(max(bounds.values()))


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
    effort: str,
    alignment: Alignment | None = None,
    *,
    stop_at: Fraction | None = None,
) -> dict[str, Fraction]:
    """Exact bounds by each method up to the effort, or until one reaches `stop_at`."""
    bounds = {"items": item_bound(engine, objective)}
    if effort != "items" and stop_at not in bounds.values():
        bounds["pairs"] = pair_bound(engine, objective)
    if effort == "dual" and stop_at not in bounds.values() and alignment is not None:
        better = dual_bound(alignment, objective, known=max(bounds.values()))
        if better is not None:
            bounds["dual"] = better
    return bounds


def _rounded_down(value: Fraction) -> float:
    nearest = float(value)
    return math.nextafter(nearest, -math.inf) if Fraction(nearest) > value else nearest


def _as_effort(effort: Any) -> str:
    if effort not in EFFORTS:
        raise ValueError(f"effort = {effort!r} is unknown; choose one of {', '.join(EFFORTS)}")
    return str(effort)
