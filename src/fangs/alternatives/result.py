"""What all alternatives share: from the arguments to an `Estimate` with its expected loss."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from fangs._typing import BinaryMatrix
from fangs.check.arguments import as_penalty
from fangs.draws.samples import Samples
from fangs.engine import ThreadedEngine, as_engine
from fangs.estimate import Estimate
from fangs.loss import Objective
from fangs.search import Interrupted
from fangs.search.record import Search, Start


class NotApplicableError(ValueError):
    """The method cannot be used on these draws; the message says why."""


@dataclass
class Run:
    """One run of an alternative: the clock starts here, and `finish` makes the estimate.

    Draws of weight 0 take no part, and are no candidates; the estimate has their losses. Where
    Ctrl-C ends the block of a `with`, what it has found so far goes with the exception.
    """

    method: str
    everything: ThreadedEngine
    a: float
    began: float = field(default_factory=time.perf_counter)
    best: BinaryMatrix | None = None
    """What is kept on Ctrl-C."""
    _best_score: Any = math.inf

    @classmethod
    def begin(cls, method: str, samples: Any, *, a: float, n_threads: int | None) -> Run:
        """Check the arguments that all alternatives take."""
        engine = as_engine(samples, n_threads)
        if not isinstance(engine, ThreadedEngine):
            raise NotApplicableError(f"{method} needs all draws in this process; give Samples")
        return cls(method, engine, as_penalty(a))

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        if isinstance(error, KeyboardInterrupt) and not getattr(error, "estimate", None):
            kept = self.best
            found = None if kept is None else self.finish(kept, because="interrupted", starts=())
            raise Interrupted(found) from error

    def keep(self, matrix: BinaryMatrix, score: Any = -math.inf) -> None:
        """Keep an allocation in case of Ctrl-C, if no other has had a lower score."""
        if score <= self._best_score:
            self.best, self._best_score = matrix, score

    def keep_draw(self, draw: int) -> None:
        """Keep one of the draws in case of Ctrl-C."""
        self.keep(self.samples[draw])

    @cached_property
    def engine(self) -> ThreadedEngine:
        """The passes over the draws that count."""
        info = self.everything.samples_info
        if len(info.counted) == info.n_draws:
            return self.everything
        return self.everything.select(info.counted)

    @property
    def samples(self) -> Samples:
        """The draws that count."""
        return self.engine.samples

    def number(self, draw: int) -> int:
        """The number of a draw among all that were given."""
        return int(self.everything.samples_info.counted[draw])

    @property
    def objective(self) -> Objective:
        """Expected FARO loss over all draws."""
        return Objective.of(self.engine.samples_info, self.a)

    def start(self, matrix: BinaryMatrix, *, draw: int | None) -> Start:
        """The record of an allocation before any flip."""
        overlap = self.engine.samples_info.weigh(self.engine.overlaps(matrix))
        return Start(
            method=self.method,
            draw=None if draw is None else self.number(draw),
            initial_loss=self.objective.expected_loss(int(matrix.sum()), overlap),
            loss=None,
            flips=0,
            n_features=int(matrix.any(axis=0).sum()),
            n_draws=len(self.samples),
        )

    def finish_with_draw(self, draw: int, *, because: str) -> Estimate:
        """Turn one of the draws into an `Estimate`; see `finish`."""
        return self.finish(self.samples[draw], draw=draw, because=because)

    def finish(
        self,
        matrix: BinaryMatrix,
        *,
        because: str,
        draw: int | None = None,
        starts: tuple[Start, ...] | None = None,
        seed: int | None = None,
        is_optimal: bool = False,
    ) -> Estimate:
        """Turn an allocation into an `Estimate`; `because` is what the method did and found.

        `draw` is the number of the draw that it is, if it is one; `starts` and their `seed` are
        those of a search; `is_optimal` says that no allocation has a lower expected loss.
        """
        seconds = {self.method: time.perf_counter() - self.began}
        starts = (self.start(matrix, draw=draw),) if starts is None else starts
        record = Search(
            seed=seed,
            n_init=len(starts),
            n_sweet=sum(start.loss is not None for start in starts),
            starts=starts,
            flips=sum(start.flips for start in starts),
            stopped_because=because,
            seconds=seconds,
        )
        found = Estimate.of(self.everything, matrix, self.a, search=record)
        return replace(found, lower_bound=found.expected_loss) if is_optimal else found
