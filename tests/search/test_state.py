"""The state of a search: the incumbent, the record and the time."""

import itertools

import numpy as np
import pytest

from fangs.allocation import left_ordered
from fangs.engine import Deadline, OutOfTimeError, ThreadedEngine
from fangs.loss import Objective
from fangs.search import SearchParams
from fangs.search.local_search import LocalSearch
from fangs.search.record import SearchSettings
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
    assert left_ordered(state.best_matrix()).tolist() == [[1], [1]]
    search.move_to(np.zeros((2, 0), dtype=np.uint8))
    state.update_incumbent(search)
    assert left_ordered(state.best_matrix()).tolist() == [[1], [1]]


def test_an_allocation_over_a_subsample_stands_in_until_there_is_one_over_all_draws():
    state = a_state()
    subsample = Subsample(state.engine, 1.0, SearchParams(), np.random.default_rng(0))
    assert state.best_matrix() is None
    state.update_provisional(subsample, np.array([[1], [0]], dtype=np.uint8), 3)
    state.update_provisional(subsample, np.array([[0], [1]], dtype=np.uint8), 4)
    assert left_ordered(state.best_matrix()).tolist() == [[1], [0]]
    state.update_provisional(subsample, np.array([[0], [1]], dtype=np.uint8), 2)
    assert left_ordered(state.best_matrix()).tolist() == [[0], [1]]
    state.offer(solution(99, 2))
    assert left_ordered(state.best_matrix()).tolist() == [[1], [1]]


def seconds_that_count(monkeypatch):
    """A clock that is a second later with each look."""
    now = itertools.count()
    monkeypatch.setattr("fangs.engine.deadline.perf_counter", lambda: float(next(now)))


def test_phases_add_up_even_if_they_fail(monkeypatch):
    seconds_that_count(monkeypatch)
    state = a_state()
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt), state.phase("start"):
            raise KeyboardInterrupt
    with state.phase("sweeten"):
        pass
    assert state.record(np.arange(2)).seconds == {"start": 2.0, "sweeten": 1.0}


def test_time_for_the_last_pass_is_set_aside_as_measured(monkeypatch):
    seconds_that_count(monkeypatch)
    state = a_state(max_seconds=10.0)
    assert state.deadline.reserved < 1e-3  # by the cost model
    with state.measured_pass():
        pass
    assert state.deadline.reserved == 1.0
    state = a_state(max_seconds=1.5)
    with state.measured_pass():
        pass
    assert state.deadline.reserved == 0.75  # half of what is granted at most


def test_a_deadline(monkeypatch):
    seconds_that_count(monkeypatch)
    assert not Deadline().is_over
    deadline = Deadline(5.0)
    deadline.reserved = 2.0
    assert [deadline.left for _ in range(4)] == [2.0, 1.0, 0.0, 0.0]
    with pytest.raises(OutOfTimeError):
        deadline.check()
    done = []
    with pytest.raises(OutOfTimeError):
        done.extend(Deadline(2.5).over("abcde"))
    assert done == ["a", "b"]
