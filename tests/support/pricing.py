"""Problems in which columns are priced, for the core and for the plain reference."""

import numpy as np

import fangs
from fangs.bounds.dual import Labelling
from fangs.engine import Deadline, as_engine
from fangs.loss import Objective
from oracles.plain_engine import PlainPricing
from support.strategies import noisy_draws


def pricing_problem(rng, n_items, n_draws):
    """Noisy draws, weights, arbitrary prices: pricings with 1 and 3 threads, and a plain one."""
    draws = noisy_draws(rng, n_items, 3, n_draws, noise=0.15)
    draws = [draw[:, np.asarray(draw).any(axis=0)] for draw in draws]
    weights = rng.integers(1, 4, size=n_draws)
    scale, item_cost = 12, int(6 * weights.sum() * rng.choice([0.6, 1.0, 1.4]))
    n_features = sum(draw.shape[1] for draw in draws)
    prices = rng.integers(0, 6 * n_items // 2 + 1, size=n_features)
    samples = fangs.Samples(draws)
    members = np.arange(n_draws)
    pricings = [
        as_engine(samples, threads).pricing(members, weights, scale=scale, item_cost=item_cost)
        for threads in (1, 3)
    ]
    plain = PlainPricing(list(samples), weights, scale, item_cost)
    for pricing in (*pricings, plain):
        pricing.set_prices(prices)
    return pricings, plain


def labelling_by(reference, samples, a):
    alignment = fangs.align(reference, samples, n_threads=1)
    return Labelling.of(alignment, Objective.of(samples.info, a), Deadline())
