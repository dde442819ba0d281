"""The block bootstrap: its weights, and the length of its blocks against the published rule."""

import math

import numpy as np
import pytest

import fangs
from fangs.posterior.stability.bootstrap import BlockBootstrap, block_length


def series(n, rho, seed=0):
    """A stationary autoregressive series."""
    rng = np.random.default_rng(seed)
    values = [rng.normal() / math.sqrt(1 - rho**2)]
    for _ in range(n - 1):
        values.append(rho * values[-1] + rng.normal())
    return np.array(values)


def plain_block_length(values):
    """Politis and White (2004), sections 3.2 and 3.3, corrected; with loops, from the text."""
    n, mean = len(values), sum(values) / len(values)

    def covariance(lag):
        lag = abs(lag)
        return sum((values[t] - mean) * (values[t + lag] - mean) for t in range(n - lag)) / n

    run = max(5, math.ceil(math.sqrt(math.log10(n))))
    limit = 2.0 * math.sqrt(math.log10(n) / n)
    most = math.ceil(math.sqrt(n)) + run
    last = most
    for lag in range(most):
        if all(abs(covariance(lag + k) / covariance(0)) < limit for k in range(1, run + 1)):
            last = min(2 * max(lag, 1), most)
            break

    def window(share):
        return 1.0 if abs(share) <= 0.5 else 2.0 * (1.0 - abs(share))

    lags = range(-last, last + 1)
    spread = sum(window(k / last) * abs(k) * covariance(k) for k in lags)
    density = sum(window(k / last) * covariance(k) for k in lags)
    wanted = (2.0 * spread**2 / (4.0 / 3.0 * density**2)) ** (1 / 3) * n ** (1 / 3)
    longest = math.ceil(min(3.0 * math.sqrt(n), n / 3.0))
    return min(max(1, round(wanted)), longest)


@pytest.mark.parametrize("rho", [-0.5, 0.0, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("n", [40, 300, 1000])
def test_the_length_is_that_of_the_rule(rho, n):
    values = series(n, rho, seed=n)
    assert block_length(values) == plain_block_length(values.tolist())


def test_lengths_grow_with_the_autocorrelation():
    lengths = [np.median([block_length(series(1000, rho, s)) for s in range(9)])
               for rho in (0.0, 0.5, 0.9)]  # fmt: skip
    assert lengths[0] <= 3 < lengths[1] < lengths[2]


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_short_and_constant_chains_have_lengths(n):
    assert block_length(np.ones(n)) == 1
    assert 1 <= block_length(np.arange(n, dtype=float)) <= max(1, n)


def bootstrap(lengths, codes, weights=None):
    """A bootstrap of these chains with blocks of these lengths."""
    draws = [np.ones((1, 1))] * len(codes)
    info = fangs.Samples(draws, chains=codes, weights=weights).info
    made = BlockBootstrap.of(info, np.zeros(len(codes)))
    return BlockBootstrap(made.n_draws, made.members, lengths)


def test_weights_add_up_to_the_draws_of_each_chain():
    codes = np.array([0, 1, 1, 0, 2, 1, 0, 1] * 9)
    made = bootstrap((2, 5, 4), codes)
    for seed in range(50):
        counts = made.counts(np.random.default_rng(seed))
        assert (counts >= 0).all()
        assert np.bincount(codes, counts).tolist() == np.bincount(codes).tolist()


def test_blocks_are_neighbours_of_one_chain():
    """One block as long as its chain goes round it once; blocks of 5 in a chain of 20 are runs."""
    codes = np.repeat([0, 1], [20, 20])[np.random.default_rng(1).permutation(40)]
    made = bootstrap((20, 5), codes)
    for seed in range(30):
        counts = made.counts(np.random.default_rng(seed))
        assert (counts[codes == 0] == 1).all()
        steps = np.diff(counts[codes == 1], append=counts[codes == 1][0])
        assert np.abs(steps).sum() <= 8  # four blocks have four beginnings and four ends


def test_every_draw_is_equally_likely():
    made = bootstrap((7,), np.zeros(30, dtype=int))
    total = sum(made.counts(np.random.default_rng(seed)) for seed in range(2000))
    assert np.abs(total / 2000 - 1.0).max() < 0.15


def test_draws_of_weight_0_are_not_drawn():
    weights = np.array([0, 2, 1, 0, 3, 1])
    made = bootstrap((1,), np.zeros(6, dtype=int), weights)
    for seed in range(20):
        counts = made.counts(np.random.default_rng(seed))
        assert counts[[0, 3]].tolist() == [0, 0]
        assert counts.sum() == 4


def test_blocks_give_the_error_of_a_mean_where_single_draws_do_not():
    """The variance of the mean of an autoregressive series is known."""
    n, rho = 1000, 0.9
    true = 1.0 / (1.0 - rho) ** 2 / n
    ratios = []
    for seed in range(12):
        values = series(n, rho, seed)
        for length in (block_length(values), 1):
            made = bootstrap((length,), np.zeros(n, dtype=int))
            means = [made.counts(np.random.default_rng(k)) @ values / n for k in range(200)]
            ratios.append(np.var(means) / true)
    by_blocks, by_draws = np.mean(ratios[::2]), np.mean(ratios[1::2])
    assert 0.6 < by_blocks < 1.3
    assert by_draws < 0.1
