"""Pairwise similarity is the mean of Z Z', however the draws are cut into blocks."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given

import fangs
from fangs.posterior import similarity
from fangs.posterior.similarity import pairwise_similarity
from support.strategies import noisy_draws, several_allocations


def by_definition(draws):
    return sum(Z.astype(int) @ Z.T.astype(int) for Z in draws) / len(draws)


@given(several_allocations(5, max_items=7, max_features=5))
def test_similarity_counts_shared_features(draws):
    assert np.array_equal(pairwise_similarity(draws), by_definition(draws))


@given(several_allocations(5, max_items=7, max_features=5))
def test_features_may_count_by_weights(draws):
    rng = np.random.default_rng(len(draws[0]))
    weights = [rng.integers(-3, 9, size=Z.shape[1]) / 4 for Z in draws]
    wanted = sum(Z @ np.diag(w) @ Z.T for Z, w in zip(draws, weights, strict=True)) / len(draws)
    found = pairwise_similarity(draws, weights_by_feature=weights)
    assert np.allclose(found, wanted, rtol=1e-12, atol=1e-12)
    ones = [np.ones(Z.shape[1]) for Z in draws]
    assert np.array_equal(pairwise_similarity(draws, weights_by_feature=ones), by_definition(draws))


def test_too_many_items_for_one_method_do_not_lose_the_table(monkeypatch, draws):
    monkeypatch.setattr(similarity, "_memory", lambda: 1000)
    table = fangs.compare(draws, methods=["pairwise", "draws"])
    assert "similarity of all pairs would take" in table["pairwise"].note
    assert table.best.method == "draws"


@pytest.mark.parametrize("block", [1, 70, 500, 10**6])
def test_blocks_do_not_show(monkeypatch, block):
    monkeypatch.setattr("fangs.posterior.similarity._BLOCK", block)
    draws = noisy_draws(np.random.default_rng(1), 65, 8, 60)
    assert np.array_equal(pairwise_similarity(fangs.Samples(draws)), by_definition(draws))
    weights = [np.arange(Z.shape[1]) + 1.0 for Z in draws]  # whole numbers: sums are exact
    wanted = sum((Z * w) @ Z.T for Z, w in zip(draws, weights, strict=True)) / len(draws)
    assert np.array_equal(pairwise_similarity(draws, weights_by_feature=weights), wanted)


def test_pairs_of_many_items_are_counted_in_stripes_and_held_once():
    rng = np.random.default_rng(3)
    draws = [(rng.random((1500, 3)) < 0.3).astype(np.uint8) for _ in range(4)]
    samples = fangs.Samples(draws)
    tracemalloc.start()
    try:
        found = pairwise_similarity(samples)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1.4 * found.nbytes
    wanted = sum(draw.astype(int) @ draw.T.astype(int) for draw in draws)
    assert np.array_equal(found, wanted / 4)
