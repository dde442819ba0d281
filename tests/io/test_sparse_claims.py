"""Sparse matrices of R and MATLAB: a few bytes may not claim a large matrix, nor misplace ones."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress

import numpy as np
import pytest

import fangs
from fangs.io.nested import R, draws
from fangs.io.nested.sparse import sparse_matrix
from fangs.io.nested.values import Array, List, Other, Text
from fangs.io.nested.walk import Found


def sparse(rows, starts, size, values=None):
    """An object of R's package Matrix."""
    slots = {
        "i": Array(np.array(rows, dtype=np.int32), "integer"),
        "p": Array(np.array(starts, dtype=np.int32), "integer"),
        "Dim": Array(np.array(size, dtype=np.int32), "integer"),
        "x": Array(np.ones(len(rows)) if values is None else np.array(values), "double"),
        "class": Text(["dgCMatrix"]),
    }
    return Other("an object", slots)


def gathered(*matrices):
    return draws.gather([Found(List(list(matrices)), "x")], R).samples()


def test_zeros_that_are_stored_are_zeros():
    stored = sparse([0, 2, 1], [0, 2, 3, 3], (3, 3), [1.0, 0.0, 1.0])
    found = gathered(stored, sparse([], [0], (3, 0)))
    assert found == fangs.Samples([[[1, 0, 0], [0, 1, 0], [0, 0, 0]], np.zeros((3, 0))])


def test_other_values_are_named():
    with pytest.raises(ValueError, match=r"x\[\[1\]\]\[3, 1\] is 2; an allocation holds only 0"):
        gathered(sparse([0, 2], [0, 2], (3, 1), [1.0, 2.0]))


@pytest.mark.parametrize(
    ("rows", "starts"),
    [
        ([-1], [0, 1]),
        ([3], [0, 1]),
        ([0, 1], [0, 1]),
        ([0, 1], [1, 2]),
        ([1, 0], [0, 2]),
        ([1, 1], [0, 2]),
        ([0, 1], [0, 2, 1, 2]),
        ([], [0, 0, 0]),
        ([], []),
    ],
)
def test_entries_out_of_place_are_refused(rows, starts):
    size = (3, 3 if len(starts) == 4 else 1)
    with pytest.raises(ValueError, match=r"x is a sparse matrix .* cannot be read: it"):
        sparse_matrix(sparse(rows, starts, size), "x")


@pytest.mark.parametrize("values", [[1.0], [2.0]])
def test_a_claimed_size_takes_no_memory(values):
    tracemalloc.start()
    try:
        for n_rows in (2**28, 2**31 - 1):
            with suppress(ValueError):
                sparse_matrix(sparse([5], [0, 1], (n_rows, 1), values), "x")
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


def test_many_claims_are_refused_before_they_are_packed():
    one = sparse([5], [0, 1], (2**28, 1))
    with pytest.raises(ValueError, match=r"matrices of the file together claims? \d+ bytes"):
        gathered(*[one] * 40)


def test_sparse_matrices_of_matlab_may_not_claim_much(tmp_path):
    scipy_io = pytest.importorskip("scipy.io")
    from scipy.sparse import csc_matrix

    path = tmp_path / "chain.mat"
    cells = np.empty((8, 1), dtype=object)
    cells[:, 0] = [csc_matrix(([1.0], ([5], [0])), shape=(2**26, 1))] * 8
    scipy_io.savemat(path, {"Z": cells})
    with pytest.raises(ValueError, match=r"chain\.mat.*its sparse matrices together claim"):
        fangs.read(path)
