"""Damaged files: one line that names the file; and nothing that only claims to be there.

The fuzzer damages files of every kind at random; here are those that must be told by their reason.
"""

from __future__ import annotations

import struct
import zipfile
from contextlib import suppress

import numpy as np
import pytest

import fangs
from fuzz.originals import write_originals
from support.refusals import refuses

STACK = np.random.default_rng(0).integers(2, size=(12, 6, 3), dtype=np.uint8)


def test_a_damaged_estimate_is_refused_or_equal(tmp_path, estimate):
    path = tmp_path / "e.npz"
    estimate.save(path)
    content, n_refused = path.read_bytes(), 0
    for at in range(0, len(content), 37):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :])
        with suppress(ValueError):
            again = fangs.load(path)
            assert np.array_equal(again.losses, estimate.losses)
            assert again.search == estimate.search
            continue
        n_refused += 1
        with refuses("e.npz", error=ValueError):
            fangs.load(path)
    assert n_refused > 80


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    """A sound file of every kind and form."""
    write_originals(folder := tmp_path_factory.mktemp("originals"))
    return [path for path in folder.iterdir() if path.is_file()]


def test_a_file_of_any_kind_that_ends_too_early_is_refused(originals):
    assert {path.suffix for path in originals} >= {".npy", ".npz", ".gz", ".h5", ".rds", ".mat"}
    for path in originals:
        whole = path.read_bytes()
        cuts = [0, 5, 20, len(whole) // 2]
        for length in cuts if whole.endswith(b"\n") else [*cuts, len(whole) - 1]:
            path.write_bytes(whole[:length])
            with refuses(path.name, error=ValueError):
                (fangs.load if path.name == "estimate.npz" else fangs.read)(path)


@pytest.mark.parametrize("lost", ["losses", "weights", "chains"])
def test_an_archive_without_one_of_its_arrays_is_refused(lost, tmp_path):
    samples = fangs.Samples(STACK, weights=np.arange(12) + 1, chains=np.arange(12) // 6)
    thing = fangs.estimate(samples, seed=1) if lost == "losses" else samples
    thing.save(tmp_path / "whole.npz")
    with np.load(tmp_path / "whole.npz") as file:
        np.savez(tmp_path / "part.npz", **{n: file[n] for n in file.files if n != lost})
    with refuses("part.npz", "damaged", error=ValueError):
        (fangs.load if lost == "losses" else fangs.read)(tmp_path / "part.npz")


def header(shape):
    text = str({"descr": "|u1", "fortran_order": False, "shape": shape}).encode()
    text += b" " * (-(10 + len(text) + 1) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


@pytest.mark.parametrize(
    "shape", [(10**12, 5, 0), (10**12, 0, 5), (10**12, 5, 5), (2, 10**9, 10**9), (1, 2**62, 4)]
)
def test_a_header_may_not_claim_what_is_not_there(shape, tmp_path):
    (tmp_path / "d.npy").write_bytes(header(shape))
    with zipfile.ZipFile(tmp_path / "d.npz", "w") as file:
        file.writestr("Z.npy", header(shape))
    for name in ("d.npy", "d.npz"):
        with pytest.raises(ValueError, match=rf"{name}.*(claims|does not fit)"):
            fangs.read(tmp_path / name)
