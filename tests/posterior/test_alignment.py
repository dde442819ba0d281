"""Alignment: permutations that attain the best overlap, and what follows from them."""

import numpy as np
import pytest
from hypothesis import given

import fangs
from fangs.engine import ThreadedEngine
from oracles import reference as ref
from oracles import scipy_overlap
from support.strategies import estimate_and_draws, noisy_draws, penalties, random_allocation


def relabelled(samples, permutations):
    """Return the draws with columns in the order given, absent features empty."""
    matrices = []
    for b, order in enumerate(permutations):
        draw = np.pad(samples[b], ((0, 0), (0, 1)))  # column -1 is empty
        matrices.append(draw[:, order])
    return matrices


def check_alignment(reference, samples, alignment):
    n_features = reference.shape[1]
    assert alignment.permutations.shape == (len(samples), n_features)
    assert np.issubdtype(alignment.permutations.dtype, np.integer)
    for b, order in enumerate(alignment.permutations):
        used = order[order >= 0]
        assert np.all(order >= -1)
        assert np.all(used < samples.n_features[b])
        assert len(set(used.tolist())) == len(used), "a feature stands in two places"
    aligned = relabelled(samples, alignment.permutations)
    overlaps = [int((reference * Z).sum(dtype=np.int64)) for Z in aligned]
    assert overlaps == [scipy_overlap.max_overlap(reference, draw) for draw in samples]
    assert ThreadedEngine(samples).overlaps(reference).tolist() == overlaps
    counts = np.sum(aligned, axis=0, dtype=np.int64)
    assert np.array_equal(alignment.proportions, counts / len(samples))
    assert np.array_equal(np.asarray(alignment.reference), reference)


@given(estimate_and_draws(max_items=6, max_features=5), penalties)
def test_alignment_attains_the_loss(problem, a):
    reference, draws = problem
    samples = fangs.Samples(draws)
    alignment = fangs.align(reference, samples)
    check_alignment(reference, samples, alignment)
    assert alignment.losses(a=a).tolist() == [ref.faro_loss(reference, Z, a) for Z in draws]


@pytest.mark.parametrize("n_items", [1, 63, 64, 65, 130, 400])
@pytest.mark.parametrize("n_features", [0, 1, 20, 64, 70])
def test_alignment_of_larger_problems(n_items, n_features):
    rng = np.random.default_rng(n_items + n_features)
    samples = fangs.Samples(noisy_draws(rng, n_items, n_features, 7))
    reference = random_allocation(rng, n_items, n_features)
    check_alignment(reference, samples, fangs.align(reference, samples))


@pytest.mark.parametrize(
    ("n_items", "n_features", "density"),
    [
        (1000, 70, 0.35),  # more than 255 items of a feature in one block of 1024 items
        (1024, 40, 0.05),
        (1025, 40, 0.05),  # more than one block
        (3000, 48, 0.35),
        (2500, 150, 0.02),  # more features than sums in registers
        (12000, 30, 0.03),  # integers of 32 bits
    ],
)
def test_alignment_where_items_are_taken_block_by_block(n_items, n_features, density):
    rng = np.random.default_rng(n_items)
    reference = random_allocation(rng, n_items, n_features, density)
    alike = reference[:, rng.permutation(n_features)]
    alike = alike ^ random_allocation(rng, n_items, n_features, 0.02)
    samples = fangs.Samples([alike, random_allocation(rng, n_items, n_features, density)])
    check_alignment(reference, samples, fangs.align(reference, samples))


def test_alignment_to_itself_is_the_identity():
    reference = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1]])
    draws = [reference, reference[:, [2, 0, 1]], reference[:, [1]]]
    alignment = fangs.align(reference, draws)
    assert alignment.permutations.tolist() == [[0, 1, 2], [1, 2, 0], [-1, 0, -1]]
    thirds = [[2 / 3, 1, 0], [2 / 3, 0, 0], [0, 0, 2 / 3]]
    assert alignment.proportions.tolist() == thirds


def test_a_feature_with_nothing_in_common_may_be_absent_but_never_shared():
    alignment = fangs.align(np.array([[1], [0]]), [np.array([[0], [1]]), np.zeros((2, 0))])
    assert alignment.losses().tolist() == [2, 1]


@pytest.mark.parametrize("n_words", range(1, 9))
def test_overlaps_are_exact_for_items_of_any_number_of_words(n_words):
    rng = np.random.default_rng(n_words)
    for n_items in (64 * n_words - 63, 64 * n_words - 1, 64 * n_words):
        reference = random_allocation(rng, n_items, 3)
        samples = fangs.Samples([random_allocation(rng, n_items, k) for k in (1, 3, 5)])
        check_alignment(reference, samples, fangs.align(reference, samples))
