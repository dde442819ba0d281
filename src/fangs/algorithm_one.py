"""The paper's search and nothing else: FANGS, Algorithm 1 of Dahl, Johnson and Andros (2023)."""

from __future__ import annotations

import numpy as np

from fangs.course import Course
from fangs.samples import IntArray
from fangs.starts import Candidate, from_baseline
from fangs.sweeten import Sweetened, by_proposals
from fangs.validate import BinaryMatrix


def run_algorithm_one(course: Course, n_iter: int) -> None:
    """Make starts from single draws, keep the best, and sweeten each by random proposals."""
    rng = np.random.default_rng(course.record.seed)
    with course.timed("start"):
        candidates = _initialise(course, rng)
    with course.timed("sweeten"):
        for done, candidate in enumerate(candidates):
            course.tell("sweeten", done, len(candidates))
            nearby = course.engine.neighbourhood(candidate.matrix)
            proposals = _propose(candidate.matrix, n_iter, rng)
            course.follow(candidate, by_proposals(nearby, course.objective, proposals))
    course.stopped_because = f"{n_iter} proposals per start were made"


def _initialise(course: Course, rng: np.random.Generator) -> list[Candidate]:
    """Lines 3 to 11: align all draws to a baseline, threshold, score; keep the best `n_sweet`."""
    n_draws, n_init = course.engine.n_draws, course.record.n_init
    baselines = rng.choice(n_draws, size=min(n_init, n_draws), replace=False).tolist()
    ranked: list[tuple[int, Candidate]] = []
    for done, draw in enumerate(baselines, start=1):
        candidate = from_baseline(course.engine, draw, course.objective)
        score = course.score(candidate.matrix)
        ranked.append((score, candidate))
        course.consider(Sweetened(candidate.matrix, score))
        course.tell("start", done, n_init)
    ranked.sort(key=lambda pair: pair[0])
    for score, candidate in ranked:
        course.record_start(candidate, score)
    return [candidate for _, candidate in ranked[: course.record.n_sweet]]


def _propose(matrix: BinaryMatrix, n_iter: int, rng: np.random.Generator) -> IntArray:
    """Line 15: entries to flip, each as likely as any other // (n_iter, 2)."""
    flat = rng.integers(max(matrix.size, 1), size=n_iter if matrix.size else 0)
    return np.stack(np.divmod(flat, max(matrix.shape[1], 1)), axis=1)
