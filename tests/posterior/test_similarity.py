"""Pairwise similarity is the mean of Z Z', however the draws are cut into blocks."""

import numpy as np
import pytest
from hypothesis import given

import fangs
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
