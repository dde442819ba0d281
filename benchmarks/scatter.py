"""Draws of any size around a truth, made one at a time and fast, for scaling and memory.

Rougher than `fangs.simulate.posterior_like`, which takes minutes at these sizes: a tenth of the
entries of the truth are ones, one in twenty of them moves elsewhere in each draw, and columns are
shuffled.
"""

import numpy as np

DENSITY = 0.1
MOVED = 0.05


def truth(n_items, n_features, seed=0):
    """Return the allocation that the draws scatter around."""
    rng = np.random.default_rng(seed)
    z = np.zeros((n_items, n_features), dtype=np.uint8)
    z[rng.integers(n_items, size=n_features), np.arange(n_features)] = 1  # none is empty
    z.ravel()[rng.integers(z.size, size=int(DENSITY * z.size))] = 1
    return z


def draws(n_items, n_features, n_draws, seed=0):
    """Generate the draws."""
    center = truth(n_items, n_features, seed)
    ones = np.flatnonzero(center)
    rng = np.random.default_rng([seed, 1])
    n_moved = max(1, int(MOVED * len(ones)))
    for _ in range(n_draws):
        draw = center.copy()
        draw.ravel()[rng.choice(ones, size=n_moved)] = 0
        draw.ravel()[rng.integers(draw.size, size=n_moved)] = 1
        yield np.ascontiguousarray(draw[:, rng.permutation(n_features)])
