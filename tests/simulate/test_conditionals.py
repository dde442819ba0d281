"""The fast likelihood and conditionals against their definitions in plain NumPy."""

import numpy as np
import pytest

from fangs.simulate import AIBD, IBP, expected_loadings, linear_gaussian, log_likelihood
from oracles.sampler_reference import labelled_log_pmf, log_density
from support.sampler import arrival, attraction, chain_at


def check_conditionals(chain, x, prior, item, *, alpha, sigma_x, sigma_a, rel=1e-7, abs=None):
    """Every conditional of one item, from the labelled joint density. x in order of arrival."""
    matrix, log_odds, singles, n_singles = chain.conditionals(item)
    assert np.isfinite(log_odds).all()
    own = np.zeros((len(matrix), 1), dtype=np.uint8)
    own[item] = 1
    abs = rel if abs is None else abs
    scales = {"sigma_x": sigma_x, "sigma_a": sigma_a}

    def joint(z):
        placed = z[np.argsort(arrival(prior))]
        return labelled_log_pmf(prior, placed, alpha) + log_density(x, z, **scales)

    for k in range(matrix.shape[1]):
        z = np.hstack([matrix, np.repeat(own, n_singles, axis=1)])
        z[item, k] = 1
        with_bit = joint(z)
        z[item, k] = 0
        assert log_odds[k] == pytest.approx(with_bit - joint(z), rel=rel, abs=abs)
    weights = []
    for s in range(min(len(singles), 6)):
        z = np.hstack([matrix, np.repeat(own, s, axis=1)])
        # Not the labelled pmf: s is a number, and says nothing of where the columns stand.
        arranged = sum(np.log(np.arange(1, z.shape[1] + 1))) - sum(np.log(np.arange(1, s + 1)))
        weights.append(joint(z) + arranged)
    ratios = np.log(singles[: len(weights)]) - np.log(singles[0])
    np.testing.assert_allclose(ratios, np.array(weights) - weights[0], rtol=rel, atol=abs)
    assert singles.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("shape", [(1, 1, 0), (1, 3, 2), (6, 2, 3), (9, 4, 12), (5, 0, 3)])
def test_marginal_likelihood_is_the_multivariate_normal(shape):
    n, d, k = shape
    rng = np.random.default_rng(sum(shape))
    z = (rng.random((n, k)) < 0.5).astype(np.uint8)
    x = rng.normal(size=(n, d))
    expected = log_density(x, z, sigma_x=0.4, sigma_a=1.7)
    assert log_likelihood(x, z, sigma_x=0.4, sigma_a=1.7) == pytest.approx(expected, rel=1e-10)
    kept = z[:, z.any(axis=0)]
    chain = chain_at(x, IBP(n), seed=0, initial=kept, sigma_x=0.4, sigma_a=1.7)
    assert chain.log_likelihood() == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("kind", ["ibp", "aibd", "aibd reordered"])
def test_conditionals_follow_from_the_joint_density(kind):
    n, alpha = 7, 1.5
    order = np.random.default_rng(1).permutation(n).tolist() if "reordered" in kind else None
    prior = IBP(n) if kind == "ibp" else attraction(n, 2, order=order)
    for trial in range(6):
        z = prior.draw(alpha=3.0, seed=trial)
        x = linear_gaussian(z, n_dims=3, sigma_x=0.5, sigma_a=1.2, seed=trial + 100).data
        chain = chain_at(x, prior, seed=0, initial=z, alpha=alpha)
        arrived = x[arrival(prior)]
        for item in range(n):
            check_conditionals(chain, arrived, prior, item, alpha=alpha, sigma_x=0.5, sigma_a=1.2)


@pytest.mark.parametrize("kind", ["ibp", "aibd"])
def test_conditionals_stay_exact_after_many_sweeps_with_a_hundred_features(kind):
    n, alpha, scales = 40, 35.0, {"sigma_x": 0.3, "sigma_a": 1.0}
    prior = IBP(n) if kind == "ibp" else attraction(n, 3)
    z = prior.draw(alpha=alpha, seed=4)
    x = linear_gaussian(z, n_dims=10, **scales, seed=5).data
    chain = chain_at(x, prior, seed=0, initial=z, alpha=alpha, **scales)
    chain.run(50)
    assert chain.matrix().shape[1] > 90
    assert chain.log_likelihood() == pytest.approx(log_density(x, chain.matrix(), **scales))
    for item in (0, 39):
        check_conditionals(chain, x, prior, item, alpha=alpha, **scales, rel=1e-6)


@pytest.mark.parametrize(("sigma_x", "sigma_a"), [(1e-3, 1.0), (1.0, 1e-3), (1e-4, 10.0)])
def test_conditionals_survive_scales_far_apart_and_repeated_features(sigma_x, sigma_a):
    rng = np.random.default_rng(6)
    z = np.repeat((rng.random((12, 5)) < 0.4).astype(np.uint8), 2, axis=1)
    z = z[:, z.any(axis=0)]
    x = linear_gaussian(z, n_dims=4, sigma_x=sigma_x, sigma_a=sigma_a, seed=7).data
    chain = chain_at(x, IBP(12), seed=0, initial=z, sigma_x=sigma_x, sigma_a=sigma_a)
    chain.run(20)
    scales = {"sigma_x": sigma_x, "sigma_a": sigma_a}
    for item in (0, 6, 11):
        # The definition itself loses digits here: a log density of millions is differenced.
        check_conditionals(chain, x, IBP(12), item, alpha=1.5, **scales, rel=1e-3, abs=0.05)


def test_attraction_survives_similarities_many_magnitudes_apart():
    n = 8
    prior = attraction(n, 8, temperature=12.0)
    assert prior.similarity.max() / prior.similarity.min() > 1e12
    z = prior.draw(alpha=3.0, seed=9)
    x = linear_gaussian(z, n_dims=2, sigma_x=0.5, sigma_a=1.2, seed=10).data
    chain = chain_at(x, prior, seed=0, initial=z)
    chain.run(200)
    for item in range(n):
        check_conditionals(chain, x, prior, item, alpha=1.5, sigma_x=0.5, sigma_a=1.2)


def test_equal_similarities_run_the_ibp_chain():
    z = IBP(10).draw(alpha=2.0, seed=11)
    x = linear_gaussian(z, n_dims=4, sigma_x=0.5, sigma_a=1.0, seed=12).data
    priors = IBP(10), AIBD(np.ones((10, 10)))
    chains = [chain_at(x, prior, seed=13, initial=z) for prior in priors]
    for chain in chains:
        chain.run(30)
    assert chains[0].matrix().tolist() == chains[1].matrix().tolist()


def test_expected_loadings_solve_the_ridge_equations():
    z = np.array([[1, 0], [1, 1], [0, 1]])
    x = np.random.default_rng(14).normal(size=(3, 4))
    loadings = expected_loadings(x, z, sigma_x=0.5, sigma_a=2.0)
    gradient = z.T @ (x - z @ loadings) / 0.5**2 - loadings / 2.0**2
    np.testing.assert_allclose(gradient, 0.0, atol=1e-12)
