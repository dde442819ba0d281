"""MATLAB files of version 4, which hold matrices and letters alone."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import fangs
from fangs.formats import read_values

scipy_io = pytest.importorskip("scipy.io")

DRAWS = [np.random.default_rng(5).integers(2, size=(5, k)) for k in (3, 1, 4)]
MATRICES = {f"Z{b + 8}": draw for b, draw in enumerate(DRAWS)}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "draws.mat"


def save(path, **variables):
    scipy_io.savemat(path, variables, format="4")
    return path


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "i2", "u2", "u1"])
def test_numbered_matrices_are_draws(path, dtype):
    typed = {name: draw.astype(dtype) for name, draw in MATRICES.items()}
    assert fangs.read(save(path, **typed, alpha=0.5)) == fangs.Samples(DRAWS)


def test_a_sparse_matrix_has_its_zeros(path):
    from scipy.sparse import csc_matrix

    matrices = {name: csc_matrix(draw.astype(float)) for name, draw in MATRICES.items()}
    assert fangs.read(save(path, **matrices)) == fangs.Samples(DRAWS)


def test_labels_and_weights_are_read(path):
    items = ["ann", "bobby", "cy", "dee", "eve"]
    save(path, **MATRICES, items=np.array(items), weights=[0.5, 0.25, 0.25], w=[1, 2, 3])
    samples = fangs.read(path)
    assert samples.items == tuple(items)
    assert samples.weights.tolist() == [2, 1, 1]
    assert fangs.read(path, weights="w").weights.tolist() == [1, 2, 3]


@pytest.mark.parametrize("order", ["<", ">"])
def test_values_are_those_that_were_written(path, order):
    wanted = np.arange(6.0).reshape(2, 3)
    code = 0 if order == "<" else 1000
    head = struct.pack(f"{order}5i", code, 2, 3, 0, 2) + b"X\0"
    path.write_bytes(head + wanted.astype(f"{order}f8").tobytes(order="F"))
    assert np.array_equal(read_values(path, variable="X")[0], wanted)


def test_a_damaged_file_is_refused_in_one_line(path):
    whole = save(path, **MATRICES).read_bytes()
    wide = struct.pack("<5i", 0, 2**30, 2**30, 0, 2) + b"Z\0"
    sparse = struct.pack("<5i", 2, 1, 3, 0, 2) + b"Z\0" + struct.pack("<3d", 2**30, 2**30, 0)
    for content in (whole[:10], whole[:-1], whole + b"\0" * 7, wide, sparse, b"\0\0\0\x7f" * 9):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"draws\.mat") as caught:
            fangs.read(path)
        assert "\n" not in str(caught.value)
