"""The neighbourhood: exact support of all flips, and repair that equals solving from scratch."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from fangs.engine import ThreadedEngine
from oracles import reference as ref
from oracles import scipy_overlap
from support.strategies import estimate_and_draws, noisy_draws, random_allocation


def check_against_fresh(neighbourhood, engine, matrix):
    """A repaired state says exactly what a state built for the same matrix says."""
    fresh = engine.neighbourhood(matrix)
    assert np.array_equal(neighbourhood.matrix, matrix)
    assert np.array_equal(neighbourhood.sizes, matrix.sum(axis=0))
    assert neighbourhood.total_overlap == fresh.total_overlap
    assert np.array_equal(neighbourhood.flip_support(), fresh.flip_support())


def check_against_recomputation(neighbourhood, draws, recompute=scipy_overlap):
    matrix = neighbourhood.matrix
    total = sum(recompute.max_overlap(matrix, draw) for draw in draws)
    assert neighbourhood.total_overlap == total
    support = neighbourhood.flip_support()
    assert support.shape == matrix.shape
    assert support.dtype == np.int64
    gained, lost = recompute.overlap_changes(matrix, draws)
    assert np.array_equal(support, np.where(matrix, lost, gained))


def flip(matrix, rows, cols):
    matrix = matrix.copy()
    matrix[rows, cols] ^= 1
    return matrix


def check_walk(neighbourhood, engine, rng, counts):
    """Flip so many random entries at a time; where each step ends is what a fresh state says."""
    for count in counts:
        rows, cols = some_entries(rng, neighbourhood.matrix, count)
        flipped = flip(neighbourhood.matrix, rows, cols)
        neighbourhood.flip(rows, cols)
        check_against_fresh(neighbourhood, engine, flipped)


def some_entries(rng, matrix, count):
    """`count` distinct entries of the matrix, as rows and columns."""
    chosen = rng.choice(matrix.size, size=min(count, matrix.size), replace=False)
    return np.unravel_index(chosen, matrix.shape)


@given(estimate_and_draws(max_items=4, max_features=3))
def test_flip_support_equals_its_definition(problem):
    estimate, draws = problem
    neighbourhood = ThreadedEngine(fangs.Samples(draws)).neighbourhood(estimate)
    check_against_recomputation(neighbourhood, draws, recompute=ref)


@pytest.mark.parametrize("with_support", [False, True])
@given(problem=estimate_and_draws(max_items=6, max_features=5), data=st.data())
def test_state_after_each_flip_equals_fresh_state(with_support, problem, data):
    matrix, draws = problem
    engine = ThreadedEngine(fangs.Samples(draws))
    neighbourhood = engine.neighbourhood(matrix)
    entries = st.tuples(st.integers(0, matrix.shape[0] - 1), st.integers(0, matrix.shape[1] - 1))
    walk = data.draw(st.lists(entries, max_size=12)) if matrix.size else []
    for i, j in walk:
        neighbourhood.flip([i], [j], with_support=with_support)
        matrix = flip(matrix, [i], [j])
        check_against_fresh(neighbourhood, engine, matrix)
    check_against_recomputation(neighbourhood, draws)


@pytest.mark.parametrize("n_items", [1, 5, 63, 64, 65, 130])
@pytest.mark.parametrize("n_features", [0, 1, 3, 8])
def test_random_walk_equals_recomputation(n_items, n_features):
    rng = np.random.default_rng(100 * n_items + n_features)
    draws = noisy_draws(rng, n_items, n_features, 4)
    matrix = random_allocation(rng, n_items, n_features)
    engine = ThreadedEngine(fangs.Samples(draws))
    neighbourhood = engine.neighbourhood(matrix)
    check_against_recomputation(neighbourhood, draws)
    for step in range(12 if matrix.size else 0):
        rows, cols = some_entries(rng, matrix, 1 if step % 3 else rng.integers(2, 9))
        neighbourhood.flip(rows, cols, with_support=bool(step % 2))
        matrix = flip(matrix, rows, cols)
        check_against_fresh(neighbourhood, engine, matrix)
    check_against_recomputation(neighbourhood, draws)


@pytest.mark.parametrize("looks_between_flips", [True, False])
def test_long_walk_of_single_flips_equals_fresh_states(looks_between_flips):
    rng = np.random.default_rng(4)
    draws = noisy_draws(rng, 20, 10, 12)
    matrix = np.zeros((20, 11), dtype=np.uint8)  # from nothing, so every overlap is tied at first
    engine = ThreadedEngine(fangs.Samples(draws))
    neighbourhood = engine.neighbourhood(matrix)
    for step in range(400):
        rows, cols = some_entries(rng, matrix, 1)
        neighbourhood.flip(rows, cols)
        matrix = flip(matrix, rows, cols)
        if looks_between_flips or step % 50 == 49:
            check_against_fresh(neighbourhood, engine, matrix)
    check_against_recomputation(neighbourhood, draws)


@pytest.mark.parametrize("n_features", [64, 65, 130])
def test_many_features_equal_recomputation(n_features):
    rng = np.random.default_rng(n_features)
    draws = [random_allocation(rng, 6, n_features - k) for k in (0, 1, 30)]
    matrix = random_allocation(rng, 6, n_features)
    engine = ThreadedEngine(fangs.Samples(draws))
    neighbourhood = engine.neighbourhood(matrix)
    check_walk(neighbourhood, engine, rng, (1, 1, 5))
    matrix, support = neighbourhood.matrix, neighbourhood.flip_support()
    total = neighbourhood.total_overlap
    assert total == sum(scipy_overlap.max_overlap(matrix, draw) for draw in draws)
    for i, j in zip(*some_entries(rng, matrix, 40), strict=True):
        neighbour = flip(matrix, i, j)
        change = sum(scipy_overlap.max_overlap(neighbour, draw) for draw in draws) - total
        assert support[i, j] == (-change if matrix[i, j] else change)


@pytest.mark.parametrize("n_items", [10_920, 10_921, 10_922, 16_384, 32_768])
def test_many_items_equal_recomputation(n_items):
    """From 10,922 items on, sums of three full overlaps need 32 bits."""
    rng = np.random.default_rng(n_items)
    draws = [random_allocation(rng, n_items, 2, density=d) for d in (0.5, 0.9)]
    draws.append(np.ones((n_items, 2), dtype=np.uint8))
    matrix = random_allocation(rng, n_items, 3, density=0.5)
    matrix[:, 0] = 1
    engine = ThreadedEngine(fangs.Samples(draws))
    neighbourhood = engine.neighbourhood(matrix)
    check_against_recomputation(neighbourhood, draws)
    check_walk(neighbourhood, engine, rng, (1, 1, 1000))
    check_against_recomputation(neighbourhood, draws)


def test_overlaps_too_many_to_keep_equal_few():
    """Repeating the draws until their overlaps pass 64 MB changes the path, not the answer."""
    rng = np.random.default_rng(10)
    draws = [random_allocation(rng, 3, 200, density=0.6) for _ in range(5)]
    matrix = random_allocation(rng, 3, 200)
    few, many = (ThreadedEngine(fangs.Samples(draws * k)).neighbourhood(matrix) for k in (1, 300))
    for count in (0, 1, 20):
        rows, cols = some_entries(rng, matrix, count)
        few.flip(rows, cols)
        many.flip(rows, cols)
        assert many.total_overlap == 300 * few.total_overlap
        assert np.array_equal(many.flip_support(), 300 * few.flip_support())


def test_a_neighbourhood_owns_its_matrix():
    matrix = np.array([[1], [0]], np.uint8)
    neighbourhood = ThreadedEngine(fangs.Samples([matrix])).neighbourhood(matrix)
    neighbourhood.flip([1], [0])
    assert matrix.tolist() == [[1], [0]]
    assert neighbourhood.matrix.tolist() == [[1], [1]]


@pytest.mark.parametrize("with_support", [False, True])
def test_a_flip_leaves_earlier_flip_support_alone(with_support):
    # {1} is matched with {12}, and only with it; an empty feature with {12} or {34}.
    draw = np.array([[1, 0], [1, 0], [0, 1], [0, 1]])
    neighbourhood = ThreadedEngine([draw]).neighbourhood(np.array([[1], [0], [0], [0]], np.uint8))
    before = neighbourhood.flip_support()
    neighbourhood.flip([0], [0], with_support=with_support)
    assert neighbourhood.flip_support().T.tolist() == [[1, 1, 1, 1]]
    assert before.T.tolist() == [[1, 1, 0, 0]]


@pytest.mark.parametrize(
    ("rows", "columns", "words"),
    [([3], [0], "entry"), ([0], [2], "entry"), ([-1], [0], "entry"), ([0, 0], [1, 1], "twice")],
)
def test_a_flip_outside_the_matrix_or_twice_is_refused(rows, columns, words):
    neighbourhood = ThreadedEngine([np.eye(3)]).neighbourhood(np.ones((3, 2), dtype=np.uint8))
    with pytest.raises(IndexError if words == "entry" else ValueError, match=words):
        neighbourhood.flip(rows, columns)
