"""What a search knows while it runs: the best allocation so far, the starts made, the clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

from fangs._typing import BinaryMatrix
from fangs.engine import Engine, pass_seconds
from fangs.loss import Objective
from fangs.search.clock import Clock, OutOfTimeError
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

    def on_all_items(self, seconds: float) -> BinaryMatrix:
        """The allocation extended to all items; `OutOfTimeError` if that takes longer."""
        return self.subsample.on_all_items(self.matrix, seconds)


class SearchState:
    """The incumbent, the record and the clock of one search.

    Until there is an incumbent over all draws, the best allocation over a subsample stands in, or
    the start that was given.
    """

    def __init__(
        self,
        engine: Engine,
        objective: Objective,
        settings: SearchSettings,
        report: Callable[[Progress], None] | None = None,
        clock: Clock | None = None,
        given: BinaryMatrix | None = None,
    ) -> None:
        self.objective = objective
        self.settings = settings
        self.clock = clock or Clock(settings.max_seconds)
        self.engine = engine if settings.max_seconds is None else self._limited(engine)
        self.given = given
        self.incumbent: Solution | None = None
        self.provisional: Provisional | None = None
        self.starts: list[Start] = []
        self.stopped_because = ""
        self._report = report

    def _limited(self, engine: Engine) -> Engine:
        """The engine for as long as may be searched, with time for the last pass set aside."""
        info, limit = engine.samples_info, self.clock.max_seconds
        last_pass = pass_seconds(info, round(float(info.n_features.mean())))
        last_pass += engine.reading_seconds
        self.clock.set_aside = min(last_pass, limit / 3)
        return engine.limited(self.clock.left)

    def update_incumbent(self, search: LocalSearch) -> None:
        """Keep where a search over all draws stands if that is the best so far.

        A search that is at another penalty for a while does not count.
        """
        is_better = self.incumbent is None or search.key < self.incumbent.key
        if is_better and search.objective == self.objective:
            self.incumbent = Solution.of(search)
        self.check_clock()

    def offer(self, solution: Solution) -> None:
        """Keep a solution over all draws if it is the best so far."""
        if self.incumbent is None or solution.key < self.incumbent.key:
            self.incumbent = solution

    def update_provisional(self, subsample: Subsample, matrix: BinaryMatrix, score: int) -> None:
        """Keep the best allocation over a subsample."""
        loss = subsample.objective.loss_of_score(score)
        if self.provisional is None or loss < self.provisional.loss:
            self.provisional = Provisional(subsample, matrix, loss)
        self.check_clock()

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
        self.check_clock()

    def check_clock(self, search: LocalSearch | None = None) -> None:
        """Raise when the time granted is over."""
        if self.clock.is_over:
            raise OutOfTimeError

    def best_matrix(self, seconds: float) -> BinaryMatrix:
        """The best allocation so far; `OutOfTimeError` if there is none or it takes longer."""
        if self.incumbent is not None:
            return self.incumbent.matrix
        if self.provisional is None:
            if self.given is None:
                raise OutOfTimeError
            return self.given
        return self.provisional.on_all_items(seconds)

    @property
    def record(self) -> Search:
        """The settings together with what was done."""
        return Search(
            **asdict(self.settings),
            starts=tuple(self.starts),
            flips=sum(start.flips for start in self.starts),
            stopped_because=self.stopped_because,
            seconds=self.clock.seconds,
        )
