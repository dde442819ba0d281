"""The search for the allocation of lowest expected loss: FANGS (Dahl et al. 2023, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from time import perf_counter
from typing import Any

import numpy as np

from fangs.engine import Engine
from fangs.loss import Objective, draw_losses, left_ordered
from fangs.progress import progress_display
from fangs.result import Estimate, Search, Start
from fangs.samples import IntArray
from fangs.starts import Candidate, from_baseline, from_kick, from_template
from fangs.sweeten import Sweetened, by_proposals, with_births, with_empty
from fangs.validate import (
    BinaryMatrix,
    as_count,
    as_penalty,
    as_samples,
    as_seconds,
    as_seed,
    as_threads,
)

SCREEN = 512
"""Draws on which starts are made and compared before all draws are used."""
WALK, NARROW_WALK = 128, 64
"""Draws that a template is grown from; the second where draws have at most `NARROW` features."""
NARROW = 16
AGREEMENT = 3
"""Starts in a row that repeat an earlier one, after which no more are made."""
MAX_KICKS = 16
"""Attempts to get past a flip-optimal allocation when no time is granted for more."""
KICK_WORK = 2_000_000
"""Overlaps that those attempts may take per pass and all in all; large problems get none."""
PATIENCE = 500
"""Attempts without success after which a search with time to spare gives up."""


@dataclass(frozen=True)
class Progress:
    """How far a search has come."""

    phase: str
    """"start", "sweeten" or "improve"."""
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
        How many starts are made: half from single draws as in the paper, half from templates,
        averages of many draws. With `n_iter` all are from single draws.
    n_sweet
        How many of the best starts are sweetened.
    n_iter
        None sweetens each start until no single flip lowers the expected loss, and then tries to
        get past that point. A number runs the paper's Algorithm 1 and nothing else, with that many
        random proposals per start.
    max_seconds
        Go on looking for something better until this time is over or nothing better has been
        found for long. By default the clock plays no part, so that the same seed always gives the
        same estimate.
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
        engine,
        Objective.of(engine, as_penalty(a)),
        Search(
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


class _OutOfTimeError(Exception):
    """The time that the user granted is over."""


class _Search:
    """One run of the search; collects the record as it goes."""

    def __init__(self, engine: Engine, objective: Objective, record: Search) -> None:
        self.engine = engine
        self.objective = objective
        self.record = record
        self.is_paper = record.n_iter is not None
        self.rng = np.random.default_rng(record.seed)
        self.began = perf_counter()
        self.seconds: dict[str, float] = {}
        self.starts: list[Start] = []
        self.ends: list[Fraction] = []
        self.best: Sweetened | None = None
        self.stopped_because = ""

    def run(self, report: Callable[[Progress], None]) -> Estimate:
        """Algorithm 1, and in default mode an attempt to get past where it ends."""
        self.report = report
        try:
            with self.timed("start"):
                candidates = self.initialise()
            with self.timed("sweeten"):
                for done, candidate in enumerate(candidates):
                    self.tell("sweeten", done, len(candidates))
                    self.ends.append(self.sweeten(candidate).score)
                    if not self.is_paper and self.ends.count(min(self.ends)) == 2:
                        break  # two starts have come to the same end, and none to a better one
            if self.is_paper:
                self.stopped_because = f"{self.record.n_iter} proposals per start were made"
            else:
                self.stopped_because = "no single flip lowers the expected loss"
                with self.timed("improve"):
                    self.improve()
        except _OutOfTimeError:
            self.stopped_because = f"the time limit of {self.record.max_seconds:g} s was reached"
        except KeyboardInterrupt as interrupt:
            self.stopped_because = "interrupted"
            raise Interrupted(self.result() if self.best else None) from interrupt
        return self.result()

    def initialise(self) -> list[Candidate]:
        """Algorithm 1, lines 3 to 11: make starts, score them, keep the best `n_sweet`.

        Outside the paper's mode a few hundred draws are enough to make and compare starts.
        """
        engine, draws = self.engine, np.arange(self.engine.n_draws)
        if not self.is_paper and len(draws) > SCREEN:
            draws = np.sort(self.rng.choice(len(draws), size=SCREEN, replace=False))
            engine = self.engine.select(draws)
        objective = Objective.of(engine, self.objective.a)
        ranked: list[tuple[Fraction, Candidate]] = []
        seen: set[bytes] = set()
        repeats = 0
        for done, candidate in enumerate(self.candidates(engine, draws, objective), start=1):
            self.tell("start", done, self.record.n_init)
            key = left_ordered(candidate.matrix).tobytes()
            repeats = repeats + 1 if key in seen else 0
            if repeats == AGREEMENT and not self.is_paper:
                break
            if repeats and not self.is_paper:
                continue
            seen.add(key)
            score = self.score(candidate.matrix, engine, objective)
            ranked.append((score, candidate))
            if engine is self.engine:
                self.consider(Sweetened(candidate.matrix, score))
            elif self.best is None:  # something to show and to fall back on
                score = self.score(candidate.matrix, self.engine, self.objective)
                self.consider(Sweetened(candidate.matrix, score))
        ranked.sort(key=lambda pair: pair[0])
        if engine is self.engine:
            self.starts = [self.start_of(candidate, score) for score, candidate in ranked]
        return [candidate for _, candidate in ranked[: self.record.n_sweet]]

    def candidates(
        self, engine: Engine, draws: IntArray, objective: Objective
    ) -> Iterator[Candidate]:
        """Starts from single draws and, outside the paper's mode, in turn with templates."""
        n_templates = 0 if self.is_paper else self.record.n_init // 2
        n_baselines = min(self.record.n_init - n_templates, len(draws))
        baselines = self.rng.choice(len(draws), size=n_baselines, replace=False).tolist()
        n_walk = NARROW_WALK if engine.samples.n_features.mean() <= NARROW else WALK
        for turn in range(max(n_templates, n_baselines)):
            if turn < n_templates:
                yield from_template(engine, self.rng.permutation(len(draws))[:n_walk], objective)
            if turn < n_baselines:
                at = baselines[turn]
                yield replace(from_baseline(engine, at, objective), draw=int(draws[at]))

    @staticmethod
    def score(matrix: BinaryMatrix, engine: Engine, objective: Objective) -> Fraction:
        return objective.score(int(matrix.sum()), int(engine.overlaps(matrix).sum()))

    def sweeten(self, candidate: Candidate) -> Sweetened:
        """Algorithm 1, lines 12 to 21 for one start: take flips that lower the expected loss."""
        matrix = candidate.matrix
        if self.is_paper:
            nearby = self.engine.neighbourhood(matrix)
            states = by_proposals(nearby, self.objective, self.proposals(matrix))
        else:
            states = with_births(self.engine, matrix, self.objective)
        state = first = next(states)
        self.consider(first)
        try:
            for state in states:
                self.consider(state)
                self.check_time()
        finally:
            # Also when interrupted: a start is recorded with what it had reached.
            self.record_start(candidate, first, state)
        return state

    def proposals(self, matrix: BinaryMatrix) -> IntArray:
        """Entries to flip, each as likely as any other (Algorithm 1, line 15)."""
        n_iter = self.record.n_iter if matrix.size else 0
        flat = self.rng.integers(max(matrix.size, 1), size=n_iter)
        return np.stack(np.divmod(flat, max(matrix.shape[1], 1)), axis=1)

    def improve(self) -> None:
        """Kick the allocation and sweeten it again; go on from there unless it got worse."""
        assert self.best is not None
        current, kicks, failures = self.best, 0, 0
        most = None if self.record.max_seconds is not None else self.affordable_kicks()
        while failures < PATIENCE if most is None else kicks < most:
            self.tell("improve", kicks, most)
            kicks += 1
            before = self.best.score
            end = self.sweeten(from_kick(current.matrix, self.engine, self.rng))
            failures = 0 if end.score < before else failures + 1
            if end.score <= current.score:
                current = end
        if kicks:
            self.stopped_because = f"no single flip, and none of the last {failures} kicks, helped"

    def affordable_kicks(self) -> int:
        """Fewer for larger problems, by their size and not by the clock; none where all is clear.

        When all starts came to one end, kicks only make sense where they cost next to nothing.
        """
        n_features = self.engine.samples.n_features.astype(np.float64)
        n_words = -(-self.engine.samples.n_items // 64)
        work = float((n_features**2).sum()) * (0.8 + 0.3 * n_words) + 50.0 * self.engine.n_draws
        if len(set(self.ends)) == 1 and MAX_KICKS * work > KICK_WORK / 8:
            return 0
        return min(MAX_KICKS, int(KICK_WORK / work))

    def consider(self, state: Sweetened) -> None:
        """Remember the state if it is the best so far."""
        best = self.best
        if best is None or (state.score, best.is_flip_optimal) < (
            best.score,
            state.is_flip_optimal,
        ):
            self.best = state

    def start_of(self, candidate: Candidate, score: Fraction) -> Start:
        return Start(
            method=candidate.method,
            draw=candidate.draw,
            initial_loss=self.objective.loss_of_score(score),
            loss=None,
            flips=0,
            n_features=candidate.matrix.shape[1],
        )

    def record_start(self, candidate: Candidate, first: Sweetened, last: Sweetened) -> None:
        """Note how far a start came; of the kicks only those that found something better."""
        start = self.start_of(candidate, first.score)
        end = replace(
            start,
            loss=self.objective.loss_of_score(last.score),
            flips=last.n_flips,
            n_features=int(last.matrix.any(axis=0).sum()),
        )
        if start in self.starts:
            self.starts[self.starts.index(start)] = end
        elif candidate.method != "kick" or last is self.best:
            self.starts.append(end)

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        since = perf_counter()
        try:
            yield
        finally:
            self.seconds[phase] = perf_counter() - since

    def check_time(self) -> None:
        limit = self.record.max_seconds
        if limit is not None and perf_counter() - self.began >= limit:
            raise _OutOfTimeError

    def tell(self, phase: str, done: int, total: int | None) -> None:
        loss = float("inf") if self.best is None else self.objective.loss_of_score(self.best.score)
        self.report(Progress(phase, done, total, loss))
        if self.best is not None:
            self.check_time()

    def result(self) -> Estimate:
        """Wrap up the best allocation found (Algorithm 1, line 22)."""
        assert self.best is not None
        with self.timed("finish"):
            matrix = left_ordered(self.best.matrix)
            aligned = self.engine.align(matrix)
            is_flip_optimal = self.best.is_flip_optimal or (
                self.is_paper and self.has_no_improving_flip(matrix)
            )
        samples, a, ones = self.engine.samples, self.objective.a, int(matrix.sum())
        return Estimate(
            matrix=matrix,
            expected_loss=self.objective.expected_loss(ones, aligned.total_overlap),
            a=a,
            proportions=aligned.counts / len(samples),
            losses=draw_losses(a, ones, samples, aligned.overlaps),
            items=samples.items,
            is_flip_optimal=is_flip_optimal,
            lower_bound=None,
            search=replace(
                self.record,
                starts=tuple(self.starts),
                flips=sum(start.flips for start in self.starts),
                stopped_because=self.stopped_because,
                seconds=self.seconds,
            ),
        )

    def has_no_improving_flip(self, matrix: BinaryMatrix) -> bool:
        nearby = self.engine.neighbourhood(with_empty(matrix))
        return not self.objective.improves(nearby.matrix, nearby.counts()).any()
