"""The end of a search: the best allocation becomes an estimate, in the time that is left."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from math import inf
from time import perf_counter

import numpy as np

from fangs._typing import BinaryMatrix
from fangs.engine import Engine, OutOfTimeError, pass_seconds
from fangs.estimate import Estimate
from fangs.loss import Objective
from fangs.search.state import SearchState

GRACE_SECONDS, GRACE_SHARE = 0.4, 0.05
"""Time beyond a limit (the larger of both counts), and after Ctrl-C, to sum up what was found."""
TRIED_SHARE = 0.75
"""Share of that time in which a pass over all draws is tried first."""
LONGEST_GRACE = 5.0
"""Time after Ctrl-C at the very most: where matching a few draws takes longer, nothing is kept."""
FEW = 3
"""Draws that are compared where nothing else has been found, and evaluated in any case."""


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
    """The estimate over all draws, or over as many as there is time for, which it then notes.

    A few draws are evaluated first, unless all of them surely fit, then as many as the time allows
    by how long the last ones took; what is late is given up.
    """
    if seconds == inf:
        return Estimate.of(engine, matrix, a)
    info, until = engine.samples_info, perf_counter() + seconds
    left = seconds - engine.reading_seconds
    if pass_seconds(info, matrix.shape[1]) <= left / 2:
        with suppress(OutOfTimeError):
            return Estimate.of(engine.limited(TRIED_SHARE * left), matrix, a)
    since = perf_counter()
    found = assess_some(engine, matrix, a, FEW)
    while True:
        now = perf_counter()
        left = until - now - engine.reading_seconds
        wanted = min(int(found.n_draws * left / (now - since)), info.n_draws)
        if wanted < 2 * found.n_draws:
            return found
        since = now
        try:
            found = assess_some(engine.limited(left), matrix, a, wanted)
        except OutOfTimeError:
            return found


def assess_some(engine: Engine, matrix: BinaryMatrix, a: float, n_draws: int) -> Estimate:
    """The estimate over at most this many draws; it notes that there are more."""
    total = engine.samples_info.n_draws
    some = engine if n_draws >= total else engine.at_hand(n_draws)
    n_draws = some.samples_info.n_draws
    note = (
        f"Time was short: all numbers are about {n_draws} of the {total} draws. "
        "fangs.assess(estimate, samples) takes all of them."
    )
    return Estimate.of(some, matrix, a, note=note if n_draws < total else "")


def best_of_few(engine: Engine, objective: Objective) -> BinaryMatrix:
    """The draw that is closest to a few others: what is left where there was no time to search."""
    few = engine.at_hand(FEW)
    ones = few.samples_info.n_ones.astype(np.int64)
    overlaps = np.diag(ones)
    pairs = np.array(list(combinations(range(len(ones)), 2)), dtype=np.int64).reshape(-1, 2)
    one, other = pairs.T
    overlaps[one, other] = overlaps[other, one] = few.pair_overlaps(one, other)
    among = replace(objective, total_weight=len(ones), total_ones=int(ones.sum()))
    scores = [
        among.score(size, total)
        for size, total in zip(ones.tolist(), overlaps.sum(axis=0).tolist(), strict=True)
    ]
    return few.draw(scores.index(min(scores)))
