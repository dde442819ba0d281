"""choose_a(): the penalty whose estimate has a wanted number of features, or few enough errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from fangs.check.arguments import as_count, as_rate, as_seed
from fangs.check.text import count
from fangs.engine import as_engine
from fangs.estimate import Estimate
from fangs.path.solver import PathSolver
from fangs.path.sparsity import GRID, interrupted_path
from fangs.posterior.error_rates import ErrorRates, is_within_rate
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
    as `a` grows, but it may rise now and then; only the number of ones never does.

    For a false discovery rate, the smallest penalty that keeps it is found. The estimates change
    in jumps, so that the rate may fall far below the one allowed. Then more ones are taken, from
    the estimates on both sides of the jump, entries with larger proportions first
    (`Estimate.within_rate`). The estimate with most ones is chosen. If it is none of the path, its
    expected loss is not the lowest at its penalty, and its note and the explanation say so.

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
    >>> print(choose_a(fangs.datasets.example(), fdr=0.05, seed=1))
    At a = 0.605041, 4.92 % of its 198 ones are expected to be wrong, within the 5 % wanted.
    >>> choice = choose_a(fangs.datasets.example(), fdr=0.1, seed=1)
    >>> choice.estimate.n_ones, round(choice.rate, 3)
    (213, 0.099)
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
    n_features
        The number wanted, or None.
    is_attained
        Whether the estimate has that number, or keeps that rate.
    explanation
        A sentence about the choice.
    fdr
        The rate wanted, or None.
    rate
        The rate attained: the share of the estimate's ones that is expected to be wrong. None for
        a number of features.
    """

    a: float
    estimate: Estimate
    n_features: int | None
    is_attained: bool
    explanation: str
    fdr: float | None = None
    rate: float | None = None

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
    """The most ones within the rate, from the estimates on both sides of where the path meets it.

    The path has only estimates that are best at some penalty. Between two of them there may be
    allocations with more ones within the rate: entries of a neighbour by decreasing proportion.
    """
    above, within = _sides_of_rate(solver, wanted)
    a = ENDS[1] if within is None else within.a
    sides = [side for side in (within, above) if side is not None]
    found = max((_filled(solver, side, a, wanted) for side in sides), key=lambda e: e.n_ones)
    is_attained = within is not None or found.n_ones > 0
    chosen = found if is_attained else solver.estimate_at(a)
    return Choice(
        a=a,
        estimate=chosen,
        n_features=None,
        fdr=wanted,
        is_attained=is_attained,
        rate=_rate(chosen),
        explanation=_explain_rate(wanted, chosen, above, within, is_attained=is_attained),
    )


def _rate(found: Estimate) -> float:
    return ErrorRates.of(found.matrix, found.proportions).false_discovery


def _keeps(found: Estimate, wanted: float) -> bool:
    return is_within_rate(found.matrix, found.proportions, found.total_weight, wanted)


def _sides_of_rate(solver: PathSolver, wanted: float) -> tuple[Estimate | None, Estimate | None]:
    """The last estimate of the path above the rate and the first within it, if there are such.

    The interval between them is halved until it is at most `FINEST` wide.
    """
    grid = [ENDS[0], *GRID, ENDS[1]]
    while True:
        solver.solve(grid)
        first = next(
            (at for at, a in enumerate(grid) if _keeps(solver.estimate_at(a), wanted)), None
        )
        if first is None:
            return solver.estimate_at(grid[-1]), None
        within = solver.estimate_at(grid[first])
        if first == 0:
            return None, within
        low, high = grid[first - 1], grid[first]
        if high - low <= FINEST:
            return solver.estimate_at(low), within
        grid = sorted({*grid, float(f"{(low + high) / 2:.6g}")})


def _filled(solver: PathSolver, side: Estimate, a: float, wanted: float) -> Estimate:
    """The most ones within the rate by the proportions of an estimate, aligned anew.

    A new alignment can only raise the proportions of the ones in total, so the rate is kept and
    there may be room for more. Ends, because every round but the first adds a one.
    """
    record = side.search and replace(
        side.search, stopped_because="ones were taken up to the wanted false discovery rate"
    )
    note = (
        f"chosen for the most ones at a false discovery rate of {100 * wanted:g} %; other "
        "estimates may have a lower expected loss at this a"
    )
    found, is_kept = side, _keeps(side, wanted)
    while True:
        entries = found.within_rate(wanted)
        if is_kept and entries.sum() <= found.n_ones:
            return found
        found = Estimate.of(solver.engine, entries, a, search=record, origin=note)
        is_kept = True


def _explain_rate(
    wanted: float,
    chosen: Estimate,
    above: Estimate | None,
    within: Estimate | None,
    *,
    is_attained: bool,
) -> str:
    limit, expected = f"the {100 * wanted:g} % wanted", "are expected to be wrong"
    share = f"{_percent(chosen)} of its {count(chosen.n_ones, 'one')} {expected}"
    if not is_attained:
        return f"Even at a = {chosen.a:g}, {share}, above {limit}."
    if within is not None and chosen.n_ones == within.n_ones:
        return f"At a = {chosen.a:g}, {share}, within {limit}."
    said = f"{count(chosen.n_ones, 'one')}, of which {_percent(chosen)} {expected}, within {limit}."
    return f"{said} The path has no such estimate: {_jump(chosen.a, above, within)}."


def _jump(a: float, above: Estimate | None, within: Estimate | None) -> str:
    """Between which estimates the path passes the rate."""
    sides = [f"{e.n_ones:,} ones ({_percent(e)})" for e in (above, within) if e is not None]
    if len(sides) == 2:
        return f"at a = {a:g} it jumps from {sides[0]} to {sides[1]}"
    return f"it ends at a = {a:g} with {sides[0]}"


def _percent(found: Estimate) -> str:
    return f"{100 * _rate(found):.3g} %"


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
