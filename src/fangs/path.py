"""Estimates along the penalty `a`: from dense to sparse, each a start for its neighbours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.breakpoints import Line, Segment, lower_envelope
from fangs.engine import Engine
from fangs.loss import Objective, left_ordered
from fangs.result import Estimate, Search, Start
from fangs.samples import IntArray, Samples
from fangs.search import Progress, estimate
from fangs.sweeten import with_births, without_empty
from fangs.validate import BinaryMatrix, as_count, as_penalty, as_samples, as_seed, as_threads

__all__ = ["Choice", "SparsityPath", "choose_a", "sparsity_path"]

GRID = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1.0, 1.15, 1.3, 1.5, 1.7, 1.8, 1.9, 1.95, 1.99)
"""The penalties of the paper's Figure 6, and some between them."""
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
    """Estimate at each of several penalties, for little more than the cost of one estimate.

    One full search is made at the penalty nearest to 1. From there the path goes outwards and back,
    each estimate starting from the best allocation found so far, whichever penalty it was found at:
    the loss of an allocation at all penalties comes from one alignment.

    Parameters
    ----------
    samples
        The draws: `Samples`, or anything it accepts.
    a
        Penalties between 0 and 2, in any order. Larger is sparser.
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
    >>> path.n_ones[0] > path.n_ones[1] > path.n_ones[2]
    True
    """
    grid = sorted({as_penalty(value) for value in a})
    if not grid:
        raise ValueError("a is empty; give at least one penalty between 0 and 2")
    tracer = _Tracer(as_samples(samples), grid, seed, n_threads, progress)
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

    The path over `a` is traced, then halved again and again between the two neighbours that have
    more and fewer features than wanted. Of several penalties that fit, the one nearest to 1 is
    taken.

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
    >>> choice = choose_a(fangs.datasets.example(), n_features=3, seed=1)
    >>> choice.estimate.n_features, choice.is_attained
    (3, True)
    """
    wanted = as_count(n_features, name="n_features", minimum=0)
    tracer = _Tracer(as_samples(samples), list(GRID), seed, n_threads, progress)
    grid = list(GRID)
    tracer.trace(grid)
    while True:
        widths = [tracer.settled[value].n_features for value in grid]
        gaps = [
            (low, high)
            for low, high, more, fewer in zip(grid, grid[1:], widths, widths[1:], strict=False)
            if (more - wanted) * (fewer - wanted) < 0 and high - low > FINEST
        ]
        if wanted in widths or not gaps:
            break
        low, high = gaps[0]
        grid = sorted([*grid, float(f"{(low + high) / 2:.6g}")])
        tracer.trace(grid)
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


def _explain(wanted: int, found: Estimate, widths: list[int]) -> str:
    where = f"the estimate at a = {found.a:g} has {found.n_features}"
    if found.n_features == wanted:
        return f"{wanted} features as wanted: {where}."
    if wanted > max(widths):
        why = f"even at a = {GRID[0]:g} no estimate has that many"
    elif wanted < min(widths):
        why = f"even at a = {GRID[-1]:g} no estimate has that few"
    else:
        why = "the number jumps past it as a grows"
    return f"{wanted} features were not attained, since {why}; {where}, the nearest."


class _Tracer:
    """Allocations found along the path, each with its loss at every penalty."""

    def __init__(
        self,
        samples: Samples,
        grid: list[float],
        seed: int | None,
        n_threads: int | None,
        progress: bool | Callable[[Progress], None],
    ) -> None:
        self.engine = Engine(samples, as_threads(n_threads))
        self.lines: list[Line] = []
        self.settled: dict[float, Line] = {}
        self.starts: dict[float, list[Start]] = {}
        middle = min(grid, key=lambda value: (abs(value - 1), value))
        base = estimate(
            samples, a=middle, seed=as_seed(seed), n_threads=n_threads, progress=progress
        )
        assert base.search is not None
        self.search: Search = base.search
        self.middle = middle
        self.settled[middle] = self.add(base.matrix)
        self.starts[middle] = list(base.search.starts)

    def trace(self, grid: list[float]) -> None:
        """Settle every penalty: outwards from the middle, and back as long as that helps."""
        order = sorted(grid, key=lambda value: abs(value - self.middle))
        # Ends, because losses only fall, and only if every settled one is the lowest known.
        while [value for value in order if self.settle(value)]:
            order = order[::-1]

    def settle(self, a: float) -> bool:
        """Descend at this penalty from the best allocation known, unless that one is settled."""
        objective = Objective.of(self.engine, a)

        def score(line: Line) -> Fraction:
            return objective.score(line.n_ones, line.overlap)

        line = min(self.lines, key=score)
        if a in self.settled and score(line) >= score(self.settled[a]):
            return False
        # The entries that are worth having at this penalty are a start that can only be better.
        counts = self.engine.align(line.matrix).counts
        states = with_births(self.engine, without_empty(objective.threshold(counts)), objective)
        first = last = next(states)
        for last in states:
            pass
        end = self.settled[a] = self.add(last.matrix)
        self.starts.setdefault(a, []).append(
            Start(
                method="neighbour",
                draw=None,
                initial_loss=objective.loss_of_score(first.score),
                loss=objective.loss_of_score(last.score),
                flips=last.n_flips,
                n_features=end.n_features,
            )
        )
        return True

    def add(self, matrix: BinaryMatrix) -> Line:
        """Remember an allocation."""
        matrix = left_ordered(matrix)
        line = Line(matrix, int(matrix.sum()), int(self.engine.overlaps(matrix).sum()))
        for known in self.lines:
            if known.n_ones == line.n_ones and np.array_equal(known.matrix, matrix):
                return known
        self.lines.append(line)
        return line

    def estimate_at(self, a: float) -> Estimate:
        """The best allocation found, as an estimate at this penalty."""
        line = self.settled[a]
        aligned = self.engine.align(line.matrix)
        samples = self.engine.samples
        starts = tuple(self.starts[a])
        return Estimate(
            matrix=line.matrix,
            expected_loss=Objective.of(self.engine, a).expected_loss(line.n_ones, line.overlap),
            a=a,
            proportions=aligned.counts / len(samples),
            losses=a * line.n_ones + (2.0 - a) * samples.n_ones - 2.0 * aligned.overlaps,
            items=samples.items,
            is_flip_optimal=True,
            search=replace(
                self.search,
                starts=starts,
                flips=sum(start.flips for start in starts),
                stopped_because="no single flip lowers the expected loss",
            ),
        )
