"""The suffix says what kind of file it is, and the content must agree."""

from __future__ import annotations

import os

import numpy as np
import pytest

import fangs
from support.refusals import refuses

STACK = np.ones((4, 3, 2), dtype=np.uint8)
KINDS = [".npz", ".npy", ".parquet", ".feather", ".h5", ".csv", ".csv.gz", ".json", ".json.gz"]
RIGHT = {(".h5", ".nc"), (".csv", ".tsv")}
"""Content and suffix that differ and agree: netCDF files are HDF5, and separators are found."""


def refused(path, *words):
    with refuses(path.name, *words, error=ValueError):
        fangs.read(path)


@pytest.mark.parametrize("kind", KINDS)
def test_suffix_and_content_must_agree(kind, tmp_path):
    path = tmp_path / f"d{kind}"
    np.save(path, STACK) if kind == ".npy" else fangs.Samples(STACK).save(path)
    for suffix in {*KINDS, ".nc", ".tsv", ".rds", ".mat", ".txt"} - {kind}:
        if (kind, suffix) not in RIGHT:
            other = tmp_path / f"other{suffix}"
            other.write_bytes(path.read_bytes())
            refused(other)


def test_what_is_no_file_is_refused(tmp_path):
    (tmp_path / "p.npz").write_bytes(b"\x80\x04\x95...")
    refused(tmp_path / "p.npz", "pickle", "never")
    (tmp_path / "empty.csv").write_bytes(b"")
    refused(tmp_path / "empty.csv", "empty")
    os.mkfifo(tmp_path / "pipe.npz")
    refused(tmp_path / "pipe.npz", "pipe")
    (tmp_path / "folder.csv").mkdir()
    refused(tmp_path / "folder.csv")
    (tmp_path / "d.csv.zarr").write_text("")
    refused(tmp_path / "d.csv.zarr", "folder")


@pytest.mark.parametrize("draws", [fangs.Samples([[[1]]]), [np.eye(2)], np.ones((2, 2, 1)), 3])
def test_what_is_no_path_is_no_estimate(draws):
    with refuses("path", ".npz", error=TypeError):
        fangs.load(draws)
