"""Geweke's joint test (2004): two ways to draw parameters and data together must agree.

One draws parameters from the prior and data given them. The other alternates data given
parameters with one transition of the sampler. A transition that leaves every posterior invariant
gives both the same joint distribution, so the means of any functions of the two agree.
"""

import math

import numpy as np


def z_scores(independent, chain, *, n_batches=50):
    """Difference of means over its standard error, batch means for the chain; (n_functions,)."""
    length = len(chain) // n_batches * n_batches
    batches = chain[:length].reshape(n_batches, -1, chain.shape[1]).mean(axis=1)
    variance = batches.var(axis=0, ddof=1) / n_batches
    variance += independent.var(axis=0, ddof=1) / len(independent)
    return (batches.mean(axis=0) - independent.mean(axis=0)) / np.sqrt(variance)


def draw_data(matrix, dims, sigma_x, sigma_a, rng):
    loadings = sigma_a * rng.standard_normal((matrix.shape[1], dims))
    return matrix @ loadings + sigma_x * rng.standard_normal((matrix.shape[0], dims))


def functions(z, x, *scalars):
    """Numbers that see the allocation, the data, and how the two go together."""
    n, k = z.shape
    ones = z.astype(float)
    gram = ones @ ones.T
    scatter = x @ x.T
    sizes = ones.sum(axis=0).tolist()
    first, last, both = float(gram[0, 0]), float(gram[-1, -1]), float(gram[0, -1])
    length = float(scatter.trace())
    return [
        k,
        k * k,
        sum(sizes),
        sizes.count(1.0),
        sizes.count(float(n)),
        float(np.vdot(gram, gram)),
        first,
        last,
        both,
        min(length, 50.0),
        math.tanh(scatter[0, -1]),
        math.tanh(scatter[0, 0] - scatter[-1, -1]),
        math.exp(-length),
        math.tanh(float(np.vdot(gram, scatter)) / 50.0),
        *scalars,
    ]
