"""PathSolver: a warm-started path over the penalty `a`.

What was found at one penalty is the start at the next (continuation; Allgower and Georg 1990).
Overlaps do not depend on `a`, so every allocation found competes at every penalty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from fangs._typing import BinaryMatrix
from fangs.allocation import left_ordered
from fangs.engine import Deadline, Engine, Evaluation, OutOfTimeError, pass_seconds
from fangs.estimate import Estimate
from fangs.loss import Objective
from fangs.path.envelope import Line
from fangs.search import Progress, SearchParams, run_search
from fangs.search.local_search import LocalSearch
from fangs.search.multistart import improve
from fangs.search.perturb import make_perturbations, scale_odds
from fangs.search.record import Search, SearchSettings, Start
from fangs.search.state import Solution

BEYOND = 2.0
"""Factor on the odds a : (2 - a) from the end of a path to where it turns back."""


def _beyond(end: float) -> float:
    """A penalty past the end of a path."""
    return scale_odds(end, 1 / BEYOND if end < 1 else BEYOND)


class PathSolver:
    """Finds estimates over a grid of penalties, and can refine the grid afterwards."""

    def __init__(
        self,
        engine: Engine,
        seed: int,
        *,
        params: SearchParams | None = None,
        report: Callable[[Progress], None] | None = None,
    ) -> None:
        self.engine = engine
        self.seed = seed
        self.best: dict[float, Line] = {}
        """The best allocation known at each penalty."""
        self._params = params or SearchParams()
        self._report = report
        self._rng = np.random.default_rng(seed)
        self._lines: dict[bytes, Line] = {}
        self._evaluations: dict[Line, Evaluation] = {}
        self._starts: dict[float, list[Start]] = {}
        self._searched: dict[float, Estimate] = {}

    @property
    def lines(self) -> list[Line]:
        """All allocations found."""
        return list(self._lines.values())

    def solve(self, grid: Sequence[float]) -> None:
        """Find an allocation for every penalty of an increasing grid.

        Afterwards each is flip-optimal, and no allocation found anywhere is better.
        """
        middle = min(grid, key=lambda a: (abs(a - 1), a))
        if not self.best:
            self._search(middle)
        missing = [a for a in grid if a not in self.best]
        denser = [a for a in reversed(missing) if a < middle]
        sparser = [a for a in missing if a > middle]
        self._continue(denser, 0, len(missing))
        self._continue(sparser, len(denser), len(missing))
        for a in denser + sparser:
            if self._is_free(a):
                self._search(a)
        # Ends, because every round lowers some loss.
        while any([self._adopt_better(a) for a in grid]):
            pass

    def estimate_at(self, a: float) -> Estimate:
        """The best allocation found, as an estimate at this penalty."""
        line, searched = self.best[a], self._searched.get(a)
        starts = tuple(self._starts.get(a, ()))
        record = Search(seed=self.seed, stopped_because="no single flip lowers the expected loss")
        if searched is not None and searched.search is not None:
            record = searched.search
        record = replace(
            record,
            starts=record.starts + starts,
            flips=record.flips + sum(start.flips for start in starts),
        )
        if searched is not None and np.array_equal(searched.matrix, line.matrix):
            return searched.with_search(record)
        if line not in self._evaluations:
            self._evaluations[line] = self.engine.evaluate(line.matrix)
        evaluation = self._evaluations[line]
        return Estimate.of(self.engine, line.matrix, a, evaluation=evaluation, search=record)

    def estimates_within(self, seconds: float) -> dict[float, Estimate]:
        """The estimates so far, as many as can be summed up in this time, and those of searches."""
        found = dict(self._searched)
        engine, deadline = self.engine, Deadline(seconds)
        self.engine = deadline.limit(engine)
        try:
            for a in deadline.over(self.best):
                found[a] = self.estimate_at(a)
        except (KeyboardInterrupt, OutOfTimeError):
            pass
        finally:
            self.engine = engine
        return found

    def _search(self, a: float) -> None:
        """Search at a penalty, from nothing."""
        settings = SearchSettings(seed=self.seed)
        found = run_search(self.engine, a, settings, params=self._params, report=self._report)
        self._searched[a] = found
        overlap = self.engine.samples_info.weigh(self.engine.overlaps(found.matrix))
        self._keep(a, self._add(found.matrix, found.n_ones, overlap))

    def _is_free(self, a: float) -> bool:
        """Whether a search costs next to nothing, so that the path can do as well as searches do.

        Draws are then few, and equally good allocations are common.
        """
        seconds = pass_seconds(self.engine.samples_info, self.best[a].n_features)
        return self._params.walk_steps * seconds <= self._params.free_seconds

    def _continue(self, steps: Sequence[float], done: int, total: int) -> None:
        """Go from penalty to penalty on a subsample; then settle each penalty on all draws."""
        if not steps:
            return
        begin = min(self.best, key=lambda a: abs(a - steps[0]))
        found = self._there_and_back(begin, steps)
        search = LocalSearch(self.engine, self._objective(begin), self.best[begin].matrix)
        for at, (a, matrix) in enumerate(found.items(), start=1):
            self._report_progress(done + at * len(steps) // len(found), total, a)
            search.objective = self._objective(a)
            search.move_to(matrix)
            self._settle(a, search)

    def _there_and_back(self, begin: float, steps: Sequence[float]) -> dict[float, BinaryMatrix]:
        """The best allocations at these penalties over a subsample.

        Single flips may not be enough where features come and go. There the way back is tried too,
        from a little beyond the end, with perturbations.
        """
        info, n_draws = self.engine.samples_info, self._params.subsample_draws
        few = info.n_draws if info.n_draws < 1.5 * n_draws else n_draws
        engine = self.engine.subsample(few, self._rng)
        search = LocalSearch(engine, self._objective(begin), self.best[begin].matrix)
        tries = make_perturbations(self._params.final_tries, self._params)
        found: dict[float, Solution] = {}

        def visit(a: float) -> None:
            search.objective = Objective.of(engine.samples_info, a)
            search.descend()
            if is_back:
                improve(search, tries, self._rng)
            if a not in found or search.key < found[a].key:
                found[a] = Solution.of(search)

        is_back = False
        for a in (*steps, _beyond(steps[-1])):
            visit(a)
        if search.n_features != self.best[begin].n_features:
            is_back = True
            for a in (*reversed(steps), begin):
                visit(a)
        return {a: found[a].matrix for a in found if a in (*steps, begin)}

    def _settle(self, a: float, search: LocalSearch) -> None:
        """Descend over all draws at this penalty and keep the result if it is the best known."""
        objective = self._objective(a)
        initial, before = search.score, search.n_flips
        search.descend()
        overlap = objective.overlap_of(search.score, search.n_ones)
        line = self._add(left_ordered(search.matrix), search.n_ones, overlap)
        self._starts.setdefault(a, []).append(
            Start(
                method="neighbour",
                draw=None,
                initial_loss=objective.loss_of_score(initial),
                loss=objective.loss_of_score(search.score),
                flips=search.n_flips - before,
                n_features=line.n_features,
                n_draws=self.engine.samples_info.n_draws,
            )
        )
        self._keep(a, line)

    def _keep(self, a: float, line: Line) -> None:
        """Keep a line if it is the best known at this penalty; of equal ones, the sparser."""
        if a not in self.best or self._key(a, line) < self._key(a, self.best[a]):
            self.best[a] = line

    def _adopt_better(self, a: float) -> bool:
        """Descend from the best line of all at this penalty; False if that is its own."""
        best = min(self.lines, key=lambda line: self._key(a, line))
        if self._key(a, best) >= self._key(a, self.best[a]):
            return False
        self._settle(a, LocalSearch(self.engine, self._objective(a), best.matrix))
        return True

    def _key(self, a: float, line: Line) -> tuple[int, int]:
        return self._objective(a).score(line.n_ones, line.overlap), line.n_ones

    def _add(self, matrix: BinaryMatrix, ones: int, overlap: int) -> Line:
        """Remember a left-ordered allocation and its total overlap with the draws."""
        return self._lines.setdefault(matrix.tobytes(), Line(matrix, ones, overlap))

    def _objective(self, a: float) -> Objective:
        return Objective.of(self.engine.samples_info, a)

    def _report_progress(self, done: int, total: int, a: float) -> None:
        if self._report is not None:
            objective = self._objective(a)
            loss = min(objective.expected_loss(line.n_ones, line.overlap) for line in self.lines)
            self._report(Progress("path", done, total, loss))
