"""Priors by random points, and chains of the sampler that tests step through themselves."""

import numpy as np

from fangs.simulate import AIBD
from fangs.simulate.gibbs import make_chain


def attraction(n, seed, *, temperature=1.0, order=None):
    """The AIBD over random points in the plane."""
    points = np.random.default_rng(seed).normal(size=(n, 2))
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    return AIBD.from_distances(distances, temperature=temperature, order=order)


def chain_at(x, prior, *, seed, initial=None, alpha=1.5, sigma_x=0.5, sigma_a=1.2):
    """A chain at this allocation, or at a draw from the prior."""
    return make_chain(
        x,
        prior=prior,
        alpha=alpha,
        sigma_x=sigma_x,
        sigma_a=sigma_a,
        initial=None if initial is None else np.asarray(initial, dtype=np.uint8),
        seed=np.random.SeedSequence(seed),
    )


def arrival(prior):
    """The items in the order of arrival, in which chains number them."""
    return prior.order if isinstance(prior, AIBD) else np.arange(prior.n_items)
