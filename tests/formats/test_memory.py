"""A file is never unpacked whole, neither while it is read nor while it is written."""

from __future__ import annotations

import tracemalloc

import dask.array
import h5py
import numpy as np
import pytest
import xarray as xr

import fangs
from fangs.draws.forms import blocks, ragged
from fangs.formats import datasets


def peak(action):
    """Bytes that Python holds at most meanwhile, and what comes out."""
    tracemalloc.start()
    try:
        found = action()
        return tracemalloc.get_traced_memory()[1], found
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("suffix", [".nc", ".zarr", ".h5"])
def test_a_store_is_never_unpacked_whole(suffix, tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 2**18)
    monkeypatch.setattr(ragged, "BLOCK_BYTES", 2**18)
    monkeypatch.setattr(datasets, "CHUNK_BYTES", 2**18)
    rng = np.random.default_rng(0)
    draws = ((rng.random((60, 40)) < 0.3) for _ in range(8000))
    samples = fangs.Samples(draws, chains=[0] * 4000 + [1] * 4000)
    path = tmp_path / f"d{suffix}"
    samples[:2].save(path)  # what is imported on the way is there before
    fangs.read(path)
    for action in (lambda: samples.save(path), lambda: fangs.read(path)):
        most, found = peak(action)
        assert most < 8000 * 60 * 40 / 3
    assert found == samples
    assert fangs.read(path, burn_in=3990) == fangs.Samples(samples, burn_in=3990)


@pytest.mark.parametrize("save", [np.save, np.savez_compressed])
@pytest.mark.parametrize("change", [np.ascontiguousarray, np.asfortranarray])
def test_an_array_is_never_unpacked_whole(save, change, tmp_path):
    stack = np.random.default_rng(0).integers(2, size=(800, 100, 50), dtype=np.uint8)
    path = tmp_path / ("d.npy" if save is np.save else "d.npz")
    save(path, change(stack))
    fangs.read(path)
    assert peak(lambda: fangs.read(path))[0] < stack.nbytes / (
        4 if change is np.ascontiguousarray else 2
    )


@pytest.mark.parametrize("options", [{"burn_in": 4800}, {"thin": 25}])
@pytest.mark.parametrize("suffix", [".h5", ".zarr"])
def test_some_draws_of_a_large_store_need_little_memory(suffix, options, tmp_path):
    """400 draws of 200 MB, 8 MB unpacked, in chunks of 2 MB."""
    path, shape, chunks = tmp_path / f"d{suffix}", (2, 5000, 200, 100), (1, 100, 200, 100)
    if suffix == ".h5":
        with h5py.File(path, "w") as file:
            file.create_dataset("Z", shape, "u1", chunks=chunks, fillvalue=1)
    else:
        ones = dask.array.ones(shape, dtype="u1", chunks=chunks)
        array = xr.DataArray(ones, dims=("chain", "draw", "item", "feature"))
        array.to_dataset(name="Z").to_zarr(path, zarr_format=2)
    fangs.read(path, thin=2500)
    most, found = peak(lambda: fangs.read(path, **options))
    assert len(found) == 400
    assert most < 20e6
