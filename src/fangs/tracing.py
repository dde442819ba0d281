"""Walks along the penalty `a`: descents that start from what was found at other penalties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from fangs.breakpoints import Line
from fangs.engine import Engine
from fangs.loss import Objective, draw_losses, left_ordered
from fangs.result import Estimate, Search, Start
from fangs.samples import Samples
from fangs.search import Progress, estimate
from fangs.sweeten import with_births, without_empty
from fangs.validate import BinaryMatrix, as_seed, as_threads

SOME = 512
"""Draws among which the way is found when there are many more."""


class Tracer:
    """Allocations found along the path, each with its loss at every penalty."""

    def __init__(
        self,
        samples: Samples,
        *,
        seed: int | None,
        n_threads: int | None,
        progress: bool | Callable[[Progress], None] = False,
    ) -> None:
        self.engine = Engine(samples, as_threads(n_threads))
        self.seed = as_seed(seed)
        self.progress = progress
        self.lines: list[Line] = []
        self.settled: dict[float, Line] = {}
        self.searches: dict[float, Search] = {}

    def trace(self, grid: Sequence[float]) -> None:
        """Settle every penalty of an increasing grid, so that no line found is lower anywhere."""
        if not self.searches:
            middle = min(grid, key=lambda a: (abs(a - 1), a))
            self.search(middle, progress=self.progress)
            if self.engine.n_draws > 2 * SOME:
                # Some of the draws show the way; then all of them decide.
                ahead = self.among_some()
                ahead.trace(grid)
                for a in sorted(grid, key=lambda a: abs(a - middle)):
                    self.settle(a, ahead.settled[a].matrix)
            else:
                self.explore(grid, middle)
        # Ends, because every round lowers some loss.
        while [a for a in grid if self.settle(a)]:
            pass

    def explore(self, grid: Sequence[float], middle: float) -> None:
        """Go from the middle to both ends, and from the dense end back."""
        for a in sorted(grid, key=lambda a: abs(a - middle)):
            self.settle(a, self.look(a))
        # Features vanish easily as a grows, but are hard to find as it falls.
        for low, a in pairwise(grid):
            if a < middle:
                self.settle(a, self.settled[low].matrix)

    def look(self, a: float) -> BinaryMatrix:
        """Search at this penalty from nothing."""
        return estimate(
            self.engine.samples,
            a=a,
            seed=self.seed,
            n_threads=self.engine.n_threads,
        ).matrix

    def among_some(self) -> Tracer:
        """Make a tracer for some of the draws."""
        rng = np.random.default_rng(self.seed)
        some = np.sort(rng.choice(self.engine.n_draws, size=SOME, replace=False))
        return Tracer(
            self.engine.select(some).samples, seed=self.seed, n_threads=self.engine.n_threads
        )

    def search(self, a: float, progress: bool | Callable[[Progress], None] = False) -> None:
        """Search at this penalty from nothing."""
        found = estimate(
            self.engine.samples,
            a=a,
            seed=self.seed,
            n_threads=self.engine.n_threads,
            progress=progress,
        )
        assert found.search is not None
        self.settled[a] = self.add(found.matrix)
        self.searches[a] = found.search

    def settle(self, a: float, *starts: BinaryMatrix) -> bool:
        """Descend at this penalty from the starts or the best line; False if there is no need."""
        objective = Objective.of(self.engine, a)

        def score(line: Line) -> Fraction:
            return objective.score(line.n_ones, line.overlap)

        line = min(self.lines, key=score)
        settled = self.settled.get(a)
        if settled is not None and score(line) >= score(settled) and not starts:
            return False
        ready = [self.rethresholded(matrix, objective) for matrix in (*starts, line.matrix)]
        start = min(ready, key=score)
        if settled is not None and start is ready[-1] and score(line) >= score(settled):
            return False
        *_, last = with_births(self.engine, leap(self.engine, start.matrix, objective), objective)
        end = self.add(last.matrix)
        if settled is None or score(end) < score(settled):
            self.settled[a] = end
        self.note(
            a,
            Start(
                method="neighbour",
                draw=None,
                initial_loss=objective.loss_of_score(score(start)),
                loss=objective.loss_of_score(last.score),
                flips=last.n_flips,
                n_features=end.n_features,
            ),
        )
        return True

    def note(self, a: float, start: Start) -> None:
        """Add a start to the record of this penalty."""
        if a not in self.searches:
            origin = next(iter(self.searches.values()))
            self.searches[a] = replace(
                origin,
                starts=(),
                flips=0,
                stopped_because="no single flip lowers the expected loss",
                seconds={},
            )
        known = self.searches[a]
        self.searches[a] = replace(
            known, starts=(*known.starts, start), flips=known.flips + start.flips
        )

    def rethresholded(self, matrix: BinaryMatrix, objective: Objective) -> Line:
        """Keep the entries worth having at this penalty, align, and so on while that helps.

        It cannot harm: the loss with the draws aligned as before is the least possible, and
        aligning them anew only lowers it.
        """
        best: Line | None = None
        while True:
            aligned = self.engine.align(matrix)
            line = Line(matrix, int(matrix.sum()), aligned.total_overlap)
            if best is not None and objective.score(line.n_ones, line.overlap) >= objective.score(
                best.n_ones, best.overlap
            ):
                return best
            best, matrix = line, without_empty(objective.threshold(aligned.counts))

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
        return Estimate(
            matrix=line.matrix,
            expected_loss=Objective.of(self.engine, a).expected_loss(line.n_ones, line.overlap),
            a=a,
            proportions=aligned.counts / len(samples),
            losses=draw_losses(a, line.n_ones, samples, aligned.overlaps),
            items=samples.items,
            is_flip_optimal=True,
            search=self.searches[a],
        )


def leap(engine: Engine, matrix: BinaryMatrix, objective: Objective) -> BinaryMatrix:
    """Make the best few flips of every column at once, as many as still lower the expected loss.

    From one penalty to the next hundreds of entries may change, most of which do not interfere.
    """
    nearby = engine.neighbourhood(matrix)
    now = int(matrix.sum()), nearby.total_overlap
    few = 16
    while few > 1 and matrix.size:
        counts = nearby.counts()
        gains = np.where(objective.improves(matrix, counts), objective.gains(matrix, counts), 0)
        if np.count_nonzero(gains) <= matrix.shape[1] // 4:
            break
        while few > 1:
            ranks = np.argsort(np.argsort(-gains, axis=0, kind="stable"), axis=0)
            items, features = np.nonzero((gains > 0) & (ranks < few))
            nearby.flip(items, features)
            before, now = now, (int(nearby.matrix.sum()), nearby.total_overlap)
            if objective.score(*now) < objective.score(*before):
                matrix = nearby.matrix
                break
            nearby.flip(items, features)
            now, few = before, few // 2
    return matrix
