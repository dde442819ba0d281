"""HDF5 of others: what is read as draws, and what is only nearly so."""

from __future__ import annotations

import h5py
import numpy as np
import pytest

import fangs
from support.refusals import refuses

STACK = np.random.default_rng(4).integers(2, size=(8, 5, 3))
CHAINS = np.repeat([1, 2], 4)
ITEMS = list("abcde")


def refused(path, *words, **options):
    with refuses(path.name, *words, error=ValueError):
        fangs.read(path, **options)


SHAPES = {
    "stack": {"Z": STACK},
    "group": {f"Z/draw_{b + 5}": draw.astype(float) for b, draw in enumerate(STACK)},
    "ragged rows": {"Z": np.concatenate([draw.T for draw in STACK]), "n_features": [3] * 8},
    "chunks": {"Z": STACK.reshape(2, 4, 5, 3)},
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("options", [{}, {"burn_in": 2, "thin": 2}, {"keep_chains": 2}])
def test_draws_of_every_shape_are_read_with_their_labels(shape, options, tmp_path):
    with h5py.File(tmp_path / "d.h5", "w") as file:
        for name, values in SHAPES[shape].items():
            is_chunked = shape == "chunks"
            file.create_dataset(name, data=values, chunks=(2, 2, 5, 3) if is_chunked else None)
        file["items"], file["chains"] = ITEMS, [1, 2] if shape == "chunks" else CHAINS
    wanted = fangs.Samples(STACK, items=ITEMS, chains=CHAINS, **options)
    assert fangs.read(tmp_path / "d.h5", **options) == wanted


def test_near_misses_of_hdf5(tmp_path):
    with h5py.File(tmp_path / "d.h5", "w") as file:
        file["Z"], file["W"] = STACK, STACK
        file["flat"] = np.ones((4, 3))
        file["elsewhere"] = h5py.ExternalLink("other.h5", "/Z")
    refused(tmp_path / "d.h5", "variable='W'", "variable='Z'")
    refused(tmp_path / "d.h5", "'flat'", "(4, 3)", variable="flat")
    refused(tmp_path / "d.h5", "'elsewhere'", "link", variable="elsewhere")
    assert fangs.read(tmp_path / "d.h5", variable="Z") == fangs.Samples(STACK)


def test_ragged_rows_that_do_not_add_up_are_refused(tmp_path):
    with h5py.File(tmp_path / "d.h5", "w") as file:
        file["Z"], file["n_features"] = np.ones((6, 3)), [3, 4]
    refused(tmp_path / "d.h5", "6", "7")
