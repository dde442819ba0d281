"""choose_a(): the penalty whose estimate has a wanted number of features."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fangs._progress import listening
from fangs._validate import as_count, as_seed
from fangs.engine import as_engine
from fangs.estimate import Estimate
from fangs.path.solver import PathSolver
from fangs.path.sparsity import GRID
from fangs.search import Progress

ENDS = (0.01, 1.99)
"""As far as the paper goes: to where 0.5 % of the draws are enough, or too few lack an entry."""
FINEST = 1e-4
"""Penalties nearer to each other than this are not told apart when one is looked for."""


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
    the one nearest to 1 is taken. The number of features mostly falls as `a` grows, but it may rise
    now and then; only the number of ones never does.

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
    engine = as_engine(samples, n_threads)
    with listening(progress) as report:
        solver = PathSolver(engine, as_seed(seed), report=report)
        grid, widths = _grid_around(solver, wanted)
    best = min(
        grid, key=lambda value: (abs(solver.best[value].n_features - wanted), abs(value - 1))
    )
    found = solver.estimate_at(best)
    return Choice(
        a=best,
        estimate=found,
        n_features=wanted,
        is_attained=found.n_features == wanted,
        explanation=_explain(wanted, found, widths) + _ties(found),
    )


def _grid_around(solver: PathSolver, wanted: int) -> tuple[list[float], list[int]]:
    """Trace the path, ever finer where the number wanted lies; the grid and its numbers."""
    grid = list(GRID)
    while True:
        solver.solve(grid)
        widths = [solver.best[value].n_features for value in grid]
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


def _ties(found: Estimate) -> str:
    if not found.n_ties:
        return ""
    return f" {found.n_ties} of its entries could flip at no cost."


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
