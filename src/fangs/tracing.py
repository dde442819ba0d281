"""Walks along the penalty `a`: what was found at one penalty is a start for all the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from fangs.breakpoints import Line
from fangs.course import Progress
from fangs.engine import Engine
from fangs.loss import Objective, draw_losses, left_ordered
from fangs.result import Estimate, Search, Start
from fangs.samples import IntArray, Samples
from fangs.screened import SCREEN, WALK, is_quick
from fangs.search import Interrupted, estimate
from fangs.starts import from_template
from fangs.sweeten import with_births, without_empty
from fangs.validate import BinaryMatrix, as_seed, as_threads

N_TEMPLATES = 4
"""Templates that serve as starts at every penalty."""
N_SWEET = 2
"""Starts that are sweetened at every penalty."""


class Tracer:
    """Allocations found along the path, each with its loss at every penalty."""

    def __init__(
        self,
        samples: Samples,
        *,
        seed: int | None,
        n_threads: int | None,
        report: Callable[[Progress], None] | None = None,
    ) -> None:
        self.engine = Engine(samples, as_threads(n_threads))
        self.seed = as_seed(seed)
        self.report = report
        self.guide = Guide(self.engine, self.seed)
        self.lines: list[Line] = []
        self.settled: dict[float, Line] = {}
        self.searches: dict[float, Search] = {}

    def trace(self, grid: Sequence[float]) -> None:
        """Settle every penalty of an increasing grid, so that no line found is lower anywhere."""
        middle = min(grid, key=lambda a: (abs(a - 1), a))
        try:
            if not self.settled:
                self.search(middle, self.report)
            others = [a for a in grid if a not in self.settled]
            if is_quick(self.engine.samples):
                for done, a in enumerate(others):
                    self.tell(done, len(others), a)
                    self.search(a)
            else:
                self.trace_from(middle, others)
            # Ends, because every round lowers some loss.
            while [a for a in grid if self.settle(a)]:
                pass
        except Interrupted:
            raise
        except KeyboardInterrupt as interrupt:
            raise Interrupted(self.estimate_at(middle)) from interrupt

    def search(self, a: float, report: Callable[[Progress], None] | None = None) -> None:
        """Search at this penalty as if it were the only one."""
        found = estimate(
            self.engine.samples,
            a=a,
            seed=self.seed,
            n_threads=self.engine.n_threads,
            progress=report or False,
        )
        assert found.search is not None
        self.settled[a] = self.add(found.matrix, int(self.engine.overlaps(found.matrix).sum()))
        self.searches[a] = found.search

    def trace_from(self, middle: float, others: list[float]) -> None:
        """Go outwards from the middle, and then from the dense end back to it."""
        self.guide.take(middle, self.settled[middle].matrix)
        # Features vanish easily as a grows, but are hard to find as it falls.
        back = [a for a in others if a < middle][1:]
        steps = [*sorted(others, key=lambda a: abs(a - middle)), *back]
        total = len(steps) + len(others)
        for done, a in enumerate(steps):
            self.tell(done, total, a)
            self.guide.look(a)
        for done, a in enumerate(others, start=len(steps)):
            self.tell(done, total, a)
            self.descend(a, self.guide.found[a][1])

    def tell(self, done: int, total: int, a: float) -> None:
        """Report progress to whoever listens."""
        if self.report is not None:
            self.report(Progress("path", done, total, self.loss_near(a)))

    def loss_near(self, a: float) -> float:
        """The lowest expected loss at this penalty of all lines found so far."""
        objective = Objective.of(self.engine, a)
        return min(objective.expected_loss(line.n_ones, line.overlap) for line in self.lines)

    def settle(self, a: float) -> bool:
        """Descend at this penalty from the best line; False if there is no need."""
        objective = Objective.of(self.engine, a)

        def score(line: Line) -> Fraction:
            return objective.score(line.n_ones, line.overlap)

        best = min(self.lines, key=score)
        if a in self.settled and score(best) >= score(self.settled[a]):
            return False
        self.descend(a, best.matrix)
        return True

    def descend(self, a: float, matrix: BinaryMatrix) -> None:
        """Sweeten an allocation at this penalty on all draws, and settle for where that ends."""
        objective = Objective.of(self.engine, a)
        first, *_, last = with_births(self.engine, matrix, objective)
        self.settled[a] = self.add(last.matrix, objective.overlap(last.score, last.matrix))
        self.note(
            a,
            Start(
                method="neighbour",
                draw=None,
                initial_loss=objective.loss_of_score(first.score),
                loss=objective.loss_of_score(last.score),
                flips=last.n_flips,
                n_features=self.settled[a].n_features,
            ),
        )

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

    def add(self, matrix: BinaryMatrix, overlap: int) -> Line:
        """Remember an allocation and its total overlap with the draws."""
        matrix = left_ordered(matrix)
        for known in self.lines:
            if np.array_equal(known.matrix, matrix):
                return known
        self.lines.append(Line(matrix, int(matrix.sum()), overlap))
        return self.lines[-1]

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


class Guide:
    """Finds good starts for any penalty on some of the draws, where there are many."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.engine = engine
        if engine.n_draws > 2 * SCREEN:
            some = self.rng.choice(engine.n_draws, size=SCREEN, replace=False)
            self.engine = engine.select(np.sort(some))
        self.n_walk = min(WALK, self.engine.n_draws)
        self.found: dict[float, tuple[Fraction, BinaryMatrix]] = {}
        """The best allocation found at each penalty, and its score there."""
        self.tried: dict[float, set[bytes]] = {}

    @cached_property
    def templates(self) -> list[IntArray]:
        """Counts of mean features; the same for all penalties."""
        walks = [self.rng.permutation(self.engine.n_draws) for _ in range(N_TEMPLATES)]
        return self.engine.grow_templates([walk[: self.n_walk] for walk in walks])

    def take(self, a: float, matrix: BinaryMatrix) -> None:
        """Be told what was found elsewhere."""
        self.found[a] = (self.score(matrix, Objective.of(self.engine, a)), matrix)

    def look(self, a: float) -> None:
        """Sweeten the best starts that were not tried before; remember the best end."""
        objective = Objective.of(self.engine, a)
        tried = self.tried.setdefault(a, set())
        ranked: list[tuple[Fraction, BinaryMatrix]] = []
        for start in self.starts(a, objective):
            key = left_ordered(start).tobytes()
            if key in tried:
                break  # two agree
            tried.add(key)
            ranked.append((self.score(start, objective), start))
        ranked.sort(key=lambda pair: pair[0])
        ends = [self.found[a]] if a in self.found else []
        for _, start in ranked[:N_SWEET]:
            *_, last = with_births(self.engine, start, objective)
            ends.append((last.score, without_empty(last.matrix)))
        self.found[a] = min(ends, key=lambda pair: pair[0])

    def starts(self, a: float, objective: Objective) -> Iterator[BinaryMatrix]:
        """Templates, at the first look, and what the neighbours have, fitted to this penalty."""
        for counts in () if a in self.found else self.templates:
            yield from_template(self.engine, counts, self.n_walk, objective).matrix
        for near in self.neighbours(a):
            yield self.rethresholded(self.found[near][1], objective)

    def neighbours(self, a: float) -> list[float]:
        """The nearest penalties below and above that have been looked at."""
        below = [near for near in self.found if near < a]
        above = [near for near in self.found if near > a]
        return [*([max(below)] if below else []), *([min(above)] if above else [])]

    def score(self, matrix: BinaryMatrix, objective: Objective) -> Fraction:
        """The allocation's score over the guide's draws."""
        return objective.score(int(matrix.sum()), int(self.engine.overlaps(matrix).sum()))

    def rethresholded(self, matrix: BinaryMatrix, objective: Objective) -> BinaryMatrix:
        """Keep the entries worth having at this penalty, with the draws aligned as they are.

        It cannot harm: of all allocations this is the best for that alignment.
        """
        return without_empty(objective.threshold(self.engine.align(matrix).counts))
