"""The end of a search: the best allocation becomes an estimate, in the time that is left."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import inf
from time import perf_counter

import numpy as np

from fangs._typing import BinaryMatrix, IntArray
from fangs.engine import Engine, OutOfTimeError, pass_seconds
from fangs.estimate import Estimate
from fangs.loss import Objective
from fangs.search.state import SearchState

GRACE_SECONDS, GRACE_SHARE = 0.5, 0.05
"""Time beyond a limit (the larger of both counts), and after Ctrl-C, to sum up what was found."""
LONGEST_GRACE = 10 * GRACE_SECONDS
"""Time after Ctrl-C at the very most: where matching a few draws takes longer, nothing is kept."""
FEW = 3
"""Draws that are compared where nothing else has been found, and timed to foresee a pass."""


def finish(state: SearchState, engine: Engine, *, is_interrupted: bool = False) -> Estimate:
    """The estimate that a search found, whether it came to its end, ran out of time or was stopped.

    It is assessed over all draws if there is time for a pass over them. There is always one, except
    after an interrupt where even a few draws take too long: `OutOfTimeError`.
    """
    seconds, limit = inf, state.clock.max_seconds
    if is_interrupted:
        seconds = GRACE_SECONDS
        engine = engine.limited(LONGEST_GRACE)
    elif limit < inf:
        seconds = limit - state.clock.elapsed + max(GRACE_SECONDS, GRACE_SHARE * limit)
    until = perf_counter() + seconds
    with state.clock.phase("finish"):
        try:
            matrix = state.best_matrix(seconds / 2)
        except OutOfTimeError:
            matrix = best_of_few(engine, state.objective)
        found = assess_in_time(engine, matrix, state.objective.a, until - perf_counter())
    record = state.record
    numbers = engine.samples_info.counted
    if len(numbers) < engine.samples_info.n_draws:  # draws are numbered among all of them
        starts = (
            start if start.draw is None else replace(start, draw=int(numbers[start.draw]))
            for start in record.starts
        )
        record = replace(record, starts=tuple(starts))
    return found.with_search(record)


def assess_in_time(engine: Engine, matrix: BinaryMatrix, a: float, seconds: float) -> Estimate:
    """The estimate over all draws, or over as many as there is time for, which it then notes."""
    info = engine.samples_info
    n_affordable = info.n_draws
    if pass_seconds(info, matrix.shape[1]) > seconds / 10:
        # The model is not sure enough: time a few draws. A full evaluation takes about twice that.
        few, since = engine.select(spaced(info.counted, FEW)), perf_counter()
        few.overlaps(matrix)
        spent = perf_counter() - since
        left = max(seconds - spent, 0.0) / 2
        n_affordable = int(FEW * left / max(spent, 1e-9))
    if n_affordable >= info.n_draws:
        return Estimate.of(engine, matrix, a)
    some = spaced(info.counted, max(n_affordable, FEW))
    note = (
        f"Time was short: all numbers are about {len(some)} of the {info.n_draws} draws. "
        "fangs.assess(estimate, samples) takes all of them."
    )
    return Estimate.of(engine.select(some), matrix, a, note=note)


def best_of_few(engine: Engine, objective: Objective) -> BinaryMatrix:
    """The draw that is closest to a few others: what is left where there was no time to search."""
    info = engine.samples_info
    draws = spaced(info.counted, FEW)
    ones = info.n_ones[draws].astype(np.int64)
    overlaps = np.diag(ones)
    pairs = np.array(list(combinations(range(len(draws)), 2)), dtype=np.int64).reshape(-1, 2)
    one, other = pairs.T
    overlaps[one, other] = overlaps[other, one] = engine.pair_overlaps(draws[one], draws[other])
    among = replace(objective, total_weight=len(draws), total_ones=int(ones.sum()))
    scores = [
        among.score(size, total)
        for size, total in zip(ones.tolist(), overlaps.sum(axis=0).tolist(), strict=True)
    ]
    return engine.draw(int(draws[scores.index(min(scores))]))


def spaced(draws: IntArray, size: int) -> IntArray:
    """At most this many of the draws, evenly spaced."""
    size = min(size, len(draws))
    return draws[np.arange(size) * len(draws) // max(size, 1)]
