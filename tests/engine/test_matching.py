"""Maximum-overlap matching: totals against scipy, proofs of optimality, and optimal edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from fangs import _core
from oracles.scipy_overlap import largest_total


def small_weights(largest):
    shapes = st.tuples(st.integers(0, 6), st.integers(0, 6))
    return shapes.flatmap(
        lambda shape: hnp.arrays(np.int64, shape, elements=st.integers(0, largest))
    )


def check_proof(weights, total, mate, u, v):
    """A matching and duals that prove each other optimal (weak duality)."""
    K, Kb = weights.shape
    assert (mate.shape, u.shape, v.shape) == ((K,), (K,), (Kb,))
    matched = np.flatnonzero(mate >= 0)
    assert np.all(mate[mate < 0] == -1)
    assert np.all(mate < Kb)
    assert len(set(mate[matched].tolist())) == len(matched), "a column is used twice"
    u, v = u.astype(np.int64), v.astype(np.int64)
    assert np.all(u >= 0)
    assert np.all(v >= 0)
    assert np.all(u[:, None] + v[None, :] >= weights), "duals are infeasible"
    assert np.all((u[:, None] + v[None, :] == weights)[matched, mate[matched]]), "not tight"
    assert np.all(u[mate < 0] == 0), "an unmatched row has a dual"
    unmatched_columns = np.setdiff1d(np.arange(Kb), mate[matched])
    assert np.all(v[unmatched_columns] == 0), "an unmatched column has a dual"
    assert total == weights[matched, mate[matched]].sum() == u.sum() + v.sum()


def check_match(weights):
    """The core's matching proves itself optimal, and scipy finds the same total."""
    total, *proof = _core.match(weights)
    assert total == largest_total(weights), weights
    check_proof(weights, total, *proof)


def edges_by_recomputation(weights):
    """An edge is optimal when forcing it keeps the largest total."""
    K, Kb = weights.shape
    best = largest_total(weights)
    edges = np.zeros((K, Kb + 1), dtype=bool)
    for j in range(K):
        rest = np.delete(weights, j, axis=0)
        edges[j, Kb] = largest_total(rest) == best
        for k in range(Kb):
            edges[j, k] = weights[j, k] + largest_total(np.delete(rest, k, axis=1)) == best
    return edges


def random_weights(rng):
    shape = rng.integers(0, 13, size=2)
    largest = rng.choice([0, 1, 2, 3, 10, 60])
    weights = rng.integers(0, largest + 1, size=shape)
    return weights * (rng.random(shape) < rng.choice([0.2, 0.6, 1.0]))


@given(st.one_of(small_weights(1), small_weights(3), small_weights(16383)))
def test_matching_equals_scipy(weights):
    check_match(weights)


def test_matching_equals_scipy_on_thousands_of_matrices():
    rng = np.random.default_rng(20)
    for _ in range(4000):
        check_match(random_weights(rng))


@pytest.mark.parametrize("shape", [(63, 64), (64, 65), (65, 63), (70, 130), (130, 70), (200, 3)])
@pytest.mark.parametrize("largest", [1, 4, 62, 16383])
def test_matching_of_many_features_equals_scipy(shape, largest):
    rng = np.random.default_rng(largest)
    for density in (0.05, 0.5, 1.0):
        check_match(rng.integers(0, largest + 1, size=shape) * (rng.random(shape) < density))


@pytest.mark.parametrize("largest", [10_920, 10_921, 10_922, 32_768, 1_000_000, 2**31 // 3 - 2])
def test_matching_of_large_overlaps_equals_scipy(largest):
    rng = np.random.default_rng(5)
    for _ in range(200):
        weights = rng.integers(0, largest + 1, size=rng.integers(1, 9, size=2))
        weights[rng.random(weights.shape) < 0.3] = largest
        check_match(weights)


@given(st.one_of(small_weights(1), small_weights(3)))
def test_optimal_edges_equal_forced_matchings(weights):
    assert np.array_equal(_core.optimal_edges(weights), edges_by_recomputation(weights))


def test_optimal_edges_equal_forced_matchings_on_many_matrices():
    rng = np.random.default_rng(21)
    large = [20_000 + rng.integers(0, 3, size=rng.integers(1, 6, size=2)) for _ in range(60)]
    for weights in [*large, *(random_weights(rng) for _ in range(250))]:
        assert np.array_equal(_core.optimal_edges(weights), edges_by_recomputation(weights))


@pytest.mark.parametrize("shape", [(63, 65), (65, 64), (66, 20), (20, 129)])
def test_optimal_edges_of_many_features_equal_forced_matchings(shape):
    rng = np.random.default_rng(22)
    weights = rng.integers(0, 4, size=shape) * (rng.random(shape) < 0.1)
    edges = _core.optimal_edges(weights)
    # All edges would take minutes, so look at the whole of a few rows.
    best = largest_total(weights)
    for j in rng.choice(shape[0], size=4, replace=False):
        rest = np.delete(weights, j, axis=0)
        assert edges[j, -1] == (largest_total(rest) == best)
        for k in range(shape[1]):
            forced = weights[j, k] + largest_total(np.delete(rest, k, axis=1))
            assert edges[j, k] == (forced == best)


@pytest.mark.parametrize("n_features", [10_921, 10_922, 32_766, 32_767, 32_768])
@pytest.mark.parametrize("turned", [False, True])
def test_matching_reaches_the_last_of_very_many_features(n_features, turned):
    """Mates are indices: past 32,767 features they need 32 bits."""
    weights = np.zeros((3, n_features), dtype=np.int64)
    weights[0, -1] = weights[0, 0] = 2
    weights[1, -1] = weights[1, -2] = 3
    weights[2, -1] = 5
    weights = weights.T.copy() if turned else weights
    total, mate, *duals = _core.match(weights)
    assert total == 10
    check_proof(weights, total, mate, *duals)
    edges = np.argwhere(_core.optimal_edges(weights)[:, :-1] & (weights > 0))
    wanted = np.array([[0, 0], [1, n_features - 2], [2, n_features - 1]])
    assert np.array_equal(edges, wanted[:, ::-1] if turned else wanted)


def test_weights_beyond_32_bits_are_refused():
    with pytest.raises(ValueError, match="count"):
        _core.match(np.array([[2**31 // 3]]))
