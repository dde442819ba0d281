"""What every alternative hands back: its allocation as an `Estimate`, judged by FARO loss."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from fangs.engine import Engine
from fangs.loss import Objective, draw_losses, left_ordered
from fangs.result import Estimate, Search, Start
from fangs.samples import Samples
from fangs.sweeten import with_empty
from fangs.validate import BinaryMatrix, as_penalty


class NotApplicableError(ValueError):
    """The method cannot be used on these draws; the message says why."""


@dataclass
class Run:
    """One run of an alternative: the clock starts when it is made, `finish` wraps up."""

    method: str
    engine: Engine
    a: float
    began: float = field(default_factory=time.perf_counter)

    @classmethod
    def begin(cls, method: str, samples: Any, *, a: float, n_threads: int | None) -> Run:
        """Check what every alternative takes."""
        return cls(method, Engine(samples, n_threads), as_penalty(a))

    @property
    def samples(self) -> Samples:
        """The draws."""
        return self.engine.samples

    @property
    def objective(self) -> Objective:
        """Expected FARO loss over all draws."""
        return Objective.of(self.engine, self.a)

    def start(self, matrix: BinaryMatrix, *, draw: int | None) -> Start:
        """Record an allocation that is taken as it is."""
        overlap = int(self.engine.overlaps(matrix).sum())
        return Start(
            method=self.method,
            draw=draw,
            initial_loss=self.objective.expected_loss(int(matrix.sum()), overlap),
            loss=None,
            flips=0,
            n_features=int(matrix.any(axis=0).sum()),
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
        """Turn an allocation into an `Estimate`.

        Parameters
        ----------
        matrix
            The allocation.
        because
            What the method did and found, for `Search.stopped_because`.
        draw
            Which draw it is, if it is one.
        starts
            The starts of a search; None for methods that do not search.
        seed
            What makes a search with random starts repeatable.
        is_optimal
            Whether no allocation whatever has a lower expected loss.
        """
        seconds = {self.method: time.perf_counter() - self.began}
        samples, objective = self.samples, self.objective
        matrix = left_ordered(matrix)
        aligned = self.engine.align(matrix)
        ones = int(matrix.sum())
        expected_loss = objective.expected_loss(ones, aligned.total_overlap)
        starts = (self.start(matrix, draw=draw),) if starts is None else starts
        return Estimate(
            matrix=matrix,
            expected_loss=expected_loss,
            a=objective.a,
            proportions=aligned.counts / len(samples),
            losses=draw_losses(objective.a, ones, samples, aligned.overlaps),
            items=samples.items,
            is_flip_optimal=is_optimal or self.is_flip_optimal(matrix),
            lower_bound=expected_loss if is_optimal else None,
            search=Search(
                seed=seed,
                n_init=len(starts),
                n_sweet=sum(start.loss is not None for start in starts),
                starts=starts,
                flips=sum(start.flips for start in starts),
                stopped_because=because,
                seconds=seconds,
            ),
        )

    def is_flip_optimal(self, matrix: BinaryMatrix) -> bool:
        """Whether no single flip lowers the expected loss, the birth of a feature included."""
        spacious = with_empty(matrix)
        counts = self.engine.neighbourhood(spacious).counts()
        return not self.objective.improves(spacious, counts).any()
