"""The course of one search: the best allocation so far, what was tried, and the time it took."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter

from fangs.engine import Engine, Priced
from fangs.leap import Landed
from fangs.loss import Objective, draw_losses, left_ordered
from fangs.result import Estimate, Search, Start
from fangs.starts import Candidate
from fangs.sweeten import Sweetened
from fangs.validate import BinaryMatrix


@dataclass(frozen=True)
class Progress:
    """How far a search has come."""

    phase: str
    """"start", "sweeten", "refine" or "improve"; "path" where a grid of penalties is traced."""
    done: int
    total: int | None
    loss: float
    """The lowest expected loss found so far; among the starts it may be over some of the draws."""


class OutOfTimeError(Exception):
    """The time that the user granted is over."""


class Course:
    """Keeps the best allocation and the record while a search goes on."""

    def __init__(
        self,
        engine: Engine,
        objective: Objective,
        record: Search,
        report: Callable[[Progress], None] | None,
        also: Mapping[float, Objective] | None = None,
    ) -> None:
        self.engine = engine
        self.objective = objective
        self.record = record
        self.report = report
        self.also = also or {}
        """Other penalties to leap to on the occasion, and where that led."""
        self.landed: dict[float, Landed] = {}
        self.best: Sweetened | None = None
        self.priced: Priced | None = None
        """The best, left-ordered, where all draws were aligned to it and all its flips priced."""
        self.preview: tuple[float, BinaryMatrix] | None = None
        """Until there is a best: the best start by some of the draws, and its loss over them."""
        self.starts: dict[Candidate, Start] = {}
        self.stopped_because = ""
        self.began = perf_counter()
        self.seconds: dict[str, float] = {}

    def score(self, matrix: BinaryMatrix) -> int:
        """The allocation's score over all draws."""
        return self.objective.score(int(matrix.sum()), int(self.engine.overlaps(matrix).sum()))

    def state_of(self, priced: Priced) -> Sweetened:
        """An allocation of which all flips are priced, as a state of a descent."""
        score = self.objective.score(int(priced.matrix.sum()), priced.aligned.total_overlap)
        is_flip_optimal = self.objective.is_bottom(priced)
        return Sweetened(priced.matrix, score, is_flip_optimal=is_flip_optimal)

    def consider(self, state: Sweetened) -> None:
        """Remember the state if it is the best so far."""
        best = self.best
        if best is None or (state.score, best.is_flip_optimal) < (
            best.score,
            state.is_flip_optimal,
        ):
            self.best, self.priced = state, None

    def follow(
        self, candidate: Candidate, states: Iterator[Sweetened], first: Sweetened | None = None
    ) -> Sweetened:
        """Consider each state of a descent over all draws and record the start; give the last.

        `first` is the start itself where the descent goes on from a later state.
        """
        state = next(states)
        first = first or state
        self.consider(state)
        try:
            for state in states:
                self.consider(state)
                self.check_time()
        finally:
            # Also when interrupted: a start is recorded with what it had reached.
            self.record_end(candidate, first, state)
        return state

    def record_start(self, candidate: Candidate, score: int) -> None:
        """Note a start that may or may not be sweetened later."""
        self.starts[candidate] = Start(
            method=candidate.method,
            draw=candidate.draw,
            initial_loss=self.objective.loss_of_score(score),
            loss=None,
            flips=0,
            n_features=candidate.matrix.shape[1],
        )

    def record_end(self, candidate: Candidate, first: Sweetened, last: Sweetened) -> None:
        """Note how far a start came; of kicks and the like only what found something better."""
        if candidate.method in ("crossing", "swing", "kick") and last is not self.best:
            return
        self.record_start(candidate, first.score)
        self.starts[candidate] = replace(
            self.starts[candidate],
            loss=self.objective.loss_of_score(last.score),
            flips=last.n_flips,
            n_features=int(last.matrix.any(axis=0).sum()),
        )

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """Note how long the block took."""
        since = perf_counter()
        try:
            yield
        finally:
            self.seconds[phase] = perf_counter() - since

    def tell(self, phase: str, done: int, total: int | None) -> None:
        """Report progress to whoever listens."""
        if self.report is not None:
            loss = float("inf") if self.preview is None else self.preview[0]
            if self.best is not None:
                loss = self.objective.loss_of_score(self.best.score)
            self.report(Progress(phase, done, total, loss))
        self.check_time()

    def check_time(self) -> None:
        """Raise when the time granted is over and there is something to show for it."""
        limit = self.record.max_seconds
        if limit is not None and self.has_something and perf_counter() - self.began >= limit:
            raise OutOfTimeError

    @property
    def has_something(self) -> bool:
        """Whether any allocation has been found."""
        return self.best is not None or self.preview is not None

    def result(self) -> Estimate:
        """Wrap up the best allocation found (Algorithm 1, line 22)."""
        with self.timed("finish"):
            if self.best is None:
                assert self.preview is not None
                self.best = Sweetened(self.preview[1], self.score(self.preview[1]))
            matrix = left_ordered(self.best.matrix)
            if not self.best.is_flip_optimal and self.record.n_iter is not None:
                self.priced = self.engine.price(matrix)
                self.best = self.state_of(self.priced)
            aligned = self.priced.aligned if self.priced else self.engine.align(matrix)
        samples, a, ones = self.engine.samples, self.objective.a, int(matrix.sum())
        return Estimate(
            matrix=matrix,
            expected_loss=self.objective.expected_loss(ones, aligned.total_overlap),
            a=a,
            proportions=aligned.counts / len(samples),
            losses=draw_losses(a, ones, samples, aligned.overlaps),
            items=samples.items,
            is_flip_optimal=self.best.is_flip_optimal,
            lower_bound=None,
            search=replace(
                self.record,
                starts=tuple(self.starts.values()),
                flips=sum(start.flips for start in self.starts.values()),
                stopped_because=self.stopped_because,
                seconds=self.seconds,
            ),
        )
