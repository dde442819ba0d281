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


@pytest.mark.parametrize("lost", ["losses", "weights", "chains"])
def test_an_archive_without_one_of_its_arrays_is_refused(lost, tmp_path):
    samples = fangs.Samples(STACK, weights=np.arange(12) + 1, chains=np.arange(12) // 6)
    thing = fangs.estimate(samples, seed=1) if lost == "losses" else samples
    thing.save(tmp_path / "whole.npz")
    with np.load(tmp_path / "whole.npz") as file:
        np.savez(tmp_path / "part.npz", **{n: file[n] for n in file.files if n != lost})
    with refuses("part.npz", "damaged", error=ValueError):
        (fangs.load if lost == "losses" else fangs.read)(tmp_path / "part.npz")


@pytest.mark.parametrize("save", [np.save, np.savez, np.savez_compressed])
def test_a_file_that_ends_too_early_is_refused(save, tmp_path):
    path = tmp_path / ("draws.npy" if save is np.save else "draws.npz")
    save(path, STACK)
    whole = path.read_bytes()
    for length in (0, 5, 20, 130, len(whole) - 1):
        path.write_bytes(whole[:length])
        with refuses(path.name, error=ValueError):
            fangs.read(path)


def test_a_compressed_array_that_was_changed_is_refused(tmp_path):
    path = tmp_path / "draws.npz"
    np.savez_compressed(path, STACK)
    whole = path.read_bytes()
    middle = len(whole) // 3
    path.write_bytes(whole[:middle] + bytes(8) + whole[middle + 8 :])
    with refuses("draws.npz", error=ValueError):
        fangs.read(path)


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
