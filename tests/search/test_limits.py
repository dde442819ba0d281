"""Searches at the ends of what is allowed."""

import numpy as np
import pytest

import fangs


@pytest.mark.parametrize("a", [5e-324, 1e-300, 1e-9, 2 - 1e-9, np.nextafter(2, 0)])
def test_penalties_next_to_their_ends_keep_clear_features(a):
    for width in (0, 2):
        draws = [np.ones((3, width), dtype=np.uint8)] * 2
        found = fangs.estimate(draws, a=float(a), seed=1)
        assert found.expected_loss == 0
        assert found.matrix.shape == (3, width)


@pytest.mark.parametrize("n_threads", [1, 1000])
def test_any_number_of_threads_gives_the_same_estimate(n_threads):
    rng = np.random.default_rng(0)
    draws = (rng.random((50, 9, 4)) < 0.4).astype(np.uint8)
    found = fangs.estimate(draws, seed=1, n_threads=n_threads)
    assert np.array_equal(found.matrix, fangs.estimate(draws, seed=1, n_threads=2).matrix)


def test_no_threads_are_refused():
    with pytest.raises(ValueError, match="n_threads"):
        fangs.estimate([[[1]]], n_threads=0)


def test_draws_are_selected_by_narrow_numbers():
    samples = fangs.Samples((np.random.default_rng(0).random((300, 3, 2)) < 0.5).astype(int))
    for dtype in (np.int8, np.uint8):
        chosen = np.array([1, 127, 5], dtype=dtype)
        assert samples.select(chosen).fingerprint == samples.select([1, 127, 5]).fingerprint
