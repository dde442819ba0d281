"""Pairwise similarity is the mean of Z Z', however the draws are cut into blocks."""

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


@pytest.mark.parametrize("block", [1, 70, 500, 10**6])
def test_blocks_do_not_show(monkeypatch, block):
    monkeypatch.setattr("fangs.posterior.similarity._BLOCK", block)
    draws = noisy_draws(np.random.default_rng(1), 65, 8, 60)
    assert np.array_equal(pairwise_similarity(fangs.Samples(draws)), by_definition(draws))


def test_draws_without_features_share_nothing():
    assert pairwise_similarity([np.zeros((3, 0))]).tolist() == np.zeros((3, 3)).tolist()


@given(several_allocations(5, max_items=7, max_features=5))
def test_features_may_count_by_weights(draws):
    rng = np.random.default_rng(len(draws[0]))
    weights = [rng.integers(-3, 9, size=Z.shape[1]) / 4 for Z in draws]
    wanted = sum(Z @ np.diag(w) @ Z.T for Z, w in zip(draws, weights, strict=True)) / len(draws)
    found = pairwise_similarity(draws, weights_by_feature=weights)
    assert np.allclose(found, wanted, rtol=1e-12, atol=1e-12)
    ones = [np.ones(Z.shape[1]) for Z in draws]
    assert np.array_equal(pairwise_similarity(draws, weights_by_feature=ones), by_definition(draws))


@pytest.mark.parametrize("block", [1, 70, 10**6])
def test_blocks_do_not_show_in_weights(monkeypatch, block):
    monkeypatch.setattr("fangs.posterior.similarity._BLOCK", block)
    draws = noisy_draws(np.random.default_rng(1), 65, 8, 60)
    weights = [np.arange(Z.shape[1]) + 1.0 for Z in draws]  # whole numbers: sums are exact
    wanted = sum((Z * w) @ Z.T for Z, w in zip(draws, weights, strict=True)) / len(draws)
    assert np.array_equal(pairwise_similarity(draws, weights_by_feature=weights), wanted)


@pytest.mark.parametrize(
    ("weights", "words"),
    [([[[1, 2]]], "one number per feature"), ([[np.nan]], "nan for draw 0, feature 0")],
)
def test_weights_that_are_no_numbers_are_refused(weights, words):
    with pytest.raises(ValueError, match=words):
        pairwise_similarity([[[1], [1]]], weights_by_feature=weights)


def test_pairs_of_items_that_cannot_fit_are_refused_at_once():
    samples = fangs.Samples([np.ones((1_000_000, 1), dtype=np.uint8)])
    with pytest.raises(ValueError, match=r"1,000,000 items.*24,000 GB.*take at most"):
        fangs.pairwise_similarity(samples)
    with pytest.raises(ValueError, match="1,000,000 items"):
        fangs.pairwise_similarity(samples, weights_by_feature=[[1.0]])
    with pytest.raises(ValueError, match="1,000,000 items"):
        fangs.alternatives.pairwise(samples)


def test_complaints_about_weights_by_feature_name_them():
    draws = [np.eye(2), np.ones((2, 1))]
    with pytest.raises(ValueError, match="weights_by_feature has 1 arrays, but there are 2 draws"):
        fangs.pairwise_similarity(draws, weights_by_feature=[[1, 2]])


def test_too_many_items_for_one_method_do_not_lose_the_table(monkeypatch, draws):
    monkeypatch.setattr(similarity, "_memory", lambda: 1000)
    table = fangs.compare(draws, methods=["pairwise", "draws"])
    assert "similarity of all pairs would take" in table["pairwise"].note
    assert table.best.method == "draws"
