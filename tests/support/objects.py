"""Draws with items and chains as the objects of other libraries hold them."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import xarray as xr

N_CHAINS, N_DRAWS = 2, 3
ITEMS = ("ann", "bob", "cy", "dee")
CHAINS = (0, 1)


def example():
    """Draws with 0 to 3 features, none of them empty; every item is in some."""
    rng, n_items, draws = np.random.default_rng(5), len(ITEMS), []
    for width in (2, 3, 1, 0, 3, 2):
        draw = rng.integers(2, size=(n_items, width), dtype=np.uint8)
        draw[rng.integers(n_items, size=width), np.arange(width)] = 1
        draws.append(draw)
    draws[0][:, 0] = 1
    return draws


def padded(draws, fill=0, dtype=np.int8):
    width = max(draw.shape[1] for draw in draws)
    out = np.full((len(draws), draws[0].shape[0], width), fill, dtype=dtype)
    for b, draw in enumerate(draws):
        out[b, :, : draw.shape[1]] = draw
    return out


def sparse_array(values):
    """A sparse array of more than two dimensions, which SciPy has from 1.15 on."""
    if tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 15):
        pytest.skip("needs SciPy 1.15")
    return scipy.sparse.coo_array(values)


def by_chain(draws, **options):
    return padded(draws, **options).reshape(N_CHAINS, N_DRAWS, len(ITEMS), -1)


def data_array(draws, dims=("chain", "draw", "item", "feature"), **options):
    array = xr.DataArray(
        by_chain(draws, **options),
        dims=("chain", "draw", "item", "feature"),
        coords={"chain": list(CHAINS), "draw": range(N_DRAWS), "item": list(ITEMS)},
        name="Z",
    )
    return array.transpose(*dims)


def dataset(draws):
    """Draws next to other variables, as a sampler returns them."""
    rng = np.random.default_rng(0)
    Z = data_array(draws)
    W = (("chain", "draw", "feature", "axis"), rng.normal(size=(2, 3, 3, 2)))
    return xr.Dataset({"alpha": (("chain", "draw"), rng.random((2, 3))), "Z": Z, "W": W})


def by_arviz(groups, **labels):
    """What ArviZ makes of groups of variables: InferenceData before 1.0, a DataTree since."""
    import arviz as az

    is_old = int(az.__version__.partition(".")[0]) < 1
    return az.from_dict(**groups, **labels) if is_old else az.from_dict(groups, **labels)


def long_rows(draws):
    """(chain, draw, item, feature) of each one; a draw without features has a row without both."""
    for b, draw in enumerate(draws):
        chain, number = divmod(b, N_DRAWS)
        if not draw.any():
            yield chain, number, None, None
        for k in range(draw.shape[1]):
            for i in np.flatnonzero(draw[:, k]):
                yield chain, number, ITEMS[i], k


def long_columns(draws):
    columns = zip(*long_rows(draws), strict=True)
    return dict(zip(("chain", "draw", "item", "feature"), map(list, columns), strict=True))


def long_pandas(draws):
    frame = pd.DataFrame(long_columns(draws)).sample(frac=1, random_state=1)
    return frame.astype({"item": pd.CategoricalDtype(list(ITEMS))})


def wide_columns(draws, name="Z[{i},{k}]"):
    array = padded(draws)
    n, width = array.shape[1:]
    columns = {
        name.format(i=i + 1, k=k + 1): array[:, i, k] for k in range(width) for i in range(n)
    }
    chains = np.repeat(CHAINS, N_DRAWS)
    return {"lp__": np.linspace(-9, -8, len(draws)), "chain__": chains, **columns}
