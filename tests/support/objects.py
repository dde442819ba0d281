"""Draws with items and chains as the objects of other libraries hold them.

Each form turns equally long chains into what a sampler or a data library returns, built with that
library itself.
"""

import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
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


def of_arviz(groups, **named):
    """What arviz makes of groups of variables: InferenceData, or from version 1 on a DataTree."""
    import arviz as az

    is_old = az.__version__.startswith("0.")
    return az.from_dict(**groups, **named) if is_old else az.from_dict(groups, **named)


def inference_data(draws):
    values = {"Z": by_chain(draws), "alpha": np.random.default_rng(0).random((2, 3))}
    named = {"coords": {"person": list(ITEMS)}, "dims": {"Z": ["person", "feature"]}}
    return of_arviz({"posterior": values}, **named)


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


def shuffled_frame(draw, b):
    order = np.random.default_rng(b).permutation(len(draw))
    return pd.DataFrame(draw, index=list(ITEMS)).iloc[order]


LABELLED = {
    "DataArray": data_array,
    "DataArray, last dims first": lambda d: data_array(d, ("feature", "item", "draw", "chain")),
    "DataArray with NaN": lambda d: data_array(d, fill=np.nan, dtype=float),
    "DataArray, stacked": lambda d: data_array(d).stack(sample=("chain", "draw")),
    "DataArray in chunks": lambda d: data_array(d).chunk({"draw": 2}),
    "Dataset": dataset,
    "DataTree": lambda d: xr.DataTree.from_dict({"/posterior": dataset(d)}),
    "DataTree group": lambda d: xr.DataTree.from_dict({"/posterior": dataset(d)})["posterior"],
    "InferenceData": inference_data,
    "InferenceData group": lambda d: inference_data(d).posterior,
    "long pandas": long_pandas,
    "long pandas of values": lambda d: data_array(d).to_series(),
    "long polars": lambda d: pl.DataFrame(
        long_columns(d), schema_overrides={"item": pl.Enum(list(ITEMS))}
    ),
}
"""Forms with item and chain labels of their own."""

WITH_CHAINS = {
    "4-D array": by_chain,
    "4-D jax": lambda d: jnp.asarray(by_chain(d)),
    "4-D with -1": lambda d: by_chain(d, fill=-1),
    "4-D with NaN": lambda d: by_chain(d, fill=np.nan, dtype=np.float32),
    "list of 3-D arrays": lambda d: list(by_chain(d)),
    "list of lists": lambda d: [d[:N_DRAWS], d[N_DRAWS:]],
    "nested lists": lambda d: [[Z.tolist() for Z in part] for part in (d[:N_DRAWS], d[N_DRAWS:])],
    "dict of variables": lambda d: {"alpha": np.ones((2, 3)), "Z": by_chain(d)},
    "wide pandas": lambda d: pd.DataFrame(wide_columns(d)),
    "wide polars": lambda d: pl.DataFrame(wide_columns(d, "Z.{i}.{k}")),
    "wide pyarrow": lambda d: pa.table(wide_columns(d, "Z[{i}, {k}]")),
    "4-D sparse": lambda d: sparse_array(by_chain(d)),
}
"""Forms with chains, numbered from 0, and no item labels."""

PLAIN = {
    "3-D jax": lambda d: jnp.asarray(padded(d)),
    "list of jax": lambda d: [jnp.asarray(Z) for Z in d],
    "3-D with NaN": lambda d: padded(d, fill=np.nan, dtype=float),
    "list with -1": lambda d: list(padded(d, fill=-1)),
    "list with half NaN": lambda d: list(padded(d, fill=np.nan, dtype=np.float16)),
    "3-D sparse": lambda d: sparse_array(padded(d)),
    "dict of one variable": lambda d: {"Z": padded(d)},
    "DataArray without labels": lambda d: xr.DataArray(padded(d), dims=("draw", "item", "feature")),
    "PyMC's names": lambda d: xr.DataArray(padded(d), dims=("draw", "Z_dim_0", "Z_dim_1")).T,
    "list of frames": lambda d: [pd.DataFrame(Z) for Z in d],
}
"""Forms without chains or labels."""

FRAMES = {
    "pandas": lambda d: [shuffled_frame(draw, b) for b, draw in enumerate(d)],
    "pandas, item column": lambda d: [
        shuffled_frame(draw, b).rename_axis("item").reset_index() for b, draw in enumerate(d)
    ],
    "polars": lambda d: [
        pl.DataFrame({"item": list(ITEMS), **{f"f{k}": c for k, c in enumerate(Z.T)}})[::-1]
        if b % 2
        else pl.DataFrame({"item": list(ITEMS), **{f"f{k}": c for k, c in enumerate(Z.T)}})
        for b, Z in enumerate(d)
    ],
    "pyarrow": lambda d: [
        pa.table({"item": list(ITEMS), **{f"f{k}": c for k, c in enumerate(Z.T)}}) for Z in d
    ],
    "DataArrays": lambda d: [
        xr.DataArray(Z, dims=("item", "feature"), coords={"item": list(ITEMS)}).T[:, ::step]
        for Z, step in zip(d, [1, -1] * 3, strict=True)
    ],
}
"""A labelled table or array per draw, most with their rows in another order."""
