"""The default search: multistart on a subsample, then variable neighbourhood search.

A subsample tells good starts from bad ones at a fraction of the cost; all draws decide. At each
stage the better half goes on, as in successive halving (Jamieson and Talwalkar 2016). Multistart:
Martí, Resende and Ribeiro (2013). Variable neighbourhood search: Hansen and Mladenović (2001).
docs/how-the-search-works.md has the pseudocode.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import count

import numpy as np

from fangs._typing import BinaryMatrix
from fangs.allocation import left_ordered, without_empty
from fangs.engine import Engine, pass_seconds
from fangs.loss import Objective
from fangs.search.local_search import LocalSearch
from fangs.search.params import SearchParams
from fangs.search.perturb import Perturbation, make_perturbations
from fangs.search.starts import Candidate, make_starts
from fangs.search.state import SearchState, Solution
from fangs.search.subsample import Subsample


def multistart(state: SearchState, params: SearchParams) -> None:
    """Search as the state's settings say, until nothing that is tried lowers the loss.

    A start that was given joins the best ones when all draws are gone over.
    """
    rng = np.random.default_rng(state.settings.seed)
    with state.phase("start"):
        given = [] if state.given is None else [given_start(state, state.given)]
        subsample = Subsample(state.engine, state.objective.a, params, rng)
        starts = best_starts(state, subsample, params, rng)
    with state.phase("sweeten"):
        if not subsample.is_all:
            starts = sweeten_on_subsample(state, subsample, starts, params, rng)
        starts = with_given(starts[: n_affordable(state, starts, params)], given)
        ends = descend_from(starts, state.engine, state.objective, state)
    with state.phase("refine"):
        doubtful = [] if are_clear(starts, ends, state, params) else ends[: params.n_final]
        for done, search in enumerate(doubtful):
            state.report_progress("refine", done, len(doubtful))
            tries = make_perturbations(params.final_tries, params)
            improve(search, tries, rng)
        state.stopped_because = "no single flip and no perturbation lowers the expected loss"
        if not doubtful:
            state.stopped_because = "all starts agree, and no single flip lowers the expected loss"
        if state.settings.max_seconds is not None:
            best = min(ends, key=lambda search: search.key)
            rounds = count(1)

            def report() -> None:
                state.report_progress("perturb", next(rounds), None)

            tries = make_perturbations(params.time_left_tries, params)
            improve(best, tries, rng, report)
            state.stopped_because = f"none of the last {params.patience} perturbations helped"


def best_starts(
    state: SearchState, subsample: Subsample, params: SearchParams, rng: np.random.Generator
) -> list[Candidate]:
    """Make `n_init` starts on the subsample; keep the best distinct ones, twice `n_sweet`."""
    n_init, n_kept = state.settings.n_init, 2 * state.settings.n_sweet
    distinct: dict[bytes, Candidate] = {}
    made = make_starts(subsample.engine, subsample.objective, n_init, params, rng)
    for done, start in enumerate(made, start=1):
        distinct.setdefault(left_ordered(start.matrix).tobytes(), start)
        state.update_provisional(subsample, start.matrix, start.score)
        state.report_progress("start", done, n_init)
    ranked = sorted(distinct.values(), key=lambda start: start.score)
    for start in ranked[n_kept:]:
        n_draws = subsample.engine.samples_info.n_draws
        state.record_start(start, subsample.objective, n_draws=n_draws)
    return ranked[:n_kept]


def first_start(engine: Engine, a: float, seed: int | None) -> BinaryMatrix:
    """One start, for when time was over before there was any."""
    rng, params = np.random.default_rng(seed), SearchParams()
    subsample = Subsample(engine, a, params, rng)
    start = next(make_starts(subsample.engine, subsample.objective, 2, params, rng))
    return subsample.on_all_items(start.matrix)


def given_start(state: SearchState, matrix: BinaryMatrix) -> Candidate:
    """A start that the caller gave, which is the incumbent for now."""
    matrix = without_empty(matrix)
    n_ones = int(matrix.sum())
    with state.measured_pass():
        overlap = state.engine.samples_info.weigh(state.engine.overlaps(matrix))
    score = state.objective.score(n_ones, overlap)
    state.offer(Solution(matrix, score, n_ones))
    return Candidate("given", None, matrix, score)


def with_given(starts: Sequence[Candidate], given: Sequence[Candidate]) -> list[Candidate]:
    """The starts, after the given one if it is none of them."""
    known = {left_ordered(start.matrix).tobytes() for start in starts}
    return [s for s in given if left_ordered(s.matrix).tobytes() not in known] + list(starts)


def sweeten_on_subsample(
    state: SearchState,
    subsample: Subsample,
    starts: Sequence[Candidate],
    params: SearchParams,
    rng: np.random.Generator,
) -> list[Candidate]:
    """Descend from the starts on the subsample; return where they end, the best first.

    Where perturbations over all draws would take too long, they are made here, on the best ends.
    """
    ends = descend_from(starts, subsample.engine, subsample.objective, state)
    if not can_walk(state.engine, ends[0], params):
        seconds = pass_seconds(subsample.engine.samples_info, ends[0].matrix.shape[1])
        names = params.subsample_tries if seconds <= params.shift_seconds else ()
        for end in ends[: params.n_final]:
            improve(end, make_perturbations(names, params), rng)
        ends.sort(key=lambda end: end.key)
    state.update_provisional(subsample, ends[0].matrix, ends[0].score)
    return [
        Candidate("subsample", None, subsample.on_all_items(end.matrix), end.score) for end in ends
    ]


def n_affordable(state: SearchState, starts: Sequence[Candidate], params: SearchParams) -> int:
    """How many of the best starts are sweetened over all draws: `n_sweet`, or fewer."""
    seconds = pass_seconds(state.engine.samples_info, starts[0].matrix.shape[1])
    return min(state.settings.n_sweet, max(1, int(params.sweeten_seconds / seconds)))


def descend_from(
    starts: Sequence[Candidate], engine: Engine, objective: Objective, state: SearchState
) -> list[LocalSearch]:
    """Descend from each start; return the searches with distinct ends, the best first."""
    ends: dict[bytes, LocalSearch] = {}
    for done, start in enumerate(starts):
        state.report_progress("sweeten", done, len(starts))
        on_step: Callable[[LocalSearch], None] = state.update_incumbent
        measured: AbstractContextManager[None] = state.measured_pass()
        if engine is not state.engine:
            on_step, measured = lambda search: state.deadline.check(), nullcontext()
        with measured:
            search = LocalSearch(engine, objective, start.matrix, on_step)
            initial = search.score
        on_step(search)
        search.descend()
        n_draws = engine.samples_info.n_draws
        state.record_start(replace(start, score=initial), objective, search, n_draws=n_draws)
        ends.setdefault(left_ordered(search.matrix).tobytes(), search)
    return sorted(ends.values(), key=lambda search: search.key)


def improve(
    search: LocalSearch,
    tries: Sequence[Perturbation],
    rng: np.random.Generator,
    on_round: Callable[[], None] = lambda: None,
) -> None:
    """Perturb, descend, accept what is better; stop when every perturbation has failed in turn.

    This is variable neighbourhood search: after a success the first perturbation is tried again.
    `on_round` is called after each.
    """
    best, at = Solution.of(search), 0
    while at < len(tries):
        tries[at](search, rng)
        search.descend()
        if search.key < best.key:
            best, at = Solution.of(search), 0
        else:
            search.move_to(best.matrix)
            at += 1
        on_round()


def are_clear(
    starts: Sequence[Candidate],
    ends: Sequence[LocalSearch],
    state: SearchState,
    params: SearchParams,
) -> bool:
    """Whether all starts were one allocation that no flip improves: no need to perturb.

    Small problems are perturbed all the same, because that is next to free.
    """
    seconds = pass_seconds(state.engine.samples_info, ends[0].matrix.shape[1])
    is_free = params.walk_steps * seconds <= params.free_seconds
    has_repeated = len(starts) == 1 and state.settings.n_init > params.max_repeats
    return has_repeated and ends[0].n_flips == 0 and not is_free


def can_walk(engine: Engine, search: LocalSearch, params: SearchParams) -> bool:
    """Whether whole tabu walks over the draws of an engine are affordable."""
    seconds = pass_seconds(engine.samples_info, search.matrix.shape[1])
    return params.walk_steps * seconds <= params.walk_seconds
