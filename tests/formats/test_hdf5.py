"""HDF5 of others: what is read as draws, and what is only nearly so."""

from __future__ import annotations

import h5py
import numpy as np

import fangs
from support.refusals import refuses

STACK = np.random.default_rng(4).integers(2, size=(8, 5, 3))


def refused(path, *words, **options):
    with refuses(path.name, *words, error=ValueError):
        fangs.read(path, **options)


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
