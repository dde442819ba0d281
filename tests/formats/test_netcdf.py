"""netCDF files and Zarr stores of others, beside what xarray and ArviZ write every day."""

from __future__ import annotations

import numpy as np
import xarray as xr

import fangs
from support.refusals import refuses

STACK = np.random.default_rng(4).integers(2, size=(8, 5, 3))
ITEMS = list("abcde")
WANTED = fangs.Samples(STACK, items=ITEMS, chains=np.repeat([1, 2], 4))


def dataset(**more):
    dims = ("chain", "draw", "item", "feature")
    coords = {"chain": [1, 2], "item": ITEMS}
    array = xr.DataArray(STACK.reshape(2, 4, 5, 3), dims=dims, coords=coords)
    return xr.Dataset({"Z": array, "sigma": (("chain", "draw"), np.ones((2, 4))), **more})


def refused(path, *words, **options):
    with refuses(path.name, *words, error=ValueError):
        fangs.read(path, **options)


def test_near_misses_of_labelled_files(tmp_path):
    dataset(W=dataset()["Z"]).to_netcdf(tmp_path / "two.nc")
    refused(tmp_path / "two.nc", "variable='Z'", "variable='W'")
    refused(tmp_path / "two.nc", "sigma", "chain", "draw", variable="sigma")
    refused(tmp_path / "two.nc", "'Y'", "Z", "sigma", "W", variable="Y")
    dataset()[["sigma"]].to_zarr(tmp_path / "none.zarr", zarr_format=2)
    refused(tmp_path / "none.zarr", "sigma")
    (tmp_path / "empty.zarr").mkdir()
    refused(tmp_path / "empty.zarr", "Zarr group")


def test_draws_are_told_from_parameters_by_their_values(tmp_path):
    loadings = np.random.default_rng(3).normal(size=(2, 4, 3, 2))
    dataset(W=(("chain", "draw", "feature", "axis"), loadings)).to_netcdf(tmp_path / "d.nc")
    assert fangs.read(tmp_path / "d.nc") == WANTED
    rows = {row.name: row for row in fangs.inspect(tmp_path / "d.nc").rows}
    assert rows["Z"].holds_draws
    assert "0 and 1" in rows["W"].problem
    refused(tmp_path / "d.nc", "W", "0 and 1", variable="W")
