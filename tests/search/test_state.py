"""The state of a search: the incumbent, the record and the clock."""

import time
from math import inf

import numpy as np
import pytest

from fangs.allocation import left_ordered
from fangs.engine import ThreadedEngine
from fangs.estimate import SearchSettings
from fangs.loss import Objective
from fangs.search import SearchParams
from fangs.search.clock import Clock, OutOfTimeError
from fangs.search.local_search import LocalSearch
from fangs.search.starts import Candidate
from fangs.search.state import SearchState, Solution
from fangs.search.subsample import Subsample

DRAWS = [np.array([[1, 0], [1, 1]]), np.array([[1], [1]])]


def a_state(*, max_seconds=None, report=None):
    engine = ThreadedEngine(DRAWS)
    settings = SearchSettings(seed=1, max_seconds=max_seconds)
    return SearchState(engine, Objective.of(engine.samples_info, 1.0), settings, report)


def solution(score, n_ones):
    return Solution(np.ones((2, 1), dtype=np.uint8), score, n_ones)


def test_the_lowest_score_is_kept_and_of_equal_ones_the_sparser():
    state = a_state()
    kept = []
    for key in [(5, 3), (5, 4), (5, 2), (5, 3), (4, 9), (5, 2)]:
        state.offer(solution(*key))
        kept.append(state.incumbent.key)
    assert kept == [(5, 3), (5, 3), (5, 2), (5, 2), (4, 9), (4, 9)]


def test_where_a_search_stands_is_kept_if_it_is_the_best():
    state = a_state()
    search = LocalSearch(state.engine, state.objective, np.zeros((2, 0), dtype=np.uint8))
    state.update_incumbent(search)
    empty = state.incumbent
    search.descend()
    state.update_incumbent(search)
    assert state.incumbent.key < empty.key
    assert left_ordered(state.best_matrix(inf)).tolist() == [[1], [1]]
    search.move_to(np.zeros((2, 0), dtype=np.uint8))
    state.update_incumbent(search)
    assert left_ordered(state.best_matrix(inf)).tolist() == [[1], [1]]


def test_an_allocation_over_a_subsample_stands_in_until_there_is_one_over_all_draws():
    state = a_state()
    subsample = Subsample(state.engine, 1.0, SearchParams(), np.random.default_rng(0))
    with pytest.raises(OutOfTimeError):
        state.best_matrix(inf)
    state.update_provisional(subsample, np.array([[1], [0]], dtype=np.uint8), 3)
    state.update_provisional(subsample, np.array([[0], [1]], dtype=np.uint8), 4)
    assert left_ordered(state.best_matrix(inf)).tolist() == [[1], [0]]
    state.update_provisional(subsample, np.array([[0], [1]], dtype=np.uint8), 2)
    assert left_ordered(state.best_matrix(inf)).tolist() == [[0], [1]]
    state.offer(solution(99, 2))
    assert left_ordered(state.best_matrix(inf)).tolist() == [[1], [1]]


def test_the_loss_reported_is_that_of_the_best():
    seen = []
    state = a_state(report=seen.append)
    state.report_progress("start", 0, 2)
    subsample = Subsample(state.engine, 1.0, SearchParams(), np.random.default_rng(0))
    score = state.objective.score(2, 4)
    state.update_provisional(subsample, np.array([[1], [1]], dtype=np.uint8), score + 2)
    state.report_progress("start", 1, 2)
    state.offer(solution(score, 2))
    state.report_progress("sweeten", 0, None)
    best = state.objective.loss_of_score(score)
    assert [step.loss for step in seen] == [
        float("inf"),
        state.objective.loss_of_score(score + 2),
        best,
    ]
    assert best == 0.5  # the first draw has one item more
    assert [(step.phase, step.done, step.total) for step in seen] == [
        *(("start", 0, 2), ("start", 1, 2), ("sweeten", 0, None)),
    ]


def test_the_record_holds_settings_starts_and_flips():
    state = a_state()
    matrix = np.array([[1], [1]], dtype=np.uint8)
    start = Candidate("baseline", 1, matrix, state.objective.score(2, 4))
    state.record_start(start, state.objective, n_draws=2)
    state.record_start(
        start, state.objective, solution(state.objective.score(2, 4), 2), 7, n_draws=2
    )
    state.stopped_because = "enough"
    record = state.record
    assert (record.seed, record.stopped_because, record.flips) == (1, "enough", 7)
    left, swept = record.starts
    assert (left.method, left.draw, left.initial_loss, left.loss) == ("baseline", 1, 0.5, None)
    assert (swept.loss, swept.flips, swept.n_features, swept.n_draws) == (0.5, 7, 1, 2)


def test_time_that_is_over_ends_a_search():
    state = a_state(max_seconds=1e-9)
    with pytest.raises(OutOfTimeError):
        state.check_clock()
    with pytest.raises(OutOfTimeError):
        state.report_progress("start", 0, 1)


def test_a_clock_without_a_limit_is_never_over():
    assert not Clock().is_over
    assert not Clock(60).is_over
    assert Clock(0).is_over


def test_a_clock_adds_up_each_phase_even_if_it_fails():
    clock = Clock()

    def fail():
        with clock.phase("start"):
            time.sleep(0.02)
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            fail()
    with clock.phase("sweeten"):
        pass
    assert list(clock.seconds) == ["start", "sweeten"]
    assert 0.04 <= clock.seconds["start"] < 2
    assert clock.seconds["sweeten"] < 0.04
