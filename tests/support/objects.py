"""Draws with items and chains, and objects of other libraries that hold them."""

import numpy as np
import pytest
import scipy.sparse

ITEMS = ("ann", "bob", "cy", "dee")
N_DRAWS = 3
"""Of each chain."""
OF_CHAIN = np.repeat([0, 1], N_DRAWS)


def make_draws(widths=(2, 3, 1, 0, 3, 2), n_items=4):
    """Draws of these widths without empty features; the first feature of all has every item."""
    rng, draws = np.random.default_rng(5), []
    for width in widths:
        draw = rng.integers(2, size=(n_items, width), dtype=np.uint8)
        draw[rng.integers(n_items, size=width), np.arange(width)] = 1
        draws.append(draw)
    draws[0][:, 0] = 1
    return draws


DRAWS = make_draws()


def padded(draws, fill=0, dtype=np.int8):
    """(B, n, K), with what stands for absent features."""
    width = max(draw.shape[1] for draw in draws)
    out = np.full((len(draws), draws[0].shape[0], width), fill, dtype=dtype)
    for b, draw in enumerate(draws):
        out[b, :, : draw.shape[1]] = draw
    return out


STACK = padded(DRAWS)
BY_CHAIN = STACK.reshape(2, N_DRAWS, *STACK.shape[1:])


def sparse_array(values):
    """A sparse array of more than two dimensions, which SciPy has from 1.15 on."""
    if tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 15):
        pytest.skip("needs SciPy 1.15")
    return scipy.sparse.coo_array(values)


def by_arviz(groups, **labels):
    """What ArviZ makes of groups of variables: InferenceData before 1.0, a DataTree since."""
    import arviz as az

    is_old = int(az.__version__.partition(".")[0]) < 1
    return az.from_dict(**groups, **labels) if is_old else az.from_dict(groups, **labels)
