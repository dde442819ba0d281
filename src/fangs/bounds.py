"""Lower bounds on the expected loss of every allocation, and certificates of optimality."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from fangs.engine import Engine
from fangs.loss import Objective
from fangs.pairs import item_bound, pair_bound
from fangs.prices import labelled_bound
from fangs.result import Estimate
from fangs.search import estimate as search_for_estimate
from fangs.validate import BinaryMatrix, as_allocation, as_penalty, as_samples

__all__ = ["Certificate", "certify", "lower_bound"]

EFFORTS = ("items", "pairs", "labels")


@dataclass(frozen=True)
class Certificate:
    """How far an estimate can be from the best allocation at most.

    Attributes
    ----------
    lower_bound
        No allocation has a lower expected loss than this.
    expected_loss
        That of the estimate.
    a
        The penalty both are for.
    is_global_optimum
        Whether it is proved that no allocation has a lower expected loss than the estimate.
    method
        What gave the bound: "items", "pairs" or "labels".
    bounds
        The bound by each method; "labels" only if it is better than the others.

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

    @property
    def gap(self) -> float:
        """By how much the estimate's expected loss may exceed the lowest possible one."""
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
        if (estimate.expected_loss, estimate.a) != (self.expected_loss, self.a):
            raise ValueError(
                f"estimate has expected loss {estimate.expected_loss} at a = {estimate.a}, but the "
                f"certificate is for {self.expected_loss} at a = {self.a}; attach it to the "
                "estimate that was certified"
            )
        return replace(estimate, lower_bound=self.lower_bound)

    def __str__(self) -> str:
        if self.is_global_optimum:
            return (
                "Globally optimal: no allocation has an expected loss below "
                f"{self.expected_loss:.6g} (proved by {self.method})"
            )
        return (
            f"Expected loss {self.expected_loss:.6g}, lower bound {self.lower_bound:.6g} by "
            f"{self.method}: at most {self.gap:.4g} above the optimum, {self.gap_percent:.1f} % of "
            "the loss"
        )


def certify(
    estimate: Any,
    samples: Any,
    *,
    a: float | None = None,
    effort: str = "labels",
    n_threads: int | None = None,
) -> Certificate:
    """Bound from below what any allocation can reach, and say whether the estimate reaches it.

    Parameters
    ----------
    estimate
        An `Estimate`, or any 0/1 matrix.
    samples
        The draws: `Samples`, or anything it accepts.
    a
        The penalty; by default the estimate's own, or 1 for a matrix.
    effort
        How far to go. "items" needs no matching at all. "pairs" also matches draws with each other,
        at the cost of about fourteen alignments of the draws. "labels" also prices the draws'
        features by their labels, which may take as long as a search or longer, and is what proves
        an estimate optimal where features are clear.
    n_threads
        Threads to use; None means all cores.

    Returns
    -------
    Certificate
        The bound, the gap, and whether the estimate is proved optimal.

    Examples
    --------
    >>> import fangs
    >>> samples = fangs.datasets.example()
    >>> certificate = certify(fangs.estimate(samples, seed=1), samples)
    >>> certificate.lower_bound <= certificate.expected_loss
    True
    """
    samples = as_samples(samples)
    if a is None:
        a = estimate.a if isinstance(estimate, Estimate) else 1.0
    matrix = as_allocation(estimate, name="estimate", n_items=samples.n_items)
    engine = Engine(samples, n_threads)
    objective = Objective.of(engine, a)
    score = objective.score(int(matrix.sum()), int(engine.overlaps(matrix).sum()))
    loss = objective.exact_loss(score)
    bounds = _bounds(engine, objective, _as_effort(effort), matrix, stop_at=loss)
    method = max(bounds, key=lambda name: bounds[name])  # the cheapest, where they agree
    proved = bounds[method] == loss
    return Certificate(
        # Rounding is monotone: the optimum's own rounded loss exceeds no allocation's.
        lower_bound=float(loss) if proved else _rounded_down(bounds[method]),
        expected_loss=float(loss),
        a=objective.a,
        is_global_optimum=proved,
        method=method,
        bounds=MappingProxyType({name: _rounded_down(bound) for name, bound in bounds.items()}),
    )


def lower_bound(
    samples: Any,
    *,
    a: float = 1.0,
    estimate: Any = None,
    effort: str = "labels",
    n_threads: int | None = None,
) -> float:
    """Return a number that the expected loss of no allocation is below.

    Parameters
    ----------
    samples
        The draws: `Samples`, or anything it accepts.
    a
        The penalty.
    estimate
        A good estimate at this penalty, as the reference of the labels; the bound holds for any.
        Without one, effort "labels" searches for it.
    effort
        "items", "pairs" or "labels", as for `certify`; each includes those before it.
    n_threads
        Threads to use; None means all cores.

    Examples
    --------
    >>> lower_bound([[[1], [1], [0]], [[0], [1], [1]]])
    1.0
    >>> lower_bound([[[1], [1], [0]], [[0], [1], [1]]], a=0.5)
    0.5
    """
    samples = as_samples(samples)
    a, effort = as_penalty(a), _as_effort(effort)
    if estimate is None and effort == "labels":
        estimate = search_for_estimate(samples, a=a, seed=0, n_threads=n_threads)
    if estimate is not None:
        return certify(estimate, samples, a=a, effort=effort, n_threads=n_threads).lower_bound
    engine = Engine(samples, n_threads)
    return _rounded_down(max(_bounds(engine, Objective.of(engine, a), effort, None).values()))


def _bounds(
    engine: Engine,
    objective: Objective,
    effort: str,
    reference: BinaryMatrix | None,
    *,
    stop_at: Fraction | None = None,
) -> dict[str, Fraction]:
    """Exact bounds by each method up to the effort, or until one reaches `stop_at`."""
    bounds = {"items": item_bound(engine, objective)}
    if effort != "items" and stop_at not in bounds.values():
        bounds["pairs"] = pair_bound(engine, objective)
    if effort == "labels" and stop_at not in bounds.values() and reference is not None:
        better = labelled_bound(engine, objective, reference, known=max(bounds.values()))
        if better is not None:
            bounds["labels"] = better
    return bounds


def _rounded_down(value: Fraction) -> float:
    nearest = float(value)
    return math.nextafter(nearest, -math.inf) if Fraction(nearest) > value else nearest


def _as_effort(effort: Any) -> str:
    if effort not in EFFORTS:
        raise ValueError(f"effort = {effort!r} is unknown; choose one of {', '.join(EFFORTS)}")
    return str(effort)
