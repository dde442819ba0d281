"""Estimates along the penalty `a`: from dense to sparse, each a start for its neighbours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.breakpoints import Segment, lower_envelope
from fangs.course import Progress
from fangs.progress import listening
from fangs.result import Estimate
from fangs.samples import IntArray
from fangs.tracing import Tracer
from fangs.validate import as_count, as_penalty, as_samples

__all__ = ["Choice", "SparsityPath", "choose_a", "sparsity_path"]

GRID = (0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.25, 1.5, 1.7, 1.8, 1.9)
"""An entry is worth having that 5, 10, 15, 25, ..., 90 or 95 % of the draws gain by."""
ENDS = (0.01, 1.99)
"""As far as the paper goes: to where 0.5 % of the draws are enough, or too few lack an entry."""
FINEST = 1e-4
"""Penalties nearer to each other than this are not told apart when one is looked for."""


@dataclass(frozen=True, eq=False)
class SparsityPath:
    """Estimates over a grid of penalties; made by `sparsity_path`.

    Attributes
    ----------
    a
        The penalties, in increasing order.
    estimates
        The estimate at each.
    segments
        For every penalty between 0 and 2, which of all allocations found on the way is best.
    """

    a: tuple[float, ...]
    estimates: tuple[Estimate, ...]
    segments: tuple[Segment, ...]

    @property
    def n_features(self) -> IntArray:
        """Number of features of each estimate."""
        return np.array([e.n_features for e in self.estimates], dtype=np.int64)

    @property
    def n_ones(self) -> IntArray:
        """Number of ones of each estimate."""
        return np.array([e.n_ones for e in self.estimates], dtype=np.int64)

    @property
    def expected_losses(self) -> npt.NDArray[np.float64]:
        """Expected loss of each estimate, at its own penalty."""
        return np.array([e.expected_loss for e in self.estimates])

    def __len__(self) -> int:
        return len(self.a)

    def __str__(self) -> str:
        rows = [f"{'a':>6}  {'features':>8}  {'ones':>6}  {'expected loss':>13}"]
        for e in self.estimates:
            rows.append(f"{e.a:>6g}  {e.n_features:>8}  {e.n_ones:>6}  {e.expected_loss:>13.6g}")
        return "\n".join(rows)

    def __repr__(self) -> str:
        low, high = self.n_features.min(), self.n_features.max()
        return (
            f"<fangs.SparsityPath: {len(self)} penalties from {self.a[0]:g} to {self.a[-1]:g}, "
            f"{low} to {high} features>"
        )


@dataclass(frozen=True, eq=False)
class Choice:
    """The penalty that gives a wanted number of features, as nearly as possible.

    Attributes
    ----------
    a, estimate
        The penalty chosen and the estimate there.
    n_features
        The number that was wanted.
    is_attained
        Whether the estimate has that number.
    explanation
        A sentence about the choice.
    """

    a: float
    estimate: Estimate
    n_features: int
    is_attained: bool
    explanation: str

    def __str__(self) -> str:
        return self.explanation


def sparsity_path(
    samples: Any,
    *,
    a: Sequence[float] = GRID,
    seed: int | None = None,
    n_threads: int | None = None,
    progress: bool | Callable[[Progress], None] = False,
) -> SparsityPath:
    """Estimate at each of several penalties, each a start for the others.

    A search is made at the penalty nearest to 1. Where the same features clearly serve for others,
    one more pass over the draws settles these. Else the path goes on step by step in both
    directions, a little beyond its ends, and back where the number of features has changed; where
    draws are many, on some of them first, then on more, and on all. At last all allocations found
    compete at every penalty: one alignment gives the loss of an allocation for all of them. The
    whole grid takes about as long as one estimate at one of its penalties, and up to twice as long
    where features are so clear that either is a matter of milliseconds.

    Parameters
    ----------
    samples
        The draws: `Samples`, or anything it accepts.
    a
        Penalties between 0 and 2, in any order. Larger is sparser. At each of them an entry is
        worth having that more than a share a/2 of the draws gain by: by default 5 to 95 %.
    seed, n_threads, progress
        As for `fangs.estimate`.

    Returns
    -------
    SparsityPath
        The estimates, which all are flip-optimal at their penalty, and exact breakpoints between
        the allocations found.

    Examples
    --------
    >>> import fangs
    >>> path = sparsity_path(fangs.datasets.example(), a=[0.2, 1.0, 1.8], seed=1)
    >>> bool((np.diff(path.n_ones) < 0).all())
    True
    """
    grid = sorted({as_penalty(value) for value in a})
    if not grid:
        raise ValueError("a is empty; give at least one penalty between 0 and 2")
    with listening(progress) as report:
        tracer = Tracer(as_samples(samples), seed=seed, n_threads=n_threads, report=report)
        tracer.trace(grid)
    return SparsityPath(
        a=tuple(grid),
        estimates=tuple(tracer.estimate_at(value) for value in grid),
        segments=lower_envelope(tracer.lines, tracer.engine.n_draws),
    )


def choose_a(
    samples: Any,
    *,
    n_features: int,
    seed: int | None = None,
    n_threads: int | None = None,
    progress: bool | Callable[[Progress], None] = False,
) -> Choice:
    """Find the penalty whose estimate has a wanted number of features, or comes nearest to it.

    The path over `a` is traced, on to 0.01 or 1.99 if need be, then halved again and again between
    the two neighbours that have more and fewer features than wanted. Of several penalties that fit,
    the one nearest to 1 is taken.

    Parameters
    ----------
    samples
        The draws: `Samples`, or anything it accepts.
    n_features
        The number wanted.
    seed, n_threads, progress
        As for `fangs.estimate`.

    Examples
    --------
    >>> import fangs
    >>> choice = choose_a(fangs.datasets.example(), n_features=5, seed=1)
    >>> choice.estimate.n_features, choice.is_attained
    (5, True)
    """
    wanted = as_count(n_features, name="n_features", minimum=0)
    with listening(progress) as report:
        tracer = Tracer(as_samples(samples), seed=seed, n_threads=n_threads, report=report)
        grid, widths = _grid_around(tracer, wanted)
    best = min(
        grid, key=lambda value: (abs(tracer.settled[value].n_features - wanted), abs(value - 1))
    )
    found = tracer.estimate_at(best)
    return Choice(
        a=best,
        estimate=found,
        n_features=wanted,
        is_attained=found.n_features == wanted,
        explanation=_explain(wanted, found, widths),
    )


def _grid_around(tracer: Tracer, wanted: int) -> tuple[list[float], list[int]]:
    """Trace the path, ever finer where the number wanted lies; the grid and its numbers."""
    grid = list(GRID)
    while True:
        tracer.trace(grid)
        widths = [tracer.settled[value].n_features for value in grid]
        if wanted in widths:
            return grid, widths
        pairs = zip(grid, grid[1:], widths, widths[1:], strict=False)
        gaps = [
            (low, high)
            for low, high, more, fewer in pairs
            if (more - wanted) * (fewer - wanted) < 0 and high - low > FINEST
        ]
        if gaps:
            low, high = gaps[0]
            grid = sorted([*grid, float(f"{(low + high) / 2:.6g}")])
        elif wanted > max(widths) and ENDS[0] not in grid:
            grid = [ENDS[0], *grid]
        elif wanted < min(widths) and ENDS[1] not in grid:
            grid = [*grid, ENDS[1]]
        else:
            return grid, widths


def _explain(wanted: int, found: Estimate, widths: list[int]) -> str:
    where = f"the estimate at a = {found.a:g} has {found.n_features}"
    if found.n_features == wanted:
        return f"{wanted} features as wanted: {where}."
    if wanted > max(widths):
        why = f"even at a = {ENDS[0]:g} no estimate has that many"
    elif wanted < min(widths):
        why = f"even at a = {ENDS[1]:g} no estimate has that few"
    else:
        why = "the number jumps past it as a grows"
    return f"{wanted} features were not attained, since {why}; {where}, the nearest."
