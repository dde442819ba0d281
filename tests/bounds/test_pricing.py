"""Pricing: what columns earn, and that branch and bound misses none that earns too much."""

import numpy as np
import pytest

import fangs
from fangs.engine import as_engine
from support.pricing import pricing_problem
from support.strategies import noisy_draws, random_allocation


@pytest.mark.parametrize("seed", range(5))
def test_pricing_is_the_definition(seed):
    rng = np.random.default_rng(seed)
    pricings, plain = pricing_problem(rng, 9, 12)
    columns = random_allocation(rng, 9, 20).astype(np.uint8)
    for pricing in pricings:
        assert pricing.profits(columns).tolist() == plain.profits(columns).tolist()
        ends, profits = pricing.climb(columns)
        assert profits.tolist() == plain.profits(ends).tolist()
        for end, profit in zip(ends.T, profits, strict=True):
            flips = end[:, None] ^ np.eye(9, dtype=np.uint8)
            assert plain.profits(flips).max() <= profit


@pytest.mark.parametrize("seed", range(12))
def test_branch_and_bound_misses_no_column(seed):
    rng = np.random.default_rng(seed)
    pricings, plain = pricing_problem(rng, 9, 12)
    limits = {"max_nodes": 10**6, "max_found": 10**4, "seconds": 1e6}
    every, profits, *_ = plain.explore(-(2**62), list_all=True, **limits)
    for threshold in (int(profits[0]), int(profits[10]), int(profits[60]), int(profits[0]) - 1):
        expected = {column.tobytes() for column in every[:, profits > threshold].T}
        for pricing in pricings:
            found, _, _, is_complete = pricing.explore(threshold, list_all=True, **limits)
            assert is_complete
            assert {column.tobytes() for column in found.T} == expected
            if threshold < 0:  # then the empty column, which is not listed, stands for others
                continue
            found, earned, _, is_complete = pricing.explore(threshold, list_all=False, **limits)
            assert (found.shape[1] > 0) == (profits[0] > threshold)
            assert plain.profits(found).tolist() == earned.tolist()
            assert is_complete or found.shape[1] > 0


def test_a_budget_that_ends_proves_nothing():
    samples = fangs.Samples(noisy_draws(np.random.default_rng(4), 14, 5, 60, noise=0.3))
    pricing = as_engine(samples, 1).pricing(
        np.arange(60), np.ones(60, dtype=np.int64), scale=2, item_cost=60
    )
    pricing.set_prices(np.full(int(samples.n_features.sum()), 4))
    limits = {"list_all": False, "max_found": 10}
    *_, is_complete = pricing.explore(2**40, max_nodes=1, seconds=1e6, **limits)
    assert is_complete  # the bound of the root is enough
    found, *_, is_complete = pricing.explore(-10, max_nodes=0, seconds=1e6, **limits)
    assert not is_complete
    assert found.shape[1] == 0
    *_, n_nodes, is_complete = pricing.explore(-10, max_nodes=10**9, seconds=0.0, **limits)
    assert not is_complete
    assert n_nodes == 0
    *_, n_nodes, is_complete = pricing.explore(-10, max_nodes=100, seconds=1e6, **limits)
    assert not is_complete
    assert n_nodes <= 200
