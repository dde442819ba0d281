"""choose_a(): the penalty whose estimate has a wanted number of features, or few enough errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fangs.check.arguments import as_count, as_rate, as_seed
from fangs.engine import as_engine
from fangs.estimate import Estimate
from fangs.path.solver import PathSolver
from fangs.path.sparsity import GRID, interrupted_path
from fangs.posterior.error_rates import ErrorRates
from fangs.search import Progress
from fangs.search.progress import listening

ENDS = (0.01, 1.99)
"""As far as the paper goes: to where 0.5 % of the draws are enough, or too few lack an entry."""
FINEST = 1e-4
"""Penalties nearer to each other than this are not told apart when one is looked for."""


def choose_a(
    samples: Any,
    *,
    n_features: int | None = None,
    fdr: float | None = None,
    seed: int | None = None,
    n_threads: int | None = None,
    progress: bool | Callable[[Progress], None] = False,
) -> Choice:
    """Find the penalty for a wanted number of features, or for a false discovery rate.

    The path over `a` is followed, on to 0.01 or 1.99 if need be; then the interval that holds the
    choice is halved repeatedly. For a number of features, the estimate that comes nearest to it is
    chosen; of several, the one whose penalty is nearest to 1. The number of features mostly falls
    as `a` grows, but it may rise now and then; only the number of ones never does. For a false
    discovery rate, the smallest penalty that keeps it is chosen: its estimate has the most ones of
    those found.

    Parameters
    ----------
    samples
        The draws: `Samples`, or anything it accepts.
    n_features
        The number wanted.
    fdr
        The largest posterior expected false discovery rate allowed, such as 0.05: the share of the
        estimate's ones that is expected to be wrong. Give this or `n_features`.
    seed, n_threads, progress
        As for `fangs.estimate`.

    Examples
    --------
    >>> import fangs
    >>> choice = choose_a(fangs.datasets.example(), n_features=5, seed=1)
    >>> choice.estimate.n_features, choice.is_attained
    (5, True)
    >>> print(choose_a(fangs.datasets.example(), fdr=0.02, seed=1))
    At a = 1.5, 1.59 % of its 174 ones are expected to be wrong, within the 2 % wanted.
    """
    if (n_features is None) == (fdr is None):
        raise TypeError("choose_a needs either n_features or fdr: give one of them")
    engine = as_engine(samples, n_threads)
    seed = as_seed(seed)
    with listening(progress) as report:
        solver = PathSolver(engine, seed, report=report)
        try:
            if fdr is not None:
                return _by_rate(solver, as_rate(fdr, name="fdr"))
            return _by_number(solver, as_count(n_features, name="n_features", minimum=0))
        except KeyboardInterrupt as interrupt:
            raise interrupted_path(solver, interrupt) from interrupt


@dataclass(frozen=True, eq=False)
class Choice:
    """The penalty that gives a wanted number of features or error rate, as nearly as possible.

    Attributes
    ----------
    a, estimate
        The penalty chosen and the estimate there.
    n_features, fdr
        What was wanted: one of them is None.
    is_attained
        Whether the estimate has that number, or keeps that rate.
    explanation
        A sentence about the choice.
    """

    a: float
    estimate: Estimate
    n_features: int | None
    is_attained: bool
    explanation: str
    fdr: float | None = None

    def _repr_html_(self) -> str:
        from fangs.report.views import choice_html

        return choice_html(self)

    def __str__(self) -> str:
        return self.explanation


def _by_number(solver: PathSolver, wanted: int) -> Choice:
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


def _by_rate(solver: PathSolver, wanted: float) -> Choice:
    """Halve between the smallest penalty that keeps the rate and the one before it."""

    def rate(a: float) -> float:
        found = solver.estimate_at(a)
        return ErrorRates.of(found.matrix, found.proportions).false_discovery

    grid = [ENDS[0], *GRID, ENDS[1]]
    while True:
        solver.solve(grid)
        first = next((at for at, a in enumerate(grid) if rate(a) <= wanted), None)
        if first is None or first == 0 or grid[first] - grid[first - 1] <= FINEST:
            break
        middle = float(f"{(grid[first - 1] + grid[first]) / 2:.6g}")
        grid = sorted({*grid, middle})
    a = grid[-1] if first is None else grid[first]
    reached = f"{100 * rate(a):.3g} % of its {solver.estimate_at(a).n_ones} ones"
    explanation = (
        f"At a = {a:g}, {reached} are expected to be wrong, within the {100 * wanted:g} % wanted."
        if first is not None
        else f"Even at a = {a:g}, {reached} are expected to be wrong, above the {100 * wanted:g} % "
        "wanted."
    )
    return Choice(
        a=a,
        estimate=solver.estimate_at(a),
        n_features=None,
        fdr=wanted,
        is_attained=first is not None,
        explanation=explanation,
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
    return f" Ties: {found.n_ties} of its entries could flip at no cost."
