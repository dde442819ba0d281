"""The passes over all draws against plain NumPy: align, evaluate, place, count, on some items."""

import numpy as np
import pytest
from hypothesis import given

from fangs.engine import ThreadedEngine
from oracles import reference as ref
from oracles import scipy_overlap
from support.strategies import estimate_and_draws, noisy_draws, random_allocation

SIZES = [(1, 1), (5, 0), (63, 3), (64, 4), (65, 5), (130, 8), (20, 70)]
"""(items, features), at the edges of words of 64 items and of 64 features."""


def problem(n_items, n_features):
    """A matrix, and draws around another one; some of them are empty."""
    rng = np.random.default_rng(100 * n_items + n_features)
    draws = noisy_draws(rng, n_items, n_features, 7)
    draws[3] = np.zeros((n_items, 0), dtype=np.uint8)
    return random_allocation(rng, n_items, n_features), draws


def count_by_hand(draws, permutations):
    """(n, K): number of draws whose feature aligned to column j has item i."""
    counts = np.zeros((len(draws[0]), permutations.shape[1]), dtype=np.int64)
    for draw, permutation in zip(draws, permutations, strict=True):
        for j, feature in enumerate(permutation):
            if feature >= 0:
                counts[:, j] += draw[:, feature]
    return counts


def place_by_hand(draws, permutations, n_columns):
    """As `count_by_hand`, with every other feature in the first column that is still free."""
    placed = np.full((len(draws), n_columns), -1)
    placed[:, : permutations.shape[1]] = permutations
    for row, draw in zip(placed, draws, strict=True):
        free = iter(np.flatnonzero(row < 0))
        for feature in sorted(set(range(draw.shape[1])) - set(row.tolist())):
            row[next(free)] = feature
    return count_by_hand(draws, placed)


def check_alignment(engine, matrix):
    """Permutations name each feature at most once, and reach the largest overlap."""
    draws = list(engine.samples)
    permutations, aligned = engine.permutations(matrix)
    assert permutations.shape == (len(draws), matrix.shape[1])
    for draw, permutation, overlap in zip(draws, permutations, aligned.overlaps, strict=True):
        used = permutation[permutation >= 0]
        assert len(np.unique(used)) == len(used)
        shared = (matrix[:, permutation >= 0] & draw[:, used]).sum()
        assert shared == overlap == scipy_overlap.max_overlap(matrix, draw)
    assert np.array_equal(aligned.counts, count_by_hand(draws, permutations))
    assert np.array_equal(engine.align(matrix).counts, aligned.counts)
    assert np.array_equal(engine.align(matrix).overlaps, aligned.overlaps)
    assert np.array_equal(engine.overlaps(matrix), aligned.overlaps)
    assert aligned.total_overlap == (aligned.counts * matrix).sum()


def check_evaluation(engine, matrix):
    """An evaluation is an alignment and the flip support of a matrix with one more column."""
    found = engine.evaluate(matrix)
    aligned = engine.align(matrix)
    assert np.array_equal(found.matrix, matrix)
    assert np.array_equal(found.aligned.overlaps, aligned.overlaps)
    assert np.array_equal(found.aligned.counts, aligned.counts)
    support = engine.neighbourhood(np.pad(matrix, ((0, 0), (0, 1)))).flip_support()
    assert np.array_equal(found.flip_support, support[:, :-1])
    assert np.array_equal(found.birth_support, support[:, -1])


@pytest.mark.parametrize(("n_items", "n_features"), SIZES)
def test_alignment_and_evaluation_equal_plain_numpy(n_items, n_features):
    matrix, draws = problem(n_items, n_features)
    check_alignment(ThreadedEngine(draws), matrix)
    check_evaluation(ThreadedEngine(draws), matrix)


@given(estimate_and_draws(max_items=4, max_features=3))
def test_an_evaluation_equals_its_definition(problem):
    matrix, draws = problem
    found = ThreadedEngine(draws).evaluate(matrix)
    assert found.aligned.overlaps.tolist() == [ref.max_overlap(matrix, draw) for draw in draws]
    wider = ref.pad(matrix, matrix.shape[1] + 1)
    gained, lost = ref.overlap_changes(wider, draws)
    wanted = np.where(wider, lost, gained)
    assert np.array_equal(found.flip_support, wanted[:, :-1])
    assert np.array_equal(found.birth_support, wanted[:, -1])


@pytest.mark.parametrize("n_items", [10_921, 10_922])
def test_passes_agree_where_overlaps_need_32_bits(n_items):
    rng = np.random.default_rng(n_items)
    full = np.ones((n_items, 2), dtype=np.uint8)
    engine = ThreadedEngine([full, random_allocation(rng, n_items, 3, density=0.9)])
    check_alignment(engine, full)
    check_evaluation(engine, full)


@pytest.mark.parametrize("n_features", [10_921, 10_922, 32_767, 32_768])
@pytest.mark.parametrize("swapped", [False, True])
def test_passes_agree_where_indices_need_32_bits(n_features, swapped):
    """Only the last of very many features has the item that the other side has."""
    many = np.zeros((3, n_features), dtype=np.uint8)
    many[0] = 1
    many[1, -1] = 1
    few = np.array([[0], [1], [1]], dtype=np.uint8)
    matrix, draw = (few, many) if swapped else (many, few)
    engine = ThreadedEngine([draw])
    check_alignment(engine, matrix)
    found = engine.evaluate(matrix)
    assert found.aligned.total_overlap == 1
    assert found.flip_support[:, -1].tolist() == ([1, 1, 0] if swapped else [0, 1, 1])


@pytest.mark.parametrize(("n_items", "n_features"), SIZES)
@pytest.mark.parametrize("n_spare", [0, 3])
def test_every_feature_is_placed_in_a_column(n_items, n_features, n_spare):
    matrix, draws = problem(n_items, n_features)
    engine = ThreadedEngine(draws)
    n_columns = n_spare + max(n_features, *(draw.shape[1] for draw in engine.samples))
    counts = engine.place(matrix, n_columns)
    permutations, _ = engine.permutations(matrix)
    assert np.array_equal(counts, place_by_hand(list(engine.samples), permutations, n_columns))
    assert counts.sum() == engine.samples_info.total_ones


def test_placing_into_too_few_columns_is_refused():
    with pytest.raises(ValueError, match="columns"):
        ThreadedEngine([np.ones((2, 3))]).place(np.ones((2, 1), dtype=np.uint8), 2)


@pytest.mark.parametrize("n_items", [192, 200])
def test_counts_on_some_items_are_those_of_all_items(n_items):
    rng = np.random.default_rng(n_items)
    draws = noisy_draws(rng, n_items, 6, 9)
    draws[2] = np.zeros((n_items, 0), dtype=np.uint8)
    draws[5][70:, 0] = 0  # a feature that may be empty on the items that are picked
    engine = ThreadedEngine(draws)
    some = engine.subsample_items(128, rng)
    assert some.samples_info.n_items == 128
    assert some.samples_info.n_features.tolist() == engine.samples_info.n_features.tolist()
    everything = np.hstack(list(engine.samples))
    picked = np.hstack(list(some.samples))
    rows = [int(np.flatnonzero((everything == row).all(axis=1))[0]) for row in picked]
    assert rows == sorted(set(rows))
    matrix = random_allocation(rng, 128, 5)
    check_alignment(some, matrix)
    permutations, aligned = some.permutations(matrix)
    assert np.array_equal(some.count_aligned(permutations), aligned.counts)
    counts = engine.count_aligned(permutations)
    assert np.array_equal(counts, count_by_hand(list(engine.samples), permutations))
    assert np.array_equal(counts[rows], aligned.counts)
