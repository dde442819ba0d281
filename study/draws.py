"""The draws that the study works on: five sets of the paper's sizes, two of them posteriors."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

import fangs
from fangs import simulate
from fangs._typing import BinaryMatrix
from study import published


@dataclass(frozen=True, eq=False)
class DrawSet:
    """Draws with the truth behind them."""

    name: str
    title: str
    samples: fangs.Samples
    truth: BinaryMatrix
    kind: str
    """"posterior" or "simulated"."""
    origin: str
    """One sentence on how they were made."""
    seconds: float


def make(name: str) -> DrawSet:
    """Make one of the five sets; the same draws every time."""
    began = perf_counter()
    if name in _POSTERIORS:
        samples, truth, origin = _POSTERIORS[name]()
        kind = "posterior"
    else:
        made = simulate.case_study(name)
        samples, truth, kind = fangs.Samples(made.draws), made.truth, "simulated"
        origin = (
            f"`fangs.simulate.case_study({name!r})`: {len(samples):,} independent draws scattered "
            f"around a truth of {truth.shape[0]} items and {truth.shape[1]} features."
        )
    title = published.CASES[name].title
    return DrawSet(name, title, samples, truth, kind, origin, perf_counter() - began)


def make_all() -> dict[str, DrawSet]:
    """Make the five sets, in the order of the paper's tables."""
    return {name: make(name) for name in published.CASES}


def small_posterior(
    *, n_draws: int = 250, burn_in: int = 1000, n_chains: int = 4
) -> tuple[fangs.Samples, BinaryMatrix, str]:
    """20 items under the AIBD prior, noisy enough that the draws disagree."""
    rng = np.random.default_rng(20)
    points = rng.uniform(size=(20, 2))
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    prior = simulate.AIBD.from_distances(distances, temperature=3.0)
    truth = _draw_with(prior, n_features=3, rng=rng)
    data = simulate.linear_gaussian(truth, n_dims=4, sigma_x=0.7, sigma_a=1.0, seed=rng).data
    posterior = simulate.sample_posterior(
        data,
        prior=prior,
        alpha=1.5,
        sigma_x=0.7,
        sigma_a=1.0,
        n_draws=n_draws,
        burn_in=burn_in,
        thin=10,
        n_chains=n_chains,
        seed=20,
    )
    origin = (
        "Posterior of the linear-Gaussian model under the AIBD prior: 20 items at random places "
        "of the unit square, attraction exp(-3 × distance), a truth of 3 features drawn from the "
        f"prior, 4 dimensions, noise 0.7; {n_chains} chains, {burn_in:,} sweeps discarded, every "
        "tenth kept."
    )
    return posterior.samples(), truth, origin


def wide_posterior(
    *, n_draws: int = 750, burn_in: int = 500, n_chains: int = 4
) -> tuple[fangs.Samples, BinaryMatrix, str]:
    """62 items and more features than items: sparse features, a large mass."""
    rng = np.random.default_rng(62)
    truth = simulate.posterior_like(62, 77, 1, density=0.06, seed=rng).truth
    data = simulate.linear_gaussian(truth, n_dims=90, sigma_x=0.5, sigma_a=1.0, seed=rng).data
    posterior = simulate.sample_posterior(
        data,
        alpha=12.0,
        sigma_x=0.5,
        sigma_a=1.0,
        n_draws=n_draws,
        burn_in=burn_in,
        thin=2,
        n_chains=n_chains,
        initial=truth,
        seed=62,
    )
    origin = (
        "Posterior of the linear-Gaussian model under the IBP with mass 12: 62 items, a random "
        f"truth of 77 features and {int(truth.sum())} ones, 90 dimensions, noise 0.5; {n_chains} "
        f"chains, begun at the truth because chains of this size do not find it, {burn_in:,} "
        "sweeps discarded, every second kept."
    )
    return posterior.samples(), truth, origin


def _draw_with(
    prior: simulate.AIBD | simulate.IBP, *, n_features: int, rng: np.random.Generator
) -> BinaryMatrix:
    """Draw from the prior given the number of features, by trial; the mass then plays no part."""
    while True:
        z = prior.draw(alpha=1.0, seed=rng)
        if z.shape[1] == n_features:
            return z


_POSTERIORS = {"aibd": small_posterior, "alzheimers": wide_posterior}
