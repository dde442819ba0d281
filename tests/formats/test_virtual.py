"""Virtual datasets, by which h5py joins the files of chains: read, or refused by what they lack."""

from __future__ import annotations

import h5py
import numpy as np
import pytest

import fangs
from fangs.formats import guard
from support.refusals import refuses

CHAINS = np.random.default_rng(5).integers(2, size=(2, 40, 50, 20), dtype=np.uint8)


@pytest.fixture
def joined(tmp_path):
    layout = h5py.VirtualLayout(shape=CHAINS.shape, dtype="u1")
    for c, draws in enumerate(CHAINS):
        with h5py.File(tmp_path / f"chain{c}.h5", "w") as file:
            file["Z"] = draws
        layout[c] = h5py.VirtualSource(f"chain{c}.h5", "Z", shape=draws.shape)
    with h5py.File(tmp_path / "all.h5", "w") as file:
        file.create_virtual_dataset("Z", layout)
    return tmp_path / "all.h5"


def test_chains_that_h5py_has_joined_are_read(joined, monkeypatch):
    wanted = fangs.Samples(CHAINS)
    assert fangs.read(joined) == wanted
    monkeypatch.setattr(guard, "MAX_BYTES", 0)  # what the other files take counts, too
    monkeypatch.setattr(guard, "MOST_PACKED", 2)
    assert fangs.read(joined) == wanted
    assert fangs.inspect(joined).rows[0].chains == 2


def test_a_file_that_is_not_there_is_named(joined):
    (joined.parent / "chain1.h5").unlink()
    with refuses("all.h5", "'/Z'", "virtual", "'chain1.h5'", error=ValueError):
        fangs.read(joined)


@pytest.mark.parametrize("there", [{}, {"other": CHAINS[1]}, {"Z": CHAINS[1, :30]}])
def test_a_part_that_is_not_there_is_no_zeros(there, joined):
    with h5py.File(joined.parent / "chain1.h5", "w") as file:
        for name, draws in there.items():
            file[name] = draws
    with refuses("all.h5", "'/Z'", "virtual", str(CHAINS.size), error=ValueError):
        fangs.read(joined)


def test_a_layout_with_a_gap_is_refused(joined):
    layout = h5py.VirtualLayout(shape=CHAINS.shape, dtype="u1")
    layout[0] = h5py.VirtualSource("chain0.h5", "Z", shape=CHAINS.shape[1:])
    with h5py.File(joined, "w") as file:
        file.create_virtual_dataset("Z", layout)
    with refuses("all.h5", "virtual", str(CHAINS.size // 2), error=ValueError):
        fangs.read(joined)
