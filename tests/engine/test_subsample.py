"""A subsample of an engine: what `select` gives, without a copy where some items are enough."""

import numpy as np
import pytest

import fangs
from fangs.engine import OutOfTimeError, ThreadedEngine


def engine_over(weights=None):
    rng = np.random.default_rng(3)
    draws = [(rng.random((200, k)) < 0.3).astype(np.uint8) for k in rng.integers(0, 6, size=40)]
    return ThreadedEngine(fangs.Samples(draws, weights=weights, chains=np.arange(40) % 2), 2)


WEIGHTS = {"none": None, "equal": [3] * 40, "different": [0, 1, 2, 5] * 10}


@pytest.fixture(params=WEIGHTS.values(), ids=WEIGHTS)
def both(request):
    """A subsample, and the same draws selected at once."""
    whole = engine_over(request.param)
    some = whole.subsample(12, np.random.default_rng(5))
    copies = some.samples_info.weights
    has_copies = request.param is not None and len(set(request.param)) > 1
    return some, whole.select(some.draw_numbers, copies if has_copies else None)


def test_a_subsample_is_the_draws_selected(both):
    some, wanted = both
    matrix = wanted.draw(3)
    mine, theirs = some.samples_info, wanted.samples_info
    for name in ("n_features", "n_ones", "weights", "chains"):
        assert np.array_equal(getattr(mine, name), getattr(theirs, name)), name
    assert (mine.total_ones, mine.total_weight) == (theirs.total_ones, theirs.total_weight)
    assert mine.fingerprint == theirs.fingerprint
    assert np.array_equal(some.overlaps(matrix), wanted.overlaps(matrix))
    assert np.array_equal(some.draw(3), matrix)


def test_some_items_need_no_copy_of_the_draws(both):
    some, wanted = both
    few, other = (e.subsample_items(64, np.random.default_rng(7)) for e in both)
    matrix = other.draw(3)
    assert np.array_equal(few.overlaps(matrix), other.overlaps(matrix))
    assert np.array_equal(few.draw_numbers, some.draw_numbers)
    orders, _ = few.permutations(matrix)
    assert np.array_equal(some.count_aligned(orders), wanted.count_aligned(orders))
    assert "samples" not in vars(some)


def test_copies_of_draws_end_with_the_time():
    limited = engine_over().limited(0.0)
    some = limited.subsample(12, np.random.default_rng(5))
    with pytest.raises(OutOfTimeError):
        limited.select(np.arange(3))
    with pytest.raises(OutOfTimeError):
        some.subsample_items(64, np.random.default_rng(7))
    with pytest.raises(OutOfTimeError):
        some.overlaps(np.zeros((200, 1), dtype=np.uint8))
