"""What must be true of allocations and estimates, checked by the plain definitions."""

from fractions import Fraction

import numpy as np
import pytest

import fangs
from oracles import reference as ref


def exact_loss(matrix, draws, a):
    """The expected loss as a fraction; the penalty is the decimal number that it prints as."""
    return Fraction(ref.expected_loss(matrix, draws, Fraction(repr(a))))


def exact_changes(matrix, draws, a):
    """(n, K) of fractions: change of the expected loss by each single flip."""
    now = exact_loss(matrix, draws, a)
    changes = np.zeros(matrix.shape, dtype=object)
    for i, j in np.ndindex(*matrix.shape):
        changes[i, j] = exact_loss(ref.flipped(matrix, i, j), draws, a) - now
    return changes


def is_flip_optimal(matrix, draws, a):
    """Whether no neighbour is better, the birth of a feature included."""
    return bool((_wider_changes(matrix, draws, a) >= 0).all())


def has_needless_ones(matrix, draws, a):
    """Whether some 1 could be switched off at equal loss."""
    changes = exact_changes(ref.without_empty_features(matrix), draws, a)
    return bool(((changes == 0) & (ref.without_empty_features(matrix) == 1)).any())


def _wider_changes(matrix, draws, a):
    kept = ref.without_empty_features(matrix)
    return exact_changes(ref.pad(kept, kept.shape[1] + 1), draws, a)


def check_estimate(estimate, draws, a):
    """What is true of every estimate, whatever the search did."""
    matrix = estimate.matrix
    assert matrix.dtype == np.uint8
    assert np.array_equal(matrix, ref.left_ordered(matrix)), "not left-ordered, or empty features"
    assert estimate.a == a
    assert estimate.losses.shape == (len(draws),)
    assert estimate.proportions.shape == matrix.shape
    assert estimate.expected_loss == float(exact_loss(matrix, draws, a))
    assert estimate.expected_loss == fangs.expected_loss(matrix, draws, a=a)
    losses = [ref.faro_loss(matrix, draw, a) for draw in draws]
    assert estimate.losses.tolist() == pytest.approx(losses, rel=1e-14)


def same_bits(estimate):
    """What must not depend on threads, input form or repetition."""
    return (
        estimate.matrix.shape,
        estimate.matrix.tobytes(),
        estimate.expected_loss,
        estimate.proportions.tobytes(),
        estimate.losses.tobytes(),
        estimate.is_flip_optimal,
        estimate.n_ties,
        estimate.search.starts,
        estimate.search.flips,
        estimate.search.stopped_because,
    )


def same(one, other):
    """Two estimates of the same draws, found anywhere, are equal to the bit."""
    for name in ("matrix", "proportions", "losses"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
    for name in ("expected_loss", "items", "n_ties", "is_flip_optimal", "fingerprint"):
        assert getattr(one, name) == getattr(other, name), name
    assert one.between_chains == other.between_chains
