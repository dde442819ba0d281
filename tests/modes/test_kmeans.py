"""k-means in the space of allocations: the total never rises, no mode is left empty."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fangs.engine import ThreadedEngine
from fangs.modes.kmeans import seed_partition, settle
from fangs.modes.partition import Centre, Partition
from support.strategies import penalties, several_allocations


def partition_of(engine, matrices, a):
    centres = [Centre.of(engine, np.asarray(m, np.uint8), a) for m in matrices]
    return Partition.of(engine.samples_info, a, centres)


@given(several_allocations(7, max_items=4, max_features=3), st.integers(1, 3), penalties)
def test_settling_never_raises_the_total(allocations, n_modes, a):
    engine = ThreadedEngine(allocations[3:], 1)
    before = partition_of(engine, allocations[:n_modes], a)
    after = settle(engine, before)
    assert after.total <= before.total
    assert (after.counts > 0).all()
    again = settle(engine, after)
    assert again.total == after.total


def test_a_centre_without_draws_is_moved_to_the_farthest_draw():
    near, far = np.array([[1], [1], [0], [0]]), np.array([[0], [0], [1], [1]])
    engine = ThreadedEngine([near, near, far], 1)
    found = settle(engine, partition_of(engine, [near, near], 1.0))
    assert found.total == 0
    assert sorted(found.counts.tolist()) == [1, 2]


def test_seeds_are_drawn_in_proportion_to_their_loss():
    # Losses 0, 1 and 3 to the first centre: the last is drawn three times as often.
    first = np.array([[1], [1], [1], [0]])
    draws = [first, np.array([[1], [1], [0], [0]]), np.zeros((4, 0))]
    engine = ThreadedEngine(draws, 1)
    rng = np.random.default_rng(1)
    known = Centre.of(engine, first.astype(np.uint8), 1.0)
    times = [0, 0]
    for _ in range(2000):
        found = seed_partition(engine, 1.0, (known,), 2, rng)
        times[0 if found.centres[1].matrix.size else 1] += 1
    assert times[1] / sum(times) == pytest.approx(0.75, abs=0.03)


def test_the_heaviest_comes_first_and_draws_keep_their_centres():
    one, two = np.array([[1], [0]]), np.array([[0], [1]])
    engine = ThreadedEngine([one, two, two, np.array([[1], [1]])], 1)
    before = partition_of(engine, [one, two], 1.0)
    after = before.heaviest_first()
    assert before.labels.tolist() == [0, 1, 1, 0]  # the last is as near to both
    assert after.labels.tolist() == [0, 1, 1, 0]
    lighter = partition_of(engine.select(np.array([0, 1, 2])), [one, two], 1.0).heaviest_first()
    assert lighter.labels.tolist() == [1, 0, 0]
    assert lighter.counts.tolist() == [2, 1]
