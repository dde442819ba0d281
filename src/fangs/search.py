"""The search for the allocation of lowest expected loss: FANGS (Dahl et al. 2023, Algorithm 1)."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from fangs.engine import Engine
from fangs.loss import Objective, left_ordered
from fangs.progress import progress_display
from fangs.result import Estimate, Search, Start
from fangs.samples import IntArray
from fangs.sweeten import Sweetened, by_proposals, to_the_bottom
from fangs.validate import (
    BinaryMatrix,
    as_count,
    as_penalty,
    as_samples,
    as_seconds,
    as_seed,
    as_threads,
)


@dataclass(frozen=True)
class Progress:
    """How far a search has come."""

    phase: str
    """"align", "sweeten" or "improve"."""
    done: int
    total: int | None
    loss: float
    """The lowest expected loss found so far."""


class Interrupted(KeyboardInterrupt):
    """A search was stopped by Ctrl-C; `estimate` holds the best found until then, or None."""

    def __init__(self, estimate: Estimate | None) -> None:
        super().__init__("the search was interrupted")
        self.estimate = estimate


def estimate(
    samples: Any,
    *,
    a: float = 1.0,
    n_init: int = 16,
    n_sweet: int = 4,
    n_iter: int | None = None,
    max_seconds: float | None = None,
    seed: int | None = None,
    n_threads: int | None = None,
    progress: bool | Callable[[Progress], None] = False,
) -> Estimate:
    """Find the feature allocation of lowest expected FARO loss.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.
    a
        Price of a one that the estimate has and a draw lacks, beside ``2 - a`` for the opposite;
        between 0 and 2. Larger is sparser.
    n_init
        How many draws are used as baselines for starts.
    n_sweet
        How many of the best starts are sweetened.
    n_iter
        None sweetens each start until no single flip lowers the expected loss. A number runs
        the paper's Algorithm 1 as it stands, with that many random proposals per start.
    max_seconds
        Stop at this time at the latest and return the best found. By default the clock plays no
        part, so that the same seed always gives the same estimate.
    seed
        Makes the search repeatable: same draws and seed, same estimate, whatever the number of
        threads. None picks one and records it in ``.search.seed``.
    n_threads
        Threads to use; None means all cores.
    progress
        True shows a progress bar; or a function to be called with `Progress`.

    Returns
    -------
    Estimate
        The allocation, its expected loss, and how it was found.

    Examples
    --------
    >>> draws = [[[1, 0], [1, 1]], [[0, 1], [1, 1]], [[1], [1]]]
    >>> found = estimate(draws, seed=1)
    >>> found.matrix
    array([[1, 0],
           [1, 1]], dtype=uint8)
    >>> found.is_flip_optimal
    True
    """
    samples = as_samples(samples)
    engine = Engine(samples, as_threads(n_threads))
    search = _Search(
        engine=engine,
        objective=Objective.of(engine, as_penalty(a)),
        record=Search(
            seed=as_seed(seed),
            n_init=as_count(n_init, name="n_init"),
            n_sweet=as_count(n_sweet, name="n_sweet"),
            n_iter=None if n_iter is None else as_count(n_iter, name="n_iter", minimum=0),
            max_seconds=as_seconds(max_seconds, name="max_seconds"),
            starts=(),
            flips=0,
            stopped_because="",
            seconds={},
        ),
    )
    if callable(progress):
        return search.run(progress)
    if not isinstance(progress, bool):
        raise TypeError(f"progress must be True, False or a function, not {progress!r}")
    with progress_display() if progress else nullcontext(lambda _: None) as report:
        return search.run(report)


def initial_estimate(engine: Engine, baseline: BinaryMatrix, objective: Objective) -> BinaryMatrix:
    """Align the draws to a baseline and keep the entries that at least a/2 of them have.

    Features that a draw has beyond the baseline's have no column here, whereas the paper lets them
    fall into padding columns in whatever order the solver leaves them.
    """
    matrix = objective.threshold(engine.align(baseline).counts)
    return np.ascontiguousarray(matrix[:, matrix.any(axis=0)])


@dataclass
class _Search:
    """One run of the search; collects the record as it goes."""

    engine: Engine
    objective: Objective
    record: Search
    began: float = field(default_factory=time.perf_counter)
    best: tuple[Fraction, BinaryMatrix] | None = None
    starts: list[tuple[Fraction, Start, BinaryMatrix]] = field(default_factory=list)
    is_flip_optimal: bool = False
    stopped_because: str = ""
    seconds: dict[str, float] = field(default_factory=dict)

    def run(self, report: Callable[[Progress], None]) -> Estimate:
        self.report = report
        self.rng = np.random.default_rng(self.record.seed)
        try:
            self.initialise()
            self.sweeten()
        except KeyboardInterrupt as interrupt:
            self.stopped_because = "interrupted"
            raise Interrupted(self.result() if self.best else None) from interrupt
        return self.result()

    def initialise(self) -> None:
        """Algorithm 1, lines 3 to 11: a start from each baseline."""
        since = time.perf_counter()
        n_init = min(self.record.n_init, self.engine.n_draws)
        baselines = self.rng.choice(self.engine.n_draws, size=n_init, replace=False)
        for done, draw in enumerate(baselines.tolist(), start=1):
            matrix = initial_estimate(self.engine, self.engine.samples[draw], self.objective)
            overlap = int(self.engine.overlaps(matrix).sum())
            score = self.objective.score(int(matrix.sum()), overlap)
            start = Start(
                method="baseline",
                draw=draw,
                initial_loss=self.loss(score),
                loss=None,
                flips=0,
                n_features=matrix.shape[1],
            )
            self.starts.append((score, start, matrix))
            self.consider(score, matrix, is_flip_optimal=False)
            self.report(Progress("align", done, n_init, self.best_loss))
            if self.out_of_time():
                break
        self.starts.sort(key=lambda start: start[0])
        self.seconds["align"] = time.perf_counter() - since

    def sweeten(self) -> None:
        """Algorithm 1, lines 12 to 22: descend from the best starts."""
        since = time.perf_counter()
        n_sweet = min(self.record.n_sweet, len(self.starts))
        for at in range(n_sweet):
            if self.out_of_time():
                break
            self.report(Progress("sweeten", at, n_sweet, self.best_loss))
            _, start, matrix = self.starts[at]
            end = self.descend(matrix)
            self.consider(end.score, end.matrix, is_flip_optimal=end.is_flip_optimal)
            self.starts[at] = (
                end.score,
                replace(
                    start,
                    loss=self.loss(end.score),
                    flips=end.n_flips,
                    n_features=int(end.matrix.any(axis=0).sum()),
                ),
                end.matrix,
            )
            self.report(Progress("sweeten", at + 1, n_sweet, self.best_loss))
        self.seconds["sweeten"] = time.perf_counter() - since
        if not self.stopped_because:
            self.stopped_because = (
                "no single flip lowers the expected loss"
                if self.record.n_iter is None
                else f"{self.record.n_iter} proposals per start were made"
            )

    def descend(self, matrix: BinaryMatrix) -> Sweetened:
        """Sweeten one start."""
        if self.record.n_iter is not None:
            proposals = self.propose(matrix.shape, self.record.n_iter)
            nearby = self.engine.neighbourhood(matrix)
            return by_proposals(nearby, proposals, self.objective, self.improved)[0]
        # An empty column to spare makes the birth of a feature one of the flips; once it is used,
        # the descent goes on with a new one.
        n_flips = 0
        while True:
            nearby = self.engine.neighbourhood(_with_empty_column(matrix))
            end = to_the_bottom(nearby, self.objective, self.improved)
            n_flips += end.n_flips
            matrix = end.matrix
            if not end.is_flip_optimal or not matrix.any(axis=0).all():
                return replace(end, n_flips=n_flips)

    def propose(self, shape: tuple[int, ...], n_iter: int) -> IntArray:
        """Random entries, each equally likely (none where there is no entry)."""
        n_entries = shape[0] * shape[1]
        flat = self.rng.integers(n_entries, size=n_iter if n_entries else 0)
        return np.stack(np.divmod(flat, max(shape[1], 1)), axis=1)

    def improved(self, matrix: BinaryMatrix, score: Fraction) -> bool:
        self.consider(score, matrix, is_flip_optimal=False)
        return not self.out_of_time()

    def consider(self, score: Fraction, matrix: BinaryMatrix, *, is_flip_optimal: bool) -> None:
        """Remember the allocation if it is the best so far."""
        if self.best is None or score < self.best[0]:
            self.best = score, matrix
            self.is_flip_optimal = is_flip_optimal
        elif score == self.best[0] and is_flip_optimal and not self.is_flip_optimal:
            self.best = score, matrix
            self.is_flip_optimal = True

    def out_of_time(self) -> bool:
        limit = self.record.max_seconds
        if limit is None or time.perf_counter() - self.began < limit:
            return False
        self.stopped_because = f"the time limit of {limit:g} s was reached"
        return True

    def loss(self, score: Fraction) -> float:
        return self.objective.loss_of_score(score)

    @property
    def best_loss(self) -> float:
        return float("inf") if self.best is None else self.loss(self.best[0])

    def result(self) -> Estimate:
        """Wrap up the best allocation found."""
        assert self.best is not None
        since = time.perf_counter()
        matrix = left_ordered(self.best[1])
        aligned = self.engine.align(matrix)
        samples, a = self.engine.samples, self.objective.a
        ones = int(matrix.sum())
        losses = a * ones + (2.0 - a) * samples.n_ones - 2.0 * aligned.overlaps
        self.seconds["finish"] = time.perf_counter() - since
        starts = tuple(start for _, start, _ in self.starts)
        return Estimate(
            matrix=matrix,
            expected_loss=self.objective.expected_loss(ones, aligned.total_overlap),
            a=a,
            proportions=aligned.counts / len(samples),
            losses=losses,
            items=samples.items,
            is_flip_optimal=self.is_flip_optimal,
            lower_bound=None,
            search=replace(
                self.record,
                starts=starts,
                flips=sum(start.flips for start in starts),
                stopped_because=self.stopped_because,
                seconds=dict(self.seconds),
            ),
        )


def _with_empty_column(matrix: BinaryMatrix) -> BinaryMatrix:
    """The non-empty columns and one empty one."""
    kept = matrix[:, matrix.any(axis=0)]
    return np.ascontiguousarray(np.pad(kept, ((0, 0), (0, 1))))
