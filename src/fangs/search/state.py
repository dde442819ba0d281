"""What a search knows while it runs: the best allocation so far, the starts made, the time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace

from fangs._typing import BinaryMatrix, IntArray
from fangs.engine import Deadline, Engine, pass_seconds
from fangs.loss import Objective
from fangs.search.local_search import LocalSearch
from fangs.search.record import Search, SearchSettings, Start
from fangs.search.starts import Candidate
from fangs.search.subsample import Subsample


@dataclass(frozen=True)
class Progress:
    """How far a search has come.

    Attributes
    ----------
    phase
        "start", "sweeten" or "refine"; "path" along a grid of penalties.
    done
        Steps of the phase that are done.
    total
        Steps of the phase, or None if they are not known.
    loss
        The lowest expected loss so far; at first it may be over a subsample of the draws.
    """

    phase: str
    done: int
    total: int | None
    loss: float


@dataclass(frozen=True, eq=False)
class Solution:
    """An allocation and its exact score over some draws; lower is better."""

    matrix: BinaryMatrix
    score: int
    n_ones: int

    @classmethod
    def of(cls, search: LocalSearch) -> Solution:
        """Where a local search stands."""
        return cls(search.matrix, search.score, search.n_ones)

    @property
    def key(self) -> tuple[int, int]:
        """What solutions are compared by: the score, and of equal ones the sparser."""
        return self.score, self.n_ones


@dataclass(frozen=True, eq=False)
class Provisional:
    """The best allocation over a subsample."""

    subsample: Subsample
    matrix: BinaryMatrix
    loss: float


class SearchState:
    """The incumbent, the record and the deadline of one search.

    Until there is an incumbent over all draws, the best allocation over a subsample stands in, or
    the start that was given.
    """

    def __init__(
        self,
        engine: Engine,
        objective: Objective,
        settings: SearchSettings,
        report: Callable[[Progress], None] | None = None,
        deadline: Deadline | None = None,
        given: BinaryMatrix | None = None,
    ) -> None:
        self.objective = objective
        self.settings = settings
        self.deadline = deadline or Deadline(settings.max_seconds)
        info = engine.samples_info
        self._keep_for_last_pass(pass_seconds(info, round(float(info.n_features.mean()))))
        self.engine = self.deadline.limit(engine)
        self.given = given
        self.incumbent: Solution | None = None
        self.provisional: Provisional | None = None
        self.starts: list[Start] = []
        self.stopped_because = ""
        self._seconds: dict[str, float] = {}
        self._report = report

    def _keep_for_last_pass(self, seconds: float) -> None:
        """Reserve time for the pass that sums up, up to half of what is granted."""
        self.deadline.reserved = min(seconds, self.deadline.max_seconds / 2)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Note how long the block took."""
        since = self.deadline.elapsed
        try:
            yield
        finally:
            seconds = self.deadline.elapsed - since
            self._seconds[name] = self._seconds.get(name, 0.0) + seconds

    @contextmanager
    def measured_pass(self) -> Iterator[None]:
        """Learn from a pass over all draws how long the last one will take."""
        since = self.deadline.elapsed
        yield
        self._keep_for_last_pass(self.deadline.elapsed - since)

    def update_incumbent(self, search: LocalSearch) -> None:
        """Keep where a search over all draws stands if that is the best so far.

        A search that is at another penalty for a while does not count.
        """
        is_better = self.incumbent is None or search.key < self.incumbent.key
        if is_better and search.objective == self.objective:
            self.incumbent = Solution.of(search)
        self.deadline.check()

    def offer(self, solution: Solution) -> None:
        """Keep a solution over all draws if it is the best so far."""
        if self.incumbent is None or solution.key < self.incumbent.key:
            self.incumbent = solution

    def update_provisional(self, subsample: Subsample, matrix: BinaryMatrix, score: int) -> None:
        """Keep the best allocation over a subsample."""
        loss = subsample.objective.loss_of_score(score)
        if self.provisional is None or loss < self.provisional.loss:
            self.provisional = Provisional(subsample, matrix, loss)
        self.deadline.check()

    def record_start(
        self,
        start: Candidate,
        objective: Objective,
        end: LocalSearch | Solution | None = None,
        n_flips: int = 0,
        *,
        n_draws: int,
    ) -> None:
        """Note a start and, if it was sweetened, how far it came over the objective's draws."""
        matrix = start.matrix if end is None else end.matrix
        if isinstance(end, LocalSearch):
            n_flips = end.n_flips
        self.starts.append(
            Start(
                method=start.method,
                draw=start.draw,
                initial_loss=objective.loss_of_score(start.score),
                loss=None if end is None else objective.loss_of_score(end.score),
                flips=n_flips,
                n_features=int(matrix.any(axis=0).sum()),
                n_draws=n_draws,
            )
        )

    def report_progress(self, phase: str, done: int, total: int | None) -> None:
        """Tell the user, if they asked for it."""
        if self._report is not None:
            loss = float("inf") if self.provisional is None else self.provisional.loss
            if self.incumbent is not None:
                loss = self.objective.loss_of_score(self.incumbent.score)
            self._report(Progress(phase, done, total, loss))
        self.deadline.check()

    def best_matrix(self) -> BinaryMatrix | None:
        """The best allocation so far, or None."""
        if self.incumbent is not None:
            return self.incumbent.matrix
        if self.provisional is not None:
            found = self.provisional
            return found.subsample.on_all_items(found.matrix, has_limit=False)
        return self.given

    def record(self, draws: IntArray) -> Search:
        """The settings together with what was done; `draws` are the numbers of those searched."""
        return Search(
            **asdict(self.settings),
            starts=tuple(
                start if start.draw is None else replace(start, draw=int(draws[start.draw]))
                for start in self.starts
            ),
            flips=sum(start.flips for start in self.starts),
            stopped_because=self.stopped_because,
            seconds=self._seconds,
        )
