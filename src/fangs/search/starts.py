"""Starts of the search: from single draws, as in the paper, or from templates of many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from fangs._typing import BinaryMatrix, IntArray
from fangs.allocation import left_ordered, without_empty
from fangs.draws.info import SamplesInfo
from fangs.draws.weights import are_equal, choose_copies, choose_draws
from fangs.engine import Aligned, LocalEngine
from fangs.loss import Objective
from fangs.search.params import SearchParams

MAX_WALKS = 32
"""Walks that are drawn at once; more starts than that are made a block at a time."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """An allocation to start from, and its score over the draws it was made on."""

    method: str
    draw: int | None
    matrix: BinaryMatrix
    score: int
    """An upper bound: with the draws aligned to what the start was made from."""


def make_starts(
    engine: LocalEngine,
    objective: Objective,
    n_init: int,
    params: SearchParams,
    rng: np.random.Generator,
) -> Iterator[Candidate]:
    """Yield starts, templates and single draws in turn, until they only repeat earlier ones."""
    seen: set[bytes] = set()
    repeats = 0
    for candidate in _candidates(engine, objective, n_init, params, rng):
        key = left_ordered(candidate.matrix).tobytes()
        repeats = repeats + 1 if key in seen else 0
        seen.add(key)
        yield candidate
        if repeats == params.max_repeats:
            return


def _candidates(
    engine: LocalEngine,
    objective: Objective,
    n_init: int,
    params: SearchParams,
    rng: np.random.Generator,
) -> Iterator[Candidate]:
    info = engine.samples_info
    is_narrow = info.n_features.mean() <= params.narrow
    walked = min(params.template_draws if is_narrow else params.wide_template_draws, info.n_draws)
    n_walks = n_init // 2
    walks = [random_walk(info, walked, rng) for _ in range(min(n_walks, MAX_WALKS))]
    n_baselines = min(n_init - n_walks, info.n_draws)
    baselines = choose_draws(info.weights, info.n_draws, n_baselines, rng).tolist()
    grown: list[IntArray] = []
    for turn in range(max(n_walks, n_baselines)):
        if turn < n_walks:
            if not walks:
                size = min(n_walks - turn, MAX_WALKS)
                walks = [random_walk(info, walked, rng) for _ in range(size)]
            if not grown:  # two at once, for two threads
                grown = engine.grow_templates(walks[:2])
            yield from_template(engine, grown.pop(0), len(walks.pop(0)), objective)
        if turn < n_baselines:
            yield from_baseline(engine, baselines[turn], objective)


def random_walk(info: SamplesInfo, n_steps: int, rng: np.random.Generator) -> IntArray:
    """Draws in random order; where weights differ, a draw may come as often as it has copies."""
    if info.weights is None or are_equal(info.weights):
        return rng.permutation(info.n_draws)[:n_steps]
    return choose_copies(info.weights, n_steps, rng)


def from_baseline(engine: LocalEngine, draw: int, objective: Objective) -> Candidate:
    """A start from one of the draws."""
    number = int(engine.draw_numbers[draw])
    return _thresholded(engine, "baseline", number, engine.draw(draw), objective)


def from_template(
    engine: LocalEngine, counts: IntArray, n_walked: int, objective: Objective
) -> Candidate:
    """A start from the counts of a template that was grown over `n_walked` draws.

    Thresholded, it takes the place of a baseline. For a > 1 a threshold of a/2 would drop features
    that pay; half is used instead.
    """
    needed = -(-min(objective.exact_a, Fraction(1)) * n_walked // 2)
    mean = without_empty((counts >= int(needed)).astype(np.uint8))
    return _thresholded(engine, "template", None, mean, objective)


def _thresholded(
    engine: LocalEngine,
    method: str,
    draw: int | None,
    baseline: BinaryMatrix,
    objective: Objective,
) -> Candidate:
    """Align the draws to a baseline and keep the entries that at least a/2 of them have."""
    aligned: Aligned = engine.align(baseline)
    matrix = objective.threshold(aligned.counts)
    overlap = int(aligned.counts[matrix != 0].sum())
    score = objective.score(int(matrix.sum()), overlap)
    return Candidate(method, draw, without_empty(matrix), score)
