"""A search that begins from a matrix or an earlier estimate as well."""

import numpy as np
import pytest

import fangs

DRAWS = fangs.simulate.posterior_like(40, 6, 900, noise=0.25, seed=4).draws
SAMPLES = fangs.Samples(DRAWS, items=[f"item {i}" for i in range(40)])


@pytest.mark.parametrize("a", [0.3, 1.0, 1.7])
def test_a_search_from_an_estimate_ends_at_least_as_low(a):
    best = fangs.estimate(SAMPLES, a=a, seed=1)
    found = fangs.estimate(SAMPLES, a=a, start=best, n_init=1, n_sweet=1, seed=2)
    assert found.expected_loss <= best.expected_loss
    assert found.is_flip_optimal


def test_a_start_that_is_not_among_the_others_is_sweetened():
    found = fangs.estimate(SAMPLES, start=DRAWS[0], seed=1)
    (start,) = [start for start in found.search.starts if start.method == "given"]
    assert start.initial_loss == fangs.expected_loss(DRAWS[0], SAMPLES)
    assert start.loss <= start.initial_loss


def test_a_start_that_the_search_makes_itself_changes_nothing():
    found = fangs.estimate(SAMPLES, seed=1)
    again = fangs.estimate(SAMPLES, start=found, seed=1)
    assert np.array_equal(found.matrix, again.matrix)


def test_time_that_is_over_at_once_gives_the_start():
    best = fangs.estimate(SAMPLES, seed=1)
    found = fangs.estimate(SAMPLES, start=best, max_seconds=1e-6, seed=2)
    assert np.array_equal(found.matrix, best.matrix)


def test_rows_of_a_start_are_matched_by_name():
    best = fangs.estimate(SAMPLES, seed=1)
    frame = best.to_frame().iloc[::-1]
    found = fangs.estimate(SAMPLES, start=frame, seed=1)
    assert np.array_equal(found.matrix, best.matrix)
    with pytest.raises(ValueError, match=r"start.*'x'"):
        fangs.estimate(SAMPLES, start=frame.rename({"item 3": "x"}), seed=1)


@pytest.mark.parametrize("start", [np.zeros((40, 0)), np.zeros((40, 3)), np.ones((40, 2))])
def test_any_matrix_may_be_a_start(start):
    assert fangs.estimate(SAMPLES, start=start, seed=1).is_flip_optimal
