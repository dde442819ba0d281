"""The sampler leaves the right distribution invariant: joint test, enumeration, prior moments."""

import math
from functools import cache

import numpy as np
import pytest

from fangs.simulate import AIBD, IBP, Gamma, harmonic
from oracles.reference import allocations
from oracles.sampler_reference import ReferenceSampler, as_class, log_density
from support.joint_test import draw_data, functions, z_scores
from support.sampler import arrival, attraction, chain_at

# Seeds are fixed, so nothing here is flaky. Some 16 z-scores are compared with LIMIT at a time: a
# right sampler exceeds it once in about 10,000 seeds. Wrong ones must exceed CAUGHT.
LIMIT, CAUGHT = 4.5, 6.0


def small_attraction(n):
    order = np.random.default_rng(2).permutation(n).tolist()
    return attraction(n, 1, temperature=1.5, order=order)


def scores_of(seen, expected, n_batches=50):
    """z-scores of the means of what a chain showed, by batch means."""
    batches = np.array(seen, dtype=float).reshape(n_batches, -1, len(expected)).mean(axis=1)
    return (batches.mean(axis=0) - expected) / (batches.std(axis=0, ddof=1) / math.sqrt(n_batches))


@pytest.mark.parametrize("prior", [IBP(4), small_attraction(4)], ids=["ibp", "aibd"])
def test_joint_test_with_everything_sampled(prior):
    rng, dims, n_steps = np.random.default_rng(3), 2, 15_000
    gammas = Gamma(4.0, 3.0), Gamma(6.0, 12.0), Gamma(6.0, 6.0)
    independent = []
    for _ in range(n_steps):
        a, sx, sa = (rng.gamma(g.shape, 1 / g.rate) for g in gammas)
        z = prior.draw(alpha=a, seed=rng)
        independent.append(functions(z, draw_data(z, dims, sx, sa, rng), a, a * a, sx, sa))
    numbers = dict(zip(("alpha", "sigma_x", "sigma_a"), gammas, strict=True))
    chain = chain_at(np.zeros((4, dims)), prior, seed=4, **numbers)
    back, steps = np.argsort(arrival(prior)), []
    for _ in range(n_steps):
        z = chain.matrix()
        a, sx, sa = chain.alpha, chain.sigma_x, chain.sigma_a
        x = draw_data(z, dims, sx, sa, rng)
        chain.set_data(x)
        steps.append(functions(z[back], x[back], a, a * a, sx, sa))
        chain.run(1)
    scores = z_scores(np.array(independent), np.array(steps[200:]))
    assert np.abs(scores).max() < LIMIT, scores.round(1)


# Two items, little noise, many features: where both mistakes do most harm.
HARD = {"alpha": 3.0, "sigma_x": 0.2, "sigma_a": 1.0}


@cache
def independent_hard(n_steps):
    rng = np.random.default_rng(5)
    rows = []
    for _ in range(n_steps):
        z = IBP(2).draw(alpha=HARD["alpha"], seed=rng)
        rows.append(functions(z, draw_data(z, 3, HARD["sigma_x"], HARD["sigma_a"], rng)))
    return np.array(rows)


def joint_test_of_reference(n_steps=18_000, **switches):
    rng = np.random.default_rng(6)
    sampler = ReferenceSampler(2, **HARD, seed=6, **switches)
    steps = []
    for _ in range(n_steps):
        z = sampler.matrix()
        x = draw_data(z, 3, HARD["sigma_x"], HARD["sigma_a"], rng)
        steps.append(functions(z, x))
        sampler.set_data(x)
        sampler.sweep()
    return np.abs(z_scores(independent_hard(n_steps), np.array(steps[100:]))).max()


def test_joint_test_passes_the_reference_sampler():
    assert joint_test_of_reference() < LIMIT


@pytest.mark.parametrize("mistake", ["clear_first", "fixed_order"])
def test_joint_test_catches(mistake):
    assert joint_test_of_reference(**{mistake: True}) > CAUGHT


def exact_posterior(prior, x, *, alpha, most, **scales):
    """Probability of every allocation with at most so many features."""
    logs = {
        as_class(z): prior.log_pmf(z, alpha=alpha) + log_density(x, z, **scales)
        for z in allocations(len(x), most)
    }
    top = max(logs.values())
    total = math.fsum(math.exp(v - top) for v in logs.values())
    return {z: math.exp(v - top) / total for z, v in logs.items()}


def scores_against(exact, visited, n_batches=40):
    """z-scores of how often each likely allocation was visited."""
    likely = sorted(exact, key=exact.get, reverse=True)[:8]
    hits = np.array([[z == c for c in likely] for z in visited], dtype=float)
    hits = hits[: len(hits) // n_batches * n_batches].reshape(n_batches, -1, len(likely))
    batches = hits.mean(axis=1)
    error = batches.std(axis=0, ddof=1) / math.sqrt(n_batches)
    probability = np.array([exact[c] for c in likely])
    # A chain that never goes there has no spread: it errs by no less than independent draws.
    error = np.maximum(error, np.sqrt(probability * (1 - probability) / len(visited)))
    return (batches.mean(axis=0) - probability) / error


FAR_APART = np.array([[3.0, 0.0, 3.0], [3.0, 3.0, 0.0]])
SCALES = {"sigma_x": 0.6, "sigma_a": 1.0}


@pytest.mark.parametrize(
    ("prior", "x", "most"),
    [
        (IBP(2), np.array([[1.5], [0.7]]), 12),
        (IBP(2), FAR_APART, 12),
        (small_attraction(3), np.array([[1.5, 0.2], [0.7, -0.8], [2.0, 0.4]]), 6),
    ],
    ids=["ibp", "ibp far apart", "aibd"],
)
def test_visits_follow_the_enumerated_posterior(prior, x, most):
    exact = exact_posterior(prior, x, alpha=0.8, most=most, **SCALES)
    chain = chain_at(x, prior, seed=7, alpha=0.8, **SCALES)
    back, visited = np.argsort(arrival(prior)), []
    for _ in range(40_000):
        chain.run(1)
        visited.append(as_class(chain.matrix()[back]))
    assert np.abs(scores_against(exact, visited)).max() < LIMIT


@pytest.mark.parametrize(
    ("mistake", "x"), [("clear_first", np.array([[1.0], [1.0]])), ("fixed_order", FAR_APART)]
)
def test_enumeration_catches(mistake, x):
    scales = {"sigma_x": 0.3, "sigma_a": 1.0}
    exact = exact_posterior(IBP(2), x, alpha=1.0, most=9, **scales)
    worst = {}
    for wrong in (False, True):
        sampler = ReferenceSampler(2, alpha=1.0, **scales, seed=8, **{mistake: wrong})
        sampler.set_data(x)
        visited = []
        for _ in range(5_000):
            sampler.sweep()
            visited.append(as_class(sampler.matrix()))
        worst[wrong] = np.abs(scores_against(exact, visited)).max()
    assert worst[False] < LIMIT
    assert worst[True] > CAUGHT


@pytest.mark.parametrize("prior", [IBP(12), small_attraction(12)], ids=["ibp", "aibd"])
def test_without_data_the_chain_has_the_moments_of_the_prior(prior):
    n, alpha = 12, 1.7
    chain = chain_at(np.zeros((n, 0)), prior, seed=9, initial=np.zeros((n, 0)), alpha=alpha)
    chain.run(200)
    mean = alpha * harmonic(n)
    seen = []
    for _ in range(20_000):
        chain.run(1)
        z = chain.matrix()
        # Item 0 of the order of arrival has Poisson(alpha) features under both priors.
        seen.append([z.shape[1], (z.shape[1] - mean) ** 2, z[0].sum(), z.sum()])
    scores = scores_of(seen, [mean, mean, alpha, alpha * n])
    if isinstance(prior, AIBD):
        scores = scores[:3]  # the number of ones is the IBP's alone
    assert np.abs(scores).max() < LIMIT, scores


@pytest.mark.parametrize("name", ["alpha", "sigma_x", "sigma_a"])
def test_without_data_each_number_follows_its_gamma_prior(name):
    numbers = {"alpha": 1.0, "sigma_x": 1.0, "sigma_a": 1.0, name: Gamma(3.0, 2.0)}
    chain = chain_at(np.zeros((3, 0)), IBP(3), seed=10, **numbers)
    seen = []
    for _ in range(30_000):
        chain.run(1)
        value = getattr(chain, name)
        seen.append([value, (value - 1.5) ** 2, math.log(value)])
    digamma_of_three = 1.5 - 0.5772156649015329
    scores = scores_of(seen, [1.5, 0.75, digamma_of_three - math.log(2.0)])
    assert np.abs(scores).max() < LIMIT, scores
