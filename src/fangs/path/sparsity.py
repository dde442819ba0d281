"""Estimates along the penalty `a`: from dense to sparse, each a start for its neighbours."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from fangs._extras import frame
from fangs._typing import FloatArray, IntArray
from fangs.check.arguments import as_penalty, as_seed
from fangs.check.text import rounded, span
from fangs.engine import as_engine
from fangs.estimate import Estimate
from fangs.path.envelope import Segment, lower_envelope
from fangs.path.solver import PathSolver
from fangs.search import Interrupted, Progress
from fangs.search.progress import listening

if TYPE_CHECKING:
    import pandas as pd

GRID = (0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.25, 1.5, 1.7, 1.8, 1.9)
"""An entry pays if more than 5, 10, 15, 25, ..., 90 or 95 % of the draws support it."""


GRACE_SECONDS = 0.5
"""After Ctrl-C, time to sum up estimates along the path."""


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

    @property
    def n_ties(self) -> IntArray:
        """Number of entries of each estimate that could be flipped at no cost."""
        return np.array([e.n_ties for e in self.estimates], dtype=np.int64)

    def steps(self, name: Literal["n_features", "n_ones"]) -> tuple[IntArray, FloatArray]:
        """Number of features or ones of the best allocation along `a`, as steps.

        The heights of the steps, and their ends: the breakpoints, with 0 before and 2 after them.

        Examples
        --------
        >>> heights, ends = sparsity_path([[[1], [1]], [[1], [0]]], seed=1).steps("n_ones")
        >>> heights.tolist(), ends.tolist()
        ([2, 1], [0.0, 1.0, 2.0])
        """
        heights = [getattr(segment, name) for segment in self.segments]
        ends = [*(float(segment.interval.low) for segment in self.segments), 2.0]
        return np.array(heights, dtype=np.int64), np.array(ends)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with one row per penalty; needs pandas.

        Examples
        --------
        >>> import fangs
        >>> path = sparsity_path(fangs.datasets.example(), a=[0.5, 1.0], seed=1)
        >>> path.to_frame().loc[1.0, "expected_loss"]
        np.float64(24.8825)
        """
        columns = {
            "n_features": self.n_features,
            "n_ones": self.n_ones,
            "expected_loss": self.expected_losses,
            "n_ties": self.n_ties,
        }
        made: pd.DataFrame = frame(columns, index=self.a, name="a")
        return made

    def _repr_html_(self) -> str:
        from fangs.report.views import path_html

        return path_html(self)

    def __len__(self) -> int:
        return len(self.a)

    def __str__(self) -> str:
        rows = [f"{'a':>6}  {'features':>8}  {'ones':>6}  {'expected loss':>13}  {'ties':>4}"]
        for e in self.estimates:
            rows.append(
                f"{e.a:>6g}  {e.n_features:>8}  {e.n_ones:>6}  {rounded(e.expected_loss, 6):>13}  "
                f"{e.n_ties:>4}"
            )
        return "\n".join(rows)

    def __repr__(self) -> str:
        penalties = "penalty " if len(self) == 1 else f"{len(self)} penalties from "
        penalties += span(self.a)
        return f"<SparsityPath: {penalties}, {span(self.n_features.tolist())} features>"


def sparsity_path(
    samples: Any,
    *,
    a: Sequence[float] = GRID,
    seed: int | None = None,
    n_threads: int | None = None,
    progress: bool | Callable[[Progress], None] = False,
) -> SparsityPath:
    """Estimate at each of several penalties, each a start for the others.

    A search is made at the penalty nearest to 1. From there the path goes on to smaller and larger
    penalties: what was found at one is the start at the next. Where the number of features changes,
    the way back is tried too, from a little beyond the end. This happens on a subsample where there
    are many draws; all draws settle each penalty. Where a search costs next to nothing, one is made
    at every penalty. Finally every allocation found competes at every penalty, because one
    alignment gives its loss at all of them. Of equally good ones the sparser is taken.

    Parameters
    ----------
    samples
        The draws: `Samples`, or anything it accepts.
    a
        Penalties between 0 and 2, in any order. At penalty a, an entry pays if more than a share
        a/2 of the draws support it: by default from 5 to 95 %. The number of ones never grows with
        `a`, from estimate to estimate and from segment to segment; the number of features may.
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
    if isinstance(a, numbers.Real):
        raise TypeError(
            f"a = {a!r} is one penalty; give several, such as a=[0.5, 1.0, 1.5], or call "
            f"fangs.estimate(samples, a={a!r})"
        )
    grid = sorted({as_penalty(value) for value in a})
    if not grid:
        raise ValueError("a is empty; give at least one penalty between 0 and 2")
    engine = as_engine(samples, n_threads)
    with listening(progress) as report:
        solver = PathSolver(engine, as_seed(seed), report=report)
        try:
            solver.solve(grid)
            return path_of(solver, {a: solver.estimate_at(a) for a in grid})
        except KeyboardInterrupt as interrupt:
            raise interrupted_path(solver, interrupt) from interrupt


def interrupted_path(solver: PathSolver, interrupt: KeyboardInterrupt) -> Interrupted:
    """The exception that holds the path as far as it is done.

    Its estimate is that at the penalty where the path began, as far as the search there had come.
    """
    found = solver.estimates_within(GRACE_SECONDS)
    if not found:
        return Interrupted(getattr(interrupt, "estimate", None))
    partial = path_of(solver, {a: found[a] for a in sorted(found)})
    return Interrupted(next(iter(found.values())), partial)


def path_of(solver: PathSolver, estimates: Mapping[float, Estimate]) -> SparsityPath:
    """The estimates at some penalties, and what the solver has found at all others."""
    return SparsityPath(
        a=tuple(estimates),
        estimates=tuple(estimates.values()),
        segments=lower_envelope(solver.lines, solver.engine.samples_info.total_weight),
    )
