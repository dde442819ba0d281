"""The search for the allocation of lowest expected loss: FANGS (Dahl et al. 2023), and better."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fangs.algorithm_one import run_algorithm_one
from fangs.course import Course, OutOfTimeError, Progress
from fangs.engine import Engine
from fangs.loss import Objective
from fangs.progress import listening
from fangs.result import Estimate, Search
from fangs.screened import ScreenedSearch
from fangs.validate import as_count, as_penalty, as_samples, as_seconds, as_seed, as_threads

__all__ = ["Interrupted", "Progress", "estimate"]


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
    engine = Engine(as_samples(samples), as_threads(n_threads))
    objective = Objective.of(engine, as_penalty(a))
    record = Search(
        seed=as_seed(seed),
        n_init=as_count(n_init, name="n_init"),
        n_sweet=as_count(n_sweet, name="n_sweet"),
        n_iter=None if n_iter is None else as_count(n_iter, name="n_iter", minimum=0),
        max_seconds=as_seconds(max_seconds, name="max_seconds"),
    )
    with listening(progress) as report:
        return run(Course(engine, objective, record, report))


def run(course: Course) -> Estimate:
    """Search as the course's record says; on an interrupt, what was found goes with it."""
    n_iter = course.record.n_iter
    try:
        if n_iter is None:
            ScreenedSearch(course).run()
        else:
            run_algorithm_one(course, n_iter)
    except OutOfTimeError:
        course.stopped_because = f"the time limit of {course.record.max_seconds:g} s was reached"
    except KeyboardInterrupt as interrupt:
        course.stopped_because = "interrupted"
        raise Interrupted(course.result() if course.has_something else None) from interrupt
    return course.result()
