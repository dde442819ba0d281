"""Walks along the penalty `a`: what was found at one penalty is a start for all the others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from fangs.breakpoints import Line
from fangs.course import Course, Progress
from fangs.engine import Aligned, Engine
from fangs.loss import Objective, draw_losses, left_order
from fangs.result import Estimate, Search, Start
from fangs.samples import Samples
from fangs.screened import is_quick
from fangs.search import Interrupted, run
from fangs.sweeten import Descent, Sweetened, with_births
from fangs.swings import aside, swung
from fangs.validate import BinaryMatrix, as_seed, as_threads

SOME = 256
"""Draws on which the path is walked first where there are many."""
RUNG = 8
"""How many times as many draws come next, until all are used."""
N_SWINGS = 2
"""Swings at each penalty on the first of them, where there are many features."""
BEYOND = 2.0
"""By how much the odds a : 2 - a where the path turns exceed those at its end, or fall short."""


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
        self.rng = np.random.default_rng(self.seed)
        self.objectives: dict[float, Objective] = {}
        self.known: dict[bytes, Line] = {}
        self.settled: dict[float, Line] = {}
        self.starts: dict[float, list[Start]] = {}
        self.aligned: dict[Line, Aligned] = {}
        self.searched: Estimate | None = None

    @cached_property
    def rungs(self) -> list[Engine]:
        """Ever more of the draws, up to half of them, and all at last."""
        sizes = [SOME]
        while 2 * sizes[-1] < self.engine.n_draws:
            sizes.append(RUNG * sizes[-1])
        return [*(self.engine.some(n, self.rng) for n in sizes[:-1]), self.engine]

    @property
    def lines(self) -> Collection[Line]:
        """All allocations found so far."""
        return self.known.values()

    def trace(self, grid: Sequence[float]) -> None:
        """Settle every penalty of an increasing grid, so that no line found is lower anywhere."""
        middle = min(grid, key=lambda a: (abs(a - 1), a))
        try:
            others = [a for a in grid if a not in self.settled]
            if not self.settled:
                others.remove(middle)
                self.search(middle, others)
            if left := [a for a in others if a not in self.settled]:
                self.walk_both_ways(left, middle, len(others))
            # Ends, because every round lowers some loss.
            while [a for a in grid if self.settle(a)]:
                pass
        except Interrupted:
            raise
        except KeyboardInterrupt as interrupt:
            raise Interrupted(self.estimate_at(middle)) from interrupt

    def search(self, a: float, others: Sequence[float] = ()) -> None:
        """Search at this penalty, and settle others for which the same features clearly serve."""
        also = {other: self.objective(other) for other in others}
        course = Course(self.engine, self.objective(a), Search(seed=self.seed), self.report, also)
        self.searched = found = run(course)
        assert course.best is not None
        overlap = course.objective.overlap(course.best.score, course.best.matrix)
        self.claim(a, self.add(found.matrix, overlap))
        for at, (other, (begin, outcome, n_flips)) in enumerate(course.landed.items()):
            self.tell(at, len(others), other)
            line = self.add(outcome.matrix, outcome.aligned.total_overlap)
            self.aligned[line] = outcome.aligned
            ones, overlap = int(np.count_nonzero(begin.matrix)), begin.aligned.total_overlap
            self.record(other, also[other].expected_loss(ones, overlap), line, n_flips)

    def walk_both_ways(self, steps: Sequence[float], middle: float, total: int) -> None:
        """Settle these penalties, the last of so many, from the middle of the path outwards."""
        is_short = len(self.rungs) == 1 and is_quick(self.engine.samples)
        walk = self.walk if is_short else self.walk_on_some
        denser = [a for a in reversed(steps) if a < middle]
        done = total - len(steps)
        walk(denser, done, total)
        walk([a for a in steps if a > middle], done + len(denser), total)

    def walk(self, steps: Sequence[float], done: int, total: int) -> None:
        """Go from penalty to penalty, each time on from where the last descent ended.

        The matchings and the worth of all flips are at hand then, so a step takes a repair and a
        pricing, and nothing at all where the allocation stays. Where the number of features has
        changed, single flips may not have been enough: then the way back is tried, too, from a
        little beyond the end.
        """
        if not steps:
            return
        begin = self.nearest_settled(steps[0])
        line = first = self.settled[begin]
        descent = Descent(self.engine, line.matrix)
        for at, a in enumerate(steps, start=done):
            self.tell(at, total, a)
            line = self.descend(a, descent, line)
        n_features = line.n_features
        for a in self.beyond(steps[-1]):
            *_, last = descent.states(self.objective(a))
            n_features = int(last.matrix.any(axis=0).sum())
        if n_features != first.n_features:
            for a in [*reversed(steps), begin]:
                self.descend(a, descent)

    def walk_on_some(self, steps: Sequence[float], done: int, total: int) -> None:
        """Go from penalty to penalty and back on some of the draws; from there to more, and all."""
        if not steps:
            return
        few, *more = self.rungs[:-1] or self.rungs
        n_swings = 0 if is_quick(self.engine.samples) else N_SWINGS
        found: dict[float, Sweetened] = {}
        matrix = self.settled[self.nearest_settled(steps[0])].matrix
        for at, a in enumerate(steps, start=2 * done):
            self.tell(at, 2 * total, a)
            *_, found[a] = swung(few, matrix, Objective.of(few, a), self.rng, n_swings)
            matrix = found[a].matrix
        descent = Descent(few, matrix)
        for a in [*self.beyond(steps[-1]), *reversed(steps)]:
            *_, last = descent.states(Objective.of(few, a))
            found[a] = min(found.get(a, last), last, key=lambda state: state.score)
        for at, a in enumerate(steps, start=2 * done + len(steps)):
            self.tell(at, 2 * total, a)
            matrix = found[a].matrix
            for engine in more:
                *_, last = with_births(engine, matrix, Objective.of(engine, a))
                matrix = last.matrix
            self.descend(a, Descent(self.engine, matrix))

    def beyond(self, end: float) -> list[float]:
        """Where to turn back on a path up to this penalty: past it, unless that way is known."""
        if any(other < end if end < 1 else other > end for other in self.settled):
            return []
        return [aside(end, 1 / BEYOND if end < 1 else BEYOND)]

    def nearest_settled(self, a: float) -> float:
        """The penalty nearest to this one that has an allocation."""
        return min(self.settled, key=lambda other: abs(other - a))

    def objective(self, a: float) -> Objective:
        """The expected loss over all draws at this penalty."""
        if a not in self.objectives:
            self.objectives[a] = Objective.of(self.engine, a)
        return self.objectives[a]

    def tell(self, done: int, total: int, a: float) -> None:
        """Report progress to whoever listens."""
        if self.report is not None:
            self.report(Progress("path", done, total, self.loss_near(a)))

    def loss_near(self, a: float) -> float:
        """The lowest expected loss at this penalty of all lines found so far."""
        objective = self.objective(a)
        return min(objective.expected_loss(line.n_ones, line.overlap) for line in self.lines)

    def settle(self, a: float) -> bool:
        """Descend at this penalty from the best line; False if there is no need."""
        score = self.score_at(a)
        best = min(self.lines, key=score)
        if a in self.settled and score(best) >= score(self.settled[a]):
            return False
        self.descend(a, Descent(self.engine, best.matrix))
        return True

    def claim(self, a: float, line: Line) -> None:
        """Settle for this line unless a better one is known at this penalty."""
        score = self.score_at(a)
        if a not in self.settled or score(line) < score(self.settled[a]):
            self.settled[a] = line

    def score_at(self, a: float) -> Callable[[Line], int]:
        """What to compare lines by at this penalty; lower is better."""
        objective = self.objective(a)
        return lambda line: objective.score(line.n_ones, line.overlap)

    def descend(self, a: float, descent: Descent, line: Line | None = None) -> Line:
        """Let a descent over all draws go on at this penalty; the line where that ends.

        `line` is where it stands, if that is known.
        """
        objective = self.objective(a)
        first, *_, last = descent.states(objective)
        if line is None or last.n_flips > 0:
            overlap = objective.overlap(last.score, last.matrix)
            line = self.add(last.matrix.take(left_order(last.matrix), axis=1), overlap)
        before = objective.loss_of_score(first.score)
        self.record(a, before, line, last.n_flips)
        return line

    def record(self, a: float, initial_loss: float, line: Line, n_flips: int) -> None:
        """Note which line was found at this penalty, and settle for it if it is the best known."""
        start = Start(
            method="neighbour",
            draw=None,
            initial_loss=initial_loss,
            loss=self.objective(a).expected_loss(line.n_ones, line.overlap),
            flips=n_flips,
            n_features=line.n_features,
        )
        self.starts.setdefault(a, []).append(start)
        self.claim(a, line)

    def aligned_to(self, line: Line) -> Aligned:
        """All draws aligned to this line."""
        if line not in self.aligned:
            self.aligned[line] = self.engine.align(line.matrix)
        return self.aligned[line]

    def add(self, matrix: BinaryMatrix, overlap: int) -> Line:
        """Remember an allocation, left-ordered, and its total overlap with the draws."""
        key = matrix.tobytes()
        if key not in self.known:
            self.known[key] = Line(matrix, int(np.count_nonzero(matrix)), overlap)
        return self.known[key]

    def estimate_at(self, a: float) -> Estimate:
        """The best allocation found, as an estimate at this penalty."""
        line = self.settled[a]
        starts = tuple(self.starts.get(a, ()))
        search = Search(
            seed=self.seed,
            starts=starts,
            flips=sum(start.flips for start in starts),
            stopped_because="no single flip lowers the expected loss",
        )
        assert self.searched is not None
        if a == self.searched.a:
            own = self.searched.search
            assert own is not None
            search = replace(own, starts=own.starts + starts, flips=own.flips + search.flips)
            if np.array_equal(self.searched.matrix, line.matrix):
                return replace(self.searched, search=search)
        aligned = self.aligned_to(line)
        samples = self.engine.samples
        return Estimate(
            matrix=line.matrix,
            expected_loss=self.objective(a).expected_loss(line.n_ones, line.overlap),
            a=a,
            proportions=aligned.counts / len(samples),
            losses=draw_losses(a, line.n_ones, samples, aligned.overlaps),
            items=samples.items,
            is_flip_optimal=True,
            search=search,
        )
