"""The IBP and the AIBD: probabilities that sum to one, and draws that follow them."""

import math
from collections import Counter

import numpy as np
import pytest

from fangs.simulate import AIBD, IBP, harmonic
from oracles.reference import allocations
from oracles.sampler_reference import as_class
from support.sampler import attraction

RNG = np.random.default_rng(20)
SIMILARITY = RNG.uniform(0.1, 3.0, size=(3, 3))
SIMILARITY = SIMILARITY + SIMILARITY.T
PRIORS = {
    "ibp": IBP(3),
    "aibd": AIBD(SIMILARITY),
    "aibd reordered": AIBD(SIMILARITY, order=[2, 0, 1]),
}


@pytest.mark.parametrize("name", PRIORS)
@pytest.mark.parametrize("k", [0, 1, 2, 4])
def test_probabilities_of_all_allocations_with_k_features_sum_to_the_poisson(name, k):
    alpha, wide = 1.3, (z for z in allocations(3, k) if z.shape[1] == k)
    total = math.fsum(math.exp(PRIORS[name].log_pmf(z, alpha=alpha)) for z in wide)
    rate = alpha * harmonic(3)
    assert total == pytest.approx(math.exp(-rate) * rate**k / math.factorial(k), rel=1e-12)


@pytest.mark.parametrize("name", PRIORS)
def test_draws_follow_the_pmf(name):
    rng = np.random.default_rng(3)
    n_draws, alpha = 20_000, 0.6
    seen = Counter(as_class(PRIORS[name].draw(alpha=alpha, seed=rng)) for _ in range(n_draws))
    cells = list(allocations(3, 2))
    expected = [n_draws * math.exp(PRIORS[name].log_pmf(z, alpha=alpha)) for z in cells]
    found = [seen[as_class(z)] for z in cells]
    statistic = sum((n - e) ** 2 / e for n, e in zip(found, expected, strict=True))
    assert statistic < len(cells) + 4 * math.sqrt(2 * len(cells))  # 1 in 20,000 by chance


def test_equal_similarities_give_the_ibp():
    z = IBP(9).draw(alpha=2.0, seed=1)
    order = np.random.default_rng(2).permutation(9)
    same = AIBD(np.full((9, 9), 0.7), order=order)
    assert same.log_pmf(z, alpha=2.0) == pytest.approx(IBP(9).log_pmf(z, alpha=2.0), rel=1e-12)


def test_order_of_arrival_matters_unless_similarities_are_equal():
    z = [[1], [0], [1]]
    logs = [PRIORS[name].log_pmf(z, alpha=1.0) for name in ("aibd", "aibd reordered")]
    assert abs(logs[0] - logs[1]) > 0.01


@pytest.mark.parametrize("name", PRIORS)
def test_pmf_ignores_column_order_and_empty_columns(name):
    z = np.array([[1, 0, 1, 1], [0, 1, 1, 0], [0, 1, 0, 0]])
    padded = np.hstack([z[:, [2, 0, 3, 1]], np.zeros((3, 2), dtype=int)])
    prior = PRIORS[name]
    assert prior.log_pmf(padded, alpha=2.0) == pytest.approx(prior.log_pmf(z, alpha=2.0))


@pytest.mark.parametrize("kind", ["ibp", "aibd"])
def test_draws_have_the_known_moments(kind):
    n, alpha, n_draws = 12, 1.7, 4000
    prior = IBP(n) if kind == "ibp" else attraction(n, 4, temperature=1.5)
    rng = np.random.default_rng(5)
    draws = [prior.draw(alpha=alpha, seed=rng) for _ in range(n_draws)]
    k = np.array([z.shape[1] for z in draws])
    mean = alpha * harmonic(n)
    assert abs(k.mean() - mean) < 4 * math.sqrt(mean / n_draws)
    assert abs(k.var() - mean) < 4 * mean * math.sqrt(2 / n_draws) * 1.2
    if kind == "ibp":
        ones = np.array([z.sum() for z in draws])
        assert abs(ones.mean() - alpha * n) < 4 * ones.std() / math.sqrt(n_draws)


def test_near_items_share_more():
    distances = np.array([[0, 1, 9, 9], [1, 0, 9, 9], [9, 9, 0, 1], [9, 9, 1, 0]])
    prior = AIBD.from_distances(distances, temperature=1.0)
    rng = np.random.default_rng(6)
    draws = [prior.draw(alpha=2.0, seed=rng).astype(int) for _ in range(500)]
    shared = sum(z @ z.T for z in draws)
    assert shared[3, 2] > 1.5 * shared[3, 0]  # the last to come sees one near item, two far ones
    assert shared[3, 2] > 1.5 * shared[3, 1]
