"""The linear programme of column generation written out, for SciPy's solver."""

import itertools

import numpy as np
import scipy.optimize
import scipy.sparse


def solve(draws, weights, threshold, columns, least, is_fixed):
    """Multiplicities, a price per feature, the value, and a gap of 0.

    Variables are the multiplicities first, then a match per column and feature.
    """
    n_columns = columns.shape[1]
    edges = [
        (b, k, s)
        for b, draw in enumerate(draws)
        for k, s in itertools.product(range(draw.shape[1]), range(n_columns))
    ]
    gain = [weights[b] * int((draws[b][:, k] & columns[:, s]).sum()) for b, k, s in edges]
    objective = np.concatenate([threshold * columns.sum(axis=0), -np.array(gain)])
    features = sorted({(b, k) for b, k, _ in edges})
    uses = [(b, s) for b in range(len(draws)) for s in range(n_columns)]
    rows = scipy.sparse.lil_matrix((len(features) + len(uses), n_columns + len(edges)))
    for at, (b, k, s) in enumerate(edges):
        rows[features.index((b, k)), n_columns + at] = 1
        rows[len(features) + uses.index((b, s)), n_columns + at] = 1
    for at, (_, s) in enumerate(uses):
        rows[len(features) + at, s] = -1
    right = np.concatenate([np.ones(len(features)), np.zeros(len(uses))])
    limits = [(low, low if fixed else None) for low, fixed in zip(least, is_fixed, strict=True)]
    result = scipy.optimize.linprog(
        objective, rows.tocsr(), right, bounds=limits + [(0, None)] * len(edges)
    )
    # A marginal is for all copies of the draw together.
    prices = [-result.ineqlin.marginals[i] / weights[b] for i, (b, _) in enumerate(features)]
    return result.x[:n_columns], np.maximum(prices, 0.0), -result.fun, 0.0
